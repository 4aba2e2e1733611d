//! Numbers of positions by formula: a plan of hundreds of slices cannot afford their indices.

use bolshak_rules::{Square, Squares};
use bolshak_tables::Slice;

/// Number of positions of a slice, the same that its index has.
pub(crate) fn positions(slice: Slice) -> u64 {
    let (mover, opponent) = (u64::from(slice.mover().kings), u64::from(slice.opponent().kings));
    let free = Square::COUNT as u64 - u64::from(slice.men());
    placements(slice) * choose(free, opponent) * choose(free - opponent, mover)
}

/// Number of placements of the men of a slice.
///
/// So many of the mover's men stand on its own first rank, where none of the opponent's can; the others share the ranks
/// between with the opponent's, which have their own first rank besides.
pub(crate) fn placements(slice: Slice) -> u64 {
    let (mover, opponent) = (u64::from(slice.mover().men), u64::from(slice.opponent().men));
    let rank = u64::from(Squares::rank(0).len());
    let between = Square::COUNT as u64 - 2 * rank;
    (0..=mover.min(rank))
        .map(|first| (first, mover - first))
        .filter(|(_, rest)| *rest <= between)
        .map(|(first, rest)| choose(rank, first) * choose(between, rest) * choose(between - rest + rank, opponent))
        .sum()
}

/// The binomial coefficient.
fn choose(n: u64, k: u64) -> u64 {
    if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

#[cfg(test)]
mod tests {
    use bolshak_tables::SliceIndex;

    use super::*;

    #[test]
    fn the_formula_counts_what_the_index_counts() {
        for slice in (2..=7).flat_map(Slice::all_of) {
            let index = SliceIndex::new(slice);
            assert_eq!(placements(slice), index.placements(), "{slice}");
            assert_eq!(positions(slice), index.positions(), "{slice}");
        }
    }

    #[test]
    fn totals_of_more_pieces() {
        let total = |pieces| Slice::all_of(pieces).into_iter().map(positions).sum::<u64>();
        assert_eq!(total(8), 403_190_250_561);
    }
}
