//! What numbers can come to, if every action that can be executed is executed
//! any number of times.
//!
//! Each variable has an interval, at first its value at the start. What is
//! added again and again goes to infinity at once; what is assigned, or
//! multiplied, widens the interval a few times and then does the same. A
//! comparison that no member of the interval passes can never hold. This is the
//! interval relaxation of Scala, Haslum, Thiébaux and Ramirez ("Interval-based
//! relaxation for general numeric planning", 2016), without counting layers.

use planoku_engine::{Run, Stop};

use super::ChangeKind;
use super::draft::{Draft, DraftChange};
use crate::numbers::{Fraction, Interval, VariableIndex, ZeroTest};

/// An interval that still grows after so many looks has no end.
const PATIENCE: u32 = 8;

/// The intervals of one computation.
pub struct Ranges<'a> {
    draft: &'a Draft,
    /// Per variable; `None` while it has no value.
    now: Vec<Option<Interval>>,
    /// Per variable, how often it has grown.
    grown: Vec<u32>,
    /// Changes that happen.
    changes: Vec<&'a DraftChange>,
    /// Comparisons, by place in the draft, that no member has passed.
    open: Vec<u32>,
    /// Something has been added since anybody looked.
    fresh: bool,
}

impl<'a> Ranges<'a> {
    /// What holds at the start.
    pub fn new(draft: &'a Draft) -> Ranges<'a> {
        let comparisons = draft.comparisons.iter().enumerate();
        let open = comparisons.filter(|(_, it)| !draft.initial[it.fact as usize]);
        Ranges {
            draft,
            now: draft.start.iter().map(|it| it.map(Interval::of)).collect(),
            grown: vec![0; draft.start.len()],
            changes: Vec::new(),
            open: open.map(|(place, _)| place as u32).collect(),
            fresh: false,
        }
    }

    /// A change that happens.
    pub fn add(&mut self, change: &'a DraftChange) {
        self.changes.push(change);
        self.fresh = true;
    }

    /// Widens the intervals as far as they go; the facts of comparisons that can
    /// hold now and could not before.
    pub fn widen(&mut self, run: &mut Run<'_>) -> Result<Vec<u32>, Stop> {
        if !std::mem::take(&mut self.fresh) {
            return Ok(Vec::new());
        }
        loop {
            run.effort(1 + 8 * self.changes.len() as u64)?;
            let mut grows = false;
            for at in 0..self.changes.len() {
                grows |= self.happen(self.changes[at]);
            }
            if !grows {
                break;
            }
        }
        let (now, comparisons) = (&self.now, &self.draft.comparisons);
        let mut reached = Vec::new();
        self.open.retain(|&place| {
            let comparison = &comparisons[place as usize];
            let range = comparison.expression.range(&|it| now[it as usize]);
            let may = range.is_some_and(|range| range.may(comparison.test));
            if may {
                reached.push(comparison.fact);
            }
            !may
        });
        Ok(reached)
    }

    /// Facts of comparisons that hold at the start and that nothing changes.
    pub fn lasting(&self) -> Vec<u32> {
        let comparisons = self.draft.comparisons.iter();
        let lasting = comparisons.filter(|it| {
            let range = it.expression.range(&|variable| self.now[variable as usize]);
            self.draft.initial[it.fact as usize] && range.is_some_and(|range| range.must(it.test))
        });
        lasting.map(|it| it.fact).collect()
    }

    /// One change happens, again and again; true if its variable grows.
    fn happen(&mut self, change: &DraftChange) -> bool {
        let read = |variable: VariableIndex| self.now[variable as usize];
        let before = read(change.variable);
        let Some(amount) = change.amount.range(&read) else {
            return false;
        };
        let after = match (change.kind, before) {
            (ChangeKind::Assign, _) => amount,
            (_, None) => return false,
            (ChangeKind::Increase, Some(before)) => repeated(before, amount),
            (ChangeKind::Scale, Some(before)) => before.times(amount),
        };
        let Some(before) = before else {
            self.now[change.variable as usize] = Some(after);
            return true;
        };
        if before.holds(after) {
            return false;
        }
        let grown = &mut self.grown[change.variable as usize];
        *grown += 1;
        let mut wider = before.union(after);
        if *grown > PATIENCE {
            wider.low = wider.low.filter(|&low| Some(low) == before.low);
            wider.high = wider.high.filter(|&high| Some(high) == before.high);
        }
        self.now[change.variable as usize] = Some(wider);
        true
    }
}

/// An interval to which any member of another is added any number of times.
fn repeated(before: Interval, amount: Interval) -> Interval {
    let grows = amount.may(ZeroTest::Positive);
    let shrinks = amount.low.is_none_or(|low| low < Fraction::ZERO);
    Interval {
        low: before.low.filter(|_| !shrinks),
        high: before.high.filter(|_| !grows),
    }
}
