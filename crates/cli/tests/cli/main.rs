//! The command as people and scripts meet it, one file per topic; one program, so that it is
//! linked once.

mod canon;
mod check;
mod dataset;
mod generate;
mod guide;
mod human;
mod limits;
mod lsp;
mod modeller;
mod plan;
mod readme;
mod sat;
mod solve;
mod vacuous;

use std::process::{Command, Output};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planoku"));
    command.args(arguments);
    command
}

fn planoku(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// The command ends with this code and says this on both channels. Returns what it printed.
#[track_caller]
fn check(arguments: &[&str], code: i32, out: &str, err: &str) -> String {
    let output = planoku(arguments);
    let said = String::from_utf8(output.stdout).unwrap();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}{complained}");
    assert!(said.contains(out), "{said}");
    assert!(complained.contains(err), "{complained}");
    assert!(!complained.contains("panicked"), "{complained}");
    said
}
