//! Counters that cannot exceed what they count.
//!
//! In Freecell `(cellspace n4)` says that four cells are free, and whoever puts
//! a card back makes it `n5`, as far as a relaxation knows: it takes the same
//! card out of its cell again and again. So there are thirteen numbers of free
//! cells, and as many instances of each action for each of them. But free cells
//! and cards in cells together never become more.
//!
//! A *counter* is a predicate of one argument that holds for one object at a
//! time; every action that changes it goes one step up or down along a static
//! predicate. A counter is *held down* by a predicate if no action makes the
//! sum of its rank and of how often the predicate holds larger. Then it stays
//! below what this sum is at the start, and variables that stand for its value
//! range over that. (The sum is a weighted place invariant, as of Petri nets,
//! found by its form.)

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::lower::{ActionSchema, EffectSchema, Literal, Pattern, Range, Schemas, Slot};
use crate::model::{Model, TaskRef};

/// Narrows the ranges of variables that stand for the value of a counter.
pub fn narrow(model: &Model, schemas: &mut Schemas, run: &mut Run<'_>) -> Result<(), Stop> {
    for predicate in 0..model.predicates.len() {
        let changes = schemas.grows[predicate] && schemas.shrinks[predicate];
        if model.predicates[predicate].parameters.len() != 1
            || !changes
            || schemas.derived[predicate]
        {
            continue;
        }
        run.effort(100 + schemas.actions.len() as u64)?;
        let Some(counter) = Counter::of(predicate, model, schemas) else {
            continue;
        };
        let mut allowed: Vec<bool> = counter.ranks.iter().map(Option::is_some).collect();
        for other in 0..model.predicates.len() {
            run.effort(20 + schemas.actions.len() as u64)?;
            for up in [1, -1] {
                if other != predicate && counter.is_held_down(up, other, schemas) {
                    let facts = model.init.iter();
                    let most = facts.filter(|it| it.predicate.index() == other).count() as i64;
                    for (allowed, rank) in allowed.iter_mut().zip(&counter.ranks) {
                        *allowed &= rank.is_some_and(|rank| up * rank <= most);
                    }
                }
            }
        }
        restrict(predicate, &allowed, schemas);
    }
    pass_on(schemas);
    Ok(())
}

/// A predicate that holds for one object at a time.
struct Counter {
    /// Per action, by how much it raises the rank.
    steps: Vec<i64>,
    /// Per object, how far it is above the one at the start, if it can be
    /// reached by steps.
    ranks: Vec<Option<i64>>,
}

impl Counter {
    fn of(predicate: usize, model: &Model, schemas: &Schemas) -> Option<Counter> {
        let mut facts = model
            .init
            .iter()
            .filter(|it| it.predicate.index() == predicate);
        let start = facts.next()?.arguments[0].0;
        if facts.next().is_some() {
            return None;
        }
        let mut along = None;
        let mut steps = Vec::with_capacity(schemas.actions.len());
        for action in &schemas.actions {
            steps.push(match action.used {
                true => step(action, predicate, schemas, &mut along)?,
                false => 0,
            });
        }
        let ranks = ranks(start, along?, model)?;
        Some(Counter { steps, ranks })
    }

    /// True if no action makes the sum of rank (or of rank downwards, if `up`
    /// is negative) and of facts of the other predicate larger.
    fn is_held_down(&self, up: i64, other: usize, schemas: &Schemas) -> bool {
        if schemas.derived[other] {
            return false;
        }
        let mut actions = self.steps.iter().zip(&schemas.actions);
        let rises = actions.clone().any(|(step, _)| up * step > 0);
        rises
            && actions.all(|(step, action)| {
                !action.used || gain(action, other).is_some_and(|gain| up * step + gain <= 0)
            })
    }
}

fn is_plain(effect: &EffectSchema) -> bool {
    let when = &effect.when;
    effect.bound.is_empty() && when.literals.is_empty() && when.rest.is_empty()
}

/// What an action adds and deletes of a predicate; nothing if that depends.
fn changes(action: &ActionSchema, predicate: usize) -> Option<(Vec<&Pattern>, Vec<&Pattern>)> {
    let (mut adds, mut deletes) = (vec![], vec![]);
    let of = |atoms: &&Pattern| atoms.predicate == predicate;
    for effect in &action.effects {
        let before = adds.len() + deletes.len();
        adds.extend(effect.add.iter().filter(of));
        deletes.extend(effect.delete.iter().filter(of));
        if adds.len() + deletes.len() > before && !is_plain(effect) {
            return None;
        }
    }
    Some((adds, deletes))
}

fn requires(action: &ActionSchema, atom: &Pattern) -> bool {
    let is = |literal: &Literal| matches!(literal, Literal::Atom(it, true) if it == atom);
    action.condition.literals.iter().any(is)
}

/// By how much an action raises a counter, along which static predicate.
fn step(
    action: &ActionSchema,
    counter: usize,
    schemas: &Schemas,
    along: &mut Option<usize>,
) -> Option<i64> {
    let (adds, deletes) = changes(action, counter)?;
    let (after, before) = match (&adds[..], &deletes[..]) {
        ([], []) => return Some(0),
        ([after], [before]) if requires(action, before) => (after.terms[0], before.terms[0]),
        _ => return None,
    };
    if after == before {
        return Some(0);
    }
    action.condition.literals.iter().find_map(|literal| {
        let Literal::Atom(atom, true) = literal else {
            return None;
        };
        let p = atom.predicate;
        if schemas.grows[p] || schemas.shrinks[p] || along.is_some_and(|it| it != p) {
            return None;
        }
        let step = match atom.terms[..] {
            [a, b] if (a, b) == (after, before) => 1,
            [a, b] if (a, b) == (before, after) => -1,
            _ => return None,
        };
        *along = Some(p);
        Some(step)
    })
}

/// By how many facts of a predicate there are more after an action, at most.
fn gain(action: &ActionSchema, predicate: usize) -> Option<i64> {
    let (adds, deletes) = changes(action, predicate)?;
    // Several that are deleted may be one and the same.
    let loses = deletes.iter().any(|atom| requires(action, atom));
    Some(adds.len() as i64 - i64::from(loses))
}

/// How far objects are above one of them; nothing if that is ambiguous.
fn ranks(start: u32, along: usize, model: &Model) -> Option<Vec<Option<i64>>> {
    let mut neighbours: Vec<Vec<(u32, i64)>> = vec![vec![]; model.objects.len()];
    for fact in model.init.iter().filter(|it| it.predicate.index() == along) {
        let (above, below) = (fact.arguments[0].0, fact.arguments[1].0);
        neighbours[below as usize].push((above, 1));
        neighbours[above as usize].push((below, -1));
    }
    let mut ranks = vec![None; model.objects.len()];
    ranks[start as usize] = Some(0);
    let mut open = vec![(start, 0)];
    while let Some((object, rank)) = open.pop() {
        for &(next, step) in &neighbours[object as usize] {
            match ranks[next as usize] {
                Some(known) if known != rank + step => return None,
                Some(_) => {}
                None => {
                    ranks[next as usize] = Some(rank + step);
                    open.push((next, rank + step));
                }
            }
        }
    }
    Some(ranks)
}

/// Ranges made narrower, each once.
struct Narrower<'a> {
    ranges: &'a mut Vec<Range>,
    allowed: &'a [bool],
    known: FxHashMap<usize, usize>,
}

impl Narrower<'_> {
    fn narrow(&mut self, range: &mut usize) {
        let (ranges, allowed) = (&mut *self.ranges, self.allowed);
        *range = *self.known.entry(*range).or_insert_with(|| {
            let old = &ranges[*range];
            if old.objects.iter().all(|&it| allowed[it as usize]) {
                return *range;
            }
            let member = old.member.iter().zip(allowed).map(|(a, b)| *a && *b);
            let member: Vec<bool> = member.collect();
            let objects = old.objects.iter().copied();
            let objects = objects.filter(|&it| allowed[it as usize]).collect();
            ranges.push(Range { objects, member });
            ranges.len() - 1
        });
    }

    fn variable(&mut self, atom: &Pattern, variables: &mut [usize]) {
        if let Some(Slot::Var(v)) = atom.terms.first() {
            self.narrow(&mut variables[*v as usize]);
        }
    }
}

/// Variables that the predicate must hold for, or is made true for, range over
/// what is allowed.
fn restrict(predicate: usize, allowed: &[bool], schemas: &mut Schemas) {
    let mut narrower = Narrower {
        ranges: &mut schemas.ranges,
        allowed,
        known: FxHashMap::default(),
    };
    let actions = schemas.actions.iter_mut().filter(|it| it.used);
    let actions = actions.map(|it| (&it.condition, &it.effects[..], &mut it.variables));
    let methods = schemas.methods.iter_mut();
    let methods = methods.map(|it| (&it.condition, &[][..], &mut it.variables));
    for (condition, effects, variables) in actions.chain(methods) {
        for literal in &condition.literals {
            if let Literal::Atom(atom, true) = literal
                && atom.predicate == predicate
            {
                narrower.variable(atom, variables);
            }
        }
        for atom in effects.iter().flat_map(|effect| &effect.add) {
            if atom.predicate == predicate {
                narrower.variable(atom, variables);
            }
        }
    }
}

/// Methods give actions only what these take.
fn pass_on(schemas: &mut Schemas) {
    for method in &mut schemas.methods {
        for (node, arguments) in &method.subtasks {
            let TaskRef::Action(action) = node else {
                continue;
            };
            let taken = &schemas.actions[action.index()].variables;
            for (slot, &range) in arguments.iter().zip(taken) {
                if let Slot::Var(v) = slot {
                    let own = &mut method.variables[*v as usize];
                    let (old, new) = (&schemas.ranges[*own], &schemas.ranges[range]);
                    // What is not narrower is compared object by object later.
                    if new.objects.len() < old.objects.len()
                        && new.objects.iter().all(|&it| old.member[it as usize])
                    {
                        *own = range;
                    }
                }
            }
        }
    }
}
