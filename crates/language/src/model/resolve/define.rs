//! The outer shape: `(define (domain …) sections…)` and sections with keys.

use super::Resolver;
use super::names::Word;
use crate::diagnostic::{form, keyword, unsupported};
use crate::source::{Near, Span, nearest};
use crate::syntax::{KEYS, Node, NodeKind, SECTIONS, Tree};

/// One file's definition: its sections by keyword.
pub(super) struct Definition<'t> {
    pub sections: Vec<(&'static str, Node<'t>)>,
    pub is_problem: bool,
}

impl<'t> Definition<'t> {
    /// The sections with the keyword, in order.
    pub fn all<'a>(&'a self, keyword: &'a str) -> impl Iterator<Item = Node<'t>> + 'a {
        self.sections
            .iter()
            .filter(move |(name, _)| *name == keyword)
            .map(|(_, node)| *node)
    }
}

/// A section's name and keys, as in `(:action drive :parameters …)`.
pub(super) struct Keys<'t> {
    pub name: Option<Word<'t>>,
    list: Vec<(&'static str, Node<'t>, Option<Node<'t>>)>,
}

impl<'t> Keys<'t> {
    /// The value of the key, if the key is there and has one.
    pub fn get(&self, key: &str) -> Option<Node<'t>> {
        self.list
            .iter()
            .find(|(name, _, _)| *name == key)
            .and_then(|(_, _, value)| *value)
    }

    /// The first of several keys that is there, with its value.
    pub fn any(&self, keys: &[&'static str]) -> Option<(&'static str, Option<Node<'t>>)> {
        self.list
            .iter()
            .find(|(name, _, _)| keys.contains(name))
            .map(|(name, _, value)| (*name, *value))
    }
}

const DOMAIN_SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":task",
    ":method",
    ":action",
    ":derived",
    ":durative-action",
    ":process",
    ":event",
    ":constraints",
];
const PROBLEM_SECTIONS: &[&str] = &[
    ":domain",
    ":requirements",
    ":objects",
    ":init",
    ":goal",
    ":htn",
    ":metric",
    ":constraints",
];
const ONCE: &[&str] = &[":domain", ":goal", ":htn", ":metric"];

impl Resolver {
    /// Finds the definition of the wanted kind and sorts its sections.
    pub(super) fn definition<'t>(
        &mut self,
        tree: &'t Tree,
        wanted: &'static str,
    ) -> Option<Definition<'t>> {
        let mut found = None;
        let mut other = None;
        for node in tree.root().children() {
            let is_define = node.is_list() && node.head().is_some_and(|head| head.is("define"));
            if !is_define {
                self.report_grouped(
                    wanted,
                    form::malformed(start_of(node), "`(define …)`", node.text()),
                );
                continue;
            }
            let header = node.children().nth(1).filter(|header| header.is_list());
            match header.and_then(|header| header.head()) {
                Some(head) if head.is(wanted) => {
                    if found.is_none() {
                        found = Some((node, header));
                    } else {
                        let message = "one definition in the file";
                        self.report(form::malformed(start_of(node), message, node.text()));
                    }
                }
                Some(head) if head.is("domain") || head.is("problem") => other = Some(head),
                _ => {
                    let span = header.map_or(start_of(node), |header| header.span());
                    let text = header.map_or("", |header| header.text());
                    self.report(form::malformed(span, &format!("`({wanted} NAME)`"), text));
                    found.get_or_insert((node, None));
                }
            }
        }
        let Some((node, header)) = found else {
            let end = tree.text().len() as u32;
            let span = other.map_or(
                Span {
                    file: tree.file(),
                    start: end.saturating_sub(1),
                    end,
                },
                |head| head.span(),
            );
            self.report(form::no_definition(
                span,
                wanted,
                other.map(|_| match wanted {
                    "domain" => "problem",
                    _ => "domain",
                }),
            ));
            return None;
        };
        let is_problem = wanted == "problem";
        self.reading.define[usize::from(is_problem)] = Some(start_of(node));
        if let Some(header) = header {
            match header.children().nth(1) {
                Some(name) if !name.is_list() => {
                    let name = name.text().to_owned();
                    match is_problem {
                        true => self.model().problem = name,
                        false => self.model().domain = name,
                    }
                }
                other => {
                    let text = other.map_or("", |node| node.text());
                    self.report(form::malformed(header.span(), "a name", text));
                }
            }
        }
        let skip = 1 + usize::from(node.children().nth(1).is_some_and(|n| n.is_list()));
        let sections = node
            .children()
            .skip(skip)
            .filter_map(|section| self.section(section, is_problem))
            .collect::<Vec<_>>();
        self.sections_once(&sections);
        Some(Definition {
            sections,
            is_problem,
        })
    }

    /// Which section this is, misspelt ones included.
    fn section<'t>(
        &mut self,
        node: Node<'t>,
        is_problem: bool,
    ) -> Option<(&'static str, Node<'t>)> {
        let head = if node.is_list() { node.head() } else { None };
        let Some((head, keyword)) = head.and_then(|head| Some((head, head.keyword()?))) else {
            // `(action …)` without its colon is a section all the same.
            if let Some(head) = head
                && let Some(section) = SECTIONS.iter().find(|name| head.is(&name[1..]))
            {
                self.report(keyword::unknown(
                    head.text(),
                    head.span(),
                    "a definition",
                    Some(&Near::known(section)),
                ));
                return Some((section, node));
            }
            let wanted = "a section such as `(:action …)`";
            self.report_grouped(
                "section",
                form::malformed(start_of(node), wanted, node.text()),
            );
            return None;
        };
        let (here, there) = match is_problem {
            true => (PROBLEM_SECTIONS, DOMAIN_SECTIONS),
            false => (DOMAIN_SECTIONS, PROBLEM_SECTIONS),
        };
        if let Some(section) = here.iter().find(|name| **name == keyword) {
            return Some((section, node));
        }
        if keyword == ":length" {
            let what = format!("`{keyword}` is");
            let why = "plans are as long as they are";
            self.report(unsupported::unsupported(head.span(), &what, why));
            return None;
        }
        let file = match is_problem {
            true => "a problem",
            false => "a domain",
        };
        // Constants in a problem are objects; other strays keep their meaning.
        if let Some(section) = there.iter().find(|name| **name == keyword) {
            let meant = match *section {
                ":constants" => Some(Near::known(":objects")),
                ":objects" => Some(Near::known(":constants")),
                _ => None,
            };
            self.report(keyword::unknown(section, head.span(), file, meant.as_ref()));
            return Some((section, node));
        }
        let meant = nearest(&keyword, here.iter().copied());
        self.report(keyword::unknown(
            &keyword,
            head.span(),
            file,
            meant.as_ref(),
        ));
        meant.map(|meant| {
            let section = here.iter().find(|name| **name == meant.word);
            (*section.unwrap_or(&here[0]), node)
        })
    }

    fn sections_once(&mut self, sections: &[(&'static str, Node<'_>)]) {
        for once in ONCE {
            let mut places = sections
                .iter()
                .filter(|(name, _)| name == once)
                .map(|(_, node)| start_of(*node));
            if let Some(first) = places.next() {
                for second in places {
                    self.report(form::repeated(once, second, first));
                }
            }
        }
    }

    /// Splits a section into its name and keys. `named` sections need a name.
    pub(super) fn keys<'t>(
        &mut self,
        section: &'static str,
        node: Node<'t>,
        named: bool,
    ) -> Keys<'t> {
        let mut children = node.rest().peekable();
        let mut keys = Keys {
            name: None,
            list: Vec::new(),
        };
        if named {
            match children.peek() {
                Some(name) if matches!(name.kind(), NodeKind::Name | NodeKind::Number) => {
                    keys.name = super::word(*name);
                    children.next();
                }
                other => {
                    let span = other.map_or(start_of(node), |node| node.span());
                    let text = other.map_or("", |node| node.text());
                    self.report(form::malformed(span, "a name", text));
                    if other.is_some_and(|node| node.kind() != NodeKind::Keyword) {
                        children.next();
                    }
                }
            }
        }
        while let Some(key) = children.next() {
            let Some(keyword) = key.keyword() else {
                let wanted = format!("a key of `{section}`");
                self.report(form::malformed(key.span(), &wanted, key.text()));
                continue;
            };
            let value = children
                .peek()
                .copied()
                .filter(|value| value.kind() != NodeKind::Keyword);
            if value.is_some() {
                children.next();
            }
            let Some(name) = self.key_name(section, &keyword, key) else {
                continue;
            };
            if let Some((_, first, _)) = keys.list.iter().find(|(other, _, _)| *other == name) {
                self.report(form::repeated(name, key.span(), first.span()));
                continue;
            }
            keys.list.push((name, key, value));
        }
        keys
    }

    fn key_name(
        &mut self,
        section: &'static str,
        keyword: &str,
        node: Node<'_>,
    ) -> Option<&'static str> {
        let known = || {
            KEYS.iter()
                .filter(|(_, sections)| sections.contains(&section))
                .map(|(name, _)| *name)
        };
        if let Some(name) = known().find(|name| *name == keyword) {
            return Some(name);
        }
        let meant = match (section, keyword) {
            (":action" | ":method", ":preconditions") => Some(Near::known(":precondition")),
            (":action", ":effects") => Some(Near::known(":effect")),
            _ => nearest(keyword, known()),
        };
        let place = format!("`{section}`");
        self.report(keyword::unknown(
            keyword,
            node.span(),
            &place,
            meant.as_ref(),
        ));
        meant.and_then(|meant| known().find(|name| *name == meant.word))
    }
}

/// The place to point at for a list: its parenthesis and first word.
pub(super) fn start_of(node: Node<'_>) -> Span {
    let span = node.span();
    let end = match node.is_list() {
        true => node.head().map_or(span.start + 1, |head| head.span().end),
        false => span.end,
    };
    Span { end, ..span }
}
