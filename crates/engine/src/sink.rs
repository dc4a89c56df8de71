//! Where answers go, and why a search is left.

use crate::{End, EngineError, Stop};

/// Where answers go, one by one. It takes as long as it likes, which holds up
/// the search, and ends the search by failing: with [`Leave::Enough`] if it
/// wants no more, with [`Stop::Cancelled`] if nobody is left to want them, with
/// an error if an answer is wrong.
pub type Sink<'s, A> = dyn FnMut(A) -> Result<(), Leave> + 's;

/// Hands answers over inside [`Run::search`](crate::Run::search).
pub struct Found<'s, A> {
    sink: &'s mut Sink<'s, A>,
    count: u64,
    wanted: u64,
}

impl<'s, A> Found<'s, A> {
    pub(crate) fn new(sink: &'s mut Sink<'s, A>, wanted: u64) -> Found<'s, A> {
        Found {
            sink,
            count: 0,
            wanted,
        }
    }

    /// Hands an answer over; fails with [`Leave::Enough`] once there are enough.
    #[inline]
    pub fn push(&mut self, answer: A) -> Result<(), Leave> {
        self.count += 1;
        (self.sink)(answer)?;
        match self.count >= self.wanted {
            true => Err(Leave::Enough),
            false => Ok(()),
        }
    }

    /// How many answers have been found so far.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Why the body of [`Run::search`](crate::Run::search) left early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leave {
    /// Enough answers.
    Enough,
    /// Nothing left to try, and that proves nothing.
    GaveUp,
    /// A budget or the switch.
    Stop(Stop),
    /// The engine cannot take the problem, or caught itself in a mistake.
    Error(EngineError),
}

impl Leave {
    /// How the search ends that is left for this reason.
    pub fn end(self) -> Result<End, EngineError> {
        match self {
            Leave::Enough => Ok(End::Enough),
            Leave::GaveUp => Ok(End::Incomplete),
            Leave::Stop(stop) => Ok(End::Stopped(stop)),
            Leave::Error(error) => Err(error),
        }
    }
}

impl From<Stop> for Leave {
    fn from(stop: Stop) -> Leave {
        Leave::Stop(stop)
    }
}

impl From<EngineError> for Leave {
    fn from(error: EngineError) -> Leave {
        Leave::Error(error)
    }
}
