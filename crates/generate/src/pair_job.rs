//! One job of a plan: the tables of one pair, made while other processes make others in the same directory.
//!
//! A job works in a directory of its own, `.jobs/PAIR`, beside the tables: links to what it reads, and what it makes until
//! that is whole; then files move to their names. Whoever does the job again, on any machine, goes on where it was left.
//!
//! Two locks keep processes apart. A job shares the lock of the directory that [`generate`] takes for itself, and takes
//! its pair's lock for itself: who comes second waits, and then finds the job done. They save work only: two that wrote
//! the same tables at once would put the same bytes under the same names.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bolshak_rules::Rules;
use bolshak_tables::{Kind, Pair, Slice, TableError, Tables};

use crate::job::{GenerateError, Progress, Step, Watching, generate, write_step};
use crate::part::{PartRange, PartSolver};
use crate::part_job::{merge_parts, solve_part};
use crate::part_store::{PartStore, sets_of};
use crate::solver::Solver;

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    /// Tables that the pair is made from are not there.
    #[error("{pair} is made from {}, which {} under '{rules}'", first_of(.missing), if .missing.len() == 1 { "is not there" } else { "are not there" })]
    Missing {
        /// The pair.
        pair: Pair,
        /// What is not there, in order of solving.
        missing: Vec<Slice>,
        /// The rule set.
        rules: &'static str,
    },
    /// A directory or file of the job cannot be used.
    #[error("{}: {error}", .path.display())]
    Directory {
        /// The directory or file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The tables could not be made, or those that are there cannot be read.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

impl From<TableError> for PairError {
    fn from(error: TableError) -> PairError {
        PairError::Generate(error.into())
    }
}

fn first_of(missing: &[Slice]) -> String {
    let named: Vec<String> = missing.iter().take(3).map(Slice::to_string).collect();
    match missing.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Makes the tables of one pair under these rules if they are not there; all that it reads must be there.
///
/// May run in many processes and on many machines at once, for the same pair too. The directory must be on a file system
/// with locks.
pub fn generate_pair(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), PairError> {
    let _locks = begin(tables, &pair.to_string())?;
    if is_done(tables, pair, rules)? {
        return Ok(());
    }
    check_inputs(tables, pair, rules)?;
    let made = own_tables(tables, pair, rules, inputs(pair).into_iter().chain(pair.slices()))?;
    generate(&made, &[pair.first()], &[*rules], solver, progress, stop)?;
    publish(tables, &made, pair, rules)
}

/// Solves one part of a pair if its file is not there; the parts of the level before it and all that the pair reads must
/// be there.
///
/// May run in many processes and on many machines at once, for the same part too.
pub fn generate_part(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    part: &PartRange,
    solver: &dyn PartSolver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), PairError> {
    let _locks = begin(tables, &format!("{pair}.{}.{}-{}", part.level, part.tasks.0, part.tasks.1))?;
    let failed = |error| GenerateError::Solve { pair, error };
    let sets = sets_of(rules);
    let store = PartStore::new(tables, pair, &sets, solver.levels(pair));
    if store.has(part) || is_done(tables, pair, rules)? {
        return Ok(());
    }
    check_inputs(tables, pair, rules)?;
    let watch = Watching { progress: Mutex::new(progress), stop };
    Ok(solve_part(tables, pair, &sets, solver, &store, part, &watch).map_err(failed)?)
}

/// Makes the tables of one pair from its parts, all of which must be there, and removes those.
pub fn merge_pair(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    solver: &dyn PartSolver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), PairError> {
    let _locks = begin(tables, &pair.to_string())?;
    let failed = |error| GenerateError::Solve { pair, error };
    let sets = sets_of(rules);
    let store = PartStore::new(tables, pair, &sets, solver.levels(pair));
    if !is_done(tables, pair, rules)? {
        let made = own_tables(tables, pair, rules, pair.slices())?;
        let base = Rules { variant: tables.variant(), ..Rules::NONE };
        let step = Step::missing(&made, pair, &[&[base], &sets[..]].concat())?;
        progress.planned(std::slice::from_ref(&step));
        progress.begun(&step);
        let begun = Instant::now();
        let solutions = merge_parts(pair, &sets, solver, &store).map_err(failed)?;
        progress.advanced(step.positions());
        let report = write_step(&made, &step, &sets, &solutions, begun.elapsed(), stop).map_err(failed)?;
        progress.done(&step, &report);
        publish(tables, &made, pair, rules)?;
    }
    Ok(store.remove().map_err(failed)?)
}

/// Takes a job's locks, which go with the returned files, and looks at what others have made meanwhile.
fn begin(tables: &Tables, job: &str) -> Result<[File; 2], PairError> {
    let jobs = directory(tables).join(".jobs");
    at(&jobs, fs::create_dir_all(&jobs))?;
    let shared = share_directory(tables)?;
    let lock = jobs.join(format!("{job}.lock"));
    let own = at(&lock, open_lock(&lock))?;
    at(&lock, own.lock())?;
    tables.reload();
    Ok([shared, own])
}

fn directory(tables: &Tables) -> PathBuf {
    tables.directory().join(tables.variant().name())
}

/// What a pair is made from, in order of solving.
fn inputs(pair: Pair) -> Vec<Slice> {
    Pair::closure(&[pair.first()]).into_iter().filter(|input| *input != pair).flat_map(Pair::slices).collect()
}

fn check_inputs(tables: &Tables, pair: Pair, rules: &Rules) -> Result<(), PairError> {
    let coverage = at(&directory(tables), tables.coverage())?;
    let missing: Vec<Slice> = inputs(pair).into_iter().filter(|&input| !coverage.has(input, rules)).collect();
    if missing.is_empty() { Ok(()) } else { Err(PairError::Missing { pair, missing, rules: rules.set.name }) }
}

/// The directory in which a job makes its tables, with links to those of these slices that are there.
fn own_tables(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    slices: impl Iterator<Item = Slice>,
) -> Result<Tables, PairError> {
    let own = own_directory(tables, pair);
    let made = Tables::open(&own, tables.variant());
    at(&own, fs::create_dir_all(directory(&made)))?;
    for slice in slices {
        for kind in Kind::needed_by(rules) {
            link(tables, &made, slice, &kind)?;
        }
    }
    Ok(made)
}

fn own_directory(tables: &Tables, pair: Pair) -> PathBuf {
    directory(tables).join(".jobs").join(pair.to_string())
}

/// Moves what a job has made to its place and removes the rest.
fn publish(tables: &Tables, made: &Tables, pair: Pair, rules: &Rules) -> Result<(), PairError> {
    for slice in pair.slices() {
        for kind in Kind::needed_by(rules) {
            let (from, to) = (made.path(slice, &kind), tables.path(slice, &kind));
            at(&to, fs::rename(&from, &to))?;
        }
    }
    let (directory, own) = (directory(tables), own_directory(tables, pair));
    // Without this a power cut could take the new names back.
    at(&directory, File::open(&directory).and_then(|directory| directory.sync_all()))?;
    at(&own, fs::remove_dir_all(&own))?;
    tables.reload();
    Ok(())
}

/// Whether all tables of the pair are there; opening them checks their headers and block tables.
fn is_done(tables: &Tables, pair: Pair, rules: &Rules) -> Result<bool, TableError> {
    for slice in pair.slices() {
        if !tables.has(slice, rules)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Lets `made` see a table that is there. What a job before this one has made, but not moved, stays.
fn link(tables: &Tables, made: &Tables, slice: Slice, kind: &Kind) -> Result<(), PairError> {
    let (there, here) = (tables.path(slice, kind), made.path(slice, kind));
    if !at(&there, there.try_exists())? {
        return Ok(());
    }
    // A link that a killed job has left may be to a table that has been replaced since.
    match fs::remove_file(&here) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PairError::Directory { path: here, error }),
        _ => at(&here, fs::hard_link(&there, &here)),
    }
}

/// Shares a directory of tables with others that add to it, and keeps whole runs out while the returned file is open.
pub fn share_directory(tables: &Tables) -> Result<File, PairError> {
    let directory = directory(tables);
    at(&directory, fs::create_dir_all(&directory))?;
    let path = directory.join(".lock");
    let file = at(&path, open_lock(&path))?;
    match file.try_lock_shared() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(GenerateError::Locked(directory).into()),
        Err(TryLockError::Error(error)) => Err(PairError::Directory { path, error }),
    }
}

/// Network file systems want a file open for reading to share its lock, and for writing to take it.
fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, PairError> {
    result.map_err(|error| PairError::Directory { path: path.to_owned(), error })
}
