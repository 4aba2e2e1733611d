//! Placements of men in the order of table files, and their numbers at the cost of a look-up.

use bolshak_rules::{Color, Squares};
use bolshak_tables::Placement;

use super::sets::rank;

/// All placements of so many white and black men. The order is that of `bolshak_tables::SliceIndex`.
pub(super) struct Placements {
    all: Vec<Placement>,
    /// By the ranks of both sets of men, whether they are disjoint or not.
    numbers: Vec<u32>,
    black_sets: usize,
    level_starts: Vec<usize>,
}

impl Placements {
    pub(super) fn new(white: u8, black: u8) -> Placements {
        let sets = |men: u8, color: Color| {
            let free = Squares::ALL - color.promotion_rank();
            // Ranks among the 28 squares, as `men_rank` has them.
            let mut sets = vec![Squares::EMPTY; binomial(28, men.into())];
            each_subset(free, men.into(), &mut |set| sets[men_rank(set, free)] = set);
            sets
        };
        let (white_sets, black_sets) = (sets(white, Color::White), sets(black, Color::Black));
        let mut keyed: Vec<_> = white_sets
            .iter()
            .flat_map(|&white| black_sets.iter().map(move |&black| Placement { white, black }))
            .filter(|placement| !placement.white.meets(placement.black))
            .map(|placement| (std::cmp::Reverse(placement.advancement()), ternary(placement), placement))
            .collect();
        keyed.sort_unstable_by_key(|&(advancement, number, _)| (advancement, number));
        let mut level_starts = vec![0];
        level_starts.extend((1..keyed.len()).filter(|&number| keyed[number].0 != keyed[number - 1].0));
        level_starts.push(keyed.len());
        let all: Vec<_> = keyed.into_iter().map(|(_, _, placement)| placement).collect();
        let mut this = Placements {
            all,
            numbers: vec![0; white_sets.len() * black_sets.len()],
            black_sets: black_sets.len(),
            level_starts,
        };
        for number in 0..this.all.len() {
            let slot = this.slot(this.all[number]);
            this.numbers[slot] = number as u32;
        }
        this
    }

    /// All placements in order.
    pub(super) fn all(&self) -> &[Placement] {
        &self.all
    }

    /// The ranges of equal total advancement, in order.
    pub(super) fn levels(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.level_starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    #[inline(always)]
    fn slot(&self, placement: Placement) -> usize {
        men_rank(placement.white, Squares::ALL - Color::White.promotion_rank()) * self.black_sets
            + men_rank(placement.black, Squares::ALL - Color::Black.promotion_rank())
    }

    /// The number of a placement.
    #[inline(always)]
    pub(super) fn number(&self, placement: Placement) -> usize {
        self.numbers[self.slot(placement)] as usize
    }
}

/// The colexicographic rank of a set of men among those on the squares where they can stand.
#[inline(always)]
fn men_rank(men: Squares, free: Squares) -> usize {
    let packed = men.iter().fold(0, |packed, square| packed | 1 << (free.0 & ((1 << square.id()) - 1)).count_ones());
    rank(Squares(packed))
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

fn each_subset(free: Squares, size: usize, found: &mut impl FnMut(Squares)) {
    fn extend(set: Squares, free: Squares, size: usize, found: &mut impl FnMut(Squares)) {
        if size == 0 {
            found(set);
            return;
        }
        let mut rest = free;
        for square in free {
            rest = rest - Squares::of(square);
            extend(set | Squares::of(square), rest, size - 1, found);
        }
    }
    extend(Squares::EMPTY, free, size, found);
}

/// The men as a number in base 3, one digit a square.
fn ternary(placement: Placement) -> u64 {
    (0..32).rev().fold(0, |number, square| {
        let digit = |men: Squares| u64::from(men.0 >> square & 1);
        3 * number + digit(placement.white) + 2 * digit(placement.black)
    })
}

#[cfg(test)]
mod tests {
    use bolshak_tables::{Material, Slice, SliceIndex};

    use super::*;

    #[test]
    fn the_order_is_that_of_table_files() {
        for (white, black) in [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (3, 0)] {
            let placements = Placements::new(white, black);
            let material = |men| Material { kings: 1, men };
            let index = SliceIndex::new(Slice::new(material(white), material(black)).unwrap());
            assert_eq!(index.placements(), placements.all().len() as u64);
            for (number, &placement) in placements.all().iter().enumerate() {
                assert_eq!(index.placement_rank(placement), number as u64);
                assert_eq!(placements.number(placement), number);
            }
            let levels: Vec<_> = placements.levels().map(|range| range.start as u64..range.end as u64).collect();
            assert_eq!(levels, index.levels().collect::<Vec<_>>());
        }
    }
}
