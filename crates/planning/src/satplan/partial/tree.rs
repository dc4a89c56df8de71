//! What partially ordered tasks may come to, down to a depth.
//!
//! A [`Position`] is a place of the decomposition tree and holds everything
//! that may stand there, of which at most one thing does: actions, tasks, and
//! *checks*, the moments at which the condition of a method without any action
//! holds. Subtasks of methods that exclude each other share positions, the same
//! subtask the same position where the order allows it. A method of which some
//! subtask needs more depth than is left is not there.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use crate::graph;
use crate::ground::{Condition, Ground, GroundMethod, MethodIndex, Node};

/// Index into [`Tree::positions`]; a child's is larger than its parent's.
pub(super) type PositionId = usize;

/// What may stand at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum What {
    /// An action, or a task to be refined.
    Node(Node),
    /// The condition of this method of the parent's task, which has no action.
    Check(MethodIndex),
}

/// A place in the tree.
#[derive(Default)]
pub(super) struct Position {
    pub(super) alternatives: Vec<Alternative>,
    /// The ways to refine the tasks that may stand here.
    pub(super) choices: Vec<Choice>,
    pub(super) children: std::ops::Range<PositionId>,
    /// The position it is a child of; itself for the root.
    pub(super) parent: PositionId,
    /// `(a, b, choices)`: of the children, what is at `a` comes before what is
    /// at `b`, under these choices; always, if there are none.
    pub(super) order: Vec<(PositionId, PositionId, Vec<usize>)>,
}

/// Something that may stand at a position.
pub(super) struct Alternative {
    pub(super) what: What,
    /// The choices of the parent that lead to it.
    pub(super) by: Vec<usize>,
    /// Levels of choice left below it.
    depth: u32,
}

/// A method for a task.
pub(super) struct Choice {
    /// Which of the alternatives is the task.
    pub(super) alternative: usize,
    pub(super) method: MethodIndex,
    /// For each subtask, the child it is at.
    pub(super) places: Vec<PositionId>,
}

/// A tree of a depth.
pub(super) struct Tree {
    pub(super) positions: Vec<Position>,
    /// Something was left out for want of depth.
    pub(super) pruned: bool,
    /// About how much memory it holds.
    pub(super) bytes: u64,
}

/// For each task, the least depth in which it can be refined: how many tasks
/// with more than one method lie one below the other.
pub(super) struct Depths(Vec<u32>);

/// More than any depth.
pub(super) const NEVER: u32 = u32::MAX;

impl Depths {
    pub(super) fn new(ground: &Ground, run: &mut Run<'_>) -> Result<Depths, Stop> {
        let mut it = Depths(vec![NEVER; ground.tasks.len()]);
        loop {
            run.effort(ground.size() / 8)?;
            let mut changed = false;
            for task in 0..ground.tasks.len() {
                let methods = &ground.tasks[task].methods;
                let least = methods.iter().map(|m| it.of(&ground.methods[*m as usize]));
                let least = least.min().unwrap_or(NEVER);
                let least = least.saturating_add(u32::from(methods.len() > 1));
                if least < it.0[task] {
                    it.0[task] = least;
                    changed = true;
                }
            }
            if !changed {
                return Ok(it);
            }
        }
    }

    /// The least depth of a method's subtasks.
    fn of(&self, method: &GroundMethod) -> u32 {
        let depths = method.subtasks.iter().map(|node| match node {
            Node::Task(task) => self.task(*task),
            Node::Action(_) => 0,
        });
        depths.max().unwrap_or(0)
    }

    pub(super) fn task(&self, task: u32) -> u32 {
        self.0[task as usize]
    }
}

impl Tree {
    /// The tree of a depth. Each position counts as a node.
    pub(super) fn new(
        ground: &Ground,
        root: u32,
        depths: &Depths,
        may_be_empty: &[bool],
        depth: u32,
        run: &mut Run<'_>,
    ) -> Result<Tree, Stop> {
        let mut tree = Tree {
            positions: vec![Position {
                alternatives: vec![Alternative {
                    what: What::Node(Node::Task(root)),
                    by: Vec::new(),
                    depth,
                }],
                ..Position::default()
            }],
            pruned: false,
            bytes: 0,
        };
        let mut at = 0;
        while at < tree.positions.len() {
            run.tick()?;
            tree.refine(ground, depths, may_be_empty, at, run)?;
            run.check_memory(tree.bytes)?;
            at += 1;
        }
        Ok(tree)
    }

    /// Everything that happens at some time: positions with actions or checks.
    pub(super) fn leaves(&self) -> usize {
        let happens = |it: &&Position| it.alternatives.iter().any(|it| it.what.happens());
        self.positions.iter().filter(happens).count()
    }

    /// Gives a position its choices and children.
    fn refine(
        &mut self,
        ground: &Ground,
        depths: &Depths,
        may_be_empty: &[bool],
        at: PositionId,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut open: Vec<(usize, MethodIndex, u32)> = Vec::new();
        for (alternative, it) in self.positions[at].alternatives.iter().enumerate() {
            let What::Node(Node::Task(task)) = it.what else {
                continue;
            };
            let methods = &ground.tasks[task as usize].methods;
            let left = it.depth.checked_sub(u32::from(methods.len() > 1));
            for &method in methods {
                let needs = depths.of(&ground.methods[method as usize]);
                match left {
                    Some(left) if needs <= left => open.push((alternative, method, left)),
                    _ => self.pruned |= needs != NEVER,
                }
            }
        }
        let mut children = Children::default();
        let checked = |m: MethodIndex| {
            let waits = ground.methods[m as usize].precondition != Condition::default();
            waits && may_be_empty[m as usize]
        };
        // A check comes before everything else.
        if open.iter().any(|(_, method, _)| checked(*method)) {
            children.kinds.push(FxHashMap::default());
            children.first = 1;
        }
        // The longest first, so that the shorter ones find their place.
        let length = |m: MethodIndex| ground.methods[m as usize].subtasks.len();
        let mut sorted: Vec<usize> = (0..open.len()).collect();
        sorted.sort_by_key(|&it| (std::cmp::Reverse(length(open[it].1)), it));
        let mut choices = Vec::with_capacity(open.len());
        let mut left_by = Vec::with_capacity(open.len());
        for &it in &sorted {
            let (alternative, method, left) = open[it];
            let choice = choices.len();
            let schema = &ground.methods[method as usize];
            run.effort(4 + 4 * schema.subtasks.len() as u64)?;
            if checked(method) {
                let kinds = children.kinds[0].entry(What::Check(method));
                kinds.or_default().push(choice);
            }
            left_by.push(left);
            let places = children.place(schema, choice);
            choices.push(Choice {
                alternative,
                method,
                places,
            });
        }
        let first = self.positions.len();
        let order = order(ground, &choices, children.first, run)?;
        let shifted = |(a, b, choices)| (first + a, first + b, choices);
        for choice in &mut choices {
            choice.places.iter_mut().for_each(|it| *it += first);
        }
        let count = children.kinds.len();
        for kinds in children.kinds {
            let alternative = |(what, by): (What, Vec<usize>)| Alternative {
                what,
                depth: by.iter().map(|it| left_by[*it]).max().unwrap_or(0),
                by,
            };
            let mut alternatives: Vec<Alternative> = kinds.into_iter().map(alternative).collect();
            alternatives.sort_unstable_by_key(|it| it.what);
            self.bytes += alternatives
                .iter()
                .map(|it| 64 + 8 * it.by.len() as u64)
                .sum::<u64>();
            self.positions.push(Position {
                alternatives,
                parent: at,
                ..Position::default()
            });
        }
        let held = |it: &(usize, usize, Vec<usize>)| 48 + 8 * it.2.len() as u64;
        self.bytes += order.iter().map(held).sum::<u64>() + 256 * count as u64;
        let held = |it: &Choice| 64 + 8 * it.places.len() as u64;
        self.bytes += choices.iter().map(held).sum::<u64>();
        let position = &mut self.positions[at];
        position.choices = choices;
        position.children = first..first + count;
        position.order = order.into_iter().map(shifted).collect();
        Ok(())
    }
}

impl What {
    /// True for what happens at some time; false for tasks.
    pub(super) fn happens(self) -> bool {
        !matches!(self, What::Node(Node::Task(_)))
    }
}

/// The children of a position in the making.
#[derive(Default)]
struct Children {
    /// For each, what may stand there by which choices.
    kinds: Vec<FxHashMap<What, Vec<usize>>>,
    /// The first child for subtasks.
    first: usize,
}

impl Children {
    /// Finds a child for each subtask of a method: one where the same may stand
    /// already, if the order allows that.
    fn place(&mut self, schema: &GroundMethod, choice: usize) -> Vec<usize> {
        let count = schema.subtasks.len();
        let mut places = vec![usize::MAX; count];
        let mut least = vec![self.first; count];
        let mut taken = vec![false; self.kinds.len().max(self.first + count)];
        let total = is_total(schema);
        let sequence = graph::arrange(count, &schema.ordering, |_| 0);
        for (nth, &subtask) in sequence.iter().enumerate() {
            let what = What::Node(schema.subtasks[subtask]);
            let free = |it: &usize| !taken[*it];
            // Those after it in a total order need room too.
            let room = match total {
                true => (self.kinds.len() + 1 + nth).saturating_sub(count),
                false => self.kinds.len(),
            };
            let same = (least[subtask]..room.min(self.kinds.len()))
                .filter(free)
                .find(|it| self.kinds[*it].contains_key(&what));
            let next = (least[subtask]..).find(|it| taken.get(*it) != Some(&true));
            let place = same.or(next).unwrap_or(least[subtask]);
            if taken.len() <= place {
                taken.resize(place + 1, false);
            }
            taken[place] = true;
            places[subtask] = place;
            while self.kinds.len() <= place {
                self.kinds.push(FxHashMap::default());
            }
            self.kinds[place].entry(what).or_default().push(choice);
            for &(_, later) in schema.ordering.iter().filter(|it| it.0 as usize == subtask) {
                let least = &mut least[later as usize];
                *least = (*least).max(place + 1);
            }
        }
        places
    }
}

/// Which children come before which, and under which choices. Checks, where
/// there are any, come first.
fn order(
    ground: &Ground,
    choices: &[Choice],
    first: usize,
    run: &mut Run<'_>,
) -> Result<Vec<(usize, usize, Vec<usize>)>, Stop> {
    // For each pair of children, how many choices use both, and which order
    // them.
    let mut pairs: FxHashMap<(usize, usize), (usize, Vec<usize>)> = FxHashMap::default();
    let mut last = first;
    for (index, choice) in choices.iter().enumerate() {
        let schema = &ground.methods[choice.method as usize];
        let count = choice.places.len();
        run.effort(1 + (count * count) as u64)?;
        let before = closure(schema);
        for a in 0..count {
            last = last.max(choice.places[a] + 1);
            for b in 0..count {
                let (from, to) = (choice.places[a], choice.places[b]);
                if from >= to {
                    continue;
                }
                let (both, ordered) = pairs.entry((from, to)).or_default();
                *both += 1;
                if before[a * count + b] {
                    ordered.push(index);
                }
            }
        }
    }
    let mut order: Vec<_> = pairs
        .into_iter()
        .filter(|(_, (_, ordered))| !ordered.is_empty())
        .map(|((a, b), (both, ordered))| match ordered.len() == both {
            true => (a, b, Vec::new()),
            false => (a, b, ordered),
        })
        .collect();
    order.extend((0..first).flat_map(|check| (first..last).map(move |it| (check, it, vec![]))));
    order.sort_unstable();
    Ok(order)
}

/// For each pair of subtasks, whether the first comes before the second.
fn closure(schema: &GroundMethod) -> Vec<bool> {
    let count = schema.subtasks.len();
    let mut before = vec![false; count * count];
    let sequence = graph::arrange(count, &schema.ordering, |_| 0);
    for &place in sequence.iter().rev() {
        for &(_, next) in schema.ordering.iter().filter(|it| it.0 as usize == place) {
            let next = next as usize;
            before[place * count + next] = true;
            for later in 0..count {
                before[place * count + later] |= before[next * count + later];
            }
        }
    }
    before
}

/// True if only one sequence of the subtasks respects the order.
fn is_total(method: &GroundMethod) -> bool {
    let steps = method.ordering.iter().filter(|(a, b)| a + 1 == *b).count();
    steps + 1 >= method.subtasks.len()
}
