//! Traces for OpenTelemetry: a span for each call, and within it one for each look-up on a worker.

use std::io;
use std::time::Duration;

use axum::http::HeaderMap;
use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Runtime;
use tracing::{Level, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// The name of the service where `OTEL_SERVICE_NAME` gives no other.
const SERVICE: &str = "bolshak";
/// How long the last spans may take to be sent when the service ends.
const LAST_SPANS: Duration = Duration::from_secs(5);

/// Why no traces can be sent.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The endpoint cannot be used.
    #[error("cannot send traces to '{endpoint}': {error}")]
    Endpoint {
        /// The endpoint.
        endpoint: String,
        /// What is wrong with it.
        error: ExporterBuildError,
    },
    /// The thread that sends cannot be started.
    #[error("cannot send traces: {0}")]
    Start(#[from] io::Error),
}

/// Sends spans to a collector, many at a time, from threads of its own. What is left is sent when this is dropped, which
/// must not be done on an async thread.
pub struct Telemetry {
    provider: SdkTracerProvider,
    runtime: Option<Runtime>,
}

impl Telemetry {
    /// Begins to send to a collector that takes OTLP over gRPC without TLS, such as `http://127.0.0.1:4317`. A collector
    /// that cannot be reached is told of in the log, and keeps no call waiting.
    ///
    /// The variables of OpenTelemetry choose the rest: `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`,
    /// `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`, `OTEL_BSP_...`.
    pub fn start(endpoint: &str) -> Result<Telemetry, TelemetryError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).thread_name("otlp").enable_all().build()?;
        // The connection is kept up by the runtime that is entered while it is made.
        let entered = runtime.enter();
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).build();
        let exporter = exporter.map_err(|error| TelemetryError::Endpoint { endpoint: endpoint.to_owned(), error })?;
        drop(entered);
        let named = std::env::var_os("OTEL_SERVICE_NAME").is_some();
        let resource = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let resource = if named { resource } else { resource.with_service_name(SERVICE) };
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
        Ok(Telemetry { provider, runtime: Some(runtime) })
    }

    /// What a subscriber must have for the spans to be sent.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(&self) -> impl Layer<S> + use<S> {
        let ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), Level::DEBUG);
        tracing_opentelemetry::layer().with_tracer(self.provider.tracer(SERVICE)).with_filter(ours)
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown_with_timeout(LAST_SPANS) {
            tracing::warn!(%error, "the last spans were not sent");
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

/// Makes a span part of the trace that a request belongs to by its `traceparent`.
pub(crate) fn continue_trace(span: &Span, headers: &HeaderMap) {
    // Without a layer that sends spans there is nothing to continue.
    let _ = span.set_parent(TraceContextPropagator::new().extract(&Headers(headers)));
}
