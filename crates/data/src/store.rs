//! Ids of any number of rows, within a given memory.
//!
//! Entries are kept in 256 parts by the first byte of their id. When they take
//! more memory than allowed, all parts are moved to files of their own; a part
//! is looked at alone, so that in the end a 256th of everything is in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::id::Id;

/// A row under the name all its disguises share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The canonical id.
    pub id: Id,
    /// Half of the hash of the board as it stands.
    pub exact: u64,
    /// The number of the row.
    pub row: u64,
}

const PARTS: usize = 256;
const SIZE: usize = 32;

/// Entries, in memory or on disk.
pub struct Store {
    parts: Vec<Vec<Entry>>,
    /// Bytes allowed in memory.
    most: usize,
    /// Where parts go when there are too many, once they did.
    folder: Option<PathBuf>,
    /// How many entries there are.
    len: u64,
    kept: usize,
}

impl Store {
    /// Keeps up to about `most` bytes in memory.
    pub fn new(most: usize) -> Store {
        Store {
            parts: vec![Vec::new(); PARTS],
            most,
            folder: None,
            len: 0,
            kept: 0,
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if some of it is on disk.
    pub fn is_spilled(&self) -> bool {
        self.folder.is_some()
    }

    /// Adds entries.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = Entry>) -> io::Result<()> {
        for entry in entries {
            let part = &mut self.parts[usize::from(entry.id.0[0])];
            if part.len() == part.capacity() {
                // Growing by a half wastes less than doubling.
                let more = (part.len() / 2).max(16);
                part.reserve_exact(more);
                self.kept += more * SIZE;
            }
            part.push(entry);
            self.len += 1;
        }
        match self.kept > self.most {
            true => self.spill(),
            false => Ok(()),
        }
    }

    /// The entries of a part, sorted.
    pub fn part(&self, part: u8) -> io::Result<Vec<Entry>> {
        let mut entries = self.parts[usize::from(part)].clone();
        if let Some(folder) = &self.folder {
            let mut bytes = Vec::new();
            match File::open(part_path(folder, part.into())) {
                Ok(mut file) => drop(file.read_to_end(&mut bytes)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            entries.extend(bytes.as_chunks::<SIZE>().0.iter().map(from_bytes));
        }
        entries.sort_unstable();
        Ok(entries)
    }

    fn spill(&mut self) -> io::Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = self.folder.get_or_insert_with(|| {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("planoku-ids-{}-{number}", std::process::id());
            std::env::temp_dir().join(name)
        });
        std::fs::create_dir_all(&*folder)?;
        for (nth, part) in self.parts.iter_mut().enumerate() {
            let path = part_path(folder, nth);
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            let bytes: Vec<u8> = part.iter().flat_map(to_bytes).collect();
            file.write_all(&bytes)?;
            *part = Vec::new();
        }
        self.kept = 0;
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // The system's own cleaning finds what cannot be removed.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

fn part_path(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("{part:02x}"))
}

fn to_bytes(entry: &Entry) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes[..16].copy_from_slice(&entry.id.0);
    bytes[16..24].copy_from_slice(&entry.exact.to_le_bytes());
    bytes[24..].copy_from_slice(&entry.row.to_le_bytes());
    bytes
}

fn from_bytes(bytes: &[u8; SIZE]) -> Entry {
    let number =
        |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().expect("within the entry"));
    Entry {
        id: Id(*bytes.first_chunk().expect("within the entry")),
        exact: number(16),
        row: number(24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_to_disk_comes_back() {
        let entry = |n: u64| Entry {
            id: Id::of_text(&(n % 700).to_le_bytes()),
            exact: n % 3,
            row: n,
        };
        let mut small = Store::new(20_000);
        let mut large = Store::new(usize::MAX);
        for n in 0..5000 {
            small.extend([entry(n)]).unwrap();
            large.extend([entry(n)]).unwrap();
        }
        assert!(small.is_spilled() && !large.is_spilled());
        for part in 0..=255 {
            assert_eq!(small.part(part).unwrap(), large.part(part).unwrap());
        }
        let folder = small.folder.clone().unwrap();
        drop(small);
        assert!(!folder.exists());
    }
}
