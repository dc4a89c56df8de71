use super::{Context, ListPlace, NameIndex, Space, context};
use crate::syntax::Tree;

const DOMAIN: &str = "(define (domain Rooms)
  (:types room thing - object ball - thing)
  (:constants hall - room)
  (:predicates (in ?t - thing ?r - room) (lit ?r - room))
  (:task tidy :parameters (?t - thing))
  (:method tidy-away :parameters (?t - ball ?r - room) :task (tidy ?t)
    :precondition (not (in ?t hall))
    :subtasks (and (first (carry ?t ?r)) (second (tidy ?t)))
    :ordering (and (< first second)))
  (:action carry :parameters (?t - thing ?r - room)
    :precondition (forall (?r - room) (lit ?r))
    :effect (and (IN ?t ?r) (when (lit ?R) (not (lit ?r))))))
";

/// Every place that has the name at the `nth` occurrence of `text`, as
/// `line:word`, declarations with a star.
#[track_caller]
fn check(source: &str, text: &str, nth: usize, expected: &[&str]) {
    let tree = Tree::read(source, 0);
    let index = NameIndex::of(&tree);
    let (at, _) = source.match_indices(text).nth(nth).unwrap();
    let mention = index.at(at as u32).unwrap();
    let found: Vec<String> = index
        .uses(mention.symbol)
        .map(|place| {
            let (start, end) = (place.span.start as usize, place.span.end as usize);
            let line = source[..start].matches('\n').count() + 1;
            let star = if place.declares { "*" } else { "" };
            format!("{line}:{}{star}", &source[start..end])
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn names_are_found_in_any_case_and_apart_by_kind() {
    check(DOMAIN, "in ?t", 0, &["4:in*", "7:in", "12:IN"]);
    check(DOMAIN, "hall", 1, &["3:hall*", "7:hall"]);
    check(DOMAIN, "carry", 0, &["8:carry", "10:carry*"]);
    check(DOMAIN, "tidy ", 0, &["5:tidy*", "6:tidy", "8:tidy"]);
    check(
        DOMAIN,
        "thing -",
        0,
        &["2:thing*", "2:thing", "4:thing", "5:thing", "10:thing"],
    );
    check(DOMAIN, "second))", 0, &["8:second*", "9:second"]);
}

#[test]
fn a_quantifier_hides_the_parameter_of_its_name() {
    check(
        DOMAIN,
        "lit ?r))\n    :effect",
        0,
        &["4:lit*", "11:lit", "12:lit", "12:lit"],
    );
    check(DOMAIN, "?r - room) (lit ?r))", 0, &["11:?r*", "11:?r"]);
    check(
        DOMAIN,
        "?r - room)\n    :precondition (forall",
        0,
        &["10:?r*", "12:?r", "12:?R", "12:?r"],
    );
}

#[test]
fn undeclared_and_wrongly_used_names_are_found_all_the_same() {
    let broken = "(define (domain d) (:predicates (p ?x))
      (:action a :parameters (?x) :precondition (and (p ?x ?y) (q ?x)
        :effect (and (not (p)) (q ?y)))
      (:action a :parameters (?x) :effect (p ?x)))";
    check(broken, "p ?x ?y", 0, &["1:p*", "2:p", "3:p", "4:p"]);
    check(broken, "q ?x", 0, &["2:q", "3:q"]);
    check(broken, "?y", 0, &["2:?y", "3:?y"]);
    check(
        broken,
        "?x)\n        :effect",
        0,
        &["2:?x*", "2:?x", "2:?x"],
    );
}

#[test]
fn names_shared_by_files_are_found_by_kind() {
    let index = NameIndex::of(&Tree::read(DOMAIN, 0));
    assert_eq!(index.find(Space::Domain, "rooms").unwrap().1.name, "Rooms");
    assert!(index.find(Space::Predicate, "carry").is_none());
    assert_eq!(index.declared(Space::Task).count(), 2);
}

#[track_caller]
fn around(source: &str) -> Context {
    let at = source.find('|').unwrap();
    let tree = Tree::read(source.replace('|', ""), 0);
    context(&tree, at as u32)
}

#[test]
fn what_surrounds_a_byte_is_known_in_half_a_text() {
    let found = around("(define (domain d) (:action a :parameters (?x - t ?y) :effect (and (p |");
    assert_eq!((found.place, found.position), (ListPlace::Effect, 1));
    let names: Vec<&str> = found.variables.iter().map(|v| v.0.as_str()).collect();
    assert_eq!(names, ["?y", "?x"]);
    let found = around("(define (domain d) (:action a :parameters (?x - |");
    assert_eq!((found.place, found.after_dash), (ListPlace::Names, true));
    assert_eq!(around("(define (domain d) (:ac|").position, 0);
    let found = around("(define (domain d) (:method m :subtasks (and (a (go)) (b (|)))");
    assert_eq!((found.place, found.position), (ListPlace::Subtasks, 0));
    let found = around("(define (domain d) (:method m\n  :|\n  :subtasks (and)))");
    assert_eq!(found.place, ListPlace::Section(":method"));
    assert_eq!(around("|").place, ListPlace::File);
}

#[test]
fn deep_and_long_texts_are_indexed_in_time() {
    let deep = format!(
        "(define (domain d) (:action a :effect {}",
        "(and ".repeat(100_000)
    );
    NameIndex::of(&Tree::read(deep, 0));
    let many: String = (0..20_000).map(|i| format!("?v{i} ")).collect();
    let long = format!("(define (domain d) (:action a :parameters ({many}) :effect (p {many}))");
    assert_eq!(NameIndex::of(&Tree::read(long, 0)).mentions.len(), 40_003);
}
