//! DIMACS read and written: mistakes named, caps honoured, nothing lost.

use super::*;
use proptest::prelude::*;

#[track_caller]
fn fails(text: &str, message: &str) {
    let error = read(text.as_bytes(), Cap::default()).unwrap_err();
    assert_eq!(error.to_string(), message, "{text:?}");
}

#[test]
fn mistakes_are_named_with_line_and_column() {
    let header = "as in `p cnf VARIABLES CLAUSES`";
    fails(
        "",
        "line 1, column 1: expected `p cnf VARIABLES CLAUSES` before the first clause",
    );
    fails(
        "c x\n1 0\n",
        "line 2, column 1: expected `p cnf VARIABLES CLAUSES` before the first clause",
    );
    fails(
        "p dnf 1 1\n",
        &format!("line 1, column 3: bad header: expected `cnf`, {header}"),
    );
    fails(
        "p cnf x 1\n",
        &format!("line 1, column 7: bad header: expected the number of variables, {header}"),
    );
    fails(
        "p cnf 1\n1 0\n",
        &format!("line 1, column 8: bad header: expected the number of clauses, {header}"),
    );
    fails(
        "p cnf 1 -1\n",
        &format!("line 1, column 9: bad header: expected the number of clauses, {header}"),
    );
    fails(
        "p cnf 1 1 1\n1 0\n",
        &format!("line 1, column 11: bad header: expected the end of the line, {header}"),
    );
    fails(
        "p cnf 1 1\np cnf 1 1\n1 0\n",
        "line 2, column 1: a second header",
    );
    fails(
        "p cnf 2 2\n1 0\n 2 -1",
        "line 3, column 6: the file ends inside a clause: expected `0`",
    );
    fails(
        "p cnf 2 1\n1 3 0\n",
        "line 2, column 3: literal 3 is beyond the 2 variables of the header",
    );
    fails(
        "p cnf 2 1\n-99999999999999999999999 0\n",
        "line 2, column 1: literal -(a number of 23 digits) is beyond the 2 variables of the header",
    );
    fails(
        "p cnf 0 1\n1 0\n",
        "line 2, column 1: literal 1 is beyond the 0 variables of the header",
    );
    fails(
        "p cnf 2 1\n1 2x 0\n",
        "line 2, column 3: expected a literal, found `2x`",
    );
    fails(
        "p cnf 2 1\n1 -- 0\n",
        "line 2, column 3: expected a literal, found `--`",
    );
    fails(
        "p cnf 2 1\n1 0\n2 0\n",
        "line 3, column 1: more clauses than the 1 of the header",
    );
    fails(
        "p cnf 2 3\n1 0\n2 0\n",
        "line 4, column 1: the header announces 3 clauses, the file has 2",
    );
    fails(
        "p cnf 9999999999 1\n",
        "line 1, column 17: the header announces 9999999999 variables, more than 536870912 are not supported",
    );
}

#[test]
fn clauses_may_span_lines_and_share_them() {
    let text = "c one\np cnf 3 3\n1\n-2 0 3 0\nc two\n0\n";
    let cnf = read(text.as_bytes(), Cap::default()).unwrap();
    let numbers: Vec<Vec<i32>> = cnf
        .clauses()
        .map(|c| c.iter().map(|l| l.to_dimacs()).collect())
        .collect();
    assert_eq!(numbers, [vec![1, -2], vec![3], vec![]]);
}

#[test]
fn the_closing_percent_of_old_benchmarks_is_the_end() {
    assert_eq!(
        read(&b"p cnf 1 1\n1 0\n%\n0\n"[..], Cap::default())
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_cap_is_honoured() {
    let cap = Cap {
        clause: 2,
        literals: 3,
    };
    let error = read(&b"p cnf 3 1\n1 2 3 0\n"[..], cap).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 6: a clause of more than 2 literals"
    );
    let error = read(&b"p cnf 3 2\n1 2 0\n 2 3 0"[..], cap).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TooLarge(3)));
}

/// An endless supply of the same clause, made as it is read.
struct Endless {
    left: u64,
    at: usize,
}

const LINE: &[u8] = b"-1234567 1234568 -99999 0\n";

impl io::Read for Endless {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("read through the buffer")
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(if self.left == 0 {
            &[]
        } else {
            &LINE[self.at..]
        })
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
        if self.at == LINE.len() {
            self.at = 0;
            self.left -= 1;
        }
    }
}

#[test]
fn a_stream_of_clauses_is_read_one_at_a_time() {
    // A hundredth of a gigabyte here; `bench sat dimacs` reads a whole one.
    let clauses = 10_000_000 / LINE.len() as u64;
    let header = format!("p cnf 1234568 {clauses}\n");
    let body = Endless {
        left: clauses,
        at: 0,
    };
    let input = io::Read::chain(header.as_bytes(), body);
    let mut reader = Reader::new(input, Cap::default()).unwrap();
    let mut clause = Vec::new();
    let mut found = 0;
    while reader.next_clause(&mut clause).unwrap() {
        assert!(clause.capacity() <= 8);
        found += 1;
    }
    assert_eq!(found, clauses);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(clauses in proptest::collection::vec(
        proptest::collection::vec((0usize..40, any::<bool>()), 0..6), 0..30), shows in any::<bool>()) {
        let mut cnf = Cnf::new();
        for clause in clauses {
            cnf.add(clause.into_iter().map(|(var, value)| Var::new(var).is(value)));
        }
        if shows {
            cnf.show((0..cnf.vars()).step_by(2).map(Var::new).collect());
        }
        let mut text = Vec::new();
        write(&cnf, ["a comment", "p cnf 1 1\nin two lines"], &mut text).unwrap();
        prop_assert_eq!(read(&text[..], Cap::default()).unwrap(), cnf);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(p cnf )?[0-9cp%\\- \n]{0,60}") {
        let _ = read(text.as_bytes(), Cap::default());
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = read(&bytes[..], Cap::default());
    }
}
