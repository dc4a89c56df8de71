//! What doing a task takes in facts, whichever way it is done.
//!
//! A task *promises* a fact that each of its methods asks for, makes true, or
//! has a subtask that promises it: some time while the task is being done, the
//! fact holds. So a task that stands for a goal ("have this card on the pile")
//! promises it even if the only trace of that is a method with no subtasks
//! that tests it. Read as goals, promises say what remains of a stack of tasks
//! to those who know nothing of tasks. In the same way it promises actions.
//!
//! An action is *preceded* by what every method that has it asks for or has
//! had done before it. What marks something as done needs nothing by itself;
//! with what precedes it, it is as far away as what it marks.
//!
//! Both are the largest sets that agree with this, found by lowering from
//! "everything", components of tasks that lead to one another one by one.
//! What must not hold is left out.
//!
//! A fact is named by its number, an action by its own after those of facts.

use planoku_engine::{Run, Stop};

use crate::analysis::infer::components;
use crate::ground::Node;
use crate::state::world::World;

/// What tasks promise, and what precedes actions.
pub(crate) struct Promises {
    /// For each task, facts and actions, ascending.
    pub(crate) tasks: Vec<Box<[u32]>>,
    /// For each method, actions that are part of it however its subtasks are
    /// refined, ascending.
    pub(crate) methods: Vec<Box<[u32]>>,
    /// For each action, facts, ascending.
    pub(crate) before: Vec<Box<[u32]>>,
}

/// No more than this of one task: everything further would cost each estimate
/// time, and hundreds of goals are a goal clear enough.
const MANY: usize = 200;

impl Promises {
    /// The promises of a problem.
    pub(crate) fn new(world: &World, run: &mut Run<'_>) -> Result<Promises, Stop> {
        let ground = &world.ground;
        let first = ground.facts.len() as u32;
        let actions = ground.actions.iter().zip(first..).map(|(action, number)| {
            let mut facts = action.precondition.positive.clone();
            facts.extend_from_slice(&action.add);
            facts.push(number);
            normalise(&mut facts);
            facts
        });
        let mut lowering = Lowering {
            actions: actions.collect(),
            tasks: vec![None; ground.tasks.len()],
        };
        for component in components(world) {
            let mut changed = true;
            while changed {
                changed = false;
                for &task in &component {
                    changed |= lowering.lower(world, task, run)?;
                }
            }
        }
        let before = lowering.before(world, run)?;
        let methods = ground.methods.iter().map(|method| {
            let mut actions = Vec::new();
            for &node in &method.subtasks {
                let promised = lowering.of(node).unwrap_or_default();
                actions.extend(
                    promised
                        .iter()
                        .filter(|&&it| it >= first)
                        .map(|it| it - first),
                );
            }
            normalise(&mut actions);
            actions.into_boxed_slice()
        });
        run.effort(2 * ground.methods.len() as u64)?;
        let methods = methods.collect();
        let tasks = lowering.tasks.into_iter();
        Ok(Promises {
            methods,
            tasks: tasks.map(|it| it.unwrap_or_default().into()).collect(),
            before: before.into_iter().map(Vec::into_boxed_slice).collect(),
        })
    }
}

struct Lowering {
    actions: Vec<Vec<u32>>,
    /// `None` is "everything".
    tasks: Vec<Option<Vec<u32>>>,
}

impl Lowering {
    fn of(&self, node: Node) -> Option<&[u32]> {
        match node {
            Node::Action(action) => Some(&self.actions[action as usize]),
            Node::Task(task) => self.tasks[task as usize].as_deref(),
        }
    }

    /// What a task promises by what is known of its subtasks; true if that is
    /// less than before.
    fn lower(&mut self, world: &World, task: u32, run: &mut Run<'_>) -> Result<bool, Stop> {
        let ground = &world.ground;
        let mut shared: Option<Vec<u32>> = None;
        let mut facts = Vec::new();
        'methods: for &method in &ground.tasks[task as usize].methods {
            let method = &ground.methods[method as usize];
            facts.clone_from(&method.precondition.positive);
            for &node in &method.subtasks {
                match self.of(node) {
                    Some(promised) => facts.extend_from_slice(promised),
                    None => continue 'methods,
                }
            }
            run.effort(1 + facts.len() as u64)?;
            normalise(&mut facts);
            match &mut shared {
                None => shared = Some(facts.clone()),
                Some(shared) => shared.retain(|fact| facts.binary_search(fact).is_ok()),
            }
            if shared.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        let Some(mut shared) = shared else {
            return Ok(false);
        };
        // Only what was promised before, so that cutting short cannot make
        // this go back and forth.
        if let Some(known) = &self.tasks[task as usize] {
            shared.retain(|fact| known.binary_search(fact).is_ok());
        }
        shared.truncate(MANY);
        let changed = self.tasks[task as usize].as_ref() != Some(&shared);
        self.tasks[task as usize] = Some(shared);
        Ok(changed)
    }

    fn before(&self, world: &World, run: &mut Run<'_>) -> Result<Vec<Vec<u32>>, Stop> {
        let ground = &world.ground;
        let first = ground.facts.len() as u32;
        let mut before: Vec<Option<Vec<u32>>> = vec![None; ground.actions.len()];
        for method in &ground.methods {
            let mut facts = method.precondition.positive.clone();
            normalise(&mut facts);
            for &node in &method.subtasks {
                run.effort(1 + facts.len() as u64 / 4)?;
                if let Node::Action(action) = node {
                    match &mut before[action as usize] {
                        None => before[action as usize] = Some(facts.clone()),
                        Some(shared) => shared.retain(|it| facts.binary_search(it).is_ok()),
                    }
                }
                if ground.ordered {
                    let promised = self.of(node).unwrap_or_default().iter();
                    facts.extend(promised.filter(|&&it| it < first));
                    normalise(&mut facts);
                    facts.truncate(MANY);
                }
            }
        }
        Ok(before.into_iter().map(Option::unwrap_or_default).collect())
    }
}

fn normalise(facts: &mut Vec<u32>) {
    facts.sort_unstable();
    facts.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Ground, GroundFact, ground};
    use crate::model::Model;

    /// A task is done by a method that makes the fact, by one that finds it
    /// and by one that goes round; marking comes after that.
    const DOMAIN: &str = "(define (domain d) (:requirements :hierarchy :method-preconditions)
      (:predicates (warm) (lit) (marked) (other))
      (:task heat :parameters ()) (:task warmed :parameters ())
      (:method heats :parameters () :task (warmed)
        :ordered-subtasks (and (heat) (mark)))
      (:method is :parameters () :task (heat) :precondition (warm)
        :ordered-subtasks (and))
      (:method by-fire :parameters () :task (heat)
        :ordered-subtasks (and (light) (burn)))
      (:method again :parameters () :task (heat)
        :ordered-subtasks (and (wait) (heat)))
      (:action light :parameters () :effect (lit))
      (:action burn :parameters () :precondition (lit) :effect (warm))
      (:action wait :parameters () :effect (other))
      (:action mark :parameters () :effect (marked)))";
    const PROBLEM: &str = "(define (problem p) (:domain d)
      (:htn :ordered-tasks (and (warmed))) (:init) (:goal (marked)))";

    fn names(model: &Model, ground: &Ground, promised: &[u32]) -> Vec<String> {
        let name = |&it: &u32| match ground.facts.get(it as usize) {
            Some(GroundFact::Atom(predicate, _)) => {
                model.predicates[predicate.index()].name.to_string()
            }
            Some(_) => "helper".to_string(),
            None => {
                let action = &ground.actions[it as usize - ground.facts.len()];
                let schema = action.schema.expect("an action of the model");
                model.actions[schema.index()].name.to_string()
            }
        };
        let mut names: Vec<String> = promised.iter().map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_task_promises_what_each_way_of_doing_it_comes_by() {
        let model = crate::read(DOMAIN, PROBLEM).0.expect("a model");
        let ground = ground(&model, &mut Run::default()).expect("grounded");
        let world = World::new(ground);
        let promises = Promises::new(&world, &mut Run::default()).unwrap();
        let ground = &world.ground;
        let of = |name: &str| {
            let is = |task: &usize| {
                let schema = ground.tasks[*task].schema;
                schema.is_some_and(|it| model.tasks[it.index()].name == name)
            };
            let task = (0..ground.tasks.len()).find(is).expect("the task");
            names(&model, ground, &promises.tasks[task])
        };
        assert_eq!(of("heat"), ["warm"]);
        assert_eq!(of("warmed"), ["mark", "marked", "warm"]);
        let mark = (0..ground.actions.len()).find(|&it| {
            let schema = ground.actions[it].schema;
            schema.is_some_and(|it| model.actions[it.index()].name == "mark")
        });
        let before = &promises.before[mark.expect("the action")];
        assert_eq!(names(&model, ground, before), ["warm"]);
    }
}
