//! The keywords of HDDL and PDDL, and what a misspelt word may have meant.

/// Keywords that open a section of a definition, as in `(:action …)`.
pub const SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":task",
    ":method",
    ":action",
    ":derived",
    ":domain",
    ":objects",
    ":init",
    ":goal",
    ":htn",
    ":metric",
    ":durative-action",
    ":constraints",
];

/// Keywords inside a section, with the sections that have them.
pub const KEYS: &[(&str, &[&str])] = &[
    (
        ":parameters",
        &[":task", ":method", ":action", ":htn", ":durative-action"],
    ),
    (":precondition", &[":action", ":method"]),
    (":effect", &[":action", ":durative-action"]),
    (":task", &[":method"]),
    (":subtasks", &[":method", ":htn"]),
    (":tasks", &[":method", ":htn"]),
    (":ordered-subtasks", &[":method", ":htn"]),
    (":ordered-tasks", &[":method", ":htn"]),
    (":ordering", &[":method", ":htn"]),
    (":constraints", &[":method", ":htn"]),
    (":duration", &[":durative-action"]),
    (":condition", &[":durative-action"]),
];

/// True if the keyword opens a section.
pub fn is_section(keyword: &str) -> bool {
    SECTIONS
        .iter()
        .any(|section| section.eq_ignore_ascii_case(keyword))
}

/// True if the section has the key.
pub fn is_key_of(section: &str, key: &str) -> bool {
    KEYS.iter().any(|(name, sections)| {
        name.eq_ignore_ascii_case(key)
            && sections
                .iter()
                .any(|name| name.eq_ignore_ascii_case(section))
    })
}

/// The candidate that a misspelt word most probably meant: the nearest in
/// edit distance, if it is near enough to be worth a suggestion.
///
/// ```
/// use planoku_planning::syntax::closest;
/// assert_eq!(closest(":precondtion", [":precondition", ":effect"]), Some(":precondition"));
/// assert_eq!(closest("move", ["load", "drive"]), None);
/// assert_eq!(closest("p", ["q"]), None);
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > 60 {
        return None;
    }
    let limit = match length {
        0..=2 => 1,
        3..=5 => 2,
        _ => length / 3,
    };
    let mut best = None;
    for candidate in candidates {
        if candidate.len().abs_diff(word.len()) > 2 * limit || candidate.len() > 120 {
            continue;
        }
        let distance = edits(word, candidate);
        // Of two letters, one may be wrong; but not all there are.
        if distance <= limit
            && distance < length.max(candidate.chars().count())
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Damerau's distance (insert, delete, replace, swap neighbours), in any case.
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
