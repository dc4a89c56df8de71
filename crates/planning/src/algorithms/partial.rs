//! Partially ordered progression: complete, whatever the order allows.
//!
//! A node is a state and a network: what remains, with its order. Something
//! without predecessor comes next: an action is executed, the condition of a
//! method is checked, a task is refined. Which task is refined first does not
//! matter for what can be reached, so one is chosen, the one with fewest
//! methods; actions and conditions are all tried.
//!
//! A method's condition must hold right before the first action of its
//! refinement, so after a condition was checked the next action has to be one
//! of that method's: only what came from it may go on until then. If nothing
//! of it is left by then, this was no way. A method whose refinement has no
//! action at all is another matter: its condition has to hold at some time
//! only, and nobody has to wait for it. So where a refinement may turn out
//! empty, both are tried: the next action is one of it, or it is *hollow*,
//! and every task below it has to be empty too.
//!
//! One tick of the [`Run`] is one node evaluated.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cost::{Cost, Distance};
use crate::ground::{Derivation, Ground, MethodIndex, Node, Refinement};

use crate::algorithms::open_list::OpenList;
use crate::algorithms::root_of;
use crate::heuristics::Estimate;
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::heuristics::scope::ScopeId;
use crate::instance::Instance;
use crate::spaces::hash::mix;
use crate::spaces::stacks::{Element, Elements, Kind};
use crate::spaces::states::StateTable;
use crate::spaces::world::World;

/// Settings of the engine.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The name it goes by.
    pub name: &'static str,
    /// What guides it.
    pub estimate: Estimate,
}

impl Default for Partial {
    fn default() -> Partial {
        Partial {
            name: "htn-partial",
            estimate: Estimate::Ff,
        }
    }
}

impl Engine<Instance> for Partial {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new(
            self.name,
            "partially ordered progression, best estimate first",
        )
        .complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let root = root_of(instance)?;
        run.search(sink, |run, found| {
            let mut search = Search::new(self, instance, run)?;
            search.start(root);
            while let Some(node) = search.open.pop() {
                if search.nodes[node as usize].network.items.is_empty() {
                    found.push(search.derivation(node))?;
                } else {
                    search.expand(node, run)?;
                }
            }
            Ok(())
        })
    }
}

/// For each method, whether some refinement of it has no action.
fn may_be_empty(ground: &Ground) -> Vec<bool> {
    let mut methods = vec![false; ground.methods.len()];
    let mut tasks = vec![false; ground.tasks.len()];
    // The methods in which each task occurs, and how many of a method's
    // subtasks are not known to be possibly empty.
    let mut uses = vec![Vec::new(); ground.tasks.len()];
    let mut missing = vec![0usize; ground.methods.len()];
    let mut open = Vec::new();
    for (index, method) in ground.methods.iter().enumerate() {
        missing[index] = method.subtasks.len();
        for &node in &method.subtasks {
            if let Node::Task(task) = node {
                uses[task as usize].push(index);
            }
        }
        if method.subtasks.is_empty() {
            open.push(index);
        }
    }
    while let Some(index) = open.pop() {
        methods[index] = true;
        let task = ground.methods[index].task as usize;
        if std::mem::replace(&mut tasks[task], true) {
            continue;
        }
        for &user in &uses[task] {
            missing[user] -= 1;
            if missing[user] == 0 {
                open.push(user);
            }
        }
    }
    methods
}

/// Something that remains.
#[derive(Clone, Copy, Debug)]
struct Item {
    id: u32,
    element: Element,
    /// The innermost method whose first action is still to come and that this
    /// came from, as the id of its condition.
    from: u32,
    /// No action may come of it.
    hollow: bool,
}

/// What remains, and in which order.
#[derive(Clone, Debug, Default)]
struct Network {
    items: Vec<Item>,
    /// `(a, b)`: item `a` before item `b`, by id.
    order: Vec<(u32, u32)>,
    /// If set, only what came from this condition may go on, and the next
    /// action is one of it.
    focus: u32,
    next: u32,
}

/// How a node came from its parent.
#[derive(Clone, Copy, Debug)]
enum Cause {
    Start,
    Executed {
        id: u32,
        action: u32,
    },
    Checked,
    Refined {
        id: u32,
        method: MethodIndex,
        first: u32,
    },
}

struct SearchNode {
    state: u32,
    parent: u32,
    event: Cause,
    network: Network,
}

const NONE: u32 = u32::MAX;

struct Search<'a> {
    settings: &'a Partial,
    world: &'a World,
    elements: Elements,
    states: StateTable,
    nodes: Vec<SearchNode>,
    visited: FxHashSet<(u32, u128)>,
    open: OpenList,
    heuristic: Box<dyn Heuristic + 'a>,
    /// For each method, whether its refinement may have no action.
    may_be_empty: Vec<bool>,
    bytes: u64,
}

impl<'a> Search<'a> {
    fn new(
        settings: &'a Partial,
        instance: &'a Instance,
        run: &mut Run<'_>,
    ) -> Result<Search<'a>, Stop> {
        let world = &instance.world;
        Ok(Search {
            settings,
            world,
            elements: Elements::new(&world.ground),
            states: StateTable::new(world.words),
            nodes: Vec::new(),
            visited: FxHashSet::default(),
            open: OpenList::new(1),
            heuristic: settings.estimate.heuristic(instance, run)?,
            may_be_empty: may_be_empty(&world.ground),
            bytes: 0,
        })
    }

    fn start(&mut self, root: u32) {
        let (state, _) = self.states.intern(&self.world.initial());
        let item = Item {
            id: 0,
            element: self.elements.pack(Kind::Task(root)),
            from: NONE,
            hollow: false,
        };
        let network = Network {
            items: vec![item],
            order: Vec::new(),
            focus: NONE,
            next: 1,
        };
        self.nodes.push(SearchNode {
            state,
            parent: NONE,
            event: Cause::Start,
            network,
        });
        self.open.push(0, Cost::ZERO, 0);
    }

    fn expand(&mut self, node: u32, run: &mut Run<'_>) -> Result<(), Leave> {
        let network = self.nodes[node as usize].network.clone();
        let state = self.states.get(self.nodes[node as usize].state).to_vec();
        let allowed = network.allowed();
        // Everything allowed that changes no state can be done at once and in
        // any order, except that a condition narrows what may follow.
        let task = allowed
            .iter()
            .filter_map(
                |&place| match self.elements.kind(network.items[place].element) {
                    Kind::Task(task) => {
                        let methods = &self.world.ground.tasks[task as usize].methods;
                        Some((methods.len(), place, task))
                    }
                    _ => None,
                },
            )
            .min();
        if let Some((_, place, task)) = task {
            let methods = &self.world.ground.tasks[task as usize].methods;
            let hollow = network.items[place].hollow;
            let fits = |method: &&MethodIndex| !hollow || self.may_be_empty[**method as usize];
            let methods: Vec<MethodIndex> = methods.iter().filter(fits).copied().collect();
            for method in methods {
                run.tick()?;
                let (next, event) =
                    network.refine(&self.world.ground, self.elements, place, method);
                self.child(node, &state, next, event);
            }
        }
        for &place in &allowed {
            let item = network.items[place];
            match self.elements.kind(item.element) {
                Kind::Action(action) if self.world.applicable(action, &state) => {
                    run.tick()?;
                    let mut after = state.clone();
                    self.world.apply(action, &mut after);
                    let mut next = network.clone();
                    next.remove(place);
                    next.release();
                    let event = Cause::Executed {
                        id: item.id,
                        action,
                    };
                    self.child(node, &after, next, event);
                }
                Kind::Method(method) => {
                    let condition = &self.world.ground.methods[method as usize].precondition;
                    if !self.world.holds(condition, &state) {
                        continue;
                    }
                    // Among equals the youngest is taken first: that with an action.
                    if self.may_be_empty[method as usize] {
                        run.tick()?;
                        let mut next = network.clone();
                        next.remove(place);
                        next.hollow_out(item);
                        self.child(node, &state, next, Cause::Checked);
                    }
                    if !item.hollow {
                        run.tick()?;
                        let mut next = network.clone();
                        next.remove(place);
                        next.focus = item.id;
                        self.child(node, &state, next, Cause::Checked);
                    }
                }
                _ => {}
            }
        }
        run.effort(self.heuristic.take_work() + 200 * allowed.len() as u64)?;
        run.check_memory(self.bytes + self.states.bytes() + self.open.bytes())?;
        run.progress(self.settings.name, || {
            self.open.best().and_then(Cost::small)
        });
        Ok(())
    }

    fn child(&mut self, parent: u32, state: &[u64], network: Network, event: Cause) {
        if network.is_lost() || network.items.is_empty() && !self.world.is_goal(state) {
            return;
        }
        let (row, _) = self.states.intern(state);
        if !self.visited.insert((row, network.hash())) {
            return;
        }
        let left: Vec<Element> = network.items.iter().map(|item| item.element).collect();
        let estimate = self.heuristic.estimate(&Situation {
            number: row,
            state,
            left: &left,
            scope: ScopeId::default(),
        });
        let Distance::Left(estimate) = estimate else {
            return;
        };
        self.bytes += (size_of::<SearchNode>()
            + network.items.len() * size_of::<Item>()
            + network.order.len() * 8
            + 64) as u64;
        let number = self.nodes.len() as u32;
        self.nodes.push(SearchNode {
            state: row,
            parent,
            event,
            network,
        });
        self.open.push(0, estimate, number);
    }

    fn derivation(&self, node: u32) -> Derivation {
        let mut events = Vec::new();
        let mut at = node;
        while at != NONE {
            events.push(self.nodes[at as usize].event);
            at = self.nodes[at as usize].parent;
        }
        let mut derivation = Derivation::default();
        for event in events.into_iter().rev() {
            match event {
                Cause::Start | Cause::Checked => {}
                Cause::Executed { id, action } => derivation.steps.push((id, action)),
                Cause::Refined { id, method, first } => {
                    let count = self.world.ground.methods[method as usize].subtasks.len();
                    derivation.refinements.push(Refinement {
                        node: id,
                        method,
                        children: (first..first + count as u32).collect(),
                    });
                }
            }
        }
        derivation
    }
}

impl Network {
    /// Places of items without predecessor that the focus allows.
    fn allowed(&self) -> Vec<usize> {
        (0..self.items.len())
            .filter(|&place| {
                let item = self.items[place];
                (self.focus == NONE || item.from == self.focus)
                    && !self.order.iter().any(|&(_, later)| later == item.id)
            })
            .collect()
    }

    fn remove(&mut self, place: usize) {
        let id = self.items[place].id;
        self.items.remove(place);
        self.order.retain(|&(first, _)| first != id);
    }

    /// An action was executed: everyone may go on. A condition that is no
    /// longer there has had its first action.
    fn release(&mut self) {
        self.focus = NONE;
        let open: FxHashSet<u32> = self.items.iter().map(|item| item.id).collect();
        for item in &mut self.items {
            if !open.contains(&item.from) {
                item.from = NONE;
            }
        }
    }

    /// The method of this condition is to have no action: what came from it
    /// counts as the enclosing method's, which still waits for its own.
    fn hollow_out(&mut self, condition: Item) {
        for item in &mut self.items {
            if item.from == condition.id {
                item.from = condition.from;
                item.hollow = true;
            }
        }
    }

    /// True if an action was promised that cannot come any more.
    fn is_lost(&self) -> bool {
        let focused = |item: &Item| item.from == self.focus && !item.hollow;
        self.focus != NONE && !self.items.iter().any(focused)
    }

    /// Replaces a task by a method's condition and its subtasks.
    fn refine(
        &self,
        ground: &Ground,
        elements: Elements,
        place: usize,
        method: MethodIndex,
    ) -> (Network, Cause) {
        let task = self.items[place];
        let schema = &ground.methods[method as usize];
        let count = schema.subtasks.len() as u32;
        let first = self.next;
        let condition = first + count;
        let mut next = self.clone();
        next.items.remove(place);
        next.next = condition + 1;
        next.items.push(Item {
            id: condition,
            element: elements.pack(Kind::Method(method)),
            from: task.from,
            hollow: task.hollow,
        });
        for (index, &node) in schema.subtasks.iter().enumerate() {
            next.items.push(Item {
                id: first + index as u32,
                element: elements.node(node),
                from: condition,
                hollow: task.hollow,
            });
        }
        let mut order = Vec::with_capacity(self.order.len() + schema.ordering.len());
        for &(before, after) in &self.order {
            // The task has no predecessor any more.
            if before != task.id {
                order.push((before, after));
                continue;
            }
            let lasts = (0..count).filter(|&it| !schema.ordering.iter().any(|pair| pair.0 == it));
            order.extend(lasts.map(|last| (first + last, after)));
            if count == 0 {
                order.push((condition, after));
            }
        }
        for it in 0..count {
            if !schema.ordering.iter().any(|pair| pair.1 == it) {
                order.push((condition, first + it));
            }
        }
        order.extend(
            schema
                .ordering
                .iter()
                .map(|&(before, after)| (first + before, first + after)),
        );
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
    fn hash(&self) -> u128 {
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
            let marks = u128::from(item.hollow) << 1 | focused;
            hash = mix(hash ^ (group << 40 | u128::from(item.element.0) << 2 | marks));
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

    /// For each item a colour that tells what stands around it.
    fn colours(&self) -> Vec<u128> {
        let places: FxHashMap<u32, usize> = self
            .items
            .iter()
            .enumerate()
            .map(|(place, item)| (item.id, place))
            .collect();
        let mut colours: Vec<u128> = self
            .items
            .iter()
            .map(|item| mix(u128::from(item.element.0)))
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
