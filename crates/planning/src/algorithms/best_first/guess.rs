//! Nodes that wait by a guess, and are estimated when they are taken.
//!
//! What a heuristic has said of a node bounds what it would say of those that
//! follow: a step makes them nearer by its cost at most, and a heuristic may
//! know more. A guess is never too high, so a node that waits by one is not
//! taken later than it should be. When it is taken, it is made sure of: if it is
//! further than was guessed, it waits again. Most are never taken.

use super::{BestFirst, ESTIMATE, Known, Look, Parent, Reached};
use crate::cost::{Cost, Distance};
use crate::heuristics::heuristic::Situation;
use crate::spaces::space::{Space, Successor};

impl<S: Space> BestFirst<'_, S> {
    /// Estimates a node that was taken by a guess; if it is further than that,
    /// it waits again. Estimated before, it is estimated again for the sake of
    /// guesses at what follows.
    pub(super) fn make_sure(&mut self, place: u32) -> Look {
        let Reached {
            number,
            cost,
            scope,
            ..
        } = self.reached[place as usize];
        self.left.clear();
        let node = &self.reached[place as usize].node;
        let (name, state) = self.space.describe(node, &mut self.left);
        let scope = match self.strategy.narrows {
            true => self.heuristic.narrow(scope, &self.left),
            false => scope,
        };
        self.reached[place as usize].scope = scope;
        let distance = self.heuristic.estimate(&Situation {
            number: name,
            state,
            left: &self.left,
            scope,
        });
        let guess = self.known(number).map(|it| it.distance);
        let distance = guess.map_or(distance, |guess| guess.max(distance));
        self.know(number, distance, true);
        let Distance::Left(estimate) = distance else {
            return Look::Dead;
        };
        let Some(key) = self.key(cost, estimate, Cost::ZERO) else {
            return Look::Dead;
        };
        if self.open.next().is_some_and(|next| next < key) {
            self.open.push_again(ESTIMATE, key, place);
            return Look::Later;
        }
        Look::Now(Parent {
            place,
            estimate: Some(estimate),
            ahead: None,
        })
    }

    pub(super) fn known(&self, number: u32) -> Option<Known> {
        self.estimates.get(number as usize).copied().flatten()
    }

    pub(super) fn know(&mut self, number: u32, distance: Distance, sure: bool) {
        if self.estimates.len() <= number as usize {
            self.estimates.resize(number as usize + 1, None);
        }
        self.estimates[number as usize] = Some(Known { distance, sure });
    }

    /// A guess at a node that is being made, from what the heuristic said of its
    /// parent: the step to it has made it nearer by its cost at most.
    pub(super) fn guess(
        &mut self,
        parent: Parent,
        number: u32,
        successor: &Successor<S>,
    ) -> Distance {
        let known = self.known(number);
        if let Some(known) = known.filter(|it| it.sure) {
            return known.distance;
        }
        let estimate = parent.estimate.unwrap_or(Cost::ZERO);
        let mut guess = Distance::Left(estimate.less(successor.cost));
        self.done.clear();
        self.space.done(&successor.step, &mut self.done);
        if let Some(other) = self.heuristic.guess(&self.done) {
            guess = guess.max(other);
        }
        let guess = known.map_or(guess, |known| known.distance.max(guess));
        self.know(number, guess, false);
        guess
    }
}
