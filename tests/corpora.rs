//! Where the corpora outside of the repository are: `PLANOKU_CORPORA`, or a
//! folder `shared` beside the repository, with `puzzles/`, `data/` and `ipc/` in it.
//!
//! Tests take this file in by its path. Those that ask it for a folder are
//! `#[ignore = "needs the corpora in ../shared"]`; `.ci/run` runs them where the
//! corpora are. Without them they fail: a test that finds nothing to test has not
//! passed.

use std::path::{Path, PathBuf};

/// A file or folder of the corpora.
///
/// # Panics
/// If it is not there.
#[track_caller]
pub fn path(name: &str) -> PathBuf {
    let root = match std::env::var_os("PLANOKU_CORPORA") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let path = root.join(name);
    assert!(
        path.exists(),
        "{} is not there: say with PLANOKU_CORPORA where the corpora are",
        path.display()
    );
    path
}
