//! Puzzles of a rating, with and without certain techniques.
//!
//! Threads work on groups of puzzles, which are written in order; a group
//! depends on the seed and its number alone. On a terminal a bar shows how many
//! of the puzzles that were rated are as ordered, and how long the rest will
//! take.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use planoku_engine::{Run, Stop};
use planoku_human::{GROUP, OrderedPuzzle, PuzzleOrder, Rater, Rating, Technique};
use planoku_sudoku::Shape;
use planoku_sudoku::canon::canonical;
use planoku_sudoku::generate::Level;
use rayon::prelude::*;

use super::{Args, Sink};
use crate::exit::{Context, Exit, Failure};
use crate::output::complain;

thread_local! {
    /// The memory a thread rates in.
    static RATER: RefCell<Rater> = RefCell::new(Rater::new());
}

/// Groups a thread makes before the results are written: with few, threads wait
/// for each other, since some take longer.
const GROUPS_AT_ONCE: u64 = 4;

/// The order the arguments ask for, if they ask for more than clues.
pub fn order(args: &Args) -> Result<Option<PuzzleOrder>, Failure> {
    let level = args.level.filter(|_| args.size == Shape::Three);
    let asked = args.rating.is_some() || args.buckets.is_some();
    let techniques = !args.with.is_empty() || !args.without.is_empty();
    if !asked && !techniques && level.is_none() {
        return Ok(None);
    }
    if args.size != Shape::Three {
        return Err(Failure::bad_input(format!(
            "the scale is made for {} boards, found --size {}",
            Shape::Three,
            args.size.side()
        )));
    }
    let rating = match (&args.rating, level) {
        (Some(rating), _) => rating.clone(),
        (None, Some(level)) => of_level(level),
        (None, None) => Rating(10)..=Rating(u8::MAX),
    };
    let recipe = super::recipe(args);
    // Clues are as before only where a level was named or they were asked for.
    let clues = match args.clues.is_some() || level.is_some() {
        true => recipe.clues,
        false => 0..=81,
    };
    let order = PuzzleOrder {
        rating,
        with: args.with.concat(),
        without: args.without.concat(),
        clues,
        minimal: args.minimal || level == Some(Level::Crazy),
        symmetry: args.symmetry,
    };
    Ok(Some(order))
}

/// What a level means on the scale: hidden singles; what can be seen without
/// pencil marks, and locked candidates; patterns; chains.
fn of_level(level: Level) -> RangeInclusive<Rating> {
    match level {
        Level::Easy => Rating(10)..=Rating(15),
        Level::Medium => Rating(17)..=Rating(28),
        Level::Hard => Rating(30)..=Rating(62),
        Level::Crazy => Rating(65)..=Rating(u8::MAX),
    }
}

/// Makes the puzzles of an order, or of each of its buckets.
pub fn run(
    args: &Args,
    order: &PuzzleOrder,
    seed: u64,
    sink: &mut Sink,
    context: &Context,
) -> Result<Exit, Failure> {
    let pool = super::pool(args)?;
    let started = Instant::now();
    let orders = match args.buckets {
        Some(step) => buckets(order, step),
        None => vec![order.clone()],
    };
    for order in &orders {
        order.check().map_err(Failure::bad_input)?;
    }
    for order in &orders {
        let batch = Batch {
            args,
            order,
            seed,
            pool: &pool,
            context,
            started,
            bucket: orders.len() > 1,
        };
        let exit = batch.make(sink)?;
        if exit != Exit::Done {
            return Ok(exit);
        }
    }
    Ok(Exit::Done)
}

/// The order cut into ranges of this size, the last one shorter if need be.
/// The end of the whole range is not part of the last.
fn buckets(order: &PuzzleOrder, step: Rating) -> Vec<PuzzleOrder> {
    let (first, last) = (order.rating.start().0, order.rating.end().0.min(120));
    let step = usize::from(step.0);
    (first..last)
        .step_by(step)
        .map(|from| PuzzleOrder {
            rating: Rating(from)..=Rating(last.min(from.saturating_add(step as u8)) - 1),
            ..order.clone()
        })
        .collect()
}

/// Puzzles of one order on their way.
struct Batch<'a> {
    args: &'a Args,
    order: &'a PuzzleOrder,
    seed: u64,
    pool: &'a rayon::ThreadPool,
    context: &'a Context,
    started: Instant,
    bucket: bool,
}

impl Batch<'_> {
    fn make(&self, sink: &mut Sink) -> Result<Exit, Failure> {
        let begun = Instant::now();
        let bar = self.bar();
        let (mut made, mut tries, mut group) = (0, 0, 0);
        // Canonical forms, so that no puzzle comes in disguise a second time.
        let mut forms = HashSet::new();
        let mut stopped = None;
        while made < self.args.n && stopped.is_none() {
            // Where some came twice, further groups are needed.
            let needed = (self.args.n - made).div_ceil(GROUP);
            let at_once = GROUPS_AT_ONCE * self.pool.current_num_threads() as u64;
            let groups = group + needed.min(at_once);
            let results: Vec<(Vec<OrderedPuzzle>, Option<Stop>)> = self.pool.install(|| {
                (group..groups)
                    .into_par_iter()
                    .map(|nth| self.group(nth, &bar))
                    .collect()
            });
            group = groups;
            for (puzzles, stop) in results {
                // What comes after a group that was stopped would change with
                // the time it takes.
                if stopped.is_some() {
                    break;
                }
                for one in puzzles {
                    tries += one.tries;
                    let form = canonical(&one.puzzle).map(|canonical| canonical.form);
                    if made == self.args.n || !forms.insert(form) {
                        continue;
                    }
                    made += 1;
                    bar.suspend(|| sink.write(&one.puzzle, Some(&one.rated)))?;
                }
                stopped = stop;
            }
            sink.flush()?;
        }
        bar.finish_and_clear();
        if self.bucket || stopped.is_some() {
            self.report(made, tries, begun.elapsed(), stopped);
        }
        Ok(match stopped {
            Some(_) => Exit::Stopped,
            None => Exit::Done,
        })
    }

    fn group(&self, group: u64, bar: &ProgressBar) -> (Vec<OrderedPuzzle>, Option<Stop>) {
        // A group's size must not depend on how many came twice before it.
        let left = self.args.n.saturating_sub(group * GROUP);
        let wanted = if left == 0 { GROUP } else { left.min(GROUP) } as usize;
        let mut run = Run::limit(1).with_cancel(self.context.cancel.clone());
        if let Some(time) = self.args.time {
            run = run.with_time(time.saturating_sub(self.started.elapsed()));
        }
        let mut made = Vec::with_capacity(wanted);
        let stop = RATER.with_borrow_mut(|rater| {
            let take = |one: OrderedPuzzle| {
                bar.inc(1);
                // The message holds what was tried until now.
                bar.set_message(acceptance(bar, one.tries));
                made.push(one);
                made.len() < wanted
            };
            self.order
                .make_group(self.seed, group, rater, &mut run, take)
        });
        (made, stop.err())
    }

    fn bar(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.args.n), ProgressDrawTarget::stderr());
        let template = "{bar:30} {pos}/{len}  {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_prefix("0");
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// `ER 5.0 to 5.4: made 1000 of 1000 puzzles in 12.3 s, 1 of 41 rated was
    /// as ordered`.
    fn report(&self, made: u64, tries: u64, took: Duration, stopped: Option<Stop>) {
        let why = match stopped {
            Some(Stop::Cancelled) => "interrupted: ",
            Some(_) => "time is up: ",
            None => "",
        };
        let range = match (self.order.rating.start(), self.order.rating.end()) {
            (Rating(10), Rating(u8::MAX)) => String::new(),
            (from, Rating(u8::MAX)) => format!("ER {from} and more: "),
            (from, to) => format!("ER {from} to {to}: "),
        };
        let accepted = match made {
            0 => "nothing that was rated was as ordered".into(),
            _ => format!(
                "1 of {:.0} rated was as ordered",
                tries as f64 / made as f64
            ),
        };
        complain(format_args!(
            "{why}{range}made {made} of {} puzzles in {:.1} s, {accepted}",
            self.args.n,
            took.as_secs_f64(),
        ));
    }
}

/// How many of the puzzles rated so far were as ordered. The bar carries the
/// count in its prefix.
fn acceptance(bar: &ProgressBar, tries: u64) -> String {
    let before: u64 = bar.prefix().parse().unwrap_or(0);
    let tries = before + tries;
    bar.set_prefix(tries.to_string());
    let share = 100.0 * bar.position() as f64 / tries.max(1) as f64;
    format!("{share:.2} % as ordered")
}

/// `7.0..7.5`, both included, or exactly `7.2`; the ends may be left open.
pub fn rating(text: &str) -> Result<RangeInclusive<Rating>, String> {
    let wanted = |_| format!("expected a rating such as 7.2 or 7.0..7.5, found `{text}`");
    let bound = |text: &str, open: Rating| match text.trim() {
        "" => Ok(open),
        text => text.parse::<Rating>(),
    };
    match text.split_once("..") {
        Some((from, to)) => {
            let from = bound(from, Rating(10)).map_err(wanted)?;
            let to = bound(to.trim_start_matches('='), Rating(u8::MAX)).map_err(wanted)?;
            Ok(from..=to)
        }
        None => {
            let exactly = text.trim().parse::<Rating>().map_err(wanted)?;
            Ok(exactly..=exactly)
        }
    }
}

/// `0.5`: how wide a bucket is.
pub fn step(text: &str) -> Result<Rating, String> {
    let step = text.parse::<Rating>().ok().filter(|step| step.0 > 0);
    step.ok_or_else(|| format!("expected a step such as 0.5, found `{text}`"))
}

/// A technique, or one of the words for several.
pub fn techniques(text: &str) -> Result<Vec<Technique>, String> {
    use Technique as T;
    let all = |wanted: fn(&Technique) -> bool| T::ALL.iter().copied().filter(wanted).collect();
    Ok(match text {
        "chains" => all(|technique| technique.is_chain()),
        "uniqueness" => all(|technique| technique.assumes_uniqueness()),
        "fish" => vec![T::XWing, T::Swordfish, T::Jellyfish],
        "wings" => vec![T::XyWing, T::XyzWing],
        "locked" => vec![
            T::DirectPointing,
            T::DirectClaiming,
            T::Pointing,
            T::Claiming,
        ],
        text => vec![text.parse::<Technique>().map_err(|error| {
            let names: Vec<&str> = T::ALL.iter().map(|technique| technique.key()).collect();
            format!(
                "{error}; there are {}, and chains, uniqueness, fish, wings, locked",
                names.join(", ")
            )
        })?],
    })
}
