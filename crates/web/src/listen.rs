//! Connections: accepted up to a number, and closed when they stall.
//!
//! A client that does not finish its request's head, that sends nothing more,
//! or that does not read what it asked for, loses its connection; nothing is
//! kept for it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{io, mem};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use planoku_engine::Cancel;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};
use tower_service::Service;

use crate::limits::Limits;

/// How often to look whether we shall stop.
const IDLE: Duration = Duration::from_millis(100);

/// Answers until `cancel` is pressed.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, cancel: Cancel) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut idle = tokio::time::interval(IDLE);
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let accepted = loop {
            tokio::select! {
                accepted = listener.accept() => break accepted,
                _ = idle.tick() => if cancel.is_cancelled() { return },
            }
        };
        let Ok((stream, _)) = accepted else {
            // Out of file descriptors, most likely: some will be closed.
            tokio::time::sleep(IDLE).await;
            continue;
        };
        let (router, patience) = (router.clone(), limits.patience);
        tokio::spawn(async move {
            let _place = place;
            // A client that leaves is no error of ours.
            let _ = connection(stream, router, patience).await;
        });
    }
}

async fn connection(
    stream: TcpStream,
    router: Router,
    patience: Duration,
) -> Result<(), hyper::Error> {
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut router = router.clone();
        async move {
            let answer: Result<_, Infallible> = router.call(request.map(Body::new)).await;
            answer
        }
    });
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(Patient::new(stream, patience)), service)
        .await
}

/// A stream whose writes fail if the other side takes nothing for a while.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Patient {
        Patient {
            stream,
            patience,
            stalled: None,
        }
    }

    /// Starts or stops the clock, and fails when it has run down.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let end = Instant::now() + self.patience;
        let clock = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(end)));
        ready!(clock.as_mut().poll(context));
        mem::take(&mut self.stalled);
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.judge(context, written)
    }
}
