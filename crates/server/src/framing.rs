//! How a call of gRPC is put on the wire, and what is said to those who put it otherwise.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::{self, HeaderMap, HeaderValue, Method, Version, header};
use futures_util::TryFutureExt;
use http_body_util::BodyExt;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::{Code, Status};
use tonic_web::{GrpcWebLayer, GrpcWebService};
use tower::{Layer, Service};

use crate::ending::EndStatus;
use crate::failure::Failure;

/// How the messages of a call of gRPC are framed, and those of its answer as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As gRPC itself has it, over HTTP/2.
    Native,
    /// gRPC-Web.
    Web,
    /// gRPC-Web in Base64.
    WebText,
}

impl Framing {
    /// The framing of a request, `None` when it is no call; or why a path that only takes calls does not take it.
    pub(crate) fn of(request: &Request) -> Result<Option<Framing>, Failure> {
        let path = request.uri().path();
        let only_calls = path.starts_with("/bolshak.") || path.starts_with("/grpc.");
        let posted = request.method() == Method::POST;
        match Framing::read(request.headers(), request.version()).filter(|_| posted) {
            None if only_calls && !posted => Err(Failure::CallNotPosted),
            None if only_calls => Err(Failure::NotACall),
            framing => Ok(framing),
        }
    }

    fn read(headers: &HeaderMap, version: Version) -> Option<Framing> {
        // What tonic and its layer for the web take.
        match headers.get(header::CONTENT_TYPE)?.as_bytes() {
            b"application/grpc-web" | b"application/grpc-web+proto" => Some(Framing::Web),
            b"application/grpc-web-text" | b"application/grpc-web-text+proto" => Some(Framing::WebText),
            b"application/grpc" | b"application/grpc+proto" => (version == Version::HTTP_2).then_some(Framing::Native),
            _ => None,
        }
    }

    const fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Framing::Native => "application/grpc",
            Framing::Web => "application/grpc-web+proto",
            Framing::WebText => "application/grpc-web-text+proto",
        })
    }

    /// Has the answer framed as the request is: the layer for the web goes by what is accepted.
    pub(crate) fn ask_for_same(self, headers: &mut HeaderMap) {
        if self != Framing::Native {
            headers.insert(header::ACCEPT, self.content_type());
        }
    }

    /// A failure as an answer without messages, whose status is in the headers whatever the framing is.
    pub(crate) fn failed(self, failure: &Failure) -> http::Response<axum::body::Body> {
        let mut response = failure.to_status("").into_http();
        response.headers_mut().insert(header::CONTENT_TYPE, self.content_type());
        response
    }
}

/// Lets a service of gRPC be called by gRPC-Web too.
pub(crate) fn with_web<S>(service: S) -> GrpcWebService<Unframed<S>> {
    GrpcWebLayer::new().layer(Unframed(service))
}

/// Stands between the layer for the web and a service, where every answer is still framed as gRPC itself has it. What cannot be
/// read is the client's fault, but the layer and tonic call it an internal error; and the status at the end of an answer is
/// noted for the measurements.
#[derive(Clone)]
pub(crate) struct Unframed<S>(S);

impl<S: NamedService> NamedService for Unframed<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<http::Request<Body>> for Unframed<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let end = request.extensions().get::<EndStatus>().cloned().unwrap_or_default();
        let answered = self.0.call(request.map(|body| Body::new(body.map_err(unreadable))));
        Box::pin(answered.map_ok(|mut response| {
            unreadable_in(response.headers_mut());
            response.map(|body| Body::new(body.map_frame(move |frame| end.noted(frame))))
        }))
    }
}

/// The status of a call whose messages could not be read.
pub(crate) fn unreadable(status: Status) -> Status {
    match status.code() {
        Code::Internal => Status::invalid_argument(status.message()),
        _ => status,
    }
}

/// The same where tonic has made an answer of it already. What fails here has details, and tonic's own statuses have none.
fn unreadable_in(headers: &mut HeaderMap) {
    let internal = headers.get(Status::GRPC_STATUS).is_some_and(|code| *code == (Code::Internal as i32).to_string());
    if internal && !headers.contains_key(Status::GRPC_STATUS_DETAILS) {
        headers.insert(Status::GRPC_STATUS, HeaderValue::from(Code::InvalidArgument as i32));
    }
}
