//! What a model looks like from afar: a few numbers, counted in no time, from
//! which a guess can be made at who will plan it (`learned`).
//!
//! None of them depends on names or on the order in which things are written.
//! Sizes are logarithms, the rest are parts of a whole or small counts, so that
//! all are of the same kind of size.

use crate::graph::components;
use crate::model::visit::{atoms, changing, effects};
use crate::model::{Effect, Formula, Model, TaskRef, Term, Variable};

/// What the numbers are, in their order.
pub(super) const NAMES: [&str; 20] = [
    "one",
    "objects",
    "facts",
    "tasks to do",
    "goals",
    "tasks that recur",
    "methods that recur before their end",
    "levels",
    "methods of a task",
    "subtasks of a method",
    "ways to bind a method",
    "ways to bind an action",
    "actions that take away",
    "conditions of an action",
    "predicates that change",
    "actions that ask for what does not hold",
    "kinds of action",
    "places of a predicate",
    "what an action adds",
    "facts that may change",
];

/// The numbers of a model.
pub(super) type Features = [f64; NAMES.len()];

/// Looks at a model.
pub(super) fn features(model: &Model) -> Features {
    let hierarchy = Hierarchy::of(model);
    let changes = changing(model);
    let facts = model.init.iter();
    let network = model.network.as_ref().map(|it| &it.network);
    let methods = || model.methods.iter();
    let actions = || model.actions.iter();
    let mut sizes = Sizes::of(model);
    let method_ways = methods().map(|method| {
        let bound = |variable: usize| {
            let is = |term: &Term| matches!(term, Term::Variable(it) if it.index() == variable);
            method.task_arguments.iter().any(is)
        };
        let free = method.variables[..method.arity].iter().enumerate();
        let free = free.filter(|(place, _)| !bound(*place));
        free.map(|(_, variable)| sizes.log(variable)).sum::<f64>()
    });
    let method_ways = method_ways.fold(0.0, f64::max);
    let action_ways = actions().map(|action| {
        let parameters = action.variables[..action.arity].iter();
        parameters.map(|it| sizes.log(it)).sum::<f64>()
    });
    let action_ways = action_ways.fold(0.0, f64::max);
    [
        1.0,
        log(model.objects.len()),
        log(model.init.len()),
        log(network.map_or(0, |network| network.subtasks.len())),
        log(count_atoms(&model.goal, true)),
        part(
            hierarchy.recurs.iter().filter(|&&it| it).count(),
            model.tasks.len(),
        ),
        part(hierarchy.inside, model.methods.len()),
        (hierarchy.levels as f64 + 1.0).log2(),
        part(model.methods.len(), model.tasks.len()),
        part(
            methods().map(|it| it.network.subtasks.len()).sum(),
            model.methods.len(),
        ),
        method_ways,
        action_ways,
        part(
            actions().filter(|it| takes_away(&it.effect)).count(),
            model.actions.len(),
        ),
        part(
            actions()
                .map(|it| count_atoms(&it.precondition, true))
                .sum(),
            model.actions.len(),
        ),
        part(changes.iter().filter(|&&it| it).count(), changes.len()),
        part(
            actions()
                .filter(|it| count_atoms(&it.precondition, false) > 0)
                .count(),
            model.actions.len(),
        ),
        log(model.actions.len()),
        part(
            model.predicates.iter().map(|it| it.parameters.len()).sum(),
            model.predicates.len(),
        ),
        part(
            actions().map(|it| adds(&it.effect)).sum(),
            model.actions.len(),
        ),
        log(facts.filter(|it| changes[it.predicate.index()]).count()),
    ]
}

fn log(count: usize) -> f64 {
    (count as f64 + 1.0).log10()
}

fn part(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}

fn takes_away(effect: &Effect) -> bool {
    let mut found = false;
    effects(effect, &mut |effect| {
        found |= matches!(effect, Effect::Delete(_))
    });
    found
}

fn adds(effect: &Effect) -> usize {
    let mut count = 0;
    effects(effect, &mut |effect| {
        count += usize::from(matches!(effect, Effect::Add(_)));
    });
    count
}

/// How many atoms have to hold, or not to hold.
fn count_atoms(formula: &Formula, wanted: bool) -> usize {
    let mut count = 0;
    atoms(formula, true, &mut |_, holds| {
        count += usize::from(holds == wanted)
    });
    count
}

/// How many objects a variable ranges over.
struct Sizes<'m> {
    model: &'m Model,
    known: Vec<(&'m [crate::model::TypeId], f64)>,
}

impl<'m> Sizes<'m> {
    fn of(model: &'m Model) -> Sizes<'m> {
        Sizes {
            model,
            known: Vec::new(),
        }
    }

    fn log(&mut self, variable: &'m Variable) -> f64 {
        if let Some(&(_, known)) = self
            .known
            .iter()
            .find(|(types, _)| *types == variable.types)
        {
            return known;
        }
        let count = log(self.model.range(variable).len());
        self.known.push((&variable.types, count));
        count
    }
}

/// Which tasks lead to which.
struct Hierarchy {
    /// Tasks that lead to themselves.
    recurs: Vec<bool>,
    /// Methods that lead back to their own task before their last subtask.
    inside: usize,
    /// The longest way down.
    levels: usize,
}

impl Hierarchy {
    fn of(model: &Model) -> Hierarchy {
        let below = |task: TaskRef| match task {
            TaskRef::Task(task) => Some(task.index()),
            TaskRef::Action(_) => None,
        };
        let mut next = vec![Vec::new(); model.tasks.len()];
        for method in &model.methods {
            let subtasks = method.network.subtasks.iter();
            next[method.task.index()].extend(subtasks.filter_map(|it| below(it.task)));
        }
        let found = components(next.len(), 0..next.len(), |task| next[task].iter().copied());
        let mut own = vec![0; next.len()];
        let mut levels = vec![0; next.len()];
        let mut recurs = vec![false; next.len()];
        // Deepest first: what a component leads to is known.
        for (number, component) in found.iter().enumerate() {
            component.iter().for_each(|&task| own[task] = number);
            let all = || component.iter().flat_map(|&task| &next[task]);
            let again = component.len() > 1 || all().any(|&task| task == component[0]);
            let level = 1 + all().map(|&task| levels[task]).max().unwrap_or(0);
            for &task in component {
                (recurs[task], levels[task]) = (again, level);
            }
        }
        let inside = model.methods.iter().filter(|method| {
            let again = |it: &crate::model::Subtask| {
                below(it.task).is_some_and(|task| own[task] == own[method.task.index()])
            };
            let subtasks = &method.network.subtasks;
            let before = subtasks.len().saturating_sub(1);
            recurs[method.task.index()] && subtasks[..before].iter().any(again)
        });
        Hierarchy {
            inside: inside.count(),
            levels: levels.iter().copied().max().unwrap_or(0),
            recurs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same model under other names and in another order, which reads alike
    /// from afar.
    #[test]
    fn names_and_order_do_not_count() {
        let one = read(
            "(:types room box) (:predicates (in ?b - box ?r - room) (free ?r - room))
             (:task tidy :parameters (?b - box))
             (:task all :parameters ())
             (:method more :parameters (?b - box) :task (all)
               :ordered-subtasks (and (all) (tidy ?b)))
             (:method none :parameters () :task (all) :ordered-subtasks (and))
             (:method put :parameters (?b - box ?r - room) :task (tidy ?b)
               :ordered-subtasks (and (move ?b ?r)))
             (:action move :parameters (?b - box ?r - room) :precondition (free ?r)
               :effect (and (in ?b ?r) (not (free ?r))))",
            "(:objects r1 r2 - room b1 - box)
             (:htn :parameters () :ordered-subtasks (and (all))) (:init (free r1) (free r2))",
        );
        let other = read(
            "(:types kiste ort) (:predicates (frei ?o - ort) (drin ?k - kiste ?o - ort))
             (:task alles :parameters ())
             (:task weg :parameters (?k - kiste))
             (:method dorthin :parameters (?o - ort ?k - kiste) :task (weg ?k)
               :ordered-subtasks (and (trage ?k ?o)))
             (:method fertig :parameters () :task (alles) :ordered-subtasks (and))
             (:method weiter :parameters (?k - kiste) :task (alles)
               :ordered-subtasks (and (alles) (weg ?k)))
             (:action trage :parameters (?k - kiste ?o - ort) :precondition (frei ?o)
               :effect (and (not (frei ?o)) (drin ?k ?o)))",
            "(:objects k - kiste o2 o1 - ort)
             (:htn :parameters () :ordered-subtasks (and (alles))) (:init (frei o2) (frei o1))",
        );
        assert_eq!(one, other);
        let said = |name: &str| one[NAMES.iter().position(|it| *it == name).unwrap()];
        assert_eq!(said("tasks that recur"), 0.5);
        assert_eq!(said("methods that recur before their end"), 1.0 / 3.0);
        assert_eq!(said("levels"), 3f64.log2());
        assert_eq!(said("ways to bind a method"), 3f64.log10());
        assert_eq!(said("actions that take away"), 1.0);
    }

    fn read(domain: &str, problem: &str) -> Features {
        let domain = format!("(define (domain d) (:requirements :typing :hierarchy) {domain})");
        let problem = format!("(define (problem p) (:domain d) {problem})");
        features(&crate::read(&domain, &problem).0.unwrap())
    }
}
