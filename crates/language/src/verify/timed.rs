//! Plans with times: PDDL 2.1, level 3, without continuous effects.
//!
//! A durative action is two happenings, its start and its end; an action
//! without duration and a timed fact are one. Happenings at one time happen
//! together, in the state before them. The rules:
//!
//! 1. *Duration*: it keeps the action's bounds, in the state before its start.
//! 2. *Conditions*: those at the start hold right before the start, those at the
//!    end right before the end, and those over all in every state from right
//!    after the start to right before the end.
//! 3. *Interference*: of two happenings at one time, or less than [`epsilon`]
//!    apart, neither reads what the other changes, and they change nothing in
//!    contradicting ways.
//! 4. *Goal*: it holds after the last happening of the plan. Timed facts count
//!    as long as the plan lasts.

use std::fmt;

use super::state::{Binding, Changes, Footprint, History};
use super::{Broken, Rule};
use crate::model::{Action, Durative, Effect, Formula, Model, TimedChange};
use crate::number::{NumberError, Rational};
use crate::plan::{TimedPlan, TimedStep};

/// How far apart happenings must be that interfere: a thousandth.
pub fn epsilon() -> Rational {
    Rational::new(1, 1000).unwrap_or(Rational::ZERO)
}

/// What is known about a plan with times that keeps all rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedVerified {
    /// How many steps.
    pub steps: usize,
    /// When the last of them ends.
    pub makespan: Rational,
    /// The value of the metric, if there is one and it has a value.
    pub metric: Option<Rational>,
}

/// One happening.
struct Happening<'a> {
    time: Rational,
    /// The step's place; `None` for a timed fact.
    step: Option<usize>,
    condition: &'a Formula,
    effect: Option<&'a Effect>,
    timed: Option<&'a TimedChange>,
    /// For messages.
    part: &'static str,
}

/// Judges a plan with times.
pub fn verify_timed(model: &Model, plan: &TimedPlan) -> Result<TimedVerified, Broken> {
    let refused = model.beyond.iter().find(|it| !it.feature.is_judged());
    if let Some(beyond) = refused {
        return Err(unsupported(&format!("{beyond} are not judged")));
    }
    if model.network.is_some() {
        return Err(unsupported("hierarchical plans with times are not judged"));
    }
    let judge = Judge::new(model, plan)?;
    judge.run()
}

fn unsupported(reason: &str) -> Broken {
    Broken {
        rule: Rule::Unsupported,
        id: None,
        reason: reason.to_owned(),
    }
}

struct Judge<'a> {
    model: &'a Model,
    plan: &'a TimedPlan,
    /// When each step ends.
    ends: Vec<Rational>,
    makespan: Rational,
    happenings: Vec<Happening<'a>>,
}

impl<'a> Judge<'a> {
    fn new(model: &'a Model, plan: &'a TimedPlan) -> Result<Judge<'a>, Broken> {
        let mut judge = Judge {
            model,
            plan,
            ends: Vec::new(),
            makespan: Rational::ZERO,
            happenings: Vec::new(),
        };
        for (place, step) in plan.steps.iter().enumerate() {
            judge.add_step(place, step)?;
        }
        for timed in model.timed.iter().filter(|it| it.time <= judge.makespan) {
            judge.happenings.push(Happening {
                time: timed.time,
                step: None,
                condition: &Formula::True,
                effect: None,
                timed: Some(&timed.change),
                part: "the timed fact",
            });
        }
        judge.happenings.sort_by_key(|it| it.time);
        Ok(judge)
    }

    fn add_step(&mut self, place: usize, step: &TimedStep) -> Result<(), Broken> {
        let action = &self.model.actions[step.action.index()];
        let parameters = &action.variables[..action.arity];
        let fits = step.arguments.len() == parameters.len()
            && (parameters.iter().zip(&step.arguments))
                .all(|(parameter, object)| self.model.admits(parameter, *object));
        if !fits {
            return Err(self.broken(Rule::Arguments, place, "its arguments do not fit"));
        }
        if step.time.is_negative() {
            return Err(self.broken(Rule::Duration, place, "it starts before time 0"));
        }
        let mut add = |time, condition, effect, part| {
            self.happenings.push(Happening {
                time,
                step: Some(place),
                condition,
                effect: Some(effect),
                timed: None,
                part,
            });
        };
        let Some(durative) = &action.durative else {
            add(step.time, &action.precondition, &action.effect, "step");
            if step.duration.is_some_and(|it| it != Rational::ZERO) {
                let reason = "it has no duration, but the plan gives it one";
                return Err(self.broken(Rule::Duration, place, reason));
            }
            self.ends.push(step.time);
            self.makespan = self.makespan.max(step.time);
            return Ok(());
        };
        let Some(duration) = step.duration else {
            let reason = "the plan does not say how long it takes";
            return Err(self.broken(Rule::Duration, place, reason));
        };
        if duration <= Rational::ZERO {
            let reason = "it takes no time, or less";
            return Err(self.broken(Rule::Duration, place, reason));
        }
        let end = step.time.plus(duration).map_err(too_large)?;
        add(
            step.time,
            &durative.at_start,
            &durative.start_effect,
            "the start of step",
        );
        add(
            end,
            &durative.at_end,
            &durative.end_effect,
            "the end of step",
        );
        self.ends.push(end);
        self.makespan = self.makespan.max(end);
        Ok(())
    }

    fn action(&self, place: usize) -> (&'a Action, Binding) {
        let step = &self.plan.steps[place];
        let action = &self.model.actions[step.action.index()];
        let mut binding: Binding = step.arguments.iter().copied().map(Some).collect();
        binding.resize(action.variables.len(), None);
        (action, binding)
    }

    fn durative(&self, place: usize) -> Option<&'a Durative> {
        self.action(place).0.durative.as_deref()
    }

    fn broken(&self, rule: Rule, place: usize, reason: impl fmt::Display) -> Broken {
        let step = &self.plan.steps[place];
        let name = &self.model.actions[step.action.index()].name;
        Broken {
            rule,
            id: Some(place as u64),
            reason: format!(
                "step {place} `{}` at {}: {reason}",
                self.model.show(name, &step.arguments),
                step.time
            ),
        }
    }

    fn run(&self) -> Result<TimedVerified, Broken> {
        let mut history = History::start(self.model);
        // Footprints of the happenings that are not yet epsilon ago.
        let mut recent: Vec<(usize, Footprint)> = Vec::new();
        let mut at = 0;
        let mut state = 0;
        while at < self.happenings.len() {
            let time = self.happenings[at].time;
            let together = self.happenings[at..]
                .iter()
                .take_while(|it| it.time == time);
            let next = at + together.count();
            recent.retain(|(other, _)| {
                let apart = time.minus(self.happenings[*other].time);
                apart.is_ok_and(|apart| apart < epsilon())
            });
            let mut changes = Changes::default();
            for place in at..next {
                let mine = self.happen(&history, place, state, &mut changes)?;
                let clash = recent.iter().find_map(|(other, theirs)| {
                    Some((*other, mine.interferes(theirs, self.model)?))
                });
                if let Some((other, what)) = clash {
                    return Err(self.interference(place, other, &what));
                }
                recent.push((place, mine));
            }
            let advanced = history.advance(changes, state);
            history.check_exact()?;
            advanced.map_err(|reason| {
                let step = self.happenings[at].step.unwrap_or(0);
                self.broken(Rule::Effect, step, reason)
            })?;
            state += 1;
            self.check_over_all(&history, time, state)?;
            at = next;
        }
        let goal = history.check_goal(state);
        history.check_exact()?;
        goal?;
        Ok(TimedVerified {
            steps: self.plan.steps.len(),
            makespan: self.makespan,
            metric: history.timed_metric(state, self.makespan),
        })
    }

    /// Checks what a happening needs and gathers what it changes.
    fn happen(
        &self,
        history: &History<'_>,
        place: usize,
        state: usize,
        changes: &mut Changes,
    ) -> Result<Footprint, Broken> {
        let happening = &self.happenings[place];
        if let Some(timed) = happening.timed {
            let mut footprint = Footprint::default();
            changes.at_time(timed, &mut footprint);
            return Ok(footprint);
        }
        let step = happening.step.unwrap_or(0);
        let (action, mut binding) = self.action(step);
        let duration = self.plan.steps[step].duration;
        let scope = history.during(state, &action.variables, duration);
        if happening.part == "the start of step"
            && let Some(durative) = self.durative(step)
            && let Some(duration) = duration
            && let Some(reason) = scope.refute_duration(durative, duration, &binding)
        {
            history.check_exact()?;
            return Err(self.broken(Rule::Duration, step, reason));
        }
        if let Some(reason) = scope.refute(happening.condition, &mut binding) {
            history.check_exact()?;
            let when = match happening.part {
                "the end of step" => "at its end ",
                _ => "",
            };
            return Err(self.broken(Rule::Precondition, step, format!("{when}{reason}")));
        }
        let mut footprint = Footprint::default();
        scope.reads(happening.condition, &mut binding, &mut footprint);
        if let Some(effect) = happening.effect {
            scope.gather(effect, &mut binding, changes, &mut footprint);
        }
        Ok(footprint)
    }

    fn interference(&self, place: usize, other: usize, what: &str) -> Broken {
        let [mine, theirs] = [place, other].map(|it| &self.happenings[it]);
        let name = |it: &Happening<'_>| match it.step {
            Some(step) => format!("{} {step}", it.part),
            None => it.part.to_owned(),
        };
        let reason = match mine.time == theirs.time {
            true => format!("{} and {} happen together", name(theirs), name(mine)),
            false => format!(
                "{} and {} are less than {} apart",
                name(theirs),
                name(mine),
                epsilon()
            ),
        };
        let reason =
            format!("{reason}, and one of them changes {what}, which the other needs or changes");
        self.broken(
            Rule::Interference,
            mine.step.or(theirs.step).unwrap_or(0),
            reason,
        )
    }

    /// What must hold over all holds in the state that begins now.
    fn check_over_all(
        &self,
        history: &History<'_>,
        time: Rational,
        state: usize,
    ) -> Result<(), Broken> {
        for (place, step) in self.plan.steps.iter().enumerate() {
            if step.time > time || time >= self.ends[place] {
                continue;
            }
            let (action, mut binding) = self.action(place);
            let Some(durative) = &action.durative else {
                continue;
            };
            let scope = history.during(state, &action.variables, step.duration);
            if let Some(reason) = scope.refute(&durative.over_all, &mut binding) {
                history.check_exact()?;
                let reason = format!("after time {time}, while it goes on, {reason}");
                return Err(self.broken(Rule::Precondition, place, reason));
            }
        }
        Ok(())
    }
}

fn too_large(error: NumberError) -> Broken {
    Broken {
        rule: Rule::Number,
        id: None,
        reason: error.to_string(),
    }
}
