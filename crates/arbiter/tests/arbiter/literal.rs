//! A second, literal reading of the counts: boards as they stood, looked through backwards for every ply, the way an
//! arbiter would with the rule book. It shares nothing with the arbiter: no counters, no moves, only positions as text.

use std::collections::BTreeMap;

/// A board: what stands on each square (`w`, `W`, `b`, `B`; kings in capitals), and who is to move.
struct Board {
    fen: String,
    pieces: BTreeMap<String, char>,
    turn: char,
    /// Men and kings of both sides: the force ratio.
    ratio: [usize; 4],
}

impl Board {
    fn read(fen: &str) -> Board {
        let mut pieces = BTreeMap::new();
        for list in fen[2..].split(':') {
            let side = list[..1].to_lowercase().remove(0);
            for item in list[1..].split(',').filter(|item| !item.is_empty()) {
                match item.strip_prefix('K') {
                    Some(square) => pieces.insert(square.to_owned(), side.to_ascii_uppercase()),
                    None => pieces.insert(item.to_owned(), side),
                };
            }
        }
        let ratio = ['w', 'W', 'b', 'B'].map(|piece| pieces.values().filter(|stands| **stands == piece).count());
        Board { fen: fen.to_owned(), pieces, turn: fen[..1].to_lowercase().remove(0), ratio }
    }

    /// Men and kings of a side.
    fn side(&self, side: char) -> (usize, usize) {
        let [white_men, white_kings, black_men, black_kings] = self.ratio;
        if side == 'w' { (white_men, white_kings) } else { (black_men, black_kings) }
    }

    fn men(&self) -> Vec<(&String, &char)> {
        self.pieces.iter().filter(|(_, piece)| piece.is_lowercase()).collect()
    }

    fn on_main_road(&self) -> Vec<char> {
        ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]
            .iter()
            .filter_map(|square| self.pieces.get(*square).copied())
            .collect()
    }
}

/// A game as boards; the last may be one where the side to move has no move.
pub(crate) struct Literal {
    boards: Vec<Board>,
    stuck_at_end: bool,
}

const fn other(side: char) -> char {
    if side == 'w' { 'b' } else { 'w' }
}

impl Literal {
    /// From the positions after each ply, the one at the beginning first.
    pub(crate) fn new(fens: &[String], stuck_at_end: bool) -> Literal {
        Literal { boards: fens.iter().map(|fen| Board::read(fen)).collect(), stuck_at_end }
    }

    /// The side that made a ply.
    fn mover(&self, ply: usize) -> char {
        self.boards[ply - 1].turn
    }

    /// The ply that brought the force ratio about, or 0.
    fn ratio_arose(&self, ply: usize) -> usize {
        let mut arose = ply;
        while arose > 0 && self.boards[arose - 1].ratio == self.boards[ply].ratio {
            arose -= 1;
        }
        arose
    }

    fn own_moves(&self, side: char, after: usize, until: usize) -> usize {
        (after + 1..=until).filter(|&ply| self.mover(ply) == side).count()
    }

    /// The first ply at which something holds. A game that is won at that very ply is won.
    fn first(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let last = self.boards.len() - 1;
        (1..=last).find(|&ply| !(ply == last && self.stuck_at_end) && holds(ply))
    }

    /// 1.9.1.3: 15 own moves, or for fmjd64 30 plies.
    pub(crate) fn three_kings(&self, by_plies: bool) -> Option<usize> {
        self.first(|ply| {
            ['w', 'b'].into_iter().any(|strong| {
                let (men, kings) = self.boards[ply].side(strong);
                let arose = self.ratio_arose(ply);
                men == 0
                    && kings >= 3
                    && self.boards[ply].side(other(strong)) == (0, 1)
                    && if by_plies { ply - arose >= 30 } else { self.own_moves(strong, arose, ply) >= 15 }
            })
        })
    }

    /// 1.9.1.4.
    pub(crate) fn unchanged_ratio(&self) -> Option<usize> {
        self.first(|ply| {
            let board = &self.boards[ply];
            let moves = match board.pieces.len() {
                2 | 3 => 5,
                4 | 5 => 30,
                6 | 7 => 60,
                _ => return false,
            };
            board.side('w').1 > 0 && board.side('b').1 > 0 && ply - self.ratio_arose(ply) >= 2 * moves
        })
    }

    /// Articles 18-22 of the older code: one king and men against kings.
    pub(crate) fn one_king_with_men(&self) -> Option<usize> {
        self.first(|ply| {
            ['w', 'b'].into_iter().any(|one| {
                let (men, kings) = self.boards[ply].side(one);
                kings == 1 && men >= 1 && self.boards[ply].side(other(one)).1 >= 1
            }) && ply - self.ratio_arose(ply) >= 60
        })
    }

    /// 1.9.1.5; for fmjd64 with a king among the three and the lone king alone on the road.
    pub(crate) fn main_road(&self, fmjd: bool) -> Option<usize> {
        self.first(|ply| {
            ['w', 'b'].into_iter().any(|strong| {
                let (men, kings) = self.boards[ply].side(strong);
                if men + kings != 3 || self.boards[ply].side(other(strong)) != (0, 1) || (fmjd && kings == 0) {
                    return false;
                }
                let lone_king = other(strong).to_ascii_uppercase();
                let mut own = 0;
                for back in (self.ratio_arose(ply) + 1..=ply).rev() {
                    let road = self.boards[back].on_main_road();
                    if !road.contains(&lone_king) || (fmjd && road.len() > 1) {
                        break;
                    }
                    own += usize::from(self.mover(back) == strong);
                }
                own >= 5
            })
        })
    }

    /// 1.9.1.6: 15 moves by kings; for fmjd64 with eight pieces or more.
    pub(crate) fn kings_only(&self, min_pieces: usize) -> Option<usize> {
        self.first(|ply| {
            ply >= 30
                && self.boards[ply].pieces.len() >= min_pieces
                && (ply - 30..ply).all(|before| {
                    let (before, after) = (&self.boards[before], &self.boards[before + 1]);
                    before.men() == after.men() && before.pieces.len() == after.pieces.len()
                })
        })
    }

    /// 1.9.1.7.
    pub(crate) fn third_time(&self) -> Option<usize> {
        (0..self.boards.len())
            .find(|&ply| (0..=ply).filter(|&before| self.boards[before].fen == self.boards[ply].fen).count() >= 3)
    }

    /// What a ply changed on the board: whose piece stood on a square, and what stands there now. It is the same for the
    /// same move, for which it does not matter what a piece was before.
    fn change(&self, ply: usize) -> Vec<(&String, Option<char>, Option<&char>)> {
        let (before, after) = (&self.boards[ply - 1].pieces, &self.boards[ply].pieces);
        let squares: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        squares
            .into_iter()
            .map(|square| (square, before.get(square), after.get(square)))
            .filter(|(_, before, after)| before != after)
            .map(|(square, before, after)| (square, before.map(char::to_ascii_lowercase), after))
            .collect()
    }

    /// Article 19 of the older code: three equal blocks of at least two own moves.
    pub(crate) fn equal_blocks(&self) -> Option<usize> {
        let changes: Vec<_> = (1..self.boards.len()).map(|ply| self.change(ply)).collect();
        (1..self.boards.len()).find(|&ply| {
            let own: Vec<_> = (0..ply).rev().step_by(2).map(|ply| &changes[ply]).collect();
            (2..=own.len() / 3)
                .any(|length| own[..length] == own[length..2 * length] && own[..length] == own[2 * length..3 * length])
        })
    }
}
