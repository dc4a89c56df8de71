//! What follows from a grounded problem, whoever searches it.
//!
//! | file | what it knows |
//! |---|---|
//! | `charge`, `buckets` | what operators are charged, in small numbers where that is exact |
//! | `relax` | the delete relaxation with tasks inside |
//! | `explore` | what literals cost from a state, and relaxed plans |
//! | `abstraction` | the problem as a few variables see it |
//! | `cartesian`, `tree` | the problem as boxes see it, and how a state finds its box |
//! | `refine` | boxes divided where a plan goes wrong |
//! | `finite_problem` | actions in the words of finite variables |
//! | `dominated` | what the relaxation can do without |
//! | `repeat` | how often actions help comparisons of numbers |
//! | `infer` | what tasks need and do however refined |
//! | `landmarks` | what every plan must make true |
//! | `promises` | the facts and actions that a task comes by, however refined |
//! | `projection` | the problem without tasks, as promises see it |
//! | `least` | the least that a task costs, preconditions aside |
//! | `merge` | what cannot be told apart, merged |
//! | `empty` | what can come to no action at all |
//! | `factor` | methods that begin alike share their beginning |
//! | `linearise` | partial order made total by cause and effect |
//! | `tail_recursion` | a loop of tasks as a classical problem |
//! | `derive` | the decomposition tree from the order of choices |

pub(crate) mod abstraction;
pub(crate) mod buckets;
pub(crate) mod cartesian;
pub(crate) mod charge;
pub(crate) mod derive;
pub(crate) mod dominated;
pub(crate) mod empty;
pub(crate) mod explore;
pub(crate) mod factor;
pub(crate) mod finite_problem;
pub(crate) mod infer;
pub(crate) mod landmarks;
pub(crate) mod least;
pub(crate) mod linearise;
pub(crate) mod merge;
pub(crate) mod projection;
pub(crate) mod promises;
pub(crate) mod refine;
pub(crate) mod relax;
pub(crate) mod repeat;
pub(crate) mod tail_recursion;
pub(crate) mod tree;
