//! A family of engines: how their names are spelt, which of them are listed,
//! and how each is made. Every family declares one of these in its own file;
//! [`crate::registry`] reads them.

use planoku_engine::name::{Grammar, NameError, Spelling};

use crate::SudokuEngine;

/// Engines whose names share a grammar.
pub struct EngineFamily {
    /// How their names are spelt.
    pub grammar: &'static Grammar,
    /// The names worth listing; any other that the grammar allows can be used.
    pub listed: &'static [&'static str],
    /// The engine that a name means.
    pub make: fn(&Spelling) -> SudokuEngine,
}

impl EngineFamily {
    /// The engine of that name, if it begins like one of this family, or why
    /// there is none.
    pub fn find(&self, name: &str) -> Option<Result<SudokuEngine, NameError>> {
        let read = || Ok((self.make)(&self.grammar.read(name)?));
        self.grammar.begins(name).then(read)
    }
}
