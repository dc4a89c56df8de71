//! What is supported, by the requirements of PDDL and HDDL.
//!
//! One table, which `planoku plan --supports` prints, the guide shows and a
//! test holds against what the program does with an example of each row.

use std::fmt;

/// What is done with a requirement's part of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// The requirement, with its colon.
    pub requirement: &'static str,
    /// It is read, written and laid out.
    pub read: bool,
    /// Its names and types are checked.
    pub checked: bool,
    /// It is grounded.
    pub grounded: bool,
    /// Plans are found.
    pub planned: bool,
    /// Cheapest plans are found and proved cheapest.
    pub optimal: bool,
    /// Plans are judged.
    pub verified: bool,
    /// What else there is to know.
    pub note: &'static str,
}

/// A row: what is done as letters, `r` for read and so on.
const fn row(requirement: &'static str, done: &str, note: &'static str) -> Support {
    Support {
        requirement,
        read: has(done, b'r'),
        checked: has(done, b'c'),
        grounded: has(done, b'g'),
        planned: has(done, b'p'),
        optimal: has(done, b'o'),
        verified: has(done, b'v'),
        note,
    }
}

const fn has(done: &str, letter: u8) -> bool {
    let bytes = done.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == letter {
            return true;
        }
        at += 1;
    }
    false
}

/// Everything there is.
const ALL: &str = "rcgpov";
/// Read and checked; refused by name where planning or judging begins.
const CHECKED: &str = "rc";

/// Every requirement anyone has defined, for PDDL up to 3.1, PDDL+ and HDDL.
pub static SUPPORTS: &[Support] = &[
    row(":strips", ALL, ""),
    row(":typing", ALL, "several parents and `either` too"),
    row(":equality", ALL, ""),
    row(":negative-preconditions", ALL, ""),
    row(":disjunctive-preconditions", ALL, ""),
    row(":existential-preconditions", ALL, ""),
    row(":universal-preconditions", ALL, ""),
    row(":quantified-preconditions", ALL, ""),
    row(":conditional-effects", ALL, ""),
    row(":derived-predicates", ALL, ""),
    row(":action-costs", ALL, "exact, decimals too"),
    row(":adl", ALL, ""),
    row(":ucpop", ALL, ""),
    row(":hierarchy", ALL, "total and partial order, constraints"),
    row(":htn", ALL, "another word for :hierarchy"),
    row(":method-preconditions", ALL, ""),
    row(
        ":htn-method-prec",
        ALL,
        "another word for :method-preconditions",
    ),
    row(":fluents", ALL, "numbers, as :numeric-fluents"),
    row(
        ":numeric-fluents",
        ALL,
        "exact; optimal if actions add fixed amounts to the metric",
    ),
    row(":object-fluents", "", ""),
    row(
        ":durative-actions",
        "rcv",
        "plans with times; not in hierarchies",
    ),
    row(":duration-inequalities", "rcv", ""),
    row(":timed-initial-literals", "rcv", "values too"),
    row(":continuous-effects", CHECKED, ""),
    row(":time", CHECKED, "processes and events of PDDL+"),
    row(
        ":preferences",
        "rcv",
        "judged without counting what is violated",
    ),
    row(":constraints", CHECKED, "on the states a plan goes through"),
    row(":goal-utilities", "", ""),
    row(":non-deterministic", "", ""),
    row(":probabilistic-effects", "", ""),
];

/// The table in words.
pub struct Table;

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28}{:<6}{:<9}{:<10}{:<9}{:<9}verified",
            "requirement", "read", "checked", "grounded", "planned", "optimal"
        )?;
        let word = |yes: bool| if yes { "yes" } else { "no" };
        for row in SUPPORTS {
            let line = format!(
                "{:<28}{:<6}{:<9}{:<10}{:<9}{:<9}{:<10}{}",
                row.requirement,
                word(row.read),
                word(row.checked),
                word(row.grounded),
                word(row.planned),
                word(row.optimal),
                word(row.verified),
                row.note
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
