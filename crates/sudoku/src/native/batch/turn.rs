//! Between boards and slices: turning matrices of bits.
//!
//! The outside knows a board by bytes, such as its 81 cells or the places of a
//! digit in a band; the slices want a vector for each bit of those bytes. The
//! way there has two steps, and both undo themselves.
//!
//! ```text
//! rows      of a board each    pieces of 16 bytes, a board's in one vector
//!    │ columns                 16x16 squares of bytes
//! planes    of a byte each     plane[k], byte b: that byte of slot BYTES * k + b
//!    │ turned                  8x8 squares of bits
//! slices    of a bit each      slice r, byte b, bit k: bit r of plane[k], byte b
//! ```
//!
//! So the slots `b`, `BYTES + b`, `2 * BYTES + b` ... share byte `b` of every
//! slice: `place` knows it too.

use super::super::cells::Cells;
use super::super::lanes::Bits;
use super::State;
use super::board::Board;
use super::place::{MOST, MOST_BYTES, Set, bytes};

/// A byte of every slot.
type Plane<B> = [B; 8];

/// A square of 16x16 bytes, in every 16 bytes of the vectors, is turned about
/// its diagonal.
///
/// The number of a vector and the number of a byte in it are eight bits.
/// Mixing the bytes of vectors `i` and `i + 8` and counting the results anew
/// moves each of these bits up by one, and the topmost to the bottom; after
/// four times the two numbers have changed places.
#[inline(always)]
fn columns<B: Bits>(mut vectors: [B; 16]) -> [B; 16] {
    for _ in 0..4 {
        let mut mixed = vectors;
        for i in 0..8 {
            let (upper, lower) = (vectors[i], vectors[i + 8]);
            mixed[2 * i] = upper.low_bytes(lower);
            mixed[2 * i + 1] = upper.high_bytes(lower);
        }
        vectors = mixed;
    }
    vectors
}

/// A square of 8x8 bits, in every byte, is turned about its diagonal: squares
/// of 4, 2 and 1 bits on the side change places across it.
#[inline(always)]
fn turned<B: Bits>(mut vectors: [B; 8]) -> [B; 8] {
    exchange::<B, 4>(&mut vectors, 0x0f0f_0f0f);
    turn_halves(&mut vectors);
    vectors
}

/// Squares of 2 bits and of 1 bit on the side change places across the
/// diagonals of the squares of 4x4 bits.
#[inline(always)]
fn turn_halves<B: Bits>(vectors: &mut [B]) {
    exchange::<B, 2>(vectors, 0x3333_3333);
    exchange::<B, 1>(vectors, 0x5555_5555);
}

#[inline(always)]
fn exchange<B: Bits, const SIDE: i32>(vectors: &mut [B], low: u32) {
    let (side, low) = (SIDE as usize, vectors[0].splat(low));
    for start in (0..vectors.len()).step_by(2 * side) {
        for k in start..start + side {
            let (upper, lower) = (vectors[k], vectors[k + side]);
            let moved = (upper.shr::<SIDE>() ^ lower) & low;
            vectors[k + side] = lower ^ moved;
            vectors[k] = upper ^ moved.shl::<SIDE>();
        }
    }
}

/// Sixteen planes: a piece of every slot.
type Piece<B> = [Plane<B>; 16];

#[inline(always)]
fn blank<B: Bits>(board: &Board<B>) -> Piece<B> {
    [[B::filled(board.token(), 0); 8]; 16]
}

/// Takes a piece out of the rows of all slots, from byte `first` of each.
#[inline(always)]
fn take<B: Bits>(piece: &mut Piece<B>, rows: &[impl AsRef<[u8]>], first: usize) {
    for (k, rows) in rows.chunks_exact(B::BYTES).enumerate() {
        let columns = columns(B::pieces(piece[0][0].token(), rows, first));
        for (plane, column) in piece.iter_mut().zip(columns) {
            plane[k] = column;
        }
    }
}

/// Puts it back.
#[inline(always)]
fn put<B: Bits>(piece: &Piece<B>, rows: &mut [impl AsMut<[u8]>], first: usize) {
    for (k, rows) in rows.chunks_exact_mut(B::BYTES).enumerate() {
        let mut vectors = [piece[0][0]; 16];
        for (vector, plane) in vectors.iter_mut().zip(piece) {
            *vector = plane[k];
        }
        B::put_pieces(columns(vectors), rows, first);
    }
}

/// From the states of all slots to slices.
#[inline(always)]
pub(super) fn load<B: Bits>(board: &mut Board<B>, slots: &[State]) {
    let mut piece = blank(board);
    for nth in 0..7 {
        take(&mut piece, slots, 16 * nth);
        for (word, planes) in (4 * nth..27).zip(piece.as_chunks::<4>().0) {
            let (slices, last) = board.band_mut(word % 9, word / 9).as_chunks_mut();
            for (plane, slices) in planes.iter().zip(slices) {
                *slices = turned(*plane);
            }
            last.copy_from_slice(&turned(planes[3])[..3]);
        }
    }
}

/// From slices to the states of all slots.
#[inline(always)]
pub(super) fn unload<B: Bits>(board: &Board<B>, slots: &mut [State]) {
    let mut piece = blank(board);
    for nth in 0..7 {
        for (word, planes) in (4 * nth..27).zip(piece.as_chunks_mut::<4>().0) {
            let (slices, last) = board.band(word % 9, word / 9).as_chunks();
            for (plane, slices) in planes.iter_mut().zip(slices) {
                *plane = turned(*slices);
            }
            let mut padded = [B::filled(board.token(), 0); 8];
            padded[..3].copy_from_slice(last);
            planes[3] = turned(padded);
        }
        put(&piece, slots, 16 * nth);
    }
}

/// Where each slot would branch; see [`Board::choose`].
pub(super) struct Choices([[u8; MOST]; 2]);

impl Choices {
    #[inline(always)]
    pub fn new<B: Bits>(board: &Board<B>) -> Choices {
        let mut choices = [[0; MOST]; 2];
        for (bytes, slices) in choices.iter_mut().zip(board.choose()) {
            for (bytes, plane) in bytes.chunks_exact_mut(B::BYTES).zip(turned(slices)) {
                plane.store(bytes);
            }
        }
        Choices(choices)
    }

    #[inline(always)]
    pub fn of(&self, slot: usize) -> u16 {
        u16::from_le_bytes([self.0[0][slot], self.0[1][slot]])
    }
}

/// The first cells of five pieces; cell 64 is in none of them.
const PIECES: [usize; 5] = [0, 16, 32, 48, 65];
const ALONE: usize = 64;

/// From puzzles, as many as there are slots, to slices.
#[inline(always)]
pub(super) fn read<B: Bits>(board: &mut Board<B>, puzzles: &[Cells]) {
    let mut piece = blank(board);
    for first in PIECES {
        take(&mut piece, puzzles, first);
        for (cell, plane) in (first..).zip(&piece) {
            read_cell(board, cell, plane);
        }
    }
    let mut plane = [B::filled(board.token(), 0); 8];
    for (vector, puzzles) in plane.iter_mut().zip(puzzles.chunks_exact(B::BYTES)) {
        let mut digits = [0; MOST_BYTES];
        for (digit, puzzle) in digits.iter_mut().zip(puzzles) {
            *digit = puzzle[ALONE];
        }
        *vector = B::load(board.token(), &digits);
    }
    read_cell(board, ALONE, &plane);
}

/// A digit is four bits: two vectors make one in which every bit counts.
#[inline(always)]
fn read_cell<B: Bits>(board: &mut Board<B>, cell: usize, plane: &Plane<B>) {
    // Whatever is no digit is at least 10, and then 10.
    let ten = B::filled(board.token(), 0x0a0a_0a0a);
    let mut digit = [B::filled(board.token(), 0); 4];
    for k in 0..4 {
        digit[k] = plane[k].least_bytes(ten) | plane[k + 4].least_bytes(ten).shl::<4>();
    }
    turn_halves(&mut digit);
    board.set_digit(cell, digit);
}

/// From slices to solutions, where there are any.
#[inline(always)]
pub(super) fn write<B: Bits>(board: &Board<B>, solutions: &mut [Cells]) {
    let mut piece = blank(board);
    for first in PIECES {
        for (cell, plane) in (first..).zip(&mut piece) {
            *plane = write_cell(board, cell);
        }
        put(&piece, solutions, first);
    }
    let plane = write_cell(board, ALONE);
    for (vector, solutions) in plane.into_iter().zip(solutions.chunks_exact_mut(B::BYTES)) {
        for (solution, digit) in solutions.iter_mut().zip(bytes(vector)) {
            solution[ALONE] = digit;
        }
    }
}

/// Undoes [`read_cell`].
#[inline(always)]
fn write_cell<B: Bits>(board: &Board<B>, cell: usize) -> Plane<B> {
    let mut digit = board.digit(cell);
    turn_halves(&mut digit);
    let low = B::filled(board.token(), 0x0f0f_0f0f);
    let mut plane = [low; 8];
    for k in 0..4 {
        plane[k] = digit[k] & low;
        plane[k + 4] = digit[k].shr::<4>() & low;
    }
    plane
}

/// How many slots are set.
#[inline(always)]
pub(super) fn count<B: Bits>(slots: B) -> u32 {
    Set::new(slots).len()
}
