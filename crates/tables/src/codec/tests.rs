use super::dictionary::CHUNK_BYTES;
use super::*;

const PAGE_CELLS: usize = 1 << 18;

/// Cells that look random, the same each time.
fn random(count: usize, below: u16, free_in: u16) -> Vec<u16> {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u16
    };
    (0..count).map(|_| if next() % free_in == 0 { FREE_CELL } else { next() % below }).collect()
}

fn check(codec: &Codec, cells: &[u16]) {
    let page = codec.encode(&mut cells.to_vec()).unwrap();
    let mut decoded = vec![0; cells.len()];
    codec.decode(&page, cells.len(), 0, &mut decoded).unwrap();
    for (place, (&cell, &read)) in cells.iter().zip(&decoded).enumerate() {
        assert!(cell == FREE_CELL || cell == read, "cell {place}");
        let found = match codec.find(&page, cells.len(), place).unwrap() {
            Found::Cell(cell) => cell,
            Found::InBlock { place: in_block } if place % 509 == 0 => {
                codec.block(&page, cells.len(), place).unwrap()[in_block]
            }
            Found::InBlock { .. } => continue,
        };
        assert_eq!(found, read, "cell {place}");
    }
    for start in (0..cells.len()).step_by(cells.len() / 50 + 1) {
        let mut part = vec![0; (cells.len() - start).min(10_000)];
        codec.decode(&page, cells.len(), start, &mut part).unwrap();
        assert_eq!(part, decoded[start..][..part.len()], "cells from {start}");
    }
}

#[test]
fn pages_of_phrases_are_read_back() {
    for free_in in [2, 3, 1000] {
        let cells = random(PAGE_CELLS, 3, free_in);
        let codec = Codec::train(&[cells[..4096].to_vec()]);
        check(&codec, &cells);
        for count in [1, 2, 63, 1023, 8191, 8192, 8193, 1 << 16, 70_000] {
            check(&codec, &cells[..count]);
        }
        check(&codec, &vec![2; PAGE_CELLS]);
        check(&codec, &[FREE_CELL; 100]);
        for length in [777, 30_000] {
            let runs: Vec<u16> = (0..PAGE_CELLS).map(|place| (place / length % 3) as u16).collect();
            check(&codec, &runs);
            check(&Codec::train(std::slice::from_ref(&runs)), &runs);
        }
        check(&Codec::train(&[]), &cells);
    }
}

#[test]
fn dictionaries_are_read_back() {
    let codec = Codec::train(&[random(20_000, 3, 2)]);
    let bytes = codec.to_bytes().unwrap();
    let read = Codec::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes().unwrap(), bytes);
    let (Codec::Phrases { dictionary, .. }, Codec::Phrases { dictionary: again, .. }) = (codec, read) else {
        panic!("phrases")
    };
    assert_eq!(dictionary, again);
    let plain = dictionary.to_bytes();
    for length in 0..plain.len() {
        assert_eq!(Dictionary::from_bytes(&plain[..length]), Err(CodecError));
    }
    assert!(matches!(Codec::from_bytes(&[]), Err(CodecError)));
    let mut no_cell = plain;
    *no_cell.last_mut().unwrap() |= 3;
    assert_eq!(Dictionary::from_bytes(&no_cell), Err(CodecError));
}

#[test]
fn pages_of_other_numbers_are_read_back() {
    check(&Codec::Zstd, &random(PAGE_CELLS, 200, 2));
    check(&Codec::Zstd, &random(10_000, 2000, 5));
    check(&Codec::Zstd, &[300; 70]);
    // Blocks of one cell, of bytes and of words.
    check(&Codec::Zstd, &(0..50_000).map(|place| place as u16 / 20_000).collect::<Vec<_>>());
    check(&Codec::Zstd, &(0..50_000).map(|place| 300 * (place as u16 / 20_000)).collect::<Vec<_>>());
}

/// Chunks have to have the cells that they are said to have.
#[test]
fn chunks_that_contradict_where_they_begin_are_errors() {
    let cells = random(50_000, 3, 1000);
    let codec = Codec::train(std::slice::from_ref(&cells));
    let page = codec.encode(&mut cells.clone()).unwrap();
    assert_eq!(page[0], PHRASES);
    let chunks = (page.len() - 1 + 2).div_ceil(CHUNK_BYTES + 2);
    let checked = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut page = page.clone();
        change(&mut page);
        codec.check(&page, cells.len())
    };
    assert_eq!(checked(&|_| ()), Ok(()));
    for start in page[1..].chunks(2).take(chunks - 1).enumerate().map(|(start, _)| 1 + 2 * start) {
        assert_eq!(checked(&|page| page[start] ^= 1), Err(CodecError), "{start}");
        assert_eq!(checked(&|page| page[start + 1] ^= 1), Err(CodecError), "{start}");
    }
    // All of them moved together, as if the first chunk had other cells.
    for by in [1, u16::MAX] {
        let moved = |page: &mut Vec<u8>| {
            for start in page[1..1 + 2 * (chunks - 1)].as_chunks_mut::<2>().0 {
                *start = u16::from_le_bytes(*start).wrapping_add(by).to_le_bytes();
            }
        };
        assert_eq!(checked(&moved), Err(CodecError));
    }
    assert_eq!(checked(&|page| page.push(0)), Err(CodecError));
    assert_eq!(codec.check(&page, cells.len() + 4096), Err(CodecError));
}

/// Blocks follow one another, and nothing follows them.
#[test]
fn blocks_that_contradict_where_they_end_are_errors() {
    let cells = random(50_000, 200, 1000);
    let page = Codec::Zstd.encode(&mut cells.clone()).unwrap();
    assert_eq!(Codec::Zstd.check(&page, cells.len()), Ok(()));
    let mut longer = page.clone();
    longer.push(0);
    assert_eq!(Codec::Zstd.check(&longer, cells.len()), Err(CodecError));
    let mut swapped = page;
    let (first, second) = swapped[1..9].split_at_mut(4);
    first.swap_with_slice(second);
    assert_eq!(Codec::Zstd.check(&swapped, cells.len()), Err(CodecError));
}

/// What is found is what is decoded.
fn find_as_decoded(codec: &Codec, page: &[u8], count: usize, places: usize) {
    let mut decoded = vec![0; count];
    codec.decode(page, count, 0, &mut decoded).unwrap();
    for (place, &cell) in decoded.iter().enumerate().step_by(count / places + 1) {
        assert_eq!(codec.find(page, count, place), Ok(Found::Cell(cell)), "cell {place}");
    }
}

/// Whatever stands in a page, decoding it ends with cells or an error.
#[test]
fn damaged_pages_are_errors_or_cells() {
    let cells = random(5000, 3, 2);
    let codec = Codec::train(std::slice::from_ref(&cells));
    for codec in [codec, Codec::Zstd] {
        let page = codec.encode(&mut cells.clone()).unwrap();
        let mut decoded = vec![0; cells.len()];
        for length in 0..page.len() {
            let _ = codec.decode(&page[..length], cells.len(), 0, &mut decoded);
            let _ = codec.find(&page[..length], cells.len(), length % cells.len());
        }
        for bit in 0..8 * page.len() {
            let mut flipped = page.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let _ = codec.decode(&flipped, cells.len(), 0, &mut decoded);
            let _ = codec.find(&flipped, cells.len(), bit % cells.len());
            if codec.check(&flipped, cells.len()).is_ok() && flipped[0] == PHRASES {
                find_as_decoded(&codec, &flipped, cells.len(), 50);
            }
        }
        assert_eq!(codec.decode(&[9, 0, 0], cells.len(), 0, &mut decoded), Err(CodecError));
        assert_eq!(codec.decode(&[], cells.len(), 0, &mut decoded), Err(CodecError));
        assert_eq!(codec.decode(&[CONSTANT, 0], cells.len(), 0, &mut decoded), Err(CodecError));
    }
}
