//! A plan of the model, found again in the grounded problem.
//!
//! What a plan says of its tasks, and what it leaves to the reader (which of
//! several instances of an action or of a helper was meant), is decided as the
//! plan is carried out: the first that fits the words and can be done here.

use std::cell::Cell;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Ground, MethodIndex, Node, TaskIndex};
use crate::model::{ActionId, ObjectId};
use crate::plan::{Decomposition, Plan, Step};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::world::World;

/// The methods and actions of a plan, in the order in which they are chosen and
/// executed; `None` if it cannot be carried out like this: its tasks are in
/// another order, or something was meant that came second.
pub(super) fn read(
    world: &World,
    plan: &Plan,
    run: &mut Run<'_>,
) -> Result<Option<Vec<Element>>, Stop> {
    run.effort((world.ground.actions.len() + 20 * plan.steps.len()) as u64)?;
    match world.ground.root {
        None => Ok(actions(world, plan)),
        Some(root) => Reader::new(world, plan).tree(root, run),
    }
}

fn actions(world: &World, plan: &Plan) -> Option<Vec<Element>> {
    let elements = Elements::new(&world.ground);
    let mut known: FxHashMap<(ActionId, &[ObjectId]), Vec<ActionIndex>> = FxHashMap::default();
    for (index, action) in world.ground.actions.iter().enumerate() {
        if let Some(schema) = action.schema {
            let instances = known.entry((schema, &action.arguments)).or_default();
            instances.push(index as ActionIndex);
        }
    }
    let mut state = world.initial();
    let mut act = |step: &Step| {
        let meant = known.get(&(step.action, &*step.arguments))?;
        let mut fits = meant.iter().filter(|&&it| world.applicable(it, &state));
        let &action = fits.next()?;
        let done = world.apply(action, &mut state);
        done.then(|| elements.pack(Kind::Action(action)))
    };
    plan.steps.iter().map(&mut act).collect()
}

/// What a number in a plan stands for.
#[derive(Clone, Copy)]
enum Named<'p> {
    Step(&'p Step),
    Task(&'p Decomposition),
    /// The initial network.
    Root(&'p [u64]),
}

struct Reader<'a> {
    world: &'a World,
    plan: &'a Plan,
    names: FxHashMap<u64, Named<'a>>,
    /// Steps it took to look at methods, as far as nobody was told.
    work: Cell<u64>,
}

/// Steps it takes to see whether a method is meant: one task may have tens of
/// thousands, and be done as often.
const LOOK: u64 = 4;

impl<'a> Reader<'a> {
    fn new(world: &'a World, plan: &'a Plan) -> Reader<'a> {
        let steps = plan.steps.iter().map(|it| (it.id, Named::Step(it)));
        let tasks = plan.decompositions.iter();
        let tasks = tasks.map(|it| (it.id, Named::Task(it)));
        Reader {
            world,
            plan,
            names: steps.chain(tasks).collect(),
            work: Cell::new(0),
        }
    }

    fn ground(&self) -> &'a Ground {
        &self.world.ground
    }

    fn tree(&self, root: TaskIndex, run: &mut Run<'_>) -> Result<Option<Vec<Element>>, Stop> {
        let elements = Elements::new(self.ground());
        let mut state = self.world.initial();
        let mut trace = Vec::new();
        let mut open = vec![(Node::Task(root), Named::Root(&self.plan.roots))];
        while let Some((node, named)) = open.pop() {
            let element = match node {
                Node::Action(action) => {
                    let fits = self.world.applicable(action, &state);
                    let done = fits && self.world.apply(action, &mut state);
                    done.then(|| elements.pack(Kind::Action(action)))
                }
                Node::Task(task) => {
                    let method = self.method(task, named, &state);
                    let below = method.and_then(|it| self.put_below(it, named, &mut open));
                    below.and(method).map(|it| elements.pack(Kind::Method(it)))
                }
            };
            run.effort(self.work.take())?;
            match element {
                Some(element) => trace.push(element),
                None => return Ok(None),
            }
        }
        Ok(Some(trace))
    }

    /// The first method of a task that is meant and can begin here.
    fn method(&self, task: TaskIndex, named: Named<'a>, state: &[u64]) -> Option<MethodIndex> {
        let methods = &self.ground().tasks[task as usize].methods;
        methods.iter().copied().find(|&method| {
            let own = &self.ground().methods[method as usize].precondition;
            self.is_meant(method, named) && self.world.holds(own, state)
        })
    }

    /// Opens the subtasks of a method, the first one last.
    fn put_below(
        &self,
        method: MethodIndex,
        named: Named<'a>,
        open: &mut Vec<(Node, Named<'a>)>,
    ) -> Option<()> {
        let subtasks = &self.ground().methods[method as usize].subtasks;
        for place in (0..subtasks.len()).rev() {
            open.push((subtasks[place], self.child(method, place, named)?));
        }
        Some(())
    }

    /// What the subtask of a method at a place was, given what the method's task
    /// was. A helper has one, which is its own.
    fn child(&self, method: MethodIndex, place: usize, named: Named<'a>) -> Option<Named<'a>> {
        let method = &self.ground().methods[method as usize];
        let children = match named {
            _ if self.is_helper(method.task) => return Some(named),
            Named::Step(_) => return None,
            Named::Task(task) => &*task.children,
            Named::Root(children) => children,
        };
        let id = children.get(*method.places.get(place)? as usize)?;
        self.names.get(id).copied()
    }

    fn is_helper(&self, task: TaskIndex) -> bool {
        Some(task) != self.ground().root && self.ground().tasks[task as usize].schema.is_none()
    }

    /// True if that method says what the plan says.
    fn is_meant(&self, index: MethodIndex, named: Named<'a>) -> bool {
        self.work.set(self.work.get() + LOOK);
        let method = &self.ground().methods[index as usize];
        let itself = match named {
            _ if self.is_helper(method.task) => method.subtasks.len() == 1,
            Named::Step(_) => false,
            Named::Task(task) => {
                method.schema == Some(task.method) && method.subtasks.len() == task.children.len()
            }
            Named::Root(children) => method.subtasks.len() == children.len(),
        };
        let mut below = method.subtasks.iter().enumerate();
        itself
            && below.all(|(place, &node)| {
                let child = self.child(index, place, named);
                child.is_some_and(|child| self.stands_for(node, child))
            })
    }

    fn stands_for(&self, node: Node, named: Named<'a>) -> bool {
        match (node, named) {
            (Node::Action(action), Named::Step(step)) => {
                let action = &self.ground().actions[action as usize];
                action.schema == Some(step.action) && *action.arguments == *step.arguments
            }
            (Node::Task(task), _) if self.is_helper(task) => {
                let mut methods = self.ground().tasks[task as usize].methods.iter();
                methods.any(|&method| self.is_meant(method, named))
            }
            (Node::Task(task), Named::Task(done)) => {
                let task = &self.ground().tasks[task as usize];
                task.schema == Some(done.task) && *task.arguments == *done.arguments
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use planoku_engine::Engine;

    use super::*;
    use crate::algorithms::Progression;
    use crate::ground::ground;
    use crate::instance::Instance;

    /// A road of `n` places: the task to go on has a method for each of them, and
    /// is done as often.
    fn road(n: usize) -> (String, String) {
        let domain = "(define (domain road) (:requirements :hierarchy)
            (:predicates (at ?p) (next ?p ?q) (last ?p))
            (:task on :parameters ())
            (:method further :parameters (?p ?q) :task (on)
              :precondition (and (at ?p) (next ?p ?q))
              :ordered-subtasks (and (go ?p ?q) (on)))
            (:method there :parameters (?p) :task (on)
              :precondition (and (at ?p) (last ?p)) :ordered-subtasks (and))
            (:action go :parameters (?p ?q) :precondition (and (at ?p) (next ?p ?q))
              :effect (and (not (at ?p)) (at ?q))))";
        let objects: String = (0..=n).map(|it| format!("p{it} ")).collect();
        let next: String = (0..n)
            .map(|it| format!("(next p{it} p{}) ", it + 1))
            .collect();
        let problem = format!(
            "(define (problem p) (:domain road) (:objects {objects})
            (:htn :ordered-subtasks (and (on))) (:init (at p0) (last p{n}) {next}))"
        );
        (domain.into(), problem)
    }

    /// Found by `torture`: with 27,500 places reading took ten seconds that were
    /// not counted, nobody could interrupt it, and the plan was lost.
    #[test]
    fn methods_that_are_looked_at_are_counted() {
        let n = 100;
        let (domain, problem) = road(n);
        let model = crate::read(&domain, &problem).0.expect("a model");
        let instance = Instance::new(ground(&model, &mut Run::default()).unwrap());
        let found = Progression::fail_first().solve(&instance, &mut Run::limit(1));
        let plan = found.unwrap().answers[0].plan(&instance).unwrap();
        let mut run = Run::default();
        let trace = read(&instance.world, &plan, &mut run).unwrap().unwrap();
        assert_eq!(trace.len(), 2 * n + 2);
        assert!(run.work() >= (n * n / 2) as u64 * LOOK, "{}", run.work());
    }
}
