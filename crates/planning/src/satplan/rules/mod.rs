//! The decomposition graph, made ready to be encoded.
//!
//! A ground method becomes a [`Rule`]: a sequence of *slots*, each with a
//! condition to hold on entry and at most one thing to do. Three things make
//! the rules smaller than the methods they come from:
//!
//! - A task with one way to do it is **inlined** where it stands. A task or an
//!   action that only checks a condition thereby melts into the condition of its
//!   neighbour.
//! - A **tail-recursive** task, whose methods either end in the task itself
//!   or leave, is lifted: the work of each looping method becomes one [`Act`],
//!   and the loop becomes "any set of acts that do not disturb each other, then
//!   again or leave". What was a choice among all orders of independent acts
//!   is now a single parallel step.
//! - A **classical** problem is such a loop over all its actions that leaves
//!   where the goal holds. So one encoding serves both kinds of planning.
//!
//! Every rule keeps a [`Template`] of the decomposition it stands for, so that
//! a plan can be told in the words of the methods.

mod act;
mod loops;

use std::rc::Rc;

use planoku_engine::{Run, Stop};

use crate::graph;
use crate::ground::{
    ActionIndex, Condition, ConditionalEffect, FactIndex, Ground, MethodIndex, Node,
};
pub(super) use act::{Act, Template};
use act::{merge, sort_unique};

/// How many slots an inlined task may bring along.
const INLINE_SLOTS: usize = 6;

/// Index of a task in [`Rules::tasks`]; ground tasks keep their numbers.
pub(super) type TaskId = usize;
/// Index into [`Rules::acts`]; ground actions keep their numbers.
pub(super) type ActId = usize;
/// Index into [`Rules::rules`].
pub(super) type RuleId = usize;

/// The whole problem as rules.
pub(super) struct Rules {
    pub tasks: Vec<Task>,
    pub rules: Vec<Rule>,
    pub acts: Vec<Act>,
    /// The task to begin with.
    pub start: TaskId,
}

/// A task and the rules that carry it out.
#[derive(Default)]
pub(super) struct Task {
    pub rules: Vec<RuleId>,
    /// Facts some refinement may add; filled in for tasks in use.
    pub may_add: Rc<[FactIndex]>,
    /// Facts some refinement may delete.
    pub may_delete: Rc<[FactIndex]>,
    /// Layers below which every refinement is complete; `None` if unbounded.
    pub height: Option<u64>,
    /// The task may come up again inside its own refinement.
    recursive: bool,
    /// If this task is a lifted loop: how many parallel steps can be of use.
    steps: Option<u64>,
}

/// One way to carry out a task.
#[derive(Clone)]
pub(super) struct Rule {
    pub slots: Vec<Slot>,
    pub template: Template,
}

/// A place in a rule's sequence.
#[derive(Clone, Default)]
pub(super) struct Slot {
    /// Must hold on entry.
    pub condition: Condition,
    pub body: Body,
}

/// What a slot does.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) enum Body {
    #[default]
    Nothing,
    Act(ActId),
    Task(TaskId),
    /// Any set of these consecutive acts that do not disturb each other.
    Parallel(std::ops::Range<ActId>),
}

impl Body {
    /// The acts it may do; none for a task.
    pub fn acts(&self) -> std::ops::Range<ActId> {
        match self {
            Body::Act(act) => *act..*act + 1,
            Body::Parallel(range) => range.clone(),
            _ => 0..0,
        }
    }
}

impl Rules {
    /// Prepares a ground problem. It must be classical, or totally ordered.
    pub fn new(ground: &Ground, run: &mut Run<'_>) -> Result<Rules, Stop> {
        run.effort(ground.size() / 4)?;
        let acts = ground
            .actions
            .iter()
            .enumerate()
            .map(|(index, action)| Act {
                condition: action.precondition.clone(),
                add: action.add.clone(),
                delete: action
                    .delete
                    .iter()
                    .copied()
                    .filter(|f| !action.add.contains(f))
                    .collect(),
                conditional: action.conditional.clone(),
                template: Template::Action(index as ActionIndex),
            });
        let mut rules = Rules {
            tasks: ground.tasks.iter().map(|_| Task::default()).collect(),
            rules: Vec::new(),
            acts: acts.collect(),
            start: 0,
        };
        let goal = Slot {
            condition: ground.goal.clone(),
            body: Body::Nothing,
        };
        match ground.root {
            Some(root) => {
                rules.add_tasks(ground, root as TaskId, run)?;
                let slots = vec![
                    Slot {
                        body: Body::Task(root as TaskId),
                        ..Slot::default()
                    },
                    goal,
                ];
                let template = Template::Sequence(vec![Template::Slot(0)]);
                rules.start = rules.add_task(vec![Rule { slots, template }]);
            }
            None => {
                let leave = Rule {
                    slots: vec![goal],
                    template: Template::Sequence(vec![]),
                };
                rules.start = rules.add_task(vec![]);
                rules.add_loop(rules.start, 0..ground.actions.len(), vec![leave], run)?;
            }
        }
        rules.infer_heights_and_effects(run)?;
        Ok(rules)
    }

    fn add_task(&mut self, rules: Vec<Rule>) -> TaskId {
        self.tasks.push(Task::default());
        let task = self.tasks.len() - 1;
        self.set_rules(task, rules);
        task
    }

    fn set_rules(&mut self, task: TaskId, rules: Vec<Rule>) {
        for rule in rules {
            self.tasks[task].rules.push(self.rules.len());
            self.rules.push(rule);
        }
    }

    /// Gives every task that `root` leads to its rules, subtasks first, so
    /// that what can be inlined is ready when it is needed.
    fn add_tasks(&mut self, ground: &Ground, root: TaskId, run: &mut Run<'_>) -> Result<(), Stop> {
        let subtasks = |task: usize| {
            let methods = ground.tasks[task].methods.iter();
            methods
                .flat_map(|m| &ground.methods[*m as usize].subtasks)
                .filter_map(|n| match n {
                    Node::Task(sub) => Some(*sub as usize),
                    Node::Action(_) => None,
                })
        };
        let mut work = Work::default();
        for component in graph::components(ground.tasks.len(), [root], subtasks) {
            let alone = component.len() == 1;
            for &task in &component {
                work.done(ground.tasks[task].methods.len(), run)?;
                self.tasks[task].recursive = !alone || subtasks(task).any(|sub| sub == task);
                if alone && self.lift_loop(ground, task, run)? {
                    continue;
                }
                let methods = ground.tasks[task].methods.iter();
                let rules = methods.map(|&m| self.rule(ground, m)).collect();
                self.set_rules(task, rules);
            }
        }
        Ok(())
    }

    /// The rule of one method, with one-way subtasks inlined.
    fn rule(&self, ground: &Ground, index: MethodIndex) -> Rule {
        let method = &ground.methods[index as usize];
        let mut building = Building::new(method.precondition.clone());
        let children = method
            .subtasks
            .iter()
            .map(|node| self.place(&mut building, *node))
            .collect();
        Rule {
            slots: building.finish(),
            template: Template::Method(index, children),
        }
    }

    fn place(&self, building: &mut Building, node: Node) -> Template {
        match node {
            Node::Action(action) => {
                let act = &self.acts[action as ActId];
                match act.changes_nothing() {
                    true => building.require(&act.condition),
                    false => building.push(Body::Act(action as ActId)),
                }
                Template::Action(action)
            }
            Node::Task(task) => match self.tasks[task as usize].rules[..] {
                [only] if self.rules[only].slots.len() <= INLINE_SLOTS && !self.is_loop(only) => {
                    let rule = &self.rules[only];
                    let first = building.slots.len();
                    for slot in &rule.slots {
                        building.require(&slot.condition);
                        building.push(slot.body.clone());
                    }
                    rule.template.shifted(first)
                }
                _ => {
                    building.push(Body::Task(task as TaskId));
                    Template::Slot(building.slots.len() - 1)
                }
            },
        }
    }

    fn is_loop(&self, rule: RuleId) -> bool {
        matches!(self.rules[rule].template, Template::Loop)
    }

    /// What each task may change, and how deep its refinements can get.
    fn infer_heights_and_effects(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let below = |task: usize| {
            let slots = self.tasks[task]
                .rules
                .iter()
                .flat_map(|rule| &self.rules[*rule].slots);
            slots.filter_map(|slot| match slot.body {
                Body::Task(sub) => Some(sub),
                _ => None,
            })
        };
        let components = graph::components(self.tasks.len(), [self.start], below);
        let mut done = vec![false; self.tasks.len()];
        let mut work = Work::default();
        for component in components {
            let mut may_add = Vec::new();
            let mut may_delete = Vec::new();
            let mut height = Some(0);
            let mut recursive = false;
            let rules = component.iter().flat_map(|&task| &self.tasks[task].rules);
            for slot in rules.flat_map(|&rule| &self.rules[rule].slots) {
                for act in slot.body.acts() {
                    may_add.extend(self.acts[act].may_add());
                    may_delete.extend(self.acts[act].may_delete());
                }
                match slot.body {
                    Body::Task(sub) if done[sub] => {
                        let sub = &self.tasks[sub];
                        may_add.extend(sub.may_add.iter());
                        may_delete.extend(sub.may_delete.iter());
                        height = height.zip(sub.height).map(|(a, b): (u64, u64)| a.max(b));
                        work.done(sub.may_add.len() + sub.may_delete.len(), run)?;
                    }
                    Body::Task(_) => recursive = true,
                    _ => {}
                }
                compact(&mut may_add);
                compact(&mut may_delete);
            }
            sort_unique(&mut may_add);
            sort_unique(&mut may_delete);
            let (may_add, may_delete): (Rc<[_]>, Rc<[_]>) = (may_add.into(), may_delete.into());
            let rounds = if recursive {
                self.tasks[component[0]].steps
            } else {
                Some(0)
            };
            for &task in &component {
                done[task] = true;
                let task = &mut self.tasks[task];
                task.may_add = Rc::clone(&may_add);
                task.may_delete = Rc::clone(&may_delete);
                task.height = height.zip(rounds).map(|(a, b)| a.saturating_add(b) + 1);
            }
        }
        Ok(())
    }
}

/// Looks at the budget every so often; a large problem takes long to prepare.
#[derive(Default)]
struct Work(usize);

impl Work {
    fn done(&mut self, items: usize, run: &mut Run<'_>) -> Result<(), Stop> {
        self.0 += items + 1;
        if self.0 < 1 << 10 {
            return Ok(());
        }
        run.effort(std::mem::take(&mut self.0) as u64 / 4)
    }
}

/// Keeps a list that is appended to over and over from outgrowing its content.
fn compact(list: &mut Vec<FactIndex>) {
    if list.len() > 1 << 16 && list.len() * 2 > list.capacity() {
        sort_unique(list);
    }
}

/// Collects the slots of a rule; conditions wait for the next body.
struct Building {
    slots: Vec<Slot>,
    waiting: Condition,
}

impl Building {
    fn new(condition: Condition) -> Building {
        Building {
            slots: Vec::new(),
            waiting: condition,
        }
    }

    fn require(&mut self, condition: &Condition) {
        merge(&mut self.waiting.positive, &condition.positive);
        merge(&mut self.waiting.negative, &condition.negative);
    }

    fn push(&mut self, body: Body) {
        if body != Body::Nothing {
            self.slots.push(Slot {
                condition: std::mem::take(&mut self.waiting),
                body,
            });
        }
    }

    fn finish(mut self) -> Vec<Slot> {
        if self.waiting != Condition::default() {
            self.slots.push(Slot {
                condition: self.waiting,
                body: Body::Nothing,
            });
        }
        self.slots
    }
}
