//! Is a list of actions a plan of a hierarchical problem? Only if some
//! decomposition of the initial network leads to exactly these steps.
//!
//! Where all orders are total it is found by parsing, in polynomial time
//! ([`verify::parse`]). Where they are partial the question is NP-complete, and
//! asked of the planners, as a problem in which nothing else can be executed
//! ([`verify::Follow`]). Either way the decomposition is verified before anybody
//! hears of it.

use planoku_engine::{End, Engine, EngineError, Run, Stop};
use planoku_language::model::Model;
use planoku_language::plan::Plan;
use planoku_language::verify::{self, Broken, Follow, Parsed, Rule};

use crate::portfolio::Portfolio;

/// What was found out about a list of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decomposed {
    /// It is a plan: here it is with a decomposition, verified.
    Plan(Plan),
    /// It is none, and this rule is broken.
    Broken(Broken),
    /// A limit was reached before anything was known.
    Stopped(Stop),
    /// Everybody gave up.
    GaveUp,
}

/// Looks for a decomposition that leads to the steps of a plan.
pub fn decompose(
    model: &Model,
    plan: &Plan,
    portfolio: &Portfolio,
    run: &mut Run<'_>,
) -> Result<Decomposed, EngineError> {
    let mut stopped = None;
    let parsed = verify::parse(model, plan, &mut || match run.tick() {
        Ok(()) => true,
        Err(stop) => {
            stopped = Some(stop);
            false
        }
    });
    let found = match parsed {
        Err(broken) | Ok(Parsed::None(broken)) => return Ok(Decomposed::Broken(broken)),
        Ok(Parsed::Stopped) => {
            return Ok(Decomposed::Stopped(stopped.unwrap_or(Stop::Cancelled)));
        }
        Ok(Parsed::Plan(found)) => found,
        Ok(Parsed::Partial) => match follow(model, plan, portfolio, run)? {
            Ok(found) => found,
            Err(other) => return Ok(other),
        },
    };
    match verify::verify(model, &found) {
        Ok(_) => Ok(Decomposed::Plan(found)),
        Err(broken) => Err(EngineError::Internal(format!(
            "a wrong decomposition was found: {broken}"
        ))),
    }
}

/// Asks the planners.
fn follow(
    model: &Model,
    plan: &Plan,
    portfolio: &Portfolio,
    run: &mut Run<'_>,
) -> Result<Result<Plan, Decomposed>, EngineError> {
    let follow = match Follow::new(model, plan) {
        Ok(follow) => follow,
        Err(broken) => return Ok(Err(Decomposed::Broken(broken))),
    };
    let outcome = portfolio.solve(&follow.problem, run)?;
    Ok(match (outcome.answers.first(), outcome.end) {
        (Some(followed), _) => Ok(Plan {
            cost: plan.cost,
            ..follow.plan(followed)
        }),
        (None, End::Exhausted) => Err(Decomposed::Broken(Broken {
            rule: Rule::Decomposition,
            id: None,
            reason: "no decomposition of the initial network leads to these steps".into(),
        })),
        (None, End::Stopped(stop)) => Err(Decomposed::Stopped(stop)),
        (None, End::Enough | End::Incomplete) => Err(Decomposed::GaveUp),
    })
}
