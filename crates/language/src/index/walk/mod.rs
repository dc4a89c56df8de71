//! The walk through a tree that knows by form what each word is.
//!
//! It serves two questions. [`index`] walks the whole text and keeps every
//! name; [`context`] walks it once more and keeps only what surrounds one
//! byte: in which kind of list it lies and which variables are visible there,
//! which is what completion needs.

mod record;

use super::{NameIndex, Space, fold};
use crate::source::{Span, closest};
use crate::syntax::{Children, KEYS, Node, NodeKind, SECTIONS, Tree};
use record::Visible;

/// Deeper lists are passed over, as the resolver does.
const DEEPEST: u32 = 200;

/// The kind of list a byte lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPlace {
    /// Outside of any definition.
    File,
    /// Directly inside `(define …)`, or in a section not yet named.
    Definition,
    /// Directly inside a section: its keyword.
    Section(&'static str),
    /// In a list of typed names.
    Names,
    /// Where types stand.
    Types,
    /// A condition.
    Condition,
    /// An effect.
    Effect,
    /// Facts of the initial state.
    Facts,
    /// A numeric expression.
    Expression,
    /// The task of a method.
    Task,
    /// Subtasks.
    Subtasks,
    /// The order of subtasks.
    Ordering,
}

/// What surrounds a byte.
#[derive(Clone, Debug)]
pub struct Context {
    /// The innermost list.
    pub place: ListPlace,
    /// How many words and lists of it lie before the word at the byte.
    pub position: usize,
    /// The word before is a dash: a type is wanted.
    pub after_dash: bool,
    /// Variables that may be used, with the type they are declared with.
    pub variables: Vec<(String, Option<Span>)>,
    /// Labels of the subtasks around.
    pub labels: Vec<String>,
}

pub(super) fn index(tree: &Tree) -> NameIndex {
    let mut walk = Walk::new(tree, None);
    walk.file();
    walk.index
}

/// What surrounds a byte of a text.
pub fn context(tree: &Tree, offset: u32) -> Context {
    let mut walk = Walk::new(tree, Some(offset));
    walk.file();
    walk.found
}

struct Walk<'t> {
    tree: &'t Tree,
    index: NameIndex,
    visible: Visible,
    section: Span,
    probe: Option<u32>,
    found: Context,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, probe: Option<u32>) -> Walk<'t> {
        Walk {
            tree,
            index: NameIndex::default(),
            visible: Visible::default(),
            section: Span::default(),
            probe,
            found: Context {
                place: ListPlace::File,
                position: 0,
                after_dash: false,
                variables: Vec::new(),
                labels: Vec::new(),
            },
        }
    }

    fn file(&mut self) {
        for node in self.tree.root().children() {
            match node.head() {
                Some(head) if head.is("define") => {
                    self.enter(node, ListPlace::Definition);
                    let mut parts = node.rest();
                    if let Some(header) = parts.peek().filter(|part| part.is_list())
                        && header
                            .head()
                            .is_some_and(|head| head.kind() == NodeKind::Name)
                    {
                        self.header(header);
                        parts.next();
                    }
                    parts.for_each(|section| self.section(section));
                }
                // A section left outside by a slip of parentheses.
                Some(head) if head.kind() == NodeKind::Keyword => self.section(node),
                _ => {}
            }
        }
    }

    fn header(&mut self, header: Node<'t>) {
        if header.head().is_some_and(|head| head.is("domain"))
            && let Some(name) = header.children().nth(1)
        {
            self.section = header.span();
            self.declare(name, Space::Domain, "domain", header.span(), None);
        }
    }

    fn section(&mut self, node: Node<'t>) {
        if !node.is_list() {
            return;
        }
        self.section = node.span();
        self.visible.clear();
        let Some(keyword) = node.head().and_then(Node::keyword) else {
            self.enter(node, ListPlace::Definition);
            return;
        };
        let known = SECTIONS.iter().copied();
        let Some(name) = known
            .clone()
            .find(|name| *name == keyword)
            .or_else(|| closest(&keyword, known))
        else {
            self.enter(node, ListPlace::Definition);
            return;
        };
        self.enter(node, ListPlace::Section(name));
        match name {
            ":types" => self.names(node.rest(), Space::Type, "type"),
            ":constants" => self.names(node.rest(), Space::Object, "constant"),
            ":objects" => self.names(node.rest(), Space::Object, "object"),
            ":predicates" => self.signatures(node, Space::Predicate, "predicate"),
            ":functions" => self.signatures(node, Space::Function, "function"),
            ":task" => self.schema(name, node, Some((Space::Task, "task"))),
            ":action" | ":durative-action" => {
                self.schema(name, node, Some((Space::Task, "action")));
            }
            ":process" => self.schema(name, node, Some((Space::Task, "process"))),
            ":event" => self.schema(name, node, Some((Space::Task, "event"))),
            ":method" => self.schema(name, node, Some((Space::Method, "method"))),
            ":htn" => self.schema(name, node, None),
            ":derived" => self.derived(node),
            ":domain" => {
                if let Some(name) = node.children().nth(1) {
                    self.mention(name, Space::Domain);
                }
            }
            ":init" => node
                .rest()
                .for_each(|fact| self.formula(fact, ListPlace::Facts, 0)),
            ":goal" | ":constraints" => node
                .rest()
                .for_each(|part| self.formula(part, ListPlace::Condition, 0)),
            ":metric" => node.rest().for_each(|part| self.expression(part, 0)),
            _ => {}
        }
    }

    /// `(p ?x - t) …`: predicates and functions.
    fn signatures(&mut self, section: Node<'t>, space: Space, what: &'static str) {
        for node in section.rest().filter(|node| node.is_list()) {
            self.visible.clear();
            self.section = node.span();
            if let Some(name) = node.head() {
                self.declare(name, space, what, node.span(), None);
            }
            self.enter(node, ListPlace::Names);
            self.names(node.rest(), Space::Variable, "variable");
        }
    }

    fn derived(&mut self, section: Node<'t>) {
        let mut parts = section.rest();
        if let Some(head) = parts.next().filter(|head| head.is_list()) {
            if let Some(name) = head.head() {
                self.declare(
                    name,
                    Space::Predicate,
                    "derived predicate",
                    section.span(),
                    None,
                );
            }
            self.enter(head, ListPlace::Names);
            self.names(head.rest(), Space::Variable, "variable");
        }
        parts.for_each(|part| self.formula(part, ListPlace::Condition, 0));
    }

    /// An action, a task, a method or the initial network: a name, then keys.
    fn schema(&mut self, section: &str, node: Node<'t>, names: Option<(Space, &'static str)>) {
        let mut parts = node.rest();
        if let Some((space, what)) = names
            && let Some(name) = parts.peek().filter(|part| is_name(*part))
        {
            self.declare(name, space, what, node.span(), None);
            parts.next();
        }
        let mut keys: Vec<(&'static str, Node<'t>)> = Vec::new();
        while let Some(part) = parts.next() {
            let Some(keyword) = part.keyword() else {
                continue;
            };
            let known = KEYS
                .iter()
                .filter(|(_, sections)| sections.contains(&section))
                .map(|(name, _)| *name);
            let name = known
                .clone()
                .find(|name| *name == keyword)
                .or_else(|| closest(&keyword, known));
            let value = parts.peek().filter(|value| value.is_list());
            if let (Some(name), Some(value)) = (name, value) {
                keys.push((name, value));
                parts.next();
            }
        }
        // Whatever introduces names comes before whatever uses them.
        keys.sort_by_key(|(name, _)| match *name {
            ":parameters" => 0,
            ":subtasks" | ":tasks" | ":ordered-subtasks" | ":ordered-tasks" => 1,
            _ => 2,
        });
        for (name, value) in keys {
            match name {
                ":parameters" => {
                    self.enter(value, ListPlace::Names);
                    self.names(value.children(), Space::Variable, "parameter");
                }
                ":effect" => self.formula(value, ListPlace::Effect, 0),
                ":task" => {
                    self.enter(value, ListPlace::Task);
                    self.call(value, Space::Task);
                }
                ":subtasks" | ":tasks" | ":ordered-subtasks" | ":ordered-tasks" => {
                    self.subtasks(value);
                }
                ":ordering" => self.ordering(value, 0),
                _ => self.formula(value, ListPlace::Condition, 0),
            }
        }
    }

    /// `a b - t c - (either u v) d`.
    fn names(&mut self, items: Children<'t>, space: Space, what: &'static str) {
        let mut waiting: Vec<Node<'t>> = Vec::new();
        let mut items = items;
        while let Some(item) = items.next() {
            let types = match item.kind() {
                NodeKind::Dash => match items.peek() {
                    Some(ty) if ty.is_list() || is_name(ty) => {
                        items.next();
                        self.types(ty);
                        Some(ty.span())
                    }
                    _ => None,
                },
                // A dash glued to its type, as in `?x -place`.
                NodeKind::Name if item.text().starts_with('-') => {
                    let span = item.span();
                    let ty = Span {
                        start: span.start + 1,
                        ..span
                    };
                    self.note(ty, Space::Type, false);
                    Some(ty)
                }
                NodeKind::List | NodeKind::File | NodeKind::Keyword => continue,
                NodeKind::Variable | NodeKind::Name | NodeKind::Number => {
                    waiting.push(item);
                    continue;
                }
            };
            for name in waiting.drain(..) {
                self.declare(name, space, what, name.span(), types);
            }
        }
        for name in waiting {
            self.declare(name, space, what, name.span(), None);
        }
    }

    fn types(&mut self, node: Node<'t>) {
        if node.is_list() {
            self.enter(node, ListPlace::Types);
            node.rest()
                .filter(|part| is_name(*part))
                .for_each(|part| self.mention(part, Space::Type));
        } else {
            self.mention(node, Space::Type);
        }
    }

    fn formula(&mut self, node: Node<'t>, place: ListPlace, depth: u32) {
        if !node.is_list() || depth > DEEPEST {
            return;
        }
        self.enter(node, place);
        let Some(head) = node.head() else {
            // An `and` left out, most often.
            node.children()
                .for_each(|part| self.formula(part, place, depth + 1));
            return;
        };
        match fold(head.text()).as_str() {
            "and" | "or" | "not" | "imply" => node
                .rest()
                .for_each(|part| self.formula(part, place, depth + 1)),
            // `(at start (p))`, but also the predicate `at`.
            "at" | "over" | "preference" | "always" | "sometime" | "at-most-once" | "within"
            | "sometime-after" | "sometime-before" | "always-within" | "hold-during"
            | "hold-after"
                if node.rest().any(Node::is_list) =>
            {
                node.rest()
                    .for_each(|part| self.formula(part, place, depth + 1))
            }
            "when" => {
                for (number, part) in node.rest().enumerate() {
                    let place = match number {
                        0 => ListPlace::Condition,
                        _ => place,
                    };
                    self.formula(part, place, depth + 1);
                }
            }
            "forall" | "exists" => {
                let outside = self.visible.order.len();
                let mut parts = node.rest();
                if let Some(list) = parts.peek().filter(|list| list.is_list()) {
                    parts.next();
                    self.enter(list, ListPlace::Names);
                    self.names(list.children(), Space::Variable, "variable");
                }
                parts.for_each(|part| self.formula(part, place, depth + 1));
                self.visible.truncate(outside);
            }
            "=" | "<" | ">" | "<=" | ">=" | "increase" | "decrease" | "assign" | "scale-up"
            | "scale-down" => {
                let numeric = node.rest().any(Node::is_list);
                for part in node.rest() {
                    match part.is_list() {
                        true => self.expression(part, depth + 1),
                        false if numeric => {}
                        false => self.term(part),
                    }
                }
            }
            _ => self.call(node, Space::Predicate),
        }
    }

    /// `(f ?x)`, `(+ (f) 1)`.
    fn expression(&mut self, node: Node<'t>, depth: u32) {
        if !node.is_list() || depth > DEEPEST {
            return;
        }
        self.enter(node, ListPlace::Expression);
        match node.head().map(|head| head.text()) {
            Some("+" | "-" | "*" | "/") => {
                node.rest()
                    .for_each(|part| self.expression(part, depth + 1));
            }
            _ => self.call(node, Space::Function),
        }
    }

    /// A name applied to terms.
    fn call(&mut self, node: Node<'t>, space: Space) {
        if let Some(head) = node.head().filter(|head| is_name(*head)) {
            self.mention(head, space);
        }
        node.rest().for_each(|part| self.term(part));
    }

    fn term(&mut self, node: Node<'t>) {
        match node.kind() {
            NodeKind::Variable => self.mention(node, Space::Variable),
            NodeKind::Name | NodeKind::Number => self.mention(node, Space::Object),
            _ => {}
        }
    }

    fn subtasks(&mut self, node: Node<'t>) {
        self.enter(node, ListPlace::Subtasks);
        match node.head() {
            Some(head) if head.is("and") => node.rest().for_each(|part| self.subtask(part)),
            Some(_) => self.subtask(node),
            None => node.children().for_each(|part| self.subtask(part)),
        }
    }

    /// `(task arguments…)` or `(label (task arguments…))`.
    fn subtask(&mut self, node: Node<'t>) {
        if !node.is_list() {
            return;
        }
        self.enter(node, ListPlace::Subtasks);
        let mut parts = node.children();
        match (parts.next(), parts.next()) {
            (Some(label), Some(body)) if body.is_list() => {
                if is_name(label) {
                    self.declare(label, Space::Label, "label", node.span(), None);
                }
                self.enter(body, ListPlace::Subtasks);
                self.call(body, Space::Task);
            }
            _ => self.call(node, Space::Task),
        }
    }

    fn ordering(&mut self, node: Node<'t>, depth: u32) {
        if !node.is_list() || depth > DEEPEST {
            return;
        }
        self.enter(node, ListPlace::Ordering);
        for part in node.children() {
            match part.kind() {
                NodeKind::List => self.ordering(part, depth + 1),
                NodeKind::Name | NodeKind::Number if !["and", "<", ">"].contains(&part.text()) => {
                    self.mention(part, Space::Label);
                }
                _ => {}
            }
        }
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), NodeKind::Name | NodeKind::Number)
}
