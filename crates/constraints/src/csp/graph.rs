//! The constraints of a network, laid out for search.
//!
//! Each variable has a row of edges, one per constrained neighbour, ascending
//! by neighbour, so that "the neighbours assigned before me" is a prefix of the
//! row when variables are assigned in their own order. An edge knows two
//! support tables, one for each direction:
//!
//! ```text
//! supports[table << 6 | v] = the values the other may take while I take v
//! ```
//!
//! Table 0 is "differs" and shared by all such edges; its edges are also kept
//! apart in `unequal`, because they can only ever strike the one value that a
//! neighbour has settled on.

use std::collections::BTreeMap;

/// One variable's end of a constraint between two variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The neighbour.
    pub other: u32,
    /// What the neighbour may take while this variable takes a value.
    pub table: u32,
    /// What this variable may take while the neighbour takes a value.
    pub reverse: u32,
    /// The constraint's number, the same at both ends.
    pub pair: u32,
}

/// What must hold between the two variables of a pair.
#[derive(Clone, Debug)]
pub(crate) enum Relation {
    /// They differ.
    NotEqual,
    /// For each value of the first, the values the second may take.
    Table(Box<[u64; 64]>),
}

impl Relation {
    pub(crate) fn allowed(&self, first: u32) -> u64 {
        match self {
            Relation::NotEqual => !(1 << first),
            Relation::Table(rows) => rows[first as usize],
        }
    }
}

#[derive(Debug)]
pub(crate) struct Graph {
    /// How many variables there are.
    pub len: usize,
    /// How many constrained pairs there are.
    pub pairs: usize,
    edges: Rows<Edge>,
    earlier: Vec<u32>,
    unequal: Rows<u32>,
    related: Rows<Edge>,
    supports: Vec<u64>,
    /// The sets of variables that must all differ.
    pub scopes: Vec<Vec<u32>>,
    scopes_of: Rows<u32>,
}

impl Graph {
    pub(crate) fn new(
        len: usize,
        pairs: &BTreeMap<(u32, u32), Relation>,
        scopes: &[Vec<u32>],
    ) -> Graph {
        let mut supports: Vec<u64> = (0..64).map(|value| !(1u64 << value)).collect();
        let mut edges = vec![Vec::new(); len];
        for (pair, (&(low, high), relation)) in pairs.iter().enumerate() {
            let (table, reverse) = match relation {
                Relation::NotEqual => (0, 0),
                Relation::Table(rows) => {
                    let table = (supports.len() >> 6) as u32;
                    supports.extend_from_slice(&rows[..]);
                    supports.extend_from_slice(&transposed(rows));
                    (table, table + 1)
                }
            };
            let pair = pair as u32;
            edges[low as usize].push(Edge {
                other: high,
                table,
                reverse,
                pair,
            });
            edges[high as usize].push(Edge {
                other: low,
                table: reverse,
                reverse: table,
                pair,
            });
        }
        for row in &mut edges {
            row.sort_by_key(|edge| edge.other);
        }
        let mut scopes_of = vec![Vec::new(); len];
        for (scope, members) in scopes.iter().enumerate() {
            for &member in members {
                scopes_of[member as usize].push(scope as u32);
            }
        }
        let part = |row: &Vec<Edge>, equal: bool| -> Vec<Edge> {
            let wanted = row.iter().filter(|edge| (edge.table == 0) == equal);
            wanted.copied().collect()
        };
        Graph {
            len,
            pairs: pairs.len(),
            earlier: (edges.iter().enumerate())
                .map(|(me, row)| row.partition_point(|edge| (edge.other as usize) < me) as u32)
                .collect(),
            unequal: Rows::new(edges.iter().map(|row| {
                let others = part(row, true).into_iter().map(|edge| edge.other);
                others.collect()
            })),
            related: Rows::new(edges.iter().map(|row| part(row, false))),
            edges: Rows::new(edges.into_iter()),
            supports,
            scopes: scopes.to_vec(),
            scopes_of: Rows::new(scopes_of.into_iter()),
        }
    }

    /// Every constraint of a variable.
    #[inline]
    pub(crate) fn edges(&self, variable: usize) -> &[Edge] {
        self.edges.row(variable)
    }

    /// The constraints of a variable with those numbered before it, ascending.
    #[inline]
    pub(crate) fn earlier(&self, variable: usize) -> &[Edge] {
        &self.edges.row(variable)[..self.earlier[variable] as usize]
    }

    /// The neighbours that must merely differ.
    #[inline]
    pub(crate) fn unequal(&self, variable: usize) -> &[u32] {
        self.unequal.row(variable)
    }

    /// The constraints that are more than "differs".
    #[inline]
    pub(crate) fn related(&self, variable: usize) -> &[Edge] {
        self.related.row(variable)
    }

    /// The all-different sets a variable belongs to.
    #[inline]
    pub(crate) fn scopes_of(&self, variable: usize) -> &[u32] {
        self.scopes_of.row(variable)
    }

    /// What `table` leaves the other side while this side takes `value`.
    #[inline]
    pub(crate) fn support(&self, table: u32, value: u32) -> u64 {
        self.supports[(table as usize) << 6 | value as usize]
    }

    /// The number of the constraint between two neighbours.
    pub(crate) fn pair_of(&self, a: usize, b: usize) -> Option<usize> {
        let row = self.edges(a);
        row.binary_search_by_key(&(b as u32), |edge| edge.other)
            .ok()
            .map(|at| row[at].pair as usize)
    }
}

fn transposed(rows: &[u64; 64]) -> [u64; 64] {
    let mut columns = [0; 64];
    for (row, bits) in rows.iter().enumerate() {
        for (column, word) in columns.iter_mut().enumerate() {
            *word |= (bits >> column & 1) << row;
        }
    }
    columns
}

/// Rows of different lengths, end to end in one allocation.
#[derive(Debug)]
struct Rows<T> {
    items: Vec<T>,
    starts: Vec<u32>,
}

impl<T> Rows<T> {
    fn new(rows: impl Iterator<Item = Vec<T>>) -> Rows<T> {
        let mut items = Vec::new();
        let mut starts = vec![0];
        for row in rows {
            items.extend(row);
            starts.push(items.len() as u32);
        }
        Rows { items, starts }
    }

    #[inline]
    fn row(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}
