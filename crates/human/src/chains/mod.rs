//! Chains of implications: if this candidate is true, those are false, so that
//! one is true.
//!
//! [`unary`] looks for chains from one candidate to its opposite and for cycles,
//! [`multiple`] for several chains that meet; [`walk`] follows one assumption,
//! [`advanced`] applies other techniques inside a walk. The rating of a chain
//! grows with the number of its links.
//!
//! Which of several proofs is the step, and so the rating of the puzzle,
//! depends on the order of every loop. It is that of Sudoku Explainer 1.2.1: of
//! all hints of a family the one with the fewest links, then the simplest kind,
//! then the first met.

mod advanced;
mod closure;
mod links;
mod multiple;
mod nishio;
mod proof;
mod reach;
mod rings;
mod unary;
mod walk;

use planoku_engine::{Run, Stop};

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::Pattern;
use crate::step::Chain;
use crate::{Rating, Step, Technique};
use advanced::Nest;
use links::Links;
pub(crate) use multiple::{Family, Level};
use multiple::{Hint, Meetings, Wanted};
use unary::{Unary, UnaryHint};

/// What a chain, or several, prove.
#[derive(Clone, Debug)]
pub(crate) struct ChainFind {
    technique: Technique,
    rating: Rating,
    placement: Option<(u8, u8)>,
    strikes: CandidateSet,
    /// Only where somebody wants to see it.
    proof: Option<Box<Proof>>,
}

/// The chains themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    chains: Vec<Chain>,
    variant: Option<&'static str>,
    house: Option<u8>,
}

/// Looks for chains, and keeps the memory it needs for that.
#[derive(Default)]
pub(crate) struct Chains {
    links: Links,
    unary: Unary,
    meetings: Meetings,
    nest: Nest,
}

impl Chains {
    /// The shortest chain or cycle from one candidate.
    pub(crate) fn unary(
        &mut self,
        board: &Board,
        explaining: bool,
        run: &mut Run<'_>,
    ) -> Result<Option<ChainFind>, Stop> {
        self.links.read(board);
        self.links.read_pairs();
        let best = self.unary.best(board, &self.links, run)?;
        Ok(best.map(|hint| ChainFind::of_unary(&hint, explaining)))
    }

    /// All chains and cycles from one candidate that differ in effect.
    pub(crate) fn all_unary(
        &mut self,
        board: &Board,
        explaining: bool,
        run: &mut Run<'_>,
    ) -> Result<Vec<ChainFind>, Stop> {
        self.links.read(board);
        self.links.read_pairs();
        let hints = self.unary.all(board, &self.links, run)?;
        let mut found: Vec<ChainFind> = Vec::new();
        for hint in hints {
            let find = ChainFind::of_unary(&hint, explaining);
            match found.iter_mut().find(|known| known.has_effect_of(&find)) {
                Some(known) if known.rating <= find.rating => {}
                Some(known) => *known = find,
                None => found.push(find),
            }
        }
        Ok(found)
    }

    /// The shortest proof of a family, once [`Chains::unary`] has found nothing
    /// on the same board.
    pub(crate) fn meeting(
        &mut self,
        board: &Board,
        family: Family,
        explaining: bool,
        run: &mut Run<'_>,
    ) -> Result<Option<ChainFind>, Stop> {
        let wanted = if explaining {
            Wanted::BestShown
        } else {
            Wanted::Best
        };
        let mut found = self.meetings(board, family, wanted, explaining, run)?;
        Ok(found.pop())
    }

    /// All proofs of a family that differ in effect, once [`Chains::all_unary`]
    /// has been asked about the same board.
    pub(crate) fn all_meetings(
        &mut self,
        board: &Board,
        family: Family,
        explaining: bool,
        run: &mut Run<'_>,
    ) -> Result<Vec<ChainFind>, Stop> {
        self.meetings(board, family, Wanted::All, explaining, run)
    }

    fn meetings(
        &mut self,
        board: &Board,
        family: Family,
        wanted: Wanted,
        explaining: bool,
        run: &mut Run<'_>,
    ) -> Result<Vec<ChainFind>, Stop> {
        let ways = (&self.links, self.unary.consequences());
        let nest = &mut self.nest;
        nest.show(explaining.then_some(proof::INSIDE));
        self.meetings.find(board, family, wanted, ways, nest, run)?;
        let mut found: Vec<ChainFind> = Vec::new();
        // The easiest come first.
        for hint in &self.meetings.hints {
            let mut find = ChainFind::of_meeting(board, family, hint);
            if !found.iter().any(|known| known.has_effect_of(&find)) {
                let proof = || Box::new(proof::of_meeting(hint, &self.meetings, Some(&self.nest)));
                find.proof = explaining.then(proof);
                found.push(find);
            }
        }
        Ok(found)
    }
}

impl ChainFind {
    fn of_unary(hint: &UnaryHint, explaining: bool) -> ChainFind {
        let (last, _) = hint.path[0];
        let on = last % 2 == 1 && !hint.is_cycle;
        ChainFind {
            technique: hint.technique,
            rating: Rating((hint.difficulty * 10.0).round() as u8),
            placement: on.then_some(((last / 18) as u8, (last / 2 % 9) as u8)),
            strikes: hint.strikes,
            proof: explaining.then(|| Box::new(proof::of_unary(hint))),
        }
    }

    fn has_effect_of(&self, other: &ChainFind) -> bool {
        (self.placement, self.strikes) == (other.placement, other.strikes)
    }

    fn of_meeting(board: &Board, family: Family, hint: &Hint) -> ChainFind {
        let technique = advanced::technique(family, hint);
        let toll = (length_toll(hint.complexity) * 10.0).round() as u8;
        let mut strikes = CandidateSet::NONE;
        let (cell, digit) = (hint.target / 18, hint.target / 2 % 9);
        strikes.insert_digits(cell.into(), advanced::strikes(board, hint));
        ChainFind {
            technique,
            rating: Rating(technique.base().0 + toll),
            placement: (hint.target % 2 == 1).then_some((cell as u8, digit as u8)),
            strikes,
            proof: None,
        }
    }
}

/// What the scale adds for length: a tenth for each of 4, 6, 8, 12, 16, 24 ...
/// that the number of links beyond two exceeds. Added up as the reference does,
/// since equal ratings are told apart by the last bit.
pub(crate) fn length_toll(complexity: u16) -> f64 {
    let length = u32::from(complexity).saturating_sub(2);
    let (mut toll, mut step, mut by_half) = (0.0, 4, true);
    while length > step {
        toll += 0.1;
        step = if by_half { step * 3 / 2 } else { step * 4 / 3 };
        by_half = !by_half;
    }
    toll
}

impl Pattern for ChainFind {
    fn technique(&self) -> Technique {
        self.technique
    }

    fn rating(&self) -> Rating {
        self.rating
    }

    fn placement(&self) -> Option<(usize, usize)> {
        self.placement
            .map(|(cell, digit)| (cell.into(), digit.into()))
    }

    fn strikes(&self, _board: &Board) -> CandidateSet {
        self.strikes
    }

    fn explain(&self, _board: &Board, step: &mut Step) {
        if let Some(proof) = &self.proof {
            step.chains.clone_from(&proof.chains);
            step.variant = proof.variant;
            if let Some(house) = proof.house {
                step.add_house(house.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rater;
    use crate::finder::Finder;
    use crate::step::LinkReason;

    /// Rated 9.1, so that there is a board on which nothing but dynamic chains
    /// helps; with techniques and chains inside there is more to be found.
    #[test]
    fn chains_inside_others_are_shown_and_sound() {
        let puzzle =
            "...1..5...57..3..8..1.8..........4..48....29...6...3.7..8.39...7..42.....3.....54";
        let puzzle: planoku_sudoku::Grid = puzzle.parse().unwrap();
        let run = &mut Run::limit(1);
        let path = Rater::new().path(&puzzle, run).unwrap();
        let hard = |step: &Step| step.technique == Technique::DynamicChains;
        let steps = path.steps.iter().position(hard).unwrap();
        let board = crate::page::positions(&puzzle, &path.steps).swap_remove(steps);
        assert!(Finder::default().first(&board, run).unwrap().is_some());
        let mut chains = Chains::default();
        assert!(chains.unary(&board, true, run).unwrap().is_none());
        for level in [Level::Plus, Level::Chains] {
            let (mut techniques, mut inside) = (0, 0);
            let found = chains.all_meetings(&board, Family::Dynamic(level), true, run);
            for find in found.unwrap() {
                for struck in find.strikes(&board).to_vec() {
                    assert_ne!(path.solution.get(struck.cell), Some(struck.digit));
                }
                let mut step = crate::found::Found::Chain(find).step(&board);
                let all = std::mem::take(&mut step.chains);
                for node in all.iter().flat_map(|chain| &chain.nodes) {
                    techniques += usize::from(matches!(node.reason, LinkReason::Technique(_)));
                    inside += usize::from(!node.inside.is_empty());
                    assert!(node.inside.iter().all(|nth| all[*nth].nested));
                }
            }
            assert!(techniques > 0, "{level:?}");
            assert_eq!(inside > 0, level == Level::Chains, "{level:?}");
        }
    }

    #[test]
    fn the_toll_grows_by_a_tenth_at_each_threshold() {
        let thresholds = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
        for complexity in 0..600 {
            let passed = thresholds.iter().filter(|at| complexity > **at + 2).count();
            let toll = (length_toll(complexity) * 10.0).round() as usize;
            assert_eq!(toll, passed, "{complexity}");
        }
    }
}
