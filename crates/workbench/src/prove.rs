//! A puzzle has no solution, or exactly one: not as a claim but as a proof.
//!
//! The puzzle becomes a formula whose clauses anyone can read; for "exactly
//! one" the solution is shown and a clause forbids it. Either formula cannot
//! be satisfied, and a conflict-driven search writes down why. Nothing is
//! returned before the judge of [`planoku_constraints::proof::check`] has read
//! formula and proof back from their written form and accepted both formats.

use std::fmt;

use planoku_constraints::cnf::dimacs;
use planoku_constraints::proof::{check, drat, lrat, search};
use planoku_constraints::sat::{Answer, Sat};
use planoku_engine::{Run, Stop};
use planoku_sudoku::{Grid, verify};

use crate::formulate::sat::{Encoded, Encoding, Family};

/// What was found out.
#[derive(Clone, Debug)]
pub enum Finding {
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

/// Decides a puzzle and proves the decision.
pub fn prove(puzzle: &Grid, encoding: Encoding, run: &mut Run<'_>) -> Result<Finding, Failed> {
    let mut encoded = encoding.say(puzzle);
    let solutions = two_solutions(puzzle, &encoded, run)?;
    let solution = match &solutions[..] {
        [] => None,
        [one] => Some(one.clone()),
        [one, other, ..] => return Ok(Finding::Several([one.clone(), other.clone()])),
    };
    if let Some(solution) = &solution {
        let other = encoded.other_than(solution);
        encoded.cnf.add(other);
    }
    certify(puzzle, solution, encoding, &encoded, run).map(Finding::Proved)
}

/// Up to two solutions, verified: one incremental call after the first.
fn two_solutions(puzzle: &Grid, encoded: &Encoded, run: &mut Run<'_>) -> Result<Vec<Grid>, Failed> {
    let mut sat = Sat::new();
    sat.add_cnf(&encoded.cnf);
    let mut found = Vec::new();
    while found.len() < 2 && sat.solve(&[], run)? == Answer::Sat {
        let grid = encoded.read_back(|var| sat.value(var));
        let grid = grid.ok_or_else(|| Failed::Mistake("an assignment is not a board".into()))?;
        verify(puzzle, &grid).map_err(|broken| Failed::Mistake(broken.to_string()))?;
        sat.add_clause(&encoded.other_than(&grid));
        found.push(grid);
    }
    Ok(found)
}

/// Refutes the formula, and has the written refutation judged.
fn certify(
    puzzle: &Grid,
    solution: Option<Grid>,
    encoding: Encoding,
    encoded: &Encoded,
    run: &mut Run<'_>,
) -> Result<Certificate, Failed> {
    let cnf = &encoded.cnf;
    let mistake = |what: &dyn fmt::Display| Failed::Mistake(what.to_string());
    let mut log = (
        drat::Writer::text(Vec::new()),
        lrat::Writer::text(Vec::new(), cnf.len()),
    );
    if search::search(cnf, &mut log, run)? != search::Verdict::Refuted {
        return Err(mistake(&"two searches disagree about the formula"));
    }
    let drat = log.0.finish().map_err(|error| mistake(&error))?;
    let lrat = log.1.finish().map_err(|error| mistake(&error))?;

    let statement = statement(puzzle, solution.as_ref(), encoding);
    let legend: Vec<String> = encoded.legend().collect();
    let comments = [statement.as_str()];
    let comments = comments
        .into_iter()
        .chain(legend.iter().map(String::as_str));
    let mut formula = Vec::new();
    dimacs::write(cnf, comments, &mut formula).map_err(|error| mistake(&error))?;

    let written = dimacs::read(&formula[..], dimacs::Cap::default()).map_err(|e| mistake(&e))?;
    if written != *cnf {
        return Err(mistake(&"the formula does not survive being written"));
    }
    let judged = |result: Result<check::Checked, check::Rejected>| {
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
