//! Numbers in a grounded problem: what they are, how they change, what is asked
//! of them.
//!
//! Each comparison of a problem is a *fact*: preconditions, goals, methods and
//! rules for derived facts hold it like any other, and whatever works with
//! facts works with numbers. What is left to say is here: the variables, what
//! changes them, and the question of each comparison, always "how does this
//! expression stand to 0".
//!
//! A variable may have no value at the start. An expression that reads it has
//! none either, nor has one that divides by 0: a comparison of such an
//! expression does not hold, nor does the opposite comparison, and an action
//! whose effect would need the value cannot be executed.

use planoku_engine::EngineError;

use super::{Condition, FactIndex};
use crate::model::{FunctionId, Model, ObjectId};
pub use crate::numbers::VariableIndex;
use crate::numbers::{Fraction, GroundExpression, NoValue, ZeroTest, show_comparison};

/// The numbers of a problem; nothing in one without.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// Functions that change.
    pub variables: Vec<NumericVariable>,
    /// What conditions ask of them.
    pub comparisons: Vec<GroundComparison>,
    /// For each action, how it changes them; empty if there are no variables.
    pub changes: Vec<Vec<VariableChange>>,
}

/// A function with its arguments, whose value changes.
#[derive(Clone, Debug)]
pub struct NumericVariable {
    /// Which function.
    pub function: FunctionId,
    /// Its arguments.
    pub arguments: Box<[ObjectId]>,
    /// Its value at the start; `None` if it has none.
    pub start: Option<Fraction>,
}

/// A comparison: a fact that holds where the expression passes the test.
#[derive(Clone, Debug)]
pub struct GroundComparison {
    /// The fact.
    pub fact: FactIndex,
    /// What is compared with 0.
    pub expression: GroundExpression,
    /// How.
    pub test: ZeroTest,
}

/// What an action does to a variable. It reads the state before the action.
#[derive(Clone, Debug)]
pub struct VariableChange {
    /// When it happens.
    pub condition: Condition,
    /// What changes.
    pub variable: VariableIndex,
    /// In which way.
    pub kind: ChangeKind,
    /// By how much, or to what.
    pub amount: GroundExpression,
}

/// The ways to change a variable. Several changes of one variable by one action
/// must all be [`ChangeKind::Increase`]; then they add up. Otherwise the action
/// cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It becomes this.
    Assign,
    /// This is added.
    Increase,
    /// It is multiplied by this.
    Scale,
}

impl Numbers {
    /// True if the problem has no numbers that change.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// True if some change happens only under a condition.
    pub fn are_conditional(&self) -> bool {
        let mut changes = self.changes.iter().flatten();
        changes.any(|change| change.condition != Condition::default())
    }

    /// An error if there are numbers that change, for those who cannot plan
    /// with them.
    pub fn refuse(&self, who: &str) -> Result<(), EngineError> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(EngineError::Unsupported(format!(
                "{who} cannot do with numbers that change"
            ))),
        }
    }

    /// `(fuel truck)`: a variable in the words of the model.
    pub fn show_variable(&self, variable: VariableIndex, model: &Model) -> String {
        let variable = &self.variables[variable as usize];
        let name = &model.functions[variable.function.index()].name;
        format!("({})", model.show(name, &variable.arguments))
    }

    /// `(>= (fuel truck) 10)`: a comparison in the words of the model.
    pub fn show_comparison(&self, comparison: u32, model: &Model) -> String {
        let comparison = &self.comparisons[comparison as usize];
        show_comparison(&comparison.expression, comparison.test, &|variable| {
            self.show_variable(variable, model)
        })
    }

    /// How an action changes numbers.
    pub fn changes_of(&self, action: u32) -> &[VariableChange] {
        self.changes.get(action as usize).map_or(&[], Vec::as_slice)
    }
}

impl VariableChange {
    /// The variable's value after this change alone.
    pub fn value(
        &self,
        read: &impl Fn(VariableIndex) -> Option<Fraction>,
    ) -> Result<Fraction, NoValue> {
        let amount = self.amount.value(read)?;
        let before = || read(self.variable).ok_or(NoValue::Undefined);
        match self.kind {
            ChangeKind::Assign => Ok(amount),
            ChangeKind::Increase => before()?.plus(amount).ok_or(NoValue::TooLarge),
            ChangeKind::Scale => before()?.times(amount).ok_or(NoValue::TooLarge),
        }
    }
}
