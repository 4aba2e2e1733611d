//! The end of a call: its answer has gone out whole, or nobody takes it any more. Only then is it measured and logged.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Uri};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tonic::Status;
use tracing::Span;

use crate::metrics::{self, InFlight};

/// The code of a call whose answer was not taken to its end.
const CANCELLED: &str = "1";

/// The status that the trailers of a call tell, for what stands outside of the layer that puts trailers among the data.
#[derive(Clone, Default)]
pub(crate) struct EndStatus(Arc<OnceLock<HeaderValue>>);

impl EndStatus {
    /// The frame as it is; if it is the trailers, their status is kept.
    pub(crate) fn noted<T>(&self, frame: Frame<T>) -> Frame<T> {
        if let Some(code) = frame.trailers_ref().and_then(|trailers| trailers.get(Status::GRPC_STATUS)) {
            // There is one end.
            let _ = self.0.set(code.clone());
        }
        frame
    }

    fn code(&self) -> Option<String> {
        self.0.get().and_then(|code| code.to_str().ok()).map(str::to_owned)
    }
}

/// A call that has come. When it is dropped it has ended.
pub(crate) struct Call {
    pub(crate) begun: Instant,
    pub(crate) name: &'static str,
    pub(crate) uri: Uri,
    pub(crate) request_id: HeaderValue,
    pub(crate) span: Span,
    /// Until then it counts as in flight.
    pub(crate) _in_flight: InFlight,
    /// How it ended, once it has.
    pub(crate) code: Option<Cow<'static, str>>,
}

impl Call {
    /// The answer, whose end will be that of the call. The code is what its head says; its end may say another.
    pub(crate) fn answered(self, response: Response, code: Cow<'static, str>, end: EndStatus) -> Response {
        response.map(|body| {
            let mut answer = Answer { body, end, code, call: Some(self) };
            if answer.body.is_end_stream() {
                answer.ended();
            }
            Body::new(answer)
        })
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let code = self.code.take().unwrap_or(Cow::Borrowed(CANCELLED));
        let (took, path) = (self.begun.elapsed(), self.uri.path());
        let (request_id, micros) = (self.request_id.to_str().unwrap_or_default(), took.as_micros() as u64);
        self.span.record("code", &*code);
        if is_our_fault(&code) {
            self.span.record("otel.status_code", "ERROR");
            tracing::warn!(request_id, path, %code, micros, "call failed");
        } else {
            tracing::debug!(request_id, path, %code, micros, "call");
        }
        metrics::call(self.name, code, took);
    }
}

/// Whether a call failed by what is wrong here: INTERNAL, DATA_LOSS, FAILED_PRECONDITION, or the HTTP statuses for them.
fn is_our_fault(code: &str) -> bool {
    matches!(code, "9" | "13" | "15" | "500")
}

/// The body of an answer, with the call that it ends.
struct Answer {
    body: Body,
    end: EndStatus,
    code: Cow<'static, str>,
    call: Option<Call>,
}

impl Answer {
    fn ended(&mut self) {
        if let Some(mut call) = self.call.take() {
            call.code = Some(self.end.code().map_or_else(|| self.code.clone(), Cow::Owned));
        }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // Before the last frame goes out, so that whoever has the answer finds it counted.
        let is_last = match &frame {
            None => true,
            Some(Ok(frame)) => frame.is_trailers() || self.body.is_end_stream(),
            Some(Err(_)) => false,
        };
        if is_last {
            self.ended();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
