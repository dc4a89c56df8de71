//! One planner on one pair of texts, through the same doors that
//! `planoku plan` uses, and what it claims.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use planoku_engine::{Budget, End, Engine, EngineError, Outcome, Run, Stop};
use planoku_planning::Instance;
use planoku_planning::anytime::Anytime;
use planoku_planning::ground::{Derivation, Ground, GroundError, ground};
use planoku_planning::model::Model;
use planoku_planning::plan::Plan;
use planoku_planning::planners::{LiftedPlanner, Planner, lifted, list, optimal, planner};
use planoku_planning::portfolio::Portfolio;
use planoku_planning::verify::verify;

/// What a planner said, and what came of checking it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name, as [`arguments`] takes it.
    pub planner: String,
    /// What it said.
    pub claim: Claim,
    /// It claims to come to an end, given the budget.
    pub complete: bool,
    /// The nodes it counted.
    pub nodes: u64,
    /// Mistakes that the planner noticed and survived, such as a member of a
    /// team that broke or whose plan was refused.
    pub faults: Vec<String>,
}

/// What a planner said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Here is a plan.
    Plan(Claimed),
    /// There is no plan.
    None,
    /// A budget ran out.
    Stopped(Stop),
    /// Nothing found, nothing proved.
    GaveUp,
    /// It does not take such problems.
    Unsupported,
    /// It caught itself in a mistake.
    Internal(String),
    /// It panicked.
    Panicked(String),
}

/// A plan and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The actions with their objects, by name.
    pub steps: Vec<(String, Vec<String>)>,
    /// What the planner says it costs, if it says so.
    pub cost: Option<String>,
    /// What the verifier says it costs, or why it is no plan.
    pub verified: Result<String, String>,
    /// The planner claims that none is cheaper.
    pub cheapest: bool,
}

/// Every name that `attempt` takes.
pub fn names() -> Vec<String> {
    let fixed = ["ground", "optimal", "anytime", "portfolio", "portfolio-2"];
    let lifted = [
        "lifted",
        "lifted-best",
        "lifted-learn",
        "lifted-novel",
        "lifted-sat",
        "auto",
    ];
    let listed = list();
    let listed = listed.iter().map(|it| it.name.to_string());
    let own = fixed.into_iter().chain(lifted).map(String::from);
    own.chain(listed).collect()
}

/// The arguments of `planoku` that ask the same.
pub fn arguments(name: &str) -> String {
    match name {
        "ground" => "ground".into(),
        "optimal" | "anytime" => format!("plan --{name}"),
        "portfolio" => "plan --threads 1".into(),
        "portfolio-2" => "plan --threads 2".into(),
        _ => format!("plan --planner {name}"),
    }
}

/// A problem read once for many planners.
pub struct Bench {
    /// What was read.
    pub model: Model,
    /// The grounded problem, once somebody needed it.
    grounded: Option<Result<Ground, GroundError>>,
}

impl Bench {
    /// Reads the texts; the error is what the reader says.
    pub fn read(domain: &str, problem: &str) -> Result<Bench, String> {
        let (model, diagnostics) = planoku_planning::read(domain, problem);
        match model {
            Some(model) => Ok(Bench {
                model,
                grounded: None,
            }),
            None => Err(diagnostics.brief(&[("domain", domain), ("problem", problem)])),
        }
    }

    /// Asks the planner of that name. Panics are caught and reported.
    pub fn attempt(&mut self, name: &str, budget: Budget) -> Report {
        listen_for_panics();
        let mut report = Report {
            planner: name.to_string(),
            claim: Claim::GaveUp,
            complete: false,
            nodes: 0,
            faults: Vec::new(),
        };
        ASKED.set(Some(String::new()));
        let work = AssertUnwindSafe(|| self.ask(name, budget, &mut report));
        let result = catch_unwind(work);
        let text = ASKED.take().unwrap_or_default();
        if result.is_err() {
            report.claim = Claim::Panicked(text);
        }
        report
    }

    fn ask(&mut self, name: &str, budget: Budget, report: &mut Report) {
        let mut run = Run::limit(1).with_budget(budget);
        let ungrounded: Option<LiftedPlanner> = match name {
            "portfolio" => Some(Box::new(Portfolio {
                threads: 1,
                seed: 0,
                improves: true,
            })),
            "portfolio-2" => Some(Box::new(Portfolio {
                threads: 2,
                seed: 1,
                improves: true,
            })),
            "anytime" => {
                run = Run::all().with_budget(budget);
                Some(Box::new(Anytime::default()))
            }
            _ => lifted(name, 0),
        };
        if let Some(engine) = ungrounded {
            report.complete = engine.profile().complete && name != "anytime";
            let result = engine.solve(&self.model, &mut run);
            report.claim = claim(&self.model, result, name, Ok, report);
            return;
        }
        let grounded = self.grounded.take();
        let ground = match grounded.unwrap_or_else(|| ground(&self.model, &mut run)) {
            Ok(ground) => ground,
            Err(error) => {
                report.claim = match error {
                    GroundError::Refuted(_) => Claim::None,
                    GroundError::Unsupported(_) => Claim::Unsupported,
                    GroundError::Stopped { stop, .. } => Claim::Stopped(stop),
                };
                if !matches!(error, GroundError::Stopped { .. }) {
                    self.grounded = Some(Err(error));
                }
                return;
            }
        };
        // Each has to analyse the problem itself, so that its time is its own.
        let instance = Instance::new(ground);
        self.ask_grounded(name, &instance, run, report);
        self.grounded = Some(Ok(instance.into_ground()));
    }

    fn ask_grounded(&self, name: &str, ground: &Instance, mut run: Run<'_>, report: &mut Report) {
        let engine: Planner = match name {
            "ground" => return,
            "optimal" => optimal(ground),
            _ => match planner(name) {
                Some(engine) => engine,
                None => {
                    report.claim = Claim::Internal(format!("no planner is named {name}"));
                    return;
                }
            },
        };
        let profile = engine.profile();
        report.complete = profile.complete;
        let result = engine.solve(ground, &mut run);
        let read = |it: Derivation| it.plan(ground);
        report.claim = claim(&self.model, result, &profile.name, read, report);
    }
}

fn claim<A>(
    model: &Model,
    result: Result<Outcome<A>, EngineError>,
    name: &str,
    plan: impl Fn(A) -> Result<Plan, EngineError>,
    report: &mut Report,
) -> Claim {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(EngineError::Unsupported(_)) => return Claim::Unsupported,
        Err(EngineError::Internal(what)) => return Claim::Internal(what),
    };
    report.nodes = outcome.stats.nodes;
    report.faults = outcome.stats.faults;
    let Some(answer) = outcome.answers.into_iter().next_back() else {
        return match outcome.end {
            End::Exhausted => Claim::None,
            End::Stopped(stop) => Claim::Stopped(stop),
            End::Enough | End::Incomplete => Claim::GaveUp,
        };
    };
    let plan = match plan(answer) {
        Ok(plan) => plan,
        Err(error) => return Claim::Internal(error.to_string()),
    };
    let cheapest = match name {
        "anytime" => outcome.end == End::Exhausted,
        _ => claims_cheapest(name),
    };
    Claim::Plan(claimed(model, &plan, cheapest))
}

fn claimed(model: &Model, plan: &Plan, cheapest: bool) -> Claimed {
    let steps = plan.steps.iter().map(|step| {
        let name = model.actions[step.action.index()].name.clone();
        let objects = step.arguments.iter();
        let objects = objects.map(|it| model.objects[it.index()].name.clone());
        (name, objects.collect())
    });
    Claimed {
        steps: steps.collect(),
        cost: plan.cost.map(|cost| model.scale.show(cost).to_string()),
        verified: match verify(model, plan) {
            Ok(verified) => Ok(model.scale.show(verified.cost).to_string()),
            Err(broken) => Err(broken.to_string()),
        },
        cheapest,
    }
}

/// True for planners whose first plan is said to be cheapest.
fn claims_cheapest(name: &str) -> bool {
    list().iter().any(|it| it.name == name && it.optimal)
}

thread_local! {
    /// What a panic said and where, while a planner is being asked.
    static ASKED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// While a planner is being asked, a panic is a finding and not a message.
fn listen_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let asked = ASKED.with(|it| match &mut *it.borrow_mut() {
                Some(text) => {
                    *text = info.to_string().replace('\n', " ");
                    true
                }
                None => false,
            });
            if !asked {
                before(info);
            }
        }));
    });
}
