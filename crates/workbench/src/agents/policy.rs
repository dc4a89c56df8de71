//! How long a robot keeps its turn.

/// How long a robot keeps its turn. The placer of model 1 always works until
/// it is stuck, as its definition says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// It scans the whole board once and places every box it can.
    #[default]
    WholeScan,
    /// It passes as soon as it has placed one box.
    OneBox,
}

impl Policy {
    /// Both policies.
    pub const ALL: [Policy; 2] = [Policy::WholeScan, Policy::OneBox];

    /// The name given to `--policy`.
    pub fn name(self) -> &'static str {
        match self {
            Policy::WholeScan => "whole-scan",
            Policy::OneBox => "one-box",
        }
    }
}
