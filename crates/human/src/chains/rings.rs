//! The pairs of links that lie on a ring: only these can be part of a cycle.
//!
//! A candidate can come back to itself only through candidates that it reaches
//! and that reach it: its strongly connected component. Leaving out every pair
//! of links that leads out of its component changes nothing for the cycles, but
//! leaves little to walk. (Tarjan's algorithm, without recursion.)

use crate::chains::links::{By, Links};

/// The memory of the search, and the pairs that remain.
#[derive(Default)]
pub(crate) struct Rings {
    pairs: Vec<(u16, u16, By)>,
    starts: Vec<u32>,
    /// How many of them end at each candidate.
    ends: Vec<u16>,
    /// For each candidate: when it was met, and the earliest it leads back to.
    met: Vec<u16>,
    low: Vec<u16>,
    component: Vec<u16>,
    stack: Vec<u16>,
    /// All candidates, component by component; what one leads to comes first.
    order: Vec<u16>,
    open: Vec<(u16, u32)>,
}

const NONE: u16 = u16::MAX;

impl Rings {
    /// Keeps some pairs of links inside components, once these are known.
    pub(crate) fn keep(
        &mut self,
        links: &Links,
        off_in_cell: bool,
        follows: impl Fn(By) -> bool + Copy,
    ) {
        self.pairs.clear();
        self.starts.clear();
        self.ends.clear();
        self.ends.resize(links.len(), 0);
        for number in 0..links.len() {
            self.starts.push(self.pairs.len() as u32);
            let here = self.component[number];
            for pair in links.pairs(number, off_in_cell) {
                let (_, on, by) = *pair;
                if self.component[usize::from(on)] == here && follows(by) {
                    self.pairs.push(*pair);
                    self.ends[usize::from(on)] += 1;
                }
            }
        }
        self.starts.push(self.pairs.len() as u32);
    }

    /// The pairs of links from a candidate that is on.
    #[inline]
    pub(crate) fn pairs(&self, number: usize) -> &[(u16, u16, By)] {
        &self.pairs[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// How many pairs end at a candidate.
    pub(crate) fn ends(&self, number: usize) -> u16 {
        self.ends[number]
    }

    /// All candidates, component by component, those it leads to first.
    pub(crate) fn order(&self) -> &[u16] {
        &self.order
    }

    /// The component of a candidate.
    #[inline]
    pub(crate) fn component(&self, number: usize) -> u16 {
        self.component[number]
    }

    /// Finds the components.
    pub(crate) fn find_components(&mut self, links: &Links) {
        for list in [&mut self.met, &mut self.low, &mut self.component] {
            list.clear();
            list.resize(links.len(), NONE);
        }
        self.order.clear();
        let (mut clock, mut number) = (0, 0);
        for root in 0..links.len() as u16 {
            if self.met[usize::from(root)] != NONE {
                continue;
            }
            self.open.push((root, 0));
            while let Some((node, at)) = self.open.pop() {
                let index = usize::from(node);
                if at == 0 {
                    self.met[index] = clock;
                    self.low[index] = clock;
                    clock += 1;
                    self.stack.push(node);
                }
                let pairs = links.pairs(index, true);
                let mut next = at as usize;
                if let Some(last) = next.checked_sub(1) {
                    // The one below is closed.
                    let other = usize::from(pairs[last].1);
                    if self.component[other] == NONE {
                        self.low[index] = self.low[index].min(self.low[other]);
                    }
                }
                let mut below = None;
                while let Some((_, on, _)) = pairs.get(next) {
                    next += 1;
                    let other = usize::from(*on);
                    if self.met[other] == NONE {
                        below = Some(*on);
                        break;
                    }
                    if self.component[other] == NONE {
                        self.low[index] = self.low[index].min(self.low[other]);
                    }
                }
                if let Some(below) = below {
                    self.open.push((node, next as u32));
                    self.open.push((below, 0));
                    continue;
                }
                if self.low[index] == self.met[index] {
                    while let Some(top) = self.stack.pop() {
                        self.component[usize::from(top)] = number;
                        self.order.push(top);
                        if top == node {
                            break;
                        }
                    }
                    number += 1;
                }
            }
        }
    }
}
