//! What the name at a place means.

use planoku_language::index::{Declaration, NameIndex, Space, fold};
use planoku_language::model::Span;
use planoku_language::syntax::Tree;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Allowance, Problem, Question};

/// A place somebody points at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM, "file": "problem", "offset": 90}))]
pub struct Pointed {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: Option<String>,
    /// Which of them: `domain` or `problem`.
    pub file: String,
    /// How many characters stand before the place.
    pub offset: usize,
}

/// What a name means.
#[derive(Serialize, ToSchema)]
pub struct Meaning {
    /// The name.
    pub name: String,
    /// What it is: `predicate`, `task`, `parameter`, …; empty if it is declared
    /// nowhere.
    pub what: String,
    /// Its declaration, as written.
    pub declaration: String,
    /// Which text declares it.
    pub file: Option<&'static str>,
    /// How often it is used in this text.
    pub uses: usize,
}

impl Question for Pointed {
    /// Null where there is no name.
    type Answer = Option<Meaning>;

    fn answer(&self, _: &Allowance) -> Result<Option<Meaning>, Problem> {
        Ok(meaning(self))
    }
}

fn meaning(asked: &Pointed) -> Option<Meaning> {
    let in_problem = asked.file == "problem";
    let text = match in_problem {
        true => asked.problem.as_deref().unwrap_or_default(),
        false => &asked.domain,
    };
    let offset = text
        .char_indices()
        .nth(asked.offset)
        .map_or(text.len(), |(at, _)| at);
    let index = NameIndex::of(&Tree::read(text, 0));
    let mention = index.at(u32::try_from(offset).ok()?)?;
    let symbol = &index.symbols[mention.symbol as usize];
    let uses = index
        .uses(mention.symbol)
        .filter(|one| !one.declares)
        .count();
    let own = symbol.declarations.first();
    let shown = |text: &str, span: Span| -> String {
        let whole = text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        whole.lines().take(24).collect::<Vec<_>>().join("\n")
    };
    let here = if in_problem { "problem" } else { "domain" };
    let mut meaning = Meaning {
        name: symbol.name.clone(),
        what: String::new(),
        declaration: String::new(),
        file: None,
        uses,
    };
    let mut tell = |text: &str, file, found: &Declaration| {
        meaning.what = found.what.to_owned();
        meaning.file = Some(file);
        meaning.declaration = shown(text, found.whole);
        if let (true, Some(types)) = (found.whole == found.name, found.types) {
            meaning.declaration += &format!(" - {}", shown(text, types));
        }
    };
    if let Some(found) = own {
        tell(text, here, found);
    } else if in_problem && !symbol.space.is_local() {
        let domain = NameIndex::of(&Tree::read(&asked.domain, 0));
        if let Some((_, symbol)) = domain.find(symbol.space, &symbol.name)
            && let Some(found) = symbol.declarations.first()
        {
            tell(&asked.domain, "domain", found);
        }
    }
    if meaning.what.is_empty() && symbol.space == Space::Type && fold(&symbol.name) == "object" {
        meaning.what = "the type of everything".to_owned();
    }
    Some(meaning)
}
