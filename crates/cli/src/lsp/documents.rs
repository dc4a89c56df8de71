//! The texts the editor has open, and those beside them on disk.
//!
//! A buffer that is open counts instead of its file, saved or not. Files
//! belong together if they lie in one folder and the problem's `:domain` names
//! the domain. To find out, only the beginning of a file is read, and again
//! only if its size or date has changed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use planoku_language::index::{FileHeader, NameIndex};
use planoku_language::model::Span;
use planoku_language::syntax::Tree;

use super::position::{Map, Point};

/// How much of a file must contain its header.
const HEAD: u64 = 64 * 1024;
/// Files of a folder beyond this number are not looked at.
const MOST_FILES: usize = 2000;
/// Files on disk beyond this size are not read.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A text with what is known about it, found out when first asked for.
pub struct Sheet {
    /// As the editor spells it.
    pub uri: String,
    pub path: Option<PathBuf>,
    /// As the editor counts; none for a file that is not open.
    pub version: Option<i32>,
    pub header: FileHeader,
    text: String,
    tree: OnceCell<Tree>,
    index: OnceCell<NameIndex>,
    map: OnceCell<Map>,
}

impl Sheet {
    fn new(uri: String, path: Option<PathBuf>, version: Option<i32>, text: String) -> Sheet {
        Sheet {
            header: FileHeader::of(&text),
            uri,
            path,
            version,
            text,
            tree: OnceCell::new(),
            index: OnceCell::new(),
            map: OnceCell::new(),
        }
    }

    /// The one edit that makes another text of this one, without what both
    /// begin and end with.
    pub fn edit_to(&self, new: &str) -> Option<(Span, String)> {
        let old = self.text();
        if old == new {
            return None;
        }
        let equal = |(a, b): &(char, char)| a == b;
        let start: usize = old
            .chars()
            .zip(new.chars())
            .take_while(equal)
            .map(|(c, _)| c.len_utf8())
            .sum();
        let end: usize = old[start..]
            .chars()
            .rev()
            .zip(new[start..].chars().rev())
            .take_while(equal)
            .map(|(c, _)| c.len_utf8())
            .sum();
        let span = Span {
            file: self.file(),
            start: start as u32,
            end: (old.len() - end) as u32,
        };
        Some((span, new[start..new.len() - end].to_owned()))
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Spans in it carry 1 if it is a problem, else 0.
    pub fn file(&self) -> u32 {
        u32::from(self.header.is_problem())
    }

    pub fn tree(&self) -> &Tree {
        self.tree
            .get_or_init(|| Tree::read(self.text.as_str(), self.file()))
    }

    pub fn index(&self) -> &NameIndex {
        self.index.get_or_init(|| NameIndex::of(self.tree()))
    }

    fn map(&self) -> &Map {
        self.map.get_or_init(|| Map::new(&self.text))
    }

    pub fn range(&self, span: Span) -> (Point, Point) {
        self.map().range(&self.text, span)
    }

    pub fn offset(&self, point: Point) -> u32 {
        self.map().offset(&self.text, point) as u32
    }

    /// What a span covers; nothing if it is not a span of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    fn folder(&self) -> Option<&Path> {
        self.path.as_deref()?.parent()
    }
}

/// A piece of text to put in place of another; the whole text without a range.
pub struct Change {
    pub range: Option<(Point, Point)>,
    pub text: String,
}

/// Everything that is open, and what was read beside it.
#[derive(Default)]
pub struct Documents {
    open: BTreeMap<String, Rc<Sheet>>,
    heads: HashMap<PathBuf, (Stamp, FileHeader)>,
    read: HashMap<PathBuf, (Stamp, Rc<Sheet>)>,
}

type Stamp = (Option<SystemTime>, u64);

impl Documents {
    pub fn open(&mut self, uri: String, version: i32, text: String) {
        let path = path_of(&uri);
        let sheet = Sheet::new(uri.clone(), path, Some(version), text);
        self.open.insert(uri, Rc::new(sheet));
    }

    /// Applies changes in order, each to what the one before has left.
    pub fn change(&mut self, uri: &str, version: i32, changes: Vec<Change>) {
        let Some(old) = self.open.get(uri) else {
            return;
        };
        let path = old.path.clone();
        let mut text = old.text.clone();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some((start, end)) => {
                    let map = Map::new(&text);
                    let start = map.offset(&text, start);
                    let end = map.offset(&text, end).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        let sheet = Sheet::new(uri.to_owned(), path, Some(version), text);
        self.open.insert(uri.to_owned(), Rc::new(sheet));
    }

    pub fn close(&mut self, uri: &str) {
        self.open.remove(uri);
    }

    pub fn get(&self, uri: &str) -> Option<Rc<Sheet>> {
        self.open.get(uri).cloned()
    }

    /// Open texts whose diagnostics a change of this one may change.
    pub fn neighbours(&self, uri: &str) -> Vec<String> {
        let folder = path_of(uri).and_then(|path| path.parent().map(Path::to_owned));
        let near = |sheet: &&Rc<Sheet>| {
            sheet.uri == uri || (folder.is_some() && sheet.folder() == folder.as_deref())
        };
        self.open
            .values()
            .filter(near)
            .map(|sheet| sheet.uri.clone())
            .collect()
    }

    /// The domain of a problem.
    pub fn domain_of(&mut self, problem: &Sheet) -> Option<Rc<Sheet>> {
        let wanted = problem.header.wants.as_deref()?;
        let path = problem.path.as_deref()?;
        let files = self.folder(path.parent()?);
        let domain = self.choose(&files, path, wanted)?;
        self.load(&domain)
    }

    /// Every problem of a domain, open ones first, then by name.
    pub fn problems_of(&mut self, domain: &Sheet) -> Vec<PathBuf> {
        let (Some(name), Some(folder)) = (&domain.header.domain, domain.folder()) else {
            return Vec::new();
        };
        let files = self.folder(folder);
        let mut found: Vec<PathBuf> = files
            .iter()
            .filter(|(_, header)| header.is_problem() && header.wants.as_ref() == Some(name))
            .filter(|(path, _)| self.choose(&files, path, name) == domain.path)
            .map(|(path, _)| path.clone())
            .collect();
        found.sort_by_key(|path| self.open_at(path).is_none());
        found
    }

    /// Of several domains of the name, the one whose file is named like the
    /// problem's, such as `p01-domain.hddl`; then one that is open.
    fn choose(
        &self,
        files: &[(PathBuf, FileHeader)],
        problem: &Path,
        name: &str,
    ) -> Option<PathBuf> {
        let stem = |path: &Path| match path.file_stem() {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => String::new(),
        };
        let own = stem(problem);
        files
            .iter()
            .filter(|(_, header)| !header.is_problem() && header.domain.as_deref() == Some(name))
            .map(|(path, _)| path)
            .min_by_key(|path| {
                let alike = stem(path).contains(&own) || own.contains(&stem(path));
                (!alike, self.open_at(path).is_none(), stem(path) != "domain")
            })
            .cloned()
    }

    /// The text of a path: the open buffer, else the file.
    pub fn load(&mut self, path: &Path) -> Option<Rc<Sheet>> {
        if let Some(sheet) = self.open_at(path) {
            return Some(sheet);
        }
        let stamp = stamp(path)?;
        if let Some((then, sheet)) = self.read.get(path)
            && *then == stamp
        {
            return Some(sheet.clone());
        }
        if stamp.1 > LARGEST {
            return None;
        }
        // Edits of a text that is not UTF-8 would be edits of something else.
        let text = String::from_utf8(fs::read(path).ok()?).ok()?;
        let sheet = Rc::new(Sheet::new(uri_of(path), Some(path.to_owned()), None, text));
        // A few files at a time are worth keeping, not a whole benchmark set.
        if self.read.len() >= 16 {
            self.read.clear();
        }
        self.read.insert(path.to_owned(), (stamp, sheet.clone()));
        Some(sheet)
    }

    fn open_at(&self, path: &Path) -> Option<Rc<Sheet>> {
        self.open
            .values()
            .find(|sheet| sheet.path.as_deref() == Some(path))
            .cloned()
    }

    /// The planning files of a folder, on disk or open, with their headers.
    fn folder(&mut self, folder: &Path) -> Vec<(PathBuf, FileHeader)> {
        let mut found: BTreeMap<PathBuf, FileHeader> = BTreeMap::new();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(|p| is_planning(p));
        for path in paths.take(MOST_FILES) {
            if let Some(header) = self.head(&path) {
                found.insert(path, header);
            }
        }
        for sheet in self.open.values() {
            if let Some(path) = &sheet.path
                && sheet.folder() == Some(folder)
            {
                found.insert(path.clone(), sheet.header.clone());
            }
        }
        found.into_iter().collect()
    }

    fn head(&mut self, path: &Path) -> Option<FileHeader> {
        let stamp = stamp(path)?;
        if let Some((then, header)) = self.heads.get(path)
            && *then == stamp
        {
            return Some(header.clone());
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(path).ok()?;
        file.take(HEAD).read_to_end(&mut bytes).ok()?;
        let header = FileHeader::of(&String::from_utf8_lossy(&bytes));
        self.heads.insert(path.to_owned(), (stamp, header.clone()));
        Some(header)
    }
}

/// Size and date; nothing for what is not a file, such as a pipe that would
/// never end.
fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok().filter(|data| data.is_file())?;
    Some((data.modified().ok(), data.len()))
}

fn is_planning(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    ["hddl", "pddl"].contains(&extension.to_ascii_lowercase().as_str())
}

/// The path of a `file:` address; none for texts that are not files.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // What stands between the slashes is a host, most often none.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [byte, after @ ..] = rest {
        let escaped = match rest {
            [b'%', a, b, ..] => hex(*a).zip(hex(*b)),
            _ => None,
        };
        bytes.push(escaped.map_or(*byte, |(a, b)| 16 * a + b));
        rest = if escaped.is_some() { &rest[3..] } else { after };
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/c:/x` is Windows for `c:\x`.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

/// The `file:` address of a path.
pub fn uri_of(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut uri = format!("file://{slash}");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(byte as char);
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_come_back() {
        let path = Path::new("/a b/é%2F/x.hddl");
        assert_eq!(uri_of(path), "file:///a%20b/%C3%A9%252F/x.hddl");
        assert_eq!(path_of(&uri_of(path)).unwrap(), path);
        assert_eq!(path_of("untitled:one"), None);
        assert_eq!(path_of("file:///a%2").unwrap(), Path::new("/a%2"));
        assert_eq!(path_of("file:///%FF"), None);
    }
}
