//! The two facts for 1.9.1.2; never a decision.

use bolshak_rules::{Color, Position, Rules, State};

use super::step::{Step, StepKind};
use crate::cooperative::{Cooperative, cooperative_win};
use crate::oracle::Oracle;

const CITE: &str = "1.9.1.2";

/// Whether a side can force a win, and whether any sequence of legal moves wins.
pub(crate) fn facts(rules: &Rules, state: &State, oracle: &dyn Oracle) -> Vec<Step> {
    std::iter::once(forced_win(rules, state, oracle)).chain(sequences(rules, &state.position, oracle)).collect()
}

/// Whether a side can force a win.
pub(crate) fn forced_win(rules: &Rules, state: &State, oracle: &dyn Oracle) -> Step {
    let kind = match oracle.outcome(rules, state, &[]) {
        Ok(outcome) => StepKind::ForcedWin(outcome.value),
        Err(unknown) => StepKind::ForcedWinUnknown(unknown),
    };
    Step::text_of(CITE, kind)
}

/// Whether any sequence of legal moves wins, for each side. It is the same under all rule sets of a variant.
pub(crate) fn sequences(rules: &Rules, position: &Position, oracle: &dyn Oracle) -> [Step; 2] {
    [Color::White, Color::Black].map(|side| {
        let kind = match cooperative_win(rules, position, side, || oracle.stopped()) {
            Cooperative::Wins => StepKind::SequenceWins(side),
            Cooperative::Never => StepKind::NoSequenceWins(side),
            Cooperative::Unknown => StepKind::SequenceUnknown(side),
        };
        Step::text_of(CITE, kind)
    })
}
