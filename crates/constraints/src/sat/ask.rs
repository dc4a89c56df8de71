//! Two questions that take many calls: which literals always hold, and which
//! assumptions cannot hold together.

use planoku_engine::{Run, Stop};

use super::{Answer, Sat};
use crate::cnf::Lit;

/// The literals among `asked` that hold in every satisfying assignment; `None`
/// if there is no satisfying assignment.
///
/// Each is put to the test by assuming its negation. Every assignment that
/// comes back also strikes the other literals it makes false, so few calls are
/// needed where much is open.
pub fn backbone(sat: &mut Sat, asked: &[Lit], run: &mut Run<'_>) -> Result<Option<Vec<Lit>>, Stop> {
    if sat.solve(&[], run)? == Answer::Unsat {
        return Ok(None);
    }
    let holds = |sat: &Sat, lit: Lit| sat.value(lit.var()) == lit.is_positive();
    let mut open: Vec<Lit> = asked
        .iter()
        .copied()
        .filter(|lit| holds(sat, *lit))
        .collect();
    let mut forced = Vec::new();
    while let Some(lit) = open.pop() {
        match sat.solve(&[!lit], run)? {
            Answer::Unsat => {
                sat.add_clause(&[lit]); // known now, and useful to the next call
                forced.push(lit);
            }
            Answer::Sat => open.retain(|lit| holds(sat, *lit)),
        }
    }
    forced.sort_unstable();
    Ok(Some(forced))
}

/// A part of `assumptions` that cannot hold together, from which nothing can
/// be left out; `None` if they can all hold.
///
/// Deletion-based: leave one out, and if the rest still fails, leave it out
/// for good, together with everything the solver did not need.
pub fn minimal_core(
    sat: &mut Sat,
    assumptions: &[Lit],
    run: &mut Run<'_>,
) -> Result<Option<Vec<Lit>>, Stop> {
    if sat.solve(assumptions, run)? == Answer::Sat {
        return Ok(None);
    }
    let in_core = |sat: &Sat, lits: &[Lit]| -> Vec<Lit> {
        let kept = lits.iter().copied().filter(|lit| sat.core().contains(lit));
        kept.collect()
    };
    let mut core = in_core(sat, assumptions);
    // Everything before `needed` has been shown to be.
    let mut needed = 0;
    while needed < core.len() {
        let without: Vec<Lit> = core
            .iter()
            .copied()
            .filter(|lit| *lit != core[needed])
            .collect();
        match sat.solve(&without, run)? {
            Answer::Sat => needed += 1,
            // What was needed in the larger set is needed in the smaller one,
            // and so is in every core of it.
            Answer::Unsat => core = in_core(sat, &without),
        }
    }
    Ok(Some(core))
}
