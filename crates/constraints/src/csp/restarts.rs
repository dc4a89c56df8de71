//! Restarts: give up a bad beginning before it costs too much.
//!
//! A search that chose badly at the top may never recover in reasonable time,
//! while one that begins anew, wiser by its weights and nogoods, may finish at
//! once. How long to wait is answered by the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2
//! 4 8 ..., which is within a logarithm of the best waiting times one could know
//! (M. Luby, A. Sinclair and D. Zuckerman, "Optimal speedup of Las Vegas
//! algorithms", 1993). Its terms grow without bound, so in the end some attempt
//! is long enough to be exhaustive, and the search stays complete.
//!
//! Once an answer is found the search no longer restarts: it would find the
//! same answer again.

/// Conflicts that one term of the sequence stands for.
const UNIT: u64 = 32;

pub(crate) struct Luby {
    index: u64,
    conflicts: u64,
}

impl Luby {
    pub(crate) fn new() -> Luby {
        Luby {
            index: 1,
            conflicts: 0,
        }
    }

    #[inline]
    pub(crate) fn count(&mut self) {
        self.conflicts += 1;
    }

    /// True once this attempt has had its share of conflicts.
    pub(crate) fn due(&self) -> bool {
        self.conflicts >= UNIT * term(self.index)
    }

    /// Begins the next attempt.
    pub(crate) fn next(&mut self) {
        self.index += 1;
        self.conflicts = 0;
    }
}

/// The term at `index`, counted from 1.
fn term(mut index: u64) -> u64 {
    loop {
        // The smallest complete block that contains the index.
        let block = (index + 1).next_power_of_two();
        if index + 1 == block {
            return block / 2;
        }
        index -= block / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_lubys() {
        let terms: Vec<u64> = (1..=15).map(term).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
