//! Fits the weights by which the portfolio guesses who will plan a model.
//!
//! What is read are rows of `members --json`: what each member takes alone, and
//! the numbers the team sees of the model. A member is worth the more the nearer
//! it comes to the best: the square of what the best takes, divided by its own
//! time. Weights are fitted so that the logarithm of what the shares are worth,
//! summed over the members, is as large as possible in the mean over families
//! (gradient ascent; large weights cost). How much that says about models nobody
//! has seen is measured by leaving out one family after the other.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

/// Fit the portfolio's guess to what its members take alone.
#[derive(clap::Args)]
pub struct Args {
    /// Rows of `members --json`.
    rows: PathBuf,
    /// What large weights cost.
    #[arg(long, default_value_t = 0.01)]
    cost: f64,
    /// The part of the time that is divided evenly, for the figures.
    #[arg(long, default_value_t = 0.4)]
    unknown: f64,
}

/// What is known of one instance.
struct Known {
    family: String,
    instance: String,
    features: Vec<f64>,
    /// What each member takes alone; infinite if it came to no end.
    times: Vec<f64>,
}

impl Known {
    fn best(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// What each member is worth.
    fn worth(&self) -> Vec<f64> {
        // Below that it does not matter.
        let counts = |time: f64| time.max(0.02);
        let best = counts(self.best());
        let worth = |&time: &f64| (best / counts(time)).powi(2);
        self.times.iter().map(worth).collect()
    }

    /// What the team takes beyond its free tenth of a second, as a multiple of
    /// what the best member takes.
    fn factor(&self, shares: &[f64]) -> f64 {
        let done = self
            .times
            .iter()
            .zip(shares)
            .map(|(time, share)| time / share);
        let done = done.fold(f64::INFINITY, f64::min);
        (done - super::members::FREE).max(0.0) / self.best().max(1e-3)
    }
}

pub fn run(args: &Args) -> Result<(), String> {
    let mut teams: BTreeMap<Vec<String>, Vec<Known>> = BTreeMap::new();
    for row in super::earlier(&args.rows)? {
        let names: Vec<String> = members(&row).map(|(name, _)| name.clone()).collect();
        teams.entry(names).or_default().extend(known(&row));
    }
    for (names, known) in teams {
        if known.is_empty() {
            continue;
        }
        report(args, &names, &known);
        let all: Vec<&Known> = known.iter().collect();
        print_weights(&names, &fit(&all, names.len(), args.cost));
    }
    Ok(())
}

fn members(row: &Value) -> impl Iterator<Item = (&String, &Value)> {
    row["members"].as_object().into_iter().flatten()
}

/// A row as far as it can be learned from: somebody came to an end.
fn known(row: &Value) -> Option<Known> {
    let instance = row["instance"].as_str()?.to_owned();
    let times: Vec<f64> = members(row)
        .map(|(_, row)| super::members::seconds(row).unwrap_or(f64::INFINITY))
        .collect();
    let features = members(row).find_map(|(_, row)| row["features"].as_array());
    let features = features?
        .iter()
        .map(|it| it.as_f64().unwrap_or(0.0))
        .collect();
    let family = instance.rsplit_once('/').map_or("", |(family, _)| family);
    times.iter().any(|time| time.is_finite()).then(|| Known {
        family: family.to_owned(),
        features,
        times,
        instance: instance.clone(),
    })
}

/// How well shares fit, by instance and in all, for families that were fitted
/// and for families that were left out.
fn report(args: &Args, names: &[String], known: &[Known]) {
    let even = vec![1.0 / names.len() as f64; names.len()];
    let all: Vec<&Known> = known.iter().collect();
    let fitted = fit(&all, names.len(), args.cost);
    let mut factors = [Vec::new(), Vec::new(), Vec::new()];
    for one in known {
        let others: Vec<&Known> = known.iter().filter(|it| it.family != one.family).collect();
        let unseen = fit(&others, names.len(), args.cost);
        let mixed = |weights: &Weights| -> Vec<f64> {
            let parts = weights.parts(&one.features).into_iter().zip(&even);
            parts
                .map(|(part, even)| (1.0 - args.unknown) * part + args.unknown * even)
                .collect()
        };
        let found = [even.clone(), mixed(&unseen), mixed(&fitted)].map(|it| one.factor(&it));
        factors
            .iter_mut()
            .zip(found)
            .for_each(|(all, it)| all.push(it));
        let best = one
            .times
            .iter()
            .position(|&time| time == one.best())
            .unwrap_or(0);
        eprintln!(
            "{:<80} {:>6.2} s {:<16} {:>5.1} {:>5.1} {:>5.1}",
            one.instance,
            one.best(),
            names[best],
            found[0],
            found[1],
            found[2]
        );
    }
    for (what, all) in ["even shares", "family unseen", "fitted"]
        .iter()
        .zip(&factors)
    {
        let above = all.iter().filter(|&&factor| factor > 3.0).count();
        let logs: f64 = all.iter().map(|factor| factor.max(1.0).ln()).sum();
        let mean = (logs / all.len() as f64).exp();
        eprintln!(
            "{what:<14} {above} of {} above a factor of 3, geometric mean {mean:.2}",
            all.len()
        );
    }
}

/// For each member, what each number of the model counts for it.
struct Weights {
    by_member: Vec<Vec<f64>>,
}

impl Weights {
    /// What part of the time each member is given.
    fn parts(&self, features: &[f64]) -> Vec<f64> {
        let score = |weights: &Vec<f64>| -> f64 {
            weights
                .iter()
                .zip(features)
                .map(|(weight, it)| weight * it)
                .sum()
        };
        let scores: Vec<f64> = self.by_member.iter().map(score).collect();
        let highest = scores.iter().copied().fold(f64::MIN, f64::max);
        let parts: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
        let sum: f64 = parts.iter().sum();
        parts.iter().map(|part| part / sum).collect()
    }
}

/// Steps of gradient ascent, and how long the first is.
const STEPS: i32 = 2000;
const LENGTH: f64 = 0.1;

/// The weights that suit these instances, each family counting the same.
fn fit(known: &[&Known], members: usize, cost: f64) -> Weights {
    let scale = Scale::of(known);
    let rows: Vec<(Vec<f64>, Vec<f64>, f64)> = known
        .iter()
        .map(|one| {
            let kin = known.iter().filter(|it| it.family == one.family).count();
            (scale.apply(&one.features), one.worth(), 1.0 / kin as f64)
        })
        .collect();
    let whole: f64 = rows.iter().map(|row| row.2).sum();
    let width = scale.means.len();
    let mut weights = Weights {
        by_member: vec![vec![0.0; width]; members],
    };
    let mut adam = Adam::new(members * width);
    for step in 1..=STEPS {
        let mut slope = vec![0.0; members * width];
        for (seen, worth, weight) in &rows {
            let parts = weights.parts(seen);
            let all: f64 = parts
                .iter()
                .zip(worth)
                .map(|(part, worth)| part * worth)
                .sum();
            for (member, part) in parts.iter().enumerate() {
                let wanted = part * worth[member] / all.max(1e-12);
                let up = (wanted - part) * weight / whole;
                for (place, it) in seen.iter().enumerate() {
                    slope[member * width + place] += up * it;
                }
            }
        }
        for (at, slope) in slope.iter().enumerate() {
            let weight = &mut weights.by_member[at / width][at % width];
            *weight += adam.step(at, slope - cost * *weight, step);
        }
    }
    weights
        .by_member
        .iter_mut()
        .for_each(|it| scale.unscale(it));
    weights
}

/// Steps that go by how slopes were so far (Kingma and Ba 2015).
struct Adam {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Adam {
    fn new(count: usize) -> Adam {
        Adam {
            first: vec![0.0; count],
            second: vec![0.0; count],
        }
    }

    fn step(&mut self, at: usize, slope: f64, step: i32) -> f64 {
        let (first, second) = (&mut self.first[at], &mut self.second[at]);
        *first = 0.9 * *first + 0.1 * slope;
        *second = 0.999 * *second + 0.001 * slope * slope;
        let (mean, spread) = (
            *first / (1.0 - 0.9f64.powi(step)),
            *second / (1.0 - 0.999f64.powi(step)),
        );
        LENGTH * 0.998f64.powi(step) * mean / (spread.sqrt() + 1e-8)
    }
}

/// Where a number of the models lies, and how far apart.
struct Scale {
    means: Vec<f64>,
    spreads: Vec<f64>,
}

impl Scale {
    fn of(known: &[&Known]) -> Scale {
        let count = known.len().max(1) as f64;
        let width = known.first().map_or(0, |it| it.features.len());
        let mean = |place: usize| known.iter().map(|it| it.features[place]).sum::<f64>() / count;
        let spread = |place: usize| {
            let mean = mean(place);
            let squares = known.iter().map(|it| (it.features[place] - mean).powi(2));
            (squares.sum::<f64>() / count).sqrt()
        };
        // What is the same everywhere counts as it is: the first is one.
        let varies = |place: &usize| spread(*place) > 1e-9;
        let of = |place: usize| match varies(&place) {
            true => (mean(place), spread(place)),
            false => (0.0, 1.0),
        };
        let (means, spreads) = (0..width).map(of).unzip();
        Scale { means, spreads }
    }

    fn apply(&self, features: &[f64]) -> Vec<f64> {
        let scaled = features.iter().zip(&self.means).zip(&self.spreads);
        scaled
            .map(|((it, mean), spread)| (it - mean) / spread)
            .collect()
    }

    /// Weights for numbers as they are from weights for scaled ones.
    fn unscale(&self, weights: &mut [f64]) {
        let mut shift = 0.0;
        for (weight, (mean, spread)) in weights.iter_mut().zip(self.means.iter().zip(&self.spreads))
        {
            *weight /= spread;
            shift += *weight * mean;
        }
        if let Some(first) = weights.first_mut() {
            *first -= shift;
        }
    }
}

/// As they stand in `schedule/weights.rs`.
fn print_weights(names: &[String], weights: &Weights) {
    println!("&[");
    for (name, weights) in names.iter().zip(&weights.by_member) {
        let weights: Vec<String> = weights.iter().map(|it| format!("{it:.3}")).collect();
        println!("    (\"{name}\", [{}]),", weights.join(", "));
    }
    println!("];");
}
