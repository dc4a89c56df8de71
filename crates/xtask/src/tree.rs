//! The modules of one crate, and the paths each of them names.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::path::{self, Segments};

/// One module: a file.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The modules that its paths lead to, itself and its ancestors left out.
    pub imports: BTreeSet<Segments>,
    /// The types and traits that it declares as public.
    pub types: BTreeSet<String>,
}

/// All modules of a crate by their path; the crate itself has the empty one.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Without those that only tests have.
    pub modules: BTreeMap<Segments, Module>,
}

impl Tree {
    /// Reads all files below a crate's `src`.
    pub fn read(src: &Path) -> io::Result<Tree> {
        let mut texts = BTreeMap::new();
        collect(src, &mut Vec::new(), &mut texts)?;
        Ok(Tree::of(texts))
    }

    /// The modules of texts given by module path.
    pub fn of(mut texts: BTreeMap<Segments, String>) -> Tree {
        for text in texts.values_mut() {
            *text = path::without_comments(text);
        }
        let tests: Vec<Segments> = texts
            .iter()
            .flat_map(|(module, text)| {
                let named = path::test_modules(text).into_iter();
                named.map(|name| [&module[..], &[name]].concat())
            })
            .collect();
        texts.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        for text in texts.values_mut() {
            *text = path::without_tests(text);
        }
        let exported: BTreeMap<Segments, Vec<Segments>> = texts
            .iter()
            .map(|(module, text)| (module.clone(), path::uses(text)))
            .collect();
        let mut tree = Tree::default();
        for (module, text) in &texts {
            let paths = path::uses(text).into_iter().chain(path::mentions(text));
            let imports = paths
                .filter_map(|path| path::absolute(module, &path))
                .map(|path| resolve(&texts, &exported, &path, 4))
                .filter(|to| !module.starts_with(to))
                .collect();
            let types = path::public_types(text);
            tree.modules
                .insert(module.clone(), Module { imports, types });
        }
        tree
    }
}

/// The module that a path leads to: as far as there are modules, and through
/// the `use` of the last one if that names what comes next.
fn resolve(
    texts: &BTreeMap<Segments, String>,
    exported: &BTreeMap<Segments, Vec<Segments>>,
    path: &[String],
    depth: usize,
) -> Segments {
    let mut length = path.len();
    while !texts.contains_key(&path[..length]) {
        length -= 1;
    }
    let (module, rest) = path.split_at(length);
    let Some(name) = rest.first() else {
        return module.to_vec();
    };
    let found = exported[module]
        .iter()
        .find(|used| used.last() == Some(name) && used.len() > 1);
    match found {
        Some(used) if depth > 0 => {
            let target = path::absolute(module, used).unwrap_or_else(|| {
                // `use child::Name`, or a crate from outside.
                [module, &used[..]].concat()
            });
            match target == path {
                true => module.to_vec(),
                false => resolve(texts, exported, &target, depth - 1),
            }
        }
        _ => module.to_vec(),
    }
}

fn collect(
    folder: &Path,
    module: &mut Segments,
    texts: &mut BTreeMap<Segments, String>,
) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.into_owned();
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, texts)?;
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let own = matches!(stem.as_str(), "lib" | "main" | "mod");
            let name = match own {
                true => module.clone(),
                false => [&module[..], &[stem]].concat(),
            };
            let text = std::fs::read_to_string(&path)?;
            texts.entry(name).or_default().push_str(&text);
        }
    }
    Ok(())
}
