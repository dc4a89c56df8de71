//! Partially ordered networks, done from both ends.
//!
//! A node is what remains, the state before it and what has to hold after it.
//! Whatever comes first is executed in the state, as in any progression, and
//! whatever comes last is taken off the end: what it makes true need not hold
//! before it, what it needs has to. A task may be refined wherever it stands. So
//! of all that could be decided next, that is decided which leaves the fewest
//! ways: what is first, what is last, or the method of some task.
//!
//! ```text
//! state   first action, …, task, …, last action   what holds in the end
//!   └──────► state                         what holds before ◄──────┘
//! ```
//!
//! That pays where one task writes a word for another to read, and chooses the
//! word's beginning together with its end: the beginnings agree at once, and
//! whether the ends do, a progression sees only after every choice was made
//! (Post's correspondence problem, put like this, is how Erol, Hendler and Nau
//! showed partially ordered planning to be undecidable: "Complexity results for
//! HTN planning", 1996).
//!
//! Problems with conditions of methods are not for it, because a condition has
//! to hold right before the first action, which is known last here.
//!
//! One tick of the [`Run`] is one successor.

use planoku_engine::{Leave, Run};
use rustc_hash::FxHashMap;

use crate::cost::Cost;
use crate::ground::{Condition, Derivation, FactIndex, Ground, Refinement};
use crate::heuristics::heuristic::RelaxedPlan;
use crate::spaces::network::{Cause, Network};
use crate::spaces::space::{Space, Successor};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::{StateTable, clear, has, ones, set};
use crate::state::world::World;

/// What remains, where, and what for.
#[derive(Clone)]
pub(crate) struct Between {
    /// The state before it.
    state: u32,
    /// What has to hold after it: literals, by number.
    after: u32,
    network: Network,
}

/// How a node came from its parent.
pub(crate) enum Move {
    /// Something happened at the front.
    First(Cause),
    /// This action was taken off the end.
    Last { id: u32, action: u32 },
}

/// What could be decided next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    First,
    Last,
    Method(usize),
}

/// So many decisions between which there is no choice are made at once.
const AT_ONCE: usize = 1000;

/// All networks of a problem with something taken off either end.
pub(crate) struct BothEnds<'a> {
    world: &'a World,
    root: u32,
    elements: Elements,
    states: StateTable,
    /// What has to hold after networks: a bit for each fact that has to hold,
    /// then a bit for each that must not.
    ends: StateTable,
    /// For each fact, the groups of which no two facts hold together.
    groups: Vec<Vec<u32>>,
    numbers: FxHashMap<(u32, u32, u128), u32>,
    work: u64,
}

impl<'a> BothEnds<'a> {
    /// True if the problem can be done from both ends: what happens depends on
    /// facts alone, and methods have no conditions.
    pub(crate) fn fits(ground: &Ground) -> bool {
        let mut methods = ground.methods.iter();
        ground.axioms.is_empty()
            && ground.numbers.is_empty()
            && ground.actions.iter().all(|it| it.conditional.is_empty())
            && methods.all(|it| it.precondition == Condition::default())
    }

    /// The space of the problem whose initial network is `root`, and of whose
    /// facts never two of a group hold together.
    pub(crate) fn new(world: &'a World, root: u32, groups: &[Vec<FactIndex>]) -> BothEnds<'a> {
        let mut groups_of = vec![Vec::new(); world.ground.facts.len()];
        for (number, group) in (0..).zip(groups) {
            for &fact in group {
                groups_of[fact as usize].push(number);
            }
        }
        BothEnds {
            world,
            root,
            elements: Elements::new(&world.ground),
            states: StateTable::new(world.words),
            ends: StateTable::new(2 * world.words),
            groups: groups_of,
            numbers: FxHashMap::default(),
            work: 0,
        }
    }

    /// The tree that the steps of a plan have built.
    pub(crate) fn derivation(&self, steps: &[&Vec<Move>]) -> Derivation {
        let mut derivation = Derivation::default();
        let mut last = Vec::new();
        for step in steps.iter().copied().flatten() {
            match *step {
                Move::First(Cause::Checked) => {}
                Move::First(Cause::Executed { id, action }) => derivation.steps.push((id, action)),
                Move::Last { id, action } => last.push((id, action)),
                Move::First(Cause::Refined { id, method, first }) => {
                    let count = self.world.ground.methods[method as usize].subtasks.len();
                    derivation.refinements.push(Refinement {
                        node: id,
                        method,
                        children: (first..first + count as u32).collect(),
                    });
                }
            }
        }
        derivation.steps.extend(last.into_iter().rev());
        derivation
    }

    /// What leaves the fewest ways, and how many.
    fn choose(&mut self, node: &Between) -> (usize, Choice) {
        let Network { items, order, .. } = &node.network;
        self.work += 4 * (items.len() + order.len()) as u64;
        let actions = |places: Vec<usize>| -> Option<Vec<u32>> {
            let action = |place: usize| self.action(node, place);
            places.into_iter().map(action).collect()
        };
        let state = self.states.get(node.state);
        let first = actions(node.network.first()).map(|all| {
            let executable = |it: &&u32| self.world.applicable(**it, state);
            (all.iter().filter(executable).count(), Choice::First)
        });
        let last = actions(node.network.last()).map(|all| {
            let possible = |it: &&u32| self.before(node.after, **it).is_some();
            (all.iter().filter(possible).count(), Choice::Last)
        });
        let tasks = items.iter().enumerate().filter_map(|(place, item)| {
            let Kind::Task(task) = self.elements.kind(item.element) else {
                return None;
            };
            let methods = &self.world.ground.tasks[task as usize].methods;
            Some((methods.len(), Choice::Method(place)))
        });
        let ways = first.into_iter().chain(last).chain(tasks);
        ways.min().unwrap_or((0, Choice::First))
    }

    fn action(&self, node: &Between, place: usize) -> Option<u32> {
        match self.elements.kind(node.network.items[place].element) {
            Kind::Action(action) => Some(action),
            _ => None,
        }
    }

    /// Adds every way of a decision.
    fn decide(
        &mut self,
        node: &Between,
        choice: Choice,
        run: &mut Run<'_>,
        into: &mut Vec<(Between, Move)>,
    ) -> Result<(), Leave> {
        match choice {
            Choice::First => {
                for place in node.network.first() {
                    run.tick()?;
                    into.extend(self.execute_first(node, place));
                }
            }
            Choice::Last => {
                for place in node.network.last() {
                    run.tick()?;
                    into.extend(self.take_last(node, place));
                }
            }
            Choice::Method(place) => {
                let ground = &self.world.ground;
                let Kind::Task(task) = self.elements.kind(node.network.items[place].element) else {
                    return Ok(());
                };
                for &method in &ground.tasks[task as usize].methods {
                    run.tick()?;
                    let (network, step) =
                        node.network
                            .refine(ground, self.elements, place, method, false);
                    into.push((Between { network, ..*node }, Move::First(step)));
                }
            }
        }
        Ok(())
    }

    /// Goes on from a node as long as there is no choice; nothing if no plan can
    /// come of it.
    fn follow(
        &mut self,
        (mut node, step): (Between, Move),
        run: &mut Run<'_>,
    ) -> Result<Option<Successor<Self>>, Leave> {
        let mut steps = vec![step];
        let mut next = Vec::new();
        while !node.network.items.is_empty() && steps.len() < AT_ONCE {
            let (ways, choice) = self.choose(&node);
            if ways > 1 {
                break;
            }
            self.decide(&node, choice, run, &mut next)?;
            let Some((after, step)) = next.pop() else {
                return Ok(None);
            };
            node = after;
            steps.push(step);
        }
        let dead = node.network.items.is_empty() && !self.is_goal(&node);
        let cost = steps.iter().map(|step| self.cost(step)).sum();
        Ok((!dead).then(|| Successor::new(node, steps, cost)))
    }

    fn cost(&self, step: &Move) -> Cost {
        match *step {
            Move::First(Cause::Executed { action, .. }) | Move::Last { action, .. } => {
                self.world.ground.actions[action as usize].cost
            }
            Move::First(_) => Cost::ZERO,
        }
    }

    /// What has to hold before an action so that something holds after it;
    /// nothing if no state is like that.
    fn before(&self, after: u32, action: u32) -> Option<Vec<u64>> {
        let action = &self.world.ground.actions[action as usize];
        let mut end = self.ends.get(after).to_vec();
        let (wanted, unwanted) = end.split_at_mut(self.world.words);
        let deleted = |fact: &&FactIndex| !action.add.contains(fact);
        for &fact in action.delete.iter().filter(deleted) {
            if has(wanted, fact) {
                return None;
            }
            clear(unwanted, fact);
        }
        for &fact in &action.add {
            if has(unwanted, fact) {
                return None;
            }
            clear(wanted, fact);
        }
        self.require(&action.precondition, &mut end).then_some(end)
    }

    /// Adds a condition to what has to hold; false if it cannot.
    fn require(&self, condition: &Condition, end: &mut [u64]) -> bool {
        let (wanted, unwanted) = end.split_at_mut(self.world.words);
        condition.positive.iter().for_each(|&it| set(wanted, it));
        condition.negative.iter().for_each(|&it| set(unwanted, it));
        if wanted
            .iter()
            .zip(&*unwanted)
            .any(|(one, other)| one & other != 0)
        {
            return false;
        }
        let mut met: Vec<u32> = ones(wanted)
            .flat_map(|fact| self.groups[fact as usize].iter().copied())
            .collect();
        met.sort_unstable();
        met.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// An action without predecessor executed, if it can be.
    fn execute_first(&mut self, node: &Between, place: usize) -> Option<(Between, Move)> {
        let action = self.action(node, place)?;
        let id = node.network.items[place].id;
        let mut state = self.states.get(node.state).to_vec();
        if !self.world.applicable(action, &state) || !self.world.apply(action, &mut state) {
            return None;
        }
        let (state, _) = self.states.intern(&state);
        let mut network = node.network.clone();
        network.remove(place);
        let step = Move::First(Cause::Executed { id, action });
        Some((
            Between {
                state,
                network,
                ..*node
            },
            step,
        ))
    }

    /// An action without successor taken off the end, if it can be.
    fn take_last(&mut self, node: &Between, place: usize) -> Option<(Between, Move)> {
        let action = self.action(node, place)?;
        let id = node.network.items[place].id;
        let end = self.before(node.after, action)?;
        let (after, _) = self.ends.intern(&end);
        let mut network = node.network.clone();
        network.remove_last(place);
        let step = Move::Last { id, action };
        Some((
            Between {
                after,
                network,
                ..*node
            },
            step,
        ))
    }
}

impl Space for BothEnds<'_> {
    type Node = Between;
    type Step = Vec<Move>;

    fn start(&mut self) -> Between {
        let mut end = vec![0; 2 * self.world.words];
        // A goal that can never hold is found out as soon as nothing remains.
        self.require(&self.world.ground.goal, &mut end);
        let task = self.elements.pack(Kind::Task(self.root));
        Between {
            state: self.states.intern(&self.world.initial()).0,
            after: self.ends.intern(&end).0,
            network: Network::of(task),
        }
    }

    fn successors(
        &mut self,
        node: &Between,
        _plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let from = into.len();
        let (_, choice) = self.choose(node);
        let mut ways = Vec::new();
        self.decide(node, choice, run, &mut ways)?;
        for way in ways {
            into.extend(self.follow(way, run)?);
        }
        into[from..].reverse();
        Ok(())
    }

    fn is_goal(&self, node: &Between) -> bool {
        let (wanted, unwanted) = self.ends.get(node.after).split_at(self.world.words);
        let state = self.states.get(node.state);
        let holds = |fact| has(state, fact);
        node.network.items.is_empty() && ones(wanted).all(holds) && !ones(unwanted).any(holds)
    }

    fn number(&mut self, node: &Between) -> u32 {
        let Network { items, order, .. } = &node.network;
        self.work += 15 * (items.len() + order.len()) as u64;
        let next = self.numbers.len() as u32;
        let key = (node.state, node.after, node.network.hash());
        *self.numbers.entry(key).or_insert(next)
    }

    fn describe<'s>(&'s self, node: &Between, left: &mut Vec<Element>) -> (u32, &'s [u64]) {
        left.extend(node.network.items.iter().map(|item| item.element));
        (node.state, self.states.get(node.state))
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + self.ends.bytes() + (self.numbers.capacity() * 49) as u64
    }

    fn bytes_of(node: &Between, step: &Vec<Move>) -> u64 {
        node.network.bytes() + (step.len() * size_of::<Move>()) as u64
    }
}
