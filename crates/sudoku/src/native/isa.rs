//! The instructions of the processor at hand, and what shows that it has them.
//!
//! [`Isa`] is a wish; anybody may name one. [`Known`] is what the processor
//! said: it carries a token that nothing else makes, and the vectors of `lanes`
//! are made of tokens or of other vectors only. So no safe code can hold a
//! vector that the processor cannot.

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
    /// the registers. (Vectors of 512 bits were slower on every corpus.)
    Avx512,
}

impl Isa {
    /// Those this processor knows, the best last.
    pub fn available() -> Vec<Isa> {
        let all = [Isa::Portable, Isa::Avx2, Isa::Avx512];
        all.into_iter().filter(|isa| *isa <= Isa::best()).collect()
    }

    /// The best there is on this processor.
    #[inline]
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as detected;
            // The small instructions have come with AVX2 on every processor.
            let avx2 =
                detected!("avx2") && detected!("bmi1") && detected!("bmi2") && detected!("popcnt");
            if avx2 && detected!("avx512f") && detected!("avx512bw") && detected!("avx512vl") {
                return Isa::Avx512;
            }
            if avx2 {
                return Isa::Avx2;
            }
        }
        Isa::Portable
    }

    /// These instructions, or the best the processor knows if it does not know
    /// them.
    #[inline]
    pub(super) fn known(self) -> Known {
        match self.min(Isa::best()) {
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
        }
    }
}

/// Instructions that this processor has said it knows.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2Token),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512Token),
}

/// There is one only where the processor knows AVX2, BMI1, BMI2 and POPCNT:
/// [`Isa::known`] alone makes it, after [`Isa::best`] has asked.
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
        for isa in [Isa::Portable, Isa::Avx2, Isa::Avx512] {
            match isa.known() {
                Known::Portable => assert!(isa == Isa::Portable || !detected!("avx2")),
                Known::Avx2(_) => assert!(isa >= Isa::Avx2 && detected!("avx2")),
                Known::Avx512(_) => assert!(isa == Isa::Avx512 && avx512 && detected!("avx2")),
            }
        }
        // It costs nothing to keep one beside every vector.
        assert_eq!(size_of::<Avx512Token>() + size_of::<Avx2Token>(), 0);
    }
}
