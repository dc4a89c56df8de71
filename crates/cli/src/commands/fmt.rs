//! `planoku fmt`: HDDL and PDDL laid out alike, comments kept.

use std::path::PathBuf;

use planoku_language::diagnostic::{Drawing, Source};
use planoku_language::layout::{Unformattable, format};
use planoku_language::syntax::Tree;

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Lay out HDDL and PDDL files; only blanks and line ends change.
#[derive(clap::Args)]
pub struct Args {
    /// Files to rewrite in place; `-` reads standard input and prints.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write nothing; end with 1 and name the files that would change.
    #[arg(long)]
    check: bool,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut out = Output::stdout();
    for path in &args.files {
        let piped = path.as_os_str() == "-";
        let name = match piped {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        // Nothing is written before a text is laid out to its end.
        context.watch.arm_for_the_deaf(None, &context.cancel);
        match one(path, piped, &name, args.check, (&mut out, context))? {
            Exit::Done => {}
            // Bad input weighs more than a file that would change.
            Exit::No if exit == Exit::BadInput => {}
            other => exit = other,
        }
    }
    out.flush()?;
    Ok(exit)
}

fn one(
    path: &std::path::Path,
    piped: bool,
    name: &str,
    check: bool,
    (out, context): (&mut Output, &Context),
) -> Result<Exit, Failure> {
    let bytes = match piped {
        true => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            complain(format_args!("error: cannot read `{name}`: {error}"));
            return Ok(Exit::BadInput);
        }
    };
    let tree = Tree::read_bytes(bytes, 0);
    let text = match format(&tree) {
        Ok(text) => text,
        Err(Unformattable::Errors) => {
            let source = Source {
                name,
                text: tree.text(),
            };
            let drawing = Drawing::new(&[source], true);
            for error in tree.errors.iter().take(20) {
                complain(drawing.draw(error));
            }
            complain(format_args!("error: {name} is left as it is"));
            return Ok(Exit::BadInput);
        }
        Err(Unformattable::TooDeep) => {
            complain(format_args!(
                "error: {name} is nested too deeply to lay out"
            ));
            return Ok(Exit::BadInput);
        }
    };
    context.watch.disarm();
    if piped && !check {
        out.write(&text)?;
    } else if text != tree.text() {
        if check {
            out.write(&format!("{name} would change\n"))?;
            return Ok(Exit::No);
        }
        super::check::replace(path, text.as_bytes())
            .map_err(|error| Failure::cannot_write(name, &error))?;
    }
    Ok(Exit::Done)
}
