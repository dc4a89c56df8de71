//! What is said of a node before it is searched: how far it is, and whether it
//! is dead.
//!
//! | file | what it knows |
//! |---|---|
//! | `heuristic` | the trait: a node in, an estimate out |
//! | `blind`, `add`, `ff`, `max`, `lmcut`, `novelty`, `promised` | one heuristic each |
//! | `relaxed` | what those over the delete relaxation share |
//! | `patterns` | what a few variables at a time know, or boxes, added up |
//! | `boxes` | boxes for each part of the goal and each landmark, to be added up as well |
//! | `orders` | how that is added up |
//! | `scope` | the relaxation seen from a stack of tasks |
//! | `landmark_count` | landmarks of a classical problem, counted |
//! | `task_landmarks` | landmarks of a hierarchical problem, counted |
//! | `times` | how often one of a set of actions has to be executed |
//! | `lookahead` | what the tasks ahead rule out |
//!
//! **A heuristic** is a file with a `new` (or a `Reading` of the relaxation)
//! and a line in the table of [`Estimate`]. Searches then know it, and so does
//! the list of planners: one that is never too high as A*, any other as greedy
//! search, under `htn-` and `strips-` with its name.

mod add;
mod blind;
mod boxes;
mod count;
mod ff;
pub(crate) mod heuristic;
pub(crate) mod landmark_count;
pub(crate) mod lmcut;
pub(crate) mod lookahead;
mod max;
mod novelty;
mod orders;
mod patterns;
mod promised;
mod relaxed;
pub(crate) mod scope;
pub(crate) mod task_landmarks;
mod times;

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::instance::Instance;
use heuristic::Heuristic;

/// The table: variant, name, whether it is never too high, how it is made.
macro_rules! heuristics {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $admissible:literal, $new:expr;)*) => {
        /// Which estimate guides the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Estimate {
            $($(#[$doc])* $variant,)*
        }

        impl Estimate {
            /// All of them.
            pub const ALL: &'static [Estimate] = &[$(Estimate::$variant,)*];

            /// The name it goes by.
            pub fn name(self) -> &'static str {
                match self {
                    $(Estimate::$variant => $name,)*
                }
            }

            /// True if it never exceeds the cost of the best plan.
            pub fn is_admissible(self) -> bool {
                match self {
                    $(Estimate::$variant => $admissible,)*
                }
            }

            /// The names of planners that follow it alone: for hierarchical and
            /// for classical problems.
            pub(crate) fn planners(self) -> (&'static str, &'static str) {
                match self {
                    $(Estimate::$variant => (concat!("htn-", $name), concat!("strips-", $name)),)*
                }
            }

            fn make(self) -> Make {
                match self {
                    $(Estimate::$variant => $new,)*
                }
            }
        }
    };
}

heuristics! {
    /// None: every node looks alike.
    Blind, "blind", true, blind::new;
    /// The sum over what is left to do of additive costs.
    Add, "add", false, relaxed::relaxed::<add::Add, add::Add>;
    /// The size of one relaxed plan for all that is left.
    Ff, "ff", false, relaxed::relaxed::<ff::Ff<false>, ff::Ff<false>>;
    /// The dearest thing left to do. Never too high.
    Max, "max", true, relaxed::relaxed::<max::Max, max::Max>;
    /// Landmark cuts. Never too high.
    LmCut, "lmcut", true, relaxed::relaxed::<lmcut::LmCut<u32>, lmcut::LmCut<u128>>;
    /// Pattern databases and Cartesian abstractions under saturated cost
    /// partitionings. Never too high.
    Patterns, "patterns", true, patterns::new;
    /// The size of a relaxed plan, novel states first.
    Novelty, "novelty", false, novelty::of_plans;
    /// How many tasks and goals are open.
    Count, "count", false, count::new;
    /// How many tasks and goals are open, novel states first.
    Width, "width", false, novelty::of_counts;
    /// The size of a relaxed plan of actions for what the tasks left promise.
    Promised, "promised", false, promised::new;
    /// The same, novel states first.
    PromisedNovel, "promised-novel", false, novelty::of_promises;
}

/// The size of one relaxed plan for all that is left, made without effects that
/// another operator has for less: another opinion where one action does several
/// things, and a quicker one where many do.
pub(crate) fn of_lean_plans<'a>(
    instance: &'a Instance,
    run: &mut Run<'_>,
) -> Result<Box<dyn Heuristic + 'a>, Stop> {
    relaxed::relaxed::<ff::Ff<true>, ff::Ff<true>>(instance, Charge::Steps, run)
}

/// Makes a heuristic for one instance, given what operators are charged.
type Make = for<'a> fn(&'a Instance, Charge, &mut Run<'_>) -> Result<Box<dyn Heuristic + 'a>, Stop>;

impl Estimate {
    /// The heuristic for one instance: admissible ones count what actions cost,
    /// others how much there is to do.
    pub(crate) fn heuristic<'a>(
        self,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<Box<dyn Heuristic + 'a>, Stop> {
        let charge = match self.is_admissible() {
            true => Charge::cost(instance),
            false => Charge::Steps,
        };
        self.charging(instance, charge, run)
    }

    /// The same with charges of the caller's own.
    pub(crate) fn charging<'a>(
        self,
        instance: &'a Instance,
        charge: Charge,
        run: &mut Run<'_>,
    ) -> Result<Box<dyn Heuristic + 'a>, Stop> {
        (self.make())(instance, charge, run)
    }
}
