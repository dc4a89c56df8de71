//! The walk through a tree that knows by form what each word is.
//!
//! It serves two questions. [`index`] walks the whole text and keeps every
//! name; [`context`] walks it once more and keeps only what surrounds one
//! byte: in which kind of list it lies and which variables are visible there,
//! which is what completion needs.

use super::{Declaration, Index, Mention, Space, Symbol, fold};
use crate::source::{Span, closest};
use crate::syntax::{Children, KEYS, Kind, Node, SECTIONS, Tree};
use rustc_hash::FxHashMap;

/// Deeper lists are passed over, as the resolver does.
const DEEPEST: u32 = 200;

/// The kind of list a byte lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
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
    pub place: Place,
    /// How many words and lists of it lie before the word at the byte.
    pub position: usize,
    /// The word before is a dash: a type is wanted.
    pub after_dash: bool,
    /// Variables that may be used, with the type they are declared with.
    pub variables: Vec<(String, Option<Span>)>,
    /// Labels of the subtasks around.
    pub labels: Vec<String>,
}

pub(super) fn index(tree: &Tree) -> Index {
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
    index: Index,
    visible: Visible,
    section: Span,
    probe: Option<u32>,
    found: Context,
}

/// Variables and labels that may be used. Inner ones hide outer ones of the
/// same name until their quantifier ends.
#[derive(Default)]
struct Visible {
    /// In the order of declaration.
    order: Vec<(Space, String)>,
    symbols: FxHashMap<(Space, String), Vec<u32>>,
}

impl Visible {
    fn get(&self, key: &(Space, String)) -> Option<u32> {
        self.symbols.get(key)?.last().copied()
    }

    fn push(&mut self, key: (Space, String), symbol: u32) {
        self.symbols.entry(key.clone()).or_default().push(symbol);
        self.order.push(key);
    }

    fn truncate(&mut self, length: usize) {
        for key in self.order.drain(length..).rev() {
            if let Some(symbols) = self.symbols.get_mut(&key) {
                symbols.pop();
            }
        }
    }

    fn clear(&mut self) {
        self.order.clear();
        self.symbols.clear();
    }
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, probe: Option<u32>) -> Walk<'t> {
        Walk {
            tree,
            index: Index::default(),
            visible: Visible::default(),
            section: Span::default(),
            probe,
            found: Context {
                place: Place::File,
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
                    self.enter(node, Place::Definition);
                    let mut parts = node.rest();
                    if let Some(header) = parts.peek().filter(|part| part.is_list())
                        && header.head().is_some_and(|head| head.kind() == Kind::Name)
                    {
                        self.header(header);
                        parts.next();
                    }
                    parts.for_each(|section| self.section(section));
                }
                // A section left outside by a slip of parentheses.
                Some(head) if head.kind() == Kind::Keyword => self.section(node),
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
            self.enter(node, Place::Definition);
            return;
        };
        let known = SECTIONS.iter().copied();
        let Some(name) = known
            .clone()
            .find(|name| *name == keyword)
            .or_else(|| closest(&keyword, known))
        else {
            self.enter(node, Place::Definition);
            return;
        };
        self.enter(node, Place::Section(name));
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
                .for_each(|fact| self.formula(fact, Place::Facts, 0)),
            ":goal" | ":constraints" => node
                .rest()
                .for_each(|part| self.formula(part, Place::Condition, 0)),
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
            self.enter(node, Place::Names);
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
            self.enter(head, Place::Names);
            self.names(head.rest(), Space::Variable, "variable");
        }
        parts.for_each(|part| self.formula(part, Place::Condition, 0));
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
                    self.enter(value, Place::Names);
                    self.names(value.children(), Space::Variable, "parameter");
                }
                ":effect" => self.formula(value, Place::Effect, 0),
                ":task" => {
                    self.enter(value, Place::Task);
                    self.call(value, Space::Task);
                }
                ":subtasks" | ":tasks" | ":ordered-subtasks" | ":ordered-tasks" => {
                    self.subtasks(value);
                }
                ":ordering" => self.ordering(value, 0),
                _ => self.formula(value, Place::Condition, 0),
            }
        }
    }

    /// `a b - t c - (either u v) d`.
    fn names(&mut self, items: Children<'t>, space: Space, what: &'static str) {
        let mut waiting: Vec<Node<'t>> = Vec::new();
        let mut items = items;
        while let Some(item) = items.next() {
            let types = match item.kind() {
                Kind::Dash => match items.peek() {
                    Some(ty) if ty.is_list() || is_name(ty) => {
                        items.next();
                        self.types(ty);
                        Some(ty.span())
                    }
                    _ => None,
                },
                // A dash glued to its type, as in `?x -place`.
                Kind::Name if item.text().starts_with('-') => {
                    let span = item.span();
                    let ty = Span {
                        start: span.start + 1,
                        ..span
                    };
                    self.note(ty, Space::Type, false);
                    Some(ty)
                }
                Kind::List | Kind::File | Kind::Keyword => continue,
                Kind::Variable | Kind::Name | Kind::Number => {
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
            self.enter(node, Place::Types);
            node.rest()
                .filter(|part| is_name(*part))
                .for_each(|part| self.mention(part, Space::Type));
        } else {
            self.mention(node, Space::Type);
        }
    }

    fn formula(&mut self, node: Node<'t>, place: Place, depth: u32) {
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
            "at" | "over" | "preference" if node.rest().any(Node::is_list) => node
                .rest()
                .for_each(|part| self.formula(part, place, depth + 1)),
            "when" => {
                for (number, part) in node.rest().enumerate() {
                    let place = match number {
                        0 => Place::Condition,
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
                    self.enter(list, Place::Names);
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
        self.enter(node, Place::Expression);
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
            Kind::Variable => self.mention(node, Space::Variable),
            Kind::Name | Kind::Number => self.mention(node, Space::Object),
            _ => {}
        }
    }

    fn subtasks(&mut self, node: Node<'t>) {
        self.enter(node, Place::Subtasks);
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
        self.enter(node, Place::Subtasks);
        let mut parts = node.children();
        match (parts.next(), parts.next()) {
            (Some(label), Some(body)) if body.is_list() => {
                if is_name(label) {
                    self.declare(label, Space::Label, "label", node.span(), None);
                }
                self.enter(body, Place::Subtasks);
                self.call(body, Space::Task);
            }
            _ => self.call(node, Space::Task),
        }
    }

    fn ordering(&mut self, node: Node<'t>, depth: u32) {
        if !node.is_list() || depth > DEEPEST {
            return;
        }
        self.enter(node, Place::Ordering);
        for part in node.children() {
            match part.kind() {
                Kind::List => self.ordering(part, depth + 1),
                Kind::Name | Kind::Number if !["and", "<", ">"].contains(&part.text()) => {
                    self.mention(part, Space::Label);
                }
                _ => {}
            }
        }
    }

    fn declare(
        &mut self,
        name: Node<'t>,
        space: Space,
        what: &'static str,
        whole: Span,
        types: Option<Span>,
    ) {
        if name.is_list() || name.kind() == Kind::Keyword {
            return;
        }
        let declaration = Declaration {
            what,
            name: name.span(),
            whole,
            types,
        };
        let symbol = match space.is_local() {
            true => {
                let symbol = self.local(name, space);
                self.visible.push((space, fold(name.text())), symbol);
                symbol
            }
            false => self.shared(name.text(), space),
        };
        self.index.symbols[symbol as usize]
            .declarations
            .push(declaration);
        self.record(name.span(), symbol, true);
    }

    /// A new variable or label.
    fn local(&mut self, name: Node<'t>, space: Space) -> u32 {
        let symbol = self.index.symbols.len() as u32;
        self.index.symbols.push(Symbol {
            space,
            name: name.text().to_owned(),
            section: self.section,
            declarations: Vec::new(),
        });
        symbol
    }

    fn shared(&mut self, name: &str, space: Space) -> u32 {
        let next = self.index.symbols.len() as u32;
        let symbol = *self.index.shared.entry((space, fold(name))).or_insert(next);
        if symbol == next {
            self.index.symbols.push(Symbol {
                space,
                name: name.to_owned(),
                section: self.section,
                declarations: Vec::new(),
            });
        }
        symbol
    }

    fn mention(&mut self, name: Node<'t>, space: Space) {
        if name.is_list() {
            return;
        }
        if !space.is_local() {
            return self.note(name.span(), space, false);
        }
        let key = (space, fold(name.text()));
        let symbol = self.visible.get(&key).unwrap_or_else(|| {
            // Not declared, but still one name in all of the schema.
            let symbol = self.local(name, space);
            self.visible.symbols.insert(key, vec![symbol]);
            symbol
        });
        self.record(name.span(), symbol, false);
    }

    fn note(&mut self, span: Span, space: Space, declares: bool) {
        let text = &self.tree.text()[span.start as usize..span.end as usize];
        let symbol = self.shared(text, space);
        self.record(span, symbol, declares);
    }

    fn record(&mut self, span: Span, symbol: u32, declares: bool) {
        self.index.mentions.push(Mention {
            span,
            symbol,
            declares,
        });
    }

    /// The last byte that is still inside the list. One that nothing closes
    /// goes on through the blanks behind it: someone is about to write there.
    fn reach(&self, node: Node<'t>) -> u32 {
        let end = node.span().end;
        let closed = match node.children().last() {
            Some(last) => last.span().end < end,
            None => node.text().ends_with(')'),
        };
        if closed {
            return end - 1;
        }
        let rest = &self.tree.text()[end as usize..];
        let blank = (rest.len() - rest.trim_start().len()) as u32;
        match blank as usize == rest.len() {
            true => end + blank,
            false => end + blank.saturating_sub(1),
        }
    }

    /// Notes what surrounds the byte asked for, if it lies in the list.
    fn enter(&mut self, node: Node<'t>, place: Place) {
        let Some(probe) = self.probe else {
            return;
        };
        let span = node.span();
        if probe <= span.start || probe > self.reach(node) {
            return;
        }
        let before: Vec<Node<'t>> = node
            .children()
            .take_while(|child| child.span().end < probe + u32::from(child.is_list()))
            .collect();
        let locals = |space: Space| {
            let visible = &self.visible;
            let order = visible.order.iter().rev();
            order
                .filter(move |key| key.0 == space)
                .filter_map(|key| visible.get(key))
                .map(|symbol| &self.index.symbols[symbol as usize])
                .filter(|symbol| !symbol.declarations.is_empty())
        };
        self.found = Context {
            place,
            position: before.len(),
            after_dash: before.last().is_some_and(|node| node.kind() == Kind::Dash),
            variables: locals(Space::Variable)
                .map(|symbol| (symbol.name.clone(), symbol.declarations[0].types))
                .collect(),
            labels: locals(Space::Label)
                .map(|symbol| symbol.name.clone())
                .collect(),
        };
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Name | Kind::Number)
}
