//! Planning as satisfiability without grounding, for hierarchical problems.
//!
//! As in Lilotane (Schreiber, "Lilotane: A Lifted SAT-based Approach to
//! Hierarchical Planning", JAIR 2021), a task in the tree is one task whatever
//! its arguments: these are variables of the formula, and nothing is
//! multiplied out but facts that may hold and that somebody asks for. `schema`
//! prepares the model, `tree` finds what may stand where in trees of a depth,
//! `encode` and `leaf` say so in clauses, and `read` reads the plan off an
//! assignment.
//!
//! Unlike Lilotane we begin again with every depth. What cannot be carried out
//! within the depth is then left out before anything is said of it, no layer
//! but the last says what holds, and of all formulas only one is kept.
//!
//! "No plan" is claimed only if a tree that leaves out nothing for its depth
//! has none. Where the order of subtasks is free they are carried out one after
//! the other, in one of few orders: that finds plans and proves nothing.

mod conditions;
mod domain;
mod encode;
mod facts;
mod leaf;
mod narrow;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod tree;
mod vars;

use planoku_constraints::sat::{Answer, Sat};
use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink, Stop};

use super::formula::Formula;
use crate::model::Model;
use crate::plan::Plan;
use encode::Encoding;
use facts::Facts;
use schema::Schemas;
use tree::Tree;

/// The planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiftedSat;

impl Engine<Model> for LiftedSat {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "lifted-sat",
            "decomposition trees with variables for arguments as a SAT formula",
        )
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let schemas = Schemas::new(model, run)?;
            let too_long = || EngineError::Unsupported("atoms too long to be packed".into());
            let mut facts = Facts::new(model).ok_or_else(too_long)?;
            if let Some(plan) = deepen(&schemas, &mut facts, run)? {
                found.push(plan)?;
                return Err(Leave::GaveUp);
            }
            Ok(())
        })
    }
}

/// A tree is asked about when it has grown by a fifth since the last: asking
/// costs as much as growing many.
const GROWTH: f64 = 1.2;

/// The conflicts after which a depth is left for the next, at first, and how
/// many times as many it is given when its turn comes again.
const CONFLICTS: u64 = 2_000;
const TIMES: u64 = 4;

/// How many depths are left open at a time: a deeper tree may have a plan that
/// is found sooner than that there is none in this one.
const OPEN: usize = 4;

/// What is known of the trees of a depth.
enum Asked {
    Plan(Plan),
    Never,
    GaveUp,
}

/// The first plan; `None` if there is none.
fn deepen(
    schemas: &Schemas<'_>,
    facts: &mut Facts,
    run: &mut Run<'_>,
) -> Result<Option<Plan>, Leave> {
    let Some(mut least) = schemas.height(schemas.start()) else {
        return Ok(None);
    };
    let mut conflicts = CONFLICTS;
    loop {
        let (mut depth, mut open, mut last) = (least, 0, 0.0);
        while open < OPEN {
            run.tick()?;
            let tree = Tree::grow(schemas, facts, depth, run)?;
            let (complete, size) = (tree.complete, tree.positions.len() as f64);
            let due = complete || size >= last * GROWTH;
            if tree.possible && !due {
                depth += 1;
                continue;
            }
            let asked = match tree.possible {
                true => {
                    last = size;
                    run.progress("lifted-sat", || Some(u64::from(depth)));
                    let alone = complete && open == 0;
                    ask(
                        schemas,
                        &tree,
                        if alone { u64::MAX } else { conflicts },
                        run,
                    )?
                }
                false => Asked::Never,
            };
            match asked {
                Asked::Plan(plan) => return Ok(Some(plan)),
                Asked::Never if complete && schemas.ordered => return Ok(None),
                // In another order there may be one.
                Asked::Never if complete => return Err(Leave::GaveUp),
                // Nor is there one in any less deep.
                Asked::Never => (least, open) = (depth + 1, 0),
                Asked::GaveUp if complete => break,
                Asked::GaveUp => open += 1,
            }
            depth += 1;
        }
        conflicts = conflicts.saturating_mul(TIMES);
    }
}

/// Looks for a plan among the trees of a depth.
fn ask(
    schemas: &Schemas<'_>,
    tree: &Tree<'_, '_>,
    conflicts: u64,
    run: &mut Run<'_>,
) -> Result<Asked, Leave> {
    let mut encoding = Encoding::new(schemas, tree, Formula::new(Sat::new(), false), run)?;
    let (variables, clauses) = encoding.formula.size();
    run.stats.add("variables", variables);
    run.stats.add("clauses", clauses);
    let sat = &mut encoding.formula.sat;
    match run.with_at_most(conflicts, |run| sat.solve(&[], run)) {
        Ok(Answer::Unsat) => Ok(Asked::Never),
        Ok(Answer::Sat) => {
            let wrong = || EngineError::Internal("an assignment that is no plan".into());
            let plan = read::read(&encoding).ok_or_else(wrong)?;
            Ok(Asked::Plan(plan))
        }
        // Whose limit it was, one finds out by asking.
        Err(Stop::Nodes) => {
            run.check()?;
            Ok(Asked::GaveUp)
        }
        Err(stop) => Err(stop.into()),
    }
}
