//! The two facts for 1.9.1.2; never a decision.

use bolshak_rules::{Color, Rules, State};

use super::step::{Step, StepKind};
use crate::cooperative::{Cooperative, cooperative_win};
use crate::oracle::Oracle;

const CITE: &str = "1.9.1.2";

/// Whether a side can force a win, and whether any sequence of legal moves wins.
pub(crate) fn facts(rules: &Rules, state: &State, oracle: &dyn Oracle) -> Vec<Step> {
    let forced = match oracle.outcome(rules, state, &[]) {
        Ok(outcome) => StepKind::ForcedWin(outcome.value),
        Err(unknown) => StepKind::ForcedWinUnknown(unknown.0),
    };
    let sequences = [Color::White, Color::Black].map(|side| match cooperative_win(rules, &state.position, side) {
        Cooperative::Wins => StepKind::SequenceWins(side),
        Cooperative::Never => StepKind::NoSequenceWins(side),
        Cooperative::Unknown => StepKind::SequenceUnknown(side),
    });
    std::iter::once(forced).chain(sequences).map(|kind| Step::text_of(CITE, kind)).collect()
}
