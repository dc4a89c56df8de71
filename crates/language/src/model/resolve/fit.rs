//! Do arguments fit parameters? In number, in type, and if not, in which
//! other order.

use super::names::Word;
use super::{Resolver, Variables};
use crate::diagnostic::fit::{self, Misfit};
use crate::model::{FunctionId, ObjectId, PredicateId, Span, TaskRef, Term, TypeId, Variable};

/// Something with parameters.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    Predicate(PredicateId),
    Function(FunctionId),
    Task(TaskRef),
}

/// What a use says about its variables.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// The schema applies only if the arguments fit, so they are narrowed.
    Narrows,
    /// The use merely asks; arguments that do not fit make it false.
    Asks,
}

/// How one argument relates to its parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Fits,
    /// Some of its values fit.
    Overlaps,
    Never,
}

/// Up to this many arguments another order is looked for.
const MOST_PERMUTED: usize = 7;

impl Resolver {
    fn callee(&self, callee: Callee) -> (&'static str, &str, Span, &[Variable]) {
        let model = &self.reading.model;
        match callee {
            Callee::Predicate(id) => {
                let p = &model.predicates[id.index()];
                ("predicate", &p.name, p.span, &p.parameters)
            }
            Callee::Function(id) => {
                let f = &model.functions[id.index()];
                ("function", &f.name, f.span, &f.parameters)
            }
            Callee::Task(TaskRef::Task(id)) => {
                let t = &model.tasks[id.index()];
                ("task", &t.name, t.span, &t.parameters)
            }
            Callee::Task(TaskRef::Action(id)) => {
                let a = &model.actions[id.index()];
                ("action", &a.name, a.span, &a.variables[..a.arity])
            }
        }
    }

    /// Reports a wrong number of arguments; true if it is right.
    pub(super) fn arity_fits(&mut self, callee: Callee, found: usize, span: Span) -> bool {
        let (what, name, declared, parameters) = self.callee(callee);
        if parameters.len() == found {
            return true;
        }
        let diagnostic = fit::arity(what, name, span, parameters.len(), found, declared);
        let about = format!("{what} {name} {found} {}", span.file);
        self.report_grouped(about, diagnostic);
        false
    }

    /// Checks the arguments of a use inside a schema, narrows variables where
    /// the use demands it, and reports what does not fit.
    pub(super) fn fit(
        &mut self,
        callee: Callee,
        arguments: &[Term],
        words: &[Word<'_>],
        whole: Span,
        variables: &mut Variables,
        stance: Stance,
    ) {
        let (_, _, _, parameters) = self.callee(callee);
        let relations: Vec<Relation> = arguments
            .iter()
            .zip(parameters)
            .map(|(term, parameter)| self.relation(*term, parameter, &variables.list))
            .collect();
        if relations.iter().all(|relation| *relation == Relation::Fits) {
            return;
        }
        if relations.contains(&Relation::Never) {
            // In a schema, unlike in a fact, there is no reading as it was meant.
            self.reading.broken = true;
            self.misfit(callee, words, whole, &|resolver, from, parameter| {
                resolver.relation(arguments[from], parameter, &variables.list)
            });
            return;
        }
        for (place, relation) in relations.iter().enumerate() {
            if let (Relation::Overlaps, Term::Variable(id)) = (relation, arguments[place]) {
                let (what, name, declared, parameters) = self.callee(callee);
                let wanted = parameters[place].clone();
                let misfit = Misfit {
                    what,
                    name,
                    declared,
                    whole,
                };
                let variable = &variables.list[id.index()];
                let diagnostic = fit::narrowed(
                    &misfit,
                    (words[place].text, words[place].span),
                    place,
                    &self.describe(&variable.types, &variable.also),
                    &self.describe(&wanted.types, &wanted.also),
                );
                if stance == Stance::Narrows {
                    narrow(&mut variables.list[id.index()], &wanted);
                    self.report(diagnostic);
                }
            }
        }
    }

    /// Checks the arguments of a fact. Returns an order that fits, if the
    /// given one does not and another does.
    pub(super) fn fit_fact(
        &mut self,
        callee: Callee,
        arguments: &[ObjectId],
        words: &[Word<'_>],
        whole: Span,
    ) -> Option<Vec<usize>> {
        let (_, _, _, parameters) = self.callee(callee);
        let fits = arguments
            .iter()
            .zip(parameters)
            .all(|(object, parameter)| self.object_fits(*object, parameter));
        if fits {
            return None;
        }
        self.misfit(
            callee,
            words,
            whole,
            &|resolver, from, parameter| match resolver.object_fits(arguments[from], parameter) {
                true => Relation::Fits,
                false => Relation::Never,
            },
        )
    }

    /// Reports arguments that cannot fit: in another order if there is one
    /// that fits, otherwise each argument that does not.
    fn misfit(
        &mut self,
        callee: Callee,
        words: &[Word<'_>],
        whole: Span,
        relation: &dyn Fn(&Resolver, usize, &Variable) -> Relation,
    ) -> Option<Vec<usize>> {
        let (what, name, declared, parameters) = self.callee(callee);
        let misfit = Misfit {
            what,
            name,
            declared,
            whole,
        };
        let fits: Vec<Vec<bool>> = parameters
            .iter()
            .map(|parameter| {
                (0..words.len())
                    .map(|from| relation(self, from, parameter) != Relation::Never)
                    .collect()
            })
            .collect();
        let found: Vec<String> = (0..words.len())
            .map(|from| self.describe_argument(words[from].text))
            .collect();
        let found_text = format!("({})", found.join(" "));
        let plural = match whole.file {
            1 => "facts",
            _ => "uses",
        };
        if words.len() <= MOST_PERMUTED
            && let Some(permutation) = permutation(&fits)
        {
            let signature: Vec<String> = parameters
                .iter()
                .map(|parameter| self.type_names(&parameter.types))
                .collect();
            let signature = format!("({})", signature.join(" "));
            let arguments: Vec<(&str, Span)> = words.iter().map(|w| (w.text, w.span)).collect();
            let diagnostic = fit::order(
                &misfit,
                &signature,
                &found_text,
                &arguments,
                &permutation,
                plural,
            );
            let about = format!("{what} {name} {permutation:?} {}", whole.file);
            self.report_grouped(about, diagnostic);
            return Some(permutation);
        }
        let mut reports = Vec::new();
        for (place, word) in words.iter().enumerate() {
            if !fits[place][place] {
                let wanted = self.describe(&parameters[place].types, &[]);
                let diagnostic = fit::mismatch(
                    &misfit,
                    (word.text, word.span),
                    place,
                    &found[place],
                    &wanted,
                );
                let about = format!("{what} {name} {place} {} {}", found[place], whole.file);
                reports.push((about, diagnostic.plural(plural)));
            }
        }
        for (about, diagnostic) in reports {
            self.report_grouped(about, diagnostic);
        }
        None
    }

    fn relation(&self, term: Term, parameter: &Variable, variables: &[Variable]) -> Relation {
        match term {
            Term::Object(object) => match self.object_fits(object, parameter) {
                true => Relation::Fits,
                false => Relation::Never,
            },
            Term::Variable(id) => {
                let variable = &variables[id.index()];
                let wanted = &parameter.types;
                let all = |types: &[TypeId]| types.iter().all(|ty| self.below_any(*ty, wanted));
                if all(&variable.types)
                    || variable.also.iter().any(|ty| self.below_any(*ty, wanted))
                {
                    return Relation::Fits;
                }
                let meets = |ty: &TypeId| wanted.iter().any(|wanted| self.overlap(*ty, *wanted));
                match variable.types.iter().any(meets) && variable.also.iter().all(meets) {
                    true => Relation::Overlaps,
                    false => Relation::Never,
                }
            }
        }
    }

    fn object_fits(&self, object: ObjectId, parameter: &Variable) -> bool {
        self.reading.model.objects[object.index()]
            .types
            .iter()
            .any(|ty| self.below_any(*ty, &parameter.types))
    }

    fn type_names(&self, types: &[TypeId]) -> String {
        let names: Vec<&str> = types
            .iter()
            .map(|ty| self.reading.model.types[ty.index()].name.as_str())
            .collect();
        names.join(" or ")
    }

    /// "of type `box`", with narrowings.
    fn describe(&self, types: &[TypeId], also: &[TypeId]) -> String {
        let mut text = format!("of type `{}`", self.type_names(types));
        for ty in also {
            text += &format!(" and `{}`", self.type_names(&[*ty]));
        }
        text
    }

    /// The type of an argument, for messages about facts and calls.
    fn describe_argument(&self, name: &str) -> String {
        let fold = !self.options.case_sensitive;
        match self.objects.get(name, fold) {
            Some(id) if !name.starts_with('?') => {
                self.type_names(&self.reading.model.objects[id as usize].types)
            }
            _ => name.to_owned(),
        }
    }
}

/// Restricts a variable to what a parameter admits.
fn narrow(variable: &mut Variable, wanted: &Variable) {
    match wanted.types.as_slice() {
        [only] => {
            if !variable.also.contains(only) {
                variable.also.push(*only);
            }
        }
        // One of several: take these as the types, and keep the old one.
        several => {
            let old = std::mem::replace(&mut variable.types, several.to_vec());
            if let [only] = old.as_slice() {
                variable.also.push(*only);
            }
        }
    }
}

/// Finds `p` such that argument `p[i]` fits parameter `i` for every `i`, as
/// near to the given order as a depth-first search in that order yields.
fn permutation(fits: &[Vec<bool>]) -> Option<Vec<usize>> {
    fn extend(fits: &[Vec<bool>], chosen: &mut Vec<usize>) -> bool {
        let place = chosen.len();
        if place == fits.len() {
            return true;
        }
        let stay = std::iter::once(place).chain((0..fits.len()).filter(|from| *from != place));
        for from in stay {
            if fits[place][from] && !chosen.contains(&from) {
                chosen.push(from);
                if extend(fits, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
    let mut chosen = Vec::new();
    extend(fits, &mut chosen).then_some(chosen)
}
