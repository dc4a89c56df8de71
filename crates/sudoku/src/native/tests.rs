//! Native against the reference, on puzzles whole and mutilated.

use planoku_engine::{End, Engine, Run, Stop};

use super::*;
use crate::{reference, verify};

/// Up to `limit` solutions by every path there is; all must agree with the
/// reference, as sets.
#[track_caller]
fn check(puzzle: &Grid, limit: usize) -> usize {
    let mut expected = reference::solutions(puzzle, limit);
    expected.sort();
    for (path, mut found) in all_paths(puzzle, limit as u64) {
        for solution in &found {
            assert_eq!(verify(puzzle, solution), Ok(()), "{path}: {puzzle}");
        }
        assert_eq!(found.len(), expected.len(), "{path}: {puzzle}");
        found.sort();
        found.dedup();
        assert_eq!(
            found.len(),
            expected.len(),
            "{path} repeats itself: {puzzle}"
        );
        if found.len() < limit {
            assert_eq!(found, expected, "{path}: {puzzle}");
        }
    }
    expected.len()
}

fn all_paths(puzzle: &Grid, limit: u64) -> Vec<(&'static str, Vec<Grid>)> {
    let outcome = Native.solve(puzzle, &mut Run::limit(limit)).unwrap();
    let expected_end = match outcome.answers.len() as u64 {
        found if found == limit => End::Enough,
        _ => End::Exhausted,
    };
    assert_eq!(outcome.end, expected_end, "{puzzle}");
    let general = Run::limit(limit)
        .collect(|run, found| general::search(Question::new(puzzle), run, |grid| found.push(grid)))
        .unwrap();
    let mut paths = vec![("engine", outcome.answers), ("general", general.answers)];
    if let Some(cells) = to_cells(puzzle) {
        let plain = Run::limit(limit).collect(|run, found| {
            let barred = None;
            nine::search_plain(&cells, &mut Collector { run, found, barred })
        });
        paths.push(("plain", plain.unwrap().answers));
        for isa in Isa::available() {
            let outcome = Run::limit(limit).collect(|run, found| {
                let barred = None;
                nine::search(&cells, isa, &mut Collector { run, found, barred })
            });
            paths.push((isa.name(), outcome.unwrap().answers));
        }
    }
    paths
}

/// A random full board: a regular one, with digits, rows and columns
/// exchanged where that does no harm.
fn full_board(shape: Shape, rng: &mut Rng) -> Grid {
    let (side, rows, columns) = (shape.side(), shape.box_rows(), shape.box_columns());
    let mut digits: Vec<Digit> = shape.digits().collect();
    rng.shuffle(&mut digits);
    let mut shuffled_lines = |group: usize| -> Vec<usize> {
        let mut groups: Vec<Vec<usize>> = (0..side / group)
            .map(|first| (first * group..(first + 1) * group).collect())
            .collect();
        rng.shuffle(&mut groups);
        groups.iter_mut().for_each(|lines| rng.shuffle(lines));
        groups.concat()
    };
    let (row_order, column_order) = (shuffled_lines(rows), shuffled_lines(columns));
    let mut grid = Grid::empty(shape);
    for cell in shape.all_cells() {
        let (row, column) = (row_order[shape.row(cell)], column_order[shape.column(cell)]);
        let digit = (columns * (row % rows) + row / rows + column) % side;
        grid.set(cell, Some(digits[digit]));
    }
    grid
}

fn remove(grid: &mut Grid, keep: usize, rng: &mut Rng) {
    let mut cells: Vec<Cell> = grid.clues().map(|(cell, _)| cell).collect();
    rng.shuffle(&mut cells);
    for cell in cells.into_iter().skip(keep) {
        grid.set(cell, None);
    }
}

/// Writes a random digit into a random cell.
fn mutilate(grid: &mut Grid, rng: &mut Rng) {
    let cell = Cell::new(rng.below(grid.shape().cells()));
    let digit = Digit::new(rng.below(grid.shape().side()) as u8 + 1);
    grid.set(cell, digit);
}

#[test]
fn the_puzzle_on_the_slides_has_five_solutions() {
    let slides =
        "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....";
    assert_eq!(check(&slides.parse().unwrap(), 100), 5);
}

#[test]
fn native_agrees_with_the_reference_on_every_size() {
    // Size, clues kept at least, clues kept at most, puzzles.
    let plan = [
        (Shape::Two, 0, 12, 200),
        (Shape::TwoByThree, 6, 30, 120),
        (Shape::Three, 24, 50, 150),
        (Shape::Four, 140, 220, 12),
        (Shape::Five, 470, 600, 4),
    ];
    let mut rng = Rng::new(2);
    let mut by_count = [0; 3];
    for (shape, least, most, puzzles) in plan {
        for nth in 0..puzzles {
            let mut puzzle = full_board(shape, &mut rng);
            let keep = least + rng.below(most - least + 1);
            remove(&mut puzzle, keep, &mut rng);
            for _ in 0..nth % 3 {
                mutilate(&mut puzzle, &mut rng);
            }
            by_count[check(&puzzle, 20).min(2)] += 1;
        }
    }
    assert!(by_count.iter().all(|seen| *seen > 50), "{by_count:?}");
}

#[test]
fn the_empty_board_of_four_has_288_solutions() {
    assert_eq!(check(&Grid::empty(Shape::Two), 1000), 288);
}

#[test]
fn empty_boards_have_solutions_of_every_size() {
    for shape in Shape::ALL {
        let run = &mut Run::limit(2).with_nodes(20_000);
        let outcome = Native.solve(&Grid::empty(shape), run).unwrap();
        assert_eq!(outcome.end, End::Enough, "{shape}");
    }
}

#[test]
fn full_boards_are_their_own_solution_and_one_node() {
    let mut rng = Rng::new(3);
    for shape in Shape::ALL {
        let full = full_board(shape, &mut rng);
        let outcome = Native.solve(&full, &mut Run::all()).unwrap();
        assert_eq!(outcome.answers, [full], "{shape}");
        assert_eq!(outcome.stats.nodes, 1, "{shape}");
    }
}

#[test]
fn a_node_budget_stops_the_search() {
    for shape in [Shape::Three, Shape::Four] {
        let run = &mut Run::all().with_nodes(10);
        let outcome = Native.solve(&Grid::empty(shape), run).unwrap();
        assert_eq!(outcome.end, End::Stopped(Stop::Nodes));
    }
}

#[test]
fn counting_stops_at_the_limit() {
    assert_eq!(count(&[0; 81], 1000), 1000);
    assert_eq!(count(&[0; 81], 0), 0);
    let full = full_board(Shape::Three, &mut Rng::new(4));
    assert_eq!(count(&to_cells(&full).unwrap(), 2), 1);
}

#[test]
fn a_sample_of_our_own_puzzles_is_counted_as_the_reference_does() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
    assert!(check_folder(&folder) >= 30);
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn a_sample_of_every_corpus_is_counted_as_the_reference_does() {
    assert!(check_folder(&corpora::path("puzzles")) >= 80);
}

#[path = "../../../../tests/corpora.rs"]
mod corpora;

/// A few puzzles of each file in a folder; returns how many.
fn check_folder(folder: &std::path::Path) -> usize {
    let mut checked = 0;
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        // Boards of nine; the reference takes its time on larger ones.
        let lines = text.lines().filter(|line| (81..256).contains(&line.len()));
        let lines: Vec<&str> = lines.collect();
        for line in lines.iter().step_by(lines.len() / 12 + 1) {
            if let Some(puzzle) = line.get(..81).and_then(|cells| cells.parse().ok()) {
                check(&puzzle, 2);
                checked += 1;
            }
        }
    }
    checked
}

/// Puzzles of every kind: whole, robbed, mutilated, empty, full.
fn mixture(count: usize, seed: u64) -> Vec<Cells> {
    let mut rng = Rng::new(seed);
    let make = |nth: usize| {
        let mut puzzle = full_board(Shape::Three, &mut rng);
        let keep = [81, 50, 35, 30, 28, 26, 24][nth % 7];
        remove(&mut puzzle, keep, &mut rng);
        for _ in 0..nth % 3 {
            mutilate(&mut puzzle, &mut rng);
        }
        to_cells(&puzzle).expect("a 9x9 board")
    };
    (0..count).map(make).collect()
}

/// The batch engine must say what the single one says, and show a solution.
#[track_caller]
fn check_batch(puzzles: &[Cells], limit: u64) {
    let mut answers = vec![NativeAnswer::default(); puzzles.len()];
    Batch::plain().solve(puzzles, limit, &mut answers);
    let mut paths = vec![("plain", answers)];
    for isa in Isa::available() {
        paths.push((isa.name(), solve_batch(puzzles, limit, isa)));
    }
    for (path, answers) in paths {
        for (puzzle, answer) in puzzles.iter().zip(&answers) {
            let alone = solve_cells(puzzle, limit, Isa::Portable);
            assert_eq!(answer.count, alone.count, "{path}: {puzzle:?}");
            assert_eq!(answer.first.is_some(), answer.count > 0, "{puzzle:?}");
            assert_eq!(answer.nodes > 0, limit > 0, "{puzzle:?}");
            if let Some(first) = &answer.first {
                let (puzzle, first) = (from_cells(puzzle).unwrap(), from_cells(first).unwrap());
                assert_eq!(verify(&puzzle, &first), Ok(()), "{path}: {puzzle}");
            }
        }
    }
}

#[test]
fn a_processor_that_knows_instructions_knows_the_lesser_ones() {
    let names: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
    println!("this processor: {}", names.join(", "));
    let ladders: [&[&str]; 4] = [
        &["portable"],
        &["portable", "avx2"],
        &["portable", "avx2", "avx512", "avx512-wide"],
        &["portable", "avx2", "avx512-wide", "avx512"],
    ];
    assert!(ladders.contains(&&names[..]), "{names:?}");
    assert_eq!(names.last(), Some(&Isa::best().name()));
}

/// Those who only count may search in any order, two boards at once if there is
/// room; nothing is counted twice or left out.
#[test]
fn counting_finds_as_many_by_every_path() {
    let mut puzzles = mixture(300, 10);
    puzzles.push([0; 81]);
    for limit in [1, 2, 3, 20, 500] {
        for puzzle in &puzzles {
            let mut expected = Counter::new(limit, None);
            let _ = nine::search_plain(puzzle, &mut expected);
            for isa in Isa::available() {
                let answer = solve_cells(puzzle, limit, isa);
                assert_eq!(answer.count, expected.answer.count, "{isa:?}: {puzzle:?}");
                assert_eq!(answer.first.is_some(), answer.count > 0, "{puzzle:?}");
                if let Some(first) = &answer.first {
                    assert!(crate::verify_cells(puzzle, first), "{isa:?}: {puzzle:?}");
                }
            }
        }
    }
}

#[test]
fn a_batch_of_any_size_answers_like_the_single_engine() {
    let puzzles = mixture(1500, 5);
    for size in [0, 1, 31, 63, 64, 65, 255, 256, 257, 300, 513, 1500] {
        check_batch(&puzzles[..size], 2);
    }
}

#[test]
fn a_batch_counts_up_to_any_limit() {
    let puzzles = mixture(400, 6);
    for limit in [0, 1, 2, 3, 10, 100] {
        check_batch(&puzzles, limit);
    }
    check_batch(&[[0; 81]; 300], 7);
}

#[test]
fn a_batch_may_be_used_again() {
    let puzzles = mixture(600, 7);
    let mut batch = Batch::new(Isa::best());
    let mut answers = vec![NativeAnswer::default(); 600];
    batch.solve(&puzzles, 2, &mut answers);
    let first = answers.clone();
    batch.solve(&[[0; 81]; 600], 3, &mut answers);
    assert!(answers.iter().all(|answer| answer.count == 3));
    batch.solve(&puzzles, 2, &mut answers);
    assert_eq!(answers, first);
}

#[test]
fn a_batch_of_questions_answers_like_one_question() {
    let mut rng = Rng::new(8);
    let mut puzzles = mixture(700, 8);
    let mut barred = Vec::new();
    for puzzle in &mut puzzles {
        let cell = rng.below(81);
        let digit = match std::mem::take(&mut puzzle[cell]) {
            0 => rng.below(9) as u8,
            clue => clue - 1,
        };
        barred.push((cell as u8, digit));
    }
    let mut seen = [0; 2];
    for isa in Isa::available() {
        let mut answers = vec![NativeAnswer::default(); puzzles.len()];
        Batch::new(isa).differ(&puzzles, &barred, &mut answers);
        for ((puzzle, &(cell, digit)), answer) in puzzles.iter().zip(&barred).zip(&answers) {
            let (cell, digit) = (Cell::new(cell.into()), Digit::new(digit + 1).unwrap());
            assert_eq!(
                answer.count == 1,
                differs(puzzle, cell, digit),
                "{puzzle:?}"
            );
            seen[answer.count as usize] += 1;
        }
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn a_byte_that_is_no_digit_is_a_blank_to_everyone() {
    let mut puzzles = mixture(100, 9);
    let mut blank = puzzles.clone();
    for (nth, (puzzle, blank)) in puzzles.iter_mut().zip(&mut blank).enumerate() {
        (puzzle[nth % 81], blank[nth % 81]) = ([10, 15, 16, 17, 100, 255][nth % 6], 0);
    }
    for isa in Isa::available() {
        assert_eq!(solve_batch(&puzzles, 2, isa), solve_batch(&blank, 2, isa));
        for (puzzle, blank) in puzzles.iter().zip(&blank) {
            assert_eq!(solve_cells(puzzle, 2, isa), solve_cells(blank, 2, isa));
        }
    }
}

/// Sparse boards that contradict themselves: whoever does not see it at once
/// searches for ever.
#[test]
fn equal_clues_in_a_house_are_refuted_without_a_search() {
    let mut boards: Vec<Cells> = Vec::new();
    for (one, other) in [
        (0, 1),
        (0, 8),
        (3, 75),
        (0, 72),
        (0, 20),
        (60, 80),
        (12, 13),
    ] {
        for digit in [1, 5, 9] {
            let mut board = [0; 81];
            (board[one], board[other]) = (digit, digit);
            boards.push(board);
        }
    }
    let sparse = [
        "............88............9....9..6.......................................2......",
        "....9...7.....2....2.5.........5......8.......4....8.8...........5......3.6......",
        "..............2....5........1....3...............9.4..7..........1...929...8.3...",
    ];
    for board in sparse {
        boards.push(to_cells(&board.parse().unwrap()).unwrap());
    }
    // Enough of them that the batch engine does not leave them to the other.
    let many: Vec<Cells> = boards.iter().cycle().take(300).copied().collect();
    for isa in Isa::available() {
        for answer in solve_batch(&many, 2, isa) {
            assert_eq!((answer.count, answer.nodes), (0, 1), "{}", isa.name());
        }
        for board in &boards {
            let answer = solve_cells(board, 2, isa);
            assert_eq!(answer.count, 0, "{board:?}");
            assert!(answer.nodes < 10, "{}: {} nodes", isa.name(), answer.nodes);
        }
    }
}
