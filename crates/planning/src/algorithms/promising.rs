//! Several short searches by what tasks promise, again and again.
//!
//! Best-first search that goes by relaxed plans finds a plan soon or is caught
//! where these see nothing: locked facts, cells that are all taken. So it
//! begins anew after a while, shuffled, with more patience now and then, and
//! with three ways of looking in turn: novel states and tasks first; relaxed
//! plans and landmarks; both, without looking ahead, where a node costs least.
//! In all of them every third node is drawn by lot.
//!
//! An action on the stack is a commitment: it will be executed, with these
//! very arguments, after all that is above it. A relaxed plan does not see what
//! that rules out in the meantime, so a search that goes by it commits itself
//! to ever more before it does anything. Where few actions may be on the stack
//! at a time, what is refined are loops that do one thing after another, and
//! there a relaxed plan guides as well as without tasks. So of three rounds one
//! may commit itself as it likes and two only to few actions, to more as soon
//! as it is known that so few do not do.
//!
//! Restarts for what is heavy-tailed: Gomes, Selman and Kautz, "Boosting
//! combinatorial search through randomization" (1998); how long each is, by
//! Luby, Sinclair and Zuckerman (1993).

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::bound::Bound;
use crate::algorithms::lifted::luby;
use crate::algorithms::progression::Progression;
use crate::algorithms::root_of;
use crate::ground::Derivation;
use crate::heuristics::Estimate;
use crate::instance::Instance;

/// Nodes before the first restart, and as a unit of patience.
const PATIENCE: u64 = 20_000;

/// Short searches by what tasks promise.
#[derive(Clone, Debug, Default)]
pub struct Promising {
    /// Where shuffling begins.
    pub seed: u64,
    /// Only plans cheaper than this are wanted.
    pub bound: Bound,
}

/// How a search looks.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Novel states and tasks first.
    Novel,
    /// Relaxed plans and landmarks.
    Landmarks,
    /// Both, without looking ahead.
    Both,
}

/// Per lap of three rounds, how each of them looks: the one that may commit
/// itself as it likes, and the two that may not.
const LAPS: [[Way; 3]; 3] = [
    [Way::Novel, Way::Both, Way::Both],
    [Way::Landmarks, Way::Novel, Way::Landmarks],
    [Way::Both, Way::Both, Way::Both],
];

/// How many actions may be on the stack in a round, if `few` are the fewest
/// that may do; `None` if any number.
fn most(round: u64, few: u32) -> Option<u32> {
    match round % 3 {
        0 => None,
        1 => Some(few),
        _ => Some(few.saturating_mul(2)),
    }
}

impl Promising {
    /// The search of a round.
    fn round(&self, round: u64, most: Option<u32>) -> Progression {
        let lap = round / 3;
        let of = |estimate| Progression {
            name: "htn-promised",
            seed: self.seed + round,
            bound: self.bound.clone(),
            draws: true,
            patience: Some(PATIENCE.saturating_mul(luby(lap + 1))),
            most,
            ..Progression::greedy(estimate)
        };
        match LAPS[(lap % 3) as usize][(round % 3) as usize] {
            Way::Novel => of(Estimate::PromisedNovel),
            Way::Landmarks => Progression {
                landmarks: true,
                ..of(Estimate::Promised)
            },
            Way::Both => Progression {
                landmarks: true,
                horizon: 0,
                ..of(Estimate::PromisedNovel)
            },
        }
    }
}

impl Engine<Instance> for Promising {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "htn-promised",
            "totally ordered progression by what tasks promise, with restarts",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let ground = instance.ground();
        let root = root_of(ground)?;
        if !ground.ordered {
            return Err(EngineError::Unsupported(
                "the network is only partially ordered".into(),
            ));
        }
        run.search(sink, |run, found| {
            let mut few = 1;
            for round in 0.. {
                let most = most(round, few);
                let mut search = self.round(round, most).search(instance, root, run)?;
                let ended =
                    search.run(run, &mut |space, steps| found.push(space.derivation(steps)));
                match (ended, most) {
                    (Err(Leave::GaveUp), _) if search.is_out_of_patience() => {}
                    (Err(Leave::GaveUp), Some(most)) if search.space.was_cut() => {
                        few = few.max(most.saturating_add(1));
                    }
                    (ended, _) => return ended,
                }
            }
            Err(Leave::GaveUp)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::ground;
    use planoku_engine::End;

    /// Each task comes before an action that waits below it, or is left out.
    const DOMAIN: &str = "(define (domain d) (:requirements :hierarchy :typing)
      (:types step)
      (:predicates (next ?a ?b - step) (armed ?a - step) (done ?a - step))
      (:task do :parameters (?a - step))
      (:method down :parameters (?a ?b - step) :task (do ?a)
        :precondition (next ?a ?b)
        :ordered-subtasks (and (do ?b) (fire ?a)))
      (:method alone :parameters (?a - step) :task (do ?a)
        :ordered-subtasks (and (fire ?a)))
      (:method not :parameters (?a - step) :task (do ?a)
        :ordered-subtasks (and))
      (:action fire :parameters (?a - step) :precondition (armed ?a)
        :effect (and (done ?a) (not (armed ?a)))))";
    const PROBLEM: &str = "(define (problem p) (:domain d)
      (:objects a b c d - step)
      (:htn :ordered-tasks (and (do a)))
      (:init (next a b) (next b c) (next c d)
        (armed a) (armed b) (armed c) (armed d))
      (:goal (and (done a) (done b) (done c) (done d))))";

    fn instance() -> Instance {
        let model = crate::read(DOMAIN, PROBLEM).0.expect("a model");
        Instance::new(ground(&model, &mut Run::default()).expect("grounded"))
    }

    #[test]
    fn few_commitments_prove_nothing_and_as_many_as_it_takes_are_enough() {
        let instance = instance();
        for few in 0..5 {
            let search = Promising::default().round(1, Some(few));
            let outcome = search.solve(&instance, &mut Run::default()).unwrap();
            let found = !outcome.answers.is_empty();
            assert_eq!(found, few >= 3, "{few} actions on the stack");
            assert_eq!(outcome.end == End::Incomplete, !found, "{few}");
        }
    }

    #[test]
    fn a_plan_that_takes_many_commitments_is_found() {
        let found = Promising::default()
            .solve(&instance(), &mut Run::default())
            .unwrap();
        assert_eq!(found.answers[0].steps.len(), 4);
    }
}
