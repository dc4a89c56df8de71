//! Totally ordered tasks as a space to search: always do what comes first.
//!
//! A node is a state and a stack of what remains. If an action is on top it is
//! executed; if a task is, each of its methods leads to a successor. Everything
//! that leaves no choice (actions, tasks with one applicable method, tasks the
//! [look-ahead](crate::heuristics::lookahead) has decided) happens inside one
//! step, so the tree has branching nodes only.
//!
//! One tick of the [`Run`] is one successor.

use planoku_engine::{Leave, Run, Stop};
use rustc_hash::FxHashMap;

use crate::analysis::derive::derivation;
use crate::analysis::least::Least;
use crate::cost::{Cost, Distance};
use crate::ground::{Derivation, MethodIndex, Node, TaskIndex};
use crate::heuristics::heuristic::RelaxedPlan;
use crate::heuristics::lookahead::{LookAhead, Reach, Verdict, View};
use crate::heuristics::task_landmarks::TaskLandmarks;
use crate::instance::Instance;
use crate::random::Random;
use crate::spaces::space::{Counter, Space, Successor};
use crate::state::stacks::{DONE, Element, Elements, Kind, StackId, Stacks};
use crate::state::states::{StateTable, has};

/// Which task is refined next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first one.
    First,
    /// Any in sight with the fewest methods left: choosing early is sound,
    /// because the method's precondition is checked when its turn comes.
    Fewest,
}

/// How the space is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) pick: Pick,
    /// How many elements of the stack the look-ahead reads; 0 for none.
    pub(crate) horizon: usize,
    /// A method is preferred too if what it begins with is in the relaxed plan.
    pub(crate) first_actions: bool,
    /// Shuffles methods, unless 0.
    pub(crate) seed: u64,
    /// The dead end after most actions is kept.
    pub(crate) keeps_dead_end: bool,
    /// No more actions than this may be on a stack, those aside that can always
    /// be executed.
    pub(crate) most: Option<u32>,
}

/// A way that did not go on.
#[derive(Clone, Debug)]
pub(crate) struct DeadEnd {
    /// How many actions were executed on the way here.
    pub(crate) steps: u32,
    pub(crate) state: Vec<u64>,
    /// What could not be done; `None` if everything was done and the goal does
    /// not hold.
    pub(crate) element: Option<Element>,
}

/// A state and what remains to be done in it.
pub(crate) struct Branch {
    state: u32,
    stack: StackId,
    /// Actions executed on the way here.
    steps: u32,
    /// How deep in the stack the task to refine stands.
    place: u32,
    /// The methods to try; none if a long chain without a choice was cut.
    choices: Box<[MethodIndex]>,
}

/// What was removed from the front since the parent.
pub(crate) struct Trace(Box<[Element]>);

/// Methods of a task looked at to see whether one begins well.
const MANY_WAYS: usize = 16;
/// Effort of a node apart from reading and estimating it.
const NODE_WORK: u64 = 100;
/// Effort of a stack that was not seen before.
const STACK_WORK: u64 = 60;
/// Steps without a choice after which a node is made all the same, so that an
/// endless chain is noticed.
const LONG_CHAIN: usize = 2000;

/// All states with stacks of tasks.
pub(crate) struct TaskStacks<'a> {
    layout: Layout,
    root: TaskIndex,
    view: View<'a>,
    least: &'a Least,
    stacks: Stacks,
    /// How many stacks the run was charged for.
    charged: usize,
    states: StateTable,
    numbers: FxHashMap<(u32, StackId), u32>,
    reader: LookAhead,
    /// The stack the look-ahead has read last.
    read: StackId,
    random: Random,
    /// The successor that is being made: its state, what it cost, and what was
    /// removed from the front on the way to it.
    state: Vec<u64>,
    cost: Cost,
    steps: u32,
    trace: Vec<Element>,
    dead_end: Option<DeadEnd>,
    /// For each stack, how many actions are on it that need something; counted
    /// only where there may not be too many.
    bound: Vec<u32>,
    /// A stack had too many.
    was_cut: bool,
}

/// What became of a node once everything without a choice was done.
enum Settled {
    Dead,
    Done,
    Open,
}

impl<'a> TaskStacks<'a> {
    /// The space of the problem whose initial network is `root`.
    pub(crate) fn new(
        instance: &'a Instance,
        root: TaskIndex,
        layout: Layout,
        run: &mut Run<'_>,
    ) -> Result<TaskStacks<'a>, Stop> {
        let world = &instance.world;
        let inference = instance.inference(run)?;
        let reach = Reach {
            horizon: layout.horizon,
            adapts: layout.pick == Pick::First,
            refinements: 200,
            backward: true,
        };
        Ok(TaskStacks {
            layout,
            root,
            view: View {
                world,
                inference,
                elements: Elements::new(&world.ground),
            },
            least: instance.least(run)?,
            stacks: Stacks::new(),
            charged: 0,
            states: StateTable::new(world.words),
            numbers: FxHashMap::default(),
            reader: LookAhead::new(world.words, world.ground.tasks.len(), reach),
            read: DONE,
            random: Random::new(layout.seed),
            state: world.initial(),
            cost: Cost::ZERO,
            steps: 0,
            trace: Vec::new(),
            dead_end: None,
            bound: vec![0],
            was_cut: false,
        })
    }

    /// The tree that the steps of a plan have built.
    pub(crate) fn derivation(&self, steps: &[&Trace]) -> Derivation {
        let trace: Vec<Element> = steps.iter().flat_map(|it| it.0.iter().copied()).collect();
        derivation(&self.view.world.ground, &trace)
    }

    /// The dead end after most actions, if any was kept.
    pub(crate) fn dead_end(&self) -> Option<&DeadEnd> {
        self.dead_end.as_ref()
    }

    /// A way ends here.
    fn dead(&mut self, element: Option<Element>) -> Settled {
        let known = self.dead_end.as_ref().map(|it| it.steps);
        if self.layout.keeps_dead_end && known.is_none_or(|known| self.steps > known) {
            self.dead_end = Some(DeadEnd {
                steps: self.steps,
                state: self.state.clone(),
                element,
            });
        }
        Settled::Dead
    }

    /// Does everything that leaves no choice.
    fn settle(&mut self, mut stack: StackId) -> (Settled, StackId) {
        let mut length = 0;
        // A chain cut short is not read, so that nothing read before counts.
        self.read = DONE;
        loop {
            let settled = self.progress(&mut stack, &mut length);
            if !matches!(settled, Settled::Open) || self.layout.horizon == 0 || length >= LONG_CHAIN
            {
                return (settled, stack);
            }
            match self
                .reader
                .read(&self.view, &mut self.stacks, &self.state, stack)
            {
                Verdict::Dead => return (Settled::Dead, stack),
                Verdict::Alive(same) if same == stack => {
                    self.read = stack;
                    return (Settled::Open, stack);
                }
                Verdict::Alive(other) => stack = other,
            }
        }
    }

    /// Executes actions and refines tasks with one applicable method until a
    /// choice or the end is reached.
    fn progress(&mut self, stack: &mut StackId, length: &mut usize) -> Settled {
        let world = self.view.world;
        while *length < LONG_CHAIN {
            let Some((element, below)) = self.stacks.pop(*stack) else {
                return match world.is_goal(&self.state) {
                    true => Settled::Done,
                    false => self.dead(None),
                };
            };
            *length += 1;
            match self.view.elements.kind(element) {
                Kind::Action(action) => {
                    let fits = world.applicable(action, &self.state);
                    if !fits || !world.apply(action, &mut self.state) {
                        return self.dead(Some(element));
                    }
                    let action = &world.ground.actions[action as usize];
                    self.cost += action.cost;
                    self.steps += u32::from(action.schema.is_some());
                    self.trace.push(element);
                    *stack = below;
                }
                Kind::Method(method) => {
                    let method = &world.ground.methods[method as usize];
                    if !world.holds(&method.precondition, &self.state) {
                        return self.dead(Some(element));
                    }
                    self.trace.push(element);
                    *stack = below;
                }
                Kind::Task(task) => {
                    let methods = &world.ground.tasks[task as usize].methods;
                    let mut left = methods.iter().filter(|&&method| self.fits(method));
                    match (left.next(), left.next()) {
                        (None, _) => return self.dead(Some(element)),
                        (Some(&method), None) => *stack = self.refine(method, below),
                        _ => return Settled::Open,
                    }
                }
            }
        }
        Settled::Open
    }

    /// True if the method's own and inferred preconditions hold now.
    fn fits(&self, method: MethodIndex) -> bool {
        let world = self.view.world;
        let own = &world.ground.methods[method as usize].precondition;
        world.holds(own, &self.state)
            && self.view.inference.methods[method as usize]
                .as_ref()
                .is_some_and(|it| {
                    let holds = |fact: &u32| has(&self.state, *fact);
                    it.needs.iter().all(holds) && !it.forbids.iter().any(holds)
                })
    }

    /// The task to refine and the methods it may use.
    fn choose(&self, stack: StackId) -> (u32, Box<[MethodIndex]>) {
        if stack == DONE {
            return (0, Box::default());
        }
        if self.layout.horizon > 0 && self.read == stack {
            let place = match self.layout.pick {
                Pick::Fewest => self.reader.fewest(self.view.elements).unwrap_or(0),
                Pick::First => 0,
            };
            return (place as u32, self.reader.choices(place).into());
        }
        let choices = match self.stacks.pop(stack) {
            Some((element, _)) => match self.view.elements.kind(element) {
                Kind::Task(task) => {
                    let methods = &self.view.world.ground.tasks[task as usize].methods;
                    let left = methods.iter().filter(|&&method| self.fits(method));
                    left.copied().collect()
                }
                Kind::Action(_) | Kind::Method(_) => Box::default(),
            },
            None => Box::default(),
        };
        (0, choices)
    }

    /// The stack with the task at `place` refined by `method`.
    fn replace(&mut self, stack: StackId, place: u32, method: MethodIndex) -> StackId {
        let above: Vec<Element> = self.stacks.iter(stack).take(place as usize).collect();
        let mut rest = stack;
        for _ in 0..=place {
            rest = self.stacks.pop(rest).map_or(DONE, |(_, below)| below);
        }
        let mut rebuilt = self.refine(method, rest);
        for element in above.into_iter().rev() {
            rebuilt = self.stacks.push(element, rebuilt);
        }
        rebuilt
    }

    /// The method and its subtasks on top of a stack.
    fn refine(&mut self, method: MethodIndex, below: StackId) -> StackId {
        let elements = self.view.elements;
        let subtasks = &self.view.world.ground.methods[method as usize].subtasks;
        let mut stack = below;
        for &node in subtasks.iter().rev() {
            stack = self.stacks.push(elements.node(node), stack);
        }
        self.stacks.push(elements.pack(Kind::Method(method)), stack)
    }

    /// True if a refinement of the method, going down so many levels, can
    /// begin with an action of the relaxed plan.
    fn begins_well(&self, plan: &dyn RelaxedPlan, method: MethodIndex, levels: u32) -> bool {
        let ground = &self.view.world.ground;
        match ground.methods[method as usize].subtasks.first() {
            None => false,
            Some(&Node::Action(action)) => plan.has_action(action),
            Some(&Node::Task(task)) if levels > 0 => {
                let mut below = ground.tasks[task as usize].methods.iter().take(MANY_WAYS);
                below.any(|&it| self.fits(it) && self.begins_well(plan, it, levels - 1))
            }
            Some(_) => false,
        }
    }

    /// True if more actions are on the stack than may be.
    fn is_too_bound(&mut self, stack: StackId) -> bool {
        let Some(most) = self.layout.most else {
            return false;
        };
        // What is below a stack has a lower number.
        for stack in self.bound.len() as StackId..self.stacks.count() as StackId {
            let (element, below) = self.stacks.pop(stack).expect("only the first is empty");
            let binds = match self.view.elements.kind(element) {
                Kind::Action(action) => !self.view.world.ground.actions[action as usize].is_free(),
                Kind::Task(_) | Kind::Method(_) => false,
            };
            let bound = self.bound[below as usize] + u32::from(binds);
            self.bound.push(bound);
        }
        let is_too_bound = self.bound[stack as usize] > most;
        self.was_cut |= is_too_bound;
        is_too_bound
    }

    /// True if some stack had more actions than it may.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut
    }

    /// Where refining by a method leads, or going on if there is none; `None`
    /// at a dead end.
    fn successor(&mut self, node: &Branch, method: Option<MethodIndex>) -> Option<Successor<Self>> {
        let stack = match method {
            Some(method) => self.replace(node.stack, node.place, method),
            None => node.stack,
        };
        self.state.copy_from_slice(self.states.get(node.state));
        self.cost = Cost::ZERO;
        self.steps = node.steps;
        self.trace.clear();
        let (settled, stack) = self.settle(stack);
        if matches!(settled, Settled::Dead) || self.is_too_bound(stack) {
            return None;
        }
        let (state, _) = self.states.intern(&self.state);
        let (place, choices) = self.choose(stack);
        let node = Branch {
            state,
            stack,
            steps: self.steps,
            place,
            choices,
        };
        Some(Successor::new(
            node,
            Trace(self.trace.as_slice().into()),
            self.cost,
        ))
    }
}

impl Space for TaskStacks<'_> {
    type Node = Branch;
    type Step = Trace;

    fn start(&mut self) -> Branch {
        let element = self.view.elements.pack(Kind::Task(self.root));
        let methods = &self.view.world.ground.tasks[self.root as usize].methods;
        Branch {
            state: self.states.intern(&self.view.world.initial()).0,
            stack: self.stacks.push(element, DONE),
            steps: 0,
            place: 0,
            choices: methods.as_slice().into(),
        }
    }

    fn number(&mut self, node: &Branch) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((node.state, node.stack)).or_insert(next)
    }

    fn done(&self, step: &Trace, into: &mut Vec<Element>) {
        into.extend_from_slice(&step.0);
    }

    fn is_goal(&self, node: &Branch) -> bool {
        node.stack == DONE
    }

    fn successors(
        &mut self,
        node: &Branch,
        plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let mut methods = node.choices.to_vec();
        if self.layout.seed != 0 {
            self.random.shuffle(&mut methods);
        }
        // Which methods fit is asked in the state of the node.
        self.state.copy_from_slice(self.states.get(node.state));
        let preferred = |&method: &MethodIndex| {
            plan.is_some_and(|plan| {
                plan.has_method(method)
                    || self.layout.first_actions && self.begins_well(plan, method, 3)
            })
        };
        let preferred: Vec<bool> = methods.iter().map(preferred).collect();
        for way in 0..methods.len().max(1) {
            run.tick()?;
            if let Some(successor) = self.successor(node, methods.get(way).copied()) {
                into.push(Successor {
                    preferred: preferred.get(way) == Some(&true),
                    ..successor
                });
            }
            let work = self.take_work();
            run.effort(NODE_WORK + work)?;
        }
        Ok(())
    }

    fn describe<'s>(&'s self, node: &Branch, left: &mut Vec<Element>) -> (u32, &'s [u64]) {
        left.extend(self.stacks.iter(node.stack));
        (node.state, self.states.get(node.state))
    }

    fn least(&self, node: &Branch) -> Distance {
        self.least.of(self.view.elements, &self.stacks, node.stack)
    }

    fn is_complete(&self) -> bool {
        !self.was_cut && !self.view.world.values.were_too_large()
    }

    fn take_work(&mut self) -> u64 {
        let new = self.stacks.count() - std::mem::replace(&mut self.charged, self.stacks.count());
        self.reader.take_work() + STACK_WORK * new as u64
    }

    fn bytes(&self) -> u64 {
        let lists = self.numbers.capacity() * 13 + self.bound.capacity() * 4;
        self.states.bytes() + self.stacks.bytes() + lists as u64
    }

    fn bytes_of(node: &Branch, step: &Trace) -> u64 {
        4 * (node.choices.len() + step.0.len()) as u64
    }
}

impl Counter<TaskStacks<'_>> for TaskLandmarks {
    fn follow(
        &mut self,
        space: &TaskStacks<'_>,
        before: Option<(u32, &Trace)>,
        node: &Branch,
    ) -> (u32, u32) {
        match before {
            Some((before, trace)) => self.after(before, &trace.0, space.states.get(node.state)),
            None => (self.start(), 0),
        }
    }

    fn work(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        TaskLandmarks::bytes(self)
    }
}
