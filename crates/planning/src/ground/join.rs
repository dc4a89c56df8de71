//! Joins: all ways to give a schema's variables values that satisfy its atoms.
//!
//! A [`Body`] says what must be matched. [`plan`] orders the matching once per
//! schema: whatever is already decided is checked at once, then comes the atom
//! expected to leave the fewest ways open, and variables that no atom mentions
//! are enumerated last. [`Join::run`] carries a plan out.
//!
//! Rules are evaluated semi-naively: each new tuple triggers the rules that
//! mention it, joined with all tuples seen so far. When a relation stands in a
//! rule several times, occurrences before the trigger skip the new tuple, so
//! that each combination is found exactly once.

use planoku_engine::{Run, Stop};

use super::lower::{Range, Slot};
use super::relation::{NONE, Relation};

/// What is to be matched.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// `(relation, terms)`; may the relation grow?
    pub atoms: Vec<(usize, Vec<Slot>, bool)>,
    /// Conditions on bound variables.
    pub tests: Vec<Test>,
    /// Variables that must get a value.
    pub wanted: Vec<u32>,
    /// The range of each variable of the schema.
    pub ranges: Vec<usize>,
}

/// A condition on bound variables.
#[derive(Clone, Debug)]
pub enum Test {
    /// The two are the same, or are not.
    Equal(Slot, Slot, bool),
    /// The tuple does not hold in the initial state.
    NotInitial(usize, Vec<Slot>),
}

/// One step of a plan.
#[derive(Clone, Debug)]
pub enum Step {
    /// Look at the visible rows that agree with a key.
    Scan {
        /// Where.
        relation: usize,
        /// The index to use; `None` to look at every row.
        index: Option<usize>,
        /// The key.
        key: Vec<Slot>,
        /// Columns that give variables their values.
        bind: Vec<(usize, u32)>,
        /// Columns to compare with what is bound by then.
        compare: Vec<(usize, Slot)>,
        /// Bound variables to be checked against their ranges.
        typed: Vec<(u32, usize)>,
        /// Skip the tuple that triggered.
        older: bool,
    },
    /// The tuple is visible.
    Check {
        /// Where.
        relation: usize,
        /// The tuple.
        terms: Vec<Slot>,
        /// It is not the tuple that triggered.
        older: bool,
    },
    /// A condition.
    Test(Test),
    /// Try every value.
    Enumerate(u32, usize),
}

/// How to match the tuple that triggers a plan.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Columns that give variables their values.
    pub bind: Vec<(usize, u32)>,
    /// Columns to compare with what is bound by then.
    pub compare: Vec<(usize, Slot)>,
    /// Bound variables to be checked against their ranges.
    pub typed: Vec<(u32, usize)>,
}

/// How an atom's columns are to be treated, given what is bound; marks its
/// variables as bound.
fn match_columns(
    terms: &[Slot],
    ranges: &[usize],
    all: &[Range],
    bound: &mut [bool],
) -> (Vec<usize>, Trigger) {
    let mut keyed = Vec::new();
    let mut how = Trigger {
        bind: vec![],
        compare: vec![],
        typed: vec![],
    };
    let before = bound.to_vec();
    for (column, &term) in terms.iter().enumerate() {
        match term {
            Slot::Var(v) if !bound[v as usize] => {
                bound[v as usize] = true;
                how.bind.push((column, v));
                let range = ranges[v as usize];
                if all[range].objects.len() < all[range].member.len() {
                    how.typed.push((v, range));
                }
            }
            Slot::Var(v) if !before[v as usize] => how.compare.push((column, term)),
            _ => keyed.push(column),
        }
    }
    (keyed, how)
}

/// Orders the matching of a body. `bound` says which variables have values
/// already; `trigger` is the atom that has been matched already.
pub fn plan(
    body: &Body,
    mut bound: Vec<bool>,
    trigger: Option<usize>,
    relations: &mut [Relation],
    all: &[Range],
) -> (Option<Trigger>, Vec<Step>) {
    let mut steps = Vec::new();
    let mut tests: Vec<&Test> = body.tests.iter().collect();
    let mut atoms: Vec<usize> = (0..body.atoms.len())
        .filter(|&atom| Some(atom) != trigger)
        .collect();
    let matched = trigger.map(|atom| {
        let (keyed, mut how) = match_columns(&body.atoms[atom].1, &body.ranges, all, &mut bound);
        how.compare.extend(
            keyed
                .iter()
                .map(|&column| (column, body.atoms[atom].1[column])),
        );
        how
    });
    let skips_new = |atom: usize| {
        trigger.is_some_and(|trigger| atom < trigger && body.atoms[atom].0 == body.atoms[trigger].0)
    };
    loop {
        tests.retain(|test| {
            let ready = test.is_ready(&bound);
            if ready {
                steps.push(Step::Test((*test).clone()));
            }
            !ready
        });
        let best = atoms
            .iter()
            .enumerate()
            .map(|(place, &atom)| {
                (
                    expected(&body.atoms[atom], body, &bound, relations, all),
                    place,
                )
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, place)) = best {
            let atom = atoms.remove(place);
            let (relation, terms, _) = &body.atoms[atom];
            steps.push(scan(
                *relation,
                terms,
                body,
                &mut bound,
                skips_new(atom),
                relations,
                all,
            ));
            continue;
        }
        let next = body
            .wanted
            .iter()
            .filter(|&&v| !bound[v as usize])
            .min_by_key(|&&v| all[body.ranges[v as usize]].objects.len());
        match next {
            Some(&v) => {
                bound[v as usize] = true;
                steps.push(Step::Enumerate(v, body.ranges[v as usize]));
            }
            None => return (matched, steps),
        }
    }
}

fn scan(
    relation: usize,
    terms: &[Slot],
    body: &Body,
    bound: &mut [bool],
    older: bool,
    relations: &mut [Relation],
    all: &[Range],
) -> Step {
    let (mut keyed, mut how) = match_columns(terms, &body.ranges, all, bound);
    if keyed.len() == terms.len() {
        return Step::Check {
            relation,
            terms: terms.to_vec(),
            older,
        };
    }
    if keyed.len() > 16 {
        let spare = keyed.split_off(16);
        how.compare
            .extend(spare.into_iter().map(|column| (column, terms[column])));
    }
    Step::Scan {
        relation,
        index: (!keyed.is_empty()).then(|| relations[relation].index_on(&keyed)),
        key: keyed.iter().map(|&column| terms[column]).collect(),
        bind: how.bind,
        compare: how.compare,
        typed: how.typed,
        older,
    }
}

/// How many ways an atom is expected to leave open.
fn expected(
    (relation, terms, grows): &(usize, Vec<Slot>, bool),
    body: &Body,
    bound: &[bool],
    relations: &mut [Relation],
    all: &[Range],
) -> f64 {
    let is_bound = |term: &Slot| match term {
        Slot::Var(v) => bound[*v as usize],
        Slot::Object(_) => true,
    };
    let columns: Vec<usize> = (0..terms.len().min(16))
        .filter(|&column| is_bound(&terms[column]))
        .collect();
    if columns.len() == terms.len() {
        return 0.0;
    }
    if !grows {
        return relations[*relation].fan_out(&columns);
    }
    let mut seen = Vec::new();
    let mut ways = 1.0;
    for term in terms.iter().filter(|term| !is_bound(term)) {
        if let Slot::Var(v) = term
            && !seen.contains(v)
        {
            seen.push(*v);
            ways *= all[body.ranges[*v as usize]].objects.len() as f64;
        }
    }
    // A growing relation is rarely full, but a static one is known exactly.
    ways.sqrt().max(1.5)
}

impl Test {
    fn is_ready(&self, bound: &[bool]) -> bool {
        let known = |slot: &Slot| match slot {
            Slot::Var(v) => bound[*v as usize],
            Slot::Object(_) => true,
        };
        match self {
            Test::Equal(a, b, _) => known(a) && known(b),
            Test::NotInitial(_, terms) => terms.iter().all(known),
        }
    }

    fn holds(&self, binding: &[u32], relations: &[Relation], tuple: &mut Vec<u32>) -> bool {
        match self {
            Test::Equal(a, b, same) => (a.value(binding) == b.value(binding)) == *same,
            Test::NotInitial(relation, terms) => {
                tuple.clear();
                tuple.extend(terms.iter().map(|term| term.value(binding)));
                let relation = &relations[*relation];
                relation
                    .table
                    .find(tuple)
                    .is_none_or(|row| row >= relation.initial)
            }
        }
    }
}

/// The scratch space of joins.
#[derive(Default)]
pub struct Join {
    /// Values by variable; those not wanted are meaningless.
    pub binding: Vec<u32>,
    /// Complete bindings, one after another.
    pub found: Vec<u32>,
    /// Something was found; tells if there are no variables to show for it.
    pub matched: bool,
    scratch: Vec<u32>,
    current: u32,
    work: u64,
}

impl Join {
    /// Starts from a binding.
    pub fn new(binding: Vec<u32>) -> Join {
        Join {
            binding,
            ..Join::default()
        }
    }

    /// Matches the tuple that triggers; true if it fits.
    pub fn start(&mut self, trigger: &Trigger, tuple: &[u32], row: u32, ranges: &[Range]) -> bool {
        self.current = row;
        for &(column, v) in &trigger.bind {
            self.binding[v as usize] = tuple[column];
        }
        fits(&trigger.typed, &self.binding, ranges)
            && trigger
                .compare
                .iter()
                .all(|(column, slot)| slot.value(&self.binding) == tuple[*column])
    }

    /// Appends every complete binding to `found`.
    pub fn run(
        &mut self,
        steps: &[Step],
        relations: &[Relation],
        ranges: &[Range],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let Some((step, rest)) = steps.split_first() else {
            self.found.extend_from_slice(&self.binding);
            self.matched = true;
            return Ok(());
        };
        self.work += 1;
        if self.work.is_multiple_of(64) {
            run.effort(64)?;
            run.check_memory(self.found.len() as u64 * 4)?;
        }
        match step {
            Step::Test(test) => {
                if test.holds(&self.binding, relations, &mut self.scratch) {
                    self.run(rest, relations, ranges, run)?;
                }
            }
            Step::Check {
                relation,
                terms,
                older,
            } => {
                self.scratch.clear();
                let values = terms.iter().map(|term| term.value(&self.binding));
                self.scratch.extend(values);
                let relation = &relations[*relation];
                if let Some(row) = relation.table.find(&self.scratch)
                    && relation.is_visible(row)
                    && !(*older && row == self.current)
                {
                    self.run(rest, relations, ranges, run)?;
                }
            }
            Step::Enumerate(v, range) => {
                for &object in &ranges[*range].objects {
                    self.binding[*v as usize] = object;
                    self.run(rest, relations, ranges, run)?;
                }
            }
            Step::Scan {
                relation,
                index,
                key,
                ..
            } => {
                let relation = &relations[*relation];
                let Some(index) = index else {
                    for &row in &relation.visible {
                        self.visit(step, row, rest, relations, ranges, run)?;
                    }
                    return Ok(());
                };
                self.scratch.clear();
                let values = key.iter().map(|term| term.value(&self.binding));
                self.scratch.extend(values);
                let index = relation.index(*index);
                let mut entry = index.first(&self.scratch);
                while entry != NONE {
                    let (row, next) = index.entry(entry);
                    self.visit(step, row, rest, relations, ranges, run)?;
                    entry = next;
                }
            }
        }
        Ok(())
    }

    /// Takes one row of a scan and goes on.
    #[inline]
    fn visit(
        &mut self,
        step: &Step,
        row: u32,
        rest: &[Step],
        relations: &[Relation],
        ranges: &[Range],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        let Step::Scan {
            relation,
            bind,
            compare,
            typed,
            older,
            ..
        } = step
        else {
            return Ok(());
        };
        if *older && row == self.current {
            return Ok(());
        }
        let tuple = relations[*relation].table.row(row);
        for &(column, v) in bind {
            self.binding[v as usize] = tuple[column];
        }
        let fit = fits(typed, &self.binding, ranges)
            && compare
                .iter()
                .all(|(column, slot)| slot.value(&self.binding) == tuple[*column]);
        if fit {
            self.run(rest, relations, ranges, run)?;
        }
        Ok(())
    }
}

fn fits(typed: &[(u32, usize)], binding: &[u32], ranges: &[Range]) -> bool {
    typed
        .iter()
        .all(|&(v, range)| ranges[range].member[binding[v as usize] as usize])
}
