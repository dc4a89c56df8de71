//! Constraint networks: variables, the values each may take, and what must
//! hold between them.
//!
//! A network is built once and then read by any number of engines. Three kinds
//! of constraints can be posted: two variables differ, two variables stand in
//! some relation, and the variables of a set all differ. The last also posts
//! "differ" between every pair of its members, so engines that only understand
//! pairs (the whole classic family) see the same problem as engines that
//! understand sets. Several constraints on one pair become one: their
//! conjunction.
//!
//! What is posted is shared between clones of a network, so that many problems
//! over the same constraints (Sudoku boards of one size) pay for them once:
//! clone, then [`Network::restrict`].

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Index;
use std::sync::{Arc, OnceLock};

use super::graph::{Graph, Relation};
use super::values::Values;

/// A variable of a network, numbered from 0 in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

impl Variable {
    /// The variable's number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Variables, their values, and the constraints between them.
///
/// ```
/// use planoku_constraints::csp::{Network, Recipe};
/// use planoku_engine::{Engine, Run};
///
/// // Three regions that all touch, three colours: six ways.
/// let mut map = Network::new();
/// let regions = map.variables(3, 0..3).unwrap();
/// map.all_different(&regions).unwrap();
///
/// let engine: Recipe = "fc+cbj:mrv".parse().unwrap();
/// let outcome = engine.solve(&map, &mut Run::all()).unwrap();
/// assert_eq!(outcome.answers.len(), 6);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Network {
    values: Vec<Values>,
    posted: Arc<Posted>,
}

/// Everything said about more than one variable.
#[derive(Debug, Default)]
struct Posted {
    pairs: BTreeMap<(u32, u32), Relation>,
    scopes: Vec<Vec<u32>>,
    graph: OnceLock<Graph>,
}

impl Clone for Posted {
    fn clone(&self) -> Posted {
        Posted {
            pairs: self.pairs.clone(),
            scopes: self.scopes.clone(),
            graph: OnceLock::new(),
        }
    }
}

impl Network {
    /// A network without variables. It has one answer: the empty one.
    pub fn new() -> Network {
        Network::default()
    }

    /// Adds a variable that may take any of `values`. Having none is allowed,
    /// and makes a network without answers.
    pub fn variable(
        &mut self,
        values: impl IntoIterator<Item = u32>,
    ) -> Result<Variable, NetworkError> {
        let mut set = Values::NONE;
        for value in values {
            set.0 |= Values::only(value)
                .ok_or(NetworkError::ValueTooLarge { value })?
                .0;
        }
        self.values.push(set);
        // The number of variables is part of the compiled graph.
        self.change();
        Ok(Variable(self.values.len() as u32 - 1))
    }

    /// Adds `count` variables, each of which may take any of `values`.
    pub fn variables(
        &mut self,
        count: usize,
        values: impl IntoIterator<Item = u32> + Clone,
    ) -> Result<Vec<Variable>, NetworkError> {
        (0..count).map(|_| self.variable(values.clone())).collect()
    }

    /// Demands that two variables differ.
    pub fn not_equal(&mut self, a: Variable, b: Variable) -> Result<(), NetworkError> {
        self.pair(a, b)?;
        self.post(a.0.min(b.0), a.0.max(b.0), Relation::NotEqual);
        Ok(())
    }

    /// Demands that `holds` is true of the values of `a` and `b`.
    pub fn relation(
        &mut self,
        a: Variable,
        b: Variable,
        holds: impl Fn(u32, u32) -> bool,
    ) -> Result<(), NetworkError> {
        self.pair(a, b)?;
        let (low, high) = (a.min(b), a.max(b));
        let mut rows = Box::new([0u64; 64]);
        for v in self.values[low.index()].iter() {
            for w in self.values[high.index()].iter() {
                let fits = if a < b { holds(v, w) } else { holds(w, v) };
                rows[v as usize] |= u64::from(fits) << w;
            }
        }
        self.post(low.0, high.0, Relation::Table(rows));
        Ok(())
    }

    /// Demands that no two of `scope` are equal.
    pub fn all_different(&mut self, scope: &[Variable]) -> Result<(), NetworkError> {
        for (at, &variable) in scope.iter().enumerate() {
            self.known(variable)?;
            if scope[..at].contains(&variable) {
                return Err(NetworkError::SameVariable { variable });
            }
        }
        for (at, &a) in scope.iter().enumerate() {
            for &b in &scope[at + 1..] {
                self.not_equal(a, b)?;
            }
        }
        if scope.len() > 1 {
            self.change()
                .scopes
                .push(scope.iter().map(|variable| variable.0).collect());
        }
        Ok(())
    }

    /// Leaves `variable` only those of its values that are in `values`.
    pub fn restrict(&mut self, variable: Variable, values: Values) -> Result<(), NetworkError> {
        self.known(variable)?;
        self.values[variable.index()].0 &= values.0;
        Ok(())
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// True if there is no variable.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What each variable may take, in the order of the variables.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// How many pairs of variables are constrained, each counted once.
    pub fn pair_count(&self) -> usize {
        self.posted.pairs.len()
    }

    /// Whether an assignment takes allowed values and breaks no constraint:
    /// the plain reading of what was posted, used to judge every engine.
    pub fn satisfied_by(&self, assignment: &Assignment) -> bool {
        let taken = &assignment.0;
        taken.len() == self.len()
            && (taken.iter().zip(&self.values)).all(|(&value, values)| values.contains(value))
            && self.satisfied_so_far(taken)
    }

    /// Whether values for the first variables break no constraint among them.
    pub fn satisfied_so_far(&self, prefix: &[u32]) -> bool {
        let pairs = self.posted.pairs.iter();
        pairs
            .filter(|((_, high), _)| (*high as usize) < prefix.len())
            .all(|(&(a, b), relation)| {
                relation.allowed(prefix[a as usize]) >> prefix[b as usize] & 1 == 1
            })
    }

    /// The constraints in the form engines search, made on first use.
    pub(crate) fn graph(&self) -> &Graph {
        self.posted
            .graph
            .get_or_init(|| Graph::new(self.len(), &self.posted.pairs, &self.posted.scopes))
    }

    fn known(&self, variable: Variable) -> Result<(), NetworkError> {
        if variable.index() < self.len() {
            Ok(())
        } else {
            Err(NetworkError::UnknownVariable {
                variable,
                variables: self.len(),
            })
        }
    }

    fn pair(&self, a: Variable, b: Variable) -> Result<(), NetworkError> {
        self.known(a)?;
        self.known(b)?;
        if a == b {
            return Err(NetworkError::SameVariable { variable: a });
        }
        Ok(())
    }

    fn post(&mut self, low: u32, high: u32, relation: Relation) {
        let pairs = &mut self.change().pairs;
        let both = match (pairs.remove(&(low, high)), relation) {
            (None, relation) => relation,
            (Some(Relation::NotEqual), Relation::NotEqual) => Relation::NotEqual,
            (Some(old), new) => {
                let mut rows = Box::new([0u64; 64]);
                for value in 0..64 {
                    rows[value as usize] = old.allowed(value) & new.allowed(value);
                }
                Relation::Table(rows)
            }
        };
        pairs.insert((low, high), both);
    }

    fn change(&mut self) -> &mut Posted {
        let posted = Arc::make_mut(&mut self.posted);
        posted.graph = OnceLock::new();
        posted
    }
}

/// A value for every variable, in the order of the variables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment(pub Vec<u32>);

impl Index<Variable> for Assignment {
    type Output = u32;

    fn index(&self, variable: Variable) -> &u32 {
        &self.0[variable.index()]
    }
}

/// Why something cannot be part of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// Values go up to 63.
    ValueTooLarge {
        /// The value asked for.
        value: u32,
    },
    /// A constraint speaks of a variable that does not exist.
    UnknownVariable {
        /// The one spoken of.
        variable: Variable,
        /// How many there are.
        variables: usize,
    },
    /// A constraint between a variable and itself.
    SameVariable {
        /// The one that occurs twice.
        variable: Variable,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NetworkError::ValueTooLarge { value } => {
                write!(f, "expected a value up to {}, found {value}", Values::MAX)
            }
            NetworkError::UnknownVariable {
                variable,
                variables,
            } => write!(
                f,
                "expected one of the {variables} variables, found variable {}",
                variable.0
            ),
            NetworkError::SameVariable { variable } => write!(
                f,
                "expected different variables, found variable {} twice",
                variable.0
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constraint_over_unknown_variables_is_an_error() {
        let mut network = Network::new();
        let x = network.variable(0..3).unwrap();
        let stranger = Variable(7);
        let error = NetworkError::UnknownVariable {
            variable: stranger,
            variables: 1,
        };
        assert_eq!(network.not_equal(x, stranger), Err(error.clone()));
        assert_eq!(
            network.relation(stranger, x, |_, _| true),
            Err(error.clone())
        );
        assert_eq!(network.all_different(&[x, stranger]), Err(error.clone()));
        assert_eq!(network.restrict(stranger, Values(1)), Err(error.clone()));
        assert_eq!(
            error.to_string(),
            "expected one of the 1 variables, found variable 7"
        );
        assert_eq!(network.pair_count(), 0);
    }

    #[test]
    fn a_variable_is_not_constrained_against_itself() {
        let mut network = Network::new();
        let x = network.variable(0..3).unwrap();
        let same = Err(NetworkError::SameVariable { variable: x });
        assert_eq!(network.not_equal(x, x), same);
        assert_eq!(network.all_different(&[x, x]), same);
    }

    #[test]
    fn a_value_beyond_a_word_is_an_error() {
        let error = Network::new().variable([3, 64]).unwrap_err();
        assert_eq!(error, NetworkError::ValueTooLarge { value: 64 });
    }

    #[test]
    fn constraints_on_one_pair_become_one() {
        let mut network = Network::new();
        let x = network.variable(0..3).unwrap();
        let y = network.variable(0..3).unwrap();
        network.relation(y, x, |y, x| y >= x).unwrap();
        network.not_equal(x, y).unwrap();
        assert_eq!(network.pair_count(), 1);
        let ok = |x, y| network.satisfied_by(&Assignment(vec![x, y]));
        assert!(ok(0, 1) && ok(1, 2) && ok(0, 2));
        assert!(!ok(0, 0) && !ok(1, 0) && !ok(0, 3));
    }

    #[test]
    fn a_clone_may_grow_on_its_own() {
        let mut first = Network::new();
        let pair = first.variables(2, 0..2).unwrap();
        let mut second = first.clone();
        second.not_equal(pair[0], pair[1]).unwrap();
        assert_eq!((first.pair_count(), second.pair_count()), (0, 1));
    }
}
