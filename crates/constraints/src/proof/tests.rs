//! The search and the judge against each other, and both against truth tables.

use planoku_engine::{Run, Stop};
use proptest::prelude::*;

use super::check::{AcceptedProof, Rejected};
use super::search::Verdict;
use super::*;
use crate::cnf::{Cnf, Lit, Var};

/// All four files of one search.
struct Files {
    drat: Vec<u8>,
    binary_drat: Vec<u8>,
    lrat: Vec<u8>,
    binary_lrat: Vec<u8>,
}

fn prove(cnf: &Cnf) -> (Verdict, Files) {
    let mut log = (
        (drat::Writer::text(vec![]), drat::Writer::binary(vec![])),
        (
            lrat::Writer::text(vec![], cnf.len()),
            lrat::Writer::binary(vec![], cnf.len()),
        ),
    );
    let verdict = search::search(cnf, &mut log, &mut Run::limit(1)).unwrap();
    let files = Files {
        drat: log.0.0.finish().unwrap(),
        binary_drat: log.0.1.finish().unwrap(),
        lrat: log.1.0.finish().unwrap(),
        binary_lrat: log.1.1.finish().unwrap(),
    };
    (verdict, files)
}

fn drat(cnf: &Cnf, proof: &[u8]) -> Result<AcceptedProof, Rejected> {
    check::drat(cnf, proof, &mut Run::limit(1))
}

fn lrat(cnf: &Cnf, proof: &[u8]) -> Result<AcceptedProof, Rejected> {
    check::lrat(cnf, proof, &mut Run::limit(1))
}

fn cnf(clauses: &[&[i64]]) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in clauses {
        cnf.add(
            clause
                .iter()
                .map(|number| Lit::from_dimacs(*number).unwrap()),
        );
    }
    cnf
}

fn pigeonhole(pigeons: usize, holes: usize) -> Cnf {
    let sits = |pigeon: usize, hole: usize| Var::new(pigeon * holes + hole);
    let mut cnf = Cnf::new();
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

/// The example of the DRAT literature: eight clauses over four variables.
fn eight() -> Cnf {
    cnf(&[
        &[1, 2, -3],
        &[-1, -2, 3],
        &[2, 3, -4],
        &[-2, -3, 4],
        &[-1, -3, -4],
        &[1, 3, 4],
        &[-1, 2, 4],
        &[1, -2, -4],
    ])
}

#[test]
fn a_refutation_is_accepted_in_all_four_forms() {
    for cnf in [
        eight(),
        pigeonhole(5, 4),
        pigeonhole(7, 6),
        cnf(&[&[]]),
        cnf(&[&[1], &[-1]]),
    ] {
        let (verdict, files) = prove(&cnf);
        assert_eq!(verdict, Verdict::Refuted);
        let text = drat(&cnf, &files.drat).unwrap();
        assert_eq!(drat(&cnf, &files.binary_drat).unwrap(), text);
        let hinted = lrat(&cnf, &files.lrat).unwrap();
        assert_eq!(lrat(&cnf, &files.binary_lrat).unwrap(), hinted);
        assert_eq!((text.rup, text.rat), (hinted.rup, 0));
    }
}

#[test]
fn forgetting_is_logged_and_obeyed() {
    let cnf = pigeonhole(8, 7);
    let (verdict, files) = prove(&cnf);
    assert_eq!(verdict, Verdict::Refuted);
    assert!(lrat(&cnf, &files.lrat).unwrap().deleted > 100);
    assert!(drat(&cnf, &files.binary_drat).unwrap().deleted > 100);
}

#[test]
fn a_search_stops_when_told() {
    let mut run = Run::limit(1).with_nodes(10);
    let stopped = search::search(&pigeonhole(9, 8), &mut (), &mut run);
    assert_eq!(stopped, Err(Stop::Nodes));
    let (_, files) = prove(&pigeonhole(7, 6));
    let mut run = Run::limit(1).with_nodes(10);
    let judged = check::drat(&pigeonhole(7, 6), &files.drat[..], &mut run);
    assert!(matches!(judged, Err(Rejected::Stopped(Stop::Nodes))));
}

#[test]
fn a_lemma_that_does_not_follow_is_named() {
    let two = cnf(&[&[1, 2], &[-1, 2]]);
    let rejected = drat(&two, b"2 0\n-2 0\n0\n").unwrap_err();
    assert_eq!(
        rejected.to_string(),
        "step 2: the clause [-2] does not follow"
    );
}

#[test]
fn a_clause_may_be_rat_and_not_rup() {
    // The refutation printed with the format's definition begins with (not 1),
    // which does not follow by propagation.
    let checked = drat(
        &eight(),
        b"-1 0\nd -1 -2 3 0\nd -1 -3 -4 0\nd -1 2 4 0\n2 0\n0\n",
    )
    .unwrap();
    assert_eq!(
        checked,
        AcceptedProof {
            rup: 2,
            rat: 1,
            deleted: 3
        }
    );
    // Defining 5 to be the same as 1 is RAT, twice.
    let defined = b"5 -1 0\n-5 1 0\nd -5 1 0\n-1 0\n2 0\n0\n";
    assert_eq!(drat(&eight(), defined).unwrap().rat, 3);
    // But once it is defined, 5 alone is not.
    let rejected = drat(&eight(), b"5 -1 0\n-5 1 0\n5 0\n0\n");
    assert!(matches!(
        rejected,
        Err(Rejected::DoesNotFollow { step: 3, .. })
    ));
}

#[test]
fn resolvents_are_checked_in_lrat_too() {
    let cnf = cnf(&[&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]]);
    // 3 is new. Clause 6 is RAT on -3: its resolvent with 5 is a tautology.
    let proof = b"5 3 -1 0 0\n6 -3 1 0 -5 0\n7 1 0 1 3 0\n8 0 7 2 4 0\n";
    assert_eq!(
        lrat(&cnf, proof).unwrap(),
        AcceptedProof {
            rup: 2,
            rat: 2,
            deleted: 0
        }
    );
    // (-1) is not RAT without its resolvents: 1 and 3 contain 1.
    let proof = b"5 -1 0 0\n6 0 5 1 3 0\n";
    assert!(matches!(
        lrat(&cnf, proof),
        Err(Rejected::DoesNotFollow { step: 1, .. })
    ));
    // With hints for one resolvent only, still not.
    let proof = b"5 -1 0 -1 2 4 0\n6 0 5 1 3 0\n";
    assert!(lrat(&cnf, proof).is_err());
}

#[test]
fn a_proof_without_its_end_is_no_proof() {
    assert!(matches!(
        drat(&eight(), b"-1 0\n2 0\n"),
        Err(Rejected::NoConclusion)
    ));
    assert!(matches!(drat(&eight(), b""), Err(Rejected::NoConclusion)));
    assert!(matches!(lrat(&eight(), b""), Err(Rejected::NoConclusion)));
}

#[test]
fn malformed_files_are_refused_with_their_place() {
    #[track_caller]
    fn fails(result: Result<AcceptedProof, Rejected>, message: &str) {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    let f = &eight();
    fails(drat(f, b"-1 0\n2 -"), "line 2: expected a number");
    fails(drat(f, b"-1 0\n2 "), "line 2: the proof ends inside a step");
    fails(
        drat(f, b"-1 99999999999999999999 0\n"),
        "line 1: a number too large for any formula",
    );
    fails(
        drat(f, b"-1 0\nd 7 8 0\n"),
        "step 2: there is no clause [7, 8] to delete",
    );
    fails(drat(f, b"a\x03\x00x"), "byte 4: expected `a` or `d`");
    fails(
        drat(f, b"a\x03\x80"),
        "byte 3: the proof ends inside a step",
    );
    fails(
        drat(f, b"a\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        "byte 11: a number too large for any formula",
    );
    fails(lrat(f, b"9 -1 0 99 0\n"), "step 1: there is no clause 99");
    fails(
        lrat(f, b"9 -1 0 -9223372036854775808 0\n"),
        "line 1: a number too large for any formula",
    );
    fails(
        lrat(f, b"3 -1 0 1 0\n"),
        "step 1: there already is a clause 3",
    );
    fails(lrat(f, b"9 d 12 0\n"), "step 1: there is no clause 12");
    fails(
        lrat(f, b"-9 1 0 1 0\n"),
        "line 1: expected the number of a clause",
    );
}

#[test]
fn numbers_beyond_the_formula_cost_no_memory() {
    let proof = b"500000000 -499999999 0\n-500000000 499999999 0\n-1 0\n2 0\n0\n";
    assert_eq!(drat(&eight(), proof).unwrap().rat, 3);
}

#[test]
fn deleting_the_reason_of_a_unit_is_passed_over() {
    // As drat-trim does: 1 stays true although its clause is "deleted".
    let cnf = cnf(&[&[1], &[-1, 2], &[-2, 3], &[-3, -1]]);
    assert_eq!(drat(&cnf, b"d 1 0\n0\n").unwrap().deleted, 0);
}

#[cfg(feature = "cadical")]
#[test]
fn the_proofs_of_cadical_are_accepted() {
    for form in [ProofFormat::Text, ProofFormat::Binary] {
        // In the last, units follow while the formula is still being told.
        let units = cnf(&[&[1], &[-1, 2], &[-3, -2], &[3, 4], &[-4, 5], &[-5, -1]]);
        for cnf in [eight(), pigeonhole(5, 4), pigeonhole(7, 6), units] {
            let proved = cadical::prove(&cnf, form, &mut Run::limit(1));
            let (verdict, proof) = proved.unwrap().unwrap();
            assert_eq!(verdict, Verdict::Refuted);
            assert_eq!(lrat(&cnf, &proof).unwrap().rat, 0);
            let mut retold = super::drat::Writer::text(vec![]);
            super::lrat::retell(cnf.clauses(), &proof[..], &mut retold).unwrap();
            super::check::drat(&cnf, &retold.finish().unwrap()[..], &mut Run::limit(1)).unwrap();
        }
    }
}

#[test]
fn a_proof_retold_without_reasons_is_accepted() {
    for cnf in [eight(), pigeonhole(5, 4)] {
        let files = prove(&cnf).1;
        for proof in [&files.lrat, &files.binary_lrat] {
            let mut retold = super::drat::Writer::text(vec![]);
            super::lrat::retell(cnf.clauses(), &proof[..], &mut retold).unwrap();
            // Step for step what the search itself wrote as DRAT.
            assert_eq!(retold.finish().unwrap(), files.drat);
        }
    }
}

fn formula() -> impl Strategy<Value = Cnf> {
    let clause = proptest::collection::vec((0usize..8, any::<bool>()), 1..4);
    proptest::collection::vec(clause, 5..60).prop_map(|clauses| {
        let mut cnf = Cnf::new();
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

/// Clauses that one hidden assignment satisfies.
fn satisfiable_formula() -> impl Strategy<Value = Cnf> {
    formula().prop_map(|cnf| {
        let mut kept = Cnf::new();
        let hidden = |var: Var| 0b1011_0101 >> var.index() & 1 == 1;
        for clause in cnf.clauses() {
            if clause
                .iter()
                .any(|lit| hidden(lit.var()) == lit.is_positive())
            {
                kept.add(clause.iter().copied());
            }
        }
        kept
    })
}

fn satisfiable(cnf: &Cnf) -> bool {
    (0u32..1 << cnf.vars()).any(|row| cnf.satisfied_by(|var| row >> var.index() & 1 == 1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_search_agrees_with_the_truth_table_and_proves_it(cnf in formula()) {
        let (verdict, files) = prove(&cnf);
        match verdict {
            Verdict::Satisfied(values) => prop_assert!(cnf.satisfied_by(|var| values[var.index()])),
            Verdict::Refuted => {
                prop_assert!(!satisfiable(&cnf));
                prop_assert!(drat(&cnf, &files.drat).is_ok());
                prop_assert!(drat(&cnf, &files.binary_drat).is_ok());
                prop_assert!(lrat(&cnf, &files.lrat).is_ok());
                prop_assert!(lrat(&cnf, &files.binary_lrat).is_ok());
            }
        }
    }

    /// Soundness: whatever is put forward, a satisfiable formula is not refuted.
    #[test]
    fn nothing_refutes_a_satisfiable_formula(
        cnf in satisfiable_formula(),
        steps in proptest::collection::vec((any::<bool>(), proptest::collection::vec((0usize..10, any::<bool>()), 0..3)), 0..40),
    ) {
        let mut proof = drat::Writer::text(vec![]);
        for (lemma, clause) in steps {
            let clause: Vec<Lit> = clause.into_iter().map(|(var, value)| Var::new(var).is(value)).collect();
            // Only what is accepted so far is built upon, to get far.
            let mut longer = drat::Writer::text(proof.finish().unwrap());
            let before = longer.finish().unwrap();
            longer = drat::Writer::text(before.clone());
            if lemma { longer.lemma(0, &clause, &[]) } else { longer.delete(0, &clause) }
            let text = longer.finish().unwrap();
            proof = drat::Writer::text(match drat(&cnf, &text) {
                Err(Rejected::NoConclusion) => text,
                Err(_) => before,
                Ok(_) => return Err(TestCaseError::fail("refuted a satisfiable formula")),
            });
        }
    }

    #[test]
    fn corrupted_bytes_never_panic_and_never_refute_a_satisfiable_formula(
        cnf in satisfiable_formula(), at in any::<prop::sample::Index>(), byte in any::<u8>(), block in any::<bool>(),
    ) {
        // Refute the formula together with "not this assignment", then put the
        // proof before the formula alone.
        let mut more = cnf.clone();
        let (mut verdict, mut files) = prove(&more);
        for _ in 0..300 {
            let Verdict::Satisfied(values) = &verdict else { break };
            more.add((0..cnf.vars()).map(|var| Var::new(var).is(!values[var])));
            (verdict, files) = prove(&more);
        }
        for proof in [&mut files.drat, &mut files.binary_drat, &mut files.lrat, &mut files.binary_lrat] {
            if !block {
                let at = at.index(proof.len());
                proof[at] = byte;
            }
            prop_assert!(drat(&cnf, proof).is_err());
            prop_assert!(lrat(&cnf, proof).is_err());
        }
    }
}
