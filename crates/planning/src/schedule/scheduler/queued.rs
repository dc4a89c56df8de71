//! What a member has had, and what it still needs.
//!
//! A member's account is kept in seconds, as counted: its work, divided by what such
//! a planner does in a second, and by its share. A share may be another one when a
//! member is out of its first [`BREATH`]: some planners find a plan soon or not at
//! all.
//!
//! Memory is charged as work. What a member comes to hold beyond what is free costs
//! it turns as if it had worked instead, once: who has paid for so much may hold it
//! again, and what it holds until it takes its first node, which may be for all, is
//! free. So who takes memory ten times as fast as others does not hold ten times
//! as much when one of those finds the plan.
//!
//! How much work a member still needs follows from how its lowest estimate has
//! fallen so far: if half of the way took a second, so will the other half. (Who only
//! walks on, with no end in sight, says nothing of how far it is.)

use std::sync::Arc;

use super::worker::{Spent, Worker};
use crate::schedule::teams::Share;

/// Parts of a second, as counted.
pub(super) const SECOND: u64 = 1 << 20;

/// The shortest and the longest turn, in parts of a second: long enough that
/// changing places costs nothing, and a part of what was had before, so that
/// nobody waits for long.
pub(super) const TURN: (u64, u64) = (SECOND / 250, SECOND / 10);

/// How long a member's first share holds: 0.7 seconds of its own.
const BREATH: u64 = SECOND * 7 / 10;

/// Memory is counted in these: a few bytes more or less change nothing.
pub(super) const UNIT: u64 = 1 << 20;

/// What a likely member may hold for nothing, in units: what is found soon is found
/// as if memory did not count.
const LIGHT: u64 = 64;

/// Who holds less is not dismissed: it would be repeated for little.
const LEAST: u64 = 2;

/// Beyond what is free so many units cost a second. Those that hold most take 200
/// to 400 of them in a second, as counted.
const UNITS_PER_SECOND: u64 = 32;

/// Somebody new, and what it is to do.
pub(super) struct Arrival<J> {
    pub(super) name: &'static str,
    pub(super) job: J,
    pub(super) speed: f64,
    pub(super) share: Share,
    /// Seconds, as counted, that those who are there are ahead by.
    pub(super) after: f64,
    /// What part of [`LIGHT`] it may hold for nothing, and waits for memory beyond
    /// that as for time. What everybody needs is free.
    pub(super) light: Option<f64>,
    /// Bytes that it waits for before it begins.
    pub(super) brings: u64,
}

/// A member that waits for its turn, or has it.
pub(super) struct Queued<J> {
    pub(super) name: &'static str,
    pub(super) job: J,
    pub(super) worker: Arc<Worker>,
    /// Its worker has a thread, which it gets with its first turn.
    pub(super) begun: bool,
    /// It has taken a node. What it holds before that may be what all need.
    prepared: bool,
    /// What it does in a second, as counted.
    speed: u64,
    /// The same times its share, in its first breath and later.
    pace: (u64, u64),
    /// What is left of the work of its first breath.
    breath: u64,
    /// What it has had so far by its share: work divided by pace, in parts of a
    /// second.
    pub(super) had: u64,
    /// What it has had for being nearly there: work divided by speed.
    pub(super) favour: u64,
    /// Its last turn was one of these, and took so long.
    pub(super) favoured: bool,
    pub(super) last: u64,
    remains: Remains,
    /// The most it has held, in units, as far as that was free or it has paid for
    /// it. What everybody needs is free.
    held: Option<u64>,
    /// What it holds, in units, when it is next dismissed.
    least: u64,
    /// Among equals, who came first.
    pub(super) number: usize,
}

/// What a member has told of how much remains.
struct Remains {
    first: u64,
    least: u64,
    /// How often that has fallen.
    steps: u32,
    /// All its work, and how much of it had been done when it fell last.
    work: u64,
    fell: u64,
}

/// Beyond this nobody estimates: it only says that the way grows, not how long it
/// will be.
const BOUNDLESS: u64 = u32::MAX as u64 / 2;

impl Remains {
    fn unknown() -> Remains {
        Remains {
            first: u64::MAX,
            least: u64::MAX,
            steps: 0,
            work: 0,
            fell: 0,
        }
    }

    /// Notes what remains after so much more work.
    fn note(&mut self, work: u64, least: u64) {
        self.work += work;
        if least < self.least {
            if self.steps == 0 {
                self.first = least;
            }
            (self.least, self.fell) = (least, self.work);
            self.steps += 1;
        }
    }

    /// How much work is still to be done, if it goes on like this. The first
    /// steps are everybody's and say nothing, and who has come no nearer in the
    /// later half of its work does not go on like this.
    fn left(&self) -> Option<u64> {
        let times = |work: u64, of: u64, by: u64| {
            let work = u128::from(work) * u128::from(of) / u128::from(by);
            u64::try_from(work).unwrap_or(u64::MAX)
        };
        match self.least {
            _ if self.steps <= 2 || self.fell < self.work / 2 => None,
            BOUNDLESS.. => None,
            least => Some(times(self.work, least, self.first - least)),
        }
    }
}

impl<J> Queued<J> {
    /// Somebody new, who begins where the others stand.
    pub(super) fn new(
        arrival: Arrival<J>,
        worker: Arc<Worker>,
        (time, favour): (u64, u64),
        number: usize,
    ) -> Queued<J> {
        let pace = |share: f64| ((arrival.speed * share) as u64).max(1);
        let mut queued = Queued {
            name: arrival.name,
            job: arrival.job,
            worker,
            begun: false,
            prepared: false,
            speed: pace(1.0),
            pace: (pace(arrival.share.first), pace(arrival.share.later)),
            breath: work_in(BREATH, pace(1.0)),
            had: time + (arrival.after * SECOND as f64) as u64,
            favour,
            favoured: false,
            last: 0,
            remains: Remains::unknown(),
            held: arrival.light.map(|part| (part * LIGHT as f64) as u64),
            least: LEAST,
            number,
        };
        let dues = queued.dues_for(arrival.brings / UNIT);
        queued.had += time_of(dues, queued.pace.0);
        queued
    }

    /// True if it is prepared and holds so much that it is worth being dismissed.
    pub(super) fn may_be_dismissed(&self) -> bool {
        self.prepared && self.worker.held() / UNIT >= self.least
    }

    /// Gives back what it holds; another worker will begin anew.
    pub(super) fn dismiss(&mut self, next: Arc<Worker>) {
        self.least = 2 * (self.worker.held() / UNIT);
        self.worker.dismiss();
        self.worker = next;
        self.begun = false;
        self.prepared = false;
    }

    /// How long it still needs, if it goes on like this.
    pub(super) fn left(&self) -> Option<u64> {
        self.remains.left().map(|work| time_of(work, self.speed))
    }

    /// The work of the next turn.
    pub(super) fn quantum(&self) -> u64 {
        let (had, pace) = match (self.favoured, self.breath) {
            (true, _) => (self.favour, self.speed),
            (false, 0) => (self.had, self.pace.1),
            (false, _) => (self.had, self.pace.0),
        };
        work_in((had / 8).clamp(TURN.0, TURN.1), pace) + 1
    }

    /// Notes what a turn has cost, and says how many seconds that is.
    pub(super) fn charge(&mut self, Spent { nodes, work }: Spent) -> f64 {
        self.remains.note(work, self.worker.remains());
        let dues = self.dues_for(self.worker.held() / UNIT);
        let dues = if self.prepared { dues } else { 0 };
        self.prepared |= nodes > 0;
        let time = time_of(work, self.speed);
        self.last = time;
        let price = work.saturating_add(dues);
        match self.favoured {
            true => self.favour += time_of(price, self.speed),
            false => {
                let first = price.min(self.breath);
                self.breath -= first;
                self.had += time_of(first, self.pace.0) + time_of(price - first, self.pace.1);
            }
        }
        time as f64 / SECOND as f64
    }

    /// What so many units cost beyond what it has paid for, as work.
    fn dues_for(&mut self, units: u64) -> u64 {
        let Some(held) = &mut self.held else {
            return 0;
        };
        let grown = units.saturating_sub(*held);
        *held += grown;
        work_in(grown * SECOND / UNITS_PER_SECOND, self.speed)
    }
}

/// How long work takes at a pace, in parts of a second.
fn time_of(work: u64, pace: u64) -> u64 {
    (u128::from(work) * u128::from(SECOND)).div_ceil(u128::from(pace)) as u64
}

/// What is done in parts of a second at a pace.
fn work_in(length: u64, pace: u64) -> u64 {
    (u128::from(length) * u128::from(pace) / u128::from(SECOND)) as u64
}
