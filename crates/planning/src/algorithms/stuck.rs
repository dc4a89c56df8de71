//! Where a search that found nothing came furthest, and what it missed there.
//!
//! "Everything was tried" is a proof and no help. The way with most actions
//! before it ended, the task or action that could not be done there and the
//! facts it missed are what a modeller looks for.

use std::fmt;

use planoku_engine::{Leave, Run};

use crate::algorithms::best_first::{BestFirst, By, Strategy, When};
use crate::algorithms::bound::Bound;
use crate::ground::{Condition, Ground, GroundFact, MethodIndex};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::language::source::Span;
use crate::model::{Model, ObjectId};
use crate::spaces::task_stacks::{DeadEnd, Layout, Pick, TaskStacks};
use crate::state::stacks::{Elements, Kind};
use crate::state::states::has;

/// Where the furthest way ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// How many actions were executed before.
    pub steps: u32,
    /// All ways were looked at; otherwise patience ended before that, and one
    /// that was not seen may come further.
    pub all_seen: bool,
    /// What could not be done, in words.
    pub what: String,
    /// Why not: what did not hold.
    pub missing: Vec<String>,
    /// Where that is declared, if it is.
    pub span: Option<Span>,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = match self.steps {
            0 => "before any step".to_string(),
            1 => "after 1 step".to_string(),
            steps => format!("after {steps} steps"),
        };
        let seen = match self.all_seen {
            true => "",
            false => " that was looked at",
        };
        write!(f, "the furthest way{seen} ends {steps}: {}", self.what)?;
        match self.missing.is_empty() {
            true => Ok(()),
            false => write!(f, ", as {}", self.missing.join("; ")),
        }
    }
}

/// Nodes that are looked at: a reason is worth a second, not a minute.
const PATIENCE: u64 = 100_000;

/// How many methods of a task are spoken of.
const METHODS: usize = 3;

/// Searches all that a totally ordered problem allows, as far as the run does,
/// for the way that comes furthest; `None` for problems of other kinds, and if
/// no way was found to end.
pub fn furthest(model: &Model, instance: &Instance, run: &mut Run<'_>) -> Option<Stuck> {
    let root = instance.root.filter(|_| instance.ordered)?;
    let strategy = Strategy {
        name: "furthest",
        by: By::Depth,
        estimated: When::Made,
        counted: When::Made,
        closed: When::Made,
        prefers: false,
        in_line: false,
        narrows: false,
        admissible: false,
        bound: Bound::default(),
    };
    // Without look-ahead, which would end ways before they come to an end.
    let layout = Layout {
        pick: Pick::First,
        horizon: 0,
        first_actions: false,
        seed: 0,
        keeps_dead_end: true,
    };
    let space = TaskStacks::new(instance, root, layout, run).ok()?;
    let heuristic = Estimate::Count.heuristic(instance, run).ok()?;
    let mut search = BestFirst::new(strategy, space, heuristic, None);
    let ended = run.with_at_most(PATIENCE, |run| {
        search.run(run, &mut |_, _| Err(Leave::Enough))
    });
    let words = Words {
        model,
        ground: instance.ground(),
    };
    search.space.dead_end().map(|end| Stuck {
        all_seen: ended.is_ok(),
        ..words.stuck(end)
    })
}

/// Says what is numbered in names.
struct Words<'a> {
    model: &'a Model,
    ground: &'a Ground,
}

impl Words<'_> {
    fn stuck(&self, end: &DeadEnd) -> Stuck {
        let mut stuck = Stuck {
            steps: end.steps,
            all_seen: true,
            what: "everything is done, but not the goal reached".into(),
            missing: self.failing(&self.ground.goal, &end.state),
            span: None,
        };
        let Some(element) = end.element else {
            return stuck;
        };
        let elements = Elements::new(self.ground);
        match elements.kind(element) {
            Kind::Action(action) => {
                let action = &self.ground.actions[action as usize];
                if let Some(id) = action.schema {
                    let schema = &self.model.actions[id.index()];
                    let name = self.named(&schema.name, &action.arguments);
                    stuck.what = format!("{name} cannot be executed");
                    stuck.span = Some(schema.span);
                }
                stuck.missing = self.failing(&action.precondition, &end.state);
            }
            Kind::Method(method) => {
                let condition = &self.ground.methods[method as usize].precondition;
                stuck.what = format!("{} does not apply", self.method(method));
                stuck.missing = self.failing(condition, &end.state);
                let schema = self.ground.methods[method as usize].schema;
                stuck.span = schema.map(|id| self.model.methods[id.index()].span);
            }
            Kind::Task(task) => {
                let task = &self.ground.tasks[task as usize];
                stuck.what = "no method applies".into();
                if let Some(id) = task.schema {
                    let schema = &self.model.tasks[id.index()];
                    let name = self.named(&schema.name, &task.arguments);
                    stuck.what = format!("no method of {name} applies");
                    stuck.span = Some(schema.span);
                }
                // Those that miss least are nearest to what was meant.
                let failing = task.methods.iter().filter_map(|&method| {
                    let condition = &self.ground.methods[method as usize].precondition;
                    let failing = self.failing(condition, &end.state);
                    let said = format!("for {} {}", self.method(method), failing.join(" and "));
                    (!failing.is_empty()).then_some((failing.len(), said))
                });
                let mut failing: Vec<(usize, String)> = failing.collect();
                failing.sort_by_key(|(count, _)| *count);
                stuck.missing = failing.into_iter().map(|(_, said)| said).collect();
                stuck.missing.truncate(METHODS);
                if stuck.missing.is_empty() {
                    let never = "what its methods need never holds together";
                    stuck.missing.push(never.into());
                }
            }
        }
        stuck
    }

    fn method(&self, method: MethodIndex) -> String {
        let method = &self.ground.methods[method as usize];
        match method.schema {
            Some(id) => self.named(&self.model.methods[id.index()].name, &method.arguments),
            None => "the initial task network".into(),
        }
    }

    /// What of a condition does not hold in a state.
    fn failing(&self, condition: &Condition, state: &[u64]) -> Vec<String> {
        let missing = condition.positive.iter().filter(|&&it| !has(state, it));
        let missing = missing.filter_map(|&it| Some(format!("{} does not hold", self.fact(it)?)));
        let unwanted = condition.negative.iter().filter(|&&it| has(state, it));
        let unwanted = unwanted.filter_map(|&it| Some(format!("{} holds", self.fact(it)?)));
        missing.chain(unwanted).collect()
    }

    fn fact(&self, fact: u32) -> Option<String> {
        match &self.ground.facts[fact as usize] {
            GroundFact::Atom(predicate, arguments) => {
                let name = &self.model.predicates[predicate.index()].name;
                Some(self.named(name, arguments))
            }
            GroundFact::Helper(_) => None,
            GroundFact::Comparison(number) => {
                Some(self.ground.numbers.show_comparison(*number, self.model))
            }
        }
    }

    fn named(&self, name: &str, arguments: &[ObjectId]) -> String {
        format!("({})", self.model.show(name, arguments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::ground;

    /// The key lies in the hall, and only from the hall is the cellar reached.
    const DOMAIN: &str = "(define (domain house) (:requirements :typing :hierarchy)
      (:types room)
      (:predicates (at ?r - room) (door ?a ?b - room) (key) (lit))
      (:task visit :parameters (?r - room))
      (:method walk :parameters (?a ?r - room) :task (visit ?r)
        :precondition (and (at ?a) (door ?a ?r)) :ordered-subtasks (and (go ?a ?r)))
      (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
        :effect (and (not (at ?a)) (at ?b) (not (lit))))
      (:action light :parameters () :precondition (at hall) :effect (lit))
      (:action look :parameters () :precondition (lit) :effect (key)))";

    fn said(tasks: &str) -> (String, Option<Span>) {
        let domain = DOMAIN.replace("(:types room)", "(:types room) (:constants hall - room)");
        let problem = format!(
            "(define (problem p) (:domain house) (:objects cellar attic - room)
             (:htn :ordered-subtasks (and {tasks}))
             (:init (at attic) (door attic hall) (door hall attic) (door hall cellar)))"
        );
        let model = crate::read(&domain, &problem).0.unwrap();
        let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
        let stuck = furthest(&model, &instance, &mut Run::default()).unwrap();
        (stuck.to_string(), stuck.span)
    }

    #[test]
    fn the_action_that_cannot_be_executed_is_named_with_what_it_misses() {
        let (said, span) = said("(visit hall) (light) (visit cellar) (look)");
        assert_eq!(
            said,
            "the furthest way ends after 3 steps: (look) cannot be executed, as (lit) does not hold"
        );
        assert!(span.is_some_and(|it| it.file == 0));
    }

    #[test]
    fn a_way_is_called_the_furthest_only_if_all_were_looked_at() {
        let stuck = Stuck {
            steps: 1,
            all_seen: false,
            what: "(look) cannot be executed".into(),
            missing: Vec::new(),
            span: None,
        };
        let said = stuck.to_string();
        assert!(
            said.starts_with("the furthest way that was looked at ends"),
            "{said}"
        );
    }

    #[test]
    fn a_task_without_a_method_that_applies_is_named_with_its_methods() {
        let (said, _) = said("(visit hall) (visit cellar) (visit hall)");
        assert!(
            said.starts_with("the furthest way ends after 2 steps: no method of (visit hall)"),
            "{said}"
        );
        assert!(said.contains("(at attic) does not hold"), "{said}");
    }
}
