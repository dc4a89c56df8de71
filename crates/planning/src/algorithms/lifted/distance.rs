//! How far a task that walks has to go, at least.
//!
//! Where the arguments of a task change from step to step, as the place where
//! something is does, the tuples they may become are a graph: one edge for
//! every way in which what nothing ever changes allows a step. Distances in it
//! to where the walk may end guide the search for the way. An edge is closed
//! while something forbids it that has never changed so far: most likely a
//! wall. What has changed once may change again, and forbids nothing.

use std::collections::VecDeque;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::facts::{FactId, Facts};
use super::join::{UNBOUND, evaluate, instances};
use super::pattern::{Pattern, Slot};
use super::schema::{Check, Rule, Schemas, free};
use super::twins::Watched;
use crate::model::{Effect, Formula, TaskId, TaskRef, visit};

/// No way is known.
pub(super) const FAR: u32 = u32::MAX;

/// The same as it is kept: ways longer than any number below it are as long as
/// the longest of these.
const KEPT_FAR: u16 = u16::MAX;

/// Larger graphs are not made.
const LARGEST: usize = 200_000;

/// Distances kept, in numbers; then all are forgotten.
const KEPT: usize = 30_000_000;

/// A step of a task, with what may change left out.
struct Step<'m> {
    /// The variables of the rule that matter, as those of this one.
    bare: Rule<'m>,
    /// What they are in the rule.
    variables: Vec<usize>,
    /// What the arguments become at the places that change, as in the rule.
    becomes: Vec<Slot>,
    /// Conditions in the variables of the rule, on what never changes.
    checks: Vec<&'m Formula>,
    /// Atoms that must hold, or must not.
    guards: Vec<(Pattern, bool)>,
}

/// An end of a walk, with what may change left out.
struct End<'m> {
    head: Vec<Slot>,
    joins: Vec<Pattern>,
    checks: Vec<&'m Formula>,
    ranges: Vec<Vec<u64>>,
    variables: usize,
}

/// A task whose distances can be measured.
struct Measured<'m> {
    /// Places whose arguments change.
    moving: Vec<usize>,
    /// Other places whose arguments say which steps there are.
    matters: Vec<usize>,
    steps: Vec<Step<'m>>,
    ends: Vec<End<'m>>,
}

/// Facts that must hold, or must not.
type Guards = Box<[(FactId, bool)]>;

/// The tuples that the moving arguments may become.
#[derive(Default)]
struct Graph {
    index: FxHashMap<Box<[u32]>, u32>,
    tuples: Vec<Box<[u32]>>,
    /// For each tuple, edges that lead to it: from where, and guards.
    back: Vec<Vec<(u32, Guards)>>,
    /// Edges closed by facts that had never changed, by these.
    closed: FxHashMap<FactId, Vec<(u32, u32)>>,
    /// Edges that were, and may not be any longer.
    opened: Vec<(u32, u32)>,
}

/// Distances to where one walk may end.
struct Known {
    far: Vec<u16>,
    /// How many of the edges opened it knows.
    opened: usize,
}

/// A task and arguments.
type Key = Box<[u32]>;

/// The keys of one question.
#[derive(Default)]
struct Keys {
    tuple: Vec<u32>,
    fixed: Vec<u32>,
    matters: Vec<u32>,
}

impl Keys {
    fn set(&mut self, task: TaskId, arguments: &[u32], measured: &Measured<'_>) {
        let Measured {
            moving, matters, ..
        } = measured;
        let Keys {
            tuple,
            fixed,
            matters: key,
        } = self;
        for list in [&mut *tuple, fixed, key] {
            list.clear();
        }
        tuple.extend(moving.iter().map(|&it| arguments[it]));
        key.push(task.0);
        key.extend(matters.iter().map(|&it| arguments[it]));
        fixed.push(task.0);
        let stays = |it: &usize| !moving.contains(it);
        fixed.extend((0..arguments.len()).filter(stays).map(|it| arguments[it]));
    }
}

/// Distances, as far as they are known.
pub(super) struct Distances<'s, 'm> {
    schemas: &'s Schemas<'m>,
    tasks: FxHashMap<TaskId, Option<Measured<'m>>>,
    /// By the task and those of its arguments that matter.
    graphs: FxHashMap<Key, Graph>,
    /// By the task and those of its arguments that stay as they are.
    known: FxHashMap<Key, Known>,
    /// Where keys are put together.
    keys: Keys,
    kept: usize,
    changing: Vec<bool>,
    /// How many of the facts that ever changed it has seen.
    moves: usize,
}

impl<'s, 'm> Distances<'s, 'm> {
    pub(super) fn new(schemas: &'s Schemas<'m>) -> Distances<'s, 'm> {
        Distances {
            schemas,
            tasks: FxHashMap::default(),
            graphs: FxHashMap::default(),
            known: FxHashMap::default(),
            keys: Keys::default(),
            kept: 0,
            changing: visit::changing(schemas.model),
            moves: 0,
        }
    }

    /// Memory held, about.
    pub(super) fn bytes(&self) -> usize {
        let edges = |graph: &Graph| graph.tuples.len() * 300;
        self.kept * 2 + self.graphs.values().map(edges).sum::<usize>()
    }

    /// The least number of steps; [`FAR`] if no way is known, `None` if
    /// nothing can be measured.
    pub(super) fn of(
        &mut self,
        task: TaskId,
        arguments: &[u32],
        facts: &mut Facts,
        run: &mut Run<'_>,
    ) -> Result<Option<u32>, Stop> {
        if !self.tasks.contains_key(&task) {
            let measured = self.measure(task);
            self.tasks.insert(task, measured);
        }
        let Some(Some(measured)) = self.tasks.get(&task) else {
            return Ok(None);
        };
        for fact in facts.moves_since(self.moves) {
            self.moves += 1;
            for graph in self.graphs.values_mut() {
                if let Some(edges) = graph.closed.remove(fact) {
                    graph.opened.extend(edges);
                }
            }
        }
        self.keys.set(task, arguments, measured);
        let Keys {
            tuple,
            fixed,
            matters,
        } = &self.keys;
        let graph = match self.graphs.get_mut(&matters[..]) {
            Some(graph) => graph,
            None => self.graphs.entry(matters[..].into()).or_default(),
        };
        if !graph.index.contains_key(&tuple[..]) {
            if graph.tuples.len() > LARGEST {
                return Ok(None);
            }
            graph.explore(measured, arguments, tuple[..].into(), facts, run)?;
        }
        let Some(&node) = graph.index.get(&tuple[..]) else {
            return Ok(None);
        };
        let size = graph.tuples.len();
        let far = |known: &Known| match known.far[node as usize] {
            KEPT_FAR => FAR,
            far => u32::from(far),
        };
        if let Some(known) = self.known.get_mut(&fixed[..])
            && known.far.len() == size
        {
            graph.update(known, facts, run)?;
            return Ok(Some(far(known)));
        }
        run.effort(4 * size as u64)?;
        if self.kept > KEPT {
            self.known.clear();
            self.kept = 0;
        }
        let known = graph.distances(measured, arguments, facts);
        self.kept += size;
        let answer = far(&known);
        if let Some(old) = self.known.insert(fixed[..].into(), known) {
            self.kept -= old.far.len();
        }
        Ok(Some(answer))
    }

    /// What can be measured of a task that walks.
    fn measure(&self, task: TaskId) -> Option<Measured<'m>> {
        let rules = &self.schemas.rules[task.index()];
        let mut moving: Vec<usize> = Vec::new();
        for rule in rules.iter().filter(|rule| rule.recursive) {
            let (_, again) = &rule.subtasks[*rule.order.last()?];
            let places = again.iter().zip(&rule.head).enumerate();
            moving.extend(places.filter(|(_, (a, b))| a != b).map(|(place, _)| place));
        }
        moving.sort_unstable();
        moving.dedup();
        if moving.is_empty() {
            return None;
        }
        let (recursive, ends): (Vec<_>, Vec<_>) = rules.iter().partition(|it| it.recursive);
        let steps = recursive.into_iter().map(|it| self.step(it, &moving));
        let steps: Vec<Step<'m>> = steps.collect::<Option<_>>()?;
        let places = 0..rules.first()?.head.len();
        let matters =
            places.filter(|it| !moving.contains(it) && steps.iter().any(|step| step.asks(*it)));
        Some(Measured {
            matters: matters.collect(),
            steps,
            moving,
            ends: ends.into_iter().map(|rule| self.end(rule)).collect(),
        })
    }

    /// True if nothing in the condition ever changes.
    fn is_fixed(&self, formula: &Formula) -> bool {
        let mut fixed = true;
        visit::formulas(formula, &mut |it| match it {
            Formula::Atom(atom) => fixed &= !self.changing[atom.predicate.0 as usize],
            Formula::Compare(_) | Formula::Forall(..) | Formula::Exists(..) => fixed = false,
            _ => {}
        });
        fixed
    }

    fn step(&self, rule: &Rule<'m>, moving: &[usize]) -> Option<Step<'m>> {
        let (_, again) = &rule.subtasks[*rule.order.last()?];
        let becomes: Vec<Slot> = moving.iter().map(|&place| again[place]).collect();
        let bits = |slots: &[Slot]| {
            slots.iter().fold(0u128, |all, slot| match slot {
                Slot::Variable(variable) => all | 1 << variable,
                Slot::Object(_) => all,
            })
        };
        let named = bits(&rule.head) | bits(&becomes);
        let unchanging = |it: &&Pattern| !self.changing[it.predicate as usize];
        let joins: Vec<&Pattern> = rule
            .joins
            .iter()
            .filter(unchanging)
            .filter(|it| bits(&it.terms) & named != 0)
            .collect();
        let bound = joins
            .iter()
            .fold(bits(&rule.head), |all, it| all | bits(&it.terms));
        if bits(&becomes) & !bound != 0 {
            return None;
        }
        let variables: Vec<usize> = (0..rule.variables)
            .filter(|it| bound >> it & 1 != 0)
            .collect();
        let renamed = |slot: &Slot| match *slot {
            Slot::Variable(variable) => {
                let place = variables.iter().position(|&it| it == variable as usize);
                Slot::Variable(place.unwrap_or_default() as u32)
            }
            object => object,
        };
        let mut own: Vec<u32> = Vec::new();
        for (subtask, _) in &rule.subtasks {
            if let TaskRef::Action(action) = subtask {
                let effect = &self.schemas.model.actions[action.index()].effect;
                visit::effects(effect, &mut |effect| {
                    if let Effect::Add(atom) = effect {
                        own.push(atom.predicate.0);
                    }
                });
            }
        }
        let mut guards = Vec::new();
        let mut guard = |atom: Pattern, holds: bool| {
            let fits = bits(&atom.terms) & !bound == 0;
            // What the step itself makes, the step before has made.
            if fits
                && self.changing[atom.predicate as usize]
                && !(holds && own.contains(&atom.predicate))
            {
                guards.push((atom, holds));
            }
        };
        for atom in &rule.joins {
            guard(atom.clone(), true);
        }
        for check in &rule.checks {
            if let Formula::Not(inner) = check.formula
                && let Formula::Atom(atom) = &**inner
            {
                guard(Pattern::of(atom), false);
            }
        }
        let checks = rule.checks.iter().filter(|it| self.is_fixed(it.formula));
        let checks = checks.filter(|it| it.variables & !bound == 0);
        let bare = Rule {
            method: None,
            head: rule.head.iter().map(renamed).collect(),
            arity: variables.len(),
            variables: variables.len(),
            ranges: variables
                .iter()
                .map(|&it| rule.ranges[it].clone())
                .collect(),
            joins: joins
                .iter()
                .map(|it| Pattern {
                    predicate: it.predicate,
                    terms: it.terms.iter().map(renamed).collect(),
                })
                .collect(),
            looks: rule.looks,
            checks: Vec::<Check<'m>>::new(),
            subtasks: Vec::new(),
            ordering: &[],
            order: [].into(),
            ordered: true,
            recursive: false,
        };
        Some(Step {
            bare,
            variables,
            becomes,
            checks: checks.map(|it| it.formula).collect(),
            guards,
        })
    }

    fn end(&self, rule: &Rule<'m>) -> End<'m> {
        let head = rule.head.iter().fold(0u128, |all, slot| match slot {
            Slot::Variable(variable) => all | 1 << variable,
            Slot::Object(_) => all,
        });
        let within = |it: &&Pattern| {
            let known = |slot: &Slot| !matches!(slot, Slot::Variable(it) if head >> it & 1 == 0);
            !self.changing[it.predicate as usize] && it.terms.iter().all(known)
        };
        let checks = rule.checks.iter().filter(|it| it.variables & !head == 0);
        End {
            head: rule.head.clone(),
            joins: rule.joins.iter().filter(within).cloned().collect(),
            checks: checks
                .map(|it| it.formula)
                .filter(|it| self.is_fixed(it))
                .collect(),
            ranges: rule.ranges.clone(),
            variables: rule.variables,
        }
    }
}

impl Step<'_> {
    /// True if it depends on the argument at this place.
    fn asks(&self, place: usize) -> bool {
        let Slot::Variable(bare) = self.bare.head[place] else {
            return true;
        };
        let variable = self.variables[bare as usize];
        let slot = Slot::Variable(variable as u32);
        self.bare
            .joins
            .iter()
            .any(|it| it.terms.contains(&Slot::Variable(bare)))
            || self.guards.iter().any(|(it, _)| it.terms.contains(&slot))
            || self.checks.iter().any(|it| free(it) >> variable & 1 != 0)
            || self.becomes.contains(&slot)
            || self
                .bare
                .head
                .iter()
                .filter(|it| **it == Slot::Variable(bare))
                .count()
                > 1
    }
}

impl End<'_> {
    /// True if nothing that never changes keeps the walk from ending here.
    fn fits(&self, arguments: &[u32], facts: &Facts) -> bool {
        let mut binding = vec![UNBOUND; self.variables];
        for (slot, &object) in self.head.iter().zip(arguments) {
            match *slot {
                Slot::Object(other) if other != object => return false,
                Slot::Object(_) => {}
                Slot::Variable(variable) => {
                    let value = &mut binding[variable as usize];
                    if *value != UNBOUND && *value != object {
                        return false;
                    }
                    *value = object;
                }
            }
        }
        self.joins.iter().all(|it| {
            let objects: Vec<u32> = it.terms.iter().map(|slot| slot.value(&binding)).collect();
            facts.has(it.predicate, &objects)
        }) && self
            .checks
            .iter()
            .all(|it| evaluate(facts, &self.ranges, it, &mut binding))
    }
}

impl Graph {
    fn node(&mut self, tuple: Box<[u32]>) -> u32 {
        let next = self.tuples.len() as u32;
        let node = *self.index.entry(tuple.clone()).or_insert(next);
        if node == next {
            self.tuples.push(tuple);
            self.back.push(Vec::new());
        }
        node
    }

    /// Adds everything that steps lead to from a tuple.
    fn explore(
        &mut self,
        measured: &Measured<'_>,
        arguments: &[u32],
        from: Box<[u32]>,
        facts: &mut Facts,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut arguments = arguments.to_vec();
        let mut open = self.tuples.len();
        self.node(from);
        let mut found = Vec::new();
        while open < self.tuples.len() && self.tuples.len() <= LARGEST {
            run.effort(20)?;
            for (&place, &object) in measured.moving.iter().zip(&self.tuples[open]) {
                arguments[place] = object;
            }
            for step in &measured.steps {
                instances(facts, &step.bare, &arguments, Watched::MAX, &mut found, run)?;
                for values in found.drain(..) {
                    let last = step.variables.last().map_or(0, |it| it + 1);
                    let mut binding = vec![UNBOUND; last.max(step.bare.variables)];
                    for (&variable, &value) in step.variables.iter().zip(&values) {
                        binding[variable] = value;
                    }
                    let ranges = &[];
                    if !(step.checks.iter()).all(|it| evaluate(facts, ranges, it, &mut binding)) {
                        continue;
                    }
                    let guards: Guards = step
                        .guards
                        .iter()
                        .map(|(atom, holds)| {
                            let objects: Vec<u32> =
                                atom.terms.iter().map(|it| it.value(&binding)).collect();
                            (facts.number(atom.predicate, &objects), *holds)
                        })
                        .collect();
                    let next = step.becomes.iter().map(|it| it.value(&binding)).collect();
                    let next = self.node(next);
                    let edge = (open as u32, next);
                    for guard in guards.iter().filter(|it| closed(facts, it)) {
                        self.closed.entry(guard.0).or_default().push(edge);
                    }
                    self.back[next as usize].push((open as u32, guards));
                }
            }
            open += 1;
        }
        Ok(())
    }

    /// Distances from every tuple to where a walk may end.
    fn distances(&self, measured: &Measured<'_>, arguments: &[u32], facts: &Facts) -> Known {
        let mut arguments = arguments.to_vec();
        let mut known = Known {
            far: vec![KEPT_FAR; self.tuples.len()],
            opened: self.opened.len(),
        };
        let mut open = VecDeque::new();
        for (node, tuple) in self.tuples.iter().enumerate() {
            for (&place, &object) in measured.moving.iter().zip(tuple) {
                arguments[place] = object;
            }
            if measured.ends.iter().any(|end| end.fits(&arguments, facts)) {
                known.far[node] = 0;
                open.push_back(node as u32);
            }
        }
        self.spread(&mut known.far, open, facts);
        known
    }

    /// Shortens distances by the edges opened since.
    fn update(&self, known: &mut Known, facts: &Facts, run: &mut Run<'_>) -> Result<(), Stop> {
        for &(from, to) in &self.opened[known.opened..] {
            run.effort(1)?;
            let far = known.far[to as usize];
            if far != KEPT_FAR && longer(far) < known.far[from as usize] {
                // From its end, so that what else closes the edge is looked at.
                run.effort(self.tuples.len() as u64 / 4)?;
                self.spread(&mut known.far, VecDeque::from([to]), facts);
            }
        }
        known.opened = self.opened.len();
        Ok(())
    }

    /// Shortens the distances of all that lead to some.
    fn spread(&self, far: &mut [u16], mut open: VecDeque<u32>, facts: &Facts) {
        while let Some(node) = open.pop_front() {
            let next = longer(far[node as usize]);
            for (from, guards) in &self.back[node as usize] {
                if far[*from as usize] > next && !guards.iter().any(|it| closed(facts, it)) {
                    far[*from as usize] = next;
                    open.push_back(*from);
                }
            }
        }
    }
}

/// One step more.
fn longer(far: u16) -> u16 {
    (far + 1).min(KEPT_FAR - 1)
}

/// True if something that never changed forbids it.
fn closed(facts: &Facts, &(fact, holds): &(FactId, bool)) -> bool {
    facts.holds(fact) != holds && !facts.ever_moved(fact)
}
