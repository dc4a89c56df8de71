//! How often one of a set of actions has to be executed, by what is left to do
//! alone.
//!
//! Of two tasks that each need an action of a set, neither can do with the
//! other's: the relaxation, in which everything is done once, does not see
//! that. A task needs as many of them as its least demanding method, and a
//! method as many as its subtasks together. Counted from the actions upwards,
//! any number reached on the way is one from below. So a landmark cut counts
//! once for each time it has to be crossed.

use crate::analysis::charge::Weight;
use crate::analysis::relax::Relaxation;

/// Nobody counts further than this, nor changes a number more often: tasks that
/// lead to one another may raise each other for long.
const MOST: u32 = 1 << 10;
const OFTEN: u8 = 6;

/// Working space to count in.
#[derive(Default)]
pub(super) struct Times {
    /// Per literal of an action or task, how often it needs one of the set.
    values: Vec<u32>,
    /// Per operator of a method the same.
    methods: Vec<u32>,
    /// Per literal of a task, how many methods need one.
    with: Vec<u32>,
    /// The same of all its methods that can be used; [`UNKNOWN`] if nobody has
    /// asked.
    ways: Vec<u32>,
    /// Tasks that were asked about in this state.
    asked: Vec<u32>,
    /// What is not 0, and how often it was changed.
    touched: Vec<u32>,
    changes: Vec<u8>,
    touched_methods: Vec<u32>,
    open: Vec<(u32, u32)>,
    pub(super) work: u64,
}

const UNKNOWN: u32 = u32::MAX;

impl Times {
    /// Which methods can be used at all is another question from now on.
    pub(super) fn begin<W: Weight>(&mut self, relaxed: &Relaxation<W>) {
        if self.values.len() != relaxed.literals || self.methods.len() != relaxed.charge.len() {
            self.values = vec![0; relaxed.literals];
            self.changes = vec![0; relaxed.literals];
            self.methods = vec![0; relaxed.charge.len()];
            self.with = vec![0; relaxed.literals];
            self.ways = vec![UNKNOWN; relaxed.literals];
            self.asked.clear();
        }
        for task in self.asked.drain(..) {
            self.ways[task as usize] = UNKNOWN;
        }
    }

    /// How often one of these operators has to be used to do all of `goals`,
    /// each of which is done by itself; once if nothing is known. `usable` says
    /// which methods there are.
    pub(super) fn count<W: Weight>(
        &mut self,
        relaxed: &Relaxation<W>,
        set: &[u32],
        goals: &[u32],
        usable: impl Fn(u32) -> bool,
    ) -> u32 {
        for &operator in set {
            let done = relaxed.makes.get(operator).iter();
            let done = done.copied().filter(|&it| relaxed.is_done(it));
            self.open.extend(done.map(|literal| (literal, 1)));
        }
        let mut at = 0;
        while let Some(&(literal, value)) = self.open.get(at) {
            self.raise(relaxed, literal, value, &usable);
            at += 1;
        }
        self.open.clear();
        let done = goals.iter().filter(|&&goal| relaxed.is_done(goal));
        let all = done.map(|&goal| self.values[goal as usize]).sum::<u32>();
        self.forget(relaxed);
        all.clamp(1, MOST)
    }

    fn raise<W: Weight>(
        &mut self,
        relaxed: &Relaxation<W>,
        literal: u32,
        value: u32,
        usable: impl Fn(u32) -> bool,
    ) {
        let known = &mut self.values[literal as usize];
        let changes = &mut self.changes[literal as usize];
        if *known >= value || *changes == OFTEN {
            return;
        }
        *changes += 1;
        if *known == 0 {
            self.touched.push(literal);
        }
        let more = value - std::mem::replace(known, value);
        let needed_by = relaxed.needed_by.get(literal);
        self.work += 1 + needed_by.len() as u64;
        for &method in needed_by {
            // A conditional effect needs its action and is no method.
            let &[task] = relaxed.makes.get(method) else {
                continue;
            };
            if !relaxed.is_done(task) || !usable(method) {
                continue;
            }
            let needs = &mut self.methods[method as usize];
            let first = *needs == 0;
            *needs = (*needs + more).min(MOST);
            if first {
                self.touched_methods.push(method);
                self.with[task as usize] += 1;
            }
            if self.with[task as usize] == self.ways(relaxed, task, &usable) {
                let methods = relaxed.made_by.get(task).iter();
                self.work += methods.len() as u64;
                let methods = methods.filter(|&&it| usable(it));
                let least = methods.map(|&it| self.methods[it as usize]).min();
                let least = least.unwrap_or(0);
                if least > self.values[task as usize] {
                    self.open.push((task, least));
                }
            }
        }
    }

    /// How many methods of a task can be used.
    fn ways<W: Weight>(
        &mut self,
        relaxed: &Relaxation<W>,
        task: u32,
        usable: impl Fn(u32) -> bool,
    ) -> u32 {
        if self.ways[task as usize] == UNKNOWN {
            let methods = relaxed.made_by.get(task);
            self.work += methods.len() as u64;
            let count = methods.iter().filter(|&&it| usable(it)).count();
            self.ways[task as usize] = count as u32;
            self.asked.push(task);
        }
        self.ways[task as usize]
    }

    /// Makes ready for another set.
    fn forget<W: Weight>(&mut self, relaxed: &Relaxation<W>) {
        for literal in self.touched.drain(..) {
            self.values[literal as usize] = 0;
            self.changes[literal as usize] = 0;
        }
        for method in self.touched_methods.drain(..) {
            self.methods[method as usize] = 0;
            let task = relaxed.makes.get(method)[0];
            self.with[task as usize] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use planoku_engine::Run;

    use crate::cost::{Cost, Distance};
    use crate::heuristics::Estimate;
    use crate::heuristics::heuristic::Situation;
    use crate::heuristics::scope::ScopeId;
    use crate::instance::Instance;
    use crate::state::stacks::{Elements, Kind};

    const DOMAIN: &str = "(define (domain d) (:requirements :hierarchy)
      (:predicates (bread) (paid))
      (:task eat :parameters ())
      (:task shop :parameters ())
      (:method at-home :parameters () :task (eat)
        :ordered-subtasks (and (shop) (cook)))
      (:method outside :parameters () :task (eat)
        :ordered-subtasks (and (order) (pay)))
      (:method cash :parameters () :task (shop)
        :ordered-subtasks (and (buy) (pay)))
      (:method card :parameters () :task (shop)
        :ordered-subtasks (and (pay) (sign)))
      (:action cook :parameters () :effect (bread))
      (:action order :parameters () :effect (bread))
      (:action buy :parameters () :effect (bread))
      (:action sign :parameters () :effect (bread))
      (:action pay :parameters () :effect (paid)))";
    const PROBLEM: &str = "(define (problem p) (:domain d)
      (:htn :tasks (and (eat) (eat) (eat))) (:init) (:goal (paid)))";

    #[test]
    fn what_three_tasks_need_is_paid_for_three_times() {
        let model = crate::read(DOMAIN, PROBLEM).0.expect("a model");
        let mut run = Run::default();
        let ground = crate::ground::ground(&model, &mut run).expect("grounded");
        let instance = Instance::new(ground);
        let task = |name: &str| {
            let is = |index: &usize| {
                let schema = instance.tasks[*index].schema;
                schema.is_some_and(|schema| model.tasks[schema.index()].name == name)
            };
            (0..instance.tasks.len()).find(is).unwrap() as u32
        };
        let eat = Elements::new(&instance).pack(Kind::Task(task("eat")));
        let state = instance.world.initial();
        let mut cuts = Estimate::LmCut.heuristic(&instance, &mut run).unwrap();
        for (count, least) in [(1u64, 2u64), (2, 4), (3, 6)] {
            let left = vec![eat; count as usize];
            let estimate = cuts.estimate(&Situation {
                number: 0,
                state: &state,
                left: &left,
                scope: ScopeId::default(),
            });
            assert_eq!(estimate, Distance::Left(Cost::from(least)));
        }
    }
}
