//! Planning as satisfiability: "is there a plan of this depth?", asked deeper
//! and deeper.
//!
//! One encoding serves totally ordered hierarchical problems and classical
//! ones: `rules` prepares the problem, `encode` turns one more layer of it
//! into clauses, an incremental SAT solver answers, and the assignment is read
//! back as a derivation.
//!
//! [`SatPlan::Layered`] deepens the whole tree at a time.
//! [`SatPlan::Selective`] asks first which tasks an *abstract* plan would use,
//! one in which tasks that are not refined yet do whatever they may, and
//! refines only those: in a wide tree most alternatives are never looked at.
//! The idea is that of SibylSat (Quenard, Pellier and Fiorino, "SibylSat: using
//! SAT as an oracle to perform a greedy search on TOHTN planning", 2024).
//!
//! A problem that is one loop with a rich body is told by its `laps` instead.
//!
//! "No plan" is claimed only where it is proved: when no task is left to
//! refine, when the formula is contradictory whatever the depth, or when the
//! rules show that deeper trees cannot help.

mod encode;
mod formula;
mod laps;
mod lifted;
mod partial;
mod rules;
#[cfg(test)]
mod tests;

use planoku_constraints::cnf::{Cnf, Lit};
use planoku_constraints::proof::{self, drat};
use planoku_constraints::sat::{Answer, Sat};
use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::ground::{Derivation, Ground, Refinement};
use crate::instance::Instance;
use encode::{PositionId, Tree};
use formula::Formula;
pub(crate) use laps::is_loop;
pub use lifted::LiftedSat;
pub use partial::PartialSat;
use rules::{Body, Rules, TaskId, Template};

/// The planner: how it refines decomposition trees.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum SatPlan {
    /// A whole layer at a time.
    #[default]
    Layered,
    /// Only what an abstract plan uses.
    Selective,
}

impl Engine<Instance> for SatPlan {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        let (name, how) = match self {
            SatPlan::Layered => (
                "sat",
                "layered decomposition trees and parallel steps as a SAT formula",
            ),
            SatPlan::Selective => (
                "sat-selective",
                "decomposition trees as a SAT formula, refined where an abstract plan goes",
            ),
        };
        Profile::new(name, how).complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        match self {
            SatPlan::Layered => plan(instance, run, sink, deepen_until_decided),
            SatPlan::Selective => plan(instance, run, sink, refine_until_decided),
        }
    }
}

/// Grows a tree until it is decided; how, is for `decide` to say.
type Decide = fn(&Rules, &mut Tree<'_>, &mut Run<'_>) -> Result<Verdict, Leave>;

fn plan(
    ground: &Ground,
    run: &mut Run<'_>,
    sink: &mut Sink<'_, Derivation>,
    decide: Decide,
) -> Result<Ended, EngineError> {
    run.search(sink, |run, found| {
        if let Some(body) = laps::Body::of(ground, laps::FEW_WAYS, run)? {
            return match laps::search(ground, &body, run)? {
                Some(derivation) => {
                    found.push(derivation)?;
                    Err(Leave::GaveUp)
                }
                None => Ok(()),
            };
        }
        let rules = prepare(ground, run)?;
        let mut tree = Tree::new(ground, &rules, Formula::new(Sat::new(), false));
        let result = decide(&rules, &mut tree, run);
        let (variables, clauses) = tree.formula.size();
        run.stats.add("variables", variables);
        run.stats.add("clauses", clauses);
        run.stats.add("depth", tree.depth);
        match result? {
            Verdict::Plan => {
                found.push(Reader::new(&rules, &tree).read())?;
                // Many plans fill one bill; we do not claim to list them.
                Err(Leave::GaveUp)
            }
            Verdict::Never => Ok(()),
        }
    })
}

/// The formula that asks for a plan of this depth, or the depth at which
/// everything is decided if that comes first; for those who want to look at it
/// or prove things about it. It is satisfiable exactly if there is such a plan.
pub fn formula(ground: &Ground, depth: u64, run: &mut Run<'_>) -> Result<Cnf, Leave> {
    let rules = prepare(ground, run)?;
    let mut tree = Tree::new(ground, &rules, Formula::new(Sat::new(), true));
    while tree.depth < depth && !tree.complete() {
        tree.deepen(run)?;
    }
    let open: Vec<Lit> = tree.open_tasks().collect();
    open.into_iter().for_each(|lit| tree.formula.add(&[!lit]));
    Ok(tree.formula.copy.unwrap_or_default())
}

/// A proof that there is no plan of this depth, to be checked by others: the
/// formula of [`formula`] and its refutation in DRAT. `None` if there is such a
/// plan. The proof has passed [`planoku_constraints::proof::check`].
pub fn refute(
    ground: &Ground,
    depth: u64,
    run: &mut Run<'_>,
) -> Result<Option<(Cnf, Vec<u8>)>, Leave> {
    let internal = |what: String| Leave::Error(EngineError::Internal(what));
    let cnf = formula(ground, depth, run)?;
    let mut proof = drat::Writer::text(Vec::new());
    if proof::search::search(&cnf, &mut proof, run)? != proof::search::Verdict::Refuted {
        return Ok(None);
    }
    let proof = proof
        .finish()
        .map_err(|error| internal(error.to_string()))?;
    proof::check::drat(&cnf, &proof[..], run)
        .map_err(|rejected| internal(format!("our own proof is wrong: {rejected}")))?;
    Ok(Some((cnf, proof)))
}

fn prepare(ground: &Ground, run: &mut Run<'_>) -> Result<Rules, Leave> {
    let unsupported = |what: &str| Err(EngineError::Unsupported(what.into()).into());
    if ground.root.is_some() && !ground.ordered {
        return unsupported("planning as SAT needs totally ordered methods");
    }
    if !ground.axioms.is_empty() {
        return unsupported("planning as SAT does not handle derived predicates");
    }
    ground.numbers.refuse("planning as SAT")?;
    Ok(Rules::new(ground, run)?)
}

enum Verdict {
    Plan,
    Never,
}

fn deepen_until_decided(
    rules: &Rules,
    tree: &mut Tree<'_>,
    run: &mut Run<'_>,
) -> Result<Verdict, Leave> {
    loop {
        tree.deepen(run)?;
        let assumption = forbid_open_tasks(tree);
        run.progress("sat", || Some(tree.depth));
        match tree.formula.sat.solve(assumption.as_slice(), run)? {
            Answer::Sat => return Ok(Verdict::Plan),
            Answer::Unsat if assumption.is_none() || tree.formula.sat.core().is_empty() => {
                return Ok(Verdict::Never);
            }
            Answer::Unsat => {}
        }
        if rules.tasks[rules.start]
            .height
            .is_some_and(|height| tree.depth >= height)
        {
            return Ok(Verdict::Never);
        }
    }
}

/// Rounds after which a position is refined even if no abstract plan went
/// there: so that every plan is found sooner or later.
const PATIENCE: u64 = 12;

/// Refines where abstract plans go. An abstract plan without a task that is
/// not refined is a plan; no abstract plan is a proof that there is none.
fn refine_until_decided(
    _: &Rules,
    tree: &mut Tree<'_>,
    run: &mut Run<'_>,
) -> Result<Verdict, Leave> {
    tree.deepen(run)?;
    loop {
        let assumption = forbid_open_tasks(tree);
        run.progress("sat", || Some(tree.depth));
        if tree.formula.sat.solve(assumption.as_slice(), run)? == Answer::Sat {
            return Ok(Verdict::Plan);
        }
        if assumption.is_none() || tree.formula.sat.solve(&[], run)? == Answer::Unsat {
            return Ok(Verdict::Never);
        }
        let sat = &tree.formula.sat;
        let holds = |lit: Lit| sat.value(lit.var()) == lit.is_positive();
        let chosen: Vec<bool> = tree
            .leaves()
            .map(|leaf| {
                leaf.born + PATIENCE <= tree.depth || leaf.tasks.iter().any(|&(_, lit)| holds(lit))
            })
            .collect();
        tree.expand(&chosen, run)?;
    }
}

/// A literal to assume: whatever is not refined yet does not happen. `None`
/// if nothing is open.
fn forbid_open_tasks(tree: &mut Tree<'_>) -> Option<Lit> {
    if tree.complete() {
        return None;
    }
    let open: Vec<Lit> = tree.open_tasks().collect();
    let closed = tree.formula.new_lit();
    open.into_iter()
        .for_each(|lit| tree.formula.add(&[!closed, !lit]));
    Some(closed)
}

/// Reads a derivation off a satisfying assignment.
///
/// What is still to be told waits in a list, so that a loop of any length is
/// read without recursion.
struct Reader<'a> {
    rules: &'a Rules,
    tree: &'a Tree<'a>,
    out: Derivation,
    next: u32,
    /// What is to be told, the first last.
    open: Vec<Telling<'a>>,
    /// The acts of each loop's step that are still to be told. The first is
    /// empty, for templates outside loops.
    acts: Vec<std::vec::IntoIter<usize>>,
}

/// Something to be told.
#[derive(Clone, Copy)]
struct Telling<'a> {
    what: What<'a>,
    place: Place,
    /// Which of the reader's lists of acts it draws from.
    acts: usize,
    /// The refinement, by its place, that this is a child of.
    parent: Option<usize>,
}

#[derive(Clone, Copy)]
enum What<'a> {
    Template(&'a Template),
    /// The next act of a loop's step with all that follows inside it, or what
    /// comes after the step.
    Rest,
}

/// Where a template's slots are to be found.
#[derive(Clone, Copy)]
struct Place {
    position: PositionId,
    rule: usize,
}

const NO_ACTS: usize = 0;

impl<'a> Reader<'a> {
    fn new(rules: &'a Rules, tree: &'a Tree<'a>) -> Reader<'a> {
        Reader {
            rules,
            tree,
            out: Derivation::default(),
            next: 0,
            open: Vec::new(),
            acts: vec![Vec::new().into_iter()],
        }
    }

    fn read(mut self) -> Derivation {
        self.task(0, self.rules.start, None);
        while let Some(telling) = self.open.pop() {
            match telling.what {
                What::Template(template) => self.template(template, telling),
                What::Rest => self.rest(telling),
            }
        }
        self.out
    }

    fn holds(&self, lit: Lit) -> bool {
        self.tree.formula.sat.value(lit.var()) == lit.is_positive()
    }

    /// How the task at this position was carried out is told next.
    fn task(&mut self, position: PositionId, task: TaskId, parent: Option<usize>) {
        let choices = self.tree.positions[position].choices.iter();
        let mut chosen = choices.filter(|(of, _, lit)| *of == task && self.holds(*lit));
        let (_, rule, _) = *chosen
            .next()
            .expect("a task that holds has a rule that holds");
        self.open.push(Telling {
            what: What::Template(&self.rules.rules[rule].template),
            place: Place { position, rule },
            acts: NO_ACTS,
            parent,
        });
    }

    fn template(&mut self, template: &'a Template, telling: Telling<'a>) {
        let Telling { place, parent, .. } = telling;
        match template {
            Template::Action(action) => {
                let node = self.node(parent);
                self.out.steps.push((node, *action));
            }
            Template::Slot(slot) => self.slot(place, *slot, parent),
            Template::Sequence(parts) => self.parts(
                parts,
                Telling {
                    parent: None,
                    ..telling
                },
            ),
            Template::Method(method, parts) => {
                let node = self.node(parent);
                let parent = Some(self.out.refinements.len());
                self.out.refinements.push(Refinement {
                    node,
                    method: *method,
                    children: vec![],
                });
                self.parts(parts, Telling { parent, ..telling });
            }
            Template::Loop => {
                let acts = self.acts.len();
                self.acts.push(self.acts_of_step(place).into_iter());
                self.rest(Telling { acts, ..telling });
            }
            Template::Rest => self.rest(telling),
        }
    }

    /// The parts of a template are told next, from left to right.
    fn parts(&mut self, parts: &'a [Template], like: Telling<'a>) {
        for part in parts.iter().rev() {
            self.open.push(Telling {
                what: What::Template(part),
                ..like
            });
        }
    }

    fn rest(&mut self, telling: Telling<'a>) {
        let Some(act) = self.acts[telling.acts].next() else {
            return self.slot(telling.place, 1, telling.parent);
        };
        let template = &self.rules.acts[act].template;
        let what = What::Template(template);
        if let Template::Method(..) = template {
            self.open.push(Telling { what, ..telling });
            return;
        }
        self.open.push(Telling {
            what: What::Rest,
            ..telling
        });
        self.open.push(Telling {
            what,
            acts: NO_ACTS,
            parent: None,
            ..telling
        });
    }

    fn slot(&mut self, place: Place, slot: usize, parent: Option<usize>) {
        let child = self.tree.positions[place.position].children.start + slot;
        if let Body::Task(task) = self.rules.rules[place.rule].slots[slot].body {
            self.task(child, task, parent);
        }
    }

    fn acts_of_step(&self, place: Place) -> Vec<usize> {
        let step = self.tree.positions[place.position].children.start;
        let acts = self.rules.rules[place.rule].slots[0].body.acts();
        let placed = self.tree.positions[step].acts.iter();
        placed
            .filter(|(act, lit)| acts.contains(act) && self.holds(*lit))
            .map(|(a, _)| *a)
            .collect()
    }

    /// A fresh node, below its parent.
    fn node(&mut self, parent: Option<usize>) -> u32 {
        self.next += 1;
        if let Some(parent) = parent {
            self.out.refinements[parent].children.push(self.next - 1);
        }
        self.next - 1
    }
}
