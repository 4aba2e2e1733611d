//! Answers for any state: what it is worth, and every move.

use bolshak_rules::{Article, Move, Over, Rules, State};

use crate::outcome::{Forced, Outcome, Value};
use crate::search::{ProbeError, Query, Search};
use crate::store::{LookUpError, Tables};

/// The answer for a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What it is worth to the side to move.
    pub outcome: Outcome,
    /// Why it is over, if it is.
    pub over: Option<Over>,
    /// Every legal move, best first; none when the state is over.
    pub moves: Vec<RatedMove>,
}

/// A legal move and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedMove {
    /// The move as text.
    pub text: String,
    /// The move.
    pub mv: Move,
    /// What it is worth to the side that makes it; the distance counts the move.
    pub outcome: Outcome,
}

/// What can be told of a state although tables that some of its moves lead to are missing or damaged.
#[derive(Debug)]
pub struct KnownAnswer {
    /// The answer, with the moves whose worth is known.
    pub answer: Answer,
    /// The other legal moves, in order of text.
    pub unknown: Vec<UnknownMove>,
}

/// A legal move whose worth the tables do not tell.
#[derive(Debug)]
pub struct UnknownMove {
    /// The move as text.
    pub text: String,
    /// The move.
    pub mv: Move,
    /// The table that is missing or cannot be used.
    pub why: LookUpError,
}

impl KnownAnswer {
    /// The answer if it has every move, else why the first of the others is not known.
    pub fn complete(self) -> Result<Answer, LookUpError> {
        self.unknown.into_iter().next().map_or(Ok(self.answer), |unknown| Err(unknown.why))
    }
}

/// One ply of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinePly {
    /// The state before it.
    pub state: State,
    /// The answer for that state. Where tables are missing, with the moves whose worth is known, the best among them; or
    /// without moves, and then the error follows that says why the best is not known.
    pub answer: Answer,
}

impl Tables {
    /// The exact answer for a state, with every legal move.
    pub fn probe(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<Answer, ProbeError> {
        Ok(self.probe_known(rules, state, query)?.complete()?)
    }

    /// The same where tables of some moves are missing or damaged: the value of the state, the moves whose worth is
    /// known, and for each other one what it would need. An error where the value itself needs such a table.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Kind, LookUpError, Query, Tables, Value};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KKvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// for kind in Kind::needed_by(&Rules::OFFICIAL) {
    ///     std::fs::remove_file(tables.path("KvK".parse()?, &kind))?;
    /// }
    /// tables.reload();
    /// let state = State::fresh(Position::from_fen("W:WKa1,Kc1:BKh8")?.position);
    /// let known = tables.probe_known(&Rules::OFFICIAL, &state, Query::default())?;
    /// assert_eq!(known.answer.outcome.value, Value::Win);
    /// // After it Black captures, into the table that is not there.
    /// assert_eq!(known.unknown[0].text, "a1-b2");
    /// assert!(matches!(known.unknown[0].why, LookUpError::NotInTables { missing, .. } if missing == "KvK".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_known(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<KnownAnswer, ProbeError> {
        known_answer(&mut self.search(rules, state, query)?, rules, state)
    }

    /// [`Tables::probe`] if its answer can be told from what is decoded in memory; see [`Tables::probe_resident`].
    pub fn answer_resident(
        &self,
        rules: &Rules,
        state: &State,
        query: Query<'_>,
    ) -> Result<Option<Answer>, ProbeError> {
        self.if_resident(rules, state, query, |search| Ok(known_answer(search, rules, state)?.complete()?))
    }

    pub(crate) fn if_resident<T>(
        &self,
        rules: &Rules,
        state: &State,
        query: Query<'_>,
        look_up: impl FnOnce(&mut Search<'_>) -> Result<T, ProbeError>,
    ) -> Result<Option<T>, ProbeError> {
        let mut search = self.search(rules, state, query)?.only_resident();
        match look_up(&mut search) {
            Ok(found) => Ok(Some(found)),
            Err(_) if search.missed_memory() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The exact value and distance of a state.
    pub fn probe_outcome(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<Outcome, ProbeError> {
        Ok(self.search(rules, state, query)?.standing(state)?.outcome())
    }

    /// Best play from a state, ply by ply, until the game is over or neither side can force anything even without draw
    /// rules. The last item is the state in which it ends, or the error that the best move of the state before it is not
    /// known, or that tables contradict each other: best play goes on as long as it was said to, or a line might never end.
    pub fn line<'a>(
        &'a self,
        rules: &'a Rules,
        state: &State,
        query: Query<'a>,
    ) -> impl Iterator<Item = Result<LinePly, ProbeError>> + 'a {
        let mut next = Some(Ok(*state));
        std::iter::from_fn(move || {
            let step = next.take()?.and_then(|state| {
                let (answer, best) = self.consistent_answer(rules, &state, query)?;
                next = match best {
                    Ok(best) => best.map(|best| Ok(rules.after(&state, &best))),
                    Err(unknown) => Some(Err(unknown.into())),
                };
                Ok(LinePly { state, answer })
            });
            Some(step)
        })
    }

    /// The answer for a state if its moves bear it out, and the best of them if play goes on, or why that is not known.
    fn consistent_answer(
        &self,
        rules: &Rules,
        state: &State,
        query: Query<'_>,
    ) -> Result<(Answer, Result<Option<Move>, LookUpError>), ProbeError> {
        let mut search = self.search(rules, state, query)?;
        let KnownAnswer { mut answer, unknown } = known_answer(&mut search, rules, state)?;
        let best = answer.moves.first().map(|best| best.outcome);
        let goes_on = answer.outcome.distance_plies.is_some();
        let best_move = answer.moves.first().filter(|_| goes_on).map(|best| best.mv);
        if let Some(unknown) = unknown.into_iter().next() {
            // A move that is not known may be the best, but never better than what the state is worth.
            if goes_on && best != Some(answer.outcome) {
                answer.moves.clear();
                return Ok((answer, Err(unknown.why)));
            }
            return Ok((answer, Ok(best_move)));
        }
        if best.is_none_or(|best| bears_out(best, answer.outcome, search.is_claimed(&state.position))) {
            return Ok((answer, Ok(best_move)));
        }
        Err(search.contradiction(&state.position))
    }

    pub(crate) fn search<'a>(
        &'a self,
        rules: &Rules,
        state: &State,
        query: Query<'a>,
    ) -> Result<Search<'a>, ProbeError> {
        if rules.variant != self.variant() {
            return Err(ProbeError::Variant { tables: self.variant(), rules: rules.variant });
        }
        Ok(Search::new(self, rules, query, state.position))
    }
}

/// Whether a state can be worth so much whose best move is worth `best`.
fn bears_out(best: Outcome, standing: Outcome, claimed: bool) -> bool {
    match (standing.value, best.value) {
        // Moves are rated as if there were no claim.
        (Value::CursedWin, Value::Win) | (Value::BlessedLoss, Value::Loss) => claimed,
        // The move that resists longest without draw rules need not be one that they save.
        (Value::BlessedLoss, Value::BlessedLoss) => best.distance_plies <= standing.distance_plies,
        _ => best == standing,
    }
}

fn known_answer(search: &mut Search<'_>, rules: &Rules, state: &State) -> Result<KnownAnswer, ProbeError> {
    let standing = search.standing(state)?;
    let over = rules.over(state).or_else(|| {
        let drawn = rules.road_review_due(state) && standing.under_rules == Forced::NOTHING;
        drawn.then_some(Over::Drawn(Article::MainRoad))
    });
    let (mut moves, mut unknown) = (Vec::new(), Vec::new());
    if over.is_none() {
        for (text, mv) in state.position.legal_moves_with_text() {
            match search.entered(&rules.after(state, &mv)) {
                Ok(entered) => moves.push(RatedMove { text, mv, outcome: entered.before(&mv).outcome() }),
                Err(ProbeError::LookUp(why)) => unknown.push(UnknownMove { text, mv, why }),
                Err(error) => return Err(error),
            }
        }
        // The moves come in order of text, and a stable sort keeps equal ones so.
        moves.sort_by_key(|rated| rated.outcome.rank());
    }
    Ok(KnownAnswer { answer: Answer { outcome: standing.outcome(), over, moves }, unknown })
}
