//! Look-ups run on threads of their own, so that a slow one never keeps the async threads from answering others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::failure::Failure;

/// Runs look-ups, only so many at a time; the others wait their turn in order.
#[derive(Clone)]
pub(crate) struct Workers {
    permits: Arc<Semaphore>,
}

/// Sets the flag when the call that waits for the answer is gone.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Workers {
    pub(crate) fn new(count: usize) -> Workers {
        Workers { permits: Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS))) }
    }

    /// Runs a look-up. When the returned future is dropped, because the client went away or its deadline passed, a
    /// look-up that waits is never started and one that runs sees the flag that it is given.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        look_up: impl FnOnce(&AtomicBool) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| Failure::Cancelled)?;
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
        let workers = Workers::new(1);
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
        let workers = Workers::new(1);
        let failed = workers.run::<()>(|_| panic!("on purpose")).await;
        assert!(matches!(failed, Err(Failure::Internal(_))));
        assert_eq!(workers.run(|_| Ok(7)).await.unwrap(), 7);
    }
}
