//! Making tables: what is missing is found, solved in order and written.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bolshak_rules::Rules;
use bolshak_tables::{
    Cells, FREE_CELL, Forced, Kind, Pair, Slice, Statistics, TableError, Tables, change_cell, distance_cell,
    value_cell, write_table,
};

use crate::code::Found;
use crate::count::positions;
use crate::kings_job::{has_kings_tables, make_kings};
use crate::lock::take_directory;
use crate::part_job::{positions_in_time, solve_by_parts};
use crate::part_store::{PartStore, remove_finished_parts};
use crate::schedule::Schedule;
use crate::solution::Solution;
use crate::solver::{SolveError, Solver, Watch};
use crate::stored::Stored;

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The pair of slices whose tables it makes.
    pub pair: Pair,
    /// Which of them.
    pub making: Making,
}

/// What a step makes of its pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Making {
    /// What is forced under rules whose tables are missing, in the order in which they were asked for. Those without draw
    /// rules, which make the base that the others are changes to, come first.
    Forced(Vec<Rules>),
    /// How king moves left matter under these rules, where what is forced is there.
    Kings(Rules),
}

impl Step {
    /// Number of positions in the slices of the pair.
    pub fn positions(&self) -> u64 {
        self.pair.slices().map(positions).sum()
    }

    /// The rules that are not the base.
    pub(crate) fn sets(&self) -> Vec<Rules> {
        match &self.making {
            Making::Forced(rules) => rules.iter().filter(|rules| Kind::changes(rules).is_some()).copied().collect(),
            Making::Kings(rules) => vec![*rules],
        }
    }
}

/// The rules of these of which a pair's own tables are missing.
pub(crate) fn missing_rules(tables: &Tables, pair: Pair, wanted: &[Rules]) -> Result<Vec<Rules>, TableError> {
    let mut missing = Vec::new();
    for rules in wanted {
        for slice in pair.slices() {
            if !has_own_tables(tables, slice, rules)? {
                missing.push(*rules);
                break;
            }
        }
    }
    Ok(missing)
}

/// Whether the tables of how king moves left matter in a pair are missing that it has under these rules.
pub(crate) fn misses_kings(tables: &Tables, pair: Pair, rules: &Rules) -> Result<bool, TableError> {
    if !has_kings_tables(pair, rules) {
        return Ok(false);
    }
    for slice in pair.slices() {
        if tables.table(slice, &Kind::Kings(*rules))?.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a run tells while it works. Several steps may be under way at once.
pub trait Progress: Send {
    /// Called once, with every step that will be done.
    fn planned(&mut self, steps: &[Step]);
    /// Called when a step begins.
    fn begun(&mut self, step: &Step);
    /// Called when so many more positions of a step have been solved.
    fn advanced(&mut self, step: &Step, positions: u64);
    /// Called when a step's tables are in their place.
    fn done(&mut self, step: &Step, report: &StepReport);
}

/// Tells nobody.
impl Progress for () {
    fn planned(&mut self, _: &[Step]) {}
    fn begun(&mut self, _: &Step) {}
    fn advanced(&mut self, _: &Step, _: u64) {}
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
    /// Tables that a pair is made from are not there.
    #[error("{pair} is made from {}, which {} under '{rules}'", first_of(.missing), if .missing.len() == 1 { "is not there" } else { "are not there" })]
    Missing {
        /// The pair.
        pair: Pair,
        /// What is not there, in order of solving.
        missing: Vec<Slice>,
        /// The rule set.
        rules: &'static str,
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

fn first_of(missing: &[Slice]) -> String {
    let named: Vec<String> = missing.iter().take(3).map(Slice::to_string).collect();
    match missing.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// What is to be made, and how.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The slices that can be probed then.
    pub slices: &'a [Slice],
    /// The rules under which.
    pub rules: &'a [Rules],
    /// Whether to make tables of how king moves left matter in all pairs that have them: see [`has_kings_tables`].
    pub kings: bool,
    /// Memory in bytes for doing steps side by side. What [`Schedule::memory_needed`] tells is taken in any case.
    pub room_bytes: u64,
}

impl Wanted<'_> {
    /// Room for steps side by side that any machine has which makes tables.
    pub const DEFAULT_ROOM_BYTES: u64 = 1 << 30;
}

/// The steps that are still to be done, in order.
pub fn plan(tables: &Tables, wanted: &Wanted<'_>) -> Result<Vec<Step>, TableError> {
    let mut all_rules = vec![Rules { variant: tables.variant(), ..Rules::NONE }];
    for rules in wanted.rules {
        if !all_rules.contains(rules) {
            all_rules.push(*rules);
        }
    }
    let mut steps = Vec::new();
    for pair in Pair::closure(wanted.slices) {
        let missing = missing_rules(tables, pair, &all_rules)?;
        if !missing.is_empty() {
            steps.push(Step { pair, making: Making::Forced(missing) });
        }
        for rules in all_rules.iter().filter(|_| wanted.kings) {
            if misses_kings(tables, pair, rules)? {
                steps.push(Step { pair, making: Making::Kings(*rules) });
            }
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

/// Makes the tables that are missing for these slices and rules: see [`generate_wanted`].
pub fn generate(
    tables: &Tables,
    slices: &[Slice],
    rules: &[Rules],
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let wanted = Wanted { slices, rules, kings: false, room_bytes: Wanted::DEFAULT_ROOM_BYTES };
    generate_wanted(tables, &wanted, solver, progress, stop)
}

/// Makes the tables that are missing of what is wanted. What is already there is kept; what is made is seen by `tables` at
/// once. Stops soon after `stop` is set; what has been finished stays.
pub fn generate_wanted(
    tables: &Tables,
    wanted: &Wanted<'_>,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    generate_in_parts(tables, wanted, solver, progress, stop, &in_time)
}

/// So many positions of a step are made without being saved.
pub(crate) fn in_time(step: &Step) -> u64 {
    positions_in_time(step, rayon::current_num_threads())
}

/// The same; pairs of more positions than a function tells are solved in parts of so many.
pub(crate) fn generate_in_parts(
    tables: &Tables,
    wanted: &Wanted<'_>,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
    most_positions: &(dyn Fn(&Step) -> u64 + Sync),
) -> Result<(), GenerateError> {
    let _lock = match take_directory(tables) {
        // Where nothing can be written nothing need be, if all is there.
        Err(GenerateError::Directory { .. }) if plan(tables, wanted)?.is_empty() => {
            progress.planned(&[]);
            return Ok(());
        }
        lock => lock?,
    };
    remove_finished_parts(tables, None)?;
    let place = Place { tables, made: tables, room_bytes: wanted.room_bytes };
    do_steps(place, &plan(tables, wanted)?, solver, progress, stop, most_positions)
}

/// Where tables are read, where those that are made are put, and the memory in bytes for making them side by side.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) made: &'a Tables,
    pub(crate) room_bytes: u64,
}

/// Does steps, side by side where it can.
pub(crate) fn do_steps(
    place: Place<'_>,
    steps: &[Step],
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
    most_positions: &(dyn Fn(&Step) -> u64 + Sync),
) -> Result<(), GenerateError> {
    progress.planned(steps);
    let progress = Mutex::new(progress);
    Schedule::new(steps, solver).run(rayon::current_num_threads(), place.room_bytes, |step| {
        let watch = Watching { step, progress: &progress, stop };
        watch.progress().begun(step);
        let done = match &step.making {
            Making::Forced(rules) => make_forced(place, step, rules, solver, &watch, most_positions(step)),
            Making::Kings(rules) => make_kings(place, step.pair, rules, solver, &watch),
        };
        let report = done.map_err(|error| GenerateError::Solve { pair: step.pair, error })?;
        watch.progress().done(step, &report);
        Ok(())
    })
}

fn make_forced(
    place: Place<'_>,
    step: &Step,
    rules: &[Rules],
    solver: &dyn Solver,
    watch: &Watching<'_, '_>,
    most_positions: u64,
) -> Result<StepReport, SolveError> {
    let begun = Instant::now();
    let Place { tables, made, .. } = place;
    let sets = step.sets();
    let Some(by_parts) = solver.by_parts().filter(|_| step.positions() > most_positions) else {
        let solutions = solver.solve(step.pair, tables.variant(), &sets, &Stored { tables }, watch)?;
        return write_forced(made, rules, &sets, &solutions, begun.elapsed(), watch.stop);
    };
    let levels = by_parts.levels(step.pair);
    let parts = levels.divide(most_positions);
    let store = PartStore::new(tables, step.pair, &sets, levels);
    let solutions = solve_by_parts(tables, step.pair, &sets, by_parts, &store, &parts, watch)?;
    let report = write_forced(made, rules, &sets, &solutions, begun.elapsed(), watch.stop)?;
    store.remove()?;
    Ok(report)
}

/// Writes the tables of these rules; `sets` are those of the solutions.
pub(crate) fn write_forced(
    tables: &Tables,
    rules: &[Rules],
    sets: &[Rules],
    solutions: &[Solution],
    solving: Duration,
    stop: &AtomicBool,
) -> Result<StepReport, SolveError> {
    let begun = Instant::now();
    let mut statistics = Vec::new();
    let mut jobs = Vec::new();
    for solution in solutions {
        for rules in rules {
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

/// Tells of a solver's progress with a step.
pub(crate) struct Watching<'a, 'p> {
    pub(crate) step: &'a Step,
    pub(crate) progress: &'a Mutex<&'p mut dyn Progress>,
    pub(crate) stop: &'a AtomicBool,
}

impl<'p> Watching<'_, 'p> {
    fn progress(&self) -> MutexGuard<'_, &'p mut dyn Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Watching<'_, '_> {
    fn advanced(&self, positions: u64) {
        self.progress().advanced(self.step, positions);
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
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
