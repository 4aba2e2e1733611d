//! Answers as JSON, in the words of the command line: `dtc` is in plies, `value` is spelled `cursed-win`.

use bolshak_proto::v1;
use serde::Serialize;

use crate::wanted::Wanted;

/// The answer about a state.
#[derive(Serialize)]
pub(crate) struct Answer {
    #[serde(skip_serializing_if = "String::is_empty")]
    fen: String,
    #[serde(flatten)]
    counters: Option<Counters>,
    #[serde(skip_serializing_if = "String::is_empty")]
    rules: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    variant: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
    /// Null where there is none, absent where it is not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    dtc: Option<Option<u32>>,
    #[serde(flatten)]
    over: Over,
    #[serde(skip_serializing_if = "String::is_empty")]
    cut_by: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    cut_by_cites: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_by_unknown: Option<Unknown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<Vec<Remaining>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history_considered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<RatedMove>>,
}

#[derive(Serialize)]
struct Counters {
    ratio: u32,
    kings: u32,
    road: u32,
}

/// Best play.
#[derive(Serialize)]
pub(crate) struct Line {
    line: Vec<Step>,
    /// Why it does not go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<Unknown>,
}

#[derive(Serialize)]
struct Step {
    ply: u32,
    /// The move that led here; none at ply 0.
    #[serde(rename = "move")]
    text: Option<String>,
    fen: String,
    #[serde(flatten)]
    counters: Counters,
    value: &'static str,
    dtc: Option<u32>,
    remaining: Vec<Remaining>,
    #[serde(flatten)]
    over: Over,
}

/// What can be asked.
#[derive(Serialize)]
pub(crate) struct Coverage {
    variants: Vec<VariantCoverage>,
}

#[derive(Serialize)]
struct VariantCoverage {
    variant: String,
    rule_sets: Vec<RuleSet>,
    slices: Vec<Slice>,
}

#[derive(Serialize)]
struct RuleSet {
    name: String,
    digest: String,
    complete_pieces: u32,
}

#[derive(Serialize)]
struct Slice {
    slice: String,
    pieces: u32,
    positions: u64,
    files: Vec<File>,
    missing_slices: Vec<String>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct File {
    name: String,
    size_bytes: u64,
    sha256: Option<String>,
}

/// Counts of slices.
#[derive(Serialize)]
pub(crate) struct Stats {
    slices: Vec<SliceStats>,
}

#[derive(Serialize)]
struct SliceStats {
    slice: String,
    positions: u64,
    win: u64,
    cursed_win: u64,
    draw: u64,
    blessed_loss: u64,
    loss: u64,
    longest_win: Option<Extreme>,
    longest_loss: Option<Extreme>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    distances: Vec<DistanceCount>,
}

#[derive(Serialize)]
struct DistanceCount {
    value: &'static str,
    dtc: u32,
    positions: u64,
}

#[derive(Serialize)]
struct Extreme {
    dtc: u32,
    fen: String,
}

/// Nothing while the game goes on.
#[derive(Serialize)]
struct Over {
    #[serde(skip_serializing_if = "Option::is_none")]
    over_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<String>,
}

#[derive(Serialize)]
struct Remaining {
    article: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cites: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own_moves: Option<u32>,
}

#[derive(Serialize)]
struct RatedMove {
    #[serde(rename = "move")]
    text: String,
    /// Null where it is not known.
    value: Option<&'static str>,
    dtc: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<Unknown>,
    converts: bool,
    captured: Vec<String>,
    fen_after: String,
    counters_after: Counters,
    #[serde(flatten)]
    over_after: Over,
}

/// Why something is not known, as in a problem.
#[derive(Serialize)]
struct Unknown {
    code: String,
    detail: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_slices: Vec<String>,
}

impl From<v1::Failure> for Unknown {
    fn from(failure: v1::Failure) -> Unknown {
        Unknown { code: failure.reason, detail: failure.message, missing_slices: failure.missing_slices }
    }
}

fn value_name(value: v1::Value) -> &'static str {
    match value {
        v1::Value::Unspecified => "unknown",
        v1::Value::Win => "win",
        v1::Value::CursedWin => "cursed-win",
        v1::Value::Draw => "draw",
        v1::Value::BlessedLoss => "blessed-loss",
        v1::Value::Loss => "loss",
    }
}

fn some_text(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

impl Answer {
    /// What is not wanted is left out.
    pub(crate) fn new(answer: v1::Answer, wanted: Wanted) -> Answer {
        Answer {
            value: wanted.has(Wanted::VALUE).then(|| value_name(answer.value())),
            fen: answer.fen,
            counters: answer.counters.map(Counters::from),
            rules: answer.rule_set,
            variant: answer.variant,
            dtc: wanted.has(Wanted::DISTANCE).then_some(answer.distance_plies),
            over: answer.over.into(),
            cut_by: answer.cut_by,
            cut_by_cites: answer.cut_by_cites,
            cut_by_unknown: answer.cut_by_unknown.map(Unknown::from),
            remaining: wanted
                .has(Wanted::REMAINING)
                .then(|| answer.remaining.into_iter().map(Remaining::from).collect()),
            history_considered: wanted.has(Wanted::HISTORY).then_some(answer.history_considered),
            warnings: wanted.has(Wanted::WARNINGS).then_some(answer.warnings),
            moves: wanted.has(Wanted::MOVES).then(|| answer.moves.into_iter().map(RatedMove::from).collect()),
        }
    }
}

impl From<v1::Counters> for Counters {
    fn from(counters: v1::Counters) -> Counters {
        Counters { ratio: counters.ratio_plies, kings: counters.kings_plies, road: counters.road_moves }
    }
}

impl From<Option<v1::Over>> for Over {
    fn from(over: Option<v1::Over>) -> Over {
        let Some(over) = over else { return Over { over_by: None, winner: None, cites: None } };
        let cites = some_text(over.cites);
        match over.how {
            Some(v1::over::How::Article(article)) => Over { over_by: Some(article), winner: None, cites },
            Some(v1::over::How::Winner(color)) => {
                let winner = if color == v1::Color::White as i32 { "white" } else { "black" };
                Over { over_by: Some("no-move".to_owned()), winner: Some(winner), cites }
            }
            None => Over { over_by: None, winner: None, cites },
        }
    }
}

impl From<v1::Remaining> for Remaining {
    fn from(remaining: v1::Remaining) -> Remaining {
        let (plies, own_moves) = match remaining.left {
            Some(v1::remaining::Left::Plies(plies)) => (Some(plies), None),
            Some(v1::remaining::Left::OwnMoves(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        Remaining { article: remaining.article, cites: some_text(remaining.cites), plies, own_moves }
    }
}

impl From<v1::RatedMove> for RatedMove {
    fn from(rated: v1::RatedMove) -> RatedMove {
        RatedMove {
            value: rated.unknown.is_none().then(|| value_name(rated.value())),
            text: rated.text,
            dtc: rated.distance_plies,
            unknown: rated.unknown.map(Unknown::from),
            converts: rated.converts,
            captured: rated.captured,
            fen_after: rated.fen_after,
            counters_after: rated.counters_after.unwrap_or_default().into(),
            over_after: rated.over_after.into(),
        }
    }
}

impl Line {
    pub(crate) fn new(line: impl Iterator<Item = v1::LineResponse>, unknown: Option<v1::Failure>) -> Line {
        let step = |step: v1::LineResponse| Step {
            ply: step.ply,
            value: value_name(step.value()),
            text: some_text(step.r#move),
            fen: step.fen,
            counters: step.counters.unwrap_or_default().into(),
            dtc: step.distance_plies,
            remaining: step.remaining.into_iter().map(Remaining::from).collect(),
            over: step.over.into(),
        };
        Line { line: line.map(step).collect(), unknown: unknown.map(Unknown::from) }
    }
}

impl From<v1::CoverageResponse> for Coverage {
    fn from(coverage: v1::CoverageResponse) -> Coverage {
        let variant = |variant: v1::VariantCoverage| VariantCoverage {
            variant: variant.variant,
            rule_sets: variant.rule_sets.into_iter().map(RuleSet::from).collect(),
            slices: variant.slices.into_iter().map(Slice::from).collect(),
        };
        Coverage { variants: coverage.variants.into_iter().map(variant).collect() }
    }
}

impl From<v1::RuleSetInfo> for RuleSet {
    fn from(set: v1::RuleSetInfo) -> RuleSet {
        let digest = set.digest.iter().map(|byte| format!("{byte:02x}")).collect();
        RuleSet { name: set.name, digest, complete_pieces: set.complete_pieces }
    }
}

impl From<v1::SliceCoverage> for Slice {
    fn from(slice: v1::SliceCoverage) -> Slice {
        let file = |file: v1::TableFile| File {
            name: file.name,
            size_bytes: file.size_bytes,
            sha256: Some(file.sha256).filter(|sha256| !sha256.is_empty()),
        };
        Slice {
            slice: slice.slice,
            pieces: slice.pieces,
            positions: slice.positions,
            files: slice.files.into_iter().map(file).collect(),
            missing_slices: slice.missing_slices,
            problems: slice.problems,
        }
    }
}

impl From<v1::StatsResponse> for Stats {
    fn from(stats: v1::StatsResponse) -> Stats {
        let extreme = |extreme: v1::Extreme| Extreme { dtc: extreme.distance_plies, fen: extreme.fen };
        let slice = |slice: v1::SliceStats| SliceStats {
            slice: slice.slice,
            positions: slice.positions,
            win: slice.wins,
            cursed_win: slice.cursed_wins,
            draw: slice.draws,
            blessed_loss: slice.blessed_losses,
            loss: slice.losses,
            longest_win: slice.longest_win.map(extreme),
            longest_loss: slice.longest_loss.map(extreme),
            distances: slice.distances.into_iter().map(DistanceCount::from).collect(),
        };
        Stats { slices: stats.slices.into_iter().map(slice).collect() }
    }
}

impl From<v1::DistanceCount> for DistanceCount {
    fn from(count: v1::DistanceCount) -> DistanceCount {
        DistanceCount { value: value_name(count.value()), dtc: count.distance_plies, positions: count.positions }
    }
}
