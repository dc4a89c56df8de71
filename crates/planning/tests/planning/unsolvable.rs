//! Where the planners say that a sample has no plan, a second, naive argument
//! says so too.
//!
//! The argument sees the model only: whatever is below the initial network may
//! happen any number of times, once what its method orders before it can be
//! done; nothing ever becomes false, and what must be false is. A choice of a
//! method's variables with which some subtask could never be done is struck
//! out, and everything is computed anew without it. If in the end the network
//! cannot be carried out, there is no plan, whatever a method's precondition
//! means exactly.

use std::collections::{HashMap, HashSet};

use planoku_engine::{End, Engine, Run};
use planoku_planning::model::{
    Atom, Effect, Formula, Model, Network, ObjectId, TaskRef, Term, Variable, VariableId,
};
use planoku_planning::portfolio::Portfolio;

use crate::corpora;

type Values = Vec<Option<ObjectId>>;
type Instance = (TaskRef, Vec<ObjectId>);

struct Naive<'m> {
    model: &'m Model,
    facts: HashSet<(u32, Vec<ObjectId>)>,
    asked: HashSet<Instance>,
    doable: HashSet<Instance>,
    /// Choices of a method's variables (the network's under `None`), with the
    /// subtasks they ask for.
    chosen: HashMap<Choice, Vec<Instance>>,
    /// Choices that cannot be carried out.
    struck: HashSet<Choice>,
}

type Choice = (Option<usize>, Values);

fn value(term: Term, values: &Values) -> ObjectId {
    match term {
        Term::Object(object) => object,
        Term::Variable(variable) => values[variable.index()].expect("a bound variable"),
    }
}

impl Naive<'_> {
    fn atom(&self, atom: &Atom, values: &Values) -> (u32, Vec<ObjectId>) {
        let arguments = atom.arguments.iter().map(|&term| value(term, values));
        (atom.predicate.0, arguments.collect())
    }

    /// All ways to give these variables values.
    fn each(
        &self,
        variables: &[Variable],
        which: &[VariableId],
        values: &mut Values,
        visit: &mut dyn FnMut(&mut Values),
    ) {
        let Some((first, rest)) = which.split_first() else {
            return visit(values);
        };
        if values[first.index()].is_some() {
            return self.each(variables, rest, values, visit);
        }
        for object in self.model.range(&variables[first.index()]) {
            values[first.index()] = Some(object);
            self.each(variables, rest, values, visit);
        }
        values[first.index()] = None;
    }

    /// False only if the formula can never hold.
    fn possible(&self, formula: &Formula, variables: &[Variable], values: &mut Values) -> bool {
        match formula {
            Formula::True => true,
            Formula::Atom(atom) => self.facts.contains(&self.atom(atom, values)),
            Formula::Equal(a, b) => value(*a, values) == value(*b, values),
            Formula::Not(inner) => match &**inner {
                Formula::Equal(a, b) => value(*a, values) != value(*b, values),
                _ => true,
            },
            Formula::And(parts) => parts.iter().all(|it| self.possible(it, variables, values)),
            Formula::Or(parts) => parts.iter().any(|it| self.possible(it, variables, values)),
            Formula::Imply(..) | Formula::Compare(_) => true,
            Formula::Forall(which, body) => {
                let mut all = true;
                self.each(variables, which, values, &mut |values| {
                    all &= self.possible(body, variables, values);
                });
                all
            }
            Formula::Exists(which, body) => {
                let mut any = false;
                self.each(variables, which, values, &mut |values| {
                    any |= self.possible(body, variables, values);
                });
                any
            }
        }
    }

    fn effects(
        &self,
        effect: &Effect,
        variables: &[Variable],
        values: &mut Values,
        into: &mut Vec<(u32, Vec<ObjectId>)>,
    ) {
        match effect {
            Effect::None | Effect::Delete(_) | Effect::IncreaseCost(_) | Effect::Change(_) => {}
            Effect::Add(atom) => into.push(self.atom(atom, values)),
            Effect::And(parts) => parts
                .iter()
                .for_each(|it| self.effects(it, variables, values, into)),
            Effect::Forall(which, body) => {
                self.each(variables, which, values, &mut |values| {
                    self.effects(body, variables, values, into);
                });
            }
            Effect::When(condition, body) => {
                if self.possible(condition, variables, values) {
                    self.effects(body, variables, values, into);
                }
            }
        }
    }

    /// Asks for what a network mentions and may start, for all values of its
    /// variables that its conditions allow; true if for some of them all of it can be done.
    fn network(
        &mut self,
        whose: Option<usize>,
        network: &Network,
        precondition: &Formula,
        (variables, arity): (&[Variable], usize),
        mut values: Values,
    ) -> bool {
        let which: Vec<VariableId> = (0..arity as u32).map(VariableId).collect();
        let mut ask = Vec::new();
        let mut chosen = Vec::new();
        let mut done = false;
        self.each(variables, &which, &mut values, &mut |values| {
            let choice = (whose, values.clone());
            if !self.struck.contains(&choice)
                && self.possible(precondition, variables, values)
                && self.possible(&network.constraints, variables, values)
            {
                let subtasks = network.subtasks.iter().map(|it| {
                    let arguments = it.arguments.iter().map(|&term| value(term, values));
                    (it.task, arguments.collect())
                });
                let subtasks: Vec<Instance> = subtasks.collect();
                let doable = |at: u32| self.doable.contains(&subtasks[at as usize]);
                done |= (0..subtasks.len() as u32).all(doable);
                let may_start = |at: u32| {
                    let before = network.ordering.iter().filter(|(_, it)| *it == at);
                    before.map(|(first, _)| *first).all(doable)
                };
                let count = subtasks.len() as u32;
                let started = (0..count).filter(|&at| may_start(at));
                ask.extend(started.map(|at| subtasks[at as usize].clone()));
                chosen.push((choice, subtasks));
            }
        });
        self.chosen.extend(chosen);
        self.asked.extend(ask);
        done
    }

    fn action(&mut self, instance: &Instance) {
        let TaskRef::Action(action) = instance.0 else {
            return;
        };
        let action = &self.model.actions[action.index()];
        let mut values: Values = instance.1.iter().copied().map(Some).collect();
        values.resize(action.variables.len(), None);
        if self.possible(&action.precondition, &action.variables, &mut values) {
            let mut added = Vec::new();
            self.effects(&action.effect, &action.variables, &mut values, &mut added);
            self.facts.extend(added);
            self.doable.insert(instance.clone());
        }
    }

    fn task(&mut self, instance: &Instance) {
        let model = self.model;
        for (number, method) in model.methods.iter().enumerate() {
            if TaskRef::Task(method.task) != instance.0 {
                continue;
            }
            let mut values: Values = vec![None; method.variables.len()];
            let fits = method.task_arguments.iter().zip(&instance.1).all(|it| {
                let (&term, &object) = it;
                match term {
                    Term::Object(fixed) => fixed == object,
                    Term::Variable(v) => {
                        let known = values[v.index()].get_or_insert(object);
                        *known == object && model.admits(&method.variables[v.index()], object)
                    }
                }
            });
            let schema = (&method.variables[..], method.arity);
            let whose = Some(number);
            if fits && self.network(whose, &method.network, &method.precondition, schema, values) {
                self.doable.insert(instance.clone());
            }
        }
    }

    /// True if the initial network can be carried out and the goal reached.
    fn plan_is_conceivable(&mut self) -> bool {
        loop {
            let initially = self.model.init.iter();
            let initially = initially.map(|fact| (fact.predicate.0, fact.arguments.clone()));
            self.facts = initially.collect();
            self.asked.clear();
            self.doable.clear();
            self.chosen.clear();
            let conceivable = self.reach();
            let before = self.struck.len();
            let hopeless = self.chosen.iter().filter(|(_, subtasks)| {
                !subtasks.iter().all(|subtask| self.doable.contains(subtask))
            });
            let hopeless: Vec<Choice> = hopeless.map(|(choice, _)| choice.clone()).collect();
            self.struck.extend(hopeless);
            if !conceivable || self.struck.len() == before {
                return conceivable;
            }
        }
    }

    fn reach(&mut self) -> bool {
        let initial = self.model.network.as_ref().expect("a hierarchical problem");
        loop {
            let before = (self.facts.len(), self.asked.len(), self.doable.len());
            let values = vec![None; initial.variables.len()];
            let schema = (&initial.variables[..], initial.arity);
            let done = self.network(None, &initial.network, &Formula::True, schema, values);
            for instance in self.asked.clone() {
                match instance.0 {
                    TaskRef::Action(_) => self.action(&instance),
                    TaskRef::Task(_) => self.task(&instance),
                }
            }
            if before == (self.facts.len(), self.asked.len(), self.doable.len()) {
                let mut values = vec![None; self.model.goal_variables.len()];
                let variables = &self.model.goal_variables;
                return done && self.possible(&self.model.goal, variables, &mut values);
            }
        }
    }
}

/// The courier can do without one road or another, but not without both, and
/// not without a van.
#[test]
fn couriers_without_a_plan_are_refuted_by_a_naive_argument_too() {
    let text = include_str!("../../../language/tests/flawed/correct.hddl");
    let (domain, problem) = text.split_at(text.find("(define (problem").unwrap());
    for (missing, conceivable) in [
        ("", true),
        ("(road home depot)", true),
        ("(road depot shop)", false),
        ("(road depot home)", false),
        ("(at v1 depot)", false),
        ("(at letter shop)", false),
    ] {
        let (model, found) = planoku_planning::read(domain, &problem.replace(missing, ""));
        let model = model.unwrap_or_else(|| panic!("{missing}: {found:?}"));
        check(missing, &model, conceivable);
    }
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn samples_without_a_plan_are_refuted_by_a_naive_argument_too() {
    let folder = corpora::path("ipc/partial-order/Ultralight-Cockpit");
    let expected = [("pfile01", false), ("pfile07", false), ("pfile12", true)];
    for (name, conceivable) in expected {
        let problem = folder.join(format!("{name}.hddl"));
        let model = planoku_planning::read_files(&folder.join("UL_domain.hddl"), &problem).unwrap();
        check(name, &model, conceivable);
    }
}

#[track_caller]
fn check(name: &str, model: &Model, conceivable: bool) {
    assert!(
        model.derived.is_empty(),
        "the argument knows no derived facts"
    );
    let mut naive = Naive {
        model,
        facts: HashSet::new(),
        asked: HashSet::new(),
        doable: HashSet::new(),
        chosen: HashMap::new(),
        struck: HashSet::new(),
    };
    assert_eq!(naive.plan_is_conceivable(), conceivable, "{name}");
    let outcome = Portfolio::default()
        .solve(model, &mut Run::limit(1).with_nodes(1_000_000))
        .unwrap();
    match conceivable {
        true => assert!(!outcome.answers.is_empty(), "{name}"),
        false => assert_eq!(outcome.end, End::Exhausted, "{name}"),
    }
}
