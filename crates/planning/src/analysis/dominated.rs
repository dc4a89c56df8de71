//! What the relaxation can do without: effects that another operator has for
//! less.
//!
//! An operator that needs all that another needs, and perhaps more, and is
//! charged no less, need not make true what the other makes true: sums of costs
//! stay the same. A relaxed plan may need two operators where one did two
//! things. Where vehicles may take passengers along, this leaves a fraction of
//! the operators. (Helmert's "The Fast Downward planning system", 2006, does
//! the same to operators with one effect each.)
//!
//! Not for cuts and landmarks: a plan may pay once for two effects that are
//! each cheaper elsewhere, and those who ask for all achievers mean all.

use planoku_engine::{Run, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::charge::Weight;
use crate::analysis::relax::{Lists, Relaxation};
use crate::state::hash::hash_words;

/// All subsets of so many needs are looked up; of more, those that lack none,
/// one or two.
const FEW: usize = 6;

/// For each operator, what it makes true that no other has for less.
pub(crate) fn undominated<W: Weight>(
    relaxed: &Relaxation<W>,
    run: &mut Run<'_>,
) -> Result<Lists, Stop> {
    let operators = 0..relaxed.charge.len() as u32;
    let hashes: Vec<u64> = (0..relaxed.literals as u64)
        .map(|literal| hash_words(&[literal + 1]))
        .collect();
    let mut known = FxHashSet::default();
    // The cheapest operator with just these needs that makes a literal true.
    let mut best: FxHashMap<(u64, u32), u32> = FxHashMap::default();
    for operator in operators.clone() {
        let needs = relaxed.needs.get(operator);
        let makes = relaxed.makes.get(operator);
        run.effort((needs.len() + 4 * makes.len()) as u64)?;
        let all = sum(needs, &hashes);
        known.insert(all);
        for &made in makes {
            let best = best.entry((all, made)).or_insert(operator);
            if relaxed.charge[operator as usize] < relaxed.charge[*best as usize] {
                *best = operator;
            }
        }
    }
    let (mut kept, mut fewer) = (Lists::new(), Vec::new());
    for operator in operators {
        let needs = relaxed.needs.get(operator);
        let makes = relaxed.makes.get(operator);
        subsets(needs, &hashes, &mut fewer);
        run.effort((2 * fewer.len()) as u64)?;
        fewer.retain(|subset| known.contains(subset));
        run.effort((4 * fewer.len() * makes.len()) as u64)?;
        kept.push(makes.iter().copied().filter(|&made| {
            let others = fewer.iter().filter_map(|&it| best.get(&(it, made)));
            let dominates = |other: u32| {
                // Sums of hashes may be equal by chance.
                let inner = relaxed.needs.get(other);
                let (own, its) = (operator as usize, other as usize);
                other != operator
                    && inner.iter().all(|it| needs.binary_search(it).is_ok())
                    && relaxed.charge[its] <= relaxed.charge[own]
                    // Of two that are equal the first stays.
                    && (inner.len() < needs.len()
                        || relaxed.charge[its] < relaxed.charge[own]
                        || other < operator)
            };
            !others.copied().any(dominates)
        }));
    }
    Ok(kept)
}

fn sum(literals: &[u32], hashes: &[u64]) -> u64 {
    let hashes = literals.iter().map(|&it| hashes[it as usize]);
    hashes.fold(0, u64::wrapping_add)
}

/// The sums of subsets of an operator's needs, the whole set included.
fn subsets(needs: &[u32], hashes: &[u64], into: &mut Vec<u64>) {
    into.clear();
    if needs.len() <= FEW {
        into.push(0);
        for &need in needs {
            for place in 0..into.len() {
                into.push(into[place].wrapping_add(hashes[need as usize]));
            }
        }
        return;
    }
    let all = sum(needs, hashes);
    into.push(all);
    for (place, &one) in needs.iter().enumerate() {
        let left = all.wrapping_sub(hashes[one as usize]);
        into.push(left);
        let others = needs[..place].iter();
        into.extend(others.map(|&other| left.wrapping_sub(hashes[other as usize])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::charge::Charge;
    use crate::analysis::explore::{Explorer, Join};
    use crate::ground::{GroundAction, ground};
    use crate::instance::Instance;

    const DOMAIN: &str = "(define (domain d)
        (:requirements :adl :typing)
        (:types place thing) (:predicates (car ?p - place) (at ?t - thing ?p - place) (wet))
        (:action drive :parameters (?a ?b - place)
          :precondition (car ?a) :effect (and (car ?b) (not (car ?a)) (when (wet) (not (wet)))))
        (:action bring :parameters (?t - thing ?a ?b - place)
          :precondition (and (car ?a) (at ?t ?a))
          :effect (and (car ?b) (at ?t ?b) (not (car ?a)) (not (at ?t ?a))))
        (:action both :parameters (?t ?u - thing ?a ?b - place)
          :precondition (and (car ?a) (at ?t ?a) (at ?u ?a) (not (= ?t ?u)))
          :effect (and (car ?b) (at ?t ?b) (at ?u ?b) (not (car ?a)))))";
    const PROBLEM: &str = "(define (problem p) (:domain d)
        (:objects p q r - place t u - thing)
        (:init (car p) (at t q) (at u q) (wet)) (:goal (and (at t r) (at u r) (not (wet)))))";

    fn instance() -> Instance {
        let model = crate::read(DOMAIN, PROBLEM).0.unwrap();
        Instance::new(ground(&model, &mut Run::default()).unwrap())
    }

    #[test]
    fn sums_of_costs_stay_as_they_were() {
        let instance = instance();
        let mut run = Run::default();
        let whole = instance.relaxation::<u32>(Charge::Steps, &mut run).unwrap();
        let lean = instance.lean_relaxation::<u32>(Charge::Steps, &mut run);
        let lean = lean.unwrap();
        let state = instance.world.initial();
        let every: Vec<u32> = (0..instance.facts.len() as u32).collect();
        let costs = |relaxed: &Relaxation<u32>| {
            let mut explorer = Explorer::new(relaxed);
            explorer.explore(&instance.world, relaxed, &state, None, Join::Sum);
            explorer.reach_all(relaxed, &every, Join::Sum);
            let costs = every.iter().map(|&fact| explorer.cost(fact));
            costs.collect::<Vec<u32>>()
        };
        assert_eq!(costs(&whole), costs(&lean));
    }

    #[test]
    fn who_takes_two_along_is_left_out() {
        let instance = instance();
        let mut run = Run::default();
        let lean = instance.lean_relaxation::<u32>(Charge::Steps, &mut run);
        let lean = lean.unwrap();
        let takes_two = |action: &GroundAction| action.schema.is_some_and(|it| it.index() == 2);
        let actions = instance.actions.iter().zip(0..);
        let (two, others): (Vec<_>, Vec<_>) = actions.partition(|(action, _)| takes_two(action));
        assert!(!two.is_empty());
        assert!(two.iter().all(|it| lean.action(it.1).is_none()));
        assert!(others.iter().any(|it| lean.action(it.1).is_some()));
    }
}
