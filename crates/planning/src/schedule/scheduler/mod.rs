//! Planners that take turns on one problem, as a policy says.
//!
//! A [`Policy`] says who is on the team, before and after grounding, and whether
//! the first plan is enough. Members take turns (`queue`, `worker`), beginning
//! with those that need no grounding; grounding itself takes turns with them,
//! and when it is done the team is complete. A member has a thread from its first
//! turn on, sleeps between its turns and then goes on where it was (`threads`);
//! who would hold much memory in a long sleep begins anew instead. What they find
//! is told to the thread that asked (`listen`).
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

mod listen;

mod queue;
mod queued;
#[cfg(test)]
mod tests;
mod threads;
mod worker;

use std::sync::{Mutex, OnceLock, mpsc};

use planoku_engine::clock::Instant;
use planoku_engine::{Cancel, End, Ended, EngineError, Leave, Run, Sink};

use crate::ground::{Ground, GroundError, ground};
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::teams::{self, Share};
use listen::listen;
use queue::RunQueue;
use threads::{Shared, lock};

/// One planner's search, ready to be run.
pub(super) type Work<'a> =
    dyn Fn(&mut Run<'_>, &mut Sink<'_, Plan>) -> Result<Ended, EngineError> + Send + Sync + 'a;

/// One planner of the team.
pub(super) struct Member<'a> {
    pub(super) name: &'static str,
    /// Nodes and effort of a second.
    pub(super) speed: f64,
    /// How much of the time is its own, beside the others' shares.
    pub(super) share: Share,
    /// Seconds, as counted, by which it begins later than it could.
    pub(super) after: f64,
    /// What part of the memory that anybody may hold for nothing it may.
    pub(super) light: f64,
    /// Bytes that it is known to take at once, so that it waits for them before it
    /// begins.
    pub(super) brings: u64,
    pub(super) work: Box<Work<'a>>,
}

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
        policy
            .first(model)
            .into_iter()
            .for_each(|it| shared.join(it));
        match problem.get() {
            Some(problem) => shared.join_planners(problem),
            None => shared.join_grounding(),
        }
        for _ in 0..threads {
            let (send, shared) = (send.clone(), &shared);
            scope.spawn(move || shared.give_turns(scope, &send));
        }
        drop(send);
        let end = listen(run, &receive, each);
        shared.queue.close();
        end
    });
    let end = match end? {
        Some(end) => end,
        None => shared.left()?,
    };
    run.stats.faults.append(&mut lock(&shared.faults));
    let notes = shared.notes.into_inner().unwrap_or_default();
    for (name, amount) in notes {
        run.stats.add(name, amount);
    }
    Ok(Ended {
        end,
        stats: run.finish(),
    })
}
