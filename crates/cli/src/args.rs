//! The arguments of every command.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use bolshak_arbiter::{Answered, Language, Offer};
use bolshak_generate::{NodeLimits, PartRange};
use bolshak_rules::{Article, Color, Counters, FenWarning, Position, RuleSet, Rules, State, Variant};
use bolshak_tables::{Slice, Tables};
use clap::{Parser, Subcommand, ValueEnum};

use crate::failure::Failure;

/// The endgame tablebase of Russian draughts that knows the draw rules.
#[derive(Parser)]
#[command(name = "bolshak", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Makes tables; those already there are kept.
    #[command(after_help = "Example: bolshak generate --pieces 4")]
    Generate(GenerateArgs),
    /// Writes what is not made yet as a graph of jobs for a cluster engine.
    #[command(
        after_help = "Examples:\n  bolshak plan --pieces 7 --format hyperqueue > plan.toml\n  bolshak plan --pieces 7 --format slurm | bash -s -- --partition=long"
    )]
    Plan(PlanArgs),
    /// Does one job of a plan: makes a slice and its partner, or a part of them; what they lead to must be there.
    #[command(
        after_help = "Examples:\n  bolshak slice KKmvKm\n  bolshak slice KKmvKm --part 3:0-120\n  bolshak slice KKmvKm --merge\n  bolshak slice KKmvKK --kings"
    )]
    Slice(SliceArgs),
    /// Copies tables into or out of object storage.
    #[cfg(feature = "object_store")]
    #[command(after_help = "Example: bolshak stage out s3://draughts/tables --pieces 6")]
    Stage(StageArgs),
    /// Tells the value, the distance and every move of a position, or of many.
    #[command(
        after_help = "Examples:\n  bolshak probe W:WKa1,c3:BKh8 --ratio 12 --kings 12\n  bolshak probe --batch < positions.tsv"
    )]
    Probe(ProbeArgs),
    /// Shows best play from a position to the end of the game or a draw.
    #[command(after_help = "Example: bolshak line W:WKa1,Kc1,Ke1:BKb8")]
    Line(LineArgs),
    /// Lists the legal moves of a position.
    #[command(after_help = "Example: bolshak moves W:WKh4:Bg3,c5,e5,g5")]
    Moves(MovesArgs),
    /// Counts the leaves of the move tree for each depth.
    #[command(after_help = "Example: bolshak perft start 8")]
    Perft(PerftArgs),
    /// Lists the counts of values and the longest wins and losses by slice.
    #[command(after_help = "Examples:\n  bolshak stats KKvK KmvK\n  bolshak stats --distances KKvK")]
    Stats(StatsArgs),
    /// Checks every table: checksums, then values.
    #[command(after_help = "Example: bolshak verify --sample 1000")]
    Verify(VerifyArgs),
    /// Lists the SHA-256 hashes of all tables in MANIFEST.sha256, which `sha256sum -c` reads, or checks that list.
    #[command(after_help = "Examples:\n  bolshak manifest\n  bolshak manifest --check")]
    Manifest(ManifestArgs),
    /// Judges recorded games: which draw rule was met when, under every rule set; whether a claim was right.
    #[command(
        after_help = "Examples:\n  bolshak arbiter games.pdn --format json\n  bolshak arbiter game.pdn --claim 1.9.1.7 --side white --ply 74 --intended e3-d4"
    )]
    Arbiter(ArbiterArgs),
    /// Serves the tables over gRPC and HTTP; makes the small ones first when there are none.
    #[command(after_help = "Example: bolshak serve --listen 127.0.0.1:50051")]
    Serve(ServeArgs),
    /// Writes a completion script for a shell.
    #[command(after_help = "Example: bolshak completions bash")]
    Completions(CompletionsArgs),
    /// Writes the manual page.
    #[command(after_help = "Example: bolshak man | man -l -")]
    Man,
}

/// Which game, by which rules, from which tables.
#[derive(clap::Args)]
pub(crate) struct Scope {
    /// Rule set: official, official-won-position, fmjd64, classic or none.
    #[arg(long, value_name = "SET", default_value = "official", value_parser = parse::<RuleSet>)]
    rules: RuleSet,
    /// Variant: russian or giveaway.
    #[arg(long, default_value = "russian", value_parser = parse::<Variant>)]
    variant: Variant,
    /// Directory of the tables.
    #[arg(long, value_name = "DIR", env = "BOLSHAK_TABLES", default_value = "data/tables")]
    pub(crate) tables: PathBuf,
}

impl Scope {
    pub(crate) const fn rules(&self) -> Rules {
        Rules::new(self.variant, self.rules)
    }

    pub(crate) fn open(&self) -> Tables {
        Tables::open(&self.tables, self.variant)
    }

    /// The slices that the directory has tables of.
    pub(crate) fn slices_of(&self, tables: &Tables) -> anyhow::Result<Vec<Slice>> {
        tables.slices().with_context(|| self.tables.display().to_string())
    }
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

#[derive(clap::Args)]
#[group(id = "what", required = true, multiple = false)]
pub(crate) struct Wanted {
    /// All slices of 2 to N pieces.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=12))]
    pieces: Option<u8>,
    /// These slices, and those that they lead to.
    #[arg(long, value_name = "SLICE,...", value_delimiter = ',', value_parser = parse::<Slice>)]
    slices: Vec<Slice>,
}

impl Wanted {
    pub(crate) fn slices(&self) -> Vec<Slice> {
        match self.pieces {
            Some(pieces) => (2..=pieces).flat_map(Slice::all_of).collect(),
            None => self.slices.clone(),
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) wanted: Wanted,
    /// Rule sets, the common work for which is done once: official, official-won-position, fmjd64, classic or none.
    #[arg(long, value_name = "SET,...", value_delimiter = ',', default_value = "official", value_parser = parse::<RuleSet>)]
    rules: Vec<RuleSet>,
    /// Variant: russian or giveaway.
    #[arg(long, default_value = "russian", value_parser = parse::<Variant>)]
    variant: Variant,
    /// Directory of the tables.
    #[arg(long, value_name = "DIR", env = "BOLSHAK_TABLES", default_value = "data/tables")]
    tables: PathBuf,
    /// Threads to use; by default one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// Memory that may be used, such as 800M or 16G; what needs more is refused before anything is done. By default pairs
    /// are done side by side in 1 GiB, and a pair that needs more by itself.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Also make tables of how king moves left matter (1.9.1.6), for pairs with men and four kings or more: with them,
    /// states with counters are answered at once. Always by the set-wise solver; for rule sets that count king moves in
    /// such pairs, others have none.
    #[arg(long)]
    pub(crate) kings: bool,
    /// How values are found; both find the same, the scalar solver is the slow check of the set-wise one.
    #[arg(long, value_enum, default_value_t = SolverArg::Setwise)]
    pub(crate) solver: SolverArg,
    /// How progress is told.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

impl GenerateArgs {
    pub(crate) fn rules(&self) -> Vec<Rules> {
        self.rules.iter().map(|&set| Rules::new(self.variant, set)).collect()
    }

    pub(crate) fn open(&self) -> Tables {
        Tables::open(&self.tables, self.variant)
    }
}

#[derive(clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) wanted: Wanted,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Most cores for one job.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) cores: u16,
    /// The program as nodes see it; by default this one.
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
    /// The engine the graph is written for, or json for any other.
    #[arg(long, value_enum)]
    pub(crate) format: PlanFormat,
    /// Divide slices that are too much for a node into parts, with a job that merges them.
    #[arg(long)]
    pub(crate) parts: bool,
    /// Memory of a node, such as 64G.
    #[arg(long, value_name = "SIZE", requires = "parts", default_value = "64G", value_parser = parse_size)]
    node_memory: u64,
    /// How many hours a job may take.
    #[arg(long, value_name = "HOURS", requires = "parts", default_value_t = 8., value_parser = parse_hours)]
    node_hours: f64,
    /// Also jobs that make the tables of how king moves left matter: see `generate --kings`.
    #[arg(long)]
    pub(crate) kings: bool,
}

impl PlanArgs {
    /// Beyond what jobs are divided.
    pub(crate) fn limits(&self) -> Option<NodeLimits> {
        let time = Duration::from_secs_f64(3600. * self.node_hours);
        self.parts.then_some(NodeLimits { memory_bytes: self.node_memory, time })
    }
}

/// A form of a plan.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFormat {
    /// A job file of HyperQueue.
    Hyperqueue,
    /// A script that submits to Slurm; its arguments are passed on to every sbatch.
    Slurm,
    /// A Snakefile.
    Snakemake,
    /// Everything that is known of the jobs.
    Json,
}

#[cfg(feature = "object_store")]
#[derive(clap::Args)]
pub(crate) struct StageArgs {
    /// In, to the directory of the tables, or out, to storage.
    #[arg(value_enum)]
    pub(crate) direction: Direction,
    /// The storage, such as s3://bucket/prefix; the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
    /// AWS_ENDPOINT_URL and their like are read.
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) wanted: Wanted,
    /// Also tables of how king moves left matter: see `generate --kings`.
    #[arg(long)]
    pub(crate) kings: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Which way tables are copied.
#[cfg(feature = "object_store")]
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Direction {
    /// From storage to the directory.
    In,
    /// From the directory to storage.
    Out,
}

#[derive(clap::Args)]
pub(crate) struct SliceArgs {
    /// The slice.
    #[arg(value_name = "SLICE", value_parser = parse::<Slice>)]
    pub(crate) slice: Slice,
    /// Solve this part only, such as 3:0-120, and keep it until all are merged.
    #[arg(long, value_name = "PART", conflicts_with_all = ["merge", "kings"], value_parser = parse::<PartRange>)]
    pub(crate) part: Option<PartRange>,
    /// Make the tables from the parts, all of which must be there.
    #[arg(long, conflicts_with = "kings")]
    pub(crate) merge: bool,
    /// Make the tables of how king moves left matter, if the slice has any; its others must be there.
    #[arg(long)]
    pub(crate) kings: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Threads to use; by default one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// How progress is told.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// A solver.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverArg {
    /// Whole sets of positions at a time.
    Setwise,
    /// One state at a time, by the literal rules.
    Scalar,
}

/// Reads a time that a job can have.
fn parse_hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours| (0.000_001..=10_000.).contains(hours));
    hours.ok_or_else(|| format!("'{text}' is not a number of hours, such as 8 or 0.5"))
}

/// Reads a number of bytes with an optional K, M, G or T for powers of 1024.
fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size such as 800M or 16G");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Counters of a state.
#[derive(clap::Args)]
pub(crate) struct CounterArgs {
    /// Plies since the last capture or promotion.
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    ratio: u32,
    /// Plies since a man last moved or anything was captured.
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    kings: u32,
    /// The stronger side's own moves with the lone king on the main road (1.9.1.5).
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    road: u8,
}

impl CounterArgs {
    const fn counters(&self) -> Counters {
        Counters { ratio_plies: self.ratio, kings_plies: self.kings, road_moves: self.road }
    }

    /// The state of a FEN with these counters, and what was odd about the FEN.
    pub(crate) fn state(&self, fen: &str) -> Result<(State, Vec<FenWarning>), Failure> {
        let (position, warnings) = position(fen)?;
        Ok((State::new(position, self.counters()).map_err(Failure::input)?, warnings))
    }
}

/// The position of a FEN, or the start position for `start`, and what was odd about it.
pub(crate) fn position(fen: &str) -> Result<(Position, Vec<FenWarning>), Failure> {
    if fen == "start" {
        return Ok((Position::start(), Vec::new()));
    }
    let parsed = Position::from_fen(fen).map_err(|error| Failure::Input(format!("FEN '{fen}': {error}")))?;
    Ok((parsed.position, parsed.warnings))
}

#[derive(clap::Args)]
pub(crate) struct ProbeArgs {
    /// The position.
    #[arg(required_unless_present = "batch", conflicts_with = "batch")]
    pub(crate) fen: Option<String>,
    #[command(flatten)]
    pub(crate) counters: CounterArgs,
    /// A position that occurred in the game before, for repetition (1.9.1.7); may be given many times.
    #[arg(long, value_name = "FEN")]
    pub(crate) history: Vec<String>,
    /// Reads lines of FEN, and optionally ratio, kings and road, parted by tabs; writes them with value and distance.
    #[arg(long, conflicts_with_all = ["ratio", "kings", "road", "history", "format"])]
    pub(crate) batch: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(clap::Args)]
pub(crate) struct LineArgs {
    /// The position.
    pub(crate) fen: String,
    #[command(flatten)]
    pub(crate) counters: CounterArgs,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

#[derive(clap::Args)]
pub(crate) struct MovesArgs {
    /// The position, or `start`.
    pub(crate) fen: String,
}

#[derive(clap::Args)]
pub(crate) struct PerftArgs {
    /// The position, or `start`.
    pub(crate) fen: String,
    /// The greatest depth in plies.
    pub(crate) depth: u32,
}

#[derive(clap::Args)]
pub(crate) struct StatsArgs {
    /// The slices; all that are there when none is named.
    #[arg(value_name = "SLICE", value_parser = parse::<Slice>)]
    pub(crate) slices: Vec<Slice>,
    /// Lists how many positions have which value and distance instead.
    #[arg(long)]
    pub(crate) distances: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArgs {
    /// Positions to check in each slice, under the rules that are named; the checksums of all files are checked in any
    /// case.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sample: u64,
    /// Check all positions.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

#[derive(clap::Args)]
pub(crate) struct ManifestArgs {
    /// Compare the tables with the list that is there. Tables that it does not list are named and no fault.
    #[arg(long)]
    pub(crate) check: bool,
    /// Directory of the tables.
    #[arg(long, value_name = "DIR", env = "BOLSHAK_TABLES", default_value = "data/tables")]
    pub(crate) tables: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct ArbiterArgs {
    /// The files, in PDN or one of its older forms; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Rule sets to judge by; all but none when none is named.
    #[arg(long, value_name = "SET,...", value_delimiter = ',', value_parser = parse::<RuleSet>)]
    pub(crate) rules: Vec<RuleSet>,
    /// Variant: russian or giveaway.
    #[arg(long, default_value = "russian", value_parser = parse::<Variant>)]
    pub(crate) variant: Variant,
    /// Directory of the tables.
    #[arg(long, value_name = "DIR", env = "BOLSHAK_TABLES", default_value = "data/tables")]
    pub(crate) tables: PathBuf,
    /// Only this game, counted from 1.
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<usize>,
    /// Form of the verdict.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Language of text and HTML: en or ru.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = parse::<Language>)]
    pub(crate) language: Language,
    /// Tell every ply: counters, table values, what is left of each count.
    #[arg(long, conflicts_with_all = ["claim", "adjudicate"])]
    pub(crate) every_ply: bool,
    /// Judge an unfinished game where its record ends.
    #[arg(long, conflicts_with = "claim")]
    pub(crate) adjudicate: bool,
    #[command(flatten)]
    pub(crate) claim: ClaimArgs,
}

/// A claim made at the board.
#[derive(clap::Args)]
pub(crate) struct ClaimArgs {
    /// Judge a claim by this article.
    #[arg(long, value_name = "ARTICLE", value_parser = parse::<Article>, requires = "side", requires = "ply")]
    pub(crate) claim: Option<Article>,
    /// The claimant; with --adjudicate, whose flag fell.
    #[arg(long, value_enum)]
    pub(crate) side: Option<SideArg>,
    /// The ply after which it was made.
    #[arg(long, requires = "claim", allow_negative_numbers = true)]
    pub(crate) ply: Option<usize>,
    /// The move that the claimant wrote down without playing it.
    #[arg(long, value_name = "MOVE", requires = "claim")]
    pub(crate) intended: Option<String>,
    /// No full, legible record was presented.
    #[arg(long, requires = "claim")]
    pub(crate) no_record: bool,
    /// What the flag of --side did; with --adjudicate, which has no check, only that it fell before.
    #[arg(long, value_enum, value_name = "WHEN", requires = "side")]
    pub(crate) flag: Option<FlagArg>,
    /// An offer of a draw, as SIDE@PLY and, after commas, any of clock-started, conditional, accepted, declined; may be
    /// given many times.
    #[arg(long, value_name = "OFFER", value_parser = parse_offer, requires = "claim")]
    pub(crate) offer: Vec<Offer>,
}

/// A side on the command line.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideArg {
    /// White.
    White,
    /// Black.
    Black,
}

impl SideArg {
    pub(crate) const fn color(self) -> Color {
        match self {
            SideArg::White => Color::White,
            SideArg::Black => Color::Black,
        }
    }
}

/// What a flag did.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlagArg {
    /// It had fallen before the claim.
    FellBefore,
    /// It fell while the arbiter checked.
    FellDuringCheck,
}

/// A form of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// For programs: an object a line for each game.
    Json,
    /// A page to print, with diagrams; needs one game.
    Html,
    /// No verdict, but the record as PDN 3.0: what was read, in one form.
    Pdn,
}

fn parse_offer(text: &str) -> Result<Offer, String> {
    let wrong = || format!("'{text}' is not an offer such as white@31 or black@40,clock-started,declined");
    let mut parts = text.split(',');
    let (side, ply) = parts.next().and_then(|offer| offer.split_once('@')).ok_or_else(wrong)?;
    let side = match side {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(wrong()),
    };
    let ply = ply.parse().map_err(|_| wrong())?;
    let mut offer = Offer { side, ply, clock_started: false, conditional: false, answer: None };
    for part in parts {
        match part {
            "clock-started" => offer.clock_started = true,
            "conditional" => offer.conditional = true,
            "accepted" => offer.answer = Some(Answered::Accepted),
            "declined" => offer.answer = Some(Answered::Declined),
            _ => return Err(wrong()),
        }
    }
    Ok(offer)
}

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    /// Directory of the tables.
    #[arg(long, value_name = "DIR", env = "BOLSHAK_TABLES", default_value = "data/tables")]
    pub(crate) tables: PathBuf,
    /// Pieces of the tables to make when there are none; 0 makes none.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=6))]
    pub(crate) make_pieces: u8,
    /// How the log is written to stderr; BOLSHAK_LOG says how much (info, debug: every call).
    #[arg(long, value_enum, env = "BOLSHAK_LOG_FORMAT", default_value_t = Format::Text)]
    pub(crate) log_format: Format,
    /// File of settings: TOML with the names of the flags below; flags and variables win over it.
    #[arg(long, value_name = "FILE", env = "BOLSHAK_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) service: bolshak_server::Settings,
}

#[derive(clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}
