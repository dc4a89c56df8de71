//! The methods of a problem as the rules of a grammar, for [`parse`](super::parse).

use super::refine::topological;
use super::state::Binding;
use crate::model::{Formula, Model, Network, Subtask, TaskRef, Term, Variable, VariableId};

/// A method, or the initial network, as a rule.
pub struct Rewrite<'a> {
    pub variables: &'a [Variable],
    pub arity: usize,
    pub head: &'a [Term],
    pub precondition: &'a Formula,
    pub constraints: &'a Formula,
    /// In their order.
    pub subtasks: Vec<&'a Subtask>,
    /// Per dot: the variables that still matter behind it.
    pub live: Vec<Vec<bool>>,
    /// Per dot: the fewest steps behind it.
    pub least: Vec<usize>,
    /// The actions it can start with, and whether it can do without any.
    pub first: Vec<bool>,
    pub empty: bool,
}

/// All rules; the last is the initial network.
pub struct TaskGrammar<'a> {
    pub model: &'a Model,
    pub rules: Vec<Rewrite<'a>>,
    /// Per task: its rules.
    pub of_task: Vec<Vec<usize>>,
    /// Some order is partial; the rules have one of those it allows.
    pub partial: bool,
}

/// More steps than any plan has.
const MANY: usize = usize::MAX / 4;

impl<'a> TaskGrammar<'a> {
    /// `None` if there is no initial network.
    pub fn of(model: &'a Model) -> Option<TaskGrammar<'a>> {
        let network = model.network.as_ref()?;
        let mut rules = Vec::new();
        let mut of_task = vec![vec![]; model.tasks.len()];
        for (place, method) in model.methods.iter().enumerate() {
            of_task[method.task.index()].push(place);
            rules.push(Rewrite::new(
                model.actions.len(),
                &method.variables,
                method.arity,
                &method.task_arguments,
                &method.precondition,
                &method.network,
            ));
        }
        rules.push(Rewrite::new(
            model.actions.len(),
            &network.variables,
            network.arity,
            &[],
            &Formula::True,
            &network.network,
        ));
        let methods = model.methods.iter().map(|method| &method.network);
        let mut networks = methods.chain([&network.network]);
        let mut grammar = TaskGrammar {
            partial: networks.any(|it| !it.ordered && it.subtasks.len() > 1),
            model,
            rules,
            of_task,
        };
        grammar.measure();
        Some(grammar)
    }

    /// Lengths and first actions, to a fixed point.
    fn measure(&mut self) {
        let mut least = vec![MANY; self.model.tasks.len()];
        let mut first = vec![vec![false; self.model.actions.len()]; self.model.tasks.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (place, rule) in self.rules.iter_mut().enumerate() {
                let mut fewest = 0_usize;
                rule.least[rule.subtasks.len()] = 0;
                for (dot, subtask) in rule.subtasks.iter().enumerate().rev() {
                    fewest = fewest.saturating_add(match subtask.task {
                        TaskRef::Action(_) => 1,
                        TaskRef::Task(task) => least[task.index()],
                    });
                    rule.least[dot] = fewest.min(MANY);
                }
                rule.empty = fewest == 0;
                for subtask in &rule.subtasks {
                    let skipped = match subtask.task {
                        TaskRef::Action(action) => {
                            rule.first[action.index()] = true;
                            false
                        }
                        TaskRef::Task(task) => {
                            let more = first[task.index()].iter().zip(&mut rule.first);
                            more.for_each(|(&it, mine)| *mine |= it);
                            least[task.index()] == 0
                        }
                    };
                    if !skipped {
                        break;
                    }
                }
                let Some(method) = self.model.methods.get(place) else {
                    continue;
                };
                let task = method.task.index();
                if rule.least[0] < least[task] {
                    least[task] = rule.least[0];
                    changed = true;
                }
                for (known, &mine) in first[task].iter_mut().zip(&rule.first) {
                    changed |= mine && !*known;
                    *known |= mine;
                }
            }
        }
    }
}

impl<'a> Rewrite<'a> {
    fn new(
        actions: usize,
        variables: &'a [Variable],
        arity: usize,
        head: &'a [Term],
        precondition: &'a Formula,
        network: &'a Network,
    ) -> Rewrite<'a> {
        let count = network.subtasks.len();
        let (mut before, mut after) = (vec![vec![]; count], vec![vec![]; count]);
        for &(a, b) in &network.ordering {
            before[b as usize].push(a as usize);
            after[a as usize].push(b as usize);
        }
        let order = topological(&before, &after);
        let subtasks: Vec<&Subtask> = order.iter().map(|&at| &network.subtasks[at]).collect();
        let mut live = vec![vec![false; variables.len()]; count + 1];
        let mut matters = vec![false; variables.len()];
        let mark = |terms: &[Term], matters: &mut Vec<bool>| {
            for term in terms {
                if let Term::Variable(id) = term {
                    matters[id.index()] = true;
                }
            }
        };
        mark(head, &mut matters);
        for formula in [precondition, &network.constraints] {
            crate::model::visit::formulas(formula, &mut |part| match part {
                Formula::Atom(atom) => mark(&atom.arguments, &mut matters),
                Formula::Equal(a, b) => mark(&[*a, *b], &mut matters),
                Formula::Compare(compare) => {
                    compare.terms(&mut |term| mark(&[*term], &mut matters));
                }
                _ => {}
            });
        }
        for dot in (0..=count).rev() {
            if let Some(subtask) = subtasks.get(dot) {
                mark(&subtask.arguments, &mut matters);
            }
            live[dot].clone_from(&matters);
        }
        Rewrite {
            variables,
            arity,
            head,
            precondition,
            constraints: &network.constraints,
            least: vec![0; count + 1],
            subtasks,
            live,
            first: vec![false; actions],
            empty: false,
        }
    }

    pub fn open(&self, binding: &Binding) -> Vec<VariableId> {
        let all = (0..self.arity as u32).map(VariableId);
        all.filter(|id| binding[id.index()].is_none()).collect()
    }
}
