//! A planning problem as the generator makes it and the shrinker cuts it.
//!
//! The types mirror what HDDL can say and nothing of how Planoku reads it:
//! `print` turns a [`Problem`] into two texts, which pass through the real
//! reader, and the oracle argues about the [`Problem`] itself. So a mistake of
//! the reader is found like any other.

use std::fmt;

use crate::numeric::Tenths;

/// A problem, with everything in tables and every name a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The parent of each type; type 0 is `object` and its own parent.
    pub types: Vec<usize>,
    /// Objects, constants of the domain among them.
    pub objects: Vec<Object>,
    /// The types of each predicate's parameters.
    pub predicates: Vec<Vec<usize>>,
    /// Rules for derived predicates. A rule may mention derived predicates of
    /// lower number freely, and its own without negation.
    pub derived: Vec<Derived>,
    /// The values of each function of one object, for all objects.
    pub functions: Vec<Vec<Amount>>,
    /// Numbers that change.
    pub fluents: Vec<Fluent>,
    /// Actions.
    pub actions: Vec<Action>,
    /// The types of each compound task's parameters.
    pub tasks: Vec<Vec<usize>>,
    /// Methods.
    pub methods: Vec<Method>,
    /// The initial network; `None` for a classical problem.
    pub top: Option<Top>,
    /// What holds at the start: predicates with objects.
    pub init: Vec<(usize, Vec<usize>)>,
    /// What must hold at the end.
    pub goal: Vec<Formula>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its type.
    pub kind: usize,
    /// Declared in the domain instead of the problem.
    pub constant: bool,
}

/// A variable in scope or an object. Parameters are numbered from 0, variables
/// of quantifiers go on from there, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The variable of that number.
    Variable(usize),
    /// The object of that number.
    Object(usize),
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which predicate.
    pub predicate: usize,
    /// Its arguments.
    pub terms: Vec<Term>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The atom holds.
    Atom(Atom),
    /// Both are the same object.
    Equal(Term, Term),
    /// Numbers compare so.
    Compare(Box<Compare>),
    /// It does not hold.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// One holds.
    Or(Vec<Formula>),
    /// The second, if the first.
    Imply(Box<Formula>, Box<Formula>),
    /// For every object of the type.
    Forall(usize, Box<Formula>),
    /// For some object of the type.
    Exists(usize, Box<Formula>),
}

/// A rule for a derived predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The predicate; its parameters are the rule's variables.
    pub predicate: usize,
    /// When it holds.
    pub condition: Vec<Formula>,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The types of its parameters.
    pub parameters: Vec<usize>,
    /// What must hold before.
    pub condition: Vec<Formula>,
    /// What changes.
    pub effects: Vec<Effect>,
    /// What is done to numbers.
    pub changes: Vec<NumberChange>,
    /// What it costs, if it says.
    pub price: Option<Price>,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// For every object of this type, if one is given.
    pub each: Option<usize>,
    /// Only if these held before.
    pub when: Vec<Formula>,
    /// The atom that becomes true or false.
    pub atom: Atom,
    /// True or false.
    pub add: bool,
}

/// What an action costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Price {
    /// A number.
    Number(Amount),
    /// A function of an object.
    Function(usize, Term),
}

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The types of its parameters.
    pub parameters: Vec<usize>,
    /// The task it carries out.
    pub task: usize,
    /// With which arguments.
    pub terms: Vec<Term>,
    /// What must hold before.
    pub condition: Vec<Formula>,
    /// Its subtasks.
    pub network: Network,
}

/// The initial network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Top {
    /// The types of its parameters, which the planner chooses.
    pub parameters: Vec<usize>,
    /// What is to be done.
    pub network: Network,
}

/// Subtasks and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// What is to be done.
    pub subtasks: Vec<Subtask>,
    /// Pairs of places, the smaller first, or `None` if the order is total.
    pub order: Option<Vec<(usize, usize)>>,
    /// Equalities and inequalities.
    pub constraints: Vec<Formula>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtask {
    /// A compound task or an action.
    pub node: Node,
    /// Its arguments.
    pub terms: Vec<Term>,
}

/// A compound task or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// The compound task of that number.
    Task(usize),
    /// The action of that number.
    Action(usize),
}

/// A number that changes, of nobody or of each object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fluent {
    /// Every object has one.
    pub of_object: bool,
    /// Values at the start: one, or one for each object.
    pub start: Vec<Option<Tenths>>,
}

/// What is calculated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A number.
    Constant(Tenths),
    /// A fluent, of an object if it belongs to objects.
    Fluent(usize, Option<Term>),
    /// Two of them with a sign between.
    Two(char, Box<[Number; 2]>),
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// `<`, `<=`, `=`, `>=` or `>`.
    pub sign: &'static str,
    /// What is compared.
    pub sides: [Number; 2],
}

/// A change of a fluent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberChange {
    /// For every object of this type, if one is given.
    pub each: Option<usize>,
    /// Only if these held before.
    pub when: Vec<Formula>,
    /// `assign`, `increase`, `decrease`, `scale-up` or `scale-down`.
    pub word: &'static str,
    /// Which fluent.
    pub fluent: usize,
    /// Of which object.
    pub of: Option<Term>,
    /// By how much, or to what.
    pub amount: Number,
}

impl Number {
    /// Visits every term.
    pub fn terms(&mut self, change: &dyn Fn(&mut Term)) {
        match self {
            Number::Constant(_) => {}
            Number::Fluent(_, of) => of.iter_mut().for_each(change),
            Number::Two(_, parts) => parts.iter_mut().for_each(|part| part.terms(change)),
        }
    }
}

/// An exact amount, in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub u128);

impl Amount {
    /// A millionth of this is the unit of [`Amount`].
    pub const ONE: u128 = 1_000_000;

    /// A whole number.
    pub fn whole(number: u64) -> Amount {
        Amount(u128::from(number) * Amount::ONE)
    }

    /// True if no decimals are needed.
    pub fn is_whole(self) -> bool {
        self.0.is_multiple_of(Amount::ONE)
    }

    /// The amount written in a text: digits, perhaps a point and up to six
    /// decimals.
    pub fn read(text: &str) -> Option<Amount> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        if part.len() > 6 || whole.is_empty() {
            return None;
        }
        let whole: u128 = whole.parse().ok()?;
        let part: u128 = format!("{part:0<6}").parse().ok()?;
        Some(Amount(whole.checked_mul(Amount::ONE)?.checked_add(part)?))
    }
}

impl std::ops::Add for Amount {
    type Output = Amount;

    /// Never overflows for what plans cost: 2^64 millions of steps would fit.
    fn add(self, other: Amount) -> Amount {
        Amount(self.0 + other.0)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / Amount::ONE, self.0 % Amount::ONE);
        if part == 0 {
            return write!(f, "{whole}");
        }
        let part = format!("{part:06}");
        write!(f, "{whole}.{}", part.trim_end_matches('0'))
    }
}

impl Problem {
    /// True if objects of type `kind` are of type `wanted`.
    pub fn fits(&self, kind: usize, wanted: usize) -> bool {
        let mut kind = kind;
        while kind != wanted && kind != 0 {
            kind = self.types[kind];
        }
        kind == wanted
    }

    /// The objects of a type.
    pub fn objects_of(&self, wanted: usize) -> impl Iterator<Item = usize> + '_ {
        let kinds = self.objects.iter().enumerate();
        kinds
            .filter(move |(_, object)| self.fits(object.kind, wanted))
            .map(|(number, _)| number)
    }

    /// True if a rule derives the predicate.
    pub fn is_derived(&self, predicate: usize) -> bool {
        self.derived.iter().any(|rule| rule.predicate == predicate)
    }

    /// True if some action says what it costs; otherwise each costs 1.
    pub fn speaks_of_cost(&self) -> bool {
        self.actions.iter().any(|action| action.price.is_some())
    }

    /// True if every network is totally ordered.
    pub fn is_ordered(&self) -> bool {
        let total = |network: &Network| network.order.is_none() || network.subtasks.len() < 2;
        self.methods.iter().all(|method| total(&method.network))
            && self.top.iter().all(|top| total(&top.network))
    }

    /// Every amount that stands in the texts.
    pub fn amounts(&self) -> impl Iterator<Item = Amount> + '_ {
        let numbers = self.actions.iter().filter_map(|action| match action.price {
            Some(Price::Number(amount)) => Some(amount),
            _ => None,
        });
        numbers.chain(self.functions.iter().flatten().copied())
    }
}
