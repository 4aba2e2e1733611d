//! A file that is not as it was written gives an error that says so, or what it still has right; never a wrong value.

use std::fs;

use bolshak_rules::{Rules, Variant};
use bolshak_tables::{Kind, LookUpError, Slice, SliceIndex, Table, TableProblem, Tables};

use crate::made::{Random, kinds, tables, values};

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
fn a_file_of_any_other_length_is_damaged() {
    let (directory, tables) = tables(&["KvK"]);
    let slice: Slice = "KvK".parse().unwrap();
    let path = directory.path().join("cut");
    for kind in kinds() {
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

#[cfg(unix)]
#[test]
fn a_file_cut_short_in_use_is_noticed_where_a_page_is_read_for_the_first_time() {
    let (_directory, made) = tables(&["KKvKK"]);
    let slice: Slice = "KKvKK".parse().unwrap();
    let path = made.path(slice, &Kind::Value);
    let table = Table::open(&path, Variant::Russian, &SliceIndex::new(slice), Kind::Value).unwrap();
    assert!(table.pages() > 1);
    let length = fs::metadata(&path).unwrap().len();
    fs::File::options().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
    let error = table.read(0, &mut [0]).unwrap_err();
    assert!(matches!(error.problem, TableProblem::CutShort), "{error}");
}
