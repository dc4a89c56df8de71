//! What `check --fix` writes is certain, and makes nothing worse.

use super::fuzz::{CLASSICAL, SEED, edits, mutate, run};
use super::{check, codes, split};
use planoku_language::lint::mend::{Mended, errors, mend};
use planoku_language::model::resolve::Options;
use proptest::prelude::*;

/// A text with a domain and, after it, perhaps a problem, mended.
fn mended(text: &[u8]) -> (Vec<Vec<u8>>, Mended) {
    let at = text
        .windows(16)
        .position(|window| window == b"(define (problem")
        .unwrap_or(text.len());
    let texts = match at == text.len() {
        true => vec![text.to_vec()],
        false => vec![text[..at].to_vec(), text[at..].to_vec()],
    };
    let mended = mend(&texts, Options::default(), Default::default());
    (texts, mended)
}

fn joined(texts: &[Vec<u8>]) -> String {
    String::from_utf8(texts.concat()).unwrap()
}

/// One change of a correct text, and what mending makes of it.
#[track_caller]
fn fixed(from: &str, to: &str, wanted: &str) {
    assert!(SEED.contains(from));
    let flawed = SEED.replacen(from, to, 1);
    let (_, mended) = mended(flawed.as_bytes());
    assert_eq!(joined(&mended.texts), SEED.replacen(from, wanted, 1));
}

#[test]
fn no_fix_of_any_mutation_brings_an_error_or_needs_another_run() {
    let mut changed = 0;
    let few = prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..3);
    run(
        (few, edits(), any::<[bool; 2]>()),
        |(few, many, [which, slightly])| {
            let text = if which { SEED } else { CLASSICAL };
            let bytes = mutate(text, if slightly { &few } else { &many });
            let (before, after) = mended(&bytes);
            let known = errors(&before, Options::default());
            for (error, count) in errors(&after.texts, Options::default()) {
                let old = known.get(&error).copied().unwrap_or(0);
                assert!(
                    count <= old,
                    "{error:?} in\n{}",
                    String::from_utf8_lossy(&bytes)
                );
            }
            if after.texts != before {
                changed += 1;
                let again = mend(&after.texts, Options::default(), Default::default());
                assert_eq!(again.texts, after.texts);
            }
        },
    );
    assert!(changed >= 50, "{changed} texts were mended");
}

/// The typing error of a letter, in a name that has no neighbour.
#[test]
fn what_is_certain_is_mended() {
    fixed("(:action drive", "(:acton drive", "(:action drive");
    fixed(
        ":precondition (road",
        ":precondtion (road",
        ":precondition (road",
    );
    fixed(
        "(deliver letter home)",
        "(delivr letter home)",
        "(deliver letter home)",
    );
    fixed("(paved home)", "(pavde home)", "(paved home)");
}

/// It once became `:hierachy`, another misspelling.
#[test]
fn a_misspelt_requirement_becomes_a_right_one() {
    fixed(":hierarchy", ":hierachie", ":hierarchy");
}

/// It once became one of four equally near.
#[test]
fn what_may_mean_several_things_is_left_alone() {
    let subtasks = "(and (t1 (get-to ?v ?from)) (t2 (drive ?v ?from ?to)) (t3 (get-to ?v ?to)) (t4 (get-to ?v ?to)))";
    let (start, rest) = SEED.split_once(":subtasks (and").unwrap();
    let (_, end) = rest.split_once("(< first then)").unwrap();
    let text = format!("{start}:subtasks {subtasks} :ordering (and (< t1 t2) (< t2 t9){end}");
    let found = check(&text, false);
    let label = found.list.iter().find(|d| d.code.name == "E0107").unwrap();
    assert!(
        label.label.contains("`t1`") && label.label.contains("`t2`"),
        "{label:?}"
    );
    assert!(!label.fix.as_ref().unwrap().certain);
    let (before, after) = mended(text.as_bytes());
    assert_eq!(before, after.texts);
    // Another number is another thing, however lonely its neighbour.
    fixed("(at v1 depot)", "(at v2 depot)", "(at v2 depot)");
}

/// A name that is near but takes other arguments is not what was meant.
#[test]
fn a_fix_that_brings_another_error_is_left_out() {
    let text = "(define (domain d) (:predicates (loaded ?x ?y))
  (:action a :parameters (?x) :precondition (loadde ?x) :effect (and)))";
    let (before, after) = mended(text.as_bytes());
    assert_eq!(before, after.texts);
    assert_eq!(after.left_out.len(), 1, "{after:?}");
}

/// It once was one word, and `--fix` took it for a misspelling of another.
#[test]
fn a_blank_missing_before_a_variable_is_put_in() {
    fixed(
        "(paved ?p - place)",
        "(paved?p - place)",
        "(paved ?p - place)",
    );
    let flawed = SEED.replace("(at ?v ?to)", "(at ?v?to)");
    let found = check(&flawed, false);
    assert_eq!(codes(&found), ["W0023"]);
    assert!(found.list[0].count > 1);
    let (domain, problem) = split(&flawed);
    assert!(planoku_language::read(domain, problem.unwrap()).0.is_some());
}

#[test]
fn a_parameter_named_twice_where_nothing_depends_on_it_is_a_warning() {
    let flawed = SEED.replace("(road ?from ?to - place)", "(road ?from ?from - place)");
    assert_eq!(codes(&check(&flawed, false)), ["W0116"]);
    let (domain, problem) = split(&flawed);
    assert!(planoku_language::read(domain, problem.unwrap()).0.is_some());
}

#[test]
fn a_supertype_that_nothing_declares_is_told() {
    let flawed = SEED.replace("    thing place)", "    place)");
    assert!(codes(&check(&flawed, true)).contains(&"H0114"));
    assert!(!codes(&check(SEED, true)).contains(&"H0114"));
    let flawed = SEED.replace("bike - vehicle", "bike - vehicel");
    assert!(codes(&check(&flawed, false)).contains(&"W0115"));
}

/// Subtasks that could not be read once took the circle with them.
#[test]
fn no_other_mistake_hides_a_circle_in_an_ordering() {
    let circle = SEED.replace("(< first then)", "(< first then) (< then first)");
    assert_eq!(codes(&check(&circle, false)), ["E0401"]);
    for (from, to, code) in [
        (
            "(first (get-to ?v ?from))",
            "(first (gte-to ?v ?from))",
            "E0105",
        ),
        (
            "(then (drive ?v ?from ?to))",
            "(then (drive ?v ?from))",
            "E0301",
        ),
        (
            "(then (drive ?v ?from ?to))",
            "(thn (drive ?v ?from ?to))",
            "E0107",
        ),
        ("(:method m-drive", "(:method m-stay", "E0111"),
        ("(:method m-drive", "(:method", "E0031"),
        (
            ":task (get-to ?v ?to)\n    :precondition (road",
            ":task (got-to ?v ?to)\n    :precondition (road",
            "E0105",
        ),
    ] {
        assert!(circle.contains(from), "{from}");
        let found = check(&circle.replace(from, to), false);
        let codes = codes(&found);
        assert!(
            codes.contains(&"E0401") && codes.contains(&code),
            "{to}: {codes:?}"
        );
    }
}
