//! A problem in which nothing that matters ever becomes false.
//!
//! Built from a grounded problem whose conditions are all positive and whose
//! actions delete nothing that anybody needs. Tasks become facts ("it has been
//! done") and methods operators without cost, as in the relaxation of `relax`;
//! for hierarchical problems that only bounds the cost from below.

use crate::ground::{Condition, ConditionalEffect, Ground, Node};

/// What an operator stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An action.
    Action(u32),
    /// A method, or a rule for a derived fact.
    Free,
}

/// An action, a method or a rule.
#[derive(Clone, Debug)]
pub(super) struct Operator {
    /// What it costs.
    pub cost: u64,
    /// Facts that must hold; sorted.
    pub needs: Vec<u32>,
    /// Facts that become true; sorted.
    pub adds: Vec<u32>,
    /// What it stands for.
    pub origin: Origin,
}

/// Facts that hold at the start are mentioned nowhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// Facts are numbered below this.
    pub facts: usize,
    /// What can be done.
    pub operators: Vec<Operator>,
    /// What must hold in the end; sorted.
    pub goal: Vec<u32>,
}

impl Problem {
    /// The grounded problem in this form, or why it does not have it.
    pub fn of(ground: &Ground) -> Result<Problem, &'static str> {
        if !ground.numbers.is_empty() {
            return Err("it has numbers that change");
        }
        let first_task = ground.facts.len();
        let first_action = first_task + ground.tasks.len();
        let hierarchical = ground.root.is_some();
        let mut problem = Problem {
            facts: first_action
                + if hierarchical {
                    ground.actions.len()
                } else {
                    0
                },
            ..Problem::default()
        };
        let mut holds = vec![false; problem.facts];
        for &fact in &ground.init {
            holds[fact as usize] = true;
        }
        let relevant = relevant(ground);
        let trimmed = |list: &[u32]| -> Vec<u32> {
            let open = list.iter().copied().filter(|&fact| !holds[fact as usize]);
            open.collect()
        };
        let node = |node: &Node| match *node {
            Node::Task(task) => first_task as u32 + task,
            Node::Action(action) => first_action as u32 + action,
        };
        let mut total = 0u64;
        for (index, action) in ground.actions.iter().enumerate() {
            let mut adds = trimmed(&action.add);
            adds.retain(|&fact| relevant[fact as usize]);
            if hierarchical {
                adds.push((first_action + index) as u32);
            }
            let matters = |fact: &u32| relevant[*fact as usize] && !action.add.contains(fact);
            let helps = |it: &ConditionalEffect| it.add.iter().any(matters);
            if adds.is_empty() && !action.conditional.iter().any(helps) {
                continue;
            }
            if !is_positive(&action.precondition) {
                return Err("a precondition wants something false");
            }
            if action.delete.iter().any(matters) {
                return Err("an action makes something false that others need");
            }
            let changes = |list: &[u32]| list.iter().any(matters);
            if (action.conditional.iter()).any(|it| changes(&it.add) || changes(&it.delete)) {
                return Err("an action has conditional effects");
            }
            let large = "costs are too large for 64 bits";
            let cost = action.cost.small().ok_or(large)?;
            total = total
                .checked_add(cost)
                .filter(|&total| total < u64::MAX / 4)
                .ok_or(large)?;
            problem.operators.push(Operator {
                cost,
                needs: trimmed(&action.precondition.positive),
                adds,
                origin: Origin::Action(index as u32),
            });
        }
        for axiom in &ground.axioms {
            if !is_positive(&axiom.condition) {
                return Err("a rule wants something false");
            }
            problem.operators.push(Operator {
                cost: 0,
                needs: trimmed(&axiom.condition.positive),
                adds: trimmed(&[axiom.head]),
                origin: Origin::Free,
            });
        }
        for method in &ground.methods {
            if !is_positive(&method.precondition) {
                return Err("a method wants something false");
            }
            let mut needs = trimmed(&method.precondition.positive);
            needs.extend(method.subtasks.iter().map(node));
            needs.sort_unstable();
            needs.dedup();
            problem.operators.push(Operator {
                cost: 0,
                needs,
                adds: vec![first_task as u32 + method.task],
                origin: Origin::Free,
            });
        }
        if !is_positive(&ground.goal) {
            return Err("the goal wants something false");
        }
        problem.goal = trimmed(&ground.goal.positive);
        problem
            .goal
            .extend(ground.root.map(|root| first_task as u32 + root));
        problem.goal.sort_unstable();
        problem.goal.dedup();
        Ok(problem)
    }
}

fn is_positive(condition: &Condition) -> bool {
    condition.negative.is_empty()
}

/// Per fact: whether it holds can matter for the goal. In a hierarchical
/// problem anything that is wanted somewhere can.
fn relevant(ground: &Ground) -> Vec<bool> {
    let mut relevant = vec![false; ground.facts.len()];
    let mut open: Vec<u32> = Vec::new();
    let want = |facts: &[u32], relevant: &mut Vec<bool>, open: &mut Vec<u32>| {
        for &fact in facts {
            if !std::mem::replace(&mut relevant[fact as usize], true) {
                open.push(fact);
            }
        }
    };
    want(&ground.goal.positive, &mut relevant, &mut open);
    want(&ground.goal.negative, &mut relevant, &mut open);
    if ground.root.is_some() {
        let conditions = (ground.actions.iter().map(|it| &it.precondition))
            .chain(ground.methods.iter().map(|it| &it.precondition))
            .chain(ground.axioms.iter().map(|it| &it.condition));
        for condition in conditions {
            want(&condition.positive, &mut relevant, &mut open);
            want(&condition.negative, &mut relevant, &mut open);
        }
        return relevant;
    }
    let mut makers: Vec<Vec<&Condition>> = vec![Vec::new(); ground.facts.len()];
    for action in &ground.actions {
        // A conditional effect needs its condition as well, and what an
        // action makes false may be what somebody wants false.
        let changed = action.add.iter().chain(&action.delete);
        changed.for_each(|&fact| makers[fact as usize].push(&action.precondition));
        for effect in &action.conditional {
            for &fact in effect.add.iter().chain(&effect.delete) {
                makers[fact as usize].push(&action.precondition);
                makers[fact as usize].push(&effect.condition);
            }
        }
    }
    for axiom in &ground.axioms {
        makers[axiom.head as usize].push(&axiom.condition);
    }
    while let Some(fact) = open.pop() {
        for condition in std::mem::take(&mut makers[fact as usize]) {
            want(&condition.positive, &mut relevant, &mut open);
            want(&condition.negative, &mut relevant, &mut open);
        }
    }
    relevant
}
