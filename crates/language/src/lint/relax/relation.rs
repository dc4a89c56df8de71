//! A set of tuples with an index on each column.

use crate::model::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

/// Tuples of one length, in the order of their insertion.
pub(in crate::lint) struct Relation {
    arity: usize,
    tuples: Vec<ObjectId>,
    count: usize,
    set: FxHashSet<Box<[ObjectId]>>,
    columns: Vec<FxHashMap<ObjectId, Vec<u32>>>,
}

impl Relation {
    pub fn new(arity: usize) -> Relation {
        Relation {
            arity,
            tuples: Vec::new(),
            count: 0,
            set: FxHashSet::default(),
            columns: vec![FxHashMap::default(); arity],
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn contains(&self, tuple: &[ObjectId]) -> bool {
        self.set.contains(tuple)
    }

    /// Adds a tuple; false if it was there.
    pub fn insert(&mut self, tuple: &[ObjectId]) -> bool {
        if !self.set.insert(tuple.into()) {
            return false;
        }
        for (column, object) in self.columns.iter_mut().zip(tuple) {
            column.entry(*object).or_default().push(self.count as u32);
        }
        self.tuples.extend_from_slice(tuple);
        self.count += 1;
        true
    }

    pub fn tuple(&self, index: usize) -> &[ObjectId] {
        &self.tuples[index * self.arity..(index + 1) * self.arity]
    }

    /// The tuples with the object in the column.
    pub fn with(&self, column: usize, object: ObjectId) -> &[u32] {
        self.columns[column].get(&object).map_or(&[], Vec::as_slice)
    }
}
