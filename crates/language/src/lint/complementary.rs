//! Literals that contradict each other.

use crate::diagnostic::{Diagnostic, Diagnostics, code};
use crate::model::visit;
use crate::model::{Atom, Effect, Formula, Model, Span, Term, Variable};

code!(
    PRECONDITION = "W0404",
    Warning,
    "precondition contradicts itself"
);
code!(
    EFFECT = "W0405",
    Warning,
    "effect adds and deletes the same fact"
);
code!(
    POSSIBLE = "H0406",
    Hint,
    "effect may add and delete the same fact"
);

/// Looks at every action and method.
pub(super) fn check(model: &Model, strict: bool, out: &mut Diagnostics) {
    for action in &model.actions {
        precondition(
            model,
            "action",
            &action.name,
            action.span,
            &action.variables,
            &action.precondition,
            out,
        );
        effect(
            model,
            &action.name,
            &action.variables,
            action.arity,
            &action.precondition,
            &action.effect,
            strict,
            out,
        );
    }
    for method in &model.methods {
        precondition(
            model,
            "method",
            &method.name,
            method.span,
            &method.variables,
            &method.precondition,
            out,
        );
        precondition(
            model,
            "method",
            &method.name,
            method.span,
            &method.variables,
            &method.network.constraints,
            out,
        );
    }
}

fn precondition(
    model: &Model,
    what: &str,
    name: &str,
    span: Span,
    variables: &[Variable],
    formula: &Formula,
    out: &mut Diagnostics,
) {
    let mut positive: Vec<&Atom> = Vec::new();
    let mut negative: Vec<&Atom> = Vec::new();
    let mut equal: Vec<(Term, Term)> = Vec::new();
    let mut different: Vec<(Term, Term)> = Vec::new();
    visit::literals(formula, &mut |literal| match literal {
        Formula::Atom(atom) => positive.push(atom),
        Formula::Equal(a, b) => equal.push((*a, *b)),
        Formula::Not(body) => match &**body {
            Formula::Atom(atom) => negative.push(atom),
            Formula::Equal(a, b) => different.push((*a, *b)),
            _ => {}
        },
        _ => {}
    });
    let same = |a: &Atom, b: &Atom| a.predicate == b.predicate && a.arguments == b.arguments;
    // Sorting by predicate keeps this linear for schemas of any size.
    let mut by_predicate: rustc_hash::FxHashMap<u32, Vec<&Atom>> = Default::default();
    for atom in &positive {
        by_predicate.entry(atom.predicate.0).or_default().push(atom);
    }
    for denied in negative {
        let candidates = by_predicate.get(&denied.predicate.0);
        if let Some(stated) = candidates.and_then(|c| c.iter().take(100).find(|a| same(a, denied)))
        {
            let literal = visit::show_atom(model, denied, variables);
            out.push(
                Diagnostic::new(
                    &PRECONDITION,
                    denied.span,
                    format!(
                        "{what} `{name}` can never apply: it requires `{literal}` and its negation"
                    ),
                )
                .label("must not hold")
                .related(stated.span, "must hold"),
            );
        }
    }
    let contradicts = |(a, b): &(Term, Term)| {
        a == b
            || equal
                .iter()
                .take(100)
                .any(|(c, d)| (c, d) == (a, b) || (d, c) == (a, b))
    };
    if let Some((a, b)) = different.iter().find(|pair| contradicts(pair)) {
        let text = visit::show(model, "=", &[*a, *b], variables);
        out.push(
            Diagnostic::new(
                &PRECONDITION,
                span,
                format!("{what} `{name}` can never apply: it forbids `{text}`, which always holds or is required"),
            )
            .label("never applicable"),
        );
    }
}

#[allow(clippy::too_many_arguments)] // the parts of one action
fn effect(
    model: &Model,
    name: &str,
    variables: &[Variable],
    arity: usize,
    precondition: &Formula,
    effect: &Effect,
    strict: bool,
    out: &mut Diagnostics,
) {
    let mut adds: Vec<&Atom> = Vec::new();
    let mut deletes: Vec<&Atom> = Vec::new();
    plain(effect, &mut |add, atom| match add {
        true => adds.push(atom),
        false => deletes.push(atom),
    });
    if adds.len().saturating_mul(deletes.len()) > 100_000 {
        return;
    }
    for delete in &deletes {
        for add in &adds {
            if add.predicate != delete.predicate {
                continue;
            }
            let literal = visit::show_atom(model, add, variables);
            if add.arguments == delete.arguments {
                out.push(
                    Diagnostic::new(
                        &EFFECT,
                        delete.span,
                        format!("action `{name}` both adds and deletes `{literal}`"),
                    )
                    .label("deleted here, without effect")
                    .related(add.span, "added here; adding wins"),
                );
            } else if strict && may_coincide(model, add, delete, variables, arity, precondition) {
                let other = visit::show_atom(model, delete, variables);
                out.push(
                    Diagnostic::new(
                        &POSSIBLE,
                        delete.span,
                        format!("action `{name}` may add `{literal}` and delete `{other}` where they are one fact"),
                    )
                    .label("deleted here")
                    .related(add.span, "added here; adding wins")
                    .help("if that is not meant, require that the arguments differ: `(not (= …))`"),
                );
            }
        }
    }
}

/// The unconditional adds and deletes.
fn plain<'e>(effect: &'e Effect, visit: &mut dyn FnMut(bool, &'e Atom)) {
    match effect {
        Effect::Add(atom) => visit(true, atom),
        Effect::Delete(atom) => visit(false, atom),
        Effect::And(parts) => parts.iter().for_each(|part| plain(part, visit)),
        _ => {}
    }
}

/// True if the atoms could be the same fact: each pair of arguments could be
/// one object, and no precondition says that they differ.
fn may_coincide(
    model: &Model,
    a: &Atom,
    b: &Atom,
    variables: &[Variable],
    arity: usize,
    precondition: &Formula,
) -> bool {
    let mut different: Vec<(Term, Term)> = Vec::new();
    visit::literals(precondition, &mut |literal| {
        if let Formula::Not(body) = literal
            && let Formula::Equal(x, y) = &**body
        {
            different.push((*x, *y));
        }
    });
    let range = |term: &Term| match term {
        Term::Object(object) => vec![*object],
        Term::Variable(id) if id.index() < arity => model.range(&variables[id.index()]),
        Term::Variable(_) => Vec::new(),
    };
    a.arguments.iter().zip(&b.arguments).all(|(x, y)| {
        x == y
            || !different
                .iter()
                .any(|(c, d)| (c, d) == (x, y) || (d, c) == (x, y))
                && (model.objects.is_empty() || {
                    let ys = range(y);
                    range(x)
                        .iter()
                        .any(|object| ys.binary_search(object).is_ok())
                })
    })
}
