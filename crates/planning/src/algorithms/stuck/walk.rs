//! Looks at every node of a space once.

use std::collections::BinaryHeap;

use planoku_engine::{Leave, Run};

use crate::spaces::space::Space;

/// Looks at every node of a space once, those of the highest rank first; each
/// with the number of actions on the way to it, as `executed` counts them, and
/// whether it leads anywhere.
pub(super) fn walk<S: Space, R: Ord>(
    space: &mut S,
    run: &mut Run<'_>,
    executed: impl Fn(&S::Step) -> u32,
    rank: impl Fn(&S, &S::Node, u32) -> R,
    look: &mut impl FnMut(&S, &S::Node, u32, bool),
) -> Result<(), Leave> {
    let start = space.start();
    let mut seen = vec![true];
    let mut open = BinaryHeap::from([(rank(space, &start, 0), 0)]);
    space.number(&start);
    let mut nodes = vec![Some((start, 0))];
    let mut successors = Vec::new();
    while let Some((_, place)) = open.pop() {
        let Some((node, steps)) = nodes[place].take() else {
            continue;
        };
        space.taken(run)?;
        space.successors(&node, None, run, &mut successors)?;
        look(space, &node, steps, !successors.is_empty());
        for successor in successors.drain(..) {
            let number = space.number(&successor.node) as usize;
            if seen.len() <= number {
                seen.resize(number + 1, false);
            }
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            let steps = steps + executed(&successor.step);
            open.push((rank(space, &successor.node, steps), nodes.len()));
            nodes.push(Some((successor.node, steps)));
        }
        run.effort(space.take_work())?;
        run.check_memory(space.bytes() + (nodes.capacity() * size_of::<S::Node>()) as u64)?;
    }
    match space.is_complete() {
        true => Ok(()),
        false => Err(Leave::GaveUp),
    }
}
