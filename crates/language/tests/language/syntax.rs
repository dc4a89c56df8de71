//! The reader: lossless, tireless, and able to say where a parenthesis lacks.

use planoku_language::source::Lines;
use planoku_language::syntax::{NodeKind, Tree, tokens};
use std::time::{Duration, Instant};

/// Codes and lines of the mistakes in a text.
#[track_caller]
fn check(text: &str, expected: &[(&str, u32)]) {
    let tree = Tree::read(text, 0);
    let lines = Lines::new(text);
    let found: Vec<(&str, u32)> = tree
        .errors
        .iter()
        .map(|e| (e.code.name, lines.position(text, e.span.start).line))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn an_unclosed_list_is_found_by_the_key_that_follows() {
    let text = "(define (domain d)\n (:action a\n  :precondition (and (p)\n  :effect (q))\n)";
    check(text, &[("E0011", 3)]);
}

#[test]
fn an_unclosed_list_is_found_by_the_section_that_follows() {
    let text = "(define (domain d)\n (:action a\n  :effect (q)\n (:action b\n  :effect (q)))";
    check(text, &[("E0011", 2)]);
}

#[test]
fn an_unclosed_list_is_found_by_indentation() {
    // The fact in line 4 borrows the parenthesis of `:init`, which borrows
    // that of the definition; only the indentation tells.
    let text = "(define (problem p)\n  (:init\n    (a b)\n    (c d\n    (e f)\n    (g h))\n  (:goal (a b)))";
    check(text, &[("E0011", 4)]);
    let tree = Tree::read(text, 0);
    let define = tree.root().children().next().unwrap();
    let init = define.children().nth(2).unwrap();
    assert_eq!(init.children().count(), 5);
}

#[test]
fn three_unclosed_lists_are_three_mistakes() {
    let text = "(define (domain d)\n (:action a\n  :precondition (and (p)\n  :effect (q))\n (:action b\n  :precondition (or (p)\n  :effect (q))\n";
    check(text, &[("E0011", 3), ("E0011", 6), ("E0011", 1)]);
}

#[test]
fn a_missing_last_parenthesis_belongs_to_the_definition() {
    check("(define (domain d)\n(:predicates (p))\n", &[("E0011", 1)]);
}

#[test]
fn a_definition_closed_too_early_goes_on() {
    let text = "(define (domain d)\n (:predicates (p)))\n (:action a :effect (p)))";
    check(text, &[("E0012", 2)]);
    let tree = Tree::read(text, 0);
    assert_eq!(tree.root().children().count(), 1);
}

#[test]
fn facts_outside_init_are_taken_in() {
    let text = "(define (problem p)\n (:init)\n  (a)\n  (b)\n )\n (:goal (a))\n)";
    check(text, &[("E0013", 2)]);
}

#[test]
fn reading_is_lossless() {
    let text = "\u{FEFF}; first\r\n(define\t(domain d) ; why\r\n (:predicates (p ?x -t)))\r\n;end";
    let again: String = tokens(text)
        .map(|token| &text[token.start as usize..token.end as usize])
        .collect();
    assert_eq!(again, text);
    assert!(Tree::read(text, 0).errors.is_empty());
}

#[test]
fn positions_lead_to_nodes() {
    let text = "(define (domain d) (:predicates (p ?x)))";
    let tree = Tree::read(text, 0);
    let path = tree.at(text.find("?x").unwrap() as u32 + 1);
    let last = path[path.len() - 1];
    assert_eq!((last.kind(), last.text()), (NodeKind::Variable, "?x"));
    assert_eq!(path.len(), 5);
}

#[test]
fn bytes_that_are_not_utf8_keep_their_places() {
    let tree = Tree::read_bytes(b"(define \xFF\xFE (domain d))".to_vec(), 0);
    assert_eq!(tree.errors[0].code.name, "E0001");
    assert_eq!(tree.errors[0].span.start, 8);
    assert_eq!(tree.errors[0].count, 2);
    assert_eq!(tree.text().len(), 22);
}

#[test]
fn nul_bytes_are_reported_once() {
    let tree = Tree::read("(define \0 (domain d)\0)", 0);
    assert_eq!(tree.errors.len(), 1);
    assert_eq!(
        (tree.errors[0].code.name, tree.errors[0].count),
        ("E0002", 2)
    );
}

/// Generous: a quadratic reader would need minutes.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn strange_texts_take_linear_time() {
    let deep = |n: usize| format!("{}{}", "(".repeat(n), ")".repeat(n));
    let texts = [
        deep(10_000),
        deep(300_000),
        "(".repeat(300_000),
        ")".repeat(300_000),
        "(a\n".repeat(100_000),
        "a".repeat(1 << 20),
        format!("(define (domain {}))", "x".repeat(1 << 20)),
        "(:action a :effect (".repeat(30_000),
        format!("(define (problem p) (:init){}", "a)".repeat(100_000)),
        "(define".repeat(50_000),
        ": ".repeat(300_000),
        "?".repeat(300_000),
        format!("(define (domain d) (:types {}", "a - b ".repeat(100_000)),
        (0..30_000).fold("(define (domain d) (:types".to_owned(), |t, i| {
            format!("{t} t{i} - t{}", i + 1)
        }),
        format!(
            "(define (domain d) (:action a :precondition {}",
            "(and ".repeat(100_000)
        ),
        format!(
            "(define (domain d) (:action a :parameters ({})",
            "?x ".repeat(50_000)
        ),
    ];
    for text in texts {
        let start = Instant::now();
        let found = super::check(&text, true);
        let domain = Tree::read(text.as_str(), 0);
        let source = planoku_language::diagnostic::Source {
            name: "x",
            text: domain.text(),
        };
        let drawing = planoku_language::diagnostic::Drawing::new(&[source, source], true);
        for diagnostic in found.list.iter().take(5) {
            assert!(!drawing.draw(diagnostic).is_empty());
        }
        assert!(
            start.elapsed() < SOON,
            "{:?} for {}",
            start.elapsed(),
            &text[..20.min(text.len())]
        );
    }
}

/// Thousands of actions that never apply, each for want of the next.
#[test]
fn a_long_chain_of_dead_actions_takes_linear_time() {
    let mut text = "(define (domain d) (:predicates (p0)".to_owned();
    (1..=20_000).for_each(|i| text += &format!(" (p{i})"));
    text += ")";
    for i in 0..20_000 {
        let (next, effect) = (i + 1, i);
        text += &format!("(:action a{i} :precondition (p{next}) :effect (p{effect}))\n");
    }
    text += ")(define (problem x) (:domain d) (:init) (:goal (and)))";
    let start = Instant::now();
    let found = super::check(&text, false);
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    let dead: Vec<_> = (found.list.iter())
        .filter(|d| d.code.name == "H0504")
        .collect();
    assert_eq!(dead.len(), 1);
    assert!(dead[0].message.contains("`a19999`"), "{}", dead[0].message);
}

#[test]
fn names_fold_unless_asked() {
    use planoku_language::model::resolve::{Options, resolve};
    let domain = Tree::read("(define (domain d) (:predicates (P ?x)))", 0);
    let problem = Tree::read(
        "(define (problem p) (:domain D) (:objects a A) (:init (p A)))",
        1,
    );
    let folded = resolve(&domain, Some(&problem), Options::default());
    assert!(!folded.diagnostics.has_errors());
    assert_eq!(folded.model.objects.len(), 1);
    let options = Options {
        case_sensitive: true,
        references: false,
    };
    let exact = resolve(&domain, Some(&problem), options);
    assert_eq!(exact.model.objects.len(), 2);
    assert_eq!(exact.diagnostics.list[0].code.name, "W0602");
    assert_eq!(exact.diagnostics.list[1].code.name, "E0102");
}

#[test]
fn references_name_every_use() {
    use planoku_language::model::resolve::{Options, Symbol, resolve};
    let text = "(define (domain d) (:types t) (:predicates (p ?x - t)) \
        (:action a :parameters (?y - t) :precondition (p ?y) :effect (not (p ?y))))";
    let tree = Tree::read(text, 0);
    let options = Options {
        case_sensitive: false,
        references: true,
    };
    let reading = resolve(&tree, None, options);
    let count = |wanted: fn(&Symbol) -> bool| {
        reading
            .references
            .iter()
            .filter(|r| wanted(&r.symbol))
            .count()
    };
    assert_eq!(count(|s| matches!(s, Symbol::Type(_))), 3);
    assert_eq!(count(|s| matches!(s, Symbol::Predicate(_))), 3);
    assert_eq!(count(|s| matches!(s, Symbol::Variable(..))), 4);
    for reference in &reading.references {
        let name = &text[reference.span.start as usize..reference.span.end as usize];
        assert!(["t", "p", "a", "?x", "?y"].contains(&name), "{name}");
    }
}

/// A problem of about so many bytes.
fn large(bytes: usize) -> String {
    use std::fmt::Write;
    let mut text = String::from("(define (problem large) (:domain d)\n  (:objects");
    let count = (bytes / 40).max(10);
    for i in 0..count / 10 {
        _ = write!(text, " place{i}");
    }
    text += " - place)\n  (:htn :ordered-subtasks (and (visit place0)))\n  (:init\n";
    let mut i = 0usize;
    while text.len() < bytes {
        let (a, b) = (i % (count / 10), (i * 7919 + i / 10) % (count / 10));
        _ = writeln!(text, "    (road place{a} place{b})");
        i += 1;
    }
    text + "  ))\n"
}

const LARGE_DOMAIN: &str = "(define (domain d) (:types place) (:predicates (road ?a ?b - place)
    (seen ?a - place)) (:task visit :parameters (?p - place))
    (:method m :parameters (?p - place) :task (visit ?p) :ordered-subtasks (and (look ?p)))
    (:action look :parameters (?p - place) :effect (seen ?p)))";

/// Reads and checks a large problem; seconds of this thread.
fn time_large(bytes: usize) -> f64 {
    use super::ipc::cpu_time;
    use planoku_language::lint;
    let text = large(bytes);
    let start = cpu_time();
    let domain = Tree::read(LARGE_DOMAIN, 0);
    let problem = Tree::read(text, 1);
    let found = lint::check(
        &domain,
        Some(&problem),
        Default::default(),
        Default::default(),
    );
    assert!(!found.has_errors());
    (cpu_time() - start).as_secs_f64()
}

/// Eight times the text must not take much more than eight times as long.
/// `PLANOKU_LARGE_MB=100` tries a hundred megabytes and prints what it took.
#[test]
fn large_texts_take_linear_time() {
    if let Some(mb) = std::env::var("PLANOKU_LARGE_MB")
        .ok()
        .and_then(|mb| mb.parse::<usize>().ok())
    {
        for mb in [mb / 4, mb / 2, mb] {
            let seconds = time_large(mb << 20);
            let memory = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let peak = memory
                .lines()
                .find(|line| line.starts_with("VmHWM"))
                .unwrap_or("");
            println!("{mb} MB: {seconds:.2} s, {peak}");
        }
        return;
    }
    let small = (0..3)
        .map(|_| time_large(128 << 10))
        .fold(f64::MAX, f64::min);
    let large = (0..2).map(|_| time_large(1 << 20)).fold(f64::MAX, f64::min);
    assert!(large < 8.0 * 5.0 * small + 0.5, "{small} s, then {large} s");
}
