//! Counting the leaves of the move tree, the usual check of a move generator.

use crate::position::Position;

/// How many sequences of `depth` legal moves start here (different paths of the same capture count once).
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_move_count() as u64,
        _ => position.legal_moves().iter().map(|mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
