//! The README's first command has to find the program by itself.

/// `cargo run` runs the only binary among the default members; a second one
/// makes it give up.
#[test]
fn the_program_is_the_only_binary_that_cargo_run_can_mean() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let cargo = std::process::Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let members = metadata["workspace_default_members"]
        .as_array()
        .expect("members");
    let packages = metadata["packages"].as_array().expect("packages");
    let binaries: Vec<&str> = packages
        .iter()
        .filter(|package| members.contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().expect("targets"))
        .filter(|target| target["kind"][0] == "bin")
        .filter_map(|target| target["name"].as_str())
        .collect();
    assert_eq!(binaries, ["planoku"]);
}
