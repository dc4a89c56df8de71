//! The current state, as ground atoms that can be looked up by any argument.

use super::twins::Twins;
use crate::state::hash::mix;
use rustc_hash::FxHashMap;

/// The number of a ground atom.
pub(super) type FactId = u32;

/// Every ground atom seen so far, and which of them hold now.
///
/// Lists only grow; a fact that no longer holds stays listed and is passed
/// over. Changes are kept on a trail, to be undone in reverse.
pub(super) struct Facts {
    /// Bits per object in a key.
    bits: u32,
    /// Where the predicate stands in a key: above all arguments, since short
    /// atoms would otherwise look like long ones of another predicate.
    shift: u32,
    index: FxHashMap<u128, FactId>,
    arguments: Vec<u32>,
    /// For each fact, where its arguments start, and how many.
    place: Vec<(u32, u32)>,
    holds: Vec<bool>,
    mark: Vec<u128>,
    /// For each predicate, its facts.
    of_predicate: Vec<Vec<FactId>>,
    /// For each predicate and position, facts by object.
    by_argument: Vec<Vec<FxHashMap<u32, Vec<FactId>>>>,
    trail: Vec<FactId>,
    /// For each fact, how long the trail was when it last changed; 0 before.
    stamp: Vec<u32>,
    /// What the stamps on the trail were before.
    earlier: Vec<u32>,
    /// For each fact, whether it ever changed, undone or not.
    moved: Vec<bool>,
    /// These facts, in the order in which they first did.
    first_moves: Vec<FactId>,
    /// Objects that may be exchanged for others now.
    pub(super) twins: Twins,
    /// What facts add to the prints of such objects, and for each fact where
    /// that begins.
    imprints: Vec<(u32, u64)>,
    imprint_start: Vec<u32>,
    /// A hash of the set of facts that hold.
    pub(super) hash: u128,
}

impl Facts {
    /// No facts. `arities` has one entry per predicate; `None` if atoms are
    /// too long to be packed.
    pub(super) fn new(arities: &[usize], objects: usize, twins: Twins) -> Option<Facts> {
        let bits = usize::BITS - objects.leading_zeros();
        let predicate_bits = usize::BITS - arities.len().leading_zeros();
        let longest = arities.iter().copied().max().unwrap_or(0) as u32;
        (bits * longest + predicate_bits <= 128).then(|| Facts {
            bits,
            shift: 128 - predicate_bits.max(1),
            index: FxHashMap::default(),
            arguments: Vec::new(),
            place: Vec::new(),
            holds: Vec::new(),
            mark: Vec::new(),
            of_predicate: vec![Vec::new(); arities.len()],
            by_argument: arities
                .iter()
                .map(|&arity| vec![FxHashMap::default(); arity])
                .collect(),
            trail: Vec::new(),
            stamp: Vec::new(),
            earlier: Vec::new(),
            moved: Vec::new(),
            first_moves: Vec::new(),
            twins,
            imprints: Vec::new(),
            imprint_start: Vec::new(),
            hash: 0,
        })
    }

    fn key(&self, predicate: u32, arguments: &[u32]) -> u128 {
        let packed = arguments
            .iter()
            .fold(0, |key, &object| key << self.bits | u128::from(object));
        u128::from(predicate) << self.shift | packed
    }

    /// The number of an atom, giving it one if need be.
    pub(super) fn number(&mut self, predicate: u32, arguments: &[u32]) -> FactId {
        let key = self.key(predicate, arguments);
        let next = self.holds.len() as FactId;
        let fact = *self.index.entry(key).or_insert(next);
        if fact == next {
            self.place
                .push((self.arguments.len() as u32, arguments.len() as u32));
            self.arguments.extend_from_slice(arguments);
            self.holds.push(false);
            self.stamp.push(0);
            self.moved.push(false);
            self.mark.push(mix(u128::from(fact) + 1));
            if self.twins.any() {
                self.imprint_start.push(self.imprints.len() as u32);
                self.twins
                    .imprints(predicate, arguments, &mut self.imprints);
            }
            self.of_predicate[predicate as usize].push(fact);
            for (position, &object) in arguments.iter().enumerate() {
                self.by_argument[predicate as usize][position]
                    .entry(object)
                    .or_default()
                    .push(fact);
            }
        }
        fact
    }

    /// True if the atom holds now.
    pub(super) fn has(&self, predicate: u32, arguments: &[u32]) -> bool {
        let key = self.key(predicate, arguments);
        self.index
            .get(&key)
            .is_some_and(|&fact| self.holds[fact as usize])
    }

    /// True if the fact holds now.
    #[inline]
    pub(super) fn holds(&self, fact: FactId) -> bool {
        self.holds[fact as usize]
    }

    /// The fact's arguments.
    #[inline]
    pub(super) fn arguments(&self, fact: FactId) -> &[u32] {
        let (start, length) = self.place[fact as usize];
        &self.arguments[start as usize..(start + length) as usize]
    }

    /// Facts of a predicate that have `object` at `position`, or all. Some of
    /// them may not hold.
    pub(super) fn list(&self, predicate: u32, bound: Option<(usize, u32)>) -> &[FactId] {
        match bound {
            None => &self.of_predicate[predicate as usize],
            Some((position, object)) => self.by_argument[predicate as usize][position]
                .get(&object)
                .map_or(&[], Vec::as_slice),
        }
    }

    /// Makes the fact hold or not, and remembers.
    pub(super) fn assign(&mut self, fact: FactId, holds: bool) {
        if self.holds[fact as usize] != holds {
            self.flip(fact);
            self.trail.push(fact);
            let stamp = &mut self.stamp[fact as usize];
            self.earlier.push(*stamp);
            *stamp = self.trail.len() as u32;
            if !std::mem::replace(&mut self.moved[fact as usize], true) {
                self.first_moves.push(fact);
            }
        }
    }

    /// Makes what holds now the beginning: nothing has changed yet.
    pub(super) fn begin(&mut self) {
        self.forget();
        self.stamp.fill(0);
        self.moved.fill(false);
        self.first_moves.clear();
    }

    /// How late on the trail the atom last changed; 0 if not since the
    /// beginning.
    pub(super) fn stamp(&self, predicate: u32, arguments: &[u32]) -> u32 {
        let key = self.key(predicate, arguments);
        self.index
            .get(&key)
            .map_or(0, |&fact| self.stamp[fact as usize])
    }

    /// Facts that changed since the beginning, in the order in which they first
    /// did, but for so many that are known.
    pub(super) fn moves_since(&self, known: usize) -> &[FactId] {
        &self.first_moves[known..]
    }

    /// True if the fact ever changed since the beginning, undone or not.
    pub(super) fn ever_moved(&self, fact: FactId) -> bool {
        self.moved[fact as usize]
    }

    fn flip(&mut self, fact: FactId) {
        self.holds[fact as usize] ^= true;
        self.hash ^= self.mark[fact as usize];
        if self.twins.any() {
            let fact = fact as usize;
            let start = self.imprint_start[fact] as usize;
            let next = self.imprint_start.get(fact + 1);
            let end = next.map_or(self.imprints.len(), |&it| it as usize);
            for &imprint in &self.imprints[start..end] {
                self.twins.change(imprint);
            }
        }
    }

    /// Facts changed since a point; one changed back appears twice.
    pub(super) fn changed_since(&self, point: usize) -> &[FactId] {
        &self.trail[point..]
    }

    /// Makes everything so far the point to undo to.
    pub(super) fn forget(&mut self) {
        self.trail.clear();
        self.earlier.clear();
    }

    /// All facts that hold, ascending.
    pub(super) fn held(&self) -> Vec<FactId> {
        let all = 0..self.holds.len() as FactId;
        all.filter(|&fact| self.holds[fact as usize]).collect()
    }

    /// A point to return to.
    pub(super) fn now(&self) -> usize {
        self.trail.len()
    }

    /// Undoes everything since a point.
    pub(super) fn undo(&mut self, point: usize) {
        while self.trail.len() > point {
            if let (Some(fact), Some(stamp)) = (self.trail.pop(), self.earlier.pop()) {
                self.flip(fact);
                self.stamp[fact as usize] = stamp;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once, an atom without arguments shared its key with a longer one of
    /// another predicate.
    #[test]
    fn atoms_of_different_length_are_different() {
        let mut facts = Facts::new(&[2, 1, 0, 0, 0], 6, Twins::default()).unwrap();
        let mut numbers = Vec::new();
        for predicate in 2..5 {
            numbers.push(facts.number(predicate, &[]));
        }
        for first in 0..6 {
            numbers.push(facts.number(1, &[first]));
            for second in 0..6 {
                numbers.push(facts.number(0, &[first, second]));
            }
        }
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
    }

    #[test]
    fn undoing_restores_the_state_and_its_hash() {
        let mut facts = Facts::new(&[1], 4, Twins::default()).unwrap();
        let fact = facts.number(0, &[3]);
        let before = facts.hash;
        facts.assign(fact, true);
        assert!(facts.has(0, &[3]) && facts.hash != before);
        facts.undo(0);
        assert!(!facts.has(0, &[3]) && facts.hash == before);
    }
}
