//! One search in progress: what is wanted, what may be spent, who listens.
//!
//! Engines call [`Run::tick`] once per node, [`Run::effort`] for other work,
//! and stop when either fails. A tick is an increment and two comparisons:
//! clock, memory and cancellation are looked at when the `heartbeat` has
//! beaten since the last look, turns and node budgets when a count is reached.
//! So a budget is noticed within milliseconds however slow or quick nodes are,
//! as long as everything that may take long ticks.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Instant;
use crate::memory::Account;
use crate::{
    Budget, Cancel, End, Ended, EngineError, Found, Leave, Outcome, Sink, Stats, Stop, Turn, Turns,
    heartbeat, memory, usable,
};

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
    /// The search is about to go back more than one level at once.
    Jump {
        /// Level left.
        from: u32,
        /// Level reached.
        to: u32,
        /// The conflict set: variables whose values cannot all stay, in the
        /// order in which they got them; empty if the engine keeps none.
        because: Vec<u32>,
    },
    /// A value follows from the choices so far; a variable of two values that
    /// is given one has lost the other.
    Derive {
        /// Which variable.
        variable: u32,
        /// Which value.
        value: u32,
    },
    /// Something was learned for the rest of the search: at least one of these
    /// literals holds.
    Learn {
        /// A variable, a value, and whether it has it or has it not.
        literals: Vec<(u32, u32, bool)>,
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
    turns: Option<Arc<dyn Turns>>,
    observer: Option<&'a mut (dyn FnMut(&Event) + Send)>,
    started: Instant,
    nodes: u64,
    /// Nodes and effort.
    work: u64,
    turn: Turn,
    /// Its best estimate has not been told in this turn.
    untold: bool,
    /// The work at which to look, whatever the heartbeat says.
    checkpoint: u64,
    /// The beat of the last look.
    beat: u64,
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
        Run {
            wanted,
            budget: Budget::default(),
            cancel: None,
            turns: None,
            observer: None,
            started: Instant::now(),
            nodes: 0,
            work: 0,
            turn: Turn::ENDLESS,
            untold: false,
            checkpoint: 0,
            beat: 0,
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

    /// Goes on only when it is its turn.
    #[must_use]
    pub fn with_turns(mut self, turns: Arc<dyn Turns>) -> Run<'a> {
        self.turns = Some(turns);
        self.turn = Turn { work: 0, nodes: 0 };
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

    /// Nodes and effort counted so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Counts one node, and says stop if a budget is spent.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.tick_many(1)
    }

    /// Counts many nodes at once, for engines that work in bulk.
    #[inline]
    pub fn tick_many(&mut self, nodes: u64) -> Result<(), Stop> {
        self.nodes += nodes;
        self.effort(nodes)
    }

    /// Counts work that is no node, such as clauses written or the preparation
    /// of a search: turns end by the sum of both, budgets by nodes alone. Says
    /// stop if a budget is spent.
    #[inline]
    pub fn effort(&mut self, amount: u64) -> Result<(), Stop> {
        self.work += amount;
        if self.work < self.checkpoint && self.beat == heartbeat::beat() {
            Ok(())
        } else {
            self.look()
        }
    }

    /// True if the run takes turns: what cannot be interrupted should then be
    /// done in small pieces.
    pub fn takes_turns(&self) -> bool {
        self.turns.is_some()
    }

    /// Looks at clock, switch, memory and node budget now, without counting a
    /// node; a little effort.
    pub fn check(&mut self) -> Result<(), Stop> {
        self.work += 1;
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.take_turn()?;
        self.stopped()?;
        self.beat = heartbeat::beat();
        let next = match heartbeat::listen() {
            true => u64::MAX,
            // No thread for a heartbeat: look often.
            false => self.work + 64,
        };
        let nodes_left = match self.budget.nodes {
            Some(nodes) => nodes.saturating_add(1).saturating_sub(self.nodes),
            None => u64::MAX,
        };
        let turn_left = self.turn.nodes.saturating_sub(self.nodes).max(1);
        let end = self.work.saturating_add(nodes_left.min(turn_left));
        self.checkpoint = next.min(end).min(self.turn.work);
        Ok(())
    }

    fn take_turn(&mut self) -> Result<(), Stop> {
        let effort = self.work - self.nodes;
        if let Some(turns) = &self.turns
            && self.turn.is_over(self.nodes, effort)
        {
            self.turn = turns.wait(self.nodes, effort).ok_or(Stop::Memory)?;
            self.untold = true;
        }
        Ok(())
    }

    fn stopped(&self) -> Result<(), Stop> {
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
        match memory::in_use() {
            Some(held) => self.check_counted(held),
            None => Ok(()),
        }
    }

    /// Lets `body` spend at most `nodes` more nodes of this run. Whether it
    /// was the run's own budget that ran out is for [`Run::check`] to say.
    pub fn with_at_most<T>(&mut self, nodes: u64, body: impl FnOnce(&mut Run<'a>) -> T) -> T {
        let whole = self.budget.nodes;
        let part = self.nodes.saturating_add(nodes);
        self.budget.nodes = Some(whole.map_or(part, |whole| whole.min(part)));
        self.checkpoint = 0;
        let result = body(self);
        self.budget.nodes = whole;
        self.checkpoint = 0;
        result
    }

    /// Lets `body` have one of so many parts of the memory that is left: for work
    /// that may fail, while there is something to lose.
    pub fn with_part_of_memory<T>(
        &mut self,
        parts: u64,
        body: impl FnOnce(&mut Run<'a>) -> T,
    ) -> T {
        let whole = self.budget.memory;
        let held = memory::in_use().unwrap_or(0);
        self.budget.memory = whole.map(|whole| held + whole.saturating_sub(held) / parts.max(1));
        let result = body(self);
        self.budget.memory = whole;
        result
    }

    /// Says stop if the memory budget is exceeded: going by the allocator if it
    /// counts, else by `estimate`, the bytes the engine believes it holds.
    pub fn check_memory(&self, estimate: u64) -> Result<(), Stop> {
        match (memory::in_use(), self.budget.memory, &self.turns) {
            (Some(held), ..) => self.check_counted(held),
            (None, Some(memory), _) if estimate > memory => Err(Stop::Memory),
            (None, _, Some(turns)) => turns.hold(estimate),
            _ => Ok(()),
        }
    }

    /// Says stop if `bytes` more are more than the budget allows: to be asked
    /// before something large is made in one piece.
    pub fn check_growth(&self, bytes: u64) -> Result<(), Stop> {
        let held = memory::in_use().unwrap_or(0).saturating_add(bytes);
        match self.budget.memory {
            Some(memory) if held > memory => Err(Stop::Memory),
            _ => Ok(()),
        }
    }

    fn check_counted(&self, held: u64) -> Result<(), Stop> {
        match (self.budget.memory, &self.turns) {
            (Some(memory), None) if held > usable(memory) => Err(Stop::Memory),
            (Some(_), Some(turns)) => {
                turns.hold(Account::of_this_thread().map_or(0, Account::balance))
            }
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

    /// Gives a sign of life: who is working, the nodes so far, and the best
    /// estimate, which is asked for only if somebody listens, and once in each
    /// turn.
    #[inline]
    pub fn progress(&mut self, stage: &'static str, best: impl FnOnce() -> Option<u64>) {
        if self.untold || self.observed() {
            let best = best();
            best.into_iter().for_each(|best| self.tell(best));
            let nodes = self.nodes;
            self.emit(Event::Progress { stage, nodes, best });
        }
    }

    /// Tells whoever gives turns how much remains, without a sign of life; the
    /// number is asked for once in each turn.
    #[inline]
    pub fn remains(&mut self, remains: impl FnOnce() -> u64) {
        if self.untold {
            self.tell(remains());
        }
    }

    #[cold]
    fn tell(&mut self, remains: u64) {
        self.untold = false;
        if let Some(turns) = &self.turns {
            turns.hear(remains);
        }
    }

    /// Runs `body`, whose answers go to `sink`, and wraps up its end and its
    /// cost.
    ///
    /// `body` returns `Ok(())` when everything has been looked at, and uses `?`
    /// on [`Run::tick`] and [`Found::push`] to leave early.
    pub fn search<A>(
        &mut self,
        sink: &mut Sink<'_, A>,
        body: impl FnOnce(&mut Run<'a>, &mut Found<'_, A>) -> Result<(), Leave>,
    ) -> Result<Ended, EngineError> {
        let mut found = Found::new(sink, self.wanted);
        let end = if self.wanted == 0 {
            End::Enough
        } else {
            match self
                .check()
                .map_err(Leave::from)
                .and_then(|()| body(self, &mut found))
            {
                Ok(()) => End::Exhausted,
                Err(leave) => leave.end()?,
            }
        };
        Ok(Ended {
            end,
            stats: self.finish(),
        })
    }

    /// [`Run::search`] for those who keep all answers.
    pub fn collect<A>(
        &mut self,
        body: impl FnOnce(&mut Run<'a>, &mut Found<'_, A>) -> Result<(), Leave>,
    ) -> Result<Outcome<A>, EngineError> {
        Outcome::collect(|sink| self.search(sink, body))
    }

    /// The cost so far: nodes, time and the counters in [`Run::stats`].
    pub fn finish(&mut self) -> Stats {
        let mut stats = std::mem::take(&mut self.stats);
        stats.nodes = self.nodes;
        stats.time = self.elapsed();
        stats
    }
}
