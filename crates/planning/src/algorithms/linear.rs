//! A partially ordered problem, its order made total, given to another engine.
//!
//! The order is the [instance](crate::Instance)'s, so that several engines
//! search one copy.

use planoku_engine::{End, Ended, Engine, EngineError, Profile, Run, Sink};

use crate::ground::Derivation;
use crate::instance::Instance;

/// Orders a partially ordered problem and hands it to another engine.
#[derive(Clone, Debug)]
pub struct Linear<E> {
    /// The name it goes by.
    pub name: &'static str,
    /// The engine for totally ordered problems.
    pub engine: E,
}

impl<E: Engine<Instance, Answer = Derivation>> Engine<Instance> for Linear<E> {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            "orders subtasks by cause and effect, then searches in total order",
        )
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let linear = match instance.linear(run) {
            Ok(it) => it,
            Err(stop) => return run.search(sink, |_, _| Err(stop.into())),
        };
        let mut restore = |mut found: Derivation| {
            for refinement in &mut found.refinements {
                let order = &linear.orders[refinement.method as usize];
                let mut children = vec![0; order.len()];
                for (&place, &child) in order.iter().zip(&refinement.children) {
                    children[place] = child;
                }
                refinement.children = children;
            }
            sink(found)
        };
        let mut ended = self
            .engine
            .solve_into(&linear.instance, run, &mut restore)?;
        if ended.end == End::Exhausted && !instance.ordered {
            ended.end = End::Incomplete;
        }
        Ok(ended)
    }
}
