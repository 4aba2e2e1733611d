//! `slice`: one job of a plan.

use std::sync::atomic::AtomicBool;

use bolshak_generate::{SetwiseSolver, generate_kings, generate_pair, generate_part, has_kings_tables, merge_pair};

use crate::args::SliceArgs;
use crate::commands::generate::{Report, use_threads};
use crate::failure::Failure;

pub(crate) fn run(args: &SliceArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let (tables, rules, pair) = (args.scope.open(), args.scope.rules(), args.slice.pair());
    let mut progress = Report::new(args.format);
    let (solver, never) = (SetwiseSolver::default(), AtomicBool::new(false));
    if let Some(part) = &args.part {
        let solved = generate_part(&tables, pair, &rules, part, &solver, &mut progress, &never)?;
        let told = if solved { "is solved" } else { "is there already, or the tables are" };
        progress.summary_or(&format!("part {part} of {pair} {told}"));
        return Ok(());
    }
    if args.kings {
        generate_kings(&tables, pair, &rules, &solver, &mut progress, &never)?;
        let told = if has_kings_tables(pair, &rules) { "are there already" } else { "are not made for this pair" };
        progress.summary_or(&format!("tables of how king moves left matter in {pair} {told}"));
        return Ok(());
    }
    if args.merge {
        merge_pair(&tables, pair, &rules, &solver, &mut progress, &never)?;
    } else {
        generate_pair(&tables, pair, &rules, &solver, &mut progress, &never)?;
    }
    progress.summary();
    Ok(())
}
