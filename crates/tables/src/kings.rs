//! How long what is forced takes when king moves have been counted already (1.9.1.6).
//!
//! Let `h(k)` be the plies to the conversion when `k` more plies may pass without a man move or a capture. From `k` equal to
//! the fresh distance on, and at the whole count in any case, it is the fresh distance; with less it grows in steps, and
//! at the end the win is gone. A position's *steps* say where. Few lists of steps are different, so that a
//! [`crate::Kind::Kings`] table has their numbers for cells and the lists themselves in its dictionary.

use std::io;

use crate::codec::{CodecError, decompress};

/// The cell of a position whose steps are not in the dictionary.
pub const UNLISTED_STEPS: u16 = u16::MAX - 1;

/// A table has no more lists than this.
pub const MAX_KINGS_LISTS: usize = UNLISTED_STEPS as usize;
/// More steps than there are plies to count make no sense.
const MAX_STEPS: usize = 255;
const ZSTD_LEVEL: i32 = 19;

/// The steps of one position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KingsSteps(Box<[u8]>);

impl KingsSteps {
    /// The steps of a position with this fresh distance, where `whole` is the count of a fresh position and `plies` tells
    /// `h(k)`, `None` where the win is gone. `None` if a step is too high to be told.
    pub fn new(whole: u32, fresh_plies: u32, plies: impl Fn(u32) -> Option<u32>) -> Option<KingsSteps> {
        let (mut left, mut now) = (whole.min(fresh_plies), fresh_plies);
        let mut bytes = Vec::new();
        let (mut run, mut rise) = (0, 0);
        while left > 0 {
            match plies(left - 1) {
                Some(plies) if plies == now => run += 1,
                more => {
                    push(&mut bytes, run, rise)?;
                    let Some(plies) = more else { break };
                    (run, rise, now) = (1, plies.checked_sub(now)?, plies);
                }
            }
            left -= 1;
        }
        if left == 0 {
            push(&mut bytes, run, rise)?;
        }
        Some(KingsSteps(bytes.into_boxed_slice()))
    }

    /// The same up to so many rises: with fewer plies left only the most that it takes is told, and where it is gone.
    pub fn cut(&self, rises: usize) -> KingsSteps {
        // One that has been cut already stays as it is, or is cut sooner.
        let rises_told = self.0[1..].chunks_exact(2).take_while(|step| step[0] != NO_RISE).count();
        if rises >= rises_told {
            return self.clone();
        }
        let (told, rest) = self.0.split_at(1 + 2 * rises);
        let sum = |place: usize| rest.chunks_exact(2).map(|step| u32::from(step[place])).sum::<u32>();
        let (Ok(rise), Ok(run)) = (u8::try_from(sum(0)), u8::try_from(sum(1))) else { return self.clone() };
        let mut bytes = told.to_vec();
        if run > 0 {
            bytes.extend([NO_RISE, run, rise, 0]);
        }
        KingsSteps(bytes.into_boxed_slice())
    }
}

/// Instead of a rise: for this run it takes longer than before it, and at most by the rise that follows.
const NO_RISE: u8 = 0;

/// Adds a step: it takes `rise` plies more than before, for `run` numbers of plies left. Before the first there is no rise
/// to tell of.
fn push(bytes: &mut Vec<u8>, run: u32, rise: u32) -> Option<()> {
    if !bytes.is_empty() {
        bytes.push(rise.try_into().ok()?);
    }
    bytes.push(run.try_into().ok()?);
    Some(())
}

/// What a list of steps says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WithKingsLeft {
    /// It takes so many plies.
    Plies(u32),
    /// It is gone.
    Never,
    /// The list has been cut short here: it takes more plies than the first number, and at most the second.
    Between(u32, u32),
}

/// The lists of steps of one table, by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KingsLists {
    bytes: Vec<u8>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl KingsLists {
    /// Adds a list and gives it its number; [`UNLISTED_STEPS`] when there are as many as there can be.
    pub fn push(&mut self, steps: &KingsSteps) -> u16 {
        let number = self.ends.len();
        if number == MAX_KINGS_LISTS || steps.0.len() > 2 * MAX_STEPS + 1 {
            return UNLISTED_STEPS;
        }
        self.bytes.extend(&steps.0);
        self.ends.push(self.bytes.len());
        number as u16
    }

    /// What the list of this number says of a position with this fresh distance and so many plies `left` of the `whole`
    /// count; `None` when there is no such list.
    pub(crate) fn plies(&self, number: u16, [whole, fresh_plies, left]: [u32; 3]) -> Option<WithKingsLeft> {
        let number = usize::from(number);
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let (&slack, steps) = self.bytes[start..end].split_first()?;
        let (mut enough, mut plies) = (whole.min(fresh_plies).saturating_sub(slack.into()), fresh_plies);
        let mut steps = steps.chunks_exact(2);
        while left < enough {
            let Some(step) = steps.next() else { return Some(WithKingsLeft::Never) };
            enough = enough.saturating_sub(step[1].into());
            if step[0] == NO_RISE && left >= enough {
                let most = plies + steps.next().map_or(0, |step| u32::from(step[0]));
                return Some(WithKingsLeft::Between(plies, most));
            }
            plies += u32::from(step[0]);
        }
        Some(WithKingsLeft::Plies(plies))
    }

    /// What a file holds of them: for each list the number of its steps but the first and its bytes, compressed.
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut all = Vec::with_capacity(self.bytes.len() + self.ends.len());
        let mut start = 0;
        for &end in &self.ends {
            let list = &self.bytes[start..end];
            all.push((list.len() / 2) as u8);
            all.extend(list);
            start = end;
        }
        zstd::bulk::compress(&all, ZSTD_LEVEL)
    }

    /// Reads [`KingsLists::to_bytes`] back, of rules whose `whole` count of king moves has so many plies.
    pub(crate) fn from_bytes(bytes: &[u8], whole: u32) -> Result<KingsLists, CodecError> {
        // A step for each ply that is counted, one that is a bound instead, and what comes before the steps.
        let steps = usize::try_from(whole).map_or(MAX_STEPS, |whole| MAX_STEPS.min(whole + 1));
        let all = decompress(bytes, MAX_KINGS_LISTS * (2 + 2 * steps))?;
        let mut lists = KingsLists::default();
        let mut rest = &all[..];
        while let Some((&steps, after)) = rest.split_first() {
            let (list, after) = after.split_at_checked(1 + 2 * usize::from(steps)).ok_or(CodecError)?;
            if lists.ends.len() == MAX_KINGS_LISTS || !is_sound(list, whole) {
                return Err(CodecError);
            }
            lists.bytes.extend(list);
            lists.ends.push(lists.bytes.len());
            rest = after;
        }
        Ok(lists)
    }
}

/// Whether [`KingsSteps`] can make this list: every step rises and lasts, only the last may be a bound, and there are no more
/// plies than are counted.
fn is_sound(list: &[u8], whole: u32) -> bool {
    let Some((&slack, steps)) = list.split_first() else { return false };
    let steps = steps.as_chunks::<2>().0;
    let rises = match steps {
        [rises @ .., [NO_RISE, run], [bound, 0]] if *run > 0 && *bound > 0 => rises,
        all => all,
    };
    let plies = steps.iter().map(|[_, run]| u32::from(*run)).sum::<u32>() + u32::from(slack);
    rises.iter().all(|[rise, run]| *rise != NO_RISE && *run > 0) && plies <= whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `h(k)` by `k`, up to the whole count.
    fn check(fresh_plies: u32, plies: &[Option<u32>]) {
        let whole = plies.len() as u32 - 1;
        let steps = KingsSteps::new(whole, fresh_plies, |left| plies[left as usize]).unwrap();
        let mut lists = KingsLists::default();
        assert_eq!((lists.push(&steps), lists.push(&steps)), (0, 1));
        let lists = KingsLists::from_bytes(&lists.to_bytes().unwrap(), whole).unwrap();
        for (left, plies) in (0..).zip(plies) {
            let expected = plies.map_or(WithKingsLeft::Never, WithKingsLeft::Plies);
            assert_eq!(lists.plies(1, [whole, fresh_plies, left]), Some(expected), "{fresh_plies} {left}");
        }
        assert_eq!(lists.plies(2, [whole, fresh_plies, 0]), None);
        for rises in 0..4 {
            let mut cut = KingsLists::default();
            cut.push(&steps.cut(rises));
            assert_eq!(KingsLists::from_bytes(&cut.to_bytes().unwrap(), whole).as_ref(), Ok(&cut));
            for again in 0..4 {
                assert_eq!(steps.cut(rises).cut(again), steps.cut(rises.min(again)));
            }
            for left in 0..=whole {
                let both = [&lists, &cut].map(|lists| lists.plies(0, [whole, fresh_plies, left]).unwrap());
                match both {
                    [WithKingsLeft::Plies(plies), WithKingsLeft::Between(least, most)] => {
                        assert!(least < plies && plies <= most && rises < steps.0.len() / 2);
                    }
                    [whole, cut] => assert_eq!(whole, cut),
                }
            }
        }
    }

    #[test]
    fn steps_are_read_back() {
        let (gone, five, seven, nine) = (None, Some(5), Some(7), Some(9));
        check(5, &[gone, nine, nine, seven, five, five, five]);
        check(5, &[gone, gone, gone, gone, gone, five, five]);
        check(9, &[gone, nine]);
        check(9, &[gone, gone, nine, nine]);
        check(7, &[gone, nine, seven]);
        check(7, &[gone, Some(262), seven]);
    }

    #[test]
    fn what_cannot_be_told_is_not_listed() {
        assert_eq!(KingsSteps::new(2, 7, |left| [None, Some(263), Some(7)][left as usize]), None);
        assert_eq!(KingsSteps::new(2, 7, |left| [None, Some(6), Some(7)][left as usize]), None);
    }

    #[test]
    fn a_dictionary_has_no_more_lists_than_cells_can_name() {
        let steps = KingsSteps::new(2, 2, |left| (left > 0).then_some(2)).unwrap();
        let mut lists = KingsLists::default();
        for number in 0..UNLISTED_STEPS {
            assert_eq!(lists.push(&steps), number);
        }
        assert_eq!(lists.push(&steps), UNLISTED_STEPS);
        let bytes = lists.to_bytes().unwrap();
        assert_eq!(KingsLists::from_bytes(&bytes, 2), Ok(lists));
        let one_more = zstd::bulk::compress(&[0, 1].repeat(usize::from(UNLISTED_STEPS) + 1), 1).unwrap();
        let cut = zstd::bulk::compress(&[1, 1], 1).unwrap();
        for bad in [&bytes[..bytes.len() - 1], &one_more, &cut, b"no", b""] {
            assert_eq!(KingsLists::from_bytes(bad, 2), Err(CodecError));
        }
    }

    #[test]
    fn lists_that_no_position_has_are_refused() {
        let read = |list: &[u8]| {
            let list = [&[(list.len() / 2) as u8], list].concat();
            KingsLists::from_bytes(&zstd::bulk::compress(&list, 1).unwrap(), 30).map(drop)
        };
        for good in [&[0][..], &[30], &[0, 255, 30], &[10, 2, 10, 1, 10], &[0, 0, 30, 7, 0], &[9, 4, 1, 0, 20, 7, 0]] {
            assert_eq!(read(good), Ok(()), "{good:?}");
        }
        let bad: [&[u8]; 12] = [
            &[31],
            &[1, 2, 30],
            &[0, 1, 16, 1, 15],
            &[0, 2, 0],
            &[0, 2, 0, 2, 5],
            &[0, 0, 30],
            &[0, 0, 30, 7, 5],
            &[0, 0, 5, 3, 0, 2, 9],
            &[0, 0, 0, 7, 0],
            &[0, 0, 30, 0, 0],
            &[5, 1, 5, 0, 5],
            &[0, 0, 5, 0, 5, 7, 0],
        ];
        for bad in bad {
            assert_eq!(read(bad), Err(CodecError), "{bad:?}");
        }
    }
}
