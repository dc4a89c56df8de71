//! The server as a browser sees it.

mod common;
mod http;
mod openapi;
mod streams;
