//! One search in progress: what is wanted, what may be spent, who listens.
//!
//! Engines call [`Run::tick`] once per node, [`Run::effort`] for other work,
//! and stop when either fails. A tick is an increment and two comparisons:
//! clock, memory and cancellation are looked at when the `heartbeat` has
//! beaten since the last look, turns and node budgets when a count is reached.
//! So a budget is noticed within milliseconds however slow or quick nodes are,
//! as long as everything that may take long ticks.

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
        self.take_turn();
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

    fn take_turn(&mut self) {
        let effort = self.work - self.nodes;
        if let Some(turns) = &self.turns
            && self.turn.is_over(self.nodes, effort)
        {
            self.turn = turns.wait(self.nodes, effort);
        }
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
    /// estimate, which is asked for only if somebody listens.
    #[inline]
    pub fn progress(&mut self, stage: &'static str, best: impl FnOnce() -> Option<u64>) {
        if self.observed() {
            let (nodes, best) = (self.nodes, best());
            self.emit(Event::Progress { stage, nodes, best });
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks `nodes` times, pushing an answer on each.
    fn count_to(nodes: u64, mut run: Run<'_>) -> Outcome<u64> {
        run.collect(|run, found| {
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
    fn answers_reach_the_sink_before_the_search_goes_on() {
        let found = std::cell::Cell::new(0);
        let mut count = |_| {
            found.set(found.get() + 1);
            Ok(())
        };
        let ended = Run::all().search(&mut count, |run, hand| {
            for node in 1..=3 {
                run.tick()?;
                hand.push(node)?;
                assert_eq!((found.get(), hand.count()), (node, node));
            }
            Ok(())
        });
        assert_eq!(ended.unwrap().end, End::Exhausted);
    }

    #[test]
    fn a_sink_ends_the_search_and_says_how() {
        let left = |leave: Leave| {
            let mut sink = |_| Err(leave.clone());
            Run::all()
                .search(&mut sink, |_, found| (0..).try_for_each(|n| found.push(n)))
                .map(|ended: Ended| ended.end)
        };
        assert_eq!(left(Leave::Enough), Ok(End::Enough));
        let stopped = End::Stopped(Stop::Cancelled);
        assert_eq!(left(Stop::Cancelled.into()), Ok(stopped));
        let error = EngineError::Internal("wrong".into());
        assert_eq!(left(Leave::Error(error.clone())), Err(error));
        // The same for answers that were kept and are handed on.
        let kept = count_to(10, Run::all());
        let mut two = 2;
        let ended = kept.hand_to(&mut |_| {
            two -= 1;
            match two {
                0 => Err(Leave::Enough),
                _ => Ok(()),
            }
        });
        assert_eq!((ended.unwrap().end, two), (End::Enough, 0));
    }

    #[test]
    fn a_part_of_a_budget_is_exact_and_leaves_the_rest() {
        let mut run = Run::all().with_nodes(100);
        for expected in [30, 60, 90, 100] {
            run.with_at_most(30, |run| while run.tick().is_ok() {});
            // The tick that fails is counted too.
            let spent = run.nodes();
            run.nodes = expected;
            assert_eq!(spent, expected + 1);
        }
        assert_eq!(run.check(), Ok(()));
        assert_eq!(run.tick(), Err(Stop::Nodes));
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
        assert_eq!(run.check_growth(1000), Ok(()));
        assert_eq!(run.check_growth(1001), Err(Stop::Memory));
    }

    #[test]
    fn slow_work_hears_the_clock_after_much_quick_work() {
        // A search that looks every so many nodes, going by how quick the last
        // ones were, is deaf when they become slow.
        let mut run = Run::all().with_time(Duration::from_millis(100));
        for _ in 0..1 << 20 {
            run.tick().unwrap();
        }
        let mut slow = 0;
        while run.tick().is_ok() {
            std::thread::sleep(Duration::from_millis(10));
            slow += 1;
        }
        assert!(slow < 50, "{slow}");
    }

    #[test]
    fn effort_hears_the_clock() {
        let mut run = Run::all().with_time(Duration::from_millis(20));
        let start = Instant::now();
        while run.effort(1).is_ok() {
            assert!(start.elapsed() < Duration::from_secs(20));
        }
        assert_eq!(run.check(), Err(Stop::Time));
        assert_eq!(run.nodes(), 0);
    }

    /// Grants ten at a time and remembers when it was asked.
    #[derive(Default)]
    struct Tens(std::sync::Mutex<Vec<(u64, u64)>>);

    impl Turns for Tens {
        fn wait(&self, nodes: u64, effort: u64) -> Turn {
            self.0.lock().unwrap().push((nodes, effort));
            Turn {
                work: nodes + effort + 10,
                nodes: 20,
            }
        }

        fn hold(&self, bytes: u64) -> Result<(), Stop> {
            match bytes < 100 {
                true => Ok(()),
                false => Err(Stop::Memory),
            }
        }
    }

    #[test]
    fn turns_end_after_what_was_granted_in_nodes_and_effort() {
        let turns = Arc::new(Tens::default());
        let mut run = Run::limit(1).with_turns(turns.clone());
        run.check().unwrap();
        (0..9).for_each(|_| run.tick().unwrap());
        run.effort(4).unwrap();
        (0..10).for_each(|_| run.tick().unwrap());
        assert_eq!(*turns.0.lock().unwrap(), [(0, 1), (9, 5), (19, 5)]);
        run.tick().unwrap();
        assert_eq!(turns.0.lock().unwrap().last(), Some(&(20, 5)));
    }

    #[test]
    fn a_turn_ends_at_the_same_node_however_seldom_the_clock_is_read() {
        let turns = Arc::new(Tens::default());
        let mut run = Run::limit(1).with_turns(turns.clone());
        run.tick().unwrap();
        run.effort(3).unwrap();
        (0..7).for_each(|_| run.tick().unwrap());
        assert_eq!(*turns.0.lock().unwrap(), [(1, 0), (8, 3)]);
    }

    #[test]
    fn a_run_that_takes_turns_shares_its_memory() {
        let run = Run::limit(1).with_turns(Arc::new(Tens::default()));
        assert_eq!(run.check_memory(100), Err(Stop::Memory));
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
