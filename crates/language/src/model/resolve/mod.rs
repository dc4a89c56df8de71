//! From trees to a [`Model`]: every name looked up, every argument checked.
//!
//! Sections may stand in any order, so the resolver takes them in the order
//! of what needs what: types, objects, predicates and functions, the heads of
//! tasks and actions, then bodies, then the problem. It never stops at a
//! mistake: a part that cannot be understood is reported and left out, and a
//! misspelt word whose meaning is clear is read as it was meant.

mod declare;
mod define;
mod fit;
mod formula;
mod names;
mod network;
mod number;
mod problem;
mod schema;
mod temporal;
mod types;

pub use names::{NameScope, NameUse, Symbol};

use super::{FunctionId, Model, ObjectId, Span, Type, TypeId, Variable};
use crate::cost::Scale;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::number::Rational;
use crate::syntax::{Node, Tree};
use names::{Names, Suggestions, Word};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use types::Ancestors;

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Tell `A` from `a`. PDDL does not.
    pub case_sensitive: bool,
    /// Record every use of every name, for editors.
    pub references: bool,
}

/// What reading yields: a model, and what is wrong with it.
#[derive(Debug, Default)]
pub struct Reading {
    /// What could be understood. Complete if there are no errors.
    pub model: Model,
    /// What was found wrong.
    pub diagnostics: Diagnostics,
    /// Every use of a name, if asked for, in no particular order.
    pub references: Vec<NameUse>,
    /// Facts whose arguments are in the wrong order: index into `init`, and
    /// the arguments in an order that fits.
    pub repaired: Vec<(u32, Vec<ObjectId>)>,
    /// True if something had to be left out of the model.
    pub broken: bool,
    /// Requirements as declared, with their places.
    pub requirements: Vec<(String, Span)>,
    /// Where each file's definition begins: the word `define`.
    pub define: [Option<Span>; 2],
    /// Facts denied in `:init`.
    pub denied: Vec<super::Fact>,
    /// What could be said of supertypes that nothing declares; seldom worth it.
    pub undeclared_parents: Vec<Diagnostic>,
}

/// Resolves a domain and, if given, a problem.
pub fn resolve(domain: &Tree, problem: Option<&Tree>, options: Options) -> Reading {
    let mut resolver = Resolver {
        options,
        reading: Reading::default(),
        types: Names::default(),
        objects: Names::default(),
        predicates: Names::default(),
        functions: Names::default(),
        tasks: Names::default(),
        actions: Names::default(),
        methods: Names::default(),
        ancestors: Ancestors::default(),
        declared_types: Vec::new(),
        suggestions: Suggestions::default(),
        circles: false,
        overlaps: Default::default(),
        values: Default::default(),
        preferences: Vec::new(),
        measures: Vec::new(),
        metric_span: Span::default(),
    };
    for tree in [Some(domain), problem].into_iter().flatten() {
        for error in &tree.errors {
            resolver.reading.diagnostics.push(error.clone());
        }
    }
    // Parentheses are repaired by the reader; what cannot be mended is a hole.
    let syntax = &resolver.reading.diagnostics.list;
    resolver.reading.broken = syntax.iter().any(|error| error.fix.is_none());
    let both = [Some(domain), problem].into_iter().flatten();
    resolver.reading.model.scale = Scale::of(both.flat_map(Tree::numbers));
    resolver.run(domain, problem);
    resolver.reading
}

struct Resolver {
    options: Options,
    reading: Reading,
    types: Names,
    objects: Names,
    predicates: Names,
    functions: Names,
    tasks: Names,
    actions: Names,
    methods: Names,
    ancestors: Ancestors,
    declared_types: Vec<bool>,
    suggestions: Suggestions,
    /// Some types were in a circle, which has been cut somewhere.
    circles: bool,
    /// Pairs of types that have been compared.
    overlaps: RefCell<FxHashMap<(TypeId, TypeId), bool>>,
    /// Values of functions so far, and where they stand.
    values: FxHashMap<(FunctionId, Vec<ObjectId>), (Rational, Span)>,
    /// Names of preferences.
    preferences: Vec<String>,
    /// What may be read where we are, beside functions.
    measures: Vec<super::Measure>,
    /// Where the problem asks for the least total cost.
    metric_span: Span,
}

impl Resolver {
    fn run(&mut self, domain: &Tree, problem: Option<&Tree>) {
        self.model().types.push(Type {
            name: "object".to_owned(),
            parents: Vec::new(),
            span: Span::default(),
        });
        let fold = !self.options.case_sensitive;
        self.types.insert("object", 0, fold);

        let domain = self.definition(domain, "domain");
        let problem = problem.and_then(|tree| self.definition(tree, "problem"));
        let both = [domain.as_ref(), problem.as_ref()];
        let both = || both.into_iter().flatten();

        both().for_each(|file| self.requirements(file));
        both().for_each(|file| self.declare_types(file));
        self.finish_types();
        both().for_each(|file| self.declare_objects(file));
        both().for_each(|file| self.declare_predicates(file));
        both().for_each(|file| self.declare_functions(file));
        let actions = both()
            .flat_map(|file| self.declare_actions(file))
            .collect::<Vec<_>>();
        both().for_each(|file| self.declare_tasks(file));
        for (id, section) in actions {
            self.action(id, section);
        }
        both().for_each(|file| self.derived(file));
        both().for_each(|file| self.methods(file));
        both().for_each(|file| self.processes(file));
        both().for_each(|file| self.trajectories(file));
        if let Some(problem) = &problem {
            self.problem(problem);
        }
        self.settle_costs();
    }

    fn model(&mut self) -> &mut Model {
        &mut self.reading.model
    }

    fn report(&mut self, diagnostic: crate::diagnostic::Diagnostic) {
        self.note_broken(&diagnostic);
        self.reading.diagnostics.push(diagnostic);
    }

    fn report_grouped(&mut self, about: impl Into<String>, d: crate::diagnostic::Diagnostic) {
        self.note_broken(&d);
        self.reading.diagnostics.group(about, d);
    }

    /// An error other than swapped arguments leaves a hole in the model.
    fn note_broken(&mut self, diagnostic: &crate::diagnostic::Diagnostic) {
        use crate::diagnostic::{Severity, fit::ORDER};
        self.reading.broken |=
            diagnostic.severity() == Severity::Error && diagnostic.code != &ORDER;
    }

    fn refer(&mut self, span: Span, symbol: Symbol, declares: bool) {
        if self.options.references {
            self.reading.references.push(NameUse {
                span,
                symbol,
                declares,
            });
        }
    }

    /// A name compared as the options say.
    fn key(&self, name: &str) -> String {
        match self.options.case_sensitive {
            true => name.to_owned(),
            false => name.to_ascii_lowercase(),
        }
    }
}

/// The variables of one schema while it is resolved.
struct Variables {
    scope: NameScope,
    list: Vec<Variable>,
    visible: FxHashMap<String, u32>,
    /// What names meant before they were bound again, for leaving a scope.
    hidden: Vec<(String, Option<u32>)>,
}

impl Variables {
    fn new(scope: NameScope) -> Variables {
        Variables {
            scope,
            list: Vec::new(),
            visible: FxHashMap::default(),
            hidden: Vec::new(),
        }
    }
}

/// The word of a node that is not a list.
fn word(node: Node<'_>) -> Option<Word<'_>> {
    (!node.is_list()).then(|| Word {
        text: node.text(),
        span: node.span(),
    })
}

/// The type of everything.
const OBJECT: TypeId = TypeId(0);
