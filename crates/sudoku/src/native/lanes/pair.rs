//! Eight lanes as two times four.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::{Alone, Boards, Fours, Lanes, Quads, Words};
use crate::native::cells::{ByDigit, Cells};

/// Four lanes that can be half of eight.
pub(in super::super) trait HalfLanes: Fours + Boards {
    fn to_array(self) -> [u32; 4];
    /// The low pair of one vector, then that of another.
    fn low_pairs(self, other: Self) -> Self;
    /// The high pair of one vector, then that of another.
    fn high_pairs(self, other: Self) -> Self;
    /// The even lanes of one vector, then those of another.
    fn evens(self, other: Self) -> Self;
    /// The odd lanes of one vector, then those of another.
    fn odds(self, other: Self) -> Self;
    /// The high pair, then the low pair.
    fn pairs_swapped(self) -> Self;
    /// Lane `N` in all lanes.
    fn all<const N: usize>(self) -> Self;
    /// All bits of the lanes that are zero.
    fn zeros(self) -> Self;
    /// The highest bit of each lane.
    fn tops(self) -> u32;
}

/// The low half, then the high half.
#[derive(Clone, Copy)]
pub(in super::super) struct Pair<Q>(Q, Q);

macro_rules! lanewise {
    ($trait:ident, $method:ident) => {
        impl<Q: $trait<Output = Q>> $trait for Pair<Q> {
            type Output = Pair<Q>;
            #[inline(always)]
            fn $method(self, other: Pair<Q>) -> Pair<Q> {
                Pair(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    };
}

lanewise!(BitAnd, bitand);
lanewise!(BitOr, bitor);
lanewise!(BitXor, bitxor);
lanewise!(Add, add);
lanewise!(Sub, sub);

impl<Q: Words> Words for Pair<Q> {
    type Token = Q::Token;

    #[inline(always)]
    fn token(self) -> Q::Token {
        self.0.token()
    }

    #[inline(always)]
    fn filled(token: Q::Token, value: u32) -> Pair<Q> {
        Pair(Q::filled(token, value), Q::filled(token, value))
    }

    #[inline(always)]
    fn without(self, other: Pair<Q>) -> Pair<Q> {
        Pair(self.0.without(other.0), self.1.without(other.1))
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Pair<Q> {
        Pair(self.0.shl::<N>(), self.1.shl::<N>())
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Pair<Q> {
        Pair(self.0.shr::<N>(), self.1.shr::<N>())
    }
}

impl<Q: Boards> Boards for Pair<Q> {
    #[inline(always)]
    fn places(token: Q::Token, cells: &Cells) -> ByDigit {
        Q::places(token, cells)
    }

    #[inline(always)]
    fn write(token: Q::Token, places: &ByDigit, cells: &mut Cells) {
        Q::write(token, places, cells);
    }
}

impl<Q: HalfLanes> Quads for Pair<Q> {
    #[inline(always)]
    fn turned(self) -> Pair<Q> {
        Pair(self.0.turned(), self.1.turned())
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        (self.0 | self.1).empty()
    }
}

impl<Q: HalfLanes> Fours for Pair<Q> {
    #[inline(always)]
    fn four(token: Q::Token, lanes: &[u32; 4]) -> Pair<Q> {
        Pair(Q::four(token, lanes), Q::four(token, lanes))
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        self.0.to_words()
    }

    #[inline(always)]
    fn or_where(self, chosen: Pair<Q>, other: Pair<Q>) -> Pair<Q> {
        Pair(
            self.0.or_where(chosen.0, other.0),
            self.1.or_where(chosen.1, other.1),
        )
    }
}

impl<Q: HalfLanes> Lanes for Pair<Q> {
    type Half = Q;

    #[inline(always)]
    fn low_pairs(self, other: Pair<Q>) -> Pair<Q> {
        Pair(self.0.low_pairs(other.0), self.1.low_pairs(other.1))
    }

    #[inline(always)]
    fn high_pairs(self, other: Pair<Q>) -> Pair<Q> {
        Pair(self.0.high_pairs(other.0), self.1.high_pairs(other.1))
    }

    #[inline(always)]
    fn evens(self, other: Pair<Q>) -> Pair<Q> {
        Pair(self.0.evens(other.0), self.1.evens(other.1))
    }

    #[inline(always)]
    fn odds(self, other: Pair<Q>) -> Pair<Q> {
        Pair(self.0.odds(other.0), self.1.odds(other.1))
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Pair<Q> {
        Pair(self.0.pairs_swapped(), self.1.pairs_swapped())
    }

    #[inline(always)]
    fn halves(self) -> (Q, Q) {
        (self.0, self.1)
    }

    #[inline(always)]
    fn all<const N: usize>(half: Q) -> Pair<Q> {
        Pair(half.all::<N>(), half.all::<N>())
    }

    #[inline(always)]
    fn any_zero([a, b, c]: [Pair<Q>; 3], ninth: Q) -> u32 {
        let zeros = a.0.zeros() | a.1.zeros() | b.0.zeros() | b.1.zeros();
        let zeros = zeros | c.0.zeros() | c.1.zeros() | ninth.zeros();
        u32::from(zeros.tops() != 0)
    }
}

impl<Q: HalfLanes> Alone for Pair<Q> {
    #[inline(always)]
    fn eight(token: Q::Token, [a, b, c, d, e, f, g, h]: &[u32; 8]) -> Pair<Q> {
        Pair(
            Q::four(token, &[*a, *b, *c, *d]),
            Q::four(token, &[*e, *f, *g, *h]),
        )
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        let ([a, b, c, d], [e, f, g, h]) = (self.0.to_array(), self.1.to_array());
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    fn used(self) -> u32 {
        !(self.0.zeros().tops() | self.1.zeros().tops() << 4) & 0xff
    }
}
