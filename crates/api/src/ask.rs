//! A question by its name, from text to text: for callers without types.

use planoku_engine::Cancel;

use crate::{Allowance, Bounds, Problem, Question};
use crate::{examples, list, model, people, read, solve, watch};

/// Answers what `POST` to `path` below `/api/v1` would, and `GET` where there
/// is no body; the answer is JSON.
pub fn ask(path: &str, body: &str, bounds: &Bounds, cancel: Cancel) -> Result<String, Problem> {
    match path {
        "/engines" => written(&list::engines()),
        "/examples" => written(&list::examples()),
        "/models" => written(&examples::EXAMPLES),
        "/watch/engines" => written(&watch::engines()),
        "/solve" => answer::<solve::Solve>(body, bounds, cancel),
        "/read" => answer::<read::Read>(body, bounds, cancel),
        "/hint" => answer::<people::AskHint>(body, bounds, cancel),
        "/rate" => answer::<people::AskRating>(body, bounds, cancel),
        "/generate" => answer::<people::AskPuzzle>(body, bounds, cancel),
        "/check" => answer::<model::Texts>(body, bounds, cancel),
        "/format" => answer::<model::Untidy>(body, bounds, cancel),
        "/hover" => answer::<model::Pointed>(body, bounds, cancel),
        "/ground" => answer::<model::AskGround>(body, bounds, cancel),
        "/plan" => answer::<model::AskPlan>(body, bounds, cancel),
        "/verify" => answer::<model::AskVerdict>(body, bounds, cancel),
        _ => Err(Problem::not_found(path)),
    }
}

fn answer<Q: Question>(body: &str, bounds: &Bounds, cancel: Cancel) -> Result<String, Problem> {
    let question: Q = serde_json::from_str(body).map_err(|error| Problem::not_json(&error))?;
    let budget = bounds.grant(question.wish());
    written(&question.answer(&Allowance { budget, cancel })?)
}

fn written(answer: &impl serde::Serialize) -> Result<String, Problem> {
    serde_json::to_string(answer).map_err(Problem::fault)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn asked(path: &str, body: Value) -> Value {
        let answer = ask(path, &body.to_string(), &Bounds::default(), Cancel::new());
        serde_json::from_str(&answer.unwrap()).unwrap()
    }

    #[test]
    fn every_question_is_answered_by_its_name() {
        let texts = json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM});
        let puzzle = json!({"puzzle": crate::EXAMPLE});
        assert_eq!(asked("/solve", puzzle.clone())["end"], "exhausted");
        let read = asked("/read", json!({"text": crate::EXAMPLE}));
        assert_eq!(read["puzzles"][0]["solutions"], "one");
        assert!(asked("/hint", puzzle.clone())["hint"].is_string());
        assert!(asked("/rate", puzzle)["er"].is_f64());
        assert_eq!(
            asked("/generate", json!({"size": 4}))["puzzle"]
                .as_str()
                .unwrap()
                .len(),
            16
        );
        assert_eq!(asked("/check", texts.clone())["errors"], 0);
        assert!(asked("/format", json!({"text": crate::DOMAIN}))["text"].is_string());
        let at = json!({"domain": crate::DOMAIN, "file": "domain", "offset": 16});
        assert_eq!(asked("/hover", at)["name"], "lamps");
        assert_eq!(asked("/ground", texts.clone())["actions"], 1);
        let plan = asked("/plan", texts.clone());
        assert_eq!(plan["steps"], json!(["(light a)"]));
        assert_eq!(plan["verified"], true);
        let verdict =
            json!({"domain": crate::DOMAIN, "problem": crate::PROBLEM, "plan": plan["plan"]});
        assert_eq!(asked("/verify", verdict)["valid"], true);
        for path in ["/engines", "/examples", "/models", "/watch/engines"] {
            assert!(
                asked(path, Value::Null).as_array().unwrap().len() > 1,
                "{path}"
            );
        }
    }

    #[test]
    fn what_is_no_question_is_refused_at_its_place() {
        let refused = |path: &str, body: &str| {
            ask(path, body, &Bounds::default(), Cancel::new()).unwrap_err()
        };
        assert_eq!(refused("/nowhere", "{}").status, 404);
        let problem = refused("/solve", "{\n  \"puzzle\": 1}");
        assert_eq!((problem.status, problem.line), (400, Some(2)));
        assert_eq!(refused("/solve", r#"{"puzzle":"12"}"#).status, 400);
        assert_eq!(
            refused("/plan", r#"{"domain":"(","problem":""}"#).status,
            400
        );
    }

    #[test]
    fn a_wish_is_granted_within_the_bounds() {
        let bounds = Bounds::default();
        let body =
            json!({"puzzle": ".".repeat(625), "engine": "bt", "nodes": 1_000_000}).to_string();
        let answer = ask("/solve", &body, &bounds, Cancel::new()).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            (&answer["end"], &answer["stopped_by"]),
            (&json!("stopped"), &json!("nodes"))
        );
        let strict = Bounds {
            nodes: 10,
            ..bounds
        };
        let answer = ask("/solve", &body, &strict, Cancel::new()).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer["nodes"].as_u64().unwrap() < 100_000, "{answer}");
    }
}
