//! Colours, folds, hints, lenses, and the commands behind them.

use serde_json::{Value, json};

use super::editor::*;
use super::*;

fn document(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

#[test]
fn every_name_has_the_colour_of_what_it_is() {
    let folder = Folder::new("colours");
    let domain = folder.write("domain.hddl", DOMAIN);
    let mut editor = Editor::start();
    let answer = editor.ask("initialize", json!({"capabilities": {}}));
    let legend = &answer["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let legend = legend.as_array().unwrap();
    editor.tell("initialized", json!({}));
    editor.open(&domain, DOMAIN);
    let answer = editor.ask("textDocument/semanticTokens/full", document(&domain));
    let numbers: Vec<usize> = answer["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap() as usize)
        .collect();
    let lines: Vec<&str> = DOMAIN.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    for token in numbers.chunks(5) {
        column = if token[0] > 0 {
            token[1]
        } else {
            column + token[1]
        };
        line += token[0];
        let word = &lines[line][column..column + token[2]];
        found.push((word, legend[token[3]].as_str().unwrap(), token[4] == 1));
    }
    for wanted in [
        ("define", "keyword", false),
        ("rooms", "namespace", true),
        (":types", "keyword", false),
        ("ball", "type", true),
        ("; where a thing lies", "comment", false),
        ("lit", "property", true),
        ("lit", "property", false),
        ("tidy", "function", true),
        ("tidy-away", "method", true),
        ("?t", "variable", true),
        ("?t", "variable", false),
        ("and", "keyword", false),
    ] {
        assert!(found.contains(&wanted), "{wanted:?} in {found:?}");
    }
    // Every word but dashes and requirements' parentheses has one.
    let words = DOMAIN.matches("room").count();
    assert_eq!(
        found.iter().filter(|f| f.0.starts_with("room")).count(),
        words
    );
    assert!(editor.quit().success());
}

#[test]
fn sections_and_comments_fold() {
    let folder = Folder::new("folds");
    let text = format!("; one\n; two\n; three\n{DOMAIN}");
    let domain = folder.write("domain.hddl", &text);
    let mut editor = Editor::new();
    editor.open(&domain, &text);
    let answer = editor.ask("textDocument/foldingRange", document(&domain));
    let found: Vec<(u64, u64, &str)> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| {
            (
                fold["startLine"].as_u64().unwrap(),
                fold["endLine"].as_u64().unwrap(),
                fold["kind"].as_str().unwrap_or(""),
            )
        })
        .collect();
    let line = |word: &str| text[..text.find(word).unwrap()].matches('\n').count() as u64;
    let last = text.trim_end().matches('\n').count() as u64;
    assert!(found.contains(&(0, 2, "comment")), "{found:?}");
    assert!(found.contains(&(3, last, "")), "{found:?}");
    let predicates = line("(:predicates");
    assert!(
        found.contains(&(predicates, predicates + 3, "")),
        "{found:?}"
    );
    // What stands on one line does not fold.
    assert!(!found.iter().any(|f| f.0 == line("(:types")), "{found:?}");
    assert!(editor.quit().success());
}

#[test]
fn types_that_follow_from_uses_are_shown() {
    let folder = Folder::new("hints");
    let text = DOMAIN
        .replace(
            "(:action light :parameters (?r - room)",
            "(:action light :parameters (?r)",
        )
        .replace(
            "(:action put :parameters (?t - thing",
            "(:action put :parameters (?t - object",
        );
    let domain = folder.write("domain.hddl", &text);
    let mut editor = Editor::new();
    editor.open(&domain, &text);
    let whole = json!({"textDocument": {"uri": domain}, "range":
        {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}});
    let answer = editor.ask("textDocument/inlayHint", whole);
    let found: Vec<(String, u64)> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| {
            (
                hint["label"].as_str().unwrap().to_owned(),
                hint["position"]["line"].as_u64().unwrap(),
            )
        })
        .collect();
    let line = |word: &str| text[..text.find(word).unwrap()].matches('\n').count() as u64;
    assert_eq!(
        found,
        [
            (" - room".to_owned(), line("(:action light")),
            (" - thing".to_owned(), line("(:action put")),
        ]
    );
    assert!(editor.quit().success());
}

#[test]
fn a_problem_is_planned_and_its_plan_verified_from_the_editor() {
    let folder = Folder::new("lenses");
    let domain = folder.write("domain.hddl", DOMAIN);
    let problem = folder.write("p1.hddl", PROBLEM);
    let mut editor = Editor::new();
    editor.open(&domain, DOMAIN);
    editor.open(&problem, PROBLEM);
    assert_eq!(
        editor.ask("textDocument/codeLens", document(&domain)),
        json!([])
    );
    let lenses = editor.ask("textDocument/codeLens", document(&problem));
    assert_eq!(lenses[0]["command"]["title"], "plan this problem");
    let run = |lens: &Value| json!({"command": lens["command"]["command"], "arguments": lens["command"]["arguments"]});
    let found = editor.ask("workspace/executeCommand", run(&lenses[0]));
    assert_eq!(
        (&found["status"], &found["steps"]),
        (&json!("solved"), &json!(2))
    );
    assert!(
        found["tree"].as_str().unwrap().contains("tidy-away"),
        "{found}"
    );
    assert!(
        found["html"].as_str().unwrap().contains("tidy-away"),
        "{found}"
    );
    let cheapest = editor.ask("workspace/executeCommand", run(&lenses[1]));
    assert_eq!(
        (&cheapest["status"], &cheapest["cost"]),
        (&json!("cheapest"), &json!("2"))
    );
    let sizes = editor.ask("workspace/executeCommand", run(&lenses[2]));
    assert_eq!(sizes["status"], "grounded");

    // A plan beside the problem can be verified; a list of actions is enough.
    folder.write("p1.plan", found["text"].as_str().unwrap());
    let lenses = editor.ask("textDocument/codeLens", document(&problem));
    assert_eq!(lenses[3]["command"]["title"], "verify p1.plan");
    assert_eq!(
        editor.ask("workspace/executeCommand", run(&lenses[3]))["status"],
        "valid"
    );
    let judge =
        |plan: &str| json!({"command": "planoku.verify", "arguments": [problem, {"plan": plan}]});
    let flat = editor.ask(
        "workspace/executeCommand",
        judge("(light cellar)\n(put red cellar)\n"),
    );
    assert_eq!(flat["status"], "valid");
    let wrong = editor.ask("workspace/executeCommand", judge("(put red cellar)\n"));
    assert_eq!(wrong["status"], "invalid");
    assert!(
        wrong["message"].as_str().unwrap().contains("not a plan"),
        "{wrong}"
    );
    assert!(editor.quit().success());
}

#[test]
fn why_there_is_no_plan_is_told() {
    let folder = Folder::new("reasons");
    let dark = DOMAIN.replace(":effect (lit ?r))", ":effect (not (lit ?r)))");
    let domain = folder.write("domain.hddl", &dark);
    let problem = folder.write("p1.hddl", PROBLEM);
    let mut editor = Editor::new();
    editor.open(&domain, &dark);
    let found = editor.ask(
        "workspace/executeCommand",
        json!({"command": "planoku.plan", "arguments": [problem]}),
    );
    assert_eq!(found["status"], "unsolvable");
    let reasons = found["reasons"].as_array().unwrap();
    assert!(
        reasons.iter().any(|r| r.as_str().unwrap().contains("lit")),
        "{found}"
    );
    // What cannot be done is refused, and the server goes on.
    for arguments in [json!([]), json!(["file:///nowhere.hddl"]), json!([7])] {
        let params = json!({"command": "planoku.plan", "arguments": arguments});
        assert!(editor.request("workspace/executeCommand", params)["error"].is_object());
    }
    let params = json!({"command": "rm", "arguments": [problem]});
    assert!(editor.request("workspace/executeCommand", params)["error"].is_object());
    assert!(editor.quit().success());
}
