//! Requirements that a domain uses and does not declare.

use crate::diagnostic::requirement::{KNOWN, MISSING};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::requirements::needed;
use crate::model::resolve::Reading;
use crate::source::{Span, nearest};

/// Says which requirements the domain needs and does not declare. A file that
/// declares none at all has chosen not to.
pub(super) fn check(reading: &Reading, out: &mut Diagnostics) {
    let declared: Vec<&str> = reading
        .requirements
        .iter()
        .map(|(name, _)| meant(name).unwrap_or(name))
        .collect();
    let Some((_, last)) = reading
        .requirements
        .iter()
        .rfind(|(_, span)| span.file == 0)
    else {
        return;
    };
    let mut missing: Vec<&str> = needed(&reading.model)
        .into_iter()
        .filter(|need| !declared.iter().any(|have| implies(have, need)))
        .collect();
    missing.dedup();
    if missing.is_empty() {
        return;
    }
    let list: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    let is = if missing.len() == 1 { "is" } else { "are" };
    let insert = Span {
        start: last.end,
        ..*last
    };
    out.push(
        Diagnostic::new(
            &MISSING,
            *last,
            format!("{} {is} used but not declared", list.join(", ")),
        )
        .label("declare it here")
        .note("planners that go by the requirements may refuse the file or misread it")
        .edit(
            "declare what is used",
            insert,
            format!(" {}", missing.join(" ")),
        ),
    );
}

/// True if declaring `have` covers `need`.
fn implies(have: &str, need: &str) -> bool {
    let adl = [
        ":strips",
        ":typing",
        ":equality",
        ":negative-preconditions",
        ":disjunctive-preconditions",
        ":existential-preconditions",
        ":universal-preconditions",
        ":conditional-effects",
    ];
    match have {
        _ if have == need => true,
        ":adl" | ":ucpop" => adl.contains(&need),
        ":quantified-preconditions" => {
            matches!(
                need,
                ":existential-preconditions" | ":universal-preconditions"
            )
        }
        ":htn" | ":hierachy" => need == ":hierarchy",
        ":fluents" | ":numeric-fluents" => matches!(need, ":numeric-fluents" | ":action-costs"),
        ":htn-method-prec" => need == ":method-preconditions",
        _ => false,
    }
}

/// What a misspelt requirement surely means.
fn meant(keyword: &str) -> Option<&'static str> {
    let near = nearest(keyword, KNOWN.iter().copied())?;
    near.sure.then_some(near.word)
}
