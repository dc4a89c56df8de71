//! Classical planning: forward search over states.
//!
//! | way | when a state is evaluated | which comes first |
//! |---|---|---|
//! | [`Way::Lazy`] | when it is taken | the lowest estimate guessed from its parent's |
//! | [`Way::Eager`] | when it is made | the lowest estimate |
//! | [`Way::Weighted`] | when it is made | the lowest cost so far plus the weighted estimate; weight 1 with an admissible estimate is A* |
//!
//! An estimate and the count of open landmarks may guide the search together.
//! Each has a queue of its own and one for the successors it prefers: actions
//! that its relaxed plan begins with, or that reach an open landmark. This is
//! the search of Richter and Westphal's LAMA ("The LAMA planner", 2010).
//!
//! A search that leaps also executes as much of each relaxed plan as it can, in
//! one go, and looks at where that leads next (Vidal, "A lookahead strategy for
//! heuristic search planning", 2004).
//!
//! One tick of the [`Run`] is one state evaluated.

mod search;
mod successors;
mod tidy;

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::cost::Cost;
use crate::ground::Derivation;
use crate::instance::Instance;

use crate::heuristics::Estimate;
pub use tidy::without_needless;

/// In which order states are looked at, and when they are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// Best estimate first; a state is evaluated when it is taken.
    Lazy,
    /// Best estimate first; a state is evaluated when it is made.
    Eager,
    /// The cost so far counts too, and the estimate this many times.
    Weighted(u32),
}

/// Settings of the engine.
///
/// ```
/// use planoku_engine::{Engine, Run};
/// use planoku_planning::{Instance, ground::ground, search::Classical};
///
/// let domain = "(define (domain lamps)
///   (:predicates (lit) (cold))
///   (:action switch :parameters () :precondition (cold)
///     :effect (and (lit) (not (cold)))))";
/// let problem = "(define (problem one) (:domain lamps)
///   (:init (cold)) (:goal (lit)))";
/// let model = planoku_planning::read(domain, problem).0.unwrap();
/// let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
/// for engine in Classical::all() {
///     let outcome = engine.solve(&instance, &mut Run::default()).unwrap();
///     assert_eq!(outcome.answers[0].steps.len(), 1);
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Classical {
    /// The name it goes by.
    pub name: &'static str,
    /// How it thinks, in a line.
    pub summary: &'static str,
    /// What guides it.
    pub estimate: Estimate,
    /// Whether the count of open landmarks guides it as well.
    pub landmarks: bool,
    /// Whether relaxed plans are executed as far as they go.
    pub leaps: bool,
    /// In which order states are looked at.
    pub way: Way,
    /// Only plans cheaper than this are wanted.
    pub bound: Option<Cost>,
    /// Shuffles actions, unless 0.
    pub seed: u64,
}

impl Classical {
    /// Lazy greedy search on relaxed plans, with preferred actions.
    pub fn greedy() -> Classical {
        Classical {
            name: "strips-ff",
            summary: "lazy greedy search over states: relaxed plans (FF), preferred actions",
            estimate: Estimate::Ff,
            landmarks: false,
            leaps: false,
            way: Way::Lazy,
            bound: None,
            seed: 0,
        }
    }

    /// A* with landmark cuts: the first plan is a cheapest one.
    pub fn optimal() -> Classical {
        Classical {
            name: "strips-lmcut",
            summary: "A* over states with landmark cuts: a cheapest plan",
            estimate: Estimate::LmCut,
            way: Way::Weighted(1),
            ..Classical::greedy()
        }
    }

    /// Lazy greedy search on relaxed plans and landmarks together.
    pub fn first() -> Classical {
        Classical {
            name: "strips-first",
            summary: "lazy greedy search over states: FF and landmark count in turn, preferred actions",
            landmarks: true,
            ..Classical::greedy()
        }
    }

    /// Lazy greedy search that executes relaxed plans as far as they go.
    pub fn leaping() -> Classical {
        Classical {
            name: "strips-leap",
            summary: "lazy greedy search over states that executes relaxed plans as far as they go",
            leaps: true,
            ..Classical::greedy()
        }
    }

    /// Lazy greedy search on landmarks alone.
    pub fn landmarks() -> Classical {
        Classical {
            name: "strips-landmarks",
            summary: "lazy greedy search over states: landmark count, preferred actions",
            estimate: Estimate::Blind,
            ..Classical::first()
        }
    }

    /// Weighted A* on relaxed plans that count what actions cost.
    pub fn weighted(weight: u32) -> Classical {
        Classical {
            name: "strips-weighted",
            summary: "weighted A* over states: cost so far and relaxed plans",
            way: Way::Weighted(weight.max(1)),
            ..Classical::greedy()
        }
    }

    /// Lazy greedy search on any estimate.
    pub fn guided_by(estimate: Estimate) -> Classical {
        Classical {
            name: estimate.planners().1,
            summary: "lazy greedy search over states, lowest estimate first",
            estimate,
            ..Classical::greedy()
        }
    }

    /// Every one of them, for lists to choose from.
    pub fn all() -> Vec<Classical> {
        vec![
            Classical::first(),
            Classical::greedy(),
            Classical::leaping(),
            Classical {
                name: "strips-add",
                summary: "lazy greedy search over states: sums of costs (add)",
                estimate: Estimate::Add,
                ..Classical::greedy()
            },
            Classical::landmarks(),
            Classical {
                name: "strips-eager",
                summary: "greedy best-first search over states: relaxed plans (FF), evaluated at once",
                way: Way::Eager,
                ..Classical::greedy()
            },
            Classical::weighted(3),
            Classical::optimal(),
            Classical {
                name: "strips-max",
                summary: "A* over states with the maximum heuristic: a cheapest plan",
                estimate: Estimate::Max,
                ..Classical::optimal()
            },
            Classical {
                name: "strips-blind",
                summary: "uniform-cost search over states: a cheapest plan without any estimate",
                estimate: Estimate::Blind,
                ..Classical::optimal()
            },
        ]
    }

    /// True if its first plan is a cheapest one.
    pub fn is_optimal(&self) -> bool {
        self.way == Way::Weighted(1) && self.estimate.is_admissible() && !self.landmarks
    }

    /// True if a cheaper way to a state that is known matters.
    fn cost_matters(&self) -> bool {
        matches!(self.way, Way::Weighted(_)) || self.bound.is_some()
    }
}

impl Engine<Instance> for Classical {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(self.name, self.summary).complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        if instance.root.is_some() {
            return Err(EngineError::Unsupported(
                "the problem is hierarchical".into(),
            ));
        }
        run.search(sink, |run, found| {
            let mut search = search::Search::new(self, instance, run)?;
            search.start();
            while let Some(node) = search.open.pop() {
                search.visit(node, run, found)?;
            }
            Ok(())
        })
    }
}
