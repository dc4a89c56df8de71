//! Nodes that wait, in several queues taken in turn.
//!
//! Each queue orders nodes by a key of its own, the youngest first among
//! equals. A node may wait in several; it is handed out once. When a queue's
//! best key improves, the queues of preferred successors get a head start, as
//! in Richter and Westphal's LAMA (2010).

use std::collections::BTreeMap;

/// Several queues of numbered nodes.
pub(crate) struct Frontier {
    queues: Vec<Queue>,
    taken: Vec<bool>,
    waiting: usize,
}

#[derive(Default)]
struct Queue {
    buckets: BTreeMap<u32, Vec<u32>>,
    /// How often it was served; the least served is next.
    served: i64,
    best: Option<u32>,
}

/// How many turns a queue of preferred nodes gains on progress.
const HEAD_START: i64 = 1000;

impl Frontier {
    /// Empty queues; the first takes every node, the others preferred ones.
    pub(crate) fn new(queues: usize) -> Frontier {
        Frontier {
            queues: (0..queues).map(|_| Queue::default()).collect(),
            taken: Vec::new(),
            waiting: 0,
        }
    }

    /// Lets a node wait in a queue.
    pub(crate) fn push(&mut self, queue: usize, key: u32, node: u32) {
        if self.taken.len() <= node as usize {
            self.taken.resize(node as usize + 1, false);
        }
        self.queues[queue]
            .buckets
            .entry(key)
            .or_default()
            .push(node);
        self.waiting += 1;
    }

    /// The next node.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        loop {
            let queues = self.queues.iter_mut();
            let queue = queues
                .filter(|queue| !queue.buckets.is_empty())
                .min_by_key(|queue| queue.served)?;
            queue.served += 1;
            let mut first = queue.buckets.first_entry()?;
            let key = *first.key();
            let node = first.get_mut().pop()?;
            if first.get().is_empty() {
                first.remove();
            }
            self.waiting -= 1;
            if std::mem::replace(&mut self.taken[node as usize], true) {
                continue;
            }
            if queue.best.is_none_or(|best| key < best) {
                queue.best = Some(key);
                for preferred in self.queues.iter_mut().skip(1) {
                    preferred.served -= HEAD_START;
                }
            }
            return Some(node);
        }
    }

    /// The lowest key handed out so far.
    pub(crate) fn best(&self) -> Option<u32> {
        self.queues[0].best
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.waiting * 8 + self.taken.capacity()) as u64
    }
}
