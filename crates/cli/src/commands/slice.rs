//! `slice`: one job of a plan.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{SetwiseSolver, generate_kings, generate_pair, generate_part, merge_pair};

use crate::args::SliceArgs;
use crate::commands::generate::{Report, use_threads};
use crate::failure::Failure;

pub(crate) fn run(args: &SliceArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let (tables, rules, pair) = (args.scope.open(), args.scope.rules(), args.slice.pair());
    let mut progress = Report::new(args.format);
    let (solver, never) = (SetwiseSolver::default(), AtomicBool::new(false));
    match &args.part {
        Some(part) => generate_part(&tables, pair, &rules, part, &solver, &mut progress, &never)?,
        None if args.merge => merge_pair(&tables, pair, &rules, &solver, &mut progress, &never)?,
        None if args.kings => generate_kings(&tables, pair, &rules, &solver, &mut progress, &never)?,
        None => generate_pair(&tables, pair, &rules, &solver, &mut progress, &never)?,
    }
    progress.summary();
    Ok(())
}
