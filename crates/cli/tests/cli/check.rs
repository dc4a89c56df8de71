//! `planoku check`, `fmt` and `explain` as people and scripts meet them.

use std::path::{Path, PathBuf};

use crate::planoku;

const DOMAIN: &str = "(define (domain d)
  (:types truck place)
  (:predicates (at ?t - truck ?p - place))   ; kept as it is
  (:action go :parameters (?t - truck ?from ?to - place)
    :precondition (at ?t ?from) :effect (and (not (at ?t ?from)) (at ?t ?to))))
";
const PROBLEM: &str = "(define (problem p)\r
  (:domain d)\r
  (:objects t1 - truck home\twork - place)\r
  (:init (at home t1))\r
  (:goal (at t1 work)))\r
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for each test, with the two files in it.
struct Files {
    folder: PathBuf,
    domain: String,
    problem: String,
}

impl Files {
    fn new(name: &str, domain: &str, problem: &str) -> Files {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.join(file);
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        Files {
            domain: write("domain.hddl", domain),
            problem: write("problem.hddl", problem),
            folder,
        }
    }
}

#[test]
fn a_mistake_ends_with_one_and_shows_its_line() {
    let files = Files::new("mistake", DOMAIN, PROBLEM);
    let output = planoku(&["check", &files.domain, &files.problem]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(out.contains("error[E0309]"), "{out}");
    assert!(out.contains("problem.hddl:4:10"), "{out}");
    assert!(out.contains("`(at t1 home)` fits"), "{out}");
}

#[test]
fn json_has_the_documented_fields() {
    let files = Files::new("json", DOMAIN, PROBLEM);
    let output = planoku(&["check", &files.domain, &files.problem, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let first = &object["diagnostics"][0];
    for key in [
        "code",
        "severity",
        "message",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "count",
        "related",
        "fix",
    ] {
        assert!(first.get(key).is_some(), "{key} is missing in {first}");
    }
    assert_eq!(first["code"], "E0309");
    assert_eq!(first["severity"], "error");
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64()),
        (Some(4), Some(10))
    );
}

#[test]
fn sarif_names_rules_and_places() {
    let files = Files::new("sarif", DOMAIN, PROBLEM);
    let output = planoku(&["check", &files.domain, &files.problem, "--sarif"]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["version"], "2.1.0");
    let result = &object["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "E0309");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 4);
}

#[test]
fn fix_changes_what_it_says_and_nothing_else() {
    let files = Files::new("fix", DOMAIN, PROBLEM);
    let output = planoku(&["check", &files.domain, &files.problem, "--fix"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let fixed = std::fs::read_to_string(files.folder.join("problem.hddl")).unwrap();
    assert_eq!(fixed, PROBLEM.replace("(at home t1)", "(at t1 home)"));
    let domain = std::fs::read_to_string(files.folder.join("domain.hddl")).unwrap();
    assert_eq!(domain, DOMAIN);
}

#[test]
fn a_file_that_cannot_be_mended_is_left_alone() {
    // One `)` can be mended, the NUL byte cannot: nothing is written.
    let broken = DOMAIN
        .replace("(at ?t ?from) :effect", "(at ?t ?from :effect")
        .replace("; kept", ";\0 kept");
    let files = Files::new("unmendable", &broken, PROBLEM);
    let output = planoku(&["check", &files.domain, "--fix"]);
    assert_eq!(output.status.code(), Some(1));
    let after = std::fs::read_to_string(files.folder.join("domain.hddl")).unwrap();
    assert_eq!(after, broken);
    assert!(text(&output.stderr).contains("left as it is"));
}

#[test]
fn a_missing_file_is_bad_input() {
    let output = planoku(&["check", "no-such-file.hddl"]);
    assert_eq!(output.status.code(), Some(30));
    assert!(text(&output.stderr).contains("no-such-file.hddl"));
}

#[test]
fn explain_knows_its_codes() {
    let output = planoku(&["explain", "e0308"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).starts_with("# E0308"));
    assert_eq!(planoku(&["explain", "E9999"]).status.code(), Some(30));
    assert!(text(&planoku(&["explain"]).stdout).lines().count() > 40);
}

#[test]
fn fmt_keeps_comments_and_check_tells_without_writing() {
    let files = Files::new("fmt", DOMAIN, PROBLEM);
    let output = planoku(&["fmt", "--check", &files.domain, &files.problem]);
    assert_eq!(output.status.code(), Some(1));
    let path = files.folder.join("domain.hddl");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), DOMAIN);
    assert_eq!(
        planoku(&["fmt", &files.domain, &files.problem])
            .status
            .code(),
        Some(0)
    );
    let formatted = std::fs::read_to_string(&path).unwrap();
    assert!(formatted.contains("; kept as it is"), "{formatted}");
    assert_eq!(
        planoku(&["fmt", "--check", &files.domain]).status.code(),
        Some(0)
    );
    std::fs::write(&path, "(define (domain d)").unwrap();
    assert_eq!(planoku(&["fmt", &files.domain]).status.code(), Some(30));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "(define (domain d)"
    );
}
