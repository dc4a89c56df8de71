//! Who searches, and for how long: the list of planners, and policies that let
//! several of them take turns.

#[cfg(feature = "threads")]
pub mod anytime;
pub mod planners;
#[cfg(feature = "threads")]
pub mod portfolio;
