//! Totally ordered progression: always do what comes first.
//!
//! A node is a state and a stack of what remains. If an action is on top it is
//! executed; if a task is, each of its methods leads to a child. Everything
//! that leaves no choice (actions, tasks with one applicable method, tasks the
//! [look-ahead](crate::heuristics::lookahead) has decided) happens inside one node, so the
//! tree has branching nodes only. Nodes already seen (same state, same stack)
//! are dropped, which also ends loops.
//!
//! Best-first search keeps two pairs of queues, one ordered by the estimate and
//! one by the [landmarks](crate::heuristics::task_landmarks) still ahead, each with a queue
//! for *preferred* children: those by a method of the relaxed plan, or by one
//! that can begin with an action of it. If evaluation is deferred, children
//! wait under their parent's estimate and are estimated only when they are
//! taken, which pays where there are many.
//!
//! Greedy search stops at its first plan; if more are wanted, each further
//! plan is cheaper than the one before. With [`Order::Cheapest`] it is A*: the
//! estimate is the larger of an admissible one and the sum, over the stack, of
//! the least any refinement costs, which no two tasks can share.
//!
//! One tick of the [`Run`] is one node evaluated.

mod nodes;

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::cost::Cost;
use crate::ground::Derivation;
use crate::instance::Instance;

use crate::algorithms::root_of;
use crate::analysis::derive::derivation;
use crate::heuristics::Estimate;
use crate::heuristics::task_landmarks::TaskLandmarks;
use crate::spaces::stacks::DONE;
use nodes::{Branch, Search};

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

/// Which task is refined next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The first one.
    First,
    /// Any in sight with the fewest methods left: choosing early is sound,
    /// because the method's precondition is checked when its turn comes.
    Fewest,
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
    pub bound: Option<Cost>,
    /// Whether a node is estimated when it is taken, not when it is made.
    pub deferred: bool,
    /// Whether landmarks still ahead are a second opinion.
    pub landmarks: bool,
    /// Shuffles methods, unless 0.
    pub seed: u64,
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
            bound: None,
            deferred: false,
            landmarks: false,
            seed: 0,
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
            let mut search = Search::new(self, instance, run)?;
            search.cost_matters |= run.wanted() > 1;
            if self.landmarks {
                search.landmarks = TaskLandmarks::new(instance, run)?;
            }
            search.start(root);
            while let Some(node) = search.open.pop() {
                let Branch { stack, cost, .. } = search.branches[node as usize];
                if stack == DONE && search.bound.is_some_and(|bound| cost > bound) {
                    continue;
                }
                if stack == DONE {
                    found.push(derivation(ground, &search.whole_trace(node)))?;
                } else {
                    search.expand(node, run)?;
                }
            }
            Ok(())
        })
    }
}
