//! `line`: best play to the end of the game or a draw.

use std::io::{Write, stdout};

use bolshak_rules::{Color, Over};
use bolshak_tables::{Query, Value};

use crate::args::LineArgs;
use crate::failure::Failure;
use crate::output::{distance_column, warn};

pub(crate) fn run(args: &LineArgs) -> Result<(), Failure> {
    let (state, warnings) = args.counters.state(&args.fen)?;
    warn(&warnings);
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let mut out = stdout().lock();
    writeln!(out, "ply\tmove\tratio\tkings\troad\tvalue\tdtc\tfen")?;
    for (ply, step) in tables.line(&rules, &state, Query::default()).enumerate() {
        let step = step?;
        let counters = step.state.counters;
        let best = step.answer.moves.first().filter(|_| step.answer.outcome.distance_plies.is_some());
        writeln!(
            out,
            "{ply}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            best.map_or("-", |best| &best.text),
            counters.ratio_plies,
            counters.kings_plies,
            counters.road_moves,
            step.answer.outcome.value,
            distance_column(step.answer.outcome),
            step.state.position.to_fen()
        )?;
        match step.answer.over {
            Some(Over::NoMove { winner: Color::White }) => writeln!(out, "White has won")?,
            Some(Over::NoMove { winner: Color::Black }) => writeln!(out, "Black has won")?,
            Some(Over::Drawn(article)) => writeln!(out, "drawn by {article}")?,
            None if step.answer.outcome.value == Value::Draw => writeln!(out, "drawn: neither side can force a win")?,
            None => {}
        }
    }
    Ok(())
}
