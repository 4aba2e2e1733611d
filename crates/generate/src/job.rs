//! Making tables: what is missing is found, solved in order and written.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bolshak_rules::Rules;
use bolshak_tables::{
    Cells, FREE_CELL, Forced, Fresh, Kind, LookUpError, Pair, Slice, Statistics, TableError, Tables, Value,
    change_cell, distance_cell, value_cell, write_table,
};

use crate::code::Found;
use crate::count::positions;
use crate::part_job::{positions_in_time, solve_by_parts};
use crate::part_store::PartStore;
use crate::solution::Solution;
use crate::solver::{Children, SolveError, Solver, Watch};

/// One step: a pair of slices under all the rules whose tables are missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The pair.
    pub pair: Pair,
    /// The rules, in the order in which they were asked for. Those without draw rules, which make the base that the others
    /// are changes to, come first.
    pub rules: Vec<Rules>,
    /// Whether the tables are those of how king moves left matter, of a pair whose others are there.
    pub kings: bool,
}

impl Step {
    /// What is missing of a pair's own tables, of those that these rules have.
    pub(crate) fn missing(tables: &Tables, pair: Pair, wanted: &[Rules]) -> Result<Step, TableError> {
        let mut step = Step { pair, rules: Vec::new(), kings: false };
        for rules in wanted {
            for slice in pair.slices() {
                if !has_own_tables(tables, slice, rules)? {
                    step.rules.push(*rules);
                    break;
                }
            }
        }
        Ok(step)
    }

    /// Number of positions in the slices of the pair.
    pub fn positions(&self) -> u64 {
        self.pair.slices().map(positions).sum()
    }

    /// The rules that are not the base.
    pub(crate) fn sets(&self) -> Vec<Rules> {
        self.rules.iter().filter(|rules| Kind::changes(rules).is_some()).copied().collect()
    }
}

/// What a run tells while it works.
pub trait Progress: Send {
    /// Called once, with every step that will be done.
    fn planned(&mut self, steps: &[Step]);
    /// Called when a step begins.
    fn begun(&mut self, step: &Step);
    /// Called when so many more positions of the step have been solved.
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
    /// Time it took to solve it.
    pub solving: Duration,
    /// Time it took to compress and write its tables.
    pub writing: Duration,
    /// Length of the files in bytes.
    pub bytes: u64,
    /// What is counted of each slice under each of the step's rules.
    pub statistics: Vec<(Slice, Rules, Statistics)>,
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
    #[error("{pair}: {error}")]
    Solve {
        /// The pair.
        pair: Pair,
        /// Why.
        error: SolveError,
    },
}

/// The steps that are still to be done so that these slices can be probed under these rules, in order.
pub fn plan(tables: &Tables, slices: &[Slice], rules: &[Rules]) -> Result<Vec<Step>, TableError> {
    let mut wanted = vec![Rules { variant: tables.variant(), ..Rules::NONE }];
    for rules in rules {
        if !wanted.contains(rules) {
            wanted.push(*rules);
        }
    }
    let mut steps = Vec::new();
    for pair in Pair::closure(slices) {
        let step = Step::missing(tables, pair, &wanted)?;
        if !step.rules.is_empty() {
            steps.push(step);
        }
    }
    Ok(steps)
}

/// What a cell is made of: what is found without draw rules, and what is forced under the rules.
type CellOf = fn(Found, Forced) -> u16;

/// The kinds of table that are written for some rules: those of the base, or what a set changes.
fn own_kinds(rules: &Rules) -> Vec<(Kind, CellOf)> {
    let distance: CellOf = |found, _| match found.forced {
        Forced::NOTHING => FREE_CELL,
        forced => distance_cell(forced),
    };
    let base = || vec![(Kind::Value, (|found, _| value_cell(found.forced)) as CellOf), (Kind::Distance, distance)];
    let change: CellOf = |found, under_rules| change_cell(found.forced, under_rules);
    Kind::changes(rules).map_or_else(base, |kind| vec![(kind, change)])
}

fn has_own_tables(tables: &Tables, slice: Slice, rules: &Rules) -> Result<bool, TableError> {
    for (kind, _) in own_kinds(rules) {
        if tables.table(slice, &kind)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// About the most memory in bytes that these steps take, one after another, and the step that takes it. The pages of
/// mapped tables come on top; the system takes them back when it needs them.
pub fn memory_needed<'a>(steps: &'a [Step], solver: &dyn Solver) -> Option<(u64, &'a Step)> {
    let last_use = last_uses(steps);
    let mut kept: BTreeMap<Pair, u64> = BTreeMap::new();
    let mut most = None;
    for (number, step) in steps.iter().enumerate() {
        let sets = step.sets();
        for child in step.pair.children() {
            kept.entry(child).or_insert_with(|| solver.kept_bytes(child, &sets));
        }
        let here = if step.kings {
            solver.kings_memory_bytes(step.pair, &sets)
        } else {
            solver.memory_bytes(step.pair, &sets)
        };
        let needed = kept.values().sum::<u64>() + here;
        if most.is_none_or(|(bytes, _)| bytes < needed) {
            most = Some((needed, step));
        }
        kept.insert(step.pair, solver.kept_bytes(step.pair, &sets));
        kept.retain(|pair, _| last_use.get(pair).is_some_and(|last| *last > number));
    }
    most
}

/// For each pair that steps convert into, the last that does.
fn last_uses(steps: &[Step]) -> BTreeMap<Pair, usize> {
    let mut last = BTreeMap::new();
    for (number, step) in steps.iter().enumerate() {
        last.extend(step.pair.children().into_iter().map(|child| (child, number)));
    }
    last
}

/// Makes the tables that are missing for these slices and rules. What is already there is kept; what is made is seen by
/// `tables` at once. Stops soon after `stop` is set; what has been finished stays.
pub fn generate(
    tables: &Tables,
    slices: &[Slice],
    rules: &[Rules],
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let threads = rayon::current_num_threads();
    generate_saving(tables, slices, rules, solver, progress, stop, &|step| positions_in_time(step, threads))
}

/// The same, where pairs of more positions than a function tells are done in parts of so many.
pub(crate) fn generate_saving(
    tables: &Tables,
    slices: &[Slice],
    rules: &[Rules],
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
    most_positions: &dyn Fn(&Step) -> u64,
) -> Result<(), GenerateError> {
    let _lock = lock(tables)?;
    let steps = plan(tables, slices, rules)?;
    do_steps(&steps, solver, progress, |step, progress| run(tables, step, solver, progress, stop, most_positions(step)))
}

/// Does steps one after another, each by `run`, and has the solver forget what no later one needs.
pub(crate) fn do_steps(
    steps: &[Step],
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    mut run: impl FnMut(&Step, &mut dyn Progress) -> Result<StepReport, SolveError>,
) -> Result<(), GenerateError> {
    let last_use = last_uses(steps);
    progress.planned(steps);
    for (number, step) in steps.iter().enumerate() {
        progress.begun(step);
        let report = run(step, progress).map_err(|error| GenerateError::Solve { pair: step.pair, error })?;
        progress.done(step, &report);
        solver.retain(&|slice| last_use.get(&slice.pair()).is_some_and(|last| *last > number));
    }
    Ok(())
}

/// Takes the directory for this process, makes it if need be, and removes what a killed run has left. The lock goes with
/// the returned file.
pub(crate) fn lock(tables: &Tables) -> Result<File, GenerateError> {
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
    most_positions: u64,
) -> Result<StepReport, SolveError> {
    let begun = Instant::now();
    let sets = step.sets();
    let watch = Watching { progress: Mutex::new(progress), stop };
    let Some(by_parts) = solver.by_parts().filter(|_| step.positions() > most_positions) else {
        let solutions = solver.solve(step.pair, tables.variant(), &sets, &Stored { tables }, &watch)?;
        return write_step(tables, step, &sets, &solutions, begun.elapsed(), stop);
    };
    let levels = by_parts.levels(step.pair);
    let parts = levels.divide(most_positions);
    let store = PartStore::new(tables, step.pair, &sets, levels);
    let solutions = solve_by_parts(tables, step.pair, &sets, by_parts, &store, &parts, &watch)?;
    let report = write_step(tables, step, &sets, &solutions, begun.elapsed(), stop)?;
    store.remove()?;
    Ok(report)
}

/// Writes the tables of a step that are missing; `sets` are those of the solutions.
pub(crate) fn write_step(
    tables: &Tables,
    step: &Step,
    sets: &[Rules],
    solutions: &[Solution],
    solving: Duration,
    stop: &AtomicBool,
) -> Result<StepReport, SolveError> {
    let begun = Instant::now();
    let mut statistics = Vec::new();
    let mut jobs = Vec::new();
    for solution in solutions {
        for rules in &step.rules {
            let number = sets.iter().position(|set| set == rules).map_or(0, |set| set + 1);
            let counted = solution.count(number).statistics(&tables.index(solution.slice()));
            jobs.extend(own_kinds(rules).into_iter().map(|kind| (solution, number, kind, counted.clone())));
            statistics.push((solution.slice(), *rules, counted));
        }
    }
    let mut bytes = 0;
    for (solution, number, (kind, cell), statistics) in jobs {
        bytes += write(tables, solution.slice(), kind, &TableCells { solution, number, cell }, statistics, stop)?;
    }
    Ok(StepReport { solving, writing: begun.elapsed(), bytes, statistics })
}

/// Tells of a solver's progress.
pub(crate) struct Watching<'a> {
    pub(crate) progress: Mutex<&'a mut dyn Progress>,
    pub(crate) stop: &'a AtomicBool,
}

impl Watch for Watching<'_> {
    fn advanced(&self, positions: u64) {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).advanced(positions);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Children read from their tables.
pub(crate) struct Stored<'a> {
    pub(crate) tables: &'a Tables,
}

impl Children for Stored<'_> {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let mut fresh = vec![Fresh::NOTHING; values.len()];
        self.tables.read(slice, rules, start, &mut fresh)?;
        for (value, fresh) in values.iter_mut().zip(fresh) {
            *value = fresh.under_rules;
        }
        Ok(())
    }

    fn read_quiet(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let mut cells = vec![0; values.len()];
        self.tables.quiet(slice, &Kind::Value, start, &mut cells)?;
        for (value, cell) in values.iter_mut().zip(&cells) {
            *value = match cell {
                1 => Forced::win(1),
                2 => Forced::loss(1),
                _ => Forced::NOTHING,
            };
        }
        if let Some(kind) = Kind::changes(rules) {
            self.tables.quiet(slice, &kind, start, &mut cells)?;
            for (value, _) in values.iter_mut().zip(&cells).filter(|(_, cell)| **cell == 1) {
                *value = Forced::NOTHING;
            }
        }
        Ok(())
    }

    fn same_winners(&self, slice: Slice, rules: &Rules) -> Result<bool, LookUpError> {
        let statistics = self.tables.statistics(slice, rules)?;
        Ok(statistics.is_some_and(|statistics| {
            [Value::CursedWin, Value::BlessedLoss].iter().all(|&value| statistics.histogram.of(value).is_empty())
        }))
    }
}

/// The cells of one table of a solved slice.
struct TableCells<'a> {
    solution: &'a Solution,
    /// The number of the table's rules in the solution.
    number: usize,
    cell: CellOf,
}

impl Cells for TableCells<'_> {
    fn read(&self, start: u64, cells: &mut [u16]) {
        self.solution.map(self.number, start, cells, |found, under_rules| {
            if found.can_capture { FREE_CELL } else { (self.cell)(found, under_rules) }
        });
    }
}

/// Writes one table of a slice and gives its length in bytes.
pub(crate) fn write(
    tables: &Tables,
    slice: Slice,
    kind: Kind,
    cells: &dyn Cells,
    statistics: Statistics,
    stop: &AtomicBool,
) -> Result<u64, SolveError> {
    let path = tables.path(slice, &kind);
    Ok(write_table(&path, tables.variant(), &tables.index(slice), kind, cells, statistics, stop)?)
}
