//! All-different constraints on top of arc consistency.
//!
//! The three filters for sets that must all differ share one frame: first the
//! pairs are made arc consistent, which costs next to nothing, then one set
//! whose members lost values is filtered, and so on until nothing changes.
//! Filters are layered, each running the cheaper ones before itself.

use super::LookAhead;
use super::ac3;
use crate::csp::store::{Refuted, Store};

/// Strikes values by looking at one set of variables that must all differ.
pub(crate) trait Filter {
    fn filter(&mut self, store: &mut Store<'_>, scope: usize) -> Result<(), Refuted>;
}

pub(crate) struct Scopes<F>(pub F);

impl<F: Filter> LookAhead for Scopes<F> {
    const SETTLES: bool = true;

    fn begin(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        self.spread(store)
    }

    fn follow(&mut self, store: &mut Store<'_>, _: usize, _: u32) -> Result<(), Refuted> {
        self.spread(store)
    }
}

impl<F: Filter> Scopes<F> {
    fn spread(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        loop {
            ac3::spread(store, |store, variable| {
                for &scope in store.graph.scopes_of(variable) {
                    store.stirred.insert(scope as usize);
                }
            })?;
            match store.stirred.pop() {
                Some(scope) => self.0.filter(store, scope)?,
                None => return Ok(()),
            }
        }
    }
}
