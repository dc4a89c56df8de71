//! What nodes of a search are made of: states, stacks of tasks, and what an
//! action does to a state.
//!
//! | file | what it knows |
//! |---|---|
//! | `world` | what an action does to a state |
//! | `values` | what it does to the numbers of one |
//! | `states` | states, each kept once and named by a number |
//! | `stacks` | tasks still to be done, in order, shared between nodes |
//! | `hash` | hashes of both |

pub(crate) mod hash;
pub(crate) mod stacks;
pub(crate) mod states;
pub(crate) mod values;
pub(crate) mod world;
