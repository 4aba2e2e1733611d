//! `perft`: leaf counts of the move tree.

use std::io::{Write, stdout};

use bolshak_rules::perft;

use crate::args::{PerftArgs, position};
use crate::failure::Failure;
use crate::output::warn;

pub(crate) fn run(args: &PerftArgs) -> Result<(), Failure> {
    let (position, warnings) = position(&args.fen)?;
    warn(&warnings);
    let mut out = stdout().lock();
    for depth in 1..=args.depth {
        writeln!(out, "{depth}\t{}", perft(&position, depth))?;
        out.flush()?;
    }
    Ok(())
}
