//! Memory counted by the allocator: this test program installs it.

use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use planoku_engine::memory::{self, Account, Counting};
use planoku_engine::{Budget, Run, Stop};

#[global_allocator]
static ALLOCATOR: Counting<System> = Counting(System);

const MB: u64 = 1 << 20;

/// Tests share one process, and so one count.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn held() -> u64 {
    memory::in_use().unwrap()
}

#[test]
fn a_run_stops_by_what_the_process_holds_not_by_what_engines_believe() {
    let _alone = alone();
    let limit = held() + 160 * MB;
    let mut run = Run::all().with_budget(Budget {
        memory: Some(limit),
        ..Budget::default()
    });
    // Small blocks, for which allocators need far more than was asked for.
    let mut blocks: Vec<Box<u64>> = Vec::with_capacity(16 << 20);
    let stop = loop {
        blocks.push(Box::new(7));
        if let Err(stop) = run.tick() {
            break stop;
        }
    };
    assert_eq!(stop, Stop::Memory);
    assert!(held() > limit / 100 * 90 && held() < limit, "{}", held());
    assert_eq!(run.check_memory(0), Err(Stop::Memory));
    drop(blocks);
    assert_eq!(run.check_memory(u64::MAX), Ok(()));
}

#[test]
fn what_one_thread_allocates_and_another_frees_is_counted_once() {
    let _alone = alone();
    let before = held();
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            for _ in 0..64 {
                send.send(vec![1u8; MB as usize]).unwrap();
            }
        });
        let blocks: Vec<Vec<u8>> = receive.iter().collect();
        assert!(held() >= before + 64 * MB);
        drop(blocks);
    });
    assert!(held() < before + MB, "{} {before}", held());
}

#[test]
fn threads_that_end_leave_their_account_to_others() {
    let _alone = alone();
    let before = held();
    for _ in 0..2000 {
        let kept = thread::spawn(|| {
            let kept = vec![0u8; 100_000];
            let account = Account::of_this_thread().expect("an account for each thread");
            assert!(account.balance() >= 50_000);
            memory::leave_account();
            kept
        });
        drop(kept.join().unwrap());
    }
    assert!(held() < before + MB, "{} {before}", held());
}
