//! Forward search for plans.
//!
//! | file | what it knows |
//! |---|---|
//! | `world` | what an action does to a state |
//! | `states`, `stacks` | states and task stacks, each kept once and named by a number |
//! | `charge`, `buckets` | what operators are charged, in small numbers where that is exact |
//! | `relax`, `scope`, `estimate` | the delete relaxation with tasks inside, and what it says of a node |
//! | `infer`, `lookahead` | what tasks need and do however refined, and what that rules out ahead |
//! | `progression` | totally ordered search |
//! | `classical` | search over states |
//! | `delete_free` | cheapest plans where nothing becomes false |
//! | `commit` | which actions before in which order |
//! | `lmcut` | landmark cuts |
//! | `landmarks` | what every plan must make true |
//! | `loops` | tail recursion as a classical problem |
//! | `frontier` | queues of nodes |
//! | `lifted` | depth-first search without grounding |
//! | `partial`, `linear` | partially ordered search, and making the order total |
//! | `derive` | the decomposition tree from the order of choices |

mod buckets;
mod charge;
mod classical;
mod commit;
mod delete_free;
mod derive;
mod estimate;
mod frontier;
mod infer;
mod landmarks;
mod lifted;
mod linear;
mod lmcut;
mod lookahead;
mod loops;
mod milestones;
mod partial;
mod progression;
mod random;
mod relax;
mod scope;
mod stacks;
mod states;
mod world;

#[cfg(test)]
mod tests;

use planoku_engine::EngineError;

use crate::ground::Ground;
pub use classical::{Classical, Way, without_needless};
pub use commit::Commit;
pub use delete_free::DeleteFree;
pub use estimate::Estimate;
pub use lifted::{Lifted, LiftedBest};
pub use linear::Linear;
pub use loops::{Loops, LoopsOr, Macros};
pub use partial::Partial;
pub use progression::{Order, Pick, Progression};

/// The task a hierarchical problem begins with.
fn root_of(ground: &Ground) -> Result<u32, EngineError> {
    ground.root.ok_or_else(|| {
        EngineError::Unsupported("a classical problem has no tasks to refine".into())
    })
}

/// A hash of a row of words, good in its low bits.
#[inline]
pub(crate) fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in words {
        // Without the shift, high bits of a word would hardly reach low ones.
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash = hash.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash ^ (hash >> 32)
}
