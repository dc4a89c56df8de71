//! Facts by number, and which of them may hold by now.
//!
//! What no action so far can have made true is left out of every clause. Facts
//! become possible in the order of the plan and stay so; a new walk through
//! the tree begins again with those of the initial state.

use rustc_hash::FxHashMap;

use super::domain::{Domain, has};
use super::schema::Pattern;
use crate::model::Model;

/// Names a fact.
pub(super) type FactId = u32;

/// When: how many leaves of the tree lie before.
pub(super) type Moment = u32;

/// Every fact that was ever thought of.
pub(super) struct Facts {
    /// Bits that an object takes in a key, and a predicate.
    bits: u32,
    names: u32,
    by_key: FxHashMap<u128, FactId>,
    predicates: Vec<u32>,
    first: Vec<u32>,
    arguments: Vec<u32>,
    /// By predicate, facts that may hold, in the order in which they came.
    lists: Vec<List>,
    possible: Vec<bool>,
    initial: Vec<bool>,
    /// By fact, whether some action may have deleted it.
    deleted: Vec<bool>,
    /// By fact, the last moment at which it should be true, or false.
    wanted: Vec<Moment>,
    denied: Vec<Moment>,
}

#[derive(Default)]
struct List {
    facts: Vec<FactId>,
    /// How many of these hold at the start.
    at_start: usize,
    /// For each argument, the facts with an object there.
    with: Vec<FxHashMap<u32, Vec<FactId>>>,
}

impl Facts {
    /// The initial state; `None` if atoms are too long to be packed.
    pub(super) fn new(model: &Model) -> Option<Facts> {
        let longest = model.predicates.iter().map(|it| it.parameters.len()).max();
        let bits = (model.objects.len() as u64 + 1).ilog2() + 1;
        let names = (model.predicates.len() as u64 + 1).ilog2() + 1;
        if bits as usize * longest.unwrap_or(0) + names as usize > 128 {
            return None;
        }
        let list = |arity: usize| List {
            with: vec![FxHashMap::default(); arity],
            ..List::default()
        };
        let predicates = model.predicates.iter();
        let mut facts = Facts {
            bits,
            names,
            by_key: FxHashMap::default(),
            predicates: Vec::new(),
            first: vec![0],
            arguments: Vec::new(),
            lists: predicates.map(|it| list(it.parameters.len())).collect(),
            possible: Vec::new(),
            initial: Vec::new(),
            deleted: Vec::new(),
            wanted: Vec::new(),
            denied: Vec::new(),
        };
        for fact in &model.init {
            let objects: Vec<u32> = fact.arguments.iter().map(|it| it.0).collect();
            let id = facts.number(fact.predicate.index(), &objects);
            facts.initial[id as usize] = true;
            facts.make_possible(id);
        }
        for list in &mut facts.lists {
            list.at_start = list.facts.len();
        }
        Some(facts)
    }

    /// Goes back to the start; nothing is wanted yet.
    pub(super) fn restart(&mut self) {
        for list in &mut self.lists {
            for fact in list.facts.drain(list.at_start..).rev() {
                self.possible[fact as usize] = false;
                let first = self.first[fact as usize] as usize;
                for (place, with) in list.with.iter_mut().enumerate() {
                    if let Some(facts) = with.get_mut(&self.arguments[first + place]) {
                        facts.pop();
                    }
                }
            }
        }
        self.deleted.fill(false);
        self.wanted.fill(0);
        self.denied.fill(0);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.predicates.len()
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> u64 {
        (self.predicates.len() * 80 + self.arguments.len() * 12) as u64
    }

    /// The fact of that name.
    pub(super) fn number(&mut self, predicate: usize, objects: &[u32]) -> FactId {
        let key = self.key(predicate, objects);
        let next = self.predicates.len() as FactId;
        let id = *self.by_key.entry(key).or_insert(next);
        if id == next {
            self.predicates.push(predicate as u32);
            self.arguments.extend_from_slice(objects);
            self.first.push(self.arguments.len() as u32);
            self.possible.push(false);
            self.initial.push(false);
            self.deleted.push(false);
            self.wanted.push(0);
            self.denied.push(0);
        }
        id
    }

    fn key(&self, predicate: usize, objects: &[u32]) -> u128 {
        let pack = |key: u128, &object: &u32| key << self.bits | u128::from(object);
        // The predicate stands where it is found whatever the number of
        // objects.
        objects.iter().fold(0, pack) << self.names | predicate as u128
    }

    pub(super) fn arguments(&self, fact: FactId) -> &[u32] {
        let fact = fact as usize;
        &self.arguments[self.first[fact] as usize..self.first[fact + 1] as usize]
    }

    /// Whether it holds at the start.
    pub(super) fn is_initial(&self, fact: FactId) -> bool {
        self.initial[fact as usize]
    }

    /// Whether it is known to hold.
    pub(super) fn is_certain(&self, fact: FactId) -> bool {
        self.initial[fact as usize] && !self.deleted[fact as usize]
    }

    /// From now on it may hold.
    pub(super) fn make_possible(&mut self, fact: FactId) {
        if std::mem::replace(&mut self.possible[fact as usize], true) {
            return;
        }
        let list = &mut self.lists[self.predicates[fact as usize] as usize];
        let first = self.first[fact as usize] as usize;
        for (place, with) in list.with.iter_mut().enumerate() {
            with.entry(self.arguments[first + place])
                .or_default()
                .push(fact);
        }
        list.facts.push(fact);
    }

    /// From now on it may be missing.
    pub(super) fn make_deletable(&mut self, fact: FactId) {
        self.deleted[fact as usize] = true;
    }

    /// Somebody asks for it, or for its absence.
    pub(super) fn ask(&mut self, fact: FactId, positive: bool, now: Moment) {
        let asked = match positive {
            true => &mut self.wanted,
            false => &mut self.denied,
        };
        asked[fact as usize] = now;
    }

    /// Somebody asks in a way that is not looked into.
    pub(super) fn ask_any(&mut self, predicate: usize, now: Moment) {
        for index in 0..self.lists[predicate].facts.len() {
            let fact = self.lists[predicate].facts[index];
            self.ask(fact, true, now);
            self.ask(fact, false, now);
        }
    }

    /// Whether somebody asks for it, or for its absence, at that moment or
    /// later.
    pub(super) fn is_asked(&self, fact: FactId, from: Moment) -> (bool, bool) {
        let fact = fact as usize;
        (self.wanted[fact] >= from, self.denied[fact] >= from)
    }

    /// Gathers what may hold of an atom. Returns how many facts were looked at.
    pub(super) fn find(&self, atom: &Pattern, domains: &[Domain], found: &mut Vec<FactId>) -> u64 {
        let of: Vec<Domain> = atom.terms.iter().map(|it| it.domain(domains)).collect();
        let of: Vec<&Domain> = of.iter().collect();
        let looked = self.matches(atom.predicate, &of, found);
        // A variable that stands twice has one value.
        for (place, term) in atom.terms.iter().enumerate() {
            if let Some(first) = atom.terms[..place].iter().position(|it| it == term) {
                found.retain(|&it| self.arguments(it)[first] == self.arguments(it)[place]);
            }
        }
        looked
    }

    /// Gathers what may hold of a predicate with such arguments. Returns how
    /// many were looked at.
    fn matches(&self, predicate: usize, domains: &[&Domain], found: &mut Vec<FactId>) -> u64 {
        found.clear();
        let list = &self.lists[predicate];
        let mut looked = 1;
        let fits = |fact: &FactId, but: usize| {
            let arguments = self.arguments(*fact).iter().zip(domains).enumerate();
            let mut others = arguments.filter(|(place, _)| *place != but);
            others.all(|(_, (object, domain))| has(domain, *object))
        };
        // The argument that leaves the fewest.
        let mut best = (list.facts.len(), usize::MAX);
        for (place, domain) in domains.iter().enumerate() {
            if domain.len() < best.0 {
                let with = domain.iter().filter_map(|it| list.with[place].get(it));
                let size = with.map(Vec::len).sum::<usize>() + domain.len() / 4;
                best = best.min((size, place));
                looked += domain.len() as u64;
            }
        }
        match best {
            (_, usize::MAX) => {
                looked += list.facts.len() as u64;
                found.extend(list.facts.iter().filter(|it| fits(it, usize::MAX)));
            }
            (_, place) => {
                for object in domains[place].iter() {
                    if let Some(with) = list.with[place].get(object) {
                        looked += with.len() as u64;
                        found.extend(with.iter().filter(|it| fits(it, place)));
                    }
                }
            }
        }
        looked
    }
}
