//! Tail-recursive problems searched as classical ones.
//!
//! What the classical problem is, and how its plans are read, is the
//! [instance](crate::Instance)'s to know; here it is solved.

use planoku_engine::{End, Ended, Engine, EngineError, Profile, Run, Sink};

use crate::ground::Derivation;
use crate::instance::Instance;

use crate::algorithms::classical::Classical;
use crate::algorithms::commit::Commit;

/// Solves tail-recursive problems as classical ones.
#[derive(Clone, Debug, Default)]
pub struct Loops;

impl Engine<Instance> for Loops {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "htn-loop",
            "lifts tail recursion to macro actions and chooses among them",
        )
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let lifted = match instance.tail_recursion(run) {
            Ok(lifted) => lifted?,
            Err(stop) => return run.search(sink, |_, _| Err(stop.into())),
        };
        let mut outcome = Commit::default().solve(&lifted.instance, run)?;
        if outcome.answers.is_empty() && outcome.end == End::Incomplete {
            outcome = Classical::greedy().solve(&lifted.instance, run)?;
        }
        outcome.hand_to(&mut |plan| sink(lifted.derivation(instance, &plan)))
    }
}

/// The same, with another engine for whatever is not a loop or is not decided
/// as one.
#[derive(Clone, Debug)]
pub struct LoopsOr<E>(pub E);

impl<E: Engine<Instance, Answer = Derivation>> Engine<Instance> for LoopsOr<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        let mut profile = self.0.profile();
        profile.name = "htn-loop-or".into();
        profile
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        match Loops.solve(instance, run) {
            Err(EngineError::Unsupported(_)) => self.0.solve_into(instance, run, sink),
            Ok(outcome) if outcome.answers.is_empty() && outcome.end == End::Incomplete => {
                self.0.solve_into(instance, run, sink)
            }
            decided => decided?.hand_to(sink),
        }
    }
}
