//! Planners as members of a team: how fast each is thought to be, and when it
//! begins.
//!
//! Time is counted in work: how much of it such a planner does in a second on
//! an ordinary machine is guessed from its kind. A wrong guess costs fairness,
//! never repeatability.

use planoku_engine::Engine;

use crate::algorithms::{Bound, Classical, DeleteFree, Latest, Linear, Shorten, without_needless};
use crate::instance::Instance;
use crate::model::Model;
#[cfg(feature = "sat")]
use crate::satplan::is_loop;
use crate::schedule::guess::Guess;
use crate::schedule::planners::{Listed, Planner, Settings, lifted, list, planner_with};
use crate::schedule::scheduler::Member;
use crate::schedule::teams::{self, SHORTEN, SHORTEN_STATES, Share, team};

/// What candidates a search without grounding looks at in a second.
const WALK_SPEED: f64 = 50_000_000.0;

/// The same for a classical problem.
const FOCUS_SPEED: f64 = 30_000_000.0;

/// Those who need no grounding.
pub(super) fn without_grounding<'a>(model: &'a Model, seed: u64, guess: &Guess) -> Vec<Member<'a>> {
    let member = |&(name, share, after): &(&'static str, Share, f64)| {
        let engine = lifted(name, seed)?;
        Some(Member {
            name,
            speed: match model.network {
                _ if name == "lifted-sat" => LIFTED_SAT_SPEED,
                Some(_) => WALK_SPEED,
                None => FOCUS_SPEED,
            },
            share: guess.share(name, share),
            after: after * (1.0 - guess.part(name)) + guess.later(std::iter::once(name)),
            work: Box::new(move |run, sink| engine.solve_into(model, run, sink)),
        })
    };
    teams::walkers(model).iter().filter_map(member).collect()
}

/// Steps in a second of a search that reads ahead and explores the relaxation,
/// as long as the problem fits into the processor's caches.
const SEARCH_SPEED: f64 = 100_000_000.0;

/// The same for problems beyond this [size](Ground::size).
const LARGE: u64 = 1_200_000;
const SEARCH_SPEED_LARGE: f64 = 50_000_000.0;

/// Relaxed plans over states of a classical problem: nothing but links between
/// literals and operators is counted, and one takes two or three nanoseconds.
const STATES_SPEED: f64 = 400_000_000.0;

/// The same in the windows of a plan of a classical problem, where they touch few
/// of the facts.
const STATE_WINDOWS_SPEED: f64 = 800_000_000.0;

/// The same without relaxed plans: what is counted is a small part.
const LANDMARKS_SPEED: f64 = 40_000_000.0;

/// How often a search looks at the whole problem until it has begun.
const PREPARATION: f64 = 8.0;

/// How much faster a search is that explores no relaxation: by novelty, and
/// depth first.
const BY_COUNT: f64 = 2.0;
const BLIND: f64 = 3.0;

/// The same where the relaxation explored is that of actions alone.
const BY_PROMISES: f64 = 1.5;

/// The same in the windows of a plan, most of which are small.
const IN_WINDOWS: f64 = 3.0;

/// Effort of planning as SAT in a second.
const SAT_SPEED: f64 = 13_000_000.0;

/// The same without grounding, where nearly all of it is narrowing domains.
const LIFTED_SAT_SPEED: f64 = 32_000_000.0;

/// The planners for a grounded problem, most promising first: each begins when
/// the one before has had time to prepare and as much again. Where the problem
/// is so large that every node is slow, more of the time is left to searches
/// without grounding.
pub(super) fn grounded<'a>(problem: &'a Instance, seed: u64, guess: &Guess) -> Vec<Member<'a>> {
    let delete_free = DeleteFree::fits(problem).then_some(&teams::DELETE_FREE);
    let size = problem.searched().size() as f64;
    let prepared = PREPARATION * size / speed(problem);
    let slowed = match problem.root {
        Some(_) => size / LARGE as f64,
        None => 1.0,
    };
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let member = |(place, &(name, share)): (usize, &(&'static str, Share))| {
        let engine = planner_with(name, &settings)?;
        Some(Member {
            share: guess
                .share(name, suited(problem, name, share))
                .slowed(slowed),
            after: place as f64 * prepared + guess.later(std::iter::once(name)),
            ..member(problem, name, engine)
        })
    };
    let mut team: Vec<_> = delete_free.into_iter().chain(team(problem)).collect();
    // Among equals as they stand on the team.
    team.sort_by(|one, other| guess.part(other.0).total_cmp(&guess.part(one.0)));
    team.into_iter().enumerate().filter_map(member).collect()
}

/// The share of a member in a problem that it may be made for.
fn suited(problem: &Instance, name: &str, share: Share) -> Share {
    match name {
        #[cfg(feature = "sat")]
        "sat" if is_loop(problem) => teams::SAT_FOR_LOOPS,
        _ => share,
    }
}

/// Seconds, as counted, for which others improve a plan before proofs begin.
const PROOFS_AFTER: f64 = 0.3;

/// Those who can improve a plan of this kind of problem: what they find is
/// cheaper than the bound.
pub(super) fn improving<'a>(
    problem: &'a Instance,
    bound: &Bound,
    latest: &Latest,
) -> Vec<Member<'a>> {
    let named: &[&str] = match problem.root {
        _ if DeleteFree::fits(problem) => &["delete-free"],
        None => &["strips-optimal"],
        Some(_) if problem.ordered => &["htn-ff", "htn-add", "htn-optimal"],
        // Making the order total may order cheaper plans away, so only the last
        // can prove anything; what the others find still counts.
        Some(_) => &[
            "linear-ff",
            "linear-add",
            "linear-optimal",
            "htn-partial-optimal",
        ],
    };
    let mut lines: Vec<Listed> = list();
    lines.retain(|it| named.contains(&it.name));
    if problem.root.is_none() && !DeleteFree::fits(problem) {
        let weighted = |weight| Listed::classical(Classical::weighted(weight));
        lines.push(Listed::classical(Classical::priced()));
        lines.extend([5, 1].map(weighted));
    }
    let settings = Settings {
        seed: 0,
        bound: bound.clone(),
    };
    // Those that prove take long to prepare and improve least at the beginning.
    let proves = |name: &str| name.ends_with("optimal");
    let searches = lines.iter().map(|line| Member {
        after: if proves(line.name) { PROOFS_AFTER } else { 0.0 },
        ..member(problem, line.name, line.make(&settings))
    });
    let shorten = Shorten {
        latest: latest.clone(),
        bound: bound.clone(),
    };
    let shorten: Planner = match problem.root {
        Some(_) if !problem.ordered => Box::new(Linear {
            name: "linear-shorten",
            engine: shorten,
        }),
        _ => Box::new(shorten),
    };
    let shorten = Member {
        share: match problem.root {
            None => SHORTEN_STATES,
            Some(_) => SHORTEN,
        },
        ..member(problem, "shorten", shorten)
    };
    std::iter::once(shorten).chain(searches).collect()
}

/// A planner that takes turns with others.
fn member<'a>(problem: &'a Instance, name: &'static str, engine: Planner) -> Member<'a> {
    Member {
        name,
        speed: match name {
            "sat" | "linear-sat" | "partial-sat" => SAT_SPEED,
            "htn-width" | "linear-width" => BY_COUNT * speed(problem),
            "htn-promised" => BY_PROMISES * speed(problem),
            "shorten" if problem.root.is_none() => STATE_WINDOWS_SPEED,
            "shorten" => IN_WINDOWS * speed(problem),
            "htn-fail-first" | "htn-loop" => BLIND * speed(problem),
            "strips-landmarks" => LANDMARKS_SPEED,
            "strips-first" | "strips-leap" | "strips-priced" | "strips-weighted"
            | "strips-optimal"
                if problem.numbers.is_empty() =>
            {
                STATES_SPEED
            }
            _ => speed(problem),
        },
        share: Share::FULL,
        after: 0.0,
        work: Box::new(move |run, sink| {
            engine.solve_into(problem, run, &mut |found| {
                sink(without_needless(problem, &found).plan(problem)?)
            })
        }),
    }
}

/// Steps of a search in a second.
fn speed(problem: &Instance) -> f64 {
    match problem.searched().size() > LARGE {
        true => SEARCH_SPEED_LARGE,
        false => SEARCH_SPEED,
    }
}
