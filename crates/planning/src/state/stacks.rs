//! What remains to be done, as hash-consed stacks.
//!
//! A stack is a number: 0 is empty, any other names an [`Element`] on top of a
//! smaller stack. The same sequence always gets the same number, so two search
//! nodes are equal when two pairs of numbers are, and a hundred nodes that
//! share a tail store it once.

use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Ground, MethodIndex, Node, TaskIndex};

/// One thing on a stack, packed into a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Element(pub(crate) u32);

/// What an [`Element`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Execute an action.
    Action(ActionIndex),
    /// Refine a task by any of its methods.
    Task(TaskIndex),
    /// A task stood here and was refined by this method: its precondition is
    /// still to be checked, its subtasks follow below.
    Method(MethodIndex),
}

/// How elements are numbered: actions, then tasks, then methods.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    actions: u32,
    tasks: u32,
}

impl Elements {
    /// The numbering for one problem.
    pub(crate) fn new(ground: &Ground) -> Elements {
        Elements {
            actions: ground.actions.len() as u32,
            tasks: ground.tasks.len() as u32,
        }
    }

    /// Packs.
    #[inline]
    pub(crate) fn pack(self, kind: Kind) -> Element {
        Element(match kind {
            Kind::Action(action) => action,
            Kind::Task(task) => self.actions + task,
            Kind::Method(method) => self.actions + self.tasks + method,
        })
    }

    /// Packs a subtask.
    #[inline]
    pub(crate) fn node(self, node: Node) -> Element {
        match node {
            Node::Action(action) => self.pack(Kind::Action(action)),
            Node::Task(task) => self.pack(Kind::Task(task)),
        }
    }

    /// Unpacks.
    #[inline]
    pub(crate) fn kind(self, element: Element) -> Kind {
        if element.0 < self.actions {
            Kind::Action(element.0)
        } else if element.0 < self.actions + self.tasks {
            Kind::Task(element.0 - self.actions)
        } else {
            Kind::Method(element.0 - self.actions - self.tasks)
        }
    }
}

/// The number of a stack.
pub(crate) type StackId = u32;

/// The empty stack.
pub(crate) const DONE: StackId = 0;

/// All stacks seen so far.
pub(crate) struct Stacks {
    nodes: Vec<(Element, StackId)>,
    index: FxHashMap<(Element, StackId), StackId>,
}

impl Stacks {
    /// Knows the empty stack only.
    pub(crate) fn new() -> Stacks {
        Stacks {
            nodes: vec![(Element(u32::MAX), DONE)],
            index: FxHashMap::default(),
        }
    }

    /// The stack with `element` on top of `below`.
    #[inline]
    pub(crate) fn push(&mut self, element: Element, below: StackId) -> StackId {
        let next = self.nodes.len() as StackId;
        let id = *self.index.entry((element, below)).or_insert(next);
        if id == next {
            self.nodes.push((element, below));
        }
        id
    }

    /// The top element and the stack below it; `None` if empty.
    #[inline]
    pub(crate) fn pop(&self, stack: StackId) -> Option<(Element, StackId)> {
        (stack != DONE).then(|| self.nodes[stack as usize])
    }

    /// Top to bottom.
    pub(crate) fn iter(&self, mut stack: StackId) -> impl Iterator<Item = Element> + '_ {
        std::iter::from_fn(move || {
            let (element, below) = self.pop(stack)?;
            stack = below;
            Some(element)
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.nodes.capacity() * 8 + self.index.capacity() * 13) as u64
    }
}
