//! Captures by kings, sixteen views at a time.
//!
//! What a capture leads to depends on the pieces taken and the landing squares, not on where the king came from: while the
//! move goes on nothing leaves the board, so that for each enemy piece and direction the squares a king can jump it from
//! and those it can land on stay the same from the first jump to the last. A chain of jumps is followed once for all
//! kings that can begin it.

use bolshak_rules::Direction;

use super::board::{Board, lanes, store};
use super::isa::{Isa, Lanes};
use super::layout::ROWS_OF_ONE_KING;
use super::side::Side;
use super::slide::slide;

/// The most pieces on one side: eight on the board, one of them the mover's.
pub(super) const MAX_ENEMIES: usize = 7;

/// The positions of a unit in which the kings can capture, and what that is worth.
#[derive(Default)]
pub(super) struct CaptureViews {
    /// A king can capture.
    pub(super) can: Vec<u32>,
    /// One of its captures wins.
    pub(super) win: Vec<u32>,
    /// One of its captures does not lose.
    pub(super) hold: Vec<u32>,
}

impl CaptureViews {
    pub(super) fn new(words: usize) -> CaptureViews {
        let words = words.next_multiple_of(16);
        CaptureViews { can: vec![0; words], win: vec![0; words], hold: vec![0; words] }
    }
}

/// The views of the slices that captures in a unit lead to, by the set of enemies taken: kings before men, each in order
/// of number. They are made when first asked for.
pub(super) struct TakenViews {
    ready: u128,
    stride: usize,
    lost: Vec<u32>,
    won: Vec<u32>,
}

impl TakenViews {
    pub(super) fn new(side: &Side) -> TakenViews {
        let stride = side.layout.view_words().next_multiple_of(16);
        let words = stride << side.enemies();
        TakenViews { ready: 0, stride, lost: vec![0; words], won: vec![0; words] }
    }

    /// Forgets everything, for the next unit.
    pub(super) fn clear(&mut self) {
        self.ready = 0;
    }

    #[inline(always)]
    fn get<I: Isa>(&mut self, isa: I, board: &Board, unit: usize, taken: u32, chunk: usize) -> [I::Lanes; 2] {
        let start = self.stride * taken as usize;
        if self.ready >> taken & 1 == 0 {
            self.ready |= 1 << taken;
            let range = start..start + self.stride;
            make_views(isa, board, unit, taken, &mut self.lost[range.clone()], &mut self.won[range]);
        }
        [lanes(&self.lost[start..], chunk), lanes(&self.won[start..], chunk)]
    }
}

/// Makes the views of what is left without the taken enemies.
#[inline(always)]
fn make_views<I: Isa>(isa: I, board: &Board, unit: usize, taken: u32, lost: &mut [u32], won: &mut [u32]) {
    let layout = &board.side.layout;
    let kings = taken & ((1 << layout.opponent_kings) - 1);
    let men = taken >> layout.opponent_kings;
    lost.fill(0);
    won.fill(0);
    let Some(child) = board.side.child(false, kings.count_ones() as usize, men.count_ones() as usize) else {
        let all = if board.side.no_move_wins { won } else { lost };
        all.fill(!0);
        return;
    };
    let decided = child.placement(board.without_men(men));
    let rests = &layout.opponent.removals()[kings as usize].rests;
    match layout.views() {
        None => {
            let first = unit * ROWS_OF_ONE_KING;
            let rests = &rests[first..rests.len().min(first + ROWS_OF_ONE_KING)];
            for (lane, &row) in rests.iter().enumerate() {
                lost[lane] = decided.lost[row as usize];
                won[lane] = decided.won[row as usize];
            }
        }
        Some(views) => {
            let row = rests[unit] as usize * layout.row_words;
            views.expand(isa, &decided.lost[row..row + layout.row_words], &mut lost[..layout.view_words()]);
            views.expand(isa, &decided.won[row..row + layout.row_words], &mut won[..layout.view_words()]);
        }
    }
}

/// The jumps of sixteen views: for each enemy and direction, from where and to where.
struct Jumps<L> {
    /// The squares a king can jump the enemy from; empty where there is no landing.
    from: [[L; 4]; MAX_ENEMIES],
    /// The squares it can land on.
    to: [[L; 4]; MAX_ENEMIES],
}

/// Finds the captures of all kings in the views of a unit.
pub(super) fn king_captures<I: Isa>(
    isa: I,
    board: &Board,
    unit: usize,
    taken_views: &mut TakenViews,
    found: &mut CaptureViews,
) {
    taken_views.clear();
    for chunk in 0..board.chunks(unit) {
        isa.vectorize(
            #[inline(always)]
            || {
                let nothing = [[I::Lanes::splat(0); 4]; MAX_ENEMIES];
                let jumps = Jumps { from: nothing, to: nothing };
                let enemies = board.side.enemies();
                let mut search = Search { isa, board, unit, chunk, enemies, jumps, taken_views };
                search.find_jumps();
                let [can, win, hold] = search.all();
                store(can, &mut found.can, chunk);
                store(win, &mut found.win, chunk);
                store(hold, &mut found.hold, chunk);
            },
        );
    }
}

struct Search<'a, I: Isa> {
    isa: I,
    board: &'a Board<'a>,
    unit: usize,
    chunk: usize,
    enemies: usize,
    jumps: Jumps<I::Lanes>,
    taken_views: &'a mut TakenViews,
}

impl<I: Isa> Search<'_, I> {
    #[inline(always)]
    fn find_jumps(&mut self) {
        let empty = self.board.empty::<I>(self.unit, self.chunk);
        for enemy in 0..self.enemies {
            let target = self.board.enemy::<I>(self.unit, self.chunk, enemy);
            for (number, direction) in Direction::ALL.into_iter().enumerate() {
                let to = slide(target, empty, direction);
                let from = slide(target, empty, direction.opposite());
                self.jumps.from[enemy][number] = from.and(to.filled_where_any());
                self.jumps.to[enemy][number] = to;
            }
        }
    }

    /// Where a king can capture, can win by it, and can avoid losing by it.
    #[inline(always)]
    fn all(&mut self) -> [I::Lanes; 3] {
        let [mut can, mut win, mut hold] = [I::Lanes::splat(0); 3];
        for enemy in 0..self.enemies {
            for direction in 0..4 {
                let from = self.jumps.from[enemy][direction];
                if from.is_zero() {
                    continue;
                }
                can = can.or(from);
                let landings = self.jumps.to[enemy][direction].and(from.filled_where_any());
                let [wins, holds] = self.follow(landings, 1 << enemy);
                win = win.or(from.and(wins));
                hold = hold.or(from.and(holds));
            }
        }
        [can, win, hold]
    }

    /// Which views win, and which do not lose, by a capture that has taken these enemies and can now be on any of the
    /// `landings`.
    #[inline(always)]
    fn follow(&mut self, landings: I::Lanes, taken: u32) -> [I::Lanes; 2] {
        let mut goes_on = I::Lanes::splat(0);
        for enemy in (0..self.enemies).filter(|enemy| taken >> enemy & 1 == 0) {
            for from in self.jumps.from[enemy] {
                goes_on = goes_on.or(landings.and(from));
            }
        }
        let ends = landings.minus(goes_on.filled_where_any());
        let [mut win, mut hold] = [I::Lanes::splat(0); 2];
        if !ends.is_zero() {
            let [lost, won] = self.taken_views.get(self.isa, self.board, self.unit, taken, self.chunk);
            win = ends.and(lost).filled_where_any();
            hold = ends.minus(won).filled_where_any();
        }
        if !goes_on.is_zero() {
            let [wins, holds] = self.go_on(goes_on, taken);
            win = win.or(wins);
            hold = hold.or(holds);
        }
        [win, hold]
    }

    fn go_on(&mut self, at: I::Lanes, taken: u32) -> [I::Lanes; 2] {
        let isa = self.isa;
        isa.vectorize(
            #[inline(always)]
            || {
                let [mut win, mut hold] = [I::Lanes::splat(0); 2];
                for enemy in (0..self.enemies).filter(|enemy| taken >> enemy & 1 == 0) {
                    for direction in 0..4 {
                        let jumping = at.and(self.jumps.from[enemy][direction]).filled_where_any();
                        if jumping.is_zero() {
                            continue;
                        }
                        let landings = self.jumps.to[enemy][direction].and(jumping);
                        let [wins, holds] = self.follow(landings, taken | 1 << enemy);
                        win = win.or(wins);
                        hold = hold.or(holds);
                    }
                }
                [win, hold]
            },
        )
    }
}
