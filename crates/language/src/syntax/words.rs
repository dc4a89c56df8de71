//! The keywords of HDDL and PDDL.

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
    ":process",
    ":event",
];

/// Keywords inside a section, with the sections that have them.
pub const KEYS: &[(&str, &[&str])] = &[
    (
        ":parameters",
        &[
            ":task",
            ":method",
            ":action",
            ":htn",
            ":durative-action",
            ":process",
            ":event",
        ],
    ),
    (
        ":precondition",
        &[":action", ":method", ":process", ":event"],
    ),
    (
        ":effect",
        &[":action", ":durative-action", ":process", ":event"],
    ),
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
