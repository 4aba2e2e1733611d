//! Canonical prefix codes of limited length.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bits of the longest code: one look into a table of 4,096 entries finds a phrase.
pub(super) const MAX_CODE_BITS: u8 = 12;

/// The lengths of the codes for symbols that occur so often; each symbol gets one.
pub(super) fn code_bits(counts: &[u64]) -> Vec<u8> {
    if counts.len() == 1 {
        return vec![1];
    }
    let mut counts: Vec<u64> = counts.iter().map(|&count| count.max(1)).collect();
    loop {
        let bits = unlimited_code_bits(&counts);
        if bits.iter().all(|&bits| bits <= MAX_CODE_BITS) {
            return bits;
        }
        // Rarer symbols draw nearer to the frequent ones until the longest code is short enough.
        for count in &mut counts {
            *count = *count / 2 + 1;
        }
    }
}

fn unlimited_code_bits(counts: &[u64]) -> Vec<u8> {
    let mut parents = vec![0; counts.len()];
    let mut heap: BinaryHeap<_> = counts.iter().enumerate().map(|(node, &count)| Reverse((count, node))).collect();
    while let (Some(Reverse((first, a))), Some(Reverse((second, b)))) = (heap.pop(), heap.pop()) {
        let node = parents.len();
        parents.push(0);
        (parents[a], parents[b]) = (node, node);
        heap.push(Reverse((first + second, node)));
        if heap.len() == 1 {
            break;
        }
    }
    let root = parents.len() - 1;
    let mut bits = vec![0; parents.len()];
    for node in (0..root).rev() {
        bits[node] = bits[parents[node]] + 1;
    }
    bits.truncate(counts.len());
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
