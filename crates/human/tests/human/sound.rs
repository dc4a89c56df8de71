//! No step ever strikes what belongs to the solution.

use planoku_engine::Run;
use planoku_human::{Board, Candidate, Depth, Rater, Step};
use planoku_sudoku::generate::{Level, PuzzleRecipe};
use planoku_sudoku::{Grid, Shape, reference};

#[test]
fn no_step_contradicts_the_solution() {
    let recipes = [
        (PuzzleRecipe::minimal(Shape::Three), 60),
        (PuzzleRecipe::for_level(Level::Hard, Shape::Three), 20),
        (PuzzleRecipe::for_level(Level::Easy, Shape::Three), 10),
    ];
    for (recipe, number) in recipes {
        for index in 0..number {
            let puzzle = recipe.make(17, index, &mut Run::limit(1)).unwrap();
            check(&puzzle);
        }
    }
}

/// Follows the path step by step, with the solution in hand.
fn check(puzzle: &Grid) {
    let solution = reference::solve(puzzle).unwrap();
    let mut rater = Rater::new();
    let mut board = Board::new(puzzle).unwrap();
    while let Some(step) = rater.next(&board, &mut Run::limit(1)).unwrap() {
        check_step(&step, &board, &solution, puzzle);
        board.apply(&step);
    }
    if board.is_solved() {
        assert_eq!(board.grid(), solution);
    }
}

#[track_caller]
fn check_step(step: &Step, board: &Board, solution: &Grid, puzzle: &Grid) {
    let told = format!("{puzzle}: {step}");
    if let Some(Candidate { cell, digit }) = step.placement {
        assert_eq!(solution.get(cell), Some(digit), "{told}");
        assert!(board.candidates(cell).contains(digit), "{told}");
    } else {
        assert!(!step.eliminations.is_empty(), "{told}");
    }
    for Candidate { cell, digit } in &step.eliminations {
        assert_ne!(solution.get(*cell), Some(*digit), "{told}");
        assert!(board.candidates(*cell).contains(*digit), "{told}");
    }
    assert!(step.rating >= step.technique.base(), "{told}");
    for cause in &step.causes {
        let Candidate { cell, digit } = cause.candidate;
        assert!(board.candidates(cell).contains(digit), "{told}");
    }
    assert!(!step.cause_cells().is_empty(), "{told}");
    for depth in [Depth::Technique, Depth::Where, Depth::Everything] {
        assert!(step.hint(depth).ends_with('.'), "{told}");
    }
}
