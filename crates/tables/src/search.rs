//! What is forced in a state with counters and a history, exactly.
//!
//! Tables hold the values of fresh states. They settle a state with counters at once where the counts leave room for the
//! table's distance. Elsewhere the play until the next man move or conversion is searched: after a man move `kings` and
//! `road` start anew, so the table's distance is exact again, and only the plies left on `ratio` have to be compared.
//! Distances of fresh states never overrate the winner, and so bound the search from below.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_rules::{Color, Move, Over, Position, RoadReading, Rules, Squares, State};

use crate::outcome::Forced;
use crate::slice::{Material, Slice};
use crate::store::{Fresh, LookUpError, Tables};

/// What an answer may take account of and cost.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The positions that occurred in the game before this one, for 1.9.1.7, each as often as it did. One that has
    /// occurred twice is a draw when it is entered again; if the position asked about stands for the third time, its own
    /// value is that of the claim, and its moves are rated as if none were made.
    pub history: &'a [Position],
    /// States that may be searched before the answer is given up.
    pub max_states: u64,
    /// Set by somebody else to give up at once.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Query<'_> {
    fn default() -> Self {
        Query { history: &[], max_states: 50_000_000, cancel: None }
    }
}

/// Why a state has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// A table is not there or cannot be used.
    #[error(transparent)]
    LookUp(#[from] LookUpError),
    /// The tables are of another variant than the rules.
    #[error("these tables are of {tables}, not of {rules}")]
    Variant {
        /// The variant of the tables.
        tables: bolshak_rules::Variant,
        /// The variant asked about.
        rules: bolshak_rules::Variant,
    },
    /// The search went beyond its budget.
    #[error("no answer within the budget of {max_states} states")]
    Budget {
        /// [`Query::max_states`].
        max_states: u64,
    },
    /// [`Query::cancel`] was set.
    #[error("cancelled")]
    Cancelled,
}

/// Searches states of one game.
pub(crate) struct Search<'a> {
    tables: &'a Tables,
    rules: Rules,
    /// The rules as they decide values: see [`value_rules`].
    machine: Rules,
    query: Query<'a>,
    root: Position,
    /// The positions that are a draw when they are entered once more (1.9.1.7).
    drawn_when_entered: Vec<Position>,
    searched: u64,
    memo: HashMap<(Position, u32, u8, Color), Bounds>,
    /// Whether only what is decoded in memory may be looked at, and if so, whether that did not suffice.
    resident: Option<Resident>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Resident {
    Sufficed,
    Missed,
}

/// What is known of the plies that the winner needs in a state.
#[derive(Clone, Copy)]
struct Bounds {
    /// It is not done within so many plies.
    refuted: Option<u32>,
    /// It is done within so many plies.
    proven: Option<u32>,
}

/// The won-position reading of 1.9.1.5 never changes a value: values are those of the game without the article.
fn value_rules(mut rules: Rules) -> Rules {
    rules.set.main_road = rules.set.main_road.filter(|rule| rule.reading == RoadReading::Strict);
    rules
}

impl<'a> Search<'a> {
    pub(crate) fn new(tables: &'a Tables, rules: &Rules, query: Query<'a>, root: Position) -> Search<'a> {
        let mut drawn_when_entered = Vec::new();
        for past in query.history {
            let before = occurrences(query.history, past) + u32::from(*past == root);
            if is_repetition(rules, before) && !drawn_when_entered.contains(past) {
                drawn_when_entered.push(*past);
            }
        }
        Search {
            tables,
            rules: *rules,
            machine: value_rules(*rules),
            query,
            root,
            drawn_when_entered,
            searched: 0,
            memo: HashMap::new(),
            resident: None,
        }
    }

    /// The same search, given up where it needs what is not decoded in memory.
    pub(crate) fn only_resident(self) -> Search<'a> {
        Search { resident: Some(Resident::Sufficed), ..self }
    }

    /// Whether the search was given up because something was not in memory.
    pub(crate) fn missed_memory(&self) -> bool {
        self.resident == Some(Resident::Missed)
    }

    /// What is forced in the state that stands on the board.
    pub(crate) fn standing(&mut self, state: &State) -> Result<Fresh, ProbeError> {
        let drawn = is_repetition(&self.rules, occurrences(self.query.history, &state.position));
        self.forced(state, drawn)
    }

    /// What is forced in a state that the move about to be made enters.
    pub(crate) fn entered(&mut self, state: &State) -> Result<Fresh, ProbeError> {
        self.forced(state, self.drawn_when_entered.contains(&state.position))
    }

    fn forced(&mut self, state: &State, drawn_by_repetition: bool) -> Result<Fresh, ProbeError> {
        if let Some(ended) = Fresh::ended(&self.rules, &state.position) {
            return Ok(ended);
        }
        let fresh = self.fresh(&state.position)?;
        let drawn = drawn_by_repetition || self.machine.drawn_by_count(state).is_some();
        let under_rules = if drawn { Forced::NOTHING } else { self.counted(state, fresh.under_rules)? };
        Ok(Fresh { under_rules, ..fresh })
    }

    /// What is forced in a state that is not over, given what is forced when it is fresh.
    fn counted(&mut self, state: &State, fresh: Forced) -> Result<Forced, ProbeError> {
        let ratio_left = self.machine.ratio_left(state);
        let Some(shortest) = fresh.within(ratio_left).plies().map(u32::from) else { return Ok(Forced::NOTHING) };
        if self.is_settled(state, shortest) {
            return Ok(fresh);
        }
        let too_many_king_moves = self.machine.kings_left(state).is_some_and(|left| left < shortest);
        if too_many_king_moves && state.position.men().is_empty() {
            return Ok(Forced::NOTHING);
        }
        let turn = state.position.turn();
        let winner = if fresh.is_win() { turn } else { turn.opponent() };
        let longest = ratio_left.unwrap_or(Forced::MAX_PLIES.into());
        if !self.wins_within(state, winner, longest, true)? {
            return Ok(Forced::NOTHING);
        }
        for plies in shortest..longest {
            if self.wins_within(state, winner, plies, true)? {
                return Ok(at_distance(fresh, plies));
            }
        }
        Ok(at_distance(fresh, longest))
    }

    /// Whether the table's distance holds for this state, when the plies left on `ratio` suffice for it: either `kings`
    /// is 0 as in a fresh state, or it leaves room for the whole distance.
    fn is_settled(&self, state: &State, shortest: u32) -> bool {
        (state.counters.kings_plies == 0 || self.machine.kings_left(state).is_none_or(|left| left >= shortest))
            && (state.counters.road_moves == 0 || self.machine.road_left(state).is_none())
            && !self.history_matters(&state.position)
    }

    /// Whether the winner converts or ends the game within so many plies, whatever the other side does. `plies` never
    /// exceeds what is left on `ratio`.
    fn wins_within(&mut self, state: &State, winner: Color, plies: u32, at_root: bool) -> Result<bool, ProbeError> {
        let position = &state.position;
        let moves = position.legal_moves();
        if moves.is_empty() || position.opponent().pieces().is_empty() {
            let over = self.rules.over_by_no_move(position);
            return Ok(over == Some(Over::NoMove { winner }));
        }
        let drawn =
            self.machine.drawn_by_count(state).is_some() || (!at_root && self.drawn_when_entered.contains(position));
        if drawn {
            return Ok(false);
        }
        let fresh = self.fresh(position)?.under_rules;
        let winning = if position.turn() == winner { fresh.is_win() } else { fresh.is_loss() };
        let shortest = fresh.plies().map_or(u32::MAX, u32::from);
        if !winning || shortest > plies {
            return Ok(false);
        }
        if self.is_settled(state, shortest) {
            return Ok(true);
        }
        let key = (*position, state.counters.kings_plies, state.counters.road_moves, winner);
        let known = self.memo.get(&key).copied().unwrap_or(Bounds { refuted: None, proven: None });
        if known.proven.is_some_and(|proven| proven <= plies) {
            return Ok(true);
        }
        if known.refuted.is_some_and(|refuted| refuted >= plies) {
            return Ok(false);
        }
        self.spend()?;
        let wins = self.best_move_wins(state, &moves, winner, plies)?;
        let bounds = self.memo.entry(key).or_insert(known);
        if wins {
            bounds.proven = Some(bounds.proven.map_or(plies, |proven| proven.min(plies)));
        } else {
            bounds.refuted = Some(bounds.refuted.map_or(plies, |refuted| refuted.max(plies)));
        }
        Ok(wins)
    }

    fn best_move_wins(&mut self, state: &State, moves: &[Move], winner: Color, plies: u32) -> Result<bool, ProbeError> {
        let winner_moves = state.position.turn() == winner;
        let mut successors = Vec::with_capacity(moves.len());
        for mv in moves {
            let after = self.machine.after(state, mv);
            let forced = if mv.is_conversion() {
                self.entered(&after)?.under_rules
            } else {
                self.forced_by_table(&after.position)?.under_rules
            };
            successors.push((forced, *mv, after));
        }
        // Where the winner moves, the shortest way first; where the other side does, its longest resistance.
        successors.sort_unstable_by_key(|(forced, mv, _)| (*forced, *mv));
        for (forced, mv, after) in successors {
            let wins = if mv.is_conversion() {
                plies >= 1 && if winner_moves { forced.is_loss() } else { forced.is_win() }
            } else if plies == 0 {
                false
            } else {
                self.wins_within(&after, winner, plies - 1, false)?
            };
            if wins == winner_moves {
                return Ok(wins);
            }
        }
        Ok(!winner_moves)
    }

    fn forced_by_table(&mut self, position: &Position) -> Result<Fresh, ProbeError> {
        match Fresh::ended(&self.rules, position) {
            Some(ended) => Ok(ended),
            None => self.fresh(position),
        }
    }

    fn fresh(&mut self, position: &Position) -> Result<Fresh, ProbeError> {
        if self.resident.is_some() {
            return self.tables.fresh_if_resident(&self.rules, position).ok_or_else(|| {
                self.resident = Some(Resident::Missed);
                ProbeError::Cancelled
            });
        }
        self.tables.fresh(&self.rules, position).map_err(|error| match error {
            LookUpError::NotInTables { missing, rules, .. } => {
                let requested = Slice::of(&self.root).unwrap_or(missing);
                LookUpError::NotInTables { requested, missing, rules }.into()
            }
            other => other.into(),
        })
    }

    fn spend(&mut self) -> Result<(), ProbeError> {
        self.searched += 1;
        if self.searched > self.query.max_states {
            return Err(ProbeError::Budget { max_states: self.query.max_states });
        }
        if self.query.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(ProbeError::Cancelled);
        }
        Ok(())
    }

    /// Whether play from here may enter a position that is a draw by that.
    fn history_matters(&self, position: &Position) -> bool {
        self.drawn_when_entered.iter().any(|past| may_lead_to(position, past))
    }
}

fn occurrences(history: &[Position], position: &Position) -> u32 {
    history.iter().filter(|past| *past == position).count() as u32
}

/// Whether one more occurrence is the one that may be claimed (1.9.1.7).
fn is_repetition(rules: &Rules, occurrences_before: u32) -> bool {
    rules.occurrences_that_draw().is_some_and(|count| occurrences_before + 1 >= count)
}

/// Whether play from one position may enter the other: pieces and men only grow fewer, and men never go back. In a real
/// game the past can return only while the same men stand; a history that no game has had is taken at its word.
fn may_lead_to(from: &Position, to: &Position) -> bool {
    let sides = [Color::White, Color::Black].map(|color| (color, from.side(color), to.side(color)));
    let material = sides.map(|(_, from, to)| (Material::of(from), Material::of(to)));
    if material.iter().all(|(from, to)| from == to) {
        sides.iter().all(|(color, from, to)| {
            let (before, after) = (advancement(from.men, *color), advancement(to.men, *color));
            before < after || from.men == to.men
        })
    } else {
        material.iter().all(|(from, to)| to.men <= from.men && to.pieces() <= from.pieces())
    }
}

/// The ranks that men have advanced, added up.
fn advancement(men: Squares, color: Color) -> u32 {
    men.iter()
        .map(|square| match color {
            Color::White => u32::from(square.rank()),
            Color::Black => u32::from(7 - square.rank()),
        })
        .sum()
}

fn at_distance(forced: Forced, plies: u32) -> Forced {
    let plies = u16::try_from(plies).unwrap_or(Forced::MAX_PLIES).min(Forced::MAX_PLIES);
    if forced.is_win() { Forced::win(plies) } else { Forced::loss(plies) }
}
