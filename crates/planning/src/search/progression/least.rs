//! What is still to be paid at least, whatever is chosen.

use crate::ground::{Ground, Node};

use super::super::stacks::{Elements, Kind, StackId, Stacks};

/// The least any refinement of an element costs, preconditions aside.
pub(super) struct Least {
    tasks: Vec<u64>,
    actions: Vec<u64>,
}

impl Least {
    pub fn new(ground: &Ground) -> Least {
        let mut least = Least {
            tasks: vec![u64::MAX; ground.tasks.len()],
            actions: ground.actions.iter().map(|action| action.cost).collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for method in ground.methods.iter().rev() {
                let parts = method.subtasks.iter().map(|&node| least.node(node));
                let total = parts.fold(0, u64::saturating_add);
                let known = &mut least.tasks[method.task as usize];
                if total < *known {
                    *known = total;
                    changed = true;
                }
            }
        }
        least
    }

    fn node(&self, node: Node) -> u64 {
        match node {
            Node::Action(action) => self.actions[action as usize],
            Node::Task(task) => self.tasks[task as usize],
        }
    }

    /// The sum over a stack.
    pub fn of(&self, elements: Elements, stacks: &Stacks, stack: StackId) -> u64 {
        let parts = stacks
            .iter(stack)
            .map(|element| match elements.kind(element) {
                Kind::Action(action) => self.node(Node::Action(action)),
                Kind::Task(task) => self.node(Node::Task(task)),
                Kind::Method(_) => 0,
            });
        parts.fold(0, u64::saturating_add)
    }
}
