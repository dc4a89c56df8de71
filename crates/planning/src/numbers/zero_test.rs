//! What a comparison asks of a number, once all stands on one side.

use super::Fraction;

/// How a number may stand to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZeroTest {
    /// Above 0.
    Positive,
    /// 0 or above.
    NotNegative,
    /// 0.
    Zero,
    /// Anything but 0.
    NotZero,
}

impl ZeroTest {
    /// All tests.
    pub const ALL: [ZeroTest; 4] = [
        ZeroTest::Positive,
        ZeroTest::NotNegative,
        ZeroTest::Zero,
        ZeroTest::NotZero,
    ];

    /// True if the number passes.
    #[inline]
    pub fn passes(self, number: Fraction) -> bool {
        match self {
            ZeroTest::Positive => number.sign() > 0,
            ZeroTest::NotNegative => number.sign() >= 0,
            ZeroTest::Zero => number.sign() == 0,
            ZeroTest::NotZero => number.sign() != 0,
        }
    }
}
