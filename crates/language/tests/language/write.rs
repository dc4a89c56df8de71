//! Writing a model and reading it again is the identity; formatting changes
//! blanks only.

use super::split;
use planoku_language::model::Model;
use planoku_language::syntax::{TokenKind, Tree, tokens};
use planoku_language::{layout, write};

/// The model without the places it came from.
fn bare(model: &Model) -> String {
    let text = format!("{model:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out += &rest[..at];
        let end = rest[at..].find('}').unwrap();
        rest = &rest[at + end..];
    }
    out + rest
}

#[track_caller]
fn check(name: &str, domain: &str, problem: &str) {
    let read = |domain: &str, problem: &str| {
        let (model, found) = planoku_language::read(domain, problem);
        model.unwrap_or_else(|| panic!("{name}: {}", found.brief(&[("d", domain), ("p", problem)])))
    };
    let first = read(domain, problem);
    let written = (write::domain(&first), write::problem(&first));
    let second = read(&written.0, &written.1);
    assert_eq!(
        bare(&first),
        bare(&second),
        "{name}\n{}\n{}",
        written.0,
        written.1
    );
    assert_eq!(
        written,
        (write::domain(&second), write::problem(&second)),
        "{name}"
    );
    for text in [domain, problem, &written.0, &written.1] {
        formats(name, text);
    }
}

/// Formatting twice is formatting once, and the words stay.
#[track_caller]
fn formats(name: &str, text: &str) {
    let words = |text: &str| -> Vec<String> {
        tokens(text)
            .filter(|token| token.kind != TokenKind::Blank)
            .map(|token| {
                text[token.start as usize..token.end as usize]
                    .trim_end()
                    .to_owned()
            })
            .collect()
    };
    let once = layout::format(&Tree::read(text, 0)).unwrap();
    assert_eq!(words(text), words(&once), "{name}");
    let twice = layout::format(&Tree::read(once.as_str(), 0)).unwrap();
    assert_eq!(once, twice, "{name}");
}

#[test]
fn numbers_survive_being_written() {
    let domain = "(define (domain d) (:requirements :numeric-fluents :conditional-effects)
      (:types truck)
      (:predicates (at ?t - truck))
      (:functions (fuel ?t - truck) (total-cost) (price) - number)
      (:action go :parameters (?t - truck)
        :precondition (and (>= (- (fuel ?t) 1.5) (/ 1 3)) (not (= (fuel ?t) 4)) (< -2 (- (price))))
        :effect (and (at ?t) (decrease (fuel ?t) (* 2 (price) 0.25)) (scale-up (price) 2)
          (forall (?u - truck) (when (> (fuel ?u) 3) (assign (fuel ?u) (+ 1 (price) 1))))
          (increase (total-cost) (price)))))";
    for metric in ["minimize (total-cost)", "maximize (+ (price) (fuel a))"] {
        let problem = format!(
            "(define (problem p) (:domain d) (:objects a b - truck)
              (:init (= (fuel a) 3.75) (= (fuel b) -7) (= (price) 0)) (:goal (<= (fuel a) (fuel b)))
              (:metric {metric}))"
        );
        check("numbers", domain, &problem);
    }
}

#[test]
fn every_model_of_the_repository_survives_the_round_trip() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut pairs = vec![
        (
            "htn/order/plain/domain.hddl".to_string(),
            "htn/order/plain/4x4.hddl".to_string(),
        ),
        (
            "htn/recursive/plain/domain.hddl".into(),
            "htn/recursive/plain/4x4.hddl".into(),
        ),
        (
            "htn/order/published/domain-9x9.hddl".into(),
            "htn/order/published/figure-1.hddl".into(),
        ),
    ];
    for model in ["a", "b", "d"] {
        let name = |file: &str| format!("strips/{model}/{file}.pddl");
        pairs.push((name("domain"), name("figure-1")));
    }
    for file in std::fs::read_dir(folder.join("classical"))
        .unwrap()
        .flatten()
    {
        if file.path().is_dir() {
            let name = file.file_name().to_string_lossy().into_owned();
            pairs.push((
                format!("classical/{name}/domain.pddl"),
                format!("classical/{name}/small.pddl"),
            ));
        }
    }
    assert!(pairs.len() >= 17, "{}", pairs.len());
    for (domain, problem) in pairs {
        check(&problem, &text(&domain), &text(&problem));
    }
}

#[test]
#[ignore = "needs the corpora in ../shared"]
fn every_competition_sample_survives_the_round_trip() {
    for (domain, problem) in super::ipc::samples() {
        let text = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
        check(
            &problem.display().to_string(),
            &text(&domain),
            &text(&problem),
        );
    }
}

#[test]
fn pddl_beyond_the_samples_survives_the_round_trip() {
    let text = "(define (domain all)
      (:types a b - c d - (either a c) e)
      (:constants k - a l - (either a e))
      (:predicates (p ?x - (either a e)) (q ?x ?y) (r) (s ?x - c))
      (:functions (total-cost) - number (cost ?x - a) - number)
      (:derived (s ?z - c) (exists (?y) (q ?z ?y)))
      (:task t :parameters (?x - a ?y))
      (:method m0 :parameters (?x - a ?y ?z) :task (t ?x ?y)
        :precondition (or (r) (and) (imply (q ?x ?y) (not (= ?x ?y))))
        :subtasks (and (u (t ?x ?z)) (v (act ?x)) (t ?x ?y)) :ordering (< v u)
        :constraints (and (not (= ?z ?y)) (= ?x ?x)))
      (:method m1 :parameters (?x - a) :task (t ?x ?x) :ordered-subtasks ())
      (:action act :parameters (?x - a)
        :precondition (forall (?y - a ?z) (and (q ?x ?y) (exists (?w) (q ?w ?z))))
        :effect (and (increase (total-cost) (cost ?x)) (not (r))
          (forall (?y) (when (q ?x ?y) (and (q ?y ?x) (not (q ?x ?y)))))
          (increase (total-cost) 3))))
      (define (problem x) (:domain all)
        (:objects o1 o2 - a o3)
        (:init (p k) (p k) (q o3 o1) (= (cost o1) 7) (= (total-cost) 0))
        (:htn :parameters (?f - a) :subtasks (and (t ?f o3) (act k)))
        (:goal (and (r) (forall (?x - a) (not (s ?x)))))
        (:metric minimize (total-cost)))";
    let (domain, problem) = split(text);
    check("all", domain, problem.unwrap());
}

#[test]
fn comments_and_breaks_stay_where_they_were() {
    let text = "; head\n(define (domain d) ; name\n      (:predicates (p)   (q) ; two\n   (r)\n   ; last\n   )\n\n\n\n(:action   a :parameters () :precondition (and (p)\n (q)) :effect (r)))";
    let expected = "; head\n(define (domain d) ; name\n  (:predicates (p) (q) ; two\n    (r)\n    ; last\n    )\n\n  (:action a\n    :parameters ()\n    :precondition (and\n      (p)\n      (q))\n    :effect (r)))\n";
    assert_eq!(layout::format(&Tree::read(text, 0)).unwrap(), expected);
}

#[test]
fn a_text_with_errors_is_not_formatted() {
    assert!(layout::format(&Tree::read("(define (domain d)", 0)).is_err());
}

#[test]
fn a_list_too_long_for_its_line_is_laid_out_once_and_for_all() {
    let word = "somewhere-".repeat(12);
    for fact in [format!("({word}\n  )"), format!("(\n{word})")] {
        let text = format!("(define (problem p) (:init {fact} (clear a)\n ))");
        let once = layout::format(&Tree::read(text.as_str(), 0)).unwrap();
        let twice = layout::format(&Tree::read(once.as_str(), 0)).unwrap();
        assert_eq!(twice, once);
    }
}

#[test]
fn a_word_does_not_become_a_byte_order_mark() {
    let once = layout::format(&Tree::read("\n\n\u{FEFF}", 0)).unwrap();
    assert!(once.contains('\u{FEFF}'), "{once:?}");
    let twice = layout::format(&Tree::read(once.as_str(), 0)).unwrap();
    assert_eq!(twice, once);
    assert_eq!(layout::format(&Tree::read("\u{FEFF}\n", 0)).unwrap(), "");
}
