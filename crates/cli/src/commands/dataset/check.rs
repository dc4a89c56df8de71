//! `planoku dataset check`: nothing is believed.

use std::path::{Path, PathBuf};

use planoku_data::check::CheckReport;
use planoku_data::leaks::{By, Ids};
use planoku_sudoku::native::{self, Isa};
use planoku_sudoku::text::{Puzzles, fields, members};
use planoku_sudoku::{Grid, verify};
use rayon::prelude::*;

use crate::exit::{Context, Exit, Failure};
use crate::input;
use crate::output::{Output, complain};
use crate::values;

/// Verify every row of a data set again.
///
/// Checksums, solutions, uniqueness, every label computed afresh, every step of
/// the traces, duplicates up to symmetry, solutions that occur in two splits. Of
/// a file from elsewhere: whether each puzzle has one solution, whether the
/// solution beside it is that one, and duplicates. Ends with 1 if something is
/// wrong.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of a data set, or a file of puzzles.
    input: PathBuf,
    /// Memory for the ids of rows, beyond which files are used.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = values::bytes)]
    memory: u64,
    /// How many threads work; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

pub fn run(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let pool = super::pool(args.threads)?;
    if !args.input.is_dir() {
        return pool.install(|| file(args, context));
    }
    let bar = super::bar(1);
    let checked = pool.install(|| {
        let memory = args.memory as usize;
        planoku_data::check::check(&args.input, memory, &context.cancel, |done, of| {
            bar.set_length(of);
            bar.set_position(done);
            bar.set_message("files");
        })
    });
    bar.finish_and_clear();
    match checked.map_err(Failure::bad_input)? {
        Ok(checked) => report(&checked),
        Err(stop) => Ok(super::stopped(stop, "what was seen so far is not told")),
    }
}

fn report(checked: &CheckReport) -> Result<Exit, Failure> {
    for problem in checked.problems.iter().take(20) {
        complain(format_args!("wrong: {problem}"));
    }
    let mut out = Output::stdout();
    out.write(&format!(
        "{}, {} and {} verified: {}\n",
        crate::output::counted(checked.files as usize, "file"),
        crate::output::counted(checked.rows as usize, "row"),
        crate::output::counted(checked.trace_rows as usize, "step"),
        match checked.wrong {
            0 => "all is as it should be".to_string(),
            1 => "1 thing is wrong".to_string(),
            wrong => format!("{wrong} things are wrong"),
        }
    ))?;
    out.flush()?;
    Ok(match checked.is_good() {
        true => Exit::Done,
        false => Exit::No,
    })
}

/// The names under which solutions are found.
const SOLUTIONS: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// What is wrong with the rows of a file.
#[derive(Default)]
struct Found {
    rows: u64,
    not_puzzles: u64,
    none: u64,
    several: u64,
    wrong_solutions: u64,
    with_solution: u64,
}

/// A file from elsewhere.
fn file(args: &Args, context: &Context) -> Result<Exit, Failure> {
    let mut puzzles = Puzzles::new(input::open_rows(&args.input, false)?).keeping_rows();
    let mut ids = Ids::new(By::Puzzle, args.memory as usize);
    let mut found = Found::default();
    let bar = super::bar(0);
    loop {
        let mut rows: Vec<(u64, Grid, Option<String>)> = Vec::new();
        while rows.len() < 1 << 14 {
            match puzzles.next() {
                None => break,
                Some(Ok(puzzle)) => {
                    found.rows += 1;
                    rows.push((puzzle.line as u64, puzzle.grid, solution(&puzzles)));
                }
                Some(Err(error)) => {
                    found.rows += 1;
                    found.not_puzzles += 1;
                    tell(&args.input, found.not_puzzles, &error.to_string());
                }
            }
        }
        if rows.is_empty() {
            break;
        }
        if context.cancel.is_cancelled() {
            bar.finish_and_clear();
            return Ok(super::stopped(
                planoku_engine::Stop::Cancelled,
                "nothing is told",
            ));
        }
        let judged: Vec<(u64, Option<bool>)> = rows
            .par_iter()
            .map(|(_, puzzle, said)| judge(puzzle, said.as_deref()))
            .collect();
        for ((line, ..), (solutions, right)) in rows.iter().zip(judged) {
            found.none += u64::from(solutions == 0);
            found.several += u64::from(solutions > 1);
            found.with_solution += u64::from(right.is_some());
            if right == Some(false) {
                found.wrong_solutions += 1;
                tell(
                    &args.input,
                    found.wrong_solutions,
                    &format!("{line}:1: the solution is wrong"),
                );
            }
        }
        let boards: Vec<(u64, Grid)> = rows
            .into_iter()
            .map(|(line, grid, _)| (line, grid))
            .collect();
        ids.add(&boards).map_err(Failure::bad_input)?;
        bar.set_message(format!("{} rows", found.rows));
    }
    bar.finish_and_clear();
    let repeats = ids.repeats(|_| ()).map_err(Failure::bad_input)?;
    let mut out = Output::stdout();
    out.write(&format!(
        "rows                     {}\nnot puzzles              {}\nno solution              {}\n\
         several solutions        {}\nsolutions compared       {}\nwrong solutions          {}\n\
         exact duplicates         {}\ndisguised duplicates     {}\n",
        found.rows,
        found.not_puzzles,
        found.none,
        found.several,
        found.with_solution,
        found.wrong_solutions,
        repeats.exact,
        repeats.disguised
    ))?;
    out.flush()?;
    let wrong = found.not_puzzles
        + found.none
        + found.several
        + found.wrong_solutions
        + repeats.exact
        + repeats.disguised;
    Ok(match wrong {
        0 => Exit::Done,
        _ => Exit::No,
    })
}

fn tell(path: &Path, nth: u64, message: &str) {
    if nth <= 20 {
        complain(format_args!("wrong: {}:{message}", path.display()));
    }
}

/// The solution beside the last puzzle, if its row has one.
fn solution<R: std::io::BufRead>(puzzles: &Puzzles<R>) -> Option<String> {
    let named = |name: &str| SOLUTIONS.contains(&name.trim().to_ascii_lowercase().as_str());
    if let Some(header) = puzzles.header() {
        let column = header.names.iter().position(|name| named(name))?;
        return fields(puzzles.row(), header.separator)
            .into_iter()
            .nth(column);
    }
    let found = members(puzzles.row().trim())?;
    let (_, value) = found.into_iter().find(|(name, _)| named(name))?;
    serde_json::from_str(value).ok()
}

/// How many solutions, up to two, and whether the one beside it is right.
fn judge(puzzle: &Grid, said: Option<&str>) -> (u64, Option<bool>) {
    let count = native::to_cells(puzzle)
        .map_or(0, |cells| native::solve_cells(&cells, 2, Isa::best()).count);
    let right = said.map(|said| match said.trim().parse::<Grid>() {
        Ok(solution) => verify(puzzle, &solution).is_ok(),
        Err(_) => false,
    });
    (count, right)
}
