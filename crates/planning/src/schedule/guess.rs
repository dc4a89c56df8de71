//! Who will plan this? A guess from what the model looks like.
//!
//! For each member a sum of the [`features`] with weights of its own, and the
//! sums made into parts of a whole: multinomial logistic regression. The weights
//! (`weights`) were fitted by `planoku-bench learn` to what each member takes
//! alone on instances of the competitions; `bench/results/2026-11-19-guess.md`
//! says how well they do on families they were not fitted to. For classical
//! problems a guess gained nothing.
//!
//! A guess moves shares, it takes nobody's away: a part of the time is divided
//! as if nothing were known. Who is as good as certain to plan it begins alone,
//! so that what is found at once takes no more time and memory than that; and who
//! hardly will may hold less memory before it has to wait for it.

use super::features::{Features, features};
use super::teams::Share;
use super::weights;
use crate::model::Model;

/// The part of the time that is divided as if nothing were known.
pub(super) const UNKNOWN: f64 = 0.4;

/// Who is likelier than this to plan a model is as good as certain to.
const CERTAIN: f64 = 0.6;

/// For how long, in seconds as counted, such a one works alone: the surer, the
/// longer, so that where guesses come true as often as they say they cost as much
/// on average, about a fiftieth of a second of an ordinary machine.
const ALONE: f64 = 0.04;

/// It is never alone for longer, for models may be unlike all that is known.
const ALONE_AT_MOST: f64 = 0.5;

/// Who is less likely than this to plan a model may hold less for nothing.
const LIKELY: f64 = 0.2;

/// What part of the time each member of a team is thought to be worth.
pub(super) struct Guess {
    parts: Vec<(&'static str, f64)>,
    /// The sum of the shares that the team has by itself.
    whole: Share,
    /// Who is as good as certain to plan the model, and until when, in seconds as
    /// counted and divided by its share, it works alone.
    certain: Option<(&'static str, f64)>,
}

impl Guess {
    /// Nothing is known: everyone has the share that the team gives it.
    pub(super) const fn none() -> Guess {
        Guess {
            parts: Vec::new(),
            whole: Share::FULL,
            certain: None,
        }
    }

    /// For a team of these members with these shares.
    pub(super) fn of(model: &Model, team: &[(&'static str, Share)]) -> Guess {
        let seen = features(model);
        let table = weights::ALL.into_iter().find(|table| {
            let told = |name: &str| table.iter().any(|(it, _)| *it == name);
            team.iter().all(|(name, _)| told(name))
        });
        let Some(table) = table else {
            return Guess::none();
        };
        let scores = team.iter().map(|&(name, _)| {
            let (_, weights) = table.iter().find(|(it, _)| *it == name)?;
            Some((name, score(weights, &seen)))
        });
        let scores: Vec<(&'static str, f64)> = scores.flatten().collect();
        let highest = scores.iter().map(|it| it.1).fold(f64::MIN, f64::max);
        let sum: f64 = scores.iter().map(|it| (it.1 - highest).exp()).sum();
        let part = |score: f64| (score - highest).exp() / sum;
        let mut guess = Guess {
            parts: scores.iter().map(|&(name, it)| (name, part(it))).collect(),
            whole: team.iter().fold(Share::NONE, |sum, it| sum + it.1),
            certain: None,
        };
        let certain = team.iter().find(|it| guess.part(it.0) > CERTAIN);
        guess.certain = certain.map(|&(name, known)| {
            let alone = (ALONE / (1.0 - guess.part(name))).min(ALONE_AT_MOST);
            (name, alone / guess.share(name, known).first)
        });
        guess
    }

    /// What part of the memory that anybody may hold for nothing a member may.
    pub(super) fn light(&self, name: &str) -> f64 {
        match self.parts.is_empty() {
            true => 1.0,
            false => (self.part(name) / LIKELY).min(1.0),
        }
    }

    /// By how many seconds, as counted, one of these or what all of them wait for
    /// begins later than it could, so that somebody else has begun alone.
    pub(super) fn later<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> f64 {
        match self.certain {
            Some((certain, until)) if !names.any(|name| name == certain) => until,
            _ => 0.0,
        }
    }

    /// What part of the time is its own, if that is all there is to go by.
    pub(super) fn part(&self, name: &str) -> f64 {
        let known = self.parts.iter().find(|(it, _)| *it == name);
        known.map_or(0.0, |it| it.1)
    }

    /// The share of a member that would have this one. Of whom nothing was learned
    /// has what it would have.
    pub(super) fn share(&self, name: &str, known: Share) -> Share {
        match self.parts.iter().any(|(it, _)| *it == name) {
            true => self.share_of_all(std::iter::once(name), known),
            false => known,
        }
    }

    /// The share of what these members wait for.
    pub(super) fn share_of_all<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        known: Share,
    ) -> Share {
        if self.parts.is_empty() {
            return known;
        }
        let parts: f64 = names.map(|name| self.part(name)).sum();
        known * UNKNOWN + self.whole * ((1.0 - UNKNOWN) * parts)
    }
}

fn score(weights: &Features, seen: &Features) -> f64 {
    weights
        .iter()
        .zip(seen)
        .map(|(weight, it)| weight * it)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::teams::{
        PARTIAL_ORDER, PARTIAL_ORDER_WALKERS, TOTAL_ORDER, TOTAL_ORDER_WALKERS, Team, Walkers,
        everyone,
    };

    /// A guess about a team with a member that nobody learned about is none.
    #[test]
    fn of_every_member_something_was_learned() {
        let teams: [(Team, Walkers, weights::Weights); 2] = [
            (TOTAL_ORDER, TOTAL_ORDER_WALKERS, weights::TOTAL_ORDER),
            (PARTIAL_ORDER, PARTIAL_ORDER_WALKERS, weights::PARTIAL_ORDER),
        ];
        for (team, walkers, weights) in teams {
            let names = team.iter().map(|it| it.0);
            let mut names: Vec<&str> = names.chain(walkers.iter().map(|it| it.0)).collect();
            names.sort_unstable();
            let known: Vec<&str> = weights.iter().map(|it| it.0).collect();
            assert_eq!(names, known, "planoku-bench members, then learn");
        }
    }

    /// Errands between `n` places, some in a fixed order and some in any.
    fn models() -> Vec<Model> {
        let domain = "(define (domain d) (:requirements :typing :hierarchy)
            (:types place)
            (:predicates (at ?p - place) (road ?p ?q - place) (done ?p - place))
            (:task visit :parameters (?p - place))
            (:method there :parameters (?p - place) :task (visit ?p)
              :precondition (at ?p) :ordered-subtasks (and (work ?p)))
            (:method nearer :parameters (?p ?q ?r - place) :task (visit ?r)
              :precondition (and (at ?p) (road ?p ?q))
              :ordered-subtasks (and (go ?p ?q) (visit ?r)))
            (:action go :parameters (?p ?q - place)
              :precondition (and (at ?p) (road ?p ?q))
              :effect (and (not (at ?p)) (at ?q)))
            (:action work :parameters (?p - place) :precondition (at ?p) :effect (done ?p)))";
        let model = |n: usize, subtasks: &str| {
            let each = |text: &str| -> String {
                let one = |it: usize| {
                    let text = text.replace('#', &format!("p{it}"));
                    text.replace('+', &format!("p{}", (it + 1) % n))
                };
                (0..n).map(one).collect()
            };
            let problem = format!(
                "(define (problem p) (:domain d) (:objects {} - place)
                 (:htn :parameters () :{subtasks} (and {})) (:init (at p0) {}))",
                each("# "),
                each("(visit #) "),
                each("(road # +) "),
            );
            crate::read(domain, &problem).0.unwrap()
        };
        let sizes = [2, 30, 1000].into_iter();
        sizes
            .flat_map(|n| [model(n, "ordered-subtasks"), model(n, "subtasks")])
            .collect()
    }

    #[test]
    fn shares_are_moved_and_none_is_lost() {
        for model in &models() {
            let team = everyone(model);
            let guess = Guess::of(model, &team);
            let sum = |share: &dyn Fn(&(&'static str, Share)) -> Share| {
                let all = team.iter().map(share).fold(Share::NONE, |sum, it| sum + it);
                (all.first, all.later)
            };
            let (before, now) = (sum(&|it| it.1), sum(&|it| guess.share(it.0, it.1)));
            assert!((before.0 - now.0).abs() < 1e-9 && (before.1 - now.1).abs() < 1e-9);
            for (name, share) in &team {
                let least = UNKNOWN * share.first.min(share.later) - 1e-9;
                let now = guess.share(name, *share);
                assert!(now.first.min(now.later) >= least, "{name}");
            }
        }
    }

    #[test]
    fn who_is_as_good_as_certain_begins_alone() {
        let mut certain = 0;
        for model in &models() {
            let team = everyone(model);
            let guess = Guess::of(model, &team);
            let later = |name: &'static str| guess.later(std::iter::once(name));
            let at_once = team.iter().filter(|it| later(it.0) == 0.0).count();
            match team.iter().any(|it| guess.part(it.0) > CERTAIN) {
                true => assert_eq!(at_once, 1),
                false => assert_eq!(at_once, team.len()),
            }
            certain += usize::from(at_once == 1);
            assert_eq!(guess.later(team.iter().map(|it| it.0)), 0.0);
        }
        assert!(certain > 0);
    }

    #[test]
    fn of_whom_nothing_was_learned_keeps_its_share() {
        for model in &models() {
            let guess = Guess::of(model, &everyone(model));
            let share = guess.share("somebody", Share::FULL);
            assert_eq!((share.first, share.later), (1.0, 1.0));
        }
    }
}
