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
use rustc_hash::FxHashMap;

use crate::analysis::least::Least;
use crate::cost::{Cost, Distance};
use crate::ground::{Derivation, GroundMethod, Refinement};

use crate::heuristics::heuristic::RelaxedPlan;
use crate::spaces::corners::Corners;
use crate::spaces::interference::{Interference, contains};
pub(crate) use crate::spaces::network::Cause;
use crate::spaces::network::{NONE, Network};
use crate::spaces::prospects::{Prospects, Remains};
use crate::spaces::space::{Space, Successor};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::StateTable;
use crate::state::world::World;

/// Prospects are looked at for so many nodes, and if fewer than one in so many
/// had none, only for one in so many from then on.
const TRIAL: u64 = 2000;
const RARE: u64 = 50;
const SELDOM: u64 = 16;

/// What is put off, and what is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Everything may come at any time.
    Any,
    /// A task that can be refined is refined before any further action, an
    /// action that nobody minds (`interference`) is executed before any other,
    /// and conditions that always hold are mostly not waited for: there are fewer
    /// nodes, and a plan among them wherever there is one.
    AtOnce,
    /// The same but for tasks: one that can be refined in several ways is
    /// refined only when the next action comes of it, so that no choice is made
    /// before its time.
    Late,
}

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
    corners: Corners,
    pace: Pace,
    /// If known, what can be done at once is not put off.
    interference: Option<Interference>,
    /// If known, what cannot be done any more is left out.
    prospects: Option<Prospects>,
    /// How often prospects were asked for, and how often there were none.
    asked: (u64, u64),
    /// If known, what remains costs as much as its parts do at least.
    least: Option<&'a Least>,
    work: u64,
}

impl<'a> Networks<'a> {
    /// The space of the problem whose initial network is `root`.
    pub(crate) fn new(world: &'a World, root: u32, pace: Pace) -> Networks<'a> {
        let at_once = pace != Pace::Any;
        Networks {
            world,
            root,
            elements: Elements::new(&world.ground),
            states: StateTable::new(world.words),
            numbers: FxHashMap::default(),
            corners: Corners::new(&world.ground, pace == Pace::Late),
            pace,
            interference: at_once.then(|| Interference::new(&world.ground)),
            prospects: at_once.then(|| Prospects::new(&world.ground)),
            asked: (0, 0),
            least: None,
            work: 0,
        }
    }

    /// The same where costs matter.
    pub(crate) fn with_least(self, least: &'a Least) -> Networks<'a> {
        Networks {
            least: Some(least),
            ..self
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

    /// In how many ways a task can be refined; a condition that has to be waited
    /// for counts as another way.
    fn choices(&self, methods: &[u32]) -> usize {
        match methods {
            [only] if self.pace == Pace::Late && self.corners.waits[*only as usize] => 2,
            _ => methods.len(),
        }
    }

    /// The successors of a node where tasks are refined late: whatever the next
    /// action may come of, and nothing else goes on until it is executed.
    fn late(
        &mut self,
        node: &Situated,
        allowed: &[usize],
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let from = into.len();
        let world = self.world;
        let Situated { state, network } = node;
        // Items stand in the order in which they came, and the first that can go on
        // has its turn.
        let mut out_of_turn = false;
        for &place in allowed {
            let before = into.len();
            let item = network.items[place];
            match self.elements.kind(item.element) {
                Kind::Action(action) => {
                    if world.applicable(action, self.states.get(*state)) {
                        run.tick()?;
                        let mut next = network.clone();
                        next.remove(place);
                        next.release();
                        into.extend(self.execute(*state, next, item.id, action));
                    }
                }
                Kind::Task(task) => {
                    for &method in &world.ground.tasks[task as usize].methods {
                        self.work += 50;
                        if let Some((next, step)) = self.refined_late(node, place, method) {
                            run.tick()?;
                            into.extend(self.same_state(*state, next, step));
                        }
                    }
                }
                Kind::Method(method) => {
                    let condition = &world.ground.methods[method as usize].precondition;
                    if !world.holds(condition, self.states.get(*state)) {
                        continue;
                    }
                    let mut next = network.clone();
                    next.remove(place);
                    if !next.pass_promise(network, item.id) {
                        next.give_up_promise();
                    }
                    if self.corners.may_be_empty[method as usize] {
                        run.tick()?;
                        let mut hollow = next.clone();
                        if hollow.hollow_out(item) {
                            // It may wait for longer than its condition holds.
                            hollow.give_up_promise();
                        }
                        into.extend(self.same_state(*state, hollow, Cause::Checked));
                    }
                    if !item.hollow {
                        run.tick()?;
                        next.focus = item.id;
                        into.extend(self.same_state(*state, next, Cause::Checked));
                    }
                }
            }
            for successor in &mut into[before..] {
                successor.further = i64::from(out_of_turn);
            }
            out_of_turn |= into.len() > before;
        }
        into[from..].reverse();
        Ok(())
    }

    /// A task refined because the next action is to come of it; nothing if that
    /// cannot be. What has no action at all waits until something can only be
    /// done after it, or until the end.
    fn refined_late(&self, node: &Situated, place: usize, method: u32) -> Option<(Network, Cause)> {
        let ground = &self.world.ground;
        let Situated { state, network } = node;
        let item = network.items[place];
        let state = self.states.get(*state);
        let GroundMethod {
            precondition,
            subtasks,
            ..
        } = &ground.methods[method as usize];
        let empty = self.corners.may_be_empty[method as usize];
        let begins = || !item.hollow && self.corners.may_begin(self.world, method, state);
        if !self.world.holds(precondition, state) || !empty && !begins() {
            return None;
        }
        let waits = self.corners.waits[method as usize];
        let first = network.next;
        let (mut next, step) = network.refine(ground, self.elements, place, method, waits);
        if !subtasks.is_empty() || waits {
            next.promise(first..next.next);
        } else if !next.pass_promise(network, item.id) {
            let awaited = network.order.iter().any(|pair| pair.0 == item.id);
            if !awaited && !item.hollow && !self.all_may_be_empty(&next) {
                return None;
            }
            next.give_up_promise();
        }
        Some((next, step))
    }

    /// True if nothing that remains needs an action.
    fn all_may_be_empty(&self, network: &Network) -> bool {
        let kinds = network
            .items
            .iter()
            .map(|it| self.elements.kind(it.element));
        kinds.into_iter().all(|kind| match kind {
            Kind::Task(task) => self.corners.task_may_be_empty[task as usize],
            _ => false,
        })
    }

    /// A successor in the same state; nothing if no plan can come of it.
    fn same_state(&mut self, state: u32, network: Network, step: Cause) -> Option<Successor<Self>> {
        if !self.may_be_done(state, &network) {
            return None;
        }
        self.unlost(state, network, step)
    }

    /// The same where what could be done before can be done still.
    fn unlost(&self, state: u32, network: Network, step: Cause) -> Option<Successor<Self>> {
        let words = self.states.get(state);
        let dead = network.is_lost() || network.items.is_empty() && !self.world.is_goal(words);
        let node = Situated { state, network };
        (!dead).then_some(Successor::new(node, step, Cost::ZERO))
    }

    /// False if what remains cannot be done in this state.
    fn may_be_done(&mut self, state: u32, network: &Network) -> bool {
        let Some(prospects) = &mut self.prospects else {
            return true;
        };
        let (asked, none) = &mut self.asked;
        *asked += 1;
        if *asked > TRIAL && *none * RARE < *asked && *asked % SELDOM != 0 {
            return true;
        }
        let places: FxHashMap<u32, u32> = (0u32..)
            .zip(&network.items)
            .map(|(place, item)| (item.id, place))
            .collect();
        let mut remains: Vec<Remains> = network
            .items
            .iter()
            .map(|item| Remains {
                element: item.element,
                before: 0,
            })
            .collect();
        let mut after = Vec::with_capacity(network.order.len());
        for (first, later) in &network.order {
            let (first, later) = (places[first], places[later]);
            remains[later as usize].before += 1;
            after.push((first, later));
        }
        let ground = &self.world.ground;
        let words = self.states.get(state);
        let any = prospects.any(ground, words, &mut remains, &after, &mut self.work);
        *none += u64::from(!any);
        any
    }

    /// The place of an action that can be executed and that every plan from
    /// here can begin with.
    fn free(&mut self, state: u32, network: &Network, allowed: &[usize]) -> Option<usize> {
        let interference = self.interference.as_mut()?;
        if network.focus != NONE || network.promise {
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
        let before = self.states.get(state);
        let mut after = before.to_vec();
        if !self.world.apply(action, &mut after) {
            return None;
        }
        let prospects = self.prospects.as_ref();
        let loses = prospects.is_some_and(|it| it.may_lose(before, &after));
        let (row, _) = self.states.intern(&after);
        let cost = self.world.ground.actions[action as usize].cost;
        let step = Cause::Executed { id, action };
        let successor = match loses {
            true => self.same_state(row, network, step)?,
            false => self.unlost(row, network, step)?,
        };
        Some(Successor { cost, ..successor })
    }
}

impl Space for Networks<'_> {
    type Node = Situated;
    type Step = Cause;

    fn start(&mut self) -> Situated {
        let (state, _) = self.states.intern(&self.world.initial());
        Situated {
            state,
            network: Network::of(self.elements.pack(Kind::Task(self.root))),
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
                        Some((self.choices(methods), place, task))
                    }
                    _ => None,
                },
            )
            .min();
        let at_once = self.pace != Pace::Any;
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
        if self.pace == Pace::Late && (network.promise || !single) {
            return self.late(node, &allowed, run, into);
        }
        if let Some((_, place, task)) = task {
            let hollow = network.items[place].hollow;
            for &method in &world.ground.tasks[task as usize].methods {
                if hollow && !self.corners.may_be_empty[method as usize] {
                    continue;
                }
                run.tick()?;
                let waits = !at_once || self.corners.waits[method as usize];
                let (next, step) =
                    network.refine(&world.ground, self.elements, place, method, waits);
                into.extend(match single {
                    true => self.unlost(*state, next, step),
                    false => self.same_state(*state, next, step),
                });
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
                    if self.corners.may_be_empty[method as usize] {
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

    fn done(&self, step: &Cause, into: &mut Vec<Element>) {
        into.extend(match *step {
            Cause::Executed { action, .. } => Some(self.elements.pack(Kind::Action(action))),
            Cause::Refined { method, .. } => Some(self.elements.pack(Kind::Method(method))),
            Cause::Checked => None,
        });
    }

    fn least(&self, node: &Situated) -> Distance {
        let Some(least) = self.least else {
            return Distance::Left(Cost::ZERO);
        };
        let items = node.network.items.iter();
        least.of_all(self.elements, items.map(|item| item.element))
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
        node.network.bytes()
    }
}
