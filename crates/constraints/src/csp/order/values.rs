//! Value orders: try first what is easiest to live with.
//!
//! *Least constraining* counts, for each value, how many values it would
//! strike from the neighbours not yet assigned, and prefers the fewest
//! (Haralick and Elliott 1980 discuss the principle; the name is from Dechter
//! and Pearl). *Fewest placed* prefers the value that the fewest variables have
//! taken so far, those with a single value included, the improvement that the
//! conclusion of "The CSP Sudoku" proposes. Ties go to the smaller value, so that searches are repeatable.

use super::ValueOrder;
use crate::csp::graph::Graph;
use crate::csp::values::bits;

/// Fills `ranked` with the `values` of a variable, the best last.
///
/// `open` gives the values of a variable that is not yet assigned, and
/// `placed` counts the variables that have taken a value.
pub(crate) fn rank(
    order: ValueOrder,
    graph: &Graph,
    variable: usize,
    values: u64,
    open: impl Fn(usize) -> Option<u64>,
    placed: impl Fn(u32) -> usize,
    ranked: &mut Vec<u8>,
) {
    let cost = |value: u32| match order {
        ValueOrder::Ascending => 0,
        ValueOrder::FewestPlaced => placed(value),
        ValueOrder::LeastConstraining => (graph.edges(variable).iter())
            .filter_map(|edge| {
                let others = open(edge.other as usize)?;
                Some((others & !graph.support(edge.table, value)).count_ones() as usize)
            })
            .sum(),
    };
    ranked.clear();
    ranked.extend(bits(values).map(|value| value as u8));
    ranked.sort_by_cached_key(|&value| std::cmp::Reverse((cost(u32::from(value)), value)));
}
