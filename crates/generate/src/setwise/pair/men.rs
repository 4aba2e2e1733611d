//! Pairs without kings: one position for each placement and side, so that a level is a list of positions.
//!
//! No count applies where no king can move, and a limit on the force ratio asks for kings too: a case is other than the
//! first only by what its conversions are worth.

use super::*;

/// By side, the codes of a placement as they are in files.
pub(super) type Found<C> = [C; 2];

/// What is found of placements without limits, and what the other cases change.
pub(super) type Solved<C> = (Vec<Found<C>>, Vec<Change<C>>);

impl<I: Isa> Problem<'_, I> {
    /// Solves placements whose quiet man moves lead to those that are done.
    pub(super) fn solve_men<C: Cell>(
        &self,
        done: &Level<C>,
        all: &[Places],
    ) -> Result<Result<Solved<C>, TooLong>, SolveError> {
        let solved = self.solve_men_cases(done, all);
        if self.watch.stopped() { Err(SolveError::Stopped) } else { Ok(solved) }
    }

    fn solve_men_cases<C: Cell>(&self, done: &Level<C>, all: &[Places]) -> Result<Solved<C>, TooLong> {
        let base = self.solve_men_case(0, done, all)?;
        let mut changes = Vec::new();
        for case in 1..self.cases.len() {
            let found = self.solve_men_case(case, done, all)?;
            let differ = all.iter().zip(base.iter().zip(&found)).filter(|(_, (base, found))| base != found);
            changes.extend(differ.map(|(places, (_, found))| Change {
                case,
                places: places.by_side,
                read: read_by_side(found).map(|code| Box::from([code])),
                decided: read_by_side(found).map(|code| Box::from(decided_words(code))),
                file: found.map(|code| Box::from([code])),
            }));
        }
        Ok((base, changes))
    }

    fn solve_men_case<C: Cell>(&self, case: usize, done: &Level<C>, all: &[Places]) -> Result<Vec<Found<C>>, TooLong> {
        let sides = &self.cases[case].sides;
        let too_long = AtomicBool::new(false);
        let solve = |side: usize, placement: Placement| {
            let moved = |placement| done.codes(case, side, sides[side].placements.number(placement), 1)[0];
            men_only::solve(&sides[side], placement, moved).unwrap_or_else(|| {
                too_long.store(true, Ordering::Relaxed);
                C::NOTHING
            })
        };
        let found =
            all.par_iter().map(|places| [solve(0, places.placement), solve(1, places.placement.flipped())]).collect();
        if too_long.into_inner() { Err(TooLong) } else { Ok(found) }
    }

    /// Puts what is found of a level where it belongs: what is read of it, who wins, and the files.
    pub(super) fn enter_men<C: Cell>(
        &self,
        level: &Range<usize>,
        all: &[Places],
        found: &[Found<C>],
        read: &mut [Vec<C>],
        decided: &mut [Decided],
        files: &mut [Vec<C>],
    ) {
        for (places, found) in all.iter().zip(found) {
            for (side, code) in read_by_side(found).into_iter().enumerate() {
                let (slice, place) = (side.min(self.slices - 1), places.by_side[side]);
                read[slice][place] = code;
                files[slice][place] = found[side];
                decided[slice].enter(level.start + place, &decided_words(code));
            }
        }
    }
}

/// What each side reads of the other.
fn read_by_side<C: Cell>(found: &Found<C>) -> [C; 2] {
    [found[1].without_capture(), found[0].without_capture()]
}

/// Whether the side to move has lost, and has won.
fn decided_words<C: Cell>(code: C) -> [u32; 2] {
    [u32::from(code.is_loss()), u32::from(code.is_win())]
}
