//! Questions as they come in, checked and made typed. Everything that a client can get wrong is named here, all at once.

use std::fmt;

use bolshak_proto::v1;
use bolshak_rules::{Color, Counters, CountersError, Position, RuleSet, Rules, Side, Square, Squares, State, Variant};

use crate::cause::Cause;

/// No question carries more earlier positions than this.
pub(crate) const MAX_HISTORY: usize = 1_000;
/// A FEN of 24 pieces is shorter than 130 bytes; the rest is room for spaces and Cyrillic letters.
const MAX_FEN_BYTES: usize = 512;
const MAX_ROAD_MOVES: u32 = 5;
/// A message quotes no more of what was sent: gRPC carries it in a header, and clients take few kilobytes of those.
const MAX_QUOTED_BYTES: usize = 200;

/// A question that can be asked.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    pub(crate) rules: Rules,
    pub(crate) state: State,
    pub(crate) history: Vec<Position>,
    pub(crate) warnings: Vec<String>,
}

/// The parts of a question that can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Field {
    Position,
    Fen,
    Bitboards,
    Turn,
    Kings,
    Road,
    RuleSet,
    RuleSets,
    RuleSetItem(usize),
    Variant,
    Language,
    History,
    HistoryItem(usize),
    Slices,
    /// A field of an offer of a draw, the number of the offer from 0.
    OfferPart(usize, &'static str),
    /// A field outside the query or the terms, by its whole name.
    Other(&'static str),
    /// A parameter of the JSON service, by the name it was given.
    Parameter(String),
}

impl Field {
    /// The path of the field in a request whose `bolshak.v1.Query` or `ArbiterTerms` stand at `prefix`.
    pub(crate) fn path(&self, prefix: &str) -> String {
        match self {
            Field::Other(_) | Field::OfferPart(..) | Field::Slices => self.path_inside(),
            _ => format!("{prefix}{}", self.path_inside()),
        }
    }

    fn path_inside(&self) -> String {
        match self {
            Field::Position => "position".to_owned(),
            Field::Fen => "position.fen".to_owned(),
            Field::Bitboards => "position.bitboards".to_owned(),
            Field::Turn => "position.bitboards.turn".to_owned(),
            Field::Kings => "counters.kings_plies".to_owned(),
            Field::Road => "counters.road_moves".to_owned(),
            Field::RuleSet => "rule_set".to_owned(),
            Field::RuleSets => "rule_sets".to_owned(),
            Field::RuleSetItem(index) => format!("rule_sets[{index}]"),
            Field::Language => "language".to_owned(),
            Field::OfferPart(index, part) => format!("claim.offers[{index}].{part}"),
            Field::Variant => "variant".to_owned(),
            Field::History => "history".to_owned(),
            Field::HistoryItem(index) => format!("history[{index}]"),
            Field::Slices => "slices".to_owned(),
            Field::Other(name) => (*name).to_owned(),
            Field::Parameter(name) => name.clone(),
        }
    }

    /// The name of the parameter of the JSON service.
    pub(crate) fn parameter(&self) -> String {
        match self {
            Field::Position | Field::Fen | Field::Bitboards | Field::Turn => "fen".to_owned(),
            Field::Kings => "kings".to_owned(),
            Field::Road => "road".to_owned(),
            Field::RuleSet | Field::RuleSets => "rules".to_owned(),
            Field::RuleSetItem(index) => format!("rules[{index}]"),
            Field::Slices => "slice".to_owned(),
            _ => self.path_inside(),
        }
    }
}

/// Something wrong with one part of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) field: Field,
    pub(crate) message: String,
    /// Where it has a name.
    pub(crate) cause: Option<Cause>,
}

impl Violation {
    pub(crate) fn new(field: Field, message: impl fmt::Display) -> Violation {
        Violation { field, message: shortened(message.to_string()), cause: None }
    }

    /// One whose cause has a name.
    fn named<E: fmt::Display>(field: Field, error: E) -> Violation
    where
        for<'a> Cause: From<&'a E>,
    {
        let cause = Cause::from(&error);
        Violation::because(field, error, cause)
    }

    /// One with a name for its cause.
    pub(crate) fn because(field: Field, message: impl fmt::Display, Cause { name, about }: Cause) -> Violation {
        Violation { cause: Some(Cause { name, about: shortened(about) }), ..Violation::new(field, message) }
    }
}

/// The beginning and the end of a text that is too long.
fn shortened(text: String) -> String {
    if text.len() <= MAX_QUOTED_BYTES {
        return text;
    }
    let half = MAX_QUOTED_BYTES / 2;
    let (begins, ends) = (text.floor_char_boundary(half), text.ceil_char_boundary(text.len() - half));
    format!("{} ... {}", &text[..begins], &text[ends..])
}

impl Query {
    /// Checks a question. On failure every field that is wrong is named, not only the first.
    pub(crate) fn read(query: &v1::Query) -> Result<Query, Vec<Violation>> {
        let mut violations = Vec::new();
        let mut warnings = Vec::new();
        let rules = read_rules(&query.rule_set, &query.variant, &mut violations);
        let position = query.position.as_ref().and_then(|position| position.form.as_ref());
        let position = read_position(position, &mut warnings).map_err(|violation| violations.push(violation)).ok();
        let counters = query.counters.unwrap_or_default();
        let state = position
            .and_then(|position| read_state(position, &counters).map_err(|violation| violations.push(violation)).ok());
        let history = read_history(&query.history, &mut violations);
        match (rules, state) {
            (Some(rules), Some(state)) if violations.is_empty() => Ok(Query { rules, state, history, warnings }),
            _ => Err(violations),
        }
    }

    /// Whether a position stands for the time at which a draw may be claimed (1.9.1.7), if it stands now.
    pub(crate) fn stands_again(&self, position: &Position) -> bool {
        let before = self.history.iter().filter(|&past| past == position).count();
        self.rules.occurrences_that_draw().is_some_and(|count| before + 1 >= count as usize)
    }
}

/// Reads the names of a rule set and a variant, the empty ones as the defaults.
pub(crate) fn read_rules(rule_set: &str, variant: &str, violations: &mut Vec<Violation>) -> Option<Rules> {
    let set = if rule_set.is_empty() { Ok(Rules::OFFICIAL.set) } else { rule_set.parse::<RuleSet>() };
    let variant = if variant.is_empty() { Ok(Rules::OFFICIAL.variant) } else { variant.parse::<Variant>() };
    let set = set.map_err(|error| violations.push(Violation::new(Field::RuleSet, error))).ok();
    let variant = variant.map_err(|error| violations.push(Violation::new(Field::Variant, error))).ok();
    Some(Rules::new(variant?, set?))
}

fn read_position(form: Option<&v1::position::Form>, warnings: &mut Vec<String>) -> Result<Position, Violation> {
    match form {
        None => Err(Violation::new(Field::Position, "the position is missing: give fen or bitboards")),
        Some(v1::position::Form::Fen(fen)) => read_fen(fen, warnings),
        Some(v1::position::Form::Bitboards(boards)) => read_bitboards(boards),
    }
}

pub(crate) fn read_fen(fen: &str, warnings: &mut Vec<String>) -> Result<Position, Violation> {
    if fen.len() > MAX_FEN_BYTES {
        let message = format!("the FEN has {} bytes; {MAX_FEN_BYTES} is the most", fen.len());
        return Err(Violation::because(Field::Fen, message, Cause::new("TOO_LONG", "")));
    }
    let parsed = Position::from_fen(fen).map_err(|error| Violation::named(Field::Fen, error))?;
    warnings.extend(parsed.warnings.iter().map(ToString::to_string));
    Ok(parsed.position)
}

fn read_bitboards(boards: &v1::Bitboards) -> Result<Position, Violation> {
    let squares = |name: &str, bits: u64| {
        squares_from_bits(bits).ok_or_else(|| {
            Violation::new(Field::Bitboards, format!("{name} has bits from 32 up: the board has 32 dark squares"))
        })
    };
    let white =
        Side { men: squares("white_men", boards.white_men)?, kings: squares("white_kings", boards.white_kings)? };
    let black =
        Side { men: squares("black_men", boards.black_men)?, kings: squares("black_kings", boards.black_kings)? };
    let turn = read_turn(boards.turn).ok_or_else(|| Violation::new(Field::Turn, "the side to move must be given"))?;
    Position::new(white, black, turn).map_err(|error| Violation::named(Field::Bitboards, error))
}

/// The side to move from the number of a `bolshak.v1.Color`.
pub(crate) fn read_turn(color: i32) -> Option<Color> {
    match v1::Color::try_from(color) {
        Ok(v1::Color::White) => Some(Color::White),
        Ok(v1::Color::Black) => Some(Color::Black),
        Ok(v1::Color::Unspecified) | Err(_) => None,
    }
}

/// Checks counters against a position.
pub(crate) fn read_state(position: Position, counters: &v1::Counters) -> Result<State, Violation> {
    let road_moves = u8::try_from(counters.road_moves).map_err(|_| {
        let message = format!("road ({}) is greater than {MAX_ROAD_MOVES}", counters.road_moves);
        Violation::because(Field::Road, message, Cause::from(&CountersError::RoadAboveLimit(u8::MAX)))
    })?;
    let counters = Counters { ratio_plies: counters.ratio_plies, kings_plies: counters.kings_plies, road_moves };
    State::new(position, counters).map_err(|error| {
        let field = match error {
            CountersError::KingsAboveRatio { .. } | CountersError::KingsBelowRatioWithoutMen { .. } => Field::Kings,
            CountersError::RoadAboveLimit(_)
            | CountersError::RoadElsewhere(_)
            | CountersError::RoadAboveOwnMoves { .. } => Field::Road,
        };
        Violation::named(field, error)
    })
}

fn read_history(history: &[v1::Position], violations: &mut Vec<Violation>) -> Vec<Position> {
    if history.len() > MAX_HISTORY {
        let message = format!("the history has {} positions; {MAX_HISTORY} is the most", history.len());
        violations.push(Violation::new(Field::History, message));
        return Vec::new();
    }
    let read = |(index, position): (usize, &v1::Position)| {
        read_position(position.form.as_ref(), &mut Vec::new())
            .map_err(|violation| {
                violations.push(Violation { field: Field::HistoryItem(index), ..violation });
            })
            .ok()
    };
    history.iter().enumerate().filter_map(read).collect()
}

/// The squares that a word of the wire names (bit `4 * rank + file / 2`), or `None` when it names others.
pub(crate) fn squares_from_bits(bits: u64) -> Option<Squares> {
    let bits = u32::try_from(bits).ok()?;
    let byte = |index: usize| FROM_BITS[index][(bits >> (8 * index)) as usize & 0xff];
    Some(Squares(byte(0) | byte(1) | byte(2) | byte(3)))
}

/// For each byte of a word of the wire, the same squares in the numbering of the rules.
static FROM_BITS: [[u32; 256]; 4] = {
    let mut table = [[0; 256]; 4];
    let mut index = 0;
    while index < 4 {
        let mut byte = 0;
        while byte < 256 {
            let mut bit = 0;
            while bit < 8 {
                let (rank, pair) = (2 * index as u8 + bit / 4, bit % 4);
                if byte >> bit & 1 == 1
                    && let Some(square) = Square::new(2 * pair + rank % 2, rank)
                {
                    table[index][byte] |= 1 << square.id();
                }
                bit += 1;
            }
            byte += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> v1::Position {
        v1::Position { form: Some(v1::position::Form::Fen(text.to_owned())) }
    }

    fn query(text: &str) -> v1::Query {
        v1::Query { position: Some(fen(text)), ..Default::default() }
    }

    fn refused(query: &v1::Query) -> Vec<(String, String)> {
        Query::read(query).unwrap_err().into_iter().map(|v| (v.field.path(""), v.message)).collect()
    }

    #[test]
    fn bits_are_in_board_order() {
        for (bit, square) in Square::in_board_order().enumerate() {
            assert_eq!(squares_from_bits(1 << bit), Some(Squares::of(square)));
        }
        assert_eq!(squares_from_bits(0xffff_ffff), Some(Squares(u32::MAX)));
        assert_eq!(squares_from_bits(1 << 32), None);
    }

    #[test]
    fn both_forms_of_a_position_are_the_same() {
        let boards = v1::Bitboards {
            white_kings: 1,
            white_men: 1 << 9,
            black_men: 1 << 20,
            black_kings: 1 << 31,
            turn: v1::Color::White.into(),
        };
        let form = Some(v1::position::Form::Bitboards(boards));
        let by_bits = Query::read(&v1::Query { position: Some(v1::Position { form }), ..Default::default() }).unwrap();
        assert_eq!(by_bits.state.position.to_fen(), "W:WKa1,c3:Bb6,Kh8");
        assert_eq!(by_bits.state, Query::read(&query("W:WKa1,c3:Bb6,Kh8")).unwrap().state);
    }

    #[test]
    fn defaults_are_the_official_rules_and_a_fresh_state() {
        let read = Query::read(&query("W:WKa1:BKh8")).unwrap();
        assert_eq!(read.rules, Rules::OFFICIAL);
        assert_eq!(read.state, State::fresh(read.state.position));
        assert!(read.history.is_empty() && read.warnings.is_empty());
    }

    #[test]
    fn every_bad_field_is_named() {
        let bad = v1::Query {
            position: Some(fen("W:Wa2:Bb6")),
            rule_set: "oficial".to_owned(),
            variant: "chess".to_owned(),
            history: vec![fen("W:WKa1:BKh8"), fen("x"), v1::Position { form: None }],
            counters: None,
        };
        let fields: Vec<_> = refused(&bad).into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["rule_set", "variant", "position.fen", "history[1]", "history[2]"]);
    }

    #[test]
    fn counters_no_game_leads_to_are_refused_by_field() {
        let with = |ratio_plies, kings_plies, road_moves| v1::Query {
            counters: Some(v1::Counters { ratio_plies, kings_plies, road_moves }),
            ..query("W:WKa1,c3:Bb6,Kh8")
        };
        assert_eq!(
            refused(&with(1, 2, 0)),
            [("counters.kings_plies".into(), "kings (2) is greater than ratio (1)".into())]
        );
        assert_eq!(refused(&with(9, 2, 300)), [("counters.road_moves".into(), "road (300) is greater than 5".into())]);
        assert_eq!(refused(&with(9, 2, 6))[0].1, "road (6) is greater than 5");
        assert_eq!(refused(&with(9, 2, 1))[0].0, "counters.road_moves");
        assert!(Query::read(&with(u32::MAX, 2, 0)).is_ok());
    }

    #[test]
    fn what_is_wrong_has_a_name() {
        let cause = |query: &v1::Query| {
            let cause = Query::read(query).unwrap_err().remove(0).cause.unwrap();
            (cause.name, cause.about)
        };
        let of = |text: &str| cause(&query(text));
        assert_eq!(of("W:Wa2:Bb6"), ("LIGHT_SQUARE", "a2".to_owned()));
        assert_eq!(of("W:Wc3:Bb6,Kc3"), ("SQUARE_TWICE", "c3".to_owned()));
        assert_eq!(of("W:W20-32:BK1"), ("TOO_MANY_PIECES", "white".to_owned()));
        assert_eq!(of("W:Wc3"), ("MISSING_LIST", "black".to_owned()));
        assert_eq!(of(&"W".repeat(513)).0, "TOO_LONG");
        let road = |road_moves| v1::Query {
            counters: Some(v1::Counters { ratio_plies: 9, kings_plies: 2, road_moves }),
            ..query("W:WKa1,c3:Bb6,Kh8")
        };
        assert_eq!(
            [6, 300, 1].map(|moves| cause(&road(moves)).0),
            ["ROAD_ABOVE_LIMIT", "ROAD_ABOVE_LIMIT", "ROAD_ELSEWHERE"]
        );
    }

    #[test]
    fn huge_and_missing_things_are_refused() {
        assert_eq!(refused(&v1::Query::default())[0].0, "position");
        assert_eq!(refused(&query(&"W".repeat(513)))[0].0, "position.fen");
        let long = v1::Query { history: vec![fen("W:WKa1:BKh8"); MAX_HISTORY + 1], ..query("W:WKa1:BKh8") };
        assert_eq!(refused(&long)[0].0, "history");
        let no_turn = v1::Bitboards { white_kings: 1, black_kings: 2, ..Default::default() };
        let form = Some(v1::position::Form::Bitboards(no_turn));
        let no_turn = v1::Query { position: Some(v1::Position { form }), ..Default::default() };
        assert_eq!(refused(&no_turn)[0].0, "position.bitboards.turn");
    }

    #[test]
    fn long_texts_are_quoted_in_part() {
        let message = refused(&v1::Query { rule_set: "ы".repeat(1 << 20), ..query("W:WKa1:BKh8") }).remove(0).1;
        assert!(message.len() <= MAX_QUOTED_BYTES + " ... ".len(), "{message}");
        assert!(message.starts_with("unknown rule set 'ы") && message.ends_with("classic, none"), "{message}");
    }

    #[test]
    fn warnings_come_along() {
        assert_eq!(Query::read(&query("W:WКa1:BKh8:H3")).unwrap().warnings.len(), 2);
    }
}
