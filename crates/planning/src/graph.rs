//! Orders and circles: what comes before what in a network of subtasks, and
//! which tasks lead to one another.
//!
//! Everything here takes time about linear in the edges, for networks may have
//! tens of thousands of subtasks and hierarchies as many levels. Only where an
//! order is neither total nor empty does its transitive reduction need a row
//! of bits per subtask.

use planoku_engine::{Run, Stop};

/// The order of a network, in positions of a sequence that respects it.
pub(crate) struct Order {
    /// The places of the subtasks, the smallest first among those that are
    /// free. Shorter than the network if it has a circle.
    pub(crate) sequence: Vec<u32>,
    /// `(a, b)`: position `a` before `b`; transitively reduced.
    pub(crate) reduced: Vec<(u32, u32)>,
    /// True if only one sequence respects the order.
    pub(crate) total: bool,
}

impl Order {
    /// The order of `count` subtasks given as pairs of places.
    pub(crate) fn of(
        count: usize,
        ordering: &[(u32, u32)],
        run: &mut Run<'_>,
    ) -> Result<Order, Stop> {
        run.effort((count + ordering.len()) as u64)?;
        let sequence: Vec<u32> = arrange(count, ordering, |_| 0)
            .into_iter()
            .map(|place| place as u32)
            .collect();
        let mut position = vec![0; count];
        for (at, &place) in sequence.iter().enumerate() {
            position[place as usize] = at as u32;
        }
        let mut edges: Vec<(u32, u32)> = ordering
            .iter()
            .map(|&(a, b)| (position[a as usize], position[b as usize]))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        // In the only sequence there is, neighbours are ordered directly.
        let steps = edges.iter().filter(|(a, b)| a + 1 == *b).count();
        let total = steps + 1 >= count;
        let reduced = match total {
            true => edges.into_iter().filter(|(a, b)| a + 1 == *b).collect(),
            false => reduce(count, &edges, run)?,
        };
        Ok(Order {
            sequence,
            reduced,
            total,
        })
    }
}

/// The edges that do not follow from others. Edges are sorted and lead to
/// later nodes.
fn reduce(count: usize, edges: &[(u32, u32)], run: &mut Run<'_>) -> Result<Vec<(u32, u32)>, Stop> {
    let words = count.div_ceil(64);
    // Only nodes that something follows need a row.
    let mut row = vec![u32::MAX; count];
    let mut rows = 0;
    for &(a, _) in edges {
        if row[a as usize] == u32::MAX {
            row[a as usize] = rows;
            rows += 1;
        }
    }
    run.check_growth(rows as u64 * words as u64 * 8)?;
    let mut reaches = vec![0u64; rows as usize * words];
    let mut kept = Vec::new();
    let mut ends = edges.len();
    while ends > 0 {
        let node = edges[ends - 1].0;
        let begin = edges[..ends].partition_point(|edge| edge.0 < node);
        let own = row[node as usize] as usize * words;
        for &(_, next) in &edges[begin..ends] {
            run.effort(1 + words as u64 / 8)?;
            let bit = 1 << (next % 64);
            if reaches[own + next as usize / 64] & bit != 0 {
                continue;
            }
            kept.push((node, next));
            reaches[own + next as usize / 64] |= bit;
            if row[next as usize] != u32::MAX {
                let other = row[next as usize] as usize * words;
                for word in 0..words {
                    reaches[own + word] |= reaches[other + word];
                }
            }
        }
        ends = begin;
    }
    kept.sort_unstable();
    Ok(kept)
}

/// Subtasks in an order that respects the constraints: `pick` chooses among so
/// many that are ready, smallest place first. Those on a circle are left out.
pub(crate) fn arrange(
    count: usize,
    ordering: &[(u32, u32)],
    mut pick: impl FnMut(usize) -> usize,
) -> Vec<usize> {
    let mut waiting = vec![0u32; count];
    let mut first = vec![0u32; count + 1];
    for &(a, b) in ordering {
        waiting[b as usize] += 1;
        first[a as usize + 1] += 1;
    }
    for place in 0..count {
        first[place + 1] += first[place];
    }
    let mut next = first.clone();
    let mut later = vec![0u32; ordering.len()];
    for &(a, b) in ordering {
        later[next[a as usize] as usize] = b;
        next[a as usize] += 1;
    }
    // The largest place first, so that the smallest is taken from the end.
    let mut ready: Vec<usize> = (0..count).rev().filter(|&it| waiting[it] == 0).collect();
    let mut order = Vec::with_capacity(count);
    while !ready.is_empty() {
        let chosen = pick(ready.len());
        let place = ready.remove(ready.len() - 1 - chosen);
        order.push(place);
        for &after in &later[first[place] as usize..first[place + 1] as usize] {
            let after = after as usize;
            waiting[after] -= 1;
            if waiting[after] == 0 {
                let at = ready.partition_point(|&other| other > after);
                ready.insert(at, after);
            }
        }
    }
    order
}

/// Strongly connected components, deepest first (Tarjan 1972), without
/// recursion: those reachable from `roots`, each after every component it
/// leads to. `next` lists the successors of a node.
pub(crate) fn components<I: Iterator<Item = usize>>(
    nodes: usize,
    roots: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; nodes];
    let mut low = vec![0u32; nodes];
    let mut open = vec![false; nodes];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut counter = 0u32;
    for root in roots {
        if order[root] != UNSEEN {
            continue;
        }
        let mut path: Vec<(usize, I)> = Vec::new();
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                order[node] = counter;
                low[node] = counter;
                counter += 1;
                open[node] = true;
                stack.push(node);
                path.push((node, next(node)));
            }
            let Some((node, successors)) = path.last_mut() else {
                break;
            };
            let node = *node;
            match successors.next() {
                Some(successor) if order[successor] == UNSEEN => entering = Some(successor),
                Some(successor) => {
                    if open[successor] {
                        low[node] = low[node].min(order[successor]);
                    }
                }
                None => {
                    path.pop();
                    if let Some((parent, _)) = path.last() {
                        low[*parent] = low[*parent].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let start = stack.iter().rposition(|n| *n == node).unwrap_or(0);
                        let component = stack.split_off(start);
                        component.iter().for_each(|n| open[*n] = false);
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(count: usize, ordering: &[(u32, u32)], total: bool, reduced: &[(u32, u32)]) {
        let order = Order::of(count, ordering, &mut Run::default()).unwrap();
        assert_eq!(order.total, total, "{ordering:?}");
        assert_eq!(order.reduced, reduced, "{ordering:?}");
    }

    #[test]
    fn an_order_is_reduced_to_what_does_not_follow() {
        check(3, &[(0, 1), (1, 2), (0, 2)], true, &[(0, 1), (1, 2)]);
        check(3, &[(2, 1), (1, 0)], true, &[(0, 1), (1, 2)]);
        check(3, &[(0, 2), (1, 2)], false, &[(0, 2), (1, 2)]);
        check(
            4,
            &[(0, 1), (1, 3), (0, 3), (2, 3)],
            false,
            &[(0, 1), (1, 3), (2, 3)],
        );
        check(2, &[], false, &[]);
        check(1, &[], true, &[]);
        check(0, &[], true, &[]);
    }

    #[test]
    fn reduction_is_judged_by_all_paths_between_all_pairs() {
        let mut random = crate::random::Random::new(7);
        for _ in 0..300 {
            let count = 2 + random.below(9);
            let mut ordering = Vec::new();
            for b in 1..count as u32 {
                for a in 0..b {
                    if random.below(3) == 0 {
                        ordering.push((a, b));
                    }
                }
            }
            let order = Order::of(count, &ordering, &mut Run::default()).unwrap();
            let mut reaches = vec![vec![false; count]; count];
            for &(a, b) in &ordering {
                reaches[a as usize][b as usize] = true;
            }
            for middle in 0..count {
                for a in 0..count {
                    for b in 0..count {
                        reaches[a][b] |= reaches[a][middle] && reaches[middle][b];
                    }
                }
            }
            let mut expected = Vec::new();
            let mut total = true;
            for a in 0..count {
                for b in a + 1..count {
                    let between = (0..count).any(|it| reaches[a][it] && reaches[it][b]);
                    total &= reaches[a][b];
                    if reaches[a][b] && !between {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            assert_eq!(order.sequence, (0..count as u32).collect::<Vec<_>>());
            assert_eq!(order.reduced, expected, "{ordering:?}");
            assert_eq!(order.total, total, "{ordering:?}");
        }
    }

    #[test]
    fn an_order_of_a_hundred_thousand_is_read_in_linear_work() {
        let count = 100_000;
        let chain: Vec<(u32, u32)> = (1..count).map(|it| (it - 1, it)).collect();
        let mut run = Run::default();
        let order = Order::of(count as usize, &chain, &mut run).unwrap();
        assert!(order.total && order.reduced == chain);
        // All but one ordered: not total, and still no work beyond the rows.
        let order = Order::of(10_000, &chain[..9_000], &mut run).unwrap();
        assert!(!order.total && order.reduced == chain[..9_000]);
        assert!(run.work() < 1_000_000, "{}", run.work());
    }

    #[test]
    fn a_cycle_is_one_component_and_comes_after_what_it_leads_to() {
        let edges: [&[usize]; 5] = [&[1], &[2, 3], &[1], &[], &[0]];
        let mut found = components(5, [0], |node| edges[node].iter().copied());
        found
            .iter_mut()
            .for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0]]);
    }
}
