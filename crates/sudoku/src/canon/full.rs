//! How the canonical form of a full 9x9 board begins.
//!
//! Its first row is 123456789, whichever line becomes it: names are given as
//! they come. So the second row decides. Below the first three columns it has
//! three digits of other boxes of the first row: all of one box, `456`, or two
//! of one and one of another, `457`. If any pair of lines allows the first
//! (they are *pure*), only such pairs matter. Either way the wish for `456` or
//! `457` fixes the order of all columns but a few, and what is left is tried:
//! at most 36 ordered pairs times 18 orders.
//!
//! With the two lines known, `link` leads from each column to the one where
//! the first line holds what the second line holds here. The second row of the
//! form is then the place of `link[column]`, column by column.

use super::{LARGEST, Lines, State};

/// The states that give the smallest first two rows, which are written to the
/// form; how many rows that is.
pub(super) fn begin(
    lines: &Lines,
    states: &mut Vec<State>,
    form: &mut [[u8; LARGEST]; LARGEST],
) -> usize {
    let mut pairs = Vec::with_capacity(36);
    for (turned, lines) in [false, true].into_iter().zip(&lines.lines) {
        for first in 0..9 {
            let home = homes(&lines[first]);
            for second in (first / 3 * 3..first / 3 * 3 + 3).filter(|line| *line != first) {
                let link = lines[second].map(|digit| home[usize::from(digit)]);
                let pair = Pair {
                    turned,
                    first: first as u8,
                    second: second as u8,
                    link,
                };
                pairs.push(pair);
            }
        }
    }
    let pure = pairs.iter().any(Pair::is_pure);
    let mut best = Best {
        image: [u8::MAX; LARGEST],
        found: Vec::with_capacity(8),
    };
    for (nth, pair) in pairs.iter().enumerate() {
        if pair.is_pure() != pure {
            continue;
        }
        for stack in 0..3 {
            match pure {
                true => pair.pure_orders(stack, |columns| best.offer(nth, pair, columns)),
                false => pair.mixed_orders(stack, |columns| best.offer(nth, pair, columns)),
            }
        }
    }
    form[0] = std::array::from_fn(|place| place as u8 + 1);
    form[1] = best.image.map(|place| place + 1);
    let state = |(nth, columns): &(usize, [u8; LARGEST])| pairs[*nth].state(lines, columns);
    states.extend(best.found.iter().map(state));
    2
}

/// Where a line holds each digit.
fn homes(line: &[u8; LARGEST]) -> [u8; LARGEST + 1] {
    let mut home = [0; LARGEST + 1];
    for (column, digit) in line.iter().enumerate() {
        home[usize::from(*digit)] = column as u8;
    }
    home
}

/// Two lines of a band, in order.
struct Pair {
    turned: bool,
    first: u8,
    second: u8,
    link: [u8; LARGEST],
}

/// The smallest second row so far, and how it is reached.
struct Best {
    image: [u8; LARGEST],
    found: Vec<(usize, [u8; LARGEST])>,
}

impl Best {
    #[inline]
    fn offer(&mut self, nth: usize, pair: &Pair, columns: [u8; LARGEST]) {
        let mut place = [0; LARGEST];
        for (at, column) in columns.iter().enumerate() {
            place[usize::from(*column)] = at as u8;
        }
        let at = |nth: usize| place[usize::from(pair.link[usize::from(columns[nth])])];
        // The first three are what the columns were chosen for; the fourth
        // already rules most of them out.
        if at(3) > self.image[3] {
            return;
        }
        let image = std::array::from_fn(at);
        if image < self.image {
            self.image = image;
            self.found.clear();
        }
        if image == self.image {
            self.found.push((nth, columns));
        }
    }
}

impl Pair {
    /// True if the digits below one box all stand in one box of the first line;
    /// then that holds of all three boxes.
    fn is_pure(&self) -> bool {
        self.link[0] / 3 == self.link[1] / 3 && self.link[0] / 3 == self.link[2] / 3
    }

    fn to(&self, column: u8) -> u8 {
        self.link[usize::from(column)]
    }

    /// Orders that begin with this stack and give `456789`.
    fn pure_orders(&self, stack: u8, mut visit: impl FnMut([u8; LARGEST])) {
        super::for_each_order(3, |order| {
            let [a, b, c] = order.map(|nth| 3 * stack + nth);
            let [d, e, f] = [a, b, c].map(|column| self.to(column));
            let [g, h, i] = [d, e, f].map(|column| self.to(column));
            visit([a, b, c, d, e, f, g, h, i]);
        });
    }

    /// Orders that begin with this stack and give `457`.
    fn mixed_orders(&self, stack: u8, mut visit: impl FnMut([u8; LARGEST])) {
        let columns = [3 * stack, 3 * stack + 1, 3 * stack + 2];
        let leads = columns.map(|column| self.to(column) / 3);
        // The odd one out leads to the last stack.
        let odd = match leads {
            [x, y, _] if x == y => 2,
            [x, _, z] if x == z => 1,
            _ => 0,
        };
        let c = columns[odd];
        let [a, b] = [columns[(odd + 1) % 3], columns[(odd + 2) % 3]];
        let third = |stack: u8, x: u8, y: u8| 9 * stack + 3 - x - y;
        for [a, b] in [[a, b], [b, a]] {
            let (d, e) = (self.to(a), self.to(b));
            let f = third(d / 3, d, e);
            let g = self.to(c);
            let first = g / 3 * 3;
            let [h, i] = [(g - first + 1) % 3, (g - first + 2) % 3].map(|nth| first + nth);
            visit([a, b, c, d, e, f, g, h, i]);
            visit([a, b, c, d, e, f, g, i, h]);
        }
    }

    fn state(&self, lines: &Lines, columns: &[u8; LARGEST]) -> State {
        let first = &lines.lines[usize::from(self.turned)][usize::from(self.first)];
        let mut names = [0; LARGEST + 1];
        for (place, column) in columns.iter().enumerate() {
            names[usize::from(first[usize::from(*column)])] = place as u8 + 1;
        }
        let mut rows = [0; LARGEST];
        (rows[0], rows[1]) = (self.first, self.second);
        State {
            turned: self.turned,
            rows,
            used: 1 << self.first | 1 << self.second,
            columns: *columns,
            ends: (1 << LARGEST) - 1,
            names,
            named: LARGEST as u8,
        }
    }
}
