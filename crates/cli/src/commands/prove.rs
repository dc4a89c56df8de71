//! `planoku prove`: not an answer but a proof of it, in files.

use std::path::PathBuf;

use planoku_sudoku::Grid;
use planoku_workbench::formulate::sat::Encoding;
use planoku_workbench::prove::{self, Certificate, Failed, Finding};

use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::files;
use crate::output::{Output, complain};

/// Prove that a puzzle has no solution, or exactly one.
///
/// Writes a formula, its refutation as DRAT and as LRAT, and a README that says
/// what they prove. Both proofs have passed an independent checker before
/// anything is written or announced. A puzzle with several solutions has
/// nothing to prove: two of them are shown, and the exit code is 1.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input. Each of several puzzles gets a numbered directory of its own.
    #[arg(required = true)]
    input: Vec<String>,
    /// The directory to write to.
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// How the formula says the rules; see `planoku encode --help`.
    #[arg(long, value_name = "NAME", default_value_t = prove::ENCODING)]
    encoding: Encoding,
    #[command(flatten)]
    limits: each::Limits,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut out = Output::stdout();
    let mut first: Option<Certificate> = None;
    let exit = each::puzzle(&args.input, context, |number, puzzle| {
        let mut run = args.limits.run(context);
        let finding = match prove::prove(puzzle, args.encoding, &mut run) {
            Ok(finding) => finding,
            Err(Failed::Stopped(stop)) => {
                complain(format_args!(
                    "{puzzle}: stopped by {stop}; nothing is proved"
                ));
                return Ok(Exit::Stopped);
            }
            Err(mistake) => return Err(Failure::fault(format!("{puzzle}: {mistake}"))),
        };
        if let Finding::Proved(certificate) = &finding {
            // The first certificate waits: where it goes depends on a second.
            if number == 1 {
                first = Some(certificate.clone());
            } else {
                if let Some(first) = first.take() {
                    files::write_all(&files::place(&args.output, 1, true), &first.files())?;
                }
                files::write_all(
                    &files::place(&args.output, number, true),
                    &certificate.files(),
                )?;
            }
        }
        out.write(&line(&args, puzzle, &finding))?;
        Ok(match finding {
            Finding::Proved(certificate) if certificate.solution.is_none() => Exit::Proved,
            Finding::Proved(_) => Exit::Done,
            Finding::Several(_) => Exit::No,
        })
    })?;
    if let Some(only) = first {
        files::write_all(&files::place(&args.output, 1, false), &only.files())?;
    }
    out.flush()?;
    Ok(exit)
}

/// What is said of one puzzle.
fn line(args: &Args, puzzle: &Grid, finding: &Finding) -> String {
    if args.json {
        return format!("{}\n", object(puzzle, finding));
    }
    match finding {
        Finding::Proved(certificate) => {
            let (variables, clauses) = certificate.size;
            let claim = match &certificate.solution {
                None => "no solution".to_string(),
                Some(solution) => format!("exactly one solution: {solution}"),
            };
            format!(
                "{puzzle}: proved: {claim} ({variables} variables, {clauses} clauses, {} lemmas; \
                 DRAT and LRAT checked)\n",
                certificate.lemmas
            )
        }
        Finding::Several([one, other]) => {
            format!("{puzzle}: several solutions, so nothing to prove: {one} and {other}\n")
        }
    }
}

fn object(puzzle: &Grid, finding: &Finding) -> serde_json::Value {
    match finding {
        Finding::Proved(certificate) => serde_json::json!({
            "puzzle": puzzle.to_string(),
            "proved": if certificate.solution.is_some() { "unique" } else { "none" },
            "solutions": certificate.solution.iter().map(Grid::to_string).collect::<Vec<_>>(),
            "variables": certificate.size.0,
            "clauses": certificate.size.1,
            "lemmas": certificate.lemmas,
            "verified": true,
        }),
        Finding::Several(two) => serde_json::json!({
            "puzzle": puzzle.to_string(),
            "proved": null,
            "solutions": two.each_ref().map(Grid::to_string),
            "verified": true,
        }),
    }
}
