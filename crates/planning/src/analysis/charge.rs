//! What the operators of the relaxation are charged, and in which numbers.
//!
//! Costs may need 128 bits, but hardly ever do: divided by what divides them
//! all, the charges of most problems fit into 32 bits with room for their sum,
//! and the explorations, which are most of the work, stay small and fast.

use crate::cost::Cost;
use crate::ground::Ground;

/// How operators are charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// One for each action and each method: how much work is left.
    Steps,
    /// What actions cost, in multiples of a unit that divides them all, methods
    /// for free: admissible for plan cost.
    Cost {
        /// The unit.
        unit: u128,
    },
    /// Both: what actions cost, and one for each action and each method.
    CostAndSteps,
}

impl Charge {
    /// What actions cost, in the largest unit that divides them all.
    pub(crate) fn cost(ground: &Ground) -> Charge {
        let costs = ground.actions.iter().map(|action| action.cost.units());
        let unit = costs.fold(0, greatest_common_divisor).max(1);
        Charge::Cost { unit }
    }

    /// What one unit of an estimate stands for.
    pub(crate) fn unit(self) -> u128 {
        match self {
            Charge::Steps | Charge::CostAndSteps => 1,
            Charge::Cost { unit } => unit,
        }
    }

    /// True if 32 bits hold the charges of all operators together.
    pub(crate) fn is_small(self, ground: &Ground) -> bool {
        let actions = ground.actions.iter().map(|it| self.of_action(it.cost));
        let methods = self.of_method() * ground.methods.len() as u128;
        let all = actions.fold(methods, u128::saturating_add);
        self == Charge::Steps || all < u128::from(<u32 as Weight>::LARGE)
    }

    /// What an action of this cost is charged.
    pub(crate) fn of_action(self, cost: Cost) -> u128 {
        match self {
            Charge::Steps => 1,
            Charge::Cost { unit } => cost.units() / unit,
            Charge::CostAndSteps => cost.units() + 1,
        }
    }

    /// What a method is charged.
    pub(crate) fn of_method(self) -> u128 {
        match self {
            Charge::Steps | Charge::CostAndSteps => 1,
            Charge::Cost { .. } => 0,
        }
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The numbers an exploration calculates with: 32 bits where the charges of
/// all operators together are small, which is nearly always, otherwise 128.
///
/// Maxima of costs and landmark cuts never exceed the sum of all charges, so
/// they are exact in either. Sums over needs may grow without end; they are cut
/// to [`Weight::LARGE`], which is finite and never [`Weight::UNREACHED`].
pub(crate) trait Weight: Copy + Ord + std::ops::Add<Output = Self> {
    /// Nothing to pay.
    const ZERO: Self;
    /// Not reachable, even when deletes are ignored.
    const UNREACHED: Self;
    /// Larger sums are cut to this, so that two of them can be added.
    const LARGE: Self;

    /// A charge; no more than [`Weight::LARGE`] all together.
    fn of(units: u128) -> Self;
    /// As it was.
    fn units(self) -> u128;
    /// The difference; nothing if there is none.
    fn less(self, other: Self) -> Self;

    /// So many times as much, cut to what is finite.
    fn times(self, times: u32) -> Self;

    /// The sum, cut to what is finite.
    #[inline]
    fn plus(self, other: Self) -> Self {
        (self + other).min(Self::LARGE)
    }
}

macro_rules! weight {
    ($name:ty, $large:expr) => {
        impl Weight for $name {
            const ZERO: $name = 0;
            const UNREACHED: $name = <$name>::MAX;
            const LARGE: $name = $large;

            #[inline]
            fn of(units: u128) -> $name {
                debug_assert!(units <= u128::from(Self::LARGE));
                units as $name
            }

            #[inline]
            fn units(self) -> u128 {
                u128::from(self)
            }

            #[inline]
            fn times(self, times: u32) -> $name {
                self.saturating_mul(times.into()).min(Self::LARGE)
            }

            #[inline]
            fn less(self, other: $name) -> $name {
                self.saturating_sub(other)
            }
        }
    };
}

weight!(u32, 1 << 28);
weight!(u128, 1 << 126);
