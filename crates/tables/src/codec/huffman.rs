//! Canonical prefix codes of limited length.

/// Bits of the longest code: one look into a table of 4,096 entries finds a phrase.
pub(super) const MAX_CODE_BITS: u8 = 12;

/// The lengths of the codes for symbols that occur so often; each symbol gets one. No codes of at most [`MAX_CODE_BITS`]
/// take fewer bits in all (package-merge, Larmore and Hirschberg 1990).
pub(super) fn code_bits(counts: &[u64]) -> Vec<u8> {
    if counts.len() == 1 {
        return vec![1];
    }
    let mut symbols: Vec<usize> = (0..counts.len()).collect();
    symbols.sort_by_key(|&symbol| counts[symbol]);
    let single: Vec<(u64, bool)> = symbols.iter().map(|&symbol| (counts[symbol], true)).collect();
    // For each length of code, the longest first: the symbols and the pairs of what there is for one bit more, by count.
    let mut lists = vec![single.clone()];
    for _ in 1..MAX_CODE_BITS {
        let longer = lists.last().map_or(&[][..], Vec::as_slice);
        let pairs = longer.as_chunks::<2>().0.iter().map(|[one, other]| (one.0 + other.0, false));
        let mut list: Vec<_> = single.iter().copied().chain(pairs).collect();
        list.sort_by_key(|&(count, _)| count);
        lists.push(list);
    }
    let mut bits = vec![0; counts.len()];
    let mut taken = 2 * counts.len() - 2;
    for list in lists.iter().rev() {
        let taken_symbols = list[..taken].iter().filter(|(_, is_symbol)| *is_symbol).count();
        symbols[..taken_symbols].iter().for_each(|&symbol| bits[symbol] += 1);
        taken = 2 * (taken - taken_symbols);
    }
    bits
}

/// The codes of these lengths: shorter codes first, among equal lengths in order of symbols, each as a number.
pub(super) fn codes(code_bits: &[u8]) -> Vec<u16> {
    let mut order: Vec<usize> = (0..code_bits.len()).collect();
    order.sort_by_key(|&symbol| code_bits[symbol]);
    let mut codes = vec![0; code_bits.len()];
    let (mut next, mut length) = (0u32, 0);
    for symbol in order {
        next <<= code_bits[symbol] - length;
        length = code_bits[symbol];
        codes[symbol] = next as u16;
        next += 1;
    }
    codes
}

/// Whether there are codes of these lengths.
pub(super) fn is_sound(code_bits: &[u8]) -> bool {
    code_bits.iter().all(|bits| (1..=MAX_CODE_BITS).contains(bits))
        && code_bits.iter().map(|bits| 1u32 << (MAX_CODE_BITS - bits)).sum::<u32>() <= 1 << MAX_CODE_BITS
}
