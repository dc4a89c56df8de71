//! Traces: what happened in a run, one JSON object a line.
//!
//! The first line is a [`Header`]; every other line is an event. Rows, columns
//! and robots are counted from 1, as people do:
//!
//! ```text
//! {"trace":"planoku-agents","version":1,"puzzle":"1...","model":"3",...}
//! {"event":"turn","robot":4}
//! {"event":"ask","robot":4,"says":"place","row":1,"column":2,"digit":4}
//! {"event":"place","robot":4,"row":1,"column":2,"digit":4}
//! {"event":"tell","robot":4,"says":"granted"}
//! {"event":"finish","says":"fixed-point"}
//! ```
//!
//! Reading believes nothing: an event that could not have happened on the
//! board as it then was is an error that names its line and column.

use std::fmt;
use std::io::{self, BufRead, Write};

use planoku_engine::UnknownName;
use planoku_sudoku::{Cell, Digit, Grid, Shape};
use serde::{Deserialize, Serialize};

use super::messages::{Message, Request, RobotId, Rule};
use super::run::{Finish, Settings};
use super::table::Board;
use super::world::{Ended, Event, Loss};

/// What a trace is a trace of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Always `planoku-agents`.
    pub trace: String,
    /// Version of the format: 1.
    pub version: u32,
    /// The puzzle, in one line.
    pub puzzle: String,
    /// Its only solution, if it is known to have one.
    #[serde(default)]
    pub solution: Option<String>,
    /// Which robots.
    pub model: String,
    /// How they read their definition.
    pub reading: String,
    /// Who chose what happened next.
    pub scheduler: String,
    /// How long a robot kept its turn.
    pub policy: String,
    /// For the schedulers that draw.
    pub seed: u64,
}

impl Header {
    /// The header of a run.
    pub fn new(puzzle: &Grid, solution: Option<&Grid>, settings: &Settings) -> Header {
        Header {
            trace: KIND.to_owned(),
            version: 1,
            puzzle: puzzle.to_string(),
            solution: solution.map(Grid::to_string),
            model: settings.model.to_string(),
            reading: settings.reading.to_string(),
            scheduler: settings.scheduler.to_string(),
            policy: settings.policy.to_string(),
            seed: settings.seed,
        }
    }
}

const KIND: &str = "planoku-agents";

/// One line after the header, before it is understood.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digit: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quiet: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<Loss>,
}

/// Writes a trace while the run goes on.
pub struct TraceWriter<W: Write> {
    out: W,
    shape: Shape,
    left: u64,
    result: io::Result<()>,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header; of the events, at most `limit` will follow.
    pub fn new(mut out: W, header: &Header, shape: Shape, limit: u64) -> io::Result<Self> {
        serde_json::to_writer(&mut out, header)?;
        out.write_all(b"\n")?;
        Ok(TraceWriter {
            out,
            shape,
            left: limit,
            result: Ok(()),
        })
    }

    /// Writes an event. A failure to write is kept for [`TraceWriter::finish`].
    pub fn note(&mut self, event: Event) {
        if self.result.is_err() || self.left == 0 {
            return;
        }
        self.left -= 1;
        self.result = self.write(&line(event, self.shape));
        if self.left == 0 && self.result.is_ok() {
            self.result = self.write(&named("cut", None));
        }
    }

    /// Writes how the run ended.
    pub fn finish(mut self, finish: Finish) -> io::Result<W> {
        std::mem::replace(&mut self.result, Ok(()))?;
        self.write(&says("finish", None, finish.name()))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Says that the run went on, or was not followed to its end.
    pub fn cut(mut self) -> io::Result<W> {
        std::mem::replace(&mut self.result, Ok(()))?;
        self.write(&named("cut", None))?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

fn named(event: &str, robot: Option<RobotId>) -> Line {
    Line {
        event: event.to_owned(),
        robot: robot.map(|robot| robot.0 + 1),
        ..Line::default()
    }
}

fn says(event: &str, robot: Option<RobotId>, what: &str) -> Line {
    Line {
        says: Some(what.to_owned()),
        ..named(event, robot)
    }
}

impl Line {
    fn at(mut self, shape: Shape, cell: Cell) -> Line {
        self.row = Some(shape.row(cell) + 1);
        self.column = Some(shape.column(cell) + 1);
        self
    }

    fn with(mut self, digit: Digit) -> Line {
        self.digit = Some(digit.get());
        self
    }

    fn request(self, shape: Shape, request: Request) -> Line {
        match request {
            Request::Place { cell, digit } => self.at(shape, cell).with(digit),
            Request::Remove { cell } => self.at(shape, cell),
            Request::Pass { quiet } => Line { quiet, ..self },
            Request::Stuck | Request::Done | Request::Nothing => self,
        }
    }
}

fn request_name(request: Request) -> &'static str {
    match request {
        Request::Place { .. } => "place",
        Request::Remove { .. } => "remove",
        Request::Pass { .. } => "pass",
        Request::Stuck => "stuck",
        Request::Done => "done",
        Request::Nothing => "nothing",
    }
}

fn line(event: Event, shape: Shape) -> Line {
    match event {
        Event::Stage(model) => says("stage", None, model.name()),
        Event::Turn(robot) => named("turn", Some(robot)),
        Event::Asked { robot, request } => {
            says("ask", Some(robot), request_name(request)).request(shape, request)
        }
        Event::Told { robot, message } => {
            let told = |what| says("tell", Some(robot), what);
            match message {
                Message::Given { cell, digit } => told("given").at(shape, cell).with(digit),
                Message::Placed { cell, digit } => told("placed").at(shape, cell).with(digit),
                Message::Removed { cell, digit } => told("removed").at(shape, cell).with(digit),
                Message::Granted => told("granted"),
                Message::Refused(rule) => Line {
                    rule: Some(rule),
                    ..told("refused")
                },
                Message::Help => told("help"),
            }
        }
        Event::Bid { robot, open } => Line {
            open: Some(open),
            ..named("bid", Some(robot))
        },
        Event::Placed { robot, cell, digit } => {
            named("place", Some(robot)).at(shape, cell).with(digit)
        }
        Event::Removed { robot, cell, digit } => {
            named("remove", Some(robot)).at(shape, cell).with(digit)
        }
        Event::Refused {
            robot,
            request,
            rule,
        } => Line {
            rule: Some(rule),
            ..says("refuse", Some(robot), request_name(request)).request(shape, request)
        },
        Event::Lost { robot, how } => Line {
            how: Some(how),
            ..named("lose", Some(robot))
        },
        Event::Ended(ended) => says("end", None, ended_name(ended)),
    }
}

fn ended_name(ended: Ended) -> &'static str {
    match ended {
        Ended::Full => "full",
        Ended::FixedPoint => "fixed-point",
        Ended::Exhausted => "exhausted",
        Ended::Abandoned => "abandoned",
    }
}

/// A trace read back.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What it is a trace of.
    pub header: Header,
    /// The puzzle.
    pub puzzle: Grid,
    /// Its only solution, if the trace knows it.
    pub solution: Option<Grid>,
    /// What happened.
    pub events: Vec<Event>,
    /// True if the run went on beyond the last event.
    pub cut: bool,
    /// How the run ended: a name of [`Finish`], if the trace is complete.
    pub finish: Option<String>,
}

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
    /// Reads a trace and checks that it could have happened.
    pub fn read(input: impl BufRead) -> Result<Trace, TraceError> {
        let mut lines = input.lines().enumerate();
        let mut next = || -> Result<Option<(usize, String)>, TraceError> {
            for (index, text) in lines.by_ref() {
                let text = text.map_err(|error| TraceError {
                    line: index + 1,
                    column: 1,
                    message: error.to_string(),
                })?;
                if !text.trim().is_empty() {
                    return Ok(Some((index + 1, text)));
                }
            }
            Ok(None)
        };
        let Some((number, text)) = next()? else {
            return Err(TraceError {
                line: 1,
                column: 1,
                message: "expected the header of a trace, found nothing".to_owned(),
            });
        };
        let mut reader = Reader::new(&Source {
            number,
            text: &text,
        })?;
        while let Some((number, text)) = next()? {
            reader.line(&Source {
                number,
                text: &text,
            })?;
        }
        Ok(reader.trace)
    }
}

/// A line with its number, to blame.
struct Source<'a> {
    number: usize,
    text: &'a str,
}

impl Source<'_> {
    /// An error at the value of a field, or at the start if it is not there.
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

    fn need<T>(&self, field: &str, value: Option<T>) -> Result<T, TraceError> {
        value.ok_or_else(|| self.error(field, format!("expected a field `{field}`, found none")))
    }
}

struct Reader {
    trace: Trace,
    shape: Shape,
    /// The board as the events so far leave it.
    board: Board,
}

impl Reader {
    fn new(source: &Source<'_>) -> Result<Reader, TraceError> {
        let header: Header = source.parse()?;
        if header.trace != KIND {
            let found = &header.trace;
            return Err(source.error("trace", format!("expected `{KIND}`, found `{found}`")));
        }
        if header.version != 1 {
            let found = header.version;
            return Err(source.error("version", format!("expected version 1, found {found}")));
        }
        let grid = |field: &str, text: &str| {
            text.parse::<Grid>()
                .map_err(|error| source.error(field, error.to_string()))
        };
        let puzzle = grid("puzzle", &header.puzzle)?;
        let shape = puzzle.shape();
        let solution = match &header.solution {
            Some(text) => Some(grid("solution", text)?),
            None => None,
        };
        if let Some(solution) = &solution
            && let Err(broken) = planoku_sudoku::verify(&puzzle, solution)
        {
            return Err(source.error("solution", broken.to_string()));
        }
        let mut board = Board::new(shape);
        for (cell, digit) in puzzle.clues() {
            if let Some(rule) = board.forbids(cell, digit) {
                return Err(source.error("puzzle", rule.to_string()));
            }
            board.put(cell, digit);
        }
        Ok(Reader {
            trace: Trace {
                header,
                puzzle,
                solution,
                events: Vec::new(),
                cut: false,
                finish: None,
            },
            shape,
            board,
        })
    }

    fn line(&mut self, source: &Source<'_>) -> Result<(), TraceError> {
        let line: Line = source.parse()?;
        if self.trace.finish.is_some() {
            return Err(source.error("event", "expected no more events after `finish`"));
        }
        match line.event.as_str() {
            "cut" => self.trace.cut = true,
            "finish" => self.trace.finish = Some(source.need("says", line.says)?),
            _ => {
                let event = self.event(source, &line)?;
                self.apply(source, event)?;
                self.trace.events.push(event);
            }
        }
        Ok(())
    }

    fn event(&self, source: &Source<'_>, line: &Line) -> Result<Event, TraceError> {
        let robot = || self.robot(source, line);
        let cell = || self.cell(source, line);
        let digit = || self.digit(source, line);
        let what = || source.need("says", line.says.as_deref());
        Ok(match line.event.as_str() {
            "stage" => {
                let model = what()?.parse();
                Event::Stage(
                    model.map_err(|error: UnknownName| source.error("says", error.to_string()))?,
                )
            }
            "turn" => Event::Turn(robot()?),
            "ask" => Event::Asked {
                robot: robot()?,
                request: self.request(source, line)?,
            },
            "tell" => Event::Told {
                robot: robot()?,
                message: self.message(source, line)?,
            },
            "bid" => Event::Bid {
                robot: robot()?,
                open: source.need("open", line.open)?,
            },
            "place" => Event::Placed {
                robot: robot()?,
                cell: cell()?,
                digit: digit()?,
            },
            "remove" => Event::Removed {
                robot: robot()?,
                cell: cell()?,
                digit: digit()?,
            },
            "refuse" => Event::Refused {
                robot: robot()?,
                request: self.request(source, line)?,
                rule: source.need("rule", line.rule)?,
            },
            "lose" => Event::Lost {
                robot: robot()?,
                how: source.need("how", line.how)?,
            },
            "end" => Event::Ended(match what()? {
                "full" => Ended::Full,
                "fixed-point" => Ended::FixedPoint,
                "exhausted" => Ended::Exhausted,
                "abandoned" => Ended::Abandoned,
                other => {
                    let message = format!(
                        "expected full, fixed-point, exhausted or abandoned, found `{other}`"
                    );
                    return Err(source.error("says", message));
                }
            }),
            other => {
                let message = format!("there is no event `{other}`");
                return Err(source.error("event", message));
            }
        })
    }

    fn request(&self, source: &Source<'_>, line: &Line) -> Result<Request, TraceError> {
        Ok(match source.need("says", line.says.as_deref())? {
            "place" => Request::Place {
                cell: self.cell(source, line)?,
                digit: self.digit(source, line)?,
            },
            "remove" => Request::Remove {
                cell: self.cell(source, line)?,
            },
            "pass" => Request::Pass { quiet: line.quiet },
            "stuck" => Request::Stuck,
            "done" => Request::Done,
            "nothing" => Request::Nothing,
            other => return Err(source.error("says", format!("no robot asks `{other}`"))),
        })
    }

    fn message(&self, source: &Source<'_>, line: &Line) -> Result<Message, TraceError> {
        let cell = || self.cell(source, line);
        let digit = || self.digit(source, line);
        Ok(match source.need("says", line.says.as_deref())? {
            "given" => Message::Given {
                cell: cell()?,
                digit: digit()?,
            },
            "placed" => Message::Placed {
                cell: cell()?,
                digit: digit()?,
            },
            "removed" => Message::Removed {
                cell: cell()?,
                digit: digit()?,
            },
            "granted" => Message::Granted,
            "refused" => Message::Refused(source.need("rule", line.rule)?),
            "help" => Message::Help,
            other => return Err(source.error("says", format!("nobody is told `{other}`"))),
        })
    }

    fn robot(&self, source: &Source<'_>, line: &Line) -> Result<RobotId, TraceError> {
        let (found, side) = (source.need("robot", line.robot)?, self.shape.side());
        match found {
            1.. if usize::from(found) <= side => Ok(RobotId(found - 1)),
            _ => Err(source.error("robot", format!("expected 1 to {side}, found {found}"))),
        }
    }

    fn cell(&self, source: &Source<'_>, line: &Line) -> Result<Cell, TraceError> {
        let side = self.shape.side();
        let within = |field: &str, value: Option<usize>| match source.need(field, value)? {
            value if (1..=side).contains(&value) => Ok(value - 1),
            found => Err(source.error(field, format!("expected 1 to {side}, found {found}"))),
        };
        Ok(self
            .shape
            .cell(within("row", line.row)?, within("column", line.column)?))
    }

    fn digit(&self, source: &Source<'_>, line: &Line) -> Result<Digit, TraceError> {
        let (found, side) = (source.need("digit", line.digit)?, self.shape.side());
        Digit::new(found)
            .filter(|digit| digit.index() < side)
            .ok_or_else(|| source.error("digit", format!("expected 1 to {side}, found {found}")))
    }

    /// Makes the event happen on our own board.
    fn apply(&mut self, source: &Source<'_>, event: Event) -> Result<(), TraceError> {
        match event {
            Event::Placed { cell, digit, .. } => match self.board.forbids(cell, digit) {
                None => self.board.put(cell, digit),
                Some(rule) => {
                    return Err(source.error("event", format!("cannot have happened: {rule}")));
                }
            },
            Event::Removed { cell, digit, .. } => {
                if self.board.get(cell) != Some(digit) {
                    let found = self
                        .board
                        .get(cell)
                        .map_or("nothing".into(), |digit| format!("a box numbered {digit}"));
                    let message =
                        format!("cannot have happened: expected {digit} there, found {found}");
                    return Err(source.error("event", message));
                }
                self.board.take(cell);
            }
            _ => {}
        }
        Ok(())
    }
}
