//! A metric as what actions cost.
//!
//! Where every action adds a fixed amount to the metric, never below 0 (or, if
//! it is to be large, never above), that amount is its cost, and whoever finds
//! cheapest plans finds best ones. Otherwise no cost of actions says what the
//! metric says.

use super::calculate::NumberPattern;
use super::draft::{Draft, DraftAction};
use super::prune::Alive;
use super::reach::Reach;
use super::{ChangeKind, Objective};
use crate::cost::Cost;
use crate::numbers::{Fraction, LinearSum};

/// Gives the actions that are left the costs that the metric says, if it can be
/// said so.
pub fn measure(reach: &mut Reach<'_>, draft: &mut Draft, alive: &Alive) -> Objective {
    let Some(metric) = &reach.model.metric else {
        return Objective::Cost;
    };
    let pattern = NumberPattern::of(&metric.expression);
    let expression = reach.world.functions.expression(&pattern, &[]);
    let Some(linear) = expression.as_ref().ok().and_then(|it| it.linear()) else {
        return Objective::Beyond;
    };
    let sign = if metric.minimise { 1 } else { -1 };
    match costs(linear, sign, draft, alive) {
        None => Objective::Beyond,
        Some(costs) => {
            for (action, cost) in draft.actions.iter_mut().zip(costs) {
                action.cost = cost;
            }
            Objective::Metric
        }
    }
}

/// What each action adds, in the largest unit of which all are whole multiples.
fn costs(linear: &LinearSum, sign: i64, draft: &Draft, alive: &Alive) -> Option<Vec<Cost>> {
    let mut shares = Vec::with_capacity(draft.actions.len());
    for (action, &is_alive) in draft.actions.iter().zip(&alive.actions) {
        shares.push(match is_alive {
            true => share(linear, sign, action)?,
            false => Fraction::ZERO,
        });
    }
    let mut unit = 1i128;
    for share in &shares {
        let below = i128::from(share.denominator());
        while unit % below != 0 {
            // The least common multiple, by what is missing of it.
            let missing = Fraction::new(below, unit)?.numerator();
            unit = unit.checked_mul(i128::from(missing))?;
        }
    }
    let units = shares.iter().map(|share| {
        let times = unit / i128::from(share.denominator());
        let units = i128::from(share.numerator()).checked_mul(times)?;
        // As many as any cost may have, so that sums stay within bounds.
        let units = u128::try_from(units).ok()?;
        (units < 10u128.pow(crate::cost::DIGITS)).then(|| Cost::of_units(units))
    });
    units.collect()
}

/// What an action adds to the metric; `None` if that depends, or is below 0.
fn share(linear: &LinearSum, sign: i64, action: &DraftAction) -> Option<Fraction> {
    let mut sum = Fraction::ZERO;
    for change in &action.changes {
        let factor = linear.factor(change.variable);
        if factor == Fraction::ZERO {
            continue;
        }
        let always = change.when.positive.is_empty()
            && change.when.negative.is_empty()
            && change.when.rest.is_empty();
        if !always || change.kind != ChangeKind::Increase {
            return None;
        }
        sum = sum.plus(change.amount.constant()?.times(factor)?)?;
    }
    let sum = sum.times(Fraction::whole(sign))?;
    (sum.sign() >= 0).then_some(sum)
}
