//! Moves as text: unique, read back, and read in the forms that scores are written in.

use std::collections::BTreeSet;

use bolshak_rules::{NotationError, Position, Square, SquareError};
use proptest::prelude::*;

use crate::positions::{cases, positions};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap().position
}

fn ambiguous(position: &Position, text: &str) -> Vec<String> {
    match position.parse_move(text) {
        Err(NotationError::Ambiguous { candidates, .. }) => candidates,
        other => panic!("{text} should be ambiguous: {other:?}"),
    }
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn every_move_is_read_back_from_each_of_its_texts(position in positions()) {
        let moves = position.legal_moves_with_text();
        let texts: BTreeSet<&str> = moves.iter().map(|(text, _)| text.as_str()).collect();
        prop_assert_eq!(texts.len(), moves.len(), "two moves share a text in {}", position.to_fen());
        prop_assert_eq!(moves.len(), position.legal_moves().len());
        for (text, mv) in &moves {
            prop_assert_eq!(&position.move_text(mv), text);
            for written in [text.clone(), position.full_move_text(mv), text.replace(':', "x"), format!(" {} ", text.to_uppercase())] {
                prop_assert_eq!(position.parse_move(&written), Ok(*mv), "{} in {}", written, position.to_fen());
            }
            let same_ends = moves.iter().filter(|(_, other)| (other.from, other.to) == (mv.from, mv.to)).count();
            if same_ends == 1 {
                prop_assert_eq!(text.len(), 5, "{} needs no path", text);
            }
            let paths = position.capture_paths(mv);
            prop_assert_eq!(paths.is_empty(), !mv.is_capture());
            for path in paths {
                prop_assert_eq!((path.first(), path.last()), (Some(&mv.from), Some(&mv.to)));
                let written = path.iter().map(Square::to_string).collect::<Vec<_>>().join("x");
                prop_assert_eq!(position.parse_move(&written), Ok(*mv), "{} in {}", written, position.to_fen());
            }
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(position in positions(), text in any::<String>(), near in "[a-hA-H1-9:x -]{0,14}") {
        for text in [text, near] {
            if let Ok(mv) = position.parse_move(&text) {
                prop_assert!(position.legal_moves().contains(&mv));
            }
        }
    }
}

#[test]
fn the_path_is_written_only_where_both_ends_are_shared() {
    let texts = |fen: &str| position(fen).legal_moves_with_text().into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    assert_eq!(texts("W:WKc1:BKb8").first().map(String::as_str), Some("c1-a3"));
    assert_eq!(texts("W:Wa1:BKb2"), ["a1:c3"]);
    assert_eq!(texts("W:WKh4:Bg3,c5,e5,g5"), ["h4:a3", "h4:b4", "h4:f2:a7", "h4:f2:b6", "h4:f6:d4:a7", "h4:f6:d4:b6"]);
    assert_eq!(texts("W:Wh6:Bg3,g5,e7,Kg7"), ["h6:f4:h2", "h6:f8:d6:h2"]);
}

#[test]
fn partial_paths_are_read_where_one_move_fits() {
    let sharing = position("W:WKh4:Bg3,c5,e5,g5");
    assert_eq!(ambiguous(&sharing, "h4:b6").len(), 2);
    assert_eq!(ambiguous(&sharing, "h4xb6"), ambiguous(&sharing, "h4:b6"));
    assert_eq!(sharing.parse_move("h4:f2:b6").unwrap().captured.len(), 2);
    for text in ["h4:f6:d4:b6", "h4:f6:b6", "h4xd4xb6", "H4:D4:B6"] {
        assert_eq!(sharing.parse_move(text).unwrap().captured.len(), 3, "{text}");
    }
    for text in ["h4:d4:f6:b6", "h4:f6:f6:b6", "h4:e7:b6", "h4:b6:b6", "h4:h4:b6"] {
        assert!(matches!(sharing.parse_move(text), Err(NotationError::Illegal { .. })), "{text}");
    }

    // A straight capture with its landing squares written out, some of them, or none.
    let straight = position("W:Wc1:Bd2,f4,g7");
    for text in ["c1:g5", "c1:e3:g5", "C1xE3xG5", "c1Xg5"] {
        assert!(straight.parse_move(text).is_ok(), "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_move_is_named() {
    let refused = |fen: &str, text: &str| position(fen).parse_move(text).unwrap_err().to_string();
    let start = Position::start().to_fen();
    for text in ["", "e3", "e3-", "-", "e3f4", "e3-f4-g5", "hello", "0-0", "e3-f4!"] {
        let error = Position::start().parse_move(text).unwrap_err();
        assert!(matches!(error, NotationError::Malformed(_)), "{text}: {error:?}");
    }
    assert_eq!(refused(&start, "e3f4"), "'e3f4' is not a move: write e3-f4, e3:g5 or e3:g5:e7");
    assert_eq!(refused(&start, "e3-e4"), "in move 'e3-e4': 'e4' is a light square");
    assert_eq!(refused(&start, "e3-i4"), "in move 'e3-i4': 'i4' is not a square of the board");
    let error = position(&start).parse_move("e3-e9").unwrap_err();
    assert!(matches!(error, NotationError::Square { error: SquareError::OffBoard(_), .. }));
    assert_eq!(refused(&start, "e3-g5"), "'e3-g5' is not legal here; legal: a3-b4 c3-b4 c3-d4 e3-d4 e3-f4 g3-f4 g3-h4");
    // A capture is not written as a quiet move, nor the other way round.
    assert_eq!(refused("W:Wa1:BKb2", "a1-c3"), "'a1-c3' is not legal here; legal: a1:c3");
    assert_eq!(
        refused("W:WKa1:BKh6", "a1:b2"),
        "'a1:b2' is not legal here; legal: a1-b2 a1-c3 a1-d4 a1-e5 a1-f6 a1-g7 a1-h8"
    );
    assert_eq!(refused("B:Wb2,c3,Kh2:BKa1", "a1-b2"), "'a1-b2' is not legal here; there is no legal move");
    assert_eq!(refused("W:WKh4:Bg3,c5,e5,g5", "h4:b6"), "'h4:b6' can be read as h4:f2:b6 or h4:f6:d4:b6");
}
