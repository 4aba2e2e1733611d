//! How the service is set up: by flags, by variables, by a file, or not at all.

use std::io;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::tls::{Tls, TlsError, TlsFiles};

/// Each worker is a thread.
const MAX_WORKERS: usize = 1_024;
/// The places of the queue take memory from the start.
const MAX_QUEUE: usize = 1 << 20;

/// Settings as they are given. Each can be a flag, a variable or an entry of a file; the first of these wins.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Address to listen on [default: 127.0.0.1:50051].
    #[arg(long, env = "BOLSHAK_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// How many look-ups run at once [default: one for each core].
    #[arg(long, env = "BOLSHAK_WORKERS", value_name = "N")]
    pub workers: Option<usize>,
    /// How many calls may wait for a worker before more are refused [default: 4096].
    #[arg(long, env = "BOLSHAK_QUEUE", value_name = "N")]
    pub queue: Option<usize>,
    /// States that may be searched for one answer, where counters have nearly run out [default: 2000000].
    #[arg(long, env = "BOLSHAK_MAX_STATES", value_name = "N")]
    pub max_states: Option<u64>,
    /// Time that a call may take until its answer begins, in seconds; streams go on for as long as both sides want
    /// [default: 30].
    #[arg(long, env = "BOLSHAK_CALL_SECONDS", value_name = "SECONDS")]
    pub call_seconds: Option<NonZeroU64>,
    /// Time that calls in flight have to finish when the service stops, in seconds [default: 30].
    #[arg(long, env = "BOLSHAK_DRAIN_SECONDS", value_name = "SECONDS")]
    pub drain_seconds: Option<u64>,
    /// Age at which a connection is asked to close, in seconds; the calls on it then have drain-seconds to end, and the
    /// client connects anew for the next ones [default: no limit].
    #[arg(long, env = "BOLSHAK_CONNECTION_SECONDS", value_name = "SECONDS")]
    pub connection_seconds: Option<NonZeroU64>,
    /// Calls that one client address may make in a second [default: no limit].
    #[arg(long, env = "BOLSHAK_RATE", value_name = "CALLS")]
    pub rate: Option<NonZeroU32>,
    /// File with the token that clients must send as `authorization: Bearer TOKEN`.
    #[arg(long, env = "BOLSHAK_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Certificate chain in PEM, the service's own first; turns TLS on.
    #[arg(long, env = "BOLSHAK_TLS_CERTIFICATE", value_name = "FILE")]
    pub tls_certificate: Option<PathBuf>,
    /// Private key of the certificate in PEM.
    #[arg(long, env = "BOLSHAK_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Certificates in PEM of the authorities whose clients are let in; turns mutual TLS on.
    #[arg(long, env = "BOLSHAK_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,
    /// Collector to send OpenTelemetry traces to by OTLP over gRPC, such as http://127.0.0.1:4317 [default: none].
    #[cfg(feature = "otlp")]
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,
}

/// How the service is set up, all of it.
#[derive(Clone)]
pub struct Options {
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// How many look-ups run at once.
    pub workers: usize,
    /// How many calls may wait for a worker.
    pub queue: usize,
    /// States that may be searched for one answer; where counters are nearly run out, tables alone do not tell.
    pub max_states: u64,
    /// How long a call may take until its answer begins.
    pub call_time: Duration,
    /// How long calls in flight may take to finish after a shutdown has begun.
    pub drain: Duration,
    /// How old a connection may become before it is asked to close; its calls then have the time of `drain`.
    pub connection_age: Option<Duration>,
    /// Calls that one client address may make in a second.
    pub rate: Option<NonZeroU32>,
    /// The token that clients must send.
    pub token: Option<String>,
    /// Transport security.
    pub tls: Option<Tls>,
}

impl Default for Options {
    /// On the loopback interface, with a worker for each core, in the clear, for everyone.
    fn default() -> Options {
        Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 50051)),
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            queue: 4096,
            max_states: 2_000_000,
            call_time: Duration::from_secs(30),
            drain: Duration::from_secs(30),
            connection_age: None,
            rate: None,
            token: None,
            tls: None,
        }
    }
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A file that is named cannot be read.
    #[error("{}: {error}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file of settings is not as it must be.
    #[error("{}: {error}", .path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        error: Box<toml::de::Error>,
    },
    /// The token is empty or cannot stand in a header.
    #[error("{}: the token must be one line of visible ASCII characters", .0.display())]
    Token(PathBuf),
    /// A number is 0 or greater than can be.
    #[error("{name} must be a number from 1 to {most}")]
    OutOfRange {
        /// The name of the setting.
        name: &'static str,
        /// The greatest it can be.
        most: usize,
    },
    /// Only a part of what TLS needs is given.
    #[error("TLS needs both a certificate and a key")]
    HalfTls,
    /// TLS cannot be set up with the files that are given for it.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl Settings {
    /// Reads a file of settings: TOML with the names of the flags.
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let text = read(path)?;
        toml::from_slice(&text).map_err(|error| SettingsError::Parse { path: path.to_owned(), error: Box::new(error) })
    }

    /// These settings, and the others where these say nothing.
    pub fn or(self, others: Settings) -> Settings {
        Settings {
            listen: self.listen.or(others.listen),
            workers: self.workers.or(others.workers),
            queue: self.queue.or(others.queue),
            max_states: self.max_states.or(others.max_states),
            call_seconds: self.call_seconds.or(others.call_seconds),
            drain_seconds: self.drain_seconds.or(others.drain_seconds),
            connection_seconds: self.connection_seconds.or(others.connection_seconds),
            rate: self.rate.or(others.rate),
            token_file: self.token_file.or(others.token_file),
            tls_certificate: self.tls_certificate.or(others.tls_certificate),
            tls_key: self.tls_key.or(others.tls_key),
            tls_client_ca: self.tls_client_ca.or(others.tls_client_ca),
            #[cfg(feature = "otlp")]
            otlp_endpoint: self.otlp_endpoint.or(others.otlp_endpoint),
        }
    }

    /// The options that these settings stand for; the files that they name are read.
    pub fn options(self) -> Result<Options, SettingsError> {
        let default = Options::default();
        let tls = match (self.tls_certificate, self.tls_key, self.tls_client_ca) {
            (None, None, None) => None,
            (Some(certificate), Some(key), client_ca) => Some(Tls::open(TlsFiles { certificate, key, client_ca })?),
            _ => return Err(SettingsError::HalfTls),
        };
        Ok(Options {
            listen: self.listen.unwrap_or(default.listen),
            workers: in_range("workers", self.workers, MAX_WORKERS)?.unwrap_or(default.workers),
            queue: in_range("queue", self.queue, MAX_QUEUE)?.unwrap_or(default.queue),
            max_states: self.max_states.unwrap_or(default.max_states),
            call_time: self.call_seconds.map_or(default.call_time, |seconds| Duration::from_secs(seconds.get())),
            drain: self.drain_seconds.map_or(default.drain, Duration::from_secs),
            connection_age: self.connection_seconds.map(|seconds| Duration::from_secs(seconds.get())),
            rate: self.rate,
            token: self.token_file.as_deref().map(read_token).transpose()?,
            tls,
        })
    }
}

fn in_range(name: &'static str, number: Option<usize>, most: usize) -> Result<Option<usize>, SettingsError> {
    match number {
        Some(number) if !(1..=most).contains(&number) => Err(SettingsError::OutOfRange { name, most }),
        number => Ok(number),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SettingsError> {
    std::fs::read(path).map_err(|error| SettingsError::Read { path: path.to_owned(), error })
}

fn read_token(path: &Path) -> Result<String, SettingsError> {
    let token = String::from_utf8(read(path)?).ok();
    let token = token.map(|token| token.trim().to_owned());
    token
        .filter(|token| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()))
        .ok_or_else(|| SettingsError::Token(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_the_defaults() {
        let file = file("listen = \"[::1]:7\"\nrate = 5\ncall-seconds = 2\n");
        let flags = Settings { rate: NonZeroU32::new(9), ..Default::default() };
        let options = flags.or(Settings::read(file.path()).unwrap()).options().unwrap();
        assert_eq!((options.listen.port(), options.rate, options.queue), (7, NonZeroU32::new(9), 4096));
        assert_eq!(options.call_time, Duration::from_secs(2));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let wrong = |text: &str| Settings::read(file(text).path()).unwrap_err().to_string();
        assert!(wrong("lisen = \"x\"").contains("unknown field `lisen`"));
        assert!(wrong("rate = 0").contains("nonzero"));
        assert!(wrong("call-seconds = 0").contains("nonzero"));
        let missing = Settings::read(Path::new("/nonexistent/bolshak.toml")).unwrap_err();
        assert!(missing.to_string().starts_with("/nonexistent/bolshak.toml: "));
    }

    #[test]
    fn numbers_that_cannot_be_are_refused() {
        let refused = |settings: Settings| settings.options().err().map(|error| error.to_string());
        for queue in [0, usize::MAX] {
            let settings = Settings { queue: Some(queue), ..Default::default() };
            assert_eq!(refused(settings).as_deref(), Some("queue must be a number from 1 to 1048576"));
        }
        let settings = Settings { workers: Some(0), ..Default::default() };
        assert_eq!(refused(settings).as_deref(), Some("workers must be a number from 1 to 1024"));
    }

    #[test]
    fn tokens_and_tls_are_checked() {
        let (good, empty, odd) = (file(" secret\n"), file("\n"), file("two\nlines"));
        let token = |file: &tempfile::NamedTempFile| {
            Settings { token_file: Some(file.path().to_owned()), ..Default::default() }.options()
        };
        assert_eq!(token(&good).unwrap().token.as_deref(), Some("secret"));
        assert!(token(&empty).is_err() && token(&odd).is_err());
        let half = Settings { tls_key: Some(good.path().to_owned()), ..Default::default() };
        assert!(matches!(half.options(), Err(SettingsError::HalfTls)));
        let wrong = Settings {
            tls_certificate: Some(good.path().to_owned()),
            tls_key: Some(good.path().to_owned()),
            ..Default::default()
        };
        assert!(matches!(wrong.options(), Err(SettingsError::Tls(_))));
    }
}
