//! Which variable to choose next: the most active one, by a binary heap whose
//! entries know their place.
//!
//! Activity grows when a variable takes part in a conflict; instead of letting
//! all others decay, each next conflict counts for a little more.

use crate::cnf::Var;

pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<Var>,
    /// By variable: its place in `heap`.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;
const GROWTH: f64 = 1.0 / 0.95;
/// Beyond this, all activities are scaled down together.
const HUGE: f64 = 1e100;

impl Order {
    pub fn new(vars: usize) -> Order {
        Order {
            activity: vec![0.0; vars],
            increment: 1.0,
            heap: (0..vars).map(Var::new).collect(),
            place: (0..vars as u32).collect(),
        }
    }

    /// The variable took part in a conflict.
    pub fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var.index()];
        *activity += self.increment;
        if *activity > HUGE {
            self.activity
                .iter_mut()
                .for_each(|activity| *activity /= HUGE);
            self.increment /= HUGE;
        }
        let place = self.place[var.index()];
        if place != ABSENT {
            self.up(place as usize);
        }
    }

    /// Makes what has been less weighty than what comes.
    pub fn decay(&mut self) {
        self.increment *= GROWTH;
    }

    /// Takes out the most active variable.
    pub fn pop(&mut self) -> Option<Var> {
        let last = self.heap.pop()?;
        let Some(top) = self.heap.first().copied() else {
            self.place[last.index()] = ABSENT;
            return Some(last);
        };
        self.place[top.index()] = ABSENT;
        self.put(0, last);
        self.down(0);
        Some(top)
    }

    /// Puts a variable back, if it is not there.
    pub fn insert(&mut self, var: Var) {
        if self.place[var.index()] == ABSENT {
            self.heap.push(var);
            self.put(self.heap.len() - 1, var);
            self.up(self.heap.len() - 1);
        }
    }

    fn put(&mut self, place: usize, var: Var) {
        self.heap[place] = var;
        self.place[var.index()] = place as u32;
    }

    fn before(&self, one: Var, other: Var) -> bool {
        self.activity[one.index()] > self.activity[other.index()]
    }

    fn up(&mut self, mut place: usize) {
        let var = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(var, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, var);
    }

    fn down(&mut self, mut place: usize) {
        let var = self.heap[place];
        loop {
            let children = 2 * place + 1..(2 * place + 3).min(self.heap.len());
            let best = children.reduce(|one, other| {
                if self.before(self.heap[other], self.heap[one]) {
                    other
                } else {
                    one
                }
            });
            match best {
                Some(child) if self.before(self.heap[child], var) => {
                    self.put(place, self.heap[child]);
                    place = child;
                }
                _ => break,
            }
        }
        self.put(place, var);
    }
}
