//! Conditions and effects.

use super::define::start_of;
use super::fit::{Callee, Stance};
use super::names::Word;
use super::{Resolver, Symbol, Variables, word};
use crate::diagnostic::{form, undefined, unsupported};
use crate::model::{
    Atom, ChangeOperator, CompareOperator, Effect, Formula, FunctionId, ObjectId, PredicateId,
    Span, Term, VariableId,
};
use crate::syntax::{Node, NodeKind};

/// Deeper formulas are refused, so that everything downstream may recurse.
pub(super) const DEEPEST: u32 = 200;

impl Resolver {
    /// Reads a condition. What cannot be understood is reported and left out.
    pub(super) fn condition(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        stance: Stance,
        depth: u32,
    ) -> Formula {
        if depth > DEEPEST {
            self.report_grouped("", form::too_deep(start_of(node), DEEPEST));
            return Formula::True;
        }
        if !node.is_list() {
            let wanted = "a condition in parentheses";
            self.report(form::malformed(node.span(), wanted, node.text()));
            return Formula::True;
        }
        let Some(head) = node.children().next() else {
            return Formula::True;
        };
        if head.is_list() {
            let wanted = "`and`, `not` or a predicate";
            let diagnostic = form::malformed(start_of(head), wanted, head.text())
                .help("several conditions are joined by `(and …)`");
            self.report(diagnostic);
            return Formula::True;
        }
        let name = head.text().to_ascii_lowercase();
        match name.as_str() {
            "and" => Formula::And(
                node.rest()
                    .map(|part| self.condition(part, variables, stance, depth + 1))
                    .collect(),
            ),
            "or" => Formula::Or(
                node.rest()
                    .map(|part| self.condition(part, variables, Stance::Asks, depth + 1))
                    .collect(),
            ),
            "not" => match self.exactly(node, 1, "one condition after `not`") {
                Some(parts) => Formula::Not(Box::new(self.condition(
                    parts[0],
                    variables,
                    Stance::Asks,
                    depth + 1,
                ))),
                None => Formula::True,
            },
            "imply" => match self.exactly(node, 2, "two conditions after `imply`") {
                Some(parts) => {
                    let [first, second] = [parts[0], parts[1]]
                        .map(|part| self.condition(part, variables, Stance::Asks, depth + 1));
                    Formula::Imply(Box::new(first), Box::new(second))
                }
                None => Formula::True,
            },
            "forall" | "exists" => self
                .quantified(node, variables, |this, body, variables, ids| {
                    let body = Box::new(this.condition(body, variables, Stance::Asks, depth + 1));
                    match name.as_str() {
                        "forall" => Formula::Forall(ids, body),
                        _ => Formula::Exists(ids, body),
                    }
                })
                .unwrap_or_default(),
            "=" => self.equality(node, variables, stance),
            "<" | ">" | "<=" | ">=" if self.predicates.get(&name, true).is_none() => {
                match CompareOperator::of(&name) {
                    Some(operator) => self.compare(node, operator, variables, stance),
                    None => Formula::True,
                }
            }
            "preference" if self.predicates.get(&name, true).is_none() => {
                if let Some(inner) = self.preferred(node) {
                    self.condition(inner, variables, Stance::Asks, depth + 1);
                }
                Formula::True
            }
            "sometime" | "always" | "within" if self.predicates.get(&name, true).is_none() => {
                self.report(unsupported::unsupported(
                    start_of(node),
                    &format!("`{name}` in a condition is"),
                    "what is to hold along the way stands in `(:constraints …)`",
                ));
                Formula::True
            }
            _ => match self.atom(node, variables, stance) {
                Some(atom) => Formula::Atom(atom),
                None => Formula::True,
            },
        }
    }

    /// Reads an effect.
    pub(super) fn effect(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        stance: Stance,
        depth: u32,
    ) -> Effect {
        if depth > DEEPEST {
            self.report_grouped("", form::too_deep(start_of(node), DEEPEST));
            return Effect::None;
        }
        if !node.is_list() {
            let wanted = "an effect in parentheses";
            self.report(form::malformed(node.span(), wanted, node.text()));
            return Effect::None;
        }
        let Some(head) = node.children().next() else {
            return Effect::None;
        };
        if head.is_list() {
            let wanted = "`and`, `not` or a predicate";
            let diagnostic = form::malformed(start_of(head), wanted, head.text())
                .help("several effects are joined by `(and …)`");
            self.report(diagnostic);
            return Effect::None;
        }
        match head.text().to_ascii_lowercase().as_str() {
            "and" => Effect::And(
                node.rest()
                    .map(|part| self.effect(part, variables, stance, depth + 1))
                    .collect(),
            ),
            "not" => match self.exactly(node, 1, "one predicate after `not`") {
                Some(parts) if parts[0].is_list() => {
                    let atom = self.atom(parts[0], variables, stance);
                    atom.map_or(Effect::None, Effect::Delete)
                }
                Some(parts) => {
                    let wanted = "a predicate after `not`";
                    self.report(form::malformed(parts[0].span(), wanted, parts[0].text()));
                    Effect::None
                }
                None => Effect::None,
            },
            "forall" => self
                .quantified(node, variables, |this, body, variables, ids| {
                    let body = this.effect(body, variables, Stance::Asks, depth + 1);
                    Effect::Forall(ids, Box::new(body))
                })
                .unwrap_or_default(),
            "when" => match self.exactly(node, 2, "a condition and an effect after `when`") {
                Some(parts) => {
                    let condition = self.condition(parts[0], variables, Stance::Asks, depth + 1);
                    let effect = self.effect(parts[1], variables, Stance::Asks, depth + 1);
                    Effect::When(condition, Box::new(effect))
                }
                None => Effect::None,
            },
            word if ChangeOperator::of(word).is_some()
                && self.predicates.get(word, true).is_none() =>
            {
                match ChangeOperator::of(word) {
                    Some(operator) => self.change(node, operator, variables, stance),
                    None => Effect::None,
                }
            }
            word @ ("oneof" | "probabilistic") if self.predicates.get(word, true).is_none() => {
                self.report(unsupported::unsupported(
                    start_of(node),
                    &format!("`{word}` in an effect is"),
                    "what an action does is certain",
                ));
                Effect::None
            }
            _ => {
                let atom = self.atom(node, variables, stance);
                atom.map_or(Effect::None, Effect::Add)
            }
        }
    }

    /// The function a list starts with.
    pub(super) fn function_id(&mut self, node: Node<'_>) -> Option<FunctionId> {
        let name = self.head_name(node, "a function such as `(total-cost)`")?;
        let fold = !self.options.case_sensitive;
        if let Some(id) = self.functions.get(name.text, fold) {
            self.refer(name.span, Symbol::Function(FunctionId(id)), false);
            return Some(FunctionId(id));
        }
        let about = self.key(name.text);
        let functions = &self.reading.model.functions;
        let names = functions.iter().map(|f| (f.name.as_str(), f.span));
        let near = &mut self.suggestions;
        let meant = near.near(&undefined::FUNCTION, &about, name.text, names);
        let diagnostic = undefined::name(
            &undefined::FUNCTION,
            "function",
            name.text,
            name.span,
            meant,
        );
        self.report_grouped(about, diagnostic);
        None
    }

    /// `(forall (?x - t) body)`: binds, reads the body, unbinds.
    pub(super) fn quantified<T>(
        &mut self,
        node: Node<'_>,
        variables: &mut Variables,
        body: impl FnOnce(&mut Resolver, Node<'_>, &mut Variables, Vec<VariableId>) -> T,
    ) -> Option<T> {
        let parts = self.exactly(node, 2, "variables and one body after the quantifier")?;
        if !parts[0].is_list() {
            let wanted = "variables in parentheses";
            self.report(form::malformed(parts[0].span(), wanted, parts[0].text()));
            return None;
        }
        let outside = variables.hidden.len();
        let ids = self.bind(parts[0].children(), variables, false);
        let result = body(self, parts[1], variables, ids);
        while variables.hidden.len() > outside
            && let Some((name, before)) = variables.hidden.pop()
        {
            match before {
                Some(id) => variables.visible.insert(name, id),
                None => variables.visible.remove(&name),
            };
        }
        Some(result)
    }

    fn equality(&mut self, node: Node<'_>, variables: &mut Variables, stance: Stance) -> Formula {
        if let Some(number) = node
            .rest()
            .find(|part| part.is_list() || part.kind() == NodeKind::Number)
            && (number.is_list() || self.objects.get(number.text(), true).is_none())
        {
            return self.compare(node, CompareOperator::Equal, variables, stance);
        }
        if self.exactly(node, 2, "two terms after `=`").is_none() {
            return Formula::True;
        }
        let (terms, _) = self.terms(node, variables);
        match terms.as_slice() {
            [a, b] => Formula::Equal(*a, *b),
            _ => Formula::True,
        }
    }

    /// A predicate applied to terms, or nothing if a name is unknown.
    fn atom(&mut self, node: Node<'_>, variables: &mut Variables, stance: Stance) -> Option<Atom> {
        let predicate = self.predicate_id(node);
        // Lists after an unknown word are no terms: it may be a misspelt `and`.
        if predicate.is_none() && node.rest().any(|argument| argument.is_list()) {
            return None;
        }
        let (arguments, words) = self.terms(node, variables);
        let predicate = predicate?;
        let callee = Callee::Predicate(predicate);
        if !self.arity_fits(callee, words.len(), node.span()) || arguments.len() != words.len() {
            return None;
        }
        self.fit(callee, &arguments, &words, node.span(), variables, stance);
        Some(Atom {
            predicate,
            arguments,
            span: node.span(),
        })
    }

    /// The predicate a list starts with.
    pub(super) fn predicate_id(&mut self, node: Node<'_>) -> Option<PredicateId> {
        let name = self.head_name(node, "a predicate")?;
        let fold = !self.options.case_sensitive;
        if let Some(id) = self.predicates.get(name.text, fold) {
            self.refer(name.span, Symbol::Predicate(PredicateId(id)), false);
            return Some(PredicateId(id));
        }
        let predicates = &self.reading.model.predicates;
        let words = ["and", "not", "forall", "exists", "when", "imply"];
        let names = predicates.iter().map(|p| (p.name.as_str(), p.span));
        let names = names.chain(words.map(|word| (word, Span::default())));
        let about = self.key(name.text);
        let near = &mut self.suggestions;
        let meant = near.near(&undefined::PREDICATE, &about, name.text, names);
        let diagnostic = undefined::name(
            &undefined::PREDICATE,
            "predicate",
            name.text,
            name.span,
            meant,
        );
        self.report_grouped(about, diagnostic);
        None
    }

    /// The terms after a list's head. Unknown ones are reported and missing
    /// from the first result; the second has every word.
    pub(super) fn terms<'t>(
        &mut self,
        node: Node<'t>,
        variables: &mut Variables,
    ) -> (Vec<Term>, Vec<Word<'t>>) {
        let mut terms = Vec::new();
        let mut words = Vec::new();
        for argument in node.rest() {
            match word(argument) {
                Some(word) => {
                    terms.extend(self.term(argument, word, variables));
                    words.push(word);
                }
                None => {
                    let wanted = "a variable or an object";
                    let diagnostic = form::malformed(start_of(argument), wanted, argument.text());
                    self.report(diagnostic);
                    words.push(Word {
                        text: argument.text(),
                        span: argument.span(),
                    });
                }
            }
        }
        (terms, words)
    }

    fn term(&mut self, node: Node<'_>, word: Word<'_>, variables: &Variables) -> Option<Term> {
        if node.kind() != NodeKind::Variable {
            return self
                .object_or_forgotten(word, Some(variables))
                .map(Term::Object);
        }
        let key = self.key(word.text);
        if let Some(&id) = variables.visible.get(&key) {
            let id = VariableId(id);
            self.refer(word.span, Symbol::Variable(variables.scope, id), false);
            return Some(Term::Variable(id));
        }
        let about = format!("{:?} {key}", variables.scope);
        let visible = variables.visible.values();
        let names = visible.map(|id| {
            let variable = &variables.list[*id as usize];
            (variable.name.as_str(), variable.span)
        });
        let near = &mut self.suggestions;
        let meant = near.near(&undefined::VARIABLE, &about, word.text, names);
        let diagnostic = undefined::name(
            &undefined::VARIABLE,
            "variable",
            word.text,
            word.span,
            meant,
        );
        self.report_grouped(about, diagnostic);
        None
    }

    /// Looks an object up. A name that is a variable but for the question
    /// mark gets a message of its own.
    pub(super) fn object_or_forgotten(
        &mut self,
        word: Word<'_>,
        variables: Option<&Variables>,
    ) -> Option<ObjectId> {
        let fold = !self.options.case_sensitive;
        if let Some(id) = self.objects.get(word.text, fold) {
            self.refer(word.span, Symbol::Object(ObjectId(id)), false);
            return Some(ObjectId(id));
        }
        if let Some(variables) = variables {
            let key = self.key(&format!("?{}", word.text));
            if let Some(&id) = variables.visible.get(&key) {
                let declared = variables.list[id as usize].span;
                let diagnostic = undefined::question_mark(word.text, word.span, Some(declared));
                self.report(diagnostic);
                return None;
            }
        }
        let objects = &self.reading.model.objects;
        let names = objects.iter().map(|o| (o.name.as_str(), o.span));
        let about = self.key(word.text);
        let near = &mut self.suggestions;
        let meant = near.near(&undefined::OBJECT, &about, word.text, names);
        let diagnostic = undefined::name(&undefined::OBJECT, "object", word.text, word.span, meant);
        self.report_grouped(about, diagnostic);
        None
    }

    /// The parts after a list's head, if there are exactly so many.
    pub(super) fn exactly<'t>(
        &mut self,
        node: Node<'t>,
        count: usize,
        wanted: &str,
    ) -> Option<Vec<Node<'t>>> {
        let parts: Vec<Node<'t>> = node.rest().collect();
        if parts.len() == count {
            return Some(parts);
        }
        let found = match parts.len() {
            0 => String::new(),
            n => format!("{n} of them: {}", node.text()),
        };
        self.report(form::malformed(start_of(node), wanted, &found));
        None
    }
}
