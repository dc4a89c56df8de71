//! Everything that follows from every candidate by static links, for all of
//! them at once, however long the way.
//!
//! Candidates that lead to each other have the same consequences, so these are
//! added up component by component, those that lead nowhere else first: every
//! link is looked at once. Lengths are not known here; this tells where it is
//! worth walking. Where no candidate makes itself false there is no chain from
//! on, and no cycle either: a candidate that a cycle strikes, being true, leads
//! into the cycle and around to its own opposite.

use crate::chains::links::Links;
use crate::chains::rings::Rings;

/// One row of bits for each candidate, numbered as in [`Links`].
#[derive(Default)]
pub(crate) struct Closure {
    /// The components, and pairs of links inside them.
    pub(crate) rings: Rings,
    words: usize,
    /// What each one, being true, makes false, and what it makes true, itself
    /// included.
    makes_false: Vec<u64>,
    makes_true: Vec<u64>,
    /// Those that lead to their opposite, from on and from off.
    refuted: Vec<u64>,
    proved: Vec<u64>,
    /// Those that a refuted one makes true.
    behind_refuted: Vec<u64>,
}

impl Closure {
    /// Reads everything from the pairs of links.
    pub(crate) fn read(&mut self, links: &Links) {
        self.words = links.len().div_ceil(64);
        match self.words {
            0..=3 => self.add_up::<3>(links),
            4 => self.add_up::<4>(links),
            5 => self.add_up::<5>(links),
            _ => self.add_up::<12>(links),
        }
        self.judge(links);
    }

    /// What this one, being true, makes false.
    fn makes_false(&self, number: usize) -> &[u64] {
        &self.makes_false[number * self.words..(number + 1) * self.words]
    }

    /// Whether this one, being true, makes itself false.
    pub(crate) fn is_refuted(&self, number: usize) -> bool {
        has(&self.refuted, number)
    }

    /// Whether this one, being false, makes itself true.
    pub(crate) fn is_proved(&self, number: usize) -> bool {
        has(&self.proved, number)
    }

    /// Whether no candidate leads to its opposite.
    pub(crate) fn is_quiet(&self) -> bool {
        let words = self.refuted.iter().chain(&self.proved);
        words.fold(0, |any, word| any | word) == 0
    }

    /// Whether a cycle through this one may strike anything: something refuted
    /// leads to it, and it makes something refuted false.
    pub(crate) fn may_cycle(&self, number: usize) -> bool {
        has(&self.behind_refuted, number) && {
            let mut both = self.makes_false(number).iter().zip(&self.refuted);
            both.any(|(one, other)| one & other != 0)
        }
    }

    /// Whether anything follows from all of these candidates alike.
    pub(crate) fn meet(&self, numbers: impl Iterator<Item = usize> + Clone) -> bool {
        let common = |rows: &[u64]| {
            let mut common = [u64::MAX; 12];
            for number in numbers.clone() {
                let row = &rows[number * self.words..(number + 1) * self.words];
                for (word, more) in common.iter_mut().zip(row) {
                    *word &= more;
                }
            }
            common[..self.words].iter().any(|word| *word != 0)
        };
        common(&self.makes_false) || common(&self.makes_true)
    }

    fn add_up<const W: usize>(&mut self, links: &Links) {
        self.words = W;
        for rows in [&mut self.makes_false, &mut self.makes_true] {
            rows.clear();
            rows.resize(links.len() * W, 0);
        }
        let (off, _) = self.makes_false.as_chunks_mut::<W>();
        let (on, _) = self.makes_true.as_chunks_mut::<W>();
        self.rings.find_components(links);
        let order = self.rings.order();
        let mut at = 0;
        while at < order.len() {
            let number = self.rings.component(order[at].into());
            let same = |node: &u16| self.rings.component((*node).into()) == number;
            let end = at + order[at..].iter().take_while(|node| same(node)).count();
            let component = &order[at..end];
            let (mut now_off, mut now_on) = ([0; W], [0; W]);
            for node in component {
                let node = usize::from(*node);
                set(&mut now_on, node);
                for other in links.forbidden(node, true) {
                    set(&mut now_off, (*other).into());
                }
                for (_, next, _) in links.pairs(node, true) {
                    // What it leads to is complete, unless it is known already.
                    let next = usize::from(*next);
                    if !has(&now_on, next) && !same(&(next as u16)) {
                        for word in 0..W {
                            now_off[word] |= off[next][word];
                            now_on[word] |= on[next][word];
                        }
                    }
                }
            }
            for node in component {
                off[usize::from(*node)] = now_off;
                on[usize::from(*node)] = now_on;
            }
            at = end;
        }
    }

    fn judge(&mut self, links: &Links) {
        for set in [
            &mut self.refuted,
            &mut self.proved,
            &mut self.behind_refuted,
        ] {
            set.clear();
            set.resize(self.words, 0);
        }
        for number in 0..links.len() {
            let row = number * self.words..(number + 1) * self.words;
            if has(&self.makes_false[row.clone()], number) {
                set(&mut self.refuted, number);
                for (word, more) in self.behind_refuted.iter_mut().zip(&self.makes_true[row]) {
                    *word |= more;
                }
            }
            // Being false forces some; where one of these makes one of them
            // false, that forces this one in turn.
            let forced = links.forced(number);
            let back = forced.iter().any(|(one, _)| {
                let row = self.makes_false(usize::from(*one));
                forced.iter().any(|(other, _)| has(row, (*other).into()))
            });
            if back {
                set(&mut self.proved, number);
            }
        }
    }
}

#[inline]
fn has(row: &[u64], number: usize) -> bool {
    row[number / 64] >> (number % 64) & 1 != 0
}

#[inline]
fn set(row: &mut [u64], number: usize) {
    row[number / 64] |= 1 << (number % 64);
}
