//! Several files that belong together, written whole or not at all.
//!
//! Each is first written under a name of its own beside its place; only when
//! all of them are complete are they renamed. A full disk, a missing right or
//! Ctrl-C leaves nothing half-written behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Writes files into a directory, which is made if need be.
pub fn write_all(directory: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), Failure> {
    let fail =
        |path: &Path, error: io::Error| Failure::cannot_write(&path.display().to_string(), &error);
    fs::create_dir_all(directory).map_err(|error| fail(directory, error))?;
    let mut staged = Staged(Vec::new());
    for (name, content) in files {
        let place = directory.join(name);
        let beside = directory.join(format!(".{name}.{}.partial", std::process::id()));
        staged.0.push((beside.clone(), place.clone()));
        fs::write(&beside, content).map_err(|error| fail(&place, error))?;
    }
    while let Some((beside, place)) = staged.0.pop() {
        fs::rename(&beside, &place).map_err(|error| {
            let _ = fs::remove_file(&beside);
            fail(&place, error)
        })?;
    }
    Ok(())
}

/// Files not yet in their place; removed if they never get there.
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Drop for Staged {
    fn drop(&mut self) {
        for (beside, _) in &self.0 {
            let _ = fs::remove_file(beside);
        }
    }
}

/// Where the files of one puzzle go: the directory itself if there is but one
/// puzzle, else a numbered one inside.
pub fn place(directory: &Path, number: usize, many: bool) -> PathBuf {
    if many {
        directory.join(format!("{number:05}"))
    } else {
        directory.to_path_buf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let directory = std::env::temp_dir().join(format!("planoku-files-{}", std::process::id()));
        // The second name is not writable: its directory does not exist.
        let files = [("one", b"1".to_vec()), ("missing/two", b"2".to_vec())];
        assert!(write_all(&directory, &files).is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        assert!(write_all(&directory, &files[..1]).is_ok());
        assert_eq!(fs::read(directory.join("one")).unwrap(), b"1");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }
}
