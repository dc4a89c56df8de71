//! What can happen at all, when deletes are ignored.
//!
//! Facts that an action adds stay; negative conditions on facts that change
//! are taken to hold. What is unreachable even so is unreachable. The facts,
//! the actions that can apply and the tasks that can be accomplished are
//! relations, and each action, method and derived predicate is a rule over
//! them: an action's rule asks for its precondition and yields its effects, a
//! method's rule asks for its precondition and its subtasks and yields its
//! task. Evaluating the rules to a fixed point is Datalog.
//!
//! Only schemas that the initial network leads to take part. Work is limited
//! by a number of steps: on a large problem the question stays open, which is
//! better than slow.

mod join;
mod relation;
pub(super) use relation::Relation;

use crate::model::visit;
use crate::model::{
    ActionId, Atom, Effect, Formula, MethodId, Model, ObjectId, PredicateId, Span, TaskId, TaskRef,
    Term, Variable,
};
use rustc_hash::FxHashSet;

/// The work was more than the limit allows.
#[derive(Debug)]
pub(super) struct TooMuch;

/// Larger schemas are not examined.
const LARGEST_RULE: usize = 200;

/// Steps to look for one instance of a rule, and to look for all, where only
/// the names of facts are followed.
const SKETCH_STEPS: u64 = 2_000;
const MOST_SKETCH_STEPS: u64 = 40_000;

/// The index of a relation: predicates, then tasks, then actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RelationId(usize);

/// Whose rule it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Owner {
    /// An action's.
    Action(ActionId),
    /// A method's.
    Method(MethodId),
    /// That of the derived predicate with the number.
    Derived(usize),
    /// The initial network's.
    Network,
}

/// The schemas that can never be used, whatever a planner does: no instance of
/// them is reachable even if nothing ever becomes false. Looks for at most so
/// many steps; what is not decided by then is not called dead.
pub fn dead_schemas(model: &Model, steps: u64) -> Vec<Owner> {
    let facts = (model.init.iter()).map(|fact| (fact.predicate, fact.arguments.clone()));
    let Ok(mut relaxed) = Relaxed::new(model, facts, false, steps) else {
        return Vec::new();
    };
    if relaxed.run().is_err() {
        relaxed.sketch();
    }
    (relaxed.rules.iter().zip(&relaxed.fired))
        .filter(|(rule, fired)| !**fired && rule.owner != Owner::Network)
        .map(|(rule, _)| rule.owner)
        .collect()
}

/// A relation applied to terms.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub relation: RelationId,
    pub terms: Vec<Term>,
    /// Where it is written, if it is.
    pub span: Span,
}

/// If the body holds and the residue may, the heads hold.
pub(super) struct Rule<'m> {
    pub owner: Owner,
    pub variables: &'m [Variable],
    /// Those that are joined; the others are bound inside the residue.
    pub arity: usize,
    pub body: Vec<Literal>,
    /// How many of `body` come from the precondition; subtasks follow.
    pub conditions: usize,
    /// Conditions that are no positive literals.
    pub residue: Vec<&'m Formula>,
    pub heads: Vec<Literal>,
    /// Heads under a quantifier, with the variables to run through.
    pub quantified: Vec<(Vec<u32>, Literal)>,
}

/// The relaxed problem and, after [`run`](Relaxed::run), what is reachable.
pub(super) struct Relaxed<'m> {
    pub model: &'m Model,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule<'m>>,
    /// For each rule, whether an instance has been found.
    pub fired: Vec<bool>,
    /// Where only the kinds of facts are followed (see [`Relaxed::sketch`]),
    /// for each relation whether it may hold anything.
    sketched: Option<Vec<bool>>,
    /// For each rule, for each variable, which objects it admits.
    pub admitted: Vec<Vec<Vec<ObjectId>>>,
    pub changing: Vec<bool>,
    /// Schemas the initial network leads to.
    pub led_to: FxHashSet<TaskRef>,
    /// All schemas take part, whether the network leads to them or not.
    everything: bool,
    pub steps: u64,
    pub limit: u64,
}

impl<'m> Relaxed<'m> {
    /// Prepares the rules. `init` replaces the model's initial facts;
    /// `everything` lets schemas take part that the network does not lead to.
    pub fn new(
        model: &'m Model,
        init: impl Iterator<Item = (PredicateId, Vec<ObjectId>)>,
        everything: bool,
        limit: u64,
    ) -> Result<Relaxed<'m>, TooMuch> {
        let led_to = visit::led_to(model);
        let arities = (model.predicates.iter().map(|p| p.parameters.len()))
            .chain(model.tasks.iter().map(|t| t.parameters.len()))
            .chain(model.actions.iter().map(|a| a.arity));
        let mut relaxed = Relaxed {
            model,
            relations: arities.map(Relation::new).collect(),
            rules: Vec::new(),
            fired: Vec::new(),
            sketched: None,
            admitted: Vec::new(),
            changing: visit::changing(model),
            led_to,
            everything: everything || model.network.is_none(),
            steps: 0,
            limit,
        };
        if model.init.len() as u64 > limit {
            return Err(TooMuch);
        }
        for (predicate, arguments) in init {
            relaxed.steps += 1;
            relaxed.relations[predicate.index()].insert(&arguments);
        }
        if relaxed.steps > limit {
            return Err(TooMuch);
        }
        relaxed.add_rules()?;
        relaxed.fired = vec![false; relaxed.rules.len()];
        relaxed.admit()?;
        Ok(relaxed)
    }

    pub fn predicate(&self, id: PredicateId) -> RelationId {
        RelationId(id.index())
    }

    pub fn task(&self, task: TaskRef) -> RelationId {
        let predicates = self.model.predicates.len();
        RelationId(match task {
            TaskRef::Task(id) => predicates + id.index(),
            TaskRef::Action(id) => predicates + self.model.tasks.len() + id.index(),
        })
    }

    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.0]
    }

    /// What a relation stands for.
    pub fn meaning(&self, id: RelationId) -> Meaning {
        let predicates = self.model.predicates.len();
        let tasks = self.model.tasks.len();
        match id.0 {
            i if i < predicates => Meaning::Predicate(PredicateId(i as u32)),
            i if i < predicates + tasks => {
                Meaning::Task(TaskRef::Task(TaskId((i - predicates) as u32)))
            }
            i => Meaning::Task(TaskRef::Action(ActionId((i - predicates - tasks) as u32))),
        }
    }

    fn takes_part(&self, task: TaskRef) -> bool {
        self.everything || self.led_to.contains(&task)
    }

    fn add_rules(&mut self) -> Result<(), TooMuch> {
        let model = self.model;
        for (index, action) in model.actions.iter().enumerate() {
            let id = ActionId(index as u32);
            if !self.takes_part(TaskRef::Action(id)) {
                continue;
            }
            let mut rule = self.rule(Owner::Action(id), &action.variables, action.arity);
            self.conditions(&action.precondition, &mut rule);
            rule.heads.push(Literal {
                relation: self.task(TaskRef::Action(id)),
                terms: (0..action.arity)
                    .map(|i| Term::Variable(crate::model::VariableId(i as u32)))
                    .collect(),
                span: Span::default(),
            });
            self.effects(&action.effect, &mut Vec::new(), &mut rule);
            self.rules.push(rule);
        }
        for (index, method) in model.methods.iter().enumerate() {
            if !self.takes_part(TaskRef::Task(method.task)) {
                continue;
            }
            let owner = Owner::Method(MethodId(index as u32));
            let mut rule = self.rule(owner, &method.variables, method.arity);
            self.conditions(&method.precondition, &mut rule);
            self.conditions(&method.network.constraints, &mut rule);
            rule.conditions = rule.body.len();
            self.subtasks(&method.network, &mut rule);
            rule.heads.push(Literal {
                relation: self.task(TaskRef::Task(method.task)),
                terms: method.task_arguments.clone(),
                span: method.span,
            });
            self.rules.push(rule);
        }
        for (index, derived) in model.derived.iter().enumerate() {
            let owner = Owner::Derived(index);
            let mut rule = self.rule(owner, &derived.variables, derived.arity);
            self.conditions(&derived.condition, &mut rule);
            rule.heads.push(Literal {
                relation: self.predicate(derived.predicate),
                terms: (0..derived.arity)
                    .map(|i| Term::Variable(crate::model::VariableId(i as u32)))
                    .collect(),
                span: Span::default(),
            });
            self.rules.push(rule);
        }
        if let Some(network) = &model.network {
            let mut rule = self.rule(Owner::Network, &network.variables, network.arity);
            self.conditions(&network.network.constraints, &mut rule);
            rule.conditions = rule.body.len();
            self.subtasks(&network.network, &mut rule);
            self.rules.push(rule);
        }
        // An initial network may be long: its subtasks are mostly ground.
        let large = |rule: &Rule<'_>| {
            rule.owner != Owner::Network && rule.body.len() + rule.arity > LARGEST_RULE
        };
        match self.rules.iter().any(large) {
            true => Err(TooMuch),
            false => Ok(()),
        }
    }

    fn rule(&self, owner: Owner, variables: &'m [Variable], arity: usize) -> Rule<'m> {
        Rule {
            owner,
            variables,
            arity,
            body: Vec::new(),
            conditions: 0,
            residue: Vec::new(),
            heads: Vec::new(),
            quantified: Vec::new(),
        }
    }

    fn literal(&self, atom: &Atom) -> Literal {
        Literal {
            relation: self.predicate(atom.predicate),
            terms: atom.arguments.clone(),
            span: atom.span,
        }
    }

    /// Splits a conjunction into positive literals and the rest.
    fn conditions(&self, formula: &'m Formula, rule: &mut Rule<'m>) {
        match formula {
            Formula::True => {}
            Formula::Atom(atom) => rule.body.push(self.literal(atom)),
            Formula::And(parts) => parts.iter().for_each(|part| self.conditions(part, rule)),
            other => rule.residue.push(other),
        }
        rule.conditions = rule.body.len();
    }

    fn subtasks(&self, network: &'m crate::model::Network, rule: &mut Rule<'m>) {
        for subtask in &network.subtasks {
            rule.body.push(Literal {
                relation: self.task(subtask.task),
                terms: subtask.arguments.clone(),
                span: subtask.span,
            });
        }
    }

    /// What an effect adds; conditions of conditional effects are ignored.
    fn effects(&self, effect: &'m Effect, bound: &mut Vec<u32>, rule: &mut Rule<'m>) {
        match effect {
            Effect::Add(atom) if bound.is_empty() => rule.heads.push(self.literal(atom)),
            Effect::Add(atom) => rule.quantified.push((bound.clone(), self.literal(atom))),
            Effect::And(parts) => {
                for part in parts {
                    self.effects(part, bound, rule);
                }
            }
            Effect::Forall(ids, body) => {
                let before = bound.len();
                bound.extend(ids.iter().map(|id| id.0));
                self.effects(body, bound, rule);
                bound.truncate(before);
            }
            Effect::When(_, body) => self.effects(body, bound, rule),
            Effect::None | Effect::Delete(_) | Effect::IncreaseCost(_) | Effect::Change(_) => {}
        }
    }

    fn admit(&mut self) -> Result<(), TooMuch> {
        let work: u64 = self
            .rules
            .iter()
            .map(|rule| rule.variables.len() as u64)
            .sum::<u64>()
            * self.model.objects.len() as u64;
        // Ranges repeat: the same types admit the same objects.
        let mut known: rustc_hash::FxHashMap<(Vec<u32>, Vec<u32>), Vec<ObjectId>> =
            Default::default();
        if work > 20 * self.limit {
            return Err(TooMuch);
        }
        let model = self.model;
        let mut steps = 0;
        self.admitted = self
            .rules
            .iter()
            .map(|rule| {
                rule.variables
                    .iter()
                    .map(|variable| {
                        let ids = |types: &[crate::model::TypeId]| {
                            types.iter().map(|ty| ty.0).collect::<Vec<u32>>()
                        };
                        known
                            .entry((ids(&variable.types), ids(&variable.also)))
                            .or_insert_with(|| {
                                steps += model.objects.len() as u64 / 4;
                                model.range(variable)
                            })
                            .clone()
                    })
                    .collect()
            })
            .collect();
        self.step(steps)
    }

    fn step(&mut self, count: u64) -> Result<(), TooMuch> {
        self.steps += count;
        match self.steps > self.limit {
            true => Err(TooMuch),
            false => Ok(()),
        }
    }

    /// Derives everything. Rules are tried again only where a relation in
    /// their body has grown.
    pub fn run(&mut self) -> Result<(), TooMuch> {
        let mut seen: Vec<Option<usize>> = vec![None; self.rules.len()];
        loop {
            let mut grown = false;
            // To look whether a rule is to be tried again costs little, but
            // there may be many rules and many rounds.
            self.step(self.rules.len() as u64 / 8)?;
            for (index, last) in seen.iter_mut().enumerate() {
                if self.rules[index].owner == Owner::Network {
                    continue;
                }
                let rule = &self.rules[index];
                // The residue may look at any fact.
                let size: usize = match rule.residue.is_empty() {
                    true => rule
                        .body
                        .iter()
                        .map(|l| self.relations[l.relation.0].len())
                        .sum(),
                    false => self.relations.iter().map(Relation::len).sum(),
                };
                if *last == Some(size) {
                    continue;
                }
                *last = Some(size);
                grown |= self.fire(index)?;
            }
            if !grown {
                return Ok(());
            }
        }
    }

    /// What can happen, more roughly: instead of facts that change, of
    /// actions and of tasks only their names are followed. It answers where
    /// [`run`](Relaxed::run) has become too much, since a rule is asked for
    /// one instance only, and where even that takes long is let pass.
    pub fn sketch(&mut self) {
        self.sketched = Some(self.relations.iter().map(|r| r.len() > 0).collect());
        let limit = std::mem::replace(&mut self.limit, SKETCH_STEPS);
        let mut total = 0;
        while self.sketch_round(&mut total) {}
        self.limit = limit;
    }

    /// Tries every rule that has no instance yet; true if one was found.
    fn sketch_round(&mut self, total: &mut u64) -> bool {
        let mut grown = false;
        for (index, rule) in self.rules.iter().enumerate() {
            if self.fired[index] || rule.owner == Owner::Network {
                continue;
            }
            let literals: Vec<usize> = (0..rule.body.len()).collect();
            let mut steps = 0;
            let some = self.some(index, &literals, &rule.residue, &mut steps);
            *total += steps + 1;
            if some.unwrap_or(true) || *total > MOST_SKETCH_STEPS {
                self.fired[index] = true;
                grown = true;
                let quantified = rule.quantified.iter().map(|(_, head)| head);
                for head in rule.heads.iter().chain(quantified) {
                    if let Some(sketched) = &mut self.sketched {
                        sketched[head.relation.0] = true;
                    }
                }
            }
        }
        grown
    }

    /// True if only the name of the relation is followed, and it may hold.
    fn anything(&self, id: RelationId) -> bool {
        self.sketched.as_ref().is_some_and(|may| may[id.0]) && !self.is_static(id)
    }

    /// True if nothing of the relation can ever hold.
    pub fn nothing(&self, id: RelationId) -> bool {
        match &self.sketched {
            Some(may) => !may[id.0],
            None => self.relations[id.0].len() == 0,
        }
    }

    /// True for a predicate that never changes.
    fn is_static(&self, id: RelationId) -> bool {
        self.changing.get(id.0) == Some(&false)
    }

    /// Adds the heads of every instance of the rule; true if any was new.
    fn fire(&mut self, index: usize) -> Result<bool, TooMuch> {
        let mut new: Vec<(RelationId, Vec<ObjectId>)> = Vec::new();
        let rule = &self.rules[index];
        let mut steps = self.steps;
        let wanted: Vec<u32> = (0..rule.arity as u32).collect();
        let mut fired = false;
        self.join(index, &wanted, &mut steps, &mut |this, values, steps| {
            fired = true;
            for head in &rule.heads {
                let tuple = ground(&head.terms, values);
                if !this.relations[head.relation.0].contains(&tuple) {
                    new.push((head.relation, tuple));
                }
            }
            for (bound, head) in &rule.quantified {
                this.each_value(index, bound, values, steps, &mut |this, values, _| {
                    let tuple = ground(&head.terms, values);
                    if !this.relations[head.relation.0].contains(&tuple) {
                        new.push((head.relation, tuple));
                    }
                    Ok(true)
                })?;
            }
            Ok(true)
        })?;
        self.steps = steps;
        self.fired[index] |= fired;
        let mut grown = false;
        for (relation, tuple) in new {
            grown |= self.relations[relation.0].insert(&tuple);
        }
        Ok(grown)
    }
}

/// What a relation stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Predicate(PredicateId),
    Task(TaskRef),
}

/// The objects that terms stand for; every variable in them has a value.
pub(super) fn ground(terms: &[Term], values: &[Option<ObjectId>]) -> Vec<ObjectId> {
    terms
        .iter()
        .map(|term| match term {
            Term::Object(object) => *object,
            Term::Variable(id) => values[id.index()].unwrap_or(ObjectId(u32::MAX)),
        })
        .collect()
}
