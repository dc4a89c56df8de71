//! The requirements of the language that a model makes use of.

use super::visit;
use super::{CompareOperator, Effect, Formula, Model};

/// The requirements that a model makes use of.
pub fn needed(model: &Model) -> Vec<&'static str> {
    let mut needs = Vec::new();
    let mut need = |name: &'static str, yes: bool| {
        if yes {
            needs.push(name);
        }
    };
    let asks =
        |formula: &Formula| formula != &Formula::True && formula != &Formula::And(Vec::new());
    need(":typing", model.types.len() > 1);
    need(":hierarchy", !model.tasks.is_empty());
    let mut kinds = [false; 5];
    let actions = model.actions.iter().map(|a| &a.precondition);
    let methods = model.methods.iter().map(|m| &m.precondition);
    for formula in actions.chain(methods) {
        visit::formulas(formula, &mut |part| match part {
            Formula::Not(body) => match &**body {
                Formula::Equal(..) => kinds[1] = true,
                _ => kinds[0] = true,
            },
            Formula::Equal(..) => kinds[1] = true,
            Formula::Or(_) | Formula::Imply(..) => kinds[2] = true,
            Formula::Forall(..) => kinds[3] = true,
            Formula::Exists(..) => kinds[4] = true,
            _ => {}
        });
    }
    need(":negative-preconditions", kinds[0]);
    need(":equality", kinds[1]);
    need(":disjunctive-preconditions", kinds[2]);
    need(":universal-preconditions", kinds[3]);
    need(":existential-preconditions", kinds[4]);
    let mut conditional = false;
    let mut costs = false;
    for action in &model.actions {
        visit::effects(&action.effect, &mut |effect| match effect {
            Effect::When(..) | Effect::Forall(..) => conditional = true,
            Effect::IncreaseCost(_) => costs = true,
            _ => {}
        });
    }
    need(":conditional-effects", conditional);
    need(":action-costs", costs);
    need(":numeric-fluents", visit::first_number(model).is_some());
    let features = model.beyond.iter();
    let mut beyond: Vec<&'static str> = features.map(|it| it.feature.requirement()).collect();
    beyond.sort_unstable();
    beyond.dedup();
    beyond.into_iter().for_each(|name| need(name, true));
    let bounds = model.actions.iter().filter_map(|it| it.durative.as_ref());
    let mut bounds = bounds.flat_map(|it| &it.duration);
    need(
        ":duration-inequalities",
        bounds.any(|(operator, _)| *operator != CompareOperator::Equal),
    );
    need(":derived-predicates", !model.derived.is_empty());
    need(
        ":method-preconditions",
        model.methods.iter().any(|m| asks(&m.precondition)),
    );
    needs
}
