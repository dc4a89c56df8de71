//! Actions, methods and derived predicates.

use super::define::{Definition, Keys, start_of};
use super::fit::{Callee, Stance};
use super::{NameScope, Resolver, Symbol, Variables};
use crate::diagnostic::{duplicate, fit, form, undefined};
use crate::model::{
    ActionId, Derived, Formula, Method, MethodId, Network, Predicate, PredicateId, TaskId, TaskRef,
    Term,
};
use crate::syntax::Node;

impl Resolver {
    /// Fills in the body of an action whose head is declared.
    pub(super) fn action(&mut self, id: ActionId, (keys, _): (Keys<'_>, Node<'_>)) {
        let mut variables = Variables::new(NameScope::Action(id));
        variables.list = std::mem::take(&mut self.model().actions[id.index()].variables);
        self.make_visible(&mut variables);
        // While the body is read, others see the parameters as declared.
        let arity = self.reading.model.actions[id.index()].arity;
        self.model().actions[id.index()].variables = variables.list[..arity].to_vec();
        if self.reading.model.actions[id.index()].durative.is_some() {
            let span = self.reading.model.actions[id.index()].span;
            let durative = self.durative(&keys, span, &mut variables);
            let action = &mut self.model().actions[id.index()];
            action.variables = variables.list;
            action.durative = Some(Box::new(durative));
            return;
        }
        let precondition = self.precondition(&keys, &mut variables);
        let effect = match keys.get(":effect") {
            Some(node) => self.effect(node, &mut variables, Stance::Narrows, 0),
            None => Default::default(),
        };
        let action = &mut self.model().actions[id.index()];
        action.variables = variables.list;
        action.precondition = precondition;
        action.effect = effect;
    }

    fn make_visible(&self, variables: &mut Variables) {
        for (id, variable) in variables.list.iter().enumerate() {
            let key = self.key(&variable.name);
            variables.visible.insert(key, id as u32);
        }
    }

    pub(super) fn precondition(&mut self, keys: &Keys<'_>, variables: &mut Variables) -> Formula {
        match keys.get(":precondition") {
            Some(node) => self.condition(node, variables, Stance::Narrows, 0),
            None => Formula::True,
        }
    }

    /// Reads every method of a file.
    pub(super) fn methods(&mut self, file: &Definition<'_>) {
        let fold = !self.options.case_sensitive;
        for node in file.all(":method") {
            let keys = self.keys(":method", node, true);
            let first = keys.name.and_then(|name| self.methods.get(name.text, fold));
            if let (Some(name), Some(first)) = (keys.name, first) {
                let first = &self.reading.model.methods[first as usize];
                let diagnostic = duplicate::definition("method", name.text, name.span, first.span);
                self.report(diagnostic);
            }
            let name = keys.name.filter(|_| first.is_none());
            let id = MethodId(self.reading.model.methods.len() as u32);
            let mut variables = Variables::new(NameScope::Method(id));
            if let Some(list) = self.list_value(&keys, ":parameters") {
                self.bind(list.children(), &mut variables, true);
            }
            let arity = variables.list.len();
            let head = self.method_head(&keys, node, &mut variables);
            let (Some(name), Some((task, task_arguments))) = (name, head) else {
                // Its body is still worth checking.
                self.precondition(&keys, &mut variables);
                let span = keys.name.map_or(start_of(node), |name| name.span);
                self.network(&keys, &mut variables, span);
                continue;
            };
            self.refer(name.span, Symbol::Method(id), true);
            self.methods.insert(name.text, id.0, fold);
            let precondition = self.precondition(&keys, &mut variables);
            let network: Network = self.network(&keys, &mut variables, name.span);
            self.model().methods.push(Method {
                name: name.text.to_owned(),
                variables: variables.list,
                arity,
                task,
                task_arguments,
                precondition,
                network,
                span: name.span,
            });
        }
    }

    /// `:task (name arguments…)` of a method.
    fn method_head(
        &mut self,
        keys: &Keys<'_>,
        method: Node<'_>,
        variables: &mut Variables,
    ) -> Option<(TaskId, Vec<Term>)> {
        let Some(node) = self.list_value(keys, ":task") else {
            if keys.get(":task").is_none() {
                let wanted = "`:task (…)`, the task the method refines";
                self.report(form::malformed(start_of(method), wanted, ""));
            }
            return None;
        };
        let name = self.head_name(node, "the task the method refines")?;
        let fold = !self.options.case_sensitive;
        let Some(id) = self.tasks.get(name.text, fold) else {
            if let Some(action) = self.actions.get(name.text, fold) {
                let declared = self.reading.model.actions[action as usize].span;
                self.report(fit::refines_action(name.text, name.span, declared));
                return None;
            }
            let about = format!("refined {}", self.key(name.text));
            let tasks = &self.reading.model.tasks;
            let names = tasks.iter().map(|t| (t.name.as_str(), t.span));
            let near = &mut self.suggestions;
            let meant = near.near(&undefined::TASK, &about, name.text, names);
            let diagnostic = undefined::name(&undefined::TASK, "task", name.text, name.span, meant);
            self.report_grouped(about, diagnostic);
            return None;
        };
        let task = TaskId(id);
        self.refer(name.span, Symbol::Task(task), false);
        let (arguments, words) = self.terms(node, variables);
        let callee = Callee::Task(TaskRef::Task(task));
        if !self.arity_fits(callee, words.len(), node.span()) || arguments.len() != words.len() {
            return None;
        }
        let span = node.span();
        self.fit(callee, &arguments, &words, span, variables, Stance::Narrows);
        Some((task, arguments))
    }

    /// `(:derived (p ?x - t) condition)`. The predicate need not be declared
    /// elsewhere.
    pub(super) fn derived(&mut self, file: &Definition<'_>) {
        for node in file.all(":derived") {
            let Some(parts) = self.exactly(node, 2, "a predicate and a condition") else {
                continue;
            };
            let Some(name) = self.head_name(parts[0], "a predicate with its parameters") else {
                continue;
            };
            let index = self.reading.model.derived.len() as u32;
            let mut variables = Variables::new(NameScope::Derived(index));
            self.bind(parts[0].rest(), &mut variables, true);
            let arity = variables.list.len();
            let fold = !self.options.case_sensitive;
            let predicate = match self.predicates.get(name.text, fold) {
                Some(id) => PredicateId(id),
                None => {
                    let id = PredicateId(self.reading.model.predicates.len() as u32);
                    self.predicates.insert(name.text, id.0, fold);
                    self.model().predicates.push(Predicate {
                        name: name.text.to_owned(),
                        parameters: variables.list.clone(),
                        span: name.span,
                    });
                    id
                }
            };
            self.refer(name.span, Symbol::Predicate(predicate), false);
            if !self.arity_fits(Callee::Predicate(predicate), arity, parts[0].span()) {
                continue;
            }
            let condition = self.condition(parts[1], &mut variables, Stance::Asks, 0);
            self.model().derived.push(Derived {
                predicate,
                variables: variables.list,
                arity,
                condition,
                span: name.span,
            });
        }
    }
}
