//! The structure of a game: tags, then words, comments and variations up to its end.

use std::collections::HashSet;

use winnow::ascii::{digit1, space0, space1};
use winnow::combinator::{alt, empty, opt, peek};
use winnow::error::{ErrMode, Needed};
use winnow::prelude::*;
use winnow::stream::{Stream, StreamIsPartial};
use winnow::token::{any, one_of, take_till, take_while};
use winnow::{ModalResult, Partial};

use super::setup::{BookPosition, book_position};
use super::word::{Mark, MoveText, Word, is_joint, may_go_on, word};
use crate::GameResult;

/// Text of which more may follow.
pub(in crate::pdn) type Input<'i> = Partial<&'i str>;

/// Variations nested deeper than this are not followed.
const MAX_DEPTH: usize = 32;

/// The most parts of a move written with spaces, more than any capture has. Without it a long row of such parts that is no
/// move would be read anew from each of them.
const MAX_SPACED_PARTS: usize = 32;

/// A tag pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) struct Tag {
    pub(in crate::pdn) name: String,
    pub(in crate::pdn) value: String,
    /// Whether it was closed as it should be.
    pub(in crate::pdn) closed: bool,
}

/// What stands among the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::pdn) enum Item {
    Number(u32),
    Move(MoveText),
    /// A mark of a score sheet standing alone; the game's result when no move follows.
    Mark(Mark),
    /// Annotation signs standing alone.
    Glyphs(String),
    Nag(u32),
    Comment(String),
    Variation(Vec<Item>),
    /// A comment or variation that its game does not close.
    Unclosed(char),
    /// A word that is none of these.
    Unknown(String),
}

/// A game as it stands in the text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::pdn) struct RawGame {
    pub(in crate::pdn) tags: Vec<Tag>,
    /// A list of pieces before the moves, as in books.
    pub(in crate::pdn) setup: Option<BookPosition>,
    pub(in crate::pdn) items: Vec<Item>,
    /// The result that ends the moves.
    pub(in crate::pdn) terminator: Option<GameResult>,
    /// How many of the items are moves. Kept, because counting at every number would take the square of the length.
    moves: usize,
    /// How many of the items are comments.
    comments: usize,
}

impl RawGame {
    fn push(&mut self, item: Item) {
        self.moves += usize::from(matches!(item, Item::Move(_)));
        self.comments += usize::from(matches!(item, Item::Comment(_)));
        self.items.push(item);
    }

    /// Whether anything but comments has been met since the tags.
    fn has_movetext(&self) -> bool {
        self.setup.is_some() || self.items.len() > self.comments
    }

    fn is_blank(&self) -> bool {
        self.tags.is_empty() && !self.has_movetext()
    }
}

/// The next game, or nothing when the text ends before one begins.
pub(in crate::pdn) fn game(input: &mut Input<'_>) -> ModalResult<Option<RawGame>> {
    let mut game = RawGame::default();
    let mut names = HashSet::new();
    loop {
        let blank_lines = blank.parse_next(input)?.matches('\n').count() > 1;
        if at_end(input)? {
            break;
        }
        let before = input.checkpoint();
        if let Some(tag) = opt(alt((tag, tag_without_value))).parse_next(input)? {
            if game.has_movetext() || (blank_lines && names.contains(&tag.name)) {
                input.reset(&before);
                break;
            }
            names.insert(tag.name.clone());
            game.tags.push(tag);
            continue;
        }
        if !game.has_movetext()
            && let Some(position) = opt(book_position).parse_next(input)?
        {
            game.setup = Some(position);
            continue;
        }
        match item(input, 0)? {
            Parsed::Item(Item::Number(1)) if game.moves > 1 => {
                input.reset(&before);
                break;
            }
            Parsed::Item(item) => game.push(item),
            Parsed::Items(items) => items.into_iter().for_each(|item| game.push(item)),
            Parsed::Nothing => {}
            Parsed::Result(result) => {
                game.terminator = Some(result);
                while let Some(comment) = opt((space0, comment)).parse_next(input)? {
                    game.push(comment.1);
                }
                break;
            }
        }
    }
    Ok((!game.is_blank() || game.terminator.is_some()).then_some(game))
}

enum Parsed {
    Item(Item),
    Items(Vec<Item>),
    Result(GameResult),
    Nothing,
}

fn blank<'i>(input: &mut Input<'i>) -> ModalResult<&'i str> {
    take_while(0.., is_blank).parse_next(input)
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}')
}

fn at_end(input: &Input<'_>) -> ModalResult<bool> {
    match (input.is_empty(), input.is_partial()) {
        (true, true) => Err(ErrMode::Incomplete(Needed::new(1))),
        (empty, _) => Ok(empty),
    }
}

fn item(input: &mut Input<'_>, depth: usize) -> ModalResult<Parsed> {
    match peek(any).parse_next(input)? {
        '{' => comment.map(Parsed::Item).parse_next(input),
        // PDN 3.0 has `%` for lines that are no part of the game.
        ';' | '%' => (any, take_till(0.., '\n'))
            .map(|(_, text): (char, &str)| Parsed::Item(Item::Comment(tidy(text))))
            .parse_next(input),
        '(' => variation(input, depth),
        '$' => match opt(('$', digit1.try_map(str::parse))).parse_next(input)? {
            Some((_, nag)) => Ok(Parsed::Item(Item::Nag(nag))),
            None => unknown_char(input),
        },
        '.' | '…' => take_while(1.., ['.', '…']).map(|_| Parsed::Nothing).parse_next(input),
        '}' | ')' | '[' | ']' => unknown_char(input),
        _ => words(input, depth),
    }
}

fn unknown_char(input: &mut Input<'_>) -> ModalResult<Parsed> {
    any.map(|letter: char| Parsed::Item(Item::Unknown(letter.to_string()))).parse_next(input)
}

fn words(input: &mut Input<'_>, depth: usize) -> ModalResult<Parsed> {
    // `1)` is a number as well; in a variation the bracket ends that.
    let number_end = alt((peek(one_of(['.', '…'])), ')'.verify(|_| depth == 0)));
    if let Some((number, _)) = opt((number, number_end)).parse_next(input)? {
        return Ok(Parsed::Item(Item::Number(number)));
    }
    let first = plain_word.parse_next(input)?;
    let spaced =
        if may_go_on(first) { opt(|input: &mut Input<'_>| spaced_word(first, input)).parse_next(input)? } else { None };
    let text = spaced.as_deref().unwrap_or(first);
    Ok(match word(text) {
        Word::Result(result) => Parsed::Result(result),
        Word::Number(number) => Parsed::Item(Item::Number(number)),
        Word::Move(text) => Parsed::Item(Item::Move(text)),
        Word::Mark(mark) => Parsed::Item(Item::Mark(mark)),
        Word::Glyphs(glyphs) => Parsed::Item(Item::Glyphs(glyphs)),
        Word::Unknown => Parsed::Item(Item::Unknown(text.to_owned())),
    })
}

fn plain_word<'i>(input: &mut Input<'i>) -> ModalResult<&'i str> {
    take_till(1.., |letter| is_blank(letter) || "{}()[]$;".contains(letter)).parse_next(input)
}

/// The rest of `c3 - d4`, `22 x 15`, `1 - 1`: a move or a result with spaces around what joins its parts.
fn spaced_word(first: &str, input: &mut Input<'_>) -> ModalResult<String> {
    let mut text = first.to_owned();
    for _ in 1..MAX_SPACED_PARTS {
        let Some((_, joint, _, part)) =
            opt((blank, plain_word.verify(is_joint), blank, plain_word)).parse_next(input)?
        else {
            break;
        };
        text.push_str(joint);
        text.push_str(part);
    }
    empty
        .verify_map(|()| matches!(word(&text), Word::Move(_) | Word::Result(_)).then(|| text.clone()))
        .parse_next(input)
}

fn number(input: &mut Input<'_>) -> ModalResult<u32> {
    (digit1.try_map(str::parse), space0).map(|(number, _)| number).parse_next(input)
}

fn comment(input: &mut Input<'_>) -> ModalResult<Item> {
    '{'.parse_next(input)?;
    let close = input.find('}');
    let open_end = input[..close.unwrap_or(input.len())]
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .find(|&at| tag_at_line_start(&input[at..]));
    match (close, open_end) {
        (_, Some(end)) => Ok(unclosed(input, end)),
        (Some(close), None) => {
            let text = tidy(input.next_slice(close));
            '}'.parse_next(input)?;
            Ok(Item::Comment(text))
        }
        (None, None) if input.is_partial() => Err(ErrMode::Incomplete(Needed::Unknown)),
        (None, None) => Ok(unclosed(input, input.len())),
    }
}

fn unclosed(input: &mut Input<'_>, end: usize) -> Item {
    input.next_slice(end);
    Item::Unclosed('{')
}

fn tidy(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn variation(input: &mut Input<'_>, depth: usize) -> ModalResult<Parsed> {
    if depth == MAX_DEPTH {
        return unknown_char(input);
    }
    '('.parse_next(input)?;
    let mut items = Vec::new();
    loop {
        blank.parse_next(input)?;
        if at_end(input)? || peek(opt(tag_open)).parse_next(input)?.is_some() {
            return Ok(Parsed::Item(Item::Unclosed('(')));
        }
        if opt(')').parse_next(input)?.is_some() {
            break;
        }
        match item(input, depth + 1)? {
            Parsed::Item(item) => items.push(item),
            Parsed::Items(inner) => items.extend(inner),
            Parsed::Result(_) | Parsed::Nothing => {}
        }
    }
    // `(!)` and `(?)` after a move are annotation signs.
    let only_glyphs = items.iter().all(|item| matches!(item, Item::Glyphs(_)));
    Ok(if only_glyphs { Parsed::Items(items) } else { Parsed::Item(Item::Variation(items)) })
}

fn tag_open<'i>(input: &mut Input<'i>) -> ModalResult<&'i str> {
    ('[', space0, tag_name, space1, '"').map(|(_, _, name, ..)| name).parse_next(input)
}

fn tag_name<'i>(input: &mut Input<'i>) -> ModalResult<&'i str> {
    take_while(1.., |letter: char| letter.is_alphanumeric() || letter == '_').parse_next(input)
}

/// Whether a tag begins this text, which is complete.
pub(in crate::pdn) fn tag_at_line_start(text: &str) -> bool {
    let mut input = Partial::new(text);
    let _ = input.complete();
    tag_open(&mut input).is_ok()
}

/// A tag pair; its value may hold quotes. One that is not closed ends with its line.
fn tag(input: &mut Input<'_>) -> ModalResult<Tag> {
    let name = tag_open(input)?.to_owned();
    let text: &str = input;
    let mut closing = None;
    for (at, letter) in text.char_indices() {
        if letter == '"' {
            let rest = text[at + 1..].trim_start_matches(|letter: char| letter != '\n' && letter.is_whitespace());
            if rest.is_empty() && input.is_partial() {
                break;
            }
            if rest.starts_with(']') {
                closing = Some((at, text.len() - rest.len() + 1, true));
                break;
            }
        } else if letter == '\n' {
            closing = Some((at, at, false));
            break;
        }
    }
    let (value, end, closed) = match closing {
        Some(closing) => closing,
        None if input.is_partial() => return Err(ErrMode::Incomplete(Needed::Unknown)),
        None => (text.len(), text.len(), false),
    };
    let value = text[..value].trim().replace("\\\"", "\"").replace("\\\\", "\\");
    input.next_slice(end);
    Ok(Tag { name, value, closed })
}

/// `[White]`: a tag without a value, which is an empty one.
fn tag_without_value(input: &mut Input<'_>) -> ModalResult<Tag> {
    ('[', space0, tag_name, space0, ']')
        .map(|(_, _, name, ..)| Tag { name: name.to_owned(), value: String::new(), closed: true })
        .parse_next(input)
}
