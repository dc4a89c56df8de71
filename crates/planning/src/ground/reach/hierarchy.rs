//! Method instances: each asks for its subtasks in its own order, and is told
//! when they have been achieved.

use planoku_engine::{Run, Stop};

use super::super::condition::{Form, Prepared};
use super::super::relation::NONE;
use super::{MethodInstance, Reach};
use crate::model::TaskRef;

impl<'a> Reach<'a> {
    /// Makes a method instance and asks for its first subtasks.
    pub(super) fn create(
        &mut self,
        m: usize,
        values: &mut [u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for &(v, value) in &self.idle[m] {
            values[v as usize] = value;
        }
        if !self.rest_is_conceivable(|reach| &mut reach.method_conditions[m], values, run)? {
            return Ok(());
        }
        let method = &self.world.schemas.methods[m];
        self.tuple.clear();
        let head = method.head.iter().map(|slot| slot.value(values));
        self.tuple.extend(head);
        let relation = &self.world.relations[self.model.predicates.len() + method.task];
        let Some(row) = relation.table.find(&self.tuple) else {
            return Ok(());
        };
        let instance = self.instances.len() as u32;
        self.instances.push(MethodInstance {
            method: m as u32,
            values: self.values.len() as u32,
            nodes: self.nodes.len() as u32,
            left: method.subtasks.len() as u32,
            task: relation.ids[row as usize],
        });
        self.values.extend_from_slice(&values[..method.arity]);
        let first = self.nodes.len();
        self.nodes.resize(first + method.subtasks.len(), NONE);
        self.missing.extend_from_slice(&method.predecessors);
        if method.subtasks.is_empty() {
            let task = self.instances[instance as usize].task;
            self.achieve_task(task);
        }
        for place in 0..self.world.schemas.methods[m].subtasks.len() {
            if self.world.schemas.methods[m].predecessors[place] == 0 {
                self.start(instance, place, run)?;
            }
        }
        Ok(())
    }

    /// False if a formula of a condition can never hold.
    pub(super) fn rest_is_conceivable(
        &mut self,
        of: impl for<'b> Fn(&'b mut Reach<'a>) -> &'b mut Prepared,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        if of(self).rest.is_empty() {
            return Ok(true);
        }
        let rest = std::mem::take(&mut of(self).rest);
        let mut conceivable = Ok(true);
        for part in &rest {
            match self.world.residual(part, values, run) {
                Ok(Form::False) => conceivable = Ok(false),
                Ok(_) => continue,
                Err(stop) => conceivable = Err(stop),
            }
            break;
        }
        of(self).rest = rest;
        self.reached.resize(self.world.facts.len(), false);
        conceivable
    }

    /// Asks for a subtask whose predecessors have been achieved.
    pub(super) fn start(
        &mut self,
        instance: u32,
        place: usize,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let MethodInstance {
            method,
            values,
            nodes,
            ..
        } = self.instances[instance as usize];
        let method = &self.world.schemas.methods[method as usize];
        let values = &self.values[values as usize..values as usize + method.arity];
        let (node, arguments) = &method.subtasks[place];
        let mut tuple = std::mem::take(&mut self.tuple);
        tuple.clear();
        tuple.extend(arguments.iter().map(|slot| slot.value(values)));
        let (number, done, watch) = match *node {
            TaskRef::Task(task) => {
                let number = self.ask_for_task(task.index(), &tuple);
                let done = self.achieved[number as usize];
                (number, done, &mut self.task_watch[number as usize])
            }
            TaskRef::Action(action) => {
                let number = self.ask_for_action(action.index(), &tuple, run)?;
                let done = self.executable[number as usize];
                (number, done, &mut self.action_watch[number as usize])
            }
        };
        self.tuple = tuple;
        if done {
            self.news.push((instance, place as u32));
        } else {
            self.watches.push((instance, place as u32, *watch));
            *watch = self.watches.len() as u32 - 1;
        }
        self.nodes[nodes as usize + place] = number;
        Ok(())
    }

    /// Tells instances which of their subtasks have been achieved.
    pub(super) fn spread(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        while let Some((number, place)) = self.news.pop() {
            let instance = &mut self.instances[number as usize];
            instance.left -= 1;
            let MethodInstance {
                method,
                nodes,
                left,
                task,
                ..
            } = *instance;
            if left == 0 {
                self.achieve_task(task);
                continue;
            }
            let count = self.schemas().methods[method as usize].successors[place as usize].len();
            for next in 0..count {
                let next = self.schemas().methods[method as usize].successors[place as usize][next];
                let missing = &mut self.missing[(nodes + next) as usize];
                *missing -= 1;
                if *missing == 0 {
                    self.start(number, next as usize, run)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn ask_for_task(&mut self, task: usize, tuple: &[u32]) -> u32 {
        let number = self.model.predicates.len() + task;
        let relation = &mut self.world.relations[number];
        let (row, new) = relation.table.intern(tuple);
        if new {
            relation.ids.push(self.tasks.len() as u32);
            self.tasks.push((task as u32, row));
            self.achieved.push(false);
            self.task_watch.push(NONE);
            self.queue.push((number as u32, row));
        }
        self.world.relations[number].ids[row as usize]
    }

    pub(super) fn achieve_task(&mut self, task: u32) {
        if std::mem::replace(&mut self.achieved[task as usize], true) {
            return;
        }
        let watch = std::mem::replace(&mut self.task_watch[task as usize], NONE);
        self.tell(watch);
    }

    pub(super) fn tell(&mut self, mut watch: u32) {
        while watch != NONE {
            let (instance, place, next) = self.watches[watch as usize];
            self.news.push((instance, place));
            watch = next;
        }
    }
}
