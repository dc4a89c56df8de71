//! A trace played back and forth.
//!
//! A [`Replay`] stands between two events. Going forward or back moves one box
//! at most, so a long trace costs no more than a short one.

use planoku_sudoku::{Cell, Digit, Grid};

use super::messages::{Request, RobotId};
use super::trace::Trace;
use super::world::{Ended, Event};

/// A place in a trace.
pub struct Replay<'a> {
    trace: &'a Trace,
    /// Events behind us.
    position: usize,
    board: Grid,
}

impl<'a> Replay<'a> {
    /// Stands before the first event.
    pub fn new(trace: &'a Trace) -> Replay<'a> {
        Replay {
            trace,
            position: 0,
            board: trace.puzzle.clone(),
        }
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

    /// The board as it is now.
    pub fn board(&self) -> &Grid {
        &self.board
    }

    /// How many boxes with this number lie on their pile.
    pub fn pile(&self, digit: Digit) -> usize {
        let on_board = self.board.cells().iter().flatten();
        self.board.shape().side() - on_board.filter(|other| **other == digit).count()
    }

    /// The event just behind us.
    pub fn last(&self) -> Option<Event> {
        Some(self.trace.events[self.position.checked_sub(1)?])
    }

    /// True if the box there differs from the unique solution.
    pub fn is_wrong(&self, cell: Cell) -> bool {
        match (&self.trace.solution, self.board.get(cell)) {
            (Some(solution), Some(digit)) => solution.get(cell) != Some(digit),
            _ => false,
        }
    }

    /// Makes the next event happen; false at the end.
    pub fn forward(&mut self) -> bool {
        let Some(event) = self.trace.events.get(self.position) else {
            return false;
        };
        match *event {
            Event::Placed { cell, digit, .. } => self.board.set(cell, Some(digit)),
            Event::Removed { cell, .. } => self.board.set(cell, None),
            _ => {}
        }
        self.position += 1;
        true
    }

    /// Undoes the last event; false at the beginning.
    pub fn back(&mut self) -> bool {
        match self.last() {
            None => return false,
            Some(Event::Placed { cell, .. }) => self.board.set(cell, None),
            Some(Event::Removed { cell, digit, .. }) => self.board.set(cell, Some(digit)),
            Some(_) => {}
        }
        self.position -= 1;
        true
    }

    /// Goes forward until something that `matters` has happened; false if
    /// nothing does, and then it stands at the end.
    pub fn forward_to(&mut self, matters: impl Fn(Event) -> bool) -> bool {
        while self.forward() {
            if self.last().is_some_and(&matters) {
                return true;
            }
        }
        false
    }

    /// Goes back until something that `matters` has just happened, or to the
    /// beginning.
    pub fn back_to(&mut self, matters: impl Fn(Event) -> bool) {
        while self.back() {
            if self.last().is_some_and(&matters) {
                return;
            }
        }
    }

    /// True if something goes wrong with this event: a wrong box, a refusal, a
    /// robot that is stuck or lost, an end with cells empty.
    pub fn is_failure(&self, event: Event) -> bool {
        match event {
            Event::Placed { cell, digit, .. } => {
                let solution = self.trace.solution.as_ref();
                solution.is_some_and(|solution| solution.get(cell) != Some(digit))
            }
            Event::Asked { request, .. } => request == Request::Stuck,
            Event::Refused { .. } | Event::Lost { .. } => true,
            Event::Ended(ended) => ended != Ended::Full,
            _ => false,
        }
    }

    /// Goes forward to the next failure; false if there is none ahead, and
    /// then it stays where it is.
    pub fn jump_to_failure(&mut self) -> bool {
        let ahead = &self.trace.events[self.position..];
        match ahead.iter().position(|event| self.is_failure(*event)) {
            None => false,
            Some(distance) => {
                for _ in 0..=distance {
                    self.forward();
                }
                true
            }
        }
    }
}

/// True for events that a picture can show: a box moves, a request is refused,
/// a robot is lost, a stage begins or ends.
pub fn is_visible(event: Event) -> bool {
    !matches!(
        event,
        Event::Turn(_) | Event::Asked { .. } | Event::Told { .. } | Event::Bid { .. }
    )
}

/// The event in a sentence.
pub fn sentence(event: Event, trace: &Trace) -> String {
    let shape = trace.puzzle.shape();
    let place = |cell| {
        format!(
            "row {}, column {}",
            shape.row(cell) + 1,
            shape.column(cell) + 1
        )
    };
    let wish = |request| match request {
        Request::Place { cell, digit } => format!("to put {digit} on {}", place(cell)),
        Request::Remove { cell } => format!("to take back {}", place(cell)),
        Request::Pass { .. } => "for nothing more and passes".to_owned(),
        Request::Stuck => "for help: it is stuck".to_owned(),
        Request::Done => "for nothing more: the job is done".to_owned(),
        Request::Nothing => "for nothing more: there is nothing left to try".to_owned(),
    };
    let who = |robot: RobotId| robot.to_string();
    match event {
        Event::Stage(model) => format!("model {model} begins"),
        Event::Turn(robot) => format!("{}'s turn", who(robot)),
        Event::Asked { robot, request } => format!("{} asks {}", who(robot), wish(request)),
        Event::Told { robot, message } => {
            use super::messages::Message;
            let told = match message {
                Message::Given { cell, digit } => format!("{digit} is given on {}", place(cell)),
                Message::Placed { cell, digit } => format!("{digit} is now on {}", place(cell)),
                Message::Removed { cell, digit } => {
                    format!("{digit} is no longer on {}", place(cell))
                }
                Message::Granted => "granted".to_owned(),
                Message::Refused(rule) => format!("refused, {rule}"),
                Message::Help => "the placer is stuck, take the last box back".to_owned(),
            };
            format!("{} is told: {told}", who(robot))
        }
        Event::Bid { robot, open } => format!("{} bids: {open} open cells", who(robot)),
        Event::Placed { robot, cell, digit } => {
            let wrong = match &trace.solution {
                Some(solution) if solution.get(cell) != Some(digit) => {
                    let right = solution.get(cell).map_or('?', Digit::symbol);
                    format!(" (wrong: the solution has {right})")
                }
                _ => String::new(),
            };
            format!("{} puts {digit} on {}{wrong}", who(robot), place(cell))
        }
        Event::Removed { robot, cell, digit } => {
            format!("{} takes {digit} back from {}", who(robot), place(cell))
        }
        Event::Refused {
            robot,
            request,
            rule,
        } => format!("{} is refused {}: {rule}", who(robot), wish(request)),
        Event::Lost { robot, how } => match how {
            super::world::Loss::Died => format!("{} has died", who(robot)),
            super::world::Loss::Late => format!("{} is too late and given up", who(robot)),
        },
        Event::Ended(ended) => match ended {
            Ended::Full => "the board is full".to_owned(),
            Ended::FixedPoint => "nobody finds anything to do; cells are empty".to_owned(),
            Ended::Exhausted => "everything was tried".to_owned(),
            Ended::Abandoned => "the work is abandoned".to_owned(),
        },
    }
}
