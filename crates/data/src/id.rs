//! Canonical ids: one name for all boards that are the same in other clothes.
//!
//! The id of a board is the first half of the SHA-256 of its canonical (minlex)
//! form, written as 81 characters with `.` for a blank: 32 hexadecimal digits.
//! Who has the form can check the id with any library.

use std::fmt;

use planoku_sudoku::Grid;
use planoku_sudoku::canon::Canonizer;

use crate::sha256::{hex, sha256};

/// The name of a board and all its disguises.
///
/// ```
/// use planoku_data::Id;
/// use planoku_sudoku::Grid;
///
/// let board: Grid = "1234............".parse().unwrap();
/// let other: Grid = "...1...2...3...4".parse().unwrap();
/// assert_eq!(Id::of(&board), Id::of(&other));
/// assert_eq!(Id::of(&board).unwrap().to_string().len(), 32);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub [u8; 16]);

impl Id {
    /// The id of a board that has a canonical form.
    pub fn of(board: &Grid) -> Option<Id> {
        let canonical = Canonizer::new().canonical(board)?;
        Some(Id::of_form(&canonical.form))
    }

    /// The id of a board that is a canonical form.
    pub fn of_form(form: &Grid) -> Id {
        Id::of_text(form.to_string().as_bytes())
    }

    /// The id that belongs to the text of a canonical form.
    pub fn of_text(form: &[u8]) -> Id {
        let hash = sha256(form);
        Id(*hash.first_chunk().expect("32 bytes"))
    }

    /// Where the id stands between 0 and 1.
    pub fn fraction(&self) -> f64 {
        let [first, ..] = self.0.as_chunks::<8>().0 else {
            return 0.0;
        };
        u64::from_be_bytes(*first) as f64 / 2f64.powi(64)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}
