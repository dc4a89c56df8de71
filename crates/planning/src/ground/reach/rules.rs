//! Which joins find the instances of each schema, and what triggers them.
//!
//! Methods are joined with the tasks asked for; their preconditions, what all
//! ways to carry out a subtask share, and what an action among the subtasks
//! needs before anything could establish it, are matched in the same join.

use planoku_engine::{Run, Stop};

use super::super::join::{Body, Test, plan};
use super::super::lower::{Literal, MethodSchema, Schemas, Slot};
use super::{Reach, Rule, Step, Triggered};
use crate::model::TaskRef;

/// How many conditions a join may have, the method's own aside: planning a
/// join takes time with the cube of it. What is left out is asked later.
const LONGEST_BODY: usize = 100;

impl<'a> Reach<'a> {
    /// Plans every rule for every relation that may trigger it, and returns
    /// the plans that start from nothing.
    pub(super) fn plan_rules(&mut self, run: &mut Run<'_>) -> Result<Vec<(Rule, Vec<Step>)>, Stop> {
        let mut rules = Vec::new();
        let hierarchical = self.model.network.is_some();
        for (m, method) in self.schemas().methods.iter().enumerate() {
            run.effort(100 + method.subtasks.len() as u64)?;
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
            run.effort(100)?;
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
        Ok(initial)
    }

    pub(super) fn body(&self, literals: &[Literal], ranges: &[usize]) -> Body {
        let mut body = Body {
            ranges: ranges.to_vec(),
            ..Body::default()
        };
        for literal in literals {
            self.add_literal(literal, &mut body);
        }
        body
    }

    pub(super) fn add_literal(&self, literal: &Literal, body: &mut Body) {
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
            // Asked of each instance.
            Literal::Atom(..) | Literal::Compare(_) => {}
        }
    }

    /// What a method instance must match before it asks for anything.
    pub(super) fn method_body(&self, method: &MethodSchema) -> Body {
        let mut body = self.body(&method.condition.literals, &method.variables);
        body.atoms.insert(
            0,
            (self.task_relation(method.task), method.head.clone(), true),
        );
        // What earlier subtasks may make true.
        let mut added = vec![false; self.model.predicates.len()];
        for (place, (node, arguments)) in method.subtasks.iter().enumerate() {
            if body.atoms.len() + body.tests.len() > LONGEST_BODY {
                break;
            }
            if place > 0 {
                let earlier = self.adds(method.subtasks[place - 1].0);
                added.iter_mut().zip(earlier).for_each(|(a, b)| *a |= b);
            }
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
                if self.is_early(literal, place, method, |predicate| added[predicate]) {
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
            literal.slots(&mut |slot| want(&slot));
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
        self.is_early(literal, place, method, |predicate| {
            let mut earlier = method.subtasks[..place].iter();
            earlier.any(|(node, _)| self.adds(*node)[predicate])
        })
    }

    /// The same, told which predicates earlier subtasks may make true.
    fn is_early(
        &self,
        literal: &Literal,
        place: usize,
        method: &MethodSchema,
        added: impl Fn(usize) -> bool,
    ) -> bool {
        let Literal::Atom(atom, true) = literal else {
            return true;
        };
        if !self.schemas().grows[atom.predicate] {
            return true;
        }
        // Where tasks interleave, what a subtask before this one does may let
        // others establish the literal; then nothing may come before.
        if place == 0 && method.starts_alone {
            return true;
        }
        self.schemas().ordered && !self.schemas().derived[atom.predicate] && !added(atom.predicate)
    }

    /// The predicates that a subtask may make true.
    fn adds(&self, node: TaskRef) -> &[bool] {
        match node {
            TaskRef::Action(action) => &self.schemas().action_adds[action.index()],
            TaskRef::Task(task) => &self.schemas().task_adds[task.index()],
        }
    }

    pub(super) fn width(&self, rule: Rule) -> usize {
        match rule {
            Rule::Method(m) => self.schemas().methods[m].variables.len(),
            Rule::Action(a) => self.schemas().actions[a].variables.len(),
            Rule::Axiom(x) => self.schemas().axioms[x].variables.len(),
        }
    }
}

/// The positive literals over predicates that no action makes true.
pub(super) fn fixed_atoms(
    literals: &[Literal],
    schemas: &Schemas,
) -> Vec<(usize, Vec<Slot>, bool)> {
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
    literal.map(|slot| match slot {
        Slot::Var(v) => arguments[v as usize],
        object => object,
    })
}
