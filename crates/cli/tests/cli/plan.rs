//! `planoku plan` as scripts see it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/classical")
}

fn planoku(arguments: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_planoku"));
    with(child, arguments).output().unwrap()
}

fn with(mut command: Command, arguments: &[&str]) -> Command {
    command.current_dir(models()).args(arguments);
    command
}

/// A file of this test's own, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("planoku-plan-{name}-{}.txt", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn anytime_writes_the_cheapest_plan_and_says_that_it_is() {
    let file = Scratch::new("anytime");
    let (domain, problem) = ("ferry/domain.pddl", "ferry/small.pddl");
    let output = planoku(&["plan", domain, problem, file.path(), "--anytime", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let row = json(&output);
    assert_eq!(row["optimal"], true);
    assert!(row["memory_bytes"].is_null() || row["memory_bytes"].as_u64() > Some(1 << 20));
    let plans = row["plans"].as_array().unwrap();
    assert_eq!(plans.last().unwrap()["cost"], row["cost"]);
    let optimal = json(&planoku(&["plan", domain, problem, "--optimal", "--json"]));
    assert_eq!(row["cost"], optimal["cost"]);
    let written = std::fs::read_to_string(&file.0).unwrap();
    assert!(written.ends_with(&format!("; cost = {}\n", row["cost"])));
    let judged = planoku(&["verify", domain, problem, file.path()]);
    assert_eq!(judged.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn anytime_keeps_the_best_plan_when_it_is_interrupted() {
    let file = Scratch::new("interrupted");
    let (domain, problem) = ("logistics/domain.pddl", "logistics/large.pddl");
    let command = Command::new(env!("CARGO_BIN_EXE_planoku"));
    let arguments = ["plan", domain, problem, file.path(), "--anytime"];
    let mut child = with(command, &arguments)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // It is still at work long after the first plan has been written.
    for _ in 0..600 {
        if file.0.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let judged = planoku(&["verify", domain, problem, file.path()]);
    assert_eq!(judged.status.code(), Some(0));
}

#[test]
fn an_unknown_planner_is_answered_with_the_list() {
    let (domain, problem) = ("blocks/domain.pddl", "blocks/small.pddl");
    let output = planoku(&["plan", domain, problem, "--planner", "oracle"]);
    assert_eq!(output.status.code(), Some(30));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for name in ["strips-first", "strips-lmcut", "htn-optimal", "portfolio"] {
        assert!(text.contains(name), "{name} is not in: {text}");
    }
}

#[test]
fn a_plan_says_what_memory_it_took() {
    let (domain, problem) = ("blocks/domain.pddl", "blocks/small.pddl");
    let row = json(&planoku(&["plan", domain, problem, "--json"]));
    assert_eq!(row["verified"], true);
    assert_eq!(row["memory_bytes"].is_u64(), cfg!(target_os = "linux"));
}

/// A chain of two steps at this cost each, as two files.
fn chain(name: &str, cost: &str) -> [Scratch; 2] {
    let files = [
        Scratch::new(&format!("{name}-domain")),
        Scratch::new(&format!("{name}-problem")),
    ];
    let domain = format!(
        "(define (domain chain) (:requirements :strips :action-costs)\n\
         (:predicates (at ?x) (next ?x ?y)) (:functions (total-cost) - number)\n\
         (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))\n\
         :effect (and (at ?y) (not (at ?x)) (increase (total-cost)\n{cost}))))"
    );
    let problem = "(define (problem p) (:domain chain) (:objects a b c)
      (:init (at a) (next a b) (next b c) (= (total-cost) 0))
      (:goal (at c)) (:metric minimize (total-cost)))";
    std::fs::write(&files[0].0, domain).unwrap();
    std::fs::write(&files[1].0, problem).unwrap();
    files
}

#[test]
fn costs_of_any_size_are_told_exactly_and_judged() {
    for (name, cost, sum, value) in [
        ("2-63", "9223372036854775808", "18446744073709551616", false),
        (
            "2-64",
            "18446744073709551615",
            "36893488147419103230",
            false,
        ),
        ("tenth", "0.1", "0.2", true),
        ("half", "0.50", "1", true),
    ] {
        let [domain, problem] = chain(name, cost);
        let plan = Scratch::new(&format!("{name}-plan"));
        let files = [domain.path(), problem.path()];
        for mode in ["--optimal", "--anytime", "--json"] {
            let output = planoku(&["plan", files[0], files[1], plan.path(), mode]);
            assert_eq!(output.status.code(), Some(0), "{name} {mode}");
            let written = std::fs::read_to_string(&plan.0).unwrap();
            assert!(written.ends_with(&format!("; cost = {sum}\n")), "{written}");
        }
        let row = json(&planoku(&["plan", files[0], files[1], "--json"]));
        match value {
            true => assert_eq!(row["cost"].to_string(), sum),
            false => assert_eq!(row["cost"], sum),
        }
        let judged = planoku(&["verify", files[0], files[1], plan.path()]);
        assert_eq!(judged.status.code(), Some(0), "{name}");
        let said = format!("(go a b)\n(go b c)\n; cost = {cost}\n");
        std::fs::write(&plan.0, said).unwrap();
        let judged = planoku(&["verify", files[0], files[1], plan.path(), "--json"]);
        assert_eq!(judged.status.code(), Some(1), "{name}");
        assert_eq!(json(&judged)["rule"], "cost", "{name}");
    }
}

#[test]
fn a_number_that_cannot_be_a_cost_is_shown_where_it_stands() {
    let [domain, problem] = chain("long", "1000000000000000000000000000");
    let output = planoku(&["plan", domain.path(), problem.path()]);
    assert_eq!(output.status.code(), Some(30));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains(&format!("{}:5:1: error", domain.path())),
        "{text}"
    );
}

// A cost below 0 was refused before total cost could be a number like others.
#[test]
fn what_total_cost_is_is_said_where_it_is_a_number_like_others() {
    let [domain, problem] = chain("below", "-3");
    let output = planoku(&["plan", domain.path(), problem.path()]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains(", metric -6, verified"), "{text}");
}

#[test]
fn what_is_not_planned_for_is_refused_by_name_and_place_and_judged_all_the_same() {
    let files = [
        (
            "domain",
            "(define (domain d) (:requirements :durative-actions)\n(:predicates (done))\n\
             (:durative-action wait :parameters () :duration (= ?duration 5)\n\
             :condition () :effect (at end (done))))",
        ),
        (
            "problem",
            "(define (problem p) (:domain d) (:init) (:goal (done)))",
        ),
        ("plan", "0.5: (wait) [5.0]\n"),
    ]
    .map(|(name, text)| {
        let file = Scratch::new(&format!("timed-{name}"));
        std::fs::write(&file.0, text).unwrap();
        file
    });
    let [domain, problem, plan] = &files;
    for command in ["plan", "ground"] {
        let output = planoku(&[command, domain.path(), problem.path()]);
        assert_eq!(output.status.code(), Some(30), "{command}");
        let text = String::from_utf8_lossy(&output.stderr);
        let wanted = format!("{}:3: durative actions (:durative-actions)", domain.path());
        assert!(text.contains(&wanted), "{text}");
    }
    let judged = planoku(&[
        "verify",
        domain.path(),
        problem.path(),
        plan.path(),
        "--json",
    ]);
    assert_eq!(judged.status.code(), Some(0));
    assert_eq!(json(&judged)["makespan"], "5.5");
    std::fs::write(&plan.0, "0.5: (wait) [4.0]\n").unwrap();
    let judged = planoku(&[
        "verify",
        domain.path(),
        problem.path(),
        plan.path(),
        "--json",
    ]);
    assert_eq!(judged.status.code(), Some(1));
    assert_eq!(json(&judged)["rule"], "duration");
}
