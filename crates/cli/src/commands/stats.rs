//! `stats`: counts and longest distances by slice, or counts by distance.

use std::io::{Write, stdout};

use anyhow::anyhow;
use bolshak_tables::{Longest, Statistics};

use crate::args::StatsArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &StatsArgs) -> Result<(), Failure> {
    let (tables, rules) = (args.scope.open(), args.scope.rules());
    let all = args.slices.is_empty();
    let slices = if all { args.scope.slices_of(&tables)? } else { args.slices.clone() };
    let mut rows: Vec<(String, u64, Statistics)> = Vec::new();
    let mut unusable = Vec::new();
    for slice in slices {
        match tables.statistics(slice, &rules) {
            Ok(Some(statistics)) => rows.push((slice.to_string(), tables.index(slice).positions(), statistics)),
            Ok(None) if all => {}
            Ok(None) => return Err(anyhow!("not in these tables: {slice} under '{}'", rules.set.name).into()),
            Err(error) => unusable.push(error),
        }
    }
    if rows.is_empty() && unusable.is_empty() {
        let directory = args.scope.tables.display();
        return Err(anyhow!("{directory} has no tables for {rules}; 'bolshak generate' makes them").into());
    }
    let mut out = stdout().lock();
    if args.distances {
        by_distance(&rows, &mut out)?;
    } else {
        by_slice(&rows, &mut out)?;
    }
    match &unusable[..] {
        [] => Ok(()),
        [error] => Err(anyhow!("{error}").into()),
        [first, more @ ..] => Err(anyhow!("{first}; {} more slices cannot be read", more.len()).into()),
    }
}

fn by_slice(rows: &[(String, u64, Statistics)], out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "slice\tpositions\twin\tcursed_win\tdraw\tblessed_loss\tloss\tlongest_win\tlongest_win_fen\tlongest_loss\tlongest_loss_fen"
    )?;
    for (slice, positions, statistics) in rows {
        let counts = statistics.histogram.counts().map(|count| count.to_string()).join("\t");
        let (win, loss) = (longest(statistics.longest_win()), longest(statistics.longest_loss()));
        writeln!(out, "{slice}\t{positions}\t{counts}\t{win}\t{loss}")?;
    }
    Ok(())
}

fn by_distance(rows: &[(String, u64, Statistics)], out: &mut impl Write) -> Result<(), Failure> {
    writeln!(out, "slice\tvalue\tdtc\tpositions")?;
    for (slice, _, statistics) in rows {
        for (value, distance_plies, positions) in statistics.histogram.by_distance() {
            writeln!(out, "{slice}\t{value}\t{distance_plies}\t{positions}")?;
        }
    }
    Ok(())
}

fn longest(longest: Option<Longest>) -> String {
    longest.map_or("-\t-".to_owned(), |longest| format!("{}\t{}", longest.distance_plies, longest.fen))
}
