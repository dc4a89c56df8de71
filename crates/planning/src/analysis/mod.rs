//! What follows from a grounded problem, whoever searches it.
//!
//! | file | what it knows |
//! |---|---|
//! | `charge`, `buckets` | what operators are charged, in small numbers where that is exact |
//! | `relax` | the delete relaxation with tasks inside |
//! | `infer` | what tasks need and do however refined |
//! | `landmarks` | what every plan must make true |
//! | `derive` | the decomposition tree from the order of choices |

pub(crate) mod buckets;
pub(crate) mod charge;
pub(crate) mod derive;
pub(crate) mod infer;
pub(crate) mod landmarks;
pub(crate) mod relax;
