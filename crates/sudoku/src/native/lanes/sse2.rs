//! Four words in a register of 128 bits, which every x86-64 has.

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::pair::HalfLanes;
use super::x86::{operators, register};
use super::{Bits, Boards, Bytes, Fours, Quads, Words};
use crate::native::cells::{ByDigit, Cells};

register! {
    /// Four lanes in one SSE2 register.
    ///
    /// # Soundness
    /// SSE2 belongs to x86-64: there is no processor without it, so the methods
    /// may be called anywhere.
    struct Sse2(__m128i, ()) of 16 bytes;
    _mm_and_si128 _mm_or_si128 _mm_xor_si128 _mm_andnot_si128
    _mm_set1_epi32 _mm_sll_epi32 _mm_srl_epi32
    _mm_loadu_si128 _mm_storeu_si128
    _mm_unpacklo_epi8 _mm_unpackhi_epi8 _mm_min_epu8
}

operators!(Sse2: Add add _mm_add_epi32, Sub sub _mm_sub_epi32);

// SAFETY of every block below: SSE2 is always there, and the intrinsics touch
// registers only, apart from loads and stores of whole arrays and the loads of
// `places`, whose bounds stand beside them.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Quads for Sse2 {
    #[inline(always)]
    fn turned(self) -> Sse2 {
        Sse2(unsafe { _mm_shuffle_epi32::<0b00_00_10_01>(self.0) }, ())
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        unsafe {
            let zero = _mm_cmpeq_epi8(self.0, _mm_setzero_si128());
            u32::from(_mm_movemask_epi8(zero) == 0xffff)
        }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Fours for Sse2 {
    #[inline(always)]
    fn four(_: (), lanes: &[u32; 4]) -> Sse2 {
        Sse2(unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) }, ())
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        unsafe {
            let third = _mm_unpackhi_epi64(self.0, self.0);
            (
                _mm_cvtsi128_si64(self.0) as u64,
                _mm_cvtsi128_si32(third) as u32,
            )
        }
    }

    #[inline(always)]
    fn or_where(self, chosen: Sse2, other: Sse2) -> Sse2 {
        self.without(chosen) | (other & chosen)
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl HalfLanes for Sse2 {
    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        let mut lanes = [0; 4];
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }

    #[inline(always)]
    fn low_pairs(self, other: Sse2) -> Sse2 {
        Sse2(unsafe { _mm_unpacklo_epi64(self.0, other.0) }, ())
    }

    #[inline(always)]
    fn high_pairs(self, other: Sse2) -> Sse2 {
        Sse2(unsafe { _mm_unpackhi_epi64(self.0, other.0) }, ())
    }

    #[inline(always)]
    fn evens(self, other: Sse2) -> Sse2 {
        unsafe {
            let (a, b) = (_mm_castsi128_ps(self.0), _mm_castsi128_ps(other.0));
            Sse2(_mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b)), ())
        }
    }

    #[inline(always)]
    fn odds(self, other: Sse2) -> Sse2 {
        unsafe {
            let (a, b) = (_mm_castsi128_ps(self.0), _mm_castsi128_ps(other.0));
            Sse2(_mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b)), ())
        }
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Sse2 {
        Sse2(unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(self.0) }, ())
    }

    #[inline(always)]
    fn all<const N: usize>(self) -> Sse2 {
        let all = unsafe {
            match N {
                0 => _mm_shuffle_epi32::<0b00_00_00_00>(self.0),
                1 => _mm_shuffle_epi32::<0b01_01_01_01>(self.0),
                2 => _mm_shuffle_epi32::<0b10_10_10_10>(self.0),
                _ => _mm_shuffle_epi32::<0b11_11_11_11>(self.0),
            }
        };
        Sse2(all, ())
    }

    #[inline(always)]
    fn zeros(self) -> Sse2 {
        Sse2(unsafe { _mm_cmpeq_epi32(self.0, _mm_setzero_si128()) }, ())
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        unsafe { _mm_movemask_ps(_mm_castsi128_ps(self.0)) as u32 }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Boards for Sse2 {
    /// Compares 16 bytes with each digit at once. The loads of a band begin at
    /// its first cell and at its twelfth, so the last ends at 54 + 11 + 16 = 81.
    #[inline(always)]
    fn places(_: (), cells: &Cells) -> ByDigit {
        let mut places = [[0; 9]; 3];
        for (band, places) in places.iter_mut().enumerate() {
            let at = unsafe { cells.as_ptr().add(27 * band) };
            let front = unsafe { _mm_loadu_si128(at.cast()) };
            let back = unsafe { _mm_loadu_si128(at.add(11).cast()) };
            for (digit, place) in (1..).zip(places) {
                let here = unsafe {
                    let wanted = _mm_set1_epi8(digit);
                    let front = _mm_movemask_epi8(_mm_cmpeq_epi8(front, wanted)) as u32;
                    let back = _mm_movemask_epi8(_mm_cmpeq_epi8(back, wanted)) as u32;
                    front | back << 11
                };
                *place = here & 0o777_777_777;
            }
        }
        places
    }
}

impl Bits for Sse2 {}
