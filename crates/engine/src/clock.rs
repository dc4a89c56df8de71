//! A clock that also runs in a browser.
//!
//! Everywhere else [`Instant`] is the system's own. WebAssembly without a
//! system has no clock and the standard one panics there, so this one asks the
//! function given to `set`; before that time stands still, and only nodes and
//! cancellation end a search.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use browser::{Instant, set};

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod browser {
    use std::sync::OnceLock;
    use std::time::Duration;

    static READ: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Says how to read the clock, say by `performance.now()`: the time since
    /// any fixed moment. The first call counts.
    pub fn set(read: fn() -> Duration) {
        _ = READ.set(read);
    }

    /// A moment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(READ.get().map_or(Duration::ZERO, |read| read()))
        }

        /// Time since the moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        /// Time since an earlier moment; none if it is later.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// A moment so much later, if there is one.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}
