//! The numbers of a state, and what an action makes of them.
//!
//! ```text
//! a state:  [ facts, one bit each | numerator, denominator | … ]
//! ```
//!
//! Two words for each variable follow the facts; a denominator of 0 says that
//! the variable has no value. So states with numbers are kept, compared and
//! hashed like any others.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::ground::{ActionIndex, ChangeKind, Condition, Ground, VariableChange};
use crate::numbers::{Fraction, GroundExpression, NoValue, VariableIndex, ZeroTest};

/// What is known of the numbers of a problem, for execution.
#[derive(Default)]
pub(crate) struct Values {
    /// Where values begin in a state.
    first: usize,
    /// For each variable, the comparisons that read it.
    read_by: Vec<Vec<u32>>,
    /// For each action, facts of comparisons that it may make true.
    helped: Vec<Vec<u32>>,
    /// For each action, facts of comparisons that it may make false.
    harmed: Vec<Vec<u32>>,
    /// Something was too large to be calculated, so that a state is missing.
    too_large: AtomicBool,
}

/// What an action makes of the numbers of a state.
#[derive(Default)]
pub(crate) struct After {
    values: Vec<(VariableIndex, Fraction)>,
    /// Comparisons, by fact, and whether they hold now.
    pub(crate) facts: Vec<(u32, bool)>,
}

impl Values {
    /// Prepares a problem whose facts take so many words.
    pub(crate) fn new(ground: &Ground, first: usize) -> Values {
        let numbers = &ground.numbers;
        let mut values = Values {
            first,
            read_by: vec![Vec::new(); numbers.variables.len()],
            ..Values::default()
        };
        let mut read = Vec::new();
        for (index, comparison) in numbers.comparisons.iter().enumerate() {
            read.clear();
            comparison.expression.variables(&mut read);
            read.sort_unstable();
            read.dedup();
            for &variable in &read {
                values.read_by[variable as usize].push(index as u32);
            }
        }
        for changes in &numbers.changes {
            let (mut helped, mut harmed) = (Vec::new(), Vec::new());
            for comparison in values.touched(changes) {
                let comparison = &numbers.comparisons[comparison as usize];
                let (down, up) = directions(&comparison.expression, changes);
                let either = matches!(comparison.test, ZeroTest::Zero | ZeroTest::NotZero);
                if up || either {
                    helped.push(comparison.fact);
                }
                if down || either {
                    harmed.push(comparison.fact);
                }
            }
            values.helped.push(helped);
            values.harmed.push(harmed);
        }
        values
    }

    /// Words that the values take.
    pub(crate) fn words(&self) -> usize {
        2 * self.read_by.len()
    }

    /// Comparisons that read what is changed, ascending.
    pub(crate) fn touched(&self, changes: &[VariableChange]) -> Vec<u32> {
        let lists = changes.iter().map(|it| &self.read_by[it.variable as usize]);
        let mut touched: Vec<u32> = lists.flatten().copied().collect();
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Facts of comparisons that the action may make true.
    #[inline]
    pub(crate) fn helped(&self, action: ActionIndex) -> &[u32] {
        self.helped.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// Facts of comparisons that the action may make false.
    #[inline]
    pub(crate) fn harmed(&self, action: ActionIndex) -> &[u32] {
        self.harmed.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// The value of a variable in a state, if it has one.
    #[inline]
    pub(crate) fn get(&self, state: &[u64], variable: VariableIndex) -> Option<Fraction> {
        let place = self.first + 2 * variable as usize;
        Fraction::from_words([state[place], state[place + 1]])
    }

    /// Writes the values at the start.
    pub(crate) fn start(&self, ground: &Ground, state: &mut [u64]) {
        for (place, variable) in ground.numbers.variables.iter().enumerate() {
            let words = variable.start.map_or([0, 0], Fraction::words);
            state[self.first + 2 * place..][..2].copy_from_slice(&words);
        }
    }

    /// What the action makes of the numbers; `None` if it cannot be executed
    /// here. Writes nothing: effects on facts read the state before as well.
    pub(crate) fn after(
        &self,
        ground: &Ground,
        action: ActionIndex,
        state: &[u64],
        holds: impl Fn(&Condition) -> bool,
    ) -> Option<After> {
        let changes = ground.numbers.changes_of(action);
        match self.calculate(ground, changes, state, holds) {
            Ok(after) => Some(after),
            Err(NoValue::Undefined) => None,
            Err(NoValue::TooLarge) => {
                self.too_large.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    fn calculate(
        &self,
        ground: &Ground,
        changes: &[VariableChange],
        state: &[u64],
        holds: impl Fn(&Condition) -> bool,
    ) -> Result<After, NoValue> {
        let before = |variable| self.get(state, variable);
        let mut after = After::default();
        let mut kinds: Vec<ChangeKind> = Vec::new();
        for change in changes.iter().filter(|it| holds(&it.condition)) {
            let known = after.values.iter().position(|it| it.0 == change.variable);
            match known {
                None => {
                    after.values.push((change.variable, change.value(&before)?));
                    kinds.push(change.kind);
                }
                Some(place)
                    if change.kind == ChangeKind::Increase && kinds[place] == change.kind =>
                {
                    let amount = change.amount.value(&before)?;
                    let value = &mut after.values[place].1;
                    *value = value.plus(amount).ok_or(NoValue::TooLarge)?;
                }
                // They contradict each other.
                Some(_) => return Err(NoValue::Undefined),
            }
        }
        after
            .values
            .retain(|&(variable, value)| before(variable) != Some(value));
        let now = |variable| {
            let changed = after.values.iter().find(|it| it.0 == variable);
            changed.map_or_else(|| before(variable), |it| Some(it.1))
        };
        let mut facts = Vec::new();
        for &(variable, _) in &after.values {
            for &comparison in &self.read_by[variable as usize] {
                let comparison = &ground.numbers.comparisons[comparison as usize];
                let holds = passes(&comparison.expression, comparison.test, &now)?;
                facts.push((comparison.fact, holds));
            }
        }
        after.facts = facts;
        Ok(after)
    }

    /// Writes what an action has made of the numbers; facts are the caller's.
    pub(crate) fn write(&self, after: &After, state: &mut [u64]) {
        for &(variable, value) in &after.values {
            let place = self.first + 2 * variable as usize;
            state[place..place + 2].copy_from_slice(&value.words());
        }
    }

    /// True if a state was not made because its numbers are too large.
    pub(crate) fn were_too_large(&self) -> bool {
        self.too_large.load(Ordering::Relaxed)
    }
}

/// Whether a comparison holds; `Err` only if its value is too large.
pub(crate) fn passes(
    expression: &GroundExpression,
    test: ZeroTest,
    read: &impl Fn(VariableIndex) -> Option<Fraction>,
) -> Result<bool, NoValue> {
    match expression.value(read) {
        Ok(value) => Ok(test.passes(value)),
        Err(NoValue::Undefined) => Ok(false),
        Err(too_large) => Err(too_large),
    }
}

/// Whether changes may make an expression less, and whether they may make it
/// more. One without a value may become anything.
fn directions(expression: &GroundExpression, changes: &[VariableChange]) -> (bool, bool) {
    let Some(linear) = expression.linear() else {
        return (true, true);
    };
    let (mut down, mut up) = (false, false);
    for change in changes {
        let factor = linear.factor(change.variable);
        match (change.kind, change.amount.constant()) {
            (ChangeKind::Increase, Some(amount)) => {
                let side = amount.sign() * factor.sign();
                down |= side < 0;
                up |= side > 0;
            }
            _ => (down, up) = (true, true),
        }
    }
    (down, up)
}
