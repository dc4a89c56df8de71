//! Partially ordered tasks that take turns, with few exceptions.
//!
//! Tasks that stand side by side are mostly meant to go on side by side: each
//! does what it can as soon as it can, and then it is somebody else's turn. A
//! progression that is guided by what is left does not see that; it drives one
//! of them as far as it gets, and where it is stuck tries all other orders of
//! all that was done. So here what has waited longest goes on first, and a node
//! is worth the number of times on the way to it that somebody else did. Those
//! with fewest exceptions are looked at first, and among them the youngest: how
//! tasks are refined is searched depth first before anything else about who
//! went first is doubted. This is limited discrepancy search (Harvey and
//! Ginsberg, 1995) in which only the order is a discrepancy, and it is complete.

use planoku_engine::{Ended, Engine, EngineError, Leave, Profile, Run, Sink};

use crate::algorithms::root_of;
use crate::ground::Derivation;
use crate::instance::Instance;
use crate::spaces::networks::{Cause, Networks, Pace, Situated};
use crate::spaces::space::{Space, Successor};

/// The planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl Engine<Instance> for InTurn {
    type Answer = Derivation;

    fn profile(&self) -> Profile {
        let summary = "partially ordered progression, what waited longest first";
        Profile::new("htn-in-turn", summary).complete()
    }

    fn solve_into(
        &self,
        instance: &Instance,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Derivation>,
    ) -> Result<Ended, EngineError> {
        let root = root_of(instance)?;
        run.search(sink, |run, found| {
            let space = Networks::new(&instance.world, root, Pace::Late);
            Search::new(space).run(run, &mut |it| found.push(it))
        })
    }
}

/// A node and how it was reached.
struct Reached {
    node: Situated,
    /// The place of its parent and the step from there; none at the start.
    from: Option<(u32, Cause)>,
    /// How often on the way it was not the turn of who went on.
    exceptions: usize,
}

/// A search in progress.
struct Search<'a> {
    space: Networks<'a>,
    reached: Vec<Reached>,
    /// By number of exceptions, the places of nodes that wait, the youngest last.
    open: Vec<Vec<u32>>,
    /// Per number of a node, whether it was taken.
    taken: Vec<bool>,
    bytes: u64,
}

impl<'a> Search<'a> {
    fn new(mut space: Networks<'a>) -> Search<'a> {
        let start = Reached {
            node: space.start(),
            from: None,
            exceptions: 0,
        };
        Search {
            space,
            reached: vec![start],
            open: vec![vec![0]],
            taken: Vec::new(),
            bytes: 0,
        }
    }

    fn run(
        &mut self,
        run: &mut Run<'_>,
        tell: &mut dyn FnMut(Derivation) -> Result<(), Leave>,
    ) -> Result<(), Leave> {
        let mut successors = Vec::new();
        while let Some(place) = self.open.iter_mut().find_map(Vec::pop) {
            let node = &self.reached[place as usize].node;
            let number = self.space.number(node) as usize;
            if self.taken.len() <= number {
                self.taken.resize(number + 1, false);
            }
            if std::mem::replace(&mut self.taken[number], true) {
                continue;
            }
            if self.space.is_goal(node) {
                tell(self.derivation(place))?;
                continue;
            }
            self.space.successors(node, None, run, &mut successors)?;
            run.effort(self.space.take_work())?;
            // The most promising is taken first, so it waits last.
            for successor in successors.drain(..).rev() {
                self.wait(place, successor);
            }
            run.check_memory(self.bytes())?;
            run.progress("htn-in-turn", || None);
        }
        match self.space.is_complete() {
            true => Ok(()),
            false => Err(Leave::GaveUp),
        }
    }

    fn wait(&mut self, parent: u32, successor: Successor<Networks<'a>>) {
        let exceptions = self.reached[parent as usize].exceptions;
        let exceptions = exceptions + successor.further.max(0) as usize;
        if self.open.len() <= exceptions {
            self.open.resize_with(exceptions + 1, Vec::new);
        }
        self.open[exceptions].push(self.reached.len() as u32);
        let Successor { node, step, .. } = successor;
        self.bytes += Networks::bytes_of(&node, &step);
        self.reached.push(Reached {
            node,
            from: Some((parent, step)),
            exceptions,
        });
    }

    fn derivation(&self, mut place: u32) -> Derivation {
        let mut steps = Vec::new();
        while let Some((parent, step)) = &self.reached[place as usize].from {
            steps.push(step);
            place = *parent;
        }
        steps.reverse();
        self.space.derivation(&steps)
    }

    /// An estimate of the memory held.
    fn bytes(&self) -> u64 {
        let lists = self.reached.capacity() * (size_of::<Reached>() + 4) + self.taken.capacity();
        self.bytes + self.space.bytes() + lists as u64
    }
}
