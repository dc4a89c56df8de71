//! A trace played back and forth: the board after so many events.
//!
//! A [`Player`] stands between two events. Several placements may stand in one
//! cell at once (a digit derived, then chosen); the last one shows. Going back
//! is exact: every event is undone by itself.

use std::collections::HashMap;

use planoku_sudoku::{Candidates, Cell, Digit, Grid};

use super::{BoardChange, Pane, Trace, TraceEvent, cell_name};

/// A place in a trace.
pub struct Player<'a> {
    trace: &'a Trace,
    /// Events behind us.
    position: usize,
    /// What was placed in each cell and not taken back, by number.
    placed: Vec<Vec<(u64, Digit)>>,
    /// How often each candidate is struck.
    struck: HashMap<(Cell, Digit), u32>,
}

impl<'a> Player<'a> {
    /// Stands before the first event.
    pub fn new(trace: &'a Trace) -> Player<'a> {
        let cells = trace.header.puzzle.shape().cells();
        Player {
            trace,
            position: 0,
            placed: vec![Vec::new(); cells],
            struck: HashMap::new(),
        }
    }

    /// The trace.
    pub fn trace(&self) -> &'a Trace {
        self.trace
    }

    /// How many events are behind us.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.trace.events.len()
    }

    /// True if nothing happened at all.
    pub fn is_empty(&self) -> bool {
        self.trace.events.is_empty()
    }

    /// The event just behind us.
    pub fn last(&self) -> Option<&'a TraceEvent> {
        self.trace.events.get(self.position.checked_sub(1)?)
    }

    /// What the cell shows.
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        let placed = self.placed[cell.index()].last();
        let clue = self.trace.header.puzzle.get(cell);
        clue.or(placed.map(|(_, digit)| *digit))
    }

    /// The board as it is now.
    pub fn board(&self) -> Grid {
        let mut board = self.trace.header.puzzle.clone();
        for cell in board.shape().all_cells() {
            board.set(cell, self.get(cell));
        }
        board
    }

    /// The candidates of a cell that are struck.
    pub fn struck(&self, cell: Cell) -> Candidates {
        let digits = self.trace.header.puzzle.shape().digits();
        digits
            .filter(|digit| self.struck.contains_key(&(cell, *digit)))
            .fold(Candidates(0), Candidates::with)
    }

    /// True if the digit there differs from the only solution.
    pub fn is_wrong(&self, cell: Cell) -> bool {
        match (&self.trace.header.solution, self.get(cell)) {
            (Some(solution), Some(digit)) => solution.get(cell) != Some(digit),
            _ => false,
        }
    }

    /// Makes the next event happen; false at the end.
    pub fn forward(&mut self) -> bool {
        let Some(event) = self.trace.events.get(self.position) else {
            return false;
        };
        self.position += 1;
        if let Some(board) = &event.board {
            self.apply(self.position as u64, board, true);
        }
        true
    }

    /// Undoes the last event; false at the beginning.
    pub fn back(&mut self) -> bool {
        let Some(event) = self.last() else {
            return false;
        };
        if let Some(board) = &event.board {
            self.apply(self.position as u64, board, false);
        }
        self.position -= 1;
        true
    }

    /// Goes to the place behind this many events, or as near as it can.
    pub fn go_to(&mut self, position: usize) {
        while self.position < position && self.forward() {}
        while self.position > position && self.back() {}
    }

    /// Goes forward until something that `matters` has happened; false if
    /// nothing does, and then it stands at the end.
    pub fn forward_to(&mut self, matters: impl Fn(&TraceEvent) -> bool) -> bool {
        while self.forward() {
            if self.last().is_some_and(&matters) {
                return true;
            }
        }
        false
    }

    /// Goes back until something that `matters` has just happened, or to the
    /// beginning.
    pub fn back_to(&mut self, matters: impl Fn(&TraceEvent) -> bool) {
        while self.back() {
            if self.last().is_some_and(&matters) {
                return;
            }
        }
    }

    /// Goes forward to the next event that says something went wrong; false if
    /// there is none ahead, and then it stays where it is.
    pub fn forward_to_failure(&mut self) -> bool {
        let ahead = &self.trace.events[self.position..];
        match ahead.iter().position(|event| self.is_failure(event)) {
            None => false,
            Some(distance) => {
                self.go_to(self.position + distance + 1);
                true
            }
        }
    }

    /// True if something goes wrong with this event: a wrong digit, a choice
    /// that fails, a jump, a refusal, an end with nothing found.
    pub fn is_failure(&self, event: &TraceEvent) -> bool {
        let wrong = match (&event.board, &self.trace.header.solution) {
            (Some(BoardChange::Place(cell, digit)), Some(solution)) => {
                solution.get(*cell) != Some(*digit)
            }
            _ => false,
        };
        wrong
            || match &event.pane {
                Some(Pane::Close { why, .. }) => why.is_some(),
                Some(Pane::Jump { .. }) => true,
                Some(Pane::Message { kind, .. }) => kind == "refused" || kind == "stuck",
                Some(Pane::End { found, .. }) => *found == 0,
                _ => false,
            }
    }

    /// How many boxes with this number are not on the board.
    pub fn pile(&self, digit: Digit) -> usize {
        let board = self.board();
        let placed = board.cells().iter().flatten();
        let side = board.shape().side();
        side.saturating_sub(placed.filter(|other| **other == digit).count())
    }

    /// The cell an event places or takes back, if it is one.
    pub fn touched(&self, event: &TraceEvent) -> Option<Cell> {
        match event.board.as_ref()? {
            BoardChange::Place(cell, _) => Some(*cell),
            BoardChange::Strike(_) => None,
            BoardChange::Undo(numbers) => numbers.iter().find_map(|number| {
                let event = self.trace.events.get((*number as usize).checked_sub(1)?)?;
                match event.board {
                    Some(BoardChange::Place(cell, _)) => Some(cell),
                    _ => None,
                }
            }),
        }
    }

    /// The event in one sentence.
    pub fn sentence(&self, event: &TraceEvent) -> String {
        let shape = self.trace.header.puzzle.shape();
        let name = |cell: &Cell| cell_name(shape, *cell);
        let board = event.board.as_ref().map(|board| match board {
            BoardChange::Place(cell, digit) => format!("{} = {}", name(cell), digit.get()),
            BoardChange::Strike(candidates) => match &candidates[..] {
                [(cell, digit)] => format!("{} ≠ {}", name(cell), digit.get()),
                _ => format!("{} candidates struck", candidates.len()),
            },
            BoardChange::Undo(numbers) => match self.touched(event) {
                Some(cell) => format!("{} is empty again", name(&cell)),
                None => format!("{} events taken back", numbers.len()),
            },
        });
        match (&event.pane, board) {
            // A node says what it places.
            (Some(pane @ Pane::Open { .. }), _) => pane.sentence(),
            (Some(pane), Some(board)) => format!("{board}: {}", pane.sentence()),
            (Some(pane), None) => pane.sentence(),
            (None, Some(board)) => board,
            (None, None) => String::new(),
        }
    }

    fn apply(&mut self, number: u64, board: &BoardChange, happens: bool) {
        match board {
            BoardChange::Place(cell, digit) => {
                let placed = &mut self.placed[cell.index()];
                match happens {
                    true => {
                        // Kept by number, however it came back.
                        let at = placed.partition_point(|(known, _)| *known < number);
                        placed.insert(at, (number, *digit));
                    }
                    false => placed.retain(|(known, _)| *known != number),
                }
            }
            BoardChange::Strike(candidates) => {
                for candidate in candidates {
                    let count = self.struck.entry(*candidate).or_insert(0);
                    match happens {
                        true => *count += 1,
                        false => *count = count.saturating_sub(1),
                    }
                    if *count == 0 {
                        self.struck.remove(candidate);
                    }
                }
            }
            BoardChange::Undo(numbers) => {
                for undone in numbers {
                    let event = usize::try_from(*undone).ok().and_then(|n| n.checked_sub(1));
                    let event = event.and_then(|at| self.trace.events.get(at));
                    // Whoever read the trace has checked that it is no undo.
                    if let Some(board @ (BoardChange::Place(..) | BoardChange::Strike(_))) =
                        event.and_then(|event| event.board.as_ref())
                    {
                        self.apply(*undone, board, !happens);
                    }
                }
            }
        }
    }
}
