//! A grounded classical problem as Fast Downward reads it: its translator's
//! output format, version 3.
//!
//! Mutex groups (`ground/mutex`) are variables of several values; every other
//! fact is a variable of two, 0 where it holds and 1 where it does not. All
//! groups are listed, also those that overlap. Derived facts are variables with
//! a layer, their rules axioms. Where an action both deletes a fact and adds it
//! under a condition, adding wins: the delete is written with the condition's
//! negation. What some condition wants to be false stays a variable of its own:
//! the format can say what a variable is, not what it is not.

use std::fmt::{self, Write as _};

use planoku_engine::Run;

use super::finite::FiniteVariables;
use super::mutex::mutex_groups;
use super::{Condition, FactIndex, Ground, GroundAction, GroundFact};
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

/// A variable and its value.
type Literal = (u32, u32);

/// Writes a problem.
pub fn text(problem: &Ground, model: &Model) -> Result<String, SasError> {
    if problem.root.is_some() {
        return Err(SasError::Hierarchical);
    }
    if !problem.numbers.is_empty() {
        return Err(SasError::Numbers);
    }
    // Looking for groups is bounded, and nothing else can stop it.
    let groups = mutex_groups(problem, &mut Run::default()).unwrap_or_default();
    let variables = variables(problem, &groups);
    let speaks_of_cost = model.default_cost() == crate::cost::Cost::ZERO;
    let mut out = format!(
        "begin_version\n3\nend_version\nbegin_metric\n{}\nend_metric\n",
        u8::from(speaks_of_cost)
    );
    // There must be a goal, and so a variable: one that always holds.
    let mut goal = variables.literals(&problem.goal);
    let idle = goal.is_empty();
    if idle {
        goal.push((variables.list.len() as u32, 0));
    }
    variables.declare(&mut out, problem, model, idle);
    let _ = writeln!(out, "{}", groups.len());
    for group in &groups {
        out += "begin_mutex_group\n";
        let facts = group.iter().map(|&fact| variables.places[fact as usize]);
        list(&mut out, &facts.collect::<Vec<Literal>>());
        out += "end_mutex_group\n";
    }
    out += "begin_state\n";
    for value in variables
        .start(problem)
        .into_iter()
        .chain(idle.then_some(0))
    {
        let _ = writeln!(out, "{value}");
    }
    out += "end_state\nbegin_goal\n";
    list(&mut out, &goal);
    out += "end_goal\n";
    let mut operators = String::new();
    let mut count = 0;
    for action in &problem.actions {
        let written = variables.operator(&mut operators, action, model, speaks_of_cost)?;
        count += usize::from(written);
    }
    let _ = write!(out, "{count}\n{operators}");
    let _ = writeln!(out, "{}", problem.axioms.len());
    for axiom in &problem.axioms {
        out += "begin_rule\n";
        list(&mut out, &variables.literals(&axiom.condition));
        let (head, holds) = variables.places[axiom.head as usize];
        let none = variables.list[head as usize].none();
        let _ = writeln!(out, "{head} {none} {holds}\nend_rule");
    }
    Ok(out)
}

/// Groups as variables, where what is to be said can be said of them.
fn variables(problem: &Ground, groups: &[Vec<FactIndex>]) -> FiniteVariables {
    let mut negated = vec![false; problem.facts.len()];
    let goal = std::iter::once(&problem.goal);
    let axioms = problem.axioms.iter().map(|axiom| &axiom.condition);
    let actions = problem.actions.iter().flat_map(|action| {
        let effects = action.conditional.iter().map(|effect| &effect.condition);
        effects.chain([&action.precondition])
    });
    for condition in goal.clone().chain(axioms.clone()).chain(actions.clone()) {
        let negative = condition.negative.iter();
        negative.for_each(|&fact| negated[fact as usize] = true);
    }
    for action in &problem.actions {
        // Whatever keeps a delete from happening is negated there.
        for effect in &action.conditional {
            let deleted = |fact: &FactIndex| {
                let mut others = action.conditional.iter();
                action.delete.binary_search(fact).is_ok()
                    || others.any(|it| it.delete.binary_search(fact).is_ok())
            };
            if effect.add.iter().any(deleted) {
                let condition = effect.condition.positive.iter();
                condition.for_each(|&fact| negated[fact as usize] = true);
            }
        }
    }
    let variables = FiniteVariables::new(problem, groups, |fact| !negated[fact as usize]);
    let mut kept = vec![true; variables.list.len()];
    // Two facts of a group never hold: such a condition is not said of one variable.
    for condition in goal.chain(axioms).chain(actions) {
        let literals = variables.literals(condition);
        let twice = literals.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        twice.for_each(|pair| kept[pair[0].0 as usize] = false);
    }
    for action in &problem.actions {
        variables.tell_apart(action, &mut kept);
    }
    variables.dissolved(problem, &kept)
}

fn list(out: &mut String, literals: &[Literal]) {
    let _ = writeln!(out, "{}", literals.len());
    for (variable, value) in literals {
        let _ = writeln!(out, "{variable} {value}");
    }
}

impl FiniteVariables {
    /// Strikes variables of which an action deletes one fact and adds another
    /// under another condition: who comes first there would have to be said.
    fn tell_apart(&self, action: &GroundAction, kept: &mut [bool]) {
        let variable = |fact: &FactIndex| self.places[*fact as usize].0;
        let always = |of: u32| action.add.iter().any(|fact| variable(fact) == of);
        for (place, effect) in action.conditional.iter().enumerate() {
            for of in effect.add.iter().map(variable).filter(|&of| !always(of)) {
                let mut others = action.conditional.iter().enumerate();
                let elsewhere = others.any(|(other, it)| {
                    let replaced = it.add.iter().any(|fact| variable(fact) == of);
                    other != place && !replaced && it.delete.iter().any(|it| variable(it) == of)
                });
                if elsewhere || action.delete.iter().any(|fact| variable(fact) == of) {
                    kept[of as usize] = false;
                }
            }
        }
    }

    fn declare(&self, out: &mut String, problem: &Ground, model: &Model, idle: bool) {
        let mut layers = vec![-1_i64; problem.facts.len()];
        for axiom in &problem.axioms {
            let layer = &mut layers[axiom.head as usize];
            *layer = (*layer).max(i64::from(axiom.layer));
        }
        let name = |fact: FactIndex| match &problem.facts[fact as usize] {
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
        let _ = writeln!(out, "{}", self.list.len() + usize::from(idle));
        for (number, variable) in self.list.iter().enumerate() {
            let layer = layers[variable.facts[0] as usize];
            let _ = write!(
                out,
                "begin_variable\nvar{number}\n{layer}\n{}\n",
                variable.size()
            );
            for &fact in &variable.facts {
                let _ = writeln!(out, "Atom {}", name(fact));
            }
            match variable.facts[..] {
                [fact] => {
                    let _ = writeln!(out, "NegatedAtom {}", name(fact));
                }
                _ if variable.may_be_none => *out += "<none of those>\n",
                _ => {}
            }
            *out += "end_variable\n";
        }
        if idle {
            let number = self.list.len();
            let _ = write!(
                out,
                "begin_variable\nvar{number}\n-1\n2\nAtom always()\nNegatedAtom always()\nend_variable\n"
            );
        }
    }

    fn start(&self, problem: &Ground) -> Vec<u32> {
        let mut values: Vec<u32> = self.list.iter().map(|it| it.none()).collect();
        for &fact in &problem.init {
            let (variable, value) = self.places[fact as usize];
            values[variable as usize] = value;
        }
        values
    }

    /// Only facts of variables of their own are ever wanted to be false.
    fn literals(&self, condition: &Condition) -> Vec<Literal> {
        let positive = condition.positive.iter();
        let positive = positive.map(|&fact| self.places[fact as usize]);
        let negative = condition.negative.iter();
        let negative = negative.map(|&fact| self.not(self.places[fact as usize]));
        let mut list: Vec<Literal> = positive.chain(negative).collect();
        list.sort_unstable();
        list
    }

    /// The other value of a variable of two.
    fn not(&self, (variable, value): Literal) -> Literal {
        debug_assert_eq!(self.list[variable as usize].size(), 2);
        (variable, 1 - value)
    }

    /// Writes an action; false if it changes nothing, which Fast Downward
    /// refuses and no plan needs.
    fn operator(
        &self,
        out: &mut String,
        action: &GroundAction,
        model: &Model,
        speaks_of_cost: bool,
    ) -> Result<bool, SasError> {
        let name = action
            .schema
            .map_or("helper", |id| &model.actions[id.index()].name);
        let needs = self.literals(&action.precondition);
        let needed = |variable: u32| {
            let need = needs.iter().find(|(it, _)| *it == variable);
            need.map(|(_, value)| *value)
        };
        let effects: Vec<(Vec<Literal>, Literal)> = self
            .effects(action, needed)
            .into_iter()
            // What holds already does not change.
            .filter(|(_, (variable, value))| needed(*variable) != Some(*value))
            .collect();
        if effects.is_empty() {
            return Ok(false);
        }
        let changed = |variable: u32| effects.iter().any(|(_, (it, _))| *it == variable);
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
        for (conditions, (variable, value)) in &effects {
            let _ = write!(out, "{}", conditions.len());
            for (variable, value) in conditions {
                let _ = write!(out, " {variable} {value}");
            }
            let before = needed(*variable).map_or(-1, i64::from);
            let _ = writeln!(out, " {variable} {before} {value}");
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
    fn effects(
        &self,
        action: &GroundAction,
        needed: impl Fn(u32) -> Option<u32>,
    ) -> Vec<(Vec<Literal>, Literal)> {
        let place = |fact: &FactIndex| self.places[*fact as usize];
        let always = |fact: &FactIndex| action.add.binary_search(fact).is_ok();
        let mut list: Vec<(Vec<Literal>, Literal)> = Vec::new();
        list.extend(action.add.iter().map(|fact| (vec![], place(fact))));
        for effect in &action.conditional {
            let added = effect.add.iter().filter(|fact| !always(fact));
            list.extend(added.map(|fact| (self.literals(&effect.condition), place(fact))));
        }
        let plain = action.delete.iter().map(|fact| (vec![], fact, None));
        let conditional = action.conditional.iter().flat_map(|effect| {
            let deleted = effect.delete.iter();
            deleted.map(move |fact| (self.literals(&effect.condition), fact, Some(effect)))
        });
        for (condition, fact, effect) in plain.chain(conditional) {
            let (variable, value) = place(fact);
            let same = |it: &FactIndex| place(it).0 == variable;
            // The variable becomes something else then.
            let mut added = action
                .add
                .iter()
                .chain(effect.iter().flat_map(|it| &it.add));
            if added.any(same) {
                continue;
            }
            let none = (variable, self.list[variable as usize].none());
            for mut way in self.unless_added(condition, fact, action) {
                if self.list[variable as usize].facts.len() == 1 || needed(variable) == Some(value)
                {
                    list.push((way, none));
                } else if needed(variable).is_none()
                    && !way.iter().any(|it| it.0 == variable && it.1 != value)
                {
                    way.push((variable, value));
                    way.sort_unstable();
                    way.dedup();
                    list.push((way, none));
                }
            }
        }
        list
    }

    /// The ways in which a condition holds and no other effect adds the fact.
    fn unless_added(
        &self,
        condition: Vec<Literal>,
        fact: &FactIndex,
        action: &GroundAction,
    ) -> Vec<Vec<Literal>> {
        let mut ways = vec![condition];
        let adders = action.conditional.iter();
        for adder in adders.filter(|it| it.add.binary_search(fact).is_ok()) {
            let not = self.literals(&adder.condition).into_iter();
            let not: Vec<Literal> = not.map(|literal| self.not(literal)).collect();
            ways = ways
                .iter()
                .flat_map(|way| not.iter().filter_map(|literal| joined(way, *literal)))
                .collect();
            ways.sort_unstable();
            ways.dedup();
        }
        ways
    }
}

/// The conditions with one more; `None` if they contradict each other.
fn joined(conditions: &[Literal], more: Literal) -> Option<Vec<Literal>> {
    if conditions.iter().any(|it| it.0 == more.0 && it.1 != more.1) {
        return None;
    }
    let mut all = conditions.to_vec();
    all.push(more);
    all.sort_unstable();
    all.dedup();
    Some(all)
}
