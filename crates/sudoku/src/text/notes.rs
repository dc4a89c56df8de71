//! What a player writes on a puzzle: pencil marks and entries.
//!
//! ```text
//! .----------.----------.
//! | 1    2   | 34   34  |
//! | 34   34  | 12   12  |
//! :----------+----------:
//! ```

use crate::{Candidates, Cell, Digit, Grid, Shape};

/// What a cell of a board holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Blank,
    Digit(Digit),
    Marks(Candidates),
}

/// What a player has noted on a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// The digits noted as possible in each cell, row by row; none where
    /// nothing is noted.
    pub marks: Box<[Candidates]>,
    /// The cells whose digit is an entry and not a clue, where the format tells.
    pub entries: Vec<Cell>,
}

impl Notes {
    /// The puzzle without the entries.
    pub fn clues(&self, grid: &Grid) -> Grid {
        let mut clues = grid.clone();
        for cell in &self.entries {
            clues.set(*cell, None);
        }
        clues
    }
}

/// Draws a board with its candidates, as players exchange them. `marks` gives
/// those of the blank cells.
///
/// ```
/// use planoku_sudoku::{Grid, text};
///
/// let grid: Grid = "12..............".parse().unwrap();
/// let drawing = text::pencil(&grid, |cell| grid.candidates(cell));
/// assert!(drawing.starts_with(".-----------.-----------.\n| 1    2    | 34   34   |\n"));
/// assert_eq!(text::read(&drawing).unwrap(), [grid]);
/// ```
pub fn pencil(grid: &Grid, marks: impl Fn(Cell) -> Candidates) -> String {
    let shape = grid.shape();
    let word = |cell: Cell| match grid.get(cell) {
        Some(digit) => digit.to_string(),
        None if marks(cell).is_empty() => ".".to_string(),
        None => marks(cell).iter().map(Digit::symbol).collect(),
    };
    let words: Vec<String> = shape.all_cells().map(word).collect();
    let width = words.iter().map(String::len).max().unwrap_or(1);
    let across = shape.side() / shape.box_columns();
    let segment = "-".repeat((width + 1) * shape.box_columns() + 1);
    let border = |left: &str, middle: &str, right: &str| {
        let segments = vec![segment.as_str(); across].join(middle);
        format!("{left}{segments}{right}\n")
    };
    let mut drawing = border(".", ".", ".");
    for (row, words) in words.chunks(shape.side()).enumerate() {
        if row > 0 && row % shape.box_rows() == 0 {
            drawing += &border(":", "+", ":");
        }
        for words in words.chunks(shape.box_columns()) {
            drawing += "| ";
            for word in words {
                drawing += &format!("{word:<width$} ");
            }
        }
        drawing += "|\n";
    }
    drawing + &border("'", "'", "'")
}

/// Every candidate in one line: for each cell as many symbols as there are
/// digits, 729 in all on the ordinary board, `.` for a digit struck out.
pub fn candidates_line(grid: &Grid, marks: impl Fn(Cell) -> Candidates) -> String {
    let shape = grid.shape();
    let cells = shape.all_cells().flat_map(|cell| {
        let left = grid.get(cell).map_or_else(|| marks(cell), Candidates::only);
        let symbol = move |digit: Digit| match left.contains(digit) {
            true => digit.symbol(),
            false => '.',
        };
        shape.digits().map(symbol)
    });
    cells.collect()
}

/// A board being read, with what is noted on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    grid: Grid,
    marks: Option<Box<[Candidates]>>,
    entries: Vec<Cell>,
}

impl Sheet {
    pub fn new(shape: Shape) -> Sheet {
        Sheet::from(Grid::empty(shape))
    }

    pub fn put(&mut self, cell: Cell, content: Content) {
        match content {
            Content::Blank => {}
            Content::Digit(digit) => self.grid.set(cell, Some(digit)),
            Content::Marks(marks) => match (marks.len(), marks.iter().next()) {
                (1, Some(digit)) => self.grid.set(cell, Some(digit)),
                _ => self.mark(cell, marks),
            },
        }
    }

    /// Notes the candidates of a cell.
    pub fn mark(&mut self, cell: Cell, marks: Candidates) {
        let cells = self.grid.shape().cells();
        let all = self
            .marks
            .get_or_insert_with(|| vec![Candidates::default(); cells].into());
        all[cell.index()] = marks;
    }

    /// Enters a digit that is not a clue.
    pub fn enter(&mut self, cell: Cell, digit: Digit) {
        self.grid.set(cell, Some(digit));
        self.entries.push(cell);
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub fn into_parts(self) -> (Grid, Option<Box<Notes>>) {
        let noted = self.marks.is_some() || !self.entries.is_empty();
        let notes = noted.then(|| {
            let none = || vec![Candidates::default(); self.grid.shape().cells()].into();
            Box::new(Notes {
                marks: self.marks.unwrap_or_else(none),
                entries: self.entries,
            })
        });
        (self.grid, notes)
    }
}

impl From<Grid> for Sheet {
    fn from(grid: Grid) -> Sheet {
        Sheet {
            grid,
            marks: None,
            entries: Vec::new(),
        }
    }
}
