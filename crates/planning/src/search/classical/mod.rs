//! Classical planning: forward search over states.
//!
//! Greedy search evaluates a state when it is taken, not when it is made, and
//! queues successors by their parent's estimate, those the relaxed plan begins
//! with also in a queue of their own. A* evaluates at once, reopens states
//! reached more cheaply, and with an admissible estimate its first plan is a
//! cheapest one.
//!
//! One tick of the [`Run`] is one state evaluated.

use planoku_engine::{Engine, EngineError, Event, Found, Leave, Outcome, Profile, Run};

use crate::ground::{ActionIndex, Derivation, Ground};

use super::estimate::{Estimate, Estimator};
use super::frontier::Frontier;
use super::random::Random;
use super::relax::INFINITE;
use super::scope::ScopeId;
use super::stacks::{DONE, Stacks};
use super::states::StateTable;
use super::world::World;

/// Settings of the engine.
#[derive(Clone, Debug)]
pub struct Classical {
    /// The name it goes by.
    pub name: &'static str,
    /// What guides it.
    pub estimate: Estimate,
    /// Whether the cost so far counts: A* instead of greedy search.
    pub optimal: bool,
    /// Shuffles actions, unless 0.
    pub seed: u64,
}

impl Classical {
    /// Greedy best-first search on relaxed plans, with preferred actions.
    pub fn greedy() -> Classical {
        Classical {
            name: "strips-ff",
            estimate: Estimate::Ff,
            optimal: false,
            seed: 0,
        }
    }

    /// A* with landmark cuts: the first plan is a cheapest one.
    pub fn optimal() -> Classical {
        Classical {
            name: "strips-lmcut",
            estimate: Estimate::LmCut,
            optimal: true,
            seed: 0,
        }
    }
}

impl Engine<Ground> for Classical {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            match self.optimal {
                true => "forward search over states, A*",
                false => "forward search over states, best estimate first",
            },
        )
        .complete()
    }

    fn solve(
        &self,
        ground: &Ground,
        run: &mut Run<'_>,
    ) -> Result<Outcome<Derivation>, EngineError> {
        if ground.root.is_some() {
            return Err(EngineError::Unsupported(
                "the problem is hierarchical".into(),
            ));
        }
        if self.optimal && !self.estimate.is_admissible() {
            return Err(EngineError::Unsupported(
                "a cheapest plan needs an estimate that is never too high".into(),
            ));
        }
        run.search(|run, found| {
            let world = World::new(ground);
            let mut search = Search::new(self, &world);
            search.start();
            while let Some(node) = search.open.pop() {
                search.visit(node, run, found)?;
            }
            Ok(())
        })
    }
}

/// A state waiting to be looked at, or looked at.
struct Waiting {
    state: u32,
    parent: u32,
    action: ActionIndex,
    cost: u64,
}

const NONE: u32 = u32::MAX;

struct Search<'a, 'g> {
    settings: &'a Classical,
    world: &'a World<'g>,
    states: StateTable,
    /// For each state, the lowest cost at which it was expanded.
    expanded: Vec<u64>,
    waiting: Vec<Waiting>,
    open: Frontier,
    estimator: Estimator<'a, 'g>,
    /// For each state, its estimate, once known.
    estimates: Vec<Option<u32>>,
    stacks: Stacks,
    random: Random,
    state: Vec<u64>,
    order: Vec<ActionIndex>,
}

impl<'a, 'g> Search<'a, 'g> {
    fn new(settings: &'a Classical, world: &'a World<'g>) -> Search<'a, 'g> {
        Search {
            settings,
            world,
            states: StateTable::new(world.words),
            expanded: Vec::new(),
            waiting: Vec::new(),
            open: Frontier::new(2),
            estimator: Estimator::new(world, settings.estimate),
            estimates: Vec::new(),
            stacks: Stacks::new(),
            random: Random::new(settings.seed),
            state: world.initial(),
            order: (0..world.ground.actions.len() as u32).collect(),
        }
    }

    fn start(&mut self) {
        let state = self.intern();
        self.waiting.push(Waiting {
            state,
            parent: NONE,
            action: NONE,
            cost: 0,
        });
        self.open.push(0, 0, 0);
    }

    fn intern(&mut self) -> u32 {
        let (state, fresh) = self.states.intern(&self.state);
        if fresh {
            self.expanded.push(u64::MAX);
            self.estimates.push(None);
        }
        state
    }

    /// Evaluates and expands a waiting state, unless that has been done at no
    /// higher cost.
    fn visit(
        &mut self,
        node: u32,
        run: &mut Run<'_>,
        found: &mut Found<Derivation>,
    ) -> Result<(), Leave> {
        let Waiting { state, cost, .. } = self.waiting[node as usize];
        let known = self.expanded[state as usize];
        if known != u64::MAX && (!self.settings.optimal || known <= cost) {
            return Ok(());
        }
        self.expanded[state as usize] = cost;
        run.tick()?;
        self.state.copy_from_slice(self.states.get(state));
        if self.world.is_goal(&self.state) {
            // Going on from a goal never makes a cheaper plan.
            return found.push(self.plan(node));
        }
        let estimate = self.evaluate(state);
        if estimate == INFINITE {
            return Ok(());
        }
        self.expand(node, state, cost, estimate);
        run.effort(self.estimator.take_work())?;
        run.check_memory(self.bytes())?;
        if run.observed() {
            let (nodes, best) = (run.nodes(), self.open.best().map(u64::from));
            run.emit(Event::Progress {
                stage: self.settings.name,
                nodes,
                best,
            });
        }
        Ok(())
    }

    fn evaluate(&mut self, state: u32) -> u32 {
        // The relaxed plan is needed afresh, to know what it begins with.
        if self.settings.optimal
            && let Some(known) = self.estimates[state as usize]
        {
            return known;
        }
        let words = self.states.get(state);
        let estimate =
            self.estimator
                .estimate(ScopeId::default(), state, words, &self.stacks, DONE);
        self.estimates[state as usize] = Some(estimate);
        estimate
    }

    fn expand(&mut self, node: u32, state: u32, cost: u64, estimate: u32) {
        let before = self.states.get(state).to_vec();
        if self.settings.seed != 0 {
            self.random.shuffle(&mut self.order);
        }
        let ff = self.settings.estimate == Estimate::Ff;
        let applicable = self.order.iter().copied();
        let applicable: Vec<(ActionIndex, bool)> = applicable
            .filter(|&action| self.world.applicable(action, &before))
            .map(|action| (action, ff && self.estimator.prefers_action(action)))
            .collect();
        for (action, preferred) in applicable {
            self.state.copy_from_slice(&before);
            self.world.apply(action, &mut self.state);
            let next = self.intern();
            let price = self.world.ground.actions[action as usize].cost;
            let cost = cost + price;
            let known = self.expanded[next as usize];
            if known != u64::MAX && (!self.settings.optimal || known <= cost) {
                continue;
            }
            let key = if self.settings.optimal {
                match self.evaluate(next) {
                    INFINITE => continue,
                    ahead => cost.saturating_add(u64::from(ahead)),
                }
            } else {
                u64::from(estimate)
            };
            let number = self.waiting.len() as u32;
            self.waiting.push(Waiting {
                state: next,
                parent: node,
                action,
                cost,
            });
            let key = key.min(u64::from(u32::MAX - 1)) as u32;
            self.open.push(0, key, number);
            if preferred {
                self.open.push(1, key, number);
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

    fn bytes(&self) -> u64 {
        self.states.bytes()
            + self.open.bytes()
            + (self.waiting.capacity() * size_of::<Waiting>() + self.expanded.capacity() * 16)
                as u64
    }
}
