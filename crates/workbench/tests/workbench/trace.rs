//! One format for everything that can be watched: every formulation's trace
//! ends with the solution on the board, is read back as it was written, and
//! stays true when it is kept short.

use std::collections::HashSet;

use planoku_engine::Budget;
use planoku_sudoku::{Grid, reference};
use planoku_workbench::trace::{
    BoardChange, PEOPLE, Pane, Player, Trace, TraceKind, WatchRequest, engines, kind_of, watch,
};

const EASY: &str =
    "3.42.6..5.7...921..925183...5.16.9.......75...86.5.4.1.2874..59.396..78..678..1.2";
const EASY_BLANKS: usize = 39;
const SMALL: &str = "1.....2..3.....4";
/// Minimal, so that everybody has to search.
const HARD: &str =
    "7.......6.3...5..2....7.4352..7..1.4......9..14.23.....2.3......5...1.....4....6.";

fn recorded(engine: &str, puzzle: &str, limit: usize) -> Trace {
    let puzzle: Grid = puzzle.parse().unwrap();
    let asked = WatchRequest {
        limit,
        budget: Budget {
            nodes: Some(20_000_000),
            ..Budget::default()
        },
        ..WatchRequest::default()
    };
    let watched = watch(engine, &puzzle, &asked, &mut |_| (), &mut |_| Ok(()));
    let watched = watched.unwrap_or_else(|error| panic!("{engine}: {error}"));
    assert_eq!(watched.found, 1, "{engine} on {puzzle}");
    watched.trace
}

/// Everything that is true of any trace whose search found a solution.
#[track_caller]
fn check(trace: &Trace) {
    let engine = &trace.header.engine;
    let text = trace.to_string();
    let read = Trace::read(text.as_bytes()).unwrap_or_else(|error| panic!("{engine}: {error}"));
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].to_string(), text, "{engine}: not read as written");
    let solution = reference::solve(&trace.header.puzzle).unwrap();
    let mut player = Player::new(trace);
    while player.forward() {}
    assert_eq!(player.board(), solution, "{engine}: the board at the end");
    while player.back() {}
    assert_eq!(player.board(), trace.header.puzzle, "{engine}: and back");
    balanced(trace);
    let last = trace.events.last().and_then(|event| event.pane.as_ref());
    assert!(matches!(last, Some(Pane::End { found: 1, .. })), "{engine}");
}

/// Numbers run from 1, an undo names an earlier event that stands, nodes close
/// once and only if they are open, and the last one opened first.
#[track_caller]
fn balanced(trace: &Trace) {
    let mut standing = HashSet::new();
    let mut path = vec![0];
    for (number, event) in (1..).zip(&trace.events) {
        match &event.board {
            Some(BoardChange::Undo(numbers)) => {
                for undone in numbers {
                    assert!(
                        *undone < number && standing.remove(undone),
                        "{number}: {event:?}"
                    );
                }
            }
            Some(_) => {
                standing.insert(number);
            }
            None => {}
        }
        match event.pane {
            Some(Pane::Open { node, parent, .. }) => {
                assert_eq!(path.last(), Some(&parent), "{event:?}");
                path.push(node);
            }
            Some(Pane::Close { node, .. }) => assert_eq!(path.pop(), Some(node), "{event:?}"),
            Some(Pane::Jump { to, .. }) => assert!(path.contains(&to), "{event:?}"),
            _ => {}
        }
    }
}

#[test]
fn the_trace_of_every_engine_ends_with_the_solution() {
    for (profile, _) in engines() {
        // People, and robots that read to the letter, do not take every board.
        if profile.name == PEOPLE || profile.name.ends_with("printed") {
            continue;
        }
        let puzzle: Grid = SMALL.parse().unwrap();
        let asked = WatchRequest::default();
        let watched = watch(&profile.name, &puzzle, &asked, &mut |_| (), &mut |_| Ok(()));
        let watched = watched.unwrap();
        assert!(watched.found == 1 || !profile.complete, "{}", profile.name);
        if watched.found == 1 {
            check(&watched.trace);
        }
    }
}

#[test]
fn each_formulation_is_watched_to_its_end() {
    for (engine, kind) in [
        ("cbj", TraceKind::Search),
        ("fc+cbj:mrv", TraceKind::Search),
        ("mac:domwdeg", TraceKind::Search),
        ("ac3+db", TraceKind::Search),
        ("min-conflicts", TraceKind::Search),
        ("cdcl", TraceKind::Sat),
        ("htn", TraceKind::Htn),
        ("htn-recursive:search", TraceKind::Htn),
        ("htn-human", TraceKind::Htn),
        ("strips", TraceKind::Strips),
        ("strips-a:search", TraceKind::Strips),
        ("agents:1", TraceKind::Robots),
        ("agents:4+1", TraceKind::Robots),
        (PEOPLE, TraceKind::People),
        ("native", TraceKind::Answer),
    ] {
        assert_eq!(kind_of(engine), kind, "{engine}");
        let trace = recorded(engine, EASY, 100_000);
        assert_eq!(trace.header.kind, kind);
        assert!(!trace.header.capped, "{engine}: {}", trace.events.len());
        check(&trace);
    }
}

fn count(trace: &Trace, what: impl Fn(&Pane) -> bool) -> usize {
    let panes = trace.events.iter().filter_map(|event| event.pane.as_ref());
    panes.filter(|pane| what(pane)).count()
}

#[test]
fn panes_show_what_is_peculiar_to_a_formulation() {
    let jumps = recorded("ac3+cbj", HARD, 1_000_000);
    check(&jumps);
    let blames = |pane: &Pane| matches!(pane, Pane::Jump { because, .. } if !because.is_empty());
    assert!(count(&jumps, blames) > 0);
    let learns = recorded("cdcl", HARD, 1_000_000);
    check(&learns);
    assert!(count(&learns, |pane| matches!(pane, Pane::Learn { .. })) > 0);
    // What a learnt clause strikes or places stands in the same event.
    let strikes = learns.events.iter().filter(|event| {
        let learnt = matches!(event.pane, Some(Pane::Learn { .. }));
        learnt
            && matches!(
                event.board,
                Some(BoardChange::Strike(_) | BoardChange::Place(..))
            )
    });
    assert!(strikes.count() > 0);
    let tree = recorded("htn", EASY, 100_000);
    let opens = |pane: &Pane| matches!(pane, Pane::Open { .. });
    assert_eq!(count(&tree, opens), EASY_BLANKS * 5);
    let plan = recorded("strips", EASY, 100_000);
    let needs = plan.events.iter().filter(|event| {
        matches!(&event.pane, Some(Pane::Note(text)) if text.starts_with("(free"))
            && !event.lit.is_empty()
    });
    assert_eq!(needs.count(), EASY_BLANKS * 3);
    let robots = recorded("agents:4+1", EASY, 100_000);
    assert!(count(&robots, |pane| matches!(pane, Pane::Message { .. })) > 400);
    let people = recorded(PEOPLE, EASY, 100_000);
    assert!(people.events.iter().any(|event| !event.lit.is_empty()));
}

#[test]
fn a_long_run_is_thinned_by_depth_and_still_true() {
    for (engine, puzzle) in [
        ("cbj", EASY),
        ("fc+cbj", HARD),
        ("cdcl", HARD),
        ("agents:1", EASY),
        ("min-conflicts", EASY),
        ("ac3+db", HARD),
        ("htn", HARD),
    ] {
        let whole = recorded(engine, puzzle, usize::MAX);
        assert!(!whole.header.capped);
        check(&whole);
        for limit in [400, 2_000] {
            let trace = recorded(engine, puzzle, limit);
            assert!(trace.events.len() <= limit.max(600), "{engine} {limit}");
            assert_eq!(trace.header.capped, whole.events.len() > limit, "{engine}");
            check(&trace);
            let told = |trace: &Trace| {
                let skipped = |event: &planoku_workbench::trace::TraceEvent| match event.pane {
                    Some(Pane::Skip(events)) => events,
                    _ => 1,
                };
                trace.events.iter().map(skipped).sum::<u64>()
            };
            // What is left out is counted, exactly.
            assert_eq!(told(&trace), whole.events.len() as u64, "{engine} {limit}");
        }
    }
}

#[test]
fn bad_traces_are_reported_where_they_are_bad() {
    let good = recorded("cbj", SMALL, 1000).to_string();
    let header = good.lines().next().unwrap();
    let check = |lines: &str, expected: &str| {
        let text = format!("{header}\n{lines}\n");
        let error = Trace::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check("{", "2:1: EOF while parsing an object");
    check(r#"{"n":2}"#, "2:2: expected number 1, found 2");
    check(
        r#"{"n":1,"place":{"r5c1":1}}"#,
        "2:8: expected a cell from r1c1 to r4c4, found `r5c1`",
    );
    check(
        r#"{"n":1,"place":{"r1c2":5}}"#,
        "2:8: expected 1 to 4, found 5",
    );
    check(
        r#"{"n":1,"place":{"r1c1":1}}"#,
        "2:8: expected an empty cell, found a clue",
    );
    check(
        r#"{"n":1,"undo":[1]}"#,
        "2:8: expected an earlier placement or strike that stands, found 1",
    );
    check(
        r#"{"n":1,"close":{"node":3}}"#,
        "2:17: expected a node that is open, found 3",
    );
    check(
        r#"{"n":1,"note":"a","skip":2}"#,
        "2:2: expected one part for the pane, found several",
    );
    check(
        r#"{"n":1,"dance":1}"#,
        "2:14: unknown field `dance`, expected one of `n`, `place`, `strike`, `undo`, `open`, `close`, `jump`, `learn`, `message`, `note`, `skip`, `end`, `lit`",
    );
    let error = Trace::read("".as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (1, 1));
    assert!(Trace::read("\u{0}\u{ff}".as_bytes()).is_err());
    let two = format!("{good}{good}");
    assert_eq!(Trace::read(two.as_bytes()).unwrap().len(), 2);
}
