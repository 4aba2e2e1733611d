//! Random positions of every size.

use std::ops::RangeInclusive;

use bolshak_rules::{Color, Position, Side, Square, Squares};
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::Config;

/// So many random cases, and no file of earlier failures: a failure becomes a named test instead.
pub(crate) fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// How many men and kings each side has.
#[derive(Clone, Copy, Debug)]
struct Material {
    white: (usize, usize),
    black: (usize, usize),
}

/// A side with at least one piece, and its men at least as likely as its kings.
fn side(pieces: RangeInclusive<usize>) -> impl Strategy<Value = (usize, usize)> {
    pieces.prop_flat_map(|pieces| (Just(pieces), 0..=pieces)).prop_map(|(pieces, kings)| (pieces - kings, kings))
}

fn material() -> impl Strategy<Value = Material> {
    let any = (side(1..=12), side(1..=12));
    let endings = (side(1..=4), side(1..=4));
    let hunters = (side(1..=4), side(8..=12));
    prop_oneof![any, endings, hunters, (side(8..=12), side(1..=4))].prop_map(|(white, black)| Material { white, black })
}

fn place(material: Material, order: &[Square], turn: Color) -> Option<Position> {
    let mut free = order.to_vec();
    let mut take = |count: usize, barred: Squares| {
        let squares: Vec<Square> =
            free.iter().copied().filter(|square| !barred.contains(*square)).take(count).collect();
        free.retain(|square| !squares.contains(square));
        squares.into_iter().collect::<Squares>()
    };
    let men = [(material.white.0, Color::White), (material.black.0, Color::Black)]
        .map(|(count, color)| take(count, color.promotion_rank()));
    let kings = [material.white.1, material.black.1].map(|count| take(count, Squares::EMPTY));
    let side = |index: usize| Side { men: men[index], kings: kings[index] };
    Position::new(side(0), side(1), turn).ok()
}

pub(crate) fn turns() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

/// Positions with up to twelve pieces a side, endings and lone hunters of many pieces among them.
pub(crate) fn positions() -> impl Strategy<Value = Position> {
    let squares: Vec<Square> = Square::in_board_order().collect();
    (material(), Just(squares).prop_shuffle(), turns())
        .prop_filter_map("the pieces fit", |(material, order, turn)| place(material, &order, turn))
}

/// Positions with so many pieces, each side having at least a king.
pub(crate) fn king_endings(pieces: RangeInclusive<usize>) -> impl Strategy<Value = Position> {
    let squares: Vec<Square> = Square::in_board_order().collect();
    pieces.prop_flat_map(move |pieces| {
        (subsequence(squares.clone(), pieces).prop_shuffle(), 1..pieces, turns(), proptest::bits::u16::ANY)
            .prop_filter_map("men stand where they can", move |(order, whites, turn, men)| {
                let (mut white, mut black) = (Side::default(), Side::default());
                for (index, square) in order.iter().enumerate() {
                    let side = if index < whites { &mut white } else { &mut black };
                    let first = index == 0 || index == whites;
                    let set = if !first && men >> index & 1 != 0 { &mut side.men } else { &mut side.kings };
                    *set |= Squares::of(*square);
                }
                Position::new(white, black, turn).ok()
            })
    })
}
