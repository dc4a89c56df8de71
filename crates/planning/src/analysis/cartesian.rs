//! A problem seen through boxes: of each variable, the values it may have.
//!
//! One box is the whole problem. Whoever divides a box by the values of a
//! variable sees more, and every division is a fork on the way from a state to
//! its box; so a state finds its box as quickly as it does in a decision tree.
//! Actions lead from a box to another if they do for each variable by itself.
//! (Seipp and Helmert, "Counterexample-guided Cartesian abstraction refinement
//! for classical planning", 2018.)
//!
//! What an action does within a box is not written down. It is found again when
//! the box is divided, from the actions that touch the variable in question:
//! all others stay on their side.

use crate::analysis::abstraction::{Abstraction, Map};
use crate::analysis::finite_problem::FiniteProblem;
use crate::analysis::tree::Tree;
use crate::ground::finite::FiniteIndex;

/// A box, by its number.
pub(crate) type BoxIndex = u32;

/// Where an action leads to, or comes from.
pub(crate) type Transition = (u32, BoxIndex);

/// A problem divided into boxes.
pub(crate) struct Cartesian<'p> {
    problem: &'p FiniteProblem,
    /// The bits of each box, so many words for each.
    bits: Vec<u64>,
    words: usize,
    /// Boxes all of whose states are goals; nothing leads out of them.
    pub(crate) goal: Vec<bool>,
    /// For each box, what leads to others.
    pub(crate) out: Vec<Vec<Transition>>,
    /// For each box, what comes from others.
    pub(crate) into: Vec<Vec<Transition>>,
    tree: Tree,
    /// For each box, its place in the tree.
    leaves: Vec<u32>,
    /// For each action, whether it is one of those that no longer lead there.
    gone: Vec<bool>,
    /// How many transitions there are.
    pub(crate) transitions: u64,
    /// Steps taken.
    pub(crate) work: u64,
}

impl<'p> Cartesian<'p> {
    /// One box for all.
    pub(crate) fn new(problem: &'p FiniteProblem) -> Cartesian<'p> {
        let count = problem.bits[problem.sizes.len()] as usize;
        let words = count.div_ceil(64).max(1);
        let mut bits = vec![u64::MAX; words];
        if !count.is_multiple_of(64) {
            bits[words - 1] = (1 << (count % 64)) - 1;
        }
        Cartesian {
            problem,
            bits,
            words,
            goal: vec![false],
            out: vec![Vec::new()],
            into: vec![Vec::new()],
            tree: Tree::leaf(0),
            leaves: vec![0],
            gone: vec![false; problem.actions() as usize],
            transitions: 0,
            work: 0,
        }
    }

    /// How many boxes there are.
    pub(crate) fn boxes(&self) -> u32 {
        self.goal.len() as u32
    }

    /// The box of a state.
    pub(crate) fn find(&self, values: &[u32]) -> BoxIndex {
        self.tree.find(values)
    }

    /// True if the variable may have the value.
    #[inline]
    pub(crate) fn has(&self, number: BoxIndex, variable: FiniteIndex, value: u32) -> bool {
        let bit = self.problem.bit(variable, value);
        self.bits[number as usize * self.words + bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The values a variable may have.
    pub(crate) fn values(
        &self,
        number: BoxIndex,
        variable: FiniteIndex,
    ) -> impl Iterator<Item = u32> {
        let values = 0..self.problem.sizes[variable as usize];
        values.filter(move |&value| self.has(number, variable, value))
    }

    fn set(&mut self, number: BoxIndex, variable: FiniteIndex, value: u32, to: bool) {
        let bit = self.problem.bit(variable, value);
        let word = &mut self.bits[number as usize * self.words + bit / 64];
        *word = *word & !(1 << (bit % 64)) | u64::from(to) << (bit % 64);
    }

    /// True if two boxes have a value of a variable in common.
    fn meet(&self, one: BoxIndex, other: BoxIndex, variable: FiniteIndex) -> bool {
        let [begin, end] = [variable, variable + 1].map(|it| self.problem.bits[it as usize]);
        let (begin, last) = (begin as usize, end as usize - 1);
        let [one, other] = [one, other].map(|it| &self.bits[it as usize * self.words..]);
        (begin / 64..=last / 64).any(|word| {
            let mut common = one[word] & other[word];
            if word == begin / 64 {
                common &= u64::MAX << (begin % 64);
            }
            if word == last / 64 {
                common &= u64::MAX >> (63 - last % 64);
            }
            common != 0
        })
    }

    /// True if an action leads from box to box, as far as a variable is
    /// concerned.
    fn leads(&self, action: u32, variable: FiniteIndex, from: BoxIndex, to: BoxIndex) -> bool {
        match self.problem.moves(action, variable) {
            Some(moves) => self.moves_between(moves, variable, from, to),
            None => self.meet(from, to, variable),
        }
    }

    fn moves_between(
        &self,
        moves: &[(u32, u32)],
        variable: FiniteIndex,
        from: BoxIndex,
        to: BoxIndex,
    ) -> bool {
        let mut moves = moves.iter();
        moves.any(|&(before, after)| {
            self.has(from, variable, before) && self.has(to, variable, after)
        })
    }

    /// The values of a variable from which an action leads from box to box.
    pub(crate) fn wanted(
        &self,
        action: u32,
        variable: FiniteIndex,
        from: BoxIndex,
        to: BoxIndex,
    ) -> Vec<u32> {
        let inside = self.values(from, variable);
        match self.problem.moves(action, variable) {
            Some(moves) => inside
                .filter(|&value| {
                    let mut moves = moves.iter();
                    moves.any(|it| it.0 == value && self.has(to, variable, it.1))
                })
                .collect(),
            None => inside
                .filter(|&value| self.has(to, variable, value))
                .collect(),
        }
    }

    /// Divides a box: a new one has the values that are wanted of it, which are
    /// some and not all, and the rest keeps the number. The new one may be a
    /// goal.
    pub(crate) fn divide(
        &mut self,
        rest: BoxIndex,
        variable: FiniteIndex,
        wanted: &[u32],
        goal: bool,
    ) -> BoxIndex {
        let within = self.within(rest, variable);
        let new = self.boxes();
        let begin = rest as usize * self.words;
        self.bits.extend_from_within(begin..begin + self.words);
        let values: Vec<u32> = self.values(rest, variable).collect();
        for value in values {
            let wanted = wanted.contains(&value);
            self.set(new, variable, value, wanted);
            self.set(rest, variable, value, !wanted);
        }
        self.goal.push(goal);
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        let size = self.problem.sizes[variable as usize];
        let leaf = self.leaves[rest as usize];
        let [kept, other] = self.tree.fork(leaf, variable, size, wanted, [rest, new]);
        self.leaves[rest as usize] = kept;
        self.leaves.push(other);
        self.work += (self.words + size as usize) as u64;
        self.divide_incoming(rest, new, variable);
        self.divide_outgoing(rest, new, variable);
        for action in within {
            if self.leads(action, variable, rest, new) {
                self.connect(action, rest, new);
            }
            if !goal && self.leads(action, variable, new, rest) {
                self.connect(action, new, rest);
            }
        }
        new
    }

    fn connect(&mut self, action: u32, from: BoxIndex, to: BoxIndex) {
        self.out[from as usize].push((action, to));
        self.into[to as usize].push((action, from));
        self.transitions += 1;
    }

    /// The actions touching a variable that lead from states of a box to such.
    fn within(&mut self, number: BoxIndex, variable: FiniteIndex) -> Vec<u32> {
        let mut within = Vec::new();
        let mut work = 0;
        for &action in &self.problem.touching[variable as usize] {
            let mut touched = self.problem.touched(action);
            work += 4;
            if touched.all(|(variable, moves)| self.moves_between(moves, variable, number, number))
            {
                within.push(action);
            }
        }
        self.work += work;
        within
    }

    /// Of what came to the box before, what leads to which of the two.
    fn divide_incoming(&mut self, rest: BoxIndex, new: BoxIndex, variable: FiniteIndex) {
        let into = std::mem::take(&mut self.into[rest as usize]);
        self.transitions -= into.len() as u64;
        for same in into.chunk_by(|one, other| one.1 == other.1) {
            let from = same[0].1;
            let mut some_gone = false;
            for &(action, _) in same {
                if self.leads(action, variable, from, rest) {
                    self.into[rest as usize].push((action, from));
                    self.transitions += 1;
                } else {
                    self.gone[action as usize] = true;
                    some_gone = true;
                }
            }
            if some_gone {
                let gone = &self.gone;
                self.work += self.out[from as usize].len() as u64 / 2;
                self.out[from as usize].retain(|it| it.1 != rest || !gone[it.0 as usize]);
            }
            for &(action, _) in same {
                self.gone[action as usize] = false;
                if self.leads(action, variable, from, new) {
                    self.connect(action, from, new);
                }
            }
        }
        self.work += 4 * into.len() as u64;
    }

    /// Of what led out of the box before, what leads out of which of the two.
    fn divide_outgoing(&mut self, rest: BoxIndex, new: BoxIndex, variable: FiniteIndex) {
        let out = std::mem::take(&mut self.out[rest as usize]);
        self.transitions -= out.len() as u64;
        for same in out.chunk_by(|one, other| one.1 == other.1) {
            let to = same[0].1;
            let mut some_gone = false;
            for &(action, _) in same {
                if self.leads(action, variable, rest, to) {
                    self.out[rest as usize].push((action, to));
                    self.transitions += 1;
                } else {
                    self.gone[action as usize] = true;
                    some_gone = true;
                }
            }
            if some_gone {
                let gone = &self.gone;
                self.work += self.into[to as usize].len() as u64 / 2;
                self.into[to as usize].retain(|it| it.1 != rest || !gone[it.0 as usize]);
            }
            for &(action, _) in same {
                self.gone[action as usize] = false;
                if !self.goal[new as usize] && self.leads(action, variable, new, to) {
                    self.connect(action, new, to);
                }
            }
        }
        self.work += 4 * out.len() as u64;
    }

    /// The same as an abstraction like others, all goals one state.
    pub(crate) fn finish(mut self) -> Abstraction {
        let mut states = 1;
        let numbers: Vec<u32> = self
            .goal
            .iter()
            .map(|&goal| {
                states += u32::from(!goal);
                if goal { 0 } else { states - 1 }
            })
            .collect();
        self.tree.rename(&numbers);
        // For each action, from where to where; who does the same is one label.
        let mut all: Vec<(u32, u32, u32)> = Vec::new();
        for (from, out) in self.out.iter().enumerate() {
            let out = out.iter();
            all.extend(out.map(|it| (it.0, numbers[from], numbers[it.1 as usize])));
        }
        all.sort_unstable();
        all.dedup();
        let ways = all.chunk_by(|one, other| one.0 == other.0).map(|same| {
            let ways = same.iter().map(|it| (it.1, it.2)).collect();
            (self.problem.number(same[0].0), ways)
        });
        Abstraction::assemble(Map::Forks(self.tree), states, vec![0], ways)
    }
}
