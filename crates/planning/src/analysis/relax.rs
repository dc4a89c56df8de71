//! The delete relaxation, with tasks and methods inside.
//!
//! Forget what actions delete, and read a task network as a goal: one literal
//! per task ("it has been done"), one operator per method whose preconditions
//! are its own precondition and its subtasks. Any classical heuristic then
//! estimates what is left of a state *and* a stack of tasks. The idea is
//! Höller, Bercher, Behnke and Biundo's ("On guiding search in HTN planning
//! with classical planning heuristics", 2019), who call it RC.
//!
//! Facts that some condition wants false get a second literal, made true by
//! deletes. Negated derived facts are taken to be free, which keeps every
//! estimate optimistic. Comparisons of numbers are made true by actions that
//! help, so many times; see [`repeat`](super::repeat).

use rustc_hash::FxHashMap;

use crate::ground::{Condition, Ground, Node};

use crate::analysis::buckets::Buckets;
use crate::analysis::charge::{Charge, Weight};
use crate::analysis::repeat::{self, Help, Missing, Rates};
use crate::state::states::has;
use crate::state::world::World;

const NONE: u32 = u32::MAX;

/// What an operator of the relaxation stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An action, or one of its conditional effects.
    Action(u32),
    /// A method.
    Method(u32),
    /// A rule for a derived fact.
    Axiom,
}

/// How the costs of several preconditions are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// Their sum: pessimistic, informative.
    Sum,
    /// Their maximum: optimistic.
    Max,
}

/// Lists of numbers in one vector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// No lists.
    pub(crate) fn new() -> Lists {
        Lists {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    /// Adds a list.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// The list at `index`.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> &[u32] {
        let index = index as usize;
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// How many numbers are in all lists together.
    pub(crate) fn total(&self) -> usize {
        self.items.len()
    }

    /// For each of `size` items, the lists that contain it.
    pub(crate) fn inverted(&self, size: usize) -> Lists {
        let mut starts = vec![0u32; size + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for index in 0..size {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.starts.len() as u32 - 1 {
            for &item in self.get(list) {
                items[next[item as usize] as usize] = list;
                next[item as usize] += 1;
            }
        }
        Lists { starts, items }
    }
}

/// The relaxed problem; built once, explored from many states.
pub(crate) struct Relaxation<W = u32> {
    /// Number of literals.
    pub(crate) literals: usize,
    /// For each operator, the literals it needs.
    pub(crate) needs: Lists,
    /// For each operator, the literals it makes true.
    pub(crate) makes: Lists,
    /// For each literal, the operators that need it.
    pub(crate) needed_by: Lists,
    /// For each literal, the operators that make it true.
    pub(crate) made_by: Lists,
    /// For each operator, its charge.
    pub(crate) charge: Vec<W>,
    /// For each operator, what it stands for.
    pub(crate) origin: Vec<Origin>,
    /// For each fact, the literal "it does not hold", or `NONE`.
    negated: Vec<u32>,
    /// Literals that hold in every state.
    free: Vec<u32>,
    need_count: Vec<u32>,
    /// Operators that need nothing.
    pub(crate) needless: Vec<u32>,
    /// Number of facts; their literals come first.
    pub(crate) facts: u32,
    /// The literals of actions and tasks begin here.
    pub(crate) first_action: u32,
    first_task: u32,
    action_operator: FxHashMap<u32, u32>,
    method_operator: FxHashMap<u32, u32>,
    /// How actions help comparisons, and by operator which help it is.
    helps: Vec<Help>,
    help_of: FxHashMap<u32, u32>,
    rates: Vec<Rates>,
}

impl<W: Weight> Relaxation<W> {
    /// The relaxation of a problem.
    pub(crate) fn new(world: &World, charge: Charge) -> Relaxation<W> {
        let actions: Vec<u32> = (0..world.ground.actions.len() as u32).collect();
        let methods: Vec<u32> = (0..world.ground.methods.len() as u32).collect();
        Relaxation::of(world, charge, &actions, &methods)
    }

    /// The relaxation in which only these actions and methods exist. Literals
    /// are numbered as in the relaxation of the whole problem.
    pub(crate) fn of(
        world: &World,
        charge: Charge,
        actions: &[u32],
        methods: &[u32],
    ) -> Relaxation<W> {
        let ground = &world.ground;
        let facts = ground.facts.len() as u32;
        let (negated, first_action) = number_negations(ground);
        let first_task = first_action + ground.actions.len() as u32;
        let literals = first_task as usize + ground.tasks.len();
        let free = world.derived.iter().map(|&fact| negated[fact as usize]);
        let mut relaxed = Relaxation {
            literals,
            needs: Lists::new(),
            makes: Lists::new(),
            needed_by: Lists::default(),
            made_by: Lists::default(),
            charge: Vec::new(),
            origin: Vec::new(),
            free: free.filter(|&literal| literal != NONE).collect(),
            negated,
            need_count: Vec::new(),
            needless: Vec::new(),
            facts,
            first_action,
            first_task,
            action_operator: FxHashMap::default(),
            method_operator: FxHashMap::default(),
            helps: Vec::new(),
            help_of: FxHashMap::default(),
            rates: Vec::new(),
        };
        relaxed.add_actions(world, charge, actions);
        relaxed.rates = repeat::rates(world, &relaxed.helps, &relaxed.charge);
        relaxed.add_methods(ground, charge, methods);
        for axiom in &ground.axioms {
            let needs = relaxed.condition(&axiom.condition);
            relaxed.add(needs, vec![axiom.head], W::ZERO, Origin::Axiom);
        }
        relaxed.needed_by = relaxed.needs.inverted(literals);
        relaxed.made_by = relaxed.makes.inverted(literals);
        let operators = 0..relaxed.charge.len() as u32;
        relaxed.need_count = operators
            .map(|operator| relaxed.needs.get(operator).len() as u32)
            .collect();
        let operators = 0..relaxed.charge.len() as u32;
        relaxed.needless = operators
            .filter(|&operator| relaxed.need_count[operator as usize] == 0)
            .collect();
        relaxed
    }

    fn add_actions(&mut self, world: &World, charge: Charge, actions: &[u32]) {
        for &index in actions {
            let action = &world.ground.actions[index as usize];
            let price = W::of(charge.of_action(action.cost));
            let needs = self.condition(&action.precondition);
            let mut makes = self.effects(&action.add, &action.delete);
            makes.push(self.first_action + index);
            let operator = self.charge.len() as u32;
            self.action_operator.insert(index, operator);
            self.add(needs, makes, price, Origin::Action(index));
            for effect in &action.conditional {
                // It needs the action itself, which was paid for above.
                let mut needs = self.condition(&effect.condition);
                needs.push(self.first_action + index);
                let makes = self.effects(&effect.add, &effect.delete);
                self.add(needs, makes, W::ZERO, Origin::Action(index));
            }
            for part in repeat::parts(world, index) {
                let mut needs = self.condition(&part.condition);
                needs.push(self.first_action + index);
                let help = self.charge.len() as u32;
                self.add(needs, vec![part.fact], W::ZERO, Origin::Action(index));
                self.help_of.insert(help, self.helps.len() as u32);
                self.helps.push(part.help(world, index, operator, help));
            }
        }
    }

    fn add_methods(&mut self, ground: &Ground, charge: Charge, methods: &[u32]) {
        for &index in methods {
            let method = &ground.methods[index as usize];
            let operator = self.charge.len() as u32;
            self.method_operator.insert(index, operator);
            let mut needs = self.condition(&method.precondition);
            needs.extend(method.subtasks.iter().map(|&node| self.node(node)));
            let price = W::of(charge.of_method());
            let makes = vec![self.first_task + method.task];
            self.add(needs, makes, price, Origin::Method(index));
        }
    }

    fn add(&mut self, mut needs: Vec<u32>, makes: Vec<u32>, charge: W, origin: Origin) {
        needs.sort_unstable();
        needs.dedup();
        self.needs.push(needs);
        self.makes.push(makes);
        self.charge.push(charge);
        self.origin.push(origin);
    }

    fn effects(&self, add: &[u32], delete: &[u32]) -> Vec<u32> {
        let deleted = delete
            .iter()
            .filter(|fact| !add.contains(fact))
            .map(|&fact| self.negated[fact as usize])
            .filter(|&literal| literal != NONE);
        add.iter().copied().chain(deleted).collect()
    }

    /// The literals of a condition.
    pub(crate) fn condition(&self, condition: &Condition) -> Vec<u32> {
        let negative = condition.negative.iter();
        let negative = negative.map(|&fact| self.negated[fact as usize]);
        condition.positive.iter().copied().chain(negative).collect()
    }

    /// The literal "this has been done".
    #[inline]
    pub(crate) fn node(&self, node: Node) -> u32 {
        match node {
            Node::Action(action) => self.first_action + action,
            Node::Task(task) => self.first_task + task,
        }
    }

    /// The operator that stands for an action, if the action exists here.
    #[inline]
    pub(crate) fn action(&self, action: u32) -> Option<u32> {
        self.action_operator.get(&action).copied()
    }

    /// The operator that stands for a method, if the method exists here.
    #[inline]
    pub(crate) fn method(&self, method: u32) -> Option<u32> {
        self.method_operator.get(&method).copied()
    }

    /// The fact a literal speaks of, and whether it says that it holds; `None`
    /// for "this has been done".
    pub(crate) fn fact(&self, literal: u32) -> Option<(u32, bool)> {
        if literal < self.facts {
            return Some((literal, true));
        }
        let fact = self.negated.iter().position(|&other| other == literal)?;
        Some((fact as u32, false))
    }

    /// For each operator how many literals it needs, or [`BLOCKED`] if it is
    /// neither one of these actions and methods nor an axiom.
    pub(crate) fn counts_of(&self, actions: &[u32], methods: &[u32]) -> Vec<u32> {
        let mut counts = vec![BLOCKED; self.need_count.len()];
        for &action in actions {
            // An action's conditional effects follow it.
            let Some(first) = self.action(action) else {
                continue;
            };
            let all = self.origin[first as usize..].iter();
            let all = all.take_while(|&&origin| origin == Origin::Action(action));
            for operator in (first as usize..).take(all.count()) {
                counts[operator] = self.need_count[operator];
            }
        }
        let methods = methods.iter().filter_map(|&method| self.method(method));
        for operator in methods.map(|operator| operator as usize) {
            counts[operator] = self.need_count[operator];
        }
        // Axioms come last.
        let is_axiom = |origin: &&Origin| **origin == Origin::Axiom;
        let axioms = self.origin.iter().rev().take_while(is_axiom).count();
        let first = self.origin.len() - axioms;
        counts[first..].copy_from_slice(&self.need_count[first..]);
        counts
    }

    /// The literals that hold in a state.
    pub(crate) fn held<'a>(&'a self, state: &'a [u64]) -> impl Iterator<Item = u32> + 'a {
        let words = (self.facts as usize).div_ceil(64).max(1);
        let facts = crate::state::states::ones(&state[..words]);
        let negated = (0..self.facts).filter_map(move |fact| {
            let literal = self.negated[fact as usize];
            (literal != NONE && !has(state, fact)).then_some(literal)
        });
        facts.chain(negated).chain(self.free.iter().copied())
    }
}

/// Gives every fact that some condition wants false a literal of its own,
/// after those of the facts; returns the first number not used.
fn number_negations(ground: &Ground) -> (Vec<u32>, u32) {
    let mut negated = vec![NONE; ground.facts.len()];
    let mut next = ground.facts.len() as u32;
    let actions = ground.actions.iter();
    let conditions = actions
        .flat_map(|action| {
            let inner = action.conditional.iter().map(|effect| &effect.condition);
            std::iter::once(&action.precondition).chain(inner)
        })
        .chain(ground.methods.iter().map(|method| &method.precondition))
        .chain(ground.axioms.iter().map(|axiom| &axiom.condition))
        .chain((ground.numbers.changes.iter().flatten()).map(|change| &change.condition))
        .chain(std::iter::once(&ground.goal));
    for &fact in conditions.flat_map(|condition| &condition.negative) {
        if negated[fact as usize] == NONE {
            negated[fact as usize] = next;
            next += 1;
        }
    }
    (negated, next)
}

/// No action of a relaxed plan is listed more often.
const MANY_TIMES: u64 = 1000;

/// The number of needs of an operator that must not be used.
const BLOCKED: u32 = u32::MAX;

/// Scratch space for exploring a [`Relaxation`].
pub(crate) struct Explorer<W = u32> {
    /// For each literal, its cost; [`Weight::UNREACHED`] if not reached.
    pub(crate) cost: Vec<W>,
    /// For each literal, the operator that reached it most cheaply.
    supporter: Vec<u32>,
    missing: Vec<u32>,
    sum: Vec<W>,
    queue: Buckets<W>,
    /// Operators of the relaxed plan, marked by round.
    marked: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
    /// Costs up to this one are final.
    level: W,
    /// Steps taken since somebody asked; see [`Explorer::take_work`].
    work: u64,
    /// The same operators, in the order in which they were found.
    plan: Vec<u32>,
    /// For each help, how often it has to be had.
    times: Vec<u64>,
    /// How often actions of the relaxed plan are executed, if more than once.
    repeated: FxHashMap<u32, u64>,
}

impl<W: Weight> Explorer<W> {
    /// Space for one relaxation.
    pub(crate) fn new(relaxed: &Relaxation<W>) -> Explorer<W> {
        Explorer {
            cost: vec![W::UNREACHED; relaxed.literals],
            supporter: vec![NONE; relaxed.literals],
            missing: Vec::new(),
            sum: Vec::new(),
            queue: Buckets::new(),
            marked: vec![0; relaxed.charge.len()],
            seen: vec![0; relaxed.literals],
            round: 0,
            level: W::UNREACHED,
            work: 0,
            plan: Vec::new(),
            times: Vec::new(),
            repeated: FxHashMap::default(),
        }
    }

    /// Steps taken since the last call: what exploring has cost.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Begins to find the costs of literals from a state; [`Explorer::reach_all`]
    /// goes on from here.
    ///
    /// `counts` may replace the numbers of needs, to block operators.
    pub(crate) fn explore(
        &mut self,
        world: &World,
        relaxed: &Relaxation<W>,
        state: &[u64],
        counts: Option<&[u32]>,
        join: Join,
    ) {
        self.sum.clone_from(&relaxed.charge);
        if !relaxed.helps.is_empty() {
            self.charge_helps(world, relaxed, state, join);
        }
        self.begin(relaxed, state, counts.unwrap_or(&relaxed.need_count));
    }

    /// Charges for what has to be done more than once.
    fn charge_helps(&mut self, world: &World, relaxed: &Relaxation<W>, state: &[u64], join: Join) {
        let missing = Missing::new(world, state);
        self.work += 8 * relaxed.helps.len() as u64;
        self.times.clear();
        for help in &relaxed.helps {
            let charge = relaxed.charge[help.of as usize].units();
            let times = missing.times(help);
            // What leads away is the last that should be done.
            self.times.push(times.unwrap_or(u64::MAX));
            let more = match join {
                Join::Sum => {
                    let more = times.unwrap_or(u64::MAX) - 1;
                    charge.saturating_mul(u128::from(more))
                }
                Join::Max => missing.least(help, &relaxed.rates).saturating_sub(charge),
            };
            self.sum[help.operator as usize] = W::of(more.min(W::LARGE.units()));
        }
    }

    /// Goes on until the costs of these literals are final: what is dearer
    /// than all of them need not be looked at.
    pub(crate) fn reach_all(&mut self, relaxed: &Relaxation<W>, goals: &[u32], join: Join) {
        match join {
            Join::Sum => self.go_on(relaxed, Some(goals), |explorer, operator, cost| {
                let sum = &mut explorer.sum[operator as usize];
                *sum = sum.plus(cost);
                *sum
            }),
            Join::Max => self.go_on(relaxed, Some(goals), |explorer, operator, cost| {
                explorer.sum[operator as usize].plus(cost)
            }),
        }
    }

    /// The cost of every literal with the maximum over needs and other charges.
    pub(crate) fn explore_max(&mut self, relaxed: &Relaxation<W>, state: &[u64], charge: &[W]) {
        self.sum.clear();
        self.sum.extend_from_slice(charge);
        // Literals come in ascending order: the last one needed is the dearest.
        self.begin(relaxed, state, &relaxed.need_count);
        self.go_on(relaxed, None, |explorer, operator, cost| {
            explorer.sum[operator as usize].plus(cost)
        });
    }

    fn begin(&mut self, relaxed: &Relaxation<W>, state: &[u64], counts: &[u32]) {
        self.level = W::ZERO;
        self.cost.fill(W::UNREACHED);
        self.missing.clear();
        self.missing.extend_from_slice(counts);
        self.work += (relaxed.literals + 2 * relaxed.charge.len()) as u64 / 16;
        self.queue.clear();
        for literal in relaxed.held(state) {
            self.reach(literal, W::ZERO, NONE);
        }
        let free = |operator: &&u32| counts[**operator as usize] == 0;
        for &operator in relaxed.needless.iter().filter(free) {
            for &literal in relaxed.makes.get(operator) {
                self.reach(literal, self.sum[operator as usize], operator);
            }
        }
    }

    /// Reaches literals in ascending order of cost, until those of the goals
    /// are final or nothing is left. `join` is told of each literal an operator
    /// needs, and answers with the operator's cost so far.
    fn go_on(
        &mut self,
        relaxed: &Relaxation<W>,
        goals: Option<&[u32]>,
        join: impl Fn(&mut Explorer<W>, u32, W) -> W,
    ) {
        let mut open = goals.unwrap_or_default();
        loop {
            while let Some((&goal, rest)) = open.split_first()
                && self.cost[goal as usize] <= self.level
            {
                open = rest;
            }
            if goals.is_some() && open.is_empty() {
                return;
            }
            if !self.next_level(relaxed, &join) {
                return;
            }
        }
    }

    /// Looks at all literals of the least cost that waits; false if none does.
    fn next_level(
        &mut self,
        relaxed: &Relaxation<W>,
        join: &impl Fn(&mut Explorer<W>, u32, W) -> W,
    ) -> bool {
        let Some((level, first)) = self.queue.pop() else {
            self.level = W::UNREACHED;
            return false;
        };
        let mut next = Some((level, first));
        while let Some((cost, literal)) = next {
            if self.cost[literal as usize] == cost {
                self.pass(relaxed, literal, cost, join);
            }
            next = self.queue.pop_at(level);
        }
        self.level = level;
        true
    }

    /// Tells the operators that need a literal what it costs.
    #[inline]
    fn pass(
        &mut self,
        relaxed: &Relaxation<W>,
        literal: u32,
        cost: W,
        join: &impl Fn(&mut Explorer<W>, u32, W) -> W,
    ) {
        let needed_by = relaxed.needed_by.get(literal);
        self.work += 1 + needed_by.len() as u64;
        for &operator in needed_by {
            let total = join(self, operator, cost);
            self.missing[operator as usize] -= 1;
            if self.missing[operator as usize] == 0 {
                for &made in relaxed.makes.get(operator) {
                    self.reach(made, total, operator);
                }
            }
        }
    }

    #[inline]
    fn reach(&mut self, literal: u32, cost: W, supporter: u32) {
        if cost < self.cost[literal as usize] {
            self.cost[literal as usize] = cost;
            self.supporter[literal as usize] = supporter;
            self.queue.push(cost, literal);
        }
    }

    /// Starts collecting a relaxed plan.
    pub(crate) fn start_plan(&mut self) {
        self.round += 1;
        self.plan.clear();
        self.repeated.clear();
    }

    /// Adds what `goal` needs to the relaxed plan and returns the charge of
    /// the operators that are new to it. The goal must have been reached.
    pub(crate) fn plan_for(&mut self, relaxed: &Relaxation<W>, goal: u32) -> W {
        let mut charge = W::ZERO;
        let mut open = vec![goal];
        while let Some(literal) = open.pop() {
            if std::mem::replace(&mut self.seen[literal as usize], self.round) == self.round {
                continue;
            }
            let operator = self.supporter[literal as usize];
            if operator == NONE
                || std::mem::replace(&mut self.marked[operator as usize], self.round) == self.round
            {
                continue;
            }
            charge = charge.plus(relaxed.charge[operator as usize]);
            if let Some(&help) = relaxed.help_of.get(&operator) {
                charge = charge.plus(self.repeat(relaxed, help));
            }
            let needs = relaxed.needs.get(operator);
            self.work += needs.len() as u64;
            open.extend_from_slice(needs);
            self.plan.push(operator);
        }
        charge
    }

    /// Adds repetitions of an action to the relaxed plan, unless something else
    /// needs as many, and returns the charge of those that are new.
    fn repeat(&mut self, relaxed: &Relaxation<W>, help: u32) -> W {
        let times = self.times.get(help as usize).copied().unwrap_or(1);
        let help = &relaxed.helps[help as usize];
        let known = self.repeated.entry(help.action).or_insert(1);
        let more = times.saturating_sub(*known);
        *known += more;
        let charge = relaxed.charge[help.of as usize].units();
        let more = charge.saturating_mul(u128::from(more));
        W::of(more.min(W::LARGE.units()))
    }

    /// For each fact, how many operators of the relaxed plan need it.
    pub(crate) fn needed_in_plan(&self, relaxed: &Relaxation<W>, into: &mut Vec<u32>) {
        into.clear();
        into.resize(relaxed.facts as usize, 0);
        for &operator in &self.plan {
            for &literal in relaxed.needs.get(operator) {
                if literal < relaxed.facts {
                    into[literal as usize] += 1;
                }
            }
        }
    }

    /// The actions of the relaxed plan, those that need least first.
    pub(crate) fn actions_in_plan(&self, relaxed: &Relaxation<W>) -> Vec<u32> {
        let mut actions: Vec<(u128, u32)> = Vec::new();
        for &operator in &self.plan {
            // A conditional effect follows its action, which is in the plan.
            if let Origin::Action(action) = relaxed.origin[operator as usize]
                && relaxed.action(action) == Some(operator)
            {
                let needs = relaxed.needs.get(operator).iter();
                let costs = needs.map(|&literal| self.cost[literal as usize].units());
                actions.push((costs.fold(0, u128::saturating_add), action));
            }
        }
        actions.sort_unstable();
        let actions = actions.into_iter().map(|(_, action)| action);
        if self.repeated.is_empty() {
            return actions.collect();
        }
        let times = |action| {
            self.repeated
                .get(&action)
                .map_or(1, |&it| it.min(MANY_TIMES))
        };
        let repeated = actions.flat_map(|action| (0..times(action)).map(move |_| action));
        repeated.collect()
    }

    /// True if the operator is part of the relaxed plan.
    pub(crate) fn in_plan(&self, operator: u32) -> bool {
        self.marked[operator as usize] == self.round
    }
}
