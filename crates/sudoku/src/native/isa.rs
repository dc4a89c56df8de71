//! The instructions of the processor at hand, and what shows that it has them.
//!
//! [`Isa`] is a wish; anybody may name one. [`Known`] is what the processor
//! said: it carries a token that nothing else makes, and the vectors of `lanes`
//! are made of tokens or of other vectors only. So no safe code can hold a
//! vector that the processor cannot.
//!
//! Which of the instructions that a processor has are its best is a matter of
//! measurement, not of age (`bench/results` has the evidence). Vectors of 512
//! bits pay where a processor joins as many of them in a cycle as of 256 bits;
//! others join three of the small or two of the large. So that is measured, the
//! first time somebody asks. (A virtual machine need not say how wide the
//! processor under it works.)

/// The instructions a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// What every processor of the kind has: vectors of 128 bits on x86-64 and
    /// 64-bit ARM, plain Rust elsewhere.
    Portable,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// The same vectors with AVX-512VL: operations of three inputs, and twice
    /// the registers.
    Avx512,
    /// As [`Isa::Avx512`], and both halves of a split in one 512-bit vector where
    /// a puzzle is searched alone. (Batches of 512 boards were slower on every
    /// processor: their slices do not fit the first cache.)
    Avx512Wide,
}

impl Isa {
    /// Those this processor knows, the best last.
    pub fn available() -> Vec<Isa> {
        let best = Isa::best();
        let all = [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Avx512Wide];
        let lesser = all.into_iter().filter(|isa| *isa != best && isa.is_there());
        lesser.chain([best]).collect()
    }

    /// The best there is on this processor.
    #[inline]
    pub fn best() -> Isa {
        if Isa::Avx512.is_there() {
            return match works_on_512_bits() {
                true => Isa::Avx512Wide,
                false => Isa::Avx512,
            };
        }
        match Isa::Avx2.is_there() {
            true => Isa::Avx2,
            false => Isa::Portable,
        }
    }

    /// Whether the processor has these instructions.
    #[inline]
    fn is_there(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as detected;
            // The small instructions have come with AVX2 on every processor.
            let avx2 =
                detected!("avx2") && detected!("bmi1") && detected!("bmi2") && detected!("popcnt");
            let avx512 = detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl");
            match self {
                Isa::Portable => true,
                Isa::Avx2 => avx2,
                Isa::Avx512 | Isa::Avx512Wide => avx2 && avx512,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Isa::Portable
        }
    }

    /// These instructions, or the best the processor knows if it does not know
    /// them.
    #[inline]
    pub(super) fn known(self) -> Known {
        let isa = if self.is_there() { self } else { Isa::best() };
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Wide => Known::Avx512Wide(Avx512Token(Avx2Token(()))),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Known::Avx512(Avx512Token(Avx2Token(()))),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Known::Avx2(Avx2Token(())),
            _ => Known::Portable,
        }
    }

    /// The word used in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Portable => "portable",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
            Isa::Avx512Wide => "avx512-wide",
        }
    }
}

/// Whether the processor has AVX-512 and joins vectors of 512 bits about as fast
/// as those of 256. Asked once; it takes some ten microseconds.
#[cfg(target_arch = "x86_64")]
#[inline]
fn works_on_512_bits() -> bool {
    use std::sync::LazyLock;
    use std::time::Duration;
    static ANSWER: LazyLock<bool> = LazyLock::new(|| {
        let (mut half, mut whole) = (Duration::MAX, Duration::MAX);
        for _ in 0..8 {
            // SAFETY: whoever asks knows that AVX-512 is there.
            unsafe {
                half = half.min(time_of_joining::<false>());
                whole = whole.min(time_of_joining::<true>());
            }
        }
        // Equal, half as long again, or twice as long.
        whole < half * 5 / 4
    });
    Isa::Avx512.is_there() && *ANSWER
}

/// The time of 8192 joins of three vectors, of 512 bits or of 256, sixteen of
/// which at a time do not wait for each other.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn time_of_joining<const WHOLE: bool>() -> std::time::Duration {
    macro_rules! join {
        ($register:literal) => {
            // SAFETY: AVX-512 is there; registers only.
            unsafe {
                std::arch::asm!(
                    "2:",
                    ".irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                    concat!("vpternlogd ", $register, ", ", $register, ", ", $register, ", 0x96"),
                    ".endr",
                    "dec {times:e}",
                    "jnz 2b",
                    times = inout(reg) 512 => _,
                    out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
                    out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
                    out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
                    out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
                    options(nomem, nostack),
                );
            }
        };
    }
    let start = std::time::Instant::now();
    match WHOLE {
        true => join!("zmm\\n"),
        false => join!("ymm\\n"),
    }
    start.elapsed()
}

#[cfg(not(target_arch = "x86_64"))]
fn works_on_512_bits() -> bool {
    false
}

/// Instructions that this processor has said it knows.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2Token),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512Token),
    #[cfg(target_arch = "x86_64")]
    Avx512Wide(Avx512Token),
}

/// There is one only where the processor knows AVX2, BMI1, BMI2 and POPCNT:
/// [`Isa::known`] alone makes it, after it has asked.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2Token(());

/// Proof that the processor has AVX-512F, BW and VL beside what [`Avx2Token`] says.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx512Token(Avx2Token);

#[cfg(target_arch = "x86_64")]
impl Avx512Token {
    /// Who knows AVX-512 knows AVX2.
    #[inline(always)]
    pub(super) fn avx2(self) -> Avx2Token {
        self.0
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Vectors were once made wherever somebody named their type.
    #[test]
    fn a_token_is_there_only_where_the_processor_has_the_instructions() {
        use std::arch::is_x86_feature_detected as detected;
        let avx512 = detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl");
        for isa in [Isa::Portable, Isa::Avx2, Isa::Avx512, Isa::Avx512Wide] {
            match isa.known() {
                Known::Portable => assert!(isa == Isa::Portable || !detected!("avx2")),
                Known::Avx2(_) => assert!(isa >= Isa::Avx2 && detected!("avx2")),
                Known::Avx512(_) => assert!(isa == Isa::Avx512 && avx512 && detected!("avx2")),
                Known::Avx512Wide(_) => {
                    assert!(isa == Isa::Avx512Wide && avx512 && detected!("avx2"));
                }
            }
        }
        // It costs nothing to keep one beside every vector.
        assert_eq!(size_of::<Avx512Token>() + size_of::<Avx2Token>(), 0);
    }
}
