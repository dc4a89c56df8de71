//! Which actions can be executed, without asking all of them.
//!
//! Each action is filed under the rarest fact it needs. A state then looks at
//! the files of the facts that hold, and checks the rest of the condition.

use rustc_hash::FxHashMap;

use crate::analysis::relax::Lists;
use crate::ground::{ActionIndex, FactIndex};
use crate::state::states::{has, ones};
use crate::state::world::World;

pub(crate) struct Applicable {
    /// Actions that need no fact to hold.
    always: Vec<ActionIndex>,
    /// For each fact, the actions filed under it.
    files: Lists,
}

impl Applicable {
    /// Files every action of a problem.
    pub(crate) fn new(world: &World) -> Applicable {
        let ground = &world.ground;
        let mut count = vec![0u32; ground.facts.len()];
        for action in &ground.actions {
            for &fact in &action.precondition.positive {
                count[fact as usize] += 1;
            }
        }
        let mut always = Vec::new();
        let mut files = vec![Vec::new(); ground.facts.len()];
        for (index, action) in ground.actions.iter().enumerate() {
            let needs = action.precondition.positive.iter();
            match needs.min_by_key(|&&fact| count[fact as usize]) {
                Some(&rarest) => files[rarest as usize].push(index as u32),
                None => always.push(index as u32),
            }
        }
        let mut lists = Lists::new();
        files.into_iter().for_each(|file| lists.push(file));
        Applicable {
            always,
            files: lists,
        }
    }

    /// The actions that can be executed in a state, ascending.
    pub(crate) fn list(&self, world: &World, state: &[u64], into: &mut Vec<ActionIndex>) {
        into.clear();
        let fits = |action: &&ActionIndex| world.applicable(**action, state);
        into.extend(self.always.iter().filter(fits));
        for fact in ones(world.facts(state)) {
            into.extend(self.files.get(fact).iter().filter(fits));
        }
        into.sort_unstable();
    }
}

/// The same for a few of all actions.
pub(crate) struct Few {
    always: Vec<ActionIndex>,
    /// Facts, and the actions filed under each.
    files: Vec<(FactIndex, Vec<ActionIndex>)>,
}

impl Few {
    /// Files these actions, each of which is given once.
    pub(crate) fn new(world: &World, actions: Vec<ActionIndex>) -> Few {
        let needs = |action: ActionIndex| {
            let action = &world.ground.actions[action as usize];
            action.precondition.positive.as_slice()
        };
        let mut count: FxHashMap<FactIndex, u32> = FxHashMap::default();
        for &fact in actions.iter().flat_map(|&it| needs(it)) {
            *count.entry(fact).or_default() += 1;
        }
        let mut filed = Vec::with_capacity(actions.len());
        let mut always = Vec::new();
        for action in actions {
            match needs(action).iter().min_by_key(|&fact| count[fact]) {
                Some(&rarest) => filed.push((rarest, action)),
                None => always.push(action),
            }
        }
        filed.sort_unstable();
        let mut files: Vec<(FactIndex, Vec<ActionIndex>)> = Vec::new();
        for (fact, action) in filed {
            match files.last_mut() {
                Some((last, file)) if *last == fact => file.push(action),
                _ => files.push((fact, vec![action])),
            }
        }
        Few { always, files }
    }

    /// Those that can be executed in a state, ascending.
    pub(crate) fn list(&self, world: &World, state: &[u64], into: &mut Vec<ActionIndex>) {
        into.clear();
        let fits = |action: &&ActionIndex| world.applicable(**action, state);
        into.extend(self.always.iter().filter(fits));
        for (_, file) in self.files.iter().filter(|(fact, _)| has(state, *fact)) {
            into.extend(file.iter().filter(fits));
        }
        into.sort_unstable();
    }

    /// How many files there are.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }
}
