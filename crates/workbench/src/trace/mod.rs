//! One format for everything that can be watched.
//!
//! A trace is what `--trace` writes, `replay` reads and the page streams,
//! whatever solved the puzzle: JSON Lines, a header and then events. An event
//! has at most two parts, what it does to the board and what it does to the
//! pane beside it:
//!
//! ```text
//! {"trace":2,"engine":"cbj","kind":"search","puzzle":"8…","shape":"9x9","capped":false}
//! {"n":1,"place":{"r1c2":1},"open":{"node":1,"parent":0,"label":"r1c2 = 1"}}
//! {"n":2,"undo":[1],"close":{"node":1,"why":"1 clashes"}}
//! {"n":3,"end":{"end":"enough","found":1,"nodes":153}}
//! ```
//!
//! So a player needs one interpreter for the board ([`Player`]) and a small
//! one for each kind of pane. [`Recorder`] writes traces and keeps them within
//! a limit by leaving out what is deepest; [`watch()`] makes one with any
//! engine; [`Trace::read`] believes nothing it reads.

pub mod film;
mod people;
mod plan;
mod play;
mod read;
mod record;
mod robots;
mod sat;
mod search;
mod watch;
mod write;

pub use people::{PEOPLE, people};
pub use play::Player;
pub use read::TraceError;
pub use record::Recorder;
pub use robots::{Robots, header as robots_header};
pub use watch::{WatchRequest, Watched, engines, kind_of, watch};

use std::sync::{Mutex, MutexGuard, PoisonError};

use planoku_sudoku::{Cell, Digit, Grid, House, HouseKind, Shape};

/// Events of a trace if nobody says how many.
pub const LIMIT: usize = 100_000;

/// What a trace is a trace of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceHeader {
    /// Who solved the puzzle.
    pub engine: String,
    /// How it thinks, and so what the pane shows.
    pub kind: TraceKind,
    /// The puzzle.
    pub puzzle: Grid,
    /// Its only solution, where that is known: a box that differs is wrong.
    pub solution: Option<Grid>,
    /// Settings beyond the engine's name, for people.
    pub settings: Vec<(String, String)>,
    /// True if events were left out to keep to the limit.
    pub capped: bool,
}

/// How an engine thinks, and so what the pane beside the board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceKind {
    /// A search tree, with jumps and conflict sets.
    Search,
    /// Decisions, what follows from them, and learnt clauses.
    Sat,
    /// A decomposition tree.
    Htn,
    /// A list of actions with what they need.
    Strips,
    /// Robots and their messages.
    Robots,
    /// Techniques in words.
    People,
    /// An engine that does not tell how: the answer alone.
    Answer,
}

impl TraceKind {
    /// Every kind.
    pub const ALL: [TraceKind; 7] = [
        TraceKind::Search,
        TraceKind::Sat,
        TraceKind::Htn,
        TraceKind::Strips,
        TraceKind::Robots,
        TraceKind::People,
        TraceKind::Answer,
    ];

    /// The word used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            TraceKind::Search => "search",
            TraceKind::Sat => "sat",
            TraceKind::Htn => "htn",
            TraceKind::Strips => "strips",
            TraceKind::Robots => "robots",
            TraceKind::People => "people",
            TraceKind::Answer => "answer",
        }
    }
}

/// Something that happened. Its number is its place in the trace, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceEvent {
    /// What it does to the board.
    pub board: Option<BoardChange>,
    /// What it does to the pane.
    pub pane: Option<Pane>,
    /// What it rests on, to be lit on the board.
    pub lit: Vec<Mark>,
}

/// What an event does to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardChange {
    /// A digit is put into a cell.
    Place(Cell, Digit),
    /// Candidates are struck.
    Strike(Vec<(Cell, Digit)>),
    /// What the events of these numbers did is taken back.
    Undo(Vec<u64>),
}

/// What an event does to the pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pane {
    /// A node of a tree begins; node 0 is the root, which is always there.
    Open {
        /// Its number.
        node: u64,
        /// The node it belongs to.
        parent: u64,
        /// What it says.
        label: String,
    },
    /// A node is over.
    Close {
        /// Its number.
        node: u64,
        /// Why, if there is a reason.
        why: Option<String>,
    },
    /// The search returns over several nodes at once.
    Jump {
        /// The node it returns to, which loses its value.
        to: u64,
        /// The conflict set: the choices that cannot all stay.
        because: Vec<String>,
    },
    /// Something is known from now on: at least one of these holds.
    Learn {
        /// The literals in words, such as `r1c2 ≠ 4`.
        literals: Vec<String>,
    },
    /// Somebody says something to somebody.
    Message {
        /// Who.
        from: String,
        /// To whom.
        to: String,
        /// What kind of message.
        kind: String,
        /// What about; may be empty.
        about: String,
    },
    /// A sentence.
    Note(String),
    /// So many events stood here and are left out.
    Skip(u64),
    /// The last event: how it ended.
    End {
        /// As `planoku solve --json` says it.
        end: String,
        /// Solutions found.
        found: u64,
        /// Nodes, where the engine counts them.
        nodes: Option<u64>,
    },
}

/// Something on the board that is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `r3c6`
    Cell(Cell),
    /// `r3c6=4`
    Candidate(Cell, Digit),
    /// `r3`, `c6` or `b2`
    House(House),
}

/// A trace read back, or just recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What it is a trace of.
    pub header: TraceHeader,
    /// What happened.
    pub events: Vec<TraceEvent>,
}

impl TraceHeader {
    /// A header without settings.
    pub fn new(engine: impl Into<String>, kind: TraceKind, puzzle: &Grid) -> TraceHeader {
        TraceHeader {
            engine: engine.into(),
            kind,
            puzzle: puzzle.clone(),
            solution: None,
            settings: Vec::new(),
            capped: false,
        }
    }

    /// Engine and settings in one line.
    pub fn title(&self) -> String {
        let mut title = self.engine.clone();
        for (name, value) in &self.settings {
            title += &format!(", {name} {value}");
        }
        title
    }
}

impl TraceEvent {
    /// True for events that a picture can show, as opposed to messages and the
    /// mere coming and going of nodes.
    pub fn is_visible(&self) -> bool {
        let told = matches!(
            self.pane,
            Some(Pane::Note(_) | Pane::Jump { .. } | Pane::Learn { .. } | Pane::End { .. })
        );
        self.board.is_some() || told
    }

    /// An event with a pane part alone.
    pub fn pane(pane: Pane) -> TraceEvent {
        TraceEvent {
            pane: Some(pane),
            ..TraceEvent::default()
        }
    }

    /// An event with a board part alone.
    pub fn board(board: BoardChange) -> TraceEvent {
        TraceEvent {
            board: Some(board),
            ..TraceEvent::default()
        }
    }

    /// A sentence.
    pub fn note(text: impl Into<String>) -> TraceEvent {
        TraceEvent::pane(Pane::Note(text.into()))
    }

    /// The same event, resting on these.
    #[must_use]
    pub fn lit(mut self, marks: impl IntoIterator<Item = Mark>) -> TraceEvent {
        self.lit.extend(marks);
        self
    }
}

impl Pane {
    /// The event in one sentence.
    pub fn sentence(&self) -> String {
        match self {
            Pane::Open { label, .. } => label.clone(),
            Pane::Close { node, why: None } => format!("back from node {node}"),
            Pane::Close {
                node,
                why: Some(why),
            } => format!("back from node {node}: {why}"),
            Pane::Jump { to, because } if because.is_empty() => format!("jump to node {to}"),
            Pane::Jump { to, because } => {
                format!("jump to node {to}: {} cannot all stay", because.join(", "))
            }
            Pane::Learn { literals } => format!("learnt: {}", literals.join(" or ")),
            Pane::Message {
                from,
                to,
                kind,
                about,
            } if about.is_empty() => format!("{from} to {to}: {kind}"),
            Pane::Message {
                from,
                to,
                kind,
                about,
            } => format!("{from} to {to}: {kind} {about}"),
            Pane::Note(text) => text.clone(),
            Pane::Skip(events) => format!("({events} deeper events are left out)"),
            Pane::End { end, found, nodes } => {
                let nodes = nodes.map_or(String::new(), |nodes| format!(", {nodes} nodes"));
                format!("the end: {end}, {found} found{nodes}")
            }
        }
    }
}

/// `r3c6`, counted from 1.
pub fn cell_name(shape: Shape, cell: Cell) -> String {
    format!("r{}c{}", shape.row(cell) + 1, shape.column(cell) + 1)
}

/// The cell of that name.
pub fn cell_named(shape: Shape, name: &str) -> Option<Cell> {
    let (row, column) = name.strip_prefix('r')?.split_once('c')?;
    let within = |text: &str| {
        let number = text.parse::<usize>().ok()?.checked_sub(1)?;
        (number < shape.side() && !text.starts_with('+')).then_some(number)
    };
    Some(shape.cell(within(row)?, within(column)?))
}

/// `r3`, `c6` or `b2`, counted from 1.
pub fn house_name(house: House) -> String {
    let letter = match house.kind {
        HouseKind::Row => 'r',
        HouseKind::Column => 'c',
        HouseKind::Box => 'b',
    };
    format!("{letter}{}", house.index + 1)
}

impl Mark {
    /// As JSON writes it.
    pub fn name(self, shape: Shape) -> String {
        match self {
            Mark::Cell(cell) => cell_name(shape, cell),
            Mark::Candidate(cell, digit) => {
                format!("{}={}", cell_name(shape, cell), digit.get())
            }
            Mark::House(house) => house_name(house),
        }
    }

    /// The mark of that name.
    pub fn named(shape: Shape, name: &str) -> Option<Mark> {
        if let Some((cell, digit)) = name.split_once('=') {
            let digit = Digit::new(digit.parse().ok()?);
            let digit = digit.filter(|digit| digit.index() < shape.side())?;
            return Some(Mark::Candidate(cell_named(shape, cell)?, digit));
        }
        if let Some(cell) = cell_named(shape, name) {
            return Some(Mark::Cell(cell));
        }
        shape
            .houses()
            .find(|house| house_name(*house) == name)
            .map(Mark::House)
    }
}

/// The value, whoever panicked while holding it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
