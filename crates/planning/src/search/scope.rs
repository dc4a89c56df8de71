//! What the remaining tasks can still lead to.
//!
//! Only actions below the tasks that remain can ever be executed. Where these
//! are few compared with the whole problem, a relaxation of just them is both
//! smaller and sharper. A scope is such a relaxation with its working space;
//! nodes inherit their parent's until theirs is half as large.

use rustc_hash::FxHashMap;

use super::relax::{Charge, Explorer, Relaxation};
use super::stacks::{Element, Elements, Kind};
use super::world::World;
use crate::ground::Node;

/// A relaxation and its working space.
pub(crate) struct Scope {
    pub(crate) relaxed: Relaxation,
    pub(crate) explorer: Explorer,
    /// The state explored last.
    pub(crate) explored: Option<u32>,
    size: usize,
    /// Nodes since somebody looked for a narrower scope in vain.
    idle: u32,
}

/// After looking in vain, this many nodes pass before the next look.
const PATIENCE: u32 = 16;

/// Problems with fewer operators are not worth narrowing.
const SMALL: usize = 2000;
/// More scopes than this and all but the whole problem's are dropped.
const MANY: usize = 100;

/// The scopes of one problem. The first is the whole problem.
pub(crate) struct Scopes {
    charge: Charge,
    scopes: Vec<Scope>,
    by_content: FxHashMap<u64, u32>,
    /// Counts how often scopes were dropped; numbers carry it.
    age: u32,
    seen_tasks: Vec<u32>,
    seen_actions: Vec<u32>,
    round: u32,
    work: u64,
}

/// Names a scope; stale names mean the whole problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScopeId {
    age: u32,
    number: u32,
}

impl Scopes {
    /// The whole problem.
    pub(crate) fn new(world: &World<'_>, charge: Charge) -> Scopes {
        let relaxed = Relaxation::new(world, charge);
        let whole = Scope::new(relaxed);
        Scopes {
            charge,
            scopes: vec![whole],
            by_content: FxHashMap::default(),
            age: 0,
            seen_tasks: vec![0; world.ground.tasks.len()],
            seen_actions: vec![0; world.ground.actions.len()],
            round: 0,
            work: 0,
        }
    }

    /// Steps taken since the last call, explorations included.
    pub(crate) fn take_work(&mut self) -> u64 {
        let scopes = self.scopes.iter_mut();
        let inner: u64 = scopes.map(|scope| scope.explorer.take_work()).sum();
        inner + std::mem::take(&mut self.work)
    }

    /// The scope of that name.
    pub(crate) fn get(&mut self, id: ScopeId) -> &mut Scope {
        let number = match id.age == self.age {
            true => id.number,
            false => 0,
        };
        &mut self.scopes[number as usize]
    }

    /// The scope for what remains, given the one used before.
    pub(crate) fn narrow(
        &mut self,
        world: &World<'_>,
        elements: Elements,
        id: ScopeId,
        left: impl Iterator<Item = Element>,
    ) -> ScopeId {
        let scope = self.get(id);
        let size = scope.size;
        if size < SMALL || scope.idle % PATIENCE != 0 {
            scope.idle += 1;
            return id;
        }
        let (actions, methods) = self.below(world, elements, left);
        self.work += (actions.len() + 2 * methods.len()) as u64;
        if 2 * (actions.len() + methods.len()) > size {
            self.get(id).idle += 1;
            return id;
        }
        let content = actions
            .iter()
            .map(|&action| u64::from(action))
            .chain(methods.iter().map(|&method| u64::from(method) | 1 << 32))
            .fold(0u64, |sum, it| {
                sum.wrapping_add(super::hash_words(&[it + 1]).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            });
        if let Some(&number) = self.by_content.get(&content) {
            return ScopeId {
                age: self.age,
                number,
            };
        }
        if self.scopes.len() > MANY {
            self.scopes.truncate(1);
            self.by_content.clear();
            self.age += 1;
        }
        let number = self.scopes.len() as u32;
        let relaxed = Relaxation::of(world, self.charge, &actions, &methods);
        self.scopes.push(Scope::new(relaxed));
        self.by_content.insert(content, number);
        ScopeId {
            age: self.age,
            number,
        }
    }

    /// Actions and methods below what remains.
    fn below(
        &mut self,
        world: &World<'_>,
        elements: Elements,
        left: impl Iterator<Item = Element>,
    ) -> (Vec<u32>, Vec<u32>) {
        self.round += 1;
        let (mut actions, mut methods, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for element in left {
            match elements.kind(element) {
                Kind::Action(action) => open.push(Node::Action(action)),
                Kind::Task(task) => open.push(Node::Task(task)),
                Kind::Method(_) => {}
            }
        }
        let round = self.round;
        while let Some(node) = open.pop() {
            match node {
                Node::Action(action) => {
                    if std::mem::replace(&mut self.seen_actions[action as usize], round) != round {
                        actions.push(action);
                    }
                }
                Node::Task(task) => {
                    if std::mem::replace(&mut self.seen_tasks[task as usize], round) != round {
                        for &method in &world.ground.tasks[task as usize].methods {
                            methods.push(method);
                            let subtasks = &world.ground.methods[method as usize].subtasks;
                            open.extend_from_slice(subtasks);
                        }
                    }
                }
            }
        }
        (actions, methods)
    }
}

impl Scope {
    fn new(relaxed: Relaxation) -> Scope {
        Scope {
            explorer: Explorer::new(&relaxed),
            explored: None,
            size: relaxed.charge.len(),
            idle: 0,
            relaxed,
        }
    }
}
