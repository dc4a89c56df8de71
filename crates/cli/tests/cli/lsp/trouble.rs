//! Broken texts, broken requests, large files, and the end of a session.

use std::io::Write;

use serde_json::{Value, json};

use super::editor::*;
use super::*;

#[test]
fn broken_texts_and_broken_requests_cost_nothing_but_themselves() {
    let folder = Folder::new("broken");
    let uri = folder.uri("domain.hddl");
    let mut editor = Editor::new();
    let deep = "(and ".repeat(20_000);
    let one_token = "x".repeat(1 << 20);
    // Every beginning of a domain, as someone types it, and worse.
    let mut texts: Vec<String> = (0..DOMAIN.len())
        .step_by(23)
        .map(|n| DOMAIN[..n].to_owned())
        .collect();
    texts.push(format!("(define (domain d) (:action a :effect {deep}"));
    texts.push(format!("(define (domain d) (:action {one_token}"));
    texts.extend(
        [
            "\0(\u{FEFF}",
            ")))",
            "(define (problem",
            "(:domain",
            "🎲(🎲 ?🎲 - 🎲",
        ]
        .map(str::to_owned),
    );
    editor.open(&uri, "");
    for (number, text) in texts.iter().enumerate() {
        let version = number as i32 + 2;
        editor.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
        );
        let cut = text
            .char_indices()
            .map(|(at, _)| at)
            .nth(text.chars().count() / 2);
        for offset in [0, cut.unwrap_or(0), text.len()] {
            let position = position(text, offset);
            let place = json!({"textDocument": {"uri": uri}, "position": position,
                "newName": "fresh", "context": {"includeDeclaration": true}});
            for method in [
                "hover",
                "definition",
                "references",
                "completion",
                "rename",
                "prepareRename",
            ] {
                let answer = editor.request(&format!("textDocument/{method}"), place.clone());
                assert_ne!(answer["error"]["code"], -32603, "{method}: {answer}");
            }
        }
        let range =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
        let params =
            json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
        editor.ask("textDocument/codeAction", params);
    }
    // Changes out of range, unknown methods, wrong shapes, unknown texts.
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 900}, "contentChanges": [
            {"range": {"start": {"line": 9, "character": 9}, "end": {"line": 0, "character": 0}}, "text": "("}]}),
    );
    editor.tell("textDocument/didChange", json!({"nonsense": 1}));
    editor.tell("no/such/thing", json!([1]));
    assert_eq!(
        editor.request("no/such/request", Value::Null)["error"]["code"],
        -32601
    );
    assert_eq!(
        editor.request("textDocument/hover", json!(7))["error"]["code"],
        -32602
    );
    let nowhere = json!({"textDocument": {"uri": "file:///nowhere"}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", nowhere), Value::Null);
    assert!(!editor.diagnostics(&uri, 900).is_empty());
    assert!(editor.quit().success());
}

#[test]
fn large_files_stay_responsive() {
    let folder = Folder::new("large");
    folder.write("domain.hddl", DOMAIN);
    let problem = folder.uri("p1.hddl");
    let balls: String = (0..40_000).map(|i| format!("ball{i} ")).collect();
    let facts: String = (0..40_000)
        .map(|i| format!("(in ball{i} hall)\n"))
        .collect();
    let text = format!(
        "(define (problem p) (:domain rooms) (:objects {balls}- ball hall - room)\n(:init\n{facts}))"
    );
    let mut editor = Editor::new();
    editor.open(&problem, &text);
    for version in 2..6 {
        let line = json!({"line": 2, "character": 0});
        editor.tell(
            "textDocument/didChange",
            json!({"textDocument": {"uri": problem, "version": version},
                "contentChanges": [{"range": {"start": line, "end": line}, "text": "(in ball1 hall)\n"}]}),
        );
    }
    let found = editor.at(
        "textDocument/references",
        &problem,
        &text,
        "ball7 ",
        json!({"context": {"includeDeclaration": true}}),
    );
    assert_eq!(found["result"].as_array().unwrap().len(), 2);
    assert!(!editor.diagnostics(&problem, 5).is_empty());
    assert!(editor.quit().success());
}

#[test]
fn a_session_ends_as_the_protocol_says() {
    // Before anything else, `initialize`.
    let mut editor = Editor::start();
    assert_eq!(
        editor.request("textDocument/hover", json!({}))["error"]["code"],
        -32002
    );
    // `exit` without `shutdown` is an end with 1.
    editor.tell("exit", Value::Null);
    assert_eq!(editor.child.wait().unwrap().code(), Some(1));
    // So is an editor that is gone.
    let mut editor = Editor::new();
    drop(editor.input.take());
    assert_eq!(editor.child.wait().unwrap().code(), Some(1));
    // What is not the protocol is bad input.
    let mut editor = Editor::start();
    editor
        .input
        .as_mut()
        .unwrap()
        .write_all(b"hello\r\n\r\n")
        .unwrap();
    drop(editor.input.take());
    assert_eq!(editor.child.wait().unwrap().code(), Some(30));
}
