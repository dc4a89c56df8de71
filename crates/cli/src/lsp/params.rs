//! What editors send with requests and notifications, as far as it is read here.
//! Members that nobody reads are passed over, as the protocol asks.

use lsp_server::RequestId;
use serde::Deserialize;

/// A text.
#[derive(Deserialize)]
pub struct Document {
    pub uri: String,
}

/// Lines and UTF-16 units, from 0.
#[derive(Clone, Copy, Deserialize)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// From one place to another.
#[derive(Clone, Copy, Deserialize)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// Something about a whole text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct About {
    pub text_document: Document,
}

/// Something about a place in a text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct At {
    pub text_document: Document,
    pub position: Position,
}

/// `textDocument/references`
#[derive(Deserialize)]
pub struct ReferencesOf {
    #[serde(flatten)]
    pub at: At,
    pub context: ReferenceContext,
}

/// What counts as a reference.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReferenceContext {
    pub include_declaration: bool,
}

/// `textDocument/rename`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewName {
    #[serde(flatten)]
    pub at: At,
    pub new_name: String,
}

/// `textDocument/codeAction`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionsIn {
    pub text_document: Document,
    pub range: Range,
    pub context: ActionContext,
}

/// What actions are wanted.
#[derive(Deserialize)]
pub struct ActionContext {
    pub only: Option<Vec<String>>,
}

/// `textDocument/inlayHint`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HintsIn {
    pub text_document: Document,
    pub range: Range,
}

/// `textDocument/didOpen`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    pub text_document: OpenedDocument,
}

/// A text as it is opened.
#[derive(Deserialize)]
pub struct OpenedDocument {
    pub uri: String,
    pub version: i32,
    pub text: String,
}

/// `textDocument/didChange`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub text_document: ChangedDocument,
    pub content_changes: Vec<ContentChange>,
}

/// A text and the version that changes lead to.
#[derive(Deserialize)]
pub struct ChangedDocument {
    pub uri: String,
    pub version: i32,
}

/// A piece of text that takes the place of another, or of all of it.
#[derive(Deserialize)]
pub struct ContentChange {
    pub range: Option<Range>,
    pub text: String,
}

/// `$/cancelRequest`
#[derive(Deserialize)]
pub struct Cancelled {
    pub id: RequestId,
}

/// `workspace/didChangeWatchedFiles`
#[derive(Deserialize)]
pub struct Watched {
    pub changes: Vec<Document>,
}
