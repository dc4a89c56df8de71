//! Chains from one candidate: to its own opposite, or around in a cycle.
//!
//! If a candidate, being true, makes itself false, it is false; if being false
//! makes it true, it is true. If it makes itself true on the way around a
//! cycle, every second link of the cycle is true or every other one is, and a
//! candidate that sees both kinds is false.
//!
//! Three rounds: with links of one digit only (X), with links inside cells to
//! make candidates true (Y), with both. Walks are breadth-first, so that what
//! is found first is shortest; but a cycle that strikes nothing does not count,
//! and in a cycle a false candidate may be reached in several ways.

use planoku_engine::{Run, Stop};

use crate::Technique;
use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::chains::length_toll;
use crate::chains::links::{ASSUMED, BY_CELL, By, Links};
use crate::tables::{PEER_SET, cells_in};

/// A path of links, the last first. A node is twice the candidate, plus one if
/// it is on.
#[derive(Clone, Debug)]
pub(crate) struct UnaryHint {
    pub(crate) technique: Technique,
    pub(crate) difficulty: f64,
    pub(crate) complexity: u16,
    pub(crate) kind: u8,
    /// From the last link back to the first; for cycles without the start,
    /// which equals the last.
    pub(crate) path: Vec<(u16, By)>,
    pub(crate) is_cycle: bool,
    pub(crate) strikes: CandidateSet,
    /// The cells struck from, in the order in which a cycle meets them; empty
    /// for a chain.
    pub(crate) met: Vec<u8>,
}

/// Which links are used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    X,
    Y,
    Xy,
}

impl Mode {
    /// Does a true candidate forbid the others of its cell?
    fn off_in_cell(self) -> bool {
        self != Mode::X
    }

    fn follows(self, by: By) -> bool {
        match self {
            Mode::X => by != BY_CELL,
            Mode::Y => by == BY_CELL,
            Mode::Xy => true,
        }
    }

    fn kind(self) -> u8 {
        match self {
            Mode::X => 2,
            Mode::Y => 3,
            Mode::Xy => 4,
        }
    }
}

/// The memory of the walks.
pub(crate) struct Unary {
    /// For each candidate that is on: the link that made it so, and the
    /// candidate before that.
    on_from: Box<[(u16, By, u16); 729]>,
    off_from: Box<[u16; 729]>,
    on_seen: CandidateSet,
    off_seen: CandidateSet,
    ons: Vec<u16>,
    next_ons: Vec<u16>,
    offs: Vec<(u16, u16)>,
}

impl Default for Unary {
    fn default() -> Unary {
        Unary {
            on_from: Box::new([(0, 0, 0); 729]),
            off_from: Box::new([0; 729]),
            on_seen: CandidateSet::NONE,
            off_seen: CandidateSet::NONE,
            ons: Vec::new(),
            next_ons: Vec::new(),
            offs: Vec::new(),
        }
    }
}

/// What is wanted of the hints.
pub(crate) trait Collect {
    /// Whether a hint with these properties would still be of use.
    fn wants(&self, difficulty: f64, complexity: u16, kind: u8) -> bool;

    fn collect(&mut self, hint: UnaryHint);
}

/// The best hint; the first among equals.
#[derive(Default)]
pub(crate) struct Best(pub(crate) Option<UnaryHint>);

impl Collect for Best {
    fn wants(&self, difficulty: f64, complexity: u16, kind: u8) -> bool {
        self.0.as_ref().is_none_or(|best| {
            (difficulty, complexity, kind) < (best.difficulty, best.complexity, best.kind)
        })
    }

    fn collect(&mut self, hint: UnaryHint) {
        if self.wants(hint.difficulty, hint.complexity, hint.kind) {
            self.0 = Some(hint);
        }
    }
}

/// All hints, as they are found.
impl Collect for Vec<UnaryHint> {
    fn wants(&self, _difficulty: f64, _complexity: u16, _kind: u8) -> bool {
        true
    }

    fn collect(&mut self, hint: UnaryHint) {
        self.push(hint);
    }
}

impl Unary {
    /// Finds cycles and chains and hands them over in the order of the scale.
    pub(crate) fn find(
        &mut self,
        board: &Board,
        links: &Links,
        collect: &mut impl Collect,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for mode in [Mode::X, Mode::Y, Mode::Xy] {
            for cell in 0..81 {
                let digits = board.digits(cell);
                let number = crate::tables::count(digits);
                if number < 2 || (mode == Mode::Y && number > 2) {
                    continue;
                }
                for digit in crate::tables::members(digits) {
                    let start = cell * 9 + digit;
                    run.tick()?;
                    self.cycles(board, links, start, mode, collect);
                    if mode != Mode::Y {
                        self.chain(board, links, start, true, mode, collect);
                        self.chain(board, links, start, false, mode, collect);
                    }
                }
            }
        }
        Ok(())
    }

    fn cycles(
        &mut self,
        board: &Board,
        links: &Links,
        start: usize,
        mode: Mode,
        collect: &mut impl Collect,
    ) {
        let base = if mode == Mode::Xy { 7.0 } else { 6.5 };
        self.on_seen = CandidateSet::NONE;
        self.on_seen.insert(start);
        self.on_from[start] = (NO_PARENT, ASSUMED, NO_PARENT);
        self.ons.clear();
        self.ons.push(start as u16);
        let mut length = 0;
        while !self.ons.is_empty() {
            length += 2;
            if !collect.wants(base + length_toll(length), length, mode.kind()) {
                return;
            }
            self.offs.clear();
            for on in &self.ons {
                for off in links.forbidden((*on).into(), mode.off_in_cell()) {
                    let leads = links.forced((*off).into()).next().is_some();
                    if leads && !self.is_behind(*on, *off) {
                        self.offs.push((*off, *on));
                    }
                }
            }
            self.next_ons.clear();
            for nth in 0..self.offs.len() {
                let (off, parent) = self.offs[nth];
                for (on, by) in links.forced(off.into()).filter(|(_, by)| mode.follows(*by)) {
                    if on == start && length >= 4 {
                        self.close(board, (off, by, parent), start, mode, length, collect);
                    }
                    if !self.on_seen.contains(on) {
                        self.on_seen.insert(on);
                        self.on_from[on] = (off, by, parent);
                        self.next_ons.push(on as u16);
                    }
                }
            }
            std::mem::swap(&mut self.ons, &mut self.next_ons);
        }
    }

    /// Whether a false candidate lies on the way to this true one.
    fn is_behind(&self, on: u16, off: u16) -> bool {
        let mut at = on;
        loop {
            let (by_off, _, before) = self.on_from[usize::from(at)];
            if before == NO_PARENT {
                return false;
            }
            if by_off == off {
                return true;
            }
            at = before;
        }
    }

    /// A cycle is complete: does it strike anything?
    fn close(
        &self,
        board: &Board,
        last: (u16, By, u16),
        start: usize,
        mode: Mode,
        length: u16,
        collect: &mut impl Collect,
    ) {
        let difficulty = if mode == Mode::Xy { 7.0 } else { 6.5 } + length_toll(length);
        if !collect.wants(difficulty, length, mode.kind()) {
            return;
        }
        let mut path = Vec::with_capacity(length.into());
        let (mut on, mut link) = (start as u16, last);
        loop {
            let (off, by, before) = link;
            path.push((on * 2 + 1, by));
            let off_by = super::links::by_which(before.into(), off.into());
            path.push((off * 2, off_by));
            if usize::from(before) == start {
                break;
            }
            on = before;
            link = self.on_from[usize::from(before)];
        }
        let cells = path
            .iter()
            .fold(0_u128, |set, (node, _)| set | 1 << (node / 18));
        let mut seen = [[0_u128; 9]; 2];
        for (node, _) in &path {
            let (cell, digit) = (usize::from(node / 18), usize::from(node / 2 % 9));
            seen[usize::from(node % 2)][digit] |= PEER_SET[cell];
        }
        let mut strikes = CandidateSet::NONE;
        let mut struck_cells = 0;
        for digit in 0..9 {
            let struck = seen[0][digit] & seen[1][digit] & !cells;
            if struck != 0 {
                for cell in cells_in(struck & board.cells_with(digit)) {
                    strikes.insert(cell * 9 + digit);
                    struck_cells |= 1_u128 << cell;
                }
            }
        }
        if strikes.is_empty() {
            return;
        }
        // The order in which the walk back meets the cells it strikes from.
        let mut met = Vec::new();
        for (node, _) in path.iter().filter(|(node, _)| node % 2 == 1) {
            let (cell, digit) = (usize::from(node / 18), usize::from(node / 2 % 9));
            for peer in cells_in(PEER_SET[cell] & struck_cells) {
                if strikes.contains(peer * 9 + digit) && !met.contains(&(peer as u8)) {
                    met.push(peer as u8);
                }
            }
        }
        collect.collect(UnaryHint {
            technique: match mode {
                Mode::X => Technique::XCycle,
                Mode::Y => Technique::YCycle,
                Mode::Xy => Technique::XyCycle,
            },
            difficulty,
            complexity: length,
            kind: mode.kind(),
            path,
            is_cycle: true,
            strikes,
            met,
        });
    }

    /// From a candidate, on or off, to its opposite.
    fn chain(
        &mut self,
        board: &Board,
        links: &Links,
        start: usize,
        from_on: bool,
        mode: Mode,
        collect: &mut impl Collect,
    ) {
        let base = if mode == Mode::Xy { 7.0 } else { 6.6 };
        self.on_seen = CandidateSet::NONE;
        self.off_seen = CandidateSet::NONE;
        self.ons.clear();
        self.offs.clear();
        if from_on {
            self.on_seen.insert(start);
            self.ons.push(start as u16);
        } else {
            self.off_seen.insert(start);
            self.offs.push((start as u16, NO_PARENT));
        }
        let mut length = 1;
        loop {
            // Nothing found from here on is shorter.
            let shortest = length + 1;
            if !collect.wants(base + length_toll(shortest), shortest, mode.kind()) {
                return;
            }
            if !self.ons.is_empty() {
                length += 1;
                self.offs.clear();
                for on in &self.ons {
                    for off in links.forbidden((*on).into(), mode.off_in_cell()) {
                        let index = usize::from(*off);
                        if !self.off_seen.contains(index) {
                            self.off_seen.insert(index);
                            self.off_from[index] = *on;
                            if index == start && from_on {
                                self.end(board, start, true, mode, length, collect);
                                return;
                            }
                            if links.forced(index).next().is_some() {
                                self.offs.push((*off, *on));
                            }
                        }
                    }
                }
            }
            if self.offs.is_empty() {
                return;
            }
            length += 1;
            self.next_ons.clear();
            for (off, _) in &self.offs {
                for (on, by) in links
                    .forced((*off).into())
                    .filter(|(_, by)| mode.follows(*by))
                {
                    if !self.on_seen.contains(on) {
                        self.on_seen.insert(on);
                        self.on_from[on] = (*off, by, 0);
                        if on == start && !from_on {
                            self.end(board, start, false, mode, length, collect);
                            return;
                        }
                        self.next_ons.push(on as u16);
                    }
                }
            }
            std::mem::swap(&mut self.ons, &mut self.next_ons);
            if self.ons.is_empty() {
                return;
            }
        }
    }

    fn end(
        &self,
        board: &Board,
        start: usize,
        from_on: bool,
        mode: Mode,
        length: u16,
        collect: &mut impl Collect,
    ) {
        let base = if mode == Mode::Xy { 7.0 } else { 6.6 };
        let mut path = Vec::with_capacity(length.into());
        let mut node = start as u16 * 2 + u16::from(!from_on);
        let first = start as u16 * 2 + u16::from(from_on);
        while node != first {
            let index = usize::from(node / 2);
            if node % 2 == 1 {
                let (off, by, _) = self.on_from[index];
                path.push((node, by));
                node = off * 2;
            } else {
                let on = self.off_from[index];
                path.push((node, super::links::by_which(on.into(), index)));
                node = on * 2 + 1;
            }
        }
        path.push((first, ASSUMED));
        let mut strikes = CandidateSet::NONE;
        if from_on {
            strikes.insert(start);
        } else {
            let (cell, digit) = (start / 9, start % 9);
            strikes.insert_digits(cell, board.digits(cell) & !(1 << digit));
        }
        collect.collect(UnaryHint {
            technique: match mode {
                Mode::Xy => Technique::ForcingChain,
                _ => Technique::XChain,
            },
            difficulty: base + length_toll(path.len() as u16),
            complexity: path.len() as u16,
            kind: mode.kind(),
            path,
            is_cycle: false,
            strikes,
            met: Vec::new(),
        });
    }
}

const NO_PARENT: u16 = u16::MAX;
