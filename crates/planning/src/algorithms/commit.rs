//! Committing to achievers: which actions, before in which order.
//!
//! Every goal that does not hold at the start needs an action that makes it
//! true, and so does every landmark on the way to a goal. Some pairs of actions can never share a plan: each makes a literal
//! false that the other needs and that nothing restores, so neither can come
//! second. Choosing one achiever per goal such that no such pair is chosen is
//! a finite choice problem, solved here by forward checking, always at the
//! goal with the fewest achievers left. Only then is an order sought, by
//! forward search among the chosen actions and those that achieve no goal.
//!
//! Where no two actions are rivals like that, this engine has nothing to say.
//!
//! If no choice exists there is no plan, and that is a proof. Sudoku written
//! as `assign` actions turns out to be nothing but this choice.

use std::sync::Arc;

use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Profile, Run, Sink, Stop};

use crate::ground::{Derivation, Ground};

use crate::algorithms::classical::Classical;
use crate::analysis::charge::Charge;
use crate::analysis::relax::{Origin, Relaxation};
use crate::instance::Instance;

/// Chooses achievers first, their order second. Classical problems only.
#[derive(Clone, Debug)]
pub struct Commit {
    /// How many choices are handed to the ordering search before giving up.
    pub attempts: u32,
    /// Nodes the ordering search may spend on each.
    pub nodes: u64,
}

impl Default for Commit {
    fn default() -> Commit {
        Commit {
            attempts: 10,
            nodes: 2000,
        }
    }
}

impl Engine<Instance> for Commit {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            "commit",
            "chooses an achiever for each goal, tightest goal first, then an order",
        )
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let ground = instance.ground();
        if ground.root.is_some() {
            return Err(EngineError::Unsupported(
                "achievers are chosen for goals, not for tasks".into(),
            ));
        }
        ground.numbers.refuse("choosing achievers")?;
        run.search(sink, |run, found| {
            run.effort(2 * ground.size())?;
            let rivals = Rivals::new(ground, run)?;
            if rivals.of.iter().all(Vec::is_empty) {
                // Any choice would do, and none would help.
                return Err(Leave::GaveUp);
            }
            let mut choice = Choice::new(instance, &rivals, run)?;
            let mut attempts = 0;
            choice.search(run, &mut |chosen, run| {
                attempts += 1;
                self.arrange(ground, chosen, run, found)?;
                match attempts < self.attempts {
                    true => Ok(()),
                    false => Err(Leave::GaveUp),
                }
            })?;
            match attempts {
                0 => Ok(()),
                _ => Err(Leave::GaveUp),
            }
        })
    }
}

impl Commit {
    /// Looks for an order of the chosen actions.
    fn arrange(
        &self,
        ground: &Ground,
        chosen: &[bool],
        run: &mut Run<'_>,
        found: &mut Found<Derivation>,
    ) -> Result<(), Leave> {
        let (smaller, original) = restrict(ground, chosen);
        let smaller = Instance::new(smaller);
        let outcome =
            run.with_at_most(self.nodes, |run| Classical::greedy().solve(&smaller, run))?;
        run.check()?;
        for mut plan in outcome.answers {
            for (_, action) in &mut plan.steps {
                *action = original[*action as usize];
            }
            found.push(plan)?;
        }
        Ok(())
    }
}

/// The problem with the kept actions only, and their numbers in the original.
fn restrict(ground: &Ground, keep: &[bool]) -> (Ground, Vec<u32>) {
    let kept = (0..ground.actions.len()).filter(|&action| keep[action]);
    let original: Vec<u32> = kept.map(|action| action as u32).collect();
    let smaller = Ground {
        facts: ground.facts.clone(),
        actions: original
            .iter()
            .map(|&action| ground.actions[action as usize].clone())
            .collect(),
        axioms: ground.axioms.clone(),
        init: ground.init.clone(),
        goal: ground.goal.clone(),
        ..Ground::default()
    };
    (smaller, original)
}

/// For each action, those it can never share a plan with.
struct Rivals {
    of: Vec<Vec<u32>>,
}

/// Beyond this many pairs the problem is not of the kind this engine is for.
const MANY_PAIRS: usize = 20_000_000;

impl Rivals {
    fn new(ground: &Ground, run: &mut Run<'_>) -> Result<Rivals, Stop> {
        let mut pairs = spoiled_pairs(ground, run)?;
        pairs.sort_unstable();
        pairs.dedup();
        let mut of = vec![Vec::new(); ground.actions.len()];
        for &(first, second) in &pairs {
            if pairs.binary_search(&(second, first)).is_ok() {
                of[first as usize].push(second);
            }
        }
        Ok(Rivals { of })
    }
}

/// Pairs (a, b) such that b can never come after a.
fn spoiled_pairs(ground: &Ground, run: &mut Run<'_>) -> Result<Vec<(u32, u32)>, Stop> {
    let facts = ground.facts.len();
    // Per literal, facts first and their negations after them.
    let mut needed_by = vec![Vec::new(); 2 * facts];
    let mut spoiled_by = vec![Vec::new(); 2 * facts];
    let mut restored = vec![false; 2 * facts];
    for axiom in &ground.axioms {
        restored[axiom.head as usize] = true;
        restored[facts + axiom.head as usize] = true;
    }
    for (index, action) in ground.actions.iter().enumerate() {
        let index = index as u32;
        for &fact in &action.precondition.positive {
            needed_by[fact as usize].push(index);
        }
        for &fact in &action.precondition.negative {
            needed_by[facts + fact as usize].push(index);
        }
        for &fact in &action.add {
            spoiled_by[facts + fact as usize].push(index);
            restored[fact as usize] = true;
        }
        for &fact in &action.delete {
            restored[facts + fact as usize] = true;
            let inner = action.conditional.iter();
            let mut added = inner.flat_map(|effect| &effect.add).chain(&action.add);
            if !added.any(|&other| other == fact) {
                spoiled_by[fact as usize].push(index);
            }
        }
        for effect in &action.conditional {
            for &fact in &effect.add {
                restored[fact as usize] = true;
            }
            for &fact in &effect.delete {
                restored[facts + fact as usize] = true;
            }
        }
    }
    let lasting = || (0..2 * facts).filter(|&literal| !restored[literal]);
    let sizes = lasting().map(|it| spoiled_by[it].len() * needed_by[it].len());
    let all = sizes.fold(0usize, usize::saturating_add);
    if all > MANY_PAIRS {
        return Ok(Vec::new());
    }
    // The list itself, and at most as many rivals.
    run.check_growth(all as u64 * (8 + 4))?;
    run.effort(4 * all as u64)?;
    let mut pairs = Vec::with_capacity(all);
    for literal in lasting() {
        for &first in &spoiled_by[literal] {
            let others = needed_by[literal].iter().filter(|&&other| other != first);
            pairs.extend(others.map(|&second| (first, second)));
        }
    }
    Ok(pairs)
}

/// The effort of a decision, beside the steps of searches.
const DECISION: u64 = 200;

/// Told of each choice, as the actions that may be used.
type Arrange<'a> = dyn FnMut(&[bool], &mut Run<'_>) -> Result<(), Leave> + 'a;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Open,
    In,
    Out,
}

/// The state of the choice: achievers per open goal, fates of actions, and a
/// trail to undo by.
struct Choice<'a> {
    rivals: &'a Rivals,
    /// For each open goal, the actions that make it true.
    achievers: Vec<Vec<u32>>,
    /// For each action, the open goals it makes true.
    achieves: Vec<Vec<u32>>,
    fate: Vec<Fate>,
    /// For each goal, achievers that are not out.
    left: Vec<u32>,
    /// For each goal, achievers that are in.
    served: Vec<u32>,
    /// For each goal, how often it could not be served.
    failures: Vec<u64>,
    trail: Vec<u32>,
    /// Goals with one achiever left, to be served at once.
    forced: Vec<u32>,
}

impl<'a> Choice<'a> {
    fn new(instance: &Instance, rivals: &'a Rivals, run: &mut Run<'_>) -> Result<Choice<'a>, Stop> {
        let mut achieves = vec![Vec::new(); instance.actions.len()];
        let achievers = achievers(instance, run)?;
        for (goal, actions) in achievers.iter().enumerate() {
            for &action in actions {
                achieves[action as usize].push(goal as u32);
            }
        }
        Ok(Choice {
            rivals,
            left: achievers.iter().map(|list| list.len() as u32).collect(),
            served: vec![0; achievers.len()],
            failures: vec![1; achievers.len()],
            fate: vec![Fate::Open; instance.actions.len()],
            achievers,
            achieves,
            trail: Vec::new(),
            forced: Vec::new(),
        })
    }

    /// Hands every choice to `arrange`, as the actions that may be used.
    fn search(&mut self, run: &mut Run<'_>, arrange: &mut Arrange<'_>) -> Result<(), Leave> {
        self.forced = (0..self.left.len() as u32)
            .filter(|&goal| self.left[goal as usize] == 1)
            .collect();
        if self.left.contains(&0) || !self.serve_forced() {
            return Ok(());
        }
        // Per open decision: the trail's length before it, and the action.
        let mut decisions: Vec<(usize, u32)> = Vec::new();
        loop {
            let alive = match self.tightest() {
                Some(goal) => {
                    run.tick()?;
                    run.effort(DECISION)?;
                    let action = self.candidate(goal);
                    decisions.push((self.trail.len(), action));
                    self.decide(action, Fate::In)
                }
                None => {
                    arrange(&self.usable(), run)?;
                    false
                }
            };
            if !alive && !self.backtrack(&mut decisions) {
                return Ok(());
            }
        }
    }

    /// Goes back to the last decision that can be reversed, and reverses it.
    fn backtrack(&mut self, decisions: &mut Vec<(usize, u32)>) -> bool {
        while let Some((length, action)) = decisions.pop() {
            self.undo(length);
            if self.decide(action, Fate::Out) {
                return true;
            }
        }
        false
    }

    /// The open goal with fewest achievers left for the trouble it made.
    fn tightest(&self) -> Option<u32> {
        (0..self.left.len())
            .filter(|&goal| self.served[goal] == 0)
            .min_by_key(|&goal| (u64::from(self.left[goal]) << 32) / self.failures[goal])
            .map(|goal| goal as u32)
    }

    fn candidate(&self, goal: u32) -> u32 {
        let mut achievers = self.achievers[goal as usize].iter();
        *achievers
            .find(|&&action| self.fate[action as usize] == Fate::Open)
            .expect("an open goal has an open achiever")
    }

    /// Fixes an action's fate and all that follows; false on contradiction.
    fn decide(&mut self, action: u32, fate: Fate) -> bool {
        self.forced.clear();
        self.fix(action, fate) && self.serve_forced()
    }

    fn serve_forced(&mut self) -> bool {
        while let Some(goal) = self.forced.pop() {
            if self.served[goal as usize] == 0 {
                let action = self.candidate(goal);
                if !self.fix(action, Fate::In) {
                    return false;
                }
            }
        }
        true
    }

    fn fix(&mut self, action: u32, fate: Fate) -> bool {
        self.fate[action as usize] = fate;
        self.trail.push(action);
        for &goal in &self.achieves[action as usize] {
            match fate {
                Fate::In => self.served[goal as usize] += 1,
                _ => self.left[goal as usize] -= 1,
            }
        }
        if fate == Fate::In {
            let rivals = &self.rivals.of[action as usize];
            for &rival in rivals {
                match self.fate[rival as usize] {
                    Fate::In => return false,
                    Fate::Out => {}
                    Fate::Open => {
                        if !self.fix(rival, Fate::Out) {
                            return false;
                        }
                    }
                }
            }
            return true;
        }
        for &goal in &self.achieves[action as usize] {
            if self.served[goal as usize] == 0 {
                match self.left[goal as usize] {
                    0 => {
                        self.failures[goal as usize] += 1;
                        return false;
                    }
                    1 => self.forced.push(goal),
                    _ => {}
                }
            }
        }
        true
    }

    fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            let action = self.trail.pop().unwrap_or(0);
            for &goal in &self.achieves[action as usize] {
                match self.fate[action as usize] {
                    Fate::In => self.served[goal as usize] -= 1,
                    _ => self.left[goal as usize] += 1,
                }
            }
            self.fate[action as usize] = Fate::Open;
        }
    }

    /// Chosen actions, and those that achieve no goal and are not ruled out.
    fn usable(&self) -> Vec<bool> {
        (0..self.fate.len())
            .map(|action| match self.fate[action] {
                Fate::In => true,
                Fate::Out => false,
                Fate::Open => self.achieves[action].is_empty(),
            })
            .collect()
    }
}

/// For each literal that must become true on the way to the goal, the actions
/// that may make it so. One list stands for all literals that have it.
fn achievers(instance: &Instance, run: &mut Run<'_>) -> Result<Vec<Vec<u32>>, Stop> {
    let relaxed: Arc<Relaxation> = instance.relaxation(Charge::Steps, run)?;
    let mut goals = relaxed.condition(&instance.goal);
    let state = instance.world.initial();
    let held: Vec<u32> = relaxed.held(&state).collect();
    goals.retain(|goal| !held.contains(goal));
    let open = instance.landmarks(run)?.unwrap_or(&goals);
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for &literal in open {
        let makers = relaxed.made_by.get(literal).iter();
        let mut actions: Vec<u32> = makers
            .filter_map(|&operator| match relaxed.origin[operator as usize] {
                Origin::Action(action) => Some(action),
                Origin::Method(_) | Origin::Axiom => None,
            })
            .collect();
        let derived = relaxed.made_by.get(literal).len() != actions.len();
        actions.sort_unstable();
        actions.dedup();
        if !derived {
            lists.push(actions);
        }
    }
    lists.sort_unstable();
    lists.dedup();
    Ok(lists)
}
