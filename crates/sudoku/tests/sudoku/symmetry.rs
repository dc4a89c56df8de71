//! Symmetries turn solutions into solutions, compose, and can be undone.

use planoku_sudoku::{Digit, Grid, Shape, Symmetry, reference, verify};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn any_shape() -> impl Strategy<Value = Shape> {
    (0..Shape::ALL.len()).prop_map(|nth| Shape::ALL[nth])
}

/// A symmetry drawn with the numbers of a small generator.
fn drawn(shape: Shape, seed: u64) -> Symmetry {
    let mut state = seed;
    Symmetry::draw(shape, |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    })
}

/// The solution in which each row is the one before it, turned by a box.
fn pattern(shape: Shape) -> Grid {
    let (side, tall, wide) = (shape.side(), shape.box_rows(), shape.box_columns());
    let digit = |cell| {
        let (row, column) = (shape.row(cell), shape.column(cell));
        Digit::new(((row % tall * wide + row / tall + column) % side) as u8 + 1)
    };
    Grid::from_cells(shape.all_cells().map(digit)).unwrap()
}

/// The pattern with some cells cleared.
fn puzzle(shape: Shape, holes: &[prop::sample::Index]) -> Grid {
    let mut grid = pattern(shape);
    let cells: Vec<_> = shape.all_cells().collect();
    for hole in holes {
        grid.set(cells[hole.index(cells.len())], None);
    }
    grid
}

fn holes() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..60)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn solutions_become_solutions(shape in any_shape(), seed: u64, holes in holes()) {
        let symmetry = drawn(shape, seed);
        let puzzle = puzzle(shape, &holes);
        let image = symmetry.apply(&pattern(shape));
        prop_assert_eq!(verify(&symmetry.apply(&puzzle), &image), Ok(()));
    }

    #[test]
    fn what_is_not_a_solution_does_not_become_one(
        shape in any_shape(),
        seed: u64,
        at: prop::sample::Index,
    ) {
        let mut wrong = pattern(shape);
        let cell = shape.all_cells().nth(at.index(shape.cells())).unwrap();
        let other = wrong.get(cell).unwrap().get() % shape.side() as u8 + 1;
        wrong.set(cell, Digit::new(other));
        let image = drawn(shape, seed).apply(&wrong);
        prop_assert!(verify(&Grid::empty(shape), &image).is_err());
    }

    #[test]
    fn the_inverse_undoes(shape in any_shape(), seed: u64, holes in holes()) {
        let symmetry = drawn(shape, seed);
        let puzzle = puzzle(shape, &holes);
        prop_assert_eq!(symmetry.inverse().apply(&symmetry.apply(&puzzle)), puzzle);
        prop_assert_eq!(symmetry.then(&symmetry.inverse()), Symmetry::identity(shape));
        prop_assert_eq!(symmetry.inverse().then(&symmetry), Symmetry::identity(shape));
    }

    #[test]
    fn one_after_the_other_is_the_composition(
        shape in any_shape(),
        seeds: (u64, u64),
        holes in holes(),
    ) {
        let (first, second) = (drawn(shape, seeds.0), drawn(shape, seeds.1));
        let puzzle = puzzle(shape, &holes);
        let one_by_one = second.apply(&first.apply(&puzzle));
        prop_assert_eq!(first.then(&second).apply(&puzzle), one_by_one);
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn a_puzzle_keeps_its_number_of_solutions(small in 0..3usize, seed: u64, holes in holes()) {
        let shape = Shape::ALL[small];
        let puzzle = puzzle(shape, &holes);
        let image = drawn(shape, seed).apply(&puzzle);
        let count = |grid: &Grid| reference::solutions(grid, 5).len();
        prop_assert_eq!(count(&image), count(&puzzle));
    }
}
