//! Graph-based backjumping: at a dead end, return to the deepest earlier
//! variable that shares a constraint with the dead one.
//!
//! Only the shape of the network is consulted, not which values clashed, so
//! nothing needs to be noted while searching. A level that is returned to
//! inherits the earlier neighbours of those that failed below it: changing
//! them might help too. (R. Dechter, "Enhancement schemes for constraint
//! processing: backjumping, learning, and cutset decomposition", 1990.)
//!
//! On Sudoku the deepest earlier neighbour is nearly always the cell before.

use super::LookBack;
use crate::csp::graph::Graph;
use crate::csp::level_sets::{LevelSets, members};

pub(crate) struct GraphBased<'g> {
    graph: &'g Graph,
    sets: LevelSets,
}

impl GraphBased<'_> {
    pub(crate) fn new(graph: &Graph) -> GraphBased<'_> {
        GraphBased {
            graph,
            sets: LevelSets::new(graph.len),
        }
    }
}

impl LookBack for GraphBased<'_> {
    const NOTES: bool = false;

    fn enter(&mut self, level: usize) {
        self.sets.clear(level);
        for edge in self.graph.earlier(level) {
            self.sets.insert(level, edge.other as usize);
        }
    }

    fn refuted(&mut self, _: usize, _: usize) {}

    fn solved(&mut self, level: usize) {
        self.sets.fill(level);
    }

    fn dead_end(&mut self, level: usize) -> Option<usize> {
        let target = self.sets.deepest(level)?;
        self.sets.merge(level, target);
        Some(target)
    }

    fn blamed(&self, level: usize) -> Vec<u32> {
        members(self.sets.row(level))
            .map(|level| level as u32)
            .collect()
    }
}
