//! Implications under `exists`: true as soon as one object is not meant.
//!
//! `(exists (?x) (imply (truck ?x) (free ?x)))` reads like "some truck is
//! free", but anything that is no truck satisfies it. What is meant is nearly
//! always `and` in place of `imply`, or `forall` in place of `exists`. An
//! implication whose condition does not speak of the variable is left alone.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{Atom, Effect, Formula, Model, Term, Variable, VariableId};

code!(
    EXISTS_IMPLY = "W0411",
    Warning,
    "`exists` over an implication"
);

/// Looks at every condition of the model.
pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    for action in &model.actions {
        let owner = format!("action `{}`", action.name);
        let mut look =
            |formula: &Formula| condition(model, &owner, formula, &action.variables, out);
        look(&action.precondition);
        visit::effects(&action.effect, &mut |effect| {
            if let Effect::When(formula, _) = effect {
                look(formula);
            }
        });
    }
    for method in &model.methods {
        let owner = format!("method `{}`", method.name);
        for formula in [&method.precondition, &method.network.constraints] {
            condition(model, &owner, formula, &method.variables, out);
        }
    }
    for derived in &model.derived {
        let name = &model.predicates[derived.predicate.index()].name;
        let owner = format!("the rule for `{name}`");
        condition(model, &owner, &derived.condition, &derived.variables, out);
    }
    condition(model, "the goal", &model.goal, &model.goal_variables, out);
}

fn condition(
    model: &Model,
    owner: &str,
    formula: &Formula,
    variables: &[Variable],
    out: &mut Diagnostics,
) {
    visit::formulas(formula, &mut |part| {
        let Formula::Exists(bound, body) = part else {
            return;
        };
        let Formula::Imply(condition, _) = &**body else {
            return;
        };
        let Some((atom, variable)) = about(condition, bound) else {
            return;
        };
        let literal = visit::show_atom(model, atom, variables);
        let name = &variables[variable.index()].name;
        out.push(
            Diagnostic::new(
                &EXISTS_IMPLY,
                atom.span,
                format!("{owner} is content with any `{name}` without `{literal}`"),
            )
            .label("where this condition fails, the implication holds")
            .help("`(exists … (and …))` asks for one object with both; `(forall … (imply …))` asks it of all"),
        );
    });
}

/// The first atom that speaks of one of the variables, and which.
fn about<'f>(formula: &'f Formula, bound: &[VariableId]) -> Option<(&'f Atom, VariableId)> {
    let mut found = None;
    visit::atoms(formula, true, &mut |atom, _| {
        let mut terms = atom.arguments.iter();
        let variable = terms.find_map(|term| match term {
            Term::Variable(id) if bound.contains(id) => Some(*id),
            _ => None,
        });
        found = found.or(variable.map(|id| (atom, id)));
    });
    found
}
