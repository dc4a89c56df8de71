//! From the order in which a search chose to the tree it built.
//!
//! Progression removes elements from the front of the network, each method
//! before its subtasks and those from left to right. So the sequence of
//! methods and actions removed *is* the decomposition tree in preorder, and no
//! search node needs to store more of it.

use crate::ground::{Derivation, Ground, Refinement};

use crate::state::stacks::{Element, Elements, Kind};

/// The tree whose preorder is `trace`: methods and actions only.
pub(crate) fn derivation(ground: &Ground, trace: &[Element]) -> Derivation {
    let elements = Elements::new(ground);
    let mut derivation = Derivation::default();
    // Refinements that still wait for children, innermost last.
    let mut open: Vec<usize> = Vec::new();
    for (node, &element) in trace.iter().enumerate() {
        let node = node as u32;
        if let Some(&parent) = open.last() {
            let parent = &mut derivation.refinements[parent];
            parent.children.push(node);
            if parent.children.len() == ground.methods[parent.method as usize].subtasks.len() {
                open.pop();
            }
        }
        match elements.kind(element) {
            Kind::Action(action) => derivation.steps.push((node, action)),
            Kind::Method(method) => {
                if !ground.methods[method as usize].subtasks.is_empty() {
                    open.push(derivation.refinements.len());
                }
                derivation.refinements.push(Refinement {
                    node,
                    method,
                    children: Vec::new(),
                });
            }
            Kind::Task(_) => unreachable!("a trace holds no unrefined task"),
        }
    }
    derivation
}
