//! Disguised duplicates: rows of one list that are rows of another in other
//! clothes.
//!
//! Every board gets its canonical [`Id`]; equal ids are equal puzzles. Ids are
//! kept in a [`Store`], so that lists of any length can be compared in a given
//! memory.

use std::io;

use planoku_sudoku::Grid;
use planoku_sudoku::canon::Canonizer;
use planoku_sudoku::native::{self, Isa};
use rayon::prelude::*;

use crate::id::Id;
use crate::sha256::sha256;
use crate::store::{Entry, Store};

/// What makes two rows the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The puzzle.
    #[default]
    Puzzle,
    /// Its solution: other clues of the same grid count as well.
    Solution,
}

/// The ids of a list.
pub struct Ids {
    store: Store,
    by: By,
    /// Rows that have no id: no puzzles, or without exactly one solution where
    /// that is asked for.
    pub without: u64,
}

/// A row that is found in the other list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leak {
    /// The row of the second list.
    pub second: u64,
    /// A row of the first list that is the same: literally so if there is one.
    pub first: u64,
    /// Whether the boards are the same as they stand.
    pub exact: bool,
}

/// How often a list repeats itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// Rows that an earlier one repeats as it stands.
    pub exact: u64,
    /// Rows that are a disguise of an earlier one, and no exact repetition.
    pub disguised: u64,
}

impl Ids {
    /// Of a list of which nothing is known yet, in about so many bytes.
    pub fn new(by: By, memory: usize) -> Ids {
        Ids {
            store: Store::new(memory),
            by,
            without: 0,
        }
    }

    /// Takes note of some rows, on all threads of the current pool.
    pub fn add(&mut self, rows: &[(u64, Grid)]) -> io::Result<()> {
        let by = self.by;
        let entries: Vec<Option<Entry>> = rows
            .par_chunks(256)
            .flat_map_iter(|rows| {
                let mut canonizer = Canonizer::new();
                rows.iter()
                    .map(move |(row, board)| entry(&mut canonizer, by, *row, board))
            })
            .collect();
        self.without += entries.iter().filter(|entry| entry.is_none()).count() as u64;
        self.store.extend(entries.into_iter().flatten())
    }

    /// Takes note of rows whose ids are known.
    pub fn add_known(&mut self, entries: impl IntoIterator<Item = Entry>) -> io::Result<()> {
        self.store.extend(entries)
    }

    /// How many rows have an id.
    pub fn len(&self) -> u64 {
        self.store.len()
    }

    /// True if no row has one.
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// True if memory did not suffice, and files were used.
    pub fn is_spilled(&self) -> bool {
        self.store.is_spilled()
    }

    /// Every row of `other` that is here too, in no particular order.
    pub fn leaks(&self, other: &Ids, mut tell: impl FnMut(Leak)) -> io::Result<()> {
        for part in 0..=255 {
            let mine = self.store.part(part)?;
            let mut from = 0;
            for entry in other.store.part(part)? {
                from += mine[from..].partition_point(|known| known.id < entry.id);
                let same = mine[from..].iter().take_while(|known| known.id == entry.id);
                let Some(any) = same.clone().next() else {
                    continue;
                };
                let exact = same.clone().find(|known| known.exact == entry.exact);
                tell(Leak {
                    second: entry.row,
                    first: exact.unwrap_or(any).row,
                    exact: exact.is_some(),
                });
            }
        }
        Ok(())
    }

    /// How often rows repeat others of the same list; `tell` hears of each with
    /// the row it repeats.
    pub fn repeats(&self, mut tell: impl FnMut(Leak)) -> io::Result<Repeats> {
        let mut repeats = Repeats::default();
        for part in 0..=255 {
            let entries = self.store.part(part)?;
            for group in entries.chunk_by(|one, other| one.id == other.id) {
                for (nth, entry) in group.iter().enumerate().skip(1) {
                    let exact = entry.exact == group[nth - 1].exact;
                    match exact {
                        true => repeats.exact += 1,
                        false => repeats.disguised += 1,
                    }
                    let first = if exact {
                        group[nth - 1].row
                    } else {
                        group[0].row
                    };
                    tell(Leak {
                        second: entry.row,
                        first,
                        exact,
                    });
                }
            }
        }
        Ok(repeats)
    }
}

fn entry(canonizer: &mut Canonizer, by: By, row: u64, board: &Grid) -> Option<Entry> {
    let solved;
    let named = match by {
        By::Puzzle => board,
        By::Solution => {
            let answer = native::solve_cells(&native::to_cells(board)?, 2, Isa::best());
            solved = native::from_cells(&answer.first.filter(|_| answer.count == 1)?)?;
            &solved
        }
    };
    let id = Id::of_form(&canonizer.canonical(named)?.form);
    let exact = exact_hash(&named.to_string());
    Some(Entry { id, exact, row })
}

/// A hash of a board as it stands.
pub fn exact_hash(board: &str) -> u64 {
    u64::from_le_bytes(*sha256(board.as_bytes()).first_chunk().expect("32 bytes"))
}

#[cfg(test)]
mod tests {
    use planoku_engine::Run;
    use planoku_sudoku::generate::PuzzleRecipe;
    use planoku_sudoku::rng::Rng;
    use planoku_sudoku::{Shape, Symmetry};

    use super::*;

    fn puzzles(seed: u64, count: u64) -> Vec<Grid> {
        let made =
            PuzzleRecipe::minimal(Shape::Three).make_many(seed, 0..count, &mut Run::limit(1));
        made.into_iter().map(Result::unwrap).collect()
    }

    fn ids(boards: &[Grid], memory: usize) -> Ids {
        let mut ids = Ids::new(By::Puzzle, memory);
        for (start, some) in boards.chunks(50).enumerate() {
            let number = |(nth, board): (usize, &Grid)| ((50 * start + nth) as u64, board.clone());
            ids.add(&some.iter().enumerate().map(number).collect::<Vec<_>>())
                .unwrap();
        }
        ids
    }

    #[test]
    fn planted_disguises_are_found_and_no_others() {
        let first = puzzles(1, 300);
        let mut second = puzzles(2, 300);
        let rng = &mut Rng::new(3);
        let mut planted = Vec::new();
        for nth in 0..40 {
            let (from, to) = (rng.below(300), 7 * nth);
            second[to] = match nth % 4 {
                0 => first[from].clone(),
                _ => Symmetry::draw(Shape::Three, |bound| rng.below(bound)).apply(&first[from]),
            };
            planted.push((to as u64, from as u64, second[to] == first[from]));
        }
        for memory in [1 << 30, 4000] {
            let (first, second) = (ids(&first, memory), ids(&second, memory));
            assert_eq!(first.is_spilled(), memory < 5000);
            let mut found = Vec::new();
            first
                .leaks(&second, |leak| {
                    found.push((leak.second, leak.first, leak.exact))
                })
                .unwrap();
            found.sort_unstable();
            assert_eq!(found, planted);
        }
    }

    #[test]
    fn a_list_that_repeats_itself_is_told() {
        let mut list = puzzles(4, 100);
        list.push(list[5].clone());
        let turned = Symmetry::transposition(Shape::Three).unwrap();
        list.push(turned.apply(&list[6]));
        let repeats = ids(&list, 1 << 30).repeats(|_| ()).unwrap();
        let expected = Repeats {
            exact: 1,
            disguised: 1,
        };
        assert_eq!(repeats, expected);
    }
}
