//! Who may get in whose way: which actions may as well be executed at once.
//!
//! Everything in a task network has to be done at some time. So if an action
//! can be executed now, and nothing that could come before it, now or after
//! further refinement, gets in its way or minds having it done already, then
//! every plan from here can begin with it, and nothing else has to be tried.
//! That is a persistent set of one (Godefroid, "Partial-Order Methods for the
//! Verification of Concurrent Systems", 1996), and cheap to have where tasks
//! say what may still come.

use rustc_hash::FxHashMap;

use crate::ground::{ActionIndex, Condition, FactIndex, Ground, MethodIndex, Node};
use crate::state::stacks::{Element, Elements, Kind};

/// Steps that may be spent on rows altogether.
const PATIENCE: u64 = 50_000_000;

/// For each action, the elements that must not change places with it.
pub(crate) struct Interference {
    elements: Elements,
    /// Nothing is said of problems whose effects depend on more than facts.
    plain: bool,
    /// Per fact, the conditions that want it and those that want it away.
    wanted: Vec<Vec<Element>>,
    unwanted: Vec<Vec<Element>>,
    /// Per fact, the actions that make it true and those that make it false.
    adders: Vec<Vec<Element>>,
    deleters: Vec<Vec<Element>>,
    /// Per action and task, the methods it occurs in.
    uses: Vec<Vec<MethodIndex>>,
    /// Rows that were asked for, as sets of elements; nothing if that took too
    /// long.
    rows: FxHashMap<ActionIndex, Option<Box<[u64]>>>,
    patience: u64,
    bytes: u64,
}

impl Interference {
    /// For one problem.
    pub(crate) fn new(ground: &Ground) -> Interference {
        let elements = Elements::new(ground);
        let plain = ground.axioms.is_empty()
            && ground.numbers.is_empty()
            && ground.actions.iter().all(|it| it.conditional.is_empty());
        let facts = if plain { ground.facts.len() } else { 0 };
        let mut it = Interference {
            elements,
            plain,
            wanted: vec![Vec::new(); facts],
            unwanted: vec![Vec::new(); facts],
            adders: vec![Vec::new(); facts],
            deleters: vec![Vec::new(); facts],
            uses: vec![Vec::new(); ground.actions.len() + ground.tasks.len()],
            rows: FxHashMap::default(),
            patience: PATIENCE,
            bytes: 0,
        };
        if !plain {
            return it;
        }
        for (index, action) in ground.actions.iter().enumerate() {
            let element = elements.pack(Kind::Action(index as u32));
            it.wants(&action.precondition, element);
            for &fact in &action.add {
                it.adders[fact as usize].push(element);
            }
            for fact in deletes(ground, index as u32) {
                it.deleters[fact as usize].push(element);
            }
        }
        for (index, method) in ground.methods.iter().enumerate() {
            let element = elements.pack(Kind::Method(index as u32));
            it.wants(&method.precondition, element);
            for &node in &method.subtasks {
                let user = elements.node(node);
                it.uses[user.0 as usize].push(index as u32);
            }
        }
        it
    }

    fn wants(&mut self, condition: &Condition, element: Element) {
        for &fact in &condition.positive {
            self.wanted[fact as usize].push(element);
        }
        for &fact in &condition.negative {
            self.unwanted[fact as usize].push(element);
        }
    }

    /// The elements with which an action must not change places, as a set:
    /// those that may come to something that gets in its way, or in whose way
    /// it is.
    pub(crate) fn row(&mut self, ground: &Ground, action: ActionIndex) -> Option<&[u64]> {
        if !self.plain {
            return None;
        }
        if !self.rows.contains_key(&action) {
            let row = self.make(ground, action);
            self.bytes += row.as_ref().map_or(0, |it| it.len() as u64 * 8) + 48;
            self.rows.insert(action, row);
        }
        self.rows[&action].as_deref()
    }

    fn make(&mut self, ground: &Ground, action: ActionIndex) -> Option<Box<[u64]>> {
        let mut row = self.empty(ground)?;
        let mut open = Vec::new();
        let this = &ground.actions[action as usize];
        let itself = self.elements.pack(Kind::Action(action));
        let mut meet = |row: &mut [u64], those: &[Element]| {
            for &it in those {
                if it != itself && insert(row, it) {
                    open.push(it);
                }
            }
        };
        for &fact in &this.precondition.positive {
            meet(&mut row, &self.deleters[fact as usize]);
        }
        for &fact in &this.precondition.negative {
            meet(&mut row, &self.adders[fact as usize]);
        }
        for &fact in &this.add {
            meet(&mut row, &self.unwanted[fact as usize]);
            meet(&mut row, &self.deleters[fact as usize]);
        }
        for fact in deletes(ground, action) {
            meet(&mut row, &self.wanted[fact as usize]);
            meet(&mut row, &self.adders[fact as usize]);
        }
        self.close(ground, &mut row, open)?;
        Some(row)
    }

    fn empty(&mut self, ground: &Ground) -> Option<Box<[u64]>> {
        let count = ground.actions.len() + ground.tasks.len() + ground.methods.len();
        self.spend(count as u64 / 16)?;
        Some(vec![0u64; count.div_ceil(64)].into())
    }

    /// Adds every task that may come to something that was added.
    fn close(&mut self, ground: &Ground, row: &mut [u64], mut open: Vec<Element>) -> Option<()> {
        while let Some(element) = open.pop() {
            match self.elements.kind(element) {
                Kind::Method(method) => {
                    let task = Node::Task(ground.methods[method as usize].task);
                    let task = self.elements.node(task);
                    if insert(row, task) {
                        open.push(task);
                    }
                }
                _ => {
                    self.spend(self.uses[element.0 as usize].len() as u64 + 1)?;
                    for &method in &self.uses[element.0 as usize] {
                        let task = Node::Task(ground.methods[method as usize].task);
                        let task = self.elements.node(task);
                        if insert(row, task) {
                            open.push(task);
                        }
                    }
                }
            }
        }
        Some(())
    }

    fn spend(&mut self, steps: u64) -> Option<()> {
        self.patience = self.patience.checked_sub(steps)?;
        Some(())
    }

    /// An estimate of the memory held by rows.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// True if the set has the element.
#[inline]
pub(crate) fn contains(row: &[u64], element: Element) -> bool {
    row[element.0 as usize / 64] >> (element.0 % 64) & 1 != 0
}

/// Adds an element; true if it is new.
fn insert(row: &mut [u64], element: Element) -> bool {
    let new = !contains(row, element);
    row[element.0 as usize / 64] |= 1 << (element.0 % 64);
    new
}

/// Facts that an action makes false.
fn deletes(ground: &Ground, action: ActionIndex) -> impl Iterator<Item = FactIndex> + '_ {
    let action = &ground.actions[action as usize];
    let deleted = action.delete.iter().copied();
    deleted.filter(|fact| !action.add.contains(fact))
}
