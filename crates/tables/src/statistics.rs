//! What the header of a table says of its slice in numbers.

use bolshak_rules::{Color, Position};
use serde::{Deserialize, Serialize};

use crate::file::Kind;
use crate::index::SliceIndex;
use crate::outcome::{Forced, Value};
use crate::slice::Slice;

/// What was counted over a slice when it was made: without draw rules in a table of values or distances, else under the
/// rule set.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statistics {
    /// How many positions have which value and distance.
    pub histogram: Histogram,
    /// In FEN, the first position in the order of the file of the wins that take longest.
    pub longest_win_fen: Option<String>,
    /// The same of the losses.
    pub longest_loss_fen: Option<String>,
}

/// How many positions have which value and distance: at place `n` those of `n` plies, up to the longest.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    /// Wins.
    pub win: Vec<u64>,
    /// Cursed wins.
    pub cursed_win: Vec<u64>,
    /// Draws, which have no distance.
    pub draw: u64,
    /// Blessed losses.
    pub blessed_loss: Vec<u64>,
    /// Losses.
    pub loss: Vec<u64>,
}

/// The greatest distance among positions of one value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// Its distance.
    pub distance_plies: u16,
    /// The first position of that distance in the order of the file.
    pub fen: String,
}

impl Statistics {
    /// Whether the positions of a slice can be counted like this in a table of this kind.
    pub(crate) fn fits(&self, index: &SliceIndex, kind: &Kind) -> bool {
        let (slice, positions) = (index.slice(), kind.counted(index.positions()));
        let Histogram { win, cursed_win, draw, blessed_loss, loss } = &self.histogram;
        let lists = [win, cursed_win, blessed_loss, loss];
        let end_with_the_longest =
            lists.iter().all(|counts| counts.last() != Some(&0) && counts.len() <= usize::from(Forced::MAX_PLIES));
        let all = lists.into_iter().flatten().try_fold(*draw, |all, &count| all.checked_add(count));
        let is_of_slice = |fen: &String| {
            Position::from_fen(fen).map(|parsed| parsed.position).is_ok_and(|position| {
                position.turn() == Color::White && Slice::of(&position) == Some(slice) && position.to_fen() == *fen
            })
        };
        let has_its_position = |counts: &[u64], fen: &Option<String>| match fen {
            Some(fen) => !counts.is_empty() && is_of_slice(fen),
            None => counts.is_empty(),
        };
        // Nothing is cursed or blessed where there are no draw rules.
        let under_rules = !matches!(kind, Kind::Value | Kind::Distance);
        end_with_the_longest
            && (under_rules || (cursed_win.is_empty() && blessed_loss.is_empty()))
            && all == Some(positions)
            && has_its_position(win, &self.longest_win_fen)
            && has_its_position(loss, &self.longest_loss_fen)
    }

    /// The longest win and its first position.
    pub fn longest_win(&self) -> Option<Longest> {
        longest(&self.histogram.win, self.longest_win_fen.as_ref())
    }

    /// The longest loss and its first position.
    pub fn longest_loss(&self) -> Option<Longest> {
        longest(&self.histogram.loss, self.longest_loss_fen.as_ref())
    }
}

fn longest(counts: &[u64], fen: Option<&String>) -> Option<Longest> {
    let distance_plies = counts.len().checked_sub(1)?.try_into().ok()?;
    Some(Longest { distance_plies, fen: fen?.clone() })
}

impl Histogram {
    /// Positions by value: win, cursed win, draw, blessed loss, loss.
    pub fn counts(&self) -> [u64; 5] {
        Value::ALL.map(|value| match value {
            Value::Draw => self.draw,
            _ => self.of(value).iter().sum(),
        })
    }

    /// How many positions of a value have a distance of 0, 1, 2, ... plies; none where it is a draw.
    pub fn of(&self, value: Value) -> &[u64] {
        match value {
            Value::Win => &self.win,
            Value::CursedWin => &self.cursed_win,
            Value::Draw => &[],
            Value::BlessedLoss => &self.blessed_loss,
            Value::Loss => &self.loss,
        }
    }

    /// Each value and distance in plies that there is, with the number of its positions.
    pub fn by_distance(&self) -> impl Iterator<Item = (Value, u16, u64)> {
        let all = Value::ALL.into_iter().flat_map(|value| {
            (0..=u16::MAX)
                .zip(self.of(value))
                .map(move |(distance_plies, &positions)| (value, distance_plies, positions))
        });
        all.filter(|(_, _, positions)| *positions > 0)
    }
}
