//! Methods that begin alike share their beginning.
//!
//! Refining a task commits to all of a method at once, even where methods
//! differ only near their end. So the methods of a task that ask for the same
//! condition and begin with the same subtasks become one: the common beginning,
//! then a helper task that stands for the choice of how to go on.
//!
//! ```text
//! line → step, write, read red,  line red          line → step, write, rest
//!      | step, write, read blue, line blue         rest → read red,  line red
//!                                                       | read blue, line blue
//! ```
//!
//! Now nobody has to guess the colour before it is written. This is left
//! factoring as parsers do it; the plans are the same ones, and a derivation is
//! told in the words of the methods that its helpers add up to.

use planoku_engine::{EngineError, Run, Stop};
use rustc_hash::FxHashMap;

use crate::ground::{
    Condition, Derivation, Ground, GroundMethod, GroundTask, MethodIndex, Node, Refinement,
    TaskIndex,
};

/// How methods were cut in pieces.
pub(crate) struct Factoring {
    /// For each method of the factored problem the one that it is, or is the
    /// end of; nothing if a helper goes on where it ends.
    whole: Vec<Option<MethodIndex>>,
    /// Tasks from here on are helpers.
    tasks: usize,
}

/// The problem with methods that begin alike made one, and how to tell what is
/// found; nothing if no methods of a task begin alike.
pub(crate) fn factor(
    ground: &Ground,
    run: &mut Run<'_>,
) -> Result<Option<(Ground, Factoring)>, Stop> {
    run.effort(ground.size())?;
    let mut cut = Cut {
        ground,
        tasks: ground.tasks.clone(),
        methods: Vec::with_capacity(ground.methods.len()),
        whole: Vec::with_capacity(ground.methods.len()),
    };
    for task in 0..ground.tasks.len() {
        cut.task(task as TaskIndex, run)?;
    }
    if cut.tasks.len() == ground.tasks.len() {
        return Ok(None);
    }
    let factoring = Factoring {
        whole: cut.whole,
        tasks: ground.tasks.len(),
    };
    let factored = Ground {
        tasks: cut.tasks,
        methods: cut.methods,
        ..ground.clone()
    };
    Ok(Some((factored, factoring)))
}

impl Factoring {
    /// A derivation of the factored problem in the words of the whole one.
    pub(crate) fn restore(
        &self,
        factored: &Ground,
        found: Derivation,
    ) -> Result<Derivation, EngineError> {
        let places = found.refinements.iter().enumerate();
        let by_node: FxHashMap<u32, usize> = places.map(|(at, it)| (it.node, at)).collect();
        let mut refinements = Vec::with_capacity(found.refinements.len());
        for start in &found.refinements {
            if factored.methods[start.method as usize].task as usize >= self.tasks {
                continue;
            }
            let mut children = start.children.clone();
            let mut at = start;
            let method = loop {
                if let Some(method) = self.whole[at.method as usize] {
                    break method;
                }
                let rest = children.pop().and_then(|rest| by_node.get(&rest));
                let Some(&rest) = rest else {
                    let what = "a helper task was not refined";
                    return Err(EngineError::Internal(what.into()));
                };
                at = &found.refinements[rest];
                children.extend(&at.children);
            };
            refinements.push(Refinement {
                node: start.node,
                method,
                children,
            });
        }
        Ok(Derivation {
            steps: found.steps,
            refinements,
        })
    }
}

/// The factored problem in the making.
struct Cut<'a> {
    ground: &'a Ground,
    tasks: Vec<GroundTask>,
    methods: Vec<GroundMethod>,
    whole: Vec<Option<MethodIndex>>,
}

/// Ways to go on, all alike so far: a task, and methods with as many of their
/// subtasks behind them.
struct Open {
    task: TaskIndex,
    methods: Vec<MethodIndex>,
    done: usize,
}

impl Cut<'_> {
    /// Puts the methods of a task in place, those that begin alike as one.
    fn task(&mut self, task: TaskIndex, run: &mut Run<'_>) -> Result<(), Stop> {
        let methods = std::mem::take(&mut self.tasks[task as usize].methods);
        let mut alike: Vec<(&Condition, Vec<MethodIndex>)> = Vec::new();
        let mut place: FxHashMap<&Condition, usize> = FxHashMap::default();
        for method in methods {
            let it = &self.ground.methods[method as usize];
            if !is_total(it) {
                self.push(task, method, it.clone());
                continue;
            }
            let next = alike.len();
            let at = *place.entry(&it.precondition).or_insert(next);
            if at == next {
                alike.push((&it.precondition, Vec::new()));
            }
            alike[at].1.push(method);
        }
        let mut open: Vec<Open> = alike
            .into_iter()
            .map(|(_, methods)| Open {
                task,
                methods,
                done: 0,
            })
            .collect();
        while let Some(ways) = open.pop() {
            run.effort(8 * ways.methods.len() as u64)?;
            self.split(ways, &mut open);
        }
        Ok(())
    }

    /// Splits ways to go on by what comes next.
    fn split(&mut self, ways: Open, open: &mut Vec<Open>) {
        let Open {
            task,
            methods,
            done,
        } = ways;
        let mut groups: Vec<(Option<Node>, Vec<MethodIndex>)> = Vec::new();
        let mut place: FxHashMap<Option<Node>, usize> = FxHashMap::default();
        for method in methods {
            let subtasks = &self.ground.methods[method as usize].subtasks;
            let next = subtasks.get(done).copied();
            let at = *place.entry(next).or_insert(groups.len());
            if at == groups.len() {
                groups.push((next, Vec::new()));
            }
            groups[at].1.push(method);
        }
        for (next, group) in groups {
            let first = &self.ground.methods[group[0] as usize];
            // Of methods that are the same to the end, one will do.
            if group.len() == 1 || next.is_none() {
                let subtasks = first.subtasks[done..].to_vec();
                let piece = self.piece(task, first, done, subtasks);
                self.push(task, group[0], piece);
                continue;
            }
            let common = |other: &MethodIndex| {
                let other = &self.ground.methods[*other as usize].subtasks;
                let pairs = first.subtasks.iter().zip(other);
                pairs.take_while(|(a, b)| a == b).count()
            };
            let until = group.iter().map(common).min().unwrap_or(done);
            let rest = self.tasks.len() as TaskIndex;
            self.tasks.push(GroundTask {
                schema: None,
                arguments: Box::new([]),
                methods: Vec::new(),
            });
            let mut subtasks = first.subtasks[done..until].to_vec();
            subtasks.push(Node::Task(rest));
            let piece = self.piece(task, first, done, subtasks);
            let index = self.methods.len() as MethodIndex;
            self.methods.push(piece);
            self.whole.push(None);
            self.tasks[task as usize].methods.push(index);
            open.push(Open {
                task: rest,
                methods: group,
                done: until,
            });
        }
    }

    /// A part of a method, from one of its subtasks on.
    fn piece(
        &self,
        task: TaskIndex,
        of: &GroundMethod,
        done: usize,
        subtasks: Vec<Node>,
    ) -> GroundMethod {
        let count = subtasks.len() as u32;
        let whole = done == 0;
        GroundMethod {
            schema: of.schema.filter(|_| whole),
            arguments: match whole {
                true => of.arguments.clone(),
                false => Box::new([]),
            },
            task,
            precondition: match whole {
                true => of.precondition.clone(),
                false => Condition::default(),
            },
            subtasks,
            places: (0..count).collect(),
            ordering: (1..count).map(|it| (it - 1, it)).collect(),
        }
    }

    /// Adds a method that ends where a method of the whole problem ends.
    fn push(&mut self, task: TaskIndex, whole: MethodIndex, piece: GroundMethod) {
        let index = self.methods.len() as MethodIndex;
        self.methods.push(piece);
        self.whole.push(Some(whole));
        self.tasks[task as usize].methods.push(index);
    }
}

/// True if only one sequence of the subtasks respects the order.
fn is_total(method: &GroundMethod) -> bool {
    let steps = method.ordering.iter().filter(|(a, b)| a + 1 == *b).count();
    steps + 1 >= method.subtasks.len()
}
