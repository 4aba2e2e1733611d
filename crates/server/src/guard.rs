//! What every call passes on its way in and out: a request id, the token, the rate limit, the time limit, measurements and
//! the log.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use tonic::Status;
use tracing::{Instrument, field};

use crate::client::Client;
use crate::ending::{Call, EndStatus};
use crate::failure::Failure;
use crate::framing::Framing;
use crate::metrics::{self, InFlight};
use crate::settings::Options;

/// Carries the request id, in both directions.
static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// A request id of a client is kept when it is no longer than this.
const MAX_REQUEST_ID_BYTES: usize = 64;
/// So much earlier than the client's deadline its call is given up, so that it gets to know why.
const DEADLINE_MARGIN: Duration = Duration::from_millis(2);

/// Stands before the token, in letters of either case.
const SCHEME: &[u8] = b"Bearer ";

type Limiter = RateLimiter<Client, HashMapStateStore<Client>, DefaultClock>;

/// What calls are checked against.
#[derive(Clone)]
pub(crate) struct Guard {
    token: Option<Arc<str>>,
    limiter: Option<Arc<Limiter>>,
    call_time: Duration,
    next_id: Arc<AtomicU64>,
}

impl Guard {
    pub(crate) fn new(options: &Options) -> Guard {
        let limiter = |rate: NonZeroU32| {
            Arc::new(RateLimiter::new(Quota::per_second(rate), HashMapStateStore::default(), DefaultClock::default()))
        };
        // Ids of different runs should not meet; within a run they count up.
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Guard {
            token: options.token.as_deref().map(Arc::from),
            limiter: options.rate.map(limiter),
            call_time: options.call_time,
            next_id: Arc::new(AtomicU64::new((since_epoch.as_micros() as u64) << 12)),
        }
    }

    /// Forgets the clients that have not called for long.
    pub(crate) fn upkeep(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
        }
    }

    fn request_id(&self, headers: &HeaderMap) -> HeaderValue {
        let given = headers.get(&REQUEST_ID).filter(|id| id.len() <= MAX_REQUEST_ID_BYTES && id.to_str().is_ok());
        given.cloned().unwrap_or_else(|| {
            let id = format!("{:016x}", self.next_id.fetch_add(1, Ordering::Relaxed));
            // Hexadecimal digits always make a header.
            HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("none"))
        })
    }

    fn check(&self, request: &Request) -> Result<(), Failure> {
        let path = request.uri().path();
        // First of all: tokens, too, are not to be tried out as fast as the network goes.
        if let (Some(limiter), Some(client), false) =
            (&self.limiter, request.extensions().get::<Client>(), is_probe_of_health(path))
        {
            limiter
                .check_key(client)
                .map_err(|until| Failure::TooOften { retry_after: until.wait_time_from(limiter.clock().now()) })?;
        }
        if self.token.is_some() && !is_open(path) && !self.has_token(request.headers()) {
            return Err(Failure::Unauthenticated);
        }
        Ok(())
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let given =
            headers.get(header::AUTHORIZATION).and_then(|given| given.as_bytes().split_at_checked(SCHEME.len()));
        let given = given.and_then(|(scheme, token)| scheme.eq_ignore_ascii_case(SCHEME).then_some(token));
        given.zip(self.token.as_deref()).is_some_and(|(given, token)| same(token.as_bytes(), given))
    }

    /// The time that a call has, and whether that is the client's own limit.
    fn time_for(&self, headers: &HeaderMap) -> Duration {
        let deadline = headers.get(&GRPC_TIMEOUT).and_then(|value| read_timeout(value.as_bytes()));
        deadline.map_or(self.call_time, |deadline| self.call_time.min(deadline.saturating_sub(DEADLINE_MARGIN)))
    }
}

/// Compares in a time that does not tell where the first difference is.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// What is shown without a token: whether the service lives, and the page, which says nothing by itself.
fn is_open(path: &str) -> bool {
    is_probe_of_health(path)
        || path == "/v1/openapi.yaml"
        || !(path.starts_with("/v1/")
            || path.starts_with("/bolshak.")
            || path.starts_with("/grpc.")
            || path == "/metrics")
}

fn is_probe_of_health(path: &str) -> bool {
    path == "/healthz" || path == "/readyz" || path.starts_with("/grpc.health.")
}

/// Reads a `grpc-timeout`: at most eight digits and a unit.
fn read_timeout(value: &[u8]) -> Option<Duration> {
    let (unit, digits) = value.split_last()?;
    if digits.is_empty() || digits.len() > 8 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let amount = digits.iter().fold(0, |amount, digit| 10 * amount + u64::from(digit - b'0'));
    Some(match unit {
        b'H' => Duration::from_secs(3600 * amount),
        b'M' => Duration::from_secs(60 * amount),
        b'S' => Duration::from_secs(amount),
        b'm' => Duration::from_millis(amount),
        b'u' => Duration::from_micros(amount),
        b'n' => Duration::from_nanos(amount),
        _ => return None,
    })
}

pub(crate) async fn watch(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = guard.request_id(request.headers());
    let framed = Framing::of(&request);
    let framing = framed.as_ref().ok().copied().flatten();
    if let Some(framing) = framing {
        framing.ask_for_same(request.headers_mut());
    }
    let end = EndStatus::default();
    request.extensions_mut().insert(end.clone());
    let uri = request.uri().clone();
    let path = uri.path();
    let time = guard.time_for(request.headers());
    let request_id = id.to_str().unwrap_or_default();
    let name = metrics::call_name(path);
    let span = tracing::debug_span!(
        "call",
        otel.name = name,
        otel.kind = "server",
        otel.status_code = field::Empty,
        request_id,
        path,
        code = field::Empty
    );
    #[cfg(feature = "otlp")]
    crate::telemetry::continue_trace(&span, request.headers());
    let call = Call {
        begun,
        name,
        uri,
        request_id: id.clone(),
        span: span.clone(),
        _in_flight: InFlight::begin(),
        code: None,
    };
    let answered = match guard.check(&request).and(framed) {
        Err(failure) => Err(failure),
        Ok(_) => {
            let answered = tokio::time::timeout(time, next.run(request)).instrument(span);
            answered.await.map_err(|_| Failure::OutOfTime)
        }
    };
    let mut response = answered.unwrap_or_else(|failure| match framing {
        Some(framing) => framing.failed(&failure),
        None => failure.into_response(),
    });
    let code = match response.headers().get(Status::GRPC_STATUS) {
        Some(code) => Cow::Owned(code.to_str().unwrap_or_default().to_owned()),
        None if framing.is_some() && response.status() == StatusCode::OK => Cow::Borrowed("0"),
        None => Cow::Owned(response.status().as_str().to_owned()),
    };
    response.headers_mut().insert(REQUEST_ID.clone(), id);
    call.answered(response, code, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read() {
        assert_eq!(read_timeout(b"250m"), Some(Duration::from_millis(250)));
        assert_eq!(read_timeout(b"99999999H"), Some(Duration::from_secs(3600 * 99_999_999)));
        assert_eq!([b"".as_slice(), b"m", b"1", b"999999999S", b"-1S", b"1d"].map(read_timeout), [None; 6]);
    }

    #[test]
    fn a_call_ends_before_the_client_gives_up() {
        let guard = Guard::new(&Options::default());
        let with = |timeout: &'static str| {
            guard.time_for(&HeaderMap::from_iter([(GRPC_TIMEOUT.clone(), HeaderValue::from_static(timeout))]))
        };
        assert_eq!(with("100m"), Duration::from_millis(98));
        assert_eq!(with("1u"), Duration::ZERO);
        assert_eq!(with("1H"), Options::default().call_time);
    }

    #[test]
    fn only_the_whole_token_opens() {
        let guard = Guard::new(&Options { token: Some("secret".to_owned()), ..Options::default() });
        let has = |value: &'static str| {
            guard.has_token(&HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(value))]))
        };
        assert!(has("Bearer secret") && has("bearer secret") && has("BEARER secret"));
        assert!(!has("Bearer secre") && !has("Bearer secrets") && !has("secret") && !has("Basic secret") && !has(""));
        assert!(!has("bearersecret") && !has("Bearer Secret") && !has("Bearer"));
        assert!(!guard.has_token(&HeaderMap::new()));
    }
}
