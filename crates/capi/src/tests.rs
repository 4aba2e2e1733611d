//! What the interface promises of any call.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicBool;

use bolshak_generate::ScalarSolver;
use bolshak_rules::{Position, Rules, State, Variant};
use bolshak_tables::{Query, Tables};

use crate::coverage::{bolshak_covered_slices, bolshak_missing_slices};
use crate::error::{BolshakError, BolshakStatus, call, text_field};
use crate::position::{
    BOLSHAK_FEN_CAPACITY, BolshakPosition, BolshakState, bolshak_position_from_fen, bolshak_position_to_fen,
};
use crate::probe::{
    BolshakAnswer, BolshakMove, BolshakOutcome, BolshakQuery, BolshakValue, bolshak_play, bolshak_probe,
    bolshak_probe_batch, bolshak_probe_moves, bolshak_probe_resident,
};
use crate::tables::{
    BolshakTables, bolshak_rule_set, bolshak_rule_set_name, bolshak_tables_close, bolshak_tables_open,
    bolshak_tables_reload, bolshak_version,
};

const DRAW: BolshakOutcome = BolshakOutcome { value: BolshakValue::Draw, distance_plies: -1 };

/// The only block of unsafe calls: every test passes pointers to live values of its own, or null where that is tested.
macro_rules! c {
    ($call:expr) => {
        // SAFETY: pointers are to live values of the test, with their true lengths, or null.
        unsafe { $call }
    };
}

struct Opened {
    handle: *mut BolshakTables,
    directory: tempfile::TempDir,
}

// SAFETY: the handle may be used by any thread; that is what the tests check.
unsafe impl Sync for Opened {}

impl Opened {
    /// Tables of a king against a king.
    fn new() -> Opened {
        let directory = tempfile::tempdir().unwrap();
        let tables = Tables::open(directory.path(), Variant::Russian);
        let (slices, stop) = (["KvK".parse().unwrap()], AtomicBool::new(false));
        bolshak_generate::generate(&tables, &slices, &[Rules::OFFICIAL], &ScalarSolver, &mut (), &stop).unwrap();
        let mut handle = null_mut();
        let path = CString::new(directory.path().to_str().unwrap()).unwrap();
        let status = c!(bolshak_tables_open(path.as_ptr(), c"russian".as_ptr(), &mut handle, null_mut()));
        assert_eq!(status, BolshakStatus::Ok);
        Opened { handle, directory }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        c!(bolshak_tables_close(self.handle));
    }
}

fn no_error() -> BolshakError {
    BolshakError { message: text_field("stale"), requested: text_field("stale"), missing: text_field("stale") }
}

fn read(field: &[c_char]) -> &str {
    c!(CStr::from_ptr(field.as_ptr())).to_str().unwrap()
}

fn state(fen: &str) -> BolshakState {
    BolshakState::of(&State::fresh(Position::from_fen(fen).unwrap().position))
}

#[test]
fn squares_go_by_rank() {
    let mut position = BolshakPosition::default();
    let status = c!(bolshak_position_from_fen(c"B:Wa1,g1,Kb2:BKh8".as_ptr(), &mut position, null_mut()));
    assert_eq!(status, BolshakStatus::Ok);
    let expected = BolshakPosition {
        white_men: 1 | 1 << 3,
        white_kings: 1 << 4,
        black_men: 0,
        black_kings: 1 << 31,
        black_to_move: 1,
    };
    assert_eq!(position, expected);
}

#[test]
fn positions_are_read_back() {
    for fen in ["W:WKa1,c3:Bb6,Kh8", "B:WKa1:BKh8", "W:Wa1:B"] {
        let (position, mut buffer) = (state(fen).position, [1; BOLSHAK_FEN_CAPACITY]);
        let status = c!(bolshak_position_to_fen(&position, buffer.as_mut_ptr(), buffer.len(), null_mut(), null_mut()));
        assert_eq!((status, read(&buffer)), (BolshakStatus::Ok, fen));
    }
    let start = BolshakPosition::of(&Position::start());
    assert_eq!(start.white_men, 0xfff);
    assert_eq!(start.black_men, 0xfff0_0000);
    let (mut length, mut buffer) = (0, [7; 4]);
    let status = c!(bolshak_position_to_fen(&start, buffer.as_mut_ptr(), buffer.len(), &mut length, null_mut()));
    assert_eq!((status, buffer), (BolshakStatus::BufferTooSmall, [7; 4]));
    assert!(length < BOLSHAK_FEN_CAPACITY && length > 4);
}

#[test]
fn odd_texts_are_warned_of_and_wrong_ones_refused() {
    let (mut position, mut error) = (BolshakPosition::default(), no_error());
    let cyrillic = CString::new("W:WK\u{430}1:BKh8").unwrap();
    let status = c!(bolshak_position_from_fen(cyrillic.as_ptr(), &mut position, &mut error));
    assert_eq!(status, BolshakStatus::Ok);
    assert!(read(&error.message).contains("Cyrillic"));
    assert_eq!((read(&error.requested), read(&error.missing)), ("", ""));

    for (text, reason) in
        [(c"W:WKa2:BKh8", "light"), (c"W:WKa1:BKa1", "two pieces"), (c"\xff", "UTF-8"), (c"", "W or B")]
    {
        let status = c!(bolshak_position_from_fen(text.as_ptr(), &mut position, &mut error));
        assert_eq!(status, BolshakStatus::InvalidArgument, "{text:?}");
        assert!(read(&error.message).contains(reason), "{}", read(&error.message));
    }
}

#[test]
fn answers_are_those_of_the_tables() {
    let opened = Opened::new();
    let tables = Tables::open(opened.directory.path(), Variant::Russian);
    let index = tables.index("KvK".parse().unwrap());
    for number in 0..index.positions() {
        let asked = State::fresh(index.position(number));
        let expected = tables.probe(&Rules::OFFICIAL, &asked, Query::default()).unwrap();
        let (given, mut answer) = (BolshakState::of(&asked), BolshakAnswer { outcome: DRAW, over_by: [0; 16] });
        let mut moves = [None::<BolshakMove>; 32].map(|_| std::mem::MaybeUninit::<BolshakMove>::uninit());
        let (mut count, mut outcome) = (0, DRAW);
        let first = moves.as_mut_ptr().cast();
        let status = c!(bolshak_probe_moves(
            opened.handle,
            0,
            &given,
            null(),
            &mut answer,
            first,
            moves.len(),
            &mut count,
            null_mut()
        ));
        assert_eq!((status, count), (BolshakStatus::Ok, expected.moves.len()));
        assert_eq!(answer.outcome, expected.outcome.into());
        for (made, rated) in moves.iter().zip(&expected.moves) {
            // SAFETY: so many moves were written, as was just checked.
            let made = unsafe { made.assume_init_ref() };
            assert_eq!((read(&made.text), made.outcome), (rated.text.as_str(), rated.outcome.into()));
            assert_eq!(made.after, BolshakState::of(&Rules::OFFICIAL.after(&asked, &rated.mv)));
            let (mut after, text) = (given, CString::new(rated.text.as_str()).unwrap());
            let status = c!(bolshak_play(opened.handle, 0, &given, text.as_ptr(), &mut after, null_mut()));
            assert_eq!((status, after), (BolshakStatus::Ok, made.after));
        }
        let status = c!(bolshak_probe(opened.handle, 0, &given, null(), &mut outcome, null_mut()));
        assert_eq!((status, outcome), (BolshakStatus::Ok, expected.outcome.into()));
        let status = c!(bolshak_probe_resident(opened.handle, 0, &given, null(), &mut outcome, null_mut()));
        assert_eq!((status, outcome), (BolshakStatus::Ok, expected.outcome.into()));
    }
}

#[test]
fn what_is_not_there_is_named() {
    let (opened, mut error, mut outcome) = (Opened::new(), no_error(), DRAW);
    let asked = state("W:WKa1,Kc1,Ke1:BKh6");
    let status = c!(bolshak_probe(opened.handle, 0, &asked, null(), &mut outcome, &mut error));
    assert_eq!(status, BolshakStatus::NotInTables);
    assert_eq!((read(&error.requested), read(&error.missing)), ("KKKvK", "KKKvK"));

    let asked = state("W:WKc1:BKh8");
    let status = c!(bolshak_probe_resident(opened.handle, 0, &asked, null(), &mut outcome, &mut error));
    assert_eq!(status, BolshakStatus::NotResident);

    let mut buffer = [0; 64];
    let put = buffer.as_mut_ptr();
    let status = c!(bolshak_covered_slices(opened.handle, 0, put, buffer.len(), null_mut(), &mut error));
    assert_eq!((status, read(&buffer)), (BolshakStatus::Ok, "KvK"));
    let mut length = 0;
    let (name, put) = (c"KKvK".as_ptr(), buffer.as_mut_ptr());
    let status = c!(bolshak_missing_slices(opened.handle, 0, name, put, buffer.len(), &mut length, &mut error));
    assert_eq!((status, read(&buffer), length), (BolshakStatus::Ok, "KKvK KvKK", 9));
}

#[test]
fn a_damaged_table_is_told_from_a_missing_one() {
    let (opened, mut error, mut outcome) = (Opened::new(), no_error(), DRAW);
    std::fs::write(opened.directory.path().join("russian/KvK.value"), "not a table").unwrap();
    let asked = state("W:WKc1:BKh8");
    let status = c!(bolshak_probe(opened.handle, 0, &asked, null(), &mut outcome, &mut error));
    assert_eq!(status, BolshakStatus::UnusableTable);
    assert!(read(&error.message).contains("KvK.value"), "{}", read(&error.message));
    let table = opened.directory.path().join("russian/KvK.value");
    std::fs::remove_file(table).unwrap();
    assert_eq!(c!(bolshak_tables_reload(opened.handle, null_mut())), BolshakStatus::Ok);
    let status = c!(bolshak_probe(opened.handle, 0, &asked, null(), &mut outcome, &mut error));
    assert_eq!(status, BolshakStatus::NotInTables);
}

#[test]
fn a_batch_tells_of_every_state() {
    let (opened, mut error) = (Opened::new(), no_error());
    let impossible = BolshakState { kings_plies: 1, ..state("W:WKc1:BKh8") };
    let start = BolshakState::of(&State::fresh(Position::start()));
    let states = [state("W:WKa1:BKg7"), impossible, state("W:WKa1,Kc1:BKh6"), state("W:WKc1:BKh8"), start];
    let (mut outcomes, mut statuses) = ([DRAW; 5], [BolshakStatus::Internal; 5]);
    let status = c!(bolshak_probe_batch(
        opened.handle,
        0,
        states.as_ptr(),
        5,
        null(),
        outcomes.as_mut_ptr(),
        statuses.as_mut_ptr(),
        &mut error
    ));
    assert_eq!(status, BolshakStatus::Ok);
    use BolshakStatus::{InvalidArgument, NotInTables, Ok};
    assert_eq!(statuses, [Ok, InvalidArgument, NotInTables, Ok, NotInTables]);
    assert_eq!(outcomes[0], BolshakOutcome { value: BolshakValue::Win, distance_plies: 1 });
    assert_eq!(outcomes[3], DRAW);
    assert!(read(&error.message).starts_with("state 1: "), "{}", read(&error.message));
}

#[test]
fn history_and_budget_are_regarded() {
    let (opened, mut outcome) = (Opened::new(), DRAW);
    let asked = state("W:WKa1:BKg7");
    let twice = [asked.position; 2];
    let query = BolshakQuery { history: twice.as_ptr(), history_count: 2, max_states: 0 };
    assert_eq!(c!(bolshak_probe(opened.handle, 0, &asked, &query, &mut outcome, null_mut())), BolshakStatus::Ok);
    assert_eq!(outcome, BolshakOutcome { value: BolshakValue::CursedWin, distance_plies: 1 });

    let query = BolshakQuery { history: null(), history_count: 2, max_states: 0 };
    let status = c!(bolshak_probe(opened.handle, 0, &asked, &query, &mut outcome, null_mut()));
    assert_eq!(status, BolshakStatus::InvalidArgument);
}

#[test]
fn bad_arguments_are_refused() {
    let (opened, mut error, mut outcome) = (Opened::new(), no_error(), DRAW);
    let asked = state("W:WKc1:BKh8");
    let mut refused = |tables, rule_set, state: *const BolshakState, outcome: *mut BolshakOutcome, reason: &str| {
        let status = c!(bolshak_probe(tables, rule_set, state, null(), outcome, &mut error));
        assert_eq!(status, BolshakStatus::InvalidArgument, "{reason}");
        assert!(read(&error.message).contains(reason), "{} for {reason}", read(&error.message));
    };
    let with = |change: fn(&mut BolshakState)| {
        let mut state = asked;
        change(&mut state);
        state
    };
    let tables: *const BolshakTables = opened.handle;
    refused(null(), 0, &asked, &mut outcome, "tables is a null pointer");
    refused(tables, 0, null(), &mut outcome, "state is a null pointer");
    refused(tables, 0, &asked, null_mut(), "outcome is a null pointer");
    refused(tables, 99, &asked, &mut outcome, "no rule set has the number 99");
    refused(tables, 0, &with(|state| state.position.black_to_move = 2), &mut outcome, "neither 0 nor 1");
    refused(tables, 0, &with(|state| state.position.white_men = 1 << 31), &mut outcome, "two pieces");
    refused(tables, 0, &with(|state| state.position.white_men = 1 << 30), &mut outcome, "promotion rank");
    refused(tables, 0, &with(|state| state.position.white_men = u32::MAX >> 4), &mut outcome, "two pieces");
    refused(tables, 0, &with(|state| state.road_moves = 256), &mut outcome, "road (255)");
    refused(tables, 0, &with(|state| state.kings_plies = 3), &mut outcome, "greater than ratio");

    let (mut handle, mut rule_set) = (null_mut(), 0);
    let status = c!(bolshak_tables_open(c"x".as_ptr(), c"chess".as_ptr(), &mut handle, &mut error));
    assert_eq!((status, handle.is_null()), (BolshakStatus::InvalidArgument, true));
    let status = c!(bolshak_rule_set(c"oficial".as_ptr(), &mut rule_set, &mut error));
    assert_eq!(status, BolshakStatus::InvalidArgument);
    assert!(read(&error.message).contains("known: official"));
    c!(bolshak_tables_close(null_mut()));
}

#[test]
fn rule_sets_have_numbers_without_a_gap() {
    let mut names = Vec::new();
    for number in 0.. {
        let mut buffer = [0; 64];
        match c!(bolshak_rule_set_name(number, buffer.as_mut_ptr(), buffer.len(), null_mut(), null_mut())) {
            BolshakStatus::Ok => names.push(read(&buffer).to_owned()),
            _ => break,
        }
        let (name, mut again) = (CString::new(names.last().unwrap().as_str()).unwrap(), u32::MAX);
        assert_eq!(c!(bolshak_rule_set(name.as_ptr(), &mut again, null_mut())), BolshakStatus::Ok);
        assert_eq!(again, number);
    }
    assert_eq!(names, ["official", "official-won-position", "fmjd64", "classic", "none"]);
    assert_eq!(c!(CStr::from_ptr(bolshak_version())).to_str().unwrap(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn threads_share_a_handle() {
    let opened = &Opened::new();
    let fens = ["W:WKc1:BKh8", "W:WKa1:BKg7", "B:WKa1:BKg7", "W:WKa1:BKh8"];
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..200 {
                    let (asked, mut outcome) = (state(fens[(thread + round) % 4]), DRAW);
                    let status = c!(bolshak_probe(opened.handle, 0, &asked, null(), &mut outcome, null_mut()));
                    assert_eq!(status, BolshakStatus::Ok);
                    if round % 50 == 0 {
                        c!(bolshak_tables_reload(opened.handle, null_mut()));
                    }
                }
            });
        }
    });
}

#[test]
fn a_panic_ends_at_the_boundary() {
    let mut error = no_error();
    let status = c!(call(&mut error, || panic!("on purpose")));
    assert_eq!((status, read(&error.message)), (BolshakStatus::Internal, "a fault in libbolshak"));
}

#[test]
fn long_texts_are_cut_at_a_character() {
    assert_eq!(read(&text_field::<4>("abcdef")), "abc");
    assert_eq!(read(&text_field::<4>("ab\u{434}")), "ab");
    assert_eq!(read(&text_field::<4>("")), "");
}
