//! Vectors of 32-bit words: the only thing the 9x9 engines ask of a processor.
//!
//! [`Words`] are joined bit by bit, however many there are; [`Bytes`] are the
//! same in smaller parts. [`Bits`] are those of the batch engine, which needs
//! little more. [`Lanes`] are eight words that also count and change places, for
//! the engine that works on one puzzle; what it keeps by band are [`Quads`]. Those
//! of a board [alone](Alone) can be made of words and read; [`Twins`] are two boards
//! side by side, put together and taken apart.
//!
//! ```text
//!             Bits                     Lanes
//! portable    Four                     Pair<Four>
//! AVX2        Avx2, twice as wide      Avx2
//! AVX-512     Avx512, as wide          Avx2; Wide for twins
//! ```
//!
//! [`Four`] is what every processor of the kind has: on x86-64 and 64-bit ARM
//! the registers of 128 bits, elsewhere an array. Engines generic over all these
//! are written once, and the tests hold every implementation to the same answers.
//!
//! Wide vectors must not be made where the processor has none. So what makes one
//! out of anything but vectors takes a [token](Words::Token), and what has a vector
//! has its token.

#[cfg(target_arch = "x86_64")]
mod avx;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pair;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::cells::{ByDigit, Cells};
#[cfg(target_arch = "x86_64")]
pub(super) use avx::{Avx2, Avx512, Wide};
pub(super) use pair::Pair;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) use plain::Plain;

/// Four words, as fast as any processor of the kind has them.
#[cfg(target_arch = "x86_64")]
pub(super) type Four = sse2::Sse2;
/// Four words, as fast as any processor of the kind has them.
#[cfg(target_arch = "aarch64")]
pub(super) type Four = neon::Neon;
/// Four words, as fast as any processor of the kind has them.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) type Four = Plain;

/// A vector of 32-bit words as a set of bits.
pub(super) trait Words:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// What shows that the processor has such vectors. All constructors want
    /// it; nobody but [`Isa::known`] makes it.
    type Token: Copy;
    /// A vector is there, so its instructions are.
    fn token(self) -> Self::Token;
    /// The same value in every word.
    fn filled(token: Self::Token, value: u32) -> Self;
    /// The same value in every word of another vector.
    #[inline(always)]
    fn splat(self, value: u32) -> Self {
        Self::filled(self.token(), value)
    }
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Every word shifted up.
    fn shl<const N: i32>(self) -> Self;
    /// Every word shifted down.
    fn shr<const N: i32>(self) -> Self;
    /// Whether any function of three bits is one instruction. (The compiler
    /// finds most of them; it does not choose a formula for their sake.)
    const TERNARY: bool = false;
    /// Where at least two of three are set.
    #[inline(always)]
    fn majority(self, second: Self, third: Self) -> Self {
        (self & second) | (third & (self ^ second))
    }
}

/// The same words as bytes, `BYTES` of them.
pub(super) trait Bytes: Words {
    /// How many bytes there are, a multiple of 16.
    const BYTES: usize;
    /// The first `BYTES` bytes of a slice.
    fn load(token: Self::Token, bytes: &[u8]) -> Self;
    /// Writes the bytes to the front of a slice.
    fn store(self, bytes: &mut [u8]);
    /// One of the bytes.
    fn byte(&self, nth: usize) -> u8;
    /// In each 16 bytes: the first of one vector, the first of another, the
    /// second of the one, and so on through the low halves.
    fn low_bytes(self, other: Self) -> Self;
    /// In each 16 bytes: the high halves of both vectors in turn, as
    /// [`Bytes::low_bytes`] takes the low ones.
    fn high_bytes(self, other: Self) -> Self;
    /// The smaller of each two bytes.
    fn least_bytes(self, other: Self) -> Self;
}

/// A bit for each of many boards.
pub(super) trait Bits: Bytes + Boards {
    /// Sixteen bytes of each of `BYTES` rows, from byte `first`: vector `i` has
    /// those of rows `i`, `i + 16`, `i + 32` ... one after the other. (What
    /// stands here is for vectors of 16 bytes.)
    #[inline(always)]
    fn pieces(token: Self::Token, rows: &[impl AsRef<[u8]>], first: usize) -> [Self; 16] {
        let mut pieces = [Self::filled(token, 0); 16];
        for (vector, row) in pieces.iter_mut().zip(rows) {
            *vector = Self::load(token, piece(row, first));
        }
        pieces
    }

    /// Writes such vectors to the rows that [`Bits::pieces`] reads.
    #[inline(always)]
    fn put_pieces(pieces: [Self; 16], rows: &mut [impl AsMut<[u8]>], first: usize) {
        for (vector, row) in pieces.into_iter().zip(rows) {
            vector.store(piece_mut(row, first));
        }
    }
}

/// Sixteen bytes of a row.
#[inline(always)]
fn piece(row: &impl AsRef<[u8]>, first: usize) -> &[u8; 16] {
    row.as_ref()[first..].first_chunk().expect("sixteen bytes")
}

/// Sixteen bytes of a row, to be written.
#[inline(always)]
fn piece_mut(row: &mut impl AsMut<[u8]>, first: usize) -> &mut [u8; 16] {
    row.as_mut()[first..]
        .first_chunk_mut()
        .expect("sixteen bytes")
}

/// Four lanes of 32 bits, or the same four in both halves of eight.
pub(super) trait Quads: Words + Add<Output = Self> + Sub<Output = Self> {
    /// Lanes 1, 2, 0 and 0.
    fn turned(self) -> Self;
    /// The boards whose lanes are all zero, a bit each.
    fn empty(self) -> u32;
    /// True if all lanes of the first board are zero.
    #[inline(always)]
    fn all_zero(self) -> bool {
        self.empty() & 1 != 0
    }
}

/// Eight lanes of 32 bits for each board, in two halves.
pub(super) trait Lanes: Quads {
    /// A bit for each board: one, unless these are [`Twins`].
    const BOARDS: u32 = 1;
    /// Four lanes.
    type Half: Quads + Words<Token = Self::Token>;
    /// In each half: the low pair of one vector, then that of another.
    fn low_pairs(self, other: Self) -> Self;
    /// In each half: the high pair of one vector, then that of another.
    fn high_pairs(self, other: Self) -> Self;
    /// In each half: the even lanes of one vector, then those of another.
    fn evens(self, other: Self) -> Self;
    /// In each half: the odd lanes of one vector, then those of another.
    fn odds(self, other: Self) -> Self;
    /// In each half: the high pair, then the low pair.
    fn pairs_swapped(self) -> Self;
    /// The two halves, each on its own, in whatever order.
    fn halves(self) -> (Self::Half, Self::Half);
    /// Lane `N` of a half in all eight lanes.
    fn all<const N: usize>(half: Self::Half) -> Self;
    /// The boards with a lane that is zero, a bit each.
    fn any_zero(bands: [Self; 3], ninth: Self::Half) -> u32;
}

/// Four lanes that can be made of words, and words of them.
pub(super) trait Fours: Quads {
    /// These four lanes.
    fn four(token: Self::Token, lanes: &[u32; 4]) -> Self;
    /// Lanes 0 and 1 in a word, and lane 2.
    fn to_words(self) -> (u64, u32);
    /// `other` where `chosen` has all bits of a lane, else `self`.
    fn or_where(self, chosen: Self, other: Self) -> Self;
}

/// The lanes of one board.
pub(super) trait Alone: Lanes<Half: Fours> + Fours + Boards {
    /// These eight lanes.
    fn eight(token: Self::Token, lanes: &[u32; 8]) -> Self;
    /// The lanes back as an array.
    fn to_array(self) -> [u32; 8];
    /// The lanes that are not zero, a bit each.
    fn used(self) -> u32;
}

/// The lanes of two boards side by side.
pub(super) trait Twins: Lanes<Half = Self> {
    /// The lanes of one of them.
    type One: Alone<Half = Self::One>;
    /// These two boards.
    fn of(token: Self::Token, first: Self::One, second: Self::One) -> Self;
    /// The first board.
    fn first(self) -> Self::One;
    /// The second board.
    fn second(self) -> Self::One;
}

/// From boards to places and back.
pub(super) trait Boards: Words {
    /// Where each digit stands, by band.
    #[inline(always)]
    fn places(_: Self::Token, cells: &Cells) -> ByDigit {
        let mut places = [[0; 10]; 3];
        for (band, cells) in cells.chunks_exact(27).enumerate() {
            for (nth, &digit) in cells.iter().enumerate() {
                if digit < 10 {
                    places[band][usize::from(digit)] |= 1 << nth;
                }
            }
        }
        places.map(|band| std::array::from_fn(|digit| band[digit + 1]))
    }

    /// Writes the board on which each digit stands at these places.
    #[inline(always)]
    fn write(_: Self::Token, places: &ByDigit, cells: &mut Cells) {
        cells.fill(9);
        for (cells, places) in cells.chunks_exact_mut(27).zip(places) {
            for (digit, &places) in (1..9).zip(places) {
                let mut places = places;
                while places != 0 {
                    cells[places.trailing_zeros() as usize] = digit;
                    places &= places - 1;
                }
            }
        }
    }
}
