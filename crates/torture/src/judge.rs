//! What is wrong with what planners say, going by the oracle, by the verifier
//! and by each other.

use std::fmt;
use std::time::Duration;

use planoku_engine::{Budget, Stop};
use planoku_planning::portfolio::Portfolio;

use crate::attempt::{Claim, Claimed, Report};
use crate::oracle::Truth;
use crate::oracle::world::price;
use crate::print::number;
use crate::problem::{Amount, Problem};

/// How far past a node budget a planner may run before it looks, and a team,
/// whose members are granted their nodes beforehand.
pub const NODE_SLACK: u64 = 1_000;
const TEAM_SLACK: u64 = 100;

/// Something untrue, and who said it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule is broken.
    pub kind: Kind,
    /// By whom.
    pub planner: String,
    /// In words.
    pub detail: String,
}

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The texts are HDDL, but the reader says otherwise.
    Unreadable,
    /// A plan that the verifier refuses.
    Refused,
    /// "There is no plan", but there is one.
    FalseNone,
    /// A plan that the verifier accepts, but there is none.
    FalsePlan,
    /// "Cheapest", but there is a cheaper plan.
    FalseCheapest,
    /// A cost that is not the sum of the actions' costs.
    FalseCost,
    /// A complete planner gave up.
    GaveUp,
    /// An internal error, or a member of a team that failed.
    Internal,
    /// A panic.
    Panic,
    /// The node budget was exceeded.
    Nodes,
    /// The time budget was exceeded.
    Time,
    /// The memory budget was exceeded.
    Memory,
    /// The team needed far longer than one of its members alone.
    Slow,
    /// No end within many times the time budget.
    Hang,
    /// The process died.
    Crash,
}

impl Kind {
    /// A word for file names and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unreadable => "unreadable",
            Kind::Refused => "refused",
            Kind::FalseNone => "false-none",
            Kind::FalsePlan => "false-plan",
            Kind::FalseCheapest => "false-cheapest",
            Kind::FalseCost => "false-cost",
            Kind::GaveUp => "gave-up",
            Kind::Internal => "internal",
            Kind::Panic => "panic",
            Kind::Nodes => "nodes",
            Kind::Time => "time",
            Kind::Memory => "memory",
            Kind::Slow => "slow",
            Kind::Hang => "hang",
            Kind::Crash => "crash",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} by {}: {}",
            self.kind.name(),
            self.planner,
            self.detail
        )
    }
}

/// Everything untrue in these reports on one problem.
pub fn judge(problem: &Problem, truth: Truth, budget: Budget, reports: &[Report]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let known = known(problem, truth, reports);
    for report in reports {
        let mut find = |kind, detail: String| {
            findings.push(Finding {
                kind,
                planner: report.planner.clone(),
                detail,
            });
        };
        let slack = match report.planner.starts_with("portfolio") {
            true => TEAM_SLACK,
            false => NODE_SLACK,
        };
        if let Some(limit) = budget.nodes
            && report.nodes > limit + slack
        {
            find(Kind::Nodes, format!("{} nodes of {limit}", report.nodes));
        }
        for fault in &report.faults {
            find(Kind::Internal, fault.clone());
        }
        match &report.claim {
            Claim::Plan(plan) => plan_is_true(problem, &known, plan, &mut find),
            Claim::None => {
                if let Some(whose) = &known.plan {
                    find(Kind::FalseNone, format!("there is a plan, by {whose}"));
                }
            }
            // Numbers may grow too large for anybody to go on.
            Claim::GaveUp if report.complete && problem.fluents.is_empty() => {
                find(Kind::GaveUp, "claims to be complete".into());
            }
            Claim::Internal(what) => find(Kind::Internal, what.clone()),
            Claim::Panicked(what) => find(Kind::Panic, what.clone()),
            Claim::Stopped(_) | Claim::GaveUp | Claim::Unsupported => {}
        }
    }
    findings
}

/// The members of the team on one thread, by the names they have here.
pub const TEAM: [&str; 13] = [
    "lifted",
    "lifted-best",
    "lifted-learn",
    "lifted-novel",
    "lifted-sat",
    "strips-first",
    "strips-leap",
    "strips-landmarks",
    "sat",
    "htn-loop",
    "htn-fail-first",
    "htn-lazy",
    "htn-ff",
];

/// What the team promises is counted, not measured; a guess of how fast a
/// planner is may be wrong by as much again, and something is spent at the
/// beginning.
const GUESS: u32 = 3;
const BEGINNING: Duration = Duration::from_millis(20);

/// Whether the team found nothing although a member alone needed so little
/// that the team should have: `used` says what each report has cost.
pub fn too_slow(reports: &[Report], used: &[Duration]) -> Option<Finding> {
    let of = |name: &str| reports.iter().position(|it| it.planner == name);
    let stopped = |it: &usize| reports[*it].claim == Claim::Stopped(Stop::Time);
    let team = of("portfolio").filter(stopped)?;
    // Grounded once for all who come after.
    let ground = of("ground").map_or(Duration::ZERO, |it| used[it]);
    let decided = |it: &usize| matches!(reports[*it].claim, Claim::Plan(_) | Claim::None);
    let members = TEAM.iter().filter_map(|name| of(name)).filter(decided);
    let best = members.min_by_key(|&it| used[it])?;
    let alone = ground + used[best];
    let allowed = (alone * Portfolio::FACTOR as u32 + BEGINNING) * GUESS;
    (used[team] > allowed).then(|| Finding {
        kind: Kind::Slow,
        planner: "portfolio".into(),
        detail: format!(
            "nothing after {:.1?} of CPU time, {} alone needs {alone:.1?}",
            used[team], reports[best].planner
        ),
    })
}

/// What is certain, and from whom.
struct Known {
    /// Who knows that there is a plan.
    plan: Option<String>,
    /// The oracle knows that there is none.
    none: bool,
    /// The lowest cost of any plan seen, and whose.
    lowest: Option<(Amount, String)>,
}

fn known(problem: &Problem, truth: Truth, reports: &[Report]) -> Known {
    let mut known = Known {
        plan: (truth.exists == Some(true)).then(|| "the oracle".to_string()),
        none: truth.exists == Some(false),
        lowest: truth.cheapest.map(|cost| (cost, "the oracle".to_string())),
    };
    for report in reports {
        if let Claim::Plan(plan) = &report.claim
            && plan.verified.is_ok()
        {
            known.plan.get_or_insert_with(|| report.planner.clone());
            if let Some(cost) = cost(problem, plan)
                && known.lowest.as_ref().is_none_or(|(low, _)| cost < *low)
            {
                known.lowest = Some((cost, report.planner.clone()));
            }
        }
    }
    known
}

fn plan_is_true(
    problem: &Problem,
    known: &Known,
    plan: &Claimed,
    find: &mut impl FnMut(Kind, String),
) {
    let verified = match &plan.verified {
        Ok(cost) => cost,
        Err(broken) => return find(Kind::Refused, broken.clone()),
    };
    if known.none {
        let steps = plan.steps.len();
        find(
            Kind::FalsePlan,
            format!("{steps} steps where there is none"),
        );
    }
    let Some(cost) = cost(problem, plan) else {
        return find(Kind::FalsePlan, "an action that nobody wrote".into());
    };
    let said = plan.cost.iter().map(|said| ("the planner", said));
    for (who, said) in said.chain([("the verifier", verified)]) {
        if Amount::read(said) != Some(cost) {
            find(
                Kind::FalseCost,
                format!("{who} says {said}, it costs {cost}"),
            );
        }
    }
    if let Some((low, whose)) = &known.lowest
        && plan.cheapest
        && *low < cost
    {
        find(
            Kind::FalseCheapest,
            format!("{cost}, but {whose} has {low}"),
        );
    }
}

/// What the steps cost, by the problem itself.
fn cost(problem: &Problem, plan: &Claimed) -> Option<Amount> {
    let mut sum = Amount(0);
    for (name, objects) in &plan.steps {
        let action = number('a', name).filter(|it| *it < problem.actions.len())?;
        let objects = objects.iter().map(|name| number('o', name));
        let objects: Option<Vec<usize>> = objects.collect();
        sum = sum + price(problem, action, &objects?);
    }
    Some(sum)
}
