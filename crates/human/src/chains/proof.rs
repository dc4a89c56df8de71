//! Chains as graphs, for those who want to see them.

use crate::Candidate;
use crate::chains::Proof;
use crate::chains::links::{ASSUMED, BY_CELL, BY_TECHNIQUE, By, house_of};
use crate::chains::multiple::{CONTRADICTION, HOUSE, Hint, Meetings, OPPOSITES};
use crate::chains::unary::UnaryHint;
use crate::chains::walk::Walk;
use crate::step::{Chain, Node, Reason};
use crate::tables::house;

/// A chain or cycle from one candidate.
pub(crate) fn of_unary(hint: &UnaryHint) -> Proof {
    let mut path = hint.path.clone();
    if hint.is_cycle {
        // A cycle begins where it ends.
        path.push((path[0].0, ASSUMED));
    }
    path.reverse();
    let nodes = path.iter().enumerate().map(|(nth, (id, by))| Node {
        candidate: Candidate::from_index(usize::from(id / 2)),
        on: id % 2 == 1,
        reason: reason(*id, *by),
        parents: nth.checked_sub(1).into_iter().collect(),
    });
    Proof {
        chains: vec![Chain {
            nodes: nodes.collect(),
            nested: false,
        }],
        variant: None,
        house: None,
    }
}

/// Several chains that meet.
pub(crate) fn of_meeting(hint: &Hint, meetings: &Meetings) -> Proof {
    let chains = hint.ends().iter().map(|(walk, place)| {
        let walk = &meetings.walks[usize::from(*walk)];
        graph(walk, *place)
    });
    Proof {
        chains: chains.collect(),
        variant: match hint.kind {
            OPPOSITES => Some("opposites"),
            CONTRADICTION => Some("contradiction"),
            HOUSE => Some("house"),
            _ => Some("cell"),
        },
        house: (hint.kind == HOUSE).then_some(hint.house),
    }
}

/// Everything a link follows from, in the order in which it was found.
fn graph(walk: &Walk, place: u16) -> Chain {
    let mut places = Vec::new();
    walk.ancestors(place, &mut places);
    places.sort_unstable();
    let number = |parent: u16| {
        let node = walk.links[usize::from(parent)].node;
        let same = |place: &u16| walk.links[usize::from(*place)].node == node;
        places.iter().position(same)
    };
    let nodes = places.iter().map(|place| {
        let link = walk.links[usize::from(*place)];
        let mut parents = Vec::new();
        walk.parents(*place, |parent| parents.extend(number(parent)));
        let reason = if link.by == BY_TECHNIQUE {
            Reason::Technique(walk.applied[usize::from(link.parent)].technique)
        } else {
            reason(link.node, walk.by(*place))
        };
        Node {
            candidate: Candidate::from_index(usize::from(link.node / 2)),
            on: link.node % 2 == 1,
            reason,
            parents,
        }
    });
    Chain {
        nodes: nodes.collect(),
        nested: false,
    }
}

fn reason(id: u16, by: By) -> Reason {
    match by {
        ASSUMED => Reason::Assumed,
        BY_CELL => Reason::Cell,
        _ => Reason::House(house(house_of(usize::from(id / 18), by))),
    }
}
