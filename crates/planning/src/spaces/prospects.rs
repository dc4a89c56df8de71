//! Whether what remains of a network could still be done if nothing that holds
//! ever ceased to, and the order were kept.
//!
//! The delete relaxation of a task network asks for its tasks in any order, so
//! it does not see that a condition waits for something that only comes after
//! it. Here something can be done only when all before it can, inside methods
//! too: a lamp that only the next task would light does not help the one that
//! has to read now. Where one task is done within one method it counts as done
//! in all, and a conditional effect as one without condition; so it is never
//! said of a network that can be done that it cannot.

use crate::ground::{Condition, Ground};
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::{has, ones};

/// Lists of numbers for numbers, one after another.
#[derive(Default)]
struct Lists {
    begin: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: &mut [(u32, u32)]) -> Lists {
        pairs.sort_unstable();
        let mut begin = vec![0; count + 1];
        for &(key, _) in pairs.iter() {
            begin[key as usize + 1] += 1;
        }
        for key in 0..count {
            begin[key + 1] += begin[key];
        }
        Lists {
            begin,
            all: pairs.iter().map(|&(_, value)| value).collect(),
        }
    }

    #[inline]
    fn range(&self, key: u32) -> std::ops::Range<usize> {
        self.begin[key as usize] as usize..self.begin[key as usize + 1] as usize
    }
}

/// What there is to reach, counted down.
#[derive(Clone, Default)]
struct Counts {
    /// Per literal, whether it may come to hold.
    reached: Vec<bool>,
    /// Per element, literals that are missing, and one until it has its turn.
    missing: Vec<u32>,
    /// Per action and task, whether it has had its turn, and whether it may be
    /// done.
    begun: Vec<bool>,
    done: Vec<bool>,
    /// Per subtask of a method, what has to be done before it.
    waiting: Vec<u32>,
    /// Per method, subtasks not done.
    left: Vec<u32>,
}

/// What can still be done in an order.
pub(crate) struct Prospects {
    elements: Elements,
    /// Nothing is said of problems whose conditions depend on more than facts.
    plain: bool,
    facts: usize,
    goal: Vec<u32>,
    /// Per literal, the elements that need it.
    needed: Lists,
    /// Per action, the literals it may make true.
    effects: Lists,
    /// Per action and task, the subtasks of methods that it is.
    occurs: Lists,
    /// Per subtask of a method: what it is, its method, what comes after it.
    slots: Vec<u32>,
    method_of: Vec<u32>,
    follows: Lists,
    /// Per method, its task.
    tasks: Vec<u32>,
    /// Per method, its first subtask; and the literals of its condition.
    first: Vec<u32>,
    conditions: Lists,
    fresh: Counts,
    now: Counts,
    open: Vec<Event>,
}

#[derive(Clone, Copy)]
enum Event {
    Reach(u32),
    Begin(u32),
    Done(u32),
    /// A subtask of a method has its turn.
    Slot(u32),
    /// It has had its turn, and may be done.
    SlotDone(u32),
}

/// Something that remains: what it is, and how many come before it.
pub(crate) struct Remains {
    pub(crate) element: Element,
    pub(crate) before: u32,
}

impl Prospects {
    /// For one problem.
    pub(crate) fn new(ground: &Ground) -> Prospects {
        let elements = Elements::new(ground);
        let facts = ground.facts.len();
        let nodes = ground.actions.len() + ground.tasks.len();
        let count = nodes + ground.methods.len();
        let literals = |it: &Condition| -> Vec<u32> {
            let positive = it.positive.iter().copied();
            let negative = it.negative.iter().map(|fact| fact + facts as u32);
            positive.chain(negative).collect()
        };
        let mut fresh = Counts {
            reached: vec![false; 2 * facts],
            missing: vec![1; count],
            begun: vec![false; nodes],
            done: vec![false; nodes],
            waiting: Vec::new(),
            left: Vec::new(),
        };
        let [
            mut needed,
            mut effects,
            mut occurs,
            mut follows,
            mut conditions,
        ] = [const { Vec::<(u32, u32)>::new() }; 5];
        let mut slots = Vec::new();
        let mut method_of = Vec::new();
        let mut first = Vec::new();
        for (index, action) in ground.actions.iter().enumerate() {
            let index = index as u32;
            for literal in literals(&action.precondition) {
                fresh.missing[index as usize] += 1;
                needed.push((literal, index));
            }
            let conditional = action.conditional.iter();
            let add = conditional.clone().flat_map(|it| &it.add);
            let delete = conditional.flat_map(|it| &it.delete);
            let add = action.add.iter().chain(add).copied();
            let delete = action.delete.iter().chain(delete);
            let delete = delete.map(|fact| fact + facts as u32);
            effects.extend(add.chain(delete).map(|literal| (index, literal)));
        }
        for (index, method) in ground.methods.iter().enumerate() {
            let element = elements.pack(Kind::Method(index as u32)).0;
            for literal in literals(&method.precondition) {
                fresh.missing[element as usize] += 1;
                needed.push((literal, element));
                conditions.push((index as u32, literal));
            }
            let base = slots.len() as u32;
            first.push(base);
            fresh.left.push(method.subtasks.len() as u32);
            for &node in &method.subtasks {
                let node = elements.node(node).0;
                occurs.push((node, slots.len() as u32));
                slots.push(node);
                method_of.push(index as u32);
                fresh.waiting.push(1);
            }
            for &(a, b) in &method.ordering {
                follows.push((base + a, base + b));
                fresh.waiting[(base + b) as usize] += 1;
            }
        }
        first.push(slots.len() as u32);
        let plain = ground.axioms.is_empty() && ground.numbers.is_empty();
        Prospects {
            elements,
            plain,
            facts,
            goal: literals(&ground.goal),
            needed: Lists::new(2 * facts, &mut needed),
            effects: Lists::new(ground.actions.len(), &mut effects),
            occurs: Lists::new(nodes, &mut occurs),
            follows: Lists::new(slots.len(), &mut follows),
            conditions: Lists::new(ground.methods.len(), &mut conditions),
            slots,
            method_of,
            tasks: ground.methods.iter().map(|it| it.task).collect(),
            first,
            now: fresh.clone(),
            fresh,
            open: Vec::new(),
        }
    }

    /// False if what remains can certainly not be done. `after(a, b)` for each
    /// pair of places of which the first comes before the second; what it took
    /// is added to `work`.
    pub(crate) fn any(
        &mut self,
        ground: &Ground,
        state: &[u64],
        remains: &mut [Remains],
        after: &[(u32, u32)],
        work: &mut u64,
    ) -> bool {
        if !self.plain {
            return true;
        }
        self.now.clone_from(&self.fresh);
        *work += (self.fresh.waiting.len() + self.fresh.missing.len()) as u64 / 8;
        for fact in 0..self.facts as u32 {
            let literal = match has(state, fact) {
                true => fact,
                false => fact + self.facts as u32,
            };
            self.open.push(Event::Reach(literal));
        }
        // Places of what remains that has had its turn and is not done.
        let mut turn: Vec<u32> = Vec::new();
        for (place, item) in remains.iter().enumerate() {
            if item.before == 0 {
                turn.push(place as u32);
                self.begin(item.element);
            }
        }
        let mut left = remains.len();
        loop {
            self.settle(ground, work);
            let mut at = 0;
            let before = left;
            while at < turn.len() {
                let place = turn[at];
                if !self.is_done(remains[place as usize].element) {
                    at += 1;
                    continue;
                }
                turn.swap_remove(at);
                left -= 1;
                for &(_, next) in after.iter().filter(|pair| pair.0 == place) {
                    let item = &mut remains[next as usize];
                    item.before -= 1;
                    if item.before == 0 {
                        turn.push(next);
                        self.begin(item.element);
                    }
                }
            }
            if left == 0 && self.open.is_empty() {
                return self.goal.iter().all(|it| self.now.reached[*it as usize]);
            }
            if left == before {
                return false;
            }
        }
    }

    /// False if an action that leads from one state to the other takes nothing
    /// away that anybody asks for, so that whatever could be done before it can
    /// be done after it.
    pub(crate) fn may_lose(&self, before: &[u64], after: &[u64]) -> bool {
        let changed = before.iter().zip(after).map(|(one, other)| one ^ other);
        let changed: Vec<u64> = changed.take(self.facts.div_ceil(64)).collect();
        ones(&changed).any(|fact| {
            let literal = match has(before, fact) {
                true => fact,
                false => fact + self.facts as u32,
            };
            !self.needed.range(literal).is_empty() || self.goal.contains(&literal)
        })
    }

    fn begin(&mut self, element: Element) {
        if !matches!(self.elements.kind(element), Kind::Method(_)) {
            self.open.push(Event::Begin(element.0));
        }
    }

    fn is_done(&self, element: Element) -> bool {
        match self.elements.kind(element) {
            Kind::Method(method) => {
                let literals = &self.conditions.all[self.conditions.range(method)];
                literals.iter().all(|it| self.now.reached[*it as usize])
            }
            _ => self.now.done[element.0 as usize],
        }
    }

    /// Draws every consequence of what is open.
    fn settle(&mut self, ground: &Ground, work: &mut u64) {
        while let Some(event) = self.open.pop() {
            *work += 1;
            match event {
                Event::Reach(literal) => {
                    if !std::mem::replace(&mut self.now.reached[literal as usize], true) {
                        let range = self.needed.range(literal);
                        *work += range.len() as u64;
                        for at in range {
                            self.less_missing(self.needed.all[at]);
                        }
                    }
                }
                Event::Begin(node) => {
                    if std::mem::replace(&mut self.now.begun[node as usize], true) {
                        continue;
                    }
                    match self.elements.kind(Element(node)) {
                        Kind::Task(task) => {
                            let methods = &ground.tasks[task as usize].methods;
                            *work += methods.len() as u64;
                            for &method in methods {
                                let method = self.elements.pack(Kind::Method(method));
                                self.less_missing(method.0);
                            }
                        }
                        _ => self.less_missing(node),
                    }
                }
                Event::Done(node) => {
                    if !std::mem::replace(&mut self.now.done[node as usize], true) {
                        let range = self.occurs.range(node);
                        *work += range.len() as u64;
                        for at in range {
                            let slot = self.occurs.all[at];
                            if self.now.waiting[slot as usize] == 0 {
                                self.open.push(Event::SlotDone(slot));
                            }
                        }
                    }
                }
                Event::Slot(slot) => {
                    let waiting = &mut self.now.waiting[slot as usize];
                    *waiting -= 1;
                    if *waiting == 0 {
                        let node = self.slots[slot as usize];
                        self.open.push(match self.now.done[node as usize] {
                            true => Event::SlotDone(slot),
                            false => Event::Begin(node),
                        });
                    }
                }
                Event::SlotDone(slot) => {
                    for at in self.follows.range(slot) {
                        self.open.push(Event::Slot(self.follows.all[at]));
                    }
                    let method = self.method_of[slot as usize];
                    let left = &mut self.now.left[method as usize];
                    *left -= 1;
                    if *left == 0 {
                        self.method_done(method);
                    }
                }
            }
        }
    }

    fn method_done(&mut self, method: u32) {
        let task = Kind::Task(self.tasks[method as usize]);
        self.open.push(Event::Done(self.elements.pack(task).0));
    }

    /// An element misses one less; if nothing, it takes its course.
    fn less_missing(&mut self, element: u32) {
        let missing = &mut self.now.missing[element as usize];
        *missing -= 1;
        if *missing > 0 {
            return;
        }
        match self.elements.kind(Element(element)) {
            Kind::Action(action) => {
                for at in self.effects.range(action) {
                    self.open.push(Event::Reach(self.effects.all[at]));
                }
                self.open.push(Event::Done(element));
            }
            Kind::Method(method) => {
                let slots = self.first[method as usize]..self.first[method as usize + 1];
                if slots.is_empty() {
                    self.method_done(method);
                }
                self.open.extend(slots.map(Event::Slot));
            }
            Kind::Task(_) => {}
        }
    }
}
