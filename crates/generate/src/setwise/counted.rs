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

use super::board::Board;
use super::code;
use super::isa::Isa;
use super::layers::{NEVER, Work, forget_beyond, run_layers};
use super::pair::TooLong;
use super::side::Side;

/// Diagonals between two trials. With fewer each trial is more likely to succeed.
const STRIDE: u32 = 10;

/// Room for finding counted distances at a placement.
pub(super) struct Recount {
    trial: [Work; 2],
    sweep: Option<[Sweep; 2]>,
}

impl Recount {
    pub(super) fn new(sides: &[Side; 2]) -> Recount {
        Recount { trial: sides.each_ref().map(Work::new), sweep: None }
    }

    /// Turns distances without the count, the longest of which is `longest` plies, into those with it. Beyond `limit`
    /// plies nothing need be known.
    pub(super) fn recount<I: Isa>(
        &mut self,
        isa: I,
        boards: &[Board; 2],
        works: &mut [Work; 2],
        [count, longest, limit]: [u32; 3],
    ) -> Result<(), TooLong> {
        let mut diagonal = 0;
        while diagonal + count < longest.min(limit) {
            diagonal += STRIDE;
            if !self.trial_agrees(isa, boards, works, count, diagonal) {
                let sweep = self.sweep.get_or_insert_with(|| works.each_ref().map(|work| Sweep::new(work, count)));
                return run_sweep(isa, boards, works, sweep, count, limit);
            }
        }
        Ok(())
    }

    /// Whether a trial on this diagonal shows that the count changes no distance of the last [`STRIDE`] that it covers.
    fn trial_agrees<I: Isa>(
        &mut self,
        isa: I,
        boards: &[Board; 2],
        works: &[Work; 2],
        count: u32,
        diagonal: u32,
    ) -> bool {
        for (trial, work) in self.trial.iter_mut().zip(works) {
            trial.restart(isa, work, diagonal as u8);
        }
        if run_layers(isa, boards, &mut self.trial, count).is_err() {
            return false;
        }
        let longest = diagonal + count;
        self.trial.iter().zip(works).all(|(trial, work)| {
            trial.codes.iter().zip(&work.codes).all(|(&trial, &plain)| {
                let plies = code::plies(plain).into();
                let covered = longest - STRIDE < plies && plies <= longest;
                !covered || (code::same_side_wins(trial, plain) && u32::from(code::plies(trial)) + diagonal <= plies)
            })
        })
    }
}

/// What is undecided and won for one side and each number of plies left to kings.
struct Sweep {
    open: Vec<Vec<u32>>,
    opponent_won: Vec<Vec<u32>>,
    /// For each unit, a bit for each layer in which men moves or conversions decide something.
    events: Vec<u128>,
    /// Where the codes of other counts than the whole go.
    unused_codes: [Vec<u8>; 2],
}

impl Sweep {
    fn new(work: &Work, count: u32) -> Sweep {
        let planes = || vec![vec![0; work.open.len()]; count as usize + 1];
        Sweep {
            open: planes(),
            opponent_won: planes(),
            events: vec![0; work.events.len()],
            unused_codes: [vec![0; work.codes.len()], vec![0; work.codes.len()]],
        }
    }

    /// Prepares the diagonal on which each position has as many plies in all as are left to kings, so that the count
    /// means nothing yet.
    #[inline(always)]
    fn start<I: Isa>(&mut self, isa: I, work: &mut Work, count: u32) {
        let (codes, opponent_codes) = (work.codes.as_chunks().0, work.opponent_codes.as_chunks().0);
        for (left, (open, opponent_won)) in (0..).zip(self.open.iter_mut().zip(&mut self.opponent_won)) {
            for (word, &valid) in work.valid().iter().enumerate() {
                let won = isa.at_least(&codes[word], code::win(left));
                let not_lost = isa.at_least(&codes[word], code::loss(left + 1));
                open[word] = valid & !won & not_lost;
                opponent_won[word] = valid & isa.at_least(&opponent_codes[word], code::win(left));
            }
        }
        let unit_bytes = work.best.len() / self.events.len();
        for (events, best) in self.events.iter_mut().zip(work.best.chunks(unit_bytes)) {
            *events =
                best.iter().fold(0, |events, &best| events | 1_u128.checked_shl(code::event(best).into()).unwrap_or(0));
        }
        work.drop_arrived();
        forget_beyond(isa, &mut work.codes, count);
        forget_beyond(isa, &mut work.opponent_codes, count);
    }

    /// Puts the state for this many plies left to kings in place, or back again.
    fn swap_codes(&mut self, work: &mut Work) {
        std::mem::swap(&mut self.unused_codes[0], &mut work.codes);
        std::mem::swap(&mut self.unused_codes[1], &mut work.opponent_codes);
    }
}

fn run_sweep<I: Isa>(
    isa: I,
    boards: &[Board; 2],
    works: &mut [Work; 2],
    sweeps: &mut [Sweep; 2],
    count: u32,
    limit: u32,
) -> Result<(), TooLong> {
    for (sweep, work) in sweeps.iter_mut().zip(works.iter_mut()) {
        isa.vectorize(
            #[inline(always)]
            || sweep.start(isa, work, count),
        );
    }
    let all_events = sweeps.iter().flat_map(|sweep| &sweep.events).fold(0, |all, events| all | events);
    // On diagonal c men moves come in from layer c + 1 on; where none do, nothing differs from the diagonal before.
    for diagonal in 1..all_events.checked_ilog2().unwrap_or(0) {
        for left in 1..=count {
            let layer = diagonal + left;
            if layer > limit {
                break;
            }
            if layer > code::MAX_PLIES {
                return Err(TooLong);
            }
            sweep_layer(isa, boards, works, sweeps, [layer, left, count]);
        }
        works.iter_mut().for_each(Work::drop_arrived);
    }
    Ok(())
}

/// Decides what is decided in `layer` plies with `left` of them left to kings.
fn sweep_layer<I: Isa>(
    isa: I,
    boards: &[Board; 2],
    works: &mut [Work; 2],
    sweeps: &mut [Sweep; 2],
    [layer, left, count]: [u32; 3],
) {
    let place = left as usize;
    for ((sweep, work), board) in sweeps.iter_mut().zip(works.iter_mut()).zip(boards) {
        if left < count {
            sweep.swap_codes(work);
        }
        for (event, events) in work.events.iter_mut().zip(&sweep.events) {
            *event = if events >> layer & 1 != 0 { layer as u8 } else { NEVER };
        }
        std::mem::swap(&mut sweep.open[place], &mut work.open);
        std::mem::swap(&mut sweep.opponent_won[place - 1], &mut work.opponent_won);
        work.layer(isa, board, layer as u8);
        std::mem::swap(&mut sweep.opponent_won[place - 1], &mut work.opponent_won);
        std::mem::swap(&mut sweep.open[place], &mut work.open);
        std::mem::swap(&mut sweep.opponent_won[place], &mut work.opponent_won);
    }
    let [first, second] = works;
    let layouts = boards.each_ref().map(|board| &board.side.layout);
    first.hand_over(isa, layouts[0], second, layouts[1], layer as u8);
    second.hand_over(isa, layouts[1], first, layouts[0], layer as u8);
    for (sweep, work) in sweeps.iter_mut().zip(works.iter_mut()) {
        std::mem::swap(&mut sweep.opponent_won[place], &mut work.opponent_won);
        if left < count {
            sweep.swap_codes(work);
        }
    }
}
