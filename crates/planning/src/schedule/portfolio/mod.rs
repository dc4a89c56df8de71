//! All planners on one problem: the first verified plan wins.
//!
//! What is hard for one planner is often easy for another, and nobody knows
//! beforehand. So they take turns (`queue`, `worker`), beginning with the lifted walk,
//! which needs no grounding; grounding itself takes turns with it, and when it
//! is done the team (`team`) is complete. A member sleeps between its turns and
//! then goes on where it was.
//!
//! # Whose turn it is
//!
//! Turns are measured in what planners count, nodes and effort, their
//! preparation included, divided by what such a planner does in a second and by
//! its share: the member that has had least is next. Members for grounded
//! problems begin one after the other, each when the one before has had time to
//! prepare and to look around: what is easy for the first is not kept waiting
//! by the preparations of all. So with one thread the
//! same seed always takes the same course, and what a member spends beyond its
//! turn, because it could not stop, it waits for afterwards. With more threads,
//! as many members as there are threads have their turn at once. (A memory
//! budget that is nearly spent may change the course, for it is looked at by
//! the clock.)
//!
//! **The factor.** A plan that a member finds alone with effort *t*, grounding
//! included, costs the team on one thread at most [`Portfolio::FACTOR`] times
//! *t*, in seconds as counted, and a small constant: what the sum of all shares
//! is to the smallest share, beside which grounding shares its time with one
//! walk only. Counted seconds are no measured ones, as speeds are guessed by
//! the kind of planner; a wrong guess costs fairness, never repeatability.
//!
//! # Mistakes
//!
//! Every plan is judged by [`crate::verify`] before it counts. A planner whose
//! plan is refused, or that panics, leaves the team, the others go on, and
//! [`Stats::faults`] says who and why. If nobody comes to an end, that is an
//! internal error.

mod queue;
mod team;
#[cfg(test)]
mod tests;
mod worker;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread::{Builder, Scope};
use std::time::Duration;

use planoku_engine::clock::Instant;

use planoku_engine::{
    Budget, Cancel, End, Ended, Engine, EngineError, Event, Outcome, Profile, Run, Sink, Stats,
    Stop, memory,
};

use crate::ground::GroundError;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::verify::verify;
use queue::{Arrival, Next, RunQueue};
use team::{Cast, Everyone, Member};
use worker::Worker;

/// The team of all planners.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// How many of them think at the same time.
    pub threads: usize,
    /// Where shuffling begins.
    pub seed: u64,
}

impl Portfolio {
    /// The most that the team on one thread needs, as a multiple of what any of
    /// its members needs alone; both as counted, see [the module](self).
    pub const FACTOR: u64 = team::FACTOR;

    /// The member that found the plan, going by the counters of its run.
    pub fn winner(stats: &Stats) -> Option<&'static str> {
        let other = ["ground_us", "counted_us", "too_big", "refused", "broken"];
        let mut names = stats.counters.iter().map(|&(name, _)| name);
        names.find(|name| !other.contains(name))
    }
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

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        self.solve_with(&Everyone, model, run)?.hand_to(sink)
    }
}

impl Portfolio {
    fn solve_with(
        &self,
        cast: &dyn Cast,
        model: &Model,
        run: &mut Run<'_>,
    ) -> Result<Outcome<Plan>, EngineError> {
        if let Err(stop) = run.check() {
            return Ok(Outcome {
                answers: Vec::new(),
                end: End::Stopped(stop),
                stats: run.finish(),
            });
        }
        let budget = run.budget();
        let cancel = Cancel::new();
        let shared = Shared {
            model,
            seed: self.seed,
            time: run.time_left(),
            memory: budget.memory,
            observed: run.observed(),
            started: Instant::now(),
            queue: RunQueue::new(
                cancel.clone(),
                budget.nodes.map(|nodes| nodes.saturating_sub(run.nodes())),
                budget.memory,
            ),
            cancel,
            problem: OnceLock::new(),
            reports: Mutex::default(),
            notes: Mutex::default(),
            faults: Mutex::default(),
            stopped: Mutex::default(),
        };
        let (send, receive) = mpsc::channel();
        let verdict = std::thread::scope(|scope| {
            for member in cast.first(model, self.seed) {
                shared.spawn(scope, member, &send);
            }
            shared.spawn_grounding(scope, cast, &send);
            for _ in 0..self.threads.max(1) {
                let (send, shared) = (send.clone(), &shared);
                scope.spawn(move || {
                    let dispatching = catch_unwind(AssertUnwindSafe(|| shared.dispatch(&send)));
                    if let Err(panic) = dispatching {
                        shared.broken("portfolio", &panic_text(&*panic));
                        shared.queue.close();
                    }
                    memory::leave_account();
                });
            }
            drop(send);
            let verdict = listen(run, &receive, &shared);
            shared.queue.close();
            verdict
        });
        run.stats.faults.append(&mut lock(&shared.faults));
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

/// What is told to the thread that waits.
enum Report {
    /// A verified plan.
    Plan(Plan),
    /// A proof that there is no plan.
    Proof,
    /// Nodes of one turn, and whose.
    Turn(u64, &'static str),
    /// A sign of life: who thinks, and its best estimate.
    Sign(&'static str, Option<u64>),
    /// A member cannot go on.
    Error(EngineError),
    /// A budget is spent.
    Stop(Stop),
}

enum Verdict {
    Over(Vec<Plan>, End),
    Error(EngineError),
}

/// Waits for the first plan or proof, or until the budget is spent.
fn listen(run: &mut Run<'_>, receive: &mpsc::Receiver<Report>, shared: &Shared<'_>) -> Verdict {
    let mut error = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(Report::Plan(plan)) => return Verdict::Over(vec![plan], End::Enough),
            Ok(Report::Proof) => return Verdict::Over(Vec::new(), End::Exhausted),
            Ok(Report::Stop(stop)) => return Verdict::Over(Vec::new(), End::Stopped(stop)),
            Ok(Report::Turn(nodes, stage)) => {
                if let Err(stop) = run.tick_many(nodes) {
                    // What the turn has found counts all the same.
                    let plan = receive.try_iter().find_map(|report| match report {
                        Report::Plan(plan) => Some(plan),
                        _ => None,
                    });
                    return match plan {
                        Some(plan) => Verdict::Over(vec![plan], End::Enough),
                        None => Verdict::Over(Vec::new(), End::Stopped(stop)),
                    };
                }
                run.progress(stage, || None);
            }
            Ok(Report::Sign(stage, best)) => run.progress(stage, || best),
            Ok(Report::Error(it)) => error = Some(it),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if let Err(stop) = run.check() {
                    return Verdict::Over(Vec::new(), End::Stopped(stop));
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let fault = lock(&shared.faults).first().cloned();
                let stopped = *lock(&shared.stopped);
                return match (error, fault, stopped) {
                    (Some(error), ..) => Verdict::Error(error),
                    (None, Some(fault), _) => Verdict::Error(EngineError::Internal(fault)),
                    (None, None, Some(stop)) => Verdict::Over(Vec::new(), End::Stopped(stop)),
                    (None, None, None) => Verdict::Over(Vec::new(), End::Incomplete),
                };
            }
        }
    }
}

/// What all threads see.
struct Shared<'m> {
    model: &'m Model,
    seed: u64,
    cancel: Cancel,
    time: Option<Duration>,
    memory: Option<u64>,
    /// Somebody wants signs of life.
    observed: bool,
    started: Instant,
    /// Filled in once grounding is done.
    problem: OnceLock<Instance>,
    queue: RunQueue,
    /// What members have to tell at the end of their turn.
    reports: Mutex<Vec<Report>>,
    notes: Mutex<Vec<(&'static str, u64)>>,
    /// Who broke, and how.
    faults: Mutex<Vec<String>>,
    /// What stopped those who were stopped.
    stopped: Mutex<Option<Stop>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    fn note(&self, name: &'static str, amount: u64) {
        let mut notes = lock(&self.notes);
        match notes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known += amount,
            None => notes.push((name, amount)),
        }
    }

    fn report(&self, report: Report) {
        lock(&self.reports).push(report);
    }

    /// Remembers a mistake of ours, and whose it was.
    fn broken(&self, name: &str, what: &str) {
        self.note("broken", 1);
        lock(&self.faults).push(format!("planner {name} broke: {what}"));
    }

    /// Remembers that somebody could have gone on with more.
    fn stopped_by(&self, stop: Stop) {
        if !self.cancel.is_cancelled() {
            lock(&self.stopped).get_or_insert(stop);
        }
    }

    /// Gives turns to whoever waits until nobody does.
    fn dispatch(&self, send: &mpsc::Sender<Report>) {
        loop {
            let (mut member, work, granted) = match self.queue.next() {
                Next::Turn(member, work, nodes) => (member, work, nodes),
                Next::Spent => {
                    let _ = send.send(Report::Stop(Stop::Nodes));
                    return;
                }
                Next::Nobody => return,
            };
            if self.observed {
                let _ = send.send(Report::Sign(member.name, None));
            }
            let (spent, goes_on) = member.worker.grant(work, granted);
            let counted = member.charge(spent.work);
            self.note("counted_us", (counted * 1e6) as u64);
            let _ = send.send(Report::Turn(spent.nodes, member.name));
            // What came of the turn is told after what it has cost.
            for report in lock(&self.reports).drain(..) {
                let decided = matches!(report, Report::Plan(_) | Report::Proof | Report::Stop(_));
                let _ = send.send(report);
                if decided {
                    self.queue.close();
                }
            }
            self.queue
                .put_back(goes_on.then_some(member), granted, spent.nodes);
        }
    }

    fn run<'a>(&self, worker: &Arc<Worker>) -> Run<'a> {
        Run::limit(1)
            .with_budget(Budget {
                time: self
                    .time
                    .map(|it| it.saturating_sub(self.started.elapsed())),
                nodes: None,
                memory: self.memory,
            })
            .with_cancel(self.cancel.clone())
            .with_turns(worker.clone())
    }

    /// A thread for a member, who waits for its first turn.
    fn spawn<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        member: Member<'scope>,
        send: &mpsc::Sender<Report>,
    ) {
        let worker = self.queue.join(Arrival {
            name: member.name,
            speed: member.speed,
            share: member.share,
            after: member.after,
        });
        let own = worker.clone();
        let send = send.clone();
        let thread = Builder::new().name(member.name.into());
        let thread = thread.spawn_scoped(scope, move || {
            let place = Leaving::new(&own);
            let mut signs = Signs::new(member.name, &send);
            let mut observer = |event: &Event| signs.forward(event);
            let mut run = match self.observed {
                true => self.run(&own).with_observer(&mut observer),
                false => self.run(&own),
            };
            let work = AssertUnwindSafe(|| {
                if run.check().is_ok() {
                    self.conclude(member.name, (member.work)(&mut run));
                }
            });
            if let Err(panic) = catch_unwind(work) {
                self.broken(member.name, &panic_text(&*panic));
            }
            if own.is_evicted() {
                self.stopped_by(Stop::Memory);
            }
            place.leave(&run);
        });
        self.unless_spawned(thread.is_ok(), &worker);
    }

    /// A worker without a thread has left.
    fn unless_spawned(&self, spawned: bool, worker: &Worker) {
        if !spawned {
            self.note("too_big", 1);
            self.stopped_by(Stop::Memory);
            worker.leave(0, 0);
        }
    }

    /// Tells what came of a member's search.
    fn conclude(&self, name: &'static str, result: Result<Outcome<Plan>, EngineError>) {
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(EngineError::Unsupported(_)) => return,
            Err(EngineError::Internal(what)) => return self.broken(name, &what),
        };
        lock(&self.faults).extend(outcome.stats.faults);
        let report = match (outcome.answers.into_iter().next(), outcome.end) {
            (Some(plan), _) => match verify(self.model, &plan) {
                Ok(_) => {
                    self.note(name, 1);
                    Report::Plan(plan)
                }
                Err(broken) => {
                    self.note("refused", 1);
                    let fault = format!("planner {name} found a wrong plan: {broken}");
                    return lock(&self.faults).push(fault);
                }
            },
            (None, End::Exhausted) => Report::Proof,
            (None, End::Stopped(Stop::Time)) => Report::Stop(Stop::Time),
            (None, End::Stopped(stop)) => return self.stopped_by(stop),
            (None, _) => return,
        };
        self.report(report);
    }

    /// Grounding, on a thread of its own; then all who build on it.
    fn spawn_grounding<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        cast: &'scope dyn Cast,
        send: &mpsc::Sender<Report>,
    ) {
        let worker = self.queue.join(Arrival {
            name: "ground",
            speed: team::GROUND_SPEED,
            share: 1.0,
            after: 0.0,
        });
        let own = worker.clone();
        let send = send.clone();
        let thread = Builder::new().name("ground".into());
        let thread = thread.spawn_scoped(scope, move || {
            let place = Leaving::new(&own);
            let mut run = self.run(&own);
            let work = AssertUnwindSafe(|| {
                if run.check().is_ok() {
                    self.ground(scope, cast, &send, &mut run);
                }
            });
            if let Err(panic) = catch_unwind(work) {
                self.broken("ground", &panic_text(&*panic));
            }
            for member in cast.last(self.model, self.seed) {
                self.spawn(scope, member, &send);
            }
            drop(send);
            place.leave(&run);
        });
        self.unless_spawned(thread.is_ok(), &worker);
    }

    fn ground<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        cast: &dyn Cast,
        send: &mpsc::Sender<Report>,
        run: &mut Run<'_>,
    ) {
        let start = Instant::now();
        let grounded = cast.ground(self.model, run);
        self.note("ground_us", start.elapsed().as_micros() as u64);
        match grounded {
            Ok(problem) => {
                let problem = self.problem.get_or_init(|| Instance::new(problem));
                for member in cast.planners(problem, self.seed) {
                    self.spawn(scope, member, send);
                }
            }
            Err(GroundError::Refuted(_)) => self.report(Report::Proof),
            Err(GroundError::Unsupported(what)) => {
                self.report(Report::Error(EngineError::Unsupported(what)));
            }
            Err(GroundError::Stopped { stop, .. }) => {
                if !self.cancel.is_cancelled() {
                    self.note("too_big", 1);
                }
                self.stopped_by(stop);
            }
        }
    }
}

/// What a panic said.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".into())
}

/// A member's thread: however it ends, its worker has left, and whoever waits
/// for the member goes on.
struct Leaving<'a> {
    worker: &'a Worker,
    spent: (u64, u64),
}

impl Leaving<'_> {
    fn new(worker: &Worker) -> Leaving<'_> {
        Leaving {
            worker,
            spent: (0, 0),
        }
    }

    fn leave(mut self, run: &Run<'_>) {
        self.spent = (run.nodes(), run.work());
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        memory::leave_account();
        self.worker.leave(self.spent.0, self.spent.1);
    }
}

/// Passes on signs of life, but not all of them: engines give one per node.
struct Signs<'a> {
    name: &'static str,
    send: &'a mpsc::Sender<Report>,
    heard: u32,
    last: Instant,
}

impl Signs<'_> {
    fn new<'a>(name: &'static str, send: &'a mpsc::Sender<Report>) -> Signs<'a> {
        Signs {
            name,
            send,
            heard: 0,
            last: Instant::now(),
        }
    }

    fn forward(&mut self, event: &Event) {
        self.heard = self.heard.wrapping_add(1);
        if let Event::Progress { best, .. } = event
            && self.heard.is_multiple_of(16)
            && self.last.elapsed() > Duration::from_millis(50)
        {
            let _ = self.send.send(Report::Sign(self.name, *best));
            self.last = Instant::now();
        }
    }
}
