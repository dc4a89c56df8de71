//! A robot: what it believes, what it waits for, what it does next.
//!
//! A robot knows only what its mail says. It reads ([`Robot::receive`]) and,
//! when it is not waiting for an answer, it acts ([`Robot::act`]): one request
//! to the environment. Both are plain functions of the robot's state, so the
//! same robot runs under a scheduler, in a thread of its own, and inside the
//! model checker.

use planoku_sudoku::{Cell, Digit};

use super::messages::{Message, Request, RobotId};
use super::models::{Interpretation, RobotModel, is_valid};
use super::policy::Policy;
use super::table::{BlockTable, KnownBoard};

/// One robot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Robot {
    id: RobotId,
    job: Job,
    /// The board as the mail describes it; it may lag behind.
    view: KnownBoard,
    /// Version of the board seen: one for each box told of, and each change.
    seen: u32,
    /// The request not yet answered.
    awaiting: Option<Request>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Job {
    Carrier(Carrier),
    Placer(Placer),
    Remover(Remover),
}

/// Carries the boxes of one number to positions it calls valid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Carrier {
    digit: Digit,
    model: RobotModel,
    reading: Interpretation,
    policy: Policy,
    /// Boxes left on its pile.
    left: u16,
    /// The first cell of the scan not yet looked at; `None` between turns.
    cursor: Option<u16>,
    /// The version seen when the last scan began; `None` before the first.
    began: Option<u32>,
    /// True if this turn has moved a box.
    moved: bool,
}

/// Puts the lowest legal box on the lowest empty cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Placer {
    /// Numbers below this one were tried on the lowest empty cell.
    floor: u8,
    /// It has reported, and waits for the remover.
    reported: bool,
}

/// Takes the last box back when the placer is stuck.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Remover {
    /// The cells filled by the placer, in that order.
    order: Vec<Cell>,
    called: bool,
}

impl Robot {
    /// The robots of a model, one after the other, each with the boxes it is
    /// responsible for; a model of two stages has no robots of its own.
    pub fn team(
        model: RobotModel,
        reading: Interpretation,
        policy: Policy,
        table: &BlockTable,
    ) -> Vec<Robot> {
        let shape = table.board().shape();
        let robot = |index: usize, job| Robot {
            id: RobotId(index as u8),
            job,
            view: KnownBoard::new(shape),
            seen: 0,
            awaiting: None,
        };
        if model == RobotModel::M1 {
            let placer = Placer {
                floor: 1,
                reported: false,
            };
            let remover = Remover {
                order: Vec::with_capacity(shape.cells()),
                called: false,
            };
            return vec![
                robot(0, Job::Placer(placer)),
                robot(1, Job::Remover(remover)),
            ];
        }
        let carrier = |digit: Digit| Carrier {
            digit,
            model,
            reading,
            policy,
            left: table.pile(digit),
            cursor: None,
            began: None,
            moved: false,
        };
        shape
            .digits()
            .map(|digit| robot(digit.index(), Job::Carrier(carrier(digit))))
            .collect()
    }

    /// Who it is.
    pub fn id(&self) -> RobotId {
        self.id
    }

    /// What it believes.
    pub fn view(&self) -> &KnownBoard {
        &self.view
    }

    /// True while it waits for an answer.
    pub fn is_waiting(&self) -> bool {
        self.awaiting.is_some()
    }

    /// Reads one message.
    pub fn receive(&mut self, message: Message) {
        match message {
            Message::Given { cell, digit } => self.note(cell, digit),
            Message::Placed { cell, digit } => {
                self.note(cell, digit);
                if let Job::Remover(remover) = &mut self.job {
                    remover.order.push(cell);
                }
            }
            Message::Removed { cell, digit } => {
                self.view.take(cell);
                self.seen += 1;
                if let Job::Placer(placer) = &mut self.job {
                    placer.floor = digit.get() + 1;
                    placer.reported = false;
                }
            }
            Message::Granted => self.granted(),
            Message::Refused(_) => self.refused(),
            Message::Help => {
                if let Job::Remover(remover) = &mut self.job {
                    remover.called = true;
                }
            }
        }
    }

    fn note(&mut self, cell: Cell, digit: Digit) {
        self.view.put(cell, digit);
        self.seen += 1;
    }

    fn granted(&mut self) {
        match self.awaiting.take() {
            Some(Request::Place { cell, digit }) => {
                self.note(cell, digit);
                match &mut self.job {
                    Job::Carrier(carrier) => {
                        carrier.moved = true;
                        carrier.left -= 1;
                        if carrier.left == 0 {
                            carrier.cursor = None;
                        }
                    }
                    Job::Placer(placer) => placer.floor = 1,
                    Job::Remover(_) => {}
                }
            }
            Some(Request::Remove { cell }) => {
                self.view.take(cell);
                self.seen += 1;
                if let Job::Remover(remover) = &mut self.job {
                    remover.order.pop();
                }
            }
            _ => {}
        }
    }

    /// A carrier goes on with its scan, a placer tries a higher number, and a
    /// remover strikes the box from its record: none asks the same again.
    fn refused(&mut self) {
        match (self.awaiting.take(), &mut self.job) {
            (Some(Request::Place { digit, .. }), Job::Placer(placer)) => {
                placer.floor = digit.get() + 1;
            }
            (Some(Request::Remove { .. }), Job::Remover(remover)) => {
                remover.order.pop();
                remover.called = true;
            }
            _ => {}
        }
    }

    /// True if the robot would do something now, without further mail.
    #[inline]
    pub fn is_eager(&self) -> bool {
        self.awaiting.is_none()
            && match &self.job {
                Job::Carrier(carrier) => {
                    carrier.left > 0
                        && (carrier.cursor.is_some() || carrier.began != Some(self.seen))
                }
                Job::Placer(placer) => !placer.reported,
                Job::Remover(remover) => remover.called,
            }
    }

    /// True if this message, unread, is a reason to give the robot its turn.
    #[inline]
    pub fn is_roused_by(&self, message: Message) -> bool {
        if self.awaiting.is_some() {
            return message.is_reply();
        }
        match &self.job {
            Job::Carrier(carrier) => carrier.left > 0,
            Job::Placer(_) => matches!(message, Message::Removed { .. }),
            Job::Remover(_) => message == Message::Help,
        }
    }

    /// True if the robot is in the middle of its turn.
    #[inline]
    pub fn is_busy(&self) -> bool {
        self.awaiting.is_some()
            || match &self.job {
                Job::Carrier(carrier) => carrier.cursor.is_some(),
                Job::Placer(placer) => !placer.reported,
                Job::Remover(remover) => remover.called,
            }
    }

    /// Thinks, and says what it wants, if anything.
    #[inline]
    pub fn act(&mut self) -> Option<Request> {
        if !self.is_eager() {
            return None;
        }
        let request = match &mut self.job {
            Job::Carrier(carrier) => carrier.act(&self.view, self.seen),
            Job::Placer(placer) => placer.act(&self.view),
            Job::Remover(remover) => remover.act(),
        };
        if matches!(request, Request::Place { .. } | Request::Remove { .. }) {
            self.awaiting = Some(request);
        }
        Some(request)
    }

    /// How many cells the robot still sees open for its number: what it bids
    /// when turns go to whoever has the fewest.
    pub fn bid(&self) -> u16 {
        match &self.job {
            Job::Carrier(carrier) => self.view.open_cells(carrier.digit) as u16,
            Job::Placer(_) | Job::Remover(_) => 0,
        }
    }

    /// Grows with every action in a fixed-point model, whatever the others do:
    /// each scan begins with a newer board than the one before, and each
    /// action within a scan looks further. So no run goes on for ever.
    pub fn progress(&self) -> u64 {
        let Job::Carrier(carrier) = &self.job else {
            return 0;
        };
        let scan = self.view.shape().cells() as u64 + 2;
        match (carrier.began, carrier.cursor) {
            (None, _) => 0,
            (Some(began), Some(cursor)) => (u64::from(began) + 1) * scan + u64::from(cursor),
            (Some(began), None) => (u64::from(began) + 1) * scan + scan - 1,
        }
    }
}

impl Carrier {
    fn act(&mut self, view: &KnownBoard, seen: u32) -> Request {
        let start = match self.cursor {
            Some(_) if self.moved && self.policy == Policy::OneBox => return self.pass(),
            Some(cursor) => cursor,
            None => {
                self.began = Some(seen);
                self.moved = false;
                0
            }
        };
        let valid = (usize::from(start)..view.shape().cells())
            .map(Cell::new)
            .find(|cell| is_valid(self.model, self.reading, view, *cell, self.digit));
        match valid {
            Some(cell) => {
                self.cursor = Some(cell.index() as u16 + 1);
                Request::Place {
                    cell,
                    digit: self.digit,
                }
            }
            None => self.pass(),
        }
    }

    fn pass(&mut self) -> Request {
        self.cursor = None;
        Request::Pass {
            quiet: if self.moved { None } else { self.began },
        }
    }
}

impl Placer {
    #[inline]
    fn act(&mut self, view: &KnownBoard) -> Request {
        let Some(cell) = view.first_empty() else {
            self.reported = true;
            return Request::Done;
        };
        let untried = view.candidates(cell).0 >> (self.floor - 1) << (self.floor - 1);
        match Digit::new(untried.trailing_zeros() as u8 + 1) {
            Some(digit) => Request::Place { cell, digit },
            None => {
                self.reported = true;
                Request::Stuck
            }
        }
    }
}

impl Remover {
    #[inline]
    fn act(&mut self) -> Request {
        self.called = false;
        match self.order.last() {
            Some(cell) => Request::Remove { cell: *cell },
            None => Request::Nothing,
        }
    }
}
