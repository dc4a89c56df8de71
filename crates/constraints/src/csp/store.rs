//! The store: what is left of every variable's values, how to get struck
//! values back, and why they were struck.
//!
//! Look-ahead strikes values, look-back restores them. Everything struck is
//! noted on a trail; undoing pops the trail down to a mark, in time
//! proportional to what was struck since. If look-back wants to know whom to
//! blame, each strike also keeps its [`Reason`], and [`Store::blame`] follows
//! reasons back to the choices that caused them.

use planoku_engine::{Event, Run};

use super::counters::Counters;
use super::graph::Graph;
use super::nogoods::Nogoods;
use super::values::{BitQueue, bits};

/// Some variable has no value left, or some set of variables too few.
/// What is known about it is in [`Store::conflict`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refuted;

/// "These values of this variable are gone."
pub(crate) type Fact = (u32, u64);

/// Why a value was struck.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Reason {
    /// Before any choice; nobody is to blame.
    #[default]
    Root,
    /// The choice made on this level took another value.
    Choice(u32),
    /// The neighbour `other` has lost every value that `table` (towards it)
    /// allows beside this one.
    Edge { other: u32, table: u32 },
    /// The facts in this range of [`Store::facts`].
    Facts { start: u32, end: u32 },
}

/// Which constraint found the conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finder {
    Pair(u32, u32),
    Scope(u32),
    Nogood,
}

struct Strike {
    variable: u32,
    chosen: bool,
    values: u64,
}

/// A point to return to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    trail: usize,
    facts: usize,
}

pub(crate) struct Store<'g> {
    pub graph: &'g Graph,
    /// What is left of each variable.
    pub values: Vec<u64>,
    /// What was left when the first choice was made.
    pub start: Vec<u64>,
    /// Variables that lost values and whose neighbours have not been told.
    pub changed: BitQueue,
    /// All-different sets with a member that lost values.
    pub stirred: BitQueue,
    /// Whether reasons are kept.
    pub keeps_reasons: bool,
    /// The last conflict: facts that cannot all be true, and who noticed.
    pub conflict: Vec<Fact>,
    pub finder: Finder,
    pub nogoods: Option<Nogoods>,
    pub counters: Counters,
    pub facts: Vec<Fact>,
    trail: Vec<Strike>,
    reasons: Vec<Reason>,
    traced: bool,
    log: Vec<Event>,
    // Working memory of `blame`, empty between calls.
    seen: Vec<u64>,
    open: Vec<Fact>,
    visited: Vec<usize>,
}

impl<'g> Store<'g> {
    /// A store over `values`, with every variable waiting to tell its
    /// neighbours.
    pub(crate) fn new(
        graph: &'g Graph,
        values: Vec<u64>,
        keeps_reasons: bool,
        traced: bool,
    ) -> Self {
        let mut changed = BitQueue::new(graph.len);
        (0..graph.len).for_each(|variable| changed.insert(variable));
        let mut stirred = BitQueue::new(graph.scopes.len());
        (0..graph.scopes.len()).for_each(|scope| stirred.insert(scope));
        Store {
            graph,
            start: values.clone(),
            reasons: vec![Reason::Root; if keeps_reasons { graph.len << 6 } else { 0 }],
            seen: vec![0; if keeps_reasons { graph.len } else { 0 }],
            values,
            changed,
            stirred,
            keeps_reasons,
            conflict: Vec::new(),
            finder: Finder::Nogood,
            nogoods: None,
            counters: Counters::default(),
            facts: Vec::new(),
            trail: Vec::new(),
            traced,
            log: Vec::new(),
            open: Vec::new(),
            visited: Vec::new(),
        }
    }

    /// Strikes `mask` from a variable; fails if that leaves nothing.
    #[inline]
    pub(crate) fn strike(
        &mut self,
        variable: usize,
        mask: u64,
        reason: Reason,
        finder: Finder,
    ) -> Result<(), Refuted> {
        let struck = self.values[variable] & mask;
        if struck == 0 {
            return Ok(());
        }
        self.values[variable] ^= struck;
        self.changed.insert(variable);
        self.counters.prunings += u64::from(struck.count_ones());
        self.trail.push(Strike {
            variable: variable as u32,
            chosen: false,
            values: struck,
        });
        if self.keeps_reasons {
            self.keep(variable, struck, reason);
        }
        if self.traced {
            self.log_strike(variable, struck);
        }
        if self.values[variable] == 0 {
            self.finder = finder;
            self.conflict.clear();
            self.conflict.push((variable as u32, u64::MAX));
            return Err(Refuted);
        }
        Ok(())
    }

    /// Gives a variable one of its values, by choice, on `level`.
    pub(crate) fn choose(&mut self, variable: usize, value: u32, level: usize) {
        let others = self.values[variable] & !(1 << value);
        self.values[variable] = 1 << value;
        self.changed.insert(variable);
        self.trail.push(Strike {
            variable: variable as u32,
            chosen: true,
            values: others,
        });
        if self.keeps_reasons {
            self.keep(variable, others, Reason::Choice(level as u32));
        }
    }

    /// Makes what is left now the start, to which the search never returns.
    pub(crate) fn settle(&mut self) {
        self.start.copy_from_slice(&self.values);
        self.trail.clear();
        self.facts.clear();
        self.reasons.fill(Reason::Root);
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            facts: self.facts.len(),
        }
    }

    /// Gives back everything struck since `mark`, and forgets unfinished work.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for strike in self.trail[mark.trail..].iter().rev() {
            self.values[strike.variable as usize] |= strike.values;
            if self.traced && !strike.chosen {
                let variable = strike.variable;
                let restored = bits(strike.values).map(|value| Event::Restore { variable, value });
                self.log.extend(restored);
            }
        }
        self.trail.truncate(mark.trail);
        self.facts.truncate(mark.facts);
        self.changed.clear();
        self.stirred.clear();
    }

    /// Notes a conflict that is not a single variable without values.
    pub(crate) fn contradict(
        &mut self,
        facts: impl IntoIterator<Item = Fact>,
        finder: Finder,
    ) -> Refuted {
        self.finder = finder;
        self.conflict.clear();
        // Without reasons one fact is enough, to say where it happened.
        let wanted = if self.keeps_reasons { usize::MAX } else { 1 };
        self.conflict.extend(facts.into_iter().take(wanted));
        Refuted
    }

    /// A reason made of facts; call it only if reasons are kept.
    pub(crate) fn because(&mut self, facts: impl IntoIterator<Item = Fact>) -> Reason {
        let start = self.facts.len() as u32;
        self.facts.extend(facts);
        let end = self.facts.len() as u32;
        Reason::Facts { start, end }
    }

    /// Adds to `levels` the choices that made `facts` true.
    ///
    /// A fact only counts as far as it was not true at the start. Each struck
    /// value is visited once; its reason was complete before it was struck, so
    /// following reasons never leads in a circle.
    pub(crate) fn blame(&mut self, facts: &[Fact], levels: &mut [u64]) {
        debug_assert!(self.keeps_reasons);
        let mut open = std::mem::take(&mut self.open);
        let mut visited = std::mem::take(&mut self.visited);
        open.extend_from_slice(facts);
        while let Some((variable, mask)) = open.pop() {
            let at = variable as usize;
            let news = mask & self.start[at] & !self.seen[at];
            if news == 0 {
                continue;
            }
            debug_assert_eq!(news & self.values[at], 0, "blamed a value still there");
            self.seen[at] |= news;
            visited.push(at);
            for value in bits(news) {
                match self.reasons[at << 6 | value as usize] {
                    Reason::Root => {}
                    Reason::Choice(level) => levels[level as usize >> 6] |= 1 << (level & 63),
                    Reason::Edge { other, table } => {
                        open.push((other, self.graph.support(table, value)));
                    }
                    Reason::Facts { start, end } => {
                        open.extend_from_slice(&self.facts[start as usize..end as usize]);
                    }
                }
            }
        }
        for at in visited.drain(..) {
            self.seen[at] = 0;
        }
        (self.open, self.visited) = (open, visited);
    }

    /// Tells who listens what was struck and restored since the last time.
    #[inline]
    pub(crate) fn tell(&mut self, run: &mut Run<'_>) {
        for event in self.log.drain(..) {
            run.emit(event);
        }
    }

    #[inline]
    fn keep(&mut self, variable: usize, struck: u64, reason: Reason) {
        for value in bits(struck) {
            self.reasons[variable << 6 | value as usize] = reason;
        }
    }

    #[cold]
    fn log_strike(&mut self, variable: usize, struck: u64) {
        let variable = variable as u32;
        self.log
            .extend(bits(struck).map(|value| Event::Prune { variable, value }));
    }
}
