//! A file whose checksums are right and whose content is not as `docs/FORMAT.md` says is refused, and so is what is no file.

use std::fs;
use std::sync::atomic::AtomicBool;

use bolshak_rules::{Position, Rules, State, Variant};
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
