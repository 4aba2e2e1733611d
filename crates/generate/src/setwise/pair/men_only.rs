//! Positions in which nobody has a king: one for each placement and side to move, so that there are no sets to work on.

use bolshak_rules::{Color, Direction, Position, Side as Pieces, Squares};
use bolshak_tables::Placement;

use crate::code::Code;
use crate::setwise::side::Side;

/// The code of the position with White to move, with the mark of captures; `None` when the distance is too long. `moved`
/// has the other side's code after a quiet man move.
pub(super) fn solve<C: Code>(side: &Side, placement: Placement, moved: impl Fn(Placement) -> C) -> Option<C> {
    let captures = best_capture(side, placement);
    let best = captures.unwrap_or_else(|| best_quiet_move(side, placement, moved));
    let code = if best == C::NONE && side.no_move_wins { C::win(0) } else { C::before(best)? };
    Some(if captures.is_some() { code.with_capture() } else { code })
}

/// The least code among the successors, if one can and so must capture.
fn best_capture<C: Code>(side: &Side, placement: Placement) -> Option<C> {
    let men = |men| Pieces { men, kings: Squares::EMPTY };
    let position = Position::new(men(placement.white), men(placement.black), Color::White).ok()?;
    let mut best = None;
    position.each_capture(|mv| {
        let (from, to) = (Squares::of(mv.from), Squares::of(mv.to));
        let promoted = mv.is_promotion();
        let white = (placement.white - from) | if promoted { Squares::EMPTY } else { to };
        let after = Placement { white, black: placement.black - mv.captured };
        let code = code_of(side, promoted, mv.captured.len() as usize, after, to);
        best = Some(best.map_or(code, |best: C| best.min(code)));
    });
    best
}

fn best_quiet_move<C: Code>(side: &Side, placement: Placement, moved: impl Fn(Placement) -> C) -> C {
    let mut best = C::NONE;
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
fn code_of<C: Code>(side: &Side, promoted: bool, taken: usize, placement: Placement, king: Squares) -> C {
    let Some(child) = side.child(promoted, 0, taken) else {
        return if side.no_move_wins { C::win(0) } else { C::loss(0) };
    };
    let decided = child.placement(placement);
    let bit = if promoted { king.first().map_or(0, |king| king.id()) } else { 0 };
    match (decided.lost[0] >> bit & 1, decided.won[0] >> bit & 1) {
        (0, 0) => C::NOTHING,
        (0, _) => C::win(0),
        _ => C::loss(0),
    }
}
