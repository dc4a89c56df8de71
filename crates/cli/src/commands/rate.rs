//! `planoku rate`: how hard puzzles are, on the scale players quote.
//!
//! Lists go through the pipeline: read, rated on all cores, written in order.
//! A rating depends on its puzzle alone, so the number of threads changes
//! nothing but the time.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use planoku_data::Share;
use planoku_data::columns::Work;
use planoku_data::describe::grouped;
use planoku_engine::{Budget, Run};
use planoku_human::{Rated, Rater, Unrated};
use planoku_sudoku::Grid;
use planoku_workbench::EXAMPLES;

use crate::exit::{Context, Exit, Failure};
use crate::input::Inputs;
use crate::output::{Output, complain};
use crate::{columns, pipeline, values};

/// Rate puzzles on the scale of Sudoku Explainer: ER, EP, ED.
///
/// ER is the hardest step of its path, EP the hardest up to the first digit
/// placed, ED the first step. Each line is the puzzle and, after `#`, the three
/// numbers, the hardest technique, the number of steps, and the sum of HoDoKu's
/// points for them. With several puzzles, their distribution goes to standard
/// error.
#[derive(clap::Args)]
pub struct Args {
    /// A puzzle written out, a file of puzzles in any format, or - for standard
    /// input; a built-in puzzle if absent.
    input: Vec<String>,
    /// One JSON object a line, for each puzzle.
    #[arg(long)]
    json: bool,
    /// Draw the distribution of ER as an SVG chart.
    #[arg(long, value_name = "FILE.svg")]
    chart: Option<PathBuf>,
    /// Time for each puzzle, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Steps and chains looked at for each puzzle.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many puzzles are rated at once; all cores if absent.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Only part I of N of the puzzles, for one of N machines.
    #[arg(long, value_name = "I/N")]
    shard: Option<Share>,
    /// Write results to a file instead of standard output; if its name ends in
    /// .parquet, a row for each row of the input with all its columns and the rating.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How many puzzles have each ER, in tenths.
type Distribution = Arc<Mutex<[u64; 256]>>;

thread_local! {
    /// The memory a thread rates in.
    static RATER: RefCell<Rater> = RefCell::new(Rater::new());
}

pub fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let mut inputs = args.input;
    if inputs.is_empty() {
        inputs.push(EXAMPLES[0].text.to_string());
        complain("a built-in puzzle; give a file, a puzzle, or - for standard input");
    }
    let feed = Inputs {
        names: &inputs,
        share: args.shard,
    };
    if let Some(path) = args
        .output
        .as_deref()
        .filter(|path| columns::wanted(Some(path)))
    {
        return columns::run(feed, path, &Work::Rate, args.threads, context);
    }
    let out = Output::to(args.output.as_deref())?;
    let distribution: Distribution = Arc::new(Mutex::new([0; 256]));
    let count = Arc::clone(&distribution);
    let (json, cancel) = (args.json, context.cancel.clone());
    let budget = Budget {
        time: args.time,
        nodes: args.nodes,
        memory: None,
    };
    let exit = pipeline::puzzles(feed, args.threads, out, context, move |puzzle, _, page| {
        let run = Run::limit(1)
            .with_budget(budget)
            .with_cancel(cancel.clone());
        let rated = RATER.with_borrow_mut(|rater| rater.rate(puzzle, &mut { run }));
        if let Ok(rated) = &rated {
            count.lock().unwrap_or_else(PoisonError::into_inner)[usize::from(rated.er.0)] += 1;
        }
        // Writing to memory does not fail.
        let _ = match json {
            true => writeln!(page.text, "{}", object(puzzle, &rated)),
            false => writeln!(page.text, "{}", line(puzzle, &rated)),
        };
        exit(&rated)
    })?;
    let counts = *distribution.lock().unwrap_or_else(PoisonError::into_inner);
    summary(&counts);
    if let Some(path) = &args.chart {
        let mut file = Output::to(Some(path))?;
        file.write(&chart(&counts))?;
        file.flush()?;
    }
    Ok(exit)
}

fn exit(rated: &Result<Rated, Unrated>) -> Exit {
    match rated {
        Ok(_) => Exit::Done,
        Err(Unrated::NoSolution) => Exit::Proved,
        Err(Unrated::TooHard { .. }) => Exit::GaveUp,
        Err(Unrated::Stopped(_)) => Exit::Stopped,
        Err(_) => Exit::BadInput,
    }
}

/// What is said of a rating after the puzzle.
pub fn remark(rated: &Rated) -> String {
    let hardest = rated.hardest.map_or("solved", |technique| technique.key());
    format!(
        "# ER {} EP {} ED {} {hardest} {} steps score {}",
        rated.er,
        rated.ep,
        rated.ed,
        rated.steps(),
        rated.score()
    )
}

fn line(puzzle: &Grid, rated: &Result<Rated, Unrated>) -> String {
    match rated {
        Ok(rated) => format!("{puzzle}  {}", remark(rated)),
        Err(why) => format!("{puzzle}  # not rated: {why}"),
    }
}

/// `{"puzzle","er","ep","ed","hardest","steps","histogram","score"}`.
pub fn object(puzzle: &Grid, rated: &Result<Rated, Unrated>) -> String {
    match rated {
        Ok(rated) => format!(
            "{{\"puzzle\":\"{puzzle}\",{},\"score\":{}}}",
            rated.json_members(),
            rated.score()
        ),
        Err(why) => {
            let error = serde_json::Value::from(why.to_string());
            format!("{{\"puzzle\":\"{puzzle}\",\"er\":null,\"error\":{error}}}")
        }
    }
}

/// Tells how the ratings of several puzzles are distributed.
fn summary(counts: &[u64; 256]) {
    let total: u64 = counts.iter().sum();
    if total < 2 {
        return;
    }
    let mut below = 0;
    let median = counts.iter().position(|count| {
        below += count;
        2 * below >= total
    });
    let median = median.unwrap_or(0);
    complain(format_args!(
        "{} rated, median ER {}.{}",
        crate::output::counted(total as usize, "puzzle"),
        median / 10,
        median % 10
    ));
    for (nth, half) in counts.chunks(5).enumerate() {
        let count: u64 = half.iter().sum();
        if count > 0 {
            let share = count as f64 / total as f64;
            let bar = "#".repeat((share * 60.0).ceil() as usize);
            complain(format_args!(
                "  {}.{}  {count:>9}  {:5.2} %  {bar}",
                nth / 2,
                nth % 2 * 5,
                100.0 * share
            ));
        }
    }
}

/// The distribution as bars, one for each tenth, the height logarithmic so
/// that rare ratings can be seen.
fn chart(counts: &[u64; 256]) -> String {
    const WIDE: f64 = 760.0;
    const HIGH: f64 = 260.0;
    const BOTTOM: f64 = 40.0;
    let last = 110.max(counts.iter().rposition(|count| *count > 0).unwrap_or(0) + 2);
    let most = counts.iter().copied().max().unwrap_or(1).max(10) as f64;
    let decades = most.log10().ceil();
    // Room for the longest label.
    let left = 16.0 + 7.5 * grouped(10u64.pow(decades as u32)).len() as f64;
    let x = |tenths: usize| left + WIDE * (tenths as f64 - 10.0) / (last as f64 - 10.0);
    let y = |count: f64| 20.0 + HIGH * (1.0 - (count.max(0.5).log10() + 0.3) / (decades + 0.3));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<style>svg{{background:#fff}}.b{{fill:#1668b8}}\
         .t{{fill:#333}}.l{{stroke:#ddd}}@media (prefers-color-scheme:dark){{svg{{background:#171a21}}\
         .b{{fill:#7db7f5}}.t{{fill:#ccd}}.l{{stroke:#343b48}}}}</style>\n",
        left + WIDE + 20.0,
        HIGH + BOTTOM + 30.0
    );
    for decade in 0..=decades as u32 {
        let count = 10u64.pow(decade);
        let at = y(count as f64);
        text += &format!(
            "<path class=\"l\" d=\"M{left} {at:.1}h{WIDE}\"/><text class=\"t\" text-anchor=\"end\" \
             x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            left - 6.0,
            at + 4.0,
            grouped(count)
        );
    }
    let width = WIDE / (last as f64 - 10.0) * 0.8;
    for (tenths, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let top = y(*count as f64);
        text += &format!(
            "<rect class=\"b\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\">\
             <title>ER {}.{}: {count}</title></rect>\n",
            x(tenths),
            20.0 + HIGH - top,
            tenths / 10,
            tenths % 10
        );
    }
    for whole in 1..=last / 10 {
        text += &format!(
            "<text class=\"t\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{whole}</text>\n",
            x(whole * 10) + width / 2.0,
            HIGH + 38.0
        );
    }
    text + &format!(
        "<text class=\"t\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">ER of {} puzzles (height: how many, \
         logarithmic)</text>\n</svg>\n",
        left + WIDE / 2.0,
        HIGH + 60.0,
        grouped(counts.iter().sum())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_label_of_a_chart_is_within_it() {
        let mut counts = [0; 256];
        counts[15] = 1_234_567;
        let chart = chart(&counts);
        assert!(chart.contains("x=\"85.0\""), "{chart}");
        assert!(chart.contains(">10,000,000</text>"), "{chart}");
        assert!(chart.contains("ER of 1,234,567 puzzles"), "{chart}");
    }
}
