//! In which turn each choice has to be made at the latest.
//!
//! Some tasks do something and then are to be done once more: hunt a mouse, and
//! hunt on. In which order all of it is done may decide whether it can be done,
//! and a bad order shows late. This is "squeaky wheel" optimisation (Joslin and
//! Clements, 1999): build a solution greedily, blame what came out badly, and
//! serve it earlier the next time. Blamed is a choice that could be carried
//! out, but after which nothing else could: it came too late. From then on the
//! earliest deadline is served first, and what is past its deadline last of
//! all, since the end of everything may be the one place for it.

use rustc_hash::FxHashMap;

use crate::model::TaskId;
use crate::state::hash::mix;

/// No deadline.
const NEVER: u32 = u32::MAX;

/// An instance to try: its rule, its values, and what it is called in every
/// state; 0 if that does not matter.
pub(super) type Choice = (u32, Box<[u32]>, u64);

/// One turn of a task that is done again and again.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) number: u32,
    /// What is being tried.
    pub(super) trial: u64,
    /// Whether it was carried out.
    pub(super) carried_out: bool,
    /// Choices that were carried out, with nothing but dead ends behind them.
    pub(super) dead: u32,
}

/// The first turn in which each choice is known to be too late.
#[derive(Default)]
pub(super) struct Deadlines(FxHashMap<u64, u32>);

impl Deadlines {
    /// A choice was carried out in vain, or not at all; true if a deadline
    /// comes forward by that.
    pub(super) fn blame(&mut self, turn: &mut Turn) -> bool {
        if !std::mem::take(&mut turn.carried_out) || turn.trial == 0 {
            return false;
        }
        turn.dead += 1;
        let late = self.0.entry(turn.trial).or_insert(NEVER);
        let news = turn.number < *late;
        *late = turn.number.min(*late);
        news
    }

    /// True if the choice is known to come too late in this turn.
    pub(super) fn passed(&self, choice: u64, turn: u32) -> bool {
        self.0.get(&choice).is_some_and(|&late| late <= turn)
    }

    /// A place in the queue, the first first: by deadline, and when these are
    /// passed the other way round.
    pub(super) fn rank(&self, choice: u64, turn: u32) -> (bool, u32) {
        match self.0.get(&choice) {
            Some(&late) if late <= turn => (true, NEVER - late),
            late => (false, late.copied().unwrap_or(NEVER)),
        }
    }

    /// Begins anew.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// How many are known.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// What an instance is called in every state: its rule and those values in
/// which the instances to choose from differ. What all have in common, such as
/// where one is, is likely to be another the next time.
pub(super) fn names(task: TaskId, among: &[Choice]) -> Vec<u64> {
    // For each rule, one of its instances and the places where others differ.
    let mut rules: FxHashMap<u32, (&[u32], Vec<bool>)> = FxHashMap::default();
    for (rule, values, _) in among {
        let (first, differs) = rules
            .entry(*rule)
            .or_insert_with(|| (values, vec![false; values.len()]));
        for (differs, (a, b)) in differs.iter_mut().zip(first.iter().zip(values)) {
            *differs |= a != b;
        }
    }
    let name = |(rule, values, _): &Choice| {
        let differs = &rules[rule].1;
        let mut name = mix(u128::from(task.0) << 32 | u128::from(*rule));
        for (place, &value) in values.iter().enumerate().filter(|(it, _)| differs[*it]) {
            name = mix(name ^ (u128::from(value) << 64 | place as u128));
        }
        name as u64 | 1
    };
    among.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried_out(number: u32, trial: u64) -> Turn {
        Turn {
            number,
            trial,
            carried_out: true,
            dead: 0,
        }
    }

    #[test]
    fn what_came_too_late_is_served_earlier_and_at_last_in_the_end() {
        let mut deadlines = Deadlines::default();
        assert!(deadlines.blame(&mut carried_out(5, 1)));
        assert!(deadlines.blame(&mut carried_out(3, 2)));
        assert!(!deadlines.blame(&mut carried_out(4, 2)), "known already");
        let queue = |turn: u32| {
            let mut queue = [1, 2, 3];
            queue.sort_by_key(|&it| deadlines.rank(it, turn));
            queue
        };
        assert_eq!(queue(0), [2, 1, 3]);
        assert_eq!(queue(3), [1, 3, 2]);
        assert_eq!(queue(5), [3, 1, 2]);
    }

    #[test]
    fn what_could_not_be_carried_out_is_not_to_blame() {
        let mut deadlines = Deadlines::default();
        let mut turn = Turn {
            carried_out: false,
            ..carried_out(0, 1)
        };
        assert!(!deadlines.blame(&mut turn) && !deadlines.passed(1, 9));
    }

    #[test]
    fn names_leave_out_what_all_have_in_common() {
        let at = |place: u32| -> Vec<Choice> {
            let choice = |mouse: u32| (0, vec![mouse, place].into(), 0);
            vec![choice(1), choice(2)]
        };
        let task = TaskId(0);
        assert_eq!(names(task, &at(7)), names(task, &at(8)));
        assert_ne!(names(task, &at(7))[0], names(task, &at(7))[1]);
    }
}
