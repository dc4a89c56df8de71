//! Words in plain Rust, for any processor.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::{Bits, Boards, Bytes, Fours, Quads, Words};

/// Four words in an array.
#[derive(Clone, Copy)]
pub(in super::super) struct Plain([u32; 4]);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $operation:expr) => {
        impl $trait for Plain {
            type Output = Plain;
            #[inline(always)]
            fn $method(self, other: Plain) -> Plain {
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

impl Words for Plain {
    type Token = ();

    #[inline(always)]
    fn token(self) {}

    #[inline(always)]
    fn filled(_: (), value: u32) -> Plain {
        Plain([value; 4])
    }

    #[inline(always)]
    fn without(self, other: Plain) -> Plain {
        Plain(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline(always)]
    fn shl<const BY: i32>(self) -> Plain {
        Plain(self.0.map(|lane| lane << BY))
    }

    #[inline(always)]
    fn shr<const BY: i32>(self) -> Plain {
        Plain(self.0.map(|lane| lane >> BY))
    }
}

impl Boards for Plain {}

impl Plain {
    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        self.store(&mut bytes);
        bytes
    }

    /// Bytes from `first` on, of one vector and the other by turns.
    #[inline(always)]
    fn mixed(self, other: Plain, first: usize) -> Plain {
        let (one, other) = (self.bytes(), other.bytes());
        let mut mixed = [0; 16];
        for i in 0..8 {
            mixed[2 * i] = one[first + i];
            mixed[2 * i + 1] = other[first + i];
        }
        Plain::load((), &mixed)
    }
}

impl Bits for Plain {}

impl Bytes for Plain {
    const BYTES: usize = 16;

    #[inline(always)]
    fn load(_: (), bytes: &[u8]) -> Plain {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        Plain(words)
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        for (word, bytes) in self.0.iter().zip(bytes.as_chunks_mut().0) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn byte(&self, nth: usize) -> u8 {
        self.0[nth / 4].to_le_bytes()[nth % 4]
    }

    #[inline(always)]
    fn low_bytes(self, other: Plain) -> Plain {
        self.mixed(other, 0)
    }

    #[inline(always)]
    fn high_bytes(self, other: Plain) -> Plain {
        self.mixed(other, 8)
    }

    #[inline(always)]
    fn least_bytes(self, other: Plain) -> Plain {
        let mut least = self.bytes();
        for (one, other) in least.iter_mut().zip(other.bytes()) {
            *one = other.min(*one);
        }
        Plain::load((), &least)
    }
}

impl Quads for Plain {
    #[inline(always)]
    fn turned(self) -> Plain {
        Plain([self.0[1], self.0[2], self.0[0], self.0[0]])
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        u32::from(self.0 == [0; 4])
    }
}

impl Fours for Plain {
    #[inline(always)]
    fn four(_: (), lanes: &[u32; 4]) -> Plain {
        Plain(*lanes)
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        (u64::from(self.0[1]) << 32 | u64::from(self.0[0]), self.0[2])
    }

    #[inline(always)]
    fn or_where(self, chosen: Plain, other: Plain) -> Plain {
        self.without(chosen) | (other & chosen)
    }
}

impl super::pair::HalfLanes for Plain {
    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        self.0
    }

    #[inline(always)]
    fn low_pairs(self, other: Plain) -> Plain {
        Plain([self.0[0], self.0[1], other.0[0], other.0[1]])
    }

    #[inline(always)]
    fn high_pairs(self, other: Plain) -> Plain {
        Plain([self.0[2], self.0[3], other.0[2], other.0[3]])
    }

    #[inline(always)]
    fn evens(self, other: Plain) -> Plain {
        Plain([self.0[0], self.0[2], other.0[0], other.0[2]])
    }

    #[inline(always)]
    fn odds(self, other: Plain) -> Plain {
        Plain([self.0[1], self.0[3], other.0[1], other.0[3]])
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Plain {
        Plain([self.0[2], self.0[3], self.0[0], self.0[1]])
    }

    #[inline(always)]
    fn all<const N: usize>(self) -> Plain {
        Plain([self.0[N]; 4])
    }

    #[inline(always)]
    fn zeros(self) -> Plain {
        Plain(self.0.map(|lane| if lane == 0 { u32::MAX } else { 0 }))
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        (0..4).map(|i| self.0[i] >> 31 << i).sum()
    }
}
