//! One assumption followed to its end: everything that becomes true and false
//! when a candidate is true, or when it is false.
//!
//! What is true is followed up before what is false. A *static* walk uses the
//! links of the position alone. A *dynamic* one strikes what it finds false, so
//! that new links appear, which rest on everything struck in their cell or
//! house. Either ends when a candidate would have to be both.

use crate::board::Board;
use crate::candidate::CandidateSet;
use crate::chains::links::{ASSUMED, BY_BOX, BY_CELL, BY_TECHNIQUE, By, Links, by_which, house_of};
use crate::spots::{FIRST_OF, SPOTS, is_one};
use crate::tables::{HOUSE_CELLS, members};

/// Twice the candidate, plus one if it is on.
pub(crate) type NodeId = u16;

/// A link in the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) node: NodeId,
    /// The place in the walk of the link it follows from, or of the technique.
    pub(crate) parent: u16,
    /// Digits of its cell, or places of its house, that had to be false too.
    pub(crate) also: u16,
    /// At least so many links lead here, itself included.
    pub(crate) least: u16,
    pub(crate) by: By,
}

/// A technique applied where the walk had come to rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Applied {
    /// The candidates that had to be false, in `Walk::grounds`.
    pub(crate) grounds: (u32, u32),
    /// The chain inside, if the technique is one of chains.
    pub(crate) nested: Option<u32>,
    pub(crate) technique: crate::Technique,
}

/// Everything that follows from one assumption.
pub(crate) struct Walk {
    /// Those on and those off.
    pub(crate) on: CandidateSet,
    pub(crate) off: CandidateSet,
    /// In the order found. If the walk ended in a contradiction, the last one
    /// is the opposite of another and belongs to neither set.
    pub(crate) links: Vec<Link>,
    /// Where each node stands among the links, if it is in its set.
    places: Box<[u16; 1458]>,
    pub(crate) applied: Vec<Applied>,
    pub(crate) grounds: Vec<u16>,
    /// The places of the two links that contradict each other, the one that is
    /// on first.
    pub(crate) contradiction: Option<(u16, u16)>,
    on_queue: usize,
    ons: Vec<u16>,
    off_queue: usize,
    offs: Vec<u16>,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk {
            on: CandidateSet::NONE,
            off: CandidateSet::NONE,
            links: Vec::new(),
            places: Box::new([0; 1458]),
            applied: Vec::new(),
            grounds: Vec::new(),
            contradiction: None,
            on_queue: 0,
            ons: Vec::new(),
            off_queue: 0,
            offs: Vec::new(),
        }
    }
}

impl Walk {
    /// Begins anew with one assumption.
    pub(crate) fn begin(&mut self, start: NodeId) {
        self.on = CandidateSet::NONE;
        self.off = CandidateSet::NONE;
        self.links.clear();
        self.applied.clear();
        self.grounds.clear();
        self.contradiction = None;
        self.on_queue = 0;
        self.ons.clear();
        self.off_queue = 0;
        self.offs.clear();
        self.add(Link {
            node: start,
            parent: 0,
            also: 0,
            least: 1,
            by: ASSUMED,
        });
    }

    /// The place of a node among the links.
    #[inline]
    pub(crate) fn place(&self, node: usize) -> u16 {
        self.places[node]
    }

    #[inline(always)]
    fn add(&mut self, link: Link) {
        let place = self.links.len() as u16;
        let candidate = usize::from(link.node / 2);
        self.places[usize::from(link.node)] = place;
        if link.node % 2 == 1 {
            self.on.insert(candidate);
            self.ons.push(place);
        } else {
            self.off.insert(candidate);
            self.offs.push(place);
        }
        self.links.push(link);
    }

    #[inline]
    fn contradict(&mut self, link: Link) {
        let known = self.places[usize::from(link.node ^ 1)];
        let new = self.links.len() as u16;
        self.links.push(link);
        self.contradiction = Some(if link.node % 2 == 1 {
            (new, known)
        } else {
            (known, new)
        });
    }

    /// Follows the links of a position that does not change. Gives up once
    /// every open end has `limit` links behind it.
    pub(crate) fn follow_static(&mut self, links: &Links, limit: u16) {
        // What is false comes in the order of its length, so the first long one
        // ends the walk.
        loop {
            if let Some(place) = self.ons.get(self.on_queue).copied() {
                self.on_queue += 1;
                let Link { node, least, .. } = self.links[usize::from(place)];
                let on = links.number(usize::from(node / 2));
                for off in links.forbidden(on, true) {
                    let index = links.candidate((*off).into());
                    let link = Link {
                        node: index as u16 * 2,
                        parent: place,
                        also: 0,
                        least: least + 1,
                        by: ASSUMED,
                    };
                    if self.on.contains(index) {
                        return self.contradict(link);
                    } else if !self.off.contains(index) {
                        self.add(link);
                    }
                }
            } else if let Some(place) = self.offs.get(self.off_queue).copied() {
                self.off_queue += 1;
                let Link { node, least, .. } = self.links[usize::from(place)];
                if least >= limit {
                    return;
                }
                let off = links.number(usize::from(node / 2));
                for (on, by) in links.forced(off) {
                    let on = links.candidate((*on).into());
                    let link = Link {
                        node: on as u16 * 2 + 1,
                        parent: place,
                        also: 0,
                        least: least + 1,
                        by: *by,
                    };
                    if self.off.contains(on) {
                        return self.contradict(link);
                    } else if !self.on.contains(on) {
                        self.add(link);
                    }
                }
            } else {
                return;
            }
        }
    }

    /// Follows links and strikes what is false from `board`, which was `source`
    /// at the beginning. Gives up once every open end has `limit` links behind
    /// it. With `one_digit`, links inside cells are left out.
    pub(crate) fn follow_dynamic(
        &mut self,
        board: &mut Board,
        source: &Board,
        one_digit: bool,
        limit: u16,
    ) {
        // How many open ends are short enough to be of interest.
        let mut short = self.open_ends(limit);
        while short > 0 {
            let ended = if let Some(place) = self.ons.get(self.on_queue).copied() {
                self.on_queue += 1;
                short -= usize::from(self.links[usize::from(place)].least < limit);
                self.forbid(board, place, one_digit, limit, &mut short)
            } else if let Some(place) = self.offs.get(self.off_queue).copied() {
                self.off_queue += 1;
                short -= usize::from(self.links[usize::from(place)].least < limit);
                self.strike(board, source, place, one_digit, limit, &mut short)
            } else {
                return;
            };
            if ended {
                return;
            }
        }
    }

    /// Adds everything that the candidate at this place, being on, forbids;
    /// `true` if that is a contradiction.
    #[inline]
    fn forbid(
        &mut self,
        board: &Board,
        place: u16,
        one_digit: bool,
        limit: u16,
        short: &mut usize,
    ) -> bool {
        let Link { node, least, .. } = self.links[usize::from(place)];
        let spot = &SPOTS[usize::from(node / 2)];
        let cell = usize::from(spot.cell);
        let mut add = |off: usize, by: By| {
            assert!(off < 729);
            if self.off.contains(off) {
                return false;
            }
            let link = Link {
                node: off as u16 * 2,
                parent: place,
                also: 0,
                least: least + 1,
                by,
            };
            if self.on.contains(off) {
                self.contradict(link);
                return true;
            }
            self.add(link);
            *short += usize::from(link.least < limit);
            false
        };
        if !one_digit {
            for other in members(board.digits(cell) & !(1 << spot.digit)) {
                if add(cell * 9 + other, BY_CELL) {
                    return true;
                }
            }
        }
        let places = board.all_places();
        for nth in 0..3 {
            let first = &FIRST_OF[usize::from(spot.houses[nth])];
            for other in members(places[usize::from(spot.sets[nth])] & spot.others[nth]) {
                if add(
                    usize::from(first[other]) + usize::from(spot.digit),
                    BY_BOX + nth as By,
                ) {
                    return true;
                }
            }
        }
        false
    }

    /// Strikes the candidate at this place, which is off, and adds what that
    /// forces; `true` if that is a contradiction.
    #[inline]
    fn strike(
        &mut self,
        board: &mut Board,
        source: &Board,
        place: u16,
        one_digit: bool,
        limit: u16,
        short: &mut usize,
    ) -> bool {
        let spot = &SPOTS[usize::from(self.links[usize::from(place)].node / 2)];
        let [in_cell, in_houses @ ..] = board.strike_at(spot);
        let cell = usize::from(spot.cell);
        if is_one(in_cell) && !one_digit {
            let on = cell * 9 + in_cell.trailing_zeros() as usize;
            let also = source.digits(cell) & !in_cell & !(1 << spot.digit);
            if self.force(on, place, also, BY_CELL, limit, short) {
                return true;
            }
        }
        for (nth, left) in in_houses.into_iter().enumerate() {
            if is_one(left) {
                let first = &FIRST_OF[usize::from(spot.houses[nth])];
                let on = usize::from(first[left.trailing_zeros() as usize]);
                let before = source.all_places()[usize::from(spot.sets[nth])];
                let also = before & !left & spot.keep[nth];
                let on = on + usize::from(spot.digit);
                if self.force(on, place, also, BY_BOX + nth as By, limit, short) {
                    return true;
                }
            }
        }
        false
    }

    /// Adds a candidate that is the last one; what else is struck there had to
    /// go too, the one just struck is the first parent.
    fn force(
        &mut self,
        on: usize,
        parent: u16,
        also: u16,
        by: By,
        limit: u16,
        short: &mut usize,
    ) -> bool {
        let known = self.off.contains(on);
        if !known && self.on.contains(on) {
            return false;
        }
        let mut least = self.links[usize::from(parent)].least + 1;
        for off in also_off(on, by, also) {
            let behind = self.links[usize::from(self.places[off * 2])].least;
            least = least.max(behind + 1);
        }
        let link = Link {
            node: on as u16 * 2 + 1,
            parent,
            also,
            least,
            by,
        };
        if known {
            self.contradict(link);
        } else {
            self.add(link);
            *short += usize::from(least < limit);
        }
        known
    }

    fn open_ends(&self, limit: u16) -> usize {
        let open = self.ons[self.on_queue..]
            .iter()
            .chain(&self.offs[self.off_queue..]);
        open.filter(|place| self.links[usize::from(**place)].least < limit)
            .count()
    }

    /// Adds what another technique struck: the same grounds for all.
    pub(crate) fn apply(
        &mut self,
        grounds: &[u16],
        strikes: impl Iterator<Item = usize>,
        technique: crate::Technique,
        nested: Option<u32>,
    ) {
        let start = self.grounds.len() as u32;
        self.grounds.extend_from_slice(grounds);
        let least = grounds.iter().map(|off| {
            let place = self.places[usize::from(*off) * 2];
            self.links[usize::from(place)].least + 1
        });
        let least = least.max().unwrap_or(1);
        let parent = self.applied.len() as u16;
        self.applied.push(Applied {
            grounds: (start, self.grounds.len() as u32),
            nested,
            technique,
        });
        for off in strikes {
            if !self.off.contains(off) {
                self.add(Link {
                    node: off as u16 * 2,
                    parent,
                    also: 0,
                    least,
                    by: BY_TECHNIQUE,
                });
            }
        }
    }

    /// Calls `visit` with the place of every link that this one follows from.
    #[inline]
    pub(crate) fn parents(&self, place: u16, mut visit: impl FnMut(u16)) {
        let link = self.links[usize::from(place)];
        if link.by == BY_TECHNIQUE {
            let (start, end) = self.applied[usize::from(link.parent)].grounds;
            for off in &self.grounds[start as usize..end as usize] {
                visit(self.places[usize::from(*off) * 2]);
            }
        } else if place > 0 {
            visit(link.parent);
            if link.also != 0 {
                for off in also_off(usize::from(link.node / 2), link.by, link.also) {
                    visit(self.places[off * 2]);
                }
            }
        }
    }

    /// What the link is by; static walks do not write it down for what is off.
    pub(crate) fn by(&self, place: u16) -> By {
        let link = self.links[usize::from(place)];
        if link.by == ASSUMED && place > 0 {
            let parent = self.links[usize::from(link.parent)];
            return by_which((parent.node / 2).into(), (link.node / 2).into());
        }
        link.by
    }

    /// The links this one follows from, however far back, itself first, each
    /// node once; nearer ones first.
    pub(crate) fn ancestors(&self, place: u16, into: &mut Vec<u16>) {
        into.clear();
        let mut seen = [0_u64; 23];
        let mut see = |node: NodeId| {
            let (word, bit) = (usize::from(node / 64), 1_u64 << (node % 64));
            let new = seen[word] & bit == 0;
            seen[word] |= bit;
            new
        };
        see(self.links[usize::from(place)].node);
        into.push(place);
        let mut at = 0;
        while at < into.len() {
            self.parents(into[at], |parent| {
                if see(self.links[usize::from(parent)].node) {
                    into.push(parent);
                }
            });
            at += 1;
        }
    }
}

/// The candidates that had to be off besides, for this one to be on.
#[inline]
fn also_off(on: usize, by: By, also: u16) -> impl Iterator<Item = usize> {
    let (cell, digit) = (on / 9, on % 9);
    let house = if by == BY_CELL { 0 } else { house_of(cell, by) };
    members(also).map(move |nth| match by {
        BY_CELL => cell * 9 + nth,
        _ => usize::from(HOUSE_CELLS[house][nth]) * 9 + digit,
    })
}
