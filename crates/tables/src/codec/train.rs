//! Finding the phrases of a table from a sample of its cells.

use std::cmp::Reverse;
use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::dictionary::{Dictionary, MAX_PHRASE_CELLS, MAX_PHRASES};
use super::huffman;
use super::parse::Parser;
use crate::write::FREE_CELL;

/// The pairs that occur often become phrases, so long as one occurs so many times.
const LEAST_PAIRS: u32 = 4;
/// Of the phrases there are, one in so many is added at a time.
const GROWTH: usize = 8;
/// Phrases are looked for in one block of so many, then again in each, with free cells filled by those found before.
const ROUNDS: [usize; 2] = [8, 1];
/// How often codes are fitted to the use that is made of the phrases, and rare phrases left out.
const REFINEMENTS: usize = 2;
/// A phrase used less often than this in the samples takes more than it saves, in bytes and in time.
const LEAST_USES: u64 = 6;

/// A dictionary that suits these blocks.
pub(super) fn train(blocks: &[&[u16]], terminals: u8) -> Dictionary {
    // Runs first; then free cells take what the phrases chosen for them say, which brings out longer phrases.
    let mut filled: Vec<Vec<u8>> = blocks.iter().map(|cells| fill_runs(cells)).collect();
    let mut dictionary = Dictionary { phrases: Vec::new(), code_bits: Vec::new() };
    for stride in ROUNDS {
        let blocks: Vec<&[u16]> = blocks.iter().step_by(stride).copied().collect();
        let phrases = pair_up(filled.iter().step_by(stride), terminals);
        dictionary = Dictionary { code_bits: huffman::code_bits(&vec![1; phrases.len()]), phrases };
        for _ in 0..REFINEMENTS {
            let counts = count(&dictionary, &blocks, filled.iter_mut().step_by(stride));
            dictionary = prune(&dictionary, &counts);
        }
    }
    dictionary
}

fn fill_runs(cells: &[u16]) -> Vec<u8> {
    let mut known = cells.iter().copied().find(|&cell| cell != FREE_CELL).unwrap_or(0);
    cells
        .iter()
        .map(|&cell| {
            if cell != FREE_CELL {
                known = cell;
            }
            known as u8
        })
        .collect()
}

/// Phrases by joining the pairs that occur most often, again and again (Re-Pair). The terminals come first.
fn pair_up<'a>(blocks: impl Iterator<Item = &'a Vec<u8>>, terminals: u8) -> Vec<Vec<u8>> {
    const BOUNDARY: u16 = u16::MAX;
    let mut sequence: Vec<u16> = Vec::new();
    for block in blocks {
        sequence.extend(block.iter().map(|&cell| u16::from(cell)));
        sequence.push(BOUNDARY);
    }
    let mut phrases: Vec<Vec<u8>> = (0..terminals).map(|cell| vec![cell]).collect();
    let mut counts: FxHashMap<(u16, u16), u32> = HashMap::default();
    while phrases.len() < MAX_PHRASES {
        counts.clear();
        let mut overlaps = false;
        for pair in sequence.windows(2) {
            // In a run every other pair overlaps the one before.
            overlaps = pair[0] == pair[1] && !overlaps;
            if pair[0] != BOUNDARY && pair[1] != BOUNDARY && (pair[0] != pair[1] || overlaps) {
                *counts.entry((pair[0], pair[1])).or_default() += 1;
            }
        }
        let length = |(a, b): (u16, u16)| phrases[usize::from(a)].len() + phrases[usize::from(b)].len();
        let mut pairs: Vec<((u16, u16), u32)> = counts
            .iter()
            .map(|(&pair, &count)| (pair, count))
            .filter(|&(pair, count)| count >= LEAST_PAIRS && length(pair) <= MAX_PHRASE_CELLS)
            .collect();
        pairs.sort_unstable_by_key(|&(pair, count)| (Reverse(count), pair));
        let Some(&(_, most)) = pairs.first() else { break };
        pairs.truncate((phrases.len() / GROWTH).max(1).min(MAX_PHRASES - phrases.len()));
        pairs.retain(|&(_, count)| 2 * count >= most);
        let mut joined: FxHashMap<(u16, u16), u16> = HashMap::default();
        for (pair, _) in pairs {
            joined.insert(pair, phrases.len() as u16);
            let mut phrase = phrases[usize::from(pair.0)].clone();
            phrase.extend_from_slice(&phrases[usize::from(pair.1)]);
            phrases.push(phrase);
        }
        let mut to = 0;
        let mut from = 0;
        while from < sequence.len() {
            let pair = sequence.get(from + 1).map(|&next| (sequence[from], next));
            let phrase = pair.and_then(|pair| joined.get(&pair)).copied();
            sequence[to] = phrase.unwrap_or(sequence[from]);
            from += if phrase.is_some() { 2 } else { 1 };
            to += 1;
        }
        sequence.truncate(to);
    }
    phrases
}

/// How often each phrase is used in these blocks; `filled` takes their cells as the phrases have them.
fn count<'a>(dictionary: &Dictionary, blocks: &[&[u16]], filled: impl Iterator<Item = &'a mut Vec<u8>>) -> Vec<u64> {
    let mut parser = Parser::new(dictionary);
    let mut counts = vec![0; dictionary.phrases.len()];
    let mut parsed = Vec::new();
    for (block, filled) in blocks.iter().zip(filled) {
        parser.parse(block, &mut parsed);
        filled.clear();
        for &phrase in &parsed {
            counts[usize::from(phrase)] += 1;
            filled.extend(&dictionary.phrases[usize::from(phrase)]);
        }
        filled.truncate(block.len());
    }
    counts
}

/// The phrases that are used, with codes by their use.
fn prune(dictionary: &Dictionary, counts: &[u64]) -> Dictionary {
    let is_kept = |&phrase: &usize| counts[phrase] >= LEAST_USES || is_measure(&dictionary.phrases[phrase]);
    let kept: Vec<usize> = (0..counts.len()).filter(is_kept).collect();
    let counts: Vec<u64> = kept.iter().map(|&phrase| counts[phrase]).collect();
    Dictionary {
        phrases: kept.into_iter().map(|phrase| dictionary.phrases[phrase].clone()).collect(),
        code_bits: huffman::code_bits(&counts),
    }
}

/// Whether it is of use whatever the samples say: single cells, and with them runs of a few lengths of which any other run
/// is soon made.
fn is_measure(phrase: &[u8]) -> bool {
    let cells = phrase.len();
    cells.is_power_of_two() && cells.trailing_zeros().is_multiple_of(2) && phrase.iter().all(|&cell| cell == phrase[0])
}
