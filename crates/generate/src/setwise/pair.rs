//! Solving a pair of slices: placement after placement, both sides to move together.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_tables::{Pair, Placement, Slice, SliceIndex};
use rayon::prelude::*;

use super::board::Board;
use super::code;
use super::counted::Recount;
use super::decided::{Decided, PlacementCache};
use super::isa::Isa;
use super::layers::{Work, run_layers};
use super::layout::Layout;
use super::limits::Limits;
use super::men_only;
use super::side::Side;

/// A slice that has been solved.
pub struct SolvedSlice {
    /// The slice.
    pub slice: Slice,
    /// The codes of its positions in file order; see [`super::forced`].
    pub codes: Vec<u8>,
    /// Who wins where, for the slices that convert into it.
    pub decided: Arc<Decided>,
}

/// A distance was too long for the form in which the solver keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a distance is longer than {} plies", code::MAX_PLIES)]
pub struct TooLong;

/// What is kept of one slice while its pair is being solved.
struct Kept {
    /// The codes of its positions in the layout of the other side, by the other side's placements: what quiet man moves
    /// into it find.
    read_codes: Vec<u8>,
    decided: Decided,
    /// The codes in file order.
    codes: Vec<u8>,
    read_bytes: usize,
    file_bytes: usize,
}

impl Kept {
    /// Room for a slice whose positions the other side, `reader`, reads.
    fn new(slice: Slice, reader: &Side) -> Kept {
        let (read_bytes, index) = (read_bytes(&reader.layout), SliceIndex::new(slice));
        let placements = reader.placements.all().len();
        Kept {
            read_codes: vec![code::NONE; placements * read_bytes],
            decided: Decided::new(reader.layout, Arc::clone(&reader.placements)),
            codes: vec![0; index.positions() as usize],
            read_bytes,
            file_bytes: index.positions_per_placement() as usize,
        }
    }

    /// What has been read of earlier levels, and room for each placement of this one.
    fn split(&mut self, level: &Range<usize>) -> (&[u8], LevelRoom<'_>) {
        let (done, rest) = self.read_codes.split_at_mut(level.start * self.read_bytes);
        let rest = &mut rest[..level.len() * self.read_bytes];
        let file = &mut self.codes[level.start * self.file_bytes..level.end * self.file_bytes];
        let room = LevelRoom {
            read: rest.chunks_mut(self.read_bytes).zip(self.decided.range_mut(level.clone())).map(Some).collect(),
            file: file.chunks_mut(self.file_bytes).map(Some).collect(),
        };
        (done, room)
    }
}

/// Bytes for each placement of what is read after quiet man moves.
fn read_bytes(layout: &Layout) -> usize {
    if layout.own_kings + layout.opponent_kings == 0 { 1 } else { layout.bytes() }
}

/// Room for the results of one level: for what is read by the reader's placement, for the file by the mover's.
struct LevelRoom<'a> {
    read: Vec<Option<(&'a mut [u8], &'a mut [u32])>>,
    file: Vec<Option<&'a mut [u8]>>,
}

/// A placement to be solved, and where its results go.
struct Task<'a> {
    placement: Placement,
    /// By the side that is read: what the first side reads of the second, and the other way round.
    read: [Option<(&'a mut [u8], &'a mut [u32])>; 2],
    file: [Option<&'a mut [u8]>; 2],
}

/// Solves a pair. `child` gives the slices that its conversions lead to.
pub(super) fn solve_pair<I: Isa, E>(
    isa: I,
    pair: Pair,
    limits: &Limits,
    placements: &PlacementCache,
    mut child: impl FnMut(Slice) -> Result<Arc<Decided>, E>,
) -> Result<Result<Vec<SolvedSlice>, TooLong>, E> {
    let slices = [pair.first(), pair.first().partner()];
    let sides = [
        Side::new(slices[0], limits.no_move_wins, placements, &mut child)?,
        Side::new(slices[1], limits.no_move_wins, placements, &mut child)?,
    ];
    let symmetric = slices[0] == slices[1];
    // What the first side reads is of the second slice.
    let mut kept = vec![Kept::new(slices[1], &sides[0])];
    if !symmetric {
        kept.push(Kept::new(slices[0], &sides[1]));
    }
    let men_only = slices[0].men() == slices[0].pieces();
    let too_long = AtomicBool::new(false);
    for level in sides[0].placements.levels() {
        let (done, tasks) = tasks(&sides, &mut kept, &level);
        tasks.into_par_iter().for_each_init(
            || (sides.each_ref().map(Work::new), None),
            |(works, recount), task| {
                let solved = if men_only {
                    solve_men(&sides, &done, task)
                } else {
                    solve_placement(isa, &sides, limits, &done, works, recount, task)
                };
                if solved.is_err() {
                    too_long.store(true, Ordering::Relaxed);
                }
            },
        );
        if too_long.load(Ordering::Relaxed) {
            return Ok(Err(TooLong));
        }
    }
    let solved =
        |(kept, slice): (Kept, Slice)| SolvedSlice { slice, codes: kept.codes, decided: Arc::new(kept.decided) };
    Ok(Ok(kept.into_iter().zip([slices[1], slices[0]]).map(solved).collect()))
}

/// The placements of a level, with room for their results, and for each side what it reads of earlier levels.
fn tasks<'a>(sides: &[Side; 2], kept: &'a mut [Kept], level: &Range<usize>) -> ([&'a [u8]; 2], Vec<Task<'a>>) {
    let mut splits: Vec<_> = kept.iter_mut().map(|kept| kept.split(level)).collect();
    let done = [splits[0].0, splits[splits.len() - 1].0];
    let mut tasks = Vec::with_capacity(level.len());
    for number in 0..level.len() {
        let placement = sides[0].placements.all()[level.start + number];
        let flipped = sides[1].placements.number(placement.flipped()) - level.start;
        if let [(_, room)] = &mut splits[..] {
            // One slice: a placement and its half-turn are solved together, and once.
            if flipped < number {
                continue;
            }
            let file = [room.file[number].take(), room.file[flipped].take()];
            tasks.push(Task { placement, read: [room.read[number].take(), room.read[flipped].take()], file });
        } else {
            let read = [splits[0].1.read[number].take(), splits[1].1.read[flipped].take()];
            // The file of what the first side reads is the second slice's.
            let file = [splits[1].1.file[number].take(), splits[0].1.file[flipped].take()];
            tasks.push(Task { placement, read, file });
        }
    }
    (done, tasks)
}

/// Solves a placement without kings. No count applies where no king can move, and a limit on the force ratio asks for
/// kings too.
fn solve_men(sides: &[Side; 2], done: &[&[u8]; 2], task: Task) -> Result<(), TooLong> {
    let placements = [task.placement, task.placement.flipped()];
    let codes: [u8; 2] = std::array::from_fn(|number| {
        let side = &sides[number];
        men_only::solve(side, placements[number], |moved| done[number][side.placements.number(moved)])
    });
    if codes.iter().any(|&code| u32::from(code::plies(code)) >= code::MAX_PLIES) {
        return Err(TooLong);
    }
    for (number, (read, file)) in task.read.into_iter().zip(task.file).enumerate() {
        let other = codes[1 - number];
        if let Some((codes, decided)) = read {
            codes.fill(other);
            decided[0] = (other < code::NOTHING).into();
            decided[1] = (other > code::NOTHING).into();
        }
        if let Some(file) = file {
            file.fill(codes[number]);
        }
    }
    Ok(())
}

fn solve_placement<I: Isa>(
    isa: I,
    sides: &[Side; 2],
    limits: &Limits,
    done: &[&[u8]; 2],
    works: &mut [Work; 2],
    recount: &mut Option<Recount>,
    task: Task,
) -> Result<(), TooLong> {
    let boards = [
        Board { side: &sides[0], placement: task.placement },
        Board { side: &sides[1], placement: task.placement.flipped() },
    ];
    for (number, (work, board)) in works.iter_mut().zip(&boards).enumerate() {
        let bytes = board.side.layout.bytes();
        work.start(isa, board, |placement| {
            let start = board.side.placements.number(placement) * bytes;
            &done[number][start..start + bytes]
        });
    }
    // What takes longer than both sides' limits is of no use to either.
    let useful = match limits.plies {
        [Some(first), Some(second)] => first.max(second),
        _ => u32::MAX,
    };
    let mut longest = run_layers(isa, &boards, works, useful)?;
    let limit = limits.plies.map(|plies| plies.unwrap_or(code::MAX_PLIES).min(code::MAX_PLIES));
    if let Some(count) = limits.kings_only_plies.filter(|&count| count < longest) {
        recount.get_or_insert_with(|| Recount::new(sides)).recount(isa, &boards, works, [count, longest, useful])?;
        longest = u32::MAX;
    }
    if longest > limit[0].min(limit[1]) {
        let [first, second] = works;
        first.limit(isa, limit[0], limit[1]);
        second.limit(isa, limit[1], limit[0]);
    }
    for (((work, side), read), file) in works.iter().zip(sides).zip(task.read).zip(task.file) {
        let words = side.layout.words;
        if let Some((codes, decided)) = read {
            codes.copy_from_slice(&work.opponent_codes[..codes.len()]);
            decided[..words].copy_from_slice(&work.opponent_lost[..words]);
            decided[words..].copy_from_slice(&work.opponent_won[..words]);
        }
        if let Some(file) = file {
            compress(&work.codes, work.valid(), file);
        }
    }
    Ok(())
}

/// Packs the codes of true positions, whose order is that of table files.
fn compress(codes: &[u8], valid: &[u32], mut file: &mut [u8]) {
    for (codes, &bits) in codes.as_chunks::<32>().0.iter().zip(valid) {
        let mut rest = bits;
        let (now, later) = file.split_at_mut(bits.count_ones() as usize);
        for slot in now {
            *slot = codes[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        file = later;
    }
}

/// About the memory in bytes that a slice takes while its pair is being solved.
pub(super) fn memory_bytes(index: &SliceIndex) -> u64 {
    let reader = index.slice().partner();
    let layout = Layout::new(reader.mover().kings.into(), reader.opponent().kings.into());
    index.placements() * read_bytes(&layout) as u64 + index.positions() + Decided::memory_bytes(index)
}
