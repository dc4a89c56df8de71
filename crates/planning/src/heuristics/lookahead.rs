//! Reading ahead: what the remaining tasks rule out before they are reached.
//!
//! The stack is read from the top, keeping two sets: facts that may hold and
//! facts that may fail at this point whatever was chosen before. A method
//! whose inferred preconditions contradict them will never apply. Then it is
//! read from the bottom, keeping what later elements insist on: a method that
//! surely destroys such a fact, where nothing later can restore it, is out
//! too. Both readings repeat until nothing changes. A task left without a
//! method ends the node; a task left with one is refined on the spot, wherever
//! it stands in the stack, and what that reveals is read in turn.
//!
//! The forward half is Olz and Bercher's look-ahead ("A look-ahead technique
//! for search-based HTN planning", 2023). With the backward half, a network of
//! one task per Sudoku cell propagates exactly the naked singles.

use crate::ground::{MethodIndex, Node};

use crate::analysis::infer::{Inference, include, include_effects};
use crate::state::stacks::{Element, Elements, Kind, StackId, Stacks};
use crate::state::states::{clear, has, set};
use crate::state::world::World;

/// How far and how hard to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Elements read from the top at most.
    pub(crate) horizon: usize,
    /// Whether it reads less far while reading farther shows nothing.
    pub(crate) adapts: bool,
    /// Tasks refined on the spot in one reading.
    pub(crate) refinements: usize,
    /// Whether the backward reading is worth its time.
    pub(crate) backward: bool,
}

/// A method is a dead end here, or the stack may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No plan this way.
    Dead,
    /// The stack with forced tasks refined.
    Alive(StackId),
}

struct Item {
    element: Element,
    /// For a task, the methods not yet ruled out: a range of `methods`.
    from: u32,
    to: u32,
}

/// Reads stacks ahead; holds its working space.
pub(crate) struct LookAhead {
    reach: Reach,
    items: Vec<Item>,
    methods: Vec<MethodIndex>,
    below: StackId,
    sight: Sight,
    possible: Vec<u64>,
    avoidable: Vec<u64>,
    wanted: Vec<u64>,
    unwanted: Vec<u64>,
    refined: usize,
    /// For each task, how often it ended a node.
    failures: Vec<u32>,
    work: u64,
}

impl LookAhead {
    /// A reader for states of `words` words and `tasks` tasks.
    pub(crate) fn new(words: usize, tasks: usize, reach: Reach) -> LookAhead {
        LookAhead {
            reach,
            items: Vec::new(),
            methods: Vec::new(),
            below: 0,
            sight: Sight::new(reach),
            possible: vec![0; words],
            avoidable: vec![0; words],
            wanted: vec![0; words],
            unwanted: vec![0; words],
            refined: 0,
            failures: vec![0; tasks],
            work: 0,
        }
    }

    /// Steps taken since the last call: what reading has cost.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Reads the stack from a state.
    pub(crate) fn read(
        &mut self,
        view: &View<'_>,
        stacks: &mut Stacks,
        state: &[u64],
        stack: StackId,
    ) -> Verdict {
        let horizon = self.sight.begin();
        self.unroll(view, stacks, stack, horizon);
        self.refined = 0;
        let alive = self.propagate(view, state);
        self.sight.end();
        if !alive {
            return Verdict::Dead;
        }
        if self.refined == 0 {
            return Verdict::Alive(stack);
        }
        let mut rebuilt = self.below;
        for item in self.items.iter().rev() {
            rebuilt = stacks.push(item.element, rebuilt);
        }
        Verdict::Alive(rebuilt)
    }

    /// Both readings until nothing changes; false at a dead end.
    fn propagate(&mut self, view: &View<'_>, state: &[u64]) -> bool {
        loop {
            if !self.forward(view, state) {
                return false;
            }
            if !self.reach.backward {
                return true;
            }
            let choices = self.items.first().map_or(0, |first| first.to);
            let changed = self.backward(view);
            // What comes next has fewer ways: who insisted on that is not known.
            if changed.is_none() || self.items.first().is_some_and(|it| it.to < choices) {
                self.sight.learned(self.items.len());
            }
            match changed {
                None => return false,
                Some(true) => {}
                Some(false) => return true,
            }
        }
    }

    /// The place, counted from the top, of the task with fewest methods left
    /// for the trouble it has made so far.
    pub(crate) fn fewest(&self, elements: Elements) -> Option<usize> {
        let tasks = self.items.iter().enumerate();
        tasks
            .filter_map(|(place, item)| match elements.kind(item.element) {
                Kind::Task(task) => {
                    let left = u64::from(item.to - item.from) << 32;
                    let trouble = 1 + u64::from(self.failures[task as usize]);
                    Some((left / trouble, place))
                }
                _ => None,
            })
            .min()
            .map(|(_, place)| place)
    }

    /// The methods left for the task at a place.
    pub(crate) fn choices(&self, place: usize) -> &[MethodIndex] {
        self.left(&self.items[place])
    }

    fn left(&self, item: &Item) -> &[MethodIndex] {
        &self.methods[item.from as usize..item.to as usize]
    }

    fn unroll(&mut self, view: &View<'_>, stacks: &Stacks, mut stack: StackId, horizon: usize) {
        self.items.clear();
        self.methods.clear();
        while self.items.len() < horizon
            && let Some((element, below)) = stacks.pop(stack)
        {
            let item = self.item(view, element);
            self.items.push(item);
            stack = below;
        }
        self.below = stack;
    }

    fn item(&mut self, view: &View<'_>, element: Element) -> Item {
        let from = self.methods.len() as u32;
        self.work += 4;
        if let Kind::Task(task) = view.elements.kind(element) {
            let methods = &view.world.ground.tasks[task as usize].methods;
            self.methods.extend_from_slice(methods);
        }
        Item {
            element,
            from,
            to: self.methods.len() as u32,
        }
    }

    /// Reads downwards; false if some element cannot be served.
    fn forward(&mut self, view: &View<'_>, state: &[u64]) -> bool {
        self.possible.copy_from_slice(state);
        for (avoidable, word) in self.avoidable.iter_mut().zip(state) {
            *avoidable = !word;
        }
        for &fact in &view.world.derived {
            set(&mut self.possible, fact);
            set(&mut self.avoidable, fact);
        }
        let mut index = 0;
        while index < self.items.len() {
            match view.elements.kind(self.items[index].element) {
                Kind::Action(action) => {
                    let summary = &view.inference.actions[action as usize];
                    if !self.agrees(&summary.needs, &summary.forbids) {
                        self.sight.learned(index);
                        return false;
                    }
                    include_effects(view.world, action, &mut self.possible, &mut self.avoidable);
                    self.know(&summary.ensures, &summary.prevents);
                }
                Kind::Method(method) => {
                    let Some(summary) = &view.inference.methods[method as usize] else {
                        return false;
                    };
                    if !self.agrees(&summary.needs, &summary.forbids) {
                        self.sight.learned(index);
                        return false;
                    }
                    self.know(&summary.needs, &summary.forbids);
                }
                Kind::Task(task) => {
                    self.filter(index, |reader, method| {
                        let summary = view.inference.methods[method as usize].as_ref();
                        summary.is_some_and(|it| reader.agrees(&it.needs, &it.forbids))
                    });
                    match self.left(&self.items[index]) {
                        [] => {
                            self.failures[task as usize] += 1;
                            self.sight.learned(index);
                            return false;
                        }
                        &[method] if self.refined < self.reach.refinements => {
                            self.refine(view, index, method);
                            continue;
                        }
                        _ => {
                            include(&mut self.possible, view.inference.may_add(task));
                            include(&mut self.avoidable, view.inference.may_delete(task));
                            if let Some(it) = &view.inference.tasks[task as usize] {
                                self.know(&it.ensures, &it.prevents);
                            }
                        }
                    }
                }
            }
            index += 1;
        }
        // If this was the whole stack, the goal is next.
        let goal = &view.world.ground.goal;
        if self.below != 0 || self.agrees(&goal.positive, &goal.negative) {
            return true;
        }
        self.sight.learned(self.items.len());
        false
    }

    /// Reads upwards; `None` if two elements contradict each other, else
    /// whether a method was ruled out.
    fn backward(&mut self, view: &View<'_>) -> Option<bool> {
        self.wanted.fill(0);
        self.unwanted.fill(0);
        if self.below == 0 {
            let goal = &view.world.ground.goal;
            self.want(view, &goal.positive, &goal.negative);
        }
        let mut changed = false;
        for index in (0..self.items.len()).rev() {
            match view.elements.kind(self.items[index].element) {
                Kind::Action(action) => {
                    let it = &view.inference.actions[action as usize];
                    if self.spoils(&it.ensures, &it.prevents) {
                        return None;
                    }
                    let helped = view.world.values.helped(action);
                    let action = &view.world.ground.actions[action as usize];
                    let inner = action.conditional.iter();
                    let adds = inner.clone().flat_map(|effect| &effect.add);
                    for &fact in action.add.iter().chain(adds).chain(helped) {
                        clear(&mut self.wanted, fact);
                    }
                    let deletes = inner.flat_map(|effect| &effect.delete);
                    for &fact in action.delete.iter().chain(deletes) {
                        clear(&mut self.unwanted, fact);
                    }
                    self.want(view, &it.needs, &it.forbids);
                }
                Kind::Method(method) => {
                    if let Some(it) = &view.inference.methods[method as usize] {
                        self.want(view, &it.needs, &it.forbids);
                    }
                }
                Kind::Task(task) => {
                    changed |= self.filter(index, |reader, method| {
                        let summary = view.inference.methods[method as usize].as_ref();
                        summary.is_some_and(|it| !reader.spoils(&it.ensures, &it.prevents))
                    });
                    if self.left(&self.items[index]).is_empty() {
                        self.failures[task as usize] += 1;
                        return None;
                    }
                    exclude(&mut self.wanted, view.inference.may_add(task));
                    exclude(&mut self.unwanted, view.inference.may_delete(task));
                    if let Some(it) = &view.inference.tasks[task as usize] {
                        self.want(view, &it.needs, &it.forbids);
                    }
                }
            }
        }
        Some(changed)
    }

    /// Replaces the task at `index` by its only method and the subtasks.
    fn refine(&mut self, view: &View<'_>, index: usize, method: MethodIndex) {
        self.refined += 1;
        let chosen = view.elements.pack(Kind::Method(method));
        self.items[index] = self.item(view, chosen);
        let ground = &view.world.ground;
        let subtasks = &ground.methods[method as usize].subtasks;
        let revealed: Vec<Item> = subtasks
            .iter()
            .map(|&node: &Node| self.item(view, view.elements.node(node)))
            .collect();
        self.items.splice(index + 1..index + 1, revealed);
    }

    /// Keeps the methods of an item that pass; true if some did not.
    fn filter(&mut self, index: usize, keep: impl Fn(&LookAhead, MethodIndex) -> bool) -> bool {
        let (from, to) = (self.items[index].from, self.items[index].to);
        self.work += u64::from(to - from) * 4 + self.possible.len() as u64 / 2;
        let mut end = from;
        for place in from..to {
            let method = self.methods[place as usize];
            if keep(self, method) {
                self.methods[end as usize] = method;
                end += 1;
            }
        }
        self.items[index].to = end;
        end != to
    }

    #[inline]
    fn agrees(&self, needs: &[u32], forbids: &[u32]) -> bool {
        needs.iter().all(|&fact| has(&self.possible, fact))
            && forbids.iter().all(|&fact| has(&self.avoidable, fact))
    }

    #[inline]
    fn know(&mut self, holds: &[u32], fails: &[u32]) {
        holds.iter().for_each(|&fact| {
            set(&mut self.possible, fact);
            clear(&mut self.avoidable, fact);
        });
        fails.iter().for_each(|&fact| {
            clear(&mut self.possible, fact);
            set(&mut self.avoidable, fact);
        });
    }

    #[inline]
    fn spoils(&self, ensures: &[u32], prevents: &[u32]) -> bool {
        prevents.iter().any(|&fact| has(&self.wanted, fact))
            || ensures.iter().any(|&fact| has(&self.unwanted, fact))
    }

    #[inline]
    fn want(&mut self, view: &View<'_>, needs: &[u32], forbids: &[u32]) {
        let is_base = |fact: &&u32| view.world.derived.binary_search(fact).is_err();
        for &fact in needs.iter().filter(is_base) {
            set(&mut self.wanted, fact);
        }
        for &fact in forbids.iter().filter(is_base) {
            set(&mut self.unwanted, fact);
        }
    }
}

/// How far to read: where a hundred tasks wait and each has its methods, most
/// of the time would go to reading what neither ends a node nor rules out a way
/// to go on. While readings show nothing of this kind in their farther half it
/// is left out; every so often a reading goes as far as it may, and if that
/// shows something, they all do.
struct Sight {
    reach: Reach,
    near: usize,
    /// Readings since something was learned far away.
    idle: u32,
    /// The farthest place at which this reading has learned something.
    farthest: Option<usize>,
}

impl Sight {
    /// Readings in vain after which the next ones go half as far.
    const PATIENCE: u32 = 32;
    /// Nobody looks less far.
    const LEAST: usize = 20;

    fn new(reach: Reach) -> Sight {
        Sight {
            reach,
            near: reach.horizon,
            idle: 0,
            farthest: None,
        }
    }

    /// How many elements the next reading should see.
    fn begin(&mut self) -> usize {
        self.farthest = None;
        match self.reach.adapts && !self.idle.is_multiple_of(Sight::PATIENCE) {
            true => self.near,
            false => self.reach.horizon,
        }
    }

    fn learned(&mut self, place: usize) {
        self.farthest = self.farthest.max(Some(place));
    }

    fn end(&mut self) {
        self.idle += 1;
        match self.farthest {
            Some(place) if place >= self.near => {
                self.near = self.reach.horizon;
                self.idle = 1;
            }
            Some(place) if place > self.near / 2 => self.idle = 1,
            _ if self.idle.is_multiple_of(Sight::PATIENCE) => {
                self.near = (self.near / 2).max(Sight::LEAST.min(self.reach.horizon));
            }
            _ => {}
        }
    }
}

/// What a reader reads with.
pub(crate) struct View<'a> {
    pub(crate) world: &'a World,
    pub(crate) inference: &'a Inference,
    pub(crate) elements: Elements,
}

fn exclude(words: &mut [u64], less: &[u64]) {
    for (word, less) in words.iter_mut().zip(less) {
        *word &= !less;
    }
}
