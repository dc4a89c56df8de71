//! Methods with independent choices, taken apart.
//!
//! A method that chooses a truck for its first subtask and a warehouse for its
//! second has as many instances as there are pairs. [`split`] moves a choice
//! that concerns some subtasks only, one after the other, into a helper task
//! of its own, and there are as many instances as trucks and warehouses
//! together:
//!
//! ```text
//! fetch ?box → load ?box ?truck, drive ?truck ?from ?to, unload ?box ?truck
//!
//! fetch ?box → load ?box ?truck, helper ?box ?truck
//! helper ?box ?truck → drive ?truck ?from ?to, unload ?box ?truck
//! ```
//!
//! It is done where it changes nothing: literals that go with the choice must
//! be static, or the subtask must be an action that comes before all others, so
//! that they are judged in the same state as before. (pandaPI takes single
//! subtasks apart. Which subtasks, in which order, is the question of
//! eliminating variables from a join; here the choice that leaves least is
//! taken first, as long as it halves what there is, counted as if static
//! predicates were independent of each other, and only where the order of the
//! whole problem is total. There other literals could go with the first
//! subtasks too, but then those who search choose the method before they know
//! what for: bench/notes/ground.md.)

use planoku_engine::{Run, Stop};

use super::counters;
use super::lower::{self, Conjunction, Literal, MethodSchema, Nnf, Schemas, Slot};
use super::needs::needs;
use crate::model::{Model, TaskId, TaskRef};

/// Methods with fewer instances, as estimated, are left as they are where it
/// takes an estimate: a helper is one step more for whoever searches.
const FEW: f64 = if cfg!(test) { 4.0 } else { 10_000.0 };

/// A model lowered, narrowed, split, and with what its tasks need.
pub fn schemas(model: &Model, run: &mut Run<'_>) -> Result<Schemas, Stop> {
    let mut schemas = lower::lower(model, run)?;
    let root = model.tasks.len();
    let mut facts = vec![0.0; model.predicates.len()];
    for fact in &model.init {
        facts[fact.predicate.index()] += 1.0;
    }
    counters::narrow(model, &mut schemas, run)?;
    split(&mut schemas, &facts, root, run)?;
    schemas.ordered = schemas.methods.iter().all(|method| method.ordered);
    let tasks = root + 1 + schemas.helper_widths.len();
    lower::find_task_adds(&mut schemas, tasks, run)?;
    schemas.needs = needs(&schemas, tasks, run)?;
    Ok(schemas)
}

/// Splits methods; helper tasks are numbered after the root. `facts` says how
/// many facts of each predicate hold at the start.
fn split(schemas: &mut Schemas, facts: &[f64], root: usize, run: &mut Run<'_>) -> Result<(), Stop> {
    let mut methods = std::mem::take(&mut schemas.methods);
    // Partially ordered searches look at steps that stand side by side, and a
    // helper hides them.
    let ordered = methods.iter().all(|method| method.ordered);
    let own = methods.len();
    let mut at = 0;
    while at < methods.len() {
        let mut method = methods[at].clone();
        // Otherwise there is nothing to choose, or nobody could count it.
        if !method.variables.is_empty() {
            for place in 0..method.subtasks.len() {
                run.effort(method.subtasks.len() as u64)?;
                if let Some(choice) = independent(&method, place, schemas) {
                    let task = root + 1 + methods.len() - own;
                    methods.push(extract(&mut method, &choice, task));
                }
            }
            while ordered && let Some(choice) = worthwhile(&method, schemas, facts, run)? {
                let task = root + 1 + methods.len() - own;
                methods.push(extract(&mut method, &choice, task));
            }
        }
        methods[at] = method;
        at += 1;
    }
    schemas.helper_widths = methods[own..].iter().map(|it| it.head.len()).collect();
    schemas.methods = methods;
    Ok(())
}

/// Subtasks from one place to another, and the variables that are to be chosen
/// in their helper.
struct Choice {
    first: usize,
    last: usize,
    /// Marks the variables that concern nothing else.
    local: Vec<bool>,
}

/// Marks the variables of some slots.
fn mark<'a>(slots: impl IntoIterator<Item = &'a Slot>, into: &mut [bool]) {
    for v in slots.into_iter().filter_map(|slot| slot.variable()) {
        into[v as usize] = true;
    }
}

fn mark_literal(literal: &Literal, into: &mut [bool]) {
    for v in literal.variables() {
        into[v as usize] = true;
    }
}

fn mark_nnf(nnf: &Nnf, into: &mut [bool]) {
    match nnf {
        Nnf::Literal(literal) => mark_literal(literal, into),
        Nnf::And(parts) | Nnf::Or(parts) => parts.iter().for_each(|part| mark_nnf(part, into)),
        Nnf::Quantified(_, _, body) => mark_nnf(body, into),
    }
}

fn touches(literal: &Literal, marked: &[bool]) -> bool {
    literal.variables().iter().any(|&v| marked[v as usize])
}

/// The choice of the variables that concern these subtasks only.
fn choice(method: &MethodSchema, first: usize, last: usize, schemas: &Schemas) -> Option<Choice> {
    let count = method.variables.len();
    let mut elsewhere = vec![false; count];
    let mut here = vec![false; count];
    mark(&method.head, &mut elsewhere);
    for (place, (_, arguments)) in method.subtasks.iter().enumerate() {
        let inside = (first..=last).contains(&place);
        mark(arguments, if inside { &mut here } else { &mut elsewhere });
    }
    let rest = &method.condition.rest;
    rest.iter().for_each(|part| mark_nnf(part, &mut elsewhere));
    let action = first == last && matches!(method.subtasks[first].0, TaskRef::Action(_));
    let nothing_before = first == 0 && method.starts_alone && action;
    // A literal that has to stay keeps its variables.
    for literal in &method.condition.literals {
        if !nothing_before && !is_static(literal, schemas) {
            mark_literal(literal, &mut elsewhere);
        }
    }
    let mut local: Vec<bool> = (0..count).map(|v| here[v] && !elsewhere[v]).collect();
    // Nor do variables that only literals mention which go with the choice.
    let mut grown = local.contains(&true);
    while std::mem::take(&mut grown) {
        for literal in &method.condition.literals {
            if touches(literal, &local) {
                for v in literal.variables() {
                    let joins = !elsewhere[v as usize] && !local[v as usize];
                    local[v as usize] |= joins;
                    grown |= joins;
                }
            }
        }
    }
    local
        .contains(&true)
        .then_some(Choice { first, last, local })
}

/// What the helper of a choice speaks of, and what the method goes on to.
fn parts(method: &MethodSchema, choice: &Choice) -> (Vec<bool>, Vec<bool>) {
    let mut moved = vec![false; method.variables.len()];
    let mut kept = moved.clone();
    mark(&method.head, &mut kept);
    let rest = &method.condition.rest;
    rest.iter().for_each(|part| mark_nnf(part, &mut kept));
    for (place, (_, arguments)) in method.subtasks.iter().enumerate() {
        let inside = (choice.first..=choice.last).contains(&place);
        mark(arguments, if inside { &mut moved } else { &mut kept });
    }
    for literal in &method.condition.literals {
        let moves = touches(literal, &choice.local);
        mark_literal(literal, if moves { &mut moved } else { &mut kept });
    }
    (moved, kept)
}

/// A choice for the subtask at this place, if the method chooses something that
/// its helper need not know.
fn independent(method: &MethodSchema, place: usize, schemas: &Schemas) -> Option<Choice> {
    if method.subtasks.len() < 2 {
        return None;
    }
    let found = choice(method, place, place, schemas)?;
    let (moved, kept) = parts(method, &found);
    let kept_only = kept.iter().zip(&moved).any(|(kept, moved)| *kept && !moved);
    kept_only.then_some(found)
}

/// The choice that leaves the fewest instances, if these are half as many as
/// before or less.
fn worthwhile(
    method: &MethodSchema,
    schemas: &Schemas,
    facts: &[f64],
    run: &mut Run<'_>,
) -> Result<Option<Choice>, Stop> {
    let ways = Ways::of(method, schemas, facts);
    let mut used = vec![false; method.variables.len()];
    mark(&method.head, &mut used);
    mark(method.subtasks.iter().flat_map(|it| &it.1), &mut used);
    let literals = method.condition.literals.iter();
    literals.for_each(|literal| mark_literal(literal, &mut used));
    let before = ways.count(&used);
    if before < FEW {
        return Ok(None);
    }
    let mut best = None;
    let mut least = before / 2.0;
    for (first, last) in spans(method) {
        run.effort(8 + (method.subtasks.len() + method.condition.literals.len()) as u64)?;
        let Some(choice) = choice(method, first, last, schemas) else {
            continue;
        };
        let (moved, mut kept) = parts(method, &choice);
        for v in 0..kept.len() {
            // What the helper is told the method must know.
            kept[v] |= moved[v] && !choice.local[v];
        }
        let after = ways.count(&moved) + ways.count(&kept);
        if after <= least {
            least = after;
            best = Some(choice);
        }
    }
    Ok(best)
}

/// Stretches of subtasks from where some variable is first mentioned, or from
/// the beginning, to where one is last mentioned, that can be moved together.
fn spans(method: &MethodSchema) -> Vec<(usize, usize)> {
    let count = method.variables.len();
    let mut starts = vec![0];
    let mut ends = vec![];
    let (mut seen, mut seen_after) = (vec![false; count], vec![false; count]);
    let new = |arguments: &[Slot], seen: &mut [bool]| {
        let before = seen.iter().filter(|it| **it).count();
        mark(arguments, seen);
        seen.iter().filter(|it| **it).count() > before
    };
    for (place, (_, arguments)) in method.subtasks.iter().enumerate() {
        if new(arguments, &mut seen) && place > 0 {
            starts.push(place);
        }
    }
    for (place, (_, arguments)) in method.subtasks.iter().enumerate().rev() {
        if new(arguments, &mut seen_after) {
            ends.push(place);
        }
    }
    let pairs = starts
        .iter()
        .flat_map(|&first| ends.iter().map(move |&last| (first, last)));
    let fits = |&(first, last): &(usize, usize)| {
        // In the plan they stand where the model lists them: nothing else may
        // be listed in between.
        let places = method.places.get(first..=last)?;
        let (low, high) = (places.iter().min()?, places.iter().max()?);
        let together = (high - low) as usize == last - first;
        (first == last || method.ordered && together).then_some(())
    };
    pairs.filter(|pair| fits(pair).is_some()).collect()
}

/// How many instances a method has, roughly.
struct Ways {
    /// Per variable, how many values.
    sizes: Vec<f64>,
    /// Variables, and what part of their combinations a literal allows.
    factors: Vec<(Vec<u32>, f64)>,
}

impl Ways {
    fn of(method: &MethodSchema, schemas: &Schemas, facts: &[f64]) -> Ways {
        let range = |&range: &usize| schemas.ranges[range].objects.len() as f64;
        let sizes: Vec<f64> = method.variables.iter().map(range).collect();
        let mut literals = method.condition.literals.clone();
        for (node, arguments) in &method.subtasks {
            if let TaskRef::Action(action) = node {
                for literal in &schemas.actions[action.index()].condition.literals {
                    // Variables of its own are not looked at.
                    let known = |&v: &u32| (v as usize) < arguments.len();
                    if literal.variables().iter().all(known) {
                        literals.push(literal.map(|slot| match slot {
                            Slot::Var(v) => arguments[v as usize],
                            object => object,
                        }));
                    }
                }
            }
        }
        let mut factors: Vec<(Vec<u32>, f64)> = Vec::new();
        let mut known: Vec<&Literal> = Vec::new();
        for literal in &literals {
            if known.contains(&literal) {
                continue;
            }
            known.push(literal);
            let mut variables = literal.variables();
            variables.sort_unstable();
            variables.dedup();
            let all: f64 = variables
                .iter()
                .map(|&v| sizes[v as usize].max(1.0))
                .product();
            let allowed = match literal {
                Literal::Equal(_, _, true) => variables
                    .iter()
                    .map(|&v| sizes[v as usize])
                    .fold(f64::INFINITY, f64::min),
                Literal::Atom(atom, true) if is_static(literal, schemas) => facts[atom.predicate],
                _ => continue,
            };
            let allowed = match variables.len() {
                // Equal to an object.
                1 if matches!(literal, Literal::Equal(..)) => 1.0,
                _ => allowed,
            };
            if allowed < all {
                factors.push((variables, allowed / all));
            }
        }
        Ways { sizes, factors }
    }

    /// The combinations of values of some variables.
    fn count(&self, of: &[bool]) -> f64 {
        let sizes = self.sizes.iter().zip(of).filter(|(_, of)| **of);
        let all: f64 = sizes.map(|(size, _)| size).product();
        let inside = |(variables, _): &&(Vec<u32>, f64)| variables.iter().all(|&v| of[v as usize]);
        let factors = self.factors.iter().filter(inside);
        factors
            .fold(all, |count, (_, factor)| count * factor)
            .max(1.0)
    }
}

/// True if no action can change whether the literal holds.
fn is_static(literal: &Literal, schemas: &Schemas) -> bool {
    match literal {
        Literal::Equal(..) => true,
        Literal::Atom(atom, _) => {
            !schemas.grows[atom.predicate] && !schemas.shrinks[atom.predicate]
        }
        Literal::Compare(compare) => schemas.is_fixed(compare),
    }
}

/// Moves the subtasks of a choice into a helper method of a helper task.
fn extract(method: &mut MethodSchema, choice: &Choice, task: usize) -> MethodSchema {
    let Choice {
        first,
        last,
        ref local,
    } = *choice;
    let (moved, kept): (Vec<Literal>, Vec<Literal>) =
        std::mem::take(&mut method.condition.literals)
            .into_iter()
            .partition(|literal| touches(literal, local));
    method.condition.literals = kept;
    // Literals of an action that say which values fit are used by joins
    // anyway; what is shared comes first among the helper's variables.
    let mut used = vec![false; method.variables.len()];
    for (_, arguments) in &method.subtasks[first..=last] {
        mark(arguments, &mut used);
    }
    moved
        .iter()
        .for_each(|literal| mark_literal(literal, &mut used));
    let all = 0..used.len() as u32;
    let used = all.filter(|&v| used[v as usize]);
    let (chosen, shared): (Vec<u32>, Vec<u32>) = used.partition(|&v| local[v as usize]);
    let mut names = vec![0; method.variables.len()];
    let mut variables = Vec::new();
    for &v in shared.iter().chain(&chosen) {
        names[v as usize] = variables.len() as u32;
        variables.push(method.variables[v as usize]);
    }
    let rename = |slot: Slot| match slot {
        Slot::Var(v) => Slot::Var(names[v as usize]),
        object => object,
    };
    let helper = TaskRef::Task(TaskId(task as u32));
    let told = shared.iter().map(|&v| Slot::Var(v)).collect();
    let subtasks: Vec<_> = method
        .subtasks
        .splice(first..=last, [(helper, told)])
        .collect();
    let place = method.places[first..=last].iter().min().copied();
    let places: Vec<u32> = method.places.splice(first..=last, place).collect();
    if places.len() > 1 {
        // The order is total.
        (method.ordering, method.successors, method.predecessors) = chain(method.subtasks.len());
    }
    let (ordering, successors, predecessors) = chain(subtasks.len());
    let renamed = |(node, arguments): (TaskRef, Vec<Slot>)| {
        (node, arguments.into_iter().map(rename).collect())
    };
    MethodSchema {
        id: None,
        origin: method.origin,
        task,
        head: (0..shared.len() as u32).map(Slot::Var).collect(),
        arity: variables.len(),
        variables,
        condition: Conjunction {
            literals: moved.iter().map(|literal| literal.map(rename)).collect(),
            rest: vec![],
        },
        subtasks: subtasks.into_iter().map(renamed).collect(),
        places,
        ordering,
        successors,
        predecessors,
        starts_alone: true,
        ordered: true,
    }
}

/// The total order of so many subtasks: pairs, what follows each, how many
/// precede it.
#[allow(clippy::type_complexity)]
fn chain(count: usize) -> (Vec<(u32, u32)>, Vec<Vec<u32>>, Vec<u32>) {
    let ordering: Vec<(u32, u32)> = (1..count as u32).map(|it| (it - 1, it)).collect();
    let successors = (1..=count as u32).map(|it| match it as usize == count {
        true => vec![],
        false => vec![it],
    });
    let predecessors = (0..count).map(|it| u32::from(it > 0)).collect();
    (ordering, successors.collect(), predecessors)
}
