//! Says what is numbered in names.

use super::Stuck;
use crate::ground::{ActionIndex, Condition, FactIndex, Ground, GroundFact, MethodIndex};
use crate::language::source::Span;
use crate::model::{Model, ObjectId};
use crate::spaces::task_stacks::DeadEnd;
use crate::state::stacks::{Element, Elements, Kind};
use crate::state::states::has;
use crate::state::world::World;

/// How many methods of a task are spoken of.
const METHODS: usize = 3;

/// How many actions, each for what the one before misses, are spoken of.
const CHAIN: usize = 4;

/// How much of a condition does not hold in a state.
pub(super) fn missing(condition: &Condition, state: &[u64]) -> usize {
    let missing = condition.positive.iter().filter(|&&it| !has(state, it));
    let unwanted = condition.negative.iter().filter(|&&it| has(state, it));
    missing.count() + unwanted.count()
}

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
                stuck.what = "a condition does not hold".into();
                if let Some((name, span)) = self.action(action) {
                    stuck.what = format!("{name} cannot be executed");
                    stuck.span = Some(span);
                }
                let condition = &self.ground.actions[action as usize].precondition;
                stuck.missing = self.failing(condition, &end.state);
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

    /// The state that is nearest to the goal: a goal that is missing, an action
    /// for it and what that misses, an action for that, and so on, down to one
    /// that can be executed; and where executing them upwards then ends.
    pub(super) fn nearest(
        &self,
        world: &World,
        steps: u32,
        state: &[u64],
        goal: Option<FactIndex>,
    ) -> Stuck {
        let mut stuck = Stuck {
            steps,
            all_seen: true,
            ended: false,
            what: match self.failing(&self.ground.goal, state) {
                failing if failing.is_empty() => "the goal does not hold".into(),
                failing => failing.join(" and "),
            },
            missing: Vec::new(),
            span: None,
        };
        let mut chain = Vec::new();
        let mut wanted = goal;
        while let Some(action) = wanted.and_then(|fact| self.action_for(fact, state)) {
            if chain.len() == CHAIN || chain.contains(&action) {
                return stuck;
            }
            chain.push(action);
            let condition = &self.ground.actions[action as usize].precondition;
            if missing(condition, state) == 0 {
                self.upwards(world, state.to_vec(), &chain, &mut stuck);
                return stuck;
            }
            self.cannot(action, state, "; ", &mut stuck);
            let mut needs = condition.positive.iter().copied();
            wanted = needs.find(|&it| !has(state, it));
        }
        stuck
    }

    /// Executes a chain from its last action on, each for the one before, and
    /// says what comes in the way.
    fn upwards(
        &self,
        world: &World,
        mut state: Vec<u64>,
        chain: &[ActionIndex],
        stuck: &mut Stuck,
    ) {
        let mut done = Vec::new();
        for &action in chain.iter().rev() {
            let condition = &self.ground.actions[action as usize].precondition;
            if missing(condition, &state) > 0 || !world.apply(action, &mut state) {
                let after = format!("; after {}, ", done.join(" and "));
                return self.cannot(action, &state, &after, stuck);
            }
            done.extend(self.action(action).map(|(name, _)| name));
        }
        let failing = self.failing(&self.ground.goal, &state);
        if !failing.is_empty() {
            let failing = failing.join(" and ");
            stuck.what += &format!("; after {}, {failing}", done.join(" and "));
        }
    }

    /// Adds that an action cannot be executed, and why.
    fn cannot(&self, action: ActionIndex, state: &[u64], before: &str, stuck: &mut Stuck) {
        let Some((name, span)) = self.action(action) else {
            return;
        };
        let condition = &self.ground.actions[action as usize].precondition;
        let failing = self.failing(condition, state).join(" and ");
        stuck.what += &format!("{before}{name} cannot be executed, as {failing}");
        stuck.span = Some(span);
    }

    /// The name of an action, and where it is declared.
    fn action(&self, action: ActionIndex) -> Option<(String, Span)> {
        let action = &self.ground.actions[action as usize];
        let schema = &self.model.actions[action.schema?.index()];
        Some((self.named(&schema.name, &action.arguments), schema.span))
    }

    /// The action that adds a fact and misses least in a state.
    fn action_for(&self, fact: FactIndex, state: &[u64]) -> Option<ActionIndex> {
        let actions = (0..).zip(&self.ground.actions);
        let adding = actions.filter(|(_, action)| {
            let mut conditional = action.conditional.iter();
            let adds = action.add.contains(&fact) || conditional.any(|it| it.add.contains(&fact));
            adds && action.schema.is_some()
        });
        let least = adding.min_by_key(|(_, action)| missing(&action.precondition, state));
        least.map(|(index, _)| index)
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
