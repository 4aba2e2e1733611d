//! What zstd has compressed: one frame and nothing else.

use std::cell::RefCell;

use zstd::bulk::Decompressor;
use zstd::zstd_safe::{MAGICNUMBER, find_frame_compressed_size};

use super::CodecError;

/// The longest frame of so many bytes: [`decompress`] takes no longer one, which could be made of empty blocks.
pub(crate) const fn longest(bytes: usize) -> usize {
    bytes + bytes / 256 + 64
}

/// Decompresses a frame, which has at most so many bytes.
pub(crate) fn decompress(frame: &[u8], most_bytes: usize) -> Result<Vec<u8>, CodecError> {
    thread_local! {
        /// Making one takes longer than decompressing a block.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
    }
    if frame.len() > longest(most_bytes) {
        return Err(CodecError);
    }
    // The decompressor would take several frames for one, and nothing for none.
    if !frame.starts_with(&MAGICNUMBER.to_le_bytes()) || find_frame_compressed_size(frame) != Ok(frame.len()) {
        return Err(CodecError);
    }
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        decompressor.as_mut().and_then(|decompressor| decompressor.decompress(frame, most_bytes).ok()).ok_or(CodecError)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_is_read_and_nothing_else() {
        let frame = |bytes: &[u8]| zstd::bulk::compress(bytes, 1).unwrap();
        assert_eq!(decompress(&frame(b"phrases"), 7), Ok(b"phrases".to_vec()));
        let (whole, first, second, empty) = (frame(b"phrases"), frame(b"phr"), frame(b"ases"), frame(b""));
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7];
        let wrong = [
            [first, second].concat(),
            [&whole[..], &empty].concat(),
            [&empty[..], &whole].concat(),
            [&skippable[..], &whole].concat(),
            [&whole[..], &skippable].concat(),
            [&whole[..], b"s"].concat(),
            whole[..whole.len() - 1].to_vec(),
            skippable.to_vec(),
            Vec::new(),
        ];
        for bytes in wrong {
            assert_eq!(decompress(&bytes, 100), Err(CodecError), "{bytes:x?}");
        }
        assert_eq!(decompress(&whole, 6), Err(CodecError));
        // Seven bytes in a block behind many empty ones.
        let header = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 7];
        let with_empty = |blocks: usize| [&header[..], &[0; 3].repeat(blocks), &[57, 0, 0], b"phrases"].concat();
        assert_eq!(decompress(&with_empty(18), 7), Ok(b"phrases".to_vec()));
        assert_eq!(decompress(&with_empty(19), 7), Err(CodecError));
    }

    #[test]
    fn no_frame_that_is_written_is_longer() {
        for bytes in [0, 1, 255, 256, 16_384, 131_071, 131_072, 274_434, 4_194_176] {
            assert!(zstd::zstd_safe::compress_bound(bytes) <= longest(bytes), "{bytes}");
        }
    }
}
