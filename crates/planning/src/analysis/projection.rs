//! The problem without its tasks: facts, and actions that may be executed in
//! any order.
//!
//! Three things are kept of the tasks. What remains of them is a set of facts
//! and actions ([promises](super::promises)). What precedes an action in every
//! method that has it is part of its precondition. And what can always be done
//! is free: an action that needs nothing marks or unmarks something, and how
//! much there is of it says how a model was written, not how far it is. That
//! something is not marked is no condition, as long as it can be unmarked so.

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::analysis::landmarks::landmarks_among;
use crate::analysis::promises::Promises;
use crate::analysis::relax::Relaxation;
use crate::cost::Cost;
use crate::ground::{ActionIndex, Ground, GroundAction, MethodIndex, Node, TaskIndex};
use crate::state::states::{has, set};
use crate::state::world::World;

/// The problem without tasks, and its relaxation.
pub(crate) struct Projection {
    pub(crate) world: World,
    pub(crate) relaxed: Relaxation<u32>,
    promises: Promises,
}

impl Projection {
    /// The projection of a problem.
    pub(crate) fn new(whole: &World, run: &mut Run<'_>) -> Result<Projection, Stop> {
        let whole_ground = &whole.ground;
        let promises = Promises::new(whole, run)?;
        let mut actions = whole_ground.actions.clone();
        let all_free = actions.iter().all(GroundAction::is_free);
        let mut unmarked = vec![0; whole.fact_words];
        for action in actions.iter().filter(|it| it.is_free()) {
            action.delete.iter().for_each(|&it| set(&mut unmarked, it));
        }
        for (action, before) in actions.iter_mut().zip(&promises.before) {
            let free = !all_free && action.is_free();
            action.cost = Cost::from(u64::from(!free));
            let facts = &mut action.precondition.positive;
            facts.extend_from_slice(before);
            facts.sort_unstable();
            facts.dedup();
            let negative = &mut action.precondition.negative;
            negative.retain(|&fact| !has(&unmarked, fact));
        }
        let world = World::new(Ground {
            facts: whole_ground.facts.clone(),
            actions,
            axioms: whole_ground.axioms.clone(),
            init: whole_ground.init.clone(),
            goal: whole_ground.goal.clone(),
            numbers: whole_ground.numbers.clone(),
            ..Ground::default()
        });
        let relaxed = Relaxation::with_executed(&world, Charge::cost(&world.ground));
        Ok(Projection {
            world,
            relaxed,
            promises,
        })
    }

    /// The literals of what a task promises.
    pub(crate) fn of_task(&self, task: TaskIndex) -> impl Iterator<Item = u32> + '_ {
        let promised = self.promises.tasks[task as usize].iter();
        promised.map(|&it| match it.checked_sub(self.relaxed.facts) {
            Some(action) => self.relaxed.node(Node::Action(action)),
            None => it,
        })
    }

    /// Actions that are not free and that are part of a method however it is
    /// refined.
    pub(crate) fn of_method(&self, method: MethodIndex) -> impl Iterator<Item = ActionIndex> + '_ {
        let actions = self.promises.methods[method as usize].iter().copied();
        actions.filter(|&it| self.world.ground.actions[it as usize].cost != Cost::ZERO)
    }

    /// Facts that do not hold at the start and that every plan makes true,
    /// judging by what the root task promises; `None` if there are too many
    /// facts to look, or something cannot be reached.
    pub(crate) fn landmarks(
        &self,
        root: TaskIndex,
        run: &mut Run<'_>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let facts = self.relaxed.facts;
        let promised = self.of_task(root).filter(|&literal| literal < facts);
        let mut goals: Vec<u32> = promised.collect();
        goals.extend_from_slice(&self.world.ground.goal.positive);
        let start = self.world.initial();
        landmarks_among(&self.relaxed, facts as usize, &start, &goals, run)
    }
}
