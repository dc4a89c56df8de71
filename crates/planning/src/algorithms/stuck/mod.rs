//! Where a search that found nothing came furthest, and what it missed there.
//!
//! "Everything was tried" is a proof and no help. Where there are tasks, the way
//! with most actions before it ended, the task or action that could not be done
//! there and the facts it missed are what a modeller looks for. Where there are
//! none, ways do not end; the state in which fewest goals are missing, and an
//! action for one of them misses least, is as near as one comes.

mod walk;
mod words;

use std::cmp::Reverse;
use std::fmt;

use planoku_engine::{Leave, Run};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::strategy::{By, Strategy};
use crate::ground::{ActionIndex, FactIndex};
use crate::heuristics::Estimate;
use crate::instance::Instance;
use crate::language::source::Span;
use crate::model::Model;
use crate::spaces::networks::{Cause, Networks, Pace};
use crate::spaces::states::States;
use crate::spaces::task_stacks::{DeadEnd, Layout, Pick, TaskStacks};
use crate::state::states::has;
use crate::state::world::World;
use walk::walk;
use words::{Words, missing};

/// How far a search came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// How many actions were executed before.
    pub steps: u32,
    /// All ways were looked at; otherwise patience ended before that, and one
    /// that was not seen may come further.
    pub all_seen: bool,
    /// A way ended here; otherwise this is the state nearest to the goal.
    pub ended: bool,
    /// What could not be done, in words.
    pub what: String,
    /// Why not: what did not hold.
    pub missing: Vec<String>,
    /// Where that is declared, if it is.
    pub span: Option<Span>,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = match self.steps {
            0 => "before any step".to_string(),
            1 => "after 1 step".to_string(),
            steps => format!("after {steps} steps"),
        };
        let seen = match self.all_seen {
            true => "",
            false => " that was looked at",
        };
        match self.ended {
            true => write!(f, "the furthest way{seen} ends {steps}: ")?,
            false => write!(f, "the state nearest to the goal{seen} comes {steps}: ")?,
        }
        write!(f, "{}", self.what)?;
        match self.missing.is_empty() {
            true => Ok(()),
            false => write!(f, ", as {}", self.missing.join("; ")),
        }
    }
}

/// Nodes that are looked at: a reason is worth a second, not a minute.
const PATIENCE: u64 = 100_000;

/// Actions for one goal that are looked at in each state.
const MANY_ACTIONS: usize = 64;

/// Searches all that a problem allows, as far as the run and patience do, for
/// the way that comes furthest; `None` if none was found to end.
pub fn furthest(model: &Model, instance: &Instance, run: &mut Run<'_>) -> Option<Stuck> {
    let words = Words {
        model,
        ground: instance.ground(),
    };
    match instance.root {
        None => nearest(&words, instance, run),
        Some(root) if instance.ordered => of_stacks(&words, instance, root, run),
        Some(root) => of_networks(&words, instance, root, run),
    }
}

/// The furthest way of a totally ordered problem.
fn of_stacks(
    words: &Words<'_>,
    instance: &Instance,
    root: u32,
    run: &mut Run<'_>,
) -> Option<Stuck> {
    let strategy = Strategy {
        by: By::Depth,
        ..Strategy::eager("furthest")
    };
    // Without look-ahead, which would end ways before they come to an end.
    let layout = Layout {
        pick: Pick::First,
        horizon: 0,
        first_actions: false,
        seed: 0,
        keeps_dead_end: true,
        most: None,
    };
    let space = TaskStacks::new(instance, root, layout, run).ok()?;
    let heuristic = Estimate::Count.heuristic(instance, run).ok()?;
    let mut search = BestFirst::new(strategy, space, heuristic, None);
    let ended = run.with_at_most(PATIENCE, |run| {
        search.run(run, &mut |_, _| Err(Leave::Enough))
    });
    search.space.dead_end().map(|end| Stuck {
        all_seen: ended.is_ok(),
        ..words.stuck(end)
    })
}

/// The furthest way of a partially ordered problem.
fn of_networks(
    words: &Words<'_>,
    instance: &Instance,
    root: u32,
    run: &mut Run<'_>,
) -> Option<Stuck> {
    let mut space = Networks::new(&instance.world, root, Pace::Any);
    let actions = &words.ground.actions;
    let executed = |step: &Cause| match *step {
        Cause::Executed { action, .. } => u32::from(actions[action as usize].schema.is_some()),
        Cause::Checked | Cause::Refined { .. } => 0,
    };
    let mut best: Option<DeadEnd> = None;
    let mut look = |space: &Networks<'_>, node: &_, steps: u32, leads_on: bool| {
        if !leads_on && best.as_ref().is_none_or(|best| steps > best.steps) {
            let (state, first) = space.ahead(node);
            best = words.dead_end(&instance.world, steps, state, &first);
        }
    };
    let deepest = |_: &Networks<'_>, _: &_, steps: u32| steps;
    let ended = run.with_at_most(PATIENCE, |run| {
        walk(&mut space, run, executed, deepest, &mut look)
    });
    best.map(|end| Stuck {
        all_seen: ended.is_ok(),
        ..words.stuck(&end)
    })
}

/// How far a state is from the goal: the goals that are missing, what an
/// action for one of them misses at least, and the steps to the state.
type Far = (usize, usize, u32);

/// The state of a classical problem that is nearest to the goal.
fn nearest(words: &Words<'_>, instance: &Instance, run: &mut Run<'_>) -> Option<Stuck> {
    let world = &instance.world;
    let goals = Goals::new(world);
    let mut space = States::new(world, false, 0, run).ok()?;
    let mut best: Option<(Far, Vec<u64>)> = None;
    let far =
        |space: &States<'_>, &node: &u32, steps: u32| goals.far(world, space.state(node), steps);
    let mut look = |space: &States<'_>, node: &u32, steps: u32, _: bool| {
        let far = far(space, node, steps);
        if best.as_ref().is_none_or(|(best, _)| far < *best) {
            best = Some((far, space.state(*node).to_vec()));
        }
    };
    let nearest = |space: &States<'_>, node: &u32, steps: u32| Reverse(far(space, node, steps));
    let ended = run.with_at_most(PATIENCE, |run| {
        walk(&mut space, run, |_| 1, nearest, &mut look)
    });
    let ((_, _, steps), state) = best?;
    Some(Stuck {
        all_seen: ended.is_ok(),
        ..words.nearest(
            world,
            steps,
            &state,
            goals.next(world, &state).map(|it| it.0),
        )
    })
}

/// The facts of the goal, and the actions for each.
struct Goals {
    actions: Vec<(FactIndex, Vec<ActionIndex>)>,
}

impl Goals {
    fn new(world: &World) -> Goals {
        let adds = |action: ActionIndex, fact: FactIndex| {
            let action = &world.ground.actions[action as usize];
            let mut conditional = action.conditional.iter();
            action.add.contains(&fact) || conditional.any(|it| it.add.contains(&fact))
        };
        let all = 0..world.ground.actions.len() as ActionIndex;
        let actions = |fact| {
            let for_it = all.clone().filter(|&action| adds(action, fact));
            (fact, for_it.take(MANY_ACTIONS).collect())
        };
        let goal = &world.ground.goal.positive;
        Goals {
            actions: goal.iter().map(|&fact| actions(fact)).collect(),
        }
    }

    fn far(&self, world: &World, state: &[u64], steps: u32) -> Far {
        let next = self.next(world, state).map_or(0, |(_, misses)| misses);
        (missing(&world.ground.goal, state), next, steps)
    }

    /// The missing goal for which an action misses least, and how much that is.
    fn next(&self, world: &World, state: &[u64]) -> Option<(FactIndex, usize)> {
        let open = self.actions.iter().filter(|(fact, _)| !has(state, *fact));
        let misses = open.map(|(fact, actions)| {
            let actions = actions.iter().map(|&it| &world.ground.actions[it as usize]);
            let least = actions.map(|it| missing(&it.precondition, state)).min();
            (*fact, least.unwrap_or(usize::MAX))
        });
        misses.min_by_key(|(_, misses)| *misses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::ground;

    /// The key lies in the hall, and only from the hall is the cellar reached.
    const DOMAIN: &str = "(define (domain house) (:requirements :typing :hierarchy)
      (:types room)
      (:predicates (at ?r - room) (door ?a ?b - room) (key) (lit))
      (:task visit :parameters (?r - room))
      (:method walk :parameters (?a ?r - room) :task (visit ?r)
        :precondition (and (at ?a) (door ?a ?r)) :ordered-subtasks (and (go ?a ?r)))
      (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
        :effect (and (not (at ?a)) (at ?b) (not (lit))))
      (:action light :parameters () :precondition (at hall) :effect (lit))
      (:action look :parameters () :precondition (lit) :effect (key)))";

    fn stuck(domain: &str, problem: &str) -> Stuck {
        let model = crate::read(domain, problem).0.unwrap();
        let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
        furthest(&model, &instance, &mut Run::default()).unwrap()
    }

    fn said(tasks: &str) -> (String, Option<Span>) {
        let domain = DOMAIN.replace("(:types room)", "(:types room) (:constants hall - room)");
        let problem = format!(
            "(define (problem p) (:domain house) (:objects cellar attic - room)
             (:htn :ordered-subtasks (and {tasks}))
             (:init (at attic) (door attic hall) (door hall attic) (door hall cellar)))"
        );
        let stuck = stuck(&domain, &problem);
        (stuck.to_string(), stuck.span)
    }

    #[test]
    fn the_action_that_cannot_be_executed_is_named_with_what_it_misses() {
        let (said, span) = said("(visit hall) (light) (visit cellar) (look)");
        assert_eq!(
            said,
            "the furthest way ends after 3 steps: (look) cannot be executed, as (lit) does not hold"
        );
        assert!(span.is_some_and(|it| it.file == 0));
    }

    #[test]
    fn a_way_is_called_the_furthest_only_if_all_were_looked_at() {
        let stuck = Stuck {
            steps: 1,
            all_seen: false,
            ended: true,
            what: "(look) cannot be executed".into(),
            missing: Vec::new(),
            span: None,
        };
        let said = stuck.to_string();
        assert!(
            said.starts_with("the furthest way that was looked at ends"),
            "{said}"
        );
    }

    #[test]
    fn where_orders_are_partial_the_task_that_misses_least_is_named() {
        let problem = "(define (problem p) (:domain house) (:objects cellar attic - room)
             (:htn :subtasks (and (visit hall) (light) (look) (look)))
             (:init (at attic) (door attic hall)) (:goal (at attic)))";
        let domain = DOMAIN.replace("(:types room)", "(:types room) (:constants hall - room)");
        let stuck = stuck(&domain, problem);
        assert_eq!(
            stuck.to_string(),
            "the furthest way ends after 4 steps: everything is done, but not the goal reached, \
             as (at attic) does not hold"
        );
        let problem = "(define (problem p) (:domain house) (:objects cellar - room)
             (:htn :tasks (and (a (light)) (b (light)) (c (visit cellar)) (d (look)))
               :ordering (and (< a c) (< c d)))
             (:init (at hall) (door hall cellar)))";
        let (stuck, light) = (super::tests::stuck(&domain, problem), "(lit) does not hold");
        assert_eq!(
            stuck.to_string(),
            format!("the furthest way ends after 3 steps: (look) cannot be executed, as {light}")
        );
    }

    /// One coin, two doors.
    const DOORS: &str = "(define (domain doors) (:predicates (coin) (open ?d) (painted ?d))
      (:action pay :parameters (?d) :precondition (coin)
        :effect (and (open ?d) (not (coin))))
      (:action paint :parameters (?d) :precondition (open ?d) :effect (painted ?d)))";

    #[test]
    fn without_tasks_the_nearest_state_is_told_and_what_it_misses() {
        let problem = "(define (problem p) (:domain doors) (:objects a b)
             (:init (coin)) (:goal (and (painted a) (painted b))))";
        let stuck = stuck(DOORS, problem);
        assert_eq!(
            stuck.to_string(),
            "the state nearest to the goal comes after 2 steps: (painted a) does not hold; \
             (paint a) cannot be executed, as (open a) does not hold; \
             (pay a) cannot be executed, as (coin) does not hold"
        );
        assert!(stuck.span.is_some());
    }

    #[test]
    fn without_tasks_what_can_be_executed_is_and_what_comes_in_its_way_is_told() {
        let domain = "(define (domain road) (:requirements :numeric-fluents)
          (:predicates (at ?p) (road ?a ?b)) (:functions (fuel))
          (:action drive :parameters (?a ?b)
            :precondition (and (at ?a) (road ?a ?b) (>= (fuel) 3))
            :effect (and (not (at ?a)) (at ?b) (decrease (fuel) 3))))";
        let problem = "(define (problem p) (:domain road) (:objects a b c)
             (:init (at a) (road a b) (road b c) (= (fuel) 5)) (:goal (at c)))";
        assert_eq!(
            stuck(domain, problem).to_string(),
            "the state nearest to the goal comes before any step: (at c) does not hold; \
             (drive b c) cannot be executed, as (at b) does not hold; \
             after (drive a b), (drive b c) cannot be executed, as (>= (fuel) 3) does not hold"
        );
    }

    #[test]
    fn a_task_without_a_method_that_applies_is_named_with_its_methods() {
        let (said, _) = said("(visit hall) (visit cellar) (visit hall)");
        assert!(
            said.starts_with("the furthest way ends after 2 steps: no method of (visit hall)"),
            "{said}"
        );
        assert!(said.contains("(at attic) does not hold"), "{said}");
    }
}
