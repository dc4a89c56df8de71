//! Numbers: exact values, what lies between two of them, and what is calculated
//! from variables.
//!
//! | file | what it knows |
//! |---|---|
//! | `fraction` | exact numbers, small enough to be kept in states |
//! | `interval` | everything between two of them |
//! | `expression` | what is calculated from variables |
//! | `zero_test` | what a comparison asks |
//! | `show` | how it is written |

mod expression;
mod fraction;
mod interval;
mod show;
mod zero_test;

pub use expression::{GroundExpression, LinearSum, NoValue};
pub use fraction::Fraction;
pub use interval::Interval;
pub use show::{show_comparison, show_expression, show_number};
pub use zero_test::ZeroTest;

/// Names a variable: what it stands for is the problem's to say.
pub type VariableIndex = u32;
