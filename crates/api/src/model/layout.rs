//! A domain or a problem, laid out.

use planoku_language::layout::{Unformattable, format};
use planoku_language::source::Lines;
use planoku_language::syntax::Tree;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Allowance, Problem, Question};

/// A text to lay out.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": crate::DOMAIN}))]
pub struct Untidy {
    /// A domain or a problem.
    pub text: String,
}

/// The text, laid out.
#[derive(Serialize, ToSchema)]
pub struct Tidy {
    /// As `planoku fmt` writes it; comments are kept.
    pub text: String,
}

impl Question for Untidy {
    type Answer = Tidy;

    fn answer(&self, _: &Allowance) -> Result<Tidy, Problem> {
        let tree = Tree::read(&self.text, 0);
        match format(&tree) {
            Ok(text) => Ok(Tidy { text }),
            Err(Unformattable::Errors) => {
                let first = tree.errors.first();
                let (message, offset) = first.map_or(("the text cannot be read", 0), |error| {
                    (error.message.as_str(), error.span.start)
                });
                let at = Lines::new(&self.text).position(&self.text, offset);
                Err(Problem::bad_text(
                    format!("left as it is: {message}"),
                    at.line as usize,
                    at.column as usize,
                ))
            }
            Err(Unformattable::TooDeep) => Err(Problem::bad_input("nested too deeply to lay out")),
        }
    }
}
