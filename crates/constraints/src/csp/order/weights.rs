//! Weighted degree: constraints that keep refuting things mark the hard part.
//!
//! Every constraint has a weight that grows by one each time it takes the last
//! value from a variable. A variable's weighted degree is the sum over its
//! constraints that still have another unsettled variable; the next variable is
//! the one with the fewest values per weighted degree. The search is drawn to
//! where it keeps failing, and stays there. (F. Boussemart, F. Hemery,
//! C. Lecoutre and L. Saïs, "Boosting systematic search by weighting
//! constraints", 2004: the heuristic dom/wdeg.)
//!
//! Pairs start at weight 1. A set that must all differ starts at 0, as its
//! pairs are counted already, and gains weight when a filter of sets refutes.

use crate::csp::graph::Graph;
use crate::csp::store::{Finder, Store};
use crate::csp::values::is_single;

pub(crate) struct Weights {
    pairs: Vec<u32>,
    scopes: Vec<u32>,
}

impl Weights {
    pub(crate) fn new(graph: &Graph) -> Weights {
        Weights {
            pairs: vec![1; graph.pairs],
            scopes: vec![0; graph.scopes.len()],
        }
    }

    pub(crate) fn refuted(&mut self, store: &Store<'_>) {
        match store.finder {
            Finder::Pair(a, b) => {
                if let Some(pair) = store.graph.pair_of(a as usize, b as usize) {
                    self.pairs[pair] += 1;
                }
            }
            Finder::Scope(scope) => self.scopes[scope as usize] += 1,
            Finder::Nogood => {}
        }
    }

    pub(crate) fn choose(&self, store: &Store<'_>, open: impl Fn(usize) -> bool) -> Option<usize> {
        let mut best = None;
        // Compare a / b < c / d as a * d < c * b; a variable on its own has
        // degree 0 and comes last.
        let (mut best_size, mut best_degree) = (1, 0);
        for (variable, values) in store.values.iter().enumerate() {
            if !open(variable) {
                continue;
            }
            let size = u64::from(values.count_ones());
            let degree = self.degree(store, variable);
            if best.is_none() || size * best_degree < best_size * degree {
                (best, best_size, best_degree) = (Some(variable), size, degree);
            }
        }
        best
    }

    fn degree(&self, store: &Store<'_>, variable: usize) -> u64 {
        let unsettled = |other: u32| !is_single(store.values[other as usize]);
        let pairs = (store.graph.edges(variable).iter())
            .filter(|edge| unsettled(edge.other))
            .map(|edge| u64::from(self.pairs[edge.pair as usize]));
        let scopes = (store.graph.scopes_of(variable).iter())
            .filter(|scope| {
                self.scopes[**scope as usize] > 0
                    && (store.graph.scopes[**scope as usize].iter())
                        .any(|other| *other as usize != variable && unsettled(*other))
            })
            .map(|scope| u64::from(self.scopes[*scope as usize]));
        pairs.sum::<u64>() + scopes.sum::<u64>()
    }
}
