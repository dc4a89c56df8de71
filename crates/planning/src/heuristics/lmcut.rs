//! Landmark cuts: an admissible estimate from disjoint sets of unavoidable
//! operators.
//!
//! While the goal still costs something under the maximum heuristic, find a
//! set of operators of which every relaxed plan uses one, charge the estimate
//! with the cheapest of them, and lower the charge of all in the set by as
//! much. Helmert and Domshlak, "Landmarks, critical paths and abstractions"
//! (2009). Applied to the relaxation with tasks inside it is admissible for
//! hierarchical plans as well.

use crate::analysis::charge::Weight;
use crate::analysis::relax::{Explorer, Relaxation};
use crate::heuristics::relaxed::{Reach, Reading, finite};

/// Literals and operators, and what links them, that one estimate may look at,
/// about. What the cuts found so far add up to is admissible at any time, and
/// nobody hears a signal in the middle of an estimate.
const MOST_WORK: usize = 2_000_000;

/// Working space for landmark cuts.
pub(super) struct LmCut<W> {
    charge: Vec<W>,
    in_goal_zone: Vec<bool>,
    before: Vec<bool>,
}

impl<W: Weight> Reading<W> for LmCut<W> {
    fn new(relaxed: &Relaxation<W>) -> LmCut<W> {
        LmCut {
            charge: Vec::new(),
            in_goal_zone: vec![false; relaxed.literals],
            before: vec![false; relaxed.literals],
        }
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        let (state, goals) = (at.state, at.goals);
        let (relaxed, explorer) = at.base();
        finite(self.estimate(relaxed, explorer, state, goals))
    }
}

impl<W: Weight> LmCut<W> {
    /// The estimate for reaching all of `goals` from a state;
    /// [`Weight::UNREACHED`] if that cannot be done.
    fn estimate(
        &mut self,
        relaxed: &Relaxation<W>,
        explorer: &mut Explorer<W>,
        state: &[u64],
        goals: &[u32],
    ) -> W {
        self.charge.clone_from(&relaxed.charge);
        // Cuts are disjoint, so the total is never more than all charges.
        let mut total = W::ZERO;
        let links = relaxed.needs.total() + relaxed.makes.total();
        let size = relaxed.literals + relaxed.charge.len() + links;
        for _ in 0..=MOST_WORK / size.max(1) {
            explorer.explore_max(relaxed, state, &self.charge);
            let Some(dearest) = goals
                .iter()
                .copied()
                .max_by_key(|&goal| explorer.cost[goal as usize])
            else {
                return total;
            };
            let cost = explorer.cost[dearest as usize];
            if cost == W::UNREACHED {
                return W::UNREACHED;
            }
            if cost == W::ZERO {
                return total;
            }
            let cut = self.cut(relaxed, explorer, state, dearest);
            let cheapest = cut.iter().map(|&it| self.charge[it as usize]).min();
            let Some(cheapest) = cheapest.filter(|&charge| charge > W::ZERO) else {
                return total;
            };
            total = total.plus(cheapest);
            for operator in cut {
                let charge = &mut self.charge[operator as usize];
                *charge = charge.less(cheapest);
            }
        }
        total
    }

    /// Operators on the border of the zone from which the goal is free.
    fn cut(
        &mut self,
        relaxed: &Relaxation<W>,
        explorer: &Explorer<W>,
        state: &[u64],
        goal: u32,
    ) -> Vec<u32> {
        self.in_goal_zone.fill(false);
        self.in_goal_zone[goal as usize] = true;
        let mut open = vec![goal];
        while let Some(literal) = open.pop() {
            for &operator in relaxed.made_by.get(literal) {
                if self.charge[operator as usize] == W::ZERO
                    && let Some(reason) = reason(relaxed, explorer, operator)
                    && !std::mem::replace(&mut self.in_goal_zone[reason as usize], true)
                {
                    open.push(reason);
                }
            }
        }
        self.before.fill(false);
        let mut cut = Vec::new();
        for literal in relaxed.held(state) {
            if !self.in_goal_zone[literal as usize] && !self.before[literal as usize] {
                self.before[literal as usize] = true;
                open.push(literal);
            }
        }
        for &operator in &relaxed.needless {
            self.cross(relaxed, operator, &mut open, &mut cut);
        }
        while let Some(literal) = open.pop() {
            for &operator in relaxed.needed_by.get(literal) {
                if reason(relaxed, explorer, operator) == Some(literal) {
                    self.cross(relaxed, operator, &mut open, &mut cut);
                }
            }
        }
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    /// Follows an operator whose reason lies before the zone.
    fn cross(
        &mut self,
        relaxed: &Relaxation<W>,
        operator: u32,
        open: &mut Vec<u32>,
        cut: &mut Vec<u32>,
    ) {
        for &made in relaxed.makes.get(operator) {
            if self.in_goal_zone[made as usize] {
                cut.push(operator);
            } else if !std::mem::replace(&mut self.before[made as usize], true) {
                open.push(made);
            }
        }
    }
}

/// The dearest literal an operator needs; `None` if it needs none or one that
/// is out of reach.
fn reason<W: Weight>(
    relaxed: &Relaxation<W>,
    explorer: &Explorer<W>,
    operator: u32,
) -> Option<u32> {
    let needs = relaxed.needs.get(operator).iter().copied();
    needs
        .max_by_key(|&literal| (explorer.cost[literal as usize], literal))
        .filter(|&literal| explorer.cost[literal as usize] != W::UNREACHED)
}
