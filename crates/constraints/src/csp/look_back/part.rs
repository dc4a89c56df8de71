//! The ways back, by name.

/// Where a dead end leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LookBackPart {
    /// `bt`: to the last choice.
    #[default]
    Chronological,
    /// `bj`: from the deepest levels, to the deepest that refuted a value.
    Gaschnig,
    /// `gbj`: to the deepest neighbour.
    GraphBased,
    /// `cbj`: to the deepest level to blame.
    ConflictDirected,
    /// `bm`: to the last choice, remembering comparisons.
    Backmarking,
    /// `db`: the culprit is taken back alone.
    Dynamic,
}
