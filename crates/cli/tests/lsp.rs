//! `planoku lsp` as an editor sees it: the built command, framed messages on
//! standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

const DOMAIN: &str = "(define (domain rooms)
  (:requirements :typing :negative-preconditions :hierarchy)
  (:types room thing - object ball - thing)
  (:predicates
    ; where a thing lies
    (in ?t - thing ?r - room)
    (lit ?r - room))
  (:task tidy :parameters (?t - thing ?r - room))
  (:method tidy-away :parameters (?t - thing ?r - room)
    :task (tidy ?t ?r)
    :ordered-subtasks (and (light ?r) (put ?t ?r)))
  (:action light :parameters (?r - room)
    :precondition (not (lit ?r))
    :effect (lit ?r))
  (:action put :parameters (?t - thing ?r - room)
    :precondition (lit ?r)
    :effect (in ?t ?r)))
";

const PROBLEM: &str = "(define (problem p1) (:domain rooms)
  (:objects red - ball hall cellar - room)
  (:htn :parameters () :ordered-subtasks (and (tidy red cellar)))
  (:init (in red hall))
  (:goal (and (in red cellar))))
";

/// A folder of its own for each test, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("planoku lsp {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.uri(name)
    }

    fn uri(&self, name: &str) -> String {
        uri(&self.0.join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display().to_string().replace(' ', "%20"))
}

/// The other side: an editor.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that came while an answer was awaited.
    notes: Vec<Value>,
    last: i32,
}

impl Editor {
    fn start() -> Editor {
        let mut child = Command::new(env!("CARGO_BIN_EXE_planoku"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Editor {
            input: child.stdin.take(),
            child,
            messages,
            notes: Vec::new(),
            last: 0,
        }
    }

    /// Started and greeted.
    fn new() -> Editor {
        let mut editor = Editor::start();
        let answer = editor.ask("initialize", json!({"capabilities": {}, "processId": null}));
        assert!(answer["capabilities"]["hoverProvider"].as_bool().unwrap());
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The whole answer, error or not.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.next();
            if message["id"] == json!(id) {
                return message;
            }
            self.notes.push(message);
        }
    }

    #[track_caller]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    #[track_caller]
    fn next(&mut self) -> Value {
        // A hang shall fail the test; a busy machine shall not.
        let message = self.messages.recv_timeout(Duration::from_secs(60));
        message.expect("the server answers")
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({"textDocument":
                {"uri": uri, "languageId": "hddl", "version": 1, "text": text}}),
        );
    }

    /// The next diagnostics of a text at a version.
    #[track_caller]
    fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let wanted = |note: &Value| {
            note["method"] == "textDocument/publishDiagnostics"
                && note["params"]["uri"] == uri
                && note["params"]["version"] == version
        };
        let note = match self.notes.iter().position(wanted) {
            Some(at) => self.notes.remove(at),
            None => loop {
                let message = self.next();
                if wanted(&message) {
                    break message;
                }
            },
        };
        note["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Asks about the place `nth` of a piece of text.
    fn at(&mut self, method: &str, uri: &str, text: &str, piece: &str, more: Value) -> Value {
        let mut params = json!({
            "textDocument": {"uri": uri},
            "position": position(text, text.find(piece).unwrap()),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.request(method, params)
    }

    fn quit(mut self) -> ExitStatus {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        let late = self.request("textDocument/hover", json!({}));
        assert_eq!(late["error"]["code"], -32600);
        self.tell("exit", Value::Null);
        self.child.wait().unwrap()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line..].encode_utf16().count();
    json!({"line": before.matches('\n').count(), "character": column})
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics
        .iter()
        .map(|found| found["code"].as_str().unwrap_or("remark"))
        .collect()
}

/// Places as `file:line`, lines from 1, sorted.
fn places(answer: &Value) -> Vec<String> {
    let list = answer.as_array().unwrap_or_else(|| panic!("{answer}"));
    let mut found: Vec<String> = list
        .iter()
        .map(|place| {
            let uri = place["uri"].as_str().unwrap();
            let file = uri.rsplit('/').next().unwrap();
            let line = place["range"]["start"]["line"].as_u64().unwrap() + 1;
            format!("{file}:{line}")
        })
        .collect();
    found.sort();
    found
}

/// Applies edits of one text, as an editor would.
fn applied(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let offset = |place: &Value| {
        let start = starts[place["line"].as_u64().unwrap() as usize];
        let mut units = place["character"].as_u64().unwrap() as usize;
        let mut at = start;
        for c in text[start..].chars().take_while(|c| *c != '\n') {
            if units == 0 {
                break;
            }
            units -= c.len_utf16();
            at += c.len_utf8();
        }
        at
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    edits.sort();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

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
