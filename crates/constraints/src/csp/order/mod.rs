//! Order: which variable next, and which of its values first.
//!
//! Good orders fail early and succeed early: a variable should be one that is
//! hard to serve, a value one that is easy to live with. The variable orders
//! read what look-ahead leaves of the values, so all but the static one need
//! look-ahead.

pub(crate) mod values;
pub(crate) mod variables;
pub(crate) mod weights;

/// Which variable is assigned next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VariableOrder {
    /// As numbered.
    #[default]
    Static,
    /// Fewest values left; ties as numbered.
    FewestValues,
    /// Fewest values left; ties by most unassigned neighbours.
    FewestValuesThenDegree,
    /// Fewest values left per weight of its constraints, where a constraint
    /// gains weight each time it refutes something.
    WeightedDegree,
}

/// Which value of the variable is tried first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueOrder {
    /// Smallest first.
    #[default]
    Ascending,
    /// The one that strikes fewest values from unassigned neighbours.
    LeastConstraining,
    /// The one that fewest variables have taken so far or cannot but take.
    FewestPlaced,
}
