//! Look-back: where to return when a variable has no value left.
//!
//! This is backtracking in its oldest form. Variables are assigned in their
//! own order, level `i` being variable `i`; a value is compared only with the
//! values assigned before it; nothing is known of the future. At a dead end the
//! search returns to an earlier level, and *which* is the whole difference
//! between the methods here. Each is a [`LookBack`]:
//!
//! - [`chronological`]: the level before.
//! - [`gaschnig`]: the deepest level that struck a value here.
//! - [`graph_based`]: the deepest level this one shares a constraint with.
//! - [`conflict_directed`]: the deepest level to blame, with blame handed on.
//!
//! Two more keep books of another kind and have loops of their own:
//! [`backmarking`] remembers comparisons, [`dynamic`] moves the culprit instead
//! of returning to it.
//!
//! # What is counted
//!
//! A *node* is one entry of a level, before any value is tried, as in "The CSP
//! Sudoku" (Elíasson and Titze, 2020), whose tables these engines reproduce to
//! the last node. There, and here, the level behind the last variable is never
//! entered: a network of 81 variables with one answer costs at least 81.

pub(crate) mod backmarking;
pub(crate) mod chronological;
pub(crate) mod conflict_directed;
pub(crate) mod dynamic;
pub(crate) mod gaschnig;
pub(crate) mod graph_based;
mod part;

pub use part::LookBackPart;

use planoku_engine::{Event, Found, Leave, Run};

use super::counters::Counters;
use super::graph::Graph;
use super::network::Assignment;
use super::order::ValueOrder;
use super::order::values::rank;
use super::values::bits;

/// A rule for returning from dead ends.
///
/// All values of a level that clash with earlier ones are reported when the
/// level is entered. A recursive program finds them one by one, between its
/// descents, but as nothing is read off the books of a level before its last
/// value has failed, the difference does not show.
pub(crate) trait LookBack {
    /// Whether [`LookBack::refuted`] does anything.
    const NOTES: bool = true;

    /// A level is entered; whatever was noted about it is out of date.
    fn enter(&mut self, level: usize);

    /// Some values of `level` clash with the value of `by`, and with nothing
    /// assigned before `by`.
    fn refuted(&mut self, level: usize, by: usize);

    /// An answer was found at `level`, the last, and the search goes on: no
    /// level may be skipped on the strength of the answer's values.
    fn solved(&mut self, level: usize);

    /// Every value of `level` has failed. The level to return to, or `None` if
    /// that ends the search.
    fn dead_end(&mut self, level: usize) -> Option<usize>;

    /// The levels that were to blame for that dead end, ascending, for those
    /// who watch.
    fn blamed(&self, _level: usize) -> Vec<u32> {
        Vec::new()
    }
}

/// Runs the search over `values`, those of the network or fewer.
pub(crate) fn search(
    graph: &Graph,
    values: &[u64],
    order: ValueOrder,
    look_back: impl LookBack,
    run: &mut Run<'_>,
    found: &mut Found<Assignment>,
) -> Result<(), Leave> {
    let mut search = Search {
        graph,
        values,
        order,
        look_back,
        taken: vec![0; graph.len],
        fitting: vec![0; graph.len],
        sizes: values.iter().map(|set| set.count_ones()).collect(),
        ranked: vec![Vec::new(); graph.len],
        counters: Counters::default(),
        answers: 0,
    };
    let result = search.run(run, found);
    search.counters.report(run);
    result
}

struct Search<'g, L> {
    graph: &'g Graph,
    values: &'g [u64],
    order: ValueOrder,
    look_back: L,
    /// The value of every level up to the current one, as a bit.
    taken: Vec<u64>,
    /// The values of each level that fit what came before and are untried.
    fitting: Vec<u64>,
    sizes: Vec<u32>,
    /// For orders other than ascending: what is untried, best last.
    ranked: Vec<Vec<u8>>,
    counters: Counters,
    answers: u64,
}

impl<L: LookBack> Search<'_, L> {
    fn run(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        let Some(last) = self.graph.len.checked_sub(1) else {
            return found.push(Assignment(Vec::new()));
        };
        let result = self.levels(last, run, found);
        result.map_err(|(leave, open)| {
            for level in 0..open {
                self.forget_untried(level);
            }
            leave
        })
    }

    /// The search itself. Leaving early also tells how many levels have a value.
    fn levels(
        &mut self,
        last: usize,
        run: &mut Run<'_>,
        found: &mut Found<Assignment>,
    ) -> Result<(), (Leave, usize)> {
        let mut level = 0;
        self.enter(level, run).map_err(|leave| (leave, level))?;
        loop {
            if self.take_next(level, run) {
                if level < last {
                    level += 1;
                    self.enter(level, run).map_err(|leave| (leave, level))?;
                    continue;
                }
                self.answer(run, found)
                    .map_err(|leave| (leave, level + 1))?;
                self.look_back.solved(level);
                release(level, run);
            } else {
                if run.observed() {
                    run.emit(Event::Conflict {
                        variable: level as u32,
                    });
                }
                let target = self.look_back.dead_end(level);
                if let Some(target) = target {
                    let look_back = &self.look_back;
                    let because = || look_back.blamed(level);
                    self.counters.jump(level, target, run, because);
                }
                self.leave(level, target.unwrap_or(0), run);
                let Some(target) = target else {
                    return Ok(());
                };
                level = target;
            }
        }
    }

    /// Counts a node and finds out which values fit the earlier levels.
    ///
    /// The neighbours are met lowest first, and a value is compared no further
    /// once it clashed, so the level reported for it is the lowest one. (The
    /// paper leaves open which is meant; its published counts need the lowest.)
    #[inline]
    fn enter(&mut self, level: usize, run: &mut Run<'_>) -> Result<(), Leave> {
        run.tick()?;
        self.look_back.enter(level);
        let mut left = self.values[level];
        let mut standing = u64::from(self.sizes[level]);
        let mut compared = 0;
        for edge in self.graph.earlier(level) {
            let by = edge.other as usize;
            compared += standing;
            // Mere difference needs no table and strikes at most one value,
            // which spares the search its branches: this loop is most of it.
            let (struck, count) = if edge.reverse == 0 {
                let struck = left & self.taken[by];
                (struck, u64::from(struck != 0))
            } else {
                let value = self.taken[by].trailing_zeros();
                let struck = left & !self.graph.support(edge.reverse, value);
                (struck, u64::from(struck.count_ones()))
            };
            left ^= struck;
            standing -= count;
            if L::NOTES && struck != 0 {
                self.look_back.refuted(level, by);
            }
        }
        self.counters.checks += compared;
        // Corrected by `forget_untried` if the level is left before its end.
        self.counters.tries += u64::from(self.sizes[level]);
        self.fitting[level] = left;
        if self.order != ValueOrder::Ascending {
            let (taken, values) = (&self.taken[..level], self.values);
            let open = |variable: usize| (variable > level).then(|| values[variable]);
            let placed = |value: u32| {
                let known = taken.iter().chain(&values[level + 1..]);
                known.filter(|set| **set == 1 << value).count()
            };
            let all = values[level];
            rank(
                self.order,
                self.graph,
                level,
                all,
                open,
                placed,
                &mut self.ranked[level],
            );
        }
        if run.observed() {
            self.show_refuted(level, run);
        }
        Ok(())
    }

    /// Gives the level its next fitting value, if there is one.
    #[inline]
    fn take_next(&mut self, level: usize, run: &mut Run<'_>) -> bool {
        let left = self.fitting[level];
        if left == 0 {
            return false;
        }
        let value = if self.order == ValueOrder::Ascending {
            left.trailing_zeros()
        } else {
            self.best_ranked(level)
        };
        self.fitting[level] = left & !(1 << value);
        self.taken[level] = 1 << value;
        if run.observed() {
            run.emit(Event::Assign {
                variable: level as u32,
                value,
            });
        }
        true
    }

    fn best_ranked(&mut self, level: usize) -> u32 {
        while let Some(value) = self.ranked[level].pop() {
            if self.fitting[level] >> value & 1 == 1 {
                return u32::from(value);
            }
        }
        unreachable!("every fitting value is ranked")
    }

    fn answer(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        self.answers += 1;
        run.emit(Event::Answer(self.answers));
        let values = self.taken.iter().map(|value| value.trailing_zeros());
        found.push(Assignment(values.collect()))
    }

    /// Leaves `level`, which is exhausted, and all others down to `target`,
    /// which keeps its place but loses its value.
    #[inline]
    fn leave(&mut self, level: usize, target: usize, run: &mut Run<'_>) {
        if level > target + 1 {
            for skipped in target + 1..level {
                self.forget_untried(skipped);
            }
        }
        if run.observed() {
            for open in (target..level).rev() {
                release(open, run);
            }
        }
    }

    /// Takes back the tries counted in advance for values behind the one that
    /// this level has now.
    fn forget_untried(&mut self, level: usize) {
        let untried = if self.order == ValueOrder::Ascending {
            let value = self.taken[level];
            let behind = !(value | (value - 1));
            (self.values[level] & behind).count_ones() as usize
        } else {
            self.ranked[level].len()
        };
        self.counters.tries -= untried as u64;
    }

    /// Shows the tries of values that clash with what is assigned.
    #[cold]
    fn show_refuted(&self, level: usize, run: &mut Run<'_>) {
        let variable = level as u32;
        for value in bits(self.values[level] & !self.fitting[level]) {
            run.emit(Event::Assign { variable, value });
            run.emit(Event::Conflict { variable });
            run.emit(Event::Unassign { variable });
        }
    }
}

#[inline]
fn release(level: usize, run: &mut Run<'_>) {
    if run.observed() {
        run.emit(Event::Unassign {
            variable: level as u32,
        });
    }
}
