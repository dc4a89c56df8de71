//! Forward checking: tell the neighbours of the choice, and nobody else.
//!
//! Each variable that shares a constraint with the chosen one loses the values
//! that clash with the choice. A neighbour left with one value passes nothing
//! on; a neighbour left with none refutes the choice. The cheapest look-ahead,
//! and often the best bargain. (R. Haralick and G. Elliott, "Increasing tree
//! search efficiency for constraint satisfaction problems", 1980.)

use super::LookAhead;
use crate::csp::store::{Finder, Reason, Refuted, Store};

pub(crate) struct ForwardChecking;

impl LookAhead for ForwardChecking {
    const SETTLES: bool = false;

    fn begin(&mut self, store: &mut Store<'_>) -> Result<(), Refuted> {
        store.changed.clear();
        Ok(())
    }

    fn follow(
        &mut self,
        store: &mut Store<'_>,
        variable: usize,
        value: u32,
    ) -> Result<(), Refuted> {
        let graph = store.graph;
        for edge in graph.edges(variable) {
            store.counters.checks += 1;
            let reason = Reason::Edge {
                other: variable as u32,
                table: edge.reverse,
            };
            let finder = Finder::Pair(edge.other, variable as u32);
            let clash = !graph.support(edge.table, value);
            store.strike(edge.other as usize, clash, reason, finder)?;
        }
        store.changed.clear();
        crate::csp::follow::follow(store, variable, value)
    }
}
