//! What the remaining tasks can still lead to.
//!
//! Only actions below the tasks that remain can ever be executed. Where these
//! are few compared with the whole problem, a relaxation of just them is both
//! smaller and sharper. A scope is such a part of the problem; nodes inherit
//! their parent's until theirs is half as large. At first a scope is a mask
//! over a larger relaxation, which makes it sharp; if it is asked for again
//! and again it gets a relaxation of its own, which makes it small too.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::charge::{Charge, Weight};
use crate::analysis::explore::Explorer;
use crate::analysis::relax::Relaxation;
use crate::ground::Node;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::world::World;

/// A relaxation and its working space.
pub(crate) struct Base<W> {
    pub(crate) relaxed: Arc<Relaxation<W>>,
    pub(crate) explorer: Explorer<W>,
    /// The state explored last, and in which scope.
    pub(crate) explored: Option<(u32, u32)>,
}

/// A part of the problem.
struct Scope {
    /// The relaxation it is explored in.
    base: usize,
    /// If that is larger than the scope: for each operator, how many literals
    /// it needs, or [`BLOCKED`].
    counts: Option<Vec<u32>>,
    size: usize,
    /// Nodes since somebody looked for a narrower scope in vain.
    idle: u32,
}

/// After looking in vain, this many nodes pass before the next look.
const PATIENCE: u32 = 4;

/// A scope is built when it has been looked for this often.
const WORTH_IT: u32 = 8;

/// Problems with fewer operators are not worth narrowing.
const SMALL: usize = 2000;
/// More scopes than this and all but the whole problem's are dropped.
const MANY: usize = 100;

/// The scopes of one problem. The first is the whole problem.
pub(crate) struct Scopes<W> {
    charge: Charge,
    bases: Vec<Base<W>>,
    scopes: Vec<Scope>,
    by_content: FxHashMap<u64, u32>,
    /// How often a scope of that content was looked for in vain.
    asked: FxHashMap<u64, u32>,
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

impl<W: Weight> Scopes<W> {
    /// The whole problem.
    pub(crate) fn new(world: &World, charge: Charge, whole: Arc<Relaxation<W>>) -> Scopes<W> {
        let whole = Base::new(whole);
        Scopes {
            charge,
            scopes: vec![Scope {
                base: 0,
                counts: None,
                size: whole.relaxed.charge.len(),
                idle: 0,
            }],
            bases: vec![whole],
            by_content: FxHashMap::default(),
            asked: FxHashMap::default(),
            age: 0,
            seen_tasks: vec![0; world.ground.tasks.len()],
            seen_actions: vec![0; world.ground.actions.len()],
            round: 0,
            work: 0,
        }
    }

    /// The relaxation of the whole problem.
    pub(crate) fn whole(&self) -> &Relaxation<W> {
        &self.bases[0].relaxed
    }

    /// Forgets which states were explored last.
    pub(crate) fn forget(&mut self) {
        self.bases.iter_mut().for_each(|base| base.explored = None);
    }

    /// Steps taken since the last call, explorations included.
    pub(crate) fn take_work(&mut self) -> u64 {
        let bases = self.bases.iter_mut();
        let inner: u64 = bases.map(|base| base.explorer.take_work()).sum();
        inner + std::mem::take(&mut self.work)
    }

    /// Where a scope is explored, and from which counts of needs.
    pub(crate) fn get(&mut self, id: ScopeId) -> (&mut Base<W>, Option<&[u32]>) {
        let scope = &self.scopes[self.place(id)];
        (&mut self.bases[scope.base], scope.counts.as_deref())
    }

    /// The same, to look at.
    pub(crate) fn peek(&self, id: ScopeId) -> &Base<W> {
        &self.bases[self.scopes[self.place(id)].base]
    }

    /// The number of a scope, that of the whole problem if it is stale.
    pub(crate) fn place(&self, id: ScopeId) -> usize {
        match id.age == self.age {
            true => id.number as usize,
            false => 0,
        }
    }

    /// The scope for what remains, given the one used before.
    pub(crate) fn narrow(
        &mut self,
        world: &World,
        elements: Elements,
        id: ScopeId,
        left: impl Iterator<Item = Element>,
    ) -> ScopeId {
        let place = self.place(id);
        let scope = &mut self.scopes[place];
        let size = scope.size;
        if size < SMALL || !scope.idle.is_multiple_of(PATIENCE) {
            scope.idle += 1;
            return id;
        }
        let (actions, methods) = self.below(world, elements, left);
        self.work += (actions.len() + 2 * methods.len()) as u64;
        if 2 * (actions.len() + methods.len()) > size {
            self.scopes[place].idle += 1;
            return id;
        }
        let content = actions
            .iter()
            .map(|&action| u64::from(action))
            .chain(methods.iter().map(|&method| u64::from(method) | 1 << 32))
            .fold(0u64, |sum, it| {
                sum.wrapping_add(
                    crate::state::hash::hash_words(&[it + 1]).wrapping_mul(0x9E37_79B9_7F4A_7C15),
                )
            });
        let asked = self.asked.entry(content).or_insert(0);
        *asked += 1;
        let worth_it = *asked == WORTH_IT;
        if let Some(&number) = self.by_content.get(&content)
            && !worth_it
        {
            return self.id(number);
        }
        let mut base = self.scopes[place].base;
        if self.scopes.len() > MANY {
            self.scopes.truncate(1);
            self.bases.truncate(1);
            // Numbers of scopes will be given out again.
            self.bases[0].explored = None;
            self.by_content.clear();
            self.asked.clear();
            self.age += 1;
            base = 0;
        }
        let scope = match worth_it {
            true => {
                self.work += 20 * (actions.len() + methods.len()) as u64;
                let relaxed = Relaxation::of(world, self.charge, &actions, &methods);
                self.bases.push(Base::new(Arc::new(relaxed)));
                Scope {
                    base: self.bases.len() - 1,
                    counts: None,
                    size: actions.len() + methods.len(),
                    idle: 0,
                }
            }
            false => Scope {
                base,
                counts: Some(self.bases[base].relaxed.counts_of(&actions, &methods)),
                size: actions.len() + methods.len(),
                idle: 0,
            },
        };
        let number = self.scopes.len() as u32;
        self.scopes.push(scope);
        self.by_content.insert(content, number);
        self.id(number)
    }

    fn id(&self, number: u32) -> ScopeId {
        ScopeId {
            age: self.age,
            number,
        }
    }

    /// Actions and methods below what remains.
    fn below(
        &mut self,
        world: &World,
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

impl<W: Weight> Base<W> {
    fn new(relaxed: Arc<Relaxation<W>>) -> Base<W> {
        Base {
            explorer: Explorer::new(&relaxed),
            explored: None,
            relaxed,
        }
    }
}
