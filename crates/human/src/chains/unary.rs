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
use crate::board::{ALL, Board};
use crate::candidate::CandidateSet;
use crate::chains::closure::Closure;
use crate::chains::length_toll;
use crate::chains::links::{ASSUMED, BY_CELL, By, Links, by_which};
use crate::chains::reach::{Reach, Rules};
use crate::searched::Searched;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    fn cycle_base(self) -> f64 {
        if self == Mode::Xy { 7.0 } else { 6.5 }
    }

    fn chain_base(self) -> f64 {
        if self == Mode::Xy { 7.0 } else { 6.6 }
    }

    /// Among equals: round by round, candidate by candidate; from each the
    /// cycles, then the chain from on, then that from off.
    fn order(self, start: usize, nth: u32) -> u32 {
        u32::from(self.kind()) << 12 | (start as u32) << 2 | nth
    }
}

/// The memory of the walks. Candidates are numbered as in [`Links`].
pub(crate) struct Unary {
    /// For each candidate that is on: the link that made it so, and the
    /// candidate before that.
    on_from: Box<[(u16, By, u16); 729]>,
    off_from: Box<[u16; 729]>,
    on_seen: CandidateSet,
    off_seen: CandidateSet,
    ons: Vec<u16>,
    next_ons: Vec<u16>,
    offs: Vec<u16>,
    /// Where cycles may begin.
    starts: Vec<usize>,
    reach: [Reach; 2],
    closure: Closure,
    /// Where links of one digit, or those of cells with two, lead to nothing.
    searched_digits: Searched,
    searched_pairs: Searched,
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
            starts: Vec::new(),
            reach: Default::default(),
            closure: Closure::default(),
            searched_digits: Searched::default(),
            searched_pairs: Searched::default(),
        }
    }
}

/// What decides between hints: rating, links, kind, and the order of the scale.
type Key = (f64, u16, u8, u32);

/// What is wanted of the cycles.
trait Collect {
    /// Whether a cycle with this key would still be of use.
    fn wants(&self, key: Key) -> bool;

    fn collect(&mut self, key: Key, hint: UnaryHint);
}

/// The best of all.
#[derive(Default)]
struct Best {
    key: Option<Key>,
    cycle: Option<UnaryHint>,
    /// A chain, still to be walked: the start, whether from on, the mode.
    chain: Option<(usize, bool, Mode)>,
}

impl Collect for Best {
    fn wants(&self, key: Key) -> bool {
        self.key.is_none_or(|best| key < best)
    }

    fn collect(&mut self, key: Key, hint: UnaryHint) {
        if self.wants(key) {
            self.key = Some(key);
            self.cycle = Some(hint);
            self.chain = None;
        }
    }
}

/// All hints, as they are found.
impl Collect for Vec<UnaryHint> {
    fn wants(&self, _key: Key) -> bool {
        true
    }

    fn collect(&mut self, _key: Key, hint: UnaryHint) {
        self.push(hint);
    }
}

impl Unary {
    /// The best hint of all; the first among equals.
    pub(crate) fn best(
        &mut self,
        board: &Board,
        links: &Links,
        run: &mut Run<'_>,
    ) -> Result<Option<UnaryHint>, Stop> {
        let mut best = Best::default();
        self.closure.read(links);
        if self.closure.is_quiet() {
            return Ok(None);
        }
        for mode in [Mode::X, Mode::Y, Mode::Xy] {
            if best
                .key
                .is_some_and(|(difficulty, ..)| difficulty < mode.cycle_base())
            {
                break;
            }
            run.tick()?;
            self.round(board, links, mode, &mut best);
            let searched = match mode {
                Mode::X => &mut self.searched_digits,
                Mode::Y => &mut self.searched_pairs,
                Mode::Xy => continue,
            };
            if best.key.is_none() {
                searched.found_nothing(board);
            }
        }
        Ok(match best.chain {
            Some((start, from_on, mode)) => self.chain(board, links, start, from_on, mode),
            None => best.cycle,
        })
    }

    /// The best hint with the links of one mode.
    fn round(&mut self, board: &Board, links: &Links, mode: Mode, best: &mut Best) {
        match mode {
            Mode::X => {
                let digits = self.searched_digits.changed_digits(board);
                self.shortest_chain(links, mode, digits, best);
            }
            // Without new pairs of candidates there are no new cycles.
            Mode::Y if !self.searched_pairs.has_new_pairs(board) => return,
            Mode::Y => self.lead(links, mode, ALL, true, u16::MAX, u16::MAX),
            Mode::Xy => self.shortest_chain(links, mode, ALL, best),
        }
        // What a cycle strikes leads into it, either way round.
        self.starts.clear();
        if !self.reach[1].found.is_empty() {
            let leads = |start: &usize| self.reach[1].found_leads_to(*start);
            self.starts.extend((0..links.len()).filter(leads));
        }
        if self.starts.is_empty() {
            return;
        }
        let rings = &mut self.closure.rings;
        rings.keep(links, mode.off_in_cell(), |by| mode.follows(by));
        for nth in 0..self.starts.len() {
            let start = self.starts[nth];
            if mode != Mode::Y || links.in_cell(start) <= 1 {
                self.cycles(board, links, start, mode, best);
            }
        }
    }

    /// All hints, in the order in which the scale finds them.
    pub(crate) fn all(
        &mut self,
        board: &Board,
        links: &Links,
        run: &mut Run<'_>,
    ) -> Result<Vec<UnaryHint>, Stop> {
        let mut hints = Vec::new();
        self.closure.read(links);
        if self.closure.is_quiet() {
            return Ok(hints);
        }
        for mode in [Mode::X, Mode::Y, Mode::Xy] {
            let mut leads = [CandidateSet::NONE; 2];
            if mode == Mode::Xy {
                for start in 0..links.len() {
                    if self.closure.is_proved(start) {
                        leads[0].insert(start);
                    }
                    if self.closure.is_refuted(start) {
                        leads[1].insert(start);
                    }
                }
            } else if mode == Mode::X {
                for from_on in [false, true] {
                    self.lead(links, mode, ALL, from_on, u16::MAX, u16::MAX);
                    for (start, _) in &self.reach[usize::from(from_on)].found {
                        leads[usize::from(from_on)].insert((*start).into());
                    }
                }
            }
            run.tick()?;
            let rings = &mut self.closure.rings;
            rings.keep(links, mode.off_in_cell(), |by| mode.follows(by));
            for start in 0..links.len() {
                let others = links.in_cell(start);
                if others == 0 || (mode == Mode::Y && others > 1) {
                    continue;
                }
                if self.closure.may_cycle(start) {
                    self.cycles(board, links, start, mode, &mut hints);
                }
                for from_on in [true, false] {
                    if leads[usize::from(from_on)].contains(start) {
                        hints.extend(self.chain(board, links, start, from_on, mode));
                    }
                }
            }
        }
        Ok(hints)
    }

    /// How far it is from candidates of these digits to their opposites.
    fn lead(
        &mut self,
        links: &Links,
        mode: Mode,
        digits: u16,
        from_on: bool,
        beyond: u16,
        limit: u16,
    ) {
        let rules = Rules {
            from_on,
            off_in_cell: mode.off_in_cell(),
            follows: |by| mode.follows(by),
            beyond,
            limit,
        };
        let closure = &self.closure;
        let starts = (0..links.len()).filter(|start| {
            digits >> (links.candidate(*start) % 9) & 1 != 0
                && match from_on {
                    true => closure.is_refuted(*start),
                    false => closure.is_proved(*start),
                }
        });
        self.reach[usize::from(from_on)].find(links, starts, rules);
    }

    /// What follows from every candidate on the board searched last.
    pub(crate) fn consequences(&self) -> &Closure {
        &self.closure
    }

    fn shortest_chain(&mut self, links: &Links, mode: Mode, digits: u16, best: &mut Best) {
        let mut limit = u16::MAX;
        for from_on in [true, false] {
            // What a cycle strikes has a chain at most two links longer than it.
            // With all links only a cycle no longer than the shortest chain is
            // wanted; with some, longer cycles may be easier than chains.
            let beyond = match mode {
                _ if !from_on => 0,
                Mode::Xy => 2,
                _ => u16::MAX,
            };
            self.lead(links, mode, digits, from_on, beyond, limit);
            if let Some((start, length)) = self.reach[usize::from(from_on)].found.first() {
                limit = *length;
                let difficulty = mode.chain_base() + length_toll(*length);
                let order = mode.order((*start).into(), if from_on { 1 } else { 2 });
                let key = (difficulty, *length, mode.kind(), order);
                if best.wants(key) {
                    *best = Best {
                        key: Some(key),
                        cycle: None,
                        chain: Some(((*start).into(), from_on, mode)),
                    };
                }
            }
        }
    }

    fn cycles(
        &mut self,
        board: &Board,
        links: &Links,
        start: usize,
        mode: Mode,
        collect: &mut impl Collect,
    ) {
        if self.closure.rings.pairs(start).is_empty() {
            return;
        }
        self.on_seen = CandidateSet::NONE;
        self.on_seen.insert(start);
        self.on_from[start] = (NO_PARENT, ASSUMED, NO_PARENT);
        self.ons.clear();
        self.ons.push(start as u16);
        // Once all pairs of links back to the start are met, nothing closes.
        let mut open_ends = self.closure.rings.ends(start);
        let mut length = 0;
        while !self.ons.is_empty() && open_ends > 0 {
            length += 2;
            let difficulty = mode.cycle_base() + length_toll(length);
            let key = (difficulty, length, mode.kind(), mode.order(start, 0));
            if !collect.wants(key) {
                return;
            }
            self.next_ons.clear();
            for nth in 0..self.ons.len() {
                let on = self.ons[nth];
                for at in 0..self.closure.rings.pairs(on.into()).len() {
                    let (off, next, by) = self.closure.rings.pairs(on.into())[at];
                    let index = usize::from(next);
                    open_ends -= u16::from(index == start);
                    let closes = index == start && length >= 4;
                    let new = !self.on_seen.contains(index);
                    if !(closes || new) || self.is_behind(on, off) {
                        continue;
                    }
                    if closes {
                        let path = self.cycle(links, (off, by, on), start);
                        if let Some(hint) = close(board, path, mode, difficulty) {
                            collect.collect(key, hint);
                        }
                    } else {
                        self.on_seen.insert(index);
                        self.on_from[index] = (off, by, on);
                        self.next_ons.push(next);
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

    /// The nodes of a cycle, from its end back to its start.
    fn cycle(&self, links: &Links, last: (u16, By, u16), start: usize) -> Vec<(u16, By)> {
        let mut path = Vec::new();
        let (mut on, mut link) = (start, last);
        loop {
            let (off, by, before) = link;
            let [off, before] = [off, before].map(|number| links.candidate(number.into()));
            path.push((links.candidate(on) as u16 * 2 + 1, by));
            path.push((off as u16 * 2, by_which(before, off)));
            on = usize::from(link.2);
            if on == start {
                return path;
            }
            link = self.on_from[on];
        }
    }

    /// The shortest way from a candidate, on or off, to its opposite.
    fn chain(
        &mut self,
        board: &Board,
        links: &Links,
        start: usize,
        from_on: bool,
        mode: Mode,
    ) -> Option<UnaryHint> {
        self.on_seen = CandidateSet::NONE;
        self.off_seen = CandidateSet::NONE;
        self.ons.clear();
        self.offs.clear();
        if from_on {
            self.on_seen.insert(start);
            self.ons.push(start as u16);
        } else {
            self.off_seen.insert(start);
            self.offs.push(start as u16);
        }
        while !self.ons.is_empty() || !self.offs.is_empty() {
            for on in &self.ons {
                for off in links.forbidden((*on).into(), mode.off_in_cell()) {
                    let index = usize::from(*off);
                    if !self.off_seen.contains(index) {
                        self.off_seen.insert(index);
                        self.off_from[index] = *on;
                        self.offs.push(*off);
                        if index == start && from_on {
                            return Some(self.end(board, links, start, true, mode));
                        }
                    }
                }
            }
            self.ons.clear();
            for off in &self.offs {
                let forced = links.forced((*off).into()).iter();
                for (on, by) in forced.filter(|(_, by)| mode.follows(*by)) {
                    let index = usize::from(*on);
                    if !self.on_seen.contains(index) {
                        self.on_seen.insert(index);
                        self.on_from[index] = (*off, *by, 0);
                        self.ons.push(*on);
                        if index == start && !from_on {
                            return Some(self.end(board, links, start, false, mode));
                        }
                    }
                }
            }
            self.offs.clear();
        }
        None
    }

    fn end(
        &self,
        board: &Board,
        links: &Links,
        start: usize,
        from_on: bool,
        mode: Mode,
    ) -> UnaryHint {
        let id = |number: usize, on: bool| links.candidate(number) as u16 * 2 + u16::from(on);
        let mut path = Vec::new();
        let (mut number, mut on) = (start, !from_on);
        while (number, on) != (start, from_on) {
            if on {
                let (off, by, _) = self.on_from[number];
                path.push((id(number, true), by));
                number = off.into();
            } else {
                let before = usize::from(self.off_from[number]);
                let by = by_which(links.candidate(before), links.candidate(number));
                path.push((id(number, false), by));
                number = before;
            }
            on = !on;
        }
        path.push((id(start, from_on), ASSUMED));
        let candidate = links.candidate(start);
        let (cell, digit) = (candidate / 9, candidate % 9);
        let mut strikes = CandidateSet::NONE;
        if from_on {
            strikes.insert(candidate);
        } else {
            strikes.insert_digits(cell, board.digits(cell) & !(1 << digit));
        }
        UnaryHint {
            technique: match mode {
                Mode::Xy => Technique::ForcingChain,
                _ => Technique::XChain,
            },
            difficulty: mode.chain_base() + length_toll(path.len() as u16),
            complexity: path.len() as u16,
            kind: mode.kind(),
            path,
            is_cycle: false,
            strikes,
            met: Vec::new(),
        }
    }
}

/// A cycle is complete: does it strike anything?
fn close(board: &Board, path: Vec<(u16, By)>, mode: Mode, difficulty: f64) -> Option<UnaryHint> {
    let place = |node: u16| (usize::from(node / 18), usize::from(node / 2 % 9));
    let cells = path
        .iter()
        .fold(0_u128, |set, (node, _)| set | 1 << (node / 18));
    let mut seen = [[0_u128; 9]; 2];
    for (node, _) in &path {
        let (cell, digit) = place(*node);
        seen[usize::from(node % 2)][digit] |= PEER_SET[cell];
    }
    let mut strikes = CandidateSet::NONE;
    let mut struck_cells = 0;
    let [seen_off, seen_on] = seen;
    for (digit, (off, on)) in seen_off.into_iter().zip(seen_on).enumerate() {
        let struck = off & on & !cells;
        if struck != 0 {
            for cell in cells_in(struck & board.cells_with(digit)) {
                strikes.insert(cell * 9 + digit);
                struck_cells |= 1_u128 << cell;
            }
        }
    }
    if struck_cells == 0 {
        return None;
    }
    // The order in which the walk back meets the cells it strikes from.
    let mut met = Vec::new();
    for (node, _) in path.iter().filter(|(node, _)| node % 2 == 1) {
        let (cell, digit) = place(*node);
        for peer in cells_in(PEER_SET[cell] & struck_cells) {
            if strikes.contains(peer * 9 + digit) && !met.contains(&(peer as u8)) {
                met.push(peer as u8);
            }
        }
    }
    Some(UnaryHint {
        technique: match mode {
            Mode::X => Technique::XCycle,
            Mode::Y => Technique::YCycle,
            Mode::Xy => Technique::XyCycle,
        },
        difficulty,
        complexity: path.len() as u16,
        kind: mode.kind(),
        path,
        is_cycle: true,
        strikes,
        met,
    })
}

const NO_PARENT: u16 = u16::MAX;
