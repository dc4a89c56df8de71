//! Declarations: typed lists, objects, predicates, functions, and the heads
//! of tasks and actions.

use super::define::{Definition, Keys, start_of};
use super::names::Word;
use super::{NameScope, OBJECT, Resolver, Symbol, Variables, word};
use crate::diagnostic::{case, duplicate, form, undefined};
use crate::model::{
    Action, ActionId, Effect, Formula, Function, FunctionId, Object, ObjectId, Predicate,
    PredicateId, Span, Task, TaskId, TypeId, Variable, VariableId,
};
use crate::syntax::{Children, Node, NodeKind};

/// `a b - t`: names that share a type.
pub(super) struct Group<'t> {
    pub names: Vec<Word<'t>>,
    pub types: TypeWords<'t>,
}

/// What stands after the dash.
pub(super) enum TypeWords<'t> {
    /// There is no dash.
    None,
    /// One type, or several with `either`.
    Of(Vec<Word<'t>>),
}

impl Resolver {
    /// Reads `a b - t c - (either u v) d`. Names are variables or plain, as
    /// asked; a name without its question mark is reported and taken.
    pub(super) fn typed_list<'t>(
        &mut self,
        items: Children<'t>,
        variables: bool,
    ) -> Vec<Group<'t>> {
        let mut groups = Vec::new();
        let mut names: Vec<Word<'t>> = Vec::new();
        let mut items = items;
        while let Some(item) = items.next() {
            let types = match item.kind() {
                NodeKind::Dash => match items.next() {
                    Some(node) => self.type_words(node),
                    None => {
                        self.report(form::malformed(item.span(), "a type after `-`", ""));
                        continue;
                    }
                },
                // A dash glued to its type, as in `?x -place`.
                NodeKind::Name if item.text().starts_with('-') => {
                    let span = item.span();
                    vec![Word {
                        text: &item.text()[1..],
                        span: Span {
                            start: span.start + 1,
                            ..span
                        },
                    }]
                }
                NodeKind::Variable if variables => {
                    names.extend(word(item));
                    continue;
                }
                NodeKind::Name | NodeKind::Number if !variables => {
                    names.extend(word(item));
                    continue;
                }
                NodeKind::Name if variables => {
                    self.report(undefined::question_mark(item.text(), item.span(), None));
                    names.extend(word(item));
                    continue;
                }
                _ => {
                    let wanted = match variables {
                        true => "a variable such as `?x`",
                        false => "a name",
                    };
                    self.report(form::malformed(start_of(item), wanted, item.text()));
                    continue;
                }
            };
            groups.push(Group {
                names: std::mem::take(&mut names),
                types: TypeWords::Of(types),
            });
        }
        if !names.is_empty() {
            groups.push(Group {
                names,
                types: TypeWords::None,
            });
        }
        groups
    }

    fn type_words<'t>(&mut self, node: Node<'t>) -> Vec<Word<'t>> {
        let plain = |node: &Node<'_>| matches!(node.kind(), NodeKind::Name | NodeKind::Number);
        if plain(&node) {
            return word(node).into_iter().collect();
        }
        let is_either = node.is_list() && node.head().is_some_and(|head| head.is("either"));
        let words: Vec<Word<'t>> = match is_either {
            true => node.rest().filter(plain).filter_map(word).collect(),
            false => Vec::new(),
        };
        if words.is_empty() || words.len() != node.rest().count() {
            let wanted = "a type or `(either …)`";
            self.report(form::malformed(start_of(node), wanted, node.text()));
        }
        words
    }

    /// The types a name ranges over; `object` if none is given.
    fn type_ids(&mut self, types: &TypeWords<'_>) -> Vec<TypeId> {
        let TypeWords::Of(words) = types else {
            return vec![OBJECT];
        };
        let fold = !self.options.case_sensitive;
        let mut ids: Vec<TypeId> = Vec::new();
        for word in words {
            match self.types.get(word.text, fold) {
                Some(id) => {
                    self.refer(word.span, Symbol::Type(TypeId(id)), false);
                    if !ids.contains(&TypeId(id)) {
                        ids.push(TypeId(id));
                    }
                }
                None => {
                    let about = self.key(word.text);
                    let types = &self.reading.model.types;
                    let names = types.iter().map(|ty| (ty.name.as_str(), ty.span));
                    let near = &mut self.suggestions;
                    let meant = near.near(&undefined::TYPE, &about, word.text, names);
                    let diagnostic =
                        undefined::name(&undefined::TYPE, "type", word.text, word.span, meant);
                    self.report_grouped(about, diagnostic);
                }
            }
        }
        if ids.is_empty() {
            ids.push(OBJECT);
        }
        ids
    }

    /// Reads a parameter list, as variables without uses.
    pub(super) fn parameters(&mut self, items: Children<'_>, scope: NameScope) -> Vec<Variable> {
        let mut variables = Variables::new(scope);
        self.bind(items, &mut variables, true);
        variables.list
    }

    /// Adds the variables of a list to a scope, and makes them visible. In
    /// one list, names must differ.
    pub(super) fn bind(
        &mut self,
        items: Children<'_>,
        variables: &mut Variables,
        fresh: bool,
    ) -> Vec<VariableId> {
        let first = variables.list.len();
        for group in self.typed_list(items, true) {
            let types = self.type_ids(&group.types);
            for name in group.names {
                let text = match name.text.starts_with('?') {
                    true => name.text.to_owned(),
                    false => format!("?{}", name.text),
                };
                let key = self.key(&text);
                let id = variables.list.len() as u32;
                if let Some(&other) = variables.visible.get(&key) {
                    let earlier = variables.list[other as usize].span;
                    if fresh || other as usize >= first {
                        let only_declared = matches!(
                            variables.scope,
                            NameScope::Predicate(_) | NameScope::Function(_)
                        );
                        self.report(match only_declared {
                            true => duplicate::repeated(&text, name.span, earlier),
                            false => duplicate::parameter(&text, name.span, earlier),
                        });
                    } else {
                        self.report(crate::diagnostic::shadow::shadow(&text, name.span, earlier));
                    }
                }
                let before = variables.visible.insert(key.clone(), id);
                variables.hidden.push((key, before));
                let symbol = Symbol::Variable(variables.scope, VariableId(id));
                self.refer(name.span, symbol, true);
                variables.list.push(Variable {
                    name: text,
                    types: types.clone(),
                    also: Vec::new(),
                    span: name.span,
                });
            }
        }
        (first..variables.list.len())
            .map(|id| VariableId(id as u32))
            .collect()
    }

    /// Constants of the domain and objects of the problem. Declared again, an
    /// object gains types.
    pub(super) fn declare_objects(&mut self, file: &Definition<'_>) {
        let fold = !self.options.case_sensitive;
        for section in file.all(":constants").chain(file.all(":objects")) {
            for group in self.typed_list(section.rest(), false) {
                let types = self.type_ids(&group.types);
                for name in group.names {
                    let id = match self.objects.get(name.text, fold) {
                        Some(id) => {
                            self.declare_object_again(ObjectId(id), name, &types);
                            id
                        }
                        None => {
                            let id = self.reading.model.objects.len() as u32;
                            self.objects.insert(name.text, id, fold);
                            self.model().objects.push(Object {
                                name: name.text.to_owned(),
                                types: types.clone(),
                                span: name.span,
                            });
                            id
                        }
                    };
                    self.refer(name.span, Symbol::Object(ObjectId(id)), true);
                }
            }
        }
    }

    fn declare_object_again(&mut self, id: ObjectId, name: Word<'_>, types: &[TypeId]) {
        let object = &mut self.reading.model.objects[id.index()];
        for ty in types {
            if !object.types.contains(ty) {
                object.types.push(*ty);
            }
        }
        // Being of a type and of `object` says no more than the type.
        if object.types.len() > 1 {
            object.types.retain(|ty| *ty != OBJECT);
        }
        let first = (object.name.clone(), object.span);
        if first.0 == name.text {
            let diagnostic = duplicate::object(name.text, name.span, first.1);
            self.report_grouped("", diagnostic);
        } else {
            let diagnostic = case::clash("object", (name.text, name.span), (&first.0, first.1));
            self.report(diagnostic);
        }
    }

    pub(super) fn declare_predicates(&mut self, file: &Definition<'_>) {
        let fold = !self.options.case_sensitive;
        for section in file.all(":predicates") {
            for node in section.rest() {
                let Some(name) = self.head_name(node, "a predicate such as `(at ?x)`") else {
                    continue;
                };
                if let Some(first) = self.predicates.get(name.text, fold) {
                    let first = &self.reading.model.predicates[first as usize];
                    let diagnostic =
                        duplicate::definition("predicate", name.text, name.span, first.span);
                    self.report(diagnostic);
                    continue;
                }
                let id = PredicateId(self.reading.model.predicates.len() as u32);
                self.refer(name.span, Symbol::Predicate(id), true);
                let parameters = self.parameters(node.rest(), NameScope::Predicate(id));
                self.predicates.insert(name.text, id.0, fold);
                self.model().predicates.push(Predicate {
                    name: name.text.to_owned(),
                    parameters,
                    span: name.span,
                });
            }
        }
    }

    /// Functions may carry `- number` after them.
    pub(super) fn declare_functions(&mut self, file: &Definition<'_>) {
        let fold = !self.options.case_sensitive;
        for section in file.all(":functions") {
            let mut items = section.rest();
            while let Some(node) = items.next() {
                if node.kind() == NodeKind::Dash {
                    let number = items.next();
                    if !number.is_some_and(|node| node.is("number")) {
                        let span = number.map_or(node.span(), |node| node.span());
                        let text = number.map_or("", |node| node.text());
                        self.report(form::malformed(span, "`number`", text));
                    }
                    continue;
                }
                let Some(name) = self.head_name(node, "a function such as `(total-cost)`") else {
                    continue;
                };
                if let Some(first) = self.functions.get(name.text, fold) {
                    let first = &self.reading.model.functions[first as usize];
                    let diagnostic =
                        duplicate::definition("function", name.text, name.span, first.span);
                    self.report(diagnostic);
                    continue;
                }
                let id = FunctionId(self.reading.model.functions.len() as u32);
                self.refer(name.span, Symbol::Function(id), true);
                let parameters = self.parameters(node.rest(), NameScope::Function(id));
                self.functions.insert(name.text, id.0, fold);
                self.model().functions.push(Function {
                    name: name.text.to_owned(),
                    parameters,
                    span: name.span,
                });
            }
        }
    }

    /// The name a list starts with.
    pub(super) fn head_name<'t>(&mut self, node: Node<'t>, wanted: &str) -> Option<Word<'t>> {
        let head = match node.is_list() {
            true => node.head(),
            false => None,
        };
        match head {
            Some(head) if matches!(head.kind(), NodeKind::Name | NodeKind::Number) => word(head),
            _ => {
                let diagnostic = form::malformed(start_of(node), wanted, node.text());
                self.report_grouped(wanted, diagnostic);
                None
            }
        }
    }

    /// Names and parameters of all actions, so that bodies can refer to them.
    pub(super) fn declare_actions<'t>(
        &mut self,
        file: &Definition<'t>,
    ) -> Vec<(ActionId, (Keys<'t>, Node<'t>))> {
        let fold = !self.options.case_sensitive;
        let mut sections = Vec::new();
        let plain = file.all(":action").map(|node| (":action", node));
        let durative = file.all(":durative-action");
        let durative = durative.map(|node| (":durative-action", node));
        for (section, node) in plain.chain(durative) {
            let keys = self.keys(section, node, true);
            let Some(name) = keys.name else {
                continue;
            };
            if let Some(first) = self.actions.get(name.text, fold) {
                let first = &self.reading.model.actions[first as usize];
                let other = (first.name.clone(), first.span);
                self.report(match other.0 == name.text {
                    true => duplicate::definition("action", name.text, name.span, other.1),
                    false => case::clash("action", (name.text, name.span), (&other.0, other.1)),
                });
                continue;
            }
            let id = ActionId(self.reading.model.actions.len() as u32);
            self.refer(name.span, Symbol::Action(id), true);
            let variables = self.parameter_list(&keys, NameScope::Action(id));
            self.actions.insert(name.text, id.0, fold);
            self.model().actions.push(Action {
                name: name.text.to_owned(),
                arity: variables.len(),
                variables,
                precondition: Formula::True,
                effect: Effect::None,
                durative: (section == ":durative-action").then(Box::default),
                span: name.span,
            });
            sections.push((id, (keys, node)));
        }
        sections
    }

    pub(super) fn declare_tasks(&mut self, file: &Definition<'_>) {
        let fold = !self.options.case_sensitive;
        for node in file.all(":task") {
            let keys = self.keys(":task", node, true);
            let Some(name) = keys.name else {
                continue;
            };
            if let Some(first) = self.tasks.get(name.text, fold) {
                let first = &self.reading.model.tasks[first as usize];
                let other = (first.name.clone(), first.span);
                self.report(match other.0 == name.text {
                    true => duplicate::definition("task", name.text, name.span, other.1),
                    false => case::clash("task", (name.text, name.span), (&other.0, other.1)),
                });
                continue;
            }
            let id = TaskId(self.reading.model.tasks.len() as u32);
            self.refer(name.span, Symbol::Task(id), true);
            let parameters = self.parameter_list(&keys, NameScope::Task(id));
            if let Some(action) = self.actions.get(name.text, fold) {
                let action = &self.reading.model.actions[action as usize];
                let diagnostic =
                    case::task_action((name.text, name.span), (&action.name, action.span));
                self.report(diagnostic);
            }
            self.tasks.insert(name.text, id.0, fold);
            self.model().tasks.push(Task {
                name: name.text.to_owned(),
                parameters,
                span: name.span,
            });
        }
    }

    fn parameter_list(&mut self, keys: &Keys<'_>, scope: NameScope) -> Vec<Variable> {
        match self.list_value(keys, ":parameters") {
            Some(list) => self.parameters(list.children(), scope),
            None => Vec::new(),
        }
    }

    /// A key's value, which must be a list.
    pub(super) fn list_value<'t>(&mut self, keys: &Keys<'t>, key: &str) -> Option<Node<'t>> {
        let value = keys.get(key)?;
        if value.is_list() {
            return Some(value);
        }
        let wanted = format!("a list after `{key}`");
        self.report(form::malformed(value.span(), &wanted, value.text()));
        None
    }
}
