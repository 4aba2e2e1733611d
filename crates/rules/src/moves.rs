//! Legal moves (rules, part 1).

use smallvec::SmallVec;

use crate::position::{Kind, Position, Side};
use crate::square::{Direction, Square, Squares};

/// A legal move. Two moves are the same when they start and end on the same squares, capture the same pieces and end as
/// the same kind of piece, whatever the path; that is what equality compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where it starts.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
    /// What moves.
    pub kind: Kind,
    /// What stands there afterwards.
    pub ends_as: Kind,
    /// The pieces it captures; empty for a quiet move.
    pub captured: Squares,
}

impl Move {
    /// Whether it captures.
    pub const fn is_capture(&self) -> bool {
        !self.captured.is_empty()
    }

    /// Whether a man becomes a king by it.
    pub fn is_promotion(&self) -> bool {
        self.kind != self.ends_as
    }

    /// Whether it changes the force ratio: a capture or a promotion.
    pub fn is_conversion(&self) -> bool {
        self.is_capture() || self.is_promotion()
    }
}

/// The legal moves of a position; stays on the stack for nearly all of them.
pub type MoveList = SmallVec<[Move; 32]>;

impl Position {
    /// All legal moves, each once, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if self.can_capture() {
            Captures::new(self).collect(&mut moves);
        } else {
            self.quiet_moves(&mut moves);
        }
        moves
    }

    /// Whether the side to move can (and so must) capture.
    pub fn can_capture(&self) -> bool {
        let (mover, enemies, empty) = (self.mover(), self.opponent().pieces(), !self.occupied());
        Direction::ALL.into_iter().any(|direction| {
            let reach = mover.men | mover.kings | mover.kings.slide(direction, empty);
            (reach.step(direction) & enemies).step(direction).meets(empty)
        })
    }

    /// Whether the side to move has a legal move; without one it has lost (1.8.1).
    pub fn has_move(&self) -> bool {
        let (mover, empty) = (self.mover(), !self.occupied());
        self.turn().forward().into_iter().any(|direction| mover.men.step(direction).meets(empty))
            || Direction::ALL.into_iter().any(|direction| mover.kings.step(direction).meets(empty))
            || self.can_capture()
    }

    #[inline]
    fn quiet_moves(&self, moves: &mut MoveList) {
        let (mover, empty) = (self.mover(), !self.occupied());
        let promotion = self.turn().promotion_rank();
        for direction in self.turn().forward() {
            for to in mover.men.step(direction) & empty {
                let from = Square::from_id((to.id() + 32 - direction as u8) % 32);
                let ends_as = if promotion.contains(to) { Kind::King } else { Kind::Man };
                moves.push(Move { from, to, kind: Kind::Man, ends_as, captured: Squares::EMPTY });
            }
        }
        for from in mover.kings {
            for direction in Direction::ALL {
                for to in Squares::of(from).slide(direction, empty) {
                    moves.push(Move { from, to, kind: Kind::King, ends_as: Kind::King, captured: Squares::EMPTY });
                }
            }
        }
    }
}

/// A capture under way: captured pieces stay on the board as obstacles until the move is over, and the square it
/// started from counts as empty.
pub(crate) struct Captures {
    enemies: Squares,
    /// Everything on the board but the capturing piece.
    others: Squares,
    mover: Side,
    promotion: Squares,
}

/// One piece in the course of capturing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hunter {
    pub(crate) at: Square,
    pub(crate) kind: Kind,
    pub(crate) captured: Squares,
}

impl Captures {
    pub(crate) fn new(position: &Position) -> Captures {
        Captures {
            enemies: position.opponent().pieces(),
            others: position.occupied(),
            mover: position.mover(),
            promotion: position.turn().promotion_rank(),
        }
    }

    fn collect(&mut self, moves: &mut MoveList) {
        let all = self.others;
        for (kind, pieces) in [(Kind::Man, self.mover.men), (Kind::King, self.mover.kings)] {
            for from in pieces {
                self.others = all - Squares::of(from);
                let first = moves.len();
                let hunter = Hunter { at: from, kind, captured: Squares::EMPTY };
                let mut seen = SmallVec::new();
                self.extend(hunter, &mut seen, &mut |end| {
                    let mv = Move { from, to: end.at, kind, ends_as: end.kind, captured: end.captured };
                    if !moves[first..].contains(&mv) {
                        moves.push(mv);
                    }
                });
            }
        }
        self.others = all;
    }

    /// Follows every continuation to its end. `seen` holds the branching points already followed, so that paths which
    /// meet again are followed once.
    fn extend(&self, hunter: Hunter, seen: &mut SmallVec<[Hunter; 16]>, found: &mut impl FnMut(Hunter)) {
        for direction in Direction::ALL {
            let landings = self.jump(hunter, direction);
            let going_on = landings.iter().any(|landing| self.goes_on(*landing));
            for landing in landings {
                if !going_on {
                    found(landing);
                } else if self.goes_on(landing) && !seen.contains(&landing) {
                    seen.push(landing);
                    self.extend(landing, seen, found);
                }
            }
        }
    }

    /// Whether a capture is possible from here.
    pub(crate) fn goes_on(&self, hunter: Hunter) -> bool {
        Direction::ALL.into_iter().any(|direction| !self.target(hunter, direction).is_empty())
    }

    /// The enemy piece that can be jumped in this direction, or nothing.
    fn target(&self, hunter: Hunter, direction: Direction) -> Squares {
        let here = Squares::of(hunter.at);
        let reach = match hunter.kind {
            Kind::Man => here,
            Kind::King => here | here.slide(direction, !self.others),
        };
        let target = reach.step(direction) & (self.enemies - hunter.captured);
        if target.step(direction).meets(!self.others) { target } else { Squares::EMPTY }
    }

    /// Where a jump in this direction can land, each with what the piece has become and captured by then.
    pub(crate) fn jump(&self, hunter: Hunter, direction: Direction) -> SmallVec<[Hunter; 6]> {
        let target = self.target(hunter, direction);
        let landings = match hunter.kind {
            Kind::Man => target.step(direction),
            Kind::King => target.slide(direction, !self.others),
        };
        landings
            .iter()
            .map(|at| Hunter {
                at,
                kind: if self.promotion.contains(at) { Kind::King } else { hunter.kind },
                captured: hunter.captured | target,
            })
            .collect()
    }

    /// All paths of a capture, each the squares where it turns, its two ends included.
    pub(crate) fn paths(mut self, mv: &Move) -> Vec<Vec<Square>> {
        self.others = self.others - Squares::of(mv.from);
        let mut paths = Vec::new();
        let hunter = Hunter { at: mv.from, kind: mv.kind, captured: Squares::EMPTY };
        self.trace(hunter, None, &mut vec![mv.from], mv, &mut paths);
        paths
    }

    fn trace(
        &self,
        hunter: Hunter,
        heading: Option<Direction>,
        turns: &mut Vec<Square>,
        mv: &Move,
        paths: &mut Vec<Vec<Square>>,
    ) {
        if hunter.captured == mv.captured {
            if hunter.at == mv.to && hunter.kind == mv.ends_as {
                let mut path = turns.clone();
                path.push(hunter.at);
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            return;
        }
        for direction in Direction::ALL {
            let turned = heading.is_some_and(|heading| heading != direction);
            if turned {
                turns.push(hunter.at);
            }
            for landing in self.jump(hunter, direction) {
                if (landing.captured - mv.captured).is_empty() {
                    self.trace(landing, Some(direction), turns, mv, paths);
                }
            }
            if turned {
                turns.pop();
            }
        }
    }
}
