//! How much memory this process holds: counted by the allocator, so that limits
//! hold, and as the system sees it, where it tells (Linux does), for reports.

use std::alloc::System;
use std::io::Write;

use planoku_engine::memory::{Counting, set_ceiling};

#[global_allocator]
static ALLOCATOR: Counting<System> = Counting(System);

/// The exit code of whatever a limit has stopped.
pub const STOPPED: u8 = 20;

/// The last resort: work that grows past `bytes` without asking its run, such
/// as reading a file, ends the process as a limit does.
pub fn never_exceed(bytes: u64) {
    set_ceiling(bytes, || end("stopped by memory\n"));
}

/// Ends the process at once, as stopped. Allocates nothing and waits for no
/// lock.
pub fn end(message: &str) {
    #[cfg(unix)]
    {
        use std::os::fd::FromRawFd;
        // SAFETY: the descriptor is standard error's, and is not closed here.
        let mut stderr = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(2) });
        let _ = stderr.write_all(message.as_bytes());
    }
    #[cfg(not(unix))]
    let _ = std::io::stderr().write_all(message.as_bytes());
    std::process::exit(i32::from(STOPPED))
}

/// Bytes held now.
pub fn now() -> Option<u64> {
    read("VmRSS:")
}

/// The most bytes held at once so far.
pub fn peak() -> Option<u64> {
    read("VmHWM:")
}

fn read(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// As people say it: `12 MB`.
pub fn say(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1 << 20))
}
