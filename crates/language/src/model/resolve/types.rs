//! Types: a graph without circles, under `object`.

use super::declare::TypeWords;
use super::define::Definition;
use super::{OBJECT, Resolver, Symbol};
use crate::diagnostic::{case, structure, undefined};
use crate::model::{Type, TypeId};

impl Resolver {
    /// Enters every declared type with its parents. A type may be declared
    /// twice; its parents add up. Parents need no declaration of their own.
    pub(super) fn declare_types(&mut self, file: &Definition<'_>) {
        for section in file.all(":types") {
            for group in self.typed_list(section.rest(), false) {
                // Names before parents: types are numbered as they are met.
                let ids: Vec<TypeId> = group
                    .names
                    .iter()
                    .map(|name| self.intern_type(*name))
                    .collect();
                let parents: Vec<TypeId> = match &group.types {
                    TypeWords::None => Vec::new(),
                    TypeWords::Of(words) => words
                        .iter()
                        .map(|word| {
                            let id = self.intern_type(*word);
                            self.refer(word.span, Symbol::Type(id), false);
                            id
                        })
                        .collect(),
                };
                for (name, id) in group.names.into_iter().zip(ids) {
                    self.refer(name.span, Symbol::Type(id), true);
                    if self.declared_types.len() <= id.index() {
                        self.declared_types.resize(id.index() + 1, false);
                    }
                    let again = std::mem::replace(&mut self.declared_types[id.index()], true);
                    let ty = &mut self.model().types[id.index()];
                    if !again && id != OBJECT {
                        // So far it may have been named as a parent only.
                        ty.name = name.text.to_owned();
                        ty.span = name.span;
                    } else if again && ty.name != name.text {
                        let first = (ty.name.clone(), ty.span);
                        self.report(case::clash(
                            "type",
                            (name.text, name.span),
                            (&first.0, first.1),
                        ));
                    }
                    let ty = &mut self.model().types[id.index()];
                    for parent in &parents {
                        if *parent != OBJECT && id != OBJECT && !ty.parents.contains(parent) {
                            ty.parents.push(*parent);
                        }
                    }
                }
            }
        }
    }

    fn intern_type(&mut self, word: super::Word<'_>) -> TypeId {
        let fold = !self.options.case_sensitive;
        if let Some(id) = self.types.get(word.text, fold) {
            return TypeId(id);
        }
        let id = self.model().types.len() as u32;
        self.model().types.push(Type {
            name: word.text.to_owned(),
            parents: Vec::new(),
            span: word.span,
        });
        self.types.insert(word.text, id, fold);
        TypeId(id)
    }

    /// Breaks circles, puts orphans under `object`, and prepares the tests.
    pub(super) fn finish_types(&mut self) {
        self.undeclared_parents();
        self.break_circles();
        for ty in self.model().types.iter_mut().skip(1) {
            if ty.parents.is_empty() {
                ty.parents.push(OBJECT);
            }
        }
        self.ancestors = Ancestors::of(&self.reading.model.types);
    }

    /// Types that are named as parents and declared nowhere.
    fn undeclared_parents(&mut self) {
        let declared = |id: usize, declared: &[bool]| declared.get(id) == Some(&true);
        for id in 1..self.reading.model.types.len() {
            if declared(id, &self.declared_types) {
                continue;
            }
            let types = &self.reading.model.types;
            let ty = &types[id];
            let others = types
                .iter()
                .enumerate()
                .filter(|(id, _)| declared(*id, &self.declared_types))
                .map(|(_, ty)| (ty.name.as_str(), ty.span));
            let near = &mut self.suggestions;
            let meant = near.near(&undefined::PARENT, &ty.name, &ty.name, others);
            let diagnostic = undefined::parent(&ty.name, ty.span, meant);
            match diagnostic.code == &undefined::PARENT {
                true => self.reading.undeclared_parents.push(diagnostic),
                false => self.report(diagnostic),
            }
        }
    }

    /// Depth-first search with an explicit stack; the edge that closes a
    /// circle is reported and removed.
    fn break_circles(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Active,
            Done,
        }
        let count = self.reading.model.types.len();
        let mut marks = vec![Mark::New; count];
        for root in 0..count {
            if marks[root] != Mark::New {
                continue;
            }
            let mut stack = vec![(root, 0usize)];
            marks[root] = Mark::Active;
            while let Some((at, next)) = stack.last_mut() {
                let here = *at;
                let Some(parent) = self.reading.model.types[here].parents.get(*next) else {
                    marks[here] = Mark::Done;
                    stack.pop();
                    continue;
                };
                let parent = parent.index();
                match marks[parent] {
                    Mark::Done => *next += 1,
                    Mark::New => {
                        *next += 1;
                        marks[parent] = Mark::Active;
                        stack.push((parent, 0));
                    }
                    Mark::Active => {
                        let place = *next;
                        let from = stack.iter().position(|(at, _)| *at == parent).unwrap_or(0);
                        let types = &self.reading.model.types;
                        let path: Vec<&str> = stack[from..]
                            .iter()
                            .map(|(at, _)| types[*at].name.as_str())
                            .chain([types[parent].name.as_str()])
                            .collect();
                        let diagnostic = structure::cyclic_types(&path, types[parent].span);
                        self.report(diagnostic);
                        self.circles = true;
                        self.model().types[here].parents.remove(place);
                    }
                }
            }
        }
    }

    /// True if every object of `ty` is of one of `wanted`.
    pub(super) fn below_any(&self, ty: TypeId, wanted: &[TypeId]) -> bool {
        wanted.iter().any(|wanted| self.below(ty, *wanted))
    }

    /// True if `ty` is `wanted` or below it. Where types were in a circle
    /// everything fits, for the circle has its message already.
    pub(super) fn below(&self, ty: TypeId, wanted: TypeId) -> bool {
        self.circles || self.ancestors.below(&self.reading.model, ty, wanted)
    }

    /// True if something could be of both types: one is below the other, or a
    /// third below both, or some object is declared with both.
    pub(super) fn overlap(&self, a: TypeId, b: TypeId) -> bool {
        if self.below(a, b) || self.below(b, a) {
            return true;
        }
        if let Some(known) = self.overlaps.borrow().get(&(a, b)) {
            return *known;
        }
        let found = self.third_below(a, b);
        self.overlaps.borrow_mut().insert((a, b), found);
        found
    }

    fn third_below(&self, a: TypeId, b: TypeId) -> bool {
        let model = &self.reading.model;
        (0..model.types.len() as u32).map(TypeId).any(|ty| {
            model.types[ty.index()].parents.len() > 1 && self.below(ty, a) && self.below(ty, b)
        }) || model.objects.iter().any(|object| {
            object.types.len() > 1
                && object.types.iter().any(|ty| self.below(*ty, a))
                && object.types.iter().any(|ty| self.below(*ty, b))
        })
    }
}

/// For each type one bit per ancestor, so that a fact's types are tested in
/// constant time. With absurdly many types the model itself is asked instead.
#[derive(Default)]
pub(super) struct Ancestors {
    bits: Vec<u64>,
    words: usize,
}

impl Ancestors {
    const MOST: usize = 8192;

    fn of(types: &[Type]) -> Ancestors {
        let count = types.len();
        if count > Ancestors::MOST {
            return Ancestors::default();
        }
        let words = count.div_ceil(64);
        let mut bits = vec![0u64; words * count];
        // Parents before children: repeat in an order by explicit stack.
        let mut done = vec![false; count];
        for root in 0..count {
            let mut stack = vec![root];
            while let Some(&at) = stack.last() {
                let open = types[at].parents.iter().find(|p| !done[p.index()]);
                if done[at] {
                    stack.pop();
                } else if let Some(parent) = open {
                    stack.push(parent.index());
                } else {
                    bits[at * words + at / 64] |= 1 << (at % 64);
                    bits[at * words] |= 1;
                    for parent in &types[at].parents {
                        for word in 0..words {
                            bits[at * words + word] |= bits[parent.index() * words + word];
                        }
                    }
                    done[at] = true;
                    stack.pop();
                }
            }
        }
        Ancestors { bits, words }
    }

    fn below(&self, model: &crate::model::Model, ty: TypeId, wanted: TypeId) -> bool {
        if self.words == 0 {
            return model.is_subtype(ty, wanted);
        }
        let wanted = wanted.index();
        self.bits[ty.index() * self.words + wanted / 64] >> (wanted % 64) & 1 == 1
    }
}
