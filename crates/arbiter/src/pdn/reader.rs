//! Games from a stream of bytes, one at a time and in flat memory.

use std::io::{self, BufRead, Read};

use encoding_rs::WINDOWS_1251;
use winnow::Partial;
use winnow::error::ErrMode;
use winnow::stream::{Offset, StreamIsPartial};

use super::build::build;
use super::grammar::{Input, game, tag_at_line_start};
use super::record::{Record, RecordError};

/// The longest game that is read, in bytes of UTF-8. A longer one is reported and skipped.
pub const MAX_GAME_BYTES: usize = 1 << 20;

/// How much text is taken from the source at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Reads games one after another. A bad game is a record with an error; only the source itself can fail.
///
/// Each line is taken as UTF-8 when it is valid UTF-8, else as windows-1251: files made of others' files mix the two.
pub struct Reader<R> {
    source: R,
    /// Decoded text, of which the first `used` bytes have been read.
    text: String,
    used: usize,
    at_end: bool,
    first_line: bool,
    /// Inside a game that is too long: up to the next tag.
    skipping: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads games from this source.
    pub fn new(source: R) -> Reader<R> {
        Reader { source, text: String::new(), used: 0, at_end: false, first_line: true, skipping: false }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.text.drain(..self.used);
        self.used = 0;
        let full = self.text.len() + CHUNK_BYTES;
        let mut line = Vec::new();
        while self.text.len() < full && !self.at_end {
            line.clear();
            // A line without end is cut, so that memory stays flat; its game will be too long in any case.
            self.at_end = (&mut self.source).take(MAX_GAME_BYTES as u64).read_until(b'\n', &mut line)? == 0;
            self.push_line(&line);
        }
        Ok(())
    }

    fn push_line(&mut self, line: &[u8]) {
        let line = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.first_line => rest,
            _ => line,
        };
        self.first_line &= line.is_empty();
        let decoded = match std::str::from_utf8(line) {
            Ok(text) => text.into(),
            Err(_) => WINDOWS_1251.decode_without_bom_handling(line).0,
        };
        if self.skipping && !tag_at_line_start(&decoded) {
            return;
        }
        self.skipping = false;
        self.text.push_str(&decoded);
    }

    fn next_game(&mut self) -> io::Result<Option<Record>> {
        loop {
            let rest: &str = &self.text[self.used..];
            let mut input: Input<'_> = Partial::new(rest);
            if self.at_end {
                let _ = input.complete();
            }
            let start = input;
            match game(&mut input) {
                Ok(raw) => {
                    self.used += input.offset_from(&start);
                    return Ok(raw.map(build));
                }
                Err(ErrMode::Incomplete(_)) if rest.len() <= MAX_GAME_BYTES => self.fill()?,
                Err(ErrMode::Incomplete(_)) => {
                    self.text.clear();
                    self.used = 0;
                    self.skipping = true;
                    return Ok(Some(Record::unreadable(RecordError::TooLong)));
                }
                // Every text is some sequence of words; should the grammar fail all the same, the file still goes on.
                Err(ErrMode::Backtrack(_) | ErrMode::Cut(_)) => {
                    self.used += rest.find('\n').map_or(rest.len(), |end| end + 1);
                    return Ok(Some(Record::unreadable(RecordError::Unreadable)));
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<io::Result<Record>> {
        self.next_game().transpose()
    }
}
