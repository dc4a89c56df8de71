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

use crate::analysis::charge::{Charge, Weight};
use crate::analysis::repeat::{self, Help, Rates};
use crate::state::states::has;
use crate::state::world::World;

pub(crate) const NONE: u32 = u32::MAX;

/// The number of needs of an operator that must not be used.
const BLOCKED: u32 = u32::MAX;

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
    /// The facts that have such a literal, and the literals.
    negations: Vec<(u32, u32)>,
    /// Literals that hold in every state.
    free: Vec<u32>,
    /// For each operator, how many literals it needs.
    pub(crate) need_count: Vec<u32>,
    /// Operators that need nothing.
    pub(crate) needless: Vec<u32>,
    /// Number of facts; their literals come first.
    pub(crate) facts: u32,
    /// For each action, the literal "it has been executed", or `NONE` where
    /// nobody needs it: in a classical problem only its conditional effects do,
    /// unless it was [asked for](Relaxation::with_executed).
    executed: Vec<u32>,
    /// The literals of actions that have been executed begin here.
    first_done: u32,
    /// The literals of tasks begin here.
    first_task: u32,
    action_operator: FxHashMap<u32, u32>,
    method_operator: FxHashMap<u32, u32>,
    /// How actions help comparisons, and by operator which help it is.
    pub(super) helps: Vec<Help>,
    pub(super) help_of: FxHashMap<u32, u32>,
    pub(super) rates: Vec<Rates>,
}

impl<W: Weight> Relaxation<W> {
    /// The relaxation of a problem.
    pub(crate) fn new(world: &World, charge: Charge) -> Relaxation<W> {
        let actions: Vec<u32> = (0..world.ground.actions.len() as u32).collect();
        let methods: Vec<u32> = (0..world.ground.methods.len() as u32).collect();
        Relaxation::of(world, charge, &actions, &methods)
    }

    /// The relaxation of a problem without tasks in which "this action has been
    /// executed" is a literal all the same, to be asked for.
    pub(crate) fn with_executed(world: &World, charge: Charge) -> Relaxation<W> {
        let actions: Vec<u32> = (0..world.ground.actions.len() as u32).collect();
        Relaxation::build(world, charge, &actions, &[], true)
    }

    /// The relaxation in which only these actions and methods exist. Literals
    /// are numbered as in the relaxation of the whole problem.
    pub(crate) fn of(
        world: &World,
        charge: Charge,
        actions: &[u32],
        methods: &[u32],
    ) -> Relaxation<W> {
        let hierarchy = world.ground.root.is_some() || !world.ground.tasks.is_empty();
        Relaxation::build(world, charge, actions, methods, hierarchy)
    }

    fn build(
        world: &World,
        charge: Charge,
        actions: &[u32],
        methods: &[u32],
        executed: bool,
    ) -> Relaxation<W> {
        let ground = &world.ground;
        let facts = ground.facts.len() as u32;
        let (negated, first_action) = number_negations(ground);
        let (executed, first_task) = number_actions(ground, first_action, executed);
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
            negations: (0..facts)
                .map(|fact| (fact, negated[fact as usize]))
                .filter(|&(_, literal)| literal != NONE)
                .collect(),
            negated,
            need_count: Vec::new(),
            needless: Vec::new(),
            facts,
            executed,
            first_done: first_action,
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
        relaxed.index();
        relaxed
    }

    /// The same with operators that make no more true than this; those that
    /// make nothing are left out. For problems without tasks and numbers.
    pub(crate) fn making(&self, makes: &Lists) -> Relaxation<W> {
        let kept = |operator: &u32| !makes.get(*operator).is_empty();
        let kept: Vec<u32> = (0..self.charge.len() as u32).filter(kept).collect();
        let mut lean = Relaxation {
            literals: self.literals,
            needs: Lists::new(),
            makes: Lists::new(),
            needed_by: Lists::default(),
            made_by: Lists::default(),
            charge: Vec::new(),
            origin: Vec::new(),
            free: self.free.clone(),
            negations: self.negations.clone(),
            negated: self.negated.clone(),
            need_count: Vec::new(),
            needless: Vec::new(),
            facts: self.facts,
            executed: self.executed.clone(),
            first_done: self.first_done,
            first_task: self.first_task,
            action_operator: FxHashMap::default(),
            method_operator: FxHashMap::default(),
            helps: Vec::new(),
            help_of: FxHashMap::default(),
            rates: Vec::new(),
        };
        for old in kept {
            let new = lean.charge.len() as u32;
            let origin = self.origin[old as usize];
            if let Origin::Action(action) = origin
                && self.action(action) == Some(old)
            {
                lean.action_operator.insert(action, new);
            }
            let needs = self.needs.get(old).to_vec();
            let makes = makes.get(old).to_vec();
            lean.add(needs, makes, self.charge[old as usize], origin);
        }
        lean.index();
        lean
    }

    /// Says who needs and who makes what.
    fn index(&mut self) {
        self.needed_by = self.needs.inverted(self.literals);
        self.made_by = self.makes.inverted(self.literals);
        let operators = 0..self.charge.len() as u32;
        self.need_count = operators
            .map(|operator| self.needs.get(operator).len() as u32)
            .collect();
        let operators = 0..self.charge.len() as u32;
        self.needless = operators
            .filter(|&operator| self.need_count[operator as usize] == 0)
            .collect();
    }

    fn add_actions(&mut self, world: &World, charge: Charge, actions: &[u32]) {
        for &index in actions {
            let action = &world.ground.actions[index as usize];
            let price = W::of(charge.of_action(action.cost));
            let needs = self.condition(&action.precondition);
            let mut makes = self.effects(&action.add, &action.delete);
            // What it needs it does not make true.
            makes.retain(|literal| !needs.contains(literal));
            let executed = self.executed[index as usize];
            makes.extend((executed != NONE).then_some(executed));
            let operator = self.charge.len() as u32;
            self.action_operator.insert(index, operator);
            self.add(needs, makes, price, Origin::Action(index));
            for effect in &action.conditional {
                // It needs the action itself, which was paid for above.
                let mut needs = self.condition(&effect.condition);
                needs.push(executed);
                let makes = self.effects(&effect.add, &effect.delete);
                self.add(needs, makes, W::ZERO, Origin::Action(index));
            }
            for part in repeat::parts(world, index) {
                let mut needs = self.condition(&part.condition);
                needs.push(executed);
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

    /// How many literals there would be if each action had one.
    pub(crate) fn size(&self) -> usize {
        let without = self.executed.iter().filter(|&&it| it == NONE);
        self.literals + without.count()
    }

    /// The literal "this has been done".
    #[inline]
    pub(crate) fn node(&self, node: Node) -> u32 {
        match node {
            Node::Action(action) => self.executed[action as usize],
            Node::Task(task) => self.first_task + task,
        }
    }

    /// True if a literal says that something has been done: an action or a task.
    #[inline]
    pub(crate) fn is_done(&self, literal: u32) -> bool {
        literal >= self.first_done
    }

    /// The operator of the action whose having been executed a literal says.
    #[inline]
    pub(crate) fn executes(&self, literal: u32) -> Option<u32> {
        if literal < self.first_done || literal >= self.first_task {
            return None;
        }
        self.made_by.get(literal).first().copied()
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
        let negated = self.negations.iter();
        let negated = negated.filter(move |&&(fact, _)| !has(state, fact));
        let negated = negated.map(|&(_, literal)| literal);
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

/// Gives actions that have been executed a literal, all of them or those that
/// something of their own needs; returns the first number not used.
fn number_actions(ground: &Ground, mut next: u32, all: bool) -> (Vec<u32>, u32) {
    let numbers = &ground.numbers;
    let needed = |index: u32| {
        all || !ground.actions[index as usize].conditional.is_empty()
            || !numbers.changes_of(index).is_empty()
    };
    let number = |index| {
        next += u32::from(needed(index));
        match needed(index) {
            true => next - 1,
            false => NONE,
        }
    };
    let executed = (0..ground.actions.len() as u32).map(number).collect();
    (executed, next)
}
