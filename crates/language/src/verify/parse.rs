//! A list of actions for a hierarchical problem, parsed: which decomposition
//! leads to exactly these steps?
//!
//! With totally ordered subtasks methods are the rules of a grammar, tasks its
//! symbols and steps its words, so the question is answered as Earley's parser
//! does, in time polynomial in the number of steps. A *call* asks where a task,
//! some of its arguments known, can end if it starts before a given step; each
//! way to go on is an *item*, a method with its subtasks done up to a dot.
//! Answers wake the items that wait for them, so rules may be recursive on the
//! left, in cycles, and empty. A method's precondition is judged in the state
//! before its first step, which is known. Whoever must end at a known place, as
//! the last subtask of the network, is told so: loops written as recursion
//! then take one answer a turn, and not one for each pair of places.
//!
//! Where the order is partial the question is NP-complete. Then one order is
//! tried, the one in which subtasks are listed; if that leads nowhere nothing is
//! decided, and [`Follow`](super::Follow) puts the question to planners.

use rustc_hash::{FxHashMap, FxHashSet};

use super::grammar::{Rewrite, TaskGrammar};
use super::state::{Binding, History, bind, value};
use super::{Broken, Rule, executed};
use crate::model::{MethodId, Model, ObjectId, Subtask, TaskId, TaskRef, Term};
use crate::plan::{Decomposition, Plan};

/// What parsing has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parsed {
    /// The plan with a decomposition. It is the caller's to verify.
    Plan(Plan),
    /// There is no decomposition.
    None(Broken),
    /// Some order is partial, and that in which subtasks are listed does not
    /// lead to these steps: this is not for a parser.
    Partial,
    /// It was told to stop.
    Stopped,
}

/// Looks for a decomposition of the steps of a plan. `go_on` is asked for every
/// item and every answer. An error is a rule that the steps break by themselves.
pub fn parse(
    model: &Model,
    plan: &Plan,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Parsed, Broken> {
    let (history, _) = executed(model, plan)?;
    let Some(grammar) = TaskGrammar::of(model) else {
        let verified = super::verify(model, plan)?;
        debug_assert_eq!(verified.tasks, 0, "a classical problem");
        return Ok(Parsed::Plan(plan.clone()));
    };
    let mut chart = Chart {
        grammar: &grammar,
        plan,
        history: &history,
        calls: vec![],
        index: FxHashMap::default(),
        answers: vec![],
        seen: FxHashSet::default(),
        agenda: vec![],
        links: vec![],
        reached: 0,
        go_on,
        stopped: false,
    };
    let children = chart.fill();
    if chart.stopped {
        return Ok(Parsed::Stopped);
    }
    Ok(match children {
        Some(children) => Parsed::Plan(chart.plan(children)),
        None if grammar.partial => Parsed::Partial,
        None => Parsed::None(chart.broken()),
    })
}

/// What is asked: a task with what is known of its arguments, the place where
/// it starts, and the place where it must end, if that is known.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    task: TaskId,
    pattern: Box<[Option<ObjectId>]>,
    start: usize,
    end: Option<usize>,
}

struct Call {
    key: Key,
    answers: Vec<usize>,
    known: FxHashSet<(Box<[ObjectId]>, usize)>,
    waiting: Vec<Item>,
}

/// A task found, and how.
struct Answer {
    task: TaskId,
    arguments: Box<[ObjectId]>,
    end: usize,
    method: usize,
    children: Children,
}

#[derive(Clone, Copy)]
enum Child {
    Step(usize),
    Answer(usize),
}

/// The last of the subtasks done, with a link to the one before; a place in
/// [`Chart::links`].
type Children = Option<usize>;

#[derive(Clone)]
struct Item {
    /// `None` for the initial network.
    call: Option<usize>,
    rule: usize,
    dot: usize,
    at: usize,
    binding: Binding,
    children: Children,
}

type ItemKey = (Option<usize>, usize, usize, usize, Binding);

struct Chart<'a> {
    grammar: &'a TaskGrammar<'a>,
    plan: &'a Plan,
    history: &'a History<'a>,
    calls: Vec<Call>,
    index: FxHashMap<Key, usize>,
    answers: Vec<Answer>,
    seen: FxHashSet<ItemKey>,
    agenda: Vec<Item>,
    links: Vec<(Child, Children)>,
    /// How many of the steps some decomposition begins with.
    reached: usize,
    go_on: &'a mut dyn FnMut() -> bool,
    /// It was told to stop.
    stopped: bool,
}

impl Chart<'_> {
    /// The children of the initial network, if there is a decomposition.
    fn fill(&mut self) -> Option<Children> {
        let network = self.grammar.rules.len() - 1;
        self.push(Item {
            call: None,
            rule: network,
            dot: 0,
            at: 0,
            binding: vec![None; self.grammar.rules[network].variables.len()],
            children: None,
        });
        while let Some(item) = self.agenda.pop() {
            self.stopped = self.stopped || !(self.go_on)();
            if self.stopped {
                return None;
            }
            let rule = &self.grammar.rules[item.rule];
            match rule.subtasks.get(item.dot) {
                Some(subtask) => self.go_on(item, subtask),
                None if item.call.is_none() => {
                    if self.holds(&item, 0) {
                        return Some(item.children);
                    }
                }
                None => self.complete(item),
            }
        }
        None
    }

    /// Where an item must have ended, if that is known.
    fn end(&self, item: &Item) -> Option<usize> {
        match item.call {
            Some(call) => self.calls[call].key.end,
            None => Some(self.plan.steps.len()),
        }
    }

    /// Adds an item, unless it is known or cannot come to its end.
    fn push(&mut self, mut item: Item) {
        let rule = &self.grammar.rules[item.rule];
        let end = self.end(&item);
        let least = item.at.saturating_add(rule.least[item.dot]);
        let done = item.dot == rule.subtasks.len();
        if least > end.unwrap_or(self.plan.steps.len())
            || done && end.is_some_and(|it| it != item.at)
        {
            return;
        }
        for (value, live) in item.binding.iter_mut().zip(&rule.live[item.dot]) {
            if !live {
                *value = None;
            }
        }
        let key = (
            item.call,
            item.rule,
            item.dot,
            item.at,
            item.binding.clone(),
        );
        if self.seen.insert(key) {
            self.agenda.push(item);
        }
    }

    /// Does the subtask behind the dot, by a step or by asking.
    fn go_on(&mut self, item: Item, subtask: &Subtask) {
        match subtask.task {
            TaskRef::Action(action) => {
                let plan = self.plan;
                if let Some(step) = plan.steps.get(item.at)
                    && step.action == action
                    && let Some(next) = self.step_over(
                        &item,
                        subtask,
                        &step.arguments,
                        item.at + 1,
                        Child::Step(item.at),
                    )
                {
                    self.reached = self.reached.max(next.at);
                    self.push(next);
                }
            }
            TaskRef::Task(task) => {
                let last = item.dot + 1 == self.grammar.rules[item.rule].subtasks.len();
                let known = |term: &Term| value(*term, &item.binding);
                let key = Key {
                    task,
                    pattern: subtask.arguments.iter().map(known).collect(),
                    start: item.at,
                    end: if last { self.end(&item) } else { None },
                };
                let call = self.call(key);
                for place in 0..self.calls[call].answers.len() {
                    self.wake(&item, self.calls[call].answers[place]);
                }
                self.calls[call].waiting.push(item);
            }
        }
    }

    /// The item with one more subtask done, if its arguments fit.
    fn step_over(
        &mut self,
        item: &Item,
        subtask: &Subtask,
        arguments: &[ObjectId],
        at: usize,
        child: Child,
    ) -> Option<Item> {
        let rule = &self.grammar.rules[item.rule];
        let mut binding = item.binding.clone();
        let mut pairs = subtask.arguments.iter().zip(arguments);
        if !pairs.all(|(term, &value)| {
            bind(
                self.grammar.model,
                rule.variables,
                *term,
                value,
                &mut binding,
            )
        }) {
            return None;
        }
        self.links.push((child, item.children));
        Some(Item {
            call: item.call,
            rule: item.rule,
            dot: item.dot + 1,
            at,
            binding,
            children: Some(self.links.len() - 1),
        })
    }

    fn wake(&mut self, item: &Item, answer: usize) {
        let found = &self.answers[answer];
        let (arguments, end) = (found.arguments.clone(), found.end);
        let subtask = self.grammar.rules[item.rule].subtasks[item.dot];
        if let Some(next) = self.step_over(item, subtask, &arguments, end, Child::Answer(answer)) {
            self.push(next);
        }
    }

    /// The call for a question; a new one begins with the rules of its task.
    fn call(&mut self, key: Key) -> usize {
        if let Some(&call) = self.index.get(&key) {
            return call;
        }
        let call = self.calls.len();
        self.index.insert(key.clone(), call);
        self.calls.push(Call {
            key: key.clone(),
            answers: vec![],
            known: FxHashSet::default(),
            waiting: vec![],
        });
        let grammar = self.grammar;
        let model = grammar.model;
        let parameters = &model.tasks[key.task.index()].parameters;
        let mut given = parameters.iter().zip(&key.pattern);
        if !given.all(|(parameter, value)| value.is_none_or(|it| model.admits(parameter, it))) {
            return call;
        }
        let next = self.plan.steps.get(key.start).map(|step| step.action);
        for &place in &grammar.of_task[key.task.index()] {
            let rule = &grammar.rules[place];
            if !rule.empty && !next.is_some_and(|action| rule.first[action.index()]) {
                continue;
            }
            let mut binding = vec![None; rule.variables.len()];
            let mut given = rule.head.iter().zip(&key.pattern);
            let fits = given.all(|(term, value)| {
                value.is_none_or(|value| {
                    bind(
                        self.grammar.model,
                        rule.variables,
                        *term,
                        value,
                        &mut binding,
                    )
                })
            });
            let item = Item {
                call: Some(call),
                rule: place,
                dot: 0,
                at: key.start,
                binding,
                children: None,
            };
            if fits && self.holds(&item, key.start) {
                self.push(item);
            }
        }
        call
    }

    /// True if some values of what is open satisfy precondition and
    /// constraints.
    fn holds(&self, item: &Item, time: usize) -> bool {
        let rule = &self.grammar.rules[item.rule];
        let parts = vec![(rule.constraints, true), (rule.precondition, true)];
        let mut binding = item.binding.clone();
        let open = rule.open(&binding);
        let scope = self.history.at(time, rule.variables);
        scope.solve(parts, &open, &mut binding)
    }

    /// All subtasks are done: answers, for every choice of arguments.
    fn complete(&mut self, item: Item) {
        let Some(call) = item.call else {
            return;
        };
        let rule = &self.grammar.rules[item.rule];
        let model = self.grammar.model;
        let parts = vec![(rule.constraints, true), (rule.precondition, true)];
        let mut binding = item.binding.clone();
        let open = rule.open(&binding);
        let bound =
            |binding: &Binding| rule.head.iter().all(|term| value(*term, binding).is_some());
        let all_bound = bound(&binding);
        let mut found: FxHashSet<Box<[ObjectId]>> = FxHashSet::default();
        let scope = self.history.at(self.calls[call].key.start, rule.variables);
        scope.solutions(parts, &open, &mut binding, &mut |binding| {
            let stopped = each_head(model, rule, binding, &mut |arguments| {
                found.insert(arguments);
                !(self.go_on)()
            });
            self.stopped = self.stopped || stopped;
            all_bound || stopped
        });
        let task = self.calls[call].key.task;
        let parameters = &model.tasks[task.index()].parameters;
        for arguments in found {
            let mut typed = parameters.iter().zip(&arguments);
            if !typed.all(|(parameter, &value)| model.admits(parameter, value))
                || !self.calls[call].known.insert((arguments.clone(), item.at))
            {
                continue;
            }
            let answer = self.answers.len();
            self.answers.push(Answer {
                task,
                arguments,
                end: item.at,
                method: item.rule,
                children: item.children,
            });
            self.calls[call].answers.push(answer);
            for place in 0..self.calls[call].waiting.len() {
                let waiting = self.calls[call].waiting[place].clone();
                self.wake(&waiting, answer);
            }
        }
    }

    /// The plan whose initial network has these children.
    fn plan(&self, children: Children) -> Plan {
        let mut plan = Plan {
            steps: self.plan.steps.clone(),
            cost: self.plan.cost,
            ..Plan::default()
        };
        for (id, step) in (0..).zip(&mut plan.steps) {
            step.id = id;
        }
        let mut fresh = plan.steps.len() as u64;
        let mut open = Vec::new();
        let mut ids = |children: Children, open: &mut Vec<(u64, usize)>| {
            let mut list = Vec::new();
            let mut next = children;
            while let Some(link) = next {
                let (child, before) = self.links[link];
                list.push(match child {
                    Child::Step(at) => at as u64,
                    Child::Answer(answer) => {
                        fresh += 1;
                        open.push((fresh - 1, answer));
                        fresh - 1
                    }
                });
                next = before;
            }
            list.reverse();
            list
        };
        plan.roots = ids(children, &mut open);
        while let Some((id, answer)) = open.pop() {
            let found = &self.answers[answer];
            plan.decompositions.push(Decomposition {
                id,
                task: found.task,
                arguments: found.arguments.to_vec(),
                method: MethodId(found.method as u32),
                children: ids(found.children, &mut open),
            });
        }
        plan
    }

    /// How far the steps could be followed.
    fn broken(&self) -> Broken {
        let model = self.grammar.model;
        let reason = match self.plan.steps.get(self.reached) {
            Some(step) => format!(
                "no decomposition of the initial network leads to these steps: none goes on \
                 with step {} `{}`",
                self.reached,
                model.show(&model.actions[step.action.index()].name, &step.arguments)
            ),
            None if self.plan.steps.is_empty() => {
                "the plan has no steps, and no decomposition of the initial network does without any"
                    .to_string()
            }
            None => "no decomposition of the initial network leads to these steps and ends with \
                     the last of them"
                .to_string(),
        };
        Broken {
            rule: Rule::Decomposition,
            id: self.plan.steps.get(self.reached).map(|step| step.id),
            reason,
        }
    }
}

/// Every way to give a rule's head values; those that nothing mentions may
/// have any of their type. Ends early, and says so, once `found` is true.
fn each_head(
    model: &Model,
    rule: &Rewrite<'_>,
    binding: &Binding,
    found: &mut dyn FnMut(Box<[ObjectId]>) -> bool,
) -> bool {
    let unbound = rule.head.iter().find_map(|term| match term {
        Term::Variable(id) if binding[id.index()].is_none() => Some(*id),
        _ => None,
    });
    let Some(id) = unbound else {
        return found(
            rule.head
                .iter()
                .filter_map(|it| value(*it, binding))
                .collect(),
        );
    };
    let range = model.range(&rule.variables[id.index()]);
    range.into_iter().any(|object| {
        let mut binding = binding.clone();
        binding[id.index()] = Some(object);
        each_head(model, rule, &binding, found)
    })
}
