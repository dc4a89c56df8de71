//! Chains as graphs, for those who want to see them.

use std::ops::Range;

use crate::Candidate;
use crate::chains::Proof;
use crate::chains::advanced::{Nest, Showing};
use crate::chains::links::{ASSUMED, BY_CELL, BY_TECHNIQUE, By, house_of};
use crate::chains::multiple::{CONTRADICTION, HOUSE, Hint, Meetings, Nested, OPPOSITES};
use crate::chains::unary::UnaryHint;
use crate::chains::walk::Walk;
use crate::step::{Chain, ChainNode, LinkReason};
use crate::tables::house;

/// A chain or cycle from one candidate.
pub(crate) fn of_unary(hint: &UnaryHint) -> Proof {
    let mut path = hint.path.clone();
    if hint.is_cycle {
        // A cycle begins where it ends.
        path.push((path[0].0, ASSUMED));
    }
    path.reverse();
    let nodes = path.iter().enumerate().map(|(nth, (id, by))| ChainNode {
        candidate: Candidate::from_index(usize::from(id / 2)),
        on: id % 2 == 1,
        reason: reason(*id, *by),
        parents: nth.checked_sub(1).into_iter().collect(),
        inside: Vec::new(),
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

/// Several chains that meet, then the chains inside them, each once.
pub(crate) fn of_meeting(hint: &Hint, meetings: &Meetings, nest: Option<&Nest>) -> Proof {
    let graphs = hint.ends().iter().map(|(walk, place)| {
        let walk = &meetings.walks[usize::from(*walk)];
        graph(walk, *place)
    });
    let (mut chains, insides): (Vec<Chain>, Vec<_>) = graphs.unzip();
    if let Some(nest) = nest {
        add_inside(&mut chains, insides, nest);
    }
    Proof {
        chains,
        variant: match hint.kind {
            OPPOSITES => Some("opposites"),
            CONTRADICTION => Some("contradiction"),
            HOUSE => Some("house"),
            _ => Some("cell"),
        },
        house: (hint.kind == HOUSE).then_some(hint.house),
    }
}

/// Adds the chains inside, each once, and names them where they are used.
fn add_inside(chains: &mut Vec<Chain>, insides: Vec<Vec<(usize, u32)>>, nest: &Nest) {
    let mut shown: Vec<(u32, Range<usize>)> = Vec::new();
    for (chain, inside) in insides.into_iter().enumerate() {
        for (node, number) in inside {
            let known = shown.iter().find(|(known, _)| nest.is_same(*known, number));
            let places = match known {
                Some((_, places)) => places.clone(),
                None => {
                    let first = chains.len();
                    chains.extend(nest.shown(number).iter().cloned());
                    shown.push((number, first..chains.len()));
                    first..chains.len()
                }
            };
            chains[chain].nodes[node].inside.extend(places);
        }
    }
}

/// Everything a link follows from, in the order in which it was found; and which
/// of its nodes rest on which chains inside.
fn graph(walk: &Walk, place: u16) -> (Chain, Vec<(usize, u32)>) {
    let mut places = Vec::new();
    walk.ancestors(place, &mut places);
    places.sort_unstable();
    let number = |parent: u16| {
        let node = walk.links[usize::from(parent)].node;
        let same = |place: &u16| walk.links[usize::from(*place)].node == node;
        places.iter().position(same)
    };
    let mut inside = Vec::new();
    let nodes = places.iter().enumerate().map(|(nth, place)| {
        let link = walk.links[usize::from(*place)];
        let mut parents = Vec::new();
        walk.parents(*place, |parent| parents.extend(number(parent)));
        let reason = if link.by == BY_TECHNIQUE {
            let applied = walk.applied[usize::from(link.parent)];
            inside.extend(applied.nested.map(|number| (nth, number)));
            LinkReason::Technique(applied.technique)
        } else {
            reason(link.node, walk.by(*place))
        };
        ChainNode {
            candidate: Candidate::from_index(usize::from(link.node / 2)),
            on: link.node % 2 == 1,
            reason,
            parents,
            inside: Vec::new(),
        }
    });
    let chain = Chain {
        nodes: nodes.collect(),
        nested: false,
    };
    (chain, inside)
}

/// How chains inside others are drawn.
pub(crate) const INSIDE: Showing = Showing {
    unary: |hint| nested(of_unary(hint)),
    meeting: |hint, meetings| nested(of_meeting(hint, meetings, None)),
};

/// The chains of a proof as chains inside others. What is inside of them in turn
/// is named, not shown.
fn nested(proof: Proof) -> Vec<Chain> {
    let mut chains = proof.chains;
    for chain in &mut chains {
        chain.nested = true;
        chain.nodes.iter_mut().for_each(|node| node.inside.clear());
    }
    chains
}

fn reason(id: u16, by: By) -> LinkReason {
    match by {
        ASSUMED => LinkReason::Assumed,
        BY_CELL => LinkReason::Cell,
        _ => LinkReason::House(house(house_of(usize::from(id / 18), by))),
    }
}
