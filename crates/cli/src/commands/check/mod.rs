//! `planoku check`: everything that is wrong with a domain and a problem.

mod json;
mod sarif;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use planoku_language::diagnostic::{Diagnostic, Diagnostics, Drawing, Source};
use planoku_language::lint::mend::mend;
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::Span;
use planoku_language::model::resolve::Options;
use planoku_language::source::Lines;
use planoku_language::syntax::Tree;

use super::planning::Bounds;
use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain, counted, tally};

/// Say everything that is wrong with a domain and its problems.
///
/// Every mistake in one run: with the source line, the place it contradicts, a
/// count where it repeats, and a fix where there is one. `planoku explain CODE`
/// tells more about a code. Ends with 1 if there is an error, else with 0.
#[derive(clap::Args)]
pub struct Args {
    /// An HDDL or PDDL domain.
    domain: PathBuf,
    /// Problems for it; without any, the domain is checked alone. What is wrong
    /// with the domain is said once, however many there are.
    problems: Vec<PathBuf>,
    /// Apply the fixes that are certain and bring no new error. Everything else
    /// stays as it is; guesses are only told.
    #[arg(long)]
    fix: bool,
    /// One JSON object.
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// SARIF 2.1, for services that show diagnostics beside code.
    #[arg(long)]
    sarif: bool,
    /// Tell `A` from `a`; PDDL does not.
    #[arg(long)]
    case_sensitive: bool,
    /// Also say what is rarely a mistake.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    bounds: Bounds,
}

/// A file as it is on disk, and as it was read.
struct File {
    path: PathBuf,
    name: String,
    bytes: Vec<u8>,
    tree: Tree,
}

impl File {
    fn read(path: &Path, number: u32) -> Result<File, Failure> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::bad_input(format!("cannot read `{name}`: {error}")))?;
        Ok(File {
            path: path.to_owned(),
            tree: Tree::read_bytes(bytes.clone(), number),
            bytes,
            name,
        })
    }
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    args.bounds.enforce(context);
    let (mut files, mut found) = look(&args)?;
    let certain = found.list.iter().any(|d| d.certain_fix().is_some());
    if args.fix && certain && fix_all(&args, context)? {
        (files, found) = look(&args)?;
    }
    let sources: Vec<Source<'_>> = files
        .iter()
        .map(|file| Source {
            name: &file.name,
            text: file.tree.text(),
        })
        .collect();
    let mut out = Output::stdout();
    if args.json {
        out.write(&json::report(&found, &sources))?;
    } else if args.sarif {
        out.write(&sarif::report(&found, &sources))?;
    } else {
        draw(&found, &sources, &mut out)?;
    }
    out.flush()?;
    Ok(match found.has_errors() {
        true => Exit::No,
        false => Exit::Done,
    })
}

/// The domain with each of the problems. The same complaint about the domain
/// is kept once; one that not all problems raise says which do.
fn look(args: &Args) -> Result<(Vec<File>, Diagnostics), Failure> {
    let mut files = vec![File::read(&args.domain, 0)?];
    for (number, problem) in (1..).zip(&args.problems) {
        files.push(File::read(problem, number)?);
    }
    let (options, thoroughness) = reading(args);
    let domain = &files[0].tree;
    if files.len() <= 2 {
        let problem = files.get(1).map(|file| &file.tree);
        let found = lint::check(domain, problem, options, thoroughness);
        return Ok((files, found));
    }
    let mut all: Vec<(Diagnostic, Vec<&str>)> = Vec::new();
    let mut known: HashMap<(&str, Span, String), usize> = HashMap::new();
    for file in &files[1..] {
        let found = lint::check(domain, Some(&file.tree), options, thoroughness);
        for diagnostic in found.list {
            let key = (
                diagnostic.code.name,
                diagnostic.span,
                diagnostic.message.clone(),
            );
            let place = *known.entry(key).or_insert_with(|| {
                all.push((diagnostic, Vec::new()));
                all.len() - 1
            });
            all[place].1.push(&file.name);
        }
    }
    let mut found = Diagnostics::default();
    for (diagnostic, names) in all {
        let some = diagnostic.span.file == 0 && names.len() < files.len() - 1;
        found.push(match (some, names.len()) {
            (false, _) => diagnostic,
            (true, 1) => diagnostic.note(format!("with {}", names[0])),
            (true, more) => {
                let others = counted(more - 1, "other problem");
                diagnostic.note(format!("with {} and {others}", names[0]))
            }
        });
    }
    found.sort();
    Ok((files, found))
}

/// How the files are read, and how thoroughly they are looked at.
fn reading(args: &Args) -> (Options, Thoroughness) {
    let options = Options {
        case_sensitive: args.case_sensitive,
        references: false,
    };
    let thoroughness = Thoroughness {
        strict: args.strict,
        ..Thoroughness::default()
    };
    (options, thoroughness)
}

/// Mends the domain with each of the problems; true if something was written.
fn fix_all(args: &Args, context: &Context) -> Result<bool, Failure> {
    let mut wrote = false;
    for place in 0..args.problems.len().max(1) {
        let mut files = vec![File::read(&args.domain, 0)?];
        if let Some(problem) = args.problems.get(place) {
            files.push(File::read(problem, 1)?);
        }
        wrote |= fix(&files, args, context)?;
    }
    Ok(wrote)
}

/// Writes the files with what could be mended; true if something was written.
fn fix(files: &[File], args: &Args, context: &Context) -> Result<bool, Failure> {
    let (options, thoroughness) = reading(args);
    let texts: Vec<Vec<u8>> = files.iter().map(|file| file.bytes.clone()).collect();
    let mended = mend(&texts, options, thoroughness);
    for message in &mended.left_out {
        complain(format_args!(
            "left as it is, for with the fix the file would be no better: {message}"
        ));
    }
    // All files are written or none.
    context.watch.disarm();
    let mut wrote = false;
    for ((file, text), edits) in files.iter().zip(&mended.texts).zip(&mended.edits) {
        if *text != file.bytes {
            replace(&file.path, text).map_err(|error| Failure::cannot_write(&file.name, &error))?;
            let edits = counted(*edits, "edit");
            complain(format_args!("{}: {edits} made", file.name));
            wrote = true;
        }
    }
    context.watch.rearm();
    Ok(wrote)
}

/// Writes beside the file and renames, so that a full disk or a power cut
/// leaves the old file whole. A link is followed, not replaced.
pub fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    std::fs::write(&beside, bytes)?;
    std::fs::set_permissions(&beside, std::fs::metadata(&path)?.permissions())?;
    std::fs::rename(&beside, &path).inspect_err(|_| _ = std::fs::remove_file(&beside))
}

fn draw(found: &Diagnostics, sources: &[Source<'_>], out: &mut Output) -> Result<(), Failure> {
    // Colour is always made; the output drops it where nobody would see it.
    let drawing = Drawing::new(sources, true);
    for diagnostic in &found.list {
        out.write(&drawing.draw(diagnostic))?;
        out.write("\n")?;
    }
    let counts = tally(found);
    let fixable = found
        .list
        .iter()
        .filter(|d| d.certain_fix().is_some())
        .count();
    match counts.is_empty() {
        true => out.write("no mistakes found\n"),
        false => {
            let fixes = match fixable {
                0 => String::new(),
                n => format!("; --fix mends {n} of them"),
            };
            let code = found.list[0].code.name;
            out.write(&format!(
                "{}{fixes}; planoku explain {code} tells more\n",
                counts
            ))
        }
    }
}

/// Where the lines of each source start, for both machine formats.
fn lines(sources: &[Source<'_>]) -> Vec<Lines> {
    sources
        .iter()
        .map(|source| Lines::new(source.text))
        .collect()
}
