//! The portfolio beside each of its members alone.
//!
//! A team of planners that take turns is only as good as its turns: whoever
//! finds the plan has to wait for all others. The *factor* says for how long:
//! what the portfolio took, less a tenth of a second, as a multiple of what the
//! best member takes alone, grounding included. Members are given as much time as
//! the portfolio took; who needs longer is not the best.

use serde_json::{Value, json};

use planoku_planning::portfolio::Portfolio;

use super::{instances, measure, name_of};

/// Run the portfolio, and each of its members alone, on every instance.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    ipc: super::Args,
    /// Leave the members out where the portfolio takes no longer than this.
    #[arg(long, default_value_t = 0.12)]
    least: f64,
}

/// Beyond what the portfolio may take longer in any case, in seconds.
pub(super) const FREE: f64 = 0.1;

pub fn run(args: &Args) -> Result<(), String> {
    let ipc = &args.ipc;
    let all = instances(&ipc.directory)?.into_iter();
    let mut factors = Vec::new();
    for (domain, problem) in all.skip(ipc.skip).step_by(ipc.every.max(1)) {
        let name = name_of(&ipc.directory, &problem);
        if ipc.only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let team = measure(ipc, "portfolio", ipc.time, &domain, &problem)?;
        let took = seconds(&team).unwrap_or(ipc.time);
        if took <= args.least {
            continue;
        }
        let model =
            planoku_planning::read_files(&domain, &problem).map_err(|error| error.to_string())?;
        let mut members = serde_json::Map::new();
        for member in Portfolio::members(&model) {
            let time = (took + 0.02).min(ipc.time);
            let row = measure(ipc, member, time, &domain, &problem)?;
            members.insert(member.into(), row);
        }
        let row = json!({"instance": name, "portfolio": team, "members": members});
        match ipc.json {
            true => println!("{row}"),
            false => show(&row),
        }
        factors.extend(factor(&row));
    }
    let above = factors.iter().filter(|&&factor| factor > 3.0).count();
    let worst = factors.iter().copied().fold(0.0, f64::max);
    eprintln!(
        "{} compared, {above} above a factor of 3, the worst {worst:.1}",
        factors.len()
    );
    Ok(())
}

/// What it took, if it came to an end.
pub(super) fn seconds(row: &Value) -> Option<f64> {
    let ended = row["verified"] == json!(true) || row["status"] == "proved_unsolvable";
    row["cpu_s"].as_f64().filter(|_| ended)
}

/// The member that is quickest alone, and what it takes.
fn best(row: &Value) -> Option<(&str, f64, &Value)> {
    let members = row["members"].as_object()?.iter();
    let ended = members.filter_map(|(name, row)| Some((name.as_str(), seconds(row)?, row)));
    ended.min_by(|one, other| one.1.total_cmp(&other.1))
}

fn factor(row: &Value) -> Option<f64> {
    let (_, alone, _) = best(row)?;
    Some((seconds(&row["portfolio"])? - FREE).max(0.0) / alone)
}

fn show(row: &Value) {
    let team = &row["portfolio"];
    let took = |row| seconds(row).map_or("–".into(), |it| format!("{it:.2}"));
    let (name, alone, megabytes) = match best(row) {
        Some((name, alone, row)) => (name, format!("{alone:.2}"), row["peak_mb"].to_string()),
        None => ("–", "–".into(), "–".into()),
    };
    println!(
        "{:<90} {:>6} s {:>5} MB  {:<16} best {alone:>6} s {megabytes:>5} MB  {name:<16} {}",
        row["instance"].as_str().unwrap_or("?"),
        took(team),
        team["peak_mb"],
        team["by"].as_str().unwrap_or("–"),
        factor(row).map_or("–".into(), |it| format!("{it:.1}")),
    );
}
