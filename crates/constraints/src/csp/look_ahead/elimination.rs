//! All-different by elimination: a value that is taken is gone for the others,
//! and a value with one place left takes it.
//!
//! The first half is arc consistency between the members. The second half
//! needs the set to be tight, with no more values between the members than
//! there are members: then every value must be used, and one that only a single
//! member can take belongs to that member. With fewer values than members there
//! is no way at all (the pigeonhole principle). One pass finds both: it
//! collects the values seen once and those seen again. (Cited as the "simple
//! form" of the constraint in Russell and Norvig's textbook; on Sudoku the
//! second half is what solvers call a hidden single.)

use super::scopes::Filter;
use crate::csp::store::{Fact, Finder, Reason, Refuted, Store};
use crate::csp::values::{bits, is_single};

pub(crate) struct Elimination;

impl Filter for Elimination {
    #[inline]
    fn filter(&mut self, store: &mut Store<'_>, scope: usize) -> Result<(), Refuted> {
        let members = &store.graph.scopes[scope];
        let (mut once, mut again) = (0, 0);
        for &member in members {
            let values = store.values[member as usize];
            again |= once & values;
            once |= values;
        }
        store.counters.checks += 1;
        let spare = (once.count_ones() as usize).checked_sub(members.len());
        let finder = Finder::Scope(scope as u32);
        match spare {
            None => Err(store.contradict(members.iter().map(|&member| (member, !once)), finder)),
            Some(0) if once != again => place(store, scope, once, once & !again),
            Some(_) => Ok(()),
        }
    }
}

/// Gives each value in `unique` to the only member of the set that can take it.
fn place(store: &mut Store<'_>, scope: usize, all: u64, unique: u64) -> Result<(), Refuted> {
    let finder = Finder::Scope(scope as u32);
    let members = &store.graph.scopes[scope];
    for &member in members {
        let values = store.values[member as usize];
        let own = values & unique;
        if own == 0 || is_single(values) {
            continue;
        }
        // Everyone else lacks these values, and nobody has any beyond `all`.
        let facts = |own: u64| -> Vec<Fact> {
            let lacks = |&other: &u32| (other, !all | if other == member { 0 } else { own });
            members.iter().map(lacks).collect()
        };
        if !is_single(own) {
            let facts = if store.keeps_reasons {
                facts(own)
            } else {
                vec![]
            };
            return Err(store.contradict(facts, finder));
        }
        debug_assert_eq!(bits(own).count(), 1);
        let reason = if store.keeps_reasons {
            store.because(facts(own))
        } else {
            Reason::Root
        };
        store.strike(member as usize, !own, reason, finder)?;
    }
    Ok(())
}
