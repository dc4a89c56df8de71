//! A grounded problem as PDDL, or as HDDL if it has tasks: nothing has parameters,
//! names are joined with their arguments (`drive-t-a-b`), and comments say what
//! they were.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::{ChangeKind, Condition, Ground, GroundFact, Node, VariableChange};
use crate::cost::Cost;
use crate::model::{Model, ObjectId};
use crate::numbers::{show_comparison, show_expression, show_number};

/// The domain and the problem.
pub fn texts(problem: &Ground, model: &Model) -> (String, String) {
    let names = Names::of(problem, model);
    (names.domain(), names.instance())
}

struct Names<'a> {
    problem: &'a Ground,
    model: &'a Model,
    /// As conditions have them, parentheses included.
    facts: Vec<String>,
    /// Numeric variables, likewise.
    variables: Vec<String>,
    actions: Vec<String>,
    tasks: Vec<String>,
    methods: Vec<String>,
}

/// Gives names out, each once.
#[derive(Default)]
struct Taken(FxHashSet<String>);

impl Taken {
    fn give(&mut self, model: &Model, name: &str, arguments: &[ObjectId]) -> String {
        let mut joined = name.to_string();
        for argument in arguments {
            joined += "-";
            joined += &model.objects[argument.index()].name;
        }
        let mut unique = joined.clone();
        let mut number = 1;
        while !self.0.insert(unique.to_lowercase()) {
            number += 1;
            unique = format!("{joined}--{number}");
        }
        unique
    }
}

impl<'a> Names<'a> {
    fn of(problem: &'a Ground, model: &'a Model) -> Names<'a> {
        let mut taken = Taken::default();
        taken.0.insert("total-cost".into());
        let numbers = &problem.numbers;
        let variables = numbers.variables.iter().map(|variable| {
            let name = &model.functions[variable.function.index()].name;
            format!("({})", taken.give(model, name, &variable.arguments))
        });
        let variables: Vec<String> = variables.collect();
        let mut taken = Taken::default();
        let facts = problem.facts.iter().map(|fact| match fact {
            GroundFact::Atom(predicate, arguments) => {
                let name = &model.predicates[predicate.index()].name;
                format!("({})", taken.give(model, name, arguments))
            }
            GroundFact::Helper(number) => {
                format!("({})", taken.give(model, &format!("helper-{number}"), &[]))
            }
            GroundFact::Comparison(number) => {
                let it = &numbers.comparisons[*number as usize];
                let name = |variable: u32| variables[variable as usize].clone();
                show_comparison(&it.expression, it.test, &name)
            }
        });
        let facts = facts.collect();
        // Tasks and actions share their names, methods have their own.
        let mut taken = Taken::default();
        let actions = problem.actions.iter().map(|action| {
            let name = action
                .schema
                .map(|id| model.actions[id.index()].name.as_str());
            taken.give(model, name.unwrap_or("helper"), &action.arguments)
        });
        let actions = actions.collect();
        let tasks = problem.tasks.iter().enumerate().map(|(number, task)| {
            let name = match task.schema {
                Some(id) => model.tasks[id.index()].name.as_str(),
                None if problem.root == Some(number as u32) => "root",
                None => "choice",
            };
            taken.give(model, name, &task.arguments)
        });
        let tasks = tasks.collect();
        let mut taken = Taken::default();
        let methods = problem.methods.iter().map(|method| {
            let name = method
                .schema
                .map(|id| model.methods[id.index()].name.as_str());
            taken.give(model, name.unwrap_or("begin"), &method.arguments)
        });
        let methods = methods.collect();
        Names {
            problem,
            model,
            facts,
            variables,
            actions,
            tasks,
            methods,
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        let mut text = String::from("(and");
        for &fact in &condition.positive {
            let _ = write!(text, " {}", self.facts[fact as usize]);
        }
        for &fact in &condition.negative {
            let _ = write!(text, " (not {})", self.facts[fact as usize]);
        }
        text + ")"
    }

    fn changes(&self, add: &[u32], delete: &[u32]) -> String {
        let mut text = String::new();
        for &fact in delete {
            let _ = write!(text, " (not {})", self.facts[fact as usize]);
        }
        for &fact in add {
            let _ = write!(text, " {}", self.facts[fact as usize]);
        }
        text
    }

    /// What is done to numbers.
    fn numeric(&self, changes: &[VariableChange]) -> String {
        let name = |variable: u32| self.variables[variable as usize].clone();
        let mut text = String::new();
        for change in changes {
            let word = match change.kind {
                ChangeKind::Assign => "assign",
                ChangeKind::Increase => "increase",
                ChangeKind::Scale => "scale-up",
            };
            let amount = show_expression(&change.amount, &name);
            let effect = format!("({word} {} {amount})", name(change.variable));
            let _ = match change.condition == Condition::default() {
                true => write!(text, " {effect}"),
                false => write!(
                    text,
                    " (when {} {effect})",
                    self.condition(&change.condition)
                ),
            };
        }
        text
    }

    /// Facts that are no comparisons.
    fn is_plain(&self, fact: u32) -> bool {
        !matches!(self.problem.facts[fact as usize], GroundFact::Comparison(_))
    }

    fn speaks_of_cost(&self) -> bool {
        self.model.default_cost() == Cost::ZERO
    }

    fn domain(&self) -> String {
        let problem = self.problem;
        let mut needs = vec![":strips", ":negative-preconditions"];
        let optional = [
            (
                problem.actions.iter().any(|it| !it.conditional.is_empty())
                    || problem.numbers.are_conditional(),
                ":conditional-effects",
            ),
            (!problem.numbers.is_empty(), ":numeric-fluents"),
            (!problem.axioms.is_empty(), ":derived-predicates"),
            (self.speaks_of_cost(), ":action-costs"),
            (problem.root.is_some(), ":hierarchy"),
            (problem.root.is_some(), ":method-preconditions"),
        ];
        needs.extend(optional.iter().filter(|it| it.0).map(|it| it.1));
        let mut out = format!(
            "; Grounded: `{}` of the domain `{}`.\n(define (domain {}-grounded)\n  \
             (:requirements {})\n  (:predicates",
            self.model.problem,
            self.model.domain,
            self.model.domain,
            needs.join(" ")
        );
        for (fact, name) in self.facts.iter().enumerate() {
            if self.is_plain(fact as u32) {
                let _ = write!(out, "\n    {name}");
            }
        }
        out += ")\n";
        let cost = self.speaks_of_cost().then(|| "(total-cost)".to_owned());
        let functions: Vec<String> = self.variables.iter().cloned().chain(cost).collect();
        if !functions.is_empty() {
            let _ = writeln!(out, "  (:functions {} - number)", functions.join(" "));
        }
        for axiom in &problem.axioms {
            let head = &self.facts[axiom.head as usize];
            let _ = writeln!(
                out,
                "  (:derived {head} {})",
                self.condition(&axiom.condition)
            );
        }
        for name in &self.tasks {
            let _ = writeln!(out, "  (:task {name} :parameters ())");
        }
        self.methods(&mut out);
        self.actions(&mut out);
        out + ")\n"
    }

    fn methods(&self, out: &mut String) {
        let problem = self.problem;
        for (method, name) in problem.methods.iter().zip(&self.methods) {
            let task = &self.tasks[method.task as usize];
            let precondition = self.condition(&method.precondition);
            let keyword = match problem.ordered {
                true => ":ordered-subtasks",
                false => ":subtasks",
            };
            let _ = write!(
                out,
                "  (:method {name} :parameters () :task ({task})\n    :precondition \
                 {precondition}\n    {keyword} (and"
            );
            for (place, node) in method.subtasks.iter().enumerate() {
                let name = match *node {
                    Node::Task(task) => &self.tasks[task as usize],
                    Node::Action(action) => &self.actions[action as usize],
                };
                let _ = write!(out, " (s{place} ({name}))");
            }
            out.push(')');
            if !problem.ordered && !method.ordering.is_empty() {
                out.push_str("\n    :ordering (and");
                for (before, after) in &method.ordering {
                    let _ = write!(out, " (< s{before} s{after})");
                }
                out.push(')');
            }
            out.push_str(")\n");
        }
    }

    fn actions(&self, out: &mut String) {
        let model = self.model;
        for (place, (action, name)) in self.problem.actions.iter().zip(&self.actions).enumerate() {
            if let Some(id) = action.schema {
                let schema = &model.actions[id.index()].name;
                let _ = writeln!(out, "  ; {}", model.show(schema, &action.arguments));
            }
            let mut effect = self.changes(&action.add, &action.delete);
            for conditional in &action.conditional {
                let _ = write!(
                    effect,
                    " (when {} (and{}))",
                    self.condition(&conditional.condition),
                    self.changes(&conditional.add, &conditional.delete)
                );
            }
            effect += &self.numeric(self.problem.numbers.changes_of(place as u32));
            if self.speaks_of_cost() {
                let cost = model.show_cost(action.cost);
                let _ = write!(effect, " (increase (total-cost) {cost})");
            }
            let _ = writeln!(
                out,
                "  (:action {name} :parameters ()\n    :precondition {}\n    :effect (and{effect}))",
                self.condition(&action.precondition)
            );
        }
    }

    fn instance(&self) -> String {
        let model = self.model;
        let mut out = format!(
            "(define (problem {}-grounded) (:domain {}-grounded)\n",
            model.problem, model.domain
        );
        if let Some(root) = self.problem.root {
            let root = &self.tasks[root as usize];
            let _ = writeln!(out, "  (:htn :ordered-subtasks (and ({root})))");
        }
        out += "  (:init";
        for &fact in self.problem.init.iter().filter(|it| self.is_plain(**it)) {
            let _ = write!(out, "\n    {}", self.facts[fact as usize]);
        }
        let variables = self.problem.numbers.variables.iter();
        for (name, variable) in self.variables.iter().zip(variables) {
            if let Some(start) = variable.start {
                let _ = write!(out, "\n    (= {name} {})", show_number(start));
            }
        }
        if self.speaks_of_cost() {
            out += "\n    (= (total-cost) 0)";
        }
        let _ = write!(out, ")\n  (:goal {})", self.condition(&self.problem.goal));
        if self.speaks_of_cost() {
            out += "\n  (:metric minimize (total-cost))";
        }
        out + ")\n"
    }
}
