//! Says what is numbered in names.

use super::Stuck;
use crate::ground::{ActionIndex, Condition, FactIndex, Ground, GroundFact, MethodIndex};
use crate::model::{Model, ObjectId};
use crate::spaces::task_stacks::DeadEnd;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::has;
use crate::state::world::World;

/// How many methods of a task are spoken of.
const METHODS: usize = 3;

/// A problem, and its names.
pub(super) struct Words<'a> {
    pub(super) model: &'a Model,
    pub(super) ground: &'a Ground,
}

impl Words<'_> {
    /// A way that ended.
    pub(super) fn stuck(&self, end: &DeadEnd) -> Stuck {
        let mut stuck = Stuck {
            steps: end.steps,
            all_seen: true,
            ended: true,
            what: "everything is done, but not the goal reached".into(),
            missing: self.failing(&self.ground.goal, &end.state),
            span: None,
        };
        let Some(element) = end.element else {
            return stuck;
        };
        let elements = Elements::new(self.ground);
        match elements.kind(element) {
            Kind::Action(action) => {
                let action = &self.ground.actions[action as usize];
                stuck.what = "a condition does not hold".into();
                if let Some(id) = action.schema {
                    let schema = &self.model.actions[id.index()];
                    let name = self.named(&schema.name, &action.arguments);
                    stuck.what = format!("{name} cannot be executed");
                    stuck.span = Some(schema.span);
                }
                stuck.missing = self.failing(&action.precondition, &end.state);
            }
            Kind::Method(method) => {
                let condition = &self.ground.methods[method as usize].precondition;
                stuck.what = format!("{} does not apply", self.method(method));
                stuck.missing = self.failing(condition, &end.state);
                let schema = self.ground.methods[method as usize].schema;
                stuck.span = schema.map(|id| self.model.methods[id.index()].span);
            }
            Kind::Task(task) => {
                let task = &self.ground.tasks[task as usize];
                stuck.what = "no method applies".into();
                if let Some(id) = task.schema {
                    let schema = &self.model.tasks[id.index()];
                    let name = self.named(&schema.name, &task.arguments);
                    stuck.what = format!("no method of {name} applies");
                    stuck.span = Some(schema.span);
                }
                // Those that miss least are nearest to what was meant.
                let failing = task.methods.iter().filter_map(|&method| {
                    let condition = &self.ground.methods[method as usize].precondition;
                    let failing = self.failing(condition, &end.state);
                    let said = format!("for {} {}", self.method(method), failing.join(" and "));
                    (!failing.is_empty()).then_some((failing.len(), said))
                });
                let mut failing: Vec<(usize, String)> = failing.collect();
                failing.sort_by_key(|(count, _)| *count);
                stuck.missing = failing.into_iter().map(|(_, said)| said).collect();
                stuck.missing.truncate(METHODS);
                if stuck.missing.is_empty() {
                    let never = "what its methods need never holds together";
                    stuck.missing.push(never.into());
                }
            }
        }
        stuck
    }

    /// The state that is nearest to the goal, and an action for what is missing.
    pub(super) fn nearest(
        &self,
        steps: u32,
        state: &[u64],
        next: Option<(FactIndex, ActionIndex, usize)>,
    ) -> Stuck {
        let goal = &self.ground.goal;
        let failing = self.failing(goal, state);
        let mut stuck = Stuck {
            steps,
            all_seen: true,
            ended: false,
            what: match failing.is_empty() {
                true => "the goal does not hold".into(),
                false => failing.join(" and "),
            },
            missing: Vec::new(),
            span: None,
        };
        let action = next.map(|(fact, action, _)| (fact, &self.ground.actions[action as usize]));
        if let Some((fact, action)) = action
            && let Some(id) = action.schema
            && let Some(fact) = self.fact(fact)
        {
            let schema = &self.model.actions[id.index()];
            let name = self.named(&schema.name, &action.arguments);
            stuck.missing = self.failing(&action.precondition, state);
            stuck.span = Some(schema.span);
            // Where it can be executed, it is what it destroys.
            match stuck.missing.is_empty() {
                true => stuck.what += &format!("; {name} makes {fact} hold, but does not help"),
                false => stuck.what += &format!("; {name}, for {fact}, cannot be executed"),
            }
        }
        stuck
    }

    /// Why nothing of what could come next does: of what cannot be done, that
    /// which misses least.
    pub(super) fn dead_end(
        &self,
        world: &World,
        steps: u32,
        state: &[u64],
        first: &[Element],
    ) -> Option<DeadEnd> {
        let elements = Elements::new(self.ground);
        let condition = |element: Element| match elements.kind(element) {
            Kind::Action(action) => Some(&self.ground.actions[action as usize].precondition),
            Kind::Method(method) => Some(&self.ground.methods[method as usize].precondition),
            Kind::Task(_) => None,
        };
        let misses = |element: &Element| {
            condition(*element).map_or(usize::MAX, |it| self.failing(it, state).len())
        };
        let &element = first.iter().min_by_key(|element| misses(element))?;
        let mut state = state.to_vec();
        let done = condition(element).is_some_and(|it| world.holds(it, &state));
        if !done {
            return Some(DeadEnd {
                steps,
                state,
                element: Some(element),
            });
        }
        // It was the last, and the goal does not hold after it.
        let mut steps = steps;
        if let Kind::Action(action) = elements.kind(element) {
            if !world.apply(action, &mut state) {
                return None;
            }
            steps += u32::from(self.ground.actions[action as usize].schema.is_some());
        }
        Some(DeadEnd {
            steps,
            state,
            element: None,
        })
    }

    fn method(&self, method: MethodIndex) -> String {
        let method = &self.ground.methods[method as usize];
        match method.schema {
            Some(id) => self.named(&self.model.methods[id.index()].name, &method.arguments),
            None => "the initial task network".into(),
        }
    }

    /// What of a condition does not hold in a state.
    fn failing(&self, condition: &Condition, state: &[u64]) -> Vec<String> {
        let missing = condition.positive.iter().filter(|&&it| !has(state, it));
        let missing = missing.filter_map(|&it| Some(format!("{} does not hold", self.fact(it)?)));
        let unwanted = condition.negative.iter().filter(|&&it| has(state, it));
        let unwanted = unwanted.filter_map(|&it| Some(format!("{} holds", self.fact(it)?)));
        missing.chain(unwanted).collect()
    }

    fn fact(&self, fact: u32) -> Option<String> {
        match &self.ground.facts[fact as usize] {
            GroundFact::Atom(predicate, arguments) => {
                let name = &self.model.predicates[predicate.index()].name;
                Some(self.named(name, arguments))
            }
            GroundFact::Helper(_) => None,
            GroundFact::Comparison(number) => {
                Some(self.ground.numbers.show_comparison(*number, self.model))
            }
        }
    }

    fn named(&self, name: &str, arguments: &[ObjectId]) -> String {
        format!("({})", self.model.show(name, arguments))
    }
}
