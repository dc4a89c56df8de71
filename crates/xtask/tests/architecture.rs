//! The house is built in one direction, and its map is true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use xtask::{Tree, cycles, graph};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn no_modules_import_each_other_in_a_ring() {
    let mut found = Vec::new();
    for (name, tree) in xtask::crates(&root()).unwrap() {
        let graph = graph(&tree);
        found.extend(
            cycles(&graph)
                .into_iter()
                .map(|ring| format!("{name} {ring}")),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_graph_in_the_map_is_the_graph_of_the_source() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = xtask::section(&root()).unwrap();
    let updated = xtask::updated(&text, &section).expect("the marks are there");
    assert!(
        updated == text,
        "run: cargo run -p xtask --example graph -- --write\n{section}"
    );
}

/// Programs and tools, whose types nobody else names.
const PROGRAMS: &[&str] = &["cli", "torture", "wasm", "xtask"];

#[test]
fn a_public_type_has_a_name_of_its_own_or_the_dictionary_says_why() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, tree) in xtask::crates(&root()).unwrap() {
        if PROGRAMS.contains(&name.as_str()) {
            continue;
        }
        for (path, module) in &tree.modules {
            for declared in &module.types {
                let place = format!("{name}::{}", path.join("::"));
                places.entry(declared.clone()).or_default().insert(place);
            }
        }
    }
    assert!(places.len() > 300, "{}", places.len());
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, listed) = text
        .split_once("### Names that several types have")
        .unwrap();
    let listed: BTreeSet<&str> = (listed.lines())
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_prefix("| `")?.split('|').next())
        .flat_map(|names| names.split('`').step_by(2))
        .collect();
    assert!(listed.contains("Step"), "{listed:?}");
    let shared: Vec<String> = (places.iter())
        .filter(|(name, places)| places.len() > 1 && !listed.contains(name.as_str()))
        .map(|(name, places)| format!("{name}: {places:?}"))
        .collect();
    assert!(
        shared.is_empty(),
        "give them names of their own, or say in ARCHITECTURE.md why not:\n{}",
        shared.join("\n")
    );
}

#[test]
fn public_types_are_found_and_others_are_not() {
    let tree = tree(&[(
        "",
        "pub struct A<T>(T);\npub(crate) enum B {}\n    pub type C = u8;\nstruct D;
         // pub struct E;\npub trait F: Sized {}\npub fn g() {}
         #[cfg(test)] mod tests { pub struct H; }",
    )]);
    let found: Vec<&str> = (tree.modules.values())
        .flat_map(|module| module.types.iter().map(String::as_str))
        .collect();
    assert_eq!(found, ["A", "C", "F"]);
}

/// Modules of a small crate, given as texts.
fn tree(files: &[(&str, &str)]) -> Tree {
    let path = |name: &str| match name {
        "" => Vec::new(),
        _ => name.split("::").map(str::to_owned).collect(),
    };
    Tree::of(
        (files.iter())
            .map(|(name, text)| (path(name), text.to_string()))
            .collect(),
    )
}

#[test]
fn a_ring_is_found_however_it_is_written() {
    for back in [
        "use crate::a::X;",
        "use crate::{c, a::{X, Y}};",
        "use super::a;",
        "fn f() { super::a::g(); }",
        "use crate::Exported;",
        "pub(crate) use super::{c, a as other};",
    ] {
        let found = cycles(&graph(&tree(&[
            ("", "mod a; mod b; mod c; pub use a::Exported;"),
            ("a", "use crate::b::f; pub struct X;"),
            ("b", back),
            ("c", ""),
        ])));
        assert_eq!(found, [": a ⇄ b"], "{back}");
    }
}

#[test]
fn comments_strings_tests_and_the_room_itself_do_not_count() {
    let found = cycles(&graph(&tree(&[
        ("", "mod a; mod b;"),
        ("a", "use crate::b::f; mod inner; #[cfg(test)] mod tests;"),
        ("a::inner", "use super::Thing;"),
        ("a::tests", "use crate::b;"),
        (
            "b",
            "// use crate::a;\n/// [`crate::a`]\nconst S: &str = \"crate::a::X\";
             #[cfg(test)] mod tests { use crate::a::X; fn f() { if true {} } }",
        ),
    ])));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn imports_inside_a_room_are_seen() {
    let tree = tree(&[
        ("", "mod room;"),
        ("room", "mod a; mod b; pub use b::Thing;"),
        ("room::a", "use super::Thing;"),
        ("room::b", "use super::a::f;"),
    ]);
    let graph = graph(&tree);
    let edges: BTreeMap<_, _> = graph["room"].clone();
    assert!(edges["a"].contains("b"));
    assert_eq!(cycles(&graph), ["room: a ⇄ b"]);
}
