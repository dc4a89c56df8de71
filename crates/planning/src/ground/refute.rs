//! Why there is no plan, in words, when even the relaxation has none.
//!
//! The explanation walks down from the root: why can none of this task's
//! methods be carried out? Because a fact they need can never become true, or
//! because one of their subtasks cannot be carried out either, which is then
//! explained in turn. Each task is explained once, so the walk ends even where
//! tasks need themselves.

use std::fmt;

use rustc_hash::FxHashSet;

use super::condition::{COMPARISON, World};
use super::draft::Draft;
use super::lower::{Literal, Slot};
use super::prune::Alive;
use super::reach::Reach;
use crate::model::{Model, TaskRef};
use crate::numbers::show_comparison;

/// A reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// Sentences, the conclusion first, each explained by the next.
    pub reasons: Vec<String>,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

/// How many tasks are explained before the rest is left to the reader.
const SENTENCES: usize = 12;

/// Explains why the root cannot be carried out or the goal not be reached.
pub fn explain(reach: &Reach<'_>, draft: &Draft, alive: &Alive) -> Refutation {
    let root = draft.tasks.first().is_none_or(|_| alive.tasks[0]);
    let mut words = Words {
        reach,
        reasons: vec![],
        told: FxHashSet::default(),
    };
    if root {
        words.goal(draft, alive);
    } else {
        words
            .reasons
            .push("the initial task network cannot be carried out".into());
        words.task(0);
        if words.reasons.len() == 1 {
            words.reasons.push(
                "each of its parts can be reached, but not in a way that completes it".into(),
            );
        }
    }
    Refutation {
        reasons: words.reasons,
    }
}

struct Words<'a, 'b> {
    reach: &'a Reach<'b>,
    reasons: Vec<String>,
    told: FxHashSet<u32>,
}

impl Words<'_, '_> {
    fn model(&self) -> &Model {
        self.reach.model
    }

    fn world(&self) -> &World {
        &self.reach.world
    }

    fn fact(&self, fact: u32) -> String {
        let (predicate, row) = self.world().facts[fact as usize];
        if predicate == COMPARISON {
            return self.comparison(row);
        }
        let arguments = self.world().relations[predicate as usize].table.row(row);
        self.named(&self.model().predicates[predicate as usize].name, arguments)
    }

    fn comparison(&self, number: u32) -> String {
        let functions = &self.world().functions;
        let (expression, test, _) = &functions.comparisons[number as usize];
        show_comparison(expression, *test, &|variable| {
            let (function, arguments) = &functions.variables[variable as usize];
            self.named(&self.model().functions[*function].name, arguments)
        })
    }

    fn named(&self, name: &str, arguments: &[u32]) -> String {
        let mut text = format!("({name}");
        for &object in arguments {
            text += " ";
            text += &self.model().objects[object as usize].name;
        }
        text + ")"
    }

    fn goal(&mut self, draft: &Draft, alive: &Alive) {
        self.reasons.push("the goal cannot be reached".into());
        let Some(goal) = &draft.goal else {
            self.reasons
                .push("it asks for something that never changes and does not hold".into());
            return;
        };
        let never: Vec<String> = goal
            .positive
            .iter()
            .filter(|&&fact| !alive.facts[fact as usize] && !self.world().is_comparison(fact))
            .map(|&fact| self.fact(fact))
            .collect();
        if !never.is_empty() {
            self.reasons.push(format!(
                "no action that can be executed adds {}",
                some(&never)
            ));
        }
        let numbers = goal.positive.iter();
        let out_of_reach: Vec<String> = numbers
            .filter(|&&fact| !alive.facts[fact as usize] && self.world().is_comparison(fact))
            .map(|&fact| self.fact(fact))
            .collect();
        if !out_of_reach.is_empty() {
            self.reasons.push(format!(
                "no number that actions can lead to satisfies {}",
                some(&out_of_reach)
            ));
        }
        let always: Vec<String> = goal
            .negative
            .iter()
            .filter(|&&fact| !alive.falsifiable[fact as usize])
            .map(|&fact| self.fact(fact))
            .collect();
        if !always.is_empty() {
            let what = some(&always);
            self.reasons
                .push(format!("no action that can be executed deletes {what}"));
        }
    }

    /// Why a task (by its number in the reach) cannot be carried out.
    fn task(&mut self, first: u32) {
        let mut open = std::collections::VecDeque::from([first]);
        while let Some(task) = open.pop_front() {
            if !self.told.insert(task) || self.reasons.len() > SENTENCES {
                continue;
            }
            let (schema, row) = self.reach.tasks[task as usize];
            let relation = self.model().predicates.len() + schema as usize;
            let arguments = self.world().relations[relation].table.row(row).to_vec();
            let name = self
                .model()
                .tasks
                .get(schema as usize)
                .map(|t| t.name.clone());
            let title = match name {
                Some(name) => format!("task {}", self.named(&name, &arguments)),
                None if schema as usize == self.model().tasks.len() => "the network".into(),
                None => "a choice in a method".into(),
            };
            for method in 0..self.world().schemas.methods.len() {
                if self.world().schemas.methods[method].task == schema as usize {
                    self.method(method, task, &arguments, &title, &mut open);
                }
            }
            let has_method = self
                .world()
                .schemas
                .methods
                .iter()
                .any(|method| method.task == schema as usize);
            if !has_method {
                self.reasons.push(format!("{title} has no method"));
            }
        }
    }

    /// Why none of a method's instances for a task completes.
    fn method(
        &mut self,
        method: usize,
        task: u32,
        arguments: &[u32],
        title: &str,
        open: &mut std::collections::VecDeque<u32>,
    ) {
        let name = match self.world().schemas.methods[method].origin {
            Some(id) => format!("method `{}`", self.model().methods[id.index()].name),
            None => "it".to_string(),
        };
        let instances: Vec<_> = self
            .reach
            .instances
            .iter()
            .filter(|instance| instance.method as usize == method && instance.task == task)
            .copied()
            .collect();
        if instances.is_empty() {
            let why = self.missing(method, arguments);
            self.reasons
                .push(format!("{title}: {name} never applies{why}"));
            return;
        }
        let mut blockers: Vec<String> = Vec::new();
        for instance in instances {
            let subtasks = self.world().schemas.methods[method].subtasks.len();
            for place in 0..subtasks {
                let node = self.reach.nodes[instance.nodes as usize + place];
                if node == super::relation::NONE {
                    continue;
                }
                let blocked = match self.world().schemas.methods[method].subtasks[place].0 {
                    TaskRef::Task(_) if !self.reach.achieved[node as usize] => {
                        open.push_back(node);
                        self.task_name(node)
                    }
                    TaskRef::Action(_) if !self.reach.executable[node as usize] => {
                        Some(self.action(node))
                    }
                    _ => None,
                };
                if let Some(blocked) = blocked
                    && !blockers.contains(&blocked)
                {
                    blockers.push(blocked);
                }
            }
        }
        if !blockers.is_empty() {
            self.reasons
                .push(format!("{title}: {name} stops at {}", some(&blockers)));
        }
    }

    fn task_name(&self, task: u32) -> Option<String> {
        let (schema, row) = self.reach.tasks[task as usize];
        let relation = self.model().predicates.len() + schema as usize;
        let arguments = self.world().relations[relation].table.row(row);
        let name = &self.model().tasks.get(schema as usize)?.name;
        Some(format!("task {}", self.named(name, arguments)))
    }

    /// An action that cannot be executed, and the facts it lacks.
    fn action(&self, action: u32) -> String {
        let (schema, row) = self.reach.actions[action as usize];
        let values = self.reach.action_tables[schema as usize].table.row(row);
        let name = self.named(&self.model().actions[schema as usize].name, values);
        let literals = &self.reach.action_conditions[schema as usize].literals;
        let lacking: Vec<String> = literals
            .iter()
            .filter_map(|literal| self.lacking(literal, values))
            .collect();
        if lacking.is_empty() {
            format!("action {name}")
        } else {
            format!("action {name}, for which {} never holds", some(&lacking))
        }
    }

    /// The literal with values put in, if it can never hold.
    fn lacking(&self, literal: &Literal, values: &[u32]) -> Option<String> {
        match literal {
            Literal::Compare(_) => None,
            Literal::Equal(a, b, same) => {
                let equal = a.value(values) == b.value(values);
                let name = |slot: &Slot| &self.model().objects[slot.value(values) as usize].name;
                let sign = if *same { "=" } else { "not =" };
                (equal != *same).then(|| format!("({sign} {} {})", name(a), name(b)))
            }
            Literal::Atom(atom, positive) => {
                let tuple: Vec<u32> = atom.terms.iter().map(|slot| slot.value(values)).collect();
                let relation = &self.world().relations[atom.predicate];
                let row = relation.table.find(&tuple);
                let name = self.named(&self.model().predicates[atom.predicate].name, &tuple);
                let reached = row.is_some_and(|row| {
                    let fact = relation.ids[row as usize] as usize;
                    self.reach.reached.get(fact).copied().unwrap_or(false)
                });
                let initial = row.is_some_and(|row| row < relation.initial);
                match positive {
                    true => (!reached).then_some(name),
                    false => (initial && !self.world().schemas.shrinks[atom.predicate])
                        .then(|| format!("(not {name})")),
                }
            }
        }
    }

    /// The literals of a method, decided by its task's arguments alone, that
    /// never hold; or the predicates of which no fact is ever true.
    fn missing(&self, method: usize, arguments: &[u32]) -> String {
        let schema = &self.world().schemas.methods[method];
        let mut values = vec![u32::MAX; schema.variables.len()];
        for (slot, &value) in schema.head.iter().zip(arguments) {
            if let Slot::Var(v) = slot {
                values[*v as usize] = value;
            }
        }
        let known = |slot: &Slot| match slot {
            Slot::Var(v) => values[*v as usize] != u32::MAX,
            Slot::Object(_) => true,
        };
        let mut never = Vec::new();
        for literal in &schema.condition.literals {
            let decided = match literal {
                // Nobody waits for numbers here.
                Literal::Compare(_) => continue,
                Literal::Equal(a, b, _) => known(a) && known(b),
                Literal::Atom(atom, _) => atom.terms.iter().all(known),
            };
            if decided {
                never.extend(self.lacking(literal, &values));
            } else if let Literal::Atom(atom, true) = literal
                && self.world().relations[atom.predicate].visible.is_empty()
            {
                let name = &self.model().predicates[atom.predicate].name;
                never.push(format!("({name} ...)"));
            }
        }
        for (place, (node, arguments)) in schema.subtasks.iter().enumerate() {
            let (literals, name) = match node {
                TaskRef::Action(action) => (
                    &self.world().schemas.actions[action.index()]
                        .condition
                        .literals,
                    Some(&self.model().actions[action.index()].name),
                ),
                TaskRef::Task(task) => (
                    &self.world().schemas.needs[task.index()],
                    self.model().tasks.get(task.index()).map(|task| &task.name),
                ),
            };
            if !arguments.iter().all(known) {
                continue;
            }
            let values: Vec<u32> = arguments.iter().map(|slot| slot.value(&values)).collect();
            for literal in literals {
                if self.reach.can_be_early(literal, place, schema)
                    && let Some(lacking) = self.lacking(literal, &values)
                {
                    never.push(match name {
                        Some(name) => {
                            format!("{lacking}, needed by {},", self.named(name, &values))
                        }
                        None => lacking,
                    });
                }
            }
        }
        match never.is_empty() {
            true => ": no values of its variables satisfy all it needs".into(),
            false => format!(": {} never holds", some(&never)),
        }
    }
}

/// The first few of a list, and how many more there are.
fn some(list: &[String]) -> String {
    let shown = list.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    match list.len() {
        0..=3 => shown,
        more => format!("{shown} and {} more", more - 3),
    }
}
