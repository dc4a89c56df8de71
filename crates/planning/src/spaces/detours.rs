//! Other ways for a part of a plan.
//!
//! A search begins at a point of a plan's [course](crate::spaces::course) and
//! may leave it as it likes. It has come back as soon as it stands at the stack
//! of a later point, in a state that has all the rest of the plan needs from
//! there. Coming back costs what the plan spends from that point to the farthest
//! one that counts: so the cheapest way back, wherever it ends, is the cheapest
//! plan that can be made of the two.
//!
//! Nakhost and Müller search the neighbourhood of a plan ("Action elimination
//! and plan neighborhood graph search", 2010), Siddiqui and Haslum windows of it
//! ("Plan quality optimisation via block decomposition", 2013); what is new is
//! that here stacks of tasks come back as well.
//!
//! One tick of the [`Run`] is one successor.

use std::cell::Cell;

use planoku_engine::{Leave, Run};
use rustc_hash::FxHashMap;

use crate::analysis::infer::Inference;
use crate::cost::{Cost, Distance};
use crate::ground::{MethodIndex, TaskIndex};
use crate::heuristics::heuristic::{Heuristic, RelaxedPlan, Situation};
use crate::spaces::applicable::{Applicable, Few};
use crate::spaces::course::Course;
use crate::spaces::space::{Space, Successor};
use crate::state::stacks::{DONE, Element, Elements, Kind, StackId, Stacks};
use crate::state::states::{StateTable, has};
use crate::state::world::World;

/// Steps without a choice after which a node is made all the same.
const LONG_CHAIN: usize = 200;

/// A stack may be so much higher than the plan's are in the window: recursion
/// that leads nowhere is cut off.
const HIGHER: u32 = 20;

/// Work of a node, and of a stack that was not seen before.
const NODE_WORK: usize = 150;
const STACK_WORK: usize = 60;

/// How a node leads to others.
#[derive(Clone, Copy)]
pub(crate) enum Ways<'a> {
    /// By any action that can be executed.
    Actions(&'a Applicable),
    /// By any of a few actions that can be executed.
    Few(&'a Few),
    /// By the methods of the task on top that can lead anywhere.
    Methods(Option<&'a Inference>),
}

/// A part of a plan: between which points another way is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Where a detour stands.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    Off {
        state: u32,
        stack: StackId,
        height: u32,
    },
    /// Back at a point of the plan.
    Back(usize),
}

/// The methods and actions of a step, and where it comes back, if it does.
pub(crate) struct Stretch {
    elements: Box<[Element]>,
    back: Option<usize>,
}

/// All detours from a point.
pub(crate) struct Detours<'a> {
    world: &'a World,
    ways: Ways<'a>,
    course: &'a Course,
    window: Window,
    stacks: &'a mut Stacks,
    elements: Elements,
    /// By their stack, the points where a detour may come back, the last first.
    points: FxHashMap<StackId, Vec<usize>>,
    states: StateTable,
    numbers: FxHashMap<(u32, StackId), u32>,
    /// The state of the farthest point.
    aim: u32,
    /// The highest stack that is looked at.
    highest: u32,
    /// How many stacks were charged for.
    charged: usize,
    begun: bool,
    actions: Vec<u32>,
    methods: Vec<MethodIndex>,
    /// The successor that is being made.
    state: Vec<u64>,
    cost: Cost,
    trace: Vec<Element>,
    work: Cell<u64>,
}

impl<'a> Detours<'a> {
    pub(crate) fn new(
        world: &'a World,
        ways: Ways<'a>,
        course: &'a Course,
        window: Window,
        stacks: &'a mut Stacks,
    ) -> Detours<'a> {
        let mut points: FxHashMap<StackId, Vec<usize>> = FxHashMap::default();
        for point in (window.from + 1..=window.to).rev() {
            points.entry(course.stack(point)).or_default().push(point);
        }
        let mut states = StateTable::new(world.words);
        let heights = (window.from..=window.to).map(|point| course.height(point));
        Detours {
            world,
            ways,
            course,
            window,
            elements: Elements::new(&world.ground),
            points,
            aim: states.intern(course.state(window.to)).0,
            states,
            numbers: FxHashMap::default(),
            highest: heights.max().unwrap_or(0) + HIGHER,
            charged: stacks.count(),
            stacks,
            begun: false,
            actions: Vec::new(),
            methods: Vec::new(),
            state: course.state(window.from).to_vec(),
            cost: Cost::ZERO,
            trace: Vec::new(),
            work: Cell::new((8 * (window.to - window.from)) as u64),
        }
    }

    /// The way of these steps, and where it comes back.
    pub(crate) fn way(&self, steps: &[&Stretch]) -> Option<(Vec<Element>, usize)> {
        let back = steps.last()?.back?;
        let way = steps.iter().flat_map(|it| it.elements.iter().copied());
        Some((way.collect(), back))
    }

    fn charge(&self, work: usize) {
        self.work.set(self.work.get() + work as u64);
    }

    /// Adds the ways to come back from where the successor stands.
    fn come_back(&mut self, stack: StackId, into: &mut Vec<Successor<Self>>) {
        let Some(points) = self.points.get(&stack) else {
            return;
        };
        self.charge(points.len() * (2 + self.world.fact_words / 4));
        let back = |point: &&usize| self.course.goes_on(self.world, **point, &self.state);
        // What is farther leaves less to be spent.
        if let Some(&point) = points.iter().find(back) {
            let rest = self.course.between(point, self.window.to);
            into.push(Successor::new(
                Place::Back(point),
                self.stretch(Some(point)),
                self.cost + rest,
            ));
        }
    }

    /// Does what leaves no choice, and adds where that ends.
    fn go_on(&mut self, mut stack: StackId, mut height: u32, into: &mut Vec<Successor<Self>>) {
        let world = self.world;
        for _ in 0..LONG_CHAIN {
            self.come_back(stack, into);
            let Some((element, below)) = self.stacks.pop(stack) else {
                return;
            };
            self.charge(8 + self.world.fact_words / 8);
            match self.elements.kind(element) {
                Kind::Action(action) => {
                    let fits = world.applicable(action, &self.state);
                    if !fits || !world.apply(action, &mut self.state) {
                        return;
                    }
                    self.cost += world.ground.actions[action as usize].cost;
                    self.trace.push(element);
                    stack = below;
                    height = height.saturating_sub(1);
                }
                Kind::Task(task) => {
                    let mut methods = std::mem::take(&mut self.methods);
                    self.fitting(task, &mut methods);
                    let only = match *methods {
                        [] => return self.methods = methods,
                        [only] => Some(only),
                        _ => None,
                    };
                    self.methods = methods;
                    match only {
                        Some(method) => stack = self.refine(method, below, &mut height),
                        None => break,
                    }
                    if height > self.highest {
                        return;
                    }
                }
                // A method is judged as it is chosen.
                Kind::Method(_) => return,
            }
        }
        let state = self.states.intern(&self.state).0;
        into.push(Successor::new(
            Place::Off {
                state,
                stack,
                height,
            },
            self.stretch(None),
            self.cost,
        ));
    }

    /// The methods of a task that can lead anywhere from the state of the
    /// successor.
    fn fitting(&mut self, task: TaskIndex, into: &mut Vec<MethodIndex>) {
        into.clear();
        let Ways::Methods(inference) = self.ways else {
            return;
        };
        let ground = &self.world.ground;
        let methods = &ground.tasks[task as usize].methods;
        self.charge(4 * methods.len());
        let fits = |&&method: &&MethodIndex| {
            let own = &ground.methods[method as usize].precondition;
            let holds = |fact: &u32| has(&self.state, *fact);
            self.world.holds(own, &self.state)
                && inference.is_none_or(|it| {
                    let inferred = it.methods[method as usize].as_ref();
                    inferred.is_some_and(|it| {
                        it.needs.iter().all(holds) && !it.forbids.iter().any(holds)
                    })
                })
        };
        into.extend(methods.iter().filter(fits));
    }

    fn refine(&mut self, method: MethodIndex, below: StackId, height: &mut u32) -> StackId {
        self.trace.push(self.elements.pack(Kind::Method(method)));
        let subtasks = &self.world.ground.methods[method as usize].subtasks;
        *height = height.saturating_sub(1) + subtasks.len() as u32;
        let nodes = subtasks.iter().rev();
        nodes.fold(below, |stack, &node| {
            self.stacks.push(self.elements.node(node), stack)
        })
    }

    /// The actions that can be executed where the successor stands.
    fn list(&self, into: &mut Vec<u32>) {
        match self.ways {
            Ways::Actions(applicable) => applicable.list(self.world, &self.state, into),
            Ways::Few(few) => {
                self.charge(few.len());
                few.list(self.world, &self.state, into);
            }
            Ways::Methods(_) => into.clear(),
        }
    }

    fn stretch(&self, back: Option<usize>) -> Stretch {
        Stretch {
            elements: self.trace.as_slice().into(),
            back,
        }
    }

    /// The successor stands where a node does.
    fn stand(&mut self, state: u32) {
        self.state.copy_from_slice(self.states.get(state));
        self.cost = Cost::ZERO;
        self.trace.clear();
    }
}

impl Space for Detours<'_> {
    type Node = Place;
    type Step = Stretch;

    fn start(&mut self) -> Place {
        Place::Off {
            state: self.states.intern(self.course.state(self.window.from)).0,
            stack: self.course.stack(self.window.from),
            height: self.course.height(self.window.from),
        }
    }

    fn number(&mut self, &node: &Place) -> u32 {
        let key = match node {
            Place::Off { state, stack, .. } => (state, stack),
            Place::Back(point) => (u32::MAX, point as u32),
        };
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert(next)
    }

    fn is_goal(&self, node: &Place) -> bool {
        matches!(node, Place::Back(_))
    }

    fn successors(
        &mut self,
        &node: &Place,
        _plan: Option<&dyn RelaxedPlan>,
        run: &mut Run<'_>,
        into: &mut Vec<Successor<Self>>,
    ) -> Result<(), Leave> {
        let Place::Off {
            state,
            stack,
            height,
        } = node
        else {
            return Ok(());
        };
        self.stand(state);
        if !std::mem::replace(&mut self.begun, true) {
            self.come_back(stack, into);
        }
        match (self.ways, self.stacks.pop(stack)) {
            (Ways::Actions(_) | Ways::Few(_), _) => {
                let mut actions = std::mem::take(&mut self.actions);
                self.list(&mut actions);
                for &action in &actions {
                    run.tick()?;
                    self.stand(state);
                    if self.world.apply(action, &mut self.state) {
                        self.cost = self.world.ground.actions[action as usize].cost;
                        self.trace.push(self.elements.pack(Kind::Action(action)));
                        self.come_back(DONE, into);
                        let state = self.states.intern(&self.state).0;
                        into.push(Successor::new(
                            Place::Off {
                                state,
                                stack,
                                height,
                            },
                            self.stretch(None),
                            self.cost,
                        ));
                    }
                    self.charge(NODE_WORK + self.world.words);
                }
                self.actions = actions;
            }
            (Ways::Methods(_), Some((element, below))) => match self.elements.kind(element) {
                Kind::Task(task) => {
                    let mut methods = Vec::new();
                    self.fitting(task, &mut methods);
                    for &method in &methods {
                        run.tick()?;
                        self.stand(state);
                        let mut height = height;
                        let refined = self.refine(method, below, &mut height);
                        if height <= self.highest {
                            self.go_on(refined, height, into);
                        }
                        self.charge(NODE_WORK + self.world.words);
                    }
                }
                _ => self.go_on(stack, height, into),
            },
            (Ways::Methods(_), None) => {}
        }
        Ok(())
    }

    fn describe<'s>(&'s self, &node: &Place, left: &mut Vec<Element>) -> (u32, &'s [u64]) {
        let Place::Off {
            state, mut stack, ..
        } = node
        else {
            return (self.aim, self.states.get(self.aim));
        };
        // A stack is numbered after those below it: of two that differ, the
        // later one is not part of the other.
        let mut aim = self.course.stack(self.window.to);
        let mut steps = 0;
        while stack != aim {
            let Some((element, below)) = self.stacks.pop(stack.max(aim)) else {
                break;
            };
            steps += 1;
            if stack > aim {
                left.push(element);
                stack = below;
            } else {
                aim = below;
            }
        }
        self.charge(4 * steps);
        (state, self.states.get(state))
    }

    fn take_work(&mut self) -> u64 {
        let new = self.stacks.count() - std::mem::replace(&mut self.charged, self.stacks.count());
        self.work.take() + (STACK_WORK * new) as u64
    }

    fn bytes(&self) -> u64 {
        self.states.bytes() + self.stacks.bytes() + (self.numbers.capacity() * 13) as u64
    }

    fn bytes_of(_node: &Place, step: &Stretch) -> u64 {
        4 * step.elements.len() as u64
    }
}

/// How many needs of the farthest point are missing, and how much is to be done
/// before its stack is reached.
pub(crate) struct Gap<'a> {
    course: &'a Course,
    to: usize,
    work: u64,
}

impl<'a> Gap<'a> {
    pub(crate) fn new(course: &'a Course, window: Window) -> Gap<'a> {
        Gap {
            course,
            to: window.to,
            work: 0,
        }
    }
}

impl Heuristic for Gap<'_> {
    fn estimate(&mut self, at: &Situation<'_>) -> Distance {
        self.work += 1 + (at.state.len() / 4) as u64;
        let missing = self.course.missing(self.to, at.state) as usize;
        Distance::Left(Cost::from((missing + at.left.len()) as u64))
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}
