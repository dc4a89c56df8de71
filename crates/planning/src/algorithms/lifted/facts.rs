//! The current state, as ground atoms that can be looked up by any argument.

use super::twins::Twins;
use crate::state::hash::mix;
use crate::state::states::ones;
use rustc_hash::FxHashMap;

/// The number of a ground atom.
pub(super) type FactId = u32;

/// Every ground atom seen so far, and which of them hold now.
///
/// Lists only grow; a fact that no longer holds stays listed and is passed
/// over, in long lists 64 at a time. Changes are kept on a trail, to be undone
/// in reverse.
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
    of_predicate: Vec<List>,
    /// For each predicate and position, facts by object.
    by_argument: Vec<Vec<FxHashMap<u32, List>>>,
    long: LongLists,
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

/// From so many facts on, what holds in a list is kept as bits too: most of what
/// is in it may have stopped holding, and to pass over that would take longer
/// than to change a bit here and there.
const LONG: usize = 128;

/// Facts with something in common, in the order in which they were first seen.
#[derive(Clone, Default)]
pub(super) struct List {
    facts: Vec<FactId>,
    /// Its number among long ones, from 1 on; 0 if it is short.
    long: u32,
}

impl List {
    /// How many there are, whether they hold or not.
    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    /// True if what does not hold takes next to no time to pass over.
    pub(super) fn is_long(&self) -> bool {
        self.long > 0
    }

    fn push(&mut self, fact: FactId, long: &mut LongLists, holds: &[bool]) {
        self.facts.push(fact);
        if self.facts.len() < LONG {
            return;
        }
        let mut first = self.facts.len() - 1;
        if self.long == 0 {
            long.held.push(Vec::new());
            self.long = long.held.len() as u32;
            first = 0;
        }
        for (place, &fact) in self.facts.iter().enumerate().skip(first) {
            long.add(fact, self.long - 1, place, holds[fact as usize]);
        }
    }
}

/// What holds in long lists.
#[derive(Default)]
struct LongLists {
    /// For each of them, one bit for each of its facts.
    held: Vec<Vec<u64>>,
    /// For each fact, whether it is in one of them; if so, in which, and where.
    any: Vec<bool>,
    places: FxHashMap<FactId, Vec<(u32, u32)>>,
}

impl LongLists {
    fn add(&mut self, fact: FactId, list: u32, place: usize, holds: bool) {
        let held = &mut self.held[list as usize];
        if place.is_multiple_of(64) {
            held.push(0);
        }
        held[place / 64] |= u64::from(holds) << (place % 64);
        self.any[fact as usize] = true;
        let places = self.places.entry(fact).or_default();
        places.push((list, place as u32));
    }

    #[inline]
    fn flip(&mut self, fact: FactId) {
        if self.any[fact as usize] {
            for &(list, place) in &self.places[&fact] {
                self.held[list as usize][place as usize / 64] ^= 1 << (place % 64);
            }
        }
    }
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
            of_predicate: vec![List::default(); arities.len()],
            long: LongLists::default(),
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
            let (long, holds) = (&mut self.long, &self.holds);
            long.any.push(false);
            self.of_predicate[predicate as usize].push(fact, long, holds);
            let by_argument = &mut self.by_argument[predicate as usize];
            for (by_object, &object) in by_argument.iter_mut().zip(arguments) {
                let list = by_object.entry(object).or_default();
                list.push(fact, long, holds);
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
    pub(super) fn list(&self, predicate: u32, bound: Option<(usize, u32)>) -> &List {
        static NONE: List = List {
            facts: Vec::new(),
            long: 0,
        };
        match bound {
            None => &self.of_predicate[predicate as usize],
            Some((position, object)) => self.by_argument[predicate as usize][position]
                .get(&object)
                .unwrap_or(&NONE),
        }
    }

    /// Calls `each` with those of a list that hold, in their order, until it
    /// fails.
    #[inline]
    pub(super) fn each_held<E>(
        &self,
        list: &List,
        mut each: impl FnMut(FactId) -> Result<(), E>,
    ) -> Result<(), E> {
        if list.long > 0 {
            let held = &self.long.held[list.long as usize - 1];
            return ones(held).try_for_each(|place| each(list.facts[place as usize]));
        }
        let mut facts = list.facts.iter().copied();
        facts.try_for_each(|fact| match self.holds[fact as usize] {
            true => each(fact),
            false => Ok(()),
        })
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
        self.long.flip(fact);
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
    fn lists_tell_what_holds_in_the_order_in_which_it_was_seen() {
        let mut facts = Facts::new(&[2], 1000, Twins::default()).unwrap();
        let mut expected = Vec::new();
        for it in 0..1000 {
            let fact = facts.number(0, &[it * 7 % 1000, it / 500]);
            facts.assign(fact, true);
            if it % 3 == 0 {
                facts.assign(fact, false);
            } else if it >= 500 {
                expected.push(fact);
            }
        }
        let held = |facts: &Facts, at| {
            let mut held = Vec::new();
            let all = facts.each_held(facts.list(0, at), |it| {
                held.push(it);
                Ok::<(), ()>(())
            });
            all.map(|()| held)
        };
        assert_eq!(held(&facts, Some((1, 1))), Ok(expected));
        assert_eq!(held(&facts, Some((1, 5))), Ok(vec![]));
        assert_eq!(held(&facts, Some((0, 7))).map(|it| it.len()), Ok(1));
        facts.undo(0);
        assert_eq!(held(&facts, None), Ok(vec![]));
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
