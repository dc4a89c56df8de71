//! Boxes divided where a plan goes wrong.
//!
//! A cheapest plan over boxes is executed. Where an action cannot be executed,
//! or leads to another box than it should, the values from which it would have
//! gone well are divided from the others, and a cheapest plan is looked for
//! again. (Counterexample-guided refinement: Clarke and others 2000; Seipp and
//! Helmert 2018 for planning.) A plan that goes well to the end is a cheapest
//! plan of the problem.
//!
//! What is wanted is a part of the goal, or a value that every plan comes by;
//! each gives boxes of its own.
//!
//! Distances of boxes only grow. So after a division only the boxes are looked
//! at again whose way led through the divided one: from the nearest to the
//! farthest, who finds no way as short as before is an orphan, and so is whoever
//! relied on it; then the orphans are connected anew.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use planoku_engine::{Run, Stop};

use crate::analysis::abstraction::Abstraction;
use crate::analysis::cartesian::{BoxIndex, Cartesian, Transition};
use crate::analysis::finite_problem::FiniteProblem;
use crate::ground::finite::FiniteIndex;

/// No way to the goal.
const UNREACHED: u64 = u64::MAX;

/// What a unit of cost counts, an action counting one besides: of ways that cost
/// the same the one with fewer actions is the shorter, and none is free. There
/// are never as many boxes.
const COST: u64 = 1 << 16;

/// Values that a variable may have.
pub(crate) type Values = (FiniteIndex, Vec<u32>);

/// What boxes are to know the way to.
pub(crate) enum Aim {
    /// All of these.
    All(Vec<Values>),
    /// One of these.
    Any(Vec<Values>),
}

/// When to stop dividing.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) boxes: u32,
    pub(crate) transitions: u64,
    pub(crate) work: u64,
}

/// The problem as boxes see it that were divided until their plan is one, or as
/// far as the limits go. What it cost is in the work.
pub(crate) fn refine(
    problem: &FiniteProblem,
    costs: &[u32],
    aim: &Aim,
    limits: Limits,
    run: &mut Run<'_>,
) -> Result<(Abstraction, u64), Stop> {
    let mut refinement = Refinement::new(problem, costs, aim);
    let mut before = 0;
    loop {
        run.effort(refinement.work() - before)?;
        before = refinement.work();
        let cartesian = &refinement.cartesian;
        let over = cartesian.boxes() >= limits.boxes
            || cartesian.transitions >= limits.transitions
            || before >= limits.work;
        if over || !refinement.improve() {
            break;
        }
    }
    run.effort(8 * refinement.cartesian.transitions)?;
    Ok((refinement.cartesian.finish(), before))
}

struct Refinement<'p> {
    problem: &'p FiniteProblem,
    cartesian: Cartesian<'p>,
    /// What each action costs.
    costs: Vec<u64>,
    /// For each box, how far it is from the goal, and the first step there.
    distances: Vec<u64>,
    steps: Vec<Transition>,
    orphan: Vec<bool>,
    work: u64,
}

impl<'p> Refinement<'p> {
    fn new(problem: &'p FiniteProblem, costs: &[u32], aim: &Aim) -> Refinement<'p> {
        let mut cartesian = Cartesian::new(problem);
        match aim {
            Aim::All(all) => {
                let mut inside = 0;
                for (number, (variable, values)) in (1..).zip(all) {
                    inside = cartesian.divide(inside, *variable, values, number == all.len());
                }
            }
            Aim::Any(any) => {
                for (variable, values) in any {
                    cartesian.divide(0, *variable, values, true);
                }
            }
        }
        let actions = 0..problem.actions();
        let costs = actions.map(|it| u64::from(costs[problem.number(it) as usize]) * COST + 1);
        let boxes = cartesian.boxes() as usize;
        let mut refinement = Refinement {
            costs: costs.collect(),
            distances: vec![UNREACHED; boxes],
            steps: vec![(0, 0); boxes],
            orphan: vec![false; boxes],
            problem,
            cartesian,
            work: 0,
        };
        let goal = &refinement.cartesian.goal;
        let all: Vec<BoxIndex> = (0..boxes as u32).filter(|&it| !goal[it as usize]).collect();
        for number in (0..boxes).filter(|&it| goal[it]) {
            refinement.distances[number] = 0;
        }
        all.iter()
            .for_each(|&it| refinement.orphan[it as usize] = true);
        refinement.connect(all);
        refinement
    }

    fn work(&self) -> u64 {
        self.work + self.cartesian.work
    }

    /// Divides the box where the plan goes wrong; false if it does not, or if
    /// there is none.
    fn improve(&mut self) -> bool {
        let mut values = self.problem.start.clone();
        let mut here = self.cartesian.find(&values);
        loop {
            if self.cartesian.goal[here as usize] || self.distances[here as usize] == UNREACHED {
                return false;
            }
            let (action, there) = self.steps[here as usize];
            if let Some((variable, wanted)) = self.flaw(&values, here, action, there) {
                self.divide(here, variable, &wanted);
                return true;
            }
            for (variable, moves) in self.problem.touched(action) {
                let value = &mut values[variable as usize];
                let after = moves.iter().find(|it| it.0 == *value);
                *value = after.map_or(*value, |it| it.1);
            }
            here = there;
        }
    }

    /// A variable whose value is not one from which the action leads there, and
    /// those that are. Of several the one that has been divided most.
    fn flaw(
        &mut self,
        values: &[u32],
        here: BoxIndex,
        action: u32,
        there: BoxIndex,
    ) -> Option<Values> {
        let mut best: Option<(u64, Values)> = None;
        self.work += values.len() as u64 + 16;
        let mut touched = self.problem.touched(action).peekable();
        for (variable, &value) in (0..).zip(values) {
            let moves = touched.next_if(|it| it.0 == variable).map(|it| it.1);
            let after = match moves {
                Some(moves) => moves.iter().find(|it| it.0 == value).map(|it| it.1),
                None => Some(value),
            };
            if after.is_some_and(|after| self.cartesian.has(there, variable, after)) {
                continue;
            }
            let left = self.cartesian.values(here, variable).count() as u64;
            let share = (left << 20) / u64::from(self.problem.sizes[variable as usize]);
            if best.as_ref().is_none_or(|best| share < best.0) {
                let wanted = self.cartesian.wanted(action, variable, here, there);
                best = Some((share, (variable, wanted)));
            }
        }
        best.map(|best| best.1)
    }

    /// Divides a box and finds distances again.
    fn divide(&mut self, rest: BoxIndex, variable: FiniteIndex, wanted: &[u32]) {
        let new = self.cartesian.divide(rest, variable, wanted, false);
        self.distances.push(self.distances[rest as usize]);
        self.steps.push(self.steps[rest as usize]);
        self.orphan.push(false);
        let mut open = BinaryHeap::new();
        for number in [rest, new] {
            open.push(Reverse((self.distances[number as usize], number)));
            for &(_, from) in &self.cartesian.into[number as usize] {
                if self.steps[from as usize].1 == rest {
                    open.push(Reverse((self.distances[from as usize], from)));
                }
            }
        }
        let mut orphans = Vec::new();
        let mut last = None;
        while let Some(Reverse((distance, number))) = open.pop() {
            if last.replace(number) == Some(number)
                || distance == UNREACHED
                || self.orphan[number as usize]
                || self.holds(number)
            {
                continue;
            }
            self.orphan[number as usize] = true;
            orphans.push(number);
            let into = &self.cartesian.into[number as usize];
            self.work += into.len() as u64;
            for &(_, from) in into {
                if self.steps[from as usize].1 == number && !self.orphan[from as usize] {
                    open.push(Reverse((self.distances[from as usize], from)));
                }
            }
        }
        self.connect(orphans);
    }

    /// Finds a way as short as before, if there is one.
    fn holds(&mut self, number: BoxIndex) -> bool {
        let distance = self.distances[number as usize];
        let out = &self.cartesian.out[number as usize];
        self.work += out.len() as u64;
        let way = out.iter().find(|&&(action, to)| {
            let there = self.distances[to as usize];
            !self.orphan[to as usize]
                && there < distance
                && there + self.costs[action as usize] == distance
        });
        if let Some(&way) = way {
            self.steps[number as usize] = way;
        }
        way.is_some()
    }

    /// Finds the distances of orphans from those of all others.
    fn connect(&mut self, orphans: Vec<BoxIndex>) {
        let mut open = BinaryHeap::new();
        for &number in &orphans {
            let mut best = (UNREACHED, (0, 0));
            let out = &self.cartesian.out[number as usize];
            self.work += out.len() as u64;
            for &(action, to) in out {
                let there = self.distances[to as usize];
                if !self.orphan[to as usize] && there != UNREACHED {
                    let distance = there + self.costs[action as usize];
                    best = best.min((distance, (action, to)));
                }
            }
            (self.distances[number as usize], self.steps[number as usize]) = best;
            if best.0 != UNREACHED {
                open.push(Reverse((best.0, number)));
            }
        }
        while let Some(Reverse((distance, number))) = open.pop() {
            if self.distances[number as usize] != distance {
                continue;
            }
            let into = &self.cartesian.into[number as usize];
            self.work += into.len() as u64;
            for &(action, from) in into {
                let longer = distance + self.costs[action as usize];
                if self.orphan[from as usize] && longer < self.distances[from as usize] {
                    self.distances[from as usize] = longer;
                    self.steps[from as usize] = (action, number);
                    open.push(Reverse((longer, from)));
                }
            }
        }
        for number in orphans {
            self.orphan[number as usize] = false;
        }
    }
}
