//! Conditions with values put in: what is decided is decided, the rest are
//! facts.
//!
//! A [`World`] numbers facts and knows which predicates may change. Putting
//! values into a literal gives true, false, or a fact to look up later.
//! Quantifiers are expanded by joins over the static literals that guard them
//! (`forall x: not in(x, h) or ...` looks at the `x` in `h` only), so they cost
//! what they leave, not what they range over.

use planoku_engine::{Run, Stop};

use super::calculate::{ComparisonAnswer, Functions};
use super::join::{Body, Join, Step, Test, plan};
use super::lower::{Conjunction, Literal, Nnf, Pattern, Schemas};
use super::relation::Relation;

/// A condition over numbered facts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// The fact holds, or does not.
    Fact(u32, bool),
    /// All hold.
    And(Vec<Form>),
    /// Some holds.
    Or(Vec<Form>),
}

impl Form {
    /// All of these, simplified.
    pub fn and(parts: impl IntoIterator<Item = Form>) -> Form {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Form::True => {}
                Form::False => return Form::False,
                Form::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Form::True,
            1 => kept.remove(0),
            _ => Form::And(kept),
        }
    }

    /// Some of these, simplified.
    pub fn or(parts: impl IntoIterator<Item = Form>) -> Form {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Form::False => {}
                Form::True => return Form::True,
                Form::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Form::False,
            1 => kept.remove(0),
            _ => Form::Or(kept),
        }
    }

    /// The same with every fact replaced by what is known about it.
    pub fn simplify(&self, known: &impl Fn(u32, bool) -> Form) -> Form {
        match self {
            Form::True | Form::False => self.clone(),
            Form::Fact(fact, positive) => known(*fact, *positive),
            Form::And(parts) => Form::and(parts.iter().map(|part| part.simplify(known))),
            Form::Or(parts) => Form::or(parts.iter().map(|part| part.simplify(known))),
        }
    }
}

/// A formula with its quantifiers planned.
#[derive(Clone, Debug)]
pub enum Residual {
    /// A leaf.
    Literal(Literal),
    /// All hold.
    And(Vec<Residual>),
    /// Some holds.
    Or(Vec<Residual>),
    /// For all (if true) or some of the bindings that the steps find.
    Quantified(bool, Vec<Step>, Box<Residual>),
}

/// A conjunction with its quantifiers planned.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Literals.
    pub literals: Vec<Literal>,
    /// The rest.
    pub rest: Vec<Residual>,
}

/// Stands for a predicate where a fact is a comparison; its row is the number of
/// that.
pub const COMPARISON: u32 = u32::MAX;

/// Numbered facts, and what may change.
pub struct World {
    /// Lowered schemas.
    pub schemas: Schemas,
    /// One per predicate, then one per task, the root last.
    pub relations: Vec<Relation>,
    /// Per fact: its predicate and row.
    pub facts: Vec<(u32, u32)>,
    /// Functions, and comparisons of what they come to.
    pub functions: Functions,
    scratch: Vec<u32>,
}

impl World {
    /// A world with these relations.
    pub fn new(schemas: Schemas, relations: Vec<Relation>, functions: Functions) -> World {
        World {
            schemas,
            relations,
            facts: Vec::new(),
            functions,
            scratch: Vec::new(),
        }
    }

    /// The number of a fact.
    pub fn fact(&mut self, predicate: usize, tuple: &[u32]) -> u32 {
        let relation = &mut self.relations[predicate];
        let (row, new) = relation.table.intern(tuple);
        if new {
            relation.ids.push(self.facts.len() as u32);
            self.facts.push((predicate as u32, row));
        }
        relation.ids[row as usize]
    }

    /// True if the fact is a comparison.
    pub fn is_comparison(&self, fact: u32) -> bool {
        self.facts[fact as usize].0 == COMPARISON
    }

    /// The number of an atom's instance.
    pub fn instance(&mut self, atom: &Pattern, binding: &[u32]) -> u32 {
        let mut tuple = std::mem::take(&mut self.scratch);
        tuple.clear();
        tuple.extend(atom.terms.iter().map(|term| term.value(binding)));
        let fact = self.fact(atom.predicate, &tuple);
        self.scratch = tuple;
        fact
    }

    /// True if the atom's instance holds in the initial state.
    pub fn initially(&mut self, atom: &Pattern, binding: &[u32]) -> bool {
        self.scratch.clear();
        let values = atom.terms.iter().map(|term| term.value(binding));
        self.scratch.extend(values);
        let relation = &self.relations[atom.predicate];
        relation
            .table
            .find(&self.scratch)
            .is_some_and(|row| row < relation.initial)
    }

    /// False if the literal can never hold; numbers no fact.
    pub fn conceivable(&mut self, literal: &Literal, binding: &[u32]) -> bool {
        match literal {
            Literal::Equal(a, b, same) => (a.value(binding) == b.value(binding)) == *same,
            Literal::Atom(atom, true) => {
                self.schemas.grows[atom.predicate] || self.initially(atom, binding)
            }
            Literal::Atom(atom, false) => {
                self.schemas.shrinks[atom.predicate] || !self.initially(atom, binding)
            }
            Literal::Compare(compare) => self.functions.decided(compare, binding) != Some(false),
        }
    }

    /// A literal with values put in.
    pub fn literal(&mut self, literal: &Literal, binding: &[u32]) -> Form {
        let decided = |holds: bool| if holds { Form::True } else { Form::False };
        match literal {
            Literal::Equal(..) => decided(self.conceivable(literal, binding)),
            Literal::Atom(atom, positive) => {
                let grows = self.schemas.grows[atom.predicate];
                let shrinks = self.schemas.shrinks[atom.predicate];
                if !grows || !shrinks {
                    let holds = self.initially(atom, binding);
                    if (holds && !shrinks) || (!holds && !grows) {
                        return decided(holds == *positive);
                    }
                }
                Form::Fact(self.instance(atom, binding), *positive)
            }
            Literal::Compare(compare) => {
                let next = self.facts.len() as u32;
                match self.functions.comparison(compare, binding, next) {
                    ComparisonAnswer::Decided(holds) => decided(holds),
                    ComparisonAnswer::Fact(fact) => {
                        if fact == next {
                            let number = self.functions.comparisons.len() as u32 - 1;
                            self.facts.push((COMPARISON, number));
                        }
                        Form::Fact(fact, true)
                    }
                }
            }
        }
    }

    /// A planned formula with values put in.
    pub fn residual(
        &mut self,
        residual: &Residual,
        binding: &[u32],
        run: &mut Run<'_>,
    ) -> Result<Form, Stop> {
        Ok(match residual {
            Residual::Literal(literal) => self.literal(literal, binding),
            Residual::And(parts) => {
                let mut forms = Vec::new();
                for part in parts {
                    match self.residual(part, binding, run)? {
                        Form::False => return Ok(Form::False),
                        form => forms.push(form),
                    }
                }
                Form::and(forms)
            }
            Residual::Or(parts) => {
                let mut forms = Vec::new();
                for part in parts {
                    match self.residual(part, binding, run)? {
                        Form::True => return Ok(Form::True),
                        form => forms.push(form),
                    }
                }
                Form::or(forms)
            }
            Residual::Quantified(all, steps, body) => {
                let mut forms = Vec::new();
                let found = self.matches(steps, binding, run)?;
                for values in found.chunks_exact(binding.len().max(1)) {
                    let form = self.residual(body, values, run)?;
                    match form {
                        Form::False if *all => return Ok(Form::False),
                        Form::True if !*all => return Ok(Form::True),
                        form => forms.push(form),
                    }
                }
                if *all {
                    Form::and(forms)
                } else {
                    Form::or(forms)
                }
            }
        })
    }

    /// Every way to extend a binding by these steps, one after another.
    pub fn matches(
        &self,
        steps: &[Step],
        binding: &[u32],
        run: &mut Run<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let mut join = Join::new(binding.to_vec());
        join.run(steps, &self.relations, &self.schemas.ranges, run)?;
        Ok(join.found)
    }

    /// Plans the quantifiers of a conjunction over variables with these
    /// ranges, of which the first `arity` and those in `bound` have values.
    pub fn prepare(
        &mut self,
        conjunction: &Conjunction,
        ranges: &[usize],
        bound: &[bool],
    ) -> Prepared {
        Prepared {
            literals: conjunction.literals.clone(),
            rest: conjunction
                .rest
                .iter()
                .map(|part| self.prepare_rest(part, ranges, bound))
                .collect(),
        }
    }

    fn prepare_rest(&mut self, nnf: &Nnf, ranges: &[usize], bound: &[bool]) -> Residual {
        let parts = |world: &mut World, parts: &[Nnf]| {
            parts
                .iter()
                .map(|part| world.prepare_rest(part, ranges, bound))
                .collect()
        };
        match nnf {
            Nnf::Literal(literal) => Residual::Literal(literal.clone()),
            Nnf::And(inner) => Residual::And(parts(self, inner)),
            Nnf::Or(inner) => Residual::Or(parts(self, inner)),
            Nnf::Quantified(all, variables, body) => {
                let mut guards = Body {
                    wanted: variables.clone(),
                    ranges: ranges.to_vec(),
                    ..Body::default()
                };
                let mut inside = bound.to_vec();
                for &v in variables {
                    inside[v as usize] = true;
                }
                self.guards(body, *all, &inside, &mut guards);
                let steps = self.plan(&guards, bound);
                let body = self.prepare_rest(body, ranges, &inside);
                Residual::Quantified(*all, steps, Box::new(body))
            }
        }
    }

    /// Literals that decide a quantifier's body for most values: under `all` a
    /// false guard makes the body true, otherwise it makes it false.
    fn guards(&self, body: &Nnf, all: bool, known: &[bool], into: &mut Body) {
        let within = |atom: &Pattern| {
            atom.terms.iter().all(|term| match term {
                super::lower::Slot::Var(v) => known[*v as usize],
                super::lower::Slot::Object(_) => true,
            })
        };
        match body {
            Nnf::Literal(Literal::Atom(atom, positive))
                if *positive != all && !self.schemas.grows[atom.predicate] && within(atom) =>
            {
                into.atoms.push((atom.predicate, atom.terms.clone(), false));
            }
            Nnf::Literal(Literal::Equal(a, b, same)) => {
                into.tests.push(Test::Equal(*a, *b, *same != all));
            }
            Nnf::Or(parts) if all => {
                parts.iter().for_each(|p| self.guards(p, all, known, into));
            }
            Nnf::And(parts) if !all => {
                parts.iter().for_each(|p| self.guards(p, all, known, into));
            }
            _ => {}
        }
    }

    /// Plans a body without a trigger.
    pub fn plan(&mut self, body: &Body, bound: &[bool]) -> Vec<Step> {
        let (relations, ranges) = (&mut self.relations, &self.schemas.ranges);
        plan(body, bound.to_vec(), None, relations, ranges).1
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.relations.iter().map(Relation::bytes).sum::<usize>() + self.facts.capacity() * 8
    }
}
