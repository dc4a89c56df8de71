//! Landmarks of a classical problem, counted along the way.
//!
//! What has not been reached yet counts, and what has been reached, was lost
//! and is needed again (Richter and Westphal, "The LAMA planner", 2010).

use std::sync::Arc;

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::analysis::relax::{Origin, Relaxation};
use crate::ground::ActionIndex;
use crate::instance::Instance;
use crate::state::states::{has, ones, set};

const NONE: u32 = u32::MAX;

/// A landmark to be counted.
struct Landmark {
    fact: u32,
    /// Whether the fact must hold, or must not.
    holds: bool,
    is_goal: bool,
    /// Landmarks that hold right before this one is reached.
    before: Vec<u32>,
}

/// Counts open landmarks along the way of a search over states.
pub(crate) struct Count {
    relaxed: Arc<Relaxation>,
    list: Vec<Landmark>,
    /// For each literal, its landmark or `NONE`.
    of_literal: Vec<u32>,
    words: usize,
    /// For each state, the landmarks reached on the way to it.
    reached: Vec<u64>,
}

impl Count {
    /// The landmarks of a classical problem; the goals alone if it is large.
    pub(crate) fn new(instance: &Instance, run: &mut Run<'_>) -> Result<Count, Stop> {
        let relaxed = instance.relaxation(Charge::Steps, run)?;
        let goals = relaxed.condition(&instance.goal);
        let open = instance.landmarks(run)?.unwrap_or(&goals);
        let mut count = Count {
            of_literal: vec![NONE; relaxed.literals],
            relaxed,
            list: Vec::new(),
            words: 0,
            reached: Vec::new(),
        };
        for &literal in open.iter().chain(&goals) {
            count.add(literal);
        }
        for &goal in &goals {
            let number = count.of_literal[goal as usize];
            if number != NONE {
                count.list[number as usize].is_goal = true;
            }
        }
        // What holds right before a landmark may have held from the start.
        for &literal in open {
            let number = count.of_literal[literal as usize];
            if number != NONE {
                let before = count.common_needs(literal);
                let before = before.into_iter().filter_map(|it| count.add(it)).collect();
                count.list[number as usize].before = before;
            }
        }
        count.words = count.list.len().div_ceil(64).max(1);
        Ok(count)
    }

    /// The number of a literal's landmark; `None` if it speaks of no fact.
    fn add(&mut self, literal: u32) -> Option<u32> {
        let known = &mut self.of_literal[literal as usize];
        if *known == NONE {
            let (fact, holds) = self.relaxed.fact(literal)?;
            *known = self.list.len() as u32;
            self.list.push(Landmark {
                fact,
                holds,
                is_goal: false,
                before: Vec::new(),
            });
        }
        Some(*known)
    }

    /// What all operators that make a literal true need.
    fn common_needs(&self, literal: u32) -> Vec<u32> {
        let mut common: Option<Vec<u32>> = None;
        for &operator in self.relaxed.made_by.get(literal) {
            let mut needs = self.relaxed.needs.get(operator).to_vec();
            // A conditional effect needs its action, and what that needs.
            if let Origin::Action(action) = self.relaxed.origin[operator as usize]
                && let Some(main) = self.relaxed.action(action)
            {
                needs.extend_from_slice(self.relaxed.needs.get(main));
            }
            match &mut common {
                None => common = Some(needs),
                Some(common) => common.retain(|need| needs.contains(need)),
            }
        }
        let mut common = common.unwrap_or_default();
        common.sort_unstable();
        common.dedup();
        common
    }

    /// Notes what a state reaches beyond the one before it, and counts what is
    /// open.
    pub(crate) fn visit(&mut self, state: u32, before: Option<u32>, words: &[u64]) -> u32 {
        let row = |state: u32| state as usize * self.words..(state as usize + 1) * self.words;
        let own = row(state);
        if self.reached.len() < own.end {
            self.reached.resize(own.end, 0);
        }
        let mut reached = match before {
            Some(before) => self.reached[row(before)].to_vec(),
            None => vec![0; self.words],
        };
        let holds = |landmark: &Landmark| has(words, landmark.fact) == landmark.holds;
        for (number, landmark) in self.list.iter().enumerate() {
            if holds(landmark) {
                set(&mut reached, number as u32);
            }
        }
        let mut again = vec![0; self.words];
        let mut open = 0;
        for (number, landmark) in self.list.iter().enumerate() {
            if !has(&reached, number as u32) {
                open += 1;
                for &need in &landmark.before {
                    set(&mut again, need);
                }
            } else if landmark.is_goal {
                set(&mut again, number as u32);
            }
        }
        for number in ones(&again) {
            let lost = !holds(&self.list[number as usize]);
            open += u32::from(lost && has(&reached, number));
        }
        self.reached[own].copy_from_slice(&reached);
        open
    }

    /// True if the action may reach a landmark that is open in a state.
    pub(crate) fn reaches(&self, state: u32, action: ActionIndex) -> bool {
        let Some(first) = self.relaxed.action(action) else {
            return false;
        };
        let reached = &self.reached[state as usize * self.words..][..self.words];
        let own = |operator: &u32| {
            let origin = self.relaxed.origin.get(*operator as usize);
            origin == Some(&Origin::Action(action))
        };
        (first..).take_while(own).any(|operator| {
            let makes = self.relaxed.makes.get(operator).iter();
            let mut numbers = makes.map(|&literal| self.of_literal[literal as usize]);
            numbers.any(|number| number != NONE && !has(reached, number))
        })
    }

    /// Steps it takes to look at a state.
    pub(crate) fn work(&self) -> u64 {
        2 * self.list.len() as u64
    }

    /// An estimate of the memory held.
    pub(crate) fn bytes(&self) -> u64 {
        (self.reached.capacity() * 8) as u64
    }
}
