//! What is forced in a state with counters and a history, exactly.
//!
//! Tables hold the values of fresh states. They settle a state with counters at once where the counts leave room for the
//! table's distance, and where it is only the count of king moves that does not, a table of steps tells how long it takes if
//! there is one. Elsewhere the play until the next man move or conversion is searched: after a man move `kings` and
//! `road` start anew, so the table's distance is exact again, and only the plies left on `ratio` have to be compared.
//! Distances of fresh states never overrate the winner, and so bound the search from below.

use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_rules::{Color, Position, RoadReading, Rules, Squares, State};

use rustc_hash::FxHashMap;

use crate::file::{Kind, TableError, TableProblem};
use crate::kings::WithKingsLeft;
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
    /// Whether a count left no room for a stored distance.
    counts_mattered: bool,
    /// By position, `road` and winner, for each number of plies left on `kings`.
    memo: FxHashMap<(Position, u8, Color), Vec<Bounds>>,
    /// What is forced in fresh states.
    fresh: FxHashMap<Position, Forced>,
    /// Whether there is a table of steps.
    has_kings: FxHashMap<Slice, bool>,
    /// Whether only what is decoded in memory may be looked at, and if so, whether that did not suffice.
    resident: Option<Resident>,
}

/// More plies than there ever are.
const NEVER: u32 = u32::MAX;
/// More cannot be told one ply before.
const LONGEST: u32 = Forced::MAX_PLIES as u32 - 1;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Resident {
    Sufficed,
    Missed,
}

/// What is known of the plies that the winner needs in a state.
#[derive(Clone, Copy)]
struct Bounds {
    /// Fewer do not suffice.
    least: u32,
    /// So many do.
    enough: u32,
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
            counts_mattered: false,
            memo: FxHashMap::default(),
            fresh: FxHashMap::default(),
            has_kings: FxHashMap::default(),
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

    /// Whether stored distances alone did not answer some state, because a count left no room for them.
    pub(crate) fn counts_mattered(&self) -> bool {
        self.counts_mattered
    }

    /// What is forced in the state that stands on the board.
    pub(crate) fn standing(&mut self, state: &State) -> Result<Fresh, ProbeError> {
        self.forced(state, self.is_claimed(&state.position))
    }

    /// Whether the position has occurred so often that its own value is that of the claim (1.9.1.7).
    pub(crate) fn is_claimed(&self, position: &Position) -> bool {
        is_repetition(&self.rules, occurrences(self.query.history, position))
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
        self.counts_mattered = true;
        let too_many_king_moves = self.machine.kings_left(state).is_some_and(|left| left < shortest);
        if too_many_king_moves && state.position.men().is_empty() {
            return Ok(Forced::NOTHING);
        }
        let turn = state.position.turn();
        let winner = if fresh.is_win() { turn } else { turn.opponent() };
        let mut plies = shortest;
        loop {
            match self.plies_missing(state, fresh, winner, plies, true)? {
                None => return Ok(at_distance(fresh, plies)),
                Some(least) if least == NEVER || ratio_left.is_some_and(|left| least > left) => {
                    return Ok(Forced::NOTHING);
                }
                Some(least) if least > LONGEST => return Err(self.contradiction(&state.position)),
                Some(least) => plies = least,
            }
        }
    }

    /// Whether the table's distance holds for this state, when the plies left on `ratio` suffice for it: either `kings`
    /// is 0 as in a fresh state, or it leaves room for the whole distance.
    fn is_settled(&self, state: &State, shortest: u32) -> bool {
        (state.counters.kings_plies == 0 || self.machine.kings_left(state).is_none_or(|left| left >= shortest))
            && (state.counters.road_moves == 0 || self.machine.road_left(state).is_none())
            && !self.history_matters(&state.position)
    }

    /// Whether the winner converts or ends the game within so many plies, whatever the other side does: `None` if so, else
    /// how many it needs at least, which is more. `fresh` is what is forced in the fresh state, and `plies` never exceeds
    /// what is left on `ratio`.
    fn plies_missing(
        &mut self,
        state: &State,
        fresh: Forced,
        winner: Color,
        plies: u32,
        at_root: bool,
    ) -> Result<Option<u32>, ProbeError> {
        let position = &state.position;
        let winning = if position.turn() == winner { fresh.is_win() } else { fresh.is_loss() };
        let Some(shortest) = fresh.plies().map(u32::from).filter(|_| winning) else { return Ok(Some(NEVER)) };
        if shortest > plies {
            return Ok(Some(shortest));
        }
        // Only a side without a move is at the end already, and that comes before every draw.
        if shortest == 0 {
            return Ok(None);
        }
        let drawn =
            self.machine.drawn_by_count(state).is_some() || (!at_root && self.drawn_when_entered.contains(position));
        if drawn {
            return Ok(Some(NEVER));
        }
        if self.is_settled(state, shortest) {
            return Ok(None);
        }
        match self.by_kings_left(state, shortest)? {
            Some(WithKingsLeft::Never) => return Ok(Some(NEVER)),
            Some(WithKingsLeft::Plies(needed)) => return Ok((needed > plies).then_some(needed)),
            Some(WithKingsLeft::Between(less, _)) if less >= plies => return Ok(Some(less + 1)),
            Some(WithKingsLeft::Between(_, most)) if most <= plies => return Ok(None),
            _ => {}
        }
        // Without the count of king moves there is always one more of them left.
        let kings_left = self.machine.kings_left(state).unwrap_or(0) as usize;
        let key = (*position, state.counters.road_moves, winner);
        if let Some(known) = self.memo.get(&key).and_then(|bounds| bounds.get(kings_left)) {
            if known.enough <= plies {
                return Ok(None);
            }
            if known.least > plies {
                return Ok(Some(known.least));
            }
        }
        self.spend()?;
        let missing = self.plies_missing_after(state, winner, plies)?;
        let bounds = self.memo.entry(key).or_default();
        if bounds.len() <= kings_left {
            let last = bounds.last().copied().unwrap_or(Bounds { least: shortest, enough: NEVER });
            bounds.resize(kings_left + 1, Bounds { least: shortest, ..last });
        }
        // With more king moves left the winner needs no more plies, and with fewer no less.
        match missing {
            None => bounds[kings_left..].iter_mut().for_each(|bounds| bounds.enough = plies.min(bounds.enough)),
            Some(least) => bounds[..=kings_left].iter_mut().for_each(|bounds| bounds.least = least.max(bounds.least)),
        }
        Ok(missing)
    }

    /// How many plies the winner needs who needs `shortest` in the fresh state, where a table tells what the count of king
    /// moves does and nothing else matters.
    fn by_kings_left(&mut self, state: &State, shortest: u32) -> Result<Option<WithKingsLeft>, ProbeError> {
        let position = &state.position;
        let (Some(left), Some(slice)) = (self.machine.kings_left(state), Slice::of(position)) else { return Ok(None) };
        if state.counters.road_moves > 0 || self.history_matters(position) {
            return Ok(None);
        }
        let has_table = match self.has_kings.get(&slice) {
            Some(&has_table) => has_table,
            None => {
                let has_table = match self.resident {
                    Some(_) => self.tables.has_kings_open(&self.rules, slice),
                    None => self.tables.has_kings(&self.rules, slice)?,
                };
                *self.has_kings.entry(slice).or_insert(has_table)
            }
        };
        if !has_table {
            return Ok(None);
        }
        let whole = self.machine.kings_left(&State::fresh(*position)).unwrap_or(left);
        let plies = [whole, shortest, left];
        if self.resident.is_some() {
            let told = self.tables.with_kings_left_if_resident(&self.rules, position, plies);
            return told.map(Some).ok_or_else(|| self.missed());
        }
        Ok(Some(self.tables.with_kings_left(&self.rules, position, plies)?))
    }

    /// The same from all moves.
    fn plies_missing_after(&mut self, state: &State, winner: Color, plies: u32) -> Result<Option<u32>, ProbeError> {
        let winner_moves = state.position.turn() == winner;
        let mut successors = Vec::new();
        for mv in state.position.legal_moves() {
            let after = self.machine.after(state, &mv);
            let forced = if mv.is_conversion() {
                self.entered(&after)?.under_rules
            } else {
                self.forced_when_fresh(&after.position)?
            };
            successors.push((forced, mv, after));
        }
        // Where the winner moves, the shortest way first; where the other side does, its longest resistance.
        successors.sort_unstable_by_key(|(forced, mv, _)| (*forced, *mv));
        let mut least = NEVER;
        for (forced, mv, after) in successors {
            let missing = if mv.is_conversion() {
                let won = if winner_moves { forced.is_loss() } else { forced.is_win() };
                if won { (plies == 0).then_some(1) } else { Some(NEVER) }
            } else if plies == 0 {
                Some(1)
            } else {
                let missing = self.plies_missing(&after, forced, winner, plies - 1, false)?;
                missing.map(|plies| plies.saturating_add(1))
            };
            match missing {
                None if winner_moves => return Ok(None),
                Some(plies) if winner_moves => least = least.min(plies),
                None => {}
                missing => return Ok(missing),
            }
        }
        Ok(winner_moves.then_some(least))
    }

    /// What the tables tell of a position, whose neighbours in the search ask again and again.
    fn forced_when_fresh(&mut self, position: &Position) -> Result<Forced, ProbeError> {
        if let Some(&forced) = self.fresh.get(position) {
            return Ok(forced);
        }
        let forced = match Fresh::ended(&self.rules, position) {
            Some(ended) => ended.under_rules,
            None => self.fresh(position)?.under_rules,
        };
        self.fresh.insert(*position, forced);
        Ok(forced)
    }

    fn fresh(&mut self, position: &Position) -> Result<Fresh, ProbeError> {
        if self.resident.is_some() {
            return self.tables.fresh_if_resident(&self.rules, position).ok_or_else(|| self.missed());
        }
        self.tables.fresh(&self.rules, position).map_err(|error| match error {
            LookUpError::NotInTables { missing, file, rules, .. } => {
                let requested = Slice::of(&self.root).unwrap_or(missing);
                LookUpError::NotInTables { requested, missing, file, rules }.into()
            }
            other => other.into(),
        })
    }

    /// The error that what tables tell of a position cannot be so.
    #[cold]
    pub(crate) fn contradiction(&self, position: &Position) -> ProbeError {
        let problem = TableProblem::Contradiction { fen: position.to_fen() };
        let path = Slice::of(position).map(|slice| self.tables.path(slice, &Kind::Distance)).unwrap_or_default();
        LookUpError::from(TableError { path, problem }).into()
    }

    fn missed(&mut self) -> ProbeError {
        self.resident = Some(Resident::Missed);
        ProbeError::Cancelled
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

/// The same in so many plies, at most [`LONGEST`].
fn at_distance(forced: Forced, plies: u32) -> Forced {
    let plies = plies as u16;
    if forced.is_win() { Forced::win(plies) } else { Forced::loss(plies) }
}
