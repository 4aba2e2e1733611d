//! `slice`: one job of a plan.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{SetwiseSolver, generate_pair};

use crate::args::SliceArgs;
use crate::commands::generate::{Report, use_threads};
use crate::failure::Failure;

pub(crate) fn run(args: &SliceArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let (tables, rules, pair) = (args.scope.open(), args.scope.rules(), args.slice.pair());
    let mut progress = Report::new(args.format);
    generate_pair(&tables, pair, &rules, &SetwiseSolver::default(), &mut progress, &AtomicBool::new(false))?;
    progress.summary();
    Ok(())
}
