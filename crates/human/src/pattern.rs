//! What the techniques find: small plain records that say everything about a
//! step except the words.
//!
//! Rating a puzzle needs only rating and effect, so nothing is allocated until
//! somebody asks for the [`Step`].

use planoku_sudoku::House;

use crate::board::Board;
use crate::candidate::{Candidate, CandidateSet};
use crate::chains::ChainFind;
use crate::step::{Cause, Role};
use crate::tables::{HOUSE_CELLS, house, members};
use crate::techniques::{
    aligned::Aligned, bug::Bug, fish::Fish, hidden_set::HiddenSet, locked::Locked,
    naked_set::NakedSet, single::Single, unique_loop::UniqueLoop, wing::Wing,
};
use crate::{Rating, Step, Technique};

/// A pattern on the board that allows a conclusion.
pub(crate) trait Pattern {
    fn technique(&self) -> Technique;

    fn rating(&self) -> Rating {
        self.technique().base()
    }

    /// The candidate that must be true, as cell and digit.
    fn placement(&self) -> Option<(usize, usize)> {
        None
    }

    /// The candidates that must be false.
    fn strikes(&self, _board: &Board) -> CandidateSet {
        CandidateSet::NONE
    }

    /// Adds to the step what the pattern consists of.
    fn explain(&self, board: &Board, step: &mut Step);
}

/// Any of them.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Single(Single),
    Locked(Locked),
    HiddenSet(HiddenSet),
    NakedSet(NakedSet),
    Fish(Fish),
    Wing(Wing),
    UniqueLoop(UniqueLoop),
    Bug(Bug),
    Aligned(Aligned),
    Chain(ChainFind),
}

impl Found {
    fn pattern(&self) -> &dyn Pattern {
        match self {
            Found::Single(pattern) => pattern,
            Found::Locked(pattern) => pattern,
            Found::HiddenSet(pattern) => pattern,
            Found::NakedSet(pattern) => pattern,
            Found::Fish(pattern) => pattern,
            Found::Wing(pattern) => pattern,
            Found::UniqueLoop(pattern) => pattern,
            Found::Bug(pattern) => pattern,
            Found::Aligned(pattern) => pattern,
            Found::Chain(pattern) => pattern,
        }
    }

    pub(crate) fn technique(&self) -> Technique {
        self.pattern().technique()
    }

    pub(crate) fn rating(&self) -> Rating {
        self.pattern().rating()
    }

    /// Whether the step puts a digit on the board.
    pub(crate) fn places(&self) -> bool {
        self.pattern().placement().is_some()
    }

    /// Does what the step says.
    pub(crate) fn apply(&self, board: &mut Board) {
        let pattern = self.pattern();
        match pattern.placement() {
            Some((cell, digit)) => board.place(cell, digit),
            None => board.strike_all(&pattern.strikes(board)),
        }
    }

    /// The step in full.
    pub(crate) fn step(&self, board: &Board) -> Step {
        let pattern = self.pattern();
        let placement = pattern.placement();
        let mut step = Step {
            technique: pattern.technique(),
            rating: pattern.rating(),
            placement: placement.map(|(cell, digit)| Candidate::at(cell, digit)),
            eliminations: match placement {
                Some(_) => Vec::new(),
                None => pattern.strikes(board).to_vec(),
            },
            causes: Vec::new(),
            houses: Vec::new(),
            variant: None,
            chains: Vec::new(),
        };
        pattern.explain(board, &mut step);
        step
    }
}

impl Step {
    /// Adds the candidates of a cell that are among `digits`.
    pub(crate) fn add_cell(&mut self, board: &Board, role: Role, cell: usize, digits: u16) {
        self.causes
            .extend(members(digits & board.digits(cell)).map(|digit| Cause {
                role,
                candidate: Candidate::at(cell, digit),
            }));
    }

    /// Adds the places of a digit in a house.
    pub(crate) fn add_places(&mut self, board: &Board, role: Role, house: usize, digit: usize) {
        for place in members(board.places(house, digit)) {
            let cell = HOUSE_CELLS[house][place].into();
            self.add_cell(board, role, cell, 1 << digit);
        }
    }

    pub(crate) fn add_house(&mut self, number: usize) {
        let house: House = house(number);
        if !self.houses.contains(&house) {
            self.houses.push(house);
        }
    }
}

/// Receives patterns as they are found; `true` says that it has enough.
pub(crate) trait Sink {
    fn take(&mut self, found: Found) -> bool;
}

/// Keeps the first.
#[derive(Default)]
pub(crate) struct First(pub(crate) Option<Found>);

impl Sink for First {
    fn take(&mut self, found: Found) -> bool {
        self.0 = Some(found);
        true
    }
}

/// Keeps all.
impl Sink for Vec<Found> {
    fn take(&mut self, found: Found) -> bool {
        self.push(found);
        false
    }
}
