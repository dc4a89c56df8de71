//! Dynamic backtracking: at a dead end, take back the culprit alone.
//!
//! Every value struck from a variable comes with a reason: the set of assigned
//! variables that rule it out. When all values of a variable are struck, the
//! union of their reasons cannot all stay as it is; the most recent member
//! loses its value, for the reason of the others, and moves out of the way,
//! while everything assigned after it and unrelated to it keeps its value.
//! Reasons that mention it are forgotten with it, which keeps the memory
//! polynomial. (M. Ginsberg, "Dynamic backtracking", 1993.)
//!
//! An answer is a dead end too, once it is told: its reason is everyone. That
//! makes the search enumerate each answer once.

use planoku_engine::{Event, Found, Leave, Run};

use crate::csp::counters::Counters;
use crate::csp::graph::Graph;
use crate::csp::level_sets::members;
use crate::csp::network::Assignment;
use crate::csp::values::bits;

/// Runs the search over `values`; the lowest unassigned variable is next.
pub(crate) fn search(
    graph: &Graph,
    values: &[u64],
    run: &mut Run<'_>,
    found: &mut Found<Assignment>,
) -> Result<(), Leave> {
    let words = graph.len.div_ceil(64);
    let reasons: u64 = values.iter().map(|set| u64::from(set.count_ones())).sum();
    run.check_growth(reasons * words as u64 * 8)?;
    let mut search = Dynamic {
        graph,
        values,
        words,
        taken: vec![None; graph.len],
        since: vec![0; graph.len],
        clock: 0,
        live: values.to_vec(),
        reasons: vec![Vec::new(); graph.len << 6],
        counters: Counters::default(),
    };
    let result = search.run(run, found);
    search.counters.report(run);
    result
}

struct Dynamic<'g> {
    graph: &'g Graph,
    values: &'g [u64],
    words: usize,
    taken: Vec<Option<u32>>,
    /// When each assigned variable got its value.
    since: Vec<u64>,
    clock: u64,
    /// The values of each variable that have no reason against them.
    live: Vec<u64>,
    /// Why a value is struck: a set of assigned variables. Only meaningful for
    /// values that are not live.
    reasons: Vec<Vec<u64>>,
    counters: Counters,
}

impl Dynamic<'_> {
    fn run(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        let mut answers = 0;
        loop {
            let culprits = match self.taken.iter().position(Option::is_none) {
                Some(variable) => {
                    run.tick()?;
                    self.compare(variable);
                    if self.live[variable] != 0 {
                        self.assign(variable, run);
                        continue;
                    }
                    run.emit(Event::Conflict {
                        variable: variable as u32,
                    });
                    self.union_of_reasons(variable)
                }
                None => {
                    answers += 1;
                    run.emit(Event::Answer(answers));
                    let values = self.taken.iter().map(|value| value.unwrap_or_default());
                    found.push(Assignment(values.collect()))?;
                    (0..self.graph.len).fold(vec![0; self.words], |mut all, variable| {
                        all[variable >> 6] |= 1 << (variable & 63);
                        all
                    })
                }
            };
            let Some(culprit) = self.most_recent(&culprits) else {
                self.clear(run);
                return Ok(());
            };
            self.take_back(culprit, culprits, run);
        }
    }

    /// Strikes the live values of `variable` that clash with assigned ones.
    fn compare(&mut self, variable: usize) {
        for edge in self.graph.edges(variable) {
            let other = edge.other as usize;
            let Some(value) = self.taken[other] else {
                continue;
            };
            self.counters.checks += 1;
            let struck = self.live[variable] & !self.graph.support(edge.reverse, value);
            self.live[variable] ^= struck;
            for value in bits(struck) {
                let reason = &mut self.reasons[variable << 6 | value as usize];
                reason.clear();
                reason.resize(self.words, 0);
                reason[other >> 6] |= 1 << (other & 63);
                self.counters.prunings += 1;
            }
        }
    }

    fn assign(&mut self, variable: usize, run: &mut Run<'_>) {
        let value = self.live[variable].trailing_zeros();
        self.taken[variable] = Some(value);
        self.clock += 1;
        self.since[variable] = self.clock;
        self.counters.tries += 1;
        run.emit(Event::Assign {
            variable: variable as u32,
            value,
        });
    }

    /// Nobody is to blame: the search is over, whatever still stands.
    fn clear(&mut self, run: &mut Run<'_>) {
        for (variable, taken) in self.taken.iter_mut().enumerate() {
            if taken.take().is_some() {
                run.emit(Event::Unassign {
                    variable: variable as u32,
                });
            }
        }
    }

    fn union_of_reasons(&self, variable: usize) -> Vec<u64> {
        let mut union = vec![0; self.words];
        for value in bits(self.values[variable]) {
            for (word, other) in
                (union.iter_mut()).zip(&self.reasons[variable << 6 | value as usize])
            {
                *word |= other;
            }
        }
        union
    }

    fn most_recent(&self, set: &[u64]) -> Option<usize> {
        members(set).max_by_key(|variable| self.since[*variable])
    }

    /// Unassigns `culprit` and strikes its value because of the others.
    fn take_back(&mut self, culprit: usize, mut others: Vec<u64>, run: &mut Run<'_>) {
        let Some(value) = self.taken[culprit].take() else {
            unreachable!("reasons name assigned variables only")
        };
        run.emit(Event::Unassign {
            variable: culprit as u32,
        });
        let later = (self.taken.iter().zip(&self.since))
            .filter(|(taken, since)| taken.is_some() && **since > self.since[culprit])
            .count();
        // The variables left standing are the levels a backjump would lose.
        if later > 0 {
            self.counters.backjumps += 1;
            self.counters.jumped_levels += later as u64;
            self.counters.longest_jump = self.counters.longest_jump.max(later as u64);
        }
        let (word, bit) = (culprit >> 6, 1u64 << (culprit & 63));
        for variable in 0..self.graph.len {
            for struck in bits(self.values[variable] & !self.live[variable]) {
                if self.reasons[variable << 6 | struck as usize][word] & bit != 0 {
                    self.live[variable] |= 1 << struck;
                }
            }
        }
        others[word] &= !bit;
        self.live[culprit] &= !(1 << value);
        self.reasons[culprit << 6 | value as usize] = others;
        self.counters.prunings += 1;
    }
}
