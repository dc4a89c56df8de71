//! What plans have to be cheaper than.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cost::Cost;

/// A limit on the cost of plans, which all its clones share: searches that
/// improve a plan together hear of what the others have found.
///
/// ```
/// use planoku_planning::cost::Cost;
/// use planoku_planning::search::Bound;
///
/// let bound = Bound::from(Cost::from(7));
/// let other = bound.clone();
/// assert!(other.lower(Cost::from(5)));
/// assert!(!bound.lower(Cost::from(6)));
/// assert_eq!(bound.get(), Some(Cost::from(5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bound(Arc<Mutex<Option<Cost>>>);

impl Bound {
    /// Plans are wanted that cost less than this; `None` if any is.
    pub fn get(&self) -> Option<Cost> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on plans have to be cheaper than this; false if they had to be
    /// anyway.
    pub fn lower(&self, cost: Cost) -> bool {
        let mut bound = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lower = bound.is_none_or(|bound| cost < bound);
        if lower {
            *bound = Some(cost);
        }
        lower
    }
}

impl From<Cost> for Bound {
    fn from(cost: Cost) -> Bound {
        Bound::from(Some(cost))
    }
}

impl From<Option<Cost>> for Bound {
    fn from(cost: Option<Cost>) -> Bound {
        Bound(Arc::new(Mutex::new(cost)))
    }
}
