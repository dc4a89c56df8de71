//! A priority queue for costs: buckets for small ones, a heap for the rest.

use crate::analysis::charge::Weight;

/// A priority queue for small whole numbers.
pub(crate) struct Buckets<W> {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
    far: std::collections::BinaryHeap<std::cmp::Reverse<(W, u32)>>,
}

/// Costs from here on wait in a heap.
const NEAR: u128 = 4096;

impl<W: Weight> Buckets<W> {
    /// Nothing waits.
    pub(crate) fn new() -> Buckets<W> {
        Buckets {
            buckets: Vec::new(),
            lowest: 0,
            far: std::collections::BinaryHeap::new(),
        }
    }

    /// Forgets what waits.
    pub(crate) fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.lowest = 0;
        self.far.clear();
    }

    /// Lets an item wait at its cost.
    #[inline]
    pub(crate) fn push(&mut self, cost: W, item: u32) {
        if cost < W::of(NEAR) {
            let cost = cost.units() as usize;
            if cost >= self.buckets.len() {
                self.buckets.resize_with(cost + 1, Vec::new);
            }
            self.buckets[cost].push(item);
            self.lowest = self.lowest.min(cost);
        } else {
            self.far.push(std::cmp::Reverse((cost, item)));
        }
    }

    /// The next item, one of the cheapest, and its cost.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(W, u32)> {
        while self.lowest < self.buckets.len() {
            if let Some(item) = self.buckets[self.lowest].pop() {
                return Some((W::of(self.lowest as u128), item));
            }
            self.lowest += 1;
        }
        self.far.pop().map(|std::cmp::Reverse(pair)| pair)
    }

    /// The next item, if it costs this much.
    #[inline]
    pub(crate) fn pop_at(&mut self, cost: W) -> Option<(W, u32)> {
        match cost < W::of(NEAR) {
            true => {
                let bucket = self.buckets.get_mut(cost.units() as usize)?;
                Some((cost, bucket.pop()?))
            }
            false => {
                let std::cmp::Reverse(first) = self.far.peek()?;
                (first.0 == cost).then(|| self.pop()).flatten()
            }
        }
    }
}
