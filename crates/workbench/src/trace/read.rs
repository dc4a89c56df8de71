//! Reading a trace, and believing nothing.
//!
//! Numbers must run, cells and digits be on the board, an undo name an earlier
//! placement or strike that still stands, a node be opened before it is
//! closed. What is wrong is said with line and column, what was wanted and what
//! was found.

use std::collections::HashSet;
use std::fmt;
use std::io::BufRead;

use planoku_sudoku::{Cell, Digit, Grid, Shape};
use serde::Deserialize;

use super::write::{HeaderLine, Line, VERSION};
use super::{BoardChange, Mark, Pane, Trace, TraceEvent, TraceHeader, TraceKind, cell_named};

/// Why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
    /// What was wanted, and what was found.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TraceError {}

impl Trace {
    /// Reads the traces of a file, one after the other; at least one.
    pub fn read(mut input: impl BufRead) -> Result<Vec<Trace>, TraceError> {
        let mut done: Vec<Trace> = Vec::new();
        let mut reader: Option<Reader> = None;
        let mut text = String::new();
        for number in 1.. {
            text.clear();
            let read = input.read_line(&mut text).map_err(|error| TraceError {
                line: number,
                column: 1,
                message: error.to_string(),
            })?;
            if read == 0 {
                break;
            }
            if text.trim().is_empty() {
                continue;
            }
            let source = Source {
                number,
                text: text.trim_end(),
            };
            let begins = source.text.starts_with("{\"trace\"");
            match &mut reader {
                Some(reader) if !begins => reader.line(&source)?,
                _ => {
                    let next = Reader::new(&source)?;
                    done.extend(reader.replace(next).map(|reader| reader.trace));
                }
            }
        }
        done.extend(reader.map(|reader| reader.trace));
        if done.is_empty() {
            return Err(TraceError {
                line: 1,
                column: 1,
                message: "expected the header of a trace, found nothing".to_owned(),
            });
        }
        Ok(done)
    }
}

/// A line with its number, to blame.
struct Source<'a> {
    number: usize,
    text: &'a str,
}

impl Source<'_> {
    /// An error at a field, or at the start if it is not there.
    fn error(&self, field: &str, message: impl Into<String>) -> TraceError {
        let at = self.text.find(&format!("\"{field}\""));
        TraceError {
            line: self.number,
            column: at.map_or(1, |byte| self.text[..byte].chars().count() + 1),
            message: message.into(),
        }
    }

    fn parse<'a, T: Deserialize<'a>>(&'a self) -> Result<T, TraceError> {
        serde_json::from_str(self.text).map_err(|error| {
            let message = error.to_string();
            let end = message.rfind(" at line").unwrap_or(message.len());
            TraceError {
                line: self.number,
                column: error.column().max(1),
                message: message[..end].to_owned(),
            }
        })
    }
}

struct Reader {
    trace: Trace,
    shape: Shape,
    /// Numbers of the events whose effect stands on the board.
    standing: HashSet<u64>,
    open: HashSet<u64>,
    known: HashSet<u64>,
    ended: bool,
}

impl Reader {
    fn new(source: &Source<'_>) -> Result<Reader, TraceError> {
        let line: HeaderLine = source.parse()?;
        if line.trace != VERSION {
            let found = line.trace;
            let message = format!("expected version {VERSION} of the format, found {found}");
            return Err(source.error("trace", message));
        }
        let kind = TraceKind::ALL
            .into_iter()
            .find(|kind| kind.name() == line.kind);
        let kind = kind.ok_or_else(|| {
            let known = TraceKind::ALL.map(TraceKind::name).join(", ");
            let found = &line.kind;
            source.error("kind", format!("expected one of {known}, found `{found}`"))
        })?;
        let grid = |field: &str, text: &str| {
            text.parse::<Grid>()
                .map_err(|error| source.error(field, error.to_string()))
        };
        let puzzle = grid("puzzle", &line.puzzle)?;
        let shape = puzzle.shape();
        if line.shape != shape.to_string() {
            let message = format!("expected {shape}, found `{}`", line.shape);
            return Err(source.error("shape", message));
        }
        let solution = match &line.solution {
            Some(text) => Some(grid("solution", text)?),
            None => None,
        };
        if let Some(solution) = &solution
            && let Err(broken) = planoku_sudoku::verify(&puzzle, solution)
        {
            return Err(source.error("solution", broken.to_string()));
        }
        let header = TraceHeader {
            engine: line.engine,
            kind,
            puzzle,
            solution,
            settings: line.settings.into_iter().collect(),
            capped: line.capped,
        };
        Ok(Reader {
            trace: Trace {
                header,
                events: Vec::new(),
            },
            shape,
            standing: HashSet::new(),
            open: HashSet::from([0]),
            known: HashSet::from([0]),
            ended: false,
        })
    }

    fn line(&mut self, source: &Source<'_>) -> Result<(), TraceError> {
        let line: Line = source.parse()?;
        let (wanted, found) = (self.trace.events.len() as u64 + 1, line.n);
        if found != wanted {
            return Err(source.error("n", format!("expected number {wanted}, found {found}")));
        }
        if self.ended {
            return Err(source.error("n", "expected no more events after `end`"));
        }
        let lit = self.marks(source, &line)?;
        let event = TraceEvent {
            board: self.board(source, &line)?,
            pane: self.pane(source, line)?,
            lit,
        };
        self.trace.events.push(event);
        Ok(())
    }

    fn marks(&self, source: &Source<'_>, line: &Line) -> Result<Vec<Mark>, TraceError> {
        let mark = |name: &String| {
            Mark::named(self.shape, name).ok_or_else(|| {
                let message = format!(
                    "expected a cell, a candidate or a house such as r3c6, r3c6=4 or b2, found `{name}`"
                );
                source.error("lit", message)
            })
        };
        line.lit.iter().map(mark).collect()
    }

    fn board(
        &mut self,
        source: &Source<'_>,
        line: &Line,
    ) -> Result<Option<BoardChange>, TraceError> {
        let parts = [
            line.place.is_some(),
            line.strike.is_some(),
            line.undo.is_some(),
        ];
        if parts.into_iter().filter(|there| *there).count() > 1 {
            let message = "expected one of place, strike and undo, found several";
            return Err(source.error("undo", message));
        }
        if let Some(place) = &line.place {
            let mut places = place.iter();
            let (Some((cell, digit)), None) = (places.next(), places.next()) else {
                let message = format!("expected one cell, found {}", place.len());
                return Err(source.error("place", message));
            };
            let cell = self.cell(source, "place", cell)?;
            let digit = self.digit(source, "place", *digit)?;
            if self.trace.header.puzzle.get(cell).is_some() {
                return Err(source.error("place", "expected an empty cell, found a clue"));
            }
            self.standing.insert(line.n);
            return Ok(Some(BoardChange::Place(cell, digit)));
        }
        if let Some(strike) = &line.strike {
            let mut candidates = Vec::new();
            for (cell, digits) in strike {
                let cell = self.cell(source, "strike", cell)?;
                for digit in digits {
                    candidates.push((cell, self.digit(source, "strike", *digit)?));
                }
            }
            self.standing.insert(line.n);
            return Ok(Some(BoardChange::Strike(candidates)));
        }
        if let Some(undo) = &line.undo {
            for number in undo {
                if !self.standing.remove(number) {
                    let message = format!(
                        "expected an earlier placement or strike that stands, found {number}"
                    );
                    return Err(source.error("undo", message));
                }
            }
            return Ok(Some(BoardChange::Undo(undo.clone())));
        }
        Ok(None)
    }

    fn pane(&mut self, source: &Source<'_>, line: Line) -> Result<Option<Pane>, TraceError> {
        let mut parts: Vec<Pane> = Vec::new();
        if let Some(open) = line.open {
            if !self.known.insert(open.node) {
                let message = format!("expected a new node, found {} again", open.node);
                return Err(source.error("node", message));
            }
            if !self.known.contains(&open.parent) {
                let message = format!("expected a node that was opened, found {}", open.parent);
                return Err(source.error("parent", message));
            }
            self.open.insert(open.node);
            parts.push(Pane::Open {
                node: open.node,
                parent: open.parent,
                label: open.label,
            });
        }
        if let Some(close) = line.close {
            if !self.open.remove(&close.node) {
                let message = format!("expected a node that is open, found {}", close.node);
                return Err(source.error("node", message));
            }
            parts.push(Pane::Close {
                node: close.node,
                why: close.why,
            });
        }
        if let Some(jump) = line.jump {
            if !self.open.contains(&jump.to) {
                let message = format!("expected a node that is open, found {}", jump.to);
                return Err(source.error("to", message));
            }
            parts.push(Pane::Jump {
                to: jump.to,
                because: jump.because,
            });
        }
        parts.extend(line.learn.map(|literals| Pane::Learn { literals }));
        parts.extend(line.message.map(|message| Pane::Message {
            from: message.from,
            to: message.to,
            kind: message.kind,
            about: message.about,
        }));
        parts.extend(line.note.map(Pane::Note));
        parts.extend(line.skip.map(Pane::Skip));
        if let Some(end) = line.end {
            self.ended = true;
            parts.push(Pane::End {
                end: end.end,
                found: end.found,
                nodes: end.nodes,
            });
        }
        if parts.len() > 1 {
            let message = "expected one part for the pane, found several";
            return Err(source.error("n", message));
        }
        Ok(parts.pop())
    }

    fn cell(&self, source: &Source<'_>, field: &str, name: &str) -> Result<Cell, TraceError> {
        cell_named(self.shape, name).ok_or_else(|| {
            let side = self.shape.side();
            let message = format!("expected a cell from r1c1 to r{side}c{side}, found `{name}`");
            source.error(field, message)
        })
    }

    fn digit(&self, source: &Source<'_>, field: &str, found: u8) -> Result<Digit, TraceError> {
        let side = self.shape.side();
        Digit::new(found)
            .filter(|digit| digit.index() < side)
            .ok_or_else(|| source.error(field, format!("expected 1 to {side}, found {found}")))
    }
}
