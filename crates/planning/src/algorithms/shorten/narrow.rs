//! What else could be done in a window without touching anything new.
//!
//! From most states very much can be done, and a small search that may do all of
//! it sees two or three steps ahead. Who changes nothing but the variables that
//! the window's own steps change has few choices and sees far: another way for
//! the same trucks with the same cargo.

use planoku_engine::{Run, Stop};

use crate::analysis::relax::Lists;
use crate::ground::finite::FiniteVariables;
use crate::ground::{ActionIndex, GroundAction};
use crate::instance::Instance;
use crate::spaces::applicable::Few;
use crate::state::world::World;

/// Knows which actions change which variables.
pub(super) struct Narrow<'a> {
    world: &'a World,
    /// For each action, the variables it changes.
    pub(super) changes: Lists,
    /// For each variable, the actions that change it.
    pub(super) touching: Lists,
    /// For each variable, actions that change it: each action is filed under
    /// that which the fewest change.
    files: Lists,
    /// In which round a variable was chosen.
    chosen: Vec<u32>,
    round: u32,
}

impl<'a> Narrow<'a> {
    pub(super) fn new(instance: &'a Instance, run: &mut Run<'_>) -> Result<Narrow<'a>, Stop> {
        let variables = instance.variables(run)?;
        run.effort(2 * instance.size())?;
        let mut changes = Lists::new();
        for action in &instance.actions {
            changes.push(changed(action, variables));
        }
        let count = variables.list.len();
        let touching = changes.inverted(count);
        let actions = 0..instance.actions.len() as u32;
        let mut rarest = Lists::new();
        for action in actions {
            let own = changes.get(action).iter().copied();
            rarest.push(own.min_by_key(|&it| touching.get(it).len()));
        }
        Ok(Narrow {
            world: &instance.world,
            files: rarest.inverted(count),
            changes,
            touching,
            chosen: vec![0; count],
            round: 0,
        })
    }

    /// The actions that change no variable that these do not.
    pub(super) fn around(
        &mut self,
        steps: impl Iterator<Item = ActionIndex>,
        run: &mut Run<'_>,
    ) -> Result<Few, Stop> {
        self.round += 1;
        let mut open = Vec::new();
        for step in steps {
            for &variable in self.changes.get(step) {
                let known = std::mem::replace(&mut self.chosen[variable as usize], self.round);
                if known != self.round {
                    open.push(variable);
                }
            }
        }
        let mut few = Vec::new();
        for variable in open {
            let file = self.files.get(variable);
            run.effort(1 + file.len() as u64)?;
            few.extend(file.iter().filter(|&&action| {
                let changed = self.changes.get(action).iter();
                let mut changed = changed.map(|&it| self.chosen[it as usize]);
                changed.all(|round| round == self.round)
            }));
        }
        run.effort(4 * few.len() as u64)?;
        Ok(Few::new(self.world, few))
    }
}

/// The variables an action may change, ascending.
fn changed(action: &GroundAction, variables: &FiniteVariables) -> Vec<u32> {
    let effects = action.conditional.iter();
    let effects = effects.flat_map(|it| it.add.iter().chain(&it.delete));
    let facts = action.add.iter().chain(&action.delete).chain(effects);
    let changed = facts.map(|&fact| variables.places[fact as usize].0);
    let mut changed: Vec<u32> = changed.collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}
