//! The `:types` section, written so that reading it numbers the types alike.

use super::Writer;
use crate::model::{Model, TypeId};
use std::fmt::Write;

impl Writer<'_> {
    pub(super) fn types(&self, out: &mut String) {
        let model = self.model;
        if model.types.len() <= 1 {
            return;
        }
        let groups = groups(model);
        out.push_str("\n  (:types");
        // A parent named before its turn would get a lower number; then all
        // names come first, without parents.
        if !numbers_alike(model, &groups) {
            let names: Vec<&str> = model.types[1..].iter().map(|ty| ty.name.as_str()).collect();
            _ = write!(out, "\n    {} - object", names.join(" "));
        }
        for (names, parents) in groups {
            let names: Vec<&str> = names.iter().map(|id| self.type_name(*id)).collect();
            _ = write!(
                out,
                "\n    {} - {}",
                names.join(" "),
                self.type_text(&parents)
            );
        }
        out.push(')');
    }
}

/// Neighbouring types with the same parents.
fn groups(model: &Model) -> Vec<(Vec<TypeId>, Vec<TypeId>)> {
    let mut groups: Vec<(Vec<TypeId>, Vec<TypeId>)> = Vec::new();
    for (index, ty) in model.types.iter().enumerate().skip(1) {
        let id = TypeId(index as u32);
        match groups.last_mut() {
            Some((names, parents)) if *parents == ty.parents => names.push(id),
            _ => groups.push((vec![id], ty.parents.clone())),
        }
    }
    groups
}

/// True if reading the groups meets the types in the order of their numbers.
fn numbers_alike(model: &Model, groups: &[(Vec<TypeId>, Vec<TypeId>)]) -> bool {
    let mut seen = vec![false; model.types.len()];
    seen[0] = true;
    let mut next = 1;
    for id in groups
        .iter()
        .flat_map(|(names, parents)| names.iter().chain(parents))
    {
        if !std::mem::replace(&mut seen[id.index()], true) {
            if id.index() != next {
                return false;
            }
            next += 1;
        }
    }
    true
}
