//! The moves as part 1 of the rules tells them, sentence by sentence on a board of letters, against the crate's.

use std::collections::BTreeSet;

use bolshak_rules::{Color, Kind, Move, Position, perft};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::positions::{cases, positions};

/// File and rank from 0; off the board when out of 0..8.
type Cell = (i8, i8);

const DIAGONALS: [Cell; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// `m`, `k` white, `M`, `K` black, `.` empty.
#[derive(Clone)]
struct Board([[char; 8]; 8]);

impl Board {
    /// Reads what [`Position::to_fen`] writes.
    fn read(fen: &str) -> (bool, Board) {
        let mut board = Board([['.'; 8]; 8]);
        let mut parts = fen.split(':');
        let white_moves = parts.next() == Some("W");
        for part in parts {
            let (color, list) = part.split_at(1);
            for item in list.split(',').filter(|item| !item.is_empty()) {
                let name = item.trim_start_matches('K').as_bytes();
                let piece = if item.starts_with('K') { 'k' } else { 'm' };
                let piece = if color == "W" { piece } else { piece.to_ascii_uppercase() };
                board.0[usize::from(name[1] - b'1')][usize::from(name[0] - b'a')] = piece;
            }
        }
        (white_moves, board)
    }

    fn write(&self, white_moves: bool) -> String {
        let list = |white: bool| {
            let mut items = Vec::new();
            for rank in 0..8 {
                for file in 0..8 {
                    let piece = self.at((file, rank)).unwrap_or('.');
                    if piece != '.' && piece.is_lowercase() == white {
                        let king = if piece.eq_ignore_ascii_case(&'k') { "K" } else { "" };
                        items.push(format!("{king}{}", name((file, rank))));
                    }
                }
            }
            items.join(",")
        };
        format!("{}:W{}:B{}", if white_moves { "W" } else { "B" }, list(true), list(false))
    }

    fn at(&self, (file, rank): Cell) -> Option<char> {
        self.0.get(usize::try_from(rank).ok()?)?.get(usize::try_from(file).ok()?).copied()
    }

    fn set(&mut self, (file, rank): Cell, piece: char) {
        self.0[rank as usize][file as usize] = piece;
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.at(cell) == Some('.')
    }
}

fn name((file, rank): Cell) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn add((file, rank): Cell, (right, up): Cell) -> Cell {
    (file + right, rank + up)
}

fn promoted(piece: char, cell: Cell) -> char {
    match (piece, cell.1) {
        ('m', 7) => 'k',
        ('M', 0) => 'K',
        _ => piece,
    }
}

/// A move as the rules identify it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LiteralMove {
    from: Cell,
    to: Cell,
    captured: BTreeSet<Cell>,
    ends_as: char,
}

/// One jump in one direction: the enemy piece and the squares it may land on.
fn jump(board: &Board, at: Cell, piece: char, captured: &BTreeSet<Cell>, direction: Cell) -> Option<(Cell, Vec<Cell>)> {
    let king = piece.eq_ignore_ascii_case(&'k');
    let mut over = add(at, direction);
    while king && board.is_empty(over) {
        over = add(over, direction);
    }
    let enemy = board.at(over).filter(|&other| other != '.' && other.is_lowercase() != piece.is_lowercase());
    if enemy.is_none() || captured.contains(&over) {
        return None;
    }
    let mut landings = Vec::new();
    let mut landing = add(over, direction);
    while board.is_empty(landing) {
        landings.push(landing);
        if !king {
            break;
        }
        landing = add(landing, direction);
    }
    (!landings.is_empty()).then_some((over, landings))
}

fn go_on(
    board: &Board,
    at: Cell,
    piece: char,
    captured: &BTreeSet<Cell>,
    end: &mut impl FnMut(Cell, char, &BTreeSet<Cell>),
) {
    let mut stuck = true;
    for direction in DIAGONALS {
        let Some((over, landings)) = jump(board, at, piece, captured, direction) else { continue };
        stuck = false;
        let captured: BTreeSet<Cell> = captured.iter().copied().chain([over]).collect();
        let continues = |landing: &Cell| {
            DIAGONALS.iter().any(|&on| jump(board, *landing, promoted(piece, *landing), &captured, on).is_some())
        };
        let must: Vec<Cell> = landings.iter().copied().filter(continues).collect();
        for landing in if must.is_empty() { landings } else { must } {
            go_on(board, landing, promoted(piece, landing), &captured, end);
        }
    }
    if stuck && !captured.is_empty() {
        end(at, piece, captured);
    }
}

fn literal_moves(board: &Board, white_moves: bool) -> BTreeSet<LiteralMove> {
    let (mut captures, mut quiet) = (BTreeSet::new(), BTreeSet::new());
    for from in (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank))) {
        let piece = board.at(from).unwrap_or('.');
        if piece == '.' || piece.is_lowercase() != white_moves {
            continue;
        }
        let mut lifted = board.clone();
        lifted.set(from, '.');
        go_on(&lifted, from, piece, &BTreeSet::new(), &mut |to, ends_as, captured| {
            captures.insert(LiteralMove { from, to, captured: captured.clone(), ends_as });
        });
        for direction in DIAGONALS {
            let king = piece.eq_ignore_ascii_case(&'k');
            let forward = direction.1 == if white_moves { 1 } else { -1 };
            let mut to = add(from, direction);
            while board.is_empty(to) && (king || forward) {
                quiet.insert(LiteralMove { from, to, captured: BTreeSet::new(), ends_as: promoted(piece, to) });
                if !king {
                    break;
                }
                to = add(to, direction);
            }
        }
    }
    if captures.is_empty() { quiet } else { captures }
}

fn literal_after(board: &Board, mv: &LiteralMove) -> Board {
    let mut after = board.clone();
    after.set(mv.from, '.');
    for &cell in &mv.captured {
        after.set(cell, '.');
    }
    after.set(mv.to, mv.ends_as);
    after
}

/// Every move as one line with the position after it.
fn literal_lines(fen: &str) -> BTreeSet<String> {
    let (white_moves, board) = Board::read(fen);
    literal_moves(&board, white_moves)
        .iter()
        .map(|mv| {
            let captured: BTreeSet<String> = mv.captured.iter().copied().map(name).collect();
            let king = mv.ends_as.eq_ignore_ascii_case(&'k');
            let after = literal_after(&board, mv).write(!white_moves);
            format!("{} {} {captured:?} {king} {after}", name(mv.from), name(mv.to))
        })
        .collect()
}

fn lines(position: &Position) -> Vec<String> {
    position
        .legal_moves()
        .iter()
        .map(|mv| {
            let captured: BTreeSet<String> = mv.captured.iter().map(|square| square.to_string()).collect();
            let king = mv.ends_as == Kind::King;
            format!("{} {} {captured:?} {king} {}", mv.from, mv.to, position.after(mv).to_fen())
        })
        .collect()
}

fn assert_same_moves(position: &Position) {
    let fen = position.to_fen();
    let found = lines(position);
    let unique: BTreeSet<String> = found.iter().cloned().collect();
    assert_eq!(unique.len(), found.len(), "a move is listed twice in {fen}");
    assert_eq!(unique, literal_lines(&fen), "in {fen}");
    assert_eq!(position.legal_move_count(), found.len(), "the count in {fen}");
    assert_eq!(position.has_move(), !found.is_empty(), "whether there is a move in {fen}");
    let captures = position.legal_moves().iter().any(|mv| mv.is_capture());
    assert_eq!(position.can_capture(), captures, "whether there is a capture in {fen}");
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn random_positions_have_the_moves_of_the_text(position in positions()) {
        assert_same_moves(&position);
    }
}

/// Whether the piece could go on if what it has captured left the board at once.
fn is_turkish_strike(position: &Position, mv: &Move) -> bool {
    let after = position.after(mv);
    let again = Position::new(after.side(Color::White), after.side(Color::Black), position.turn());
    mv.is_capture()
        && again.is_ok_and(|again| again.legal_moves().iter().any(|next| next.is_capture() && next.from == mv.to))
}

#[test]
fn the_random_positions_have_every_kind_of_capture() {
    let mut runner = TestRunner::deterministic();
    let (mut turkish, mut round, mut promoted_on_the_way, mut long) = (0, 0, 0, 0);
    for _ in 0..20_000 {
        let position = positions().new_tree(&mut runner).unwrap().current();
        for mv in position.legal_moves().iter().filter(|mv| mv.is_capture()) {
            turkish += u32::from(is_turkish_strike(&position, mv));
            round += u32::from(mv.from == mv.to);
            promoted_on_the_way += u32::from(mv.is_promotion() && !position.turn().promotion_rank().contains(mv.to));
            long += u32::from(mv.captured.len() >= 6);
        }
    }
    let counts = [turkish, round, promoted_on_the_way, long];
    assert!(counts.iter().all(|count| *count >= 50), "{counts:?}");
}

#[test]
fn positions_of_note_have_the_moves_of_the_text() {
    for fen in [
        // Two captures share both ends; two end as different kinds.
        "W:WKh4:Bg3,c5,e5,g5",
        "W:Wh6:Bg3,g5,e7,Kg7",
        // A man becomes a king on its way and goes on as one, or has to stop.
        "W:Wf6:Be7,b6,h2",
        "W:Wf6:Be7,b4",
        // The Turkish strike: a captured man still bars the way.
        "W:WKe1:Bd2,b4,c7,f6,f4",
        // Round trips of a man and of a king, over the square they started from.
        "W:Wc3:Bd4,f4,f2,d2",
        "W:WKc3,a1:Bd4,Kg5,f2,d2,b2",
        "W:WKc3:Bd4,f6,g3,e3,d2,b4",
        // Every piece blocked.
        "B:Wa1,Kc3,e5:Bh8,d6,Kf2",
    ] {
        let position = Position::from_fen(fen).unwrap().position;
        assert_same_moves(&position);
        assert_same_moves(&position.flipped());
    }
}

#[test]
fn a_short_tree_of_kings_has_the_leaves_of_the_text() {
    fn leaves(board: &Board, white_moves: bool, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = literal_moves(board, white_moves);
        moves.iter().map(|mv| leaves(&literal_after(board, mv), !white_moves, depth - 1)).sum()
    }
    let fen = "W:WKc1,Ke1,Kg1:BKb8,Kd8";
    let (white_moves, board) = Board::read(fen);
    assert_eq!(perft(&Position::from_fen(fen).unwrap().position, 4), leaves(&board, white_moves, 4));
}

/// Whether the side to move has a move, by the text.
pub(crate) fn has_literal_move(fen: &str) -> bool {
    let (white_moves, board) = Board::read(fen);
    !literal_moves(&board, white_moves).is_empty()
}
