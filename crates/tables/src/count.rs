//! Counting the positions of a slice, in parts that can be put together.

use crate::index::SliceIndex;
use crate::outcome::{Outcome, Value};
use crate::statistics::{Histogram, Statistics};

/// What is counted of some positions. The same positions give the same count, however they are divided.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count {
    histogram: Histogram,
    /// The least number of a position among the longest wins, if there is any.
    longest_win: u64,
    /// The same of the losses.
    longest_loss: u64,
}

impl Count {
    /// Adds one or more positions of one outcome; `first` tells the least of their numbers and is not always asked.
    pub fn add(&mut self, outcome: Outcome, positions: u64, first: impl FnOnce() -> u64) {
        let Histogram { win, cursed_win, draw, blessed_loss, loss } = &mut self.histogram;
        let (counts, longest) = match outcome.value {
            Value::Win => (win, Some(&mut self.longest_win)),
            Value::CursedWin => (cursed_win, None),
            Value::Draw => {
                *draw += positions;
                return;
            }
            Value::BlessedLoss => (blessed_loss, None),
            Value::Loss => (loss, Some(&mut self.longest_loss)),
        };
        let plies = usize::from(outcome.distance_plies.unwrap_or(0));
        let is_longer = plies >= counts.len();
        if is_longer {
            counts.resize(plies + 1, 0);
        }
        counts[plies] += positions;
        if let Some(longest) = longest.filter(|_| plies + 1 == counts.len()) {
            let first = first();
            *longest = if is_longer { first } else { first.min(*longest) };
        }
    }

    /// What is counted of these positions and others.
    #[must_use]
    pub fn and(mut self, other: &Count) -> Count {
        let (ours, theirs) = (&mut self.histogram, &other.histogram);
        for (longest, ours, their_longest, theirs) in [
            (&mut self.longest_win, &ours.win, other.longest_win, &theirs.win),
            (&mut self.longest_loss, &ours.loss, other.longest_loss, &theirs.loss),
        ] {
            *longest = match ours.len().cmp(&theirs.len()) {
                std::cmp::Ordering::Less => their_longest,
                std::cmp::Ordering::Equal => their_longest.min(*longest),
                std::cmp::Ordering::Greater => *longest,
            };
        }
        add_all(&mut ours.win, &theirs.win);
        add_all(&mut ours.cursed_win, &theirs.cursed_win);
        ours.draw += theirs.draw;
        add_all(&mut ours.blessed_loss, &theirs.blessed_loss);
        add_all(&mut ours.loss, &theirs.loss);
        self
    }

    /// How many positions have which value and distance.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// The same for the header of a table.
    pub fn statistics(self, index: &SliceIndex) -> Statistics {
        let fen = |counts: &[u64], number| (!counts.is_empty()).then(|| index.position(number).to_fen());
        Statistics {
            longest_win_fen: fen(&self.histogram.win, self.longest_win),
            longest_loss_fen: fen(&self.histogram.loss, self.longest_loss),
            histogram: self.histogram,
        }
    }
}

fn add_all(counts: &mut Vec<u64>, others: &[u64]) {
    counts.resize(counts.len().max(others.len()), 0);
    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(value: Value, distance_plies: u16) -> Outcome {
        Outcome { value, distance_plies: (value != Value::Draw).then_some(distance_plies) }
    }

    #[test]
    fn parts_give_what_the_whole_gives() {
        let outcomes: Vec<Outcome> =
            (0_u32..400).map(|n| outcome(Value::ALL[n as usize * 7 % 5], (n * n % 23) as u16)).collect();
        let counted = |numbers: std::ops::Range<usize>| {
            let mut count = Count::default();
            numbers.for_each(|number| count.add(outcomes[number], 1, || number as u64));
            count
        };
        let whole = counted(0..400);
        for cut in [0, 1, 137, 399, 400] {
            assert_eq!(counted(0..cut).and(&counted(cut..400)), whole);
            assert_eq!(counted(cut..400).and(&counted(0..cut)), whole);
        }
        let histogram = whole.histogram();
        assert_eq!(histogram.counts(), [80; 5]);
        assert_eq!(histogram.by_distance().map(|(_, _, positions)| positions).sum::<u64>(), 320);
        let of = |value, plies| outcomes.iter().filter(|&&other| other == outcome(value, plies)).count() as u64;
        for (value, plies, positions) in histogram.by_distance() {
            assert_eq!(positions, of(value, plies));
        }
    }

    #[test]
    fn the_first_of_the_longest_is_found() {
        let index = SliceIndex::new("KKvK".parse().unwrap());
        let mut count = Count::default();
        assert_eq!(count.clone().statistics(&index), Statistics::default());
        for (number, plies) in [(9, 3), (5, 7), (4, 7), (6, 7), (2, 1)] {
            count.add(outcome(Value::Win, plies), 1, || number);
        }
        let longest = count.statistics(&index).longest_win().unwrap();
        assert_eq!((longest.distance_plies, longest.fen), (7, index.position(4).to_fen()));
    }
}
