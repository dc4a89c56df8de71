//! Memory as the allocator counts it.
//!
//! A binary that makes [`Counting`] its global allocator knows at any moment
//! how many bytes it holds, and every [`Run`](crate::Run) with a memory budget
//! goes by that number: the budget is then one for the whole process. Without
//! it (a library inside somebody else's program) [`in_use`] knows nothing, and
//! runs go by what engines estimate themselves.
//!
//! ```
//! use planoku_engine::memory::{self, Counting};
//! use std::alloc::System;
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting<System> = Counting(System);
//!
//! let before = memory::in_use().unwrap();
//! let block = vec![0u8; 1 << 20];
//! assert!(memory::in_use().unwrap() >= before + (1 << 20));
//! drop(block);
//! assert!(memory::in_use().unwrap() < before + (1 << 20));
//! ```
//!
//! Counting costs an addition: each thread keeps its own balance in an
//! [`Account`], which nobody else writes, and whoever wants the sum adds them
//! up. What one thread allocates and another frees leaves one balance too high
//! and the other too low; the sum is right.
//!
//! [`set_ceiling`] is the last resort, for whatever grows without asking its
//! run: above the ceiling the process is ended before the memory is taken.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// An allocator that counts what passes through it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting<A>(pub A);

/// Threads with a balance of their own at a time; further ones share one.
const ACCOUNTS: usize = 256;

/// Bytes a thread may take between two looks at the ceiling.
const BETWEEN_LOOKS: i64 = 1 << 20;

/// One thread's balance, on a cache line of its own.
#[repr(align(64))]
struct Slot(AtomicI64);

/// The first belongs to everybody, the others to one thread each.
static SLOTS: [Slot; ACCOUNTS] = [const { Slot(AtomicI64::new(0)) }; ACCOUNTS];
static TAKEN: [AtomicBool; ACCOUNTS] = [const { AtomicBool::new(false) }; ACCOUNTS];
/// All slots from here on were never taken; 0 means that nothing is counted.
static USED: AtomicUsize = AtomicUsize::new(0);

static CEILING: AtomicU64 = AtomicU64::new(u64::MAX);
static AT_CEILING: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

const UNKNOWN: usize = usize::MAX;

thread_local! {
    // Neither needs a destructor, so that both may be used by the allocator.
    static OWN: Cell<usize> = const { Cell::new(UNKNOWN) };
    static UNTIL_LOOK: Cell<i64> = const { Cell::new(BETWEEN_LOOKS) };
}

/// Bytes held by the whole process now; `None` if nobody counts.
pub fn in_use() -> Option<u64> {
    let used = USED.load(Ordering::Relaxed);
    let sum: i64 = SLOTS[..used]
        .iter()
        .map(|slot| slot.0.load(Ordering::Relaxed))
        .sum();
    (used > 0).then_some(sum.max(0) as u64)
}

/// Whose balance is asked for: one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account(usize);

impl Account {
    /// That of the calling thread; `None` if nobody counts, or if so many
    /// threads are at work that this one has none of its own.
    pub fn of_this_thread() -> Option<Account> {
        let own = OWN.try_with(Cell::get).unwrap_or(0);
        (own != UNKNOWN && own != 0).then_some(Account(own))
    }

    /// What the thread has allocated and not freed.
    pub fn balance(self) -> u64 {
        SLOTS[self.0].0.load(Ordering::Relaxed).max(0) as u64
    }
}

/// Gives the calling thread's account back, for another thread to take; to be
/// called at the end of threads that are started again and again. What is left
/// of the balance becomes everybody's.
pub fn leave_account() {
    let Some(Account(own)) = Account::of_this_thread() else {
        return;
    };
    let _ = OWN.try_with(|it| it.set(0));
    let rest = SLOTS[own].0.swap(0, Ordering::Relaxed);
    SLOTS[0].0.fetch_add(rest, Ordering::Relaxed);
    TAKEN[own].store(false, Ordering::Release);
}

/// Calls `end` as soon as the process holds more than `bytes`. It is called
/// inside the allocator and so must neither allocate nor return; a process
/// that comes to its ceiling again while ending is left alone.
pub fn set_ceiling(bytes: u64, end: fn()) {
    AT_CEILING.store(end as *mut (), Ordering::Release);
    CEILING.store(bytes, Ordering::Release);
}

/// Lets threads that work one after the other, at most so many at a time, use the
/// same regions of memory, so that one can have what another gave back. By itself
/// the C library of Linux gives each of the first threads a region of its own,
/// which keeps what was freed in it. To be called before threads are started;
/// elsewhere it does nothing.
pub fn share_regions(at_a_time: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const M_ARENA_MAX: std::ffi::c_int = -8;
        unsafe extern "C" {
            fn mallopt(param: std::ffi::c_int, value: std::ffi::c_int) -> std::ffi::c_int;
        }
        let most = at_a_time.clamp(1, 1024) as std::ffi::c_int;
        // SAFETY: the function is the C library's, may be called at any time, and
        // refuses what it does not know.
        unsafe { mallopt(M_ARENA_MAX, most) };
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = at_a_time;
}

/// What an allocation of this size takes: the allocators at hand keep a word
/// beside each block and hand out multiples of sixteen bytes.
fn cost(size: usize) -> i64 {
    ((size + 8 + 15) & !15).max(32) as i64
}

#[inline]
fn add(bytes: i64) {
    let own = OWN.try_with(Cell::get).unwrap_or(0);
    match own {
        UNKNOWN => open_account(bytes),
        0 => {
            SLOTS[0].0.fetch_add(bytes, Ordering::Relaxed);
        }
        own => {
            // Nobody else writes here: no need for an atomic addition.
            let slot = &SLOTS[own].0;
            slot.store(slot.load(Ordering::Relaxed) + bytes, Ordering::Relaxed);
        }
    }
}

#[cold]
fn open_account(bytes: i64) {
    USED.fetch_max(1, Ordering::Relaxed);
    let free = (1..ACCOUNTS).find(|&it| {
        let taken = TAKEN[it].compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
        taken.is_ok()
    });
    let own = free.unwrap_or(0);
    USED.fetch_max(own + 1, Ordering::Relaxed);
    // A thread about to end has no place to remember its account.
    let own = match OWN.try_with(|it| it.set(own)) {
        Ok(()) => own,
        Err(_) => 0,
    };
    SLOTS[own].0.fetch_add(bytes, Ordering::Relaxed);
}

/// Before memory is taken.
#[inline]
fn before(bytes: i64) {
    let left = UNTIL_LOOK.try_with(|it| {
        let left = it.get() - bytes;
        it.set(left);
        left
    });
    if left.unwrap_or(-1) < 0 {
        look(bytes);
    }
}

#[cold]
fn look(bytes: i64) {
    let _ = UNTIL_LOOK.try_with(|it| it.set(BETWEEN_LOOKS));
    let ceiling = CEILING.load(Ordering::Acquire);
    let held = in_use().unwrap_or(0);
    if held.saturating_add(bytes as u64) > ceiling {
        CEILING.store(u64::MAX, Ordering::Relaxed);
        let end = AT_CEILING.load(Ordering::Acquire);
        if !end.is_null() {
            // SAFETY: only `set_ceiling` writes here, and it writes a `fn()`.
            let end: fn() = unsafe { std::mem::transmute::<*mut (), fn()>(end) };
            end();
        }
    }
}

// SAFETY: every call is passed on to an allocator that keeps the contract;
// counting neither allocates nor unwinds.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = cost(layout.size());
        before(bytes);
        // SAFETY: as promised by the caller.
        let block = unsafe { self.0.alloc(layout) };
        if !block.is_null() {
            add(bytes);
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let bytes = cost(layout.size());
        before(bytes);
        // SAFETY: as promised by the caller.
        let block = unsafe { self.0.alloc_zeroed(layout) };
        if !block.is_null() {
            add(bytes);
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { self.0.dealloc(block, layout) };
        add(-cost(layout.size()));
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let growth = cost(size) - cost(layout.size());
        if growth > 0 {
            before(growth);
        }
        // SAFETY: as promised by the caller.
        let block = unsafe { self.0.realloc(block, layout, size) };
        if !block.is_null() {
            add(growth);
        }
        block
    }
}
