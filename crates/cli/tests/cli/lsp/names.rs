//! What names mean: definition, references, hover, rename, completion.

use serde_json::{Value, json};

use super::editor::*;
use super::*;

#[test]
fn names_lead_to_their_declarations_and_uses_across_files() {
    let folder = Folder::new("names");
    let domain = folder.write("domain.hddl", DOMAIN);
    let problem = folder.write("p1.hddl", PROBLEM);
    folder.write(
        "p2.hddl",
        &PROBLEM.replace("p1", "p2").replace("red", "blue"),
    );
    folder.write(
        "other.hddl",
        &PROBLEM.replace("domain rooms", "domain elsewhere"),
    );
    let mut editor = Editor::new();
    editor.open(&problem, PROBLEM);

    let hover = editor.at(
        "textDocument/hover",
        &problem,
        PROBLEM,
        "in red hall",
        Value::Null,
    );
    let words = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(words.contains("(in ?t - thing ?r - room)"), "{words}");
    assert!(words.contains("where a thing lies"), "{words}");
    assert!(words.contains("domain.hddl"), "{words}");
    let hover = editor.at(
        "textDocument/hover",
        &problem,
        PROBLEM,
        "red cellar",
        Value::Null,
    );
    let words = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(words.contains("red - ball"), "{words}");
    assert!(words.contains("ball → thing → object"), "{words}");

    let found = editor.at(
        "textDocument/definition",
        &problem,
        PROBLEM,
        "tidy red",
        Value::Null,
    );
    assert_eq!(places(&found["result"]), ["domain.hddl:8"]);
    let found = editor.at(
        "textDocument/definition",
        &problem,
        PROBLEM,
        "cellar))",
        Value::Null,
    );
    assert_eq!(places(&found["result"]), ["p1.hddl:2"]);

    // An object belongs to its problem, a predicate to all problems.
    let with = json!({"context": {"includeDeclaration": true}});
    let found = editor.at(
        "textDocument/references",
        &problem,
        PROBLEM,
        "hall))",
        with.clone(),
    );
    assert_eq!(places(&found["result"]), ["p1.hddl:2", "p1.hddl:4"]);
    let found = editor.at(
        "textDocument/references",
        &problem,
        PROBLEM,
        "in red",
        with.clone(),
    );
    let expected = [
        "domain.hddl:17",
        "domain.hddl:6",
        "p1.hddl:4",
        "p1.hddl:5",
        "p2.hddl:4",
        "p2.hddl:5",
    ];
    assert_eq!(places(&found["result"]), expected);
    let without = json!({"context": {"includeDeclaration": false}});
    editor.open(&domain, DOMAIN);
    let found = editor.at(
        "textDocument/references",
        &domain,
        DOMAIN,
        "?r - room)\n    :task",
        without,
    );
    assert_eq!(
        places(&found["result"]),
        ["domain.hddl:10", "domain.hddl:11", "domain.hddl:11"]
    );
    let found = editor.at(
        "textDocument/documentHighlight",
        &domain,
        DOMAIN,
        "light ",
        Value::Null,
    );
    assert_eq!(found["result"].as_array().unwrap().len(), 2);
    let outline = editor.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": domain}}),
    );
    let names: Vec<&str> = outline
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"tidy-away") && names.contains(&"ball"),
        "{names:?}"
    );
    assert!(editor.quit().success());
}

#[test]
fn a_renamed_predicate_is_renamed_in_every_problem() {
    let folder = Folder::new("rename");
    let domain = folder.write("domain.hddl", DOMAIN);
    let problem = folder.write("p1.hddl", "(define (problem old)");
    let other = folder.write("p2.hddl", PROBLEM);
    let mut editor = Editor::new();
    editor.open(&domain, DOMAIN);
    // The buffer has a line more than the file, with a sign of two units.
    let buffer = format!("; 🎲\n{PROBLEM}").replace("(in red hall)", "(; 🎲\n IN red hall)");
    editor.open(&problem, &buffer);

    let ready = editor.at(
        "textDocument/prepareRename",
        &domain,
        DOMAIN,
        "in ?t",
        Value::Null,
    );
    assert_eq!(ready["result"]["placeholder"], "in");
    let new = json!({"newName": "lies-in"});
    let answer = editor.at("textDocument/rename", &domain, DOMAIN, "in ?t", new);
    let changes = &answer["result"]["changes"];
    let expected = DOMAIN.replace("(in ", "(lies-in ");
    assert_eq!(applied(DOMAIN, &changes[&domain]), expected);
    let expected = buffer
        .replace("(in ", "(lies-in ")
        .replace(" IN ", " lies-in ");
    assert_eq!(applied(&buffer, &changes[&problem]), expected);
    let expected = PROBLEM.replace("(in ", "(lies-in ");
    assert_eq!(applied(PROBLEM, &changes[&other]), expected);

    // A variable stays in its action, and gets its question mark.
    let new = json!({"newName": "where"});
    let answer = editor.at(
        "textDocument/rename",
        &domain,
        DOMAIN,
        "?r - room)\n    :precondition (not",
        new,
    );
    let changes = answer["result"]["changes"][&domain].as_array().unwrap();
    assert_eq!(changes.len(), 3);
    assert!(changes.iter().all(|edit| edit["newText"] == "?where"));

    // Names that are taken, no names at all, and what has no name.
    for (piece, new, reason) in [
        ("in ?t", "lit", "already declared"),
        ("in ?t", "a b", "cannot be a name"),
        ("in ?t", "", "cannot be a name"),
        ("?t - thing ?r - room)\n    :task", "r", "already declared"),
        ("object ball", "thing2", "keeps its name"),
        (":effect", "x", "no name here"),
    ] {
        let answer = editor.at(
            "textDocument/rename",
            &domain,
            DOMAIN,
            piece,
            json!({"newName": new}),
        );
        let said = answer["error"]["message"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"));
        assert!(said.contains(reason), "{said}");
    }
    assert!(editor.quit().success());
}

#[test]
fn completion_offers_what_fits_the_place() {
    let folder = Folder::new("completion");
    folder.write("domain.hddl", DOMAIN);
    let problem = folder.uri("p1.hddl");
    let mut editor = Editor::new();
    let mut version = 1;
    editor.open(&problem, "");
    // The cursor is at the bar; expected ones must be offered, others not.
    let mut check = |uri: &str, text: &str, offered: &[&str], not: &[&str]| {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        version += 1;
        editor.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
        );
        let params = json!({"textDocument": {"uri": uri}, "position": position(&text, at)});
        let answer = editor.ask("textDocument/completion", params);
        let items = answer["items"].as_array().unwrap().clone();
        let labels: Vec<&str> = items.iter().map(|i| i["label"].as_str().unwrap()).collect();
        for label in offered {
            assert!(labels.contains(label), "{label} in {labels:?} for {text}");
        }
        for label in not {
            assert!(
                !labels.contains(label),
                "{label} not in {labels:?} for {text}"
            );
        }
    };
    let start = "(define (problem p) (:domain rooms) (:objects b - ball)";
    check(
        &problem,
        &format!("{start} (:init (|"),
        &["in", "lit"],
        &["light", "b"],
    );
    check(
        &problem,
        &format!("{start} (:init (in |"),
        &["b"],
        &["in", "ball"],
    );
    check(
        &problem,
        &format!("{start} (:init (in |)))"),
        &["b"],
        &["in"],
    );
    check(
        &problem,
        &format!("{start} (:objects c - |"),
        &["ball", "room", "object"],
        &["b", "in"],
    );
    check(
        &problem,
        &format!("{start} (:|"),
        &[":init", ":goal", ":htn"],
        &[":action"],
    );
    check(
        &problem,
        &format!("{start} (:htn :ordered-subtasks (and (ti|"),
        &["tidy", "put"],
        &["in"],
    );
    check(
        &problem,
        &format!("{start} (:htn :|"),
        &[":ordering"],
        &[":effect"],
    );
    check(&problem, &format!("{start} ; (:init (|"), &[], &["in"]);
    let action = DOMAIN.trim_end().strip_suffix(')').unwrap();
    let action = format!("{action} (:action go :parameters (?from - room) :effect (and (lit ?|)))");
    check(&problem, &action, &["?from"], &["?t", "lit"]);
    assert!(editor.quit().success());
}
