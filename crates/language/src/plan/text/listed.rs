//! Reads plans that are lists of actions, as planners print them.
//!
//! ```text
//! (move a b)                    PDDL, Fast Downward; several may share a line
//! 0: (move a b) [1]             VAL: a time before, a duration behind
//! move a b                      bare words, with a cost behind: move a b (1)
//! step    0: MOVE A B           FF: what stands before and after is ignored,
//!         1: MOVE B C           and so is its pseudo action REACH-GOAL
//! move(a, b)                    unified-planning, below a line `SequentialPlan:`
//! SequentialPlan([move(a, b)])  the same in one line
//! ```
//!
//! Actions with times are sorted by them; of two at the same time the one
//! listed first comes first. Durations are ignored.

use super::names::{Names, Word};
use super::{PlanTextError, Written};
use crate::model::ActionId;
use crate::plan::Step;

pub fn read(text: &str, names: &Names<'_>) -> Result<Written, PlanTextError> {
    let lines: Vec<&str> = text.lines().collect();
    let printed_by_ff = lines.iter().position(|line| is_first_of_ff(line));
    let mut found: Vec<Found> = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(printed_by_ff.unwrap_or(0)) {
        if line.trim() == "# Decomposition" {
            break;
        }
        let tokens = tokens(line, at + 1);
        let (time, items) = stamp(&tokens);
        if printed_by_ff.is_some() && time.is_none() {
            match items.is_empty() {
                true => continue,
                false => break,
            }
        }
        if let (Some(_), None) = (time, items.first()) {
            let stamp = tokens[tokens.len() - 1].word;
            return Err(stamp.error(format!(
                "expected an action after `{}`, found nothing",
                stamp.text
            )));
        }
        for call in calls(items)? {
            if call[0].text.eq_ignore_ascii_case("reach-goal")
                && names.actions.get(call[0].text).is_none()
            {
                continue;
            }
            found.push(Found {
                time,
                line: at + 1,
                step: step(&call, names)?,
            });
        }
    }
    if found.iter().all(|found| found.time.is_some()) {
        let time = |found: &Found| found.time.unwrap_or(0.0);
        found.sort_by(|a, b| time(a).total_cmp(&time(b)));
    }
    let mut written = Written {
        flat: true,
        ..Written::default()
    };
    for (id, found) in (0..).zip(found) {
        written.lines.insert(id, found.line);
        written.plan.steps.push(Step { id, ..found.step });
    }
    Ok(written)
}

/// An action, where it stands and when it happens.
struct Found {
    time: Option<f64>,
    line: usize,
    step: Step,
}

pub(super) fn step(call: &[Word<'_>], names: &Names<'_>) -> Result<Step, PlanTextError> {
    let name = &call[0];
    if let (None, Some(_)) = (names.actions.get(name.text), names.tasks.get(name.text)) {
        return Err(name.error(format!(
            "expected an action, found the compound task `{}`",
            name.text
        )));
    }
    Ok(Step {
        id: 0,
        action: ActionId(names.actions.find(name)?),
        arguments: names.arguments(&call[1..])?,
    })
}

/// A word, or one of `( ) [ ]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) word: Word<'a>,
    /// Nothing stands between it and the token before.
    glued: bool,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.word.text == text
    }

    pub(super) fn is_mark(&self) -> bool {
        matches!(self.word.text, "(" | ")" | "[" | "]")
    }
}

/// Tells a line apart; commas and comments are dropped.
pub(super) fn tokens(line: &str, number: usize) -> Vec<Token<'_>> {
    let line = match line.trim_start().starts_with('#') {
        true => "",
        false => line.split(';').next().unwrap_or(""),
    };
    let mut list: Vec<Token<'_>> = Vec::new();
    // Where the word begun began, by bytes and by characters.
    let mut start: Option<(usize, usize)> = None;
    let mut end = None;
    for (column, (at, letter)) in line.char_indices().chain([(line.len(), ' ')]).enumerate() {
        let mark = matches!(letter, '(' | ')' | '[' | ']');
        let apart = mark || letter == ',' || letter.is_whitespace();
        let mut push = |from: usize, to: usize, column: usize| {
            list.push(Token {
                word: Word {
                    text: &line[from..to],
                    line: number,
                    column: column + 1,
                },
                glued: end == Some(from),
            });
            end = Some(to);
        };
        match start {
            None if !apart => start = Some((at, column)),
            Some((from, first)) if apart => {
                push(from, at, first);
                start = None;
            }
            _ => {}
        }
        if mark {
            push(at, at + 1, column);
        }
    }
    list
}

/// The time at the start of a line, if there is one, and the rest of it.
fn stamp<'t, 'a>(tokens: &'t [Token<'a>]) -> (Option<f64>, &'t [Token<'a>]) {
    let number = |text: &str| match text.starts_with(|it: char| it.is_ascii_digit() || it == '.') {
        true => text.parse::<f64>().ok(),
        false => None,
    };
    let rest = match tokens {
        [first, rest @ ..] if first.word.text.eq_ignore_ascii_case("step") => rest,
        all => all,
    };
    match rest {
        [first, rest @ ..] => match first.word.text.strip_suffix(':').map(number) {
            Some(Some(time)) => (Some(time), rest),
            _ => match (number(first.word.text), rest) {
                (Some(time), [colon, rest @ ..]) if colon.is(":") => (Some(time), rest),
                _ => (None, tokens),
            },
        },
        [] => (None, tokens),
    }
}

/// FF begins its list so, however long the words before it.
fn is_first_of_ff(line: &str) -> bool {
    let tokens = tokens(line, 1);
    let step = tokens.first();
    step.is_some_and(|it| it.word.text.eq_ignore_ascii_case("step")) && stamp(&tokens).0.is_some()
}

/// The actions of a line, each with its arguments.
fn calls<'a>(tokens: &[Token<'a>]) -> Result<Vec<Vec<Word<'a>>>, PlanTextError> {
    let mut list = Vec::new();
    let tokens = inside_heading(tokens)?;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next_is_glued =
            |mark: &str| tokens.get(at + 1).is_some_and(|it| it.glued && it.is(mark));
        if token.is("[") {
            // A duration.
            at += 1 + tokens[at + 1..].iter().take_while(|it| !it.is("]")).count() + 1;
        } else if token.is("(") {
            let call = until_closed(tokens, at)?;
            at += call.len() + 2;
            match call.is_empty() {
                true => {
                    let open = token.word;
                    return Err(open.error("expected an action after `(`, found `)`".into()));
                }
                false => list.push(call),
            }
        } else if token.is_mark() {
            let found = token.word.text;
            return Err(token
                .word
                .error(format!("expected an action, found `{found}`")));
        } else if next_is_glued("(") {
            let arguments = until_closed(tokens, at + 1)?;
            at += arguments.len() + 3;
            list.push([token.word].into_iter().chain(arguments).collect());
        } else {
            let bare = tokens[at..].iter().take_while(|it| !it.is_mark());
            let call: Vec<Word<'a>> = bare.map(|it| it.word).collect();
            at += call.len();
            list.push(call);
            // A cost, as Fast Downward's log prints it.
            if let [open, cost, close] = &tokens[at..]
                && open.is("(")
                && close.is(")")
                && cost.word.text.parse::<f64>().is_ok()
            {
                break;
            }
        }
    }
    Ok(list)
}

/// The words between the parenthesis at this place and the one that closes it.
fn until_closed<'a>(tokens: &[Token<'a>], open: usize) -> Result<Vec<Word<'a>>, PlanTextError> {
    let inner = tokens[open + 1..].iter().take_while(|it| !it.is_mark());
    let inner: Vec<Word<'a>> = inner.map(|it| it.word).collect();
    match tokens.get(open + 1 + inner.len()) {
        Some(close) if close.is(")") => Ok(inner),
        Some(other) => {
            let found = other.word.text;
            Err(other.word.error(format!("expected `)`, found `{found}`")))
        }
        None => {
            let last = tokens[tokens.len() - 1].word;
            Err(PlanTextError {
                line: last.line,
                column: last.column + last.text.chars().count(),
                message: "expected `)`, found the end of the line".into(),
            })
        }
    }
}

/// Takes unified-planning's headings away.
fn inside_heading<'t, 'a>(tokens: &'t [Token<'a>]) -> Result<&'t [Token<'a>], PlanTextError> {
    if let Some(heading) = tokens
        .iter()
        .find(|it| it.word.text.starts_with("PartialOrderPlan"))
    {
        return Err(heading.word.error(
            "expected a sequence of actions, found a partially ordered plan: list one of its orders"
                .into(),
        ));
    }
    Ok(match tokens {
        [heading] if heading.word.text.ends_with("Plan:") => &[],
        [hierarchical, heading]
            if hierarchical.is("Hierarchical") && heading.word.text.ends_with("Plan:") =>
        {
            &[]
        }
        [heading, open, list, inner @ .., end, close]
            if heading.is("SequentialPlan")
                && open.is("(")
                && list.is("[")
                && end.is("]")
                && close.is(")") =>
        {
            inner
        }
        [list, inner @ .., end] if list.is("[") && end.is("]") => inner,
        other => other,
    })
}
