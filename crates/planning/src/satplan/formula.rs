//! The growing formula: constants folded, counted, and handed to the solver.

use planoku_constraints::cnf::{Cnf, Lit};
use planoku_constraints::sat::Sat;

use crate::ground::Condition;

/// Up to this many literals, "at most one" is said pair by pair.
const PAIRWISE: usize = 12;

/// Clauses on their way into a SAT solver.
pub(super) struct Formula {
    pub sat: Sat,
    /// A copy of everything said, if somebody wants to see it.
    pub copy: Option<Cnf>,
    yes: Lit,
    variables: u64,
    clauses: u64,
    literals: u64,
    scratch: Vec<Lit>,
}

impl Formula {
    /// A formula that says nothing; `copy` keeps what will be said.
    pub fn new(mut sat: Sat, copy: bool) -> Formula {
        let yes = sat.new_var().positive();
        sat.add_clause(&[yes]);
        let copy = copy.then(|| {
            let mut cnf = Cnf::new();
            cnf.new_var();
            cnf.add([yes]);
            cnf
        });
        Formula {
            sat,
            copy,
            yes,
            variables: 0,
            clauses: 0,
            literals: 0,
            scratch: Vec::new(),
        }
    }

    /// The literal that is true.
    pub fn yes(&self) -> Lit {
        self.yes
    }

    /// The literal that is false.
    pub fn no(&self) -> Lit {
        !self.yes
    }

    /// Variables and clauses so far.
    pub fn size(&self) -> (u64, u64) {
        (self.variables, self.clauses)
    }

    /// Literals in all clauses so far.
    pub fn literals(&self) -> u64 {
        self.literals
    }

    /// About how much memory the solver holds for it.
    pub fn bytes(&self) -> u64 {
        self.variables * 120 + self.clauses * 32 + self.literals * 8
    }

    /// True if the literal holds in the last assignment.
    pub fn holds(&self, lit: Lit) -> bool {
        self.sat.value(lit.var()) == lit.is_positive()
    }

    /// A new literal.
    pub fn new_lit(&mut self) -> Lit {
        self.variables += 1;
        if let Some(cnf) = &mut self.copy {
            cnf.new_var();
        }
        self.sat.new_var().positive()
    }

    /// One of these holds.
    pub fn add(&mut self, lits: &[Lit]) {
        self.add_with(lits, &[]);
    }

    /// One of these, or of those, holds.
    pub fn add_with(&mut self, lits: &[Lit], more: &[Lit]) {
        let mut clause = std::mem::take(&mut self.scratch);
        clause.clear();
        let no = self.no();
        clause.extend(lits.iter().chain(more).copied().filter(|lit| *lit != no));
        clause.sort_unstable();
        clause.dedup();
        let trivial =
            clause.contains(&self.yes) || clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if !trivial {
            self.clauses += 1;
            self.literals += clause.len() as u64;
            self.sat.add_clause(&clause);
            if let Some(cnf) = &mut self.copy {
                cnf.add(clause.iter().copied());
            }
        }
        self.scratch = clause;
    }

    /// A literal that holds exactly if one of these does.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => self.no(),
            [only] => *only,
            _ if lits.contains(&self.yes) => self.yes,
            _ => {
                let any = self.new_lit();
                lits.iter().for_each(|lit| self.add(&[!*lit, any]));
                self.add_with(&[!any], lits);
                any
            }
        }
    }

    /// If `lit` holds, so does the condition.
    pub fn require(&mut self, lit: Lit, condition: &Condition, version: &[Lit]) {
        for fact in &condition.positive {
            self.add(&[!lit, version[*fact as usize]]);
        }
        for fact in &condition.negative {
            self.add(&[!lit, !version[*fact as usize]]);
        }
    }

    /// A literal that holds exactly if `lit` and the condition do.
    pub fn all(&mut self, lit: Lit, condition: &Condition, version: &[Lit]) -> Lit {
        let positive = condition
            .positive
            .iter()
            .map(|fact| version[*fact as usize]);
        let negative = condition
            .negative
            .iter()
            .map(|fact| !version[*fact as usize]);
        let parts: Vec<Lit> = [lit]
            .into_iter()
            .chain(positive)
            .chain(negative)
            .filter(|l| *l != self.yes)
            .collect();
        match parts[..] {
            [] => self.yes,
            [only] => only,
            _ if parts.contains(&self.no()) => self.no(),
            _ => {
                let all = self.new_lit();
                parts.iter().for_each(|part| self.add(&[!all, *part]));
                let none: Vec<Lit> = parts.iter().map(|part| !*part).collect();
                self.add_with(&[all], &none);
                all
            }
        }
    }

    /// At most one of these holds.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        if lits.len() <= PAIRWISE {
            for (index, a) in lits.iter().enumerate() {
                for b in &lits[index + 1..] {
                    self.add(&[!*a, !*b]);
                }
            }
            return;
        }
        // The product: each has a row and a column, of which at most one holds
        // (Chen 2010).
        let columns = lits.len().isqrt();
        let rows = lits.len().div_ceil(columns);
        let lines: Vec<Lit> = (0..columns + rows).map(|_| self.new_lit()).collect();
        let (column, row) = lines.split_at(columns);
        for (index, &lit) in lits.iter().enumerate() {
            self.add(&[!lit, column[index % columns]]);
            self.add(&[!lit, row[index / columns]]);
        }
        self.at_most_one(column);
        self.at_most_one(row);
    }

    /// For `(literal, breaks?, needs?)` in a row: whoever breaks excludes every
    /// later one that needs. One chain instead of all pairs (Rintanen,
    /// Heljanko and Niemelä 2006).
    pub fn exclude_later(&mut self, row: &[(Lit, bool, bool)]) {
        let mut broken: Option<Lit> = None;
        for &(lit, breaks, needs) in row {
            if let (Some(broken), true) = (broken, needs) {
                self.add(&[!broken, !lit]);
            }
            if breaks {
                let next = self.new_lit();
                self.add(&[!lit, next]);
                if let Some(broken) = broken {
                    self.add(&[!broken, next]);
                }
                broken = Some(next);
            }
        }
    }
}
