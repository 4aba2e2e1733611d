//! From a game as it stands in the text to a record: tags, the position at the beginning, legal moves, the result.

use std::collections::HashSet;

use bolshak_rules::{Color, Kind, Position, PositionError, Side, Squares};
use winnow::Partial;
use winnow::stream::StreamIsPartial;

use super::grammar::{self, BookPosition, Item, Mark, MoveText, RawGame, book_position, result_word};
use super::record::{Played, Record, RecordError, Tag};
use super::resolve::{MoveProblem, legal_texts, resolve};
use super::warning::{Warning, WarningKind};
use crate::GameResult;

/// The record of a game.
pub(super) fn build(raw: RawGame) -> Record {
    let mut record = Record::unreadable(RecordError::Unreadable);
    record.error = None;
    take_tags(&mut record, raw.tags);
    if let Some(value) = other_game_type(&record) {
        record.error = Some(RecordError::GameType(value));
        return record;
    }
    match start(&mut record, raw.setup) {
        Ok(start) => record.start = Some(start),
        Err(reason) => {
            record.error = Some(RecordError::Start(reason));
            take_result(&mut record, raw.terminator, None);
            return record;
        }
    }
    let mark = Replay::of(&mut record).take(raw.items);
    take_result(&mut record, raw.terminator, mark);
    if record.moves.is_empty() && record.error.is_none() {
        warn(&mut record, None, WarningKind::NoMoves);
    }
    record
}

fn warn(record: &mut Record, ply: Option<usize>, kind: WarningKind) {
    record.warnings.push(Warning { ply, kind });
}

fn take_tags(record: &mut Record, tags: Vec<grammar::Tag>) {
    let mut names = HashSet::new();
    for tag in tags {
        if !tag.closed {
            warn(record, None, WarningKind::TagNotClosed(tag.name.clone()));
        }
        if !names.insert(tag.name.clone()) {
            warn(record, None, WarningKind::TagTwice(tag.name));
        } else {
            record.tags.push(Tag { name: tag.name, value: tag.value });
        }
    }
}

/// The value of the tag GameType when it is another game's than 25, Russian draughts.
fn other_game_type(record: &Record) -> Option<String> {
    let value = record.tag("GameType")?;
    let number = value.split(',').next().unwrap_or(value).trim();
    (number.parse() != Ok(25)).then(|| value.to_owned())
}

/// The position at the beginning: that of FEN, else of SetUp, else of a list before the moves, else the usual one.
fn start(record: &mut Record, listed: Option<BookPosition>) -> Result<Position, String> {
    let setup = record.tag("SetUp").filter(|value| *value != "0").map(str::to_owned);
    let text = record.tag("FEN").map(str::to_owned).or_else(|| setup.clone().filter(|value| value != "1"));
    if let Some(text) = text {
        return match Position::from_fen(&text) {
            Ok(parsed) => {
                for warning in parsed.warnings {
                    warn(record, None, WarningKind::Position(warning.to_string()));
                }
                Ok(parsed.position)
            }
            Err(error) => match whole_book_position(&text) {
                Some(listed) => from_book(record, &listed),
                None => Err(error.to_string()),
            },
        };
    }
    match listed {
        Some(listed) => from_book(record, &listed),
        None => {
            if setup.is_some() {
                warn(record, None, WarningKind::NoPosition);
            }
            Ok(Position::start())
        }
    }
}

fn whole_book_position(text: &str) -> Option<BookPosition> {
    let mut input = Partial::new(text);
    let _ = input.complete();
    book_position(&mut input).ok().filter(|_| input.is_empty())
}

fn from_book(record: &mut Record, listed: &BookPosition) -> Result<Position, String> {
    for &letter in &listed.look_alikes {
        warn(record, None, WarningKind::LookAlike(letter));
    }
    for side in &listed.sides {
        if let Some(stated) = side.stated_count.filter(|&stated| stated != side.pieces.len()) {
            let kind = WarningKind::BookCount { color: side.color, stated, listed: side.pieces.len() };
            warn(record, None, kind);
        }
    }
    if listed.turn.is_none() {
        warn(record, None, WarningKind::TurnNotSaid);
    }
    let side = |color| {
        let mut side = Side::default();
        for &(kind, square) in &listed.side(color).pieces {
            if side.pieces().contains(square) {
                return Err(PositionError::SquareTwice(square));
            }
            match kind {
                Kind::Man => side.men |= Squares::of(square),
                Kind::King => side.kings |= Squares::of(square),
            }
        }
        Ok(side)
    };
    side(Color::White)
        .and_then(|white| Position::new(white, side(Color::Black)?, listed.turn.unwrap_or(Color::White)))
        .map_err(|error| error.to_string())
}

/// The result: the tag's, or where it gives none, that at the end of the moves, or that of a mark on the last move.
fn take_result(record: &mut Record, terminator: Option<GameResult>, mark: Option<Mark>) {
    let decided = |result: &GameResult| *result != GameResult::Unfinished;
    let written = record.tag("Result").map(str::to_owned);
    let tag = written.as_deref().and_then(result_word);
    if let Some(written) = written.filter(|_| tag.is_none()) {
        warn(record, None, WarningKind::UnknownResult(written));
    }
    if let (Some(tag), Some(moves)) = (tag.filter(decided), terminator.filter(decided))
        && tag != moves
    {
        warn(record, None, WarningKind::ResultsDiffer { tag, moves });
    }
    let marked = mark.and_then(|mark| match mark {
        Mark::Draw => Some(GameResult::Draw),
        Mark::Win => {
            let winner = record.positions().last()?.turn().opponent();
            Some(GameResult::win(winner))
        }
    });
    let stated = tag.filter(decided).or(terminator.filter(decided));
    if let (None, Some(Mark::Win), Some(result)) = (stated, mark, marked)
        && let Some(winner) = result.winner()
    {
        warn(record, None, WarningKind::MarkedWin(winner));
    }
    record.result = stated.or(marked).unwrap_or(GameResult::Unfinished);
}

/// The moves of a game being replayed.
struct Replay<'r> {
    record: &'r mut Record,
    position: Position,
    /// What must be added to a count of full moves to give the text's numbers, once the first number was seen.
    first_number: Option<u32>,
    number_warned: bool,
    /// The Cyrillic letters of which a warning was given.
    look_alikes: HashSet<char>,
    /// A score-sheet mark after the last move.
    mark: Option<Mark>,
}

impl<'r> Replay<'r> {
    fn of(record: &'r mut Record) -> Replay<'r> {
        let position = record.start.unwrap_or(Position::start());
        // A list of pieces may have had some.
        let look_alikes = record.warnings.iter().filter_map(|warning| match warning.kind {
            WarningKind::LookAlike(letter) => Some(letter),
            _ => None,
        });
        let look_alikes = look_alikes.collect();
        Replay { record, position, first_number: None, number_warned: false, look_alikes, mark: None }
    }

    fn take(mut self, items: Vec<Item>) -> Option<Mark> {
        for item in items {
            if let Err((text, problem)) = self.take_item(item) {
                self.record.error = Some(RecordError::Move { ply: self.record.moves.len() + 1, text, problem });
                return None;
            }
        }
        self.mark
    }

    fn take_item(&mut self, item: Item) -> Result<(), (String, MoveProblem)> {
        match item {
            Item::Number(number) => self.check_number(number),
            Item::Move(text) => self.play(&text).map_err(|problem| (text.written, problem))?,
            Item::Mark(mark) => self.mark = Some(mark),
            Item::Unclosed(sign) => {
                let ply = Some(self.record.moves.len());
                warn(self.record, ply, WarningKind::NotClosed(sign));
            }
            Item::Unknown(text) => {
                let legal = legal_texts(&self.position);
                return Err((text, MoveProblem::NotAMove { legal }));
            }
            Item::Comment(text) => match self.record.moves.last_mut() {
                Some(played) => played.comments.push(text),
                None => self.record.comments.push(text),
            },
            Item::Glyphs(glyphs) => self.annotate(|played| played.glyphs.push_str(&glyphs)),
            Item::Nag(nag) => self.annotate(|played| played.nags.push(nag)),
            Item::Variation(items) => self.annotate(|played| played.variations.push(as_written(&items))),
        }
        Ok(())
    }

    fn annotate(&mut self, annotate: impl FnOnce(&mut Played)) {
        if let Some(played) = self.record.moves.last_mut() {
            annotate(played);
        }
    }

    fn check_number(&mut self, given: u32) {
        let black_first = usize::from(self.record.first_to_move() == Color::Black);
        let full_moves = u32::try_from((self.record.moves.len() + black_first) / 2).unwrap_or(u32::MAX);
        let first = *self.first_number.get_or_insert(given.saturating_sub(full_moves));
        let expected = first.saturating_add(full_moves);
        if given != expected && !self.number_warned {
            self.number_warned = true;
            let ply = Some(self.record.moves.len() + 1);
            warn(self.record, ply, WarningKind::MoveNumber { given, expected });
        }
    }

    fn play(&mut self, text: &MoveText) -> Result<(), MoveProblem> {
        let resolved = resolve(&self.position, text)?;
        let ply = self.record.moves.len() + 1;
        for &letter in &text.look_alikes {
            if self.look_alikes.insert(letter) {
                warn(self.record, Some(ply), WarningKind::LookAlike(letter));
            }
        }
        if resolved.hyphen_for_capture {
            warn(self.record, Some(ply), WarningKind::HyphenForCapture(text.written.clone()));
        }
        self.mark = text.mark;
        self.position = self.position.after(&resolved.mv);
        self.record.moves.push(Played { glyphs: text.glyphs.clone(), ..Played::from(resolved.mv) });
        Ok(())
    }
}

/// A variation with its moves as they were written: they are not replayed.
fn as_written(items: &[Item]) -> String {
    let words: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Number(number) => format!("{number}."),
            Item::Move(MoveText { written, glyphs, .. }) => {
                format!("{written}{glyphs}")
            }
            Item::Mark(Mark::Win) => "X".to_owned(),
            Item::Mark(Mark::Draw) => "=".to_owned(),
            Item::Glyphs(text) | Item::Unknown(text) => text.clone(),
            Item::Nag(nag) => format!("${nag}"),
            Item::Comment(text) => format!("{{{text}}}"),
            Item::Variation(items) => format!("({})", as_written(items)),
            Item::Unclosed(_) => String::new(),
        })
        .collect();
    words.join(" ")
}
