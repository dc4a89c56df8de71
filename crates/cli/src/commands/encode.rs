//! `planoku encode`: a puzzle in the language of other tools.
//!
//! Each language turns a puzzle into one or more named files. To add one, add
//! a variant to [`Language`] and an arm to [`files()`].

use std::path::PathBuf;

use clap::ValueEnum;
use planoku_constraints::cnf::dimacs;
use planoku_engine::UnknownName;
use planoku_sudoku::Grid;
use planoku_workbench::formulate::planning::PlanningModel;
use planoku_workbench::formulate::planning::human::{Human, TechniqueLevel};
use planoku_workbench::formulate::sat::Encoding;

use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::files;
use crate::output::Output;

/// Write puzzles as files other tools can run.
///
/// Without -o the files go to standard output. With -o DIR they are written
/// into that directory; each of several puzzles gets a numbered directory of
/// its own.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input.
    #[arg(required = true)]
    input: Vec<String>,
    /// The language to write.
    #[arg(long = "as", value_name = "LANGUAGE")]
    language: Language,
    /// How the rules are said in DIMACS: minimal, extended, optimised or
    /// propagated, and perhaps :ladder, :commander or :product after it.
    #[arg(long, value_name = "NAME", default_value = "extended")]
    encoding: Encoding,
    /// How Sudoku is said in HDDL (order, order-published, recursive,
    /// recursive-published) or PDDL (a, b, d); the first that fits if absent.
    /// In both, human says it as people solve it, with techniques up to
    /// x-wing, or human:singles, human:locked, human:pairs.
    #[arg(long, value_name = "NAME", value_parser = crate::values::offered(models, model), hide_possible_values = true)]
    model: Option<Said>,
    /// The directory to write to.
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// A language of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A formula for SAT solvers; comments say what each variable means.
    Dimacs,
    /// A hierarchical planning domain and problem.
    Hddl,
    /// A classical planning domain and problem.
    Pddl,
}

/// A planning model: the rules of the game, or what people make of them.
#[derive(Clone, Copy, Debug)]
enum Said {
    Rules(PlanningModel),
    Human(TechniqueLevel),
}

fn models() -> Vec<String> {
    let rules = PlanningModel::ALL.map(|it| it.name().to_string());
    rules.into_iter().chain(["human".to_string()]).collect()
}

fn model(name: &str) -> Result<Said, String> {
    if name == "human" {
        return Ok(Said::Human(TechniqueLevel::XWing));
    }
    if let Some(level) = name.strip_prefix("human:") {
        let level = level.parse().map(Said::Human);
        return level.map_err(|error: UnknownName| error.to_string());
    }
    let known = || PlanningModel::ALL.map(PlanningModel::name).join(", ");
    let mut models = PlanningModel::ALL.into_iter();
    models
        .find(|model| model.name() == name)
        .map(Said::Rules)
        .ok_or_else(|| format!("expected one of {}, human", known()))
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut out = Output::stdout();
    let mut held: Option<Vec<File>> = None;
    let exit = each::puzzle(&args.input, context, |number, puzzle| {
        let made = files(&args, puzzle)?;
        match &args.output {
            None => {
                for (_, content) in made {
                    out.write(&String::from_utf8_lossy(&content))?;
                }
            }
            // The first puzzle waits: where it goes depends on a second.
            Some(_) if number == 1 => held = Some(made),
            Some(directory) => {
                if let Some(first) = held.take() {
                    files::write_all(&files::place(directory, 1, true), &first)?;
                }
                files::write_all(&files::place(directory, number, true), &made)?;
            }
        }
        Ok(Exit::Done)
    })?;
    if let (Some(directory), Some(only)) = (&args.output, held) {
        files::write_all(&files::place(directory, 1, false), &only)?;
    }
    out.flush()?;
    Ok(exit)
}

/// A file's name and content.
type File = (&'static str, Vec<u8>);

/// The files that say a puzzle in the language asked for.
fn files(args: &Args, puzzle: &Grid) -> Result<Vec<File>, Failure> {
    match args.language {
        Language::Dimacs => dimacs_file(args.encoding, puzzle),
        Language::Hddl => planning_files(args.model, true, puzzle),
        Language::Pddl => planning_files(args.model, false, puzzle),
    }
}

fn planning_files(said: Option<Said>, hddl: bool, puzzle: &Grid) -> Result<Vec<File>, Failure> {
    let said = said.unwrap_or(Said::Rules(match hddl {
        true => PlanningModel::Order,
        false => PlanningModel::B,
    }));
    let texts = match said {
        Said::Human(level) => Human {
            level,
            hierarchical: hddl,
        }
        .texts(puzzle, "sudoku"),
        Said::Rules(model) if model.is_hierarchical() != hddl => {
            return Err(Failure::bad_input(format!(
                "model `{}` is written in {}: use --as {}",
                model.name(),
                model.extension().to_uppercase(),
                model.extension()
            )));
        }
        Said::Rules(model) => model.texts(puzzle, "sudoku"),
    };
    let [domain, problem] = match hddl {
        true => ["domain.hddl", "problem.hddl"],
        false => ["domain.pddl", "problem.pddl"],
    };
    Ok(vec![
        (domain, texts.domain.into()),
        (problem, texts.problem.into()),
    ])
}

fn dimacs_file(encoding: Encoding, puzzle: &Grid) -> Result<Vec<File>, Failure> {
    let encoded = encoding.say(puzzle);
    let about = format!("The Sudoku {puzzle} ({encoding} encoding)");
    let legend: Vec<String> = encoded.legend().collect();
    let comments = [about.as_str()]
        .into_iter()
        .chain(legend.iter().map(String::as_str));
    let mut text = Vec::new();
    dimacs::write(&encoded.cnf, comments, &mut text).map_err(Failure::fault)?;
    Ok(vec![("formula.cnf", text)])
}
