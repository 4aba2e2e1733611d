//! A board as inline SVG.

use bolshak_rules::{Color, Kind, Move, Position, Square, Squares};
use maud::{Markup, html};

/// Units of a square's side; the picture scales.
const CELL: u16 = 10;
const MARGIN: u16 = 5;

fn corner(square: Square) -> (u16, u16) {
    (MARGIN + CELL * u16::from(square.file()), CELL * u16::from(7 - square.rank()))
}

/// The board after a move, whose two ends are marked.
pub(super) fn diagram(position: &Position, last: Option<&Move>) -> Markup {
    let side = 8 * CELL;
    let view = format!("0 0 {} {}", side + MARGIN + 1, side + MARGIN + 1);
    html! {
        svg class="board" viewBox=(view) role="img" aria-label=(position.to_fen()) {
            rect x=(MARGIN) y="0" width=(side) height=(side) class="light" {}
            @for square in Squares::ALL {
                @let (x, y) = corner(square);
                @let marked = last.is_some_and(|mv| mv.from == square || mv.to == square);
                rect x=(x) y=(y) width=(CELL) height=(CELL) class=(if marked { "dark marked" } else { "dark" }) {}
            }
            rect x=(MARGIN) y="0" width=(side) height=(side) class="frame" {}
            @for at in 0..8u16 {
                text x="2" y=(CELL * at + 7) { (8 - at) }
                text x=(MARGIN + CELL * at + 5) y=(side + 4) { (char::from(b'a' + at as u8)) }
            }
            @for square in Squares::ALL {
                @if let Some((color, kind)) = position.piece_at(square) {
                    @let (x, y) = corner(square);
                    @let class = if color == Color::White { "white" } else { "black" };
                    circle cx=(x + 5) cy=(y + 5) r="4" class=(class) {}
                    @if kind == Kind::King {
                        circle cx=(x + 5) cy=(y + 5) r="2" class={ (class) " king" } {}
                    }
                }
            }
        }
    }
}
