//! Questions to the arbiter: verdicts on games, claims and unfinished games. Everything here but the calls may block.

pub(crate) mod calls;
mod files;
pub(crate) mod json;
mod oracle;
mod question;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};

use bolshak_arbiter::pdn::{Record, Tag};
use bolshak_arbiter::{Adjudication, Arbiter, BySet, Claim, ClaimError, ClaimVerdict, Detail, Verdict};
use bolshak_rules::Color;

use self::oracle::Watched;
use self::question::{Case, Terms};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::metrics;
use crate::query::{Field, Violation};

/// The most plies of a game that are judged.
const MAX_PLIES: usize = 5_000;

/// A verdict with what the record has beside it.
pub(crate) struct Verified {
    /// The verdict.
    verdict: Verdict,
    /// The tags of the game.
    tags: Vec<Tag>,
}

impl Engine {
    /// Asks an arbiter who stops when nobody waits any more.
    fn ask<T>(&self, terms: &Terms, cancel: &AtomicBool, ask: impl FnOnce(&Arbiter<'_>) -> T) -> Result<T, Failure> {
        let oracle = Watched { tables: self.library.tables(terms.variant), max_states: self.max_states, cancel };
        let answer = ask(&terms.arbiter(&oracle));
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        metrics::game();
        Ok(answer)
    }

    /// The verdict on a record of this number.
    fn verify(
        &self,
        terms: &Terms,
        game: usize,
        mut record: Record,
        detail: Detail,
        cancel: &AtomicBool,
    ) -> Result<Verified, Failure> {
        record.cut(MAX_PLIES);
        let verdict = self.ask(terms, cancel, |arbiter| arbiter.verify(game, &record, detail))?;
        Ok(Verified { verdict, tags: record.tags })
    }

    /// The verdict on a game, and how many games its text holds.
    fn verify_case(&self, case: &Case, detail: Detail, cancel: &AtomicBool) -> Result<(Verified, usize), Failure> {
        let (record, games) = case.record()?;
        Ok((self.verify(&case.terms, case.number(), record, detail, cancel)?, games))
    }

    /// The decision on a claim.
    fn claim(&self, case: &Case, claim: &Claim, cancel: &AtomicBool) -> Result<BySet<ClaimVerdict>, Failure> {
        let (mut record, _) = case.record()?;
        record.cut(MAX_PLIES);
        self.ask(&case.terms, cancel, |arbiter| arbiter.claim(&record, claim))?.map_err(|error| {
            let field = match error {
                ClaimError::NoSuchPly { .. } => Field::Other("claim.ply"),
                ClaimError::NoSuchOfferPly { offer, .. } => Field::OfferPart(offer, "ply"),
            };
            Failure::Invalid(vec![Violation::new(field, error)])
        })
    }

    /// What a game is worth where its record ends.
    fn adjudicate(
        &self,
        case: &Case,
        flag: Option<Color>,
        cancel: &AtomicBool,
    ) -> Result<BySet<Adjudication>, Failure> {
        let (mut record, _) = case.record()?;
        record.cut(MAX_PLIES);
        let none = || {
            let reason = record.error.as_ref().map(|error| error.message(case.terms.language)).unwrap_or_default();
            let message = format!("the game has no position to adjudicate: {reason}");
            Failure::Invalid(vec![Violation::new(Field::Other("pdn"), message)])
        };
        self.ask(&case.terms, cancel, |arbiter| arbiter.adjudicate(&record, flag))?.ok_or_else(none)
    }
}

#[cfg(test)]
mod tests {
    use bolshak_proto::v1;

    use super::*;
    use crate::library::Library;

    #[test]
    fn a_call_that_is_gone_gets_no_verdict() {
        let directory = tempfile::tempdir().unwrap();
        let engine = Engine { library: Library::open(directory.path()), max_states: 1 };
        let request = v1::VerifyGameRequest { pdn: "1. c3-d4 *".into(), ..Default::default() };
        let (case, detail) = question::verify(request).unwrap();
        let ask = |cancel| engine.verify_case(&case, detail, &AtomicBool::new(cancel)).map(|(_, games)| games);
        assert!(matches!(ask(false), Ok(1)));
        assert!(matches!(ask(true), Err(Failure::Cancelled)));
    }
}
