//! Rows of king sets as words of squares.
//!
//! A *row* holds a bit for each set of one side's `t` kings, by rank. A *view* holds a word for each set of `t - 1` kings:
//! the squares of the one that is left. In colexicographic order the sets in which the remaining king is the lowest are
//! one run of bits for each smaller set, so that a row is these runs end to end; the other bits of a word are those of
//! other words' runs, and a transposition fetches them.

use std::ops::Range;
use std::sync::OnceLock;

use bolshak_rules::Squares;

use super::isa::Isa;
use super::sets::{MAX_KINGS, Sets, rank};

/// How rows of sets of one size become words and back.
pub(super) struct Views {
    /// The sets of one king fewer.
    others: &'static Sets,
    /// One for each set of two kings fewer.
    joins: Vec<Join>,
}

/// The words that share all their kings but one.
struct Join {
    /// The words whose king besides the shared ones is on a square below these, in order of the square.
    run: Range<usize>,
    /// For each square, the number of the word with this king besides the shared ones; anything on the shared ones.
    words: [u32; 32],
    /// For each square, the squares below it and the lowest shared king; none on the shared ones.
    lower: [u32; 32],
}

impl Views {
    /// For sets of this many kings, at least two.
    pub(super) fn of_size(size: usize) -> &'static Views {
        static TABLES: [OnceLock<Views>; MAX_KINGS + 1] = [const { OnceLock::new() }; MAX_KINGS + 1];
        TABLES[size].get_or_init(|| {
            let join = |&shared: &u32| {
                let below_shared = shared.trailing_zeros() as usize;
                let is_shared = |square: usize| shared >> square & 1 != 0;
                let words: [u32; 32] = std::array::from_fn(|square| match is_shared(square) {
                    true => 0,
                    false => rank(Squares(shared | 1 << square)) as u32,
                });
                let first = words[0] as usize;
                Join {
                    run: first..first + below_shared,
                    words,
                    lower: std::array::from_fn(|square| match is_shared(square) {
                        true => 0,
                        false => below(square.min(below_shared)),
                    }),
                }
            };
            Views {
                others: Sets::of_size(size - 1),
                joins: Sets::of_size(size - 2).masks.iter().map(join).filter(|join| !join.run.is_empty()).collect(),
            }
        })
    }

    /// Turns a row into words.
    #[inline(always)]
    pub(super) fn expand<I: Isa>(&self, isa: I, row: &[u32], words: &mut [u32]) {
        let (mut buffer, mut held, mut rest) = (0_u64, 0, row.iter());
        for (word, &kings) in words.iter_mut().zip(&self.others.masks) {
            let run = kings.trailing_zeros();
            if held < run {
                buffer |= u64::from(rest.next().copied().unwrap_or(0)) << held;
                held += 32;
            }
            *word = (buffer & ((1 << run) - 1)) as u32;
            buffer >>= run;
            held -= run;
        }
        for join in &self.joins {
            // A loop, not a closure: what is not inlined is not compiled for the instruction set.
            let mut matrix = [0; 32];
            for ((row, &word), &lower) in matrix.iter_mut().zip(&words[join.run.clone()]).zip(&join.lower) {
                *row = word & lower;
            }
            for ((row, &word), &lower) in matrix.iter_mut().zip(&join.words).zip(&join.lower).skip(join.run.len()) {
                *row = words[word as usize] & lower;
            }
            isa.transpose(&mut matrix);
            for (word, bits) in words[join.run.clone()].iter_mut().zip(&matrix) {
                *word |= bits;
            }
        }
    }

    /// Turns words into a row; a set is in it if any of its words has it. The words are spoilt.
    #[inline(always)]
    pub(super) fn reduce<I: Isa>(&self, isa: I, words: &mut [u32], row: &mut [u32]) {
        for join in &self.joins {
            let mut matrix = [0; 32];
            matrix[..join.run.len()].copy_from_slice(&words[join.run.clone()]);
            isa.transpose(&mut matrix);
            for ((word, &bits), &lower) in words[join.run.clone()].iter_mut().zip(&matrix).zip(&join.lower) {
                *word |= bits & lower;
            }
            for ((&bits, &word), &lower) in matrix.iter().zip(&join.words).zip(&join.lower).skip(join.run.len()) {
                words[word as usize] |= bits & lower;
            }
        }
        let (mut buffer, mut held, mut slots) = (0_u64, 0, row.iter_mut());
        for (&word, &kings) in words.iter().zip(&self.others.masks) {
            let run = kings.trailing_zeros();
            buffer |= (u64::from(word) & ((1 << run) - 1)) << held;
            held += run;
            if held >= 32 {
                if let Some(slot) = slots.next() {
                    *slot = buffer as u32;
                }
                buffer >>= 32;
                held -= 32;
            }
        }
        if let Some(slot) = slots.next() {
            *slot = buffer as u32;
        }
    }
}

/// The squares numbered below this one.
const fn below(square: usize) -> u32 {
    ((1_u64 << square) - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::super::isa::Portable;
    use super::super::sets::count;
    use super::*;

    #[test]
    fn rows_become_words_and_come_back() {
        for size in 2..=4 {
            let (sets, others, views) = (Sets::of_size(size), Sets::of_size(size - 1), Views::of_size(size));
            let in_row = |number: usize| number.wrapping_mul(0x9e37_79b9) >> 13 & 3 == 0;
            let mut row = vec![0_u32; count(size).div_ceil(32)];
            for number in (0..count(size)).filter(|&number| in_row(number)) {
                row[number / 32] |= 1 << (number % 32);
            }
            let mut words = vec![0; count(size - 1)];
            views.expand(Portable, &row, &mut words);
            for (&word, &kings) in words.iter().zip(&others.masks) {
                for square in 0..32 {
                    let expected = kings >> square & 1 == 0 && in_row(rank(Squares(kings | 1 << square)));
                    assert_eq!(word >> square & 1 != 0, expected, "{size}");
                }
            }
            // Each set once, in the word without its highest king, and then in the one without its lowest.
            for lowest in [false, true] {
                let mut single = vec![0; words.len()];
                for (number, &set) in sets.masks.iter().enumerate().filter(|(number, _)| in_row(*number)) {
                    let square = if lowest { set.trailing_zeros() } else { 31 - set.leading_zeros() };
                    single[rank(Squares(set & !(1 << square)))] |= 1 << square;
                    assert!(in_row(number));
                }
                let mut back = vec![!0; row.len()];
                views.reduce(Portable, &mut single, &mut back);
                assert_eq!(back, row);
            }
        }
    }
}
