//! Who searches, and for how long.
//!
//! | file | what it knows |
//! |---|---|
//! | `planners` | the list of planners: what each takes and claims, how it is made |
//! | `teams` | who is asked about which problem, and for what share of the time |
//! | `features`, `guess`, `weights` | what a model looks like, and who will therefore plan it |
//! | `members` | planners as members of a team: their speed and their start |
//! | `scheduler` | turns on threads, for the team of a policy |
//! | `portfolio`, `cheaper` | the policies: one plan; ever cheaper ones |
//! | `anytime` | the one, then the other |
//! | `rounds` | turns without threads |

#[cfg(feature = "threads")]
pub mod anytime;
#[cfg(feature = "threads")]
mod cheaper;
#[cfg(feature = "threads")]
mod features;
#[cfg(feature = "threads")]
mod guess;
#[cfg(feature = "threads")]
mod members;
pub mod planners;
#[cfg(feature = "threads")]
pub mod portfolio;
pub mod rounds;
#[cfg(feature = "threads")]
mod scheduler;
mod teams;
#[cfg(feature = "threads")]
mod weights;
