//! Connections: taken, encrypted where that is wanted, served over HTTP/1.1 or HTTP/2, and ended in time.

use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{future, io, iter};

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, sleep_until, timeout};
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::rustls::server::Acceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::io::InspectReader;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use crate::client::{Client, PerClient};
use crate::metrics;
use crate::server::BACKLOG;
use crate::settings::Options;
use crate::tls::Tls;

/// Over HTTP/2, which tells clients of it.
const MAX_HEADER_BYTES: u32 = 16 << 10;
/// Over HTTP/1.1; the head of a request must fit into it.
const MAX_BUFFER_BYTES: usize = 64 << 10;
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
/// A client must have begun to speak so soon.
const BEGINNING: Duration = Duration::from_secs(10);
/// Bytes that tell HTTP/2 from HTTP/1.1.
const PREFACE_BYTES: usize = 24;
/// The first message of a client's handshake must have come so soon, and the handshake then be over.
const HELLO: Duration = Duration::from_secs(3);
const HANDSHAKE: Duration = Duration::from_secs(10);
/// When the service ends, a connection that is not yet so old may still bring its first request.
const SETTLING: Duration = Duration::from_secs(1);
/// When the service ends, what has arrived on other connections by then is read in this time.
const LAST_LOOK: Duration = Duration::from_millis(20);
/// Handshakes of a client at the same time; further connections of it are closed.
const MAX_HANDSHAKES: usize = 64;
/// When the system has no room for another connection, some may have ended after so long.
const PAUSE: Duration = Duration::from_millis(100);
/// That connections cannot be taken is told no more often.
const TELL_AGAIN: Duration = Duration::from_secs(10);

/// Serves connections.
#[derive(Clone)]
pub(crate) struct Connections {
    router: Router,
    http: auto::Builder<TokioExecutor>,
    tls: Option<Tls>,
    handshakes: PerClient,
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
        http.http1().timer(TokioTimer::new()).header_read_timeout(REQUEST_WAIT).max_buf_size(MAX_BUFFER_BYTES);
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
            tls: options.tls.clone(),
            handshakes: PerClient::new(MAX_HANDSHAKES),
            age: options.connection_age,
            drain: options.drain,
            closing: CancellationToken::new(),
            open: TaskTracker::new(),
        }
    }

    /// Takes connections until `shutdown` is done; returns when all have ended.
    pub(crate) async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let take_all = async {
            let mut told = None::<Instant>;
            loop {
                match listener.accept().await {
                    Ok((stream, peer)) => drop(self.open.spawn(self.clone().connection(stream, peer))),
                    Err(error) if is_of_the_client(&error) => (),
                    Err(error) => {
                        if told.is_none_or(|told| told.elapsed() >= TELL_AGAIN) {
                            tracing::warn!(%error, "connections cannot be taken");
                            told = Some(Instant::now());
                        }
                        sleep(PAUSE).await;
                    }
                }
            }
        };
        tokio::select! {
            () = shutdown => (),
            () = take_all => (),
        }
        for (stream, peer) in queued(listener) {
            self.open.spawn(self.clone().connection(stream, peer));
        }
        self.closing.cancel();
        self.open.close();
        self.open.wait().await;
    }

    async fn connection(self, stream: TcpStream, peer: SocketAddr) {
        let begun = Instant::now();
        let socket = SockRef::from(&stream);
        // Without the first, small answers wait for others; without the second, a client that vanished is never missed.
        let set =
            socket.set_tcp_nodelay(true).and(socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEP_ALIVE)));
        if set.is_err() {
            return;
        }
        match &self.tls {
            None => self.serve_http(stream, peer, begun).await,
            Some(tls) => match self.shake_hands(tls, stream, peer.into(), begun).await {
                Ok(stream) => self.serve_http(stream, peer, begun).await,
                Err(error) => {
                    metrics::failed_handshake();
                    tracing::debug!(%peer, %error, "handshake failed");
                }
            },
        }
    }

    async fn shake_hands(
        &self,
        tls: &Tls,
        stream: TcpStream,
        client: Client,
        begun: Instant,
    ) -> io::Result<TlsStream<TcpStream>> {
        let _begun = self.handshakes.begin(client).ok_or_else(|| io::Error::other("too many at the same time"))?;
        let hello = self.in_time(HELLO, begun, LazyConfigAcceptor::new(Acceptor::default(), stream)).await?;
        self.in_time(HANDSHAKE, begun, hello.into_stream(tls.config())).await
    }

    /// A step of a handshake, unless it takes too long or the service ends.
    async fn in_time<T>(
        &self,
        limit: Duration,
        begun: Instant,
        step: impl Future<Output = io::Result<T>>,
    ) -> io::Result<T> {
        let asked = AtomicBool::new(false);
        tokio::select! {
            done = timeout(limit, step) => done?,
            () = self.ending(begun, &asked) => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    /// When the service ends, but not before what a client had sent by then is read.
    async fn ending(&self, begun: Instant, asked: &AtomicBool) {
        self.closing.cancelled().await;
        let settled = if asked.load(Ordering::Relaxed) { begun } else { begun + SETTLING };
        sleep_until(settled.max(Instant::now() + LAST_LOOK).into()).await;
    }

    async fn serve_http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        begun: Instant,
    ) {
        let sent = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&sent);
        let stream = InspectReader::new(stream, move |bytes: &[u8]| {
            counted.fetch_add(bytes.len(), Ordering::Relaxed);
        });
        let client = Client::from(peer);
        let asked = AtomicBool::new(false);
        let service = service_fn(|mut request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(client);
            self.router.clone().call(request)
        });
        let mut connection = pin!(self.http.serve_connection(TokioIo::new(stream), service));
        // Until it is known which protocol is spoken, none of the protocols' own limits of time runs.
        let silent = async {
            sleep(BEGINNING).await;
            if asked.load(Ordering::Relaxed) || sent.load(Ordering::Relaxed) >= PREFACE_BYTES {
                future::pending().await
            }
        };
        let old = async {
            match self.age {
                Some(age) => sleep(age).await,
                None => future::pending().await,
            }
        };
        tokio::select! {
            biased;
            served = connection.as_mut() => {
                if let Err(error) = served {
                    tracing::debug!(%peer, %error, "connection failed");
                }
                return;
            }
            () = silent => return,
            () = self.ending(begun, &asked) => (),
            () = old => (),
        }
        connection.as_mut().graceful_shutdown();
        if timeout(self.drain, connection).await.is_err() {
            if asked.load(Ordering::Relaxed) {
                tracing::warn!(%peer, "calls took longer than their connection had to close and are dropped");
            } else {
                tracing::debug!(%peer, "the first request had not come when its connection had to close");
            }
        }
    }
}

/// The connections that the system holds ready: their clients may have sent something already. With the listener closed, later
/// ones are refused at once.
fn queued(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let next = || {
        loop {
            match listener.accept() {
                Ok((stream, peer)) => return Some(taken(stream).map(|stream| (stream, peer))),
                Err(error) if is_of_the_client(&error) => (),
                Err(_) => return None,
            }
        }
    };
    iter::from_fn(next).take(BACKLOG as usize).filter_map(Result::ok).collect()
}

fn taken(stream: std::net::TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(true)?;
    TcpStream::from_std(stream)
}

/// Whether a connection could not be taken because its client had gone.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
