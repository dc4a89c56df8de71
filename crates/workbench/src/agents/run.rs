//! One run from puzzle to report: stages, budget, counts.

use std::time::Duration;

use planoku_engine::clock::Instant;
use planoku_engine::{EngineError, Run, Stop};
use planoku_sudoku::Grid;

use super::messages::{Request, RobotId};
use super::models::{Interpretation, RobotModel};
use super::schedule::{Dice, Policy, RequestBudget, Scheduler, drive};
use super::table::{BlockTable, TwoInAHouse};
use super::threads::{Fault, run_threads};
use super::world::{Listener, Loss, RobotEvent, Stage, WorkEnded};

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct RobotSettings {
    /// Which robots.
    pub model: RobotModel,
    /// How the definitions of models 3 and 4 are read.
    pub reading: Interpretation,
    /// Who chooses what happens next.
    pub scheduler: Scheduler,
    /// How long a robot keeps its turn.
    pub policy: Policy,
    /// For the schedulers that draw.
    pub seed: u64,
    /// Stop after so many removals.
    pub removals: Option<u64>,
    /// How long the environment waits for a silent robot in a thread.
    pub patience: Duration,
    /// A robot in a thread that misbehaves on purpose.
    pub fault: Option<Fault>,
}

impl RobotSettings {
    /// That model, sound, round robin, whole scans: the paper's way.
    pub fn new(model: RobotModel) -> RobotSettings {
        RobotSettings {
            model,
            reading: Interpretation::Sound,
            scheduler: Scheduler::RoundRobin,
            policy: Policy::WholeScan,
            seed: 0,
            removals: None,
            patience: Duration::from_secs(5),
            fault: None,
        }
    }

    /// These settings with the definitions taken as they are printed.
    #[must_use]
    pub fn printed(mut self) -> RobotSettings {
        self.reading = Interpretation::Printed;
        self
    }

    /// True if no robot ever places a box that is wrong in some solution.
    pub fn is_sound(&self) -> bool {
        self.reading == Interpretation::Sound || !self.model.has_readings()
    }
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Boxes put on the board.
    pub placements: u64,
    /// Boxes taken back.
    pub removals: u64,
    /// Requests, answers, news and bids.
    pub messages: u64,
    /// Requests refused.
    pub refusals: u64,
    /// Turns taken.
    pub turns: u64,
    /// The most turns any one robot took, over all stages: under round robin,
    /// how often the turn went round.
    pub rounds: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The board is full.
    Solved,
    /// Nobody finds anything to do, and cells are empty: proves nothing.
    FixedPoint,
    /// Everything was tried, and every box on the way was forced: there is no
    /// solution (or no further one).
    Exhausted,
    /// Everything was tried on top of boxes that may be wrong: proves nothing.
    DeadEnd,
    /// A robot was lost that nobody can replace.
    Abandoned,
    /// A budget ran out.
    Stopped(StoppedBy),
}

impl Finish {
    /// The word used in JSON, on the terminal and in traces.
    pub fn name(self) -> &'static str {
        match self {
            Finish::Solved => "solved",
            Finish::FixedPoint => "fixed-point",
            Finish::Exhausted => "exhausted",
            Finish::DeadEnd => "dead-end",
            Finish::Abandoned => "abandoned",
            Finish::Stopped(_) => "stopped",
        }
    }
}

/// Which budget ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// One of those every engine knows; a node is a request served.
    Budget(Stop),
    /// [`RobotSettings::removals`].
    Removals,
}

impl StoppedBy {
    /// The word used in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            StoppedBy::Budget(stop) => stop.name(),
            StoppedBy::Removals => "removals",
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The board at the end.
    pub grid: Grid,
    /// How it ended.
    pub finish: Finish,
    /// What it did.
    pub counts: Counts,
    /// Who was given up on the way.
    pub lost: Vec<(RobotId, Loss)>,
    /// Wall-clock time.
    pub time: Duration,
}

/// Why there was no run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// The puzzle breaks the rules before anyone moves: it has no solution.
    Contradiction(TwoInAHouse),
    /// The environment lost or doubled a box: a bug in Planoku.
    Internal(String),
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunError::Contradiction(twice) => write!(f, "{twice}: there is no solution"),
            RunError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<RunError> for EngineError {
    fn from(error: RunError) -> EngineError {
        EngineError::Internal(error.to_string())
    }
}

/// Runs robots on a puzzle until the first full board, or until they end.
pub fn run(
    puzzle: &Grid,
    settings: &RobotSettings,
    run: &mut Run<'_>,
) -> Result<RunReport, RunError> {
    run_with(puzzle, settings, run, None, &mut |_| false)
}

/// As [`run`], telling `listener` every event, and asking `go_on` at every full
/// board whether to look for another; only model 1 can, without threads.
pub fn run_with(
    puzzle: &Grid,
    settings: &RobotSettings,
    run: &mut Run<'_>,
    listener: Option<&mut dyn FnMut(RobotEvent)>,
    go_on: &mut dyn FnMut(&Grid) -> bool,
) -> Result<RunReport, RunError> {
    let started = Instant::now();
    let mut table = BlockTable::lay(puzzle).map_err(RunError::Contradiction)?;
    let mut tally = Tally {
        counts: Counts::default(),
        lost: Vec::new(),
        turns: [0; 25],
        listener,
    };
    let mut dice = Dice::new(settings.seed);
    let mut finish = Finish::FixedPoint;
    for (nth, stage) in settings.model.stages().iter().enumerate() {
        // What earlier stages placed is as fixed as the puzzle itself.
        if nth > 0 {
            table = BlockTable::lay(&table.board().grid()).map_err(RunError::Contradiction)?;
        }
        let world = Stage::new(table, *stage, settings.reading, settings.policy, &mut tally);
        let (left, stopped) = run_stage(world, settings, run, &mut dice, &mut tally, go_on);
        tally.end_stage();
        table = left.table;
        audit(&table)?;
        finish = match (left.ended, stopped) {
            (_, Err(by)) => Finish::Stopped(by),
            (Some(WorkEnded::Full), _) => Finish::Solved,
            (Some(WorkEnded::Exhausted), _) if settings.is_sound() => Finish::Exhausted,
            (Some(WorkEnded::Exhausted), _) => Finish::DeadEnd,
            (Some(WorkEnded::Abandoned), _) => Finish::Abandoned,
            (Some(WorkEnded::FixedPoint) | None, _) => Finish::FixedPoint,
        };
        if finish != Finish::FixedPoint {
            break;
        }
    }
    Ok(RunReport {
        grid: table.board().grid(),
        finish,
        counts: tally.counts,
        lost: tally.lost,
        time: started.elapsed(),
    })
}

/// What a stage leaves behind.
struct Left {
    table: BlockTable,
    ended: Option<WorkEnded>,
}

fn run_stage(
    mut world: Stage,
    settings: &RobotSettings,
    run: &mut Run<'_>,
    dice: &mut Dice,
    tally: &mut Tally<'_>,
    go_on: &mut dyn FnMut(&Grid) -> bool,
) -> (Left, Result<(), StoppedBy>) {
    let mut wallet = RunBudget {
        run,
        removals: settings.removals,
        no_more_removals: false,
    };
    if settings.scheduler == Scheduler::Concurrent {
        let (patience, fault) = (settings.patience, settings.fault);
        let (environment, stopped) = run_threads(world, patience, fault, tally, &mut wallet);
        let ended = environment.ended();
        let table = environment.into_table();
        if ended == Some(WorkEnded::Full) {
            go_on(&table.board().grid());
        }
        return (
            Left { table, ended },
            stopped.map_err(|stop| wallet.stopped_by(stop)),
        );
    }
    let stopped = loop {
        if let Err(stop) = drive(&mut world, settings.scheduler, dice, tally, &mut wallet) {
            break Err(wallet.stopped_by(stop));
        }
        let full = world.ended() == Some(WorkEnded::Full);
        if !(full && go_on(&world.table().board().grid()) && world.go_on(tally)) {
            break Ok(());
        }
    };
    let ended = world.ended();
    let table = world.into_table();
    (Left { table, ended }, stopped)
}

/// Checks after every stage what the model checker checks after every step.
fn audit(table: &BlockTable) -> Result<(), RunError> {
    if !table.is_conserved() {
        return Err(RunError::Internal("boxes were lost or doubled".to_owned()));
    }
    match table.two_in_a_house() {
        Some(twice) => Err(RunError::Internal(twice.to_string())),
        None => Ok(()),
    }
}

/// Pays for requests: one node each, and removals apart.
struct RunBudget<'r, 'a> {
    run: &'r mut Run<'a>,
    removals: Option<u64>,
    no_more_removals: bool,
}

impl RunBudget<'_, '_> {
    fn stopped_by(&self, stop: Stop) -> StoppedBy {
        match self.no_more_removals {
            true => StoppedBy::Removals,
            false => StoppedBy::Budget(stop),
        }
    }
}

impl RequestBudget for RunBudget<'_, '_> {
    #[inline]
    fn charge(&mut self, request: Request) -> Result<(), Stop> {
        if let (Some(left), Request::Remove { .. }) = (&mut self.removals, request) {
            if *left == 0 {
                self.no_more_removals = true;
                return Err(Stop::Nodes);
            }
            *left -= 1;
        }
        self.run.tick()
    }

    fn check(&mut self) -> Result<(), Stop> {
        self.run.check()
    }
}

/// Counts events and passes them on.
struct Tally<'a> {
    counts: Counts,
    lost: Vec<(RobotId, Loss)>,
    turns: [u64; 25],
    listener: Option<&'a mut dyn FnMut(RobotEvent)>,
}

impl Tally<'_> {
    /// Rounds are counted by stage.
    fn end_stage(&mut self) {
        let turns = std::mem::take(&mut self.turns);
        self.counts.rounds += turns.into_iter().max().unwrap_or(0);
    }
}

impl Listener for Tally<'_> {
    #[inline]
    fn note(&mut self, event: RobotEvent) {
        let counts = &mut self.counts;
        match event {
            RobotEvent::Asked { .. } | RobotEvent::Told { .. } => counts.messages += 1,
            RobotEvent::Bid { .. } => counts.messages += 2,
            RobotEvent::Placed { .. } => counts.placements += 1,
            RobotEvent::Removed { .. } => counts.removals += 1,
            RobotEvent::Refused { .. } => counts.refusals += 1,
            RobotEvent::Turn(robot) => {
                counts.turns += 1;
                self.turns[robot.index()] += 1;
            }
            RobotEvent::Lost { robot, how } => self.lost.push((robot, how)),
            RobotEvent::Stage(_) | RobotEvent::Ended(_) => {}
        }
        if let Some(listener) = &mut self.listener {
            listener(event);
        }
    }
}
