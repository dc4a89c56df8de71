//! Planning as satisfiability where tasks are partially ordered.
//!
//! A decomposition tree of a depth (`tree`) says what may happen and which of it
//! comes before which, a sequence of states says when, and `clauses` matches
//! the one with the other: the order stays partial, and what happens in one
//! step is all that does not interfere. Both the depth and the number of steps
//! grow until there is a plan. Where the whole tree fits into a depth and every
//! leaf has a step of its own, no plan is a proof that there is none.
//!
//! That trees of partially ordered networks can be told as formulas is shown by
//! Behnke, Höller and Biundo ("Tracking branches in trees", ICTAI 2018;
//! "Bringing order to chaos", AAAI 2019), who match leaves with time steps too;
//! how orders are told here, by what has begun and what is over at each inner
//! position, is our own.

mod clauses;
mod tree;

use planoku_constraints::sat::Answer;
use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::analysis::empty::may_be_empty;
use crate::ground::{Derivation, Ground, Node, Refinement};
use crate::instance::Instance;
use clauses::Clauses;
use tree::{Depths, NEVER, PositionId, Tree, What};

/// Trees with at most so many leaves have a step for each at once.
const FEW: usize = 16;

/// Of larger ones, at first so many leaves share a step.
const SHARE: usize = 4;

/// Methods with more subtasks than this are refused.
const WIDEST: usize = 300;

/// The planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartialSat;

impl Engine<Instance> for PartialSat {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "partial-sat",
            "partially ordered decomposition trees, matched with parallel steps, as a SAT formula",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let root = refuse(instance)?;
            let depths = Depths::new(instance, run)?;
            let (may_be_empty, _) = may_be_empty(instance);
            let least = depths.task(root);
            if least == NEVER {
                return Ok(());
            }
            for depth in least.. {
                let tree = Tree::new(instance, root, &depths, &may_be_empty, depth, run)?;
                let leaves = tree.leaves().max(1);
                let mut steps = leaves;
                if leaves > FEW {
                    steps = leaves.div_ceil(SHARE).max(FEW);
                }
                loop {
                    run.stats.add("depth", 1);
                    run.progress("partial-sat", || Some(u64::from(depth)));
                    let mut clauses = Clauses::new(instance, &tree, steps, run)?;
                    let (variables, said) = clauses.formula.size();
                    run.stats.add("variables", variables);
                    run.stats.add("clauses", said);
                    if clauses.formula.sat.solve(&[], run)? == Answer::Sat {
                        found.push(read(instance, &tree, &clauses))?;
                        // There may be others; we do not claim to list them.
                        return Err(Leave::GaveUp);
                    }
                    // A deeper tree has more leaves, and so more steps.
                    if steps >= leaves || tree.pruned {
                        break;
                    }
                    steps = leaves;
                }
                if !tree.pruned {
                    return Ok(());
                }
            }
            Err(Leave::GaveUp)
        })
    }
}

/// The root task, if such a problem can be told.
fn refuse(ground: &Ground) -> Result<u32, EngineError> {
    let unsupported = |what: &str| Err(EngineError::Unsupported(what.into()));
    let Some(root) = ground.root else {
        return unsupported("a classical problem has no tasks to refine");
    };
    if !ground.axioms.is_empty() {
        return unsupported("planning as SAT does not handle derived predicates");
    }
    if ground.actions.iter().any(|it| !it.conditional.is_empty()) {
        return unsupported("partially ordered planning as SAT has no conditional effects");
    }
    // Its order is looked at pair by pair.
    if ground.methods.iter().any(|it| it.subtasks.len() > WIDEST) {
        return unsupported("partially ordered planning as SAT has no networks that wide");
    }
    ground.numbers.refuse("planning as SAT")?;
    Ok(root)
}

/// Reads a derivation off a satisfying assignment.
fn read(ground: &Ground, tree: &Tree, clauses: &Clauses<'_>) -> Derivation {
    let mut found = Derivation::default();
    // Leaves by their steps; within one, in the order of the tree, which every
    // order of subtasks agrees with.
    let mut steps: Vec<(usize, u32, u32)> = Vec::new();
    // What is to be told: a position, and the refinement, by its place, and the
    // subtask that it is.
    let mut open: Vec<(PositionId, Option<(usize, usize)>)> = vec![(0, None)];
    let mut next = 0;
    while let Some((at, parent)) = open.pop() {
        let position = &tree.positions[at];
        let mut standing = position.alternatives.iter().zip(&clauses.holds[at]);
        let Some((alternative, _)) = standing.find(|(_, lit)| clauses.is_true(**lit)) else {
            continue;
        };
        let node = next;
        next += 1;
        if let Some((refinement, subtask)) = parent {
            found.refinements[refinement].children[subtask] = node;
        }
        match alternative.what {
            What::Check(_) => {}
            What::Node(Node::Action(action)) => {
                let step = clauses.step_of(at).unwrap_or_default();
                steps.push((step, node, action));
            }
            What::Node(Node::Task(task)) => {
                let chosen = position.choices.iter().zip(&clauses.chosen[at]);
                let mut chosen = chosen.filter(|(it, lit)| {
                    ground.methods[it.method as usize].task == task && clauses.is_true(**lit)
                });
                let (choice, _) = chosen
                    .next()
                    .expect("a task that holds has a way that holds");
                let refinement = found.refinements.len();
                found.refinements.push(Refinement {
                    node,
                    method: choice.method,
                    children: vec![0; choice.places.len()],
                });
                let mut children: Vec<(PositionId, usize)> =
                    choice.places.iter().copied().zip(0..).collect();
                children.sort_unstable();
                let children = children.into_iter().rev();
                open.extend(children.map(|(place, subtask)| (place, Some((refinement, subtask)))));
            }
        }
    }
    // Numbers were given from left to right.
    steps.sort_unstable();
    found.steps = steps
        .into_iter()
        .map(|(_, node, action)| (node, action))
        .collect();
    found
}
