//! The three tables of "A Block World Problem Based Sudoku Solver" (Luciana
//! Abednego and Cecilia Nugraheni).
//!
//! The authors ran their four models on a hundred puzzles from two puzzle
//! books, which they did not print; so their figures can be set beside ours on
//! other puzzles, not reproduced to the box. Table III takes the ten puzzles
//! that only model 1 solves and that took it longest.

/// Tables I and II: what a model achieved on the paper's hundred puzzles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelFigures {
    /// Our name for the model: `1` to `4`.
    pub model: &'static str,
    /// Table I: puzzles solved, of 100.
    pub solved: u32,
    /// Table II: per cent of the empty cells filled.
    pub filled_percent: f64,
}

/// Tables I and II.
pub const MODELS: [ModelFigures; 4] = [
    figures("1", 100, 100.0),
    figures("2", 0, 1.4),
    figures("3", 0, 22.0),
    figures("4", 44, 48.0),
];

const fn figures(model: &'static str, solved: u32, filled_percent: f64) -> ModelFigures {
    ModelFigures {
        model,
        solved,
        filled_percent,
    }
}

/// Table III: milliseconds for model 1 alone and for model 4 followed by
/// model 1, on the ten hardest puzzles, as the authors numbered them.
pub const HARDEST_MS: [(u32, u32); 10] = [
    (390, 390),
    (312, 312),
    (250, 250),
    (234, 202),
    (203, 203),
    (156, 156),
    (140, 16),
    (125, 31),
    (94, 46),
    (47, 47),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_three_adds_up_to_the_totals_it_prints() {
        let sum = |pick: fn(&(u32, u32)) -> u32| HARDEST_MS.iter().map(pick).sum::<u32>();
        assert_eq!((sum(|row| row.0), sum(|row| row.1)), (1951, 1653));
    }
}
