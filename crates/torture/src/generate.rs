//! Small random problems that reach into every corner of the language.
//!
//! Small enough for the oracle, and mean: prices at the edges of 32 and 64
//! bits, nests of methods without subtasks beside conditions, recursion,
//! conditional effects, derived facts, constants, types without objects.

use crate::dice::Dice;
use crate::numeric::{Tenths, VALUES};
use crate::problem::{
    Action, Amount, Atom, Compare, Derived, Effect, Fluent, Formula, Method, Network, Node, Number,
    NumberChange, Object, Price, Problem, Subtask, Term, Top,
};

/// What kind of plan is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No tasks.
    Classical,
    /// Tasks, one after the other.
    Total,
    /// Tasks in any order that the networks allow.
    Partial,
}

/// A problem of any kind. `size` from 0 dials how many things there are.
pub fn problem(dice: &mut Dice<'_>, size: usize) -> Problem {
    let kind = dice.one_of(&[Kind::Classical, Kind::Total, Kind::Partial, Kind::Partial]);
    problem_of(dice, kind, size)
}

/// A problem of any kind with numbers that change.
pub fn numeric(dice: &mut Dice<'_>, size: usize) -> Problem {
    let kind = dice.one_of(&[Kind::Classical, Kind::Classical, Kind::Total, Kind::Partial]);
    make(dice, kind, size, true)
}

/// A problem of that kind.
pub fn problem_of(dice: &mut Dice<'_>, kind: Kind, size: usize) -> Problem {
    make(dice, kind, size, false)
}

fn make(dice: &mut Dice<'_>, kind: Kind, size: usize, numbers: bool) -> Problem {
    let lifted = dice.percent(50);
    // Without tasks, plans get long only where there is much to do.
    let size = size + usize::from(kind == Kind::Classical);
    let mut maker = Maker {
        prices: dice.below(8),
        lifted,
        conditions: 20 + dice.below(40),
        empty: dice.below(60),
        at_problem: false,
        problem: Problem::default(),
        dice,
    };
    maker.things(size);
    if numbers {
        maker.fluents();
    }
    maker.rules();
    maker.actions(size);
    match kind {
        Kind::Classical => {}
        Kind::Total | Kind::Partial => maker.hierarchy(kind == Kind::Partial, size),
    }
    maker.ends(kind);
    maker.problem
}

struct Maker<'d, 'b> {
    dice: &'d mut Dice<'b>,
    /// Which kind of prices.
    prices: usize,
    /// With parameters.
    lifted: bool,
    /// How often there is a condition, in percent.
    conditions: usize,
    /// How often a method has no subtasks, in percent.
    empty: usize,
    /// Writing the problem, where all objects have names, not only constants.
    at_problem: bool,
    problem: Problem,
}

impl Maker<'_, '_> {
    fn things(&mut self, size: usize) {
        let problem = &mut self.problem;
        problem.types = vec![0];
        for number in 1..1 + self.dice.below(if self.lifted { 4 } else { 1 }) {
            problem.types.push(self.dice.below(number));
        }
        // Some type may well stay without objects.
        for _ in 0..1 + self.dice.below(if self.lifted { 2 + size } else { 1 }) {
            problem.objects.push(Object {
                kind: self.dice.below(problem.types.len()),
                constant: self.dice.percent(30),
            });
        }
        let arity = if self.lifted { 3 } else { 1 };
        problem.predicates.push(vec![]);
        for _ in 0..1 + self.dice.below(3 + 2 * size) {
            let parameters = (0..self.dice.below(arity)).map(|_| match self.dice.percent(60) {
                true => 0,
                false => self.dice.below(problem.types.len()),
            });
            problem.predicates.push(parameters.collect());
        }
        if self.dice.percent(25) {
            let objects = problem.objects.len();
            let values = (0..objects).map(|_| amount(self.dice, self.prices));
            problem.functions.push(values.collect());
        }
    }

    /// Numbers, as many as a state of the oracle holds.
    fn fluents(&mut self) {
        let objects = self.problem.objects.len();
        let mut left = VALUES;
        for _ in 0..1 + self.dice.below(3) {
            let of_object = self.dice.percent(40) && objects <= left;
            let count = if of_object { objects } else { 1 };
            if count > left {
                break;
            }
            left -= count;
            let start = (0..count).map(|_| match self.dice.percent(12) {
                true => None,
                false => Some(self.tenths()),
            });
            let start = start.collect();
            self.problem.fluents.push(Fluent { of_object, start });
        }
    }

    fn tenths(&mut self) -> Tenths {
        Tenths(match self.dice.below(8) {
            0 => self.dice.below(60) as i64 - 30,
            _ => 10 * (self.dice.below(7) as i64 - 2),
        })
    }

    fn number(&mut self, scope: &[usize], depth: usize) -> Option<Number> {
        if depth > 0 && self.dice.percent(35) {
            let sign = self.dice.one_of(&['+', '-', '*', '/', '+', '-']);
            let parts = [self.number(scope, depth - 1)?, self.number(scope, 0)?];
            return Some(Number::Two(sign, Box::new(parts)));
        }
        if self.dice.percent(40) {
            return Some(Number::Constant(self.tenths()));
        }
        let (fluent, of) = self.fluent(scope)?;
        Some(Number::Fluent(fluent, of))
    }

    fn fluent(&mut self, scope: &[usize]) -> Option<(usize, Option<Term>)> {
        let fluent = self.dice.below(self.problem.fluents.len());
        Some(match self.problem.fluents[fluent].of_object {
            true => (fluent, Some(self.term(scope, 0)?)),
            false => (fluent, None),
        })
    }

    fn compare(&mut self, scope: &[usize]) -> Option<Formula> {
        let sign = self.dice.one_of(&["<", "<=", "=", ">=", ">", ">="]);
        let (fluent, of) = self.fluent(scope)?;
        let left = match self.dice.percent(70) {
            true => Number::Fluent(fluent, of),
            false => self.number(scope, 2)?,
        };
        let sides = [left, self.number(scope, 1)?];
        let compare = Formula::Compare(Box::new(Compare { sign, sides }));
        Some(match self.dice.percent(20) {
            true => Formula::Not(Box::new(compare)),
            false => compare,
        })
    }

    fn change(&mut self, scope: &[usize]) -> Option<NumberChange> {
        let each = match self.lifted && self.dice.percent(15) {
            true => Some(self.dice.below(self.problem.types.len())),
            false => None,
        };
        let inner: Vec<usize> = scope.iter().copied().chain(each).collect();
        let predicates = self.problem.predicates.len();
        let when = match self.dice.percent(20) {
            true => self.formula(&inner, predicates).into_iter().collect(),
            false => vec![],
        };
        let word = self.dice.one_of(&[
            "increase",
            "decrease",
            "increase",
            "decrease",
            "assign",
            "scale-up",
            "scale-down",
        ]);
        let (fluent, of) = self.fluent(&inner)?;
        let amount = match self.dice.percent(60) {
            true => Number::Constant(self.tenths()),
            false => self.number(&inner, 1)?,
        };
        Some(NumberChange {
            each,
            when,
            word,
            fluent,
            of,
            amount,
        })
    }

    /// The last predicates are derived, now and then.
    fn rules(&mut self) {
        let predicates = self.problem.predicates.len();
        if predicates < 3 || !self.dice.percent(30) {
            return;
        }
        let first = predicates - 1 - self.dice.below(2);
        for predicate in first..predicates {
            let parameters = self.problem.predicates[predicate].clone();
            for _ in 0..1 + self.dice.below(2) {
                let mut condition = Vec::new();
                for _ in 0..1 + self.dice.below(2) {
                    condition.extend(self.formula(&parameters, predicate));
                }
                // Itself, without negation.
                if self.dice.percent(40) {
                    let terms = parameters.iter().map(|&kind| self.term(&parameters, kind));
                    if let Some(terms) = terms.collect() {
                        condition.push(Formula::Atom(Atom { predicate, terms }));
                    }
                }
                self.problem.derived.push(Derived {
                    predicate,
                    condition,
                });
            }
        }
    }

    fn parameters(&mut self, at_most: usize) -> Vec<usize> {
        let count = if self.lifted {
            self.dice.below(at_most + 1)
        } else {
            0
        };
        let types = self.problem.types.len();
        (0..count)
            .map(|_| match self.dice.percent(50) {
                true => 0,
                false => self.dice.below(types),
            })
            .collect()
    }

    fn actions(&mut self, size: usize) {
        for _ in 0..2 + self.dice.below(3 + 2 * size) {
            let parameters = self.parameters(2);
            let condition = self.condition(&parameters);
            let mut effects = Vec::new();
            for _ in 0..1 + self.dice.below(3) {
                effects.extend(self.effect(&parameters));
            }
            let mut changes = Vec::new();
            if !self.problem.fluents.is_empty() {
                for _ in 0..self.dice.below(3) {
                    changes.extend(self.change(&parameters));
                }
            }
            let functions = self.problem.functions.len();
            let price = match self.dice.below(10) {
                _ if self.prices == 0 => None,
                0 => None,
                1 | 2 if functions > 0 => {
                    let argument = self.term(&parameters, 0);
                    argument.map(|argument| Price::Function(0, argument))
                }
                _ => Some(Price::Number(amount(self.dice, self.prices))),
            };
            self.problem.actions.push(Action {
                parameters,
                condition,
                effects,
                changes,
                price,
            });
        }
    }

    fn hierarchy(&mut self, partial: bool, size: usize) {
        let tasks = 1 + self.dice.below(3 + 2 * size);
        for _ in 0..tasks {
            let parameters = self.parameters(1);
            self.problem.tasks.push(parameters);
        }
        for task in 0..tasks {
            for _ in 0..1 + self.dice.below(3) {
                let mut parameters = self.problem.tasks[task].clone();
                let mut terms: Vec<Term> = (0..parameters.len()).map(Term::Variable).collect();
                parameters.extend(self.parameters(1));
                // A method for one object alone, now and then.
                if let Some(first) = terms.first_mut()
                    && self.dice.percent(15)
                {
                    let objects = self.constants(parameters[0]);
                    if !objects.is_empty() {
                        *first = Term::Object(self.dice.one_of(&objects));
                    }
                }
                let condition = self.condition(&parameters);
                let count = match self.dice.percent(self.empty) {
                    true => 0,
                    false => self.dice.below(4),
                };
                let network = self.network(&parameters, task + 1, count, partial);
                self.problem.methods.push(Method {
                    parameters,
                    task,
                    terms,
                    condition,
                    network,
                });
            }
        }
        self.at_problem = true;
        let parameters = self.parameters(1);
        let count = 1 + self.dice.below(3);
        let network = self.network(&parameters, 0, count, partial);
        self.problem.top = Some(Top {
            parameters,
            network,
        });
    }

    /// Subtasks of number `from` and above, one time in twelve of any number.
    fn network(&mut self, scope: &[usize], from: usize, count: usize, partial: bool) -> Network {
        let mut network = Network::default();
        for _ in 0..count {
            let from = if self.dice.below(12) == 0 { 0 } else { from };
            let tasks = self.problem.tasks.len();
            let node = match from < tasks && self.dice.percent(60) {
                true => Node::Task(from + self.dice.below(tasks - from)),
                false => Node::Action(self.dice.below(self.problem.actions.len())),
            };
            let kinds = match node {
                Node::Task(task) => self.problem.tasks[task].clone(),
                Node::Action(action) => self.problem.actions[action].parameters.clone(),
            };
            let terms = kinds.iter().map(|&kind| self.term(scope, kind)).collect();
            if let Some(terms) = terms {
                network.subtasks.push(Subtask { node, terms });
            }
        }
        if partial && self.dice.percent(75) {
            let count = network.subtasks.len();
            let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            network.order = Some(pairs.filter(|_| self.dice.percent(30)).collect());
        }
        if scope.len() > 1 && self.dice.percent(15) {
            let (a, b) = (self.dice.below(scope.len()), self.dice.below(scope.len()));
            let equal = Formula::Equal(Term::Variable(a), Term::Variable(b));
            network.constraints.push(match self.dice.percent(80) {
                true => Formula::Not(Box::new(equal)),
                false => equal,
            });
        }
        network
    }

    fn ends(&mut self, kind: Kind) {
        self.at_problem = true;
        for (predicate, parameters) in self.problem.predicates.iter().enumerate() {
            if self.problem.is_derived(predicate) {
                continue;
            }
            let mut rows = vec![vec![]];
            for &kind in parameters {
                rows = rows
                    .iter()
                    .flat_map(|row: &Vec<usize>| {
                        let objects = self.problem.objects_of(kind);
                        objects.map(|object| [row.as_slice(), &[object]].concat())
                    })
                    .collect();
            }
            for row in rows {
                if self.dice.percent(35) {
                    self.problem.init.push((predicate, row));
                }
            }
        }
        let goals = match kind {
            Kind::Classical => 1 + self.dice.below(3),
            _ => self.dice.below(2),
        };
        for _ in 0..goals {
            let predicates = self.problem.predicates.len();
            // Mostly what some action may bring about.
            let goal = match self.dice.percent(60) {
                true => self.brought_about().map(Formula::Atom),
                false => self.formula(&[], predicates),
            };
            self.problem.goal.extend(goal);
        }
    }

    /// A fact that some action adds, for some of its arguments.
    fn brought_about(&mut self) -> Option<Atom> {
        let effects = self.problem.actions.iter().flat_map(|it| &it.effects);
        let added: Vec<usize> = effects
            .filter(|effect| effect.add)
            .map(|effect| effect.atom.predicate)
            .collect();
        if added.is_empty() {
            return None;
        }
        let predicate = self.dice.one_of(&added);
        let kinds = self.problem.predicates[predicate].clone();
        let terms: Option<Vec<Term>> = kinds.iter().map(|&kind| self.term(&[], kind)).collect();
        Some(Atom {
            predicate,
            terms: terms?,
        })
    }

    fn condition(&mut self, scope: &[usize]) -> Vec<Formula> {
        let mut parts = Vec::new();
        while parts.len() < 3 && self.dice.percent(self.conditions) {
            let predicates = self.problem.predicates.len();
            match self.formula(scope, predicates) {
                Some(part) => parts.push(part),
                None => break,
            }
        }
        parts
    }

    /// A condition on predicates below `below`.
    fn formula(&mut self, scope: &[usize], below: usize) -> Option<Formula> {
        let chance = self.dice.below(if self.lifted { 24 } else { 18 });
        Some(match chance {
            0 | 1 => {
                let parts = [self.literal(scope, below)?, self.literal(scope, below)?];
                Formula::Or(parts.into())
            }
            2 => {
                let parts = [self.literal(scope, below)?, self.literal(scope, below)?];
                Formula::And(parts.into())
            }
            3 => {
                let (a, b) = (self.literal(scope, below)?, self.literal(scope, below)?);
                Formula::Imply(Box::new(a), Box::new(b))
            }
            4 => Formula::Not(Box::new(Formula::And(vec![
                self.literal(scope, below)?,
                self.literal(scope, below)?,
            ]))),
            18 | 19 => {
                let kind = self.dice.below(self.problem.types.len());
                let body = self.literal(&[scope, &[kind]].concat(), below)?;
                Formula::Exists(kind, Box::new(body))
            }
            20 | 21 => {
                let kind = self.dice.below(self.problem.types.len());
                let body = self.literal(&[scope, &[kind]].concat(), below)?;
                Formula::Forall(kind, Box::new(body))
            }
            22 => {
                let (a, b) = (self.term(scope, 0)?, self.term(scope, 0)?);
                let equal = Formula::Equal(a, b);
                match self.dice.percent(70) {
                    true => Formula::Not(Box::new(equal)),
                    false => equal,
                }
            }
            _ => self.literal(scope, below)?,
        })
    }

    fn literal(&mut self, scope: &[usize], below: usize) -> Option<Formula> {
        if !self.problem.fluents.is_empty() && self.dice.percent(45) {
            return self.compare(scope);
        }
        let atom = self.atom(scope, below)?;
        Some(match self.dice.percent(35) {
            true => Formula::Not(Box::new(Formula::Atom(atom))),
            false => Formula::Atom(atom),
        })
    }

    fn atom(&mut self, scope: &[usize], below: usize) -> Option<Atom> {
        let predicate = self.dice.below(below);
        let kinds = self.problem.predicates[predicate].clone();
        let terms = kinds.iter().map(|&kind| self.term(scope, kind));
        let terms: Option<Vec<Term>> = terms.collect();
        Some(Atom {
            predicate,
            terms: terms?,
        })
    }

    fn effect(&mut self, scope: &[usize]) -> Option<Effect> {
        let each = match self.lifted && self.dice.percent(15) {
            true => Some(self.dice.below(self.problem.types.len())),
            false => None,
        };
        let inner: Vec<usize> = scope.iter().copied().chain(each).collect();
        let predicates = self.problem.predicates.len();
        let when = match self.dice.percent(25) {
            true => self.formula(&inner, predicates).into_iter().collect(),
            false => vec![],
        };
        let atom = self.atom(&inner, predicates)?;
        let add = self.dice.percent(60);
        (!self.problem.is_derived(atom.predicate)).then_some(Effect {
            each,
            when,
            atom,
            add,
        })
    }

    /// Constants of a type, which every part of the domain may name.
    fn constants(&self, kind: usize) -> Vec<usize> {
        let of = self.problem.objects_of(kind);
        of.filter(|&object| self.problem.objects[object].constant)
            .collect()
    }

    /// A term of that type; `None` if there is none in scope.
    fn term(&mut self, scope: &[usize], kind: usize) -> Option<Term> {
        let fitting = (0..scope.len()).filter(|&it| self.problem.fits(scope[it], kind));
        let mut terms: Vec<Term> = fitting.map(Term::Variable).collect();
        if terms.is_empty() || self.dice.percent(20) {
            let objects = match self.at_problem {
                true => self.problem.objects_of(kind).collect(),
                false => self.constants(kind),
            };
            terms.extend(objects.into_iter().map(Term::Object));
        }
        (!terms.is_empty()).then(|| self.dice.one_of(&terms))
    }
}

/// An amount, by the kind of prices a problem has.
fn amount(dice: &mut Dice<'_>, prices: usize) -> Amount {
    let prices = match prices {
        7 => 1 + dice.below(6),
        _ => prices,
    };
    let near = |dice: &mut Dice<'_>, middle: u64| {
        let off = dice.below(5) as u64;
        middle.wrapping_sub(2).wrapping_add(off).max(middle / 2)
    };
    match prices {
        0 | 1 => Amount::whole(dice.below(5) as u64),
        2 => Amount::whole(u64::from(dice.percent(30))),
        3 => {
            let middle = dice.one_of(&[1 << 31, 1 << 32, 1_000_000_000, 1 << 20]);
            Amount::whole(near(dice, middle))
        }
        4 => Amount::whole(match dice.below(4) {
            0 => u64::MAX,
            1 => near(dice, 1 << 63),
            2 => u64::MAX / 2 - dice.below(3) as u64,
            _ => dice.below(3) as u64,
        }),
        5 => {
            let unit = dice.one_of(&[1, 10, 100_000, 500_000, 250_000, 1_000_000]);
            Amount(unit * dice.below(30) as u128)
        }
        _ => {
            let bits = dice.below(64);
            Amount::whole(dice.any().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> bits)
        }
    }
}
