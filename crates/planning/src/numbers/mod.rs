//! Numbers: exact values, what lies between two of them, and what is calculated
//! from variables.
//!
//! | file | what it knows |
//! |---|---|
//! | `fraction` | exact numbers, small enough to be kept in states |
//! | `interval` | everything between two of them |
//! | `expression` | what is calculated from variables |
//! | `show` | how it is written |

mod expression;
mod fraction;
mod interval;
mod show;

pub use expression::{GroundExpression, Linear, NoValue, ZeroTest};
pub use fraction::Fraction;
pub use interval::Interval;
pub use show::{show_comparison, show_expression, show_number};

/// Names a variable: what it stands for is the problem's to say.
pub type VariableIndex = u32;
