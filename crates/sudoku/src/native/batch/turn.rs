//! Between boards and slices: turning matrices of bits.
//!
//! The outside knows a board by words of 32 bits, such as the places of a digit
//! in a band; the slices want a vector for each bit of those words. So a 32x32
//! matrix of bits is turned about its diagonal, for each column of words in the
//! vectors, all columns at once:
//!
//! ```text
//! before    vector k, word e, bit r      bit r of the word of slot WORDS * k + e
//! after     vector r, word e, bit k      the same bit
//! ```
//!
//! That settles where a slot is found in a slice: [`Set`] knows it too.

use super::super::Answer;
use super::super::lanes::{Bits, PACKED_FROM};
use super::super::nine::Cells;
use super::board::Board;

/// The most slots there can be: 32 for each word of the widest vector.
pub(super) const MOST: usize = 512;

/// `rows[9 * band + digit][slot]`: the places of the digit in the band. The few
/// words to spare keep the rows of one slot apart in the cache.
pub(super) type Rows = [Row; 27];
type Row = [u32; MOST + 16];

/// Turns 32 vectors: squares of 16, 8, 4, 2 and 1 bits on the side change
/// places across the diagonal.
#[inline(always)]
fn turn<B: Bits>(vectors: &mut [B; 32]) {
    exchange::<B, 16>(vectors, 0x0000_ffff);
    exchange::<B, 8>(vectors, 0x00ff_00ff);
    exchange::<B, 4>(vectors, 0x0f0f_0f0f);
    exchange::<B, 2>(vectors, 0x3333_3333);
    exchange::<B, 1>(vectors, 0x5555_5555);
}

#[inline(always)]
fn exchange<B: Bits, const SIDE: i32>(vectors: &mut [B; 32], low: u32) {
    let (side, low) = (SIDE as usize, B::splat(low));
    for start in (0..32).step_by(2 * side) {
        for k in start..start + side {
            let (upper, lower) = (vectors[k], vectors[k + side]);
            let moved = (upper.shr::<SIDE>() ^ lower) & low;
            vectors[k + side] = lower ^ moved;
            vectors[k] = upper ^ moved.shl::<SIDE>();
        }
    }
}

/// From the words of all slots to slices.
#[inline(always)]
pub(super) fn load<B: Bits>(board: &mut Board<B>, rows: &Rows) {
    for (nth, row) in rows.iter().enumerate() {
        let mut vectors = [B::splat(0); 32];
        for (k, vector) in vectors.iter_mut().enumerate() {
            *vector = B::load(&row[B::WORDS * k..]);
        }
        turn(&mut vectors);
        board
            .band_mut(nth % 9, nth / 9)
            .copy_from_slice(&vectors[..27]);
    }
}

/// From slices to the words of all slots.
#[inline(always)]
pub(super) fn unload<B: Bits>(board: &Board<B>, rows: &mut Rows) {
    for (nth, row) in rows.iter_mut().enumerate() {
        let mut vectors = [B::splat(0); 32];
        vectors[..27].copy_from_slice(board.band(nth % 9, nth / 9));
        turn(&mut vectors);
        for (k, vector) in vectors.iter().enumerate() {
            vector.store(&mut row[B::WORDS * k..]);
        }
    }
}

/// Where each slot would branch; see [`Board::choose`].
#[inline(always)]
pub(super) fn choices<B: Bits>(board: &Board<B>) -> [u32; MOST] {
    let mut vectors = board.choose();
    turn(&mut vectors);
    let mut choices = [0; MOST];
    for (k, vector) in vectors.iter().enumerate() {
        vector.store(&mut choices[B::WORDS * k..]);
    }
    choices
}

/// The digits of all slots, packed: before the turn, `digits[word][k]` has a
/// word of eight digits for each slot; after it, `digits[word][4 * nth + bit]`
/// is a bit of the digit in cell `PACKED_FROM[word] + nth`.
type Digits<B> = [[B; 32]; 12];

/// The words that suffice: the cells of word 8 stand in others too.
const NEEDED: [usize; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11];

/// From puzzles to slices.
#[inline(always)]
pub(super) fn read<B: Bits>(board: &mut Board<B>, puzzles: &[Cells]) {
    let mut digits: Digits<B> = [[B::splat(0); 32]; 12];
    let mut rows = [[0; 16]; MOST / 32];
    for (k, puzzles) in puzzles.chunks(B::WORDS).enumerate() {
        for (row, puzzle) in rows.iter_mut().zip(puzzles) {
            *row = B::pack(puzzle);
        }
        for (digits, column) in digits.iter_mut().zip(B::columns(&rows)) {
            digits[k] = column;
        }
    }
    for word in NEEDED {
        turn(&mut digits[word]);
        for (nth, bits) in digits[word].chunks_exact(4).enumerate() {
            let digit = [bits[0], bits[1], bits[2], bits[3]];
            board.set_digit(PACKED_FROM[word] + nth, digit);
        }
    }
}

/// From slices to answers: one solution where the set says so, else none.
#[inline(always)]
pub(super) fn write<B: Bits>(board: &Board<B>, solved: B, answers: &mut [Answer]) {
    let mut digits: Digits<B> = [[B::splat(0); 32]; 12];
    for word in NEEDED {
        for (nth, bits) in digits[word].chunks_exact_mut(4).enumerate() {
            bits.copy_from_slice(&board.digit(PACKED_FROM[word] + nth));
        }
        turn(&mut digits[word]);
    }
    let mut solved_words = [0; MOST / 32];
    solved.store(&mut solved_words);
    let mut columns = [B::splat(0); 16];
    let mut rows = [[0; 16]; MOST / 32];
    for (k, answers) in answers.chunks_mut(B::WORDS).enumerate() {
        for (column, digits) in columns.iter_mut().zip(&digits) {
            *column = digits[k];
        }
        B::to_rows(&columns, &mut rows);
        for ((answer, row), solved) in answers.iter_mut().zip(&rows).zip(solved_words) {
            answer.nodes = 1;
            if solved >> k & 1 != 0 {
                answer.count = 1;
                B::unpack(row, answer.first.insert([0; 81]));
            } else {
                answer.count = 0;
                answer.first = None;
            }
        }
    }
}

/// From slices to answers that are to say no more than how many.
#[inline(always)]
pub(super) fn write_counts<B: Bits>(solved: B, answers: &mut [Answer]) {
    let mut solved_words = [0; MOST / 32];
    solved.store(&mut solved_words);
    for (k, answers) in answers.chunks_mut(B::WORDS).enumerate() {
        for (answer, solved) in answers.iter_mut().zip(solved_words) {
            answer.count = u64::from(solved >> k & 1);
            answer.first = None;
            answer.nodes = 1;
        }
    }
}

/// How many slots are set.
#[inline(always)]
pub(super) fn count<B: Bits>(slots: B) -> u32 {
    let mut words = [0; MOST / 32];
    slots.store(&mut words);
    let mut count = 0;
    for word in &words[..B::WORDS] {
        count += word.count_ones();
    }
    count
}

/// The slots of a slice.
pub(super) struct Set {
    words: [u32; MOST / 32],
    len: usize,
    at: usize,
}

impl Set {
    #[inline(always)]
    pub fn new<B: Bits>(slots: B) -> Set {
        let mut words = [0; MOST / 32];
        slots.store(&mut words);
        Set {
            words,
            len: B::WORDS,
            at: 0,
        }
    }
}

impl Iterator for Set {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.at < self.len {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let k = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.len * k + self.at);
            }
            self.at += 1;
        }
        None
    }
}
