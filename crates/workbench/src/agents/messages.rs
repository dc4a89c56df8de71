//! What robots and the environment say to each other.
//!
//! A robot sends a [`Request`] to the environment and never anything else; the
//! environment answers the sender and tells everybody what has changed, each
//! time by a [`Message`] that lands in a mailbox. All of them are a few bytes
//! and `Copy`: a run of model 1 exchanges tens of millions.

use std::fmt;

use planoku_sudoku::{Cell, Digit};
use serde::{Deserialize, Serialize};

/// A robot, counted from 0. On a table of nine piles robot 0 carries the boxes
/// numbered 1, robot 1 those numbered 2, and so on; in model 1 robot 0 is the
/// placer and robot 1 the remover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RobotId(pub u8);

impl RobotId {
    /// For arrays.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for RobotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "robot {}", self.0 + 1)
    }
}

/// What a robot asks of the environment, or reports to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// May I take a box with this number from its pile and put it there?
    Place {
        /// Where to.
        cell: Cell,
        /// Which box.
        digit: Digit,
    },
    /// May I take the box from that cell back to its pile?
    Remove {
        /// Where from.
        cell: Cell,
    },
    /// My turn is over. `quiet` is the version of the board for which I looked
    /// at every cell and found nothing to do; `None` if I did something.
    Pass {
        /// The version for which there is nothing to do.
        quiet: Option<u32>,
    },
    /// I cannot place a box on the lowest empty cell: a failure.
    Stuck,
    /// Every cell is filled: the job is done.
    Done,
    /// There is no box left that I could take back: nothing is left to try.
    Nothing,
}

/// What the environment tells a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// This box stood on the board before anyone moved, and stays.
    Given {
        /// Where.
        cell: Cell,
        /// Its number.
        digit: Digit,
    },
    /// Another robot has put a box there.
    Placed {
        /// Where.
        cell: Cell,
        /// Its number.
        digit: Digit,
    },
    /// Another robot has taken the box there back to its pile.
    Removed {
        /// Where from.
        cell: Cell,
        /// Its number.
        digit: Digit,
    },
    /// What you asked for is done.
    Granted,
    /// What you asked for breaks a rule and is not done.
    Refused(Refusal),
    /// The placer is stuck: take the last box back.
    Help,
}

impl Message {
    /// True for the answer to a request, false for news.
    pub fn is_reply(self) -> bool {
        matches!(self, Message::Granted | Message::Refused(_))
    }
}

/// Why the environment refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The cell is not on the board.
    OffBoard,
    /// This robot does not carry such boxes.
    NotYours,
    /// A box already stands there.
    CellFilled,
    /// The row already holds a box with this number.
    RowHolds,
    /// The column already holds a box with this number.
    ColumnHolds,
    /// The box of cells already holds a box with this number.
    BoxHolds,
    /// The pile is empty.
    PileEmpty,
    /// There is no box to take.
    CellEmpty,
    /// The box belongs to the puzzle and stays.
    Fixed,
    /// Another box was placed later and has to go first.
    NotLast,
    /// The robot was given up as dead or late.
    Expelled,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::OffBoard => "the cell is not on the board",
            Refusal::NotYours => "the robot does not do that",
            Refusal::CellFilled => "the cell is filled",
            Refusal::RowHolds => "the row holds that number",
            Refusal::ColumnHolds => "the column holds that number",
            Refusal::BoxHolds => "the box holds that number",
            Refusal::PileEmpty => "the pile is empty",
            Refusal::CellEmpty => "the cell is empty",
            Refusal::Fixed => "the box belongs to the puzzle",
            Refusal::NotLast => "another box was placed later",
            Refusal::Expelled => "the robot was given up",
        })
    }
}
