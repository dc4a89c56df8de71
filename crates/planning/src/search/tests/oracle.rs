//! The slow, obvious search: breadth first over states and lists of tasks.

use std::collections::{HashSet, VecDeque};

use crate::ground::{Ground, Node};

use super::judge::holds;

/// The length of a shortest plan of a totally ordered problem, `Some(None)` if
/// there is none, `None` if more than `limit` nodes would be needed to know.
pub fn shortest_ordered(ground: &Ground, limit: usize) -> Option<Option<usize>> {
    let mut state = vec![false; ground.facts.len()];
    ground
        .init
        .iter()
        .for_each(|&fact| state[fact as usize] = true);
    let start = (state, vec![Node::Task(ground.root?)]);
    let mut seen = HashSet::from([start.clone()]);
    // Refinements cost nothing and go to the front, actions one.
    let mut queue = VecDeque::from([(0, start)]);
    let mut done = HashSet::new();
    while let Some((length, (state, mut todo))) = queue.pop_front() {
        if !done.insert((state.clone(), todo.clone())) {
            continue;
        }
        if done.len() > limit || todo.len() > 40 {
            return None;
        }
        match todo.pop() {
            None if holds(&ground.goal, &state) => return Some(Some(length)),
            None => {}
            Some(Node::Action(action)) => {
                let action = &ground.actions[action as usize];
                if holds(&action.precondition, &state) {
                    let mut state = state;
                    action
                        .delete
                        .iter()
                        .for_each(|&fact| state[fact as usize] = false);
                    action
                        .add
                        .iter()
                        .for_each(|&fact| state[fact as usize] = true);
                    queue.push_back((length + 1, (state, todo)));
                }
            }
            Some(Node::Task(task)) => {
                for &method in &ground.tasks[task as usize].methods {
                    let method = &ground.methods[method as usize];
                    if holds(&method.precondition, &state) {
                        let mut todo = todo.clone();
                        todo.extend(method.subtasks.iter().rev());
                        let next = (state.clone(), todo);
                        seen.insert(next.clone());
                        queue.push_front((length, next));
                    }
                }
            }
        }
    }
    Some(None)
}
