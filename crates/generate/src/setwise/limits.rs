//! What a rule set means for the positions of a pair.

use bolshak_rules::{Color, Position, RoadReading, Rules, Side, Squares, State};
use bolshak_tables::{Pair, Slice};

/// How long play may go on in a pair without a conversion, under some rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Whether a side to move without a move has won.
    pub(super) no_move_wins: bool,
    /// The most plies to the conversion from a fresh position of the pair's first slice and of its partner.
    pub(super) plies: [Option<u32>; 2],
    /// The most plies by kings only, where men can break them.
    pub(super) kings_only_plies: Option<u32>,
}

impl Limits {
    /// The limits for a pair, or `None` where the rules count in a way that this solver does not know: moves with a lone
    /// king on the main road (1.9.1.5, strict).
    pub fn of(pair: Pair, rules: &Rules) -> Option<Limits> {
        let three_to_one = pair
            .slices()
            .any(|slice| slice.mover().pieces() == 3 && slice.opponent().kings == 1 && slice.opponent().men == 0);
        if three_to_one && rules.set.main_road.is_some_and(|rule| rule.reading == RoadReading::Strict) {
            return None;
        }
        let men = pair.first().men() > 0;
        let states = [pair.first(), pair.first().partner()].map(|slice| State::fresh(some_position(slice)));
        let kings_only = rules.kings_left(&states[0]);
        let plies = states.map(|state| {
            let ratio = rules.ratio_left(&state);
            // Where nobody has a man, a king move leaves the force ratio as it is: one count more on the same plies.
            if men { ratio } else { ratio.into_iter().chain(kings_only).min() }
        });
        Some(Limits { no_move_wins: rules.variant.no_move_wins(), plies, kings_only_plies: kings_only.filter(|_| men) })
    }
}

/// A position of a slice; the counts of material do not depend on which.
fn some_position(slice: Slice) -> Position {
    let mut free = Squares::ALL;
    let mut take = |count: u8, from: Squares| {
        (0..count).fold(Squares::EMPTY, |taken, _| {
            let square = (free & from).first().map_or(Squares::EMPTY, Squares::of);
            free = free - square;
            taken | square
        })
    };
    let middle = Squares::ALL - Color::White.promotion_rank() - Color::Black.promotion_rank();
    let (mover, opponent) = (slice.mover(), slice.opponent());
    let white_men = take(mover.men, middle);
    let black_men = take(opponent.men, middle);
    let white = Side { men: white_men, kings: take(mover.kings, Squares::ALL) };
    let black = Side { men: black_men, kings: take(opponent.kings, Squares::ALL) };
    Position::new(white, black, Color::White).expect("men are off the last ranks, and every square is taken once")
}
