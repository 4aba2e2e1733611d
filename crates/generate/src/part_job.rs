//! Pairs that take long, part by part: each part is a file before the next begins.

use std::time::Duration;

use bolshak_rules::Rules;
use bolshak_tables::{Pair, Tables};

use crate::job::Step;
use crate::part::{PartRange, PartSolver};
use crate::part_store::PartStore;
use crate::rates;
use crate::solution::Solution;
use crate::solver::{SolveError, Watch};
use crate::stored::Stored;

/// No more than this is lost when a run is killed.
const LONGEST_UNSAVED: Duration = Duration::from_mins(10);

/// The most positions that a part of a step should have so that so many threads save it in time.
pub(crate) fn positions_in_time(step: &Step, threads: usize) -> u64 {
    // No set takes longer than the first, which solves the game without draw rules as well.
    let sets = step.sets().len().max(1) as u32;
    let time = sets * step.pair.slices().map(|slice| rates::forced(slice).solving(slice)).sum::<Duration>();
    let parts = time.as_secs_f64() / threads as f64 / LONGEST_UNSAVED.as_secs_f64();
    if parts <= 1. { u64::MAX } else { (step.positions() as f64 / parts) as u64 }
}

/// Solves what is left of a pair's parts and puts them together.
pub(crate) fn solve_by_parts(
    tables: &Tables,
    pair: Pair,
    sets: &[Rules],
    solver: &dyn PartSolver,
    store: &PartStore,
    parts: &[PartRange],
    watch: &dyn Watch,
) -> Result<Vec<Solution>, SolveError> {
    for part in parts {
        solve_part(tables, pair, sets, solver, store, part, watch)?;
    }
    merge_parts(pair, sets, solver, store)
}

/// Solves a part if its file is not there.
pub(crate) fn solve_part(
    tables: &Tables,
    pair: Pair,
    sets: &[Rules],
    solver: &dyn PartSolver,
    store: &PartStore,
    part: &PartRange,
    watch: &dyn Watch,
) -> Result<(), SolveError> {
    if store.has(part) {
        return Ok(());
    }
    let before = part.level.checked_sub(1).map_or_else(|| Ok(Vec::new()), |level| store.level(level))?;
    let children = Stored { tables };
    store.write(&solver.solve_part(pair, tables.variant(), sets, &children, part, before, watch)?)
}

/// Puts the parts of a pair together.
pub(crate) fn merge_parts(
    pair: Pair,
    sets: &[Rules],
    solver: &dyn PartSolver,
    store: &PartStore,
) -> Result<Vec<Solution>, SolveError> {
    solver.merge(pair, sets.len(), &mut |level| store.level(level))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, Ordering};

    use bolshak_rules::Variant;
    use bolshak_tables::Slice;

    use super::*;
    use crate::job::{Wanted, generate_in_parts};
    use crate::pair_job::{generate_pair, generate_part, merge_pair};
    use crate::part_store::part_file;
    use crate::{GenerateError, Progress, SetwiseSolver, StepReport, generate};

    const RULES: Rules = Rules::OFFICIAL;

    /// Asks to stop when so many levels or parts are done.
    struct StopAfter<'a>(u32, &'a AtomicBool);

    impl Progress for StopAfter<'_> {
        fn planned(&mut self, _: &[Step]) {}
        fn begun(&mut self, _: &Step) {}
        fn advanced(&mut self, _: &Step, _: u64) {
            self.0 -= 1;
            self.1.store(self.0 == 0, Ordering::Relaxed);
        }
        fn done(&mut self, _: &Step, _: &StepReport) {}
    }

    fn pair() -> Pair {
        "KmvKm".parse::<Slice>().unwrap().pair()
    }

    fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let all = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.is_file()).map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    }

    /// Tables with all that the pair is made from, and the files of the pair made whole.
    fn prepared() -> (tempfile::TempDir, Tables, Vec<Vec<u8>>) {
        let directory = tempfile::tempdir().unwrap();
        let tables = Tables::open(directory.path(), Variant::Russian);
        let never = AtomicBool::new(false);
        generate(&tables, &[pair().first()], &[RULES], &SetwiseSolver::default(), &mut (), &never).unwrap();
        let whole = made(&tables);
        for path in paths(&tables) {
            std::fs::remove_file(path).unwrap();
        }
        tables.reload();
        (directory, tables, whole)
    }

    fn paths(tables: &Tables) -> Vec<PathBuf> {
        let kinds = || bolshak_tables::Kind::needed_by(&RULES);
        pair().slices().flat_map(|slice| kinds().map(move |kind| tables.path(slice, &kind))).collect()
    }

    fn made(tables: &Tables) -> Vec<Vec<u8>> {
        paths(tables).into_iter().map(|path| std::fs::read(path).unwrap()).collect()
    }

    fn parts_directory(tables: &Tables) -> PathBuf {
        part_file(tables, pair(), &RULES, &PartRange { level: 0, tasks: (0, 1) }).parent().unwrap().to_owned()
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_after_its_last_part() {
        let (_directory, tables, whole) = prepared();
        let run = |levels: u32, parts: u64| {
            let stop = AtomicBool::new(false);
            let solver = SetwiseSolver::default();
            let most = |step: &Step| step.positions() / parts;
            let mut progress = StopAfter(levels, &stop);
            let wanted = Wanted { slices: &[pair().first()], rules: &[RULES], kings: false, room_bytes: 0 };
            generate_in_parts(&tables, &wanted, &solver, &mut progress, &stop, &most)
        };
        let stopped = |result| matches!(result, Err(GenerateError::Solve { error: SolveError::Stopped, .. }));
        assert!(stopped(run(3, 40)));
        let first = files(&parts_directory(&tables));
        assert!(!first.is_empty());
        assert!(stopped(run(3, 40)));
        let second = files(&parts_directory(&tables));
        // Every part that was there has been kept, and there are more.
        assert!(first.iter().all(|(path, bytes)| second.get(path) == Some(bytes)) && second.len() > first.len());
        // With other threads a pair is divided otherwise.
        run(u32::MAX, 70).unwrap();
        assert!(made(&tables) == whole);
        assert!(!parts_directory(&tables).exists());
    }

    #[test]
    fn jobs_of_parts_in_any_division_make_the_same_tables() {
        let (_directory, tables, whole) = prepared();
        let solver = SetwiseSolver::default();
        let never = AtomicBool::new(false);
        let levels = solver.levels(pair());
        let parts = levels.divide(pair().slices().map(crate::count::positions).sum::<u64>() / 30);
        let (first, rest) = parts.split_first().unwrap();
        let missing = merge_pair(&tables, pair(), &RULES, &solver, &mut (), &never);
        assert!(matches!(missing, Err(GenerateError::Solve { error: SolveError::Part(_), .. })));
        for part in std::iter::once(first).chain(rest) {
            generate_part(&tables, pair(), &RULES, part, &solver, &mut (), &never).unwrap();
        }
        merge_pair(&tables, pair(), &RULES, &solver, &mut (), &never).unwrap();
        assert!(made(&tables) == whole);
        assert!(!parts_directory(&tables).exists());
        // What is done is not done again.
        generate_part(&tables, pair(), &RULES, first, &solver, &mut (), &never).unwrap();
        merge_pair(&tables, pair(), &RULES, &solver, &mut (), &never).unwrap();
        assert!(!parts_directory(&tables).exists());
    }

    #[test]
    fn parts_of_a_pair_that_is_done_are_removed() {
        let (_directory, tables, _) = prepared();
        let solver = SetwiseSolver::default();
        let never = AtomicBool::new(false);
        let first = solver.levels(pair()).divide(u64::MAX).swap_remove(0);
        // Somebody solves a part, somebody else makes the pair whole.
        assert!(generate_part(&tables, pair(), &RULES, &first, &solver, &mut (), &never).unwrap());
        assert!(!generate_part(&tables, pair(), &RULES, &first, &solver, &mut (), &never).unwrap());
        generate_pair(&tables, pair(), &RULES, &solver, &mut (), &never).unwrap();
        assert!(!parts_directory(&tables).exists());
        // Whoever was killed while they were removed has left some.
        let other = Rules::new(Variant::Russian, "classic".parse().unwrap());
        let unfinished = part_file(&tables, pair(), &other, &first);
        for ways in 0..3 {
            for file in [&part_file(&tables, pair(), &RULES, &first), &unfinished] {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, "left").unwrap();
            }
            match ways {
                0 => generate_pair(&tables, pair(), &RULES, &solver, &mut (), &never),
                1 => merge_pair(&tables, pair(), &RULES, &solver, &mut (), &never),
                _ => generate(&tables, &[pair().first()], &[RULES], &solver, &mut (), &never),
            }
            .unwrap();
            assert!(!parts_directory(&tables).exists() && unfinished.exists());
        }
    }

    #[test]
    fn damaged_and_foreign_parts_are_errors() {
        let (_directory, tables, _) = prepared();
        let solver = SetwiseSolver::default();
        let never = AtomicBool::new(false);
        let levels = solver.levels(pair());
        let parts = levels.divide(u64::MAX);
        let make = |part| generate_part(&tables, pair(), &RULES, part, &solver, &mut (), &never);
        make(&parts[0]).unwrap();
        let (path, good) = files(&parts_directory(&tables)).pop_first().unwrap();
        let mut flipped = good.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        let longer = [&good[..], b"x"].concat();
        for bad in [&good[..good.len() - 1], &[], &flipped, &longer, b"not a part at all"] {
            std::fs::write(&path, bad).unwrap();
            match make(&parts[1]) {
                Err(GenerateError::Solve { error: SolveError::PartFile { path: named, .. }, .. }) => {
                    assert_eq!(named, path);
                }
                other => panic!("{other:?}"),
            }
        }
        std::fs::write(&path, &good).unwrap();
        make(&parts[1]).unwrap();
        // The same under other rules is another part.
        let other = Rules::new(Variant::Russian, "classic".parse().unwrap());
        let store = PartStore::new(&tables, pair(), &[other], levels);
        let foreign = part_file(&tables, pair(), &other, &parts[0]);
        std::fs::create_dir_all(foreign.parent().unwrap()).unwrap();
        std::fs::write(&foreign, &good).unwrap();
        assert!(matches!(store.level(0), Err(SolveError::PartFile { path, .. }) if path == foreign));
    }
}
