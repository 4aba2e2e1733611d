//! Values with their distances as single bytes.
//!
//! The order is the one in which the *other* side prefers to move there: it takes the least of its successors' codes. An
//! early loss comes first, then later ones, nothing, late wins, early wins, and last what is no successor at all.

use bolshak_tables::Forced;

/// A loss in `n` plies is `n`.
pub(super) const fn loss(plies: u32) -> u8 {
    plies as u8
}

/// Neither side wins.
pub(super) const NOTHING: u8 = 128;

/// A win in `n` plies is `WIN - n`.
const WIN: u8 = 254;

/// No position, or no move.
pub(super) const NONE: u8 = 255;

/// Longer distances do not fit.
pub(super) const MAX_PLIES: u32 = 125;

/// A win in so many plies.
pub(super) const fn win(plies: u32) -> u8 {
    WIN - plies as u8
}

/// What a code says.
pub const fn forced(code: u8) -> Forced {
    match code {
        0..NOTHING => Forced::loss(code as u16),
        NOTHING | NONE => Forced::NOTHING,
        _ => Forced::win((WIN - code) as u16),
    }
}

/// The least code of a side's successors that makes a loss in `plies`, if no king move saves it: all of them are wins in
/// less, or there are none.
pub(super) const fn lost_within(plies: u32) -> u8 {
    NONE - plies as u8
}

/// The code of a side's best successor that makes a win in `plies`.
pub(super) const fn won_in(plies: u32) -> Option<u8> {
    if plies == 0 { None } else { Some(loss(plies - 1)) }
}

/// The code of a position whose successors have this least code; they must not be too long.
pub(super) const fn before(best: u8) -> u8 {
    match best {
        0..NOTHING => win(best as u32 + 1),
        NOTHING => NOTHING,
        _ => loss((NONE - best) as u32),
    }
}

/// The layer in which a position with this best successor may be won or lost by it; more than any layer for never.
#[inline(always)]
pub(super) const fn event(best: u8) -> u8 {
    let event = if best < NOTHING { best + 1 } else { NONE - best };
    if best == NOTHING { u8::MAX } else { event }
}

/// The first such layer after `layer`.
#[inline(always)]
pub(super) fn next_event(best: u8, layer: u8) -> u8 {
    // One of the two is above 127, but for `NOTHING`; without branches, so that many are looked at together.
    let event = best.wrapping_add(1).min(NONE - best);
    let never = (event <= layer) | (best == NOTHING);
    event | u8::from(never).wrapping_neg()
}

/// A best successor whose event is earlier by so many layers, but not before the first.
#[inline(always)]
pub(super) fn sooner(best: u8, layers: u8) -> u8 {
    match best {
        0..NOTHING => best.saturating_sub(layers),
        NOTHING | NONE => best,
        _ => NONE - event(best).saturating_sub(layers).max(1),
    }
}

/// The plies of a code; 0 also where nothing is forced.
#[inline(always)]
pub(super) const fn plies(code: u8) -> u8 {
    match code {
        0..NOTHING => code,
        NOTHING | NONE => 0,
        _ => WIN - code,
    }
}

/// Whether two codes are both wins, or both losses.
#[inline(always)]
pub(super) const fn same_side_wins(one: u8, other: u8) -> bool {
    one != NOTHING && other != NOTHING && (one < NOTHING) == (other < NOTHING)
}
