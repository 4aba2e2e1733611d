//! What a solved slice has for the slices that convert into it: which side wins where.

use std::sync::Arc;

use bolshak_tables::{Placement, SliceIndex};

use super::layout::Layout;
use super::placements::Placements;
use super::side::Side;

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
    fn new(layout: Layout, placements: Arc<Placements>) -> Decided {
        let words = vec![0; placements.all().len() * 2 * layout.words];
        Decided { layout, placements, words }
    }

    /// The slice that the side reads, before anything is known of it.
    pub(super) fn read_by(reader: &Side) -> Decided {
        Decided::new(reader.layout, Arc::clone(&reader.placements))
    }

    /// The same with other words at some placements.
    pub(super) fn with_placements(&self, placements: &OtherWords) -> Decided {
        let mut words = self.words.clone();
        for (number, changed) in placements {
            words[number * changed.len()..][..changed.len()].copy_from_slice(changed);
        }
        Decided { layout: self.layout, placements: Arc::clone(&self.placements), words }
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

    /// Enters the words of a placement: what is lost, then what is won.
    pub(super) fn enter(&mut self, number: usize, words: &[u32]) {
        self.words[number * words.len()..][..words.len()].copy_from_slice(words);
    }

    /// The words of a range of placements, each with what is lost before what is won.
    pub(super) fn range_mut(&mut self, range: std::ops::Range<usize>) -> std::slice::ChunksMut<'_, u32> {
        let size = 2 * self.layout.words;
        self.words[range.start * size..range.end * size].chunks_mut(size)
    }
}

/// The words of some placements, by their number, under rules that change them.
pub(super) type OtherWords = Vec<(usize, Box<[u32]>)>;

/// The placements for each number of men, made once.
#[derive(Default)]
pub struct PlacementCache(std::sync::Mutex<std::collections::HashMap<(u8, u8), Arc<Placements>>>);

impl PlacementCache {
    pub(super) fn get(&self, white: u8, black: u8) -> Arc<Placements> {
        let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Arc::clone(known.entry((white, black)).or_insert_with(|| Arc::new(Placements::new(white, black))))
    }
}
