//! Look-ahead: after each choice, strike what can no longer be.
//!
//! Instead of comparing a new value with the past, look-ahead tells the future:
//! every choice is followed by striking values from variables that have none
//! yet. A variable that runs out of values refutes the choice at once, long
//! before it would have been reached. How far the news spreads is the
//! difference between the methods, from cheap and blind to dear and far-seeing:
//!
//! - [`forward_checking`]: to the neighbours of the choice, no further.
//! - [`ac3`], [`ac2001`]: until every value has support at every neighbour.
//! - [`elimination`], [`hall`], [`regin`]: beyond pairs, to sets of variables
//!   that must all differ.
//!
//! # What is counted
//!
//! A *node* is one choice of a variable. Methods that work until nothing
//! changes never need to choose a variable with a single value left, so a
//! network they settle alone costs one node, and so does one they refute.

pub(crate) mod ac2001;
pub(crate) mod ac3;
pub(crate) mod elimination;
pub(crate) mod forward_checking;
pub(crate) mod hall;
pub(crate) mod regin;
pub(crate) mod scopes;

use planoku_engine::{Event, Found, Leave, Run};

use super::level_sets::{LevelSets, members};
use super::look_back::LookBackPart;
use super::network::Assignment;
use super::nogoods::Nogoods;
use super::order::values::rank;
use super::order::variables::Chooser;
use super::order::{ValueOrder, VariableOrder};
use super::restarts::Luby;
use super::store::{Mark, Refuted, Store};
use super::values::is_single;

/// A way to strike values that can no longer be.
pub(crate) trait LookAhead {
    /// True if it works until nothing changes, so that variables with a single
    /// value left are settled.
    const SETTLES: bool;

    /// Strikes what it can before the first choice.
    fn begin(&mut self, store: &mut Store<'_>) -> Result<(), Refuted>;

    /// Strikes what it can after `variable` was given `value`.
    fn follow(&mut self, store: &mut Store<'_>, variable: usize, value: u32)
    -> Result<(), Refuted>;

    /// A point to return to, for methods that keep books of their own.
    fn mark(&self) -> usize {
        0
    }

    /// Returns to such a point.
    fn undo(&mut self, _mark: usize) {}
}

/// How to search, apart from the look-ahead itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub look_back: LookBackPart,
    pub order: VariableOrder,
    pub values: ValueOrder,
    pub restarts: bool,
    pub learns: bool,
}

/// Searches the store for answers.
pub(crate) fn search<A: LookAhead>(
    mut store: Store<'_>,
    look_ahead: A,
    settings: Settings,
    run: &mut Run<'_>,
    found: &mut Found<Assignment>,
) -> Result<(), Leave> {
    if settings.learns {
        store.nogoods = Some(Nogoods::new(store.graph.len));
    }
    let variables = store.graph.len;
    let mut search = Search {
        chooser: Chooser::new(settings.order, store.graph),
        store,
        look_ahead,
        settings,
        levels: Vec::new(),
        spare: Vec::new(),
        blamed: LevelSets::new(variables + 1),
        scratch: vec![0; (variables + 1).div_ceil(64)],
        assigned: vec![false; variables],
        answers: 0,
        luby: Luby::new(),
    };
    let result = search.run(run, found);
    search.store.tell(run);
    search.store.counters.report(run);
    result
}

/// One choice that stands.
#[derive(Default)]
struct Level {
    variable: usize,
    value: u32,
    untried: u64,
    ranked: Vec<u8>,
    mark: Mark,
    own_mark: usize,
    /// Whether some value of this level led to a deeper level.
    descended: bool,
}

struct Search<'g, A> {
    store: Store<'g>,
    look_ahead: A,
    settings: Settings,
    chooser: Chooser,
    levels: Vec<Level>,
    /// Levels to use again, for the sake of their allocations.
    spare: Vec<Level>,
    /// For each level the earlier levels to blame so far.
    blamed: LevelSets,
    scratch: Vec<u64>,
    assigned: Vec<bool>,
    answers: u64,
    luby: Luby,
}

impl<A: LookAhead> Search<'_, A> {
    fn run(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        let begun = self.look_ahead.begin(&mut self.store);
        self.store.tell(run);
        if begun.is_err() || self.store.values.contains(&0) {
            run.tick()?;
            return Ok(());
        }
        self.store.settle();
        loop {
            match self.next_variable() {
                Some(variable) => {
                    run.tick()?;
                    self.open(variable);
                }
                None => {
                    if self.levels.is_empty() && self.store.graph.len > 0 {
                        run.tick()?;
                    }
                    self.answer(run, found)?;
                    match self.levels.len().checked_sub(1) {
                        None => return Ok(()),
                        Some(last) => {
                            self.blamed.fill(last);
                            self.levels[last].descended = true;
                            self.take_back(last, run);
                        }
                    }
                }
            }
            while !self.advance(run) {
                if !self.retreat(run) {
                    return Ok(());
                }
            }
            if self.settings.restarts && self.answers == 0 && self.luby.due() && !self.restart(run)
            {
                return Ok(());
            }
        }
    }

    fn next_variable(&self) -> Option<usize> {
        let (store, assigned) = (&self.store, &self.assigned);
        self.chooser.choose(store, |variable| {
            if A::SETTLES {
                !is_single(store.values[variable])
            } else {
                !assigned[variable]
            }
        })
    }

    fn open(&mut self, variable: usize) {
        let mut level = self.spare.pop().unwrap_or_default();
        let store = &self.store;
        level.variable = variable;
        level.untried = store.values[variable];
        level.mark = store.mark();
        level.own_mark = self.look_ahead.mark();
        level.descended = false;
        if self.settings.values != ValueOrder::Ascending {
            let assigned = &self.assigned;
            let open = |other: usize| {
                let values = store.values[other];
                (!assigned[other] && !is_single(values)).then_some(values)
            };
            let placed = |value: u32| (store.values.iter()).filter(|v| **v == 1 << value).count();
            rank(
                self.settings.values,
                store.graph,
                variable,
                level.untried,
                open,
                placed,
                &mut level.ranked,
            );
        }
        self.blamed.clear(self.levels.len());
        self.levels.push(level);
    }

    /// Gives the last level its next value that look-ahead accepts.
    fn advance(&mut self, run: &mut Run<'_>) -> bool {
        let Some(last) = self.levels.len().checked_sub(1) else {
            return false;
        };
        while let Some(value) = self.next_value(last) {
            let variable = self.levels[last].variable;
            self.levels[last].value = value;
            self.store.counters.tries += 1;
            if run.observed() {
                run.emit(Event::Assign {
                    variable: variable as u32,
                    value,
                });
            }
            self.store.choose(variable, value, last);
            self.assigned[variable] = true;
            let followed = self.look_ahead.follow(&mut self.store, variable, value);
            self.store.tell(run);
            if followed.is_ok() {
                return true;
            }
            self.refute(last, run);
            self.take_back(last, run);
        }
        false
    }

    fn next_value(&mut self, last: usize) -> Option<u32> {
        let level = &mut self.levels[last];
        if self.settings.values == ValueOrder::Ascending {
            let untried = level.untried;
            level.untried &= untried.wrapping_sub(1);
            (untried != 0).then(|| untried.trailing_zeros())
        } else {
            level.ranked.pop().map(u32::from)
        }
    }

    /// The value of the last level failed: notes who else is to blame.
    fn refute(&mut self, last: usize, run: &mut Run<'_>) {
        self.store.counters.conflicts += 1;
        self.luby.count();
        self.chooser.refuted(&self.store);
        let conflict = std::mem::take(&mut self.store.conflict);
        if run.observed() {
            let variable = conflict.first().map_or(0, |fact| fact.0);
            run.emit(Event::Conflict { variable });
        }
        self.note(last, &conflict);
        self.store.conflict = conflict;
    }

    /// Adds whoever made `facts` true to those blamed on a level.
    fn note(&mut self, level: usize, facts: &[(u32, u64)]) {
        match self.settings.look_back {
            LookBackPart::Chronological => {}
            LookBackPart::GraphBased => {
                for &(variable, _) in facts {
                    self.note_neighbours(level, variable as usize);
                }
            }
            _ => {
                self.scratch.fill(0);
                self.store.blame(facts, &mut self.scratch);
                self.blamed.extend(level, &self.scratch);
            }
        }
    }

    /// Graph-based look-back blames every assigned neighbour.
    fn note_neighbours(&mut self, level: usize, variable: usize) {
        for earlier in 0..level {
            let chosen = self.levels[earlier].variable;
            if self.store.graph.pair_of(variable, chosen).is_some() {
                self.blamed.insert(level, earlier);
            }
        }
    }

    /// Leaves the exhausted last level for an earlier one, which loses its
    /// value. False if that ends the search.
    fn retreat(&mut self, run: &mut Run<'_>) -> bool {
        let Some(from) = self.levels.len().checked_sub(1) else {
            return false;
        };
        // The values that were gone before the level was opened count too.
        let variable = self.levels[from].variable;
        let gone = !self.store.values[variable];
        self.note(from, &[(variable as u32, gone)]);
        let jumps = match self.settings.look_back {
            LookBackPart::Chronological => false,
            LookBackPart::Gaschnig => !self.levels[from].descended,
            _ => true,
        };
        let target = if jumps {
            self.blamed.deepest(from)
        } else {
            from.checked_sub(1)
        };
        if run.observed() {
            run.emit(Event::Conflict {
                variable: variable as u32,
            });
        }
        let Some(target) = target else {
            self.drop_levels(0, run);
            return false;
        };
        if jumps {
            let (blamed, levels) = (&self.blamed, &self.levels);
            let because = || {
                let blamed = members(blamed.row(from));
                blamed.map(|level| levels[level].variable as u32).collect()
            };
            self.store.counters.jump(from, target, run, because);
            self.learn(from, run);
            self.blamed.merge(from, target);
        }
        self.drop_levels(target + 1, run);
        self.levels[target].descended = true;
        self.take_back(target, run);
        true
    }

    /// Takes back all levels from `first` on.
    fn drop_levels(&mut self, first: usize, run: &mut Run<'_>) {
        while self.levels.len() > first {
            let last = self.levels.len() - 1;
            self.take_back(last, run);
            self.spare.extend(self.levels.pop());
        }
    }

    /// Undoes the value of a level, if it has one, and what followed from it.
    fn take_back(&mut self, level: usize, run: &mut Run<'_>) {
        let Level {
            variable,
            mark,
            own_mark,
            ..
        } = self.levels[level];
        self.store.undo(mark);
        self.look_ahead.undo(own_mark);
        self.store.tell(run);
        if std::mem::take(&mut self.assigned[variable]) && run.observed() {
            run.emit(Event::Unassign {
                variable: variable as u32,
            });
        }
    }

    /// Remembers that the choices blamed on `level` cannot stand together.
    fn learn(&mut self, level: usize, run: &mut Run<'_>) {
        if let Some(nogoods) = &mut self.store.nogoods {
            let choices = members(self.blamed.row(level)).map(|earlier| {
                let Level {
                    variable, value, ..
                } = self.levels[earlier];
                (variable as u32, value)
            });
            let learned = nogoods.learn(choices.clone());
            self.store.counters.nogoods += u64::from(learned);
            if learned && run.observed() {
                let not = |(variable, value)| (variable, value, false);
                let literals = choices.map(not).collect();
                run.emit(Event::Learn { literals });
            }
        }
    }

    /// Begins anew with what was learned. False if that refutes everything.
    fn restart(&mut self, run: &mut Run<'_>) -> bool {
        self.drop_levels(0, run);
        self.luby.next();
        self.store.counters.restarts += 1;
        run.emit(Event::Restart);
        let Some(nogoods) = &mut self.store.nogoods else {
            return true;
        };
        let single = nogoods.take_single();
        let held = self.strike_for_good(&single);
        self.store.tell(run);
        if held.is_err() {
            return false;
        }
        self.store.settle();
        true
    }

    fn strike_for_good(&mut self, literals: &[(u32, u32)]) -> Result<(), Refuted> {
        use super::store::{Finder, Reason};
        for &(variable, value) in literals {
            self.store
                .strike(variable as usize, 1 << value, Reason::Root, Finder::Nogood)?;
        }
        if literals.is_empty() {
            return Ok(());
        }
        self.look_ahead.begin(&mut self.store)
    }

    fn answer(&mut self, run: &mut Run<'_>, found: &mut Found<Assignment>) -> Result<(), Leave> {
        self.answers += 1;
        run.emit(Event::Answer(self.answers));
        let values = self.store.values.iter().map(|set| set.trailing_zeros());
        found.push(Assignment(values.collect()))
    }
}
