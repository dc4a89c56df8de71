//! Explanations are true: their first example has the mistake, their second
//! does not.

use super::{check, codes};
use planoku_language::lint::codes as all_codes;

fn blocks(markdown: &str) -> Vec<&str> {
    markdown
        .split("```hddl\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect()
}

#[test]
fn the_first_example_has_the_mistake_and_the_second_does_not() {
    let mut without = Vec::new();
    for code in all_codes() {
        match blocks(code.explanation).as_slice() {
            [wrong, right] => {
                let found = check(wrong, true);
                assert!(
                    codes(&found).contains(&code.name),
                    "{}: {found:#?}",
                    code.name
                );
                let found = check(right, true);
                assert!(
                    !codes(&found).contains(&code.name),
                    "{}: {found:#?}",
                    code.name
                );
            }
            _ => without.push(code.name),
        }
    }
    // Bad bytes, endless texts and deep nesting are not worth printing.
    assert_eq!(without, ["E0001", "E0002", "E0003", "E0032"]);
}

#[test]
fn explanations_start_with_their_code() {
    for code in all_codes() {
        let start = format!("# {}: {}\n", code.name, code.title);
        assert!(code.explanation.starts_with(&start), "{}", code.name);
    }
}

#[test]
fn codes_are_unique_and_say_their_severity() {
    let codes = all_codes();
    for (index, code) in codes.iter().enumerate() {
        assert!(
            codes[..index]
                .iter()
                .all(|other| other.name[1..] != code.name[1..])
        );
        let letter = code.severity.word()[..1].to_ascii_uppercase();
        assert_eq!(code.name[..1], letter);
    }
}
