//! A plan as it is carried out: at every point the state, what is still to be
//! done, what was spent, and what the rest of the plan needs.
//!
//! ```text
//!   point      0        1        2              n
//!   element      m        a        …        a
//!   stack     [task]   [a, …]   […]          []
//!   needs     what the elements from here to the end rely on, and the goal
//! ```
//!
//! Elements are methods and actions in the order in which progression removes
//! them; a classical plan has actions only, and its stacks are empty. Whoever
//! comes to the stack of a point in a state that has what the point needs can
//! finish as the plan does.

use planoku_engine::{Run, Stop};

use crate::cost::Cost;
use crate::ground::{ActionIndex, Condition};
use crate::state::stacks::{DONE, Element, Elements, Kind, StackId, Stacks};
use crate::state::states::{clear, has, ones, set};
use crate::state::world::World;

/// A plan with all its points.
pub(crate) struct Course {
    pub(crate) trace: Vec<Element>,
    stacks: Vec<StackId>,
    heights: Vec<u32>,
    spent: Vec<Cost>,
    words: usize,
    states: Vec<u64>,
    needs: Needs,
}

/// What must hold, and what must not, in words of facts for each point.
struct Needs {
    words: usize,
    holds: Vec<u64>,
    fails: Vec<u64>,
    /// Needs of actions could not be told: at a point, the very state of the
    /// plan is needed, and at the end the goal.
    exact: bool,
}

impl Course {
    /// Carries out a plan; `None` if that cannot be done.
    pub(crate) fn new(
        world: &World,
        stacks: &mut Stacks,
        trace: Vec<Element>,
        run: &mut Run<'_>,
    ) -> Result<Option<Course>, Stop> {
        let (points, words) = (trace.len() + 1, world.words);
        run.effort((points * (8 + words)) as u64)?;
        run.check_growth((points * (24 * words + 40)) as u64)?;
        let elements = Elements::new(&world.ground);
        let mut state = world.initial();
        let mut spent = Cost::ZERO;
        let mut stack = match world.ground.root {
            Some(root) => stacks.push(elements.pack(Kind::Task(root)), DONE),
            None => DONE,
        };
        let mut height = u32::from(stack != DONE);
        let mut course = Course {
            stacks: Vec::with_capacity(points),
            heights: Vec::with_capacity(points),
            spent: Vec::with_capacity(points),
            words,
            states: Vec::with_capacity(points * words),
            needs: Needs::default(),
            trace,
        };
        for place in 0..points {
            course.stacks.push(stack);
            course.heights.push(height);
            course.spent.push(spent);
            course.states.extend_from_slice(&state);
            let Some(&element) = course.trace.get(place) else {
                break;
            };
            let below = stacks.pop(stack).map_or(DONE, |(_, below)| below);
            match elements.kind(element) {
                Kind::Action(action) => {
                    if !world.applicable(action, &state) || !world.apply(action, &mut state) {
                        return Ok(None);
                    }
                    spent += world.ground.actions[action as usize].cost;
                    stack = below;
                    height = height.saturating_sub(1);
                }
                Kind::Method(method) => {
                    let method = &world.ground.methods[method as usize];
                    if !world.holds(&method.precondition, &state) {
                        return Ok(None);
                    }
                    stack = below;
                    for &node in method.subtasks.iter().rev() {
                        stack = stacks.push(elements.node(node), stack);
                    }
                    height += method.subtasks.len() as u32;
                    height -= 1;
                }
                Kind::Task(_) => return Ok(None),
            }
        }
        if stack != DONE || !world.is_goal(&state) {
            return Ok(None);
        }
        course.needs = Needs::of(world, elements, &course);
        Ok(Some(course))
    }

    /// The last point.
    pub(crate) fn end(&self) -> usize {
        self.trace.len()
    }

    /// What the whole plan costs.
    pub(crate) fn cost(&self) -> Cost {
        self.spent[self.end()]
    }

    /// What the plan spends from one point to another.
    pub(crate) fn between(&self, from: usize, to: usize) -> Cost {
        self.spent[to].less(self.spent[from])
    }

    pub(crate) fn stack(&self, point: usize) -> StackId {
        self.stacks[point]
    }

    /// How many elements its stack has.
    pub(crate) fn height(&self, point: usize) -> u32 {
        self.heights[point]
    }

    pub(crate) fn state(&self, point: usize) -> &[u64] {
        &self.states[point * self.words..][..self.words]
    }

    /// True if the rest of the plan from a point can be carried out in a state.
    pub(crate) fn goes_on(&self, world: &World, point: usize, state: &[u64]) -> bool {
        if self.needs.exact {
            return match point == self.end() {
                true => world.is_goal(state),
                false => self.state(point) == state,
            };
        }
        let (holds, fails) = self.needs.at(point);
        let mut words = state.iter().zip(holds.iter().zip(fails));
        words.all(|(state, (holds, fails))| state & holds == *holds && state & fails == 0)
    }

    /// How many of the needs of a point a state does not have.
    pub(crate) fn missing(&self, point: usize, state: &[u64]) -> u32 {
        let count = |it: u64| it.count_ones();
        if self.needs.exact {
            let words = state.iter().zip(self.state(point)).take(self.needs.words);
            return words.map(|(a, b)| count(a ^ b)).sum();
        }
        let (holds, fails) = self.needs.at(point);
        let words = state.iter().zip(holds.iter().zip(fails));
        words
            .map(|(state, (holds, fails))| count(!state & holds) + count(state & fails))
            .sum()
    }

    /// The needs of a point as a condition.
    pub(crate) fn condition(&self, world: &World, point: usize) -> Condition {
        if self.needs.exact {
            return match point == self.end() {
                true => world.ground.goal.clone(),
                false => Condition::default(),
            };
        }
        let (holds, fails) = self.needs.at(point);
        Condition {
            positive: ones(holds).collect(),
            negative: ones(fails).collect(),
        }
    }
}

impl Default for Needs {
    fn default() -> Needs {
        Needs {
            words: 0,
            holds: Vec::new(),
            fails: Vec::new(),
            exact: true,
        }
    }
}

impl Needs {
    fn at(&self, point: usize) -> (&[u64], &[u64]) {
        let row = point * self.words..(point + 1) * self.words;
        (&self.holds[row.clone()], &self.fails[row])
    }

    /// From the end to the beginning: what is needed after an element and it
    /// does not bring about is needed before it.
    fn of(world: &World, elements: Elements, course: &Course) -> Needs {
        let words = world.fact_words;
        if !world.derived.is_empty() || !world.ground.numbers.is_empty() {
            return Needs {
                words,
                ..Needs::default()
            };
        }
        let points = course.trace.len() + 1;
        let mut needs = Needs {
            words,
            holds: vec![0; points * words],
            fails: vec![0; points * words],
            exact: false,
        };
        let (mut holds, mut fails) = (vec![0; words], vec![0; words]);
        include(&world.ground.goal, &mut holds, &mut fails);
        for point in (0..points).rev() {
            match course.trace.get(point).map(|&it| elements.kind(it)) {
                Some(Kind::Action(action)) => {
                    let state = course.state(point);
                    before_action(world, action, state, &mut holds, &mut fails);
                }
                Some(Kind::Method(method)) => {
                    let own = &world.ground.methods[method as usize].precondition;
                    include(own, &mut holds, &mut fails);
                }
                Some(Kind::Task(_)) | None => {}
            }
            needs.holds[point * words..][..words].copy_from_slice(&holds);
            needs.fails[point * words..][..words].copy_from_slice(&fails);
        }
        needs
    }
}

fn include(condition: &Condition, holds: &mut [u64], fails: &mut [u64]) {
    condition.positive.iter().for_each(|&fact| set(holds, fact));
    condition.negative.iter().for_each(|&fact| set(fails, fact));
}

/// What is needed before an action that is executed in a state, given what is
/// needed after it. Conditional effects that had to happen have to happen
/// again, and those that must not are kept from it by what kept them before.
fn before_action(
    world: &World,
    action: ActionIndex,
    state: &[u64],
    holds: &mut [u64],
    fails: &mut [u64],
) {
    let action = &world.ground.actions[action as usize];
    let mut own = action.precondition.clone();
    for effect in &action.conditional {
        let brings = effect.add.iter().any(|&fact| has(holds, fact))
            || effect.delete.iter().any(|&fact| has(fails, fact));
        let harms = effect.add.iter().any(|&fact| has(fails, fact))
            || effect.delete.iter().any(|&fact| has(holds, fact));
        if !brings && !harms {
            continue;
        }
        if world.holds(&effect.condition, state) {
            own.positive.extend(&effect.condition.positive);
            own.negative.extend(&effect.condition.negative);
            continue;
        }
        let mut positive = effect.condition.positive.iter();
        let mut negative = effect.condition.negative.iter();
        if let Some(&missing) = positive.find(|&&fact| !has(state, fact)) {
            own.negative.push(missing);
        } else if let Some(&unwanted) = negative.find(|&&fact| has(state, fact)) {
            own.positive.push(unwanted);
        }
    }
    for effect in &action.conditional {
        if world.holds(&effect.condition, state) {
            effect.delete.iter().for_each(|&fact| clear(fails, fact));
        }
    }
    action.delete.iter().for_each(|&fact| clear(fails, fact));
    for effect in &action.conditional {
        if world.holds(&effect.condition, state) {
            effect.add.iter().for_each(|&fact| clear(holds, fact));
        }
    }
    action.add.iter().for_each(|&fact| clear(holds, fact));
    include(&own, holds, fails);
}
