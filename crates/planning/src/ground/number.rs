//! Facts numbered: those that some condition asks for, and no others.

use planoku_engine::{Run, Stop};

use super::draft::Draft;
use super::reach::Reach;
use super::relation::NONE;
use super::{Condition, Ground, GroundComparison, GroundFact};
use crate::model::{ObjectId, PredicateId};

/// Numbers the facts that some condition asks for, by predicate and arguments,
/// and forgets all others.
pub fn number_facts(
    reach: &Reach<'_>,
    draft: &Draft,
    helpers: usize,
    ground: &mut Ground,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    run.effort(ground.size())?;
    let mut asked = vec![false; draft.facts + helpers];
    let mut ask = |condition: &Condition| {
        for &fact in condition.positive.iter().chain(&condition.negative) {
            asked[fact as usize] = true;
        }
    };
    ask(&ground.goal);
    ground.methods.iter().for_each(|m| ask(&m.precondition));
    for action in &ground.actions {
        ask(&action.precondition);
        action.conditional.iter().for_each(|e| ask(&e.condition));
    }
    let changes = ground.numbers.changes.iter().flatten();
    changes.for_each(|change| ask(&change.condition));
    let mut kept = vec![false; ground.axioms.len()];
    loop {
        let mut changed = false;
        for (axiom, kept) in ground.axioms.iter().zip(&mut kept) {
            if asked[axiom.head as usize] && !std::mem::replace(kept, true) {
                changed = true;
                let condition = &axiom.condition;
                for &fact in condition.positive.iter().chain(&condition.negative) {
                    asked[fact as usize] = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut kept = kept.into_iter();
    ground.axioms.retain(|_| kept.next().unwrap_or(true));
    let name = |fact: usize| {
        let (predicate, row) = reach.world.facts[fact];
        let table = &reach.world.relations[predicate as usize].table;
        (predicate, table.row(row))
    };
    let is_comparison = |fact: usize| reach.world.is_comparison(fact as u32);
    let wanted = |&fact: &usize| asked[fact] && !is_comparison(fact);
    let mut order: Vec<usize> = (0..draft.facts).filter(wanted).collect();
    order.sort_unstable_by(|&a, &b| name(a).cmp(&name(b)));
    let mut number = vec![NONE; draft.facts + helpers];
    for (new, &old) in order.iter().enumerate() {
        number[old] = new as u32;
        run.effort(1)?;
        let (predicate, arguments) = name(old);
        let fact = GroundFact::Atom(PredicateId(predicate), objects(arguments));
        ground.facts.push(fact);
        if draft.initial[old] {
            ground.init.push(new as u32);
        }
    }
    for comparison in &draft.comparisons {
        let old = comparison.fact as usize;
        if asked[old] {
            let fact = ground.facts.len() as u32;
            number[old] = fact;
            if draft.initial[old] {
                ground.init.push(fact);
            }
            let place = ground.numbers.comparisons.len() as u32;
            ground.facts.push(GroundFact::Comparison(place));
            ground.numbers.comparisons.push(GroundComparison {
                fact,
                expression: comparison.expression.clone(),
                test: comparison.test,
            });
        }
    }
    for helper in 0..helpers {
        if asked[draft.facts + helper] {
            number[draft.facts + helper] = ground.facts.len() as u32;
            ground.facts.push(GroundFact::Helper(helper as u32));
        }
    }
    renumber(&number, ground);
    Ok(())
}

fn renumber(number: &[u32], ground: &mut Ground) {
    let list = |facts: &mut Vec<u32>| {
        facts.retain_mut(|fact| {
            *fact = number[*fact as usize];
            *fact != NONE
        });
        facts.sort_unstable();
        facts.shrink_to_fit();
    };
    let condition = |condition: &mut Condition| {
        list(&mut condition.positive);
        list(&mut condition.negative);
    };
    condition(&mut ground.goal);
    ground
        .methods
        .iter_mut()
        .for_each(|m| condition(&mut m.precondition));
    for action in &mut ground.actions {
        condition(&mut action.precondition);
        list(&mut action.add);
        list(&mut action.delete);
        for effect in &mut action.conditional {
            condition(&mut effect.condition);
            list(&mut effect.add);
            list(&mut effect.delete);
        }
        action
            .conditional
            .retain(|effect| !effect.add.is_empty() || !effect.delete.is_empty());
    }
    let changes = ground.numbers.changes.iter_mut().flatten();
    changes.for_each(|change| condition(&mut change.condition));
    for axiom in &mut ground.axioms {
        condition(&mut axiom.condition);
        axiom.head = number[axiom.head as usize];
    }
}

/// Arguments as the model names them.
pub fn objects(values: &[u32]) -> Box<[ObjectId]> {
    values.iter().map(|&object| ObjectId(object)).collect()
}
