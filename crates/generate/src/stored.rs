//! What solvers read of finished slices.

use bolshak_rules::Rules;
use bolshak_tables::{Forced, Fresh, Kind, LookUpError, Slice, TableError, TableProblem, Tables, Value};
use rayon::prelude::*;

use crate::solver::Children;

/// Children read from their tables.
pub(crate) struct Stored<'a> {
    pub(crate) tables: &'a Tables,
}

impl Stored<'_> {
    /// What is forced in a position with an unusual cell, or the error that it has no meaning.
    #[cold]
    fn exactly(&self, slice: Slice, rules: &Rules, number: u64) -> Result<Fresh, LookUpError> {
        let position = self.tables.index(slice).position(number);
        // Where one can capture a cell may be anything.
        if position.can_capture() { Ok(Fresh::NOTHING) } else { self.tables.fresh(rules, &position) }
    }

    /// The error that a header counts no win or loss that the rules make a draw, and a cell tells of one.
    fn miscounted(&self, slice: Slice, rules: &Rules) -> LookUpError {
        let kind = Kind::changes(rules).unwrap_or(Kind::Value);
        TableError { path: self.tables.path(slice, &kind), problem: TableProblem::Counts }.into()
    }
}

/// Whether the rules make a win or a loss a draw.
fn is_made_a_draw(fresh: Fresh) -> bool {
    matches!(fresh.outcome().value, Value::CursedWin | Value::BlessedLoss)
}

impl Children for Stored<'_> {
    fn read(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let mut fresh = vec![Fresh::NOTHING; values.len()];
        self.tables.read(slice, rules, start, &mut fresh)?;
        if fresh.iter().copied().any(is_made_a_draw) && counts_none_made_a_draw(self.tables, slice, rules)? {
            return Err(self.miscounted(slice, rules));
        }
        for (value, fresh) in values.iter_mut().zip(fresh) {
            *value = fresh.under_rules;
        }
        Ok(())
    }

    fn read_quiet(&self, slice: Slice, rules: &Rules, start: u64, values: &mut [Forced]) -> Result<(), LookUpError> {
        let mut cells = vec![0; values.len()];
        self.tables.quiet(slice, &Kind::Value, start, &mut cells)?;
        for ((number, value), cell) in (start..).zip(&mut *values).zip(&cells) {
            *value = match cell {
                0 => Forced::NOTHING,
                1 => Forced::win(1),
                2 => Forced::loss(1),
                _ => self.exactly(slice, rules, number)?.under_rules,
            };
        }
        if let Some(kind) = Kind::changes(rules) {
            self.tables.quiet(slice, &kind, start, &mut cells)?;
            let forced = (start..).zip(values).zip(&cells).filter(|((_, value), _)| **value != Forced::NOTHING);
            for ((number, value), cell) in forced {
                match cell {
                    0 | 2..=Forced::MAX_PLIES => {}
                    1 => *value = Forced::NOTHING,
                    _ => *value = self.exactly(slice, rules, number)?.under_rules,
                }
            }
        }
        Ok(())
    }

    fn same_winners(&self, slice: Slice, rules: &Rules) -> Result<bool, LookUpError> {
        let Some(kind) = Kind::changes(rules) else { return Ok(true) };
        if !counts_none_made_a_draw(self.tables, slice, rules)? {
            return Ok(false);
        }
        // The header is not believed: with it alone a table could say one thing here and another to who looks it up.
        let positions = self.tables.index(slice).positions();
        (0..positions.div_ceil(CELLS_AT_ONCE)).into_par_iter().try_for_each(|part| {
            let start = part * CELLS_AT_ONCE;
            let mut cells = vec![0; CELLS_AT_ONCE.min(positions - start) as usize];
            self.tables.quiet(slice, &kind, start, &mut cells)?;
            let unusual = (start..).zip(&cells).filter(|(_, cell)| !matches!(cell, 0 | 2..=Forced::MAX_PLIES));
            for (number, _) in unusual {
                if is_made_a_draw(self.exactly(slice, rules, number)?) {
                    return Err(self.miscounted(slice, rules));
                }
            }
            Ok(())
        })?;
        Ok(true)
    }
}

/// Cells of a table that are looked through at once.
const CELLS_AT_ONCE: u64 = 1 << 16;

/// Whether the header of a slice's table counts no win and no loss that these rules make a draw.
fn counts_none_made_a_draw(tables: &Tables, slice: Slice, rules: &Rules) -> Result<bool, LookUpError> {
    let statistics = tables.statistics(slice, rules)?;
    Ok(statistics.is_some_and(|statistics| {
        [Value::CursedWin, Value::BlessedLoss].iter().all(|&value| statistics.histogram.of(value).is_empty())
    }))
}
