//! `planoku engines`: every engine, with what it claims.

use anstyle::{AnsiColor, Style};
use planoku_engine::name::WordRule;
use planoku_workbench::registry::FAMILIES;
use serde::Serialize;

use crate::exit::{Context, Exit, Failure};
use crate::output::Output;

/// List every engine: name, how it thinks, complete?, counts?
///
/// A complete engine, given the budget, always finds a solution or proves that
/// there is none. An engine that counts finds distinct solutions, so that it
/// can say whether a puzzle has exactly one. Both claims are tested.
#[derive(clap::Args)]
pub struct Args {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Which parts names are put together from, and which exclude each other.
    #[arg(long, conflicts_with = "json")]
    parts: bool,
}

#[derive(Serialize)]
struct Row {
    name: String,
    summary: String,
    complete: bool,
    counts: bool,
}

pub fn run(args: Args, _context: &Context) -> Result<Exit, Failure> {
    if args.parts {
        return parts();
    }
    let rows: Vec<Row> = planoku_workbench::engines()
        .iter()
        .map(|engine| engine.profile())
        .map(|profile| Row {
            name: profile.name.into(),
            summary: profile.summary.into(),
            complete: profile.complete,
            counts: profile.counts,
        })
        .collect();
    let width = rows.iter().map(|row| row.name.chars().count()).max();
    let width = width.unwrap_or(0).max("engine".len());
    let mut out = Output::stdout();
    if !args.json {
        let dim = AnsiColor::BrightBlack.on_default();
        out.write(&format!(
            "{dim}{:<width$}  complete  counts  how it thinks{dim:#}\n",
            "engine"
        ))?;
    }
    for row in &rows {
        if args.json {
            let json = serde_json::to_string(row).map_err(Failure::fault)?;
            out.write(&format!("{json}\n"))?;
            continue;
        }
        let word = |claim| if claim { "yes" } else { "no" };
        let bold = Style::new().bold();
        out.write(&format!(
            "{bold}{:<width$}{bold:#}  {:<8}  {:<6}  {}\n",
            row.name,
            word(row.complete),
            word(row.counts),
            row.summary
        ))?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// The grammars of names: a paragraph for each family whose names have parts.
fn parts() -> Result<Exit, Failure> {
    let mut out = Output::stdout();
    let families = FAMILIES.iter().map(|family| family.grammar);
    for (nth, grammar) in families.filter(|it| it.groups.len() > 1).enumerate() {
        let gap = if nth > 0 { "\n" } else { "" };
        out.write(gap)?;
        for group in grammar.groups {
            let words: Vec<String> = group
                .said()
                .map(|word| group.after.map_or(word.into(), |it| format!("{it}{word}")))
                .collect();
            let bold = Style::new().bold();
            out.write(&format!("{bold}{}{bold:#}: ", group.what))?;
            out.write(&format!("{}\n", words.join(" ")))?;
        }
        for rule in grammar.rules {
            let (words, how, others, why) = match rule {
                WordRule::Excludes { words, others, why } => (words, "never with", others, why),
                WordRule::Needs { words, others, why } if others.is_empty() => {
                    (words, "not here", others, why)
                }
                WordRule::Needs { words, others, why } => (words, "only with", others, why),
            };
            let list = |words: &[&str]| {
                let said: Vec<&str> = words.iter().copied().filter(|it| !it.is_empty()).collect();
                said.join(" ")
            };
            let rule = format!("{} {how} {}", list(words), list(others));
            out.write(&format!("- {}: {why}\n", rule.trim_end()))?;
        }
    }
    out.flush()?;
    Ok(Exit::Done)
}
