//! What is still to be paid at least, whatever is chosen.

use crate::cost::{Cost, Distance};
use crate::ground::{Ground, Node};

use crate::state::stacks::{Element, Elements, Kind, StackId, Stacks};

/// The least any refinement of an element costs, preconditions aside.
pub(crate) struct Least {
    /// [`Distance::Dead`] where there is no refinement that ends.
    tasks: Vec<Distance>,
    actions: Vec<Cost>,
}

impl Least {
    pub(crate) fn new(ground: &Ground) -> Least {
        let mut least = Least {
            tasks: vec![Distance::Dead; ground.tasks.len()],
            actions: ground.actions.iter().map(|action| action.cost).collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for method in ground.methods.iter().rev() {
                let total = sum(method.subtasks.iter().map(|&node| least.node(node)));
                let known = &mut least.tasks[method.task as usize];
                if total < *known {
                    *known = total;
                    changed = true;
                }
            }
        }
        least
    }

    /// What an element costs at least.
    pub(crate) fn of_element(&self, elements: Elements, element: Element) -> Distance {
        match elements.kind(element) {
            Kind::Action(action) => self.node(Node::Action(action)),
            Kind::Task(task) => self.node(Node::Task(task)),
            Kind::Method(_) => Distance::Left(Cost::ZERO),
        }
    }

    /// The sum over what is left, no two of which can share what they cost.
    pub(crate) fn of_all(
        &self,
        elements: Elements,
        left: impl Iterator<Item = Element>,
    ) -> Distance {
        sum(left.map(|element| self.of_element(elements, element)))
    }

    fn node(&self, node: Node) -> Distance {
        match node {
            Node::Action(action) => Distance::Left(self.actions[action as usize]),
            Node::Task(task) => self.tasks[task as usize],
        }
    }

    /// The sum over a stack.
    pub(crate) fn of(&self, elements: Elements, stacks: &Stacks, stack: StackId) -> Distance {
        self.of_all(elements, stacks.iter(stack))
    }
}

/// A tree of tasks may hold more actions than any plan could: what all of them
/// cost is a bound from below, cut where numbers end.
fn sum(parts: impl Iterator<Item = Distance>) -> Distance {
    let mut total = Cost::ZERO;
    for part in parts {
        match part {
            Distance::Left(cost) => total = total.saturating_add(cost),
            Distance::Dead => return Distance::Dead,
        }
    }
    Distance::Left(total)
}
