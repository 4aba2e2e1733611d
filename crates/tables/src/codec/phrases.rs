//! Pages in phrases: their codes in chunks of 32 bytes, and where the cells of each chunk begin.
//!
//! Chunks are equally long in bytes, not in cells: to find a cell costs as much where hardly anything changes as where
//! everything does, and what is said of chunks is the same small part of a page everywhere.

use std::cell::RefCell;

use super::CodecError;
use super::dictionary::{CHUNK_BITS, CHUNK_BYTES, Decoder, Dictionary, MAX_PHRASE_CELLS, TOGETHER};
use super::huffman;
use super::parse::Parser;

/// Phrases are chosen together for so many cells.
const WINDOW_CELLS: usize = 1 << 13;
const _: () = assert!(WINDOW_CELLS > MAX_PHRASE_CELLS, "more than one phrase is chosen");

/// The body of a page taken apart: where the cells of all chunks but the first begin, as numbers of so many bytes, and the
/// codes.
struct Chunks<'a, const WIDTH: usize> {
    starts: &'a [[u8; WIDTH]],
    codes: &'a [u8],
}

impl<'a, const WIDTH: usize> Chunks<'a, WIDTH> {
    #[inline]
    fn of(body: &'a [u8]) -> Result<Self, CodecError> {
        let chunks = (body.len() + WIDTH).div_ceil(CHUNK_BYTES + WIDTH);
        let (starts, codes) = body.split_at_checked((chunks - 1) * WIDTH).ok_or(CodecError)?;
        Ok(Chunks { starts: starts.as_chunks().0, codes })
    }

    /// The number of the chunk that a place is in.
    #[inline]
    fn number(&self, place: usize) -> usize {
        self.starts.partition_point(|&start| number(start) <= place)
    }

    /// Where the cells of a chunk begin.
    #[inline]
    fn start(&self, chunk: usize) -> usize {
        chunk.checked_sub(1).and_then(|before| self.starts.get(before)).map_or(0, |&start| number(start))
    }

    /// The codes of a chunk and those after it.
    #[inline]
    fn codes(&self, chunk: usize) -> Result<&'a [u8], CodecError> {
        self.codes.get(chunk * CHUNK_BYTES..).ok_or(CodecError)
    }
}

#[inline]
fn number<const WIDTH: usize>(start: [u8; WIDTH]) -> usize {
    start.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// The cell at a place.
#[inline]
pub(super) fn cell<const WIDTH: usize>(decoder: &Decoder, body: &[u8], place: usize) -> Result<u16, CodecError> {
    let chunks = Chunks::<WIDTH>::of(body)?;
    let chunk = chunks.number(place);
    let place = place.checked_sub(chunks.start(chunk)).ok_or(CodecError)?;
    Ok(decoder.cell(chunks.codes(chunk)?, place)?.into())
}

/// Checks that each chunk has the cells that it is said to have, and nothing else.
pub(super) fn check<const WIDTH: usize>(decoder: &Decoder, body: &[u8], count: usize) -> Result<(), CodecError> {
    let chunks = Chunks::<WIDTH>::of(body)?;
    let last = chunks.starts.len();
    for first in (0..=last).step_by(TOGETHER) {
        let group = first..=last.min(first + TOGETHER - 1);
        let (mut codes, mut cells) = ([&[][..]; TOGETHER], [0; TOGETHER]);
        for (chunk, (codes, cells)) in group.clone().zip(codes.iter_mut().zip(&mut cells)) {
            let end = if chunk == last { count } else { chunks.start(chunk + 1) };
            *cells = end.checked_sub(chunks.start(chunk)).filter(|&cells| cells > 0).ok_or(CodecError)?;
            *codes = chunks.codes(chunk)?;
        }
        for (chunk, (codes, (bits, more_cells))) in group.zip(codes.into_iter().zip(decoder.bits_of(codes, cells)?)) {
            // What the last phrase of a page has beyond its end does not count.
            let sound = (chunk == last || more_cells == 0) && decoder.ends_with(codes, bits);
            if !sound {
                return Err(CodecError);
            }
        }
    }
    Ok(())
}

/// Decodes the cells from a place on of a page that has `count`.
pub(super) fn decode<const WIDTH: usize>(
    decoder: &Decoder,
    body: &[u8],
    count: usize,
    place: usize,
    cells: &mut [u16],
) -> Result<(), CodecError> {
    let chunks = Chunks::<WIDTH>::of(body)?;
    let end = place + cells.len();
    for chunk in chunks.number(place)..=chunks.starts.len() {
        let start = chunks.start(chunk);
        if start >= end {
            break;
        }
        let chunk_end = if chunk == chunks.starts.len() { count } else { chunks.start(chunk + 1) };
        let mut at = start;
        let mut codes = decoder.codes(chunks.codes(chunk)?);
        while at < chunk_end {
            let phrase = codes.next_code()?;
            // Of the phrase, the part that is asked for.
            let (from, to) = (at.max(place), (at + phrase.cells()).min(end));
            for here in from..to {
                cells[here - place] = decoder.phrase_cell(phrase, here - at).into();
            }
            at += phrase.cells();
        }
    }
    Ok(())
}

/// The body of a page, and how many bytes it has for where a chunk begins.
pub(super) fn encode(dictionary: &Dictionary, cells: &[u16]) -> (usize, Vec<u8>) {
    thread_local! {
        /// For the dictionary that this thread used last.
        static ENCODER: RefCell<Option<Encoder>> = const { RefCell::new(None) };
    }
    ENCODER.with_borrow_mut(|slot| {
        let encoder = match slot.take() {
            Some(encoder) if encoder.dictionary == *dictionary => encoder,
            _ => Encoder::new(dictionary),
        };
        slot.insert(encoder).encode(cells)
    })
}

struct Encoder {
    dictionary: Dictionary,
    parser: Parser,
    codes: Vec<u16>,
}

impl Encoder {
    fn new(dictionary: &Dictionary) -> Encoder {
        let parser = Parser::new(dictionary);
        Encoder { dictionary: dictionary.clone(), parser, codes: huffman::codes(&dictionary.code_bits) }
    }

    fn encode(&mut self, cells: &[u16]) -> (usize, Vec<u8>) {
        let (mut writer, mut phrases, mut at) = (ChunkWriter::default(), Vec::new(), 0);
        while at < cells.len() {
            let end = cells.len().min(at + WINDOW_CELLS);
            self.parser.parse(&cells[at..end], &mut phrases);
            if end < cells.len() {
                // It was cut off by the end of the window.
                phrases.pop();
            }
            for phrase in phrases.drain(..).map(usize::from) {
                writer.put(at, self.codes[phrase], self.dictionary.code_bits[phrase]);
                at += self.dictionary.phrases[phrase].len();
            }
        }
        let (starts, codes) = writer.finish();
        let width = if starts.last().is_none_or(|&start| start <= u16::MAX.into()) { 2 } else { 3 };
        let starts = starts.iter().flat_map(|start| start.to_le_bytes().into_iter().take(width));
        (width, starts.chain(codes).collect())
    }
}

/// Writes codes, each from its highest bit into bytes from their highest bit. A chunk begins with a code.
#[derive(Default)]
struct ChunkWriter {
    bytes: Vec<u8>,
    /// Where the cells of each chunk but the first begin.
    starts: Vec<u32>,
    /// How many bits the chunk has that is being written.
    chunk_bits: usize,
    /// Those of its bits that do not fill a byte yet, the latest lowest.
    pending: u32,
    pending_bits: u8,
}

impl ChunkWriter {
    /// Writes the code of a phrase that begins with a cell.
    fn put(&mut self, cell: usize, code: u16, bits: u8) {
        if self.chunk_bits + usize::from(bits) > CHUNK_BITS {
            self.flush();
            self.bytes.resize(self.bytes.len().next_multiple_of(CHUNK_BYTES), 0);
            self.starts.push(cell as u32);
            self.chunk_bits = 0;
        }
        self.chunk_bits += usize::from(bits);
        self.pending = self.pending << bits | u32::from(code);
        self.pending_bits += bits;
        while self.pending_bits >= 8 {
            self.pending_bits -= 8;
            self.bytes.push((self.pending >> self.pending_bits) as u8);
        }
    }

    fn flush(&mut self) {
        if self.pending_bits > 0 {
            self.bytes.push((self.pending << (8 - self.pending_bits)) as u8);
            self.pending_bits = 0;
        }
    }

    fn finish(mut self) -> (Vec<u32>, Vec<u8>) {
        self.flush();
        (self.starts, self.bytes)
    }
}
