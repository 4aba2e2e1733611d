//! What a position is worth (rules, part 4).

use std::fmt;

/// The value of a state for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A forced win under the rule set.
    Win,
    /// A forced win if there were no draw rules, a draw under the rule set.
    CursedWin,
    /// A draw even without draw rules.
    Draw,
    /// A forced loss without draw rules, a draw under the rule set.
    BlessedLoss,
    /// A forced loss under the rule set.
    Loss,
}

impl Value {
    /// All values, the best for the side to move first.
    pub const ALL: [Value; 5] = [Value::Win, Value::CursedWin, Value::Draw, Value::BlessedLoss, Value::Loss];

    /// The name on the command line and in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::CursedWin => "cursed-win",
            Value::Draw => "draw",
            Value::BlessedLoss => "blessed-loss",
            Value::Loss => "loss",
        }
    }

    /// The same for the other side.
    pub const fn opposite(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::CursedWin => Value::BlessedLoss,
            Value::Draw => Value::Draw,
            Value::BlessedLoss => Value::CursedWin,
            Value::Loss => Value::Win,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the side to move can force, or be forced into, under one set of rules. The greater is the better for the side to
/// move: an early win, a late one, nothing forced, a late loss, an early one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forced(i16);

impl Forced {
    /// Neither side can force anything.
    pub const NOTHING: Forced = Forced(0);

    /// Longer distances than this cannot be told.
    pub const MAX_PLIES: u16 = 0x3fff;

    /// The side to move wins; `plies` to the next conversion or the end.
    ///
    /// # Panics
    ///
    /// When `plies` is more than [`Forced::MAX_PLIES`].
    pub const fn win(plies: u16) -> Forced {
        assert!(plies <= Forced::MAX_PLIES);
        Forced(i16::MAX - plies as i16)
    }

    /// The side to move loses; `plies` to the next conversion or the end.
    ///
    /// # Panics
    ///
    /// When `plies` is more than [`Forced::MAX_PLIES`].
    pub const fn loss(plies: u16) -> Forced {
        assert!(plies <= Forced::MAX_PLIES);
        Forced(plies as i16 - i16::MAX)
    }

    /// Whether the side to move wins.
    pub const fn is_win(self) -> bool {
        self.0 > 0
    }

    /// Whether the side to move loses.
    pub const fn is_loss(self) -> bool {
        self.0 < 0
    }

    /// Plies to the next conversion or the end, counting the converting one; `None` when nothing is forced.
    pub const fn plies(self) -> Option<u16> {
        if self.0 == 0 { None } else { Some((i16::MAX - self.0.abs()) as u16) }
    }

    /// What a quiet move to a position with this value is worth to the side that makes it.
    pub const fn before_quiet_move(self) -> Forced {
        match self.plies() {
            None => Forced::NOTHING,
            Some(plies) if self.is_win() => Forced::loss(plies + 1),
            Some(plies) => Forced::win(plies + 1),
        }
    }

    /// What a conversion into a position with this value is worth to the side that makes it.
    pub const fn before_conversion(self) -> Forced {
        if self.is_win() {
            Forced::loss(1)
        } else if self.is_loss() {
            Forced::win(1)
        } else {
            Forced::NOTHING
        }
    }

    /// The same, unless it takes more plies than are left.
    pub fn within(self, plies_left: Option<u32>) -> Forced {
        match (self.plies(), plies_left) {
            (Some(plies), Some(left)) if u32::from(plies) > left => Forced::NOTHING,
            _ => self,
        }
    }
}

impl fmt::Debug for Forced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            None => f.write_str("nothing"),
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// The value of a state and its distance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The value for the side to move, or in a list of moves for the side that moves.
    pub value: Value,
    /// Plies to the next change of the force ratio or the end of the game, counting that ply; for cursed and blessed
    /// values without draw rules; `None` for a draw.
    pub distance_plies: Option<u16>,
}

impl Outcome {
    /// The outcome of a state from what is forced without draw rules and under the rule set. Rules only add draws: what
    /// the set forces is forced without it as well.
    pub fn new(without_rules: Forced, under_rules: Forced) -> Outcome {
        debug_assert!(under_rules == Forced::NOTHING || under_rules.is_win() == without_rules.is_win());
        let value = if under_rules.is_win() {
            Value::Win
        } else if under_rules.is_loss() {
            Value::Loss
        } else if without_rules.is_win() {
            Value::CursedWin
        } else if without_rules.is_loss() {
            Value::BlessedLoss
        } else {
            Value::Draw
        };
        Outcome { value, distance_plies: under_rules.plies().or(without_rules.plies()) }
    }

    /// The one order of moves: the better value first; wins by progress, losses by resistance. The least comes first.
    pub fn rank(self) -> (Value, i32) {
        let distance = self.distance_plies.map_or(0, i32::from);
        match self.value {
            Value::Win | Value::CursedWin | Value::Draw => (self.value, distance),
            Value::BlessedLoss | Value::Loss => (self.value, -distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greater_is_better_for_the_side_to_move() {
        let order = [
            Forced::loss(0),
            Forced::loss(7),
            Forced::loss(Forced::MAX_PLIES),
            Forced::NOTHING,
            Forced::win(Forced::MAX_PLIES),
            Forced::win(7),
            Forced::win(0),
        ];
        assert!(order.is_sorted());
        for forced in order {
            assert_eq!(forced.is_win() || forced.is_loss(), forced.plies().is_some());
        }
        assert_eq!(Forced::loss(4).before_quiet_move(), Forced::win(5));
        assert_eq!(Forced::win(4).before_quiet_move(), Forced::loss(5));
        assert_eq!(Forced::win(4).before_conversion(), Forced::loss(1));
        assert_eq!(Forced::win(31).within(Some(30)), Forced::NOTHING);
    }
}
