//! From the draft to the finished problem: disjunctions away, facts numbered.
//!
//! A condition with a few alternatives becomes a few actions or methods. One
//! with many would multiply out, so its disjunctions become helper facts with
//! one rule per alternative instead: the result grows with the sum of the
//! alternatives, never with their product.

use planoku_engine::{Run, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::condition::Form;
use super::draft::{Conj, Draft, DraftAction, DraftChange, sort};
use super::lower::{Conjunction, Literal, Nnf, Schemas, Slot};
use super::number::{number_facts, objects};
use super::prune::Alive;
use super::reach::Reach;
use super::relation::NONE;
use super::variables::number_variables;
use super::{
    Axiom, Condition, ConditionalEffect, Ground, GroundAction, GroundMethod, GroundTask, Node,
    VariableChange,
};
use crate::model::{ActionId, TaskId};

/// Up to this many alternatives are written out.
const ALTERNATIVES: usize = 8;

/// Evaluation layers of derived predicates, by predicate; an error names a
/// predicate that depends on its own negation.
pub fn layers(schemas: &Schemas) -> Result<Vec<u32>, usize> {
    let count = schemas.derived.iter().filter(|&&derived| derived).count() as u32;
    let mut layer = vec![0; schemas.derived.len()];
    loop {
        let mut changed = false;
        for axiom in &schemas.axioms {
            let head = axiom.head.predicate;
            for (predicate, positive) in mentioned(&axiom.condition) {
                if schemas.derived[predicate] {
                    let needed = layer[predicate] + u32::from(!positive);
                    if needed > layer[head] {
                        layer[head] = needed;
                        changed = true;
                    }
                }
            }
            if layer[head] > count {
                return Err(head);
            }
        }
        if !changed {
            return Ok(layer);
        }
    }
}

fn mentioned(condition: &Conjunction) -> Vec<(usize, bool)> {
    fn visit(nnf: &Nnf, into: &mut Vec<(usize, bool)>) {
        match nnf {
            Nnf::Literal(literal) => visit_literal(literal, into),
            Nnf::And(parts) | Nnf::Or(parts) => parts.iter().for_each(|part| visit(part, into)),
            Nnf::Quantified(_, _, body) => visit(body, into),
        }
    }
    fn visit_literal(literal: &Literal, into: &mut Vec<(usize, bool)>) {
        if let Literal::Atom(atom, positive) = literal {
            into.push((atom.predicate, *positive));
        }
    }
    let mut list = Vec::new();
    for literal in &condition.literals {
        visit_literal(literal, &mut list);
    }
    for part in &condition.rest {
        visit(part, &mut list);
    }
    list
}

/// Compiles disjunctions away.
struct Compiler<'a> {
    alive: &'a Alive,
    /// The number of the first helper fact.
    first_helper: u32,
    helpers: FxHashMap<(Form, u32), u32>,
    axioms: Vec<Axiom>,
}

impl Compiler<'_> {
    /// Alternatives, each a conjunction of literals; none if it cannot hold.
    fn alternatives(&mut self, conj: &Conj, layer: u32) -> Vec<Condition> {
        let alive = self.alive;
        if conj.rest.is_empty() {
            return alive.literals(conj).into_iter().collect();
        }
        match conj.simplify(&|fact, positive| alive.known(fact, positive)) {
            Some(conj) => self.alternatives_of_simplified(conj, layer),
            None => vec![],
        }
    }

    /// One conjunction of literals, with helpers where it takes several.
    fn single(&mut self, conj: &Conj, layer: u32) -> Option<Condition> {
        let mut list = self.alternatives(conj, layer);
        if list.len() <= 1 {
            return list.pop();
        }
        let parts = conj.rest.iter().cloned();
        let all = conj.positive.iter().map(|&fact| Form::Fact(fact, true));
        let none = conj.negative.iter().map(|&fact| Form::Fact(fact, false));
        let alive = self.alive;
        let whole = Form::and(all.chain(none).chain(parts))
            .simplify(&|fact, positive| alive.known(fact, positive));
        let helper = self.helper(Form::Or(vec![whole]), layer);
        Some(Condition {
            positive: vec![helper],
            negative: vec![],
        })
    }

    /// A fact that holds exactly where the (simplified) disjunction does.
    fn helper(&mut self, form: Form, layer: u32) -> u32 {
        let key = (form, layer);
        if let Some(&known) = self.helpers.get(&key) {
            return known;
        }
        let helper = self.first_helper + self.helpers.len() as u32;
        self.helpers.insert(key.clone(), helper);
        let Form::Or(parts) = key.0 else {
            return helper;
        };
        for part in parts {
            if let Some(conj) = Conj::from([part]) {
                for condition in self.alternatives_of_simplified(conj, layer) {
                    self.axioms.push(Axiom {
                        layer,
                        condition,
                        head: helper,
                    });
                }
            }
        }
        helper
    }

    fn alternatives_of_simplified(&mut self, mut conj: Conj, layer: u32) -> Vec<Condition> {
        if let Some(list) = expand(&conj) {
            return list;
        }
        for form in std::mem::take(&mut conj.rest) {
            let helper = self.helper(form, layer);
            conj.positive.push(helper);
        }
        sort(&mut conj.positive);
        vec![Condition {
            positive: conj.positive,
            negative: conj.negative,
        }]
    }
}

/// All alternatives of a simplified conjunction, if they are few.
fn expand(conj: &Conj) -> Option<Vec<Condition>> {
    let mut list = vec![Condition {
        positive: conj.positive.clone(),
        negative: conj.negative.clone(),
    }];
    for form in &conj.rest {
        let Form::Or(parts) = form else {
            continue;
        };
        let mut choices = Vec::new();
        for part in parts {
            if let Some(inner) = Conj::from([part.clone()]) {
                choices.extend(expand(&inner)?);
            }
        }
        if list.len() * choices.len() > ALTERNATIVES {
            return None;
        }
        list = list
            .iter()
            .flat_map(|left| choices.iter().filter_map(|right| both(left, right)))
            .collect();
    }
    Some(list)
}

fn both(left: &Condition, right: &Condition) -> Option<Condition> {
    let join = |a: &[u32], b: &[u32]| {
        let mut list = [a, b].concat();
        sort(&mut list);
        list
    };
    let positive = join(&left.positive, &right.positive);
    let negative = join(&left.negative, &right.negative);
    let clash = positive.iter().any(|f| negative.binary_search(f).is_ok());
    (!clash).then_some(Condition { positive, negative })
}

/// Marks as impossible what cannot hold once its alternatives are written
/// out; true if there was any, and pruning must be done again.
pub fn refute_contradictions(draft: &mut Draft, alive: &Alive) -> bool {
    let impossible = |conj: &mut Conj| {
        let hopeless = !conj.rest.is_empty()
            && conj
                .simplify(&|fact, positive| alive.known(fact, positive))
                .is_none_or(|conj| expand(&conj).is_some_and(|list| list.is_empty()));
        if hopeless {
            conj.rest = vec![Form::False];
        }
        hopeless
    };
    let mut any = false;
    for (action, _) in draft
        .actions
        .iter_mut()
        .zip(&alive.actions)
        .filter(|(_, a)| **a)
    {
        any |= impossible(&mut action.always.when);
    }
    for (method, _) in draft
        .methods
        .iter_mut()
        .zip(&alive.methods)
        .filter(|(_, a)| **a)
    {
        any |= impossible(&mut method.when);
    }
    if let Some(goal) = &mut draft.goal {
        any |= impossible(goal);
    }
    any
}

/// Finishes a draft whose goal may be reachable.
pub fn finish(
    reach: &Reach<'_>,
    mut draft: Draft,
    alive: &Alive,
    layer: &[u32],
    run: &mut Run<'_>,
) -> Result<Ground, Stop> {
    let top = layer.iter().max().map_or(0, |top| top + 1);
    let mut compiler = Compiler {
        alive,
        first_helper: draft.facts as u32,
        helpers: FxHashMap::default(),
        axioms: vec![],
    };
    let mut ground = Ground {
        ordered: reach.model.network.is_some()
            && reach.world.schemas.methods.iter().all(|m| m.ordered),
        ..Ground::default()
    };
    let stand_ins = stand_ins(reach, &draft, alive);
    // The root is the first task, if there is one.
    let mut task_places = vec![NONE; draft.tasks.len()];
    for (place, &number) in draft.tasks.iter().enumerate() {
        if alive.tasks[place] && stand_ins[place].is_none() {
            task_places[place] = ground.tasks.len() as u32;
            ground.tasks.push(task(reach, number));
        }
    }
    ground.root = (!ground.tasks.is_empty()).then_some(0);
    let actions = std::mem::take(&mut draft.actions);
    let nodes = finish_actions(reach, actions, alive, top, &mut compiler, &mut ground, run)?;
    let node = |mut node: Node| loop {
        match node {
            Node::Action(place) => return nodes[place as usize],
            Node::Task(place) => match stand_ins[place as usize] {
                Some(inner) => node = inner,
                None => return Node::Task(task_places[place as usize]),
            },
        }
    };
    finish_methods(
        reach,
        &draft,
        alive,
        top,
        &mut compiler,
        &mut ground,
        &stand_ins,
        node,
        run,
    )?;
    for axiom in &draft.axioms {
        let predicate = reach.world.schemas.axioms[axiom.schema as usize]
            .head
            .predicate;
        let layer = layer[predicate];
        if alive.facts[axiom.head as usize] {
            for condition in compiler.alternatives(&axiom.when, layer) {
                ground.axioms.push(Axiom {
                    layer,
                    condition,
                    head: axiom.head,
                });
            }
        }
    }
    if let Some(goal) = &draft.goal {
        ground.goal = compiler.single(goal, top).unwrap_or_default();
    }
    ground.axioms.append(&mut compiler.axioms);
    ground.axioms.sort_by_key(|axiom| axiom.layer);
    let helpers = compiler.helpers.len();
    number_facts(reach, &draft, helpers, &mut ground, run)?;
    number_variables(reach, &draft, &mut ground);
    Ok(ground)
}

/// Helper tasks left with one way to carry them out and nothing to check: what
/// stands in for them.
fn stand_ins(reach: &Reach<'_>, draft: &Draft, alive: &Alive) -> Vec<Option<Node>> {
    let is_helper = |place: usize| {
        reach.tasks[draft.tasks[place] as usize].0 as usize > reach.model.tasks.len()
    };
    let mut count = vec![0; draft.tasks.len()];
    let mut inner = vec![None; draft.tasks.len()];
    for (method, _) in draft
        .methods
        .iter()
        .zip(&alive.methods)
        .filter(|(_, a)| **a)
    {
        let task = method.task as usize;
        count[task] += 1;
        let known = |fact, positive| alive.known(fact, positive);
        if is_helper(task)
            && method.subtasks.len() == 1
            && method.when.simplify(&known).is_some_and(|conj| {
                conj.positive.is_empty() && conj.negative.is_empty() && conj.rest.is_empty()
            })
        {
            inner[task] = Some(method.subtasks[0]);
        }
    }
    inner
        .into_iter()
        .zip(count)
        .map(|(inner, count)| inner.filter(|_| count == 1))
        .collect()
}

fn task(reach: &Reach<'_>, number: u32) -> GroundTask {
    let (schema, row) = reach.tasks[number as usize];
    let relation = &reach.world.relations[reach.model.predicates.len() + schema as usize];
    GroundTask {
        schema: ((schema as usize) < reach.model.tasks.len()).then_some(TaskId(schema)),
        arguments: objects(relation.table.row(row)),
        methods: vec![],
    }
}

/// Writes out actions; returns what stands for each of the draft's.
fn finish_actions(
    reach: &Reach<'_>,
    actions: Vec<DraftAction>,
    alive: &Alive,
    top: u32,
    compiler: &mut Compiler<'_>,
    ground: &mut Ground,
    run: &mut Run<'_>,
) -> Result<Vec<Node>, Stop> {
    let mut nodes = vec![Node::Action(NONE); actions.len()];
    let has_numbers = !reach.world.functions.variables.is_empty();
    // Each is gone before the next is made: both need much memory.
    for (place, action) in actions.into_iter().enumerate() {
        run.effort(16)?;
        if !alive.actions[place] {
            continue;
        }
        let (schema, row) = reach.actions[action.number as usize];
        let arguments = objects(reach.action_tables[schema as usize].table.row(row));
        let mut conditional = Vec::new();
        let mut always = action.always;
        for effect in &action.conditional {
            for condition in compiler.alternatives(&effect.when, top) {
                if condition.positive.is_empty() && condition.negative.is_empty() {
                    always.add.extend(&effect.add);
                    always.delete.extend(&effect.delete);
                } else {
                    conditional.push(ConditionalEffect {
                        condition,
                        add: effect.add.clone(),
                        delete: effect.delete.clone(),
                    });
                }
            }
        }
        always.tidy();
        let changes = changes(action.changes, top, compiler);
        let first = ground.actions.len() as u32;
        for precondition in compiler.alternatives(&always.when, top) {
            if has_numbers {
                ground.numbers.changes.push(changes.clone());
            }
            ground.actions.push(GroundAction {
                schema: Some(ActionId(schema)),
                arguments: arguments.clone(),
                precondition,
                add: always.add.clone(),
                delete: always.delete.clone(),
                conditional: conditional.clone(),
                cost: action.cost,
            });
        }
        let count = ground.actions.len() as u32 - first;
        nodes[place] = match count {
            1 => Node::Action(first),
            _ => Node::Task(choice(first, count, ground)),
        };
    }
    Ok(nodes)
}

/// What an action does to numbers. Each change has one condition: two that hold
/// at once would make it happen twice.
fn changes(
    changes: Vec<DraftChange>,
    top: u32,
    compiler: &mut Compiler<'_>,
) -> Vec<VariableChange> {
    let changes = changes.into_iter().filter_map(|change| {
        Some(VariableChange {
            condition: compiler.single(&change.when, top)?,
            variable: change.variable,
            kind: change.kind,
            amount: change.amount,
        })
    });
    changes.collect()
}

/// A helper task that is carried out by one of several actions; needed only
/// below methods.
fn choice(first: u32, count: u32, ground: &mut Ground) -> u32 {
    let task = ground.tasks.len() as u32;
    if ground.root.is_none() {
        return NONE;
    }
    let methods = (0..count)
        .map(|at| ground.methods.len() as u32 + at)
        .collect();
    ground.tasks.push(GroundTask {
        schema: None,
        arguments: Box::new([]),
        methods,
    });
    for action in first..first + count {
        ground.methods.push(GroundMethod {
            schema: None,
            arguments: Box::new([]),
            task,
            precondition: Condition::default(),
            subtasks: vec![Node::Action(action)],
            places: vec![0],
            ordering: vec![],
        });
    }
    task
}

#[allow(clippy::too_many_arguments)]
fn finish_methods(
    reach: &Reach<'_>,
    draft: &Draft,
    alive: &Alive,
    top: u32,
    compiler: &mut Compiler<'_>,
    ground: &mut Ground,
    stand_ins: &[Option<Node>],
    node: impl Fn(Node) -> Node,
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let hidden: Vec<bool> = reach.world.schemas.methods.iter().map(has_hidden).collect();
    let mut seen = FxHashSet::default();
    for (place, method) in draft.methods.iter().enumerate() {
        run.effort(16)?;
        if !alive.methods[place] {
            continue;
        }
        let instance = reach.instances[method.number as usize];
        let schema = &reach.world.schemas.methods[instance.method as usize];
        let start = instance.values as usize;
        // A helper that something else stands in for is not needed.
        if stand_ins[method.task as usize].is_some() {
            continue;
        }
        let Node::Task(task) = node(Node::Task(method.task)) else {
            continue;
        };
        let subtasks: Vec<Node> = method.subtasks.iter().map(|&n| node(n)).collect();
        for precondition in compiler.alternatives(&method.when, top) {
            // Values that show neither in the task nor in the subtasks nor in
            // what is left of the precondition make no difference.
            if hidden[instance.method as usize]
                && !seen.insert((
                    instance.method,
                    task,
                    subtasks.clone(),
                    precondition.clone(),
                ))
            {
                continue;
            }
            ground.tasks[task as usize]
                .methods
                .push(ground.methods.len() as u32);
            ground.methods.push(GroundMethod {
                schema: schema.id,
                arguments: objects(&reach.values[start..start + schema.arity]),
                task,
                precondition,
                subtasks: subtasks.clone(),
                places: schema.places.clone(),
                ordering: schema.ordering.clone(),
            });
        }
    }
    Ok(())
}

/// True if a parameter of the condition shows neither in the task nor in a
/// subtask.
fn has_hidden(schema: &super::lower::MethodSchema) -> bool {
    let mut shown = vec![false; schema.variables.len()];
    let arguments = schema.subtasks.iter().flat_map(|(_, arguments)| arguments);
    for slot in schema.head.iter().chain(arguments) {
        if let Slot::Var(v) = slot {
            shown[*v as usize] = true;
        }
    }
    let hides = |slot: &Slot| matches!(slot, Slot::Var(v) if !shown[*v as usize]);
    !schema.condition.rest.is_empty()
        || schema.condition.literals.iter().any(|literal| {
            let mut hidden = false;
            literal.slots(&mut |slot| hidden |= hides(&slot));
            hidden
        })
}
