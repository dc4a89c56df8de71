//! Every planner against the oracle, on random problems.

mod grounded;
mod lists;
mod planners;
