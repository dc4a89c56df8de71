//! Which candidates lead where, for all of them at once.
//!
//! Every node holds the set of candidates whose assumption leads to it, one bit
//! each; a round hands the new bits on along all links. The round in which a
//! candidate's bit arrives at its own opposite is the length of its shortest
//! chain. Once nothing moves any more, everything that follows by static links
//! is known; and since every implication holds backwards for the opposites, the
//! sets read across as well.

use crate::chains::links::{By, Links};

/// The memory of the rounds.
#[derive(Default)]
pub(crate) struct Reach {
    words: usize,
    /// Those known at each node, off and on, and those new in this round.
    known: [Vec<u64>; 2],
    new: [Vec<u64>; 2],
    /// The candidates that lead to their opposite, with the links of the chain.
    pub(crate) found: Vec<(u16, u16)>,
}

/// Which links are used, and how far.
#[derive(Clone, Copy)]
pub(crate) struct Rules<F> {
    /// Whether the candidates are assumed on.
    pub(crate) from_on: bool,
    /// Whether a candidate forbids others of its cell.
    pub(crate) off_in_cell: bool,
    /// Which links force.
    pub(crate) follows: F,
    /// Whether to stop with the first chains found.
    pub(crate) shortest_only: bool,
    /// The longest chain of interest.
    pub(crate) limit: u16,
}

impl Reach {
    /// Fills `found` with candidates that lead to their opposite: all of them,
    /// or those with the shortest chain. Fewer links come first, then the order
    /// of the board.
    pub(crate) fn find<F: Fn(By) -> bool>(&mut self, links: &Links, rules: Rules<F>) {
        self.begin(links, rules.from_on);
        match self.words {
            2 => self.rounds::<2, F>(links, rules),
            3 => self.rounds::<3, F>(links, rules),
            4 => self.rounds::<4, F>(links, rules),
            5 => self.rounds::<5, F>(links, rules),
            6 => self.rounds::<6, F>(links, rules),
            _ => self.rounds::<12, F>(links, rules),
        }
    }

    /// After nothing moved any more: the candidates that lead to this one being
    /// off. These are those that this one, being on, makes false; or, assumed
    /// off, those it makes true.
    pub(crate) fn leading_to_off(&self, number: usize) -> &[u64] {
        &self.known[0][number * self.words..(number + 1) * self.words]
    }

    /// Fills in the candidates that force nothing, which the rounds pass over.
    pub(crate) fn complete(&mut self, links: &Links) {
        let words = self.words;
        let [off, on] = &mut self.known;
        for number in (0..links.len()).filter(|number| links.forced(*number).is_empty()) {
            for other in links.forbidden(number, true) {
                let from = usize::from(*other) * words;
                let row = &mut off[number * words..(number + 1) * words];
                for (word, more) in row.iter_mut().zip(&on[from..from + words]) {
                    *word |= more;
                }
            }
        }
    }

    fn begin(&mut self, links: &Links, from_on: bool) {
        let number = links.len();
        self.words = match number.div_ceil(64) {
            0..=2 => 2,
            words @ 3..=6 => words,
            _ => 12,
        };
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

    fn rounds<const W: usize, F: Fn(By) -> bool>(&mut self, links: &Links, rules: Rules<F>) {
        let mut length = 1;
        let mut at_on = rules.from_on;
        loop {
            length += 1;
            let before = self.found.len();
            let moved = if at_on {
                self.forbid::<W, F>(links, &rules, length)
            } else {
                self.force::<W, F>(links, &rules, length)
            };
            self.found[before..].sort_unstable();
            let done = rules.shortest_only && !self.found.is_empty();
            if !moved || done || length >= rules.limit {
                return;
            }
            at_on = !at_on;
        }
    }

    /// From what is on to what is off.
    fn forbid<const W: usize, F: Fn(By) -> bool>(
        &mut self,
        links: &Links,
        rules: &Rules<F>,
        length: u16,
    ) -> bool {
        let [known, _] = &mut self.known;
        let [new_off, new_on] = &mut self.new;
        let (known, _) = known.as_chunks_mut::<W>();
        let (new_off, _) = new_off.as_chunks_mut::<W>();
        let (new_on, _) = new_on.as_chunks_mut::<W>();
        let mut moved = false;
        for (on, row) in new_on
            .iter_mut()
            .enumerate()
            .filter(|(_, row)| **row != [0; W])
        {
            for off in links.forbidden(on, rules.off_in_cell) {
                let off = usize::from(*off);
                let (word, bit) = (off / 64, 1 << (off % 64));
                if rules.from_on && row[word] & bit & !known[off][word] != 0 {
                    self.found.push((off as u16, length));
                    if links.forced(off).is_empty() {
                        known[off][word] |= bit;
                    }
                }
                if !links.forced(off).is_empty() {
                    moved |= hand_on(row, &mut known[off], &mut new_off[off]);
                }
            }
            *row = [0; W];
        }
        moved
    }

    /// From what is off to what is on.
    fn force<const W: usize, F: Fn(By) -> bool>(
        &mut self,
        links: &Links,
        rules: &Rules<F>,
        length: u16,
    ) -> bool {
        let [_, known] = &mut self.known;
        let [new_off, new_on] = &mut self.new;
        let (known, _) = known.as_chunks_mut::<W>();
        let (new_off, _) = new_off.as_chunks_mut::<W>();
        let (new_on, _) = new_on.as_chunks_mut::<W>();
        let mut moved = false;
        for (off, row) in new_off
            .iter_mut()
            .enumerate()
            .filter(|(_, row)| **row != [0; W])
        {
            let forced = links.forced(off).iter();
            for (on, _) in forced.filter(|(_, by)| (rules.follows)(*by)) {
                let on = usize::from(*on);
                let (word, bit) = (on / 64, 1 << (on % 64));
                if !rules.from_on && row[word] & bit & !known[on][word] != 0 {
                    self.found.push((on as u16, length));
                }
                moved |= hand_on(row, &mut known[on], &mut new_on[on]);
            }
            *row = [0; W];
        }
        moved
    }
}

/// Adds what is not known yet.
#[inline]
fn hand_on<const W: usize>(row: &[u64; W], known: &mut [u64; W], new: &mut [u64; W]) -> bool {
    let mut any = 0;
    for word in 0..W {
        let add = row[word] & !known[word];
        known[word] |= add;
        new[word] |= add;
        any |= add;
    }
    any != 0
}
