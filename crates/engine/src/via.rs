//! Solving one kind of problem by saying it as another.
//!
//! A [`Formulation`] translates a problem there and its answers back. [`Via`]
//! joins a formulation with an engine for the translated problem, and is
//! itself an engine for the original one; so it nests.

use std::borrow::Cow;

use crate::{End, Ended, Engine, EngineError, Profile, Run, Sink, Stop};

/// A way to say problems of type `S` as problems of another type.
pub trait Formulation<S: ?Sized>: Send + Sync {
    /// What the problem becomes.
    type Problem;
    /// What an engine for [`Formulation::Problem`] finds.
    type Found;
    /// What that means for the original problem.
    type Answer;

    /// True if distinct findings always decode to distinct answers, so that an
    /// engine that counts the one also counts the other.
    fn preserves_count(&self) -> bool {
        true
    }

    /// Says `source` as a problem of the other kind.
    fn encode(&self, source: &S, run: &mut Run<'_>) -> Result<Self::Problem, EncodeError>;

    /// Reads a finding back.
    fn decode(
        &self,
        source: &S,
        problem: &Self::Problem,
        found: Self::Found,
    ) -> Result<Self::Answer, EngineError>;
}

/// Why a problem could not be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// A budget ran out during translation.
    Stopped(Stop),
    /// Translating already proved that there is no answer.
    Refuted,
    /// The problem cannot be said this way, or our own mistake.
    Failed(EngineError),
}

impl From<Stop> for EncodeError {
    fn from(stop: Stop) -> EncodeError {
        EncodeError::Stopped(stop)
    }
}

impl From<EngineError> for EncodeError {
    fn from(error: EngineError) -> EncodeError {
        EncodeError::Failed(error)
    }
}

/// An engine for one kind of problem made from an engine for another.
pub struct Via<F, E> {
    /// The name and summary under which the pair is known.
    pub name: Cow<'static, str>,
    /// One line on how the pair thinks.
    pub summary: Cow<'static, str>,
    /// How to translate.
    pub formulation: F,
    /// Who solves the translation.
    pub engine: E,
}

impl<S, F, E> Engine<S> for Via<F, E>
where
    S: ?Sized,
    F: Formulation<S>,
    E: Engine<F::Problem, Answer = F::Found>,
{
    type Answer = F::Answer;

    fn profile(&self) -> Profile {
        let inner = self.engine.profile();
        Profile {
            name: self.name.clone(),
            summary: self.summary.clone(),
            complete: inner.complete,
            counts: inner.counts && self.formulation.preserves_count(),
        }
    }

    fn solve_into(
        &self,
        source: &S,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, F::Answer>,
    ) -> Result<Ended, EngineError> {
        let ended = |end, run: &mut Run<'_>| Ended {
            end,
            stats: run.finish(),
        };
        let problem = match self.formulation.encode(source, run) {
            Ok(problem) => problem,
            Err(EncodeError::Stopped(stop)) => return Ok(ended(End::Stopped(stop), run)),
            Err(EncodeError::Refuted) => return Ok(ended(End::Exhausted, run)),
            Err(EncodeError::Failed(error)) => return Err(error),
        };
        let encode_us = run.elapsed().as_micros() as u64;
        let mut decode = |found| sink(self.formulation.decode(source, &problem, found)?);
        let mut ended = self.engine.solve_into(&problem, run, &mut decode)?;
        ended.stats.add("encode_us", encode_us);
        Ok(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds every number below a bound.
    struct Below;

    impl Engine<u32> for Below {
        type Answer = u32;

        fn profile(&self) -> Profile {
            Profile::new("below", "counts up").complete().counting()
        }

        fn solve_into(
            &self,
            bound: &u32,
            run: &mut Run<'_>,
            sink: &mut Sink<'_, u32>,
        ) -> Result<Ended, EngineError> {
            run.search(sink, |run, found| {
                for n in 0..*bound {
                    run.tick()?;
                    found.push(n)?;
                }
                Ok(())
            })
        }
    }

    /// The letters of a word, by position.
    struct Letters;

    impl Formulation<str> for Letters {
        type Problem = u32;
        type Found = u32;
        type Answer = char;

        fn preserves_count(&self) -> bool {
            false
        }

        fn encode(&self, word: &str, _: &mut Run<'_>) -> Result<u32, EncodeError> {
            if word.is_empty() {
                Err(EncodeError::Refuted)
            } else {
                Ok(word.chars().count() as u32)
            }
        }

        fn decode(&self, word: &str, _: &u32, found: u32) -> Result<char, EngineError> {
            Ok(word.chars().nth(found as usize).unwrap())
        }
    }

    fn via() -> Via<Letters, Below> {
        Via {
            name: "letters".into(),
            summary: "".into(),
            formulation: Letters,
            engine: Below,
        }
    }

    #[test]
    fn answers_come_back_in_the_first_language() {
        let outcome = via().solve("abc", &mut Run::limit(2)).unwrap();
        assert_eq!(outcome.answers, ['a', 'b']);
        assert_eq!(outcome.end, End::Enough);
    }

    #[test]
    fn a_refutation_while_encoding_is_a_proof() {
        assert!(via().solve("", &mut Run::all()).unwrap().proves_none());
    }

    #[test]
    fn counting_is_claimed_only_if_both_halves_keep_count() {
        let profile = via().profile();
        assert!(profile.complete && !profile.counts);
    }
}
