//! Chains of implications: if this candidate is true, those are false, so that
//! one is true.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::pattern::Pattern;
use crate::step::Chain;
use crate::{Rating, Step, Technique};

/// What a chain, or several, prove.
#[derive(Clone, Debug)]
pub(crate) struct ChainFind {
    pub(crate) technique: Technique,
    pub(crate) rating: Rating,
    pub(crate) placement: Option<(u8, u8)>,
    pub(crate) strikes: CandidateSet,
    /// Only where somebody wants to see it.
    pub(crate) proof: Option<Box<Proof>>,
}

/// The chains themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    pub(crate) chains: Vec<Chain>,
    pub(crate) variant: Option<&'static str>,
    pub(crate) house: Option<u8>,
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
