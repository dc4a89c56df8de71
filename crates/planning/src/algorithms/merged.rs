//! A problem with one of all that cannot be told apart, given to another engine.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::ground::Derivation;
use crate::instance::Instance;

/// Hands the smaller problem to an engine, where there is one, and tells what
/// it finds in the words of the whole problem.
pub(crate) struct Merged<E>(pub(crate) E);

impl<E: Engine<Instance, Answer = Derivation>> Engine<Instance> for Merged<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        self.0.profile()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let merged = match instance.merged(run) {
            Ok(it) => it,
            Err(stop) => return run.search(sink, |_, _| Err(stop.into())),
        };
        match merged {
            None => self.0.solve_into(instance, run, sink),
            Some(merged) => {
                let mut restore = |found| sink(merged.restore(instance, found));
                self.0.solve_into(&merged.instance, run, &mut restore)
            }
        }
    }
}
