//! A server on a port of its own, asked over a real connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use planoku_engine::Cancel;
use planoku_web::{Limits, Server};
use serde_json::Value;

pub struct Running {
    pub address: SocketAddr,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub fn start(limits: Limits) -> Running {
    let server = Server::bind(0, limits).unwrap();
    let (address, cancel) = (server.address().unwrap(), Cancel::new());
    let stop = cancel.clone();
    let thread = std::thread::spawn(move || server.run(stop).unwrap());
    Running {
        address,
        cancel,
        thread: Some(thread),
    }
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        let lines = self.head.lines();
        let found = lines.filter_map(|line| line.split_once(": "));
        found
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .next()
            .unwrap_or_default()
    }
}

impl Running {
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    pub fn raw(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        finish(stream)
    }

    pub fn get(&self, path: &str) -> Answer {
        let host = self.address;
        self.raw(&format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        ))
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.raw(&self.posted(path, body))
    }

    pub fn posted(&self, path: &str, body: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }
}

pub fn finish(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}
