//! Totally ordered progression: always do what comes first.
//!
//! [Best-first search](super::best_first) over [stacks of
//! tasks](crate::spaces::task_stacks). *Preferred* are successors by a method of
//! the relaxed plan, or by one that can begin with an action of it; the second
//! opinion is that of [task landmarks](crate::heuristics::task_landmarks). If
//! evaluation is deferred, nodes wait under their parent's estimate and are
//! estimated only when they are taken, which pays where there are many.
//!
//! Greedy search stops at its first plan; if more are wanted, each further
//! plan is cheaper than the one before. With [`Order::Cheapest`] it is A*: the
//! estimate is the larger of an admissible one and the sum, over the stack, of
//! the least any refinement costs, which no two tasks can share.
//!
//! One tick of the [`Run`] is one node made.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink, Stop};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::bound::Bound;
use crate::algorithms::root_of;
use crate::algorithms::strategy::{By, Strategy, When};
use crate::ground::{Derivation, TaskIndex};
use crate::heuristics::Estimate;
use crate::heuristics::task_landmarks::TaskLandmarks;
use crate::instance::Instance;
use crate::spaces::space::Counter;
pub use crate::spaces::task_stacks::Pick;
use crate::spaces::task_stacks::{Layout, TaskStacks};

/// In which order nodes are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lowest estimate first.
    Greedy,
    /// The youngest first, the lowest estimate among siblings.
    Depth,
    /// The lowest sum of cost so far and estimate first (A*).
    Cheapest,
}

/// Settings of the engine.
#[derive(Clone, Debug)]
pub struct Progression {
    /// The name it goes by.
    pub name: &'static str,
    /// What guides it.
    pub estimate: Estimate,
    /// In which order nodes are looked at.
    pub order: Order,
    /// Which task is refined next.
    pub pick: Pick,
    /// How many elements of the stack the look-ahead reads; 0 for none.
    pub horizon: usize,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
    /// Whether a node is estimated when it is taken, not when it is made.
    pub deferred: bool,
    /// Whether landmarks still ahead are a second opinion.
    pub landmarks: bool,
    /// Shuffles methods, unless 0.
    pub seed: u64,
    /// Whether some nodes are drawn by lot.
    pub draws: bool,
    /// Gives up when this many nodes were made.
    pub patience: Option<u64>,
    /// No more actions than this may be on the stack, those aside that can always
    /// be executed; then finding none proves nothing.
    pub most: Option<u32>,
}

impl Progression {
    /// Greedy best-first search on the relaxed-plan estimate.
    pub fn greedy(estimate: Estimate) -> Progression {
        Progression {
            name: estimate.planners().0,
            estimate,
            order: Order::Greedy,
            pick: Pick::First,
            horizon: 100,
            bound: Bound::default(),
            deferred: false,
            landmarks: false,
            seed: 0,
            draws: false,
            patience: None,
            most: None,
        }
    }

    /// Greedy best-first search on the relaxed-plan estimate and landmarks,
    /// with deferred evaluation.
    pub fn lazy() -> Progression {
        Progression {
            name: "htn-lazy",
            deferred: true,
            landmarks: true,
            ..Progression::greedy(Estimate::Ff)
        }
    }

    /// A* with landmark cuts: the first plan is a cheapest one.
    pub fn optimal() -> Progression {
        Progression {
            name: "htn-optimal",
            estimate: Estimate::LmCut,
            order: Order::Cheapest,
            ..Progression::greedy(Estimate::LmCut)
        }
    }

    /// Depth-first search that refines the tightest task in sight.
    pub fn fail_first() -> Progression {
        Progression {
            name: "htn-fail-first",
            estimate: Estimate::Blind,
            order: Order::Depth,
            pick: Pick::Fewest,
            horizon: 2000,
            ..Progression::greedy(Estimate::Blind)
        }
    }

    /// What guides it sees tasks by what they promise.
    fn promises(&self) -> bool {
        matches!(self.estimate, Estimate::Promised | Estimate::PromisedNovel)
    }

    fn strategy(&self) -> Strategy {
        Strategy {
            name: self.name,
            by: match self.order {
                Order::Greedy => By::Estimate,
                Order::Depth => By::Depth,
                Order::Cheapest => By::Sum(1),
            },
            estimated: match self.deferred {
                _ if self.order == Order::Cheapest => When::Guessed,
                true => When::Taken,
                false => When::Made,
            },
            closed: When::Made,
            counted: When::Made,
            prefers: self.order == Order::Greedy,
            in_line: false,
            draws: self.draws.then_some(self.seed + 1),
            patience: self.patience,
            breaks_ties: self.promises(),
            narrows: true,
            follows: false,
            admissible: self.estimate.is_admissible(),
            bound: self.bound.clone(),
        }
    }

    pub(super) fn search<'a>(
        &self,
        instance: &'a Instance,
        root: TaskIndex,
        run: &mut Run<'_>,
    ) -> Result<BestFirst<'a, TaskStacks<'a>>, Stop> {
        let layout = Layout {
            pick: self.pick,
            horizon: self.horizon,
            first_actions: self.deferred,
            seed: self.seed,
            keeps_dead_end: false,
            most: self.most,
        };
        let space = TaskStacks::new(instance, root, layout, run)?;
        let heuristic = self.estimate.heuristic(instance, run)?;
        let landmarks = match self.landmarks {
            true if self.promises() => TaskLandmarks::promised(instance, root, run)?,
            true => TaskLandmarks::new(instance, run)?,
            false => None,
        };
        let counter = landmarks.map(|it| Box::new(it) as Box<dyn Counter<TaskStacks<'a>>>);
        Ok(BestFirst::new(self.strategy(), space, heuristic, counter))
    }
}

impl Engine<Instance> for Progression {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            match self.order {
                Order::Greedy => "totally ordered progression, best estimate first",
                Order::Depth => "totally ordered progression, depth first, tightest task first",
                Order::Cheapest => "totally ordered progression, A*: a cheapest plan",
            },
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let ground = instance.ground();
        let root = root_of(ground)?;
        if self.order == Order::Cheapest && !self.estimate.is_admissible() {
            return Err(EngineError::Unsupported(
                "a cheapest plan needs an estimate that is never too high".into(),
            ));
        }
        if !ground.ordered {
            return Err(EngineError::Unsupported(
                "the network is only partially ordered".into(),
            ));
        }
        run.search(sink, |run, found| {
            let mut search = self.search(instance, root, run)?;
            search.run(run, &mut |space, steps| found.push(space.derivation(steps)))
        })
    }
}
