//! Smaller problems that may still show the same finding.
//!
//! Delta debugging on the structure: `smaller` lists every problem that is
//! one cut away, big cuts first, and [`shrink`] takes cuts as long as the
//! finding stays.

use std::mem;

use crate::numeric::Tenths;
use crate::problem::{Amount, Formula, Network, Node, Number, Price, Problem, Subtask, Term};

/// Takes cuts until none keeps the finding. `still` says if a problem shows it
/// and `go_on` if there is time for another.
pub fn shrink(
    problem: &Problem,
    mut still: impl FnMut(&Problem) -> bool,
    mut go_on: impl FnMut() -> bool,
) -> Problem {
    let mut best = problem.clone();
    // Long lists are cut by halves before single parts are tried.
    for parts in [2, 4, 8, 16, 32, 64] {
        let mut part = 0;
        while part < parts && go_on() {
            match chunk(&best, part, parts) {
                Some(cut) if still(&cut) => best = cut,
                _ => part += 1,
            }
        }
    }
    loop {
        let mut progress = false;
        let mut at = 0;
        // After a cut the list is made anew and gone on with at the same place:
        // what did not help before hardly helps now.
        loop {
            let cuts = smaller(&best);
            let Some(cut) = cuts.into_iter().nth(at) else {
                break;
            };
            if !go_on() {
                return best;
            }
            match still(&cut) {
                true => {
                    best = cut;
                    progress = true;
                }
                false => at += 1,
            }
        }
        if !progress {
            return best;
        }
    }
}

/// Without one of `parts` parts of every long list.
fn chunk(problem: &Problem, part: usize, parts: usize) -> Option<Problem> {
    let mut cut = problem.clone();
    let mut changed = false;
    let mut range = |length: usize| {
        let (from, to) = (length * part / parts, length * (part + 1) / parts);
        changed |= length >= 2 * parts && to > from;
        match length >= 2 * parts {
            true => (from..to).rev(),
            false => (0..0).rev(),
        }
    };
    for index in range(cut.methods.len()) {
        cut.methods.remove(index);
    }
    if let Some(top) = &mut cut.top {
        for index in range(top.network.subtasks.len()) {
            remove_subtask(&mut top.network, index);
        }
    }
    for index in range(cut.init.len()) {
        cut.init.remove(index);
    }
    for index in range(cut.tasks.len()) {
        remove_task(&mut cut, index);
    }
    changed.then_some(cut)
}

/// Every problem that is one cut away.
fn smaller(problem: &Problem) -> Vec<Problem> {
    let mut cuts = Vec::new();
    let mut cut = |change: &dyn Fn(&mut Problem)| {
        let mut copy = problem.clone();
        change(&mut copy);
        if copy != *problem {
            cuts.push(copy);
        }
    };
    // Of very long lists only the ends are tried one by one.
    let some = |length: usize| (0..length).rev().take(200);
    cut(&|it| it.top = None);
    cut(&|it| it.derived.clear());
    cut(&|it| it.goal.clear());
    cut(&|it| it.init.clear());
    for index in some(problem.actions.len()) {
        cut(&|it| remove_action(it, index));
    }
    for index in some(problem.tasks.len()) {
        cut(&|it| remove_task(it, index));
    }
    for index in some(problem.methods.len()) {
        cut(&|it| drop(it.methods.remove(index)));
    }
    for index in some(problem.derived.len()) {
        cut(&|it| drop(it.derived.remove(index)));
    }
    for index in some(problem.init.len()) {
        cut(&|it| drop(it.init.remove(index)));
    }
    for index in some(problem.goal.len()) {
        cut(&|it| drop(it.goal.remove(index)));
    }
    for index in some(problem.predicates.len()) {
        cut(&|it| remove_predicate(it, index));
    }
    for index in some(problem.objects.len()) {
        cut(&|it| remove_object(it, index));
    }
    for index in some(problem.types.len()) {
        cut(&|it| remove_type(it, index));
    }
    networks(problem, &mut cut);
    parts(problem, &mut cut);
    numbers(problem, &mut cut);
    cuts
}

type Cut<'c> = dyn FnMut(&dyn Fn(&mut Problem)) + 'c;

/// Cuts inside networks.
fn networks(problem: &Problem, cut: &mut Cut<'_>) {
    for index in 0..problem.methods.len().min(200) + 1 {
        let all = network(&mut problem.clone(), index).map(mem::take);
        let Some(all) = all else { continue };
        let mut with = |change: &dyn Fn(&mut Network)| {
            cut(&|it: &mut Problem| network(it, index).into_iter().for_each(change));
        };
        for place in (0..all.subtasks.len()).rev().take(200) {
            with(&|it| remove_subtask(it, place));
        }
        if all.order.is_some() {
            with(&|it| it.order = None);
        }
        for pair in 0..all.order.as_ref().map_or(0, Vec::len).min(200) {
            with(&|it| {
                if let Some(order) = &mut it.order {
                    order.remove(pair);
                }
            });
        }
        with(&|it| it.constraints.clear());
    }
}

/// The network of a method, or after them the initial one.
fn network(problem: &mut Problem, index: usize) -> Option<&mut Network> {
    match index < problem.methods.len() {
        true => Some(&mut problem.methods[index].network),
        false => problem.top.as_mut().map(|top| &mut top.network),
    }
}

/// Cuts inside conditions and effects, and parameters that nothing mentions.
fn parts(problem: &Problem, cut: &mut Cut<'_>) {
    let lists = problem.clone().conditions().len();
    for list in 0..lists.min(400) {
        let length = problem.clone().conditions()[list].len();
        for index in 0..length {
            cut(&|it| drop(it.conditions()[list].remove(index)));
            cut(&|it| {
                let list = &mut it.conditions()[list];
                let inner = match &list[index] {
                    Formula::Not(inner) => vec![(**inner).clone()],
                    Formula::And(parts) | Formula::Or(parts) => {
                        parts.iter().take(1).cloned().collect()
                    }
                    Formula::Imply(_, then) => vec![(**then).clone()],
                    _ => return,
                };
                list.splice(index..=index, inner);
            });
            cut(&|it| {
                let list = &mut it.conditions()[list];
                if let Formula::Or(parts) | Formula::And(parts) = &list[index] {
                    let rest: Vec<Formula> = parts.iter().skip(1).cloned().collect();
                    list.splice(index..=index, rest);
                }
            });
        }
    }
    for (number, action) in problem.actions.iter().enumerate().take(200) {
        for index in 0..action.effects.len() {
            cut(&|it| drop(it.actions[number].effects.remove(index)));
            cut(&|it| it.actions[number].effects[index].when.clear());
        }
        for index in 0..action.changes.len() {
            cut(&|it| drop(it.actions[number].changes.remove(index)));
            cut(&|it| it.actions[number].changes[index].when.clear());
            cut(&|it| {
                let amount = Number::Constant(Tenths(10));
                it.actions[number].changes[index].amount = amount;
            });
        }
        cut(&|it| it.actions[number].price = None);
    }
    cut(&|it| {
        let prices = it.actions.iter_mut();
        prices.for_each(|action| action.price = None);
    });
    cut(&|it| {
        it.functions.clear();
        for action in &mut it.actions {
            if let Some(Price::Function(..)) = action.price {
                action.price = Some(Price::Number(Amount::whole(1)));
            }
        }
    });
}

/// Smaller numbers.
fn numbers(problem: &Problem, cut: &mut Cut<'_>) {
    for (number, action) in problem.actions.iter().enumerate().take(200) {
        let Some(Price::Number(amount)) = action.price else {
            continue;
        };
        for less in [
            Amount(0),
            Amount::whole(1),
            Amount(amount.0 / 2),
            round(amount),
        ] {
            if less < amount {
                cut(&|it| it.actions[number].price = Some(Price::Number(less)));
            }
        }
    }
}

/// An amount without decimals, or with one digit and zeros.
fn round(amount: Amount) -> Amount {
    if !amount.is_whole() {
        return Amount(amount.0 / Amount::ONE * Amount::ONE);
    }
    let mut unit = 1;
    while amount.0 / unit >= 10 {
        unit *= 10;
    }
    Amount(amount.0 / unit * unit)
}

impl Problem {
    /// Every list of conditions.
    fn conditions(&mut self) -> Vec<&mut Vec<Formula>> {
        let mut all = vec![&mut self.goal];
        all.extend(self.derived.iter_mut().map(|it| &mut it.condition));
        all.extend(self.methods.iter_mut().map(|it| &mut it.condition));
        for action in &mut self.actions {
            all.push(&mut action.condition);
            all.extend(action.effects.iter_mut().map(|it| &mut it.when));
            all.extend(action.changes.iter_mut().map(|it| &mut it.when));
        }
        all
    }

    /// Every network.
    fn networks(&mut self) -> impl Iterator<Item = &mut Network> {
        let methods = self.methods.iter_mut().map(|it| &mut it.network);
        methods.chain(self.top.iter_mut().map(|it| &mut it.network))
    }
}

fn remove_subtask(network: &mut Network, place: usize) {
    network.subtasks.remove(place);
    if let Some(pairs) = &mut network.order {
        // What was before comes before what was after.
        let into: Vec<usize> = pairs
            .iter()
            .filter(|it| it.1 == place)
            .map(|it| it.0)
            .collect();
        let out: Vec<usize> = pairs
            .iter()
            .filter(|it| it.0 == place)
            .map(|it| it.1)
            .collect();
        pairs.retain(|&(a, b)| a != place && b != place);
        for &a in &into {
            pairs.extend(out.iter().map(|&b| (a, b)));
        }
        for (a, b) in pairs.iter_mut() {
            *a -= usize::from(*a > place);
            *b -= usize::from(*b > place);
        }
        pairs.sort_unstable();
        pairs.dedup();
    }
}

/// Drops the subtasks that `gone` names and renumbers the others.
fn renumber(problem: &mut Problem, gone: Node) {
    for network in problem.networks() {
        for place in (0..network.subtasks.len()).rev() {
            if network.subtasks[place].node == gone {
                remove_subtask(network, place);
            }
        }
        for Subtask { node, .. } in &mut network.subtasks {
            match (node, gone) {
                (Node::Task(it), Node::Task(gone)) | (Node::Action(it), Node::Action(gone)) => {
                    *it -= usize::from(*it > gone);
                }
                _ => {}
            }
        }
    }
}

fn remove_action(problem: &mut Problem, index: usize) {
    problem.actions.remove(index);
    renumber(problem, Node::Action(index));
}

fn remove_task(problem: &mut Problem, index: usize) {
    problem.tasks.remove(index);
    problem.methods.retain(|method| method.task != index);
    for method in &mut problem.methods {
        method.task -= usize::from(method.task > index);
    }
    renumber(problem, Node::Task(index));
}

/// A condition without the predicate; `None` if nothing is left of it.
fn without(formula: &Formula, gone: usize) -> Option<Formula> {
    let inner = |it: &Formula| without(it, gone).map(Box::new);
    let list = |parts: &[Formula]| -> Vec<Formula> {
        parts.iter().filter_map(|it| without(it, gone)).collect()
    };
    Some(match formula {
        Formula::Atom(atom) if atom.predicate == gone => return None,
        Formula::Atom(atom) => {
            let mut atom = atom.clone();
            atom.predicate -= usize::from(atom.predicate > gone);
            Formula::Atom(atom)
        }
        Formula::Equal(a, b) => Formula::Equal(*a, *b),
        Formula::Compare(it) => Formula::Compare(it.clone()),
        Formula::Not(it) => Formula::Not(inner(it)?),
        Formula::And(parts) => Formula::And(list(parts)),
        Formula::Or(parts) => {
            let parts = list(parts);
            (!parts.is_empty()).then_some(Formula::Or(parts))?
        }
        Formula::Imply(a, b) => Formula::Imply(inner(a)?, inner(b)?),
        Formula::Forall(kind, it) => Formula::Forall(*kind, inner(it)?),
        Formula::Exists(kind, it) => Formula::Exists(*kind, inner(it)?),
    })
}

fn remove_predicate(problem: &mut Problem, gone: usize) {
    problem.predicates.remove(gone);
    problem.derived.retain(|rule| rule.predicate != gone);
    problem.init.retain(|fact| fact.0 != gone);
    let less = |it: &mut usize| *it -= usize::from(*it > gone);
    problem
        .derived
        .iter_mut()
        .for_each(|it| less(&mut it.predicate));
    problem.init.iter_mut().for_each(|it| less(&mut it.0));
    for action in &mut problem.actions {
        action.effects.retain(|it| it.atom.predicate != gone);
        let atoms = action.effects.iter_mut();
        atoms.for_each(|it| less(&mut it.atom.predicate));
    }
    for list in problem.conditions() {
        *list = list.iter().filter_map(|it| without(it, gone)).collect();
    }
}

/// Removes an object that nothing but facts mentions.
fn remove_object(problem: &mut Problem, gone: usize) {
    if format!("{problem:?}").contains(&format!("Object({gone})")) {
        return;
    }
    problem.objects.remove(gone);
    for values in &mut problem.functions {
        values.remove(gone);
    }
    for fluent in problem.fluents.iter_mut().filter(|it| it.of_object) {
        fluent.start.remove(gone);
    }
    problem.init.retain(|fact| !fact.1.contains(&gone));
    let less = |it: &mut usize| *it -= usize::from(*it > gone);
    problem
        .init
        .iter_mut()
        .flat_map(|it| &mut it.1)
        .for_each(less);
    let term = |it: &mut Term| {
        if let Term::Object(object) = it {
            less(object);
        }
    };
    for action in &mut problem.actions {
        action
            .effects
            .iter_mut()
            .flat_map(|it| &mut it.atom.terms)
            .for_each(term);
        if let Some(Price::Function(_, argument)) = &mut action.price {
            term(argument);
        }
        for change in &mut action.changes {
            change.of.iter_mut().for_each(term);
            change.amount.terms(&term);
        }
    }
    problem
        .methods
        .iter_mut()
        .flat_map(|it| &mut it.terms)
        .for_each(term);
    for network in problem.networks() {
        network
            .subtasks
            .iter_mut()
            .flat_map(|it| &mut it.terms)
            .for_each(term);
        network
            .constraints
            .iter_mut()
            .for_each(|it| terms(it, &term));
    }
    for list in problem.conditions() {
        list.iter_mut().for_each(|it| terms(it, &term));
    }
}

fn terms(formula: &mut Formula, change: &dyn Fn(&mut Term)) {
    match formula {
        Formula::Atom(atom) => atom.terms.iter_mut().for_each(change),
        Formula::Equal(a, b) => [a, b].into_iter().for_each(change),
        Formula::Compare(it) => it.sides.iter_mut().for_each(|side| side.terms(change)),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter_mut().for_each(|it| terms(it, change));
        }
        Formula::Imply(a, b) => [a, b].into_iter().for_each(|it| terms(it, change)),
        Formula::Not(it) | Formula::Forall(_, it) | Formula::Exists(_, it) => terms(it, change),
    }
}

/// Makes everything of a type `object` instead.
fn remove_type(problem: &mut Problem, gone: usize) {
    let used = |kinds: &[usize]| kinds.contains(&gone);
    let text = format!("{problem:?}");
    let quantified = ["Forall", "Exists", "Some"];
    if gone == 0
        || quantified
            .iter()
            .any(|it| text.contains(&format!("{it}({gone}")))
        || problem.objects.iter().any(|it| it.kind >= gone)
        || problem.types.get(gone + 1).is_some()
        || problem.predicates.iter().any(|it| used(it))
        || problem.actions.iter().any(|it| used(&it.parameters))
        || problem.tasks.iter().any(|it| used(it))
        || problem.methods.iter().any(|it| used(&it.parameters))
        || problem.top.iter().any(|it| used(&it.parameters))
    {
        return;
    }
    problem.types.pop();
}
