//! Placements of men in the order of table files, and their numbers.

use bolshak_rules::{Square, Squares};
use bolshak_tables::Placement;

/// All placements of so many white and black men. The order is that of `bolshak_tables::SliceIndex`.
pub(super) struct Placements {
    all: Vec<Placement>,
    level_starts: Vec<usize>,
    ranks: Ranks,
}

impl Placements {
    pub(super) fn new(white: u8, black: u8) -> Placements {
        // Squares from the last, each empty, white or black, give the order of numbers in base 3.
        let mut levels = vec![Vec::new(); 6 * usize::from(white + black) + 1];
        place(32, Placement { white: Squares::EMPTY, black: Squares::EMPTY }, [white, black], 0, &mut levels);
        let ranks = Ranks::new(white.into(), black.into(), &levels);
        let all: Vec<_> = levels.into_iter().rev().filter(|level| !level.is_empty()).collect();
        let starts = all.iter().scan(0, |end, level| {
            *end += level.len();
            Some(*end)
        });
        let level_starts: Vec<_> = std::iter::once(0).chain(starts).collect();
        Placements { all: all.concat(), level_starts, ranks }
    }

    /// All placements in order.
    pub(super) fn all(&self) -> &[Placement] {
        &self.all
    }

    /// The ranges of equal total advancement, in order.
    pub(super) fn levels(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.level_starts.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// The number of a placement.
    #[inline(always)]
    pub(super) fn number(&self, placement: Placement) -> usize {
        self.ranks.number(placement)
    }
}

/// Numbers of placements as sums: where the squares before the last man are the same, placements with that man on a
/// later square, or a black one there, come later, and how many come before depends on what is left for the squares
/// below it: how many men of each colour and their advancement. So each man has a term, and all of them are known from
/// sums over the men below it.
///
/// Such a sum is one number, `(white * (black men + 1) + black) * advancements + advancement`.
struct Ranks {
    /// By colour and square, what a man adds to the sum, and where the terms of such men begin.
    men: [[(u32, u32); 32]; 2],
    /// By the sum that includes the man.
    terms: Vec<u32>,
    /// The first number of each level, by the sum of all men.
    starts: Vec<u32>,
}

impl Ranks {
    fn new(white: usize, black: usize, levels: &[Vec<Placement>]) -> Ranks {
        let advancements = levels.len();
        let sums = (white + 1) * (black + 1) * advancements;
        let steps = [(black + 1) * advancements, advancements];
        let advanced = |color: usize, square: Square| usize::from([square.rank(), 7 - square.rank()][color]);
        let mut men = [[(0, 0); 32]; 2];
        let mut terms = vec![0; 2 * 32 * sums];
        // How many placements on the squares below have each sum.
        let mut below = vec![0_u32; sums];
        below[0] = 1;
        for id in 0..32 {
            let square = Square::from_id(id);
            let mut including = below.clone();
            for sum in 0..sums {
                let left = [sum / steps[0], sum / steps[1] % (black + 1)];
                for color in 0..2 {
                    let advanced = advanced(color, square);
                    terms[(32 * color + usize::from(id)) * sums + sum] = including[sum];
                    if advanced < 7 && left[color] > 0 && sum % advancements >= advanced {
                        including[sum] += below[sum - steps[color] - advanced];
                    }
                }
            }
            for color in 0..2 {
                let start = (32 * color + usize::from(id)) * sums;
                men[color][usize::from(id)] = ((steps[color] + advanced(color, square)) as u32, start as u32);
            }
            below = including;
        }
        let mut starts = vec![0; sums];
        let mut start = 0;
        for (advancement, level) in levels.iter().enumerate().rev() {
            starts[sums - advancements + advancement] = start;
            start += level.len() as u32;
        }
        Ranks { men, terms, starts }
    }

    #[inline(always)]
    fn number(&self, placement: Placement) -> usize {
        let (mut number, mut sum) = (0, 0);
        for square in placement.men() {
            let (step, terms) = self.men[usize::from(placement.black.contains(square))][usize::from(square.id())];
            sum += step;
            number += self.terms[(terms + sum) as usize];
        }
        (self.starts[sum as usize] + number) as usize
    }
}

/// Adds all placements of the men that are left on the squares below `end` to those on the others, by advancement.
fn place(end: u8, placed: Placement, left: [u8; 2], advancement: usize, levels: &mut [Vec<Placement>]) {
    let [white, black] = left;
    if white + black == 0 {
        levels[advancement].push(placed);
        return;
    }
    for square in (white + black - 1..end).map(Square::from_id) {
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
