//! Tail recursion lifted: the ways through the body of a loop as acts, and how
//! many parallel steps of such a loop can be of use.

use planoku_engine::{Run, Stop};
use rustc_hash::FxHashMap;

use super::act::meets;
use super::{Act, ActId, Body, Rule, Rules, Slot, Task, TaskId, Template};
use crate::ground::{FactIndex, Ground, GroundMethod, MethodIndex, Node};

/// How many ways through the body of a loop are told apart.
const MACROS_PER_BODY: usize = 64;

impl Rules {
    /// Lifts a tail-recursive task; false if it is not one, or too rich.
    pub(super) fn lift_loop(
        &mut self,
        ground: &Ground,
        task: TaskId,
        run: &mut Run<'_>,
    ) -> Result<bool, Stop> {
        let again = Node::Task(task as u32);
        let methods = &ground.tasks[task].methods;
        let (looping, leaving): (Vec<MethodIndex>, Vec<MethodIndex>) = methods
            .iter()
            .partition(|m| ground.methods[**m as usize].subtasks.contains(&again));
        let right_linear = |m: &MethodIndex| {
            let subtasks = &ground.methods[*m as usize].subtasks;
            subtasks.last() == Some(&again)
                && subtasks.iter().filter(|node| **node == again).count() == 1
        };
        if looping.is_empty() || !looping.iter().all(right_linear) {
            return Ok(false);
        }
        let mut bodies = Vec::new();
        for &index in &looping {
            let method = &ground.methods[index as usize];
            match self.bodies(index, method) {
                Some(acts) => bodies.extend(acts),
                None => return Ok(false),
            }
        }
        let first = self.acts.len();
        self.acts.extend(bodies);
        let leaves = leaving.iter().map(|&m| self.rule(ground, m)).collect();
        self.add_loop(task, first..self.acts.len(), leaves, run)?;
        Ok(true)
    }

    /// The ways through a looping method before it loops, each as one act.
    fn bodies(&self, index: MethodIndex, method: &GroundMethod) -> Option<Vec<Act>> {
        let start = Act {
            condition: method.precondition.clone(),
            add: vec![],
            delete: vec![],
            conditional: vec![],
            template: Template::Method(index, vec![]),
        };
        let mut ways = vec![start];
        let (_, body) = method.subtasks.split_last()?;
        for node in body {
            let options = self.ways_through(*node)?;
            ways = ways
                .iter()
                .flat_map(|way| options.iter().filter_map(|o| way.then(o)))
                .collect();
            if ways.len() > MACROS_PER_BODY {
                return None;
            }
        }
        for way in &mut ways {
            way.template.push_child(Template::Rest);
        }
        // A round that changes nothing would only make the loop longer.
        ways.retain(|way| !way.changes_nothing());
        Some(ways)
    }

    /// Every way to carry out a node completely, each as one act; `None` if
    /// there are too many or they cannot be told as one act.
    fn ways_through(&self, node: Node) -> Option<Vec<Act>> {
        let task = match node {
            Node::Action(action) => {
                let act = &self.acts[action as usize];
                return act.conditional.is_empty().then(|| vec![act.clone()]);
            }
            Node::Task(task) => &self.tasks[task as usize],
        };
        if task.recursive {
            return None;
        }
        let mut ways = Vec::new();
        for &rule in &task.rules {
            let rule = &self.rules[rule];
            let mut partial = vec![(Act::nothing(), Vec::new())];
            for slot in &rule.slots {
                let options = match &slot.body {
                    Body::Nothing => vec![Act::nothing()],
                    Body::Act(act) => self.ways_through(Node::Action(*act as u32))?,
                    Body::Task(task) => self.ways_through(Node::Task(*task as u32))?,
                    Body::Parallel(_) => return None,
                };
                let mut next = Vec::new();
                for (act, chosen) in &partial {
                    for option in &options {
                        let guard = Act {
                            condition: slot.condition.clone(),
                            ..Act::nothing()
                        };
                        if let Some(act) = act.then(&guard).and_then(|act| act.then(option)) {
                            let mut chosen: Vec<Template> = chosen.clone();
                            chosen.push(option.template.clone());
                            next.push((act, chosen));
                        }
                    }
                }
                partial = next;
                if partial.len() > MACROS_PER_BODY {
                    return None;
                }
            }
            ways.extend(partial.into_iter().map(|(act, chosen)| Act {
                template: rule.template.filled(&chosen),
                ..act
            }));
            if ways.len() > MACROS_PER_BODY {
                return None;
            }
        }
        Some(ways)
    }

    /// Makes `task` a loop: any set of acts and again, or leave.
    pub(super) fn add_loop(
        &mut self,
        task: TaskId,
        acts: std::ops::Range<ActId>,
        leaves: Vec<Rule>,
        run: &mut Run<'_>,
    ) -> Result<(), Stop> {
        self.set_rules(task, leaves);
        if acts.is_empty() {
            return Ok(());
        }
        let steps = steps_of_use(&self.acts[acts.clone()], run)?;
        self.tasks[task].steps = steps;
        let leave_rules = self.tasks[task].rules.clone();
        // After the only step that can be of use, all that is left is to leave.
        let next = if steps == Some(1) {
            self.tasks.push(Task {
                rules: leave_rules,
                ..Task::default()
            });
            self.tasks.len() - 1
        } else {
            task
        };
        let step = Slot {
            body: Body::Parallel(acts),
            ..Slot::default()
        };
        let rest = Slot {
            body: Body::Task(next),
            ..Slot::default()
        };
        self.set_rules(
            task,
            vec![Rule {
                slots: vec![step, rest],
                template: Template::Loop,
            }],
        );
        Ok(())
    }
}

/// How many parallel steps of a loop over these acts can be of use; `None` if
/// we cannot tell.
///
/// One step, if no act enables another and disturbing is mutual: then acts
/// that can follow one another can also go together. Otherwise every act that
/// uses up a fact is limited by how often that fact can come true, where
/// acts that share the used-up fact share the limit. (A chain that stands in
/// the wrong order takes a round for each of its acts.)
fn steps_of_use(acts: &[Act], run: &mut Run<'_>) -> Result<Option<u64>, Stop> {
    if one_step_is_enough(acts) {
        return Ok(Some(1));
    }
    let mut adders: FxHashMap<FactIndex, Vec<usize>> = FxHashMap::default();
    for (index, act) in acts.iter().enumerate() {
        if !act.conditional.is_empty() {
            return Ok(None);
        }
        for fact in act.may_add() {
            adders.entry(fact).or_default().push(index);
        }
    }
    // times[f]: how often f can come true, counting the start.
    let mut times: FxHashMap<FactIndex, u64> = FxHashMap::default();
    let used_up = |act: &Act| -> Vec<FactIndex> {
        act.condition
            .positive
            .iter()
            .copied()
            .filter(|f| act.delete.contains(f))
            .collect()
    };
    let mut source: Vec<Option<FactIndex>> = vec![None; acts.len()];
    loop {
        run.effort(acts.len() as u64)?;
        let before = (times.len(), source.iter().flatten().count());
        for (index, act) in acts.iter().enumerate() {
            let best = used_up(act)
                .into_iter()
                .filter(|f| times.contains_key(f))
                .min_by_key(|f| times[f]);
            if source[index].is_none() {
                source[index] = best;
            }
        }
        for act in acts {
            for fact in used_up(act) {
                if times.contains_key(&fact) {
                    continue;
                }
                let makers = adders.get(&fact).map_or(&[][..], Vec::as_slice);
                let mut sources: Vec<FactIndex> = Vec::new();
                if makers
                    .iter()
                    .all(|&maker| source[maker].map(|s| sources.push(s)).is_some())
                {
                    sources.sort_unstable();
                    sources.dedup();
                    let made = sources
                        .iter()
                        .fold(0u64, |sum, s| sum.saturating_add(times[s]));
                    times.insert(fact, made.saturating_add(1));
                }
            }
        }
        if (times.len(), source.iter().flatten().count()) == before {
            break;
        }
    }
    let Some(mut sources) = source.into_iter().collect::<Option<Vec<FactIndex>>>() else {
        return Ok(None);
    };
    sources.sort_unstable();
    sources.dedup();
    let times_of = |sum: u64, fact| sum.saturating_add(times[fact]);
    Ok(Some(sources.iter().fold(0, times_of)))
}

fn one_step_is_enough(acts: &[Act]) -> bool {
    let mut needs: [FxHashMap<FactIndex, Vec<usize>>; 2] = Default::default();
    let mut makes: [FxHashMap<FactIndex, Vec<usize>>; 2] = Default::default();
    for (index, act) in acts.iter().enumerate() {
        if !act.conditional.is_empty() {
            return false;
        }
        for (truth, needed, made) in [
            (0, &act.condition.negative, &act.delete),
            (1, &act.condition.positive, &act.add),
        ] {
            needed
                .iter()
                .for_each(|f| needs[truth].entry(*f).or_default().push(index));
            made.iter()
                .for_each(|f| makes[truth].entry(*f).or_default().push(index));
        }
    }
    let enables = (0..2).any(|truth| makes[truth].keys().any(|f| needs[truth].contains_key(f)));
    let contradicts = makes[0].keys().any(|fact| makes[1].contains_key(fact));
    if enables || contradicts {
        return false;
    }
    // Disturbing is mutual if whoever makes a fact true (false) also needs it
    // false (true): then makers and needers of a fact exclude each other both
    // ways exactly if every needer is a maker or shares another such fact.
    let disturbs = |a: &Act, b: &Act| {
        meets(&a.delete, &b.condition.positive) || meets(&a.add, &b.condition.negative)
    };
    (0..2).all(|truth| {
        makes[truth].iter().all(|(fact, makers)| {
            let needers = needs[1 - truth].get(fact).map_or(&[][..], Vec::as_slice);
            makers.iter().all(|&maker| {
                needers
                    .iter()
                    .all(|&needer| maker == needer || disturbs(&acts[needer], &acts[maker]))
            })
        })
    })
}
