//! How far it is from candidates to their opposites, for several at once.
//!
//! Every node holds the set of starts whose assumption leads to it, one bit
//! each; a round hands the new bits on along all links. The round in which a
//! candidate's bit arrives at its own opposite is the length of its shortest
//! chain.

use crate::chains::links::{By, Links};

/// The memory of the rounds.
#[derive(Default)]
pub(crate) struct Reach {
    words: usize,
    /// The bit of each candidate that is a start.
    bits: Vec<u16>,
    /// Those known at each node, off and on, and those new in this round.
    known: [Vec<u64>; 2],
    new: [Vec<u64>; 2],
    /// The nodes with anything new, off and on.
    active: [Vec<u16>; 2],
    /// The candidates that lead to their opposite, with the links of the chain.
    pub(crate) found: Vec<(u16, u16)>,
    found_bits: [u64; 12],
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
    /// How many rounds to go on after the first chain is found.
    pub(crate) beyond: u16,
    /// The longest chain of interest.
    pub(crate) limit: u16,
}

/// Not a start.
const NONE: u16 = u16::MAX;

impl Reach {
    /// Fills `found` with those of these candidates that lead to their opposite.
    /// Fewer links come first, then the order of the board.
    pub(crate) fn find<F: Fn(By) -> bool>(
        &mut self,
        links: &Links,
        starts: impl Iterator<Item = usize>,
        rules: Rules<F>,
    ) {
        let count = self.begin(links, starts, rules.from_on);
        match self.words {
            _ if count == 0 => {}
            1 => self.rounds::<1, F>(links, rules),
            2 => self.rounds::<2, F>(links, rules),
            4 => self.rounds::<4, F>(links, rules),
            _ => self.rounds::<12, F>(links, rules),
        }
        self.found_bits = [0; 12];
        for (start, _) in &self.found {
            let bit = self.bits[usize::from(*start)];
            self.found_bits[usize::from(bit / 64)] |= 1 << (bit % 64);
        }
    }

    /// Whether one of those found has led to this candidate both being on and
    /// being off.
    #[inline]
    pub(crate) fn found_leads_to(&self, number: usize) -> bool {
        let row = number * self.words..(number + 1) * self.words;
        let [off, on] = &self.known;
        let both = off[row.clone()].iter().zip(&on[row]);
        both.zip(&self.found_bits)
            .any(|((off, on), found)| off & on & found != 0)
    }

    fn begin(
        &mut self,
        links: &Links,
        starts: impl Iterator<Item = usize>,
        from_on: bool,
    ) -> usize {
        self.found.clear();
        self.bits.clear();
        self.bits.resize(links.len(), NONE);
        let mut count = 0;
        for start in starts {
            self.bits[start] = count as u16;
            count += 1;
        }
        self.words = match count {
            0..=64 => 1,
            65..=128 => 2,
            129..=256 => 4,
            _ => 12,
        };
        self.active.iter_mut().for_each(Vec::clear);
        for rows in self.known.iter_mut().chain(&mut self.new) {
            rows.clear();
            rows.resize(links.len() * self.words, 0);
        }
        let begun = usize::from(from_on);
        for (start, bit) in self.bits.iter().enumerate() {
            if *bit != NONE {
                let at = start * self.words + usize::from(bit / 64);
                self.known[begun][at] |= 1 << (bit % 64);
                self.new[begun][at] |= 1 << (bit % 64);
                self.active[begun].push(start as u16);
            }
        }
        count
    }

    fn rounds<const W: usize, F: Fn(By) -> bool>(&mut self, links: &Links, rules: Rules<F>) {
        let (mut length, mut limit) = (1, rules.limit);
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
            if before == 0 && !self.found.is_empty() {
                limit = limit.min(length.saturating_add(rules.beyond));
            }
            if !moved || length >= limit {
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
        let [off_nodes, on_nodes] = &mut self.active;
        for on in on_nodes.drain(..) {
            let on = usize::from(on);
            let row = &std::mem::replace(&mut new_on[on], [0; W]);
            for off in links.forbidden(on, rules.off_in_cell) {
                let off = usize::from(*off);
                if rules.from_on && arrives(self.bits[off], row, &known[off]) {
                    self.found.push((off as u16, length));
                    if links.forced(off).is_empty() {
                        let bit = self.bits[off];
                        known[off][usize::from(bit / 64)] |= 1 << (bit % 64);
                    }
                }
                if !links.forced(off).is_empty() && hand_on(row, &mut known[off], &mut new_off[off])
                {
                    off_nodes.push(off as u16);
                }
            }
        }
        !off_nodes.is_empty()
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
        let [off_nodes, on_nodes] = &mut self.active;
        for off in off_nodes.drain(..) {
            let off = usize::from(off);
            let row = &std::mem::replace(&mut new_off[off], [0; W]);
            let forced = links.forced(off).iter();
            for (on, _) in forced.filter(|(_, by)| (rules.follows)(*by)) {
                let on = usize::from(*on);
                if !rules.from_on && arrives(self.bits[on], row, &known[on]) {
                    self.found.push((on as u16, length));
                }
                if hand_on(row, &mut known[on], &mut new_on[on]) {
                    on_nodes.push(on as u16);
                }
            }
        }
        !on_nodes.is_empty()
    }
}

/// Whether a start, if it is one, comes to its opposite for the first time.
#[inline]
fn arrives<const W: usize>(bit: u16, row: &[u64; W], known: &[u64; W]) -> bool {
    bit != NONE && {
        let word = usize::from(bit / 64);
        (row[word] & !known[word]) >> (bit % 64) & 1 != 0
    }
}

/// Adds what is not known yet; whether there is anything new for the first time.
#[inline]
fn hand_on<const W: usize>(row: &[u64; W], known: &mut [u64; W], new: &mut [u64; W]) -> bool {
    let (mut any, mut before) = (0, 0);
    for word in 0..W {
        let add = row[word] & !known[word];
        known[word] |= add;
        before |= new[word];
        new[word] |= add;
        any |= add;
    }
    any != 0 && before == 0
}
