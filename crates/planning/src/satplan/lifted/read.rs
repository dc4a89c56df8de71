//! Reads a plan off a satisfying assignment.
//!
//! Which rules were chosen, and the values of their variables, is all there is
//! to know: what stands below follows.

use rustc_hash::FxHashMap;

use super::encode::Encoding;
use super::schema::Slot;
use super::tree::{ChoiceId, PositionId};
use crate::cost::Cost;
use crate::model::{ActionId, Amount, Effect, ObjectId, TaskId, TaskRef, Term};
use crate::plan::{Decomposition, Plan, Step};

/// A subtask to be told about: the next of its refinement, if one is left.
struct Telling {
    choice: ChoiceId,
    position: PositionId,
    binding: Vec<u32>,
    next: usize,
    children: Vec<u64>,
    /// The decomposition it is; `None` for the initial network.
    place: Option<usize>,
}

/// The plan of an assignment; `None` if it is none, which would be a mistake.
pub(super) fn read(encoding: &Encoding<'_, '_, '_>) -> Option<Plan> {
    let mut plan = Plan::default();
    let prices = Prices::new(encoding.schemas.model);
    let mut total = Cost::ZERO;
    let mut next_id = 0u64;
    let mut open = vec![tell(encoding, 0, encoding.schemas.start(), &[], None)?];
    while let Some(telling) = open.last_mut() {
        let rule = &encoding.schemas.rules[encoding.tree.choices[telling.choice].rule];
        let Some((task, slots)) = rule.subtasks.get(telling.next) else {
            let telling = open.pop()?;
            let mut listed = vec![0; telling.children.len()];
            for (&written, id) in rule.written.iter().zip(telling.children) {
                listed[written] = id;
            }
            match telling.place {
                None => plan.roots = listed,
                Some(place) => plan.decompositions[place].children = listed,
            }
            continue;
        };
        let values: Vec<u32> = slots
            .iter()
            .map(|slot| match *slot {
                Slot::Object(object) => object,
                Slot::Variable(variable) => telling.binding[variable],
            })
            .collect();
        let arguments = values.iter().map(|&it| ObjectId(it)).collect();
        let id = next_id;
        next_id += 1;
        telling.children.push(id);
        telling.next += 1;
        match *task {
            TaskRef::Action(action) => {
                total += prices.of(action, &values);
                plan.steps.push(Step {
                    id,
                    action,
                    arguments,
                });
            }
            TaskRef::Task(task) => {
                let children = encoding.tree.positions[telling.position].children.start;
                let position = children + telling.next - 1;
                let place = Some(plan.decompositions.len());
                let below = tell(encoding, position, task.index(), &values, place)?;
                let rule = &encoding.schemas.rules[encoding.tree.choices[below.choice].rule];
                plan.decompositions.push(Decomposition {
                    id,
                    task: TaskId(task.0),
                    arguments,
                    method: rule.method?,
                    children: Vec::new(),
                });
                open.push(below);
            }
        }
    }
    plan.cost = Some(total);
    Some(plan)
}

/// How a task at a position is carried out.
fn tell(
    encoding: &Encoding<'_, '_, '_>,
    position: PositionId,
    task: usize,
    values: &[u32],
    place: Option<usize>,
) -> Option<Telling> {
    let tasks = &encoding.tree.positions[position].tasks;
    let placed = tasks.iter().find(|it| it.schema == task)?;
    let held = |choice: &&ChoiceId| {
        let said = encoding.said[**choice].as_ref();
        said.is_some_and(|it| encoding.formula.holds(it.lit))
    };
    let choice = *placed.choices.iter().find(held)?;
    let said = encoding.said[choice].as_ref()?;
    let domains = &encoding.tree.choices[choice].domains;
    let rule = &encoding.schemas.rules[encoding.tree.choices[choice].rule];
    let mut binding = Vec::new();
    for (argument, domain) in said.arguments.iter().zip(domains) {
        binding.push(match *argument {
            Some(variable) => encoding.vars.value(variable, domain, &encoding.formula)?,
            None => domain.first().copied().unwrap_or(0),
        });
    }
    for (slot, &value) in rule.head.iter().zip(values) {
        if let Slot::Variable(variable) = *slot {
            binding[variable] = value;
        }
    }
    Some(Telling {
        choice,
        position,
        binding,
        next: 0,
        children: Vec::new(),
        place,
    })
}

/// What actions cost.
struct Prices<'m> {
    model: &'m crate::model::Model,
    values: FxHashMap<(u32, Vec<u32>), Cost>,
    default: Cost,
}

impl<'m> Prices<'m> {
    fn new(model: &'m crate::model::Model) -> Prices<'m> {
        let objects = |it: &[ObjectId]| it.iter().map(|object| object.0).collect();
        let values = model.costs();
        Prices {
            model,
            values: values
                .map(|(it, of, cost)| ((it.0, objects(of)), cost))
                .collect(),
            default: model.default_cost(),
        }
    }

    fn of(&self, action: ActionId, values: &[u32]) -> Cost {
        self.default + self.effect(&self.model.actions[action.index()].effect, values)
    }

    fn effect(&self, effect: &Effect, values: &[u32]) -> Cost {
        match effect {
            Effect::And(parts) => parts.iter().map(|part| self.effect(part, values)).sum(),
            Effect::IncreaseCost(Amount::Number(cost)) => *cost,
            Effect::IncreaseCost(Amount::Function(function, terms)) => {
                let value = |term: &Term| match *term {
                    Term::Variable(variable) => values[variable.index()],
                    Term::Object(object) => object.0,
                };
                let key = (function.0, terms.iter().map(value).collect());
                self.values.get(&key).copied().unwrap_or(Cost::ZERO)
            }
            _ => Cost::ZERO,
        }
    }
}
