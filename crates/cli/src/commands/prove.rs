//! `planoku prove`: not an answer but a proof of it, in files.

use std::fs;
use std::path::{Path, PathBuf};

use planoku_sudoku::Grid;
use planoku_workbench::formulate::sat::Encoding;
use planoku_workbench::prove::{self, Certificate, Failed, ProofFinding, Prover};

use crate::each;
use crate::exit::{Context, Exit, Failure};
use crate::files;
use crate::output::{Output, complain, stopped_by};

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
    /// Who writes the proof: `own`, or `cadical` in a build with that feature.
    #[arg(long, value_name = "NAME", default_value_t = Prover::default())]
    prover: Prover,
    #[command(flatten)]
    limits: each::Limits,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut out = Output::stdout();
    // The first certificate waits, and so does the word about it: where it
    // goes depends on whether a second puzzle comes.
    let mut first: Option<(Certificate, String)> = None;
    let exit = each::puzzle(&args.input, context, |number, puzzle| {
        if let Some((certificate, line)) = first.take() {
            write(&files::place(&args.output, 1, true), &certificate)?;
            out.write(&line)?;
        }
        let mut run = args.limits.run(context);
        let finding = match prove::prove_by(args.prover, puzzle, args.encoding, &mut run) {
            Ok(finding) => finding,
            Err(Failed::Stopped(stop)) => {
                complain(format_args!(
                    "{puzzle}: stopped by {stop}; nothing is proved",
                    stop = stopped_by(stop)
                ));
                return Ok(Exit::Stopped);
            }
            Err(mistake) => return Err(Failure::fault(format!("{puzzle}: {mistake}"))),
        };
        let line = line(&args, puzzle, &finding);
        let exit = match &finding {
            ProofFinding::Proved(certificate) if certificate.solution.is_none() => Exit::Proved,
            ProofFinding::Proved(_) => Exit::Done,
            ProofFinding::Several(_) => Exit::No,
        };
        match finding {
            ProofFinding::Proved(certificate) if number == 1 => first = Some((certificate, line)),
            ProofFinding::Proved(certificate) => {
                write(&files::place(&args.output, number, true), &certificate)?;
                out.write(&line)?;
            }
            ProofFinding::Several(_) => out.write(&line)?,
        }
        Ok(exit)
    })?;
    if let Some((certificate, line)) = first {
        write(&files::place(&args.output, 1, false), &certificate)?;
        out.write(&line)?;
    }
    out.flush()?;
    Ok(exit)
}

/// Puts the files in their place, and sees that they have arrived: what was
/// checked is what the disk gives back.
fn write(directory: &Path, certificate: &Certificate) -> Result<(), Failure> {
    let files = certificate.files();
    files::write_all(directory, &files)?;
    for (name, content) in &files {
        let path = directory.join(name);
        let name = path.display().to_string();
        let written = fs::read(&path).map_err(|error| Failure::cannot_write(&name, &error))?;
        if written != *content {
            return Err(Failure::fault(format!(
                "{name} is not what was written to it"
            )));
        }
    }
    Ok(())
}

/// What is said of one puzzle.
fn line(args: &Args, puzzle: &Grid, finding: &ProofFinding) -> String {
    if args.json {
        return format!("{}\n", object(puzzle, finding));
    }
    match finding {
        ProofFinding::Proved(certificate) => {
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
        ProofFinding::Several([one, other]) => {
            format!("{puzzle}: several solutions, so nothing to prove: {one} and {other}\n")
        }
    }
}

fn object(puzzle: &Grid, finding: &ProofFinding) -> serde_json::Value {
    match finding {
        ProofFinding::Proved(certificate) => serde_json::json!({
            "puzzle": puzzle.to_string(),
            "proved": if certificate.solution.is_some() { "unique" } else { "none" },
            "solutions": certificate.solution.iter().map(Grid::to_string).collect::<Vec<_>>(),
            "variables": certificate.size.0,
            "clauses": certificate.size.1,
            "lemmas": certificate.lemmas,
            "verified": true,
        }),
        ProofFinding::Several(two) => serde_json::json!({
            "puzzle": puzzle.to_string(),
            "proved": null,
            "solutions": two.each_ref().map(Grid::to_string),
            "verified": true,
        }),
    }
}
