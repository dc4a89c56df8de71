//! Planners that take turns on one problem, as a policy says.
//!
//! A [`Policy`] says who is on the team, before and after grounding, and whether
//! the first plan is enough. Members take turns (`queue`, `worker`), beginning
//! with those that need no grounding; grounding itself takes turns with them,
//! and when it is done the team is complete. A member sleeps between its turns
//! and then goes on where it was.
//!
//! # Whose turn it is
//!
//! Turns are measured in what planners count, nodes and effort, their
//! preparation included, divided by what such a planner does in a second and by
//! its share: the member that has had least is next, and every other turn
//! belongs to who is nearly there, as its estimates say; and what it comes to hold
//! beyond what is anybody's counts as well (`queue`).
//! Members for grounded problems begin one after the other, each when the one
//! before has had time to prepare and to look around: what is easy for the first
//! is not kept waiting by the preparations of all. So with one thread the
//! same seed always takes the same course, and what a member spends beyond its
//! turn, because it could not stop, it waits for afterwards. With more threads,
//! as many members as there are threads have their turn at once. (A memory
//! budget that is nearly spent may change the course, for it is looked at by
//! the clock.)
//!
//! # Mistakes
//!
//! Every plan is judged by [`crate::verify`] before it counts. A planner whose
//! plan is refused, or that panics, leaves the team, the others go on, and
//! [`Stats::faults`](planoku_engine::Stats) says who and why. If nobody comes to
//! an end, that is an internal error.

mod queue;
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
    Budget, Cancel, End, Ended, EngineError, Event, Leave, Run, Sink, Stop, memory,
};

use crate::ground::{Ground, GroundError, ground};
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::teams::{self, Share};
use crate::verify::verify;
use queue::{Arrival, Next, RunQueue};
use worker::Worker;

/// One planner's search, ready to be run.
pub(super) type Work<'a> =
    dyn Fn(&mut Run<'_>, &mut Sink<'_, Plan>) -> Result<Ended, EngineError> + Send + 'a;

/// One planner of the team.
pub(super) struct Member<'a> {
    pub(super) name: &'static str,
    /// Nodes and effort of a second.
    pub(super) speed: f64,
    /// How much of the time is its own, beside the others' shares.
    pub(super) share: Share,
    /// Seconds, as counted, by which it begins later than it could.
    pub(super) after: f64,
    pub(super) work: Box<Work<'a>>,
}

/// Steps of grounding in a second.
const GROUND_SPEED: f64 = 22_000_000.0;

/// Who is on the team, and what is done with what they find.
pub(super) trait Policy: Sync {
    /// How many plans a member may find before it leaves. If it is one, the
    /// first plan of anybody ends the search.
    fn wanted(&self) -> u64;

    /// Seconds after which the team gives up: as counted on one thread, by the
    /// clock on several.
    fn patience(&self) -> Option<f64> {
        None
    }

    /// Those who need no grounding and do not wait for it.
    fn first<'a>(&self, model: &'a Model) -> Vec<Member<'a>>;

    /// The share of grounding, for which most of the team waits, and by how many
    /// seconds, as counted, it begins later than it could.
    fn grounding(&self, _model: &Model) -> (Share, f64) {
        (teams::GROUNDING, 0.0)
    }

    /// Grounds the model for those who need that.
    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
        ground(model, run)
    }

    /// Those who come when it is grounded, most promising first.
    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>>;

    /// Hears of a plan that was verified, in the turn in which it was found.
    fn judge(&self, _plan: &Plan) -> Judged {
        Judged::Counts
    }
}

/// What a policy thinks of a verified plan.
pub(super) enum Judged {
    /// It is handed on.
    Counts,
    /// Another thread found a better one at the same time.
    Late,
    /// Whoever found it made a mistake.
    Wrong(String),
}

/// Told of each plan that counts, and who found it.
pub(super) type Each<'f> = dyn FnMut(Plan, &'static str) -> Result<(), Leave> + 'f;

/// Lets the team of a policy search, on so many threads. The grounded problem
/// is left in its cell, or taken from there. [`End::Exhausted`] says that some
/// member has proved that there is no (further) plan.
pub(super) fn search(
    policy: &dyn Policy,
    threads: usize,
    model: &Model,
    problem: &OnceLock<Instance>,
    run: &mut Run<'_>,
    each: &mut Each<'_>,
) -> Result<Ended, EngineError> {
    if let Err(stop) = run.check() {
        return Ok(Ended {
            end: End::Stopped(stop),
            stats: run.finish(),
        });
    }
    let budget = run.budget();
    let cancel = Cancel::new();
    let threads = threads.max(1);
    let shared = Shared {
        policy,
        threads,
        model,
        problem,
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
        reports: Mutex::default(),
        notes: Mutex::default(),
        faults: Mutex::default(),
        stopped: Mutex::default(),
    };
    let (send, receive) = mpsc::channel();
    let end = std::thread::scope(|scope| {
        for member in policy.first(model) {
            shared.spawn(scope, member, &send);
        }
        match problem.get() {
            Some(problem) => shared.spawn_planners(scope, problem, &send),
            None => shared.spawn_grounding(scope, &send),
        }
        for _ in 0..threads {
            let (send, shared) = (send.clone(), &shared);
            scope.spawn(move || {
                let dispatching = catch_unwind(AssertUnwindSafe(|| shared.dispatch(&send)));
                if let Err(panic) = dispatching {
                    shared.broken("scheduler", &panic_text(&*panic));
                    shared.queue.close();
                }
                memory::leave_account();
            });
        }
        drop(send);
        let end = listen(run, &receive, &shared, each);
        shared.queue.close();
        end
    });
    run.stats.faults.append(&mut lock(&shared.faults));
    let notes = shared.notes.into_inner().unwrap_or_default();
    for (name, amount) in notes {
        run.stats.add(name, amount);
    }
    Ok(Ended {
        end: end?,
        stats: run.finish(),
    })
}

/// What is told to the thread that waits.
enum Report {
    /// A verified plan, and whose.
    Plan(Plan, &'static str),
    /// A proof that there is no (further) plan.
    Proof,
    /// Nodes of one turn, and whose.
    Turn(u64, &'static str),
    /// A sign of life: who thinks, and its best estimate.
    Sign(&'static str, Option<u64>),
    /// A member cannot go on.
    Error(EngineError),
    /// A budget is spent.
    Stop(Stop),
    /// The team has had its time.
    OutOfPatience,
}

/// Hands on plans until that is enough, or something is proved, or the budget
/// is spent.
fn listen(
    run: &mut Run<'_>,
    receive: &mpsc::Receiver<Report>,
    shared: &Shared<'_>,
    each: &mut Each<'_>,
) -> Result<End, EngineError> {
    let mut error = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(Report::Plan(plan, by)) => {
                if let Err(leave) = each(plan, by) {
                    return leave.end();
                }
            }
            Ok(Report::Proof) => return Ok(End::Exhausted),
            Ok(Report::Stop(stop)) => return Ok(End::Stopped(stop)),
            Ok(Report::OutOfPatience) => return Ok(End::Incomplete),
            Ok(Report::Turn(nodes, stage)) => {
                if let Err(stop) = beside_memory(run.tick_many(nodes)) {
                    // What the turn has found counts all the same.
                    for report in receive.try_iter() {
                        if let Report::Plan(plan, by) = report
                            && let Err(leave) = each(plan, by)
                        {
                            return leave.end();
                        }
                    }
                    return Ok(End::Stopped(stop));
                }
                run.progress(stage, || None);
            }
            Ok(Report::Sign(stage, best)) => run.progress(stage, || best),
            Ok(Report::Error(it)) => error = Some(it),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if let Err(stop) = beside_memory(run.check()) {
                    return Ok(End::Stopped(stop));
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let fault = lock(&shared.faults).first().cloned();
                let stopped = *lock(&shared.stopped);
                return match (error, fault, stopped) {
                    (Some(error), ..) => Err(error),
                    (None, Some(fault), _) => Err(EngineError::Internal(fault)),
                    (None, None, Some(stop)) => Ok(End::Stopped(stop)),
                    (None, None, None) => Ok(End::Incomplete),
                };
            }
        }
    }
}

/// Whoever listens does not stop the team for want of memory: members see to it
/// that the largest of them leaves, and until it has, more is in use than may be.
fn beside_memory(looked: Result<(), Stop>) -> Result<(), Stop> {
    match looked {
        Err(Stop::Memory) => Ok(()),
        other => other,
    }
}

/// What all threads see.
struct Shared<'m> {
    policy: &'m dyn Policy,
    threads: usize,
    model: &'m Model,
    /// Filled in once grounding is done.
    problem: &'m OnceLock<Instance>,
    cancel: Cancel,
    time: Option<Duration>,
    memory: Option<u64>,
    /// Somebody wants signs of life.
    observed: bool,
    started: Instant,
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

impl<'m> Shared<'m> {
    /// Adds to a counter, and says what it counts now.
    fn note(&self, name: &'static str, amount: u64) -> u64 {
        let mut notes = lock(&self.notes);
        match notes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => {
                *known += amount;
                *known
            }
            None => {
                notes.push((name, amount));
                amount
            }
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
            let all = self.note("counted_us", (counted * 1e6) as u64);
            let _ = send.send(Report::Turn(spent.nodes, member.name));
            // What came of the turn is told after what it has cost.
            for report in lock(&self.reports).drain(..) {
                let decided = match report {
                    Report::Plan(..) => self.policy.wanted() == 1,
                    Report::Proof | Report::Stop(_) => true,
                    _ => false,
                };
                let _ = send.send(report);
                if decided {
                    self.queue.close();
                }
            }
            // Several threads never take the same course twice, and who waits for
            // what another computes is charged for nothing: the clock is fairer.
            let passed = match self.threads {
                1 => all as f64 / 1e6,
                _ => self.started.elapsed().as_secs_f64(),
            };
            let patience = self.policy.patience();
            if patience.is_some_and(|patience| passed >= patience) {
                let _ = send.send(Report::OutOfPatience);
                self.queue.close();
            }
            self.queue
                .put_back(goes_on.then_some(member), granted, spent.nodes);
        }
    }

    fn run<'a>(&self, worker: &Arc<Worker>) -> Run<'a> {
        Run::limit(self.policy.wanted())
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
            pays: true,
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
                    let mut sink = |plan| self.take(member.name, plan);
                    self.conclude(member.name, (member.work)(&mut run, &mut sink));
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

    /// Judges a plan and tells of it.
    fn take(&self, name: &'static str, plan: Plan) -> Result<(), Leave> {
        let judged = match verify(self.model, &plan) {
            Ok(_) => self.policy.judge(&plan),
            Err(broken) => Judged::Wrong(format!("found a wrong plan: {broken}")),
        };
        match judged {
            Judged::Counts => {
                self.note(name, 1);
                self.report(Report::Plan(plan, name));
                Ok(())
            }
            Judged::Late => Ok(()),
            Judged::Wrong(what) => {
                self.note("refused", 1);
                lock(&self.faults).push(format!("planner {name} {what}"));
                Err(Leave::GaveUp)
            }
        }
    }

    /// Tells how a member's search has ended.
    fn conclude(&self, name: &'static str, result: Result<Ended, EngineError>) {
        let ended = match result {
            Ok(ended) => ended,
            Err(EngineError::Unsupported(_)) => return,
            Err(EngineError::Internal(what)) => return self.broken(name, &what),
        };
        lock(&self.faults).extend(ended.stats.faults);
        match ended.end {
            End::Exhausted => self.report(Report::Proof),
            End::Stopped(Stop::Time) => self.report(Report::Stop(Stop::Time)),
            End::Stopped(stop) => self.stopped_by(stop),
            End::Enough | End::Incomplete => {}
        }
    }

    /// Grounding, on a thread of its own; then all who build on it.
    fn spawn_grounding<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        send: &mpsc::Sender<Report>,
    ) {
        let (share, after) = self.policy.grounding(self.model);
        let worker = self.queue.join(Arrival {
            name: "ground",
            speed: GROUND_SPEED,
            share,
            after,
            pays: false,
        });
        let own = worker.clone();
        let send = send.clone();
        let thread = Builder::new().name("ground".into());
        let thread = thread.spawn_scoped(scope, move || {
            let place = Leaving::new(&own);
            let mut run = self.run(&own);
            let work = AssertUnwindSafe(|| {
                if run.check().is_ok() {
                    self.ground(scope, &send, &mut run);
                }
            });
            if let Err(panic) = catch_unwind(work) {
                self.broken("ground", &panic_text(&*panic));
            }
            drop(send);
            place.leave(&run);
        });
        self.unless_spawned(thread.is_ok(), &worker);
    }

    fn ground<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        send: &mpsc::Sender<Report>,
        run: &mut Run<'_>,
    ) {
        let start = Instant::now();
        let grounded = self.policy.ground(self.model, run);
        self.note("ground_us", start.elapsed().as_micros() as u64);
        match grounded {
            Ok(problem) => {
                let problem = self.problem.get_or_init(|| Instance::new(problem));
                // Everybody waits for it. Who is stopped leaves it to them.
                let _ = problem.merged(run);
                self.spawn_planners(scope, problem, send);
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

    /// Those who build on a grounded problem.
    fn spawn_planners<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        problem: &'m Instance,
        send: &mpsc::Sender<Report>,
    ) {
        for member in self.policy.planners(problem) {
            self.spawn(scope, member, send);
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
