//! Solving a pair of slices: placement after placement, both sides to move together, without draw rules and then under
//! each set of limits that means something.

mod men;
mod men_only;
mod parts;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bolshak_tables::{Pair, Placement, Slice, SliceIndex};
use rayon::prelude::*;
use thread_local::ThreadLocal;

use super::board::Board;
use super::cells::Cell;
use super::counted::{Keep, Recount};
use super::decided::{Decided, OtherWords, PlacementCache};
use super::isa::Isa;
use super::layers::{TooLong, Work, quiet_man_moves, run_layers};
use super::layout::Layout;
use super::limits::Limits;
use super::side::Side;
use crate::code::Code;
use crate::count;
use crate::kings::{FinishedPlacement, PlacementKings, SliceKings};
use crate::solution::{Codes, Solution};
use crate::solver::{SolveError, Watch};

pub(super) use parts::{merge, part_memory_bytes, solve_part};

/// A slice that has been solved.
pub struct SolvedSlice {
    /// What was found; the cases but the first are its sets of rules.
    pub solution: Solution,
    /// By case, who wins where, for the slices that convert into it.
    pub decided: Vec<Arc<Decided>>,
}

/// A pair under one set of limits and what its conversions are worth there.
struct Case {
    /// The first slice's mover, and the other.
    sides: [Side; 2],
    limits: Limits,
    /// Whether conversions are worth the same as in the first case.
    same_children: bool,
}

/// A pair to be solved.
pub(super) struct Problem<'a, I> {
    isa: I,
    /// The first has no limits.
    cases: Vec<Case>,
    men_only: bool,
    /// One if both sides have the same pieces, so that what one reads is what the other reads.
    slices: usize,
    /// Longer distances are not put into bytes.
    max_byte_plies: u32,
    /// Where it is recorded how king moves left matter.
    kings: Option<KingsRecord>,
    watch: &'a dyn Watch,
}

/// How king moves left matter in one case: of placements of the level that is being solved, with their places in it.
struct KingsRecord {
    case: usize,
    of_level: Mutex<Vec<([usize; 2], [FinishedPlacement; 2])>>,
}

/// What quiet man moves find of the level of placements that they lead to, one man one rank further.
struct Level<C> {
    start: usize,
    /// By reader, the codes of all placements of the level in its layout.
    base: Vec<Vec<C>>,
    /// By case but the first and by reader, the placements that are different there.
    changed: Vec<Vec<HashMap<usize, Box<[C]>>>>,
}

impl<C: Cell> Level<C> {
    fn empty(cases: usize, readers: usize) -> Level<C> {
        let changed = (1..cases).map(|_| vec![HashMap::new(); readers]).collect();
        Level { start: 0, base: vec![Vec::new(); readers], changed }
    }

    /// The codes of a placement in a case as a side reads them, `size` of them, by the number that it has for the side.
    fn codes(&self, case: usize, side: usize, number: usize, size: usize) -> &[C] {
        let (reader, place) = (side.min(self.base.len() - 1), number - self.start);
        self.changed_codes(case, reader, place).unwrap_or_else(|| &self.base[reader][place * size..][..size])
    }

    fn changed_codes(&self, case: usize, reader: usize, place: usize) -> Option<&[C]> {
        self.changed[case.checked_sub(1)?][reader].get(&place).map(|codes| &codes[..])
    }

    /// Whether a placement is other than in the first case.
    fn is_changed(&self, case: usize, side: usize, number: usize) -> bool {
        self.changed_codes(case, side.min(self.base.len() - 1), number - self.start).is_some()
    }
}

impl Level<u8> {
    fn widen(&self) -> Level<u16> {
        let all = |codes: &[u8]| codes.iter().map(|code| code.widen()).collect::<Vec<u16>>();
        let placements = |changed: &HashMap<usize, Box<[u8]>>| {
            changed.iter().map(|(&place, codes)| (place, all(codes).into_boxed_slice())).collect()
        };
        Level {
            start: self.start,
            base: self.base.iter().map(|codes| all(codes)).collect(),
            changed: self.changed.iter().map(|readers| readers.iter().map(placements).collect()).collect(),
        }
    }
}

/// The last level in codes as wide as its distances ask for.
enum LastLevel {
    Narrow(Level<u8>),
    Wide(Level<u16>),
}

/// What a thread works with, used again from placement to placement.
struct Worker<C> {
    /// Both sides of a placement without limits.
    works: [Work<C>; 2],
    /// The same under limits.
    changed: [Work<C>; 2],
    /// Made when first needed.
    recount: Option<Recount<C>>,
}

type Workers<C> = ThreadLocal<RefCell<Worker<C>>>;

/// A placement to be solved, and where its results without limits go. Everything is by side.
struct Task<'a, C> {
    placement: Placement,
    /// The place of the placement in its level, as each side numbers them.
    places: [usize; 2],
    /// What the side reads of the other; `None` where the other side's room is the same.
    read: [Option<Read<'a, C>>; 2],
    /// The side's own positions in file order.
    file: [Option<&'a mut [C]>; 2],
}

/// Room for what one side reads of the other at a placement.
struct Read<'a, C> {
    codes: &'a mut [C],
    decided: &'a mut [u32],
}

/// A placement in its level, as each side numbers it.
struct Places {
    placement: Placement,
    by_side: [usize; 2],
}

/// What a case makes of a placement, where that is other than in the first case. Everything is by side.
struct Change<C> {
    case: usize,
    places: [usize; 2],
    read: [Box<[C]>; 2],
    decided: [Box<[u32]>; 2],
    file: [Box<[C]>; 2],
}

/// What is found of a pair, level by level.
struct Results {
    solutions: Vec<Solution>,
    /// By reader.
    decided: Vec<Decided>,
    /// By case but the first and by reader: placements that are decided otherwise.
    changed: Vec<Vec<OtherWords>>,
    /// By slice, how king moves left matter, if it is recorded.
    kings: Vec<SliceKings>,
}

/// Solves a pair without limits, which must be the first case, and under limits. `child` gives the slices that its
/// conversions lead to, by case. Distances of more than `max_byte_plies` are kept in words.
pub(super) fn solve_pair<I: Isa>(
    isa: I,
    pair: Pair,
    cases: &[Limits],
    placements: &PlacementCache,
    child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
    max_byte_plies: u32,
    watch: &dyn Watch,
) -> Result<Vec<SolvedSlice>, SolveError> {
    let problem = Problem::new(isa, pair, cases, placements, child, max_byte_plies, watch)?;
    let results = problem.solve(pair)?;
    Ok(results.into_slices(problem.slices))
}

/// Finds how king moves left matter in the slices of a pair under some limits; the other arguments are those of
/// [`solve_pair`].
pub(super) fn solve_kings<I: Isa>(
    isa: I,
    pair: Pair,
    cases: &[Limits],
    placements: &PlacementCache,
    child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
    max_byte_plies: u32,
    watch: &dyn Watch,
) -> Result<Vec<SliceKings>, SolveError> {
    let mut problem = Problem::new(isa, pair, cases, placements, child, max_byte_plies, watch)?;
    problem.kings = Some(KingsRecord { case: cases.len() - 1, of_level: Mutex::default() });
    Ok(problem.solve(pair)?.kings)
}

impl<'a, I: Isa> Problem<'a, I> {
    /// A pair in several cases, the first of them without limits. `child` gives the slices that its conversions lead to, by
    /// case.
    pub(super) fn new(
        isa: I,
        pair: Pair,
        cases: &[Limits],
        placements: &PlacementCache,
        mut child: impl FnMut(usize, Slice) -> Result<Arc<Decided>, SolveError>,
        max_byte_plies: u32,
        watch: &'a dyn Watch,
    ) -> Result<Problem<'a, I>, SolveError> {
        let slices = [pair.first(), pair.first().partner()];
        let mut all: Vec<Case> = Vec::new();
        for (case, &limits) in cases.iter().enumerate() {
            let mut side = |slice: Slice| {
                Side::new(slice, limits.no_move_wins, placements, slice.children(), |slice| child(case, slice))
            };
            let sides = [side(slices[0])?, side(slices[1])?];
            let same_children = all
                .first()
                .is_none_or(|first| sides.iter().zip(&first.sides).all(|(one, other)| one.same_children(other)));
            all.push(Case { sides, limits, same_children });
        }
        let men_only = slices[0].men() == slices[0].pieces();
        Ok(Problem { isa, cases: all, men_only, slices: pair.slices().count(), max_byte_plies, kings: None, watch })
    }
}

impl<I: Isa> Problem<'_, I> {
    fn sides(&self) -> &[Side; 2] {
        &self.cases[0].sides
    }

    fn max_plies<C: Cell>(&self) -> u32 {
        if size_of::<C>() == 1 { self.max_byte_plies } else { C::MAX_PLIES }
    }

    fn boards(&self, case: usize, placement: Placement) -> [Board<'_>; 2] {
        let [first, second] = &self.cases[case].sides;
        [Board { side: first, placement }, Board { side: second, placement: placement.flipped() }]
    }

    fn worker<C: Cell>(&self) -> Worker<C> {
        let works = || self.sides().each_ref().map(Work::new);
        Worker { works: works(), changed: works(), recount: None }
    }

    fn solve(&self, pair: Pair) -> Result<Results, SolveError> {
        let mut results = Results {
            solutions: pair.slices().map(Solution::new).collect(),
            decided: self.sides()[..self.slices].iter().map(Decided::read_by).collect(),
            changed: (1..self.cases.len()).map(|_| vec![Vec::new(); self.slices]).collect(),
            kings: match self.kings {
                Some(_) => pair.slices().map(|slice| SliceKings::new(count::positions(slice))).collect(),
                None => Vec::new(),
            },
        };
        let (narrow, wide) = (Workers::new(), Workers::new());
        let mut last = LastLevel::Narrow(Level::empty(self.cases.len(), self.slices));
        for level in self.sides()[0].placements.levels() {
            let next = match &last {
                LastLevel::Narrow(done) => match self.solve_level(level.clone(), done, &narrow, &mut results)? {
                    Ok(next) => LastLevel::Narrow(next),
                    Err(TooLong) => {
                        let next = self.solve_level(level, &done.widen(), &wide, &mut results)?;
                        LastLevel::Wide(next.map_err(|TooLong| SolveError::TooLong)?)
                    }
                },
                LastLevel::Wide(done) => {
                    let next = self.solve_level(level, done, &wide, &mut results)?;
                    LastLevel::Wide(next.map_err(|TooLong| SolveError::TooLong)?)
                }
            };
            last = next;
        }
        Ok(results)
    }

    /// Room for what quiet man moves will read of a level.
    fn room_for<C: Cell>(&self, level: &Range<usize>) -> Level<C> {
        let mut room = Level::empty(self.cases.len(), self.slices);
        room.start = level.start;
        for (codes, side) in room.base.iter_mut().zip(self.sides()) {
            *codes = vec![C::NONE; level.len() * read_cells(&side.layout)];
        }
        room
    }

    /// Solves all placements of a level; `done` is the one before.
    fn solve_level<C: Cell>(
        &self,
        level: Range<usize>,
        done: &Level<C>,
        workers: &Workers<C>,
        results: &mut Results,
    ) -> Result<Result<Level<C>, TooLong>, SolveError>
    where
        Codes: From<Vec<C>>,
    {
        let mut next = self.room_for(&level);
        let mut files: Vec<Vec<C>> = self.sides()[..self.slices]
            .iter()
            .map(|side| vec![C::NONE; level.len() * side.positions_per_placement])
            .collect();
        let all = places(self.sides(), self.slices, &level);
        let changes = if self.men_only {
            let Ok((found, changes)) = self.solve_men(done, &all)? else { return Ok(Err(TooLong)) };
            self.enter_men(&level, &all, &found, &mut next.base, &mut results.decided, &mut files);
            changes
        } else {
            let tasks = self.tasks(&level, all, &mut next.base, &mut results.decided, &mut files);
            let Ok(changes) = self.solve_tasks(done, workers, tasks)? else { return Ok(Err(TooLong)) };
            changes
        };
        self.watch.advanced(files.iter().map(|file| file.len() as u64).sum());
        self.enter_kings(&level, &mut results.kings);
        self.enter(level, changes, &mut next, files, results);
        Ok(Ok(next))
    }

    /// Enters what has been recorded of a level.
    fn enter_kings(&self, level: &Range<usize>, kings: &mut [SliceKings]) {
        let Some(record) = &self.kings else { return };
        let of_level = std::mem::take(&mut *record.of_level.lock().unwrap_or_else(PoisonError::into_inner));
        for (places, sides) in of_level {
            for (side, found) in sides.into_iter().enumerate() {
                if side == 0 || self.slices == 2 || places[0] != places[1] {
                    let size = self.sides()[side].positions_per_placement;
                    kings[side.min(self.slices - 1)].enter((level.start + places[side]) * size, found);
                }
            }
        }
    }

    /// Solves placements whose quiet man moves lead to those that are done. Gives what the cases but the first change.
    fn solve_tasks<C: Cell>(
        &self,
        done: &Level<C>,
        workers: &Workers<C>,
        tasks: Vec<Task<'_, C>>,
    ) -> Result<Result<Vec<Change<C>>, TooLong>, SolveError> {
        let too_long = AtomicBool::new(false);
        if let Some(record) = &self.kings {
            record.of_level.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        let changes = tasks
            .into_par_iter()
            .map(|task| {
                if self.watch.stopped() || too_long.load(Ordering::Relaxed) {
                    return Vec::new();
                }
                let worker = workers.get_or(|| RefCell::new(self.worker()));
                self.solve_placement(done, &mut worker.borrow_mut(), task).unwrap_or_else(|TooLong| {
                    too_long.store(true, Ordering::Relaxed);
                    Vec::new()
                })
            })
            .flatten_iter()
            .collect();
        if self.watch.stopped() {
            return Err(SolveError::Stopped);
        }
        Ok(if too_long.load(Ordering::Relaxed) { Err(TooLong) } else { Ok(changes) })
    }

    /// Enters what has been found of a level.
    fn enter<C: Cell>(
        &self,
        level: Range<usize>,
        changes: Vec<Change<C>>,
        next: &mut Level<C>,
        files: Vec<Vec<C>>,
        results: &mut Results,
    ) where
        Codes: From<Vec<C>>,
    {
        let mut changed_files: Vec<Vec<Option<Vec<C>>>> = vec![vec![None; self.cases.len() - 1]; self.slices];
        for Change { case, places, read, decided, file } in changes {
            let set = case - 1;
            for (side, ((read, decided), file)) in read.into_iter().zip(decided).zip(file).enumerate() {
                let (slice, place) = (side.min(self.slices - 1), places[side]);
                next.changed[set][slice].insert(place, read);
                results.changed[set][slice].push((level.start + place, decided));
                let codes = changed_files[slice][set].get_or_insert_with(|| files[slice].clone());
                codes[place * file.len()..][..file.len()].copy_from_slice(&file);
            }
        }
        for ((solution, base), changed) in results.solutions.iter_mut().zip(files).zip(changed_files) {
            let changed = changed.into_iter().map(|codes| codes.map(|codes| Arc::new(codes.into()))).collect();
            solution.push(base.into(), changed);
        }
    }

    /// The placements of a level with room for their results.
    fn tasks<'a, C: Cell>(
        &self,
        level: &Range<usize>,
        all: Vec<Places>,
        read: &'a mut [Vec<C>],
        decided: &'a mut [Decided],
        files: &'a mut [Vec<C>],
    ) -> Vec<Task<'a, C>> {
        let sides = self.sides();
        let mut read: Vec<Vec<Option<Read<'a, C>>>> = read
            .iter_mut()
            .zip(decided)
            .zip(sides)
            .map(|((codes, decided), side)| {
                let codes = codes.chunks_mut(read_cells(&side.layout));
                let both = codes.zip(decided.range_mut(level.clone()));
                both.map(|(codes, decided)| Some(Read { codes, decided })).collect()
            })
            .collect();
        let mut files: Vec<Vec<Option<&'a mut [C]>>> = files
            .iter_mut()
            .zip(sides)
            .map(|(codes, side)| codes.chunks_mut(side.positions_per_placement).map(Some).collect())
            .collect();
        let last = self.slices - 1;
        let task = |Places { placement, by_side: [first, second] }: Places| Task {
            placement,
            places: [first, second],
            read: [read[0][first].take(), read[last][second].take()],
            file: [files[0][first].take(), files[last][second].take()],
        };
        all.into_iter().map(task).collect()
    }

    /// Whether all that leads out of a placement is worth the same in a case as in the first.
    fn inherits<C: Cell>(&self, case: usize, done: &Level<C>, placement: Placement) -> bool {
        self.cases[case].same_children
            && self.boards(case, placement).iter().enumerate().all(|(side, board)| {
                quiet_man_moves(board.placement)
                    .filter(|moved| !moved.promotes())
                    .all(|moved| !done.is_changed(case, side, board.side.placements.number(moved.placement())))
            })
    }

    fn solve_placement<C: Cell>(
        &self,
        done: &Level<C>,
        worker: &mut Worker<C>,
        mut task: Task<C>,
    ) -> Result<Vec<Change<C>>, TooLong> {
        self.start(0, done, task.placement, &mut worker.works);
        let longest =
            run_layers(self.isa, &self.boards(0, task.placement), &mut worker.works, u32::MAX, self.max_plies::<C>())?;
        for ((work, read), file) in worker.works.iter().zip(&mut task.read).zip(&mut task.file) {
            if let Some(Read { codes, decided }) = read {
                codes.copy_from_slice(&work.opponent_codes[..codes.len()]);
                work.decided(decided);
            }
            if let Some(file) = file {
                work.pack(self.isa, file);
            }
        }
        let mut changes = Vec::new();
        for case in 1..self.cases.len() {
            if self.solve_case(case, longest, done, worker, task.placement)? {
                changes.extend(self.change(case, worker, &task));
            }
            if let (Some(record), Some(recount)) = (&self.kings, &worker.recount)
                && record.case == case
            {
                let found = recount.steps(&worker.changed).map(PlacementKings::finish);
                record.of_level.lock().unwrap_or_else(PoisonError::into_inner).push((task.places, found));
            }
        }
        Ok(changes)
    }

    fn start<C: Cell>(&self, case: usize, done: &Level<C>, placement: Placement, works: &mut [Work<C>; 2]) {
        for (side, (work, board)) in works.iter_mut().zip(&self.boards(case, placement)).enumerate() {
            let cells = board.side.layout.cells();
            work.start(self.isa, board, |placement| {
                done.codes(case, side, board.side.placements.number(placement), cells)
            });
        }
    }

    /// Solves a placement in another case than the first, which the worker has just done and in which the longest
    /// distance is `longest`. Gives whether there is something new in the worker's changed works.
    fn solve_case<C: Cell>(
        &self,
        case: usize,
        mut longest: u32,
        done: &Level<C>,
        worker: &mut Worker<C>,
        placement: Placement,
    ) -> Result<bool, TooLong> {
        let (boards, limits) = (self.boards(case, placement), &self.cases[case].limits);
        // What takes longer than both sides' limits is of no use to either.
        let useful = match limits.plies {
            [Some(first), Some(second)] => first.max(second),
            _ => u32::MAX,
        };
        let Worker { works: base, changed, recount } = worker;
        let mut is_new = false;
        if !self.inherits(case, done, placement) {
            self.start(case, done, placement, changed);
            if changed.iter().zip(&*base).any(|(work, base)| work.best != base.best) {
                longest = run_layers(self.isa, &boards, changed, useful, self.max_plies::<C>())?;
                is_new = true;
            }
        }
        let take_over = |changed: &mut [Work<C>; 2], is_new: bool| {
            if !is_new {
                changed.iter_mut().zip(&*base).for_each(|(work, base)| work.copy_from(base));
            }
        };
        let keep = match &self.kings {
            Some(record) if record.case == case => Keep::EveryCount,
            _ => Keep::Nothing,
        };
        if let Some(count) = limits.kings_only_plies.filter(|&count| count < longest || keep == Keep::EveryCount) {
            let recount = recount.get_or_insert_with(|| Recount::new(self.sides()));
            let works = if is_new { &*changed } else { &*base };
            if keep == Keep::EveryCount || recount.may_change(self.isa, &boards, works, [count, longest, useful]) {
                take_over(changed, is_new);
                is_new = true;
                recount.sweep(self.isa, &boards, changed, [count, useful], keep)?;
                longest = u32::MAX;
            }
        }
        let limit = limits.plies.map(|plies| plies.unwrap_or(C::MAX_PLIES).min(C::MAX_PLIES));
        if longest > limit[0].min(limit[1]) {
            take_over(changed, is_new);
            is_new = true;
            let [first, second] = changed;
            first.limit(self.isa, limit[0], limit[1]);
            second.limit(self.isa, limit[1], limit[0]);
        }
        Ok(is_new)
    }

    /// What the worker's changed works have that is other than in the first case, if anything is.
    fn change<C: Cell>(&self, case: usize, worker: &Worker<C>, task: &Task<C>) -> Option<Change<C>> {
        let sides = self.sides();
        let read = [0, 1].map(|side: usize| {
            let codes = &worker.changed[side].opponent_codes;
            Box::from(&codes[..read_cells(&sides[side].layout)])
        });
        let decided = [0, 1].map(|side: usize| {
            let mut words = vec![0; 2 * sides[side].layout.words].into_boxed_slice();
            worker.changed[side].decided(&mut words);
            words
        });
        let file = [0, 1].map(|side: usize| {
            let mut codes = vec![C::NONE; sides[side].positions_per_placement].into_boxed_slice();
            worker.changed[side].pack(self.isa, &mut codes);
            codes
        });
        let differs = (0..2).any(|side| {
            let same_read = task.read[side]
                .as_ref()
                .is_none_or(|base| *base.codes == *read[side] && *base.decided == *decided[side]);
            let same_file = task.file[side].as_ref().is_none_or(|base| **base == *file[side]);
            !same_read || !same_file
        });
        differs.then_some(Change { case, places: task.places, read, decided, file })
    }
}

impl Results {
    fn into_slices(self, slices: usize) -> Vec<SolvedSlice> {
        let mut all = Vec::new();
        // What a side reads is of the other's slice.
        for (reader, base) in self.decided.into_iter().enumerate() {
            let base = Arc::new(base);
            let mut decided = vec![Arc::clone(&base)];
            for changed in &self.changed {
                let of_case = match &changed[reader] {
                    none if none.is_empty() => Arc::clone(&base),
                    placements => Arc::new(base.with_placements(placements)),
                };
                decided.push(of_case);
            }
            all.push(decided);
        }
        if slices == 2 {
            all.reverse();
        }
        self.solutions.into_iter().zip(all).map(|(solution, decided)| SolvedSlice { solution, decided }).collect()
    }
}

/// The placements of a level as they are solved: in a pair of one slice a placement and its half-turn together, and once.
fn places(sides: &[Side; 2], slices: usize, level: &Range<usize>) -> Vec<Places> {
    let start = level.start;
    let places = level.clone().into_par_iter().map(|number| {
        let placement = sides[0].placements.all()[number];
        let flipped = sides[1].placements.number(placement.flipped());
        Places { placement, by_side: [number - start, flipped - start] }
    });
    places.filter(|places| slices == 2 || places.by_side[0] <= places.by_side[1]).collect()
}

/// By side the positions of a task; none where the other side's are the same.
fn task_cells(sides: &[Side; 2], slices: usize, places: &Places) -> [usize; 2] {
    let second =
        if slices == 2 || places.by_side[0] != places.by_side[1] { sides[1].positions_per_placement } else { 0 };
    [sides[0].positions_per_placement, second]
}

/// Cells for each placement of what is read after quiet man moves.
fn read_cells(layout: &Layout) -> usize {
    if layout.own_kings + layout.opponent_kings == 0 { 1 } else { layout.cells() }
}

/// About the memory in bytes that solving a pair takes with so many sets of rules that may change something, what it gives
/// out included.
pub(super) fn memory_bytes(pair: Pair, sets: usize) -> u64 {
    let of_slice = |slice: Slice| {
        let index = SliceIndex::new(slice);
        let reader = slice.partner();
        let layout = Layout::new(reader.mover().kings.into(), reader.opponent().kings.into());
        let level = index.levels().map(|level| level.end - level.start).max().unwrap_or(0);
        // Two levels, and the one that a single thread works on several times over.
        let threads = (rayon::current_num_threads() as u64).min(level);
        let codes = 2 * level + threads * WORKER_COPIES;
        codes * read_cells(&layout) as u64 + index.positions() + Decided::memory_bytes(&index)
    };
    pair.slices().map(of_slice).sum::<u64>() * (1 + sets as u64)
}

/// About the memory in bytes for recording how king moves left matter, besides that for solving.
pub(super) fn kings_memory_bytes(pair: Pair) -> u64 {
    let of_slice = |slice: Slice| {
        let reader = slice.partner();
        let layout = Layout::new(reader.mover().kings.into(), reader.opponent().kings.into());
        let threads = rayon::current_num_threads() as u64;
        // The largest of levels is held twice while it is entered.
        let level = SliceIndex::new(slice).levels().map(|level| level.end - level.start).max().unwrap_or(0);
        let cells = count::positions(slice) + level * SliceIndex::new(slice).positions_per_placement();
        cells * size_of::<u16>() as u64 + threads * KINGS_COPIES * layout.cells() as u64
    };
    // A worker has both sides also where they are one slice.
    [pair.first(), pair.first().partner()].map(of_slice).iter().sum()
}

/// How many times the codes of a placement a worker holds that records how king moves left matter.
const KINGS_COPIES: u64 = 40;

/// How many times the codes of a placement a worker holds, all its planes of bits counted as codes.
const WORKER_COPIES: u64 = 8;
