//! How big a problem is without its variables.

use planoku_engine::clock::Instant;
use planoku_planning::ground::{GroundError, ground};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::model;
use crate::{Allowance, Problem, Question, Wish, micros};

/// A domain and a problem to ground.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM}))]
pub struct AskGround {
    /// A domain in HDDL or PDDL.
    pub domain: String,
    /// A problem for it.
    pub problem: String,
    /// Milliseconds to spend, within the limit of the service.
    pub time_ms: Option<u64>,
}

/// How big a problem is without its variables.
#[derive(Serialize, ToSchema)]
pub struct Grounded {
    /// Facts that can become true.
    pub facts: usize,
    /// Actions that can be executed.
    pub actions: usize,
    /// Tasks that can be asked for.
    pub tasks: usize,
    /// Methods that can be chosen.
    pub methods: usize,
    /// Why the problem has no solution at all, where grounding shows it.
    pub refuted: Option<String>,
    /// The schemas with most instances.
    pub widest: Vec<Wide>,
    /// Time spent, in microseconds.
    pub time_us: u64,
}

/// A schema and how many instances it has.
#[derive(Serialize, ToSchema)]
pub struct Wide {
    /// `action` or `method`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// How many.
    pub instances: usize,
}

impl Question for AskGround {
    type Answer = Grounded;

    fn wish(&self) -> Wish {
        Wish::time(self.time_ms)
    }

    fn answer(&self, allowance: &Allowance) -> Result<Grounded, Problem> {
        let model = model(&self.domain, &self.problem)?;
        let started = Instant::now();
        let result = ground(&model, &mut allowance.run(1));
        let mut answer = Grounded {
            facts: 0,
            actions: 0,
            tasks: 0,
            methods: 0,
            refuted: None,
            widest: Vec::new(),
            time_us: micros(started),
        };
        match result {
            Ok(problem) => {
                answer.facts = problem.facts.len();
                answer.actions = problem.actions.len();
                answer.tasks = problem.tasks.len();
                answer.methods = problem.methods.len();
                let widest = problem.widest(&model);
                answer.widest = (widest.iter().take(10))
                    .map(|(kind, name, instances)| Wide {
                        kind: kind.to_string(),
                        name: name.to_string(),
                        instances: *instances,
                    })
                    .collect();
            }
            Err(error @ GroundError::Refuted(_)) => answer.refuted = Some(error.to_string()),
            Err(GroundError::Stopped { stop, .. }) => return Err(stop.into()),
            Err(error) => return Err(Problem::bad_input(error)),
        }
        Ok(answer)
    }
}
