//! The thread that asked hears what members find, and says when that is enough.

use std::sync::mpsc;
use std::time::Duration;

use planoku_engine::{End, EngineError, Run, Stop};

use super::Each;
use crate::plan::Plan;

/// What is told to the thread that waits.
pub(super) enum Report {
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
/// is spent; with nothing if all have left before.
pub(super) fn listen(
    run: &mut Run<'_>,
    receive: &mpsc::Receiver<Report>,
    each: &mut Each<'_>,
) -> Result<Option<End>, EngineError> {
    let mut error = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(Report::Plan(plan, by)) => {
                if let Err(leave) = each(plan, by) {
                    return leave.end().map(Some);
                }
            }
            Ok(Report::Proof) => return Ok(Some(End::Exhausted)),
            Ok(Report::Stop(stop)) => return Ok(Some(End::Stopped(stop))),
            Ok(Report::OutOfPatience) => return Ok(Some(End::Incomplete)),
            Ok(Report::Turn(nodes, stage)) => {
                if let Err(stop) = beside_memory(run.tick_many(nodes)) {
                    // What the turn has found counts all the same.
                    for report in receive.try_iter() {
                        if let Report::Plan(plan, by) = report
                            && let Err(leave) = each(plan, by)
                        {
                            return leave.end().map(Some);
                        }
                    }
                    return Ok(Some(End::Stopped(stop)));
                }
                run.progress(stage, || None);
            }
            Ok(Report::Sign(stage, best)) => run.progress(stage, || best),
            Ok(Report::Error(it)) => error = Some(it),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if let Err(stop) = beside_memory(run.check()) {
                    return Ok(Some(End::Stopped(stop)));
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return error.map_or(Ok(None), Err);
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
