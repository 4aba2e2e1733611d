//! Checking tables by other means than those that made them: checksums of all pages, then every value (or a sample)
//! against the values one ply on.
//!
//! Under rules that count, the states one ply on are not fresh; they are answered exactly as a probe answers them, so
//! that a wrong value next to where a count bites is found as well. Where there is a table of how king moves left matter,
//! so is every number of them.

use std::borrow::Cow;

use bolshak_rules::{Counters, Rules, State};

use crate::count::Count;
use crate::file::{Kind, TableError};
use crate::outcome::{Forced, Outcome};
use crate::search::{ProbeError, Query, Search};
use crate::slice::Slice;
use crate::statistics::Statistics;
use crate::store::{Fresh, Tables};

/// Which positions of a slice are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// So many, evenly spread.
    Positions(u64),
    /// All, and what is counted in the header too.
    Full,
}

/// What a check found in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Pages whose checksums are right.
    pub pages: u64,
    /// Positions whose values follow from those one ply on.
    pub positions: u64,
    /// Those of them where a count left no room for the distances stored one ply on: there the play was searched on, or a
    /// table of how king moves left matter asked.
    pub searched: u64,
}

/// A value that does not follow from those one ply on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The position.
    pub fen: String,
    /// Its counters.
    pub counters: Counters,
    /// What the table says.
    pub stored: Fresh,
    /// What follows from the values one ply on.
    pub recomputed: Fresh,
}

/// What a check found wrong.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// A file is not there.
    #[error("{slice} has no table '{kind}'")]
    Missing {
        /// The slice.
        slice: Slice,
        /// The ending of the file's name.
        kind: Cow<'static, str>,
    },
    /// A file is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A value one ply on could not be had.
    #[error("{slice}: {error}")]
    Probe {
        /// The slice being checked.
        slice: Slice,
        /// Why.
        error: ProbeError,
    },
    /// A value is wrong.
    #[error(
        "{slice}.{kind} under '{rules}': {} with ratio {} and kings {} is {:?} ({:?} without draw rules) in the table, \
         {:?} ({:?}) by the moves",
        .mismatch.fen, .mismatch.counters.ratio_plies, .mismatch.counters.kings_plies, .mismatch.stored.under_rules, .mismatch.stored.without_rules,
        .mismatch.recomputed.under_rules, .mismatch.recomputed.without_rules
    )]
    Value {
        /// The slice.
        slice: Slice,
        /// The ending of the name of the file that says so; what it is compared with may be wrong instead.
        kind: Cow<'static, str>,
        /// The rule set.
        rules: &'static str,
        /// The value.
        mismatch: Box<Mismatch>,
    },
    /// The header's counts are not those of the cells.
    #[error("{slice}.{kind}: the counts in its header are not those of the positions")]
    Statistics {
        /// The slice.
        slice: Slice,
        /// The ending of the file's name.
        kind: Cow<'static, str>,
    },
    /// What a header counts cannot be so if what the header of the values counts is.
    #[error("{slice}.{kind}: its header contradicts that of {slice}.value")]
    Headers {
        /// The slice.
        slice: Slice,
        /// The ending of the file's name.
        kind: Cow<'static, str>,
    },
}

/// Positions read at a time.
const PART: u64 = 1 << 14;

impl Tables {
    /// Checks the pages of all tables of a slice, and if they are sound, what those say that these rules need. Gives all
    /// files that are damaged or missing, or else the first wrong value.
    pub fn verify(&self, slice: Slice, rules: &Rules, sample: Sample) -> Result<Verified, Vec<VerifyError>> {
        let mut verified = Verified::default();
        let mut faults = Vec::new();
        for kind in Kind::all_of(self.variant()) {
            match self.verify_pages(slice, &kind) {
                Ok(Some(pages)) => verified.pages += pages,
                Ok(None) if Kind::needed_by(rules).any(|needed| needed == kind) => {
                    faults.push(VerifyError::Missing { slice, kind: kind.name() });
                }
                Ok(None) => {}
                Err(error) => faults.push(error.into()),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        self.verify_contents(slice, rules, sample, &mut verified).map_err(|error| vec![error])?;
        Ok(verified)
    }

    /// Checks the pages of a table, if it is there, and gives their number.
    fn verify_pages(&self, slice: Slice, kind: &Kind) -> Result<Option<u64>, TableError> {
        let Some(table) = self.table(slice, kind)? else { return Ok(None) };
        (0..table.pages()).try_for_each(|page| table.verify_page(page))?;
        Ok(Some(table.pages()))
    }

    fn verify_contents(
        &self,
        slice: Slice,
        rules: &Rules,
        sample: Sample,
        verified: &mut Verified,
    ) -> Result<(), VerifyError> {
        let has_kings = self.table(slice, &Kind::Kings(*rules))?.is_some();
        self.verify_headers(slice, rules)?;
        let positions = self.index(slice).positions();
        match sample {
            Sample::Positions(count) => {
                let count = count.min(positions);
                for number in 0..count {
                    let index = (u128::from(number) * u128::from(positions) / u128::from(count)) as u64;
                    verified.searched +=
                        self.verify_values(slice, rules, index..index + 1, has_kings, &mut |_, _| {})?;
                }
                verified.positions = count;
            }
            Sample::Full => {
                let without_rules = rules.without_draw_rules();
                let (mut count, mut count_without) = (Count::default(), Count::default());
                for start in (0..positions).step_by(PART as usize) {
                    let range = start..positions.min(start + PART);
                    let mut add = |number: u64, fresh: Fresh| {
                        count.add(fresh.outcome(), 1, || number);
                        count_without.add(Outcome::new(fresh.without_rules, fresh.without_rules), 1, || number);
                    };
                    verified.searched += self.verify_values(slice, rules, range, has_kings, &mut add)?;
                }
                for (rules, count) in [(&without_rules, count_without), (rules, count)] {
                    if self.statistics(slice, rules)? != Some(count.statistics(&self.index(slice))) {
                        let kind = Kind::changes(rules).unwrap_or(Kind::Value).name();
                        return Err(VerifyError::Statistics { slice, kind });
                    }
                }
                verified.positions = positions;
            }
        }
        Ok(())
    }

    /// Compares the headers of the tables of a slice: values and distances are of the same game, and rules only add draws.
    fn verify_headers(&self, slice: Slice, rules: &Rules) -> Result<(), VerifyError> {
        let statistics = |kind: Kind| -> Result<Option<Statistics>, TableError> {
            Ok(self.table(slice, &kind)?.map(|table| table.statistics().clone()))
        };
        let values = statistics(Kind::Value)?;
        let forced = |statistics: &Statistics| {
            let [win, cursed_win, draw, blessed_loss, loss] = statistics.histogram.counts();
            [win + cursed_win, draw, blessed_loss + loss]
        };
        for kind in Kind::needed_by(rules) {
            let others = statistics(kind)?;
            let agree = match kind {
                Kind::Changes(_) => others.as_ref().map(forced) == values.as_ref().map(forced),
                _ => others == values,
            };
            if !agree {
                return Err(VerifyError::Headers { slice, kind: kind.name() });
            }
        }
        Ok(())
    }

    /// Gives the number of positions of [`Verified::searched`].
    fn verify_values(
        &self,
        slice: Slice,
        rules: &Rules,
        range: std::ops::Range<u64>,
        has_kings: bool,
        checked: &mut dyn FnMut(u64, Fresh),
    ) -> Result<u64, VerifyError> {
        let mut searched = 0;
        let index = self.index(slice);
        let failed = |error: ProbeError| VerifyError::Probe { slice, error };
        let mut values = vec![Fresh::NOTHING; (range.end - range.start) as usize];
        self.read(slice, rules, range.start, &mut values).map_err(|error| failed(error.into()))?;
        for (number, stored) in range.zip(values) {
            let position = index.position(number);
            let fresh = State::fresh(position);
            searched += u64::from(self.compare(rules, &fresh, stored)?);
            if has_kings && !position.can_capture() {
                let whole = rules.kings_left(&fresh).unwrap_or(0);
                let shorter = stored.under_rules.plies().map_or(0, u32::from).min(whole);
                for left in 1..shorter {
                    let kings_plies = whole - left;
                    let counters = Counters { ratio_plies: kings_plies, kings_plies, ..Counters::default() };
                    let state = State { position, counters };
                    let told = Search::new(self, rules, Query::default(), position).standing(&state).map_err(failed)?;
                    self.compare(rules, &state, told)?;
                }
            }
            checked(number, stored);
        }
        Ok(searched)
    }

    /// Compares what tables tell of a state with what follows from the states one ply on. Gives whether a count left no room
    /// for the distances stored of them.
    fn compare(&self, rules: &Rules, state: &State, stored: Fresh) -> Result<bool, VerifyError> {
        let slice = Slice::of(&state.position).expect("a position of a slice has pieces on both sides");
        let mut search = Search::new(self, rules, Query::default(), state.position);
        let recomputed = recompute(&mut search, rules, state).map_err(|error| VerifyError::Probe { slice, error })?;
        if stored == recomputed {
            return Ok(search.counts_mattered());
        }
        let kind = if state.counters != Counters::default() {
            Kind::Kings(*rules)
        } else if winner(stored.without_rules) != winner(recomputed.without_rules) {
            Kind::Value
        } else if stored.without_rules != recomputed.without_rules {
            Kind::Distance
        } else {
            Kind::Changes(*rules)
        };
        let mismatch = Mismatch { fen: state.position.to_fen(), counters: state.counters, stored, recomputed };
        Err(VerifyError::Value { slice, kind: kind.name(), rules: rules.set.name, mismatch: Box::new(mismatch) })
    }
}

/// Whether the side to move wins, and whether it loses.
fn winner(forced: Forced) -> (bool, bool) {
    (forced.is_win(), forced.is_loss())
}

/// What is forced in a state by the values of the states one ply on.
fn recompute(search: &mut Search, rules: &Rules, state: &State) -> Result<Fresh, ProbeError> {
    if rules.over(state).is_some() {
        return search.standing(state);
    }
    let mut best = Fresh::LOST;
    for mv in state.position.legal_moves() {
        best = best.max(search.standing(&rules.after(state, &mv))?.before(&mv));
    }
    Ok(best)
}
