//! Which phrases to write a block with, so that it takes the fewest bits. Free cells agree with any phrase.

use std::cmp::Reverse;
use std::ops::Range;

use super::dictionary::Dictionary;
use super::planes::{KEY_CELLS, KEYS, Planes, Word, cell_of_key};

/// A phrase's first keys are looked up, the rest is compared.
const LOOKED_UP: usize = 8;
/// Phrases that one look-up finds.
const SET: usize = u64::BITS as usize;

/// Finds the cheapest phrases.
pub(crate) struct Parser {
    /// By length of code, the shortest first.
    classes: Vec<Class>,
    /// In order of classes; in each the longest phrases first. Classes begin with a set of their own.
    phrases: Vec<Candidate>,
    /// For each set, each place of a key in a phrase and each key, a bit for each phrase that agrees with it.
    sets: Vec<[[u64; KEYS]; LOOKED_UP]>,
    /// The cells of long phrases.
    words: Vec<Word>,
    planes: Planes,
    reached: Vec<Reached>,
    /// For each place the least cost of any later place.
    ahead: Vec<u32>,
}

/// Phrases whose codes are equally long.
struct Class {
    bits: u32,
    sets: Range<usize>,
}

#[derive(Clone, Copy, Default)]
struct Candidate {
    phrase: u16,
    cells: u16,
    /// Where its cells are, if they have to be compared.
    words: u32,
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
        order.sort_by_key(|&phrase| (dictionary.code_bits[phrase], Reverse(dictionary.phrases[phrase].len())));
        let mut parser = Parser {
            classes: Vec::new(),
            phrases: Vec::new(),
            sets: Vec::new(),
            words: Vec::new(),
            planes: Planes::default(),
            reached: Vec::new(),
            ahead: Vec::new(),
        };
        for class in order.chunk_by(|&one, &other| dictionary.code_bits[one] == dictionary.code_bits[other]) {
            let first = parser.sets.len();
            for numbers in class.chunks(SET) {
                let phrases: Vec<&[u8]> = numbers.iter().map(|&phrase| &dictionary.phrases[phrase][..]).collect();
                parser.sets.push(set(&phrases));
                for (&number, cells) in numbers.iter().zip(phrases) {
                    let words = parser.words.len() as u32;
                    if cells.len() > LOOKED_UP * KEY_CELLS {
                        parser.words.extend(cells.chunks(64).map(word));
                    }
                    parser.phrases.push(Candidate { phrase: number as u16, cells: cells.len() as u16, words });
                }
                parser.phrases.resize(parser.sets.len() * SET, Candidate::default());
            }
            let bits = class.first().map_or(0, |&phrase| dictionary.code_bits[phrase].into());
            parser.classes.push(Class { bits, sets: first..parser.sets.len() });
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

    /// Notes where phrases that agree with the cells from a place on lead to. For the reason given above, among those with
    /// equally long codes only the longest counts, and only if it is longer than those with shorter codes.
    fn extend(&mut self, at: usize, bits: u32) {
        let rest = self.planes.len() - at;
        let mut longest = 0;
        for class in &self.classes {
            let Some((phrase, cells)) = self.longest(class, at, longest) else { continue };
            longest = cells;
            let (to, cost) = (at + cells, bits + class.bits);
            if cost < self.reached[to].bits && cost < self.ahead[to] {
                self.reached[to] = Reached { bits: cost, phrase, cells: cells as u16 };
                for ahead in self.ahead[at..to].iter_mut().rev() {
                    if *ahead <= cost {
                        break;
                    }
                    *ahead = cost;
                }
            }
            if longest == rest {
                break;
            }
        }
    }

    /// The longest phrase of a class that agrees with the cells from a place on, and how many of them it takes, if more
    /// than `least`.
    #[inline]
    fn longest(&self, class: &Class, at: usize, least: usize) -> Option<(u16, usize)> {
        let rest = self.planes.len() - at;
        let keys: [usize; LOOKED_UP] = std::array::from_fn(|key| self.planes.key(at + key * KEY_CELLS));
        for set in class.sets.clone() {
            let phrases = &self.phrases[set * SET..][..SET];
            if rest.min(phrases[0].cells.into()) <= least {
                return None;
            }
            let mut agree = (0..LOOKED_UP).fold(u64::MAX, |agree, key| agree & self.sets[set][key][keys[key]]);
            while agree != 0 {
                let candidate = &phrases[agree.trailing_zeros() as usize];
                agree &= agree - 1;
                let cells = rest.min(candidate.cells.into());
                if cells <= least {
                    return None;
                }
                if self.agrees(candidate, at) {
                    return Some((candidate.phrase, cells));
                }
            }
        }
        None
    }

    /// Whether a phrase agrees that does as far as it is looked up.
    fn agrees(&self, candidate: &Candidate, at: usize) -> bool {
        let cells = usize::from(candidate.cells);
        if cells <= LOOKED_UP * KEY_CELLS {
            return true;
        }
        let words = &self.words[candidate.words as usize..][..cells.div_ceil(64)];
        words.iter().zip((at..self.planes.len()).step_by(64)).all(|(word, at)| {
            let window = self.planes.window(at);
            (word.low ^ window.low | word.high ^ window.high) & window.known & word.known == 0
        })
    }
}

/// The bits of phrases by place of a key and key.
fn set(phrases: &[&[u8]]) -> [[u64; KEYS]; LOOKED_UP] {
    std::array::from_fn(|place| {
        std::array::from_fn(|key| {
            let agrees = |phrase: &[u8]| {
                let cells = phrase.iter().skip(place * KEY_CELLS).take(KEY_CELLS);
                cells.enumerate().all(|(number, &cell)| cell_of_key(key, number).is_none_or(|known| known == cell))
            };
            phrases.iter().enumerate().fold(0, |set, (bit, phrase)| set | u64::from(agrees(phrase)) << bit)
        })
    })
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
