//! One solution always, the clues asked for, and nothing favoured.

use planoku_engine::{Cancel, Engine, Run, Stop};

use super::*;
use crate::native::Native;
use crate::{Digit, reference, verify};

fn make(recipe: &PuzzleRecipe, index: u64) -> Grid {
    recipe.make(7, index, &mut Run::limit(1)).unwrap()
}

fn solutions(puzzle: &Grid) -> usize {
    let outcome = Native.solve(puzzle, &mut Run::limit(2)).unwrap();
    outcome.answers.len()
}

#[track_caller]
fn check(recipe: &PuzzleRecipe, index: u64) {
    let puzzle = make(recipe, index);
    assert!(recipe.clues.contains(&puzzle.clue_count()), "{puzzle}");
    assert_eq!(solutions(&puzzle), 1, "{puzzle}");
    if recipe.shape.side() <= 9 {
        assert_eq!(reference::solutions(&puzzle, 2).len(), 1, "{puzzle}");
    }
    for (cell, _) in puzzle.clues() {
        let image = recipe.symmetry.image(recipe.shape, cell);
        assert!(puzzle.get(image).is_some(), "{puzzle} is not symmetric");
        if recipe.minimal {
            let mut without = puzzle.clone();
            without.set(cell, None);
            assert_eq!(solutions(&without), 2, "{puzzle}: {cell:?} is not needed");
        }
    }
}

#[test]
fn every_level_has_its_clues_and_one_solution() {
    for shape in [Shape::Two, Shape::TwoByThree, Shape::Three] {
        for level in Level::ALL {
            for index in 0..5 {
                check(&PuzzleRecipe::for_level(level, shape), index);
            }
        }
    }
    for level in [Level::Easy, Level::Medium] {
        check(&PuzzleRecipe::for_level(level, Shape::Four), 0);
    }
}

#[test]
fn minimal_puzzles_need_every_clue() {
    for shape in [Shape::Two, Shape::TwoByThree, Shape::Three] {
        for index in 0..8 {
            check(&PuzzleRecipe::minimal(shape), index);
        }
    }
}

#[test]
fn symmetric_puzzles_are_symmetric() {
    for shape in [Shape::Two, Shape::TwoByThree, Shape::Three] {
        for symmetry in PatternSymmetry::ALL {
            for minimal in [false, true] {
                let clues = match minimal {
                    true => 0..=shape.cells(),
                    false => shape.cells() * 2 / 5..=shape.cells() / 2,
                };
                let recipe = PuzzleRecipe {
                    shape,
                    clues,
                    minimal,
                    symmetry,
                };
                check(&recipe, 1);
            }
        }
    }
}

#[test]
fn digging_by_groups_gives_the_puzzle_of_digging_cell_by_cell() {
    for index in 0..5 {
        let rng = &mut Rng::stream(11, index);
        let solution = full_grid(Shape::Three, rng, &mut Run::limit(1)).unwrap();
        let recipe = PuzzleRecipe::minimal(Shape::Three);
        let groups = Dig::new(&recipe, solution.clone(), &mut rng.clone());
        let groups = groups.finish(&mut Run::limit(1));
        let mut cells = PatternSymmetry::None.orbits(Shape::Three).to_vec();
        rng.shuffle(&mut cells);
        let mut puzzle = solution.clone();
        for cell in cells.into_iter().flatten() {
            puzzle.set(cell, None);
            if solutions(&puzzle) > 1 {
                puzzle.set(cell, solution.get(cell));
            }
        }
        assert_eq!(groups.unwrap(), Some(puzzle));
    }
}

#[test]
fn impossible_wishes_are_refused_with_the_reason() {
    let wish = |clues, symmetry| PuzzleRecipe {
        clues,
        symmetry,
        ..PuzzleRecipe::minimal(Shape::Three)
    };
    let refused = |recipe: PuzzleRecipe| recipe.check().unwrap_err().to_string();
    assert!(refused(wish(5..=5, PatternSymmetry::None)).contains("fewer than 17 clues"));
    assert!(refused(wish(82..=90, PatternSymmetry::None)).contains("81 cells"));
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = 30..=20;
    assert!(refused(wish(backwards, PatternSymmetry::None)).contains("empty"));
    assert!(refused(wish(26..=27, PatternSymmetry::Rotation90)).contains("rotation90"));
    assert_eq!(wish(17..=17, PatternSymmetry::None).check(), Ok(()));
    assert_eq!(wish(28..=28, PatternSymmetry::Rotation90).check(), Ok(()));
}

#[test]
fn a_pressed_switch_ends_the_making() {
    let cancel = Cancel::new();
    cancel.cancel();
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    let made = recipe.make(7, 0, &mut Run::limit(1).with_cancel(cancel));
    assert_eq!(made, Err(Stop::Cancelled));
}

#[test]
fn a_wish_that_is_never_met_ends_with_its_budget() {
    let recipe = PuzzleRecipe {
        clues: 17..=17,
        ..PuzzleRecipe::minimal(Shape::Three)
    };
    let made = recipe.make(7, 0, &mut Run::limit(1).with_nodes(2_000));
    assert_eq!(made, Err(Stop::Nodes));
}

#[test]
fn full_grids_keep_the_rules_on_every_size() {
    for shape in Shape::ALL {
        for seed in 0..3 {
            let grid = full_grid(shape, &mut Rng::new(seed), &mut Run::limit(1)).unwrap();
            assert_eq!(verify(&Grid::empty(shape), &grid), Ok(()));
        }
    }
}

#[test]
fn all_288_grids_of_the_smallest_board_are_equally_likely() {
    let rng = &mut Rng::new(5);
    let mut seen = std::collections::HashMap::new();
    let draws = 288 * 20;
    for _ in 0..draws {
        let grid = full_grid(Shape::Two, rng, &mut Run::limit(1)).unwrap();
        *seen.entry(grid).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 288);
    // Chi-square with 287 degrees of freedom: mean 287, deviation 24.
    let chi: f64 = seen
        .values()
        .map(|count| f64::from(count - 20).powi(2) / 20.0)
        .sum();
    assert!((190.0..390.0).contains(&chi), "{chi}");
}

#[test]
fn no_cell_digit_or_band_pattern_is_favoured() {
    let rng = &mut Rng::new(6);
    let draws = 4_000;
    let mut holds = [[0u32; 9]; 81];
    let mut pure = 0;
    for _ in 0..draws {
        let grid = full_grid(Shape::Three, rng, &mut Run::limit(1)).unwrap();
        for (cell, digit) in grid.clues() {
            holds[cell.index()][digit.index()] += 1;
        }
        pure += pure_lines(&grid);
    }
    // Every cell holds every digit equally often: chi-square, 8 degrees of
    // freedom each, 81 cells, not independent: mean 648.
    let expected = f64::from(draws) / 9.0;
    let chi: f64 = holds
        .iter()
        .flatten()
        .map(|count| (f64::from(*count) - expected).powi(2) / expected)
        .sum();
    assert!((540.0..760.0).contains(&chi), "{chi}");
    // Of the 56 ways in which two neighbouring boxes share out their digits
    // two are pure (each minirow's three digits stay together), and the others
    // have as many completions, to a hundredth or so. Without stirring the
    // share is 0.043.
    let share = f64::from(pure) / f64::from(draws * 18);
    assert!((0.0325..0.0400).contains(&share), "{share}");
}

/// In how many of the 18 pairs (first box of a band or stack, another box of
/// it) the digits of a minirow or minicolumn stay together.
fn pure_lines(grid: &Grid) -> u32 {
    let set = |cells: [(usize, usize); 3]| {
        cells.iter().fold(0u32, |all, &(row, column)| {
            let digit = grid.get(Shape::Three.cell(row, column));
            all | 1 << digit.map_or(0, Digit::index)
        })
    };
    let mut pure = 0;
    for upright in [false, true] {
        let line = |across: usize, along: usize| {
            set([0, 1, 2].map(|nth| match upright {
                false => (across, 3 * along + nth),
                true => (3 * along + nth, across),
            }))
        };
        for band in 0..3 {
            let lines = |along| [0, 1, 2].map(|nth| line(3 * band + nth, along));
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let (first, second) = (lines(a), lines(b));
                pure += u32::from(first.iter().all(|set| second.contains(set)));
            }
        }
    }
    pure
}

#[test]
fn many_at_once_are_the_same_puzzles() {
    let recipes = [
        (PuzzleRecipe::minimal(Shape::Three), 1100),
        (PuzzleRecipe::for_level(Level::Easy, Shape::Three), 80),
        (PuzzleRecipe::for_level(Level::Crazy, Shape::Three), 80),
        (PuzzleRecipe::for_level(Level::Hard, Shape::Two), 20),
        (
            PuzzleRecipe {
                symmetry: PatternSymmetry::Rotation180,
                ..PuzzleRecipe::minimal(Shape::Three)
            },
            40,
        ),
    ];
    for (recipe, count) in recipes {
        let many = recipe.make_many(7, 5..5 + count, &mut Run::limit(1));
        assert_eq!(many.len() as u64, count);
        for (index, puzzle) in (5..).zip(many).step_by(count as usize / 20) {
            assert_eq!(puzzle.unwrap(), make(&recipe, index), "{recipe:?}");
        }
    }
}

#[test]
fn a_budget_stops_many_at_once() {
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    let many = recipe.make_many(7, 0..50, &mut Run::limit(1).with_nodes(500));
    assert_eq!(many.len(), 50);
    assert!(many.contains(&Err(Stop::Nodes)));
}
