//! One job of a plan: the tables of one pair, made while other processes make others in the same directory.
//!
//! A job keeps what it makes in a directory of its own, `.jobs/PAIR`, beside the tables that it reads, until that is whole;
//! then files move to their names. Whoever does the job again, on any machine, goes on where it was left.
//!
//! Two locks keep processes apart. A job shares the lock of the directory that [`generate`] takes for itself, and takes
//! its pair's lock for itself: who comes second waits, and then finds the job done. They save work only: two that wrote
//! the same tables at once would put the same bytes under the same names.

use std::fs::{self, File};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bolshak_rules::Rules;
use bolshak_tables::{Kind, Pair, Slice, TableError, Tables};

use crate::job::{
    GenerateError, Making, Place, Progress, Step, Watching, do_steps, in_time, misses_kings, missing_rules,
    write_forced,
};
use crate::lock::{self, at, directory, share_directory, take_directory};
use crate::part::{PartRange, PartSolver};
use crate::part_job::{merge_parts, solve_part};
use crate::part_store::{PartStore, remove_finished_parts, sets_of};
use crate::solver::Solver;

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
) -> Result<(), GenerateError> {
    let _locks = begin(tables, &pair.to_string())?;
    if !is_done(tables, pair, rules)? {
        check_inputs(tables, pair, inputs(pair), rules)?;
        let job = Job::begin(tables, pair, pair.to_string(), Kind::needed_by(rules).collect())?;
        let missing = missing_rules(tables, pair, &with_base(tables, rules))?;
        if !missing.is_empty() {
            let step = Step { pair, making: Making::Forced(missing) };
            do_steps(job.place(), &[step], solver, progress, stop, &in_time)?;
        }
        job.finish()?;
    }
    remove_finished_parts(tables, Some(pair))
}

/// Makes the tables of how king moves left matter in one pair under these rules, if it has them and they are not there;
/// all its other tables and all that they are made from must be there.
///
/// May run in many processes and on many machines at once, for the same pair too.
pub fn generate_kings(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    solver: &dyn Solver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let name = format!("{pair}.kings");
    let _locks = begin(tables, &name)?;
    if !misses_kings(tables, pair, rules)? {
        return Ok(());
    }
    check_inputs(tables, pair, with_own(pair), rules)?;
    let job = Job::begin(tables, pair, name, vec![Kind::Kings(*rules)])?;
    if misses_kings(tables, pair, rules)? {
        let step = Step { pair, making: Making::Kings(*rules) };
        do_steps(job.place(), &[step], solver, progress, stop, &|_| u64::MAX)?;
    }
    job.finish()
}

/// Solves one part of a pair if its file is not there; the parts of the level before it and all that the pair reads must
/// be there. Gives whether it did, or found the part or the pair's tables there.
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
) -> Result<bool, GenerateError> {
    let _locks = begin(tables, &format!("{pair}.{}.{}-{}", part.level, part.tasks.0, part.tasks.1))?;
    let failed = |error| GenerateError::Solve { pair, error };
    let sets = sets_of(rules);
    let store = PartStore::new(tables, pair, &sets, solver.levels(pair));
    if store.has(part) || is_done(tables, pair, rules)? {
        return Ok(false);
    }
    check_inputs(tables, pair, inputs(pair), rules)?;
    let step = Step { pair, making: Making::Forced(with_base(tables, rules)) };
    let watch = Watching { step: &step, progress: &Mutex::new(progress), stop };
    solve_part(tables, pair, &sets, solver, &store, part, &watch).map_err(failed)?;
    Ok(true)
}

/// Makes the tables of one pair from its parts, all of which must be there, and removes those.
pub fn merge_pair(
    tables: &Tables,
    pair: Pair,
    rules: &Rules,
    solver: &dyn PartSolver,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let _locks = begin(tables, &pair.to_string())?;
    let failed = |error| GenerateError::Solve { pair, error };
    let sets = sets_of(rules);
    let store = PartStore::new(tables, pair, &sets, solver.levels(pair));
    if !is_done(tables, pair, rules)? {
        let job = Job::begin(tables, pair, pair.to_string(), Kind::needed_by(rules).collect())?;
        let missing = missing_rules(tables, pair, &with_base(tables, rules))?;
        if !missing.is_empty() {
            let step = Step { pair, making: Making::Forced(missing.clone()) };
            progress.planned(std::slice::from_ref(&step));
            progress.begun(&step);
            let begun = Instant::now();
            let solutions = merge_parts(pair, &sets, solver, &store).map_err(failed)?;
            progress.advanced(&step, step.positions());
            let report = write_forced(&job.made, &missing, &sets, &solutions, begun.elapsed(), stop).map_err(failed)?;
            progress.done(&step, &report);
        }
        job.finish()?;
    }
    remove_finished_parts(tables, Some(pair))
}

/// Takes a job's locks, which go with the returned files, and looks at what others have made meanwhile.
fn begin(tables: &Tables, job: &str) -> Result<[File; 2], GenerateError> {
    let jobs = directory(tables).join(".jobs");
    at(&jobs, fs::create_dir_all(&jobs))?;
    let shared = share_directory(tables)?;
    let path = jobs.join(format!("{job}.lock"));
    let own = lock::open(&path)?;
    at(&path, own.lock())?;
    tables.reload();
    Ok([shared, own])
}

/// What a pair is made from, in order of solving.
fn inputs(pair: Pair) -> Vec<Slice> {
    Pair::closure(&[pair.first()]).into_iter().filter(|input| *input != pair).flat_map(Pair::slices).collect()
}

/// The same and the pair itself.
fn with_own(pair: Pair) -> Vec<Slice> {
    inputs(pair).into_iter().chain(pair.slices()).collect()
}

fn check_inputs(tables: &Tables, pair: Pair, inputs: Vec<Slice>, rules: &Rules) -> Result<(), GenerateError> {
    let coverage = at(&directory(tables), tables.coverage())?;
    let missing: Vec<Slice> = inputs.into_iter().filter(|&input| !coverage.has(input, rules)).collect();
    if missing.is_empty() { Ok(()) } else { Err(GenerateError::Missing { pair, missing, rules: rules.set.name }) }
}

/// These rules and the game without draw rules.
fn with_base(tables: &Tables, rules: &Rules) -> Vec<Rules> {
    [vec![Rules { variant: tables.variant(), ..Rules::NONE }], sets_of(rules)].concat()
}

/// A job and the directory in which it makes its tables.
struct Job<'a> {
    tables: &'a Tables,
    made: Tables,
    pair: Pair,
    kinds: Vec<Kind>,
}

impl<'a> Job<'a> {
    /// What a job before this one has made, but not moved, is moved first.
    fn begin(tables: &'a Tables, pair: Pair, name: String, kinds: Vec<Kind>) -> Result<Job<'a>, GenerateError> {
        let made = Tables::open(directory(tables).join(".jobs").join(name), tables.variant());
        let _lock = take_directory(&made)?;
        let job = Job { tables, made, pair, kinds };
        job.publish()?;
        Ok(job)
    }

    fn place(&self) -> Place<'_> {
        Place { tables: self.tables, made: &self.made, room_bytes: 0 }
    }

    /// Moves what has been made to its place, if it is not there.
    fn publish(&self) -> Result<(), GenerateError> {
        for kind in &self.kinds {
            for slice in self.pair.slices() {
                let (from, to) = (self.made.path(slice, kind), self.tables.path(slice, kind));
                if at(&from, from.try_exists())? && !at(&to, to.try_exists())? {
                    at(&to, fs::rename(&from, &to))?;
                }
            }
        }
        let directory = directory(self.tables);
        // Without this a power cut could take the new names back.
        at(&directory, File::open(&directory).and_then(|directory| directory.sync_all()))?;
        self.tables.reload();
        Ok(())
    }

    /// The same, and removes the rest.
    fn finish(self) -> Result<(), GenerateError> {
        self.publish()?;
        let own = self.made.directory();
        at(own, fs::remove_dir_all(own))
    }
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
