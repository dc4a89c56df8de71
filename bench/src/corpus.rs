//! The puzzles that are measured: files of one puzzle a line.
//!
//! The corpora everyone measures are looked for in a folder `shared/puzzles`
//! beside the working directory, beside any directory above it, and beside the
//! repository; without them the project's own in `puzzles/` are used.

use std::path::{Path, PathBuf};

use planoku_sudoku::native::Cells;

/// A named list of 9x9 puzzles.
pub struct Corpus {
    pub name: String,
    pub puzzles: Vec<Cells>,
    /// The puzzles as text.
    pub lines: Vec<String>,
}

/// The corpora in the order of the published tables.
const TABLE: [&str; 8] = [
    "kaggle",
    "minimal",
    "clue17",
    "top1465",
    "hardest11",
    "hardest1106",
    "multi2",
    "invalid",
];

/// The files asked for, or those of the table, or the project's own.
pub fn load(wanted: &[String]) -> Result<Vec<Corpus>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = root.join("puzzles");
    let shared = shared(&root);
    let find = |name: &String| -> PathBuf {
        shared
            .iter()
            .chain([&own])
            .map(|folder| folder.join(name).with_extension("txt"))
            .find(|path| path.exists())
            .unwrap_or_else(|| PathBuf::from(name))
    };
    let paths: Vec<PathBuf> = match wanted {
        [] if shared.is_some() => TABLE.map(String::from).iter().map(find).collect(),
        [] => ["easy", "minimal", "several"]
            .map(|name| own.join(name).with_extension("txt"))
            .into(),
        wanted => wanted.iter().map(find).collect(),
    };
    paths.iter().map(|path| read(path)).collect()
}

/// The folder of the corpora everyone measures, if it is anywhere near.
fn shared(root: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors()
        .chain([root, &root.join("..")])
        .map(|folder| folder.join("shared/puzzles"))
        .find(|folder| folder.is_dir())
}

fn read(path: &Path) -> Result<Corpus, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut corpus = Corpus {
        name: path
            .file_stem()
            .map_or(String::new(), |stem| stem.to_string_lossy().into()),
        puzzles: Vec::new(),
        lines: Vec::new(),
    };
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells = line
            .get(..81)
            .and_then(cells)
            .ok_or_else(|| format!("{}:{}: expected 81 cells", path.display(), number + 1))?;
        corpus.puzzles.push(cells);
        corpus.lines.push(line[..81].replace('0', "."));
    }
    Ok(corpus)
}

fn cells(line: &str) -> Option<Cells> {
    let mut cells = [0; 81];
    for (cell, symbol) in cells.iter_mut().zip(line.bytes()) {
        *cell = match symbol {
            b'1'..=b'9' => symbol - b'0',
            b'.' | b'0' => 0,
            _ => return None,
        };
    }
    Some(cells)
}
