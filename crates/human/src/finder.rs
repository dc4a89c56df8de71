//! The order of the scale: which technique is looked for when.
//!
//! The first pattern found is the next step; after every step the search
//! begins anew with the easiest technique.

use planoku_engine::{Run, Stop};

use crate::board::Board;
use crate::chains::{Chains, Family, Level};
use crate::found::{AnySink, First, Found};
use crate::techniques::{
    aligned, bug, fish, hidden_set, locked, naked_set, single, unique_loop, wing,
};
use crate::{Rating, Technique};

/// Looks for steps, and keeps the memory it needs for that.
#[derive(Default)]
pub(crate) struct Finder {
    chains: Chains,
    loops: unique_loop::Loops,
    aligned_pairs: aligned::Search,
    aligned_triplets: aligned::Search,
    /// Whether chains are kept for those who want to see them.
    explaining: bool,
}

/// The families of chains from the eighth rating up, in order.
const FAMILIES: [Family; 10] = [
    Family::Nishio,
    Family::Multiple,
    Family::Dynamic(Level::Zero),
    Family::Dynamic(Level::Plus),
    Family::Dynamic(Level::Chains),
    Family::Dynamic(Level::Multiple),
    Family::Dynamic(Level::Dynamic(0)),
    Family::Dynamic(Level::Dynamic(1)),
    Family::Dynamic(Level::Dynamic(2)),
    Family::Dynamic(Level::Dynamic(3)),
];

impl Finder {
    pub(crate) fn explain(&mut self, explaining: bool) {
        self.explaining = explaining;
    }

    /// The next step in the order of the scale.
    pub(crate) fn first(
        &mut self,
        board: &Board,
        run: &mut Run<'_>,
    ) -> Result<Option<Found>, Stop> {
        match easy(board) {
            Some(found) => Ok(Some(found)),
            None => self.hard(board, Rating(u8::MAX), run),
        }
    }

    /// The next step where there is no easy one; looks for nothing that is
    /// always harder than `most`.
    pub(crate) fn hard(
        &mut self,
        board: &Board,
        most: Rating,
        run: &mut Run<'_>,
    ) -> Result<Option<Found>, Stop> {
        run.tick()?;
        if most < Technique::UniqueRectangle.base() {
            return Ok(None);
        }
        let mut first = First::default();
        if self.later_patterns(board, &mut first) {
            return Ok(first.0);
        }
        if most < Technique::XCycle.base() {
            return Ok(None);
        }
        if let Some(chain) = self.chains.unary(board, self.explaining, run)? {
            return Ok(Some(Found::Chain(chain)));
        }
        if most < Technique::AlignedTriplet.base() {
            return Ok(None);
        }
        if self.aligned_triplets.find(board, 3, &mut first) {
            return Ok(first.0);
        }
        for family in FAMILIES {
            if most < family.base() {
                return Ok(None);
            }
            let found = self.chains.meeting(board, family, self.explaining, run)?;
            if let Some(chain) = found {
                return Ok(Some(Found::Chain(chain)));
            }
        }
        Ok(None)
    }
}

impl Finder {
    /// The hard step with the lowest rating, whatever the order of the scale;
    /// the first among equals.
    pub(crate) fn cheapest(
        &mut self,
        board: &Board,
        run: &mut Run<'_>,
    ) -> Result<Option<Found>, Stop> {
        run.tick()?;
        let mut all: Vec<Found> = Vec::new();
        Finder::default().later_patterns(board, &mut all);
        let mut best = all.into_iter().min_by_key(Found::rating);
        let mut offer = |found: Option<Found>| {
            if let Some(found) = found
                && best
                    .as_ref()
                    .is_none_or(|best| found.rating() < best.rating())
            {
                best = Some(found);
            }
            best.as_ref().map_or(Rating(u8::MAX), Found::rating)
        };
        if offer(None) <= Technique::XCycle.base() {
            return Ok(best);
        }
        let chain = self.chains.unary(board, self.explaining, run)?;
        let chained = chain.is_some();
        if offer(chain.map(Found::Chain)) <= Technique::AlignedTriplet.base() {
            return Ok(best);
        }
        let mut first = First::default();
        self.aligned_triplets.find(board, 3, &mut first);
        let mut cost = offer(first.0);
        for family in FAMILIES {
            // Beside a chain, the rest is never easier than a contradiction.
            if cost <= family.base() || (chained && family != Family::Nishio) {
                break;
            }
            let found = self.chains.meeting(board, family, self.explaining, run)?;
            cost = offer(found.map(Found::Chain));
        }
        Ok(best)
    }

    /// All hard steps up to a rating that have different effects; of the nested
    /// families, which take long, the best one only.
    pub(crate) fn all_hard(
        &mut self,
        board: &Board,
        ceiling: Rating,
        run: &mut Run<'_>,
    ) -> Result<Vec<Found>, Stop> {
        run.tick()?;
        let mut all: Vec<Found> = Vec::new();
        Finder::default().later_patterns(board, &mut all);
        let chains = self.chains.all_unary(board, self.explaining, run)?;
        let chained = !chains.is_empty();
        all.extend(chains.into_iter().map(Found::Chain));
        if Technique::AlignedTriplet.base() <= ceiling {
            aligned::Search::default().find(board, 3, &mut all);
        }
        for family in FAMILIES
            .into_iter()
            .filter(|family| family.base() <= ceiling)
        {
            if family.base() <= Technique::DynamicChains.base() {
                let found = self
                    .chains
                    .all_meetings(board, family, self.explaining, run)?;
                all.extend(found.into_iter().map(Found::Chain));
            } else if !chained && all.is_empty() {
                let found = self.chains.meeting(board, family, self.explaining, run)?;
                all.extend(found.map(Found::Chain));
            }
        }
        all.retain(|found| found.rating() <= ceiling);
        all.sort_by_key(Found::rating);
        Ok(all)
    }
}

/// The next step, if it is one of the easy techniques: those that are quick to
/// look for and take nothing for granted.
pub(crate) fn easy(board: &Board) -> Option<Found> {
    let mut first = First::default();
    early_patterns(board, &mut first);
    first.0
}

/// Everything up to the wings, until the sink has enough.
fn early_patterns(board: &Board, sink: &mut impl AnySink) -> bool {
    single::hidden(board, sink)
        || locked::direct(board, sink)
        || hidden_set::direct(board, 2, sink)
        || single::naked(board, sink)
        || hidden_set::direct(board, 3, sink)
        || locked::plain(board, sink)
        || naked_set::find(board, 2, sink)
        || fish::find(board, 2, sink)
        || hidden_set::plain(board, 2, sink)
        || naked_set::find(board, 3, sink)
        || fish::find(board, 3, sink)
        || hidden_set::plain(board, 3, sink)
        || wing::find(board, false, sink)
        || wing::find(board, true, sink)
}

impl Finder {
    /// Everything from there to the chains.
    fn later_patterns(&mut self, board: &Board, sink: &mut impl AnySink) -> bool {
        self.loops.find(board, sink)
            || naked_set::find(board, 4, sink)
            || fish::find(board, 4, sink)
            || hidden_set::plain(board, 4, sink)
            || bug::find(board, sink)
            || self.aligned_pairs.find(board, 2, sink)
    }
}
