//! `probe`: the value of a position with its counters, or of many.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use bolshak_rules::{Counters, FenWarning, Position, Rules, State};
use bolshak_tables::{Answer, Outcome, Query, Tables, Value};
use rayon::prelude::*;

use crate::args::{Format, ProbeArgs, position};
use crate::commands::generate::use_threads;
use crate::failure::Failure;
use crate::output::{AnswerJson, distance_column, over_by, warn};

pub(crate) fn run(args: &ProbeArgs) -> Result<(), Failure> {
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    match &args.fen {
        Some(fen) => one(args, fen, &tables, &rules),
        None => {
            use_threads(None)?;
            batch(&tables, &rules)
        }
    }
}

fn one(args: &ProbeArgs, fen: &str, tables: &Tables, rules: &Rules) -> Result<(), Failure> {
    let (state, warnings) = args.counters.state(fen)?;
    let history = args.history.iter().map(|fen| Ok(position(fen)?.0)).collect::<Result<Vec<Position>, Failure>>()?;
    warn(&warnings);
    let answer = tables.probe(rules, &state, Query { history: &history, ..Query::default() })?;
    let considered = !history.is_empty() && rules.occurrences_that_draw().is_some();
    let mut out = stdout().lock();
    match args.format {
        Format::Json => {
            serde_json::to_writer(&mut out, &AnswerJson::new(&state, rules.set.name, &answer, considered, &warnings))?;
            writeln!(out)?;
        }
        Format::Text => {
            write_text(&mut out, &state, rules, &answer)?;
            if !history.is_empty() {
                writeln!(out, "the history was {}taken into account", if considered { "" } else { "not " })?;
            }
        }
    }
    Ok(())
}

fn write_text(out: &mut impl Write, state: &State, rules: &Rules, answer: &Answer) -> Result<(), Failure> {
    let Counters { ratio_plies, kings_plies, road_moves } = state.counters;
    writeln!(out, "{}", state.position.to_fen())?;
    writeln!(out, "ratio {ratio_plies}, kings {kings_plies}, road {road_moves}; rules {}", rules.set.name)?;
    writeln!(out, "{}", in_words(answer.outcome))?;
    if let Some(over) = answer.over {
        writeln!(out, "over by {}", over_by(over))?;
    }
    for rated in &answer.moves {
        writeln!(out, "  {:<12} {:<12} {:>4}", rated.text, rated.outcome.value, distance_column(rated.outcome))?;
    }
    Ok(())
}

fn in_words(outcome: Outcome) -> String {
    let plies = distance_column(outcome);
    match outcome.value {
        Value::Draw => "draw".to_owned(),
        Value::Win | Value::Loss => {
            format!("{}, {plies} plies to the next capture, promotion or the end", outcome.value)
        }
        Value::CursedWin | Value::BlessedLoss => format!(
            "{}: a draw under these rules; without draw rules {plies} plies to the next capture, promotion or the end",
            outcome.value
        ),
    }
}

/// Lines worked on together.
const BATCH_LINES: usize = 4096;

fn batch(tables: &Tables, rules: &Rules) -> Result<(), Failure> {
    let mut out = BufWriter::new(stdout().lock());
    let mut lines = stdin().lock().split(b'\n');
    let mut lines_before = 0;
    loop {
        let part = lines.by_ref().take(BATCH_LINES).collect::<Result<Vec<Vec<u8>>, _>>()?;
        if part.is_empty() {
            break;
        }
        let answers: Vec<(String, Vec<FenWarning>)> =
            part.par_iter().map(|line| batch_line(tables, rules, line)).collect();
        for (number, (answer, warnings)) in (lines_before + 1..).zip(answers) {
            writeln!(out, "{answer}")?;
            for warning in warnings {
                eprintln!("bolshak: warning: line {number}: {warning}");
            }
        }
        out.flush()?;
        lines_before += part.len();
    }
    Ok(())
}

/// The line that answers a line, its fields, the value and the distance, or `error` and the reason; and what was odd
/// about its FEN.
fn batch_line(tables: &Tables, rules: &Rules, line: &[u8]) -> (String, Vec<FenWarning>) {
    let line = String::from_utf8_lossy(line);
    let line = line.strip_suffix('\r').unwrap_or(&line);
    let mut fields: Vec<&str> = line.split('\t').collect();
    let count = fields.len();
    fields.resize(4.max(count), "0");
    let mut warnings = Vec::new();
    let (value, distance) = match batch_outcome(tables, rules, &fields, count, &mut warnings) {
        Ok(outcome) => (outcome.value.name(), distance_column(outcome)),
        Err(reason) => ("error", reason.replace(['\t', '\n', '\r'], " ")),
    };
    (format!("{}\t{value}\t{distance}", fields[..4].join("\t")), warnings)
}

fn batch_outcome(
    tables: &Tables,
    rules: &Rules,
    fields: &[&str],
    count: usize,
    warnings: &mut Vec<FenWarning>,
) -> Result<Outcome, String> {
    if count != 1 && count != 4 {
        return Err(format!("{count} fields instead of a FEN, or a FEN with ratio, kings and road"));
    }
    let parsed = Position::from_fen(fields[0]).map_err(|error| error.to_string())?;
    *warnings = parsed.warnings;
    let number = |name: &str, text: &str| {
        text.trim().parse::<u32>().map_err(|_| format!("{name} '{text}' is not a number of plies or moves"))
    };
    let road = number("road", fields[3])?;
    let counters = Counters {
        ratio_plies: number("ratio", fields[1])?,
        kings_plies: number("kings", fields[2])?,
        road_moves: u8::try_from(road).unwrap_or(u8::MAX),
    };
    let state = State::new(parsed.position, counters).map_err(|error| error.to_string())?;
    tables.probe_outcome(rules, &state, Query::default()).map_err(|error| error.to_string())
}
