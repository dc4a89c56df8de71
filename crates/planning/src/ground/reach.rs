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

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::GroundError;
use super::condition::{Form, Prepared, World};
use super::join::{Body, Join, Step, Test, Trigger, plan};
use super::lower::{Literal, MethodSchema, Pattern, Schemas, Slot, lower};
use super::relation::{NONE, Relation};
use crate::model::{Model, TaskRef};

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
}

/// A method instance: which method, where its values lie, and its subtasks.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
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
    pub instances: Vec<Instance>,
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
    /// Values of static functions.
    pub costs: FxHashMap<(u32, Vec<u32>), u64>,
    /// The schema that was being instantiated last.
    pub latest: Rule,
}

impl<'a> Reach<'a> {
    /// Runs to the fixed point. On a stop, `self.latest` is to blame.
    pub fn new(model: &'a Model) -> Reach<'a> {
        let schemas = lower(model);
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
        let mut world = World::new(schemas, relations);
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
            costs: model
                .values
                .iter()
                .map(|value| {
                    let arguments = value.arguments.iter().map(|o| o.0).collect();
                    ((value.function.0, arguments), value.value)
                })
                .collect(),
            latest: Rule::Method(0),
        };
        reach.prepare();
        reach
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
    fn prepare(&mut self) {
        for action in self.schemas().actions.clone() {
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
                });
            }
            self.action_effects.push(effects);
        }
        for axiom in self.schemas().axioms.clone() {
            let mut bound = vec![false; axiom.variables.len()];
            bound[..axiom.head.terms.len()].fill(true);
            let world = &mut self.world;
            let condition = world.prepare(&axiom.condition, &axiom.variables, &bound);
            self.axiom_conditions.push(condition);
        }
        for method in self.schemas().methods.clone() {
            let mut bound = vec![false; method.variables.len()];
            bound[..method.arity].fill(true);
            let world = &mut self.world;
            let condition = world.prepare(&method.condition, &method.variables, &bound);
            self.method_conditions.push(condition);
        }
    }

    /// Runs to the fixed point.
    pub fn run(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        let memory = run.budget().memory;
        let limit = memory.map_or(1 << 30, |bytes| bytes as usize / 8);
        let mut join = Join::new(vec![], limit);
        let initial = self.plan_rules();
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

    fn width(&self, rule: Rule) -> usize {
        match rule {
            Rule::Method(m) => self.schemas().methods[m].variables.len(),
            Rule::Action(a) => self.schemas().actions[a].variables.len(),
            Rule::Axiom(x) => self.schemas().axioms[x].variables.len(),
        }
    }

    /// Plans every rule for every relation that may trigger it, and returns
    /// the plans that start from nothing.
    fn plan_rules(&mut self) -> Vec<(Rule, Vec<Step>)> {
        let mut rules = Vec::new();
        let hierarchical = self.model.network.is_some();
        for (m, method) in self.schemas().methods.iter().enumerate() {
            rules.push((Rule::Method(m), self.method_body(method)));
        }
        for (a, action) in self.schemas().actions.iter().enumerate() {
            if !hierarchical {
                let mut body = self.body(&action.condition.literals, &action.variables);
                body.wanted = (0..action.arity as u32).collect();
                rules.push((Rule::Action(a), body));
            }
        }
        for (x, axiom) in self.schemas().axioms.iter().enumerate() {
            let mut body = self.body(&axiom.condition.literals, &axiom.variables);
            body.wanted = (0..axiom.head.terms.len() as u32).collect();
            rules.push((Rule::Axiom(x), body));
        }
        let mut initial = Vec::new();
        for (rule, body) in rules {
            let mut bound = vec![false; body.ranges.len()];
            if let Rule::Method(m) = rule {
                let method = &self.world.schemas.methods[m];
                let mut idle = Vec::new();
                for v in 0..method.arity as u32 {
                    let range = &self.world.schemas.ranges[method.variables[v as usize]];
                    // A variable without any value leaves the method without
                    // instances; it stays wanted, and the join finds nothing.
                    if !body.wanted.contains(&v) {
                        idle.push((v, range.objects[0]));
                        bound[v as usize] = true;
                    }
                }
                self.idle.push(idle);
            } else {
                let steps = self.world.plan(&body, &bound);
                initial.push((rule, steps));
            }
            for (atom, (relation, _, grows)) in body.atoms.iter().enumerate() {
                if *grows {
                    let (trigger, steps) = plan(
                        &body,
                        bound.clone(),
                        Some(atom),
                        &mut self.world.relations,
                        &self.world.schemas.ranges,
                    );
                    if let Some(trigger) = trigger {
                        self.triggered[*relation].push(Triggered {
                            rule,
                            trigger,
                            steps,
                        });
                    }
                }
            }
        }
        initial
    }

    fn body(&self, literals: &[Literal], ranges: &[usize]) -> Body {
        let mut body = Body {
            ranges: ranges.to_vec(),
            ..Body::default()
        };
        for literal in literals {
            self.add_literal(literal, &mut body);
        }
        body
    }

    fn add_literal(&self, literal: &Literal, body: &mut Body) {
        match literal {
            Literal::Equal(a, b, same) => body.tests.push(Test::Equal(*a, *b, *same)),
            Literal::Atom(atom, true) => {
                let grows = self.schemas().grows[atom.predicate];
                let atom = (atom.predicate, atom.terms.clone(), grows);
                if !body.atoms.contains(&atom) {
                    body.atoms.push(atom);
                }
            }
            Literal::Atom(atom, false) if !self.schemas().shrinks[atom.predicate] => {
                let test = Test::NotInitial(atom.predicate, atom.terms.clone());
                body.tests.push(test);
            }
            Literal::Atom(..) => {}
        }
    }

    /// What a method instance must match before it asks for anything.
    fn method_body(&self, method: &MethodSchema) -> Body {
        let mut body = self.body(&method.condition.literals, &method.variables);
        body.atoms.insert(
            0,
            (self.task_relation(method.task), method.head.clone(), true),
        );
        for (place, (node, arguments)) in method.subtasks.iter().enumerate() {
            let action = match node {
                TaskRef::Action(action) => action,
                TaskRef::Task(task) => {
                    for literal in &self.schemas().needs[task.index()] {
                        self.add_literal(&substitute(literal, arguments), &mut body);
                    }
                    continue;
                }
            };
            for literal in &self.schemas().actions[action.index()].condition.literals {
                if self.can_be_early(literal, place, method) {
                    self.add_literal(&substitute(literal, arguments), &mut body);
                }
            }
        }
        let mut wanted = vec![false; method.variables.len()];
        let mut want = |slot: &Slot| {
            if let Slot::Var(v) = slot {
                wanted[*v as usize] = true;
            }
        };
        method.head.iter().for_each(&mut want);
        for (_, arguments) in &method.subtasks {
            arguments.iter().for_each(&mut want);
        }
        for literal in &method.condition.literals {
            match literal {
                Literal::Atom(atom, _) => atom.terms.iter().for_each(&mut want),
                Literal::Equal(a, b, _) => [a, b].into_iter().for_each(&mut want),
            }
        }
        // Formulas with quantifiers are not looked into for this.
        let complex = !method.condition.rest.is_empty();
        body.wanted = (0..method.arity as u32)
            .filter(|&v| {
                let range = method.variables[v as usize];
                complex || wanted[v as usize] || self.schemas().ranges[range].objects.is_empty()
            })
            .collect();
        body
    }

    /// True if a literal that an action at this place of a method needs must
    /// hold (in the relaxed sense) before the method starts.
    pub fn can_be_early(&self, literal: &Literal, place: usize, method: &MethodSchema) -> bool {
        let Literal::Atom(atom, true) = literal else {
            return true;
        };
        if !self.schemas().grows[atom.predicate] {
            return true;
        }
        // Where tasks interleave, what a subtask before this one does may let
        // others establish the literal; then nothing may come before.
        let ordered = self.schemas().methods.iter().all(|method| method.ordered);
        (0..method.subtasks.len())
            .filter(|&other| other != place && !method.after[place][other])
            .all(|other| {
                let adds = match method.subtasks[other].0 {
                    TaskRef::Action(action) => &self.schemas().action_adds[action.index()],
                    TaskRef::Task(task) => &self.schemas().task_adds[task.index()],
                };
                ordered && !self.schemas().derived[atom.predicate] && !adds[atom.predicate]
            })
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
            if self.created.is_multiple_of(1024) {
                run.check()?;
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

    /// Makes a method instance and asks for its first subtasks.
    fn create(&mut self, m: usize, values: &mut [u32], run: &mut Run<'_>) -> Result<(), Stop> {
        for &(v, value) in &self.idle[m] {
            values[v as usize] = value;
        }
        if !self.rest_is_conceivable(|reach| &mut reach.method_conditions[m], values, run)? {
            return Ok(());
        }
        let method = &self.world.schemas.methods[m];
        let head: Vec<u32> = method.head.iter().map(|slot| slot.value(values)).collect();
        let relation = &self.world.relations[self.model.predicates.len() + method.task];
        let Some(row) = relation.table.find(&head) else {
            return Ok(());
        };
        let instance = self.instances.len() as u32;
        self.instances.push(Instance {
            method: m as u32,
            values: self.values.len() as u32,
            nodes: self.nodes.len() as u32,
            left: method.subtasks.len() as u32,
            task: relation.ids[row as usize],
        });
        self.values.extend_from_slice(&values[..method.arity]);
        let first = self.nodes.len();
        self.nodes.resize(first + method.subtasks.len(), NONE);
        self.missing.extend_from_slice(&method.predecessors);
        if method.subtasks.is_empty() {
            let task = self.instances[instance as usize].task;
            self.achieve_task(task);
        }
        for place in 0..self.world.schemas.methods[m].subtasks.len() {
            if self.world.schemas.methods[m].predecessors[place] == 0 {
                self.start(instance, place, run)?;
            }
        }
        Ok(())
    }

    /// False if a formula of a condition can never hold.
    fn rest_is_conceivable(
        &mut self,
        of: impl for<'b> Fn(&'b mut Reach<'a>) -> &'b mut Prepared,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        if of(self).rest.is_empty() {
            return Ok(true);
        }
        let rest = std::mem::take(&mut of(self).rest);
        let mut conceivable = Ok(true);
        for part in &rest {
            match self.world.residual(part, values, run) {
                Ok(Form::False) => conceivable = Ok(false),
                Ok(_) => continue,
                Err(stop) => conceivable = Err(stop),
            }
            break;
        }
        of(self).rest = rest;
        self.reached.resize(self.world.facts.len(), false);
        conceivable
    }

    /// Asks for a subtask whose predecessors have been achieved.
    fn start(&mut self, instance: u32, place: usize, run: &mut Run<'_>) -> Result<(), Stop> {
        let Instance {
            method,
            values,
            nodes,
            ..
        } = self.instances[instance as usize];
        let method = &self.world.schemas.methods[method as usize];
        let values = &self.values[values as usize..values as usize + method.arity];
        let (node, arguments) = &method.subtasks[place];
        let tuple: Vec<u32> = arguments.iter().map(|slot| slot.value(values)).collect();
        let (number, done, watch) = match *node {
            TaskRef::Task(task) => {
                let number = self.ask_for_task(task.index(), &tuple);
                let done = self.achieved[number as usize];
                (number, done, &mut self.task_watch[number as usize])
            }
            TaskRef::Action(action) => {
                let number = self.ask_for_action(action.index(), &tuple, run)?;
                let done = self.executable[number as usize];
                (number, done, &mut self.action_watch[number as usize])
            }
        };
        if done {
            self.news.push((instance, place as u32));
        } else {
            self.watches.push((instance, place as u32, *watch));
            *watch = self.watches.len() as u32 - 1;
        }
        self.nodes[nodes as usize + place] = number;
        Ok(())
    }

    /// Tells instances which of their subtasks have been achieved.
    fn spread(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        while let Some((number, place)) = self.news.pop() {
            let instance = &mut self.instances[number as usize];
            instance.left -= 1;
            let Instance {
                method,
                nodes,
                left,
                task,
                ..
            } = *instance;
            if left == 0 {
                self.achieve_task(task);
                continue;
            }
            let count = self.schemas().methods[method as usize].successors[place as usize].len();
            for next in 0..count {
                let next = self.schemas().methods[method as usize].successors[place as usize][next];
                let missing = &mut self.missing[(nodes + next) as usize];
                *missing -= 1;
                if *missing == 0 {
                    self.start(number, next as usize, run)?;
                }
            }
        }
        Ok(())
    }

    fn ask_for_task(&mut self, task: usize, tuple: &[u32]) -> u32 {
        let number = self.model.predicates.len() + task;
        let relation = &mut self.world.relations[number];
        let (row, new) = relation.table.intern(tuple);
        if new {
            relation.ids.push(self.tasks.len() as u32);
            self.tasks.push((task as u32, row));
            self.achieved.push(false);
            self.task_watch.push(NONE);
            self.queue.push((number as u32, row));
        }
        self.world.relations[number].ids[row as usize]
    }

    fn achieve_task(&mut self, task: u32) {
        if std::mem::replace(&mut self.achieved[task as usize], true) {
            return;
        }
        let watch = std::mem::replace(&mut self.task_watch[task as usize], NONE);
        self.tell(watch);
    }

    fn tell(&mut self, mut watch: u32) {
        while watch != NONE {
            let (instance, place, next) = self.watches[watch as usize];
            self.news.push((instance, place));
            watch = next;
        }
    }

    /// Numbers an action instance; a new one fires as soon as it can.
    fn ask_for_action(
        &mut self,
        action: usize,
        tuple: &[u32],
        run: &mut Run<'_>,
    ) -> Result<u32, Stop> {
        let (row, new) = self.action_tables[action].table.intern(tuple);
        if !new {
            return Ok(self.action_tables[action].ids[row as usize]);
        }
        let number = self.actions.len() as u32;
        self.action_tables[action].ids.push(number);
        self.actions.push((action as u32, row));
        self.executable.push(false);
        self.action_watch.push(NONE);
        let schema = &self.world.schemas.actions[action];
        let width = schema.variables.len();
        let ranges = &self.world.schemas.ranges;
        let typed = tuple
            .iter()
            .zip(&schema.variables)
            .all(|(&object, &range)| ranges[range].member[object as usize]);
        let mut values = tuple.to_vec();
        values.resize(width, 0);
        if !typed {
            return Ok(number);
        }
        if !self.rest_is_conceivable(|reach| &mut reach.action_conditions[action], &values, run)? {
            return Ok(number);
        }
        let literals = std::mem::take(&mut self.action_conditions[action].literals);
        let missing = self.missing_facts(&literals, &values);
        self.action_conditions[action].literals = literals;
        match missing {
            None => {}
            Some(facts) if facts.is_empty() => self.execute(number, run)?,
            Some(facts) => self.wait(&facts, Waiter::Action(number)),
        }
        Ok(number)
    }

    /// The facts among the literals that have not been reached; `None` if some
    /// literal can never hold.
    fn missing_facts(&mut self, literals: &[Literal], values: &[u32]) -> Option<Vec<u32>> {
        let mut missing = Vec::new();
        for literal in literals {
            if !self.world.conceivable(literal, values) {
                return None;
            }
            if let Literal::Atom(atom, true) = literal
                && self.world.schemas.grows[atom.predicate]
            {
                let fact = self.fact(atom, values);
                if !self.reached[fact as usize] {
                    missing.push(fact);
                }
            }
        }
        missing.sort_unstable();
        missing.dedup();
        Some(missing)
    }

    fn fact(&mut self, atom: &Pattern, values: &[u32]) -> u32 {
        let fact = self.world.instance(atom, values);
        if self.reached.len() < self.world.facts.len() {
            self.reached.resize(self.world.facts.len(), false);
        }
        fact
    }

    fn wait(&mut self, facts: &[u32], what: Waiter) {
        let waiting = self.waiting.len() as u32;
        self.waiting.push(Waiting {
            left: facts.len() as u32,
            what,
        });
        for &fact in facts {
            if self.fact_watch.len() <= fact as usize {
                self.fact_watch.resize(fact as usize + 1, NONE);
            }
            let watch = &mut self.fact_watch[fact as usize];
            self.fact_watches.push((waiting, *watch));
            *watch = self.fact_watches.len() as u32 - 1;
        }
    }

    /// Whoever waited for a fact goes on.
    fn wake(&mut self, fact: u32, run: &mut Run<'_>) -> Result<(), Stop> {
        let Some(watch) = self.fact_watch.get_mut(fact as usize) else {
            return Ok(());
        };
        let mut watch = std::mem::replace(watch, NONE);
        while watch != NONE {
            let (waiting, next) = self.fact_watches[watch as usize];
            watch = next;
            let waiting = &mut self.waiting[waiting as usize];
            waiting.left -= 1;
            if waiting.left == 0 {
                match std::mem::replace(&mut waiting.what, Waiter::Facts(vec![])) {
                    Waiter::Action(action) => self.execute(action, run)?,
                    Waiter::Facts(facts) => facts.iter().for_each(|&fact| self.reach(fact)),
                }
            }
        }
        self.spread(run)
    }

    /// An action fires: its effects are reached, at once or when their own
    /// conditions are.
    fn execute(&mut self, number: u32, run: &mut Run<'_>) -> Result<(), Stop> {
        self.executable[number as usize] = true;
        let watch = std::mem::replace(&mut self.action_watch[number as usize], NONE);
        self.tell(watch);
        let (action, row) = self.actions[number as usize];
        let action = action as usize;
        let mut values = self.action_tables[action].table.row(row).to_vec();
        values.resize(self.schemas().actions[action].variables.len(), 0);
        let effects = std::mem::take(&mut self.action_effects[action]);
        let mut result = Ok(());
        for effect in &effects {
            result = self.apply(effect, &values, run);
            if result.is_err() {
                break;
            }
        }
        self.action_effects[action] = effects;
        result
    }

    fn apply(
        &mut self,
        effect: &PreparedEffect,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if effect.add.is_empty() {
            return Ok(());
        }
        let found;
        let bindings = if effect.steps.is_empty() {
            values
        } else {
            found = self.world.matches(&effect.steps, values, run)?;
            &found[..]
        };
        let count = bindings.len().checked_div(values.len()).unwrap_or(1);
        'bindings: for at in 0..count {
            let values = &bindings[at * values.len()..(at + 1) * values.len()];
            let Some(missing) = self.missing_facts(&effect.when.literals, values) else {
                continue;
            };
            for part in &effect.when.rest {
                if self.world.residual(part, values, run)? == Form::False {
                    continue 'bindings;
                }
            }
            let facts: Vec<u32> = effect.add.iter().map(|a| self.fact(a, values)).collect();
            if missing.is_empty() {
                facts.iter().for_each(|&fact| self.reach(fact));
            } else {
                self.wait(&missing, Waiter::Facts(facts));
            }
        }
        Ok(())
    }

    fn reach(&mut self, fact: u32) {
        if !std::mem::replace(&mut self.reached[fact as usize], true) {
            self.queue.push(self.world.facts[fact as usize]);
        }
    }

    /// A rule for a derived predicate fires.
    fn derive(&mut self, x: usize, values: &[u32], run: &mut Run<'_>) -> Result<(), Stop> {
        if !self.rest_is_conceivable(|reach| &mut reach.axiom_conditions[x], values, run)? {
            return Ok(());
        }
        let head = self.schemas().axioms[x].head.clone();
        let fact = self.fact(&head, values);
        self.reach(fact);
        self.axioms.push((x as u32, values.into()));
        Ok(())
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
            + self.instances.capacity() * size_of::<Instance>()
            + self.waiting.capacity() * size_of::<Waiting>()
            + finished
    }
}

/// The positive literals over predicates that no action makes true.
fn fixed_atoms(literals: &[Literal], schemas: &Schemas) -> Vec<(usize, Vec<Slot>, bool)> {
    literals
        .iter()
        .filter_map(|literal| match literal {
            Literal::Atom(atom, true) if !schemas.grows[atom.predicate] => {
                Some((atom.predicate, atom.terms.clone(), false))
            }
            _ => None,
        })
        .collect()
}

/// A subtask's literal in the words of a method that calls it.
fn substitute(literal: &Literal, arguments: &[Slot]) -> Literal {
    super::split::map(literal, |slot| match slot {
        Slot::Var(v) => arguments[v as usize],
        object => object,
    })
}
