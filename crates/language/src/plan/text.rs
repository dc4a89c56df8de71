//! Plans as text: the IPC's format for hierarchical plans, and PDDL's.
//!
//! ```text
//! ==>
//! 3 place c1 r0 d4                     id, action and arguments, in execution order
//! root 1                               ids of the initial tasks
//! 1 fill c1 r0 d4 -> fill-cell 3       id, task and arguments, method, ids of its children
//! <==
//! ```
//!
//! Whatever stands outside the arrows is ignored, and so is white space; where
//! the last arrow is missing, as in what pandaPIparser's `-c` writes, the plan
//! ends with the text. A classical plan is one `(action arguments)` a line, in a
//! file of its own or numbered as some planners do (`0: (action arguments)`). A
//! comment `; cost = 12` states what the plan costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use rustc_hash::FxHashMap;

use super::{Decomposition, Plan, Step};
use crate::cost::Cost;
use crate::model::{ActionId, MethodId, Model, Network, ObjectId, TaskId, TaskRef};

impl Plan {
    /// The plan as planners print it: hierarchical if it has initial tasks or
    /// decompositions, otherwise classical.
    pub fn text(&self, model: &Model) -> String {
        if model.network.is_some() {
            self.hierarchical(model)
        } else {
            self.classical(model)
        }
    }

    /// In the IPC's format for hierarchical plans.
    pub fn hierarchical(&self, model: &Model) -> String {
        let mut out = String::from("==>\n");
        let name = |id: ActionId| &model.actions[id.index()].name;
        for step in &self.steps {
            let shown = model.show(name(step.action), &step.arguments);
            out += &format!("{} {shown}\n", step.id);
        }
        let tasks = self.tasks();
        out += "root";
        let network = model.network.as_ref().map(|it| &it.network);
        for id in in_order(&self.roots, network, &tasks) {
            out += &format!(" {id}");
        }
        out += "\n";
        for refined in &self.decompositions {
            let task = &model.tasks[refined.task.index()].name;
            let method = &model.methods[refined.method.index()].name;
            let shown = model.show(task, &refined.arguments);
            out += &format!("{} {shown} -> {method}", refined.id);
            let network = &model.methods[refined.method.index()].network;
            for child in in_order(&refined.children, Some(network), &tasks) {
                out += &format!(" {child}");
            }
            out += "\n";
        }
        out + "<==\n"
    }

    /// One `(action arguments)` a line, and the cost in a comment.
    pub fn classical(&self, model: &Model) -> String {
        let mut out = String::new();
        for step in &self.steps {
            let name = &model.actions[step.action.index()].name;
            out += &format!("({})\n", model.show(name, &step.arguments));
        }
        if let Some(cost) = self.cost {
            out += &format!("; cost = {}\n", model.show_cost(cost));
        }
        out
    }
}

impl Plan {
    /// What each id stands for.
    fn tasks(&self) -> FxHashMap<u64, TaskRef> {
        let steps = self.steps.iter();
        let steps = steps.map(|step| (step.id, TaskRef::Action(step.action)));
        let refined = self.decompositions.iter();
        steps
            .chain(refined.map(|it| (it.id, TaskRef::Task(it.task))))
            .collect()
    }
}

/// Children in an order that their network allows. pandaPI's verifier matches
/// them in the order in which they are listed and refuses any other; where the
/// listing is not the network's own it is left alone.
fn in_order(
    children: &[u64],
    network: Option<&Network>,
    tasks: &FxHashMap<u64, TaskRef>,
) -> Vec<u64> {
    let Some(network) = network else {
        return children.to_vec();
    };
    let listed = children.iter().map(|id| tasks.get(id).copied());
    let own = network.subtasks.iter().map(|it| Some(it.task));
    if !listed.eq(own) {
        return children.to_vec();
    }
    let mut waits = vec![0; children.len()];
    let mut after = vec![Vec::new(); children.len()];
    for &(first, second) in &network.ordering {
        waits[second as usize] += 1;
        after[first as usize].push(second as usize);
    }
    // Of those that need not wait, the first in the list comes next. A model
    // has no cycles, so all of them come.
    let ready = (0..children.len()).filter(|&place| waits[place] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = ready.map(Reverse).collect();
    let mut order = Vec::with_capacity(children.len());
    while let Some(Reverse(place)) = ready.pop() {
        order.push(children[place]);
        for &next in &after[place] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    order
}

/// A mistake in a plan's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What was wanted and what was found.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// Reads a plan for a model. If the model has an initial task network the
/// plan must be hierarchical, otherwise a list of actions.
///
/// Names are compared as PDDL does, without regard to case, but an exact match
/// is preferred.
pub fn read(text: &str, model: &Model) -> Result<Plan, TextError> {
    let names = Names::new(model);
    let plan = if model.network.is_some() {
        read_hierarchical(text, &names)
    } else {
        read_classical(text, &names)
    }?;
    let cost = stated_cost(text, model)?;
    Ok(Plan { cost, ..plan })
}

/// The cost that a comment `; cost = 12` states; the last one counts. What some
/// planners mark as `(unit cost)` is the number of steps, and a cost only where
/// the model speaks of none.
fn stated_cost(text: &str, model: &Model) -> Result<Option<Cost>, TextError> {
    let mut stated = None;
    for (number, line) in text.lines().enumerate() {
        let words = words(line, number + 1);
        let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
        let (place, rest) = match texts.as_slice() {
            [";", "cost", "=", _, rest @ ..] => (3, rest),
            [";cost", "=", _, rest @ ..] => (2, rest),
            _ => continue,
        };
        if rest == ["(unit", "cost)"] && model.default_cost() == Cost::ZERO {
            continue;
        }
        let cost = model.scale.read(words[place].text).map_err(|error| {
            let found = words[place].text;
            words[place].error(format!("expected a cost, found `{found}`: {error}"))
        })?;
        stated = Some(cost);
    }
    Ok(stated)
}

/// Looks names up, exactly or without regard to case.
struct Names<'a> {
    objects: Lookup<'a>,
    actions: Lookup<'a>,
    tasks: Lookup<'a>,
    methods: Lookup<'a>,
}

struct Lookup<'a> {
    kind: &'static str,
    exact: FxHashMap<&'a str, u32>,
    folded: FxHashMap<String, u32>,
}

impl<'a> Lookup<'a> {
    fn new(kind: &'static str, names: impl Iterator<Item = &'a String>) -> Lookup<'a> {
        let mut lookup = Lookup {
            kind,
            exact: FxHashMap::default(),
            folded: FxHashMap::default(),
        };
        for (id, name) in names.enumerate() {
            lookup.exact.entry(name).or_insert(id as u32);
            let folded = name.to_lowercase();
            lookup.folded.entry(folded).or_insert(id as u32);
        }
        lookup
    }

    fn get(&self, name: &str) -> Option<u32> {
        let folded = || self.folded.get(&name.to_lowercase());
        self.exact.get(name).or_else(folded).copied()
    }

    fn find(&self, word: &Word<'_>) -> Result<u32, TextError> {
        self.get(word.text)
            .ok_or_else(|| word.error(format!("the model has no {} `{}`", self.kind, word.text)))
    }
}

impl<'a> Names<'a> {
    fn new(model: &'a Model) -> Names<'a> {
        Names {
            objects: Lookup::new("object", model.objects.iter().map(|o| &o.name)),
            actions: Lookup::new("action", model.actions.iter().map(|a| &a.name)),
            tasks: Lookup::new("task", model.tasks.iter().map(|t| &t.name)),
            methods: Lookup::new("method", model.methods.iter().map(|m| &m.name)),
        }
    }

    fn arguments(&self, words: &[Word<'_>]) -> Result<Vec<ObjectId>, TextError> {
        words
            .iter()
            .map(|word| self.objects.find(word).map(ObjectId))
            .collect()
    }
}

/// A word and where it stands.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn error(&self, message: String) -> TextError {
        TextError {
            line: self.line,
            column: self.column,
            message,
        }
    }

    fn id(&self) -> Result<u64, TextError> {
        self.text
            .parse()
            .map_err(|_| self.error(format!("expected an id, found `{}`", self.text)))
    }
}

fn words(line: &str, number: usize) -> Vec<Word<'_>> {
    let mut list = Vec::new();
    let mut start = None;
    for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
        match (start, letter.is_whitespace()) {
            (None, false) => start = Some(at),
            (Some(from), true) => {
                list.push(Word {
                    text: &line[from..at],
                    line: number,
                    column: line[..from].chars().count() + 1,
                });
                start = None;
            }
            _ => {}
        }
    }
    list
}

fn read_hierarchical(text: &str, names: &Names<'_>) -> Result<Plan, TextError> {
    let mut plan = Plan::default();
    let mut inside = false;
    let mut began = false;
    let mut rooted = false;
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let words = words(line, number + 1);
        let Some(first) = words.first() else {
            continue;
        };
        if !inside {
            inside = !began && first.text == "==>";
            began |= inside;
            continue;
        }
        if first.text == "<==" {
            inside = false;
        } else if first.text.eq_ignore_ascii_case("root") {
            if std::mem::replace(&mut rooted, true) {
                return Err(first.error("a second line of roots".into()));
            }
            plan.roots = ids(&words[1..])?;
        } else if let Some(arrow) = words.iter().position(|word| word.text == "->") {
            plan.decompositions
                .push(decomposition(&words, arrow, names)?);
        } else {
            plan.steps.push(step(&words, names)?);
        }
    }
    let missing = |message: &str| TextError {
        line: last.max(1),
        column: 1,
        message: message.into(),
    };
    if !began {
        return Err(missing(
            "expected a plan that starts with `==>`, found none",
        ));
    }
    if !rooted {
        return Err(missing(
            "expected a line `root` with the ids of the initial tasks",
        ));
    }
    Ok(plan)
}

fn ids(words: &[Word<'_>]) -> Result<Vec<u64>, TextError> {
    words.iter().map(Word::id).collect()
}

fn step(words: &[Word<'_>], names: &Names<'_>) -> Result<Step, TextError> {
    let id = words[0].id()?;
    let Some(name) = words.get(1) else {
        return Err(words[0].error("expected an action after the id".into()));
    };
    if let (None, Some(_)) = (names.actions.get(name.text), names.tasks.get(name.text)) {
        return Err(name.error(format!(
            "`{}` is a compound task: expected `-> method` and the ids of its children",
            name.text
        )));
    }
    Ok(Step {
        id,
        action: ActionId(names.actions.find(name)?),
        arguments: names.arguments(&words[2..])?,
    })
}

fn decomposition(
    words: &[Word<'_>],
    arrow: usize,
    names: &Names<'_>,
) -> Result<Decomposition, TextError> {
    let id = words[0].id()?;
    if arrow < 2 {
        return Err(words[arrow].error("expected a task before `->`".into()));
    }
    let Some(method) = words.get(arrow + 1) else {
        return Err(words[arrow].error("expected a method after `->`".into()));
    };
    Ok(Decomposition {
        id,
        task: TaskId(names.tasks.find(&words[1])?),
        arguments: names.arguments(&words[2..arrow])?,
        method: MethodId(names.methods.find(method)?),
        children: ids(&words[arrow + 2..])?,
    })
}

fn read_classical(text: &str, names: &Names<'_>) -> Result<Plan, TextError> {
    let mut plan = Plan::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(';').next().unwrap_or("");
        // `0.00: (a b) [1]`: only what is inside the parentheses counts.
        let Some(open) = line.find('(') else {
            if let Some(word) = words(line, number + 1).first() {
                let found = word.text;
                return Err(word.error(format!("expected `(action arguments)`, found `{found}`")));
            }
            continue;
        };
        let Some(close) = line[open..].find(')') else {
            return Err(TextError {
                line: number + 1,
                column: line.chars().count() + 1,
                message: "expected `)`".into(),
            });
        };
        let blank = " ".repeat(line[..open].chars().count() + 1);
        let inner = format!("{blank}{}", &line[open + 1..open + close]);
        let words = words(&inner, number + 1);
        let Some(name) = words.first() else {
            return Err(TextError {
                line: number + 1,
                column: blank.len(),
                message: "expected an action inside the parentheses".into(),
            });
        };
        plan.steps.push(Step {
            id: plan.steps.len() as u64,
            action: ActionId(names.actions.find(name)?),
            arguments: names.arguments(&words[1..])?,
        });
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_listed_in_an_order_that_their_method_allows() {
        let domain = "(define (domain tea) (:requirements :hierarchy)
          (:predicates (hot))
          (:task serve :parameters ())
          (:method m :parameters () :task (serve)
            :subtasks (and (last (pour)) (middle (boil)) (first (fill)))
            :ordering (and (< first middle) (< middle last)))
          (:action pour :parameters () :precondition (hot))
          (:action boil :parameters () :effect (hot))
          (:action fill :parameters ()))";
        let problem = "(define (problem cup) (:domain tea)
          (:htn :subtasks (and (serve))) (:init))";
        let model = crate::read(domain, problem).0.unwrap();
        let plan = "==>\n0 fill\n1 boil\n2 pour\nroot 3\n3 serve -> m 2 1 0\n<==\n";
        let plan = read(plan, &model).unwrap();
        crate::verify::verify(&model, &plan).unwrap();
        let text = plan.text(&model);
        assert!(text.contains("3 serve -> m 0 1 2"), "{text}");
        // What is not listed as the method lists it stays as it is.
        let other = read(&text, &model).unwrap();
        assert_eq!(other.text(&model), text);
    }
}
