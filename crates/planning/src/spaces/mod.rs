//! What searches walk through: nodes, how one leads to the next, where a plan
//! ends.
//!
//! | file | what it knows |
//! |---|---|
//! | `space` | the trait of spaces: start, successors, goal, number |
//! | `states` | states of a classical problem |
//! | `applicable` | which actions can be executed in a state |
//! | `task_stacks` | states and totally ordered tasks |
//! | `networks` | states and partially ordered tasks |
//! | `interference` | which of their actions may as well be executed at once |

mod applicable;
pub(crate) mod interference;
pub(crate) mod networks;
pub(crate) mod space;
pub(crate) mod states;
pub(crate) mod task_stacks;
