//! What happens in the block world, and how the work ends.

use planoku_sudoku::{Cell, Digit};

use super::messages::{Message, Refusal, Request, RobotId};
use super::models::RobotModel;

/// How the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkEnded {
    /// Every cell is filled.
    Full,
    /// Nobody finds anything to do, and cells are empty.
    FixedPoint,
    /// Everything was tried: there is no solution from where the stage began.
    Exhausted,
    /// A robot was lost that nobody can replace.
    Abandoned,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RobotEvent {
    /// A stage begins: these robots take over.
    Stage(RobotModel),
    /// A robot gets its turn.
    Turn(RobotId),
    /// A request was sent.
    Asked {
        /// By whom.
        robot: RobotId,
        /// What.
        request: Request,
    },
    /// A message was put into a mailbox.
    Told {
        /// Whose.
        robot: RobotId,
        /// What.
        message: Message,
    },
    /// The scheduler asked for a bid and got this one: two messages.
    Bid {
        /// By whom.
        robot: RobotId,
        /// Open cells.
        open: u16,
    },
    /// A box was put on the board.
    Placed {
        /// By whom.
        robot: RobotId,
        /// Where.
        cell: Cell,
        /// Its number.
        digit: Digit,
    },
    /// A box was taken back to its pile.
    Removed {
        /// By whom.
        robot: RobotId,
        /// Where from.
        cell: Cell,
        /// Its number.
        digit: Digit,
    },
    /// A request was refused.
    Refused {
        /// Whose.
        robot: RobotId,
        /// Which.
        request: Request,
        /// The rule it breaks.
        rule: Refusal,
    },
    /// A robot was given up.
    Lost {
        /// Who.
        robot: RobotId,
        /// How the environment found out.
        how: Loss,
    },
    /// The stage is over.
    Ended(WorkEnded),
}

/// How a robot was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Its thread is gone.
    Died,
    /// It owed an answer for longer than anyone waits.
    Late,
}
