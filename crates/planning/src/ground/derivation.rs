//! From what a search engine found to a plan in the words of the model.

use planoku_engine::EngineError;
use rustc_hash::FxHashMap;

use super::{Derivation, Ground, Objective, Refinement};
use planoku_language::cost::Cost;
use planoku_language::plan::{Decomposition, Plan, Step};

impl Ground {
    /// What the steps of a plan add to the metric, where that is what costs
    /// stand for.
    pub(crate) fn added_to_metric(&self, plan: &Plan) -> Option<Cost> {
        if self.objective != Objective::Metric {
            return None;
        }
        let mut costs = FxHashMap::default();
        for action in self.actions.iter().filter(|it| it.schema.is_some()) {
            let key = (action.schema, &*action.arguments);
            // What is one action in the model may be several here.
            if costs
                .insert(key, action.cost)
                .is_some_and(|it| it != action.cost)
            {
                return None;
            }
        }
        let mut steps = plan.steps.iter();
        steps.try_fold(Cost::ZERO, |sum, step| {
            let cost = *costs.get(&(Some(step.action), &*step.arguments))?;
            Some(sum + cost)
        })
    }
}

impl Derivation {
    /// The plan that it stands for: helpers vanish, their subtasks take their
    /// place. Steps are numbered from 0 in execution order, tasks after them.
    ///
    /// A derivation that does not hang together is the engine's mistake; only
    /// what is needed to translate it is checked here, the rest by
    /// [`crate::verify`].
    pub fn plan(&self, ground: &Ground) -> Result<Plan, EngineError> {
        let derivation = self;
        let mut plan = Plan::default();
        let mut cost = Cost::ZERO;
        let mut places = FxHashMap::default();
        for &(node, action) in &derivation.steps {
            let action = ground
                .actions
                .get(action as usize)
                .ok_or_else(|| broken("a step is no action"))?;
            let Some(schema) = action.schema else {
                places.insert(node, None);
                continue;
            };
            let id = plan.steps.len() as u64;
            places.insert(node, Some(id));
            cost += action.cost;
            plan.steps.push(Step {
                id,
                action: schema,
                arguments: action.arguments.to_vec(),
            });
        }
        // What a metric comes to is not for us to say.
        plan.cost = (ground.objective != Objective::Metric).then_some(cost);
        let Some(root) = ground.root else {
            return Ok(plan);
        };
        let mut next = plan.steps.len() as u64;
        let mut by_node = FxHashMap::default();
        let mut top = None;
        for refinement in &derivation.refinements {
            let method = ground
                .methods
                .get(refinement.method as usize)
                .ok_or_else(|| broken("a refinement has no method"))?;
            by_node.insert(refinement.node, refinement);
            if method.task == root && top.is_none() {
                top = Some(refinement);
            } else if ground.tasks[method.task as usize].schema.is_some() {
                places.insert(refinement.node, Some(next));
                next += 1;
            }
        }
        let top = top.ok_or_else(|| broken("the root is not refined"))?;
        let children = Children {
            ground,
            places: &places,
            by_node: &by_node,
        };
        plan.roots = children.of(top)?;
        for refinement in &derivation.refinements {
            let method = &ground.methods[refinement.method as usize];
            let task = &ground.tasks[method.task as usize];
            let (Some(schema), Some(task_schema)) = (method.schema, task.schema) else {
                continue;
            };
            let Some(&Some(id)) = places.get(&refinement.node) else {
                return Err(broken("a task has no number"));
            };
            plan.decompositions.push(Decomposition {
                id,
                task: task_schema,
                arguments: task.arguments.to_vec(),
                method: schema,
                children: children.of(refinement)?,
            });
        }
        Ok(plan)
    }
}

fn broken(what: &str) -> EngineError {
    EngineError::Internal(format!("a derivation does not hang together: {what}"))
}

struct Children<'a> {
    ground: &'a Ground,
    /// Plan ids by node; `None` for helpers without a trace.
    places: &'a FxHashMap<u32, Option<u64>>,
    by_node: &'a FxHashMap<u32, &'a Refinement>,
}

impl Children<'_> {
    /// The plan ids of a refinement's children, in the order in which the
    /// method schema lists its subtasks.
    fn of(&self, refinement: &Refinement) -> Result<Vec<u64>, EngineError> {
        let mut ids = Vec::with_capacity(refinement.children.len());
        // Helpers nest rarely and never deeply.
        let mut open: Vec<u32> = self.listed(refinement)?.into_iter().rev().collect();
        while let Some(node) = open.pop() {
            match (self.places.get(&node), self.by_node.get(&node)) {
                (Some(Some(id)), _) => ids.push(*id),
                (Some(None), _) => {}
                (None, Some(helper)) => open.extend(self.listed(helper)?.into_iter().rev()),
                (None, None) => return Err(broken("a child is neither step nor refined")),
            }
        }
        Ok(ids)
    }

    fn listed(&self, refinement: &Refinement) -> Result<Vec<u32>, EngineError> {
        let method = &self.ground.methods[refinement.method as usize];
        if method.places.len() != refinement.children.len() {
            return Err(broken("a method has as many children as subtasks"));
        }
        let mut pairs: Vec<(u32, u32)> = method
            .places
            .iter()
            .copied()
            .zip(refinement.children.iter().copied())
            .collect();
        pairs.sort_unstable();
        Ok(pairs.into_iter().map(|(_, child)| child).collect())
    }
}
