//! What may stand where, in the trees of a given depth.
//!
//! ```text
//! layer 0   deliver p1 ?to
//! layer 1   go ?truck ?at        │ load p1 ?truck  │ go ?truck ?to      │ …
//! layer 2   drive ?t ?a ?b  stay │ load p1 ?truck  │ drive ?t ?b ?c  …  │ …
//! ```
//!
//! A [`Position`] holds every task and every rule that may stand there once,
//! whatever its arguments: an argument is a variable with a [`Domain`]. All
//! who lead to the same task at the same position share it; what they put in
//! differs, so its domains are the unions of theirs.
//!
//! Walking through the tree in the order of the plan, one knows of every fact
//! whether it may hold by now, for only the actions that were passed can have
//! made it true. Domains lose what no such fact supports, tasks that lose all
//! their rules take those with them that lead to them, and what an argument
//! lost below it loses above. The walk is repeated as long as that pays.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashSet;

use super::domain::{Domain, both, either, has, product};
use super::facts::{FactId, Facts, Moment};
use super::schema::{RuleId, Schemas, Slot, Variables};
use crate::model::TaskRef;

/// Walks through the tree, at most.
const WALKS: usize = 4;

pub(super) type PositionId = usize;
/// An index into [`Tree::choices`].
pub(super) type ChoiceId = usize;

/// A place in the plan.
#[derive(Default)]
pub(super) struct Position {
    pub(super) tasks: Vec<Placed>,
    /// At a leaf, the actions that may happen there.
    pub(super) actions: Vec<Placed>,
    pub(super) children: std::ops::Range<PositionId>,
    /// Layers below that it may have.
    left: u32,
    entered: bool,
}

/// A task or an action at a position, with whoever leads to it.
pub(super) struct Placed {
    pub(super) schema: usize,
    pub(super) sources: Vec<Source>,
    pub(super) domains: Vec<Domain>,
    /// The ways to carry it out; of an action, none.
    pub(super) choices: Vec<ChoiceId>,
    pub(super) alive: bool,
}

/// A subtask of a rule that was chosen.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) choice: ChoiceId,
    pub(super) subtask: usize,
}

/// A rule that may be chosen for a task.
pub(super) struct Choice {
    pub(super) rule: RuleId,
    pub(super) domains: Vec<Domain>,
    pub(super) alive: bool,
}

/// All trees of a depth.
pub(super) struct Tree<'a, 'm> {
    schemas: &'a Schemas<'m>,
    pub(super) facts: &'a mut Facts,
    pub(super) positions: Vec<Position>,
    pub(super) choices: Vec<Choice>,
    /// No deeper tree has anything that these have not.
    pub(super) complete: bool,
    /// Whether a plan is possible at all.
    pub(super) possible: bool,
    /// How many leaves there are.
    pub(super) end: Moment,
    /// Leaves passed in this walk.
    pub(super) now: Moment,
    pub(super) changed: bool,
    /// Effects that were noted in this walk.
    noted: FxHashSet<(usize, Vec<Domain>)>,
    /// Objects seen, by the stamp of the look.
    pub(super) seen: Vec<u32>,
    pub(super) stamp: u32,
    pub(super) found: Vec<FactId>,
}

/// A step of the walk.
enum Step {
    Enter(PositionId),
    Leave(PositionId),
}

impl<'a, 'm> Tree<'a, 'm> {
    /// All trees of that depth.
    pub(super) fn grow(
        schemas: &'a Schemas<'m>,
        facts: &'a mut Facts,
        depth: u32,
        run: &mut Run<'_>,
    ) -> Result<Tree<'a, 'm>, Stop> {
        let start = Placed {
            schema: schemas.start(),
            sources: Vec::new(),
            domains: Vec::new(),
            choices: Vec::new(),
            alive: true,
        };
        let root = Position {
            tasks: vec![start],
            left: depth,
            ..Position::default()
        };
        let mut tree = Tree {
            schemas,
            facts,
            positions: vec![root],
            choices: Vec::new(),
            complete: true,
            possible: true,
            end: 0,
            now: 0,
            changed: true,
            noted: FxHashSet::default(),
            seen: vec![0; schemas.model.objects.len()],
            stamp: 0,
            found: Vec::new(),
        };
        for _ in 0..WALKS {
            if tree.changed && tree.possible {
                tree.walk(run)?;
            }
        }
        Ok(tree)
    }

    fn walk(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        self.facts.restart();
        self.noted.clear();
        self.changed = false;
        self.now = 0;
        let mut open = vec![Step::Enter(0)];
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(position) => {
                    run.tick()?;
                    self.enter(position, run)?;
                    open.push(Step::Leave(position));
                    let children = self.positions[position].children.clone();
                    open.extend(children.rev().map(Step::Enter));
                }
                Step::Leave(position) => self.leave(position),
            }
        }
        self.end = self.now;
        let goal = self.schemas.goal_variables.ranges.clone();
        let goal = self.narrow(&self.schemas.goal, &self.schemas.goal_variables, goal, run)?;
        self.possible = goal.is_some() && self.positions[0].tasks[0].alive;
        Ok(())
    }

    fn enter(&mut self, id: PositionId, run: &mut Run<'_>) -> Result<(), Stop> {
        run.check_memory(self.choices.len() as u64 * 300 + self.facts.bytes())?;
        let mut position = std::mem::take(&mut self.positions[id]);
        for task in &mut position.tasks {
            self.receive(task, None);
            if !position.entered {
                self.offer(task, position.left);
            }
            for &choice in &task.choices {
                self.choose(task, choice, run)?;
            }
        }
        if !position.entered {
            position.entered = true;
            if !position.tasks.is_empty() {
                self.lay_out(&mut position);
            }
        }
        if position.tasks.is_empty() {
            for action in &mut position.actions {
                self.act(action, run)?;
            }
            for action in &position.actions {
                if action.alive {
                    self.take_effect(action, run)?;
                }
            }
            self.now += 1;
        }
        self.positions[id] = position;
        Ok(())
    }

    /// What a task or action is given by those who lead to it.
    fn receive(&mut self, placed: &mut Placed, variables: Option<&Variables>) {
        let schemas = self.schemas;
        let choices = &self.choices;
        let sources = placed.sources.iter();
        let alive: Vec<Source> = sources
            .filter(|it| choices[it.choice].alive)
            .copied()
            .collect();
        let start = placed.schema == schemas.start() && variables.is_none();
        placed.alive &= start || !alive.is_empty();
        if !placed.alive {
            return;
        }
        let ranges = match variables {
            Some(variables) => &variables.ranges,
            None => &schemas.task_ranges[placed.schema],
        };
        if placed.domains.is_empty() {
            placed.domains.clone_from(ranges);
        }
        let places = match alive.first() {
            None => 0,
            Some(source) => schemas.rules[choices[source.choice].rule].subtasks[source.subtask]
                .1
                .len(),
        };
        for place in 0..places {
            let given: Vec<Domain> = alive
                .iter()
                .map(|source| {
                    let choice = &choices[source.choice];
                    match schemas.rules[choice.rule].subtasks[source.subtask].1[place] {
                        Slot::Object(object) => [object].into(),
                        Slot::Variable(variable) => choice.domains[variable].clone(),
                    }
                })
                .collect();
            let given = either(given.iter()).unwrap_or_else(|| [].into());
            let before = placed.domains[place].len();
            placed.domains[place] = both(&placed.domains[place], &given);
            self.changed |= placed.domains[place].len() < before;
            placed.alive &= !placed.domains[place].is_empty();
        }
    }

    /// The rules for a task that fit into the layers left.
    fn offer(&mut self, task: &mut Placed, left: u32) {
        for &rule in &self.schemas.of_task[task.schema] {
            match self.schemas.rules[rule].height {
                Some(height) if height <= left => {
                    task.choices.push(self.choices.len());
                    self.choices.push(Choice {
                        rule,
                        domains: self.schemas.rules[rule].variables.ranges.clone(),
                        alive: task.alive,
                    });
                }
                Some(_) => self.complete &= !task.alive,
                None => {}
            }
        }
    }

    /// What is left of a rule, given its task and its condition.
    fn choose(&mut self, task: &Placed, id: ChoiceId, run: &mut Run<'_>) -> Result<(), Stop> {
        let choice = &mut self.choices[id];
        if !choice.alive {
            return Ok(());
        }
        let rule = &self.schemas.rules[choice.rule];
        let mut alive = task.alive;
        let mut domains = std::mem::take(&mut choice.domains);
        for (slot, domain) in rule.head.iter().zip(&task.domains) {
            match *slot {
                Slot::Object(object) => alive &= has(domain, object),
                Slot::Variable(variable) => {
                    domains[variable] = both(&domains[variable], domain);
                }
            }
        }
        let narrowed = match alive {
            true => self.narrow(&rule.condition, &rule.variables, domains, run)?,
            false => None,
        };
        self.settle(id, narrowed);
        Ok(())
    }

    fn settle(&mut self, id: ChoiceId, domains: Option<Vec<Domain>>) {
        let choice = &mut self.choices[id];
        match domains {
            Some(domains) => choice.domains = domains,
            None => {
                choice.alive = false;
                self.changed = true;
            }
        }
    }

    /// Makes the positions of subtasks.
    fn lay_out(&mut self, position: &mut Position) {
        let first = self.positions.len();
        let rules = |task: &Placed| task.choices.clone();
        let choices: Vec<ChoiceId> = position.tasks.iter().flat_map(rules).collect();
        let mut children: Vec<Position> = Vec::new();
        let reach = |children: &mut Vec<Position>, count: usize, left: u32| {
            while children.len() < count {
                children.push(Position {
                    left,
                    ..Position::default()
                });
            }
        };
        let left = position.left.saturating_sub(1);
        if !position.actions.is_empty() {
            reach(&mut children, 1, left);
            children[0].actions = std::mem::take(&mut position.actions);
        }
        for choice in choices {
            if !self.choices[choice].alive {
                continue;
            }
            let rule = &self.schemas.rules[self.choices[choice].rule];
            reach(&mut children, rule.subtasks.len(), left);
            for (subtask, (task, _)) in rule.subtasks.iter().enumerate() {
                let child = &mut children[subtask];
                let (list, schema) = match *task {
                    TaskRef::Task(task) => (&mut child.tasks, task.index()),
                    TaskRef::Action(action) => (&mut child.actions, action.index()),
                };
                place(list, schema, Source { choice, subtask });
            }
        }
        self.positions.extend(children);
        position.children = first..self.positions.len();
    }

    /// What is left of an action, given what holds before it.
    fn act(&mut self, action: &mut Placed, run: &mut Run<'_>) -> Result<(), Stop> {
        let act = &self.schemas.actions[action.schema];
        self.receive(action, Some(&act.variables));
        if action.alive {
            let domains = std::mem::take(&mut action.domains);
            match self.narrow(&act.condition, &act.variables, domains, run)? {
                Some(domains) => action.domains = domains,
                None => {
                    action.alive = false;
                    self.changed = true;
                }
            }
        }
        self.tell(action);
        Ok(())
    }

    /// Tells those who lead to a task or action what is left of it.
    fn tell(&mut self, placed: &Placed) {
        for source in &placed.sources {
            let choice = &mut self.choices[source.choice];
            if !choice.alive {
                continue;
            }
            let slots = &self.schemas.rules[choice.rule].subtasks[source.subtask].1;
            let mut alive = placed.alive;
            for (slot, domain) in slots.iter().zip(&placed.domains) {
                match *slot {
                    Slot::Object(object) => alive &= has(domain, object),
                    Slot::Variable(variable) if alive => {
                        let before = choice.domains[variable].len();
                        let after = both(&choice.domains[variable], domain);
                        self.changed |= after.len() < before;
                        alive &= !after.is_empty();
                        choice.domains[variable] = after;
                    }
                    Slot::Variable(_) => {}
                }
            }
            if !alive {
                choice.alive = false;
                self.changed = true;
            }
        }
    }

    fn take_effect(&mut self, action: &Placed, run: &mut Run<'_>) -> Result<(), Stop> {
        let act = &self.schemas.actions[action.schema];
        for atom in &act.deletes {
            if self.schemas.denied[atom.predicate] {
                let mut found = std::mem::take(&mut self.found);
                run.effort(self.facts.find(atom, &action.domains, &mut found))?;
                found.iter().for_each(|&it| self.facts.make_deletable(it));
                self.found = found;
            }
        }
        for atom in &act.adds {
            if !self.schemas.read[atom.predicate] {
                continue;
            }
            let domains = atom.terms.iter().map(|it| it.domain(&action.domains));
            let domains: Vec<Domain> = domains.collect();
            let effect = (atom.predicate, domains);
            if self.noted.contains(&effect) {
                continue;
            }
            product(&effect.1, |objects| {
                let fact = self.facts.number(atom.predicate, objects);
                self.facts.make_possible(fact);
                run.effort(4)
            })?;
            self.noted.insert(effect);
        }
        Ok(())
    }

    /// After all children: a task is what is left of its rules.
    fn leave(&mut self, id: PositionId) {
        let mut tasks = std::mem::take(&mut self.positions[id].tasks);
        for task in tasks.iter_mut().filter(|it| it.alive) {
            let choices = &self.choices;
            let left: Vec<&super::tree::Choice> = task
                .choices
                .iter()
                .map(|&it| &choices[it])
                .filter(|it| it.alive)
                .collect();
            if left.is_empty() {
                task.alive = false;
                self.changed = true;
            }
            for place in 0..task.domains.len() {
                let parts: Vec<Domain> = left
                    .iter()
                    .map(|it| self.schemas.rules[it.rule].head[place].domain(&it.domains))
                    .collect();
                if let Some(all) = either(parts.iter()) {
                    let after = both(&task.domains[place], &all);
                    self.changed |= after.len() < task.domains[place].len();
                    task.domains[place] = after;
                }
            }
        }
        tasks.iter().for_each(|task| self.tell(task));
        self.positions[id].tasks = tasks;
    }
}

/// Puts a subtask among what stands at a position.
fn place(list: &mut Vec<Placed>, schema: usize, source: Source) {
    match list.iter_mut().find(|it| it.schema == schema) {
        Some(placed) => placed.sources.push(source),
        None => list.push(Placed {
            schema,
            sources: vec![source],
            domains: Vec::new(),
            choices: Vec::new(),
            alive: true,
        }),
    }
}
