//! Streams of events over a real connection: they begin, stay within their cap
//! and end, and the work behind them ends when the client hangs up.
//!
//! A turn is given back by the thread that works when it has returned, never
//! earlier: a turn that is free again is a search that has ended.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::{Running, start};
use planoku_api::Bounds;
use planoku_web::Limits;
use serde_json::{Value, json};

const PUZZLE: &str =
    "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..";
/// Chronological backtracking never comes to the end of an empty board of this size.
const EMPTY_25: usize = 625;

/// A stream of server-sent events.
struct Stream {
    lines: BufReader<TcpStream>,
    status: u16,
}

impl Stream {
    fn open(server: &Running, path: &str) -> Stream {
        let mut connection = server.connect();
        let host = server.address;
        write!(connection, "GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n").unwrap();
        let mut lines = BufReader::new(connection);
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
        Stream {
            lines,
            status: status.unwrap(),
        }
    }

    /// The next event: its name and data. The lengths of chunks are lines too,
    /// and are passed over; `None` at the end.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 || line == "0\r\n" {
                return None;
            }
            if let Some(word) = line.strip_prefix("event: ") {
                name = word.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).unwrap()));
            }
        }
    }

    fn all(mut self) -> Vec<(String, Value)> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

fn endless(engine: &str) -> String {
    let puzzle = ".".repeat(EMPTY_25);
    format!("/api/v1/watch?engine={engine}&puzzle={puzzle}")
}

/// One turn, no queue, one stream: whoever still works is seen by the next.
fn narrow() -> Limits {
    Limits {
        at_once: 1,
        waiting: 0,
        streams: 1,
        bounds: Bounds {
            time: Duration::from_secs(600),
            nodes: u64::MAX,
            ..Bounds::default()
        },
        ..Limits::default()
    }
}

fn solved(server: &Running) -> u16 {
    let body = json!({ "puzzle": PUZZLE }).to_string();
    server.post("/api/v1/solve", &body).status
}

/// Whether something becomes true while others are given time.
fn soon(mut test: impl FnMut() -> bool) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        test()
    })
}

#[test]
fn watching_begins_with_a_header_and_ends_with_the_solution() {
    let server = start(Limits::default());
    let path = format!("/api/v1/watch?engine=fc:mrv&puzzle={PUZZLE}");
    let told = Stream::open(&server, &path).all();
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = names
        .into_iter()
        .filter(|name| *name != "progress")
        .collect();
    assert_eq!(names.first(), Some(&"header"));
    assert_eq!(names.last(), Some(&"done"));
    let header = &told.iter().find(|(name, _)| name == "header").unwrap().1;
    assert_eq!(
        (&header["trace"], &header["capped"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(header["puzzle"], PUZZLE);
    let events: Vec<&Value> = told
        .iter()
        .filter(|(name, _)| name == "events")
        .flat_map(|(_, list)| list.as_array().unwrap())
        .collect();
    for (nth, event) in events.iter().enumerate() {
        assert_eq!(event["n"], nth + 1);
    }
    assert_eq!(events.last().unwrap()["end"]["found"], 1);
}

#[test]
fn a_long_search_is_capped_and_says_so() {
    let server = start(Limits::default());
    let path = format!("/api/v1/watch?engine=fc&limit=200&puzzle={PUZZLE}");
    let told = Stream::open(&server, &path).all();
    let header = &told.iter().find(|(name, _)| name == "header").unwrap().1;
    assert_eq!(header["capped"], true);
    let lists = told.iter().filter(|(name, _)| name == "events");
    let many: usize = lists.map(|(_, list)| list.as_array().unwrap().len()).sum();
    assert!((20..=200).contains(&many), "{many} events");
    assert_eq!(told.last().unwrap().0, "done");
}

#[test]
fn a_search_that_is_watched_ends_when_the_client_hangs_up() {
    let server = start(narrow());
    let mut stream = Stream::open(&server, &endless("bt"));
    let (name, sign) = stream.next().unwrap();
    assert_eq!(name, "progress");
    let (_, later) = stream.next().unwrap();
    assert!(
        later["choices"].as_u64() > sign["choices"].as_u64(),
        "it works"
    );
    assert_eq!(solved(&server), 429, "the only turn is taken");
    assert_eq!(
        Stream::open(&server, &endless("bt")).status,
        429,
        "so is the only stream"
    );
    drop(stream);
    assert!(
        soon(|| solved(&server) == 200),
        "the search goes on for nobody"
    );
    let path = format!("/api/v1/watch?engine=native&puzzle={PUZZLE}");
    assert!(
        soon(|| Stream::open(&server, &path).status == 200),
        "the stream is kept for nobody"
    );
}

#[test]
fn a_client_that_hangs_up_while_it_waits_for_its_turn_is_forgotten() {
    let server = start(Limits {
        waiting: 1,
        streams: 2,
        ..narrow()
    });
    let mut first = Stream::open(&server, &endless("bt"));
    first.next().unwrap();
    let second = Stream::open(&server, &endless("bt"));
    assert_eq!(second.status, 200);
    assert!(
        soon(|| solved(&server) == 429),
        "the only place in the queue is taken"
    );
    drop(second);
    // The place in the queue and the stream are free, the turn is not.
    let path = format!("/api/v1/watch?engine=native&puzzle={PUZZLE}");
    assert!(soon(|| Stream::open(&server, &path).status == 200));
    drop(first);
    assert!(soon(|| solved(&server) == 200));
}

#[test]
fn a_race_shows_every_lane_and_ends_when_the_client_hangs_up() {
    let server = start(narrow());
    let path = format!(
        "/api/v1/race?engines=native,bt&puzzle={}&time_ms=600000",
        ".".repeat(EMPTY_25)
    );
    let mut stream = Stream::open(&server, &path);
    let (name, race) = stream.next().unwrap();
    assert_eq!(name, "start");
    assert_eq!(race["lanes"].as_array().unwrap().len(), 2);
    let (name, _) = stream.next().unwrap();
    assert_eq!(name, "lanes");
    assert_eq!(solved(&server), 429, "the only turn is taken");
    // A lane that is cancelled ends alone.
    let body = json!({ "race": race["race"], "engine": "bt" }).to_string();
    assert_eq!(
        server.post("/api/v1/race/cancel", &body).json(),
        json!({ "cancelled": 1 })
    );
    let ended = |lanes: &Value| {
        let lanes = lanes["lanes"].as_array().unwrap();
        (lanes.iter()).any(|lane| lane["engine"] == "bt" && lane["end"] == "cancelled")
    };
    assert!(std::iter::from_fn(|| stream.next()).any(|(_, lanes)| ended(&lanes)));
    drop(stream);
    assert!(
        soon(|| solved(&server) == 200),
        "the race goes on for nobody"
    );
    // A race may run again, and ends by itself.
    let path = format!("/api/v1/race?engines=native,sat&puzzle={PUZZLE}");
    let told = Stream::open(&server, &path).all();
    let solved = told
        .iter()
        .flat_map(|(_, data)| data["lanes"].as_array().cloned());
    assert_eq!(
        solved
            .flatten()
            .filter(|lane| lane["solved"] == true)
            .count(),
        2
    );
}

#[test]
fn what_cannot_be_watched_is_refused_in_words() {
    let server = start(Limits::default());
    for query in [
        "",
        "engine=bt",
        "engine=magic&puzzle=1",
        "engine=bt&puzzle=1&x=1",
    ] {
        let answer = server.get(&format!("/api/v1/watch?{query}"));
        assert_eq!(answer.status, 400, "{query}: {}", answer.body);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}
