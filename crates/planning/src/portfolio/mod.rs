//! All planners on one problem: the first verified plan wins.
//!
//! What is hard for one planner is often easy for another, and nobody knows
//! beforehand. So they take turns (`seat`), beginning with the lifted walk,
//! which needs no grounding; grounding itself takes turns with it, and when it
//! is done the team (`team`) is complete. A member sleeps between its turns and
//! then goes on where it was. Turns are measured in what planners count, nodes
//! and effort, scaled by what a node costs on a problem of this size, so that
//! with one thread the same seed always takes the same course. With more
//! threads, as many members as there are threads have their turn at once.
//!
//! Every plan is judged by [`crate::verify`] before it counts. A planner whose
//! plan is refused leaves the team, and the counter `refused` says so.

mod seat;
mod team;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread::Scope;
use std::time::{Duration, Instant};

use planoku_engine::{
    Budget, Cancel, End, Ended, Engine, EngineError, Event, Outcome, Profile, Run, Sink, Stats,
    Stop,
};

use crate::ground::{Ground, GroundError, ground};
use crate::model::Model;
use crate::plan::Plan;
use crate::verify::verify;
use seat::{Purse, Seat};
use team::Member;

/// The team of all planners.
#[derive(Clone, Debug)]
pub struct Portfolio {
    /// How many of them think at the same time.
    pub threads: usize,
    /// Where shuffling begins.
    pub seed: u64,
}

impl Portfolio {
    /// The member that found the plan, going by the counters of its run.
    pub fn winner(stats: &Stats) -> Option<&'static str> {
        let other = ["ground_us", "too_big", "refused", "broken"];
        let mut names = stats.counters.iter().map(|&(name, _)| name);
        names.find(|name| !other.contains(name))
    }
}

impl Default for Portfolio {
    fn default() -> Portfolio {
        Portfolio {
            threads: 1,
            seed: 0,
        }
    }
}

impl Engine<Model> for Portfolio {
    type Answer = Plan;

    fn profile(&self) -> Profile {
        Profile::new(
            "portfolio",
            "all planners in turn or side by side, the first verified plan wins",
        )
        .complete()
    }

    fn solve_into(
        &self,
        model: &Model,
        run: &mut Run<'_>,
        sink: &mut Sink<'_, Plan>,
    ) -> Result<Ended, EngineError> {
        let budget = run.budget();
        let cancel = Cancel::new();
        let shared = Shared {
            model,
            seed: self.seed,
            time: run.time_left(),
            memory: budget.memory,
            observed: run.observed(),
            started: Instant::now(),
            purse: Arc::new(Purse::new(budget.memory)),
            cancel,
            nodes_left: Mutex::new(budget.nodes.map(|nodes| nodes.saturating_sub(run.nodes()))),
            problem: OnceLock::new(),
            table: Mutex::default(),
            arrival: Condvar::new(),
            reports: Mutex::default(),
            notes: Mutex::default(),
        };
        let (send, receive) = mpsc::channel();
        let verdict = std::thread::scope(|scope| {
            shared.invite(scope, team::walker(model, self.seed), &send);
            shared.invite_grounding(scope, &send);
            for _ in 0..self.threads.max(1) {
                let send = send.clone();
                scope.spawn(|| shared.host(send));
            }
            drop(send);
            let verdict = listen(run, &receive);
            shared.close();
            verdict
        });
        let notes = shared.notes.into_inner().unwrap_or_default();
        for (name, amount) in notes {
            run.stats.add(name, amount);
        }
        match verdict {
            Verdict::Error(error) => Err(error),
            Verdict::Over(answers, end) => Outcome {
                answers,
                end,
                stats: run.finish(),
            }
            .hand_to(sink),
        }
    }
}

/// What is told to the thread that waits.
enum Report {
    /// A verified plan.
    Plan(Plan),
    /// A proof that there is no plan.
    Proof,
    /// Nodes of one turn, and whose.
    Turn(u64, &'static str),
    /// A sign of life: who thinks, and its best estimate.
    Sign(&'static str, Option<u64>),
    /// A member cannot go on.
    Error(EngineError),
    /// A budget is spent.
    Stop(Stop),
}

enum Verdict {
    Over(Vec<Plan>, End),
    Error(EngineError),
}

/// Waits for the first plan or proof, or until the budget is spent.
fn listen(run: &mut Run<'_>, receive: &mpsc::Receiver<Report>) -> Verdict {
    let mut error = None;
    loop {
        match receive.recv_timeout(Duration::from_millis(10)) {
            Ok(Report::Plan(plan)) => return Verdict::Over(vec![plan], End::Enough),
            Ok(Report::Proof) => return Verdict::Over(Vec::new(), End::Exhausted),
            Ok(Report::Stop(stop)) => return Verdict::Over(Vec::new(), End::Stopped(stop)),
            Ok(Report::Turn(nodes, stage)) => {
                // Turns are cut to the budget, so that it is never exceeded.
                let _ = run.tick_many(nodes);
                run.progress(stage, || None);
            }
            Ok(Report::Sign(stage, best)) => run.progress(stage, || best),
            Ok(Report::Error(it)) => error = Some(it),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if let Err(stop) = run.check() {
                    return Verdict::Over(Vec::new(), End::Stopped(stop));
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return match error {
                    Some(error) => Verdict::Error(error),
                    None => Verdict::Over(Vec::new(), End::Incomplete),
                };
            }
        }
    }
}

/// A member at the table.
struct Guest {
    name: &'static str,
    /// What it is granted in a turn.
    portion: u64,
    seat: Arc<Seat>,
}

/// Who waits for a turn.
#[derive(Default)]
struct Table {
    waiting: VecDeque<Guest>,
    /// Everyone ever invited, to be woken at the end.
    seats: Vec<Arc<Seat>>,
    /// How many have their turn now.
    busy: usize,
}

/// What all threads see.
struct Shared<'m> {
    model: &'m Model,
    seed: u64,
    cancel: Cancel,
    time: Option<Duration>,
    memory: Option<u64>,
    /// Somebody wants signs of life.
    observed: bool,
    started: Instant,
    purse: Arc<Purse>,
    nodes_left: Mutex<Option<u64>>,
    /// Filled in once grounding is done.
    problem: OnceLock<Ground>,
    table: Mutex<Table>,
    /// Rung when somebody comes to the table, or nobody is left.
    arrival: Condvar,
    /// What members have to tell at the end of their turn.
    reports: Mutex<Vec<Report>>,
    notes: Mutex<Vec<(&'static str, u64)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    fn note(&self, name: &'static str, amount: u64) {
        lock(&self.notes).push((name, amount));
    }

    fn report(&self, report: Report) {
        lock(&self.reports).push(report);
    }

    /// Gives turns to whoever waits until nobody does.
    fn host(&self, send: mpsc::Sender<Report>) {
        while let Some(guest) = self.next() {
            if self.observed {
                let _ = send.send(Report::Sign(guest.name, None));
            }
            let left = lock(&self.nodes_left).unwrap_or(u64::MAX);
            if left == 0 {
                let _ = send.send(Report::Stop(Stop::Nodes));
                self.seat_again(None);
                return;
            }
            let (nodes, goes_on) = guest.seat.grant(guest.portion, left);
            if let Some(left) = &mut *lock(&self.nodes_left) {
                *left = left.saturating_sub(nodes);
            }
            let _ = send.send(Report::Turn(nodes, guest.name));
            // What came of the turn is told after what it has cost.
            for report in lock(&self.reports).drain(..) {
                let _ = send.send(report);
            }
            self.seat_again(goes_on.then_some(guest));
        }
    }

    /// Whose turn it is; `None` when all have left.
    fn next(&self) -> Option<Guest> {
        let mut table = lock(&self.table);
        loop {
            if self.cancel.is_cancelled() {
                return None;
            }
            if let Some(guest) = table.waiting.pop_front() {
                table.busy += 1;
                return Some(guest);
            }
            if table.busy == 0 {
                return None;
            }
            let woken = self.arrival.wait(table);
            table = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The end of a turn, after which the guest waits for another or leaves.
    fn seat_again(&self, guest: Option<Guest>) {
        let mut table = lock(&self.table);
        table.busy -= 1;
        table.waiting.extend(guest);
        self.arrival.notify_all();
    }

    /// Tells everyone to go home.
    fn close(&self) {
        self.cancel.cancel();
        let table = lock(&self.table);
        table.seats.iter().for_each(|seat| seat.ring());
        self.arrival.notify_all();
    }

    fn sit_down(&self, name: &'static str, portion: u64) -> Arc<Seat> {
        let seat = Arc::new(Seat::new(self.cancel.clone(), self.purse.clone()));
        let mut table = lock(&self.table);
        table.seats.push(seat.clone());
        table.waiting.push_back(Guest {
            name,
            portion,
            seat: seat.clone(),
        });
        self.arrival.notify_all();
        seat
    }

    fn run<'a>(&self, seat: &Arc<Seat>) -> Run<'a> {
        Run::limit(1)
            .with_budget(Budget {
                time: self
                    .time
                    .map(|it| it.saturating_sub(self.started.elapsed())),
                nodes: None,
                memory: self.memory,
            })
            .with_cancel(self.cancel.clone())
            .with_turns(seat.clone())
    }

    /// A thread for a member, who waits for its first turn.
    fn invite<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        member: Member<'scope>,
        send: &mpsc::Sender<Report>,
    ) {
        let seat = self.sit_down(member.name, member.portion);
        let send = send.clone();
        scope.spawn(move || {
            let mut signs = Signs::new(member.name, &send);
            let mut observer = |event: &Event| signs.forward(event);
            let mut run = match self.observed {
                true => self.run(&seat).with_observer(&mut observer),
                false => self.run(&seat),
            };
            let work = AssertUnwindSafe(|| {
                if run.check().is_ok() {
                    self.conclude(member.name, (member.work)(&mut run));
                }
            });
            if catch_unwind(work).is_err() {
                self.note("broken", 1);
            }
            seat.leave(run.nodes());
        });
    }

    /// Tells what came of a member's search.
    fn conclude(&self, name: &'static str, result: Result<Outcome<Plan>, EngineError>) {
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(EngineError::Unsupported(_)) => return,
            Err(error @ EngineError::Internal(_)) => {
                self.note("broken", 1);
                return self.report(Report::Error(error));
            }
        };
        let report = match (outcome.answers.into_iter().next(), outcome.end) {
            (Some(plan), _) if verify(self.model, &plan).is_ok() => {
                self.note(name, 1);
                Report::Plan(plan)
            }
            (Some(_), _) => {
                self.note("refused", 1);
                return;
            }
            (None, End::Exhausted) => Report::Proof,
            (None, End::Stopped(Stop::Time)) => Report::Stop(Stop::Time),
            (None, _) => return,
        };
        self.report(report);
    }

    /// Grounding, on a thread of its own; then all who build on it.
    fn invite_grounding<'scope, 'env>(
        &'scope self,
        scope: &'scope Scope<'scope, 'env>,
        send: &mpsc::Sender<Report>,
    ) {
        let seat = self.sit_down("ground", team::GROUND_PORTION);
        let send = send.clone();
        scope.spawn(move || {
            let mut run = self.run(&seat);
            if run.check().is_err() {
                return seat.leave(0);
            }
            let start = Instant::now();
            let grounded = ground(self.model, &mut run);
            self.note("ground_us", start.elapsed().as_micros() as u64);
            match grounded {
                Ok(problem) => {
                    let problem = self.problem.get_or_init(|| problem);
                    for member in team::planners(problem, self.seed) {
                        self.invite(scope, member, &send);
                    }
                }
                Err(GroundError::Refuted(_)) => self.report(Report::Proof),
                Err(GroundError::Unsupported(what)) => {
                    self.report(Report::Error(EngineError::Unsupported(what)));
                }
                Err(GroundError::Stopped { .. }) if self.cancel.is_cancelled() => {}
                Err(GroundError::Stopped { .. }) => self.note("too_big", 1),
            }
            self.invite(scope, team::best_walker(self.model), &send);
            self.invite(scope, team::novel_walker(self.model), &send);
            drop(send);
            seat.leave(0);
        });
    }
}

/// Passes on signs of life, but not all of them: engines give one per node.
struct Signs<'a> {
    name: &'static str,
    send: &'a mpsc::Sender<Report>,
    heard: u32,
    last: Instant,
}

impl Signs<'_> {
    fn new<'a>(name: &'static str, send: &'a mpsc::Sender<Report>) -> Signs<'a> {
        Signs {
            name,
            send,
            heard: 0,
            last: Instant::now(),
        }
    }

    fn forward(&mut self, event: &Event) {
        self.heard = self.heard.wrapping_add(1);
        if let Event::Progress { best, .. } = event
            && self.heard.is_multiple_of(16)
            && self.last.elapsed() > Duration::from_millis(50)
        {
            let _ = self.send.send(Report::Sign(self.name, *best));
            self.last = Instant::now();
        }
    }
}
