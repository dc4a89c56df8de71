//! Ratings beside a table of the reference program: how many are the same, and
//! how much faster, for each band of the scale.
//!
//! The table has the columns puzzle, ER, EP, ED, and perhaps others, the last of
//! them the reference's seconds. Ours is thread CPU time, the best of a few
//! passes. Every difference is listed with the steps up to it.

use std::io::Write;

use cpu_time::ThreadTime;
use planoku_engine::Run;
use planoku_human::{Rater, Rating, Unrated};
use planoku_sudoku::Grid;

/// Compare ratings with a table of the reference program.
#[derive(clap::Args)]
pub struct Args {
    /// CSV with the columns puzzle, ER, EP, ED, and the seconds last.
    table: String,
    /// Passes over each puzzle; the best counts.
    #[arg(long, default_value_t = 3)]
    passes: usize,
    /// Give up on a puzzle after so many steps and chains.
    #[arg(long)]
    nodes: Option<u64>,
    /// Only puzzles whose ER is at most this.
    #[arg(long)]
    up_to: Option<Rating>,
    /// Also compare the gentlest path with that of the scale.
    #[arg(long)]
    gentlest: bool,
}

/// A row of the table.
struct Row {
    puzzle: Grid,
    ratings: [Rating; 3],
    seconds: Option<f64>,
}

/// One band of the scale: from its rating up to that of the next.
struct Band {
    from: Rating,
    exact: usize,
    all: usize,
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

const BANDS: [u8; 7] = [0, 30, 50, 70, 80, 85, 90];

pub fn run(args: &Args) -> Result<(), String> {
    let text =
        std::fs::read_to_string(&args.table).map_err(|error| format!("{}: {error}", args.table))?;
    let mut bands: Vec<Band> = BANDS.iter().map(|from| Band::new(Rating(*from))).collect();
    let mut rater = Rater::new();
    let mut gentle = Gentle::default();
    let out = &mut std::io::stdout();
    for (nth, line) in text.lines().enumerate().skip(1) {
        let row = Row::read(line).ok_or_else(|| {
            format!(
                "{}:{}: expected puzzle,ER,EP,ED, found `{line}`",
                args.table,
                nth + 1
            )
        })?;
        if args.up_to.is_some_and(|limit| row.ratings[0] > limit) {
            continue;
        }
        let mut best = f64::MAX;
        let mut rated = Err(Unrated::NoSolution);
        for _ in 0..args.passes.max(1) {
            let mut run = Run::limit(1);
            if let Some(nodes) = args.nodes {
                run = run.with_nodes(nodes);
            }
            let start = ThreadTime::now();
            rated = rater.rate(&row.puzzle, &mut run);
            best = best.min(start.elapsed().as_secs_f64());
        }
        let found = rated.as_ref().map(|rated| [rated.er, rated.ep, rated.ed]);
        let band = bands.iter_mut().rfind(|band| band.from <= row.ratings[0]);
        let band = band.expect("the first band begins at zero");
        band.add(&row, found == Ok(row.ratings), best);
        if found != Ok(row.ratings) {
            let [er, ep, ed] = row.ratings;
            let ours = match &rated {
                Ok(rated) => format!("{} {} {}", rated.er, rated.ep, rated.ed),
                Err(why) => why.to_string(),
            };
            let _ = writeln!(
                out,
                "{}: {er} {ep} {ed} in the table, {ours} here",
                row.puzzle
            );
        }
        if args.gentlest && rated.is_ok() {
            gentle.add(&mut rater, &row.puzzle);
        }
    }
    let _ = writeln!(
        out,
        "ER from   exact/all      median    reference   times faster"
    );
    for band in bands.iter_mut().filter(|band| band.all > 0) {
        let _ = writeln!(out, "{}", band.line());
    }
    if args.gentlest {
        let _ = writeln!(out, "{}", gentle.line());
    }
    Ok(())
}

impl Row {
    fn read(line: &str) -> Option<Row> {
        let fields: Vec<&str> = line.split(',').collect();
        let rating = |nth: usize| fields.get(nth)?.parse().ok();
        Some(Row {
            puzzle: fields.first()?.parse().ok()?,
            ratings: [rating(1)?, rating(2)?, rating(3)?],
            seconds: fields
                .get(4..)?
                .last()
                .and_then(|seconds| seconds.parse().ok()),
        })
    }
}

impl Band {
    fn new(from: Rating) -> Band {
        Band {
            from,
            exact: 0,
            all: 0,
            ours: Vec::new(),
            theirs: Vec::new(),
        }
    }

    fn add(&mut self, row: &Row, exact: bool, seconds: f64) {
        self.exact += usize::from(exact);
        self.all += 1;
        self.ours.push(seconds);
        self.theirs.extend(row.seconds);
    }

    fn line(&mut self) -> String {
        let ours = median(&mut self.ours).unwrap_or(0.0);
        let (theirs, times) = match median(&mut self.theirs) {
            Some(theirs) => (
                format!("{:.1} ms", theirs * 1e3),
                format!("{:.0}", theirs / ours),
            ),
            None => ("-".to_owned(), "-".to_owned()),
        };
        format!(
            "{:>7} {:>6}/{:<5} {:>9.1} us {theirs:>12} {times:>14}",
            self.from.to_string(),
            self.exact,
            self.all,
            ours * 1e6
        )
    }
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// By how much the scale's own path is not the kindest.
#[derive(Default)]
struct Gentle {
    puzzles: usize,
    lower: usize,
    fewer: usize,
    hard: [usize; 2],
}

impl Gentle {
    /// Puzzles without hard steps have nothing to gain.
    fn add(&mut self, rater: &mut Rater, puzzle: &Grid) {
        let Ok(scale) = rater.rate(puzzle, &mut Run::limit(1)) else {
            return;
        };
        if scale.hard_steps() == 0 {
            return;
        }
        let Ok(path) = rater.gentlest(puzzle, &mut Run::limit(1)) else {
            return;
        };
        let gentle = path.rated;
        self.puzzles += 1;
        self.lower += usize::from(gentle.er < scale.er);
        self.fewer +=
            usize::from(gentle.er == scale.er && gentle.hard_steps() < scale.hard_steps());
        self.hard[0] += scale.hard_steps();
        self.hard[1] += gentle.hard_steps();
    }

    fn line(&self) -> String {
        format!(
            "gentlest: of {} puzzles with hard steps, ER is lower for {}, and {} more need \
             fewer hard steps; {} hard steps become {}",
            self.puzzles, self.lower, self.fewer, self.hard[0], self.hard[1]
        )
    }
}
