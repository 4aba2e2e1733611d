//! Questions as engines ask them: less than a whole answer, many at once, or only if it costs no wait.

use bolshak_rules::{Counters, Rules, State};

use crate::file::Kind;
use crate::outcome::{Outcome, Value};
use crate::probe::RatedMove;
use crate::search::{ProbeError, Query};
use crate::slice::Slice;
use crate::store::{Fresh, Tables};

impl Tables {
    /// The exact value of a state.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{LookUpError, ProbeError, Query, Tables, Value};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// let state = State::fresh(Position::from_fen("W:WKa1:BKh8")?.position);
    /// let answer = tables.probe_value(&Rules::OFFICIAL, &state, Query::default());
    /// // A caller has to face that there may be no table.
    /// assert!(matches!(answer, Err(ProbeError::LookUp(LookUpError::NotInTables { .. }))));
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    ///
    /// // After `bolshak generate --slices KvK`:
    /// assert_eq!(tables.probe_value(&Rules::OFFICIAL, &state, Query::default())?, Value::Loss);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_value(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<Value, ProbeError> {
        if !self.is_fresh(rules, state, query) {
            return Ok(self.probe_outcome(rules, state, query)?.value);
        }
        match Fresh::ended(rules, &state.position) {
            Some(ended) => Ok(ended.outcome().value),
            None => Ok(self.fresh_value(rules, &state.position)?),
        }
    }

    /// [`Tables::probe_value`] if it can be told from what is decoded in memory; see [`Tables::probe_resident`].
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Query, Tables, Value};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// let state = State::fresh(Position::from_fen("W:WKc1:BKh8")?.position);
    /// assert_eq!(tables.value_resident(&Rules::OFFICIAL, &state, Query::default())?, None);
    /// let value = tables.probe_value(&Rules::OFFICIAL, &state, Query::default())?;
    /// assert_eq!(tables.value_resident(&Rules::OFFICIAL, &state, Query::default())?, Some(value));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value_resident(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<Option<Value>, ProbeError> {
        if !self.is_fresh(rules, state, query) {
            return Ok(self.probe_resident(rules, state, query)?.map(|outcome| outcome.value));
        }
        Ok(match Fresh::ended(rules, &state.position) {
            Some(ended) => Some(ended.outcome().value),
            None => self.fresh_value_if_resident(rules, &state.position),
        })
    }

    /// Whether nothing but the position matters, so that the tables tell its value alone.
    fn is_fresh(&self, rules: &Rules, state: &State, query: Query<'_>) -> bool {
        state.counters == Counters::default() && query.history.is_empty() && rules.variant == self.variant()
    }

    /// The moves that are best, all with the same value and distance, in order of text; none when the state is over.
    /// With a draw they are all the moves that keep it.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Query, Tables};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// let state = State::fresh(Position::from_fen("W:WKc1:BKh8")?.position);
    /// let moves = tables.best_moves(&Rules::OFFICIAL, &state, Query::default())?;
    /// let texts: Vec<&str> = moves.iter().map(|rated| rated.text.as_str()).collect();
    /// assert_eq!(texts, ["c1-a3", "c1-d2", "c1-e3", "c1-f4", "c1-g5", "c1-h6"], "all but c1-b2, onto the main road");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_moves(&self, rules: &Rules, state: &State, query: Query<'_>) -> Result<Vec<RatedMove>, ProbeError> {
        let mut moves = self.probe(rules, state, query)?.moves;
        if let Some(best) = moves.first().map(|rated| rated.outcome) {
            moves.retain(|rated| rated.outcome == best);
        }
        Ok(moves)
    }

    /// Value and distance of many states, each under the same terms, in the order in which they are given. They are
    /// looked up in the order of the tables, so that a block that several need is decoded once.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Query, Tables, Value};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// let state = |fen| Ok::<_, Box<dyn std::error::Error>>(State::fresh(Position::from_fen(fen)?.position));
    /// let states = [state("W:WKc1:BKh8")?, state("W:WKa1:BKg7")?, state("W:WKa1,c1:BKh8")?];
    /// let answers = tables.probe_batch(&Rules::OFFICIAL, &states, Query::default());
    /// assert_eq!(answers[0].as_ref().map(|outcome| outcome.value).ok(), Some(Value::Draw));
    /// assert_eq!(answers[1].as_ref().map(|outcome| outcome.value).ok(), Some(Value::Win));
    /// assert!(answers[2].is_err(), "there is no table of two kings against one");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_batch(&self, rules: &Rules, states: &[State], query: Query<'_>) -> Vec<Result<Outcome, ProbeError>> {
        let place = |number: &usize| {
            let position = &states[*number].position;
            let slice = Slice::of(position)?;
            // The index of a slice without a table may be large, and would be kept.
            let there = matches!(self.table(slice, &Kind::Value), Ok(Some(_)));
            Some((slice, there.then(|| self.index(slice).index(position))))
        };
        let mut order: Vec<usize> = (0..states.len()).collect();
        order.sort_by_cached_key(place);
        let mut answers: Vec<_> =
            order.into_iter().map(|number| (number, self.probe_outcome(rules, &states[number], query))).collect();
        answers.sort_unstable_by_key(|(number, _)| *number);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }

    /// Value and distance of a state if they can be told from what is decoded in memory; `None` if a file would have to
    /// be read, or another thread waited for. Then [`Tables::probe_outcome`], on a thread that may wait, gives the answer
    /// and leaves what it decodes in memory.
    ///
    /// ```
    /// # use std::sync::atomic::AtomicBool;
    /// use bolshak_rules::{Position, Rules, State, Variant};
    /// use bolshak_tables::{Query, Tables};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let tables = Tables::open(directory.path(), Variant::Russian);
    /// # let (solver, stop) = (bolshak_generate::ScalarSolver, AtomicBool::new(false));
    /// # bolshak_generate::generate(&tables, &["KvK".parse()?], &[Rules::OFFICIAL], &solver, &mut (), &stop)?;
    /// let tables = Tables::open(directory.path(), Variant::Russian);
    /// let state = State::fresh(Position::from_fen("W:WKc1:BKh8")?.position);
    /// assert_eq!(tables.probe_resident(&Rules::OFFICIAL, &state, Query::default())?, None);
    /// let outcome = tables.probe_outcome(&Rules::OFFICIAL, &state, Query::default())?;
    /// assert_eq!(tables.probe_resident(&Rules::OFFICIAL, &state, Query::default())?, Some(outcome));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_resident(
        &self,
        rules: &Rules,
        state: &State,
        query: Query<'_>,
    ) -> Result<Option<Outcome>, ProbeError> {
        Ok(self.if_resident(rules, state, query, |search| search.standing(state))?.map(Fresh::outcome))
    }
}
