//! What every plan must make true on its way.
//!
//! A literal is a landmark of another if every relaxed way to the second
//! passes through the first. The sets are the greatest fixed point of: a
//! literal's landmarks are itself and whatever all operators that make it
//! true have in common, an operator's are those of all it needs. This is
//! Keyder, Richter and Helmert's complete set for the delete relaxation
//! ("Sound and complete landmarks for AND/OR graphs", 2010); with tasks inside
//! the relaxation it covers hierarchical problems too.
//!
//! [`Count`] counts them along the way: what has not been reached yet, and what
//! has been reached, was lost and is needed again (Richter and Westphal, "The
//! LAMA planner", 2010).

use std::collections::VecDeque;

use planoku_engine::{Run, Stop};

use crate::analysis::charge::Charge;
use crate::analysis::infer::include;
use crate::analysis::relax::{Origin, Relaxation};
use crate::ground::ActionIndex;
use crate::spaces::states::{has, ones, set};
use crate::spaces::world::World;

/// More literals than this and the sets are not worth their memory.
const MANY: usize = 12_000;

/// Literals that do not hold in `state` and are landmarks of some goal;
/// `None` if the problem is too large, or a goal cannot be reached.
pub(crate) fn landmarks(
    relaxed: &Relaxation,
    state: &[u64],
    goals: &[u32],
    run: &mut Run<'_>,
) -> Result<Option<Vec<u32>>, Stop> {
    if relaxed.literals > MANY {
        return Ok(None);
    }
    let words = relaxed.literals.div_ceil(64).max(1);
    let mut sets: Vec<Option<Vec<u64>>> = vec![None; relaxed.literals];
    let mut queue = VecDeque::new();
    let mut queued = vec![false; relaxed.charge.len()];
    let mut held = vec![false; relaxed.literals];
    for literal in relaxed.held(state) {
        held[literal as usize] = true;
        // What holds already is no news, so its set stays empty.
        sets[literal as usize] = Some(vec![0; words]);
        for &operator in relaxed.needed_by.get(literal) {
            if !std::mem::replace(&mut queued[operator as usize], true) {
                queue.push_back(operator);
            }
        }
    }
    for &operator in &relaxed.needless {
        queued[operator as usize] = true;
        queue.push_back(operator);
    }
    let mut all = vec![0; words];
    while let Some(operator) = queue.pop_front() {
        queued[operator as usize] = false;
        let touched = relaxed.needs.get(operator).len() + relaxed.makes.get(operator).len();
        run.effort((1 + touched as u64) * (1 + words as u64 / 16))?;
        all.fill(0);
        let needs = relaxed.needs.get(operator).iter();
        let ready = needs
            .map(|&literal| sets[literal as usize].as_ref())
            .all(|set| {
                set.is_some_and(|set| {
                    include(&mut all, set);
                    true
                })
            });
        if !ready {
            continue;
        }
        for &made in relaxed.makes.get(operator) {
            if held[made as usize] || !narrow(&mut sets[made as usize], &all, made) {
                continue;
            }
            for &next in relaxed.needed_by.get(made) {
                if !std::mem::replace(&mut queued[next as usize], true) {
                    queue.push_back(next);
                }
            }
        }
    }
    all.fill(0);
    for &goal in goals {
        match &sets[goal as usize] {
            Some(set) => include(&mut all, set),
            None => return Ok(None),
        }
    }
    Ok(Some(ones(&all).collect()))
}

/// Keeps what the set has in common with another way to its literal; true if
/// it changed.
fn narrow(known: &mut Option<Vec<u64>>, way: &[u64], literal: u32) -> bool {
    match known {
        None => {
            let mut fresh = way.to_vec();
            set(&mut fresh, literal);
            *known = Some(fresh);
            true
        }
        Some(known) => {
            let mut changed = false;
            for (index, (word, &other)) in known.iter_mut().zip(way).enumerate() {
                let own = match literal as usize / 64 == index {
                    true => 1u64 << (literal % 64),
                    false => 0,
                };
                let next = *word & (other | own);
                changed |= next != *word;
                *word = next;
            }
            changed
        }
    }
}

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
    relaxed: Relaxation,
    list: Vec<Landmark>,
    /// For each literal, its landmark or `NONE`.
    of_literal: Vec<u32>,
    words: usize,
    /// For each state, the landmarks reached on the way to it.
    reached: Vec<u64>,
}

impl Count {
    /// The landmarks of a classical problem; the goals alone if it is large.
    pub(crate) fn new(world: &World<'_>, run: &mut Run<'_>) -> Result<Count, Stop> {
        let relaxed = Relaxation::new(world, Charge::Steps);
        let state = world.initial();
        let goals = relaxed.condition(&world.ground.goal);
        let open = landmarks(&relaxed, &state, &goals, run)?.unwrap_or_else(|| goals.clone());
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
        for literal in open {
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
