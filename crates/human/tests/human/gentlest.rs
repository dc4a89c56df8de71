//! The gentlest path is a path, and never harder than that of the scale.

use planoku_engine::Run;
use planoku_human::{Board, Rater};
use planoku_sudoku::{Shape, generate::PuzzleRecipe, reference};

#[test]
fn the_gentlest_path_is_never_harder_than_the_scales_own() {
    let recipe = PuzzleRecipe::minimal(Shape::Three);
    let mut rater = Rater::new();
    let mut kinder = 0;
    for index in 0..60 {
        let puzzle = recipe.make(23, index, &mut Run::limit(1)).unwrap();
        let scale = rater.path(&puzzle, &mut Run::limit(1)).unwrap();
        let gentle = rater.gentlest(&puzzle, &mut Run::limit(1)).unwrap();
        let effort = |path: &planoku_human::Path| (path.rated.er, path.rated.hard_steps());
        assert!(effort(&gentle) <= effort(&scale), "{puzzle}");
        kinder += usize::from(effort(&gentle) < effort(&scale));
        let solution = reference::solve(&puzzle).unwrap();
        assert_eq!(gentle.solution, solution, "{puzzle}");
        let mut board = Board::new(&puzzle).unwrap();
        for step in &gentle.steps {
            for struck in &step.eliminations {
                assert_ne!(
                    solution.get(struck.cell),
                    Some(struck.digit),
                    "{puzzle}: {step}"
                );
            }
            if let Some(placed) = step.placement {
                assert_eq!(
                    solution.get(placed.cell),
                    Some(placed.digit),
                    "{puzzle}: {step}"
                );
            }
            board.apply(step);
        }
        assert!(board.is_solved(), "{puzzle}");
    }
    assert!(kinder > 0, "another order helps at least sometimes");
}
