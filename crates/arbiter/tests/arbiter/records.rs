//! Records in the many forms in which they are found.

use std::io::BufRead;

use bolshak_arbiter::pdn::{MAX_GAME_BYTES, Reader, Record};
use bolshak_arbiter::{GameResult, Language};

use bolshak_rules::Position;

use crate::common::read;

fn one(text: &str) -> Record {
    let mut records = read(text.as_bytes());
    assert_eq!(records.len(), 1, "{text}: {records:?}");
    records.remove(0)
}

fn moves(record: &Record) -> String {
    record.move_texts().join(" ")
}

fn warnings(record: &Record) -> Vec<String> {
    record.warnings.iter().map(ToString::to_string).collect()
}

fn error(record: &Record) -> (usize, String) {
    let error = record.error.as_ref().unwrap();
    (error.ply(), error.message(Language::English))
}

const OPENING: &str = "c3-d4 d6-c5 b2-c3 f6-g5 c3-b4 g5-h4 b4:d6 e7:c5";

#[test]
fn one_game_in_many_dialects() {
    for text in [
        "1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 *",
        "1.c3-d4 d6-c5 2.b2-c3 f6-g5 3.c3-b4 g5-h4 4.b4xd6 e7xc5 *",
        "1. c3-d4 1... d6-c5 2. b2-c3 2... f6-g5 3.\nc3-b4 g5-h4 4. b4:d6 e7:c5",
        "1. cd4 dc5 2. bc3 fg5 3. cb4 gh4 4. b:d6 e:c5",
        "1 c3d4 d6c5 2 b2c3 f6g5 3 c3b4 g5h4 4 b4d6 e7c5",
        "1. C3-D4 D6-C5 2. B2-C3 F6-G5 3. C3-B4 G5-H4 4. B4:D6 E7:C5",
        "1. 22-18 10-14 2. 25-22 11-16 3. 22-17 16-20 4. 17x10 7x14",
        "1. c3–d4! d6–c5?! 2. b2-c3(!) f6-g5 $2 {a {remark} 3. c3-b4?? ( 3. g3-h4 (3. a1-b2) g5-f4) g5-h4 4. b4:d6 {[%clock w0:09:59]} e7:c5 ; good\n",
    ] {
        let record = one(text);
        assert_eq!(record.error, None, "{text}");
        assert!(OPENING.starts_with(&moves(&record)) && record.plies() >= 4, "{text}: {}", moves(&record));
    }
}

#[test]
fn moves_and_results_may_have_spaces_in_them_and_numbers_a_bracket() {
    for text in [
        "1) c3-d4 d6-c5 2) b2-c3 f6-g5 3) c3-b4 g5-h4 4) b4:d6 e7:c5",
        "1. c3 - d4 d6 – c5 2. b2 - c3 f6 -\ng5 3. c3 - b4 g5 - h4! {so} 4. b4 : d6 e7 x c5",
        "1. 22 - 18 10 - 14 2. 25 - 22 11 - 16 3. 22 - 17 16 - 20 4. 17 x 10 7 x 14",
    ] {
        for (result, end) in [(GameResult::Draw, "1 - 1"), (GameResult::Draw, "½ – ½"), (GameResult::WinWhite, "2 - 0")]
        {
            let record = one(&format!("{text} {end}\n\n"));
            assert_eq!(
                (record.error.as_ref(), moves(&record).len(), record.plies()),
                (None, OPENING.len(), 8),
                "{text}"
            );
            assert_eq!((record.result, warnings(&record)), (result, Vec::new()), "{text} {end}");
        }
    }
    assert_eq!(moves(&one("[FEN \"W:Wb2:Bc3,c5\"]\n1. b2 : d4 : b6 *")), "b2:b6");
    // A sign between moves, a mark at the end and a bracket that ends a variation are what they were.
    assert_eq!(moves(&one("1. c3-d4 - d6-c5 (see 2) 2. b2-c3 *")), "c3-d4 d6-c5 b2-c3");
    let marked = one("[FEN \"W:Wc3:Ba7\"]\n1. d4 X");
    assert_eq!((moves(&marked).as_str(), marked.result), ("c3-d4", GameResult::WinWhite));
}

#[test]
fn no_move_is_read_where_one_side_has_no_piece() {
    for (fen, text) in [("B:W:Ba3", "a3-b2"), ("W:WKa1:B", "a1-b2")] {
        let record = one(&format!("[FEN \"{fen}\"]\n1. {text} *"));
        let expected = format!("ply 1: '{text}' after the end of the game: there is no legal move");
        assert_eq!((record.plies(), error(&record)), (0, (1, expected)));
        let start = record.start.unwrap();
        assert!(bolshak_arbiter::pdn::read_move(&start, text).is_err());
    }
}

#[test]
fn what_stands_around_moves_is_kept() {
    let text = "{first} 1. c3-d4! {good} (1. g3-h4 $2 b6-a5) d6-c5 $6 2. b2-c3 1-1 {agreed}";
    let record = one(text);
    assert_eq!(record.comments, ["first"]);
    assert_eq!(record.moves[0].glyphs, "!");
    assert_eq!(record.moves[0].comments, ["good"]);
    assert_eq!(record.moves[0].variations, ["1. g3-h4 $2 b6-a5"]);
    assert_eq!(record.moves[1].nags, [6]);
    assert_eq!(record.moves[2].comments, ["agreed"]);
    let written = record.to_pdn();
    assert!(
        written.ends_with("{first} 1. c3-d4! {good} (1. g3-h4 $2 b6-a5) 1... d6-c5 $6 2. b2-c3 {agreed} 1-1\n"),
        "{written}"
    );
    assert_eq!(one(&written).moves, record.moves);
}

#[test]
fn results_are_the_tags_or_else_the_moves() {
    for (text, result) in [
        ("[Result \"2-0\"]\n1. c3-d4 *", GameResult::WinWhite),
        ("[Result \"\"]\n1. c3-d4 0-2", GameResult::WinBlack),
        ("[Result \"½–½\"]\n1. c3-d4", GameResult::Draw),
        ("[Result \"1/2–1/2\"]\n1. c3-d4", GameResult::Draw),
        ("1. c3-d4 d6-c5 =", GameResult::Draw),
        ("1. c3-d4 d6-c5=", GameResult::Draw),
        ("1. c3-d4 d6-c5", GameResult::Unfinished),
        ("1. c3-d4 = d6-c5", GameResult::Unfinished),
    ] {
        let record = one(text);
        assert_eq!((record.result, warnings(&record)), (result, Vec::new()), "{text}");
    }
    let differ = one("[Result \"2-0\"]\n1. c3-d4 0-2");
    assert_eq!(differ.result, GameResult::WinWhite);
    assert_eq!(warnings(&differ), ["the Result tag says win-white, the end of the moves win-black; the tag was taken"]);
    for text in ["1. c3-d4 d6-c5 Х", "1. c3-d4 d6-c5X"] {
        let marked = one(text);
        assert_eq!(marked.result, GameResult::WinBlack, "{text}");
        assert_eq!(warnings(&marked), ["the mark X was read as a win for Black, who moved last"]);
    }
}

#[test]
fn odd_letters_and_signs_are_warned_of() {
    let record = one("1. с3-d4 d6-с5 2. е3-f4 c5-g5 *");
    assert_eq!(record.error, None);
    assert_eq!(moves(&record), "c3-d4 d6-c5 e3-f4 c5:g5");
    assert_eq!(
        warnings(&record),
        [
            "ply 1: Cyrillic 'с' was read as the Latin letter",
            "ply 3: Cyrillic 'е' was read as the Latin letter",
            "ply 4: 'c5-g5' has a hyphen, but can only be a capture",
        ]
    );
    let skipped = one("1. c3-d4 d6-c5 3. b2-c3 f6-g5");
    assert_eq!(warnings(&skipped), ["ply 3: move number 3 stands where 2 should"]);
}

#[test]
fn positions_are_read_in_every_form() {
    let fen = "W:Wa1,c3:Bh8";
    for text in [
        "[FEN \"W:Wa1,c3:Bh8\"]\n1. a1-b2 *",
        "[SetUp \"1\"]\n[FEN \"W:W29,22:B4.\"]\n1. a1-b2 *",
        "[Setup \"W:BH8:WC3,A1:H0:F1\"]\n1. a1-b2 *",
        "[FEN \"Белые: a1, c3 (2); черные: h8. Ход белых\"]\n1. a1-b2 *",
        "White: a1, c3; black: h8. White to move. 1. a1-b2 *",
    ] {
        let record = one(text);
        assert_eq!(record.start.map(|start| start.to_fen()).as_deref(), Some(fen), "{text}");
        assert_eq!((moves(&record).as_str(), warnings(&record)), ("a1-b2", Vec::new()), "{text}");
    }
    let odd = one("белые: а1, c3 (3); черные: h8\n1. a1-b2 *");
    assert_eq!(
        warnings(&odd),
        [
            "Cyrillic 'а' was read as the Latin letter",
            "pieces of White: 3 by the list's own count, 2 listed",
            "the list of pieces does not say who is to move; White was taken",
        ]
    );
    let clock = one("[FEN \"W:Wa1:Bh8:H7:F9\"]\n1. a1-b2 *");
    assert_eq!(
        warnings(&clock),
        ["position: the half-move clock H7 sets no counter; give ratio, kings and road to count from them"]
    );
    assert_eq!(
        warnings(&one("[SetUp \"1\"]\n1. c3-d4 *")),
        ["SetUp says that a position was set up, but none is given"]
    );
    let wrong = one("[FEN \"W:Wa2:Bh8\"]\n[Result \"1-1\"]\n1. a1-b2 *");
    assert_eq!(error(&wrong), (0, "the position at the beginning cannot be: in 'a2': 'a2' is a light square".into()));
    assert_eq!((wrong.start, wrong.result), (None, GameResult::Draw));
    assert_eq!(error(&one("[GameType \"20\"]\n1. 32-28 *")), (0, "GameType '20' is not Russian draughts (25)".into()));
}

#[test]
fn captures_are_found_by_their_ends_or_their_path() {
    let zigzag = "[FEN \"W:Wb2:Bc3,c5\"]\n";
    for text in ["b2:b6", "b2xb6", "b:b6", "b2:d4:b6", ":b6", "b6", "b2-b6", "b2d4b6"] {
        assert_eq!(moves(&one(&format!("{zigzag}1. {text} *"))), "b2:b6", "{text}");
    }
    // d4 is crossed but no turn.
    assert_eq!(moves(&one("[FEN \"W:Wf2:Be3,c5\"]\n1. f2:d4:b6 2-0")), "f2:b6");
    assert_eq!(moves(&one("[FEN \"W:WKa1:Bb2,e5\"]\n1. a1:d4:h8 2-0")), "a1:h8");
    let around = one("[FEN \"W:Wh6:Bg5,e5,e7,g7\"]\n1. h6:h6 2-0");
    assert_eq!(moves(&around), "h6:h6");
}

#[test]
fn what_is_ambiguous_is_never_guessed() {
    let ambiguous = one("[FEN \"W:WKh4:Bg3,c5,e5,g5\"]\n1. h4:b6 *");
    let (ply, message) = error(&ambiguous);
    assert_eq!(ply, 1);
    assert!(message.starts_with("ply 1: 'h4:b6' can be read as h4:") && message.contains(" or h4:"), "{message}");
    let hyphen = one("[FEN \"W:Wc3,e3:Bd4\"]\n1. d-d6 *");
    assert!(hyphen.error.is_some());
    let (_, message) = error(&one("[FEN \"W:Wc3,e3:Bh8\"]\n1. d4 *"));
    assert_eq!(message, "ply 1: 'd4' can be read as c3-d4 or e3-d4");
}

#[test]
fn a_bad_game_is_judged_up_to_its_error_and_never_stops_the_file() {
    let text = "[White \"A\"]\n1. c3-d4 d6-c5 2. b2-b4 f6-g5 *\n\n[White \"B\"]\n1. c3-d4 resigns 2-0\n\n\
                [White \"C\"]\n1. c3-d4 {not closed\n\n[White \"D\"]\n1. c3-d4 (1. g3-h4\n\n[White \"E\n1. c3-d4 d6-c5 0-2\n\
                1. g3-h4 b6-a5 1-1 1. c3-b4 *";
    let records = read(text.as_bytes());
    assert_eq!(records.len(), 7);
    let (ply, message) = error(&records[0]);
    assert_eq!((ply, records[0].plies()), (3, 2));
    assert!(message.starts_with("ply 3: 'b2-b4' is not legal; legal: a3-b4 b2-c3 "), "{message}");
    let (ply, message) = error(&records[1]);
    assert!(ply == 2 && message.starts_with("ply 2: 'resigns' is not a move; legal: b6-a5 "), "{message}");
    assert_eq!(warnings(&records[2]), ["ply 1: '{' is not closed"]);
    assert_eq!(warnings(&records[3]), ["ply 1: '(' is not closed"]);
    assert_eq!(warnings(&records[4]), ["the tag White is not closed on its line"]);
    assert_eq!((records[5].plies(), records[5].result), (2, GameResult::Draw));
    assert_eq!(moves(&records[6]), "c3-b4");
    let over = one("[FEN \"W:WKa1:Bb2\"]\n1. a1:h8 h8-g7 *");
    assert_eq!(error(&over), (2, "ply 2: 'h8-g7' after the end of the game: there is no legal move".into()));
}

#[test]
fn games_are_told_apart_with_and_without_tags() {
    let text = "[White \"A\"]\n\n[Result \"1-1\"]\n\n[White \"B\"]\n1. c3-d4 d6-c5\n\n1. g3-h4 b6-a5 2. c3-b4\n[White \"C\"]\n*\n{only a remark}";
    let records = read(text.as_bytes());
    let seen: Vec<_> = records.iter().map(|record| (record.tag("White").unwrap_or("-"), record.plies())).collect();
    assert_eq!(seen, [("A", 0), ("B", 2), ("-", 3), ("C", 0)]);
    assert_eq!(warnings(&records[0]), ["there is no move"]);
    assert!(read(b"").is_empty() && read(b" \n\n").is_empty());
}

#[test]
fn both_encodings_are_read_line_by_line() {
    let text = "[White \"Куперман\"]\n[Result \"1/2–1/2\"]\n1. с3-d4 {ход} *\n";
    let (windows, _, _) = encoding_rs::WINDOWS_1251.encode(text);
    let mixed = [text.as_bytes(), b"\n", &windows, b"\n\xef\xbb\xbf", text.as_bytes()].concat();
    for bytes in [text.as_bytes().to_vec(), windows.to_vec(), [b"\xef\xbb\xbf", text.as_bytes()].concat(), mixed] {
        for record in read(&bytes) {
            assert_eq!(record.tag("White"), Some("Куперман"));
            assert_eq!(record.moves[0].comments, ["ход"]);
            assert_eq!((record.result, record.plies()), (GameResult::Draw, 1));
        }
    }
}

/// Games without end, so that what is kept in memory shows.
struct Endless {
    game: Vec<u8>,
    at: usize,
    left: usize,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let available = self.fill_buf()?;
        let taken = available.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&available[..taken]);
        self.consume(taken);
        Ok(taken)
    }
}

impl BufRead for Endless {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(if self.left == 0 { &[] } else { &self.game[self.at..] })
    }

    fn consume(&mut self, bytes: usize) {
        self.at += bytes;
        if self.at == self.game.len() && self.left > 0 {
            (self.at, self.left) = (0, self.left - 1);
        }
    }
}

#[test]
fn a_long_file_is_read_game_by_game() {
    let game = format!("[White \"A\"]\n1. {OPENING} 1-1\n\n").into_bytes();
    let records = Reader::new(Endless { game, at: 0, left: 20_000 });
    assert_eq!(records.map(|record| record.unwrap().plies()).sum::<usize>(), 20_000 * 8);
}

#[test]
fn a_game_without_end_is_skipped() {
    let long = format!("[White \"A\"]\n1. c3-d4 {{{}}} *\n[White \"B\"]\n1. c3-d4 *\n", "x".repeat(3 * MAX_GAME_BYTES));
    let records = read(long.as_bytes());
    assert_eq!(error(&records[0]), (0, "the game is longer than 1 MiB and was skipped".into()));
    assert_eq!(records.last().map(|record| (record.tag("White"), record.plies())), Some((Some("B"), 1)));
}

#[test]
fn written_records_are_read_back() {
    for text in [
        "[White \"A \\\"B\\\" C\"]\n[Annotator \"me\"]\n1. c3-d4 d6-c5 2. b2-c3 0-2",
        "[FEN \"B:Wa1,c3:BKh2,b6\"]\n1... b6-a5 2. a1-b2 1-1",
        "1. c3-d4!? ± d6-c5 -+ 2. b2-c3 ∓ *",
    ] {
        let record = one(text);
        let again = one(&record.to_pdn());
        assert_eq!((&again.moves, again.start, again.result), (&record.moves, record.start, record.result), "{text}");
        assert_eq!(again.to_pdn(), record.to_pdn());
        assert_eq!(again.warnings, []);
    }
    // Captures that share both ends are written with their path.
    for (text, mv) in Position::from_fen("W:WKh4:Bg3,c5,e5,g5").unwrap().position.legal_moves_with_text() {
        let again = one(&format!("[FEN \"W:WKh4:Bg3,c5,e5,g5\"]\n1. {text} *"));
        assert_eq!(again.moves[0].mv, mv, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_some_sequence_of_games(text in "([\\[\\]{}()\";$.*=XХa-h1-8:x \n-]|[Wа-я1-2]|\\PC){0,200}") {
        for record in read(text.as_bytes()) {
            proptest::prop_assert!(!record.to_pdn().is_empty());
        }
    }

    #[test]
    fn any_bytes_are_some_sequence_of_games(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        read(&bytes);
    }
}

#[test]
fn a_line_that_begins_with_a_percent_sign_is_no_part_of_the_game() {
    let record = one("% made by hand\n[White \"A\"]\n\n1. c3-d4 d6-c5\n% 2. h2-g1\n2. b2-c3 *");
    assert_eq!((record.error.as_ref(), moves(&record).as_str()), (None, "c3-d4 d6-c5 b2-c3"));
    assert_eq!(record.tag("White"), Some("A"));
}

#[test]
fn a_tag_without_a_value_is_an_empty_one() {
    let record = one("[Event]\n[ White ]\n[Black \"B\"]\n\n1. c3-d4 *");
    assert_eq!((record.error.as_ref(), record.tag("White"), record.tag("Black")), (None, None, Some("B")));
    assert_eq!(record.tags.len(), 3);
}

/// Each of these took minutes when something was looked for anew at every item.
#[test]
fn the_time_that_a_long_game_takes_grows_with_its_length_only() {
    let tags = |end: &str| (0..60_000).map(|tag| format!("[a{tag} \"x\"]{end}")).collect::<String>();
    let begun = std::time::Instant::now();
    let spaced = ["1 - 1 : ".repeat(130_000), "99 - ".repeat(200_000), "½ - ".repeat(200_000)];
    let others = ["1.".repeat(500_000), "{}".repeat(500_000), tags("\n"), tags("\n\n"), tags("")];
    for text in spaced.into_iter().chain(others) {
        assert!(read(text.as_bytes()).iter().all(|record| record.plies() == 0));
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}
