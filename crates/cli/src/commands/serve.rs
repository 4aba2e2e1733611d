//! `serve`: the service, and the small tables when there are none.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{GenerateError, SetwiseSolver, generate};
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_server::{Library, Settings, serve};
use bolshak_tables::Slice;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{Format, ServeArgs};
use crate::commands::generate::Report;
use crate::failure::Failure;

/// Tables of so many pieces take no time and are made before the first question.
const PIECES_MADE_FIRST: u8 = 3;
const LOG_VARIABLE: &str = "BOLSHAK_LOG";

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let file = args.config.as_deref().map(Settings::read).transpose().map_err(Failure::input)?;
    let options = args.service.clone().or(file.unwrap_or_default()).options().map_err(Failure::input)?;
    log(args.log_format)?;
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
    serve(options, library, |address| eprintln!("serving gRPC and http://{address}"))?;
    Ok(())
}

fn log(format: Format) -> Result<(), Failure> {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).with_env_var(LOG_VARIABLE);
    let filter = filter.from_env().map_err(|error| Failure::input(format!("{LOG_VARIABLE}: {error}")))?;
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).with_env_filter(filter);
    match format {
        Format::Text => log.init(),
        Format::Json => log.json().flatten_event(true).init(),
    }
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
