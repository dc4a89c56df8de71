//! Words in plain Rust, for any processor.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::{Bits, Boards, Packed, Quads, Words};
use crate::native::isa::Isa;

/// `N` words in an array.
#[derive(Clone, Copy)]
pub(in super::super) struct Plain<const N: usize>([u32; N]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $operation:expr) => {
        impl<const N: usize> $trait for Plain<N> {
            type Output = Plain<N>;
            #[inline(always)]
            fn $method(self, other: Plain<N>) -> Plain<N> {
                let operation: fn(u32, u32) -> u32 = $operation;
                Plain(std::array::from_fn(|i| operation(self.0[i], other.0[i])))
            }
        }
    };
}

lanewise!(BitAnd, bitand, |a, b| a & b);
lanewise!(BitOr, bitor, |a, b| a | b);
lanewise!(BitXor, bitxor, |a, b| a ^ b);
lanewise!(Add, add, |a, b| a.wrapping_add(b));
lanewise!(Sub, sub, |a, b| a.wrapping_sub(b));

impl<const N: usize> Words for Plain<N> {
    #[inline(always)]
    fn splat(value: u32) -> Plain<N> {
        Plain([value; N])
    }

    #[inline(always)]
    fn without(self, other: Plain<N>) -> Plain<N> {
        Plain(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> Plain<N> {
        Plain(self.0.map(|lane| lane << BY))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> Plain<N> {
        Plain(self.0.map(|lane| lane >> BY))
    }
}

impl<const N: usize> Boards for Plain<N> {}

impl Bits for Plain<8> {
    const WORDS: usize = 8;
    const ISA: Isa = Isa::Portable;

    #[inline(always)]
    fn load(words: &[u32]) -> Plain<8> {
        Plain(std::array::from_fn(|i| words[i]))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        words[..8].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn word(&self, nth: usize) -> u32 {
        self.0[nth]
    }

    #[inline(always)]
    fn columns(rows: &[Packed]) -> [Plain<8>; 16] {
        let mut columns = [Plain([0; 8]); 16];
        for (nth, row) in rows[..8].iter().enumerate() {
            for (column, word) in columns.iter_mut().zip(row) {
                column.0[nth] = *word;
            }
        }
        columns
    }

    #[inline(always)]
    fn to_rows(columns: &[Plain<8>; 16], rows: &mut [Packed]) {
        for (nth, row) in rows[..8].iter_mut().enumerate() {
            for (column, word) in columns.iter().zip(row) {
                *word = column.0[nth];
            }
        }
    }
}

impl Quads for Plain<4> {
    #[inline(always)]
    fn four(lanes: &[u32; 4]) -> Plain<4> {
        Plain(*lanes)
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        (u64::from(self.0[1]) << 32 | u64::from(self.0[0]), self.0[2])
    }

    #[inline(always)]
    fn turned(self) -> Plain<4> {
        Plain([self.0[1], self.0[2], self.0[0], self.0[0]])
    }

    #[inline(always)]
    fn or_where(self, chosen: Plain<4>, other: Plain<4>) -> Plain<4> {
        self.without(chosen) | (other & chosen)
    }

    #[inline(always)]
    fn all_zero(self) -> bool {
        self.0 == [0; 4]
    }
}

impl super::pair::HalfLanes for Plain<4> {
    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        self.0
    }

    #[inline(always)]
    fn low_pairs(self, other: Plain<4>) -> Plain<4> {
        Plain([self.0[0], self.0[1], other.0[0], other.0[1]])
    }

    #[inline(always)]
    fn high_pairs(self, other: Plain<4>) -> Plain<4> {
        Plain([self.0[2], self.0[3], other.0[2], other.0[3]])
    }

    #[inline(always)]
    fn evens(self, other: Plain<4>) -> Plain<4> {
        Plain([self.0[0], self.0[2], other.0[0], other.0[2]])
    }

    #[inline(always)]
    fn odds(self, other: Plain<4>) -> Plain<4> {
        Plain([self.0[1], self.0[3], other.0[1], other.0[3]])
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Plain<4> {
        Plain([self.0[2], self.0[3], self.0[0], self.0[1]])
    }

    #[inline(always)]
    fn all<const N: usize>(self) -> Plain<4> {
        Plain([self.0[N]; 4])
    }

    #[inline(always)]
    fn zeros(self) -> Plain<4> {
        Plain(self.0.map(|lane| if lane == 0 { u32::MAX } else { 0 }))
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        (0..4).map(|i| self.0[i] >> 31 << i).sum()
    }
}
