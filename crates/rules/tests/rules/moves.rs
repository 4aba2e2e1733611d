//! Legal moves and their notation, against published counts and hand-made positions.

use bolshak_rules::{NotationError, Position, perft};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap().position
}

fn texts(fen: &str) -> Vec<String> {
    position(fen).legal_moves_with_text().into_iter().map(|(text, _)| text).collect()
}

#[test]
fn perft_from_the_start_is_as_published() {
    let counts: Vec<u64> = (1..=8).map(|depth| perft(&Position::start(), depth)).collect();
    assert_eq!(counts, [7, 49, 302, 1469, 7482, 37986, 190_146, 929_899]);
}

#[test]
fn captures_that_share_both_ends_are_told_apart_by_their_path() {
    assert_eq!(texts("W:WKh4:Bg3,c5,e5,g5").iter().filter(|text| text.ends_with("b6")).count(), 2);
    let ends: Vec<_> = texts("W:Wh6:Bg3,g5,e7,Kg7")
        .into_iter()
        .filter(|text| text.starts_with("h6") && text.ends_with("h2"))
        .collect();
    assert_eq!(ends.len(), 2, "one ends as a man, one as a king: {ends:?}");
    for fen in ["W:WKh4:Bg3,c5,e5,g5", "W:Wh6:Bg3,g5,e7,Kg7"] {
        let position = position(fen);
        for (text, mv) in position.legal_moves_with_text() {
            assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {fen}");
        }
    }
}

#[test]
fn an_ambiguous_capture_is_named_with_its_candidates() {
    let position = position("W:WKh4:Bg3,c5,e5,g5");
    let Err(NotationError::Ambiguous { candidates, .. }) = position.parse_move("h4:b6") else {
        panic!("h4:b6 is two moves")
    };
    assert_eq!(candidates.len(), 2);
}

#[test]
fn a_king_must_land_where_the_capture_goes_on() {
    // Of the squares behind c3 only e5 lets it go on, over f4.
    assert_eq!(texts("W:WKa1:Bc3,f4"), ["a1:g3", "a1:h2"].map(String::from));
    // b2 and e5 stand on one diagonal; h8 leaves f6 and g7 to land on.
    assert_eq!(texts("W:WKa1:BKb2,Ke5,h8"), ["a1:f6", "a1:g7"].map(String::from));
}

#[test]
fn a_piece_is_jumped_once_and_blocks_until_the_move_is_over() {
    // The Turkish strike: the captured man on its way still bars the fourth jump.
    let moves = texts("W:WKe1:Bc3,c5,e7,g5,f4");
    assert!(!moves.is_empty());
    for (text, mv) in position("W:WKe1:Bc3,c5,e7,g5,f4").legal_moves_with_text() {
        assert!(mv.captured.len() <= 5, "{text}");
    }
}

#[test]
fn a_man_promoted_in_a_capture_goes_on_as_a_king() {
    let (text, mv) = position("W:Wf6:Be7,b6,h2").legal_moves_with_text().remove(0);
    assert_eq!((text.as_str(), mv.is_promotion()), ("f6:a5", true));
}

#[test]
fn a_capture_may_end_where_it_began() {
    let position = position("B:W18,19,21,22,23,25,26,27,28,32:B3,6,8,9,10,11,12,13,14,20");
    assert!(position.parse_move("h6-g5").is_ok());
}

#[test]
fn a_half_turn_with_colours_swapped_keeps_the_moves() {
    for fen in ["W:WKh4:Bg3,c5,e5,g5", "W:Wh6:Bg3,g5,e7,Kg7", "B:Wa1,Kc3,e5:Bh8,d6,Kf2"] {
        let position = position(fen);
        assert_eq!(position.flipped().flipped(), position);
        assert_eq!(position.legal_moves().len(), position.flipped().legal_moves().len());
        assert_eq!(perft(&position, 5), perft(&position.flipped(), 5));
    }
}
