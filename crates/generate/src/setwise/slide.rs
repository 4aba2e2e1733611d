//! Sliding along diagonals for sixteen boards at once.

use bolshak_rules::Direction;

use super::isa::Lanes;

/// The squares reached from `from` by sliding in the direction over squares of `empty`, the start excluded. On an 8 x 8
/// board no slide is longer than seven steps, which three doublings cover.
#[inline(always)]
pub(super) fn slide<L: Lanes>(from: L, empty: L, direction: Direction) -> L {
    let step = direction as u32;
    let one = empty.and(L::splat(direction.destinations().0));
    let mut filled = from.or(one.and(from.rotate(step)));
    let two = one.and(one.rotate(step));
    filled = filled.or(two.and(filled.rotate(2 * step % 32)));
    let four = two.and(two.rotate(2 * step % 32));
    filled = filled.or(four.and(filled.rotate(4 * step % 32)));
    one.and(filled.rotate(step))
}

/// The squares from which a king can slide to a square of `targets`, or equally those it can slide to from them.
#[inline(always)]
pub(super) fn reach<L: Lanes>(targets: L, empty: L) -> L {
    let north = slide(targets, empty, Direction::NorthEast).or(slide(targets, empty, Direction::NorthWest));
    let south = slide(targets, empty, Direction::SouthEast).or(slide(targets, empty, Direction::SouthWest));
    north.or(south)
}
