//! Captures by men, for all positions of a unit at once.
//!
//! A man's squares are the same in the whole unit, so its paths are followed square by square, as for one position, with
//! the set of positions in which the path is open. A man that promotes on its way goes on as a king in the same manner.

use bolshak_rules::{Color, Direction, Kind, Square, Squares, men_that_capture};
use bolshak_tables::Placement;
use smallvec::SmallVec;

use super::board::Board;
use super::decided::DecidedPlacement;
use super::isa::Isa;
use super::layout::{Layout, ROWS_OF_ONE_KING};
use super::sets::rank;

/// The positions of a unit in which a side can capture, and what that is worth, a bit each.
#[derive(Default)]
pub(super) struct CaptureRows {
    /// The side can capture.
    pub(super) can: Vec<u32>,
    /// A capture wins.
    pub(super) win: Vec<u32>,
    /// A capture does not lose.
    pub(super) hold: Vec<u32>,
}

impl CaptureRows {
    pub(super) fn new(words: usize) -> CaptureRows {
        CaptureRows { can: vec![0; words], win: vec![0; words], hold: vec![0; words] }
    }

    pub(super) fn clear(&mut self) {
        self.can.fill(0);
        self.win.fill(0);
        self.hold.fill(0);
    }
}

/// Adds the captures that men can begin in a unit, of whose words `valid` has the bits of true positions.
pub(super) fn man_captures<I: Isa>(isa: I, board: &Board, unit: usize, valid: &[u32], found: &mut CaptureRows) {
    match valid {
        &[word] => captures_of_men(isa, board, unit, [word], found),
        words => captures_of_men(isa, board, unit, Words::from_slice(words), found),
    }
}

fn captures_of_men<I: Isa, P: Positions>(isa: I, board: &Board, unit: usize, valid: P, found: &mut CaptureRows) {
    let white = board.placement.white;
    let search = Search { isa, board, unit, others: white, found };
    for from in search.that_capture(white, Squares::EMPTY) {
        let mut search = Search { isa, board, unit, others: white - Squares::of(from), found };
        let start = Hunter { at: from, kind: Kind::Man, men: Squares::EMPTY, kings: Squares::EMPTY };
        search.follow(start, &valid, true);
    }
}

/// A man, or what has become of it, in the course of capturing.
#[derive(Clone, Copy)]
struct Hunter {
    at: Square,
    kind: Kind,
    /// Men taken so far.
    men: Squares,
    /// Kings taken so far.
    kings: Squares,
}

/// The positions of a unit in which something is so.
trait Positions: Clone + AsRef<[u32]> + AsMut<[u32]> {
    /// Runs work on the words with the instruction set, if that can pay.
    fn vectorize<I: Isa>(isa: I, work: impl FnOnce());

    fn any(&self) -> bool {
        any(self.as_ref())
    }

    fn add(&mut self, more: &Self) {
        add(self.as_mut(), more.as_ref());
    }

    fn remove(&mut self, fewer: &Self) {
        remove(self.as_mut(), fewer.as_ref());
    }
}

/// A unit of one word, as where one side has one king and the other none.
impl Positions for [u32; 1] {
    #[inline(always)]
    fn vectorize<I: Isa>(_: I, work: impl FnOnce()) {
        work();
    }
}

/// The words of larger units; those of one king are on the stack.
type Words = SmallVec<[u32; ROWS_OF_ONE_KING]>;

impl Positions for Words {
    #[inline(always)]
    fn vectorize<I: Isa>(isa: I, work: impl FnOnce()) {
        isa.vectorize(work);
    }
}

/// Where a jump can land, in which positions, and in which of them it goes on.
struct Landing<P> {
    hunter: Hunter,
    open: P,
    goes_on: Option<P>,
}

struct Search<'a, I> {
    isa: I,
    board: &'a Board<'a>,
    unit: usize,
    /// The men of the capturing side but the one that captures.
    others: Squares,
    found: &'a mut CaptureRows,
}

impl<I: Isa> Search<'_, I> {
    /// Follows every capture that goes on from here in the positions where the path so far is open.
    fn follow<P: Positions>(&mut self, hunter: Hunter, open: &P, first: bool) {
        for direction in Direction::ALL {
            self.each_jump(hunter, direction, open, &mut |search, target, behind| {
                let mut landings = search.landings(target, direction, behind);
                if first && let Some(nearest) = landings.first() {
                    add(&mut search.found.can, nearest.open.as_ref());
                }
                // A king must land where the capture goes on, if it does from any of the squares.
                if landings.iter().any(|landing| landing.goes_on.is_some()) {
                    for place in 0..landings.len() {
                        let Some(goes_on) = landings[place].goes_on.take() else { continue };
                        landings.iter_mut().for_each(|landing| landing.open.remove(&goes_on));
                        search.follow(landings[place].hunter, &goes_on, false);
                    }
                }
                for landing in landings {
                    search.settle(landing.hunter, landing.open.as_ref());
                }
            });
        }
    }

    /// Those of the men that can capture something but these in some position.
    fn that_capture(&self, men: Squares, taken: Squares) -> Squares {
        let layout = &self.board.side.layout;
        let empty = Squares::ALL - (self.others | self.board.placement.black);
        let kings = match (layout.opponent_kings, layout.own_kings) {
            (0, _) => Squares::EMPTY,
            (_, 0 | 1) => empty,
            _ => self.board.opponent_kings(self.unit),
        };
        men_that_capture(men, (self.board.placement.black | kings) - taken, empty)
    }

    /// The positions in which a capture is possible from here, or `None` if there are none.
    fn goes_on<P: Positions>(&mut self, hunter: Hunter, open: &P) -> Option<P> {
        let is_man = hunter.kind == Kind::Man;
        if is_man && self.that_capture(Squares::of(hunter.at), hunter.men | hunter.kings).is_empty() {
            return None;
        }
        let mut all: Option<P> = None;
        for direction in Direction::ALL {
            self.each_jump(hunter, direction, open, &mut |_, _, behind| match &mut all {
                None => all = Some(behind),
                Some(all) => all.add(&behind),
            });
        }
        all
    }

    /// The jumps in one direction: calls `jump` for each piece that can be taken, with the hunter on its square as if it
    /// had taken it, and the positions in which it is there and the square behind it is empty.
    fn each_jump<P: Positions>(
        &mut self,
        hunter: Hunter,
        direction: Direction,
        open: &P,
        jump: &mut impl FnMut(&mut Self, Hunter, P),
    ) {
        let mut next = Squares::of(hunter.at).step(direction);
        let mut slid: Option<P> = None;
        while let Some(square) = next.first() {
            let behind = next.step(direction);
            let (black, taken) = (self.board.placement.black, hunter.men | hunter.kings);
            if self.others.meets(next) {
                return;
            }
            let free = !behind.is_empty() && !behind.meets(self.others | black);
            let is_man = black.meets(next);
            if free && !taken.meets(next) && (is_man || self.may_hold_enemy_king(next)) {
                let mut open = slid.as_ref().unwrap_or(open).clone();
                if !is_man {
                    self.keep_enemy_kings(square, &mut open);
                }
                behind.first().into_iter().for_each(|behind| self.keep_vacant(behind, &mut open));
                if open.any() {
                    let mut target = Hunter { at: square, ..hunter };
                    *(if is_man { &mut target.men } else { &mut target.kings }) |= next;
                    jump(self, target, open);
                }
            }
            if is_man || hunter.kind == Kind::Man {
                return;
            }
            let mut open = slid.take().unwrap_or_else(|| open.clone());
            self.keep_vacant(square, &mut open);
            if !open.any() {
                return;
            }
            slid = Some(open);
            next = behind;
        }
    }

    /// Where a jump can land over the piece on whose square the hunter is given; `behind` are the positions in which the
    /// square behind it is empty.
    fn landings<P: Positions>(
        &mut self,
        mut hunter: Hunter,
        direction: Direction,
        behind: P,
    ) -> SmallVec<[Landing<P>; 1]> {
        let mut landings = SmallVec::new();
        let (blocks, slides) = (self.others | self.board.placement.black, hunter.kind == Kind::King);
        let mut open = behind;
        let mut next = Squares::of(hunter.at).step(direction);
        while let Some(square) = next.first() {
            hunter.at = square;
            if Color::White.promotion_rank().contains(square) {
                hunter.kind = Kind::King;
            }
            let goes_on = self.goes_on(hunter, &open);
            landings.push(Landing { hunter, open: open.clone(), goes_on });
            next = next.step(direction);
            if !slides || blocks.meets(next) {
                break;
            }
            next.first().into_iter().for_each(|square| self.keep_vacant(square, &mut open));
            if !open.any() {
                break;
            }
        }
        landings
    }

    /// Whether an enemy king can stand on one of the squares.
    fn may_hold_enemy_king(&self, squares: Squares) -> bool {
        let layout = &self.board.side.layout;
        layout.opponent_kings > 0 && (layout.own_kings < 2 || self.board.opponent_kings(self.unit).meets(squares))
    }

    /// Drops the positions in which a king stands on the square.
    fn keep_vacant<P: Positions>(&self, square: Square, positions: &mut P) {
        let layout = &self.board.side.layout;
        P::vectorize(
            self.isa,
            #[inline(always)]
            || {
                let positions = positions.as_mut();
                keep_without_enemy_king(self.board, self.unit, square, positions);
                match layout.own_kings {
                    0 => {}
                    1 => positions.iter_mut().for_each(|word| *word &= !(1 << square.id())),
                    _ => keep(positions, layout.own.avoiding(square.id().into())),
                }
            },
        );
    }

    /// Keeps the positions in which an enemy king stands on the square.
    fn keep_enemy_kings<P: Positions>(&self, square: Square, positions: &mut P) {
        P::vectorize(
            self.isa,
            #[inline(always)]
            || {
                let mut without = positions.clone();
                keep_without_enemy_king(self.board, self.unit, square, without.as_mut());
                positions.remove(&without);
            },
        );
    }

    /// Enters what the positions are worth in which a capture ends so.
    fn settle(&mut self, end: Hunter, positions: &[u32]) {
        if !any(positions) {
            return;
        }
        let side = self.board.side;
        let promoted = end.kind == Kind::King;
        let Some(child) = side.child(promoted, end.kings.len() as usize, end.men.len() as usize) else {
            if !side.no_move_wins {
                add(&mut self.found.win, positions);
                add(&mut self.found.hold, positions);
            }
            return;
        };
        let man = if promoted { Squares::EMPTY } else { Squares::of(end.at) };
        let placement = Placement { white: self.others | man, black: self.board.placement.black - end.men };
        let decided = child.placement(placement);
        let king = if promoted { Squares::of(end.at) } else { Squares::EMPTY };
        let unit = Converted { layout: &side.layout, unit: self.unit, child: child.layout(), taken: end.kings, king };
        unit.each_word(decided, positions, |word, positions, lost, won| {
            self.found.win[word] |= positions & lost;
            self.found.hold[word] |= positions & !won;
        });
    }
}

/// The positions of a unit after a conversion.
pub(super) struct Converted<'a> {
    pub(super) layout: &'a Layout,
    pub(super) unit: usize,
    pub(super) child: &'a Layout,
    /// Enemy kings taken.
    pub(super) taken: Squares,
    /// The new king, if there is one.
    pub(super) king: Squares,
}

impl Converted<'_> {
    /// Calls `enter` for every word of a unit that has a bit in `positions`, with the number of the word, its bits there,
    /// and those of the positions that are then lost and won for the other side.
    #[inline(always)]
    pub(super) fn each_word(
        &self,
        decided: DecidedPlacement,
        positions: &[u32],
        mut enter: impl FnMut(usize, u32, u32, u32),
    ) {
        let Layout { own_kings, opponent, row_words, .. } = *self.layout;
        let rest = |rank_before: usize| {
            if self.taken.is_empty() { rank_before } else { rank(Squares(opponent.masks[rank_before]) - self.taken) }
        };
        let whole_rows = self.king.is_empty() && own_kings > 0;
        for (word, &positions) in positions.iter().enumerate().filter(|(_, positions)| **positions != 0) {
            let row = match own_kings {
                0 => 0,
                1 => rest(self.unit * ROWS_OF_ONE_KING + word),
                _ => rest(self.unit),
            };
            if whole_rows {
                let from = if own_kings == 1 { row } else { row * row_words + word };
                enter(word, positions, decided.lost[from], decided.won[from]);
                continue;
            }
            if self.king.is_empty() && self.taken.is_empty() {
                enter(word, positions, decided.lost[word], decided.won[word]);
                continue;
            }
            let first = 32 * word;
            if let (0, Some(king), true) = (own_kings, self.king.first(), self.taken.is_empty()) {
                // A row of one word for each set of enemy kings: the new king is one bit of each.
                let column = |rows: &[u32]| {
                    let rows = rows[first..].iter().take(32).enumerate();
                    rows.fold(0, |bits, (row, word)| bits | (word >> king.id() & 1) << row)
                };
                enter(word, positions, column(decided.lost), column(decided.won));
                continue;
            }
            let (mut lost, mut won) = (0, 0);
            let mut look = |bit: usize, own: usize, row: usize| {
                let (from, place) = self.child.place(own, row);
                lost |= (decided.lost[from] >> place & 1) << bit;
                won |= (decided.won[from] >> place & 1) << bit;
            };
            let bits = Squares(positions).iter().map(|bit| usize::from(bit.id()));
            match (own_kings, self.king.first()) {
                (0, king) => {
                    let own = king.map_or(0, |king| king.id().into());
                    bits.for_each(|bit| look(bit, own, rest(first + bit)));
                }
                (1, Some(king)) => {
                    let ranks = self.layout.own.adding(king.id().into());
                    bits.for_each(|bit| look(bit, ranks[bit] as usize, row));
                }
                (_, king) => {
                    let ranks = self.layout.own.adding(king.map_or(0, |king| king.id().into()));
                    bits.for_each(|bit| look(bit, ranks[first + bit] as usize, row));
                }
            }
            enter(word, positions, lost, won);
        }
    }
}

#[inline(always)]
fn keep_without_enemy_king(board: &Board, unit: usize, square: Square, positions: &mut [u32]) {
    let layout = &board.side.layout;
    match layout.own_kings {
        0 => keep(positions, layout.opponent.avoiding(square.id().into())),
        1 => {
            let rows = &layout.opponent.padded[unit * ROWS_OF_ONE_KING..];
            for (word, kings) in positions.iter_mut().zip(rows) {
                *word &= (kings >> square.id() & 1).wrapping_sub(1);
            }
        }
        _ => {
            if board.opponent_kings(unit).contains(square) {
                positions.fill(0);
            }
        }
    }
}

#[inline(always)]
fn any(positions: &[u32]) -> bool {
    positions.iter().fold(0, |all, word| all | word) != 0
}

#[inline(always)]
fn add(positions: &mut [u32], more: &[u32]) {
    for (word, more) in positions.iter_mut().zip(more) {
        *word |= more;
    }
}

#[inline(always)]
fn remove(positions: &mut [u32], fewer: &[u32]) {
    for (word, fewer) in positions.iter_mut().zip(fewer) {
        *word &= !fewer;
    }
}

#[inline(always)]
fn keep(positions: &mut [u32], only: &[u32]) {
    for (word, only) in positions.iter_mut().zip(only) {
        *word &= only;
    }
}
