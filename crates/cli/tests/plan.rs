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
