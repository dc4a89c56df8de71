//! Partially ordered task networks as a space to search.
//!
//! A node is a state and a network: what remains, with its order. Something
//! without predecessor comes next: an action is executed, the condition of a
//! method is checked, a task is refined. Which task is refined first does not
//! matter for what can be reached, so one is chosen, the one with fewest
//! methods; actions and conditions are all tried.
//!
//! A method's condition must hold right before the first action of its
//! refinement, so after a condition was checked the next action has to be one
//! of that method's: only what came from it may go on until then. If nothing
//! of it is left by then, this was no way. A method whose refinement has no
//! action at all is another matter: its condition has to hold at some time
//! only, and nobody has to wait for it. So where a refinement may turn out
//! empty, both are tried: the next action is one of it, or it is *hollow*,
//! and every task below it has to be empty too.
//!
//! One tick of the [`Run`] is one successor.

use planoku_engine::{Leave, Run};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cost::Cost;
use crate::ground::{Condition, Derivation, Ground, MethodIndex, Node, Refinement};

use crate::heuristics::heuristic::RelaxedPlan;
use crate::spaces::interference::{Interference, contains};
use crate::spaces::space::{Space, Successor};
use crate::state::hash::mix;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::StateTable;
use crate::state::world::World;

/// No item.
const NONE: u32 = u32::MAX;

/// A state and what remains to be done in it.
pub(crate) struct Situated {
    state: u32,
    network: Network,
}

/// All partially ordered networks of a problem.
pub(crate) struct Networks<'a> {
    world: &'a World,
    root: u32,
    elements: Elements,
    states: StateTable,
    numbers: FxHashMap<(u32, u128), u32>,
    /// For each method, whether its refinement may have no action.
    may_be_empty: Vec<bool>,
    /// If known, what can be done at once is not put off.
    interference: Option<Interference>,
    work: u64,
}

impl<'a> Networks<'a> {
    /// The space of the problem whose initial network is `root`. If things are
    /// done *at once*, a task that can be refined is refined before any further
    /// action, an action that [nobody minds](Interference) is executed before
    /// any other, and conditions that always hold are not waited for: there are
    /// far fewer nodes, and a plan among them wherever there is one.
    pub(crate) fn new(world: &'a World, root: u32, at_once: bool) -> Networks<'a> {
        Networks {
            world,
            root,
            elements: Elements::new(&world.ground),
            states: StateTable::new(world.words),
            numbers: FxHashMap::default(),
            may_be_empty: may_be_empty(&world.ground),
            interference: at_once.then(|| Interference::new(&world.ground)),
            work: 0,
        }
    }

    /// The tree that the steps of a plan have built.
    pub(crate) fn derivation(&self, steps: &[&Cause]) -> Derivation {
        let mut derivation = Derivation::default();
        for &&step in steps {
            match step {
                Cause::Checked => {}
                Cause::Executed { id, action } => derivation.steps.push((id, action)),
                Cause::Refined { id, method, first } => {
                    let count = self.world.ground.methods[method as usize].subtasks.len();
                    derivation.refinements.push(Refinement {
                        node: id,
                        method,
                        children: (first..first + count as u32).collect(),
                    });
                }
            }
        }
        derivation
    }

    /// The state of a node, and what could come next in it.
    pub(crate) fn ahead(&self, node: &Situated) -> (&[u64], Vec<Element>) {
        let Situated { state, network } = node;
        let first = network.allowed().into_iter();
        let first = first.map(|place| network.items[place].element);
        (self.states.get(*state), first.collect())
    }

    /// A successor in the same state; nothing if no plan can come of it.
    fn same_state(&self, state: u32, network: Network, step: Cause) -> Option<Successor<Self>> {
        let words = self.states.get(state);
        let dead = network.is_lost() || network.items.is_empty() && !self.world.is_goal(words);
        let node = Situated { state, network };
        (!dead).then_some(Successor::new(node, step, Cost::ZERO))
    }

    /// The place of an action that can be executed and that every plan from
    /// here can begin with.
    fn free(&mut self, state: u32, network: &Network, allowed: &[usize]) -> Option<usize> {
        let interference = self.interference.as_mut()?;
        if network.focus != NONE {
            return None;
        }
        let state = self.states.get(state);
        allowed.iter().copied().find(|&place| {
            let item = network.items[place];
            let Kind::Action(action) = self.elements.kind(item.element) else {
                return false;
            };
            if !self.world.applicable(action, state) {
                return false;
            }
            let Some(row) = interference.row(&self.world.ground, action) else {
                return false;
            };
            let mut later = None;
            network.items.iter().all(|other| {
                other.id == item.id
                    || !contains(row, other.element)
                    || later
                        .get_or_insert_with(|| network.after(item.id))
                        .contains(&other.id)
            })
        })
    }

    /// Where an action that can be executed leads.
    fn execute(
        &mut self,
        state: u32,
        network: Network,
        id: u32,
        action: u32,
    ) -> Option<Successor<Self>> {
        let mut after = self.states.get(state).to_vec();
        if !self.world.apply(action, &mut after) {
            return None;
        }
        let (row, _) = self.states.intern(&after);
        let cost = self.world.ground.actions[action as usize].cost;
        let step = Cause::Executed { id, action };
        let successor = self.same_state(row, network, step)?;
        Some(Successor { cost, ..successor })
    }
}

impl Space for Networks<'_> {
    type Node = Situated;
    type Step = Cause;

    fn start(&mut self) -> Situated {
        let (state, _) = self.states.intern(&self.world.initial());
        let item = Item {
            id: 0,
            element: self.elements.pack(Kind::Task(self.root)),
            from: NONE,
            hollow: false,
        };
        Situated {
            state,
            network: Network {
                items: vec![item],
                order: Vec::new(),
                focus: NONE,
                next: 1,
            },
        }
    }

    fn successors(
        &mut self,
        node: &Situated,
        _plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let from = into.len();
        let world = self.world;
        let Situated { state, network } = node;
        let allowed = network.allowed();
        self.work += 200 * allowed.len() as u64;
        // Everything allowed that changes no state can be done at once and in
        // any order, except that a condition narrows what may follow.
        let task = allowed
            .iter()
            .filter_map(
                |&place| match self.elements.kind(network.items[place].element) {
                    Kind::Task(task) => {
                        let methods = &world.ground.tasks[task as usize].methods;
                        Some((methods.len(), place, task))
                    }
                    _ => None,
                },
            )
            .min();
        let at_once = self.interference.is_some();
        let single = task.is_some_and(|(methods, ..)| methods <= 1);
        if !single && let Some(place) = self.free(*state, network, &allowed) {
            let item = network.items[place];
            if let Kind::Action(action) = self.elements.kind(item.element) {
                run.tick()?;
                let mut next = network.clone();
                next.remove(place);
                next.release();
                into.extend(self.execute(*state, next, item.id, action));
            }
            return Ok(());
        }
        if let Some((_, place, task)) = task {
            let hollow = network.items[place].hollow;
            for &method in &world.ground.tasks[task as usize].methods {
                if hollow && !self.may_be_empty[method as usize] {
                    continue;
                }
                run.tick()?;
                let (next, step) =
                    network.refine(&world.ground, self.elements, place, method, at_once);
                into.extend(self.same_state(*state, next, step));
            }
        }
        if at_once && task.is_some() {
            return Ok(());
        }
        for &place in &allowed {
            let item = network.items[place];
            match self.elements.kind(item.element) {
                Kind::Action(action) if world.applicable(action, self.states.get(*state)) => {
                    run.tick()?;
                    let mut next = network.clone();
                    next.remove(place);
                    next.release();
                    into.extend(self.execute(*state, next, item.id, action));
                }
                Kind::Method(method) => {
                    let condition = &world.ground.methods[method as usize].precondition;
                    if !world.holds(condition, self.states.get(*state)) {
                        continue;
                    }
                    if self.may_be_empty[method as usize] {
                        run.tick()?;
                        let mut next = network.clone();
                        next.remove(place);
                        next.hollow_out(item);
                        into.extend(self.same_state(*state, next, Cause::Checked));
                    }
                    if !item.hollow {
                        run.tick()?;
                        let mut next = network.clone();
                        next.remove(place);
                        next.focus = item.id;
                        into.extend(self.same_state(*state, next, Cause::Checked));
                    }
                }
                _ => {}
            }
        }
        // What has been done promises more than what was only chosen, and a
        // refinement with an action more than a hollow one.
        into[from..].reverse();
        Ok(())
    }

    fn is_goal(&self, node: &Situated) -> bool {
        // Nothing is left only where the goal holds.
        node.network.items.is_empty()
    }

    fn number(&mut self, node: &Situated) -> u32 {
        // Telling networks apart takes longer than making them.
        let Network { items, order, .. } = &node.network;
        self.work += 15 * (items.len() + order.len()) as u64;
        let next = self.numbers.len() as u32;
        let key = (node.state, node.network.hash());
        *self.numbers.entry(key).or_insert(next)
    }

    fn describe<'s>(&'s self, node: &Situated, left: &mut Vec<Element>) -> (u32, &'s [u64]) {
        left.extend(node.network.items.iter().map(|item| item.element));
        (node.state, self.states.get(node.state))
    }

    fn is_complete(&self) -> bool {
        !self.world.values.were_too_large()
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn bytes(&self) -> u64 {
        let rows = self.interference.as_ref().map_or(0, Interference::bytes);
        self.states.bytes() + rows + (self.numbers.capacity() * 49) as u64
    }

    fn bytes_of(node: &Situated, _step: &Cause) -> u64 {
        let Network { items, order, .. } = &node.network;
        (items.len() * size_of::<Item>() + order.len() * 8 + 64) as u64
    }
}

/// For each method, whether some refinement of it has no action.
fn may_be_empty(ground: &Ground) -> Vec<bool> {
    let mut methods = vec![false; ground.methods.len()];
    let mut tasks = vec![false; ground.tasks.len()];
    // The methods in which each task occurs, and how many of a method's
    // subtasks are not known to be possibly empty.
    let mut uses = vec![Vec::new(); ground.tasks.len()];
    let mut missing = vec![0usize; ground.methods.len()];
    let mut open = Vec::new();
    for (index, method) in ground.methods.iter().enumerate() {
        missing[index] = method.subtasks.len();
        for &node in &method.subtasks {
            if let Node::Task(task) = node {
                uses[task as usize].push(index);
            }
        }
        if method.subtasks.is_empty() {
            open.push(index);
        }
    }
    while let Some(index) = open.pop() {
        methods[index] = true;
        let task = ground.methods[index].task as usize;
        if std::mem::replace(&mut tasks[task], true) {
            continue;
        }
        for &user in &uses[task] {
            missing[user] -= 1;
            if missing[user] == 0 {
                open.push(user);
            }
        }
    }
    methods
}

/// Something that remains.
#[derive(Clone, Copy, Debug)]
struct Item {
    id: u32,
    element: Element,
    /// The innermost method whose first action is still to come and that this
    /// came from, as the id of its condition.
    from: u32,
    /// No action may come of it.
    hollow: bool,
}

/// What remains, and in which order.
#[derive(Clone, Debug, Default)]
struct Network {
    items: Vec<Item>,
    /// `(a, b)`: item `a` before item `b`, by id.
    order: Vec<(u32, u32)>,
    /// If set, only what came from this condition may go on, and the next
    /// action is one of it.
    focus: u32,
    next: u32,
}

/// How a node came from its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// An action was executed.
    Executed { id: u32, action: u32 },
    /// The condition of a method was found to hold.
    Checked,
    /// A task was refined.
    Refined {
        id: u32,
        method: MethodIndex,
        first: u32,
    },
}

impl Network {
    /// Places of items without predecessor that the focus allows.
    fn allowed(&self) -> Vec<usize> {
        (0..self.items.len())
            .filter(|&place| {
                let item = self.items[place];
                (self.focus == NONE || item.from == self.focus)
                    && !self.order.iter().any(|&(_, later)| later == item.id)
            })
            .collect()
    }

    /// The items that come after one.
    fn after(&self, id: u32) -> Vec<u32> {
        let mut after = vec![id];
        let mut at = 0;
        while at < after.len() {
            for &(first, later) in &self.order {
                if first == after[at] && !after.contains(&later) {
                    after.push(later);
                }
            }
            at += 1;
        }
        after
    }

    fn remove(&mut self, place: usize) {
        let id = self.items[place].id;
        self.items.remove(place);
        self.order.retain(|&(first, _)| first != id);
    }

    /// An action was executed: everyone may go on. A condition that is no
    /// longer there has had its first action.
    fn release(&mut self) {
        self.focus = NONE;
        let open: FxHashSet<u32> = self.items.iter().map(|item| item.id).collect();
        for item in &mut self.items {
            if !open.contains(&item.from) {
                item.from = NONE;
            }
        }
    }

    /// The method of this condition is to have no action: what came from it
    /// counts as the enclosing method's, which still waits for its own.
    fn hollow_out(&mut self, condition: Item) {
        for item in &mut self.items {
            if item.from == condition.id {
                item.from = condition.from;
                item.hollow = true;
            }
        }
    }

    /// True if an action was promised that cannot come any more.
    fn is_lost(&self) -> bool {
        let focused = |item: &Item| item.from == self.focus && !item.hollow;
        self.focus != NONE && !self.items.iter().any(focused)
    }

    /// Replaces a task by a method's condition and its subtasks.
    fn refine(
        &self,
        ground: &Ground,
        elements: Elements,
        place: usize,
        method: MethodIndex,
        at_once: bool,
    ) -> (Network, Cause) {
        let task = self.items[place];
        let schema = &ground.methods[method as usize];
        let count = schema.subtasks.len() as u32;
        let first = self.next;
        // A condition that always holds need not be waited for.
        let condition =
            (!at_once || schema.precondition != Condition::default()).then_some(first + count);
        let mut next = self.clone();
        next.items.remove(place);
        next.next = first + count;
        if let Some(condition) = condition {
            next.next += 1;
            next.items.push(Item {
                id: condition,
                element: elements.pack(Kind::Method(method)),
                from: task.from,
                hollow: task.hollow,
            });
        }
        for (index, &node) in schema.subtasks.iter().enumerate() {
            next.items.push(Item {
                id: first + index as u32,
                element: elements.node(node),
                from: condition.unwrap_or(task.from),
                hollow: task.hollow,
            });
        }
        let mut order = Vec::with_capacity(self.order.len() + schema.ordering.len());
        for &(before, after) in &self.order {
            // The task has no predecessor any more.
            if before != task.id {
                order.push((before, after));
                continue;
            }
            let lasts = (0..count).filter(|&it| !schema.ordering.iter().any(|pair| pair.0 == it));
            order.extend(lasts.map(|last| (first + last, after)));
            if count == 0 {
                order.extend(condition.map(|condition| (condition, after)));
            }
        }
        for it in 0..count {
            if !schema.ordering.iter().any(|pair| pair.1 == it) {
                order.extend(condition.map(|condition| (condition, first + it)));
            }
        }
        order.extend(
            schema
                .ordering
                .iter()
                .map(|&(before, after)| (first + before, first + after)),
        );
        next.order = order;
        let event = Cause::Refined {
            id: task.id,
            method,
            first,
        };
        (next, event)
    }

    /// A hash of the whole network that mostly does not depend on how items
    /// are numbered: they are sorted by colour first, and by number only where
    /// colours agree. Different networks never look the same to it.
    fn hash(&self) -> u128 {
        let colours = self.colours();
        let mut sorted: Vec<usize> = (0..self.items.len()).collect();
        sorted.sort_by_key(|&place| (colours[place], self.items[place].id));
        let mut rank = FxHashMap::default();
        for (position, &place) in sorted.iter().enumerate() {
            rank.insert(self.items[place].id, position as u128);
        }
        let mut groups: FxHashMap<u32, u128> = FxHashMap::default();
        let mut hash = 0;
        for &place in &sorted {
            let item = self.items[place];
            let next = groups.len() as u128;
            let group = *groups.entry(item.from).or_insert(next);
            let focused = u128::from(self.focus != NONE && item.from == self.focus);
            let marks = u128::from(item.hollow) << 1 | focused;
            hash = mix(hash ^ (group << 40 | u128::from(item.element.0) << 2 | marks));
        }
        let mut edges: Vec<u128> = self
            .order
            .iter()
            .filter_map(|(before, after)| Some(rank.get(before)? << 32 | rank.get(after)?))
            .collect();
        edges.sort_unstable();
        edges
            .into_iter()
            .fold(mix(hash), |hash, edge| mix(hash ^ (edge + 1)))
    }

    /// For each item a colour that tells what stands around it.
    fn colours(&self) -> Vec<u128> {
        let places: FxHashMap<u32, usize> = self
            .items
            .iter()
            .enumerate()
            .map(|(place, item)| (item.id, place))
            .collect();
        let mut colours: Vec<u128> = self
            .items
            .iter()
            .map(|item| mix(u128::from(item.element.0)))
            .collect();
        for _ in 0..2 {
            let mut next = colours.clone();
            for (before, after) in &self.order {
                if let (Some(&before), Some(&after)) = (places.get(before), places.get(after)) {
                    next[before] = next[before].wrapping_add(mix(colours[after]));
                    next[after] = next[after].wrapping_add(mix(!colours[before]));
                }
            }
            colours = next.into_iter().map(mix).collect();
        }
        colours
    }
}
