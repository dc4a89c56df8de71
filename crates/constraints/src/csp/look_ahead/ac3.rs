//! Arc consistency by AC-3: strike values until every one that is left has
//! support at every neighbour.
//!
//! A value has support at a neighbour if the neighbour still has some value
//! that it goes with. When a variable loses values, its neighbours may lose
//! support, so they are looked at again, until nothing changes. (A. Mackworth,
//! "Consistency in networks of relations", 1977; run after every choice it is
//! MAC, "maintaining arc consistency": D. Sabin and E. Freuder, 1994.)
//!
//! The queue holds variables rather than arcs, lowest first; the result does
//! not depend on its order. Where two variables merely differ, values lose
//! support only once the other is down to one value, and only that one.

use super::LookAhead;
use crate::csp::follow;
use crate::csp::store::{Finder, Reason, Refuted, Store};
use crate::csp::values::{bits, is_single};

pub(crate) struct Ac3;

impl LookAhead for Ac3 {
    const SETTLES: bool = true;

    fn begin(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        spread(store, |_, _| {})
    }

    fn follow(&mut self, store: &mut Store<'_>, _: usize, _: u32) -> Result<(), Refuted> {
        spread(store, |_, _| {})
    }
}

/// Works off the queue of changed variables, and shows each to `also`.
#[inline]
pub(crate) fn spread(
    store: &mut Store<'_>,
    mut also: impl FnMut(&mut Store<'_>, usize),
) -> Result<(), Refuted> {
    let graph = store.graph;
    while let Some(variable) = store.changed.pop() {
        let left = store.values[variable];
        also(store, variable);
        if is_single(left) {
            let reason = Reason::Edge {
                other: variable as u32,
                table: 0,
            };
            let unequal = graph.unequal(variable);
            store.counters.checks += unequal.len() as u64;
            for &other in unequal {
                let finder = Finder::Pair(other, variable as u32);
                store.strike(other as usize, left, reason, finder)?;
            }
            if store.nogoods.is_some() {
                follow::follow(store, variable, left.trailing_zeros())?;
            }
        }
        for edge in graph.related(variable) {
            let other = edge.other as usize;
            let mut unsupported = 0;
            for value in bits(store.values[other]) {
                store.counters.checks += 1;
                if graph.support(edge.reverse, value) & left == 0 {
                    unsupported |= 1 << value;
                }
            }
            let reason = Reason::Edge {
                other: variable as u32,
                table: edge.reverse,
            };
            let finder = Finder::Pair(edge.other, variable as u32);
            store.strike(other, unsupported, reason, finder)?;
        }
    }
    Ok(())
}
