//! Look-ups run on threads of their own, so that a slow one never keeps the async threads from answering others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, thread};

use crossbeam_channel::Sender;
use tokio::sync::oneshot;

use crate::failure::Failure;

type Job = Box<dyn FnOnce() + Send>;

/// Runs look-ups, only so many at a time. The others wait their turn in order, or are refused when too many wait.
///
/// The threads take from one queue, so that under load they go from one look-up to the next without being woken for it.
/// They end when the last clone is gone.
#[derive(Clone)]
pub(crate) struct Workers {
    queue: Sender<Job>,
}

/// Sets the flag when the call that waits for the answer is gone.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Workers {
    /// So many threads, and so many places to wait in; at least one of each.
    pub(crate) fn start(threads: usize, queue: usize) -> io::Result<Workers> {
        let (queue, jobs) = crossbeam_channel::bounded::<Job>(queue.max(1));
        for number in 0..threads.max(1) {
            let jobs = jobs.clone();
            thread::Builder::new()
                .name(format!("look-up {number}"))
                .spawn(move || jobs.iter().for_each(|job| job()))?;
        }
        Ok(Workers { queue })
    }

    /// Runs a look-up. When the returned future is dropped, because the client went away or its deadline passed, a
    /// look-up that waits is never started and one that runs sees the flag that it is given.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let cancel = CancelOnDrop(Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&cancel.0);
        let (answer, answered) = oneshot::channel();
        let span = tracing::debug_span!("look-up");
        let job = move || {
            let _entered = span.entered();
            if flag.load(Ordering::Relaxed) {
                return;
            }
            // What a look-up shares with others is behind locks that bear a panic, and the worker must outlive it.
            if let Ok(result) = catch_unwind(AssertUnwindSafe(|| look_up(&flag))) {
                // Nobody waits for the answer of a call that is gone.
                let _ = answer.send(result);
            }
        };
        self.queue.try_send(Box::new(job)).map_err(|_| Failure::Busy)?;
        answered.await.unwrap_or_else(|_| {
            tracing::error!("a look-up did not finish");
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
        let workers = Workers::start(1, 1).unwrap();
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
        let workers = Workers::start(1, 1).unwrap();
        let failed = workers.run::<()>(|_| panic!("on purpose")).await;
        assert!(matches!(failed, Err(Failure::Internal(_))));
        assert_eq!(workers.run(|_| Ok(7)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_full_queue_refuses() {
        let workers = Workers::start(1, 1).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let (started, has_started) = oneshot::channel();
        let slow = tokio::spawn({
            let workers = workers.clone();
            let look_up = move |_: &AtomicBool| {
                started.send(()).unwrap();
                released.recv().unwrap();
                Ok(1)
            };
            async move { workers.run(look_up).await }
        });
        has_started.await.unwrap();
        let mut waiting = std::pin::pin!(workers.run(|_| Ok(2)));
        assert!(tokio::time::timeout(Duration::from_millis(20), &mut waiting).await.is_err());
        assert!(matches!(workers.run(|_| Ok(3)).await, Err(Failure::Busy)));
        release.send(()).unwrap();
        assert_eq!((slow.await.unwrap().unwrap(), waiting.await.unwrap()), (1, 2));
        assert_eq!(workers.run(|_| Ok(3)).await.unwrap(), 3);
    }
}
