//! A game record: where the game began, the moves that are legal, the result, and what was odd.

use bolshak_rules::{Color, Move, Position};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::resolve::MoveProblem;
use super::warning::Warning;
use crate::{GameResult, Language};

/// A tag pair of a game's head.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tag {
    /// Its name, such as `White`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A move of the record with what was written around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// Annotation signs such as `!?`.
    pub glyphs: String,
    /// Numeric annotation glyphs.
    pub nags: Vec<u32>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Variations after the move, as written.
    pub variations: Vec<String>,
}

/// A game record, replayed as far as its moves are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The tags in the order in which they stand.
    pub tags: Vec<Tag>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The position at the beginning; `None` when the record gives one that cannot be.
    pub start: Option<Position>,
    /// The legal moves.
    pub moves: Vec<Played>,
    /// The result as recorded.
    pub result: GameResult,
    /// What was accepted although it is odd.
    pub warnings: Vec<Warning>,
    /// Why the record could not be read to its end.
    pub error: Option<RecordError>,
}

impl Record {
    /// A record of moves from a position, without tags.
    pub fn new(start: Position, moves: impl IntoIterator<Item = Move>, result: GameResult) -> Record {
        let moves = moves.into_iter().map(Played::from).collect();
        Record { start: Some(start), moves, result, ..Record::empty() }
    }

    fn empty() -> Record {
        Record {
            tags: Vec::new(),
            comments: Vec::new(),
            start: None,
            moves: Vec::new(),
            result: GameResult::Unfinished,
            warnings: Vec::new(),
            error: None,
        }
    }

    pub(super) fn unreadable(error: RecordError) -> Record {
        Record { error: Some(error), ..Record::empty() }
    }

    /// How many plies the record holds up to its end or its first error.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Cuts a game that has more plies than this: a record that says so is judged up to there.
    pub fn cut(&mut self, plies: usize) {
        if self.moves.len() > plies {
            self.moves.truncate(plies);
            self.error = Some(RecordError::TooManyPlies { kept: plies });
        }
    }

    /// The value of the first tag of this name, whatever its case, unless it is empty or `?`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|tag| tag.name.eq_ignore_ascii_case(name))
            .map(|tag| tag.value.as_str())
            .filter(|value| !value.is_empty() && *value != "?")
    }

    /// All positions: the one at the beginning, then the one after each ply. Empty when there is no beginning.
    pub fn positions(&self) -> Vec<Position> {
        let Some(start) = self.start else { return Vec::new() };
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        positions.push(start);
        let mut position = start;
        for played in &self.moves {
            position = position.after(&played.mv);
            positions.push(position);
        }
        positions
    }

    /// The moves as text, in order of ply.
    pub fn move_texts(&self) -> Vec<String> {
        self.positions().iter().zip(&self.moves).map(|(position, played)| position.move_text(&played.mv)).collect()
    }

    /// The side that was to move at the beginning.
    pub fn first_to_move(&self) -> Color {
        self.start.map_or(Color::White, |start| start.turn())
    }
}

impl From<Move> for Played {
    fn from(mv: Move) -> Played {
        Played { mv, glyphs: String::new(), nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

/// Why a record could not be read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// It is longer than [`super::MAX_GAME_BYTES`].
    TooLong,
    /// It has more plies than are judged, and was cut there.
    TooManyPlies {
        /// The plies that are left.
        kept: usize,
    },
    /// Its text is no game.
    Unreadable,
    /// Its tag says that it is another game.
    GameType(String),
    /// The position at its beginning cannot be.
    Start(String),
    /// A move cannot be.
    Move {
        /// The 1-based ply it would have been.
        ply: usize,
        /// The move as written.
        text: String,
        /// Why it is none.
        problem: MoveProblem,
    },
}

impl RecordError {
    /// The ply at which it stands: 1-based, 0 for the head of the game.
    pub fn ply(&self) -> usize {
        match self {
            RecordError::Move { ply, .. } => *ply,
            RecordError::TooManyPlies { kept } => kept + 1,
            RecordError::TooLong | RecordError::Unreadable | RecordError::GameType(_) | RecordError::Start(_) => 0,
        }
    }

    /// One clear sentence.
    pub fn message(&self, language: Language) -> String {
        match self {
            RecordError::TooLong => language.pick(
                "the game is longer than 1 MiB and was skipped".to_owned(),
                "партия длиннее 1 МиБ и пропущена".to_owned(),
            ),
            RecordError::TooManyPlies { kept } => language.pick(
                format!("the game has more than {kept} plies and is judged up to there"),
                format!("в партии больше {kept} полуходов; она проверена до этого места"),
            ),
            RecordError::Unreadable => {
                language.pick("the text is no game record".to_owned(), "текст не является записью партии".to_owned())
            }
            RecordError::GameType(value) => language.pick(
                format!("GameType '{value}' is not Russian draughts (25)"),
                format!("GameType '{value}': это не русские шашки (25)"),
            ),
            RecordError::Start(reason) => language.pick(
                format!("the position at the beginning cannot be: {reason}"),
                format!("начальная позиция невозможна: {reason}"),
            ),
            RecordError::Move { ply, text, problem } => problem.message(*ply, text, language),
        }
    }
}

impl Serialize for RecordError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("error", 5)?;
        object.serialize_field("ply", &self.ply())?;
        object.serialize_field("message", &self.message(Language::English))?;
        if let RecordError::Move { text, problem, .. } = self {
            object.serialize_field("text", text)?;
            match problem {
                MoveProblem::Ambiguous { candidates } => object.serialize_field("candidates", candidates)?,
                MoveProblem::Illegal { legal } | MoveProblem::NotAMove { legal } => {
                    object.serialize_field("legal", legal)?;
                }
            }
        }
        object.end()
    }
}
