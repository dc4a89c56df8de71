//! Classical planning: forward search over states.
//!
//! | way | when a state is evaluated | which comes first |
//! |---|---|---|
//! | [`Way::Lazy`] | when it is taken | the lowest estimate guessed from its parent's |
//! | [`Way::Eager`] | when it is made | the lowest estimate |
//! | [`Way::Weighted`] | when it is made | the lowest cost so far plus the weighted estimate; weight 1 with an admissible estimate is A* |
//!
//! An estimate and the count of open landmarks may guide the search together,
//! and a search may leap along relaxed plans; see
//! [best-first search](super::best_first) and [states](crate::spaces::states).
//!
//! One tick of the [`Run`] is one state taken.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink, Stop};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::bound::Bound;
use crate::algorithms::strategy::{By, Strategy, When};
use crate::analysis::charge::Charge;
use crate::ground::Derivation;
use crate::heuristics::landmark_count::Count;
use crate::heuristics::{Estimate, of_lean_plans};
use crate::instance::Instance;
use crate::spaces::space::Counter;
use crate::spaces::states::States;
use crate::spaces::stubborn::Stubborn;

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
    /// Whether relaxed plans are made without effects that another action has
    /// for less.
    pub lean: bool,
    /// Whether estimates count what actions cost beside how many there are.
    pub priced: bool,
    /// In which order states are looked at.
    pub way: Way,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
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
            lean: false,
            priced: false,
            way: Way::Lazy,
            bound: Bound::default(),
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

    /// A* with pattern databases and Cartesian abstractions: a hundred times as many states, each of
    /// which is known less about.
    pub fn patterns() -> Classical {
        Classical {
            name: "strips-patterns",
            summary: "A* over states with pattern databases and Cartesian boxes: a cheapest plan",
            estimate: Estimate::Patterns,
            ..Classical::optimal()
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
            lean: true,
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
            priced: true,
            ..Classical::greedy()
        }
    }

    /// Lazy greedy search on relaxed plans that count what actions cost, and
    /// landmarks.
    pub fn priced() -> Classical {
        Classical {
            name: "strips-priced",
            summary: "lazy greedy search over states: FF with costs and landmark count in turn, preferred actions",
            priced: true,
            ..Classical::first()
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
            Classical::priced(),
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
            Classical {
                name: "strips-eager-add",
                summary: "greedy best-first search over states: sums of costs (add), evaluated at once",
                estimate: Estimate::Add,
                way: Way::Eager,
                ..Classical::greedy()
            },
            Classical::weighted(3),
            Classical::optimal(),
            Classical::patterns(),
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

    /// An error if there are tasks.
    pub(super) fn require_states(instance: &Instance) -> Result<(), EngineError> {
        match instance.root {
            None => Ok(()),
            Some(_) => Err(EngineError::Unsupported(
                "the problem is hierarchical".into(),
            )),
        }
    }

    fn strategy(&self) -> Strategy {
        let lazy = self.way == Way::Lazy;
        let when = match lazy {
            true => When::Taken,
            false => When::Made,
        };
        Strategy {
            name: self.name,
            by: match self.way {
                Way::Lazy | Way::Eager if self.landmarks && self.estimate == Estimate::Blind => {
                    By::Count
                }
                Way::Lazy | Way::Eager => By::Estimate,
                Way::Weighted(weight) => By::Sum(weight),
            },
            estimated: when,
            closed: when,
            counted: When::Taken,
            prefers: lazy,
            // Waiting in line makes for shorter plans where estimates tie.
            in_line: !matches!(self.way, Way::Weighted(_)),
            draws: None,
            patience: None,
            breaks_ties: false,
            narrows: false,
            follows: self.estimate == Estimate::LmCut,
            admissible: self.estimate.is_admissible(),
            bound: self.bound.clone(),
        }
    }

    /// The search, which has not begun.
    pub(super) fn search<'a>(
        &self,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<BestFirst<'a, States<'a>>, Stop> {
        let counter: Option<Box<dyn Counter<States<'a>>>> = match self.landmarks {
            true => Some(Box::new(Count::new(instance, run)?)),
            false => None,
        };
        let heuristic = match self.way {
            // Steps count a little, so that what is free is still work.
            _ if self.priced && !self.estimate.is_admissible() => {
                (self.estimate).charging(instance, Charge::CostAndSteps, run)?
            }
            _ if self.lean => of_lean_plans(instance, run)?,
            _ => self.estimate.heuristic(instance, run)?,
        };
        let mut space = States::new(&instance.world, self.leaps, self.seed, run)?;
        if self.way == Way::Lazy {
            space.defer();
        }
        if self.is_optimal() && Stubborn::fits(instance) {
            run.effort(2 * instance.size())?;
            space.let_wait(Stubborn::new(instance, instance.variables(run)?));
        }
        Ok(BestFirst::new(self.strategy(), space, heuristic, counter))
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
        Classical::require_states(instance)?;
        run.search(sink, |run, found| {
            let mut search = self.search(instance, run)?;
            search.run(run, &mut |space, steps| found.push(space.derivation(steps)))
        })
    }
}
