//! Vectors of words and bytes in the widest form the processor has. The solver is written once over these two traits and
//! compiled for each instruction set; what it computes is the same bit for bit.

use bolshak_rules::Squares;

/// Sixteen words of 32 squares each.
pub(super) trait Lanes: Copy {
    fn load(words: &[u32; 16]) -> Self;
    fn store(self, words: &mut [u32; 16]);
    fn splat(word: u32) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// The bits of `self` that `other` has not.
    fn minus(self, other: Self) -> Self;
    /// Every lane rotated to the left.
    fn rotate(self, by: u32) -> Self;
    /// All bits in every lane that has one.
    fn filled_where_any(self) -> Self;
    fn is_zero(self) -> bool;
}

/// An instruction set.
pub(super) trait Isa: Copy + Send + Sync + 'static {
    type Lanes: Lanes;

    /// Runs `work`, compiled for this instruction set if it is inlined into the call.
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R;

    /// Transposes a matrix of bits: bit `j` of word `i` goes to bit `i` of word `j`.
    fn transpose(self, words: &mut [u32; 32]) {
        transpose_by_halves(words);
    }

    /// Writes `value` to every byte whose bit is set.
    fn paint(self, bytes: &mut [u8; 32], bits: u32, value: u8);

    /// A bit for each byte that equals `value`.
    fn equal(self, bytes: &[u8; 32], value: u8) -> u32;

    /// A bit for each byte that is not below `value`.
    fn at_least(self, bytes: &[u8; 32], value: u8) -> u32;

    /// The bytes whose bit is set, one after another, and then anything.
    fn compress(self, bytes: &[u8; 32], bits: u32) -> [u8; 32];
}

/// Swaps ever smaller off-diagonal blocks.
#[inline(always)]
fn transpose_by_halves(words: &mut [u32; 32]) {
    let mut width = 16;
    let mut mask = 0x0000_ffff_u32;
    while width != 0 {
        let mut row = 0;
        while row < 32 {
            for low in row..row + width {
                let swapped = (words[low] >> width ^ words[low + width]) & mask;
                words[low] ^= swapped << width;
                words[low + width] ^= swapped;
            }
            row += 2 * width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// Plain Rust, for every processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Lanes for [u32; 16] {
    #[inline(always)]
    fn load(words: &[u32; 16]) -> Self {
        *words
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; 16]) {
        *words = self;
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        [word; 16]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] & other[lane])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] | other[lane])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|lane| self[lane] & !other[lane])
    }

    #[inline(always)]
    fn rotate(self, by: u32) -> Self {
        std::array::from_fn(|lane| self[lane].rotate_left(by))
    }

    #[inline(always)]
    fn filled_where_any(self) -> Self {
        std::array::from_fn(|lane| if self[lane] == 0 { 0 } else { !0 })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.iter().fold(0, |all, word| all | word) == 0
    }
}

impl Isa for Portable {
    type Lanes = [u32; 16];

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn paint(self, bytes: &mut [u8; 32], mut bits: u32, value: u8) {
        while bits != 0 {
            bytes[bits.trailing_zeros() as usize] = value;
            bits &= bits - 1;
        }
    }

    #[inline(always)]
    fn equal(self, bytes: &[u8; 32], value: u8) -> u32 {
        bytes.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(byte == value))
    }

    #[inline(always)]
    fn at_least(self, bytes: &[u8; 32], value: u8) -> u32 {
        bytes.iter().rev().fold(0, |bits, &byte| bits << 1 | u32::from(byte >= value))
    }

    #[inline(always)]
    fn compress(self, bytes: &[u8; 32], bits: u32) -> [u8; 32] {
        let mut chosen = [0; 32];
        chosen.iter_mut().zip(Squares(bits).iter()).for_each(|(slot, bit)| *slot = bytes[usize::from(bit.id())]);
        chosen
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Isa, Lanes};

    /// AVX2 with BMI2. A value exists only where the processor has them.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// `None` on processors without it.
        pub(crate) fn detect() -> Option<Avx2> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2"))
                .then_some(Avx2(()))
        }
    }

    #[derive(Clone, Copy)]
    pub(crate) struct TwoHalves(__m256i, __m256i);

    // SAFETY of all blocks below: `Avx2` values, and with them vectors of its `Lanes`, are used only where `detect` has
    // found the processor able; loads and stores are unaligned and within arrays of the vector's size.
    impl Lanes for TwoHalves {
        #[inline(always)]
        fn load(words: &[u32; 16]) -> Self {
            let start = words.as_ptr().cast::<__m256i>();
            // SAFETY: as above.
            unsafe { TwoHalves(_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))) }
        }

        #[inline(always)]
        fn store(self, words: &mut [u32; 16]) {
            let start = words.as_mut_ptr().cast::<__m256i>();
            // SAFETY: as above.
            unsafe {
                _mm256_storeu_si256(start, self.0);
                _mm256_storeu_si256(start.add(1), self.1);
            }
        }

        #[inline(always)]
        fn splat(word: u32) -> Self {
            // SAFETY: as above.
            let half = unsafe { _mm256_set1_epi32(word as i32) };
            TwoHalves(half, half)
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { TwoHalves(_mm256_and_si256(self.0, other.0), _mm256_and_si256(self.1, other.1)) }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { TwoHalves(_mm256_or_si256(self.0, other.0), _mm256_or_si256(self.1, other.1)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { TwoHalves(_mm256_andnot_si256(other.0, self.0), _mm256_andnot_si256(other.1, self.1)) }
        }

        #[inline(always)]
        fn rotate(self, by: u32) -> Self {
            TwoHalves(rotate(self.0, by), rotate(self.1, by))
        }

        #[inline(always)]
        fn filled_where_any(self) -> Self {
            TwoHalves(fill(self.0), fill(self.1))
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            // SAFETY: as above.
            unsafe {
                let any = _mm256_or_si256(self.0, self.1);
                _mm256_testz_si256(any, any) != 0
            }
        }
    }

    #[inline(always)]
    fn rotate(half: __m256i, by: u32) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let left = _mm256_sllv_epi32(half, _mm256_set1_epi32(by as i32));
            _mm256_or_si256(left, _mm256_srlv_epi32(half, _mm256_set1_epi32(32 - by as i32)))
        }
    }

    #[inline(always)]
    fn fill(half: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { _mm256_xor_si256(_mm256_cmpeq_epi32(half, _mm256_setzero_si256()), _mm256_set1_epi32(-1)) }
    }

    impl Avx2 {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn run<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
    }

    impl Isa for Avx2 {
        type Lanes = TwoHalves;

        #[inline(always)]
        fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
            // SAFETY: an `Avx2` exists only where `detect` has found its features; popcnt and lzcnt are on all of them.
            unsafe { Avx2::run(work) }
        }

        #[inline(always)]
        fn paint(self, bytes: &mut [u8; 32], bits: u32, value: u8) {
            let start = bytes.as_mut_ptr().cast::<__m256i>();
            // SAFETY: as above.
            unsafe {
                let spread = _mm256_shuffle_epi8(
                    _mm256_set1_epi32(bits as i32),
                    _mm256_setr_epi8(
                        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                    ),
                );
                let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                let chosen = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
                let painted = _mm256_blendv_epi8(_mm256_loadu_si256(start), _mm256_set1_epi8(value as i8), chosen);
                _mm256_storeu_si256(start, painted);
            }
        }

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], value: u8) -> u32 {
            // SAFETY: as above.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(value as i8))) as u32
            }
        }

        #[inline(always)]
        fn at_least(self, bytes: &[u8; 32], value: u8) -> u32 {
            // SAFETY: as above.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                let larger = _mm256_max_epu8(bytes, _mm256_set1_epi8(value as i8));
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, larger)) as u32
            }
        }

        #[inline(always)]
        fn compress(self, bytes: &[u8; 32], bits: u32) -> [u8; 32] {
            let (mut chosen, mut count) = ([0; 32], 0);
            for (eight, bits) in bytes.as_chunks::<8>().0.iter().zip(bits.to_le_bytes()) {
                // SAFETY: as above.
                let together = unsafe {
                    let bytes = _pdep_u64(bits.into(), 0x0101_0101_0101_0101) * 0xff;
                    _pext_u64(u64::from_le_bytes(*eight), bytes)
                };
                // At most eight bytes are before each of the four.
                chosen[count..count + 8].copy_from_slice(&together.to_le_bytes());
                count += bits.count_ones() as usize;
            }
            chosen
        }
    }

    /// AVX-512 with its byte and bit instructions. A value exists only where the processor has them.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        /// `None` on processors without it.
        pub(crate) fn detect() -> Option<Avx512> {
            (is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("gfni")
                && is_x86_feature_detected!("bmi2"))
            .then_some(Avx512(()))
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,gfni,bmi1,bmi2,popcnt,lzcnt")]
        fn run<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
    }

    #[derive(Clone, Copy)]
    pub(crate) struct Whole(__m512i);

    // SAFETY of all blocks below: `Avx512` values, and with them vectors of its `Lanes`, are used only where `detect` has
    // found the processor able; loads and stores are unaligned and within arrays of the vector's size.
    impl Lanes for Whole {
        #[inline(always)]
        fn load(words: &[u32; 16]) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_loadu_si512(words.as_ptr().cast())) }
        }

        #[inline(always)]
        fn store(self, words: &mut [u32; 16]) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn splat(word: u32) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_set1_epi32(word as i32)) }
        }

        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_and_si512(self.0, other.0)) }
        }

        #[inline(always)]
        fn or(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_or_si512(self.0, other.0)) }
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_andnot_si512(other.0, self.0)) }
        }

        #[inline(always)]
        fn rotate(self, by: u32) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_rolv_epi32(self.0, _mm512_set1_epi32(by as i32))) }
        }

        #[inline(always)]
        fn filled_where_any(self) -> Self {
            // SAFETY: as above.
            unsafe { Whole(_mm512_maskz_set1_epi32(_mm512_test_epi32_mask(self.0, self.0), -1)) }
        }

        #[inline(always)]
        fn is_zero(self) -> bool {
            // SAFETY: as above.
            unsafe { _mm512_test_epi32_mask(self.0, self.0) == 0 }
        }
    }

    impl Isa for Avx512 {
        type Lanes = Whole;

        #[inline(always)]
        fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
            // SAFETY: an `Avx512` exists only where `detect` has found its features.
            unsafe { Avx512::run(work) }
        }

        #[inline(always)]
        fn transpose(self, words: &mut [u32; 32]) {
            let start = words.as_mut_ptr().cast::<u8>();
            // SAFETY: as above; the array is two vectors long.
            unsafe {
                let (low, high) = (_mm512_loadu_si512(start.cast()), _mm512_loadu_si512(start.add(64).cast()));
                let first = transpose_blocks(_mm512_permutex2var_epi8(low, load_bytes(&TO_BLOCKS.0), high));
                let second = transpose_blocks(_mm512_permutex2var_epi8(low, load_bytes(&TO_BLOCKS.1), high));
                let low = _mm512_permutex2var_epi8(first, load_bytes(&FROM_BLOCKS.0), second);
                let high = _mm512_permutex2var_epi8(first, load_bytes(&FROM_BLOCKS.1), second);
                _mm512_storeu_si512(start.cast(), low);
                _mm512_storeu_si512(start.add(64).cast(), high);
            }
        }

        #[inline(always)]
        fn paint(self, bytes: &mut [u8; 32], bits: u32, value: u8) {
            // SAFETY: as above.
            unsafe { _mm256_mask_storeu_epi8(bytes.as_mut_ptr().cast(), bits, _mm256_set1_epi8(value as i8)) }
        }

        #[inline(always)]
        fn equal(self, bytes: &[u8; 32], value: u8) -> u32 {
            // SAFETY: as above.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                _mm256_cmpeq_epu8_mask(bytes, _mm256_set1_epi8(value as i8))
            }
        }

        #[inline(always)]
        fn at_least(self, bytes: &[u8; 32], value: u8) -> u32 {
            // SAFETY: as above.
            unsafe {
                let bytes = _mm256_loadu_si256(bytes.as_ptr().cast());
                _mm256_cmpge_epu8_mask(bytes, _mm256_set1_epi8(value as i8))
            }
        }

        #[inline(always)]
        fn compress(self, bytes: &[u8; 32], bits: u32) -> [u8; 32] {
            let mut chosen = [0; 32];
            // SAFETY: as above.
            unsafe {
                let together = _mm256_maskz_compress_epi8(bits, _mm256_loadu_si256(bytes.as_ptr().cast()));
                _mm256_storeu_si256(chosen.as_mut_ptr().cast(), together);
            }
            chosen
        }
    }

    /// The order of bytes that gathers a 32 x 32 matrix of bits into sixteen blocks of 8 x 8, the block of rows `8 r ..`
    /// and columns `8 c ..` at place `4 c + r`, so that transposing each block leaves the blocks where the transpose has
    /// them. Rows are bottom up, as `transpose_blocks` wants them.
    const TO_BLOCKS: ([u8; 64], [u8; 64]) = {
        let mut order = ([0; 64], [0; 64]);
        let mut place = 0;
        while place < 64 {
            let (block, row) = (place / 8, 7 - place % 8);
            order.0[place] = (4 * (8 * (block % 4) + row) + block / 4) as u8;
            let block = block + 8;
            order.1[place] = (4 * (8 * (block % 4) + row) + block / 4) as u8;
            place += 1;
        }
        order
    };

    /// The way back: byte `c` of row `r` is row `r % 8` of the block at place `4 (r / 8) + c`.
    const FROM_BLOCKS: ([u8; 64], [u8; 64]) = {
        let mut order = ([0; 64], [0; 64]);
        let mut place = 0;
        while place < 64 {
            let (row, column) = (place / 4, place % 4);
            order.0[place] = (8 * (4 * (row / 8) + column) + row % 8) as u8;
            let row = row + 16;
            order.1[place] = (8 * (4 * (row / 8) + column) + row % 8) as u8;
            place += 1;
        }
        order
    };

    #[inline(always)]
    fn load_bytes(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    /// Transposes eight blocks of 8 x 8 bits whose rows are bottom up; the rows that come out are top down.
    #[inline(always)]
    fn transpose_blocks(blocks: __m512i) -> __m512i {
        // Each byte of the first operand picks one bit of every row of the matrix: byte i has bit i alone.
        const ONE_BIT_EACH: i64 = 0x8040_2010_0804_0201_u64 as i64;
        // SAFETY: as above.
        unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(ONE_BIT_EACH), blocks) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(isa: impl Isa) {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.rotate_left(16)
        };
        for _ in 0..100 {
            let words: [u32; 32] = std::array::from_fn(|_| random());
            let mut transposed = words;
            isa.vectorize(|| isa.transpose(&mut transposed));
            for (row, word) in words.iter().enumerate() {
                for (column, other) in transposed.iter().enumerate() {
                    assert_eq!(other >> row & 1, word >> column & 1, "{row} {column}");
                }
            }
            let bytes: [u8; 32] = std::array::from_fn(|_| random() as u8 % 4);
            let bits = random();
            let mut painted = bytes;
            isa.paint(&mut painted, bits, 7);
            for place in 0..32 {
                assert_eq!(painted[place], if bits >> place & 1 != 0 { 7 } else { bytes[place] });
                assert_eq!(isa.equal(&bytes, 2) >> place & 1 != 0, bytes[place] == 2);
                assert_eq!(isa.at_least(&bytes, 2) >> place & 1 != 0, bytes[place] >= 2);
            }
            for bits in [bits, 0, !0, bits | 0xff00_0000] {
                let chosen: Vec<u8> = Squares(bits).iter().map(|bit| bytes[usize::from(bit.id())]).collect();
                assert_eq!(isa.compress(&bytes, bits)[..chosen.len()], chosen);
            }
        }
        let words: [u32; 16] = std::array::from_fn(|lane| if lane % 3 == 0 { 0 } else { random() });
        let mut out = [0; 16];
        isa.vectorize(|| {
            let lanes = <_>::load(&words);
            same(isa, lanes).rotate(25).store(&mut out);
        });
        assert_eq!(out, words.map(|word| word.rotate_left(25)));
        isa.vectorize(|| same(isa, <_>::load(&words)).filled_where_any().store(&mut out));
        assert_eq!(out, words.map(|word| if word == 0 { 0 } else { !0 }));
    }

    fn same<I: Isa>(_: I, lanes: I::Lanes) -> I::Lanes {
        lanes
    }

    #[test]
    fn every_instruction_set_does_the_same() {
        check(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(isa) = Avx2::detect() {
                check(isa);
            }
            if let Some(isa) = Avx512::detect() {
                check(isa);
            }
        }
    }
}
