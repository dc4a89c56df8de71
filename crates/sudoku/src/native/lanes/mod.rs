//! Vectors of 32-bit words: the only thing the 9x9 engines ask of a processor.
//!
//! [`Words`] are joined bit by bit, however many there are. [`Bits`] are those
//! of the batch engine, which needs little more. [`Lanes`] are eight words that
//! also count and change places, for the engine that works on one puzzle; what
//! it keeps by band are [`Quads`].
//!
//! ```text
//!             Bits                     Lanes
//! portable    Plain<8>                 Pair<Four>, of four words each
//! AVX2        Avx2                     Avx2
//! AVX-512     Avx512, twice as wide    Avx2
//! ```
//!
//! [`Four`] is what every processor of the kind has: on x86-64 the registers of
//! 128 bits, elsewhere an array. Engines generic over all these are written
//! once, and the tests hold every implementation to the same answers.

#[cfg(target_arch = "x86_64")]
mod avx;
mod pair;
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::isa::Isa;
use super::nine::{ByDigit, Cells};
#[cfg(target_arch = "x86_64")]
pub(super) use avx::{Avx2, Avx512};
pub(super) use pair::Pair;
pub(super) use plain::Plain;

/// Four words, as fast as any processor of the kind has them.
#[cfg(target_arch = "x86_64")]
pub(super) type Four = sse2::Sse2;
/// Four words, as fast as any processor of the kind has them.
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Four = Plain<4>;

/// A vector of 32-bit words as a set of bits.
pub(super) trait Words:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The same value in every word.
    fn splat(value: u32) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Every word shifted up.
    fn shl<const N: i32>(self) -> Self;
    /// Every word shifted down.
    fn shr<const N: i32>(self) -> Self;
}

/// Words of many boards, `WORDS` of them.
pub(super) trait Bits: Words + Boards {
    /// How many words there are.
    const WORDS: usize;
    /// The instructions it takes.
    const ISA: Isa;
    /// The first `WORDS` words of a slice.
    fn load(words: &[u32]) -> Self;
    /// Writes the words to the front of a slice.
    fn store(self, words: &mut [u32]);
    /// One of the words.
    fn word(&self, nth: usize) -> u32;

    /// The digits of a board, four bits each, in order: cells 0 to 63 in words
    /// 0 to 7, cells 49 to 80 in words 8 to 11. What is no digit is 0 or more
    /// than 9.
    #[inline(always)]
    fn pack(cells: &Cells) -> Packed {
        let mut packed = [0; 16];
        for (word, first) in packed.iter_mut().zip(PACKED_FROM) {
            for (nth, digit) in cells[first..first + 8].iter().enumerate() {
                *word |= u32::from(*digit.min(&10)) << (4 * nth);
            }
        }
        packed
    }

    /// The way back; of the cells that are packed twice, the first counts.
    #[inline(always)]
    fn unpack(packed: &Packed, cells: &mut Cells) {
        for (word, first) in packed.iter().zip(PACKED_FROM).rev() {
            for (nth, digit) in cells[first..first + 8].iter_mut().enumerate() {
                *digit = (word >> (4 * nth) & 15) as u8;
            }
        }
    }

    /// Vector `w` has word `w` of each of the `WORDS` rows.
    fn columns(rows: &[Packed]) -> [Self; 16];
    /// The way back.
    fn to_rows(columns: &[Self; 16], rows: &mut [Packed]);
}

/// A board of packed digits, with four words to spare; see [`Bits::pack`].
pub(super) type Packed = [u32; 16];

/// The first cell of each packed word.
pub(super) const PACKED_FROM: [usize; 12] = [0, 8, 16, 24, 32, 40, 48, 56, 49, 57, 65, 73];

/// Four lanes of 32 bits, or the same four in both halves of eight.
pub(super) trait Quads: Words + Add<Output = Self> + Sub<Output = Self> {
    /// These four lanes.
    fn four(lanes: &[u32; 4]) -> Self;
    /// Lanes 0 and 1 in a word, and lane 2.
    fn to_words(self) -> (u64, u32);
    /// Lanes 1, 2, 0 and 0.
    fn turned(self) -> Self;
    /// `other` where `chosen` has all bits of a lane, else `self`.
    fn or_where(self, chosen: Self, other: Self) -> Self;
    /// True if all lanes are zero.
    fn all_zero(self) -> bool;
}

/// Eight lanes of 32 bits, in two halves.
pub(super) trait Lanes: Quads + Boards {
    /// Four lanes.
    type Half: Quads;
    /// These eight lanes.
    fn eight(lanes: &[u32; 8]) -> Self;
    /// The lanes back as an array.
    fn to_array(self) -> [u32; 8];
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
    /// The lanes that are not zero, a bit each.
    fn used(self) -> u32;
    /// True if any lane of these is zero.
    fn any_zero(bands: [Self; 3], ninth: Self::Half) -> bool;
}

/// From boards to places and back.
pub(super) trait Boards {
    /// Where each digit stands, by band.
    #[inline(always)]
    fn places(cells: &Cells) -> ByDigit {
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

    /// The board on which each digit stands at these places.
    #[inline(always)]
    fn cells(places: &ByDigit) -> Cells {
        let mut cells = [9; 81];
        for (cells, places) in cells.chunks_exact_mut(27).zip(places) {
            for (digit, &places) in (1..9).zip(places) {
                let mut places = places;
                while places != 0 {
                    cells[places.trailing_zeros() as usize] = digit;
                    places &= places - 1;
                }
            }
        }
        cells
    }
}
