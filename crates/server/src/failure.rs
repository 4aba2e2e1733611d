//! Why a question is not answered, and how each way of asking says so: one list of reasons for gRPC and HTTP.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bolshak_proto::v1;
use bolshak_tables::{LookUpError, ProbeError, TableError, TableProblem};
use serde::Serialize;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use crate::cause::Cause;
use crate::query::Violation;

/// The domain of the reasons in `google.rpc.ErrorInfo`.
const DOMAIN: &str = "bolshak";
const RETRY_WHEN_BUSY: Duration = Duration::from_millis(100);
/// So many violations are told, all at once. More would not fit into the headers that clients take.
const MAX_VIOLATIONS_TOLD: usize = 6;

/// Why a question is not answered.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Failure {
    /// Parts of the question are wrong.
    #[error("{}", in_one_sentence(.0))]
    Invalid(Vec<Violation>),
    /// The tables do not reach so far.
    #[error("{}", out_of_tables(.requested, .missing, .file.as_deref()))]
    NotInTables {
        /// The slice of the position.
        requested: String,
        /// The slices whose tables are not there.
        missing: Vec<String>,
        /// The one file of the missing slice that is not there, where others are.
        file: Option<String>,
    },
    /// A table is damaged.
    #[error("a table is damaged: {0}")]
    Damaged(String),
    /// A table is there but is not what its place says, or cannot be read.
    #[error("a table cannot be used: {0}")]
    Unusable(String),
    /// The answer would take more work than is allowed.
    #[error("the answer takes more work than is allowed: {0}")]
    TooMuchWork(String),
    /// A token is wanted and was not given, or it is another one.
    #[error("send the token as 'authorization: Bearer TOKEN'")]
    Unauthenticated,
    /// The client asks too often.
    #[error("too many calls; try again in {} ms", .retry_after.as_millis() + 1)]
    TooOften {
        /// When it may ask again.
        retry_after: Duration,
    },
    /// Too many calls wait already.
    #[error("the service is busy; try again")]
    Busy,
    /// The client's deadline, or the service's own, has passed.
    #[error("there was no answer in time")]
    OutOfTime,
    /// The client has gone away.
    #[error("the call was cancelled")]
    Cancelled,
    /// Nothing is at the path.
    #[error("there is nothing at this path; /v1/openapi.yaml lists what there is, and reflection the calls of gRPC")]
    UnknownPath,
    /// The path is asked in another way.
    #[error("this path is not asked with this method; see /v1/openapi.yaml")]
    WrongMethod,
    /// A call of gRPC is asked for with another method.
    #[error("calls of gRPC are sent with POST; /v1/openapi.yaml lists what can be asked otherwise")]
    CallNotPosted,
    /// What is sent to a call of gRPC is not one.
    #[error(
        "this path takes gRPC over HTTP/2 and gRPC-Web, by their content types; /v1/openapi.yaml lists what takes JSON"
    )]
    NotACall,
    /// The request is too long to be read.
    #[error("the request is longer than {most_bytes} bytes")]
    TooLarge {
        /// How long it may be.
        most_bytes: usize,
    },
    /// A bug.
    #[error("internal error: {0}")]
    Internal(String),
}

fn out_of_tables(requested: &String, missing: &[String], file: Option<&str>) -> String {
    let listed = file.map_or_else(|| missing.join(", "), str::to_owned);
    if missing.contains(requested) && file.is_some() {
        format!("{requested} is not whole in these tables: missing {listed}")
    } else if missing.contains(requested) {
        format!("{requested} is not in these tables: missing {listed}")
    } else {
        format!("{requested} needs {listed}, not in these tables")
    }
}

fn in_one_sentence(violations: &[Violation]) -> String {
    let told = violations.iter().take(MAX_VIOLATIONS_TOLD).map(|violation| violation.message.clone());
    let untold = violations.len().saturating_sub(MAX_VIOLATIONS_TOLD);
    let rest = (untold > 0).then(|| format!("and {untold} more"));
    told.chain(rest).collect::<Vec<_>>().join("; ")
}

impl Failure {
    /// The status code of a call that fails so.
    pub(crate) fn code(&self) -> Code {
        match self {
            Failure::Invalid(_) => Code::InvalidArgument,
            Failure::NotInTables { .. } => Code::NotFound,
            Failure::Damaged(_) => Code::DataLoss,
            Failure::Unusable(_) => Code::FailedPrecondition,
            Failure::TooMuchWork(_) | Failure::TooOften { .. } => Code::ResourceExhausted,
            Failure::UnknownPath | Failure::WrongMethod | Failure::CallNotPosted | Failure::NotACall => {
                Code::Unimplemented
            }
            // What the transport says of a message that is too long.
            Failure::TooLarge { .. } => Code::OutOfRange,
            Failure::Unauthenticated => Code::Unauthenticated,
            Failure::Busy => Code::Unavailable,
            Failure::OutOfTime => Code::DeadlineExceeded,
            Failure::Cancelled => Code::Cancelled,
            Failure::Internal(_) => Code::Internal,
        }
    }

    /// A stable name for programs.
    pub(crate) const fn reason(&self) -> &'static str {
        match self {
            Failure::Invalid(_) => "INVALID_ARGUMENT",
            Failure::NotInTables { .. } => "NOT_IN_TABLES",
            Failure::Damaged(_) => "TABLE_DAMAGED",
            Failure::Unusable(_) => "TABLE_UNUSABLE",
            Failure::TooMuchWork(_) => "TOO_MUCH_WORK",
            Failure::Unauthenticated => "UNAUTHENTICATED",
            Failure::TooOften { .. } => "TOO_OFTEN",
            Failure::Busy => "BUSY",
            Failure::OutOfTime => "DEADLINE_EXCEEDED",
            Failure::Cancelled => "CANCELLED",
            Failure::UnknownPath => "UNKNOWN_PATH",
            Failure::WrongMethod | Failure::CallNotPosted => "WRONG_METHOD",
            Failure::NotACall => "WRONG_CONTENT_TYPE",
            Failure::TooLarge { .. } => "TOO_LARGE",
            Failure::Internal(_) => "INTERNAL",
        }
    }

    /// Has problems of tables told again: the tables are opened anew.
    pub(crate) fn tell_anew() {
        TOLD.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// When to ask again, where that is known.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            Failure::TooOften { retry_after } => Some(*retry_after),
            Failure::Busy => Some(RETRY_WHEN_BUSY),
            _ => None,
        }
    }

    fn missing(&self) -> &[String] {
        match self {
            Failure::NotInTables { missing, .. } => missing,
            _ => &[],
        }
    }

    /// Those that are told.
    fn violations(&self) -> &[Violation] {
        match self {
            Failure::Invalid(violations) => &violations[..violations.len().min(MAX_VIOLATIONS_TOLD)],
            _ => &[],
        }
    }

    /// As the status of a call whose query stands at `prefix` in its request.
    pub(crate) fn to_status(&self, prefix: &str) -> Status {
        let mut details = ErrorDetails::new();
        if !self.violations().is_empty() {
            let named = |violation: &Violation| FieldViolation {
                reason: violation.cause.as_ref().map(|cause| cause.name.to_owned()).unwrap_or_default(),
                ..FieldViolation::new(violation.field.path(prefix), violation.message.as_str())
            };
            details.set_bad_request(self.violations().iter().map(named).collect::<Vec<_>>());
        }
        let mut metadata = HashMap::new();
        if let Failure::NotInTables { requested, missing, .. } = self {
            metadata.insert("requested".to_owned(), requested.clone());
            metadata.insert("missing".to_owned(), missing.join(","));
        }
        details.set_error_info(self.reason(), DOMAIN, metadata);
        if let Some(retry_after) = self.retry_after() {
            details.set_retry_info(Some(retry_after));
        }
        Status::with_error_details(self.code(), self.to_string(), details)
    }

    /// As one failure among many answers.
    pub(crate) fn to_item(&self) -> v1::Failure {
        v1::Failure {
            code: self.code() as i32,
            message: self.to_string(),
            field: self.violations().first().map(|violation| violation.field.path("")).unwrap_or_default(),
            missing_slices: self.missing().to_vec(),
            reason: self.reason().to_owned(),
        }
    }

    fn http_status(&self) -> StatusCode {
        match self {
            Failure::Invalid(_) => StatusCode::BAD_REQUEST,
            Failure::NotInTables { .. } | Failure::UnknownPath => StatusCode::NOT_FOUND,
            Failure::WrongMethod | Failure::CallNotPosted => StatusCode::METHOD_NOT_ALLOWED,
            Failure::NotACall => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Failure::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::Unauthenticated => StatusCode::UNAUTHORIZED,
            Failure::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
            Failure::TooMuchWork(_) | Failure::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Failure::OutOfTime => StatusCode::GATEWAY_TIMEOUT,
            Failure::Damaged(_) | Failure::Unusable(_) | Failure::Cancelled | Failure::Internal(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }
}

impl From<LookUpError> for Failure {
    fn from(error: LookUpError) -> Failure {
        match error {
            LookUpError::NotInTables { requested, missing, file, .. } => {
                Failure::NotInTables { requested: requested.to_string(), missing: vec![missing.to_string()], file }
            }
            LookUpError::Table(error) => Failure::from(&*error),
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        match error {
            ProbeError::LookUp(error) => error.into(),
            ProbeError::Budget { .. } => Failure::TooMuchWork(error.to_string()),
            ProbeError::Cancelled => Failure::Cancelled,
            ProbeError::Variant { .. } => Failure::Internal(error.to_string()),
        }
    }
}

impl From<&TableError> for Failure {
    /// Names the file but not its folder, which is nobody's business.
    fn from(error: &TableError) -> Failure {
        let name = error.path.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("{name}: {}", error.problem);
        if !matches!(error.problem, TableProblem::Stopped) {
            tell_once(error);
        }
        match error.problem {
            TableProblem::Foreign
            | TableProblem::Damaged(_)
            | TableProblem::DamagedPage { .. }
            | TableProblem::CutShort
            | TableProblem::Codec { .. }
            | TableProblem::Counts
            | TableProblem::Contradiction { .. }
            | TableProblem::Meaningless { .. } => Failure::Damaged(message),
            TableProblem::Stopped => Failure::Cancelled,
            TableProblem::Io(_)
            | TableProblem::Version(_)
            | TableProblem::LongHeader
            | TableProblem::NoCell { .. }
            | TableProblem::Other { .. }
            | TableProblem::OtherDefinition(_) => Failure::Unusable(message),
        }
    }
}

/// The tables whose problems are in the log.
static TOLD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Every question that needs the table meets the problem, and the log is to name it once.
fn tell_once(error: &TableError) {
    if TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(error.path.clone()) {
        tracing::warn!(%error, "a table cannot be used");
    }
}

/// A failure as JSON (RFC 9457, `application/problem+json`).
#[derive(Serialize)]
struct Problem {
    title: &'static str,
    status: u16,
    detail: String,
    /// A stable name for programs.
    code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violations: Vec<ProblemField>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_slices: Vec<String>,
}

#[derive(Serialize)]
struct ProblemField {
    field: String,
    message: String,
    /// Where it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// What the reason is about: a square, a side, a piece of text.
    #[serde(skip_serializing_if = "String::is_empty")]
    about: String,
}

impl From<&Violation> for ProblemField {
    fn from(violation: &Violation) -> ProblemField {
        let cause = violation.cause.clone();
        let (reason, about) = cause.map_or_else(Default::default, |Cause { name, about }| (Some(name), about));
        ProblemField { field: violation.field.parameter(), message: violation.message.clone(), reason, about }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = self.http_status();
        let problem = Problem {
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: self.to_string(),
            code: self.reason(),
            violations: self.violations().iter().map(ProblemField::from).collect(),
            missing_slices: self.missing().to_vec(),
        };
        let mut response = (status, axum::Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(retry_after) = self.retry_after() {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_after.as_secs() + 1));
        }
        if matches!(self, Failure::CallNotPosted) {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        if matches!(self, Failure::Unauthenticated) {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    #[test]
    fn a_bad_field_is_named_by_its_path() {
        let violations = Query::read(&v1::Query { rule_set: "x".to_owned(), ..Default::default() }).unwrap_err();
        let status = Failure::Invalid(violations).to_status("query.");
        assert_eq!(status.code(), Code::InvalidArgument);
        let details = status.get_details_bad_request().unwrap();
        let fields: Vec<_> = details.field_violations.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["query.rule_set", "query.position"]);
        let light = v1::Position { form: Some(v1::position::Form::Fen("W:Wa2:Bb6".to_owned())) };
        let violations = Query::read(&v1::Query { position: Some(light), ..Default::default() }).unwrap_err();
        let details = Failure::Invalid(violations).to_status("query.").get_details_bad_request().unwrap();
        assert_eq!(details.field_violations[0].reason, "LIGHT_SQUARE");
    }

    #[test]
    fn what_is_told_fits_into_the_headers_that_clients_take() {
        const HEADER_BYTES_OF_CLIENTS: usize = 8 << 10;
        let bad = v1::Position { form: Some(v1::position::Form::Fen("ы".repeat(250))) };
        let violations = Query::read(&v1::Query {
            rule_set: "ы".repeat(1 << 20),
            variant: "ы".repeat(1 << 20),
            history: vec![bad; 1_000],
            ..Default::default()
        });
        let status = Failure::Invalid(violations.unwrap_err()).to_status("query.");
        assert!(status.message().ends_with("; and 997 more"), "{}", status.message());
        assert_eq!(status.get_details_bad_request().unwrap().field_violations.len(), MAX_VIOLATIONS_TOLD);
        let headers = status.into_http::<()>().into_parts().0.headers;
        let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 32).sum();
        assert!(bytes <= HEADER_BYTES_OF_CLIENTS, "{bytes}");
    }

    #[test]
    fn missing_tables_are_named() {
        let failure =
            Failure::NotInTables { requested: "KKvKm".into(), missing: vec!["KKvK".into(), "KvKm".into()], file: None };
        let status = failure.to_status("query.");
        assert_eq!((status.code(), status.message()), (Code::NotFound, "KKvKm needs KKvK, KvKm, not in these tables"));
        let itself = Failure::NotInTables { requested: "KvK".into(), missing: vec!["KvK".into()], file: None };
        assert_eq!(itself.to_string(), "KvK is not in these tables: missing KvK");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.metadata["missing"].as_str()), ("NOT_IN_TABLES", "KKvK,KvKm"));
        assert_eq!(failure.to_item().missing_slices, ["KKvK", "KvKm"]);
        assert_eq!(failure.into_response().status(), StatusCode::NOT_FOUND);
    }
}
