//! Best-first search over any space, with any heuristic.
//!
//! Nodes wait in an [open list](super::open_list), the most promising first,
//! and lead to successors when they are taken. What differs between planners
//! is a [`Strategy`](super::strategy): which node is next, and when nodes are estimated.
//!
//! | estimated | closed | what that is good for |
//! |---|---|---|
//! | when made | when made | few successors, or estimates that have to be exact: A* |
//! | when taken | when made | many successors: they wait by their parent's estimate |
//! | when taken | when taken | the same, where a later way to a node may be a preferred one |
//! | guessed when made, made sure of when taken | when made | A* where estimates are dear: those too dear to be taken are never estimated |
//!
//! A heuristic that rests on relaxed plans also says which successors are
//! preferred, and these have a queue of their own. A second opinion, the count
//! of [landmarks](Counter) ahead, has its own two queues. This is the search of
//! Richter and Westphal's LAMA ("The LAMA planner", 2010).
//!
//! Where cost matters (A*, a bound, further plans that are to be cheaper) a
//! node is opened again if a cheaper way to it is found.

mod guess;

use planoku_engine::{Leave, Run};

use crate::algorithms::open_list::{Key, OpenList};
use crate::algorithms::strategy::{By, Strategy, When};
use crate::cost::{Cost, Distance};
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::heuristics::scope::ScopeId;
use crate::spaces::space::{Counter, Space, Successor};
use crate::state::stacks::Element;

/// The queue of all nodes by the estimate; the one after it holds preferred
/// ones.
const ESTIMATE: usize = 0;
/// The queue of all nodes by the count of landmarks, and the one after it.
const COUNT: usize = 2;

/// The number of a node that is made when it is taken.
const UNMADE: u32 = u32::MAX;

/// What is thought of a node that is so much further than its parent.
fn guess(estimate: Cost, further: i64) -> Cost {
    match further {
        ..0 => estimate.less(Cost::from(further.unsigned_abs())),
        _ => estimate.saturating_add(Cost::from(further.unsigned_abs())),
    }
}

/// A search in progress.
pub(super) struct BestFirst<'a, S: Space> {
    strategy: Strategy,
    pub(super) space: S,
    heuristic: Box<dyn Heuristic + 'a>,
    counter: Option<Box<dyn Counter<S> + 'a>>,
    /// Plans must be cheaper than this.
    bound: Option<Cost>,
    /// A cheaper way to a node that is known matters.
    cost_matters: bool,
    reached: Vec<Reached<S>>,
    /// For each number of a node, the lowest cost of those that were closed.
    closed: Vec<Option<Cost>>,
    /// For each number of a node, its estimate, if it may be asked again.
    estimates: Vec<Option<Known>>,
    open: OpenList,
    left: Vec<Element>,
    done: Vec<Element>,
    successors: Vec<Successor<S>>,
    children: Vec<Child>,
    bytes: u64,
}

/// A node, and a way to it.
struct Reached<S: Space> {
    node: S::Node,
    /// The place of its parent and the step from there; none at the start.
    from: Option<(u32, S::Step)>,
    number: u32,
    cost: Cost,
    scope: ScopeId,
    /// The counter's name for what was met on the way.
    met: u32,
}

/// What is known of how far a node is.
#[derive(Clone, Copy)]
struct Known {
    distance: Distance,
    /// It was estimated, not guessed.
    sure: bool,
}

/// What comes of looking at a node that was taken.
enum Look {
    /// It is a dead end, or too far.
    Dead,
    /// It is further than was guessed, and others are nearer now.
    Later,
    Now(Parent),
}

/// A node that is about to wait.
struct Child {
    key: Key,
    /// How many landmarks are ahead of it.
    ahead: u32,
    place: u32,
    preferred: bool,
}

/// What successors inherit.
#[derive(Clone, Copy)]
struct Parent {
    place: u32,
    /// Its estimate, if theirs is deferred.
    estimate: Option<Cost>,
    /// Its count of landmarks, if theirs is deferred.
    ahead: Option<u32>,
}

/// Told of each plan: the space, and the steps from the start.
pub(super) type Tell<'f, S> = dyn FnMut(&S, &[&<S as Space>::Step]) -> Result<(), Leave> + 'f;

impl<'a, S: Space> BestFirst<'a, S> {
    /// A search that has not begun.
    pub(super) fn new(
        strategy: Strategy,
        space: S,
        heuristic: Box<dyn Heuristic + 'a>,
        counter: Option<Box<dyn Counter<S> + 'a>>,
    ) -> BestFirst<'a, S> {
        let queues = 2 + 2 * usize::from(counter.is_some());
        BestFirst {
            space,
            heuristic,
            counter,
            bound: strategy.bound.get(),
            cost_matters: matches!(strategy.by, By::Sum(_)) || strategy.bound.get().is_some(),
            reached: Vec::new(),
            closed: Vec::new(),
            estimates: Vec::new(),
            open: match (strategy.in_line, strategy.draws) {
                (true, _) => OpenList::in_line(queues),
                (false, None) => OpenList::new(queues),
                (false, Some(seed)) => OpenList::new(queues).drawing(seed),
            },
            left: Vec::new(),
            done: Vec::new(),
            successors: Vec::new(),
            children: Vec::new(),
            bytes: 0,
            strategy,
        }
    }

    /// Looks until everything has been looked at, or somebody says stop. Every
    /// further plan is cheaper than the one before.
    pub(super) fn run(&mut self, run: &mut Run<'_>, tell: &mut Tell<'_, S>) -> Result<(), Leave> {
        self.begin(run);
        while self.step(run, tell)? {}
        self.end()
    }

    /// Lets the start wait to be taken.
    pub(super) fn begin(&mut self, run: &Run<'_>) {
        self.cost_matters |= run.wanted() > 1;
        let node = self.space.start();
        let number = self.number(&node);
        let met = self.count(None, &node).0;
        self.reached.push(Reached {
            node,
            from: None,
            number,
            cost: Cost::ZERO,
            scope: ScopeId::default(),
            met,
        });
        // A key that any estimate improves on, so that progress is noticed.
        self.open.push(ESTIMATE, Cost::MAX, 0);
    }

    /// Takes a node; false if none waits.
    pub(super) fn step(
        &mut self,
        run: &mut Run<'_>,
        tell: &mut Tell<'_, S>,
    ) -> Result<bool, Leave> {
        let Some(place) = self.open.pop() else {
            return Ok(false);
        };
        if self.is_out_of_patience() {
            return Err(Leave::GaveUp);
        }
        self.hear_of(self.strategy.bound.get());
        if !self.arrive(place) || self.is_closed(place) {
            return Ok(true);
        }
        let Reached { cost, number, .. } = self.reached[place as usize];
        self.closed[number as usize] = Some(cost);
        self.space.taken(run)?;
        if self.space.is_goal(&self.reached[place as usize].node) {
            // A state that could not be made might have led to a cheaper plan.
            if self.strategy.finds_cheapest() && !self.space.is_complete() {
                return Err(Leave::GaveUp);
            }
            self.bound = Some(cost);
            tell(&self.space, &self.steps(place))?;
            return Ok(true);
        }
        match self.look(place) {
            Look::Now(parent) => self.expand(parent, run)?,
            Look::Dead | Look::Later => run.effort(self.heuristic.take_work())?,
        }
        Ok(true)
    }

    /// Lets the successors of a node wait.
    fn expand(&mut self, parent: Parent, run: &mut Run<'_>) -> Result<(), Leave> {
        let plan = match self.strategy.prefers {
            true => self.heuristic.plan(),
            false => None,
        };
        let mut successors = std::mem::take(&mut self.successors);
        let mut children = std::mem::take(&mut self.children);
        let node = &self.reached[parent.place as usize].node;
        self.space.successors(node, plan, run, &mut successors)?;
        run.effort(self.space.take_work() + self.heuristic.take_work())?;
        for successor in successors.drain(..) {
            children.extend(self.reach(parent, successor));
            // A single estimate may be dear, and there may be thousands.
            run.effort(self.heuristic.take_work())?;
        }
        self.queue(&mut children);
        (self.successors, self.children) = (successors, children);
        run.effort(self.counter.as_ref().map_or(0, |it| it.work()))?;
        run.check_memory(self.bytes())?;
        run.progress(self.strategy.name, || {
            let best = self.open.best().filter(|&best| best != Cost::MAX);
            best.and_then(Cost::small)
        });
        Ok(())
    }

    /// What it means that no node waits.
    pub(super) fn end(&self) -> Result<(), Leave> {
        match self.space.is_complete() {
            true => Ok(()),
            false => Err(Leave::GaveUp),
        }
    }

    /// What plans must be cheaper than, by now.
    pub(super) fn bound(&self) -> Option<Cost> {
        self.bound
    }

    /// True if as many nodes were made as it had patience for.
    pub(super) fn is_out_of_patience(&self) -> bool {
        let made = self.reached.len() as u64;
        self.strategy.patience.is_some_and(|most| made > most)
    }

    /// Takes over a lower bound that somebody else has set.
    pub(super) fn hear_of(&mut self, bound: Option<Cost>) {
        if let Some(bound) = bound
            && !self.is_beyond(bound)
        {
            self.bound = Some(bound);
        }
    }

    /// True if only cheaper plans than this are wanted.
    fn is_beyond(&self, cost: Cost) -> bool {
        self.bound.is_some_and(|bound| cost >= bound)
    }

    /// True if going on from a node that was taken is of no use.
    fn is_closed(&self, place: u32) -> bool {
        let Reached { cost, number, .. } = &self.reached[place as usize];
        let known = self.closed[*number as usize];
        self.is_beyond(*cost)
            || match self.strategy.closed {
                When::Made | When::Guessed => known.is_some_and(|known| known < *cost),
                When::Taken => known.is_some_and(|known| !self.cost_matters || known <= *cost),
            }
    }

    /// Makes a node that was taken, if it was not made before; false if that
    /// cannot be done.
    fn arrive(&mut self, place: u32) -> bool {
        let Reached { number, from, .. } = &self.reached[place as usize];
        let (UNMADE, Some((parent, step))) = (*number, from) else {
            return true;
        };
        let parent = &self.reached[*parent as usize].node;
        let Some(node) = self.space.arrive(parent, step) else {
            return false;
        };
        let number = self.number(&node);
        let reached = &mut self.reached[place as usize];
        (reached.node, reached.number) = (node, number);
        true
    }

    /// The number of a node, for which there is room in all lists.
    fn number(&mut self, node: &S::Node) -> u32 {
        let number = self.space.number(node);
        if self.closed.len() <= number as usize {
            self.closed.resize(number as usize + 1, None);
        }
        number
    }

    /// Looks at a node that was taken, as far as that was not done when it was
    /// made; `None` at a dead end.
    fn look(&mut self, place: u32) -> Look {
        if self.strategy.estimated == When::Guessed {
            return self.make_sure(place);
        }
        let mut parent = Parent {
            place,
            estimate: None,
            ahead: None,
        };
        let estimated_when_taken = self.strategy.estimated == When::Taken;
        // Asked again for the sake of its relaxed plan, or of its successors.
        let again = self.strategy.prefers && self.heuristic.plan().is_some();
        let again = again || self.strategy.follows;
        if estimated_when_taken || again {
            let Reached { node, scope, .. } = &self.reached[place as usize];
            self.left.clear();
            let (number, state) = self.space.describe(node, &mut self.left);
            let distance = self.heuristic.estimate(&Situation {
                number,
                state,
                left: &self.left,
                scope: *scope,
            });
            let Distance::Left(estimate) = distance else {
                return Look::Dead;
            };
            parent.estimate = estimated_when_taken.then_some(estimate);
        }
        if self.strategy.counted == When::Taken
            && let Some(counter) = &mut self.counter
        {
            let Reached { node, from, .. } = &self.reached[place as usize];
            let before = from.as_ref().map(|(parent, step)| {
                let met = self.reached[*parent as usize].met;
                (met, step)
            });
            let (met, ahead) = counter.follow(&self.space, before, node);
            self.reached[place as usize].met = met;
            parent.ahead = Some(ahead);
        }
        Look::Now(parent)
    }

    /// What was met on the way to a node that is being made, and how much is
    /// ahead.
    fn count(&mut self, before: Option<(u32, &S::Step)>, node: &S::Node) -> (u32, u32) {
        match &mut self.counter {
            Some(counter) if self.strategy.counted == When::Made => {
                counter.follow(&self.space, before, node)
            }
            _ => (0, 0),
        }
    }

    /// Makes a node of a successor, unless it is known or hopeless.
    fn reach(&mut self, parent: Parent, successor: Successor<S>) -> Option<Child> {
        let Reached {
            cost, scope, met, ..
        } = self.reached[parent.place as usize];
        let cost = cost + successor.cost;
        let Distance::Left(least) = self.space.least(&successor.node) else {
            return None;
        };
        if self.is_beyond(cost.saturating_add(least)) {
            return None;
        }
        let mut number = UNMADE;
        if self.space.is_made(&successor.node) {
            number = self.number(&successor.node);
            let known = &mut self.closed[number as usize];
            if known.is_some_and(|known| !self.cost_matters || known <= cost) {
                return None;
            }
            if self.strategy.closed == When::Made {
                *known = Some(cost);
            }
        }
        let (scope, distance) = self.estimate(parent, scope, number, &successor);
        let Distance::Left(estimate) = distance else {
            return None;
        };
        let key = self.key(cost, estimate, least)?;
        let prefers = |it: &dyn Counter<S>| it.prefers(met, &successor.step);
        let preferred = self.strategy.prefers
            && (successor.preferred || self.counter.as_deref().is_some_and(prefers));
        let Successor { node, step, .. } = successor;
        let (met, ahead) = self.count(Some((met, &step)), &node);
        self.bytes += S::bytes_of(&node, &step);
        self.reached.push(Reached {
            node,
            from: Some((parent.place, step)),
            number,
            cost,
            scope,
            met,
        });
        Some(Child {
            key,
            ahead: parent.ahead.unwrap_or(ahead),
            place: self.reached.len() as u32 - 1,
            preferred,
        })
    }

    /// The estimate of a node that is being made, guessed from its parent's if
    /// its own is deferred, and the part of the problem it was made in.
    fn estimate(
        &mut self,
        parent: Parent,
        scope: ScopeId,
        number: u32,
        successor: &Successor<S>,
    ) -> (ScopeId, Distance) {
        if number == UNMADE
            && let Some(estimate) = parent.estimate
        {
            return (scope, Distance::Left(guess(estimate, successor.further)));
        }
        self.left.clear();
        let (name, state) = self.space.describe(&successor.node, &mut self.left);
        if self.strategy.estimated == When::Guessed {
            return (scope, self.guess(parent, number, successor));
        }
        let scope = match self.strategy.narrows {
            true => self.heuristic.narrow(scope, &self.left),
            false => scope,
        };
        if let Some(estimate) = parent.estimate {
            let guess = match self.space.is_goal(&successor.node) {
                true => Cost::ZERO,
                false => guess(estimate, successor.further),
            };
            return (scope, Distance::Left(guess));
        }
        let known = self.known(number);
        let distance = known.map(|it| it.distance).unwrap_or_else(|| {
            let at = Situation {
                number: name,
                state,
                left: &self.left,
                scope,
            };
            let action = self.space.action_of(&successor.step);
            match action.filter(|_| self.strategy.follows) {
                Some(action) => self.heuristic.estimate_after(&at, action),
                None => self.heuristic.estimate(&at),
            }
        });
        if self.cost_matters {
            // It may be asked again, when a cheaper way is found.
            self.know(number, distance, true);
        }
        (scope, distance)
    }

    /// What a node waits by; `None` if it cannot lead to a plan that is cheap
    /// enough.
    fn key(&self, cost: Cost, estimate: Cost, least: Cost) -> Option<Key> {
        let By::Sum(weight) = self.strategy.by else {
            return Some((estimate, Cost::ZERO));
        };
        let estimate = estimate.max(least);
        if self.strategy.admissible && self.is_beyond(cost.saturating_add(estimate)) {
            return None;
        }
        let weighted = estimate.saturating_mul(u128::from(weight));
        Some((cost.saturating_add(weighted), estimate))
    }

    /// Lets the successors of a node wait, so that of equals the most promising
    /// is taken first.
    fn queue(&mut self, children: &mut Vec<Child>) {
        if !self.strategy.in_line {
            children.reverse();
            children.sort_by_key(|child| std::cmp::Reverse(child.key));
        }
        for child in children.drain(..) {
            let Child { place, .. } = child;
            let key = match self.strategy.by {
                By::Depth => (Cost::ZERO, Cost::ZERO),
                By::Estimate | By::Sum(_) | By::Count => child.key,
            };
            if self.strategy.by != By::Count {
                self.open.push_by(ESTIMATE, key, place);
                if child.preferred {
                    self.open.push(ESTIMATE + 1, key.0, place);
                }
            }
            if self.strategy.draws.is_some() {
                let cost = self.reached[place as usize].cost;
                self.open.push_kind((child.key.0, cost), place);
            }
            if self.counter.is_some() {
                let ahead = Cost::from(u64::from(child.ahead));
                let tie = match self.strategy.breaks_ties {
                    true => child.key.0,
                    false => Cost::ZERO,
                };
                self.open.push_by(COUNT, (ahead, tie), place);
                if child.preferred {
                    self.open.push_by(COUNT + 1, (ahead, tie), place);
                }
            }
        }
    }

    /// The steps from the start to a node.
    fn steps(&self, place: u32) -> Vec<&S::Step> {
        let mut steps = Vec::new();
        let mut at = place;
        while let Some((parent, step)) = &self.reached[at as usize].from {
            steps.push(step);
            at = *parent;
        }
        steps.reverse();
        steps
    }

    /// An estimate of the memory held.
    pub(super) fn bytes(&self) -> u64 {
        let lists = self.reached.capacity() * size_of::<Reached<S>>()
            + self.closed.capacity() * size_of::<Option<Cost>>()
            + self.estimates.capacity() * size_of::<Option<Known>>();
        let counter = self.counter.as_ref().map_or(0, |it| it.bytes());
        self.bytes + self.space.bytes() + self.open.bytes() + counter + lists as u64
    }
}
