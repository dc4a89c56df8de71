//! Exact cover by dancing links.
//!
//! Given *items* and *options*, each a set of items, choose options so that
//! every item is in exactly one of them. Knuth (*The Art of Computer
//! Programming*, volume 4B, section 7.2.2.1; first in *Dancing Links*, 2000)
//! keeps the options that are still possible in doubly linked lists, one for
//! each item: choosing an option unlinks whatever it excludes, and going back
//! links the same nodes again, in the reverse order, without a copy.
//!
//! ```
//! use planoku_constraints::cover::{DancingLinks, ExactCover};
//! use planoku_engine::{End, Engine, Run};
//!
//! // Knuth's first example.
//! let mut problem = ExactCover::new(7);
//! for (label, items) in [&[2, 4][..], &[0, 3, 6], &[1, 2, 5], &[0, 3, 5], &[1, 6], &[3, 4, 6]]
//!     .into_iter()
//!     .enumerate()
//! {
//!     problem.option(label as u32, items).unwrap();
//! }
//! let outcome = DancingLinks.solve(&problem, &mut Run::all()).unwrap();
//! // In the order in which they were chosen.
//! assert_eq!(outcome.answers, [[3, 4, 0]]);
//! assert_eq!(outcome.end, End::Exhausted);
//! ```

use std::fmt;

use planoku_engine::{Ended, Engine, EngineError, Found, Leave, Profile, Run, Sink};

/// Items to be covered, and the options there are.
#[derive(Clone, Debug)]
pub struct ExactCover {
    items: usize,
    /// The items of all options, one after the other.
    members: Vec<u32>,
    /// Where each option begins among the members, and the end of the last.
    starts: Vec<u32>,
    labels: Vec<u32>,
}

/// Why something is not an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CoverError {
    /// There is no such item.
    UnknownItem(usize),
    /// The item is named twice.
    Repeated(usize),
    /// An option covers nothing, so that it could be chosen or not.
    Empty,
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoverError::UnknownItem(item) => write!(f, "there is no item {item}"),
            CoverError::Repeated(item) => write!(f, "item {item} stands twice in one option"),
            CoverError::Empty => write!(f, "expected at least one item, found none"),
        }
    }
}

impl std::error::Error for CoverError {}

impl ExactCover {
    /// Items from 0, and no options yet.
    pub fn new(items: usize) -> ExactCover {
        ExactCover {
            items,
            members: Vec::new(),
            starts: vec![0],
            labels: Vec::new(),
        }
    }

    /// Adds an option. Answers name it by its label.
    pub fn option(&mut self, label: u32, items: &[usize]) -> Result<(), CoverError> {
        if items.is_empty() {
            return Err(CoverError::Empty);
        }
        for (nth, item) in items.iter().enumerate() {
            if *item >= self.items {
                return Err(CoverError::UnknownItem(*item));
            }
            if items[..nth].contains(item) {
                return Err(CoverError::Repeated(*item));
            }
        }
        self.members.extend(items.iter().map(|item| *item as u32));
        self.starts.push(self.members.len() as u32);
        self.labels.push(label);
        Ok(())
    }
}

/// Knuth's Algorithm X: the item with the fewest options next.
///
/// A node is an option that is chosen. Answers are labels in the order of
/// choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct DancingLinks;

impl Engine<ExactCover> for DancingLinks {
    type Answer = Vec<u32>;

    fn profile(&self) -> Profile {
        Profile::new("dlx", "exact cover by dancing links")
            .complete()
            .counting()
    }

    fn solve_into(
        &self,
        problem: &ExactCover,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Vec<u32>>,
    ) -> Result<Ended, EngineError> {
        run.search(sink, |run, found| {
            let mut links = Links::new(problem);
            let result = links.search(run, found);
            run.stats.add("updates", links.updates);
            result
        })
    }
}

/// The lists. Node 0 is the root of the items that are not covered, nodes 1 to
/// n are the heads of the items' lists, the others stand for the members of
/// options in the order in which they were added.
struct Links<'p> {
    problem: &'p ExactCover,
    left: Vec<u32>,
    right: Vec<u32>,
    up: Vec<u32>,
    down: Vec<u32>,
    /// The head of the list a node is in.
    head: Vec<u32>,
    /// The option a member belongs to.
    option: Vec<u32>,
    /// Options left in the list of each item.
    size: Vec<u32>,
    updates: u64,
}

impl<'p> Links<'p> {
    fn new(problem: &'p ExactCover) -> Links<'p> {
        let heads = problem.items as u32 + 1;
        let nodes = heads + problem.members.len() as u32;
        let mut links = Links {
            problem,
            left: (0..heads).map(|i| (i + heads - 1) % heads).collect(),
            right: (0..heads).map(|i| (i + 1) % heads).collect(),
            up: (0..nodes).collect(),
            down: (0..nodes).collect(),
            head: (0..nodes).collect(),
            option: vec![0; nodes as usize],
            size: vec![0; heads as usize],
            updates: 0,
        };
        for (option, range) in problem.starts.windows(2).enumerate() {
            for member in range[0]..range[1] {
                let head = problem.members[member as usize] + 1;
                links.append(heads + member, head, option as u32);
            }
        }
        links
    }

    /// Puts a node at the end of an item's list.
    fn append(&mut self, node: u32, head: u32, option: u32) {
        let last = self.up[head as usize];
        self.head[node as usize] = head;
        self.option[node as usize] = option;
        self.up[node as usize] = last;
        self.down[node as usize] = head;
        self.down[last as usize] = node;
        self.up[head as usize] = node;
        self.size[head as usize] += 1;
    }

    fn search(&mut self, run: &mut Run<'_>, found: &mut Found<Vec<u32>>) -> Result<(), Leave> {
        // The nodes chosen so far, each in the list of the item it was chosen for.
        let mut chosen: Vec<u32> = Vec::new();
        loop {
            let item = self.fewest();
            let mut node = if item == 0 {
                let options = chosen.iter().map(|node| self.option[*node as usize]);
                found.push(options.map(|it| self.problem.labels[it as usize]).collect())?;
                0
            } else {
                self.cover(item);
                self.down[item as usize]
            };
            // Back to the last choice that has another option.
            while node == self.head[node as usize] {
                if node != 0 {
                    self.uncover(node);
                }
                let Some(last) = chosen.pop() else {
                    return Ok(());
                };
                self.take_back(last);
                node = self.down[last as usize];
            }
            run.tick()?;
            self.choose(node);
            chosen.push(node);
        }
    }

    /// The item with the fewest options, the first of several; 0 if all are
    /// covered.
    fn fewest(&self) -> u32 {
        let mut best = (u32::MAX, 0);
        let mut item = self.right[0];
        while item != 0 {
            let size = self.size[item as usize];
            if size < best.0 {
                best = (size, item);
                if size == 0 {
                    break;
                }
            }
            item = self.right[item as usize];
        }
        best.1
    }

    /// The other members of a node's option, from the node on and around.
    fn around(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let option = self.option[node as usize] as usize;
        let heads = self.problem.items as u32 + 1;
        let begin = heads + self.problem.starts[option];
        let end = heads + self.problem.starts[option + 1];
        (node + 1..end).chain(begin..node)
    }

    /// Chooses the option of a node whose own item is covered.
    fn choose(&mut self, node: u32) {
        for other in self.around(node) {
            self.cover(self.head[other as usize]);
        }
    }

    fn take_back(&mut self, node: u32) {
        for other in self.around(node).rev() {
            self.uncover(self.head[other as usize]);
        }
    }

    /// Takes an item out, and its options out of all other lists.
    fn cover(&mut self, item: u32) {
        let mut node = self.down[item as usize];
        while node != item {
            for other in self.around(node) {
                let (up, down) = (self.up[other as usize], self.down[other as usize]);
                self.down[up as usize] = down;
                self.up[down as usize] = up;
                self.size[self.head[other as usize] as usize] -= 1;
                self.updates += 1;
            }
            node = self.down[node as usize];
        }
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = right;
        self.left[right as usize] = left;
    }

    /// Undoes [`Links::cover`], step by step from its end.
    fn uncover(&mut self, item: u32) {
        let (left, right) = (self.left[item as usize], self.right[item as usize]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
        let mut node = self.up[item as usize];
        while node != item {
            for other in self.around(node).rev() {
                let (up, down) = (self.up[other as usize], self.down[other as usize]);
                self.down[up as usize] = other;
                self.up[down as usize] = other;
                self.size[self.head[other as usize] as usize] += 1;
            }
            node = self.up[node as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planoku_engine::End;
    use planoku_engine::random::Rng;

    /// Every exact cover, by trying all sets of options.
    fn naive(items: usize, options: &[Vec<usize>]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for set in 0..1u32 << options.len() {
            let chosen: Vec<u32> = (0..options.len() as u32)
                .filter(|nth| set >> nth & 1 == 1)
                .collect();
            let mut covered = vec![0; items];
            for nth in &chosen {
                for item in &options[*nth as usize] {
                    covered[*item] += 1;
                }
            }
            if covered.iter().all(|times| *times == 1) {
                all.push(chosen);
            }
        }
        all
    }

    #[test]
    fn all_covers_are_found_as_by_trying_every_set_of_options() {
        let mut random = Rng::new(20_261_116);
        let mut with_answers = 0;
        for _ in 0..400 {
            let items = 1 + random.below(7);
            let count = random.below(11);
            let options: Vec<Vec<usize>> = (0..count)
                .map(|_| {
                    loop {
                        let some = (0..items).filter(|_| random.below(3) == 0);
                        let some: Vec<usize> = some.collect();
                        if !some.is_empty() {
                            break some;
                        }
                    }
                })
                .collect();
            let mut problem = ExactCover::new(items);
            for (label, items) in options.iter().enumerate() {
                problem.option(label as u32, items).unwrap();
            }
            let outcome = DancingLinks.solve(&problem, &mut Run::all()).unwrap();
            assert_eq!(outcome.end, End::Exhausted);
            let mut found = outcome.answers;
            found.iter_mut().for_each(|answer| answer.sort_unstable());
            found.sort();
            let mut expected = naive(items, &options);
            expected.sort();
            assert_eq!(found, expected, "{items} {options:?}");
            with_answers += u32::from(!found.is_empty());
        }
        assert!(with_answers > 50, "{with_answers}");
    }

    #[test]
    fn after_the_search_every_link_is_where_it_was() {
        let mut problem = ExactCover::new(4);
        for (label, items) in [&[0, 1][..], &[2, 3], &[0, 2], &[1, 3], &[3]]
            .into_iter()
            .enumerate()
        {
            problem.option(label as u32, items).unwrap();
        }
        let before = Links::new(&problem);
        let mut links = Links::new(&problem);
        let mut keep = |_| Ok(());
        Run::all()
            .search(&mut keep, |run, found| links.search(run, found))
            .unwrap();
        assert!(links.updates > 0);
        assert_eq!(links.up, before.up);
        assert_eq!(links.down, before.down);
        assert_eq!(links.left, before.left);
        assert_eq!(links.right, before.right);
        assert_eq!(links.size, before.size);
    }

    #[test]
    fn an_option_names_each_of_its_items_once() {
        let mut problem = ExactCover::new(2);
        assert_eq!(problem.option(0, &[2]), Err(CoverError::UnknownItem(2)));
        assert_eq!(problem.option(0, &[1, 1]), Err(CoverError::Repeated(1)));
        assert_eq!(problem.option(0, &[]), Err(CoverError::Empty));
    }
}
