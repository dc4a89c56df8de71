//! Limits as scripts see them: exit 20, and the name of what ran out.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A domain and a problem in files of this test's own, gone at the end.
struct Files {
    domain: PathBuf,
    problem: PathBuf,
}

impl Files {
    fn new(name: &str, domain: &str, problem: &str) -> Files {
        let path = |kind: &str| {
            let name = format!("planoku-limits-{name}-{kind}-{}.hddl", std::process::id());
            std::env::temp_dir().join(name)
        };
        let files = Files {
            domain: path("domain"),
            problem: path("problem"),
        };
        std::fs::write(&files.domain, domain).unwrap();
        std::fs::write(&files.problem, problem).unwrap();
        files
    }

    fn plan(&self, arguments: &[&str]) -> Command {
        self.command("plan", arguments)
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planoku"));
        command.arg(name).arg(&self.domain).arg(&self.problem);
        command.args(arguments).stdin(Stdio::null());
        command
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.domain);
        let _ = std::fs::remove_file(&self.problem);
    }
}

struct Ended {
    code: Option<i32>,
    errors: String,
    time: Duration,
}

/// Waits for the end of a process, but not for ever.
fn end(mut child: Child) -> Ended {
    let start = Instant::now();
    // Not a limit under test, only the end of all patience.
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(100) {
            let _ = child.kill();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut errors = String::new();
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_string(&mut errors).unwrap();
    }
    Ended {
        code: child.wait().unwrap().code(),
        errors,
        time: start.elapsed(),
    }
}

fn run(mut command: Command) -> Ended {
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    end(command.spawn().unwrap())
}

const ONE_STEP: &str = "(define (domain d) (:requirements :hierarchy) (:predicates (p))
    (:task t :parameters ())
    (:method m :parameters () :task (t) :ordered-subtasks (and (a)))
    (:action a :parameters () :precondition () :effect (p)))";

/// Many tasks in the initial network, one after the other.
fn ordered(count: usize) -> Files {
    let tasks = "(t) ".repeat(count);
    let problem =
        format!("(define (problem p) (:domain d) (:htn :ordered-subtasks (and {tasks})) (:init))");
    Files::new(&format!("ordered-{count}"), ONE_STEP, &problem)
}

/// Blocks on a table, of which one is to stand on another.
fn blocks(name: &str, count: usize) -> Files {
    let each = |text: &str| -> String {
        let one = |it: usize| text.replace('#', &format!("b{it}"));
        (0..count).map(one).collect::<Vec<_>>().join(" ")
    };
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {}) (:init (free) {}) (:goal (on b1 b2)))",
        each("#"),
        each("(table #) (clear #)")
    );
    let domain = "(define (domain d)
        (:predicates (on ?x ?y) (table ?x) (clear ?x) (held ?x) (free))
        (:action take :parameters (?x) :precondition (and (clear ?x) (table ?x) (free))
          :effect (and (held ?x) (not (table ?x)) (not (clear ?x)) (not (free))))
        (:action drop :parameters (?x) :precondition (held ?x)
          :effect (and (table ?x) (clear ?x) (free) (not (held ?x))))
        (:action put :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
          :effect (and (on ?x ?y) (clear ?x) (free) (not (held ?x)) (not (clear ?y))))
        (:action lift :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (free))
          :effect (and (held ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (free)))))";
    Files::new(name, domain, &problem)
}

#[test]
fn twenty_thousand_ordered_tasks_are_planned() {
    // The order's closure took time with the cube of them, and heard nothing.
    let ended = run(ordered(20_000).plan(&["--threads", "1"]));
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(ended.errors.contains("20000 steps"), "{}", ended.errors);
}

#[test]
fn five_thousand_levels_are_walked() {
    let levels = 5_000;
    let mut domain =
        "(define (domain d) (:requirements :hierarchy) (:predicates (p))\n".to_string();
    for level in 0..=levels {
        domain += &format!("(:task t{level} :parameters ())\n");
    }
    for level in 0..=levels {
        let next = match level == levels {
            true => "a".to_string(),
            false => format!("t{}", level + 1),
        };
        domain += &format!(
            "(:method m{level} :parameters () :task (t{level}) :ordered-subtasks (and ({next})))\n"
        );
    }
    domain += "(:action a :parameters () :precondition () :effect (p)))";
    let problem = "(define (problem p) (:domain d) (:htn :ordered-subtasks (and (t0))) (:init))";
    let files = Files::new("levels", &domain, problem);
    let ended = run(files.plan(&["--planner", "lifted"]));
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
}

#[test]
fn no_time_is_stopped_by_time() {
    for planner in ["portfolio", "lifted", "sat", "htn-ff"] {
        let ended = run(ordered(10).plan(&["--time", "0", "--planner", planner]));
        assert_eq!(ended.code, Some(20), "{planner}: {}", ended.errors);
        assert!(ended.errors.contains("stopped by time"), "{}", ended.errors);
    }
}

#[test]
fn too_little_memory_is_stopped_by_memory() {
    // The portfolio used to say that it gave up.
    for planner in ["strips-first", "portfolio"] {
        // Nothing can be done with few objects, and all are too many.
        let files = blocks(&format!("memory-{planner}"), 400);
        let text = std::fs::read_to_string(&files.problem).unwrap();
        let all: Vec<String> = (1..400)
            .map(|it| format!("(on b{it} b{})", it - 1))
            .collect();
        let text = text.replace("(on b1 b2)", &format!("(and {})", all.join(" ")));
        std::fs::write(&files.problem, text).unwrap();
        let ended = run(files.plan(&["--memory", "40M", "--planner", planner, "--threads", "1"]));
        assert_eq!(ended.code, Some(20), "{planner}: {}", ended.errors);
        assert!(ended.errors.contains("memory"), "{}", ended.errors);
    }
}

#[test]
fn two_steps_among_three_thousand_blocks_need_little_memory() {
    let files = blocks("many", 3000);
    let ended = run(files.plan(&["--memory", "200M", "--threads", "1"]));
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(ended.errors.contains("2 steps"), "{}", ended.errors);
}

#[cfg(unix)]
#[test]
fn a_signal_is_heard_while_a_large_problem_is_prepared() {
    let files = blocks("signal", 3000);
    let mut command = files.plan(&["--planner", "strips-first", "--time", "80"]);
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let id = child.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().unwrap();
    let ended = end(child);
    assert_eq!(ended.code, Some(20), "{}", ended.errors);
    assert!(
        ended.errors.contains("stopped by Ctrl-C"),
        "{}",
        ended.errors
    );
    // A second is promised; the machine may be busy.
    assert!(ended.time < Duration::from_secs(20), "{:?}", ended.time);
}

#[test]
fn check_and_verify_have_limits() {
    let files = ordered(50_000);
    let plan = files.problem.display().to_string();
    for (name, rest) in [("check", vec![]), ("verify", vec![plan.as_str()])] {
        for (limit, value) in [("time", "0"), ("memory", "4M")] {
            let option = format!("--{limit}");
            let arguments = [&rest[..], &[&option, value]].concat();
            let ended = run(files.command(name, &arguments));
            assert_eq!(ended.code, Some(20), "{name} {limit}: {}", ended.errors);
            let told = format!("stopped by {limit}");
            assert!(ended.errors.contains(&told), "{name}: {}", ended.errors);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_is_heard_by_those_who_only_read() {
    // They wait for the end of a text that never comes, and hear nothing else.
    let files = ordered(1);
    let mut format = Command::new(env!("CARGO_BIN_EXE_planoku"));
    format.args(["fmt", "-"]);
    for mut command in [format, files.command("verify", &["-"])] {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let _open = child.stdin.take();
        std::thread::sleep(Duration::from_millis(1500));
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        let ended = end(child);
        assert_eq!(ended.code, Some(20), "{}", ended.errors);
        assert!(
            ended.errors.contains("stopped by Ctrl-C"),
            "{}",
            ended.errors
        );
    }
}
