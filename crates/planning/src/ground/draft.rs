//! What was reached, written out with its conditions, before the last pruning.

use std::ops::Add;

use planoku_engine::{Run, Stop};

use super::calculate::ChangePattern;
use super::condition::{Form, Prepared};
use super::lower::Literal;
use super::reach::Reach;
use super::relation::NONE;
use super::{ChangeKind, Node};
use crate::cost::Cost;
use crate::model::{Amount, TaskRef};
use crate::numbers::{Fraction, GroundExpression, NoValue, VariableIndex, ZeroTest};

/// Literals and formulas that must all hold, over provisional fact numbers.
#[derive(Clone, Debug, Default)]
pub struct Conj {
    /// Facts that must hold; sorted.
    pub positive: Vec<u32>,
    /// Facts that must not hold; sorted.
    pub negative: Vec<u32>,
    /// Disjunctions that must hold.
    pub rest: Vec<Form>,
}

impl Conj {
    /// From forms that must all hold; `None` if they cannot.
    pub fn from(forms: impl IntoIterator<Item = Form>) -> Option<Conj> {
        let mut conj = Conj::default();
        let mut open: Vec<Form> = forms.into_iter().collect();
        while let Some(form) = open.pop() {
            match form {
                Form::True => {}
                Form::False => return None,
                Form::Fact(fact, true) => conj.positive.push(fact),
                Form::Fact(fact, false) => conj.negative.push(fact),
                Form::And(parts) => open.extend(parts),
                Form::Or(_) => conj.rest.push(form),
            }
        }
        conj.tidied()
    }

    /// Sorted, without repetitions; `None` if it contradicts itself.
    fn tidied(mut self) -> Option<Conj> {
        sort(&mut self.positive);
        sort(&mut self.negative);
        let clash = self
            .positive
            .iter()
            .any(|fact| self.negative.binary_search(fact).is_ok());
        (!clash).then_some(self)
    }

    /// The same after every fact has been replaced by what is known about it;
    /// `None` if it can no longer hold.
    pub fn simplify(&self, known: &impl Fn(u32, bool) -> Form) -> Option<Conj> {
        let facts = |facts: &[u32], positive: bool| -> Vec<Form> {
            facts.iter().map(|&fact| known(fact, positive)).collect()
        };
        let rest = self.rest.iter().map(|form| form.simplify(known));
        Conj::from(
            facts(&self.positive, true)
                .into_iter()
                .chain(facts(&self.negative, false))
                .chain(rest),
        )
    }
}

/// Sorts and removes repetitions.
pub fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// A change and when it happens.
#[derive(Clone, Debug)]
pub struct DraftEffect {
    /// When.
    pub when: Conj,
    /// Facts that become true.
    pub add: Vec<u32>,
    /// Facts that become false.
    pub delete: Vec<u32>,
}

impl DraftEffect {
    /// Sorts both lists; what is added and deleted at once is added.
    pub fn tidy(&mut self) {
        sort(&mut self.add);
        sort(&mut self.delete);
        let add = &self.add;
        self.delete.retain(|fact| add.binary_search(fact).is_err());
    }
}

/// An action instance.
#[derive(Clone, Debug)]
pub struct DraftAction {
    /// Its number in [`Reach::actions`].
    pub number: u32,
    /// What must hold before, and what changes in any case.
    pub always: DraftEffect,
    /// Changes that depend on the state before.
    pub conditional: Vec<DraftEffect>,
    /// What it costs.
    pub cost: Cost,
    /// What it does to numbers.
    pub changes: Vec<DraftChange>,
}

/// A change of a number, and when it happens.
#[derive(Clone, Debug)]
pub struct DraftChange {
    /// When.
    pub when: Conj,
    /// What changes.
    pub variable: VariableIndex,
    /// In which way.
    pub kind: ChangeKind,
    /// By how much, or to what.
    pub amount: GroundExpression,
}

/// A comparison: what it asks, and the fact that it is.
#[derive(Clone, Debug)]
pub struct DraftComparison {
    /// What is compared with 0.
    pub expression: GroundExpression,
    /// How.
    pub test: ZeroTest,
    /// The fact.
    pub fact: u32,
}

/// A method instance.
#[derive(Clone, Debug)]
pub struct DraftMethod {
    /// Its number in [`Reach::instances`].
    pub number: u32,
    /// What must hold before.
    pub when: Conj,
    /// The task, by its place in [`Draft::tasks`].
    pub task: u32,
    /// Its subtasks, by their places in the draft.
    pub subtasks: Vec<Node>,
}

/// A rule for a derived fact.
#[derive(Clone, Debug)]
pub struct DraftAxiom {
    /// Its schema.
    pub schema: u32,
    /// When it fires.
    pub when: Conj,
    /// What it makes true.
    pub head: u32,
}

/// A problem over provisional numbers.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Action instances.
    pub actions: Vec<DraftAction>,
    /// Numbers in [`Reach::tasks`]; the root is the first.
    pub tasks: Vec<u32>,
    /// Method instances.
    pub methods: Vec<DraftMethod>,
    /// Rules for derived facts.
    pub axioms: Vec<DraftAxiom>,
    /// The goal; `None` if it can never hold.
    pub goal: Option<Conj>,
    /// How many facts have been numbered.
    pub facts: usize,
    /// Per fact: it holds initially.
    pub initial: Vec<bool>,
    /// Facts that are comparisons.
    pub comparisons: Vec<DraftComparison>,
    /// Per numeric variable: its value at the start.
    pub start: Vec<Option<Fraction>>,
}

impl Reach<'_> {
    /// Writes out everything that the root leads to by way of methods all of
    /// whose subtasks were achieved.
    pub fn draft(&mut self, run: &mut Run<'_>) -> Result<Draft, Stop> {
        let mut draft = Draft::default();
        let mut action_places = vec![NONE; self.actions.len()];
        if self.model.network.is_some() {
            self.draft_hierarchy(&mut draft, &mut action_places, run)?;
        } else {
            for number in 0..self.actions.len() as u32 {
                run.effort(16)?;
                self.draft_action(number, &mut draft, &mut action_places, run)?;
            }
        }
        let axioms = std::mem::take(&mut self.axioms);
        for (schema, values) in &axioms {
            run.effort(16)?;
            let prepared = std::mem::take(&mut self.axiom_conditions[*schema as usize]);
            let when = self.conj(&prepared, values, run)?;
            self.axiom_conditions[*schema as usize] = prepared;
            if let Some(when) = when {
                let head = self.world.schemas.axioms[*schema as usize].head.clone();
                draft.axioms.push(DraftAxiom {
                    schema: *schema,
                    when,
                    head: self.world.instance(&head, values),
                });
            }
        }
        let width = self.world.schemas.goal_variables.len();
        let goal = self.world.schemas.goal.clone();
        let ranges = self.world.schemas.goal_variables.clone();
        let goal = self.world.prepare(&goal, &ranges, &vec![false; width]);
        draft.goal = self.conj(&goal, &vec![0; width], run)?;
        draft.facts = self.world.facts.len();
        draft.initial = vec![false; draft.facts];
        for relation in &self.world.relations[..self.model.predicates.len()] {
            for &fact in &relation.ids[..relation.initial as usize] {
                draft.initial[fact as usize] = true;
            }
        }
        self.draft_numbers(&mut draft);
        Ok(draft)
    }

    /// Comparisons, and whether they hold at the start.
    fn draft_numbers(&mut self, draft: &mut Draft) {
        let functions = &mut self.world.functions;
        let variables = 0..functions.variables.len() as u32;
        draft.start = variables.map(|it| functions.start(it)).collect();
        for (expression, test, fact) in &functions.comparisons {
            match expression.value(&|variable| draft.start[variable as usize]) {
                Ok(value) => draft.initial[*fact as usize] = test.passes(value),
                Err(NoValue::Undefined) => {}
                Err(NoValue::TooLarge) => functions.too_large = true,
            }
            draft.comparisons.push(DraftComparison {
                expression: expression.clone(),
                test: *test,
                fact: *fact,
            });
        }
    }

    fn draft_hierarchy(
        &mut self,
        draft: &mut Draft,
        action_places: &mut [u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        // Complete instances by task, as linked lists.
        let mut first = vec![NONE; self.tasks.len()];
        let mut next = vec![NONE; self.instances.len()];
        for (number, instance) in self.instances.iter().enumerate().rev() {
            if instance.left == 0 {
                next[number] = first[instance.task as usize];
                first[instance.task as usize] = number as u32;
            }
        }
        let mut task_places = vec![NONE; self.tasks.len()];
        task_places[0] = 0;
        draft.tasks.push(0);
        let mut at = 0;
        while at < draft.tasks.len() {
            let mut number = first[draft.tasks[at] as usize];
            while number != NONE {
                run.effort(16)?;
                let instance = self.instances[number as usize];
                let method = instance.method as usize;
                let arity = self.world.schemas.methods[method].arity;
                let width = self.world.schemas.methods[method].variables.len();
                let start = instance.values as usize;
                let mut values = self.values[start..start + arity].to_vec();
                values.resize(width, 0);
                let prepared = std::mem::take(&mut self.method_conditions[method]);
                let when = self.conj(&prepared, &values, run)?;
                self.method_conditions[method] = prepared;
                if let Some(when) = when {
                    let count = self.world.schemas.methods[method].subtasks.len();
                    let mut subtasks = Vec::with_capacity(count);
                    for place in 0..count {
                        let node = self.nodes[instance.nodes as usize + place];
                        subtasks.push(match self.world.schemas.methods[method].subtasks[place].0 {
                            TaskRef::Action(_) => {
                                self.draft_action(node, draft, action_places, run)?;
                                Node::Action(action_places[node as usize])
                            }
                            TaskRef::Task(_) => {
                                let place = &mut task_places[node as usize];
                                if *place == NONE {
                                    *place = draft.tasks.len() as u32;
                                    draft.tasks.push(node);
                                }
                                Node::Task(*place)
                            }
                        });
                    }
                    // An action whose condition turned out to be
                    // contradictory takes its methods with it.
                    if !subtasks.contains(&Node::Action(NONE)) {
                        draft.methods.push(DraftMethod {
                            number,
                            when,
                            task: at as u32,
                            subtasks,
                        });
                    }
                }
                number = next[number as usize];
            }
            at += 1;
        }
        Ok(())
    }

    fn draft_action(
        &mut self,
        number: u32,
        draft: &mut Draft,
        places: &mut [u32],
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        if places[number as usize] != NONE || !self.executable[number as usize] {
            return Ok(());
        }
        let (action, row) = self.actions[number as usize];
        let action = action as usize;
        let mut values = self.action_tables[action].table.row(row).to_vec();
        values.resize(self.world.schemas.actions[action].variables.len(), 0);
        let prepared = std::mem::take(&mut self.action_conditions[action]);
        let when = self.conj(&prepared, &values, run)?;
        self.action_conditions[action] = prepared;
        let Some(when) = when else {
            return Ok(());
        };
        let mut always = DraftEffect {
            when,
            add: vec![],
            delete: vec![],
        };
        let mut conditional = Vec::new();
        let mut changes = Vec::new();
        let effects = std::mem::take(&mut self.action_effects[action]);
        for effect in &effects {
            let found = match effect.steps.is_empty() {
                true => values.clone(),
                false => self.world.matches(&effect.steps, &values, run)?,
            };
            let count = found.len().checked_div(values.len()).unwrap_or(1);
            for at in 0..count {
                let values = &found[at * values.len()..(at + 1) * values.len()];
                let Some(when) = self.conj(&effect.when, values, run)? else {
                    continue;
                };
                let plain =
                    when.positive.is_empty() && when.negative.is_empty() && when.rest.is_empty();
                for change in &effect.changes {
                    changes.push(self.draft_change(change, &when, values));
                }
                let mut list = |atoms: &[super::lower::Pattern]| -> Vec<u32> {
                    atoms
                        .iter()
                        .map(|atom| self.world.instance(atom, values))
                        .collect()
                };
                let (add, delete) = (list(&effect.add), list(&effect.delete));
                if plain {
                    always.add.extend(add);
                    always.delete.extend(delete);
                } else if !add.is_empty() || !delete.is_empty() {
                    conditional.push(DraftEffect { when, add, delete });
                }
            }
        }
        self.action_effects[action] = effects;
        for effect in conditional.iter_mut().chain([&mut always]) {
            effect.tidy();
        }
        places[number as usize] = draft.actions.len() as u32;
        draft.actions.push(DraftAction {
            number,
            always,
            conditional,
            cost: self.cost(action, &values),
            changes,
        });
        Ok(())
    }

    fn draft_change(&mut self, change: &ChangePattern, when: &Conj, values: &[u32]) -> DraftChange {
        let functions = &mut self.world.functions;
        let arguments = change.arguments.iter().map(|slot| slot.value(values));
        let arguments = arguments.collect();
        // Where there is no amount, the action cannot be executed.
        let amount = functions
            .expression(&change.amount, values)
            .unwrap_or_else(|_| GroundExpression::undefined());
        DraftChange {
            when: when.clone(),
            variable: functions.variable(change.function, arguments),
            kind: change.kind,
            amount,
        }
    }

    fn conj(
        &mut self,
        condition: &Prepared,
        values: &[u32],
        run: &mut Run<'_>,
    ) -> Result<Option<Conj>, Stop> {
        if condition.rest.is_empty() {
            return Ok(self.literals(&condition.literals, values));
        }
        let mut forms = Vec::with_capacity(condition.literals.len() + condition.rest.len());
        for literal in &condition.literals {
            match self.world.literal(literal, values) {
                Form::True => {}
                Form::False => return Ok(None),
                form => forms.push(form),
            }
        }
        for part in &condition.rest {
            forms.push(self.world.residual(part, values, run)?);
        }
        Ok(Conj::from(forms))
    }

    /// The same for literals alone, which is what most conditions are.
    fn literals(&mut self, literals: &[Literal], values: &[u32]) -> Option<Conj> {
        let mut conj = Conj::default();
        for literal in literals {
            match self.world.literal(literal, values) {
                Form::False => return None,
                Form::Fact(fact, true) => conj.positive.push(fact),
                Form::Fact(fact, false) => conj.negative.push(fact),
                _ => {}
            }
        }
        conj.tidied()
    }

    /// What an action costs: 1 if nothing speaks of cost, otherwise what its
    /// effects say. A function without a value counts 0.
    fn cost(&self, action: usize, values: &[u32]) -> Cost {
        let default = self.world.schemas.default_cost;
        let costs = &self.world.schemas.actions[action].costs;
        costs
            .iter()
            .map(|cost| match cost {
                Amount::Number(cost) => *cost,
                Amount::Function(function, terms) => {
                    let arguments: Vec<u32> = terms
                        .iter()
                        .map(|&term| super::lower::Slot::from(term).value(values))
                        .collect();
                    self.costs
                        .get(&(function.0, arguments))
                        .copied()
                        .unwrap_or_default()
                }
            })
            .fold(default, Cost::add)
    }
}
