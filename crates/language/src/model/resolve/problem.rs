//! The problem: initial state, goal, initial network, metric.

use super::define::{Definition, start_of};
use super::fit::{Callee, Stance};
use super::{NameScope, Resolver, Variables, word};
use crate::diagnostic::{duplicate, form, requirement};
use crate::model::{Fact, FunctionId, InitialNetwork, ObjectId, Value};
use crate::number::Rational;
use crate::syntax::{Node, NodeKind};

impl Resolver {
    pub(super) fn requirements(&mut self, file: &Definition<'_>) {
        for section in file.all(":requirements") {
            for node in section.rest() {
                match node.keyword() {
                    Some(keyword) => {
                        if let Some(diagnostic) = requirement::unknown(&keyword, node.span()) {
                            self.report(diagnostic);
                        }
                        self.reading.requirements.push((keyword, node.span()));
                    }
                    None => {
                        let wanted = "a requirement such as `:typing`";
                        self.report(form::malformed(start_of(node), wanted, node.text()));
                    }
                }
            }
        }
    }

    pub(super) fn problem(&mut self, file: &Definition<'_>) {
        debug_assert!(file.is_problem);
        for section in file.all(":domain") {
            self.domain_name(section);
        }
        for section in file.all(":init") {
            for node in section.rest() {
                self.initial(node);
            }
        }
        if let Some(section) = file.all(":goal").next()
            && let Some(parts) = self.exactly(section, 1, "one condition after `:goal`")
        {
            let mut variables = Variables::new(NameScope::Goal);
            let goal = self.condition(parts[0], &mut variables, Stance::Asks, 0);
            self.model().goal = goal;
            self.model().goal_variables = variables.list;
        }
        if let Some(section) = file.all(":htn").next() {
            self.initial_network(section);
        }
        if let Some(section) = file.all(":metric").next() {
            self.metric(section);
        }
    }

    fn domain_name(&mut self, section: Node<'_>) {
        let Some(parts) = self.exactly(section, 1, "the domain's name") else {
            return;
        };
        let domain = self.reading.model.domain.clone();
        let text = parts[0].text();
        if !domain.is_empty() && self.key(text) != self.key(&domain) {
            self.report(requirement::domain_name(text, parts[0].span(), &domain));
        }
    }

    fn initial_network(&mut self, section: Node<'_>) {
        let keys = self.keys(":htn", section, false);
        let mut variables = Variables::new(NameScope::Network);
        if let Some(list) = self.list_value(&keys, ":parameters") {
            self.bind(list.children(), &mut variables, true);
        }
        let arity = variables.list.len();
        let span = start_of(section);
        let network = self.network(&keys, &mut variables, span);
        self.model().network = Some(InitialNetwork {
            variables: variables.list,
            arity,
            network,
            span,
        });
    }

    /// A fact, a denied fact, or the value of a function.
    fn initial(&mut self, node: Node<'_>) {
        let head = match node.is_list() {
            true => node.head(),
            false => None,
        };
        match head {
            Some(head) if head.is("=") => self.value(node),
            Some(head) if head.is("not") => {
                if let Some(parts) = self.exactly(node, 1, "one fact after `not`")
                    && let Some((fact, _)) = self.fact(parts[0])
                {
                    self.reading.denied.push(Fact {
                        span: node.span(),
                        ..fact
                    });
                }
            }
            // `(and …)` around facts is not PDDL, but its meaning is clear.
            Some(head) if head.is("and") => {
                self.report(
                    form::malformed(start_of(node), "a fact", node.text())
                        .help("facts in `:init` stand side by side, without `and`"),
                );
                for part in node
                    .rest()
                    .filter(|part| !part.head().is_some_and(|h| h.is("and")))
                {
                    self.initial(part);
                }
            }
            Some(head) if head.is("at") && is_timed(node) => {
                self.timed_fact(node);
            }
            _ => {
                if let Some((fact, repaired)) = self.fact(node) {
                    let index = self.reading.model.init.len() as u32;
                    if let Some(permutation) = repaired {
                        let arguments = permutation.iter().map(|i| fact.arguments[*i]).collect();
                        self.reading.repaired.push((index, arguments));
                    }
                    self.model().init.push(fact);
                }
            }
        }
    }

    /// A fact and, if its arguments fit only in another order, that order.
    pub(super) fn fact(&mut self, node: Node<'_>) -> Option<(Fact, Option<Vec<usize>>)> {
        let predicate = self.predicate_id(node)?;
        let (arguments, words) = self.objects_of(node);
        let callee = Callee::Predicate(predicate);
        if !self.arity_fits(callee, words.len(), node.span()) || arguments.len() != words.len() {
            return None;
        }
        let repaired = self.fit_fact(callee, &arguments, &words, node.span());
        let fact = Fact {
            predicate,
            arguments,
            span: node.span(),
        };
        Some((fact, repaired))
    }

    fn objects_of<'t>(&mut self, node: Node<'t>) -> (Vec<ObjectId>, Vec<super::Word<'t>>) {
        let mut objects = Vec::with_capacity(4);
        let mut words = Vec::with_capacity(4);
        for argument in node.rest() {
            let plain = matches!(argument.kind(), NodeKind::Name | NodeKind::Number);
            match word(argument).filter(|_| plain) {
                Some(word) => {
                    objects.extend(self.object_or_forgotten(word, None));
                    words.push(word);
                }
                None => {
                    let diagnostic =
                        form::malformed(start_of(argument), "an object", argument.text());
                    self.report_grouped("object", diagnostic);
                    words.push(super::Word {
                        text: "",
                        span: argument.span(),
                    });
                }
            }
        }
        (objects, words)
    }

    /// `(= (function objects…) number)`.
    pub(super) fn given_value(
        &mut self,
        node: Node<'_>,
    ) -> Option<(FunctionId, Vec<ObjectId>, Rational)> {
        let parts = self.exactly(node, 2, "a function and its value after `=`")?;
        let function = self.function_id(parts[0])?;
        if parts[1].kind() != NodeKind::Number {
            self.report(form::malformed(
                start_of(parts[1]),
                "a number",
                parts[1].text(),
            ));
            return None;
        }
        let (arguments, words) = self.objects_of(parts[0]);
        let callee = Callee::Function(function);
        if !self.arity_fits(callee, words.len(), parts[0].span()) || arguments.len() != words.len()
        {
            return None;
        }
        self.fit_fact(callee, &arguments, &words, parts[0].span());
        let value = self.number(parts[1])?;
        Some((function, arguments, value))
    }

    fn value(&mut self, node: Node<'_>) {
        let Some((function, arguments, value)) = self.given_value(node) else {
            return;
        };
        let known = self.values.entry((function, arguments.clone()));
        let (first, at) = *known.or_insert((value, node.span()));
        if first != value {
            let name = node.rest().next().map_or("", |place| place.text());
            self.report(duplicate::definition("value", name, node.span(), at));
            return;
        }
        self.model().values.push(Value {
            function,
            arguments,
            value,
            span: node.span(),
        });
    }
}

/// `(at 5 (p a))`, but not `(at truck1 depot)`.
fn is_timed(node: Node<'_>) -> bool {
    let mut rest = node.rest();
    rest.next()
        .is_some_and(|time| time.kind() == NodeKind::Number)
        && rest.next().is_some_and(|fact| fact.is_list())
}
