//! `generate`: makes tables and tells how far it is.

use std::collections::BTreeMap;
use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use bolshak_generate::{
    Making, Progress, ScalarSolver, Schedule, SetwiseSolver, Solver, Step, StepReport, Wanted, generate_wanted, plan,
};
use bolshak_tables::{Kind, Longest, Statistics, Value};
use indicatif::{HumanBytes, HumanCount, HumanDuration, MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::args::{Format, GenerateArgs, SolverArg};
use crate::failure::Failure;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    use_threads(args.threads)?;
    let (tables, rules, slices) = (args.open(), args.rules(), args.wanted.slices());
    let setwise = SetwiseSolver::default();
    let solver: &dyn Solver = match args.solver {
        SolverArg::Setwise => &setwise,
        SolverArg::Scalar => &ScalarSolver,
    };
    let room_bytes = args.memory.unwrap_or(Wanted::DEFAULT_ROOM_BYTES);
    let wanted = Wanted { slices: &slices, rules: &rules, kings: args.kings, room_bytes };
    let steps = plan(&tables, &wanted)?;
    if let Some((bytes, Step { pair, .. })) = Schedule::new(&steps, solver).memory_needed() {
        if let Some(memory) = args.memory.filter(|memory| bytes > *memory) {
            let (bytes, memory) = (HumanBytes(bytes), HumanBytes(memory));
            return Err(anyhow!("{pair} needs {bytes} of memory, more than the {memory} allowed").into());
        }
        let room_bytes = room_bytes.max(bytes);
        match args.format {
            Format::Text => eprintln!(
                "needs {} of memory at most (at {pair}); several pairs at once take up to {}",
                HumanBytes(bytes),
                HumanBytes(room_bytes)
            ),
            Format::Json => print_event(&serde_json::json!({"event": "estimate", "pair": pair.to_string(),
                "memory_bytes": bytes, "room_bytes": room_bytes})),
        }
    }
    let mut progress = Report::new(args.format);
    generate_wanted(&tables, &wanted, solver, &mut progress, &AtomicBool::new(false))?;
    progress.summary();
    Ok(())
}

/// Writes a line for machines.
fn print_event(event: &serde_json::Value) {
    eprintln!("{event}");
}

/// Starts the threads that work is divided among, as many as there are cores unless told: if it was left to the first work,
/// a system that gives none would end the program in the midst of it.
pub(crate) fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let threads = threads.unwrap_or(0).into();
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    started.map_err(|error| anyhow!("starting threads: {error}").into())
}

/// Tells on stderr how far a run is: bars on a terminal, else a line a step, or JSON lines.
pub(crate) struct Report {
    format: Format,
    /// On a terminal.
    bars: Option<Bars>,
    begun: Instant,
    /// When it was last told how far the run is.
    told: Instant,
    steps: usize,
    steps_done: usize,
    /// In all steps, and those that are solved.
    positions: u64,
    solved: u64,
    bytes: u64,
    totals: BTreeMap<&'static str, Totals>,
}

/// One bar for all steps and one for each that is under way.
struct Bars {
    all: MultiProgress,
    overall: ProgressBar,
    steps: Vec<(Step, ProgressBar)>,
}

impl Bars {
    fn new(positions: u64) -> Bars {
        let all = MultiProgress::new();
        let overall = all.add(ProgressBar::new(positions));
        let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A bar without its rate is still a bar.
            let _ = write!(text, "{}/s", HumanCount(state.per_sec() as u64));
        };
        let style = bar_style("{wide_bar} {human_pos}/{human_len} positions, {rate}, {eta} left");
        overall.set_style(style.with_key("rate", rate));
        Bars { all, overall, steps: Vec::new() }
    }

    fn begin(&mut self, step: &Step) {
        let bar = self.all.add(ProgressBar::new(step.positions()));
        bar.set_style(bar_style("{wide_bar} {human_pos}/{human_len}  {msg}"));
        bar.set_message(format!("{} {}", step.pair, names(step).join(",")));
        self.steps.push((step.clone(), bar));
    }

    fn advance(&self, step: &Step, positions: u64) {
        self.overall.inc(positions);
        let of_step = self.steps.iter().filter(|(running, _)| running == step);
        of_step.for_each(|(_, bar)| bar.inc(positions));
    }

    fn end(&mut self, step: &Step) {
        self.steps.retain(|(running, bar)| {
            if running == step {
                bar.finish_and_clear();
                self.all.remove(bar);
            }
            running != step
        });
    }
}

fn bar_style(template: &str) -> ProgressStyle {
    // The templates are constants that the command's test shows to be sound.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// What is counted under one set of rules.
#[derive(Default)]
struct Totals {
    counts: [u64; 5],
    longest_win: Option<Longest>,
}

impl Report {
    pub(crate) fn new(format: Format) -> Report {
        Report {
            format,
            bars: None,
            begun: Instant::now(),
            told: Instant::now(),
            steps: 0,
            steps_done: 0,
            positions: 0,
            solved: 0,
            bytes: 0,
            totals: BTreeMap::new(),
        }
    }

    /// Tells now and then how far the run is, where no bars do.
    fn tell_how_far(&mut self) {
        let seldom = Duration::from_secs(if self.format == Format::Json { 1 } else { 30 });
        if self.bars.is_some() || self.positions == 0 || self.told.elapsed() < seldom {
            return;
        }
        self.told = Instant::now();
        let per_second = self.solved as f64 / self.begun.elapsed().as_secs_f64();
        let left_seconds = self.positions.saturating_sub(self.solved) as f64 / per_second.max(1.);
        match self.format {
            Format::Text => eprintln!(
                "{} of {} positions solved, {}/s, {} left",
                HumanCount(self.solved),
                HumanCount(self.positions),
                HumanCount(per_second as u64),
                seconds(Duration::from_secs_f64(left_seconds))
            ),
            Format::Json => print_event(&serde_json::json!({"event": "progress", "positions_solved": self.solved,
                "positions": self.positions, "positions_per_second": per_second as u64,
                "seconds_left": left_seconds.round()})),
        }
    }

    /// What the whole run did.
    pub(crate) fn summary(&self) {
        self.summary_or("all tables are there already");
    }

    /// The same, or what to say of a run without steps.
    pub(crate) fn summary_or(&self, no_steps: &str) {
        if let Some(bars) = &self.bars {
            bars.overall.finish_and_clear();
        }
        let time = self.begun.elapsed();
        match self.format {
            Format::Text if self.steps == 0 => eprintln!("{no_steps}"),
            Format::Text => self.text_summary(time),
            Format::Json => {
                let totals: serde_json::Map<_, _> =
                    self.totals.iter().map(|(rules, totals)| totals.json(rules)).collect();
                print_event(&serde_json::json!({"event": "finished", "steps": self.steps, "positions": self.positions,
                    "seconds": time.as_secs_f64(), "peak_memory_bytes": peak_memory_bytes(), "bytes": self.bytes,
                    "rules": totals}));
            }
        }
    }

    fn text_summary(&self, time: Duration) {
        let peak = peak_memory_bytes().map_or(String::new(), |bytes| format!(", {} of memory", HumanBytes(bytes)));
        eprintln!(
            "finished: {} steps, {} positions in {} ({}/s){peak}, {} written",
            self.steps,
            HumanCount(self.positions),
            seconds(time),
            HumanCount((self.positions as f64 / time.as_secs_f64().max(1e-9)) as u64),
            HumanBytes(self.bytes)
        );
        for (rules, totals) in &self.totals {
            let counts = Value::ALL.map(|value| format!("{value} {}", HumanCount(totals.counts[value as usize])));
            let longest = totals.longest_win.as_ref().map_or(String::new(), |longest| {
                format!("; longest win {} plies, {}", longest.distance_plies, longest.fen)
            });
            eprintln!("{rules}: {}{longest}", counts.join(", "));
        }
    }
}

impl Totals {
    fn add(&mut self, statistics: &Statistics) {
        self.counts.iter_mut().zip(statistics.histogram.counts()).for_each(|(total, count)| *total += count);
        let longest = self.longest_win.take().into_iter().chain(statistics.longest_win());
        self.longest_win =
            longest.reduce(|one, other| if other.distance_plies > one.distance_plies { other } else { one });
    }

    fn json(&self, rules: &str) -> (String, serde_json::Value) {
        let counts: serde_json::Map<_, _> =
            Value::ALL.iter().map(|&value| (value.to_string(), self.counts[value as usize].into())).collect();
        (rules.to_owned(), serde_json::json!({"counts": counts, "longest_win": self.longest_win}))
    }
}

fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(60) {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        HumanDuration(time).to_string()
    }
}

/// The most memory this process has had, where the system tells it.
fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?;
    Some(kibibytes.trim().parse::<u64>().ok()? * 1024)
}

fn names(step: &Step) -> Vec<String> {
    match &step.making {
        Making::Forced(rules) => rules.iter().map(|rules| rules.set.name.to_owned()).collect(),
        Making::Kings(rules) => vec![Kind::Kings(*rules).name().into_owned()],
    }
}

impl Progress for Report {
    fn planned(&mut self, steps: &[Step]) {
        self.steps = steps.len();
        self.positions = steps.iter().map(Step::positions).sum();
        if self.format == Format::Text && std::io::stderr().is_terminal() {
            self.bars = Some(Bars::new(self.positions));
        }
    }

    fn begun(&mut self, step: &Step) {
        self.bars.iter_mut().for_each(|bars| bars.begin(step));
        if self.format == Format::Json {
            print_event(&serde_json::json!({"event": "begin", "pair": step.pair.to_string(), "rules": names(step),
                "positions": step.positions()}));
        }
    }

    fn advanced(&mut self, step: &Step, positions: u64) {
        self.bars.iter().for_each(|bars| bars.advance(step, positions));
        self.solved += positions;
        self.tell_how_far();
    }

    fn done(&mut self, step: &Step, report: &StepReport) {
        self.steps_done += 1;
        self.bars.iter_mut().for_each(|bars| bars.end(step));
        self.bytes += report.bytes;
        for (_, rules, statistics) in &report.statistics {
            self.totals.entry(rules.set.name).or_default().add(statistics);
        }
        let (pair, rules, positions) = (step.pair, names(step).join(","), step.positions());
        match (self.format, &self.bars) {
            (Format::Json, _) => print_event(&serde_json::json!({"event": "step", "pair": pair.to_string(),
                "rules": names(step), "positions": positions,
                "seconds": (report.solving + report.writing).as_secs_f64(),
                "solving_seconds": report.solving.as_secs_f64(), "bytes": report.bytes,
                "step": self.steps_done, "steps": self.steps})),
            (Format::Text, None) => eprintln!(
                "{}/{} {pair} {rules}: {} positions solved in {}, written in {}",
                self.steps_done,
                self.steps,
                HumanCount(positions),
                seconds(report.solving),
                seconds(report.writing)
            ),
            (Format::Text, Some(_)) => {}
        }
    }
}
