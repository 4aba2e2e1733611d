//! A pair part by part. A part has the codes of its own placements only; what quiet man moves read of the level before is
//! turned out of that level's parts again.

use std::collections::BTreeMap;

use super::*;
use crate::part::{CodesOf, Part, PartCodes, PartRange};

/// What of a pair does not depend on rules.
struct Shape {
    sides: [Side; 2],
    /// One if both sides have the same pieces.
    slices: usize,
}

impl Shape {
    fn new(pair: Pair, placements: &PlacementCache) -> Shape {
        let sides =
            [pair.first(), pair.first().partner()].map(|slice| Side::without_children(slice, false, placements));
        Shape { sides, slices: pair.slices().count() }
    }
}

/// Solves a part; `case_of_set` tells for each set of rules which case it is, and `before` are the parts of the level
/// before.
pub(in crate::setwise) fn solve_part<I: Isa>(
    problem: &Problem<'_, I>,
    case_of_set: &[usize],
    part: &PartRange,
    before: Vec<Part>,
) -> Result<Part, SolveError> {
    let levels: Vec<Range<usize>> = problem.sides()[0].placements.levels().collect();
    let level = levels.get(part.level).ok_or_else(|| SolveError::Part(part.clone()))?;
    let parts = LevelParts::new(before, part.level.checked_sub(1), case_of_set.len())?;
    let previous = part.level.checked_sub(1).map_or(0..0, |before| levels[before].clone());
    let narrow = match &parts {
        LevelParts::Narrow(parts) => {
            let done = problem.level_of(&previous, parts, case_of_set)?;
            match problem.solve_range(level, part, &done)? {
                Ok(codes) => Ok(PartCodes::Narrow(in_sets(codes, case_of_set))),
                Err(TooLong) => Err(done.widen()),
            }
        }
        LevelParts::Wide(parts) => Err(problem.level_of(&previous, parts, case_of_set)?),
    };
    let codes = match narrow {
        Ok(codes) => codes,
        Err(done) => {
            let codes = problem.solve_range(level, part, &done)?.map_err(|TooLong| SolveError::TooLong)?;
            PartCodes::Wide(in_sets(codes, case_of_set))
        }
    };
    Ok(Part { range: part.clone(), codes })
}

/// Puts the parts of a pair together; `next` gives those of each level in turn.
pub(in crate::setwise) fn merge(
    pair: Pair,
    sets: usize,
    placements: &PlacementCache,
    next: &mut dyn FnMut(usize) -> Result<Vec<Part>, SolveError>,
) -> Result<Vec<Solution>, SolveError> {
    let shape = Shape::new(pair, placements);
    let mut solutions: Vec<Solution> = pair.slices().map(Solution::new).collect();
    for (number, level) in shape.sides[0].placements.levels().enumerate() {
        match LevelParts::new(next(number)?, Some(number), sets)? {
            LevelParts::Narrow(parts) => shape.enter(&level, &parts, sets, &mut solutions)?,
            LevelParts::Wide(parts) => shape.enter(&level, &parts, sets, &mut solutions)?,
        }
    }
    Ok(solutions)
}

/// About the memory in bytes for a part of so many positions.
pub(in crate::setwise) fn part_memory_bytes(pair: Pair, sets: usize, positions: u64) -> u64 {
    let of_slice = |slice: Slice| {
        let index = SliceIndex::new(slice);
        let reader = slice.partner();
        let layout = Layout::new(reader.mover().kings.into(), reader.opponent().kings.into());
        let level = index.levels().map(|level| level.end - level.start).max().unwrap_or(0);
        let threads = rayon::current_num_threads() as u64;
        level * (read_cells(&layout) as u64 + index.positions_per_placement())
            + threads * WORKER_COPIES * layout.cells() as u64
    };
    (positions + pair.slices().map(of_slice).sum::<u64>()) * (1 + sets as u64)
}

/// The parts of a level, all as wide as the widest.
enum LevelParts {
    Narrow(Vec<(PartRange, CodesOf<u8>)>),
    Wide(Vec<(PartRange, CodesOf<u16>)>),
}

impl LevelParts {
    /// Refuses parts of another level or of another number of sets.
    fn new(parts: Vec<Part>, level: Option<usize>, sets: usize) -> Result<LevelParts, SolveError> {
        let of_level = |part: &Part| {
            let changed = match &part.codes {
                PartCodes::Narrow(codes) => codes.changed.len(),
                PartCodes::Wide(codes) => codes.changed.len(),
            };
            Some(part.range.level) == level && changed == sets
        };
        if let Some(part) = parts.iter().find(|part| !of_level(part)) {
            return Err(SolveError::Part(part.range.clone()));
        }
        let is_wide = parts.iter().any(|part| matches!(part.codes, PartCodes::Wide(_)));
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        for Part { range, codes } in parts {
            match codes {
                PartCodes::Narrow(codes) if is_wide => wide.push((range, codes.widen())),
                PartCodes::Narrow(codes) => narrow.push((range, codes)),
                PartCodes::Wide(codes) => wide.push((range, codes)),
            }
        }
        Ok(if is_wide { LevelParts::Wide(wide) } else { LevelParts::Narrow(narrow) })
    }
}

/// The codes of a task: without draw rules, and by set of rules where they are other.
struct Codes<'a, C> {
    places: &'a Places,
    base: &'a [C],
    changed: Vec<Option<&'a [C]>>,
}

/// Splits parts that must cover a level, in order, into tasks; `cells` tells how many codes each has.
fn split<'a, C>(
    all: &'a [Places],
    parts: &'a [(PartRange, CodesOf<C>)],
    cells: impl Fn(&Places) -> usize,
) -> Result<Vec<Codes<'a, C>>, SolveError> {
    let mut tasks = Vec::with_capacity(all.len());
    for (range, codes) in parts {
        let wrong = || SolveError::Part(range.clone());
        let mut rest = &codes.base[..];
        if range.tasks.0 != tasks.len() {
            return Err(wrong());
        }
        for (number, places) in range.range().zip(all.get(range.range()).ok_or_else(wrong)?) {
            let (base, later) = rest.split_at_checked(cells(places)).ok_or_else(wrong)?;
            rest = later;
            let changed: Vec<Option<&[C]>> =
                codes.changed.iter().map(|tasks| tasks.get(&number).map(|codes| &codes[..])).collect();
            if changed.iter().flatten().any(|codes| codes.len() != base.len()) {
                return Err(wrong());
            }
            tasks.push(Codes { places, base, changed });
        }
        if !rest.is_empty() {
            return Err(wrong());
        }
    }
    if tasks.len() != all.len() {
        let level = parts.first().map_or(0, |(range, _)| range.level);
        return Err(SolveError::Part(PartRange { level, tasks: (tasks.len(), all.len()) }));
    }
    Ok(tasks)
}

/// By set of rules what is by case.
fn in_sets<C: Clone>(mut codes: CodesOf<C>, case_of_set: &[usize]) -> CodesOf<C> {
    let of_case = |case: &usize| case.checked_sub(1).map_or_else(BTreeMap::new, |case| codes.changed[case].clone());
    codes.changed = case_of_set.iter().map(of_case).collect();
    codes
}

impl Shape {
    /// Adds a level to what is known.
    fn enter<C: Cell>(
        &self,
        level: &Range<usize>,
        parts: &[(PartRange, CodesOf<C>)],
        sets: usize,
        solutions: &mut [Solution],
    ) -> Result<(), SolveError>
    where
        crate::solution::Codes: From<Vec<C>>,
    {
        let all: Vec<Places> = places(&self.sides, self.slices, level);
        let sizes = |places: &Places| task_cells(&self.sides, self.slices, places);
        let empty = |side: &Side| vec![C::NONE; level.len() * side.positions_per_placement];
        let mut base: Vec<Vec<C>> = self.sides[..self.slices].iter().map(empty).collect();
        let mut changed: Vec<Vec<Option<Vec<C>>>> = vec![vec![None; sets]; self.slices];
        let tasks = split(&all, parts, |places| sizes(places).iter().sum())?;
        let each_side = |places: &Places, codes: &[C], enter: &mut dyn FnMut(usize, usize, &[C])| {
            let [first, second] = sizes(places);
            for (side, codes) in [&codes[..first], &codes[first..first + second]].into_iter().enumerate() {
                if !codes.is_empty() {
                    enter(side.min(self.slices - 1), places.by_side[side] * codes.len(), codes);
                }
            }
        };
        for task in &tasks {
            each_side(task.places, task.base, &mut |slice, start, codes| {
                base[slice][start..start + codes.len()].copy_from_slice(codes);
            });
        }
        for task in &tasks {
            for (set, codes) in task.changed.iter().enumerate() {
                let Some(codes) = codes else { continue };
                each_side(task.places, codes, &mut |slice, start, codes| {
                    let all = changed[slice][set].get_or_insert_with(|| base[slice].clone());
                    all[start..start + codes.len()].copy_from_slice(codes);
                });
            }
        }
        for ((solution, base), changed) in solutions.iter_mut().zip(base).zip(changed) {
            let changed = changed.into_iter().map(|codes| codes.map(|codes| Arc::new(codes.into()))).collect();
            solution.push(base.into(), changed);
        }
        Ok(())
    }
}

impl<I: Isa> Problem<'_, I> {
    /// What quiet man moves read of a level that has been solved in parts.
    fn level_of<C: Cell>(
        &self,
        level: &Range<usize>,
        parts: &[(PartRange, CodesOf<C>)],
        case_of_set: &[usize],
    ) -> Result<Level<C>, SolveError> {
        let (sides, slices) = (self.sides(), self.slices);
        let mut done = self.room_for(level);
        let all: Vec<Places> = places(sides, slices, level);
        let tasks = split(&all, parts, |places| task_cells(sides, slices, places).iter().sum())?;
        let mut rooms: Vec<Vec<Option<&mut [C]>>> = done
            .base
            .iter_mut()
            .zip(sides)
            .map(|(codes, side)| codes.chunks_mut(read_cells(&side.layout)).map(Some).collect())
            .collect();
        let tasks: Vec<_> = tasks
            .into_iter()
            .map(|task| {
                let [first, second] = task.places.by_side;
                let rooms = [rooms[0][first].take(), rooms[slices - 1][second].take()];
                (task, rooms)
            })
            .collect();
        let set_of_case = |case: usize| case_of_set.iter().position(|&other| other == case);
        let workers = Workers::new();
        let changed: Vec<(usize, usize, usize, Box<[C]>)> = tasks
            .into_par_iter()
            .map(|(task, mut rooms)| {
                let worker = workers.get_or(|| RefCell::new(self.worker()));
                let worker = &mut *worker.borrow_mut();
                self.turn(worker, task.places, task.base, |side, codes| {
                    if let Some(room) = &mut rooms[side] {
                        room.copy_from_slice(codes);
                    }
                });
                let mut changed = Vec::new();
                for case in 1..self.cases.len() {
                    if let Some(codes) = set_of_case(case).and_then(|set| task.changed[set]) {
                        self.turn(worker, task.places, codes, |side, codes| {
                            changed.push((case - 1, side.min(slices - 1), task.places.by_side[side], Box::from(codes)));
                        });
                    }
                }
                changed
            })
            .flatten_iter()
            .collect();
        for (case, reader, place, codes) in changed {
            done.changed[case][reader].insert(place, codes);
        }
        Ok(done)
    }

    /// Turns the board of a task's codes: gives each side what it reads of the other.
    fn turn<C: Cell>(&self, worker: &mut Worker<C>, places: &Places, codes: &[C], mut give: impl FnMut(usize, &[C])) {
        let (first, second) = codes.split_at(self.sides()[0].positions_per_placement);
        // Where both sides' positions are the same, each reads what the other does.
        let reader = if second.is_empty() { 0 } else { 1 };
        if self.men_only {
            first.iter().for_each(|code| give(reader, &[code.without_capture()]));
            second.iter().for_each(|code| give(0, &[code.without_capture()]));
            return;
        }
        let [one, other] = self.boards(0, places.placement);
        let cells = self.sides().each_ref().map(|side| read_cells(&side.layout));
        let [work, opposite] = &mut worker.works;
        work.hand_over_packed(self.isa, [&one, &other], first, opposite);
        give(reader, &opposite.opponent_codes[..cells[reader]]);
        if !second.is_empty() {
            opposite.hand_over_packed(self.isa, [&other, &one], second, work);
            give(0, &work.opponent_codes[..cells[0]]);
        }
    }

    /// Solves some of the tasks of a level; what is changed is by case.
    fn solve_range<C: Cell>(
        &self,
        level: &Range<usize>,
        part: &PartRange,
        done: &Level<C>,
    ) -> Result<Result<CodesOf<C>, TooLong>, SolveError> {
        let (sides, slices) = (self.sides(), self.slices);
        let all: Vec<Places> = places(sides, slices, level);
        let all = all.get(part.range()).ok_or_else(|| SolveError::Part(part.clone()))?;
        let sizes = |places: &Places| task_cells(sides, slices, places);
        let (base, changes) = if self.men_only {
            let Ok((found, changes)) = self.solve_men(done, all)? else { return Ok(Err(TooLong)) };
            let of_task = |(places, found): (&Places, [C; 2])| found.into_iter().zip(sizes(places));
            let codes = all.iter().zip(found).flat_map(of_task).filter(|(_, size)| *size > 0).map(|(code, _)| code);
            (codes.collect(), changes)
        } else {
            let mut base = vec![C::NONE; all.iter().flat_map(sizes).sum()];
            let mut rest = &mut base[..];
            let mut tasks = Vec::with_capacity(all.len());
            for places in all {
                let file = sizes(places).map(|size| {
                    let (now, later) = std::mem::take(&mut rest).split_at_mut(size);
                    rest = later;
                    (size > 0).then_some(now)
                });
                tasks.push(Task { placement: places.placement, places: places.by_side, read: [None, None], file });
            }
            let Ok(changes) = self.solve_tasks(done, &Workers::new(), tasks)? else { return Ok(Err(TooLong)) };
            (base, changes)
        };
        self.watch.advanced(base.len() as u64);
        let number: HashMap<usize, usize> =
            part.range().zip(all).map(|(number, places)| (places.by_side[0], number)).collect();
        let mut changed = vec![BTreeMap::new(); self.cases.len() - 1];
        for Change { case, places, file: [first, second], .. } in changes {
            let mut codes = first.into_vec();
            if slices == 2 || places[0] != places[1] {
                codes.extend_from_slice(&second);
            }
            changed[case - 1].insert(number[&places[0]], codes);
        }
        Ok(Ok(CodesOf { base, changed }))
    }
}
