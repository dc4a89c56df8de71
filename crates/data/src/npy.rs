//! Arrays as the loaders of HRM and TRM read them.
//!
//! A folder for each split holds `dataset.json` and five arrays: `all__inputs`
//! and `all__labels` (rows of 81 bytes; 0 pads, 1 is a blank, a digit is itself
//! plus one), `all__puzzle_identifiers` (always 0), `all__puzzle_indices` (where
//! the examples of each puzzle begin, one each) and `all__group_indices` (where
//! each group begins: a puzzle and its disguises), the last two with their end.
//!
//! Blocks leave parts, 163 bytes a row: whether a group begins, the puzzle, the
//! solution. Once all are there they are put together.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::table::Table;

const RECORD: usize = 1 + 81 + 81;

/// The rows of a block.
pub fn part(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(table.rows() * RECORD);
    for row in 0..table.rows() {
        let begins = table.text("parent", row).is_none();
        bytes.push(begins.into());
        for name in ["puzzle", "solution"] {
            let text = table.text(name, row).unwrap_or_default();
            let start = bytes.len();
            bytes.extend(text.bytes().map(|symbol| match symbol {
                b'1'..=b'9' => symbol - b'0' + 1,
                _ => 1,
            }));
            bytes.resize(start + 81, 0);
        }
    }
    bytes
}

/// Puts the parts of a split together, in a folder that is there whole or not at
/// all; the files written.
pub fn assemble(parts: &[PathBuf], folder: &Path) -> io::Result<Vec<PathBuf>> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let making = folder.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    if making.exists() {
        fs::remove_dir_all(&making)?;
    }
    fs::create_dir_all(&making)?;
    let bytes: u64 = parts
        .iter()
        .map(|part| Ok(fs::metadata(part)?.len()))
        .sum::<io::Result<u64>>()?;
    let rows = bytes as usize / RECORD;
    if i32::try_from(rows).is_err() {
        let message = "the loaders count in 32 bits: at most 2,147,483,647 rows as npy";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let mut inputs = array(&making, "inputs", "|u1", &format!("({rows}, 81)"))?;
    let mut labels = array(&making, "labels", "|u1", &format!("({rows}, 81)"))?;
    let mut groups: Vec<i32> = Vec::new();
    let mut record = [0; RECORD];
    let mut row = 0;
    for part in parts {
        let mut part = BufReader::new(File::open(part)?);
        loop {
            match part.read_exact(&mut record) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
            if record[0] == 1 {
                groups.push(row);
            }
            inputs.write_all(&record[1..82])?;
            labels.write_all(&record[82..])?;
            row += 1;
        }
    }
    inputs.into_inner()?.sync_all()?;
    labels.into_inner()?.sync_all()?;
    let total_groups = groups.len();
    groups.push(row);
    integers(&making, "group_indices", groups.into_iter())?;
    integers(&making, "puzzle_indices", 0..=row)?;
    integers(&making, "puzzle_identifiers", (0..row).map(|_| 0))?;
    let about = serde_json::json!({
        "pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0,
        "vocab_size": 11, "seq_len": 81, "num_puzzle_identifiers": 1,
        "total_groups": total_groups, "mean_puzzle_examples": 1.0, "total_puzzles": rows,
        "sets": ["all"],
    });
    fs::write(making.join("dataset.json"), format!("{about}\n"))?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::rename(&making, folder)?;
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    Ok(files)
}

/// An array of whole numbers in 32 bits.
fn integers(folder: &Path, name: &str, values: impl Iterator<Item = i32>) -> io::Result<()> {
    let values: Vec<u8> = values.flat_map(i32::to_le_bytes).collect();
    let mut file = array(folder, name, "<i4", &format!("({},)", values.len() / 4))?;
    file.write_all(&values)?;
    file.into_inner()?.sync_all()
}

/// Begins a file in NumPy's format, version 1.0: the values follow.
fn array(folder: &Path, name: &str, kind: &str, shape: &str) -> io::Result<BufWriter<File>> {
    let file = File::create(folder.join(format!("all__{name}.npy")))?;
    let mut file = BufWriter::new(file);
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take ten bytes; values begin at a multiple of 64.
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(header.len() as u16).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    Ok(file)
}
