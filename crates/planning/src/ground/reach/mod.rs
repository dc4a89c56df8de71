//! What can be reached if nothing ever becomes false.
//!
//! Starting from the initial network, a task that is *asked for* is joined with
//! its methods: their preconditions, and those conditions of their subtasks
//! that nothing before them in the method could establish, are matched against
//! the facts reached so far. A method instance asks for its subtasks in its own
//! order: a subtask is asked for when everything before it has been achieved.
//! An action that is asked for fires when its preconditions have been reached,
//! and makes new facts reached; these trigger the methods that waited for them.
//! A task is achieved when all subtasks of one of its methods are.
//!
//! So top-down and bottom-up reachability run as one fixed point: nothing is
//! looked at that the initial network does not lead to, and nothing is expanded
//! behind a subtask that cannot be achieved. A classical problem is the special
//! case in which every action is asked for from the start.
//!
//! The idea of grounding as a Datalog program is Helmert's ("Concise
//! finite-domain representations for PDDL planning tasks"); joining it with the
//! hierarchy follows Behnke, Höller, Schmid, Bercher and Biundo ("On succinct
//! groundings of HTN planning problems").

mod fire;
mod hierarchy;
mod rules;

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::GroundError;
use super::calculate::{ChangePattern, Functions};
use super::condition::{Prepared, World};
use super::join::{Body, Join, Step, Trigger};
use super::lower::{Pattern, Schemas};
use super::relation::Relation;
use super::split;
use crate::cost::Cost;
use crate::model::Model;
use rules::fixed_atoms;

/// A schema whose instances joins find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A method, by its place in [`Schemas::methods`].
    Method(usize),
    /// An action of a classical problem.
    Action(usize),
    /// A derived predicate's rule.
    Axiom(usize),
}

struct Triggered {
    rule: Rule,
    trigger: Trigger,
    steps: Vec<Step>,
}

/// An effect, its bindings planned.
pub struct PreparedEffect {
    /// Finds the values of the variables it happens for all values of.
    pub steps: Vec<Step>,
    /// When it happens.
    pub when: Prepared,
    /// What becomes true.
    pub add: Vec<Pattern>,
    /// What becomes false.
    pub delete: Vec<Pattern>,
    /// What is done to numbers.
    pub changes: Vec<ChangePattern>,
}

/// A method instance: which method, where its values lie, and its subtasks.
#[derive(Clone, Copy, Debug)]
pub struct MethodInstance {
    /// Its place in [`Schemas::methods`].
    pub method: u32,
    /// Where its values start in [`Reach::values`].
    pub values: u32,
    /// Where its subtasks start in [`Reach::nodes`].
    pub nodes: u32,
    /// How many subtasks have not been achieved.
    pub left: u32,
    /// The task it refines.
    pub task: u32,
}

/// Something that waits for facts.
struct Waiting {
    left: u32,
    what: Waiter,
}

enum Waiter {
    Action(u32),
    Facts(Vec<u32>),
}

/// What was reached.
pub struct Reach<'a> {
    /// The model.
    pub model: &'a Model,
    /// Facts and relations.
    pub world: World,
    /// Per action schema: instances asked for; `ids` number them globally.
    pub action_tables: Vec<Relation>,
    /// Per action instance: its schema and row.
    pub actions: Vec<(u32, u32)>,
    /// Per action instance: it can be executed.
    pub executable: Vec<bool>,
    /// Per task instance: its schema and row.
    pub tasks: Vec<(u32, u32)>,
    /// Per task instance: it can be carried out.
    pub achieved: Vec<bool>,
    /// Method instances.
    pub instances: Vec<MethodInstance>,
    /// Their parameters' values.
    pub values: Vec<u32>,
    /// Their subtasks: numbers of tasks or actions, as the schema says.
    pub nodes: Vec<u32>,
    /// Instances of rules for derived predicates: rule and all its values.
    pub axioms: Vec<(u32, Box<[u32]>)>,
    /// Per fact: it was reached.
    pub reached: Vec<bool>,
    /// Per method: its condition.
    pub method_conditions: Vec<Prepared>,
    /// Per action: its condition.
    pub action_conditions: Vec<Prepared>,
    /// Per action: its effects.
    pub action_effects: Vec<Vec<PreparedEffect>>,
    /// Per rule for a derived predicate: its condition.
    pub axiom_conditions: Vec<Prepared>,
    /// Per method: variables that nothing mentions, with a value for each.
    idle: Vec<Vec<(u32, u32)>>,
    triggered: Vec<Vec<Triggered>>,
    /// `(relation, row)` in order of arrival; those before `done` are visible.
    queue: Vec<(u32, u32)>,
    done: usize,
    /// Per subtask of an instance: how many direct predecessors are missing.
    missing: Vec<u32>,
    /// `(instance, subtask, next)`: who waits for a task or an action.
    watches: Vec<(u32, u32, u32)>,
    task_watch: Vec<u32>,
    action_watch: Vec<u32>,
    waiting: Vec<Waiting>,
    /// `(waiting, next)`: who waits for a fact.
    fact_watches: Vec<(u32, u32)>,
    fact_watch: Vec<u32>,
    /// Subtasks achieved but not yet told to their instance.
    news: Vec<(u32, u32)>,
    created: u64,
    /// Room for a tuple that is asked for.
    tuple: Vec<u32>,
    /// Values of static functions.
    pub costs: FxHashMap<(u32, Vec<u32>), Cost>,
    /// The schema that was being instantiated last.
    pub latest: Rule,
}

impl<'a> Reach<'a> {
    /// Everything prepared, nothing reached yet. On a stop, `self.latest` is to
    /// blame.
    pub fn new(model: &'a Model, run: &mut Run<'_>) -> Result<Reach<'a>, Stop> {
        let schemas = split::schemas(model, run)?;
        let mut relations: Vec<Relation> = model
            .predicates
            .iter()
            .map(|p| Relation::new(p.parameters.len()))
            .collect();
        relations.extend(
            model
                .tasks
                .iter()
                .map(|t| Relation::new(t.parameters.len())),
        );
        relations.push(Relation::new(0));
        relations.extend(schemas.helper_widths.iter().map(|&w| Relation::new(w)));
        let functions = Functions::new(model, schemas.changing.clone());
        let mut world = World::new(schemas, relations, functions);
        let mut tuple = Vec::new();
        for fact in &model.init {
            if world.schemas.derived[fact.predicate.index()] {
                continue;
            }
            tuple.clear();
            tuple.extend(fact.arguments.iter().map(|o| o.0));
            world.fact(fact.predicate.index(), &tuple);
        }
        for predicate in 0..model.predicates.len() {
            let relation = &mut world.relations[predicate];
            relation.initial = relation.table.len();
            (0..relation.initial).for_each(|row| relation.show(row));
        }
        let reached = vec![true; world.facts.len()];
        let mut reach = Reach {
            model,
            action_tables: model
                .actions
                .iter()
                .map(|a| Relation::new(a.arity))
                .collect(),
            actions: vec![],
            executable: vec![],
            tasks: vec![],
            achieved: vec![],
            instances: vec![],
            values: vec![],
            nodes: vec![],
            axioms: vec![],
            reached,
            method_conditions: vec![],
            action_conditions: vec![],
            action_effects: vec![],
            axiom_conditions: vec![],
            idle: vec![],
            triggered: (0..world.relations.len()).map(|_| vec![]).collect(),
            world,
            queue: vec![],
            done: 0,
            missing: vec![],
            watches: vec![],
            task_watch: vec![],
            action_watch: vec![],
            waiting: vec![],
            fact_watches: vec![],
            fact_watch: vec![],
            news: vec![],
            created: 0,
            tuple: vec![],
            costs: model
                .costs()
                .map(|(function, arguments, cost)| {
                    let arguments = arguments.iter().map(|o| o.0).collect();
                    ((function.0, arguments), cost)
                })
                .collect(),
            latest: Rule::Method(0),
        };
        reach.prepare(run)?;
        Ok(reach)
    }

    fn schemas(&self) -> &Schemas {
        &self.world.schemas
    }

    /// The root's number among the tasks.
    fn root(&self) -> usize {
        self.model.tasks.len()
    }

    fn task_relation(&self, task: usize) -> usize {
        self.model.predicates.len() + task
    }

    /// Plans conditions and effects.
    fn prepare(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        for action in self.schemas().actions.clone() {
            run.effort(100)?;
            let mut bound = vec![false; action.variables.len()];
            bound[..action.arity].fill(true);
            let world = &mut self.world;
            let condition = world.prepare(&action.condition, &action.variables, &bound);
            self.action_conditions.push(condition);
            let mut effects = Vec::new();
            for effect in &action.effects {
                let body = Body {
                    atoms: fixed_atoms(&effect.when.literals, &world.schemas),
                    wanted: effect.bound.clone(),
                    ranges: action.variables.clone(),
                    ..Body::default()
                };
                let steps = world.plan(&body, &bound);
                let mut inside = bound.clone();
                for &v in &effect.bound {
                    inside[v as usize] = true;
                }
                effects.push(PreparedEffect {
                    steps,
                    when: world.prepare(&effect.when, &action.variables, &inside),
                    add: effect.add.clone(),
                    delete: effect.delete.clone(),
                    changes: effect.changes.clone(),
                });
            }
            self.action_effects.push(effects);
        }
        for axiom in self.schemas().axioms.clone() {
            run.effort(100)?;
            let mut bound = vec![false; axiom.variables.len()];
            bound[..axiom.head.terms.len()].fill(true);
            let world = &mut self.world;
            let condition = world.prepare(&axiom.condition, &axiom.variables, &bound);
            self.axiom_conditions.push(condition);
        }
        for method in self.schemas().methods.clone() {
            run.effort(100)?;
            let mut bound = vec![false; method.variables.len()];
            bound[..method.arity].fill(true);
            let world = &mut self.world;
            let condition = world.prepare(&method.condition, &method.variables, &bound);
            self.method_conditions.push(condition);
        }
        Ok(())
    }

    /// Runs to the fixed point.
    pub fn run(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let mut join = Join::new(vec![]);
        let initial = self.plan_rules(run)?;
        for (rule, steps) in initial {
            self.latest = rule;
            join.binding.clear();
            join.binding.resize(self.width(rule), 0);
            join.run(
                &steps,
                &self.world.relations,
                &self.world.schemas.ranges,
                run,
            )?;
            self.take(rule, &mut join, run)?;
        }
        if self.model.network.is_some() {
            let root = self.root();
            self.ask_for_task(root, &[]);
        }
        while self.done < self.queue.len() {
            run.effort(1)?;
            let (relation, row) = self.queue[self.done];
            self.done += 1;
            self.world.relations[relation as usize].show(row);
            if (relation as usize) < self.model.predicates.len() {
                let fact = self.world.relations[relation as usize].ids[row as usize];
                self.wake(fact, run)?;
            }
            let triggered = std::mem::take(&mut self.triggered[relation as usize]);
            for Triggered {
                rule,
                trigger,
                steps,
            } in &triggered
            {
                self.latest = *rule;
                join.binding.clear();
                join.binding.resize(self.width(*rule), 0);
                let ranges = &self.world.schemas.ranges;
                let tuple = self.world.relations[relation as usize].table.row(row);
                if join.start(trigger, tuple, row, ranges) {
                    join.run(steps, &self.world.relations, ranges, run)?;
                    self.take(*rule, &mut join, run)?;
                }
            }
            self.triggered[relation as usize] = triggered;
        }
        Ok(())
    }

    /// Takes what a join found.
    fn take(&mut self, rule: Rule, join: &mut Join, run: &mut Run<'_>) -> Result<(), Stop> {
        let width = self.width(rule);
        let mut found = std::mem::take(&mut join.found);
        let count = found
            .len()
            .checked_div(width)
            .unwrap_or(usize::from(join.matched));
        join.matched = false;
        for at in 0..count {
            let values = &mut found[at * width..(at + 1) * width];
            self.created += 1;
            run.effort(8)?;
            if self.created.is_multiple_of(1024) {
                run.check_memory(self.bytes() as u64)?;
            }
            match rule {
                Rule::Method(method) => self.create(method, values, run)?,
                Rule::Action(action) => {
                    let arity = self.schemas().actions[action].arity;
                    self.ask_for_action(action, &values[..arity], run)?;
                }
                Rule::Axiom(axiom) => self.derive(axiom, values, run)?,
            }
        }
        found.clear();
        join.found = found;
        self.spread(run)
    }

    /// The error that says what was going on when a budget ran out.
    pub fn stopped(&self, stop: Stop) -> GroundError {
        let (schema, instances) = match self.latest {
            Rule::Method(m) => {
                let count = self.instances.iter().filter(|i| i.method as usize == m);
                let schema = match self.schemas().methods.get(m).and_then(|m| m.origin) {
                    Some(id) => format!("method `{}`", self.model.methods[id.index()].name),
                    None => "the initial network".to_string(),
                };
                (schema, count.count() as u64)
            }
            Rule::Action(a) => (
                format!("action `{}`", self.model.actions[a].name),
                u64::from(self.action_tables[a].table.len()),
            ),
            Rule::Axiom(x) => {
                let predicate = self.model.derived[x].predicate.index();
                let count = self.axioms.iter().filter(|(rule, _)| *rule as usize == x);
                (
                    format!(
                        "derived predicate `{}`",
                        self.model.predicates[predicate].name
                    ),
                    count.count() as u64,
                )
            }
        };
        GroundError::Stopped {
            stop,
            schema,
            instances,
        }
    }

    /// Bytes held, and what the finished problem will need.
    pub fn bytes(&self) -> usize {
        let words = self.values.capacity()
            + self.nodes.capacity()
            + self.missing.capacity()
            + 3 * self.watches.capacity()
            + 2 * self.fact_watches.capacity()
            + 2 * self.queue.capacity();
        let finished = 300 * self.instances.len() + 300 * self.actions.len();
        self.world.bytes()
            + self
                .action_tables
                .iter()
                .map(Relation::bytes)
                .sum::<usize>()
            + words * 4
            + self.instances.capacity() * size_of::<MethodInstance>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + finished
    }
}
