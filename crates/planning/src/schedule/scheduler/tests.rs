//! Teams that break, lie or are as slow as can be.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use planoku_engine::{Budget, End, Ended, EngineError, Leave, Outcome, Run, Stop};

use super::{Member, Policy, search};
use crate::ground::{Ground, GroundError, ground};
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::guess::Guess;
use crate::schedule::portfolio::{Everyone, Portfolio};
use crate::schedule::teams::Share;

/// A task that counts to `n` by recursion, one step at a time.
fn counting(n: usize) -> Model {
    let domain = "(define (domain d) (:requirements :typing :hierarchy)
        (:types num)
        (:predicates (at ?n - num) (next ?a ?b - num) (last ?n - num))
        (:task go :parameters ())
        (:method more :parameters (?a ?b - num) :task (go)
          :precondition (and (at ?a) (next ?a ?b))
          :ordered-subtasks (and (step ?a ?b) (go)))
        (:method done :parameters (?a - num) :task (go)
          :precondition (and (at ?a) (last ?a)) :ordered-subtasks (and))
        (:action step :parameters (?a ?b - num)
          :precondition (and (at ?a) (next ?a ?b))
          :effect (and (not (at ?a)) (at ?b))))";
    let names: Vec<String> = (0..=n).map(|it| format!("n{it}")).collect();
    let next: Vec<String> = (0..n)
        .map(|it| format!("(next n{it} n{})", it + 1))
        .collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {} - num)
         (:htn :parameters () :ordered-subtasks (and (go)))
         (:init (at n0) (last n{n}) {}))",
        names.join(" "),
        next.join(" ")
    );
    crate::read(domain, &problem).0.unwrap()
}

/// A task to tidy `n` rooms in any order, each of which is seen to at most
/// once: one layer for SAT, a large choice at each step for walks.
fn rooms(n: usize) -> Model {
    let domain = "(define (domain d) (:requirements :typing :hierarchy)
        (:types room)
        (:predicates (clean ?r - room) (dirty ?r - room))
        (:task all :parameters ())
        (:method more :parameters (?r - room) :task (all)
          :ordered-subtasks (and (do ?r) (all)))
        (:method stop :parameters () :task (all) :ordered-subtasks (and))
        (:action do :parameters (?r - room) :precondition (dirty ?r)
          :effect (and (clean ?r) (not (dirty ?r)))))";
    let each = |text: &str| -> String {
        let one = |it| text.replace('#', &format!("r{it}"));
        (0..n).map(one).collect::<Vec<_>>().join(" ")
    };
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {} - room)
         (:htn :parameters () :ordered-subtasks (and (all)))
         (:init {}) (:goal (and {})))",
        each("#"),
        each("(dirty #)"),
        each("(clean #)")
    );
    crate::read(domain, &problem).0.unwrap()
}

/// A stack of `n` blocks to be turned over.
fn blocks(n: usize) -> Model {
    let domain = "(define (domain d) (:predicates (on ?x ?y) (ontable ?x) (clear ?x))
        (:action down :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x))
          :effect (and (ontable ?x) (clear ?y) (not (on ?x ?y))))
        (:action up :parameters (?x ?y)
          :precondition (and (ontable ?x) (clear ?x) (clear ?y))
          :effect (and (on ?x ?y) (not (ontable ?x)) (not (clear ?y)))))";
    let pairs = |swap: bool| -> String {
        let pair = |it: usize| match swap {
            false => format!("(on b{it} b{})", it + 1),
            true => format!("(on b{} b{it})", it + 1),
        };
        (0..n - 1).map(pair).collect::<Vec<_>>().join(" ")
    };
    let names: Vec<String> = (0..n).map(|it| format!("b{it}")).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {})
         (:init (clear b0) (ontable b{}) {}) (:goal (and {})))",
        names.join(" "),
        n - 1,
        pairs(false),
        pairs(true)
    );
    crate::read(domain, &problem).0.unwrap()
}

const EVERYONE: Everyone = Everyone {
    seed: 0,
    guess: Guess::none(),
};

/// What comes of the team of a policy.
fn solve(
    policy: &dyn Policy,
    threads: usize,
    model: &Model,
    run: &mut Run<'_>,
) -> Result<Outcome<Plan>, EngineError> {
    let mut answers = Vec::new();
    let ended = search(
        policy,
        threads,
        model,
        &OnceLock::new(),
        run,
        &mut |plan, _| {
            answers.push(plan);
            Err(Leave::Enough)
        },
    )?;
    Ok(Outcome {
        answers,
        end: ended.end,
        stats: ended.stats,
    })
}

/// The team with somebody at its head.
struct With<F>(F);

impl<F: Fn(&mut Run<'_>) -> Result<Outcome<Plan>, EngineError> + Send + Sync> Policy for With<F> {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, model: &'a Model) -> Vec<Member<'a>> {
        EVERYONE.first(model)
    }

    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
        let _ = (self.0)(run);
        ground(model, run)
    }

    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>> {
        EVERYONE.planners(problem)
    }
}

/// Nobody but one member, who may be made up.
struct Only(fn() -> Result<Outcome<Plan>, EngineError>);

impl Policy for Only {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        let work = self.0;
        vec![Member {
            name: "made-up",
            speed: 1e6,
            share: Share::FULL,
            after: 0.0,
            light: 1.0,
            brings: 0,
            work: Box::new(move |_, sink| work()?.hand_to(sink)),
        }]
    }

    fn ground(&self, _: &Model, _: &mut Run<'_>) -> Result<Ground, GroundError> {
        Err(GroundError::Stopped {
            stop: Stop::Memory,
            schema: String::new(),
            instances: 0,
        })
    }

    fn planners<'a>(&self, _: &'a Instance) -> Vec<Member<'a>> {
        vec![]
    }
}

/// The team without all but one of its members.
struct Alone(&'static str);

impl Alone {
    fn pick<'a>(&self, members: Vec<Member<'a>>) -> Vec<Member<'a>> {
        members.into_iter().filter(|it| it.name == self.0).collect()
    }
}

impl Policy for Alone {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, model: &'a Model) -> Vec<Member<'a>> {
        self.pick(EVERYONE.first(model))
    }

    fn ground(&self, model: &Model, run: &mut Run<'_>) -> Result<Ground, GroundError> {
        match self.0.starts_with("lifted") || self.0 == "focus" {
            true => Err(GroundError::Unsupported("not needed".into())),
            false => ground(model, run),
        }
    }

    fn planners<'a>(&self, problem: &'a Instance) -> Vec<Member<'a>> {
        self.pick(EVERYONE.planners(problem))
    }
}

#[test]
fn a_panic_while_grounding_leaves_the_others_at_work() {
    // It used to leave everybody waiting for grounding's turn to end.
    let broken = With(|_: &mut Run<'_>| panic!("grounding broke"));
    for threads in [1, 2] {
        let outcome = solve(&broken, threads, &counting(50), &mut Run::default());
        let outcome = outcome.unwrap();
        assert_eq!(outcome.answers.len(), 1);
    }
}

#[test]
fn who_breaks_is_named_and_is_our_fault_if_nobody_else_comes_to_an_end() {
    let broken = Only(|| panic!("out of ideas"));
    let error = solve(&broken, 1, &counting(3), &mut Run::default()).unwrap_err();
    assert_eq!(
        error,
        EngineError::Internal("planner made-up broke: out of ideas".into())
    );
}

#[test]
fn a_refused_plan_is_not_hidden() {
    let liar = Only(|| {
        Ok(Outcome {
            answers: vec![Plan::default()],
            end: End::Enough,
            stats: Default::default(),
        })
    });
    let error = solve(&liar, 1, &counting(3), &mut Run::default()).unwrap_err();
    let EngineError::Internal(what) = error else {
        panic!("{error:?}");
    };
    assert!(
        what.starts_with("planner made-up found a wrong plan"),
        "{what}"
    );
}

#[test]
fn what_stopped_all_of_them_is_what_stopped_the_team() {
    // Used to read "gave up".
    let nobody = Only(|| Err(EngineError::Unsupported("never".into())));
    let outcome = solve(&nobody, 1, &counting(3), &mut Run::default()).unwrap();
    assert_eq!(outcome.end, End::Stopped(Stop::Memory));
    for time in [Duration::ZERO, Duration::from_nanos(1)] {
        let mut run = Run::limit(1).with_budget(Budget {
            time: Some(time),
            ..Budget::default()
        });
        let outcome = solve(&EVERYONE, 1, &counting(3), &mut run).unwrap();
        assert_eq!(outcome.end, End::Stopped(Stop::Time));
    }
}

/// Members who spend nodes for as long as they are let, and count them.
struct Spenders(Arc<AtomicU64>);

impl Policy for Spenders {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        let spender = |_| {
            let spent = self.0.clone();
            Member {
                name: "made-up",
                speed: 1e6,
                share: Share::FULL,
                after: 0.0,
                light: 1.0,
                brings: 0,
                work: Box::new(move |run, _| {
                    while run.tick().is_ok() {}
                    spent.fetch_add(run.nodes(), Ordering::Relaxed);
                    Err(EngineError::Unsupported("anything".into()))
                }),
            }
        };
        (0..6).map(spender).collect()
    }

    fn ground(&self, _: &Model, _: &mut Run<'_>) -> Result<Ground, GroundError> {
        Err(GroundError::Unsupported("not needed".into()))
    }

    fn planners<'a>(&self, _: &'a Instance) -> Vec<Member<'a>> {
        vec![]
    }
}

#[test]
fn turns_on_several_threads_never_spend_the_same_nodes() {
    // Each thread used to grant all that was left, so that two spent twice as
    // much as there was.
    for (threads, nodes) in [(1, 5_000), (2, 2_000), (4, 5_000), (4, 3), (3, 0)] {
        let spent = Arc::new(AtomicU64::new(0));
        let mut run = Run::limit(1).with_nodes(nodes);
        let outcome = solve(&Spenders(spent.clone()), threads, &counting(3), &mut run).unwrap();
        let spent = spent.load(Ordering::Relaxed);
        assert_eq!(outcome.end, End::Stopped(Stop::Nodes), "{threads} threads");
        assert_eq!((spent, outcome.stats.nodes), (nodes, nodes));
    }
}

#[test]
fn one_thread_takes_the_same_course_again() {
    for model in [rooms(40), blocks(12)] {
        check_course(&model);
    }
}

fn check_course(model: &Model) {
    let course = || {
        let mut run = Run::default();
        let outcome = solve(&EVERYONE, 1, model, &mut run);
        let mut stats = outcome.unwrap().stats;
        stats.counters.retain(|(name, _)| *name != "ground_us");
        (stats.nodes, stats.counters)
    };
    assert_eq!(course(), course());
}

#[test]
fn the_team_needs_at_most_the_factor_of_what_any_member_needs() {
    let members = [
        "lifted",
        "lifted-best",
        "lifted-learn",
        "lifted-novel",
        "sat",
        "htn-lazy",
        "htn-ff",
        "htn-add",
        "htn-fail-first",
        "htn-loop",
        "focus",
        "commit",
        "strips-first",
        "strips-leap",
        "strips-landmarks",
    ];
    let mut compared = 0;
    for model in [counting(60), rooms(60), blocks(7), blocks(12)] {
        let counted = |cast: &dyn Policy, most: u64| {
            let mut run = Run::limit(1).with_nodes(most);
            let outcome = solve(cast, 1, &model, &mut run).ok()?;
            let found = !outcome.answers.is_empty();
            found.then(|| outcome.stats.get("counted_us"))
        };
        let team = counted(&EVERYONE, u64::MAX).expect("a plan");
        for name in members {
            if let Some(alone) = counted(&Alone(name), 20_000) {
                compared += 1;
                let allowed = Portfolio::FACTOR * alone + 100_000;
                assert!(team <= allowed, "{name}: {team} us, alone {alone} us");
            }
        }
    }
    assert!(compared >= 16, "{compared}");
}

#[test]
fn the_smallest_share_is_no_smaller_than_the_factor_says() {
    use crate::schedule::teams::{
        CLASSICAL, CLASSICAL_WALKERS, DELETE_FREE, NUMERIC, PARTIAL_ORDER, PARTIAL_ORDER_WALKERS,
        TOTAL_ORDER, TOTAL_ORDER_WALKERS,
    };
    for (team, walkers) in [
        (CLASSICAL, CLASSICAL_WALKERS),
        (NUMERIC, CLASSICAL_WALKERS),
        (PARTIAL_ORDER, PARTIAL_ORDER_WALKERS),
        (TOTAL_ORDER, TOTAL_ORDER_WALKERS),
    ] {
        let mut shares: Vec<Share> = team.iter().map(|&(_, share)| share).collect();
        shares.extend(walkers.iter().map(|&(_, share, _)| share));
        shares.push(DELETE_FREE.1);
        // While one is in its first breath the others may be out of it.
        let most = |it: &Share| it.first.max(it.later);
        let least = |it: &Share| it.first.min(it.later);
        let smallest = shares.iter().map(least).fold(f64::MAX, f64::min);
        let sum: f64 = shares.iter().map(most).sum();
        assert!(sum <= Portfolio::FACTOR as f64 * smallest, "{team:?}");
    }
}

/// One who hoards memory and one who only works, each until it has done enough; and
/// how often the first began.
struct Hoarder(Arc<AtomicU64>);

impl Hoarder {
    fn member<'a>(
        name: &'static str,
        work: impl Fn(&mut Run<'_>) -> Result<(), Stop> + Send + Sync + 'a,
    ) -> Member<'a> {
        Member {
            name,
            speed: 1e4,
            share: Share::FULL,
            after: 0.0,
            light: 0.0,
            brings: 0,
            work: Box::new(move |run, _| {
                let end = work(run).map_or_else(End::Stopped, |()| End::Incomplete);
                Ok(Ended {
                    end,
                    stats: run.finish(),
                })
            }),
        }
    }
}

impl Policy for Hoarder {
    fn wanted(&self) -> u64 {
        1
    }

    fn first<'a>(&self, _: &'a Model) -> Vec<Member<'a>> {
        let begun = self.0.clone();
        let hoarder = Hoarder::member("hoarder", move |run| {
            begun.fetch_add(1, Ordering::Relaxed);
            for nodes in 1..=2_000 {
                run.tick()?;
                run.check_memory(nodes << 18)?;
            }
            Ok(())
        });
        let worker = Hoarder::member("worker", |run| (0..100_000).try_for_each(|_| run.tick()));
        vec![hoarder, worker]
    }

    fn ground(&self, _: &Model, _: &mut Run<'_>) -> Result<Ground, GroundError> {
        Err(GroundError::Unsupported("not needed".into()))
    }

    fn planners<'a>(&self, _: &'a Instance) -> Vec<Member<'a>> {
        vec![]
    }
}

#[test]
fn who_sleeps_long_with_much_begins_anew_and_comes_to_its_end() {
    for threads in [1, 2] {
        let begun = Arc::new(AtomicU64::new(0));
        let policy = Hoarder(begun.clone());
        let mut run = Run::default();
        let error = solve(&policy, threads, &counting(3), &mut run);
        // Grounding says that it is not needed; nobody was stopped for good.
        assert!(
            matches!(error, Err(EngineError::Unsupported(_))),
            "{error:?}"
        );
        let begun = begun.load(Ordering::Relaxed);
        // 500 MB in the end, and twice as much each time.
        assert!((1..=7).contains(&begun), "{begun}");
        if threads == 1 {
            assert!(begun > 1);
            assert!((102_000..106_000).contains(&run.nodes()), "{}", run.nodes());
        }
    }
}
