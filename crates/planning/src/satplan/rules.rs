//! The decomposition graph, made ready to be encoded.
//!
//! A ground method becomes a [`Rule`]: a sequence of *slots*, each with a
//! condition to hold on entry and at most one thing to do. Three things make
//! the rules smaller than the methods they come from:
//!
//! - A task with one way to do it is **inlined** where it stands. A task that
//!   only checks a condition thereby melts into the condition of its neighbour.
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

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::graph;
use crate::ground::{
    ActionIndex, Condition, ConditionalEffect, FactIndex, Ground, GroundMethod, MethodIndex, Node,
};

/// How many slots an inlined task may bring along.
const INLINE_SLOTS: usize = 6;
/// How many ways through the body of a loop are told apart.
const MACROS_PER_BODY: usize = 64;

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

/// Something done at once: an action, or the body of a loop.
#[derive(Clone)]
pub(super) struct Act {
    pub condition: Condition,
    pub add: Vec<FactIndex>,
    pub delete: Vec<FactIndex>,
    pub conditional: Vec<ConditionalEffect>,
    pub template: Template,
}

impl Act {
    /// Facts this act may make true.
    pub fn may_add(&self) -> impl Iterator<Item = FactIndex> + '_ {
        self.add
            .iter()
            .chain(self.conditional.iter().flat_map(|effect| &effect.add))
            .copied()
    }

    /// Facts this act may make false.
    pub fn may_delete(&self) -> impl Iterator<Item = FactIndex> + '_ {
        let deletes = self.conditional.iter().flat_map(|effect| &effect.delete);
        self.delete.iter().chain(deletes).copied()
    }
}

/// The decomposition a rule or an act stands for.
#[derive(Clone, Debug)]
pub(super) enum Template {
    /// One action of the plan.
    Action(ActionIndex),
    /// Whatever was chosen for this slot of the rule.
    Slot(usize),
    /// A method with its subtasks.
    Method(MethodIndex, Vec<Template>),
    /// What follows in the loop (inside acts only).
    Rest,
    /// The acts chosen for slot 0 one inside the other, then slot 1.
    Loop,
    /// These in a row; the start of everything.
    Sequence(Vec<Template>),
}

impl Rules {
    /// Prepares a ground problem. It must be classical, or totally ordered.
    pub fn new(ground: &Ground) -> Rules {
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
                rules.add_tasks(ground, root as TaskId);
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
                rules.add_loop(rules.start, 0..ground.actions.len(), vec![leave]);
            }
        }
        rules.infer_heights_and_effects();
        rules
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
    fn add_tasks(&mut self, ground: &Ground, root: TaskId) {
        let subtasks = |task: usize| {
            let methods = ground.tasks[task].methods.iter();
            methods
                .flat_map(|m| &ground.methods[*m as usize].subtasks)
                .filter_map(|n| match n {
                    Node::Task(sub) => Some(*sub as usize),
                    Node::Action(_) => None,
                })
        };
        for component in graph::components(ground.tasks.len(), [root], subtasks) {
            let alone = component.len() == 1;
            for &task in &component {
                self.tasks[task].recursive = !alone || subtasks(task).any(|sub| sub == task);
                if alone && self.lift_loop(ground, task) {
                    continue;
                }
                let methods = ground.tasks[task].methods.iter();
                let rules = methods.map(|&m| self.rule(ground, m)).collect();
                self.set_rules(task, rules);
            }
        }
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
                building.push(Body::Act(action as ActId));
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

    /// Lifts a tail-recursive task; false if it is not one, or too rich.
    fn lift_loop(&mut self, ground: &Ground, task: TaskId) -> bool {
        let again = Node::Task(task as u32);
        let methods = &ground.tasks[task].methods;
        let (looping, leaving): (Vec<MethodIndex>, Vec<MethodIndex>) = methods
            .iter()
            .partition(|m| ground.methods[**m as usize].subtasks.contains(&again));
        let right_linear = |m: &MethodIndex| {
            let subtasks = &ground.methods[*m as usize].subtasks;
            subtasks.last() == Some(&again)
                && subtasks.iter().filter(|node| **node == again).count() == 1
        };
        if looping.is_empty() || !looping.iter().all(right_linear) {
            return false;
        }
        let mut bodies = Vec::new();
        for &index in &looping {
            let method = &ground.methods[index as usize];
            match self.bodies(index, method) {
                Some(acts) => bodies.extend(acts),
                None => return false,
            }
        }
        let first = self.acts.len();
        self.acts.extend(bodies);
        let leaves = leaving.iter().map(|&m| self.rule(ground, m)).collect();
        self.add_loop(task, first..self.acts.len(), leaves);
        true
    }

    /// The ways through a looping method before it loops, each as one act.
    fn bodies(&self, index: MethodIndex, method: &GroundMethod) -> Option<Vec<Act>> {
        let start = Act {
            condition: method.precondition.clone(),
            add: vec![],
            delete: vec![],
            conditional: vec![],
            template: Template::Method(index, vec![]),
        };
        let mut ways = vec![start];
        let (_, body) = method.subtasks.split_last()?;
        for node in body {
            let options = self.ways_through(*node)?;
            ways = ways
                .iter()
                .flat_map(|way| options.iter().filter_map(|o| way.then(o)))
                .collect();
            if ways.len() > MACROS_PER_BODY {
                return None;
            }
        }
        for way in &mut ways {
            way.template.push_child(Template::Rest);
        }
        // A round that changes nothing would only make the loop longer.
        ways.retain(|way| {
            !way.add.is_empty() || !way.delete.is_empty() || !way.conditional.is_empty()
        });
        Some(ways)
    }

    /// Every way to carry out a node completely, each as one act; `None` if
    /// there are too many or they cannot be told as one act.
    fn ways_through(&self, node: Node) -> Option<Vec<Act>> {
        let task = match node {
            Node::Action(action) => {
                let act = &self.acts[action as usize];
                return act.conditional.is_empty().then(|| vec![act.clone()]);
            }
            Node::Task(task) => &self.tasks[task as usize],
        };
        if task.recursive {
            return None;
        }
        let mut ways = Vec::new();
        for &rule in &task.rules {
            let rule = &self.rules[rule];
            let mut partial = vec![(Act::nothing(), Vec::new())];
            for slot in &rule.slots {
                let options = match &slot.body {
                    Body::Nothing => vec![Act::nothing()],
                    Body::Act(act) => self.ways_through(Node::Action(*act as u32))?,
                    Body::Task(task) => self.ways_through(Node::Task(*task as u32))?,
                    Body::Parallel(_) => return None,
                };
                let mut next = Vec::new();
                for (act, chosen) in &partial {
                    for option in &options {
                        let guard = Act {
                            condition: slot.condition.clone(),
                            ..Act::nothing()
                        };
                        if let Some(act) = act.then(&guard).and_then(|act| act.then(option)) {
                            let mut chosen: Vec<Template> = chosen.clone();
                            chosen.push(option.template.clone());
                            next.push((act, chosen));
                        }
                    }
                }
                partial = next;
                if partial.len() > MACROS_PER_BODY {
                    return None;
                }
            }
            ways.extend(partial.into_iter().map(|(act, chosen)| Act {
                template: rule.template.filled(&chosen),
                ..act
            }));
            if ways.len() > MACROS_PER_BODY {
                return None;
            }
        }
        Some(ways)
    }

    /// Makes `task` a loop: any set of acts and again, or leave.
    fn add_loop(&mut self, task: TaskId, acts: std::ops::Range<ActId>, leaves: Vec<Rule>) {
        self.set_rules(task, leaves);
        if acts.is_empty() {
            return;
        }
        let steps = steps_of_use(&self.acts[acts.clone()]);
        self.tasks[task].steps = steps;
        let leave_rules = self.tasks[task].rules.clone();
        // After the only step that can be of use, all that is left is to leave.
        let next = if steps == Some(1) {
            self.tasks.push(Task {
                rules: leave_rules,
                ..Task::default()
            });
            self.tasks.len() - 1
        } else {
            task
        };
        let step = Slot {
            body: Body::Parallel(acts),
            ..Slot::default()
        };
        let rest = Slot {
            body: Body::Task(next),
            ..Slot::default()
        };
        self.set_rules(
            task,
            vec![Rule {
                slots: vec![step, rest],
                template: Template::Loop,
            }],
        );
    }

    /// What each task may change, and how deep its refinements can get.
    fn infer_heights_and_effects(&mut self) {
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
    }
}

fn sort_unique(list: &mut Vec<FactIndex>) {
    list.sort_unstable();
    list.dedup();
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

fn merge(into: &mut Vec<FactIndex>, from: &[FactIndex]) {
    into.extend_from_slice(from);
    sort_unique(into);
}

fn without(list: &[FactIndex], remove: &[FactIndex]) -> Vec<FactIndex> {
    list.iter()
        .copied()
        .filter(|fact| !remove.contains(fact))
        .collect()
}

fn meets(a: &[FactIndex], b: &[FactIndex]) -> bool {
    a.iter().any(|fact| b.contains(fact))
}

impl Act {
    fn nothing() -> Act {
        Act {
            condition: Condition::default(),
            add: vec![],
            delete: vec![],
            conditional: vec![],
            template: Template::Sequence(vec![]),
        }
    }

    /// This act and then the other, as one; `None` if that can never happen.
    /// The template of this one, a method, gains the other's as a child.
    fn then(&self, next: &Act) -> Option<Act> {
        let needs = &next.condition;
        if meets(&self.delete, &needs.positive) || meets(&self.add, &needs.negative) {
            return None;
        }
        let mut condition = self.condition.clone();
        merge(
            &mut condition.positive,
            &without(&needs.positive, &self.add),
        );
        merge(
            &mut condition.negative,
            &without(&needs.negative, &self.delete),
        );
        if meets(&condition.positive, &condition.negative) {
            return None;
        }
        let mut add = without(&self.add, &next.delete);
        merge(&mut add, &next.add);
        let mut delete = without(&self.delete, &next.add);
        merge(&mut delete, &next.delete);
        let mut template = self.template.clone();
        template.push_child(next.template.clone());
        Some(Act {
            condition,
            add,
            delete,
            conditional: vec![],
            template,
        })
    }
}

impl Template {
    /// The same with slots counted from `first`.
    fn shifted(&self, first: usize) -> Template {
        match self {
            Template::Slot(slot) => Template::Slot(slot + first),
            Template::Method(method, children) => {
                Template::Method(*method, children.iter().map(|c| c.shifted(first)).collect())
            }
            other => other.clone(),
        }
    }

    /// The same with each slot replaced by what was chosen for it.
    fn filled(&self, chosen: &[Template]) -> Template {
        match self {
            Template::Slot(slot) => chosen[*slot].clone(),
            Template::Method(method, children) => {
                Template::Method(*method, children.iter().map(|c| c.filled(chosen)).collect())
            }
            other => other.clone(),
        }
    }

    fn push_child(&mut self, child: Template) {
        match self {
            Template::Method(_, children) | Template::Sequence(children) => children.push(child),
            _ => {}
        }
    }
}

/// How many parallel steps of a loop over these acts can be of use; `None` if
/// we cannot tell.
///
/// One step, if no act enables another and disturbing is mutual: then acts
/// that can follow one another can also go together. Otherwise every act that
/// uses up a fact is limited by how often that fact can come true, where
/// acts that share the used-up fact share the limit.
fn steps_of_use(acts: &[Act]) -> Option<u64> {
    if one_step_is_enough(acts) {
        return Some(1);
    }
    let mut adders: FxHashMap<FactIndex, Vec<usize>> = FxHashMap::default();
    for (index, act) in acts.iter().enumerate() {
        if !act.conditional.is_empty() {
            return None;
        }
        for fact in act.may_add() {
            adders.entry(fact).or_default().push(index);
        }
    }
    // times[f]: how often f can come true, counting the start.
    let mut times: FxHashMap<FactIndex, u64> = FxHashMap::default();
    let used_up = |act: &Act| -> Vec<FactIndex> {
        act.condition
            .positive
            .iter()
            .copied()
            .filter(|f| act.delete.contains(f))
            .collect()
    };
    let mut source: Vec<Option<FactIndex>> = vec![None; acts.len()];
    loop {
        let before = (times.len(), source.iter().flatten().count());
        for (index, act) in acts.iter().enumerate() {
            let best = used_up(act)
                .into_iter()
                .filter(|f| times.contains_key(f))
                .min_by_key(|f| times[f]);
            if source[index].is_none() {
                source[index] = best;
            }
        }
        for act in acts {
            for fact in used_up(act) {
                if times.contains_key(&fact) {
                    continue;
                }
                let makers = adders.get(&fact).map_or(&[][..], Vec::as_slice);
                let mut sources: Vec<FactIndex> = Vec::new();
                if makers
                    .iter()
                    .all(|&maker| source[maker].map(|s| sources.push(s)).is_some())
                {
                    sources.sort_unstable();
                    sources.dedup();
                    let made = sources
                        .iter()
                        .fold(0u64, |sum, s| sum.saturating_add(times[s]));
                    times.insert(fact, made.saturating_add(1));
                }
            }
        }
        if (times.len(), source.iter().flatten().count()) == before {
            break;
        }
    }
    let mut sources = source.into_iter().collect::<Option<Vec<FactIndex>>>()?;
    sources.sort_unstable();
    sources.dedup();
    Some(
        sources
            .iter()
            .fold(0, |sum: u64, fact| sum.saturating_add(times[fact])),
    )
}

fn one_step_is_enough(acts: &[Act]) -> bool {
    let mut needs: [FxHashMap<FactIndex, Vec<usize>>; 2] = Default::default();
    let mut makes: [FxHashMap<FactIndex, Vec<usize>>; 2] = Default::default();
    for (index, act) in acts.iter().enumerate() {
        if !act.conditional.is_empty() {
            return false;
        }
        for (truth, needed, made) in [
            (0, &act.condition.negative, &act.delete),
            (1, &act.condition.positive, &act.add),
        ] {
            needed
                .iter()
                .for_each(|f| needs[truth].entry(*f).or_default().push(index));
            made.iter()
                .for_each(|f| makes[truth].entry(*f).or_default().push(index));
        }
    }
    let enables = (0..2).any(|truth| makes[truth].keys().any(|f| needs[truth].contains_key(f)));
    let contradicts = makes[0].keys().any(|fact| makes[1].contains_key(fact));
    if enables || contradicts {
        return false;
    }
    // Disturbing is mutual if whoever makes a fact true (false) also needs it
    // false (true): then makers and needers of a fact exclude each other both
    // ways exactly if every needer is a maker or shares another such fact.
    let disturbs = |a: &Act, b: &Act| {
        meets(&a.delete, &b.condition.positive) || meets(&a.add, &b.condition.negative)
    };
    (0..2).all(|truth| {
        makes[truth].iter().all(|(fact, makers)| {
            let needers = needs[1 - truth].get(fact).map_or(&[][..], Vec::as_slice);
            makers.iter().all(|&maker| {
                needers
                    .iter()
                    .all(|&needer| maker == needer || disturbs(&acts[needer], &acts[maker]))
            })
        })
    })
}
