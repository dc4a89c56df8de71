//! What the refinements of tasks can begin with, and which can come to nothing.

use crate::analysis::empty::may_be_empty;
use crate::ground::{ActionIndex, Condition, Ground, Node};
use crate::state::world::World;

/// Of more actions than this that something may begin with, none is known.
const MANY: usize = 64;

/// For the methods of a problem, how their refinements begin.
pub(super) struct Corners {
    /// For each method, whether its refinement may have no action.
    pub(super) may_be_empty: Vec<bool>,
    /// For each task the same.
    pub(super) task_may_be_empty: Vec<bool>,
    /// For each method, whether its condition has to be waited for: because it
    /// does not always hold, or because something below it may come to nothing
    /// where a condition holds, and must not do so before the method begins.
    pub(super) waits: Vec<bool>,
    /// For each method, the actions that may come first, if they are few.
    first: Vec<Option<Vec<ActionIndex>>>,
}

impl Corners {
    /// For one problem; actions are looked for only where that is asked for.
    pub(super) fn new(ground: &Ground, with_actions: bool) -> Corners {
        let (may_be_empty, task_may_be_empty) = may_be_empty(ground);
        let mut it = Corners {
            waits: waits(ground, &may_be_empty),
            may_be_empty,
            task_may_be_empty,
            first: Vec::new(),
        };
        if with_actions {
            it.find_first(ground);
        }
        it
    }

    /// False if the refinement of this method cannot begin with an action that
    /// can be executed in the state.
    pub(super) fn may_begin(&self, world: &World, method: u32, state: &[u64]) -> bool {
        match self.first.get(method as usize) {
            Some(Some(actions)) => actions.iter().any(|&it| world.applicable(it, state)),
            _ => true,
        }
    }

    fn find_first(&mut self, ground: &Ground) {
        // The subtasks that may come first, for each method.
        let heads: Vec<Vec<Node>> = ground
            .methods
            .iter()
            .map(|method| {
                let count = method.subtasks.len();
                let mut waits = vec![false; count];
                for place in crate::graph::arrange(count, &method.ordering, |_| 0) {
                    let passed = match method.subtasks[place] {
                        Node::Action(_) => false,
                        Node::Task(task) => self.task_may_be_empty[task as usize],
                    };
                    if waits[place] || !passed {
                        let place = place as u32;
                        let later = method.ordering.iter().filter(|pair| pair.0 == place);
                        later.for_each(|pair| waits[pair.1 as usize] = true);
                    }
                }
                let heads = (0..count).filter(|&place| !waits[place]);
                heads.map(|place| method.subtasks[place]).collect()
            })
            .collect();
        let mut users = vec![Vec::new(); ground.tasks.len()];
        for (method, heads) in heads.iter().enumerate() {
            for &node in heads {
                if let Node::Task(task) = node {
                    users[task as usize].push(method);
                }
            }
        }
        let mut tasks: Vec<Option<Vec<ActionIndex>>> = vec![Some(Vec::new()); ground.tasks.len()];
        let mut methods: Vec<Option<Vec<ActionIndex>>> =
            vec![Some(Vec::new()); ground.methods.len()];
        let mut open: Vec<usize> = (0..ground.methods.len()).collect();
        while let Some(index) = open.pop() {
            let Some(own) = &mut methods[index] else {
                continue;
            };
            for &node in &heads[index] {
                match node {
                    Node::Action(action) => own.push(action),
                    Node::Task(task) => match &tasks[task as usize] {
                        Some(actions) => own.extend(actions),
                        None => own.extend(0..=MANY as u32),
                    },
                }
            }
            own.sort_unstable();
            own.dedup();
            let many = own.len() > MANY;
            let task = ground.methods[index].task as usize;
            let Some(all) = &mut tasks[task] else {
                if many {
                    methods[index] = None;
                }
                continue;
            };
            let before = all.len();
            all.extend(own.iter());
            all.sort_unstable();
            all.dedup();
            let (grown, full) = (all.len() > before, all.len() > MANY);
            if many {
                methods[index] = None;
            }
            if full {
                tasks[task] = None;
            }
            if grown || full {
                open.extend(&users[task]);
            }
        }
        self.first = methods;
    }
}

/// For each method, whether its condition has to be waited for.
fn waits(ground: &Ground, may_be_empty: &[bool]) -> Vec<bool> {
    let checks = |method: usize| ground.methods[method].precondition != Condition::default();
    let mut users = vec![Vec::new(); ground.tasks.len()];
    for (index, method) in ground.methods.iter().enumerate() {
        for &node in &method.subtasks {
            if let Node::Task(task) = node {
                users[task as usize].push(index);
            }
        }
    }
    // Whether something at or below a task may be checked without an action.
    let mut below = vec![false; ground.tasks.len()];
    let mut open: Vec<u32> = Vec::new();
    for (index, method) in ground.methods.iter().enumerate() {
        let checked = checks(index) && may_be_empty[index];
        if checked && !std::mem::replace(&mut below[method.task as usize], true) {
            open.push(method.task);
        }
    }
    let mut waits: Vec<bool> = (0..ground.methods.len()).map(checks).collect();
    while let Some(task) = open.pop() {
        for &user in &users[task as usize] {
            let above = ground.methods[user].task;
            // Everything is below the root, and nothing comes before it.
            waits[user] |= ground.root != Some(above);
            if !std::mem::replace(&mut below[above as usize], true) {
                open.push(above);
            }
        }
    }
    waits
}
