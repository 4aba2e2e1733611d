//! Asking the tables.

use std::ffi::c_char;

use bolshak_rules::{Over, Position, Rules, State};
use bolshak_tables::{Outcome, Query, RatedMove, Value};

use crate::arguments::{Place, Places, array, reference, text};
use crate::error::{BolshakError, BolshakStatus, Failure, call, text_field};
use crate::position::{BolshakPosition, BolshakState, bit, bits};
use crate::tables::BolshakTables;

/// Bytes of the text of a move, the closing NUL included.
pub const BOLSHAK_MOVE_CAPACITY: usize = 48;

/// Bytes of the number of an article, the closing NUL included.
pub const BOLSHAK_ARTICLE_CAPACITY: usize = 16;

/// What a state is worth to the side to move, or a move to the side that makes it.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BolshakValue {
    /// A forced win under the rule set.
    Win = 0,
    /// A forced win if there were no draw rules, a draw under the rule set.
    CursedWin = 1,
    /// A draw even without draw rules.
    Draw = 2,
    /// A forced loss without draw rules, a draw under the rule set.
    BlessedLoss = 3,
    /// A forced loss under the rule set.
    Loss = 4,
}

/// A value with its distance.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BolshakOutcome {
    /// The value.
    pub value: BolshakValue,
    /// Plies to the next change of the force ratio or the end of the game, counting that ply; for cursed and blessed
    /// values without draw rules; -1 for a draw.
    pub distance_plies: i32,
}

/// What an answer may take account of and cost. Where a pointer to one is null, there is no history and the budget is
/// the library's own.
#[repr(C)]
pub struct BolshakQuery {
    /// The positions that occurred in the game before this one, for 1.9.1.7; may be null where there are none.
    pub history: *const BolshakPosition,
    /// How many they are.
    pub history_count: usize,
    /// States that may be searched before the answer is given up; 0 for the library's own budget.
    pub max_states: u64,
}

/// The answer for a state.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BolshakAnswer {
    /// What it is worth to the side to move.
    pub outcome: BolshakOutcome,
    /// Why it is over: `no-move` or the article, such as `1.9.1.3`; empty when it is not over.
    pub over_by: [c_char; BOLSHAK_ARTICLE_CAPACITY],
}

/// A legal move and what it leads to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BolshakMove {
    /// The move as text: `e3-f4`, `e3:g5`, or the squares where a capture turns when its ends do not suffice.
    pub text: [c_char; BOLSHAK_MOVE_CAPACITY],
    /// The bit of the square where it starts.
    pub from: u8,
    /// The bit of the square where it ends.
    pub to: u8,
    /// Whether a man becomes a king by it, 0 or 1.
    pub promotes: u8,
    /// The squares of the pieces it captures; 0 for a quiet move.
    pub captured: u32,
    /// What it is worth to the side that makes it; the distance counts the move.
    pub outcome: BolshakOutcome,
    /// The state after it, with the counters as the rules have them.
    pub after: BolshakState,
}

impl From<Value> for BolshakValue {
    fn from(value: Value) -> BolshakValue {
        match value {
            Value::Win => BolshakValue::Win,
            Value::CursedWin => BolshakValue::CursedWin,
            Value::Draw => BolshakValue::Draw,
            Value::BlessedLoss => BolshakValue::BlessedLoss,
            Value::Loss => BolshakValue::Loss,
        }
    }
}

impl From<Outcome> for BolshakOutcome {
    fn from(outcome: Outcome) -> BolshakOutcome {
        BolshakOutcome { value: outcome.value.into(), distance_plies: outcome.distance_plies.map_or(-1, i32::from) }
    }
}

fn over_by(over: Option<Over>) -> [c_char; BOLSHAK_ARTICLE_CAPACITY] {
    text_field(match over {
        None => "",
        Some(Over::NoMove { .. }) => "no-move",
        Some(Over::Drawn(article)) => article.number(),
    })
}

fn rated(rules: &Rules, state: &State, rated: &RatedMove) -> BolshakMove {
    let RatedMove { text, mv, outcome } = rated;
    BolshakMove {
        text: text_field(text),
        from: bit(mv.from),
        to: bit(mv.to),
        promotes: mv.is_promotion().into(),
        captured: bits(mv.captured),
        outcome: (*outcome).into(),
        after: BolshakState::of(&rules.after(state, mv)),
    }
}

/// A query as C passes it, with its history read.
struct Terms {
    history: Vec<Position>,
    max_states: u64,
}

impl Terms {
    /// # Safety
    ///
    /// `query` is null or points to one whose `history` points to so many positions.
    unsafe fn read(query: *const BolshakQuery) -> Result<Terms, Failure> {
        let budget = Query::default().max_states;
        // SAFETY: upheld by the caller of this function.
        let Some(query) = (unsafe { query.as_ref() }) else {
            return Ok(Terms { history: Vec::new(), max_states: budget });
        };
        // SAFETY: the same.
        let history = unsafe { array("history", query.history, query.history_count)? };
        Ok(Terms {
            history: history.iter().map(BolshakPosition::read).collect::<Result<_, _>>()?,
            max_states: if query.max_states == 0 { budget } else { query.max_states },
        })
    }

    fn query(&self) -> Query<'_> {
        Query { history: &self.history, max_states: self.max_states, cancel: None }
    }
}

/// The exact value and distance of a state under a rule set.
///
/// # Safety
///
/// `tables` is an open handle; `state` points to one; `query` is null or points to one whose `history` has so many
/// positions; `outcome` and, if not null, `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_probe(
    tables: *const BolshakTables,
    rule_set: u32,
    state: *const BolshakState,
    query: *const BolshakQuery,
    outcome: *mut BolshakOutcome,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, state) = unsafe { (reference("tables", tables)?, reference("state", state)?.read()?) };
        // SAFETY: the same.
        let (terms, outcome) = unsafe { (Terms::read(query)?, Place::new("outcome", outcome)?) };
        outcome.set(tables.0.probe_outcome(&tables.rules(rule_set)?, &state, terms.query())?.into());
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// As `bolshak_probe`, but only from what is decoded in memory: it reads no file and waits for no other thread.
/// `BOLSHAK_STATUS_NOT_RESIDENT` if that does not suffice; then `bolshak_probe`, on a thread that may wait, gives the
/// answer and leaves what it decodes in memory.
///
/// # Safety
///
/// As for `bolshak_probe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_probe_resident(
    tables: *const BolshakTables,
    rule_set: u32,
    state: *const BolshakState,
    query: *const BolshakQuery,
    outcome: *mut BolshakOutcome,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, state) = unsafe { (reference("tables", tables)?, reference("state", state)?.read()?) };
        // SAFETY: the same.
        let (terms, outcome) = unsafe { (Terms::read(query)?, Place::new("outcome", outcome)?) };
        let resident = tables.0.probe_resident(&tables.rules(rule_set)?, &state, terms.query())?;
        let missed = || Failure::new(BolshakStatus::NotResident, "what is needed is not in memory");
        outcome.set(resident.ok_or_else(missed)?.into());
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// The value and distance of many states, each under the same query. `statuses[i]` tells what became of `states[i]`, and
/// `outcomes[i]` means something where that is `BOLSHAK_STATUS_OK`. States that fail do not make the call fail: it returns
/// `BOLSHAK_STATUS_OK`, and the error's message is the reason of the first of them.
///
/// # Safety
///
/// `tables` is an open handle; `states` points to `count` of them; `query` is null or points to one whose `history` has
/// so many positions; `outcomes` and `statuses` have room for `count` items; `error`, if not null, may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_probe_batch(
    tables: *const BolshakTables,
    rule_set: u32,
    states: *const BolshakState,
    count: usize,
    query: *const BolshakQuery,
    outcomes: *mut BolshakOutcome,
    statuses: *mut BolshakStatus,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, states) = unsafe { (reference("tables", tables)?, array("states", states, count)?) };
        // SAFETY: the same.
        let (outcomes, statuses) =
            unsafe { (Places::new("outcomes", outcomes, count)?, Places::new("statuses", statuses, count)?) };
        // SAFETY: the same.
        let terms = unsafe { Terms::read(query)? };
        let rules = tables.rules(rule_set)?;
        let (mut numbers, mut asked, mut first_failure) = (Vec::new(), Vec::new(), None);
        let unknown = BolshakOutcome { value: BolshakValue::Draw, distance_plies: -1 };
        let mut results = vec![(BolshakStatus::Ok, unknown); count];
        let mut fail = |number: usize, failure: Failure| {
            results[number].0 = failure.status;
            if first_failure.as_ref().is_none_or(|(first, _)| *first > number) {
                first_failure = Some((number, failure.message));
            }
        };
        for (number, state) in states.iter().enumerate() {
            match state.read() {
                Ok(state) => {
                    numbers.push(number);
                    asked.push(state);
                }
                Err(failure) => fail(number, failure),
            }
        }
        let mut found = Vec::with_capacity(asked.len());
        for (number, answer) in numbers.into_iter().zip(tables.0.probe_batch(&rules, &asked, terms.query())) {
            match answer {
                Ok(outcome) => found.push((number, outcome)),
                Err(error) => fail(number, error.into()),
            }
        }
        for (number, outcome) in found {
            results[number].1 = outcome.into();
        }
        statuses.set(results.iter().map(|(status, _)| *status))?;
        outcomes.set(results.iter().map(|(_, outcome)| *outcome))?;
        Ok(first_failure.map(|(number, message)| format!("state {number}: {message}")))
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// The exact answer for a state with every legal move, best first, equal ones in order of text. `count` gets the number
/// of moves, 0 when the state is over; if there is room for fewer, `answer` and `count` are written, no move is, and the
/// status is `BOLSHAK_STATUS_BUFFER_TOO_SMALL`.
///
/// # Safety
///
/// `tables` is an open handle; `state` points to one; `query` is null or points to one whose `history` has so many
/// positions; `moves` has room for `capacity` items; `answer`, `count` and, if not null, `error` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_probe_moves(
    tables: *const BolshakTables,
    rule_set: u32,
    state: *const BolshakState,
    query: *const BolshakQuery,
    answer: *mut BolshakAnswer,
    moves: *mut BolshakMove,
    capacity: usize,
    count: *mut usize,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, state) = unsafe { (reference("tables", tables)?, reference("state", state)?.read()?) };
        // SAFETY: the same.
        let (terms, moves) = unsafe { (Terms::read(query)?, Places::new("moves", moves, capacity)?) };
        // SAFETY: the same.
        let (answer, count) = unsafe { (Place::new("answer", answer)?, Place::new("count", count)?) };
        let rules = tables.rules(rule_set)?;
        let found = tables.0.probe(&rules, &state, terms.query())?;
        answer.set(BolshakAnswer { outcome: found.outcome.into(), over_by: over_by(found.over) });
        count.set(found.moves.len());
        moves.set(found.moves.iter().map(|mv| rated(&rules, &state, mv)))?;
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}

/// The state after a legal move, given as text as in `BolshakMove`, with the counters as the rules have them. No table
/// is needed. `after` may be the place that `state` points to.
///
/// # Safety
///
/// `tables` is an open handle; `state` points to one; `text` is closed by NUL; `after` and, if not null, `error` may be
/// written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bolshak_play(
    tables: *const BolshakTables,
    rule_set: u32,
    state: *const BolshakState,
    move_text: *const c_char,
    after: *mut BolshakState,
    error: *mut BolshakError,
) -> BolshakStatus {
    let body = || {
        // SAFETY: the caller in C upholds what this function asks for.
        let (tables, state) = unsafe { (reference("tables", tables)?, reference("state", state)?.read()?) };
        // SAFETY: the same.
        let (move_text, after) = unsafe { (text("move_text", move_text)?, Place::new("after", after)?) };
        let mv = state.position.parse_move(move_text).map_err(Failure::invalid)?;
        after.set(BolshakState::of(&tables.rules(rule_set)?.after(&state, &mv)));
        Ok(None)
    };
    // SAFETY: the caller in C upholds that `error` may be written to.
    unsafe { call(error, body) }
}
