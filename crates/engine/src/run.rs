//! One search in progress: what is wanted, what may be spent, who listens.
//!
//! Engines call [`Run::tick`] once per node and stop when it fails. A tick is
//! an increment and a comparison; clock, memory and cancellation are looked at
//! when the node count passes a checkpoint, and the distance between
//! checkpoints adapts so that a slow engine still notices a deadline in time.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{End, EngineError, Outcome, Stats};

/// What a caller is willing to pay. Any combination is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Search nodes, as the engine counts them: repeatable on any machine.
    pub nodes: Option<u64>,
    /// Bytes the engine may hold at once, as it estimates them itself.
    pub memory: Option<u64>,
}

/// What stopped a search before its natural end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time is up.
    Time,
    /// The node budget is spent.
    Nodes,
    /// The memory budget would be exceeded.
    Memory,
    /// Someone called [`Cancel::cancel`].
    Cancelled,
}

impl Stop {
    /// The word used in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A switch that stops every run holding a clone of it. Safe to use from a
/// signal handler or another thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch nobody has pressed.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks every run holding a clone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Something worth seeing inside a search. Variables and values are numbered
/// as the problem numbers them (for Sudoku: cells row by row, digits from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A variable was given a value by choice.
    Assign {
        /// Which variable.
        variable: u32,
        /// Which value.
        value: u32,
    },
    /// A variable lost its value again.
    Unassign {
        /// Which variable.
        variable: u32,
    },
    /// A value was struck from a variable.
    Prune {
        /// Which variable.
        variable: u32,
        /// Which value.
        value: u32,
    },
    /// A struck value came back on backtracking.
    Restore {
        /// Which variable.
        variable: u32,
        /// Which value.
        value: u32,
    },
    /// No way on from here.
    Conflict {
        /// The variable that could not be served.
        variable: u32,
    },
    /// The search went back more than one level at once.
    Jump {
        /// Level left.
        from: u32,
        /// Level reached.
        to: u32,
    },
    /// The search began anew, keeping what it learned.
    Restart,
    /// An answer was found: the how-manieth, from 1.
    Answer(u64),
    /// A sign of life from a long search.
    Progress {
        /// What is running now.
        stage: &'static str,
        /// Nodes so far.
        nodes: u64,
        /// The engine's best estimate of what remains, lower is better.
        best: Option<u64>,
    },
}

/// One search in progress.
pub struct Run<'a> {
    wanted: u64,
    budget: Budget,
    cancel: Option<Cancel>,
    observer: Option<&'a mut (dyn FnMut(&Event) + Send)>,
    started: Instant,
    nodes: u64,
    checkpoint: u64,
    stride: u64,
    last_look: Instant,
    /// Counters the engine wants to report; see [`Stats::add`].
    pub stats: Stats,
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run::limit(1)
    }
}

impl<'a> Run<'a> {
    /// A run that wants up to `wanted` answers and may take as long as it likes.
    pub fn limit(wanted: u64) -> Run<'a> {
        let now = Instant::now();
        Run {
            wanted,
            budget: Budget::default(),
            cancel: None,
            observer: None,
            started: now,
            nodes: 0,
            checkpoint: 1,
            stride: 1,
            last_look: now,
            stats: Stats::default(),
        }
    }

    /// A run that wants every answer.
    pub fn all() -> Run<'a> {
        Run::limit(u64::MAX)
    }

    /// Sets what may be spent. The clock started when the run was made.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Run<'a> {
        self.budget = budget;
        self
    }

    /// Sets the node budget alone.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Run<'a> {
        self.budget.nodes = Some(nodes);
        self
    }

    /// Sets the time budget alone.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Run<'a> {
        self.budget.time = Some(time);
        self
    }

    /// Listens to this switch.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Run<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// Reports every event to `observer`.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a mut (dyn FnMut(&Event) + Send)) -> Run<'a> {
        self.observer = Some(observer);
        self
    }

    /// How many answers are wanted at most.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// What may be spent.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The switch this run listens to, to be handed to a search that runs
    /// elsewhere on its behalf.
    pub fn cancel(&self) -> Option<&Cancel> {
        self.cancel.as_ref()
    }

    /// Time since the run was made.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time left, if time is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.budget
            .time
            .map(|time| time.saturating_sub(self.elapsed()))
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node, and says stop if a budget is spent.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.nodes < self.checkpoint {
            Ok(())
        } else {
            self.look()
        }
    }

    /// Counts many nodes at once, for engines that work in bulk.
    pub fn tick_many(&mut self, nodes: u64) -> Result<(), Stop> {
        self.nodes += nodes;
        if self.nodes < self.checkpoint {
            Ok(())
        } else {
            self.look()
        }
    }

    /// Looks at clock, switch and node budget now, without counting a node.
    pub fn check(&mut self) -> Result<(), Stop> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.budget.nodes.is_some_and(|nodes| self.nodes > nodes) {
            return Err(Stop::Nodes);
        }
        if self
            .budget
            .time
            .is_some_and(|time| self.started.elapsed() >= time)
        {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Says stop if holding `bytes` at once is more than the budget allows.
    pub fn check_memory(&self, bytes: u64) -> Result<(), Stop> {
        match self.budget.memory {
            Some(memory) if bytes > memory => Err(Stop::Memory),
            _ => Ok(()),
        }
    }

    /// True if somebody listens, so that preparing events is worth the work.
    #[inline]
    pub fn observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Tells the observer, if there is one.
    #[inline]
    pub fn emit(&mut self, event: Event) {
        if let Some(observer) = &mut self.observer {
            observer(&event);
        }
    }

    /// Runs `body` and wraps up its answers, its end and its cost.
    ///
    /// `body` returns `Ok(())` when everything has been looked at, and uses `?`
    /// on [`Run::tick`] and [`Found::push`] to leave early.
    pub fn search<A>(
        &mut self,
        body: impl FnOnce(&mut Run<'a>, &mut Found<A>) -> Result<(), Leave>,
    ) -> Result<Outcome<A>, EngineError> {
        let mut found = Found {
            answers: Vec::new(),
            wanted: self.wanted,
        };
        let end = if self.wanted == 0 {
            End::Enough
        } else {
            match self
                .check()
                .map_err(Leave::from)
                .and_then(|()| body(self, &mut found))
            {
                Ok(()) => End::Exhausted,
                Err(Leave::Enough) => End::Enough,
                Err(Leave::GaveUp) => End::Incomplete,
                Err(Leave::Stop(stop)) => End::Stopped(stop),
                Err(Leave::Error(error)) => return Err(error),
            }
        };
        Ok(Outcome {
            answers: found.answers,
            end,
            stats: self.finish(),
        })
    }

    /// The cost so far: nodes, time and the counters in [`Run::stats`].
    pub fn finish(&mut self) -> Stats {
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.nodes;
        stats.time = self.elapsed();
        stats
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.check()?;
        // Aim at a look every two milliseconds or so.
        let now = Instant::now();
        let since = now.duration_since(self.last_look);
        if since < Duration::from_millis(1) {
            self.stride = (self.stride * 2).min(1 << 20);
        } else if since > Duration::from_millis(4) {
            self.stride = (self.stride / 4).max(1);
        }
        self.last_look = now;
        self.checkpoint = self.nodes + self.stride;
        if let Some(nodes) = self.budget.nodes {
            self.checkpoint = self.checkpoint.min(nodes.saturating_add(1));
        }
        Ok(())
    }
}

/// Collects answers inside [`Run::search`].
pub struct Found<A> {
    answers: Vec<A>,
    wanted: u64,
}

impl<A> Found<A> {
    /// Keeps an answer; fails with [`Leave::Enough`] once there are enough.
    pub fn push(&mut self, answer: A) -> Result<(), Leave> {
        self.answers.push(answer);
        if self.answers.len() as u64 >= self.wanted {
            Err(Leave::Enough)
        } else {
            Ok(())
        }
    }

    /// The answers so far.
    pub fn answers(&self) -> &[A] {
        &self.answers
    }
}

/// Why the body of [`Run::search`] left early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Enough answers.
    Enough,
    /// Nothing left to try, and that proves nothing.
    GaveUp,
    /// A budget or the switch.
    Stop(Stop),
    /// The engine cannot take the problem, or caught itself in a mistake.
    Error(EngineError),
}

impl From<Stop> for Leave {
    fn from(stop: Stop) -> Leave {
        Leave::Stop(stop)
    }
}

impl From<EngineError> for Leave {
    fn from(error: EngineError) -> Leave {
        Leave::Error(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks `nodes` times, pushing an answer on each.
    fn count_to(nodes: u64, mut run: Run<'_>) -> Outcome<u64> {
        run.search(|run, found| {
            for node in 1..=nodes {
                run.tick()?;
                found.push(node)?;
            }
            Ok(())
        })
        .unwrap()
    }

    #[test]
    fn a_node_budget_is_exact() {
        for budget in [0, 1, 2, 7, 100, 12_345] {
            let outcome = count_to(20_000, Run::all().with_nodes(budget));
            assert_eq!(outcome.end, End::Stopped(Stop::Nodes));
            assert_eq!(outcome.answers.len() as u64, budget);
        }
    }

    #[test]
    fn a_search_that_fits_its_budget_is_exhausted() {
        assert_eq!(count_to(50, Run::all().with_nodes(50)).end, End::Exhausted);
    }

    #[test]
    fn a_pressed_switch_stops_at_once() {
        let cancel = Cancel::new();
        cancel.cancel();
        let outcome = count_to(10, Run::all().with_cancel(cancel));
        assert_eq!(outcome.end, End::Stopped(Stop::Cancelled));
        assert!(outcome.answers.is_empty());
    }

    #[test]
    fn no_time_is_no_search() {
        let outcome = count_to(10, Run::all().with_time(Duration::ZERO));
        assert_eq!(outcome.end, End::Stopped(Stop::Time));
    }

    #[test]
    fn wanting_nothing_is_enough_at_once() {
        assert_eq!(count_to(10, Run::limit(0)).end, End::Enough);
    }

    #[test]
    fn memory_is_refused_beyond_the_budget() {
        let budget = Budget {
            memory: Some(1000),
            ..Budget::default()
        };
        let run = Run::limit(1).with_budget(budget);
        assert_eq!(run.check_memory(1000), Ok(()));
        assert_eq!(run.check_memory(1001), Err(Stop::Memory));
    }

    #[test]
    fn events_reach_the_observer_in_order() {
        let mut seen = Vec::new();
        let mut observer = |event: &Event| seen.push(event.clone());
        let mut run = Run::limit(1).with_observer(&mut observer);
        assert!(run.observed());
        run.emit(Event::Restart);
        run.emit(Event::Answer(1));
        drop(run);
        assert_eq!(seen, [Event::Restart, Event::Answer(1)]);
    }
}
