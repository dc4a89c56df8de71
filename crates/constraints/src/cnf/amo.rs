//! Ways to say "at most one of these".
//!
//! Pairwise is the plain way: no new variables, but quadratically many
//! clauses. The others spend auxiliary variables to stay linear or close to
//! it. All of them keep what matters to a search: as soon as one literal is
//! true, unit propagation makes the others false.
//!
//! - *Ladder* (Gent and Nightingale; Sinz's sequential counter is the same
//!   idea): `y_i` says that one of the first `i` literals is true.
//! - *Commander* (Klieber and Kwon): groups of three, each with a commander
//!   that is true if one of the group is; then at most one commander.
//! - *Product* (Chen): put the literals on a grid; at most one row and at most
//!   one column are used.

use super::{Cnf, Lit};

/// How to say "at most one of these".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AtMostOne {
    /// One binary clause for every pair.
    #[default]
    Pairwise,
    /// A chain of auxiliary variables, each saying "one so far".
    Ladder,
    /// Small groups that each send one commander.
    Commander,
    /// Rows and columns of a grid.
    Product,
}

impl AtMostOne {
    /// Every way, plainest first.
    pub const ALL: [AtMostOne; 4] = [
        AtMostOne::Pairwise,
        AtMostOne::Ladder,
        AtMostOne::Commander,
        AtMostOne::Product,
    ];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            AtMostOne::Pairwise => "pairwise",
            AtMostOne::Ladder => "ladder",
            AtMostOne::Commander => "commander",
            AtMostOne::Product => "product",
        }
    }

    /// Adds clauses that allow at most one of `lits` to be true.
    pub fn add(self, cnf: &mut Cnf, lits: &[Lit]) {
        match self {
            AtMostOne::Pairwise => pairwise(cnf, lits),
            AtMostOne::Ladder => ladder(cnf, lits),
            AtMostOne::Commander => commander(cnf, lits),
            AtMostOne::Product => product(cnf, lits),
        }
    }
}

/// Below this many literals, pairs need no more clauses than anything else.
const FEW: usize = 4;

fn pairwise(cnf: &mut Cnf, lits: &[Lit]) {
    for (nth, &one) in lits.iter().enumerate() {
        for &other in &lits[nth + 1..] {
            cnf.add([!one, !other]);
        }
    }
}

fn ladder(cnf: &mut Cnf, lits: &[Lit]) {
    if lits.len() <= FEW {
        return pairwise(cnf, lits);
    }
    let (&last, rest) = lits.split_last().expect("more than a few");
    let mut before: Option<Lit> = None;
    for &lit in rest {
        let so_far = cnf.new_var().positive();
        cnf.add([!lit, so_far]);
        if let Some(before) = before {
            cnf.add([!before, so_far]);
            cnf.add([!before, !lit]);
        }
        before = Some(so_far);
    }
    if let Some(before) = before {
        cnf.add([!before, !last]);
    }
}

fn commander(cnf: &mut Cnf, lits: &[Lit]) {
    if lits.len() <= FEW {
        return pairwise(cnf, lits);
    }
    let mut commanders = Vec::with_capacity(lits.len().div_ceil(3));
    for group in lits.chunks(3) {
        let commander = cnf.new_var().positive();
        pairwise(cnf, group);
        for &lit in group {
            cnf.add([!lit, commander]);
        }
        commanders.push(commander);
    }
    self::commander(cnf, &commanders);
}

fn product(cnf: &mut Cnf, lits: &[Lit]) {
    if lits.len() <= FEW {
        return pairwise(cnf, lits);
    }
    let columns = (1..).find(|n| n * n >= lits.len()).expect("some square");
    let rows = lits.len().div_ceil(columns);
    let row: Vec<Lit> = (0..rows).map(|_| cnf.new_var().positive()).collect();
    let column: Vec<Lit> = (0..columns).map(|_| cnf.new_var().positive()).collect();
    for (nth, &lit) in lits.iter().enumerate() {
        cnf.add([!lit, row[nth / columns]]);
        cnf.add([!lit, column[nth % columns]]);
    }
    product(cnf, &row);
    product(cnf, &column);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Answer, Sat};
    use planoku_engine::Run;

    /// For every choice of true literals, the clauses agree exactly if at most
    /// one was chosen; checked by assumptions, so auxiliary variables are free.
    #[test]
    fn every_way_means_at_most_one() {
        for way in AtMostOne::ALL {
            for n in 0..=11 {
                let mut cnf = Cnf::new();
                let lits: Vec<Lit> = (0..n).map(|_| cnf.new_var().positive()).collect();
                way.add(&mut cnf, &lits);
                let mut sat = Sat::new();
                sat.add_cnf(&cnf);
                for choice in 0u32..1 << n {
                    let chosen = |nth: usize| choice >> nth & 1 == 1;
                    let assumed: Vec<Lit> =
                        (0..n).map(|nth| lits[nth].var().is(chosen(nth))).collect();
                    let answer = sat.solve(&assumed, &mut Run::limit(1)).unwrap();
                    let expected = if choice.count_ones() <= 1 {
                        Answer::Sat
                    } else {
                        Answer::Unsat
                    };
                    assert_eq!(answer, expected, "{way:?} of {n}: {choice:b}");
                }
            }
        }
    }

    /// What makes an encoding good for search: a true literal makes the others
    /// false by unit propagation alone, hence without a single conflict.
    #[test]
    fn one_true_literal_propagates_to_all_others() {
        for way in AtMostOne::ALL {
            for n in [2, 5, 9, 16, 25] {
                let mut cnf = Cnf::new();
                let lits: Vec<Lit> = (0..n).map(|_| cnf.new_var().positive()).collect();
                way.add(&mut cnf, &lits);
                for &one in &lits {
                    let value = propagate(&cnf, one);
                    assert!(lits.iter().all(|&lit| value[lit.index()] == (lit == one)));
                    assert!(
                        lits.iter()
                            .all(|&lit| value[(!lit).index()] == (lit != one))
                    );
                }
            }
        }
    }

    /// Unit propagation, the slow obvious way: which literals are true.
    fn propagate(cnf: &Cnf, start: Lit) -> Vec<bool> {
        let mut value = vec![false; 2 * cnf.vars()];
        value[start.index()] = true;
        loop {
            let unit = cnf.clauses().find_map(|clause| {
                let mut open = clause.iter().filter(|lit| !value[(!**lit).index()]);
                match (open.next(), open.next()) {
                    (Some(&only), None) if !value[only.index()] => Some(only),
                    _ => None,
                }
            });
            match unit {
                Some(lit) => value[lit.index()] = true,
                None => return value,
            }
        }
    }

    #[test]
    fn auxiliary_variables_buy_fewer_clauses() {
        let clauses = |way: AtMostOne| {
            let mut cnf = Cnf::new();
            let lits: Vec<Lit> = (0..25).map(|_| cnf.new_var().positive()).collect();
            way.add(&mut cnf, &lits);
            cnf.len()
        };
        assert_eq!(clauses(AtMostOne::Pairwise), 25 * 24 / 2);
        for way in [AtMostOne::Ladder, AtMostOne::Commander, AtMostOne::Product] {
            assert!(clauses(way) < 80, "{way:?}: {}", clauses(way));
        }
    }
}
