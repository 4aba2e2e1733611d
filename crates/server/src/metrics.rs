//! What the service measures of itself, for Prometheus.

use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::Duration;

use bolshak_rules::Variant;
use bolshak_tables::Usage;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

use crate::library::Library;

const CALLS: &str = "bolshak_calls_total";
const CALL_SECONDS: &str = "bolshak_call_seconds";
const IN_FLIGHT: &str = "bolshak_calls_in_flight";
const STATES: &str = "bolshak_states_total";
const GAMES: &str = "bolshak_games_total";
const OPEN_TABLES: &str = "bolshak_tables_open";
const OPEN_BYTES: &str = "bolshak_tables_open_bytes";
const CHECKED_PAGES: &str = "bolshak_table_pages_checked";
const SLICE_STATES: &str = "bolshak_slice_states_total";
const FAILED_HANDSHAKES: &str = "bolshak_handshakes_failed_total";
const CACHE: &str = "bolshak_block_cache_total";

/// The outcome of a state that was answered.
pub(crate) const ANSWERED: &str = "ANSWERED";

/// From the fastest call to the longest that is allowed.
const BUCKETS_SECONDS: [f64; 14] =
    [0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0];

/// The recorder of this process, or `None` when somebody else's is in its place.
fn recorder() -> Option<&'static PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    let install = || {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full(CALL_SECONDS.to_owned()), &BUCKETS_SECONDS)
            .map_err(|error| error.to_string());
        let handle = builder.and_then(|builder| {
            let recorder = builder.build_recorder();
            let handle = recorder.handle();
            metrics::set_global_recorder(recorder).map_err(|error| error.to_string())?;
            Ok(handle)
        });
        describe_counter!(CALLS, "Calls by name and status.");
        describe_histogram!(CALL_SECONDS, "Time to the end of the answer.");
        describe_gauge!(IN_FLIGHT, "Calls that have come and whose answer has not ended.");
        describe_counter!(STATES, "States asked about, by what came of it.");
        describe_counter!(GAMES, "Games that the arbiter looked at.");
        describe_counter!(FAILED_HANDSHAKES, "TLS handshakes that failed or took too long.");
        describe_gauge!(OPEN_TABLES, "Tables that are open.");
        describe_gauge!(OPEN_BYTES, "Size of the tables that are open.");
        describe_gauge!(
            CHECKED_PAGES,
            "Pages of the open tables that have been asked for, and checked when they first were."
        );
        describe_counter!(SLICE_STATES, "States answered, by the slice that they are in.");
        describe_counter!(CACHE, "Look-ups in a block, by whether it was decoded already: hit, or miss.");
        Collector::default().describe();
        handle.inspect_err(|error| tracing::warn!(%error, "nothing is measured")).ok()
    };
    RECORDER.get_or_init(install).as_ref()
}

/// Begins to measure.
pub(crate) fn start() {
    recorder();
}

/// Keeps what has been measured from piling up; to be called every few seconds.
pub(crate) fn upkeep() {
    if let Some(recorder) = recorder() {
        recorder.run_upkeep();
    }
}

/// Everything measured so far, in the text format of Prometheus.
pub(crate) fn render(library: &Library) -> String {
    Collector::default().collect();
    for variant in Variant::ALL {
        tables(variant.name(), library.tables(variant).usage());
        for (slice, count) in library.tally(variant).counts() {
            counter!(SLICE_STATES, "variant" => variant.name(), "slice" => slice.to_string()).absolute(count);
        }
    }
    recorder().map(PrometheusHandle::render).unwrap_or_default()
}

fn tables(variant: &'static str, usage: Usage) {
    // Prometheus counts in floating point as well.
    gauge!(OPEN_TABLES, "variant" => variant).set(usage.open_tables as f64);
    gauge!(OPEN_BYTES, "variant" => variant).set(usage.open_bytes as f64);
    gauge!(CHECKED_PAGES, "variant" => variant).set(usage.checked_pages as f64);
    counter!(CACHE, "variant" => variant, "result" => "hit").absolute(usage.cache_hits);
    counter!(CACHE, "variant" => variant, "result" => "miss").absolute(usage.cache_misses);
}

const PAGES: [&str; 9] = [
    "/v1/probe",
    "/v1/line",
    "/v1/coverage",
    "/v1/stats",
    "/v1/arbiter/verify",
    "/v1/arbiter/claim",
    "/v1/arbiter/adjudicate",
    "/metrics",
    "/",
];
const TABLEBASE: [&str; 7] = ["Probe", "ProbeBatch", "ProbeStream", "BestMoves", "Line", "Coverage", "Stats"];
const ARBITER: [&str; 4] = ["VerifyGame", "VerifyClaim", "Adjudicate", "VerifyGames"];

/// The name of a call among the measurements; what clients make up has none of its own.
pub(crate) fn call_name(path: &str) -> &'static str {
    let named = |names: &[&'static str], name: &str| names.iter().copied().find(|&named| named == name);
    let name = if let Some(call) = path.strip_prefix("/bolshak.v1.TablebaseService/") {
        named(&TABLEBASE, call)
    } else if let Some(call) = path.strip_prefix("/bolshak.v1.ArbiterService/") {
        named(&ARBITER, call)
    } else if path.starts_with("/grpc.health.") {
        Some("health")
    } else if path.starts_with("/grpc.reflection.") {
        Some("reflection")
    } else {
        named(&PAGES, path)
    };
    name.unwrap_or("other")
}

/// A call has been answered.
pub(crate) fn call(name: &'static str, code: Cow<'static, str>, took: Duration) {
    counter!(CALLS, "call" => name, "code" => code).increment(1);
    histogram!(CALL_SECONDS, "call" => name).record(took);
}

/// States have been asked about; the outcome is [`ANSWERED`] or the reason of a failure.
pub(crate) fn states(outcome: &'static str, count: u64) {
    counter!(STATES, "outcome" => outcome).increment(count);
}

/// The arbiter has looked at a game.
pub(crate) fn game() {
    counter!(GAMES).increment(1);
}

/// A client could not be agreed with on TLS, or not in time.
pub(crate) fn failed_handshake() {
    counter!(FAILED_HANDSHAKES).increment(1);
}

/// Counts a call as in flight for as long as it lives.
pub(crate) struct InFlight;

impl InFlight {
    pub(crate) fn begin() -> InFlight {
        gauge!(IN_FLIGHT).increment(1);
        InFlight
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        gauge!(IN_FLIGHT).decrement(1);
    }
}
