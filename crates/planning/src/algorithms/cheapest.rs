//! A cheapest plan by two searches side by side.
//!
//! Landmark cuts know much about a state and take long; abstractions (pattern
//! databases, boxes) know less and are a thousand times quicker. Which of them
//! pays depends on the problem, and by a factor of hundreds. So two A* take
//! turns, each as much as the other has had; landmark cuts alone begin, for most
//! problems need no more.
//!
//! One tick of the [`Run`] is one state taken.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::best_first::{BestFirst, Tell};
use crate::algorithms::bound::Bound;
use crate::algorithms::classical::Classical;
use crate::ground::Derivation;
use crate::instance::Instance;
use crate::spaces::states::States;

/// How much longer a step takes that is counted with patterns: states that are
/// made and kept, where landmark cuts follow links between literals.
const QUICK_STEP: u64 = 4;

/// The most of the memory allowed that the quick search may hold.
const PART_OF_MEMORY: u64 = 3;

/// A* with landmark cuts and A* with patterns, in turn.
#[derive(Clone, Debug)]
pub struct Cheapest {
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
    /// What landmark cuts may spend before patterns begin, in steps.
    pub alone: u64,
}

impl Default for Cheapest {
    fn default() -> Cheapest {
        Cheapest {
            bound: Bound::default(),
            alone: 300_000_000,
        }
    }
}

impl Engine<Instance> for Cheapest {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "strips-optimal",
            "A* with landmark cuts and A* with abstractions (patterns, boxes) in turn: a cheapest plan",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        Classical::require_states(instance)?;
        run.search(sink, |run, found| {
            let mut tell = |space: &States<'_>, steps: &[&_]| found.push(space.derivation(steps));
            let mut cuts = Side::begin(self.of(Classical::optimal()), 1, instance, run)?;
            while cuts.spent < self.alone {
                if !cuts.go_on(run, &mut tell)? {
                    return cuts.search.end();
                }
            }
            let patterns = self.of(Classical::patterns());
            let mut patterns = Some(Side::begin(patterns, QUICK_STEP, instance, run)?);
            loop {
                if patterns.as_ref().is_some_and(|it| it.is_too_large(run)) {
                    patterns = None;
                }
                // Not by the clock: one problem, one way to search it.
                let (turn, other) = match &mut patterns {
                    Some(quick) if quick.spent <= cuts.spent => (quick, Some(&mut cuts)),
                    quick => (&mut cuts, quick.as_mut()),
                };
                // What one has found the other need not find.
                if let Some(other) = &other {
                    turn.search.hear_of(other.search.bound());
                }
                if !turn.go_on(run, &mut tell)? {
                    return turn.search.end();
                }
            }
        })
    }
}

impl Cheapest {
    fn of(&self, engine: Classical) -> Classical {
        Classical {
            bound: self.bound.clone(),
            ..engine
        }
    }
}

/// A search and what it has spent.
struct Side<'a> {
    search: BestFirst<'a, States<'a>>,
    /// How much a step counts.
    step: u64,
    spent: u64,
}

impl<'a> Side<'a> {
    fn begin(
        engine: Classical,
        step: u64,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<Side<'a>, Leave> {
        let before = run.work();
        let mut search = engine.search(instance, run)?;
        search.begin(run);
        Ok(Side {
            search,
            step,
            spent: run.work() - before,
        })
    }

    /// Takes a node; false if there is none.
    fn go_on(&mut self, run: &mut Run<'_>, tell: &mut Tell<'_, States<'a>>) -> Result<bool, Leave> {
        let before = run.work();
        let more = self.search.step(run, tell)?;
        self.spent += self.step * (run.work() - before);
        Ok(more)
    }

    fn is_too_large(&self, run: &Run<'_>) -> bool {
        let most = run.budget().memory.map(|memory| memory / PART_OF_MEMORY);
        most.is_some_and(|most| self.search.bytes() > most)
    }
}
