//! The positions that a search for the most work found: kings amid twelve enemy pieces.

use std::time::{Duration, Instant};

use bolshak_rules::{Position, Square};

/// Position, its number of moves, and the greatest number of paths of one of them.
const WORST: [(&str, usize, usize); 6] = [
    // The most moves found.
    ("W:WKa1,Kf8,Kh8:BKb2,Kd2,Kf2,Kh2,Kb4,Kf4,Kc5,Ke5,Kc7,Ke7,Kg7,Kb8", 52, 2),
    ("W:WKa1,Kh6,Kh8:BKc1,Kb2,Kd2,Kh2,Ke3,Kg3,Kb4,Ke5,Kg5,Kb6,Kd6,Kg7", 52, 2),
    // The most time spent on paths, and the most paths of one move.
    ("W:WKa1,Kb8,Kh8:BKb2,Kd2,Ka3,Ke3,Kg3,Kb4,Kc5,Ke5,Kg5,Kc7,Ke7,Kg7", 33, 6),
    ("W:WKd6:BKb2,Kd2,Kb4,Kd4,Kh4,Ke5,Kg5,Kc7,Ke7,Kg7,Kd8,Kh8", 14, 4),
    // Nine pieces that a man or a king can round in many ways.
    ("W:WKb4:Bc3,e3,g3,c5,e5,g5,c7,e7,g7", 22, 2),
    ("W:Wb4:Bc3,e3,g3,c5,e5,g5,c7,e7,g7", 12, 2),
];

#[test]
fn the_worst_positions_found_stay_small_and_quick() {
    for (fen, move_count, path_count) in WORST {
        let position = Position::from_fen(fen).unwrap().position;
        let start = Instant::now();
        let moves = position.legal_moves();
        let paths: Vec<Vec<Vec<Square>>> = moves.iter().map(|mv| position.capture_paths(mv)).collect();
        let texts = position.legal_moves_with_text();
        let taken = start.elapsed();
        assert_eq!((moves.len(), paths.iter().map(Vec::len).max().unwrap()), (move_count, path_count), "{fen}");
        assert_eq!(texts.len(), move_count, "{fen}");
        // Optimised code takes less than a millisecond for all three together.
        assert!(taken < Duration::from_millis(200), "{fen} took {taken:?}");
    }
}
