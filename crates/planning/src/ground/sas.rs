//! A grounded classical problem as Fast Downward reads it: its translator's
//! output format, version 3.
//!
//! Every fact is a variable of two values, 0 where it holds and 1 where it does
//! not; Fast Downward finds no more by itself, but reads it. Derived facts are
//! variables with a layer, their rules axioms. Where an action both deletes a
//! fact and adds it under a condition, adding wins: the delete is written with
//! the condition's negation.

use std::fmt::{self, Write as _};

use super::{Condition, Ground, GroundAction, GroundFact};
use crate::model::Model;

/// Why a problem cannot be written so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SasError {
    /// It has tasks.
    Hierarchical,
    /// It has numbers that change.
    Numbers,
    /// A cost that is no whole number of 31 bits.
    Cost(String),
}

impl fmt::Display for SasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SasError::Hierarchical => f.write_str(
                "SAS+ has no tasks: expected a classical problem, found a hierarchical one",
            ),
            SasError::Numbers => f.write_str(
                "SAS+ has no numbers that change: expected facts alone, found comparisons",
            ),
            SasError::Cost(cost) => write!(
                f,
                "SAS+ costs are whole numbers below 2147483648, found {cost}"
            ),
        }
    }
}

impl std::error::Error for SasError {}

/// The value of a variable where its fact holds, and where it does not.
const HOLDS: u8 = 0;
const DOES_NOT: u8 = 1;

/// A variable and its value.
type Literal = (u32, u8);

/// Writes a problem.
pub fn text(problem: &Ground, model: &Model) -> Result<String, SasError> {
    if problem.root.is_some() {
        return Err(SasError::Hierarchical);
    }
    if !problem.numbers.is_empty() {
        return Err(SasError::Numbers);
    }
    let mut layers = vec![-1_i64; problem.facts.len()];
    for axiom in &problem.axioms {
        let layer = &mut layers[axiom.head as usize];
        *layer = (*layer).max(i64::from(axiom.layer));
    }
    let speaks_of_cost = model.default_cost() == crate::cost::Cost::ZERO;
    let mut out = format!(
        "begin_version\n3\nend_version\nbegin_metric\n{}\nend_metric\n",
        u8::from(speaks_of_cost)
    );
    // There must be a goal, and so a variable: one that always holds.
    let mut goal = literals(&problem.goal);
    let idle = goal.is_empty();
    if idle {
        goal.push((problem.facts.len() as u32, HOLDS));
    }
    let _ = writeln!(out, "{}", problem.facts.len() + usize::from(idle));
    for (number, fact) in problem.facts.iter().enumerate() {
        let name = match fact {
            GroundFact::Atom(predicate, arguments) => {
                let objects = arguments
                    .iter()
                    .map(|id| model.objects[id.index()].name.as_str());
                let objects: Vec<&str> = objects.collect();
                let name = &model.predicates[predicate.index()].name;
                format!("{name}({})", objects.join(", "))
            }
            GroundFact::Helper(number) => format!("helper-{number}()"),
            GroundFact::Comparison(number) => format!("comparison-{number}()"),
        };
        variable(&mut out, number, layers[number], &name);
    }
    if idle {
        variable(&mut out, problem.facts.len(), -1, "always()");
    }
    out += "0\nbegin_state\n";
    let mut holds = vec![DOES_NOT; problem.facts.len()];
    for &fact in &problem.init {
        holds[fact as usize] = HOLDS;
    }
    for value in holds.into_iter().chain(idle.then_some(HOLDS)) {
        let _ = writeln!(out, "{value}");
    }
    out += "end_state\nbegin_goal\n";
    list(&mut out, &goal);
    out += "end_goal\n";
    let mut operators = String::new();
    let mut count = 0;
    for action in &problem.actions {
        count += usize::from(operator(&mut operators, action, model, speaks_of_cost)?);
    }
    let _ = write!(out, "{count}\n{operators}");
    let _ = writeln!(out, "{}", problem.axioms.len());
    for axiom in &problem.axioms {
        out += "begin_rule\n";
        list(&mut out, &literals(&axiom.condition));
        let _ = writeln!(out, "{} {DOES_NOT} {HOLDS}\nend_rule", axiom.head);
    }
    Ok(out)
}

fn variable(out: &mut String, number: usize, layer: i64, name: &str) {
    let _ = write!(
        out,
        "begin_variable\nvar{number}\n{layer}\n2\nAtom {name}\nNegatedAtom {name}\nend_variable\n"
    );
}

fn list(out: &mut String, literals: &[Literal]) {
    let _ = writeln!(out, "{}", literals.len());
    for (variable, value) in literals {
        let _ = writeln!(out, "{variable} {value}");
    }
}

fn literals(condition: &Condition) -> Vec<Literal> {
    let positive = condition.positive.iter().map(|&fact| (fact, HOLDS));
    let negative = condition.negative.iter().map(|&fact| (fact, DOES_NOT));
    let mut list: Vec<Literal> = positive.chain(negative).collect();
    list.sort_unstable();
    list
}

/// Writes an action; false if it changes nothing, which Fast Downward refuses
/// and no plan needs.
fn operator(
    out: &mut String,
    action: &GroundAction,
    model: &Model,
    speaks_of_cost: bool,
) -> Result<bool, SasError> {
    let name = action
        .schema
        .map_or("helper", |id| &model.actions[id.index()].name);
    let needs = literals(&action.precondition);
    let needed = |fact: u32| {
        needs
            .iter()
            .find(|(it, _)| *it == fact)
            .map(|(_, value)| *value)
    };
    let effects: Vec<(Vec<Literal>, Literal)> = effects(action)
        .into_iter()
        // What holds already does not change.
        .filter(|(_, (fact, value))| needed(*fact) != Some(*value))
        .collect();
    if effects.is_empty() {
        return Ok(false);
    }
    let changed = |fact: u32| effects.iter().any(|(_, (it, _))| *it == fact);
    let prevail: Vec<Literal> = needs
        .iter()
        .copied()
        .filter(|(it, _)| !changed(*it))
        .collect();
    let _ = writeln!(
        out,
        "begin_operator\n{}",
        model.show(name, &action.arguments)
    );
    list(out, &prevail);
    let _ = writeln!(out, "{}", effects.len());
    for (conditions, (fact, value)) in &effects {
        let _ = write!(out, "{}", conditions.len());
        for (variable, value) in conditions {
            let _ = write!(out, " {variable} {value}");
        }
        let before = needed(*fact).map_or(-1, i32::from);
        let _ = writeln!(out, " {fact} {before} {value}");
    }
    let cost = match speaks_of_cost {
        false => 1,
        true => {
            let shown = model.show_cost(action.cost).to_string();
            shown.parse::<i32>().map_err(|_| SasError::Cost(shown))?
        }
    };
    let _ = writeln!(out, "{cost}\nend_operator");
    Ok(true)
}

/// What an action changes, each with its conditions; adding wins.
fn effects(action: &GroundAction) -> Vec<(Vec<Literal>, Literal)> {
    let always = |fact: &u32| action.add.binary_search(fact).is_ok();
    let mut list: Vec<(Vec<Literal>, Literal)> = Vec::new();
    list.extend(action.add.iter().map(|&fact| (vec![], (fact, HOLDS))));
    for effect in &action.conditional {
        let added = effect.add.iter().filter(|fact| !always(fact));
        list.extend(added.map(|&fact| (literals(&effect.condition), (fact, HOLDS))));
    }
    let plain = action.delete.iter().map(|fact| (vec![], fact));
    let conditional = action.conditional.iter().flat_map(|effect| {
        let deleted = effect.delete.iter();
        deleted.map(|fact| (literals(&effect.condition), fact))
    });
    let deletes: Vec<(Vec<Literal>, &u32)> = plain.chain(conditional).collect();
    for (condition, fact) in deletes.into_iter().filter(|(_, fact)| !always(fact)) {
        let mut ways = vec![condition];
        let adders = action.conditional.iter();
        for adder in adders.filter(|it| it.add.binary_search(fact).is_ok()) {
            let not = literals(&adder.condition)
                .into_iter()
                .map(|(it, value)| (it, 1 - value));
            let not: Vec<Literal> = not.collect();
            ways = ways
                .iter()
                .flat_map(|way| not.iter().filter_map(|literal| joined(way, *literal)))
                .collect();
            ways.sort_unstable();
            ways.dedup();
        }
        list.extend(ways.into_iter().map(|way| (way, (*fact, DOES_NOT))));
    }
    list
}

/// The conditions with one more; `None` if they contradict each other.
fn joined(conditions: &[Literal], more: Literal) -> Option<Vec<Literal>> {
    if conditions.contains(&(more.0, 1 - more.1)) {
        return None;
    }
    let mut all = conditions.to_vec();
    all.push(more);
    all.sort_unstable();
    all.dedup();
    Some(all)
}
