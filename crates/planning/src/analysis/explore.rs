//! Exploring the delete relaxation from a state: what literals cost, and a
//! relaxed plan for some of them.
//!
//! Literals are reached in ascending order of cost, as far as the goals asked
//! for, and who reached a literal most cheaply supports it; the relaxed plan is
//! read off the supporters, from the goals backwards.

use rustc_hash::FxHashMap;

use crate::analysis::buckets::Buckets;
use crate::analysis::charge::Weight;
use crate::analysis::relax::{Origin, Relaxation};
use crate::analysis::repeat::Missing;
use crate::state::world::World;

const NONE: u32 = u32::MAX;

/// How the costs of several preconditions are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// Their sum: pessimistic, informative.
    Sum,
    /// Their maximum: optimistic.
    Max,
}

/// No action of a relaxed plan is listed more often.
const MANY_TIMES: u64 = 1000;

/// How a literal was reached.
#[derive(Clone, Copy)]
struct Reached<W> {
    /// [`Weight::UNREACHED`] if it was not.
    cost: W,
    /// The operator that reached it most cheaply.
    supporter: u32,
}

/// An operator in an exploration: what is touched together lies together.
#[derive(Clone, Copy)]
struct Waiting<W> {
    /// How many needs have no final cost.
    missing: u32,
    /// What it costs, as far as its needs are known.
    sum: W,
}

/// Scratch space for exploring a [`Relaxation`].
pub(crate) struct Explorer<W = u32> {
    /// For each literal, how it was reached.
    reached: Vec<Reached<W>>,
    /// For each operator, what it still waits for.
    waiting: Vec<Waiting<W>>,
    queue: Buckets<W>,
    /// Operators of the relaxed plan, marked by round.
    marked: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
    /// Costs up to this one are final.
    level: W,
    /// Steps taken since somebody asked; see [`Explorer::take_work`].
    work: u64,
    /// The same operators, in the order in which they were found.
    plan: Vec<u32>,
    /// For each help, how often it has to be had.
    times: Vec<u64>,
    /// How often actions of the relaxed plan are executed, if more than once.
    repeated: FxHashMap<u32, u64>,
}

impl<W: Weight> Reached<W> {
    const NOT: Reached<W> = Reached {
        cost: W::UNREACHED,
        supporter: NONE,
    };
}

impl<W: Weight> Explorer<W> {
    /// What a literal costs; [`Weight::UNREACHED`] if it was not reached.
    #[inline]
    pub(crate) fn cost(&self, literal: u32) -> W {
        self.reached[literal as usize].cost
    }

    /// Space for one relaxation.
    pub(crate) fn new(relaxed: &Relaxation<W>) -> Explorer<W> {
        Explorer {
            reached: vec![Reached::NOT; relaxed.literals],
            waiting: Vec::new(),
            queue: Buckets::new(),
            marked: vec![0; relaxed.charge.len()],
            seen: vec![0; relaxed.literals],
            round: 0,
            level: W::UNREACHED,
            work: 0,
            plan: Vec::new(),
            times: Vec::new(),
            repeated: FxHashMap::default(),
        }
    }

    /// Steps taken since the last call: what exploring has cost.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Counts what somebody else did with the relaxation.
    pub(crate) fn add_work(&mut self, work: u64) {
        self.work += work;
    }

    /// Begins to find the costs of literals from a state; [`Explorer::reach_all`]
    /// goes on from here.
    ///
    /// `counts` may replace the numbers of needs, to block operators.
    pub(crate) fn explore(
        &mut self,
        world: &World,
        relaxed: &Relaxation<W>,
        state: &[u64],
        counts: Option<&[u32]>,
        join: Join,
    ) {
        let counts = counts.unwrap_or(&relaxed.need_count);
        let pairs = counts.iter().zip(&relaxed.charge);
        self.waiting.clear();
        self.waiting
            .extend(pairs.map(|(&missing, &sum)| Waiting { missing, sum }));
        if !relaxed.helps.is_empty() {
            self.charge_helps(world, relaxed, state, join);
        }
        self.begin(relaxed, state);
    }

    /// Charges for what has to be done more than once.
    fn charge_helps(&mut self, world: &World, relaxed: &Relaxation<W>, state: &[u64], join: Join) {
        let missing = Missing::new(world, state);
        self.work += 8 * relaxed.helps.len() as u64;
        self.times.clear();
        for help in &relaxed.helps {
            let charge = relaxed.charge[help.of as usize].units();
            let times = missing.times(help);
            // What leads away is the last that should be done.
            self.times.push(times.unwrap_or(u64::MAX));
            let more = match join {
                Join::Sum => {
                    let more = times.unwrap_or(u64::MAX) - 1;
                    charge.saturating_mul(u128::from(more))
                }
                Join::Max => missing.least(help, &relaxed.rates).saturating_sub(charge),
            };
            self.waiting[help.operator as usize].sum = W::of(more.min(W::LARGE.units()));
        }
    }

    /// Goes on until the costs of these literals are final: what is dearer
    /// than all of them need not be looked at.
    pub(crate) fn reach_all(&mut self, relaxed: &Relaxation<W>, goals: &[u32], join: Join) {
        match join {
            Join::Sum => self.go_on(relaxed, goals, |waiting, cost| {
                waiting.sum = waiting.sum.plus(cost);
                waiting.sum
            }),
            // Literals come in ascending order: the last one needed is the dearest.
            Join::Max => self.go_on(relaxed, goals, |waiting, cost| waiting.sum.plus(cost)),
        }
    }

    fn begin(&mut self, relaxed: &Relaxation<W>, state: &[u64]) {
        self.level = W::ZERO;
        self.reached.fill(Reached::NOT);
        self.work += (relaxed.literals + 2 * relaxed.charge.len()) as u64 / 16;
        self.queue.clear();
        for literal in relaxed.held(state) {
            self.reach(literal, W::ZERO, NONE);
        }
        for &operator in &relaxed.needless {
            let Waiting { missing, sum } = self.waiting[operator as usize];
            if missing == 0 {
                for &literal in relaxed.makes.get(operator) {
                    self.reach(literal, sum, operator);
                }
            }
        }
    }

    /// Reaches literals in ascending order of cost, until those of the goals
    /// are final or nothing is left. `join` is told of each literal an operator
    /// needs, and answers with the operator's cost so far.
    fn go_on(
        &mut self,
        relaxed: &Relaxation<W>,
        goals: &[u32],
        join: impl Fn(&mut Waiting<W>, W) -> W,
    ) {
        let mut open = goals;
        loop {
            while let Some((&goal, rest)) = open.split_first()
                && self.cost(goal) <= self.level
            {
                open = rest;
            }
            if open.is_empty() || !self.next_level(relaxed, &join) {
                return;
            }
        }
    }

    /// Looks at all literals of the least cost that waits; false if none does.
    fn next_level(
        &mut self,
        relaxed: &Relaxation<W>,
        join: &impl Fn(&mut Waiting<W>, W) -> W,
    ) -> bool {
        let Some((level, first)) = self.queue.pop() else {
            self.level = W::UNREACHED;
            return false;
        };
        let mut next = Some((level, first));
        while let Some((cost, literal)) = next {
            if self.cost(literal) == cost {
                self.pass(relaxed, literal, cost, join);
            }
            next = self.queue.pop_at(level);
        }
        self.level = level;
        true
    }

    /// Tells the operators that need a literal what it costs.
    #[inline]
    fn pass(
        &mut self,
        relaxed: &Relaxation<W>,
        literal: u32,
        cost: W,
        join: &impl Fn(&mut Waiting<W>, W) -> W,
    ) {
        let needed_by = relaxed.needed_by.get(literal);
        self.work += 1 + needed_by.len() as u64;
        for &operator in needed_by {
            let waiting = &mut self.waiting[operator as usize];
            let total = join(waiting, cost);
            waiting.missing -= 1;
            if waiting.missing == 0 {
                for &made in relaxed.makes.get(operator) {
                    self.reach(made, total, operator);
                }
            }
        }
    }

    #[inline]
    fn reach(&mut self, literal: u32, cost: W, supporter: u32) {
        let reached = &mut self.reached[literal as usize];
        if cost < reached.cost {
            *reached = Reached { cost, supporter };
            self.queue.push(cost, literal);
        }
    }

    /// Starts collecting a relaxed plan.
    pub(crate) fn start_plan(&mut self) {
        self.round += 1;
        self.plan.clear();
        self.repeated.clear();
    }

    /// Adds what `goal` needs to the relaxed plan and returns the charge of
    /// the operators that are new to it. The goal must have been reached.
    pub(crate) fn plan_for(&mut self, relaxed: &Relaxation<W>, goal: u32) -> W {
        let mut charge = W::ZERO;
        let mut open = vec![goal];
        while let Some(literal) = open.pop() {
            if std::mem::replace(&mut self.seen[literal as usize], self.round) == self.round {
                continue;
            }
            let operator = self.reached[literal as usize].supporter;
            if operator == NONE
                || std::mem::replace(&mut self.marked[operator as usize], self.round) == self.round
            {
                continue;
            }
            charge = charge.plus(relaxed.charge[operator as usize]);
            if let Some(&help) = relaxed.help_of.get(&operator) {
                charge = charge.plus(self.repeat(relaxed, help));
            }
            let needs = relaxed.needs.get(operator);
            self.work += needs.len() as u64;
            open.extend_from_slice(needs);
            self.plan.push(operator);
        }
        charge
    }

    /// Adds repetitions of an action to the relaxed plan, unless something else
    /// needs as many, and returns the charge of those that are new.
    fn repeat(&mut self, relaxed: &Relaxation<W>, help: u32) -> W {
        let times = self.times.get(help as usize).copied().unwrap_or(1);
        let help = &relaxed.helps[help as usize];
        let known = self.repeated.entry(help.action).or_insert(1);
        let more = times.saturating_sub(*known);
        *known += more;
        let charge = relaxed.charge[help.of as usize].units();
        let more = charge.saturating_mul(u128::from(more));
        W::of(more.min(W::LARGE.units()))
    }

    /// For each fact, how many operators of the relaxed plan need it.
    pub(crate) fn needed_in_plan(&self, relaxed: &Relaxation<W>, into: &mut Vec<u32>) {
        into.clear();
        into.resize(relaxed.facts as usize, 0);
        for &operator in &self.plan {
            for &literal in relaxed.needs.get(operator) {
                if literal < relaxed.facts {
                    into[literal as usize] += 1;
                }
            }
        }
    }

    /// The actions of the relaxed plan, those that need least first.
    pub(crate) fn actions_in_plan(&self, relaxed: &Relaxation<W>) -> Vec<u32> {
        let mut actions: Vec<(u128, u32)> = Vec::new();
        for &operator in &self.plan {
            // A conditional effect follows its action, which is in the plan.
            if let Origin::Action(action) = relaxed.origin[operator as usize]
                && relaxed.action(action) == Some(operator)
            {
                let needs = relaxed.needs.get(operator).iter();
                let costs = needs.map(|&literal| self.cost(literal).units());
                actions.push((costs.fold(0, u128::saturating_add), action));
            }
        }
        actions.sort_unstable();
        let actions = actions.into_iter().map(|(_, action)| action);
        if self.repeated.is_empty() {
            return actions.collect();
        }
        let times = |action| {
            self.repeated
                .get(&action)
                .map_or(1, |&it| it.min(MANY_TIMES))
        };
        let repeated = actions.flat_map(|action| (0..times(action)).map(move |_| action));
        repeated.collect()
    }

    /// True if the operator is part of the relaxed plan.
    pub(crate) fn in_plan(&self, operator: u32) -> bool {
        self.marked[operator as usize] == self.round
    }
}
