//! Post's correspondence problem, said in tasks: two of them write a word each,
//! letter by letter in turn, from pairs that both choose alike.
//!
//! The oracle knows nothing of planning: it lays pair after pair and goes on
//! from the part by which one word is longer, each of which it looks at once.

use std::collections::HashSet;

use planoku_engine::{End, Engine, Run};

use crate::algorithms::{BothEnds, Factored};
use crate::ground::ground;
use crate::instance::Instance;
use crate::random::Random;
use crate::schedule::planners::Planner;

type Pair = [Vec<usize>; 2];

/// More to go on from than this is too much.
const MOST: usize = 400;

/// Whether some pairs one after the other make the same word twice; `None` if
/// that takes too long to tell.
fn corresponds(pairs: &[Pair]) -> Option<bool> {
    let mut seen = HashSet::new();
    let mut open = vec![[Vec::new(), Vec::new()]];
    while let Some(longer) = open.pop() {
        for pair in pairs {
            let [one, other] = [0, 1].map(|it| [&longer[it][..], &pair[it][..]].concat());
            let common = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
            if common < one.len().min(other.len()) {
                continue;
            }
            let rest = [one[common..].to_vec(), other[common..].to_vec()];
            if rest.iter().all(Vec::is_empty) {
                return Some(true);
            }
            if seen.insert(rest.clone()) {
                open.push(rest);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(false)
}

fn random_pairs(random: &mut Random) -> Vec<Pair> {
    let mut word = || {
        let length = 1 + random.below(3);
        (0..length).map(|_| random.below(2)).collect()
    };
    (0..3).map(|_| [word(), word()]).collect()
}

/// Both choose all pairs first, then write their words, the last letter first.
/// Nothing if grounding sees that they cannot.
fn problem(pairs: &[Pair]) -> Option<Instance> {
    let mut domain = "(define (domain d) (:requirements :hierarchy :negative-preconditions)
        (:predicates (first) (second) (l0) (l1) (p0) (p1) (p2)) (:task w0) (:task w1)"
        .to_string();
    for mark in ["l0", "l1", "p0", "p1", "p2"] {
        domain += &format!(
            "(:action {mark}-0 :parameters () :precondition (first)
               :effect (and (not (first)) (second) ({mark})))
             (:action {mark}-1 :parameters () :precondition (and (second) ({mark}))
               :effect (and (first) (not (second)) (not ({mark}))))"
        );
    }
    for (number, pair) in pairs.iter().enumerate() {
        for (who, word) in pair.iter().enumerate() {
            let letters = word.iter().rev();
            let letters: String = letters.map(|it| format!("(l{it}-{who}) ")).collect();
            for (name, more) in [("last", String::new()), ("more", format!("(w{who})"))] {
                domain += &format!(
                    "(:method {name}-{number}-{who} :parameters () :task (w{who})
                       :ordered-subtasks (and (p{number}-{who}) {more} {letters}))"
                );
            }
        }
    }
    let problem = "(define (problem p) (:domain d) (:htn :subtasks (and (w0) (w1)))
        (:init (first)) (:goal (first)))";
    let model = crate::read(&(domain + ")"), problem).0.unwrap();
    let ground = ground(&model, &mut Run::default());
    ground.ok().map(Instance::new)
}

#[test]
fn words_correspond_exactly_where_there_is_a_plan() {
    let mut random = Random::new(5);
    let (mut with, mut without) = (0, 0);
    for number in 0..120 {
        let pairs = random_pairs(&mut random);
        let Some(expected) = corresponds(&pairs) else {
            continue;
        };
        *if expected { &mut with } else { &mut without } += 1;
        let Some(instance) = problem(&pairs) else {
            assert!(!expected, "{number}: {pairs:?}");
            continue;
        };
        let engines: [Planner; 2] = [Box::new(BothEnds), Box::new(Factored(BothEnds))];
        for engine in engines {
            let mut run = Run::limit(1).with_nodes(2_000_000);
            let outcome = engine.solve(&instance, &mut run).unwrap();
            let about = format!("{number}: {pairs:?}, {:?}", outcome.end);
            assert_eq!(!outcome.answers.is_empty(), expected, "{about}");
            assert!(expected || outcome.end == End::Exhausted, "{about}");
        }
    }
    assert!(with > 10 && without > 30, "{with} with, {without} without");
}
