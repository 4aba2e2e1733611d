//! The number of a position within its slice: the order of cells in every table file, and the only definition of it.
//!
//! The men of both sides come first. Their placements are ordered by total advancement, the most advanced first, so that
//! a quiet man move leads to an earlier placement; within equal advancement by colexicographic order, which is the order
//! of the numbers written in base 3 with one digit a square (0 empty, 1 white man, 2 black man), square 31 leading.
//! Within a placement the opponent's set of kings comes next and the mover's own last, each by its colexicographic rank
//! among the squares that are still free.

use bolshak_rules::{Color, Position, Side, Square, Squares};

use crate::slice::Slice;

/// Binomial coefficients `BINOMIAL[n][k]` up to 32 over 12.
const BINOMIAL: [[u64; 13]; 33] = binomials();

const fn binomials() -> [[u64; 13]; 33] {
    let mut table = [[0; 13]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 13 && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The men of both sides, White to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    /// White men, on ranks 1 to 7.
    pub white: Squares,
    /// Black men, on ranks 2 to 8.
    pub black: Squares,
}

impl Placement {
    /// All men.
    pub const fn men(self) -> Squares {
        Squares(self.white.0 | self.black.0)
    }

    /// The same men seen by the other side: colours swapped and the board turned by half.
    pub const fn flipped(self) -> Placement {
        Placement { white: self.black.flipped(), black: self.white.flipped() }
    }

    /// The ranks that all men together have advanced from their own first rank.
    pub fn advancement(self) -> usize {
        let sum = |men: Squares, color| men.iter().filter_map(|square| advancement(square, color)).sum::<usize>();
        sum(self.white, Color::White) + sum(self.black, Color::Black)
    }
}

/// How far a man has come, 0 to 6; `None` on its promotion rank, where no man stands.
fn advancement(square: Square, color: Color) -> Option<usize> {
    let ranks = match color {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    };
    (ranks < 7).then_some(ranks.into())
}

/// Turns positions of one slice into numbers and back.
#[derive(Debug)]
pub struct SliceIndex {
    slice: Slice,
    placements: PlacementCounts,
    /// First placement of each total advancement, the highest advancement first; one more entry closes the last.
    level_starts: Vec<u64>,
    opponent_king_sets: u64,
    mover_king_sets: u64,
}

impl SliceIndex {
    /// The index of a slice.
    pub fn new(slice: Slice) -> SliceIndex {
        let (mover, opponent) = (slice.mover(), slice.opponent());
        let placements = PlacementCounts::new(mover.men.into(), opponent.men.into());
        let mut level_starts = vec![0];
        let mut total = 0;
        for advancement in (0..placements.advancements).rev() {
            total += placements.all_with(advancement);
            level_starts.push(total);
        }
        let free = Square::COUNT - usize::from(slice.men());
        SliceIndex {
            slice,
            placements,
            level_starts,
            opponent_king_sets: BINOMIAL[free][usize::from(opponent.kings)],
            mover_king_sets: BINOMIAL[free - usize::from(opponent.kings)][usize::from(mover.kings)],
        }
    }

    /// The slice.
    pub const fn slice(&self) -> Slice {
        self.slice
    }

    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.placements() * self.positions_per_placement()
    }

    /// Number of placements of men.
    pub fn placements(&self) -> u64 {
        self.level_starts.last().copied().unwrap_or(0)
    }

    /// Number of positions in each placement.
    pub const fn positions_per_placement(&self) -> u64 {
        self.opponent_king_sets * self.mover_king_sets
    }

    /// The ranges of placements of equal total advancement, in order. A quiet man move leads from one range into the
    /// range before it, so that those of one range are independent of each other.
    pub fn levels(&self) -> impl Iterator<Item = std::ops::Range<u64>> {
        self.level_starts.windows(2).map(|pair| pair[0]..pair[1]).filter(|range| !range.is_empty())
    }

    /// The number of a position of this slice; it is looked at from the side to move.
    pub fn index(&self, position: &Position) -> u64 {
        debug_assert_eq!(Slice::of(position), Some(self.slice));
        let seen = position.from_mover();
        let (white, black) = (seen.side(Color::White), seen.side(Color::Black));
        let placement = Placement { white: white.men, black: black.men };
        self.placement_rank(placement) * self.positions_per_placement()
            + self.king_rank(placement, white.kings, black.kings)
    }

    /// The number of a pair of king sets within a placement.
    pub fn king_rank(&self, placement: Placement, mover: Squares, opponent: Squares) -> u64 {
        let free = !placement.men();
        colex_rank(opponent, free) * self.mover_king_sets + colex_rank(mover, free - opponent)
    }

    /// The position of a number, White to move.
    ///
    /// # Panics
    ///
    /// When the number is not below [`SliceIndex::positions`].
    pub fn position(&self, index: u64) -> Position {
        let placement = self.placement(index / self.positions_per_placement());
        self.position_in(placement, index % self.positions_per_placement())
    }

    /// The position of a number within a placement, White to move.
    pub fn position_in(&self, placement: Placement, king_rank: u64) -> Position {
        let free = !placement.men();
        let opponent = colex_set(king_rank / self.mover_king_sets, self.slice.opponent().kings, free);
        let mover = colex_set(king_rank % self.mover_king_sets, self.slice.mover().kings, free - opponent);
        let white = Side { men: placement.white, kings: mover };
        let black = Side { men: placement.black, kings: opponent };
        Position::new(white, black, Color::White).expect("ranks are unranked onto free squares only")
    }

    /// The number of a placement.
    pub fn placement_rank(&self, placement: Placement) -> u64 {
        let advancement = placement.advancement();
        self.level_starts[self.placements.advancements - 1 - advancement] + self.placements.rank(placement, advancement)
    }

    /// The placement of a number.
    ///
    /// # Panics
    ///
    /// When the number is not below [`SliceIndex::placements`].
    pub fn placement(&self, rank: u64) -> Placement {
        assert!(rank < self.placements(), "placement {rank} of {} in {}", self.placements(), self.slice);
        let level = self.level_starts.partition_point(|&start| start <= rank) - 1;
        self.placements.placement(rank - self.level_starts[level], self.placements.advancements - 1 - level)
    }
}

/// How many placements of so many men there are on the lowest-numbered squares, by total advancement.
#[derive(Debug)]
struct PlacementCounts {
    white: usize,
    black: usize,
    /// One more than the highest total advancement.
    advancements: usize,
    /// By number of squares, white men, black men and advancement.
    counts: Vec<u64>,
}

impl PlacementCounts {
    fn new(white: usize, black: usize) -> PlacementCounts {
        let advancements = 6 * (white + black) + 1;
        let mut this = PlacementCounts { white, black, advancements, counts: Vec::new() };
        this.counts = vec![0; (Square::COUNT + 1) * (white + 1) * (black + 1) * advancements];
        let start = this.at(0, 0, 0, 0);
        this.counts[start] = 1;
        for square in 0..Square::COUNT {
            for men in 0..(white + 1) * (black + 1) * advancements {
                let (white, black, advancement) =
                    (men / advancements / (black + 1), men / advancements % (black + 1), men % advancements);
                let here = this.at(square + 1, white, black, advancement);
                this.counts[here] = this.digits_below(square, white, black, advancement, Digit::COUNT);
            }
        }
        this
    }

    fn at(&self, squares: usize, white: usize, black: usize, advancement: usize) -> usize {
        ((squares * (self.white + 1) + white) * (self.black + 1) + black) * self.advancements + advancement
    }

    fn all_with(&self, advancement: usize) -> u64 {
        self.counts[self.at(Square::COUNT, self.white, self.black, advancement)]
    }

    /// The placements of these men on the squares up to this one whose digit here is below `digit`.
    fn digits_below(&self, square: usize, white: usize, black: usize, advancement: usize, digit: usize) -> u64 {
        (0..digit)
            .filter_map(|digit| Digit(digit).take(square, white, black, advancement))
            .map(|(white, black, advancement)| self.counts[self.at(square, white, black, advancement)])
            .sum()
    }

    fn rank(&self, placement: Placement, advancement: usize) -> u64 {
        let mut left = (self.white, self.black, advancement);
        let mut rank = 0;
        let mut men = placement.men().0;
        while men != 0 {
            let id = 31 - men.leading_zeros();
            men ^= 1 << id;
            let digit = Digit(if placement.white.contains(Square::from_id(id as u8)) { 1 } else { 2 });
            rank += self.digits_below(id as usize, left.0, left.1, left.2, digit.0);
            if let Some(rest) = digit.take(id as usize, left.0, left.1, left.2) {
                left = rest;
            }
        }
        rank
    }

    fn placement(&self, mut rank: u64, advancement: usize) -> Placement {
        let mut placement = Placement { white: Squares::EMPTY, black: Squares::EMPTY };
        let mut left = (self.white, self.black, advancement);
        for id in (0..Square::COUNT).rev() {
            for digit in 0..Digit::COUNT {
                let Some(rest) = Digit(digit).take(id, left.0, left.1, left.2) else { continue };
                let count = self.counts[self.at(id, rest.0, rest.1, rest.2)];
                if rank < count {
                    left = rest;
                    match digit {
                        1 => placement.white |= Squares(1 << id),
                        2 => placement.black |= Squares(1 << id),
                        _ => {}
                    }
                    break;
                }
                rank -= count;
            }
        }
        placement
    }
}

/// What a square holds in a placement: 0 nothing, 1 a white man, 2 a black man.
#[derive(Clone, Copy)]
struct Digit(usize);

impl Digit {
    const COUNT: usize = 3;

    /// What is left to place after this digit on the square, or `None` when it cannot stand there.
    fn take(self, square: usize, white: usize, black: usize, advanced: usize) -> Option<(usize, usize, usize)> {
        let square = Square::from_id(square as u8);
        match self.0 {
            0 => Some((white, black, advanced)),
            1 => Some((white.checked_sub(1)?, black, advanced.checked_sub(advancement(square, Color::White)?)?)),
            _ => Some((white, black.checked_sub(1)?, advanced.checked_sub(advancement(square, Color::Black)?)?)),
        }
    }
}

/// The colexicographic rank of a set among all sets of its size within `free`.
fn colex_rank(set: Squares, free: Squares) -> u64 {
    let mut rank = 0;
    for (taken, square) in set.iter().enumerate() {
        let below = (free & Squares((1 << square.id()) - 1)).len();
        rank += BINOMIAL[below as usize][taken + 1];
    }
    rank
}

/// The set of `size` squares within `free` that has this colexicographic rank.
fn colex_set(mut rank: u64, size: u8, free: Squares) -> Squares {
    let squares: [u8; 32] = {
        let mut squares = [0; 32];
        for (slot, square) in squares.iter_mut().zip(free) {
            *slot = square.id();
        }
        squares
    };
    let mut below = free.len() as usize;
    let mut set = Squares::EMPTY;
    for size in (1..=usize::from(size)).rev() {
        while BINOMIAL[below][size] > rank {
            below -= 1;
        }
        rank -= BINOMIAL[below][size];
        set |= Squares(1 << squares[below]);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(name: &str) -> SliceIndex {
        SliceIndex::new(name.parse().unwrap())
    }

    #[test]
    fn every_position_up_to_three_pieces_has_its_own_number() {
        for pieces in 2..=3 {
            for slice in Slice::all_of(pieces) {
                let index = SliceIndex::new(slice);
                for number in 0..index.positions() {
                    let position = index.position(number);
                    assert_eq!(Slice::of(&position), Some(slice));
                    assert_eq!(index.index(&position), number, "{}", position.to_fen());
                    assert_eq!(index.index(&position.flipped()), number);
                }
            }
        }
    }

    #[test]
    fn numbers_of_larger_slices_are_read_back() {
        for name in ["KKmvKm", "KKmmvKmm", "mmmvmmm", "KKKvKKK", "KmmmmvKmm", "KKKKvKKKK"] {
            let index = index(name);
            let step = index.positions() / 997 + 1;
            for number in (0..index.positions()).step_by(step as usize) {
                assert_eq!(index.index(&index.position(number)), number, "{name}");
            }
        }
    }

    #[test]
    fn totals_are_the_numbers_of_legal_placements() {
        let total =
            |pieces| Slice::all_of(pieces).into_iter().map(|slice| SliceIndex::new(slice).positions()).sum::<u64>();
        assert_eq!([2, 3, 4, 5].map(total), [3488, 196_032, 6_209_316, 139_450_808]);
        assert_eq!([6, 7, 8].map(total), [2_426_085_676, 34_243_113_624, 403_190_250_561]);
    }

    #[test]
    fn quiet_man_moves_lead_to_the_level_before() {
        let index = index("mmvm");
        let levels: Vec<_> = index.levels().collect();
        assert_eq!(levels.last().map(|range| range.end), Some(index.placements()));
        for (number, level) in levels.iter().enumerate() {
            for rank in level.clone() {
                let placement = index.placement(rank);
                for to in placement.white.step(bolshak_rules::Direction::NorthEast) - placement.men() {
                    let from = Squares::of(to).step(bolshak_rules::Direction::SouthWest);
                    let moved = Placement { white: (placement.white - from) | Squares::of(to), ..placement };
                    if to.rank() < 7 {
                        assert!(levels[number - 1].contains(&index.placement_rank(moved)));
                    }
                }
            }
        }
    }
}
