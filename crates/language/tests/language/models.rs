//! The models people read are themselves free of mistakes.

use planoku_language::model::Model;
use std::path::{Path, PathBuf};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn check(domain: &str, problem: &str) -> Model {
    let text = |name: &str| std::fs::read_to_string(models().join(name)).unwrap();
    let (domain_text, problem_text) = (text(domain), text(problem));
    let (model, diagnostics) = planoku_language::read(&domain_text, &problem_text);
    let brief = diagnostics.brief(&[(domain, &domain_text), (problem, &problem_text)]);
    assert_eq!(brief, "");
    model.unwrap()
}

#[test]
fn hierarchical_models_read_without_a_word() {
    for kind in ["order", "recursive"] {
        for (size, cells) in [("4x4", 12), ("figure-1", 46)] {
            let long = if size == "4x4" { "4x4" } else { "9x9" };
            let domains = [
                ("plain", "domain".to_owned()),
                ("published", format!("domain-{long}")),
            ];
            for (variant, domain) in domains {
                let model = check(
                    &format!("htn/{kind}/{variant}/{domain}.hddl"),
                    &format!("htn/{kind}/{variant}/{size}.hddl"),
                );
                let network = model.network.unwrap().network;
                assert!(network.ordered);
                let tasks = if kind == "order" { cells } else { 1 };
                assert_eq!(network.subtasks.len(), tasks);
            }
        }
    }
}

#[test]
fn classical_models_read_without_a_word() {
    for kind in ["a", "b", "d"] {
        for size in ["4x4", "figure-1"] {
            let model = check(
                &format!("strips/{kind}/domain.pddl"),
                &format!("strips/{kind}/{size}.pddl"),
            );
            assert!(model.network.is_none());
            assert_eq!(model.actions.len(), 1);
        }
    }
}

#[test]
fn the_models_of_how_people_solve_read_without_a_word() {
    for size in ["4x4", "figure-1"] {
        let model = check("htn/human/domain.hddl", &format!("htn/human/{size}.hddl"));
        let twin = check(
            "strips/human/domain.pddl",
            &format!("strips/human/{size}.pddl"),
        );
        let names = |model: &Model| -> Vec<String> {
            model.actions.iter().map(|it| it.name.clone()).collect()
        };
        assert_eq!(names(&model), names(&twin));
        assert!(model.network.is_some_and(|it| it.network.ordered));
    }
}
