//! The best plan that anybody has found so far.

use std::sync::{Arc, Mutex, PoisonError};

use crate::plan::Plan;

/// A plan, which all clones share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latest(Arc<Mutex<Option<Arc<Plan>>>>);

impl Latest {
    /// The plan, if there is one.
    pub(crate) fn get(&self) -> Option<Arc<Plan>> {
        let plan = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        plan.clone()
    }

    /// From now on it is this one.
    pub(crate) fn set(&self, plan: &Plan) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(Arc::new(plan.clone()));
    }
}
