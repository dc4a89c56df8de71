//! What a walk notes: names as they are declared and used, and how far their
//! scope reaches.

use rustc_hash::FxHashMap;

use super::super::{Declaration, IndexedName, Mention, Space, fold};
use super::{Context, ListPlace, Walk};
use crate::source::Span;
use crate::syntax::{Node, NodeKind};

/// Variables and labels that may be used. Inner ones hide outer ones of the
/// same name until their quantifier ends.
#[derive(Default)]
pub(super) struct Visible {
    /// In the order of declaration.
    pub(super) order: Vec<(Space, String)>,
    pub(super) symbols: FxHashMap<(Space, String), Vec<u32>>,
}

impl Visible {
    pub(super) fn get(&self, key: &(Space, String)) -> Option<u32> {
        self.symbols.get(key)?.last().copied()
    }

    pub(super) fn push(&mut self, key: (Space, String), symbol: u32) {
        self.symbols.entry(key.clone()).or_default().push(symbol);
        self.order.push(key);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        for key in self.order.drain(length..).rev() {
            if let Some(symbols) = self.symbols.get_mut(&key) {
                symbols.pop();
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.order.clear();
        self.symbols.clear();
    }
}

impl<'t> Walk<'t> {
    pub(super) fn declare(
        &mut self,
        name: Node<'t>,
        space: Space,
        what: &'static str,
        whole: Span,
        types: Option<Span>,
    ) {
        if name.is_list() || name.kind() == NodeKind::Keyword {
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
    pub(super) fn local(&mut self, name: Node<'t>, space: Space) -> u32 {
        let symbol = self.index.symbols.len() as u32;
        self.index.symbols.push(IndexedName {
            space,
            name: name.text().to_owned(),
            section: self.section,
            declarations: Vec::new(),
        });
        symbol
    }

    pub(super) fn shared(&mut self, name: &str, space: Space) -> u32 {
        let next = self.index.symbols.len() as u32;
        let symbol = *self.index.shared.entry((space, fold(name))).or_insert(next);
        if symbol == next {
            self.index.symbols.push(IndexedName {
                space,
                name: name.to_owned(),
                section: self.section,
                declarations: Vec::new(),
            });
        }
        symbol
    }

    pub(super) fn mention(&mut self, name: Node<'t>, space: Space) {
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

    pub(super) fn note(&mut self, span: Span, space: Space, declares: bool) {
        let text = &self.tree.text()[span.start as usize..span.end as usize];
        let symbol = self.shared(text, space);
        self.record(span, symbol, declares);
    }

    pub(super) fn record(&mut self, span: Span, symbol: u32, declares: bool) {
        self.index.mentions.push(Mention {
            span,
            symbol,
            declares,
        });
    }

    /// The last byte that is still inside the list. One that nothing closes
    /// goes on through the blanks behind it: someone is about to write there.
    pub(super) fn reach(&self, node: Node<'t>) -> u32 {
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
    pub(super) fn enter(&mut self, node: Node<'t>, place: ListPlace) {
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
            after_dash: before
                .last()
                .is_some_and(|node| node.kind() == NodeKind::Dash),
            variables: locals(Space::Variable)
                .map(|symbol| (symbol.name.clone(), symbol.declarations[0].types))
                .collect(),
            labels: locals(Space::Label)
                .map(|symbol| symbol.name.clone())
                .collect(),
        };
    }
}
