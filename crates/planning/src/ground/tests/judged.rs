//! Random problems through both grounders.

use std::collections::BTreeSet;

use planoku_engine::Run;

use super::model;
use super::slow::Slow;
use crate::ground::{GroundError, ground};
use crate::model::ObjectId;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    fn atom(&mut self, terms: &[&str]) -> String {
        match self.below(4) {
            0 => format!("(p {})", self.one_of(terms)),
            1 => format!("(q {} {})", self.one_of(terms), self.one_of(terms)),
            2 => format!("(s {} {})", self.one_of(terms), self.one_of(terms)),
            _ => "(r)".to_string(),
        }
    }

    fn literal(&mut self, terms: &[&str]) -> String {
        match self.below(8) {
            0 | 1 => format!("(not {})", self.atom(terms)),
            2 => format!("(not (= {} {}))", self.one_of(terms), self.one_of(terms)),
            _ => self.atom(terms),
        }
    }

    fn condition(&mut self, terms: &[&str]) -> String {
        let mut text = String::from("(and");
        for _ in 0..self.below(3) {
            text += &self.literal(terms);
        }
        match self.below(7) {
            0 => text += &format!("(or {} {})", self.literal(terms), self.literal(terms)),
            1 => {
                let inner: Vec<&str> = terms.iter().copied().chain(["?z"]).collect();
                text += &format!("(exists (?z) {})", self.literal(&inner));
            }
            2 => {
                let inner: Vec<&str> = terms.iter().copied().chain(["?z"]).collect();
                let (a, b) = (self.atom(&inner), self.literal(&inner));
                text += &format!("(forall (?z) (imply {a} {b}))");
            }
            _ => {}
        }
        text + ")"
    }

    fn effect(&mut self, terms: &[&str]) -> String {
        // `s` stays static.
        let atom = |dice: &mut Dice| match dice.below(3) {
            0 => format!("(p {})", dice.one_of(terms)),
            1 => format!("(q {} {})", dice.one_of(terms), dice.one_of(terms)),
            _ => "(r)".to_string(),
        };
        let mut text = String::from("(and");
        for _ in 0..1 + self.below(2) {
            text += &atom(self);
        }
        if self.below(2) == 0 {
            text += &format!("(not {})", atom(self));
        }
        text + ")"
    }

    fn subtasks(&mut self, terms: &[&str]) -> String {
        let key = self.one_of(&[":ordered-subtasks", ":ordered-subtasks", ":subtasks"]);
        let mut text = format!("{key} (and");
        for _ in 0..self.below(4) {
            let (x, y) = (self.one_of(terms), self.one_of(terms));
            text += &match self.below(5) {
                0 => format!("(t {x})"),
                1 => format!("(u {x} {y})"),
                2 => format!("(a {x})"),
                3 => format!("(b {x} {y})"),
                _ => "(c)".to_string(),
            };
        }
        text + ")"
    }

    fn problem(&mut self) -> (String, String) {
        let mut domain = String::from(
            "(define (domain d) (:types k l - object) (:constants k1 - k)
             (:predicates (p ?x) (q ?x ?y) (r) (s ?x ?y)) (:task t :parameters (?x))
             (:task u :parameters (?x ?y))\n",
        );
        for (name, parameters, terms) in [
            ("a", "(?x)", &["?x", "k1"][..]),
            ("b", "(?x ?y)", &["?x", "?y"]),
            ("c", "()", &["k1"]),
        ] {
            domain += &format!(
                "(:action {name} :parameters {parameters} :precondition {} :effect {})\n",
                self.condition(terms),
                self.effect(terms)
            );
        }
        for number in 0..4 {
            let (task, kind) = match self.below(2) {
                0 => (
                    "(t ?x)",
                    self.one_of(&["?x ?y", "?x ?y - k", "?x - l ?y ?w"]),
                ),
                _ => ("(u ?x ?y)", self.one_of(&["?x ?y", "?x ?y ?w - k"])),
            };
            let terms: Vec<&str> = match kind.contains("?w") {
                true => vec!["?x", "?y", "?w"],
                false => vec!["?x", "?y", "k1"],
            };
            domain += &format!(
                "(:method m{number} :parameters ({kind}) :task {task} :precondition {} {})\n",
                self.condition(&terms),
                self.subtasks(&terms)
            );
        }
        let mut problem =
            String::from("(define (problem p) (:domain d) (:objects k2 - k l1 - l)\n");
        if self.below(5) > 0 {
            problem += &format!(
                "(:htn :parameters (?v) {})\n",
                self.subtasks(&["?v", "k2", "l1"])
            );
        }
        problem += "(:init";
        for _ in 0..2 + self.below(5) {
            problem += &self.atom(&["k1", "k2", "l1"]);
        }
        problem += &format!(") (:goal {}))", self.condition(&["k1", "l1"]));
        (domain + ")", problem)
    }
}

#[test]
fn the_fast_grounder_keeps_what_the_slow_one_keeps() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let (mut solvable, mut refuted) = (0, 0);
    for round in 0..1500 {
        let (domain, problem) = dice.problem();
        let model = model(&domain, &problem);
        let mut slow = Slow::new(&model);
        let possible = slow.run();
        let fast = ground(&model, &mut Run::default());
        let texts = format!("round {round}\n{domain}\n{problem}");
        let fast = match fast {
            Err(GroundError::Refuted(_)) => {
                assert!(!possible, "refuted what may be possible: {texts}");
                refuted += 1;
                continue;
            }
            Err(error) => panic!("{error} {texts}"),
            Ok(fast) => fast,
        };
        assert!(possible, "the slow one refutes it: {texts}");
        solvable += 1;
        let objects = |list: &[ObjectId]| list.iter().map(|o| o.0).collect::<Vec<u32>>();
        let actions: BTreeSet<_> = fast
            .actions
            .iter()
            .map(|a| (a.schema.unwrap().0, objects(&a.arguments)))
            .collect();
        assert_eq!(actions, slow.actions, "{texts}");
        let tasks: BTreeSet<_> = fast
            .tasks
            .iter()
            .filter_map(|t| Some((t.schema?.0, objects(&t.arguments))))
            .collect();
        slow.achieved.remove(&(u32::MAX, vec![]));
        assert_eq!(tasks, slow.achieved, "{texts}");
        let methods: BTreeSet<u32> = fast
            .methods
            .iter()
            .filter_map(|m| m.schema)
            .map(|m| m.0)
            .collect();
        let wanted: BTreeSet<u32> = slow
            .methods
            .iter()
            .map(|m| m.0)
            .filter(|&m| m != u32::MAX)
            .collect();
        assert_eq!(methods, wanted, "{texts}");
    }
    // Otherwise nothing was tested.
    assert!(solvable > 200 && refuted > 100, "{solvable} and {refuted}");
}
