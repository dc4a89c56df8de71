//! Techniques inside a walk: where the links of a dynamic walk lead no further,
//! patterns may have appeared on what is left of the board.
//!
//! Locked candidates, hidden pairs, naked pairs and X-wings are looked for in
//! this order, then, on the higher levels, chains. The first technique that
//! finds anything new strikes all it can; each strike rests on the candidates
//! that had to go first. A pattern that was there before the walk does not
//! count.

use planoku_engine::{Run, Stop};

use crate::Technique;
use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::chains::links::{ASSUMED, BY_CELL, By, Links, by_house, house_of};
use crate::chains::multiple::{CELL, Family, HOUSE, Hint, Level, Meetings, Nested, Wanted};
use crate::chains::unary::{Unary, UnaryHint};
use crate::chains::walk::Walk;
use crate::pattern::{Pattern, Sink};
use crate::step::Chain;
use crate::tables::{HOUSE_CELLS, HOUSE_SET, OVERLAP, members};
use crate::techniques::fish::{self, Fish};
use crate::techniques::hidden_set::{self, HiddenSet};
use crate::techniques::locked::{self, Locked};
use crate::techniques::naked_set::{self, NakedSet};

/// Chains used inside others, and the memory to find them.
#[derive(Default)]
pub(crate) struct Nest {
    chains: Vec<NestedChain>,
    unary: Unary,
    links: Links,
    /// One for each level inside.
    meetings: Vec<Meetings>,
    depth: usize,
    /// How to keep chains for those who want to see them.
    showing: Option<Showing>,
}

/// How chains inside others are drawn as graphs.
#[derive(Clone, Copy)]
pub(crate) struct Showing {
    pub(crate) unary: fn(&UnaryHint) -> Vec<Chain>,
    pub(crate) meeting: fn(&Hint, &Meetings) -> Vec<Chain>,
}

/// A chain inside another one.
struct NestedChain {
    complexity: u16,
    /// The nodes of all its chains, from the end to the start, chains set apart.
    /// Two with the same nodes in the same order are the same.
    nodes: Vec<u16>,
    /// The chains as graphs, where somebody wants to see them.
    shown: Vec<Chain>,
}

/// Stands between the chains of a [`NestedChain`].
const APART: u16 = u16::MAX;

impl Nest {
    /// How chains are to be kept for those who want to see them, if at all.
    pub(crate) fn show(&mut self, showing: Option<Showing>) {
        self.showing = showing;
    }

    /// A chain inside as graphs, if they were to be kept.
    pub(crate) fn shown(&self, number: u32) -> &[Chain] {
        &self.chains[number as usize].shown
    }

    /// The chains of a hint, if they are to be kept: not those inside others
    /// that are inside themselves.
    fn kept(&self, draw: impl FnOnce(Showing) -> Vec<Chain>) -> Vec<Chain> {
        let showing = self.showing.filter(|_| self.depth == 0);
        showing.map(draw).unwrap_or_default()
    }
}

impl Nested for Nest {
    fn forget(&mut self, outermost: bool) {
        if outermost {
            self.chains.clear();
        }
    }

    fn complexity(&self, number: u32) -> u16 {
        self.chains[number as usize].complexity
    }

    fn is_same(&self, one: u32, other: u32) -> bool {
        one == other || self.chains[one as usize].nodes == self.chains[other as usize].nodes
    }

    fn apply(
        &mut self,
        walk: &mut Walk,
        board: &Board,
        source: &Board,
        level: Level,
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        apply(walk, board, source, level, self, run)
    }
}

/// Applies the first technique that strikes anything new; `false` if none does.
fn apply(
    walk: &mut Walk,
    board: &Board,
    source: &Board,
    level: Level,
    nest: &mut Nest,
    run: &mut Run<'_>,
) -> Result<bool, Stop> {
    let before = walk.links.len();
    let mut sink = Patterns {
        walk,
        board,
        source,
        grounds: Vec::new(),
        strikes: Vec::new(),
    };
    locked::plain(board, &mut sink);
    if !sink.found(before) {
        hidden_set::plain(board, 2, &mut sink);
    }
    if !sink.found(before) {
        naked_set::find(board, 2, &mut sink);
    }
    if !sink.found(before) {
        fish::find(board, 2, &mut sink);
    }
    if sink.found(before) {
        return Ok(true);
    }
    match level {
        Level::Zero | Level::Plus => {}
        Level::Chains => apply_unary(walk, board, source, nest, run)?,
        Level::Multiple => {
            apply_unary(walk, board, source, nest, run)?;
            if walk.links.len() == before {
                apply_meetings(walk, board, source, Family::Multiple, nest, run)?;
            }
        }
        Level::Dynamic(inside) => {
            let inside = match inside {
                0 => Level::Zero,
                1 => Level::Plus,
                2 => Level::Chains,
                _ => Level::Multiple,
            };
            apply_meetings(walk, board, source, Family::Dynamic(inside), nest, run)?;
        }
    }
    Ok(walk.links.len() > before)
}

/// Adds every pattern to the walk that rests on something it struck.
struct Patterns<'a> {
    walk: &'a mut Walk,
    board: &'a Board,
    source: &'a Board,
    grounds: Vec<u16>,
    strikes: Vec<u8>,
}

impl Patterns<'_> {
    fn found(&self, before: usize) -> bool {
        self.walk.links.len() > before
    }

    /// Candidates of these cells that stood at the beginning.
    fn ground(&mut self, cell: usize, digits: u16) {
        let digits = digits & self.source.digits(cell);
        self.grounds
            .extend(members(digits).map(|digit| (cell * 9 + digit) as u16));
    }
}

impl Patterns<'_> {
    /// Adds a pattern that rests on `self.grounds` and strikes candidates of
    /// `self.strikes`; the walk goes on.
    fn add(&mut self, pattern: &impl Pattern) -> bool {
        if !self.grounds.is_empty() {
            let strikes = pattern.strikes(self.board);
            let cells = in_order(&mut self.strikes, &strikes);
            self.walk
                .apply(&self.grounds, cells, pattern.technique(), None);
        }
        self.grounds.clear();
        self.strikes.clear();
        false
    }
}

impl Sink<Locked> for Patterns<'_> {
    fn take(&mut self, locked: Locked) -> bool {
        let (board, source) = (self.board, self.source);
        let digit = usize::from(locked.digit);
        let (base, cover) = (usize::from(locked.base), usize::from(locked.cover));
        let inside = HOUSE_SET[cover];
        gone(board, source, base, digit, inside, &mut self.grounds);
        let outside = board.places(cover, digit) & !OVERLAP[cover][base];
        self.strikes
            .extend(members(outside).map(|place| HOUSE_CELLS[cover][place]));
        self.add(&locked)
    }
}

impl Sink<HiddenSet> for Patterns<'_> {
    fn take(&mut self, set: HiddenSet) -> bool {
        let house = usize::from(set.house);
        for place in members(!set.places & 511) {
            self.ground(HOUSE_CELLS[house][place].into(), set.digits);
        }
        self.strikes
            .extend(members(set.places).map(|place| HOUSE_CELLS[house][place]));
        self.add(&set)
    }
}

impl Sink<NakedSet> for Patterns<'_> {
    fn take(&mut self, set: NakedSet) -> bool {
        let house = usize::from(set.house);
        for place in members(set.places) {
            self.ground(HOUSE_CELLS[house][place].into(), !set.digits & 511);
        }
        let others = members(!set.places & 511);
        self.strikes
            .extend(others.map(|place| HOUSE_CELLS[house][place]));
        self.add(&set)
    }
}

impl Sink<Fish> for Patterns<'_> {
    fn take(&mut self, fish: Fish) -> bool {
        let (board, source) = (self.board, self.source);
        let digit = usize::from(fish.digit);
        let covered = fish.covers().fold(0, |set, cover| set | HOUSE_SET[cover]);
        for base in fish.bases() {
            gone(board, source, base, digit, covered, &mut self.grounds);
        }
        self.strikes
            .extend(fish.covers().flat_map(|cover| HOUSE_CELLS[cover]));
        self.add(&fish)
    }
}

/// The places of a digit in a house that were struck outside some cells.
fn gone(
    board: &Board,
    source: &Board,
    house: usize,
    digit: usize,
    except: u128,
    into: &mut Vec<u16>,
) {
    let struck = source.places(house, digit) & !board.places(house, digit);
    for place in members(struck) {
        let cell = usize::from(HOUSE_CELLS[house][place]);
        if except >> cell & 1 == 0 {
            into.push((cell * 9 + digit) as u16);
        }
    }
}

/// The strikes of several cells in the order of the reference, which keeps them
/// in a hash table: by the cell's number modulo the size of the table, cells of
/// one slot as they were put in.
fn in_order<'a>(
    cells: &'a mut Vec<u8>,
    strikes: &'a CandidateSet,
) -> impl Iterator<Item = usize> + 'a {
    let struck = |cell: &u8| (0..9).any(|digit| strikes.contains(usize::from(*cell) * 9 + digit));
    cells.retain(struck);
    let slots = match cells.len() {
        0..=12 => 16,
        13..=24 => 32,
        25..=48 => 64,
        _ => 128,
    };
    cells.sort_by_key(|cell| cell % slots);
    cells.iter().flat_map(|cell| {
        let first = usize::from(*cell) * 9;
        (first..first + 9).filter(|candidate| strikes.contains(*candidate))
    })
}

/// Chains and cycles on what is left of the board.
fn apply_unary(
    walk: &mut Walk,
    board: &Board,
    source: &Board,
    nest: &mut Nest,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    nest.links.read(board);
    nest.links.read_pairs();
    let mut hints = nest.unary.all(board, &nest.links, run)?;
    hints.sort_by(|one, other| {
        let difficulty = one.difficulty.total_cmp(&other.difficulty);
        let complexity = one.complexity.cmp(&other.complexity);
        difficulty.then(complexity).then(one.kind.cmp(&other.kind))
    });
    let mut known: Vec<CandidateSet> = Vec::new();
    let mut grounds = Vec::new();
    for mut hint in hints {
        if known.contains(&hint.strikes) {
            continue;
        }
        known.push(hint.strikes);
        grounds.clear();
        for (node, by) in &hint.path {
            if node % 2 == 1 {
                add_grounds(board, source, *node, *by, &mut grounds);
            }
        }
        let mut nodes: Vec<u16> = hint.path.iter().map(|(node, _)| *node).collect();
        if hint.is_cycle {
            // The cycle the other way round: everything is its opposite.
            let start = nodes[0];
            nodes.extend([APART, start ^ 1]);
            for (node, by) in hint.path[1..].iter().rev() {
                nodes.push(node ^ 1);
                if node % 2 == 0 {
                    add_grounds(board, source, node ^ 1, *by, &mut grounds);
                }
            }
        }
        if grounds.is_empty() {
            continue;
        }
        let number = nest.chains.len() as u32;
        let shown = nest.kept(|showing| (showing.unary)(&hint));
        nest.chains.push(NestedChain {
            complexity: hint.complexity,
            nodes,
            shown,
        });
        if !hint.is_cycle {
            hint.met.push((hint.path[0].0 / 18) as u8);
        }
        let cells = in_order(&mut hint.met, &hint.strikes);
        walk.apply(&grounds, cells, hint.technique, Some(number));
    }
    Ok(())
}

/// The candidates that had to go before this one could be forced.
fn add_grounds(board: &Board, source: &Board, on: u16, by: By, into: &mut Vec<u16>) {
    let (cell, digit) = (usize::from(on / 18), usize::from(on / 2 % 9));
    let mut add = |candidate: usize| {
        if !into.contains(&(candidate as u16)) {
            into.push(candidate as u16);
        }
    };
    match by {
        ASSUMED => {}
        BY_CELL => {
            let gone = source.digits(cell) & !board.digits(cell);
            members(gone).for_each(|digit| add(cell * 9 + digit));
        }
        _ => {
            let house = house_of(cell, by);
            let gone = source.places(house, digit) & !board.places(house, digit);
            for place in members(gone) {
                add(usize::from(HOUSE_CELLS[house][place]) * 9 + digit);
            }
        }
    }
}

/// Several chains that meet, on what is left of the board.
fn apply_meetings(
    walk: &mut Walk,
    board: &Board,
    source: &Board,
    family: Family,
    nest: &mut Nest,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    if nest.depth == nest.meetings.len() {
        nest.meetings.push(Meetings::default());
    }
    let mut meetings = std::mem::take(&mut nest.meetings[nest.depth]);
    let links = std::mem::take(&mut nest.links);
    let unary = std::mem::take(&mut nest.unary);
    nest.depth += 1;
    let known = nest.chains.len();
    let ways = (&links, unary.consequences());
    let found = meetings.find(board, family, Wanted::All, ways, nest, run);
    // Chains inside those inside have been counted and are not needed again.
    nest.chains.truncate(known);
    nest.depth -= 1;
    nest.links = links;
    nest.unary = unary;
    if found.is_ok() {
        add_meetings(walk, board, source, family, &meetings, nest);
    }
    nest.meetings[nest.depth] = meetings;
    found
}

fn add_meetings(
    walk: &mut Walk,
    board: &Board,
    source: &Board,
    family: Family,
    meetings: &Meetings,
    nest: &mut Nest,
) {
    // Hints that strike the same are the same; the first counts. What is struck
    // by a candidate that is on: the others of its cell.
    let mut known = [false; 1458];
    let mut ancestors = Vec::new();
    let mut grounds = Vec::new();
    for hint in &meetings.hints {
        let strikes = strikes(board, hint);
        let target = usize::from(hint.target);
        let key = match crate::tables::count(strikes) {
            1 => (target / 18 * 9 + strikes.trailing_zeros() as usize) * 2,
            _ => target,
        };
        if std::mem::replace(&mut known[key], true) {
            continue;
        }
        grounds.clear();
        let mut nodes = Vec::new();
        for (inner, place) in hint.ends() {
            let inner = &meetings.walks[usize::from(*inner)];
            inner.ancestors(*place, &mut ancestors);
            for place in &ancestors {
                let link = inner.links[usize::from(*place)];
                nodes.push(link.node);
                if link.node % 2 == 1 {
                    let by = match (link.by, hint.kind) {
                        (ASSUMED, CELL) => BY_CELL,
                        (ASSUMED, HOUSE) => by_house(hint.house.into()),
                        (by, _) => by,
                    };
                    add_grounds(board, source, link.node, by, &mut grounds);
                }
            }
            nodes.push(APART);
        }
        if grounds.is_empty() {
            continue;
        }
        let number = nest.chains.len() as u32;
        let shown = nest.kept(|showing| (showing.meeting)(hint, meetings));
        nest.chains.push(NestedChain {
            complexity: hint.complexity,
            nodes,
            shown,
        });
        let cell = target / 18;
        let candidates = members(strikes).map(|digit| cell * 9 + digit);
        walk.apply(&grounds, candidates, technique(family, hint), Some(number));
    }
}

/// The digits that a proof strikes from the cell of its target.
pub(crate) fn strikes(board: &Board, hint: &Hint) -> u16 {
    let (cell, digit) = (
        usize::from(hint.target / 18),
        usize::from(hint.target / 2 % 9),
    );
    match hint.target % 2 {
        1 => board.digits(cell) & !(1 << digit),
        _ => 1 << digit,
    }
}

/// What a proof of a family is called.
pub(crate) fn technique(family: Family, hint: &Hint) -> Technique {
    match family {
        Family::Nishio => Technique::Nishio,
        Family::Multiple if hint.kind == CELL => Technique::CellChains,
        Family::Multiple => Technique::HouseChains,
        Family::Dynamic(Level::Zero) => Technique::DynamicChains,
        Family::Dynamic(Level::Plus) => Technique::DynamicPlus,
        Family::Dynamic(Level::Chains) => Technique::NestedChains,
        Family::Dynamic(Level::Multiple) => Technique::NestedMultiple,
        Family::Dynamic(Level::Dynamic(_)) => Technique::NestedDynamic,
    }
}
