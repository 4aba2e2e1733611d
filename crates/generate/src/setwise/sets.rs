//! Sets of kings by their colexicographic rank over all 32 squares.

use std::sync::OnceLock;

use bolshak_rules::Squares;

/// The most kings one side can have.
pub(super) const MAX_KINGS: usize = 12;

/// Binomial coefficients `BINOMIAL[n][k]`.
const BINOMIAL: [[u32; MAX_KINGS + 1]; 33] = binomials();

const fn binomials() -> [[u32; MAX_KINGS + 1]; 33] {
    let mut table = [[0; MAX_KINGS + 1]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_KINGS && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of sets of `size` squares.
pub(super) const fn count(size: usize) -> usize {
    BINOMIAL[32][size] as usize
}

/// The rank of a set among all sets of its size.
#[inline(always)]
pub(super) fn rank(set: Squares) -> usize {
    let (mut rest, mut rank, mut size) = (set.0, 0, 1);
    while rest != 0 {
        rank += BINOMIAL[rest.trailing_zeros() as usize][size];
        rest &= rest - 1;
        size += 1;
    }
    rank as usize
}

/// All sets of one size, with what the solver asks of them again and again.
pub(super) struct Sets {
    /// The sets in order of rank.
    pub(super) masks: Vec<u32>,
    /// The same, filled up with full boards to a multiple of 32.
    pub(super) padded: Vec<u32>,
    /// The rank of each set after a half-turn of the board.
    pub(super) flipped: Vec<u32>,
    /// For each square, a bit for each set that does not hold it.
    avoiding: Vec<u32>,
    words: usize,
    removals: OnceLock<Vec<Removal>>,
    additions: OnceLock<Vec<u32>>,
}

/// Some of a side's kings, chosen by their order of number, and what is left without them.
pub(super) struct Removal {
    /// For each set, the rank of the rest among the sets of its size.
    pub(super) rests: Vec<u32>,
    /// For each set, the chosen squares; filled up with nothing to whole units.
    pub(super) chosen: Vec<u32>,
}

impl Sets {
    /// The sets of this size, made when first asked for.
    pub(super) fn of_size(size: usize) -> &'static Sets {
        static TABLES: [OnceLock<Sets>; MAX_KINGS + 1] = [const { OnceLock::new() }; MAX_KINGS + 1];
        TABLES[size].get_or_init(|| Sets::new(size))
    }

    fn new(size: usize) -> Sets {
        let mut masks = Vec::with_capacity(count(size));
        let mut mask: u64 = (1 << size) - 1;
        while mask >> 32 == 0 {
            masks.push(mask as u32);
            if mask == 0 {
                break;
            }
            // The next greater number with as many bits is the next set in colexicographic order.
            let low = mask & mask.wrapping_neg();
            let ripple = mask + low;
            mask = ripple | (((mask ^ ripple) >> 2) / low);
        }
        let flipped = masks.iter().map(|&mask| rank(Squares(mask).flipped()) as u32).collect();
        let words = masks.len().div_ceil(32);
        let mut avoiding = vec![0; 32 * words];
        for (rank, &mask) in masks.iter().enumerate() {
            for square in 0..32 {
                avoiding[square * words + rank / 32] |= (!mask >> square & 1) << (rank % 32);
            }
        }
        let mut padded = masks.clone();
        padded.resize(32 * words, !0);
        Sets { masks, padded, flipped, avoiding, words, removals: OnceLock::new(), additions: OnceLock::new() }
    }

    /// For each choice of kings, bit `i` for the one with the `i`-th lowest number, what it takes from every set.
    pub(super) fn removals(&self) -> &[Removal] {
        self.removals.get_or_init(|| {
            let kings = self.masks.first().map_or(0, |mask| mask.count_ones());
            let removal = |choice: u32| {
                let mut chosen: Vec<_> = self.masks.iter().map(|&mask| pick(mask, choice)).collect();
                let rests = chosen.iter().zip(&self.masks).map(|(chosen, mask)| rank(Squares(mask & !chosen)) as u32);
                let rests = rests.collect();
                chosen.resize(self.padded.len(), 0);
                Removal { rests, chosen }
            };
            (0..1 << kings).map(removal).collect()
        })
    }

    /// For each set, the rank among larger sets of the one with this square besides; anything where it holds the square.
    pub(super) fn adding(&self, square: usize) -> &[u32] {
        let all = self.additions.get_or_init(|| {
            let with = |square: u32| self.masks.iter().map(move |mask| rank(Squares(mask | 1_u32 << square)) as u32);
            (0..32).flat_map(with).collect()
        });
        &all[square * self.masks.len()..][..self.masks.len()]
    }

    /// A bit for each set, by rank, that does not hold the square.
    #[inline(always)]
    pub(super) fn avoiding(&self, square: usize) -> &[u32] {
        &self.avoiding[square * self.words..][..self.words]
    }
}

/// The squares of a set whose places in order of number are chosen.
fn pick(set: u32, choice: u32) -> u32 {
    let squares = Squares(set).iter().enumerate().filter(|(place, _)| choice >> place & 1 != 0);
    squares.fold(0, |chosen, (_, square)| chosen | 1 << square.id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removals_split_sets() {
        let sets = Sets::of_size(3);
        let removal = &sets.removals()[0b101];
        for (number, &mask) in sets.masks.iter().enumerate() {
            let rest = Sets::of_size(1).masks[removal.rests[number] as usize];
            assert_eq!(rest | removal.chosen[number], mask);
            assert!(mask.trailing_zeros() < rest.trailing_zeros() && mask.leading_zeros() < rest.leading_zeros());
        }
    }

    #[test]
    fn sets_are_in_order_of_rank() {
        for size in 0..=4 {
            let sets = Sets::of_size(size);
            assert_eq!(sets.masks.len(), count(size));
            for (number, &mask) in sets.masks.iter().enumerate() {
                assert_eq!(rank(Squares(mask)), number);
                assert_eq!(sets.masks[sets.flipped[number] as usize], Squares(mask).flipped().0);
                for square in 0..32 {
                    let avoids = sets.avoiding(square)[number / 32] >> (number % 32) & 1 != 0;
                    assert_eq!(avoids, mask >> square & 1 == 0);
                }
            }
        }
    }
}
