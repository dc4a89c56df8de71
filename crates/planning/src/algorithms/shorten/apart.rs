//! One variable at a time done anew, and given to somebody else.
//!
//! A window shows a short time of the plan, and all that happens in it; here it is
//! the other way round: all of the plan, but only a few variables, while everything
//! else goes on as it did (`spaces::weave`).
//!
//! First one variable alone, with what is changed along with it: a truck may find a
//! shorter way. Then it is left out, as if it were of no concern, and whoever helped
//! it need not do so any more; what that saves may be spent on another way, with the
//! help of each of those who could: a parcel changes trucks.
//!
//! Large neighbourhoods that are destroyed and repaired are Shaw's ("Using constraint
//! programming and local search methods to solve vehicle routing problems", 1998).

use planoku_engine::{Leave, Run};

use super::narrow::Narrow;
use super::{Shortening, Sweep, cheapest_first};
use crate::algorithms::best_first::BestFirst;
use crate::algorithms::strategy::Strategy;
use crate::cost::Cost;
use crate::ground::finite::{FiniteIndex, FiniteVariables};
use crate::ground::{ActionIndex, Condition, FactIndex};
use crate::spaces::applicable::Few;
use crate::spaces::weave::{Rest, Row, Weave};
use crate::state::stacks::Element;
use crate::state::states::clear;
use crate::state::world::World;

/// More actions than this change a variable that is not looked at.
const MANY_ACTIONS: usize = 20_000;

/// No more variables are free because they are changed along with the one looked
/// at, or helped it in the plan.
const MANY_COMPANIONS: usize = 60;
const MANY_HELPERS: usize = 4;

/// Nodes that are made in the first round, at most.
const FIRST_NODES: u64 = 2_000;

/// A variable, and whom it has to do with.
struct Parts {
    variable: FiniteIndex,
    /// The variable, and what is changed along with it.
    own: Vec<FiniteIndex>,
    /// What must have some value for it to be changed.
    helpers: Vec<FiniteIndex>,
    /// Of these, whose help the plan makes use of.
    used: Vec<FiniteIndex>,
}

impl<'a> Shortening<'a> {
    /// Looks at the next variable of a sweep.
    pub(super) fn look_apart(&mut self, sweep: &mut Sweep, run: &mut Run<'_>) -> Result<(), Leave> {
        let variables = self.instance.variables(run)?;
        let narrow = match self.narrow.take() {
            Some(narrow) => narrow,
            None => Narrow::new(self.instance, run)?,
        };
        let variable = sweep.from as FiniteIndex;
        let improved = match sweep.from < variables.list.len() {
            true => self.improve_apart(&narrow, variables, variable, sweep, run),
            false => Ok(None),
        };
        self.narrow = Some(narrow);
        match improved? {
            Some(plan) => {
                let trace = plan.into_iter().map(Element).collect();
                self.take(trace, run)?;
                self.cut(run)?;
            }
            None if sweep.from >= variables.list.len() => sweep.end(self.course.cost()),
            None => sweep.from += 1,
        }
        Ok(())
    }

    /// A cheaper plan that changes a variable in another way, if there is one.
    fn improve_apart(
        &mut self,
        narrow: &Narrow<'a>,
        variables: &FiniteVariables,
        variable: FiniteIndex,
        sweep: &Sweep,
        run: &mut Run<'_>,
    ) -> Result<Option<Vec<ActionIndex>>, Leave> {
        let plan: Vec<ActionIndex> = self.course.trace.iter().map(|&Element(it)| it).collect();
        let Some(parts) = self.parts(narrow, variables, variable, &plan, run)? else {
            return Ok(None);
        };
        let search = Search {
            shortening: self,
            narrow,
            variables,
            sharing: sharing(self.world, narrow, variables, &parts, &plan, run)?,
            parts: &parts,
            nodes: FIRST_NODES * 3u64.pow(sweep.round),
            bound: self.course.cost(),
        };
        let goal = &self.world.ground.goal;
        if let Some(cheaper) = search.find(&plan, &parts.own, None, goal, run)? {
            return Ok(Some(cheaper));
        }
        if parts.used.len() > MANY_HELPERS {
            return Ok(None);
        }
        let other = |fact: &FactIndex| variables.places[*fact as usize].0 != variable;
        let without = Condition {
            positive: goal.positive.iter().copied().filter(other).collect(),
            negative: goal.negative.iter().copied().filter(other).collect(),
        };
        let free = [&*parts.own, &*parts.used].concat();
        let left_out = Some(parts.variable);
        let Some(rest) = search.find(&plan, &free, left_out, &without, run)? else {
            return Ok(None);
        };
        for &helper in &parts.helpers {
            let free = [&*parts.own, &[helper]].concat();
            let found = search.find(&rest, &free, None, goal, run)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Whom a variable has to do with; `None` if the plan does not change it, or
    /// too much does.
    fn parts(
        &self,
        narrow: &Narrow<'a>,
        variables: &FiniteVariables,
        variable: FiniteIndex,
        plan: &[ActionIndex],
        run: &mut Run<'_>,
    ) -> Result<Option<Parts>, Leave> {
        let by = narrow.touching.get(variable);
        run.effort(1 + plan.len() as u64 / 4)?;
        let changes = |&&action: &&ActionIndex| narrow.changes.get(action).contains(&variable);
        let steps: Vec<ActionIndex> = plan.iter().filter(changes).copied().collect();
        if steps.is_empty() || by.len() > MANY_ACTIONS {
            return Ok(None);
        }
        run.effort(8 * by.len() as u64)?;
        let mut own = self.changed_by(narrow, by);
        if own.len() > MANY_COMPANIONS {
            own = self.changed_by(narrow, &steps);
        }
        if own.len() > MANY_COMPANIONS {
            return Ok(None);
        }
        let helping = |actions: &[ActionIndex]| {
            let needs = actions.iter().flat_map(|&action| {
                let action = &self.world.ground.actions[action as usize];
                let own = &action.precondition;
                own.positive.iter().chain(&own.negative)
            });
            let needs = needs.map(|&fact| variables.places[fact as usize].0);
            let mut needs: Vec<FiniteIndex> = needs.collect();
            needs.sort_unstable();
            needs.dedup();
            needs.retain(|it| own.binary_search(it).is_err());
            needs
        };
        Ok(Some(Parts {
            variable,
            helpers: helping(by),
            used: helping(&steps),
            own,
        }))
    }

    /// The variables that some of these actions change, ascending.
    fn changed_by(&self, narrow: &Narrow<'a>, actions: &[ActionIndex]) -> Vec<FiniteIndex> {
        let changed = actions.iter().flat_map(|&it| narrow.changes.get(it));
        let mut changed: Vec<FiniteIndex> = changed.copied().collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// How a plan is searched for in which most stays as it is.
struct Search<'s, 'a> {
    shortening: &'s Shortening<'a>,
    narrow: &'s Narrow<'a>,
    variables: &'s FiniteVariables,
    parts: &'s Parts,
    sharing: Vec<ActionIndex>,
    nodes: u64,
    bound: Cost,
}

impl Search<'_, '_> {
    /// A plan below the bound that leads to a goal, in which variables that are not
    /// `free` have the values they have in this plan, one after the other, and the
    /// one left out keeps its own.
    fn find(
        &self,
        plan: &[ActionIndex],
        free: &[FiniteIndex],
        left_out: Option<FiniteIndex>,
        goal: &Condition,
        run: &mut Run<'_>,
    ) -> Result<Option<Vec<ActionIndex>>, Leave> {
        let world = self.shortening.world;
        let mut is_free = vec![false; self.variables.list.len()];
        free.iter().for_each(|&it| is_free[it as usize] = true);
        let mut mask = vec![u64::MAX; world.words];
        for &variable in free {
            let facts = &self.variables.list[variable as usize].facts;
            facts.iter().for_each(|&fact| clear(&mut mask, fact));
        }
        run.effort((is_free.len() / 16 + plan.len() * (4 + world.words)) as u64)?;
        let touches = |action: ActionIndex| {
            let changed = self.narrow.changes.get(action);
            changed.iter().any(|&it| is_free[it as usize])
        };
        let omits = |action: ActionIndex| {
            left_out.is_some_and(|it| self.narrow.changes.get(action).contains(&it))
        };
        let row = Row::of(world, plan, mask, touches, omits);
        let few = self.candidates(plan, free, &is_free, left_out, run)?;
        let strategy = Strategy {
            admissible: false,
            ..cheapest_first(self.nodes, self.bound)
        };
        let space = Weave::new(world, &row, &few, goal);
        let mut way = None;
        let mut search = BestFirst::new(strategy, space, Box::new(Rest(&row)), None);
        let ended = search.run(run, &mut |_, steps| {
            way = Some(steps.iter().map(|&&step| step).collect());
            Err(Leave::Enough)
        });
        match ended {
            Ok(()) | Err(Leave::GaveUp | Leave::Enough) => Ok(way),
            Err(other) => Err(other),
        }
    }

    /// Steps that change nothing that is free, what shares the variable's changes,
    /// and what changes nothing but what is free.
    fn candidates(
        &self,
        plan: &[ActionIndex],
        free: &[FiniteIndex],
        is_free: &[bool],
        left_out: Option<FiniteIndex>,
        run: &mut Run<'_>,
    ) -> Result<Few, Leave> {
        let changes = |action: ActionIndex| self.narrow.changes.get(action);
        let touches = |action| changes(action).iter().any(|&it| is_free[it as usize]);
        let mut few: Vec<ActionIndex> = plan.to_vec();
        few.retain(|&it| !touches(it));
        let keeps =
            |&&action: &&ActionIndex| left_out.is_none_or(|it| !changes(action).contains(&it));
        few.extend(self.sharing.iter().filter(keeps));
        let own = &self.parts.own;
        for &variable in free.iter().filter(|it| own.binary_search(it).is_err()) {
            let touching = self.narrow.touching.get(variable);
            run.effort(touching.len() as u64)?;
            let only = |&&it: &&ActionIndex| changes(it).iter().all(|&it| is_free[it as usize]);
            few.extend(touching.iter().filter(only).filter(keeps));
        }
        few.sort_unstable();
        few.dedup();
        run.effort(40 * few.len() as u64)?;
        Ok(Few::new(self.shortening.world, few))
    }
}

/// The actions that change a variable or what is changed along with it, and
/// otherwise no more than steps of the plan do, or who helps.
fn sharing(
    world: &World,
    narrow: &Narrow<'_>,
    variables: &FiniteVariables,
    parts: &Parts,
    plan: &[ActionIndex],
    run: &mut Run<'_>,
) -> Result<Vec<ActionIndex>, Leave> {
    let facts = world.ground.facts.len();
    run.effort(facts as u64 / 8 + 4 * plan.len() as u64)?;
    // Made true by some step, and made false.
    let mut known = vec![(false, false); facts];
    for &action in plan {
        let action = &world.ground.actions[action as usize];
        action
            .add
            .iter()
            .for_each(|&it| known[it as usize].0 = true);
        let deleted = action.delete.iter();
        deleted.for_each(|&it| known[it as usize].1 = true);
    }
    for &variable in parts.own.iter().chain(&parts.helpers) {
        for &fact in &variables.list[variable as usize].facts {
            known[fact as usize] = (true, true);
        }
    }
    let mut sharing = Vec::new();
    for &variable in &parts.own {
        let touching = narrow.touching.get(variable);
        run.effort(4 * touching.len() as u64)?;
        sharing.extend(touching.iter().filter(|&&action| {
            let action = &world.ground.actions[action as usize];
            action.add.iter().all(|&it| known[it as usize].0)
                && action.delete.iter().all(|&it| known[it as usize].1)
        }));
    }
    sharing.sort_unstable();
    sharing.dedup();
    Ok(sharing)
}
