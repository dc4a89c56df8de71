//! The page and its JSON API: one process, one port, nothing loaded from
//! elsewhere.
//!
//! ```text
//! connection ─ listen ─► guard (host, origin, headers) ─► assets (the page)
//!                                                      └► api ─ work ─► planoku-api
//! ```
//!
//! [`Server::bind`] takes a port of the loopback interface and [`Server::run`]
//! answers until it is told to stop. The crate knows HTTP and JSON and how much
//! a request may cost; what is asked for is answered by `planoku-api`.
//!
//! - [`listen`](mod@listen) accepts connections and loses patience with slow ones.
//! - [`guard`] refuses what did not come from our own page, and sets headers.
//! - [`work`] runs a request on a thread of its own: bounded in number, time,
//!   nodes and memory, cancelled when the client leaves.
//! - [`problem`] is how every refusal looks: `application/problem+json`.
//! - [`assets`] is the table of the files of the page.
//! - [`api`] holds one file for each group of addresses under `/api/v1`.

pub mod api;
pub mod assets;
pub mod guard;
pub mod limits;
pub mod listen;
pub mod problem;
pub mod report;
pub mod work;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use planoku_engine::Cancel;
use tokio::net::TcpListener;

pub use limits::Limits;
use work::WorkQueue;

/// What every handler is given.
#[derive(Clone)]
pub struct App {
    /// Where work is done.
    pub queue: Arc<WorkQueue>,
}

/// A server that holds its port, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    limits: Limits,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    /// Takes a port of the loopback interface; 0 lets the system choose.
    pub fn bind(port: u16, limits: Limits) -> io::Result<Server> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(limits.at_once + limits.streams + 8)
            .thread_name("planoku-web")
            .enable_all()
            .build()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = runtime.block_on(TcpListener::bind(address))?;
        Ok(Server {
            listener,
            limits,
            runtime,
        })
    }

    /// Where the page is.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `cancel` is pressed. Work in progress is then cancelled.
    pub fn run(self, cancel: Cancel) -> io::Result<()> {
        let app = App {
            queue: Arc::new(WorkQueue::new(self.limits.clone(), cancel.clone())),
        };
        let router = router(app, self.address()?.port());
        self.runtime
            .block_on(listen::serve(self.listener, router, self.limits, cancel));
        self.runtime
            .shutdown_timeout(std::time::Duration::from_secs(2));
        Ok(())
    }
}

/// Every address there is.
fn router(app: App, port: u16) -> Router {
    Router::new()
        .nest("/api/v1", api::router())
        .merge(assets::router())
        .fallback(problem::not_found)
        .method_not_allowed_fallback(problem::wrong_method)
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(port, guard::same_house))
        .with_state(app)
}
