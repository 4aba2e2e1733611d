//! Traces reach a collector: run with `cargo test -p bolshak-server --features otlp --test otlp`.

#![allow(clippy::unwrap_used, reason = "a test that fails here should stop here")]

mod common;

use std::sync::{Arc, Mutex};

use bolshak_proto::v1;
use bolshak_server::Telemetry;
use common::{Running, query, shared_tables};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, Span};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Keeps what is sent to it.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ResourceSpans>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().extend(request.into_inner().resource_spans);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = TraceServiceServer::new(self.clone());
        let served = tonic::transport::Server::builder()
            .add_service(service)
            .serve_with_incoming(TcpListenerStream::new(listener));
        tokio::spawn(served);
        format!("http://{address}")
    }

    fn spans(&self) -> Vec<Span> {
        let resources = self.0.lock().unwrap().clone();
        resources.into_iter().flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }
}

fn text<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a str> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.as_ref();
    match value {
        Some(AnyValue { value: Some(Value::StringValue(text)) }) => Some(text),
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_are_spans_of_the_callers_trace() {
    let collector = Collector::default();
    let telemetry = Telemetry::start(&collector.start().await).unwrap();
    tracing_subscriber::registry().with(telemetry.layer()).init();

    let running = Running::start(shared_tables()).await;
    let mut client = running.client().await;
    let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    let mut request = Request::new(v1::ProbeRequest { query: Some(query("W:WKa1:BKh8")), answer_mask: None });
    request.metadata_mut().insert("x-request-id", "mine".parse().unwrap());
    request.metadata_mut().insert("traceparent", format!("00-{trace}-{parent}-01").parse().unwrap());
    client.probe(request).await.unwrap();
    client.probe(v1::ProbeRequest { query: Some(query("nonsense")), answer_mask: None }).await.unwrap_err();
    let states = v1::probe_batch_request::States::Fens(v1::FenColumn { fens: vec!["W:WKa1:BKh8".to_owned()] });
    client.probe_batch(v1::ProbeBatchRequest { states: Some(states), ..Default::default() }).await.unwrap();
    drop(client);
    running.stop().await;
    tokio::task::spawn_blocking(move || drop(telemetry)).await.unwrap();

    let resources = collector.0.lock().unwrap().clone();
    let resource = resources[0].resource.as_ref().unwrap();
    assert_eq!(text(&resource.attributes, "service.name"), Some("bolshak"));
    let spans = collector.spans();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).collect::<Vec<_>>();
    let probes = named("Probe");
    let codes: Vec<_> = probes.iter().map(|span| text(&span.attributes, "code")).collect();
    assert_eq!(codes, [Some("0"), Some("3")]);
    assert_eq!(text(&probes[0].attributes, "request_id"), Some("mine"));
    assert_eq!((hex(&probes[0].trace_id).as_str(), hex(&probes[0].parent_span_id).as_str()), (trace, parent));
    let batch = named("ProbeBatch")[0];
    assert_eq!(text(&batch.attributes, "request_id").map(str::len), Some(16));
    assert!(batch.parent_span_id.is_empty(), "a call without a trace begins one");
    let looked_up: Vec<_> = named("look-up").into_iter().filter(|span| span.trace_id == batch.trace_id).collect();
    assert_eq!(looked_up.len(), 1);
    assert_eq!(looked_up[0].parent_span_id, batch.span_id);
}

#[test]
fn an_endpoint_that_cannot_be_is_named() {
    let error = Telemetry::start("not an address").err().unwrap().to_string();
    assert!(error.starts_with("cannot send traces to 'not an address': "), "{error}");
}
