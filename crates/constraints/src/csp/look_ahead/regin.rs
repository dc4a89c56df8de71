//! All-different by matching: strike every value that no way of serving all
//! members uses.
//!
//! Draw members on one side, values on the other, and a line where a member
//! can take a value. A way of serving all members is a matching that covers
//! them. Take one such matching. A member can exchange its value for another
//! one exactly if the value is free, or its holder can in turn exchange, and so
//! on until the chain ends at a free value or closes in a circle. Lines that
//! lie on no such chain are in no matching at all: their values are struck, and
//! what is left is all that pairs of (member, value) could ever tell. (J.-C.
//! Régin, "A filtering algorithm for constraints of difference in CSPs", 1994.)
//!
//! Régin finds circles as strongly connected components. As a set here has at
//! most 64 members worth looking at (there are only 64 values), the relation
//! "could take the value of" fits one word per member, and its closure by
//! Warshall's method is `k * k` word operations, with no stack to manage.

use super::elimination::Elimination;
use super::scopes::Filter;
use crate::csp::graph::Graph;
use crate::csp::matching::{Matching, NONE};
use crate::csp::store::{Finder, Reason, Refuted, Store};
use crate::csp::values::bits;

pub(crate) struct Regin {
    /// For each set, the value each member had in the last matching; a good
    /// start for the next.
    matched: Vec<Vec<u8>>,
    /// Which member holds each value.
    holder: [u8; 64],
    /// For each member those it could take a value from.
    reach: Vec<u64>,
}

impl Regin {
    pub(crate) fn new(graph: &Graph) -> Regin {
        Regin {
            matched: (graph.scopes.iter())
                .map(|scope| vec![NONE; scope.len()])
                .collect(),
            holder: [NONE; 64],
            reach: Vec::new(),
        }
    }

    /// Completes the last matching of a set. On failure, the members of a set
    /// too large for its values.
    fn rematch(&mut self, store: &Store<'_>, scope: usize) -> Result<(), u64> {
        let members = &store.graph.scopes[scope];
        Matching {
            matched: &mut self.matched[scope],
            holder: &mut self.holder,
        }
        .complete(&|at| store.values[members[at] as usize])
    }

    /// Fills `reach`, and returns the members that can move to a free value.
    fn exchange(&mut self, store: &Store<'_>, scope: usize) -> u64 {
        let members = &store.graph.scopes[scope];
        self.reach.clear();
        let mut loose = 0u64;
        for (at, &member) in members.iter().enumerate() {
            let mut row = 1u64 << at;
            for value in bits(store.values[member as usize]) {
                match self.holder[value as usize] {
                    NONE => loose |= 1 << at,
                    holder => row |= 1 << holder,
                }
            }
            self.reach.push(row);
        }
        for via in 0..members.len() {
            let row = self.reach[via];
            for reach in &mut self.reach {
                if *reach >> via & 1 == 1 {
                    *reach |= row;
                }
            }
        }
        let can_move = |at: &usize| self.reach[*at] & loose != 0;
        (0..members.len())
            .filter(can_move)
            .fold(0, |all, at| all | 1 << at)
    }
}

impl Filter for Regin {
    fn filter(&mut self, store: &mut Store<'_>, scope: usize) -> Result<(), Refuted> {
        Elimination.filter(store, scope)?;
        // Elimination has made sure that there are no more members than values.
        let members = &store.graph.scopes[scope];
        let finder = Finder::Scope(scope as u32);
        store.counters.checks += 1;
        if let Err(crowd) = self.rematch(store, scope) {
            let facts = confined(store, members, crowd);
            return Err(store.contradict(facts, finder));
        }
        let loose = self.exchange(store, scope);
        for (at, &member) in members.iter().enumerate() {
            let own = self.matched[scope][at];
            for value in bits(store.values[member as usize] & !(1 << own)) {
                let holder = self.holder[value as usize];
                if holder == NONE
                    || loose >> holder & 1 == 1
                    || self.reach[holder as usize] >> at & 1 == 1
                {
                    continue;
                }
                // The holder and all it could take values from are confined
                // to their own values, of which this is one.
                let reason = if store.keeps_reasons {
                    let crowd = self.reach[holder as usize];
                    let facts = confined(store, members, crowd);
                    store.because(facts)
                } else {
                    Reason::Root
                };
                store.strike(member as usize, 1 << value, reason, finder)?;
            }
        }
        Ok(())
    }
}

/// The facts that these members have no values beyond those they have now.
fn confined(store: &Store<'_>, members: &[u32], crowd: u64) -> Vec<(u32, u64)> {
    let crowd: Vec<u32> = bits(crowd).map(|at| members[at as usize]).collect();
    let joint = (crowd.iter()).fold(0, |all, member| all | store.values[*member as usize]);
    crowd.into_iter().map(|member| (member, !joint)).collect()
}
