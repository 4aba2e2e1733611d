//! How a block of cells becomes bytes. The only place that knows.
//!
//! The first byte of a block says how the rest is to be read: [`CONSTANT`] is followed by the one cell that all are equal
//! to; [`BYTES`] and [`WORDS`] by the cells in one or two little-endian bytes each, compressed with zstd.

/// Number of cells in every block but the last of a table.
pub(crate) const BLOCK_CELLS: usize = 4096;

const CONSTANT: u8 = 0;
const BYTES: u8 = 1;
const WORDS: u8 = 2;

const ZSTD_LEVEL: i32 = 3;

/// A block that does not hold what its table says it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("its content cannot be decoded")]
pub struct CodecError;

/// Encodes 1 to [`BLOCK_CELLS`] cells.
pub(crate) fn encode(cells: &[u16]) -> std::io::Result<Vec<u8>> {
    let first = cells.first().copied().unwrap_or(0);
    let mut block = Vec::new();
    if cells.iter().all(|&cell| cell == first) {
        block.push(CONSTANT);
        block.extend(first.to_le_bytes());
    } else if cells.iter().all(|&cell| cell <= 0xff) {
        block.push(BYTES);
        let bytes: Vec<u8> = cells.iter().map(|&cell| cell as u8).collect();
        block.extend(zstd::bulk::compress(&bytes, ZSTD_LEVEL)?);
    } else {
        block.push(WORDS);
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        block.extend(zstd::bulk::compress(&bytes, ZSTD_LEVEL)?);
    }
    Ok(block)
}

/// Decodes a block that must hold `count` cells; never allocates for more.
pub(crate) fn decode(block: &[u8], count: usize) -> Result<Vec<u16>, CodecError> {
    debug_assert!(count <= BLOCK_CELLS);
    let (&tag, body) = block.split_first().ok_or(CodecError)?;
    match tag {
        CONSTANT => Ok(vec![u16::from_le_bytes(body.try_into().map_err(|_| CodecError)?); count]),
        BYTES => Ok(decompress(body, count)?.into_iter().map(u16::from).collect()),
        WORDS => {
            let bytes = decompress(body, 2 * count)?;
            Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
        }
        _ => Err(CodecError),
    }
}

fn decompress(body: &[u8], length: usize) -> Result<Vec<u8>, CodecError> {
    let bytes = zstd::bulk::decompress(body, length).map_err(|_| CodecError)?;
    if bytes.len() == length { Ok(bytes) } else { Err(CodecError) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_back() {
        let ramp: Vec<u16> = (0..BLOCK_CELLS as u16).collect();
        let small: Vec<u16> = ramp.iter().map(|cell| cell % 3).collect();
        for cells in [&ramp[..], &small[..], &[7; 100][..], &[300; 1][..]] {
            assert_eq!(decode(&encode(cells).unwrap(), cells.len()), Ok(cells.to_vec()));
        }
    }

    #[test]
    fn wrong_lengths_and_tags_are_errors() {
        let block = encode(&[1, 2, 3]).unwrap();
        assert_eq!(decode(&block, 2), Err(CodecError));
        assert_eq!(decode(&block, 4), Err(CodecError));
        assert_eq!(decode(&[], 1), Err(CodecError));
        assert_eq!(decode(&[9, 0, 0], 1), Err(CodecError));
        assert_eq!(decode(&[CONSTANT, 0], 1), Err(CodecError));
    }
}
