//! A grounded problem and all that follows from it, computed once.
//!
//! Planners ask an [`Instance`] instead of analysing the problem themselves:
//! the first who needs something computes it, within the limits of its own
//! run, and all others of the same run share it. What was stopped half-way is
//! not there, and the next who asks begins anew.
//!
//! | what | who asks |
//! |---|---|
//! | the delete relaxation, by what operators are charged | every estimate |
//! | the same without effects that are cheaper elsewhere | relaxed plans |
//! | what tasks need and do however refined | look-ahead, ordering |
//! | facts as values of variables | patterns, stubborn sets |
//! | landmarks of goal and root task | landmark counts, `commit` |
//! | the least that tasks cost | progression |
//! | the problem without tasks, as they promise it | `htn-promised` |
//! | the problem with one of all that cannot be told apart | every planner on a list |
//! | the problem with methods that begin alike made one | `htn-partial-at-once`, `-late`, `-optimal` |
//! | the problem with its order made total | `linear-…` |
//! | tail recursion as a classical problem | `htn-loop` |

mod once;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use planoku_engine::{EngineError, Run, Stop};

use crate::analysis::charge::{Charge, Weight};
use crate::analysis::dominated::undominated;
use crate::analysis::factor::{Factoring, factor};
use crate::analysis::infer::Inference;
use crate::analysis::landmarks::landmarks;
use crate::analysis::least::Least;
use crate::analysis::linearise::linearise;
use crate::analysis::merge::{Merging, merge, merge_few};
use crate::analysis::projection::Projection;
use crate::analysis::relax::Relaxation;
use crate::analysis::tail_recursion::{Macros, macros};
use crate::ground::finite::FiniteVariables;
use crate::ground::mutex::mutex_groups;
use crate::ground::{Derivation, Ground, Node};
use crate::state::world::World;
use once::Once;

/// A grounded problem with its analyses.
///
/// ```
/// use planoku_engine::{Engine, Run};
/// use planoku_planning::{Instance, ground::ground, planners::planners};
///
/// let domain = "(define (domain lamps)
///   (:predicates (lit) (cold))
///   (:action switch :parameters () :precondition (cold)
///     :effect (and (lit) (not (cold)))))";
/// let problem = "(define (problem one) (:domain lamps)
///   (:init (cold)) (:goal (lit)))";
/// let model = planoku_planning::read(domain, problem).0.unwrap();
/// let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
/// assert_eq!(instance.actions.len(), 1);
/// for planner in planners() {
///     // Whatever one of them computes, the next finds ready.
///     let _ = planner.solve(&instance, &mut Run::default());
/// }
/// ```
#[derive(Default)]
pub struct Instance {
    pub(crate) world: World,
    small: Relaxations<u32>,
    large: Relaxations<u128>,
    inference: Once<Inference>,
    variables: Once<FiniteVariables>,
    landmarks: Once<Option<Vec<u32>>>,
    least: Once<Least>,
    projection: Once<Box<Projection>>,
    merged: Once<Option<Box<Merged>>>,
    factored: Once<Option<Box<Factored>>>,
    linear: Once<Box<Linear>>,
    tail_recursion: Once<Result<Box<TailRecursion>, EngineError>>,
}

/// The problem with one of all that cannot be told apart.
pub(crate) struct Merged {
    pub(crate) instance: Instance,
    merging: Merging,
}

impl Merged {
    /// A derivation of the smaller problem in the words of the whole one.
    pub(crate) fn restore(&self, ground: &Ground, found: Derivation) -> Derivation {
        self.merging.restore(ground, found)
    }
}

/// The problem with methods that begin alike made one, and one of all that
/// cannot be told apart then.
pub(crate) struct Factored {
    whole: Instance,
    merged: Option<Merged>,
    factoring: Factoring,
}

impl Factored {
    /// The factored problem.
    pub(crate) fn instance(&self) -> &Instance {
        let merged = self.merged.as_ref().map(|it| &it.instance);
        merged.unwrap_or(&self.whole)
    }

    /// A derivation of the factored problem in the words of the problem that was
    /// factored.
    pub(crate) fn restore(&self, found: Derivation) -> Result<Derivation, EngineError> {
        let found = match &self.merged {
            Some(merged) => merged.restore(&self.whole, found),
            None => found,
        };
        self.factoring.restore(&self.whole, found)
    }
}

/// The problem with every method totally ordered.
pub(crate) struct Linear {
    pub(crate) instance: Instance,
    /// For each method, where its subtasks stood before.
    pub(crate) orders: Vec<Vec<usize>>,
}

/// A tail-recursive problem as a classical one.
pub(crate) struct TailRecursion {
    /// The classical problem: macros for actions.
    pub(crate) instance: Instance,
    macros: Macros,
}

impl TailRecursion {
    /// The derivation that a plan of macros stands for.
    pub(crate) fn derivation(&self, ground: &Ground, plan: &Derivation) -> Derivation {
        self.macros.derivation(ground, plan)
    }
}

/// The relaxation in one kind of number, by what operators are charged.
pub(crate) struct Relaxations<W> {
    steps: Once<Arc<Relaxation<W>>>,
    cost: Once<Arc<Relaxation<W>>>,
    both: Once<Arc<Relaxation<W>>>,
    lean_steps: Once<Arc<Relaxation<W>>>,
    lean_both: Once<Arc<Relaxation<W>>>,
}

impl<W> Default for Relaxations<W> {
    fn default() -> Relaxations<W> {
        Relaxations {
            steps: Once::default(),
            cost: Once::default(),
            both: Once::default(),
            lean_steps: Once::default(),
            lean_both: Once::default(),
        }
    }
}

/// Bytes of a relaxation for each part of the problem, about.
const RELAXATION: u64 = 32;

/// Numbers of which an instance keeps relaxations.
pub(crate) trait Kept: Weight + Sized {
    /// Where they are.
    fn kept(instance: &Instance) -> &Relaxations<Self>;
}

impl Kept for u32 {
    fn kept(instance: &Instance) -> &Relaxations<u32> {
        &instance.small
    }
}

impl Kept for u128 {
    fn kept(instance: &Instance) -> &Relaxations<u128> {
        &instance.large
    }
}

impl Instance {
    /// A problem of which nothing is known yet.
    pub fn new(ground: Ground) -> Instance {
        Instance {
            world: World::new(ground),
            ..Instance::default()
        }
    }

    /// The problem itself.
    pub fn ground(&self) -> &Ground {
        &self.world.ground
    }

    /// The problem without what was computed about it.
    pub fn into_ground(self) -> Ground {
        self.world.ground
    }

    /// The delete relaxation of the whole problem.
    pub(crate) fn relaxation<W: Kept>(
        &self,
        charge: Charge,
        run: &mut Run<'_>,
    ) -> Result<Arc<Relaxation<W>>, Stop> {
        let kept = W::kept(self);
        let cell = match charge {
            Charge::Steps => &kept.steps,
            Charge::Cost { .. } => &kept.cost,
            Charge::CostAndSteps => &kept.both,
        };
        let relaxation = cell.get(run, |run| {
            // Charged before it is spent: it is not done in pieces.
            run.effort(3 * self.size())?;
            run.check_growth(RELAXATION * self.size())?;
            Ok(Arc::new(Relaxation::new(&self.world, charge)))
        })?;
        Ok(relaxation.clone())
    }

    /// The delete relaxation without effects that another operator has for
    /// less, as far as that is known to be of no use to sums of costs and
    /// relaxed plans.
    pub(crate) fn lean_relaxation<W: Kept>(
        &self,
        charge: Charge,
        run: &mut Run<'_>,
    ) -> Result<Arc<Relaxation<W>>, Stop> {
        let kept = W::kept(self);
        let cell = match charge {
            Charge::Steps => &kept.lean_steps,
            Charge::CostAndSteps => &kept.lean_both,
            Charge::Cost { .. } => return self.relaxation(charge, run),
        };
        if self.root.is_some() || !self.numbers.is_empty() {
            return self.relaxation(charge, run);
        }
        let relaxation = cell.get(run, |run| {
            let whole = self.relaxation(charge, run)?;
            let makes = undominated(&whole, run)?;
            run.effort(3 * self.size())?;
            run.check_growth(RELAXATION * self.size())?;
            Ok(Arc::new(whole.making(&makes)))
        })?;
        Ok(relaxation.clone())
    }

    /// What tasks need and do, however they are refined.
    pub(crate) fn inference(&self, run: &mut Run<'_>) -> Result<&Inference, Stop> {
        self.inference
            .get(run, |run| Inference::new(&self.world, run))
    }

    /// Facts as values of variables, by mutex groups.
    pub(crate) fn variables(&self, run: &mut Run<'_>) -> Result<&FiniteVariables, Stop> {
        self.variables.get(run, |run| {
            let groups = mutex_groups(self, run)?;
            run.effort(self.size())?;
            Ok(FiniteVariables::new(self, &groups, |_| true))
        })
    }

    /// Literals, as the relaxation numbers them, that do not hold at the start
    /// and that every plan makes true; `None` if there are too many to look, or
    /// something cannot be reached.
    pub(crate) fn landmarks(&self, run: &mut Run<'_>) -> Result<Option<&[u32]>, Stop> {
        let found = self.landmarks.get(run, |run| {
            let relaxed = self.relaxation(Charge::Steps, run)?;
            let mut goals = relaxed.condition(&self.goal);
            goals.extend(self.root.map(|root| relaxed.node(Node::Task(root))));
            landmarks(&relaxed, &self.world.initial(), &goals, run)
        })?;
        Ok(found.as_deref())
    }

    /// The least that any refinement of a task costs.
    pub(crate) fn least(&self, run: &mut Run<'_>) -> Result<&Least, Stop> {
        self.least.get(run, |run| {
            run.effort(self.size() / 2)?;
            Ok(Least::new(self))
        })
    }

    /// The problem without tasks, as what these promise sees it.
    pub(crate) fn projection(&self, run: &mut Run<'_>) -> Result<&Projection, Stop> {
        let projection = self.projection.get(run, |run| {
            run.effort(4 * self.size())?;
            run.check_growth(RELAXATION * self.size() / 2)?;
            Ok(Box::new(Projection::new(&self.world, run)?))
        })?;
        Ok(projection)
    }

    /// The problem with one of all that cannot be told apart, if that is much
    /// smaller.
    pub(crate) fn merged(&self, run: &mut Run<'_>) -> Result<Option<&Merged>, Stop> {
        let merged = self.merged.get(run, |run| {
            let smaller = merge(self, run)?;
            Ok(smaller.map(|(ground, merging)| {
                let instance = Instance::new(ground);
                Box::new(Merged { instance, merging })
            }))
        })?;
        Ok(merged.as_deref())
    }

    /// The problem with methods that begin alike made one, if there are any.
    pub(crate) fn factored(&self, run: &mut Run<'_>) -> Result<Option<&Factored>, Stop> {
        let factored = self.factored.get(run, |run| {
            let Some((ground, factoring)) = factor(self, run)? else {
                return Ok(None);
            };
            // What is left to choose is often the same wherever it came from.
            let whole = Instance::new(ground);
            let merged = merge_few(&whole, run)?;
            Ok(Some(Box::new(Factored {
                merged: merged.map(|(ground, merging)| Merged {
                    instance: Instance::new(ground),
                    merging,
                }),
                whole,
                factoring,
            })))
        })?;
        Ok(factored.as_deref())
    }

    /// What planners on the list search, as far as is known by now: the smaller
    /// problem if there is one.
    pub(crate) fn searched(&self) -> &Instance {
        match self.merged.ready() {
            Some(Some(merged)) => &merged.instance,
            _ => self,
        }
    }

    /// The problem with every method totally ordered, by cause and effect.
    pub(crate) fn linear(&self, run: &mut Run<'_>) -> Result<&Linear, Stop> {
        let linear = self.linear.get(run, |run| {
            let inference = self.inference(run)?;
            let (ground, orders) = linearise(&self.world, inference, run)?;
            Ok(Box::new(Linear {
                instance: Instance::new(ground),
                orders,
            }))
        })?;
        Ok(linear)
    }

    /// Tail recursion as a classical problem, or why that cannot be.
    pub(crate) fn tail_recursion(
        &self,
        run: &mut Run<'_>,
    ) -> Result<Result<&TailRecursion, EngineError>, Stop> {
        let lifted = self.tail_recursion.get(run, |run| {
            run.effort(4 * self.size())?;
            let (lifted, effort) = macros(&self.world);
            run.effort(effort)?;
            Ok(lifted.map(|(classical, macros)| {
                Box::new(TailRecursion {
                    instance: Instance::new(classical),
                    macros,
                })
            }))
        })?;
        Ok(match lifted {
            Ok(lifted) => Ok(lifted),
            Err(why) => Err(why.clone()),
        })
    }
}

impl Deref for Instance {
    type Target = Ground;

    fn deref(&self) -> &Ground {
        &self.world.ground
    }
}

impl From<Ground> for Instance {
    fn from(ground: Ground) -> Instance {
        Instance::new(ground)
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Instance").field(&self.world.ground).finish()
    }
}
