//! Few objects first.
//!
//! A problem with thousands of objects has millions of ground actions, but the
//! plan may need a handful of objects: those of the goal, and some that stand
//! beside them in the initial state. So the problem is cut down to these and
//! grounded and searched as usual, with twice as many objects each time, until
//! half of them are in; the whole is for others. (Silver, Chitnis, Curtis,
//! Tenenbaum, Lozano-Pérez and Kaelbling, "Planning with learned object
//! importance in large problem instances", 2021, learn which; here they are
//! taken by their distance from the goal.)
//!
//! A plan for the smaller problem is one for the whole unless somebody says
//! "for all": each is judged by [`crate::verify`] on the whole problem, and
//! what is refused was not found. That there is no plan is never claimed.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::classical::Classical;
use crate::algorithms::tidy::without_needless;
use crate::ground::{GroundError, ground};
use crate::instance::Instance;
use crate::model::{Effect, Formula, Model, ObjectId, Term, Type, TypeId, Variable};
use crate::plan::Plan;
use crate::verify::verify;

/// Classical search among few objects.
#[derive(Clone, Debug)]
pub struct Focus {
    /// Nodes of the first attempt; each further one has twice as many.
    pub nodes: u64,
    /// Where shuffling begins.
    pub seed: u64,
}

impl Default for Focus {
    fn default() -> Focus {
        Focus {
            nodes: 500,
            seed: 0,
        }
    }
}

impl Engine<Model> for Focus {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "focus",
            "classical search among the objects of the goal and their neighbours",
        )
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        if model.network.is_some() {
            return Err(EngineError::Unsupported(
                "the problem is hierarchical".into(),
            ));
        }
        run.search(sink, |run, found| {
            let mut chosen = named_objects(model);
            let mut nodes = self.nodes;
            let mut wanted = chosen.iter().filter(|it| **it).count();
            while wanted <= model.objects.len() / 2 {
                if let Some(plan) = self.attempt(model, &chosen, nodes, run)? {
                    found.push(plan)?;
                }
                nodes = nodes.saturating_mul(2);
                wanted = 2 * wanted.max(2);
                grow(model, &mut chosen, wanted, run)?;
            }
            Err(Leave::GaveUp)
        })
    }
}

impl Focus {
    /// A plan that needs none but the chosen objects.
    fn attempt(
        &self,
        model: &Model,
        chosen: &[bool],
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<Option<Plan>, Leave> {
        let part = restrict(model, chosen);
        let problem = match ground(&part, run) {
            Ok(problem) => problem,
            Err(GroundError::Refuted(_)) => return Ok(None),
            Err(GroundError::Stopped { stop, .. }) => return Err(stop.into()),
            Err(GroundError::Unsupported(what)) => {
                return Err(EngineError::Unsupported(what).into());
            }
        };
        let problem = Instance::new(problem);
        let engine = Classical {
            seed: self.seed,
            ..Classical::first()
        };
        let outcome = run.with_at_most(nodes, |run| engine.solve(&problem, run))?;
        run.check()?;
        for found in outcome.answers {
            let plan = without_needless(&problem, &found).plan(&problem)?;
            if verify(model, &plan).is_ok() {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }
}

/// The objects that the goal or a schema names.
fn named_objects(model: &Model) -> Vec<bool> {
    let mut named = vec![false; model.objects.len()];
    let mut name = |term: &Term| {
        if let Term::Object(object) = term {
            named[object.index()] = true;
        }
    };
    formula_terms(&model.goal, &mut name);
    for action in &model.actions {
        formula_terms(&action.precondition, &mut name);
        effect_terms(&action.effect, &mut name);
    }
    for rule in &model.derived {
        formula_terms(&rule.condition, &mut name);
    }
    named
}

fn formula_terms(formula: &Formula, name: &mut impl FnMut(&Term)) {
    match formula {
        Formula::True => {}
        Formula::Atom(atom) => atom.arguments.iter().for_each(name),
        Formula::Equal(left, right) => [left, right].into_iter().for_each(name),
        Formula::Compare(compare) => compare.terms(&mut |term| name(term)),
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
            formula_terms(inner, name);
        }
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                formula_terms(part, name);
            }
        }
        Formula::Imply(left, right) => {
            formula_terms(left, name);
            formula_terms(right, name);
        }
    }
}

fn effect_terms(effect: &Effect, name: &mut impl FnMut(&Term)) {
    match effect {
        Effect::None | Effect::IncreaseCost(_) => {}
        Effect::Change(change) => change.terms(&mut |term| name(term)),
        Effect::Add(atom) | Effect::Delete(atom) => atom.arguments.iter().for_each(name),
        Effect::And(parts) => {
            for part in parts {
                effect_terms(part, name);
            }
        }
        Effect::Forall(_, inner) => effect_terms(inner, name),
        Effect::When(condition, inner) => {
            formula_terms(condition, name);
            effect_terms(inner, name);
        }
    }
}

/// Adds objects that share an initial fact with a chosen one, then any, until
/// there are as many as wanted.
fn grow(model: &Model, chosen: &mut [bool], wanted: usize, run: &mut Run<'_>) -> Result<(), Leave> {
    let mut left = wanted.saturating_sub(chosen.iter().filter(|it| **it).count());
    let before = chosen.to_vec();
    let near = |object: &ObjectId| before[object.index()];
    for fact in &model.init {
        run.effort(1)?;
        if fact.arguments.iter().any(near) {
            for object in &fact.arguments {
                if left > 0 && !std::mem::replace(&mut chosen[object.index()], true) {
                    left -= 1;
                }
            }
        }
    }
    for chosen in chosen.iter_mut() {
        if left > 0 && !std::mem::replace(chosen, true) {
            left -= 1;
        }
    }
    Ok(())
}

/// The problem in which variables stand for chosen objects only. Objects keep
/// their numbers, so that a plan for it can be read as one for the whole.
fn restrict(model: &Model, chosen: &[bool]) -> Model {
    let mut part = model.clone();
    let mark = TypeId(part.types.len() as u32);
    part.types.push(Type {
        name: "chosen".into(),
        parents: Vec::new(),
        span: part.types[0].span,
    });
    for (object, _) in part.objects.iter_mut().zip(chosen).filter(|(_, it)| **it) {
        object.types.push(mark);
    }
    let limit = |variables: &mut Vec<Variable>| {
        for variable in variables {
            variable.also.push(mark);
        }
    };
    for action in &mut part.actions {
        limit(&mut action.variables);
    }
    for rule in &mut part.derived {
        limit(&mut rule.variables);
    }
    limit(&mut part.goal_variables);
    part.init
        .retain(|fact| fact.arguments.iter().all(|it| chosen[it.index()]));
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_plan_among_thousands_of_objects_needs_no_millions_of_actions() {
        let domain = "(define (domain d) (:predicates (on ?x ?y) (table ?x) (clear ?x) (held ?x))
            (:action take :parameters (?x) :precondition (and (clear ?x) (table ?x))
              :effect (and (held ?x) (not (table ?x)) (not (clear ?x))))
            (:action put :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
              :effect (and (on ?x ?y) (clear ?x) (not (held ?x)) (not (clear ?y)))))";
        let each = |text: &str| -> String {
            let one = |it: usize| text.replace('#', &format!("b{it}"));
            (0..3000).map(one).collect::<Vec<_>>().join(" ")
        };
        let problem = format!(
            "(define (problem p) (:domain d) (:objects {}) (:init {}) (:goal (on b1 b2)))",
            each("#"),
            each("(table #) (clear #)")
        );
        let model = crate::read(domain, &problem).0.unwrap();
        let mut run = Run::default();
        let outcome = Focus::default().solve(&model, &mut run).unwrap();
        assert_eq!(outcome.answers[0].steps.len(), 2);
        assert!(run.work() < 100_000, "{}", run.work());
    }

    #[test]
    fn what_is_said_of_all_objects_is_judged_on_all_of_them() {
        let domain = "(define (domain d) (:predicates (done ?x))
            (:action do :parameters (?x) :precondition () :effect (done ?x)))";
        let names: Vec<String> = (0..20).map(|it| format!("o{it}")).collect();
        let problem = format!(
            "(define (problem p) (:domain d) (:objects {}) (:init)
             (:goal (and (done o0) (forall (?x) (done ?x)))))",
            names.join(" ")
        );
        let model = crate::read(domain, &problem).0.unwrap();
        let outcome = Focus::default().solve(&model, &mut Run::default()).unwrap();
        assert!(outcome.answers.is_empty());
    }
}
