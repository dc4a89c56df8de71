//! A plan of the model, found again in the grounded problem.
//!
//! What a plan says of its tasks, and what it leaves to the reader (which of
//! several instances of an action or of a helper was meant), is decided as the
//! plan is carried out: the first that fits the words and can be done here.

use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Ground, MethodIndex, Node, TaskIndex};
use crate::model::{ActionId, ObjectId};
use crate::plan::{Decomposition, Plan, Step};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::world::World;

/// The methods and actions of a plan, in the order in which they are chosen and
/// executed; `None` if it cannot be carried out like this: its tasks are in
/// another order, or something was meant that came second.
pub(super) fn read(world: &World, plan: &Plan) -> Option<Vec<Element>> {
    match world.ground.root {
        None => actions(world, plan),
        Some(root) => Reader::new(world, plan).tree(root),
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
}

impl<'a> Reader<'a> {
    fn new(world: &'a World, plan: &'a Plan) -> Reader<'a> {
        let steps = plan.steps.iter().map(|it| (it.id, Named::Step(it)));
        let tasks = plan.decompositions.iter();
        let tasks = tasks.map(|it| (it.id, Named::Task(it)));
        Reader {
            world,
            plan,
            names: steps.chain(tasks).collect(),
        }
    }

    fn ground(&self) -> &'a Ground {
        &self.world.ground
    }

    fn tree(&self, root: TaskIndex) -> Option<Vec<Element>> {
        let elements = Elements::new(self.ground());
        let mut state = self.world.initial();
        let mut trace = Vec::new();
        let mut open = vec![(Node::Task(root), Named::Root(&self.plan.roots))];
        while let Some((node, named)) = open.pop() {
            match node {
                Node::Action(action) => {
                    let fits = self.world.applicable(action, &state);
                    if !fits || !self.world.apply(action, &mut state) {
                        return None;
                    }
                    trace.push(elements.pack(Kind::Action(action)));
                }
                Node::Task(task) => {
                    let methods = &self.ground().tasks[task as usize].methods;
                    let method = methods.iter().copied().find(|&method| {
                        let own = &self.ground().methods[method as usize].precondition;
                        self.is_meant(method, named) && self.world.holds(own, &state)
                    })?;
                    trace.push(elements.pack(Kind::Method(method)));
                    let subtasks = &self.ground().methods[method as usize].subtasks;
                    let below = (0..subtasks.len()).rev();
                    for place in below {
                        open.push((subtasks[place], self.child(method, place, named)?));
                    }
                }
            }
        }
        Some(trace)
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
