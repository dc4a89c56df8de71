//! From a name under the cursor to its declarations, its uses, and a better
//! name.

use std::rc::Rc;

use planoku_language::index::{Declaration, IndexedName, Mention, Space, fold};
use planoku_language::model::Span;
use planoku_language::syntax::{TokenKind, tokens};

use super::documents::{Documents, Sheet};

/// Files beyond this many bytes in all are not searched for a name.
const MOST_BYTES: usize = 64 << 20;
/// A declaration of more lines is shown by its beginning.
const MOST_LINES: usize = 24;

/// A place in a text.
#[derive(Clone)]
pub struct Found {
    pub sheet: Rc<Sheet>,
    pub span: Span,
}

/// The name at a byte.
pub fn at(sheet: &Sheet, offset: u32) -> Option<(Mention, &IndexedName)> {
    let index = sheet.index();
    let mention = index.at(offset)?;
    Some((mention, &index.symbols[mention.symbol as usize]))
}

/// Where a name is declared: in its own text or in the domain.
pub fn declarations(
    documents: &mut Documents,
    sheet: &Rc<Sheet>,
    symbol: &IndexedName,
) -> Vec<(Rc<Sheet>, Declaration)> {
    let own = |sheet: &Rc<Sheet>, symbol: &IndexedName| -> Vec<(Rc<Sheet>, Declaration)> {
        let list = symbol.declarations.iter();
        list.map(|found| (sheet.clone(), *found)).collect()
    };
    let mut found = own(sheet, symbol);
    if !symbol.space.is_local()
        && sheet.header.is_problem()
        && let Some(domain) = documents.domain_of(sheet)
        && let Some((_, symbol)) = domain.index().find(symbol.space, &symbol.name)
    {
        found.extend(own(&domain, symbol));
    }
    found
}

/// The texts that share a name, and whether these are all.
fn family(
    documents: &mut Documents,
    sheet: &Rc<Sheet>,
    symbol: &IndexedName,
) -> (Vec<Rc<Sheet>>, bool) {
    let alone = (vec![sheet.clone()], true);
    if symbol.space.is_local() {
        return alone;
    }
    let domain = match sheet.header.is_problem() {
        true => documents.domain_of(sheet),
        false => Some(sheet.clone()),
    };
    let Some(domain) = domain else {
        return alone;
    };
    // Each problem has objects of its own, but for the domain's constants.
    let constant = domain.index().find(Space::Object, &symbol.name);
    if symbol.space == Space::Object && constant.is_none_or(|c| c.1.declarations.is_empty()) {
        return alone;
    }
    let mut sheets = vec![domain.clone()];
    let mut bytes = domain.text().len();
    for path in documents.problems_of(&domain) {
        match documents.load(&path) {
            Some(problem) if bytes + problem.text().len() <= MOST_BYTES => {
                bytes += problem.text().len();
                sheets.push(problem);
            }
            _ => return (sheets, false),
        }
    }
    (sheets, true)
}

/// Every place that has the name at the byte, and whether these are all.
pub fn references(
    documents: &mut Documents,
    sheet: &Rc<Sheet>,
    offset: u32,
    declarations: bool,
) -> (Vec<Found>, bool) {
    let Some((mention, symbol)) = at(sheet, offset) else {
        return (Vec::new(), true);
    };
    let (sheets, complete) = family(documents, sheet, symbol);
    let mut found = Vec::new();
    for other in sheets {
        let id = match symbol.space.is_local() {
            true => Some(mention.symbol),
            false => other
                .index()
                .find(symbol.space, &symbol.name)
                .map(|(id, _)| id),
        };
        let Some(id) = id else {
            continue;
        };
        let places = other
            .index()
            .uses(id)
            .filter(|place| declarations || !place.declares);
        found.extend(places.map(|place| Found {
            sheet: other.clone(),
            span: place.span,
        }));
    }
    (found, complete)
}

/// Whether the name at the byte can be changed: its place, or why not.
pub fn renamable(
    documents: &mut Documents,
    sheet: &Rc<Sheet>,
    offset: u32,
) -> Result<Span, String> {
    let Some((mention, symbol)) = at(sheet, offset) else {
        return Err("there is no name here".to_owned());
    };
    if symbol.space == Space::Type && fold(&symbol.name) == "object" {
        return Err("`object` is the type of everything and keeps its name".to_owned());
    }
    if declarations(documents, sheet, symbol).is_empty() {
        return Err(format!(
            "`{}` is declared nowhere in this folder",
            symbol.name
        ));
    }
    Ok(mention.span)
}

/// Every place to change and what to write there, or why that cannot be.
pub fn rename(
    documents: &mut Documents,
    sheet: &Rc<Sheet>,
    offset: u32,
    new: &str,
) -> Result<(Vec<Found>, String), String> {
    renamable(documents, sheet, offset)?;
    let Some((_, symbol)) = at(sheet, offset) else {
        return Err("there is no name here".to_owned());
    };
    let new = spelled(symbol.space, new.trim())?;
    let (sheets, complete) = family(documents, sheet, symbol);
    if !complete {
        return Err(
            "a problem of this domain cannot be read, or there are too many to change".to_owned(),
        );
    }
    if fold(&new) != fold(&symbol.name) {
        let taken = sheets.iter().any(|other| is_taken(other, symbol, &new));
        if taken {
            return Err(format!("`{new}` is already declared"));
        }
    }
    Ok((references(documents, sheet, offset, true).0, new))
}

fn is_taken(sheet: &Sheet, symbol: &IndexedName, new: &str) -> bool {
    let index = sheet.index();
    match symbol.space.is_local() {
        true => index.symbols.iter().any(|other| {
            other.space == symbol.space
                && other.section == symbol.section
                && fold(&other.name) == fold(new)
        }),
        // Used without declaration it would come to mean something else.
        false => index.find(symbol.space, new).is_some(),
    }
}

/// A new name with its question mark, if it can be a name at all.
fn spelled(space: Space, new: &str) -> Result<String, String> {
    const RESERVED: &[&str] = &[
        "and", "or", "not", "imply", "forall", "exists", "when", "either", "object", "increase",
    ];
    let new = match space {
        Space::Variable if !new.starts_with('?') => format!("?{new}"),
        _ => new.to_owned(),
    };
    let name = match space {
        Space::Variable => &new[1..],
        _ => new.as_str(),
    };
    let numbers = matches!(space, Space::Object | Space::Label | Space::Variable);
    let first = name.chars().next();
    let starts = first.is_some_and(|c| c.is_alphabetic() || (numbers && c.is_ascii_digit()));
    let one_word = tokens(&new).map(|t| t.kind).eq([TokenKind::Word]);
    let plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '@' | '.'));
    let reserved = space != Space::Variable && RESERVED.contains(&fold(name).as_str());
    match starts && one_word && plain && !reserved {
        true => Ok(new),
        false => Err(format!(
            "`{new}` cannot be a name: letters, digits, `-` and `_` can, after a letter"
        )),
    }
}

/// What to show about the name at a byte, in Markdown.
pub fn hover(documents: &mut Documents, sheet: &Rc<Sheet>, offset: u32) -> Option<(Span, String)> {
    let (mention, symbol) = at(sheet, offset)?;
    let found = declarations(documents, sheet, symbol);
    let domain = match sheet.header.is_problem() {
        true => documents.domain_of(sheet),
        false => Some(sheet.clone()),
    };
    let mut text = String::new();
    for (place, declaration) in found.iter().take(4) {
        text += &format!("```hddl\n{}\n```\n", shown(place, declaration));
        text += declaration.what;
        if symbol.space.is_local()
            && let Some(owner) = owner(place, symbol.section)
        {
            text += &format!(" of `{owner}`");
        }
        if let Some(types) = declaration.types
            && let Some(domain) = &domain
            && let Some(chain) = ancestors(domain, place.slice(types))
        {
            text += &format!("; {chain}");
        }
        if place.uri != sheet.uri {
            text += &format!("; declared in {}", file_name(place));
        }
        text += "\n";
        if let Some(comment) = comment(place, declaration) {
            text += &format!("\n{comment}\n");
        }
        text += "\n";
    }
    if found.is_empty() {
        if symbol.space == Space::Type && fold(&symbol.name) == "object" {
            text += "`object`: the type of everything\n\n";
        } else {
            text += &format!("`{}`: declared nowhere in this folder\n\n", symbol.name);
        }
    }
    let uses = sheet.index().uses(mention.symbol);
    match uses.filter(|place| !place.declares).count() {
        1 => text += "1 use in this file",
        n => text += &format!("{n} uses in this file"),
    }
    Some((mention.span, text))
}

/// The declaration as written, moved to the left.
fn shown(sheet: &Sheet, declaration: &Declaration) -> String {
    let name = sheet.slice(declaration.name);
    if declaration.whole == declaration.name {
        return match declaration.types {
            Some(types) => format!("{name} - {}", sheet.slice(types)),
            None => format!("{name} - object"),
        };
    }
    let (start, _) = sheet.range(declaration.whole);
    let margin = start.column as usize;
    let mut lines = sheet.slice(declaration.whole).lines();
    let mut text = lines.next().unwrap_or("").to_owned();
    for (number, line) in lines.enumerate() {
        if number + 2 > MOST_LINES {
            text += "\n  …";
            break;
        }
        let blank = line.len() - line.trim_start_matches(' ').len();
        text.push('\n');
        text += line[blank.min(margin)..].trim_end();
    }
    // A table of a million columns helps nobody.
    match text.char_indices().nth(2000) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The name of the schema a section is.
fn owner(sheet: &Sheet, section: Span) -> Option<String> {
    let mut words = sheet.slice(section).split_ascii_whitespace();
    let first = words.next()?.trim_start_matches('(');
    let name = match first.starts_with(':') {
        true => words.next()?,
        false => first,
    };
    let name = name.trim_matches(['(', ')']);
    (!name.is_empty() && !name.starts_with(':')).then(|| name.to_owned())
}

/// "ball is a thing is a object", or nothing where there is no more to say.
fn ancestors(domain: &Sheet, ty: &str) -> Option<String> {
    let mut chain = vec![ty.to_owned()];
    // Types may go in circles while they are edited.
    while chain.len() < 10 {
        let last = chain.last()?;
        let Some((_, symbol)) = domain.index().find(Space::Type, last) else {
            break;
        };
        let Some(parent) = symbol.declarations.iter().find_map(|d| d.types) else {
            break;
        };
        chain.push(domain.slice(parent).to_owned());
    }
    (chain.len() > 1).then(|| format!("`{}`", chain.join(" → ")))
}

/// What the author says about a declaration: comments right above it, or
/// behind it on its line.
fn comment(sheet: &Sheet, declaration: &Declaration) -> Option<String> {
    let text = sheet.text();
    let start = declaration.whole.start as usize;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let clean = |line: &str| line.trim().trim_start_matches(';').trim().to_owned();
    let mut found: Vec<String> = Vec::new();
    if text[line..start].trim().is_empty() {
        let above = text[..line].lines().rev().take(20);
        found = above
            .take_while(|line| line.trim_start().starts_with(';'))
            .map(clean)
            .collect();
        found.reverse();
    }
    let end = declaration.whole.end as usize;
    let rest = text[end..].lines().next().unwrap_or("");
    if rest.trim_start().starts_with(';') {
        found.push(clean(rest));
    }
    // Lines of dashes are furniture.
    found.retain(|line| line.chars().any(char::is_alphanumeric));
    (!found.is_empty()).then(|| found.join("  \n"))
}

fn file_name(sheet: &Sheet) -> String {
    let name = sheet.path.as_deref().and_then(|path| path.file_name());
    name.map_or_else(|| sheet.uri.clone(), |n| n.to_string_lossy().into_owned())
}
