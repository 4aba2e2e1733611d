//! Legal moves, against published counts and hand-made positions.

use bolshak_rules::{Kind, Position, perft};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap().position
}

fn texts(fen: &str) -> Vec<String> {
    position(fen).legal_moves_with_text().into_iter().map(|(text, _)| text).collect()
}

#[test]
fn perft_from_the_start_is_as_published() {
    let counts: Vec<u64> = (0..=9).map(|depth| perft(&Position::start(), depth)).collect();
    assert_eq!(counts, [1, 7, 49, 302, 1469, 7482, 37_986, 190_146, 929_899, 4_570_586]);
}

#[test]
fn a_king_must_land_where_the_capture_goes_on() {
    // Of the squares behind c3 only e5 lets it go on, over g3.
    assert_eq!(texts("W:WKa1:Bc3,g3"), ["a1:h2"]);
    // Both pieces on one line: from each square between them it goes on.
    assert_eq!(texts("W:WKa1:BKb2,Ke5"), ["a1:f6", "a1:g7", "a1:h8"]);
    // Nothing to go on to: any square behind.
    assert_eq!(texts("W:WKa1:Bd4"), ["a1:e5", "a1:f6", "a1:g7", "a1:h8"]);
}

#[test]
fn a_captured_piece_blocks_until_the_move_is_over() {
    // The Turkish strike: with e7 off the board the new king on f8 would go on over b4.
    let position = position("W:Wd6:Bb4,e7");
    let moves = position.legal_moves_with_text();
    let [(text, mv)] = moves.as_slice() else { panic!("{moves:?}") };
    assert_eq!((text.as_str(), position.after(mv).to_fen().as_str()), ("d6:f8", "B:WKf8:Bb4"));
}

#[test]
fn a_man_that_reaches_the_far_rank_in_a_capture_goes_on_as_a_king() {
    let moves = position("W:Wf6:Be7,b6,h2").legal_moves_with_text();
    let [(text, mv)] = moves.as_slice() else { panic!("{moves:?}") };
    assert_eq!((text.as_str(), mv.kind, mv.ends_as, mv.captured.len()), ("f6:a5", Kind::Man, Kind::King, 2));
}

#[test]
fn a_man_made_king_by_a_quiet_move_captures_only_later() {
    let mv = position("W:Wa7:Bd6,h2").parse_move("a7-b8").unwrap();
    assert!(mv.is_promotion() && !mv.is_capture());
}

#[test]
fn a_man_captures_backward_and_moves_forward_only() {
    assert_eq!(texts("W:We5:Bd4"), ["e5:c3"]);
    assert_eq!(texts("W:We5:Bh8"), ["e5-d6", "e5-f6"]);
    assert_eq!(texts("B:Wa1:Be5"), ["e5-d4", "e5-f4"]);
}

#[test]
fn the_square_that_a_capture_starts_from_counts_as_empty() {
    // Once round four pieces and back, either way: one move.
    let round = position("W:Wc3:Bd4,f4,f2,d2");
    let moves = round.legal_moves();
    let [mv] = moves.as_slice() else { panic!("{moves:?}") };
    assert_eq!((mv.from, mv.to, mv.captured.len()), (mv.from, mv.from, 4));
    assert_eq!(round.after(mv).to_fen(), "B:Wc3:B");
    assert_eq!(round.capture_paths(mv).len(), 2);
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
