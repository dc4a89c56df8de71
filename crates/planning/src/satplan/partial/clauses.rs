//! A tree and so many steps as clauses.
//!
//! Everything that happens has a step, and those of one step do not get in each
//! other's way, so that they can be done in any order. When something happens
//! is said by *begun*: a literal for each position and step, which holds from
//! the step on in which the first thing below the position happens. An order of
//! siblings is a clause for each step: where the later has begun, everything
//! below the earlier is done.
//!
//! The condition of a method holds right before the step in which its first
//! action happens. Whatever disturbs it in that step is then alone in it, and
//! is that action itself.

use planoku_constraints::cnf::Lit;
use planoku_constraints::sat::Sat;
use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::super::formula::Formula;
use super::tree::{Position, PositionId, Tree, What};
use crate::ground::{Condition, FactIndex, Ground, Node};

/// The clauses, and what their literals mean.
pub(super) struct Clauses<'a> {
    ground: &'a Ground,
    tree: &'a Tree,
    steps: usize,
    pub(super) formula: Formula,
    /// For each position, the literals of its alternatives and choices.
    pub(super) holds: Vec<Vec<Lit>>,
    pub(super) chosen: Vec<Vec<Lit>>,
    /// For each position where something may happen here or below, and each
    /// step, whether it has begun. The last says whether it happens at all.
    begun: Vec<Option<Vec<Lit>>>,
    /// The same for what happens at the position itself.
    own: Vec<Option<Vec<Lit>>>,
    /// The same for actions alone.
    acted: Vec<Option<Vec<Lit>>>,
    /// For each position and step, whether nothing below is still to come.
    over: Vec<Option<Vec<Lit>>>,
    charged: u64,
}

/// A deed in a step: what may happen at several leaves.
struct Deed<'a> {
    lit: Lit,
    condition: &'a Condition,
    add: &'a [FactIndex],
    delete: &'a [FactIndex],
}

impl<'a> Clauses<'a> {
    /// Says everything.
    pub(super) fn new(
        ground: &'a Ground,
        tree: &'a Tree,
        steps: usize,
        run: &mut Run<'_>,
    ) -> Result<Clauses<'a>, Stop> {
        let count = tree.positions.len();
        let mut it = Clauses {
            ground,
            tree,
            steps,
            formula: Formula::new(Sat::new(), false),
            holds: vec![Vec::new(); count],
            chosen: vec![Vec::new(); count],
            begun: vec![None; count],
            own: vec![None; count],
            acted: vec![None; count],
            over: vec![None; count],
            charged: 0,
        };
        let mut checks = Vec::new();
        for at in 0..count {
            it.choose(at, &mut checks);
            it.listen(run)?;
        }
        for at in (0..count).rev() {
            it.say_begun(at);
            it.listen(run)?;
        }
        for (at, choice, check) in checks {
            it.say_check(at, choice, check);
        }
        for at in 0..count {
            it.say_span(at);
        }
        for at in 0..count {
            it.say_order(at, run)?;
        }
        it.say_steps(run)?;
        Ok(it)
    }

    /// The step in which a leaf happens, counted from 0, if it does.
    pub(super) fn step_of(&self, at: PositionId) -> Option<usize> {
        let own = self.own[at].as_ref()?;
        own.iter().position(|lit| self.is_true(*lit))
    }

    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.formula.sat.value(lit.var()) == lit.is_positive()
    }

    /// Answers for what was said since the last time.
    fn listen(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let said = self.formula.literals();
        run.effort(said - std::mem::replace(&mut self.charged, said))?;
        let lists = 16 * (self.tree.positions.len() * self.steps) as u64;
        run.check_memory(2 * self.formula.bytes() + lists + self.tree.bytes)
    }

    /// What stands at a position, and how it is refined.
    fn choose(&mut self, at: PositionId, checks: &mut Vec<(PositionId, usize, Lit)>) {
        let tree = self.tree;
        let position = &tree.positions[at];
        if at == 0 {
            self.holds[0] = vec![self.formula.yes()];
        }
        // The parent has given the alternatives their literals already.
        let mut ways: Vec<Vec<Lit>> = vec![Vec::new(); position.alternatives.len()];
        let mut count = vec![0; position.alternatives.len()];
        position
            .choices
            .iter()
            .for_each(|it| count[it.alternative] += 1);
        for choice in &position.choices {
            let lit = match count[choice.alternative] {
                1 => self.holds[at][choice.alternative],
                _ => self.formula.new_lit(),
            };
            ways[choice.alternative].push(lit);
            self.chosen[at].push(lit);
        }
        for (alternative, ways) in ways.iter().enumerate() {
            let lit = self.holds[at][alternative];
            if position.alternatives[alternative].what.happens() || ways.len() == 1 {
                continue;
            }
            let none = [!lit];
            self.formula.add_with(&none, ways);
            ways.iter().for_each(|way| self.formula.add(&[!*way, lit]));
            self.formula.at_most_one(ways);
        }
        for child in position.children.clone() {
            for alternative in &tree.positions[child].alternatives {
                let by: Vec<Lit> = alternative
                    .by
                    .iter()
                    .map(|it| self.chosen[at][*it])
                    .collect();
                let lit = match alternative.what {
                    What::Node(_) => self.formula.any(&by),
                    What::Check(_) => {
                        let lit = self.formula.new_lit();
                        self.formula.add_with(&[!lit], &by);
                        checks.extend(alternative.by.iter().map(|it| (at, *it, lit)));
                        lit
                    }
                };
                self.holds[child].push(lit);
            }
        }
    }

    /// When a position begins: when its own action happens, or when something
    /// below it begins.
    fn say_begun(&mut self, at: PositionId) {
        let tree = self.tree;
        let position = &tree.positions[at];
        let own = |checks: bool| {
            let pairs = position.alternatives.iter().zip(&self.holds[at]);
            let pairs = pairs.filter(|(it, _)| it.what.happens());
            let pairs = pairs.filter(|(it, _)| checks || !matches!(it.what, What::Check(_)));
            pairs.map(|(_, lit)| *lit).collect::<Vec<Lit>>()
        };
        let (own, acts) = (own(true), own(false));
        let here = (!own.is_empty()).then(|| self.happens_at(&own));
        self.own[at].clone_from(&here);
        // Actions and checks never share a position.
        let acts_here = here.clone().filter(|_| !acts.is_empty());
        let below = |of: &[Option<Vec<Lit>>]| {
            let children = position.children.clone();
            children.filter_map(|it| of[it].clone()).collect::<Vec<_>>()
        };
        let mut begun = below(&self.begun);
        let mut acted = below(&self.acted);
        let same = begun == acted && here == acts_here;
        begun.extend(here);
        acted.extend(acts_here);
        self.begun[at] = self.any_of(&begun);
        self.acted[at] = match same {
            true => self.begun[at].clone(),
            false => self.any_of(&acted),
        };
    }

    /// From which step on something has happened that happens if one of these
    /// holds.
    fn happens_at(&mut self, lits: &[Lit]) -> Vec<Lit> {
        let happens = self.formula.any(lits);
        let mut begun: Vec<Lit> = (1..self.steps).map(|_| self.formula.new_lit()).collect();
        begun.push(happens);
        for pair in begun.windows(2) {
            self.formula.add(&[!pair[0], pair[1]]);
        }
        begun
    }

    /// Step by step, whether one of these holds.
    fn any_of(&mut self, parts: &[Vec<Lit>]) -> Option<Vec<Lit>> {
        match parts {
            [] => None,
            [only] => Some(only.clone()),
            _ => {
                let at = |step: usize| parts.iter().map(|it| it[step]).collect::<Vec<Lit>>();
                let any = (0..self.steps).map(at).collect::<Vec<_>>();
                Some(any.iter().map(|lits| self.formula.any(lits)).collect())
            }
        }
    }

    /// A method whose condition is checked has no action, and one without any
    /// action is checked.
    fn say_check(&mut self, at: PositionId, choice: usize, check: Lit) {
        let last = self.steps - 1;
        let chosen = self.chosen[at][choice];
        let acted = self.acted[at].as_ref().map(|it| it[last]);
        match acted {
            Some(acted) => {
                self.formula.add(&[!chosen, acted, check]);
                self.formula.add(&[!check, !acted]);
            }
            None => self.formula.add(&[!chosen, check]),
        }
        self.formula.add(&[!check, chosen]);
    }

    /// What is checked is checked inside everything around it, and no earlier
    /// than right before the first action there. As nothing disturbs it in its
    /// step, it may be the step before that one.
    fn say_span(&mut self, at: PositionId) {
        let position = &self.tree.positions[at];
        let mut checked = position.alternatives.iter();
        if !checked.any(|it| matches!(it.what, What::Check(_))) {
            return;
        }
        let Some(own) = self.own[at].clone() else {
            return;
        };
        let last = self.steps - 1;
        let mut around = position.parent;
        loop {
            let parent = self.tree.positions[around].parent;
            if let Some(acted) = &self.acted[around] {
                for (step, own) in own.iter().enumerate() {
                    let soon = acted[(step + 1).min(last)];
                    self.formula.add(&[!*own, soon, !acted[last]]);
                }
            }
            if parent == around {
                return;
            }
            around = parent;
        }
    }

    /// Step by step, that nothing below a position is still to come.
    fn over(&mut self, at: PositionId) -> Option<Vec<Lit>> {
        if let Some(over) = &self.over[at] {
            return Some(over.clone());
        }
        self.begun[at].as_ref()?;
        let tree = self.tree;
        let position = &tree.positions[at];
        let own = self.own[at].clone();
        let mut parts: Vec<Vec<Lit>> = Vec::new();
        for child in position.children.clone() {
            parts.extend(self.over(child));
        }
        let mut over = Vec::with_capacity(self.steps);
        for step in 0..self.steps {
            if own.is_none() && parts.len() == 1 {
                over.push(parts[0][step]);
                continue;
            }
            let lit = self.formula.new_lit();
            if let Some(own) = &own {
                self.formula.add(&[!lit, own[step], !own[self.steps - 1]]);
            }
            for part in &parts {
                self.formula.add(&[!lit, part[step]]);
            }
            over.push(lit);
        }
        self.over[at] = Some(over.clone());
        Some(over)
    }

    /// The order of the children of a position.
    fn say_order(&mut self, at: PositionId, run: &mut Run<'_>) -> Result<(), Stop> {
        let tree = self.tree;
        let Position {
            order, children, ..
        } = &tree.positions[at];
        let mut before: FxHashMap<PositionId, usize> = FxHashMap::default();
        for (_, b, _) in order.iter().filter(|(.., choices)| choices.is_empty()) {
            *before.entry(*b).or_default() += 1;
        }
        let after_all = |b: PositionId| before.get(&b) == Some(&(b - children.start));
        for (a, b, choices) in order.iter().filter(|(_, b, _)| !after_all(*b)) {
            self.listen(run)?;
            let (Some(begun), Some(over)) = (self.begun[*b].clone(), self.over(*a)) else {
                continue;
            };
            for (begun, over) in begun.into_iter().zip(over) {
                if choices.is_empty() {
                    self.formula.add(&[!begun, over]);
                }
                for choice in choices {
                    let chosen = self.chosen[at][*choice];
                    self.formula.add(&[!chosen, !begun, over]);
                }
            }
        }
        // Where all others come before, one literal says that they are over.
        let mut all_over: Option<Vec<Lit>> = None;
        let mut next = children.start;
        for b in children.clone().filter(|b| after_all(*b)) {
            for a in next..b {
                self.listen(run)?;
                let Some(over) = self.over(a) else {
                    continue;
                };
                all_over = Some(match all_over {
                    None => over,
                    Some(others) => {
                        let both = over.iter().zip(&others);
                        let both = both.map(|(over, others)| {
                            let lit = self.formula.new_lit();
                            self.formula.add(&[!lit, *over]);
                            self.formula.add(&[!lit, *others]);
                            lit
                        });
                        both.collect()
                    }
                });
            }
            next = next.max(b);
            if let (Some(begun), Some(over)) = (self.begun[b].clone(), &all_over) {
                for (begun, over) in begun.into_iter().zip(over) {
                    self.formula.add(&[!begun, *over]);
                }
            }
        }
        Ok(())
    }

    /// What happens in each step, and what it does.
    fn say_steps(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let (ground, tree) = (self.ground, self.tree);
        let leaves: Vec<PositionId> = (0..tree.positions.len())
            .filter(|at| {
                tree.positions[*at]
                    .alternatives
                    .iter()
                    .any(|it| it.what.happens())
            })
            .collect();
        let mut version = vec![self.formula.no(); ground.facts.len()];
        for fact in &ground.init {
            version[*fact as usize] = self.formula.yes();
        }
        for step in 0..self.steps {
            // For each deed, the leaves at which it may happen in this step.
            let mut deeds: FxHashMap<What, Vec<Lit>> = FxHashMap::default();
            let mut here = Vec::with_capacity(leaves.len());
            for &leaf in &leaves {
                let Some(at) = self.at(leaf, step) else {
                    continue;
                };
                here.push(at);
                let happening = tree.positions[leaf].alternatives.iter().enumerate();
                let happening: Vec<(usize, What)> = happening
                    .map(|(index, it)| (index, it.what))
                    .filter(|(_, what)| what.happens())
                    .collect();
                let only = tree.positions[leaf].alternatives.len() == 1;
                for (index, what) in happening {
                    let holds = self.holds[leaf][index];
                    if !self.may_hold(self.condition(what), &version) {
                        self.formula.add(&[!at, !holds]);
                        continue;
                    }
                    let lit = match only {
                        true => at,
                        false => self.both(at, holds),
                    };
                    deeds.entry(what).or_default().push(lit);
                }
                self.listen(run)?;
            }
            version = self.say_step(step, deeds, &here, version, run)?;
        }
        let goal = &ground.goal;
        let yes = self.formula.yes();
        self.formula.require(yes, goal, &version);
        Ok(())
    }

    /// A literal that holds exactly if both do.
    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == self.formula.yes() {
            return a;
        }
        if a == self.formula.yes() {
            return b;
        }
        let both = self.formula.new_lit();
        self.formula.add(&[!both, a]);
        self.formula.add(&[!both, b]);
        self.formula.add(&[both, !a, !b]);
        both
    }

    /// Whether a leaf's own action happens in this very step.
    fn at(&mut self, leaf: PositionId, step: usize) -> Option<Lit> {
        let own = self.own[leaf].as_ref()?;
        let (now, before) = (own[step], step.checked_sub(1).map(|it| own[it]));
        Some(match before {
            None => now,
            Some(before) => self.both(now, !before),
        })
    }

    fn condition(&self, what: What) -> &'a Condition {
        match what {
            What::Node(Node::Action(action)) => &self.ground.actions[action as usize].precondition,
            What::Node(Node::Task(_)) => unreachable!("tasks do not happen"),
            What::Check(method) => &self.ground.methods[method as usize].precondition,
        }
    }

    fn may_hold(&self, condition: &Condition, version: &[Lit]) -> bool {
        let (yes, no) = (self.formula.yes(), self.formula.no());
        let mut positive = condition.positive.iter();
        let mut negative = condition.negative.iter();
        positive.all(|fact| version[*fact as usize] != no)
            && negative.all(|fact| version[*fact as usize] != yes)
    }

    /// One step: what happens in it does not get in each other's way, and makes
    /// of the state before it the state after it.
    fn say_step(
        &mut self,
        step: usize,
        deeds: FxHashMap<What, Vec<Lit>>,
        here: &[Lit],
        version: Vec<Lit>,
        run: &mut Run<'_>,
    ) -> Result<Vec<Lit>, Stop> {
        let ground = self.ground;
        let mut sorted: Vec<(What, Vec<Lit>)> = deeds.into_iter().collect();
        sorted.sort_unstable();
        let mut said = Vec::with_capacity(sorted.len());
        for (what, lits) in sorted {
            let lit = self.formula.any(&lits);
            let (add, delete): (&[u32], &[u32]) = match what {
                What::Node(Node::Action(action)) => {
                    let action = &ground.actions[action as usize];
                    (&action.add, &action.delete)
                }
                _ => (&[], &[]),
            };
            let deed = Deed {
                lit,
                condition: self.condition(what),
                add,
                delete,
            };
            self.formula.require(lit, deed.condition, &version);
            if deed.disturbs_itself() {
                self.formula.at_most_one(&lits);
            }
            said.push(deed);
        }
        self.listen(run)?;
        let alone = self.read_conditions(step, &said, &version);
        if let Some(alone) = alone {
            self.say_alone(alone, here);
        }
        let after = self.change(&said, version);
        self.listen(run)?;
        Ok(after)
    }

    /// The conditions of methods whose first action is in this step. What
    /// disturbs one of them must be alone: a literal that says so is returned.
    fn read_conditions(&mut self, step: usize, deeds: &[Deed<'_>], version: &[Lit]) -> Option<Lit> {
        let (ground, tree) = (self.ground, self.tree);
        let mut readers: FxHashMap<(FactIndex, bool), Vec<Lit>> = FxHashMap::default();
        for at in 0..tree.positions.len() {
            let position = &tree.positions[at];
            let waits =
                |method: u32| ground.methods[method as usize].precondition != Condition::default();
            if !position.choices.iter().any(|it| waits(it.method)) {
                continue;
            }
            // What happens at the position itself is no refinement, and then no
            // choice holds.
            let Some(acted) = &self.acted[at] else {
                continue;
            };
            let (now, before) = (acted[step], step.checked_sub(1).map(|it| acted[it]));
            let first = match before {
                None => now,
                Some(before) => self.both(now, !before),
            };
            for (index, choice) in position.choices.iter().enumerate() {
                if !waits(choice.method) {
                    continue;
                }
                let condition = &ground.methods[choice.method as usize].precondition;
                let reads = self.both(first, self.chosen[at][index]);
                self.formula.require(reads, condition, version);
                let positive = condition.positive.iter().map(|it| (*it, true));
                let negative = condition.negative.iter().map(|it| (*it, false));
                for key in positive.chain(negative) {
                    readers.entry(key).or_default().push(reads);
                }
            }
        }
        let mut sorted: Vec<_> = readers.into_iter().collect();
        sorted.sort_unstable();
        let mut alone = None;
        for ((fact, positive), readers) in sorted {
            let disturbs = |it: &&Deed<'_>| match positive {
                true => it.deletes(fact),
                false => it.add.contains(&fact),
            };
            let disturbers: Vec<Lit> = deeds.iter().filter(disturbs).map(|it| it.lit).collect();
            if disturbers.is_empty() {
                continue;
            }
            let alone = *alone.get_or_insert_with(|| self.formula.new_lit());
            let read = self.formula.any(&readers);
            for disturber in disturbers {
                self.formula.add(&[!read, !disturber, alone]);
            }
        }
        alone
    }

    /// If that literal holds, at most one of these does.
    fn say_alone(&mut self, alone: Lit, here: &[Lit]) {
        let mut before: Option<Lit> = None;
        for &lit in here {
            let so_far = self.formula.new_lit();
            self.formula.add(&[!lit, so_far]);
            if let Some(before) = before {
                self.formula.add(&[!alone, !before, !lit]);
                self.formula.add(&[!before, so_far]);
            }
            before = Some(so_far);
        }
    }

    /// What deeds change, and that nothing else does.
    fn change(&mut self, deeds: &[Deed<'_>], version: Vec<Lit>) -> Vec<Lit> {
        #[derive(Default)]
        struct Touched {
            add: Vec<usize>,
            delete: Vec<usize>,
            need: Vec<usize>,
            need_not: Vec<usize>,
        }
        let mut touched: FxHashMap<FactIndex, Touched> = FxHashMap::default();
        for (index, deed) in deeds.iter().enumerate() {
            for &fact in deed.add {
                touched.entry(fact).or_default().add.push(index);
            }
            for &fact in deed.delete.iter().filter(|it| !deed.add.contains(it)) {
                touched.entry(fact).or_default().delete.push(index);
            }
            for &fact in &deed.condition.positive {
                touched.entry(fact).or_default().need.push(index);
            }
            for &fact in &deed.condition.negative {
                touched.entry(fact).or_default().need_not.push(index);
            }
        }
        let mut sorted: Vec<(FactIndex, Touched)> = touched.into_iter().collect();
        sorted.sort_unstable_by_key(|(fact, _)| *fact);
        let mut after = version.clone();
        for (fact, it) in sorted {
            let mut wanted = it.need;
            wanted.extend(&it.add);
            self.exclude(deeds, &it.delete, wanted);
            self.exclude(deeds, &it.add, it.need_not);
            let lits = |of: &[usize]| of.iter().map(|it| deeds[*it].lit).collect::<Vec<Lit>>();
            let (add, delete) = (lits(&it.add), lits(&it.delete));
            let before = version[fact as usize];
            let (yes, no) = (self.formula.yes(), self.formula.no());
            let stays = before == yes && delete.is_empty() || before == no && add.is_empty();
            if stays || add.is_empty() && delete.is_empty() {
                continue;
            }
            let now = self.formula.new_lit();
            add.iter().for_each(|it| self.formula.add(&[!*it, now]));
            delete.iter().for_each(|it| self.formula.add(&[!*it, !now]));
            self.formula.add_with(&[before, !now], &add);
            self.formula.add_with(&[!before, now], &delete);
            after[fact as usize] = now;
        }
        after
    }

    /// Who breaks something excludes all others that want it.
    fn exclude(&mut self, deeds: &[Deed<'_>], breaks: &[usize], mut wants: Vec<usize>) {
        if breaks.is_empty() || wants.is_empty() {
            return;
        }
        wants.sort_unstable();
        wants.dedup();
        let mut all: Vec<usize> = breaks.iter().chain(&wants).copied().collect();
        all.sort_unstable();
        all.dedup();
        let entry = |it: &usize| {
            let breaks = breaks.binary_search(it).is_ok();
            (deeds[*it].lit, breaks, wants.binary_search(it).is_ok())
        };
        let mut row: Vec<(Lit, bool, bool)> = all.iter().map(entry).collect();
        self.formula.exclude_later(&row);
        row.reverse();
        self.formula.exclude_later(&row);
    }
}

impl Deed<'_> {
    fn deletes(&self, fact: FactIndex) -> bool {
        self.delete.contains(&fact) && !self.add.contains(&fact)
    }

    /// True if it cannot be done twice in a row.
    fn disturbs_itself(&self) -> bool {
        let mut positive = self.condition.positive.iter();
        let mut negative = self.condition.negative.iter();
        positive.any(|fact| self.deletes(*fact)) || negative.any(|fact| self.add.contains(fact))
    }
}
