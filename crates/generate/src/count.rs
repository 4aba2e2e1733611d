//! Numbers of positions by formula: a plan of hundreds of slices cannot afford their indices.

use bolshak_rules::{Square, Squares};
use bolshak_tables::{Pair, Slice};

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

/// How many placements of men the levels of a pair have to solve, the most advanced men first. In a pair of one slice a
/// placement and its half-turn are solved together.
pub(crate) fn tasks_by_level(pair: Pair) -> Vec<u64> {
    let slice = pair.first();
    let [mover, opponent] = [slice.mover().men, slice.opponent().men].map(usize::from);
    let ranks = (0..8).map(|rank| {
        let [white, black] = [rank < 7, rank > 0].map(|allowed| if allowed { 4 } else { 0 });
        ways(white, black, |white, black| rank * white + (7 - rank) * black)
    });
    let all = by_level(ranks, [mover, opponent], mover + opponent);
    // A placement that is its own half-turn has a black man opposite each white one; of two opposite squares White can
    // have one, and none on the last rank.
    let opposite = (0..4).map(|rank| {
        let pairs = ways(4, if rank > 0 { 4 } else { 0 }, |here, there| 2 * (rank * here + (7 - rank) * there));
        pairs.into_iter().map(|(here, there, count, ranks)| (here + there, 0, count, ranks)).collect()
    });
    let symmetric = by_level(opposite, [mover, 0], mover + opponent);
    let single = pair.slices().count() == 1;
    let levels = all.into_iter().zip(symmetric).rev().filter(|(all, _)| *all > 0);
    levels.map(|(all, symmetric)| if single { (all + symmetric) / 2 } else { all }).collect()
}

/// Men of both sides on some squares: in how many ways, and how far they have advanced together.
type Ways = Vec<(usize, usize, u64, usize)>;

/// Of up to so many men of one side and of the other on four squares.
fn ways(most: usize, most_other: usize, advancement: impl Fn(usize, usize) -> usize) -> Ways {
    let all = (0..=most).flat_map(|one| (0..=most_other.min(4 - one)).map(move |other| (one, other)));
    let count = |one: usize, other: usize| choose(4, one as u64) * choose(4 - one as u64, other as u64);
    all.map(|(one, other)| (one, other, count(one, other), advancement(one, other))).collect()
}

/// In how many ways so many men of both sides stand on all squares together, by total advancement.
fn by_level(ranks: impl Iterator<Item = Ways>, [mover, opponent]: [usize; 2], men: usize) -> Vec<u64> {
    let levels = 7 * men + 1;
    let mut counts = vec![vec![vec![0_u64; levels]; opponent + 1]; mover + 1];
    counts[0][0][0] = 1;
    for rank in ranks {
        let before = std::mem::replace(&mut counts, vec![vec![vec![0; levels]; opponent + 1]; mover + 1]);
        for (one, other, count, advancement) in rank {
            for (men, rows) in before.iter().enumerate().take((mover + 1).saturating_sub(one)) {
                for (opposite, row) in rows.iter().enumerate().take((opponent + 1).saturating_sub(other)) {
                    for (level, &ways) in row.iter().enumerate().take(levels.saturating_sub(advancement)) {
                        counts[men + one][opposite + other][level + advancement] += ways * count;
                    }
                }
            }
        }
    }
    counts.swap_remove(mover).swap_remove(opponent)
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
    fn levels_are_counted_as_they_are_solved() {
        for pair in (2..=6).flat_map(Pair::all_of) {
            let first = SliceIndex::new(pair.first());
            let tasks = tasks_by_level(pair);
            let levels: Vec<u64> = first.levels().map(|level| level.end - level.start).collect();
            assert_eq!(tasks.len(), levels.len(), "{pair}");
            if pair.slices().count() == 2 {
                assert_eq!(tasks, levels, "{pair}");
            } else {
                assert!(tasks.iter().zip(&levels).all(|(tasks, all)| *tasks >= all.div_ceil(2)), "{pair}");
            }
        }
        // 28 of the 760 placements are their own half-turn, the others are two by two.
        let mvm = tasks_by_level("mvm".parse::<Slice>().unwrap().pair());
        assert_eq!(mvm.iter().sum::<u64>(), (760 + 28) / 2);
    }

    #[test]
    fn totals_of_more_pieces() {
        let total = |pieces| Slice::all_of(pieces).into_iter().map(positions).sum::<u64>();
        assert_eq!(total(8), 403_190_250_561);
    }
}
