//! The repository's models as examples, the published one with its defects
//! first.

use serde::Serialize;
use utoipa::ToSchema;

/// A domain and a problem, with their story.
#[derive(Serialize, ToSchema)]
#[schema(as = ExampleModel)]
pub struct ModelExample {
    /// What to call it in an address.
    pub name: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What there is to see.
    pub story: &'static str,
    /// The domain.
    pub domain: &'static str,
    /// The problem.
    pub problem: &'static str,
}

macro_rules! example {
    ($name:literal, $title:literal, $domain:literal, $problem:literal, $story:literal) => {
        ModelExample {
            name: $name,
            title: $title,
            story: $story,
            domain: include_str!(concat!("../../../models/", $domain)),
            problem: include_str!(concat!("../../../models/", $problem)),
        }
    };
}

/// All of them, in the order the page shows them.
pub const EXAMPLES: &[ModelExample] = &[
    example!(
        "published",
        "The published Sudoku, with its defects",
        "exhibit/domain.hddl",
        "exhibit/figure-1.hddl",
        "Four students modelled Sudoku in HDDL (Planning Sudoku, Universidade de Brasília, 2023). \
         No planner could run their files: the grounder ended in a segmentation fault, and the \
         benchmark of the paper stayed empty. Two mistakes are hidden in it. The facts of the \
         problem have their arguments in another order than the predicates declare, so that the \
         one action has no instance; and the network asks for all-check alone, which fills no \
         cell: an HTN planner executes only what the network leads to. Both can be mended by the \
         fixes that are offered; then press Plan."
    ),
    example!(
        "slides",
        "The model of the slides: parentheses missing",
        "exhibit/slide-domain.hddl",
        "exhibit/slide-problem.hddl",
        "The same model as printed on the slides: three parentheses are missing, and (:init) is \
         closed before its facts. One missing parenthesis makes everything after it something \
         else; the diagnosis says where it was meant to stand."
    ),
    example!(
        "order",
        "The repaired model, cell by cell",
        "htn/order/plain/domain.hddl",
        "htn/order/plain/figure-1.hddl",
        "One task for each empty cell, in reading order. The cell is given, its digit is the \
         planner's choice."
    ),
    example!(
        "recursive",
        "The repaired model, any cell first",
        "htn/recursive/plain/domain.hddl",
        "htn/recursive/plain/4x4.hddl",
        "A task solve that fills any empty cell with any digit and solves again, until every \
         cell is filled. Nothing says which cell comes next."
    ),
    example!(
        "human",
        "How people solve it",
        "htn/human/domain.hddl",
        "htn/human/4x4.hddl",
        "Not the rules but what people make of them: every action is a technique, and the plan \
         is an explanation."
    ),
    example!(
        "strips",
        "Sudoku without a hierarchy",
        "strips/a/domain.pddl",
        "strips/a/4x4.pddl",
        "The same game in classical PDDL: only actions, conditions and a goal."
    ),
    example!(
        "gripper",
        "A robot with two grippers",
        "classical/gripper/domain.pddl",
        "classical/gripper/small.pddl",
        "Planning is about more than Sudoku: balls are to be carried from one room to another."
    ),
];
