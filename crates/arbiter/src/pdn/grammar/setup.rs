//! Positions as books list them: `Белые: а1, c3, дамка e5 (3); черные: h8 (1).`

use bolshak_rules::{Color, Kind, Square, latin_look_alike};
use winnow::ModalResult;
use winnow::ascii::{digit1, multispace0};
use winnow::combinator::{alt, delimited, opt, preceded, terminated};
use winnow::prelude::*;
use winnow::token::{any, one_of, take_while};

use super::game::Input;

/// The pieces of one side as listed, and how many the list says they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) struct BookSide {
    pub(in crate::pdn) color: Color,
    pub(in crate::pdn) pieces: Vec<(Kind, Square)>,
    pub(in crate::pdn) stated_count: Option<usize>,
}

/// A position as a book lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) struct BookPosition {
    pub(in crate::pdn) sides: [BookSide; 2],
    /// The side to move, where the text says it.
    pub(in crate::pdn) turn: Option<Color>,
    /// Cyrillic letters that were read as Latin ones.
    pub(in crate::pdn) look_alikes: Vec<char>,
}

impl BookPosition {
    /// The pieces of one side, listed first or second.
    pub(in crate::pdn) fn side(&self, color: Color) -> &BookSide {
        let [first, second] = &self.sides;
        if first.color == color { first } else { second }
    }
}

/// Reads such a list: two sides, each with its pieces, and perhaps the side to move.
pub(in crate::pdn) fn book_position(input: &mut Input<'_>) -> ModalResult<BookPosition> {
    let mut look_alikes = Vec::new();
    let first = side(input, &mut look_alikes)?;
    let second = side(input, &mut look_alikes)?;
    let turn = opt(preceded(multispace0, turn)).parse_next(input)?;
    (opt('.'), multispace0).parse_next(input)?;
    let sides = [first, second];
    winnow::combinator::empty
        .verify(|()| sides[0].color != sides[1].color)
        .map(|()| BookPosition { sides: sides.clone(), turn, look_alikes: look_alikes.clone() })
        .parse_next(input)
}

fn side(input: &mut Input<'_>, look_alikes: &mut Vec<char>) -> ModalResult<BookSide> {
    let color = preceded(multispace0, side_name).parse_next(input)?;
    (multispace0, opt(one_of([':', '-', '–', '—']))).parse_next(input)?;
    let mut pieces = Vec::new();
    let mut kind = Kind::Man;
    loop {
        take_while(0.., |letter: char| letter.is_whitespace() || letter == ',').parse_next(input)?;
        if let Some(square) = opt(|input: &mut Input<'_>| square(input, look_alikes)).parse_next(input)? {
            pieces.push((kind, square));
        } else if let Some((_, square)) =
            opt((king_sign, |input: &mut Input<'_>| square(input, look_alikes))).parse_next(input)?
        {
            pieces.push((Kind::King, square));
        } else if let Some(many) = opt(kinds).parse_next(input)? {
            kind = many;
        } else {
            break;
        }
    }
    let stated_count =
        opt(delimited(('(', multispace0), digit1.try_map(str::parse), (multispace0, ')'))).parse_next(input)?;
    opt((multispace0, one_of([';', '.', ',']))).parse_next(input)?;
    Ok(BookSide { color, pieces, stated_count })
}

fn square(input: &mut Input<'_>, look_alikes: &mut Vec<char>) -> ModalResult<Square> {
    let (written, square) = (any, one_of('1'..='8'))
        .verify_map(|(written, rank): (char, char)| {
            let file = latin_look_alike(written).unwrap_or(written).to_ascii_lowercase();
            let file = (file as u32).checked_sub('a' as u32).and_then(|file| u8::try_from(file).ok())?;
            Some((written, Square::new(file, rank as u8 - b'1')?))
        })
        .parse_next(input)?;
    if !written.is_ascii() && !look_alikes.contains(&written) {
        look_alikes.push(written);
    }
    Ok(square)
}

/// What makes the one square after it a king.
fn king_sign(input: &mut Input<'_>) -> ModalResult<()> {
    let word = alt((
        terminated(lowercase_word.verify(|word: &String| ["д", "дам", "дамка"].contains(&word.as_str())), opt('.'))
            .void(),
        one_of(['K', 'К', 'Д']).void(),
    ));
    terminated(word, multispace0).parse_next(input)
}

/// What makes all squares after it kings, or men.
fn kinds(input: &mut Input<'_>) -> ModalResult<Kind> {
    let word = lowercase_word.verify_map(|word| match word.as_str() {
        "дамки" | "kings" => Some(Kind::King),
        "п" | "пр" | "простая" | "простые" | "men" => Some(Kind::Man),
        _ => None,
    });
    terminated(word, (opt(one_of(['.', ':'])), multispace0)).parse_next(input)
}

fn side_name(input: &mut Input<'_>) -> ModalResult<Color> {
    lowercase_word
        .verify_map(|word| match word.as_str() {
            "белые" | "white" => Some(Color::White),
            "черные" | "чёрные" | "black" => Some(Color::Black),
            _ => None,
        })
        .parse_next(input)
}

fn turn(input: &mut Input<'_>) -> ModalResult<Color> {
    let first = lowercase_word.parse_next(input)?;
    multispace0.parse_next(input)?;
    let second = lowercase_word.parse_next(input)?;
    if second == "to" {
        (multispace0, "move").parse_next(input)?;
    }
    winnow::combinator::empty
        .verify_map(|()| match (first.as_str(), second.as_str()) {
            ("ход", "белых") | ("начинают", "белые") | ("white", "to") => Some(Color::White),
            ("ход", "черных" | "чёрных") | ("начинают", "черные" | "чёрные") | ("black", "to") => {
                Some(Color::Black)
            }
            _ => None,
        })
        .parse_next(input)
}

fn lowercase_word(input: &mut Input<'_>) -> ModalResult<String> {
    take_while(1.., char::is_alphabetic).map(str::to_lowercase).parse_next(input)
}

#[cfg(test)]
mod tests {
    use winnow::Partial;
    use winnow::stream::StreamIsPartial;

    use super::*;

    fn read(text: &str) -> Option<BookPosition> {
        let mut input = Partial::new(text);
        let _ = input.complete();
        book_position(&mut input).ok()
    }

    fn pieces(side: &BookSide) -> String {
        side.pieces
            .iter()
            .map(|(kind, square)| format!("{}{square}", if *kind == Kind::King { "K" } else { "" }))
            .collect::<Vec<_>>()
            .join(",")
    }

    #[test]
    fn lists_are_read_as_books_have_them() {
        let position = read("Белые: а1, c3 (2); черные: h8 (1).").unwrap();
        assert_eq!(pieces(position.side(Color::White)), "a1,c3");
        assert_eq!(position.side(Color::White).stated_count, Some(2));
        assert_eq!(pieces(position.side(Color::Black)), "h8");
        assert_eq!((position.turn, position.look_alikes.as_slice()), (None, ['а'].as_slice()));

        let position = read("Чёрные: д. h8, f6; белые: дамки a1, c1, простые e3, Дe5. Ход чёрных.").unwrap();
        assert_eq!(pieces(position.side(Color::White)), "Ka1,Kc1,e3,Ke5");
        assert_eq!(pieces(position.side(Color::Black)), "Kh8,f6");
        assert_eq!(position.turn, Some(Color::Black));

        let position = read("White: Ka1, b2 Black: c5 White to move").unwrap();
        assert_eq!(pieces(position.side(Color::White)), "Ka1,b2");
        assert_eq!(position.turn, Some(Color::White));
    }

    #[test]
    fn a_list_with_one_side_or_none_is_not_one() {
        for text in ["Белые: a1", "белые выиграли", "Белые: a1; белые: c3", "c3-d4"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
