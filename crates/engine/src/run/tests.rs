//! Budgets are exact, and everything that runs hears the clock.

use super::*;

/// Ticks `nodes` times, pushing an answer on each.
fn count_to(nodes: u64, mut run: Run<'_>) -> Outcome<u64> {
    run.collect(|run, found| {
        for node in 1..=nodes {
            run.tick()?;
            found.push(node)?;
        }
        Ok(())
    })
    .unwrap()
}

#[test]
fn a_node_budget_is_exact() {
    for budget in [0, 1, 2, 7, 100, 12_345] {
        let outcome = count_to(20_000, Run::all().with_nodes(budget));
        assert_eq!(outcome.end, End::Stopped(Stop::Nodes));
        assert_eq!(outcome.answers.len() as u64, budget);
    }
}

#[test]
fn answers_reach_the_sink_before_the_search_goes_on() {
    let found = std::cell::Cell::new(0);
    let mut count = |_| {
        found.set(found.get() + 1);
        Ok(())
    };
    let ended = Run::all().search(&mut count, |run, hand| {
        for node in 1..=3 {
            run.tick()?;
            hand.push(node)?;
            assert_eq!((found.get(), hand.count()), (node, node));
        }
        Ok(())
    });
    assert_eq!(ended.unwrap().end, End::Exhausted);
}

#[test]
fn a_sink_ends_the_search_and_says_how() {
    let left = |leave: Leave| {
        let mut sink = |_| Err(leave.clone());
        Run::all()
            .search(&mut sink, |_, found| (0..).try_for_each(|n| found.push(n)))
            .map(|ended: Ended| ended.end)
    };
    assert_eq!(left(Leave::Enough), Ok(End::Enough));
    let stopped = End::Stopped(Stop::Cancelled);
    assert_eq!(left(Stop::Cancelled.into()), Ok(stopped));
    let error = EngineError::Internal("wrong".into());
    assert_eq!(left(Leave::Error(error.clone())), Err(error));
    // The same for answers that were kept and are handed on.
    let kept = count_to(10, Run::all());
    let mut two = 2;
    let ended = kept.hand_to(&mut |_| {
        two -= 1;
        match two {
            0 => Err(Leave::Enough),
            _ => Ok(()),
        }
    });
    assert_eq!((ended.unwrap().end, two), (End::Enough, 0));
}

#[test]
fn a_part_of_a_budget_is_exact_and_leaves_the_rest() {
    let mut run = Run::all().with_nodes(100);
    for expected in [30, 60, 90, 100] {
        run.with_at_most(30, |run| while run.tick().is_ok() {});
        // The tick that fails is counted too.
        let spent = run.nodes();
        run.nodes = expected;
        assert_eq!(spent, expected + 1);
    }
    assert_eq!(run.check(), Ok(()));
    assert_eq!(run.tick(), Err(Stop::Nodes));
}

#[test]
fn a_search_that_fits_its_budget_is_exhausted() {
    assert_eq!(count_to(50, Run::all().with_nodes(50)).end, End::Exhausted);
}

#[test]
fn a_pressed_switch_stops_at_once() {
    let cancel = Cancel::new();
    cancel.cancel();
    let outcome = count_to(10, Run::all().with_cancel(cancel));
    assert_eq!(outcome.end, End::Stopped(Stop::Cancelled));
    assert!(outcome.answers.is_empty());
}

#[test]
fn no_time_is_no_search() {
    let outcome = count_to(10, Run::all().with_time(Duration::ZERO));
    assert_eq!(outcome.end, End::Stopped(Stop::Time));
}

#[test]
fn wanting_nothing_is_enough_at_once() {
    assert_eq!(count_to(10, Run::limit(0)).end, End::Enough);
}

#[test]
fn memory_is_refused_beyond_the_budget() {
    let budget = Budget {
        memory: Some(1000),
        ..Budget::default()
    };
    let run = Run::limit(1).with_budget(budget);
    assert_eq!(run.check_memory(1000), Ok(()));
    assert_eq!(run.check_memory(1001), Err(Stop::Memory));
    assert_eq!(run.check_growth(1000), Ok(()));
    assert_eq!(run.check_growth(1001), Err(Stop::Memory));
}

#[test]
fn slow_work_hears_the_clock_after_much_quick_work() {
    // A search that looks every so many nodes, going by how quick the last
    // ones were, is deaf when they become slow.
    let mut run = Run::all().with_time(Duration::from_millis(100));
    for _ in 0..1 << 20 {
        run.tick().unwrap();
    }
    let mut slow = 0;
    while run.tick().is_ok() {
        std::thread::sleep(Duration::from_millis(10));
        slow += 1;
    }
    assert!(slow < 50, "{slow}");
}

#[test]
fn effort_hears_the_clock() {
    let mut run = Run::all().with_time(Duration::from_millis(20));
    let start = Instant::now();
    while run.effort(1).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(run.check(), Err(Stop::Time));
    assert_eq!(run.nodes(), 0);
}

/// Grants ten at a time and remembers when it was asked.
#[derive(Default)]
struct Tens(std::sync::Mutex<Vec<(u64, u64)>>);

impl Turns for Tens {
    fn wait(&self, nodes: u64, effort: u64) -> Option<Turn> {
        self.0.lock().unwrap().push((nodes, effort));
        Some(Turn {
            work: nodes + effort + 10,
            nodes: 20,
        })
    }

    fn hold(&self, bytes: u64) -> Result<(), Stop> {
        match bytes < 100 {
            true => Ok(()),
            false => Err(Stop::Memory),
        }
    }
}

#[test]
fn turns_end_after_what_was_granted_in_nodes_and_effort() {
    let turns = Arc::new(Tens::default());
    let mut run = Run::limit(1).with_turns(turns.clone());
    run.check().unwrap();
    (0..9).for_each(|_| run.tick().unwrap());
    run.effort(4).unwrap();
    (0..10).for_each(|_| run.tick().unwrap());
    assert_eq!(*turns.0.lock().unwrap(), [(0, 1), (9, 5), (19, 5)]);
    run.tick().unwrap();
    assert_eq!(turns.0.lock().unwrap().last(), Some(&(20, 5)));
}

#[test]
fn a_turn_ends_at_the_same_node_however_seldom_the_clock_is_read() {
    let turns = Arc::new(Tens::default());
    let mut run = Run::limit(1).with_turns(turns.clone());
    run.tick().unwrap();
    run.effort(3).unwrap();
    (0..7).for_each(|_| run.tick().unwrap());
    assert_eq!(*turns.0.lock().unwrap(), [(1, 0), (8, 3)]);
}

/// Grants ten at a time and remembers what it was told.
#[derive(Default)]
struct Hears(std::sync::Mutex<Vec<u64>>);

impl Turns for Hears {
    fn wait(&self, nodes: u64, effort: u64) -> Option<Turn> {
        Some(Turn {
            work: nodes + effort + 10,
            nodes: u64::MAX,
        })
    }

    fn hold(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn hear(&self, remains: u64) {
        self.0.lock().unwrap().push(remains);
    }
}

#[test]
fn what_remains_is_told_once_in_a_turn() {
    let turns = Arc::new(Hears::default());
    let mut run = Run::limit(1).with_turns(turns.clone());
    for node in 0..25 {
        run.tick().unwrap();
        run.progress("counting", || Some(100 - node));
    }
    run.tick().unwrap();
    run.progress("without an estimate", || None);
    assert_eq!(*turns.0.lock().unwrap(), [100, 90, 80]);
}

#[test]
fn a_run_that_takes_turns_shares_its_memory() {
    let run = Run::limit(1).with_turns(Arc::new(Tens::default()));
    assert_eq!(run.check_memory(100), Err(Stop::Memory));
}

#[test]
fn events_reach_the_observer_in_order() {
    let mut seen = Vec::new();
    let mut observer = |event: &Event| seen.push(event.clone());
    let mut run = Run::limit(1).with_observer(&mut observer);
    assert!(run.observed());
    run.emit(Event::Restart);
    run.emit(Event::Answer(1));
    drop(run);
    assert_eq!(seen, [Event::Restart, Event::Answer(1)]);
}

/// Sends the run away when it comes for its second turn.
#[derive(Default)]
struct Once(std::sync::atomic::AtomicBool);

impl Turns for Once {
    fn wait(&self, nodes: u64, effort: u64) -> Option<Turn> {
        let before = self.0.swap(true, std::sync::atomic::Ordering::Relaxed);
        (!before).then_some(Turn {
            work: nodes + effort + 10,
            nodes: u64::MAX,
        })
    }

    fn hold(&self, _: u64) -> Result<(), Stop> {
        Ok(())
    }
}

#[test]
fn who_gets_no_further_turn_has_stopped_for_good() {
    let mut run = Run::limit(1).with_turns(Arc::new(Once::default()));
    (0..10).for_each(|_| run.tick().unwrap());
    for _ in 0..3 {
        assert_eq!(run.tick(), Err(Stop::Memory));
        assert_eq!(run.check(), Err(Stop::Memory));
    }
}
