//! What the planning commands share: reading models, budgets, whole files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use planoku_engine::{Budget, Run, Stop};
use planoku_language::cost::Cost;
use planoku_language::model::{Beyond, Model};
use planoku_language::number::Rational;
use planoku_language::plan::Plan;
use planoku_language::source::{Lines, Span};
use planoku_language::verify::verify_steps;
use planoku_planning::ground::GroundError;

use crate::exit::{Context, Exit, Failure};
use crate::{memory, values};

/// The two files of a planning problem.
#[derive(clap::Args)]
pub struct Files {
    /// The domain.
    domain: PathBuf,
    /// The problem.
    problem: PathBuf,
}

impl Files {
    /// Reads and resolves both.
    pub fn read(&self) -> Result<Model, Failure> {
        planoku_language::read_files(&self.domain, &self.problem).map_err(Failure::bad_input)
    }

    /// Reads and resolves both, to plan; what is not planned for is refused by
    /// name and place.
    pub fn read_to_plan(&self) -> Result<Model, Failure> {
        let model = self.read()?;
        match model.beyond.first() {
            None => Ok(model),
            Some(beyond) => Err(self.refused(beyond, "planned for")),
        }
    }

    /// That something in the files is not done.
    pub fn refused(&self, beyond: &Beyond, done: &str) -> Failure {
        let place = self.place(beyond.span).unwrap_or_default();
        Failure::bad_input(format!(
            "{place}: {beyond} are read and checked, but not {done}; see `planoku plan --supports`"
        ))
    }

    /// The file and line of something in them.
    pub fn place(&self, span: Span) -> Option<String> {
        let path = match span.file {
            0 => &self.domain,
            _ => &self.problem,
        };
        let text = std::fs::read_to_string(path).ok()?;
        let line = Lines::new(&text).line(span.start);
        Some(format!("{}:{}", path.display(), line + 1))
    }
}

/// What may be spent by a command that reads and judges, and searches nothing.
#[derive(clap::Args)]
pub struct Bounds {
    /// Stop after this time, such as 10s or 500ms.
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Memory that may be held, such as 512M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = values::bytes, default_value = "4G")]
    memory: u64,
}

impl Bounds {
    /// Sees to it that these bounds hold, and signals are heard, whatever is
    /// at work, until the watch is disarmed. To be called first.
    pub fn enforce(&self, context: &Context) {
        memory::never_exceed(self.memory);
        if self.time == Some(Duration::ZERO) {
            memory::end("stopped by time\n");
        }
        let watch = &context.watch;
        watch.arm_for_the_deaf(self.time, &context.cancel);
    }
}

/// What may be spent by a search.
#[derive(clap::Args)]
pub struct Limits {
    #[command(flatten)]
    pub bounds: Bounds,
    /// Stop after this many search nodes.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl Limits {
    /// Sees to it that the limits hold even where no run is asked, as while
    /// files are read. To be called first.
    pub fn enforce(&self, default_time: Option<Duration>, context: &Context) {
        memory::never_exceed(self.bounds.memory);
        let time = self.bounds.time.or(default_time);
        context.watch.arm(time, &context.cancel);
    }

    /// A run within these limits that listens to Ctrl-C.
    pub fn run(&self, default_time: Option<Duration>, context: &Context) -> Run<'static> {
        Run::limit(1)
            .with_budget(Budget {
                time: self.bounds.time.or(default_time),
                nodes: self.nodes,
                memory: Some(self.bounds.memory),
            })
            .with_cancel(context.cancel.clone())
    }
}

/// How a command ends that could not ground.
pub fn exit_for(error: &GroundError) -> Exit {
    match error {
        GroundError::Stopped { .. } => Exit::Stopped,
        GroundError::Refuted(_) => Exit::Proved,
        GroundError::Unsupported(_) => Exit::BadInput,
    }
}

/// Why grounding ended, as whoever pressed Ctrl-C would say it.
pub fn say(error: &GroundError) -> String {
    match error {
        GroundError::Stopped {
            stop: Stop::Cancelled,
            ..
        } => "grounding stopped by Ctrl-C".into(),
        other => other.to_string(),
    }
}

/// Writes a file in one go: whoever is interrupted leaves no half of it.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let name = path.display().to_string();
    let cannot = |error: &std::io::Error| Failure::cannot_write(&name, error);
    // Pipes and devices cannot be replaced by a rename.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).map_err(|error| cannot(&error));
    }
    let mut half = path.as_os_str().to_owned();
    half.push(format!(".{}.part", std::process::id()));
    let half = PathBuf::from(half);
    let written = std::fs::File::create(&half)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| std::fs::rename(&half, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&half);
        cannot(&error)
    })
}

/// The metric's value at the end of a plan that was verified, where there is a
/// metric other than total cost.
pub fn metric_of(model: &Model, plan: &Plan) -> Option<Rational> {
    model.metric.as_ref()?;
    verify_steps(model, plan).ok()?.metric
}

/// `, metric 2.5`, or nothing.
pub fn say_metric(metric: Option<Rational>) -> String {
    metric.map_or(String::new(), |value| format!(", metric {value}"))
}

/// Adds the metric, where the model has one, as an exact number.
pub fn add_metric(json: &mut serde_json::Value, model: &Model, metric: Option<Rational>) {
    if model.metric.is_some()
        && let Some(object) = json.as_object_mut()
    {
        let value = metric.map(|value| value.to_string());
        object.insert("metric".into(), value.into());
    }
}

/// A cost as JSON: a number where that keeps every digit, otherwise a text.
pub fn cost_json(model: &Model, cost: Cost) -> serde_json::Value {
    let shown = model.show_cost(cost).to_string();
    match serde_json::from_str::<serde_json::Value>(&shown) {
        Ok(number) if format!("{number}") == shown => number,
        _ => shown.into(),
    }
}
