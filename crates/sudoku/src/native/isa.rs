//! The instructions of the processor at hand.

/// The instructions a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What every processor of the kind has: vectors of 128 bits on x86-64,
    /// plain Rust elsewhere.
    Portable,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64, and operations of three inputs on shorter
    /// ones.
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
    pub(super) fn known(self) -> Isa {
        self.min(Isa::best())
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
