//! A trace as text: one JSON object a line.
//!
//! [`HeaderLine`] and [`Line`] are the format to the letter; what is written is
//! what is read.

use std::collections::BTreeMap;
use std::fmt;

use planoku_sudoku::Shape;
use serde::{Deserialize, Serialize};

use super::{BoardChange, Pane, Trace, TraceEvent, TraceHeader, cell_name};

/// The first line of a trace.
#[derive(Serialize, Deserialize)]
pub(super) struct HeaderLine {
    pub trace: u32,
    pub engine: String,
    pub kind: String,
    pub puzzle: String,
    pub shape: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    #[serde(default)]
    pub capped: bool,
}

/// The version of the format.
pub(super) const VERSION: u32 = 2;

/// Every other line.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub n: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<BTreeMap<String, u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strike: Option<BTreeMap<String, Vec<u8>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Vec<u64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close: Option<ClosePart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jump: Option<JumpPart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learn: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessagePart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<EndPart>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lit: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenPart {
    pub node: u64,
    pub parent: u64,
    pub label: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosePart {
    pub node: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JumpPart {
    pub to: u64,
    pub because: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessagePart {
    pub from: String,
    pub to: String,
    pub kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndPart {
    pub end: String,
    pub found: u64,
    pub nodes: Option<u64>,
}

impl TraceHeader {
    /// The header as a line of JSON, without the line's end.
    pub fn json(&self) -> String {
        json(&HeaderLine {
            trace: VERSION,
            engine: self.engine.clone(),
            kind: self.kind.name().to_owned(),
            puzzle: self.puzzle.to_string(),
            shape: self.puzzle.shape().to_string(),
            solution: self.solution.as_ref().map(ToString::to_string),
            settings: self.settings.iter().cloned().collect(),
            capped: self.capped,
        })
    }
}

impl TraceEvent {
    /// The event as a line of JSON, without the line's end.
    ///
    /// ```
    /// use planoku_sudoku::{Cell, Digit, Shape};
    /// use planoku_workbench::trace::{BoardChange, TraceEvent};
    ///
    /// let digit = Digit::new(4).unwrap();
    /// let event = TraceEvent::board(BoardChange::Place(Cell::new(10), digit));
    /// assert_eq!(event.json(1, Shape::Three), r#"{"n":1,"place":{"r2c2":4}}"#);
    /// ```
    pub fn json(&self, number: u64, shape: Shape) -> String {
        let mut line = Line {
            n: number,
            lit: self.lit.iter().map(|mark| mark.name(shape)).collect(),
            ..Line::default()
        };
        match &self.board {
            Some(BoardChange::Place(cell, digit)) => {
                let place = (cell_name(shape, *cell), digit.get());
                line.place = Some(BTreeMap::from([place]));
            }
            Some(BoardChange::Strike(candidates)) => {
                let mut strike: BTreeMap<String, Vec<u8>> = BTreeMap::new();
                for (cell, digit) in candidates {
                    let digits = strike.entry(cell_name(shape, *cell)).or_default();
                    digits.push(digit.get());
                }
                line.strike = Some(strike);
            }
            Some(BoardChange::Undo(numbers)) => line.undo = Some(numbers.clone()),
            None => {}
        }
        if let Some(pane) = &self.pane {
            line.show(pane.clone());
        }
        json(&line)
    }
}

impl Line {
    fn show(&mut self, pane: Pane) {
        match pane {
            Pane::Open {
                node,
                parent,
                label,
            } => {
                self.open = Some(OpenPart {
                    node,
                    parent,
                    label,
                });
            }
            Pane::Close { node, why } => self.close = Some(ClosePart { node, why }),
            Pane::Jump { to, because } => self.jump = Some(JumpPart { to, because }),
            Pane::Learn { literals } => self.learn = Some(literals),
            Pane::Message {
                from,
                to,
                kind,
                about,
            } => {
                self.message = Some(MessagePart {
                    from,
                    to,
                    kind,
                    about,
                });
            }
            Pane::Note(text) => self.note = Some(text),
            Pane::Skip(events) => self.skip = Some(events),
            Pane::End { end, found, nodes } => {
                self.end = Some(EndPart { end, found, nodes });
            }
        }
    }
}

impl Trace {
    /// The lines of the trace, header first, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let shape = self.header.puzzle.shape();
        let events = (1..).zip(&self.events);
        std::iter::once_with(|| self.header.json())
            .chain(events.map(move |(number, event)| event.json(number, shape)))
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and lists of them are JSON")
}
