//! The nodes of the search: made, settled, estimated and queued.

use std::collections::hash_map::Entry;

use planoku_engine::{Leave, Run, Stop};
use rustc_hash::FxHashMap;

use crate::cost::{Cost, Distance};
use crate::ground::{MethodIndex, Node};

use super::{Order, Pick, Progression};
use crate::algorithms::open_list::OpenList;
use crate::algorithms::random::Random;
use crate::analysis::least::Least;
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::heuristics::lookahead::{LookAhead, Reach, Verdict, View};
use crate::heuristics::scope::ScopeId;
use crate::heuristics::task_landmarks::TaskLandmarks;
use crate::instance::Instance;
use crate::spaces::stacks::{DONE, Element, Elements, Kind, StackId, Stacks};
use crate::spaces::states::StateTable;

/// A branching node.
pub(super) struct Branch {
    state: u32,
    pub stack: StackId,
    parent: u32,
    /// What was removed from the front since the parent: a range of `trace`.
    trace: (u32, u32),
    /// How deep in the stack the task to refine stands.
    place: u32,
    /// The methods to try: a range of `choices`.
    choices: (u32, u32),
    /// What the actions so far cost.
    pub cost: Cost,
    scope: ScopeId,
    /// The landmarks still ahead.
    ahead: u32,
}

const ROOT: u32 = u32::MAX;
/// Methods of a task looked at to see whether one begins well.
const MANY_WAYS: usize = 16;
/// Effort of a node apart from reading and estimating it.
const NODE_WORK: u64 = 100;
/// Steps without a choice after which a node is made all the same, so that an
/// endless chain is noticed.
const LONG_CHAIN: usize = 2000;

pub(super) struct Search<'a> {
    settings: &'a Progression,
    view: View<'a>,
    stacks: Stacks,
    states: StateTable,
    /// For each node seen, the lowest cost it was reached at.
    visited: FxHashMap<(u32, StackId), Cost>,
    pub branches: Vec<Branch>,
    trace: Vec<Element>,
    choices: Vec<MethodIndex>,
    pub open: OpenList,
    heuristic: Box<dyn Heuristic + 'a>,
    /// What is left of the node last looked at.
    left: Vec<Element>,
    reader: LookAhead,
    /// The stack the look-ahead has read last.
    read: StackId,
    random: Random,
    least: &'a Least,
    pub landmarks: Option<TaskLandmarks>,
    /// The cost of the best plan so far.
    pub bound: Option<Cost>,
    pub cost_matters: bool,
    state: Vec<u64>,
    cost: Cost,
}

struct Child {
    /// What it waits by: the estimate, for A* with the cost so far.
    estimate: Cost,
    /// The estimate alone, where that breaks ties.
    tie: Cost,
    /// How many landmarks are ahead of it.
    ahead: u32,
    number: u32,
    preferred: bool,
}

/// What became of a node once everything without a choice was done.
enum Settled {
    Dead,
    Done,
    Open,
}

impl<'a> Search<'a> {
    pub fn new(
        settings: &'a Progression,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<Search<'a>, Stop> {
        let world = &instance.world;
        let inference = instance.inference(run)?;
        let reach = Reach {
            horizon: settings.horizon,
            refinements: 200,
            backward: true,
        };
        Ok(Search {
            settings,
            view: View {
                world,
                inference,
                elements: Elements::new(&world.ground),
            },
            stacks: Stacks::new(),
            states: StateTable::new(world.words),
            visited: FxHashMap::default(),
            branches: Vec::new(),
            trace: Vec::new(),
            choices: Vec::new(),
            open: OpenList::new(4),
            heuristic: settings.estimate.heuristic(instance, run)?,
            left: Vec::new(),
            reader: LookAhead::new(world.words, world.ground.tasks.len(), reach),
            read: DONE,
            random: Random::new(settings.seed),
            least: instance.least(run)?,
            landmarks: None,
            bound: settings.bound,
            cost_matters: settings.order == Order::Cheapest || settings.bound.is_some(),
            state: world.initial(),
            cost: Cost::ZERO,
        })
    }

    /// Opens the search with a node that holds the root task alone.
    pub fn start(&mut self, root: u32) {
        let element = self.view.elements.pack(Kind::Task(root));
        let stack = self.stacks.push(element, DONE);
        let (state, _) = self.states.intern(&self.state);
        let methods = &self.view.world.ground.tasks[root as usize].methods;
        self.choices.extend_from_slice(methods);
        self.branches.push(Branch {
            state,
            stack,
            parent: ROOT,
            trace: (0, 0),
            place: 0,
            choices: (0, methods.len() as u32),
            cost: Cost::ZERO,
            scope: ScopeId::default(),
            ahead: self.landmarks.as_mut().map_or(0, TaskLandmarks::start),
        });
        self.open.push(0, Cost::ZERO, 0);
    }

    /// Makes the children of a node.
    pub fn expand(&mut self, node: u32, run: &mut Run<'_>) -> Result<(), Leave> {
        let Branch {
            state,
            stack,
            place,
            choices: (from, to),
            cost,
            scope,
            ..
        } = self.branches[node as usize];
        if self
            .visited
            .get(&(state, stack))
            .is_some_and(|&best| best < cost)
        {
            return Ok(());
        }
        let mut methods = self.choices[from as usize..to as usize].to_vec();
        if self.settings.seed != 0 {
            self.random.shuffle(&mut methods);
        }
        let inherited = match self.settings.deferred {
            true => match self.evaluate(node) {
                Distance::Left(estimate) => Some(estimate),
                Distance::Dead => return Ok(run.effort(self.take_work())?),
            },
            false => None,
        };
        let preferred = self.preferred(node, &methods);
        let mut children: Vec<Child> = Vec::new();
        // A node cut short by `LONG_CHAIN` has no choices and goes on as it is.
        for way in 0..methods.len().max(1) {
            run.tick()?;
            let stack = match methods.get(way) {
                Some(&method) => self.replace(stack, place, method),
                None => stack,
            };
            self.state.copy_from_slice(self.states.get(state));
            self.cost = cost;
            let from = self.trace.len() as u32;
            let (settled, stack) = self.settle(stack);
            let child = match settled {
                Settled::Dead => None,
                Settled::Done | Settled::Open => self.open(node, scope, stack, from, inherited),
            };
            match child {
                Some(child) => children.push(Child {
                    preferred: preferred.get(way) == Some(&true),
                    ..child
                }),
                None => self.trace.truncate(from as usize),
            }
            run.effort(self.take_work())?;
        }
        self.queue(&mut children);
        run.check_memory(self.bytes())?;
        run.progress(self.settings.name, || {
            self.open.best().and_then(Cost::small)
        });
        Ok(())
    }

    /// What the last node cost beyond being counted.
    fn take_work(&mut self) -> u64 {
        NODE_WORK + self.heuristic.take_work() + self.reader.take_work()
    }

    /// Does everything that leaves no choice.
    fn settle(&mut self, mut stack: StackId) -> (Settled, StackId) {
        let mut length = 0;
        // A chain cut short is not read, so that nothing read before counts.
        self.read = DONE;
        loop {
            let settled = self.progress(&mut stack, &mut length);
            if !matches!(settled, Settled::Open)
                || self.settings.horizon == 0
                || length >= LONG_CHAIN
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
                    false => Settled::Dead,
                };
            };
            *length += 1;
            match self.view.elements.kind(element) {
                Kind::Action(action) => {
                    if !world.applicable(action, &self.state) {
                        return Settled::Dead;
                    }
                    world.apply(action, &mut self.state);
                    self.cost += world.ground.actions[action as usize].cost;
                    self.trace.push(element);
                    *stack = below;
                }
                Kind::Method(method) => {
                    let method = &world.ground.methods[method as usize];
                    if !world.holds(&method.precondition, &self.state) {
                        return Settled::Dead;
                    }
                    self.trace.push(element);
                    *stack = below;
                }
                Kind::Task(task) => {
                    let methods = &world.ground.tasks[task as usize].methods;
                    let mut left = methods.iter().filter(|&&method| self.fits(method));
                    match (left.next(), left.next()) {
                        (None, _) => return Settled::Dead,
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
                    let holds = |fact: &u32| crate::spaces::states::has(&self.state, *fact);
                    it.needs.iter().all(holds) && !it.forbids.iter().any(holds)
                })
    }

    /// The estimate of a node.
    fn evaluate(&mut self, node: u32) -> Distance {
        let Branch {
            state,
            stack,
            scope,
            ..
        } = self.branches[node as usize];
        self.left.clear();
        self.left.extend(self.stacks.iter(stack));
        self.heuristic.estimate(&Situation {
            number: state,
            state: self.states.get(state),
            left: &self.left,
            scope,
        })
    }

    /// True if only cheaper plans than this are wanted.
    fn is_beyond(&self, cost: Cost) -> bool {
        self.bound.is_some_and(|bound| cost >= bound)
    }

    /// Makes a node of the settled state and stack, unless it is known or
    /// hopeless. If it inherits an estimate, its own is deferred.
    fn open(
        &mut self,
        parent: u32,
        scope: ScopeId,
        stack: StackId,
        from: u32,
        inherited: Option<Cost>,
    ) -> Option<Child> {
        let (state, _) = self.states.intern(&self.state);
        let least = self.least.of(self.view.elements, &self.stacks, stack);
        let Distance::Left(least) = least else {
            return None;
        };
        if self.is_beyond(self.cost.saturating_add(least)) {
            return None;
        }
        match self.visited.entry((state, stack)) {
            // If one plan is enough, greedy search has no use for a cheaper
            // way to the same node.
            Entry::Occupied(known) if !self.cost_matters || *known.get() <= self.cost => {
                return None;
            }
            Entry::Occupied(mut known) => drop(known.insert(self.cost)),
            Entry::Vacant(unknown) => drop(unknown.insert(self.cost)),
        }
        self.left.clear();
        self.left.extend(self.stacks.iter(stack));
        let scope = self.heuristic.narrow(scope, &self.left);
        let here = Situation {
            number: state,
            state: &self.state,
            left: &self.left,
            scope,
        };
        let mut estimate = match inherited {
            Some(_) if stack == DONE => Cost::ZERO,
            Some(estimate) => estimate,
            None => match self.heuristic.estimate(&here) {
                Distance::Left(estimate) => estimate,
                Distance::Dead => return None,
            },
        };
        let mut tie = Cost::ZERO;
        if self.settings.order == Order::Cheapest {
            tie = estimate.max(least);
            estimate = self.cost.saturating_add(tie);
            if self.is_beyond(estimate) {
                return None;
            }
        } else if stack == DONE {
            self.bound = Some(self.cost);
        }
        let before = self.branches[parent as usize].ahead;
        let trace = &self.trace[from as usize..];
        let (ahead, count) = match &mut self.landmarks {
            Some(landmarks) => landmarks.after(before, trace, &self.state),
            None => (0, 0),
        };
        let (place, choices) = self.choose(stack);
        let number = self.branches.len() as u32;
        self.branches.push(Branch {
            state,
            stack,
            parent,
            trace: (from, self.trace.len() as u32),
            place,
            choices,
            cost: self.cost,
            scope,
            ahead,
        });
        Some(Child {
            estimate,
            tie,
            ahead: count,
            number,
            preferred: false,
        })
    }

    /// Chooses the task to refine and keeps the methods it may use.
    fn choose(&mut self, stack: StackId) -> (u32, (u32, u32)) {
        let from = self.choices.len() as u32;
        let mut place = 0;
        if stack == DONE {
            return (0, (from, from));
        }
        if self.settings.horizon > 0 && self.read == stack {
            if self.settings.pick == Pick::Fewest {
                place = self.reader.fewest(self.view.elements).unwrap_or(0);
            }
            self.choices.extend_from_slice(self.reader.choices(place));
        } else if let Some((element, _)) = self.stacks.pop(stack)
            && let Kind::Task(task) = self.view.elements.kind(element)
        {
            let methods = &self.view.world.ground.tasks[task as usize].methods;
            let left = methods.iter().filter(|&&method| self.fits(method));
            let left: Vec<MethodIndex> = left.copied().collect();
            self.choices.extend(left);
        }
        (place as u32, (from, self.choices.len() as u32))
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

    /// Which methods the relaxed plan of a node speaks for; none if nobody
    /// asks.
    fn preferred(&mut self, node: u32, methods: &[MethodIndex]) -> Vec<bool> {
        if self.settings.order != Order::Greedy || self.heuristic.plan().is_none() {
            return Vec::new();
        }
        if !self.settings.deferred {
            self.evaluate(node);
        }
        let state = self.branches[node as usize].state;
        self.state.copy_from_slice(self.states.get(state));
        let Some(plan) = self.heuristic.plan() else {
            return Vec::new();
        };
        let preferred = methods.iter().map(|&it| {
            plan.has_method(it) || self.settings.deferred && self.begins_well(plan, it, 3)
        });
        preferred.collect()
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

    /// Queues children so that the most promising is taken first.
    fn queue(&mut self, children: &mut [Child]) {
        // Within one estimate the queue is last in, first out.
        children.reverse();
        children.sort_by_key(|child| std::cmp::Reverse((child.estimate, child.tie)));
        for child in children.iter() {
            let key = match self.settings.order {
                Order::Greedy | Order::Cheapest => child.estimate,
                Order::Depth => Cost::ZERO,
            };
            self.open.push_by(0, (key, child.tie), child.number);
            if child.preferred {
                self.open.push(1, key, child.number);
            }
            if self.landmarks.is_some() {
                let ahead = Cost::from(u64::from(child.ahead));
                self.open.push(2, ahead, child.number);
                if child.preferred {
                    self.open.push(3, ahead, child.number);
                }
            }
        }
    }

    /// Everything removed from the front on the way to a node.
    pub fn whole_trace(&self, node: u32) -> Vec<Element> {
        let mut parts = Vec::new();
        let mut at = node;
        while at != ROOT {
            let branch = &self.branches[at as usize];
            parts.push(branch.trace);
            at = branch.parent;
        }
        let mut whole = Vec::new();
        for &(start, end) in parts.iter().rev() {
            whole.extend_from_slice(&self.trace[start as usize..end as usize]);
        }
        whole
    }

    fn bytes(&self) -> u64 {
        self.states.bytes()
            + self.stacks.bytes()
            + self.open.bytes()
            + self.landmarks.as_ref().map_or(0, TaskLandmarks::bytes)
            + (self.visited.capacity() * 25
                + self.branches.capacity() * size_of::<Branch>()
                + self.trace.capacity() * 4
                + self.choices.capacity() * 4) as u64
    }
}
