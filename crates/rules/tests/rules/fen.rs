//! Positions as text: what is written, all that is read, and what is refused and how.

use bolshak_rules::{Color, FenError, FenWarning, Position, PositionError, Square, SquareError, Squares};
use proptest::prelude::*;

use crate::positions::{cases, positions};

const FEN: &str = "W:WKa1,c3:Bb6,Kh8";

fn read(text: &str) -> String {
    let parsed = Position::from_fen(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(parsed.warnings, [], "{text}");
    parsed.position.to_fen()
}

fn refused(text: &str) -> FenError {
    Position::from_fen(text).expect_err(text)
}

/// The numbers of GameType 25 files, written down rank by rank from the top.
const NUMBERED: [&str; 32] = [
    "b8", "d8", "f8", "h8", "a7", "c7", "e7", "g7", "b6", "d6", "f6", "h6", "a5", "c5", "e5", "g5", "b4", "d4", "f4",
    "h4", "a3", "c3", "e3", "g3", "b2", "d2", "f2", "h2", "a1", "c1", "e1", "g1",
];

fn in_numbers(fen: &str) -> String {
    NUMBERED.iter().enumerate().fold(fen.to_owned(), |fen, (index, name)| fen.replace(name, &(index + 1).to_string()))
}

proptest! {
    #![proptest_config(cases(5000))]

    #[test]
    fn every_position_is_read_back_from_every_form(position in positions(), plies in 0..500_u32, move_number in 1..300_u32) {
        let fen = position.to_fen();
        prop_assert_eq!(read(&fen), fen.clone());
        let parts: Vec<&str> = fen.split(':').collect();
        let [turn, white, black] = parts[..] else { panic!("{fen} has three parts") };
        let spaced = fen.replace(',', " , ").replace(':', " : ");
        for text in [
            format!("{turn}:{black}:{white}"),
            format!("{fen}."),
            format!("{fen}:H0:F{move_number}"),
            format!("{fen}:F{move_number}."),
            format!("  {spaced}\n"),
            in_numbers(&fen),
            fen.to_uppercase(),
        ] {
            prop_assert_eq!(read(&text), fen.clone(), "{}", text);
        }
        let clocked = Position::from_fen(&format!("{fen}:H{plies}:F{move_number}")).unwrap();
        prop_assert_eq!(clocked.position, position);
        let warnings = if plies == 0 { vec![] } else { vec![FenWarning::HalfMoveClock(plies)] };
        prop_assert_eq!(clocked.warnings, warnings);
        let cyrillic = Position::from_fen(&fen.replace('a', "а").replace('c', "с").replace('e', "е")).unwrap();
        prop_assert_eq!(cyrillic.position, position);
        let odd = ['a', 'c', 'e'].iter().filter(|letter| fen.contains(**letter)).count();
        prop_assert_eq!(cyrillic.warnings.len(), odd);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in any::<String>(),
        near in "[WB]:[WBK]{0,2}[a-hA-H0-9,K.-]{0,20}:[WB][а-нa-h1-9,K-]{0,20}(:[HFK0-9.]{0,12}){0,2}",
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        for text in [text.as_str(), near.as_str(), &String::from_utf8_lossy(&bytes)] {
            if let Ok(parsed) = Position::from_fen(text) {
                prop_assert_eq!(read(&parsed.position.to_fen()), parsed.position.to_fen());
            }
        }
    }

    #[test]
    fn one_changed_character_is_read_or_refused(position in positions(), at in any::<prop::sample::Index>(), letter in any::<char>()) {
        let mut letters: Vec<char> = position.to_fen().chars().collect();
        let index = at.index(letters.len());
        letters[index] = letter;
        let text: String = letters.into_iter().collect();
        if let Ok(parsed) = Position::from_fen(&text) {
            prop_assert!(Position::new(parsed.position.side(Color::White), parsed.position.side(Color::Black), Color::White).is_ok());
        }
    }
}

#[test]
fn a_position_is_written_by_rank_from_a1() {
    let all: Vec<String> = Square::in_board_order().map(|square| square.to_string()).collect();
    assert_eq!(all[..5], ["a1", "c1", "e1", "g1", "b2"]);
    assert_eq!(all[31], "h8");
    assert!(Squares::ALL.in_board_order().eq(Square::in_board_order()));
    assert_eq!(
        Squares::MAIN_ROAD.in_board_order().map(|square| square.rank()).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6, 7]
    );
    assert_eq!(read("B:BKh8,b6:Wc3,Ka1"), "B:WKa1,c3:Bb6,Kh8");
    assert_eq!(
        Position::start().to_fen(),
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
    );
}

#[test]
fn numbers_and_ranges_are_read() {
    for (index, name) in NUMBERED.into_iter().enumerate() {
        let number = index + 1;
        assert_eq!(read(&format!("W:WK{number}:B")), format!("W:WK{name}:B"));
        assert_eq!(Square::from_number(number as u8), name.parse().ok());
    }
    assert_eq!(read("W:W21-32:B1-12"), Position::start().to_fen());
    assert_eq!(read("B:WK12-14:B1"), "B:WKa5,Kc5,Kh6:Bb8");
    assert_eq!(read("W:W31,K29-30,21 - 22:BK4."), "W:WKa1,KC1,e1,a3,c3:BKh8".replace('C', "c"));
    assert_eq!(read("W:WK5-5:B01,09"), "W:WKa7:Bb6,b8");
    assert_eq!(read("W:WKa1,22:B9,KH8"), FEN);
}

#[test]
fn one_side_may_be_empty() {
    assert_eq!(read("W:Wa1:B"), "W:Wa1:B");
    assert_eq!(read("W:B:Wa1"), "W:Wa1:B");
    assert_eq!(read("B:W:BKa1."), "B:W:BKa1");
    assert_eq!(read("B:W :BKa1:H0:F1"), "B:W:BKa1");
}

#[test]
fn cyrillic_look_alikes_are_read_with_a_warning_each() {
    let parsed = Position::from_fen("W:WКа1,с3:Вb6,Кh8:H7:F3").unwrap();
    assert_eq!(parsed.position.to_fen(), FEN);
    let letters = ['К', 'а', 'с', 'В'].map(FenWarning::CyrillicLetter);
    assert_eq!(parsed.warnings[..4], letters);
    assert_eq!(parsed.warnings[4..], [FenWarning::HalfMoveClock(7)]);
    assert_eq!(parsed.warnings[1].to_string(), "Cyrillic 'а' was read as the Latin letter");
    assert_eq!(
        parsed.warnings[4].to_string(),
        "the half-move clock H7 sets no counter; give ratio, kings and road to count from them"
    );
    // A clock is taken as it stands, and only a clock above 0 is worth a warning.
    let warnings = |text: &str| Position::from_fen(text).unwrap().warnings;
    assert_eq!(warnings("W:WKa1:BKh8:H100000:F1"), [FenWarning::HalfMoveClock(100_000)]);
    assert_eq!(warnings("W:WKa1:BKh8:H0:F100000"), []);
}

#[test]
fn what_is_wrong_is_named() {
    for (text, message) in [
        ("", "the side to move must be W or B, not ''"),
        ("X:Wa1:Bh8", "the side to move must be W or B, not 'X'"),
        ("w:Wa1:Bh8", "the side to move must be W or B, not 'w'"),
        ("WB:Wa1:Bh8", "the side to move must be W or B, not 'WB'"),
        ("W", "the list of white pieces is missing (an empty side is written 'W')"),
        ("W:Wa1", "the list of black pieces is missing (an empty side is written 'B')"),
        ("W:Wa1:", "a list of pieces must begin with W or B: ''"),
        ("W:a1:Bh8", "a list of pieces must begin with W or B: 'a1'"),
        ("W:Wa1:H0:Bh8", "a list of pieces must begin with W or B: 'H0'"),
        ("W:Wa1:Wc1:Bh8", "the list of white pieces is given twice"),
        ("W:Wa1:Bb6:Bc7", "the list of black pieces is given twice"),
        ("W:Wa2:Bb6", "in 'a2': 'a2' is a light square"),
        ("W:WKi9:Bb6", "in 'Ki9': 'i9' is not a square of the board"),
        ("W:Wa9:Bb6", "in 'a9': 'a9' is not a square of the board"),
        ("W:Wka1:Bb6", "in 'ka1': 'ka1' is not a square of the board"),
        ("W:Wa1,a1:Bb6", "two pieces stand on a1"),
        ("W:Wa1,Ka1:Bb6", "two pieces stand on a1"),
        ("W:Wa1:BKa1", "two pieces stand on a1"),
        ("W:W29,a1:Bb6", "two pieces stand on a1"),
        ("W:W21-25,25-28:Bb6", "two pieces stand on b2"),
        ("W:Wh8:Bb6", "a white man stands on its promotion rank, on h8"),
        ("W:Wa1:Bg1", "a black man stands on its promotion rank, on g1"),
        ("W:W33:Bb6", "in '33': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:W0:Bb6", "in '0': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:WK30-33:Bb6", "in 'K30-33': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:W300:Bb6", "in '300': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:W5-:Bb6", "in '5-': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:W5-+9:Bb6", "in '5-+9': square numbers go from 1 (b8) to 32 (g1)"),
        ("W:W32-21:Bb6", "in '32-21': a range goes from the lower number to the higher"),
        ("W:Wa1,:Bb6", "the list of white pieces has an empty item"),
        ("W:Wa1:Bb6,,c7", "the list of black pieces has an empty item"),
        ("W:WK:Bb6", "the list of white pieces has an empty item"),
        ("W:WK20-32:Bb6", "White has 13 pieces; 12 is the most"),
        ("W:WKa1:BK1-13", "Black has 13 pieces; 12 is the most"),
        ("W:W:B", "the board is empty"),
        ("W:Wa1:Bb6:Hx", "'Hx' is neither a list of pieces nor a clock such as H0 or F1"),
        ("W:Wa1:Bb6:H-1", "'H-1' is neither a list of pieces nor a clock such as H0 or F1"),
        ("W:Wa1:Bb6:H", "'H' is neither a list of pieces nor a clock such as H0 or F1"),
        ("W:Wa1:Bb6..", "in 'b6.': 'b6.' is not a square of the board"),
    ] {
        assert_eq!(refused(text).to_string(), message, "{text}");
    }
    let light = FenError::Square { item: "Kb1".to_owned(), error: SquareError::Light("b1".to_owned()) };
    assert_eq!(refused("W:WKb1:Bb6"), light);
    let thirteen = PositionError::TooManyPieces { color: Color::White, count: 13 };
    assert_eq!(refused("W:WK20-32:Bb6"), FenError::Position(thirteen));
}
