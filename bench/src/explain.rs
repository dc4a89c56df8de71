//! The easiest explanation beside the path that the usual scale takes.
//!
//! Sudoku Explainer is greedy: it takes the easiest step at hand, again and
//! again. `htn-human` proves which set of steps is the cheapest altogether. For
//! each puzzle: the first level of techniques that suffices, the cheapest plan
//! there, and the greedy path; both in the model's prices, ten times the rating
//! of each technique. The model has no price for a full house, which is a
//! hidden single, nor for a direct step, which is an elimination and a single.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use planoku_engine::{End, Run};
use planoku_human::{Rater, Step, Technique};
use planoku_sudoku::Grid;
use planoku_workbench::formulate::planning::human::{Explanation, TechniqueLevel, explain};

/// The cheapest explanations of puzzles beside the greedy path, as a table.
#[derive(clap::Args)]
pub struct Args {
    /// A file with one puzzle in a line.
    file: PathBuf,
    /// Seconds for each plan.
    #[arg(long, default_value_t = 60)]
    time: u64,
}

pub fn run(args: &Args) -> Result<(), String> {
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| format!("{}: {error}", args.file.display()))?;
    println!(
        "| puzzle | level | plan: steps | strikes | hardest | cost | seconds | greedy: steps | strikes | ER | its ratings | in our prices | greedy / plan |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut totals = Totals::default();
    for (number, line) in text.lines().enumerate() {
        let grid: Grid = line
            .trim()
            .parse()
            .map_err(|error| format!("line {}: {error}", number + 1))?;
        let start = Instant::now();
        let found = first_level(&grid, Duration::from_secs(args.time))?;
        let seconds = start.elapsed().as_secs_f64();
        let Some((level, plan)) = found else {
            println!("| {} | beyond X-wings |", number + 1);
            totals.beyond += 1;
            continue;
        };
        let path = Rater::new()
            .path(&grid, &mut Run::default())
            .map_err(|error| format!("line {}: {error}", number + 1))?;
        let ratings: u64 = path.steps.iter().map(|it| u64::from(it.rating.0)).sum();
        let priced: u64 = path.steps.iter().map(price).sum();
        let strikes = path.steps.iter().filter(|it| strikes(it)).count();
        let plan_strikes = (plan.steps())
            .filter(|line| {
                line.technique
                    .as_ref()
                    .is_some_and(|it| !it.contains("single"))
            })
            .count();
        let ratio = priced as f64 / plan.cost as f64;
        println!(
            "| {} | {level} | {} | {plan_strikes} | {} | {} | {seconds:.2} | {} | {strikes} | {} | {ratings} | {priced} | {ratio:.3} |",
            number + 1,
            plan.steps().count(),
            tenths(plan.hardest()),
            plan.cost,
            path.steps.len(),
            path.rated.er,
        );
        totals.count += 1;
        totals.ratio += ratio;
        totals.same += usize::from(priced == plan.cost);
        totals.easier += usize::from(plan.hardest() < u64::from(path.rated.er.0));
        totals.harder += usize::from(plan.hardest() > u64::from(path.rated.er.0));
        totals.fewer_strikes += usize::from(plan_strikes < strikes);
        totals.slowest = totals.slowest.max(seconds);
    }
    totals.print();
    Ok(())
}

#[derive(Default)]
struct Totals {
    count: usize,
    beyond: usize,
    same: usize,
    easier: usize,
    harder: usize,
    fewer_strikes: usize,
    ratio: f64,
    slowest: f64,
}

impl Totals {
    fn print(&self) {
        println!(
            "\n{} explained, {} beyond X-wings; slowest {:.2} s, all levels tried.",
            self.count, self.beyond, self.slowest
        );
        println!(
            "The greedy path costs {:.3} times the cheapest in the mean, as much in {} cases; the cheapest has fewer strikes in {}.",
            self.ratio / self.count.max(1) as f64,
            self.same,
            self.fewer_strikes
        );
        println!(
            "Its hardest step is easier than the greedy path's in {} cases and harder in {}.",
            self.easier, self.harder
        );
    }
}

/// The easiest level that suffices, and the cheapest explanation there.
fn first_level(
    grid: &Grid,
    time: Duration,
) -> Result<Option<(TechniqueLevel, Explanation)>, String> {
    for level in TechniqueLevel::ALL {
        let mut run = Run::limit(1).with_time(time);
        let outcome = explain(grid, level, &mut run).map_err(|error| error.to_string())?;
        match (outcome.answers.into_iter().next(), outcome.end) {
            (Some(found), _) => return Ok(Some((level, found))),
            (None, End::Exhausted) => {}
            (None, end) => return Err(format!("{level}: {}", end.name())),
        }
    }
    Ok(None)
}

/// What a step of the scale costs in the model. Singles that the model does
/// not tell apart are taken for its cheapest, in favour of the path.
fn price(step: &Step) -> u64 {
    const SINGLE: u64 = 12;
    match step.technique {
        Technique::FullHouse => SINGLE,
        Technique::DirectPointing => 26 + SINGLE,
        Technique::DirectClaiming => 28 + SINGLE,
        Technique::DirectHiddenPair => 34 + SINGLE,
        _ => u64::from(step.rating.0),
    }
}

fn strikes(step: &Step) -> bool {
    !matches!(
        step.technique,
        Technique::FullHouse
            | Technique::HiddenSingleBox
            | Technique::HiddenSingleLine
            | Technique::NakedSingle
    )
}

fn tenths(rating: u64) -> String {
    format!("{}.{}", rating / 10, rating % 10)
}
