//! What a constraint engine says, as a search tree beside the board.
//!
//! A choice opens a node and places its digit; what look-ahead strikes is
//! gathered into one event for each choice, and a cell left with one digit
//! gets it; taking the choice back closes the node and undoes all of it.
//! Dynamic backtracking and local search take back what is not last, so theirs
//! is a list and not a tree.

use planoku_engine::Event as Said;
use planoku_sudoku::{Candidates, Cell, Digit, Grid, Shape};

use super::{BoardChange, Mark, Pane, Recorder, TraceEvent, cell_name};

pub(super) struct Search {
    recorder: Recorder,
    puzzle: Grid,
    nests: bool,
    /// What look-ahead leaves of each cell.
    left: Vec<Candidates>,
    /// Cells that have a digit because nothing else was left.
    settled: Vec<bool>,
    /// Strikes not yet told.
    struck: Vec<(Cell, Digit)>,
    /// Cells that have lost candidates since the last time, told or not.
    touched: Vec<Cell>,
    /// The choices that stand: cell, node and digit.
    path: Vec<(Cell, u64, Digit)>,
    /// Where nothing nests: the event that placed each cell's digit.
    placed: Vec<Option<u64>>,
    /// Why the last choice failed.
    why: Option<(String, Cell)>,
}

/// True if an engine of this name takes back what it chose last.
fn nests(engine: &str) -> bool {
    !engine
        .split(['+', ':'])
        .any(|part| matches!(part, "db" | "min-conflicts" | "annealing"))
}

impl Search {
    pub(super) fn new(recorder: Recorder) -> Search {
        let puzzle = recorder.header().puzzle.clone();
        let shape = puzzle.shape();
        let left = shape.all_cells().map(|cell| match puzzle.get(cell) {
            Some(clue) => Candidates::only(clue),
            None => Candidates::all(shape),
        });
        Search {
            left: left.collect(),
            settled: vec![false; shape.cells()],
            struck: Vec::new(),
            touched: Vec::new(),
            path: Vec::new(),
            placed: vec![None; shape.cells()],
            why: None,
            nests: nests(&recorder.header().engine),
            recorder,
            puzzle,
        }
    }

    pub(super) fn finish(mut self) -> Recorder {
        self.tell_struck();
        self.recorder
    }

    pub(super) fn event(&mut self, said: &Said) {
        match said {
            Said::Assign { variable, value } => self.assign(*variable, *value),
            Said::Unassign { variable } => self.unassign(*variable),
            Said::Prune { variable, value } | Said::Restore { variable, value } => {
                let Some((cell, digit)) = self.candidate(*variable, *value) else {
                    return;
                };
                match said {
                    Said::Prune { .. } => self.prune(cell, digit),
                    _ => self.restore(cell, digit),
                }
            }
            Said::Conflict { variable } => self.conflict(*variable),
            Said::Jump { to, because, .. } => self.jump(*to, because),
            Said::Learn { literals } => {
                let literals = literals.iter();
                let words =
                    literals.map(|&(variable, value, has)| self.literal(variable, value, has));
                let literals = words.collect();
                self.recorder
                    .push(TraceEvent::pane(Pane::Learn { literals }));
            }
            Said::Derive { .. } => {}
            Said::Restart => {
                self.tell_struck();
                self.recorder.push(TraceEvent::note("begins anew"));
            }
            Said::Answer(nth) => {
                self.tell_struck();
                self.recorder
                    .push(TraceEvent::note(format!("solution {nth}")));
            }
            Said::Progress { stage, nodes, best } => {
                self.recorder.push(progress(stage, *nodes, *best));
            }
        }
    }

    fn assign(&mut self, variable: u32, value: u32) {
        self.tell_struck();
        let Some((cell, digit)) = self.candidate(variable, value) else {
            return;
        };
        if self.puzzle.get(cell).is_some() {
            return;
        }
        let place = TraceEvent::board(BoardChange::Place(cell, digit));
        if !self.nests {
            self.lift(cell, None);
            self.placed[cell.index()] = Some(self.recorder.push(place));
            return;
        }
        let label = format!("{} = {}", self.name(cell), digit.get());
        let event = match self.settled[cell.index()] {
            true => TraceEvent::default().lit([Mark::Cell(cell)]),
            false => place,
        };
        let node = self.recorder.open(label, event);
        self.path.push((cell, node, digit));
    }

    fn unassign(&mut self, variable: u32) {
        self.tell_struck();
        let Some(cell) = self.cell(variable) else {
            return;
        };
        if self.puzzle.get(cell).is_some() {
            return;
        }
        let (why, at) = self.why.take().unzip();
        if self.nests {
            self.path.pop();
            let lit = at.map(Mark::Cell).into_iter().collect();
            self.recorder.take_back(why, lit);
        } else {
            self.lift(cell, why);
        }
    }

    /// Takes back the digit of a cell, if it has one.
    fn lift(&mut self, cell: Cell, why: Option<String>) {
        if let Some(id) = self.placed[cell.index()].take() {
            self.recorder.push(TraceEvent {
                board: Some(BoardChange::Undo(vec![id])),
                pane: why.map(Pane::Note),
                lit: vec![],
            });
        }
    }

    fn prune(&mut self, cell: Cell, digit: Digit) {
        let left = &mut self.left[cell.index()];
        *left = left.without(digit);
        self.touched.push(cell);
        // What the clues forbid is not news.
        if self.puzzle.candidates(cell).contains(digit) {
            self.struck.push((cell, digit));
        }
    }

    fn restore(&mut self, cell: Cell, digit: Digit) {
        self.tell_struck();
        let left = &mut self.left[cell.index()];
        *left = left.with(digit);
        if left.len() > 1 {
            self.settled[cell.index()] = false;
        }
    }

    /// Tells what was struck since the last time, and places what is left
    /// alone.
    fn tell_struck(&mut self) {
        if !self.struck.is_empty() {
            let struck = std::mem::take(&mut self.struck);
            self.recorder
                .push(TraceEvent::board(BoardChange::Strike(struck)));
        }
        for cell in std::mem::take(&mut self.touched) {
            let left = self.left[cell.index()];
            let chosen = self.path.iter().any(|(known, ..)| *known == cell);
            let open = self.puzzle.get(cell).is_none() && !chosen && !self.settled[cell.index()];
            if left.len() == 1
                && open
                && let Some(digit) = left.iter().next()
            {
                self.settled[cell.index()] = true;
                self.recorder
                    .push(TraceEvent::board(BoardChange::Place(cell, digit)));
            }
        }
    }

    fn conflict(&mut self, variable: u32) {
        self.tell_struck();
        let Some(cell) = self.cell(variable) else {
            return;
        };
        let name = self.name(cell);
        let top = self.path.last().is_some_and(|(last, ..)| *last == cell);
        let why = match (self.puzzle.get(cell), self.left[cell.index()].is_empty()) {
            (Some(clue), _) => format!("the clue {name} = {} does not fit", clue.get()),
            (None, true) => format!("nothing is left for {name}"),
            (None, false) if top => "a digit it sees is the same".to_owned(),
            (None, false) => format!("every digit of {name} has failed"),
        };
        // At a dead end the choice before it is taken back.
        let known = self.why.as_ref().is_some_and(|(known, _)| *known == why);
        if !top && !known {
            let lit = [Mark::Cell(cell)];
            self.recorder.push(TraceEvent::note(why.clone()).lit(lit));
        }
        self.why = Some((why, cell));
    }

    fn jump(&mut self, to: u32, because: &[u32]) {
        self.tell_struck();
        let target = match because.last() {
            Some(variable) => self.cell(*variable),
            None => self.path.get(to as usize).map(|(cell, ..)| *cell),
        };
        let node = |cell: Cell| {
            // A clue has no node; the choice before it has.
            let clue = self.puzzle.get(cell).is_some();
            let mut path = self.path.iter().rev();
            path.find(|(known, ..)| *known == cell || clue && *known < cell)
                .map(|(_, node, _)| *node)
        };
        let to = target.and_then(node).unwrap_or(0);
        let words = because.iter().filter_map(|variable| {
            let cell = self.cell(*variable)?;
            let chosen = self.path.iter().find(|(known, ..)| *known == cell);
            match (chosen, self.puzzle.get(cell)) {
                (Some((_, _, digit)), _) => Some(format!("{} = {}", self.name(cell), digit.get())),
                (None, Some(clue)) => Some(format!("{} = {}, given", self.name(cell), clue.get())),
                (None, None) => Some(self.name(cell)),
            }
        });
        let because: Vec<String> = words.collect();
        let lit: Vec<Mark> = because
            .iter()
            .filter_map(|words| super::cell_named(self.shape(), words.split(' ').next()?))
            .map(Mark::Cell)
            .collect();
        let jump = TraceEvent::pane(Pane::Jump { to, because });
        self.recorder.push(jump.lit(lit));
    }

    fn literal(&self, variable: u32, value: u32, has: bool) -> String {
        let sign = if has { '=' } else { '≠' };
        match self.cell(variable) {
            Some(cell) => format!("{} {sign} {value}", self.name(cell)),
            None => format!("x{variable} {sign} {value}"),
        }
    }

    fn candidate(&self, variable: u32, value: u32) -> Option<(Cell, Digit)> {
        let digit = u8::try_from(value).ok().and_then(Digit::new)?;
        Some((self.cell(variable)?, digit))
    }

    fn cell(&self, variable: u32) -> Option<Cell> {
        let index = variable as usize;
        (index < self.shape().cells()).then(|| Cell::new(index))
    }

    fn name(&self, cell: Cell) -> String {
        cell_name(self.shape(), cell)
    }

    fn shape(&self) -> Shape {
        self.puzzle.shape()
    }
}

/// A sign of life as a sentence.
pub(super) fn progress(stage: &str, nodes: u64, best: Option<u64>) -> TraceEvent {
    let best = best.map_or(String::new(), |best| format!(", {best} to go at best"));
    TraceEvent::note(format!("{stage}: {nodes} nodes{best}"))
}
