//! What every plan must make true on its way.
//!
//! A literal is a landmark of another if every relaxed way to the second
//! passes through the first. The sets are the greatest fixed point of: a
//! literal's landmarks are itself and whatever all operators that make it
//! true have in common, an operator's are those of all it needs. This is
//! Keyder, Richter and Helmert's complete set for the delete relaxation
//! ("Sound and complete landmarks for AND/OR graphs", 2010); with tasks inside
//! the relaxation it covers hierarchical problems too.

use std::collections::VecDeque;

use planoku_engine::{Run, Stop};

use crate::analysis::infer::include;
use crate::analysis::relax::Relaxation;
use crate::state::states::{ones, set};

/// More literals than this and the sets are not worth their memory.
const MANY: usize = 12_000;

/// Literals that do not hold in `state` and are landmarks of some goal;
/// `None` if the problem is too large, its actions counted even where they have
/// no literals, or a goal cannot be reached.
pub(crate) fn landmarks(
    relaxed: &Relaxation,
    state: &[u64],
    goals: &[u32],
    run: &mut Run<'_>,
) -> Result<Option<Vec<u32>>, Stop> {
    match relaxed.size() > MANY {
        true => Ok(None),
        false => landmarks_among(relaxed, relaxed.literals, state, goals, run),
    }
}

/// The same among the first literals only; the others are taken to hold.
pub(crate) fn landmarks_among(
    relaxed: &Relaxation,
    among: usize,
    state: &[u64],
    goals: &[u32],
    run: &mut Run<'_>,
) -> Result<Option<Vec<u32>>, Stop> {
    if among > MANY {
        return Ok(None);
    }
    let words = among.div_ceil(64).max(1);
    let mut sets: Vec<Option<Vec<u64>>> = vec![None; relaxed.literals];
    let mut queue = VecDeque::new();
    let mut queued = vec![false; relaxed.charge.len()];
    let mut held = vec![false; relaxed.literals];
    let others = among as u32..relaxed.literals as u32;
    for literal in relaxed.held(state).chain(others) {
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
