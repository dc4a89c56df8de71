//! Arc consistency by AC-2001: remember where support was last found.
//!
//! AC-3 looks for the support of a value from the beginning each time. AC-2001
//! remembers the smallest support of every value at every neighbour: while it
//! stands nothing needs doing, and when it falls the next is sought only behind
//! it, for all before it have fallen already. That makes the work per
//! constraint quadratic in the number of values, which is optimal.
//! (C. Bessière and J.-C. Régin, "Refining the basic constraint propagation
//! algorithm", 2001; Zhang and Yap, 2001.)
//!
//! "Before it have fallen" is only true as long as no value comes back, so the
//! memory is put back together with the values when the search returns.

use super::LookAhead;
use crate::csp::follow;
use crate::csp::graph::Graph;
use crate::csp::store::{Finder, Reason, Refuted, Store};
use crate::csp::values::{bits, is_single};

pub(crate) struct Ac2001 {
    /// The smallest support for value `v` of the other side of edge `e`, where
    /// edges are numbered variable by variable: `support[(first + e) << 6 | v]`.
    support: Vec<u8>,
    first: Vec<usize>,
    /// What the memory held before it was changed.
    trail: Vec<(u32, u8)>,
}

impl Ac2001 {
    pub(crate) fn new(graph: &Graph) -> Ac2001 {
        let mut edges = 0;
        let first = (0..graph.len)
            .map(|variable| {
                edges += graph.edges(variable).len();
                edges - graph.edges(variable).len()
            })
            .collect();
        Ac2001 {
            support: vec![0; edges << 6],
            first,
            trail: Vec::new(),
        }
    }

    fn spread(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        let graph = store.graph;
        while let Some(variable) = store.changed.pop() {
            let left = store.values[variable];
            for (at, edge) in graph.edges(variable).iter().enumerate() {
                let other = edge.other as usize;
                let row = self.first[variable] + at;
                let mut unsupported = 0;
                for value in bits(store.values[other]) {
                    let slot = row << 6 | value as usize;
                    let known = self.support[slot];
                    store.counters.checks += 1;
                    let supports = graph.support(edge.reverse, value) & left;
                    if supports >> known & 1 == 1 {
                        continue;
                    }
                    let behind = supports & (u64::MAX << known);
                    if behind == 0 {
                        unsupported |= 1 << value;
                    } else {
                        store.counters.checks += 1;
                        self.trail.push((slot as u32, known));
                        self.support[slot] = behind.trailing_zeros() as u8;
                    }
                }
                let reason = Reason::Edge {
                    other: variable as u32,
                    table: edge.reverse,
                };
                let finder = Finder::Pair(edge.other, variable as u32);
                store.strike(other, unsupported, reason, finder)?;
            }
            if store.nogoods.is_some() && is_single(left) {
                follow::follow(store, variable, left.trailing_zeros())?;
            }
        }
        Ok(())
    }
}

impl LookAhead for Ac2001 {
    const SETTLES: bool = true;

    fn begin(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        self.spread(store)?;
        // What was struck before the first choice stays struck.
        self.trail.clear();
        Ok(())
    }

    fn follow(&mut self, store: &mut Store<'_>, _: usize, _: u32) -> Result<(), Refuted> {
        self.spread(store)
    }

    fn mark(&self) -> usize {
        self.trail.len()
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((slot, known)) = self.trail.pop() {
                self.support[slot as usize] = known;
            }
        }
    }
}
