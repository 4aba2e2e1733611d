//! `generate`: makes tables and tells how far it is.

use std::io::IsTerminal;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use bolshak_generate::{
    Progress, ScalarSolver, SetwiseSolver, Solver, Step, StepReport, generate, memory_needed, plan,
};
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::args::{Format, GenerateArgs, SolverArg};
use crate::failure::Failure;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global().context("starting threads")?;
    }
    let (tables, rules, slices) = (args.scope.open(), args.scope.rules(), args.wanted.slices());
    let solver: &dyn Solver = match args.solver {
        SolverArg::Setwise => &SetwiseSolver::default(),
        SolverArg::Scalar => &ScalarSolver,
    };
    if let Some((bytes, Step { pair, .. })) = memory_needed(&plan(&tables, &slices, &rules)?, solver) {
        eprintln!("needs {} of memory at most (at {pair})", HumanBytes(bytes));
        if let Some(memory) = args.memory.filter(|memory| bytes > *memory) {
            let (bytes, memory) = (HumanBytes(bytes), HumanBytes(memory));
            return Err(anyhow!("{pair} needs {bytes} of memory, more than the {memory} allowed").into());
        }
    }
    let mut progress = Report::new(args.format);
    generate(&tables, &slices, &rules, solver, &mut progress, &AtomicBool::new(false))?;
    progress.summary();
    Ok(())
}

/// Tells on stderr how far a run is: a bar on a terminal, else a line a step, or JSON lines.
pub(crate) struct Report {
    format: Format,
    bar: ProgressBar,
    begun: Instant,
    steps: usize,
    steps_done: usize,
    positions: u64,
    bytes: u64,
}

impl Report {
    pub(crate) fn new(format: Format) -> Report {
        Report {
            format,
            bar: ProgressBar::hidden(),
            begun: Instant::now(),
            steps: 0,
            steps_done: 0,
            positions: 0,
            bytes: 0,
        }
    }

    /// What the whole run did.
    pub(crate) fn summary(&self) {
        self.bar.finish_and_clear();
        let time = self.begun.elapsed();
        match self.format {
            Format::Text if self.steps == 0 => eprintln!("all tables are there already"),
            Format::Text => eprintln!(
                "finished: {} steps, {} positions in {}, {}/s, {} written",
                self.steps,
                HumanCount(self.positions),
                seconds(time),
                HumanCount((self.positions as f64 / time.as_secs_f64()) as u64),
                HumanBytes(self.bytes)
            ),
            Format::Json => eprintln!(
                "{}",
                serde_json::json!({"event": "finished", "steps": self.steps, "positions": self.positions,
                    "seconds": time.as_secs_f64(), "bytes": self.bytes})
            ),
        }
    }
}

fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(60) {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        HumanDuration(time).to_string()
    }
}

impl Progress for Report {
    fn planned(&mut self, steps: &[Step]) {
        self.steps = steps.len();
        let positions = steps.iter().map(Step::positions).sum();
        if self.format == Format::Text && std::io::stderr().is_terminal() {
            let style = "{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left  {msg}";
            self.bar = ProgressBar::new(positions);
            // The template is a constant that the command's test shows to be sound.
            self.bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
    }

    fn begun(&mut self, step: &Step) {
        self.bar.set_message(format!("{} {}", step.pair, step.rules.set.name));
    }

    fn advanced(&mut self, positions: u64) {
        self.bar.inc(positions);
    }

    fn done(&mut self, step: &Step, report: &StepReport) {
        self.steps_done += 1;
        self.positions += step.positions();
        self.bytes += report.bytes;
        let (pair, rules, positions) = (step.pair, step.rules.set.name, step.positions());
        match self.format {
            Format::Json => eprintln!(
                "{}",
                serde_json::json!({"event": "step", "pair": pair.to_string(), "rules": rules, "positions": positions,
                    "seconds": report.time.as_secs_f64(), "bytes": report.bytes,
                    "step": self.steps_done, "steps": self.steps})
            ),
            Format::Text if self.bar.is_hidden() => eprintln!(
                "{}/{} {pair} {rules}: {} positions in {}",
                self.steps_done,
                self.steps,
                HumanCount(positions),
                seconds(report.time)
            ),
            Format::Text => {}
        }
    }
}
