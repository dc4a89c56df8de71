//! A puzzle has no solution, or exactly one: not as a claim but as a proof.
//!
//! The puzzle becomes a formula whose clauses anyone can read; for "exactly
//! one" the solution is shown and a clause forbids it. Either formula cannot
//! be satisfied, and a conflict-driven search writes down why. Nothing is
//! returned before the judge of [`planoku_constraints::proof::check`] has read
//! formula and proof back from their written form and accepted both formats.

use std::fmt;
use std::str::FromStr;

use planoku_constraints::cnf::{Cnf, dimacs};
use planoku_constraints::proof::{check, drat, lrat, search};
use planoku_constraints::sat::{Answer, Sat, Solver};
use planoku_engine::{Run, Stop};
use planoku_sudoku::{Grid, verify};

use crate::formulate::sat::{Encoded, Encoding, Family};

/// What was found out.
#[derive(Clone, Debug)]
pub enum ProofFinding {
    /// No solution, or one; proved.
    Proved(Certificate),
    /// Two solutions that differ, both verified: they prove themselves.
    Several([Grid; 2]),
}

/// Everything needed to believe the result without believing us.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The puzzle.
    pub puzzle: Grid,
    /// The one solution; `None` if there is none.
    pub solution: Option<Grid>,
    /// The formula that cannot be satisfied, in DIMACS.
    pub formula: Vec<u8>,
    /// Its variables and clauses.
    pub size: (usize, usize),
    /// The refutation in DRAT, as text.
    pub drat: Vec<u8>,
    /// The refutation in LRAT, as text.
    pub lrat: Vec<u8>,
    /// Lemmas the judge checked.
    pub lemmas: u64,
}

/// Why there is no certificate.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failed {
    /// A budget ran out.
    Stopped(Stop),
    /// Our own mistake: something did not stand up to verification.
    Mistake(String),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stopped(stop)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Stopped(stop) => write!(f, "stopped by {stop}"),
            Failed::Mistake(what) => write!(f, "{what}"),
        }
    }
}

/// The encoding of certificates unless another is asked for: nothing is left
/// out of it, so that a reader sees the rules and the clues themselves.
pub const ENCODING: Encoding = Encoding::plain(Family::Extended);

/// Who writes the refutation. Neither is believed: both are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prover {
    /// Our own conflict-driven search.
    #[default]
    Own,
    /// CaDiCaL, for formulas too heavy for our own.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl Prover {
    /// Every prover of this build.
    pub const ALL: &'static [Prover] = &[
        Prover::Own,
        #[cfg(feature = "cadical")]
        Prover::Cadical,
    ];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Prover::Own => "own",
            #[cfg(feature = "cadical")]
            Prover::Cadical => "cadical",
        }
    }

    /// The solver that finds the solutions first.
    fn solver(self) -> Solver {
        match self {
            Prover::Own => Solver::Batsat,
            #[cfg(feature = "cadical")]
            Prover::Cadical => Solver::Cadical,
        }
    }

    /// Refutes a formula, in DRAT and in LRAT.
    fn refute(self, cnf: &Cnf, run: &mut Run<'_>) -> Result<(Vec<u8>, Vec<u8>), Failed> {
        match self {
            Prover::Own => {
                let mut log = (
                    drat::Writer::text(Vec::new()),
                    lrat::Writer::text(Vec::new(), cnf.len()),
                );
                refuted(search::search(cnf, &mut log, run)?)?;
                Ok((
                    log.0.finish().map_err(mistake)?,
                    log.1.finish().map_err(mistake)?,
                ))
            }
            // Its own LRAT, and the same steps again as DRAT.
            #[cfg(feature = "cadical")]
            Prover::Cadical => {
                use planoku_constraints::proof::{ProofFormat, cadical};
                let (verdict, lrat) =
                    cadical::prove(cnf, ProofFormat::Text, run).map_err(mistake)??;
                refuted(verdict)?;
                let mut drat = drat::Writer::text(Vec::new());
                lrat::retell(cnf.clauses(), &lrat[..], &mut drat).map_err(mistake)?;
                Ok((drat.finish().map_err(mistake)?, lrat))
            }
        }
    }
}

impl fmt::Display for Prover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Prover {
    type Err = UnknownProver;

    fn from_str(name: &str) -> Result<Prover, UnknownProver> {
        let known = Prover::ALL.iter().find(|prover| prover.name() == name);
        known.copied().ok_or_else(|| match name {
            "cadical" => UnknownProver::NotBuilt,
            _ => UnknownProver::Unknown(name.to_string()),
        })
    }
}

/// Why there is no such prover.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownProver {
    /// It is CaDiCaL, which this build is without.
    NotBuilt,
    /// Nobody has the name.
    Unknown(String),
}

impl fmt::Display for UnknownProver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownProver::NotBuilt => {
                f.write_str("this build is without CaDiCaL; build it with `--features cadical`")
            }
            UnknownProver::Unknown(name) => {
                write!(f, "no prover `{name}`; there are `own` and `cadical`")
            }
        }
    }
}

impl std::error::Error for UnknownProver {}

fn mistake(what: impl fmt::Display) -> Failed {
    Failed::Mistake(what.to_string())
}

fn refuted(verdict: search::Verdict) -> Result<(), Failed> {
    match verdict {
        search::Verdict::Refuted => Ok(()),
        search::Verdict::Satisfied(_) => Err(mistake("two searches disagree about the formula")),
    }
}

/// Decides a puzzle and proves the decision, with a search of our own.
pub fn prove(puzzle: &Grid, encoding: Encoding, run: &mut Run<'_>) -> Result<ProofFinding, Failed> {
    prove_by(Prover::Own, puzzle, encoding, run)
}

/// Decides a puzzle and proves the decision, with a prover of choice.
pub fn prove_by(
    prover: Prover,
    puzzle: &Grid,
    encoding: Encoding,
    run: &mut Run<'_>,
) -> Result<ProofFinding, Failed> {
    let mut encoded = encoding.say(puzzle);
    let solutions = two_solutions(prover.solver(), puzzle, &encoded, run)?;
    let solution = match &solutions[..] {
        [] => None,
        [one] => Some(one.clone()),
        [one, other, ..] => return Ok(ProofFinding::Several([one.clone(), other.clone()])),
    };
    if let Some(solution) = &solution {
        let other = encoded.other_than(solution);
        encoded.cnf.add(other);
    }
    let (drat, lrat) = prover.refute(&encoded.cnf, run)?;
    certify(puzzle, solution, encoding, &encoded, drat, lrat, run).map(ProofFinding::Proved)
}

/// Up to two solutions, verified: one incremental call after the first.
fn two_solutions(
    solver: Solver,
    puzzle: &Grid,
    encoded: &Encoded,
    run: &mut Run<'_>,
) -> Result<Vec<Grid>, Failed> {
    let mut sat = Sat::with(solver);
    sat.add_cnf(&encoded.cnf);
    let mut found = Vec::new();
    while found.len() < 2 && sat.solve(&[], run)? == Answer::Sat {
        let grid = encoded.read_back(|var| sat.value(var));
        let grid = grid.ok_or_else(|| mistake("an assignment is not a board"))?;
        verify(puzzle, &grid).map_err(mistake)?;
        sat.add_clause(&encoded.other_than(&grid));
        found.push(grid);
    }
    Ok(found)
}

/// Has the written refutation judged.
fn certify(
    puzzle: &Grid,
    solution: Option<Grid>,
    encoding: Encoding,
    encoded: &Encoded,
    drat: Vec<u8>,
    lrat: Vec<u8>,
    run: &mut Run<'_>,
) -> Result<Certificate, Failed> {
    let cnf = &encoded.cnf;
    let statement = statement(puzzle, solution.as_ref(), encoding);
    let legend: Vec<String> = encoded.legend().collect();
    let comments = [statement.as_str()];
    let comments = comments
        .into_iter()
        .chain(legend.iter().map(String::as_str));
    let mut formula = Vec::new();
    dimacs::write(cnf, comments, &mut formula).map_err(mistake)?;

    let written = dimacs::read(&formula[..], dimacs::Cap::default()).map_err(mistake)?;
    if written != *cnf {
        return Err(mistake("the formula does not survive being written"));
    }
    let judged = |result: Result<check::AcceptedProof, check::Rejected>| {
        result.map_err(|rejected| match rejected {
            check::Rejected::Stopped(stop) => Failed::Stopped(stop),
            other => Failed::Mistake(format!("the proof was rejected: {other}")),
        })
    };
    let checked = judged(check::drat(&written, &drat[..], run))?;
    judged(check::lrat(&written, &lrat[..], run))?;
    Ok(Certificate {
        puzzle: puzzle.clone(),
        solution,
        formula,
        size: (cnf.vars(), cnf.len()),
        drat,
        lrat,
        lemmas: checked.rup + checked.rat,
    })
}

/// What the formula says, in one sentence.
fn statement(puzzle: &Grid, solution: Option<&Grid>, encoding: Encoding) -> String {
    match solution {
        None => format!(
            "The Sudoku {puzzle} ({encoding} encoding).\nUnsatisfiable: the puzzle has no solution."
        ),
        Some(solution) => format!(
            "The Sudoku {puzzle} ({encoding} encoding),\nand a last clause that forbids its solution {solution}.\nUnsatisfiable: the puzzle has no other solution."
        ),
    }
}

impl Certificate {
    /// The files of a certificate: name and content.
    pub fn files(&self) -> [(&'static str, Vec<u8>); 4] {
        [
            ("formula.cnf", self.formula.clone()),
            ("proof.drat", self.drat.clone()),
            ("proof.lrat", self.lrat.clone()),
            ("README.md", self.readme().into_bytes()),
        ]
    }

    /// What the files prove, and how to check them with other people's tools.
    fn readme(&self) -> String {
        let (variables, clauses) = self.size;
        let puzzle = &self.puzzle;
        let (claim, how) = match &self.solution {
            None => (
                "This Sudoku has no solution.".to_string(),
                "`formula.cnf` says the rules and the clues; it cannot be satisfied.".to_string(),
            ),
            Some(solution) => (
                format!("This Sudoku has exactly one solution:\n\n    {solution}"),
                "`formula.cnf` says the rules, the clues, and (its last clause) that some cell \
                 differs from this solution; it cannot be satisfied. That the solution is one \
                 anyone can see by checking rows, columns and boxes."
                    .to_string(),
            ),
        };
        format!(
            "# What is proved\n\n    {puzzle}\n\n{claim}\n\n{how}\n\n\
             The comments of `formula.cnf` say what each of its {variables} variables means; it \
             has {clauses} clauses. `proof.drat` and `proof.lrat` are the same refutation of {} \
             lemmas in two formats. Both were accepted by Planoku's own checker before these \
             files were written; others can repeat that:\n\n\
             ```sh\ndrat-trim formula.cnf proof.drat\nlrat-check formula.cnf proof.lrat\n```\n",
            self.lemmas
        )
    }
}
