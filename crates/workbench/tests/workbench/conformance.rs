//! One table of puzzles, every registered engine, and what each claims.
//!
//! An engine joins by being registered. It may be slow: where its budget runs
//! out it says so, except on the puzzles marked [`Must::Decide`], which every
//! complete engine must decide, and no more often than [`FLOORS`] allows. What no
//! engine may ever do is say something untrue, or spend nodes it was not given.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use planoku_engine::{
    Budget, Cancel, End, Ended, Engine, EngineError, Outcome, Profile, Run, Sink, Stats, Stop,
};
use planoku_sudoku::{Grid, Shape, reference};
use planoku_workbench::{Solution, SudokuEngine, engine, engines};

/// How many solutions counting engines are asked for.
const LIMIT: u64 = 3;

/// Enough for any engine on a small board, and for a good one on a large.
const NODES: u64 = 20_000;

/// A net under the node budget, for engines whose nodes are dear: with forty
/// engines the suite must still end soon.
const TIME: Duration = Duration::from_millis(200);

/// The time on boards that all must decide, so wide that it is never needed.
const AMPLE_TIME: Duration = Duration::from_secs(20);

/// How far an engine that works in bulk (a call of a SAT engine, say) may run
/// past a node budget before it looks.
const BULK: u64 = 10;

/// How many puzzles of the table an engine decides at the least, by how its name
/// begins, the first that fits; somewhat fewer than it decides on a quiet machine,
/// since some are stopped by the clock. Complete engines decide the ten that all
/// must decide.
const FLOORS: [(&str, usize); 17] = [
    ("native", 24),
    ("reference", 22),
    ("sat", 22),
    ("elim", 22),
    ("mac", 22),
    ("regin", 20),
    ("hall", 20),
    ("fc", 21),
    ("ac3+", 19),
    ("agents:1", 20),
    ("agents:4+1", 20),
    ("agents:2", 7),
    ("agents", 9),
    ("annealing", 8),
    ("min-conflicts", 10),
    ("htn-human", 12),
    ("", 15),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Must {
    /// Complete engines have no excuse.
    Decide,
    /// Running out of budget is fine.
    Try,
}

struct Case {
    fact: &'static str,
    puzzle: &'static str,
    /// How many solutions there are, counted up to [`LIMIT`].
    solutions: u64,
    must: Must,
}

const fn case(fact: &'static str, puzzle: &'static str, solutions: u64, must: Must) -> Case {
    Case {
        fact,
        puzzle,
        solutions,
        must,
    }
}

const CASES: [Case; 24] = [
    case("4x4, easy", ".2.11..434..21..", 1, Must::Decide),
    case("4x4, minimal", "4.3..........1.3", 1, Must::Decide),
    case("4x4, two solutions", "4....32.....2..3", 2, Must::Decide),
    case("4x4, empty", "................", 3, Must::Decide),
    case("4x4, full", "4231132434122143", 1, Must::Decide),
    case("4x4, full and wrong", "4231132434122144", 0, Must::Decide),
    case("4x4, a row repeats", "11..............", 0, Must::Decide),
    case("4x4, a column repeats", "1.......1.......", 0, Must::Decide),
    case("4x4, a box repeats", "1....1..........", 0, Must::Decide),
    case(
        "4x4, a cell without candidates",
        "12....3.....4...",
        0,
        Must::Decide,
    ),
    case(
        "6x6, easy",
        "....3.32..65456.131.2..4..3..1..432.",
        1,
        Must::Try,
    ),
    case(
        "6x6, minimal",
        ".....23..4...562.....6.42....1......",
        1,
        Must::Try,
    ),
    case(
        "6x6, two solutions",
        ".....23.1..5....13...65..6354.5.....",
        2,
        Must::Try,
    ),
    case(
        "6x6, no solution, seen only by search",
        "6....23.1....5..1....6.5...5...1....",
        0,
        Must::Try,
    ),
    case(
        "9x9, easy",
        ".5.8.....3.8..75...6..9....7.9456..3...73.9582...184..8.6..9.....368..49..2..3876",
        1,
        Must::Try,
    ),
    case(
        "9x9, minimal",
        "9.7..4.3.3.....5.4..1.95...78......3.....2.....5.1.4....6.7...5......2.....5..8.6",
        1,
        Must::Try,
    ),
    case(
        "9x9, two solutions",
        "957......3.....594.6.3....2..94561......3.9...3......7.4.2..31...3.81.4.1..5.3..6",
        2,
        Must::Try,
    ),
    case(
        "9x9, many solutions",
        "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....",
        3,
        Must::Try,
    ),
    case(
        "9x9, no solution, seen only by search",
        "95.8..6.....1....4....957........12761.7..9..2............7.31.....8....19..4...6",
        0,
        Must::Try,
    ),
    case(
        "9x9, two clues clash",
        "5.......5........................................................................",
        0,
        Must::Try,
    ),
    case(
        "9x9, empty",
        ".................................................................................",
        3,
        Must::Try,
    ),
    case(
        "9x9, full",
        "957824631328167594461395782789456123614732958235918467846279315573681249192543876",
        1,
        Must::Try,
    ),
    case(
        "9x9, full and wrong",
        "957824631328167594461395782789456123614732958235918467846279315573681249192543878",
        0,
        Must::Try,
    ),
    case("16x16", LARGE, 1, Must::Try),
];

const LARGE: &str = "12..5.78....DE.G.678.AB.DEFG1..4.A.C.E.G123..678.E.G..34.6.89.BC23..678..BCDEF.16789....E.G.234.ABCDE.G1.34..7.9EF.123.56.89ABC.34...8.ABC..FG1.789A.CD...123.56B.D.F.123.567.9.F.123456789.B...456789....EFG.238..B..EF..2.456.CDE.G.23....89.B.123.5...9..C...";

#[test]
fn the_table_itself_is_true() {
    for case in &CASES {
        let found = reference::solutions(&grid(case), LIMIT as usize).len();
        assert_eq!(found as u64, case.solutions, "{}", case.fact);
    }
}

#[test]
fn every_engine_keeps_what_its_profile_claims() {
    let engines = engines();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // Some engines recurse as deep as their plans are long.
            let worker = std::thread::Builder::new().stack_size(256 << 20);
            let work = || {
                while let Some(engine) = engines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = examine(engine);
                    complaints.lock().unwrap().extend(found);
                }
            };
            worker.spawn_scoped(scope, work).unwrap();
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Everything one engine does that its profile forbids.
fn examine(engine: &SudokuEngine) -> Vec<String> {
    let profile = engine.profile();
    let mut complaints = Vec::new();
    let mut decided = 0;
    let limit = if profile.counts { LIMIT } else { 1 };
    for case in &CASES {
        let budget = Budget {
            nodes: Some(NODES),
            time: Some(match case.must {
                Must::Try => TIME,
                Must::Decide => AMPLE_TIME,
            }),
            memory: Some(1 << 30),
        };
        let mut run = Run::limit(limit).with_budget(budget);
        let result = planoku_workbench::solve::solve(engine, &grid(case), &mut run);
        if let Ok(outcome) = &result {
            decided += usize::from(matches!(outcome.end, End::Exhausted | End::Enough));
        }
        if let Err(untrue) = judge(engine, case, limit, result) {
            complaints.push(format!("{} on {}: {untrue}", profile.name, case.fact));
        }
    }
    let floor = floor(&profile.name);
    if decided < floor {
        let name = &profile.name;
        complaints.push(format!(
            "{name} decided {decided} of the table, {floor} at least are due"
        ));
    }
    complaints
}

fn floor(name: &str) -> usize {
    let fits = FLOORS.iter().find(|(begin, _)| name.starts_with(begin));
    fits.map_or(0, |(_, floor)| *floor)
}

/// `Err` says what is untrue. That every grid found is a solution, and found
/// once, has been seen to by `solve`.
fn judge(
    engine: &SudokuEngine,
    case: &Case,
    limit: u64,
    result: Result<Outcome<Solution>, EngineError>,
) -> Result<(), String> {
    let outcome = match result {
        Ok(outcome) => outcome,
        // An engine may be made for one size of board, but the ordinary one
        // is what everybody takes.
        Err(EngineError::Unsupported(_)) if grid(case).shape() != Shape::Three => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let profile = engine.profile();
    let nodes = outcome.stats.nodes;
    if nodes > NODES + BULK {
        return Err(format!("spent {nodes} nodes of {NODES}"));
    }
    let found = outcome.answers.len() as u64;
    let truth = case.solutions.min(limit);
    if found > truth {
        return Err(format!("found {found} where there are {truth}"));
    }
    match outcome.end {
        End::Exhausted if found < truth => Err(format!("proves {found}, but there are {truth}")),
        End::Enough if found < limit => Err(format!("has enough with {found} of {limit}")),
        End::Incomplete if profile.complete => Err("gave up, and claims to be complete".into()),
        End::Stopped(Stop::Cancelled) => Err("was cancelled by nobody".into()),
        End::Stopped(stop) if case.must == Must::Decide && profile.complete => {
            Err(format!("stopped by {stop} on a puzzle all must decide"))
        }
        _ => Ok(()),
    }
}

/// Claims everything and proves that no puzzle has a solution.
struct Liar;

impl Engine<Grid> for Liar {
    type Answer = Solution;

    fn profile(&self) -> Profile {
        Profile::new("liar", "says no").complete().counting()
    }

    fn solve_into(
        &self,
        _: &Grid,
        _: &mut Run<'_>,
        _: &mut Sink<'_, Solution>,
    ) -> Result<Ended, EngineError> {
        Ok(Ended {
            end: End::Exhausted,
            stats: Stats::default(),
        })
    }
}

#[test]
fn an_engine_that_proves_untruths_is_caught_on_every_solvable_puzzle() {
    let liar: SudokuEngine = Box::new(Liar);
    let solvable = CASES.iter().filter(|case| case.solutions > 0).count();
    assert_eq!(examine(&liar).len(), solvable);
}

#[test]
fn every_engine_hears_the_switch() {
    let puzzle = grid(&CASES[15]);
    for engine in engines() {
        let cancel = Cancel::new();
        cancel.cancel();
        let mut run = Run::limit(1).with_cancel(cancel);
        let outcome = engine.solve(&puzzle, &mut run).unwrap();
        let name = engine.profile().name;
        assert_eq!(outcome.end, End::Stopped(Stop::Cancelled), "{name}");
    }
}

#[test]
fn no_engine_runs_far_past_a_node_budget_of_ten() {
    let puzzle = grid(&CASES[18]);
    for engine in engines() {
        let mut run = Run::limit(1).with_nodes(10).with_time(TIME);
        let outcome = engine.solve(&puzzle, &mut run).unwrap();
        let name = engine.profile().name;
        let nodes = outcome.stats.nodes;
        assert!(nodes <= 10 + BULK, "{name} spent {nodes}");
        match outcome.end {
            End::Stopped(_) => assert!(outcome.answers.is_empty(), "{name}"),
            End::Exhausted | End::Incomplete => {}
            End::Enough => panic!("{name} solved what has no solution"),
        }
    }
}

#[test]
fn every_engine_is_known_by_its_own_name() {
    let mut names = HashSet::new();
    for listed in engines() {
        let profile = listed.profile();
        assert!(!profile.summary.is_empty(), "{}", profile.name);
        let by_name = engine(&profile.name).expect("listed engines answer to their names");
        assert_eq!(by_name.profile(), profile);
        assert!(names.insert(profile.name.clone()), "{} twice", profile.name);
    }
    assert!(engine("no such engine").is_none());
}

fn grid(case: &Case) -> Grid {
    case.puzzle.parse().unwrap()
}
