//! The description says what the service does: every example runs, and answers
//! as described.

use crate::common::{Running, start};
use planoku_web::Limits;
use serde_json::Value;

fn description(server: &Running) -> Value {
    let answer = server.get("/api/v1/openapi.json");
    assert_eq!(answer.status, 200);
    answer.json()
}

/// What a reference leads to.
fn resolve<'a>(api: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return &api["components"]["schemas"][name];
    }
    if let Some(list) = schema["oneOf"].as_array() {
        let real = list.iter().find(|each| each["type"] != "null");
        return resolve(api, real.unwrap());
    }
    schema
}

/// Whether a value is what a schema says, as far as ours go.
fn fits(api: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = resolve(api, schema);
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    if value.is_null() {
        // What may be absent is described where it is referred to.
        return;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let number = kind == "integer" && kinds.contains(&"number");
    assert!(
        kinds.contains(&kind) || number,
        "{place}: {kind}, not {kinds:?}"
    );
    if let Value::Array(items) = value {
        for (nth, item) in items.iter().enumerate() {
            fits(api, &schema["items"], item, &format!("{place}[{nth}]"));
        }
    }
    if let (Value::Object(members), Some(fields)) = (value, schema["properties"].as_object()) {
        for (name, member) in members {
            let field = fields.get(name);
            let field = field.unwrap_or_else(|| panic!("{place}.{name} is not described"));
            fits(api, field, member, &format!("{place}.{name}"));
        }
        let required = schema["required"].as_array();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            assert!(members.contains_key(name), "{place}.{name} is missing");
        }
    }
}

#[test]
fn every_example_runs_and_answers_as_described() {
    let server = start(Limits::default());
    let api = description(&server);
    let mut ran = 0;
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = &operation["responses"]["200"]["content"];
            if content["text/event-stream"].is_object() {
                continue; // Streams have tests of their own.
            }
            let query: Vec<String> = (operation["parameters"].as_array().into_iter().flatten())
                .filter(|each| !each["example"].is_null())
                .map(|each| {
                    let value = each["example"].as_str().unwrap_or_default();
                    format!("{}={value}", each["name"].as_str().unwrap())
                })
                .collect();
            let answer = match method.as_str() {
                "get" if query.is_empty() => server.get(path),
                "get" => server.get(&format!("{path}?{}", query.join("&"))),
                "post" => {
                    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                    let example = &resolve(&api, body)["example"];
                    assert!(example.is_object(), "{path} has no example");
                    server.post(path, &example.to_string())
                }
                other => panic!("{path}: {other}"),
            };
            if path.ends_with("/race/cancel") {
                // No race is running here; the tests in a browser cancel one.
                assert_eq!(answer.status, 400, "{path}: {}", answer.body);
                continue;
            }
            assert_eq!(answer.status, 200, "{path}: {}", answer.body);
            fits(
                &api,
                &content["application/json"]["schema"],
                &answer.json(),
                path,
            );
            ran += 1;
        }
    }
    assert!(ran >= 16, "{ran} operations");
}

#[test]
fn every_operation_says_what_it_does() {
    let server = start(Limits::default());
    for (path, item) in description(&server)["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let summary = operation["summary"].as_str();
            assert!(summary.is_some_and(|text| text.len() > 10), "{path}");
            assert!(operation["tags"].is_array(), "{path}");
        }
    }
}
