//! What is answered and what is refused, over real connections.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::common::{Answer, finish, start};
use planoku_web::Limits;
use serde_json::json;

const PUZZLE: &str =
    "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..";
/// Takes the agents' engine far longer than any test.
const EMPTY_25: usize = 625;

#[track_caller]
fn refused(answer: &Answer, status: u16, kind: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), "application/problem+json");
    assert_eq!(answer.json()["type"], kind);
    assert_eq!(answer.json()["status"], status);
}

#[test]
fn a_puzzle_is_solved_and_said_to_be_unique() {
    let server = start(Limits::default());
    let body = json!({ "puzzle": PUZZLE }).to_string();
    let answer = server.post("/api/v1/solve", &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let found = answer.json();
    assert_eq!(found["end"], "exhausted");
    assert_eq!(found["engine"], "native");
    assert_eq!(found["verified"], true);
    assert_eq!(found["solutions"].as_array().unwrap().len(), 1);
    // Where there is none, nothing was verified.
    let body = json!({ "puzzle": format!("11{}", ".".repeat(79)) }).to_string();
    let found = server.post("/api/v1/solve", &body).json();
    assert_eq!(
        (&found["end"], &found["verified"]),
        (&json!("exhausted"), &json!(null))
    );
}

#[test]
fn the_page_and_its_files_are_answered_with_strict_headers() {
    let server = start(Limits::default());
    for path in planoku_web::assets::VIEWS {
        let page = server.get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(page.body.starts_with("<!doctype html>"), "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
    for asset in planoku_web::assets::ASSETS {
        let file = server.get(&format!("/static/{}", asset.path));
        assert_eq!(file.status, 200, "{}", asset.path);
        assert_eq!(file.header("x-content-type-options"), "nosniff");
        let tag = file.header("etag").to_owned();
        let again = server.raw(&format!(
            "GET /static/{} HTTP/1.1\r\nhost: {}\r\nif-none-match: {tag}\r\nconnection: close\r\n\r\n",
            asset.path, server.address
        ));
        assert_eq!((again.status, again.body.as_str()), (304, ""));
    }
}

#[test]
fn no_path_leads_into_the_file_system() {
    let server = start(Limits::default());
    let paths = [
        "/static/../Cargo.toml",
        "/static/..%2f..%2fCargo.toml",
        "/static//etc/passwd",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/../../etc/passwd",
        "/nowhere",
        "/api/v1/nowhere",
    ];
    for path in paths {
        refused(&server.get(path), 404, "not-found");
    }
    let answer = server.get("/api/v1/nowhere").json();
    assert_eq!(answer["detail"], "no such address: /api/v1/nowhere");
}

#[test]
fn only_our_own_name_is_answered() {
    let server = start(Limits::default());
    let port = server.address.port();
    let ask = |head: String| {
        server.raw(&format!(
            "GET /api/v1/engines HTTP/1.1\r\n{head}connection: close\r\n\r\n"
        ))
    };
    for host in ["evil.example", "evil.example:80", "localhost:1", "[::1]"] {
        refused(&ask(format!("host: {host}\r\n")), 421, "wrong-host");
    }
    let ours = format!("host: localhost:{port}\r\n");
    assert_eq!(ask(ours.clone()).status, 200);
    for origin in ["http://evil.example", "null", "http://localhost:1"] {
        refused(
            &ask(format!("{ours}origin: {origin}\r\n")),
            403,
            "wrong-origin",
        );
    }
    let own = format!("{ours}origin: http://localhost:{port}\r\n");
    assert_eq!(ask(own).status, 200);
}

#[test]
fn what_is_no_request_is_refused_in_words() {
    let server = start(Limits::default());
    let solve = "/api/v1/solve";
    for body in [
        "",
        "{",
        "[]",
        "{\"puzzle\":1}",
        "{\"puzzle\":\"1\",\"x\":1}",
        "\u{0}",
    ] {
        let answer = server.post(solve, body);
        refused(&answer, 400, "bad-input");
        assert!(answer.json()["line"].is_u64(), "{}", answer.body);
    }
    let body = json!({ "puzzle": PUZZLE, "engine": "magic" }).to_string();
    let answer = server.post(solve, &body);
    refused(&answer, 400, "bad-input");
    assert!(answer.body.contains("magic"));
    let answer = server.raw(&format!(
        "POST {solve} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{{}}",
        server.address
    ));
    refused(&answer, 415, "wrong-type");
    refused(&server.get(solve), 405, "wrong-method");
}

#[test]
fn a_body_that_is_too_large_is_refused_and_not_kept() {
    let server = start(Limits::default());
    let body = json!({ "puzzle": "1".repeat(10 << 20) }).to_string();
    refused(&server.post("/api/v1/solve", &body), 413, "too-large");
}

#[test]
fn slow_requests_lose_their_connection() {
    let server = start(Limits {
        patience: Duration::from_millis(300),
        ..Limits::default()
    });
    // Half a head, and half a body.
    let whole = server.posted("/api/v1/solve", "{\"puzzle\":\"1\"}");
    for part in [20, whole.len() - 5] {
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..part]).unwrap();
        let asked = Instant::now();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(asked.elapsed() < Duration::from_secs(30));
        let text = String::from_utf8_lossy(&rest);
        assert!(text.is_empty() || text.contains("408"), "{text}");
    }
}

#[test]
fn too_many_requests_at_once_are_refused_and_the_next_is_answered() {
    let server = start(Limits {
        at_once: 1,
        waiting: 0,
        ..Limits::default()
    });
    // Enumerating the empty board would take for ever. Of two who ask for it, one
    // holds the only turn, whoever came first, and the other is refused.
    let endless = json!({ "puzzle": ".".repeat(EMPTY_25), "engine": "bt" }).to_string();
    let request = server.posted("/api/v1/solve", &endless);
    let (answered, answers) = std::sync::mpsc::channel();
    let streams = [(); 2].map(|()| {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let (reader, answered) = (stream.try_clone().unwrap(), answered.clone());
        std::thread::spawn(move || answered.send(finish(reader)));
        stream
    });
    refused(&answers.recv().unwrap(), 429, "busy");
    let easy = json!({ "puzzle": PUZZLE }).to_string();
    refused(&server.post("/api/v1/solve", &easy), 429, "busy");
    // The client leaves: its work is cancelled, and the turn is free again.
    for stream in streams {
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
    let free = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        server.post("/api/v1/solve", &easy).status == 200
    });
    assert!(free, "work goes on for a client that has left");
}

#[test]
fn every_format_is_read_and_said_to_have_none_one_or_many_solutions() {
    let server = start(Limits::default());
    let ask = |text: &str| {
        let answer = server.post("/api/v1/read", &json!({ "text": text }).to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    };
    let found = ask(&format!(
        "{PUZZLE}\n{}\n11{}\nnonsense\n",
        ".".repeat(81),
        ".".repeat(79)
    ));
    let said: Vec<&str> = found["puzzles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|puzzle| puzzle["solutions"].as_str().unwrap())
        .collect();
    assert_eq!(said, ["one", "many", "none"]);
    assert_eq!(found["mistakes"][0]["line"], 4);
}
