//! The fast way against the slow one, and against symmetry itself.

use planoku_engine::Run;

use super::{Canonizer, canonical, slow};
use crate::generate::{PuzzleRecipe, full_grid};
use crate::rng::Rng;
use crate::{Grid, Shape, Symmetry, reference};

fn full(shape: Shape, rng: &mut Rng) -> Grid {
    full_grid(shape, rng, &mut Run::limit(1)).unwrap()
}

/// A board with about so many of a hundred cells blank, one solution or many.
fn thinned(full: &Grid, blank: usize, rng: &mut Rng) -> Grid {
    let mut grid = full.clone();
    for cell in full.shape().all_cells() {
        if rng.below(100) < blank {
            grid.set(cell, None);
        }
    }
    grid
}

#[track_caller]
fn check_against_slow(grid: &Grid) {
    let fast = canonical(grid).unwrap();
    let (form, automorphisms) = slow::canonical(grid);
    assert_eq!(fast.form, form, "{grid}");
    assert_eq!(fast.automorphisms, automorphisms, "{grid}");
    assert_eq!(fast.symmetry.apply(grid), form, "{grid}");
}

#[test]
fn small_boards_have_the_form_that_trying_everything_finds() {
    let rng = &mut Rng::new(1);
    for shape in [Shape::Two, Shape::TwoByThree] {
        check_against_slow(&Grid::empty(shape));
        for round in 0..120 {
            let full = full(shape, rng);
            check_against_slow(&full);
            check_against_slow(&thinned(&full, round * 100 / 120, rng));
        }
    }
}

#[test]
fn nine_by_nine_boards_have_the_form_that_trying_everything_finds() {
    let rng = &mut Rng::new(2);
    let full = full(Shape::Three, rng);
    check_against_slow(&full);
    check_against_slow(&thinned(&full, 70, rng));
}

#[test]
#[ignore = "three million arrangements a board; .ci/run has the time"]
fn more_boards_have_the_form_that_trying_everything_finds() {
    let rng = &mut Rng::new(3);
    for blank in [0, 5, 20, 40, 60, 70, 75, 80, 90] {
        let full = full(Shape::Three, rng);
        check_against_slow(&thinned(&full, blank, rng));
    }
    check_against_slow(&MOST_CANONICAL.parse().unwrap());
}

/// The full board with the most automorphisms.
const MOST_CANONICAL: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

#[test]
fn the_best_known_symmetric_boards_have_as_many_automorphisms_as_known() {
    // Of all full 9x9 boards none has more than 648.
    let form = canonical(&MOST_CANONICAL.parse().unwrap()).unwrap();
    assert_eq!(form.automorphisms, 648);
    assert_eq!(form.form.to_string(), MOST_CANONICAL);
    let empty = canonical(&Grid::empty(Shape::Three)).unwrap();
    assert_eq!(empty.automorphisms, 3_359_232 * 362_880);
}

/// Form and number of automorphisms stay, and the form is its own.
#[track_caller]
fn check_invariant(grid: &Grid, times: usize, canonizer: &mut Canonizer, rng: &mut Rng) {
    let first = canonizer.canonical(grid).unwrap();
    assert_eq!(first.symmetry.apply(grid), first.form);
    let again = canonizer.canonical(&first.form).unwrap();
    assert_eq!(again.form, first.form, "not idempotent: {grid}");
    for _ in 0..times {
        let symmetry = Symmetry::draw(grid.shape(), |n| rng.below(n));
        let image = symmetry.apply(grid);
        let other = canonizer.canonical(&image).unwrap();
        assert_eq!(other.form, first.form, "{grid} and {image}");
        assert_eq!(other.automorphisms, first.automorphisms);
        assert_eq!(other.symmetry.apply(&image), first.form);
    }
}

fn check_many(boards: usize, times: usize) {
    let (rng, canonizer) = (&mut Rng::new(4), &mut Canonizer::new());
    check_invariant(&MOST_CANONICAL.parse().unwrap(), times, canonizer, rng);
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    for index in 0..boards {
        let full = full(Shape::Three, rng);
        check_invariant(&full, times, canonizer, rng);
        check_invariant(
            &thinned(&full, index * 100 / boards, rng),
            times,
            canonizer,
            rng,
        );
        let puzzle = recipe.make(5, index as u64, &mut Run::limit(1)).unwrap();
        check_invariant(&puzzle, times, canonizer, rng);
    }
}

#[test]
fn no_symmetry_changes_the_form() {
    check_many(20, 20);
}

#[test]
#[ignore = "ten thousand symmetries a board; .ci/run has the time"]
fn none_of_ten_thousand_symmetries_changes_the_form() {
    check_many(20, 10_000);
}

#[test]
fn the_form_of_a_puzzle_has_the_same_number_of_solutions() {
    let puzzle = PuzzleRecipe::minimal(Shape::TwoByThree)
        .make(1, 1, &mut Run::limit(1))
        .unwrap();
    let form = canonical(&puzzle).unwrap().form;
    assert_eq!(reference::solutions(&form, 2).len(), 1);
}

#[test]
fn large_and_broken_boards_have_none() {
    assert!(canonical(&Grid::empty(Shape::Four)).is_none());
    assert!(canonical(&"11..............".parse().unwrap()).is_none());
    assert!(canonical(&"1....1..........".parse().unwrap()).is_none());
}

#[test]
#[ignore = "a measurement: run it with --release --nocapture"]
fn how_long_a_form_takes() {
    let (rng, canonizer) = (&mut Rng::new(6), &mut Canonizer::new());
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    let full: Vec<Grid> = (0..10_000).map(|_| full(Shape::Three, rng)).collect();
    let made = recipe.make_many(7, 0..10_000, &mut Run::limit(1));
    let puzzles: Vec<Grid> = made.into_iter().flatten().collect();
    for (name, boards) in [("full", full), ("minimal puzzles", puzzles)] {
        let mut times: Vec<f64> = boards
            .iter()
            .map(|board| {
                let started = std::time::Instant::now();
                std::hint::black_box(canonizer.canonical(std::hint::black_box(board)));
                started.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[times.len() * share / 100];
        println!(
            "{name}: median {:.2} µs, 10 % {:.2}, 90 % {:.2}, 99 % {:.2}, most {:.2}",
            at(50),
            at(10),
            at(90),
            at(99),
            times[times.len() - 1]
        );
    }
}
