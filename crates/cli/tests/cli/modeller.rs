//! A modeller's day: begin, check, ask the doctor, ground, verify what other
//! planners print.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of this test's own, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("planoku-modeller-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    #[track_caller]
    fn run(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}\n{out}\n{err}"
        );
        out + &err
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planoku"));
        command.current_dir(&self.0).args(arguments);
        command.output().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_starter_is_free_of_mistakes_and_can_be_planned() {
    let scratch = Scratch::new("new");
    for (language, steps) in [("hddl", "8 steps"), ("pddl", "8 steps")] {
        let name = format!("post-{language}");
        let made = scratch.run(0, &["new", &name, "--as", language]);
        let domain = format!("{name}/domain.{language}");
        let problem = format!("{name}/problem.{language}");
        assert!(made.contains(&domain) && made.contains(&problem), "{made}");
        let checked = scratch.run(0, &["check", &domain, &problem]);
        assert_eq!(checked, "no mistakes found\n");
        scratch.run(0, &["fmt", "--check", &domain, &problem]);
        let story = scratch.run(0, &["doctor", &domain, &problem]);
        for said in [
            "Checking: nothing is wrong",
            "Grounding: without variables",
            "found a plan of",
            "Verifying: every step is executable",
            "All is well.",
        ] {
            assert!(story.contains(said), "{said}: {story}");
        }
        let plan = scratch.run(0, &["plan", &domain, &problem, "--optimal"]);
        assert!(plan.contains(steps), "{plan}");
        // Nothing is overwritten.
        let refused = scratch.run(30, &["new", &name, "--as", language]);
        assert!(refused.contains("expected a new name"), "{refused}");
    }
    let refused = scratch.run(30, &["new", "two words"]);
    assert!(refused.contains("found `two words`"), "{refused}");
    assert!(!scratch.0.join("two words").exists());
}

#[test]
fn the_doctor_says_where_the_story_ends() {
    let scratch = Scratch::new("doctor");
    scratch.run(0, &["new", "post"]);
    let read = |name: &str| fs::read_to_string(scratch.0.join("post").join(name)).unwrap();
    scratch.write(
        "no-road.hddl",
        &read("problem.hddl").replace("(road school market)", ""),
    );
    let story = scratch.run(10, &["doctor", "post/domain.hddl", "no-road.hddl"]);
    assert!(story.contains("there is no plan"), "{story}");
    scratch.write(
        "typo.hddl",
        &read("domain.hddl").replace("(take ?who", "(tkae ?who"),
    );
    let story = scratch.run(1, &["doctor", "typo.hddl", "post/problem.hddl"]);
    assert!(
        story.contains("Checking: 1 error") && story.contains("typo.hddl:"),
        "{story}"
    );
    scratch.run(30, &["doctor", "post/domain.hddl", "nowhere.hddl"]);
    scratch.run(
        20,
        &[
            "doctor",
            "post/domain.hddl",
            "post/problem.hddl",
            "--nodes",
            "0",
        ],
    );
}

#[test]
fn many_problems_are_checked_at_once_and_the_domain_complained_of_once() {
    let scratch = Scratch::new("check");
    scratch.run(0, &["new", "post"]);
    let read = |name: &str| fs::read_to_string(scratch.0.join("post").join(name)).unwrap();
    let problem = read("problem.hddl");
    scratch.write("one.hddl", &problem);
    scratch.write(
        "two.hddl",
        &problem.replace("(at letter market)", "(at leter market)"),
    );
    scratch.write(
        "three.hddl",
        &problem.replace("(at kim station)", "(at kim statin)"),
    );
    // A blank is missing.
    let domain = read("domain.hddl").replace(
        "(at ?what - thing ?where - place)",
        "(at?what - thing ?where - place)",
    );
    scratch.write("domain.hddl", &domain);
    let arguments = ["check", "domain.hddl", "one.hddl", "two.hddl", "three.hddl"];
    let all = scratch.run(1, &arguments);
    assert_eq!(all.matches("W0023").count(), 1, "{all}");
    assert!(
        all.contains("two.hddl:") && all.contains("three.hddl:"),
        "{all}"
    );
    assert!(all.contains("2 errors, 1 warning"), "{all}");
    let json = scratch.run(1, &[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["errors"], &json["warnings"]), (&2.into(), &1.into()));
    let sarif = scratch.run(1, &[&arguments[..], &["--sarif"]].concat());
    assert!(sarif.contains("three.hddl"), "{sarif}");
    // All that is certain is mended, in all files.
    scratch.run(0, &[&arguments[..], &["--fix"]].concat());
    assert_eq!(
        fs::read_to_string(scratch.0.join("domain.hddl")).unwrap(),
        read("domain.hddl")
    );
    assert_eq!(
        fs::read_to_string(scratch.0.join("two.hddl")).unwrap(),
        problem
    );
}

const TEA: &str = "(define (domain tea) (:predicates (hot) (full ?c) (served))
  (:task serve :parameters (?c))
  (:task prepare :parameters (?c))
  (:method m-serve :parameters (?c) :task (serve ?c)
    :ordered-subtasks (and (prepare ?c) (pour ?c) (bring ?c)))
  (:method m-boil :parameters (?c) :task (prepare ?c) :precondition (not (hot))
    :ordered-subtasks (and (boil)))
  (:method m-ready :parameters (?c) :task (prepare ?c) :precondition (hot) :ordered-subtasks (and))
  (:action boil :parameters () :effect (hot))
  (:action pour :parameters (?c) :precondition (hot) :effect (full ?c))
  (:action bring :parameters (?c) :precondition (full ?c) :effect (served)))";

const CUPS: &str = "(define (problem cups) (:domain tea) (:objects mug cup)
  (:htn :ordered-subtasks (and (serve mug) (serve cup))) (:init) (:goal (served)))";

#[test]
fn lists_of_actions_are_plans_of_hierarchical_problems_if_some_decomposition_leads_to_them() {
    let scratch = Scratch::new("lists");
    scratch.write("tea.hddl", TEA);
    scratch.write("cups.hddl", CUPS);
    // In any order that the tasks allow: both at once.
    let free = CUPS.replace(":ordered-subtasks", ":subtasks");
    scratch.write("party.hddl", &free);
    let steps = "step    0: BOIL\n        1: POUR MUG\n        2: BRING MUG\n        3: POUR CUP\n        4: BRING CUP\n";
    scratch.write(
        "ff.txt",
        &format!("ff: found legal plan as follows\n\n{steps}\n\ntime spent: 0.00\n"),
    );
    for problem in ["cups.hddl", "party.hddl"] {
        let said = scratch.run(
            0,
            &["verify", "tea.hddl", problem, "ff.txt", "-o", "whole.txt"],
        );
        assert_eq!(
            said,
            "valid: 5 steps, 4 tasks, cost 5; a decomposition was found\n"
        );
        let whole = scratch.run(0, &["verify", "tea.hddl", problem, "whole.txt"]);
        assert_eq!(whole, "valid: 5 steps, 4 tasks, cost 5\n");
    }
    // Poured one after the other: that is for the party only.
    scratch.write(
        "mixed.txt",
        "(boil)\n(pour mug)\n\n(pour cup)\n(bring mug)\n(bring cup)\n",
    );
    scratch.run(0, &["verify", "tea.hddl", "party.hddl", "mixed.txt"]);
    let said = scratch.run(1, &["verify", "tea.hddl", "cups.hddl", "mixed.txt"]);
    assert!(
        said.starts_with("not a plan: mixed.txt:4: no decomposition of the initial network")
            && said.contains("step 2 `pour cup`"),
        "{said}"
    );
    // Boiling what is hot already is executable, but no method does it.
    scratch.write(
        "twice.txt",
        "boil\nboil\npour mug\nbring mug\npour cup\nbring cup\n",
    );
    for problem in ["cups.hddl", "party.hddl"] {
        let said = scratch.run(1, &["verify", "tea.hddl", problem, "twice.txt"]);
        assert!(said.contains("no decomposition"), "{said}");
    }
    scratch.write("early.txt", "; a comment\n(pour mug)\n");
    let said = scratch.run(
        1,
        &["verify", "tea.hddl", "cups.hddl", "early.txt", "--json"],
    );
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&json["line"], &json["step"]), (&2.into(), &0.into()));
    // Limits are kept, and named.
    for (problem, plan, nodes) in [
        ("party.hddl", "mixed.txt", "0"),
        ("cups.hddl", "ff.txt", "1"),
    ] {
        let said = scratch.run(20, &["verify", "tea.hddl", problem, plan, "--nodes", nodes]);
        assert!(said.contains("stopped by nodes"), "{said}");
    }
    let said = scratch.run(30, &["verify", "tea.hddl", "cups.hddl", "cups.hddl"]);
    assert!(said.contains("cups.hddl:1:"), "{said}");
}

#[test]
fn what_a_plan_says_of_its_cost_is_judged() {
    let scratch = Scratch::new("cost");
    scratch.run(0, &["new", "post", "--as", "pddl"]);
    let pair = ["post/domain.pddl", "post/problem.pddl"];
    scratch.run(0, &["plan", pair[0], pair[1], "plan.txt", "--optimal"]);
    let plan = fs::read_to_string(scratch.0.join("plan.txt")).unwrap();
    let (steps, _) = plan.split_once("; cost").unwrap();
    // The domain speaks of costs, so a unit cost is the number of steps.
    let said = [
        ("; cost = 14 (general cost)", 0, "valid: 8 steps"),
        ("; cost = 8 (unit cost)", 0, "valid: 8 steps"),
        ("; cost = 13 (general cost)", 1, "said to cost 13"),
        (
            "; cost = 14 (unit cost)",
            1,
            "line 9 says that there are 14 steps, but there are 8",
        ),
    ];
    for (comment, code, says) in said {
        scratch.write("said.txt", &format!("{steps}{comment}\n"));
        let judged = scratch.run(code, &["verify", pair[0], pair[1], "said.txt"]);
        assert!(judged.contains(says), "{comment}: {judged}");
    }
}

#[test]
fn grounded_problems_are_written_for_others() {
    let scratch = Scratch::new("ground");
    for language in ["hddl", "pddl"] {
        scratch.run(0, &["new", language, "--as", language]);
        let domain = format!("{language}/domain.{language}");
        let problem = format!("{language}/problem.{language}");
        let pair = [domain.as_str(), problem.as_str()];
        let out = format!("grounded-{language}");
        scratch.run(
            0,
            &[&["ground"], &pair[..], &["-o", &out, "--as", "pddl"]].concat(),
        );
        let again = [
            format!("{out}/domain.{language}"),
            format!("{out}/problem.{language}"),
        ];
        let again = [again[0].as_str(), again[1].as_str()];
        let cost = |pair: &[&str]| {
            let json = scratch.run(0, &[&["plan"], pair, &["--optimal", "--json"]].concat());
            serde_json::from_str::<serde_json::Value>(&json).unwrap()["cost"].clone()
        };
        assert_eq!(cost(&pair), cost(&again));
        let code = if language == "pddl" { 0 } else { 30 };
        let said = scratch.run(
            code,
            &[&["ground"], &pair[..], &["-o", "problem.sas"]].concat(),
        );
        match code {
            0 => {
                let sas = fs::read_to_string(scratch.0.join("problem.sas")).unwrap();
                assert!(sas.starts_with("begin_version\n3\n"), "{sas}");
                assert!(sas.contains("Atom at(letter, market)"), "{sas}");
                fs::remove_file(scratch.0.join("problem.sas")).unwrap();
            }
            _ => assert!(said.contains("expected a classical problem"), "{said}"),
        }
    }
}

#[test]
fn shells_are_offered_engines_planners_levels_and_formats() {
    let scratch = Scratch::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = scratch.run(0, &["completions", shell]).replace('\\', "");
        for name in [
            "mac:domwdeg",
            "strips-lmcut",
            "portfolio",
            "crazy",
            "sdk",
            "jsonl",
            "recursive",
        ] {
            assert!(script.contains(name), "{shell} does not offer {name}");
        }
    }
    // A long list helps a shell, not a reader.
    let help = scratch.run(0, &["plan", "--help"]);
    assert!(!help.contains("possible values"), "{help}");
}
