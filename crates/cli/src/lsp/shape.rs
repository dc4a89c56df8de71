//! What a text looks like: colours of names, parts that fold, and types that the
//! text does not say.

use planoku_language::index::Space;
use planoku_language::model::resolve::{Options, resolve};
use planoku_language::model::{Model, Span, TypeId, Variable};
use planoku_language::syntax::{Node, NodeKind, TokenKind, tokens};

use super::check::Pair;
use super::documents::Sheet;

/// What a name is, for its colour; the order is that of [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Keyword,
    Type,
    Object,
    Predicate,
    Function,
    Task,
    Method,
    Variable,
    Label,
    Domain,
    Number,
    Comment,
}

/// The protocol's words for [`Colour`], in its order.
pub const KINDS: [&str; 12] = [
    "keyword",
    "type",
    "enumMember",
    "property",
    "macro",
    "function",
    "method",
    "variable",
    "label",
    "namespace",
    "number",
    "comment",
];

/// A word with its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coloured {
    pub span: Span,
    pub colour: Colour,
    pub declares: bool,
}

/// Texts beyond this many bytes get no colours, folds or hints.
const LARGE: usize = 4 << 20;
/// Beyond this many hints, nobody reads.
const MOST_HINTS: usize = 2000;

/// Every word that has a colour, by place.
pub fn colours(sheet: &Sheet) -> Vec<Coloured> {
    if sheet.text().len() > LARGE {
        return Vec::new();
    }
    let index = sheet.index();
    let mut found: Vec<Coloured> = index
        .mentions
        .iter()
        .map(|mention| Coloured {
            span: mention.span,
            colour: match index.symbols[mention.symbol as usize].space {
                Space::Type => Colour::Type,
                Space::Object => Colour::Object,
                Space::Predicate => Colour::Predicate,
                Space::Function => Colour::Function,
                Space::Task => Colour::Task,
                Space::Method => Colour::Method,
                Space::Variable => Colour::Variable,
                Space::Label => Colour::Label,
                Space::Domain => Colour::Domain,
            },
            declares: mention.declares,
        })
        .collect();
    let named = found.len();
    let mut open = vec![sheet.tree().root()];
    while let Some(node) = open.pop() {
        let colour = match node.kind() {
            NodeKind::Keyword => Some(Colour::Keyword),
            NodeKind::Number => Some(Colour::Number),
            NodeKind::Name if is_reserved(node.text()) => Some(Colour::Keyword),
            _ => None,
        };
        // Where a reserved word is used as a name it is one.
        let at = found[..named].binary_search_by_key(&node.span().start, |f| f.span.start);
        if let (Some(colour), Err(_)) = (colour, at) {
            found.push(Coloured {
                span: node.span(),
                colour,
                declares: false,
            });
        }
        open.extend(node.children());
    }
    let comments = tokens(sheet.text()).filter(|token| token.kind == TokenKind::Comment);
    found.extend(comments.map(|token| Coloured {
        span: Span {
            file: sheet.file(),
            start: token.start,
            end: token.end,
        },
        colour: Colour::Comment,
        declares: false,
    }));
    found.sort_by_key(|word| word.span.start);
    found
}

fn is_reserved(word: &str) -> bool {
    const WORDS: [&str; 18] = [
        "define", "domain", "problem", "and", "or", "not", "imply", "forall", "exists", "when",
        "either", "increase", "decrease", "assign", "minimize", "maximize", "=", "<",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Lists of several lines, and comments of several lines, with true for comments.
pub fn folds(sheet: &Sheet) -> Vec<(u32, u32, bool)> {
    if sheet.text().len() > LARGE {
        return Vec::new();
    }
    let lines = |span: Span| {
        let (start, end) = sheet.range(span);
        (start.line, end.line)
    };
    let mut found = Vec::new();
    let mut open = vec![(sheet.tree().root(), 0)];
    while let Some((node, depth)) = open.pop() {
        if node.is_list() {
            let (start, end) = lines(node.span());
            if start < end {
                found.push((start, end, false));
            }
        }
        // Deeper lists are short.
        if depth < 12 {
            open.extend(node.children().map(|child: Node<'_>| (child, depth + 1)));
        }
    }
    // Lists that begin on one line fold as one, the longest.
    found.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
    found.dedup_by_key(|&mut (start, ..)| start);
    found.extend(comments(sheet.text()));
    found.sort_unstable();
    found
}

/// Blocks of lines that are nothing but comments.
fn comments(text: &str) -> Vec<(u32, u32, bool)> {
    let mut found = Vec::new();
    let mut first = None;
    let lines = text.lines().chain(std::iter::once(""));
    for (line, content) in (0u32..).zip(lines) {
        match (content.trim_start().starts_with(';'), first) {
            (true, None) => first = Some(line),
            (false, Some(start)) => {
                if line - start > 1 {
                    found.push((start, line - 1, true));
                }
                first = None;
            }
            _ => {}
        }
    }
    found
}

/// Types that follow from how variables are used, where their declarations say
/// less: behind which name to write them, and what to write.
pub fn hints(pair: &Pair, sheet: &Sheet) -> Vec<(Span, String)> {
    let (Some(domain), problem) = (&pair.domain, &pair.problem) else {
        return Vec::new();
    };
    let size = domain.text().len() + problem.as_ref().map_or(0, |p| p.text().len());
    if size > LARGE {
        return Vec::new();
    }
    let problem = problem.as_ref().map(|problem| problem.tree());
    let model = resolve(domain.tree(), problem, Options::default()).model;
    let mut found = Vec::new();
    let mut look = |variables: &[Variable]| {
        for variable in variables {
            if variable.span.file == sheet.file()
                && let Some(text) = hint(&model, variable)
            {
                found.push((variable.span, text));
            }
        }
    };
    for action in &model.actions {
        look(&action.variables);
    }
    for method in &model.methods {
        look(&method.variables);
    }
    for derived in &model.derived {
        look(&derived.variables);
    }
    look(&model.goal_variables);
    if let Some(network) = &model.network {
        look(&network.variables);
    }
    found.sort_by_key(|(span, _)| span.start);
    found.dedup();
    found.truncate(MOST_HINTS);
    found
}

/// As a declaration would say it where there is none: ` - ball`; beside one that
/// says less: ` & ball`.
fn hint(model: &Model, variable: &Variable) -> Option<String> {
    let said = |ty: &TypeId| model.is_subtype(variable_type(variable), *ty);
    let mut narrow: Vec<&TypeId> = variable.also.iter().filter(|ty| !said(ty)).collect();
    // Of two types of which one is below the other, the lower says it all.
    let all = narrow.clone();
    narrow.retain(|ty| !all.iter().any(|o| o != ty && model.is_subtype(**o, **ty)));
    if narrow.is_empty() {
        return None;
    }
    let names: Vec<&str> = narrow
        .iter()
        .map(|ty| model.types[ty.index()].name.as_str())
        .collect();
    let sign = match variable.types.as_slice() {
        [] | [TypeId(0)] => "-",
        _ => "&",
    };
    Some(format!(" {sign} {}", names.join(" & ")))
}

fn variable_type(variable: &Variable) -> TypeId {
    match variable.types.as_slice() {
        [one] => *one,
        _ => TypeId(0),
    }
}
