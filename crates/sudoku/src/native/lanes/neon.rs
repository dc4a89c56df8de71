//! Four words in a register of 128 bits, which every 64-bit ARM has.
//!
//! NEON belongs to the architecture, so nothing here has to ask for it. What it
//! lacks is a way to gather one bit of every byte; [`bytes_to_bits`] adds powers
//! of two across the register instead.

use std::arch::aarch64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::pair::HalfLanes;
use super::{Bits, Boards, Bytes, Fours, Quads, Words};
use crate::native::cells::{ByDigit, Cells};

/// Four lanes in one NEON register.
#[derive(Clone, Copy)]
pub(in super::super) struct Neon(uint32x4_t);

/// Instructions of NEON.
macro_rules! neon {
    ($instructions:expr) => {
        // SAFETY: NEON is always there, and the intrinsics touch registers only,
        // apart from those whose bounds stand beside them.
        unsafe { $instructions }
    };
}

macro_rules! operators {
    ($($trait:ident $method:ident $intrinsic:ident),+) => {$(
        impl $trait for Neon {
            type Output = Neon;
            #[inline(always)]
            fn $method(self, other: Neon) -> Neon {
                Neon(neon!($intrinsic(self.0, other.0)))
            }
        }
    )+};
}

operators!(
    BitAnd bitand vandq_u32,
    BitOr bitor vorrq_u32,
    BitXor bitxor veorq_u32,
    Add add vaddq_u32,
    Sub sub vsubq_u32
);

impl Neon {
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        neon!(vreinterpretq_u8_u32(self.0))
    }

    #[inline(always)]
    fn from_bytes(bytes: uint8x16_t) -> Neon {
        Neon(neon!(vreinterpretq_u32_u8(bytes)))
    }

    #[inline(always)]
    fn pairs(self) -> uint64x2_t {
        neon!(vreinterpretq_u64_u32(self.0))
    }

    #[inline(always)]
    fn from_pairs(pairs: uint64x2_t) -> Neon {
        Neon(neon!(vreinterpretq_u32_u64(pairs)))
    }
}

impl Words for Neon {
    type Token = ();

    #[inline(always)]
    fn token(self) {}

    #[inline(always)]
    fn filled(_: (), value: u32) -> Neon {
        Neon(neon!(vdupq_n_u32(value)))
    }

    #[inline(always)]
    fn without(self, other: Neon) -> Neon {
        Neon(neon!(vbicq_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Neon {
        Neon(neon!(vshlq_n_u32::<N>(self.0)))
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Neon {
        Neon(neon!(vshrq_n_u32::<N>(self.0)))
    }

    /// The second bit where the first two differ decides nothing: then the
    /// third does. One selection, once the difference is known.
    #[inline(always)]
    fn majority(self, second: Neon, third: Neon) -> Neon {
        Neon(neon!(vbslq_u32((self ^ second).0, third.0, self.0)))
    }
}

impl Bytes for Neon {
    const BYTES: usize = 16;

    #[inline(always)]
    fn load(_: (), bytes: &[u8]) -> Neon {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("as many bytes");
        // SAFETY: it reads the array, wherever that lies.
        Neon::from_bytes(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("as many bytes");
        // SAFETY: it writes the array, wherever that lies.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.bytes()) }
    }

    #[inline(always)]
    fn byte(&self, nth: usize) -> u8 {
        // SAFETY: a register that lies in memory is sixteen bytes there.
        let bytes: &[u8; 16] = unsafe { &*(&raw const self.0).cast() };
        bytes[nth]
    }

    #[inline(always)]
    fn low_bytes(self, other: Neon) -> Neon {
        Neon::from_bytes(neon!(vzip1q_u8(self.bytes(), other.bytes())))
    }

    #[inline(always)]
    fn high_bytes(self, other: Neon) -> Neon {
        Neon::from_bytes(neon!(vzip2q_u8(self.bytes(), other.bytes())))
    }

    #[inline(always)]
    fn least_bytes(self, other: Neon) -> Neon {
        Neon::from_bytes(neon!(vminq_u8(self.bytes(), other.bytes())))
    }
}

impl Quads for Neon {
    /// Lanes 1, 2, 3 and 0, then the first of them over the third.
    #[inline(always)]
    fn turned(self) -> Neon {
        Neon(neon!({
            let next = vextq_u32::<1>(self.0, self.0);
            vcopyq_laneq_u32::<2, 0>(next, self.0)
        }))
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        u32::from(neon!(vmaxvq_u32(self.0)) == 0)
    }
}

impl Fours for Neon {
    #[inline(always)]
    fn four(_: (), lanes: &[u32; 4]) -> Neon {
        // SAFETY: it reads the array, wherever that lies.
        Neon(unsafe { vld1q_u32(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        let pairs = self.pairs();
        neon!((
            vgetq_lane_u64::<0>(pairs),
            vgetq_lane_u64::<1>(pairs) as u32,
        ))
    }

    #[inline(always)]
    fn or_where(self, chosen: Neon, other: Neon) -> Neon {
        Neon(neon!(vbslq_u32(chosen.0, other.0, self.0)))
    }
}

impl HalfLanes for Neon {
    #[inline(always)]
    fn to_array(self) -> [u32; 4] {
        let mut lanes = [0; 4];
        // SAFETY: it writes the array, wherever that lies.
        unsafe { vst1q_u32(lanes.as_mut_ptr(), self.0) };
        lanes
    }

    #[inline(always)]
    fn low_pairs(self, other: Neon) -> Neon {
        Neon::from_pairs(neon!(vzip1q_u64(self.pairs(), other.pairs())))
    }

    #[inline(always)]
    fn high_pairs(self, other: Neon) -> Neon {
        Neon::from_pairs(neon!(vzip2q_u64(self.pairs(), other.pairs())))
    }

    #[inline(always)]
    fn evens(self, other: Neon) -> Neon {
        Neon(neon!(vuzp1q_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn odds(self, other: Neon) -> Neon {
        Neon(neon!(vuzp2q_u32(self.0, other.0)))
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Neon {
        Neon(neon!(vextq_u32::<2>(self.0, self.0)))
    }

    #[inline(always)]
    fn all<const N: usize>(self) -> Neon {
        Neon(neon!(match N {
            0 => vdupq_laneq_u32::<0>(self.0),
            1 => vdupq_laneq_u32::<1>(self.0),
            2 => vdupq_laneq_u32::<2>(self.0),
            _ => vdupq_laneq_u32::<3>(self.0),
        }))
    }

    #[inline(always)]
    fn zeros(self) -> Neon {
        Neon(neon!(vceqzq_u32(self.0)))
    }

    #[inline(always)]
    fn tops(self) -> u32 {
        let weights = Neon::four((), &[1, 2, 4, 8]);
        neon!(vaddvq_u32(vmulq_u32(vshrq_n_u32::<31>(self.0), weights.0)))
    }
}

/// The top bit of each byte of a mask, a bit each: every byte keeps the power
/// of two of its place in its half, and the halves are added up.
#[inline(always)]
fn bytes_to_bits(mask: uint8x16_t) -> u32 {
    const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    neon!({
        // It reads the array.
        let kept = vandq_u8(mask, vld1q_u8(WEIGHTS.as_ptr()));
        let (low, high) = (vget_low_u8(kept), vget_high_u8(kept));
        u32::from(vaddv_u8(low)) | u32::from(vaddv_u8(high)) << 8
    })
}

impl Boards for Neon {
    /// Compares 16 bytes with each digit at once. The loads of a band begin at
    /// its first cell and at its twelfth, so the last ends at 54 + 11 + 16 = 81.
    #[inline(always)]
    fn places(_: (), cells: &Cells) -> ByDigit {
        let mut places = [[0; 9]; 3];
        for (band, places) in places.iter_mut().enumerate() {
            // SAFETY: both loads lie inside the board, see above.
            let (front, back) = unsafe {
                let at = cells.as_ptr().add(27 * band);
                (vld1q_u8(at), vld1q_u8(at.add(11)))
            };
            for (digit, place) in (1..).zip(places) {
                let wanted = neon!(vdupq_n_u8(digit));
                let front = bytes_to_bits(neon!(vceqq_u8(front, wanted)));
                let back = bytes_to_bits(neon!(vceqq_u8(back, wanted)));
                *place = (front | back << 11) & 0o777_777_777;
            }
        }
        places
    }
}

impl Bits for Neon {}
