//! Reading back what a finished slice has for the slices that convert into it.
//!
//! Tables tell nothing of positions in which the side to move can capture. What captures are worth is found again as it
//! was when the slice was solved.

use std::cell::RefCell;
use std::sync::Arc;

use bolshak_tables::{Forced, Slice};
use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::board::Board;
use super::decided::{Decided, PlacementCache};
use super::isa::Isa;
use super::layers::Work;
use super::side::Side;
use crate::code::Code;
use crate::solver::SolveError;

/// Positions read at once, many blocks of a table.
const POSITIONS_AT_ONCE: usize = 1 << 16;

/// Reads who wins in a slice. `child` gives the slices that its captures lead to, and `read` fills in what is forced from
/// a number on, in file order, where the side to move cannot capture.
pub(super) fn load<I: Isa>(
    isa: I,
    slice: Slice,
    no_move_wins: bool,
    placements: &PlacementCache,
    child: impl FnMut(Slice) -> Result<Arc<Decided>, SolveError>,
    read: impl Fn(u64, &mut [Forced]) -> Result<(), SolveError> + Sync,
) -> Result<Decided, SolveError> {
    let captures = slice.children().into_iter().filter(|converted| converted.pieces() < slice.pieces());
    let mover = Side::new(slice, no_move_wins, placements, captures, child)?;
    let reader = Side::without_children(slice.partner(), no_move_wins, placements);
    let mut decided = Decided::read_by(&reader);
    let all = mover.placements.all();
    let mut rooms: Vec<_> = decided.range_mut(0..all.len()).map(Some).collect();
    let tasks: Vec<_> =
        all.iter().map(|&placement| (placement, rooms[reader.placements.number(placement.flipped())].take())).collect();
    let size = mover.positions_per_placement;
    let placements_at_once = POSITIONS_AT_ONCE.div_ceil(size);
    let workers: ThreadLocal<RefCell<[Work<u8>; 2]>> = ThreadLocal::new();
    tasks.into_par_iter().chunks(placements_at_once).enumerate().try_for_each(|(number, chunk)| {
        let mut values = vec![Forced::NOTHING; chunk.len() * size];
        read((number * placements_at_once * size) as u64, &mut values)?;
        // How long it takes does not matter to who converts into it.
        let codes: Vec<u8> = values
            .iter()
            .map(|value| match value {
                value if value.is_win() => u8::win(1),
                value if value.is_loss() => u8::loss(1),
                _ => u8::NOTHING,
            })
            .collect();
        let works = workers.get_or(|| RefCell::new([Work::new(&mover), Work::new(&reader)]));
        let [work, turned] = &mut *works.borrow_mut();
        for ((placement, room), codes) in chunk.into_iter().zip(codes.chunks(size)) {
            let board = Board { side: &mover, placement };
            work.clear(isa, &board);
            work.captures(isa, &board);
            work.unpack(isa, codes);
            turned.clear(isa, &Board { side: &reader, placement: placement.flipped() });
            work.hand_over(isa, &mover.layout, turned, &reader.layout, 1);
            if let Some(words) = room {
                turned.decided(words);
            }
        }
        Ok::<(), SolveError>(())
    })?;
    Ok(decided)
}
