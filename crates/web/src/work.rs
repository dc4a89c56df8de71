//! Where searches run: on threads of their own, so many at once, each with a
//! budget, and cancelled as soon as nobody waits for the answer.
//!
//! A handler's future is dropped when its client leaves; the [`CancelOnDrop`] it
//! holds is dropped with it, and that presses the run's [`Cancel`].

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use planoku_api::{Allowance, Problem, Question, Wish};
use planoku_engine::{Budget, Cancel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::Limits;

/// Hands out turns.
pub struct WorkQueue {
    /// What a request may cost.
    pub limits: Limits,
    turns: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    waiting: AtomicUsize,
    closing: Cancel,
}

/// Presses a [`Cancel`] when it is dropped.
pub struct CancelOnDrop(pub Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl WorkQueue {
    /// A queue in which nobody waits. `closing` is pressed when the server stops.
    pub fn new(limits: Limits, closing: Cancel) -> WorkQueue {
        WorkQueue {
            turns: Arc::new(Semaphore::new(limits.at_once)),
            streams: Arc::new(Semaphore::new(limits.streams)),
            waiting: AtomicUsize::new(0),
            limits,
            closing,
        }
    }

    /// What a request may spend that wishes for so much.
    pub fn budget(&self, wish: Wish) -> Budget {
        self.limits.bounds.grant(wish)
    }

    /// Answers a question when its turn has come.
    pub async fn answer<Q: Question>(&self, question: Q) -> Result<Q::Answer, Problem> {
        let budget = self.budget(question.wish());
        self.work(budget, move |allowance| question.answer(allowance))
            .await
    }

    /// Does `work` when its turn has come. If the future is dropped, the work is
    /// told to stop; a panic in it is our fault and costs this request only.
    pub async fn work<T: Send + 'static>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Allowance) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.turn().await?;
        let cancel = Cancel::new();
        let _switch = CancelOnDrop(cancel.clone());
        let allowance = Allowance { budget, cancel };
        let done = tokio::task::spawn_blocking(move || {
            // The turn is over when the work is, not when the client leaves.
            let _turn = turn;
            work(&allowance)
        });
        done.await
            .unwrap_or_else(|_| Err(Problem::fault("the work on this request panicked")))
    }

    /// A place among the open streams, for as long as the permit is held.
    pub fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let streams = Arc::clone(&self.streams);
        let many = self.limits.streams;
        streams
            .try_acquire_owned()
            .map_err(|_| Problem::busy(format!("{many} streams are open already")))
    }

    /// True once the server is asked to stop.
    pub fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Waits for a turn, if not too many do so already, and not for too long.
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let turns = Arc::clone(&self.turns);
        if let Ok(turn) = Arc::clone(&turns).try_acquire_owned() {
            return Ok(turn);
        }
        let place = Place::take(&self.waiting, self.limits.waiting)?;
        let turn = tokio::time::timeout(self.limits.wait, turns.acquire_owned()).await;
        drop(place);
        match turn {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Problem::busy(format!(
                "no turn within {} s",
                self.limits.wait.as_secs()
            ))),
        }
    }
}

/// A place in the queue, given back when dropped.
struct Place<'d>(&'d AtomicUsize);

impl Place<'_> {
    fn take(waiting: &AtomicUsize, most: usize) -> Result<Place<'_>, Problem> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let place = Place(waiting);
        match before < most {
            true => Ok(place),
            false => Err(Problem::busy(format!("{most} requests wait already"))),
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
