//! Task networks: subtasks, their order, their constraints.

use super::define::{Keys, start_of};
use super::fit::{Callee, Stance};
use super::{Resolver, Symbol, Variables, word};
use crate::diagnostic::{duplicate, form, structure, undefined};
use crate::model::{ActionId, Network, Span, Subtask, TaskId, TaskRef};
use crate::syntax::Node;
use rustc_hash::{FxHashMap, FxHashSet};

const SUBTASK_KEYS: &[&str] = &[":subtasks", ":tasks", ":ordered-subtasks", ":ordered-tasks"];

impl Resolver {
    /// Reads the network of a method or of the problem.
    pub(super) fn network(
        &mut self,
        keys: &Keys<'_>,
        variables: &mut Variables,
        owner: Span,
    ) -> Network {
        let mut network = Network::default();
        let mut labels: FxHashMap<String, u32> = FxHashMap::default();
        let mut whole = true;
        let mut ordered_key = false;
        if let Some((key, value)) = keys.any(SUBTASK_KEYS) {
            ordered_key = key.starts_with(":ordered");
            if let Some(value) = value {
                whole = self.subtasks(value, variables, &mut network, &mut labels);
            }
        }
        if ordered_key {
            let count = network.subtasks.len() as u32;
            network.ordering = (1..count).map(|i| (i - 1, i)).collect();
        }
        let mut strangers = Strangers::default();
        if let Some(node) = keys.get(":ordering") {
            strangers = self.ordering(node, variables, &mut network, &labels, whole);
        }
        if let Some(node) = keys.get(":constraints") {
            network.constraints = self.condition(node, variables, Stance::Asks, 0);
        }
        let count = network.subtasks.len();
        let edges = [network.ordering.as_slice(), &strangers.ordering].concat();
        match order(count + strangers.labels.len(), &edges) {
            Ok(total) => network.ordered = total && strangers.labels.is_empty(),
            Err(circle) => {
                let name = |i: &u32| match network.subtasks.get(*i as usize) {
                    Some(subtask) => self.subtask_name(subtask),
                    None => strangers.labels[*i as usize - count].0.clone(),
                };
                let path: Vec<String> = circle.iter().chain(&circle[..1]).map(name).collect();
                let subtask = match network.subtasks.get(circle[0] as usize) {
                    Some(subtask) => subtask.span,
                    None => strangers.labels[circle[0] as usize - count].1,
                };
                let span = keys.get(":ordering").map_or(owner, |node| node.span());
                self.report(structure::cyclic_ordering(&path, span, subtask));
                network.ordering.clear();
            }
        }
        network
    }

    fn subtask_name(&self, subtask: &Subtask) -> String {
        match (&subtask.label, subtask.task) {
            (Some(label), _) => label.clone(),
            (None, TaskRef::Task(id)) => self.reading.model.tasks[id.index()].name.clone(),
            (None, TaskRef::Action(id)) => self.reading.model.actions[id.index()].name.clone(),
        }
    }

    /// Reads the subtasks; false if one had to be left out.
    fn subtasks(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        network: &mut Network,
        labels: &mut FxHashMap<String, u32>,
    ) -> bool {
        if !node.is_list() {
            self.report(form::malformed(
                node.span(),
                "subtasks in parentheses",
                node.text(),
            ));
            return false;
        }
        let mut whole = true;
        if node.head().is_some_and(|head| head.is("and")) {
            for part in node.rest() {
                whole &= self.subtask(part, variables, network, labels);
            }
        } else if node.children().next().is_some_and(|first| first.is_list()) {
            let wanted = "`and` or one subtask";
            let diagnostic = form::malformed(start_of(node), wanted, node.text())
                .help("several subtasks are joined by `(and …)`");
            self.report(diagnostic);
            for part in node.children() {
                whole &= self.subtask(part, variables, network, labels);
            }
        } else if node.children().next().is_some() {
            whole = self.subtask(node, variables, network, labels);
        }
        whole
    }

    /// `(task arguments…)` or `(label (task arguments…))`.
    fn subtask(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        network: &mut Network,
        labels: &mut FxHashMap<String, u32>,
    ) -> bool {
        let mut parts = node.children();
        let (label, body) = match (node.is_list(), parts.next(), parts.next(), parts.next()) {
            (true, Some(label), Some(body), None) if body.is_list() && !label.is_list() => {
                (word(label), body)
            }
            _ => (None, node),
        };
        let Some(name) = self.head_name(body, "a subtask such as `(load ?x)`") else {
            return false;
        };
        let task = self.task_ref(name);
        let (arguments, words) = self.terms(body, variables);
        let Some(task) = task else {
            return false;
        };
        let callee = Callee::Task(task);
        if !self.arity_fits(callee, words.len(), body.span()) || arguments.len() != words.len() {
            return false;
        }
        let span = body.span();
        self.fit(callee, &arguments, &words, span, variables, Stance::Narrows);
        let index = network.subtasks.len() as u32;
        if let Some(label) = label {
            let key = self.key(label.text);
            if let Some(&first) = labels.get(&key) {
                let first = network.subtasks[first as usize].span;
                self.report(duplicate::definition(
                    "label", label.text, label.span, first,
                ));
            }
            labels.entry(key).or_insert(index);
            self.refer(label.span, Symbol::Label(variables.scope, index), true);
        }
        network.subtasks.push(Subtask {
            label: label.map(|label| label.text.to_owned()),
            task,
            arguments,
            span: node.span(),
        });
        true
    }

    /// A compound task or an action. If both have the name, the spelling
    /// decides.
    fn task_ref(&mut self, name: super::Word<'_>) -> Option<TaskRef> {
        let fold = !self.options.case_sensitive;
        let task = self.tasks.get(name.text, fold).map(TaskId);
        let action = self.actions.get(name.text, fold).map(ActionId);
        let model = &self.reading.model;
        let found = match (task, action) {
            (Some(task), Some(action)) => {
                let exact = model.tasks[task.index()].name == name.text
                    || model.actions[action.index()].name != name.text;
                match exact {
                    true => TaskRef::Task(task),
                    false => TaskRef::Action(action),
                }
            }
            (Some(task), None) => TaskRef::Task(task),
            (None, Some(action)) => TaskRef::Action(action),
            (None, None) => {
                let tasks = model.tasks.iter().map(|t| (t.name.as_str(), t.span));
                let actions = model.actions.iter().map(|a| (a.name.as_str(), a.span));
                let about = self.key(name.text);
                let near = &mut self.suggestions;
                let names = tasks.chain(actions);
                let meant = near.near(&undefined::TASK, &about, name.text, names);
                let diagnostic = undefined::name(
                    &undefined::TASK,
                    "task or action",
                    name.text,
                    name.span,
                    meant,
                );
                self.report_grouped(about, diagnostic);
                return None;
            }
        };
        let symbol = match found {
            TaskRef::Task(id) => Symbol::Task(id),
            TaskRef::Action(id) => Symbol::Action(id),
        };
        self.refer(name.span, symbol, false);
        Some(found)
    }

    /// `(and (< a b) …)`, `(< a b)` or `()`. What is said of subtasks that could
    /// not be read is returned beside.
    fn ordering(
        &mut self,
        node: Node<'_>,
        variables: &Variables,
        network: &mut Network,
        labels: &FxHashMap<String, u32>,
        whole: bool,
    ) -> Strangers {
        let mut strangers = Strangers::default();
        let is_and = node.is_list() && node.head().is_some_and(|head| head.is("and"));
        let pairs: Vec<Node<'_>> = match is_and {
            true => node.rest().collect(),
            false if node.is_list() && node.children().next().is_none() => Vec::new(),
            false => vec![node],
        };
        let mut known: FxHashSet<(u32, u32)> = network.ordering.iter().copied().collect();
        for pair in pairs {
            let parts: Vec<Node<'_>> = match pair.is_list() {
                true => pair.children().collect(),
                false => Vec::new(),
            };
            let ends = match parts.as_slice() {
                [sign, a, b] if sign.is("<") => Some((*a, *b)),
                [a, sign, b] if sign.is("<") => Some((*a, *b)),
                [sign, a, b] if sign.is(">") => Some((*b, *a)),
                _ => None,
            };
            let Some((a, b)) = ends.filter(|(a, b)| !a.is_list() && !b.is_list()) else {
                self.report(form::malformed(
                    pair.span(),
                    "an order such as `(< a b)`",
                    pair.text(),
                ));
                continue;
            };
            let read = [a, b].map(|label| self.label(label, variables, network, labels, whole));
            if let [Some(a), Some(b)] = read {
                if known.insert((a, b)) {
                    network.ordering.push((a, b));
                }
            } else {
                let count = network.subtasks.len() as u32;
                let place = |read: Option<u32>, node: Node<'_>, strangers: &mut Strangers| {
                    read.unwrap_or_else(|| count + strangers.number(self.key(node.text()), node))
                };
                let a = place(read[0], a, &mut strangers);
                let b = place(read[1], b, &mut strangers);
                strangers.ordering.push((a, b));
            }
        }
        strangers
    }

    fn label(
        &mut self,
        node: Node<'_>,
        variables: &Variables,
        network: &Network,
        labels: &FxHashMap<String, u32>,
        whole: bool,
    ) -> Option<u32> {
        let key = self.key(node.text());
        if let Some(&index) = labels.get(&key) {
            self.refer(node.span(), Symbol::Label(variables.scope, index), false);
            return Some(index);
        }
        if whole {
            let about = format!("{:?} {key}", variables.scope);
            let subtasks = network.subtasks.iter();
            let known = subtasks.filter_map(|s| Some((s.label.as_deref()?, s.span)));
            let near = &mut self.suggestions;
            let meant = near.near(&undefined::LABEL, &about, node.text(), known);
            let diagnostic =
                undefined::name(&undefined::LABEL, "label", node.text(), node.span(), meant);
            self.report_grouped(about, diagnostic);
        }
        None
    }
}

/// What an ordering says of labels that no subtask read has: enough to see
/// that they are in a circle, whatever else is wrong with them.
#[derive(Default)]
struct Strangers {
    /// The labels and where each is first named; they are numbered after the
    /// subtasks that could be read.
    labels: Vec<(String, Span)>,
    numbers: FxHashMap<String, u32>,
    /// The pairs that have one of them.
    ordering: Vec<(u32, u32)>,
}

impl Strangers {
    fn number(&mut self, key: String, node: Node<'_>) -> u32 {
        let next = self.labels.len() as u32;
        *self.numbers.entry(key).or_insert_with(|| {
            self.labels.push((node.text().to_owned(), node.span()));
            next
        })
    }
}

/// Whether the order is total, or a circle in it.
fn order(count: usize, ordering: &[(u32, u32)]) -> Result<bool, Vec<u32>> {
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut before = vec![0u32; count];
    for (a, b) in ordering {
        after[*a as usize].push(*b);
        before[*b as usize] += 1;
    }
    let mut ready: Vec<u32> = (0..count as u32)
        .filter(|i| before[*i as usize] == 0)
        .collect();
    let mut total = ready.len() <= 1;
    let mut done = 0;
    while let Some(next) = ready.pop() {
        done += 1;
        for follower in &after[next as usize] {
            before[*follower as usize] -= 1;
            if before[*follower as usize] == 0 {
                ready.push(*follower);
            }
        }
        total &= ready.len() <= 1;
    }
    if done == count {
        return Ok(total);
    }
    // Every node left has a predecessor that is left: walk back to a circle.
    let mut predecessor = vec![None; count];
    for (a, b) in ordering {
        if before[*a as usize] > 0 && before[*b as usize] > 0 {
            predecessor[*b as usize] = Some(*a);
        }
    }
    let mut at = (0..count as u32).find(|i| predecessor[*i as usize].is_some());
    let mut seen = vec![false; count];
    let mut path = Vec::new();
    while let Some(node) = at {
        if std::mem::replace(&mut seen[node as usize], true) {
            let from = path.iter().position(|other| *other == node).unwrap_or(0);
            let mut circle = path[from..].to_vec();
            circle.reverse();
            return Err(circle);
        }
        path.push(node);
        at = predecessor[node as usize];
    }
    Ok(false)
}
