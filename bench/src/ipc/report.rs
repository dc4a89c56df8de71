//! What a run of `ipc` comes to, beside the peers: a page and a chart.
//!
//! Peers come as CSV files with a column `instance` and, for each planner, a
//! column with its status and one named `…_cpu_s`; a file about one planner
//! may call these `status` and `cpu_s`, and is then named by its last word.

use std::path::Path;

use planoku_workbench::chart;
use serde_json::Value;

/// How one planner did on the instances.
pub struct Series {
    /// Its name.
    pub name: String,
    /// Per instance, CPU seconds if it was solved.
    pub times: Vec<Option<f64>>,
}

impl Series {
    /// From the rows of a run.
    pub fn own(rows: &[Value]) -> Series {
        let times = rows.iter().map(|row| {
            let solved = row["verified"] == Value::Bool(true);
            row["cpu_s"].as_f64().filter(|_| solved)
        });
        Series {
            name: "planoku".into(),
            times: times.collect(),
        }
    }

    fn solved(&self, within: f64) -> usize {
        let times = self.times.iter().flatten();
        times.filter(|&&time| time <= within).count()
    }
}

/// The planners of a CSV file, on the instances of these rows. Instances the
/// file does not know count as not solved.
pub fn peers(file: &Path, rows: &[Value]) -> Result<Vec<Series>, String> {
    let text = std::fs::read_to_string(file).map_err(|it| format!("{}: {it}", file.display()))?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = |name: &str| header.iter().position(|it| *it == name);
    let Some(instance) = column("instance") else {
        return Err(format!(
            "{}: expected a column `instance`, found {header:?}",
            file.display()
        ));
    };
    let lines: Vec<Vec<&str>> = lines.collect();
    let mut list = Vec::new();
    for (cpu, title) in header.iter().enumerate() {
        let (name, status) = match title.strip_suffix("_cpu_s") {
            Some(name) => (name.to_string(), column(name)),
            None if *title == "cpu_s" => (last_word(file), column("status")),
            None => continue,
        };
        let Some(status) = status else {
            continue;
        };
        let time = |row: &Value| {
            let wanted = row["instance"].as_str()?;
            let line = lines.iter().find(|line| {
                let known = line.get(instance).copied().unwrap_or_default();
                known == wanted || known.ends_with(&format!("/{wanted}"))
            })?;
            let solved = line.get(status).copied() == Some("solved");
            line.get(cpu)?.parse().ok().filter(|_| solved)
        };
        list.push(Series {
            name,
            times: rows.iter().map(time).collect(),
        });
    }
    Ok(list)
}

pub(super) fn last_word(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit('_').next().unwrap_or_default().to_string()
}

/// Solved against CPU time, one line per planner.
pub fn chart(series: &[Series]) -> String {
    let axes = chart::Axes {
        x: "CPU seconds",
        y: "instances solved",
        describe: "how many instances each planner solves within a time",
    };
    let times: Vec<Vec<f64>> = series
        .iter()
        .map(|it| {
            it.times
                .iter()
                .flatten()
                .map(|time| time.max(0.01))
                .collect()
        })
        .collect();
    let mut svg = chart::survival(&axes, &times);
    let mut legend = String::new();
    for (nth, one) in series.iter().enumerate() {
        legend += &format!(
            "<text x=\"84\" y=\"{}\" font-family=\"sans-serif\" font-size=\"14\" \
             font-weight=\"bold\" fill=\"{}\">{} ({})</text>\n",
            34 + 20 * nth,
            chart::colour(nth),
            one.name,
            one.times.iter().flatten().count()
        );
    }
    if let Some(end) = svg.rfind("</svg>") {
        svg.insert_str(end, &legend);
    }
    svg
}

/// The page: counts, the chart, every instance.
pub fn page(
    title: &str,
    command: &str,
    picture: &str,
    rows: &[Value],
    series: &[Series],
) -> String {
    let mut text = format!("# {title}\n\n`{command}`\n\n");
    text += "One process an instance; a plan counts if `planning::verify` accepts it. \
             The peers' times are those of their files.\n\n";
    text += "| planner | instances | solved | within 1 CPU s |\n|---|--:|--:|--:|\n";
    for one in series {
        text += &format!(
            "| {} | {} | {} | {} |\n",
            one.name,
            rows.len(),
            one.solved(f64::MAX),
            one.solved(1.0)
        );
    }
    text += &format!("\n![instances solved against CPU time]({picture})\n\n");
    let peers = &series[1..];
    let names: String = peers.iter().map(|it| format!(" {} |", it.name)).collect();
    let rules: String = peers.iter().map(|_| "--:|").collect();
    text +=
        &format!("| instance | planoku | by | length | ground s by the clock | peak MB |{names}\n");
    text += &format!("|---|--:|---|--:|--:|--:|{rules}\n");
    let seconds = |time: Option<f64>| time.map_or("–".into(), |time| format!("{time:.2}"));
    for (nth, row) in rows.iter().enumerate() {
        let own = match series[0].times[nth] {
            Some(time) => format!("{time:.2}"),
            None => row["status"].as_str().unwrap_or("?").replace('_', " "),
        };
        let number = |name: &str| {
            row[name]
                .as_f64()
                .map_or(String::new(), |it| format!("{it:.0}"))
        };
        let others = peers
            .iter()
            .map(|it| format!(" {} |", seconds(it.times[nth])));
        text += &format!(
            "| {} | {own} | {} | {} | {} | {} |{}\n",
            row["instance"].as_str().unwrap_or("?"),
            row["by"].as_str().unwrap_or(""),
            number("plan_length"),
            seconds(row["ground_s"].as_f64()),
            number("peak_mb"),
            others.collect::<String>()
        );
    }
    text
}
