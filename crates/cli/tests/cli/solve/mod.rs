//! The command as a user meets it: what it prints, where, and how it ends.

mod lists;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const PROPER: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
const FIVE_WAYS: &str =
    "...92.....4.....5...2...3..2.......7...456...6.......9..7...8...3.....4....27....";
const IMPOSSIBLE: &str =
    "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn planoku(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planoku"));
    command.args(arguments).env_remove("CLICOLOR_FORCE");
    command
}

fn run(arguments: &[&str]) -> Output {
    planoku(arguments).output().unwrap()
}

fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = planoku(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // The program may not want it all.
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file with this content, named for the test that needs it.
fn file(name: &str, content: &[u8]) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_string()
}

/// Ends with this code, without a panic, and says these words on stderr.
#[track_caller]
fn ends(output: &Output, code: i32, words: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(!told.contains("panicked"), "{told}");
    for word in words {
        assert!(told.contains(word), "`{word}` is not in: {told}");
    }
}

#[test]
fn a_pipe_gets_the_solution_and_nothing_else() {
    let output = run(&["solve", PROPER]);
    ends(&output, 0, &[]);
    assert_eq!(stdout(&output), format!("{SOLUTION}\n"));
    assert_eq!(stderr(&output), "");
}

#[test]
fn without_input_a_built_in_puzzle_is_drawn_solved_unique_and_verified() {
    let output = run(&["solve", "--format", "drawn"]);
    ends(&output, 0, &["built-in"]);
    let drawing = stdout(&output);
    for word in ["┌───────┬", "unique", "verified"] {
        assert!(drawing.contains(word), "{drawing}");
    }
}

#[test]
fn a_puzzle_with_five_solutions_is_said_to_have_exactly_five() {
    let output = run(&["solve", "--format", "drawn", FIVE_WAYS]);
    ends(&output, 0, &[]);
    assert!(stdout(&output).contains("5 solutions: not a proper Sudoku"));
    assert!(stdout(&run(&["solve", FIVE_WAYS])).ends_with("# one of 5 solutions\n"));
    let all = stdout(&run(&["solve", "--limit", "100", FIVE_WAYS]));
    assert_eq!(all.lines().count(), 5);
    let two = stdout(&run(&["solve", "--limit", "2", FIVE_WAYS]));
    assert_eq!(two.lines().count(), 2);
}

#[test]
fn no_solution_is_a_proof_with_its_own_code() {
    let output = run(&["solve", "--format", "drawn", IMPOSSIBLE]);
    ends(&output, 10, &[]);
    assert!(stdout(&output).contains("no solution: row 1 holds 5 twice"));
    assert_eq!(stdout(&run(&["solve", IMPOSSIBLE])), "# no solution\n");
}

#[test]
fn json_says_what_the_contract_says() {
    let output = run(&["solve", "--json", PROPER, FIVE_WAYS, IMPOSSIBLE]);
    ends(&output, 10, &[]);
    let objects: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 3);
    for (object, (puzzle, solutions)) in
        objects
            .iter()
            .zip([(PROPER, 1), (FIVE_WAYS, 5), (IMPOSSIBLE, 0)])
    {
        assert_eq!(object["puzzle"], puzzle);
        assert_eq!(object["engine"], "native");
        assert_eq!(object["end"], "exhausted");
        assert_eq!(object["stopped_by"], serde_json::Value::Null);
        assert_eq!(object["solutions"].as_array().unwrap().len(), solutions);
        assert_eq!(object["count"], solutions);
        // Nothing found is nothing verified.
        let verified = (solutions > 0).then_some(true);
        assert_eq!(object["verified"], serde_json::to_value(verified).unwrap());
        assert_eq!(object["unique"], solutions == 1);
        assert!(object["nodes"].is_u64());
        // A batch does not measure the time of one puzzle and does not say.
        assert_eq!(object["time_us"].is_u64(), solutions > 1, "{object}");
    }
    assert_eq!(objects[0]["solutions"][0], SOLUTION);
}

#[test]
fn a_spent_budget_is_said_and_has_its_own_code() {
    let empty = ".".repeat(81);
    let output = run(&[
        "solve",
        "--json",
        "--nodes",
        "1",
        "--engine",
        "reference",
        &empty,
    ]);
    ends(&output, 20, &[]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(object["end"], "stopped");
    assert_eq!(object["stopped_by"], "nodes");
}

#[test]
fn a_bad_line_is_named_and_the_rest_goes_on() {
    let text = format!("{PROPER}\nnot a puzzle\n{}!\n{FIVE_WAYS}\n", &PROPER[..80]);
    let path = file("bad-line.txt", text.as_bytes());
    let output = run(&["solve", &path]);
    ends(
        &output,
        30,
        &[
            &format!("{path}:2:1: expected 81 cells"),
            &format!(
                "{path}:3:81: row 9, column 9 of the board: expected 1 to 9 or `.`, found `!`"
            ),
        ],
    );
    let lines: Vec<String> = stdout(&output).lines().map(String::from).collect();
    assert_eq!(lines.len(), 4, "a line of output for every line of input");
    assert_eq!(lines[0], SOLUTION);
    assert_eq!(lines[1], "# line 2: not a puzzle");
    assert!(lines[3].ends_with("# one of 5 solutions"));
}

#[test]
fn what_is_no_puzzle_file_gets_a_clear_message() {
    let empty = file("empty.txt", b"");
    ends(
        &run(&["solve", &empty]),
        30,
        &["empty.txt", "expected a puzzle, found none"],
    );
    let directory = env!("CARGO_TARGET_TMPDIR");
    ends(
        &run(&["solve", directory]),
        30,
        &["expected a file of puzzles, found a directory"],
    );
    let program = env!("CARGO_BIN_EXE_planoku");
    ends(
        &run(&["solve", program]),
        30,
        &[":1:1: expected text, found binary data"],
    );
    let latin = file("latin1.txt", b"caf\xe9\n");
    ends(
        &run(&["solve", &latin]),
        30,
        &["latin1.txt:1:4: expected UTF-8 text"],
    );
    ends(
        &run(&["solve", "no-such-file.txt"]),
        30,
        &["there is no such file"],
    );
    ends(
        &run(&["solve", &PROPER[1..]]),
        30,
        &["<argument>:1:1: expected 81 cells", "found 80"],
    );
}

#[test]
fn a_text_without_puzzles_does_not_drown_the_user() {
    let path = file("prose.txt", "This is prose.\n".repeat(1000).as_bytes());
    let output = run(&["solve", &path]);
    ends(&output, 30, &["and 980 more"]);
    assert!(stderr(&output).lines().count() < 30);
}

#[test]
fn wrong_arguments_are_bad_input() {
    ends(
        &run(&["solve", "--engine", "magic"]),
        30,
        &["no engine `magic`", "native"],
    );
    ends(
        &run(&["solve", "--time", "soon"]),
        30,
        &["expected a duration", "soon"],
    );
    ends(&run(&["solve", "--limit", "0"]), 30, &["0"]);
    ends(
        &run(&["solve", "--format", "pdf"]),
        30,
        &["expected one of", "pdf"],
    );
    ends(&run(&["dance"]), 30, &["dance"]);
}

#[test]
fn many_puzzles_come_out_in_order_whatever_the_threads() {
    let mut text = String::new();
    for row in 0..9 {
        // Nine puzzles that differ: one band of the solution blanked at a time.
        let mut cells: Vec<char> = SOLUTION.chars().collect();
        cells[9 * row..9 * row + 9].fill('.');
        text += &String::from_iter(cells);
        text += "\n";
        text += FIVE_WAYS;
        text += "\n";
    }
    let text = text.repeat(100);
    let path = file("many.txt", text.as_bytes());
    let one = run(&["solve", "--threads", "1", "--json", &path]);
    let three = run(&["solve", "--threads", "3", "--json", &path]);
    ends(
        &one,
        0,
        &["1800 puzzles: 900 unique, 900 with several solutions, 0 without"],
    );
    ends(&three, 0, &[]);
    let puzzles = |output: &Output| -> Vec<(String, serde_json::Value)> {
        let parse = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let pair = |object: serde_json::Value| {
            let puzzle = object["puzzle"].as_str().unwrap().to_string();
            (puzzle, object["solutions"].clone())
        };
        stdout(output).lines().map(parse).map(pair).collect()
    };
    assert_eq!(puzzles(&one), puzzles(&three));
    assert!(
        puzzles(&one)
            .iter()
            .map(|(puzzle, _)| puzzle.as_str())
            .eq(text.lines())
    );
}

#[test]
fn standard_input_is_read_as_it_comes() {
    let output = run_with_input(&["solve", "-"], format!("{PROPER}\n").as_bytes());
    ends(&output, 0, &[]);
    assert_eq!(stdout(&output), format!("{SOLUTION}\n"));
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let text = format!("{PROPER}\n").repeat(20_000);
    let path = file("long.txt", text.as_bytes());
    let mut child = planoku(&["solve", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take()); // What `head` does once it has its line.
    let output = child.wait_with_output().unwrap();
    ends(&output, 0, &[]);
    assert_eq!(stderr(&output), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_plainly() {
    ends(
        &run(&["solve", PROPER, "-o", "/dev/full"]),
        30,
        &["cannot write /dev/full"],
    );
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = planoku(&["solve", PROPER]).stdout(full).output().unwrap();
    ends(&output, 30, &["cannot write standard output"]);
    ends(
        &run(&["solve", PROPER, "-o", "/no/such/directory/x"]),
        30,
        &["cannot write"],
    );
}

#[test]
fn solutions_can_be_written_in_every_format_and_solved_again() {
    for format in [
        "line", "rows", "boxed", "sdk", "ss", "sdm", "csv", "jsonl", "commas", "drawn",
    ] {
        let output = run(&["solve", PROPER, "--format", format]);
        ends(&output, 0, &[]);
        if format == "drawn" {
            continue; // Two boards beside each other are for the eye.
        }
        let again = run_with_input(&["solve", "-"], &output.stdout);
        assert_eq!(stdout(&again), format!("{SOLUTION}\n"), "{format}");
    }
}

#[test]
fn several_engines_each_say_their_word() {
    let output = run(&["solve", "--json", "-e", "native", "-e", "reference", PROPER]);
    ends(&output, 0, &[]);
    let engines: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["engine"].to_string())
        .collect();
    assert_eq!(engines, ["\"native\"", "\"reference\""]);
}

#[test]
fn a_trace_names_each_search_and_a_picture_is_drawn() {
    let trace = file("trace.jsonl", b"");
    let picture = file("picture.svg", b"");
    let output = run(&[
        "solve", PROPER, FIVE_WAYS, "--trace", &trace, "--svg", &picture,
    ]);
    ends(&output, 0, &[]);
    let searches = fs::read_to_string(&trace)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["trace"] == 2)
        .count();
    assert_eq!(searches, 2);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(
        svg.matches("<text").count(),
        81 + FIVE_WAYS.replace('.', "").len()
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done_and_says_so() {
    let mut child = planoku(&["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Held open: without Ctrl-C the command would wait for more.
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{PROPER}").unwrap();
    let mut first = [0; 82];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    ends(&output, 20, &["stopped by Ctrl-C after 1 puzzle"]);
    assert_eq!(&first[..81], SOLUTION.as_bytes());
    drop(stdin);
}

#[test]
fn the_command_explains_itself() {
    let bare = run(&[]);
    ends(&bare, 0, &[]);
    assert!(
        stdout(&bare).matches("\n  planoku ").count() >= 3,
        "three examples"
    );
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        ends(&output, 0, &[]);
        assert!(stdout(&output).contains("solve"), "{shell}");
    }
    let directory = format!("{}/man", env!("CARGO_TARGET_TMPDIR"));
    ends(&run(&["man", &directory]), 0, &[]);
    assert!(
        fs::read_to_string(format!("{directory}/planoku-solve.1"))
            .unwrap()
            .contains("engine")
    );
}

#[test]
fn engines_are_listed_with_their_claims() {
    let output = run(&["engines", "--json"]);
    ends(&output, 0, &[]);
    let first: serde_json::Value =
        serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
    assert_eq!(first["name"], "native");
    assert_eq!(
        (&first["complete"], &first["counts"]),
        (&true.into(), &true.into())
    );
    assert!(first["summary"].as_str().unwrap().len() > 10);
    assert!(stdout(&run(&["engines"])).contains("native"));
}

#[test]
fn a_long_trace_is_thinned_and_replays_to_the_solution() {
    let trace = file("thinned.jsonl", b"");
    let how = [
        "solve",
        "-e",
        "fc",
        "--trace",
        &trace,
        "--trace-limit",
        "500",
        PROPER,
    ];
    let output = run(&how);
    ends(&output, 0, &["the trace was kept to 500 events"]);
    let solution = stdout(&output);
    let lines: Vec<serde_json::Value> = fs::read_to_string(&trace)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(lines.len() <= 501, "{}", lines.len());
    assert_eq!(lines[0]["capped"], true);
    assert!(lines.iter().any(|line| line["skip"].as_u64() > Some(100)));
    assert_eq!(lines[lines.len() - 1]["end"]["found"], 1);
    let replayed = run(&["replay", &trace]);
    ends(&replayed, 0, &[]);
    let text = stdout(&replayed);
    let last = text.rsplit_once('┌').unwrap().1;
    let digits: String = last
        .lines()
        .filter(|line| line.starts_with('│'))
        .flat_map(str::chars)
        .filter(char::is_ascii_digit)
        .collect();
    assert_eq!(digits, solution.trim(), "{text}");
}

#[test]
fn every_kind_of_trace_is_replayed() {
    let trace = file("kinds.jsonl", b"");
    for engine in ["mac", "cdcl", "htn", "strips", "agents:4+1", "native"] {
        let output = run(&["solve", "-e", engine, "--trace", &trace, PROPER]);
        ends(&output, 0, &[]);
        let replayed = run(&["replay", "--messages", &trace]);
        ends(&replayed, 0, &[]);
        let text = stdout(&replayed);
        assert!(text.starts_with(engine), "{text}");
        assert!(text.contains("the end: "), "{text}");
    }
    let output = run(&["steps", "--trace", &trace, PROPER]);
    ends(&output, 0, &[]);
    ends(&run(&["replay", &trace]), 0, &[]);
    ends(
        &run(&["replay", "--nth", "2", &trace]),
        30,
        &["expected one of 1 searches, found --nth 2"],
    );
}

#[test]
fn solutions_are_counted_and_none_is_kept() {
    let empty = ".".repeat(81);
    let counted = run(&["count", PROPER, FIVE_WAYS, IMPOSSIBLE]);
    ends(&counted, 10, &[]);
    assert_eq!(stdout(&counted), "1\n5\n0\n");
    let limited = run(&["count", "--limit", "300000", &empty]);
    ends(&limited, 0, &[]);
    assert_eq!(stdout(&limited), "300000  # or more: as many as wanted\n");
    assert_eq!(run(&["solve", "--count", FIVE_WAYS]).stdout, b"5\n");
    let json = run(&["count", "--json", "--nodes", "1000", &empty]);
    ends(&json, 20, &[]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(object["stopped_by"], "nodes");
    assert!((1..1000).contains(&object["count"].as_u64().unwrap()));
    assert!(object.get("solutions").is_none());
    ends(
        &run(&["count", "-e", "htn", PROPER]),
        30,
        &["expected an engine that counts"],
    );
}

/// The most memory the process has held so far, in kB.
#[cfg(target_os = "linux")]
fn peak_kb(child: &std::process::Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn solutions_are_written_as_they_are_found_in_flat_memory_until_ctrl_c() {
    // Once: all were collected before the first was written, and with a budget
    // nothing was heard meanwhile.
    let empty = ".".repeat(81);
    for how in [
        &[][..],
        &["--memory", "400M", "--nodes", "1000000000000"],
        &["--json"],
    ] {
        let mut child = planoku(&[&["solve", "--limit", "100000000", &empty], how].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut buffer = vec![0; 1 << 16];
        let mut read = 0;
        let mut first = 0;
        while read < 10_000_000 {
            read += std::io::Read::read(&mut out, &mut buffer).unwrap();
            if first == 0 && read > 2_000_000 {
                first = peak_kb(&child);
            }
        }
        let later = peak_kb(&child);
        assert!(
            later < first + 6_000,
            "{how:?}: {first} kB, then {later} kB"
        );
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        std::io::Read::read_to_end(&mut out, &mut buffer).unwrap();
        let output = child.wait_with_output().unwrap();
        ends(&output, 20, &["stopped by Ctrl-C"]);
        let text = String::from_utf8(buffer).unwrap();
        let last = text.lines().last().unwrap();
        match how {
            ["--json"] => assert!(last.contains("\"stopped_by\":\"cancelled\"")),
            _ => assert!(last.starts_with("# stopped by Ctrl-C after"), "{last}"),
        }
    }
}
