//! Every instance of everything, and what conditions say of a state.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::numeric::{Ratio, TooLarge, VALUES};
use crate::problem::{Action, Amount, Atom, Formula, Network, Node, Number, Price, Problem, Term};

/// Facts that hold, one bit each, and the values of fluents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    facts: u128,
    numbers: [Ratio; VALUES],
}

/// How many instances of anything there may be.
const MANY: usize = 4_000;

/// Everything a problem can do.
pub struct World<'p> {
    pub problem: &'p Problem,
    /// The number of each predicate's first fact.
    first: Vec<usize>,
    /// Actions with arguments.
    pub actions: Vec<(usize, Vec<usize>)>,
    /// Per task with arguments: the ways to carry it out. The first is the
    /// initial network.
    pub tasks: Vec<Vec<Way>>,
    closures: RefCell<HashMap<State, State>>,
    /// The number of each fluent's first value.
    first_value: Vec<usize>,
    /// Something was too large to be calculated: nothing is known.
    pub too_large: Cell<bool>,
}

/// A method with values for its parameters.
pub struct Way {
    /// The number of the method; `None` for the initial network.
    pub method: Option<usize>,
    pub values: Vec<usize>,
    pub subtasks: Vec<Item>,
    /// Pairs of places, transitively closed or not.
    pub order: Vec<(usize, usize)>,
}

/// Something to do: an index into [`World::tasks`] or [`World::actions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    Task(usize),
    Action(usize),
}

impl<'p> World<'p> {
    /// `None` if there is too much of it.
    pub fn new(problem: &'p Problem) -> Option<World<'p>> {
        let objects = problem.objects.len();
        let mut first = Vec::new();
        let mut facts = 0usize;
        for parameters in &problem.predicates {
            first.push(facts);
            facts = facts.checked_add(objects.checked_pow(parameters.len() as u32)?)?;
        }
        let mut first_value = Vec::new();
        let mut values = 0;
        for fluent in &problem.fluents {
            first_value.push(values);
            values += fluent.start.len();
        }
        if values > VALUES {
            return None;
        }
        let schemas = problem.actions.len() + problem.methods.len() + problem.tasks.len();
        if facts > 128 || schemas > 200 {
            return None;
        }
        let mut world = World {
            problem,
            first,
            actions: Vec::new(),
            tasks: Vec::new(),
            closures: RefCell::default(),
            first_value,
            too_large: Cell::default(),
        };
        for (number, action) in problem.actions.iter().enumerate() {
            for values in rows(problem, &action.parameters)? {
                world.actions.push((number, values));
            }
        }
        world.hierarchy()?;
        Some(world)
    }

    fn hierarchy(&mut self) -> Option<()> {
        let Some(top) = &self.problem.top else {
            return Some(());
        };
        let mut heads = HashMap::new();
        for (task, parameters) in self.problem.tasks.iter().enumerate() {
            for values in rows(self.problem, parameters)? {
                heads.insert((task, values), heads.len() + 1);
            }
        }
        let actions: HashMap<_, _> = self.actions.iter().cloned().zip(0..).collect();
        let item = |node: Node, values: Vec<usize>| match node {
            Node::Task(task) => heads.get(&(task, values)).copied().map(Item::Task),
            Node::Action(action) => actions.get(&(action, values)).copied().map(Item::Action),
        };
        let mut tasks: Vec<Vec<Way>> = (0..=heads.len()).map(|_| Vec::new()).collect();
        let mut ways = 0;
        let mut add = |head: usize, method, network: &Network, values: Vec<usize>| {
            // Where an argument does not fit its type there is no such way.
            let items = network.subtasks.iter().map(|subtask| {
                let arguments = subtask.terms.iter().map(|it| value(it, &values));
                item(subtask.node, arguments.collect())
            });
            let items: Option<Vec<Item>> = items.collect();
            if let Some(subtasks) = items
                && self.all(&network.constraints, self.bare(), &values)
            {
                ways += 1;
                let count = subtasks.len();
                let order = match &network.order {
                    Some(pairs) => pairs.clone(),
                    None => (1..count).map(|place| (place - 1, place)).collect(),
                };
                tasks[head].push(Way {
                    method,
                    values,
                    subtasks,
                    order,
                });
            }
        };
        for values in rows(self.problem, &top.parameters)? {
            add(0, None, &top.network, values);
        }
        for (number, method) in self.problem.methods.iter().enumerate() {
            for values in rows(self.problem, &method.parameters)? {
                let arguments = method.terms.iter().map(|it| value(it, &values)).collect();
                if let Some(&head) = heads.get(&(method.task, arguments)) {
                    add(head, Some(number), &method.network, values);
                }
            }
        }
        self.tasks = tasks;
        (ways <= MANY).then_some(())
    }

    /// No facts, and the values of the start.
    fn bare(&self) -> State {
        let mut numbers = [Ratio::UNDEFINED; VALUES];
        let starts = self.problem.fluents.iter().flat_map(|it| &it.start);
        for (number, start) in numbers.iter_mut().zip(starts) {
            *number = start.map_or(Ratio::UNDEFINED, Ratio::tenths);
        }
        State { facts: 0, numbers }
    }

    fn fact(&self, predicate: usize, values: impl Iterator<Item = usize>) -> u128 {
        let objects = self.problem.objects.len();
        let offset = values.fold(0, |sum, value| sum * objects + value);
        1 << (self.first[predicate] + offset)
    }

    fn atom(&self, atom: &Atom, values: &[usize]) -> u128 {
        let terms = atom.terms.iter().map(|it| value(it, values));
        self.fact(atom.predicate, terms)
    }

    /// The initial state, with what is derived.
    pub fn initial(&self) -> State {
        let init = self.problem.init.iter();
        let mut state = self.bare();
        for (predicate, values) in init {
            state.facts |= self.fact(*predicate, values.iter().copied());
        }
        self.close(state)
    }

    /// Adds what is derived; `base` holds nothing derived.
    fn close(&self, base: State) -> State {
        if self.problem.derived.is_empty() {
            return base;
        }
        if let Some(&known) = self.closures.borrow().get(&base) {
            return known;
        }
        let mut state = base;
        for predicate in 0..self.problem.predicates.len() {
            loop {
                let before = state;
                let rules = self.problem.derived.iter();
                for rule in rules.filter(|rule| rule.predicate == predicate) {
                    let kinds = &self.problem.predicates[predicate];
                    for values in rows(self.problem, kinds).unwrap_or_default() {
                        if self.all(&rule.condition, state, &values) {
                            state.facts |= self.fact(predicate, values.into_iter());
                        }
                    }
                }
                if before == state {
                    break;
                }
            }
        }
        self.closures.borrow_mut().insert(base, state);
        state
    }

    /// True if all conditions hold.
    pub fn all(&self, conditions: &[Formula], state: State, values: &[usize]) -> bool {
        conditions
            .iter()
            .all(|it| self.holds(it, state, values, true))
    }

    /// What a number comes to.
    fn number(&self, number: &Number, state: &State, values: &[usize]) -> Ratio {
        match number {
            Number::Constant(tenths) => Ratio::tenths(*tenths),
            Number::Fluent(fluent, of) => state.numbers[self.place(*fluent, of, values)],
            Number::Two(sign, parts) => {
                let [a, b] = &**parts;
                let (a, b) = (self.number(a, state, values), self.number(b, state, values));
                self.small(Ratio::two(*sign, a, b))
            }
        }
    }

    fn place(&self, fluent: usize, of: &Option<Term>, values: &[usize]) -> usize {
        self.first_value[fluent] + of.as_ref().map_or(0, |it| value(it, values))
    }

    fn small(&self, result: Result<Ratio, TooLarge>) -> Ratio {
        result.unwrap_or_else(|TooLarge| {
            self.too_large.set(true);
            Ratio::UNDEFINED
        })
    }

    /// True if the formula holds, or, if that is asked, does not. Numbers that
    /// are undefined neither compare so nor otherwise.
    fn holds(&self, formula: &Formula, state: State, values: &[usize], positive: bool) -> bool {
        let all = |parts: &[Formula]| {
            let mut parts = parts.iter();
            parts.all(|it| self.holds(it, state, values, positive))
        };
        let any = |parts: &[Formula]| {
            let mut parts = parts.iter();
            parts.any(|it| self.holds(it, state, values, positive))
        };
        let with = |object: usize, it: &Formula| {
            self.holds(it, state, &[values, &[object]].concat(), positive)
        };
        match formula {
            Formula::Atom(atom) => (state.facts & self.atom(atom, values) != 0) == positive,
            Formula::Equal(a, b) => (value(a, values) == value(b, values)) == positive,
            Formula::Compare(it) => {
                let [a, b] = it.sides.each_ref();
                let (a, b) = (
                    self.number(a, &state, values),
                    self.number(b, &state, values),
                );
                Ratio::compare(it.sign, a, b, positive)
            }
            Formula::Not(it) => self.holds(it, state, values, !positive),
            Formula::And(parts) if positive => all(parts),
            Formula::And(parts) => any(parts),
            Formula::Or(parts) if positive => any(parts),
            Formula::Or(parts) => all(parts),
            Formula::Imply(a, b) => {
                let (first, second) = (
                    self.holds(a, state, values, !positive),
                    self.holds(b, state, values, positive),
                );
                if positive {
                    first || second
                } else {
                    first && second
                }
            }
            Formula::Forall(kind, it) | Formula::Exists(kind, it) => {
                let mut objects = self.problem.objects_of(*kind);
                match matches!(formula, Formula::Forall(..)) == positive {
                    true => objects.all(|object| with(object, it)),
                    false => objects.any(|object| with(object, it)),
                }
            }
        }
    }

    /// True if the condition of a way holds.
    pub fn fits(&self, way: &Way, state: State) -> bool {
        way.method.is_none_or(|method| {
            let condition = &self.problem.methods[method].condition;
            self.all(condition, state, &way.values)
        })
    }

    /// True if the goal holds.
    pub fn is_goal(&self, state: State) -> bool {
        self.all(&self.problem.goal, state, &[])
    }

    /// The state after an action; `None` if it cannot be executed.
    pub fn step(&self, action: usize, state: State) -> Option<State> {
        let (number, values) = &self.actions[action];
        let schema = &self.problem.actions[*number];
        let fits = self.all(&schema.condition, state, values);
        fits.then(|| self.apply(schema, values, state))?
    }

    /// Values that all objects of a type, or nobody, are appended to.
    fn each(&self, each: Option<usize>, values: &[usize]) -> Vec<Vec<usize>> {
        match each {
            None => vec![values.to_vec()],
            Some(kind) => {
                let objects = self.problem.objects_of(kind);
                objects.map(|object| [values, &[object]].concat()).collect()
            }
        }
    }

    /// The values after an action; `None` if one of them has none, or two
    /// changes contradict each other.
    fn numbers_after(
        &self,
        schema: &Action,
        values: &[usize],
        state: State,
    ) -> Option<[Ratio; VALUES]> {
        let mut after = state.numbers;
        // Per value, what was done to it: added to, or anything else.
        let mut done: [Option<bool>; VALUES] = [None; VALUES];
        for change in &schema.changes {
            for values in self.each(change.each, values) {
                if !self.all(&change.when, state, &values) {
                    continue;
                }
                let place = self.place(change.fluent, &change.of, &values);
                let amount = self.number(&change.amount, &state, &values);
                let adds = matches!(change.word, "increase" | "decrease");
                if done[place].is_some_and(|before| !before || !adds) {
                    return None;
                }
                done[place] = Some(adds);
                let now = after[place];
                after[place] = match change.word {
                    "assign" => amount,
                    "increase" => self.small(Ratio::two('+', now, amount)),
                    "decrease" => self.small(Ratio::two('-', now, amount)),
                    "scale-up" => self.small(Ratio::two('*', now, amount)),
                    _ => self.small(Ratio::two('/', now, amount)),
                };
                if after[place].is_undefined() {
                    return None;
                }
            }
        }
        Some(after)
    }

    fn apply(&self, schema: &Action, values: &[usize], state: State) -> Option<State> {
        let numbers = self.numbers_after(schema, values, state)?;
        let (mut add, mut delete) = (0, 0);
        for effect in &schema.effects {
            for values in self.each(effect.each, values) {
                if self.all(&effect.when, state, &values) {
                    let fact = self.atom(&effect.atom, &values);
                    *if effect.add { &mut add } else { &mut delete } |= fact;
                }
            }
        }
        let mut base = (state.facts & !delete) | add;
        let objects = self.problem.objects.len();
        for (predicate, parameters) in self.problem.predicates.iter().enumerate() {
            if self.problem.is_derived(predicate) {
                for offset in 0..objects.pow(parameters.len() as u32) {
                    base &= !(1 << (self.first[predicate] + offset));
                }
            }
        }
        Some(self.close(State {
            facts: base,
            numbers,
        }))
    }

    /// What an action costs.
    pub fn price(&self, action: usize) -> Amount {
        let (number, values) = &self.actions[action];
        price(self.problem, *number, values)
    }
}

/// What an action costs with these arguments.
pub fn price(problem: &Problem, action: usize, values: &[usize]) -> Amount {
    match &problem.actions[action].price {
        Some(Price::Number(amount)) => *amount,
        Some(Price::Function(function, term)) => problem.functions[*function][value(term, values)],
        None if problem.speaks_of_cost() => Amount(0),
        None => Amount::whole(1),
    }
}

fn value(term: &Term, values: &[usize]) -> usize {
    match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => values[*variable],
    }
}

/// All values for parameters of these types; `None` if they are too many.
fn rows(problem: &Problem, kinds: &[usize]) -> Option<Vec<Vec<usize>>> {
    let mut rows = vec![vec![]];
    for &kind in kinds {
        let objects: Vec<usize> = problem.objects_of(kind).collect();
        let longer = rows.iter().flat_map(|row: &Vec<usize>| {
            let longer = objects.iter();
            longer.map(|&object| [row.as_slice(), &[object]].concat())
        });
        rows = longer.collect();
        if rows.len() > MANY {
            return None;
        }
    }
    Some(rows)
}
