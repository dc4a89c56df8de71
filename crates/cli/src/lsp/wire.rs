//! The protocol's shapes: the only file that names `lsp-types`.
//!
//! Each request is decoded, answered by its module in our own words, and the
//! answer put into the shape the protocol wants.

use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

use lsp_server::{ErrorCode, Notification};
use lsp_types as lsp;
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

/// The answer to `initialize`.
pub fn capabilities() -> Value {
    let capabilities = lsp::ServerCapabilities {
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(
            lsp::TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
                save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
                ..Default::default()
            },
        )),
        position_encoding: Some(lsp::PositionEncodingKind::UTF16),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(["(", ":", "?"].map(str::to_owned).to_vec()),
            ..Default::default()
        }),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        code_lens_provider: Some(lsp::CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: work::COMMANDS.map(str::to_owned).to_vec(),
            ..Default::default()
        }),
        semantic_tokens_provider: Some(
            lsp::SemanticTokensServerCapabilities::SemanticTokensOptions(
                lsp::SemanticTokensOptions {
                    legend: lsp::SemanticTokensLegend {
                        token_types: shape::KINDS.map(lsp::SemanticTokenType::new).to_vec(),
                        token_modifiers: vec![lsp::SemanticTokenModifier::DECLARATION],
                    },
                    full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
                    ..Default::default()
                },
            ),
        ),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(
            lsp::CodeActionOptions {
                code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX]),
                ..Default::default()
            },
        )),
        ..Default::default()
    };
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
            if let Ok(opened) = decode::<lsp::DidOpenTextDocumentParams>(params) {
                let document = opened.text_document;
                let uri = document.uri.as_str().to_owned();
                server
                    .documents
                    .open(uri.clone(), document.version, document.text);
                server.touch(&uri);
            }
        }
        "textDocument/didChange" => {
            if let Ok(changed) = decode::<lsp::DidChangeTextDocumentParams>(params) {
                let uri = changed.text_document.uri.as_str();
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
            if let Ok(saved) = decode::<lsp::DidSaveTextDocumentParams>(params) {
                server.touch(saved.text_document.uri.as_str());
            }
        }
        "textDocument/didClose" => {
            if let Ok(closed) = decode::<lsp::DidCloseTextDocumentParams>(params) {
                let uri = closed.text_document.uri.as_str();
                server.documents.close(uri);
                server.touch(uri);
            }
        }
        "$/cancelRequest" => {
            if let Ok(cancel) = decode::<lsp::CancelParams>(params) {
                server.jobs.cancel(&match cancel.id {
                    lsp::NumberOrString::Number(id) => id.into(),
                    lsp::NumberOrString::String(id) => id.into(),
                });
            }
        }
        "workspace/didChangeWatchedFiles" => {
            if let Ok(files) = decode::<lsp::DidChangeWatchedFilesParams>(params) {
                for change in files.changes {
                    server.touch(change.uri.as_str());
                }
            }
        }
        _ => {}
    }
}

/// What to tell the editor about a text; about one that is closed, nothing.
pub fn publish(uri: &str, sheet: Option<&Sheet>, checked: Option<&Checked>) -> Notification {
    let mut list: Vec<lsp::Diagnostic> = Vec::new();
    if let (Some(sheet), Some(checked)) = (sheet, checked) {
        let about = checked.about(sheet.file()).take(MOST_DIAGNOSTICS);
        list.extend(about.map(|found| diagnostic(sheet, checked, found)));
        if let Some((span, words)) = &checked.remark
            && span.file == sheet.file()
        {
            list.push(lsp::Diagnostic {
                range: range(sheet, *span),
                severity: Some(lsp::DiagnosticSeverity::INFORMATION),
                source: Some("planoku".to_owned()),
                message: words.clone(),
                ..Default::default()
            });
        }
    }
    let params = json!({
        "uri": uri,
        "version": sheet.and_then(|sheet| sheet.version),
        "diagnostics": list,
    });
    Notification::new("textDocument/publishDiagnostics".to_owned(), params)
}

fn diagnostic(sheet: &Sheet, checked: &Checked, found: &Diagnostic) -> lsp::Diagnostic {
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
        Some(lsp::DiagnosticRelatedInformation {
            location: location(checked.pair.sheet(*span)?, *span)?,
            message: text.clone(),
        })
    });
    lsp::Diagnostic {
        range: range(sheet, found.span),
        severity: Some(match found.severity() {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            Severity::Hint => lsp::DiagnosticSeverity::INFORMATION,
        }),
        code: Some(lsp::NumberOrString::String(found.code.name.to_owned())),
        source: Some("planoku".to_owned()),
        message,
        related_information: Some(related.collect()),
        tags: (found.code == &cost::UNUSED).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..Default::default()
    }
}

fn hover(server: &mut Server, params: lsp::HoverParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position_params) else {
        return Ok(Value::Null);
    };
    let found = names::hover(&mut server.documents, &sheet, at);
    encode(found.map(|(span, text)| lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent {
            kind: lsp::MarkupKind::Markdown,
            value: text,
        }),
        range: Some(range(&sheet, span)),
    }))
}

fn definition(server: &mut Server, params: lsp::GotoDefinitionParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position_params) else {
        return Ok(Value::Null);
    };
    let Some((_, symbol)) = names::at(&sheet, at) else {
        return Ok(Value::Null);
    };
    let found = names::declarations(&mut server.documents, &sheet, symbol);
    let locations = found
        .iter()
        .filter_map(|(sheet, declaration)| location(sheet, declaration.name));
    encode(locations.collect::<Vec<_>>())
}

fn references(server: &mut Server, params: lsp::ReferenceParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position) else {
        return Ok(Value::Null);
    };
    let declarations = params.context.include_declaration;
    let (found, _) = names::references(&mut server.documents, &sheet, at, declarations);
    let locations = found.iter().filter_map(|f| location(&f.sheet, f.span));
    encode(locations.collect::<Vec<_>>())
}

fn highlight(server: &mut Server, params: lsp::DocumentHighlightParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position_params) else {
        return Ok(Value::Null);
    };
    let Some((mention, _)) = names::at(&sheet, at) else {
        return Ok(Value::Null);
    };
    let places = sheet.index().uses(mention.symbol);
    let places = places.map(|found| lsp::DocumentHighlight {
        range: range(&sheet, found.span),
        kind: None,
    });
    encode(places.collect::<Vec<_>>())
}

fn outline(server: &mut Server, params: lsp::DocumentSymbolParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
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
            "kind": match symbol.space {
                Space::Type => lsp::SymbolKind::CLASS,
                Space::Object => lsp::SymbolKind::CONSTANT,
                Space::Predicate => lsp::SymbolKind::PROPERTY,
                Space::Function => lsp::SymbolKind::NUMBER,
                Space::Task => lsp::SymbolKind::FUNCTION,
                Space::Method => lsp::SymbolKind::METHOD,
                Space::Domain => lsp::SymbolKind::MODULE,
                Space::Variable | Space::Label => lsp::SymbolKind::VARIABLE,
            },
            "range": range(&sheet, found.whole),
            "selectionRange": range(&sheet, found.name),
        })
    });
    Ok(entries.collect())
}

fn prepare_rename(server: &mut Server, params: lsp::TextDocumentPositionParams) -> Answer {
    let Some((sheet, at)) = place(server, &params) else {
        return Ok(Value::Null);
    };
    let span = names::renamable(&mut server.documents, &sheet, at).map_err(Refusal::failed)?;
    encode(lsp::PrepareRenameResponse::RangeWithPlaceholder {
        range: range(&sheet, span),
        placeholder: sheet.slice(span).to_owned(),
    })
}

fn rename(server: &mut Server, params: lsp::RenameParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position) else {
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

fn completion(server: &mut Server, params: lsp::CompletionParams) -> Answer {
    let Some((sheet, at)) = place(server, &params.text_document_position) else {
        return Ok(Value::Null);
    };
    let (word, items) = complete(&mut server.documents, &sheet, at);
    let range = range(&sheet, word);
    let is_incomplete = items.len() > MOST_ITEMS;
    let items = items.into_iter().map(|item| lsp::CompletionItem {
        kind: Some(match item.space {
            None => lsp::CompletionItemKind::KEYWORD,
            Some(Space::Type) => lsp::CompletionItemKind::CLASS,
            Some(Space::Object) => lsp::CompletionItemKind::CONSTANT,
            Some(Space::Predicate) => lsp::CompletionItemKind::PROPERTY,
            Some(Space::Function) => lsp::CompletionItemKind::VALUE,
            Some(Space::Task) => lsp::CompletionItemKind::FUNCTION,
            Some(Space::Method) => lsp::CompletionItemKind::METHOD,
            Some(Space::Domain) => lsp::CompletionItemKind::MODULE,
            Some(Space::Variable | Space::Label) => lsp::CompletionItemKind::VARIABLE,
        }),
        detail: Some(item.detail),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
            range,
            new_text: item.label.clone(),
        })),
        label: item.label,
        ..Default::default()
    });
    encode(lsp::CompletionList {
        is_incomplete,
        items: items.collect(),
    })
}

/// Lays the text out; one with errors of syntax is left as it is, quietly, for
/// editors format on every save.
fn formatting(server: &mut Server, params: lsp::DocumentFormattingParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
        return Ok(Value::Null);
    };
    let Ok(text) = layout::format(sheet.tree()) else {
        return Ok(Value::Null);
    };
    let edits = sheet.edit_to(&text).map(|(span, new_text)| lsp::TextEdit {
        range: range(&sheet, span),
        new_text,
    });
    encode(edits.into_iter().collect::<Vec<_>>())
}

fn actions(server: &mut Server, params: lsp::CodeActionParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
        return Ok(Value::Null);
    };
    let kinds = params.context.only.unwrap_or_default();
    let quickfix = lsp::CodeActionKind::QUICKFIX;
    if !kinds.is_empty() && !kinds.contains(&quickfix) && !kinds.contains(&"".into()) {
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
            "kind": quickfix,
            "diagnostics": [diagnostic(&sheet, &checked, found)],
            "isPreferred": true,
            "edit": workspace_edit(edits),
        })
    });
    Ok(actions.collect())
}

/// Each word's place relative to the one before, its length, its kind.
fn colours(server: &mut Server, params: lsp::SemanticTokensParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
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
        data.push(lsp::SemanticToken {
            delta_line: start.line - line,
            delta_start: start.column - if same { column } else { 0 },
            length: end.column - start.column,
            token_type: word.colour as u32,
            token_modifiers_bitset: u32::from(word.declares),
        });
        (line, column) = (start.line, start.column);
    }
    encode(lsp::SemanticTokens {
        result_id: None,
        data,
    })
}

fn folds(server: &mut Server, params: lsp::FoldingRangeParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
        return Ok(Value::Null);
    };
    let folds = shape::folds(&sheet).into_iter();
    let folds = folds.map(|(start_line, end_line, comment)| lsp::FoldingRange {
        start_line,
        end_line,
        kind: comment.then_some(lsp::FoldingRangeKind::Comment),
        ..Default::default()
    });
    encode(folds.collect::<Vec<_>>())
}

fn hints(server: &mut Server, params: lsp::InlayHintParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
        return Ok(Value::Null);
    };
    let pair = Pair::of(&mut server.documents, &sheet);
    let hints = shape::hints(&pair, &sheet).into_iter();
    let hints = hints.filter_map(|(span, label)| {
        let position = range(&sheet, span).end;
        let wanted = params.range.start <= position && position <= params.range.end;
        wanted.then(|| {
            json!({
                "position": position, "label": label, "kind": lsp::InlayHintKind::TYPE,
                "tooltip": "the type that its uses ask for",
            })
        })
    });
    Ok(hints.collect())
}

fn lenses(server: &mut Server, params: lsp::CodeLensParams) -> Answer {
    let Some(sheet) = server.documents.get(params.text_document.uri.as_str()) else {
        return Ok(Value::Null);
    };
    // Above the definition, whatever comments come before it.
    let Some(definition) = sheet.tree().root().children().next() else {
        return Ok(json!([]));
    };
    let start = range(&sheet, definition.span()).start;
    let place = lsp::Range::new(start, start);
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
    let mut changes: HashMap<String, Vec<lsp::TextEdit>> = HashMap::new();
    for (sheet, span, new_text) in edits {
        let edit = lsp::TextEdit {
            range: range(&sheet, span),
            new_text,
        };
        changes.entry(sheet.uri.clone()).or_default().push(edit);
    }
    json!({"changes": changes})
}

/// An open text and the byte the editor points at.
fn place(server: &Server, params: &lsp::TextDocumentPositionParams) -> Option<(Rc<Sheet>, u32)> {
    let sheet = server.documents.get(params.text_document.uri.as_str())?;
    let offset = sheet.offset(point(params.position));
    Some((sheet, offset))
}

fn point(position: lsp::Position) -> Point {
    Point {
        line: position.line,
        column: position.character,
    }
}

fn range(sheet: &Sheet, span: Span) -> lsp::Range {
    let position = |point: Point| lsp::Position::new(point.line, point.column);
    let (start, end) = sheet.range(span);
    lsp::Range::new(position(start), position(end))
}

fn location(sheet: &Sheet, span: Span) -> Option<lsp::Location> {
    let uri = lsp::Uri::from_str(&sheet.uri).ok()?;
    Some(lsp::Location::new(uri, range(sheet, span)))
}

fn decode<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal {
        code: ErrorCode::InvalidParams,
        message: error.to_string(),
    })
}

fn encode(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| Refusal {
        code: ErrorCode::InternalError,
        message: error.to_string(),
    })
}
