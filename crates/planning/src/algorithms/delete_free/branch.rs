//! Which operators a cheapest plan pays for.
//!
//! Where nothing becomes false, order does not matter: a plan is a set of
//! operators from which the goal can be reached. So a node of this search is
//! no state but a decision on operators: some are *bought*, and free from then
//! on; some are *forbidden*. Landmark cuts bound what is still to be paid, and
//! each cut is a set of operators of which one must be bought. The smallest
//! one is tried element by element: buy the first; forbid it and buy the
//! second; and so on, so that no set of operators is ever met twice.
//!
//! A limit on the cost starts at the first bound and rises to the next cost
//! that is possible, so the first plan found is a cheapest one. An operator
//! whose remaining charge alone would go beyond the limit is forbidden at once.

use planoku_engine::{Run, Stop};

use super::cuts::{Cuts, Estimate, NEVER};

/// The search.
pub(super) struct Branch<'a> {
    cuts: &'a mut Cuts,
    /// What operators cost: 0 if bought, [`NEVER`] if forbidden.
    costs: Vec<u64>,
    /// `(operator, cost before)` of all that was bought or forbidden.
    trail: Vec<(u32, u64)>,
    limit: u64,
    /// The least cost beyond the limit that was met.
    next: u64,
}

/// Operators whose purchase makes the goal free, and what they cost together.
#[derive(Debug)]
pub(super) struct Purchase {
    /// The operators that cost something.
    pub bought: Vec<u32>,
    /// Their cost.
    pub cost: u64,
}

/// A set of operators of which one must be bought.
struct Choice {
    cut: Vec<u32>,
    /// How many of them have been tried.
    tried: usize,
    /// The trail and what was paid before the next is bought.
    trail: usize,
    paid: u64,
}

/// What a node comes to.
enum Node {
    /// The goal is free.
    Reached,
    /// It costs more than the limit, or cannot be reached.
    Beyond,
    /// One of these must be bought.
    Open(Vec<u32>),
}

impl<'a> Branch<'a> {
    /// A search over operators of these costs.
    pub fn new(cuts: &'a mut Cuts, costs: Vec<u64>) -> Branch<'a> {
        Branch {
            cuts,
            costs,
            trail: Vec::new(),
            limit: 0,
            next: NEVER,
        }
    }

    /// A cheapest purchase below `bound`, if there is one.
    pub fn cheapest(&mut self, bound: u64, run: &mut Run<'_>) -> Result<Option<Purchase>, Stop> {
        self.limit = self.cuts.estimate(&self.costs, NEVER - 1).total;
        while self.limit < bound {
            self.next = NEVER;
            if let Some(cost) = self.within_limit(run)? {
                let bought = self.trail.iter().map(|&(operator, _)| operator);
                let bought = bought.filter(|&it| self.costs[it as usize] == 0).collect();
                return Ok(Some(Purchase { bought, cost }));
            }
            self.limit = self.next;
        }
        Ok(None)
    }

    /// What a purchase within the limit costs, which the trail then holds.
    fn within_limit(&mut self, run: &mut Run<'_>) -> Result<Option<u64>, Stop> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut paid = 0;
        loop {
            match self.settle(&mut paid, run)? {
                Node::Reached => return Ok(Some(paid)),
                Node::Beyond => {}
                Node::Open(cut) => choices.push(Choice {
                    cut,
                    tried: 0,
                    trail: self.trail.len(),
                    paid,
                }),
            }
            loop {
                let Some(choice) = choices.last_mut() else {
                    self.undo(0);
                    return Ok(None);
                };
                self.undo(choice.trail);
                paid = choice.paid;
                if choice.tried > 0 {
                    self.set(choice.cut[choice.tried - 1], NEVER);
                    choice.trail = self.trail.len();
                }
                if let Some(&operator) = choice.cut.get(choice.tried) {
                    choice.tried += 1;
                    paid += self.buy(operator);
                    break;
                }
                choices.pop();
            }
        }
    }

    /// Bounds a node, and decides what leaves no choice.
    fn settle(&mut self, paid: &mut u64, run: &mut Run<'_>) -> Result<Node, Stop> {
        loop {
            run.tick()?;
            if *paid > self.limit {
                self.next = self.next.min(*paid);
                return Ok(Node::Beyond);
            }
            let limit = self.limit;
            run.progress("delete-free", || Some(limit));
            let Estimate { total, mut cuts } = self.cuts.estimate(&self.costs, self.limit - *paid);
            run.effort((cuts.len() as u64 + 1) * self.costs.len() as u64)?;
            if total == NEVER {
                return Ok(Node::Beyond);
            }
            let total = *paid + total;
            if total > self.limit {
                self.next = self.next.min(total);
                return Ok(Node::Beyond);
            }
            if cuts.is_empty() {
                return Ok(Node::Reached);
            }
            let forbade = self.forbid_dear(total);
            let mut forced = false;
            for cut in &mut cuts {
                cut.retain(|&operator| self.costs[operator as usize] != NEVER);
                match cut[..] {
                    [] => return Ok(Node::Beyond),
                    [only] => {
                        *paid += self.buy(only);
                        forced = true;
                    }
                    _ => {}
                }
            }
            if !forced && !forbade {
                let smallest = cuts.into_iter().min_by_key(Vec::len).unwrap_or_default();
                return Ok(Node::Open(smallest));
            }
        }
    }

    /// Forbids operators that cannot be paid within the limit beside what is
    /// to be paid anyway. True if there are any.
    fn forbid_dear(&mut self, total: u64) -> bool {
        let before = self.trail.len();
        for operator in 0..self.costs.len() as u32 {
            let charge = self.cuts.charge[operator as usize];
            let undecided = !matches!(self.costs[operator as usize], 0 | NEVER);
            if undecided && total + charge > self.limit {
                self.next = self.next.min(total + charge);
                self.set(operator, NEVER);
            }
        }
        self.trail.len() > before
    }

    /// Buys an operator; answers what it costs, 0 if it is bought already.
    fn buy(&mut self, operator: u32) -> u64 {
        let cost = self.costs[operator as usize];
        if cost > 0 {
            self.set(operator, 0);
        }
        cost
    }

    fn set(&mut self, operator: u32, cost: u64) {
        self.trail.push((operator, self.costs[operator as usize]));
        self.costs[operator as usize] = cost;
    }

    fn undo(&mut self, length: usize) {
        for (operator, cost) in self.trail.drain(length..).rev() {
            self.costs[operator as usize] = cost;
        }
    }
}
