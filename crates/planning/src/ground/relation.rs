//! Flat tables of tuples: interned, indexed by argument, cheap to scan.
//!
//! A [`Table`] numbers tuples of one width. Rows lie one after another in a
//! single vector and an open-addressing table of row numbers finds them
//! again, so a tuple of three objects costs about 26 bytes and no allocation.
//!
//! A [`Relation`] is a table some of whose rows are *visible* to joins: a fact
//! may be numbered (because an action mentions it) long before it is known to
//! be reachable. An [`Index`] lists the visible rows that agree on some columns.

/// The end of a linked list, and the absence of a row.
pub const NONE: u32 = u32::MAX;

/// Tuples of one width, numbered in order of arrival.
#[derive(Clone, Debug, Default)]
pub struct Table {
    width: usize,
    rows: Vec<u32>,
    len: u32,
    /// Where rows are found by their hash: `(hash, row)`, or [`FREE`]; a power
    /// of two in length. Rows are looked at only where the hashes agree, for
    /// every look is a wait for memory.
    slots: Vec<(u32, u32)>,
}

const FREE: (u32, u32) = (0, NONE);

fn hash(tuple: &[u32]) -> u32 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for &value in tuple {
        state = (state ^ u64::from(value)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        state ^= state >> 32;
    }
    state as u32
}

/// Tuples are too short to be compared by a call.
#[inline]
fn equal(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl Table {
    /// An empty table of tuples of `width` values.
    pub fn new(width: usize) -> Table {
        Table {
            width,
            ..Table::default()
        }
    }

    /// How many tuples there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// The tuple of that number.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        let start = row as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// The number of a tuple, if it has one.
    #[inline]
    pub fn find(&self, tuple: &[u32]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.place(tuple, hash(tuple)).ok()
    }

    /// The number of a tuple of this hash, or the free slot where it belongs.
    #[inline]
    fn place(&self, tuple: &[u32], hash: u32) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (known, row) = self.slots[slot];
            if row == NONE {
                return Err(slot);
            }
            if known == hash && equal(self.row(row), tuple) {
                return Ok(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a tuple, and true if it is new.
    pub fn intern(&mut self, tuple: &[u32]) -> (u32, bool) {
        if self.len as usize * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let hash = hash(tuple);
        match self.place(tuple, hash) {
            Ok(row) => (row, false),
            Err(slot) => {
                let row = self.len;
                self.slots[slot] = (hash, row);
                self.rows.extend_from_slice(tuple);
                self.len += 1;
                (row, true)
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(8);
        let old = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for entry in old.into_iter().filter(|it| it.1 != NONE) {
            let mut slot = entry.0 as usize & (size - 1);
            while self.slots[slot].1 != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = entry;
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * 4 + self.slots.capacity() * 8
    }
}

/// The visible rows of a relation, grouped by the values of some columns.
#[derive(Clone, Debug)]
pub struct Index {
    columns: Vec<usize>,
    groups: Table,
    /// Per group, its newest entry.
    heads: Vec<u32>,
    /// `(row, next entry)`.
    entries: Vec<(u32, u32)>,
}

impl Index {
    /// How many rows a key finds on average.
    fn fan_out(&self) -> f64 {
        self.entries.len() as f64 / f64::from(self.groups.len().max(1))
    }

    fn insert(&mut self, row: u32, tuple: &[u32]) {
        let mut key = [0; 16];
        for (place, &column) in key.iter_mut().zip(&self.columns) {
            *place = tuple[column];
        }
        let (group, new) = self.groups.intern(&key[..self.columns.len()]);
        if new {
            self.heads.push(NONE);
        }
        let head = &mut self.heads[group as usize];
        self.entries.push((row, *head));
        *head = self.entries.len() as u32 - 1;
    }

    /// The first entry for a key, or [`NONE`].
    #[inline]
    pub fn first(&self, key: &[u32]) -> u32 {
        self.groups
            .find(key)
            .map_or(NONE, |group| self.heads[group as usize])
    }

    /// An entry's row and the next entry.
    #[inline]
    pub fn entry(&self, entry: u32) -> (u32, u32) {
        self.entries[entry as usize]
    }
}

/// A table, some of whose rows are visible to joins.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// All tuples that were ever mentioned.
    pub table: Table,
    /// For each row, a number unique across relations.
    pub ids: Vec<u32>,
    /// The rows that joins may see, in the order in which they appeared.
    pub visible: Vec<u32>,
    seen: Vec<bool>,
    /// How many rows, from the first, hold in the initial state.
    pub initial: u32,
    indexes: Vec<Index>,
}

impl Relation {
    /// An empty relation of tuples of `width` values.
    pub fn new(width: usize) -> Relation {
        Relation {
            table: Table::new(width),
            ..Relation::default()
        }
    }

    /// True if joins may see the row.
    #[inline]
    pub fn is_visible(&self, row: u32) -> bool {
        self.seen.get(row as usize).copied().unwrap_or(false)
    }

    /// Lets joins see the row.
    pub fn show(&mut self, row: u32) {
        if self.seen.len() <= row as usize {
            self.seen.resize(row as usize + 1, false);
        }
        self.seen[row as usize] = true;
        self.visible.push(row);
        for index in &mut self.indexes {
            index.insert(row, self.table.row(row));
        }
    }

    /// The index over these columns, made if need be. At most 16 columns of a
    /// wide relation take part in a key; the caller compares the others.
    pub fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(known) = self.indexes.iter().position(|i| i.columns == columns) {
            return known;
        }
        let mut index = Index {
            columns: columns.to_vec(),
            groups: Table::new(columns.len()),
            heads: Vec::new(),
            entries: Vec::new(),
        };
        for &row in &self.visible {
            index.insert(row, self.table.row(row));
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// An index by its number.
    #[inline]
    pub fn index(&self, number: usize) -> &Index {
        &self.indexes[number]
    }

    /// How many visible rows agree with a key over these columns, on average.
    pub fn fan_out(&mut self, columns: &[usize]) -> f64 {
        if columns.is_empty() {
            return self.visible.len() as f64;
        }
        let index = self.index_on(columns);
        self.indexes[index].fan_out()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let indexes: usize = self
            .indexes
            .iter()
            .map(|i| i.groups.bytes() + i.heads.capacity() * 4 + i.entries.capacity() * 8)
            .sum();
        self.table.bytes()
            + (self.ids.capacity() + self.visible.capacity()) * 4
            + self.seen.capacity()
            + indexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_keeps_its_number() {
        let mut table = Table::new(2);
        for n in 0..1000 {
            assert_eq!(table.intern(&[n, n % 7]), (n, true));
        }
        for n in 0..1000 {
            assert_eq!(table.intern(&[n, n % 7]), (n, false));
            assert_eq!(table.find(&[n, n % 7]), Some(n));
        }
        assert_eq!(table.find(&[1, 2]), None);
        assert_eq!(table.row(9), [9, 2]);
    }

    #[test]
    fn the_empty_tuple_is_one_tuple() {
        let mut table = Table::new(0);
        assert_eq!(table.find(&[]), None);
        assert_eq!(table.intern(&[]), (0, true));
        assert_eq!(table.intern(&[]), (0, false));
    }

    #[test]
    fn an_index_lists_visible_rows_only() {
        let mut relation = Relation::new(2);
        for n in 0..6 {
            relation.table.intern(&[n % 2, n]);
        }
        relation.show(0);
        let index = relation.index_on(&[0]);
        relation.show(4);
        relation.show(1);
        let mut rows = vec![];
        let mut entry = relation.index(index).first(&[0]);
        while entry != NONE {
            let (row, next) = relation.index(index).entry(entry);
            rows.push(row);
            entry = next;
        }
        assert_eq!(rows, [4, 0]);
        assert_eq!(relation.index(index).first(&[5]), NONE);
    }
}
