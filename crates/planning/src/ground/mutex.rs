//! Mutex groups: facts of which never more than one holds.
//!
//! A vehicle is in one place. What is guessed is a pattern over predicates, as
//! in Helmert's "Concise finite-domain representations for PDDL planning tasks"
//! (2009): `at ?vehicle _` says that for each vehicle one place at most. Whether
//! it is true is seen on the ground, for each vehicle by itself: one fact of the
//! group holds at the start at most, and whoever makes one true needs one and makes it
//! false. Where an action makes a fact of the group true and none false, the
//! pattern is widened by what else it makes false (`at ?vehicle _` and
//! `in ?vehicle _`), and looked at again.

use std::collections::BTreeSet;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::{Condition, FactIndex, Ground, GroundAction, GroundFact};
use crate::model::{ObjectId, PredicateId};

/// No more patterns than this are looked at.
const MOST_PATTERNS: usize = 300;

/// Nor more effects, in all patterns together.
const MOST_EFFECTS: u64 = 60_000_000;

/// A place that may be anything: what is counted.
const COUNTED: u8 = u8::MAX;

/// For each predicate, which of the pattern's parameters each of its arguments
/// is.
type Pattern = Vec<(PredicateId, Vec<u8>)>;

/// Groups of two facts and more, each sorted, the largest first.
pub(crate) fn mutex_groups(
    ground: &Ground,
    run: &mut Run<'_>,
) -> Result<Vec<Vec<FactIndex>>, Stop> {
    let mut search = Search::new(ground);
    let mut patterns = search.simple();
    let mut known: BTreeSet<Pattern> = patterns.iter().cloned().collect();
    let mut groups = BTreeSet::new();
    let mut next = 0;
    while next < patterns.len() && search.work < MOST_EFFECTS {
        let before = search.work;
        let (found, wider) = search.examine(&patterns[next]);
        run.effort(search.work - before)?;
        groups.extend(found);
        for pattern in wider {
            if patterns.len() < MOST_PATTERNS && known.insert(pattern.clone()) {
                patterns.push(pattern);
            }
        }
        next += 1;
    }
    let mut groups: Vec<Vec<FactIndex>> = groups.into_iter().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    Ok(groups)
}

/// Looks at one pattern after the other.
struct Search<'g> {
    ground: &'g Ground,
    /// Facts of each predicate that actions alone make true and false.
    by_predicate: FxHashMap<PredicateId, Vec<FactIndex>>,
    starts: Vec<bool>,
    /// For each fact, its group in the pattern looked at, or `NONE`.
    group: Vec<u32>,
    work: u64,
}

const NONE: u32 = u32::MAX;

/// A fact that becomes true, and when.
struct Adding<'g> {
    fact: FactIndex,
    condition: Option<&'g Condition>,
    delete: &'g [FactIndex],
}

impl<'g> Search<'g> {
    fn new(ground: &'g Ground) -> Search<'g> {
        let mut derived = vec![false; ground.facts.len()];
        for axiom in &ground.axioms {
            derived[axiom.head as usize] = true;
        }
        let mut by_predicate: FxHashMap<PredicateId, Vec<FactIndex>> = FxHashMap::default();
        for (fact, name) in (0..).zip(&ground.facts) {
            if let GroundFact::Atom(predicate, _) = name
                && !derived[fact as usize]
            {
                by_predicate.entry(*predicate).or_default().push(fact);
            }
        }
        let mut starts = vec![false; ground.facts.len()];
        for &fact in &ground.init {
            starts[fact as usize] = true;
        }
        Search {
            ground,
            by_predicate,
            starts,
            group: vec![NONE; ground.facts.len()],
            work: 0,
        }
    }

    fn arguments(&self, fact: FactIndex) -> (PredicateId, &'g [ObjectId]) {
        match &self.ground.facts[fact as usize] {
            GroundFact::Atom(predicate, arguments) => (*predicate, arguments),
            _ => unreachable!("only atoms are in patterns"),
        }
    }

    /// One predicate, and one of its arguments counted or none.
    fn simple(&self) -> Vec<Pattern> {
        let mut predicates: Vec<PredicateId> = self.by_predicate.keys().copied().collect();
        predicates.sort_unstable_by_key(|predicate| predicate.index());
        let mut patterns = Vec::new();
        for predicate in predicates {
            let arity = self.arguments(self.by_predicate[&predicate][0]).1.len();
            patterns.push(vec![(predicate, (0..arity as u8).collect())]);
            for counted in 0..arity {
                let mut places: Vec<u8> = (0..arity as u8).collect();
                places[counted] = COUNTED;
                places[counted + 1..].iter_mut().for_each(|it| *it -= 1);
                patterns.push(vec![(predicate, places)]);
            }
        }
        patterns
    }

    /// The groups of a pattern that hold what it promises, and wider patterns
    /// for those that do not.
    fn examine(&mut self, pattern: &Pattern) -> (Vec<Vec<FactIndex>>, Vec<Pattern>) {
        let mut groups = self.divide(pattern);
        let held = |group: &Vec<FactIndex>| {
            let held = group.iter().filter(|&&fact| self.starts[fact as usize]);
            held.count() <= 1
        };
        let mut good: Vec<bool> = groups.iter().map(held).collect();
        let mut wider = Vec::new();
        let ground = self.ground;
        for action in &ground.actions {
            self.test(pattern, action, &mut good, &mut wider);
        }
        for group in &groups {
            for &fact in group {
                self.group[fact as usize] = NONE;
            }
        }
        let mut good = good.into_iter();
        groups.retain(|group| good.next() == Some(true) && group.len() > 1);
        (groups, wider)
    }

    /// Facts by the values of the pattern's parameters.
    fn divide(&mut self, pattern: &Pattern) -> Vec<Vec<FactIndex>> {
        let mut numbers: FxHashMap<Vec<ObjectId>, u32> = FxHashMap::default();
        let mut groups: Vec<Vec<FactIndex>> = Vec::new();
        for (predicate, places) in pattern {
            for place in 0..self.by_predicate[predicate].len() {
                let fact = self.by_predicate[predicate][place];
                let key = key(places, self.arguments(fact).1);
                let number = *numbers.entry(key).or_insert(groups.len() as u32);
                if number as usize == groups.len() {
                    groups.push(Vec::new());
                }
                groups[number as usize].push(fact);
                self.group[fact as usize] = number;
                self.work += 2;
            }
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    /// Strikes the groups of which an action may make a second fact true.
    fn test(
        &mut self,
        pattern: &Pattern,
        action: &'g GroundAction,
        good: &mut [bool],
        wider: &mut Vec<Pattern>,
    ) {
        let mut adding: Vec<(u32, Adding<'g>)> = Vec::new();
        let plain = action.add.iter().map(|&fact| Adding {
            fact,
            condition: None,
            delete: &[],
        });
        let conditional = action.conditional.iter().flat_map(|effect| {
            effect.add.iter().map(|&fact| Adding {
                fact,
                condition: Some(&effect.condition),
                delete: &effect.delete,
            })
        });
        for it in plain.chain(conditional) {
            self.work += 1;
            let group = self.group[it.fact as usize];
            if group != NONE && good[group as usize] {
                adding.push((group, it));
            }
        }
        adding.sort_by_key(|it| it.0);
        for same in adding.chunk_by(|one, other| one.0 == other.0) {
            let group = same[0].0;
            // What was true before, and what becomes true in its place.
            let mut turns: Vec<(FactIndex, FactIndex)> = Vec::new();
            for (_, it) in same {
                match self.turn(action, group, it) {
                    Turn::Never => {}
                    Turn::From(before) => turns.push((before, it.fact)),
                    Turn::Alone => {
                        good[group as usize] = false;
                        if wider.is_empty() {
                            *wider = self.widen(pattern, action, it);
                        }
                    }
                }
            }
            turns.sort_unstable();
            turns.dedup();
            if turns.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                good[group as usize] = false;
            }
        }
    }

    /// What of its group was true before, and is not after.
    fn turn(&self, action: &GroundAction, group: u32, adding: &Adding<'_>) -> Turn {
        let needed = action.precondition.positive.iter();
        let needed = needed.chain(adding.condition.iter().flat_map(|it| &it.positive));
        let mut needed = needed.filter(|&&fact| self.group[fact as usize] == group);
        let Some(&before) = needed.next() else {
            return Turn::Alone;
        };
        // Two of a group never hold, so it never happens.
        if needed.any(|&other| other != before) {
            return Turn::Never;
        }
        let deleted = before == adding.fact
            || action.delete.binary_search(&before).is_ok()
            || adding.delete.binary_search(&before).is_ok();
        match deleted {
            true => Turn::From(before),
            false => Turn::Alone,
        }
    }

    /// The pattern with something more that the action needs and makes false.
    fn widen(&self, pattern: &Pattern, action: &GroundAction, adding: &Adding<'_>) -> Vec<Pattern> {
        let (predicate, arguments) = self.arguments(adding.fact);
        let Some((_, places)) = pattern.iter().find(|it| it.0 == predicate) else {
            return Vec::new();
        };
        let key = key(places, arguments);
        let needed = action.precondition.positive.iter();
        let needed = needed.chain(adding.condition.iter().flat_map(|it| &it.positive));
        let mut wider = Vec::new();
        for &fact in needed {
            let deleted = action.delete.binary_search(&fact).is_ok()
                || adding.delete.binary_search(&fact).is_ok();
            if !deleted || !matches!(self.ground.facts[fact as usize], GroundFact::Atom(..)) {
                continue;
            }
            let (other, values) = self.arguments(fact);
            if pattern.iter().any(|it| it.0 == other) || !self.by_predicate.contains_key(&other) {
                continue;
            }
            for places in matches(&key, values) {
                let mut pattern = pattern.clone();
                pattern.push((other, places));
                pattern.sort();
                wider.push(pattern);
            }
        }
        wider
    }
}

enum Turn {
    /// It cannot happen.
    Never,
    /// This was true before, and is not after, unless it is the same.
    From(FactIndex),
    /// Nothing of the group need have been true.
    Alone,
}

/// The values of the pattern's parameters in the arguments of a fact.
fn key(places: &[u8], arguments: &[ObjectId]) -> Vec<ObjectId> {
    let mut key = vec![ObjectId(0); places.iter().filter(|it| **it != COUNTED).count()];
    for (&place, &argument) in places.iter().zip(arguments) {
        if place != COUNTED {
            key[place as usize] = argument;
        }
    }
    key
}

/// All ways to find each value of the key among the arguments, with one left
/// over at most.
fn matches(key: &[ObjectId], arguments: &[ObjectId]) -> Vec<Vec<u8>> {
    if arguments.len() < key.len() || arguments.len() > key.len() + 1 {
        return Vec::new();
    }
    let mut ways = vec![vec![COUNTED; arguments.len()]];
    for (parameter, value) in (0..).zip(key) {
        let mut longer = Vec::new();
        for way in &ways {
            for (place, argument) in arguments.iter().enumerate() {
                if argument == value && way[place] == COUNTED {
                    let mut way = way.clone();
                    way[place] = parameter;
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    ways
}
