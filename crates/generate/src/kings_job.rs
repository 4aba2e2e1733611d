//! Making tables of how king moves left matter: found by solving pairs once more, whose other tables are there.

use std::time::Instant;

use bolshak_rules::Rules;
use bolshak_tables::{Kind, Pair, Statistics};

use crate::job::{Place, StepReport, Watching, write};
use crate::setwise::SetwiseSolver;
use crate::solver::{SolveError, Solver};
use crate::stored::Stored;

/// With fewer kings on the board the play until the next man move or capture is searched quickly.
const LEAST_KINGS: u8 = 4;

/// Whether a pair gets tables of how king moves left matter under these rules: where men and many kings make the search
/// for exact answers with counters long.
pub fn has_kings_tables(pair: Pair, rules: &Rules) -> bool {
    pair.first().pieces() - pair.first().men() >= LEAST_KINGS && SetwiseSolver::counts_kings(pair, rules)
}

/// Makes those of a pair, whose other tables must be there.
pub(crate) fn make_kings(
    place: Place<'_>,
    pair: Pair,
    rules: &Rules,
    solver: &dyn Solver,
    watch: &Watching<'_, '_>,
) -> Result<StepReport, SolveError> {
    let begun = Instant::now();
    let setwise = SetwiseSolver::default();
    let solver = solver.for_kings().unwrap_or(&setwise);
    let found = solver.solve_kings(pair, rules, &Stored { tables: place.tables }, watch)?;
    let mut report = StepReport { solving: begun.elapsed(), ..StepReport::default() };
    let begun = Instant::now();
    for (slice, kings) in pair.slices().zip(&found) {
        report.bytes += write(place.made, slice, Kind::Kings(*rules), kings, Statistics::default(), watch.stop)?;
    }
    report.writing = begun.elapsed();
    Ok(report)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::AtomicBool;

    use bolshak_rules::{Counters, State, Variant};
    use bolshak_tables::{Query, Sample, Slice, Tables, UNLISTED_STEPS, VerifyError};

    use super::*;
    use crate::generate;
    use crate::job::{Making, Step, do_steps};
    use crate::setwise::InstructionSet;

    const RULES: Rules = Rules::OFFICIAL;

    fn slices() -> [Slice; 2] {
        ["KmvKm", "KKmvm"].map(|name| name.parse().unwrap())
    }

    /// Makes the tables of how king moves left matter in all pairs that can have them, with few kings too.
    fn make_all(tables: &Tables, solver: &SetwiseSolver) {
        let counted = Pair::closure(&slices()).into_iter().filter(|pair| SetwiseSolver::counts_kings(*pair, &RULES));
        let steps: Vec<Step> = counted.map(|pair| Step { pair, making: Making::Kings(RULES) }).collect();
        let place = Place { tables, made: tables, room_bytes: u64::MAX };
        do_steps(place, &steps, solver, &mut (), &AtomicBool::new(false), &|_| u64::MAX).unwrap();
    }

    /// Tables with and without those of how king moves left matter.
    fn made() -> ([tempfile::TempDir; 2], [Tables; 2]) {
        let directories = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let tables = directories.each_ref().map(|directory| Tables::open(directory.path(), Variant::Russian));
        let solver = SetwiseSolver::default();
        let never = AtomicBool::new(false);
        generate(&tables[0], &slices(), &[RULES], &solver, &mut (), &never).unwrap();
        let [all, plain] = tables.each_ref().map(|tables| tables.directory().join("russian"));
        std::fs::create_dir(&plain).unwrap();
        for file in std::fs::read_dir(&all).unwrap() {
            let path = file.unwrap().path();
            std::fs::hard_link(&path, plain.join(path.file_name().unwrap())).unwrap();
        }
        make_all(&tables[0], &solver);
        (directories, tables)
    }

    fn kings_files(directory: &Path) -> Vec<PathBuf> {
        let all = std::fs::read_dir(directory.join("russian")).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> =
            all.filter(|path| path.extension().is_some_and(|kind| kind == "official-kings")).collect();
        files.sort();
        files
    }

    #[test]
    fn tables_of_king_moves_left_tell_what_a_search_finds() {
        let (_directories, [with, without]) = made();
        let (mut later, mut gone, mut same) = (0, 0, 0);
        for slice in slices().into_iter().flat_map(|slice| slice.pair().slices()) {
            let index = with.index(slice);
            for number in (0..index.positions()).step_by(1009) {
                let position = index.position(number);
                let fresh = with.fresh(&RULES, &position).unwrap().outcome();
                for kings_plies in 0..30 {
                    for more in [0, 7, 23] {
                        let ratio_plies = kings_plies + more;
                        let state = State { position, counters: Counters { ratio_plies, kings_plies, road_moves: 0 } };
                        let [told, searched] = [&with, &without]
                            .map(|tables| tables.probe_outcome(&RULES, &state, Query::default()).unwrap());
                        assert_eq!(told, searched, "{} {ratio_plies} {kings_plies}", position.to_fen());
                        match told {
                            told if told == fresh => same += 1,
                            told if told.value == fresh.value => later += 1,
                            _ => gone += 1,
                        }
                    }
                }
            }
        }
        assert!(later > 100 && gone > 30 && same > 1000, "{later} {gone} {same}");
    }

    #[test]
    fn any_instruction_set_makes_the_same_files() {
        let (directories, [_, plain]) = made();
        let files = |directory: &Path| {
            let all = kings_files(directory).into_iter();
            all.map(|path| (path.file_name().unwrap().to_owned(), std::fs::read(path).unwrap())).collect::<Vec<_>>()
        };
        let expected = files(directories[0].path());
        assert!(expected.len() > 4);
        for instructions in InstructionSet::ALL {
            kings_files(directories[1].path()).into_iter().for_each(|path| std::fs::remove_file(path).unwrap());
            plain.reload();
            make_all(&plain, &SetwiseSolver::new(instructions));
            assert!(files(directories[1].path()) == expected, "{instructions:?}");
        }
    }

    #[test]
    fn a_wrong_list_of_steps_is_found() {
        let (_directories, [tables, _]) = made();
        let slice = slices()[0];
        let verify = || tables.verify(slice, &RULES, Sample::Positions(3000));
        verify().unwrap();
        let kind = Kind::Kings(RULES);
        let children = Stored { tables: &tables };
        let mut found = SetwiseSolver::default().solve_kings(slice.pair(), &RULES, &children, &()).unwrap();
        // Lists are taken for others.
        let listed = found[0].cells.iter_mut().filter(|cell| **cell < UNLISTED_STEPS);
        listed.for_each(|cell| *cell = cell.saturating_sub(1));
        let never = AtomicBool::new(false);
        write(&tables, slice, kind, &found[0], Statistics::default(), &never).unwrap();
        tables.reload();
        let faults = verify().unwrap_err();
        assert!(
            matches!(&faults[..], [VerifyError::Value { kind, .. }] if *kind == Kind::Kings(RULES).name()),
            "{faults:?}"
        );
    }
}
