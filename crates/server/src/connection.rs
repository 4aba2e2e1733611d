//! Connections: taken, encrypted where that is wanted, served over HTTP/1.1 or HTTP/2, and ended in time.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use std::{future, io};

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use crate::metrics;
use crate::settings::Options;

const MAX_HEADER_BYTES: u32 = 16 << 10;
/// Calls that one connection may have open.
const MAX_STREAMS: u32 = 1_024;
/// What a client may send before it must wait for the service to read; room for a large batch.
const STREAM_WINDOW_BYTES: u32 = 1 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 4 << 20;
/// A connection without traffic is asked for a sign of life after so long, and closed when it gives none.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
const KEEP_ALIVE_ANSWER: Duration = Duration::from_secs(20);
/// Over HTTP/1.1 the client's next request must have come so soon.
const REQUEST_WAIT: Duration = Duration::from_secs(60);
/// A client must have begun to speak, and the handshake be over, so soon.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Handshakes at the same time; further clients wait to be taken.
const MAX_HANDSHAKES: usize = 256;
/// When the system has no room for another connection, some may have ended after so long.
const PAUSE: Duration = Duration::from_millis(100);

/// The address of the client of a request, among its extensions.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Serves connections.
#[derive(Clone)]
pub(crate) struct Connections {
    router: Router,
    http: auto::Builder<TokioExecutor>,
    tls: Option<TlsAcceptor>,
    /// The age at which a connection is asked to close.
    age: Option<Duration>,
    /// The time that calls have to finish once their connection has been asked to close.
    drain: Duration,
    /// Set when all are asked to close.
    closing: CancellationToken,
    open: TaskTracker,
}

impl Connections {
    /// Serves these routes.
    pub(crate) fn new(options: &Options, router: Router) -> Connections {
        let mut http = auto::Builder::new(TokioExecutor::new());
        http.http1().timer(TokioTimer::new()).header_read_timeout(REQUEST_WAIT);
        http.http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(MAX_STREAMS)
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .max_header_list_size(MAX_HEADER_BYTES)
            .keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE_ANSWER);
        Connections {
            router,
            http,
            tls: options.tls.as_ref().map(crate::Tls::acceptor),
            age: options.connection_age,
            drain: options.drain,
            closing: CancellationToken::new(),
            open: TaskTracker::new(),
        }
    }

    /// Takes connections until `shutdown` is done; returns when all have ended.
    pub(crate) async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let handshakes = Arc::new(Semaphore::new(MAX_HANDSHAKES));
        let take_all = async {
            // A semaphore that nobody closes always has a permit in the end.
            while let Ok(permit) = Arc::clone(&handshakes).acquire_owned().await {
                match listener.accept().await {
                    Ok((stream, peer)) => drop(self.open.spawn(self.clone().connection(stream, peer, permit))),
                    Err(error) if is_of_the_client(&error) => (),
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be taken");
                        sleep(PAUSE).await;
                    }
                }
            }
        };
        tokio::select! {
            () = shutdown => (),
            () = take_all => (),
        }
        // From now on clients are refused at once.
        drop(listener);
        self.closing.cancel();
        self.open.close();
        self.open.wait().await;
    }

    async fn connection(self, stream: TcpStream, peer: SocketAddr, permit: OwnedSemaphorePermit) {
        let socket = SockRef::from(&stream);
        // Without the first, small answers wait for others; without the second, a client that vanished is never missed.
        let set =
            socket.set_tcp_nodelay(true).and(socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE)));
        if set.is_err() {
            return;
        }
        match &self.tls {
            None => {
                drop(permit);
                if let Some(Ok(())) = self.in_time(stream.readable()).await {
                    self.serve_http(TokioIo::new(stream), peer).await;
                }
            }
            Some(acceptor) => {
                let shaken = self.in_time(acceptor.accept(stream)).await;
                drop(permit);
                match shaken {
                    Some(Ok(stream)) => self.serve_http(TokioIo::new(stream), peer).await,
                    Some(Err(error)) => {
                        metrics::failed_handshake();
                        tracing::debug!(%peer, %error, "handshake failed");
                    }
                    None => metrics::failed_handshake(),
                }
            }
        }
    }

    /// What a client does first, unless it takes too long or the service ends.
    async fn in_time<T>(&self, first: impl Future<Output = T>) -> Option<T> {
        self.closing.run_until_cancelled(timeout(HANDSHAKE, first)).await.and_then(Result::ok)
    }

    async fn serve_http(&self, stream: impl Read + Write + Unpin + Send + 'static, peer: SocketAddr) {
        let service = service_fn(|mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            self.router.clone().call(request)
        });
        let mut connection = pin!(self.http.serve_connection(stream, service));
        let old = async {
            match self.age {
                Some(age) => sleep(age).await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            served = connection.as_mut() => {
                if let Err(error) = served {
                    tracing::debug!(%peer, %error, "connection failed");
                }
                return;
            }
            () = self.closing.cancelled() => (),
            () = old => (),
        }
        connection.as_mut().graceful_shutdown();
        if timeout(self.drain, connection).await.is_err() {
            tracing::warn!(%peer, "calls took longer than their connection had to close and are dropped");
        }
    }
}

/// Whether a connection could not be taken because its client had gone.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
