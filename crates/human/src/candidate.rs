//! One digit in one cell, and sets of them.

use std::fmt;

use planoku_sudoku::{Cell, Digit};

/// One digit in one cell, as something that may be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate {
    /// Where.
    pub cell: Cell,
    /// What.
    pub digit: Digit,
}

impl Candidate {
    /// From `9 * cell + digit`, both counted from 0.
    pub(crate) fn from_index(index: usize) -> Candidate {
        Candidate::at(index / 9, index % 9)
    }

    /// From cell and digit, both counted from 0.
    pub(crate) fn at(cell: usize, digit: usize) -> Candidate {
        Candidate {
            cell: Cell::new(cell),
            digit: Digit::new(digit as u8 + 1).expect("nine digits"),
        }
    }
}

/// Such as `r4c7=5`.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = self.cell.index();
        write!(f, "r{}c{}={}", cell / 9 + 1, cell % 9 + 1, self.digit)
    }
}

/// A set of candidates: bit `9 * cell + digit`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CandidateSet([u64; 12]);

impl CandidateSet {
    /// The empty set.
    pub(crate) const NONE: CandidateSet = CandidateSet([0; 12]);

    #[inline]
    pub(crate) fn insert(&mut self, index: usize) {
        self.0[index >> 6] |= 1 << (index & 63);
    }

    #[inline]
    pub(crate) fn contains(&self, index: usize) -> bool {
        self.0[index >> 6] >> (index & 63) & 1 != 0
    }

    /// Adds digits of one cell.
    pub(crate) fn insert_digits(&mut self, cell: usize, digits: u16) {
        crate::tables::members(digits).for_each(|digit| self.insert(cell * 9 + digit));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; 12]
    }

    /// What both have.
    #[inline]
    pub(crate) fn and(&self, other: &CandidateSet) -> CandidateSet {
        CandidateSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The members as `9 * cell + digit`, ascending.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let next = word * 64 + rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    next
                })
            })
        })
    }

    /// The members, cell by cell.
    pub(crate) fn to_vec(self) -> Vec<Candidate> {
        self.indices().map(Candidate::from_index).collect()
    }
}

impl fmt::Debug for CandidateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(
                self.indices()
                    .map(|index| Candidate::from_index(index).to_string()),
            )
            .finish()
    }
}
