//! `cargo run -p xtask --example graph` prints the import graph of every crate;
//! `--write` puts it into ARCHITECTURE.md.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let done = match words[..] {
        [] => print(&root),
        ["--write"] => write(&root),
        _ => Err("usage: cargo run -p xtask --example graph [-- --write]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

type Done = Result<(), Box<dyn std::error::Error>>;

fn print(root: &Path) -> Done {
    for (name, tree) in xtask::crates(root)? {
        let graph = xtask::graph(&tree);
        println!("{}", xtask::show(&name, &tree, &graph));
        for cycle in xtask::cycles(&graph) {
            println!("  CYCLE {cycle}");
        }
    }
    Ok(())
}

fn write(root: &Path) -> Done {
    let path = root.join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path)?;
    let text = xtask::updated(&text, &xtask::section(root)?).ok_or("the marks are missing")?;
    std::fs::write(path, text)?;
    Ok(())
}
