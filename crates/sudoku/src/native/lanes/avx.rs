//! The wide registers of x86-64: eight words (AVX2), or sixteen (AVX-512).

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

use super::{Bits, Boards, Lanes, Packed, Quads, Words};
use crate::native::isa::Isa;
use crate::native::nine::{ByDigit, Cells};

/// Eight lanes in one AVX2 register.
///
/// # Soundness
/// Every method needs AVX2. The type is private to the native engine, and
/// the engine names it only inside functions marked `target_feature(enable
/// = "avx2")`, which are called only after the processor was asked; so no
/// method runs where the instructions are missing.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(__m256i);

macro_rules! lanewise {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx2 {
            type Output = Avx2;
            #[inline(always)]
            fn $method(self, other: Avx2) -> Avx2 {
                // SAFETY: AVX2 is there (see the type); the intrinsic
                // touches registers only.
                Avx2(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

lanewise!(BitAnd, bitand, _mm256_and_si256);
lanewise!(BitOr, bitor, _mm256_or_si256);
lanewise!(BitXor, bitxor, _mm256_xor_si256);
lanewise!(Add, add, _mm256_add_epi32);
lanewise!(Sub, sub, _mm256_sub_epi32);

// SAFETY of every block below: AVX2 is there (see the type), and the
// intrinsics touch registers only, apart from the loads of `places` and
// the stores of `cells`, whose bounds stand beside them; `new` and
// `to_array` reinterpret 32 bytes as 32 bytes, every pattern of which is
// valid on both sides.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Words for Avx2 {
    #[inline(always)]
    fn splat(value: u32) -> Avx2 {
        Avx2(unsafe { _mm256_set1_epi32(value as i32) })
    }

    #[inline(always)]
    fn without(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Avx2 {
        Avx2(unsafe { _mm256_slli_epi32::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Avx2 {
        Avx2(unsafe { _mm256_srli_epi32::<N>(self.0) })
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Boards for Avx2 {
    /// Compares the 27 bytes of a band with each digit at once. The loads
    /// take 32 bytes: bytes 0..32, 27..59 and 49..81, all inside the board.
    #[inline(always)]
    fn places(cells: &Cells) -> ByDigit {
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

    /// Spreads the 27 bits of each digit over 27 bytes: each byte gets the
    /// byte of the mask that holds its bit, and keeps the bit.
    #[inline(always)]
    fn cells(places: &ByDigit) -> Cells {
        let mut cells = [0; 96];
        unsafe {
            for (band, places) in places.iter().enumerate() {
                let mut bytes = _mm256_setzero_si256();
                for (digit, places) in (1..).zip(places) {
                    let here = spread(*places);
                    let value = _mm256_set1_epi8(digit);
                    bytes = _mm256_or_si256(bytes, _mm256_and_si256(here, value));
                }
                // 32 bytes from 27 * band, at most 54 + 32 = 86 of 96; the
                // next band overwrites what this one wrote too much.
                _mm256_storeu_si256(cells.as_mut_ptr().add(27 * band).cast(), bytes);
            }
        }
        let mut board = [0; 81];
        board.copy_from_slice(&cells[..81]);
        board
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Bits for Avx2 {
    const WORDS: usize = 8;
    const ISA: Isa = Isa::Avx2;

    #[inline(always)]
    fn load(words: &[u32]) -> Avx2 {
        let words: &[u32; 8] = words[..8].try_into().expect("eight words");
        Avx2(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 8] = (&mut words[..8]).try_into().expect("eight words");
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn word(&self, nth: usize) -> u32 {
        // A register that lies in memory is eight words there.
        let words: &[u32; 8] = unsafe { &*(&raw const self.0).cast() };
        words[nth]
    }

    /// Pairs of bytes become bytes. The loads take bytes 0..32, 32..64 and
    /// 49..81, all inside the board.
    #[inline(always)]
    fn pack(cells: &Cells) -> Packed {
        let mut packed = [0; 16];
        unsafe {
            let (most, pair) = (_mm256_set1_epi8(10), _mm256_set1_epi16(0x1001));
            let first = _mm256_loadu_si256(cells.as_ptr().cast());
            let second = _mm256_loadu_si256(cells.as_ptr().add(32).cast());
            let third = _mm256_loadu_si256(cells.as_ptr().add(49).cast());
            let first = _mm256_maddubs_epi16(_mm256_min_epu8(first, most), pair);
            let second = _mm256_maddubs_epi16(_mm256_min_epu8(second, most), pair);
            let third = _mm256_maddubs_epi16(_mm256_min_epu8(third, most), pair);
            let front = _mm256_permute4x64_epi64::<0xd8>(_mm256_packus_epi16(first, second));
            let back = _mm256_permute4x64_epi64::<0xd8>(_mm256_packus_epi16(third, third));
            Avx2(front).store(&mut packed[..8]);
            Avx2(back).store(&mut packed[8..]);
        }
        packed
    }

    /// The loads take words 0..4, 4..8 and 8..12; the stores are the loads
    /// of `pack`.
    #[inline(always)]
    fn unpack(packed: &Packed, cells: &mut Cells) {
        unsafe {
            let low = _mm256_set1_epi16(0x0f0f);
            for (word, first) in [(8, 49), (0, 0), (4, 32)] {
                let bytes = _mm_loadu_si128(packed.as_ptr().add(word).cast());
                let wide = _mm256_cvtepu8_epi16(bytes);
                let both = _mm256_or_si256(wide, _mm256_slli_epi16::<4>(wide));
                let digits = _mm256_and_si256(both, low);
                _mm256_storeu_si256(cells.as_mut_ptr().add(first).cast(), digits);
            }
        }
    }

    #[inline(always)]
    fn columns(rows: &[Packed]) -> [Avx2; 16] {
        let mut columns = [Avx2::splat(0); 16];
        for half in 0..2 {
            let mut square = [Avx2::splat(0); 8];
            for (vector, row) in square.iter_mut().zip(&rows[..8]) {
                *vector = Avx2::load(&row[8 * half..]);
            }
            columns[8 * half..8 * half + 8].copy_from_slice(&transposed(square));
        }
        columns
    }

    #[inline(always)]
    fn to_rows(columns: &[Avx2; 16], rows: &mut [Packed]) {
        for half in 0..2 {
            let mut square = [Avx2::splat(0); 8];
            square.copy_from_slice(&columns[8 * half..8 * half + 8]);
            for (vector, row) in transposed(square).into_iter().zip(&mut rows[..8]) {
                vector.store(&mut row[8 * half..]);
            }
        }
    }
}

/// Eight vectors of eight words with rows and columns exchanged: first
/// words, then pairs, then halves.
#[inline(always)]
fn transposed(rows: [Avx2; 8]) -> [Avx2; 8] {
    let mut out = rows;
    // SAFETY: AVX2 is there (see the type); registers only.
    unsafe {
        let mut pairs = [rows[0].0; 8];
        for i in 0..4 {
            let (upper, lower) = (rows[2 * i].0, rows[2 * i + 1].0);
            pairs[2 * i] = _mm256_unpacklo_epi32(upper, lower);
            pairs[2 * i + 1] = _mm256_unpackhi_epi32(upper, lower);
        }
        let mut fours = pairs;
        for i in 0..2 {
            for j in 0..2 {
                let (upper, lower) = (pairs[4 * i + j], pairs[4 * i + 2 + j]);
                fours[4 * i + 2 * j] = _mm256_unpacklo_epi64(upper, lower);
                fours[4 * i + 2 * j + 1] = _mm256_unpackhi_epi64(upper, lower);
            }
        }
        for i in 0..4 {
            let (upper, lower) = (fours[i], fours[4 + i]);
            out[i] = Avx2(_mm256_permute2x128_si256::<0x20>(upper, lower));
            out[4 + i] = Avx2(_mm256_permute2x128_si256::<0x31>(upper, lower));
        }
    }
    out
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
    fn four(lanes: &[u32; 4]) -> Avx2 {
        Avx2(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(lanes.as_ptr().cast())) })
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
    fn turned(self) -> Avx2 {
        Avx2(unsafe { _mm256_shuffle_epi32::<0b00_00_10_01>(self.0) })
    }

    #[inline(always)]
    fn or_where(self, chosen: Avx2, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_blendv_epi8(self.0, other.0, chosen.0) })
    }

    #[inline(always)]
    fn all_zero(self) -> bool {
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Avx2 {
    type Half = Avx2;

    #[inline(always)]
    fn eight(lanes: &[u32; 8]) -> Avx2 {
        Avx2::load(lanes)
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 8] {
        unsafe { std::mem::transmute::<__m256i, [u32; 8]>(self.0) }
    }

    #[inline(always)]
    fn low_pairs(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_unpacklo_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn high_pairs(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_unpackhi_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn evens(self, other: Avx2) -> Avx2 {
        Avx2(unsafe {
            let (a, b) = (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
            _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b))
        })
    }

    #[inline(always)]
    fn odds(self, other: Avx2) -> Avx2 {
        Avx2(unsafe {
            let (a, b) = (_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0));
            _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))
        })
    }

    #[inline(always)]
    fn pairs_swapped(self) -> Avx2 {
        Avx2(unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(self.0) })
    }

    /// The first half is the whole, the second the whole with halves exchanged:
    /// what both hold is joined in both.
    #[inline(always)]
    fn halves(self) -> (Avx2, Avx2) {
        (self, Avx2(unsafe { swapped(self.0) }))
    }

    #[inline(always)]
    fn all<const N: usize>(half: Avx2) -> Avx2 {
        Avx2(unsafe {
            match N {
                0 => _mm256_shuffle_epi32::<0b00_00_00_00>(half.0),
                1 => _mm256_shuffle_epi32::<0b01_01_01_01>(half.0),
                2 => _mm256_shuffle_epi32::<0b10_10_10_10>(half.0),
                _ => _mm256_shuffle_epi32::<0b11_11_11_11>(half.0),
            }
        })
    }

    #[inline(always)]
    fn used(self) -> u32 {
        unsafe {
            let none = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(none)) as u32 & 0xff
        }
    }

    #[inline(always)]
    fn any_zero([a, b, c]: [Avx2; 3], ninth: Avx2) -> bool {
        unsafe {
            let (least, other) = (_mm256_min_epu32(a.0, b.0), _mm256_min_epu32(c.0, ninth.0));
            let least = _mm256_min_epu32(least, other);
            let zero = _mm256_cmpeq_epi32(least, _mm256_setzero_si256());
            _mm256_testz_si256(zero, zero) == 0
        }
    }
}

/// Sixteen words in one AVX-512 register.
///
/// # Soundness
/// As for [`Avx2`], with AVX-512F, BW and VL beside it.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512(__m512i);

macro_rules! bitwise {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for Avx512 {
            type Output = Avx512;
            #[inline(always)]
            fn $method(self, other: Avx512) -> Avx512 {
                // SAFETY: AVX-512 is there (see the type); registers only.
                Avx512(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

bitwise!(BitAnd, bitand, _mm512_and_si512);
bitwise!(BitOr, bitor, _mm512_or_si512);
bitwise!(BitXor, bitxor, _mm512_xor_si512);

// SAFETY of every block below: AVX-512 is there (see the type); the load
// and the store touch an array of sixteen words, all else registers.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Words for Avx512 {
    #[inline(always)]
    fn splat(value: u32) -> Avx512 {
        Avx512(unsafe { _mm512_set1_epi32(value as i32) })
    }

    #[inline(always)]
    fn without(self, other: Avx512) -> Avx512 {
        Avx512(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn shl<const N: i32>(self) -> Avx512 {
        Avx512(unsafe { _mm512_sll_epi32(self.0, _mm_cvtsi32_si128(N)) })
    }

    #[inline(always)]
    fn shr<const N: i32>(self) -> Avx512 {
        Avx512(unsafe { _mm512_srl_epi32(self.0, _mm_cvtsi32_si128(N)) })
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Boards for Avx512 {
    #[inline(always)]
    fn places(cells: &Cells) -> ByDigit {
        Avx2::places(cells)
    }

    #[inline(always)]
    fn cells(places: &ByDigit) -> Cells {
        Avx2::cells(places)
    }
}

#[allow(clippy::undocumented_unsafe_blocks)]
impl Bits for Avx512 {
    const WORDS: usize = 16;
    const ISA: Isa = Isa::Avx512;

    #[inline(always)]
    fn load(words: &[u32]) -> Avx512 {
        let words: &[u32; 16] = words[..16].try_into().expect("sixteen words");
        Avx512(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u32]) {
        let words: &mut [u32; 16] = (&mut words[..16]).try_into().expect("sixteen words");
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn word(&self, nth: usize) -> u32 {
        // A register that lies in memory is sixteen words there.
        let words: &[u32; 16] = unsafe { &*(&raw const self.0).cast() };
        words[nth]
    }

    #[inline(always)]
    fn pack(cells: &Cells) -> Packed {
        Avx2::pack(cells)
    }

    #[inline(always)]
    fn unpack(packed: &Packed, cells: &mut Cells) {
        Avx2::unpack(packed, cells);
    }

    #[inline(always)]
    fn columns(rows: &[Packed]) -> [Avx512; 16] {
        let (front, back) = (Avx2::columns(&rows[..8]), Avx2::columns(&rows[8..]));
        let mut columns = [Avx512::splat(0); 16];
        for (nth, column) in columns.iter_mut().enumerate() {
            let half = unsafe { _mm512_castsi256_si512(front[nth].0) };
            *column = Avx512(unsafe { _mm512_inserti64x4::<1>(half, back[nth].0) });
        }
        columns
    }

    #[inline(always)]
    fn to_rows(columns: &[Avx512; 16], rows: &mut [Packed]) {
        let (mut front, mut back) = ([Avx2::splat(0); 16], [Avx2::splat(0); 16]);
        for (nth, column) in columns.iter().enumerate() {
            front[nth] = Avx2(unsafe { _mm512_castsi512_si256(column.0) });
            back[nth] = Avx2(unsafe { _mm512_extracti64x4_epi64::<1>(column.0) });
        }
        Avx2::to_rows(&front, &mut rows[..8]);
        Avx2::to_rows(&back, &mut rows[8..]);
    }
}
