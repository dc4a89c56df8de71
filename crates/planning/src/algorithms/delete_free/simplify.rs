//! The same problem, smaller.
//!
//! Each rule below keeps the cost of a cheapest plan, or moves a part of it
//! that every cheapest plan pays into a constant. With the *landmarks* of an
//! operator we mean facts that hold whenever it can be executed.
//!
//! - What cannot be reached, and what nobody needs, is dropped.
//! - What costs nothing and can be done is done at once.
//! - An operator does not count as adding its own landmarks.
//! - An operator is dropped if another can be executed instead of it, costs no
//!   more and leaves as much true.
//! - If the goal needs a fact, and of those who make it none adds anything
//!   after another, then exactly one of them is used: what the cheapest of
//!   them costs is paid at once, and all become cheaper by as much.
//!
//! The first four are those of Gefen and Brafman ("Pruning methods for optimal
//! delete-free planning", 2012) and of Imai and Fukunaga ("On a practical,
//! integer-linear programming model for delete-free tasks", 2015).

use planoku_engine::{Run, Stop};

use super::problem::{Operator, Problem};
use crate::state::states::{has, ones};

/// What is left of a problem.
pub(super) struct Simplified {
    /// Operators by their place in the original problem, what each still
    /// costs, with trimmed lists.
    pub operators: Vec<(usize, Operator)>,
    /// What must still be reached.
    pub goal: Vec<u32>,
    /// What every cheapest plan pays besides.
    pub paid: u64,
    /// Operators that were done at once, by their place.
    pub done: Vec<usize>,
    /// Facts that every plan makes true.
    pub landmarks: Vec<u32>,
    /// Facts are numbered below this.
    pub facts: usize,
}

/// Simplifies until nothing changes; `None` if the goal cannot be reached.
pub(super) fn simplify(problem: &Problem, run: &mut Run<'_>) -> Result<Option<Simplified>, Stop> {
    let operators = problem.operators.iter().cloned().enumerate().collect();
    let mut simple = Simplified {
        operators,
        goal: problem.goal.clone(),
        paid: 0,
        done: Vec::new(),
        landmarks: Vec::new(),
        facts: problem.facts,
    };
    loop {
        // Cheap rules first: they leave little for the others.
        loop {
            let before = simple.size();
            run.effort(1 + before.1 as u64)?;
            simple.drop_own_needs();
            if !simple.do_what_is_free() {
                return Ok(None);
            }
            simple.drop_irrelevant();
            if simple.size() == before {
                break;
            }
        }
        let before = (simple.size(), simple.paid);
        let landmarks = simple.landmarks_of_facts(run)?;
        simple.drop_own_landmarks(&landmarks);
        simple.drop_dominated(&landmarks, run)?;
        simple.charge_landmarks(&landmarks);
        if (simple.size(), simple.paid) == before {
            return Ok(Some(simple));
        }
    }
}

/// Facts that hold whenever a fact does, itself included; a row of bits each.
struct Landmarks {
    words: usize,
    rows: Vec<u64>,
}

impl Landmarks {
    fn of(&self, fact: u32) -> &[u64] {
        let start = fact as usize * self.words;
        &self.rows[start..start + self.words]
    }

    /// What holds whenever the operator can be executed.
    fn before(&self, operator: &Operator) -> Vec<u64> {
        let mut row = vec![0; self.words];
        for &need in &operator.needs {
            for (word, other) in row.iter_mut().zip(self.of(need)) {
                *word |= other;
            }
        }
        row
    }
}

impl Simplified {
    /// Shrinks whenever a rule of the cheap kind did something.
    fn size(&self) -> (usize, usize) {
        let lists = (self.operators.iter()).map(|(_, it)| it.needs.len() + it.adds.len());
        (self.operators.len(), lists.sum())
    }

    fn drop_own_needs(&mut self) {
        self.operators.retain_mut(|(_, operator)| {
            let needs = &operator.needs;
            (operator.adds).retain(|fact| needs.binary_search(fact).is_err());
            !operator.adds.is_empty()
        });
    }

    /// Facts that can be reached by operators up to a cost.
    fn closure(&self, most: u64, executed: &mut Vec<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.facts];
        let mut left: Vec<usize> = Vec::with_capacity(self.operators.len());
        let mut needed_by = vec![Vec::new(); self.facts];
        let mut open: Vec<usize> = Vec::new();
        for (place, (_, operator)) in self.operators.iter().enumerate() {
            left.push(operator.needs.len());
            if operator.cost > most {
                continue;
            }
            if operator.needs.is_empty() {
                open.push(place);
            }
            for &need in &operator.needs {
                needed_by[need as usize].push(place);
            }
        }
        while let Some(place) = open.pop() {
            executed.push(place);
            for &fact in &self.operators[place].1.adds {
                if !std::mem::replace(&mut reached[fact as usize], true) {
                    for &next in &needed_by[fact as usize] {
                        left[next] -= 1;
                        if left[next] == 0 {
                            open.push(next);
                        }
                    }
                }
            }
        }
        reached
    }

    /// Executes what costs nothing and drops what can never be executed;
    /// false if the goal cannot be reached.
    fn do_what_is_free(&mut self) -> bool {
        let mut executed = Vec::new();
        let reached = self.closure(u64::MAX, &mut executed);
        if !self.goal.iter().all(|&fact| reached[fact as usize]) {
            return false;
        }
        let mut executable = vec![false; self.operators.len()];
        executed.iter().for_each(|&place| executable[place] = true);
        let mut free = Vec::new();
        let holds = self.closure(0, &mut free);
        let numbers = free.iter().map(|&place| self.operators[place].0);
        self.done.extend(numbers);
        free.iter().for_each(|&place| executable[place] = false);
        let open = |list: &mut Vec<u32>| list.retain(|&fact| !holds[fact as usize]);
        let mut place = 0;
        self.operators.retain_mut(|(_, operator)| {
            place += 1;
            open(&mut operator.needs);
            open(&mut operator.adds);
            executable[place - 1] && !operator.adds.is_empty()
        });
        open(&mut self.goal);
        true
    }

    fn drop_irrelevant(&mut self) {
        let mut relevant = vec![false; self.facts];
        let mut makers = vec![Vec::new(); self.facts];
        for (place, (_, operator)) in self.operators.iter().enumerate() {
            for &fact in &operator.adds {
                makers[fact as usize].push(place);
            }
        }
        let mut open = self.goal.clone();
        open.iter().for_each(|&fact| relevant[fact as usize] = true);
        while let Some(fact) = open.pop() {
            for place in std::mem::take(&mut makers[fact as usize]) {
                for &need in &self.operators[place].1.needs {
                    if !std::mem::replace(&mut relevant[need as usize], true) {
                        open.push(need);
                    }
                }
            }
        }
        self.operators.retain_mut(|(_, operator)| {
            operator.adds.retain(|&fact| relevant[fact as usize]);
            !operator.adds.is_empty()
        });
    }

    /// The greatest fixed point of "a fact's landmarks are itself and what all
    /// who make it share".
    fn landmarks_of_facts(&self, run: &mut Run<'_>) -> Result<Landmarks, Stop> {
        let words = self.facts.div_ceil(64).max(1);
        run.check_memory((self.facts * words * 8) as u64)?;
        let mut landmarks = Landmarks {
            words,
            rows: vec![u64::MAX; self.facts * words],
        };
        let mut needed_by = vec![Vec::new(); self.facts];
        for (place, (_, operator)) in self.operators.iter().enumerate() {
            for &need in &operator.needs {
                needed_by[need as usize].push(place);
            }
        }
        let mut queued = vec![true; self.operators.len()];
        let mut queue: std::collections::VecDeque<usize> = (0..self.operators.len()).collect();
        while let Some(place) = queue.pop_front() {
            queued[place] = false;
            let operator = &self.operators[place].1;
            run.effort((words * (operator.needs.len() + operator.adds.len())) as u64)?;
            let before = landmarks.before(operator);
            for &fact in &operator.adds {
                let start = fact as usize * words;
                let row = &mut landmarks.rows[start..start + words];
                let mut changed = false;
                for (at, (word, with)) in row.iter_mut().zip(&before).enumerate() {
                    let own = if fact as usize / 64 == at {
                        1 << (fact % 64)
                    } else {
                        0
                    };
                    let next = *word & (with | own);
                    changed |= next != *word;
                    *word = next;
                }
                if changed {
                    for &next in &needed_by[fact as usize] {
                        if !std::mem::replace(&mut queued[next], true) {
                            queue.push_back(next);
                        }
                    }
                }
            }
        }
        Ok(landmarks)
    }

    fn drop_own_landmarks(&mut self, landmarks: &Landmarks) {
        self.operators.retain_mut(|(_, operator)| {
            let before = landmarks.before(operator);
            operator.adds.retain(|&fact| !has(&before, fact));
            !operator.adds.is_empty()
        });
    }

    fn makers(&self) -> Vec<Vec<usize>> {
        let mut makers = vec![Vec::new(); self.facts];
        for (place, (_, operator)) in self.operators.iter().enumerate() {
            for &fact in &operator.adds {
                makers[fact as usize].push(place);
            }
        }
        makers
    }

    fn drop_dominated(&mut self, landmarks: &Landmarks, run: &mut Run<'_>) -> Result<(), Stop> {
        let makers = self.makers();
        let before: Vec<Vec<u64>> = (self.operators.iter())
            .map(|(_, operator)| landmarks.before(operator))
            .collect();
        let mut alive = vec![true; self.operators.len()];
        for (place, (_, operator)) in self.operators.iter().enumerate() {
            let rarest = (operator.adds.iter()).min_by_key(|&&fact| makers[fact as usize].len());
            let rivals = rarest.map_or(&[][..], |&fact| &makers[fact as usize]);
            run.effort(1 + rivals.len() as u64)?;
            let dominated = rivals.iter().any(|&other| {
                let rival = &self.operators[other].1;
                other != place
                    && alive[other]
                    && rival.cost <= operator.cost
                    && rival.needs.iter().all(|&need| has(&before[place], need))
                    && leaves(rival, &before[other], operator)
            });
            alive[place] = !dominated;
        }
        let mut place = 0;
        self.operators.retain(|_| {
            place += 1;
            alive[place - 1]
        });
        Ok(())
    }

    fn charge_landmarks(&mut self, landmarks: &Landmarks) {
        let mut wanted = vec![0; landmarks.words];
        for &fact in &self.goal {
            for (word, other) in wanted.iter_mut().zip(landmarks.of(fact)) {
                *word |= other;
            }
        }
        self.landmarks = ones(&wanted)
            .filter(|&fact| (fact as usize) < self.facts)
            .collect();
        let makers = self.makers();
        for &fact in &self.landmarks {
            let group = &makers[fact as usize];
            let least = group
                .iter()
                .map(|&place| self.operators[place].1.cost)
                .min();
            let Some(least) = least.filter(|&least| least > 0) else {
                continue;
            };
            let before: Vec<Vec<u64>> = (group.iter())
                .map(|&place| landmarks.before(&self.operators[place].1))
                .collect();
            let one_is_enough = group.iter().zip(&before).all(|(&one, before)| {
                let one = &self.operators[one].1;
                (group.iter()).all(|&other| leaves(one, before, &self.operators[other].1))
            });
            if one_is_enough {
                self.paid += least;
                for &place in group {
                    self.operators[place].1.cost -= least;
                }
            }
        }
    }
}

/// True if nothing that `other` adds is missing after `operator`.
fn leaves(operator: &Operator, before: &[u64], other: &Operator) -> bool {
    (other.adds.iter()).all(|fact| has(before, *fact) || operator.adds.binary_search(fact).is_ok())
}
