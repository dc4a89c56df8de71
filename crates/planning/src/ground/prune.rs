//! The last pruning, on what has been written out.
//!
//! [`Reach`](super::reach::Reach) lets an action fire even if a *later* part
//! of its method turns out to be impossible, and it takes disjunctions and
//! negative literals on trust. Here the same fixed point is computed over the
//! draft, exactly: only complete methods below the root count, negative
//! literals need a fact that is false or can be made false, and what survives
//! is computed again until nothing more falls away. Each round takes time
//! linear in the size of the draft. Numbers have intervals that actions widen
//! (see [`ranges`](super::ranges)).

use planoku_engine::{Run, Stop};

use super::condition::Form;
use super::draft::{Conj, Draft};
use super::ranges::Ranges;
use super::relation::NONE;
use super::{Condition, Node, lower::MethodSchema};

/// What survives, by places in the draft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alive {
    /// Actions that may be executable.
    pub actions: Vec<bool>,
    /// Tasks that can be carried out.
    pub tasks: Vec<bool>,
    /// Methods that may be applicable.
    pub methods: Vec<bool>,
    /// Facts that can become true.
    pub facts: Vec<bool>,
    /// Facts that hold now and can become false, or do not hold now.
    pub falsifiable: Vec<bool>,
}

impl Alive {
    /// What is known about a fact, given what survives.
    pub fn known(&self, fact: u32, positive: bool) -> Form {
        let decided = |holds: bool| if holds { Form::True } else { Form::False };
        if !self.facts[fact as usize] {
            decided(!positive)
        } else if !self.falsifiable[fact as usize] {
            decided(positive)
        } else {
            Form::Fact(fact, positive)
        }
    }

    /// The literals of a condition that are not decided; `None` if one of them
    /// is decided against it.
    pub fn literals(&self, conj: &Conj) -> Option<Condition> {
        let open = |facts: &[u32], positive: bool| {
            let mut list = Vec::with_capacity(facts.len());
            for &fact in facts {
                match self.known(fact, positive) {
                    Form::False => return None,
                    Form::Fact(..) => list.push(fact),
                    _ => {}
                }
            }
            Some(list)
        };
        Some(Condition {
            positive: open(&conj.positive, true)?,
            negative: open(&conj.negative, false)?,
        })
    }

    /// True if the condition may hold, going by facts that can become true.
    pub fn allows(&self, conj: &Conj) -> bool {
        conj.positive.iter().all(|&fact| self.facts[fact as usize])
            && conj
                .negative
                .iter()
                .all(|&fact| self.falsifiable[fact as usize])
            && conj.rest.iter().all(|form| self.allows_form(form))
    }

    fn allows_form(&self, form: &Form) -> bool {
        match form {
            Form::True => true,
            Form::False => false,
            Form::Fact(fact, true) => self.facts[*fact as usize],
            Form::Fact(fact, false) => self.falsifiable[*fact as usize],
            Form::And(parts) => parts.iter().all(|part| self.allows_form(part)),
            Form::Or(parts) => parts.iter().any(|part| self.allows_form(part)),
        }
    }
}

/// Prunes to a fixed point.
pub fn prune(
    draft: &Draft,
    schema_of: impl Fn(u32) -> usize,
    schemas: &[MethodSchema],
    run: &mut Run<'_>,
) -> Result<Alive, Stop> {
    let mut alive = Alive {
        actions: vec![true; draft.actions.len()],
        tasks: vec![true; draft.tasks.len()],
        methods: vec![true; draft.methods.len()],
        facts: vec![],
        falsifiable: vec![],
    };
    let methods: Vec<&MethodSchema> = draft
        .methods
        .iter()
        .map(|method| &schemas[schema_of(method.number)])
        .collect();
    let mut by_task = vec![vec![]; draft.tasks.len()];
    for (place, method) in draft.methods.iter().enumerate() {
        by_task[method.task as usize].push(place as u32);
    }
    let mut first = Vec::with_capacity(methods.len());
    let mut predecessors = Vec::new();
    for method in &methods {
        first.push(predecessors.len() as u32);
        predecessors.extend_from_slice(&method.predecessors);
    }
    let shape = Shape {
        methods,
        by_task,
        first,
        predecessors,
    };
    loop {
        run.check()?;
        let mut round = Round::new(draft, &alive, &shape);
        round.run(run)?;
        let next = round.survivors();
        // A round goes by the actions and methods that survived the last.
        let settled = next.actions == alive.actions && next.methods == alive.methods;
        alive = next;
        if settled {
            return Ok(alive);
        }
    }
}

/// Things that wait: actions, then their conditional effects, methods, axioms.
#[derive(Clone, Copy)]
enum Unit {
    Action(u32),
    Effect(u32, u32),
    Change(u32, u32),
    Method(u32),
    Axiom(u32),
}

/// What all rounds share.
struct Shape<'a> {
    /// Per method, its schema.
    methods: Vec<&'a MethodSchema>,
    /// Per task, its methods.
    by_task: Vec<Vec<u32>>,
    /// Per method, where its subtasks start in lists of all subtasks.
    first: Vec<u32>,
    /// Per subtask, how many others come directly before it.
    predecessors: Vec<u32>,
}

/// One computation of what can be reached.
struct Round<'a> {
    draft: &'a Draft,
    shape: &'a Shape<'a>,
    now: Alive,
    units: Vec<Unit>,
    conditions: Vec<&'a Conj>,
    /// Per unit: what it still waits for; [`NONE`] if it has been refuted.
    left: Vec<u32>,
    /// Units with formulas that have not been found to hold.
    complex: Vec<u32>,
    /// Per fact, the units that need it: `needs[start[f]..start[f + 1]]`.
    start: Vec<u32>,
    needs: Vec<u32>,
    action_units: Vec<u32>,
    method_units: Vec<u32>,
    queue: Vec<u32>,
    /// Subtasks to be achieved, and of those how many predecessors.
    subtasks_left: Vec<u32>,
    missing: Vec<u32>,
    asked_tasks: Vec<bool>,
    /// Tasks asked for whose methods have not been told.
    asked: Vec<u32>,
    asked_actions: Vec<bool>,
    /// `(method, subtask, next)`: who waits for a task or an action.
    watches: Vec<(u32, u32, u32)>,
    task_watch: Vec<u32>,
    action_watch: Vec<u32>,
    news: Vec<(u32, u32)>,
    numbers: Ranges<'a>,
}

impl<'a> Round<'a> {
    fn new(draft: &'a Draft, alive: &Alive, shape: &'a Shape<'a>) -> Round<'a> {
        let mut falsifiable: Vec<bool> = draft.initial.iter().map(|&holds| !holds).collect();
        for (place, action) in draft.actions.iter().enumerate() {
            if alive.actions[place] {
                for effect in action.conditional.iter().chain([&action.always]) {
                    for &fact in &effect.delete {
                        falsifiable[fact as usize] = true;
                    }
                }
            }
        }
        for comparison in &draft.comparisons {
            falsifiable[comparison.fact as usize] = true;
        }
        let mut round = Round {
            draft,
            shape,
            now: Alive {
                actions: vec![false; draft.actions.len()],
                tasks: vec![false; draft.tasks.len()],
                methods: vec![false; draft.methods.len()],
                facts: draft.initial.clone(),
                falsifiable,
            },
            units: vec![],
            conditions: vec![],
            left: vec![],
            complex: vec![],
            start: vec![0; draft.facts + 1],
            needs: vec![],
            action_units: vec![NONE; draft.actions.len()],
            method_units: vec![NONE; draft.methods.len()],
            queue: vec![],
            subtasks_left: draft
                .methods
                .iter()
                .map(|m| m.subtasks.len() as u32)
                .collect(),
            missing: shape.predecessors.clone(),
            asked_tasks: vec![false; draft.tasks.len()],
            asked: vec![],
            asked_actions: vec![false; draft.actions.len()],
            watches: vec![],
            task_watch: vec![NONE; draft.tasks.len()],
            action_watch: vec![NONE; draft.actions.len()],
            news: vec![],
            numbers: Ranges::new(draft),
        };
        round.list_units(alive);
        round
    }

    fn list_units(&mut self, alive: &Alive) {
        let draft = self.draft;
        for (place, action) in draft.actions.iter().enumerate() {
            if !alive.actions[place] {
                continue;
            }
            self.action_units[place] = self.units.len() as u32;
            self.add(Unit::Action(place as u32), &action.always.when, true);
            for (at, effect) in action.conditional.iter().enumerate() {
                self.add(Unit::Effect(place as u32, at as u32), &effect.when, true);
            }
            for (at, change) in action.changes.iter().enumerate() {
                self.add(Unit::Change(place as u32, at as u32), &change.when, true);
            }
        }
        for (place, method) in draft.methods.iter().enumerate() {
            if alive.methods[place] {
                self.method_units[place] = self.units.len() as u32;
                self.add(Unit::Method(place as u32), &method.when, true);
            }
        }
        for (place, axiom) in draft.axioms.iter().enumerate() {
            self.add(Unit::Axiom(place as u32), &axiom.when, false);
        }
        for at in 0..self.start.len() - 1 {
            self.start[at + 1] += self.start[at];
        }
        self.needs = vec![0; *self.start.last().unwrap_or(&0) as usize];
        for (unit, condition) in self.conditions.iter().enumerate().rev() {
            for &fact in &condition.positive {
                if !self.now.facts[fact as usize] {
                    self.start[fact as usize] -= 1;
                    self.needs[self.start[fact as usize] as usize] = unit as u32;
                }
            }
        }
    }

    fn add(&mut self, unit: Unit, condition: &'a Conj, asked: bool) {
        let number = self.units.len() as u32;
        let mut left = u32::from(asked);
        for &fact in &condition.positive {
            if !self.now.facts[fact as usize] {
                left += 1;
                self.start[fact as usize] += 1;
            }
        }
        if !condition.rest.is_empty() {
            left += 1;
            self.complex.push(number);
        }
        let possible = |&fact: &u32| self.now.falsifiable[fact as usize];
        if !condition.negative.iter().all(possible) {
            left = NONE;
        }
        self.units.push(unit);
        self.conditions.push(condition);
        self.left.push(left);
        if left == 0 {
            // An axiom without conditions; it fires when the round runs.
            self.complex.push(number);
            self.left[number as usize] = 1;
        }
    }

    fn run(&mut self, run: &mut Run<'_>) -> Result<(), Stop> {
        if self.draft.tasks.is_empty() {
            for action in 0..self.draft.actions.len() as u32 {
                self.ask_for_action(action);
            }
        } else {
            self.ask_for_task(0);
        }
        self.spread();
        loop {
            while let Some(fact) = self.queue.pop() {
                let (start, end) = (self.start[fact as usize], self.start[fact as usize + 1]);
                for at in start..end {
                    self.satisfy(self.needs[at as usize]);
                }
                run.effort(1 + u64::from(end - start))?;
                self.spread();
            }
            run.check()?;
            let reached = self.numbers.widen(run)?;
            if !reached.is_empty() {
                self.reach_all(&reached);
                continue;
            }
            let (holding, open): (Vec<u32>, Vec<u32>) = std::mem::take(&mut self.complex)
                .into_iter()
                .partition(|&unit| {
                    let rest = &self.conditions[unit as usize].rest;
                    rest.iter().all(|form| self.now.allows_form(form))
                });
            self.complex = open;
            if holding.is_empty() {
                return Ok(());
            }
            for unit in holding {
                self.satisfy(unit);
            }
            self.spread();
        }
    }

    /// One thing a unit waited for has come.
    fn satisfy(&mut self, unit: u32) {
        let left = &mut self.left[unit as usize];
        if *left == NONE {
            return;
        }
        *left -= 1;
        if *left > 0 {
            return;
        }
        match self.units[unit as usize] {
            Unit::Action(action) => {
                self.now.actions[action as usize] = true;
                let watch = std::mem::replace(&mut self.action_watch[action as usize], NONE);
                self.hear(watch);
                let draft = &self.draft.actions[action as usize];
                self.reach_all(&draft.always.add);
                let inner = draft.conditional.len() + draft.changes.len();
                for effect in 0..inner as u32 {
                    self.satisfy(unit + 1 + effect);
                }
            }
            Unit::Change(action, change) => {
                let action = &self.draft.actions[action as usize];
                self.numbers.add(&action.changes[change as usize]);
            }
            Unit::Effect(action, effect) => {
                let action = &self.draft.actions[action as usize];
                self.reach_all(&action.conditional[effect as usize].add);
            }
            Unit::Method(method) => {
                let first = self.shape.first[method as usize] as usize;
                if self.draft.methods[method as usize].subtasks.is_empty() {
                    self.complete(method);
                }
                for place in 0..self.draft.methods[method as usize].subtasks.len() {
                    if self.missing[first + place] == 0 {
                        self.begin(method, place as u32);
                    }
                }
            }
            Unit::Axiom(axiom) => self.reach_all(&[self.draft.axioms[axiom as usize].head]),
        }
    }

    fn reach_all(&mut self, facts: &[u32]) {
        for &fact in facts {
            if !std::mem::replace(&mut self.now.facts[fact as usize], true) {
                self.queue.push(fact);
            }
        }
    }

    fn begin(&mut self, method: u32, place: u32) {
        match self.draft.methods[method as usize].subtasks[place as usize] {
            Node::Task(task) => {
                if self.now.tasks[task as usize] {
                    self.news.push((method, place));
                } else {
                    let watch = &mut self.task_watch[task as usize];
                    self.watches.push((method, place, *watch));
                    *watch = self.watches.len() as u32 - 1;
                    self.ask_for_task(task);
                }
            }
            Node::Action(action) => {
                if self.now.actions[action as usize] {
                    self.news.push((method, place));
                } else {
                    let watch = &mut self.action_watch[action as usize];
                    self.watches.push((method, place, *watch));
                    *watch = self.watches.len() as u32 - 1;
                    self.ask_for_action(action);
                }
            }
        }
    }

    fn ask_for_action(&mut self, action: u32) {
        if !std::mem::replace(&mut self.asked_actions[action as usize], true)
            && self.action_units[action as usize] != NONE
        {
            self.satisfy(self.action_units[action as usize]);
        }
    }

    fn ask_for_task(&mut self, task: u32) {
        if !std::mem::replace(&mut self.asked_tasks[task as usize], true) {
            self.asked.push(task);
        }
    }

    /// Tells methods of achieved subtasks and opens tasks that were asked for.
    fn spread(&mut self) {
        loop {
            self.tell();
            let Some(task) = self.asked.pop() else {
                return;
            };
            for &method in &self.shape.by_task[task as usize] {
                if self.method_units[method as usize] != NONE {
                    self.satisfy(self.method_units[method as usize]);
                }
            }
        }
    }

    fn tell(&mut self) {
        while let Some((method, place)) = self.news.pop() {
            self.subtasks_left[method as usize] -= 1;
            if self.subtasks_left[method as usize] == 0 {
                self.complete(method);
                continue;
            }
            let first = self.shape.first[method as usize];
            for &next in &self.shape.methods[method as usize].successors[place as usize] {
                let missing = &mut self.missing[(first + next) as usize];
                *missing -= 1;
                if *missing == 0 {
                    self.begin(method, next);
                }
            }
        }
    }

    fn complete(&mut self, method: u32) {
        self.now.methods[method as usize] = true;
        let task = self.draft.methods[method as usize].task as usize;
        if !std::mem::replace(&mut self.now.tasks[task], true) {
            let watch = std::mem::replace(&mut self.task_watch[task], NONE);
            self.hear(watch);
        }
    }

    /// Notes what those who waited have to be told.
    fn hear(&mut self, mut watch: u32) {
        while watch != NONE {
            let (method, place, next) = self.watches[watch as usize];
            self.news.push((method, place));
            watch = next;
        }
    }

    /// What was reached and is below the root by complete methods.
    fn survivors(mut self) -> Alive {
        for fact in self.numbers.lasting() {
            self.now.falsifiable[fact as usize] = false;
        }
        if self.draft.tasks.is_empty() {
            return self.now;
        }
        let mut tasks = vec![false; self.draft.tasks.len()];
        let mut actions = vec![false; self.draft.actions.len()];
        let mut methods = vec![false; self.draft.methods.len()];
        let mut open = vec![0];
        tasks[0] = self.now.tasks[0];
        while let Some(task) = open.pop() {
            for &method in &self.shape.by_task[task as usize] {
                if !self.now.methods[method as usize] {
                    continue;
                }
                methods[method as usize] = true;
                for &node in &self.draft.methods[method as usize].subtasks {
                    match node {
                        Node::Action(action) => actions[action as usize] = true,
                        Node::Task(task) => {
                            if !std::mem::replace(&mut tasks[task as usize], true) {
                                open.push(task);
                            }
                        }
                    }
                }
            }
        }
        self.now.tasks = tasks;
        self.now.actions = actions;
        self.now.methods = methods;
        self.now
    }
}
