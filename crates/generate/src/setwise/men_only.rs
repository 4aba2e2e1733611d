//! Positions in which nobody has a king: one for each placement and side to move, so that there are no sets to work on.

use bolshak_rules::{Color, Direction, Position, Side as Pieces, Squares};
use bolshak_tables::Placement;

use super::code;
use super::side::Side;

/// The code of the position with White to move. `moved` has the other side's code after a quiet man move.
pub(super) fn solve(side: &Side, placement: Placement, moved: impl Fn(Placement) -> u8) -> u8 {
    let men = |men| Pieces { men, kings: Squares::EMPTY };
    let captures = Position::new(men(placement.white), men(placement.black), Color::White)
        .ok()
        .filter(Position::can_capture)
        .map(|position| best_capture(side, &position));
    match captures.unwrap_or_else(|| best_quiet_move(side, placement, moved)) {
        code::NONE if side.no_move_wins => code::win(0),
        best => code::before(best),
    }
}

/// The least code among the successors.
fn best_capture(side: &Side, position: &Position) -> u8 {
    let codes = position.legal_moves().into_iter().map(|mv| {
        let after = position.after(&mv);
        let placement = Placement { white: after.side(Color::White).men, black: after.side(Color::Black).men };
        code_of(side, mv.is_promotion(), mv.captured.len() as usize, placement, Squares::of(mv.to))
    });
    codes.min().unwrap_or(code::NONE)
}

fn best_quiet_move(side: &Side, placement: Placement, moved: impl Fn(Placement) -> u8) -> u8 {
    let mut best = code::NONE;
    for direction in Direction::NORTH {
        for to in placement.white.step(direction) - placement.men() {
            let to = Squares::of(to);
            let others = placement.white - to.step(direction.opposite());
            best = best.min(if to.meets(Color::White.promotion_rank()) {
                code_of(side, true, 0, Placement { white: others, ..placement }, to)
            } else {
                moved(Placement { white: others | to, ..placement })
            });
        }
    }
    best
}

/// The other side's code, as far as it counts, after a conversion.
fn code_of(side: &Side, promoted: bool, taken: usize, placement: Placement, king: Squares) -> u8 {
    let Some(child) = side.child(promoted, 0, taken) else {
        return if side.no_move_wins { code::win(0) } else { code::loss(0) };
    };
    let decided = child.placement(placement);
    let bit = if promoted { king.first().map_or(0, |king| king.id()) } else { 0 };
    match (decided.lost[0] >> bit & 1, decided.won[0] >> bit & 1) {
        (0, 0) => code::NOTHING,
        (0, _) => code::win(0),
        _ => code::loss(0),
    }
}
