//! How far one call of a solver may go: a [`Run`] as a plain value, because
//! solvers keep their callbacks longer than a run lives.

use planoku_engine::clock::Instant;

use planoku_engine::{Cancel, Run, memory, usable};

/// What ends a call early.
#[derive(Clone, Default)]
pub(super) struct Limits {
    /// Conflicts this call may have.
    pub conflicts: Option<u64>,
    /// When the time is up.
    pub deadline: Option<Instant>,
    /// The switch to listen to.
    pub cancel: Option<Cancel>,
    /// Bytes the process may hold, where they are counted.
    pub memory: Option<u64>,
}

/// Conflicts between two signs of life, when somebody listens.
const SLICE: u64 = 5_000;

/// Conflicts after which a run that takes turns is asked for the next one.
const TURN: u64 = 500;

impl Limits {
    /// What is left of a run.
    pub fn of(run: &Run<'_>) -> Limits {
        let budget = run.budget().nodes;
        let left = budget.map(|nodes| nodes.saturating_sub(run.nodes()).saturating_add(1));
        let slice = run.observed().then_some(SLICE);
        let turn = run.takes_turns().then_some(TURN);
        Limits {
            conflicts: left.into_iter().chain(slice).chain(turn).min(),
            // A time so far off that it has no clock reading is no limit.
            deadline: run
                .time_left()
                .and_then(|left| Instant::now().checked_add(left)),
            cancel: run.cancel().cloned(),
            memory: run.budget().memory.map(usable),
        }
    }

    /// True if the clock, the switch or the memory says stop.
    pub fn interrupted(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
            || self
                .memory
                .is_some_and(|limit| memory::in_use().is_some_and(|held| held > limit))
    }
}
