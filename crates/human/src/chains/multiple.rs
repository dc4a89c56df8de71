//! Several chains that meet: whatever a cell holds, wherever a house puts a
//! digit, whether a candidate is true or false, the same follows.
//!
//! Every assumption is walked once and kept, since cells and houses share them.
//! Looking for the next step, only the shortest proof matters: walks are given
//! up, and meetings passed over, once they cannot be shorter. Inside another
//! walk all proofs are wanted.

use planoku_engine::{Run, Stop};

use crate::board::{ALL, Board};
use crate::chains::closure::Closure;
use crate::chains::links::{HOUSE_LINKS, Links};
use crate::chains::nishio::Plane;
use crate::chains::walk::{NodeId, Walk};
use crate::searched::Searched;
use crate::spots::SPOTS;
use crate::tables::{HOUSE_CELLS, HOUSES_OF, count, members};
use crate::{Rating, Technique};

/// Which links are used, and which proofs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Contradictions on one digit.
    Nishio,
    /// Cells and houses, static links.
    Multiple,
    /// Cells, houses, contradictions and opposites, dynamic links.
    Dynamic(Level),
}

/// Which techniques are used inside a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// None.
    Zero,
    /// Locked candidates, pairs, X-wings.
    Plus,
    /// Also chains and cycles.
    Chains,
    /// Also cell and house chains.
    Multiple,
    /// Instead dynamic chains, which may themselves use up to so much: 0 to 3.
    Dynamic(u8),
}

impl Family {
    /// The lowest rating of its proofs.
    pub(crate) fn base(self) -> Rating {
        match self {
            Family::Nishio => Technique::Nishio.base(),
            Family::Multiple => Technique::CellChains.base(),
            Family::Dynamic(Level::Zero) => Technique::DynamicChains.base(),
            Family::Dynamic(Level::Plus) => Technique::DynamicPlus.base(),
            Family::Dynamic(Level::Chains) => Technique::NestedChains.base(),
            Family::Dynamic(Level::Multiple) => Technique::NestedMultiple.base(),
            Family::Dynamic(Level::Dynamic(_)) => Technique::NestedDynamic.base(),
        }
    }

    /// Whether walks that came to rest on a level are what this family's walks
    /// begin with.
    fn continues(self, level: Level) -> bool {
        matches!(
            (level, self),
            (Level::Zero, Family::Dynamic(Level::Plus))
                | (Level::Plus, Family::Dynamic(Level::Chains))
                | (Level::Chains, Family::Dynamic(Level::Multiple))
        )
    }
}

/// How much is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The best proof, its effect only.
    Best,
    /// The best proof with its chains.
    BestShown,
    /// All proofs.
    All,
}

/// Chains that prove the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    pub(crate) complexity: u16,
    /// Opposites 1, cell 5, house 6, contradiction 7: simpler ones first.
    pub(crate) kind: u8,
    /// Among equals, the order in which they are met.
    order: u32,
    /// What is proved.
    pub(crate) target: NodeId,
    /// Up to nine walks, and the place in each where the chain ends.
    pub(crate) ends: [(u16, u16); 9],
    pub(crate) length: u8,
    /// The house, for houses.
    pub(crate) house: u8,
}

pub(crate) const OPPOSITES: u8 = 1;
pub(crate) const CELL: u8 = 5;
pub(crate) const HOUSE: u8 = 6;
pub(crate) const CONTRADICTION: u8 = 7;

impl Hint {
    pub(crate) fn ends(&self) -> &[(u16, u16)] {
        &self.ends[..self.length.into()]
    }
}

/// What is looked for inside a walk where links lead no further. It may look
/// for meetings itself, on a lower level.
pub(crate) trait Nested {
    /// Forgets all chains before a search that is not itself inside a walk.
    fn forget(&mut self, outermost: bool);

    /// Applies the first technique that strikes anything new; `false` if none
    /// does.
    fn apply(
        &mut self,
        walk: &mut Walk,
        board: &Board,
        source: &Board,
        level: Level,
        run: &mut Run<'_>,
    ) -> Result<bool, Stop>;

    /// How long a chain inside is.
    fn complexity(&self, number: u32) -> u16;

    /// True if two chains inside have the same nodes in the same order.
    fn is_same(&self, one: u32, other: u32) -> bool;
}

/// The walks of one position in one family, and what they prove.
pub(crate) struct Meetings {
    pub(crate) walks: Vec<Walk>,
    /// The walk that begins with each node, plus one.
    begun: Box<[u16; 1458]>,
    /// The level up to which each walk has gone.
    levels: Vec<Level>,
    used: usize,
    /// The board and the level of walks that all came to rest, so that the next
    /// level can go on from there.
    at_rest: Option<(Box<Board>, Level)>,
    order: u32,
    pub(crate) hints: Vec<Hint>,
    ancestors: Vec<u16>,
    nested_seen: Vec<u32>,
    /// Where no digit contradicts itself.
    searched_digits: Searched,
}

impl Default for Meetings {
    fn default() -> Meetings {
        Meetings {
            walks: Vec::new(),
            begun: Box::new([0; 1458]),
            levels: Vec::new(),
            used: 0,
            at_rest: None,
            order: 0,
            hints: Vec::new(),
            ancestors: Vec::new(),
            nested_seen: Vec::new(),
            searched_digits: Searched::default(),
        }
    }
}

/// What does not change while a family is looked through.
struct Question<'a> {
    board: &'a Board,
    family: Family,
    links: &'a Links,
    /// What static links lead to, so that hopeless groups are not walked.
    consequences: &'a Closure,
    /// Only the best proof is wanted.
    best_only: bool,
    /// Walks are kept for those who want to see them.
    keep: bool,
    /// The digits that may contradict themselves.
    digits: u16,
}

impl Question<'_> {
    /// Whether anything can follow from this candidate being false: without
    /// techniques inside, one other must be left in its cell or in a house.
    fn follows_from_off(&self, candidate: usize) -> bool {
        let spot = &SPOTS[candidate];
        let cell = self.board.digits(spot.cell.into());
        let places = self.board.all_places();
        let two_left = |set: &u8| count(places[usize::from(*set)]) == 2;
        self.family != Family::Dynamic(Level::Zero)
            || count(cell) == 2
            || spot.sets.iter().any(two_left)
    }
}

impl Meetings {
    /// Finds the best proof of a family, or all of them, and leaves them in
    /// `hints`: the best one alone, or all in the order of the scale.
    pub(crate) fn find(
        &mut self,
        board: &Board,
        family: Family,
        wanted: Wanted,
        (links, consequences): (&Links, &Closure),
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let best_only = wanted != Wanted::All;
        let rested = self.at_rest.take();
        let goes_on = rested
            .is_some_and(|(known, level)| best_only && family.continues(level) && *known == *board);
        if !goes_on {
            nest.forget(best_only);
            self.begun.fill(0);
            self.used = 0;
        }
        self.order = 0;
        self.hints.clear();
        let question = Question {
            board,
            family,
            links,
            consequences,
            best_only,
            keep: wanted != Wanted::Best,
            digits: if best_only {
                self.searched_digits.changed_digits(board)
            } else {
                ALL
            },
        };
        let smallest = if family == Family::Multiple { 3 } else { 2 };
        for cell in 0..81 {
            let digits = board.digits(cell);
            if count(digits) >= smallest {
                self.cell(&question, cell, digits, nest, run)?;
            }
        }
        if !best_only {
            self.hints
                .sort_by_key(|hint| (hint.complexity, hint.kind, hint.order));
        } else if let Family::Dynamic(level) = family
            && self.hints.is_empty()
        {
            self.at_rest = Some((Box::new(board.clone()), level));
        }
        if family == Family::Nishio && self.hints.is_empty() {
            self.searched_digits.found_nothing(board);
        }
        Ok(())
    }

    fn cell(
        &mut self,
        question: &Question<'_>,
        cell: usize,
        digits: u16,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if question.family == Family::Multiple {
            return self.static_cell(question, cell, digits, nest, run);
        }
        if question.family == Family::Nishio {
            return self.nishio_cell(question, cell, digits, nest, run);
        }
        let mut walks = [0; 9];
        let mut length = 0;
        for digit in members(digits) {
            let candidate = cell * 9 + digit;
            let on = self.walk(question, candidate * 2 + 1, nest, run)?;
            walks[length] = on;
            length += 1;
            self.contradiction(question, on, candidate * 2, nest);
            if question.follows_from_off(candidate) {
                let off = self.walk(question, candidate * 2, nest, run)?;
                self.contradiction(question, off, candidate * 2 + 1, nest);
                if count(digits) >= 3 {
                    self.meet(question, &[on, off], OPPOSITES, 0, nest);
                }
                self.forget(question, candidate * 2);
            }
            self.houses(question, cell, digit, nest, run)?;
        }
        self.meet(question, &walks[..length], CELL, 0, nest);
        Ok(())
    }

    /// Contradictions on one digit: only these are walked.
    fn nishio_cell(
        &mut self,
        question: &Question<'_>,
        cell: usize,
        digits: u16,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for digit in members(digits & question.digits) {
            let plane = Plane::new(question.board, digit);
            for on in [true, false] {
                run.tick()?;
                if plane.refutes(cell, on) {
                    let start = (cell * 9 + digit) * 2 + usize::from(on);
                    let walk = self.walk(question, start, nest, run)?;
                    self.contradiction(question, walk, start ^ 1, nest);
                }
            }
        }
        Ok(())
    }

    /// Chains by static links from a cell: only what may meet is walked.
    fn static_cell(
        &mut self,
        question: &Question<'_>,
        cell: usize,
        digits: u16,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for digit in members(digits) {
            self.houses(question, cell, digit, nest, run)?;
        }
        let candidates = members(digits).map(|digit| cell * 9 + digit);
        self.group(question, candidates, CELL, 0, nest, run)
    }

    /// The houses in which this cell is the first place for the digit.
    fn houses(
        &mut self,
        question: &Question<'_>,
        cell: usize,
        digit: usize,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for (nth, _) in HOUSE_LINKS {
            let house = usize::from(HOUSES_OF[cell][nth]);
            let places = question.board.places(house, digit);
            let first_place = places.trailing_zeros() as usize;
            if count(places) >= 2 && usize::from(HOUSE_CELLS[house][first_place]) == cell {
                let candidates =
                    members(places).map(|place| usize::from(HOUSE_CELLS[house][place]) * 9 + digit);
                self.group(question, candidates, HOUSE, house as u8, nest, run)?;
            }
        }
        Ok(())
    }

    /// Candidates one of which is true.
    fn group(
        &mut self,
        question: &Question<'_>,
        candidates: impl Iterator<Item = usize> + Clone,
        kind: u8,
        house: u8,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if question.family == Family::Multiple {
            let numbers = candidates.clone().map(|each| question.links.number(each));
            if !question.consequences.meet(numbers) {
                return Ok(());
            }
        }
        let mut walks = [0; 9];
        let mut length = 0;
        for candidate in candidates {
            walks[length] = self.walk(question, candidate * 2 + 1, nest, run)?;
            length += 1;
        }
        self.meet(question, &walks[..length], kind, house, nest);
        Ok(())
    }

    /// The walk that begins with a node, made if it is not there yet.
    fn walk(
        &mut self,
        question: &Question<'_>,
        start: usize,
        nest: &mut impl Nested,
        run: &mut Run<'_>,
    ) -> Result<u16, Stop> {
        let level = match question.family {
            Family::Dynamic(level) => level,
            _ => Level::Zero,
        };
        let begun = usize::from(self.begun[start]).checked_sub(1);
        if let Some(number) = begun.filter(|number| self.levels[*number] == level) {
            return Ok(number as u16);
        }
        run.tick()?;
        let number = begun.unwrap_or(self.used);
        if begun.is_none() {
            self.used += 1;
            self.begun[start] = self.used as u16;
            if self.used > self.walks.len() {
                self.walks.push(Walk::default());
                self.levels.push(level);
            }
            self.walks[number].begin(start as NodeId);
        }
        self.levels[number] = level;
        let walk = &mut self.walks[number];
        let limit = match self.hints.first() {
            Some(best) if question.best_only => best.complexity.saturating_sub(1),
            _ => u16::MAX,
        };
        match question.family {
            Family::Multiple => walk.follow_static(question.links, limit),
            Family::Nishio | Family::Dynamic(Level::Zero) => {
                let one_digit = question.family == Family::Nishio;
                let mut board = question.board.clone();
                walk.follow_dynamic(&mut board, question.board, one_digit, limit);
            }
            Family::Dynamic(level) => {
                let mut board = question.board.clone();
                if begun.is_some() {
                    board.strike_all(&walk.off);
                }
                loop {
                    walk.follow_dynamic(&mut board, question.board, false, u16::MAX);
                    let ended = walk.contradiction.is_some();
                    if ended || !nest.apply(walk, &board, question.board, level, run)? {
                        break;
                    }
                }
            }
        }
        Ok(number as u16)
    }

    /// Gives back the last walk, which nobody will ask for again.
    fn forget(&mut self, question: &Question<'_>, start: usize) {
        if !question.keep && usize::from(self.begun[start]) == self.used {
            self.begun[start] = 0;
            self.used -= 1;
        }
    }

    /// A walk that contradicts itself proves the opposite of its start.
    fn contradiction(
        &mut self,
        question: &Question<'_>,
        walk: u16,
        target: usize,
        nest: &impl Nested,
    ) {
        self.order += 1;
        let Some((on, off)) = self.walks[usize::from(walk)].contradiction else {
            return;
        };
        if !is_worth(question.board, target) {
            return;
        }
        let mut ends = [(0, 0); 9];
        ends[0] = (walk, on);
        ends[1] = (walk, off);
        self.add(
            question,
            Hint {
                complexity: 0,
                kind: CONTRADICTION,
                order: self.order << 11,
                target: target as NodeId,
                ends,
                length: 2,
                house: 0,
            },
            nest,
        );
    }

    /// What all these walks have in common is so.
    fn meet(
        &mut self,
        question: &Question<'_>,
        walks: &[u16],
        kind: u8,
        house: u8,
        nest: &impl Nested,
    ) {
        for on in [true, false] {
            self.order += 1;
            let set = |walk: u16| {
                let walk = &self.walks[usize::from(walk)];
                if on { walk.on } else { walk.off }
            };
            let others = &walks[1..];
            let common = others
                .iter()
                .fold(set(walks[0]), |common, walk| common.and(&set(*walk)));
            for candidate in common.indices() {
                let target = candidate * 2 + usize::from(on);
                if on && !is_worth(question.board, target) {
                    continue;
                }
                let mut ends = [(0, 0); 9];
                for (end, walk) in ends.iter_mut().zip(walks) {
                    *end = (*walk, self.walks[usize::from(*walk)].place(target));
                }
                // Among themselves, in the order of the first walk.
                let order = self.order << 11 | u32::from(ends[0].1);
                let hint = Hint {
                    complexity: 0,
                    kind,
                    order,
                    target: target as NodeId,
                    ends,
                    length: walks.len() as u8,
                    house,
                };
                self.add(question, hint, nest);
            }
        }
    }

    /// Keeps a hint if it is of use.
    fn add(&mut self, question: &Question<'_>, mut hint: Hint, nest: &impl Nested) {
        let key = |hint: &Hint| (hint.complexity, hint.kind, hint.order);
        hint.complexity = hint
            .ends()
            .iter()
            .map(|(walk, place)| self.walks[usize::from(*walk)].links[usize::from(*place)].least)
            .sum();
        if !question.best_only {
            hint.complexity = self.complexity(question, &hint, nest);
            self.hints.push(hint);
            return;
        }
        let best = self.hints.first().map(key);
        if best.is_some_and(|best| best < key(&hint)) {
            return;
        }
        hint.complexity = self.complexity(question, &hint, nest);
        if best.is_none_or(|best| key(&hint) < best) {
            self.hints.clear();
            self.hints.push(hint);
        }
    }

    /// The links of all chains, and those of the chains inside, each once.
    fn complexity(&mut self, question: &Question<'_>, hint: &Hint, nest: &impl Nested) -> u16 {
        if question.family == Family::Multiple {
            return hint.complexity;
        }
        let mut sum = 0;
        self.nested_seen.clear();
        for (walk, place) in hint.ends() {
            let walk = &self.walks[usize::from(*walk)];
            walk.ancestors(*place, &mut self.ancestors);
            sum += self.ancestors.len() as u16;
            for nested in nested_in(walk, &self.ancestors) {
                let new = |known: &u32| !nest.is_same(*known, nested);
                if self.nested_seen.iter().all(new) {
                    self.nested_seen.push(nested);
                    sum += nest.complexity(nested);
                }
            }
        }
        sum
    }
}

/// The chains inside these links, as often as they occur.
pub(crate) fn nested_in<'a>(walk: &'a Walk, places: &'a [u16]) -> impl Iterator<Item = u32> + 'a {
    places.iter().filter_map(|place| {
        let link = walk.links[usize::from(*place)];
        (link.by == super::links::BY_TECHNIQUE)
            .then(|| walk.applied[usize::from(link.parent)].nested)
            .flatten()
    })
}

/// Whether a proof of this node changes anything.
fn is_worth(board: &Board, target: usize) -> bool {
    let is_on = target % 2 == 1;
    !is_on || count(board.digits(target / 18)) > 1
}
