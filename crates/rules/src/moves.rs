//! Legal moves (rules, part 1).

use smallvec::SmallVec;

use crate::position::{Kind, Position, Side};
use crate::square::{Direction, Square, Squares};

/// A legal move. Two moves of a position are the same when they start and end on the same squares, capture the same pieces
/// and end as the same kind of piece, whatever the path; that is what equality compares.
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
        let capturers = self.capturers();
        if capturers.pieces().is_empty() {
            self.quiet_moves(&mut moves);
        } else {
            self.collect_captures(capturers, &mut moves);
        }
        moves
    }

    /// How many legal moves there are; counting quiet moves is much cheaper than listing them.
    pub fn legal_move_count(&self) -> usize {
        let capturers = self.capturers();
        if capturers.pieces().is_empty() {
            self.quiet_move_count() as usize
        } else {
            let mut moves = MoveList::new();
            self.collect_captures(capturers, &mut moves);
            moves.len()
        }
    }

    /// Whether the side to move can (and so must) capture.
    pub fn can_capture(&self) -> bool {
        !self.capturers().pieces().is_empty()
    }

    /// Whether the side to move has a legal move; without one it has lost (1.8.1).
    pub fn has_move(&self) -> bool {
        let (mover, empty) = (self.mover(), !self.occupied());
        self.turn().forward().into_iter().any(|direction| mover.men.step(direction).meets(empty))
            || Direction::ALL.into_iter().any(|direction| mover.kings.step(direction).meets(empty))
            || self.can_capture()
    }

    /// The pieces of the side to move that can capture.
    #[inline]
    fn capturers(&self) -> Side {
        let (mover, enemies, empty) = (self.mover(), self.opponent().pieces(), !self.occupied());
        Side {
            men: men_that_capture(mover.men, enemies, empty),
            kings: kings_that_capture(mover.kings, enemies, empty),
        }
    }

    /// Calls `found` with all captures, once for each path: the same move comes again if several paths make it.
    pub fn each_capture(&self, found: impl FnMut(Move)) {
        self.each_capture_by(self.capturers(), found);
    }

    #[inline]
    fn each_capture_by(&self, capturers: Side, mut found: impl FnMut(Move)) {
        for (kind, pieces) in [(Kind::Man, capturers.men), (Kind::King, capturers.kings)] {
            for from in pieces {
                let hunter = Hunter { at: from, kind, captured: Squares::EMPTY };
                Captures::new(self, from).extend(hunter, &mut |end| {
                    found(Move { from, to: end.at, kind, ends_as: end.kind, captured: end.captured });
                });
            }
        }
    }

    fn collect_captures(&self, capturers: Side, moves: &mut MoveList) {
        self.each_capture_by(capturers, |mv| {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        });
    }

    fn quiet_move_count(&self) -> u32 {
        let (mover, empty) = (self.mover(), !self.occupied());
        let men: u32 =
            self.turn().forward().into_iter().map(|direction| (mover.men.step(direction) & empty).len()).sum();
        let kings = Direction::ALL.into_iter().map(|direction| {
            // Kings sliding the same way never meet, so that at every step each stands on a square of its own.
            std::iter::successors(Some(mover.kings), |front| Some(front.step(direction) & empty))
                .skip(1)
                .take_while(|front| !front.is_empty())
                .map(Squares::len)
                .sum::<u32>()
        });
        men + kings.sum::<u32>()
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

/// Those of the men from which an enemy piece can be jumped, in any direction.
#[inline]
pub fn men_that_capture(men: Squares, enemies: Squares, empty: Squares) -> Squares {
    if men.is_empty() {
        return men;
    }
    Direction::ALL.into_iter().fold(Squares::EMPTY, |capturers, direction| {
        let back = direction.opposite();
        capturers | (men & (enemies & empty.step(back)).step(back))
    })
}

/// Those of the kings from which an enemy piece can be jumped. The kings need not be on the board: each is looked at on
/// its own.
#[inline]
fn kings_that_capture(kings: Squares, enemies: Squares, empty: Squares) -> Squares {
    if kings.is_empty() {
        return kings;
    }
    Direction::ALL.into_iter().fold(Squares::EMPTY, |capturers, direction| {
        let back = direction.opposite();
        let targets = enemies & empty.step(back);
        capturers | (kings & (targets | targets.slide(back, empty)).step(back))
    })
}

/// The captures of one piece. Captured pieces stay on the board as obstacles until the move is over, and the square that
/// the piece started from counts as empty.
pub(crate) struct Captures {
    enemies: Squares,
    empty: Squares,
    promotion: Squares,
}

/// A piece in the course of a capture.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hunter {
    at: Square,
    kind: Kind,
    captured: Squares,
}

impl Hunter {
    fn at_start(mv: &Move) -> Hunter {
        Hunter { at: mv.from, kind: mv.kind, captured: Squares::EMPTY }
    }

    fn at_end(mv: &Move) -> Hunter {
        Hunter { at: mv.to, kind: mv.ends_as, captured: mv.captured }
    }
}

/// One jump over one piece.
struct Jump {
    /// Where it may land; no square where nothing can be jumped.
    landings: Squares,
    /// What the piece is after landing.
    kind: Kind,
    /// All that it has captured by then.
    captured: Squares,
    /// Whether the capture goes on from the landing squares or ends there.
    goes_on: bool,
}

impl Jump {
    fn landed(&self) -> impl Iterator<Item = Hunter> {
        self.landings.iter().map(|at| Hunter { at, kind: self.kind, captured: self.captured })
    }

    /// The same, nothing where the jump takes a piece that the move does not.
    fn landed_within(&self, mv: &Move) -> impl Iterator<Item = Hunter> {
        let allowed = (self.captured - mv.captured).is_empty();
        self.landed().filter(move |_| allowed)
    }
}

impl Captures {
    pub(crate) fn new(position: &Position, from: Square) -> Captures {
        Captures {
            enemies: position.opponent().pieces(),
            empty: !position.occupied() | Squares::of(from),
            promotion: position.turn().promotion_rank(),
        }
    }

    /// Follows every path to its end. Paths that meet again are followed again: the worst positions known have so few of
    /// them that remembering where they met costs more.
    fn extend(&self, hunter: Hunter, found: &mut impl FnMut(Hunter)) {
        for direction in Direction::ALL {
            let jump = self.jump(hunter, direction);
            for landed in jump.landed() {
                if jump.goes_on {
                    self.extend(landed, found);
                } else {
                    found(landed);
                }
            }
        }
    }

    #[inline]
    fn jump(&self, hunter: Hunter, direction: Direction) -> Jump {
        let here = Squares::of(hunter.at);
        let reach = match hunter.kind {
            Kind::Man => here,
            Kind::King => here | here.slide(direction, self.empty),
        };
        let target = reach.step(direction) & (self.enemies - hunter.captured);
        if target.is_empty() {
            return Jump { landings: target, kind: hunter.kind, captured: hunter.captured, goes_on: false };
        }
        let captured = hunter.captured | target;
        let (landings, kind) = match hunter.kind {
            Kind::Man => {
                let landing = target.step(direction) & self.empty;
                (landing, if landing.meets(self.promotion) { Kind::King } else { Kind::Man })
            }
            Kind::King => (target.slide(direction, self.empty), Kind::King),
        };
        let left = self.enemies - captured;
        let going_on = match kind {
            Kind::Man => men_that_capture(landings, left, self.empty),
            Kind::King => kings_that_capture(landings, left, self.empty),
        };
        let goes_on = !going_on.is_empty();
        Jump { landings: if goes_on { going_on } else { landings }, kind, captured, goes_on }
    }

    /// All paths of a capture, each the squares where it turns, its two ends included.
    pub(crate) fn paths(&self, mv: &Move) -> Vec<Vec<Square>> {
        let mut paths = Vec::new();
        self.trace(Hunter::at_start(mv), None, &mut vec![mv.from], mv, &mut paths);
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
        for direction in Direction::ALL {
            let turned = heading.is_some_and(|heading| heading != direction);
            if turned {
                turns.push(hunter.at);
            }
            let jump = self.jump(hunter, direction);
            for landed in jump.landed_within(mv) {
                if jump.goes_on {
                    self.trace(landed, Some(direction), turns, mv, paths);
                } else if landed == Hunter::at_end(mv) {
                    let path = turns.iter().copied().chain([mv.to]).collect();
                    if !paths.contains(&path) {
                        paths.push(path);
                    }
                }
            }
            if turned {
                turns.pop();
            }
        }
    }

    /// Whether a capture can be made by landing on all these squares on its way, in this order.
    pub(crate) fn lands_on(&self, mv: &Move, via: &[Square]) -> bool {
        self.lands_on_from(Hunter::at_start(mv), mv, via)
    }

    fn lands_on_from(&self, hunter: Hunter, mv: &Move, via: &[Square]) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            let jump = self.jump(hunter, direction);
            jump.landed_within(mv).any(|landed| {
                if !jump.goes_on {
                    return via.is_empty() && landed == Hunter::at_end(mv);
                }
                let rest = via.strip_prefix(&[landed.at]).unwrap_or(via);
                self.lands_on_from(landed, mv, rest)
            })
        })
    }
}
