//! What is said of a node before it is searched: how far it is, and whether it
//! is dead.
//!
//! | file | what it knows |
//! |---|---|
//! | `estimate` | the relaxation's estimates: blind, max, add, FF |
//! | `lmcut` | landmark cuts |
//! | `scope` | the relaxation seen from a stack of tasks |
//! | `task_landmarks` | landmarks of a hierarchical problem, counted |
//! | `lookahead` | what the tasks ahead rule out |

pub(crate) mod estimate;
pub(crate) mod lmcut;
pub(crate) mod lookahead;
pub(crate) mod scope;
pub(crate) mod task_landmarks;

pub use estimate::Estimate;
