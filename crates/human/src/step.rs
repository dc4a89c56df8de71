//! One step of a solution as a person would explain it: which technique, what
//! it rests on, what follows.
//!
//! A step can be said in one sentence ([`Step::sentence`]) or given away little
//! by little ([`Step::hint`]).

use std::fmt;

use planoku_sudoku::{Cell, Digit, House};

use crate::{Candidate, Rating, Technique};

/// One step: what may be concluded, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// By which technique.
    pub technique: Technique,
    /// How hard it is on the scale.
    pub rating: Rating,
    /// The candidate that turns out true, if there is one.
    pub placement: Option<Candidate>,
    /// The candidates that turn out false. Those that a placement forbids
    /// anyway are not listed.
    pub eliminations: Vec<Candidate>,
    /// The candidates the conclusion rests on, and as what.
    pub causes: Vec<Cause>,
    /// The houses the conclusion rests on; bases before covers.
    pub houses: Vec<House>,
    /// The variant of the technique, where there are several: `type 2`,
    /// `contradiction`.
    pub variant: Option<&'static str>,
    /// The chains of implications, where the technique is one of chains; each
    /// ends in what it proves.
    pub chains: Vec<Chain>,
}

/// A candidate a step rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// As what.
    pub role: Role,
    /// Which.
    pub candidate: Candidate,
}

/// What a candidate is to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Part of the pattern.
    Pattern,
    /// In the cell in the middle of a wing.
    Pivot,
    /// A candidate that keeps a deadly pattern from being complete.
    Extra,
    /// In a cell that excludes combinations, or completes a set beside the
    /// pattern.
    Helper,
}

impl Role {
    /// The word used in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Role::Pattern => "pattern",
            Role::Pivot => "pivot",
            Role::Extra => "extra",
            Role::Helper => "helper",
        }
    }
}

/// Implications as a graph: every node after those it follows from, the last
/// is what the chain proves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// The links.
    pub nodes: Vec<ChainNode>,
    /// Whether this chain is used inside a link of another one.
    pub nested: bool,
}

/// One link of a chain: a candidate is true (on) or false (off).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainNode {
    /// Which candidate.
    pub candidate: Candidate,
    /// True or false.
    pub on: bool,
    /// By what.
    pub reason: LinkReason,
    /// From which earlier nodes of the chain.
    pub parents: Vec<usize>,
    /// The chains inside that show why a technique applies here: which of the
    /// step's chains.
    pub inside: Vec<usize>,
}

/// Why a link holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkReason {
    /// It is assumed.
    Assumed,
    /// A cell has exactly one digit.
    Cell,
    /// A digit has exactly one place in the house.
    House(House),
    /// Another technique applies where the chain has led.
    Technique(Technique),
}

/// How much a hint gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The technique.
    Technique,
    /// Where to look.
    Where,
    /// Everything.
    Everything,
}

impl Step {
    /// True if the conclusion holds only because the puzzle has exactly one
    /// solution.
    pub fn assumes_uniqueness(&self) -> bool {
        self.technique.assumes_uniqueness()
    }

    /// The cells the step rests on, each once, ascending.
    pub fn cause_cells(&self) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self
            .causes
            .iter()
            .map(|cause| cause.candidate.cell)
            .collect();
        cells.extend(
            self.chains
                .iter()
                .flat_map(|chain| chain.nodes.iter().map(|node| node.candidate.cell)),
        );
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// What is to be done, such as `r4c7 is 5` or `strike 5 from r4c7, r4c8`.
    pub fn conclusion(&self) -> String {
        match self.placement {
            Some(Candidate { cell, digit }) => format!("{} is {digit}", name(cell)),
            None => format!("strike {}", grouped(&self.eliminations)),
        }
    }

    /// The whole step in one sentence.
    pub fn sentence(&self) -> String {
        let reason = self.because();
        let reason = if reason.is_empty() {
            reason
        } else {
            format!(": {reason}")
        };
        format!(
            "{}{reason}, so {}.",
            capital(&self.title()),
            self.conclusion()
        )
    }

    /// As much of the step as `depth` allows.
    pub fn hint(&self, depth: Depth) -> String {
        match depth {
            Depth::Technique => format!("Look for {}.", self.technique.sought(false)),
            Depth::Where => {
                let sought = self.technique.sought(!self.houses.is_empty());
                format!("Look for {sought} {}.", self.place())
            }
            Depth::Everything => self.sentence(),
        }
    }

    /// The chains link by link, for those who want to follow them all the way,
    /// numbered from 1: those of the step, then those inside. Nothing where the
    /// sentence has told every link.
    pub fn details(&self) -> Vec<(String, Vec<String>)> {
        if self.chains.iter().all(Chain::is_straight) {
            return Vec::new();
        }
        let chains = self.chains.iter().enumerate();
        let details = chains.map(|(nth, chain)| {
            let inside = if chain.nested { " (inside)" } else { "" };
            (format!("Chain {}{inside}: {chain}", nth + 1), chain.links())
        });
        details.collect()
    }

    /// Technique and variant.
    fn title(&self) -> String {
        match self.variant {
            Some(variant) => format!("{} ({variant})", self.technique),
            None => self.technique.to_string(),
        }
    }

    /// Where to look, without saying what is to be seen.
    fn place(&self) -> String {
        if let [first, ..] = self.chains.as_slice() {
            let start = first.nodes.first().map(|node| node.candidate);
            return match (self.technique, self.houses.as_slice(), start) {
                (_, [house, ..], Some(start)) => format!("on {} in {house}", start.digit),
                (Technique::CellChains, _, Some(start)) => format!("in {}", name(start.cell)),
                (_, _, Some(start)) => {
                    format!("starting with {} in {}", start.digit, name(start.cell))
                }
                (_, _, None) => String::new(),
            };
        }
        if self.houses.is_empty() {
            match self.cause_cells().first() {
                Some(cell) => format!("around {}", name(*cell)),
                None => "anywhere".to_owned(),
            }
        } else {
            format!("in {}", list(self.houses.iter().map(House::to_string)))
        }
    }

    /// What the conclusion rests on, in words.
    fn because(&self) -> String {
        let cells = || list(self.cause_cells().into_iter().map(name));
        let digits = || {
            let mut digits: Vec<Digit> = self
                .causes
                .iter()
                .map(|cause| cause.candidate.digit)
                .collect();
            digits.sort_unstable();
            digits.dedup();
            list(digits.iter().map(Digit::to_string))
        };
        let house = |nth: usize| {
            self.houses
                .get(nth)
                .map(House::to_string)
                .unwrap_or_default()
        };
        use Technique as T;
        match self.technique {
            T::FullHouse => format!("it is the last empty cell of {}", house(0)),
            T::HiddenSingleBox | T::HiddenSingleLine => {
                format!("{} has no other place in {}", digits(), house(0))
            }
            T::NakedSingle => format!("{} has no other candidate", cells()),
            T::DirectPointing | T::DirectClaiming => format!(
                "{} of {} lies within {}, which leaves one place in {}",
                digits(),
                house(0),
                house(1),
                house(2)
            ),
            T::Pointing | T::Claiming => {
                format!("{} of {} lies within {}", digits(), house(0), house(1))
            }
            T::DirectHiddenPair | T::DirectHiddenTriplet => format!(
                "{} need {} in {}, which leaves one place for another digit",
                digits(),
                cells(),
                house(0)
            ),
            T::HiddenPair | T::HiddenTriplet | T::HiddenQuad => {
                format!("{} need {} in {}", digits(), cells(), house(0))
            }
            T::NakedPair | T::NakedTriplet | T::NakedQuad => {
                format!("{} share {} in {}", cells(), digits(), house(0))
            }
            T::XWing | T::Swordfish | T::Jellyfish => {
                let half = self.houses.len() / 2;
                let (base, cover) = self.houses.split_at(half);
                format!(
                    "{} of {} lies within {}",
                    digits(),
                    list(base.iter().map(House::to_string)),
                    list(cover.iter().map(House::to_string))
                )
            }
            T::XyWing | T::XyzWing => format!("{} in {}", digits(), cells()),
            T::UniqueRectangle | T::UniqueLoop => {
                let pattern =
                    |role: Role| self.causes.iter().filter(move |cause| cause.role == role);
                let mut cells: Vec<Cell> =
                    pattern(Role::Pattern).map(|c| c.candidate.cell).collect();
                cells.dedup();
                format!(
                    "{} must not be left with two digits only",
                    list(cells.into_iter().map(name))
                )
            }
            T::Bug => "otherwise every cell would have two candidates and the puzzle two solutions"
                .to_owned(),
            T::AlignedPair | T::AlignedTriplet => {
                let mut cells: Vec<Cell> = self
                    .causes
                    .iter()
                    .filter(|cause| cause.role == Role::Pattern)
                    .map(|cause| cause.candidate.cell)
                    .collect();
                cells.dedup();
                format!(
                    "other cells exclude combinations of {}",
                    list(cells.into_iter().map(name))
                )
            }
            _ => list(
                self.chains
                    .iter()
                    .filter(|chain| !chain.nested)
                    .map(Chain::to_string),
            ),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rating, self.sentence())
    }
}

impl Chain {
    /// Whether every link follows from the one before it alone.
    pub fn is_straight(&self) -> bool {
        let mut nodes = self.nodes.iter().enumerate();
        nodes.all(|(nth, node)| match nth.checked_sub(1) {
            None => node.parents.is_empty(),
            Some(before) => node.parents == [before],
        })
    }

    /// Every link with what it follows from and why, such as
    /// `r4c7=5 from r4c1≠5, r4c2≠5 (row 4)`.
    pub fn links(&self) -> Vec<String> {
        let link = |node: &ChainNode| {
            let parents = node.parents.iter().filter_map(|nth| self.nodes.get(*nth));
            let parents: Vec<String> = parents.map(ChainNode::to_string).collect();
            let reason = match node.reason {
                LinkReason::Assumed if parents.is_empty() => return format!("{node} is assumed"),
                LinkReason::Assumed => "as assumed".to_owned(),
                LinkReason::Cell => format!("cell {}", name(node.candidate.cell)),
                LinkReason::House(house) => house.to_string(),
                LinkReason::Technique(technique) => technique.to_string(),
            };
            let inside = node.inside.iter().map(|chain| (chain + 1).to_string());
            let inside = match list(inside) {
                none if none.is_empty() => none,
                some => format!(", see chain {some}"),
            };
            format!("{node} from {} ({reason}{inside})", parents.join(", "))
        };
        self.nodes.iter().map(link).collect()
    }
}

/// A straight chain link by link, a branching one from its start to its end.
impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_straight() {
            for (nth, node) in self.nodes.iter().enumerate() {
                write!(f, "{}{node}", if nth == 0 { "" } else { " > " })?;
            }
            return Ok(());
        }
        match (self.nodes.first(), self.nodes.last()) {
            (Some(first), Some(last)) => {
                write!(
                    f,
                    "{first} leads in {} links to {last}",
                    self.nodes.len() - 1
                )
            }
            _ => Ok(()),
        }
    }
}

/// Such as `r4c7=5` or `r4c7≠5`.
impl fmt::Display for ChainNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.on { "=" } else { "≠" };
        write!(
            f,
            "{}{sign}{}",
            name(self.candidate.cell),
            self.candidate.digit
        )
    }
}

/// Such as `r4c7`.
fn name(cell: Cell) -> String {
    format!("r{}c{}", cell.index() / 9 + 1, cell.index() % 9 + 1)
}

/// Such as `2 from r1c1, r1c2 and 5 from r3c3`.
fn grouped(candidates: &[Candidate]) -> String {
    let mut digits: Vec<Digit> = candidates.iter().map(|candidate| candidate.digit).collect();
    digits.sort_unstable();
    digits.dedup();
    list(digits.into_iter().map(|digit| {
        let cells = candidates
            .iter()
            .filter(|candidate| candidate.digit == digit);
        let cells: Vec<String> = cells.map(|candidate| name(candidate.cell)).collect();
        format!("{digit} from {}", cells.join(", "))
    }))
}

/// `a`, `a and b`, `a, b and c`.
fn list(items: impl IntoIterator<Item = String>) -> String {
    let mut items: Vec<String> = items.into_iter().collect();
    match items.pop() {
        None => String::new(),
        Some(last) if items.is_empty() => last,
        Some(last) => format!("{} and {last}", items.join(", ")),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
