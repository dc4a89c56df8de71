//! All-different by naked sets: where `k` variables have only `k` values
//! between them, nobody else gets those values.
//!
//! Such a set of variables is a Hall set, after P. Hall's theorem of 1935: the
//! whole constraint has a solution exactly if no `k` variables have fewer than
//! `k` values between them. Looking at all subsets would be dear; here the
//! candidates are the values of one member and the joint values of two. That
//! finds every naked pair and triple, and those larger sets that two of their
//! members span. [`Elimination`] runs first.

use super::elimination::Elimination;
use super::scopes::Filter;
use crate::csp::store::{Finder, Reason, Refuted, Store};
use crate::csp::values::is_single;

pub(crate) struct Hall;

impl Filter for Hall {
    fn filter(&mut self, store: &mut Store<'_>, scope: usize) -> Result<(), Refuted> {
        Elimination.filter(store, scope)?;
        let members = &store.graph.scopes[scope];
        for (at, &first) in members.iter().enumerate() {
            for &second in &members[at..] {
                // Read afresh each time: striking below changes them.
                let (a, b) = (store.values[first as usize], store.values[second as usize]);
                if !is_single(a) && (at + 1 == members.len() || !is_single(b)) {
                    confine(store, scope, a | b)?;
                }
            }
        }
        Ok(())
    }
}

/// If as many members as there are values in `hall` are confined to them,
/// strikes those values from the other members.
fn confine(store: &mut Store<'_>, scope: usize, hall: u64) -> Result<(), Refuted> {
    let members = &store.graph.scopes[scope];
    let size = hall.count_ones() as usize;
    if size >= members.len() {
        return Ok(());
    }
    store.counters.checks += 1;
    let values = &store.values;
    let confined = |&&member: &&u32| values[member as usize] & !hall == 0;
    let inside = members.iter().filter(confined).count();
    if inside < size {
        return Ok(());
    }
    let finder = Finder::Scope(scope as u32);
    let set: Vec<u32> = members.iter().filter(confined).copied().collect();
    if inside > size {
        return Err(store.contradict(set.into_iter().map(|member| (member, !hall)), finder));
    }
    let mut reason = None;
    for &member in members {
        if set.contains(&member) || store.values[member as usize] & hall == 0 {
            continue;
        }
        let because = match reason {
            Some(reason) => reason,
            None if store.keeps_reasons => store.because(set.iter().map(|&member| (member, !hall))),
            None => Reason::Root,
        };
        reason = Some(because);
        store.strike(member as usize, hall, because, finder)?;
    }
    Ok(())
}
