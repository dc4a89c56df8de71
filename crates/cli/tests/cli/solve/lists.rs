//! Lists of puzzles: the same answers whichever way, as lines, JSON and tables.

use super::*;

/// A list of many kinds of lines: proper puzzles, several solutions, none,
/// mistakes, remarks, other sizes, a board row by row, Windows line ends.
fn motley() -> String {
    let mut text = String::new();
    for nth in 0..700 {
        text += &match nth % 100 {
            7 => format!("{FIVE_WAYS}\n"),
            20 => format!("{IMPOSSIBLE}\n"),
            33 => "nonsense\n".to_string(),
            41 => format!("{PROPER}  # a remark\n"),
            55 => "1...............\n".to_string(),
            56 => format!("{}\n", &PROPER[..80]),
            60 => PROPER
                .as_bytes()
                .chunks(9)
                .map(|row| format!("{}\n", String::from_utf8_lossy(row)))
                .collect(),
            77 => format!("{PROPER}\r\n"),
            _ => format!("{PROPER}\n"),
        };
    }
    text
}

/// The same puzzle in records: plain, quoted, with an odd letter, broken.
fn motley_records() -> String {
    let mut text = "id,quizzes,solutions\n".to_string();
    for nth in 0..700 {
        text += &match nth % 50 {
            3 => format!("{nth},{FIVE_WAYS},\n"),
            9 => format!("{nth},\"{PROPER}\",{SOLUTION}\n"),
            14 => format!("\"{nth}\",{PROPER},{SOLUTION}\r\n"),
            22 => "\n".to_string(),
            31 => format!("{nth}\n"),
            35 => format!("caf\u{e9},{PROPER},{SOLUTION}\n"),
            44 => format!("{nth},{},{SOLUTION}\n", &PROPER[1..]),
            _ => format!("{nth},{PROPER},{SOLUTION}\n"),
        };
    }
    text
}

#[test]
fn lists_come_out_the_same_whichever_way_they_are_solved() {
    let lists = [
        file("motley.txt", motley().as_bytes()),
        file("motley.csv", motley_records().as_bytes()),
    ];
    let ways = [
        &[][..],
        &["--limit", "1"],
        &["--limit", "3"],
        &["--format", "csv"],
        &["--format", "jsonl"],
        &["--format", "tsv"],
        &["--count"],
        &["--format", "boxed", "--limit", "3"],
    ];
    for (list, how) in lists.iter().flat_map(|list| ways.map(|how| (list, how))) {
        // A budget of nodes nobody reaches asks for the engine for single puzzles.
        let plain = run(&[&["solve", list, "--nodes", "100000000"], how].concat());
        assert!(stdout(&plain).contains("\n"), "{list} {how:?}");
        for threads in ["1", "2", "5"] {
            let many = run(&[&["solve", list, "--threads", threads], how].concat());
            assert_eq!(stdout(&many), stdout(&plain), "{list} {how:?} {threads}");
            // A batch has looked for a second solution and says so.
            if how != ["--limit", "1"] {
                assert_eq!(stderr(&many), stderr(&plain), "{list} {how:?} {threads}");
            }
            assert_eq!(many.status.code(), plain.status.code());
        }
    }
}

#[test]
fn lists_as_json_say_the_same_whichever_way_they_are_solved() {
    let list = file("motley-json.txt", motley().repeat(3).as_bytes());
    // How hard it was may differ; what is true of the puzzle may not.
    let facts = |output: &Output, by_one: bool| -> Vec<serde_json::Value> {
        let fact = |line: &str| {
            let mut object: serde_json::Value = serde_json::from_str(line).unwrap();
            let members = object.as_object_mut().unwrap();
            if members.contains_key("nodes") {
                assert!(members["nodes"].as_u64().unwrap() > 0, "{line}");
                members.remove("nodes");
                members.remove("time_us");
                if by_one {
                    // A batch has looked for a second solution and says so.
                    members.remove("end");
                    members.remove("unique");
                }
            }
            object
        };
        stdout(output).lines().map(fact).collect()
    };
    for limit in [&[][..], &["--limit", "1"], &["--limit", "3"]] {
        let plain = run(&[&["solve", "--json", &list, "--nodes", "100000000"], limit].concat());
        let by_one = limit.contains(&"1");
        assert!(facts(&plain, by_one).len() > 20);
        for threads in ["1", "3"] {
            let many = run(&[&["solve", "--json", &list, "--threads", threads], limit].concat());
            let (many_facts, plain_facts) = (facts(&many, by_one), facts(&plain, by_one));
            assert_eq!(many_facts, plain_facts, "{limit:?} {threads}");
            if !by_one {
                assert_eq!(stderr(&many), stderr(&plain), "{limit:?} {threads}");
            }
            assert_eq!(many.status.code(), plain.status.code());
        }
    }
}

#[test]
fn the_nodes_of_a_list_do_not_depend_on_the_threads() {
    // Arto Inkala's, which takes guesses, among easier ones.
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let line = |nth: usize| if nth * nth % 7 == 1 { hard } else { PROPER };
    let text: String = (0..5000).map(|nth| line(nth).to_string() + "\n").collect();
    let list = file("nodes.txt", text.as_bytes());
    let nodes = |threads| -> Vec<serde_json::Value> {
        let output = run(&["solve", "--json", &list, "--threads", threads]);
        let nodes = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["nodes"].take();
        stdout(&output).lines().map(nodes).collect()
    };
    let alone = nodes("1");
    assert_eq!(alone.len(), 5000);
    assert!(alone[1].as_u64() > Some(10), "{}", alone[1]);
    assert_eq!(alone, nodes("3"));
}

#[test]
fn the_bench_measures_every_mode_and_draws_a_chart() {
    let list = file("bench.txt", PROPER.as_bytes());
    let picture = file("bench.svg", b"");
    let output = run(&["bench", &list, "--json", "--passes", "1", "-o", &picture]);
    ends(&output, 0, &[]);
    let rows: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for mode in ["single", "batch"] {
        let row = rows.iter().find(|row| row["mode"] == mode).unwrap();
        assert!(row["puzzles_per_s"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["nodes_per_puzzle"].as_f64().unwrap() >= 1.0, "{row}");
        let cycles = row["cycles_per_puzzle"].as_f64();
        assert_eq!(cycles.is_some(), cfg!(target_arch = "x86_64"), "{row}");
    }
    let picture = std::fs::read_to_string(picture).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("batch"));
}

/// Counts the rows of a table, and checks what every row must hold.
#[track_caller]
fn table(list: &str, arguments: &[&str]) -> (Vec<String>, Output) {
    let output = run(&[&["solve", list], arguments].concat());
    let rows = stdout(&output).lines().map(String::from).collect();
    (rows, output)
}

#[test]
fn a_table_has_a_row_for_each_row_with_all_its_columns() {
    // Once: the solution under `puzzle`, and every other row and column lost.
    let text = format!(
        "id,puzzle,name\n1,{PROPER},\"a, \"\"b\"\"\"\n2,{IMPOSSIBLE},c\n3,nonsense,d\n\
         4,{FIVE_WAYS},\"two\nlines\"\n5\n6,1...............,small\n"
    );
    let list = file("table.csv", text.as_bytes());
    for way in [&[][..], &["--nodes", "1000000"]] {
        let (rows, output) = table(&list, &[&["--format", "csv"], way].concat());
        ends(&output, 30, &["table.csv:4:3", "table.csv:7:1"]);
        assert_eq!(rows[0], "id,puzzle,name,solution,status");
        let first = format!("1,{PROPER},\"a, \"\"b\"\"\",{SOLUTION},unique");
        assert_eq!(rows[1], first);
        assert_eq!(rows[2], format!("2,{IMPOSSIBLE},c,,none"));
        assert_eq!(rows[3], "3,nonsense,d,,invalid");
        assert_eq!(rows[4], format!("4,{FIVE_WAYS},\"two"));
        assert!(rows[5].starts_with("lines\",") && rows[5].ends_with(",several"));
        assert_eq!(rows[6], "5,,,,invalid");
        assert!(rows[7].starts_with("6,1...............,small,") && rows[7].ends_with(",several"));
        assert_eq!(rows.len(), 8);
        let (rows, _) = table(&list, &[&["--format", "jsonl"], way].concat());
        let rows: Vec<serde_json::Value> = rows
            .iter()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        assert_eq!(rows.len(), 6);
        assert_eq!(rows[0]["name"], "a, \"b\"");
        assert_eq!(rows[0]["solution"], SOLUTION);
        assert_eq!(rows[1]["solution"], serde_json::Value::Null);
        assert_eq!(rows[3]["name"], "two\nlines");
    }
    // A stopped search keeps its row too.
    let (rows, output) = table(&list, &["--format", "csv", "--time", "0s"]);
    ends(&output, 30, &[]);
    assert_eq!(rows[1], format!("1,{PROPER},\"a, \"\"b\"\"\",,stopped"));
}

#[test]
fn tables_come_from_lists_objects_and_other_separators() {
    let list = file(
        "list-of.txt",
        format!("{PROPER}\nnot a \"puzzle\"\n").as_bytes(),
    );
    let (rows, _) = table(&list, &["--format", "tsv"]);
    assert_eq!(rows[0], "puzzle\tsolution\tstatus");
    assert_eq!(rows[1], format!("{PROPER}\t{SOLUTION}\tunique"));
    assert_eq!(rows[2], "\"not a \"\"puzzle\"\"\"\t\tinvalid");
    let text = format!("{{\"n\": 1.50, \"puzzle\": \"{PROPER}\", \"tags\":[1, {{}}]}}\n");
    let objects = file("objects.jsonl", text.as_bytes());
    let (rows, _) = table(&objects, &["--format", "jsonl"]);
    let expected = format!(
        "{{\"n\":1.50,\"puzzle\":\"{PROPER}\",\"tags\":[1, {{}}],\
         \"solution\":\"{SOLUTION}\",\"status\":\"unique\"}}"
    );
    assert_eq!(rows, [expected]);
    let semicolons = file("semi.csv", format!("a;quizzes\nx,y;{PROPER}\n").as_bytes());
    let (rows, _) = table(&semicolons, &["--format", "csv"]);
    assert_eq!(rows[0], "a,puzzle,solution,status");
    assert_eq!(rows[1], format!("\"x,y\",{PROPER},{SOLUTION},unique"));
    let (_, output) = table(
        &list,
        &["--format", "csv", "-e", "native", "-e", "reference"],
    );
    ends(&output, 30, &["expected one --engine"]);
}

#[test]
fn json_of_a_list_holds_what_was_measured_and_null_for_the_rest() {
    let list = file(
        "measured.txt",
        format!("{PROPER}\n{IMPOSSIBLE}\n").as_bytes(),
    );
    let objects = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let output = run(&[&["solve", "--json", &list], arguments].concat());
        let parse = |line: &str| serde_json::from_str(line).unwrap();
        stdout(&output).lines().map(parse).collect()
    };
    let null = serde_json::Value::Null;
    // Once: a share of the batch's time, "verified" without a solution, and
    // "enough" though a second solution had been looked for.
    let batch = objects(&["--limit", "1"]);
    assert_eq!(batch[0]["time_us"], null);
    assert_eq!(batch[0]["end"], "exhausted");
    assert_eq!(batch[0]["unique"], true);
    assert_eq!(batch[1]["verified"], null);
    let single = objects(&["--limit", "1", "--nodes", "1000"]);
    assert!(single[0]["time_us"].is_u64());
    assert_eq!(single[0]["end"], "enough");
    assert_eq!(single[0]["unique"], null);
}
