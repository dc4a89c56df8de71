//! The search itself: states that wait, and what becomes of them.

use planoku_engine::{Found, Leave, Run, Stop};

use crate::cost::{Cost, Distance};
use crate::ground::{ActionIndex, Derivation};

use super::successors::Successors;
use super::{Classical, Way};
use crate::algorithms::open_list::OpenList;
use crate::algorithms::random::Random;
use crate::analysis::charge::Charge;
use crate::heuristics::Estimate;
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::heuristics::landmark_count::Count;
use crate::heuristics::scope::ScopeId;
use crate::instance::Instance;
use crate::spaces::states::StateTable;
use crate::spaces::world::World;

/// A state waiting to be looked at, or looked at.
struct Waiting {
    state: u32,
    parent: u32,
    action: ActionIndex,
    cost: Cost,
}

const NONE: u32 = u32::MAX;

/// The queue of all states by the estimate; the one after it holds preferred
/// successors.
const ESTIMATE: usize = 0;
/// The same by the count of landmarks.
const LANDMARKS: usize = 2;

/// How a state looks to each guide.
#[derive(Clone, Copy)]
struct Looks {
    /// The estimate, for weighted searches with the cost so far.
    estimate: Cost,
    /// The estimate alone, where that breaks ties.
    tie: Cost,
    landmarks: u32,
}

/// What is guessed of a successor before it is evaluated.
#[derive(Clone, Copy)]
struct Guess {
    estimate: Cost,
    preferred: bool,
}

pub(super) struct Search<'a> {
    settings: &'a Classical,
    world: &'a World,
    states: StateTable,
    /// For each state, the lowest cost at which it was expanded.
    expanded: Vec<Option<Cost>>,
    waiting: Vec<Waiting>,
    pub(super) open: OpenList,
    heuristic: Box<dyn Heuristic + 'a>,
    /// For each state, its estimate, once known and if it will be asked again.
    estimates: Vec<Option<Distance>>,
    count: Option<Count>,
    successors: Successors,
    random: Random,
    state: Vec<u64>,
    applicable: Vec<ActionIndex>,
    needed: Vec<u32>,
    /// The cheapest plan so far costs this; nothing dearer is looked at.
    bound: Option<Cost>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        settings: &'a Classical,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<Search<'a>, Stop> {
        let count = match settings.landmarks {
            true => Some(Count::new(instance, run)?),
            false => None,
        };
        let heuristic =
            match settings.way {
                // Steps count a little, so that what is free is still work.
                Way::Weighted(_) if !settings.estimate.is_admissible() => settings
                    .estimate
                    .charging(instance, Charge::CostAndSteps, run)?,
                _ => settings.estimate.heuristic(instance, run)?,
            };
        // Charged before it is spent: lists of who needs what.
        run.effort(2 * instance.size())?;
        let world = &instance.world;
        let state = world.initial();
        Ok(Search {
            settings,
            world,
            states: StateTable::new(world.words),
            expanded: Vec::new(),
            waiting: Vec::new(),
            open: match settings.way {
                Way::Weighted(_) => OpenList::new(4),
                // Waiting in line makes for shorter plans where estimates tie.
                Way::Lazy | Way::Eager => OpenList::in_line(4),
            },
            heuristic,
            estimates: Vec::new(),
            count,
            successors: Successors::new(world),
            random: Random::new(settings.seed),
            state,
            applicable: Vec::new(),
            needed: Vec::new(),
            bound: settings.bound,
        })
    }

    pub(super) fn start(&mut self) {
        let state = self.intern();
        self.waiting.push(Waiting {
            state,
            parent: NONE,
            action: NONE,
            cost: Cost::ZERO,
        });
        // A key that any estimate improves on, so that progress is noticed.
        self.open.push(ESTIMATE, Cost::MAX, 0);
    }

    fn intern(&mut self) -> u32 {
        let (state, fresh) = self.states.intern(&self.state);
        if fresh {
            self.expanded.push(None);
            if self.keeps_estimates() {
                self.estimates.push(None);
            }
        }
        state
    }

    /// True if going on from this state at this cost is of no use.
    fn is_known(&self, state: u32, cost: Cost) -> bool {
        let known = self.expanded[state as usize];
        self.is_beyond(cost)
            || known.is_some_and(|known| !self.settings.cost_matters() || known <= cost)
    }

    /// True if only cheaper plans than this are wanted.
    fn is_beyond(&self, cost: Cost) -> bool {
        self.bound.is_some_and(|bound| cost >= bound)
    }

    /// The relaxed plan is needed afresh, to know what it begins with, unless
    /// nobody asks what it begins with.
    fn keeps_estimates(&self) -> bool {
        matches!(self.settings.way, Way::Weighted(_))
    }

    /// Evaluates and expands a waiting state, unless that has been done at no
    /// higher cost.
    pub(super) fn visit(
        &mut self,
        node: u32,
        run: &mut Run<'_>,
        found: &mut Found<Derivation>,
    ) -> Result<(), Leave> {
        let Waiting {
            state,
            cost,
            parent,
            ..
        } = self.waiting[node as usize];
        if self.is_known(state, cost) {
            return Ok(());
        }
        self.expanded[state as usize] = Some(cost);
        run.tick()?;
        self.state.copy_from_slice(self.states.get(state));
        if self.world.is_goal(&self.state) {
            // Going on from a goal never makes a cheaper plan.
            self.bound = Some(cost);
            return found.push(self.plan(node));
        }
        let Distance::Left(estimate) = self.evaluate(state) else {
            return Ok(());
        };
        let landmarks = match &mut self.count {
            Some(count) => {
                let before = match parent {
                    NONE => None,
                    parent => Some(self.waiting[parent as usize].state),
                };
                count.visit(state, before, &self.state)
            }
            None => 0,
        };
        let looks = Looks {
            estimate,
            tie: Cost::ZERO,
            landmarks,
        };
        if self.settings.leaps {
            self.leap(node, looks, run)?;
        }
        self.expand(node, looks);
        run.effort(self.heuristic.take_work() + self.work())?;
        run.check_memory(self.bytes())?;
        run.progress(self.settings.name, || {
            let best = self.open.best().filter(|&best| best != Cost::MAX);
            best.and_then(Cost::small)
        });
        Ok(())
    }

    fn evaluate(&mut self, state: u32) -> Distance {
        if self.keeps_estimates()
            && let Some(known) = self.estimates[state as usize]
        {
            return known;
        }
        let estimate = self.heuristic.estimate(&Situation {
            number: state,
            state: self.states.get(state),
            left: &[],
            scope: ScopeId::default(),
        });
        if self.keeps_estimates() {
            self.estimates[state as usize] = Some(estimate);
        }
        estimate
    }

    fn expand(&mut self, node: u32, looks: Looks) {
        let Waiting { state, cost, .. } = self.waiting[node as usize];
        let before = self.states.get(state).to_vec();
        let mut applicable = std::mem::take(&mut self.applicable);
        self.successors.list(self.world, &before, &mut applicable);
        if self.settings.seed != 0 {
            self.random.shuffle(&mut applicable);
        }
        let guesses: Vec<Guess> = self.guess(state, looks.estimate, &applicable);
        for (&action, &guess) in applicable.iter().zip(&guesses) {
            self.state.copy_from_slice(&before);
            self.world.apply(action, &mut self.state);
            let next = self.intern();
            let cost = cost + self.world.ground.actions[action as usize].cost;
            if self.is_known(next, cost) {
                continue;
            }
            let looks = Looks {
                estimate: guess.estimate,
                ..looks
            };
            let Some(looks) = self.look(next, cost, looks) else {
                continue;
            };
            let number = self.waiting.len() as u32;
            self.waiting.push(Waiting {
                state: next,
                parent: node,
                action,
                cost,
            });
            self.queue(number, looks, guess.preferred);
        }
        self.applicable = applicable;
    }

    /// What can be said of successors without evaluating them: those that do
    /// a step of the relaxed plan come nearer by one, and whatever they
    /// destroy that the rest of it needs has to be done again.
    fn guess(&mut self, state: u32, estimate: Cost, actions: &[ActionIndex]) -> Vec<Guess> {
        let plan = match self.settings.way {
            Way::Lazy => self.heuristic.plan(),
            Way::Eager | Way::Weighted(_) => None,
        };
        let mut needed = std::mem::take(&mut self.needed);
        if let Some(plan) = plan {
            plan.needed(&mut needed);
        }
        let guesses = actions.iter().map(|&action| {
            let reaches = |count: &Count| count.reaches(state, action);
            let reaches = self.count.as_ref().is_some_and(reaches);
            let Some(plan) = plan else {
                return Guess {
                    estimate,
                    preferred: reaches,
                };
            };
            let planned = plan.has_action(action);
            let schema = &self.world.ground.actions[action as usize];
            let own = &schema.precondition.positive;
            let lost = schema.delete.iter().filter(|&fact| {
                let by_itself = u32::from(planned && own.binary_search(fact).is_ok());
                needed[*fact as usize] > by_itself
            });
            let lost = Cost::from(lost.count() as u64);
            Guess {
                estimate: estimate
                    .saturating_add(lost)
                    .less(Cost::from(u64::from(planned))),
                preferred: planned || reaches,
            }
        });
        let guesses = guesses.collect();
        self.needed = needed;
        guesses
    }

    /// Executes as much of the relaxed plan as goes, and queues where that
    /// leads before all that looks no better than this state.
    fn leap(&mut self, node: u32, looks: Looks, run: &mut Run<'_>) -> Result<(), Stop> {
        let Some(plan) = self.heuristic.plan() else {
            return Ok(());
        };
        let mut left = plan.actions();
        let mut steps = Vec::new();
        loop {
            run.effort(left.len() as u64)?;
            let before = steps.len();
            left.retain(|&action| {
                let fits = self.world.applicable(action, &self.state);
                if fits {
                    self.world.apply(action, &mut self.state);
                    steps.push(action);
                }
                !fits
            });
            if steps.len() == before {
                break;
            }
        }
        if steps.len() < 2 {
            return Ok(());
        }
        // Only where the leap ends is a state of the search; what lies between
        // is known by its actions, and stands for the state it began in.
        let Waiting {
            state: from,
            mut cost,
            ..
        } = self.waiting[node as usize];
        let landed = self.intern();
        let mut parent = node;
        for (nth, &action) in steps.iter().enumerate() {
            cost += self.world.ground.actions[action as usize].cost;
            self.waiting.push(Waiting {
                state: if nth + 1 < steps.len() { from } else { landed },
                parent,
                action,
                cost,
            });
            parent = self.waiting.len() as u32 - 1;
        }
        if !self.is_known(landed, cost) {
            let looks = Looks {
                estimate: looks.estimate.less(Cost::ONE),
                ..looks
            };
            self.queue(parent, looks, true);
        }
        Ok(())
    }

    /// The keys a new state is queued by; `None` if nothing good can come of
    /// it. A lazy search knows its parent's only.
    fn look(&mut self, state: u32, cost: Cost, parent: Looks) -> Option<Looks> {
        let estimate = match self.settings.way {
            Way::Lazy => return Some(parent),
            Way::Eager | Way::Weighted(_) => self.evaluate(state),
        };
        let Distance::Left(estimate) = estimate else {
            return None;
        };
        let weight = match self.settings.way {
            Way::Weighted(weight) => u128::from(weight),
            Way::Lazy | Way::Eager => {
                return Some(Looks { estimate, ..parent });
            }
        };
        let least = match self.settings.estimate.is_admissible() {
            true => cost.saturating_add(estimate),
            false => cost,
        };
        (!self.is_beyond(least)).then_some(Looks {
            estimate: cost.saturating_add(estimate.saturating_mul(weight)),
            tie: estimate,
            ..parent
        })
    }

    fn queue(&mut self, number: u32, looks: Looks, preferred: bool) {
        let preferred = preferred && self.settings.way == Way::Lazy;
        if self.settings.estimate != Estimate::Blind || !self.settings.landmarks {
            self.open
                .push_by(ESTIMATE, (looks.estimate, looks.tie), number);
            if preferred {
                self.open.push(ESTIMATE + 1, looks.estimate, number);
            }
        }
        if self.settings.landmarks {
            let landmarks = Cost::from(u64::from(looks.landmarks));
            self.open.push(LANDMARKS, landmarks, number);
            if preferred {
                self.open.push(LANDMARKS + 1, landmarks, number);
            }
        }
    }

    fn plan(&self, node: u32) -> Derivation {
        let mut actions = Vec::new();
        let mut at = node;
        while self.waiting[at as usize].parent != NONE {
            actions.push(self.waiting[at as usize].action);
            at = self.waiting[at as usize].parent;
        }
        let actions = actions.into_iter().rev().enumerate();
        Derivation {
            steps: actions
                .map(|(step, action)| (step as u32, action))
                .collect(),
            refinements: Vec::new(),
        }
    }

    /// Steps the last expansion took, estimates aside.
    fn work(&self) -> u64 {
        let successor = self.world.words as u64 + 4;
        self.applicable.len() as u64 * successor + self.count.as_ref().map_or(0, Count::work)
    }

    fn bytes(&self) -> u64 {
        self.states.bytes()
            + self.open.bytes()
            + self.count.as_ref().map_or(0, Count::bytes)
            + (self.waiting.capacity() * size_of::<Waiting>()
                + self.expanded.capacity() * size_of::<Option<Cost>>()
                + self.estimates.capacity() * size_of::<Option<Distance>>()) as u64
    }
}
