//! `planoku lsp` as an editor sees it: the built command, framed messages on
//! standard input and output.

mod editor;
mod names;
mod shape;
mod texts;
mod trouble;

use serde_json::Value;

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
