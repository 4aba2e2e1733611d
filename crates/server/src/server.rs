//! One port for everything: gRPC with health and reflection, gRPC-Web, and plain HTTP.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::Request;
use axum::http::Method;
use axum::http::header::HeaderName;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use bolshak_proto::DESCRIPTORS;
use bolshak_proto::v1::arbiter_service_server::ArbiterServiceServer;
use bolshak_proto::v1::tablebase_service_server::TablebaseServiceServer;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic_health::server::HealthReporter;
use tower_http::cors::{AllowHeaders, Any, CorsLayer};

use crate::arbiter::calls::Service as Arbiter;
use crate::connection::Connections;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::framing::{Framing, with_web};
use crate::grpc::Service;
use crate::guard::{self, Guard};
use crate::http::{self, Shared};
use crate::library::Library;
use crate::metrics;
use crate::settings::Options;
use crate::tls::Tls;
use crate::work::Workers;

/// A request of the largest batch as texts takes about half of this.
pub(crate) const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// Connections that the system holds ready to be taken.
pub(crate) const BACKLOG: u32 = 1_024;
const UPKEEP: Duration = Duration::from_secs(1);
/// Files of certificates that are not read by then are given up.
const RELOAD: Duration = Duration::from_secs(10);

/// Why the service could not be started or went down.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The signals that end the service cannot be waited for, or its threads not started.
    #[error("cannot start")]
    Start(#[from] io::Error),
    /// The descriptors for reflection cannot be read.
    #[error("cannot set up reflection")]
    Reflection(#[from] tonic_reflection::server::Error),
}

/// A service that listens already, and answers once it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
    library: Library,
}

impl Server {
    /// Begins to listen.
    pub async fn bind(options: Options, library: Library) -> Result<Server, ServeError> {
        let failed = |error| ServeError::Listen { address: options.listen, error };
        let listener = listen(options.listen).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server { listener, address, options, library })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `shutdown` is done. Calls in flight are then finished, for at most [`Options::drain`]; new ones are
    /// refused.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
        metrics::start();
        let Server { listener, options, library, .. } = self;
        if let Some(tls) = &options.tls {
            tls.tell_doubts();
        }
        library.tell_doubts();
        let guard = Guard::new(&options);
        let (health, health_service) = tonic_health::server::health_reporter();
        set_ready(&health, library.is_ready()).await;
        // Counts are judged without tables as well.
        health.set_serving::<ArbiterServiceServer<Arbiter>>().await;
        let routes = routes(&options, &library)?.add_service(with_web(health_service)).prepare();
        let watched = routes.into_axum_router().layer(middleware::from_fn_with_state(guard.clone(), guard::watch));
        // Outside of the guard: what it refuses can be read on other sites too, and a browser asks for leave without a token.
        let connections = Connections::new(&options, watched.layer(from_other_sites()));

        let stop = async {
            shutdown.await;
            set_ready(&health, false).await;
            health.set_not_serving::<ArbiterServiceServer<Arbiter>>().await;
            tracing::info!("shutting down: finishing the calls in flight");
        };
        tokio::select! {
            () = connections.serve(listener, stop) => (),
            () = upkeep(&health, &library, &guard) => (),
        }
        Ok(())
    }
}

fn routes(options: &Options, library: &Library) -> Result<Routes, ServeError> {
    let workers = Workers::start(options.workers, options.queue)?;
    let engine = Engine { library: library.clone(), max_states: options.max_states };
    let tablebase = TablebaseServiceServer::new(Service::new(engine.clone(), workers.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .accept_compressed(CompressionEncoding::Gzip)
        .send_compressed(CompressionEncoding::Gzip);
    let arbiter = ArbiterServiceServer::new(Arbiter::new(engine.clone(), workers.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES)
        .accept_compressed(CompressionEncoding::Gzip)
        .send_compressed(CompressionEncoding::Gzip);
    let plain = http::router(Shared { engine, workers }).fallback(unknown_path);
    Ok(Routes::from(plain)
        .add_service(with_web(tablebase))
        .add_service(with_web(arbiter))
        .add_service(with_web(reflection().build_v1()?))
        .add_service(with_web(reflection().build_v1alpha()?)))
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A service that was just stopped does not keep the next one from its port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Everyone may read; nothing depends on cookies.
fn from_other_sites() -> CorsLayer {
    let exposed = ["grpc-status", "grpc-message", "grpc-status-details-bin", "retry-after", "x-request-id"];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(exposed.map(HeaderName::from_static))
}

/// Does what is due from time to time; never ends.
async fn upkeep(health: &HealthReporter, library: &Library, guard: &Guard) {
    let mut due = tokio::time::interval(UPKEEP);
    let mut ready = library.is_ready();
    loop {
        due.tick().await;
        metrics::upkeep();
        guard.upkeep();
        let is_ready = library.is_ready();
        if ready != is_ready {
            ready = is_ready;
            set_ready(health, ready).await;
        }
    }
}

async fn set_ready(health: &HealthReporter, ready: bool) {
    if ready {
        health.set_serving::<TablebaseServiceServer<Service>>().await;
    } else {
        health.set_not_serving::<TablebaseServiceServer<Service>>().await;
    }
}

/// Serves until the process gets SIGTERM or SIGINT; SIGHUP has the tables looked at again, and the certificates.
/// `listening` is told the address once connections are accepted.
///
/// This blocks; it brings its own async runtime.
pub fn serve(options: Options, library: Library, listening: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let shutdown = stop_signal()?;
        tokio::spawn(reload_on_signal(library.clone(), options.tls.clone(), signal(SignalKind::hangup())?));
        let server = Server::bind(options, library).await?;
        listening(server.address());
        server.run(shutdown).await
    });
    // A look-up that is still running is not waited for: its caller is gone.
    runtime.shutdown_background();
    served
}

fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => (),
            _ = interrupt.recv() => (),
        }
    })
}

async fn reload_on_signal(library: Library, tls: Option<Tls>, mut hangup: tokio::signal::unix::Signal) {
    while hangup.recv().await.is_some() {
        library.reload();
        tracing::info!("the tables will be opened anew");
        if let Some(tls) = tls.clone() {
            match timeout(RELOAD, tokio::task::spawn_blocking(move || tls.reload())).await {
                Ok(Ok(Ok(()))) => tracing::info!("new connections get the certificates as they are now"),
                Ok(Ok(Err(error))) => tracing::error!(%error, "the certificates in use stay"),
                Ok(Err(error)) => tracing::error!(%error, "the certificates were not read"),
                Err(_) => tracing::error!("the certificates could not be read in time; those in use stay"),
            }
        }
    }
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}

/// Unknown calls get the status that gRPC has for them, and unknown pages the one that HTTP has.
async fn unknown_path(request: Request) -> Response {
    match Framing::of(&request) {
        Ok(Some(framing)) => framing.failed(&Failure::UnknownPath),
        _ => Failure::UnknownPath.into_response(),
    }
}
