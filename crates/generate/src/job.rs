//! Making tables: what is missing is found, solved in order and written.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bolshak_rules::Rules;
use bolshak_tables::{
    Forced, Fresh, Kind, Longest, LookUpError, Outcome, Pair, Slice, SliceIndex, Statistics, TableError, TableWriter,
    Tables, Value, change_cell, distance_cell, value_cell,
};

use crate::solver::{Children, Sink, SolveError, Solver};

/// One step: a pair of slices under one set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The pair.
    pub pair: Pair,
    /// The rules. Those without draw rules make the base that the others are changes to.
    pub rules: Rules,
}

impl Step {
    /// Number of positions in the slices of the pair.
    pub fn positions(&self) -> u64 {
        self.pair.slices().map(|slice| SliceIndex::new(slice).positions()).sum()
    }
}

/// What a run tells while it works.
pub trait Progress {
    /// Called once, with every step that will be done.
    fn planned(&mut self, steps: &[Step]);
    /// Called when a step begins.
    fn begun(&mut self, step: &Step);
    /// Called when the values of so many more positions of the step have been found and written.
    fn advanced(&mut self, positions: u64);
    /// Called when a step's tables are in their place.
    fn done(&mut self, step: &Step, report: &StepReport);
}

/// Tells nobody.
impl Progress for () {
    fn planned(&mut self, _: &[Step]) {}
    fn begun(&mut self, _: &Step) {}
    fn advanced(&mut self, _: u64) {}
    fn done(&mut self, _: &Step, _: &StepReport) {}
}

/// What a step made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepReport {
    /// Time it took.
    pub time: Duration,
    /// Length of the files in bytes.
    pub bytes: u64,
}

/// Why tables were not made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The directory cannot be used.
    #[error("{}: {error}", .path.display())]
    Directory {
        /// The directory or a file in it.
        path: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// Another process makes tables here.
    #[error("{}: another process is generating tables in this directory", .0.display())]
    Locked(PathBuf),
    /// A table that is already there cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A pair could not be solved.
    #[error("{pair} under '{rules}': {error}")]
    Solve {
        /// The pair.
        pair: Pair,
        /// The rule set.
        rules: &'static str,
        /// Why.
        error: SolveError,
    },
}

/// The steps that are still to be done so that these slices can be probed under these rules, in order.
pub fn plan(tables: &Tables, slices: &[Slice], rules: &Rules) -> Result<Vec<Step>, TableError> {
    let mut steps = Vec::new();
    let none = rules.without_draw_rules();
    for pair in Pair::closure(slices) {
        for rules in if *rules == none { vec![none] } else { vec![none, *rules] } {
            for slice in pair.slices() {
                if !tables.has(slice, &rules)? {
                    steps.push(Step { pair, rules });
                    break;
                }
            }
        }
    }
    Ok(steps)
}

/// About the most memory in bytes that these steps take, one after another, and the step that takes it. The pages of
/// mapped tables come on top; the system takes them back when it needs them.
pub fn memory_needed(steps: &[Step], solver: &dyn Solver) -> Option<(u64, Step)> {
    let mut kept_bytes = 0;
    steps
        .iter()
        .map(|step| {
            let needed = kept_bytes + solver.memory_bytes(step.pair, &step.rules);
            kept_bytes += solver.kept_bytes(step.pair, &step.rules);
            (needed, *step)
        })
        .max_by_key(|(bytes, _)| *bytes)
}

/// Makes the tables that are missing for these slices and rules. What is already there is kept; what is made is seen by
/// `tables` at once. Stops between steps, and at the next values given out, when `stop` is set.
pub fn generate(
    tables: &Tables,
    slices: &[Slice],
    rules: &Rules,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let _lock = lock(tables)?;
    let steps = plan(tables, slices, rules)?;
    progress.planned(&steps);
    for step in &steps {
        progress.begun(step);
        let begun = Instant::now();
        let bytes = run(tables, step, solver, progress, stop).map_err(|error| GenerateError::Solve {
            pair: step.pair,
            rules: step.rules.set.name,
            error,
        })?;
        progress.done(step, &StepReport { time: begun.elapsed(), bytes });
    }
    Ok(())
}

/// Takes the directory for this process, makes it if need be, and removes what a killed run has left. The lock goes with
/// the returned file.
fn lock(tables: &Tables) -> Result<File, GenerateError> {
    let directory = tables.directory().join(tables.variant().name());
    let failed = |error| GenerateError::Directory { path: directory.clone(), error };
    std::fs::create_dir_all(&directory).map_err(failed)?;
    let path = directory.join(".lock");
    let file = File::create(&path).map_err(|error| GenerateError::Directory { path, error })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Err(GenerateError::Locked(directory)),
        Err(std::fs::TryLockError::Error(error)) => return Err(failed(error)),
    }
    for entry in std::fs::read_dir(&directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "tmp") {
            std::fs::remove_file(&path).map_err(|error| GenerateError::Directory { path, error })?;
        }
    }
    Ok(file)
}

fn run(
    tables: &Tables,
    step: &Step,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<u64, SolveError> {
    let children = Stored { tables, rules: step.rules };
    let mut writers = step
        .pair
        .slices()
        .map(|slice| SliceWriter::new(tables, slice, step.rules))
        .collect::<Result<Vec<_>, TableError>>()?;
    solver.solve(step.pair, &step.rules, &children, &mut Writers { writers: &mut writers, progress, stop })?;
    let mut bytes = 0;
    for writer in writers {
        bytes += writer.finish()?;
    }
    Ok(bytes)
}

/// Children read from their tables.
struct Stored<'a> {
    tables: &'a Tables,
    rules: Rules,
}

impl Children for Stored<'_> {
    fn read(&self, slice: Slice, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let mut fresh = vec![Fresh::NOTHING; values.len()];
        self.tables.read(slice, &self.rules, start, &mut fresh)?;
        for (value, fresh) in values.iter_mut().zip(fresh) {
            *value = fresh.under_rules;
        }
        Ok(())
    }
}

struct Writers<'a, 'b> {
    writers: &'a mut [SliceWriter<'b>],
    progress: &'a mut dyn Progress,
    stop: &'a AtomicBool,
}

impl Sink for Writers<'_, '_> {
    fn put(&mut self, slice: Slice, values: &[Forced]) -> Result<(), SolveError> {
        for writer in self.writers.iter_mut().filter(|writer| writer.index.slice() == slice) {
            for part in values.chunks(PART) {
                if self.stop.load(Ordering::Relaxed) {
                    return Err(SolveError::Stopped);
                }
                writer.put(part)?;
                self.progress.advanced(part.len() as u64);
            }
        }
        Ok(())
    }
}

/// Values written at a time.
const PART: usize = 1 << 16;

/// Writes the tables of one slice under one set of rules and counts as it goes.
struct SliceWriter<'a> {
    tables: &'a Tables,
    index: SliceIndex,
    rules: Rules,
    files: Vec<(Kind, TableWriter)>,
    put: u64,
    counts: [u64; 5],
    longest: [Option<(u16, u64)>; 2],
}

impl<'a> SliceWriter<'a> {
    fn new(tables: &'a Tables, slice: Slice, rules: Rules) -> Result<SliceWriter<'a>, TableError> {
        let index = SliceIndex::new(slice);
        let kinds = Kind::changes(&rules).map_or(vec![Kind::Value, Kind::Distance], |changes| vec![changes]);
        let create = |kind| {
            let file = TableWriter::create(&tables.path(slice, &kind), tables.variant(), &index, kind)?;
            Ok((kind, file))
        };
        let files = kinds.into_iter().map(create).collect::<Result<_, TableError>>()?;
        Ok(SliceWriter { tables, index, rules, files, put: 0, counts: [0; 5], longest: [None; 2] })
    }

    fn put(&mut self, values: &[Forced]) -> Result<(), SolveError> {
        let mut fresh = vec![Fresh::NOTHING; values.len()];
        if Kind::changes(&self.rules).is_some() {
            let none = self.rules.without_draw_rules();
            self.tables.read(self.index.slice(), &none, self.put, &mut fresh)?;
            for (fresh, value) in fresh.iter_mut().zip(values) {
                fresh.under_rules = *value;
            }
        } else {
            for (fresh, value) in fresh.iter_mut().zip(values) {
                *fresh = Fresh { without_rules: *value, under_rules: *value };
            }
        }
        for (kind, file) in &mut self.files {
            match kind {
                Kind::Value => file.push(values.iter().map(|value| value_cell(*value)))?,
                Kind::Distance => file.push(values.iter().map(|value| distance_cell(*value)))?,
                Kind::Changes(_) => {
                    file.push(fresh.iter().map(|fresh| change_cell(fresh.without_rules, fresh.under_rules)))?;
                }
            }
        }
        for fresh in fresh {
            self.count(fresh.outcome());
            self.put += 1;
        }
        Ok(())
    }

    fn count(&mut self, outcome: Outcome) {
        self.counts[outcome.value as usize] += 1;
        let longest = match outcome.value {
            Value::Win => &mut self.longest[0],
            Value::Loss => &mut self.longest[1],
            _ => return,
        };
        let distance = outcome.distance_plies.unwrap_or(0);
        if longest.is_none_or(|(known, _)| known < distance) {
            *longest = Some((distance, self.put));
        }
    }

    fn finish(self) -> Result<u64, TableError> {
        let longest = |found: Option<(u16, u64)>| {
            found.map(|(distance_plies, number)| Longest { distance_plies, fen: self.index.position(number).to_fen() })
        };
        let statistics = Statistics {
            counts: self.counts,
            longest_win: longest(self.longest[0]),
            longest_loss: longest(self.longest[1]),
        };
        let mut bytes = 0;
        for (_, file) in self.files {
            bytes += file.finish(statistics.clone())?;
        }
        Ok(bytes)
    }
}
