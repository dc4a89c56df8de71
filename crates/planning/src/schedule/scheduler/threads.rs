//! The threads of members: how one begins, works and leaves.
//!
//! A member has a thread from its first turn on, so that one who is never called
//! takes nothing. Whatever a thread comes to (plans, a proof, a mistake) is kept as
//! [`Report`]s and told at the end of the turn.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

use planoku_engine::clock::Instant;
use planoku_engine::{Budget, Cancel, End, Ended, EngineError, Event, Leave, Run, Stop, memory};

use super::listen::Report;
use super::queue::{Next, RunQueue};
use super::queued::{Arrival, Queued};
use super::worker::Worker;
use super::{Judged, Member, Policy, Work};
use crate::ground::GroundError;
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::verify::verify;

/// Steps of grounding in a second.
const GROUND_SPEED: f64 = 22_000_000.0;

/// What is done in turns.
#[derive(Clone)]
pub(super) enum Job<'m> {
    /// The problem is grounded, for those who need that.
    Ground,
    /// A plan is looked for.
    Search(Arc<Work<'m>>),
}

/// What all threads see.
pub(super) struct Shared<'m> {
    pub(super) policy: &'m dyn Policy,
    pub(super) threads: usize,
    pub(super) model: &'m Model,
    /// Filled in once grounding is done.
    pub(super) problem: &'m OnceLock<Instance>,
    pub(super) cancel: Cancel,
    pub(super) time: Option<Duration>,
    pub(super) memory: Option<u64>,
    /// Somebody wants signs of life.
    pub(super) observed: bool,
    pub(super) started: Instant,
    pub(super) queue: RunQueue<Job<'m>>,
    /// What members have to tell at the end of their turn.
    pub(super) reports: Mutex<Vec<Report>>,
    pub(super) notes: Mutex<Vec<(&'static str, u64)>>,
    /// Who broke, and how.
    pub(super) faults: Mutex<Vec<String>>,
    /// What stopped those who were stopped.
    pub(super) stopped: Mutex<Option<Stop>>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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

    /// How it has ended if all have left.
    pub(super) fn left(&self) -> Result<End, EngineError> {
        if let Some(fault) = lock(&self.faults).first() {
            return Err(EngineError::Internal(fault.clone()));
        }
        let stopped = *lock(&self.stopped);
        Ok(stopped.map_or(End::Incomplete, End::Stopped))
    }

    /// Gives turns to whoever waits until nobody does, or all is over.
    pub(super) fn give_turns<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        send: &Sender<Report>,
    ) {
        let dispatching = catch_unwind(AssertUnwindSafe(|| self.dispatch(scope, send)));
        if let Err(panic) = dispatching {
            self.broken("scheduler", &panic_text(&*panic));
            self.queue.close();
        }
        memory::leave_account();
    }

    fn dispatch<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        send: &Sender<Report>,
    ) {
        loop {
            let (mut member, work, granted) = match self.queue.next() {
                Next::Turn(member, work, nodes) => (member, work, nodes),
                Next::Spent => {
                    let _ = send.send(Report::Stop(Stop::Nodes));
                    return;
                }
                Next::Nobody => return,
            };
            if !member.begun {
                self.begin(scope, &member, send);
                member.begun = true;
            }
            if self.observed {
                let _ = send.send(Report::Sign(member.name, None));
            }
            let (spent, goes_on) = member.worker.grant(work, granted);
            let counted = member.charge(spent);
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
            if goes_on && self.policy.wanted() == 1 {
                self.queue.dismiss_sleeper(&mut member);
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

    /// Somebody comes to the team.
    pub(super) fn join(&self, member: Member<'m>) {
        self.queue.join(Arrival {
            name: member.name,
            speed: member.speed,
            share: member.share,
            after: member.after,
            light: Some(member.light),
            brings: member.brings,
            job: Job::Search(member.work.into()),
        });
    }

    /// Those who build on a grounded problem.
    pub(super) fn join_planners(&self, problem: &'m Instance) {
        let planners = self.policy.planners(problem);
        planners.into_iter().for_each(|it| self.join(it));
    }

    /// Grounding, for which all of these wait.
    pub(super) fn join_grounding(&self) {
        let (share, after) = self.policy.grounding(self.model);
        self.queue.join(Arrival {
            name: "ground",
            speed: GROUND_SPEED,
            share,
            after,
            light: None,
            brings: 0,
            job: Job::Ground,
        });
    }

    /// A thread for a member, which begins with its first turn.
    fn begin<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        member: &Queued<Job<'m>>,
        send: &Sender<Report>,
    ) {
        let (name, job, worker) = (member.name, member.job.clone(), member.worker.clone());
        let send = send.clone();
        worker.begin();
        let thread = Builder::new().name(name.into());
        let thread = thread.spawn_scoped(scope, move || self.work(name, &job, &worker, &send));
        // A worker without a thread has left.
        if thread.is_err() {
            self.note("too_big", 1);
            self.stopped_by(Stop::Memory);
            member.worker.leave(0, 0);
        }
    }

    /// What the thread of a member does.
    fn work(&self, name: &'static str, job: &Job<'m>, own: &Arc<Worker>, send: &Sender<Report>) {
        let place = Leaving::new(own);
        let mut signs = Signs::new(name, send);
        let mut observer = |event: &Event| signs.forward(event);
        let mut run = match self.observed {
            true => self.run(own).with_observer(&mut observer),
            false => self.run(own),
        };
        let work = AssertUnwindSafe(|| {
            if run.check().is_err() {
                return;
            }
            match job {
                Job::Ground => self.ground(&mut run),
                Job::Search(search) => {
                    let found = self.search(name, &**search, &mut run);
                    self.conclude(name, own, found);
                }
            }
        });
        if let Err(panic) = catch_unwind(work) {
            self.broken(name, &panic_text(&*panic));
        }
        if own.is_evicted() {
            self.stopped_by(Stop::Memory);
        }
        place.leave(&run);
    }

    /// Searches, and judges what is found: where one plan is enough, when the search
    /// has given back what it held.
    fn search(
        &self,
        name: &'static str,
        search: &Work<'m>,
        run: &mut Run<'_>,
    ) -> Result<Ended, EngineError> {
        if self.policy.wanted() > 1 {
            return search(run, &mut |plan| self.take(name, plan));
        }
        let mut found = None;
        let ended = search(run, &mut |plan| {
            found = Some(plan);
            Err(Leave::Enough)
        });
        if let Some(plan) = found {
            let _ = self.take(name, plan);
        }
        ended
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
    fn conclude(&self, name: &'static str, own: &Worker, result: Result<Ended, EngineError>) {
        let ended = match result {
            Ok(ended) => ended,
            Err(EngineError::Unsupported(_)) => return,
            Err(EngineError::Internal(what)) => return self.broken(name, &what),
        };
        lock(&self.faults).extend(ended.stats.faults);
        match ended.end {
            End::Exhausted => self.report(Report::Proof),
            End::Stopped(Stop::Memory) if own.is_dismissed() => {}
            End::Stopped(Stop::Time) => self.report(Report::Stop(Stop::Time)),
            End::Stopped(stop) => self.stopped_by(stop),
            End::Enough | End::Incomplete => {}
        }
    }

    /// Grounds the problem; then all come who build on it.
    fn ground(&self, run: &mut Run<'_>) {
        let start = Instant::now();
        let grounded = self.policy.ground(self.model, run);
        self.note("ground_us", start.elapsed().as_micros() as u64);
        match grounded {
            Ok(problem) => {
                let problem = self.problem.get_or_init(|| Instance::new(problem));
                // Everybody waits for it. Who is stopped leaves it to them.
                let _ = problem.merged(run);
                self.join_planners(problem);
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
    send: &'a Sender<Report>,
    heard: u32,
    last: Instant,
}

impl Signs<'_> {
    fn new<'a>(name: &'static str, send: &'a Sender<Report>) -> Signs<'a> {
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
