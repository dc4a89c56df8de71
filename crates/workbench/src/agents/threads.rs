//! Truly concurrent robots: a thread each, and the environment in ours.
//!
//! The robots and the environment are the very ones of [`Stage`]; only the
//! mailboxes are channels now, and nobody chooses who goes next. What a thread
//! does (read all mail, then act) is one [`Choice::Robot`], what the
//! environment does with a request is one [`Choice::Serve`], so whatever
//! happens here is one of the interleavings the model checker explores.
//!
//! [`Choice::Robot`]: super::Choice::Robot
//! [`Choice::Serve`]: super::Choice::Serve
//!
//! The environment trusts nobody. A robot whose thread ends says so as it
//! falls; one that owes an answer and keeps silent while everybody else waits
//! too is given up as late. Carriers go on without the lost one. A pair cannot,
//! and the run ends as abandoned. A late robot's thread is left behind: it
//! finds its mailbox closed when it wakes up, and ends.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use planoku_engine::Stop;

use super::environment::{Environment, Post};
use super::messages::{Message, Request, RobotId};
use super::robot::Robot;
use super::schedule::{RequestBudget, Turns};
use super::world::{Listener, Loss, RobotEvent, Stage};

/// A robot that misbehaves on purpose, to see what the others make of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Who.
    pub robot: RobotId,
    /// After so many actions.
    pub after: u32,
    /// What it does then.
    pub kind: FaultKind,
}

/// How a robot misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Its thread ends without a word.
    Dies,
    /// It sleeps for so long before its next action.
    Sleeps(Duration),
}

/// What reaches the environment.
enum Letter {
    Ask(RobotId, Request),
    /// The robot's thread has ended.
    Fallen(RobotId),
}

/// Runs the world to its end with a thread for each robot.
pub(super) fn run_threads<L: Listener, P: RequestBudget>(
    world: Stage,
    patience: Duration,
    fault: Option<Fault>,
    log: &mut L,
    budget: &mut P,
) -> (Environment, Result<(), Stop>) {
    let (mut environment, robots, mail) = world.into_parts();
    let (to_environment, inbox) = channel();
    let mut mailboxes = Vec::new();
    let mut threads = Vec::new();
    for (robot, unread) in robots.into_iter().zip(mail) {
        let (mailbox, letters) = channel();
        for message in unread {
            // The receiver is alive: it is ours for another line or two.
            let _ = mailbox.send(message);
        }
        let fault = fault.filter(|fault| fault.robot == robot.id());
        let environment = to_environment.clone();
        threads.push(thread::spawn(move || {
            live(robot, letters, environment, fault)
        }));
        mailboxes.push(mailbox);
    }
    drop(to_environment);

    let mut office = Office { mailboxes, log };
    let stopped = preside(&mut environment, &inbox, &mut office, patience, budget);

    // Closing the mailboxes sends everybody home. Whoever is late may take
    // longer than we care to wait.
    drop(office);
    for (index, thread) in threads.into_iter().enumerate() {
        if !environment.is_lost(RobotId(index as u8)) {
            let _ = thread.join();
        }
    }
    (environment, stopped)
}

struct Office<'a, L> {
    mailboxes: Vec<Sender<Message>>,
    log: &'a mut L,
}

impl<L: Listener> Post for Office<'_, L> {
    fn send(&mut self, to: RobotId, message: Message) {
        // A dead robot's mail is lost; its last letter tells us that it is dead.
        let _ = self.mailboxes[to.index()].send(message);
        self.log.note(RobotEvent::Told { robot: to, message });
    }

    fn note(&mut self, event: RobotEvent) {
        self.log.note(event);
    }
}

/// The environment's life: serve until the work is over.
fn preside<L: Listener, P: RequestBudget>(
    environment: &mut Environment,
    inbox: &Receiver<Letter>,
    office: &mut Office<'_, L>,
    patience: Duration,
    budget: &mut P,
) -> Result<(), Stop> {
    let mut turns = Turns::new();
    let mut last_word = Instant::now();
    while environment.ended().is_none() {
        // Look up now and then, so that a deadline or Ctrl-C is noticed.
        let nap = patience.min(Duration::from_millis(20));
        match inbox.recv_timeout(nap) {
            Ok(Letter::Ask(robot, request)) => {
                last_word = Instant::now();
                office.note(RobotEvent::Asked { robot, request });
                budget.charge(request)?;
                turns.served(robot, request, office.log);
                environment.serve(robot, request, office);
            }
            Ok(Letter::Fallen(robot)) => give_up(environment, office, robot, Loss::Died),
            Err(RecvTimeoutError::Timeout) if last_word.elapsed() < patience => budget.check()?,
            Err(_) => {
                // Silence, and somebody owes an answer.
                let silent = (0..environment.robots() as u8).map(RobotId);
                for robot in silent {
                    if environment.owes(robot) {
                        give_up(environment, office, robot, Loss::Late);
                    }
                }
                last_word = Instant::now();
            }
        }
    }
    if let Some(ended) = environment.ended() {
        office.note(RobotEvent::Ended(ended));
    }
    Ok(())
}

fn give_up<L: Listener>(
    environment: &mut Environment,
    office: &mut Office<'_, L>,
    robot: RobotId,
    how: Loss,
) {
    if !environment.is_lost(robot) && environment.ended().is_none() {
        office.note(RobotEvent::Lost { robot, how });
        environment.lose(robot);
    }
}

/// Says that the robot has fallen, however its thread ends.
struct LastWord {
    robot: RobotId,
    environment: Sender<Letter>,
}

impl Drop for LastWord {
    fn drop(&mut self) {
        // If the environment is gone too, nobody needs to know.
        let _ = self.environment.send(Letter::Fallen(self.robot));
    }
}

/// A robot's life: read all mail, act, wait for mail. Ends when the
/// environment closes the mailbox.
fn live(
    mut robot: Robot,
    letters: Receiver<Message>,
    environment: Sender<Letter>,
    fault: Option<Fault>,
) {
    let last_word = LastWord {
        robot: robot.id(),
        environment,
    };
    let mut actions = 0;
    loop {
        while let Ok(message) = letters.try_recv() {
            robot.receive(message);
        }
        if robot.is_eager() {
            match fault {
                Some(fault) if fault.after == actions => match fault.kind {
                    FaultKind::Dies => return,
                    FaultKind::Sleeps(time) => thread::sleep(time),
                },
                _ => {}
            }
            actions += 1;
            if let Some(request) = robot.act()
                && last_word
                    .environment
                    .send(Letter::Ask(robot.id(), request))
                    .is_err()
            {
                return;
            }
        } else {
            match letters.recv() {
                Ok(message) => robot.receive(message),
                Err(_) => return,
            }
        }
    }
}
