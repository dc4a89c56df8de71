//! Landmark cuts: an admissible estimate from disjoint sets of unavoidable
//! operators.
//!
//! While the goal still costs something under the maximum heuristic, find a
//! set of operators of which every relaxed plan uses one, charge the estimate
//! with the cheapest of them, and lower the charge of all in the set by as
//! much. Helmert and Domshlak, "Landmarks, critical paths and abstractions"
//! (2009). Applied to the relaxation with tasks inside it is admissible for
//! hierarchical plans as well.
//!
//! A cut lowers few charges, so costs are found once for a state and after
//! that only lowered, from the operators of the cut onwards. Each operator
//! remembers its reason, the dearest literal it needs: the paths from literals
//! over reasons are what is cut.

use crate::analysis::buckets::Buckets;
use crate::analysis::charge::Weight;
use crate::analysis::relax::Relaxation;
use crate::heuristics::relaxed::{Reach, Reading, finite};
use crate::heuristics::times::Times;

/// Links between literals and operators that one estimate may look at, about.
/// What the cuts found so far add up to is admissible at any time, and nobody
/// hears a signal in the middle of an estimate.
const MOST_WORK: u64 = 4_000_000;

const NONE: u32 = u32::MAX;

/// An operator while cuts are made.
#[derive(Clone, Copy)]
struct Operator<W> {
    /// What is left of its charge.
    charge: W,
    /// How many needs were not reached.
    missing: u32,
    /// The dearest literal it needs; `NONE` if it needs none, or one that is
    /// out of reach.
    reason: u32,
    /// What its reason costs.
    from: W,
}

/// Working space for landmark cuts.
pub(super) struct LmCut<W> {
    operators: Vec<Operator<W>>,
    /// What each literal costs.
    costs: Vec<W>,
    queue: Buckets<W>,
    /// For each literal, the round in which it was found in the goal's zone
    /// (even numbers) or before it (odd ones).
    marks: Vec<u32>,
    round: u32,
    /// For each goal, how often it was the dearest.
    chosen: Vec<u32>,
    open: Vec<u32>,
    cut: Vec<u32>,
    /// The cuts of the state that others follow from.
    parent: Cuts<W>,
    charges: Vec<W>,
    times: Times,
    /// What was read last.
    read: W,
    work: u64,
}

/// The cuts of a state.
struct Cuts<W> {
    /// The operators of all, one cut after the other.
    operators: Vec<u32>,
    /// Where each ends, and what it adds to the estimate.
    ends: Vec<(usize, W)>,
    /// What they leave of each operator's charge.
    left: Vec<W>,
}

impl<W: Weight> Reading<W> for LmCut<W> {
    fn new(relaxed: &Relaxation<W>) -> LmCut<W> {
        LmCut {
            operators: Vec::new(),
            costs: Vec::new(),
            queue: Buckets::new(),
            marks: vec![0; relaxed.literals],
            round: 0,
            chosen: Vec::new(),
            open: Vec::new(),
            cut: Vec::new(),
            parent: Cuts {
                operators: Vec::new(),
                ends: Vec::new(),
                left: Vec::new(),
            },
            charges: Vec::new(),
            times: Times::default(),
            read: W::ZERO,
            work: 0,
        }
    }

    fn read(&mut self, at: &mut Reach<'_, W>) -> Option<u128> {
        let (state, goals, counts) = (at.state, at.goals, at.counts);
        let (relaxed, explorer) = at.base();
        self.work = 0;
        self.parent.operators.clear();
        self.parent.ends.clear();
        self.charges.clone_from(&relaxed.charge);
        self.explore(relaxed, counts, state);
        self.times.begin(relaxed);
        let certain = self.pay_for_certain(relaxed, goals);
        let estimate = self.add_cuts(relaxed, state, goals, certain, true);
        self.read = estimate;
        let left = self.operators.iter().map(|operator| operator.charge);
        self.parent.left.clear();
        self.parent.left.extend(left);
        explorer.add_work(self.work);
        finite(estimate)
    }

    /// Cuts that no action of these is in are still unavoidable, and so are all
    /// after a method, which is free: what it needs costs what the cuts leave of
    /// the charges.
    fn guess(&self, relaxed: &Relaxation<W>, actions: &[u32], methods: &[u32]) -> Option<W> {
        if self.read == W::UNREACHED {
            return None;
        }
        let mut guess = self.read;
        // Each time it is executed, for it may have been paid for as often.
        for &action in actions {
            let left = self.operators[action as usize].charge;
            guess = guess.less(relaxed.charge[action as usize].less(left));
        }
        if !actions.is_empty() {
            return Some(guess);
        }
        let needs = methods.iter().flat_map(|&it| relaxed.needs.get(it));
        let dearest = needs.map(|&it| self.cost(it)).max().unwrap_or(W::ZERO);
        Some(match dearest == W::UNREACHED {
            true => W::UNREACHED,
            false => guess.plus(dearest),
        })
    }

    /// What an operator is not in is unavoidable after it as it was before: only
    /// the other cuts have to be found anew. (Pommerening and Helmert,
    /// "Incremental LM-cut", 2013.)
    fn read_after(&mut self, at: &mut Reach<'_, W>, operator: u32) -> Option<u128> {
        let (state, goals, counts) = (at.state, at.goals, at.counts);
        let (relaxed, explorer) = at.base();
        self.work = self.parent.operators.len() as u64;
        self.charges.clone_from(&self.parent.left);
        let (mut total, mut start) = (W::ZERO, 0);
        for &(end, cheapest) in &self.parent.ends {
            let cut = &self.parent.operators[start..end];
            start = end;
            if cut.contains(&operator) {
                for &member in cut {
                    let charge = &mut self.charges[member as usize];
                    *charge = charge.plus(cheapest);
                }
            } else {
                total = total.plus(cheapest);
            }
        }
        self.explore(relaxed, counts, state);
        let estimate = self.add_cuts(relaxed, state, goals, total, false);
        explorer.add_work(self.work);
        finite(estimate)
    }
}

impl<W: Weight> LmCut<W> {
    /// The estimate for reaching all of `goals` from an explored state, given
    /// what other cuts amount to; [`Weight::UNREACHED`] if that cannot be done.
    fn add_cuts(
        &mut self,
        relaxed: &Relaxation<W>,
        state: &[u64],
        goals: &[u32],
        mut total: W,
        kept: bool,
    ) -> W {
        self.chosen.clear();
        self.chosen.resize(goals.len(), 0);
        // Cuts are disjoint, so the total is never more than all charges.
        while self.work < MOST_WORK {
            // Of goals that are equally dear the one that was cut least: its
            // neighbourhood has not been charged for yet.
            let dearest = (0..goals.len()).max_by_key(|&place| {
                let again = std::cmp::Reverse(self.chosen[place]);
                (self.cost(goals[place]), again)
            });
            let dearest = dearest.filter(|&place| self.cost(goals[place]) > W::ZERO);
            let Some(place) = dearest else {
                return total;
            };
            if self.cost(goals[place]) == W::UNREACHED {
                return W::UNREACHED;
            }
            self.chosen[place] += 1;
            self.find_cut(relaxed, state, goals[place]);
            let charges = self.cut.iter();
            let charges = charges.map(|&it| self.operators[it as usize].charge);
            let Some(cheapest) = charges.min().filter(|&charge| charge > W::ZERO) else {
                return total;
            };
            total = total.plus(cheapest.times(self.times_of_cut(relaxed, goals)));
            if kept {
                self.parent.operators.extend_from_slice(&self.cut);
                let end = self.parent.operators.len();
                self.parent.ends.push((end, cheapest));
            }
            self.lower(relaxed, cheapest);
        }
        total
    }

    /// Pays for actions that have to be executed, as often as they have; from now
    /// on they are free. That is the cut of the action alone, which no other can
    /// better.
    fn pay_for_certain(&mut self, relaxed: &Relaxation<W>, goals: &[u32]) -> W {
        let mut total = W::ZERO;
        for &goal in goals {
            let Some(action) = relaxed.executes(goal) else {
                continue;
            };
            let charge = self.operators[action as usize].charge;
            if charge > W::ZERO {
                self.cut.clear();
                self.cut.push(action);
                total = total.plus(charge.times(self.times_of_cut(relaxed, goals)));
                self.lower(relaxed, charge);
            }
        }
        total
    }

    /// How often the cut has to be crossed.
    fn times_of_cut(&mut self, relaxed: &Relaxation<W>, goals: &[u32]) -> u32 {
        if !goals.iter().any(|&goal| relaxed.is_done(goal)) {
            return 1;
        }
        let operators = &self.operators;
        let usable = |method: u32| operators[method as usize].missing == 0;
        let times = self.times.count(relaxed, &self.cut, goals, usable);
        self.work += std::mem::take(&mut self.times.work);
        times
    }

    #[inline]
    fn cost(&self, literal: u32) -> W {
        self.costs[literal as usize]
    }

    /// The cost of every literal, the maximum over needs, from a state. Counts
    /// of needs say which operators there are, if not all of them.
    fn explore(&mut self, relaxed: &Relaxation<W>, counts: Option<&[u32]>, state: &[u64]) {
        self.costs.clear();
        self.costs.resize(relaxed.literals, W::UNREACHED);
        self.operators.clear();
        let counts = counts.unwrap_or(&relaxed.need_count);
        let charges = self.charges.iter().zip(counts);
        self.operators
            .extend(charges.map(|(&charge, &missing)| Operator {
                charge,
                missing,
                reason: NONE,
                from: W::ZERO,
            }));
        self.work += (relaxed.literals + relaxed.charge.len()) as u64 / 8;
        self.queue.clear();
        for literal in relaxed.held(state) {
            self.reach(literal, W::ZERO);
        }
        for &operator in &relaxed.needless {
            if self.operators[operator as usize].missing == 0 {
                self.fire(relaxed, operator);
            }
        }
        while let Some((cost, literal)) = self.queue.pop() {
            if self.cost(literal) != cost {
                continue;
            }
            let needed_by = relaxed.needed_by.get(literal);
            self.work += 1 + needed_by.len() as u64;
            for &number in needed_by {
                let operator = &mut self.operators[number as usize];
                operator.missing -= 1;
                if operator.missing == 0 {
                    // Literals come in ascending order: the last is the dearest.
                    (operator.reason, operator.from) = (literal, cost);
                    self.fire(relaxed, number);
                }
            }
        }
    }

    /// Reaches what an operator makes true.
    #[inline]
    fn fire(&mut self, relaxed: &Relaxation<W>, operator: u32) {
        let Operator { charge, from, .. } = self.operators[operator as usize];
        let cost = from.plus(charge);
        let makes = relaxed.makes.get(operator);
        self.work += makes.len() as u64;
        for &literal in makes {
            self.reach(literal, cost);
        }
    }

    #[inline]
    fn reach(&mut self, literal: u32, cost: W) {
        let known = &mut self.costs[literal as usize];
        if cost < *known {
            *known = cost;
            self.queue.push(cost, literal);
        }
    }

    /// Lowers the charges of the cut by as much, and all costs that follow.
    fn lower(&mut self, relaxed: &Relaxation<W>, by: W) {
        for number in std::mem::take(&mut self.cut) {
            let operator = &mut self.operators[number as usize];
            operator.charge = operator.charge.less(by);
            self.fire(relaxed, number);
        }
        while let Some((cost, literal)) = self.queue.pop() {
            if self.cost(literal) != cost {
                continue;
            }
            let needed_by = relaxed.needed_by.get(literal);
            self.work += 1 + needed_by.len() as u64;
            for &number in needed_by {
                let operator = self.operators[number as usize];
                if operator.reason == literal && operator.from > cost {
                    self.find_reason(relaxed, number);
                    if self.operators[number as usize].from != operator.from {
                        self.fire(relaxed, number);
                    }
                }
            }
        }
    }

    /// Finds the reason of an operator anew.
    fn find_reason(&mut self, relaxed: &Relaxation<W>, number: u32) {
        let needs = relaxed.needs.get(number);
        self.work += needs.len() as u64;
        // Of equals the first.
        let needs = needs.iter().copied().rev();
        let dearest = needs.max_by_key(|&it| self.cost(it));
        if let Some(reason) = dearest {
            let from = self.cost(reason);
            let operator = &mut self.operators[number as usize];
            (operator.reason, operator.from) = (reason, from);
        }
    }

    /// Operators on the border of the zone from which the goal is free.
    fn find_cut(&mut self, relaxed: &Relaxation<W>, state: &[u64], goal: u32) {
        if self.round >= u32::MAX - 4 {
            self.marks.fill(0);
            self.round = 0;
        }
        self.round += 2;
        let (zone, before) = (self.round, self.round + 1);
        let mut open = std::mem::take(&mut self.open);
        self.marks[goal as usize] = zone;
        open.push(goal);
        while let Some(literal) = open.pop() {
            let made_by = relaxed.made_by.get(literal);
            self.work += made_by.len() as u64;
            for &number in made_by {
                let Operator { charge, reason, .. } = self.operators[number as usize];
                if charge == W::ZERO
                    && reason != NONE
                    && std::mem::replace(&mut self.marks[reason as usize], zone) != zone
                {
                    open.push(reason);
                }
            }
        }
        self.cut.clear();
        for &operator in &relaxed.needless {
            if self.operators[operator as usize].missing == 0 {
                self.cross(relaxed, operator, &mut open);
            }
        }
        for literal in relaxed.held(state) {
            if self.marks[literal as usize] < zone {
                self.marks[literal as usize] = before;
                open.push(literal);
            }
        }
        while let Some(literal) = open.pop() {
            let needed_by = relaxed.needed_by.get(literal);
            self.work += needed_by.len() as u64;
            for &number in needed_by {
                if self.operators[number as usize].reason == literal {
                    self.cross(relaxed, number, &mut open);
                }
            }
        }
        self.open = open;
    }

    /// Follows an operator whose reason lies before the zone: into the cut, or
    /// on to what it makes true.
    fn cross(&mut self, relaxed: &Relaxation<W>, operator: u32, open: &mut Vec<u32>) {
        let (zone, before) = (self.round, self.round + 1);
        let makes = relaxed.makes.get(operator);
        self.work += makes.len() as u64;
        // Ways over what else it makes true have paid for it already.
        if makes.iter().any(|&it| self.marks[it as usize] == zone) {
            self.cut.push(operator);
            return;
        }
        for &made in makes {
            if std::mem::replace(&mut self.marks[made as usize], before) != before {
                open.push(made);
            }
        }
    }
}
