//! What searches walk through: nodes, how one leads to the next, where a plan
//! ends.
//!
//! | file | what it knows |
//! |---|---|
//! | `space` | the trait of spaces: start, successors, goal, number |
//! | `states` | states of a classical problem |
//! | `applicable` | which actions can be executed in a state |
//! | `stubborn` | which of them may wait |
//! | `task_stacks` | states and totally ordered tasks |
//! | `networks` | states and partially ordered tasks |
//! | `network` | one of them, and how it changes |
//! | `both_ends` | the same, with something taken off the end as well |
//! | `course` | a plan as it is carried out, point by point |
//! | `detours` | other ways from one of its points to a later one |
//! | `weave` | a few variables anew, while all others do what a plan does |
//! | `corners` | what the refinements of tasks can begin with |
//! | `prospects` | whether what remains could be done if nothing became false again |
//! | `interference` | which of their actions may as well be executed at once |

pub(crate) mod applicable;
pub(crate) mod both_ends;
mod corners;
pub(crate) mod course;
pub(crate) mod detours;
pub(crate) mod interference;
mod network;
pub(crate) mod networks;
pub(crate) mod prospects;
pub(crate) mod space;
pub(crate) mod states;
pub(crate) mod stubborn;
pub(crate) mod task_stacks;
pub(crate) mod weave;
