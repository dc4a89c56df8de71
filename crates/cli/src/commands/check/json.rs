//! Diagnostics as one JSON object.

use planoku_language::diagnostic::{Diagnostics, Severity, Source};
use planoku_language::model::Span;
use planoku_language::source::Lines;
use serde_json::{Value, json};

/// `{"diagnostics":[…],"errors":n,"warnings":n,"hints":n}` and a line end.
pub fn report(found: &Diagnostics, sources: &[Source<'_>]) -> String {
    let lines = super::lines(sources);
    let diagnostics: Vec<Value> = found
        .list
        .iter()
        .map(|diagnostic| {
            let related = diagnostic.related.iter().map(|(span, text)| {
                let mut place = place(*span, sources, &lines);
                place["message"] = json!(text);
                place
            });
            let related: Vec<Value> = related.collect();
            let fix = diagnostic.fix.as_ref().map(|fix| {
                let edits = fix.edits.iter().map(|edit| {
                    let mut place = place(edit.span, sources, &lines);
                    place["text"] = json!(edit.text);
                    place
                });
                json!({
                    "message": fix.message,
                    "certain": fix.certain,
                    "edits": edits.collect::<Vec<Value>>(),
                })
            });
            let mut object = place(diagnostic.span, sources, &lines);
            object["code"] = json!(diagnostic.code.name);
            object["severity"] = json!(diagnostic.severity().word());
            object["message"] = json!(diagnostic.message);
            object["label"] = json!(diagnostic.label);
            object["count"] = json!(diagnostic.count);
            object["related"] = json!(related);
            object["notes"] = json!(diagnostic.notes);
            object["helps"] = json!(diagnostic.helps);
            object["fix"] = json!(fix);
            object
        })
        .collect();
    let object = json!({
        "diagnostics": diagnostics,
        "errors": found.count(Severity::Error),
        "warnings": found.count(Severity::Warning),
        "hints": found.count(Severity::Hint),
    });
    format!("{object}\n")
}

fn place(span: Span, sources: &[Source<'_>], lines: &[Lines]) -> Value {
    let file = (span.file as usize).min(sources.len() - 1);
    let text = sources[file].text;
    let start = lines[file].position(text, span.start);
    let end = lines[file].position(text, span.end);
    json!({
        "file": sources[file].name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}
