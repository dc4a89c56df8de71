//! Objects that nothing tells apart.
//!
//! Ten cars at one place are ten ways to choose a car, a hundred to choose two,
//! and what follows is the same for all of them. Two objects are *twins* in a
//! state if exchanging them maps the facts that hold to themselves, and neither
//! the model nor what remains to be done mentions either. A join that has taken
//! one of them leaves out the others: whatever plan they lead to, the first
//! leads to as well, with names exchanged.
//!
//! Every object has a print, the exclusive or of hashes of its facts with the
//! object itself left out, which changes with the facts. Objects of the same
//! types are twins if their prints are the same. Only those are watched that
//! are twins of another at the beginning.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::model::{Amount, Effect, Formula, Model, Network, ObjectId, Term, visit};
use crate::state::hash::mix;

/// An object that is not watched.
const NOBODY: u8 = u8::MAX;

/// Stands for the object itself in its print.
const ITSELF: u32 = u32::MAX;

/// A set of watched objects. Where there are more than 128 of them some share
/// a bit, so that more may seem to be in a set than are.
pub(super) type Watched = u128;

/// Which objects are watched, and what their facts look like now.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    /// For each object, its bit in sets; empty if nobody is watched.
    bits: Vec<u8>,
    prints: Vec<u64>,
}

impl Twins {
    /// The objects of a model that have twins at the beginning. Their prints
    /// show no facts yet.
    pub(super) fn new(model: &Model) -> Twins {
        let mut alone = vec![false; model.objects.len()];
        mentioned(model, &mut |object| alone[object.0 as usize] = true);
        // Objects of different types, or of different costs, are never twins.
        let types = model.objects.iter().map(|object| {
            let types = object.types.iter().map(|it| mix(u128::from(it.0)) as u64);
            types.fold(0, |all, it| all ^ it)
        });
        let mut empty: Vec<u64> = types.collect();
        for (function, arguments, cost) in model.costs() {
            let price = u128::from(FxBuildHasher.hash_one(cost)) << 64;
            each(arguments, !function.0, &mut |object, imprint| {
                empty[object as usize] ^= mix(price | u128::from(imprint)) as u64;
            });
        }
        let mut prints = empty.clone();
        for fact in &model.init {
            each(&fact.arguments, fact.predicate.0, &mut |object, imprint| {
                prints[object as usize] ^= imprint;
            });
        }
        let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
        let others = || prints.iter().zip(&alone).filter(|(_, alone)| !**alone);
        for (&print, _) in others() {
            *alike.entry(print).or_default() += 1;
        }
        let mut watched = 0u32;
        let mut bit = |(&print, &alone): (&u64, &bool)| match !alone && alike[&print] > 1 {
            true => {
                watched += 1;
                (watched % 128) as u8
            }
            false => NOBODY,
        };
        let bits = prints.iter().zip(&alone).map(&mut bit).collect();
        match watched {
            0 => Twins::default(),
            _ => Twins {
                bits,
                prints: empty,
            },
        }
    }

    /// False if every object is one of its kind.
    #[inline]
    pub(super) fn any(&self) -> bool {
        !self.bits.is_empty()
    }

    #[inline]
    fn bit(&self, object: u32) -> Watched {
        match self.bits.get(object as usize) {
            None | Some(&NOBODY) => 0,
            Some(bit) => 1 << bit,
        }
    }

    /// The watched ones among objects.
    #[inline]
    pub(super) fn among(&self, objects: &[u32]) -> Watched {
        match self.any() {
            true => objects.iter().fold(0, |all, &it| all | self.bit(it)),
            false => 0,
        }
    }

    /// What a fact adds to the prints of its objects.
    pub(super) fn imprints(&self, predicate: u32, objects: &[u32], into: &mut Vec<(u32, u64)>) {
        for (place, &object) in objects.iter().enumerate() {
            if self.bit(object) != 0 && !objects[..place].contains(&object) {
                into.push((object, imprint(predicate, objects, object)));
            }
        }
    }

    /// A fact about the object became true or false.
    #[inline]
    pub(super) fn change(&mut self, (object, imprint): (u32, u64)) {
        self.prints[object as usize] ^= imprint;
    }

    /// How an object looks if those of a set are told apart; `None` if it is
    /// told apart itself.
    #[inline]
    pub(super) fn look(&self, object: u32, apart: Watched) -> Option<u64> {
        let bit = self.bit(object);
        (bit != 0 && bit & apart == 0).then(|| self.prints[object as usize])
    }
}

/// Tuples seen so far, up to twins.
#[derive(Default)]
pub(super) struct Seen(FxHashSet<u64>);

impl Seen {
    /// True if a tuple with twins for some of its objects came before. A place
    /// is `free` if its object may be another one.
    pub(super) fn before(
        &mut self,
        twins: &Twins,
        tuple: &[u32],
        free: impl Fn(usize) -> bool,
        apart: Watched,
    ) -> bool {
        let mut key = 0u64;
        let mut exchangeable = false;
        for (place, &object) in tuple.iter().enumerate() {
            let look = match free(place) {
                true => twins.look(object, apart),
                false => None,
            };
            exchangeable |= look.is_some();
            // The same object twice is another thing than two of a kind.
            let first = tuple.iter().position(|it| *it == object).unwrap_or(place);
            let look = look.map_or(u128::from(object), |it| u128::from(it) << 32 | 1 << 127);
            key = mix(look ^ u128::from(key) ^ (first as u128) << 100) as u64;
        }
        exchangeable && !self.0.insert(key)
    }
}

/// The objects of an atom, each once, with what it adds to their prints.
fn each(arguments: &[ObjectId], predicate: u32, visit: &mut dyn FnMut(u32, u64)) {
    let objects: Vec<u32> = arguments.iter().map(|object| object.0).collect();
    for (place, &object) in objects.iter().enumerate() {
        if !objects[..place].contains(&object) {
            visit(object, imprint(predicate, &objects, object));
        }
    }
}

fn imprint(predicate: u32, objects: &[u32], object: u32) -> u64 {
    let itself = |&it: &u32| if it == object { ITSELF } else { it };
    let objects = objects.iter().map(itself);
    objects.fold(mix(u128::from(predicate)), |hash, it| {
        mix(hash ^ u128::from(it))
    }) as u64
}

/// Every object that a schema, the initial network or the goal speaks of.
fn mentioned(model: &Model, found: &mut dyn FnMut(ObjectId)) {
    let mut terms = |terms: &[Term]| {
        for term in terms {
            if let Term::Object(object) = term {
                found(*object);
            }
        }
    };
    visit::conditions(model, &mut |condition| {
        visit::formulas(condition, &mut |formula| match formula {
            Formula::Atom(atom) => terms(&atom.arguments),
            Formula::Equal(left, right) => terms(&[*left, *right]),
            _ => {}
        });
    });
    for action in &model.actions {
        visit::effects(&action.effect, &mut |effect| match effect {
            Effect::Add(atom) | Effect::Delete(atom) => terms(&atom.arguments),
            Effect::IncreaseCost(Amount::Function(_, arguments)) => terms(arguments),
            _ => {}
        });
    }
    let initial = model.network.iter().map(|it| &it.network);
    let networks = model.methods.iter().map(|method| &method.network);
    for subtask in networks
        .chain(initial)
        .flat_map(|it: &Network| &it.subtasks)
    {
        terms(&subtask.arguments);
    }
    for method in &model.methods {
        terms(&method.task_arguments);
    }
}

#[cfg(test)]
mod tests {
    use planoku_engine::{Engine, Run};

    use super::super::facts::Facts;
    use super::super::{Lifted, LiftedBest};
    use super::*;
    use crate::plan::Plan;
    use crate::random::Random;
    use crate::verify::verify;

    fn model(domain: &str, problem: &str) -> Model {
        let (model, diagnostics) = crate::read(domain, problem);
        model.unwrap_or_else(|| panic!("{diagnostics:?}"))
    }

    /// Takes cars, as many as there are letters, each another one.
    fn cars(tasks: &str, cars: usize) -> Model {
        let domain = "(define (domain cars) (:requirements :typing :hierarchy) (:types car)
          (:predicates (here ?c - car) (likes ?a ?b - car))
          (:task any :parameters ()) (:task two :parameters ())
          (:task three :parameters ()) (:task later :parameters ())
          (:method any :parameters (?c - car) :task (any)
            :precondition (here ?c) :ordered-subtasks (and (take ?c)))
          (:method two :parameters (?a ?b - car) :task (two)
            :precondition (and (here ?a) (here ?b)) :ordered-subtasks (and (take ?a) (take ?b)))
          (:method three :parameters (?a ?b ?c - car) :task (three)
            :precondition (and (here ?a) (here ?b) (here ?c))
            :ordered-subtasks (and (take ?a) (take ?b) (take ?c)))
          (:method later :parameters (?c - car) :task (later)
            :precondition (here ?c) :ordered-subtasks (and (any) (take ?c)))
          (:action take :parameters (?c - car) :precondition (here ?c) :effect (not (here ?c))))";
        let names: Vec<String> = (0..cars).map(|it| format!("c{it}")).collect();
        let here: String = names.iter().map(|it| format!("(here {it})")).collect();
        let problem = format!(
            "(define (problem p) (:domain cars) (:objects {} - car)
              (:htn :ordered-subtasks (and {tasks})) (:init {here}))",
            names.join(" ")
        );
        model(domain, &problem)
    }

    /// The nodes that each search without grounding needs for a plan.
    fn nodes(model: &Model) -> Vec<u64> {
        let engines: [Box<dyn Engine<Model, Answer = Plan>>; 3] = [
            Box::new(Lifted::default()),
            Box::new(LiftedBest::default()),
            Box::new(LiftedBest::novel()),
        ];
        let search = |engine: &dyn Engine<Model, Answer = Plan>| {
            let mut run = Run::limit(1).with_nodes(10_000);
            let outcome = engine.solve(model, &mut run).unwrap();
            verify(model, &outcome.answers[0]).unwrap();
            outcome.stats.nodes
        };
        engines.iter().map(|it| search(&**it)).collect()
    }

    #[test]
    fn what_is_alike_is_tried_once() {
        let few = nodes(&cars("(three) (two) (any)", 6));
        assert_eq!(few, nodes(&cars("(three) (two) (any)", 60)));
    }

    #[test]
    fn what_is_still_needed_is_told_from_its_twins() {
        // The first car is kept for later, so any other must be taken before.
        for tasks in ["(later)", "(any) (take c0)", "(later) (take c0)"] {
            nodes(&cars(tasks, 3));
        }
    }

    #[test]
    fn prints_are_equal_where_exchanging_changes_nothing() {
        let twins = Twins::new(&cars("(any)", 5));
        let mut random = Random::new(7);
        for _ in 0..300 {
            let mut facts = Facts::new(&[1, 2], 5, twins.clone()).unwrap();
            let mut held: Vec<(u32, Vec<u32>)> = Vec::new();
            for _ in 0..random.below(7) {
                let mut car = || random.below(5) as u32;
                let (first, second) = (car(), car());
                let atom = match random.below(2) {
                    0 => (0, vec![first]),
                    _ => (1, vec![first, second]),
                };
                let fact = facts.number(atom.0, &atom.1);
                facts.assign(fact, true);
                held.push(atom);
            }
            for (a, b) in (0..5).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let other = |&it: &u32| match it {
                    _ if it == a => b,
                    _ if it == b => a,
                    _ => it,
                };
                let same = held.iter().all(|(predicate, objects)| {
                    let image: Vec<u32> = objects.iter().map(other).collect();
                    held.contains(&(*predicate, image))
                });
                let together = held
                    .iter()
                    .any(|(_, it)| it.contains(&a) && it.contains(&b));
                let alike = facts.twins.look(a, 0) == facts.twins.look(b, 0);
                // Facts about both say that they are different, to be safe.
                assert!(alike == same || together && !alike, "{a} {b} {held:?}");
            }
        }
    }
}
