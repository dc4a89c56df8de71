//! How often an action has to be repeated until a comparison holds.
//!
//! In the relaxation a comparison that does not hold is made true by any action
//! that may bring its expression nearer, as if once were enough; that is never
//! too much to ask, so cuts and landmarks may rely on it. Sums of costs count
//! how often: what is missing, divided by what the action adds each time. Where
//! that depends on the state, what it adds in this state counts. (Scala, Haslum,
//! Thiébaux and Ramirez, "Subgoaling techniques for satisficing and optimal
//! numeric planning", 2020.)
//!
//! The maximum of costs may not count the repetitions of one action, since
//! others may help along. All of them together pay at least what is missing
//! times the best rate of any.

use crate::analysis::charge::Weight;
use crate::ground::{ChangeKind, Condition, VariableChange};
use crate::numbers::{Fraction, NoValue, ZeroTest};
use crate::state::states::has;
use crate::state::world::World;

/// A way in which an action helps a comparison: its changes under one
/// condition.
pub(crate) struct Help {
    /// The operator "having been executed, so many times, it makes this hold".
    pub(crate) operator: u32,
    /// The operator of the action.
    pub(crate) of: u32,
    pub(crate) action: u32,
    comparison: u32,
    /// What it adds to the expression each time, if that is always the same.
    adds: Option<Fraction>,
    /// What it adds it would add again: nothing is set to a value.
    adds_again: bool,
    /// The changes at work, by their places.
    changes: Vec<usize>,
}

/// What an action does to one comparison, before it has operators.
pub(crate) struct Part {
    pub(crate) condition: Condition,
    pub(crate) fact: u32,
    comparison: u32,
    adds: Option<Fraction>,
    changes: Vec<usize>,
}

impl Part {
    /// With its operators.
    pub(crate) fn help(self, world: &World, action: u32, of: u32, operator: u32) -> Help {
        let changes = world.ground.numbers.changes_of(action);
        let mut kinds = self.changes.iter().map(|&place| changes[place].kind);
        Help {
            adds_again: kinds.all(|kind| kind == ChangeKind::Increase),
            operator,
            of,
            action,
            comparison: self.comparison,
            adds: self.adds,
            changes: self.changes,
        }
    }
}

/// All ways in which an action may help comparisons.
pub(crate) fn parts(world: &World, action: u32) -> Vec<Part> {
    let numbers = &world.ground.numbers;
    let changes = numbers.changes_of(action);
    let mut parts = Vec::new();
    let mut read = Vec::new();
    for comparison in world.values.touched(changes) {
        let asked = &numbers.comparisons[comparison as usize];
        read.clear();
        asked.expression.variables(&mut read);
        let first = parts.len();
        for (place, change) in changes.iter().enumerate() {
            if !read.contains(&change.variable) {
                continue;
            }
            let same = |part: &&mut Part| part.condition == change.condition;
            match parts[first..].iter_mut().find(same) {
                Some(part) => part.changes.push(place),
                None => parts.push(Part {
                    condition: change.condition.clone(),
                    fact: asked.fact,
                    comparison,
                    adds: None,
                    changes: vec![place],
                }),
            }
        }
        for part in &mut parts[first..] {
            part.adds = adds(world, comparison, part, changes);
        }
    }
    parts.retain(|part| {
        let test = numbers.comparisons[part.comparison as usize].test;
        part.adds.is_none_or(|adds| helps(test, adds))
    });
    parts
}

/// What a part adds to the expression, if that is always the same.
fn adds(
    world: &World,
    comparison: u32,
    part: &Part,
    changes: &[VariableChange],
) -> Option<Fraction> {
    let asked = &world.ground.numbers.comparisons[comparison as usize];
    let linear = asked.expression.linear()?;
    part.changes.iter().try_fold(Fraction::ZERO, |sum, &place| {
        let change = &changes[place];
        let amount = change.amount.constant()?;
        let adds = amount.times(linear.factor(change.variable))?;
        (change.kind == ChangeKind::Increase).then(|| sum.plus(adds))?
    })
}

/// True if adding this may make the test pass.
fn helps(test: ZeroTest, adds: Fraction) -> bool {
    match test {
        ZeroTest::Positive | ZeroTest::NotNegative => adds.sign() > 0,
        ZeroTest::Zero | ZeroTest::NotZero => adds.sign() != 0,
    }
}

/// The least that a comparison's expression costs per unit, upwards and
/// downwards, in charges of actions: a charge and what is added for it. `None`
/// if something may bring it there at one go.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rates([Option<(u128, Fraction)>; 2]);

/// The rates of all comparisons, given the helps and what operators are charged.
pub(crate) fn rates<W: Weight>(world: &World, helps: &[Help], charge: &[W]) -> Vec<Rates> {
    let count = world.ground.numbers.comparisons.len();
    let mut rates = vec![Rates::default(); count];
    let mut erratic = vec![false; count];
    // Helps of one action stand together; their conditions may hold at once.
    for same in helps.chunk_by(|a, b| a.action == b.action) {
        for help in same {
            let others = same.iter().filter(|it| it.comparison == help.comparison);
            for (side, sign) in [1, -1].into_iter().enumerate() {
                let together = others.clone().try_fold(Fraction::ZERO, |sum, it| {
                    let adds = it.adds?;
                    match adds.sign() == sign {
                        true => sum.plus(adds),
                        false => Some(sum),
                    }
                });
                let Some(together) = together else {
                    erratic[help.comparison as usize] = true;
                    continue;
                };
                if together.sign() == 0 {
                    continue;
                }
                let charge = charge[help.of as usize].units();
                let best = &mut rates[help.comparison as usize].0[side];
                if best.is_none_or(|best| is_cheaper((charge, together), best)) {
                    *best = Some((charge, together));
                }
            }
        }
    }
    for (rates, erratic) in rates.iter_mut().zip(erratic) {
        if erratic {
            *rates = Rates::default();
        }
    }
    rates
}

/// True if the first rate is lower: compared as `charge / |added|`.
fn is_cheaper(a: (u128, Fraction), b: (u128, Fraction)) -> bool {
    let per_unit = |(charge, added): (u128, Fraction)| pay(Fraction::ONE, charge, added);
    match (per_unit(a), per_unit(b)) {
        (Some(a), Some(b)) => a < b,
        // What cannot be calculated is taken to be free.
        (a, _) => a.is_none(),
    }
}

/// What so much costs at a rate.
fn pay(missing: Fraction, charge: u128, added: Fraction) -> Option<Fraction> {
    let charge = Fraction::whole(i64::try_from(charge).ok()?);
    let paid = missing.times(charge)?.over(added)?;
    match paid.sign() < 0 {
        true => paid.negated(),
        false => Some(paid),
    }
}

/// What comparisons of one state lack.
pub(crate) struct Missing<'a> {
    world: &'a World,
    state: &'a [u64],
    /// Per comparison that does not hold: what its expression comes to.
    values: Vec<Option<Fraction>>,
}

impl<'a> Missing<'a> {
    /// Looks at a state.
    pub(crate) fn new(world: &'a World, state: &'a [u64]) -> Missing<'a> {
        let read = |variable| world.values.get(state, variable);
        let comparisons = world.ground.numbers.comparisons.iter();
        let values = comparisons.map(|it| match has(state, it.fact) {
            true => None,
            false => it.expression.value(&read).ok(),
        });
        Missing {
            values: values.collect(),
            world,
            state,
        }
    }

    /// How often a help has to be had; `None` if it leads away.
    pub(crate) fn times(&self, help: &Help) -> Option<u64> {
        let Some(now) = self.values[help.comparison as usize] else {
            return Some(1);
        };
        let test = self.world.ground.numbers.comparisons[help.comparison as usize].test;
        let adds = match help.adds {
            Some(adds) => adds,
            None if !help.adds_again => return Some(1),
            None => match self.adds(help, now) {
                Ok(adds) => adds,
                Err(_) => return Some(1),
            },
        };
        if help.adds.is_none() && !helps(test, adds) {
            // It may help elsewhere.
            return Some(1);
        }
        if test == ZeroTest::NotZero {
            return Some(1);
        }
        let steps = now.negated().and_then(|missing| missing.over(adds));
        let steps = steps.unwrap_or(Fraction::ONE);
        match test {
            ZeroTest::Zero if steps.sign() < 0 => None,
            // One more than enough to come to 0.
            ZeroTest::Positive if steps.denominator() == 1 => {
                Some(steps.numerator().saturating_add(1).max(1) as u64)
            }
            _ => Some(steps.ceiling().max(1) as u64),
        }
    }

    /// What a help adds here.
    fn adds(&self, help: &Help, now: Fraction) -> Result<Fraction, NoValue> {
        let numbers = &self.world.ground.numbers;
        let changes = numbers.changes_of(help.action);
        let before = |variable| self.world.values.get(self.state, variable);
        let mut after: Vec<(u32, Fraction)> = Vec::new();
        for change in help.changes.iter().map(|&place| &changes[place]) {
            after.push((change.variable, change.value(&before)?));
        }
        let read = |variable: u32| {
            let changed = after.iter().find(|it| it.0 == variable);
            changed.map_or_else(|| before(variable), |it| Some(it.1))
        };
        let expression = &numbers.comparisons[help.comparison as usize].expression;
        let then = expression.value(&read)?;
        then.minus(now).ok_or(NoValue::TooLarge)
    }

    /// The least that all who help must be paid together, in whole charges.
    pub(crate) fn least(&self, help: &Help, rates: &[Rates]) -> u128 {
        let now = self.values[help.comparison as usize];
        let Some(missing) = now.and_then(Fraction::negated) else {
            return 0;
        };
        let test = self.world.ground.numbers.comparisons[help.comparison as usize].test;
        if test == ZeroTest::NotZero {
            return 0;
        }
        let side = usize::from(missing.sign() < 0);
        let paid = rates[help.comparison as usize].0[side]
            .and_then(|(charge, added)| pay(missing, charge, added));
        paid.map_or(0, |paid| paid.ceiling().max(0) as u128)
    }
}
