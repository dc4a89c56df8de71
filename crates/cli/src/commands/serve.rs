//! `planoku serve`: the page and the JSON API on this machine.

use planoku_web::{Limits, Server};

use crate::exit::{Context, Exit, Failure};
use crate::output::{Output, complain};

/// Serve the page: play, watch, model and compare in a browser.
///
/// The page and a JSON API under `/api/v1` (described at
/// `/api/v1/openapi.json`) are answered on the loopback interface only, until
/// Ctrl-C. Nothing is loaded from elsewhere.
#[derive(clap::Args)]
pub struct Args {
    /// The port; 0 lets the system choose one.
    #[arg(long, value_name = "N", default_value_t = 7981)]
    port: u16,
    /// Open the page in the default browser.
    #[arg(long)]
    open: bool,
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let server = Server::bind(args.port, Limits::default()).map_err(|error| {
        Failure::bad_input(format!(
            "cannot listen on port {} of this machine: {error}; try --port 0",
            args.port
        ))
    })?;
    let address = server.address().map_err(Failure::fault)?;
    let url = format!("http://localhost:{}/", address.port());
    let mut out = Output::stdout();
    out.write(&format!("{url}\n"))?;
    out.flush()?;
    complain("Ctrl-C ends it");
    if args.open {
        open(&url);
    }
    server.run(context.cancel.clone()).map_err(Failure::fault)?;
    Ok(Exit::Done)
}

/// Asks the system for a browser; the address is printed in any case.
fn open(url: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let started = std::process::Command::new(program)
        .args(before)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if let Err(error) = started {
        complain(format_args!("no browser was opened ({program}: {error})"));
    }
}
