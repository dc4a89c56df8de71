//! Depth-first search without grounding that learns what to do early.
//!
//! Differs from the plain [walk](super::walk) in four things. Tasks that only
//! [roam](super::roam) through states are searched for the shortest way. What
//! takes away [for good](super::lost) what is needed later is not begun. Among
//! instances of a method, the one that uses [what was made last](super::fresh)
//! comes first. And of a task that is done again and again it learns
//! [what to do early](super::turns).

use std::rc::Rc;

use planoku_engine::{Leave, Run, Stop};
use rustc_hash::FxHashSet;

use super::distance::{Distances, FAR};
use super::facts::{FactId, Facts};
use super::fresh::freshest_first;
use super::join::instances;
use super::roam::{Instance, Roam, Roamed, walks};
use super::schema::{Rule, Schemas};
use super::turns::{Choice, Deadlines, Turn, names};
use super::twins::Watched;
use super::walk::{ENTRY, Goal, Made, NODE, Walked, apply, assemble, task_hash};
use crate::graph::arrange;
use crate::model::{ActionId, TaskId, TaskRef};
use crate::random::Random;
use crate::state::hash::mix;

const NONE: u32 = u32::MAX;

/// Nodes that a walk without distances looks at before its task is refined step
/// by step instead.
const BLIND: usize = 3_000;

/// The same with distances, for every step that it is away at least, beside
/// that, and where no way is known at all. Most find their way at once, and
/// those who do not seldom find it soon.
const PER_STEP: usize = 10;
const BESIDE: usize = 300;
const NO_WAY: usize = 100;

/// What it costs to find a choice's place in the queue.
const IN_TIME: u64 = 10;

/// Choices past their deadline that are tried once nothing else is left.
const HOPELESS: u32 = 4;

/// How many times its patience a walk may take while it gets further.
const GOING_ON: u64 = 100;

/// Something on the stack.
struct Entry {
    task: TaskRef,
    arguments: Box<[u32]>,
    below: u32,
    /// A hash of the stack from here down.
    hash: u128,
    /// The objects it mentions, from here down.
    objects: Watched,
    /// What it needs and nobody can make again.
    needs: Box<[FactId]>,
    /// The same from here down: one bit each, that others may share.
    needed: u64,
    /// The refinement it came from: an index into `ancestors`.
    from: u32,
}

/// A refinement above an entry, with the state it was made in.
struct Ancestor {
    task: u128,
    state: u128,
    above: u32,
    /// The task, without its arguments.
    kind: TaskId,
    /// Its frame, if there is something to learn there.
    frame: u32,
    /// How often the task had been done once more before.
    turn: u32,
}

/// A point to come back to.
struct Frame {
    /// Instances still to try, the next one last.
    left: Vec<Choice>,
    task: Option<(TaskId, Box<[u32]>)>,
    below: u32,
    from: u32,
    facts: usize,
    entries: usize,
    ancestors: usize,
    made: usize,
    /// `None` if there is nothing to learn here.
    turn: Option<Turn>,
}

/// What is learned, for all walks.
pub(super) struct Learned<'s, 'm> {
    schemas: &'s Schemas<'m>,
    distances: Distances<'s, 'm>,
    /// For each task, whether it is searched as a walk.
    roams: Vec<bool>,
    /// For each task, whether it is done again and again.
    turns: Vec<bool>,
    deadlines: Deadlines,
    /// How often a task was done again at most, in any walk.
    most: u32,
}

impl<'s, 'm> Learned<'s, 'm> {
    pub(super) fn new(schemas: &'s Schemas<'m>) -> Learned<'s, 'm> {
        let tasks = || schemas.rules.iter().enumerate();
        let roams: Vec<bool> = tasks()
            .map(|(task, rules)| walks(TaskId(task as u32), rules))
            .collect();
        let again = |task: usize, rule: &Rule<'_>| {
            let last = rule.order.last().map(|&it| rule.subtasks[it].0);
            last == Some(TaskRef::Task(TaskId(task as u32)))
        };
        let turns = tasks().map(|(task, rules)| rules.iter().any(|it| again(task, it)));
        Learned {
            schemas,
            distances: Distances::new(schemas),
            roams,
            turns: turns.collect(),
            deadlines: Deadlines::default(),
            most: 0,
        }
    }
}

impl Learned<'_, '_> {
    /// Forgets deadlines that did not lead to a plan.
    pub(super) fn forget(&mut self) {
        self.deadlines.forget();
    }
}

/// How a walk differs from others.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    pub(super) seed: u64,
    /// How far tasks that walk are searched.
    pub(super) reach: usize,
}

/// The state of one walk.
pub(super) struct Learner<'a, 's, 'm> {
    schemas: &'s Schemas<'m>,
    learned: &'a mut Learned<'s, 'm>,
    facts: &'a mut Facts,
    goal: Goal<'m>,
    entries: Vec<Entry>,
    ancestors: Vec<Ancestor>,
    frames: Vec<Frame>,
    made: Vec<Made>,
    visited: FxHashSet<u128>,
    /// Entries made since that was last charged for.
    laid: u64,
    habits: Habits,
    random: Random,
    recursive_first: Vec<bool>,
    /// Whether a deadline came forward in this walk.
    pub(super) news: bool,
    /// Whether it is not worth while to go on.
    abandoned: bool,
}

impl<'a, 's, 'm> Learner<'a, 's, 'm> {
    /// A walk from the state that `facts` had at the beginning.
    pub(super) fn new(
        learned: &'a mut Learned<'s, 'm>,
        facts: &'a mut Facts,
        habits: Habits,
    ) -> Learner<'a, 's, 'm> {
        let schemas = learned.schemas;
        let mut random = Random::new(habits.seed);
        let recursive_first = match habits.seed != 0 && habits.seed.is_multiple_of(2) {
            true => schemas.rules.iter().map(|_| random.below(2) == 0).collect(),
            false => Vec::new(),
        };
        facts.undo(0);
        Learner {
            schemas,
            learned,
            goal: Goal::new(schemas, facts),
            facts,
            entries: Vec::new(),
            ancestors: Vec::new(),
            frames: Vec::new(),
            made: Vec::new(),
            visited: FxHashSet::default(),
            laid: 0,
            habits,
            random,
            recursive_first,
            news: false,
            abandoned: false,
        }
    }

    /// Walks until a plan, a dead end everywhere, or so many nodes without
    /// getting any further.
    pub(super) fn go(&mut self, run: &mut Run<'_>, patience: u64) -> Result<Walked, Leave> {
        let mut root = Vec::new();
        instances(self.facts, &self.schemas.root, &[], 0, &mut root, run)?;
        root.reverse();
        let left = root.into_iter().map(|values| (0, values, 0)).collect();
        self.frame(left, None, NONE, NONE, None);
        let Some(mut top) = self.resume() else {
            return Ok(Walked::Stuck);
        };
        let (mut furthest, mut since) = (0, 0);
        for step in 0..patience.saturating_mul(GOING_ON) {
            run.tick()?;
            run.effort(NODE - 1 + ENTRY * std::mem::take(&mut self.laid))?;
            if step % 1024 == 0 {
                self.report(run)?;
            }
            if self.made.len() > furthest {
                (furthest, since) = (self.made.len(), step);
            } else if step - since > patience {
                return Ok(Walked::OutOfPatience);
            }
            let next = if top == NONE {
                if self.goal.missing(self.schemas, self.facts) == 0 {
                    return Ok(Walked::Plan(assemble(self.schemas, self.made.iter())));
                }
                None
            } else {
                match self.entries[top as usize].task {
                    TaskRef::Action(action) => self.execute(action, top),
                    TaskRef::Task(task) => self.refine(task, top, run)?,
                }
            };
            match next.or_else(|| self.resume()) {
                Some(next) => top = next,
                None => return Ok(Walked::Stuck),
            }
        }
        Ok(Walked::OutOfPatience)
    }

    fn report(&self, run: &mut Run<'_>) -> Result<(), Leave> {
        let bytes = self.visited.capacity() * 17
            + self.entries.capacity() * size_of::<Entry>() * 2
            + self.made.capacity() * size_of::<Made>() * 2
            + self.learned.distances.bytes()
            + self.learned.deadlines.len() * 24
            + self
                .frames
                .iter()
                .map(|it| it.left.len() * 64)
                .sum::<usize>();
        run.check_memory(bytes as u64)?;
        run.progress("lifted-learn", || None);
        run.remains(|| u64::from(u32::MAX - self.learned.most));
        Ok(())
    }

    /// Executes an action; the rest of the stack, or `None` if it cannot.
    fn execute(&mut self, action: ActionId, top: u32) -> Option<u32> {
        let entry = &self.entries[top as usize];
        let below = entry.below;
        if !apply(self.schemas, self.facts, action, &entry.arguments) {
            return None;
        }
        let arguments = entry.arguments.clone();
        self.made.push(Made::Action(action, arguments));
        Some(below)
    }

    /// Refines a task; the new stack, or `None` if nothing applies or it was
    /// all here before.
    fn refine(&mut self, task: TaskId, top: u32, run: &mut Run<'_>) -> Result<Option<u32>, Stop> {
        let turn = self.turn(task, top);
        let entry = &self.entries[top as usize];
        let here = mix(self.facts.hash ^ mix(entry.hash));
        if self.goes_in_circles(top) || !self.visited.insert(here) {
            return Ok(None);
        }
        let entry = &self.entries[top as usize];
        let (below, above, apart) = (entry.below, entry.from, entry.objects);
        let mut arguments = entry.arguments.clone();
        self.ancestors.push(Ancestor {
            task: task_hash(TaskRef::Task(task), &arguments),
            state: self.facts.hash,
            above,
            kind: task,
            frame: NONE,
            turn,
        });
        let from = self.ancestors.len() as u32 - 1;
        let mut roamed = false;
        if self.learned.roams[task.index()] {
            match self.roam(task, &arguments, apart, run)? {
                Roamed::There(steps) => {
                    for step in steps {
                        arguments = self.take(task, arguments, step);
                    }
                    roamed = true;
                }
                Roamed::Nowhere => return Ok(None),
                Roamed::Astray => {
                    let distance = self.distance(task, &arguments, run)?;
                    if distance.is_some() {
                        return Ok(None);
                    }
                    self.learned.roams[task.index()] = false;
                }
            }
        }
        let choices = self.choices(task, &arguments, apart, roamed, run)?;
        let learns = self.learned.turns[task.index()] && !roamed && choices.len() > 1;
        let (left, turn) = match learns {
            false => (choices, None),
            true => {
                self.ancestors[from as usize].frame = self.frames.len() as u32;
                let number = turn;
                let left = self.in_time(task, choices, number, run)?;
                let turn = Turn {
                    number,
                    ..Turn::default()
                };
                (left, Some(turn))
            }
        };
        let left = left.into_iter().rev().collect();
        self.frame(left, Some((task, arguments)), below, from, turn);
        Ok(self.resume())
    }

    /// How often the task was done before at the end of its own methods; what
    /// was chosen the last time is then carried out.
    fn turn(&mut self, task: TaskId, top: u32) -> u32 {
        let entry = &self.entries[top as usize];
        let above = self.ancestors.get(entry.from as usize);
        let Some(ancestor) = above.filter(|it| it.kind == task) else {
            return 0;
        };
        let frame = self.frames.get_mut(ancestor.frame as usize);
        if let Some(turn) = frame.and_then(|it| it.turn.as_mut()) {
            turn.carried_out = true;
        }
        let turn = ancestor.turn + 1;
        if !self.learned.roams[task.index()] {
            self.learned.most = self.learned.most.max(turn);
        }
        turn
    }

    /// All instances of the task's methods, those to be tried first first.
    fn choices(
        &mut self,
        task: TaskId,
        arguments: &[u32],
        apart: Watched,
        only_ends: bool,
        run: &mut Run<'_>,
    ) -> Result<Vec<Choice>, Stop> {
        let schemas = self.schemas;
        let rules = &schemas.rules[task.index()];
        let mut all: Vec<Choice> = Vec::new();
        let mut found = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            if only_ends && rule.recursive {
                continue;
            }
            instances(self.facts, rule, arguments, apart, &mut found, run)?;
            if found.len() > 1 {
                if self.habits.seed != 0 {
                    self.random.shuffle(&mut found);
                }
                if self.habits.seed % 4 < 2 {
                    freshest_first(self.facts, rule, &mut found, run)?;
                }
            }
            all.extend(found.drain(..).map(|values| (index as u32, values, 0)));
        }
        if self.habits.seed % 2 == 1 {
            self.random.shuffle(&mut all);
        }
        if self.recursive_first.get(task.index()) == Some(&true) {
            all.sort_by_key(|&(rule, ..)| !rules[rule as usize].recursive);
        }
        Ok(all)
    }

    /// Sorts instances that do the task once more: those with a known way first,
    /// then by deadline, then the nearest first. Gives them names.
    fn in_time(
        &mut self,
        task: TaskId,
        choices: Vec<Choice>,
        number: u32,
        run: &mut Run<'_>,
    ) -> Result<Vec<Choice>, Stop> {
        let schemas = self.schemas;
        let rules = &schemas.rules[task.index()];
        let recursive = |(rule, ..): &Choice| rules[*rule as usize].recursive;
        let (again, ends): (Vec<Choice>, Vec<Choice>) = choices.into_iter().partition(recursive);
        let names = names(task, &again);
        let mut sorted = Vec::with_capacity(again.len());
        for ((rule, values, _), name) in again.into_iter().zip(names) {
            run.effort(IN_TIME)?;
            let far = self.way_to_first(&rules[rule as usize], &values, run)?;
            let rank = self.learned.deadlines.rank(name, number);
            sorted.push(((far == FAR, rank, far), (rule, values, name)));
        }
        sorted.sort_by_key(|&(key, _)| key);
        let again = sorted.into_iter().map(|(_, choice)| choice);
        Ok(match self.recursive_first.get(task.index()) {
            Some(true) => again.chain(ends).collect(),
            _ => ends.into_iter().chain(again).collect(),
        })
    }

    /// How far the first task that walks has to go, if it comes first.
    fn way_to_first(
        &mut self,
        rule: &Rule<'_>,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<u32, Stop> {
        let Some((TaskRef::Task(task), slots)) = rule.order.first().map(|&it| &rule.subtasks[it])
        else {
            return Ok(0);
        };
        if !self.learned.roams[task.index()] {
            return Ok(0);
        }
        let arguments: Vec<u32> = slots.iter().map(|slot| slot.value(values)).collect();
        Ok(self.distance(*task, &arguments, run)?.unwrap_or(0))
    }

    fn distance(
        &mut self,
        task: TaskId,
        arguments: &[u32],
        run: &mut Run<'_>,
    ) -> Result<Option<u32>, Stop> {
        let distances = &mut self.learned.distances;
        distances.of(task, arguments, self.facts, run)
    }

    fn roam(
        &mut self,
        task: TaskId,
        arguments: &[u32],
        apart: Watched,
        run: &mut Run<'_>,
    ) -> Result<Roamed, Stop> {
        let limit = match self.distance(task, arguments, run)? {
            None => BLIND,
            Some(FAR) => NO_WAY * self.habits.reach,
            Some(far) => (far as usize * PER_STEP + BESIDE) * self.habits.reach,
        };
        let distances = &mut self.learned.distances;
        let roam = Roam::new(self.schemas, self.facts, distances, task, apart);
        roam.go(arguments.into(), limit, run)
    }

    /// Takes a step of a task that walks; its arguments afterwards.
    fn take(&mut self, task: TaskId, arguments: Box<[u32]>, step: Instance) -> Box<[u32]> {
        let (index, values) = step;
        let rule = &self.schemas.rules[task.index()][index as usize];
        let mut again: Box<[u32]> = Box::default();
        self.made.push(Made::Refined {
            task: Some((task, arguments)),
            rule: index,
            order: rule.order.clone(),
        });
        for &place in rule.order.iter() {
            let (subtask, slots) = &rule.subtasks[place];
            let arguments: Box<[u32]> = slots.iter().map(|slot| slot.value(&values)).collect();
            match *subtask {
                TaskRef::Task(_) => again = arguments,
                TaskRef::Action(action) => {
                    apply(self.schemas, self.facts, action, &arguments);
                    self.made.push(Made::Action(action, arguments));
                }
            }
        }
        again
    }

    /// True if the same task stands above in the same state: to do it, one
    /// would have to do it first.
    fn goes_in_circles(&self, top: u32) -> bool {
        let entry = &self.entries[top as usize];
        let name = task_hash(entry.task, &entry.arguments);
        let mut at = entry.from;
        while at != NONE {
            let ancestor = &self.ancestors[at as usize];
            if ancestor.state != self.facts.hash {
                return false;
            }
            if ancestor.task == name {
                return true;
            }
            at = ancestor.above;
        }
        false
    }

    fn frame(
        &mut self,
        left: Vec<Choice>,
        task: Option<(TaskId, Box<[u32]>)>,
        below: u32,
        from: u32,
        turn: Option<Turn>,
    ) {
        self.frames.push(Frame {
            left,
            task,
            below,
            from,
            facts: self.facts.now(),
            entries: self.entries.len(),
            ancestors: self.ancestors.len(),
            made: self.made.len(),
            turn,
        });
    }

    /// Goes back to the last point with something left to try, and tries it.
    fn resume(&mut self) -> Option<u32> {
        loop {
            let frame = self.frames.last_mut()?;
            let deadlines = &mut self.learned.deadlines;
            if let Some(turn) = &mut frame.turn {
                self.news |= deadlines.blame(turn);
            }
            let Some((rule, values, name)) = frame.left.pop() else {
                // Where several things were done and nothing helped, whatever
                // is left came too late; what was done before is not to blame.
                let several = frame.turn.as_ref().is_some_and(|turn| turn.dead > 1);
                self.abandoned |= several && self.news;
                self.frames.pop();
                if self.abandoned {
                    return None;
                }
                continue;
            };
            if let Some(turn) = &mut frame.turn {
                turn.trial = name;
                if self.news && turn.dead >= HOPELESS && deadlines.passed(name, turn.number) {
                    frame.left.clear();
                    continue;
                }
            }
            let (below, from) = (frame.below, frame.from);
            let task = frame.task.clone();
            self.facts.undo(frame.facts);
            self.entries.truncate(frame.entries);
            self.ancestors.truncate(frame.ancestors);
            self.made.truncate(frame.made);
            if frame.left.is_empty() && frame.turn.is_none() {
                // Nothing to come back for.
                self.frames.pop();
            }
            let schema = match &task {
                None => &self.schemas.root,
                Some((task, _)) => &self.schemas.rules[task.index()][rule as usize],
            };
            let top = self.unfold(schema, rule, task, &values, below, from);
            if top.is_some() {
                return top;
            }
        }
    }

    /// Puts the subtasks of an instance on the stack; `None` if one of them
    /// takes away for good what another one or the rest of the stack needs.
    fn unfold(
        &mut self,
        schema: &Rule<'_>,
        rule: u32,
        task: Option<(TaskId, Box<[u32]>)>,
        values: &[u32],
        below: u32,
        from: u32,
    ) -> Option<u32> {
        let count = schema.subtasks.len();
        let order: Rc<[usize]> = match self.habits.seed != 0 && !schema.ordered {
            false => schema.order.clone(),
            true => arrange(count, schema.ordering, |ready| self.random.below(ready)).into(),
        };
        self.laid += order.len() as u64;
        let mut top = below;
        for &place in order.iter().rev() {
            let (task, slots) = &schema.subtasks[place];
            let arguments: Box<[u32]> = slots.iter().map(|slot| slot.value(values)).collect();
            let (rest, objects, needed) = match self.entries.get(top as usize) {
                None => (0, 0, 0),
                Some(rest) => (rest.hash, rest.objects, rest.needed),
            };
            let lost = &self.schemas.lost;
            let needs = lost.needs(*task, &arguments, self.facts);
            let takes = lost.takes(*task, &arguments, self.facts);
            if needs.iter().any(|&it| !self.facts.holds(it))
                || takes.iter().any(|&it| self.is_needed(it, top))
            {
                return None;
            }
            self.entries.push(Entry {
                hash: mix(rest ^ task_hash(*task, &arguments)),
                objects: objects | self.facts.twins.among(&arguments),
                needed: needs.iter().fold(needed, |all, &it| all | 1 << (it % 64)),
                needs,
                task: *task,
                arguments,
                below: top,
                from,
            });
            top = self.entries.len() as u32 - 1;
        }
        self.made.push(Made::Refined { task, rule, order });
        Some(top)
    }

    /// True if something from here down needs a fact that nobody makes again.
    fn is_needed(&self, fact: FactId, from: u32) -> bool {
        let mut at = from;
        while let Some(entry) = self.entries.get(at as usize) {
            if entry.needed >> (fact % 64) & 1 == 0 {
                return false;
            }
            if entry.needs.contains(&fact) {
                return true;
            }
            at = entry.below;
        }
        false
    }
}
