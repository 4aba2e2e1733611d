//! The query service and the arbiter: gRPC and JSON on one port, answered from tables.

mod arbiter;
mod cause;
mod client;
mod connection;
mod coverage;
mod ending;
mod engine;
mod failure;
mod framing;
mod grpc;
mod guard;
mod http;
mod json;
mod library;
mod metrics;
mod page;
mod query;
mod server;
mod settings;
mod tally;
#[cfg(feature = "otlp")]
mod telemetry;
mod tls;
mod wanted;
mod wire;
mod work;

pub use library::Library;
pub use server::{ServeError, Server, serve};
pub use settings::{Options, Settings, SettingsError};
#[cfg(feature = "otlp")]
pub use telemetry::{Telemetry, TelemetryError};
pub use tls::{Tls, TlsError, TlsFiles, TlsProblem};
