//! Variable orders: take next what is hardest to serve.
//!
//! *Fewest values* ("fail first", Haralick and Elliott 1980; also called
//! minimum remaining values) takes the variable with the fewest values left.
//! Ties are many at the start; *then degree* breaks them by the most neighbours
//! not yet settled (D. Brélaz's rule for colouring, 1979). *Weighted degree*
//! is in [`super::weights`]. What ties remain go to the lowest variable, so
//! that searches are repeatable.

use super::VariableOrder;
use super::weights::Weights;
use crate::csp::graph::Graph;
use crate::csp::store::Store;
use crate::csp::values::is_single;

/// Chooses variables, and learns from conflicts if the order does.
pub(crate) struct Chooser {
    order: VariableOrder,
    weights: Option<Weights>,
}

impl Chooser {
    pub(crate) fn new(order: VariableOrder, graph: &Graph) -> Chooser {
        Chooser {
            order,
            weights: (order == VariableOrder::WeightedDegree).then(|| Weights::new(graph)),
        }
    }

    /// The best of the variables that are still `open`.
    pub(crate) fn choose(&self, store: &Store<'_>, open: impl Fn(usize) -> bool) -> Option<usize> {
        match (self.order, &self.weights) {
            (VariableOrder::Static, _) => (0..store.graph.len).find(|variable| open(*variable)),
            (_, Some(weights)) => weights.choose(store, open),
            (VariableOrder::FewestValues, _) => fewest(store, open, |_| 0),
            (_, None) => fewest(store, open, |variable| {
                let open_neighbour = |edge: &&_| !is_single(store.values[neighbour(edge)]);
                let edges = store.graph.edges(variable);
                edges.iter().filter(open_neighbour).count()
            }),
        }
    }

    /// Notes the conflict on record in `store`.
    pub(crate) fn refuted(&mut self, store: &Store<'_>) {
        if let Some(weights) = &mut self.weights {
            weights.refuted(store);
        }
    }
}

fn neighbour(edge: &crate::csp::graph::Edge) -> usize {
    edge.other as usize
}

/// Fewest values first, then the highest `bonus`, then the lowest variable.
#[inline]
fn fewest(
    store: &Store<'_>,
    open: impl Fn(usize) -> bool,
    bonus: impl Fn(usize) -> usize,
) -> Option<usize> {
    let mut best = None;
    let mut best_size = u32::MAX;
    let mut best_bonus = 0;
    for (variable, values) in store.values.iter().enumerate() {
        if !open(variable) {
            continue;
        }
        let size = values.count_ones();
        if size > best_size {
            continue;
        }
        let bonus = bonus(variable);
        if size < best_size || bonus > best_bonus {
            (best, best_size, best_bonus) = (Some(variable), size, bonus);
        }
    }
    best
}
