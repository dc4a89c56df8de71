//! The language server: messages in, answers and diagnostics out.
//!
//! ```text
//! messages ─ this loop ─► documents (texts, open or on disk; partners)
//!                │            │
//!                │            └─► check (what is wrong) · names (what is meant) · complete
//!                │                · shape (colours, folds, hints) · work (plan, verify)
//!                └── wire (the protocol's shapes) ◄── position (UTF-16) ──┘
//! ```
//!
//! One thread does everything in turn, but for commands that plan. Diagnostics wait for a short pause in
//! typing; answers do not. Whatever a request trips over costs that request
//! only.

mod check;
mod complete;
mod documents;
mod names;
mod params;
mod position;
mod shape;
mod wire;
mod work;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use planoku_engine::Cancel;

use check::{Checked, Pair};
use documents::{Documents, Sheet};

/// A pause in typing after which diagnostics are due.
const PAUSE: Duration = Duration::from_millis(100);
/// Diagnostics wait no longer than this, however fast someone types.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often to look whether we shall stop.
const IDLE: Duration = Duration::from_millis(500);

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// `shutdown`, then `exit`.
    Asked,
    /// `exit` without `shutdown`, or the editor is gone.
    Left,
    /// Nobody reads what we write.
    Unheard,
    /// Ctrl-C or a signal.
    Cancelled,
}

/// What is known between messages.
#[derive(Default)]
pub struct Server {
    documents: Documents,
    /// Texts whose diagnostics are due, and since when the first is.
    due: BTreeSet<String>,
    since: Option<Instant>,
    /// The last checks.
    checks: Vec<Rc<Checked>>,
    jobs: work::Jobs,
}

/// Serves one editor until it leaves.
pub fn serve(connection: &Connection, cancel: &Cancel) -> Ended {
    let mut server = Server::default();
    let mut life = Life::New;
    loop {
        if cancel.is_cancelled() {
            return Ended::Cancelled;
        }
        let wait = match server.since {
            Some(since) => PAUSE.min(PATIENCE.saturating_sub(since.elapsed())),
            None => IDLE,
        };
        match connection.receiver.recv_timeout(wait) {
            Ok(Message::Request(request))
                if life == Life::Running && request.method == "workspace/executeCommand" =>
            {
                let sender = connection.sender.clone();
                // The editor may be gone by then.
                let tell = move |message| drop(sender.send(message));
                let id = request.id.clone();
                let documents = &mut server.documents;
                let started = server
                    .jobs
                    .start(documents, tell, request.id, &request.params);
                if let Err((code, why)) = started {
                    let response = Response::new_err(id, code as i32, why);
                    if connection.sender.send(response.into()).is_err() {
                        return Ended::Unheard;
                    }
                }
            }
            Ok(Message::Request(request)) => {
                let response = respond(&mut server, &mut life, request);
                if connection.sender.send(response.into()).is_err() {
                    return Ended::Unheard;
                }
            }
            Ok(Message::Notification(note)) if note.method == "exit" => {
                return match life {
                    Life::Over => Ended::Asked,
                    _ => Ended::Left,
                };
            }
            Ok(Message::Notification(note)) => {
                let noticed = || wire::notice(&mut server, note);
                let _ = catch_unwind(AssertUnwindSafe(noticed));
            }
            Ok(Message::Response(_)) => {}
            Err(error) if error.is_timeout() => {
                for note in server.diagnose() {
                    if connection.sender.send(note.into()).is_err() {
                        return Ended::Unheard;
                    }
                }
            }
            Err(_) => return Ended::Left,
        }
    }
}

/// Where a session stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    New,
    Running,
    Over,
}

fn respond(server: &mut Server, life: &mut Life, request: Request) -> Response {
    let refuse =
        |id, code: ErrorCode, message: &str| Response::new_err(id, code as i32, message.to_owned());
    let id = request.id;
    match (*life, request.method.as_str()) {
        (Life::New, "initialize") => {
            *life = Life::Running;
            Response::new_ok(id, wire::capabilities())
        }
        (Life::New, _) => refuse(
            id,
            ErrorCode::ServerNotInitialized,
            "`initialize` comes first",
        ),
        (Life::Running, "shutdown") => {
            *life = Life::Over;
            Response::new_ok(id, ())
        }
        (Life::Over, _) | (_, "initialize") => {
            refuse(id, ErrorCode::InvalidRequest, "not at this time")
        }
        (Life::Running, method) => {
            let answer = || wire::answer(server, method, request.params);
            match catch_unwind(AssertUnwindSafe(answer)) {
                Ok(Ok(value)) => Response::new_ok(id, value),
                Ok(Err(refusal)) => refuse(id, refusal.code, &refusal.message),
                Err(_) => refuse(id, ErrorCode::InternalError, "planoku made a mistake"),
            }
        }
    }
}

impl Server {
    /// A text was opened, changed or closed: it and its neighbours are due.
    fn touch(&mut self, uri: &str) {
        self.due.extend(self.documents.neighbours(uri));
        self.due.insert(uri.to_owned());
        self.since.get_or_insert_with(Instant::now);
    }

    /// Checks what is due.
    fn diagnose(&mut self) -> Vec<Notification> {
        self.since = None;
        // Checks of texts that have changed are of no more use.
        let old = std::mem::take(&mut self.checks);
        let mut notes = Vec::new();
        for uri in std::mem::take(&mut self.due) {
            let sheet = self.documents.get(&uri);
            let checked = sheet.as_ref().map(|sheet| {
                let one = || self.checked(sheet);
                catch_unwind(AssertUnwindSafe(one)).ok()
            });
            let checked = checked.flatten();
            notes.push(wire::publish(&uri, sheet.as_deref(), checked.as_deref()));
        }
        let open = |checked: &Rc<Checked>| {
            let sheets = [&checked.pair.domain, &checked.pair.problem];
            let current = |sheet: &Rc<Sheet>| {
                let now = self.documents.get(&sheet.uri);
                now.is_some_and(|now| Rc::ptr_eq(&now, sheet))
            };
            sheets.into_iter().flatten().any(current)
        };
        let kept: Vec<Rc<Checked>> = old.into_iter().filter(open).collect();
        self.checks.extend(kept);
        self.checks.truncate(64);
        notes
    }

    /// What is wrong with a text and its partner, found out once.
    fn checked(&mut self, sheet: &Rc<Sheet>) -> Rc<Checked> {
        let pair = Pair::of(&mut self.documents, sheet);
        if let Some(known) = self.checks.iter().find(|known| known.pair.same(&pair)) {
            return known.clone();
        }
        let checked = Rc::new(Checked::of(pair));
        self.checks.push(checked.clone());
        checked
    }
}
