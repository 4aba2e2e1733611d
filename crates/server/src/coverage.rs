//! What there are tables for, and what they hold in numbers.

use std::collections::HashMap;

use bolshak_proto::v1;
use bolshak_rules::{RuleSet, Rules, Variant};
use bolshak_tables::{Coverage, Kind, Longest, ManifestError, Slice, Statistics, TableError, Tables, read_manifest};

use crate::failure::Failure;
use crate::library::Library;
use crate::query::{Field, Violation, read_rules};
use crate::wire;

/// The most slices of a question for statistics.
const MAX_SLICES: usize = 1_000;

/// What can be asked of a variant, or of all where its name is empty.
pub(crate) fn coverage(library: &Library, variant: &str) -> Result<v1::CoverageResponse, Failure> {
    let variants = if variant.is_empty() {
        Variant::ALL.to_vec()
    } else {
        let unknown = |error| Failure::Invalid(vec![Violation::new(Field::Other("variant"), error)]);
        vec![variant.parse().map_err(unknown)?]
    };
    let variants = variants.into_iter().map(|variant| of_variant(library.tables(variant)));
    Ok(v1::CoverageResponse { variants: variants.collect::<Result<_, Failure>>()? })
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::Unusable(format!("the directory of tables: {error}"))
}

fn of_variant(tables: &Tables) -> Result<v1::VariantCoverage, Failure> {
    let variant = tables.variant();
    let there = tables.coverage().map_err(unreadable)?;
    let slices = tables.slices().map_err(unreadable)?;
    let rule_sets = RuleSet::ALL.map(|set| {
        let rules = Rules::new(variant, set);
        v1::RuleSetInfo {
            name: set.name.to_owned(),
            digest: rules.digest().to_vec(),
            complete_pieces: complete_pieces(tables, &there, &rules),
        }
    });
    let hashes = hashes(tables);
    Ok(v1::VariantCoverage {
        variant: variant.name().to_owned(),
        rule_sets: rule_sets.to_vec(),
        slices: slices.iter().map(|&slice| of_slice(tables, &there, &hashes, slice)).collect(),
    })
}

/// The hashes of the files that the manifest lists, by name. Files are not hashed here, which would take long.
fn hashes(tables: &Tables) -> HashMap<String, String> {
    match read_manifest(tables.directory()) {
        Ok(listed) => listed.into_iter().collect(),
        Err(ManifestError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => HashMap::new(),
        Err(error) => {
            tracing::warn!(%error, "the manifest cannot be used");
            HashMap::new()
        }
    }
}

fn of_slice(tables: &Tables, there: &Coverage, hashes: &HashMap<String, String>, slice: Slice) -> v1::SliceCoverage {
    // What every rule set needs.
    let without_rules = Rules::new(tables.variant(), Rules::NONE.set);
    let mut coverage = v1::SliceCoverage {
        slice: slice.to_string(),
        pieces: slice.pieces().into(),
        positions: tables.index(slice).positions(),
        missing_slices: there.missing(slice, &without_rules).iter().map(Slice::to_string).collect(),
        ..Default::default()
    };
    for kind in kinds(tables.variant()) {
        match tables.table(slice, &kind) {
            Ok(None) => (),
            Ok(Some(table)) => {
                let name = table.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
                let sha256 = hashes.get(&format!("{}/{name}", tables.variant())).cloned().unwrap_or_default();
                coverage.files.push(v1::TableFile { name, size_bytes: table.bytes(), sha256 });
            }
            Err(error) => coverage.problems.push(Failure::from(&error).to_string()),
        }
    }
    coverage
}

/// All kinds of tables that a slice of a variant can have.
fn kinds(variant: Variant) -> impl Iterator<Item = Kind> {
    let sets = || RuleSet::ALL.into_iter().map(move |set| Rules::new(variant, set));
    let changes = sets().filter_map(|rules| Kind::changes(&rules));
    [Kind::Value, Kind::Distance].into_iter().chain(changes).chain(sets().map(Kind::Kings))
}

/// Tables are opened for it: one that is there and cannot be used answers nothing.
fn complete_pieces(tables: &Tables, there: &Coverage, rules: &Rules) -> u32 {
    let is_there = |slice: &Slice| there.has(*slice, rules) && tables.has(*slice, rules).unwrap_or(false);
    let complete = (2..).take_while(|&pieces| Slice::all_of(pieces).iter().all(is_there)).last();
    complete.map_or(0, u32::from)
}

/// The counts of some slices, or of all that there are tables for.
pub(crate) fn stats(library: &Library, request: &v1::StatsRequest) -> Result<v1::StatsResponse, Failure> {
    let mut violations = Vec::new();
    let rules = read_rules(&request.rule_set, &request.variant, &mut violations);
    if request.slices.len() > MAX_SLICES {
        let message = format!("{} slices are given; {MAX_SLICES} is the most", request.slices.len());
        violations.push(Violation::new(Field::Slices, message));
    }
    let read = |name: &String| match name.parse::<Slice>() {
        Ok(slice) => Some(slice),
        Err(error) => {
            violations.push(Violation::new(Field::Slices, error));
            None
        }
    };
    let named: Vec<Slice> = request.slices.iter().take(MAX_SLICES).filter_map(read).collect();
    let (Some(rules), true) = (rules, violations.is_empty()) else { return Err(Failure::Invalid(violations)) };
    let tables = library.tables(rules.variant);
    let asked = if named.is_empty() {
        let slices = tables.slices().map_err(unreadable)?;
        slices.into_iter().filter(|&slice| tables.has(slice, &rules).unwrap_or(false)).collect()
    } else {
        named
    };
    let stats = asked.into_iter().map(|slice| {
        let missing =
            || Failure::NotInTables { requested: slice.to_string(), missing: vec![slice.to_string()], file: None };
        let statistics = tables.statistics(slice, &rules).map_err(|error: TableError| Failure::from(&error))?;
        Ok(of_statistics(slice, &statistics.ok_or_else(missing)?, request.distances))
    });
    Ok(v1::StatsResponse { slices: stats.collect::<Result<_, Failure>>()? })
}

fn of_statistics(slice: Slice, statistics: &Statistics, with_distances: bool) -> v1::SliceStats {
    let counts = statistics.histogram.counts();
    let [wins, cursed_wins, draws, blessed_losses, losses] = counts;
    let extreme = |longest: Longest| v1::Extreme { distance_plies: longest.distance_plies.into(), fen: longest.fen };
    let entry = |(value, distance_plies, positions): (_, u16, _)| v1::DistanceCount {
        value: wire::value(value).into(),
        distance_plies: distance_plies.into(),
        positions,
    };
    let by_distance = statistics.histogram.by_distance();
    v1::SliceStats {
        slice: slice.to_string(),
        positions: counts.iter().sum(),
        wins,
        cursed_wins,
        draws,
        blessed_losses,
        losses,
        longest_win: statistics.longest_win().map(extreme),
        longest_loss: statistics.longest_loss().map(extreme),
        distances: if with_distances { by_distance.map(entry).collect() } else { Vec::new() },
    }
}
