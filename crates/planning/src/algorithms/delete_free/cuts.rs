//! Landmark cuts that remember.
//!
//! The estimate of `lmcut` on a problem that never changes but for what its
//! operators cost: sets of operators of which every plan uses one, found in
//! the maximum heuristic. Two things differ. Operators count how many of their
//! needs are missing instead of looking them up, and after each cut only those
//! costs are computed anew that the cut has lowered. And the sets that are
//! known beforehand, the makers of a fact that every plan needs, are charged
//! before any cut is looked for.
//!
//! Helmert and Domshlak, "Landmarks, critical paths and abstractions" (2009).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::analysis::relax::Lists;

/// An operator that may not be used, and what cannot be reached.
pub(super) const NEVER: u64 = u64::MAX;
const NONE: u32 = u32::MAX;

/// A problem prepared for cuts. The last fact but one always holds; the last
/// operator needs the goal and makes the last fact.
pub(super) struct Cuts {
    needs: Lists,
    adds: Lists,
    needed_by: Lists,
    made_by: Lists,
    start: u32,
    end: u32,
    /// Sets of operators known beforehand.
    known: Vec<Vec<u32>>,
    /// What each operator is still charged with.
    pub charge: Vec<u64>,
    /// Per fact, its cost under the maximum heuristic.
    cost: Vec<u64>,
    left: Vec<u32>,
    /// Per operator, its dearest need, or none while it cannot be executed.
    reason: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Per fact: the goal costs nothing from here.
    zone: Vec<bool>,
    before: Vec<bool>,
}

/// What every plan still has to pay.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate {
    /// At least this much; [`NEVER`] if there is no plan.
    pub total: u64,
    /// Of each of these sets every plan uses one; none of them is free.
    pub cuts: Vec<Vec<u32>>,
}

impl Cuts {
    /// `needs` and `adds` of each operator over facts below `facts`, the goal,
    /// and facts that every plan makes true.
    pub fn new(
        facts: usize,
        operators: &[(&[u32], &[u32])],
        goal: &[u32],
        landmarks: &[u32],
    ) -> Cuts {
        let (start, end) = (facts as u32, facts as u32 + 1);
        let (mut needs, mut adds) = (Lists::new(), Lists::new());
        let or_start = |list: &[u32]| match list.is_empty() {
            true => vec![start],
            false => list.to_vec(),
        };
        for (need, add) in operators {
            needs.push(or_start(need));
            adds.push(add.iter().copied());
        }
        needs.push(or_start(goal));
        adds.push([end]);
        let count = operators.len() + 1;
        let (needed_by, made_by) = (needs.inverted(facts + 2), adds.inverted(facts + 2));
        let mut known: Vec<Vec<u32>> = (landmarks.iter())
            .map(|&fact| made_by.get(fact).to_vec())
            .collect();
        known.sort_by_key(Vec::len);
        Cuts {
            needs,
            adds,
            needed_by,
            made_by,
            start,
            end,
            known,
            charge: Vec::new(),
            cost: vec![NEVER; facts + 2],
            left: vec![0; count],
            reason: vec![NONE; count],
            queue: BinaryHeap::new(),
            zone: vec![false; facts + 2],
            before: vec![false; facts + 2],
        }
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> u64 {
        (self.cost.len() * 10 + self.left.len() * 16) as u64
    }

    /// What every plan pays at least if operators cost this much. Stops early
    /// once it is more than `enough`.
    pub fn estimate(&mut self, costs: &[u64], enough: u64) -> Estimate {
        self.charge.clear();
        self.charge.extend_from_slice(costs);
        self.charge.push(0);
        let mut estimate = Estimate::default();
        self.charge_known(&mut estimate);
        self.explore();
        while estimate.total <= enough {
            match self.cost[self.end as usize] {
                NEVER => {
                    estimate.total = NEVER;
                    return estimate;
                }
                0 => return estimate,
                _ => {}
            }
            let cut = self.cut();
            let least = cut.iter().map(|&it| self.charge[it as usize]).min();
            let Some(least) = least.filter(|&least| least > 0) else {
                return estimate;
            };
            estimate.total = estimate.total.saturating_add(least);
            for &operator in &cut {
                self.charge[operator as usize] -= least;
            }
            self.explore_again(&cut);
            estimate.cuts.push(cut);
        }
        estimate
    }

    fn charge_known(&mut self, estimate: &mut Estimate) {
        let charge = &mut self.charge;
        for set in &self.known {
            let usable = set.iter().filter(|&&it| charge[it as usize] != NEVER);
            let least = usable.clone().map(|&it| charge[it as usize]).min();
            if let Some(least) = least.filter(|&least| least > 0) {
                let cut: Vec<u32> = usable.copied().collect();
                cut.iter().for_each(|&it| charge[it as usize] -= least);
                estimate.total = estimate.total.saturating_add(least);
                estimate.cuts.push(cut);
            }
        }
    }

    /// The maximum heuristic from nothing.
    fn explore(&mut self) {
        self.cost.fill(NEVER);
        self.reason.fill(NONE);
        for (operator, left) in self.left.iter_mut().enumerate() {
            *left = self.needs.get(operator as u32).len() as u32;
        }
        self.cost[self.start as usize] = 0;
        self.queue.push(Reverse((0, self.start)));
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if cost > self.cost[fact as usize] {
                continue;
            }
            for &operator in self.needed_by.get(fact) {
                let left = &mut self.left[operator as usize];
                *left -= 1;
                let charge = self.charge[operator as usize];
                if *left == 0 && charge != NEVER {
                    // Facts come by cost, so the last need is the dearest.
                    self.reason[operator as usize] = fact;
                    for &made in self.adds.get(operator) {
                        lower(&mut self.cost, &mut self.queue, made, cost + charge);
                    }
                }
            }
        }
    }

    /// The same after some operators have become cheaper.
    fn explore_again(&mut self, cheaper: &[u32]) {
        for &operator in cheaper {
            let from = self.cost[self.reason[operator as usize] as usize];
            for &made in self.adds.get(operator) {
                let cost = from + self.charge[operator as usize];
                lower(&mut self.cost, &mut self.queue, made, cost);
            }
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if cost > self.cost[fact as usize] {
                continue;
            }
            for &operator in self.needed_by.get(fact) {
                if self.reason[operator as usize] != fact {
                    continue;
                }
                // Its dearest need has become cheaper: which is it now?
                let mut dearest = fact;
                for &need in self.needs.get(operator) {
                    if self.cost[need as usize] > self.cost[dearest as usize] {
                        dearest = need;
                    }
                }
                self.reason[operator as usize] = dearest;
                let from = self.cost[dearest as usize];
                for &made in self.adds.get(operator) {
                    let cost = from + self.charge[operator as usize];
                    lower(&mut self.cost, &mut self.queue, made, cost);
                }
            }
        }
    }

    /// Operators on the border of the zone from which the goal is free.
    fn cut(&mut self) -> Vec<u32> {
        self.zone.fill(false);
        self.zone[self.end as usize] = true;
        let mut open = vec![self.end];
        while let Some(fact) = open.pop() {
            for &operator in self.made_by.get(fact) {
                let reason = self.reason[operator as usize];
                if self.charge[operator as usize] == 0
                    && reason != NONE
                    && !std::mem::replace(&mut self.zone[reason as usize], true)
                {
                    open.push(reason);
                }
            }
        }
        self.before.fill(false);
        self.before[self.start as usize] = true;
        let mut cut = Vec::new();
        open.push(self.start);
        while let Some(fact) = open.pop() {
            for &operator in self.needed_by.get(fact) {
                if self.reason[operator as usize] != fact {
                    continue;
                }
                let adds = self.adds.get(operator);
                if adds.iter().any(|&made| self.zone[made as usize]) {
                    cut.push(operator);
                    continue;
                }
                for &made in adds {
                    if !std::mem::replace(&mut self.before[made as usize], true) {
                        open.push(made);
                    }
                }
            }
        }
        cut
    }
}

fn lower(cost: &mut [u64], queue: &mut BinaryHeap<Reverse<(u64, u32)>>, fact: u32, to: u64) {
    if to < cost[fact as usize] {
        cost[fact as usize] = to;
        queue.push(Reverse((to, fact)));
    }
}
