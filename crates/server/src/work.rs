//! Look-ups run on threads of their own, so that a slow one never keeps the async threads from answering others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::failure::Failure;

/// Runs look-ups, only so many at a time. The others wait their turn in order, or are refused when too many wait.
#[derive(Clone)]
pub(crate) struct Workers {
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
}

/// Sets the flag when the call that waits for the answer is gone.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Workers {
    /// So many workers, and so many places to wait in.
    pub(crate) fn new(workers: usize, queue: usize) -> Workers {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.clamp(1, Semaphore::MAX_PERMITS)));
        Workers { places: semaphore(queue.saturating_add(workers)), workers: semaphore(workers) }
    }

    /// Runs a look-up. When the returned future is dropped, because the client went away or its deadline passed, a
    /// look-up that waits is never started and one that runs sees the flag that it is given.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let _place = self.places.try_acquire().map_err(|_| Failure::Busy)?;
        let permit = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| Failure::Cancelled)?;
        let cancel = CancelOnDrop(Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&cancel.0);
        let answer = tokio::task::spawn_blocking(move || {
            let answer = look_up(&flag);
            drop(permit);
            answer
        });
        answer.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a look-up did not finish");
            Err(Failure::Internal("the look-up did not finish".to_owned()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_dropped_call_stops_its_look_up() {
        let workers = Workers::new(1, 1);
        let (started, has_started) = mpsc::channel();
        let (stopped, has_stopped) = mpsc::channel();
        let call = tokio::spawn({
            let workers = workers.clone();
            async move {
                let spin = move |cancel: &AtomicBool| {
                    started.send(()).unwrap();
                    while !cancel.load(Ordering::Relaxed) {
                        std::thread::yield_now();
                    }
                    stopped.send(()).unwrap();
                    Err::<(), _>(Failure::Cancelled)
                };
                workers.run(spin).await
            }
        });
        tokio::task::spawn_blocking(move || has_started.recv().unwrap()).await.unwrap();
        call.abort();
        let waited = tokio::task::spawn_blocking(move || has_stopped.recv_timeout(Duration::from_secs(10)));
        assert_eq!(waited.await.unwrap(), Ok(()));
        assert_eq!(workers.run(|_| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_gives_its_place_back() {
        let workers = Workers::new(1, 1);
        let failed = workers.run::<()>(|_| panic!("on purpose")).await;
        assert!(matches!(failed, Err(Failure::Internal(_))));
        assert_eq!(workers.run(|_| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let workers = Workers::new(1, 1);
        let (release, released) = mpsc::channel::<()>();
        let slow = workers.run(move |_| {
            released.recv().unwrap();
            Ok(1)
        });
        let waiting = workers.run(|_| Ok(2));
        let mut both = std::pin::pin!(async { tokio::join!(slow, waiting) });
        assert!(tokio::time::timeout(Duration::from_millis(50), &mut both).await.is_err());
        assert!(matches!(workers.run(|_| Ok(3)).await, Err(Failure::Busy)));
        release.send(()).unwrap();
        let (slow, waiting) = both.await;
        assert_eq!((slow.unwrap(), waiting.unwrap()), (1, 2));
        assert_eq!(workers.run(|_| Ok(3)).await.unwrap(), 3);
    }
}
