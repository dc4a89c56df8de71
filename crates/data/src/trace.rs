//! Step traces: one row a step, right ones and wrong ones.
//!
//! A row tells the position before the step (digits, and candidates if asked
//! for), what is concluded, by which technique and from which cells. Right
//! steps are checked against the solution before they are written: what they
//! place is in the solution, what they strike is not. Wrong steps begin like
//! the right one beside them and conclude something that the solution
//! contradicts, which is checked as well.

use planoku_human::{Board, Candidate, Path, Step};
use planoku_sudoku::rng::Rng;
use planoku_sudoku::{Cell, Digit, Grid};

use crate::recipe::Traces;
use crate::table::{ColumnValues, Table};

/// Each column with what it means.
pub const MEANINGS: [(&str, &str); 11] = [
    ("id", "the row of the puzzle"),
    (
        "step",
        "counted from 0; wrong steps share the number of the right one",
    ),
    (
        "sound",
        "whether the step is right; wrong ones contradict the solution",
    ),
    (
        "technique",
        "by which technique, or which one it pretends to be",
    ),
    ("rating", "of the step on the scale"),
    ("board", "the digits before the step"),
    (
        "candidates",
        "the candidates before the step: three hexadecimal digits a cell, bit 0 for 1",
    ),
    ("placement", "what is placed, such as r4c7=5"),
    ("eliminations", "what is struck, such as r4c7-5 r4c8-5"),
    ("cells", "the cells the step rests on"),
    ("sentence", "the step in words"),
];

/// Rows in the making.
#[derive(Debug, Default)]
pub struct TraceRows {
    id: Vec<Option<u64>>,
    step: Vec<Option<u64>>,
    sound: Vec<Option<bool>>,
    technique: Vec<Option<String>>,
    rating: Vec<Option<planoku_human::Rating>>,
    board: Vec<Option<String>>,
    candidates: Vec<Option<String>>,
    placement: Vec<Option<String>>,
    eliminations: Vec<Option<String>>,
    cells: Vec<Option<String>>,
    sentence: Vec<Option<String>>,
}

impl TraceRows {
    /// Adds the steps of a puzzle, with as many wrong ones beside each as asked
    /// for and possible.
    ///
    /// # Panics
    /// If a step is not sound: that would be a mistake of ours.
    pub fn add(&mut self, id: u64, puzzle: &Grid, path: &Path, wanted: &Traces, rng: &mut Rng) {
        let mut board = Board::new(puzzle).expect("a puzzle that has a path");
        let solution = &path.solution;
        for (nth, step) in path.steps.iter().enumerate() {
            assert!(
                is_sound(&board, step, solution),
                "{puzzle}: {}",
                step.sentence()
            );
            let mut told: Vec<String> = vec![step.conclusion()];
            self.row(id, nth, true, &board, step, wanted);
            for _ in 0..wanted.negatives {
                let Some(wrong) = wrong_step(&board, step, solution, rng) else {
                    break;
                };
                if !told.contains(&wrong.conclusion()) {
                    assert!(!is_sound(&board, &wrong, solution), "{}", wrong.sentence());
                    told.push(wrong.conclusion());
                    self.row(id, nth, false, &board, &wrong, wanted);
                }
            }
            board.apply(step);
        }
        assert!(
            board.grid() == *solution,
            "{puzzle}: the steps lead elsewhere"
        );
    }

    fn row(
        &mut self,
        id: u64,
        nth: usize,
        sound: bool,
        board: &Board,
        step: &Step,
        wanted: &Traces,
    ) {
        self.id.push(Some(id));
        self.step.push(Some(nth as u64));
        self.sound.push(Some(sound));
        self.technique.push(Some(step.technique.key().to_string()));
        self.rating.push(Some(step.rating));
        self.board.push(Some(board.grid().to_string()));
        if wanted.candidates {
            self.candidates.push(Some(candidates(board)));
        }
        self.placement
            .push(step.placement.map(|placed| placed.to_string()));
        let struck = step.eliminations.iter();
        let struck: Vec<String> = struck
            .map(|one| one.to_string().replace('=', "-"))
            .collect();
        self.eliminations
            .push((!struck.is_empty()).then(|| struck.join(" ")));
        let cells = step.cause_cells().into_iter().map(cell_name);
        self.cells.push(Some(cells.collect::<Vec<_>>().join(" ")));
        self.sentence.push(Some(step.sentence()));
    }

    /// Adds the rows of another.
    pub fn append(&mut self, mut other: TraceRows) {
        self.id.append(&mut other.id);
        self.step.append(&mut other.step);
        self.sound.append(&mut other.sound);
        self.technique.append(&mut other.technique);
        self.rating.append(&mut other.rating);
        self.board.append(&mut other.board);
        self.candidates.append(&mut other.candidates);
        self.placement.append(&mut other.placement);
        self.eliminations.append(&mut other.eliminations);
        self.cells.append(&mut other.cells);
        self.sentence.append(&mut other.sentence);
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The rows as columns.
    pub fn table(self) -> Table {
        let mut table = Table::default();
        table.push("id", ColumnValues::Number(self.id));
        table.push("step", ColumnValues::Number(self.step));
        table.push("sound", ColumnValues::Flag(self.sound));
        table.push("technique", ColumnValues::Text(self.technique));
        table.push("rating", ColumnValues::Rating(self.rating));
        table.push("board", ColumnValues::Text(self.board));
        if !self.candidates.is_empty() {
            table.push("candidates", ColumnValues::Text(self.candidates));
        }
        table.push("placement", ColumnValues::Text(self.placement));
        table.push("eliminations", ColumnValues::Text(self.eliminations));
        table.push("cells", ColumnValues::Text(self.cells));
        table.push("sentence", ColumnValues::Text(self.sentence));
        table
    }
}

/// Whether a step from this position only says what is true of the solution,
/// about candidates that stand, and says something.
fn is_sound(board: &Board, step: &Step, solution: &Grid) -> bool {
    let stands = |one: &Candidate| board.candidates(one.cell).contains(one.digit);
    let true_one = |one: &Candidate| solution.get(one.cell) == Some(one.digit);
    let says = step.placement.is_some() || !step.eliminations.is_empty();
    says && step
        .placement
        .iter()
        .all(|one| stands(one) && true_one(one))
        && step
            .eliminations
            .iter()
            .all(|one| stands(one) && !true_one(one))
}

/// A step that begins like a right one and ends wrong: places another candidate
/// of the same house or cell, or strikes the solution from one of the cells.
fn wrong_step(board: &Board, step: &Step, solution: &Grid, rng: &mut Rng) -> Option<Step> {
    let mut wrong = step.clone();
    match &mut wrong.placement {
        Some(placed) => {
            let near = false_candidates(board, solution, |cell| cell == placed.cell);
            let open = match near.is_empty() {
                false => near,
                true => false_candidates(board, solution, |_| true),
            };
            let nth = (!open.is_empty()).then(|| rng.below(open.len()))?;
            *placed = open[nth];
        }
        None => {
            let nth = rng.below(step.eliminations.len());
            let cell = step.eliminations[nth].cell;
            wrong.eliminations[nth].digit = solution.get(cell)?;
        }
    }
    Some(wrong)
}

/// Candidates that stand and are not of the solution.
fn false_candidates(
    board: &Board,
    solution: &Grid,
    wanted: impl Fn(Cell) -> bool,
) -> Vec<Candidate> {
    let cells = solution.shape().all_cells().filter(|cell| wanted(*cell));
    cells
        .flat_map(|cell| {
            board
                .candidates(cell)
                .iter()
                .map(move |digit| Candidate { cell, digit })
        })
        .filter(|one| solution.get(one.cell) != Some(one.digit))
        .collect()
}

/// Three hexadecimal digits a cell.
fn candidates(board: &Board) -> String {
    let mut text = String::with_capacity(243);
    for cell in 0..81 {
        let mask = board.candidates(Cell::new(cell)).0;
        for shift in [8, 4, 0] {
            text.push(char::from_digit(mask >> shift & 15, 16).expect("below 16"));
        }
    }
    text
}

fn cell_name(cell: Cell) -> String {
    format!("r{}c{}", cell.index() / 9 + 1, cell.index() % 9 + 1)
}

/// Whether a row of a trace, as it is written, says the truth about the solution
/// and about itself. Shares nothing with the making: it reads the words.
pub fn check_row(table: &Table, row: usize, puzzle: &Grid, solution: &Grid) -> Result<(), String> {
    let text = |name: &str| table.text(name, row).unwrap_or_default();
    let board: Grid = text("board")
        .parse()
        .map_err(|error| format!("board: {error}"))?;
    for cell in solution.shape().all_cells() {
        let kept = puzzle.get(cell).is_none() || board.get(cell) == puzzle.get(cell);
        let right = board.get(cell).is_none() || board.get(cell) == solution.get(cell);
        if !kept || !right {
            return Err(format!(
                "{}: the board is not on the way to the solution",
                cell_name(cell)
            ));
        }
    }
    let marks = table
        .text("candidates", row)
        .map(|text| read_candidates(&text))
        .transpose()?;
    let mut said = 0;
    let mut sound = true;
    for (column, sign) in [("placement", '='), ("eliminations", '-')] {
        for word in text(column).split_whitespace() {
            let (cell, digit) = read_conclusion(word, sign)?;
            let stands = match &marks {
                Some(marks) => marks[cell.index()] >> digit.index() & 1 == 1,
                None => board.candidates(cell).contains(digit),
            };
            if board.get(cell).is_some() || !stands {
                return Err(format!("{word}: no such candidate stands"));
            }
            said += 1;
            sound &= (solution.get(cell) == Some(digit)) == (sign == '=');
        }
    }
    if let Some(marks) = &marks {
        for cell in board.blanks() {
            let digit = solution.get(cell).expect("a full board");
            if marks[cell.index()] >> digit.index() & 1 == 0 {
                return Err(format!(
                    "{}: the solution is struck already",
                    cell_name(cell)
                ));
            }
        }
    }
    match (said, sound, &*text("sound")) {
        (0, ..) => Err("nothing is concluded".to_string()),
        (_, true, "true") | (_, false, "false") => Ok(()),
        (_, _, flag) => Err(format!("`sound` is {flag}, the solution says {sound}")),
    }
}

fn read_candidates(text: &str) -> Result<Vec<u32>, String> {
    let wanted = || format!("expected 243 hexadecimal digits of candidates, found `{text}`");
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits
        .filter(|digits| digits.len() == 243)
        .ok_or_else(wanted)?;
    Ok(digits
        .chunks(3)
        .map(|three| three[0] << 8 | three[1] << 4 | three[2])
        .collect())
}

/// Reads `r4c7=5` or `r4c7-5`.
fn read_conclusion(word: &str, sign: char) -> Result<(Cell, Digit), String> {
    let bytes = word.as_bytes();
    let number = |at: usize| match bytes.get(at) {
        Some(digit @ b'1'..=b'9') => Some(digit - b'0'),
        _ => None,
    };
    let shaped = bytes.len() == 6 && bytes[0] == b'r' && bytes[2] == b'c' && bytes[4] == sign as u8;
    let parts = (number(1), number(3), number(5).and_then(Digit::new));
    match parts {
        (Some(row), Some(column), Some(digit)) if shaped => {
            let cell = usize::from(row - 1) * 9 + usize::from(column - 1);
            Ok((Cell::new(cell), digit))
        }
        _ => Err(format!(
            "expected a conclusion such as r4c7{sign}5, found `{word}`"
        )),
    }
}
