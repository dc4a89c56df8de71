//! Reads plans with times: `0.003: (move a b) [5.0]` a line.

use super::PlanTextError;
use super::listed::{Token, step, tokens};
use super::names::{Names, Word};
use crate::cost::Scale;
use crate::number::Rational;
use crate::plan::{TimedPlan, TimedStep};

/// The plan, and the line of each of its steps.
pub fn read(text: &str, names: &Names<'_>) -> Result<(TimedPlan, Vec<usize>), PlanTextError> {
    let mut plan = TimedPlan::default();
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let tokens = tokens(line, at + 1);
        if tokens.is_empty() {
            continue;
        }
        plan.steps.push(timed_step(&tokens, names)?);
        lines.push(at + 1);
    }
    Ok((plan, lines))
}

fn timed_step(tokens: &[Token<'_>], names: &Names<'_>) -> Result<TimedStep, PlanTextError> {
    let first = tokens[0].word;
    let (stamp, rest) = match tokens {
        [time, colon, rest @ ..] if colon.is(":") => (time.word.text, rest),
        [time, rest @ ..] => (time.word.text.strip_suffix(':').unwrap_or(""), rest),
        [] => ("", tokens),
    };
    let time = number(stamp).ok_or_else(|| {
        let found = first.text;
        first.error(format!("expected a time such as `0.003:`, found `{found}`"))
    })?;
    let [open, inner @ ..] = rest else {
        let text = "expected an action in parentheses after the time, found nothing";
        return Err(first.error(text.into()));
    };
    let words = inner.iter().take_while(|it| !it.is_mark());
    let call: Vec<Word<'_>> = words.map(|it| it.word).collect();
    let behind = &inner[call.len()..];
    if !open.is("(") || call.is_empty() || !behind.first().is_some_and(|it| it.is(")")) {
        let found = open.word.text;
        return Err(open.word.error(format!(
            "expected an action in parentheses, found `{found}`"
        )));
    }
    let duration = match &behind[1..] {
        [] => None,
        [open, length, close] if open.is("[") && close.is("]") => {
            let found = length.word.text;
            let wrong = || {
                length
                    .word
                    .error(format!("expected a duration, found `{found}`"))
            };
            Some(number(found).ok_or_else(wrong)?)
        }
        [other, ..] => {
            let found = other.word.text;
            return Err(other.word.error(format!(
                "expected a duration such as `[5.0]`, found `{found}`"
            )));
        }
    };
    let step = step(&call, names)?;
    Ok(TimedStep {
        time,
        action: step.action,
        arguments: step.arguments,
        duration,
    })
}

fn number(text: &str) -> Option<Rational> {
    Scale::of([text]).number(text).ok()
}
