//! Nodes that wait, in several queues taken in turn.
//!
//! Each queue orders nodes by a key of its own, then by what breaks ties, then
//! the youngest first, or the oldest if they stand in line. A node may wait in
//! several queues; it is handed out once. Some may be drawn by lot instead. When a queue's best key improves, the queues of preferred successors get a head start, as
//! in Richter and Westphal's LAMA (2010).

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use crate::cost::Cost;
use crate::random::Random;

/// What a node waits by: the lower first. The second breaks ties of the first:
/// for A* the estimate, as of nodes on equally cheap ways the one that has less
/// to go is nearer to the end.
pub(crate) type Key = (Cost, Cost);

/// Several queues of numbered nodes.
pub(crate) struct OpenList {
    queues: Vec<Queue>,
    taken: Vec<bool>,
    waiting: usize,
    /// Among equals the oldest comes first.
    in_line: bool,
    /// Nodes by kind, if some are to be taken by lot.
    kinds: Option<Kinds>,
}

/// Nodes by kind, to be drawn: first a kind, then one of it, so that what is
/// rare is as likely as what there is much of. Xie, Müller, Holte and Imai,
/// "Type-based exploration with multiple search queues for satisficing
/// planning" (2014).
struct Kinds {
    /// Kinds of which some node waits, and these.
    waiting: Vec<(Key, Vec<u32>)>,
    place: FxHashMap<Key, usize>,
    random: Random,
    /// Turns until the next is drawn.
    turn: u32,
}

impl Kinds {
    fn push(&mut self, kind: Key, node: u32) {
        let next = self.waiting.len();
        let place = *self.place.entry(kind).or_insert(next);
        match self.waiting.get_mut(place) {
            Some((_, nodes)) => nodes.push(node),
            None => self.waiting.push((kind, vec![node])),
        }
    }

    fn draw(&mut self) -> Option<u32> {
        if self.waiting.is_empty() {
            return None;
        }
        let place = self.random.below(self.waiting.len());
        let (kind, nodes) = &mut self.waiting[place];
        let node = nodes.swap_remove(self.random.below(nodes.len()));
        if nodes.is_empty() {
            self.place.remove(kind);
            self.waiting.swap_remove(place);
            if let Some((moved, _)) = self.waiting.get(place) {
                self.place.insert(*moved, place);
            }
        }
        Some(node)
    }
}

#[derive(Default)]
struct Queue {
    buckets: BTreeMap<Key, VecDeque<u32>>,
    /// How often it was served; the least served is next.
    served: i64,
    best: Option<Key>,
}

/// Every so many turns a node is drawn.
const DRAWN: u32 = 3;

/// How many turns a queue of preferred nodes gains on progress.
const HEAD_START: i64 = 1000;

impl OpenList {
    /// Empty queues in pairs: the first of a pair takes every node, the other
    /// preferred ones.
    pub(crate) fn new(queues: usize) -> OpenList {
        OpenList {
            queues: (0..queues).map(|_| Queue::default()).collect(),
            taken: Vec::new(),
            waiting: 0,
            in_line: false,
            kinds: None,
        }
    }

    /// The same, but every so many turns a node is drawn by lot.
    pub(crate) fn drawing(self, seed: u64) -> OpenList {
        OpenList {
            kinds: Some(Kinds {
                waiting: Vec::new(),
                place: FxHashMap::default(),
                random: Random::new(seed),
                turn: 0,
            }),
            ..self
        }
    }

    /// Lets a node be drawn among those of its kind.
    pub(crate) fn push_kind(&mut self, kind: Key, node: u32) {
        if let Some(kinds) = &mut self.kinds {
            kinds.push(kind, node);
            self.waiting += 1;
        }
    }

    /// The next node by lot, if it is time for one.
    fn draw(&mut self) -> Option<u32> {
        let kinds = self.kinds.as_mut()?;
        kinds.turn += 1;
        if kinds.turn % DRAWN != 0 {
            return None;
        }
        while let Some(node) = kinds.draw() {
            self.waiting -= 1;
            if !std::mem::replace(&mut self.taken[node as usize], true) {
                return Some(node);
            }
        }
        None
    }

    /// The same, but among equals the oldest comes first.
    pub(crate) fn in_line(queues: usize) -> OpenList {
        OpenList {
            in_line: true,
            ..OpenList::new(queues)
        }
    }

    /// Lets a node wait in a queue.
    pub(crate) fn push(&mut self, queue: usize, key: Cost, node: u32) {
        self.push_by(queue, (key, Cost::ZERO), node);
    }

    /// The same with something to break ties by.
    pub(crate) fn push_by(&mut self, queue: usize, key: Key, node: u32) {
        if self.taken.len() <= node as usize {
            self.taken.resize(node as usize + 1, false);
        }
        self.queues[queue]
            .buckets
            .entry(key)
            .or_default()
            .push_back(node);
        self.waiting += 1;
    }

    /// Lets a node that was handed out wait once more.
    pub(crate) fn push_again(&mut self, queue: usize, key: Key, node: u32) {
        self.taken[node as usize] = false;
        self.push_by(queue, key, node);
    }

    /// The lowest key of the first queue.
    pub(crate) fn next(&self) -> Option<Key> {
        let first = self.queues.first()?.buckets.first_key_value()?;
        Some(*first.0)
    }

    /// The next node.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        if let Some(node) = self.draw() {
            return Some(node);
        }
        loop {
            let queues = self.queues.iter_mut();
            let queue = queues
                .filter(|queue| !queue.buckets.is_empty())
                .min_by_key(|queue| queue.served)?;
            queue.served += 1;
            let mut first = queue.buckets.first_entry()?;
            let key = *first.key();
            let node = match self.in_line {
                true => first.get_mut().pop_front()?,
                false => first.get_mut().pop_back()?,
            };
            if first.get().is_empty() {
                first.remove();
            }
            self.waiting -= 1;
            if std::mem::replace(&mut self.taken[node as usize], true) {
                continue;
            }
            if queue.best.is_none_or(|best| key < best) {
                queue.best = Some(key);
                for preferred in self.queues.iter_mut().skip(1).step_by(2) {
                    preferred.served -= HEAD_START;
                }
            }
            return Some(node);
        }
    }

    /// The lowest key of the first pair of queues handed out so far.
    pub(crate) fn best(&self) -> Option<Cost> {
        let best = self.queues.iter().take(2).filter_map(|it| it.best).min();
        best.map(|(key, _)| key)
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.waiting * 8 + self.taken.capacity()) as u64
    }
}
