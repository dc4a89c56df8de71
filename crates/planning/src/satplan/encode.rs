//! Layered decomposition trees as clauses, one layer at a time.
//!
//! ```text
//! layer 0    solve-all
//! layer 1    fill c1      │ fill c2      │ fill c3      │ …     one position each
//! layer 2    place c1 d1  │ place c2 d1  │ place c3 d4  │ …     alternatives of a position:
//!            place c1 d5  │ place c2 d4  │              │         at most one is true
//! ```
//!
//! A [`Position`] holds everything that may stand at that place of the plan:
//! acts and tasks, a literal for each. Deepening replaces every position that
//! still holds tasks by the slots of their rules.
//!
//! # Sparse states
//!
//! A fact gets a new variable only after a position that may change it; between
//! changes its literal is simply carried along (`version`). A position that is
//! replaced by several keeps its own variables as those of the last of them, so
//! nothing that was said about a layer needs to be taken back in the next:
//! the formula only grows, and the SAT solver keeps what it has learned.
//!
//! For a network with one task per Sudoku cell this is the SAT encoding of
//! Sudoku, with "at most one" said as a ladder over the fact that is used up.
//!
//! The idea of path decomposition trees is totSAT's (Behnke, Höller and Biundo,
//! AAAI 2018), sharing variables between layers is Tree-REX's (Schreiber, Pellier,
//! Fiorino and Balyo, ICAPS 2019).

use std::rc::Rc;

use planoku_constraints::cnf::Lit;
use planoku_engine::{Run, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::Formula;
use super::rules::{ActId, Body, RuleId, Rules, TaskId};
use crate::ground::{Condition, FactIndex, Ground};

/// Pairs of acts excluded one by one rather than through a chain.
const PAIRS: usize = 256;

/// Literals said between two looks at the limits.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// Index into [`Tree::positions`].
pub(super) type PositionId = usize;

/// A place in the plan and what may stand there.
#[derive(Default)]
pub(super) struct Position {
    /// Acts that may happen here.
    pub acts: Vec<(ActId, Lit)>,
    /// Tasks that may still have to be refined here.
    pub tasks: Vec<(TaskId, Lit)>,
    /// The literals of the facts this position may change, afterwards; sorted.
    after: Vec<(FactIndex, Lit)>,
    /// Once refined: which rule was chosen if its literal is true.
    pub choices: Vec<(TaskId, RuleId, Lit)>,
    /// Once refined: the positions that take its place.
    pub children: std::ops::Range<PositionId>,
    /// The round in which it was made.
    pub born: u64,
}

/// The tree so far, and what it says as clauses.
pub(super) struct Tree<'a> {
    rules: &'a Rules,
    pub formula: Formula,
    pub positions: Vec<Position>,
    /// The places of the deepest layer, in plan order.
    leaves: Vec<PositionId>,
    init: Vec<Lit>,
    pub depth: u64,
    /// The literals that the run has been charged for.
    charged: u64,
}

/// What may stand at a child position, before it is encoded.
#[derive(Default)]
struct Child {
    acts: FxHashMap<ActId, Vec<Lit>>,
    /// Acts whose conditions have been said already, sorted.
    carried: Vec<(ActId, Lit)>,
    tasks: FxHashMap<TaskId, Vec<Lit>>,
    loops: Vec<(std::ops::Range<ActId>, Lit)>,
    /// Conditions on entry, each under the literal of the rule that asks.
    conditions: Vec<(RuleId, usize, Lit)>,
}

/// Who may make a fact true, and who false.
#[derive(Default)]
struct Changers {
    add: Vec<Lit>,
    delete: Vec<Lit>,
}

/// A change of a fact, and the literal that brings it about.
struct Cause {
    fact: FactIndex,
    lit: Lit,
    /// `None`: the fact becomes true. Otherwise it becomes false, unless one
    /// of these holds.
    unless: Option<Vec<Lit>>,
}

impl Position {
    fn after(&self, fact: FactIndex) -> Option<Lit> {
        let index = self
            .after
            .binary_search_by_key(&fact, |(known, _)| *known)
            .ok()?;
        Some(self.after[index].1)
    }
}

impl<'a> Tree<'a> {
    /// The tree with nothing but the start.
    pub fn new(ground: &Ground, rules: &'a Rules, formula: Formula) -> Tree<'a> {
        let mut init = vec![formula.no(); ground.facts.len()];
        ground
            .init
            .iter()
            .for_each(|fact| init[*fact as usize] = formula.yes());
        let start = Position {
            tasks: vec![(rules.start, formula.yes())],
            ..Position::default()
        };
        Tree {
            rules,
            formula,
            positions: vec![start],
            leaves: vec![0],
            init,
            depth: 0,
            charged: 0,
        }
    }

    /// True if no task is left to refine: what cannot be done now never can.
    pub fn complete(&self) -> bool {
        self.leaves
            .iter()
            .all(|leaf| self.positions[*leaf].tasks.is_empty())
    }

    /// The positions of the deepest layer, in plan order.
    pub fn leaves(&self) -> impl Iterator<Item = &Position> + '_ {
        self.leaves.iter().map(|leaf| &self.positions[*leaf])
    }

    /// The literals of tasks that are not refined yet.
    pub fn open_tasks(&self) -> impl Iterator<Item = Lit> + '_ {
        let tasks = self
            .leaves
            .iter()
            .flat_map(|leaf| &self.positions[*leaf].tasks);
        tasks.map(|(_, lit)| *lit)
    }

    /// Adds one layer. Each position refined counts as a node.
    pub fn deepen(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let all = vec![true; self.leaves.len()];
        self.expand(&all, run)
    }

    /// Replaces the chosen ones among the leaves by the slots of their rules;
    /// the tasks of the others stay as they are, free to change whatever some
    /// refinement of theirs may change.
    pub fn expand(&mut self, chosen: &[bool], run: &mut Run<'_>) -> Result<(), Stop> {
        let mut version = self.init.clone();
        let mut leaves = Vec::new();
        for (leaf, &chosen) in std::mem::take(&mut self.leaves).into_iter().zip(chosen) {
            if !chosen || self.positions[leaf].tasks.is_empty() {
                for &(fact, lit) in &self.positions[leaf].after {
                    version[fact as usize] = lit;
                }
                leaves.push(leaf);
            } else {
                run.tick()?;
                run.check_memory(self.formula.bytes())?;
                self.refine(leaf, &mut version, run)?;
                self.charge(run)?;
                for child in self.positions[leaf].children.clone() {
                    self.positions[child].born = self.depth + 1;
                    leaves.push(child);
                }
            }
        }
        self.leaves = leaves;
        self.depth += 1;
        Ok(())
    }

    /// Hears limits while one position is said, which may be most of a formula.
    fn listen(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        if self.formula.literals() - self.charged < BETWEEN_LOOKS {
            return Ok(());
        }
        run.check_memory(self.formula.bytes())?;
        self.charge(run)
    }

    /// Answers for what was said since the last time.
    fn charge(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let said = self.formula.literals();
        run.effort(said - std::mem::replace(&mut self.charged, said))
    }

    /// Replaces a position by the slots of the rules for its tasks.
    fn refine(
        &mut self,
        id: PositionId,
        version: &mut [Lit],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let children = self.choose_rules(id, version, run)?;
        let last_change = self.last_changes(&children);
        let first = self.positions.len();
        for (nth, child) in children.into_iter().enumerate() {
            let settled = |fact: FactIndex| last_change.get(&fact) == Some(&nth);
            let position = self.encode(id, child, version, settled, run)?;
            self.positions.push(position);
        }
        self.positions[id].children = first..self.positions.len();
        // Facts that turned out not to change are what they were before, and
        // may be known: what follows makes use of it.
        for index in 0..self.positions[id].after.len() {
            let (fact, lit) = self.positions[id].after[index];
            let current = version[fact as usize];
            if current != lit {
                self.formula.add(&[!current, lit]);
                self.formula.add(&[current, !lit]);
            }
        }
        Ok(())
    }

    /// Gives each task of the position its rules and gathers their slots.
    fn choose_rules(
        &mut self,
        id: PositionId,
        version: &[Lit],
        run: &mut Run<'_>,
    ) -> Result<Vec<Child>, Stop> {
        let rules = self.rules;
        let mut children = vec![Child::default()];
        for &(act, lit) in &self.positions[id].acts {
            children[0].acts.entry(act).or_default().push(lit);
            children[0].carried.push((act, lit));
        }
        children[0].carried.sort_unstable();
        for (task, lit) in self.positions[id].tasks.clone() {
            self.listen(run)?;
            let open: Vec<RuleId> = rules.tasks[task]
                .rules
                .iter()
                .copied()
                .filter(|rule| self.may_start(*rule, version))
                .collect();
            let lits: Vec<Lit> = match open.len() {
                1 => vec![lit],
                n => (0..n).map(|_| self.formula.new_lit()).collect(),
            };
            if open.len() != 1 {
                let mut some = lits.clone();
                some.push(!lit);
                self.formula.add(&some);
                lits.iter()
                    .for_each(|rule| self.formula.add(&[!*rule, lit]));
                self.formula.at_most_one(&lits);
            }
            for (rule, lit) in open.into_iter().zip(lits) {
                self.positions[id].choices.push((task, rule, lit));
                for (nth, slot) in rules.rules[rule].slots.iter().enumerate() {
                    if children.len() <= nth {
                        children.push(Child::default());
                    }
                    let child = &mut children[nth];
                    if slot.condition != Condition::default() {
                        child.conditions.push((rule, nth, lit));
                    }
                    match &slot.body {
                        Body::Nothing => {}
                        Body::Act(act) => child.acts.entry(*act).or_default().push(lit),
                        Body::Task(task) => child.tasks.entry(*task).or_default().push(lit),
                        Body::Parallel(acts) => child.loops.push((acts.clone(), lit)),
                    }
                }
            }
        }
        Ok(children)
    }

    /// False if the first slot of the rule contradicts what is known for sure.
    fn may_start(&self, rule: RuleId, version: &[Lit]) -> bool {
        let Some(slot) = self.rules.rules[rule].slots.first() else {
            return true;
        };
        self.may_hold(&slot.condition, version)
            && match slot.body {
                Body::Act(act) => self.may_hold(&self.rules.acts[act].condition, version),
                _ => true,
            }
    }

    fn may_hold(&self, condition: &Condition, version: &[Lit]) -> bool {
        condition
            .positive
            .iter()
            .all(|fact| version[*fact as usize] != self.formula.no())
            && condition
                .negative
                .iter()
                .all(|fact| version[*fact as usize] != self.formula.yes())
    }

    /// For each fact, the last child that may change it.
    fn last_changes(&self, children: &[Child]) -> FxHashMap<FactIndex, usize> {
        let mut last = FxHashMap::default();
        for (nth, child) in children.iter().enumerate() {
            let acts = child.acts.keys().copied();
            let looped = child.loops.iter().flat_map(|(acts, _)| acts.clone());
            for act in acts.chain(looped).map(|act| &self.rules.acts[act]) {
                last.extend(
                    act.may_add()
                        .chain(act.may_delete())
                        .map(|fact| (fact, nth)),
                );
            }
            for task in child.tasks.keys().map(|task| &self.rules.tasks[*task]) {
                last.extend(
                    task.may_add
                        .iter()
                        .chain(task.may_delete.iter())
                        .map(|f| (*f, nth)),
                );
            }
        }
        last
    }

    /// Says what a child position means, and moves `version` past it.
    fn encode(
        &mut self,
        parent: PositionId,
        child: Child,
        version: &mut [Lit],
        settled: impl Fn(FactIndex) -> bool,
        run: &mut Run<'_>,
    ) -> Result<Position, Stop> {
        for (rule, slot, lit) in child.conditions {
            let condition = &self.rules.rules[rule].slots[slot].condition;
            self.formula.require(lit, condition, version);
        }
        let acts = self.place_acts(child.acts, &child.carried, version, run)?;
        let mut position = Position {
            acts,
            ..Position::default()
        };
        for (acts, lit) in child.loops {
            let step = self.place_parallel(acts, lit, version, run)?;
            position.acts.extend(step);
        }
        for (task, supporters) in sorted(child.tasks) {
            position.tasks.push((task, self.formula.any(&supporters)));
        }
        let causes = self.causes(&position, version);
        for (fact, changers) in self.changers(&position, &causes, version) {
            self.listen(run)?;
            let before = version[fact as usize];
            let inherited = settled(fact)
                .then(|| self.positions[parent].after(fact))
                .flatten();
            let after = inherited.unwrap_or_else(|| self.formula.new_lit());
            self.formula.add_with(&[!after, before], &changers.add);
            self.formula.add_with(&[after, !before], &changers.delete);
            position.after.push((fact, after));
        }
        self.apply(&position, &causes, version, run)?;
        for &(fact, lit) in &position.after {
            version[fact as usize] = lit;
        }
        Ok(position)
    }

    fn place_acts(
        &mut self,
        acts: FxHashMap<ActId, Vec<Lit>>,
        carried: &[(ActId, Lit)],
        version: &[Lit],
        run: &mut Run<'_>,
    ) -> Result<Vec<(ActId, Lit)>, Stop> {
        let rules = self.rules;
        let mut placed = Vec::new();
        for (act, supporters) in sorted(acts) {
            self.listen(run)?;
            let condition = &rules.acts[act].condition;
            if self.may_hold(condition, version) {
                let lit = self.formula.any(&supporters);
                if carried.binary_search(&(act, lit)).is_err() {
                    self.formula.require(lit, condition, version);
                }
                placed.push((act, lit));
            } else {
                supporters.iter().for_each(|lit| self.formula.add(&[!*lit]));
            }
        }
        Ok(placed)
    }

    /// Any of these acts, as long as none disturbs another.
    fn place_parallel(
        &mut self,
        acts: std::ops::Range<ActId>,
        guard: Lit,
        version: &[Lit],
        run: &mut Run<'_>,
    ) -> Result<Vec<(ActId, Lit)>, Stop> {
        let rules = self.rules;
        let mut placed = Vec::new();
        for act in acts {
            self.listen(run)?;
            let condition = &rules.acts[act].condition;
            if self.may_hold(condition, version) {
                let lit = self.formula.new_lit();
                self.formula.add(&[!lit, guard]);
                self.formula.require(lit, condition, version);
                placed.push((act, lit));
            }
        }
        self.exclude_disturbing(&placed, run)?;
        Ok(placed)
    }

    /// No act makes false what another needs true, or true what it needs false.
    fn exclude_disturbing(&mut self, acts: &[(ActId, Lit)], run: &mut Run<'_>) -> Result<(), Stop> {
        let mut needs: FxHashMap<(FactIndex, bool), Vec<(ActId, Lit)>> = FxHashMap::default();
        let mut breaks: FxHashMap<(FactIndex, bool), Vec<(ActId, Lit)>> = FxHashMap::default();
        for &(id, lit) in acts {
            let act = &self.rules.acts[id];
            let on = act.condition.positive.iter().map(|fact| (*fact, true));
            let off = act.condition.negative.iter().map(|fact| (*fact, false));
            let conditions = act.conditional.iter().map(|effect| &effect.condition);
            let read_on = conditions
                .clone()
                .flat_map(|c| &c.positive)
                .map(|f| (*f, true));
            let read_off = conditions.flat_map(|c| &c.negative).map(|f| (*f, false));
            // A conditional effect reads its condition either way.
            let other = read_on
                .clone()
                .chain(read_off.clone())
                .map(|(f, truth)| (f, !truth));
            let all: FxHashSet<_> = on
                .chain(off)
                .chain(read_on)
                .chain(read_off)
                .chain(other)
                .collect();
            all.into_iter()
                .for_each(|key| needs.entry(key).or_default().push((id, lit)));
            let broken: FxHashSet<_> = act
                .may_delete()
                .map(|f| (f, true))
                .chain(act.may_add().map(|f| (f, false)))
                .collect();
            broken
                .into_iter()
                .for_each(|key| breaks.entry(key).or_default().push((id, lit)));
        }
        let mut said: FxHashSet<(ActId, ActId)> = FxHashSet::default();
        for (key, breakers) in sorted(breaks) {
            self.listen(run)?;
            let Some(needers) = needs.get(&key) else {
                continue;
            };
            if breakers.len() * needers.len() <= PAIRS {
                for &(a, breaker) in &breakers {
                    for &(b, needer) in needers {
                        if a != b && said.insert((a.min(b), a.max(b))) {
                            self.formula.add(&[!breaker, !needer]);
                        }
                    }
                }
            } else {
                let mut ups = merge_by_act(&breakers, needers);
                self.formula.exclude_later(&ups);
                ups.reverse();
                self.formula.exclude_later(&ups);
            }
        }
        Ok(())
    }

    /// Each effect of each act here, under the literal that brings it about.
    fn causes(&mut self, position: &Position, version: &[Lit]) -> Vec<Cause> {
        let mut causes = Vec::new();
        for &(id, lit) in &position.acts {
            let act = &self.rules.acts[id];
            let sure = (lit, &act.add, &act.delete);
            let conditional: Vec<(Lit, &Vec<FactIndex>, &Vec<FactIndex>)> = act
                .conditional
                .iter()
                .map(|e| {
                    (
                        self.formula.all(lit, &e.condition, version),
                        &e.add,
                        &e.delete,
                    )
                })
                .collect();
            let effects = || [sure].into_iter().chain(conditional.iter().copied());
            for (lit, add, delete) in effects() {
                let adds = add.iter().map(|fact| Cause {
                    fact: *fact,
                    lit,
                    unless: None,
                });
                causes.extend(adds);
                // Within one action, adding wins over deleting.
                causes.extend(delete.iter().map(|fact| {
                    let adders = effects().filter(|(_, add, _)| add.contains(fact));
                    Cause {
                        fact: *fact,
                        lit,
                        unless: Some(adders.map(|(lit, ..)| lit).collect()),
                    }
                }));
            }
        }
        causes
    }

    /// Who may change which fact here, leaving out changes known to be none.
    fn changers(
        &mut self,
        position: &Position,
        causes: &[Cause],
        version: &[Lit],
    ) -> Vec<(FactIndex, Changers)> {
        let mut changers: FxHashMap<FactIndex, Changers> = FxHashMap::default();
        for cause in causes {
            let changers = changers.entry(cause.fact).or_default();
            if cause.unless.is_none() {
                &mut changers.add
            } else {
                &mut changers.delete
            }
            .push(cause.lit);
        }
        for (task, lit) in self.one_of_each_kind(position) {
            let task = &self.rules.tasks[task];
            task.may_add
                .iter()
                .for_each(|f| changers.entry(*f).or_default().add.push(lit));
            task.may_delete
                .iter()
                .for_each(|f| changers.entry(*f).or_default().delete.push(lit));
        }
        let (yes, no) = (self.formula.yes(), self.formula.no());
        changers.retain(|fact, changers| {
            let before = version[*fact as usize];
            !(before == yes && changers.delete.is_empty()
                || before == no && changers.add.is_empty())
        });
        sorted(changers)
    }

    /// The tasks of a position, those that may change the same facts as one,
    /// whose literal holds if one of theirs does: what is said of a change
    /// need not name each of a hundred that lead to one another.
    fn one_of_each_kind(&mut self, position: &Position) -> Vec<(TaskId, Lit)> {
        let mut kinds: FxHashMap<_, (TaskId, Vec<Lit>)> = FxHashMap::default();
        for &(id, lit) in &position.tasks {
            let task = &self.rules.tasks[id];
            let kind = (Rc::as_ptr(&task.may_add), Rc::as_ptr(&task.may_delete));
            let (_, lits) = kinds.entry(kind).or_insert((id, Vec::new()));
            lits.push(lit);
        }
        let mut kinds: Vec<(TaskId, Vec<Lit>)> = kinds.into_values().collect();
        kinds.sort_unstable_by_key(|(task, _)| *task);
        let one = |(task, lits): (TaskId, Vec<Lit>)| (task, self.formula.any(&lits));
        kinds.into_iter().map(one).collect()
    }

    /// Says that effects take effect.
    fn apply(
        &mut self,
        position: &Position,
        causes: &[Cause],
        version: &[Lit],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        for cause in causes {
            self.listen(run)?;
            // A fact without a new version is one nobody can change any more.
            let after = position
                .after(cause.fact)
                .unwrap_or(version[cause.fact as usize]);
            match &cause.unless {
                None => self.formula.add(&[!cause.lit, after]),
                Some(adders) => self.formula.add_with(&[!cause.lit, !after], adders),
            }
        }
        Ok(())
    }
}

/// The entries of a map in the order of their keys, so that runs repeat.
fn sorted<K: Ord, V>(map: FxHashMap<K, V>) -> Vec<(K, V)> {
    let mut entries: Vec<(K, V)> = map.into_iter().collect();
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    entries
}

/// `(literal, breaks?, needs?)` for every act in either list, ascending.
fn merge_by_act(breakers: &[(ActId, Lit)], needers: &[(ActId, Lit)]) -> Vec<(Lit, bool, bool)> {
    let mut all: FxHashMap<ActId, (Lit, bool, bool)> = FxHashMap::default();
    for &(act, lit) in breakers {
        all.insert(act, (lit, true, false));
    }
    for &(act, lit) in needers {
        all.entry(act).or_insert((lit, false, false)).2 = true;
    }
    sorted(all).into_iter().map(|(_, entry)| entry).collect()
}
