//! Tail recursion is a loop, and a loop is a classical problem.
//!
//! If every method of a task either ends in a task of the same recursive
//! family or never meets the family again, the network does not grow: there
//! is always one such task left, at the end. Each looping method becomes one
//! macro action with the preconditions and effects of its whole refinement,
//! each way to leave becomes a macro that ends the plan, and the place in the
//! family becomes a fact. Any classical engine solves what results, and the
//! decomposition is put together from the traces of the macros.
//!
//! `solve`, which fills a cell and solves again until all is filled, is such a
//! task; its macros are the `assign` actions of Sudoku as classical planning.

use std::cell::Cell;

use planoku_engine::EngineError;

use crate::cost::Cost;
use crate::ground::{
    Condition, Derivation, Ground, GroundAction, GroundFact, MethodIndex, Node, TaskIndex,
};

use crate::analysis::derive::derivation;
use crate::analysis::infer::components;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::world::World;

/// What the actions of the classical problem stand for.
pub(crate) struct Macros {
    /// For each macro, the methods and actions it stands for, in preorder.
    traces: Vec<Vec<Element>>,
    /// What comes before the first macro.
    first: Vec<Element>,
}

/// More macros than this and lifting is given up.
const MANY: usize = 20_000;

/// The same for elements and facts put together on the way: macros that are
/// long, or that most often contradict themselves, take long to make.
const MUCH: u64 = 5_000_000;

/// A refinement of a sequence of tasks, taken as one action.
#[derive(Clone, Default)]
struct Macro {
    trace: Vec<Element>,
    precondition: Condition,
    add: Vec<u32>,
    delete: Vec<u32>,
    cost: Cost,
}

/// Lifts a problem to a classical one, or says why it cannot be lifted; and
/// the effort.
pub(crate) fn macros(world: &World) -> (Result<(Ground, Macros), EngineError>, u64) {
    let lifting = Lifting::new(world);
    let lifted = lifted(world, &lifting);
    (lifted, 3 * lifting.spent.get())
}

fn lifted(world: &World, lifting: &Lifting<'_>) -> Result<(Ground, Macros), EngineError> {
    let ground = &world.ground;
    let unsupported = |why: &str| EngineError::Unsupported(why.into());
    let root = ground.root.ok_or_else(|| unsupported("no tasks"))?;
    if !ground.ordered || !ground.axioms.is_empty() {
        return Err(unsupported("not totally ordered, or derived facts"));
    }
    ground.numbers.refuse("lifting tail recursion")?;
    let &[method] = ground.tasks[root as usize].methods.as_slice() else {
        return Err(unsupported("several initial networks"));
    };
    lifting
        .lift(method)
        .ok_or_else(|| unsupported("the network is not one tail-recursive task"))
}

impl Macros {
    /// The derivation that a plan of macros stands for.
    pub(crate) fn derivation(&self, ground: &Ground, plan: &Derivation) -> Derivation {
        let mut trace = self.first.clone();
        for &(_, action) in &plan.steps {
            trace.extend_from_slice(&self.traces[action as usize]);
        }
        derivation(ground, &trace)
    }
}

struct Lifting<'g> {
    ground: &'g Ground,
    elements: Elements,
    /// For each task, its component.
    component: Vec<usize>,
    recursive: Vec<bool>,
    /// Elements and facts put together so far.
    spent: Cell<u64>,
}

impl<'g> Lifting<'g> {
    fn new(world: &'g World) -> Lifting<'g> {
        let ground = &world.ground;
        let mut component = vec![0; ground.tasks.len()];
        let mut recursive = vec![false; ground.tasks.len()];
        for (number, members) in components(world).into_iter().enumerate() {
            for &task in &members {
                component[task as usize] = number;
                recursive[task as usize] = members.len() > 1 || calls(ground, task, task);
            }
        }
        Lifting {
            ground,
            elements: Elements::new(ground),
            component,
            recursive,
            spent: Cell::new(0),
        }
    }

    /// One macro after another, for all pairs that do not contradict each
    /// other; `None` if that is too much.
    fn sequences(&self, first: &[Macro], then: &[Macro]) -> Option<Vec<Macro>> {
        let mut all = Vec::new();
        for first in first {
            for next in then {
                self.spent
                    .set(self.spent.get() + first.size() + next.size());
                if self.spent.get() > MUCH {
                    return None;
                }
                all.extend(first.then(next));
            }
        }
        Some(all)
    }

    fn lift(&self, root: MethodIndex) -> Option<(Ground, Macros)> {
        let network = &self.ground.methods[root as usize];
        let is_loop = |node: &Node| matches!(node, Node::Task(it) if self.recursive[*it as usize]);
        let place = network.subtasks.iter().position(is_loop)?;
        let Node::Task(entry) = network.subtasks[place] else {
            return None;
        };
        let before = self.refinements(&network.subtasks[..place])?;
        let after = self.refinements(&network.subtasks[place + 1..])?;
        let mut build = Build::new(self, entry);
        for way in before {
            build.push(None, Some(entry), way);
        }
        for task in build.family.clone() {
            for &method in &self.ground.tasks[task as usize].methods {
                self.lift_method(task, method, &after, &mut build)?;
            }
        }
        let mut classical = build.ground;
        classical.goal = self.ground.goal.clone();
        classical.goal.positive.push(build.left);
        let macros = Macros {
            traces: build.traces,
            first: vec![self.elements.pack(Kind::Method(root))],
        };
        self.holds_at_start(&network.precondition)
            .then_some((classical, macros))
    }

    /// The initial network's own condition is checked once.
    fn holds_at_start(&self, condition: &Condition) -> bool {
        let init = &self.ground.init;
        let holds = |fact: &u32| init.binary_search(fact).is_ok();
        condition.positive.iter().all(holds) && !condition.negative.iter().any(holds)
    }

    /// Macros for one method: it goes on to a task of the family, or leaves.
    fn lift_method(
        &self,
        task: TaskIndex,
        method: MethodIndex,
        after: &[Macro],
        build: &mut Build<'_>,
    ) -> Option<()> {
        let subtasks = &self.ground.methods[method as usize].subtasks;
        let family = |node: &Node| matches!(node, Node::Task(it) if self.component[*it as usize] == self.component[task as usize]);
        let head = self.head(method)?;
        match subtasks.iter().position(family) {
            Some(last) if last + 1 == subtasks.len() => {
                let Node::Task(next) = subtasks[last] else {
                    return None;
                };
                let ways = self.refinements(&subtasks[..last])?;
                for whole in self.sequences(&[head], &ways)? {
                    build.push(Some(task), Some(next), whole);
                }
            }
            Some(_) => return None,
            None => {
                let ways = self.refinements(subtasks)?;
                for whole in self.sequences(&self.sequences(&[head], &ways)?, after)? {
                    build.push(Some(task), None, whole);
                }
            }
        }
        (build.traces.len() <= MANY).then_some(())
    }

    /// A method's own condition and its place in the trace.
    fn head(&self, method: MethodIndex) -> Option<Macro> {
        Some(Macro {
            trace: vec![self.elements.pack(Kind::Method(method))],
            precondition: self.ground.methods[method as usize].precondition.clone(),
            ..Macro::default()
        })
    }

    /// Every refinement of a sequence without recursion; `None` if it has
    /// recursion, conditional effects, or too many refinements.
    fn refinements(&self, nodes: &[Node]) -> Option<Vec<Macro>> {
        let mut ways = vec![Macro::default()];
        for &node in nodes {
            let next = match node {
                Node::Action(action) => vec![self.action(action)?],
                Node::Task(task) if self.recursive[task as usize] => return None,
                Node::Task(task) => {
                    let mut all = Vec::new();
                    for &method in &self.ground.tasks[task as usize].methods {
                        let head = self.head(method)?;
                        let subtasks = &self.ground.methods[method as usize].subtasks;
                        let inner = self.refinements(subtasks)?;
                        all.extend(self.sequences(&[head], &inner)?);
                    }
                    all
                }
            };
            if ways.len() * next.len() > MANY {
                return None;
            }
            ways = self.sequences(&ways, &next)?;
        }
        Some(ways)
    }

    fn action(&self, action: u32) -> Option<Macro> {
        let it = &self.ground.actions[action as usize];
        let delete = it.delete.iter().filter(|fact| !it.add.contains(fact));
        it.conditional.is_empty().then(|| Macro {
            trace: vec![self.elements.pack(Kind::Action(action))],
            precondition: it.precondition.clone(),
            add: it.add.clone(),
            delete: delete.copied().collect(),
            cost: it.cost,
        })
    }
}

impl Macro {
    fn size(&self) -> u64 {
        let Condition { positive, negative } = &self.precondition;
        let facts = positive.len() + negative.len() + self.add.len() + self.delete.len();
        (1 + self.trace.len() + facts) as u64
    }

    /// This and then that; `None` if the second can never follow the first.
    fn then(&self, next: &Macro) -> Option<Macro> {
        let mut whole = self.clone();
        whole.trace.extend_from_slice(&next.trace);
        whole.cost += next.cost;
        for &fact in &next.precondition.positive {
            if self.delete.contains(&fact)
                || self.precondition.negative.contains(&fact) && !self.add.contains(&fact)
            {
                return None;
            }
            if !self.add.contains(&fact) {
                insert(&mut whole.precondition.positive, fact);
            }
        }
        for &fact in &next.precondition.negative {
            if self.add.contains(&fact)
                || self.precondition.positive.contains(&fact) && !self.delete.contains(&fact)
            {
                return None;
            }
            if !self.delete.contains(&fact) {
                insert(&mut whole.precondition.negative, fact);
            }
        }
        whole.add.retain(|fact| !next.delete.contains(fact));
        whole.delete.retain(|fact| !next.add.contains(fact));
        next.add
            .iter()
            .for_each(|&fact| insert(&mut whole.add, fact));
        next.delete
            .iter()
            .for_each(|&fact| insert(&mut whole.delete, fact));
        Some(whole)
    }
}

fn insert(list: &mut Vec<u32>, fact: u32) {
    if let Err(place) = list.binary_search(&fact) {
        list.insert(place, fact);
    }
}

/// The classical problem under construction.
struct Build<'g> {
    ground: Ground,
    traces: Vec<Vec<Element>>,
    family: Vec<TaskIndex>,
    /// For each task of the family, the fact "this task is left to do".
    at: Vec<u32>,
    start: u32,
    left: u32,
    original: &'g Ground,
}

impl<'g> Build<'g> {
    fn new(lifting: &Lifting<'g>, entry: TaskIndex) -> Build<'g> {
        let original = lifting.ground;
        let here = lifting.component[entry as usize];
        let family: Vec<TaskIndex> = (0..original.tasks.len() as u32)
            .filter(|&task| lifting.component[task as usize] == here)
            .collect();
        let mut facts = original.facts.clone();
        let mut helper = || {
            facts.push(GroundFact::Helper(facts.len() as u32));
            facts.len() as u32 - 1
        };
        let start = helper();
        let left = helper();
        let at = family.iter().map(|_| helper()).collect();
        let mut init = original.init.clone();
        init.push(start);
        Build {
            ground: Ground {
                facts,
                init,
                ..Ground::default()
            },
            traces: Vec::new(),
            family,
            at,
            start,
            left,
            original,
        }
    }

    /// Adds a macro that leads from a task of the family (or the start) to
    /// another (or the end).
    fn push(&mut self, from: Option<TaskIndex>, to: Option<TaskIndex>, way: Macro) {
        debug_assert!(
            way.add
                .iter()
                .all(|&fact| (fact as usize) < self.original.facts.len())
        );
        let place = |task: TaskIndex| {
            let index = self.family.iter().position(|&other| other == task);
            index.map(|index| self.at[index])
        };
        let before = from.map_or(Some(self.start), place);
        let after = to.map_or(Some(self.left), place);
        let (Some(before), Some(after)) = (before, after) else {
            return;
        };
        let mut action = GroundAction {
            schema: None,
            arguments: [].into(),
            precondition: way.precondition,
            add: way.add,
            delete: way.delete,
            conditional: Vec::new(),
            cost: way.cost,
        };
        insert(&mut action.precondition.positive, before);
        if before != after {
            insert(&mut action.delete, before);
            insert(&mut action.add, after);
        }
        self.ground.actions.push(action);
        self.traces.push(way.trace);
    }
}

fn calls(ground: &Ground, task: TaskIndex, callee: TaskIndex) -> bool {
    let methods = ground.tasks[task as usize].methods.iter();
    methods
        .flat_map(|&method| &ground.methods[method as usize].subtasks)
        .any(|&node| node == Node::Task(callee))
}
