//! A plan made cheaper, window by window.
//!
//! Whoever looks for a cheaper plan from the beginning has to find all of it
//! again. Here the plan that is known stays, and a part of it is done in another
//! way: from one point of its [course](crate::spaces::course) a small best-first
//! search looks for a [detour](crate::spaces::detours) that comes back to a later
//! point for less. Windows are small at first, then longer and searched for
//! longer, and the whole plan is gone through again and again while that pays.
//! What is needless, a way back to a point from where the plan could have gone
//! on at once, is cut out before.
//!
//! Of a classical plan the order of steps is changed before it is gone through
//! again, so that other steps share a window (`reorder`), and half of the windows
//! are searched among actions that touch nothing else than the window's own
//! (`narrow`). Beside windows there are single variables, whose part in the whole
//! plan is done anew (`apart`).
//!
//! It begins with the best plan anybody has found, and goes on with another's
//! if that is cheaper.

mod apart;
mod latest;
mod narrow;
mod read;
pub(super) mod reorder;

use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Profile, Run, Sink, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::algorithms::best_first::BestFirst;
use crate::algorithms::bound::Bound;
use crate::algorithms::strategy::{By, Strategy};
use crate::analysis::charge::Charge;
use crate::analysis::derive::derivation;
use crate::analysis::infer::Inference;
use crate::cost::{Cost, Distance};
use crate::ground::{Condition, Derivation};
use crate::heuristics::Estimate;
use crate::heuristics::heuristic::{Heuristic, Situation};
use crate::instance::Instance;
use crate::spaces::applicable::{Applicable, Few};
use crate::spaces::course::Course;
use crate::spaces::detours::{Detours, Gap, Ways, Window};
use crate::state::hash::hash_words;
use crate::state::stacks::{Element, Elements, Kind, StackId, Stacks};
use crate::state::world::World;
pub(crate) use latest::Latest;
use narrow::Narrow;
use reorder::{Thread, reordered};

/// The engine: it needs a plan to begin with.
pub(crate) struct Shorten {
    /// The best plan of all who search.
    pub(crate) latest: Latest,
    /// Only plans cheaper than this are wanted.
    pub(crate) bound: Bound,
}

/// What guides a search in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guide {
    /// The cost so far alone.
    Cost,
    /// What is missing at the end of the window, counted.
    Gap,
    /// A relaxed plan to the end of the window.
    Relaxed,
    /// No windows: a variable at a time, by the cost so far alone.
    Apart,
}

/// Goes through the whole plan, with one guide and ever larger windows.
#[derive(Clone)]
struct Sweep {
    guide: Guide,
    /// Only what the window's own steps touch is touched.
    narrow: bool,
    /// How often windows have grown.
    round: u32,
    /// The point where it goes on.
    from: usize,
    /// What the plan cost when it began to go through it.
    cost: Cost,
    /// What it has been charged.
    work: u64,
}

impl Sweep {
    fn new(guide: Guide, narrow: bool, cost: Cost) -> Sweep {
        Sweep {
            guide,
            narrow,
            round: 0,
            from: 0,
            cost,
            work: 0,
        }
    }

    /// How many methods and actions of the plan a window has.
    fn length(&self) -> usize {
        SHORTEST << self.round
    }

    /// How many nodes are made in a window at most.
    fn nodes(&self) -> u64 {
        let first = match self.guide {
            Guide::Cost | Guide::Gap | Guide::Apart => 100,
            Guide::Relaxed => 30,
        };
        first * 3u64.pow(self.round)
    }

    /// How an estimate counts beside the cost so far.
    fn weight(&self) -> u32 {
        match self.guide {
            Guide::Cost | Guide::Relaxed | Guide::Apart => 1,
            Guide::Gap => 2,
        }
    }

    /// So much was done, and that is what the plan cost before and costs now: the
    /// more was saved, the less is charged.
    fn charge(&mut self, work: u64, before: Cost, now: Cost) {
        let saved = before.less(now).saturating_mul(REWARD).units();
        let parts = saved / before.units().max(1);
        self.work += work / (1 + parts.min(MOST_REWARD) as u64);
    }

    /// The plan has been gone through: windows grow, unless it has become much
    /// cheaper.
    fn end(&mut self, cost: Cost) {
        let saved = self.cost.less(cost);
        if saved.saturating_mul(WORTHWHILE) <= self.cost {
            self.round += 1;
        }
        self.from = 0;
        self.cost = cost;
    }
}

/// The length of the first windows: each time they grow, they are twice as long,
/// and three times as many nodes are made in each.
const SHORTEST: usize = 16;

/// Windows have grown so often that everything has been tried.
const LAST: u32 = 12;

/// A plan is gone through again with the same windows if that has saved one in
/// so many.
const WORTHWHILE: u128 = 50;

/// Who saves one part in so many is charged half, and who saves ten of them an
/// eleventh; but nobody less than one part in so many.
const REWARD: u128 = 1000;
const MOST_REWARD: u128 = 64;

/// Work after which a cheaper plan is told of.
const TELL_AFTER: u64 = 8_000_000;

/// Points with the same stack that are looked at, the farthest first, for one
/// where the plan can go on at once.
const MANY_POINTS: usize = 400;

/// In problems beyond this size it takes too long to infer what methods need.
const LARGE: u64 = 1_000_000;

/// Bytes of stacks after which those that nobody needs are forgotten.
const FORGET_AFTER: u64 = 64 << 20;

impl Engine<Instance> for Shorten {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        Profile::new("shorten", "makes a known plan cheaper, window by window")
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let world = &instance.world;
            let plan = self.latest.get().ok_or(Leave::GaveUp)?;
            let trace = read::read(world, &plan, run)?.ok_or(Leave::GaveUp)?;
            self.begin_with(instance, trace, run, found)
        })
    }
}

impl Shorten {
    /// Makes the plan of these methods and actions cheaper.
    pub(super) fn begin_with(
        &self,
        instance: &Instance,
        trace: Vec<Element>,
        run: &mut Run<'_>,
        found: &mut Found<'_, Derivation>,
    ) -> Result<(), Leave> {
        let mut search = Shortening::new(self, instance, trace, run)?;
        search.cut(run)?;
        let guides = [Guide::Cost, Guide::Gap, Guide::Relaxed];
        let cost = search.course.cost();
        let mut sweeps = guides.map(|it| Sweep::new(it, false, cost)).to_vec();
        if search.is_flexible() {
            sweeps.extend(guides.map(|it| Sweep::new(it, true, cost)));
            sweeps.insert(0, Sweep::new(Guide::Apart, true, cost));
        }
        loop {
            let going = sweeps.iter_mut().filter(|it| it.round <= LAST);
            let Some(next) = going.min_by_key(|it| it.work) else {
                search.tell(run, found)?;
                return Err(Leave::GaveUp);
            };
            search.go_on(next, run)?;
            if run.work() > search.told_at + TELL_AFTER {
                search.tell(run, found)?;
            }
        }
    }
}

/// A plan that is being made cheaper.
struct Shortening<'a> {
    engine: &'a Shorten,
    instance: &'a Instance,
    world: &'a World,
    ways: Prepared<'a>,
    stacks: Stacks,
    /// Made when it is first needed.
    relaxed: Option<Box<dyn Heuristic + 'a>>,
    /// Made when it is first needed.
    narrow: Option<Narrow<'a>>,
    course: Course,
    /// How often its order was changed.
    reordered: u64,
    /// Names of windows that were looked at.
    tried: FxHashSet<u64>,
    /// It is cheaper than what was told.
    untold: bool,
    told_at: u64,
}

/// What [`Ways`] are made of.
enum Prepared<'a> {
    Actions(Applicable),
    Methods(Option<&'a Inference>),
}

impl<'a> Shortening<'a> {
    fn new(
        engine: &'a Shorten,
        instance: &'a Instance,
        trace: Vec<Element>,
        run: &mut Run<'_>,
    ) -> Result<Shortening<'a>, Leave> {
        let world = &instance.world;
        let ways = match world.ground.root {
            Some(_) if !world.ground.ordered => {
                let what = "the network is only partially ordered";
                return Err(EngineError::Unsupported(what.into()).into());
            }
            Some(_) if instance.size() > LARGE => Prepared::Methods(None),
            Some(_) => Prepared::Methods(Some(instance.inference(run)?)),
            None => {
                run.effort(2 * instance.size())?;
                Prepared::Actions(Applicable::new(world))
            }
        };
        let mut stacks = Stacks::new();
        let course = Course::new(world, &mut stacks, trace, run)?;
        Ok(Shortening {
            engine,
            instance,
            world,
            ways,
            stacks,
            relaxed: None,
            narrow: None,
            reordered: 0,
            course: course.ok_or(Leave::GaveUp)?,
            tried: FxHashSet::default(),
            untold: false,
            told_at: run.work(),
        })
    }

    /// Looks at the next window of a sweep.
    fn go_on(&mut self, sweep: &mut Sweep, run: &mut Run<'_>) -> Result<(), Leave> {
        if sweep.guide == Guide::Apart {
            let begun = run.work();
            let cost = self.course.cost();
            self.look_apart(sweep, run)?;
            sweep.charge(run.work() - begun, cost, self.course.cost());
            return Ok(());
        }
        let end = self.course.end();
        let Some(from) = (sweep.from..end).find(|&point| self.is_choice(point)) else {
            sweep.end(self.course.cost());
            self.reorder(run)?;
            return self.cut(run);
        };
        run.effort(1 + (from - sweep.from) as u64)?;
        let (begun, cost) = (run.work(), self.course.cost());
        self.improve(sweep, from, run)?;
        sweep.from = from + 1 + sweep.length() / 8;
        sweep.charge(run.work() - begun, cost, self.course.cost());
        Ok(())
    }

    /// True if the order of steps may be changed, and all they do is to change
    /// facts.
    fn is_flexible(&self) -> bool {
        let ground = &self.world.ground;
        ground.root.is_none() && ground.axioms.is_empty() && ground.numbers.is_empty()
    }

    /// Changes the order of a plan's steps.
    fn reorder(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        if !self.is_flexible() {
            return Ok(());
        }
        self.reordered += 1;
        let thread = match self.reordered % 3 {
            1 => Thread::Forward,
            2 => Thread::Backward,
            _ => Thread::Drawn(self.reordered),
        };
        // A classical plan's elements are its actions.
        let plan: Vec<u32> = self.course.trace.iter().map(|&Element(it)| it).collect();
        let plan = reordered(self.world, &plan, thread, run)?;
        let trace = plan.into_iter().map(Element).collect();
        let course = Course::new(self.world, &mut self.stacks, trace, run)?;
        self.course = course
            .ok_or_else(|| EngineError::Internal("a plan in another order is no plan".into()))?;
        Ok(())
    }

    /// True if something else could have been done at a point.
    fn is_choice(&self, point: usize) -> bool {
        match Elements::new(&self.world.ground).kind(self.course.trace[point]) {
            Kind::Method(method) => {
                let task = self.world.ground.methods[method as usize].task;
                self.world.ground.tasks[task as usize].methods.len() > 1
            }
            Kind::Action(_) => self.world.ground.root.is_none(),
            Kind::Task(_) => false,
        }
    }

    /// Looks for a cheaper way from a point, and takes it if there is one.
    fn improve(&mut self, sweep: &Sweep, from: usize, run: &mut Run<'_>) -> Result<(), Leave> {
        let window = self.window(sweep.length(), from);
        let spent = self.course.between(window.from, window.to);
        run.effort(100)?;
        if spent == Cost::ZERO || !self.tried.insert(self.name(sweep, window)) {
            return Ok(());
        }
        if self.stacks.bytes() > FORGET_AFTER {
            self.forget(run)?;
        }
        let strategy = Strategy {
            by: By::Sum(sweep.weight()),
            admissible: sweep.guide == Guide::Cost,
            ..cheapest_first(sweep.nodes(), spent)
        };
        if sweep.guide == Guide::Relaxed && self.relaxed.is_none() {
            let estimate = Estimate::Ff.charging(self.instance, Charge::CostAndSteps, run)?;
            self.relaxed = Some(estimate);
        }
        let few = match sweep.narrow {
            true => Some(self.few(window, run)?),
            false => None,
        };
        let course = &self.course;
        let heuristic: Box<dyn Heuristic + '_> = match (sweep.guide, &mut self.relaxed) {
            (Guide::Relaxed, Some(relaxed)) => {
                let goal = course.condition(self.world, window.to);
                run.effort((goal.positive.len() + goal.negative.len()) as u64)?;
                relaxed.aim(&goal);
                Box::new(Borrowed(&mut **relaxed))
            }
            (Guide::Gap, _) => Box::new(Gap::new(course, window)),
            _ => Estimate::Blind.heuristic(self.instance, run)?,
        };
        let ways = match (&few, &self.ways) {
            (Some(few), _) => Ways::Few(few),
            (None, Prepared::Actions(applicable)) => Ways::Actions(applicable),
            (None, Prepared::Methods(inference)) => Ways::Methods(*inference),
        };
        let space = Detours::new(self.world, ways, course, window, &mut self.stacks);
        let mut way = None;
        let mut search = BestFirst::new(strategy, space, heuristic, None);
        let ended = search.run(run, &mut |space, steps| {
            way = space.way(steps);
            Ok(())
        });
        drop(search);
        match ended {
            Ok(()) | Err(Leave::GaveUp) => {}
            Err(other) => return Err(other),
        }
        match way {
            Some((way, back)) => self.replace(window.from, way, back, run),
            None => Ok(()),
        }
    }

    /// What can be done in a window without touching anything new.
    fn few(&mut self, window: Window, run: &mut Run<'_>) -> Result<Few, Leave> {
        let narrow = match self.narrow.take() {
            Some(narrow) => narrow,
            None => Narrow::new(self.instance, run)?,
        };
        let narrow = self.narrow.insert(narrow);
        let steps = self.course.trace[window.from..window.to].iter();
        Ok(narrow.around(steps.map(|&Element(action)| action), run)?)
    }

    /// Names what is looked for in a window.
    fn name(&self, sweep: &Sweep, window: Window) -> u64 {
        let Window { from, to } = window;
        let course = &self.course;
        let stacks = u64::from(course.stack(from)) << 32 | u64::from(course.stack(to));
        hash_words(&[
            sweep.guide as u64 * 2 + u64::from(sweep.narrow),
            u64::from(sweep.round),
            (to - from) as u64,
            stacks,
            course.between(from, to).units() as u64,
            hash_words(course.state(from)),
            hash_words(course.state(to)),
        ])
    }

    /// Forgets stacks that are not the plan's.
    fn forget(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        self.stacks = Stacks::new();
        self.tried.clear();
        let trace = std::mem::take(&mut self.course.trace);
        let course = Course::new(self.world, &mut self.stacks, trace, run)?;
        self.course = course.ok_or(Leave::GaveUp)?;
        Ok(())
    }

    /// The window at a point: it ends where little has been begun.
    fn window(&self, length: usize, from: usize) -> Window {
        let last = self.course.end().min(from + length);
        let ends = (from + length / 2).min(last).max(from + 1)..=last;
        let to = ends.rev().min_by_key(|&point| self.course.height(point));
        Window {
            from,
            to: to.unwrap_or(last),
        }
    }

    /// Cuts out what leads back to where the plan could have gone on.
    fn cut(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        let mut from = 0;
        let mut points = self.by_stack(run)?;
        let per_look = 1 + self.world.words as u64 / 16;
        while from < self.course.end() {
            let (course, world) = (&self.course, self.world);
            let state = course.state(from);
            let same = &points[&course.stack(from)];
            let later = same.iter().rev().take_while(|&&it| it > from);
            let mut looked = 1;
            let mut costly = later.take(MANY_POINTS).filter(|&&point| {
                looked += 1;
                course.between(from, point) > Cost::ZERO
            });
            let back = costly.find(|&&point| course.goes_on(world, point, state));
            let back = back.copied();
            run.effort(looked * per_look)?;
            if let Some(back) = back {
                self.replace(from, Vec::new(), back, run)?;
                points = self.by_stack(run)?;
            }
            from += 1;
        }
        Ok(())
    }

    /// The points where each stack stands, ascending.
    fn by_stack(&self, run: &mut Run<'_>) -> Result<FxHashMap<StackId, Vec<usize>>, Stop> {
        run.effort(4 * self.course.end() as u64)?;
        let mut points: FxHashMap<StackId, Vec<usize>> = FxHashMap::default();
        for point in 0..=self.course.end() {
            points
                .entry(self.course.stack(point))
                .or_default()
                .push(point);
        }
        Ok(points)
    }

    /// Puts another way in the place of what is done between two points.
    fn replace(
        &mut self,
        from: usize,
        way: Vec<Element>,
        back: usize,
        run: &mut Run<'_>,
    ) -> Result<(), Leave> {
        let mut trace = self.course.trace[..from].to_vec();
        trace.extend(way);
        trace.extend_from_slice(&self.course.trace[back..]);
        self.take(trace, run)
    }

    /// Goes on with a cheaper plan.
    fn take(&mut self, trace: Vec<Element>, run: &mut Run<'_>) -> Result<(), Leave> {
        let course = Course::new(self.world, &mut self.stacks, trace, run)?;
        let course = course.filter(|it| it.cost() < self.course.cost());
        self.course = course.ok_or_else(|| {
            EngineError::Internal("what is done in another way is no cheaper plan".into())
        })?;
        self.untold = true;
        Ok(())
    }

    /// Tells of a cheaper plan, or hears of another's.
    fn tell(&mut self, run: &mut Run<'_>, found: &mut Found<'_, Derivation>) -> Result<(), Leave> {
        self.told_at = run.work();
        let bound = self.engine.bound.get();
        if bound.is_some_and(|bound| bound < self.course.cost()) {
            self.untold = false;
            return self.take_over(run);
        }
        let counts = bound.is_none_or(|bound| self.course.cost() < bound);
        if std::mem::take(&mut self.untold) && counts {
            found.push(derivation(&self.world.ground, &self.course.trace))?;
        }
        Ok(())
    }

    /// Goes on with the best plan of all, if it is cheaper and can be read here.
    fn take_over(&mut self, run: &mut Run<'_>) -> Result<(), Leave> {
        let Some(plan) = self.engine.latest.get() else {
            return Ok(());
        };
        let Some(trace) = read::read(self.world, &plan, run)? else {
            return Ok(());
        };
        let course = Course::new(self.world, &mut self.stacks, trace, run)?;
        if let Some(course) = course.filter(|it| it.cost() < self.course.cost()) {
            self.course = course;
            self.cut(run)?;
        }
        Ok(())
    }
}

/// A search for a way that costs less, with so many nodes.
fn cheapest_first(nodes: u64, bound: Cost) -> Strategy {
    Strategy {
        by: By::Sum(1),
        in_line: true,
        patience: Some(nodes),
        admissible: true,
        bound: Bound::from(bound),
        ..Strategy::eager("shorten")
    }
}

/// A heuristic that is used again.
struct Borrowed<'h, 'a>(&'h mut (dyn Heuristic + 'a));

impl Heuristic for Borrowed<'_, '_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        self.0.estimate(at)
    }

    fn take_work(&mut self) -> u64 {
        self.0.take_work()
    }

    fn aim(&mut self, goal: &Condition) {
        self.0.aim(goal);
    }
}
