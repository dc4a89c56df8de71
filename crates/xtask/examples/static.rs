//! `cargo run -p xtask --example static -- OUT` writes the page as static
//! files: a folder that any server of files can offer, from anywhere.
//!
//! Needs the target wasm32-unknown-unknown, and wasm-bindgen of the version in
//! Cargo.lock.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

type Done = Result<(), Box<dyn std::error::Error>>;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [out] if !out.starts_with('-') => make(Path::new(out)),
        _ => Err("usage: cargo run -p xtask --example static -- OUT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn make(out: &Path) -> Done {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wanted = locked(&std::fs::read_to_string(root.join("Cargo.lock"))?)
        .ok_or("Cargo.lock names no wasm-bindgen")?;
    let found = Command::new("wasm-bindgen").arg("--version").output();
    let found = found.map_or(String::new(), |out| {
        String::from_utf8_lossy(&out.stdout).into()
    });
    if found.split_whitespace().nth(1) != Some(&wanted) {
        let found = match found.trim() {
            "" => "none",
            found => found,
        };
        return Err(format!(
            "expected wasm-bindgen {wanted}, found {found}: \
             cargo install wasm-bindgen-cli --version {wanted}"
        )
        .into());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let build = [
        "build",
        "-p",
        "planoku-wasm",
        "--profile",
        "wasm",
        "--target",
        TARGET,
    ];
    run(
        Command::new(cargo).args(build).current_dir(&root),
        "the program did not compile; is the target there? rustup target add wasm32-unknown-unknown",
    )?;
    xtask::site::write(&root.join("crates/web/static"), out)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let program = target.join(TARGET).join("wasm/planoku_wasm.wasm");
    run(
        Command::new("wasm-bindgen")
            .args(["--target", "web", "--no-typescript", "--out-dir"])
            .arg(out.join("static/wasm"))
            .arg(program),
        "wasm-bindgen failed",
    )?;
    println!("{}", out.display());
    Ok(())
}

fn run(command: &mut Command, wrong: &str) -> Done {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(wrong.into()),
    }
}

/// The version of wasm-bindgen that the program is built with.
fn locked(lock: &str) -> Option<String> {
    let entry = lock.split("name = \"wasm-bindgen\"\n").nth(1)?;
    Some(entry.split('"').nth(1)?.to_owned())
}
