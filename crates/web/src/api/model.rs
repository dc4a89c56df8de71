//! Models in HDDL and PDDL: what is wrong with them, how to lay them out, and
//! what a planner makes of them.
//!
//! Texts come with the request and go with the answer; no file is ever read.

use std::time::Instant;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use planoku_engine::{End, Engine};
use planoku_language::diagnostic::{Diagnostic, Severity};
use planoku_language::index::{Index, Space, fold};
use planoku_language::layout::{Unformattable, format};
use planoku_language::lint::{self, Thoroughness};
use planoku_language::model::resolve::Options;
use planoku_language::model::{Model, Span};
use planoku_language::plan::{Plan, text, tree};
use planoku_language::source::Lines;
use planoku_language::syntax::Tree;
use planoku_language::verify::{changes, verify};
use planoku_planning::Instance;
use planoku_planning::ground::{GroundError, ground};
use planoku_planning::planners::planner;
use planoku_planning::portfolio::Portfolio;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Asked;
use crate::App;
use crate::problem::Problem;
use crate::work::Allowance;

/// Steps spent on the question what is reachable, while somebody types.
const STEPS: u64 = 50_000;
/// Rows of a tree, and facts of a change, that one answer holds.
const MOST_ROWS: usize = 20_000;

/// Its addresses.
pub fn router() -> Router<App> {
    Router::new()
        .route("/models", get(super::models::models))
        .route("/check", post(check))
        .route("/format", post(layout))
        .route("/hover", post(hover))
        .route("/ground", post(ground_it))
        .route("/plan", post(plan))
        .route("/verify", post(verify_it))
}

/// A domain and a problem.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": super::DOMAIN, "problem": super::PROBLEM}))]
pub struct Texts {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it; the domain is checked alone without it.
    pub problem: Option<String>,
}

/// Everything that is wrong.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedModel)]
pub struct Checked {
    /// Worst first within a file.
    pub diagnostics: Vec<Finding>,
    /// How many are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// How many are hints.
    pub hints: usize,
}

/// Something that is wrong, or could be better.
#[derive(Serialize, ToSchema)]
pub struct Finding {
    /// Such as `E0502`.
    pub code: String,
    /// `error`, `warning` or `hint`.
    pub severity: String,
    /// In a line.
    pub message: String,
    /// What to write beside the place.
    pub label: String,
    /// Where it is.
    pub place: Place,
    /// How many places it stands for.
    pub count: u32,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// More to know.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// A fix, if there is one.
    pub fix: Option<Mending>,
    /// What the code means, with an example and its correction.
    pub explanation: String,
}

/// A place in one of the two texts; lines and columns are counted from 1,
/// columns in characters.
#[derive(Serialize, ToSchema)]
pub struct Place {
    /// `domain` or `problem`.
    pub file: &'static str,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

/// Another place that matters.
#[derive(Serialize, ToSchema)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// Why.
    pub message: String,
}

/// Edits that mend something.
#[derive(Serialize, ToSchema)]
pub struct Mending {
    /// What it does.
    pub message: String,
    /// False if it is a guess.
    pub certain: bool,
    /// What to replace, by what; no two overlap.
    pub edits: Vec<Change>,
}

/// One edit.
#[derive(Serialize, ToSchema)]
pub struct Change {
    /// What is replaced.
    pub place: Place,
    /// By what.
    pub text: String,
}

/// Says everything that is wrong with a domain and a problem.
#[utoipa::path(post, path = "/check", tag = "models", request_body = Texts,
    responses((status = 200, body = Checked), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn check(
    State(app): State<App>,
    Asked(asked): Asked<Texts>,
) -> Result<Json<Checked>, Problem> {
    let budget = app.desk.budget(None, None);
    let work = app.desk.work(budget, move |_| Ok(checked(&asked)));
    Ok(Json(work.await?))
}

fn checked(asked: &Texts) -> Checked {
    let domain = Tree::read(&asked.domain, 0);
    let problem = asked.problem.as_ref().map(|text| Tree::read(text, 1));
    let thoroughness = Thoroughness {
        strict: false,
        steps: STEPS,
    };
    let found = lint::check(&domain, problem.as_ref(), Options::default(), thoroughness);
    let places = Places::new(&asked.domain, asked.problem.as_deref().unwrap_or_default());
    Checked {
        errors: found.count(Severity::Error),
        warnings: found.count(Severity::Warning),
        hints: found.count(Severity::Hint),
        diagnostics: found.list.iter().map(|one| places.finding(one)).collect(),
    }
}

/// Both texts and their lines.
struct Places<'t>([(&'t str, Lines); 2]);

impl<'t> Places<'t> {
    fn new(domain: &'t str, problem: &'t str) -> Places<'t> {
        Places([domain, problem].map(|text| (text, Lines::new(text))))
    }

    fn place(&self, span: Span) -> Place {
        let file = usize::from(span.file != 0);
        let (text, lines) = &self.0[file];
        let (start, end) = (
            lines.position(text, span.start),
            lines.position(text, span.end),
        );
        Place {
            file: ["domain", "problem"][file],
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    fn finding(&self, found: &Diagnostic) -> Finding {
        let related = found.related.iter().map(|(span, message)| Related {
            place: self.place(*span),
            message: message.clone(),
        });
        let fix = found.fix.as_ref().map(|fix| Mending {
            message: fix.message.clone(),
            certain: fix.certain,
            edits: (fix.edits.iter())
                .map(|edit| Change {
                    place: self.place(edit.span),
                    text: edit.text.clone(),
                })
                .collect(),
        });
        Finding {
            code: found.code.name.to_owned(),
            severity: found.severity().word().to_owned(),
            message: found.message.clone(),
            label: found.label.clone(),
            place: self.place(found.span),
            count: found.count,
            related: related.collect(),
            notes: found.notes.clone(),
            helps: found.helps.clone(),
            fix,
            explanation: found.code.explanation.to_owned(),
        }
    }
}

/// A text to lay out.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": super::DOMAIN}))]
pub struct Untidy {
    /// A domain or a problem.
    pub text: String,
}

/// The text, laid out.
#[derive(Serialize, ToSchema)]
pub struct Tidy {
    /// As `planoku fmt` writes it; comments are kept.
    pub text: String,
}

/// Lays a domain or a problem out.
#[utoipa::path(post, path = "/format", tag = "models", request_body = Untidy,
    responses((status = 200, body = Tidy), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn layout(
    State(app): State<App>,
    Asked(asked): Asked<Untidy>,
) -> Result<Json<Tidy>, Problem> {
    let budget = app.desk.budget(None, None);
    let work = app.desk.work(budget, move |_| {
        let tree = Tree::read(&asked.text, 0);
        match format(&tree) {
            Ok(text) => Ok(Tidy { text }),
            Err(Unformattable::Errors) => {
                let first = tree.errors.first();
                let (message, offset) = first.map_or(("the text cannot be read", 0), |error| {
                    (error.message.as_str(), error.span.start)
                });
                let at = Lines::new(&asked.text).position(&asked.text, offset);
                Err(Problem::bad_text(
                    format!("left as it is: {message}"),
                    at.line as usize,
                    at.column as usize,
                ))
            }
            Err(Unformattable::TooDeep) => Err(Problem::bad_input("nested too deeply to lay out")),
        }
    });
    Ok(Json(work.await?))
}

/// A place somebody points at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": super::DOMAIN, "problem": super::PROBLEM, "file": "problem", "offset": 90}))]
pub struct Pointed {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: Option<String>,
    /// Which of them: `domain` or `problem`.
    pub file: String,
    /// How many characters stand before the place.
    pub offset: usize,
}

/// What a name means.
#[derive(Serialize, ToSchema)]
pub struct Meaning {
    /// The name.
    pub name: String,
    /// What it is: `predicate`, `task`, `parameter`, …; empty if it is declared
    /// nowhere.
    pub what: String,
    /// Its declaration, as written.
    pub declaration: String,
    /// Which text declares it.
    pub file: Option<&'static str>,
    /// How often it is used in this text.
    pub uses: usize,
}

/// Tells what the name at a place means; null where there is none.
#[utoipa::path(post, path = "/hover", tag = "models", request_body = Pointed,
    responses((status = 200, body = Option<Meaning>), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn hover(
    State(app): State<App>,
    Asked(asked): Asked<Pointed>,
) -> Result<Json<Option<Meaning>>, Problem> {
    let budget = app.desk.budget(None, None);
    let work = app.desk.work(budget, move |_| Ok(meaning(&asked)));
    Ok(Json(work.await?))
}

fn meaning(asked: &Pointed) -> Option<Meaning> {
    let in_problem = asked.file == "problem";
    let text = match in_problem {
        true => asked.problem.as_deref().unwrap_or_default(),
        false => &asked.domain,
    };
    let offset = text
        .char_indices()
        .nth(asked.offset)
        .map_or(text.len(), |(at, _)| at);
    let index = Index::of(&Tree::read(text, 0));
    let mention = index.at(u32::try_from(offset).ok()?)?;
    let symbol = &index.symbols[mention.symbol as usize];
    let uses = index
        .uses(mention.symbol)
        .filter(|one| !one.declares)
        .count();
    let own = symbol.declarations.first();
    let shown = |text: &str, span: Span| -> String {
        let whole = text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        whole.lines().take(24).collect::<Vec<_>>().join("\n")
    };
    let here = if in_problem { "problem" } else { "domain" };
    let mut meaning = Meaning {
        name: symbol.name.clone(),
        what: String::new(),
        declaration: String::new(),
        file: None,
        uses,
    };
    let mut tell = |text: &str, file, found: &planoku_language::index::Declaration| {
        meaning.what = found.what.to_owned();
        meaning.file = Some(file);
        meaning.declaration = shown(text, found.whole);
        if let (true, Some(types)) = (found.whole == found.name, found.types) {
            meaning.declaration += &format!(" - {}", shown(text, types));
        }
    };
    if let Some(found) = own {
        tell(text, here, found);
    } else if in_problem && !symbol.space.is_local() {
        let domain = Index::of(&Tree::read(&asked.domain, 0));
        if let Some((_, symbol)) = domain.find(symbol.space, &symbol.name)
            && let Some(found) = symbol.declarations.first()
        {
            tell(&asked.domain, "domain", found);
        }
    }
    if meaning.what.is_empty() && symbol.space == Space::Type && fold(&symbol.name) == "object" {
        meaning.what = "the type of everything".to_owned();
    }
    Some(meaning)
}

/// A domain and a problem to plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": super::DOMAIN, "problem": super::PROBLEM}))]
pub struct AskPlan {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it.
    pub problem: String,
    /// A planner of `planoku plan`; several take turns if absent.
    pub planner: Option<String>,
    /// Milliseconds to spend, within the limit of the service.
    pub time_ms: Option<u64>,
    /// Search nodes to spend, within the limit of the service.
    pub nodes: Option<u64>,
}

/// What a planner found.
#[derive(Serialize, ToSchema)]
pub struct Planned {
    /// `enough` with a plan; `exhausted`: there is none; `incomplete`;
    /// `stopped`.
    pub end: String,
    /// `time`, `nodes`, `memory` or `cancelled` if stopped.
    pub stopped_by: Option<String>,
    /// Why there is no plan, in words.
    pub reason: Option<String>,
    /// Who found it.
    pub planner: String,
    /// The plan, as files of its kind are written.
    pub plan: Option<String>,
    /// The steps in order, such as `(move a b)`.
    pub steps: Vec<String>,
    /// What the plan costs.
    pub cost: Option<String>,
    /// The decomposition, row by row; the steps alone without a hierarchy.
    pub tree: Vec<Row>,
    /// What each step changes; the first is the initial state.
    pub states: Vec<Turn>,
    /// True if something was left out because there is too much of it.
    pub cut: bool,
    /// Search nodes.
    pub nodes: u64,
    /// Time spent, in microseconds.
    pub time_us: u64,
    /// The plan passed the verifier, which sees the model and the plan only.
    pub verified: bool,
}

/// A row of a decomposition.
#[derive(Serialize, ToSchema)]
#[schema(as = TreeRow)]
pub struct Row {
    /// How deep it stands.
    pub depth: usize,
    /// The task or action.
    pub label: String,
    /// The method chosen, for a task.
    pub method: Option<String>,
    /// The number of the step, counted from 0, for an action.
    pub step: Option<usize>,
}

/// What one step changes.
#[derive(Serialize, ToSchema)]
pub struct Turn {
    /// Facts that become true.
    pub added: Vec<String>,
    /// Facts that become false.
    pub removed: Vec<String>,
}

/// Finds a plan and verifies it, or says why there is none.
#[utoipa::path(post, path = "/plan", tag = "models", request_body = AskPlan,
    responses((status = 200, body = Planned), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn plan(
    State(app): State<App>,
    Asked(asked): Asked<AskPlan>,
) -> Result<Json<Planned>, Problem> {
    let name = asked.planner.as_deref().unwrap_or("portfolio");
    if name != "portfolio" && planner(name).is_none() {
        return Err(Problem::bad_input(format!("no planner is called `{name}`")));
    }
    let budget = app.desk.budget(asked.time_ms, asked.nodes);
    let work = app
        .desk
        .work(budget, move |allowance| planned(&asked, allowance));
    Ok(Json(work.await?))
}

fn planned(asked: &AskPlan, allowance: &Allowance) -> Result<Planned, Problem> {
    let model = model(&asked.domain, &asked.problem)?;
    let started = Instant::now();
    let mut run = allowance.run(1);
    let name = asked.planner.as_deref().unwrap_or("portfolio");
    let (found, end, nodes, winner) = match name {
        "portfolio" => {
            let portfolio = Portfolio {
                threads: 1,
                seed: 0,
            };
            let mut outcome = portfolio.solve(&model, &mut run)?;
            let winner = Portfolio::winner(&outcome.stats).map(|name| name.to_string());
            (
                outcome.answers.pop(),
                outcome.end,
                outcome.stats.nodes,
                winner,
            )
        }
        _ => match ground(&model, &mut run) {
            Err(GroundError::Stopped { stop, .. }) => (None, End::Stopped(stop), 0, None),
            Err(GroundError::Refuted(_)) => (None, End::Exhausted, 0, None),
            Err(error) => return Err(Problem::bad_input(error)),
            Ok(problem) => {
                let problem = Instance::new(problem);
                let engine = planner(name).ok_or_else(|| Problem::bad_input("no such planner"))?;
                let outcome = engine.solve(&problem, &mut run)?;
                let plan = (outcome.answers.first())
                    .map(|derivation| derivation.plan(&problem))
                    .transpose()?;
                (plan, outcome.end, outcome.stats.nodes, None)
            }
        },
    };
    let mut answer = Planned {
        end: end.name().to_owned(),
        stopped_by: end.stopped_by().map(|stop| stop.name().to_owned()),
        reason: None,
        planner: winner.unwrap_or_else(|| name.to_owned()),
        plan: None,
        steps: Vec::new(),
        cost: None,
        tree: Vec::new(),
        states: Vec::new(),
        cut: false,
        nodes,
        time_us: started.elapsed().as_micros().try_into().unwrap_or(u64::MAX),
        verified: false,
    };
    match found {
        Some(plan) => show(&mut answer, &model, &plan)?,
        None => answer.reason = Some(why_none(&model, end, allowance)),
    }
    Ok(answer)
}

/// Fills in what there is to see of a plan, after it is verified.
fn show(answer: &mut Planned, model: &Model, plan: &Plan) -> Result<(), Problem> {
    let known = verify(model, plan)
        .map_err(|broken| Problem::fault(format!("a wrong plan was found: {broken}")))?;
    answer.verified = true;
    answer.cost = Some(model.show_cost(known.cost).to_string());
    answer.plan = Some(plan.text(model));
    answer.steps = (plan.steps.iter())
        .map(|step| {
            let action = &model.actions[step.action.index()];
            format!("({})", model.show(&action.name, &step.arguments))
        })
        .collect();
    let rows = tree::rows(plan, model);
    answer.cut = rows.len() > MOST_ROWS;
    answer.tree = (rows.into_iter().take(MOST_ROWS))
        .map(|row| Row {
            depth: row.depth,
            label: row.label,
            method: row.method,
            step: row.step,
        })
        .collect();
    let mut left = MOST_ROWS;
    for change in changes(model, plan).map_err(Problem::fault)? {
        let facts = change.added.len() + change.removed.len();
        answer.cut |= facts > left;
        if facts > left {
            break;
        }
        left -= facts;
        answer.states.push(Turn {
            added: change.added,
            removed: change.removed,
        });
    }
    Ok(())
}

/// Why there is no plan, as far as is known.
fn why_none(model: &Model, end: End, allowance: &Allowance) -> String {
    match end {
        End::Exhausted => match ground(model, &mut allowance.run(1)) {
            Err(error @ GroundError::Refuted(_)) => error.to_string(),
            _ => "there is no plan: everything was tried".to_owned(),
        },
        End::Stopped(stop) => format!("no plan found: stopped by {stop}"),
        End::Enough | End::Incomplete => {
            "no plan found; that does not prove that there is none".to_owned()
        }
    }
}

/// The model, or its first mistake.
fn model(domain: &str, problem: &str) -> Result<Model, Problem> {
    let (model, found) = planoku_language::read(domain, problem);
    model.ok_or_else(|| {
        let places = Places::new(domain, problem);
        let errors = found.list.iter();
        let first = errors
            .filter(|one| one.severity() == Severity::Error)
            .map(|one| (one, places.place(one.span)))
            .next();
        match first {
            Some((one, place)) => Problem::bad_text(
                format!(
                    "{}:{}:{}: {}",
                    place.file, place.line, place.column, one.message
                ),
                place.line as usize,
                place.column as usize,
            ),
            None => Problem::bad_input("the texts are no planning problem"),
        }
    })
}

/// How big a problem is without its variables.
#[derive(Serialize, ToSchema)]
pub struct Grounded {
    /// Facts that can become true.
    pub facts: usize,
    /// Actions that can be executed.
    pub actions: usize,
    /// Tasks that can be asked for.
    pub tasks: usize,
    /// Methods that can be chosen.
    pub methods: usize,
    /// Why the problem has no solution at all, where grounding shows it.
    pub refuted: Option<String>,
    /// The schemas with most instances.
    pub widest: Vec<Wide>,
    /// Time spent, in microseconds.
    pub time_us: u64,
}

/// A schema and how many instances it has.
#[derive(Serialize, ToSchema)]
pub struct Wide {
    /// `action` or `method`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How many.
    pub instances: usize,
}

/// Counts facts, actions, tasks and methods without variables.
#[utoipa::path(post, path = "/ground", tag = "models", request_body = AskPlan,
    responses((status = 200, body = Grounded), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn ground_it(
    State(app): State<App>,
    Asked(asked): Asked<AskPlan>,
) -> Result<Json<Grounded>, Problem> {
    let budget = app.desk.budget(asked.time_ms, asked.nodes);
    let work = app.desk.work(budget, move |allowance| {
        let model = model(&asked.domain, &asked.problem)?;
        let started = Instant::now();
        let result = ground(&model, &mut allowance.run(1));
        let time_us = started.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        let mut answer = Grounded {
            facts: 0,
            actions: 0,
            tasks: 0,
            methods: 0,
            refuted: None,
            widest: Vec::new(),
            time_us,
        };
        match result {
            Ok(problem) => {
                answer.facts = problem.facts.len();
                answer.actions = problem.actions.len();
                answer.tasks = problem.tasks.len();
                answer.methods = problem.methods.len();
                let widest = problem.widest(&model);
                answer.widest = (widest.iter().take(10))
                    .map(|(kind, name, instances)| Wide {
                        kind: kind.to_string(),
                        name: name.to_string(),
                        instances: *instances,
                    })
                    .collect();
            }
            Err(error @ GroundError::Refuted(_)) => answer.refuted = Some(error.to_string()),
            Err(GroundError::Stopped { stop, .. }) => return Err(stop.into()),
            Err(error) => return Err(Problem::bad_input(error)),
        }
        Ok(answer)
    });
    Ok(Json(work.await?))
}

/// A plan to judge.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": super::DOMAIN, "problem": super::PROBLEM, "plan": "(light a)"}))]
pub struct AskVerdict {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it.
    pub problem: String,
    /// A plan from any planner, as files of its kind are written.
    pub plan: String,
}

/// Whether it is a plan.
#[derive(Serialize, ToSchema)]
pub struct Verdict {
    /// Whether it is.
    pub valid: bool,
    /// The first rule it breaks.
    pub rule: Option<String>,
    /// In words.
    pub reason: Option<String>,
    /// What it costs, if it is valid.
    pub cost: Option<String>,
    /// How many steps it has.
    pub steps: usize,
}

/// Judges a plan, and names the first rule it breaks.
#[utoipa::path(post, path = "/verify", tag = "models", request_body = AskVerdict,
    responses((status = 200, body = Verdict), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn verify_it(
    State(app): State<App>,
    Asked(asked): Asked<AskVerdict>,
) -> Result<Json<Verdict>, Problem> {
    let budget = app.desk.budget(None, None);
    let work = app.desk.work(budget, move |_| {
        let model = model(&asked.domain, &asked.problem)?;
        let plan = text::read(&asked.plan, &model).map_err(|error| {
            let words = format!("plan: {}", error.message);
            Problem::bad_text(words, error.line, error.column)
        })?;
        let verdict = verify(&model, &plan);
        let broken = verdict.as_ref().err();
        Ok(Verdict {
            valid: verdict.is_ok(),
            rule: broken.map(|broken| broken.rule.name().to_owned()),
            reason: broken.map(|broken| broken.reason.clone()),
            cost: (verdict.as_ref().ok()).map(|known| model.show_cost(known.cost).to_string()),
            steps: plan.steps.len(),
        })
    });
    Ok(Json(work.await?))
}
