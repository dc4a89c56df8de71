//! Variables numbered: those that somebody reads, and no others.
//!
//! A number that is only ever counted up, such as what a metric speaks of, does
//! not tell states apart. It is left out, unless an action may be impossible
//! for its sake: because it has no value, or two changes contradict each other.

use super::draft::Draft;
use super::number::objects;
use super::reach::Reach;
use super::relation::NONE;
use super::{ChangeKind, Ground, NumericVariable, VariableChange};
use crate::model::FunctionId;
use crate::numbers::GroundExpression;

/// Numbers the variables that matter and forgets all others.
pub fn number_variables(reach: &Reach<'_>, draft: &Draft, ground: &mut Ground) {
    let numbers = &mut ground.numbers;
    if numbers.changes.iter().all(Vec::is_empty) {
        numbers.changes.clear();
    }
    let mut kept = vec![false; draft.start.len()];
    let mut open = Vec::new();
    for comparison in &numbers.comparisons {
        comparison.expression.variables(&mut open);
    }
    for changes in &numbers.changes {
        let harmful = |change: &&VariableChange| !is_harmless(change, changes, draft);
        open.extend(changes.iter().filter(harmful).map(|it| it.variable));
    }
    let mut amounts = vec![Vec::new(); draft.start.len()];
    for change in numbers.changes.iter().flatten() {
        change
            .amount
            .variables(&mut amounts[change.variable as usize]);
    }
    while let Some(variable) = open.pop() {
        if !std::mem::replace(&mut kept[variable as usize], true) {
            open.append(&mut amounts[variable as usize]);
        }
    }
    let mut number = vec![NONE; kept.len()];
    for old in (0..kept.len()).filter(|&old| kept[old]) {
        number[old] = numbers.variables.len() as u32;
        let (function, arguments) = &reach.world.functions.variables[old];
        numbers.variables.push(NumericVariable {
            function: FunctionId(*function as u32),
            arguments: objects(arguments),
            start: draft.start[old],
        });
    }
    let rename = |expression: &mut GroundExpression| {
        let old = std::mem::replace(expression, GroundExpression::undefined());
        *expression = old.renamed(&|variable| number[variable as usize]);
    };
    for comparison in &mut numbers.comparisons {
        rename(&mut comparison.expression);
    }
    for changes in &mut numbers.changes {
        changes.retain(|change| kept[change.variable as usize]);
        for change in changes {
            change.variable = number[change.variable as usize];
            rename(&mut change.amount);
        }
    }
    if numbers.variables.is_empty() {
        numbers.changes.clear();
    }
}

/// True if a change, of all that its action does, can be executed anywhere.
fn is_harmless(change: &VariableChange, all: &[VariableChange], draft: &Draft) -> bool {
    let is_defined = |variable: u32| draft.start[variable as usize].is_some();
    let same = all.iter().filter(|it| it.variable == change.variable);
    let alone = same.count() == 1;
    let reads_itself = change.kind != ChangeKind::Assign;
    let mut read = Vec::new();
    change.amount.variables(&mut read);
    (!reads_itself || is_defined(change.variable))
        && (alone || change.kind == ChangeKind::Increase)
        && change.amount.is_whole()
        && read.into_iter().all(is_defined)
}
