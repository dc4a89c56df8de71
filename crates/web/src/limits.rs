//! What a request may cost, in one place.

use std::time::Duration;

use planoku_api::Bounds;

/// Bounds of the whole service.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Time for sending a request's head, or its body.
    pub patience: Duration,
    /// Time, nodes and memory of a request.
    pub bounds: Bounds,
    /// Requests that work at the same time.
    pub at_once: usize,
    /// Requests that wait for their turn.
    pub waiting: usize,
    /// Time a request waits for its turn.
    pub wait: Duration,
    /// Streams of events that are open at the same time.
    pub streams: usize,
    /// Connections that are open at the same time; others wait to be accepted.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Limits {
            body: 1 << 20,
            patience: Duration::from_secs(10),
            bounds: Bounds::default(),
            at_once: cores.max(2),
            waiting: 512,
            wait: Duration::from_secs(10),
            streams: 32,
            connections: 4096,
        }
    }
}
