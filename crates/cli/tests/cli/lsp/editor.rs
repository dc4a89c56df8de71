//! The other side: an editor that starts the command and speaks with it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A folder of its own for each test, gone when the test is over.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("planoku lsp {name} {}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.uri(name)
    }

    pub fn uri(&self, name: &str) -> String {
        uri(&self.0.join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display().to_string().replace(' ', "%20"))
}

/// The other side: an editor.
pub struct Editor {
    pub child: Child,
    pub input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that came while an answer was awaited.
    notes: Vec<Value>,
    last: i32,
}

impl Editor {
    pub fn start() -> Editor {
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
    pub fn new() -> Editor {
        let mut editor = Editor::start();
        let answer = editor.ask("initialize", json!({"capabilities": {}, "processId": null}));
        assert!(answer["capabilities"]["hoverProvider"].as_bool().unwrap());
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The whole answer, error or not.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
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
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    #[track_caller]
    pub fn next(&mut self) -> Value {
        // A hang shall fail the test; a busy machine shall not.
        let message = self.messages.recv_timeout(Duration::from_secs(60));
        message.expect("the server answers")
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({"textDocument":
                {"uri": uri, "languageId": "hddl", "version": 1, "text": text}}),
        );
    }

    /// The next diagnostics of a text at a version.
    #[track_caller]
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
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
    pub fn at(&mut self, method: &str, uri: &str, text: &str, piece: &str, more: Value) -> Value {
        let mut params = json!({
            "textDocument": {"uri": uri},
            "position": position(text, text.find(piece).unwrap()),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.request(method, params)
    }

    pub fn quit(mut self) -> ExitStatus {
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

pub fn read(output: &mut impl BufRead) -> Option<Value> {
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

pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line..].encode_utf16().count();
    json!({"line": before.matches('\n').count(), "character": column})
}
