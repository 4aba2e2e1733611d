//! `serve`: the service, and the small tables when there are none.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{GenerateError, ScalarSolver, generate};
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_server::{Library, Options, serve};
use bolshak_tables::Slice;

use crate::args::{Format, ServeArgs};
use crate::commands::generate::Report;
use crate::failure::Failure;

/// Tables of so many pieces take no time and are made before the first question.
const PIECES_MADE_FIRST: u8 = 3;

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false).init();
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
    let options = Options { listen: args.listen, ..Options::default() };
    serve(options, library, |address| eprintln!("serving gRPC and http://{address}"))?;
    Ok(())
}

fn make(library: &Library, pieces: std::ops::RangeInclusive<u8>) -> Result<(), GenerateError> {
    let slices: Vec<Slice> = pieces.flat_map(Slice::all_of).collect();
    for set in RuleSet::ALL {
        let rules = Rules::new(Variant::Russian, set);
        let tables = library.tables(Variant::Russian);
        let mut progress = Report::new(Format::Text);
        generate(tables, &slices, &rules, &ScalarSolver, &mut progress, &AtomicBool::new(false))?;
        progress.summary();
    }
    Ok(())
}
