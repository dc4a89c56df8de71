//! The model prepared for trees whose arguments are variables: conditions as
//! lists of literals, subtasks in their order, effects as lists of atoms.

use planoku_engine::{EngineError, Leave, Run};
use rustc_hash::FxHashMap;

use super::domain::{Domain, has};
use crate::graph::arrange;
use crate::model::visit;
use crate::model::{
    Atom, Effect, Formula, MethodId, Model, Network, TaskRef, Term, Variable, VariableId,
};

/// An index into [`Schemas::rules`].
pub(super) type RuleId = usize;

/// A variable of a schema, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Variable(usize),
    Object(u32),
}

/// An atom over the variables of a schema.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) predicate: usize,
    pub(super) terms: Vec<Slot>,
}

/// What a schema asks for.
#[derive(Default)]
pub(super) struct Condition<'m> {
    /// It can never hold.
    pub(super) never: bool,
    /// Atoms that must hold, and that must not.
    pub(super) atoms: Vec<Pattern>,
    pub(super) none: Vec<Pattern>,
    /// Terms that must be the same, or must not.
    pub(super) equal: Vec<(Slot, Slot, bool)>,
    /// Whatever else must hold, or must not.
    pub(super) others: Vec<(&'m Formula, bool)>,
    /// Variables that some value must be found for, beside parameters.
    found: Vec<usize>,
}

/// The variables of a schema.
pub(super) struct Variables {
    /// What each ranges over.
    pub(super) ranges: Vec<Domain>,
    /// Whether a value is to be chosen: not if it is bound inside.
    pub(super) chosen: Vec<bool>,
    /// Whether it matters which.
    pub(super) matters: Vec<bool>,
}

/// A method, or the initial network, in one of its orders.
pub(super) struct Rule<'m> {
    /// `None` for the initial network.
    pub(super) method: Option<MethodId>,
    pub(super) head: Vec<Slot>,
    pub(super) variables: Variables,
    pub(super) condition: Condition<'m>,
    /// In the order in which they are carried out.
    pub(super) subtasks: Vec<(TaskRef, Vec<Slot>)>,
    /// For each of these, its place as written.
    pub(super) written: Vec<usize>,
    /// The fewest layers below that it needs; `None` if no number is enough.
    pub(super) height: Option<u32>,
}

/// An action.
pub(super) struct Act<'m> {
    pub(super) arity: usize,
    pub(super) variables: Variables,
    pub(super) condition: Condition<'m>,
    pub(super) adds: Vec<Pattern>,
    pub(super) deletes: Vec<Pattern>,
}

/// The whole model, prepared.
pub(super) struct Schemas<'m> {
    pub(super) model: &'m Model,
    /// Whether each network has one order only. Otherwise some plans are left
    /// out: tasks are carried out one after the other.
    pub(super) ordered: bool,
    /// The first are the initial network's.
    pub(super) rules: Vec<Rule<'m>>,
    /// For each task, its rules. The last is a task of its own, for the start.
    pub(super) of_task: Vec<Vec<RuleId>>,
    /// For each task, what its parameters range over.
    pub(super) task_ranges: Vec<Vec<Domain>>,
    /// For each task, which parameters matter.
    pub(super) task_matters: Vec<Vec<bool>>,
    pub(super) actions: Vec<Act<'m>>,
    pub(super) goal: Condition<'m>,
    pub(super) goal_variables: Variables,
    /// Predicates that some condition speaks of, and that some condition wants
    /// to be false.
    pub(super) read: Vec<bool>,
    pub(super) denied: Vec<bool>,
}

impl Slot {
    pub(super) fn of(term: Term) -> Slot {
        match term {
            Term::Variable(variable) => Slot::Variable(variable.index()),
            Term::Object(object) => Slot::Object(object.0),
        }
    }
}

impl Slot {
    /// What it may stand for.
    pub(super) fn domain(self, domains: &[Domain]) -> Domain {
        match self {
            Slot::Object(object) => [object].into(),
            Slot::Variable(variable) => domains[variable].clone(),
        }
    }
}

impl Pattern {
    pub(super) fn of(atom: &Atom) -> Pattern {
        Pattern {
            predicate: atom.predicate.index(),
            terms: atom.arguments.iter().map(|&term| Slot::of(term)).collect(),
        }
    }
}

impl<'m> Schemas<'m> {
    /// Prepares a model; refuses what cannot be said this way.
    pub(super) fn new(model: &'m Model, run: &mut Run<'_>) -> Result<Schemas<'m>, Leave> {
        let unsupported = |why: &str| Err(Leave::Error(EngineError::Unsupported(why.into())));
        let Some(network) = &model.network else {
            return unsupported("a classical problem has no tasks to refine");
        };
        if visit::first_number(model).is_some() || !model.beyond.is_empty() {
            return unsupported("lifted planning as SAT knows neither numbers nor time");
        }
        if model.actions.iter().any(|action| action.durative.is_some()) {
            return unsupported("lifted planning as SAT knows no time");
        }
        if !model.derived.is_empty() {
            return unsupported("lifted planning as SAT does not handle derived predicates");
        }
        let networks = model.methods.iter().map(|method| &method.network);
        let mut networks = networks.chain([&network.network]);
        let mut ranges = Ranges::default();
        let mut actions = Vec::new();
        for action in &model.actions {
            run.effort(1 + model.objects.len() as u64)?;
            let condition = Condition::of(&action.precondition);
            let mut act = Act {
                arity: action.arity,
                variables: ranges.variables(model, &action.variables, action.arity, &condition),
                condition,
                adds: Vec::new(),
                deletes: Vec::new(),
            };
            if !effects(&action.effect, &mut act) {
                return unsupported("lifted planning as SAT does not handle conditional effects");
            }
            act.note_what_matters();
            actions.push(act);
        }
        let mut rules = Vec::new();
        let mut of_task = vec![Vec::new(); model.tasks.len() + 1];
        for order in orders(&network.network) {
            let (variables, arity) = (&network.variables, network.arity);
            of_task[model.tasks.len()].push(rules.len());
            rules.push(ranges.rule(model, variables, arity, &network.network, order));
        }
        for (index, method) in model.methods.iter().enumerate() {
            run.effort(1 + model.objects.len() as u64)?;
            for order in orders(&method.network) {
                let (variables, arity) = (&method.variables, method.arity);
                let mut rule = ranges.rule(model, variables, arity, &method.network, order);
                rule.ask_for(&method.precondition);
                rule.method = Some(MethodId(index as u32));
                rule.head = method
                    .task_arguments
                    .iter()
                    .map(|&it| Slot::of(it))
                    .collect();
                of_task[method.task.index()].push(rules.len());
                rules.push(rule);
            }
        }
        let mut task_ranges: Vec<Vec<Domain>> = Vec::new();
        for task in &model.tasks {
            let all = task.parameters.iter();
            task_ranges.push(all.map(|it| ranges.of(model, it)).collect());
        }
        task_ranges.push(Vec::new());
        let goal = Condition::of(&model.goal);
        let mut schemas = Schemas {
            model,
            ordered: networks.all(|it| it.ordered),
            rules,
            of_task,
            task_matters: task_ranges.iter().map(|it| vec![false; it.len()]).collect(),
            task_ranges,
            actions,
            goal_variables: ranges.variables(model, &model.goal_variables, 0, &goal),
            goal,
            read: vec![false; model.predicates.len()],
            denied: vec![false; model.predicates.len()],
        };
        schemas.note_what_is_read();
        schemas.measure(run)?;
        schemas.note_what_matters(run)?;
        Ok(schemas)
    }

    /// The task that stands for the start.
    pub(super) fn start(&self) -> usize {
        self.of_task.len() - 1
    }

    /// The fewest layers below a task in which it can be carried out.
    pub(super) fn height(&self, task: usize) -> Option<u32> {
        let rules = self.of_task[task].iter();
        rules.filter_map(|&rule| self.rules[rule].height).min()
    }

    fn note_what_is_read(&mut self) {
        let rules = self.rules.iter().map(|it| &it.condition);
        let actions = self.actions.iter().map(|it| &it.condition);
        for condition in rules.chain(actions).chain([&self.goal]) {
            for atom in &condition.atoms {
                self.read[atom.predicate] = true;
            }
            for atom in &condition.none {
                self.read[atom.predicate] = true;
                self.denied[atom.predicate] = true;
            }
            for &(formula, positive) in &condition.others {
                visit::atoms(formula, positive, &mut |atom, positive| {
                    self.read[atom.predicate.index()] = true;
                    self.denied[atom.predicate.index()] |= !positive;
                });
            }
        }
    }

    /// How many layers each rule needs at least.
    fn measure(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        loop {
            let mut changed = false;
            for rule in 0..self.rules.len() {
                run.effort(1 + self.rules[rule].subtasks.len() as u64)?;
                let mut below = self.rules[rule]
                    .subtasks
                    .iter()
                    .map(|(task, _)| match task {
                        TaskRef::Action(_) => Some(0),
                        TaskRef::Task(task) => self.height(task.index()),
                    });
                let height = below.try_fold(0, |most: u32, it| Some(most.max(it?)));
                let height = height.map(|it| it + 1);
                if height != self.rules[rule].height {
                    self.rules[rule].height = height;
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Finds out which arguments matter, from actions up.
    fn note_what_matters(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        loop {
            let mut changed = false;
            for rule in 0..self.rules.len() {
                run.effort(1 + self.rules[rule].subtasks.len() as u64)?;
                changed |= self.look_below(rule);
            }
            for task in 0..self.of_task.len() {
                changed |= self.look_at_heads(task);
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Notes which variables of a rule matter to its subtasks.
    fn look_below(&mut self, rule: RuleId) -> bool {
        let Rule {
            subtasks,
            variables,
            ..
        } = &mut self.rules[rule];
        let mut changed = false;
        for (task, slots) in subtasks {
            for (place, slot) in slots.iter().enumerate() {
                let (matters, range) = match *task {
                    TaskRef::Task(task) => (
                        self.task_matters[task.index()][place],
                        &self.task_ranges[task.index()][place],
                    ),
                    TaskRef::Action(action) => {
                        let of = &self.actions[action.index()].variables;
                        (of.matters[place], &of.ranges[place])
                    }
                };
                if let Slot::Variable(variable) = *slot
                    && !variables.matters[variable]
                    && (matters || !within(&variables.ranges[variable], range))
                {
                    variables.matters[variable] = true;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Notes which parameters of a task matter to its rules.
    fn look_at_heads(&mut self, task: usize) -> bool {
        let mut changed = false;
        for place in 0..self.task_ranges[task].len() {
            let range = &self.task_ranges[task][place];
            let matters = self.of_task[task].iter().any(|&rule| {
                let rule = &self.rules[rule];
                match rule.head[place] {
                    Slot::Object(_) => true,
                    Slot::Variable(variable) => {
                        let same = rule.head.iter().filter(|it| **it == rule.head[place]);
                        rule.variables.matters[variable]
                            || same.count() > 1
                            || !within(range, &rule.variables.ranges[variable])
                    }
                }
            });
            if matters && !self.task_matters[task][place] {
                self.task_matters[task][place] = true;
                changed = true;
            }
        }
        changed
    }
}

/// Where more orders than these are possible, only the first as written is
/// tried.
const ORDERS: usize = 6;

/// Orders of the subtasks of a network.
fn orders(network: &Network) -> Vec<Vec<usize>> {
    let count = network.subtasks.len();
    let first = arrange(count, &network.ordering, |_| 0);
    if network.ordered {
        return vec![first];
    }
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for order in &all {
            let ready = (0..count).filter(|place| {
                let earlier = network.ordering.iter().filter(|it| it.1 as usize == *place);
                let mut earlier = earlier.map(|it| it.0 as usize);
                !order.contains(place) && earlier.all(|it| order.contains(&it))
            });
            longer.extend(ready.map(|place| {
                let next = order.iter().copied().chain([place]);
                next.collect::<Vec<usize>>()
            }));
        }
        if longer.len() > ORDERS {
            return vec![first];
        }
        all = longer;
    }
    all
}

fn within(part: &Domain, whole: &Domain) -> bool {
    part.len() <= whole.len() && part.iter().all(|it| has(whole, *it))
}

impl<'m> Rule<'m> {
    /// One more condition.
    fn ask_for(&mut self, formula: &'m Formula) {
        self.condition.flatten(formula, true);
        for &variable in &self.condition.found {
            self.variables.chosen[variable] = true;
        }
        self.variables.mark_condition(&self.condition);
    }
}

impl Act<'_> {
    fn note_what_matters(&mut self) {
        let Act {
            variables,
            condition,
            adds,
            deletes,
            ..
        } = self;
        for atom in adds.iter().chain(deletes.iter()) {
            variables.mark(&atom.terms);
        }
        variables.mark_condition(condition);
    }
}

impl Variables {
    fn mark(&mut self, slots: &[Slot]) {
        for slot in slots {
            if let Slot::Variable(variable) = slot {
                self.matters[*variable] = true;
            }
        }
    }

    fn mark_condition(&mut self, condition: &Condition<'_>) {
        for atom in condition.atoms.iter().chain(&condition.none) {
            self.mark(&atom.terms);
        }
        for &(a, b, _) in &condition.equal {
            self.mark(&[a, b]);
        }
        for (formula, _) in &condition.others {
            visit::formulas(formula, &mut |part| match part {
                Formula::Atom(atom) => self.mark(&Pattern::of(atom).terms),
                Formula::Equal(a, b) => self.mark(&[Slot::of(*a), Slot::of(*b)]),
                _ => {}
            });
        }
    }
}

/// Each range once, so that equal ones are recognised at sight.
#[derive(Default)]
struct Ranges(FxHashMap<Vec<u32>, Domain>);

impl Ranges {
    fn of(&mut self, model: &Model, variable: &Variable) -> Domain {
        let objects: Vec<u32> = model.range(variable).into_iter().map(|it| it.0).collect();
        let domain = self.0.entry(objects);
        domain.or_insert_with_key(|it| it.clone().into()).clone()
    }

    fn variables(
        &mut self,
        model: &Model,
        variables: &[Variable],
        arity: usize,
        condition: &Condition<'_>,
    ) -> Variables {
        let mut chosen = vec![false; variables.len()];
        chosen[..arity].fill(true);
        condition.found.iter().for_each(|&it| chosen[it] = true);
        Variables {
            ranges: variables.iter().map(|it| self.of(model, it)).collect(),
            chosen,
            matters: vec![false; variables.len()],
        }
    }

    fn rule<'m>(
        &mut self,
        model: &Model,
        variables: &[Variable],
        arity: usize,
        network: &'m Network,
        order: Vec<usize>,
    ) -> Rule<'m> {
        let condition = Condition::of(&network.constraints);
        let mut variables = self.variables(model, variables, arity, &condition);
        variables.mark_condition(&condition);
        let subtask = |&place: &usize| {
            let subtask = &network.subtasks[place];
            let slots = subtask.arguments.iter().map(|&it| Slot::of(it));
            (subtask.task, slots.collect())
        };
        Rule {
            method: None,
            head: Vec::new(),
            variables,
            condition,
            subtasks: order.iter().map(subtask).collect(),
            written: order,
            height: None,
        }
    }
}

impl<'m> Condition<'m> {
    fn of(formula: &'m Formula) -> Condition<'m> {
        let mut condition = Condition::default();
        condition.flatten(formula, true);
        condition
    }

    /// Takes a formula apart, as far as it is a conjunction.
    fn flatten(&mut self, formula: &'m Formula, positive: bool) {
        let find = |condition: &mut Condition<'m>, variables: &[VariableId], body| {
            condition
                .found
                .extend(variables.iter().map(|it| it.index()));
            condition.flatten(body, positive);
        };
        match (formula, positive) {
            (Formula::True, true) => {}
            (Formula::True, false) => self.never = true,
            (Formula::Atom(atom), true) => self.atoms.push(Pattern::of(atom)),
            (Formula::Atom(atom), false) => self.none.push(Pattern::of(atom)),
            (Formula::Equal(a, b), _) => match (Slot::of(*a), Slot::of(*b)) {
                (a, b) if a == b => self.never |= !positive,
                (Slot::Object(_), Slot::Object(_)) => self.never |= positive,
                (a, b) => self.equal.push((a, b, positive)),
            },
            (Formula::Not(body), _) => self.flatten(body, !positive),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                parts.iter().for_each(|part| self.flatten(part, positive));
            }
            (Formula::Imply(a, b), false) => {
                self.flatten(a, true);
                self.flatten(b, false);
            }
            (Formula::Exists(variables, body), true)
            | (Formula::Forall(variables, body), false) => find(self, variables, body),
            (Formula::And(parts), false) | (Formula::Or(parts), true) if parts.len() == 1 => {
                self.flatten(&parts[0], positive);
            }
            // Numbers were refused.
            (Formula::Compare(_), _) => self.never = true,
            _ => self.others.push((formula, positive)),
        }
    }
}

/// Gathers effects; false if one is conditional.
fn effects(effect: &Effect, act: &mut Act<'_>) -> bool {
    match effect {
        Effect::None | Effect::IncreaseCost(_) => true,
        Effect::Add(atom) => {
            act.adds.push(Pattern::of(atom));
            true
        }
        Effect::Delete(atom) => {
            act.deletes.push(Pattern::of(atom));
            true
        }
        Effect::And(parts) => parts.iter().all(|part| effects(part, act)),
        Effect::Forall(variables, body) => {
            let ranges = &act.variables.ranges;
            let nobody = |it: &VariableId| ranges[it.index()].is_empty();
            variables.iter().any(nobody) || effects(body, act)
        }
        Effect::When(..) | Effect::Change(_) => false,
    }
}
