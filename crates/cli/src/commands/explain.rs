//! `planoku explain`: what a code means, with an example and its correction.

use planoku_language::lint;
use planoku_language::source::closest;

use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// Explain a code that `check` reports, such as E0308.
///
/// Without a code, lists all of them.
#[derive(clap::Args)]
pub struct Args {
    /// Such as E0308; the letter may be left out.
    code: Option<String>,
}

pub fn run(args: Args, _context: &Context) -> Result<Exit, Failure> {
    let codes = lint::codes();
    let mut out = Output::stdout();
    match args.code {
        None => {
            for code in codes {
                out.write(&format!("{}  {}\n", code.name, code.title))?;
            }
        }
        Some(wanted) => {
            let name = wanted.to_ascii_uppercase();
            let found = codes
                .iter()
                .find(|code| code.name == name || code.name[1..] == name);
            let Some(code) = found else {
                let near = closest(&name, codes.iter().map(|code| code.name));
                let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
                return Err(Failure::bad_input(format!(
                    "there is no code `{wanted}`{hint} (`planoku explain` lists all)"
                )));
            };
            out.write(code.explanation)?;
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}
