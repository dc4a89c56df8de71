//! One suite for every solver this build has.

use std::time::{Duration, Instant};

use planoku_engine::{Cancel, End, Engine, Event};
use proptest::prelude::*;

use super::*;

fn every_solver(check: impl Fn(Solver)) {
    Solver::ALL.iter().copied().for_each(check);
}

/// `pigeons` birds into `holes` holes, one each: hard to refute by resolution.
fn pigeonhole(pigeons: usize, holes: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let sits = |pigeon: usize, hole: usize| Var::new(pigeon * holes + hole);
    for pigeon in 0..pigeons {
        cnf.add((0..holes).map(|hole| sits(pigeon, hole).positive()));
    }
    for hole in 0..holes {
        for one in 0..pigeons {
            for other in 0..one {
                cnf.add([sits(one, hole).negative(), sits(other, hole).negative()]);
            }
        }
    }
    cnf
}

fn loaded(solver: Solver, cnf: &Cnf) -> Sat {
    let mut sat = Sat::with(solver);
    sat.add_cnf(cnf);
    sat
}

#[test]
fn pigeons_need_as_many_holes() {
    every_solver(|solver| {
        for (holes, expected) in [(4, Answer::Unsat), (5, Answer::Sat)] {
            let cnf = pigeonhole(5, holes);
            let mut sat = loaded(solver, &cnf);
            assert_eq!(sat.solve(&[], &mut Run::limit(1)), Ok(expected));
            if expected == Answer::Sat {
                assert!(cnf.satisfied_by(|var| sat.value(var)));
            }
        }
    });
}

#[test]
fn the_empty_clause_is_never_satisfied() {
    every_solver(|solver| {
        let mut sat = Sat::with(solver);
        sat.new_var();
        sat.add_clause(&[]);
        assert_eq!(sat.solve(&[], &mut Run::limit(1)), Ok(Answer::Unsat));
        assert!(sat.core().is_empty());
    });
}

#[test]
fn repeated_literals_and_tautologies_are_harmless() {
    every_solver(|solver| {
        let mut sat = Sat::with(solver);
        let (a, b) = (sat.new_var(), sat.new_var());
        sat.add_clause(&[a.positive(), a.positive()]);
        sat.add_clause(&[b.positive(), b.negative()]);
        assert_eq!(
            sat.solve(&[b.negative()], &mut Run::limit(1)),
            Ok(Answer::Sat)
        );
        assert!(sat.value(a) && !sat.value(b));
    });
}

#[test]
fn assumptions_hold_for_one_call_and_failed_ones_are_named() {
    every_solver(|solver| {
        let mut sat = Sat::with(solver);
        let [a, b, c, d] = [(); 4].map(|()| sat.new_var());
        sat.add_clause(&[a.negative(), b.negative()]);
        let run = &mut Run::limit(1);
        let assumed = [c.positive(), a.positive(), d.negative(), b.positive()];
        assert_eq!(sat.solve(&assumed, run), Ok(Answer::Unsat));
        let mut core = sat.core().to_vec();
        core.sort();
        assert_eq!(core, [a.positive(), b.positive()]);
        assert_eq!(sat.solve(&[a.positive()], run), Ok(Answer::Sat));
        assert!(sat.core().is_empty());
        sat.add_clause(&[b.positive()]);
        assert_eq!(sat.solve(&[a.positive()], run), Ok(Answer::Unsat));
        assert_eq!(sat.core(), [a.positive()]);
        assert_eq!(sat.solve(&[], run), Ok(Answer::Sat));
    });
}

#[test]
fn opposite_assumptions_blame_each_other() {
    every_solver(|solver| {
        let mut sat = Sat::with(solver);
        let a = sat.new_var();
        let assumed = [a.positive(), a.negative()];
        assert_eq!(sat.solve(&assumed, &mut Run::limit(1)), Ok(Answer::Unsat));
        assert!(!sat.core().is_empty());
        assert!(sat.core().iter().all(|lit| lit.var() == a));
    });
}

#[test]
fn a_node_budget_stops_and_the_search_can_go_on() {
    every_solver(|solver| {
        let mut sat = loaded(solver, &pigeonhole(7, 6));
        let mut run = Run::limit(1).with_nodes(20);
        assert_eq!(sat.solve(&[], &mut run), Err(Stop::Nodes));
        let conflicts = sat.statistics().conflicts;
        assert!((15..=25).contains(&conflicts), "{conflicts} conflicts");
        assert_eq!(sat.solve(&[], &mut Run::limit(1)), Ok(Answer::Unsat));
    });
}

#[test]
fn a_deadline_stops_a_hopeless_search() {
    every_solver(|solver| {
        let mut sat = loaded(solver, &pigeonhole(12, 11));
        let started = Instant::now();
        let mut run = Run::limit(1).with_time(Duration::from_millis(50));
        assert_eq!(sat.solve(&[], &mut run), Err(Stop::Time));
        assert!(started.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn a_switch_pressed_elsewhere_stops_a_hopeless_search() {
    every_solver(|solver| {
        let cancel = Cancel::new();
        let presser = std::thread::spawn({
            let cancel = cancel.clone();
            move || {
                std::thread::sleep(Duration::from_millis(30));
                cancel.cancel();
            }
        });
        let mut sat = loaded(solver, &pigeonhole(12, 11));
        let mut run = Run::limit(1).with_cancel(cancel);
        assert_eq!(sat.solve(&[], &mut run), Err(Stop::Cancelled));
        presser.join().unwrap();
    });
}

#[test]
fn an_observer_sees_signs_of_life() {
    every_solver(|solver| {
        let mut seen = 0;
        let mut observer = |event: &Event| {
            seen += u32::from(matches!(event, Event::Progress { .. }));
        };
        let mut sat = loaded(solver, &pigeonhole(11, 10));
        let mut run = Run::limit(1)
            .with_nodes(12_000)
            .with_observer(&mut observer);
        assert_eq!(sat.solve(&[], &mut run), Err(Stop::Nodes));
        drop(run);
        assert!(seen >= 2, "{seen}");
    });
}

#[test]
fn counting_stops_at_the_limit_and_says_so() {
    every_solver(|solver| {
        let engine = SatEngine { solver };
        let cnf = pigeonhole(3, 4);
        let all = engine.solve(&cnf, &mut Run::all()).unwrap();
        assert_eq!(
            (all.end, all.answers.len()),
            (End::Exhausted, truth_table(&cnf).len())
        );
        let some = engine.solve(&cnf, &mut Run::limit(5)).unwrap();
        assert_eq!((some.end, some.answers.len()), (End::Enough, 5));
    });
}

#[test]
fn a_solver_may_move_to_another_thread() {
    fn assert_send<T: Send>() {}
    assert_send::<Sat>();
}

/// Any formula over a handful of variables.
fn formula() -> impl Strategy<Value = Cnf> {
    let clause = proptest::collection::vec((0usize..7, any::<bool>()), 0..4);
    proptest::collection::vec(clause, 0..25).prop_map(|clauses| {
        let mut cnf = Cnf::new();
        cnf.reserve_vars(7);
        for clause in clauses {
            cnf.add(
                clause
                    .into_iter()
                    .map(|(var, value)| Var::new(var).is(value)),
            );
        }
        cnf
    })
}

/// The truth table: every satisfying assignment.
fn truth_table(cnf: &Cnf) -> Vec<u32> {
    (0..1 << cnf.vars())
        .filter(|row| cnf.satisfied_by(|var| row >> var.index() & 1 == 1))
        .collect()
}

proptest! {
    #[test]
    fn counting_agrees_with_the_truth_table(cnf in formula()) {
        for &solver in Solver::ALL {
            let outcome = SatEngine { solver }.solve(&cnf, &mut Run::all()).unwrap();
            let row = |answer: &Assignment| {
                (0..cnf.vars()).map(|i| u32::from(answer.value(Var::new(i))) << i).sum::<u32>()
            };
            let mut rows: Vec<u32> = outcome.answers.iter().map(row).collect();
            rows.sort_unstable();
            prop_assert_eq!(&rows, &truth_table(&cnf));
            prop_assert_eq!(outcome.end, End::Exhausted);
        }
    }

    #[test]
    fn counting_shown_variables_ignores_the_others(cnf in formula(), shown in 0usize..7) {
        let mut cnf = cnf;
        cnf.show((0..shown).map(Var::new).collect());
        let mut rows: Vec<u32> = truth_table(&cnf).iter().map(|row| row & ((1 << shown) - 1)).collect();
        rows.sort_unstable();
        rows.dedup();
        for &solver in Solver::ALL {
            let outcome = SatEngine { solver }.solve(&cnf, &mut Run::all()).unwrap();
            prop_assert_eq!(outcome.answers.len(), rows.len());
        }
    }

    #[test]
    fn answers_under_assumptions_agree_with_the_truth_table(
        cnf in formula(),
        calls in proptest::collection::vec(proptest::collection::vec((0usize..7, any::<bool>()), 0..5), 1..6),
    ) {
        let table = truth_table(&cnf);
        let holds = |row: u32, lit: Lit| (row >> lit.var().index() & 1 == 1) == lit.is_positive();
        for &solver in Solver::ALL {
            let mut sat = loaded(solver, &cnf);
            for call in &calls {
                let assumed: Vec<Lit> = call.iter().map(|&(var, value)| Var::new(var).is(value)).collect();
                let agrees = |lits: &[Lit]| table.iter().any(|&row| lits.iter().all(|&lit| holds(row, lit)));
                let answer = sat.solve(&assumed, &mut Run::limit(1)).unwrap();
                if agrees(&assumed) {
                    prop_assert_eq!(answer, Answer::Sat);
                    prop_assert!(cnf.satisfied_by(|var| sat.value(var)));
                    prop_assert!(assumed.iter().all(|lit| sat.value(lit.var()) == lit.is_positive()));
                } else {
                    prop_assert_eq!(answer, Answer::Unsat);
                    prop_assert!(sat.core().iter().all(|lit| assumed.contains(lit)));
                    prop_assert!(!agrees(sat.core()));
                }
            }
        }
    }
}

/// Our own solver, which can be watched, says what BatSat says.
mod cdcl {
    use super::*;

    fn counted(engine: &dyn Engine<Cnf, Answer = Assignment>, cnf: &Cnf) -> usize {
        let outcome = engine.solve(cnf, &mut Run::all()).unwrap();
        assert_eq!(outcome.end, End::Exhausted);
        for answer in &outcome.answers {
            assert!(cnf.satisfied_by(|var| answer.value(var)));
        }
        outcome.answers.len()
    }

    #[test]
    fn pigeons_need_as_many_holes() {
        assert_eq!(counted(&Cdcl, &pigeonhole(6, 5)), 0);
        assert_eq!(counted(&Cdcl, &pigeonhole(4, 4)), 24);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn counts_as_batsat_does(
            clauses in prop::collection::vec(prop::collection::vec((0usize..9, any::<bool>()), 1..4), 0..40)
        ) {
            let mut cnf = Cnf::new();
            cnf.reserve_vars(9);
            for clause in clauses {
                cnf.add(clause.into_iter().map(|(var, value)| Var::new(var).is(value)));
            }
            prop_assert_eq!(counted(&Cdcl, &cnf), counted(&SatEngine::default(), &cnf));
        }
    }

    #[test]
    fn stops_where_its_nodes_end() {
        let mut run = Run::limit(1).with_nodes(50);
        let outcome = Cdcl.solve(&pigeonhole(9, 8), &mut run).unwrap();
        assert_eq!(outcome.end, End::Stopped(Stop::Nodes));
    }
}
