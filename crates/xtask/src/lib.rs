//! What the project says about its own source, and [`site`]: the page as static
//! files. The import graph between the modules of this workspace:
//!
//! Modules are files and folders below `src`; an edge says that a path that
//! begins with `crate`, `self` or `super` leads from one to another. Names that
//! a room re-exports count for the module they come from. What a folder's own
//! `mod.rs` and its children have to do with each other is left out: a room
//! may know its furniture. Code under `#[cfg(test)]` does not count.
//!
//! Two things follow: [`cycles`], which must be empty, and [`show`], the text
//! in ARCHITECTURE.md.

mod path;
pub mod site;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub use tree::{Module, Tree};

/// Edges between siblings, by name; the key is the room they stand in.
pub type Graph = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The graph of a crate: for the crate itself and for every room in it, which
/// of the modules directly inside import which.
pub fn graph(tree: &Tree) -> Graph {
    let mut graph = Graph::new();
    for (from, module) in &tree.modules {
        for to in &module.imports {
            let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            let (Some(own), Some(other)) = (from.get(shared), to.get(shared)) else {
                continue; // One contains the other.
            };
            let room = from[..shared].join("::");
            let edges = graph.entry(room).or_default();
            edges.entry(own.clone()).or_default().insert(other.clone());
        }
    }
    graph
}

/// Modules that import each other in a ring, room by room.
pub fn cycles(graph: &Graph) -> Vec<String> {
    let mut found = Vec::new();
    for (room, edges) in graph {
        let reaches: BTreeMap<&str, BTreeSet<&str>> = edges
            .keys()
            .map(|from| (from.as_str(), reachable(edges, from)))
            .collect();
        let mut told = BTreeSet::new();
        for (from, to) in &reaches {
            let ring: BTreeSet<&str> = to
                .iter()
                .copied()
                .filter(|other| reaches.get(other).is_some_and(|back| back.contains(from)))
                .collect();
            if !ring.is_empty() && told.insert(ring.clone()) {
                let ring: Vec<&str> = ring.into_iter().collect();
                found.push(format!("{room}: {}", ring.join(" ⇄ ")));
            }
        }
    }
    found
}

fn reachable<'g>(edges: &'g BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'g str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in edges.get(module).into_iter().flatten() {
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    seen
}

/// The modules of a crate's first level, one a line with what it imports.
pub fn show(name: &str, tree: &Tree, graph: &Graph) -> String {
    let mut text = format!("{name}\n");
    let none = BTreeMap::new();
    let edges = graph.get("").unwrap_or(&none);
    let modules: BTreeSet<&str> = (tree.modules.keys())
        .filter(|path| path.len() == 1)
        .map(|path| path[0].as_str())
        .collect();
    for module in modules {
        let imports: Vec<&str> = (edges.get(module).into_iter().flatten())
            .map(String::as_str)
            .collect();
        let line = match imports.is_empty() {
            true => format!("  {module}\n"),
            false => format!("  {module} → {}\n", imports.join(", ")),
        };
        text += &line;
    }
    text
}

/// The crates of the workspace at `root`, by name, in alphabetical order.
pub fn crates(root: &Path) -> std::io::Result<Vec<(String, Tree)>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        if entry.path().join("src").is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            found.push((name, Tree::read(&entry.path().join("src"))?));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// The text between the two marks in ARCHITECTURE.md.
pub fn section(root: &Path) -> std::io::Result<String> {
    let crates = crates(root)?;
    let shown: Vec<String> = crates
        .iter()
        .map(|(name, tree)| show(name, tree, &graph(tree)))
        .collect();
    Ok(format!("\n```text\n{}```\n", shown.join("\n")))
}

/// Where the graph begins in ARCHITECTURE.md.
pub const BEGIN: &str = "<!-- begin: cargo run -p xtask --example graph -- --write -->";
/// Where it ends.
pub const END: &str = "<!-- end -->";

/// ARCHITECTURE.md with the graph as it is; `None` if the marks are missing.
pub fn updated(text: &str, section: &str) -> Option<String> {
    let start = text.find(BEGIN)? + BEGIN.len();
    let end = start + text[start..].find(END)?;
    Some(format!("{}{section}{}", &text[..start], &text[end..]))
}
