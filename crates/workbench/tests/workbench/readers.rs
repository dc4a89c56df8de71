//! A bounded, repeatable run of what the fuzz targets do without end.

use std::fs;
use std::path::{Path, PathBuf};

use planoku_workbench::readers::{check_dimacs, check_planning, check_proof};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Every planning file that comes with the project.
fn models() -> Vec<Vec<u8>> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if is_planning(&path) {
                texts.push(fs::read(path).unwrap());
            }
        }
    }
    // Small texts show the same mistakes and take less time.
    texts.retain(|text| text.len() < 6000);
    assert!(texts.len() > 3, "the models have moved");
    texts
}

fn is_planning(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "hddl" || extension == "pddl")
}

/// A few bytes of the text replaced, and its tail cut off.
fn damaged(mut text: Vec<u8>, edits: &[(Index, u8)], cut: Option<&Index>) -> Vec<u8> {
    for (at, byte) in edits {
        let at = at.index(text.len());
        text[at] = *byte;
    }
    if let Some(cut) = cut {
        text.truncate(cut.index(text.len()));
    }
    text
}

fn edits() -> impl Strategy<Value = Vec<(Index, u8)>> {
    prop::collection::vec(
        (
            any::<Index>(),
            prop::sample::select(b"()?:-;. a9\n\0\xff".to_vec()),
        ),
        0..6,
    )
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn damaged_planning_files_are_read_without_harm(
        domain in prop::sample::select(models()),
        problem in prop::sample::select(models()),
        edits in edits(),
        cut in prop::option::of(any::<Index>()),
    ) {
        let text = [damaged(domain, &edits, cut.as_ref()), problem].join(&b'\x0c');
        check_planning(&text);
    }

    #[test]
    fn any_bytes_are_read_as_planning_without_harm(
        bytes in prop::collection::vec(prop::sample::select(b"()()?:-=;. adefi19\n\x0c\xff".to_vec()), 0..300),
    ) {
        check_planning(&bytes);
    }

    #[test]
    fn any_bytes_are_read_as_a_formula_without_harm(
        bytes in prop::collection::vec(prop::sample::select(b"  \n\n0012349-cp%x\xff".to_vec()), 0..200),
        header in prop::bool::ANY,
    ) {
        let mut text = if header { b"p cnf 9 3\n".to_vec() } else { Vec::new() };
        text.extend(bytes);
        check_dimacs(&text);
    }

    #[test]
    fn no_bytes_refute_a_formula_that_has_a_solution(
        text in prop::collection::vec(prop::sample::select(b"  \n00123499-d".to_vec()), 0..120),
        binary in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        check_proof(&text);
        check_proof(&binary);
        let marked: Vec<u8> = binary.iter().flat_map(|byte| [b'a', *byte, 0]).collect();
        check_proof(&marked);
    }
}
