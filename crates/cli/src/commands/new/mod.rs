//! `planoku new`: a domain and a problem to begin with.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::commands::planning::write_whole;
use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Make a commented starter domain and problem
///
/// They are written into a new folder, in HDDL or PDDL, and can be planned at
/// once. Nothing that exists is overwritten.
#[derive(clap::Args)]
pub struct Args {
    /// The folder; its last part names the domain.
    name: PathBuf,
    /// The language.
    #[arg(long = "as", value_name = "LANGUAGE", default_value = "hddl")]
    language: Language,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Tasks, methods and actions.
    Hddl,
    /// Actions and a goal.
    Pddl,
}

pub fn run(args: Args, _context: &Context) -> Result<Exit, Failure> {
    let name = domain_name(&args.name)?;
    let files = match args.language {
        Language::Hddl => [
            ("domain.hddl", include_str!("domain.hddl")),
            ("problem.hddl", include_str!("problem.hddl")),
        ],
        Language::Pddl => [
            ("domain.pddl", include_str!("domain.pddl")),
            ("problem.pddl", include_str!("problem.pddl")),
        ],
    };
    let paths = files.map(|(file, _)| args.name.join(file));
    if let Some(path) = paths.iter().find(|path| path.exists()) {
        let path = path.display();
        return Err(Failure::bad_input(format!(
            "{path}: expected a new name, found a file that exists"
        )));
    }
    std::fs::create_dir_all(&args.name).map_err(|error| {
        let folder = args.name.display();
        Failure::bad_input(format!("cannot make the folder `{folder}`: {error}"))
    })?;
    let mut out = Output::stdout();
    for ((_, text), path) in files.into_iter().zip(&paths) {
        write_whole(path, &text.replace("NAME", name))?;
        out.write(&format!("{}\n", path.display()))?;
    }
    let [domain, problem] = paths;
    out.write(&format!(
        "Try: planoku doctor {} {}\n",
        domain.display(),
        problem.display()
    ))?;
    out.flush()?;
    Ok(Exit::Done)
}

/// The last part of the path, if it can name a domain.
fn domain_name(path: &Path) -> Result<&str, Failure> {
    let name = path.file_name().and_then(|name| name.to_str());
    let fits = |name: &&str| {
        name.starts_with(|it: char| it.is_ascii_alphabetic())
            && name
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_'))
    };
    name.filter(fits).ok_or_else(|| {
        Failure::bad_input(format!(
            "expected a name of letters, digits, `-` and `_` that begins with a letter, found `{}`",
            path.display()
        ))
    })
}
