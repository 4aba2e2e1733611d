//! A file that is not as it was written gives an error that says so, or what it still has right; never a wrong value.

use std::fs;
use std::sync::atomic::AtomicBool;

use bolshak_rules::{Rules, State, Variant};
use bolshak_tables::{
    Cells, Kind, LookUpError, ProbeError, Query, Slice, SliceIndex, Table, TableProblem, Tables, write_table,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::made::{Random, add_kings, draws, kinds, tables, values, with_kings_left};

const FLIPS: usize = 10_000;
const PROBES: usize = 16;

#[test]
fn ten_thousand_flipped_bits_give_no_wrong_value() {
    let slices = ["KKvK", "KvKm", "mvm", "KKvKK"];
    let (_directory, whole) = tables(&slices);
    let mut random = Random(7);
    let (mut right, mut errors) = (0, 0);
    let slices: Vec<(Slice, Vec<_>)> =
        slices.iter().map(|name| name.parse().unwrap()).map(|slice| (slice, values(&whole, slice))).collect();
    for flip in 0..FLIPS {
        let (slice, expected) = &slices[random.below(slices.len())];
        let path = whole.path(*slice, &kinds()[flip % kinds().len()]);
        let sound = fs::read(&path).unwrap();
        let mut damaged = sound.clone();
        damaged[random.below(sound.len())] ^= 1 << random.below(8);
        fs::write(&path, &damaged).unwrap();
        let tables = Tables::open(whole.directory(), Variant::Russian);
        let index = tables.index(*slice);
        for _ in 0..PROBES {
            let number = random.below(expected.len());
            match tables.fresh(&Rules::OFFICIAL, &index.position(number as u64)) {
                Ok(fresh) => {
                    assert_eq!(fresh, expected[number], "{} flipped: position {number}", path.display());
                    right += 1;
                }
                Err(error) => {
                    assert!(matches!(error, LookUpError::Table(_)), "{error}");
                    errors += 1;
                }
            }
        }
        fs::write(&path, &sound).unwrap();
    }
    println!("{FLIPS} flipped bits: {right} probes right, {errors} errors, none wrong");
    assert!(right > 0 && errors > 0);
}

#[test]
fn flipped_bits_in_a_table_of_king_moves_left_give_no_wrong_value() {
    let (_directory, whole) = tables(&["KKvm"]);
    let slice: Slice = "KKvm".parse().unwrap();
    let mut random = Random(11);
    let states: Vec<State> = (0..400)
        .map(|_| {
            let number = random.below(whole.index(slice).positions() as usize) as u64;
            with_kings_left(whole.index(slice).position(number), 1 + random.below(8) as u32)
        })
        .collect();
    let expected: Vec<_> =
        states.iter().map(|state| whole.probe_outcome(&Rules::OFFICIAL, state, Query::default()).unwrap()).collect();
    add_kings(&whole, slice);
    let path = whole.path(slice, &Kind::Kings(Rules::OFFICIAL));
    let sound = fs::read(&path).unwrap();
    let (mut right, mut errors) = (0, 0);
    for _ in 0..1000 {
        let mut damaged = sound.clone();
        damaged[random.below(sound.len())] ^= 1 << random.below(8);
        fs::write(&path, &damaged).unwrap();
        let tables = Tables::open(whole.directory(), Variant::Russian);
        for (state, expected) in states.iter().zip(&expected) {
            match tables.probe_outcome(&Rules::OFFICIAL, state, Query::default()) {
                Ok(outcome) => {
                    assert_eq!(outcome, *expected, "{}", state.position.to_fen());
                    right += 1;
                }
                Err(error) => {
                    assert!(matches!(error, ProbeError::LookUp(LookUpError::Table(_))), "{error}");
                    errors += 1;
                }
            }
        }
    }
    println!("{right} probes right, {errors} errors, none wrong");
    assert!(right > 0 && errors > 0);
}

#[test]
fn a_file_of_any_other_length_is_damaged() {
    let (directory, tables) = tables(&["Kvm"]);
    let slice: Slice = "Kvm".parse().unwrap();
    add_kings(&tables, slice);
    let path = directory.path().join("cut");
    for kind in kinds().into_iter().chain([Kind::Kings(Rules::OFFICIAL)]) {
        let sound = fs::read(tables.path(slice, &kind)).unwrap();
        for length in 0..sound.len() {
            fs::write(&path, &sound[..length]).unwrap();
            let opened = Table::open(&path, Variant::Russian, &SliceIndex::new(slice), kind);
            let Err(error) = opened else { panic!("{} cut to {length} bytes opens", kind.name()) };
            assert!(
                matches!(error.problem, TableProblem::Foreign | TableProblem::Damaged(_) | TableProblem::Io(_)),
                "{error}"
            );
        }
    }
}

#[test]
fn a_table_in_the_place_of_another_is_refused() {
    let (_directory, made) = tables(&["KKvK", "KvKm"]);
    let path = |slice: &str, kind: &Kind| made.path(slice.parse().unwrap(), kind);
    let refused = |from: std::path::PathBuf, slice: &str, kind: Kind| {
        let sound = fs::read(path(slice, &kind)).unwrap();
        fs::copy(from, path(slice, &kind)).unwrap();
        let error = Table::open(&path(slice, &kind), Variant::Russian, &SliceIndex::new(slice.parse().unwrap()), kind)
            .err()
            .unwrap();
        fs::write(path(slice, &kind), sound).unwrap();
        error.problem
    };
    let other = |problem| matches!(problem, TableProblem::Other { .. });
    assert!(other(refused(path("KvKm", &Kind::Value), "KKvK", Kind::Value)));
    assert!(other(refused(path("KKvK", &Kind::Distance), "KKvK", Kind::Value)));
    assert!(other(refused(path("KKvK", &Kind::Changes(Rules::OFFICIAL)), "KKvK", Kind::Distance)));
    let foreign = made.directory().join("foreign");
    fs::write(&foreign, "no table").unwrap();
    assert!(matches!(refused(foreign, "KKvK", Kind::Value), TableProblem::Foreign));
}

/// A page of its own table is known by its number, and one of another table by the table's name.
#[test]
fn a_page_in_the_place_of_another_is_noticed() {
    let (_directory, tables) = written("KKvKK", Kind::Distance, &|index| (index * index % 1009) as u16);
    let slice: Slice = "KKvKK".parse().unwrap();
    let path = tables.path(slice, &Kind::Distance);
    let mut file = fs::read(&path).unwrap();
    let word = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let table = word(&file, 32) as usize;
    let page_end = |file: &[u8], page: usize| word(file, table + 16 * page) as usize;
    let ends = [0, 1, 2].map(|page| page_end(&file, page));
    let pages = [&file[ends[1]..ends[2]], &file[ends[0]..ends[1]]].concat();
    file[ends[0]..ends[2]].copy_from_slice(&pages);
    let second_end = (ends[0] + ends[2] - ends[1]) as u64;
    file[table + 16..table + 24].copy_from_slice(&second_end.to_le_bytes());
    let checksums = [&file[table + 40..table + 48], &file[table + 24..table + 32]].concat();
    file[table + 24..table + 32].copy_from_slice(&checksums[..8]);
    file[table + 40..table + 48].copy_from_slice(&checksums[8..]);
    let checksum = xxh3_64(&file[table..]);
    file[48..56].copy_from_slice(&checksum.to_le_bytes());
    let checksum = xxh3_64(&file[..56]);
    file[56..64].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, file).unwrap();

    let table = tables.table(slice, &Kind::Distance).unwrap().unwrap();
    table.verify_page(0).unwrap();
    for page in [1, 2] {
        let error = table.verify_page(page).unwrap_err();
        assert!(matches!(error.problem, TableProblem::DamagedPage { page: named } if named == page), "{error}");
        assert!(error.to_string().contains("KKvKK.distance: page"), "{error}");
    }
}

/// The samples show nothing of what takes much room here, and the pages that they suggest would be too long.
#[test]
fn pages_are_made_shorter_until_none_is_too_long() {
    let noise = 1 << 13..7 << 13;
    let cell =
        |index: u64| if noise.contains(&index) { (index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as u16 } else { 0 };
    let (_directory, tables) = written("KKKvKK", Kind::Distance, &cell);
    let slice: Slice = "KKKvKK".parse().unwrap();
    let positions = tables.index(slice).positions();
    let table = tables.table(slice, &Kind::Distance).unwrap().unwrap();
    assert!(table.pages() > positions.div_ceil(1 << 18), "{}", table.pages());
    let mut cells = vec![0; positions as usize];
    table.read(0, &mut cells).unwrap();
    assert!((0..).zip(cells).all(|(index, read)| read == cell(index)));
}

/// A table with such cells, true or not.
fn written(slice: &str, kind: Kind, cell: &(dyn Fn(u64) -> u16 + Sync)) -> (tempfile::TempDir, Tables) {
    struct Made<'a>(&'a (dyn Fn(u64) -> u16 + Sync));
    impl Cells for Made<'_> {
        fn read(&self, start: u64, cells: &mut [u16]) {
            (start..).zip(cells).for_each(|(index, cell)| *cell = self.0(index));
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let tables = Tables::open(directory.path(), Variant::Russian);
    let slice: Slice = slice.parse().unwrap();
    let path = tables.path(slice, &kind);
    fs::create_dir(path.parent().unwrap()).unwrap();
    let (index, stop) = (tables.index(slice), AtomicBool::new(false));
    write_table(&path, Variant::Russian, &index, kind, &Made(cell), draws(index.positions()), &stop).unwrap();
    (directory, tables)
}

#[cfg(unix)]
#[test]
fn a_file_cut_short_in_use_is_noticed_where_a_page_is_read_for_the_first_time() {
    let (_directory, made) = tables(&["KKvKK"]);
    let slice: Slice = "KKvKK".parse().unwrap();
    let path = made.path(slice, &Kind::Value);
    let table = Table::open(&path, Variant::Russian, &SliceIndex::new(slice), Kind::Value).unwrap();
    let length = fs::metadata(&path).unwrap().len();
    fs::File::options().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
    let error = table.read(0, &mut [0]).unwrap_err();
    assert!(matches!(error.problem, TableProblem::CutShort), "{error}");
}
