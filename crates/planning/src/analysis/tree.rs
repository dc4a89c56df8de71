//! How a state finds the part of a divided problem that it belongs to: from
//! fork to fork, each looking at one variable.

use crate::ground::finite::FiniteIndex;

/// No variable: the way ends.
const END: FiniteIndex = FiniteIndex::MAX;

/// Forks on the values of variables, and parts at their ends.
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Where a value leads to, for all forks one after the other.
    ways: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Node {
    variable: FiniteIndex,
    /// Where the ways of a fork begin, or the part at an end.
    first: u32,
}

impl Tree {
    /// A tree that has not forked: all is this part.
    pub(crate) fn leaf(part: u32) -> Tree {
        let (variable, first) = (END, part);
        Tree {
            nodes: vec![Node { variable, first }],
            ways: Vec::new(),
        }
    }

    /// The part of a state.
    #[inline]
    pub(crate) fn find(&self, values: &[u32]) -> u32 {
        let mut node = self.nodes[0];
        while node.variable != END {
            let way = node.first + values[node.variable as usize];
            node = self.nodes[self.ways[way as usize] as usize];
        }
        node.first
    }

    /// Forks an end by a variable of this size: to the second part if its value
    /// is one of these, to the first with all others. Returns both new ends.
    pub(crate) fn fork(
        &mut self,
        end: u32,
        variable: FiniteIndex,
        size: u32,
        values: &[u32],
        parts: [u32; 2],
    ) -> [u32; 2] {
        let ends = [0, 1].map(|it| self.nodes.len() as u32 + it);
        let first = self.ways.len() as u32;
        self.nodes[end as usize] = Node { variable, first };
        let way = |value: u32| ends[usize::from(values.contains(&value))];
        self.ways.extend((0..size).map(way));
        let variable = END;
        let new = parts.map(|first| Node { variable, first });
        self.nodes.extend(new);
        ends
    }

    /// Gives each part another number.
    pub(crate) fn rename(&mut self, numbers: &[u32]) {
        for node in self.nodes.iter_mut().filter(|node| node.variable == END) {
            node.first = numbers[node.first as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn a_state_goes_at_each_fork_where_its_value_leads() {
        // 0 is divided by the first variable, its rest by the second.
        let mut tree = Tree::leaf(0);
        assert_eq!(tree.find(&[2, 1]), 0);
        let [rest, _] = tree.fork(0, 0, 3, &[1, 2], [0, 1]);
        tree.fork(rest, 1, 2, &[1], [0, 2]);
        let found = [[0, 0], [0, 1], [1, 0], [2, 1]].map(|values| tree.find(&values));
        assert_eq!(found, [0, 2, 1, 1]);
        tree.rename(&[7, 8, 9]);
        assert_eq!(tree.find(&[0, 1]), 9);
    }
}
