//! Distances where moves by kings only are counted (1.9.1.6).
//!
//! Let `h[k]` of a position be the plies to the conversion when only `k` more plies may pass without a man move or a
//! capture; a fresh position has the whole count. A king move leads from `h[k]` to `h[k - 1]`, a man move to the whole
//! count of another placement. Where all distances without the count are within it, they stand. Elsewhere:
//!
//! - Along king moves `plies - k` is constant: a *diagonal*. A trial follows the diagonal `c` from `k = 0` up, taking
//!   men moves that decide within `c + 1` plies as known from `k = 1` on. If each position that is decided in `n` plies
//!   without the count is then decided with `k <= n - c` plies of kings, the count changes nothing for these `n`.
//! - Where that fails, a sweep follows all diagonals in turn with the state of every `k`, and on each only what differs
//!   from the one before.

use bolshak_tables::KingsSteps;

use super::board::Board;
use super::cells::Cell;
use super::isa::Isa;
use super::layers::{NEVER, TooLong, Work, forget_beyond, run_layers};
use super::side::Side;
use crate::code::Code;
use crate::kings::PlacementKings;

/// Diagonals between two trials. With fewer each trial is more likely to succeed.
const STRIDE: u32 = 10;

/// Room for finding counted distances at a placement.
pub(super) struct Recount<C> {
    trial: [Work<C>; 2],
    sweep: Option<[Sweep<C>; 2]>,
}

impl<C: Cell> Recount<C> {
    pub(super) fn new(sides: &[Side; 2]) -> Recount<C> {
        Recount { trial: sides.each_ref().map(Work::new), sweep: None }
    }

    /// Whether the count may change distances, the longest of which without it is `longest` plies. What takes more than
    /// `limit` plies does not matter.
    pub(super) fn may_change<I: Isa>(
        &mut self,
        isa: I,
        boards: &[Board; 2],
        works: &[Work<C>; 2],
        [count, longest, limit]: [u32; 3],
    ) -> bool {
        let mut diagonal = 0;
        while diagonal + count < longest.min(limit) {
            diagonal += STRIDE;
            if !self.trial_agrees(isa, boards, works, count, diagonal) {
                return true;
            }
        }
        false
    }

    /// Turns distances without the count into those with it. Beyond `limit` plies nothing need be known.
    pub(super) fn sweep<I: Isa>(
        &mut self,
        isa: I,
        boards: &[Board; 2],
        works: &mut [Work<C>; 2],
        [count, limit]: [u32; 2],
        keep: Keep,
    ) -> Result<(), TooLong> {
        // Another set of rules may count otherwise.
        let fits = self.sweep.take().filter(|sweeps| sweeps.iter().all(|sweep| sweep.open.len() == count as usize + 1));
        let sweep =
            self.sweep.insert(fits.unwrap_or_else(|| works.each_ref().map(|work| Sweep::new(work, count, keep))));
        run_sweep(isa, boards, works, sweep, count, limit)
    }

    /// What has been found by the last sweep, which must have kept it, for every number of plies left to kings.
    pub(super) fn steps(&self, works: &[Work<C>; 2]) -> [PlacementKings; 2] {
        let of_side = |side: usize| match &self.sweep {
            Some(sweeps) => sweeps[side].steps(&works[side]),
            None => PlacementKings::default(),
        };
        [of_side(0), of_side(1)]
    }

    /// Whether a trial on this diagonal shows that the count changes no distance of the last [`STRIDE`] that it covers.
    fn trial_agrees<I: Isa>(
        &mut self,
        isa: I,
        boards: &[Board; 2],
        works: &[Work<C>; 2],
        count: u32,
        diagonal: u32,
    ) -> bool {
        for (trial, work) in self.trial.iter_mut().zip(works) {
            trial.restart(isa, work, diagonal);
        }
        if run_layers(isa, boards, &mut self.trial, count, C::MAX_PLIES).is_err() {
            return false;
        }
        let longest = diagonal + count;
        self.trial.iter().zip(works).all(|(trial, work)| {
            trial.codes.iter().zip(&work.codes).all(|(&trial, &plain)| {
                let plies = plain.plies();
                let covered = longest - STRIDE < plies && plies <= longest;
                !covered || (C::same_side_wins(trial, plain) && trial.plies() + diagonal <= plies)
            })
        })
    }
}

/// What a sweep keeps besides the codes of the whole count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Nothing.
    Nothing,
    /// The codes for every number of plies left to kings.
    EveryCount,
}

/// What is undecided and won for one side and each number of plies left to kings.
struct Sweep<C> {
    open: Vec<Vec<u32>>,
    opponent_won: Vec<Vec<u32>>,
    events: Events,
    /// By plies left to kings, from 1 on, the codes of other counts than the whole, as far as they are not those without
    /// the count. One for all where they are not kept.
    codes: Vec<Vec<C>>,
    /// Where the codes of the positions with the other side to move go.
    unused_codes: Vec<C>,
}

/// For each unit the layers in which men moves or conversions decide something.
#[derive(Default)]
struct Events {
    /// By unit, a bit for each layer.
    words: Vec<u64>,
    words_per_unit: usize,
}

impl Events {
    /// `bests` has the best successors of each unit.
    fn new<'a, C: Cell>(bests: impl Iterator<Item = &'a [C]> + Clone) -> Events {
        let last = bests.clone().flatten().filter_map(|&best| C::event(best)).max().unwrap_or(0);
        let words_per_unit = last as usize / 64 + 1;
        let mut words = Vec::new();
        for best in bests {
            let start = words.len();
            words.resize(start + words_per_unit, 0);
            for event in best.iter().filter_map(|&best| C::event(best)) {
                words[start + event as usize / 64] |= 1 << (event % 64);
            }
        }
        Events { words, words_per_unit }
    }

    fn is_in(&self, unit: usize, layer: u32) -> bool {
        let word = layer as usize / 64;
        word < self.words_per_unit && self.words[unit * self.words_per_unit + word] >> (layer % 64) & 1 != 0
    }

    /// The last layer in which something is decided in any unit.
    fn last(&self) -> u32 {
        let last_in = |(number, word): (usize, &u64)| {
            let bit = word.checked_ilog2()?;
            Some(64 * (number % self.words_per_unit) as u32 + bit)
        };
        self.words.iter().enumerate().filter_map(last_in).max().unwrap_or(0)
    }
}

impl<C: Cell> Sweep<C> {
    fn new(work: &Work<C>, count: u32, keep: Keep) -> Sweep<C> {
        let planes = || vec![vec![0; work.open.len()]; count as usize + 1];
        let kept = match keep {
            Keep::Nothing => 1,
            Keep::EveryCount => count as usize - 1,
        };
        Sweep {
            open: planes(),
            opponent_won: planes(),
            events: Events::default(),
            codes: vec![vec![C::NONE; work.codes.len()]; kept],
            unused_codes: vec![C::NONE; work.codes.len()],
        }
    }

    /// Prepares the diagonal on which each position has as many plies in all as are left to kings, so that the count
    /// means nothing yet.
    #[inline(always)]
    fn start<I: Isa>(&mut self, isa: I, work: &mut Work<C>, count: u32) {
        let (codes, opponent_codes) = (work.codes.as_chunks().0, work.opponent_codes.as_chunks().0);
        for (left, (open, opponent_won)) in (0..).zip(self.open.iter_mut().zip(&mut self.opponent_won)) {
            for (word, &valid) in work.valid().iter().enumerate() {
                let won = C::at_least(isa, &codes[word], C::win(left));
                let not_lost = C::at_least(isa, &codes[word], C::loss(left + 1));
                open[word] = valid & !won & not_lost;
                opponent_won[word] = valid & C::at_least(isa, &opponent_codes[word], C::win(left));
            }
        }
        self.events = Events::new(work.best.chunks(work.best.len() / work.events.len()));
        if self.codes.len() > 1 {
            self.codes.iter_mut().for_each(|codes| codes.fill(C::NONE));
        }
        work.drop_arrived();
        forget_beyond(isa, &mut work.codes, count);
        forget_beyond(isa, &mut work.opponent_codes, count);
    }

    /// Puts the codes for this many plies left to kings in place, or back again.
    fn swap_codes(&mut self, work: &mut Work<C>, left: usize) {
        let place = (left - 1).min(self.codes.len() - 1);
        std::mem::swap(&mut self.codes[place], &mut work.codes);
        std::mem::swap(&mut self.unused_codes, &mut work.opponent_codes);
    }

    /// How long it takes in each position of a placement by plies left to kings.
    fn steps(&self, work: &Work<C>) -> PlacementKings {
        let whole = self.open.len() as u32 - 1;
        let mut found = PlacementKings::default();
        work.each_quiet_code(|cell, code| {
            let plies = code.filter(|code| *code != C::NOTHING).map(|code| code.plies()).filter(|plies| *plies > 1);
            let Some(plies) = plies else { return found.push_free() };
            found.push(KingsSteps::new(whole, plies, |left| match left {
                _ if left >= plies => Some(plies),
                0 => None,
                _ => Some(self.codes[left as usize - 1][cell]).filter(|code| *code != C::NONE).map(Code::plies),
            }));
        });
        found
    }
}

fn run_sweep<I: Isa, C: Cell>(
    isa: I,
    boards: &[Board; 2],
    works: &mut [Work<C>; 2],
    sweeps: &mut [Sweep<C>; 2],
    count: u32,
    limit: u32,
) -> Result<(), TooLong> {
    for (sweep, work) in sweeps.iter_mut().zip(works.iter_mut()) {
        isa.vectorize(
            #[inline(always)]
            || sweep.start(isa, work, count),
        );
    }
    let last_event = sweeps.iter().map(|sweep| sweep.events.last()).max().unwrap_or(0);
    // On diagonal c men moves come in from layer c + 1 on; where none do, nothing differs from the diagonal before.
    for diagonal in 1..last_event {
        for left in 1..=count {
            let layer = diagonal + left;
            if layer > limit {
                break;
            }
            if layer > C::MAX_PLIES {
                return Err(TooLong);
            }
            sweep_layer(isa, boards, works, sweeps, [layer, left, count]);
        }
        works.iter_mut().for_each(Work::drop_arrived);
    }
    Ok(())
}

/// Decides what is decided in `layer` plies with `left` of them left to kings.
fn sweep_layer<I: Isa, C: Cell>(
    isa: I,
    boards: &[Board; 2],
    works: &mut [Work<C>; 2],
    sweeps: &mut [Sweep<C>; 2],
    [layer, left, count]: [u32; 3],
) {
    let place = left as usize;
    for ((sweep, work), board) in sweeps.iter_mut().zip(works.iter_mut()).zip(boards) {
        if left < count {
            sweep.swap_codes(work, place);
        }
        for (unit, event) in work.events.iter_mut().enumerate() {
            *event = if sweep.events.is_in(unit, layer) { layer } else { NEVER };
        }
        std::mem::swap(&mut sweep.open[place], &mut work.open);
        std::mem::swap(&mut sweep.opponent_won[place - 1], &mut work.opponent_won);
        work.layer(isa, board, layer);
        std::mem::swap(&mut sweep.opponent_won[place - 1], &mut work.opponent_won);
        std::mem::swap(&mut sweep.open[place], &mut work.open);
        std::mem::swap(&mut sweep.opponent_won[place], &mut work.opponent_won);
    }
    let [first, second] = works;
    let layouts = boards.each_ref().map(|board| &board.side.layout);
    first.hand_over(isa, layouts[0], second, layouts[1], layer);
    second.hand_over(isa, layouts[1], first, layouts[0], layer);
    for (sweep, work) in sweeps.iter_mut().zip(works.iter_mut()) {
        std::mem::swap(&mut sweep.opponent_won[place], &mut work.opponent_won);
        if left < count {
            sweep.swap_codes(work, place);
        }
    }
}
