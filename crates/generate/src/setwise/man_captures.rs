//! Captures by men, for all positions of a unit at once.
//!
//! A man's squares are the same in the whole unit, so its paths are followed square by square, as for one position, with
//! the set of positions in which the path is open. A man that promotes on its way goes on as a king in the same manner.

use bolshak_rules::{Color, Direction, Kind, Square, Squares};
use bolshak_tables::Placement;

use super::board::Board;
use super::decided::DecidedPlacement;
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
pub(super) fn man_captures(board: &Board, unit: usize, valid: &[u32], found: &mut CaptureRows) {
    for from in board.placement.white {
        let others = board.placement.white - Squares::of(from);
        let mut search = Search { board, unit, others, found };
        let start = Hunter { at: from, kind: Kind::Man, men: Squares::EMPTY, kings: Squares::EMPTY };
        let can = search.follow(start, valid);
        for (word, can) in search.found.can.iter_mut().zip(can) {
            *word |= can;
        }
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

/// The positions in which something is so.
type Positions = Vec<u32>;

struct Search<'a> {
    board: &'a Board<'a>,
    unit: usize,
    /// The men of the capturing side but the one that captures.
    others: Squares,
    found: &'a mut CaptureRows,
}

impl Search<'_> {
    /// Follows every capture that goes on from here in the positions where the path so far is open; gives those in which
    /// one does.
    fn follow(&mut self, hunter: Hunter, open: &[u32]) -> Positions {
        let mut goes_on = vec![0; open.len()];
        for direction in Direction::ALL {
            for landings in self.jumps(hunter, direction, open) {
                let continued: Vec<_> = landings.iter().map(|(landing, open)| self.can_go_on(*landing, open)).collect();
                let mut must = vec![0; open.len()];
                for (continued, (_, open)) in continued.iter().zip(&landings) {
                    add(&mut must, continued);
                    add(&mut goes_on, open);
                }
                for ((landing, mut open), continued) in landings.into_iter().zip(continued) {
                    remove(&mut open, &must);
                    self.settle(landing, &open);
                    if any(&continued) {
                        self.follow(landing, &continued);
                    }
                }
            }
        }
        goes_on
    }

    fn can_go_on(&self, hunter: Hunter, open: &[u32]) -> Positions {
        let mut can = vec![0; open.len()];
        for direction in Direction::ALL {
            for (_, open) in self.jumps(hunter, direction, open).into_iter().flatten() {
                add(&mut can, &open);
            }
        }
        can
    }

    /// The jumps in one direction: for each piece that can be taken, where one can land behind it and in which positions.
    fn jumps(&self, hunter: Hunter, direction: Direction, open: &[u32]) -> Vec<Vec<(Hunter, Positions)>> {
        let mut jumps = Vec::new();
        let mut open = open.to_vec();
        let mut next = Squares::of(hunter.at).step(direction).first();
        while let Some(square) = next {
            let here = Squares::of(square);
            if self.others.contains(square) {
                break;
            }
            let black_man = self.board.placement.black.contains(square);
            let mut taking = open.clone();
            if !black_man {
                self.keep_enemy_kings(square, &mut taking);
            }
            if !(hunter.men | hunter.kings).contains(square) && any(&taking) {
                let (men, kings) =
                    if black_man { (hunter.men | here, hunter.kings) } else { (hunter.men, hunter.kings | here) };
                let landings = self.landings(Hunter { at: square, men, kings, ..hunter }, direction, taking);
                if !landings.is_empty() {
                    jumps.push(landings);
                }
            }
            if black_man || hunter.kind == Kind::Man {
                break;
            }
            self.keep_vacant(square, &mut open);
            if !any(&open) {
                break;
            }
            next = here.step(direction).first();
        }
        jumps
    }

    /// Where a jump over the square that `hunter` is given at can land.
    fn landings(&self, mut hunter: Hunter, direction: Direction, mut open: Positions) -> Vec<(Hunter, Positions)> {
        let mut landings = Vec::new();
        let reach = if hunter.kind == Kind::Man { 1 } else { 7 };
        for _ in 0..reach {
            let Some(square) = Squares::of(hunter.at).step(direction).first() else { break };
            if (self.others | self.board.placement.black).contains(square) {
                break;
            }
            self.keep_vacant(square, &mut open);
            if !any(&open) {
                break;
            }
            hunter.at = square;
            let promotes = Color::White.promotion_rank().contains(square);
            let kind = if promotes { Kind::King } else { hunter.kind };
            landings.push((Hunter { kind, ..hunter }, open.clone()));
        }
        landings
    }

    /// Drops the positions in which a king stands on the square.
    fn keep_vacant(&self, square: Square, positions: &mut [u32]) {
        let layout = &self.board.side.layout;
        keep_without_enemy_king(self.board, self.unit, square, positions);
        match layout.own_kings {
            0 => {}
            1 => positions.iter_mut().for_each(|word| *word &= !(1 << square.id())),
            _ => keep(positions, layout.own.avoiding(square.id().into())),
        }
    }

    /// Keeps the positions in which an enemy king stands on the square.
    fn keep_enemy_kings(&self, square: Square, positions: &mut [u32]) {
        let mut without = positions.to_vec();
        keep_without_enemy_king(self.board, self.unit, square, &mut without);
        remove(positions, &without);
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
            let (mut lost, mut won) = (0, 0);
            for bit in Squares(positions).iter().map(Square::id) {
                let (own, row) = match own_kings {
                    0 => (rank(self.king), rest(32 * word + usize::from(bit))),
                    1 => (rank(self.king | Squares(1 << bit)), row),
                    _ => {
                        let own = Squares(self.layout.own.masks[32 * word + usize::from(bit)]);
                        (rank(self.king | own), row)
                    }
                };
                let (from, place) = self.child.place(own, row);
                lost |= (decided.lost[from] >> place & 1) << bit;
                won |= (decided.won[from] >> place & 1) << bit;
            }
            enter(word, positions, lost, won);
        }
    }
}

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

fn any(positions: &[u32]) -> bool {
    positions.iter().fold(0, |all, word| all | word) != 0
}

fn add(positions: &mut [u32], more: &[u32]) {
    for (word, more) in positions.iter_mut().zip(more) {
        *word |= more;
    }
}

fn remove(positions: &mut [u32], fewer: &[u32]) {
    for (word, fewer) in positions.iter_mut().zip(fewer) {
        *word &= !fewer;
    }
}

fn keep(positions: &mut [u32], only: &[u32]) {
    for (word, only) in positions.iter_mut().zip(only) {
        *word &= only;
    }
}
