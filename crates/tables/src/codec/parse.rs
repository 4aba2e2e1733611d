//! Which phrases to write a block with, so that it takes the fewest bits. Free cells agree with any phrase.

use super::dictionary::Dictionary;
use super::planes::{Planes, Word};

/// Phrases compared at a time.
const LANES: usize = 16;
/// Cells of a phrase that are compared in the first pass.
const HEAD_CELLS: usize = 32;
/// Finds the cheapest phrases.
pub(crate) struct Parser {
    phrases: Vec<Candidate>,
    /// The first [`HEAD_CELLS`] of every phrase, in groups of [`LANES`].
    heads: Vec<Heads>,
    /// What phrases have beyond their heads.
    tails: Vec<Word>,
    planes: Planes,
    reached: Vec<Reached>,
    /// For each place the least cost of any later place.
    ahead: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Candidate {
    phrase: u16,
    cells: u16,
    bits: u32,
    tail: u32,
}

#[derive(Clone, Copy)]
struct Heads {
    low: [u32; LANES],
    high: [u32; LANES],
    mask: [u32; LANES],
    /// Where all phrases of the group have the same cell.
    common: u32,
}

#[derive(Clone, Copy)]
struct Reached {
    bits: u32,
    phrase: u16,
    cells: u16,
}

impl Parser {
    pub(super) fn new(dictionary: &Dictionary) -> Parser {
        let mut order: Vec<usize> = (0..dictionary.phrases.len()).collect();
        // Similar phrases side by side, so that a group of them mostly agrees or disagrees as one.
        order.sort_by_key(|&phrase| &dictionary.phrases[phrase]);
        let mut parser = Parser {
            phrases: Vec::new(),
            heads: Vec::new(),
            tails: Vec::new(),
            planes: Planes::default(),
            reached: Vec::new(),
            ahead: Vec::new(),
        };
        for (number, phrase) in order.into_iter().enumerate() {
            let cells = &dictionary.phrases[phrase];
            if number % LANES == 0 {
                let none = Heads { low: [0; LANES], high: [0; LANES], mask: [0; LANES], common: u32::MAX };
                parser.heads.push(none);
            }
            let (head, tail) = cells.split_at(cells.len().min(HEAD_CELLS));
            let word = word(head);
            if let Some(heads) = parser.heads.last_mut() {
                let lane = number % LANES;
                heads.low[lane] = word.low as u32;
                heads.high[lane] = word.high as u32;
                heads.mask[lane] = word.known as u32;
                heads.common &= heads.mask[lane] & !(heads.low[lane] ^ heads.low[0] | heads.high[lane] ^ heads.high[0]);
            }
            parser.phrases.push(Candidate {
                phrase: phrase as u16,
                cells: cells.len() as u16,
                bits: dictionary.code_bits[phrase].into(),
                tail: parser.tails.len() as u32,
            });
            parser.tails.extend(tail.chunks(64).map(self::word));
        }
        parser
    }

    /// The phrases for these cells, in order. The last may be longer than what is left.
    pub(super) fn parse(&mut self, cells: &[u16], phrases: &mut Vec<u16>) {
        self.planes.set(cells);
        let end = self.planes.len();
        self.reached.clear();
        self.reached.resize(end + 1, Reached { bits: u32::MAX, phrase: 0, cells: 0 });
        self.ahead.clear();
        self.ahead.resize(end + 1, u32::MAX);
        self.reached[0].bits = 0;
        for at in 0..end {
            let bits = self.reached[at].bits;
            // A place that a later one has been reached more cheaply than is hardly ever on the cheapest way.
            if bits < self.ahead[at] {
                self.extend(at, bits);
            }
        }
        phrases.clear();
        let mut at = end;
        while at > 0 {
            let step = self.reached[at];
            phrases.push(step.phrase);
            at -= usize::from(step.cells);
        }
        phrases.reverse();
    }

    /// Notes what every phrase that agrees with the cells from a place on leads to.
    fn extend(&mut self, at: usize, bits: u32) {
        let window = self.planes.window(at);
        let (low, high, known) = (window.low as u32, window.high as u32, window.known as u32);
        let end = self.planes.len();
        for (group, heads) in self.heads.iter().enumerate() {
            if (heads.low[0] ^ low | heads.high[0] ^ high) & known & heads.common != 0 {
                continue;
            }
            let mut agree = 0u32;
            for lane in 0..LANES {
                let differ = (heads.low[lane] ^ low | heads.high[lane] ^ high) & known & heads.mask[lane];
                agree |= u32::from(differ == 0) << lane;
            }
            while agree != 0 {
                let lane = agree.trailing_zeros() as usize;
                agree &= agree - 1;
                let Some(candidate) = self.phrases.get(group * LANES + lane) else { break };
                let to = (at + usize::from(candidate.cells)).min(end);
                let cost = bits + candidate.bits;
                let dear = cost >= self.reached[to].bits || cost >= self.ahead[to];
                if dear || !self.tail_agrees(candidate, at) {
                    continue;
                }
                self.reached[to] = Reached { bits: cost, phrase: candidate.phrase, cells: (to - at) as u16 };
                for ahead in self.ahead[at..to].iter_mut().rev() {
                    if *ahead <= cost {
                        break;
                    }
                    *ahead = cost;
                }
            }
        }
    }

    fn tail_agrees(&self, candidate: &Candidate, at: usize) -> bool {
        let words = (usize::from(candidate.cells).saturating_sub(HEAD_CELLS)).div_ceil(64);
        let tail = &self.tails[candidate.tail as usize..][..words];
        let mut at = at + HEAD_CELLS;
        for word in tail {
            if at >= self.planes.len() {
                return true;
            }
            let window = self.planes.window(at);
            if (word.low ^ window.low | word.high ^ window.high) & window.known & word.known != 0 {
                return false;
            }
            at += 64;
        }
        true
    }
}

fn word(cells: &[u8]) -> Word {
    let mut word = Word::default();
    for (bit, &cell) in cells.iter().enumerate() {
        word.low |= u64::from(cell & 1) << bit;
        word.high |= u64::from(cell >> 1) << bit;
        word.known |= 1 << bit;
    }
    word
}
