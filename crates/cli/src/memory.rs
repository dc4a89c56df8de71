//! How much memory this process holds, where the system tells (Linux does).

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
