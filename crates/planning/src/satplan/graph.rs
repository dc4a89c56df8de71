//! Strongly connected components, deepest first (Tarjan 1972), without recursion.

/// The components reachable from `roots`, each after every component it leads
/// to. `next` lists the successors of a node.
pub(super) fn components<I: Iterator<Item = usize>>(
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
