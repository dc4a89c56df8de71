//! Loops whose laps can be told as one step each.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::graph::components;
use crate::ground::{Condition, FactIndex, Ground, MethodIndex, Node, TaskIndex};

/// The number of a [`Unit`].
pub(super) type UnitId = usize;

/// Loops with at most so many ways through each body are told otherwise.
pub(in crate::satplan) const FEW_WAYS: u64 = 64;

/// More facts and subtasks than this, and the loop is left to others.
const MUCH: u64 = 20_000_000;

/// A loop, and all that a lap may come to.
pub(in crate::satplan) struct Body {
    /// The method of the initial network: the loop and nothing else.
    pub(super) root: MethodIndex,
    entry: TaskIndex,
    pub(super) units: Vec<Unit>,
    /// The units that are whole laps.
    pub(super) laps: Vec<UnitId>,
    pub(super) tasks: Vec<Inner>,
    /// The methods that leave the loop. They have no subtasks.
    pub(super) leaves: Vec<MethodIndex>,
    /// What laps may change.
    pub(super) changing: Vec<FactIndex>,
}

/// A method with the actions that are directly below it.
pub(super) struct Unit {
    /// The method; before it those of which it is all there is.
    pub(super) methods: Vec<MethodIndex>,
    pub(super) needs: Condition,
    pub(super) add: Vec<FactIndex>,
    pub(super) delete: Vec<FactIndex>,
    /// Its subtasks that are tasks, in their order.
    pub(super) tasks: Vec<usize>,
}

/// A task inside a lap.
#[derive(Default)]
pub(super) struct Inner {
    pub(super) units: Vec<UnitId>,
    /// The units that have it as a subtask.
    pub(super) parents: Vec<UnitId>,
    /// True if something below it changes a fact.
    pub(super) changes: bool,
}

/// What is read and what is changed below a task, sorted.
#[derive(Clone, Default)]
struct Touched {
    reads: Vec<FactIndex>,
    changes: Vec<FactIndex>,
}

impl Body {
    /// The loop that a problem consists of, if it is one whose laps can be told
    /// as one step each, and if a body has more than `few` ways.
    pub(in crate::satplan) fn of(
        ground: &Ground,
        few: u64,
        run: &mut Run<'_>,
    ) -> Result<Option<Body>, Stop> {
        let Some((root, entry)) = the_loop(ground) else {
            return Ok(None);
        };
        let methods = &ground.tasks[entry as usize].methods;
        let (looping, leaves): (Vec<MethodIndex>, Vec<MethodIndex>) =
            methods.iter().partition(|&&it| ends_in(ground, it, entry));
        let leaves_at_once = |it: &MethodIndex| ground.methods[*it as usize].subtasks.is_empty();
        if looping.is_empty() || !leaves.iter().all(leaves_at_once) {
            return Ok(None);
        }
        let mut making = Making {
            ground,
            place: FxHashMap::default(),
            touched: Vec::new(),
            spent: 0,
            body: Body {
                root,
                entry,
                units: Vec::new(),
                laps: Vec::new(),
                tasks: Vec::new(),
                leaves,
                changing: Vec::new(),
            },
        };
        let whole = making.inner_tasks(&looping, few, run)? && making.laps(&looping, run)?;
        Ok(whole.then_some(making.body))
    }

    /// The parts of a unit: the subtasks of its last method that are not the
    /// loop again.
    pub(super) fn parts<'g>(&self, ground: &'g Ground, unit: UnitId) -> &'g [Node] {
        let methods = &self.units[unit].methods;
        parts(ground, methods[methods.len() - 1], self.entry)
    }

    /// No more steps than this are of use, if that is a number: then a state
    /// comes twice.
    pub(super) fn longest(&self) -> Option<u64> {
        1u64.checked_shl(self.changing.len() as u32)
    }
}

/// The initial network's method and its only task, if that may come again.
fn the_loop(ground: &Ground) -> Option<(MethodIndex, TaskIndex)> {
    let root = ground.root?;
    let &[method] = ground.tasks[root as usize].methods.as_slice() else {
        return None;
    };
    let network = &ground.methods[method as usize];
    let &[Node::Task(entry)] = network.subtasks.as_slice() else {
        return None;
    };
    let holds = |fact: &FactIndex| ground.init.binary_search(fact).is_ok();
    let Condition { positive, negative } = &network.precondition;
    let applies = positive.iter().all(holds) && !negative.iter().any(holds);
    let plain = ground.ordered
        && ground.axioms.is_empty()
        && ground.numbers.is_empty()
        && ground.actions.iter().all(|it| it.conditional.is_empty());
    (applies && plain).then_some((method, entry))
}

/// True if a problem is one loop, whether or not its laps are apart.
pub(crate) fn is_loop(ground: &Ground) -> bool {
    the_loop(ground).is_some_and(|(_, entry)| {
        let mut methods = ground.tasks[entry as usize].methods.iter();
        methods.any(|&it| ends_in(ground, it, entry))
    })
}

fn ends_in(ground: &Ground, method: MethodIndex, task: TaskIndex) -> bool {
    ground.methods[method as usize].subtasks.last() == Some(&Node::Task(task))
}

/// The subtasks of a method but for the loop at its end.
fn parts(ground: &Ground, method: MethodIndex, entry: TaskIndex) -> &[Node] {
    let subtasks = &ground.methods[method as usize].subtasks;
    subtasks
        .strip_suffix(&[Node::Task(entry)])
        .unwrap_or(subtasks)
}

fn tasks_of(ground: &Ground, method: MethodIndex, entry: TaskIndex) -> impl Iterator<Item = usize> {
    let parts = parts(ground, method, entry).iter();
    parts.filter_map(|part| match part {
        Node::Task(task) => Some(*task as usize),
        Node::Action(_) => None,
    })
}

/// A body in the making.
struct Making<'g> {
    ground: &'g Ground,
    body: Body,
    /// For each task inside, its place.
    place: FxHashMap<TaskIndex, usize>,
    /// For each task inside by its place.
    touched: Vec<Touched>,
    spent: u64,
}

impl Making<'_> {
    /// Makes all tasks inside a lap, the deepest first; false if one of them is
    /// recursive or has parts that touch the same, or if there are few ways.
    fn inner_tasks(
        &mut self,
        looping: &[MethodIndex],
        few: u64,
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        let (ground, entry) = (self.ground, self.body.entry);
        let first = looping.iter().flat_map(|&it| tasks_of(ground, it, entry));
        let below = |task: usize| {
            let methods = ground.tasks[task].methods.iter();
            methods.flat_map(move |&it| tasks_of(ground, it, TaskIndex::MAX))
        };
        let mut ways: FxHashMap<usize, u64> = FxHashMap::default();
        let ways_of = |ways: &FxHashMap<usize, u64>, method, entry| {
            let tasks = tasks_of(ground, method, entry);
            tasks.fold(1u64, |product, task| product.saturating_mul(ways[&task]))
        };
        for component in components(ground.tasks.len(), first, below) {
            let task = component[0];
            if component.len() > 1 || below(task).any(|it| it == task) {
                return Ok(false);
            }
            let methods = ground.tasks[task].methods.iter();
            let ways_here = methods.map(|&it| ways_of(&ways, it, TaskIndex::MAX));
            let ways_here = ways_here.fold(0, u64::saturating_add);
            ways.insert(task, ways_here);
            if !self.inner_task(task as TaskIndex, run)? {
                return Ok(false);
            }
        }
        let most = looping.iter().map(|&it| ways_of(&ways, it, entry)).max();
        Ok(most.is_some_and(|most| most > few))
    }

    fn inner_task(&mut self, task: TaskIndex, run: &mut Run<'_>) -> Result<bool, Stop> {
        let mut inner = Inner::default();
        let mut all = Touched::default();
        for &method in &self.ground.tasks[task as usize].methods {
            let needs = self.ground.methods[method as usize].precondition.clone();
            let Some((unit, touched)) = self.unit(vec![method], needs, run)? else {
                return Ok(false);
            };
            inner.units.push(self.body.units.len());
            self.body.units.push(unit);
            all.reads.extend(touched.reads);
            all.changes.extend(touched.changes);
        }
        for list in [&mut all.reads, &mut all.changes] {
            list.sort_unstable();
            list.dedup();
        }
        self.spent += (all.reads.len() + all.changes.len()) as u64;
        inner.changes = !all.changes.is_empty();
        self.place.insert(task, self.body.tasks.len());
        self.body.tasks.push(inner);
        self.touched.push(all);
        Ok(self.spent <= MUCH)
    }

    /// Makes the laps, and with them what they may change.
    fn laps(&mut self, looping: &[MethodIndex], run: &mut Run<'_>) -> Result<bool, Stop> {
        let ground = self.ground;
        let mut changing = Vec::new();
        let mut open: Vec<(Vec<MethodIndex>, Condition)> = Vec::new();
        for &method in looping.iter().rev() {
            open.push((
                vec![method],
                ground.methods[method as usize].precondition.clone(),
            ));
        }
        while let Some((methods, needs)) = open.pop() {
            run.effort(1)?;
            self.spent += methods.len() as u64;
            if self.spent > MUCH {
                return Ok(false);
            }
            // A method that is nothing but one task is as many laps as that has
            // methods.
            let last = methods[methods.len() - 1];
            if let &[Node::Task(only)] = parts(ground, last, self.body.entry) {
                for &next in ground.tasks[only as usize].methods.iter().rev() {
                    let mut needs = needs.clone();
                    require(&mut needs, &ground.methods[next as usize].precondition);
                    let methods = methods.iter().copied().chain([next]).collect();
                    open.push((methods, needs));
                }
                continue;
            }
            let Some((unit, touched)) = self.unit(methods, needs, run)? else {
                return Ok(false);
            };
            // Laps that change nothing would only make the plan longer.
            if touched.changes.is_empty() {
                continue;
            }
            changing.extend(touched.changes);
            self.body.laps.push(self.body.units.len());
            self.body.units.push(unit);
        }
        changing.sort_unstable();
        changing.dedup();
        self.body.changing = changing;
        for (id, unit) in self.body.units.iter().enumerate() {
            for &task in &unit.tasks {
                self.body.tasks[task].parents.push(id);
            }
        }
        Ok(true)
    }

    /// A unit, and what is touched below it; `None` if two of its parts touch
    /// the same, or a task below it changes what it needs itself.
    fn unit(
        &mut self,
        methods: Vec<MethodIndex>,
        needs: Condition,
        run: &mut Run<'_>,
    ) -> Result<Option<(Unit, Touched)>, Stop> {
        let ground = self.ground;
        let mut unit = Unit {
            needs,
            add: Vec::new(),
            delete: Vec::new(),
            tasks: Vec::new(),
            methods,
        };
        // (fact, part, is it changed); part 0 is the unit's own condition.
        let mut touching: Vec<(FactIndex, usize, bool)> = Vec::new();
        let own = unit.needs.positive.iter().chain(&unit.needs.negative);
        touching.extend(own.map(|&fact| (fact, 0, false)));
        let last = unit.methods[unit.methods.len() - 1];
        let parts = parts(ground, last, self.body.entry);
        for (part, node) in (1..).zip(parts) {
            let (reads, changes): (Vec<u32>, Vec<u32>) = match *node {
                Node::Action(action) => {
                    let action = &ground.actions[action as usize];
                    let Condition { positive, negative } = &action.precondition;
                    let delete = action.delete.iter().filter(|it| !action.add.contains(it));
                    let delete: Vec<FactIndex> = delete.copied().collect();
                    require(&mut unit.needs, &action.precondition);
                    unit.add.extend(&action.add);
                    unit.delete.extend(&delete);
                    (
                        positive.iter().chain(negative).copied().collect(),
                        action.add.iter().copied().chain(delete).collect(),
                    )
                }
                Node::Task(task) => {
                    let place = self.place[&task];
                    unit.tasks.push(place);
                    let Touched { reads, changes } = self.touched[place].clone();
                    (reads, changes)
                }
            };
            touching.extend(reads.into_iter().map(|fact| (fact, part, false)));
            touching.extend(changes.into_iter().map(|fact| (fact, part, true)));
        }
        run.effort(touching.len() as u64)?;
        self.spent += touching.len() as u64;
        touching.sort_unstable();
        let is_task = |part: usize| part > 0 && matches!(parts[part - 1], Node::Task(_));
        let clash = touching.chunk_by(|a, b| a.0 == b.0).any(|same| {
            let mut changing = same.iter().filter(|it| it.2).map(|it| it.1);
            changing.any(|by| {
                let others = same.iter().map(|it| it.1);
                let mut others = others.filter(|&other| other != by);
                others.any(|other| other > 0 || is_task(by))
            })
        });
        let list = |changed: bool| {
            let list = touching.iter().filter(|it| it.2 == changed);
            let mut list: Vec<FactIndex> = list.map(|it| it.0).collect();
            list.dedup();
            list
        };
        let touched = Touched {
            reads: list(false),
            changes: list(true),
        };
        Ok((!clash).then_some((unit, touched)))
    }
}

/// Adds a condition to another.
fn require(all: &mut Condition, more: &Condition) {
    all.positive.extend(&more.positive);
    all.negative.extend(&more.negative);
}
