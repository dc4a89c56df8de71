//! Built-in puzzles, so that the first command anyone types shows something.

use planoku_sudoku::Grid;

/// A puzzle of our own, with a word on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What it is called.
    pub name: &'static str,
    /// In one line.
    pub text: &'static str,
}

impl Example {
    /// The puzzle itself.
    pub fn grid(&self) -> Grid {
        self.text.parse().expect("built-in puzzles are well formed")
    }
}

/// The built-in puzzles; `solve` without input shows the first. All but the
/// last have exactly one solution.
pub const EXAMPLES: [Example; 5] = [
    Example {
        name: "symmetric",
        text: "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..",
    },
    Example {
        name: "twenty-six",
        text: ".4.98...2.....46.7....3....7.1...92...6...5...93...7.6....4....6.48.....8...61.3.",
    },
    Example {
        name: "figure one",
        text: "345.....861..8354979..45..6...157.......649...719..4....9.2.6.4.5..1....2.6...3..",
    },
    Example {
        name: "small",
        text: ".....4..1.2...1.",
    },
    Example {
        name: "the slides' puzzle, which has five solutions",
        text: "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_sudoku::reference::solutions;

    #[test]
    fn every_example_but_the_last_has_one_solution() {
        for example in EXAMPLES {
            let expected = if example == EXAMPLES[4] { 5 } else { 1 };
            let found = solutions(&example.grid(), 10).len();
            assert_eq!(found, expected, "{}", example.name);
        }
    }
}
