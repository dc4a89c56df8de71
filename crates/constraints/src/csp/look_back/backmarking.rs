//! Backmarking: never repeat a comparison whose outcome cannot have changed.
//!
//! It visits exactly the nodes of chronological backtracking and saves
//! comparisons. For every value of every variable it marks the level the value
//! got to before it clashed, and for every variable the lowest level that has
//! changed since. If the mark lies below that, the clash is still there; if
//! not, everything below it is still fine, and comparing starts from it.
//! (J. Gaschnig, "A general backtrack algorithm that eliminates most redundant
//! tests", 1977.)

use planoku_engine::{Event, Found, Leave, Run};

use crate::csp::counters::Counters;
use crate::csp::graph::Graph;
use crate::csp::network::Assignment;
use crate::csp::values::bits;

/// Runs the search over `values`, ascending.
pub(crate) fn search(
    graph: &Graph,
    values: &[u64],
    run: &mut Run<'_>,
    found: &mut Found<Assignment>,
) -> Result<(), Leave> {
    let mut search = Backmarking {
        graph,
        values,
        taken: vec![0; graph.len],
        untried: vec![0; graph.len],
        reached: vec![0; graph.len << 6],
        changed: vec![0; graph.len],
        counters: Counters::default(),
        answers: 0,
    };
    let result = search.levels(run, found);
    search.counters.report(run);
    result
}

struct Backmarking<'g> {
    graph: &'g Graph,
    values: &'g [u64],
    taken: Vec<u32>,
    untried: Vec<u64>,
    /// The level each value got to when last compared: where it clashed, or its
    /// own level if it fitted.
    reached: Vec<u32>,
    /// The lowest level that changed since the variable was last compared.
    changed: Vec<u32>,
    counters: Counters,
    answers: u64,
}

impl Backmarking<'_> {
    fn levels(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        let Some(last) = self.graph.len.checked_sub(1) else {
            return found.push(Assignment(Vec::new()));
        };
        let mut level = 0;
        self.enter(level, run)?;
        loop {
            if self.take_next(level, run) {
                if level < last {
                    level += 1;
                    self.enter(level, run)?;
                    continue;
                }
                self.answers += 1;
                run.emit(Event::Answer(self.answers));
                found.push(Assignment(self.taken.clone()))?;
                release(level, run);
            } else {
                run.emit(Event::Conflict {
                    variable: level as u32,
                });
                let Some(before) = level.checked_sub(1) else {
                    return Ok(());
                };
                self.mark(level, before);
                release(before, run);
                level = before;
            }
        }
    }

    fn enter(&mut self, level: usize, run: &mut Run<'_>) -> Result<(), Leave> {
        run.tick()?;
        self.untried[level] = self.values[level];
        Ok(())
    }

    fn take_next(&mut self, level: usize, run: &mut Run<'_>) -> bool {
        for value in bits(self.untried[level]) {
            self.untried[level] &= self.untried[level] - 1;
            self.taken[level] = value;
            self.counters.tries += 1;
            let variable = level as u32;
            run.emit(Event::Assign { variable, value });
            if self.fits(level, value) {
                return true;
            }
            run.emit(Event::Conflict { variable });
            run.emit(Event::Unassign { variable });
        }
        false
    }

    fn fits(&mut self, level: usize, value: u32) -> bool {
        let edges = self.graph.earlier(level);
        let mark = &mut self.reached[level << 6 | value as usize];
        let fresh = self.changed[level];
        if *mark < fresh {
            self.counters.checks_saved += 1;
            return false;
        }
        let known = edges.partition_point(|edge| edge.other < fresh);
        self.counters.checks_saved += known as u64;
        for edge in &edges[known..] {
            self.counters.checks += 1;
            let other = self.taken[edge.other as usize];
            if self.graph.support(edge.reverse, other) >> value & 1 == 0 {
                *mark = edge.other;
                return false;
            }
        }
        *mark = level as u32;
        true
    }

    /// Notes that `before` is about to change, for every level after it.
    fn mark(&mut self, level: usize, before: usize) {
        self.changed[level] = before as u32;
        for later in &mut self.changed[level + 1..] {
            *later = (*later).min(before as u32);
        }
    }
}

fn release(level: usize, run: &mut Run<'_>) {
    run.emit(Event::Unassign {
        variable: level as u32,
    });
}
