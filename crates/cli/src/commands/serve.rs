//! `serve`: the service, and the small tables when there are none.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::AtomicBool;

use bolshak_generate::{GenerateError, SetwiseSolver, generate};
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_server::{Library, Settings, serve};
use bolshak_tables::Slice;
use tracing_subscriber::filter::LevelFilter;
#[cfg(not(feature = "otlp"))]
use tracing_subscriber::layer::Identity;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::args::{Format, ServeArgs};
use crate::commands::generate::Report;
use crate::failure::Failure;

/// Tables of so many pieces take no time and are made before the first question.
const PIECES_MADE_FIRST: u8 = 3;
const LOG_VARIABLE: &str = "BOLSHAK_LOG";

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let file = args.config.as_deref().map(Settings::read).transpose().map_err(Failure::input)?;
    let settings = args.service.clone().or(file.unwrap_or_default());
    #[cfg(feature = "otlp")]
    let telemetry =
        settings.otlp_endpoint.as_deref().map(bolshak_server::Telemetry::start).transpose().map_err(Failure::input)?;
    #[cfg(feature = "otlp")]
    let traces = telemetry.as_ref().map(bolshak_server::Telemetry::layer);
    #[cfg(not(feature = "otlp"))]
    let traces = None::<Identity>;
    let options = settings.options().map_err(Failure::input)?;
    log(args.log_format, traces)?;
    let library = Library::open(&args.tables);
    let tables = library.tables(Variant::Russian);
    if args.make_pieces > 0 && tables.slices()?.is_empty() {
        make(&library, 2..=args.make_pieces.min(PIECES_MADE_FIRST))?;
        let (library, pieces) = (library.clone(), PIECES_MADE_FIRST + 1..=args.make_pieces);
        // Killed with the process: what is finished stays, and a later `generate` goes on from there.
        std::thread::spawn(move || {
            if let Err(error) = make(&library, pieces) {
                eprintln!("bolshak: {error}");
            }
        });
    }
    let scheme = if options.tls.is_some() { "https" } else { "http" };
    serve(options, library, |address| eprintln!("serving gRPC and {scheme}://{address}"))?;
    Ok(())
}

/// Sets up the log on stderr, and what takes the spans of calls besides.
fn log(format: Format, traces: Option<impl Layer<Registry> + Send + Sync>) -> Result<(), Failure> {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).with_env_var(LOG_VARIABLE);
    let filter = filter.from_env().map_err(|error| Failure::input(format!("{LOG_VARIABLE}: {error}")))?;
    let log = tracing_subscriber::fmt::layer().with_writer(stderr).with_ansi(stderr().is_terminal()).with_target(false);
    let log = match format {
        Format::Text => log.boxed(),
        Format::Json => log.json().flatten_event(true).boxed(),
    };
    tracing_subscriber::registry().with(traces).with(log.with_filter(filter)).init();
    Ok(())
}

fn make(library: &Library, pieces: std::ops::RangeInclusive<u8>) -> Result<(), GenerateError> {
    let slices: Vec<Slice> = pieces.flat_map(Slice::all_of).collect();
    let rules = RuleSet::ALL.map(|set| Rules::new(Variant::Russian, set));
    let mut progress = Report::new(Format::Text);
    generate(
        library.tables(Variant::Russian),
        &slices,
        &rules,
        &SetwiseSolver::default(),
        &mut progress,
        &AtomicBool::new(false),
    )?;
    progress.summary();
    Ok(())
}
