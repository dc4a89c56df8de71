//! What a domain and a problem say, resolved and typed, in ids instead of names.
//!
//! A [`Model`] joins one domain with one problem. It is what every later stage
//! sees: the grounder, the verifier, the lifted search and the writer. It
//! keeps names (as written) for printing and spans for messages, and it never
//! holds an unresolved name.
//!
//! # Invariants
//!
//! - Every id is in range. `types[0]` is `object`, the ancestor of all.
//! - In a schema's `variables`, the first `arity` are its parameters, in
//!   order; those bound by quantifiers inside follow, each bound once.
//! - Arguments match the declared arity. They fit the declared types, except
//!   where the text narrows them (then the schema ranges over the intersection,
//!   which is already reflected in the variable's `types`).
//! - Subtask orderings are pairs of indices into the subtask list, without cycles.

mod numeric;
pub mod requirements;
pub mod resolve;
mod temporal;
pub mod visit;

use std::fmt;

use crate::cost::{Cost, Scale};
pub use crate::model::numeric::{
    ChangeOperator, Compare, CompareOperator, Expression, Measure, Metric, NumericChange,
};
pub use crate::model::temporal::{Beyond, Durative, Feature, Timed, TimedChange};
use crate::number::Rational;
pub use crate::source::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Names a [`Type`].
    TypeId,
    /// Names an [`Object`].
    ObjectId,
    /// Names a [`Predicate`].
    PredicateId,
    /// Names a [`Function`].
    FunctionId,
    /// Names a compound [`Task`].
    TaskId,
    /// Names an [`Action`].
    ActionId,
    /// Names a [`Method`].
    MethodId,
    /// Names a variable of one schema.
    VariableId,
}

/// A domain and a problem, resolved.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The domain's name.
    pub domain: String,
    /// The problem's name.
    pub problem: String,
    /// Types; the first is `object`.
    pub types: Vec<Type>,
    /// Constants of the domain, then objects of the problem.
    pub objects: Vec<Object>,
    /// Predicates, without equality.
    pub predicates: Vec<Predicate>,
    /// Functions, `total-cost` included where it is declared.
    pub functions: Vec<Function>,
    /// Compound tasks.
    pub tasks: Vec<Task>,
    /// Actions (primitive tasks).
    pub actions: Vec<Action>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Derived predicates.
    pub derived: Vec<Derived>,
    /// The facts that hold at the start; may repeat, as the text may.
    pub init: Vec<Fact>,
    /// Values of functions at the start.
    pub values: Vec<Value>,
    /// What must hold at the end; `Formula::True` if nothing is asked.
    pub goal: Formula,
    /// Variables quantified in the goal.
    pub goal_variables: Vec<Variable>,
    /// The initial task network; `None` for a classical problem.
    pub network: Option<InitialNetwork>,
    /// True if the problem asks to minimise total cost, and total cost is the
    /// sum of what each action costs: [`Effect::IncreaseCost`]. Where total
    /// cost is anything else, it is a function like others, and `metric`
    /// speaks of it.
    pub minimise_cost: bool,
    /// What else is to be made small or large.
    pub metric: Option<Metric>,
    /// Facts and values that change at times of their own.
    pub timed: Vec<Timed>,
    /// What planning refuses. Processes, events, preferences and constraints
    /// on trajectories are checked and stand here only.
    pub beyond: Vec<Beyond>,
    /// The unit of every cost.
    pub scale: Scale,
}

/// A type.
#[derive(Clone, Debug)]
pub struct Type {
    /// As written.
    pub name: String,
    /// Direct parents; types form a directed acyclic graph.
    pub parents: Vec<TypeId>,
    /// Where it is declared.
    pub span: Span,
}

/// A constant or an object.
#[derive(Clone, Debug)]
pub struct Object {
    /// As written.
    pub name: String,
    /// Its types: usually one, several if declared again or with `either`.
    pub types: Vec<TypeId>,
    /// Where it is declared.
    pub span: Span,
}

/// A typed name in a parameter list or under a quantifier.
#[derive(Clone, Debug)]
pub struct Variable {
    /// With its question mark, as written.
    pub name: String,
    /// The objects it ranges over belong to one of these (`either`), and to
    /// each of `also` (narrowing by use).
    pub types: Vec<TypeId>,
    /// Further types every value must have, where use is narrower than
    /// declaration.
    pub also: Vec<TypeId>,
    /// Where it is declared.
    pub span: Span,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// As written.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// A numeric function.
#[derive(Clone, Debug)]
pub struct Function {
    /// As written.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// A compound task.
#[derive(Clone, Debug)]
pub struct Task {
    /// As written.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// An action schema.
#[derive(Clone, Debug)]
pub struct Action {
    /// As written.
    pub name: String,
    /// Parameters first, then variables bound inside.
    pub variables: Vec<Variable>,
    /// How many of `variables` are parameters.
    pub arity: usize,
    /// What must hold before.
    pub precondition: Formula,
    /// What changes.
    pub effect: Effect,
    /// If it takes time, what it says instead of precondition and effect.
    pub durative: Option<Box<Durative>>,
    /// Where it is declared.
    pub span: Span,
}

/// A method schema: one way to carry out a task.
#[derive(Clone, Debug)]
pub struct Method {
    /// As written.
    pub name: String,
    /// Parameters first, then variables bound inside.
    pub variables: Vec<Variable>,
    /// How many of `variables` are parameters.
    pub arity: usize,
    /// The task it refines.
    pub task: TaskId,
    /// The task's arguments; a variable may stand twice.
    pub task_arguments: Vec<Term>,
    /// What must hold right before the first action of the refinement.
    pub precondition: Formula,
    /// Its subtasks.
    pub network: Network,
    /// Where it is declared.
    pub span: Span,
}

/// A derived predicate: it holds exactly where its condition does.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The predicate defined.
    pub predicate: PredicateId,
    /// Its parameters first, then variables bound inside.
    pub variables: Vec<Variable>,
    /// How many of `variables` are parameters.
    pub arity: usize,
    /// When it holds.
    pub condition: Formula,
    /// Where it is declared.
    pub span: Span,
}

/// The initial task network of a problem.
#[derive(Clone, Debug)]
pub struct InitialNetwork {
    /// Free variables (`:parameters`), to be chosen by the planner; variables
    /// bound inside constraints follow.
    pub variables: Vec<Variable>,
    /// How many of `variables` are parameters.
    pub arity: usize,
    /// The tasks.
    pub network: Network,
    /// Where it is declared.
    pub span: Span,
}

/// Subtasks with their order and constraints.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// The subtasks, as listed.
    pub subtasks: Vec<Subtask>,
    /// `(a, b)`: subtask `a` ends before `b` starts. For ordered lists these
    /// are the consecutive pairs.
    pub ordering: Vec<(u32, u32)>,
    /// True if the order is total.
    pub ordered: bool,
    /// Equalities and inequalities between variables.
    pub constraints: Formula,
}

/// One subtask.
#[derive(Clone, Debug)]
pub struct Subtask {
    /// Its label, if it has one.
    pub label: Option<String>,
    /// What is to be done.
    pub task: TaskRef,
    /// With what.
    pub arguments: Vec<Term>,
    /// Where it is written.
    pub span: Span,
}

/// A task to do: compound or primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaskRef {
    /// To be refined by a method.
    Task(TaskId),
    /// To be executed.
    Action(ActionId),
}

/// A variable or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the schema.
    Variable(VariableId),
    /// A constant or object.
    Object(ObjectId),
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Which predicate.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// Where it is written.
    pub span: Span,
}

/// A condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Formula {
    /// Always holds.
    #[default]
    True,
    /// Holds in states that contain the atom.
    Atom(Atom),
    /// The two terms are the same object.
    Equal(Term, Term),
    /// Two numbers compare as said.
    Compare(Compare),
    /// The operand does not hold.
    Not(Box<Formula>),
    /// All hold; of none, true.
    And(Vec<Formula>),
    /// Some holds; of none, false.
    Or(Vec<Formula>),
    /// If the first holds, so does the second.
    Imply(Box<Formula>, Box<Formula>),
    /// The body holds for all values of the variables.
    Forall(Vec<VariableId>, Box<Formula>),
    /// The body holds for some values of the variables.
    Exists(Vec<VariableId>, Box<Formula>),
}

/// A change of state. Deletes happen before adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Effect {
    /// Nothing changes.
    #[default]
    None,
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false, unless it is also added.
    Delete(Atom),
    /// All of these.
    And(Vec<Effect>),
    /// The effect for all values of the variables.
    Forall(Vec<VariableId>, Box<Effect>),
    /// The effect, if the condition held before the action.
    When(Formula, Box<Effect>),
    /// Total cost grows by an amount that never changes.
    IncreaseCost(Amount),
    /// The value of a function changes.
    Change(NumericChange),
}

/// How much an action costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A number.
    Number(Cost),
    /// The value of a static function.
    Function(FunctionId, Vec<Term>),
}

/// A fact of the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Which predicate.
    pub predicate: PredicateId,
    /// Its arguments.
    pub arguments: Vec<ObjectId>,
    /// Where it is written.
    pub span: Span,
}

/// The value of a function in the initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Which function.
    pub function: FunctionId,
    /// Its arguments.
    pub arguments: Vec<ObjectId>,
    /// Its value.
    pub value: Rational,
    /// Where it is written.
    pub span: Span,
}

impl Model {
    /// True if the object belongs to the type or to one below it.
    pub fn is_a(&self, object: ObjectId, wanted: TypeId) -> bool {
        self.objects[object.index()]
            .types
            .iter()
            .any(|ty| self.is_subtype(*ty, wanted))
    }

    /// True if `ty` is `wanted` or below it. `object` is above everything.
    pub fn is_subtype(&self, ty: TypeId, wanted: TypeId) -> bool {
        let mut ty = ty;
        loop {
            if ty == wanted || wanted.0 == 0 {
                return true;
            }
            // Most types have one parent: no need to remember where we were.
            match self.types[ty.index()].parents.as_slice() {
                [] => return false,
                [only] => ty = *only,
                several => return self.is_above_any(several, wanted),
            }
        }
    }

    /// True if `wanted` is one of the types or above one. Each type is visited
    /// once, however many ways lead to it.
    fn is_above_any(&self, types: &[TypeId], wanted: TypeId) -> bool {
        let mut seen = vec![false; self.types.len()];
        let mut open = types.to_vec();
        while let Some(ty) = open.pop() {
            if ty == wanted {
                return true;
            }
            if !std::mem::replace(&mut seen[ty.index()], true) {
                open.extend(&self.types[ty.index()].parents);
            }
        }
        false
    }

    /// True if the variable may take the object as its value.
    pub fn admits(&self, variable: &Variable, object: ObjectId) -> bool {
        (variable.types.is_empty() || variable.types.iter().any(|ty| self.is_a(object, *ty)))
            && variable.also.iter().all(|ty| self.is_a(object, *ty))
    }

    /// Every object the variable ranges over, ascending.
    pub fn range(&self, variable: &Variable) -> Vec<ObjectId> {
        (0..self.objects.len() as u32)
            .map(ObjectId)
            .filter(|object| self.admits(variable, *object))
            .collect()
    }

    /// What an action costs that no effect gives a cost: 1 if the texts do not
    /// speak of cost at all, otherwise nothing.
    pub fn default_cost(&self) -> Cost {
        fn speaks(effect: &Effect) -> bool {
            match effect {
                Effect::IncreaseCost(_) => true,
                Effect::And(parts) => parts.iter().any(speaks),
                Effect::Forall(_, body) | Effect::When(_, body) => speaks(body),
                Effect::None | Effect::Add(_) | Effect::Delete(_) | Effect::Change(_) => false,
            }
        }
        match self.actions.iter().any(|action| speaks(&action.effect)) {
            true => Cost::ZERO,
            false => self.scale.one(),
        }
    }

    /// The values at the start that can be costs, which are all where total
    /// cost is the sum of what each action costs.
    pub fn costs(&self) -> impl Iterator<Item = (FunctionId, &[ObjectId], Cost)> {
        self.values.iter().filter_map(|it| {
            let cost = self.scale.cost(it.value)?;
            Some((it.function, it.arguments.as_slice(), cost))
        })
    }

    /// Writes a cost as the texts would.
    pub fn show_cost(&self, cost: Cost) -> impl fmt::Display {
        self.scale.show(cost)
    }

    /// Writes `name arg arg` with the names of the model, for plans.
    pub fn show<'a>(&'a self, name: &'a str, arguments: &'a [ObjectId]) -> impl fmt::Display + 'a {
        struct Show<'a>(&'a Model, &'a str, &'a [ObjectId]);
        impl fmt::Display for Show<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.1)?;
                self.2
                    .iter()
                    .try_for_each(|id| write!(f, " {}", self.0.objects[id.index()].name))
            }
        }
        Show(self, name, arguments)
    }
}
