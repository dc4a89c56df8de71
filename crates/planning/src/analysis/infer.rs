//! What a task needs and does, however it is refined.
//!
//! For every task and method of a totally ordered problem: the facts its first
//! states must agree with in *every* refinement (inferred preconditions), the
//! facts known to hold or not to hold after it, and the facts that *some*
//! refinement may add or delete. Olz, Biundo and Bercher ("Revealing hidden
//! preconditions and effects of compound HTN planning tasks", 2021) introduced
//! the notions; here they are fixed points over the strongly connected
//! components of the decomposition graph, the definite ones computed downwards
//! from "everything", so that recursion costs no precision.

use planoku_engine::{Run, Stop};

use crate::graph;
use crate::ground::{ActionIndex, Node, TaskIndex};

use crate::state::states::{StateTable, has, set};
use crate::state::world::World;

/// Definite facts about one action, method or task. Lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Must hold before.
    pub(crate) needs: Vec<u32>,
    /// Must not hold before.
    pub(crate) forbids: Vec<u32>,
    /// Holds after.
    pub(crate) ensures: Vec<u32>,
    /// Does not hold after.
    pub(crate) prevents: Vec<u32>,
}

/// All that was inferred.
pub(crate) struct Inference {
    /// For each task, what is definite; `None` if it has no refinement at all.
    pub(crate) tasks: Vec<Option<Summary>>,
    /// For each method, likewise.
    pub(crate) methods: Vec<Option<Summary>>,
    /// For each action.
    pub(crate) actions: Vec<Summary>,
    /// For each task, rows of `sets`: what it may add and may delete.
    possible: Vec<(u32, u32)>,
    sets: StateTable,
}

impl Inference {
    /// Infers everything about the tasks of a problem. In a problem that is
    /// not totally ordered other tasks may interleave, so that nothing beyond
    /// the possible changes is definite and the summaries stay empty.
    pub(crate) fn new(world: &World, run: &mut Run<'_>) -> Result<Inference, Stop> {
        let ground = &world.ground;
        let mut inference = Inference {
            tasks: vec![None; ground.tasks.len()],
            methods: vec![None; ground.methods.len()],
            actions: (0..ground.actions.len())
                .map(|action| summarise_action(world, action as u32))
                .collect(),
            possible: vec![(0, 0); ground.tasks.len()],
            sets: StateTable::new(world.words),
        };
        let components = components(world);
        let mut member = vec![0; ground.tasks.len()];
        for (number, component) in components.iter().enumerate() {
            component
                .iter()
                .for_each(|&task| member[task as usize] = number);
        }
        for component in components {
            inference.collect_possible(world, &component, &member, run)?;
            if ground.ordered {
                inference.settle(world, &component, run)?;
            } else {
                for &task in &component {
                    inference.tasks[task as usize] = Some(Summary::default());
                    for &method in &ground.tasks[task as usize].methods {
                        inference.methods[method as usize] = Some(Summary::default());
                    }
                }
            }
        }
        Ok(inference)
    }

    /// Facts some refinement of the task may add.
    #[inline]
    pub(crate) fn may_add(&self, task: TaskIndex) -> &[u64] {
        self.sets.get(self.possible[task as usize].0)
    }

    /// Facts some refinement of the task may delete.
    #[inline]
    pub(crate) fn may_delete(&self, task: TaskIndex) -> &[u64] {
        self.sets.get(self.possible[task as usize].1)
    }

    /// The tasks of a component reach one another, so they share their sets.
    fn collect_possible(
        &mut self,
        world: &World,
        component: &[TaskIndex],
        member: &[usize],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let here = member[component[0] as usize];
        let mut add = vec![0; world.words];
        let mut delete = vec![0; world.words];
        for &task in component {
            for &method in &world.ground.tasks[task as usize].methods {
                for &node in &world.ground.methods[method as usize].subtasks {
                    run.effort(1 + world.words as u64 / 16)?;
                    match node {
                        Node::Action(action) => {
                            include_effects(world, action, &mut add, &mut delete);
                        }
                        Node::Task(inner) if member[inner as usize] != here => {
                            include(&mut add, self.may_add(inner));
                            include(&mut delete, self.may_delete(inner));
                        }
                        Node::Task(_) => {}
                    }
                }
            }
        }
        let rows = (self.sets.intern(&add).0, self.sets.intern(&delete).0);
        for &task in component {
            self.possible[task as usize] = rows;
        }
        Ok(())
    }

    /// Computes the definite facts of a component, from above.
    fn settle(
        &mut self,
        world: &World,
        component: &[TaskIndex],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut before = Scratch::new(world.words);
        loop {
            let mut changed = false;
            for &task in component {
                let mut common: Option<Summary> = None;
                for &method in &world.ground.tasks[task as usize].methods {
                    let subtasks = world.ground.methods[method as usize].subtasks.len();
                    run.effort((1 + subtasks as u64) * (4 + world.words as u64 / 8))?;
                    let summary = self.summarise_method(world, method, &mut before);
                    if let Some(summary) = &summary {
                        match &mut common {
                            None => common = Some(summary.clone()),
                            Some(common) => common.intersect(summary),
                        }
                    }
                    self.methods[method as usize] = summary;
                }
                if self.tasks[task as usize] != common {
                    self.tasks[task as usize] = common;
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// What is definite about a method, given what is about its subtasks.
    fn summarise_method(
        &self,
        world: &World,
        method: u32,
        before: &mut Scratch,
    ) -> Option<Summary> {
        let method = &world.ground.methods[method as usize];
        before.clear();
        let is_base = |fact: &u32| world.derived.binary_search(fact).is_err();
        let positive = method.precondition.positive.iter();
        let negative = method.precondition.negative.iter();
        let mut all = Summary {
            needs: positive.copied().filter(is_base).collect(),
            forbids: negative.copied().filter(is_base).collect(),
            ..Summary::default()
        };
        all.ensures.clone_from(&all.needs);
        all.prevents.clone_from(&all.forbids);
        for &node in &method.subtasks {
            let part = self.summary(node)?;
            let needs = part.needs.iter();
            all.needs
                .extend(needs.filter(|&&fact| !has(&before.added, fact)));
            let forbids = part.forbids.iter();
            all.forbids
                .extend(forbids.filter(|&&fact| !has(&before.deleted, fact)));
            match node {
                Node::Action(action) => {
                    before.now.clear();
                    include_effects(
                        world,
                        action,
                        &mut before.now.added,
                        &mut before.now.deleted,
                    );
                }
                Node::Task(task) => {
                    before.now.added.copy_from_slice(self.may_add(task));
                    before.now.deleted.copy_from_slice(self.may_delete(task));
                }
            }
            all.ensures.retain(|&fact| !has(&before.now.deleted, fact));
            all.prevents.retain(|&fact| !has(&before.now.added, fact));
            all.ensures.extend_from_slice(&part.ensures);
            all.prevents.extend_from_slice(&part.prevents);
            include(&mut before.added, &before.now.added);
            include(&mut before.deleted, &before.now.deleted);
        }
        all.normalise();
        Some(all)
    }

    /// What is definite about something to do.
    pub(crate) fn summary(&self, node: Node) -> Option<&Summary> {
        match node {
            Node::Action(action) => Some(&self.actions[action as usize]),
            Node::Task(task) => self.tasks[task as usize].as_ref(),
        }
    }
}

impl Summary {
    fn normalise(&mut self) {
        for list in [
            &mut self.needs,
            &mut self.forbids,
            &mut self.ensures,
            &mut self.prevents,
        ] {
            list.sort_unstable();
            list.dedup();
        }
    }

    fn intersect(&mut self, other: &Summary) {
        let keep = |mine: &mut Vec<u32>, theirs: &[u32]| {
            mine.retain(|fact| theirs.binary_search(fact).is_ok());
        };
        keep(&mut self.needs, &other.needs);
        keep(&mut self.forbids, &other.forbids);
        keep(&mut self.ensures, &other.ensures);
        keep(&mut self.prevents, &other.prevents);
    }
}

/// Facts that may have changed so far, inside one method.
struct Scratch {
    added: Vec<u64>,
    deleted: Vec<u64>,
    now: Changes,
}

struct Changes {
    added: Vec<u64>,
    deleted: Vec<u64>,
}

impl Scratch {
    fn new(words: usize) -> Scratch {
        Scratch {
            added: vec![0; words],
            deleted: vec![0; words],
            now: Changes {
                added: vec![0; words],
                deleted: vec![0; words],
            },
        }
    }

    fn clear(&mut self) {
        self.added.fill(0);
        self.deleted.fill(0);
    }
}

impl Changes {
    fn clear(&mut self) {
        self.added.fill(0);
        self.deleted.fill(0);
    }
}

/// Unites `more` into `words`.
#[inline]
pub(crate) fn include(words: &mut [u64], more: &[u64]) {
    for (word, more) in words.iter_mut().zip(more) {
        *word |= more;
    }
}

/// Unites what an action may change. A fact that is surely added is never
/// deleted.
pub(crate) fn include_effects(
    world: &World,
    action: ActionIndex,
    add: &mut [u64],
    delete: &mut [u64],
) {
    let values = &world.values;
    values
        .helped(action)
        .iter()
        .for_each(|&fact| set(add, fact));
    let harmed = values.harmed(action).iter();
    harmed.for_each(|&fact| set(delete, fact));
    let action = &world.ground.actions[action as usize];
    action.add.iter().for_each(|&fact| set(add, fact));
    let inner = action.conditional.iter();
    let deletes = inner.clone().flat_map(|effect| &effect.delete);
    for fact in action.delete.iter().chain(deletes) {
        if action.add.binary_search(fact).is_err() {
            set(delete, *fact);
        }
    }
    inner
        .flat_map(|effect| &effect.add)
        .for_each(|&fact| set(add, fact));
    // What an action does to derived facts is not known here.
    for &fact in &world.derived {
        set(add, fact);
        set(delete, fact);
    }
}

fn summarise_action(world: &World, action: ActionIndex) -> Summary {
    let harmed = world.values.harmed(action);
    let action = &world.ground.actions[action as usize];
    let is_base = |fact: &u32| world.derived.binary_search(fact).is_err();
    let inner = || action.conditional.iter();
    let may_add =
        |fact: &u32| action.add.contains(fact) || inner().any(|effect| effect.add.contains(fact));
    let may_delete = |fact: &u32| {
        !action.add.contains(fact)
            && (action.delete.contains(fact)
                || inner().any(|effect| effect.delete.contains(fact))
                || harmed.contains(fact))
    };
    let positive = || action.precondition.positive.iter().copied().filter(is_base);
    let negative = || action.precondition.negative.iter().copied().filter(is_base);
    let mut summary = Summary {
        needs: positive().collect(),
        forbids: negative().collect(),
        ensures: positive().filter(|fact| !may_delete(fact)).collect(),
        prevents: negative().filter(|fact| !may_add(fact)).collect(),
    };
    summary.ensures.extend_from_slice(&action.add);
    let deleted = action.delete.iter().filter(|fact| !may_add(fact));
    summary.prevents.extend(deleted);
    summary.normalise();
    summary
}

/// Strongly connected components of "a method of this task has that subtask",
/// every component after those it leads to.
pub(crate) fn components(world: &World) -> Vec<Vec<TaskIndex>> {
    let ground = &world.ground;
    let subtasks = |task: usize| {
        let methods = ground.tasks[task].methods.iter();
        let nodes = methods.flat_map(|&method| &ground.methods[method as usize].subtasks);
        let mut list: Vec<usize> = nodes
            .filter_map(|node| match *node {
                Node::Task(task) => Some(task as usize),
                Node::Action(_) => None,
            })
            .collect();
        list.sort_unstable();
        list.dedup();
        list.into_iter()
    };
    let tasks = ground.tasks.len();
    let found = graph::components(tasks, 0..tasks, subtasks);
    let numbers = |component: Vec<usize>| component.into_iter().map(|task| task as u32).collect();
    found.into_iter().map(numbers).collect()
}
