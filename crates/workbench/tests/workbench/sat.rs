//! Sudoku as SAT against the judges: every encoding, every size, the corpora,
//! proofs and their corruption, cores and backbones.

use std::collections::HashSet;
use std::path::Path;

use planoku_constraints::cnf::{Cnf, Lit, dimacs};
use planoku_constraints::proof::check;
use planoku_constraints::sat::SatEngine;
use planoku_engine::{End, Engine, Run, Stop, Via};
use planoku_sudoku::generate::{Level, PuzzleRecipe, full_grid};
use planoku_sudoku::native::Native;
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Grid, Shape, reference, verify};
use planoku_workbench::clues;
use planoku_workbench::formulate::sat::{Encoding, Family};
use planoku_workbench::prove::{self, Certificate, ProofFinding};

use crate::corpora;

fn engine(encoding: Encoding) -> Via<Encoding, SatEngine> {
    Via {
        name: "sat".into(),
        summary: "".into(),
        formulation: encoding,
        engine: SatEngine::default(),
    }
}

/// `count` puzzles with one solution, the same every time.
fn puzzles(shape: Shape, level: Level, count: u64) -> Vec<Grid> {
    let recipe = PuzzleRecipe::for_level(level, shape);
    let make = |index| recipe.make(1, index, &mut Run::limit(1)).unwrap();
    (0..count).map(make).collect()
}

/// A random full board with a share of its cells blank.
fn masked(shape: Shape, blank_percent: usize, seed: u64) -> Grid {
    let mut rng = Rng::new(seed);
    let mut grid = full_grid(shape, &mut rng, &mut Run::limit(1)).unwrap();
    let mut cells: Vec<_> = shape.all_cells().collect();
    rng.shuffle(&mut cells);
    for cell in cells.into_iter().take(shape.cells() * blank_percent / 100) {
        grid.set(cell, None);
    }
    grid
}

/// Puzzles with one clue changed, as long as that leaves them without a
/// solution.
fn mutilated(count: usize) -> Vec<Grid> {
    let mut rng = Rng::new(5);
    let mut found = Vec::new();
    for puzzle in puzzles(Shape::Three, Level::Medium, 400) {
        if found.len() == count {
            break;
        }
        let clues: Vec<_> = puzzle.clues().collect();
        let (cell, digit) = clues[rng.below(clues.len())];
        let others: Vec<_> = Shape::Three
            .digits()
            .filter(|other| *other != digit)
            .collect();
        let mut grid = puzzle.clone();
        grid.set(cell, Some(others[rng.below(others.len())]));
        if reference::solve(&grid).is_none() {
            found.push(grid);
        }
    }
    assert_eq!(found.len(), count);
    found
}

/// Every `step`-th puzzle of an outside corpus.
fn corpus(name: &str, step: usize) -> Vec<Grid> {
    listed(&corpora::path("puzzles").join(name), step)
}

/// Every `step`-th puzzle of a file of the repository.
fn own(name: &str, step: usize) -> Vec<Grid> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
    listed(&folder.join(name), step)
}

fn listed(path: &Path, step: usize) -> Vec<Grid> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .step_by(step)
        .map(|line| line.parse().unwrap())
        .collect()
}

#[track_caller]
fn agrees(encoding: Encoding, puzzle: &Grid, limit: usize) {
    let mut run = Run::limit(limit as u64);
    let outcome = engine(encoding).solve(puzzle, &mut run).unwrap();
    let expected = Native.solve(puzzle, &mut Run::limit(limit as u64)).unwrap();
    assert_eq!(outcome.end, expected.end, "{encoding}: {puzzle}");
    assert_eq!(
        outcome.answers.len(),
        expected.answers.len(),
        "{encoding}: {puzzle}"
    );
    for solution in &outcome.answers {
        verify(puzzle, solution).unwrap();
    }
    let distinct: HashSet<&Grid> = outcome.answers.iter().collect();
    assert_eq!(distinct.len(), outcome.answers.len());
    if outcome.end == End::Exhausted {
        let expected: HashSet<&Grid> = expected.answers.iter().collect();
        assert_eq!(distinct, expected, "{encoding}: {puzzle}");
    }
}

#[test]
fn clause_counts_are_those_of_the_papers() {
    let puzzle: Grid =
        "345.....861..8354979..45..6...157.......649...719..4....9.2.6.4.5..1....2.6...3.."
            .parse()
            .unwrap();
    let clues = puzzle.clue_count();
    let size = |family, grid: &Grid| {
        let encoded = Encoding::plain(family).say(grid);
        (encoded.cnf.vars(), encoded.cnf.len())
    };
    assert_eq!(size(Family::Minimal, &puzzle), (729, 8_829 + clues));
    assert_eq!(size(Family::Extended, &puzzle), (729, 11_988 + clues));
    let (variables, clauses) = size(Family::Optimised, &puzzle);
    assert!(
        variables < 729 / 3 && clauses < 11_988 / 8,
        "{variables}, {clauses}"
    );
    let (fewer, _) = size(Family::Propagated, &puzzle);
    assert!(fewer < variables);
}

#[test]
fn every_encoding_counts_what_the_reference_counts_on_small_boards() {
    let mut rng = Rng::new(3);
    for shape in [Shape::Two, Shape::TwoByThree] {
        for seed in 0..12 {
            let mut puzzle = masked(shape, 60, seed);
            if seed % 3 == 0 {
                // One digit changed: often no solution, sometimes another.
                let clues: Vec<_> = puzzle.clues().collect();
                let (cell, _) = clues[rng.below(clues.len())];
                puzzle.set(cell, shape.digits().nth(rng.below(shape.side())));
            }
            let expected = reference::solutions(&puzzle, 200);
            let expected: HashSet<&Grid> = expected.iter().collect();
            for encoding in Encoding::all() {
                let outcome = engine(encoding)
                    .solve(&puzzle, &mut Run::limit(200))
                    .unwrap();
                let found: HashSet<&Grid> = outcome.answers.iter().collect();
                assert_eq!(found.len(), outcome.answers.len());
                assert_eq!(found, expected, "{encoding}: {puzzle}");
            }
        }
    }
}

#[test]
fn every_encoding_agrees_with_native_on_ordinary_boards() {
    for encoding in Encoding::all() {
        for puzzle in puzzles(Shape::Three, Level::Hard, 6) {
            agrees(encoding, &puzzle, 2);
        }
        agrees(encoding, &mutilated(1)[0], 2);
        agrees(encoding, &masked(Shape::Three, 72, 9), 40);
    }
}

#[test]
fn the_puzzles_of_the_repository_agree_with_native() {
    for (name, step) in [
        ("easy.txt", 50),
        ("minimal.txt", 25),
        ("several.txt", 25),
        ("4x4.txt", 5),
        ("6x6.txt", 5),
    ] {
        for puzzle in own(name, step) {
            agrees(Encoding::default(), &puzzle, 2);
        }
    }
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn the_corpora_agree_with_native() {
    let default = Encoding::default();
    for (name, step) in [
        ("kaggle.txt", 40),
        ("minimal.txt", 80),
        ("clue17.txt", 400),
        ("top1465.txt", 40),
        ("hardest11.txt", 400),
        ("hardest1106.txt", 20),
        ("multi2.txt", 80),
        ("invalid.txt", 80),
        ("top95.txt", 5),
        ("euler50.txt", 5),
    ] {
        for puzzle in corpus(name, step) {
            agrees(default, &puzzle, 2);
        }
    }
}

#[test]
fn many_solutions_are_counted_up_to_a_thousand() {
    for puzzle in own("easy.txt", 100) {
        let mut open = puzzle.clone();
        for (cell, _) in puzzle.clues().step_by(3) {
            open.set(cell, None);
        }
        agrees(Encoding::default(), &open, 1000);
    }
    agrees(Encoding::default(), &masked(Shape::Three, 70, 4), 1000);
    agrees(Encoding::default(), &Grid::empty(Shape::Two), 1000);
}

#[test]
fn a_large_newspaper_puzzle_is_decided() {
    for shape in [Shape::Four, Shape::Five] {
        let puzzle = masked(shape, 50, 1);
        let mut run = Run::limit(2).with_nodes(200_000);
        let outcome = engine(Encoding::default())
            .solve(&puzzle, &mut run)
            .unwrap();
        assert!(
            matches!(outcome.end, End::Exhausted | End::Enough),
            "{:?}",
            outcome.end
        );
        for solution in &outcome.answers {
            verify(&puzzle, solution).unwrap();
        }
    }
}

#[test]
fn contradicting_clues_are_refuted_by_every_encoding() {
    // Two equal clues in a row; and a cell that no digit fits.
    for text in [
        "11..............",
        "12..34..........4..............."[..16].as_ref(),
        "123....4........",
    ] {
        let puzzle: Grid = text.parse().unwrap();
        let expected = reference::solutions(&puzzle, 2).len();
        for encoding in Encoding::all() {
            let outcome = engine(encoding).solve(&puzzle, &mut Run::limit(2)).unwrap();
            assert_eq!(outcome.answers.len(), expected, "{encoding}: {text}");
        }
    }
}

#[test]
fn a_node_budget_stops_the_engine() {
    let puzzle = masked(Shape::Five, 80, 2);
    let outcome = engine(Encoding::plain(Family::Minimal))
        .solve(&puzzle, &mut Run::limit(2).with_nodes(5))
        .unwrap();
    assert_eq!(outcome.end, End::Stopped(Stop::Nodes));
}

#[test]
fn variables_mean_what_the_legend_says() {
    let puzzle = &puzzles(Shape::Three, Level::Easy, 1)[0];
    for encoding in Encoding::all() {
        let encoded = encoding.say(puzzle);
        for cell in puzzle.shape().all_cells() {
            for digit in puzzle.shape().digits() {
                if let Some(lit) = encoded.lit(cell, digit) {
                    assert_eq!(encoded.meaning(lit.var()), Some((cell, digit)));
                }
            }
        }
        let decided = encoded
            .legend()
            .filter(|line| line.contains("decided"))
            .count();
        assert_eq!(encoded.legend().count() - decided, encoded.cnf.vars());
    }
}

#[test]
fn encodings_are_read_as_they_are_written() {
    for encoding in Encoding::all() {
        assert_eq!(encoding.to_string().parse(), Ok(encoding));
    }
    assert!("maximal".parse::<Encoding>().is_err());
    assert!("minimal:guess".parse::<Encoding>().is_err());
}

fn certificate(puzzle: &Grid, encoding: Encoding) -> Certificate {
    match prove::prove(puzzle, encoding, &mut Run::limit(1)).unwrap() {
        ProofFinding::Proved(certificate) => certificate,
        ProofFinding::Several(_) => panic!("{puzzle} has several solutions"),
    }
}

fn formula(certificate: &Certificate) -> Cnf {
    dimacs::read(&certificate.formula[..], dimacs::Cap::default()).unwrap()
}

/// The formula with its last clause left out.
fn without_last(cnf: &Cnf) -> Cnf {
    let mut rest = Cnf::new();
    for clause in cnf.clauses().take(cnf.len() - 1) {
        rest.add(clause.iter().copied());
    }
    rest
}

/// Unsolvable puzzles and uniquely solvable ones, `count` together.
fn provable(count: usize) -> Vec<Grid> {
    let mut grids = mutilated(count / 2);
    grids.extend(own("minimal.txt", 1_000 / (count / 4)));
    let unique = puzzles(Shape::Three, Level::Hard, count as u64);
    grids.extend(unique);
    grids.truncate(count);
    grids
}

#[test]
fn two_hundred_proofs_are_accepted() {
    let mut lemmas = 0;
    for (nth, puzzle) in provable(200).iter().enumerate() {
        // Every encoding takes its turn; most proofs are of the plain one.
        let encoding = match nth % 4 {
            0 => Encoding::all().nth(nth / 4 % 16).unwrap(),
            _ => prove::ENCODING,
        };
        let certificate = certificate(puzzle, encoding);
        assert_eq!(certificate.solution, reference::solve(puzzle));
        let cnf = formula(&certificate);
        let run = || Run::limit(1);
        lemmas += check::drat(&cnf, &certificate.drat[..], &mut run())
            .unwrap()
            .rup;
        check::lrat(&cnf, &certificate.lrat[..], &mut run()).unwrap();
    }
    assert!(lemmas > 2_000, "{lemmas} lemmas: too few to test anything");
}

/// With the feature `cadical` that is CaDiCaL too, whose proofs are its own.
#[test]
fn every_prover_of_the_build_is_accepted() {
    for prover in prove::Prover::ALL {
        assert_eq!(prover.to_string().parse(), Ok(*prover));
        for puzzle in provable(12) {
            let run = &mut Run::limit(1);
            let found = prove::prove_by(*prover, &puzzle, prove::ENCODING, run).unwrap();
            let ProofFinding::Proved(certificate) = found else {
                panic!("{puzzle} has several solutions");
            };
            let cnf = formula(&certificate);
            check::drat(&cnf, &certificate.drat[..], run).unwrap();
            check::lrat(&cnf, &certificate.lrat[..], run).unwrap();
        }
    }
}

#[test]
fn fifty_corrupted_proofs_are_rejected() {
    let mut rejected = 0;
    let run = || Run::limit(1);
    let mut reject = |cnf: &Cnf, drat: &[u8], lrat: &[u8], how: &str| {
        assert!(check::drat(cnf, drat, &mut run()).is_err(), "{how}");
        assert!(check::lrat(cnf, lrat, &mut run()).is_err(), "{how}");
        rejected += 1;
    };
    let lines = |proof: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(proof)
            .lines()
            .map(str::to_string)
            .collect()
    };
    for puzzle in puzzles(Shape::Three, Level::Hard, 60) {
        let certificate = certificate(&puzzle, prove::ENCODING);
        let cnf = formula(&certificate);
        let (drat, lrat) = (lines(&certificate.drat), lines(&certificate.lrat));
        let lemma = |line: &&String| !line.contains('d');
        if drat.iter().filter(lemma).count() < 20 {
            continue; // propagation alone finds most of it: nothing to corrupt
        }
        // Put before the formula that has a solution.
        let solvable = without_last(&cnf);
        reject(&solvable, &certificate.drat, &certificate.lrat, "solvable");
        // Without its last line, cut off, and with nothing but its last line.
        let cut = |lines: &[String]| lines[..lines.len() - 1].join("\n").into_bytes();
        reject(&cnf, &cut(&drat), &cut(&lrat), "no conclusion");
        let half = |proof: &[u8]| proof[..proof.len() / 2].to_vec();
        reject(
            &cnf,
            &half(&certificate.drat),
            &half(&certificate.lrat),
            "half",
        );
        let last = |lines: &[String]| lines.last().unwrap().clone().into_bytes();
        if check::drat(&cnf, &b"0\n"[..], &mut run()).is_err() {
            reject(&cnf, &last(&drat), &last(&lrat), "conclusion only");
        }
        // With a literal that is not there.
        let with = |lines: &[String]| format!("{}\n1 2 x 0\n", lines[0]).into_bytes();
        reject(&cnf, &with(&drat), &with(&lrat), "not a number");
    }
    assert!(rejected >= 50, "only {rejected}");
}

/// A flipped literal makes most lemmas wrong. Some still follow, which is no
/// fault of the judge; but in LRAT, where the hints are fixed, hardly any does.
#[test]
fn flipped_literals_are_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for puzzle in puzzles(Shape::Three, Level::Hard, 10) {
        let certificate = certificate(&puzzle, prove::ENCODING);
        let cnf = formula(&certificate);
        let text = String::from_utf8_lossy(&certificate.lrat).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        for nth in (0..lines.len() - 1).step_by(1 + lines.len() / 10) {
            let mut words: Vec<String> = lines[nth].split(' ').map(str::to_string).collect();
            if words[1] == "d" || words[1] == "0" {
                continue;
            }
            words[1] = match words[1].strip_prefix('-') {
                Some(positive) => positive.to_string(),
                None => format!("-{}", words[1]),
            };
            let flipped = words.join(" ");
            let mut proof = lines.clone();
            proof[nth] = &flipped;
            tried += 1;
            let judged = check::lrat(&cnf, proof.join("\n").as_bytes(), &mut Run::limit(1));
            noticed += u32::from(judged.is_err());
        }
    }
    assert!(
        tried >= 30 && noticed * 10 >= tried * 9,
        "{noticed} of {tried}"
    );
}

#[test]
fn several_solutions_prove_themselves() {
    let puzzle = masked(Shape::Three, 70, 4);
    let Ok(ProofFinding::Several([one, other])) =
        prove::prove(&puzzle, prove::ENCODING, &mut Run::limit(1))
    else {
        panic!("one solution");
    };
    assert_ne!(one, other);
    verify(&puzzle, &one).unwrap();
    verify(&puzzle, &other).unwrap();
}

#[test]
fn the_core_of_an_unsolvable_puzzle_is_minimal() {
    check_cores(&mutilated(6));
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn the_core_of_an_unsolvable_puzzle_of_the_corpora_is_minimal() {
    check_cores(&corpus("invalid.txt", 1_000));
}

#[track_caller]
fn check_cores(grids: &[Grid]) {
    // Few clues that contradict each other far apart are hard for a search
    // that cannot learn; then a checked proof is the judge.
    let solvable = |grid: &Grid| {
        let mut run = Run::limit(1).with_nodes(20_000);
        let outcome = Native.solve(grid, &mut run).unwrap();
        match outcome.end {
            End::Stopped(_) => match prove::prove(grid, prove::ENCODING, &mut Run::limit(1)) {
                Ok(ProofFinding::Proved(certificate)) => certificate.solution.is_some(),
                Ok(ProofFinding::Several(_)) => true,
                Err(failed) => panic!("{grid}: {failed}"),
            },
            _ => !outcome.answers.is_empty(),
        }
    };
    for puzzle in grids {
        let core = clues::contradiction(puzzle, &mut Run::limit(1)).unwrap();
        let Some(core) = core else {
            assert!(solvable(puzzle), "{puzzle} has no solution, and no core");
            continue;
        };
        assert!(
            core.clues()
                .all(|(cell, digit)| puzzle.get(cell) == Some(digit))
        );
        assert!(!solvable(&core), "{puzzle}: the core {core} has a solution");
        for (cell, _) in core.clues() {
            let mut fewer = core.clone();
            fewer.set(cell, None);
            assert!(solvable(&fewer), "{puzzle}: {core} is not minimal");
        }
    }
}

#[test]
fn a_solvable_puzzle_has_no_core() {
    let puzzle = &puzzles(Shape::Three, Level::Easy, 1)[0];
    assert_eq!(clues::contradiction(puzzle, &mut Run::limit(1)), Ok(None));
}

#[test]
fn forced_cells_are_those_all_solutions_share() {
    let mut partly = 0;
    for seed in 0..40 {
        let shape = [Shape::Two, Shape::TwoByThree, Shape::Three][seed as usize % 3];
        let puzzle = masked(shape, 62, seed);
        let solutions = reference::solutions(&puzzle, 3_000);
        if solutions.len() == 3_000 {
            continue;
        }
        let forced = clues::forced(&puzzle, &mut Run::limit(1)).unwrap().unwrap();
        for cell in shape.all_cells() {
            let first = solutions[0].get(cell);
            let shared = solutions.iter().all(|solution| solution.get(cell) == first);
            assert_eq!(forced.get(cell), first.filter(|_| shared), "{puzzle}");
        }
        partly += usize::from(solutions.len() > 1);
    }
    assert!(partly >= 5, "{partly}");
    let unsolvable: Grid = "11..............".parse().unwrap();
    assert_eq!(clues::forced(&unsolvable, &mut Run::limit(1)), Ok(None));
}

#[test]
fn the_blocking_clause_forbids_one_solution_only() {
    let puzzle = masked(Shape::Two, 60, 3);
    let solutions = reference::solutions(&puzzle, 1000);
    for encoding in Encoding::all() {
        let encoded = encoding.say(&puzzle);
        let clause: Vec<Lit> = encoded.other_than(&solutions[0]);
        for solution in &solutions {
            let holds = |lit: &Lit| {
                let (cell, digit) = encoded.meaning(lit.var()).unwrap();
                (solution.get(cell) == Some(digit)) == lit.is_positive()
            };
            assert_eq!(
                clause.iter().any(holds),
                *solution != solutions[0],
                "{encoding}"
            );
        }
    }
}
