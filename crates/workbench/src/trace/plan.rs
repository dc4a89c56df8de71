//! A plan as a trace: its decomposition unfolds beside the board, or its
//! actions with what each of them needs.
//!
//! The plan is the engine's witness, which the verifier has accepted. A loop
//! written as recursion (`solve` = do something, then `solve`) is told as a
//! list and not as a staircase, as in `planoku plan --tree`.

use std::collections::HashMap;

use planoku_planning::model::{Atom, Formula, Model, ObjectId, Term};
use planoku_planning::write::expression_with;
use planoku_sudoku::{Grid, HouseKind};

use super::{BoardChange, Mark, Recorder, TraceEvent};
use crate::formulate::planning::Vocabulary;

/// Records a plan, given as files of plans are written.
pub(super) fn record(text: &str, said: &Vocabulary, puzzle: &Grid, recorder: &mut Recorder) {
    let plan = Text::read(text);
    let teller = Teller {
        said,
        puzzle,
        model: said.model(puzzle),
    };
    if plan.roots.is_empty() {
        for step in &plan.steps {
            teller.action(&plan.lines[step].words, true, recorder);
        }
    }
    for root in &plan.roots {
        teller.task(&plan, *root, recorder);
    }
}

/// The lines of a plan by id.
struct Text {
    lines: HashMap<u64, Line>,
    /// Ids of the actions, in execution order.
    steps: Vec<u64>,
    roots: Vec<u64>,
}

struct Line {
    /// Name and arguments.
    words: Vec<String>,
    /// For a task: its method, and the ids of its children.
    method: Option<(String, Vec<u64>)>,
}

impl Text {
    /// Reads what our own planners write; lines that are something else are
    /// passed over.
    fn read(text: &str) -> Text {
        let mut plan = Text {
            lines: HashMap::new(),
            steps: Vec::new(),
            roots: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            if let Some(action) = line.strip_prefix('(') {
                let id = number as u64;
                plan.step(id, action.trim_end_matches(')'));
            } else if let Some(roots) = line.strip_prefix("root") {
                plan.roots = numbers(roots);
            } else if let Some((id, rest)) = line.split_once(' ')
                && let Ok(id) = id.parse()
            {
                match rest.split_once(" -> ") {
                    None => plan.step(id, rest),
                    Some((task, how)) => {
                        let (method, children) = how.split_once(' ').unwrap_or((how, ""));
                        let line = Line {
                            words: task.split_whitespace().map(str::to_owned).collect(),
                            method: Some((method.to_owned(), numbers(children))),
                        };
                        plan.lines.insert(id, line);
                    }
                }
            }
        }
        plan
    }

    fn step(&mut self, id: u64, words: &str) {
        let line = Line {
            words: words.split_whitespace().map(str::to_owned).collect(),
            method: None,
        };
        self.lines.insert(id, line);
        self.steps.push(id);
    }
}

fn numbers(text: &str) -> Vec<u64> {
    let words = text.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

struct Teller<'a> {
    said: &'a Vocabulary,
    puzzle: &'a Grid,
    model: Option<Model>,
}

impl Teller<'_> {
    fn task(&self, plan: &Text, id: u64, recorder: &mut Recorder) {
        let mut next = Some(id);
        while let Some(id) = next.take() {
            let Some(line) = plan.lines.get(&id) else {
                return;
            };
            let Some((method, children)) = &line.method else {
                self.action(&line.words, false, recorder);
                return;
            };
            let label = format!("{} ({method})", line.words.join(" "));
            let lit = self.marks(&line.words);
            recorder.open(label, TraceEvent::default().lit(lit));
            let name = line.words.first();
            for (place, child) in children.iter().enumerate() {
                let turn = place + 1 == children.len()
                    && plan
                        .lines
                        .get(child)
                        .is_some_and(|child| child.method.is_some() && child.words.first() == name);
                if turn {
                    next = Some(*child);
                } else {
                    self.task(plan, *child, recorder);
                }
            }
            recorder.close(None);
        }
    }

    /// An action: what it needs, if that is to be shown, and what it places.
    fn action(&self, words: &[String], with_needs: bool, recorder: &mut Recorder) {
        let label = words.join(" ");
        let placed = self.said.placed(self.puzzle, words);
        let place = placed.map(|(cell, digit)| BoardChange::Place(cell, digit));
        let lit = self.marks(words);
        if !with_needs {
            let event = TraceEvent {
                board: place,
                ..TraceEvent::default()
            };
            recorder.open(label, event.lit(lit));
            recorder.close(None);
            return;
        }
        let target = placed.map(|(cell, _)| Mark::Cell(cell));
        recorder.open(label, TraceEvent::default().lit(target));
        for (text, marks) in self.needs(words) {
            recorder.push(TraceEvent::note(text).lit(marks));
        }
        if let Some(place) = place {
            recorder.push(TraceEvent::board(place).lit(lit));
        }
        recorder.close(None);
    }

    /// What an action needs, in the words of the model.
    fn needs(&self, words: &[String]) -> Vec<(String, Vec<Mark>)> {
        let (Some(model), Some((name, arguments))) = (&self.model, words.split_first()) else {
            return Vec::new();
        };
        let action = model.actions.iter().find(|action| action.name == *name);
        let Some(action) = action else {
            return Vec::new();
        };
        let named = |index: usize| match arguments.get(index) {
            Some(name) if index < action.arity => name.clone(),
            _ => action.variables[index].name.clone(),
        };
        let conjuncts = match &action.precondition {
            Formula::And(all) => all.iter().collect(),
            Formula::True => Vec::new(),
            one => vec![one],
        };
        let shown = conjuncts.into_iter().map(|formula| {
            let text = said(model, formula, &named);
            let words: Vec<String> = text
                .split([' ', '(', ')'])
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect();
            let marks = self.marks(&words);
            (text, marks)
        });
        shown.collect()
    }

    /// The part of the board that a line of a plan speaks of.
    fn marks(&self, words: &[String]) -> Vec<Mark> {
        let shape = self.puzzle.shape();
        let (mut row, mut column) = (None, None);
        let mut marks = Vec::new();
        for word in words.iter().skip(1) {
            if let Some(cell) = self.said.cell(self.puzzle, word) {
                marks.push(Mark::Cell(cell));
                continue;
            }
            match self.said.house(shape, word) {
                Some(house) if word.starts_with(['r', 'c']) && word.len() <= 3 => {
                    match house.kind {
                        HouseKind::Row => row = Some(house),
                        _ => column = Some(house),
                    }
                }
                Some(house) => marks.push(Mark::House(house)),
                None => {}
            }
        }
        match (row, column) {
            (Some(row), Some(column)) => {
                let cell = shape.cell(row.index.into(), column.index.into());
                marks.push(Mark::Cell(cell));
            }
            (row, column) => marks.extend(row.or(column).map(Mark::House)),
        }
        marks
    }
}

/// A formula with its parameters filled in.
fn said(model: &Model, formula: &Formula, named: &dyn Fn(usize) -> String) -> String {
    let term = |term: &Term| match term {
        Term::Variable(variable) => named(variable.index()),
        Term::Object(object) => object_name(model, *object),
    };
    let atom = |atom: &Atom| {
        let mut text = format!("({}", model.predicates[atom.predicate.index()].name);
        for argument in &atom.arguments {
            text += " ";
            text += &term(argument);
        }
        text + ")"
    };
    let list = |word: &str, formulas: &[Formula]| {
        let parts: Vec<String> = formulas
            .iter()
            .map(|part| said(model, part, named))
            .collect();
        format!("({word} {})", parts.join(" "))
    };
    match formula {
        Formula::True => "(and)".to_owned(),
        Formula::Atom(it) => atom(it),
        Formula::Equal(one, other) => format!("(= {} {})", term(one), term(other)),
        Formula::Compare(compare) => {
            let [left, right] =
                [&compare.left, &compare.right].map(|side| expression_with(model, side, &term));
            format!("({} {left} {right})", compare.operator.sign())
        }
        Formula::Not(inner) => format!("(not {})", said(model, inner, named)),
        Formula::And(all) => list("and", all),
        Formula::Or(all) => list("or", all),
        Formula::Imply(one, other) => format!(
            "(imply {} {})",
            said(model, one, named),
            said(model, other, named)
        ),
        Formula::Forall(variables, body) | Formula::Exists(variables, body) => {
            let word = match formula {
                Formula::Forall(..) => "forall",
                _ => "exists",
            };
            let names: Vec<String> = variables.iter().map(|id| named(id.index())).collect();
            format!(
                "({word} ({}) {})",
                names.join(" "),
                said(model, body, named)
            )
        }
    }
}

fn object_name(model: &Model, object: ObjectId) -> String {
    model.objects[object.index()].name.clone()
}
