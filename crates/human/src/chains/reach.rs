//! Which candidates lead to their own opposite, for all of them at once.
//!
//! Every node holds the set of candidates whose assumption leads to it, one bit
//! each; a round hands the new bits on along all links. The round in which a
//! candidate's bit arrives at its own opposite is the length of its shortest
//! chain.

use crate::chains::links::{By, Links};

/// The memory of the rounds.
#[derive(Default)]
pub(crate) struct Reach {
    words: usize,
    /// Those known at each node, on and off, and those new in this round.
    known: [Vec<u64>; 2],
    new: [Vec<u64>; 2],
    /// The candidates that lead to their opposite, with the links of the chain.
    pub(crate) found: Vec<(u16, u16)>,
}

impl Reach {
    /// Fills `found` with candidates that, assumed on or off, lead to their
    /// opposite: all of them, or all with the shortest chain. Those with fewer
    /// links come first, then in the order of the board. Chains of more than
    /// `limit` links are not looked for.
    pub(crate) fn find(
        &mut self,
        links: &Links,
        from_on: bool,
        off_in_cell: bool,
        follows: impl Fn(By) -> bool,
        shortest_only: bool,
        limit: u16,
    ) {
        self.begin(links, from_on);
        let mut length = 1;
        let mut at_on = from_on;
        loop {
            length += 1;
            let before = self.found.len();
            let moved = if at_on {
                self.forbid(links, from_on, off_in_cell, length)
            } else {
                self.force(links, from_on, &follows, length)
            };
            self.found[before..].sort_unstable();
            let done = shortest_only && !self.found.is_empty();
            if !moved || done || length >= limit {
                return;
            }
            at_on = !at_on;
        }
    }

    fn begin(&mut self, links: &Links, from_on: bool) {
        let number = links.len();
        self.words = number.div_ceil(64);
        self.found.clear();
        for rows in self.known.iter_mut().chain(&mut self.new) {
            rows.clear();
            rows.resize(number * self.words, 0);
        }
        for start in 0..number {
            let at = start * self.words + start / 64;
            self.known[usize::from(from_on)][at] |= 1 << (start % 64);
            self.new[usize::from(from_on)][at] |= 1 << (start % 64);
        }
    }

    /// From what is on to what is off.
    fn forbid(&mut self, links: &Links, from_on: bool, off_in_cell: bool, length: u16) -> bool {
        let words = self.words;
        let [known, _] = &mut self.known;
        let [new_off, new_on] = &mut self.new;
        let mut moved = false;
        for on in 0..links.len() {
            let row = &new_on[on * words..(on + 1) * words];
            if row.iter().all(|word| *word == 0) {
                continue;
            }
            for off in links.forbidden(on, off_in_cell) {
                let off = usize::from(*off);
                if from_on && row[off / 64] >> (off % 64) & 1 != 0 {
                    let seen = &mut known[off * words + off / 64];
                    if *seen >> (off % 64) & 1 == 0 {
                        *seen |= 1 << (off % 64);
                        self.found.push((off as u16, length));
                    }
                }
                if links.forced(off).is_empty() {
                    continue;
                }
                for (word, bits) in row.iter().enumerate() {
                    let at = off * words + word;
                    let add = bits & !known[at];
                    known[at] |= add;
                    new_off[at] |= add;
                    moved |= add != 0;
                }
            }
        }
        new_on.fill(0);
        moved
    }

    /// From what is off to what is on.
    fn force(
        &mut self,
        links: &Links,
        from_on: bool,
        follows: &impl Fn(By) -> bool,
        length: u16,
    ) -> bool {
        let words = self.words;
        let [_, known] = &mut self.known;
        let [new_off, new_on] = &mut self.new;
        let mut moved = false;
        for off in 0..links.len() {
            let forced = links.forced(off);
            let row = &new_off[off * words..(off + 1) * words];
            if forced.is_empty() || row.iter().all(|word| *word == 0) {
                continue;
            }
            for (on, _) in forced.iter().filter(|(_, by)| follows(*by)) {
                let on = usize::from(*on);
                for (word, bits) in row.iter().enumerate() {
                    let at = on * words + word;
                    let add = bits & !known[at];
                    known[at] |= add;
                    new_on[at] |= add;
                    moved |= add != 0;
                    if !from_on && word == on / 64 && add >> (on % 64) & 1 != 0 {
                        self.found.push((on as u16, length));
                    }
                }
            }
        }
        new_off.fill(0);
        moved
    }
}
