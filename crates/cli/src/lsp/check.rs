//! What is wrong with a text, read together with its partner.
//!
//! A problem is checked with its domain, a domain with one of its problems (an
//! open one if there is any). As someone is typing, work is bounded: what is
//! reachable is followed for fewer steps than `planoku check` spends, and very
//! large texts are only read and resolved.

use std::rc::Rc;

use planoku_language::diagnostic::{Diagnostic, Edit};
use planoku_language::diagnostic::{requirement, undefined};
use planoku_language::lint::{Thoroughness, examine};
use planoku_language::model::Span;
use planoku_language::model::resolve::{Options, resolve};
use planoku_language::syntax::Tree;

use super::documents::{Documents, Sheet};

/// Steps for the question what is reachable.
const STEPS: u64 = 50_000;
/// Texts beyond this many bytes are resolved, but not examined further.
const LARGE: usize = 4 << 20;
/// Texts beyond this many bytes are only read.
const HUGE: usize = 32 << 20;
/// A domain is not checked with a closed problem larger than this.
const LARGE_PARTNER: usize = 1 << 20;

/// Texts that belong together.
#[derive(Clone)]
pub struct Pair {
    pub domain: Option<Rc<Sheet>>,
    pub problem: Option<Rc<Sheet>>,
}

impl Pair {
    /// A text and its partner, if there is one.
    pub fn of(documents: &mut Documents, sheet: &Rc<Sheet>) -> Pair {
        if sheet.header.is_problem() {
            return Pair {
                domain: documents.domain_of(sheet),
                problem: Some(sheet.clone()),
            };
        }
        let first = documents.problems_of(sheet).into_iter().next();
        let problem = first.and_then(|path| documents.load(&path));
        Pair {
            domain: Some(sheet.clone()),
            problem: problem.filter(|p| p.version.is_some() || p.text().len() <= LARGE_PARTNER),
        }
    }

    pub fn same(&self, other: &Pair) -> bool {
        let same = |a: &Option<Rc<Sheet>>, b: &Option<Rc<Sheet>>| match (a, b) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        same(&self.domain, &other.domain) && same(&self.problem, &other.problem)
    }

    /// The text a span belongs to.
    pub fn sheet(&self, span: Span) -> Option<&Rc<Sheet>> {
        match span.file {
            0 => self.domain.as_ref(),
            _ => self.problem.as_ref(),
        }
    }
}

/// A pair and what is wrong with it.
pub struct Checked {
    pub pair: Pair,
    pub diagnostics: Vec<Diagnostic>,
    /// Something to know that is no mistake.
    pub remark: Option<(Span, String)>,
}

impl Checked {
    pub fn of(pair: Pair) -> Checked {
        let mut remark = None;
        let diagnostics = match (&pair.domain, &pair.problem) {
            (Some(domain), problem) => check(domain, problem.as_deref()),
            (None, Some(problem)) => {
                remark = alone(problem);
                check_alone(problem)
            }
            (None, None) => Vec::new(),
        };
        Checked {
            pair,
            diagnostics,
            remark,
        }
    }

    /// What concerns one of the two texts.
    pub fn about(&self, file: u32) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(move |d| d.span.file == file)
    }

    /// Fixes for what touches a span: their diagnostic, and all their edits.
    pub fn fixes(&self, place: Span) -> impl Iterator<Item = (&Diagnostic, &[Edit])> {
        let touches = move |span: Span| {
            span.file == place.file && span.start <= place.end && place.start <= span.end
        };
        self.diagnostics.iter().filter_map(move |diagnostic| {
            let fix = diagnostic.fix.as_ref()?;
            // One diagnostic may stand for many places.
            let here = touches(diagnostic.span) || fix.edits.iter().any(|e| touches(e.span));
            here.then_some((diagnostic, fix.edits.as_slice()))
        })
    }
}

fn check(domain: &Sheet, problem: Option<&Sheet>) -> Vec<Diagnostic> {
    let size = domain.text().len() + problem.map_or(0, |problem| problem.text().len());
    let problem = problem.map(Sheet::tree);
    if size > HUGE {
        let trees = [Some(domain.tree()), problem];
        let errors = trees.into_iter().flatten().flat_map(|tree| &tree.errors);
        return errors.cloned().collect();
    }
    let mut reading = resolve(domain.tree(), problem, Options::default());
    if size <= LARGE {
        let thoroughness = Thoroughness {
            strict: false,
            steps: STEPS,
        };
        examine(&mut reading, problem.is_some(), thoroughness);
    }
    reading.diagnostics.sort();
    reading.diagnostics.list
}

/// A problem without its domain: what the domain may declare is not missed.
fn check_alone(problem: &Sheet) -> Vec<Diagnostic> {
    let nothing = Tree::read("(define (domain nothing))", 0);
    let mut reading = resolve(&nothing, Some(problem.tree()), Options::default());
    reading.diagnostics.sort();
    let elsewhere = [
        &undefined::TYPE,
        &undefined::PREDICATE,
        &undefined::OBJECT,
        &undefined::TASK,
        &undefined::FUNCTION,
        &requirement::DOMAIN_NAME,
    ];
    let mut found = reading.diagnostics.list;
    found.retain(|d| d.span.file == 1 && !elsewhere.contains(&d.code));
    found
}

/// Says why so little is said.
fn alone(problem: &Sheet) -> Option<(Span, String)> {
    use planoku_language::index::Space;
    let index = problem.index();
    let is_domain = |id: u32| index.symbols[id as usize].space == Space::Domain;
    let mention = index.mentions.iter().find(|m| is_domain(m.symbol))?;
    let name = problem.slice(mention.span);
    let words = format!(
        "no domain `{name}` in this folder; the problem is checked as far as it goes alone"
    );
    Some((mention.span, words))
}
