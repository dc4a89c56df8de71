//! Diagnostics as SARIF 2.1.0, the format that services for continuous
//! integration read.

use planoku_language::diagnostic::{Diagnostics, Severity, Source};
use planoku_language::lint;
use planoku_language::model::Span;
use planoku_language::source::Lines;
use serde_json::{Value, json};

/// One run with its rules and results, and a line end.
pub fn report(found: &Diagnostics, sources: &[Source<'_>]) -> String {
    let lines = super::lines(sources);
    let rules: Vec<Value> = lint::codes()
        .into_iter()
        .map(|code| {
            json!({
                "id": code.name,
                "shortDescription": {"text": code.title},
                "help": {"text": code.explanation, "markdown": code.explanation},
                "defaultConfiguration": {"level": level(code.severity)},
            })
        })
        .collect();
    let results: Vec<Value> = found
        .list
        .iter()
        .map(|diagnostic| {
            let related = diagnostic.related.iter().map(|(span, text)| {
                json!({
                    "physicalLocation": location(*span, sources, &lines),
                    "message": {"text": text},
                })
            });
            let mut text = diagnostic.message.clone();
            for note in diagnostic.notes.iter().chain(&diagnostic.helps) {
                text += "\n";
                text += note;
            }
            let mut result = json!({
                "ruleId": diagnostic.code.name,
                "level": level(diagnostic.severity()),
                "message": {"text": text},
                "locations": [{"physicalLocation": location(diagnostic.span, sources, &lines)}],
                "relatedLocations": related.collect::<Vec<Value>>(),
                "occurrenceCount": diagnostic.count,
            });
            if let Some(fix) = &diagnostic.fix {
                let mut changes: Vec<Value> = Vec::new();
                for (number, source) in sources.iter().enumerate() {
                    let edits = fix.edits.iter().filter(|e| e.span.file as usize == number);
                    let replacements: Vec<Value> = edits
                        .map(|edit| {
                            json!({
                                "deletedRegion": region(edit.span, sources, &lines),
                                "insertedContent": {"text": edit.text},
                            })
                        })
                        .collect();
                    if !replacements.is_empty() {
                        changes.push(json!({
                            "artifactLocation": {"uri": uri(source.name)},
                            "replacements": replacements,
                        }));
                    }
                }
                result["fixes"] =
                    json!([{"description": {"text": fix.message}, "artifactChanges": changes}]);
            }
            result
        })
        .collect();
    let object = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "planoku",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{object}\n")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    }
}

fn location(span: Span, sources: &[Source<'_>], lines: &[Lines]) -> Value {
    let file = (span.file as usize).min(sources.len() - 1);
    json!({
        "artifactLocation": {"uri": uri(sources[file].name)},
        "region": region(span, sources, lines),
    })
}

fn region(span: Span, sources: &[Source<'_>], lines: &[Lines]) -> Value {
    let file = (span.file as usize).min(sources.len() - 1);
    let text = sources[file].text;
    let start = lines[file].position(text, span.start);
    let end = lines[file].position(text, span.end);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A path as a relative reference: blanks and other unsafe bytes escaped.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b':' => {
                out.push(byte as char);
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}
