//! Why a problem has no solution, in words.
//!
//! The reason is a walk down from the initial network (or the goal): a task
//! that cannot be accomplished, its methods and what each of them lacks, an
//! action that cannot apply and the literal that empties its join, a fact that
//! nothing can make true.

use super::relax::{Literal, Meaning, Owner, Relaxed, TooMuch};
use crate::model::visit;
use crate::model::{Formula, Model, ObjectId, PredicateId, Span, TaskRef, Term, VariableId};
use std::cell::{Cell, RefCell};

/// How deep a reason is followed, and how many alternatives are told.
const DEEPEST: usize = 6;
const MOST_METHODS: usize = 4;
const MOST_PLACES: usize = 3;

/// Where, what, and the notes that say why.
type Verdict = Option<(Span, String, Vec<String>)>;

/// Explains on the ground of all that can happen.
pub(super) struct Reason<'r, 'm> {
    relaxed: &'r Relaxed<'m>,
    /// Steps spent on the whole explanation, which has a limit of its own.
    spent: Cell<u64>,
    /// Rules that have been explained.
    told: RefCell<Vec<usize>>,
    /// Literals to point at.
    places: RefCell<Vec<(Span, String)>>,
}

impl<'r, 'm> Reason<'r, 'm> {
    pub fn new(relaxed: &'r Relaxed<'m>) -> Reason<'r, 'm> {
        Reason {
            relaxed,
            spent: Cell::new(0),
            told: RefCell::default(),
            places: RefCell::default(),
        }
    }

    /// The rules that the reason has spoken of.
    pub fn told(&self) -> Vec<usize> {
        self.told.borrow().clone()
    }

    /// The literals that the reason comes down to.
    pub fn places(&self) -> Vec<(Span, String)> {
        self.places.borrow().clone()
    }

    fn point(&self, span: Span, text: String) {
        let mut places = self.places.borrow_mut();
        if places.len() < MOST_PLACES && places.iter().all(|(other, _)| *other != span) {
            places.push((span, text));
        }
    }

    fn model(&self) -> &'m Model {
        self.relaxed.model
    }

    /// The initial network: each subtask for itself, then all together.
    pub fn network(&self) -> Result<Verdict, TooMuch> {
        let model = self.model();
        let Some(initial) = &model.network else {
            return Ok(None);
        };
        let variables = &initial.variables;
        for subtask in &initial.network.subtasks {
            let relation = self.relaxed.task(subtask.task);
            if self.some_match(&subtask.arguments, relation) {
                continue;
            }
            let name = visit::task_name(model, subtask.task);
            let shown = visit::show(model, name, &subtask.arguments, variables);
            let mut notes = Vec::new();
            let fixed = fixed_values(&subtask.arguments);
            self.task(subtask.task, &fixed, &mut notes, &mut Vec::new())?;
            let message = format!("the initial network has no solution: `{shown}` is impossible");
            return Ok(Some((subtask.span, message, notes)));
        }
        if let Some(note) = self.unreachable_goal()? {
            let message = "the initial network has no solution that reaches the goal".to_owned();
            return Ok(Some((initial.span, message, vec![note])));
        }
        Ok(None)
    }

    /// The goal of a classical problem.
    pub fn goal(&self) -> Result<Verdict, TooMuch> {
        let Some(note) = self.unreachable_goal()? else {
            return Ok(None);
        };
        let mut span = Span::default();
        visit::atoms(&self.model().goal, true, &mut |atom, _| {
            if span.end == 0 {
                span = atom.span;
            }
        });
        let message = "the goal cannot be reached".to_owned();
        Ok(Some((span, message, vec![note])))
    }

    /// The first part of the goal that can never hold.
    fn unreachable_goal(&self) -> Result<Option<String>, TooMuch> {
        let model = self.model();
        let mut parts: Vec<&Formula> = Vec::new();
        visit::literals(&model.goal, &mut |part| parts.push(part));
        let goal = &model.goal_variables;
        for part in parts {
            match part {
                Formula::Atom(atom) => {
                    let relation = self.relaxed.predicate(atom.predicate);
                    if !self.some_match(&atom.arguments, relation) {
                        let shown = visit::show_atom(model, atom, goal);
                        let who = self.who_adds(atom.predicate);
                        return Ok(Some(format!("`{shown}` can never become true: {who}")));
                    }
                }
                Formula::Not(inner) => {
                    if let Formula::Atom(atom) = &**inner
                        && !self.relaxed.changing[atom.predicate.index()]
                        && self.some_match(&atom.arguments, self.relaxed.predicate(atom.predicate))
                    {
                        let shown = visit::show_atom(model, atom, goal);
                        return Ok(Some(format!("`{shown}` holds, and nothing changes it")));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// True if some reachable tuple has the constants of the terms, and equal
    /// objects where a variable repeats.
    fn some_match(&self, terms: &[Term], relation: super::relax::RelationId) -> bool {
        let relation = self.relaxed.relation(relation);
        let constant = terms
            .iter()
            .enumerate()
            .find_map(|(column, term)| match term {
                Term::Object(object) => Some((column, *object)),
                Term::Variable(_) => None,
            });
        let fits = |tuple: &[ObjectId]| {
            terms
                .iter()
                .zip(tuple)
                .enumerate()
                .all(|(i, (term, object))| match term {
                    Term::Object(constant) => constant == object,
                    Term::Variable(_) => (0..i).all(|j| terms[j] != *term || tuple[j] == *object),
                })
        };
        match constant {
            Some((column, object)) => relation
                .with(column, object)
                .iter()
                .any(|index| fits(relation.tuple(*index as usize))),
            None => (0..relation.len()).any(|index| fits(relation.tuple(index))),
        }
    }

    /// Why a task, with some arguments fixed, cannot be accomplished.
    fn task(
        &self,
        task: TaskRef,
        fixed: &[Option<ObjectId>],
        notes: &mut Vec<String>,
        path: &mut Vec<TaskRef>,
    ) -> Result<(), TooMuch> {
        let name = visit::task_name(self.model(), task);
        if path.contains(&task) {
            notes.push(format!("`{name}` leads to itself again"));
            return Ok(());
        }
        if path.len() >= DEEPEST {
            return Ok(());
        }
        path.push(task);
        let rules: Vec<usize> = (0..self.relaxed.rules.len())
            .filter(|index| match (self.relaxed.rules[*index].owner, task) {
                (Owner::Action(id), TaskRef::Action(action)) => id == action,
                (Owner::Method(id), TaskRef::Task(task)) => {
                    self.model().methods[id.index()].task == task
                }
                _ => false,
            })
            .collect();
        if let TaskRef::Task(_) = task {
            match rules.as_slice() {
                [] => notes.push(format!("`{name}` has no method")),
                [one] => notes.push(format!(
                    "`{name}` has one method, `{}`",
                    self.owner_name(*one)
                )),
                many => notes.push(format!("`{name}` has {} methods; none works", many.len())),
            }
        }
        for rule in rules.iter().take(MOST_METHODS) {
            self.rule(*rule, fixed, notes, path)?;
        }
        if rules.len() > MOST_METHODS {
            notes.push(format!(
                "and so on for {} more methods",
                rules.len() - MOST_METHODS
            ));
        }
        path.pop();
        Ok(())
    }

    fn owner_name(&self, rule: usize) -> &'m str {
        let model = self.model();
        match self.relaxed.rules[rule].owner {
            Owner::Action(id) => &model.actions[id.index()].name,
            Owner::Method(id) => &model.methods[id.index()].name,
            Owner::Derived(index) => &model.predicates[model.derived[index].predicate.index()].name,
            Owner::Network => "the initial network",
        }
    }

    /// Why a rule has no instance with these arguments of its head.
    fn rule(
        &self,
        index: usize,
        fixed: &[Option<ObjectId>],
        notes: &mut Vec<String>,
        path: &mut Vec<TaskRef>,
    ) -> Result<(), TooMuch> {
        self.told.borrow_mut().push(index);
        let rule = &self.relaxed.rules[index];
        let name = self.owner_name(index);
        let mut values = vec![None; rule.variables.len()];
        if let Some(head) = rule.heads.first() {
            for (term, object) in head.terms.iter().zip(fixed) {
                match (term, object) {
                    (Term::Variable(id), Some(object)) => {
                        if self.relaxed.admitted[index][id.index()]
                            .binary_search(object)
                            .is_err()
                        {
                            let object = &self.model().objects[object.index()].name;
                            notes.push(format!("`{name}` is not for `{object}`, by type"));
                            return Ok(());
                        }
                        values[id.index()] = Some(*object);
                    }
                    (Term::Object(constant), Some(object)) if constant != object => {
                        let constant = &self.model().objects[constant.index()].name;
                        notes.push(format!("`{name}` is for `{constant}` only"));
                        return Ok(());
                    }
                    _ => {}
                }
            }
        }
        // The shortest beginning of the body that nothing satisfies.
        let culprit = (0..rule.body.len()).try_fold(None, |found, last| match found {
            Some(_) => Ok(found),
            None => Ok((!self.satisfiable(index, last + 1, &values)?).then_some(last)),
        })?;
        match culprit {
            Some(last) => self.literal(index, last, &values, notes, path),
            None => {
                for formula in &rule.residue {
                    if let Some(note) = self.residue(index, formula, &values)? {
                        notes.push(format!("`{name}` {note}"));
                        return Ok(());
                    }
                }
                notes.push(format!(
                    "no choice of variables satisfies all that `{name}` requires"
                ));
                Ok(())
            }
        }
    }

    /// True if the first literals of the body can hold together.
    fn satisfiable(
        &self,
        rule: usize,
        literals: usize,
        values: &[Option<ObjectId>],
    ) -> Result<bool, TooMuch> {
        let mut some = false;
        let mut steps = self.spent.get();
        let mut values = values.to_vec();
        // Whether the residue holds too is asked later.
        let partial = literals.min(self.relaxed.rules[rule].body.len());
        let relaxed = self.relaxed;
        relaxed.join_literals(rule, partial, &mut values, &mut steps, &mut |_, _, _| {
            some = true;
            Ok(false)
        })?;
        self.spent.set(steps);
        Ok(some)
    }

    /// Explains the literal that empties the join.
    fn literal(
        &self,
        index: usize,
        last: usize,
        values: &[Option<ObjectId>],
        notes: &mut Vec<String>,
        path: &mut Vec<TaskRef>,
    ) -> Result<(), TooMuch> {
        let model = self.model();
        let rule = &self.relaxed.rules[index];
        let literal = &rule.body[last];
        let owner = self.owner_name(index);
        let shown = self.show(literal, values, index);
        match self.relaxed.meaning(literal.relation) {
            Meaning::Predicate(predicate) => {
                let alone = self.some_match(&substitute(&literal.terms, values), literal.relation);
                let who = self.who_adds(predicate);
                let count = self.relaxed.relation(literal.relation).len();
                let name = &model.predicates[predicate.index()].name;
                self.point(literal.span, format!("empties the join of `{owner}`"));
                notes.push(match (count, alone) {
                    (0, _) => format!("`{owner}` requires `{shown}`, but no `{name}` fact ever holds: {who}"),
                    (_, false) => format!("`{owner}` requires `{shown}`, which never holds: {who}"),
                    (_, true) => format!(
                        "`{owner}` requires `{shown}`, which never holds together with what stands before it"
                    ),
                });
                Ok(())
            }
            Meaning::Task(task) => {
                notes.push(format!("`{owner}` needs `{shown}`, which is impossible"));
                let fixed: Vec<Option<ObjectId>> = substitute(&literal.terms, values)
                    .iter()
                    .map(|term| match term {
                        Term::Object(object) => Some(*object),
                        Term::Variable(_) => None,
                    })
                    .collect();
                self.task(task, &fixed, notes, path)
            }
        }
    }

    /// Who could make facts of the predicate true, and why nobody does.
    pub fn who_adds(&self, predicate: PredicateId) -> String {
        let model = self.model();
        let name = &model.predicates[predicate.index()].name;
        if model
            .derived
            .iter()
            .any(|derived| derived.predicate == predicate)
        {
            return format!("the condition of the derived predicate `{name}` never holds for it");
        }
        let adders: Vec<usize> = (0..model.actions.len())
            .filter(|index| visit::adds(&model.actions[*index].effect, predicate))
            .collect();
        let names: Vec<String> = adders
            .iter()
            .take(4)
            .map(|index| format!("`{}`", model.actions[*index].name))
            .collect();
        let what = match adders.len() {
            0 => return "it does not hold at the start and no action adds it".to_owned(),
            1 => format!("the only action that adds `{name}`, {}, is", names[0]),
            _ => format!("the actions that add `{name}`, {}, are", names.join(", ")),
        };
        let reachable = |index: &usize| {
            let task = TaskRef::Action(crate::model::ActionId(*index as u32));
            model.network.is_none() || self.relaxed.led_to.contains(&task)
        };
        if !adders.iter().any(reachable) {
            return format!("{what} not reachable from the initial network");
        }
        let applies = |index: &usize| {
            let task = TaskRef::Action(crate::model::ActionId(*index as u32));
            !self.relaxed.nothing(self.relaxed.task(task))
        };
        match adders.iter().any(applies) {
            true => format!("no instance of {} that can apply adds it", names.join(", ")),
            false => format!("{what} never applicable"),
        }
    }

    /// Explains a condition that is no literal, if it is to blame.
    fn residue(
        &self,
        index: usize,
        formula: &Formula,
        values: &[Option<ObjectId>],
    ) -> Result<Option<String>, TooMuch> {
        let relaxed = self.relaxed;
        let mut steps = self.spent.get();
        if let Formula::Forall(ids, body) = formula
            && let Formula::Atom(atom) = &**body
        {
            let mut terms: Vec<VariableId> = Vec::new();
            for term in &atom.arguments {
                if let Term::Variable(id) = term {
                    terms.push(*id);
                }
            }
            // Only a formula whose variables are all known can be counted.
            if terms
                .iter()
                .all(|id| ids.contains(id) || values[id.index()].is_some())
            {
                let ids: Vec<u32> = ids.iter().map(|id| id.0).collect();
                let mut values = values.to_vec();
                let (mut wanted, mut hold, mut missing) = (0u64, 0u64, None);
                relaxed.each_value(
                    index,
                    &ids,
                    &mut values,
                    &mut steps,
                    &mut |this, values, _| {
                        wanted += 1;
                        let tuple = super::relax::ground(&atom.arguments, values);
                        match this
                            .relation(this.predicate(atom.predicate))
                            .contains(&tuple)
                        {
                            true => hold += 1,
                            false => {
                                missing.get_or_insert(tuple);
                            }
                        }
                        Ok(true)
                    },
                )?;
                self.spent.set(steps);
                if let Some(tuple) = missing {
                    let owner = self.owner_name(index);
                    self.point(
                        atom.span,
                        format!("never holds, so `{owner}` never applies"),
                    );
                    let name = &self.model().predicates[atom.predicate.index()].name;
                    let example = format!("({})", self.model().show(name, &tuple));
                    return Ok(Some(format!(
                        "needs {wanted} `{name}` facts: {hold} hold, {} can never become true, \
                         such as `{example}`; {}",
                        wanted - hold,
                        self.who_adds(atom.predicate)
                    )));
                }
                return Ok(None);
            }
        }
        self.spent.set(steps);
        let rule = &relaxed.rules[index];
        let mut values = values.to_vec();
        let free: Vec<u32> = (0..rule.arity as u32).collect();
        let mut holds = false;
        relaxed.each_value(
            index,
            &free,
            &mut values,
            &mut steps,
            &mut |this, values, steps| {
                holds |= this.may_hold(index, formula, true, values, steps)?;
                Ok(!holds)
            },
        )?;
        self.spent.set(steps);
        Ok((!holds).then(|| {
            let text = crate::write::formula(self.model(), formula, rule.variables);
            format!(
                "requires `{}`, which never holds",
                crate::source::excerpt(&text)
            )
        }))
    }

    fn show(&self, literal: &Literal, values: &[Option<ObjectId>], rule: usize) -> String {
        let model = self.model();
        let name = match self.relaxed.meaning(literal.relation) {
            Meaning::Predicate(id) => &model.predicates[id.index()].name,
            Meaning::Task(task) => visit::task_name(model, task),
        };
        let terms = substitute(&literal.terms, values);
        visit::show(model, name, &terms, self.relaxed.rules[rule].variables)
    }
}

fn fixed_values(terms: &[Term]) -> Vec<Option<ObjectId>> {
    terms
        .iter()
        .map(|term| match term {
            Term::Object(object) => Some(*object),
            Term::Variable(_) => None,
        })
        .collect()
}

fn substitute(terms: &[Term], values: &[Option<ObjectId>]) -> Vec<Term> {
    terms
        .iter()
        .map(|term| match term {
            Term::Variable(id) => values[id.index()].map_or(*term, Term::Object),
            Term::Object(_) => *term,
        })
        .collect()
}
