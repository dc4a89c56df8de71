//! What each step of a plan changes, in words: for whoever wants to look at the
//! states between.

use super::Broken;
use super::state::History;
use crate::model::Model;
use crate::number::Rational;
use crate::plan::Plan;

/// What becomes true and what becomes false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateChange {
    /// Facts such as `(at ball room)`, in alphabetical order.
    pub added: Vec<String>,
    /// Facts that do not hold any more, in alphabetical order.
    pub removed: Vec<String>,
}

/// The changes of a plan, step by step; the first is the initial state. Derived
/// facts are not among them; values that change are, as `(= (fuel van) 7)`.
pub fn changes(model: &Model, plan: &Plan) -> Result<Vec<StateChange>, Broken> {
    let (history, _) = History::of(model, plan)?;
    let mut changes = vec![StateChange::default(); plan.steps.len() + 1];
    for (predicate, arguments, times) in history.facts() {
        let name = &model.predicates[predicate].name;
        let fact = format!("({})", model.show(name, arguments));
        // A fact becomes true first, then false, then true again, …
        for (nth, time) in times.iter().enumerate() {
            let change = &mut changes[*time];
            let list = match nth % 2 {
                0 => &mut change.added,
                _ => &mut change.removed,
            };
            list.push(fact.clone());
        }
    }
    for (function, arguments, values) in history.numbers() {
        // What never changes is no part of a state.
        if values.len() < 2 {
            continue;
        }
        let name = &model.functions[function].name;
        let place = model.show(name, arguments);
        let fact = |value: Rational| format!("(= ({place}) {value})");
        for (nth, (time, value)) in values.iter().enumerate() {
            let before = nth.checked_sub(1).map(|before| values[before].1);
            if before == Some(*value) {
                continue;
            }
            changes[*time].added.push(fact(*value));
            changes[*time].removed.extend(before.map(fact));
        }
    }
    for change in &mut changes {
        change.added.sort_unstable();
        change.removed.sort_unstable();
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_changes_what_its_effect_says_and_nothing_twice() {
        let domain =
            "(define (domain d) (:predicates (lit ?l) (dark ?l)) (:functions (power) (price))
            (:action light :parameters (?l)
              :effect (and (lit ?l) (not (dark ?l)) (decrease (power) (price)))))";
        let problem = "(define (problem p) (:domain d) (:objects a)
            (:init (dark a) (= (power) 2) (= (price) 0.5)) (:goal (lit a)))";
        let (model, _) = crate::read(domain, problem);
        let model = model.unwrap();
        let plan = crate::plan::text::read("(light a)\n(light a)\n", &model).unwrap();
        let found = changes(&model, &plan).unwrap();
        let change = |added: &[&str], removed: &[&str]| StateChange {
            added: added.iter().map(ToString::to_string).collect(),
            removed: removed.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(
            found,
            [
                change(&["(= (power) 2)", "(dark a)"], &[]),
                change(
                    &["(= (power) 1.5)", "(lit a)"],
                    &["(= (power) 2)", "(dark a)"]
                ),
                change(&["(= (power) 1)"], &["(= (power) 1.5)"]),
            ]
        );
    }
}
