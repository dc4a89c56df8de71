//! Decompositions: children matched to subtasks, orderings, method
//! preconditions.
//!
//! Tasks with actions below them stand where their actions stand. Those
//! without ("empty" ones) are placed as early as everything before them
//! allows; since only lower bounds pass from one to the next, placing each as
//! early as its precondition allows loses nothing.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::state::{Binding, History, bind_noting};
use super::{Broken, Item, Rule, Shape, task_name};
use crate::model::{Formula, Model, Network, ObjectId, Term, Variable, VariableId};
use crate::plan::Plan;

/// How many ways of matching children to subtasks are tried per task.
const WAYS: usize = 20_000;

/// What makes a decomposition one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// Of the initial network.
    pub network: Chosen,
    /// Of each task, by its id.
    pub tasks: FxHashMap<u64, Chosen>,
}

/// How a method, or the initial network, was made concrete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The values of its parameters.
    pub values: Vec<ObjectId>,
    /// The ids of the children, in the order in which the subtasks are declared.
    pub children: Vec<u64>,
}

/// Checks the decomposition of the initial network and of every task.
pub fn check(
    model: &Model,
    plan: &Plan,
    shape: &Shape,
    history: &History<'_>,
    witness: Option<&RefCell<Witness>>,
) -> Result<(), Broken> {
    let Some(network) = &model.network else {
        return Ok(());
    };
    let judge = Judge {
        model,
        plan,
        shape,
        history,
        witness,
    };
    let root = Schema {
        name: "the initial network".into(),
        id: None,
        variables: &network.variables,
        arity: network.arity,
        precondition: &Formula::True,
        network: &network.network,
    };
    let end = plan.steps.len();
    let mut binding = vec![None; network.variables.len()];
    // Empty tasks are placed at once; the others wait here with the time by
    // which empty tasks at their end must have been placed.
    let mut open = Vec::new();
    judge.refine(&root, &plan.roots, 0..=0, end, &mut binding, &mut open)?;
    while let Some((place, late)) = open.pop() {
        let first = shape.extent[place].map_or(0, |(first, _)| first);
        judge.task(place, first..=first, late, &mut open)?;
    }
    Ok(())
}

/// A method, or the initial network.
struct Schema<'a> {
    name: String,
    id: Option<u64>,
    variables: &'a [Variable],
    arity: usize,
    precondition: &'a Formula,
    network: &'a Network,
}

impl Schema<'_> {
    fn broken(&self, rule: Rule, reason: &str) -> Broken {
        Broken {
            rule,
            id: self.id,
            reason: format!("{}: {reason}", self.name),
        }
    }
}

struct Judge<'a> {
    model: &'a Model,
    plan: &'a Plan,
    shape: &'a Shape,
    history: &'a History<'a>,
    /// Written to where a task is found right; what is tried again is written
    /// again.
    witness: Option<&'a RefCell<Witness>>,
}

impl<'a> Judge<'a> {
    /// Checks one task, which starts at one of `times`; returns when it ends
    /// if it is empty.
    fn task(
        &self,
        place: usize,
        times: std::ops::RangeInclusive<usize>,
        late: usize,
        open: &mut Vec<(usize, usize)>,
    ) -> Result<usize, Broken> {
        let task = &self.plan.decompositions[place];
        let method = &self.model.methods[task.method.index()];
        let name = &self.model.tasks[task.task.index()].name;
        let schema = Schema {
            name: format!(
                "task {} `{}`, method `{}`",
                task.id,
                self.model.show(name, &task.arguments),
                method.name
            ),
            id: Some(task.id),
            variables: &method.variables,
            arity: method.arity,
            precondition: &method.precondition,
            network: &method.network,
        };
        if method.task != task.task {
            let wanted = &self.model.tasks[method.task.index()].name;
            let reason = format!("the method is for `{wanted}`");
            return Err(schema.broken(Rule::Subtasks, &reason));
        }
        let mut binding = vec![None; method.variables.len()];
        for (term, &value) in method.task_arguments.iter().zip(&task.arguments) {
            let mut bound = Vec::new();
            if !bind_noting(
                self.model,
                schema.variables,
                *term,
                value,
                &mut binding,
                &mut bound,
            ) {
                let reason = format!(
                    "the method does not fit the task's argument `{}`",
                    self.model.objects[value.index()].name
                );
                return Err(schema.broken(Rule::Variables, &reason));
            }
        }
        self.refine(&schema, &task.children, times, late, &mut binding, open)
    }

    /// Checks that `children` carry out a network, which starts at one of
    /// `times`; returns when it ends if it is empty.
    fn refine(
        &self,
        schema: &Schema<'_>,
        children: &[u64],
        times: std::ops::RangeInclusive<usize>,
        late: usize,
        binding: &mut Binding,
        open: &mut Vec<(usize, usize)>,
    ) -> Result<usize, Broken> {
        let wanted = schema.network.subtasks.len();
        if children.len() != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let reason = format!("{wanted} subtask{plural} needed, {} given", children.len());
            return Err(schema.broken(Rule::Subtasks, &reason));
        }
        let mut attempt = Attempt {
            judge: self,
            schema,
            children,
            times,
            late,
            used: vec![false; children.len()],
            chosen: Vec::with_capacity(wanted),
            ways: 0,
            worst: None,
        };
        match attempt.straight(binding, open) {
            Some(end) => Ok(end),
            None => match attempt.search(0, binding, open) {
                Some(end) => Ok(end),
                None => Err(attempt.worst.unwrap_or_else(|| {
                    schema.broken(Rule::Subtasks, "no way to match the children was found")
                })),
            },
        }
    }
}

/// One search for a way to match children to subtasks.
struct Attempt<'a, 'b> {
    judge: &'a Judge<'a>,
    schema: &'a Schema<'b>,
    children: &'a [u64],
    times: std::ops::RangeInclusive<usize>,
    late: usize,
    used: Vec<bool>,
    /// Per subtask so far: the place of its child.
    chosen: Vec<usize>,
    ways: usize,
    /// The complaint of the attempt that came furthest.
    worst: Option<Broken>,
}

impl Attempt<'_, '_> {
    fn complain(&mut self, broken: Broken) {
        let weight = |rule: Rule| match rule {
            Rule::Subtasks => 0,
            Rule::Variables => 1,
            Rule::Ordering => 2,
            _ => 3,
        };
        let known = self.worst.as_ref().map_or(-1, |worst| weight(worst.rule));
        if weight(broken.rule) > known {
            self.worst = Some(broken);
        }
    }

    /// Most planners list children in the order of the subtasks.
    fn straight(&mut self, binding: &mut Binding, open: &mut Vec<(usize, usize)>) -> Option<usize> {
        let mut bound = Vec::new();
        let fits = (0..self.children.len()).all(|at| self.fits(at, at, binding, &mut bound));
        self.chosen = (0..self.children.len()).collect();
        let result = if fits {
            self.finish(binding, open)
        } else {
            None
        };
        self.chosen.clear();
        for id in bound {
            binding[id.index()] = None;
        }
        result
    }

    /// Tries all children for the subtask at this place, and so on.
    fn search(
        &mut self,
        place: usize,
        binding: &mut Binding,
        open: &mut Vec<(usize, usize)>,
    ) -> Option<usize> {
        if place == self.children.len() {
            return self.finish(binding, open);
        }
        for child in 0..self.children.len() {
            if self.used[child] || self.ways > WAYS {
                continue;
            }
            self.ways += 1;
            let mut bound = Vec::new();
            if self.fits(place, child, binding, &mut bound) {
                self.used[child] = true;
                self.chosen.push(child);
                let found = self.search(place + 1, binding, open);
                self.chosen.pop();
                self.used[child] = false;
                if found.is_some() {
                    return found;
                }
            }
            for id in bound {
                binding[id.index()] = None;
            }
        }
        None
    }

    /// True if a child can be the subtask; binds variables.
    fn fits(
        &mut self,
        place: usize,
        child: usize,
        binding: &mut Binding,
        bound: &mut Vec<VariableId>,
    ) -> bool {
        let judge = self.judge;
        let subtask = &self.schema.network.subtasks[place];
        let id = self.children[child];
        let (task, arguments) = match judge.shape.items[&id] {
            Item::Step(at) => {
                let step = &judge.plan.steps[at];
                (crate::model::TaskRef::Action(step.action), &step.arguments)
            }
            Item::Task(at) => {
                let task = &judge.plan.decompositions[at];
                (crate::model::TaskRef::Task(task.task), &task.arguments)
            }
        };
        let wanted = task_name(judge.model, subtask.task);
        let found = judge
            .model
            .show(task_name(judge.model, task), arguments)
            .to_string();
        if task != subtask.task {
            let reason = format!(
                "subtask {} is `{wanted}`, {} is `{found}`",
                place + 1,
                judge.shape.say(id)
            );
            self.complain(self.schema.broken(Rule::Subtasks, &reason));
            return false;
        }
        for (term, &value) in subtask.arguments.iter().zip(arguments) {
            if !bind_noting(
                judge.model,
                self.schema.variables,
                *term,
                value,
                binding,
                bound,
            ) {
                let term = match term {
                    Term::Variable(id) => &self.schema.variables[id.index()].name,
                    Term::Object(object) => &judge.model.objects[object.index()].name,
                };
                let reason = format!(
                    "{} `{found}` does not fit subtask {} `{wanted}`: `{term}` cannot be `{}`",
                    judge.shape.say(id),
                    place + 1,
                    judge.model.objects[value.index()].name
                );
                self.complain(self.schema.broken(Rule::Variables, &reason));
                return false;
            }
        }
        true
    }

    /// All children are matched: looks at constraints, order, precondition.
    fn finish(&mut self, binding: &mut Binding, open: &mut Vec<(usize, usize)>) -> Option<usize> {
        let (start, values) = match self.start(binding) {
            Ok(found) => found,
            Err(broken) => {
                self.complain(broken);
                return None;
            }
        };
        let height = open.len();
        match self.place(start, open) {
            Ok(end) => {
                self.note(&values);
                Some(end)
            }
            Err(broken) => {
                open.truncate(height);
                self.complain(broken);
                None
            }
        }
    }

    /// Keeps what was chosen, if anybody wants to know. A parameter that nothing
    /// mentions has the first value it may have.
    fn note(&self, values: &Binding) {
        let Some(witness) = self.judge.witness else {
            return;
        };
        let model = self.judge.model;
        let parameters = self.schema.variables[..self.schema.arity].iter();
        let chosen = Chosen {
            values: parameters
                .zip(values)
                .filter_map(|(variable, value)| {
                    value.or_else(|| model.range(variable).first().copied())
                })
                .collect(),
            children: self.chosen.iter().map(|&at| self.children[at]).collect(),
        };
        let mut witness = witness.borrow_mut();
        match self.schema.id {
            Some(id) => drop(witness.tasks.insert(id, chosen)),
            None => witness.network = chosen,
        }
    }

    /// The earliest time at which the precondition holds, and values of the
    /// variables for which it does.
    fn start(&self, binding: &mut Binding) -> Result<(usize, Binding), Broken> {
        let schema = self.schema;
        let free: Vec<VariableId> = (0..schema.arity as u32)
            .map(VariableId)
            .filter(|id| binding[id.index()].is_none())
            .collect();
        let parts = vec![
            (&schema.network.constraints, true),
            (schema.precondition, true),
        ];
        for time in self.times.clone() {
            let scope = self.judge.history.at(time, schema.variables);
            let mut values = Binding::new();
            let mut keep = |found: &Binding| {
                values.clone_from(found);
                true
            };
            if scope.solutions(parts.clone(), &free, binding, &mut keep) {
                return Ok((time, values));
            }
        }
        let time = *self.times.start();
        let scope = self.judge.history.at(time, schema.variables);
        if !scope.solve(vec![(&schema.network.constraints, true)], &free, binding) {
            let shown = scope.show(&schema.network.constraints, true, binding);
            let reason = format!("no values satisfy the constraints {shown}");
            return Err(schema.broken(Rule::Variables, &reason));
        }
        let place = match self.times.clone().count() {
            0 => "there is no time for it".to_string(),
            1 => format!("before step {time}"),
            _ => format!("in any state from step {time} to step {}", self.times.end()),
        };
        let why = match free.is_empty() {
            true => scope
                .refute(schema.precondition, binding)
                .unwrap_or_default(),
            false => {
                let shown = scope.show(schema.precondition, true, binding);
                format!("no values make {shown} hold")
            }
        };
        let reason = format!("its precondition does not hold {place}: {why}");
        Err(schema.broken(Rule::MethodPrecondition, &reason))
    }

    /// Checks the order of the children, places the empty ones, and leaves
    /// the others in `open`. Returns the end of the last.
    fn place(&self, start: usize, open: &mut Vec<(usize, usize)>) -> Result<usize, Broken> {
        let count = self.children.len();
        let shape = self.judge.shape;
        let id = |place: usize| self.children[self.chosen[place]];
        let mut before = vec![vec![]; count];
        let mut after = vec![vec![]; count];
        for &(a, b) in &self.schema.network.ordering {
            before[b as usize].push(a as usize);
            after[a as usize].push(b as usize);
        }
        let order = topological(&before, &after);
        // By when empty tasks must have been placed.
        let mut late = vec![self.late; count];
        for &place in order.iter().rev() {
            for &next in &after[place] {
                let limit = match shape.extent(id(next)) {
                    Some((first, _)) => first,
                    None => late[next],
                };
                late[place] = late[place].min(limit);
            }
        }
        let mut end = vec![start; count];
        let mut last = start;
        for &place in &order {
            let (early, cause) = before[place]
                .iter()
                .map(|&other| (end[other], Some(other)))
                .max()
                .filter(|(time, _)| *time > start)
                .unwrap_or((start, None));
            let child = id(place);
            end[place] = match (shape.extent(child), shape.items[&child]) {
                (Some((first, _)), _) if first < early && cause.is_some() => {
                    let cause = cause.unwrap_or(place);
                    let below = match shape.items[&child] {
                        Item::Step(_) => String::new(),
                        Item::Task(_) => format!(", below task {child},"),
                    };
                    let reason = format!(
                        "step {first}{below} comes before the end of {}, which must come first",
                        shape.say(id(cause))
                    );
                    return Err(self.schema.broken(Rule::Ordering, &reason));
                }
                (Some((_, end)), Item::Step(_)) => end,
                (Some((_, end)), Item::Task(task)) => {
                    open.push((task, late[place]));
                    end
                }
                (None, Item::Task(task)) => {
                    self.judge
                        .task(task, early..=late[place].max(early), late[place], open)?
                }
                (None, Item::Step(at)) => at + 1,
            };
            last = last.max(end[place]);
        }
        Ok(last)
    }
}

/// An order of subtasks that respects the pairs.
pub fn topological(before: &[Vec<usize>], after: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut order: Vec<usize> = (0..waiting.len()).filter(|&p| waiting[p] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &next in &after[order[at]] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                order.push(next);
            }
        }
        at += 1;
    }
    order
}
