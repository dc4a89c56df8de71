//! The protocol's shapes (Language Server Protocol 3.17), as far as they are
//! used here.
//!
//! Each request is [decoded](super::params), answered by its module in our own
//! words, and the answer put into the shape the protocol wants.

use std::collections::HashMap;
use std::rc::Rc;

use lsp_server::{ErrorCode, Notification};
use planoku_language::diagnostic::{Diagnostic, Severity};
use planoku_language::index::Space;
use planoku_language::layout;
use planoku_language::lint::cost;
use planoku_language::model::Span;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::check::{Checked, Pair};
use super::complete::{MOST_ITEMS, complete};
use super::documents::{Change, Sheet};
use super::names::{self, Found};
use super::params::{
    About, ActionsIn, At, Cancelled, Changed, HintsIn, NewName, Opened, Position, ReferencesOf,
    Watched,
};
use super::position::Point;
use super::{Server, shape, work};

/// Diagnostics of one text that are shown at a time.
const MOST_DIAGNOSTICS: usize = 500;
/// Entries of an outline.
const MOST_SYMBOLS: usize = 5000;

/// Why a request gets no answer.
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
}

impl Refusal {
    fn failed(message: String) -> Refusal {
        Refusal {
            code: ErrorCode::RequestFailed,
            message,
        }
    }
}

type Answer = Result<Value, Refusal>;

/// Changes are sent as changes, not as whole texts.
const INCREMENTAL: u32 = 2;
/// The kind of a code action that mends something.
const QUICKFIX: &str = "quickfix";
/// How bad a diagnostic is.
const ERROR: u32 = 1;
const WARNING: u32 = 2;
const INFORMATION: u32 = 3;
/// A diagnostic's tag: what it is about is of no use.
const UNNECESSARY: u32 = 1;
/// The kind of an inlay hint.
const TYPE: u32 = 1;

/// The answer to `initialize`.
pub fn capabilities() -> Value {
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": INCREMENTAL, "save": true },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": ["(", ":", "?"] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "codeActionProvider": { "codeActionKinds": [QUICKFIX] },
        "codeLensProvider": { "resolveProvider": false },
        "documentFormattingProvider": true,
        "renameProvider": { "prepareProvider": true },
        "foldingRangeProvider": true,
        "executeCommandProvider": { "commands": work::COMMANDS },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": shape::KINDS, "tokenModifiers": ["declaration"] },
            "full": true,
        },
        "inlayHintProvider": true,
    });
    json!({
        "capabilities": capabilities,
        "serverInfo": {"name": "planoku", "version": env!("CARGO_PKG_VERSION")},
    })
}

/// Answers a request.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Answer {
    match method {
        "textDocument/hover" => hover(server, decode(params)?),
        "textDocument/definition" => definition(server, decode(params)?),
        "textDocument/references" => references(server, decode(params)?),
        "textDocument/documentHighlight" => highlight(server, decode(params)?),
        "textDocument/documentSymbol" => outline(server, decode(params)?),
        "textDocument/prepareRename" => prepare_rename(server, decode(params)?),
        "textDocument/rename" => rename(server, decode(params)?),
        "textDocument/completion" => completion(server, decode(params)?),
        "textDocument/formatting" => formatting(server, decode(params)?),
        "textDocument/codeAction" => actions(server, decode(params)?),
        "textDocument/semanticTokens/full" => colours(server, decode(params)?),
        "textDocument/foldingRange" => folds(server, decode(params)?),
        "textDocument/inlayHint" => hints(server, decode(params)?),
        "textDocument/codeLens" => lenses(server, decode(params)?),
        _ => Err(Refusal {
            code: ErrorCode::MethodNotFound,
            message: format!("`{method}` is not known here"),
        }),
    }
}

/// Takes note of what the editor tells. What is not understood is passed over,
/// as the protocol asks.
pub fn notice(server: &mut Server, notification: Notification) {
    let params = notification.params;
    match notification.method.as_str() {
        "textDocument/didOpen" => {
            if let Ok(opened) = decode::<Opened>(params) {
                let document = opened.text_document;
                let (uri, version) = (document.uri, document.version);
                server.documents.open(uri.clone(), version, document.text);
                server.touch(&uri);
            }
        }
        "textDocument/didChange" => {
            if let Ok(changed) = decode::<Changed>(params) {
                let uri = &changed.text_document.uri;
                let changes = changed.content_changes.into_iter().map(|change| Change {
                    range: change
                        .range
                        .map(|range| (point(range.start), point(range.end))),
                    text: change.text,
                });
                let version = changed.text_document.version;
                server.documents.change(uri, version, changes.collect());
                server.touch(uri);
            }
        }
        "textDocument/didSave" => {
            if let Ok(saved) = decode::<About>(params) {
                server.touch(&saved.text_document.uri);
            }
        }
        "textDocument/didClose" => {
            if let Ok(closed) = decode::<About>(params) {
                let uri = &closed.text_document.uri;
                server.documents.close(uri);
                server.touch(uri);
            }
        }
        "$/cancelRequest" => {
            if let Ok(cancel) = decode::<Cancelled>(params) {
                server.jobs.cancel(&cancel.id);
            }
        }
        "workspace/didChangeWatchedFiles" => {
            if let Ok(files) = decode::<Watched>(params) {
                for change in files.changes {
                    server.touch(&change.uri);
                }
            }
        }
        _ => {}
    }
}

/// What to tell the editor about a text; about one that is closed, nothing.
pub fn publish(uri: &str, sheet: Option<&Sheet>, checked: Option<&Checked>) -> Notification {
    let mut list: Vec<Value> = Vec::new();
    if let (Some(sheet), Some(checked)) = (sheet, checked) {
        let about = checked.about(sheet.file()).take(MOST_DIAGNOSTICS);
        list.extend(about.map(|found| diagnostic(sheet, checked, found)));
        if let Some((span, words)) = &checked.remark
            && span.file == sheet.file()
        {
            list.push(json!({
                "range": range(sheet, *span),
                "severity": INFORMATION,
                "source": "planoku",
                "message": words,
            }));
        }
    }
    let params = json!({
        "uri": uri,
        "version": sheet.and_then(|sheet| sheet.version),
        "diagnostics": list,
    });
    Notification::new("textDocument/publishDiagnostics".to_owned(), params)
}

fn diagnostic(sheet: &Sheet, checked: &Checked, found: &Diagnostic) -> Value {
    let mut message = found.message.clone();
    if found.count > 1 {
        message += &format!(" ({} {} in all)", found.count, found.plural);
    }
    for (word, lines) in [("note", &found.notes), ("help", &found.helps)] {
        for line in lines {
            message += &format!("\n{word}: {line}");
        }
    }
    let related = found.related.iter().filter_map(|(span, text)| {
        let sheet = checked.pair.sheet(*span)?;
        Some(json!({ "location": location(sheet, *span), "message": text }))
    });
    let mut shape = json!({
        "range": range(sheet, found.span),
        "severity": match found.severity() {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
            Severity::Hint => INFORMATION,
        },
        "code": found.code.name,
        "source": "planoku",
        "message": message,
        "relatedInformation": related.collect::<Value>(),
    });
    if found.code == &cost::UNUSED {
        shape["tags"] = json!([UNNECESSARY]);
    }
    shape
}

fn hover(server: &mut Server, params: At) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let found = names::hover(&mut server.documents, &sheet, at);
    Ok(found.map_or(Value::Null, |(span, text)| {
        json!({
            "contents": { "kind": "markdown", "value": text },
            "range": range(&sheet, span),
        })
    }))
}

fn definition(server: &mut Server, params: At) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let Some((_, symbol)) = names::at(&sheet, at) else {
        return Ok(Value::Null);
    };
    let found = names::declarations(&mut server.documents, &sheet, symbol);
    let locations = found
        .iter()
        .map(|(sheet, declaration)| location(sheet, declaration.name));
    Ok(locations.collect())
}

fn references(server: &mut Server, params: ReferencesOf) -> Answer {
    let Some((sheet, at)) = place(server, &params.at) else {
        return Ok(Value::Null);
    };
    let declarations = params.context.include_declaration;
    let (found, _) = names::references(&mut server.documents, &sheet, at, declarations);
    let locations = found.iter().map(|f| location(&f.sheet, f.span));
    Ok(locations.collect())
}

fn highlight(server: &mut Server, params: At) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let Some((mention, _)) = names::at(&sheet, at) else {
        return Ok(Value::Null);
    };
    let places = sheet.index().uses(mention.symbol);
    let places = places.map(|found| json!({ "range": range(&sheet, found.span) }));
    Ok(places.collect())
}

fn outline(server: &mut Server, params: About) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let shared = sheet.index().symbols.iter();
    let declarations = shared
        .filter(|symbol| !symbol.space.is_local())
        .flat_map(|symbol| symbol.declarations.iter().map(move |found| (symbol, found)));
    let entries = declarations.take(MOST_SYMBOLS).map(|(symbol, found)| {
        json!({
            "name": sheet.slice(found.name),
            "detail": found.what,
            "kind": symbol_kind(symbol.space),
            "range": range(&sheet, found.whole),
            "selectionRange": range(&sheet, found.name),
        })
    });
    Ok(entries.collect())
}

/// The protocol's number for a symbol (`SymbolKind`).
fn symbol_kind(space: Space) -> u32 {
    match space {
        Space::Domain => 2,                   // a module
        Space::Type => 5,                     // a class
        Space::Method => 6,                   // a method
        Space::Predicate => 7,                // a property
        Space::Task => 12,                    // a function
        Space::Variable | Space::Label => 13, // a variable
        Space::Object => 14,                  // a constant
        Space::Function => 16,                // a number
    }
}

/// The protocol's number for what completes a word (`CompletionItemKind`).
fn completion_kind(space: Option<Space>) -> u32 {
    match space {
        Some(Space::Method) => 2,                  // a method
        Some(Space::Task) => 3,                    // a function
        Some(Space::Variable | Space::Label) => 6, // a variable
        Some(Space::Type) => 7,                    // a class
        Some(Space::Domain) => 9,                  // a module
        Some(Space::Predicate) => 10,              // a property
        Some(Space::Function) => 12,               // a value
        None => 14,                                // a keyword
        Some(Space::Object) => 21,                 // a constant
    }
}

fn prepare_rename(server: &mut Server, params: At) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let span = names::renamable(&mut server.documents, &sheet, at).map_err(Refusal::failed)?;
    Ok(json!({ "range": range(&sheet, span), "placeholder": sheet.slice(span) }))
}

fn rename(server: &mut Server, params: NewName) -> Answer {
    let Some((sheet, at)) = place(server, &params.at) else {
        return Ok(Value::Null);
    };
    let (found, new) = names::rename(&mut server.documents, &sheet, at, &params.new_name)
        .map_err(Refusal::failed)?;
    let edits = found.into_iter().map(|Found { sheet, span }| {
        let new = new.clone();
        (sheet, span, new)
    });
    Ok(workspace_edit(edits))
}

fn completion(server: &mut Server, params: At) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let (word, items) = complete(&mut server.documents, &sheet, at);
    let range = range(&sheet, word);
    let is_incomplete = items.len() > MOST_ITEMS;
    let items = items.into_iter().map(|item| {
        json!({
            "label": item.label,
            "kind": completion_kind(item.space),
            "detail": item.detail,
            "textEdit": { "range": range, "newText": item.label },
        })
    });
    Ok(json!({ "isIncomplete": is_incomplete, "items": items.collect::<Value>() }))
}

/// Lays the text out; one with errors of syntax is left as it is, quietly, for
/// editors format on every save.
fn formatting(server: &mut Server, params: About) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let Ok(text) = layout::format(sheet.tree()) else {
        return Ok(Value::Null);
    };
    let edits = sheet
        .edit_to(&text)
        .map(|(span, new)| json!({ "range": range(&sheet, span), "newText": new }));
    Ok(edits.into_iter().collect())
}

fn actions(server: &mut Server, params: ActionsIn) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let kinds = params.context.only.unwrap_or_default();
    let wanted = |kind: &String| kind == QUICKFIX || kind.is_empty();
    if !kinds.is_empty() && !kinds.iter().any(wanted) {
        return Ok(json!([]));
    }
    let checked = server.checked(&sheet);
    let place = Span {
        file: sheet.file(),
        start: sheet.offset(point(params.range.start)),
        end: sheet.offset(point(params.range.end)),
    };
    let actions = checked.fixes(place).take(50).map(|(found, edits)| {
        let mut title = found.fix.as_ref().map_or("", |fix| &fix.message).to_owned();
        if found.count > 1 {
            title += &format!(" at all {} {}", found.count, found.plural);
        }
        let edits = edits.iter().filter_map(|edit| {
            let sheet = checked.pair.sheet(edit.span)?;
            Some((sheet.clone(), edit.span, edit.text.clone()))
        });
        json!({
            "title": title,
            "kind": QUICKFIX,
            "diagnostics": [diagnostic(&sheet, &checked, found)],
            "isPreferred": true,
            "edit": workspace_edit(edits),
        })
    });
    Ok(actions.collect())
}

/// Five numbers for each word: lines and columns since the one before, its
/// length, its kind, whether it is declared there.
fn colours(server: &mut Server, params: About) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let (mut line, mut column) = (0, 0);
    let mut data = Vec::new();
    for word in shape::colours(&sheet) {
        let (start, end) = sheet.range(word.span);
        // A comment ends before its line does; anything else is one word.
        if start.line != end.line || (start.line, start.column) < (line, column) {
            continue;
        }
        let same = start.line == line;
        data.extend([
            start.line - line,
            start.column - if same { column } else { 0 },
            end.column - start.column,
            word.colour as u32,
            u32::from(word.declares),
        ]);
        (line, column) = (start.line, start.column);
    }
    Ok(json!({ "data": data }))
}

fn folds(server: &mut Server, params: About) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let folds = shape::folds(&sheet).into_iter();
    let folds = folds.map(|(start, end, comment)| {
        let mut fold = json!({ "startLine": start, "endLine": end });
        if comment {
            fold["kind"] = json!("comment");
        }
        fold
    });
    Ok(folds.collect())
}

fn hints(server: &mut Server, params: HintsIn) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    let pair = Pair::of(&mut server.documents, &sheet);
    let hints = shape::hints(&pair, &sheet).into_iter();
    let hints = hints.filter_map(|(span, label)| {
        let (_, end) = sheet.range(span);
        let line = |position: Position| (position.line, position.character);
        let asked = line(params.range.start)..=line(params.range.end);
        asked.contains(&(end.line, end.column)).then(|| {
            json!({
                "position": position(end), "label": label, "kind": TYPE,
                "tooltip": "the type that its uses ask for",
            })
        })
    });
    Ok(hints.collect())
}

fn lenses(server: &mut Server, params: About) -> Answer {
    let Some(sheet) = server.documents.get(&params.text_document.uri) else {
        return Ok(Value::Null);
    };
    // Above the definition, whatever comments come before it.
    let Some(definition) = sheet.tree().root().children().next() else {
        return Ok(json!([]));
    };
    let start = position(sheet.range(definition.span()).0);
    let place = json!({ "start": start, "end": start });
    let lenses = work::lenses(&sheet).into_iter();
    let lenses = lenses.map(|(title, command, arguments)| {
        json!({
            "range": place,
            "command": { "title": title, "command": command, "arguments": arguments },
        })
    });
    Ok(lenses.collect())
}

/// `{"changes": {uri: [edit, …]}}`
fn workspace_edit(edits: impl Iterator<Item = (Rc<Sheet>, Span, String)>) -> Value {
    let mut changes: HashMap<String, Vec<Value>> = HashMap::new();
    for (sheet, span, new_text) in edits {
        let edit = json!({ "range": range(&sheet, span), "newText": new_text });
        changes.entry(sheet.uri.clone()).or_default().push(edit);
    }
    json!({"changes": changes})
}

/// An open text and the byte the editor points at.
fn place(server: &Server, params: &At) -> Option<(Rc<Sheet>, u32)> {
    let sheet = server.documents.get(&params.text_document.uri)?;
    let offset = sheet.offset(point(params.position));
    Some((sheet, offset))
}

fn point(position: Position) -> Point {
    Point {
        line: position.line,
        column: position.character,
    }
}

fn position(point: Point) -> Value {
    json!({ "line": point.line, "character": point.column })
}

fn range(sheet: &Sheet, span: Span) -> Value {
    let (start, end) = sheet.range(span);
    json!({ "start": position(start), "end": position(end) })
}

fn location(sheet: &Sheet, span: Span) -> Value {
    json!({ "uri": sheet.uri, "range": range(sheet, span) })
}

fn decode<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    })
}
