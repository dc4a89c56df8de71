//! A page that shows what a data set holds: sizes, ratings, techniques, clues.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{Markup, html};
use planoku_human::Technique;
use planoku_workbench::chart::{Axes, bars};

use crate::html::{figure, page};
use crate::manifest::Manifest;
use crate::read::read_table;
use crate::table::Table;
use crate::write::FileError;

/// What is counted while rows pass.
#[derive(Clone, Debug, Default)]
pub struct Description {
    rows: u64,
    disguises: u64,
    traces: BTreeMap<String, [u64; 2]>,
    ratings: BTreeMap<u64, u64>,
    clues: BTreeMap<u64, u64>,
    hardest: BTreeMap<String, u64>,
    /// Steps, and puzzles that use the technique.
    techniques: BTreeMap<String, [u64; 2]>,
    automorphisms: BTreeMap<u64, u64>,
    minimal: u64,
    nodes: BTreeMap<String, BTreeMap<u32, u64>>,
}

impl Description {
    /// Counts the rows of a table; columns that are not there are not shown.
    pub fn add(&mut self, table: &Table) {
        for row in 0..table.rows() {
            self.rows += 1;
            let text = |name: &str| table.text(name, row);
            let number = |name: &str| text(name)?.parse::<u64>().ok();
            self.disguises += u64::from(text("parent").is_some());
            if let Some(er) = text("er").and_then(|er| er.parse::<f64>().ok()) {
                *self
                    .ratings
                    .entry((er * 10.0).round() as u64 / 5)
                    .or_default() += 1;
            }
            let clues = number("clues").or_else(|| {
                let puzzle = text("puzzle")?;
                Some(
                    puzzle
                        .bytes()
                        .filter(|symbol| (b'1'..=b'9').contains(symbol))
                        .count() as u64,
                )
            });
            if let Some(clues) = clues {
                *self.clues.entry(clues).or_default() += 1;
            }
            if let Some(hardest) = text("hardest") {
                *self.hardest.entry(hardest).or_default() += 1;
            }
            if let Some(count) = number("automorphisms") {
                *self.automorphisms.entry(count).or_default() += 1;
            }
            self.minimal += u64::from(text("minimal").as_deref() == Some("true"));
            for word in text("techniques").unwrap_or_default().split_whitespace() {
                if let Some((key, count)) = word.split_once(':') {
                    let sums = self.techniques.entry(key.to_string()).or_default();
                    sums[0] += count.parse::<u64>().unwrap_or(0);
                    sums[1] += 1;
                }
            }
            for column in table
                .columns
                .iter()
                .filter(|one| one.name.starts_with("nodes_"))
            {
                if let Some(nodes) = column
                    .values
                    .text(row)
                    .and_then(|text| text.parse::<u64>().ok())
                {
                    let power = nodes.max(1).ilog2();
                    let counts = self.nodes.entry(column.name.clone()).or_default();
                    *counts.entry(power).or_default() += 1;
                }
            }
        }
    }

    /// Counts steps.
    pub fn add_trace(&mut self, table: &Table) {
        for row in 0..table.rows() {
            let technique = table.text("technique", row).unwrap_or_default();
            let sound = table.text("sound", row).as_deref() == Some("true");
            self.traces.entry(technique).or_default()[usize::from(!sound)] += 1;
        }
    }

    /// The page.
    pub fn page(&self, title: &str, manifest: Option<&Manifest>) -> String {
        let body = html! {
            h1 { (title) }
            p.quiet {
                (grouped(self.rows)) " rows"
                @if self.disguises > 0 { ", " (grouped(self.disguises)) " of them disguises" }
                @if self.minimal > 0 { "; " (grouped(self.minimal)) " minimal puzzles" }
            }
            @if let Some(manifest) = manifest { (about(manifest)) }
            (self.chart(
                "Ratings", "ER", "How many puzzles have their hardest step in each half point.",
                self.ratings.iter().map(|(half, n)| (format!("{}.{}", half / 2, half % 2 * 5), *n)),
            ))
            (self.chart(
                "Hardest technique", "puzzles",
                "The first technique that needed the rating of the puzzle.",
                in_order(&self.hardest).into_iter().map(|(key, n)| (key, *n)),
            ))
            (self.chart(
                "Techniques", "steps", "Steps by technique over all paths.",
                in_order(&self.techniques).into_iter().map(|(key, n)| (key, n[0])),
            ))
            (self.chart(
                "Clues", "puzzles", "Digits given.",
                self.clues.iter().map(|(clues, n)| (clues.to_string(), *n)),
            ))
            (self.chart(
                "Automorphisms", "puzzles", "Ways to turn the puzzle into itself; 1 is the usual case.",
                self.automorphisms.iter().map(|(count, n)| (count.to_string(), *n)),
            ))
            @for (name, counts) in &self.nodes {
                (self.chart(
                    name, "puzzles", "Nodes until the solution is found and proved the only one.",
                    counts.iter().map(|(power, n)| (format!("{} and more", 1u64 << power), *n)),
                ))
            }
            @if !self.traces.is_empty() {
                h2 { "Steps in traces" }
                table {
                    tr { th { "technique" } th { "sound" } th { "wrong" } }
                    @for (key, counts) in in_order(&self.traces) {
                        tr { td { (key) } td { (grouped(counts[0])) } td { (grouped(counts[1])) } }
                    }
                }
            }
        };
        page(title, body)
    }

    fn chart(
        &self,
        title: &str,
        axis: &str,
        caption: &str,
        rows: impl Iterator<Item = (String, u64)>,
    ) -> Markup {
        let rows: Vec<(String, f64)> = rows.map(|(name, n)| (name, n as f64)).collect();
        if rows.is_empty() {
            return html! {};
        }
        let axes = Axes {
            x: "how many (logarithmic)",
            y: axis,
            describe: title,
        };
        html! {
            h2 { (title) }
            (figure(&bars(&axes, &rows), &[], caption))
        }
    }
}

/// The page of a data set.
pub fn describe(folder: &Path) -> Result<String, FileError> {
    let manifest = Manifest::read(folder)?;
    let mut found = Description::default();
    let mut seen: Vec<&str> = Vec::new();
    for shard in &manifest.files {
        // The same rows in another format are counted once.
        let stem = shard
            .path
            .rsplit_once('.')
            .map_or(&*shard.path, |(stem, _)| stem);
        if shard.path.starts_with("npy/") || seen.contains(&stem) {
            continue;
        }
        seen.push(stem);
        let table = read_table(&folder.join(&shard.path))?;
        match shard.path.starts_with("traces/") {
            true => found.add_trace(&table),
            false => found.add(&table),
        }
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    Ok(found.page(&format!("Data set {name}"), Some(&manifest)))
}

fn about(manifest: &Manifest) -> Markup {
    let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
    html! {
        p {
            "Made by planoku " (manifest.planoku) " from seed " (manifest.seed) ": "
            (grouped(manifest.puzzles)) " puzzles, " (grouped(manifest.rows)) " rows, "
            (grouped(manifest.trace_rows)) " steps in traces, " (manifest.files.len()) " files, "
            (format!("{:.1} MB.", bytes as f64 / 1e6))
        }
        h2 { "Splits and buckets" }
        table {
            tr { th { "split" } th { "rows" } th { "puzzles" } }
            @for (name, count) in &manifest.splits {
                tr { td { (name) } td { (grouped(count.rows)) } td { (grouped(count.puzzles)) } }
            }
        }
        p.quiet { "Split by canonical solution: no puzzle of one is a disguise of one of another." }
        table {
            tr { th { "bucket" } th { "rows" } th { "puzzles" } }
            @for (name, count) in &manifest.buckets {
                tr { td { (name) } td { (grouped(count.rows)) } td { (grouped(count.puzzles)) } }
            }
        }
        h2 { "How they were drawn" }
        p { (manifest.sampling) }
        h2 { "Columns" }
        div.scroll { table {
            @for (name, meaning) in &manifest.columns {
                tr { td { code { (name) } } td.text { (meaning) } }
            }
        } }
        details { summary { "The recipe" } pre { (manifest.recipe) } }
    }
}

/// By technique, in the order of the scale.
fn in_order<T>(counts: &BTreeMap<String, T>) -> Vec<(String, &T)> {
    let keys = Technique::ALL.iter().map(|technique| technique.key());
    keys.filter_map(|key| Some((key.to_string(), counts.get(key)?)))
        .collect()
}

/// Digits in groups of three: `1,000,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}
