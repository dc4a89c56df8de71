//! All planners on one problem: the first verified plan wins.
//!
//! What is hard for one planner is often easy for another, and nobody knows
//! beforehand. So they take turns, each turn four times as long as the one
//! before, beginning with the lifted walk that needs no grounding. Turns of
//! searching planners are measured in nodes, scaled by what a node costs on a
//! problem of this size, so that with one thread the same seed takes the same
//! course; only planning as SAT and grounding itself are measured in time.
//!
//! With more threads the lifted walk keeps one to itself while the others
//! ground and share the rest of the team.
//!
//! Every plan is judged by [`crate::verify`] before it counts. A planner whose
//! plan is refused leaves the team, and the counter `refused` says so.

use std::sync::{Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};

use planoku_engine::{
    Budget, Cancel, End, Engine, EngineError, Event, Outcome, Profile, Run, Stop,
};

use crate::ground::{Derivation, Ground, GroundError, ground};
use crate::model::Model;
use crate::plan::Plan;
use crate::satplan::SatPlan;
use crate::search::{
    Classical, Commit, Estimate, Lifted, LiftedBest, Linear, Loops, Order, Partial, Progression,
};
use crate::verify::verify;

/// The team of all planners.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// How many of them think at the same time.
    pub threads: usize,
    /// Where shuffling begins.
    pub seed: u64,
}

impl Default for Portfolio {
    fn default() -> Portfolio {
        Portfolio {
            threads: 1,
            seed: 0,
        }
    }
}

impl Engine<Model> for Portfolio {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "portfolio",
            "all planners in turn or side by side, the first verified plan wins",
        )
        .complete()
    }

    fn solve(&self, model: &Model, run: &mut Run<'_>) -> Result<Outcome<Plan>, EngineError> {
        let shared = Shared {
            model,
            seed: self.seed,
            cancel: Cancel::new(),
            budget: run.budget(),
            started: Instant::now(),
            elapsed: run.elapsed(),
            problem: OnceLock::new(),
            notes: Mutex::new(Vec::new()),
        };
        let (send, receive) = mpsc::channel();
        let verdict = std::thread::scope(|scope| {
            if self.threads > 1 {
                let walker = send.clone();
                scope.spawn(|| shared.walk(walker));
            }
            let thinker = send;
            let shares = (self.threads.max(2) - 1).min(4);
            let alone = self.threads <= 1;
            let shared = &shared;
            scope.spawn(move || shared.think(scope, thinker, shares, alone));
            let verdict = listen(run, &receive);
            shared.cancel.cancel();
            verdict
        });
        let notes = shared.notes.into_inner().unwrap_or_default();
        for (name, amount) in notes {
            run.stats.add(name, amount);
        }
        match verdict {
            Verdict::Error(error) => Err(error),
            Verdict::Over(answers, end) => Ok(Outcome {
                answers,
                end,
                stats: run.finish(),
            }),
        }
    }
}

/// What a member of the team reports.
enum Report {
    /// A verified plan.
    Plan(Plan),
    /// A proof that there is no plan.
    Proof,
    /// Nodes spent since the last report, and by whom.
    Nodes(u64, &'static str),
    /// It cannot go on.
    Error(EngineError),
}

enum Verdict {
    Over(Vec<Plan>, End),
    Error(EngineError),
}

/// Waits for the first plan or proof, or until the budget is spent.
fn listen(run: &mut Run<'_>, receive: &mpsc::Receiver<Report>) -> Verdict {
    let mut error = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(Report::Plan(plan)) => return Verdict::Over(vec![plan], End::Enough),
            Ok(Report::Proof) => return Verdict::Over(Vec::new(), End::Exhausted),
            Ok(Report::Nodes(nodes, stage)) => {
                // The budget is looked at below.
                let _ = run.tick_many(nodes);
                let nodes = run.nodes();
                run.emit(Event::Progress {
                    stage,
                    nodes,
                    best: None,
                });
            }
            Ok(Report::Error(it)) => error = Some(it),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return match error {
                    Some(error) => Verdict::Error(error),
                    None => Verdict::Over(Vec::new(), End::Incomplete),
                };
            }
        }
        if let Err(stop) = run.check() {
            return Verdict::Over(Vec::new(), End::Stopped(stop));
        }
    }
}

/// What all threads see.
struct Shared<'m> {
    model: &'m Model,
    seed: u64,
    cancel: Cancel,
    budget: Budget,
    started: Instant,
    elapsed: Duration,
    /// Filled in once grounding is done.
    problem: OnceLock<Ground>,
    notes: Mutex<Vec<(&'static str, u64)>>,
}

/// The first turn, in seconds; each round's turns are longer by `GROWTH`.
const FIRST_TURN: f64 = 0.1;
const GROWTH: f64 = 4.0;
/// Nodes a lifted walk makes in a second, roughly.
const WALK_SPEED: f64 = 250_000.0;

/// How long a turn is.
enum Pace {
    /// By nodes, at this many a second.
    Nodes(f64),
    /// By the clock.
    Clock,
}

/// One planner's search, ready to be run.
type Work<'a> = dyn Fn(&mut Run<'_>) -> Result<Outcome<Plan>, EngineError> + Send + 'a;

/// One planner of the team.
struct Member<'a> {
    name: &'static str,
    pace: Pace,
    /// How many times as long as others its turns are.
    share: f64,
    work: Box<Work<'a>>,
}

/// What came of a turn.
enum Turn {
    /// It is over: plan or proof was sent, or everyone is told to stop.
    Over,
    /// The turn was too short.
    Again,
    /// The planner has nothing more to offer.
    Leave,
}

impl Shared<'_> {
    fn note(&self, name: &'static str, amount: u64) {
        if let Ok(mut notes) = self.notes.lock() {
            notes.push((name, amount));
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let spent = self.elapsed + self.started.elapsed();
        self.budget.time.map(|time| time.saturating_sub(spent))
    }

    fn run(&self, nodes: Option<u64>, time: Option<Duration>) -> Run<'static> {
        let left = self.time_left();
        let time = match (time, left) {
            (Some(time), Some(left)) => Some(time.min(left)),
            (time, left) => time.or(left),
        };
        Run::limit(1)
            .with_budget(Budget {
                time,
                nodes,
                memory: self.budget.memory,
            })
            .with_cancel(self.cancel.clone())
    }

    fn walker(&self) -> Member<'_> {
        let rounds = Mutex::new(0);
        Member {
            name: "lifted",
            pace: Pace::Nodes(WALK_SPEED),
            share: 1.0,
            work: Box::new(move |run| {
                // Each turn shuffles differently; the first not at all.
                let mut round = rounds.lock().map_err(|_| poisoned())?;
                let seed = self.seed.wrapping_add(*round * 1000);
                *round += 1;
                let engine = Lifted {
                    seed,
                    ..Lifted::default()
                };
                engine.solve(self.model, run)
            }),
        }
    }

    fn best_walker(&self) -> Member<'_> {
        Member {
            name: "lifted-best",
            pace: Pace::Nodes(WALK_SPEED / 10.0),
            share: 1.0,
            work: Box::new(|run| LiftedBest.solve(self.model, run)),
        }
    }

    /// The lifted walk on a thread of its own.
    fn walk(&self, send: mpsc::Sender<Report>) {
        let member = self.walker();
        let mut seconds = FIRST_TURN;
        while let Turn::Again = self.turn(&member, seconds, &send) {
            seconds *= GROWTH;
        }
    }

    /// Grounding and everything after it.
    fn think<'scope>(
        &'scope self,
        scope: &'scope std::thread::Scope<'scope, '_>,
        send: mpsc::Sender<Report>,
        shares: usize,
        alone: bool,
    ) {
        let walker = alone.then(|| self.walker());
        let mut team: Vec<Member<'scope>> = Vec::new();
        if let Some(member) = walker {
            match self.turn(&member, FIRST_TURN, &send) {
                Turn::Over => return,
                Turn::Again => team.push(member),
                Turn::Leave => {}
            }
        }
        let start = Instant::now();
        // Alone, a grounding that takes a third of the time has taken enough.
        let time = match alone {
            true => self.time_left().map(|left| left.mul_f64(0.4)),
            false => None,
        };
        let grounded = ground(self.model, &mut self.run(None, time));
        self.note("ground_us", start.elapsed().as_micros() as u64);
        match grounded {
            Ok(problem) => {
                team.extend(self.planners(self.problem.get_or_init(|| problem)));
            }
            Err(GroundError::Refuted(_)) => {
                let _ = send.send(Report::Proof);
                return;
            }
            Err(GroundError::Unsupported(what)) => {
                let _ = send.send(Report::Error(EngineError::Unsupported(what)));
            }
            Err(GroundError::Stopped { .. }) => self.note("too_big", 1),
        }
        team.push(self.best_walker());
        let mut hands: Vec<Vec<Member<'scope>>> = (0..shares).map(|_| Vec::new()).collect();
        for (index, member) in team.into_iter().enumerate() {
            hands[index % shares].push(member);
        }
        for hand in hands {
            let send = send.clone();
            scope.spawn(move || self.take_turns(hand, &send));
        }
    }

    /// Members in turn, round after round.
    fn take_turns(&self, mut team: Vec<Member<'_>>, send: &mpsc::Sender<Report>) {
        let mut seconds = FIRST_TURN;
        while !team.is_empty() {
            let mut at = 0;
            while at < team.len() {
                match self.turn(&team[at], seconds, send) {
                    Turn::Over => return,
                    Turn::Again => at += 1,
                    Turn::Leave => drop(team.remove(at)),
                }
            }
            seconds *= GROWTH;
        }
    }

    fn turn(&self, member: &Member<'_>, seconds: f64, send: &mpsc::Sender<Report>) -> Turn {
        let seconds = seconds * member.share;
        let mut run = match member.pace {
            Pace::Nodes(speed) => self.run(Some((seconds * speed) as u64 + 1), None),
            Pace::Clock => self.run(None, Some(Duration::from_secs_f64(seconds))),
        };
        let result = (member.work)(&mut run);
        let _ = send.send(Report::Nodes(run.nodes(), member.name));
        match result {
            Err(EngineError::Unsupported(_)) => Turn::Leave,
            Err(error @ EngineError::Internal(_)) => {
                self.note("broken", 1);
                let _ = send.send(Report::Error(error));
                Turn::Leave
            }
            Ok(outcome) => {
                if let Some(plan) = outcome.answers.into_iter().next() {
                    if verify(self.model, &plan).is_ok() {
                        self.note(member.name, 1);
                        let _ = send.send(Report::Plan(plan));
                        return Turn::Over;
                    }
                    self.note("refused", 1);
                    return Turn::Leave;
                }
                match outcome.end {
                    End::Exhausted => {
                        let _ = send.send(Report::Proof);
                        Turn::Over
                    }
                    End::Stopped(Stop::Cancelled) => Turn::Over,
                    End::Stopped(Stop::Nodes | Stop::Time) => {
                        match self.time_left() == Some(Duration::ZERO) {
                            true => Turn::Over,
                            false => Turn::Again,
                        }
                    }
                    End::Stopped(Stop::Memory) | End::Incomplete | End::Enough => Turn::Leave,
                }
            }
        }
    }

    /// The planners for a grounded problem, most promising first.
    fn planners<'a>(&'a self, problem: &'a Ground) -> Vec<Member<'a>> {
        let size = (problem.actions.len() + problem.methods.len()) as f64;
        let informed = Pace::Nodes(1.0 / (20e-6 + size * 0.03e-6));
        let seed = self.seed;
        let shuffled = |engine: Progression| Progression { seed, ..engine };
        let member =
            |name, pace, share, engine: Box<dyn Engine<Ground, Answer = Derivation>>| Member {
                name,
                pace,
                share,
                work: Box::new(move |run| {
                    let outcome = engine.solve(problem, run)?;
                    outcome.try_map(|found| Plan::of(problem, &found))
                }),
            };
        let again = |pace: &Pace| match *pace {
            Pace::Nodes(speed) => Pace::Nodes(speed),
            Pace::Clock => Pace::Clock,
        };
        let ff = shuffled(Progression::greedy(Estimate::Ff));
        let add = shuffled(Progression::greedy(Estimate::Add));
        if problem.root.is_none() {
            return vec![
                member(
                    "commit",
                    Pace::Nodes(200_000.0),
                    1.0,
                    Box::<Commit>::default(),
                ),
                member(
                    "strips-ff",
                    again(&informed),
                    1.0,
                    Box::new(Classical {
                        seed,
                        ..Classical::greedy()
                    }),
                ),
                member("sat", Pace::Clock, 1.0, Box::new(SatPlan)),
                member(
                    "strips-add",
                    again(&informed),
                    0.5,
                    Box::new(Classical {
                        seed,
                        name: "strips-add",
                        estimate: Estimate::Add,
                        ..Classical::greedy()
                    }),
                ),
            ];
        }
        if !problem.ordered {
            return vec![
                member(
                    "linear-ff",
                    again(&informed),
                    1.0,
                    Box::new(Linear {
                        name: "linear-ff",
                        engine: ff,
                    }),
                ),
                member(
                    "htn-partial",
                    again(&informed),
                    1.0,
                    Box::<Partial>::default(),
                ),
                member(
                    "linear-sat",
                    Pace::Clock,
                    0.5,
                    Box::new(Linear {
                        name: "linear-sat",
                        engine: SatPlan,
                    }),
                ),
                member(
                    "htn-partial-add",
                    again(&informed),
                    1.0,
                    Box::new(Partial {
                        name: "htn-partial-add",
                        estimate: Estimate::Add,
                    }),
                ),
            ];
        }
        let depth = Progression {
            name: "htn-depth",
            order: Order::Depth,
            ..ff.clone()
        };
        vec![
            member("htn-loop", Pace::Nodes(200_000.0), 1.0, Box::new(Loops)),
            member(
                "htn-fail-first",
                Pace::Nodes(10_000.0),
                0.5,
                Box::new(shuffled(Progression::fail_first())),
            ),
            member("htn-ff", again(&informed), 1.5, Box::new(ff)),
            member("sat", Pace::Clock, 1.0, Box::new(SatPlan)),
            member("htn-add", again(&informed), 1.0, Box::new(add)),
            member("htn-depth", again(&informed), 0.5, Box::new(depth)),
        ]
    }
}

fn poisoned() -> EngineError {
    EngineError::Internal("a planner broke while another waited for it".into())
}
