//! Plans that keep getting cheaper.
//!
//! The [`Portfolio`] finds a first plan. From then on only cheaper ones count:
//! searches that may not spend more than the best plan costs take turns, each
//! round's turns four times as long as the last's. Greedy ones find better
//! plans early, A* with landmark cuts finds the cheapest, and any complete
//! search that comes to its end under the bound without a plan proves that the
//! best plan is a cheapest one.
//!
//! Every plan is judged by [`crate::verify`] before it is shown.

use planoku_engine::{
    Budget, End, Ended, Engine, EngineError, Event, Outcome, Profile, Run, Sink, Stop,
};

use crate::algorithms::{Classical, DeleteFree, without_needless};
use crate::cost::Cost;
use crate::ground::{Derivation, GroundError, ground};
use crate::instance::Instance;
use crate::model::Model;
use crate::plan::Plan;
use crate::schedule::planners::{Listed, Settings, list};
use crate::schedule::portfolio::Portfolio;
use crate::verify::verify;

/// Searches that go on after the first plan.
#[derive(Clone, Debug, Default)]
pub struct Anytime {
    /// Who finds the first plan.
    pub portfolio: Portfolio,
}

/// Told of each better plan, and who found it, as soon as it is verified.
pub type Tell<'a> = dyn FnMut(&Plan, &'static str) -> Result<(), EngineError> + 'a;

impl Engine<Model> for Anytime {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "anytime",
            "a first plan by the portfolio, then cheaper ones until the last is proved cheapest",
        )
        .complete()
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        self.improve(model, run, &mut |_, _| Ok(()))?.hand_to(sink)
    }
}

/// Nodes of the first round's turns.
const FIRST_TURN: u64 = 2_000;
/// How much longer a node with landmark cuts takes than others, roughly.
const SLOW: u64 = 20;
/// How much longer the turns of each round are than those of the one before.
const GROWTH: u64 = 4;

impl Anytime {
    /// Plans, each cheaper than the one before. [`End::Exhausted`] says that
    /// the last is proved cheapest (or, without any, that there is none).
    pub fn improve(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<Outcome<Plan>, EngineError> {
        let first = self.portfolio.solve(model, run)?;
        let by = Portfolio::winner(&first.stats).unwrap_or("portfolio");
        let Some(plan) = first.answers.into_iter().next() else {
            return Ok(Outcome {
                answers: Vec::new(),
                end: first.end,
                stats: first.stats,
            });
        };
        tell(&plan, by)?;
        run.stats.faults.extend(first.stats.faults);
        let mut plans = vec![plan];
        let end = match ground(model, run) {
            Ok(problem) => {
                let problem = Instance::new(problem);
                let mut search = Improve {
                    model,
                    problem: &problem,
                    plans: &mut plans,
                    tell,
                };
                search.rounds(run)?
            }
            Err(GroundError::Stopped { stop, .. }) => End::Stopped(stop),
            Err(error) => return Err(EngineError::Internal(error.to_string())),
        };
        Ok(Outcome {
            answers: plans,
            end,
            stats: run.finish(),
        })
    }
}

/// One of those who improve.
struct Member {
    listed: Listed,
    /// Its turns are shorter by this factor, because its nodes take longer.
    slow: u64,
}

/// The searches after the first plan.
struct Improve<'a, 't> {
    model: &'a Model,
    problem: &'a Instance,
    plans: &'a mut Vec<Plan>,
    tell: &'a mut Tell<'t>,
}

/// What came of a turn.
enum Turn {
    Better,
    Again,
    Leave,
    Over(End),
}

impl Improve<'_, '_> {
    fn rounds(&mut self, run: &mut Run<'_>) -> Result<End, EngineError> {
        if self.best() == Some(Cost::ZERO) {
            return Ok(End::Exhausted);
        }
        let mut team = team(self.problem);
        let mut nodes = FIRST_TURN;
        while !team.is_empty() {
            let mut at = 0;
            while at < team.len() {
                match self.turn(&team[at], nodes, run)? {
                    Turn::Over(end) => return Ok(end),
                    Turn::Better => {}
                    Turn::Again => at += 1,
                    Turn::Leave => drop(team.remove(at)),
                }
            }
            nodes = nodes.saturating_mul(GROWTH);
        }
        Ok(End::Incomplete)
    }

    /// What the best plan costs.
    fn best(&self) -> Option<Cost> {
        self.plans.last().and_then(|plan| plan.cost)
    }

    fn turn(
        &mut self,
        member: &Member,
        nodes: u64,
        run: &mut Run<'_>,
    ) -> Result<Turn, EngineError> {
        let name = member.listed.name;
        let nodes = (nodes / member.slow).max(1);
        let engine = member.listed.make(Settings {
            bound: self.best(),
            ..Settings::default()
        });
        let left = run
            .budget()
            .nodes
            .map(|all| all.saturating_sub(run.nodes()));
        let mut part = Run::limit(1).with_budget(Budget {
            time: run.time_left(),
            nodes: Some(left.map_or(nodes, |left| left.min(nodes))),
            memory: run.budget().memory,
        });
        if let Some(cancel) = run.cancel() {
            part = part.with_cancel(cancel.clone());
        }
        // The engine's estimate is shown, and the nodes of all turns.
        let before = run.nodes();
        let mut forward = |event: &Event| {
            if let Event::Progress { stage, nodes, best } = *event {
                let nodes = before + nodes;
                run.emit(Event::Progress { stage, nodes, best });
            }
        };
        part = part.with_observer(&mut forward);
        let result = engine.solve(self.problem, &mut part);
        let part = part.nodes();
        let spent = run.tick_many(part).and_then(|()| run.check());
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(EngineError::Unsupported(_)) => return Ok(Turn::Leave),
            Err(error) => return Err(error),
        };
        if let Some(found) = outcome.answers.first() {
            self.keep(found, name)?;
            return Ok(match self.best() {
                Some(Cost::ZERO) => Turn::Over(End::Exhausted),
                _ => Turn::Better,
            });
        }
        Ok(match outcome.end {
            End::Exhausted => Turn::Over(End::Exhausted),
            End::Stopped(Stop::Cancelled) => Turn::Over(End::Stopped(Stop::Cancelled)),
            _ if spent.is_err() => Turn::Over(spent.map_or_else(End::Stopped, |()| outcome.end)),
            End::Stopped(Stop::Nodes | Stop::Time) => Turn::Again,
            End::Stopped(Stop::Memory) | End::Incomplete | End::Enough => Turn::Leave,
        })
    }

    /// Judges a plan and shows it.
    fn keep(&mut self, found: &Derivation, by: &'static str) -> Result<(), EngineError> {
        let short = without_needless(self.problem, found);
        let plan = short.plan(self.problem)?;
        if let Err(broken) = verify(self.model, &plan) {
            return Err(EngineError::Internal(format!(
                "planner {by} found a wrong plan: {broken}"
            )));
        }
        if let (Some(cost), Some(best)) = (plan.cost, self.best())
            && cost >= best
        {
            return Err(EngineError::Internal(format!(
                "planner {by} was asked for a plan cheaper than {} and found one of {}",
                self.model.show_cost(best),
                self.model.show_cost(cost)
            )));
        }
        (self.tell)(&plan, by)?;
        self.plans.push(plan);
        Ok(())
    }
}

/// Those who can improve a plan of this kind of problem, and how much longer
/// than others a node of theirs takes.
fn team(problem: &Instance) -> Vec<Member> {
    let named: &[(&str, u64)] = match problem.root {
        _ if DeleteFree::fits(problem) => &[("delete-free", 1)],
        None => {
            let weighted = |weight| Member {
                listed: Listed::classical(Classical::weighted(weight)),
                slow: 1,
            };
            let optimal = Member {
                listed: Listed::classical(Classical::optimal()),
                slow: SLOW,
            };
            return vec![weighted(5), weighted(2), optimal, weighted(1)];
        }
        Some(_) if problem.ordered => &[("htn-ff", 1), ("htn-add", 1), ("htn-optimal", SLOW)],
        // Making the order total may order cheaper plans away, so only the last
        // can prove anything; what the others find still counts.
        Some(_) => &[
            ("linear-ff", 1),
            ("linear-add", 1),
            ("linear-optimal", SLOW),
            ("htn-partial-optimal", SLOW),
        ],
    };
    let mut list = list();
    let member = |&(name, slow): &(&str, u64)| {
        let place = list.iter().position(|it| it.name == name)?;
        let listed = list.swap_remove(place);
        Some(Member { listed, slow })
    };
    named.iter().filter_map(member).collect()
}
