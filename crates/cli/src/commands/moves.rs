//! `moves`: the legal moves of a position.

use std::io::{Write, stdout};

use crate::args::{MovesArgs, position};
use crate::failure::Failure;
use crate::output::warn;

pub(crate) fn run(args: &MovesArgs) -> Result<(), Failure> {
    let (position, warnings) = position(&args.fen)?;
    warn(&warnings);
    let mut out = stdout().lock();
    for (text, mv) in position.legal_moves_with_text() {
        let captured: Vec<String> = mv.captured.in_board_order().map(|square| square.to_string()).collect();
        writeln!(out, "{text}\t{}\t{}", captured.join(","), position.after(&mv).to_fen())?;
    }
    Ok(())
}
