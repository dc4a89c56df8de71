//! Facts that stand twice, or are both stated and denied.

use crate::diagnostic::Diagnostics;
use crate::diagnostic::duplicate::{contradiction, fact};
use crate::model::resolve::Reading;
use crate::model::{ObjectId, PredicateId};
use crate::source::Span;
use rustc_hash::FxHashMap;

/// Copies told one by one before the rest is only counted.
const TOLD: usize = 20;

/// Looks for facts that stand twice, or are both stated and denied.
pub(super) fn check(reading: &Reading, out: &mut Diagnostics) {
    let model = &reading.model;
    let mut seen: FxHashMap<(PredicateId, &[ObjectId]), Span> = FxHashMap::default();
    let show = |predicate: PredicateId, arguments: &[ObjectId]| {
        let name = &model.predicates[predicate.index()].name;
        format!("({})", model.show(name, arguments))
    };
    let mut told = 0;
    for statement in &model.init {
        let key = (statement.predicate, statement.arguments.as_slice());
        match seen.get(&key) {
            Some(first) => {
                told += 1;
                let shown = show(statement.predicate, &statement.arguments);
                let diagnostic = fact(&shown, statement.span, *first).plural("facts");
                let about = match told <= TOLD {
                    true => told.to_string(),
                    false => String::new(),
                };
                out.group(about, diagnostic);
            }
            None => {
                seen.insert(key, statement.span);
            }
        }
    }
    for denied in &reading.denied {
        if let Some(stated) = seen.get(&(denied.predicate, denied.arguments.as_slice())) {
            let shown = show(denied.predicate, &denied.arguments);
            out.group(
                "",
                contradiction(&shown, denied.span, *stated).plural("facts"),
            );
        }
    }
}
