//! What happens at a leaf: at most one action, and what it changes.

use planoku_constraints::cnf::Lit;
use planoku_engine::{Run, Stop};

use super::encode::{Encoding, Standing};
use super::facts::{FactId, Facts};
use super::schema::{Pattern, Slot};
use super::tree::Position;
use super::vars::{Pool, Terms};

/// A change that an action may bring about.
pub(super) struct Change {
    pub(super) fact: FactId,
    pub(super) add: bool,
    /// Which action of the leaf.
    pub(super) op: usize,
    /// What its arguments have to be.
    pub(super) when: Vec<Lit>,
}

impl<'t> Encoding<'t, '_, '_> {
    /// Says what may happen at a leaf.
    pub(super) fn leaf(&mut self, position: &'t Position, run: &mut Run<'_>) -> Result<(), Stop> {
        let schemas = self.schemas;
        let mut pool = Pool::default();
        let mut ops: Vec<Standing<'t>> = Vec::new();
        for action in &position.actions {
            let act = &schemas.actions[action.schema];
            let of = &act.variables;
            let Some(mut op) = self.stand(action, false, &of.ranges, &of.matters, &mut pool) else {
                continue;
            };
            for variable in act.arity..of.ranges.len() {
                if of.chosen[variable] && action.domains[variable].len() > 1 {
                    let range = &of.ranges[variable];
                    let taken = pool.take(range, &op.arguments, &mut self.vars);
                    op.arguments[variable] = Some(taken);
                    let terms = Terms {
                        arguments: &op.arguments,
                        domains: &action.domains,
                    };
                    self.one_of(op.lit, terms, variable);
                }
            }
            let terms = Terms {
                arguments: &op.arguments,
                domains: &action.domains,
            };
            self.require(op.lit, &act.condition, of, terms, run)?;
            ops.push(op);
        }
        let lits: Vec<Lit> = ops.iter().map(|op| op.lit).collect();
        if lits.len() > 1 {
            self.formula.at_most_one(&lits);
        }
        let mut changes = Vec::new();
        for (index, op) in ops.iter().enumerate() {
            let act = &schemas.actions[op.placed.schema];
            for atom in &act.adds {
                self.changes_of(atom, op, index, true, &mut changes, run)?;
            }
            for atom in &act.deletes {
                self.changes_of(atom, op, index, false, &mut changes, run)?;
            }
        }
        changes.sort_by_key(|change| change.fact);
        for of_fact in changes.chunk_by(|a, b| a.fact == b.fact) {
            self.change(of_fact, &lits);
            self.listen(run)?;
        }
        self.now += 1;
        Ok(())
    }

    /// What an effect changes, under which literals.
    fn changes_of(
        &mut self,
        atom: &Pattern,
        standing: &Standing<'_>,
        op: usize,
        add: bool,
        changes: &mut Vec<Change>,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let mut found = std::mem::take(&mut self.found);
        let facts: &Facts = self.tree.facts;
        run.effort(facts.find(atom, &standing.placed.domains, &mut found))?;
        for &fact in &found {
            let (wanted, denied) = facts.is_asked(fact, self.now + 1);
            if !wanted && !denied {
                continue;
            }
            let mut when: Vec<Lit> = Vec::new();
            for (slot, &object) in atom.terms.iter().zip(facts.arguments(fact)) {
                if let Slot::Variable(variable) = *slot
                    && let Some(argument) = standing.arguments[variable]
                {
                    let is = self.vars.is(argument, object, &mut self.formula);
                    if !when.contains(&is) {
                        when.push(is);
                    }
                }
            }
            changes.push(Change {
                fact,
                add,
                op,
                when,
            });
        }
        self.found = found;
        Ok(())
    }
    /// What becomes of a fact, given all that may change it.
    fn change(&mut self, changes: &[Change], ops: &[Lit]) {
        let fact = changes[0].fact;
        let before = self.version[fact as usize];
        let (yes, no) = (self.formula.yes(), self.formula.no());
        let adds: Vec<&Change> = changes.iter().filter(|it| it.add).collect();
        let deletes: Vec<(&Change, Vec<Lit>)> = changes
            .iter()
            .filter(|it| !it.add)
            .filter_map(|it| Some((it, self.unless(it, &adds)?)))
            .collect();
        if before == yes && deletes.is_empty() || before == no && adds.is_empty() {
            return;
        }
        let (_, denied) = self.tree.facts.is_asked(fact, self.now + 1);
        let after = self.formula.new_lit();
        // It was true before, or somebody makes it true.
        self.supported(&[!after, before], &adds, ops);
        for (delete, unless) in &deletes {
            let mut clause: Vec<Lit> = delete.when.iter().map(|lit| !*lit).collect();
            clause.extend([!ops[delete.op], !after]);
            self.formula.add_with(&clause, unless);
        }
        if denied {
            for add in &adds {
                let clause: Vec<Lit> = add.when.iter().map(|lit| !*lit).collect();
                self.formula.add_with(&[!ops[add.op], after], &clause);
            }
            let deletes: Vec<&Change> = deletes.iter().map(|(it, _)| *it).collect();
            self.supported(&[after, !before], &deletes, ops);
        }
        self.version[fact as usize] = after;
    }

    /// `None` if an action that deletes a fact surely adds it, too; otherwise
    /// literals one of which holds if it adds it.
    fn unless(&mut self, delete: &Change, adds: &[&Change]) -> Option<Vec<Lit>> {
        let mut all = Vec::new();
        for add in adds.iter().filter(|it| it.op == delete.op) {
            let more = add.when.iter().filter(|it| !delete.when.contains(it));
            let more: Vec<Lit> = more.copied().collect();
            match more[..] {
                [] => return None,
                [only] => all.push(only),
                _ => {
                    let both = self.formula.new_lit();
                    more.iter().for_each(|lit| self.formula.add(&[!both, *lit]));
                    all.push(both);
                }
            }
        }
        Some(all)
    }

    /// The clause, or one of the changes happens.
    fn supported(&mut self, clause: &[Lit], changes: &[&Change], ops: &[Lit]) {
        let mut by: Vec<Lit> = Vec::new();
        for of_op in changes.chunk_by(|a, b| a.op == b.op) {
            let op = ops[of_op[0].op];
            by.push(op);
            let mut some = clause.to_vec();
            some.push(!op);
            match of_op {
                [one] => {
                    for when in &one.when {
                        self.formula.add_with(&some, &[*when]);
                    }
                }
                _ => {
                    let several = of_op.iter().map(|it| self.all(&it.when));
                    let several: Vec<Lit> = several.collect();
                    self.formula.add_with(&some, &several);
                }
            }
        }
        self.formula.add_with(clause, &by);
    }

    /// A literal that holds only if all of these do.
    fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => self.formula.yes(),
            [only] => *only,
            _ => {
                let all = self.formula.new_lit();
                lits.iter().for_each(|lit| self.formula.add(&[!all, *lit]));
                all
            }
        }
    }
}
