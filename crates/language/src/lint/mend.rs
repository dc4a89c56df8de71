//! Certain fixes applied to whole files, and only those that make them better.
//!
//! A fix is certain when nothing else can have been meant (see
//! [`Fix::certain`](crate::diagnostic::Fix)). Even so it may uncover another
//! mistake: the name that it puts right may take other arguments. So the texts
//! are read again with all fixes, and if that brings an error that was not there
//! before, with one fix after the other, keeping those that bring none.
//!
//! Errors are compared as reading finds them. What only a complete model shows
//! (that there is no solution, say) was hidden before, not brought by the fix.

use std::collections::{BTreeMap, BTreeSet};

use super::{FixRefused, Thoroughness, apply, check};
use crate::diagnostic::{Diagnostic, Severity};
use crate::model::resolve::{Options, resolve};
use crate::syntax::Tree;

/// What became of a domain and, if there was one, its problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// The texts, with the fixes.
    pub texts: Vec<Vec<u8>>,
    /// Edits made in each of them.
    pub edits: Vec<usize>,
    /// Certain fixes that were left out, since each brought a new error: their
    /// messages.
    pub left_out: Vec<String>,
}

/// Rounds of fixes: one may make room for another.
const ROUNDS: usize = 6;
/// Fixes tried one by one in a round; each costs a reading.
const TRIED: usize = 40;

/// Applies every certain fix that brings no new error.
///
/// ```
/// use planoku_language::lint::mend::mend;
/// let domain = b"(define (domain d) (:predicates (p ?x)) (:acton a :effect (and)))";
/// let mended = mend(&[domain.to_vec()], Default::default(), Default::default());
/// assert_eq!(mended.edits, [1]);
/// assert!(mended.texts[0].ends_with(b"(:action a :effect (and)))"));
/// ```
pub fn mend(texts: &[Vec<u8>], options: Options, thoroughness: Thoroughness) -> Mended {
    let mut mended = Mended {
        texts: texts.to_vec(),
        edits: vec![0; texts.len()],
        left_out: Vec::new(),
    };
    let mut refused = BTreeSet::new();
    for _ in 0..ROUNDS {
        let trees = trees(&mended.texts);
        let mut found = check(&trees[0], trees.get(1), options, thoroughness).list;
        found.retain(|d| d.certain_fix().is_some() && !refused.contains(&name(d)));
        if found.is_empty() {
            break;
        }
        if mended.try_all(&found, options) {
            continue;
        }
        let mut any = false;
        for diagnostic in found.iter().take(TRIED) {
            // Edits are places in the text as it was; so one fix a round.
            any = mended.try_all(std::slice::from_ref(diagnostic), options);
            if any {
                break;
            }
            refused.insert(name(diagnostic));
            mended.left_out.push(diagnostic.message.clone());
        }
        if !any {
            break;
        }
    }
    mended
}

impl Mended {
    /// Applies the fixes if all files can be read with them and no error is new.
    fn try_all(&mut self, found: &[Diagnostic], options: Options) -> bool {
        let mut next = self.clone();
        for (file, text) in self.texts.iter().enumerate() {
            match apply(text, file as u32, found) {
                Ok((fixed, edits)) => {
                    next.texts[file] = fixed;
                    next.edits[file] += edits;
                }
                Err(FixRefused::Nothing) => {}
                Err(FixRefused::Unreadable(_)) => return false,
            }
        }
        let before = errors(&self.texts, options);
        let after = errors(&next.texts, options);
        let known = |(name, count): (&_, &u32)| before.get(name).is_some_and(|old| count <= old);
        let better = next.texts != self.texts && after.iter().all(known);
        if better {
            *self = next;
        }
        better
    }
}

fn trees(texts: &[Vec<u8>]) -> Vec<Tree> {
    let numbered = (0..).zip(texts);
    numbered
        .map(|(file, text)| Tree::read_bytes(text.clone(), file))
        .collect()
}

/// The errors that reading finds, and how often each.
pub fn errors(texts: &[Vec<u8>], options: Options) -> BTreeMap<(&'static str, String), u32> {
    let trees = trees(texts);
    let mut errors = BTreeMap::new();
    for diagnostic in resolve(&trees[0], trees.get(1), options).diagnostics.list {
        if diagnostic.severity() == Severity::Error {
            *errors.entry(name(&diagnostic)).or_default() += diagnostic.count;
        }
    }
    errors
}

fn name(diagnostic: &Diagnostic) -> (&'static str, String) {
    (diagnostic.code.name, diagnostic.message.clone())
}
