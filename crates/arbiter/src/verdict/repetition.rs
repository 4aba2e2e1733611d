//! Repetition: occurrences of positions (1.9.1.7), and equal blocks of one side's moves (classic code, article 19).

use std::collections::HashMap;

use bolshak_rules::{Color, Kind, Move, Position, Square, Squares};

use crate::pdn::Record;

/// How many times each position of a game had stood by then with the same side to move, itself included; the start
/// position is the first occurrence of itself.
pub(crate) fn occurrences(positions: &[Position], record: &Record) -> Vec<u32> {
    let mut seen: HashMap<Position, u32> = HashMap::new();
    positions
        .iter()
        .enumerate()
        .map(|(ply, position)| {
            let irreversible = ply
                .checked_sub(1)
                .and_then(|before| record.moves.get(before))
                .is_some_and(|played| played.mv.kind == Kind::Man || played.mv.is_capture());
            if irreversible {
                seen.clear();
            }
            let count = seen.entry(*position).or_insert(0);
            *count += 1;
            *count
        })
        .collect()
}

/// The plies up to this one after which its position stood.
pub(crate) fn occurrence_plies(positions: &[Position], ply: usize) -> Vec<usize> {
    (0..=ply).filter(|&earlier| positions[earlier] == positions[ply]).collect()
}

/// Equal blocks that one side's last moves are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EqualBlocks {
    /// The side that made the moves; the other may declare a draw.
    pub(crate) side: Color,
    /// The length of a block in own moves.
    pub(crate) own_moves: usize,
}

/// After each ply, the shortest equal blocks that the last moves of the side that just moved are made of.
pub(crate) fn equal_blocks(record: &Record, blocks: usize, min_moves: usize) -> Vec<Option<EqualBlocks>> {
    let mut sides = [(); 2].map(|()| OwnMoves::default());
    let mut side = record.first_to_move();
    let mut found = vec![None];
    for played in &record.moves {
        let own_moves = sides[side as usize].push(played.mv, blocks, min_moves);
        found.push(own_moves.map(|own_moves| EqualBlocks { side, own_moves }));
        side = side.opponent();
    }
    found
}

/// What makes two moves of a game the same: where they start and end, what they capture and what they end as. A man that
/// becomes a king therefore makes the same move as a king on the same squares.
type SameMove = (Square, Square, Squares, Kind);

/// The moves of one side. `runs[p]` is the number of its last moves that each equal the move `p` own moves earlier.
#[derive(Default)]
struct OwnMoves {
    moves: Vec<SameMove>,
    runs: Vec<usize>,
}

impl OwnMoves {
    fn push(&mut self, mv: Move, blocks: usize, min_moves: usize) -> Option<usize> {
        let mv = (mv.from, mv.to, mv.captured, mv.ends_as);
        self.moves.push(mv);
        self.runs.push(0);
        let last = self.moves.len() - 1;
        let mut shortest = None;
        for period in min_moves.max(1)..=last {
            let run = if self.moves[last - period] == mv { self.runs[period] + 1 } else { 0 };
            self.runs[period] = run;
            if shortest.is_none() && run >= (blocks - 1) * period {
                shortest = Some(period);
            }
        }
        shortest
    }
}
