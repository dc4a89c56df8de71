//! What a search counts beside its nodes.
//!
//! | counter | one for each |
//! |---|---|
//! | `value_tries` | value given to a variable, fitting or not |
//! | `constraint_checks` | value compared with a neighbour's; a word operation that judges all values of a variable at once is one |
//! | `conflicts` | value that look-ahead refuted |
//! | `prunings` | value struck from a variable |
//! | `backjumps` | return over more than one level |
//! | `jumped_levels` | level left by those returns |
//! | `longest_jump` | (the largest of those returns) |
//! | `restarts`, `nogoods` | as they say |

use planoku_engine::{Event, Run};

#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    pub tries: u64,
    pub checks: u64,
    pub checks_saved: u64,
    pub conflicts: u64,
    pub prunings: u64,
    pub backjumps: u64,
    pub jumped_levels: u64,
    pub longest_jump: u64,
    pub restarts: u64,
    pub nogoods: u64,
}

impl Counters {
    /// Notes a return from one level to another, and tells who listens; to be
    /// called before the levels between lose their values. `because` is the
    /// conflict set, asked for only if somebody listens.
    #[inline]
    pub(crate) fn jump(
        &mut self,
        from: usize,
        to: usize,
        run: &mut Run<'_>,
        because: impl FnOnce() -> Vec<u32>,
    ) {
        if from - to > 1 {
            let levels = (from - to) as u64;
            self.backjumps += 1;
            self.jumped_levels += levels;
            self.longest_jump = self.longest_jump.max(levels);
            if run.observed() {
                run.emit(Event::Jump {
                    from: from as u32,
                    to: to as u32,
                    because: because(),
                });
            }
        }
    }

    /// Adds everything to the statistics of the run. The first six are always
    /// there; the others only if they count something.
    pub(crate) fn report(&self, run: &mut Run<'_>) {
        let stats = &mut run.stats;
        stats.add("value_tries", self.tries);
        stats.add("constraint_checks", self.checks);
        stats.add("prunings", self.prunings);
        stats.add("backjumps", self.backjumps);
        stats.add("jumped_levels", self.jumped_levels);
        stats.add("longest_jump", self.longest_jump);
        for (name, count) in [
            ("checks_saved", self.checks_saved),
            ("conflicts", self.conflicts),
            ("restarts", self.restarts),
            ("nogoods", self.nogoods),
        ] {
            if count > 0 {
                stats.add(name, count);
            }
        }
    }
}
