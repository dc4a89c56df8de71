//! The answers of a search kept, with how it ended.

use crate::{End, Ended, EngineError, Sink, Stats};

/// What one call of an engine brought back.
#[derive(Clone, Debug)]
pub struct Outcome<A> {
    /// The answers, in the order they were found; at most as many as wanted.
    pub answers: Vec<A>,
    /// Why the search is over.
    pub end: End,
    /// What it cost.
    pub stats: Stats,
}

impl<A> Outcome<A> {
    /// Keeps the answers of a search.
    pub fn collect(
        search: impl FnOnce(&mut Sink<'_, A>) -> Result<Ended, EngineError>,
    ) -> Result<Outcome<A>, EngineError> {
        let mut answers = Vec::new();
        let Ended { end, stats } = search(&mut |answer| {
            answers.push(answer);
            Ok(())
        })?;
        Ok(Outcome {
            answers,
            end,
            stats,
        })
    }

    /// Hands the answers on to a sink, which may want fewer of them.
    pub fn hand_to(self, sink: &mut Sink<'_, A>) -> Result<Ended, EngineError> {
        let end = match self.answers.into_iter().try_for_each(sink) {
            Ok(()) => self.end,
            Err(leave) => leave.end()?,
        };
        Ok(Ended {
            end,
            stats: self.stats,
        })
    }

    /// The same outcome with every answer translated; the first failure wins.
    pub fn try_map<B, E>(self, translate: impl FnMut(A) -> Result<B, E>) -> Result<Outcome<B>, E> {
        let answers = self
            .answers
            .into_iter()
            .map(translate)
            .collect::<Result<_, E>>()?;
        Ok(Outcome {
            answers,
            end: self.end,
            stats: self.stats,
        })
    }

    /// True if the search proved that there is no answer at all.
    pub fn proves_none(&self) -> bool {
        self.answers.is_empty() && self.end == End::Exhausted
    }
}
