//! `planoku ground`: how big a planning problem is without its variables.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueEnum;
use planoku_language::model::{Model, ObjectId};
use planoku_planning::ground::{Condition, Ground, GroundFact, Node, ground, pddl, sas};

use super::planning::{Files, Limits, exit_for, say, write_whole};
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Count facts, actions, tasks and methods of a problem without variables
///
/// Only what can be reached counts: from the initial network down, and from
/// the initial state on if nothing ever became false.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    limits: Limits,
    /// One JSON object.
    #[arg(long)]
    json: bool,
    /// Write the grounded problem to this file; with --as pddl into this folder.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// How it is written; by the ending of the file (.sas) without this.
    #[arg(long = "as", value_name = "FORMAT", requires = "output")]
    form: Option<Form>,
}

/// A way to write a grounded problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A list for people.
    List,
    /// What Fast Downward's translator writes (classical problems).
    Sas,
    /// A domain and a problem without parameters; HDDL if there are tasks.
    Pddl,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    args.limits.enforce(None, context);
    let model = args.files.read_to_plan()?;
    let mut run = args.limits.run(None, context);
    let start = Instant::now();
    let result = ground(&model, &mut run);
    let time = start.elapsed();
    context.watch.disarm();
    let mut out = Output::stdout();
    let problem = match result {
        Ok(problem) => problem,
        Err(error) => {
            if args.json {
                let json = serde_json::json!({
                    "error": error.to_string(),
                    "time_us": time.as_micros() as u64,
                });
                out.write(&format!("{json}\n"))?;
                out.flush()?;
            } else {
                complain(say(&error));
            }
            return Ok(exit_for(&error));
        }
    };
    let widest = problem.widest(&model);
    if args.json {
        let widest: Vec<_> = widest
            .iter()
            .take(10)
            .map(|(kind, name, count)| serde_json::json!({"kind": kind, "name": name, "instances": count}))
            .collect();
        let json = serde_json::json!({
            "facts": problem.facts.len(),
            "actions": problem.actions.len(),
            "tasks": problem.tasks.len(),
            "methods": problem.methods.len(),
            "axioms": problem.axioms.len(),
            "ordered": problem.ordered,
            "time_us": time.as_micros() as u64,
            "widest": widest,
        });
        out.write(&format!("{json}\n"))?;
    } else {
        let mut text = format!(
            "facts {}, actions {}, tasks {}, methods {}",
            problem.facts.len(),
            problem.actions.len(),
            problem.tasks.len(),
            problem.methods.len()
        );
        if !problem.axioms.is_empty() {
            let _ = write!(text, ", axioms {}", problem.axioms.len());
        }
        let _ = writeln!(text, ", {:.3} s", time.as_secs_f64());
        let _ = writeln!(text, "widest schemas:");
        for (kind, name, count) in widest.iter().take(6) {
            let _ = writeln!(text, "{count:>10}  {kind} {name}");
        }
        out.write(&text)?;
    }
    out.flush()?;
    if let Some(path) = &args.output {
        write(path, args.form, &problem, &model)?;
    }
    Ok(Exit::Done)
}

fn write(path: &Path, form: Option<Form>, problem: &Ground, model: &Model) -> Result<(), Failure> {
    let is_sas = path.extension().is_some_and(|ending| ending == "sas");
    match form {
        Some(Form::Pddl) => {
            std::fs::create_dir_all(path).map_err(|error| {
                let folder = path.display();
                Failure::bad_input(format!("cannot make the folder `{folder}`: {error}"))
            })?;
            let (domain, instance) = pddl::texts(problem, model);
            let ending = match problem.root {
                Some(_) => "hddl",
                None => "pddl",
            };
            write_whole(&path.join(format!("domain.{ending}")), &domain)?;
            write_whole(&path.join(format!("problem.{ending}")), &instance)
        }
        form if form == Some(Form::Sas) || form.is_none() && is_sas => {
            let text = sas::text(problem, model).map_err(Failure::bad_input)?;
            write_whole(path, &text)
        }
        _ => write_whole(path, &listing(problem, model)),
    }
}

/// The whole grounded problem, for people.
fn listing(problem: &Ground, model: &Model) -> String {
    let fact = |index: &u32| match &problem.facts[*index as usize] {
        GroundFact::Atom(predicate, arguments) => {
            named(model, &model.predicates[predicate.index()].name, arguments)
        }
        GroundFact::Helper(number) => format!("(helper-{number})"),
        GroundFact::Comparison(number) => problem.numbers.show_comparison(*number, model),
    };
    let facts = |list: &[u32]| list.iter().map(fact).collect::<Vec<_>>().join(" ");
    let condition = |condition: &Condition| {
        let mut text = facts(&condition.positive);
        for index in &condition.negative {
            let _ = write!(text, " (not {})", fact(index));
        }
        text.trim_start().to_string()
    };
    let mut out = format!(
        "init {}\ngoal {}\n",
        facts(&problem.init),
        condition(&problem.goal)
    );
    for axiom in &problem.axioms {
        let _ = writeln!(
            out,
            "axiom {} layer {}: {}",
            fact(&axiom.head),
            axiom.layer,
            condition(&axiom.condition)
        );
    }
    for (index, action) in problem.actions.iter().enumerate() {
        let name = action
            .schema
            .map_or("helper", |id| &model.actions[id.index()].name);
        let _ = writeln!(
            out,
            "action {index} {} cost {}\n  needs {}\n  adds {}\n  deletes {}",
            named(model, name, &action.arguments),
            model.show_cost(action.cost),
            condition(&action.precondition),
            facts(&action.add),
            facts(&action.delete)
        );
        for effect in &action.conditional {
            let _ = writeln!(
                out,
                "  when {}: adds {} deletes {}",
                condition(&effect.condition),
                facts(&effect.add),
                facts(&effect.delete)
            );
        }
    }
    for (index, task) in problem.tasks.iter().enumerate() {
        let name = match task.schema {
            Some(id) => &model.tasks[id.index()].name,
            None if problem.root == Some(index as u32) => "root",
            None => "helper",
        };
        let _ = writeln!(out, "task {index} {}", named(model, name, &task.arguments));
        for &number in &task.methods {
            let method = &problem.methods[number as usize];
            let name = method
                .schema
                .map_or("helper", |id| &model.methods[id.index()].name);
            let subtasks: Vec<String> = method
                .subtasks
                .iter()
                .map(|node| match node {
                    Node::Task(task) => format!("task {task}"),
                    Node::Action(action) => format!("action {action}"),
                })
                .collect();
            let _ = writeln!(
                out,
                "  method {number} {}: {}\n    needs {}",
                named(model, name, &method.arguments),
                subtasks.join(", "),
                condition(&method.precondition)
            );
        }
    }
    out
}

fn named(model: &Model, name: &str, arguments: &[ObjectId]) -> String {
    format!("({})", model.show(name, arguments))
}
