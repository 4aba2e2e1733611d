//! One port for everything: gRPC with health and reflection, and plain HTTP.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bolshak_proto::DESCRIPTORS;
use bolshak_proto::v1::tablebase_service_server::TablebaseServiceServer;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tonic::Status;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;

use crate::engine::Engine;
use crate::grpc::Service;
use crate::http::{self, Shared};
use crate::library::Library;
use crate::work::Workers;

/// How the service is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// How many look-ups run at once.
    pub workers: usize,
    /// States that may be searched for one answer; where counters are nearly run out, tables alone do not tell.
    pub max_states: u64,
    /// How long calls in flight may take to finish after a shutdown has begun.
    pub drain: Duration,
}

impl Default for Options {
    /// On the loopback interface, with a worker for each core.
    fn default() -> Options {
        Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 50051)),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            max_states: 2_000_000,
            drain: Duration::from_secs(30),
        }
    }
}

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
    #[error("cannot start: {0}")]
    Start(#[from] io::Error),
    /// The descriptors for reflection cannot be read.
    #[error("cannot set up reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("the service failed: {0}")]
    Transport(#[from] tonic::transport::Error),
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
        let listener = TcpListener::bind(options.listen).await.map_err(failed)?;
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
        let workers = Workers::new(self.options.workers);
        let engine = Engine { library: self.library, max_states: self.options.max_states };
        let service = Service::new(engine.clone(), workers.clone());
        let service = TablebaseServiceServer::new(service)
            .accept_compressed(CompressionEncoding::Gzip)
            .send_compressed(CompressionEncoding::Gzip);
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_serving::<TablebaseServiceServer<Service>>().await;

        let plain = http::router(Shared { engine, workers }).fallback(unknown_path);
        let routes = Routes::from(plain)
            .add_service(service)
            .add_service(health_service)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .prepare();

        let (draining, drain_begun) = oneshot::channel();
        let shutdown = async move {
            shutdown.await;
            health.set_not_serving::<TablebaseServiceServer<Service>>().await;
            tracing::info!("shutting down: finishing the calls in flight");
            // The receiver is only gone when the service has already ended.
            let _ = draining.send(());
        };
        let serving = tonic::transport::Server::builder()
            .accept_http1(true)
            .add_routes(routes)
            .serve_with_incoming_shutdown(TcpIncoming::from(self.listener).with_nodelay(Some(true)), shutdown);
        let too_long = async move {
            if drain_begun.await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(self.options.drain).await;
        };
        tokio::select! {
            served = serving => served?,
            () = too_long => tracing::warn!("calls in flight took longer than the time for a shutdown and are dropped"),
        }
        Ok(())
    }
}

/// Serves until the process gets SIGTERM or SIGINT. `listening` is told the address once connections are accepted.
///
/// This blocks; it brings its own async runtime.
pub fn serve(options: Options, library: Library, listening: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let shutdown = stop_signal()?;
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

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}

/// Unknown calls get the status that gRPC has for them, and unknown pages the one that HTTP has.
async fn unknown_path(headers: HeaderMap) -> Response {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if content_type.is_some_and(|value| value.starts_with("application/grpc")) {
        return Status::unimplemented("there is no such call; reflection lists what there is").into_http();
    }
    (StatusCode::NOT_FOUND, "there is no such page\n").into_response()
}
