//! What a solved slice has for the slices that convert into it: which side wins where.

use std::sync::Arc;

use bolshak_rules::Color;
use bolshak_tables::{Forced, Placement, Slice, SliceIndex};

use super::layout::Layout;
use super::placements::Placements;
use super::sets::rank;

/// Who wins in each position of a slice, in the layout of the side that has just moved and as it sees the board.
pub struct Decided {
    layout: Layout,
    placements: Arc<Placements>,
    /// For each placement the words of the positions that the side to move has lost, then of those that it has won.
    words: Vec<u32>,
}

/// The words of one placement.
#[derive(Clone, Copy)]
pub(super) struct DecidedPlacement<'a> {
    /// Lost for the side to move.
    pub(super) lost: &'a [u32],
    /// Won for the side to move.
    pub(super) won: &'a [u32],
}

impl Decided {
    /// The slice before anything is known of it; the reader is the side that has just moved.
    pub(super) fn new(layout: Layout, placements: Arc<Placements>) -> Decided {
        let words = vec![0; placements.all().len() * 2 * layout.words];
        Decided { layout, placements, words }
    }

    /// From values in file order, which `read` is asked for placement by placement: the number of the first position and
    /// the values to fill.
    pub fn from_values<E>(
        slice: Slice,
        placements: &PlacementCache,
        mut read: impl FnMut(u64, &mut [Forced]) -> Result<(), E>,
    ) -> Result<Decided, E> {
        let (mover, reader) = (slice.mover(), slice.opponent());
        let layout = Layout::new(reader.kings.into(), mover.kings.into());
        let mut this = Decided::new(layout, placements.get(reader.men, mover.men));
        let index = SliceIndex::new(slice);
        let mut values = vec![Forced::NOTHING; index.positions_per_placement() as usize];
        for number in 0..index.placements() {
            let start = number * index.positions_per_placement();
            read(start, &mut values)?;
            let placement = index.placement(number);
            let words = this.placement_mut(this.placements.number(placement.flipped()));
            let (lost, won) = words.split_at_mut(layout.words);
            for (rank_in_file, &value) in values.iter().enumerate().filter(|(_, value)| **value != Forced::NOTHING) {
                let seen = index.position_in(placement, rank_in_file as u64).flipped();
                let (own, opponent) = (seen.side(Color::White).kings, seen.side(Color::Black).kings);
                let (word, bit) = layout.place(rank(own), rank(opponent));
                let plane = if value.is_win() { &mut *won } else { &mut *lost };
                plane[word] |= 1 << bit;
            }
        }
        Ok(this)
    }

    /// About the memory in bytes for a slice.
    pub(super) fn memory_bytes(index: &SliceIndex) -> u64 {
        let (mover, reader) = (index.slice().mover(), index.slice().opponent());
        let layout = Layout::new(reader.kings.into(), mover.kings.into());
        index.placements() * (2 * layout.words * size_of::<u32>()) as u64
    }

    pub(super) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The words of a placement, seen by the side that has just moved.
    #[inline(always)]
    pub(super) fn placement(&self, placement: Placement) -> DecidedPlacement<'_> {
        let start = self.placements.number(placement) * 2 * self.layout.words;
        let (lost, won) = self.words[start..start + 2 * self.layout.words].split_at(self.layout.words);
        DecidedPlacement { lost, won }
    }

    fn placement_mut(&mut self, number: usize) -> &mut [u32] {
        &mut self.words[number * 2 * self.layout.words..][..2 * self.layout.words]
    }

    /// The words of a range of placements, each with what is lost before what is won.
    pub(super) fn range_mut(&mut self, range: std::ops::Range<usize>) -> std::slice::ChunksMut<'_, u32> {
        let size = 2 * self.layout.words;
        self.words[range.start * size..range.end * size].chunks_mut(size)
    }
}

/// The placements for each number of men, made once.
#[derive(Default)]
pub struct PlacementCache(std::sync::Mutex<std::collections::HashMap<(u8, u8), Arc<Placements>>>);

impl PlacementCache {
    pub(super) fn get(&self, white: u8, black: u8) -> Arc<Placements> {
        let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(known.entry((white, black)).or_insert_with(|| Arc::new(Placements::new(white, black))))
    }
}
