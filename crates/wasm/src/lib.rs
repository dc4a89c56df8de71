//! Planoku in a worker of a browser.
//!
//! The page asks a worker instead of a server: [`ask`] answers what a `POST`
//! to `/api/v1` would, `watch` tells what its stream of events would. Both
//! are the functions of `planoku-api`, with bounds for a browser. Cancelling
//! is the page's business: it ends the worker.
//!
//! WebAssembly has no clock of its own: time is the browser's
//! (`performance.now`), and what happens meanwhile is told to `planoku.tell`,
//! which the worker defines (`crates/web/static/lib/answers.js`).

use std::time::Duration;

use planoku_api::watch::{Watch, chunks};
use planoku_api::{Allowance, Bounds, Problem};
use planoku_engine::Cancel;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(target_arch = "wasm32")]
mod browser {
    use std::alloc::System;
    use std::time::Duration;

    use planoku_engine::memory::Counting;
    use wasm_bindgen::prelude::wasm_bindgen;

    // So that budgets of memory are kept.
    #[global_allocator]
    static ALLOCATOR: Counting<System> = Counting(System);

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
        #[wasm_bindgen(js_namespace = planoku)]
        pub fn tell(name: &str, data: &str);
    }

    /// Before anything else: a clock, and what to do with a panic.
    #[wasm_bindgen(start)]
    pub fn start() {
        planoku_engine::clock::set(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
        std::panic::set_hook(Box::new(|panic| tell("panic", &panic.to_string())));
    }
}

/// What a question may cost here.
fn bounds() -> Bounds {
    Bounds {
        time: Duration::from_secs(60),
        memory: 1 << 30,
        ..Bounds::default()
    }
}

/// Answers the question at a path below `/api/v1`: JSON, or the problem as JSON.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn ask(path: &str, body: &str) -> Result<String, String> {
    planoku_api::ask(path, body, &bounds(), Cancel::new()).map_err(|problem| written(&problem))
}

/// Tells a search, event by event, as `/api/v1/watch` does.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn watch(question: &str) {
    watched(question, browser::tell);
}

/// Tells the events of a search: their name, and their data as JSON.
pub fn watched(question: &str, mut tell: impl FnMut(&str, &str) + Send) {
    match record(question, &mut tell) {
        Ok(()) => tell("done", "{}"),
        Err(problem) => tell("refused", &written(&problem)),
    }
}

fn record(question: &str, tell: &mut (impl FnMut(&str, &str) + Send)) -> Result<(), Problem> {
    let asked = serde_json::from_str::<Watch>(question);
    let asked = asked.map_err(|error| Problem::not_json(&error))?;
    let allowance = Allowance {
        budget: bounds().grant(asked.wish()),
        cancel: Cancel::new(),
    };
    let sign = |choices: u64| tell("progress", &format!("{{\"choices\":{choices}}}"));
    let trace = asked.search()?.record(&allowance, sign)?;
    tell("header", &trace.header.json());
    for chunk in chunks(&trace) {
        tell("events", &chunk);
    }
    Ok(())
}

fn written(problem: &Problem) -> String {
    serde_json::to_string(problem).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(question: &str) -> Vec<(String, serde_json::Value)> {
        let mut told = Vec::new();
        watched(question, |name, data| {
            told.push((name.to_owned(), serde_json::from_str(data).unwrap()));
        });
        told
    }

    #[test]
    fn a_question_is_answered_and_nonsense_is_a_problem() {
        let answer = ask("/solve", r#"{"puzzle":".....4..1.2...1."}"#).unwrap();
        assert!(answer.contains("\"verified\":true"), "{answer}");
        let problem = ask("/solve", "{").unwrap_err();
        assert!(problem.contains("\"status\":400"), "{problem}");
    }

    #[test]
    fn a_search_is_told_from_its_header_to_its_end() {
        let told = told(r#"{"puzzle":".....4..1.2...1.","engine":"bt"}"#);
        let mut names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
        // How many parts the events come in depends on the clock.
        names.dedup();
        assert_eq!(names, ["header", "events", "done"]);
        let events = told[told.len() - 2].1.as_array().unwrap();
        assert_eq!(events.last().unwrap()["end"]["found"], 1);
    }

    #[test]
    fn what_cannot_be_watched_is_refused() {
        for question in ["{", r#"{"puzzle":"1","engine":"bt"}"#] {
            assert_eq!(told(question)[0].0, "refused", "{question}");
        }
    }
}
