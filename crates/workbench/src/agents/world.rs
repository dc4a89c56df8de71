//! Everything at once, and the one function that moves it on.
//!
//! A [`Stage`] is the environment, the robots, their mailboxes and the requests
//! not yet served. [`Stage::step`] takes a [`Choice`] and makes it so; given
//! the same world and the same choice it always does the same. Schedulers are
//! ways to choose. The model checker makes every choice there is.
//!
//! ```text
//!             request, at most one a robot
//!   robot 1 ───────────────────────────────►┐
//!   robot 2 ───────────────────────────────►│ environment ── table
//!     ...                                   │
//!     ▲────────── mailbox ◄─────────────────┘
//! ```
//!
//! Choices are made of two halves, so that everything may come between a
//! robot's decision and its effect: [`Choice::Robot`] lets a robot read all its
//! mail and act, [`Choice::Serve`] lets the environment serve its request.

use std::collections::VecDeque;

use planoku_sudoku::Shape;

use super::environment::{Environment, Post};
use super::messages::{Message, Request, RobotId};
use super::models::{Interpretation, RobotModel};
use super::policy::Policy;
use super::robot::Robot;
use super::table::BlockTable;

pub use super::event::{Loss, RobotEvent, WorkEnded};

/// What may happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The robot reads its mail and acts.
    Robot(RobotId),
    /// The environment serves the robot's request.
    Serve(RobotId),
    /// The robot reads its mail and says how many cells it sees open.
    Bid(RobotId),
    /// The robot dies, and the environment notices.
    Lose(RobotId),
}

/// Whoever wants to know what happens.
pub trait Listener {
    /// Hears of one event.
    fn note(&mut self, event: RobotEvent);
}

impl<F: FnMut(RobotEvent)> Listener for F {
    #[inline]
    fn note(&mut self, event: RobotEvent) {
        self(event);
    }
}

/// The state of one stage of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    environment: Environment,
    robots: Vec<Robot>,
    mailboxes: Vec<VecDeque<Message>>,
    /// The request each robot has sent and that is not served yet.
    requests: Vec<Option<Request>>,
}

struct Office<'a, L> {
    mailboxes: &'a mut [VecDeque<Message>],
    log: &'a mut L,
}

impl<L: Listener> Post for Office<'_, L> {
    #[inline]
    fn send(&mut self, to: RobotId, message: Message) {
        self.mailboxes[to.index()].push_back(message);
        self.log.note(RobotEvent::Told { robot: to, message });
    }

    #[inline]
    fn note(&mut self, event: RobotEvent) {
        self.log.note(event);
    }
}

impl Stage {
    /// A table with the robots of a one-stage model around it; each finds a
    /// message for every box on the board in its mailbox.
    pub fn new(
        table: BlockTable,
        model: RobotModel,
        reading: Interpretation,
        policy: Policy,
        log: &mut impl Listener,
    ) -> Stage {
        log.note(RobotEvent::Stage(model));
        let robots = Robot::team(model, reading, policy, &table);
        let mut world = Stage {
            environment: Environment::new(table, model == RobotModel::M1),
            mailboxes: vec![VecDeque::with_capacity(128); robots.len()],
            requests: vec![None; robots.len()],
            robots,
        };
        for robot in world.everyone() {
            let mut office = Office {
                mailboxes: &mut world.mailboxes,
                log,
            };
            world.environment.introduce(robot, &mut office);
        }
        if let Some(ended) = world.ended() {
            log.note(RobotEvent::Ended(ended));
        }
        world
    }

    /// Every robot's name.
    pub fn everyone(&self) -> impl Iterator<Item = RobotId> + use<> {
        (0..self.robots.len() as u8).map(RobotId)
    }

    /// The size of the board.
    pub fn shape(&self) -> Shape {
        self.table().board().shape()
    }

    /// The table, for judges and painters.
    pub fn table(&self) -> &BlockTable {
        self.environment.table()
    }

    /// The table, when the stage is over.
    pub fn into_table(self) -> BlockTable {
        self.environment.into_table()
    }

    /// How the stage ended, if it has.
    #[inline]
    pub fn ended(&self) -> Option<WorkEnded> {
        self.environment.ended()
    }

    /// True if the robot is in the middle of its turn or its request waits.
    #[inline]
    pub fn is_busy(&self, robot: RobotId) -> bool {
        self.requests[robot.index()].is_some() || self.robots[robot.index()].is_busy()
    }

    /// The robot's request that is not served yet.
    #[inline]
    pub fn request(&self, robot: RobotId) -> Option<Request> {
        self.requests[robot.index()]
    }

    /// True if the choice would change something.
    #[inline]
    pub fn is_enabled(&self, choice: Choice) -> bool {
        if self.ended().is_some() {
            return false;
        }
        match choice {
            Choice::Robot(robot) => {
                let (index, robots) = (robot.index(), &self.robots);
                self.requests[index].is_none()
                    && !self.environment.is_lost(robot)
                    && (robots[index].is_eager()
                        || self.mailboxes[index]
                            .iter()
                            .any(|message| robots[index].is_roused_by(*message)))
            }
            Choice::Serve(robot) => self.requests[robot.index()].is_some(),
            Choice::Bid(robot) | Choice::Lose(robot) => !self.environment.is_lost(robot),
        }
    }

    /// What robots and environment may do next, in a fixed order.
    pub fn choices(&self) -> impl Iterator<Item = Choice> + '_ {
        self.everyone()
            .flat_map(|robot| [Choice::Robot(robot), Choice::Serve(robot)])
            .filter(|choice| self.is_enabled(*choice))
    }

    /// The transition function: makes one choice come true.
    #[inline]
    pub fn step(&mut self, choice: Choice, log: &mut impl Listener) {
        match choice {
            Choice::Robot(robot) => {
                self.read_mail(robot);
                if self.requests[robot.index()].is_none()
                    && let Some(request) = self.robots[robot.index()].act()
                {
                    log.note(RobotEvent::Asked { robot, request });
                    self.requests[robot.index()] = Some(request);
                }
            }
            Choice::Serve(robot) => {
                if let Some(request) = self.requests[robot.index()].take() {
                    let mut office = Office {
                        mailboxes: &mut self.mailboxes,
                        log,
                    };
                    self.environment.serve(robot, request, &mut office);
                }
            }
            Choice::Bid(robot) => {
                self.read_mail(robot);
                let open = self.robots[robot.index()].bid();
                log.note(RobotEvent::Bid { robot, open });
            }
            Choice::Lose(robot) => {
                self.requests[robot.index()] = None;
                self.environment.lose(robot);
                let how = Loss::Died;
                log.note(RobotEvent::Lost { robot, how });
            }
        }
        if let Some(ended) = self.ended() {
            log.note(RobotEvent::Ended(ended));
        }
    }

    #[inline]
    fn read_mail(&mut self, robot: RobotId) {
        let mailbox = &mut self.mailboxes[robot.index()];
        while let Some(message) = mailbox.pop_front() {
            self.robots[robot.index()].receive(message);
        }
    }

    /// What the robot bids; [`Choice::Bid`] makes it read its mail first.
    pub fn bid(&self, robot: RobotId) -> u16 {
        self.robots[robot.index()].bid()
    }

    /// Treats a full board as a failure, so that model 1 looks for another;
    /// false if the model cannot.
    pub fn go_on(&mut self, log: &mut impl Listener) -> bool {
        let mut office = Office {
            mailboxes: &mut self.mailboxes,
            log,
        };
        self.environment.go_on(&mut office)
    }

    /// Takes the world apart, for robots that will run in threads.
    pub fn into_parts(self) -> (Environment, Vec<Robot>, Vec<VecDeque<Message>>) {
        (self.environment, self.robots, self.mailboxes)
    }

    /// A number that grows with every step of a fixed-point model, whatever is
    /// chosen, and has an upper bound on every board: why all runs end.
    pub fn progress(&self) -> u64 {
        let acted: u64 = self.robots.iter().map(Robot::progress).sum();
        let unserved = self.requests.iter().flatten().count() as u64;
        2 * acted + self.requests.len() as u64 - unserved
    }
}
