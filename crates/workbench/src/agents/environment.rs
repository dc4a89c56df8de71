//! The environment: the only one who touches the table.
//!
//! It serves one request at a time: grants it and tells every other robot what
//! has changed, or refuses it and names the rule. It also knows when the work
//! is over. In the fixed-point models that is when every robot that still has
//! boxes has said "nothing to do" about the board as it is now; a robot's word
//! about an older board does not count, so no message in flight can fool it.

use super::event::{RobotEvent, WorkEnded};
use super::messages::{Message, Refusal, Request, RobotId};
use super::table::BlockTable;

/// Where the environment's messages go.
pub trait Post {
    /// Puts a message into a robot's mailbox.
    fn send(&mut self, to: RobotId, message: Message);

    /// Notes what happened, for counts and traces.
    fn note(&mut self, event: RobotEvent);
}

/// The table and who works at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Environment {
    table: BlockTable,
    crew: Crew,
    /// Boxes told of and changes since: what `quiet` is compared with.
    version: u32,
    ended: Option<WorkEnded>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Crew {
    /// A placer and a remover, and who of them is lost.
    Pair { lost: [bool; 2] },
    /// One carrier per number.
    Carriers(Vec<Standing>),
}

/// What the environment knows of a carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Standing {
    /// Nothing to do at that version.
    Quiet(u32),
    /// May still have something to do.
    Active,
    /// Dead, or too late once too often.
    Lost,
}

impl Environment {
    /// Opens a table for two robots (model 1) or for one per number.
    pub fn new(table: BlockTable, pair: bool) -> Environment {
        let side = table.board().shape().side();
        let given = table.board().shape().cells() - table.board().grid().blanks().count();
        let crew = if pair {
            Crew::Pair { lost: [false; 2] }
        } else {
            Crew::Carriers(vec![Standing::Active; side])
        };
        let mut environment = Environment {
            table,
            crew,
            version: given as u32,
            ended: None,
        };
        environment.decide_the_end();
        environment
    }

    /// The table, for judges and painters; robots have no access.
    pub fn table(&self) -> &BlockTable {
        &self.table
    }

    /// The table of an environment that has ended.
    pub fn into_table(self) -> BlockTable {
        self.table
    }

    /// How many robots there are.
    pub fn robots(&self) -> usize {
        match &self.crew {
            Crew::Pair { .. } => 2,
            Crew::Carriers(standing) => standing.len(),
        }
    }

    /// How the work ended, if it has.
    #[inline]
    pub fn ended(&self) -> Option<WorkEnded> {
        self.ended
    }

    /// Tells a robot what stands on the board before anyone moves.
    pub fn introduce(&self, robot: RobotId, post: &mut impl Post) {
        for (cell, digit) in self.table.board().grid().clues() {
            post.send(robot, Message::Given { cell, digit });
        }
    }

    /// Serves one request.
    #[inline]
    pub fn serve(&mut self, robot: RobotId, request: Request, post: &mut impl Post) {
        if self.is_lost(robot) {
            if matches!(request, Request::Place { .. } | Request::Remove { .. }) {
                self.refuse(robot, request, Refusal::Expelled, post);
            }
            return;
        }
        match request {
            Request::Place { cell, digit } => {
                let granted = match self.may_place(robot, digit.index()) {
                    true => self.table.place(cell, digit),
                    false => Err(Refusal::NotYours),
                };
                match granted {
                    Ok(()) => {
                        post.note(RobotEvent::Placed { robot, cell, digit });
                        self.grant(robot, Message::Placed { cell, digit }, post);
                    }
                    Err(rule) => self.refuse(robot, request, rule, post),
                }
            }
            Request::Remove { cell } => {
                let granted = match self.may_remove(robot) {
                    true => self.table.remove(cell),
                    false => Err(Refusal::NotYours),
                };
                match granted {
                    Ok(digit) => {
                        post.note(RobotEvent::Removed { robot, cell, digit });
                        self.grant(robot, Message::Removed { cell, digit }, post);
                    }
                    Err(rule) => self.refuse(robot, request, rule, post),
                }
            }
            Request::Pass { quiet } => self.passed(robot, quiet),
            Request::Stuck => post.send(REMOVER, Message::Help),
            Request::Done if self.table.is_full() => self.ended = Some(WorkEnded::Full),
            Request::Nothing if self.table.placed() == 0 => self.ended = Some(WorkEnded::Exhausted),
            // Reports that are not true are not believed.
            Request::Done | Request::Nothing => {}
        }
    }

    #[inline]
    fn may_place(&self, robot: RobotId, number: usize) -> bool {
        match self.crew {
            Crew::Pair { .. } => robot == PLACER,
            Crew::Carriers(_) => robot.index() == number,
        }
    }

    #[inline]
    fn may_remove(&self, robot: RobotId) -> bool {
        matches!(self.crew, Crew::Pair { .. }) && robot == REMOVER
    }

    #[inline]
    fn grant(&mut self, robot: RobotId, news: Message, post: &mut impl Post) {
        self.version += 1;
        for other in (0..self.robots() as u8).map(RobotId) {
            if other == robot {
                post.send(robot, Message::Granted);
            } else if !self.is_lost(other) {
                post.send(other, news);
            }
        }
        self.decide_the_end();
    }

    fn refuse(&mut self, robot: RobotId, request: Request, rule: Refusal, post: &mut impl Post) {
        post.note(RobotEvent::Refused {
            robot,
            request,
            rule,
        });
        post.send(robot, Message::Refused(rule));
    }

    fn passed(&mut self, robot: RobotId, quiet: Option<u32>) {
        if let Crew::Carriers(standing) = &mut self.crew {
            standing[robot.index()] = quiet.map_or(Standing::Active, Standing::Quiet);
            self.decide_the_end();
        }
    }

    /// The fixed point: nobody who has boxes left may still have work.
    #[inline]
    fn decide_the_end(&mut self) {
        let Crew::Carriers(standing) = &self.crew else {
            return;
        };
        let shape = self.table.board().shape();
        let over = shape.digits().all(|digit| {
            self.table.pile(digit) == 0
                || match standing[digit.index()] {
                    Standing::Quiet(version) => version == self.version,
                    Standing::Active => false,
                    Standing::Lost => true,
                }
        });
        if over {
            self.ended = Some(match self.table.is_full() {
                true => WorkEnded::Full,
                false => WorkEnded::FixedPoint,
            });
        }
    }

    /// True if the robot still owes the environment a word, so that silence
    /// from it is suspicious.
    pub fn owes(&self, robot: RobotId) -> bool {
        match &self.crew {
            // Of the two, the one whose turn it is; both are asked to answer.
            Crew::Pair { lost } => !lost[robot.index()],
            Crew::Carriers(standing) => {
                let digit = planoku_sudoku::Digit::new(robot.0 + 1);
                digit.is_some_and(|digit| self.table.pile(digit) > 0)
                    && match standing[robot.index()] {
                        Standing::Quiet(version) => version != self.version,
                        Standing::Active => true,
                        Standing::Lost => false,
                    }
            }
        }
    }

    /// True if the robot was given up.
    #[inline]
    pub fn is_lost(&self, robot: RobotId) -> bool {
        match &self.crew {
            Crew::Pair { lost } => lost[robot.index()],
            Crew::Carriers(standing) => standing[robot.index()] == Standing::Lost,
        }
    }

    /// Gives a robot up. Carriers go on without it; a pair cannot.
    pub fn lose(&mut self, robot: RobotId) {
        match &mut self.crew {
            Crew::Pair { lost } => {
                lost[robot.index()] = true;
                self.ended = Some(WorkEnded::Abandoned);
            }
            Crew::Carriers(standing) => {
                standing[robot.index()] = Standing::Lost;
                self.decide_the_end();
            }
        }
    }

    /// Treats the full board as a failure, so that model 1 looks for another;
    /// false if the model cannot.
    pub fn go_on(&mut self, post: &mut impl Post) -> bool {
        let can = self.ended == Some(WorkEnded::Full) && matches!(self.crew, Crew::Pair { .. });
        if can {
            self.ended = None;
            post.send(REMOVER, Message::Help);
        }
        can
    }
}

/// The robot of model 1 that places.
pub const PLACER: RobotId = RobotId(0);
/// The robot of model 1 that takes back.
pub const REMOVER: RobotId = RobotId(1);
