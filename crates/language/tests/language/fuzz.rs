//! Any text at all: read, resolved, checked, drawn, fixed, formatted, written.
//!
//! The same function is a target for cargo-fuzz. `PLANOKU_FUZZ_SECONDS` makes
//! the run as long as wanted; without it, a few hundred cases are tried.

use planoku_language::diagnostic::{Drawing, Severity, Source};
use planoku_language::lint::apply;
use planoku_language::model::resolve::{Options, resolve};
use planoku_language::syntax::{Tree, tokens};
use planoku_language::{layout, lint, write};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::time::{Duration, Instant};

/// What must hold of any bytes. Panics where it does not.
fn survive(domain: &[u8], problem: &[u8]) {
    let domain_tree = Tree::read_bytes(domain.to_vec(), 0);
    let problem_tree = Tree::read_bytes(problem.to_vec(), 1);
    assert_eq!(domain_tree.text().len(), domain.len());
    let text = domain_tree.text();
    let again: usize = tokens(text)
        .map(|token| (token.end - token.start) as usize)
        .sum();
    assert_eq!(again, text.len());
    let options = Options {
        case_sensitive: false,
        references: true,
    };
    let thoroughness = lint::Thoroughness {
        strict: true,
        steps: 20_000,
    };
    let found = lint::check(&domain_tree, Some(&problem_tree), options, thoroughness);
    let sources = [
        Source {
            name: "domain",
            text,
        },
        Source {
            name: "problem",
            text: problem_tree.text(),
        },
    ];
    let drawing = Drawing::new(&sources, true);
    for diagnostic in found.list.iter().take(20) {
        drawing.draw(diagnostic);
    }
    if let Ok((fixed, _)) = apply(domain, 0, &found.list) {
        let errors = Tree::read_bytes(fixed, 0).errors;
        assert!(errors.iter().all(|e| e.severity() != Severity::Error));
    }
    if let Ok(laid_out) = layout::format(&domain_tree) {
        let twice = layout::format(&Tree::read(laid_out.as_str(), 0)).unwrap();
        assert_eq!(laid_out, twice);
    }
    if !found.has_errors() {
        let model = resolve(&domain_tree, Some(&problem_tree), Options::default()).model;
        let (model, found) =
            planoku_language::read(&write::domain(&model), &write::problem(&model));
        assert!(model.is_some(), "{found:?}");
    }
}

pub const SEED: &str = include_str!("../flawed/correct.hddl");
pub const CLASSICAL: &str = include_str!("../../../../models/strips/a/domain.pddl");

/// Words that matter to the reader and the resolver.
const WORDS: &[&str] = &[
    "(",
    ")",
    "(",
    ")",
    "define",
    "(domain d)",
    "(problem p)",
    ":action",
    ":method",
    ":task",
    ":parameters",
    ":precondition",
    ":effect",
    ":subtasks",
    ":ordering",
    ":htn",
    ":init",
    ":goal",
    "and",
    "or",
    "not",
    "forall",
    "exists",
    "when",
    "imply",
    "=",
    "<",
    "-",
    "?x",
    "?y",
    "-t",
    "a",
    "b",
    "either",
    ":types",
    ":predicates",
    ":constants",
    "object",
    "increase",
    "(total-cost)",
    "1",
    ";c\n",
    "\n",
    "  ",
    ": ",
    "\0",
    "é",
    ":derived",
    ":functions",
    ":metric",
    "minimize",
];

/// Changes a text at some places: cuts, doubles, swaps, puts words in.
pub fn mutate(text: &str, edits: &[(u16, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, kind, extra) in edits {
        let at = *place as usize % (bytes.len() + 1);
        let end = (at + 1 + *extra as usize % 40).min(bytes.len());
        match kind % 6 {
            0 => {
                bytes.drain(at..end);
            }
            1 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            2 => {
                let word = WORDS[*extra as usize % WORDS.len()];
                bytes.splice(at..at, format!(" {word} ").into_bytes());
            }
            3 if at < bytes.len() => bytes[at] = *extra,
            4 => {
                let from = (*place as usize).wrapping_mul(31) % (bytes.len() + 1);
                let to = (from + 60).min(bytes.len());
                let piece = bytes[from..to].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                if let Some(paren) = bytes[at..].iter().position(|b| matches!(b, b'(' | b')')) {
                    bytes.remove(at + paren);
                }
            }
        }
    }
    bytes
}

fn attack(text: &str, edits: &[(u16, u8, u8)]) {
    let bytes = mutate(text, edits);
    let at = bytes
        .windows(16)
        .position(|w| w == b"(define (problem")
        .unwrap_or(bytes.len());
    survive(&bytes[..at], &bytes[at..]);
}

/// As many cases as the run allows.
pub fn run<S: Strategy>(strategy: S, mut test: impl FnMut(S::Value)) {
    let seconds = std::env::var("PLANOKU_FUZZ_SECONDS")
        .ok()
        .and_then(|s| s.parse().ok());
    let mut runner = match seconds {
        Some(_) => proptest::test_runner::TestRunner::new_with_rng(
            ProptestConfig::default(),
            proptest::test_runner::TestRng::from_seed(
                proptest::test_runner::RngAlgorithm::ChaCha,
                &std::process::id().to_le_bytes().repeat(8),
            ),
        ),
        None => proptest::test_runner::TestRunner::deterministic(),
    };
    let until = Instant::now() + Duration::from_secs(seconds.unwrap_or(0));
    let mut cases = 0u64;
    while cases < 300 || Instant::now() < until {
        let value = strategy.new_tree(&mut runner).unwrap().current();
        test(value);
        cases += 1;
    }
    println!("{cases} cases");
}

pub fn edits() -> impl Strategy<Value = Vec<(u16, u8, u8)>> {
    prop::collection::vec((any::<u16>(), any::<u8>(), any::<u8>()), 1..12)
}

#[test]
fn no_mutation_of_a_domain_panics() {
    run((edits(), any::<bool>()), |(edits, which)| {
        let start = super::ipc::cpu_time();
        attack(if which { SEED } else { CLASSICAL }, &edits);
        let spent = super::ipc::cpu_time() - start;
        assert!(spent < Duration::from_secs(5), "{spent:?} {edits:?}");
    });
}

#[test]
fn no_heap_of_words_panics() {
    let words = prop::collection::vec(0..WORDS.len(), 0..120);
    run(words, |words| {
        let text: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        attack(&format!("(define (domain d) {}", text.join(" ")), &[]);
    });
}

#[test]
fn no_bytes_panic() {
    run(prop::collection::vec(any::<u8>(), 0..300), |bytes| {
        survive(&bytes, &bytes[bytes.len() / 2..]);
    });
}
