//! Landmarks of a hierarchical problem, counted off along the way.
//!
//! In the relaxation that holds facts, actions and tasks alike, some literals
//! are on every way to the goal: a fact that must come true, an action that
//! must be executed, a task that must be refined. Each node of the search
//! knows which of them it has not met yet, and the fewer there are, the
//! nearer it is: the second opinion of Richter and Westphal's LAMA (2010),
//! with the landmarks of [`crate::analysis::landmarks`], for task networks as in Höller
//! and Bercher ("Landmark generation in HTN planning", 2021).

use std::sync::Arc;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::ground::{Condition, Node, TaskIndex};

use crate::analysis::charge::Charge;
use crate::analysis::relax::Relaxation;
use crate::instance::Instance;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::{StateTable, clear, has, ones, set};

/// The landmarks of one problem, and every set of them some node has left.
pub(crate) struct TaskLandmarks {
    elements: Elements,
    /// Bit, fact, and whether it must hold or fail.
    facts: Vec<(u32, u32, bool)>,
    /// The bit of "this has been done".
    done: FxHashMap<Node, u32>,
    tasks: Vec<TaskIndex>,
    left: StateTable,
    scratch: Vec<u64>,
}

impl TaskLandmarks {
    /// The landmarks of doing the root task and reaching the goal; `None` if
    /// there are too many literals to look, or nothing to be found.
    pub(crate) fn new(
        instance: &Instance,
        run: &mut Run<'_>,
    ) -> Result<Option<TaskLandmarks>, Stop> {
        let ground = instance.ground();
        let relaxed: Arc<Relaxation> = instance.relaxation(Charge::Steps, run)?;
        let Some(found) = instance.landmarks(run)? else {
            return Ok(None);
        };
        let bits: FxHashMap<u32, u32> = found.iter().copied().zip(0..).collect();
        let mut facts = Vec::new();
        for fact in 0..ground.facts.len() as u32 {
            let fails = Condition {
                negative: vec![fact],
                ..Condition::default()
            };
            if let Some(&bit) = bits.get(&fact) {
                facts.push((bit, fact, true));
            }
            if let Some(&bit) = bits.get(&relaxed.condition(&fails)[0]) {
                facts.push((bit, fact, false));
            }
        }
        let actions = (0..ground.actions.len() as u32).map(Node::Action);
        let tasks = (0..ground.tasks.len() as u32).map(Node::Task);
        let done: FxHashMap<Node, u32> = actions
            .chain(tasks)
            .filter_map(|node| Some((node, *bits.get(&relaxed.node(node))?)))
            .collect();
        let words = found.len().div_ceil(64).max(1);
        Ok((facts.len() + done.len() > 1).then(|| TaskLandmarks {
            elements: Elements::new(ground),
            facts,
            done,
            tasks: ground.methods.iter().map(|method| method.task).collect(),
            left: StateTable::new(words),
            scratch: vec![0; words],
        }))
    }

    /// The landmarks of what the root task promises, facts only; `None` if
    /// there are too many facts to look, or nothing to be found.
    pub(crate) fn promised(
        instance: &Instance,
        root: TaskIndex,
        run: &mut Run<'_>,
    ) -> Result<Option<TaskLandmarks>, Stop> {
        let ground = instance.ground();
        let Some(found) = instance.projection(run)?.landmarks(root, run)? else {
            return Ok(None);
        };
        let words = found.len().div_ceil(64).max(1);
        let facts = found.iter().zip(0..).map(|(&fact, bit)| (bit, fact, true));
        Ok((found.len() > 1).then(|| TaskLandmarks {
            elements: Elements::new(ground),
            facts: facts.collect(),
            done: FxHashMap::default(),
            tasks: ground.methods.iter().map(|method| method.task).collect(),
            left: StateTable::new(words),
            scratch: vec![0; words],
        }))
    }

    /// All are ahead.
    pub(crate) fn start(&mut self) -> u32 {
        self.scratch.fill(0);
        for bit in self
            .facts
            .iter()
            .map(|it| it.0)
            .chain(self.done.values().copied())
        {
            set(&mut self.scratch, bit);
        }
        self.left.intern(&self.scratch).0
    }

    /// What is left of `before` after doing `trace`, which led to `state`: the
    /// name of the set, and how many there are.
    pub(crate) fn after(&mut self, before: u32, trace: &[Element], state: &[u64]) -> (u32, u32) {
        self.scratch.copy_from_slice(self.left.get(before));
        for &element in trace {
            let node = match self.elements.kind(element) {
                Kind::Action(action) => Node::Action(action),
                Kind::Task(task) => Node::Task(task),
                Kind::Method(method) => Node::Task(self.tasks[method as usize]),
            };
            if let Some(&bit) = self.done.get(&node) {
                clear(&mut self.scratch, bit);
            }
        }
        for &(bit, fact, holds) in &self.facts {
            if has(state, fact) == holds {
                clear(&mut self.scratch, bit);
            }
        }
        let count = ones(&self.scratch).count() as u32;
        (self.left.intern(&self.scratch).0, count)
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        self.left.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::ground;
    use planoku_engine::Run;

    /// To leave, the key must be taken and the door opened.
    const DOMAIN: &str = "(define (domain d) (:requirements :hierarchy :method-preconditions)
      (:predicates (key) (open) (out))
      (:task leave :parameters ())
      (:method by-the-door :parameters () :task (leave)
        :ordered-subtasks (and (take) (unlock) (walk)))
      (:method by-the-window :parameters () :task (leave)
        :ordered-subtasks (and (take) (climb) (unlock) (walk)))
      (:action take :parameters () :effect (key))
      (:action climb :parameters () :effect (key))
      (:action unlock :parameters () :precondition (key) :effect (open))
      (:action walk :parameters () :precondition (open) :effect (out)))";
    const PROBLEM: &str = "(define (problem p) (:domain d)
      (:htn :ordered-tasks (and (leave))) (:init) (:goal (out)))";

    #[test]
    fn landmarks_are_counted_off_when_they_are_met_and_never_come_back() {
        let model = crate::read(DOMAIN, PROBLEM).0.expect("a model");
        let ground = ground(&model, &mut Run::limit(1)).expect("grounded");
        let instance = Instance::new(ground);
        let (ground, world) = (instance.ground(), &instance.world);
        let mut counted = TaskLandmarks::new(&instance, &mut Run::default())
            .unwrap()
            .expect("landmarks");
        let start = counted.start();
        let mut state = world.initial();
        let (all, count) = counted.after(start, &[], &state);
        // At least: key, open, out and the three actions that cannot be avoided.
        assert!(count >= 6, "{count}");
        let named = |name: &str| {
            let is = |index: &usize| {
                let schema = ground.actions[*index].schema;
                schema.is_some_and(|schema| model.actions[schema.index()].name == name)
            };
            (0..ground.actions.len()).find(is).unwrap() as u32
        };
        let mut left = (all, count);
        for name in ["take", "unlock", "walk"] {
            let action = named(name);
            assert!(world.apply(action, &mut state));
            let element = counted.elements.pack(Kind::Action(action));
            let next = counted.after(left.0, &[element], &state);
            assert!(next.1 + 2 <= left.1, "{name}: {} to {}", left.1, next.1);
            left = next;
        }
        let again = counted.after(left.0, &[], &world.initial());
        assert_eq!(again.1, left.1);
    }
}
