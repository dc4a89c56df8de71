//! What happens on the table of boxes: messages between robots and table, and
//! boxes that move.
//!
//! A box taken back ends what began when it was placed: model 1 is
//! backtracking, and its trace thins like that of any search.

use planoku_sudoku::{Cell, Digit, Grid, Shape};

use super::{
    BoardChange, Mark, Pane, Recorder, Trace, TraceEvent, TraceHeader, TraceKind, cell_name,
};
use crate::agents::messages::{Message, Request};
use crate::agents::world::WorkEnded;
use crate::agents::{Loss, RobotEvent as Said, RobotSettings};

/// Records a run of the robots.
pub struct Robots {
    recorder: Recorder,
    shape: Shape,
    solution: Option<Grid>,
    /// Boxes that stand, in the order they came: cell and event.
    standing: Vec<(Cell, u64)>,
}

/// The header of a run with these settings.
pub fn header(
    engine: &str,
    puzzle: &Grid,
    solution: Option<&Grid>,
    settings: &RobotSettings,
) -> TraceHeader {
    TraceHeader {
        solution: solution.cloned(),
        settings: vec![
            ("model".into(), settings.model.to_string()),
            ("reading".into(), settings.reading.to_string()),
            ("scheduler".into(), settings.scheduler.to_string()),
            ("policy".into(), settings.policy.to_string()),
            ("seed".into(), settings.seed.to_string()),
        ],
        ..TraceHeader::new(engine, TraceKind::Robots, puzzle)
    }
}

impl Robots {
    /// Begins a trace of at most `limit` events.
    pub fn new(header: TraceHeader, limit: usize) -> Robots {
        Robots {
            shape: header.puzzle.shape(),
            solution: header.solution.clone(),
            recorder: Recorder::new(header, limit),
            standing: Vec::new(),
        }
    }

    /// The trace.
    pub fn finish(self, end: &str, found: u64, nodes: Option<u64>) -> Trace {
        self.recorder.finish(end, found, nodes)
    }

    /// The recorder, to add to it.
    pub(super) fn into_recorder(self) -> Recorder {
        self.recorder
    }

    /// Records what happened.
    pub fn event(&mut self, said: Said) {
        match said {
            Said::Stage(model) => {
                self.note(format!("the robots of model {model} take over"));
            }
            Said::Turn(robot) => self.message("scheduler", &robot.to_string(), "turn", ""),
            Said::Asked { robot, request } => {
                let (kind, about) = self.request(request);
                self.message(&robot.to_string(), "table", kind, &about);
            }
            Said::Told { robot, message } => {
                let (kind, about) = match message {
                    Message::Given { cell, digit } => ("given", self.there(cell, digit)),
                    Message::Placed { cell, digit } => ("placed", self.there(cell, digit)),
                    Message::Removed { cell, digit } => ("removed", self.there(cell, digit)),
                    Message::Granted => ("granted", String::new()),
                    Message::Refused(rule) => ("refused", rule.to_string()),
                    Message::Help => ("help", String::new()),
                };
                self.message("table", &robot.to_string(), kind, &about);
            }
            Said::Bid { robot, open } => {
                let about = format!("{open} open cells");
                self.message(&robot.to_string(), "scheduler", "bid", &about);
            }
            Said::Placed { robot, cell, digit } => {
                let wrong = match self.solution.as_ref().and_then(|it| it.get(cell)) {
                    Some(right) if right != digit => {
                        format!(" (wrong: the solution has {right})")
                    }
                    _ => String::new(),
                };
                let place = self.there(cell, digit);
                let event = TraceEvent {
                    board: Some(BoardChange::Place(cell, digit)),
                    ..TraceEvent::note(format!("{robot} puts {place}{wrong}"))
                };
                let id = self.recorder.begin(event);
                self.standing.push((cell, id));
            }
            Said::Removed { robot, cell, digit } => {
                let name = cell_name(self.shape, cell);
                let event = TraceEvent::note(format!("{robot} takes {digit} back from {name}"));
                self.remove(cell, event);
            }
            Said::Refused {
                robot,
                request,
                rule,
            } => {
                let (kind, about) = self.request(request);
                let cell = match request {
                    Request::Place { cell, .. } | Request::Remove { cell } => Some(cell),
                    _ => None,
                };
                let note = TraceEvent::note(format!("{robot} may not {kind} {about}: {rule}"));
                self.recorder.push(note.lit(cell.map(Mark::Cell)));
            }
            Said::Lost { robot, how } => self.note(match how {
                Loss::Died => format!("{robot} has died"),
                Loss::Late => format!("{robot} is too late and given up"),
            }),
            Said::Ended(ended) => self.note(
                match ended {
                    WorkEnded::Full => "the board is full",
                    WorkEnded::FixedPoint => "nobody finds anything to do; cells are empty",
                    WorkEnded::Exhausted => "everything was tried",
                    WorkEnded::Abandoned => "the work is abandoned",
                }
                .to_owned(),
            ),
        }
    }

    /// Takes a box back. The one placed last ends what it began; another one,
    /// which no robot of ours may take, is taken back by itself.
    fn remove(&mut self, cell: Cell, event: TraceEvent) {
        let Some(at) = self.standing.iter().rposition(|(known, _)| *known == cell) else {
            return;
        };
        let (_, id) = self.standing.remove(at);
        if at == self.standing.len() {
            self.recorder.end(event);
        } else {
            self.recorder.push(TraceEvent {
                board: Some(BoardChange::Undo(vec![id])),
                ..event
            });
        }
    }

    fn note(&mut self, text: String) {
        self.recorder.push(TraceEvent::note(text));
    }

    fn message(&mut self, from: &str, to: &str, kind: &str, about: &str) {
        self.recorder.push(TraceEvent::pane(Pane::Message {
            from: from.to_owned(),
            to: to.to_owned(),
            kind: kind.to_owned(),
            about: about.to_owned(),
        }));
    }

    fn request(&self, request: Request) -> (&'static str, String) {
        match request {
            Request::Place { cell, digit } => ("place", self.there(cell, digit)),
            Request::Remove { cell } => ("remove", cell_name(self.shape, cell)),
            Request::Pass { quiet: None } => ("pass", String::new()),
            Request::Pass { quiet: Some(_) } => ("pass", "with nothing to do".to_owned()),
            Request::Stuck => ("stuck", String::new()),
            Request::Done => ("done", String::new()),
            Request::Nothing => ("nothing", "left to take back".to_owned()),
        }
    }

    fn there(&self, cell: Cell, digit: Digit) -> String {
        format!("{} on {}", digit.get(), cell_name(self.shape, cell))
    }
}
