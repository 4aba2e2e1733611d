//! A file whose checksums are right and whose content is not as `docs/FORMAT.md` says is refused, and so is what is no file.

use std::fs;
use std::sync::atomic::AtomicBool;

use bolshak_generate::{ScalarSolver, SetwiseSolver, Solver, generate};
use bolshak_rules::{Counters, Position, Rules, State, Variant};
use bolshak_tables::{
    Cells, Fresh, Kind, LookUpError, ProbeError, Query, Sample, Slice, SliceIndex, Statistics, Table, TableError,
    TableProblem, Tables, VerifyError, write_table,
};

use crate::made::{draws, kinds, seal, tables};

/// Opens a table after something was done to its file and its checksums were made right.
fn forged(tables: &Tables, slice: &str, kind: Kind, forge: impl FnOnce(&mut Vec<u8>)) -> Result<Table, TableProblem> {
    let slice: Slice = slice.parse().unwrap();
    let path = tables.path(slice, &kind);
    let sound = fs::read(&path).unwrap();
    let mut file = sound.clone();
    forge(&mut file);
    seal(&mut file, &format!("russian/{slice}.{}", kind.name()));
    fs::write(&path, &file).unwrap();
    let opened = Table::open(&path, Variant::Russian, &SliceIndex::new(slice), kind);
    // Removed first: the forged one is mapped.
    fs::remove_file(&path).unwrap();
    fs::write(&path, &sound).unwrap();
    opened.map_err(|error| error.problem)
}

fn add(file: &mut [u8], at: usize, more: u8) {
    file[at] = file[at].checked_add(more).unwrap();
}

#[test]
fn only_the_canonical_form_is_read() {
    let (_directory, tables) = tables(&["KvKm"]);
    assert!(forged(&tables, "KvKm", Kind::Value, |_| ()).is_ok());
    let damaged = |slice, kind, part, forge: &dyn Fn(&mut Vec<u8>)| {
        let problem = forged(&tables, slice, kind, forge).err().unwrap();
        assert!(matches!(problem, TableProblem::Damaged(named) if named == part), "{problem}");
    };
    damaged("KvKm", Kind::Value, "prefix", &|file| file[20] = 1);
    damaged("KvKm", Kind::Value, "prefix", &|file| file[12] = 21);
    damaged("KvKm", Kind::Value, "page table", &|file| {
        let table = usize::from(file[32]) + 256 * usize::from(file[33]);
        file.insert(table, 0);
        let table = (table as u64 + 1).to_le_bytes();
        file[32..40].copy_from_slice(&table);
    });
    damaged("KvKm", Kind::Distance, "prefix", &|file| file[13] = 1);
    // 7, the length of "russian", in two bytes.
    damaged("KvK", Kind::Value, "header", &|file| {
        file.splice(64..65, [0x87, 0]);
        add(file, 14, 1);
        moved(file, 1, u64::wrapping_add);
    });
    damaged("KvK", Kind::Value, "dictionary", &|file| {
        let (header, dictionary) = (usize::from(file[14]) + 256 * usize::from(file[15]), usize::from(file[16]));
        assert_eq!(file[17], 0);
        file.drain(64 + header..64 + header + dictionary);
        file[16] = 0;
        moved(file, dictionary, u64::wrapping_sub);
    });
    damaged("KvK", Kind::Distance, "dictionary", &|file| {
        let header = usize::from(file[14]) + 256 * usize::from(file[15]);
        file.insert(64 + header, 0);
        file[16] = 1;
        moved(file, 1, u64::wrapping_add);
    });
}

/// Tells of pages that have moved, of a file with one.
fn moved(file: &mut [u8], by: usize, change: impl Fn(u64, u64) -> u64) {
    let word = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let table = change(word(file, 32), by as u64);
    file[32..40].copy_from_slice(&table.to_le_bytes());
    let end = change(word(file, table as usize), by as u64);
    file[table as usize..table as usize + 8].copy_from_slice(&end.to_le_bytes());
}

/// The lowest bit of every byte that counts or tells a position: squares become light, counts others.
#[test]
fn a_header_that_cannot_be_of_its_slice_is_refused() {
    let (_directory, tables) = tables(&["KvKm"]);
    let name = "russian".len() + "KvKm".len() + "value".len() + 3;
    for kind in kinds() {
        let file = fs::read(tables.path("KvKm".parse().unwrap(), &kind)).unwrap();
        let end = 64 + usize::from(file[14]) + 256 * usize::from(file[15]);
        for place in 64 + name - "value".len() + kind.name().len() + 32..end {
            let problem = forged(&tables, "KvKm", kind, |file| file[place] ^= 1).err().unwrap();
            assert!(matches!(problem, TableProblem::Counts | TableProblem::Damaged("header")), "{place}: {problem}");
        }
    }
    for place in [65, 65 + "russian".len() + 1] {
        let problem = forged(&tables, "KvKm", Kind::Value, |file| file[place] = 0x1b).err().unwrap();
        assert!(matches!(problem, TableProblem::Damaged("header")), "{problem}");
        let problem = forged(&tables, "KvKm", Kind::Value, |file| file[place] = b'X').err().unwrap();
        assert!(matches!(problem, TableProblem::Other { .. }), "{problem}");
    }
}

/// A file with holes is long at no cost, and must not make opening it slow.
#[test]
fn parts_that_are_longer_than_they_can_be_are_refused_before_they_are_read() {
    let (_directory, tables) = tables(&["KvKm"]);
    // One more byte than a dictionary can have, and as many pages as no table has.
    let long_dictionary = (4_210_623_u32 + 1).to_le_bytes();
    let many_positions = ((1_u64 << 35) + 1).to_le_bytes();
    for (place, bytes) in [(16, &long_dictionary[..]), (24, &many_positions)] {
        let problem = forged_prefix(&tables, place, bytes);
        assert!(matches!(problem, TableProblem::Damaged("prefix")), "{problem}");
    }
    let problem = forged_prefix(&tables, 24, &(1_u64 << 35).to_le_bytes());
    assert!(matches!(problem, TableProblem::Other { .. }), "{problem}");
}

/// Opens a table whose prefix has these bytes at a place.
fn forged_prefix(tables: &Tables, place: usize, bytes: &[u8]) -> TableProblem {
    let slice: Slice = "KvKm".parse().unwrap();
    let path = tables.path(slice, &Kind::Value);
    let mut file = fs::read(&path).unwrap();
    file[12] = 13;
    file[place..place + bytes.len()].copy_from_slice(bytes);
    let checksum = xxhash_rust::xxh3::xxh3_64(&file[..56]);
    file[56..64].copy_from_slice(&checksum.to_le_bytes());
    let forged = tables.directory().join("forged");
    fs::write(&forged, file).unwrap();
    Table::open(&forged, Variant::Russian, &SliceIndex::new(slice), Kind::Value).err().unwrap().problem
}

/// What is wrong with a file is remembered while it is the same file; one that takes its place is read.
#[test]
fn a_file_that_is_no_table_is_read_once() {
    let (_directory, tables) = tables(&["KvK"]);
    let slice: Slice = "KvK".parse().unwrap();
    let path = tables.path(slice, &Kind::Value);
    let aside = tables.directory().join("aside");
    fs::rename(&path, &aside).unwrap();
    fs::write(&path, "no table").unwrap();
    tables.reload();
    let error = || tables.table(slice, &Kind::Value).err().unwrap();
    for _ in 0..2 {
        assert!(matches!(error().problem, TableProblem::Foreign));
    }
    fs::write(&path, "bolshak\nno table").unwrap();
    assert!(matches!(error().problem, TableProblem::Damaged("prefix")), "{}", error());
    fs::rename(&aside, &path).unwrap();
    assert!(tables.table(slice, &Kind::Value).unwrap().is_some());
}

/// Whether there is an answer does not depend on what it is.
#[test]
fn without_distances_neither_draws_nor_wins_are_answered() {
    let (_directory, tables) = tables(&["KvKm"]);
    let slice: Slice = "KvKm".parse().unwrap();
    fs::remove_file(tables.path(slice, &Kind::Distance)).unwrap();
    tables.reload();
    let index = tables.index(slice);
    let mut values = std::collections::HashSet::new();
    for position in (0..index.positions()).map(|number| index.position(number)).filter(|at| !at.can_capture()) {
        assert!(matches!(tables.fresh(&Rules::OFFICIAL, &position), Err(LookUpError::NotInTables { .. })));
        values.insert(tables.fresh_value(&Rules::OFFICIAL, &position).unwrap());
    }
    assert!(values.len() > 1, "{values:?}");
}

#[test]
fn an_empty_file_and_a_link_that_leads_nowhere_are_no_tables() {
    let (directory, tables) = tables(&["KvK"]);
    let slice: Slice = "KvK".parse().unwrap();
    fs::write(tables.path("KKvK".parse().unwrap(), &Kind::Value), "").unwrap();
    #[cfg(unix)]
    {
        let dangling: Slice = "KvKK".parse().unwrap();
        let link = tables.path(dangling, &Kind::Value);
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(tables.table(dangling, &Kind::Value).unwrap().is_none());
        fs::remove_file(tables.path("KKvK".parse().unwrap(), &Kind::Value)).unwrap();
        assert_eq!(bolshak_tables::write_manifest(directory.path()).unwrap(), 3);
    }
    assert_eq!(tables.slices().unwrap(), [slice]);
    drop(directory);
}

/// Where the cells of a chunk begin follows from the codes before it.
#[test]
fn places_that_contradict_the_codes_answer_nothing() {
    let (_directory, tables) = tables(&["KKvKK"]);
    let slice: Slice = "KKvKK".parse().unwrap();
    let first_page = |file: &[u8]| {
        64 + usize::from(file[14]) + 256 * usize::from(file[15]) + usize::from(file[16]) + 256 * usize::from(file[17])
    };
    for place in [1, 3, 5] {
        let table = forged(&tables, "KKvKK", Kind::Value, |file| {
            let page = first_page(file);
            assert_eq!(file[page], 1);
            add(file, page + place, 1);
        })
        .unwrap();
        for cell in [0, 1000, 60_000] {
            let error = table.read(cell, &mut [0]).unwrap_err();
            assert!(matches!(error.problem, TableProblem::Codec { page: 0, .. }), "{error}");
            assert!(error.path == tables.path(slice, &Kind::Value));
        }
        table.read(1 << 16, &mut [0]).unwrap();
    }
}

/// Cells that all positions have.
struct Same(u16);

impl Cells for Same {
    fn read(&self, _: u64, cells: &mut [u16]) {
        cells.fill(self.0);
    }
}

/// Tables of one slice in which all positions have the same cells.
fn with_cells(cells: [u16; 3], statistics: [fn(u64) -> Statistics; 3]) -> (tempfile::TempDir, Tables) {
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    fs::create_dir(directory.path().join("russian")).unwrap();
    put_cells(&tables, "KvK", cells, statistics);
    (directory, tables)
}

/// Writes those of a slice.
fn put_cells(tables: &Tables, slice: &str, cells: [u16; 3], statistics: [fn(u64) -> Statistics; 3]) {
    let slice = slice.parse().unwrap();
    let index = tables.index(slice);
    for ((kind, cell), statistics) in kinds().into_iter().zip(cells).zip(statistics) {
        let (path, stop) = (tables.path(slice, &kind), AtomicBool::new(false));
        let counted = statistics(index.positions());
        write_table(&path, Variant::Russian, &index, kind, &Same(cell), counted, &stop).unwrap();
    }
}

/// Two kings always win in 5 plies and one always loses in 5: whoever plays on never comes to an end.
#[test]
fn a_line_ends_where_tables_contradict_each_other() {
    let (_directory, tables) = with_cells([0; 3], [draws; 3]);
    put_cells(&tables, "KKvK", [1, 5, 0], [draws; 3]);
    put_cells(&tables, "KvKK", [2, 5, 0], [draws; 3]);
    let fen = "W:WKa1,Kc1:BKh2";
    let state = State::fresh(Position::from_fen(fen).unwrap().position);
    for rules in [Rules::OFFICIAL, Rules::NONE] {
        let line: Vec<_> = tables.line(&rules, &state, Query::default()).take(50).collect();
        let [Err(ProbeError::LookUp(LookUpError::Table(error)))] = &line[..] else { panic!("{line:?}") };
        assert!(matches!(&error.problem, TableProblem::Contradiction { fen: at } if at == fen), "{error}");
        assert_eq!(error.path, tables.path("KKvK".parse().unwrap(), &Kind::Distance));
    }
}

/// The longest distance that can be told, all over a slice and its partner: what is one ply before it cannot be.
#[test]
fn distances_at_the_end_of_what_can_be_told_are_errors_and_no_panic() {
    let (_directory, tables) = with_cells([0; 3], [draws; 3]);
    for slice in ["Kvm", "mvK", "KKvK", "KvKK"] {
        put_cells(&tables, slice, [0; 3], [draws; 3]);
    }
    put_cells(&tables, "KKvm", [1, 0x3ffe, 0], [draws; 3]);
    put_cells(&tables, "mvKK", [2, 0x3ffe, 0], [draws; 3]);
    let position = Position::from_fen("W:WKa1,Kc1:Bh8").unwrap().position;
    let counters = Counters { ratio_plies: 3, kings_plies: 3, road_moves: 0 };
    let counted = State { position, counters };
    // A fresh one has what its cell says, and moves that take a ply more.
    tables.probe(&Rules::OFFICIAL, &State::fresh(position), Query::default()).unwrap();
    let problems = [
        tables.probe(&Rules::OFFICIAL, &counted, Query::default()).map(drop),
        tables.line(&Rules::OFFICIAL, &counted, Query::default()).take(50).try_for_each(|ply| ply.map(drop)),
        tables
            .line(&Rules::OFFICIAL, &State::fresh(position), Query::default())
            .take(50)
            .try_for_each(|ply| ply.map(drop)),
    ];
    for problem in problems {
        let Err(ProbeError::LookUp(LookUpError::Table(error))) = problem else { panic!("{problem:?}") };
        assert!(matches!(error.problem, TableProblem::Contradiction { .. }), "{error}");
    }
    for slice in ["KKvm", "mvKK"] {
        let faults = tables.verify(slice.parse().unwrap(), &Rules::OFFICIAL, Sample::Positions(200)).unwrap_err();
        assert!(!faults.is_empty());
    }
}

/// What the fast solver reads of a slice is refused where the plain one refuses it.
#[test]
fn both_solvers_refuse_the_same_cells() {
    let slice: Slice = "KKvK".parse().unwrap();
    let solvers: [&dyn Solver; 2] = [&ScalarSolver, &SetwiseSolver::default()];
    for cells in [[3, 0, 0], [0xffff, 0, 0], [1, 5, 0x4000], [1, 5, 0xffff], [1, 5, 1], [2, 5, 1]] {
        for solver in solvers {
            let (_directory, tables) = with_cells([0; 3], [draws; 3]);
            let file = |kind: &Kind| tables.path("KvK".parse().unwrap(), kind);
            for (kind, cell) in kinds().into_iter().zip(cells) {
                let mut bytes = fs::read(file(&kind)).unwrap();
                let page = usize::from(bytes[32]) + 256 * usize::from(bytes[33]) - 3;
                assert_eq!(bytes[page..page + 3], [0; 3]);
                bytes[page + 1..page + 3].copy_from_slice(&u16::to_le_bytes(cell));
                seal(&mut bytes, &format!("russian/KvK.{}", kind.name()));
                fs::write(file(&kind), bytes).unwrap();
            }
            let made = generate(&tables, &[slice], &[Rules::OFFICIAL], solver, &mut (), &AtomicBool::new(false));
            let error = made.unwrap_err().to_string();
            let expected = if cells[2] == 1 { "header counts" } else { "has no meaning" };
            assert!(error.contains(expected), "{cells:?}: {error}");
            assert!(!tables.path(slice, &Kind::Value).exists());
        }
    }
}

/// Asked for one position and for many, tables say the same, and name the file whose cell it is.
#[test]
fn a_cell_without_meaning_is_the_same_error_everywhere() {
    let slice: Slice = "KvK".parse().unwrap();
    let asked = |cells| {
        let (_directory, tables) = with_cells(cells, [draws; 3]);
        let index = tables.index(slice);
        let number = (0..).find(|&number| !index.position(number).can_capture()).unwrap();
        let one = tables.fresh(&Rules::OFFICIAL, &index.position(number));
        let mut many = [Fresh::NOTHING];
        let read = tables.read(slice, &Rules::OFFICIAL, number, &mut many).map(|()| many[0]);
        [one, read].map(|answer| {
            answer.map_err(|error| match error {
                LookUpError::Table(error) => match &*error {
                    TableError { problem: TableProblem::Meaningless { page: 0, index }, .. } if *index == number => {
                        error.path.extension().unwrap().to_str().unwrap().to_owned()
                    }
                    other => panic!("{other}"),
                },
                other => panic!("{other}"),
            })
        })
    };
    for (cells, wrong) in [([1, 0x3fff, 0], "distance"), ([2, 7, 0x4000], "official"), ([1, 0x3fff, 1], "distance")] {
        assert_eq!(asked(cells), [Err(wrong.to_owned()), Err(wrong.to_owned())], "{cells:?}");
    }
    for cells in [[0, 0x3fff, 0], [0, 0, 0x4001], [0, 3, 5]] {
        assert_eq!(asked(cells), [Ok(Fresh::NOTHING), Ok(Fresh::NOTHING)], "{cells:?}");
    }
}

#[test]
fn headers_that_contradict_each_other_are_faults() {
    fn wins(positions: u64) -> Statistics {
        let mut statistics = draws(0);
        statistics.histogram.win = vec![0, positions];
        statistics.longest_win_fen = Some("W:WKa1:BKb2".to_owned());
        statistics
    }
    for (statistics, wrong) in [([draws, wins, draws], "distance"), ([draws, draws, wins], "official")] {
        let (_directory, tables) = with_cells([0; 3], statistics);
        let faults = tables.verify("KvK".parse().unwrap(), &Rules::OFFICIAL, Sample::Positions(0)).unwrap_err();
        assert!(matches!(&faults[..], [VerifyError::Headers { kind, .. }] if kind == wrong), "{faults:?}");
    }
    let index = SliceIndex::new("KvK".parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KvK.value");
    let mut two_positions = wins(index.positions());
    two_positions.longest_win_fen = Some("W:WKa1,Kc1:BKb2".to_owned());
    let mut too_many = draws(2);
    too_many.histogram.win = vec![u64::MAX];
    too_many.longest_win_fen = wins(1).longest_win_fen;
    let mut cursed = draws(index.positions() - 1);
    cursed.histogram.cursed_win = vec![0, 0, 1];
    let mut blessed = draws(index.positions() - 1);
    blessed.histogram.blessed_loss = vec![0, 0, 1];
    for wrong in [draws(0), draws(index.positions() + 1), two_positions, too_many, cursed, blessed] {
        let written =
            write_table(&path, Variant::Russian, &index, Kind::Value, &Same(0), wrong, &AtomicBool::new(false));
        assert!(matches!(written.unwrap_err().problem, TableProblem::Counts));
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    use bolshak_tables::{ListedFault, MANIFEST_NAME, ManifestError, NotRegularFile, check_manifest, write_manifest};

    let (directory, tables) = tables(&["KvK"]);
    let is_no_file = |error: &std::io::Error| error.get_ref().is_some_and(|inner| inner.is::<NotRegularFile>());
    let slice: Slice = "KvK".parse().unwrap();
    let index = SliceIndex::new(slice);
    let manifest = directory.path().join(MANIFEST_NAME);
    write_manifest(directory.path()).unwrap();
    let pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let folder = |path: &std::path::Path| fs::create_dir(path).unwrap();
    let device = |path: &std::path::Path| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    let socket = |path: &std::path::Path| drop(std::os::unix::net::UnixListener::bind(path).unwrap());
    let put: [&dyn Fn(&std::path::Path); 4] = [&pipe, &folder, &device, &socket];
    for put in put {
        let path = tables.path(slice, &Kind::Value);
        let (aside, listed) = (directory.path().join("aside"), directory.path().join("listed"));
        fs::rename(&path, &aside).unwrap();
        put(&path);
        let error = Table::open(&path, Variant::Russian, &index, Kind::Value).err().unwrap();
        assert!(matches!(&error.problem, TableProblem::Io(error) if is_no_file(error)), "{error}");
        let checked = check_manifest(directory.path()).unwrap().listed;
        let faults: Vec<_> = checked.into_iter().filter_map(|listed| listed.fault).collect();
        assert!(matches!(&faults[..], [ListedFault::Io(error)] if is_no_file(error)), "{faults:?}");
        let written = write_manifest(directory.path()).unwrap_err();
        assert!(matches!(&written, ManifestError::Io { error, .. } if is_no_file(error)), "{written}");
        if path.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
        fs::rename(&aside, &path).unwrap();

        fs::rename(&manifest, &listed).unwrap();
        put(&manifest);
        let error = check_manifest(directory.path()).unwrap_err();
        assert!(matches!(&error, ManifestError::Io { error, .. } if is_no_file(error)), "{error}");
        if manifest.is_dir() { fs::remove_dir(&manifest) } else { fs::remove_file(&manifest) }.unwrap();
        fs::rename(&listed, &manifest).unwrap();
    }
}
