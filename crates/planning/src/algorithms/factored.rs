//! A problem whose methods share their beginnings, given to another engine.

use planoku_engine::{Ended, Engine, EngineError, Profile, Run, Sink};

use crate::ground::Derivation;
use crate::instance::Instance;

/// Hands the problem with methods that begin alike made one to an engine, and
/// tells what it finds in the words of the whole problem.
pub(crate) struct Factored<E>(pub(crate) E);

impl<E: Engine<Instance, Answer = Derivation>> Engine<Instance> for Factored<E> {
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
        let factored = match instance.factored(run) {
            Ok(it) => it,
            Err(stop) => return run.search(sink, |_, _| Err(stop.into())),
        };
        match factored {
            None => self.0.solve_into(instance, run, sink),
            Some(factored) => {
                let mut restore = |found| sink(factored.restore(found)?);
                self.0.solve_into(factored.instance(), run, &mut restore)
            }
        }
    }
}
