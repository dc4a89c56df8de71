//! What is wrong with texts, their layout and their fixes.

use serde_json::{Value, json};

use super::editor::*;
use super::*;

#[test]
fn diagnostics_follow_the_buffer_and_not_the_disk() {
    let folder = Folder::new("diagnostics");
    let domain = folder.write("domain.hddl", "(this is not the buffer");
    let problem = folder.write("p1.hddl", PROBLEM);
    let mut editor = Editor::new();
    editor.open(&domain, DOMAIN);
    assert_eq!(codes(&editor.diagnostics(&domain, 1)), [""; 0]);
    editor.open(&problem, PROBLEM);
    assert_eq!(codes(&editor.diagnostics(&problem, 1)), [""; 0]);

    // `lit` loses its `t` in the domain: one letter, as typed.
    let at = position(DOMAIN, DOMAIN.find("t ?r - room))").unwrap());
    let end = json!({"line": at["line"], "character": at["character"].as_u64().unwrap() + 1});
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": domain, "version": 2},
            "contentChanges": [{"range": {"start": at, "end": end}, "text": ""}]}),
    );
    let found = editor.diagnostics(&domain, 2);
    assert_eq!(codes(&found)[0], "E0102", "{found:?}");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "planoku");
    assert_eq!(found[0]["range"]["start"]["line"], 12);
    let related = &found[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(related, &json!(domain));

    // And all is well again.
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": domain, "version": 3}, "contentChanges": [{"text": DOMAIN}]}),
    );
    assert_eq!(codes(&editor.diagnostics(&domain, 3)), [""; 0]);

    // A mistake in the problem is found against the domain's buffer.
    let swapped = PROBLEM.replace("(in red hall)", "(in hall red)");
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": problem, "version": 2}, "contentChanges": [{"text": swapped}]}),
    );
    let found = editor.diagnostics(&problem, 2);
    assert!(!codes(&found).is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 3);

    // Closing takes the diagnostics away.
    editor.tell(
        "textDocument/didClose",
        json!({"textDocument": {"uri": problem}}),
    );
    loop {
        let note = editor.next();
        if note["params"]["uri"] == problem && note["params"]["version"].is_null() {
            assert_eq!(note["params"]["diagnostics"], json!([]));
            break;
        }
    }
    assert!(editor.quit().success());
}

#[test]
fn layout_and_quick_fixes_are_edits_that_do_what_they_say() {
    let folder = Folder::new("edits");
    let domain = folder.write("domain.hddl", DOMAIN);
    let mut editor = Editor::new();
    let messy = DOMAIN
        .replace("\n    :precondition", "   :precondition")
        .replace("  (:action", "(:action");
    editor.open(&domain, &messy);
    let options =
        json!({"textDocument": {"uri": domain}, "options": {"tabSize": 2, "insertSpaces": true}});
    let edits = editor.ask("textDocument/formatting", options.clone());
    let tidy = applied(&messy, &edits);
    assert_ne!(tidy, messy);
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&tidy), words(&messy));
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": domain, "version": 2}, "contentChanges": [{"text": tidy}]}),
    );
    assert_eq!(
        editor.ask("textDocument/formatting", options.clone()),
        json!([])
    );

    let misspelt = DOMAIN.replace(":precondition (lit", ":precondtion (lit");
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": domain, "version": 3}, "contentChanges": [{"text": misspelt}]}),
    );
    let at = position(&misspelt, misspelt.find(":precondtion").unwrap());
    let params = json!({"textDocument": {"uri": domain}, "range": {"start": at, "end": at},
        "context": {"diagnostics": []}});
    let actions = editor.ask("textDocument/codeAction", params);
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix", "{actions}");
    assert_eq!(
        applied(&misspelt, &action["edit"]["changes"][&domain]),
        DOMAIN
    );
    assert_eq!(
        codes(&editor.diagnostics(&domain, 3)),
        codes(action["diagnostics"].as_array().unwrap())
    );

    // Half a text is not laid out.
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": {"uri": domain, "version": 4}, "contentChanges": [{"text": "(define (domain"}]}),
    );
    assert_eq!(editor.ask("textDocument/formatting", options), Value::Null);
    assert!(editor.quit().success());
}

#[test]
fn a_file_alone_is_served_alone() {
    let folder = Folder::new("alone");
    let problem = folder.uri("p1.hddl");
    let mut editor = Editor::new();
    editor.open(&problem, PROBLEM);
    let found = editor.diagnostics(&problem, 1);
    assert_eq!(codes(&found), ["remark"], "{found:?}");
    assert!(
        found[0]["message"]
            .as_str()
            .unwrap()
            .contains("no domain `rooms`")
    );
    let found = editor.at(
        "textDocument/definition",
        &problem,
        PROBLEM,
        "red hall",
        Value::Null,
    );
    assert_eq!(places(&found["result"]), ["p1.hddl:2"]);
    // Its domain is opened, but not yet saved: that is enough.
    editor.open(&folder.uri("rooms.hddl"), DOMAIN);
    let mut found = editor.diagnostics(&problem, 1);
    if !found.is_empty() {
        found = editor.diagnostics(&problem, 1);
    }
    assert_eq!(codes(&found), [""; 0]);
    // A text that is no file.
    editor.open(
        "untitled:one",
        "(define (domain d) (:action a :effect (p)))",
    );
    assert_eq!(codes(&editor.diagnostics("untitled:one", 1))[0], "E0102");
    assert!(editor.quit().success());
}
