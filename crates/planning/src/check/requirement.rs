//! What a file says it needs: requirements, and the domain it belongs to.

use super::look;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::model::resolve::Reading;
use crate::model::{Effect, Formula, Model, Span};
use crate::syntax::nearest;

code!(
    DOMAIN_NAME = "W0602",
    Warning,
    "problem names another domain"
);
code!(MISSING = "H0604", Hint, "requirement not declared");
code!(UNKNOWN = "W0605", Warning, "unknown requirement");

/// Requirements anyone has defined, for PDDL up to 3.1 and HDDL.
pub const KNOWN: &[&str] = &[
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
    ":adl",
    ":ucpop",
    ":fluents",
    ":numeric-fluents",
    ":object-fluents",
    ":durative-actions",
    ":duration-inequalities",
    ":continuous-effects",
    ":timed-initial-literals",
    ":preferences",
    ":constraints",
    ":goal-utilities",
    ":htn",
    ":hierarchy",
    ":method-preconditions",
    ":htn-method-prec",
    ":non-deterministic",
    ":probabilistic-effects",
];

/// Spellings that are common enough to be understood, and never advised.
const MISSPELT: &[&str] = &[":hierachy"];

/// A requirement nobody has defined.
pub fn unknown(keyword: &str, span: Span) -> Option<Diagnostic> {
    if KNOWN.contains(&keyword) || MISSPELT.contains(&keyword) {
        return None;
    }
    let diagnostic = Diagnostic::new(
        &UNKNOWN,
        span,
        format!("`{keyword}` is not a known requirement"),
    );
    Some(match nearest(keyword, KNOWN.iter().copied()) {
        Some(meant) => diagnostic.label(meant.question()).suggest(
            meant.sure,
            format!("write `{}`", meant.word),
            span,
            meant.word,
        ),
        None => diagnostic.label("unknown; ignored"),
    })
}

/// What a misspelt requirement surely means.
fn meant(keyword: &str) -> Option<&'static str> {
    let near = nearest(keyword, KNOWN.iter().copied())?;
    near.sure.then_some(near.word)
}

/// The problem's `:domain` is not the domain's name.
pub fn domain_name(found: &str, span: Span, domain: &str) -> Diagnostic {
    Diagnostic::new(
        &DOMAIN_NAME,
        span,
        format!("the problem is for domain `{found}`, the domain is `{domain}`"),
    )
    .label(format!("the domain is `{domain}`"))
    .edit(format!("write `{domain}`"), span, domain)
}

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
        ":htn-method-prec" => need == ":method-preconditions",
        _ => false,
    }
}

/// The requirements that a model makes use of.
pub(crate) fn needed(model: &Model) -> Vec<&'static str> {
    let mut needs = Vec::new();
    let mut need = |name: &'static str, yes: bool| {
        if yes {
            needs.push(name);
        }
    };
    let asks =
        |formula: &Formula| formula != &Formula::True && formula != &Formula::And(Vec::new());
    need(":typing", model.types.len() > 1);
    need(":hierarchy", !model.tasks.is_empty());
    let mut kinds = [false; 5];
    let actions = model.actions.iter().map(|a| &a.precondition);
    let methods = model.methods.iter().map(|m| &m.precondition);
    for formula in actions.chain(methods) {
        look::formulas(formula, &mut |part| match part {
            Formula::Not(body) => match &**body {
                Formula::Equal(..) => kinds[1] = true,
                _ => kinds[0] = true,
            },
            Formula::Equal(..) => kinds[1] = true,
            Formula::Or(_) | Formula::Imply(..) => kinds[2] = true,
            Formula::Forall(..) => kinds[3] = true,
            Formula::Exists(..) => kinds[4] = true,
            _ => {}
        });
    }
    need(":negative-preconditions", kinds[0]);
    need(":equality", kinds[1]);
    need(":disjunctive-preconditions", kinds[2]);
    need(":universal-preconditions", kinds[3]);
    need(":existential-preconditions", kinds[4]);
    let mut conditional = false;
    let mut costs = false;
    for action in &model.actions {
        look::effects(&action.effect, &mut |effect| match effect {
            Effect::When(..) | Effect::Forall(..) => conditional = true,
            Effect::IncreaseCost(_) => costs = true,
            _ => {}
        });
    }
    need(":conditional-effects", conditional);
    need(":action-costs", costs);
    need(":derived-predicates", !model.derived.is_empty());
    need(
        ":method-preconditions",
        model.methods.iter().any(|m| asks(&m.precondition)),
    );
    needs
}
