//! The wide registers of x86-64: eight words, with the instructions of AVX2 or
//! of AVX-512.

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::x86::{operators, register};
use super::{Alone, Bits, Boards, Bytes, Fours, Lanes, Quads, Twins, Words, piece, piece_mut};
use crate::native::cells::{ByDigit, Cells};
use crate::native::isa::{Avx2Token, Avx512Token};

register! {
    /// Eight lanes in one AVX2 register.
    ///
    /// # Soundness
    /// Every method needs AVX2. Every value holds a token, and whatever makes a
    /// value without another takes one; so no method runs where the instructions
    /// are missing. (That all of it is fast is another matter: the engine names
    /// the type inside functions marked `target_feature` only, apart from making
    /// room for it.)
    struct Avx2(__m256i, Avx2Token) of 32 bytes;
    _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256
    _mm256_set1_epi32 _mm256_sll_epi32 _mm256_srl_epi32
    _mm256_loadu_si256 _mm256_storeu_si256
    _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 _mm256_min_epu8
}

operators!(Avx2: Add add _mm256_add_epi32, Sub sub _mm256_sub_epi32);

// SAFETY of every block below: AVX2 is there (see the type), and the
// intrinsics touch registers only, apart from loads and stores of whole arrays
// and those of `places` and `write`, whose bounds stand beside them.
// `to_array` reinterprets 32 bytes as 32 bytes, every pattern of which is valid
// on both sides.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Boards for Avx2 {
    /// Compares the 27 bytes of a band with each digit at once. The loads
    /// take 32 bytes: bytes 0..32, 27..59 and 49..81, all inside the board.
    #[inline(always)]
    fn places(_: Avx2Token, cells: &Cells) -> ByDigit {
        let mut places = [[0; 9]; 3];
        for (band, (start, skip)) in [(0, 0), (27, 0), (49, 5)].into_iter().enumerate() {
            let bytes = unsafe { _mm256_loadu_si256(cells.as_ptr().add(start).cast()) };
            for (digit, place) in (1..).zip(&mut places[band]) {
                let here = unsafe {
                    let wanted = _mm256_set1_epi8(digit);
                    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, wanted)) as u32
                };
                *place = here >> skip & 0o777_777_777;
            }
        }
        places
    }

    /// Spreads the 32 bits of each digit over 32 bytes: each byte gets the byte
    /// of the mask that holds its bit, and keeps the bit. The stores are the
    /// loads of `places`: what one writes too much, the next one overwrites, and
    /// the last begins with five cells of the band before.
    #[inline(always)]
    fn write(_: Avx2Token, places: &ByDigit, cells: &mut Cells) {
        let mut places = *places;
        let [_, before, last] = &mut places;
        for (places, before) in last.iter_mut().zip(before) {
            *places = *places << 5 | *before >> 22;
        }
        for (places, start) in places.iter().zip([0, 27, 49]) {
            let mut bytes = unsafe { _mm256_setzero_si256() };
            for (digit, places) in (1..).zip(places) {
                unsafe {
                    let value = _mm256_set1_epi8(digit);
                    bytes = _mm256_or_si256(bytes, _mm256_and_si256(spread(*places), value));
                }
            }
            unsafe { _mm256_storeu_si256(cells.as_mut_ptr().add(start).cast(), bytes) };
        }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Bits for Avx2 {
    #[inline(always)]
    fn pieces(token: Avx2Token, rows: &[impl AsRef<[u8]>], first: usize) -> [Avx2; 16] {
        assert_eq!(rows.len(), 32);
        let mut pieces = [Avx2::filled(token, 0); 16];
        for (i, vector) in pieces.iter_mut().enumerate() {
            let (low, high) = (piece(&rows[i], first), piece(&rows[i + 16], first));
            vector.0 = unsafe {
                let low = _mm_loadu_si128(low.as_ptr().cast());
                let high = _mm_loadu_si128(high.as_ptr().cast());
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
            };
        }
        pieces
    }

    #[inline(always)]
    fn put_pieces(pieces: [Avx2; 16], rows: &mut [impl AsMut<[u8]>], first: usize) {
        assert_eq!(rows.len(), 32);
        for (i, Avx2(vector, _)) in pieces.into_iter().enumerate() {
            let low = piece_mut(&mut rows[i], first).as_mut_ptr().cast();
            unsafe { _mm_storeu_si128(low, _mm256_castsi256_si128(vector)) };
            let high = piece_mut(&mut rows[i + 16], first).as_mut_ptr().cast();
            unsafe { _mm_storeu_si128(high, _mm256_extracti128_si256::<1>(vector)) };
        }
    }
}

/// The high half, then the low half.
///
/// In assembler, since the compiler would take an instruction (`vpermq`) that
/// is twice as slow on some processors and no faster on others.
///
/// # Safety
/// AVX2 must be there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn swapped(lanes: __m256i) -> __m256i {
    let swapped;
    // SAFETY: AVX2 is there; registers only.
    unsafe {
        std::arch::asm!(
            "vperm2i128 {swapped}, {lanes}, {lanes}, 1",
            lanes = in(ymm_reg) lanes,
            swapped = lateout(ymm_reg) swapped,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    swapped
}

/// All bits of byte `i` where bit `i` is set.
///
/// # Safety
/// AVX2 must be there.
#[inline(always)]
unsafe fn spread(places: u32) -> __m256i {
    // SAFETY: by the condition above; registers only.
    unsafe {
        let byte_of = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bit_of = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let mask = _mm256_set1_epi32(places as i32);
        let spread = _mm256_and_si256(_mm256_shuffle_epi8(mask, byte_of), bit_of);
        _mm256_cmpeq_epi8(spread, bit_of)
    }
}

// SAFETY of every block below: as above.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Quads for Avx2 {
    #[inline(always)]
    fn turned(self) -> Avx2 {
        Avx2(
            unsafe { _mm256_shuffle_epi32::<0b00_00_10_01>(self.0) },
            self.1,
        )
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        unsafe { _mm256_testz_si256(self.0, self.0) as u32 }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Fours for Avx2 {
    #[inline(always)]
    fn four(token: Avx2Token, lanes: &[u32; 4]) -> Avx2 {
        let four = unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(lanes.as_ptr().cast())) };
        Avx2(four, token)
    }

    #[inline(always)]
    fn to_words(self) -> (u64, u32) {
        unsafe {
            let low = _mm256_castsi256_si128(self.0);
            (
                _mm_cvtsi128_si64(low) as u64,
                _mm_extract_epi32::<2>(low) as u32,
            )
        }
    }

    #[inline(always)]
    fn or_where(self, chosen: Avx2, other: Avx2) -> Avx2 {
        Avx2(
            unsafe { _mm256_blendv_epi8(self.0, other.0, chosen.0) },
            self.1,
        )
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Avx2 {
    type Half = Avx2;

    #[inline(always)]
    fn low_pairs(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_unpacklo_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn high_pairs(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_unpackhi_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn evens(self, other: Avx2) -> Avx2 {
        let evens = unsafe {
            let (a, b) = (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
            _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b))
        };
        Avx2(evens, self.1)
    }

    #[inline(always)]
    fn odds(self, other: Avx2) -> Avx2 {
        let odds = unsafe {
            let (a, b) = (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
            _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))
        };
        Avx2(odds, self.1)
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Avx2 {
        Avx2(
            unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(self.0) },
            self.1,
        )
    }

    /// The first half is the whole, the second the whole with halves exchanged:
    /// what both hold is joined in both.
    #[inline(always)]
    fn halves(self) -> (Avx2, Avx2) {
        (self, Avx2(unsafe { swapped(self.0) }, self.1))
    }

    #[inline(always)]
    fn all<const N: usize>(half: Avx2) -> Avx2 {
        let all = unsafe {
            match N {
                0 => _mm256_shuffle_epi32::<0b00_00_00_00>(half.0),
                1 => _mm256_shuffle_epi32::<0b01_01_01_01>(half.0),
                2 => _mm256_shuffle_epi32::<0b10_10_10_10>(half.0),
                _ => _mm256_shuffle_epi32::<0b11_11_11_11>(half.0),
            }
        };
        Avx2(all, half.1)
    }

    #[inline(always)]
    fn any_zero([a, b, c]: [Avx2; 3], ninth: Avx2) -> u32 {
        unsafe {
            let (least, other) = (_mm256_min_epu32(a.0, b.0), _mm256_min_epu32(c.0, ninth.0));
            let least = _mm256_min_epu32(least, other);
            let zero = _mm256_cmpeq_epi32(least, _mm256_setzero_si256());
            u32::from(_mm256_testz_si256(zero, zero) == 0)
        }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Alone for Avx2 {
    #[inline(always)]
    fn eight(token: Avx2Token, lanes: &[u32; 8]) -> Avx2 {
        let eight = unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) };
        Avx2(eight, token)
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        unsafe { std::mem::transmute::<__m256i, [u32; 8]>(self.0) }
    }

    #[inline(always)]
    fn used(self) -> u32 {
        unsafe {
            let none = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(none)) as u32 & 0xff
        }
    }
}

register! {
    /// The register of [`Avx2`] on a processor with AVX-512: any function of
    /// three bits is one instruction, and there are twice as many registers.
    ///
    /// Registers of 512 bits lose: their slices of all candidates do not fit the
    /// first cache, and fewer of their instructions run at once.
    ///
    /// # Soundness
    /// As for [`Avx2`], with AVX-512F, BW and VL beside it.
    struct Avx512(__m256i, Avx512Token) of 32 bytes;
    _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256
    _mm256_set1_epi32 _mm256_sll_epi32 _mm256_srl_epi32
    _mm256_loadu_si256 _mm256_storeu_si256
    _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 _mm256_min_epu8
    {
        const TERNARY: bool = true;

        #[inline(always)]
        fn majority(self, second: Avx512, third: Avx512) -> Avx512 {
            // SAFETY: as above.
            let bits = unsafe { _mm256_ternarylogic_epi32::<0xe8>(self.0, second.0, third.0) };
            Avx512(bits, self.1)
        }
    }
}

impl Boards for Avx512 {
    #[inline(always)]
    fn places(token: Avx512Token, cells: &Cells) -> ByDigit {
        Avx2::places(token.avx2(), cells)
    }

    #[inline(always)]
    fn write(token: Avx512Token, places: &ByDigit, cells: &mut Cells) {
        Avx2::write(token.avx2(), places, cells);
    }
}

impl Bits for Avx512 {
    #[inline(always)]
    fn pieces(token: Avx512Token, rows: &[impl AsRef<[u8]>], first: usize) -> [Avx512; 16] {
        let mut pieces = [Avx512::filled(token, 0); 16];
        let halves = Avx2::pieces(token.avx2(), rows, first);
        for (piece, half) in pieces.iter_mut().zip(halves) {
            piece.0 = half.0;
        }
        pieces
    }

    #[inline(always)]
    fn put_pieces(pieces: [Avx512; 16], rows: &mut [impl AsMut<[u8]>], first: usize) {
        let mut halves = [Avx2::filled(pieces[0].1.avx2(), 0); 16];
        for (half, piece) in halves.iter_mut().zip(pieces) {
            half.0 = piece.0;
        }
        Avx2::put_pieces(halves, rows, first);
    }
}

register! {
    /// A register of 512 bits: eight lanes of two boards each.
    ///
    /// # Soundness
    /// As for [`Avx512`].
    struct Wide(__m512i, Avx512Token) of 64 bytes;
    _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512 _mm512_andnot_si512
    _mm512_set1_epi32 _mm512_sll_epi32 _mm512_srl_epi32
    _mm512_loadu_si512 _mm512_storeu_si512
    _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 _mm512_min_epu8
}

operators!(Wide: Add add _mm512_add_epi32, Sub sub _mm512_sub_epi32);

/// From a bit for each lane to one for each board: where all lanes have theirs.
#[inline(always)]
fn whole_boards(lanes: __mmask16) -> u32 {
    u32::from(lanes & 0xff == 0xff) | u32::from(lanes >> 8 == 0xff) << 1
}

// SAFETY of every block below: AVX-512 is there (see the type), and the
// intrinsics touch registers only.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Quads for Wide {
    #[inline(always)]
    fn turned(self) -> Wide {
        Wide(
            unsafe { _mm512_shuffle_epi32::<0b00_00_10_01>(self.0) },
            self.1,
        )
    }

    #[inline(always)]
    fn empty(self) -> u32 {
        whole_boards(unsafe { _mm512_testn_epi32_mask(self.0, self.0) })
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Wide {
    const BOARDS: u32 = 0b11;
    type Half = Wide;

    #[inline(always)]
    fn low_pairs(self, other: Wide) -> Wide {
        Wide(unsafe { _mm512_unpacklo_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn high_pairs(self, other: Wide) -> Wide {
        Wide(unsafe { _mm512_unpackhi_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    fn evens(self, other: Wide) -> Wide {
        let evens = unsafe {
            let (a, b) = (_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0));
            _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b))
        };
        Wide(evens, self.1)
    }

    #[inline(always)]
    fn odds(self, other: Wide) -> Wide {
        let odds = unsafe {
            let (a, b) = (_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0));
            _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b))
        };
        Wide(odds, self.1)
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Wide {
        Wide(
            unsafe { _mm512_shuffle_epi32::<0b01_00_11_10>(self.0) },
            self.1,
        )
    }

    /// As for [`Avx2`], in both boards.
    #[inline(always)]
    fn halves(self) -> (Wide, Wide) {
        let swapped = unsafe { _mm512_shuffle_i64x2::<0b10_11_00_01>(self.0, self.0) };
        (self, Wide(swapped, self.1))
    }

    #[inline(always)]
    fn all<const N: usize>(half: Wide) -> Wide {
        let all = unsafe {
            match N {
                0 => _mm512_shuffle_epi32::<0b00_00_00_00>(half.0),
                1 => _mm512_shuffle_epi32::<0b01_01_01_01>(half.0),
                2 => _mm512_shuffle_epi32::<0b10_10_10_10>(half.0),
                _ => _mm512_shuffle_epi32::<0b11_11_11_11>(half.0),
            }
        };
        Wide(all, half.1)
    }

    #[inline(always)]
    fn any_zero([a, b, c]: [Wide; 3], ninth: Wide) -> u32 {
        let filled = unsafe {
            let (least, other) = (_mm512_min_epu32(a.0, b.0), _mm512_min_epu32(c.0, ninth.0));
            let least = _mm512_min_epu32(least, other);
            _mm512_test_epi32_mask(least, least)
        };
        !whole_boards(filled) & Self::BOARDS
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Twins for Wide {
    type One = Avx2;

    #[inline(always)]
    fn of(token: Avx512Token, first: Avx2, second: Avx2) -> Wide {
        let both = unsafe {
            let first = _mm512_castsi256_si512(first.0);
            _mm512_inserti64x4::<1>(first, second.0)
        };
        Wide(both, token)
    }

    #[inline(always)]
    fn first(self) -> Avx2 {
        Avx2(unsafe { _mm512_castsi512_si256(self.0) }, self.1.avx2())
    }

    #[inline(always)]
    fn second(self) -> Avx2 {
        Avx2(
            unsafe { _mm512_extracti64x4_epi64::<1>(self.0) },
            self.1.avx2(),
        )
    }
}
