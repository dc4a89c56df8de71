//! Schedulers: ways to choose what happens next.
//!
//! Three of them hand out turns. A robot keeps its turn until it passes, and
//! nobody else moves meanwhile, so its picture of the board is always fresh:
//! *round robin* is the paper's, *random* draws from a seed, and *fewest* asks
//! for bids and lets the robot begin that sees the fewest open cells.
//!
//! *Interleaved* draws every single step from the seed: robots decide on what
//! they knew, others move in between, requests come too late and are refused.
//! It is concurrency that can be repeated. The real thing, a thread for each
//! robot, is in [`super::threads`].

use std::fmt;
use std::str::FromStr;

use planoku_engine::random::SplitMix;
use planoku_engine::{Stop, UnknownName};

use super::event::RobotEvent;
use super::messages::{Request, RobotId};
use super::world::{Choice, Listener, Stage};

pub use super::policy::Policy;

/// Who chooses what happens next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scheduler {
    /// Turns go round in order.
    #[default]
    RoundRobin,
    /// Turns go to a robot drawn from the seed.
    Random,
    /// Turns go to the robot that sees the fewest open cells.
    Fewest,
    /// Every step of every robot is drawn from the seed.
    Interleaved,
    /// Every robot has a thread of its own.
    Concurrent,
}

impl Scheduler {
    /// All schedulers.
    pub const ALL: [Scheduler; 5] = [
        Scheduler::RoundRobin,
        Scheduler::Random,
        Scheduler::Fewest,
        Scheduler::Interleaved,
        Scheduler::Concurrent,
    ];

    /// The name given to `--scheduler`.
    pub fn name(self) -> &'static str {
        match self {
            Scheduler::RoundRobin => "round-robin",
            Scheduler::Random => "random",
            Scheduler::Fewest => "fewest",
            Scheduler::Interleaved => "interleaved",
            Scheduler::Concurrent => "concurrent",
        }
    }
}

macro_rules! named {
    ($type:ty, $wanted:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL
                    .into_iter()
                    .find(|known| known.name() == name)
                    .ok_or_else(|| UnknownName::new($wanted, name))
            }
        }
    };
}

named!(Policy, "whole-scan or one-box");
named!(
    Scheduler,
    "round-robin, random, fewest, interleaved or concurrent"
);

/// Whoever pays: asked before every request is served.
pub trait RequestBudget {
    /// Pays for one request, or says stop.
    fn charge(&mut self, request: Request) -> Result<(), Stop>;

    /// Pays nothing, and says stop if a deadline passed or somebody cancelled.
    fn check(&mut self) -> Result<(), Stop>;
}

/// Lets the world run to its end under a scheduler that needs no threads.
pub fn drive<L: Listener, P: RequestBudget>(
    world: &mut Stage,
    scheduler: Scheduler,
    dice: &mut Dice,
    log: &mut L,
    budget: &mut P,
) -> Result<(), Stop> {
    match scheduler {
        Scheduler::RoundRobin => round_robin(world, log, budget),
        Scheduler::Random => hand_out_turns(world, log, budget, |_, ready, _| {
            ready[dice.roll(ready.len())]
        }),
        Scheduler::Fewest => hand_out_turns(world, log, budget, fewest_open_cells),
        Scheduler::Interleaved | Scheduler::Concurrent => interleave(world, dice, log, budget),
    }
}

fn round_robin<L: Listener, P: RequestBudget>(
    world: &mut Stage,
    log: &mut L,
    budget: &mut P,
) -> Result<(), Stop> {
    while world.ended().is_none() {
        let mut anyone = false;
        for robot in world.everyone() {
            if world.is_enabled(Choice::Robot(robot)) {
                turn(world, robot, log, budget)?;
                anyone = true;
            }
        }
        if !anyone {
            break;
        }
    }
    Ok(())
}

fn hand_out_turns<L: Listener, P: RequestBudget>(
    world: &mut Stage,
    log: &mut L,
    budget: &mut P,
    mut choose: impl FnMut(&mut Stage, &[RobotId], &mut L) -> RobotId,
) -> Result<(), Stop> {
    loop {
        let ready: Vec<RobotId> = world
            .everyone()
            .filter(|robot| world.is_enabled(Choice::Robot(*robot)))
            .collect();
        if ready.is_empty() {
            return Ok(());
        }
        let robot = choose(world, &ready, log);
        turn(world, robot, log, budget)?;
    }
}

/// Calls for bids and takes the lowest; among equals the first robot.
fn fewest_open_cells<L: Listener>(world: &mut Stage, ready: &[RobotId], log: &mut L) -> RobotId {
    for robot in ready {
        world.step(Choice::Bid(*robot), log);
    }
    let lowest = ready.iter().min_by_key(|robot| world.bid(**robot));
    *lowest.expect("somebody is ready")
}

/// One robot works until it passes; every request is served at once.
fn turn<L: Listener, P: RequestBudget>(
    world: &mut Stage,
    robot: RobotId,
    log: &mut L,
    budget: &mut P,
) -> Result<(), Stop> {
    log.note(RobotEvent::Turn(robot));
    loop {
        world.step(Choice::Robot(robot), log);
        if let Some(request) = world.request(robot) {
            budget.charge(request)?;
            world.step(Choice::Serve(robot), log);
        }
        if world.ended().is_some() || !world.is_busy(robot) {
            return Ok(());
        }
    }
}

fn interleave<L: Listener, P: RequestBudget>(
    world: &mut Stage,
    dice: &mut Dice,
    log: &mut L,
    budget: &mut P,
) -> Result<(), Stop> {
    let mut turns = Turns::new();
    loop {
        let choices: Vec<Choice> = world.choices().collect();
        if choices.is_empty() {
            return Ok(());
        }
        let choice = choices[dice.roll(choices.len())];
        if let Choice::Serve(robot) = choice
            && let Some(request) = world.request(robot)
        {
            budget.charge(request)?;
            turns.served(robot, request, log);
        }
        world.step(choice, log);
    }
}

/// Tells turns apart where nobody hands them out: a turn begins with the first
/// request after a pass.
pub(super) struct Turns {
    inside: u32,
}

impl Turns {
    pub(super) fn new() -> Turns {
        Turns { inside: 0 }
    }

    pub(super) fn served(&mut self, robot: RobotId, request: Request, log: &mut impl Listener) {
        let bit = 1 << robot.index();
        if self.inside & bit == 0 {
            log.note(RobotEvent::Turn(robot));
        }
        match request {
            Request::Place { .. } => self.inside |= bit,
            _ => self.inside &= !bit,
        }
    }
}

/// A seeded source of choices (SplitMix64), the same on every machine.
#[derive(Clone, Debug)]
pub struct Dice(SplitMix);

impl Dice {
    /// Dice that roll the same for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix::new(seed))
    }

    /// A number below `sides`, which must not be 0.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }
}
