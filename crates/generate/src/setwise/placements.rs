//! Placements of men in the order of table files, and their numbers at the cost of a look-up.

use bolshak_rules::{Color, Square, Squares};
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
        let black_sets = binomial(28, black.into());
        // Squares from the last, each empty, white or black, give the order of numbers in base 3.
        let mut levels = vec![Vec::new(); 6 * usize::from(white + black) + 1];
        place(32, Placement { white: Squares::EMPTY, black: Squares::EMPTY }, [white, black], 0, &mut levels);
        let all: Vec<_> = levels.into_iter().rev().filter(|level| !level.is_empty()).collect();
        let starts = all.iter().scan(0, |end, level| {
            *end += level.len();
            Some(*end)
        });
        let level_starts: Vec<_> = std::iter::once(0).chain(starts).collect();
        let all = all.concat();
        let mut this =
            Placements { all, numbers: vec![0; binomial(28, white.into()) * black_sets], black_sets, level_starts };
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

/// Adds all placements of the men that are left on the squares below `end` to those on the others, by advancement.
fn place(end: u8, placed: Placement, left: [u8; 2], advancement: usize, levels: &mut [Vec<Placement>]) {
    let [white, black] = left;
    if white + black == 0 {
        levels[advancement].push(placed);
        return;
    }
    let Some(square) = end.checked_sub(1).map(Square::from_id) else { return };
    if white + black <= square.id() {
        place(square.id(), placed, left, advancement, levels);
    }
    let (here, rank) = (Squares::of(square), usize::from(square.rank()));
    if white > 0 && rank < 7 {
        let placed = Placement { white: placed.white | here, ..placed };
        place(square.id(), placed, [white - 1, black], advancement + rank, levels);
    }
    if black > 0 && rank > 0 {
        let placed = Placement { black: placed.black | here, ..placed };
        place(square.id(), placed, [white, black - 1], advancement + 7 - rank, levels);
    }
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
