//! What users send: FEN, moves and game records. There are answers or errors, and what is written reads as the same.
#![no_main]

use bolshak_arbiter::{Arbiter, Detail, pdn};
use bolshak_rules::{Position, Variant};
use libfuzzer_sys::fuzz_target;

fn text(text: &str) {
    let Ok(parsed) = Position::from_fen(text) else { return };
    let fen = parsed.position.to_fen();
    let again = Position::from_fen(&fen).expect("what is written is read");
    assert_eq!(again.position, parsed.position, "{fen}");
}

fn record(bytes: &[u8]) {
    let arbiter = Arbiter::new(Variant::Russian);
    for (number, record) in pdn::Reader::new(bytes).enumerate() {
        let record = record.expect("a slice of bytes can always be read");
        arbiter.verify(number + 1, &record, Detail::Summary);
        if record.error.is_none() {
            let written = record.to_pdn();
            let again = pdn::Reader::new(written.as_bytes()).next().expect("a game").expect("read");
            assert_eq!(again.positions(), record.positions(), "{written}");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(fen) = std::str::from_utf8(bytes) {
        text(fen);
        let _ = pdn::read_move(&Position::start(), fen);
    }
    record(bytes);
});
