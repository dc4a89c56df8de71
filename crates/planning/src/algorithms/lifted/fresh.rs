//! What was made last is used first.
//!
//! Where methods are carried out one after another, a fact that was made just
//! now was most likely made for what comes next: the thing produced is the one
//! to be delivered, not an older one of its kind that somebody else waits for.

use std::cmp::Reverse;

use planoku_engine::{Run, Stop};

use super::facts::Facts;
use super::join::UNBOUND;
use super::pattern::Slot;
use super::schema::Rule;

/// Sorts instances of a rule by when the facts they join were made, the latest
/// first. A fact that all of them join says nothing.
pub(super) fn freshest_first(
    facts: &Facts,
    rule: &Rule<'_>,
    found: &mut Vec<Box<[u32]>>,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let mut freshest = vec![0u32; found.len()];
    let mut stamps = Vec::new();
    let mut objects = Vec::new();
    for atom in &rule.joins {
        run.effort(found.len() as u64)?;
        stamps.clear();
        for values in found.iter() {
            objects.clear();
            objects.extend(atom.terms.iter().map(|slot| match *slot {
                // A variable that is no parameter: its value is not kept.
                Slot::Variable(it) if it as usize >= values.len() => UNBOUND,
                slot => slot.value(values),
            }));
            stamps.push(match objects.contains(&UNBOUND) {
                true => 0,
                false => facts.stamp(atom.predicate, &objects),
            });
        }
        if stamps.iter().any(|it| *it != stamps[0]) {
            for (best, &stamp) in freshest.iter_mut().zip(&stamps) {
                *best = stamp.max(*best);
            }
        }
    }
    let mut sorted: Vec<(u32, Box<[u32]>)> = freshest.into_iter().zip(found.drain(..)).collect();
    sorted.sort_by_key(|&(stamp, _)| Reverse(stamp));
    found.extend(sorted.into_iter().map(|(_, values)| values));
    Ok(())
}
