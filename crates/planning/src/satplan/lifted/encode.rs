//! The trees of a depth as clauses: which rules are chosen, what arguments
//! stand for, and what holds after each leaf.
//!
//! A fact has a new variable after a leaf only if an action there may change
//! it and somebody later asks for it. Facts that are never wanted to be false
//! are said to be true at most when they are: that they become true when they
//! can, and stay so, need not be said, for nobody objects to it.

use planoku_constraints::cnf::Lit;
use planoku_engine::{Run, Stop};

use super::domain::{Domain, has};
use super::facts::{FactId, Moment};
use super::schema::{Schemas, Slot, Variables};
use super::tree::{Placed, Position, PositionId, Source, Tree};
use super::vars::{Argument, Pool, Terms, Vars};
use crate::satplan::formula::Formula;

/// Literals said between two looks at the limits.
const BETWEEN_LOOKS: u64 = 1 << 14;

/// A choice as the formula knows it.
pub(super) struct Said {
    pub(super) lit: Lit,
    pub(super) arguments: Vec<Argument>,
}

/// The formula of a tree.
pub(super) struct Encoding<'t, 'a, 'm> {
    pub(super) schemas: &'a Schemas<'m>,
    pub(super) tree: &'t Tree<'a, 'm>,
    pub(super) formula: Formula,
    pub(super) vars: Vars,
    /// By choice; `None` if it can never be made.
    pub(super) said: Vec<Option<Said>>,
    /// By fact, whether it holds now.
    pub(super) version: Vec<Lit>,
    pub(super) now: Moment,
    /// The literals that the run has been charged for.
    charged: u64,
    pub(super) found: Vec<FactId>,
}

/// A task or action at a position, as the formula knows it.
pub(super) struct Standing<'p> {
    pub(super) placed: &'p Placed,
    pub(super) lit: Lit,
    pub(super) arguments: Vec<Argument>,
}

impl<'t, 'a, 'm> Encoding<'t, 'a, 'm> {
    /// Says everything about a tree.
    pub(super) fn new(
        schemas: &'a Schemas<'m>,
        tree: &'t Tree<'a, 'm>,
        formula: Formula,
        run: &mut Run<'_>,
    ) -> Result<Encoding<'t, 'a, 'm>, Stop> {
        let facts = &*tree.facts;
        let known = |fact: FactId| match facts.is_initial(fact) {
            true => formula.yes(),
            false => formula.no(),
        };
        let mut encoding = Encoding {
            schemas,
            tree,
            version: (0..facts.len() as FactId).map(known).collect(),
            formula,
            vars: Vars::default(),
            said: tree.choices.iter().map(|_| None).collect(),
            now: 0,
            charged: 0,
            found: Vec::new(),
        };
        let mut open: Vec<PositionId> = vec![0];
        while let Some(id) = open.pop() {
            run.tick()?;
            let position = &tree.positions[id];
            match position.tasks.is_empty() {
                true => encoding.leaf(position, run)?,
                false => encoding.tasks(position, run)?,
            }
            open.extend(position.children.clone().rev());
        }
        let yes = encoding.formula.yes();
        let goal = &schemas.goal_variables;
        let terms = encoding.free_arguments(goal);
        let terms = Terms {
            arguments: &terms,
            domains: &goal.ranges,
        };
        for variable in 0..goal.ranges.len() {
            if goal.chosen[variable] {
                encoding.one_of(yes, terms, variable);
            }
        }
        encoding.require(yes, &schemas.goal, goal, terms, run)?;
        encoding.vars.exclude(&mut encoding.formula);
        encoding.charge(run)?;
        Ok(encoding)
    }

    /// Hears limits while something long is said.
    pub(super) fn listen(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        match self.formula.literals() - self.charged < BETWEEN_LOOKS {
            true => Ok(()),
            false => self.charge(run),
        }
    }

    fn charge(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        run.check_memory(self.formula.bytes())?;
        let said = self.formula.literals();
        run.effort(said - std::mem::replace(&mut self.charged, said))
    }

    /// The tasks at a position, and the rules for them.
    fn tasks(&mut self, position: &'t Position, run: &mut Run<'_>) -> Result<(), Stop> {
        let schemas = self.schemas;
        let mut pool = Pool::default();
        let mut rules = Vec::new();
        for task in &position.tasks {
            let ranges = &schemas.task_ranges[task.schema];
            let matters = &schemas.task_matters[task.schema];
            let start = task.schema == schemas.start();
            let Some(standing) = self.stand(task, start, ranges, matters, &mut pool) else {
                continue;
            };
            let open = task.choices.iter().copied();
            let open: Vec<usize> = open.filter(|it| self.tree.choices[*it].alive).collect();
            let lits: Vec<Lit> = match open.len() {
                1 => vec![standing.lit],
                n => (0..n).map(|_| self.formula.new_lit()).collect(),
            };
            if open.len() != 1 {
                self.formula.add_with(&[!standing.lit], &lits);
                for rule in &lits {
                    self.formula.add(&[!*rule, standing.lit]);
                }
            }
            for (choice, lit) in open.into_iter().zip(lits) {
                rules.push(lit);
                let arguments = self.rule(choice, lit, &standing, &mut pool, run)?;
                self.said[choice] = Some(Said { lit, arguments });
            }
        }
        if rules.len() > 1 {
            self.formula.at_most_one(&rules);
        }
        self.listen(run)
    }

    /// A task or action, given those who lead to it; `None` if nobody does.
    pub(super) fn stand<'p>(
        &mut self,
        placed: &'p Placed,
        start: bool,
        ranges: &[Domain],
        matters: &[bool],
        pool: &mut Pool,
    ) -> Option<Standing<'p>> {
        let sources = placed.sources.iter().copied();
        let sources: Vec<Source> = sources
            .filter(|it| self.said[it.choice].is_some())
            .collect();
        let lits: Vec<Lit> = sources.iter().filter_map(|it| self.lit(*it)).collect();
        if lits.is_empty() && !start {
            return None;
        }
        if !placed.alive {
            lits.iter().for_each(|lit| self.formula.add(&[!*lit]));
            return None;
        }
        let lit = match start {
            true => self.formula.yes(),
            false => self.formula.any(&lits),
        };
        let mut arguments: Vec<Argument> = vec![None; placed.domains.len()];
        let places = match sources.first() {
            Some(source) => self.slots(*source).len(),
            None => 0,
        };
        for place in 0..places {
            if matters[place] && placed.domains[place].len() > 1 {
                arguments[place] = self.merge(placed, &sources, place, &arguments, ranges, pool);
            }
        }
        Some(Standing {
            placed,
            lit,
            arguments,
        })
    }

    fn lit(&self, source: Source) -> Option<Lit> {
        self.said[source.choice].as_ref().map(|it| it.lit)
    }

    fn slots(&self, source: Source) -> &'a [Slot] {
        let schemas: &'a Schemas<'m> = self.schemas;
        &schemas.rules[self.tree.choices[source.choice].rule].subtasks[source.subtask].1
    }

    /// An argument, given what those who lead here put in.
    fn merge(
        &mut self,
        placed: &Placed,
        sources: &[Source],
        place: usize,
        used: &[Argument],
        ranges: &[Domain],
        pool: &mut Pool,
    ) -> Argument {
        let given = |it: &Self, source: Source| match it.slots(source)[place] {
            Slot::Object(_) => None,
            Slot::Variable(variable) => it.said[source.choice].as_ref()?.arguments[variable],
        };
        let first = given(self, sources[0]);
        if first.is_some() && sources.iter().all(|it| given(self, *it) == first) {
            return first;
        }
        let argument = pool.take(&ranges[place], used, &mut self.vars);
        for &source in sources {
            let choice = &self.tree.choices[source.choice];
            let domain = self.slots(source)[place].domain(&choice.domains);
            let Some(lit) = self.lit(source) else {
                continue;
            };
            let variable = given(self, source);
            for &object in domain.iter().filter(|it| has(&placed.domains[place], **it)) {
                let to = self.vars.is(argument, object, &mut self.formula);
                match variable {
                    None => self.formula.add(&[!lit, to]),
                    Some(variable) => {
                        let from = self.vars.is(variable, object, &mut self.formula);
                        self.formula.add(&[!lit, !from, to]);
                    }
                }
            }
        }
        Some(argument)
    }

    /// A rule that may be chosen; its arguments.
    fn rule(
        &mut self,
        choice: usize,
        lit: Lit,
        task: &Standing<'_>,
        pool: &mut Pool,
        run: &mut Run<'_>,
    ) -> Result<Vec<Argument>, Stop> {
        let tree = self.tree;
        let choice = &tree.choices[choice];
        let rule = &self.schemas.rules[choice.rule];
        let of = &rule.variables;
        let mut arguments: Vec<Argument> = vec![None; of.ranges.len()];
        let mut bound = vec![false; of.ranges.len()];
        for (place, slot) in rule.head.iter().enumerate() {
            let given = task.arguments[place];
            match *slot {
                Slot::Object(object) => {
                    if let Some(given) = given {
                        let is = self.vars.is(given, object, &mut self.formula);
                        self.formula.add(&[!lit, is]);
                    }
                }
                Slot::Variable(variable) if !bound[variable] => {
                    bound[variable] = true;
                    arguments[variable] = given;
                    let terms = Terms {
                        arguments: &arguments,
                        domains: &choice.domains,
                    };
                    if choice.domains[variable].len() < task.placed.domains[place].len() {
                        self.one_of(lit, terms, variable);
                    }
                }
                Slot::Variable(variable) => {
                    let terms = Terms {
                        arguments: &arguments,
                        domains: &choice.domains,
                    };
                    let other = (given, &task.placed.domains[place]);
                    self.same(lit, terms.argument(Slot::Variable(variable)), other, true);
                }
            }
        }
        for variable in 0..arguments.len() {
            if bound[variable] || !of.chosen[variable] || !of.matters[variable] {
                continue;
            }
            if choice.domains[variable].len() > 1 {
                let mut used = arguments.clone();
                used.extend_from_slice(&task.arguments);
                let range = &of.ranges[variable];
                arguments[variable] = Some(pool.take(range, &used, &mut self.vars));
                let terms = Terms {
                    arguments: &arguments,
                    domains: &choice.domains,
                };
                self.one_of(lit, terms, variable);
            }
        }
        // What is known by now is no variable any more.
        for (argument, domain) in arguments.iter_mut().zip(&choice.domains) {
            if domain.len() == 1 {
                *argument = None;
            }
        }
        let terms = Terms {
            arguments: &arguments,
            domains: &choice.domains,
        };
        self.require(lit, &rule.condition, of, terms, run)?;
        Ok(arguments)
    }

    /// Variables of their own for all that are to be chosen.
    fn free_arguments(&mut self, of: &Variables) -> Vec<Argument> {
        let all = of.ranges.iter().zip(&of.chosen);
        let free =
            all.map(|(range, chosen)| (*chosen && range.len() > 1).then(|| self.vars.fresh()));
        free.collect()
    }
}
