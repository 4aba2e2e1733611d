//! A record replayed once, with all that the rules are judged by.

use std::cell::OnceCell;

use bolshak_rules::{Color, Position, Rules, State};

use super::repetition::{EqualBlocks, equal_blocks, occurrences};
use crate::pdn::{Played, Record};

/// A record with its positions, its moves as text and the occurrence count of each position.
pub(crate) struct Replay<'r> {
    pub(crate) record: &'r Record,
    /// The position at the beginning and after each ply.
    pub(crate) positions: Vec<Position>,
    /// For each position how many times it had stood by then, itself included.
    pub(crate) occurrences: Vec<u32>,
    /// The moves as text, made when the first is asked for.
    texts: OnceCell<Vec<String>>,
}

impl<'r> Replay<'r> {
    pub(crate) fn of(record: &'r Record) -> Replay<'r> {
        let positions = record.positions();
        let occurrences = occurrences(&positions, record);
        Replay { record, positions, occurrences, texts: OnceCell::new() }
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
    pub(crate) fn move_text(&self, ply: usize) -> &str {
        let text = |(position, played): (&Position, &Played)| position.move_text(&played.mv);
        &self.texts.get_or_init(|| self.positions.iter().zip(&self.record.moves).map(text).collect())[ply - 1]
    }

    pub(crate) fn equal_blocks(&self, blocks: u32, min_moves: u32) -> Vec<Option<EqualBlocks>> {
        equal_blocks(self.record, blocks as usize, min_moves as usize)
    }
}
