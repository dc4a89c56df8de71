//! A partially ordered network: what remains to be done, and in which order.
//!
//! Items are numbered as they come, and a number is never given twice, so that
//! the order can speak of items that are gone.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::{Ground, MethodIndex};
use crate::state::hash::mix;
use crate::state::stacks::{Element, Elements, Kind};

/// No item.
pub(super) const NONE: u32 = u32::MAX;

/// Something that remains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) id: u32,
    pub(super) element: Element,
    /// The innermost method whose first action is still to come and that this
    /// came from, as the id of its condition.
    pub(super) from: u32,
    /// No action may come of it.
    pub(super) hollow: bool,
    /// Where something has been promised: the next action may come of it.
    pub(super) promised: bool,
}

/// What remains, and in which order.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) items: Vec<Item>,
    /// `(a, b)`: item `a` before item `b`, by id.
    pub(super) order: Vec<(u32, u32)>,
    /// If set, only what came from this condition may go on, and the next
    /// action is one of it.
    pub(super) focus: u32,
    /// Only what is promised may go on.
    pub(super) promise: bool,
    pub(super) next: u32,
}

/// How a node came from its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cause {
    /// An action was executed.
    Executed { id: u32, action: u32 },
    /// The condition of a method was found to hold.
    Checked,
    /// A task was refined.
    Refined {
        id: u32,
        method: MethodIndex,
        first: u32,
    },
}

impl Network {
    /// A single item, of which nothing was begun.
    pub(super) fn of(element: Element) -> Network {
        Network {
            items: vec![Item {
                id: 0,
                element,
                from: NONE,
                hollow: false,
                promised: false,
            }],
            order: Vec::new(),
            focus: NONE,
            promise: false,
            next: 1,
        }
    }

    /// Places of items without predecessor.
    pub(super) fn first(&self) -> Vec<usize> {
        let waits = |id| self.order.iter().any(|pair| pair.1 == id);
        let places = 0..self.items.len();
        places.filter(|&it| !waits(self.items[it].id)).collect()
    }

    /// Places of items without successor.
    pub(super) fn last(&self) -> Vec<usize> {
        let goes_on = |id| self.order.iter().any(|pair| pair.0 == id);
        let places = 0..self.items.len();
        places.filter(|&it| !goes_on(self.items[it].id)).collect()
    }

    /// An estimate of the memory it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.items.len() * size_of::<Item>() + self.order.len() * 8 + 64) as u64
    }

    /// Places of items without predecessor that the focus allows.
    pub(super) fn allowed(&self) -> Vec<usize> {
        (0..self.items.len())
            .filter(|&place| {
                let item = self.items[place];
                (self.focus == NONE || item.from == self.focus)
                    && (!self.promise || item.promised)
                    && !self.order.iter().any(|&(_, later)| later == item.id)
            })
            .collect()
    }

    /// The items that come after one.
    pub(super) fn after(&self, id: u32) -> Vec<u32> {
        let mut after = vec![id];
        let mut at = 0;
        while at < after.len() {
            for &(first, later) in &self.order {
                if first == after[at] && !after.contains(&later) {
                    after.push(later);
                }
            }
            at += 1;
        }
        after
    }

    /// Removes an item without predecessor.
    pub(super) fn remove(&mut self, place: usize) {
        let id = self.items.remove(place).id;
        self.order.retain(|&(first, _)| first != id);
    }

    /// Removes an item without successor.
    pub(super) fn remove_last(&mut self, place: usize) {
        let id = self.items.remove(place).id;
        self.order.retain(|&(_, later)| later != id);
    }

    /// An action was executed: everyone may go on. A condition that is no
    /// longer there has had its first action.
    pub(super) fn release(&mut self) {
        self.focus = NONE;
        self.give_up_promise();
        let open: FxHashSet<u32> = self.items.iter().map(|item| item.id).collect();
        for item in &mut self.items {
            if !open.contains(&item.from) {
                item.from = NONE;
            }
        }
    }

    /// Everyone may go on.
    pub(super) fn give_up_promise(&mut self) {
        self.promise = false;
        self.items.iter_mut().for_each(|it| it.promised = false);
    }

    /// The next action is to come of one of the items with these numbers.
    pub(super) fn promise(&mut self, ids: std::ops::Range<u32>) {
        self.promise = true;
        for item in &mut self.items {
            item.promised = ids.contains(&item.id);
        }
    }

    /// What had to wait for the item of that number alone, which was there
    /// before and came to nothing, is promised instead. False if nothing was
    /// waiting for it alone.
    pub(super) fn pass_promise(&mut self, before: &Network, id: u32) -> bool {
        let mut any = false;
        for item in &mut self.items {
            let waited = before.order.contains(&(id, item.id));
            item.promised = waited && !self.order.iter().any(|&(_, later)| later == item.id);
            any |= item.promised;
        }
        self.promise = any;
        any
    }

    /// The method of this condition is to have no action: what came from it
    /// counts as the enclosing method's, which still waits for its own. False if
    /// nothing came from it.
    pub(super) fn hollow_out(&mut self, condition: Item) -> bool {
        let mut any = false;
        for item in &mut self.items {
            if item.from == condition.id {
                item.from = condition.from;
                item.hollow = true;
                any = true;
            }
        }
        any
    }

    /// True if an action was promised that cannot come any more.
    pub(super) fn is_lost(&self) -> bool {
        let focused = |item: &Item| item.from == self.focus && !item.hollow;
        self.focus != NONE && !self.items.iter().any(focused)
    }

    /// Replaces a task by a method's subtasks, and by its condition if that has
    /// to be waited for.
    pub(super) fn refine(
        &self,
        ground: &Ground,
        elements: Elements,
        place: usize,
        method: MethodIndex,
        waits: bool,
    ) -> (Network, Cause) {
        let task = self.items[place];
        let schema = &ground.methods[method as usize];
        let count = schema.subtasks.len() as u32;
        let first = self.next;
        let condition = waits.then_some(first + count);
        let mut next = self.clone();
        next.items.remove(place);
        next.next = first + count;
        if let Some(condition) = condition {
            next.next += 1;
            next.items.push(Item {
                id: condition,
                element: elements.pack(Kind::Method(method)),
                from: task.from,
                hollow: task.hollow,
                promised: false,
            });
        }
        for (index, &node) in schema.subtasks.iter().enumerate() {
            next.items.push(Item {
                id: first + index as u32,
                element: elements.node(node),
                from: condition.unwrap_or(task.from),
                hollow: task.hollow,
                promised: false,
            });
        }
        let begins = |it: &u32| !schema.ordering.iter().any(|pair| pair.1 == *it);
        let ends = |it: &u32| !schema.ordering.iter().any(|pair| pair.0 == *it);
        let own = |it: u32| first + it;
        let firsts: Vec<u32> = match condition {
            Some(condition) => vec![condition],
            None => (0..count).filter(begins).map(own).collect(),
        };
        let lasts: Vec<u32> = match condition {
            Some(condition) if count == 0 => vec![condition],
            _ => (0..count).filter(ends).map(own).collect(),
        };
        let mut order = Vec::with_capacity(self.order.len() + schema.ordering.len());
        for &(before, after) in &self.order {
            match (before == task.id, after == task.id) {
                (true, _) => order.extend(lasts.iter().map(|&last| (last, after))),
                (_, true) => order.extend(firsts.iter().map(|&first| (before, first))),
                _ => order.push((before, after)),
            }
        }
        if lasts.is_empty() {
            // What came before it comes before what came after it.
            let earlier = self.order.iter().filter(|pair| pair.1 == task.id);
            for &(before, _) in earlier {
                let later = self.order.iter().filter(|pair| pair.0 == task.id);
                order.extend(later.map(|&(_, after)| (before, after)));
            }
        }
        if let Some(condition) = condition {
            order.extend((0..count).filter(begins).map(|it| (condition, own(it))));
        }
        order.extend(schema.ordering.iter().map(|&(a, b)| (own(a), own(b))));
        next.order = order;
        let event = Cause::Refined {
            id: task.id,
            method,
            first,
        };
        (next, event)
    }

    /// A hash of the whole network that mostly does not depend on how items
    /// are numbered: they are sorted by colour first, and by number only where
    /// colours agree. Different networks never look the same to it.
    pub(super) fn hash(&self) -> u128 {
        let colours = self.colours();
        let mut sorted: Vec<usize> = (0..self.items.len()).collect();
        sorted.sort_by_key(|&place| (colours[place], self.items[place].id));
        let mut rank = FxHashMap::default();
        for (position, &place) in sorted.iter().enumerate() {
            rank.insert(self.items[place].id, position as u128);
        }
        let mut groups: FxHashMap<u32, u128> = FxHashMap::default();
        let mut hash = 0;
        for &place in &sorted {
            let item = self.items[place];
            let next = groups.len() as u128;
            let group = *groups.entry(item.from).or_insert(next);
            let focused = u128::from(self.focus != NONE && item.from == self.focus);
            let promised = u128::from(item.promised);
            let marks = promised << 2 | u128::from(item.hollow) << 1 | focused;
            hash = mix(hash ^ (group << 40 | u128::from(item.element.0) << 3 | marks));
        }
        let mut edges: Vec<u128> = self
            .order
            .iter()
            .filter_map(|(before, after)| Some(rank.get(before)? << 32 | rank.get(after)?))
            .collect();
        edges.sort_unstable();
        edges
            .into_iter()
            .fold(mix(hash), |hash, edge| mix(hash ^ (edge + 1)))
    }

    /// For each item a colour that tells what stands around it, and how many
    /// come before it one after the other.
    fn colours(&self) -> Vec<u128> {
        let places: FxHashMap<u32, usize> = self
            .items
            .iter()
            .enumerate()
            .map(|(place, item)| (item.id, place))
            .collect();
        let mut levels = vec![0u32; self.items.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (before, after) in &self.order {
                if let (Some(&before), Some(&after)) = (places.get(before), places.get(after))
                    && levels[after] <= levels[before]
                {
                    levels[after] = levels[before] + 1;
                    changed = true;
                }
            }
        }
        let mut colours: Vec<u128> = self
            .items
            .iter()
            .zip(levels)
            .map(|(item, level)| mix(u128::from(level) << 32 | u128::from(item.element.0)))
            .collect();
        for _ in 0..2 {
            let mut next = colours.clone();
            for (before, after) in &self.order {
                if let (Some(&before), Some(&after)) = (places.get(before), places.get(after)) {
                    next[before] = next[before].wrapping_add(mix(colours[after]));
                    next[after] = next[after].wrapping_add(mix(!colours[before]));
                }
            }
            colours = next.into_iter().map(mix).collect();
        }
        colours
    }
}
