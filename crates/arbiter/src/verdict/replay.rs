//! A record replayed once, with all that the rules are judged by.

use bolshak_rules::{Color, Position, Rules, State};

use super::repetition::{EqualBlocks, equal_blocks, occurrences};
use crate::pdn::Record;

/// A record with its positions, its moves as text and the occurrence count of each position.
pub(crate) struct Replay<'r> {
    pub(crate) record: &'r Record,
    /// The position at the beginning and after each ply.
    pub(crate) positions: Vec<Position>,
    /// For each position how many times it had stood by then, itself included.
    pub(crate) occurrences: Vec<u32>,
}

impl<'r> Replay<'r> {
    pub(crate) fn of(record: &'r Record) -> Replay<'r> {
        let positions = record.positions();
        let occurrences = occurrences(&positions, record);
        Replay { record, positions, occurrences }
    }

    /// The states after each ply under these rules, the one at the beginning first. A position that was set up counts as
    /// the moment its force ratio arose.
    pub(crate) fn states(&self, rules: &Rules) -> Vec<State> {
        let mut states = Vec::with_capacity(self.positions.len());
        let mut next = self.positions.first().map(|start| State::fresh(*start));
        let mut moves = self.record.moves.iter();
        while let Some(state) = next {
            states.push(state);
            next = moves.next().map(|played| rules.after(&state, &played.mv));
        }
        states
    }

    /// The last ply.
    pub(crate) fn last(&self) -> usize {
        self.record.plies()
    }

    /// The side that made this ply, which is 1-based.
    pub(crate) fn mover(&self, ply: usize) -> Color {
        let first = self.record.first_to_move();
        if ply % 2 == 1 { first } else { first.opponent() }
    }

    /// A ply, which is 1-based, as text.
    pub(crate) fn move_text(&self, ply: usize) -> String {
        self.positions[ply - 1].move_text(&self.record.moves[ply - 1].mv)
    }

    pub(crate) fn equal_blocks(&self, blocks: u32, min_moves: u32) -> Vec<Option<EqualBlocks>> {
        equal_blocks(self.record, blocks as usize, min_moves as usize)
    }
}
