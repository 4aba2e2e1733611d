//! Whether any sequence of legal moves wins, both sides helping (a fact for 1.9.1.2).

use std::collections::HashSet;

use bolshak_rules::{Color, Over, Position, Rules};

/// Games played at random before every position is looked at.
const PLAYOUTS: u32 = 400;
/// Plies of such a game.
const PLAYOUT_PLIES: u32 = 200;
/// Positions looked at before the question is given up.
const MAX_POSITIONS: usize = 300_000;

/// What was found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cooperative {
    /// Some sequence of legal moves wins.
    Wins,
    /// None does.
    Never,
    /// Not found out within the budget.
    Unknown,
}

/// Whether some sequence of legal moves from a position wins for this side. `stopped` ends the search early.
pub(crate) fn cooperative_win(
    rules: &Rules,
    position: &Position,
    side: Color,
    stopped: impl Fn() -> bool,
) -> Cooperative {
    if random_games_win(rules, position, side) {
        return Cooperative::Wins;
    }
    let mut seen = HashSet::from([*position]);
    let mut open = vec![*position];
    while let Some(position) = open.pop() {
        match rules.over_by_no_move(&position) {
            Some(Over::NoMove { winner }) if winner == side => return Cooperative::Wins,
            Some(_) => continue,
            None => {}
        }
        for mv in position.legal_moves() {
            let after = position.after(&mv);
            if seen.insert(after) {
                open.push(after);
            }
        }
        if seen.len() > MAX_POSITIONS || stopped() {
            return Cooperative::Unknown;
        }
    }
    Cooperative::Never
}

fn random_games_win(rules: &Rules, start: &Position, side: Color) -> bool {
    // Xorshift: the same games every time, so that an answer can be checked.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    (0..PLAYOUTS).any(|_| {
        let mut position = *start;
        for _ in 0..PLAYOUT_PLIES {
            if let Some(over) = rules.over_by_no_move(&position) {
                return over == Over::NoMove { winner: side };
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let moves = position.legal_moves();
            position = position.after(&moves[(random % moves.len() as u64) as usize]);
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_small_positions() {
        let ask =
            |fen: &str, side| cooperative_win(&Rules::NONE, &Position::from_fen(fen).unwrap().position, side, || false);
        assert_eq!(ask("W:WKa1:BKh2", Color::White), Cooperative::Wins);
        assert_eq!(ask("W:WKa1:BKh2", Color::Black), Cooperative::Wins);
        // Black's last man is taken at once, and must be.
        assert_eq!(ask("W:WKa1:Bb2", Color::White), Cooperative::Wins);
        assert_eq!(ask("W:WKa1:Bb2", Color::Black), Cooperative::Never);
        let start = Position::start();
        assert_eq!(cooperative_win(&Rules::NONE, &start, Color::Black, || false), Cooperative::Wins);
        let last_man = Position::from_fen("W:WKa1:Bb2").unwrap().position;
        assert_eq!(cooperative_win(&Rules::NONE, &last_man, Color::Black, || true), Cooperative::Unknown);
    }
}
