//! Values with their distances as single small numbers: bytes, or words where a distance is too long for a byte.
//!
//! The order is the one in which the *other* side prefers to move there: it takes the least of its successors' codes. An
//! early loss comes first, then later ones, nothing, late wins, early wins, and last what is no successor at all.

use std::fmt::Debug;

use bolshak_tables::Forced;

/// A number that holds a value and its distance.
pub(crate) trait Code: Copy + Ord + Debug + Default + Send + Sync + 'static {
    /// Neither side wins.
    const NOTHING: Self;
    /// No position, or no move.
    const NONE: Self;
    /// Longer distances do not fit.
    const MAX_PLIES: u32;
    /// The side to move can capture, and loses.
    const CAPTURE_LOSS: Self;
    /// The side to move can capture, and neither side wins.
    const CAPTURE_NOTHING: Self;
    /// The side to move can capture, and wins. Of codes that are given out this is never [`Code::NONE`].
    const CAPTURE_WIN: Self;

    /// A loss in so many plies.
    fn loss(plies: u32) -> Self;

    /// A win in so many plies.
    fn win(plies: u32) -> Self;

    /// The number itself.
    fn to_u32(self) -> u32;

    /// The next layer after `layer` in which a position with this best successor may be won or lost by it, as a number of
    /// this width; the greatest number for never.
    fn next_event(self, layer: u32) -> Self;

    /// The greatest of all.
    const MAX: Self;

    /// Whether the side to move wins.
    fn is_win(self) -> bool {
        self > Self::NOTHING && self != Self::NONE
    }

    /// Whether the side to move loses.
    fn is_loss(self) -> bool {
        self < Self::NOTHING
    }

    /// The least code of a side's successors that makes a loss in `plies`, if no king move saves it: all of them are wins
    /// in less, or there are none.
    #[inline(always)]
    fn lost_within(plies: u32) -> Self {
        if plies == 0 { Self::NONE } else { Self::win(plies - 1) }
    }

    /// The code of a side's best successor that makes a win in `plies`.
    #[inline(always)]
    fn won_in(plies: u32) -> Option<Self> {
        plies.checked_sub(1).map(Self::loss)
    }

    /// The plies of a code; 0 also where nothing is forced.
    #[inline(always)]
    fn plies(self) -> u32 {
        if self.is_loss() {
            self.to_u32()
        } else if self.is_win() {
            Self::win(0).to_u32() - self.to_u32()
        } else {
            0
        }
    }

    /// The code of a position whose successors have this least code, unless that is too long.
    fn before(best: Self) -> Option<Self> {
        let plies = if best == Self::NONE { 0 } else { best.plies() + 1 };
        if best == Self::NOTHING {
            Some(best)
        } else if plies > Self::MAX_PLIES {
            None
        } else if best.is_loss() {
            Some(Self::win(plies))
        } else {
            Some(Self::loss(plies))
        }
    }

    /// The layer in which a position with this best successor may be won or lost by it; `None` for never.
    #[inline(always)]
    fn event(best: Self) -> Option<u32> {
        if best == Self::NOTHING {
            None
        } else if best == Self::NONE {
            Some(0)
        } else {
            Some(best.plies() + 1)
        }
    }

    /// A best successor whose event is earlier by so many layers, but not before the first.
    #[inline(always)]
    fn sooner(best: Self, layers: u32) -> Self {
        if best.is_loss() {
            Self::loss(best.plies().saturating_sub(layers))
        } else if best.is_win() {
            Self::win(best.plies().saturating_sub(layers))
        } else {
            best
        }
    }

    /// Whether two codes are both wins, or both losses.
    #[inline(always)]
    fn same_side_wins(one: Self, other: Self) -> bool {
        one != Self::NOTHING && other != Self::NOTHING && (one < Self::NOTHING) == (other < Self::NOTHING)
    }

    /// The code of what is forced; distances must fit.
    fn of(forced: Forced) -> Self {
        match forced.plies() {
            None => Self::NOTHING,
            Some(plies) if forced.is_win() => Self::win(plies.into()),
            Some(plies) => Self::loss(plies.into()),
        }
    }

    /// The same code with the mark that the side to move can capture. A capture converts: only who wins is left to tell.
    fn with_capture(self) -> Self {
        if self.is_loss() {
            Self::CAPTURE_LOSS
        } else if self.is_win() {
            Self::CAPTURE_WIN
        } else {
            Self::CAPTURE_NOTHING
        }
    }

    /// A code that a solver has given out, without the mark of captures.
    fn without_capture(self) -> Self {
        if self == Self::CAPTURE_LOSS {
            Self::loss(1)
        } else if self == Self::CAPTURE_NOTHING {
            Self::NOTHING
        } else if self == Self::CAPTURE_WIN {
            Self::win(1)
        } else {
            self
        }
    }

    /// The same code as a word.
    fn widen(self) -> u16 {
        if self == Self::NOTHING {
            u16::NOTHING
        } else if self == Self::NONE {
            u16::NONE
        } else if self == Self::CAPTURE_LOSS {
            u16::CAPTURE_LOSS
        } else if self == Self::CAPTURE_NOTHING {
            u16::CAPTURE_NOTHING
        } else if self.is_loss() {
            u16::loss(self.plies())
        } else {
            u16::win(self.plies())
        }
    }

    /// What a code that a solver has given out says.
    fn found(self) -> Found {
        let can_capture = [Self::CAPTURE_LOSS, Self::CAPTURE_NOTHING, Self::CAPTURE_WIN].contains(&self);
        let code = self.without_capture();
        let plies = code.plies() as u16;
        let forced = match code.cmp(&Self::NOTHING) {
            std::cmp::Ordering::Less => Forced::loss(plies),
            std::cmp::Ordering::Equal => Forced::NOTHING,
            std::cmp::Ordering::Greater => Forced::win(plies),
        };
        Found { forced, can_capture }
    }
}

/// What a solver has found of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// What is forced.
    pub forced: Forced,
    /// Whether the side to move can capture, and therefore must.
    pub can_capture: bool,
}

macro_rules! code {
    ($number:ty, $max_plies:expr) => {
        impl Code for $number {
            const NOTHING: $number = 1 << (<$number>::BITS - 1);
            const NONE: $number = <$number>::MAX;
            const MAX: $number = <$number>::MAX;
            const MAX_PLIES: u32 = $max_plies;
            const CAPTURE_LOSS: $number = Self::NOTHING - 2;
            const CAPTURE_NOTHING: $number = Self::NOTHING - 1;
            const CAPTURE_WIN: $number = <$number>::MAX;

            #[inline(always)]
            fn loss(plies: u32) -> $number {
                plies as $number
            }

            #[inline(always)]
            fn win(plies: u32) -> $number {
                Self::NONE - 1 - plies as $number
            }

            #[inline(always)]
            fn to_u32(self) -> u32 {
                self.into()
            }

            #[inline(always)]
            fn next_event(self, layer: u32) -> $number {
                // One of the two is above the middle, but for `NOTHING`; without branches, so that many are looked at
                // together.
                let event = self.wrapping_add(1).min(Self::NONE - self);
                let never = (event <= layer as $number) | (self == Self::NOTHING);
                event | <$number>::from(never).wrapping_neg()
            }
        }
    };
}

// The codes just below the middle have another meaning when they are given out.
code!(u8, 125);
code!(u16, Forced::MAX_PLIES as u32);

const _: () = assert!(<u8 as Code>::MAX_PLIES < <u8 as Code>::CAPTURE_LOSS as u32);

#[cfg(test)]
mod tests {
    use super::*;

    fn order_and_meaning<C: Code>() {
        let ordered = [
            Forced::loss(0),
            Forced::loss(1),
            Forced::loss(C::MAX_PLIES as u16),
            Forced::NOTHING,
            Forced::win(C::MAX_PLIES as u16),
            Forced::win(1),
            Forced::win(0),
        ];
        let codes = ordered.map(C::of);
        assert!(codes.is_sorted());
        assert_eq!(codes.map(|code| code.found().forced), ordered);
        assert_eq!(codes.map(|code| code.widen().found().forced), ordered);
        assert!(codes.iter().all(|code| !code.found().can_capture && *code < C::NONE));
        for forced in [Forced::loss(1), Forced::NOTHING, Forced::win(1)] {
            assert_eq!(C::of(forced).with_capture().found(), Found { forced, can_capture: true });
            assert_eq!(C::of(forced).with_capture().widen().found(), Found { forced, can_capture: true });
        }
    }

    fn events<C: Code>() {
        for (best, event) in [(C::NOTHING, None), (C::NONE, Some(0)), (C::loss(0), Some(1)), (C::win(7), Some(8))] {
            assert_eq!(C::event(best), event);
            let next = event.filter(|&event| event > 5).map_or(C::MAX, C::loss);
            assert_eq!(best.next_event(5), next, "{best:?}");
        }
        assert_eq!(C::before(C::loss(C::MAX_PLIES)), None);
        assert_eq!(C::before(C::win(3)), Some(C::loss(4)));
        assert_eq!(C::before(C::NONE), Some(C::loss(0)));
        assert_eq!(C::sooner(C::win(7), 3), C::win(4));
        assert_eq!(C::sooner(C::loss(2), 3), C::loss(0));
    }

    #[test]
    fn bytes_and_words_say_the_same() {
        order_and_meaning::<u8>();
        order_and_meaning::<u16>();
        events::<u8>();
        events::<u16>();
    }
}
