//! Searches for plans.
//!
//! | file | what it does |
//! |---|---|
//! | `best_first` | best-first search over any space: lazy, eager, depth first, A* |
//! | `classical`, `progression`, `partial` | its planners for states, for totally and for partially ordered tasks |
//! | `both_ends` | partially ordered tasks done from both ends |
//! | `cheapest` | two of them in turn, for a cheapest plan |
//! | `promising` | restarts by what tasks promise |
//! | `merged` | one of all that cannot be told apart |
//! | `in_turn` | partially ordered tasks that take turns |
//! | `factored` | methods that begin alike made one |
//! | `linear` | making a partial order total |
//! | `loops` | tail recursion as a classical problem |
//! | `commit` | which actions before in which order |
//! | `delete_free` | cheapest plans where nothing becomes false |
//! | `lifted`, `focus` | without grounding, and among few objects |
//! | `bound` | what plans have to be cheaper than |
//! | `open_list` | queues of nodes |
//! | `stuck` | where a search that found nothing came furthest |
//! | `shorten` | a plan, window by window, made cheaper |
//! | `tidy` | plans without needless steps |

mod best_first;
mod both_ends;
mod bound;
mod cheapest;
mod classical;
mod commit;
mod delete_free;
mod factored;
mod focus;
mod in_turn;
mod lifted;
mod linear;
mod loops;
mod merged;
mod open_list;
mod partial;
mod progression;
mod promising;
mod shorten;
mod strategy;
mod stuck;
mod tidy;

#[cfg(test)]
mod tests;

use planoku_engine::EngineError;

use crate::ground::Ground;
pub use both_ends::BothEnds;
pub use bound::Bound;
pub use cheapest::Cheapest;
pub use classical::{Classical, Way};
pub use commit::Commit;
pub use delete_free::DeleteFree;
pub(crate) use factored::Factored;
pub use focus::Focus;
pub use in_turn::InTurn;
pub use lifted::{Lifted, LiftedBest, LiftedLearn};
pub use linear::Linear;
pub use loops::{Loops, LoopsOr};
pub(crate) use merged::Merged;
pub use partial::{Pace, Partial};
pub use progression::{Order, Pick, Progression};
pub use promising::Promising;
pub(crate) use shorten::{Latest, Shorten};
pub use stuck::{Stuck, furthest};
pub use tidy::without_needless;

/// The task a hierarchical problem begins with.
pub(crate) fn root_of(ground: &Ground) -> Result<u32, EngineError> {
    ground.root.ok_or_else(|| {
        EngineError::Unsupported("a classical problem has no tasks to refine".into())
    })
}
