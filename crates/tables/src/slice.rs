//! Slices: all positions with the same material, White to move.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use bolshak_rules::{Position, Side};

/// How many kings and men one side has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Material {
    /// Number of kings.
    pub kings: u8,
    /// Number of men.
    pub men: u8,
}

impl Material {
    /// The material of a side.
    pub fn of(side: Side) -> Material {
        Material { kings: side.kings.len() as u8, men: side.men.len() as u8 }
    }

    /// Number of pieces.
    pub const fn pieces(self) -> u8 {
        self.kings + self.men
    }

    /// What can become of it by captures and promotions, itself included, as long as there are pieces.
    fn descendants(self) -> impl Iterator<Item = Material> {
        (0..=self.men).flat_map(move |men| (0..=self.pieces() - men).map(move |kings| Material { kings, men }))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", "K".repeat(self.kings.into()), "m".repeat(self.men.into()))
    }
}

/// All positions in which the side to move has one material and its opponent the other, such as `KKmvKm`. It is the unit
/// of look-up. Positions with Black to move are in the same slices through the swap of colours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slice {
    mover: Material,
    opponent: Material,
}

/// Why a text names no slice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SliceError {
    /// Not two materials with a `v` between, kings before men.
    #[error("'{0}' is no slice: write the mover's pieces, v, the opponent's, kings (K) before men (m), as in KKmvKm")]
    Malformed(String),
    /// A side with no piece: such positions are over, and no table has them.
    #[error("'{0}' is no slice: each side needs a piece")]
    NoPieces(String),
    /// A side with more pieces than the game starts with.
    #[error("'{0}' is no slice: a side has at most 12 pieces")]
    TooManyPieces(String),
}

impl Slice {
    /// The slice of a material against another; `None` unless each side has 1 to 12 pieces.
    pub fn new(mover: Material, opponent: Material) -> Option<Slice> {
        let fits = |material: Material| (1..=12).contains(&material.kings.saturating_add(material.men));
        (fits(mover) && fits(opponent)).then_some(Slice { mover, opponent })
    }

    /// The slice a position is in, seen from the side to move; `None` when a side has no piece.
    pub fn of(position: &Position) -> Option<Slice> {
        Slice::new(Material::of(position.mover()), Material::of(position.opponent()))
    }

    /// The material of the side to move.
    pub const fn mover(self) -> Material {
        self.mover
    }

    /// The material of the other side.
    pub const fn opponent(self) -> Material {
        self.opponent
    }

    /// Number of pieces on the board.
    pub const fn pieces(self) -> u8 {
        self.mover.pieces() + self.opponent.pieces()
    }

    /// Number of men on the board.
    pub const fn men(self) -> u8 {
        self.mover.men + self.opponent.men
    }

    /// The slice with the other side to move.
    pub const fn partner(self) -> Slice {
        Slice { mover: self.opponent, opponent: self.mover }
    }

    /// The pair it is solved in.
    pub fn pair(self) -> Pair {
        Pair { first: self.max(self.partner()) }
    }

    /// The slices that one conversion can lead to: a capture of some of the opponent's pieces, a promotion, or both.
    pub fn children(self) -> BTreeSet<Slice> {
        let mut children = BTreeSet::new();
        for kings in 0..=self.opponent.kings {
            for men in 0..=self.opponent.men {
                for promoted in 0..=self.mover.men.min(1) {
                    let opponent = Material { kings, men };
                    let mover = Material { kings: self.mover.kings + promoted, men: self.mover.men - promoted };
                    if opponent != self.opponent || promoted > 0 {
                        children.extend(Slice::new(opponent, mover));
                    }
                }
            }
        }
        children
    }

    /// All slices of so many pieces.
    pub fn all_of(pieces: u8) -> Vec<Slice> {
        let mut slices = Vec::new();
        for mover_pieces in 1..pieces {
            for mover_kings in 0..=mover_pieces {
                for opponent_kings in 0..=pieces - mover_pieces {
                    let mover = Material { kings: mover_kings, men: mover_pieces - mover_kings };
                    let opponent = Material { kings: opponent_kings, men: pieces - mover_pieces - opponent_kings };
                    slices.extend(Slice::new(mover, opponent));
                }
            }
        }
        slices
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.mover, self.opponent)
    }
}

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Slice, SliceError> {
        let malformed = || SliceError::Malformed(text.to_owned());
        let material = |pieces: &str| {
            let men = pieces.trim_start_matches('K');
            if !men.bytes().all(|byte| byte == b'm') {
                return Err(malformed());
            }
            match pieces.len() {
                0 => Err(SliceError::NoPieces(text.to_owned())),
                1..=12 => Ok(Material { kings: (pieces.len() - men.len()) as u8, men: men.len() as u8 }),
                _ => Err(SliceError::TooManyPieces(text.to_owned())),
            }
        };
        let (mover, opponent) = text.split_once('v').ok_or_else(malformed)?;
        Slice::new(material(mover)?, material(opponent)?).ok_or_else(malformed)
    }
}

/// A slice and its partner: the same men and kings with either side to move. It is the unit of solving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pair {
    first: Slice,
}

impl Pair {
    /// The slice that gives the pair its name: the one with more material to move.
    pub const fn first(self) -> Slice {
        self.first
    }

    /// The slices, one or two: where both sides have the same material a pair is one slice.
    pub fn slices(self) -> impl Iterator<Item = Slice> {
        let partner = self.first.partner();
        std::iter::once(self.first).chain((partner != self.first).then_some(partner))
    }

    /// The pairs that must be solved before this one.
    pub fn children(self) -> BTreeSet<Pair> {
        self.slices().flat_map(Slice::children).map(Slice::pair).collect()
    }

    /// The pairs of these slices and all that play from them can come to, in order of solving.
    pub fn closure(slices: &[Slice]) -> BTreeSet<Pair> {
        let mut closure = BTreeSet::new();
        for slice in slices {
            // What becomes of one side and of the other do not depend on each other.
            for mover in slice.mover.descendants() {
                let led_to = slice.opponent.descendants().filter_map(|opponent| Slice::new(mover, opponent));
                closure.extend(led_to.map(Slice::pair));
            }
        }
        closure
    }

    /// All pairs of so many pieces, in an order in which each can be solved after those before it.
    pub fn all_of(pieces: u8) -> BTreeSet<Pair> {
        Slice::all_of(pieces).into_iter().map(Slice::pair).collect()
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Pair) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    /// The order of solving: by number of pieces, then of men, then by name.
    fn cmp(&self, other: &Pair) -> std::cmp::Ordering {
        let key = |pair: &Pair| (pair.first.pieces(), pair.first.men(), pair.first);
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for pieces in 2..=6 {
            for slice in Slice::all_of(pieces) {
                assert_eq!(slice.to_string().parse(), Ok(slice));
            }
        }
        for wrong in ["KmK", "mKvK", "vK", "Kv", "KvKv", "kvK", "", "KKKKKKKKKKKKKvK"] {
            assert!(wrong.parse::<Slice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_come_after_their_children() {
        for pieces in 2..=6 {
            for pair in Pair::all_of(pieces) {
                for child in pair.children() {
                    assert!(child < pair, "{child} before {pair}");
                }
            }
        }
    }

    #[test]
    fn the_closure_is_what_conversions_lead_to() {
        for slice in (2..=6).flat_map(Slice::all_of) {
            let (mut closure, mut open) = (BTreeSet::new(), vec![slice.pair()]);
            while let Some(pair) = open.pop() {
                if closure.insert(pair) {
                    open.extend(pair.children());
                }
            }
            assert_eq!(Pair::closure(&[slice]), closure, "{slice}");
        }
    }

    #[test]
    fn conversions_from_a_man_and_king_against_a_king() {
        let slice: Slice = "KmvK".parse().unwrap();
        let children: Vec<String> = slice.children().iter().map(Slice::to_string).collect();
        assert_eq!(children, ["KvKK"]);
        assert_eq!(slice.pair(), slice.partner().pair());
    }
}
